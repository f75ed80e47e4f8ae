// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sections of limit surfaces.
#include "core/tolerance.h"
#include "core/watch_part.h"
#include "picture/canvas/label.h"
#include "picture/figure/figure.h"
#include "share/slider_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 720, KINDS = 3 };

static const char* const load_names[] = {"Fx/mg", "Fy/mg", "M/mg\xCF\x81"};

// ---- curves ----

// The unit of a load in SI.
static double unit_of(const ss_slider* slider, int load)
{
    double weight = ss_slider_mass(slider) * ss_slider_gravity(slider);
    return load == 2 ? weight * ss_slider_gyration(slider) : weight;
}

// The section of one slider, POINTS of them.
static ss_status find_curve(const ss_section_picture* picture, int k, ss_point out[], ss_error* err)
{
    const ss_slider* slider = picture->sliders[k];
    double a[3] = {0}, b[3] = {0}, points[3 * POINTS];
    double across = unit_of(slider, picture->across), up = unit_of(slider, picture->up);
    a[picture->across] = across;
    b[picture->up] = up;
    ss_watch_part part = {picture->watch, 0.5 * k / picture->count, 0.5 * (k + 1) / picture->count};
    ss_watch watch = ss_watch_of(&part);
    ss_status status = ss_slider_section(slider, picture->angle_rad, a, b, POINTS, &watch, points, err);
    for (int n = 0; n < POINTS && status == SS_OK; n++)
        out[n] = (ss_point){points[3 * n + picture->across] / across, points[3 * n + picture->up] / up};
    return status;
}

static double reach_of(const ss_point points[], size_t count)
{
    double reach = 0;
    for (size_t k = 0; k < count; k++) {
        double farthest = fmax(fabs(points[k].x), fabs(points[k].y));
        if (isfinite(farthest)) reach = fmax(reach, farthest);
    }
    return reach > 0 ? reach : 1;
}

// ---- eigen-directions ----

typedef struct marks {
    ss_plot* plot;
    const ss_section_picture* picture;
    double reach;
    bool seen[KINDS]; // which stability is in the legend already
} marks;

// An eigen-direction of the plane: a dot at its load, and its motion, which is normal to the curve there.
static void mark(marks* m, const ss_eigen_direction* e, const double q[3])
{
    static const char* const names[KINDS] = {"stable eigen-direction", "unstable eigen-direction",
                                             "neutral eigen-direction"};
    const ss_theme* theme = ss_plot_theme(m->plot);
    const ss_color colors[KINDS] = {theme->series[2], theme->series[1], theme->ink};
    double x = q[m->picture->across], y = q[m->picture->up], length = 0.16 * m->reach;
    ss_point load = {e->magnitude * x, e->magnitude * y};
    const ss_point line[2] = {load, {load.x + length * x, load.y + length * y}};
    ss_pen pen = {.color = colors[e->stability], .width = 1.6};
    ss_plot_line(m->plot, line, 2, false, &pen, NULL);
    ss_plot_dots(m->plot, &load, 1, 3, pen.color, m->seen[e->stability] ? NULL : names[e->stability]);
    m->seen[e->stability] = true;
}

// q turned about the axis by an angle.
static void turn(const ss_eigen_direction* e, double angle, double out[3])
{
    const double *a = e->axis, *q = e->q;
    double along = a[0] * q[0] + a[1] * q[1] + a[2] * q[2], c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = c * q[i] + s * (a[j] * q[k] - a[k] * q[j]) + (1 - c) * along * a[i];
    }
}

