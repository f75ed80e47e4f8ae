// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The force of each support. Those that slip have the one their motion gives. Those that are held share what
// must be held: least in norm among the loads in their sets, which is unique. The norm is the sum of
// (f_i g_i)^2 over all elements, with f_i the strength of an element and g_i the share of it that is asked
// for (1 on the rim of its set); for points that is the sum of their squared forces. By duality one vector m
// tells all loads: the gradients of H_i(m) = Phi_i^2/(2 f_i^2) while Phi_i(m) < f_i^2, and Phi_i - f_i^2/2
// beyond, which for a point is clip(W_i m). Their sum is the gradient of a convex function, and Newton's
// method finds the m where it is what must be held.
#include "core/tolerance.h"
#include "slider/motion/motion_finger.h"
#include "slider/surface/surface_load.h"

#include "core/algebra/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

// What must be held at the place shown, as a load on the ground.
static void held_load(const ss_slide* s, double b[3])
{
    const ss_place at = ss_slide_force_place(s);
    double a[3];
    if (s->mode.dof == 0) {
        ss_slide_total_load(s, &at, b);
        return;
    }
    ss_slide_free_acceleration(s, &at, a);
    ss_slide_project(s, a, b);
    for (int i = 0; i < 3; i++) b[i] = a[i] - b[i];
}

