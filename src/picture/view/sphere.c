// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The sphere of motions: how the direction q of a free motion turns at small speeds,
//     q' = -(P - (P.q) q)/|Q|                                                                [GRP91, (8)]
#include "picture/view/drawn_surface.h"
#include "picture/view/slider_scene.h"

#include <math.h>
#include <string.h>

enum { BANDS = 30, SECTORS = 60, FLOW_ROWS = 22, FLOW_STEPS = 5 };

static double pi(void) { return acos(-1); }

static void add_globe(const ss_slider_scene* s)
{
    for (int b = 0; b < BANDS; b++)
        for (int k = 0; k < SECTORS; k++) {
            double corners[4][3], normal[3] = {0};
            for (int c = 0; c < 4; c++) {
                double theta = pi() * (b + (c == 1 || c == 2)) / BANDS,
                       phi = 2 * pi() * (k + (c >= 2)) / SECTORS;
                corners[c][0] = sin(theta) * cos(phi);
                corners[c][1] = sin(theta) * sin(phi);
                corners[c][2] = cos(theta);
                for (int i = 0; i < 3; i++) normal[i] += corners[c][i];
            }
            ss_scene_face(s->scene, (const double(*)[3])corners, 4, normal, s->theme->globe);
        }
}

// One step of the way q turns, shorter where it hardly does. False where it would turn back: on the rim of a
// wheel's rolling motions the way goes on along the rim, which a step across it does not see.
static bool turn(const ss_slider_picture* picture, const double q[3], double before[3], double next[3])
{
    ss_drawn_surface_corner at = ss_drawn_surface_at(picture->of.slider, picture->of.angle_rad, q);
    double along = 0, size = 0, length = 0, back = 0, across[3];
    for (int i = 0; i < 3; i++) along += at.load[i] * q[i];
    for (int i = 0; i < 3; i++) across[i] = -(at.load[i] - along * q[i]);
    for (int i = 0; i < 3; i++) size += across[i] * across[i];
    for (int i = 0; i < 3; i++) next[i] = q[i] + 0.05 * across[i] / (0.2 + sqrt(size));
    for (int i = 0; i < 3; i++) length += next[i] * next[i];
    for (int i = 0; i < 3; i++) next[i] /= sqrt(length);
    for (int i = 0; i < 3; i++) back += across[i] * before[i];
    memcpy(before, across, sizeof across);
    return back >= 0;
}

// A short piece of the way a motion turns, thicker towards its head.
static void add_streak(const ss_slider_scene* s, const double from[3])
{
    double before[3] = {0}, ends[2][3];
    ss_pen pen = {.color = s->theme->series[0]};
    pen.color.a = s->picture->sketch_count > 0 ? 0.6 : 1;
    memcpy(ends[0], from, sizeof ends[0]);
    for (int k = 0; k < FLOW_STEPS && turn(s->picture, ends[0], before, ends[1]); k++) {
        pen.width = 0.5 + 0.35 * k;
        ss_scene_line(s->scene, (const double(*)[3])ends, 2, &pen, NULL);
        memcpy(ends[0], ends[1], sizeof ends[1]);
    }
}

static void add_flow(const ss_slider_scene* s)
{
    for (int r = 0; r < FLOW_ROWS; r++) {
        double theta = pi() * (r + 0.5) / FLOW_ROWS;
        int count = (int)ceil(1.6 * FLOW_ROWS * sin(theta));
        for (int k = 0; k < count; k++) {
            double phi = 2 * pi() * (k + 0.5 * (r % 2)) / count;
            const double q[3] = {sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)};
            add_streak(s, q);
        }
    }
}

ss_status ss_draw_sphere(const ss_slider_picture* picture, ss_error* err)
{
    static const char* const names[] = {"qx", "qy", "q\xCF\x89"};
    ss_slider_scene s = {.of_loads = false, .names = names, .reach = 1};
    ss_status status = ss_slider_scene_begin(&s, picture, err);
    if (status != SS_OK) return status;
    add_globe(&s);
    add_flow(&s);
    return ss_slider_scene_finish(&s, "how free motions turn", err);
}
