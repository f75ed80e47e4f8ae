// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The one projection: which of the contacts that do not move go on holding, and how the others start to slip.
//
//     minimise F(x) = |x - a|^2 / 2 + sum_i Phi_i(x)
//
// over accelerations x, where the sum is over the contacts at rest. It is the dual of "minimise 1/2 l'Al +
// b'l over l_i in S_i" (flow/projection.h), which knows intervals only; in three dimensions the primal is the
// smaller problem, takes any support function, and does not mind redundant contacts. F is strictly convex.
// First each Phi_i is rounded to sqrt(Phi_i^2 + e^2) and e taken to 0 with Newton's method; that tells who
// moves. Then the exact problem is solved in the directions left by those who do not.
#include "slider/motion.h"

#include "core/dense.h"

#include <math.h>
#include <string.h>

typedef struct problem {
    const ss_slide* s;
    ss_floor floor;
    bool patches;
    const double* a;
    double rounding; // e
    double value, gradient[3], hessian[9], within[9];
} problem;

static double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Adds sqrt(phi^2 + e^2), where phi has gradient p and Hessian h.
static void add_rounded(problem* f, const ss_power* power)
{
    double e = f->rounding, size = sqrt(power->phi * power->phi + e * e);
    if (size == 0.0) return;
    double share = power->phi / size, bend = e / size * (e / size) / size;
    f->value += size;
    for (int i = 0; i < 3; i++) {
        f->gradient[i] += share * power->p[i];
        for (int j = 0; j < 3; j++)
            f->hessian[3 * i + j] += share * power->h[3 * i + j] + bend * power->p[i] * power->p[j];
    }
}

static void add_spot(problem* f, const ss_spot* spot, const double x[3])
{
    double z[2], load[2], h[4];
    ss_spot_velocity(spot, x, z);
    if (z[0] == 0.0 && z[1] == 0.0) z[0] = 1e-30;
    ss_power power = {.phi = ss_spot_load(f->s, spot, &f->floor, z, load, h)};
    const double rows[2][3] = {{1.0, 0.0, -spot->y}, {0.0, 1.0, spot->x}};
    for (int i = 0; i < 3; i++) {
        power.p[i] = rows[0][i] * load[0] + rows[1][i] * load[1];
        for (int j = 0; j < 3; j++)
            power.h[3 * i + j] = rows[0][i] * (h[0] * rows[0][j] + h[1] * rows[1][j]) +
                                 rows[1][i] * (h[2] * rows[0][j] + h[3] * rows[1][j]);
    }
    add_rounded(f, &power);
}

static void add_line(problem* f, int line, const double x[3])
{
    double row[3], level = ss_line_limit(f->s, line, &f->floor);
    ss_line_row(f->s, line, row);
    double slip = dot3(row, x);
    ss_power power = {.phi = level * fabs(slip)};
    for (int i = 0; i < 3; i++) power.p[i] = copysign(level, slip) * row[i];
    add_rounded(f, &power);
}

static void evaluate(problem* f, const double x[3])
{
    const ss_slide* s = f->s;
    f->value = 0.0;
    for (int i = 0; i < 9; i++) f->hessian[i] = i % 4 == 0 ? 1.0 : 0.0;
    for (int i = 0; i < 3; i++) {
        f->gradient[i] = x[i] - f->a[i];
        f->value += 0.5 * f->gradient[i] * f->gradient[i];
    }
    for (int i = 0; i < s->spot_count; i++)
        if (s->zero_spot[i] && !s->stay_spot[i]) add_spot(f, &s->spots[i], x);
    for (int j = 0; j < s->line_count; j++)
        if (s->zero_line[j] && !s->stay_line[j]) add_line(f, j, x);
    for (int i = 0; i < s->patch_count && f->patches; i++) {
        ss_power power = {0};
        ss_element_power(&s->slider->elements[s->patches[i]], &f->floor, x, &power);
        add_rounded(f, &power);
    }
}

