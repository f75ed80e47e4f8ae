// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Steps where the direction of slip is a slave of the forces. When a hold breaks, slip begins like tau^2, and
// its direction is drawn to where it must be at a rate that goes like 1/tau^2: an irregular singular point,
// across which the motion is smooth but explicit steps are tiny. Collocation at the five points of Radau
// (IIA, order 9 [HW96: Hairer, Wanner, Solving Ordinary Differential Equations II, IV.5]) does not mind.
#include "core/tolerance.h"
#include "slider/motion/motion_press.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = SS_SLIDE_STATE, S = SS_RADAU_STAGES, V = 3, ALL = V * S };

// clang-format off
static const double node[S] = {0.05710419611451768, 0.2768430136381238, 0.5835904323689168, 0.8602401356562195, 1.0};
static const double a[S][S] = {
    {0.07299886431790333, -0.02673533110794557, 0.018676929763984353, -0.01287910609330644, 0.005042839233882015},
    {0.15377523147918246, 0.14621486784749352, -0.03644456890512809, 0.02123306311930472, -0.007935579902728777},
    {0.14006304568480987, 0.29896712949128346, 0.16758507013524895, -0.03396910168661774, 0.010944288744192253},
    {0.14489430810953477, 0.2765000687601592, 0.32579792291042103, 0.12875675325490976, -0.015708917378805327},
    {0.14371356079122594, 0.28135601514946207, 0.31182652297574126, 0.22310390108357075, 0.04},
};
// Integrals from 0 to r of the polynomials that are 1 at one node and 0 at the others: powers r^1 .. r^5.
static const double integral[S][S] = {
    {1.5864079001863283, -5.939631780296785, 9.977775909015968, -7.763720273930764, 2.282881805816479},
    {-1.008117881498373, 10.780734269705055, -24.444768723212707, 21.98658623905105, -7.033077888895562},
    {0.7309748661597875, -8.510911966412785, 26.82627186871281, -29.484574687947706, 10.750066442463638},
    {-0.5092648848477427, 6.069809477004513, -20.759279054516067, 26.46170872282742, -11.039870359384553},
    {0.2, -2.4, 8.4, -11.2, 5.04},
};
// clang-format on

// The state after a share r of a step of length h with stage rates k.
static void between(const double begin[N], double h, double k[S][N], double r, double y[N])
{
    double weight[S];
    for (int i = 0; i < S; i++) {
        weight[i] = 0.0;
        for (int p = S - 1; p >= 0; p--) weight[i] = (weight[i] + integral[i][p]) * r;
    }
    for (int j = 0; j < N; j++) {
        double sum = 0.0;
        for (int i = 0; i < S; i++) sum += weight[i] * k[i][j];
        y[j] = begin[j] + h * sum;
    }
}

// Minus the second derivatives of the power of slipping spots by (z, spin) of the reference place: no digits
// of z are lost on the way.
static void add_spots(const ss_slide* s, const double y[N], double m[V][V])
{
    const ss_segment* g = &s->step.segment;
    ss_floor floor = ss_floor_at(s->slider, ss_slide_angle_at(s, y));
    ss_slide_weigh(s, s->course.now.t + y[SS_Y_TIME]);
    for (int i = 0; i < s->made.spot_count; i++) {
        const ss_spot* spot = &s->made.spots[i];
        if (s->mode.spot_held[i] || s->mode.spot_off[i]) continue;
        double dx = spot->x - g->cx, dy = spot->y - g->cy, load[2], h[4];
        double v[2] = {y[0] - y[2] * dy, y[1] + y[2] * dx};
        const double rows[2][V] = {{1.0, 0.0, -dy}, {0.0, 1.0, dx}};
        ss_spot_load(s, spot, &floor, v, load, h);
        for (int a0 = 0; a0 < V; a0++)
            for (int b0 = 0; b0 < V; b0++)
                m[a0][b0] -= rows[0][a0] * (h[0] * rows[0][b0] + h[1] * rows[1][b0]) +
                             rows[1][a0] * (h[2] * rows[0][b0] + h[3] * rows[1][b0]);
    }
}