// Rows of an element and how far its load may go along each; of a line there is one row. Returns the number.
static int rows_of(const ss_slide* s, int element, double rows[2][3], double matrix[4])
{
    const ss_element* e = &s->slider->elements[element];
    ss_floor floor = ss_floor_at(s->slider, s->course.shown.angle);
    const double unit[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
    memset(rows, 0, 6 * sizeof(double));
    bool ratchet = e->kind == SS_ELEMENT_RATCHET;
    if (ratchet && s->mode.spot_held[s->made.spot_of[element]]) {
        for (int k = 0; k < 2; k++) ss_element_push(e, unit[k], rows[k]);
        for (int k = 0; k < 4; k++) matrix[k] = e->level * floor.d[k];
        return 2;
    }
    if (ratchet || e->kind == SS_ELEMENT_LINE) {
        ss_element_push(e, e->along, rows[0]);
        matrix[0] = ss_line_level(e, &floor);
        return 1;
    }
    for (int k = 0; k < 2; k++) ss_element_push(e, unit[k], rows[k]);
    ss_point_ellipse(e, &floor, matrix);
    return 2;
}

static bool is_held(const ss_slide* s, int element)
{
    if (s->slider->elements[element].kind == SS_ELEMENT_PATCH) return s->mode.dof == 0;
    int spot = s->made.spot_of[element];
    if (spot >= 0 && s->mode.spot_held[spot]) return true;
    if (s->slider->elements[element].kind == SS_ELEMENT_POINT) return false; // no line stands for it
    for (int j = 0; j < s->made.line_count; j++)
        if (s->made.lines[j] == element && s->mode.line_held[j]) return true;
    return false;
}

// The point nearest to y of the unit disc, or of the part of it that does not push a ratchet forwards (cut: a
// unit vector, NULL for none), and the derivative of that: xx, xy, yy.
static void clip(double y[2], const double* cut, double d[3])
{
    double forwards = cut ? cut[0] * y[0] + cut[1] * y[1] : 0.0;
    d[0] = d[2] = 1.0;
    d[1] = 0.0;
    if (forwards > 0.0) {
        y[0] -= forwards * cut[0];
        y[1] -= forwards * cut[1];
        d[0] -= cut[0] * cut[0];
        d[1] -= cut[0] * cut[1];
        d[2] -= cut[1] * cut[1];
    }
    double size = hypot(y[0], y[1]);
    if (!(size > 1.0)) return;
    y[0] /= size;
    y[1] /= size;
    bool corner = forwards > 0.0; // nothing moves
    d[0] = corner ? 0.0 : (1.0 - y[0] * y[0]) / size;
    d[1] = corner ? 0.0 : -y[0] * y[1] / size;
    d[2] = corner ? 0.0 : (1.0 - y[1] * y[1]) / size;
}

// The load of a held patch for a vector m, and what it adds to the derivative of the sum.
static void patch_load_for(const ss_slide* s, const ss_element* e, const double m[3], double load[3],
                           double h[9])
{
    ss_floor floor = ss_floor_at(s->slider, s->course.shown.angle);
    ss_power own = {0};
    if (!ss_element_power(e, &floor, m, &own)) return; // m = 0
    double square = e->level * e->level * fabs(floor.d[0] * floor.d[3] - floor.d[1] * floor.d[2]);
    bool inside = own.phi < square;
    double share = inside ? own.phi / square : 1.0, squares = inside ? 1.0 / square : 0.0;
    for (int i = 0; i < 3; i++) load[i] += share * own.p[i];
    for (int i = 0; i < 9 && h; i++) h[i] += share * own.h[i] + squares * own.p[i / 3] * own.p[i % 3];
}

// The load of a held element for a vector m, and (may be NULL) what it adds to the derivative of the sum:
// (W^T M) d (M^T W)/level^2 with d the derivative of clip.
static void load_for(const ss_slide* s, int element, const double m[3], double load[3], double h[9])
{
    const ss_element* e = &s->slider->elements[element];
    if (e->kind == SS_ELEMENT_PATCH) {
        patch_load_for(s, e, m, load, h);
        return;
    }
    double rows[2][3], a[4], y[2], d[3], g[2][3], cut[2];
    int n = rows_of(s, element, rows, a);
    if (n == 1) a[1] = a[2] = 0.0, a[3] = a[0];
    double level2 = fabs(a[0] * a[3] - a[1] * a[2]);
    for (int k = 0; k < 3; k++) {
        g[0][k] = a[0] * rows[0][k] + a[2] * rows[1][k];
        g[1][k] = a[1] * rows[0][k] + a[3] * rows[1][k];
    }
    for (int k = 0; k < 2; k++) {
        cut[k] = a[k] * e->rolls[0] + a[k + 2] * e->rolls[1];
        y[k] = ss_dot3(g[k], m) / level2;
    }
    double length = hypot(cut[0], cut[1]);
    cut[0] /= length;
    cut[1] /= length;
    if (n == 1) y[0] -= e->bias / a[0];
    clip(y, n == 2 && e->kind == SS_ELEMENT_RATCHET ? cut : NULL, d);
    if (n == 1) y[0] += e->bias / a[0];
    for (int k = 0; k < 3; k++) load[k] += g[0][k] * y[0] + g[1][k] * y[1];
    for (int i = 0; i < 3 && h; i++)
        for (int j = 0; j < 3; j++)
            h[3 * i + j] +=
                (g[0][i] * (d[0] * g[0][j] + d[1] * g[1][j]) + g[1][i] * (d[1] * g[0][j] + d[2] * g[1][j])) /
                level2;
}

// What the loads for m leave of b, and the derivative of their sum. Returns the size of it.
static double left_for(const ss_slide* s, const double b[3], const double m[3], double left[3], double h[9])
{
    double sum[3] = {0};
    memset(h, 0, 9 * sizeof *h);
    for (int k = 0; k < s->slider->element_count; k++)
        if (is_held(s, k)) load_for(s, k, m, sum, h);
    for (int i = 0; i < 3; i++) {
        left[i] = b[i] - sum[i];
        h[4 * i] += SS_SUM_NOISE * s->made.total_level; // directions that nothing holds
    }
    return ss_norm3(left);
}

// The m whose loads add up to b, as far as they can: Newton's method, with steps that leave less.
static void find_shares(const ss_slide* s, const double b[3], double m[3])
{
    enum { ROUNDS = 60, HALVINGS = 40 };
    double size = ss_norm3(b), left[3], h[9], next[3], next_left[3], next_h[9];
    // From where nothing has reached its limit, yet not from 0: patches have no derivative there.
    double first = SS_ROOT_NOISE * s->made.total_level / (size + DBL_MIN);
    for (int i = 0; i < 3; i++) m[i] = first * b[i];
    double most = left_for(s, b, m, left, h), then = INFINITY;
    for (int round = 0; round < ROUNDS && most > SS_UNIT_NOISE * size; round++) {
        double share = 1.0;
        if (!ss_cholesky(h, 3)) return;
        ss_cholesky_solve(h, 3, left);
        for (int halving = 0; halving < HALVINGS; halving++, share *= 0.5) {
            for (int i = 0; i < 3; i++) next[i] = m[i] + share * left[i];
            then = left_for(s, b, next, next_left, next_h);
            if (then < most) break;
        }
        if (!(then < most)) return;
        most = then;
        memcpy(m, next, sizeof next);
        memcpy(left, next_left, sizeof left);
        memcpy(h, next_h, sizeof h);
    }
}

// The bearing of a ratchet that is held: what both give along the way it rolls is told as one.
static bool is_drag_of_held(const ss_slide* s, int element)
{
    const ss_element* e = &s->slider->elements[element];
    if (e->bias == 0.0 || element == 0 || e[-1].support != e->support) return false;
    return s->made.spot_of[element - 1] >= 0 && s->mode.spot_held[s->made.spot_of[element - 1]];
}

// Components of what is held, and directions they have: more than these are not determined.
bool ss_slide_is_determined(const ss_slide* s)
{
    int components = 0;
    for (int i = 0; i < s->made.spot_count; i++) components += s->mode.spot_held[i] ? 2 : 0;
    for (int j = 0; j < s->made.line_count; j++)
        components += s->mode.line_held[j] && !is_drag_of_held(s, s->made.lines[j]);
    if (s->mode.dof == 0) components += 3 * s->made.patch_count;
    return components <= 3 - s->mode.dof;
}

static void add_slipping(const ss_slide* s, int element, double load[3])
{
    const ss_element* e = &s->slider->elements[element];
    ss_floor floor = ss_floor_at(s->slider, s->course.shown.angle);
    ss_power sum = {0};
    bool lines = false;
    for (int j = 0; e->kind != SS_ELEMENT_POINT && j < s->made.line_count; j++) {
        double row[3];
        if (s->made.lines[j] != element || s->mode.line_mode[j] == 0) continue;
        ss_line_row(s, j, row);
        double size = s->mode.line_mode[j] * ss_line_limit(s, j, &floor, s->mode.line_mode[j]);
        for (int k = 0; k < 3; k++) load[k] += size * row[k];
        lines = lines || e->kind == SS_ELEMENT_LINE || s->mode.spot_off[s->made.spot_of[element]];
    }
    if (lines) return;
    const ss_place at = ss_slide_force_place(s);
    ss_slide_weigh(s, at.t);
    ss_element_power(e, &floor, at.u, &sum);
    for (int k = 0; k < 3; k++) load[k] += sum.p[k];
}

static int held_count(const ss_slide* s)
{
    int count = 0;
    for (int k = 0; k < s->slider->element_count; k++) count += is_held(s, k);
    return count;
}

// What all supports have in common at a moment.
typedef struct shared_load {
    double m[3]; // that tells the loads of what is held
    bool found;  // m
    bool alone;  // one element is held, no more
    bool determined;
} shared_load;

// Load on the ground of one support, body frame; of a wheel only the axle.
static void support_load(const ss_slide* s, int support, shared_load* all, double load[3])
{
    double b[3];
    int from, to;
    ss_slider_elements_of(s->slider, support, &from, &to);
    memset(load, 0, 3 * sizeof *load);
    for (int k = from; k < to; k++) {
        if (s->slider->elements[k].is_bearing) continue;
        if (is_held(s, k) && all->alone) {
            held_load(s, load);
        } else if (is_held(s, k)) {
            if (!all->found) {
                held_load(s, b);
                find_shares(s, b, all->m);
            }
            all->found = true;
            load_for(s, k, all->m, load, NULL);
        } else if (s->mode.dof > 0) {
            add_slipping(s, k, load);
        }
    }
}

static double limit_of(const ss_slide* s, int support)
{
    ss_floor floor = ss_floor_at(s->slider, s->course.shown.angle);
    double sum = 0.0;
    int from, to;
    ss_slider_elements_of(s->slider, support, &from, &to);
    for (int k = from; k < to; k++) {
        const ss_element* e = &s->slider->elements[k];
        if (e->is_bearing) continue;
        double m[4], value = e->level;
        if (e->kind == SS_ELEMENT_LINE) value = ss_line_level(e, &floor);
        if (e->kind == SS_ELEMENT_POINT) {
            ss_point_ellipse(e, &floor, m);
            double a = m[0] * m[0] + m[2] * m[2], b = m[0] * m[1] + m[2] * m[3],
                   c = m[1] * m[1] + m[3] * m[3];
            value = sqrt(0.5 * (a + c) + hypot(0.5 * (a - c), b)); // largest |M e|
        }
        sum += value;
    }
    return sum * s->slider->unit_force;
}

static ss_support_state seen(const ss_slide* slide, int support, shared_load* all)
{
    const ss_slider* slider = slide->slider;
    ss_support_state state = {
        .mode = ss_slide_mode(slide, support), .limit = limit_of(slide, support), .determined = true};
    ss_support_kind kind = slider->supports.kinds[support];
    double load[3], place[2], angle;
    ss_floor_to_space(slide, &slide->course.shown, place, &angle);
    double c = cos(angle), n = sin(angle);
    support_load(slide, support, all, load);
    if (state.mode == SS_MODE_STICK) state.determined = all->determined || ss_dot3(load, load) == 0.0;
    if (kind == SS_SUPPORT_WHEEL) {
        int from, to;
        ss_slider_elements_of(slider, support, &from, &to);
        for (int k = from; k < to; k++) {
            const ss_element* e = &slider->elements[k];
            if (!e->is_bearing)
                state.force[0] = -(e->along[0] * load[0] + e->along[1] * load[1]) * slider->unit_force;
        }
        state.count = 1;
        return state;
    }
    state.count = kind == SS_SUPPORT_POINT ? 2 : 3;
    state.force[0] = -(c * load[0] - n * load[1]) * slider->unit_force;
    state.force[1] = -(n * load[0] + c * load[1]) * slider->unit_force;
    if (state.count == 3) state.force[2] = -load[2] * slider->unit_moment;
    return state;
}

static shared_load begin_to_see(const ss_slide* slide)
{
    ss_slide_weigh(slide, slide->course.shown.t);
    return (shared_load){.alone = held_count(slide) == 1, .determined = ss_slide_is_determined(slide)};
}

ss_support_state ss_slide_support(const ss_slide* slide, int support)
{
    int supports = slide->slider->supports.count, fingers = slide->slider->pusher_count;
    if (support < 0 || support >= supports + fingers) return (ss_support_state){.mode = SS_MODE_STICK};
    if (support >= supports) return ss_finger_seen(slide, support - supports);
    shared_load all = begin_to_see(slide);
    return seen(slide, support, &all);
}

void ss_slide_supports(const ss_slide* slide, ss_support_state out[])
{
    int supports = slide->slider->supports.count, fingers = slide->slider->pusher_count;
    shared_load all = begin_to_see(slide);
    for (int i = 0; i < supports; i++) out[i] = seen(slide, i, &all);
    for (int i = 0; i < fingers; i++) out[supports + i] = ss_finger_seen(slide, i);
}
