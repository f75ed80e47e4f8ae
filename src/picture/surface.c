// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/surface.h"

#include "core/error.h"
#include "picture/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FINENESS = 22, FLOW_ROWS = 22, FLOW_STEPS = 5, CIRCLE = 72, PIECES = 40 };

static const ss_view from_here = {.azimuth = 38, .elevation = 24};

static const ss_color surface_tint = {0.80, 0.86, 0.93, 1}, sphere_tint = {0.93, 0.92, 0.88, 1};

static double norm(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

// ---- what both have

// Colours of stable, unstable and neutral directions.
static ss_color stability_color(const ss_theme* theme, ss_stability stability)
{
    return theme->series[stability == SS_STABLE ? 2 : stability == SS_UNSTABLE ? 1 : 3];
}

// One dot per direction, pushed out a little; a circle of them as a line.
static void add_direction(ss_scene* scene, const ss_theme* theme, const ss_eigen_direction* d, bool as_load)
{
    double size = as_load ? d->magnitude : 1.0;
    ss_color color = stability_color(theme, d->stability);
    double at[3], tip[3];
    for (int i = 0; i < 3; i++) {
        at[i] = size * d->q[i];
        tip[i] = (size + 0.35) * d->q[i];
    }
    if (as_load && !d->is_circle)
        ss_scene_stroke(scene, at, tip, 0.1, &(ss_pen){.color = color, .width = 1.6});
    ss_scene_dot(scene, at, 0.15, 3.4, color);
}

// A circle of eigen-directions: q turned about its axis; of loads only where they are all of one size.
static void add_circle(ss_scene* scene, const ss_theme* theme, const ss_eigen_direction* d, bool as_load)
{
    double size = as_load ? d->magnitude : 1.0, before[3] = {0}, along = 0.0;
    ss_pen pen = {.color = stability_color(theme, d->stability), .width = 2.2};
    for (int i = 0; i < 3; i++) along += d->axis[i] * d->q[i];
    for (int k = 0; k <= CIRCLE; k++) {
        double a = 2.0 * acos(-1) * k / CIRCLE, now[3];
        const double side[3] = {d->axis[1] * d->q[2] - d->axis[2] * d->q[1],
                                d->axis[2] * d->q[0] - d->axis[0] * d->q[2],
                                d->axis[0] * d->q[1] - d->axis[1] * d->q[0]};
        for (int i = 0; i < 3; i++)
            now[i] = size * (along * d->axis[i] + cos(a) * (d->q[i] - along * d->axis[i]) + sin(a) * side[i]);
        if (k > 0) ss_scene_stroke(scene, before, now, 0.1, &pen);
        memcpy(before, now, sizeof now);
    }
}

static ss_status add_eigen(ss_scene* scene, const ss_theme* theme, const ss_slider* slider, double angle,
                           bool as_load, bool seen[3], ss_error* err)
{
    ss_eigen_set set;
    ss_status status = ss_slider_eigen(slider, angle, &set, err);
    if (status != SS_OK) return status;
    for (int k = 0; k < set.count; k++) {
        (set.items[k].is_circle ? add_circle : add_direction)(scene, theme, &set.items[k], as_load);
        seen[set.items[k].stability] = true;
    }
    ss_eigen_set_free(&set);
    return SS_OK;
}

static void add_axes(ss_scene* scene, const ss_theme* theme, double reach, const char* const names[3])
{
    for (int i = 0; i < 3; i++) {
        double from[3] = {0}, to[3] = {0}, name[3] = {0};
        for (int k = 0; k < PIECES; k++) { // in pieces, of which the body hides those inside
            from[i] = reach * k / PIECES;
            to[i] = reach * (k + 1) / PIECES;
            ss_scene_stroke(scene, from, to, 0.0, &(ss_pen){.color = theme->ink, .width = 0.9});
        }
        name[i] = 1.1 * reach;
        ss_scene_text(scene, name, names[i]);
    }
}

// A plot without scales round the scene, and its legend.
static ss_status finish(ss_scene* scene, const ss_sheet* sheet, const char* title, const bool seen[3],
                        ss_error* err)
{
    static const char* const names[] = {"stable eigen-direction", "unstable", "neutral"};
    ss_box box = ss_scene_bounds(scene);
    ss_figure_def def = {.sheet = *sheet, .title = title, .width = 600, .height = 420, .legend = true};
    ss_plot_axis x = {NULL, box.x, box.x + box.width}, y = {NULL, box.y, box.y + box.height};
    ss_figure* figure;
    ss_status status = ss_figure_create(&def, &figure, err);
    if (status != SS_OK) return status;
    ss_plot* plot = ss_figure_plot(figure, &x, &y, true);
    bool drawn = ss_scene_draw(scene, plot);
    for (int k = 0; k < 3; k++)
        if (seen[k]) ss_plot_legend(plot, stability_color(ss_plot_theme(plot), (ss_stability)k), names[k]);
    status = drawn ? ss_figure_finish(figure, err) : ss_fail_no_memory(err);
    ss_figure_destroy(figure);
    return status;
}

static const ss_theme* theme_of(const ss_sheet* sheet)
{
    return sheet->theme ? sheet->theme : &ss_theme_print;
}

// ---- limit surface

static void add_mesh(ss_scene* scene, const ss_mesh* mesh, double force, double moment, double* reach)
{
    for (int t = 0; t < mesh->triangle_count; t++) {
        double corners[3][3];
        for (int k = 0; k < 3; k++) {
            const double* load = &mesh->loads[3 * mesh->triangles[3 * t + k]];
            corners[k][0] = load[0] / force;
            corners[k][1] = load[1] / force;
            corners[k][2] = load[2] / moment;
            *reach = fmax(*reach, norm(corners[k]));
        }
        ss_scene_face(scene, (const double(*)[3])corners, 3, surface_tint, NULL);
    }
}

ss_status ss_picture_surface(const ss_slider* slider, double angle, const ss_sheet* sheet, ss_error* err)
{
    static const char* const names[] = {"Fx/mg", "Fy/mg", "M/(mg\xCF\x81)"};
    ss_mesh mesh;
    ss_status status = ss_slider_mesh(slider, angle, FINENESS, &mesh, err);
    if (status != SS_OK) return status;
    ss_scene* scene = ss_scene_create(from_here);
    double force = ss_slider_mass(slider) * ss_slider_gravity(slider), reach = 0.0;
    bool seen[3] = {false, false, false};
    char title[300];
    snprintf(title, sizeof title, "%.250s: limit surface", ss_slider_title(slider));
    if (!scene) status = ss_fail_no_memory(err);
    if (status == SS_OK) {
        add_mesh(scene, &mesh, force, force * ss_slider_gyration(slider), &reach);
        add_axes(scene, theme_of(sheet), 1.35 * reach, names);
        status = add_eigen(scene, theme_of(sheet), slider, angle, true, seen, err);
    }
    if (status == SS_OK) status = finish(scene, sheet, title, seen, err);
    ss_scene_destroy(scene);
    ss_mesh_free(&mesh);
    return status;
}

// ---- sphere of motions

static void add_ball(ss_scene* scene)
{
    enum { BANDS = 18, SECTORS = 36 };
    double pi = acos(-1);
    for (int b = 0; b < BANDS; b++)
        for (int k = 0; k < SECTORS; k++) {
            double corners[4][3];
            for (int c = 0; c < 4; c++) {
                double theta = pi * (b + (c == 1 || c == 2)) / BANDS, phi = 2 * pi * (k + (c >= 2)) / SECTORS;
                corners[c][0] = sin(theta) * cos(phi);
                corners[c][1] = sin(theta) * sin(phi);
                corners[c][2] = cos(theta);
            }
            ss_scene_face(scene, (const double(*)[3])corners, 4, sphere_tint, NULL);
        }
}

// How the direction q of a free motion turns: against the part of the load across it [GRP91, (8)].
static bool turn_of(const ss_slider* slider, double angle, const double q[3], double out[3])
{
    double rho = ss_slider_gyration(slider), force = ss_slider_mass(slider) * ss_slider_gravity(slider),
           load[3];
    const double motion[3] = {q[0], q[1], q[2] / rho};
    if (!ss_slider_load(slider, angle, motion, load)) return false;
    const double p[3] = {load[0] / force, load[1] / force, load[2] / (force * rho)};
    double along = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    for (int i = 0; i < 3; i++) out[i] = -(p[i] - along * q[i]);
    return true;
}

// A short piece of the way a motion turns, thicker towards its head.
static void add_streak(ss_scene* scene, const ss_theme* theme, const ss_slider* slider, double angle,
                       double q[3])
{
    for (int k = 0; k < FLOW_STEPS; k++) {
        double turn[3], next[3], length;
        if (!turn_of(slider, angle, q, turn)) return;
        for (int i = 0; i < 3; i++) next[i] = q[i] + 0.05 * turn[i] / (0.2 + norm(turn));
        length = norm(next);
        for (int i = 0; i < 3; i++) next[i] /= length;
        ss_scene_stroke(scene, q, next, 0.04, &(ss_pen){.color = theme->series[0], .width = 0.5 + 0.35 * k});
        memcpy(q, next, sizeof next);
    }
}

static void add_flow(ss_scene* scene, const ss_theme* theme, const ss_slider* slider, double angle)
{
    double pi = acos(-1);
    for (int r = 0; r < FLOW_ROWS; r++) {
        double theta = pi * (r + 0.5) / FLOW_ROWS;
        int count = (int)ceil(1.6 * FLOW_ROWS * sin(theta));
        for (int k = 0; k < count; k++) {
            double phi = 2 * pi * (k + 0.5 * (r % 2)) / count;
            double q[3] = {sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)};
            add_streak(scene, theme, slider, angle, q);
        }
    }
}

ss_status ss_picture_sphere(const ss_slider* slider, double angle, const ss_sheet* sheet, ss_error* err)
{
    static const char* const names[] = {"qx", "qy", "q\xCF\x89"};
    ss_scene* scene = ss_scene_create(from_here);
    if (!scene) return ss_fail_no_memory(err);
    bool seen[3] = {false, false, false};
    char title[300];
    snprintf(title, sizeof title, "%.250s: how free motions turn", ss_slider_title(slider));
    add_ball(scene);
    add_flow(scene, theme_of(sheet), slider, angle);
    add_axes(scene, theme_of(sheet), 1.3, names);
    ss_status status = add_eigen(scene, theme_of(sheet), slider, angle, false, seen, err);
    if (status == SS_OK) status = finish(scene, sheet, title, seen, err);
    ss_scene_destroy(scene);
    return status;
}