// The same of patches, by u, moved to the reference place: M -> B^T M B with u = B (z, spin).
static void add_patches(const ss_slide* s, const double y[N], double m[V][V])
{
    const ss_segment* g = &s->step.segment;
    ss_floor floor = ss_floor_at(s->slider, ss_slide_angle_at(s, y));
    double u[3];
    ss_power sum = {0};
    ss_slide_velocity(g, y, u);
    for (int i = 0; i < s->made.patch_count; i++)
        ss_element_power(&s->slider->elements[s->made.patches[i]], &floor, u, &sum);
    const double b[V][V] = {{1.0, 0.0, g->cy}, {0.0, 1.0, -g->cx}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < V; i++)
        for (int j = 0; j < V; j++)
            for (int k = 0; k < V; k++)
                for (int l = 0; l < V; l++) m[i][j] -= b[k][i] * sum.h[3 * k + l] * b[l][j];
}

// d(z', spin')/d(z, spin). Loads act as B^T (force at the reference place, moment about it) on u, and so
// u' = B^-T (..); then the mode's projection, convection, and the reference place again.
static void jacobian(const ss_slide* s, const double y[N], double j[V][V])
{
    const ss_segment* g = &s->step.segment;
    double m[V][V] = {{0}}, u[3], c = g->cx, d = g->cy;
    add_spots(s, y, m);
    if (s->made.patch_count > 0) add_patches(s, y, m);
    ss_slide_velocity(g, y, u);
    for (int k = 0; k < V;
         k++) { // column k: force and moment about the place to load about the centre of mass
        double column[3] = {m[0][k], m[1][k], m[2][k] + c * m[1][k] - d * m[0][k]};
        const double du[3] = {(k == 0) + (k == 2) * d, (k == 1) - (k == 2) * c, k == 2};
        double turn = ss_slide_frame_spin(s, u), more = ss_slide_frame_spin(s, du);
        column[0] += more * u[1] + turn * du[1];
        column[1] -= more * u[0] + turn * du[0];
        if (s->fingers.closed > 0) ss_press_resist(s, column);
        ss_slide_project(s, column, column);
        j[0][k] = column[0] - d * column[2];
        j[1][k] = column[1] + c * column[2];
        j[2][k] = column[2];
    }
}

// Solves m x = r in place, by elimination with row exchanges; false where m is singular.
static bool solve(double m[ALL][ALL], double r[ALL])
{
    for (int k = 0; k < ALL; k++) {
        int best = k;
        for (int i = k + 1; i < ALL; i++)
            if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
        if (!(fabs(m[best][k]) > 0.0)) return false;
        for (int j = 0; j < ALL && best != k; j++) {
            double keep = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = keep;
        }
        double keep = r[k];
        r[k] = r[best];
        r[best] = keep;
        for (int i = k + 1; i < ALL; i++) {
            double share = m[i][k] / m[k][k];
            for (int j = k; j < ALL; j++) m[i][j] -= share * m[k][j];
            r[i] -= share * r[k];
        }
    }
    for (int k = ALL - 1; k >= 0; k--) {
        for (int j = k + 1; j < ALL; j++) r[k] -= m[k][j] * r[j];
        r[k] /= m[k][k];
    }
    return true;
}

// The state at stage i from the rates at all of them, one component.
static double target_of(const double begin[N], double h, double k[S][N], int i, int c)
{
    double sum = 0.0;
    for (int l = 0; l < S; l++) sum += a[i][l] * k[l][c];
    return begin[c] + h * sum;
}

// Displacement at the stages from the velocities there: D' = V + spin (D_y, -D_x), linear in D. Iterated to
// the last digit, which takes few rounds, because a step turns by at most one half.
static void follow_displacement(const ss_slide* s, double h, double y[S][N], double k[S][N])
{
    enum { ROUNDS = 40 };
    double change = INFINITY, before;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < S; i++) {
            double u[3];
            ss_slide_velocity(&s->step.segment, y[i], u);
            double turn = ss_slide_frame_spin(s, u);
            k[i][SS_Y_DX] = u[0] + turn * y[i][SS_Y_DY];
            k[i][SS_Y_DY] = u[1] - turn * y[i][SS_Y_DX];
        }
        before = change;
        change = 0.0;
        for (int i = 0; i < S; i++)
            for (int c = SS_Y_DX; c <= SS_Y_DY; c++) {
                double next = target_of(s->step.segment.begin, h, k, i, c);
                change = fmax(change, fabs(next - y[i][c]));
                y[i][c] = next;
            }
        if (change == 0.0 || change >= before) return;
    }
}

