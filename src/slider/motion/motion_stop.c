// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The last moment before something stops. As the velocity z of a spot goes to 0 its direction may turn ever
// faster; on the clock dt = |z| ds it settles exponentially, and so does the direction of the whole body as
// it comes to rest. With the mobility A of the spot in the present mode and |z|_A = sqrt(z' A^-1 z),
//
//     d|z|_A/dt = -S,  S = (Phi(z) - z' A^-1 b) / |z|_A,     dS/ds = -(turning)^2 <= 0,
//
// where b is the spot's acceleration without its own load: the direction moves down the gradient of S. Once
// the direction has settled, or what is left is short, the time left is |z|_A / S.
#include "core/tolerance.h"
#include "slider/motion/slide_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

// What decides whether the end is near: the time left, the share of the acceleration that still turns the
// direction (squared), and whether the direction is drawn to where it goes.
typedef struct approach {
    double left, turning;
    bool drawn;
} approach;

// The mode's mobility at a spot: its acceleration by a force there. Returns its determinant, 0 where the spot
// can move in one direction only.
static double mobility_at(const ss_slide* s, const ss_spot* spot, double m[4])
{
    double row[2][3] = {{1.0, 0.0, -spot->y}, {0.0, 1.0, spot->x}}, a[2][3];
    for (int i = 0; i < 2; i++) ss_slide_project(s, row[i], a[i]);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) m[2 * i + j] = ss_dot3(row[i], a[j]);
    double det = m[0] * m[3] - m[1] * m[2], trace = m[0] + m[3];
    return det <= SS_CLEAR * trace * trace ? 0.0 : det;
}

// A spot with velocity z and acceleration c, in the mode's mobility.
static approach approach_of_spot(const ss_slide* s, const ss_spot* spot, const double z[2], const double c[2])
{
    double m[4], det = mobility_at(s, spot, m);
    if (det == 0.0) {
        double rate = z[0] * c[0] + z[1] * c[1], square = z[0] * z[0] + z[1] * z[1];
        return (approach){rate < 0.0 ? -square / rate : INFINITY, 0.0, true};
    }
    const double iz[2] = {(m[3] * z[0] - m[1] * z[1]) / det, (m[0] * z[1] - m[2] * z[0]) / det};
    const double ic[2] = {(m[3] * c[0] - m[1] * c[1]) / det, (m[0] * c[1] - m[2] * c[0]) / det};
    double size = sqrt(z[0] * iz[0] + z[1] * iz[1]), brake = -(iz[0] * c[0] + iz[1] * c[1]) / size;
    if (!(brake > 0.0)) return (approach){INFINITY, 1.0, false};
    double all = c[0] * ic[0] + c[1] * ic[1], load[2], h[4];
    ss_floor floor = ss_floor_at(s->slider, s->course.now.angle);
    ss_slide_weigh(s, s->course.now.t);
    ss_spot_load(s, spot, &floor, z, load, h);
    // radius of curvature along the direction across z in this metric: sqrt(det A) J A^-1 z / |z|_A
    const double across[2] = {-iz[1] * sqrt(det) / size, iz[0] * sqrt(det) / size};
    double radius = size * (across[0] * (h[0] * across[0] + h[1] * across[1]) +
                            across[1] * (h[2] * across[0] + h[3] * across[1]));
    return (approach){size / brake, fmax(all / (brake * brake) - 1.0, 0.0), radius > brake};
}

void ss_slide_hessian(const ss_slide* s, const double u[3], ss_power* sum)
{
    ss_floor floor = ss_floor_at(s->slider, s->course.now.angle);
    ss_slide_weigh(s, s->course.now.t);
    memset(sum, 0, sizeof *sum);
    for (int i = 0; i < s->made.spot_count; i++) {
        if (s->mode.spot_held[i] || s->mode.spot_off[i]) continue;
        for (int k = 0; k < s->made.spots[i].count; k++)
            ss_element_power(&s->slider->elements[s->made.members[s->made.spots[i].first + k]], &floor, u,
                             sum);
    }
    for (int i = 0; i < s->made.patch_count; i++)
        ss_element_power(&s->slider->elements[s->made.patches[i]], &floor, u, sum);
}

