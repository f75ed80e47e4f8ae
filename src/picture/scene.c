// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/scene.h"

#include "core/error.h"
#include "core/grow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORNERS = 4 };

typedef enum item_kind { FACE, STROKE, DOT, TEXT } item_kind;

typedef struct item {
    item_kind kind;
    int count, number;
    double depth; // towards the eye
    ss_point at[MOST_CORNERS];
    ss_color color;
    ss_pen pen;
    double radius;
    char text[48];
} item;

struct ss_scene {
    double right[3], up[3], eye[3], light[3];
    item* items;
    int count;
    size_t room;
    bool failed;
};

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

ss_scene* ss_scene_create(ss_view view)
{
    ss_scene* s = ss_new(1, sizeof *s);
    if (!s) return NULL;
    double degree = acos(-1) / 180, a = view.azimuth * degree, e = view.elevation * degree;
    const double right[3] = {-sin(a), cos(a), 0}, up[3] = {-cos(a) * sin(e), -sin(a) * sin(e), cos(e)},
                 eye[3] = {cos(a) * cos(e), sin(a) * cos(e), sin(e)};
    memcpy(s->right, right, sizeof right);
    memcpy(s->up, up, sizeof up);
    memcpy(s->eye, eye, sizeof eye);
    double length = 0;
    for (int i = 0; i < 3; i++) s->light[i] = eye[i] + 0.8 * up[i] - 0.5 * right[i];
    length = sqrt(dot(s->light, s->light));
    for (int i = 0; i < 3; i++) s->light[i] /= length;
    return s;
}

void ss_scene_destroy(ss_scene* scene)
{
    if (!scene) return;
    free(scene->items);
    free(scene);
}

static item* add(ss_scene* s, item_kind kind)
{
    if (!ss_grow(&s->items, (size_t)s->count, &s->room, sizeof(item))) {
        s->failed = true;
        return NULL;
    }
    item* made = &s->items[s->count];
    *made = (item){.kind = kind, .number = s->count++};
    return made;
}

static ss_point project(const ss_scene* s, const double p[3])
{
    return (ss_point){dot(s->right, p), dot(s->up, p)};
}

// Brightness of a face by its normal, the same from both sides.
static ss_color lit(const ss_scene* s, const double corners[][3], ss_color color)
{
    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = corners[1][i] - corners[0][i];
        b[i] = corners[2][i] - corners[0][i];
    }
    const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                              a[0] * b[1] - a[1] * b[0]};
    double length = sqrt(dot(normal, normal));
    double shine = length > 0 ? 0.45 + 0.55 * fabs(dot(normal, s->light)) / length : 1;
    return (ss_color){color.r * shine, color.g * shine, color.b * shine, color.a};
}

void ss_scene_face(ss_scene* s, const double corners[][3], int count, ss_color color, const ss_pen* rim)
{
    item* made = add(s, FACE);
    if (!made || count > MOST_CORNERS) return;
    made->count = count;
    for (int k = 0; k < count; k++) {
        made->at[k] = project(s, corners[k]);
        made->depth += dot(s->eye, corners[k]) / count;
    }
    made->color = lit(s, corners, color);
    made->pen = rim ? *rim : (ss_pen){.color = made->color, .width = 0.3}; // closes the seams
}

void ss_scene_stroke(ss_scene* s, const double from[3], const double to[3], double lift, const ss_pen* pen)
{
    item* made = add(s, STROKE);
    if (!made) return;
    made->at[0] = project(s, from);
    made->at[1] = project(s, to);
    made->depth = 0.5 * (dot(s->eye, from) + dot(s->eye, to)) + lift;
    made->pen = *pen;
}

void ss_scene_dot(ss_scene* s, const double at[3], double lift, double radius, ss_color color)
{
    item* made = add(s, DOT);
    if (!made) return;
    made->at[0] = project(s, at);
    made->depth = dot(s->eye, at) + lift;
    made->radius = radius;
    made->color = color;
}

void ss_scene_text(ss_scene* s, const double at[3], const char* text)
{
    item* made = add(s, TEXT);
    if (!made) return;
    made->at[0] = project(s, at);
    made->depth = INFINITY;
    snprintf(made->text, sizeof made->text, "%s", text);
}

static int points_of(const item* i) { return i->kind == FACE ? i->count : i->kind == STROKE ? 2 : 1; }

ss_box ss_scene_bounds(const ss_scene* s)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < s->count; k++)
        for (int j = 0; j < points_of(&s->items[k]); j++) {
            low[0] = fmin(low[0], s->items[k].at[j].x);
            low[1] = fmin(low[1], s->items[k].at[j].y);
            high[0] = fmax(high[0], s->items[k].at[j].x);
            high[1] = fmax(high[1], s->items[k].at[j].y);
        }
    if (s->count == 0) return (ss_box){-1, -1, 2, 2};
    double room = 0.06 * fmax(high[0] - low[0], high[1] - low[1]);
    return (ss_box){low[0] - room, low[1] - room, high[0] - low[0] + 2 * room, high[1] - low[1] + 2 * room};
}

static int compare(const void* a, const void* b)
{
    const item *x = a, *y = b;
    if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

bool ss_scene_draw(ss_scene* s, ss_plot* plot)
{
    qsort(s->items, (size_t)s->count, sizeof *s->items, compare);
    for (int k = 0; k < s->count; k++) {
        const item* i = &s->items[k];
        switch (i->kind) {
        case FACE: ss_plot_area(plot, i->at, i->count, i->color, &i->pen, NULL); break;
        case STROKE: ss_plot_line(plot, i->at, 2, false, &i->pen, NULL); break;
        case DOT: ss_plot_dots(plot, i->at, 1, i->radius, i->color, NULL); break;
        case TEXT: ss_plot_text(plot, i->at[0], i->text, SS_ANCHOR_MIDDLE, (ss_color){0}); break;
        }
    }
    return !s->failed;
}