// Fills in all components but the velocities at the stages. Returns the largest change, relative to what a
// step of length h adds at the largest speed of the motion.
static double follow(const ss_slide* s, double h, double y[S][N], double k[S][N])
{
    double top = s->step.speed_scale, most = 0.0, before[S][N];
    memcpy(before, y, sizeof before);
    for (int i = 0; i < S; i++) top = fmax(top, hypot(hypot(y[i][0], y[i][1]), y[i][2]));
    for (int i = 0; i < S; i++)
        for (int c = SS_Y_ANGLE; c < N; c++) y[i][c] = target_of(s->step.segment.begin, h, k, i, c);
    follow_displacement(s, h, y, k);
    for (int i = 0; i < S; i++)
        for (int c = V; c < N; c++) {
            double size = c >= SS_Y_FRICTION ? s->made.strength * top * h + fabs(y[i][c]) : top * h;
            most = fmax(most, c == SS_Y_TIME ? 0.0 : fabs(y[i][c] - before[i][c]) / size);
        }
    return most;
}

// The speed of what the state is about: the spot of reference, or the body.
static double slip_of(const ss_slide* s, const double y[N])
{
    double slip = hypot(y[0], y[1]);
    return s->step.segment.reference < 0 ? hypot(slip, y[2]) : slip;
}

// One round of Newton's method for the velocities of all stages; the rest of the state follows from them.
// Returns the change, relative, of whatever the step delivers; infinite where it fails.
static double improve(ss_slide* s, double h, double y[S][N], double k[S][N])
{
    double m[ALL][ALL], r[ALL], j[S][V][V];
    for (int i = 0; i < S; i++) {
        ss_slide_rate(s, y[i], 0, k[i]);
        jacobian(s, y[i], j[i]);
    }
    for (int i = 0; i < S; i++) {
        for (int c = 0; c < V; c++) r[V * i + c] = target_of(s->step.segment.begin, h, k, i, c) - y[i][c];
        for (int l = 0; l < S; l++)
            for (int c = 0; c < V * V; c++)
                m[V * i + c / V][V * l + c % V] =
                    (i == l && c / V == c % V ? 1.0 : 0.0) - h * a[i][l] * j[l][c / V][c % V];
    }
    if (!solve(m, r)) return INFINITY;
    double damp = 1.0, most = 0.0;
    for (int i = 0; i < S; i++) { // no stage turns round in one round
        double slip = slip_of(s, y[i]), change = hypot(r[V * i], r[V * i + 1]);
        if (!isfinite(change) || !isfinite(r[V * i + 2])) return INFINITY;
        if (s->step.segment.reference < 0) change = hypot(change, r[V * i + 2]);
        if (change > 0.5 * slip) damp = fmin(damp, 0.5 * slip / change);
        most = fmax(most, fmax(change / slip, fabs(r[V * i + 2]) / fmax(s->step.speed_scale, slip)));
    }
    for (int i = 0; i < ALL; i++) y[i / V][i % V] += damp * r[i];
    return fmax(most, follow(s, h, y, k));
}

// Iterates until the changes (of velocities, relative to the slip) are nothing, or until rounding stops them
// from falling. Angle and time have no share in Newton's matrix, so that under a load the changes may fall by
// a constant factor only: what still falls is not rounding.
static bool converge(ss_slide* s, double h, double y[S][N], double k[S][N])
{
    enum { ROUNDS = 30 };
    double before = INFINITY, lost = 64.0 * DBL_EPSILON * s->made.strength * h / slip_of(s, y[S - 1]);
    for (int round = 0; round < ROUNDS; round++) {
        double change = improve(s, h, y, k);
        if (!isfinite(change)) return false;
        if (change <= SS_SUM_NOISE || (change < fmax(SS_ROOT_BIT, lost) && change > 0.8 * before))
            return true;
        before = change;
    }
    return false;
}

// How much the polynomial's slope at the beginning differs from the rate there, of velocities (times the
// step) and of displacements: of the order h^5, where the end of the step is right to h^9.
static double defect(double h, double k0[N], double k[S][N])
{
    double most = 0.0;
    for (int c = 0; c <= SS_Y_DY; c++) {
        double slope = -k0[c];
        for (int i = 0; i < S; i++) slope += integral[i][0] * k[i][c];
        most = fmax(most, c < V ? h * fabs(slope) : fabs(slope));
    }
    return most;
}