// An orthonormal basis of the directions the mode leaves across u. Returns how many there are.
static int basis_across(const ss_slide* s, const double u[3], double t[2][3])
{
    double square = ss_dot3(u, u);
    int count = 0;
    for (int axis = 0; axis < 3 && count < s->mode.dof - 1; axis++) {
        double v[3] = {s->mode.project[axis], s->mode.project[3 + axis], s->mode.project[6 + axis]};
        for (int round = 0; round < 2; round++) {
            double along = ss_dot3(v, u) / square;
            for (int k = 0; k < 3; k++) v[k] -= along * u[k];
            for (int i = 0; i < count; i++) {
                double dot = ss_dot3(v, t[i]);
                for (int k = 0; k < 3; k++) v[k] -= dot * t[i][k];
            }
        }
        double length = sqrt(ss_dot3(v, v));
        if (length < 0.3) continue;
        for (int k = 0; k < 3; k++) t[count][k] = v[k] / length;
        count++;
    }
    return count;
}

int ss_slide_radii(const ss_slide* s, const double u[3], double value[2], double across[2][3])
{
    ss_power sum;
    double size = sqrt(ss_dot3(u, u)), t[2][3] = {{0}}, r[2][2] = {{0}};
    int count = basis_across(s, u, t);
    ss_slide_hessian(s, u, &sum);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double column[3];
            for (int k = 0; k < 3; k++) column[k] = ss_dot3(&sum.h[3 * k], t[j]);
            r[i][j] = size * ss_dot3(t[i], column);
        }
    value[0] = r[0][0];
    memcpy(across, t, sizeof t);
    if (count < 2) return count;
    double mean = 0.5 * (r[0][0] + r[1][1]), half = 0.5 * (r[0][0] - r[1][1]), spread = hypot(half, r[0][1]);
    double turn = 0.5 * atan2(r[0][1], half), c = cos(turn), n = sin(turn); // the larger one is at this angle
    value[0] = mean + spread;
    value[1] = mean - spread;
    for (int k = 0; k < 3; k++) {
        across[0][k] = c * t[0][k] + n * t[1][k];
        across[1][k] = c * t[1][k] - n * t[0][k];
    }
    return count;
}

// Whether the power of what slips, less the applied load's, curves upward on the unit sphere at u/|u|: then
// the direction is drawn to the lowest place nearby [GRP91, (12)]. A radius that equals the load (a circle of
// eigen-directions) does not draw, but does not drive away either.
static bool is_drawn(const ss_slide* s, const double u[3], double brake)
{
    double value[2], across[2][3];
    int count = ss_slide_radii(s, u, value, across);
    for (int i = 0; i < count; i++)
        if (!(value[i] > brake * (1.0 - SS_CLEAR))) return false;
    return true;
}

static approach approach_of_body(const double u[3], const double c[3])
{
    double size = sqrt(ss_dot3(u, u)), brake = -ss_dot3(u, c) / size, all = ss_dot3(c, c);
    if (!(brake > 0.0)) return (approach){INFINITY, 1.0, false};
    return (approach){size / brake, fmax(all / (brake * brake) - 1.0, 0.0), true};
}

// The segment that leads straight to the stop.
static void make_tail(ss_slide* s, double left, const double c[3], ss_ending ending)
{
    ss_segment* g = &s->step.segment;
    double a[3];
    g->phase = SS_PHASE_TAIL;
    g->ending = ending;
    g->which = g->reference;
    g->t1 = g->t0 + left;
    ss_slide_slip_load(s, s->course.now.u, s->course.now.angle, g->load);
    for (int i = 0; i < 3; i++) a[i] = s->course.now.u[i] + left * c[i];
    if (ending == SS_END_SPOT) { // what is left of z is taken out across the rotation about the spot
        double c0 = g->cy, c1 = -g->cx, share = (a[0] * c0 + a[1] * c1 + a[2]) / (c0 * c0 + c1 * c1 + 1.0);
        a[0] = share * c0;
        a[1] = share * c1;
        a[2] = share;
    }
    for (int i = 0; i < 3; i++) g->after[i] = ending == SS_END_REST ? 0.0 : a[i];
}

// Whether an approach is so near its end that the time left is known to what the tolerance allows, in a
// motion that lasts about as long as `whole`; `change` is how much forces change meanwhile, relatively. Less
// than `digits` of the whole is nothing.
static bool is_near(const ss_slide* s, approach near, double change, double whole, double digits)
{
    double allowed = fmax(2.0 * DBL_EPSILON, 1e-3 * s->def.tolerance) * whole;
    if (near.left < digits * whole) return true;
    // The estimates of turning know nothing of fingers, and these may bring the body to rest as they do.
    if (s->fingers.closed > 0) return near.left < SS_SOLVED * whole;
    return near.drawn && near.left * (near.turning + change) < allowed;
}