// A circle of them meets the plane where its normal component, base + reach cos(angle - phase), vanishes.
static void mark_circle(marks* m, const ss_eigen_direction* e)
{
    int normal = 3 - m->picture->across - m->picture->up;
    double at[3][3];
    for (int k = 0; k < 3; k++) turn(e, k * acos(0), at[k]);
    double base = 0.5 * (at[0][normal] + at[2][normal]);
    double cosine = at[0][normal] - base, sine = at[1][normal] - base, reach = hypot(cosine, sine);
    if (reach < SS_SAME || fabs(base) > reach) return; // it lies in the plane, or misses it
    double phase = atan2(sine, cosine), half = acos(-base / reach);
    for (int side = -1; side <= 1; side += 2) {
        double q[3];
        turn(e, phase + side * half, q);
        mark(m, e, q);
    }
}

static ss_status mark_all(marks* m, int slider, ss_error* err)
{
    const ss_section_picture* picture = m->picture;
    int normal = 3 - m->picture->across - m->picture->up;
    ss_eigen_set set;
    ss_watch_part part = {picture->watch, 0.5 + 0.5 * slider / picture->count,
                          0.5 + 0.5 * (slider + 1) / picture->count};
    ss_watch watch = ss_watch_of(&part);
    ss_status status = ss_slider_eigen(picture->sliders[slider], picture->angle_rad, &watch, &set, err);
    if (status != SS_OK) return status;
    for (int k = 0; k < set.count; k++) {
        const ss_eigen_direction* e = &set.items[k];
        if (e->is_circle)
            mark_circle(m, e);
        else if (fabs(e->q[normal]) < SS_SAME)
            mark(m, e, e->q);
    }
    ss_eigen_set_free(&set);
    return SS_OK;
}

// ---- the picture ----

static ss_status draw(ss_figure* figure, const ss_section_picture* picture, const ss_point curves[],
                      ss_error* err)
{
    double reach = reach_of(curves, (size_t)picture->count * POINTS);
    ss_plot_axis x = ss_axis_around(load_names[picture->across], -1.18 * reach, 1.18 * reach),
                 y = ss_axis_around(load_names[picture->up], -1.18 * reach, 1.18 * reach);
    ss_plot* plot = ss_figure_plot(figure, &x, &y, true);
    const ss_theme* theme = ss_plot_theme(plot);
    const ss_pen faint = {.color = theme->faint, .width = 0.8};
    ss_plot_line(plot, (ss_point[]){{x.from, 0}, {x.to, 0}}, 2, false, &faint, NULL);
    ss_plot_line(plot, (ss_point[]){{0, y.from}, {0, y.to}}, 2, false, &faint, NULL);
    for (int k = 0; k < picture->count; k++) {
        const ss_color* color = k == 0 ? &theme->ink : &theme->series[(k + 2) % SS_THEME_SERIES];
        char changes[80];
        const char* label =
            k == 0 ? "as the model is" : ss_label_changes(picture->labels[k], changes, sizeof changes);
        ss_plot_line(plot, curves + (size_t)k * POINTS, POINTS, true,
                     &(ss_pen){.color = *color, .width = 1.4}, picture->count > 1 ? label : NULL);
    }
    marks m = {.plot = plot, .picture = picture, .reach = reach};
    ss_status status = SS_OK;
    for (int k = 0; k < picture->count && status == SS_OK; k++) status = mark_all(&m, k, err);
    return status == SS_OK ? ss_figure_finish(figure, err) : status;
}

ss_status ss_picture_section(const ss_section_picture* picture, ss_error* err)
{
    char title[300];
    snprintf(title, sizeof title, "%.200s: section of the limit surface",
             ss_slider_title(picture->sliders[0]));
    ss_figure_def def = {.sheet = picture->sheet, .title = title, .width = 540, .height = 380};
    ss_figure* figure = NULL;
    ss_point* curves = ss_new((size_t)picture->count * POINTS, sizeof *curves);
    ss_status status = curves ? ss_figure_create(&def, &figure, err) : ss_fail_no_memory(err);
    for (int k = 0; k < picture->count && status == SS_OK; k++)
        status = find_curve(picture, k, curves + (size_t)k * POINTS, err);
    if (status == SS_OK) status = draw(figure, picture, curves, err);
    ss_figure_destroy(figure);
    free(curves);
    return status;
}
