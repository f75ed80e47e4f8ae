// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The body is convex: of its faces those turned to the eye are seen, none of them hides another, and a point
// is hidden where one of them covers it and is nearer to the eye.
#include "picture/figure/scene.h"

#include "core/error.h"
#include "core/grow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORNERS = 4, PIECES = 40 };

// How much nearer, relative to the whole drawing, a face must be to hide: lines on it lie in it but for the
// flatness of faces.
static const double nearer = 2e-3;

typedef struct spot {
    ss_point at;
    double depth; // towards the eye
} spot;

typedef struct face {
    spot corners[MOST_CORNERS];
    int count;
    ss_point low, high; // its box
    int number, shade;
    ss_color color;
} face;

typedef enum item_kind { LINE, DOT, TEXT } item_kind;

typedef struct item {
    item_kind kind;
    int first, count; // of the scene's spots
    ss_pen pen, hidden;
    ss_scene_mark mark;
    ss_point beside; // text: points to the right and up
    char text[48];
} item;

struct ss_scene {
    double right[3], up[3], eye[3], light[3];
    face* faces;
    item* items;
    spot* spots;
    int face_count, item_count, spot_count;
    size_t face_room, item_room, spot_room;
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
    for (int i = 0; i < 3; i++) s->light[i] = eye[i] + 0.8 * up[i] - 0.5 * right[i];
    double length = sqrt(dot(s->light, s->light));
    for (int i = 0; i < 3; i++) s->light[i] /= length;
    return s;
}

void ss_scene_destroy(ss_scene* scene)
{
    if (!scene) return;
    free(scene->faces);
    free(scene->items);
    free(scene->spots);
    free(scene);
}

// ---- what is added

static bool grow(ss_scene* s, void* array, int count, size_t* room, size_t size)
{
    bool grown = ss_grow(array, (size_t)count, room, size);
    if (!grown) s->failed = true;
    return grown;
}

static spot project(const ss_scene* s, const double p[3])
{
    return (spot){{dot(s->right, p), dot(s->up, p)}, dot(s->eye, p)};
}

static void add_spot(ss_scene* s, const double at[3])
{
    if (grow(s, &s->spots, s->spot_count, &s->spot_room, sizeof(spot)))
        s->spots[s->spot_count++] = project(s, at);
}

static item* add(ss_scene* s, item_kind kind)
{
    if (!grow(s, &s->items, s->item_count, &s->item_room, sizeof(item))) return NULL;
    s->items[s->item_count] = (item){.kind = kind, .first = s->spot_count, .count = 1};
    return &s->items[s->item_count++];
}

// One of a hundred shades: how much light falls on what has this normal.
static int shade_of(const ss_scene* s, const double normal[3])
{
    double length = sqrt(dot(normal, normal));
    return length > 0 ? (int)round(66 + 34 * dot(normal, s->light) / length) : 100;
}

void ss_scene_face(ss_scene* s, const double corners[][3], int count, const double normal[3], ss_color color)
{
    if (dot(normal, s->eye) <= 0) return; // turned away
    face made = {.count = count < MOST_CORNERS ? count : MOST_CORNERS};
    made.low = (ss_point){INFINITY, INFINITY};
    made.high = (ss_point){-INFINITY, -INFINITY};
    for (int k = 0; k < made.count; k++) {
        spot p = made.corners[k] = project(s, corners[k]);
        made.low = (ss_point){fmin(made.low.x, p.at.x), fmin(made.low.y, p.at.y)};
        made.high = (ss_point){fmax(made.high.x, p.at.x), fmax(made.high.y, p.at.y)};
    }
    made.number = s->face_count;
    made.shade = shade_of(s, normal);
    double light = 0.01 * made.shade;
    made.color = (ss_color){light * color.r, light * color.g, light * color.b, color.a};
    if (grow(s, &s->faces, s->face_count, &s->face_room, sizeof(face))) s->faces[s->face_count++] = made;
}

void ss_scene_line(ss_scene* s, const double points[][3], int count, const ss_pen* pen, const ss_pen* hidden)
{
    item* made = add(s, LINE);
    if (!made) return;
    made->count = count;
    made->pen = *pen;
    if (hidden) made->hidden = *hidden;
    for (int k = 0; k < count; k++) add_spot(s, points[k]);
}

void ss_scene_stroke(ss_scene* s, const double from[3], const double to[3], const ss_pen* pen)
{
    double points[PIECES + 1][3];
    for (int k = 0; k <= PIECES; k++)
        for (int i = 0; i < 3; i++) points[k][i] = from[i] + (to[i] - from[i]) * k / PIECES;
    ss_scene_line(s, (const double(*)[3])points, PIECES + 1, pen, NULL);
}

void ss_scene_dot(ss_scene* s, const double at[3], const ss_scene_mark* mark)
{
    item* made = add(s, DOT);
    if (!made) return;
    made->mark = *mark;
    add_spot(s, at);
}

void ss_scene_text(ss_scene* s, const double at[3], const char* text, ss_point beside)
{
    item* made = add(s, TEXT);
    if (!made) return;
    made->beside = beside;
    snprintf(made->text, sizeof made->text, "%s", text);
    add_spot(s, at);
}

// ---- what is seen

static void widen(ss_box* corners, ss_point p)
{
    corners->x = fmin(corners->x, p.x);
    corners->y = fmin(corners->y, p.y);
    corners->width = fmax(corners->width, p.x);
    corners->height = fmax(corners->height, p.y);
}