// Whether a spot or line that slips may come to its own stop, or a ratchet turn, before the body stops: its
// speed is small against what the direction of motion still turns by.
static bool one_stops_before(const ss_slide* s, double turning)
{
    static const double safely = 4.0;
    double small = safely * sqrt(turning) * ss_norm3(s->course.now.u), z[2], row[3];
    for (int i = 0; i < s->made.spot_count; i++) {
        const ss_spot* spot = &s->made.spots[i];
        if (s->mode.spot_held[i] || s->mode.spot_off[i]) continue;
        ss_spot_velocity(spot, s->course.now.u, z);
        if (hypot(z[0], z[1]) < small * (1.0 + hypot(spot->x, spot->y))) return true;
    }
    for (int j = 0; j < s->made.line_count; j++) {
        if (s->mode.line_held[j] || s->mode.line_mode[j] == 0) continue;
        ss_line_row(s, j, row);
        if (fabs(ss_dot3(row, s->course.now.u)) < small * ss_norm3(row)) return true;
    }
    for (int r = 0; r < s->made.ratchet_count; r++) {
        const ss_spot* spot = &s->made.spots[s->made.ratchets[r].spot];
        if (s->mode.spot_held[s->made.ratchets[r].spot]) continue;
        double roll = ss_ratchet_roll_speed(s, r, s->course.now.angle, s->course.now.u);
        if (fabs(roll) < small * (1.0 + hypot(spot->x, spot->y))) return true;
    }
    return false;
}

bool ss_slide_find_tail(ss_slide* s)
{
    ss_segment* g = &s->step.segment;
    if (g->clock == SS_CLOCK_TIME) return false;
    double c[3], speed = sqrt(ss_dot3(s->course.now.u, s->course.now.u));
    ss_slide_project(s, s->step.seen_a[0], c);
    double strength = sqrt(ss_dot3(c, c)) + DBL_MIN;
    double whole =
        fmax(s->course.now.t - s->step.since + speed / strength, s->step.speed_scale / s->made.total_level);
    // The spot stops long before the body.
    if (g->clock == SS_CLOCK_SPOT && hypot(g->begin[0], g->begin[1]) < 1e-2 * speed) {
        const double zc[2] = {c[0] - c[2] * g->cy, c[1] + c[2] * g->cx};
        approach spot = approach_of_spot(s, &s->made.spots[g->reference], g->begin, zc);
        if (is_near(s, spot, spot.left * (speed + strength / speed), fmin(whole, speed / strength),
                    SS_SUM_NOISE)) {
            make_tail(s, spot.left, c, SS_END_SPOT);
            return true;
        }
    }
    double bend = speed * speed / strength; // convection: of second order, because it is across the motion
    approach body = approach_of_body(s->course.now.u, c);
    // Under a load that all but balances friction the direction need never settle. What steps of this speed
    // add to the time is lost in its last digit: it has stopped.
    if (isfinite(body.left) && speed <= DBL_EPSILON * s->made.strength * s->course.now.t) {
        make_tail(s, 0.0, c, SS_END_REST);
        return true;
    }
    if (!is_near(s, body, bend * bend + (s->made.loaded ? body.left * s->made.pace : 0.0), whole,
                 2.0 * DBL_EPSILON))
        return false;
    bool nothing = body.left < 2.0 * DBL_EPSILON * whole;
    bool visible =
        body.left > fmax(s->def.tolerance, 64.0 * DBL_EPSILON) * whole &&
        s->step.time > DBL_EPSILON * s->course.now.t; // shorter steps are lost in the last digit of time
    if (visible && one_stops_before(s, body.turning)) return false;
    if (!nothing && !s->step.straight && !is_drawn(s, s->course.now.u, speed / body.left)) return false;
    make_tail(s, body.left, c, SS_END_REST);
    return true;
}

void ss_slide_look_tail(const ss_slide* s, double t, ss_place* out)
{
    const ss_segment* g = &s->step.segment;
    const ss_place* now = &s->course.now;
    double time = fmin(fmax(t - g->t0, 0.0), g->t1 - g->t0), all = g->t1 - g->t0,
           share = all > 0.0 ? time / all : 1.0;
    double mean[3];
    ss_pushes pushes = {0};
    for (int i = 0; i < 3; i++) {
        out->u[i] = now->u[i] + share * (g->after[i] - now->u[i]);
        mean[i] = 0.5 * (now->u[i] + out->u[i]);
    }
    if (s->made.pushed) ss_slide_pushes(s, now, &pushes);
    double c = cos(now->angle), n = sin(now->angle);
    out->t = t;
    out->angle = now->angle;
    out->spun = now->spun;
    ss_slide_turn(s, mean[2] * time, out);
    out->x = now->x + time * (c * mean[0] - n * mean[1]);
    out->y = now->y + time * (n * mean[0] + c * mean[1]);
    out->friction = now->friction + time * ss_dot3(g->load, mean);
    out->input = now->input + time * ss_dot3(pushes.real, mean);
    // A floor that moves gives momentum: all that is gained, less what only seems so from the floor.
    double turn = ss_slide_frame_spin(s, mean), seems[3] = {turn * mean[1], -turn * mean[0], 0.0};
    for (int i = 0; i < 3; i++) {
        seems[i] += pushes.seen[i] - pushes.real[i];
        out->input += pushes.floor[i] * (out->u[i] - now->u[i] - time * seems[i]);
    }
}

