// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A branch: amplitude, or place of a steady state, over the number that varies; stable parts solid, unstable
// ones dashed, special points as rings with their names.
#include "core/error.h"
#include "picture/figure/figure.h"
#include "share/model_parts.h"
#include "slipstick/follow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct drawing {
    const ss_solution_branch* branch;
    ss_figure* figure;
    int body;
    bool speed; // of a steady state that advances: its speed, since its place is anybody's
    ss_point* points;
    struct box* taken; // one per special point
} drawing;

static double shown(const drawing* d, const ss_solution_branch_point* point)
{
    if (!ss_solution_branch_is_steady(d->branch)) return point->amplitude[d->body];
    return d->speed ? point->v[d->body] : point->x[d->body];
}

// Whether the body, or some body, moves steadily somewhere on the branch.
static bool advances(const ss_solution_branch* branch, int body)
{
    for (long k = 0; k < ss_solution_branch_count(branch) && ss_solution_branch_is_steady(branch); k++)
        if (ss_solution_branch_get(branch, k).v[body] != 0.0) return true;
    return false;
}

static ss_point at(const drawing* d, const ss_solution_branch_point* point)
{
    return (ss_point){point->value, shown(d, point)};
}

static void end_line(const drawing* d, ss_plot* plot, int used, bool stable, const char* name)
{
    const ss_theme* theme = ss_plot_theme(plot);
    ss_pen pen = {.color = theme->series[0], .width = 1.4, .dash = stable ? 0.0 : 4.0, .pause = 3.0};
    if (used > 1) ss_plot_line(plot, d->points, used, false, &pen, name);
}

// One line after the other, each as long as stability stays; it changes at the first special point between
// two points that differ.
static void draw_lines(const drawing* d, ss_plot* plot, bool names)
{
    int used = 0, special = 0, specials = ss_solution_branch_special_count(d->branch);
    bool stable = ss_solution_branch_get(d->branch, 0).stable, told[2] = {!names, !names};
    for (long k = 0; k < ss_solution_branch_count(d->branch); k++) {
        ss_solution_branch_point point = ss_solution_branch_get(d->branch, k);
        for (; special < specials && ss_solution_branch_get_special(d->branch, special).after < k;
             special++) {
            ss_solution_branch_special where = ss_solution_branch_get_special(d->branch, special);
            ss_point place = at(d, &where.at);
            d->points[used++] = place;
            if (point.stable == stable) continue;
            end_line(d, plot, used, stable, told[stable] ? NULL : stable ? "stable" : "unstable");
            told[stable] = true;
            stable = point.stable;
            d->points[0] = place;
            used = 1;
        }
        d->points[used++] = at(d, &point);
        if (point.stable == stable) continue;
        end_line(d, plot, used, stable, told[stable] ? NULL : stable ? "stable" : "unstable");
        told[stable] = true;
        stable = point.stable;
        d->points[0] = at(d, &point);
        used = 1;
    }
    end_line(d, plot, used, stable, told[stable] ? NULL : stable ? "stable" : "unstable");
}

// ---- names of special points

// About how large the axes are, in points; where exactly is known only when all is drawn.
static const double axes_width = 366.0, axes_height = 262.0;
static const double letter_width = 5.6, letter_height = 11.0;

typedef struct box {
    double left, right, low, high; // points, from the lower left corner of the axes
} box;

typedef struct names {
    const ss_plot_axis *x, *y;
    box* taken; // one per special point, as far as they are placed
    int count;
} names;

static ss_point on_axes(const names* n, ss_point place)
{
    return (ss_point){(place.x - n->x->from) / (n->x->to - n->x->from) * axes_width,
                      (place.y - n->y->from) / (n->y->to - n->y->from) * axes_height};
}

static bool overlaps(const box* a, const box* b)
{
    return a->left < b->right && b->left < a->right && a->low < b->high && b->low < a->high;
}

// How long the branch runs through a box, in points, about.
static double run_through(const drawing* d, const names* n, const box* where)
{
    const double dot = 2.0;
    double sum = 0.0;
    for (long k = 0; k + 1 < ss_solution_branch_count(d->branch); k++) {
        ss_solution_branch_point one = ss_solution_branch_get(d->branch, k),
                                 other = ss_solution_branch_get(d->branch, k + 1);
        ss_point from = on_axes(n, at(d, &one)), to = on_axes(n, at(d, &other));
        int dots = (int)fmin(ceil(hypot(to.x - from.x, to.y - from.y) / dot), 1000.0);
        for (int j = 0; j < dots; j++) {
            double share = (double)j / dots, x = from.x + share * (to.x - from.x),
                   y = from.y + share * (to.y - from.y);
            if (x > where->left && x < where->right && y > where->low && y < where->high) sum += dot;
        }
    }
    return sum;
}

static box box_of(ss_point ring, double width, ss_anchor anchor, ss_point beside)
{
    double left = ring.x + beside.x -
                  (anchor == SS_ANCHOR_END      ? width
                   : anchor == SS_ANCHOR_MIDDLE ? 0.5 * width
                                                : 0.0);
    double middle = ring.y + beside.y;
    return (box){left, left + width, middle - 0.5 * letter_height, middle + 0.5 * letter_height};
}

