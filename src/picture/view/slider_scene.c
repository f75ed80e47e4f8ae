// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/view/slider_scene.h"

#include "core/number_length.h"
#include "core/watch_part.h"
#include "share/slider_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CIRCLE = 96 };

static const ss_view from_here = {.azimuth = 38, .elevation = 24};

ss_status ss_slider_scene_begin(ss_slider_scene* scene, const ss_slider_picture* picture, ss_error* err)
{
    scene->picture = picture;
    scene->theme = picture->of.sheet.theme ? picture->of.sheet.theme : &ss_theme_print;
    scene->scene = ss_scene_create(from_here);
    return scene->scene ? SS_OK : ss_fail_no_memory(err);
}

// ---- eigen-directions

static ss_color stability_color(const ss_theme* theme, ss_stability stability)
{
    return theme->series[stability == SS_STABLE ? 2 : stability == SS_UNSTABLE ? 1 : 3];
}

// A dot, and for a load a stroke that shows its direction.
static void add_direction(const ss_slider_scene* s, const ss_eigen_direction* d)
{
    double size = s->of_loads ? d->magnitude : 1.0;
    ss_scene_mark mark = {.color = stability_color(s->theme, d->stability), .radius = 3.2};
    double at[3], tip[3];
    for (int i = 0; i < 3; i++) {
        at[i] = size * d->q[i];
        tip[i] = (size + 0.3 * s->reach) * d->q[i];
    }
    if (s->of_loads) ss_scene_stroke(s->scene, at, tip, &(ss_pen){.color = mark.color, .width = 1.6});
    ss_scene_dot(s->scene, at, &mark);
}

// A circle of eigen-directions: q turned about its axis. Their loads need not be of one size, but these are.
static void add_circle(const ss_slider_scene* s, const ss_eigen_direction* d)
{
    double size = s->of_loads ? d->magnitude : 1.0, along = 0.0, points[CIRCLE + 1][3];
    const double side[3] = {d->axis[1] * d->q[2] - d->axis[2] * d->q[1],
                            d->axis[2] * d->q[0] - d->axis[0] * d->q[2],
                            d->axis[0] * d->q[1] - d->axis[1] * d->q[0]};
    for (int i = 0; i < 3; i++) along += d->axis[i] * d->q[i];
    for (int k = 0; k <= CIRCLE; k++) {
        double a = 2.0 * acos(-1) * (k % CIRCLE) / CIRCLE;
        for (int i = 0; i < 3; i++)
            points[k][i] =
                size * (along * d->axis[i] + cos(a) * (d->q[i] - along * d->axis[i]) + sin(a) * side[i]);
    }
    ss_scene_line(s->scene, (const double(*)[3])points, CIRCLE + 1,
                  &(ss_pen){.color = stability_color(s->theme, d->stability), .width = 2.0}, NULL);
}

static ss_status add_eigen(ss_slider_scene* s, ss_error* err)
{
    ss_eigen_set set;
    ss_watch_part part = {s->picture->of.watch, 0.5, 1.0}; // what was drawn before is the first half
    ss_watch watch = ss_watch_of(&part);
    ss_status status = ss_slider_eigen(s->picture->of.slider, s->picture->of.angle_rad, &watch, &set, err);
    if (status != SS_OK) return status;
    for (int k = 0; k < set.count; k++) {
        (set.items[k].is_circle ? add_circle : add_direction)(s, &set.items[k]);
        s->seen[set.items[k].stability] = true;
    }
    ss_eigen_set_free(&set);
    return SS_OK;
}

// ---- axes

// From 0 outwards, with round numbers where the body does not hide them.
static void add_axes(const ss_slider_scene* s)
{
    double length = 1.35 * s->reach;
    ss_ticks ticks = ss_ticks_choose(0, 0.9 * length, 3);
    const ss_pen pen = {.color = s->theme->ink, .width = 0.9};
    for (int i = 0; i < 3; i++) {
        double zero[3] = {0}, end[3] = {0}, name[3] = {0};
        end[i] = length;
        name[i] = 1.1 * length;
        name[2] -= i < 2 ? 0.04 * length : 0;
        ss_scene_stroke(s->scene, zero, end, &pen);
        ss_scene_text(s->scene, name, s->names[i], (ss_point){0, 0});
        for (int k = 1; k < ticks.count && s->of_loads; k++) {
            double at[3] = {0};
            char text[40];
            at[i] = ticks.first + k * ticks.step;
            ss_scene_dot(s->scene, at, &(ss_scene_mark){.color = s->theme->ink, .radius = 1.2});
            ss_scene_text(s->scene, at, ss_ticks_label(&ticks, k, text, sizeof text),
                          i == 2 ? (ss_point){-11, 0} : (ss_point){0, -9});
        }
    }
}

// ---- ways of motions

static ss_pen way_pen(const ss_theme* theme, int sketch)
{
    static const int order[] = {6, 4, 0, 5, 3}; // not the colours of eigen-directions first
    return (ss_pen){.color = theme->series[order[sketch % 5]], .width = 1.9};
}

