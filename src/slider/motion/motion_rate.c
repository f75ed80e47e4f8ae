// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Rates of change in one mode: what slips pushes, what is held takes away directions.
#include "core/tolerance.h"
#include "slider/motion/motion_press.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- mode ----

// Takes a row into the orthonormal basis of what is held; rows that depend on the others add nothing.
static int add_normal(double normal[][3], int count, const double row[3])
{
    double r[3] = {row[0], row[1], row[2]}, size = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < count; i++) {
            double dot = r[0] * normal[i][0] + r[1] * normal[i][1] + r[2] * normal[i][2];
            for (int j = 0; j < 3; j++) r[j] -= dot * normal[i][j];
        }
    double left = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (left <= SS_CLEAR * size || count == 3) return count;
    for (int j = 0; j < 3; j++) normal[count][j] = r[j] / left;
    return count + 1;
}

int ss_slide_subspace(const ss_slide* s, const bool spots[], const bool lines[], double project[9])
{
    double normal[3][3] = {{0}};
    int count = 0;
    for (int i = 0; i < s->made.spot_count; i++) {
        if (!spots[i]) continue;
        const double rows[2][3] = {{1.0, 0.0, -s->made.spots[i].y}, {0.0, 1.0, s->made.spots[i].x}};
        for (int k = 0; k < 2; k++) count = add_normal(normal, count, rows[k]);
    }
    for (int j = 0; j < s->made.line_count; j++) {
        double row[3];
        if (!lines[j]) continue;
        ss_line_row(s, j, row);
        count = add_normal(normal, count, row);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < count; k++) sum -= normal[k][i] * normal[k][j];
            project[3 * i + j] = count == 3 ? 0.0 : sum;
        }
    return 3 - count;
}

void ss_slide_set_mode(ss_slide* s)
{
    s->mode.dof = ss_slide_subspace(s, s->mode.spot_held, s->mode.line_held, s->mode.project);
    s->mode.slip_count = s->mode.odd_count = 0;
    for (int i = 0; i < s->made.spot_count; i++) {
        const ss_spot* spot = &s->made.spots[i];
        if (s->mode.spot_held[i] || s->mode.spot_off[i]) continue;
        if (spot->kind != SS_SPOT_DISC) {
            s->mode.odd[s->mode.odd_count++] = i;
            continue;
        }
        s->mode.slip_x[s->mode.slip_count] = spot->x;
        s->mode.slip_y[s->mode.slip_count] = spot->y;
        s->mode.slip_level[s->mode.slip_count] = spot->level;
        s->mode.slip_spot[s->mode.slip_count++] = i;
    }
    ss_floor floor = {.is_plain = true, .d = {1, 0, 0, 1}};
    memset(s->mode.constant_load, 0, sizeof s->mode.constant_load);
    bool constant = !s->slider->floor_is_anisotropic && !s->weight;
    for (int j = 0; j < s->made.line_count && constant; j++) {
        double row[3];
        if (s->mode.line_held[j] || s->mode.line_mode[j] == 0) continue;
        ss_line_row(s, j, row);
        for (int k = 0; k < 3; k++)
            s->mode.constant_load[k] +=
                s->mode.line_mode[j] * ss_line_limit(s, j, &floor, s->mode.line_mode[j]) * row[k];
    }
}

// ---- loads ----

// Force and moment, about the reference place, of slipping discs when that place moves with z. Four at a
// time: the order of summation is fixed, so results do not depend on the compiler's vectors.
static int add_fours(const ss_slide* s, double cx, double cy, const double z[2], double w, double sum[3])
{
    enum { LANES = 4 };
    double fx[LANES] = {0}, fy[LANES] = {0}, m[LANES] = {0};
    int i = 0;
    for (; i + LANES <= s->mode.slip_count; i += LANES)
        for (int k = 0; k < LANES; k++) {
            double dx = s->mode.slip_x[i + k] - cx, dy = s->mode.slip_y[i + k] - cy;
            double vx = z[0] - w * dy, vy = z[1] + w * dx;
            double share = s->mode.slip_level[i + k] / sqrt(vx * vx + vy * vy);
            fx[k] += share * vx;
            fy[k] += share * vy;
            m[k] += share * (dx * vy - dy * vx);
        }
    sum[0] += (fx[0] + fx[1]) + (fx[2] + fx[3]);
    sum[1] += (fy[0] + fy[1]) + (fy[2] + fy[3]);
    sum[2] += (m[0] + m[1]) + (m[2] + m[3]);
    return i;
}