ss_box ss_scene_bounds(const ss_scene* s)
{
    ss_box corners = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < s->spot_count; k++) widen(&corners, s->spots[k].at);
    for (int k = 0; k < s->face_count; k++) {
        widen(&corners, s->faces[k].low);
        widen(&corners, s->faces[k].high);
    }
    if (s->spot_count + s->face_count == 0) return (ss_box){-1, -1, 2, 2};
    double width = corners.width - corners.x, height = corners.height - corners.y,
           room = 0.06 * fmax(width, height);
    return (ss_box){corners.x - room, corners.y - room, width + 2 * room, height + 2 * room};
}

static double cross(ss_point a, ss_point b, ss_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Whether the triangle covers the point and is nearer by more than `by`.
static bool covers(const spot* a, const spot* b, const spot* c, spot p, double by)
{
    double u = cross(b->at, c->at, p.at), v = cross(c->at, a->at, p.at), w = cross(a->at, b->at, p.at);
    double area = u + v + w;
    if (u * area < 0 || v * area < 0 || w * area < 0 || area == 0) return false;
    return (u * a->depth + v * b->depth + w * c->depth) / area > p.depth + by;
}

static bool is_hidden(const ss_scene* s, spot p, double by)
{
    for (int k = 0; k < s->face_count; k++) {
        const face* f = &s->faces[k];
        if (p.at.x < f->low.x || p.at.x > f->high.x || p.at.y < f->low.y || p.at.y > f->high.y) continue;
        for (int j = 2; j < f->count; j++)
            if (covers(&f->corners[0], &f->corners[j - 1], &f->corners[j], p, by)) return true;
    }
    return false;
}

static bool piece_is_hidden(const ss_scene* s, const spot* from, double by)
{
    const spot middle = {{0.5 * (from[0].at.x + from[1].at.x), 0.5 * (from[0].at.y + from[1].at.y)},
                         0.5 * (from[0].depth + from[1].depth)};
    return is_hidden(s, middle, by);
}

// Cuts the line where it disappears and comes back.
static bool draw_line(const ss_scene* s, ss_plot* plot, const item* i, double by)
{
    const spot* spots = s->spots + i->first;
    ss_point* points = ss_new((size_t)i->count, sizeof *points);
    if (!points) return false;
    for (int k = 0; k < i->count; k++) points[k] = spots[k].at;
    for (int from = 0, to; from + 1 < i->count; from = to) {
        bool hidden = piece_is_hidden(s, spots + from, by);
        for (to = from + 1; to + 1 < i->count && piece_is_hidden(s, spots + to, by) == hidden;) to++;
        const ss_pen* pen = hidden ? &i->hidden : &i->pen;
        if (pen->color.a > 0) ss_plot_line(plot, points + from, to - from + 1, false, pen, NULL);
    }
    free(points);
    return true;
}

static void draw_dot(const ss_scene* s, ss_plot* plot, const item* i, double by)
{
    bool hidden = is_hidden(s, s->spots[i->first], by);
    ss_point at = s->spots[i->first].at;
    if (hidden && !i->mark.shows_through) return;
    double radius = hidden ? 0.65 * i->mark.radius : i->mark.radius;
    (i->mark.hollow ? ss_plot_rings : ss_plot_dots)(plot, &at, 1, radius, i->mark.color, NULL);
}

// By corners and shade: faces of one scene have one colour in different lights.
static int compare_faces(const void* a, const void* b)
{
    const face *x = a, *y = b;
    if (x->count != y->count) return x->count - y->count;
    if (x->shade != y->shade) return x->shade - y->shade;
    return (x->number > y->number) - (x->number < y->number);
}

static bool alike(const face* a, const face* b)
{
    return a->count == b->count && a->shade == b->shade && a->color.r == b->color.r &&
           a->color.g == b->color.g && a->color.b == b->color.b;
}

// None hides another, so those of one colour are drawn together: far fewer things, and smaller files.
static bool draw_faces(const ss_scene* s, ss_plot* plot)
{
    ss_point* points = ss_new((size_t)s->face_count * MOST_CORNERS, sizeof *points);
    face* faces = ss_new((size_t)s->face_count, sizeof *faces);
    bool drawn = points && faces;
    if (drawn && s->face_count > 0) {
        memcpy(faces, s->faces, (size_t)s->face_count * sizeof *faces);
        qsort(faces, (size_t)s->face_count, sizeof *faces, compare_faces);
    }
    for (int from = 0, to; from < s->face_count && drawn; from = to) {
        int corners = faces[from].count, count = 0;
        for (to = from; to < s->face_count && alike(&faces[from], &faces[to]); to++)
            for (int j = 0; j < corners; j++) points[count++] = faces[to].corners[j].at;
        const ss_pen pen = {.color = faces[from].color, .width = 0.6}; // closes the seams
        ss_plot_polygons(plot, points, corners, to - from, faces[from].color, &pen);
    }
    free(points);
    free(faces);
    return drawn;
}

bool ss_scene_draw(const ss_scene* s, ss_plot* plot)
{
    ss_box box = ss_scene_bounds(s);
    double by = nearer * fmax(box.width, box.height);
    bool drawn = !s->failed && draw_faces(s, plot);
    for (int k = 0; k < s->item_count && drawn; k++) {
        const item* i = &s->items[k];
        if (i->kind == LINE) drawn = draw_line(s, plot, i, by);
        if (i->kind == DOT) draw_dot(s, plot, i, by);
        if (i->kind == TEXT &&
            !((i->beside.x != 0 || i->beside.y != 0) && is_hidden(s, s->spots[i->first], by)))
            ss_plot_text(plot, s->spots[i->first].at, i->text, SS_ANCHOR_MIDDLE, i->beside);
    }
    return drawn;
}
