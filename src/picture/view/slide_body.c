// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/view/slide_body.h"

#include "core/error.h"
#include "slider/slider_impl.h"

#include <math.h>
#include <stdlib.h>

enum { ROUND = 48, MOST_ARMS = 12 };

static const double nose_length = 0.35; // by the radius of gyration

// A point of the body frame (in units of the paper) on the floor, m.
static ss_point on_floor(const ss_slider* slider, const ss_slider_state* s, double x, double y)
{
    double l = slider->unit_length, c = cos(s->angle), n = sin(s->angle);
    return (ss_point){s->x + l * (c * x - n * y), s->y + l * (n * x + c * y)};
}

// Corners of an element's outline; 0 for what is only a point.
static int corner_count(const ss_element* e)
{
    return e->vertices ? e->vertex_count : e->radius > 0 ? ROUND : 0;
}

static ss_point corner(const ss_slider* slider, const ss_slider_state* s, const ss_element* e, int k)
{
    double a = 2 * acos(-1) * k / ROUND;
    if (e->vertices) return on_floor(slider, s, e->x + e->vertices[2 * k], e->y + e->vertices[2 * k + 1]);
    return on_floor(slider, s, e->x + e->radius * cos(a), e->y + e->radius * sin(a));
}

static void add(ss_point p, ss_span* x, ss_span* y)
{
    ss_span_add(x, p.x);
    ss_span_add(y, p.y);
}

void ss_body_widen(const ss_slider* slider, const ss_slider_state* state, ss_span* x, ss_span* y)
{
    add(on_floor(slider, state, nose_length, 0), x, y);
    for (int k = 0; k < slider->element_count; k++) {
        const ss_element* e = &slider->elements[k];
        if (corner_count(e) == 0) add(on_floor(slider, state, e->x, e->y), x, y);
        for (int j = 0; j < corner_count(e); j++) add(corner(slider, state, e, j), x, y);
    }
}

// ---- the polygon round many points

static int compare(const void* a, const void* b)
{
    const ss_point *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

static double turn(ss_point a, ss_point b, ss_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Andrew's chain: below from left to right, then above and back. hull has room for 2 count points.
static int find_hull(ss_point points[], int count, ss_point hull[])
{
    int n = 0;
    qsort(points, (size_t)count, sizeof *points, compare);
    for (int k = 0; k < count; k++) {
        while (n > 1 && turn(hull[n - 2], hull[n - 1], points[k]) <= 0) n--;
        hull[n++] = points[k];
    }
    int below = n + 1;
    for (int k = count - 2; k >= 0; k--) {
        while (n >= below && turn(hull[n - 2], hull[n - 1], points[k]) <= 0) n--;
        hull[n++] = points[k];
    }
    return n;
}

// ---- drawing

static void draw_outlines(ss_plot* plot, const ss_slider* slider, const ss_slider_state* s, const ss_pen* pen,
                          ss_point room[])
{
    for (int k = 0; k < slider->element_count; k++) {
        const ss_element* e = &slider->elements[k];
        int count = corner_count(e);
        for (int j = 0; j < count; j++) room[j] = corner(slider, s, e, j);
        if (count > 0) ss_plot_line(plot, room, count, true, pen, NULL);
    }
}

static void draw_feet(ss_plot* plot, const ss_slider* slider, const ss_slider_state* s, const ss_pen* pen,
                      ss_point room[])
{
    int feet = 0;
    for (int k = 0; k < slider->element_count; k++)
        if (corner_count(&slider->elements[k]) == 0)
            room[feet++] = on_floor(slider, s, slider->elements[k].x, slider->elements[k].y);
    for (int k = 0; k < feet && feet <= MOST_ARMS; k++) {
        const ss_point arm[2] = {{s->x, s->y}, room[k]};
        ss_plot_line(plot, arm, 2, false, pen, NULL);
    }
    if (feet <= MOST_ARMS) ss_plot_dots(plot, room, feet, 2.2, pen->color, NULL);
    if (feet > MOST_ARMS) {
        int corners = find_hull(room, feet, room + feet);
        ss_plot_line(plot, room + feet, corners, true, pen, NULL);
    }
}

bool ss_body_draw(ss_plot* plot, const ss_slider* slider, const ss_slider_state* state, ss_color color)
{
    int most = 3 * slider->element_count + ROUND;
    for (int k = 0; k < slider->element_count; k++) most += corner_count(&slider->elements[k]);
    ss_point* room = ss_new((size_t)most, sizeof *room);
    if (!room) return false;
    const ss_pen pen = {.color = color, .width = 1.1}, thin = {.color = color, .width = 0.7};
    draw_outlines(plot, slider, state, &pen, room);
    draw_feet(plot, slider, state, &pen, room);
    const ss_point nose[2] = {{state->x, state->y}, on_floor(slider, state, nose_length, 0)};
    ss_plot_line(plot, nose, 2, false, &thin, NULL); // tells how it has turned
    free(room);
    return true;
}