// First guess: the last step's polynomial goes on. In the first step slip is taken to grow like tau^2.
static void guess(ss_slide* s, double h, double y[S][N])
{
    const ss_segment* g = &s->step.segment;
    for (int i = 0; i < S; i++) {
        for (int c = 0; c < N; c++) y[i][c] = g->begin[c] + h * node[i] * g->rate[c];
        if (s->stiff.last > 0.0) {
            double on[N];
            between(s->stiff.begin, s->stiff.last, s->stiff.before, 1.0 + node[i] * h / s->stiff.last, on);
            memcpy(y[i], on, V * sizeof(double));
        } else if (!s->slaved.now) {
            double grown = 1.0 + node[i] * h / s->stiff.age;
            int count = s->stiff.spot < 0 ? 3 : 2;
            for (int c = 0; c < count; c++) y[i][c] = g->begin[c] * grown * grown;
        }
    }
}

// How fast the direction of what broke loose (the spot, or the body) is drawn to where it must be.
static double pull(const ss_slide* s)
{
    ss_power sum;
    double z[2], load[2], h[4];
    if (s->stiff.spot < 0) {
        ss_slide_hessian(s, s->course.now.u, &sum);
        return sum.h[0] + sum.h[4] + sum.h[8];
    }
    const ss_spot* spot = &s->made.spots[s->stiff.spot];
    ss_floor floor = ss_floor_at(s->slider, s->course.now.angle);
    ss_spot_velocity(spot, s->course.now.u, z);
    if (s->step.reference_known == s->stiff.spot) memcpy(z, s->step.reference_z, sizeof z);
    ss_spot_load(s, spot, &floor, z, load, h);
    return (h[0] + h[3]) * (1.0 + spot->x * spot->x + spot->y * spot->y);
}

// The time after which another spot than the one that broke loose may stop. A longer step would step on that
// stop without a sign of it: an implicit method finds a load for a spot that hardly moves.
static double next_stop(const ss_slide* s)
{
    double x[3], z[2], c[2], first = INFINITY;
    ss_slide_free_acceleration(s, &s->course.now, x);
    ss_slide_project(s, x, x);
    for (int i = 0; i < s->made.spot_count; i++) {
        if (s->mode.spot_held[i] || s->mode.spot_off[i] || i == s->stiff.spot) continue;
        ss_spot_velocity(&s->made.spots[i], s->course.now.u, z);
        ss_spot_velocity(&s->made.spots[i], x, c);
        double rate = z[0] * c[0] + z[1] * c[1];
        if (rate < 0.0) first = fmin(first, -(z[0] * z[0] + z[1] * z[1]) / rate);
    }
    return first;
}

bool ss_slide_stays_stiff(ss_slide* s)
{
    static const double share = 0.25;
    s->step.time = fmin(s->step.time, share * next_stop(s));
    return s->step.time * pull(s) > 6.0;
}

// Whether the spot that broke loose, or the body, is still gaining speed.
static bool gains(const ss_slide* s, const double y[N])
{
    double gain = 0.0;
    int count = s->stiff.spot < 0 ? 3 : 2;
    for (int c = 0; c < count; c++) gain += y[c] * s->stiff.k[S - 1][c];
    return gain > 0.0;
}

void ss_slide_stiff_partial(ss_slide* s, double length, double y[])
{
    between(s->step.segment.begin, s->step.segment.stiff_length, s->stiff.k,
            length / s->step.segment.stiff_length, y);
}

// What the step under way has become, of length h: its end in y, and what the stages of an explicit step
// would have seen.
static void take(ss_slide* s, double h, double stage[S][N], double y[N])
{
    ss_segment* g = &s->step.segment;
    double rate[N], at[N];
    memcpy(y, stage[S - 1], N * sizeof *y);
    memcpy(s->stiff.begin, g->begin, sizeof s->stiff.begin);
    memcpy(s->stiff.before, s->stiff.k, sizeof s->stiff.before);
    g->length = g->stiff_length = s->stiff.last = h;
    for (int i = 0; i < SS_RK_STAGES; i++) {
        ss_slide_stiff_partial(s, ss_rk_nodes[i] * h, at);
        ss_slide_rate(s, at, i, rate);
    }
}

// The length of the next step after one of length h with this error.
static double next_length(double h, double allowed, double error)
{
    return h * fmin(2.5, fmax(0.5, 0.8 * pow(allowed / (error + DBL_MIN), 1.0 / 6.0)));
}