static void add_discs(const ss_slide* s, double cx, double cy, const double z[2], double w, double sum[3])
{
    int i = s->mode.slip_count >= 4 ? add_fours(s, cx, cy, z, w, sum) : 0;
    for (; i < s->mode.slip_count; i++) {
        double dx = s->mode.slip_x[i] - cx, dy = s->mode.slip_y[i] - cy;
        double vx = z[0] - w * dy, vy = z[1] + w * dx;
        double share = s->mode.slip_level[i] / sqrt(vx * vx + vy * vy);
        sum[0] += share * vx;
        sum[1] += share * vy;
        sum[2] += share * (dx * vy - dy * vx);
    }
}

// Slipping spots that are no discs, lines on an anisotropic floor, patches; about the centre of mass.
static void add_others(const ss_slide* s, double cx, double cy, const double z[2], double w, double angle,
                       double load[3])
{
    ss_floor floor = ss_floor_at(s->slider, angle);
    for (int i = 0; i < s->mode.odd_count; i++) {
        const ss_spot* spot = &s->made.spots[s->mode.odd[i]];
        double v[2] = {z[0] - w * (spot->y - cy), z[1] + w * (spot->x - cx)}, f[2];
        ss_spot_load(s, spot, &floor, v, f, NULL);
        load[0] += f[0];
        load[1] += f[1];
        load[2] += spot->x * f[1] - spot->y * f[0];
    }
    for (int j = 0; j < s->made.line_count && (!floor.is_plain || s->weight); j++) {
        double row[3];
        if (s->mode.line_held[j] || s->mode.line_mode[j] == 0) continue;
        ss_line_row(s, j, row);
        for (int k = 0; k < 3; k++)
            load[k] += s->mode.line_mode[j] * ss_line_limit(s, j, &floor, s->mode.line_mode[j]) * row[k];
    }
    double u[3] = {z[0] + w * cy, z[1] - w * cx, w};
    ss_power sum = {0};
    for (int i = 0; i < s->made.patch_count; i++)
        ss_element_power(&s->slider->elements[s->made.patches[i]], &floor, u, &sum);
    for (int k = 0; k < 3; k++) load[k] += sum.p[k];
}

void ss_slide_load_about(const ss_slide* s, double cx, double cy, const double z[2], double w, double angle,
                         double load[3])
{
    double about[3] = {0.0, 0.0, 0.0};
    add_discs(s, cx, cy, z, w, about);
    load[0] = about[0] + s->mode.constant_load[0];
    load[1] = about[1] + s->mode.constant_load[1];
    load[2] = about[2] + cx * about[1] - cy * about[0] + s->mode.constant_load[2];
    if (s->mode.odd_count + s->made.patch_count > 0 || s->slider->floor_is_anisotropic || s->weight)
        add_others(s, cx, cy, z, w, angle, load);
}

void ss_slide_slip_load(const ss_slide* s, const double u[3], double angle, double load[3])
{
    ss_slide_load_about(s, 0.0, 0.0, u, u[2], angle, load);
}

void ss_slide_alone_acceleration(const ss_slide* s, const ss_place* at, double a[3])
{
    double load[3] = {0.0, 0.0, 0.0}, applied[3] = {0.0, 0.0, 0.0};
    ss_slide_weigh(s, at->t);
    if (ss_dot3(at->u, at->u) > 0.0) ss_slide_slip_load(s, at->u, at->angle, load);
    if (s->made.loaded) ss_slide_applied(s, at, applied);
    double turn = ss_slide_frame_spin(s, at->u);
    a[0] = applied[0] - load[0] + turn * at->u[1];
    a[1] = applied[1] - load[1] - turn * at->u[0];
    a[2] = applied[2] - load[2];
}