// Newton's method with halved steps, in the subspace that `project` projects on. Leaves the minimiser in x.
static void minimise(problem* f, const double project[9], double x[3])
{
    enum { ROUNDS = 40, HALVINGS = 30 };
    evaluate(f, x);
    for (int round = 0; round < ROUNDS; round++) {
        double l[9], step[3], next[3], g[3];
        for (int i = 0; i < 3; i++) {
            g[i] = -dot3(&project[3 * i], f->gradient);
            for (int j = 0; j < 3; j++) { // P H P + (1 - P): regular, and the identity where nothing may move
                double sum = (i == j ? 1.0 : 0.0) - project[3 * i + j];
                for (int k = 0; k < 3; k++)
                    sum += project[3 * i + k] *
                           dot3(&f->hessian[3 * k], (double[3]){project[j], project[3 + j], project[6 + j]});
                l[3 * i + j] = sum;
            }
        }
        memcpy(step, g, sizeof step);
        if (!ss_cholesky(l, 3)) return;
        ss_cholesky_solve(l, 3, step);
        double before = f->value, slope = -dot3(g, step), length = 1.0;
        for (int half = 0; half < HALVINGS; half++, length *= 0.5) {
            for (int i = 0; i < 3; i++) next[i] = x[i] + length * step[i];
            evaluate(f, next);
            if (f->value <= before + 0.1 * length * slope) break;
        }
        double moved = length * sqrt(dot3(step, step)), size = sqrt(dot3(next, next));
        memcpy(x, next, 3 * sizeof *x);
        if (moved <= 1e-15 * size || moved == 0.0) return;
    }
}

// Flags those of the contacts at rest that stay so at x.
static void find_stayers(ss_slide* s, const double x[3])
{
    double size = 1e-5 * sqrt(dot3(x, x)), z[2], row[3];
    for (int i = 0; i < s->spot_count; i++) {
        ss_spot_velocity(&s->spots[i], x, z);
        double reach = hypot(1.0, hypot(s->spots[i].x, s->spots[i].y));
        s->stay_spot[i] = s->zero_spot[i] && hypot(z[0], z[1]) <= size * reach;
    }
    for (int j = 0; j < s->line_count; j++) {
        ss_line_row(s, j, row);
        s->stay_line[j] = s->zero_line[j] && fabs(dot3(row, x)) <= size * sqrt(dot3(row, row));
    }
}

// Rounds less and less, until the motion stands out against the rounding, or it is clear that there is none.
static void round_off(problem* f, const double project[9], double x[3])
{
    double scale = sqrt(dot3(f->a, f->a));
    memcpy(x, f->a, 3 * sizeof *x);
    for (f->rounding = 0.1 * scale; f->rounding > 1e-15 * scale; f->rounding *= 0.1) {
        minimise(f, project, x);
        if (f->rounding < 1e-9 * sqrt(dot3(x, x))) return;
    }
}

static void times(const double m[9], const double a[3], double out[3])
{
    double copy[3] = {a[0], a[1], a[2]};
    for (int i = 0; i < 3; i++) out[i] = dot3(&m[3 * i], copy);
}

static void stay_all(ss_slide* s)
{
    memcpy(s->stay_spot, s->zero_spot, (size_t)s->spot_count * sizeof *s->stay_spot);
    memcpy(s->stay_line, s->zero_line, (size_t)s->line_count * sizeof *s->stay_line);
}

bool ss_slide_decide(ss_slide* s, double angle, bool patches, const double a[3], double x[3])
{
    static const double everything[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double left[9], spanned[9], ours[3], rest[3];
    ss_slide_subspace(s, s->zero_spot, s->zero_line, left);
    for (int i = 0; i < 9; i++) spanned[i] = patches ? everything[i] : everything[i] - left[i];
    times(spanned, a, ours); // contacts act on this part of the acceleration only
    for (int i = 0; i < 3; i++) rest[i] = a[i] - ours[i];
    problem f = {.s = s, .floor = ss_floor_at(s->slider, angle), .patches = patches, .a = ours};
    memset(s->stay_spot, 0, (size_t)s->spot_count * sizeof *s->stay_spot);
    memset(s->stay_line, 0, (size_t)s->line_count * sizeof *s->stay_line);
    double scale = sqrt(dot3(ours, ours));
    if (scale > 0.0) round_off(&f, spanned, x);
    bool moves = scale > 0.0 && sqrt(dot3(x, x)) > 1e-12 * scale;
    if (moves) { // exactly, among the motions left by those who stay
        find_stayers(s, x);
        ss_slide_subspace(s, s->stay_spot, s->stay_line, left);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const double column[3] = {spanned[j], spanned[3 + j], spanned[6 + j]};
                f.within[3 * i + j] = dot3(&left[3 * i], column);
            }
        times(f.within, x, x);
        f.rounding = 0.0;
        minimise(&f, f.within, x);
    } else {
        stay_all(s);
        memset(x, 0, 3 * sizeof *x);
    }
    for (int i = 0; i < 3; i++) x[i] += rest[i];
    return moves;
}