// The acceleration of the spot that stops, with its direction of slip at an angle phi, and the load then. Its
// speed is as good as none, so that all others move as they will when it has stopped.
static void last_moment(const ss_slide* s, double phi, double z[2], double load[3])
{
    static const double slowly = 1e-60;
    const ss_segment* g = &s->step.segment;
    const double *u = g->after, slip[2] = {slowly * cos(phi), slowly * sin(phi)};
    double a[3], c[3], applied[3] = {0.0, 0.0, 0.0};
    ss_slide_load_about(s, g->cx, g->cy, slip, u[2], s->course.now.angle, load);
    ss_place at = s->course.now;
    at.t = g->t1;
    memcpy(at.u, u, sizeof at.u);
    if (s->made.loaded) ss_slide_applied(s, &at, applied);
    double turn = ss_slide_frame_spin(s, u);
    a[0] = applied[0] - load[0] + turn * u[1];
    a[1] = applied[1] - load[1] - turn * u[0];
    a[2] = applied[2] - load[2];
    ss_slide_project(s, a, c);
    z[0] = c[0] - c[2] * g->cy;
    z[1] = c[1] + c[2] * g->cx;
    for (int k = 0; k < 3; k++) load[k] += a[k] - c[k]; // and what is held
}

// How much the spot's acceleration is across its slip.
static double across_slip(const ss_slide* s, double phi)
{
    double z[2], load[3];
    last_moment(s, phi, z, load);
    return cos(phi) * z[1] - sin(phi) * z[0];
}

// The direction in which the spot comes to its stop: slip turns the way its acceleration says until that has
// no share across it.
static double last_direction(const ss_slide* s)
{
    enum { LOOKS = 320, HALVINGS = 60 };
    const double* z = s->step.segment.begin;
    double m[4];
    // A spot with one direction of motion stops along it.
    if (mobility_at(s, &s->made.spots[s->step.segment.reference], m) == 0.0) {
        int column = m[0] >= m[3] ? 0 : 1;
        double x = m[column], y = m[2 + column], way = x * z[0] + y * z[1] > 0.0 ? 1.0 : -1.0;
        return atan2(way * y, way * x);
    }
    double phi = atan2(z[1], z[0]), low = 0.0, high = 0.0, turns = across_slip(s, phi);
    double way = turns > 0.0 ? 1.0 : -1.0, nothing = SS_SOLVED * s->made.strength;
    // By symmetry the direction goes against what would turn it away, or nothing turns it.
    if (fabs(turns) <= nothing && way * across_slip(s, phi + way * 0.01) > -nothing) return phi;
    for (int i = 0; i < LOOKS && way * across_slip(s, phi + way * high) > 0.0; i++) {
        low = high;
        high += 0.01;
    }
    for (int i = 0; i < HALVINGS && high - low > SS_LAST_BIT; i++) {
        double middle = 0.5 * (low + high);
        *(way * across_slip(s, phi + way * middle) > 0.0 ? &low : &high) = middle;
    }
    return phi + way * high;
}

void ss_slide_last_load(const ss_slide* s, double load[3])
{
    double z[2];
    last_moment(s, last_direction(s), z, load);
}

// Along an eigen-direction q the body stops straight: applied - P = -brake q, and brake = Phi(q) - applied.q.
// A direction that still creeps has the load P(q), where that leaves no choice.
void ss_slide_final_load(const ss_slide* s, double load[3])
{
    ss_place at = s->course.now;
    at.t = s->step.segment.t1;
    at.angle += ss_slide_turn_left(s);
    memset(at.u, 0, sizeof at.u);
    ss_floor floor = ss_floor_at(s->slider, at.angle);
    const double* q = s->course.final.q;
    ss_power sum;
    ss_slide_weigh(s, at.t);
    bool is_chosen = ss_slider_sum(s->slider, &floor, q, NULL, &sum) > 0;
    if (!s->course.final.converged) {
        if (!is_chosen) memcpy(load, sum.p, sizeof sum.p);
        return;
    }
    memset(load, 0, 3 * sizeof *load);
    if (s->made.loaded) ss_slide_applied(s, &at, load);
    double brake = sum.phi - ss_dot3(load, q);
    for (int k = 0; k < 3; k++) load[k] += brake * q[k];
}