void ss_slide_free_acceleration(const ss_slide* s, const ss_place* at, double a[3])
{
    ss_slide_alone_acceleration(s, at, a);
    if (s->fingers.closed == 0) return;
    if (!s->slider->quasistatic) {
        ss_press_add(s, at, a, NULL, NULL);
        return;
    }
    double load[3], rubbing;
    ss_quasi_finger_load(s, at, load, &rubbing);
    for (int i = 0; i < 3; i++) a[i] += load[i];
}

void ss_slide_turn(const ss_slide* s, double turn, ss_place* at)
{
    *(s->made.is_round ? &at->spun : &at->angle) += turn;
}

void ss_slide_project(const ss_slide* s, const double a[3], double out[3])
{
    const double* p = s->mode.project;
    double x = p[0] * a[0] + p[1] * a[1] + p[2] * a[2], y = p[3] * a[0] + p[4] * a[1] + p[5] * a[2];
    double w = p[6] * a[0] + p[7] * a[1] + p[8] * a[2];
    out[0] = x;
    out[1] = y;
    out[2] = w;
}

// ---- rates ----

double ss_slide_clock(const ss_segment* g, const double y[], const double u[3])
{
    if (g->clock == SS_CLOCK_TIME) return 1.0;
    if (g->clock == SS_CLOCK_SPOT) return sqrt(y[0] * y[0] + y[1] * y[1]);
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

void ss_slide_velocity(const ss_segment* g, const double y[], double u[3])
{
    u[0] = y[SS_Y_ZX] + y[SS_Y_SPIN] * g->cy;
    u[1] = y[SS_Y_ZY] - y[SS_Y_SPIN] * g->cx;
    u[2] = y[SS_Y_SPIN];
}

// The acceleration along a straight motion; notes what is left.
static void keep_straight(ss_slide* s, double a[3])
{
    double size = ss_dot3(a, s->step.along);
    for (int i = 0; i < 3; i++) {
        s->step.strays = fmax(s->step.strays, fabs(a[i] - size * s->step.along[i]));
        a[i] = size * s->step.along[i];
    }
}

// Takes the velocity, or the spin, out of u where it is only rounding; false where both are there.
static bool is_pure(double u[3])
{
    static const double rounding = 8.0 * DBL_EPSILON;
    double speed = hypot(u[0], u[1]), spin = fabs(u[2]);
    if (spin <= rounding * speed)
        u[2] = 0.0;
    else if (speed <= rounding * spin)
        u[0] = u[1] = 0.0;
    else
        return false;
    return ss_norm3(u) > 0.0;
}

bool ss_slide_is_straight(ss_slide* s)
{
    double a[3], applied[3] = {0.0, 0.0, 0.0};
    ss_place at = s->course.now;
    if (s->step.limit_flow || s->mode.dof < 2 || s->fingers.closed > 0 || !is_pure(at.u)) return false;
    double speed = ss_norm3(at.u);
    ss_slide_free_acceleration(s, &at, a);
    ss_slide_project(s, a, a);
    if (s->made.loaded) ss_slide_applied(s, &at, applied);
    for (int i = 0; i < 3; i++) s->step.along[i] = at.u[i] / speed;
    s->step.strays = 0.0;
    keep_straight(s, a);
    if (s->step.strays > 16.0 * DBL_EPSILON * (s->made.strength + ss_norm3(applied))) return false;
    s->course.now = at;
    s->step.reference_known = -1;
    return true;
}

void ss_slide_whole_load(const ss_slide* s, const ss_place* at, const ss_pushes* pushes,
                         const double slipping[3], double ground[3])
{
    memcpy(ground, slipping, 3 * sizeof *ground);
    if (s->mode.dof == 3) return;
    double turn = ss_slide_frame_spin(s, at->u), held[3];
    const double a[3] = {pushes->seen[0] - slipping[0] + turn * at->u[1],
                         pushes->seen[1] - slipping[1] - turn * at->u[0], pushes->seen[2] - slipping[2]};
    ss_slide_project(s, a, held);
    for (int i = 0; i < 3; i++) ground[i] += a[i] - held[i];
}

// What pushes at a state of the step under way.
static void pushes_at(const ss_slide* s, const double y[], const double u[3], double angle, ss_place* place,
                      ss_pushes* out)
{
    ss_place at = {.t = s->course.now.t + y[SS_Y_TIME], .angle = angle, .u = {u[0], u[1], u[2]}};
    if (s->slider->motion.turns || s->fingers.closed > 0) {
        double c = cos(angle), n = sin(angle);
        at.x = s->course.now.x + c * y[SS_Y_DX] - n * y[SS_Y_DY];
        at.y = s->course.now.y + n * y[SS_Y_DX] + c * y[SS_Y_DY];
    }
    ss_slide_pushes(s, &at, out);
    *place = at;
}

// dy/ds [GRP91, (4)]: acceleration in the frame = applied load - load on the ground - (its turning) x V.
void ss_slide_rate(void* user, const double y[], int stage, double dy[])
{
    ss_slide* s = user;
    if (s->slider->quasistatic) {
        ss_quasi_rate(user, y, stage, dy);
        return;
    }
    const ss_segment* g = &s->step.segment;
    double u[3], load[3], angle = ss_slide_angle_at(s, y);
    ss_pushes pushes = {0};
    ss_place at;
    ss_slide_velocity(g, y, u);
    ss_slide_weigh(s, s->course.now.t + y[SS_Y_TIME]);
    ss_slide_load_about(s, g->cx, g->cy, y, u[2], angle, load);
    if (s->made.pushed) pushes_at(s, y, u, angle, &at, &pushes);
    double turn = ss_slide_frame_spin(s, u);
    double a[3] = {pushes.seen[0] - load[0] + turn * u[1], pushes.seen[1] - load[1] - turn * u[0],
                   pushes.seen[2] - load[2]};
    double pressed[3], rubbing = 0.0;
    if (s->fingers.closed > 0 && !s->step.limit_flow) {
        ss_press_add(s, &at, a, pressed, &rubbing);
        for (int i = 0; i < 3; i++) pushes.real[i] += pressed[i];
    }
    memcpy(s->step.seen_u[stage], u, sizeof u);
    memcpy(s->step.seen_a[stage], a, sizeof a);
    s->step.seen_angle[stage] = angle;
    double ground[3] = {load[0] + a[0], load[1] + a[1], load[2] + a[2]};
    if (s->mode.dof < 3) ss_slide_project(s, a, a);
    for (int i = 0; i < 3; i++) ground[i] -= a[i]; // and what is held
    if (s->step.straight) keep_straight(s, a);
    double c = ss_slide_clock(g, y, u);
    dy[SS_Y_ZX] = c * (a[0] - a[2] * g->cy);
    dy[SS_Y_ZY] = c * (a[1] + a[2] * g->cx);
    dy[SS_Y_SPIN] = c * a[2];
    // Where only directions matter the body stays as it lies on the floor.
    dy[SS_Y_ANGLE] = s->step.limit_flow ? 0.0 : c * u[2];
    dy[SS_Y_DX] = c * (u[0] + turn * y[SS_Y_DY]);
    dy[SS_Y_DY] = c * (u[1] - turn * y[SS_Y_DX]);
    dy[SS_Y_TIME] = c;
    dy[SS_Y_FRICTION] = c * (load[0] * u[0] + load[1] * u[1] + load[2] * u[2] + rubbing);
    dy[SS_Y_INPUT] = c * (ss_slide_input_power(&pushes, u, ground) + rubbing);
}