// A name stands beside its ring where it hides least: neither the branch nor other names, within the axes.
static void place_name(const drawing* d, ss_plot* plot, names* n, ss_point place, const char* name)
{
    static const struct {
        ss_anchor anchor;
        ss_point beside;
    } sides[] = {
        {SS_ANCHOR_START, {6.0, 5.0}},   {SS_ANCHOR_END, {-6.0, 5.0}},     {SS_ANCHOR_START, {6.0, 9.0}},
        {SS_ANCHOR_END, {-6.0, 9.0}},    {SS_ANCHOR_START, {6.0, -9.0}},   {SS_ANCHOR_END, {-6.0, -9.0}},
        {SS_ANCHOR_MIDDLE, {0.0, 13.0}}, {SS_ANCHOR_MIDDLE, {0.0, -13.0}}, {SS_ANCHOR_MIDDLE, {0.0, 24.0}}};
    ss_point ring = on_axes(n, place);
    double width = letter_width * (double)strlen(name), least = INFINITY;
    size_t best = 0;
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        box own = box_of(ring, width, sides[k].anchor, sides[k].beside);
        bool outside = own.left < 0.0 || own.right > axes_width || own.low < 0.0 || own.high > axes_height;
        double hidden = run_through(d, n, &own) + (outside ? 1e4 : 0.0);
        for (int j = 0; j < n->count; j++) hidden += overlaps(&own, &n->taken[j]) ? 1e3 : 0.0;
        if (hidden >= least) continue;
        least = hidden;
        best = k;
    }
    n->taken[n->count++] = box_of(ring, width, sides[best].anchor, sides[best].beside);
    ss_plot_text(plot, place, name, sides[best].anchor, sides[best].beside);
}

// Rings, and their names; what happens twice in one place is named once.
static void draw_specials(const drawing* d, ss_plot* plot, const ss_plot_axis* x, const ss_plot_axis* y)
{
    const double same = 4.0; // points
    const ss_theme* theme = ss_plot_theme(plot);
    names n = {.x = x, .y = y, .taken = d->taken};
    for (int k = 0; k < ss_solution_branch_special_count(d->branch); k++) {
        ss_solution_branch_special special = ss_solution_branch_get_special(d->branch, k);
        ss_point place = at(d, &special.at), here = on_axes(&n, place);
        bool named = false;
        ss_plot_rings(plot, &place, 1, 3.0, theme->series[1 % SS_THEME_SERIES], NULL);
        for (int j = 0; j < k && !named; j++) {
            ss_solution_branch_special before = ss_solution_branch_get_special(d->branch, j);
            ss_point there = on_axes(&n, at(d, &before.at));
            named = before.kind == special.kind && hypot(here.x - there.x, here.y - there.y) < same;
        }
        if (!named) place_name(d, plot, &n, place, ss_special_name(special.kind));
    }
}

static void range_of(const drawing* d, bool across, double* low, double* high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (long k = 0; k < ss_solution_branch_count(d->branch); k++) {
        ss_solution_branch_point point = ss_solution_branch_get(d->branch, k);
        double value = across ? point.value : shown(d, &point);
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
    for (int k = 0; k < ss_solution_branch_special_count(d->branch); k++) {
        ss_solution_branch_special special = ss_solution_branch_get_special(d->branch, k);
        double value = across ? special.at.value : shown(d, &special.at);
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

static void draw_body(drawing* d, bool first, bool last)
{
    const ss_model* model = ss_solution_branch_model(d->branch);
    bool angular = ss_model_body_is_angular(model, d->body);
    char label[160], across[200], unit[64];
    double low, high;
    ss_solution_branch_unit(d->branch, unit, sizeof unit);
    d->speed = advances(d->branch, d->body);
    snprintf(across, sizeof across, unit[0] ? "%.100s (%.60s)" : "%.100s", ss_solution_branch_path(d->branch),
             unit);
    char name[300];
    ss_model_coordinate_name(model, d->body, d->speed, name, sizeof name);
    snprintf(label, sizeof label, "%s%.64s (%s)",
             ss_solution_branch_is_steady(d->branch) ? "" : "amplitude of ", name,
             angular    ? d->speed ? "rad/s" : "rad"
             : d->speed ? "m/s"
                        : "m");
    range_of(d, true, &low, &high);
    ss_plot_axis x = ss_axis_around(last ? across : NULL, low, high);
    range_of(d, false, &low, &high);
    ss_plot_axis y =
        ss_axis_around(label, ss_solution_branch_is_steady(d->branch) ? low : fmin(low, 0.0), high);
    ss_plot* plot = ss_figure_plot(d->figure, &x, &y, false);
    if (!plot) return;
    draw_lines(d, plot, first);
    draw_specials(d, plot, &x, &y);
}

ss_status ss_picture_solution_branch(const ss_solution_branch* branch, const ss_sheet* sheet, ss_error* err)
{
    const ss_model* model = ss_solution_branch_model(branch);
    int bodies = ss_model_body_count(model), plots = 0, drawn = 0;
    for (int b = 0; b < bodies; b++) plots += !ss_model_body_is_driven(model, b);
    drawing d = {.branch = branch,
                 .points = ss_new((size_t)ss_solution_branch_count(branch) +
                                      (size_t)ss_solution_branch_special_count(branch) + 2,
                                  sizeof(ss_point))};
    d.taken = ss_new((size_t)ss_solution_branch_special_count(branch) + 1, sizeof(box));
    if (!d.points || !d.taken) {
        free(d.points);
        free(d.taken);
        return ss_fail_no_memory(err);
    }
    ss_figure_def def = {.sheet = *sheet,
                         .title = ss_model_title(model),
                         .width = 480,
                         .height = 120 + 240 * plots,
                         .plots = plots};
    ss_status status = ss_figure_create(&def, &d.figure, err);
    for (d.body = 0; d.body < bodies && status == SS_OK; d.body++) {
        if (ss_model_body_is_driven(model, d.body)) continue;
        draw_body(&d, drawn == 0, drawn + 1 == plots);
        drawn++;
    }
    if (status == SS_OK) status = ss_figure_finish(d.figure, err);
    ss_figure_destroy(d.figure);
    free(d.points);
    free(d.taken);
    return status;
}