static const double* place_of(const ss_slider_scene* s, const ss_slide_moment* m)
{
    return s->of_loads ? m->p : m->q;
}

// The pieces of the way on which it moves, through the body where it hides them.
static bool add_way(const ss_slider_scene* s, const ss_slide_sketch* sketch, const ss_pen* pen)
{
    double(*points)[3] = ss_new((size_t)sketch->count, sizeof *points);
    if (!points) return false;
    ss_pen hidden = {.color = pen->color, .width = 0.7, .dash = 2.5, .pause = 2};
    const ss_slide_moment *first = NULL, *last = NULL;
    for (int k = 0, count = 0; k <= sketch->count; k++) {
        bool moves = k < sketch->count && sketch->at[k].moves;
        if (!moves && count > 1) ss_scene_line(s->scene, (const double(*)[3])points, count, pen, &hidden);
        if (!moves) {
            count = 0;
            continue;
        }
        last = &sketch->at[k];
        if (!first) first = last;
        memcpy(points[count++], place_of(s, last), sizeof *points);
    }
    ss_scene_mark start = {.color = pen->color, .radius = 2.8, .hollow = true, .shows_through = true},
                  end = {.color = pen->color, .radius = 3.4, .shows_through = true};
    if (first) ss_scene_dot(s->scene, place_of(s, first), &start);
    if (first) ss_scene_dot(s->scene, place_of(s, last), &end);
    free(points);
    return true;
}

static bool add_ways(const ss_slider_scene* s)
{
    bool added = true;
    for (int k = 0; k < s->picture->sketch_count && added; k++) {
        ss_pen pen = way_pen(s->theme, k);
        added = add_way(s, &s->picture->sketches[k], &pen);
    }
    return added;
}

static bool any_moves(const ss_slider_picture* picture)
{
    for (int c = 0; c < picture->sketch_count; c++)
        for (int k = 0; k < picture->sketches[c].count; k++)
            if (picture->sketches[c].at[k].moves) return true;
    return false;
}

// ---- the figure

static void name_ways(const ss_slider_scene* s, ss_plot* plot)
{
    const ss_slider_picture* picture = s->picture;
    if (picture->sketch_count == 0) return;
    if (!any_moves(picture)) {
        ss_plot_note(plot, "the slider does not move");
        return;
    }
    for (int k = 0; k < picture->sketch_count; k++) {
        ss_pen pen = way_pen(s->theme, k);
        char name[80];
        ss_slide_sketch_name(&picture->sketches[k], name, sizeof name);
        ss_plot_line(plot, NULL, 0, false, &pen,
                     picture->sketch_count > 1 ? name
                     : s->of_loads             ? "path of the load P"
                                               : "path of the motion");
    }
    ss_plot_rings(plot, NULL, 0, 0, s->theme->ink, "start");
    ss_plot_dots(plot, NULL, 0, 0, s->theme->ink, "end");
}

static void name_all(const ss_slider_scene* s, ss_plot* plot)
{
    static const char* const names[] = {"stable eigen-direction", "unstable eigen-direction",
                                        "neutral eigen-direction"};
    for (int k = 0; k < 3; k++)
        if (s->seen[k]) ss_plot_dots(plot, NULL, 0, 0, stability_color(s->theme, (ss_stability)k), names[k]);
    name_ways(s, plot);
}

static ss_status draw(const ss_slider_scene* s, const char* what, ss_error* err)
{
    const ss_slider* slider = s->picture->of.slider;
    ss_box box = ss_scene_bounds(s->scene);
    char title[300], at[40] = "";
    if (ss_slider_floor_is_anisotropic(slider))
        ss_format(at, sizeof at, " at %.3g rad", s->picture->of.angle_rad);
    snprintf(title, sizeof title, "%.220s: %s%s", ss_slider_title(slider), what, at);
    ss_figure_def def = {.sheet = s->picture->of.sheet, .title = title, .height = 400};
    def.width = 180 + fmin(fmax(360 * box.width / box.height, 240), 480);
    ss_plot_axis x = {NULL, box.x, box.x + box.width}, y = {NULL, box.y, box.y + box.height};
    ss_figure* figure;
    ss_status status = ss_figure_create(&def, &figure, err);
    if (status != SS_OK) return status;
    ss_plot* plot = ss_figure_plot(figure, &x, &y, true);
    if (!ss_scene_draw(s->scene, plot)) status = ss_fail_no_memory(err);
    name_all(s, plot);
    if (status == SS_OK) status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    return status;
}

ss_status ss_slider_scene_finish(ss_slider_scene* scene, const char* what, ss_error* err)
{
    ss_status status = add_eigen(scene, err);
    add_axes(scene);
    if (status == SS_OK && !add_ways(scene)) status = ss_fail_no_memory(err);
    if (status == SS_OK) status = draw(scene, what, err);
    ss_scene_destroy(scene->scene);
    scene->scene = NULL;
    return status;
}