bool ss_slide_stiff_step(ss_slide* s, double y[])
{
    enum { TRIES = 12 };
    ss_segment* g = &s->step.segment;
    double stage[S][N], size = 0.0, h = fmin(s->step.time, 0.5 / (ss_norm3(s->course.now.u) + DBL_MIN));
    bool found = false;
    for (int c = 0; c < V; c++) size = fmax(size, fabs(g->begin[c]));
    double scale = fmax(fmax(s->step.speed_scale, size), 1e-4 * s->made.strength * h);
    double allowed = 0.1 * pow(fmax(s->def.tolerance, SS_NOISE), 0.65) * scale;
    for (int i = 0; i < TRIES && !found; i++) {
        guess(s, h, stage);
        double error = converge(s, h, stage, s->stiff.k) ? defect(h, g->rate, s->stiff.k) : INFINITY;
        found = error <= allowed;
        if (!found) h *= 0.4;
        if (found) s->step.time = next_length(h, allowed, error);
    }
    if (!found) {
        s->step.time = h;
        s->stiff.begun = false;
        return false;
    }
    take(s, h, stage, y);
    s->stiff.begun = gains(s, y);
    return true;
}

// ---- steps whose length only stability would limit ----

// The velocities' share of the defect, through (1 - h J/4)^-1: what the forces take back at once is no error.
static double settled_defect(const ss_slide* s, double h, double k[S][N])
{
    const ss_segment* g = &s->step.segment;
    double j[V][V], m[V][V + 1];
    jacobian(s, g->begin, j);
    for (int c = 0; c < V; c++) {
        double slope = -g->rate[c];
        for (int i = 0; i < S; i++) slope += integral[i][0] * k[i][c];
        for (int l = 0; l < V; l++) m[c][l] = (c == l ? 1.0 : 0.0) - 0.25 * h * j[c][l];
        m[c][V] = h * slope;
    }
    for (int c = 0; c < V; c++) // H is semidefinite: the pivots cannot vanish
        for (int i = 0; i < V; i++)
            for (int l = V; l >= c && i != c; l--) m[i][l] -= m[i][c] / m[c][c] * m[c][l];
    double slip = hypot(m[0][V] / m[0][0], m[1][V] / m[1][1]);
    return hypot(slip, m[2][V] / m[2][2]);
}

// The old polynomial's velocities, told of another place of reference.
static void refer_polynomial(ss_slide* s, double cx, double cy)
{
    const ss_segment* g = &s->step.segment;
    double dx = cx - g->cx, dy = cy - g->cy;
    for (int i = -1; i < S; i++) {
        double* y = i < 0 ? s->stiff.begin : s->stiff.before[i];
        y[SS_Y_ZX] += y[SS_Y_SPIN] * dy;
        y[SS_Y_ZY] -= y[SS_Y_SPIN] * dx;
    }
}

bool ss_slide_slaved_step(ss_slide* s, double y[])
{
    enum { TRIES = 6 };
    ss_segment* g = &s->step.segment;
    const ss_segment kept = *g;
    double here = s->course.now.t;
    bool at_break = s->made.loaded && fabs(s->inputs.break_at - here) <= SS_NOISE * (1.0 + here);
    double stage[S][N], clock = ss_slide_clock(g, g->begin, s->course.now.u), h = ss_slide_slaved_length(s);
    double slip = slip_of(s, g->begin), scale = fmax(s->step.speed_scale, slip);
    double allowed = fmin(0.1 * pow(fmax(s->def.tolerance, SS_NOISE), 0.85) * scale, 1e-3 * slip);
    g->clock = SS_CLOCK_TIME;
    for (int c = 0; c < N; c++) g->rate[c] /= clock;
    if (s->stiff.last > 0.0) refer_polynomial(s, s->slaved.cx, s->slaved.cy);
    s->slaved.cx = g->cx;
    s->slaved.cy = g->cy;
    for (int i = 0; i < TRIES; i++, h *= 0.3) {
        if (i == 1 && at_break) { // behind a kink of the load what follows it must settle anew
            h = fmin(h, 0.5 * s->slaved.from);
            s->stiff.last = 0.0;
            s->slaved.age = 0;
        }
        guess(s, h, stage);
        double error = converge(s, h, stage, s->stiff.k) ? settled_defect(s, h, s->stiff.k) : INFINITY;
        if (!(error <= allowed)) continue;
        s->step.time = next_length(h, allowed, error);
        take(s, h, stage, y);
        return true;
    }
    *g = kept;
    return false;
}
