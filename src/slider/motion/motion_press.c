// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slider/motion/motion_press.h"

#include "core/expression/signal_series.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = 2 * SS_FINGERS_MOST };

// ---- what touches

static void look_at(const ss_slide* s, const ss_place* at, int finger, ss_press* out)
{
    int k = out->count++;
    ss_finger_motion f;
    ss_contact* c = &out->contact[k];
    double omega = at->u[2], turn = ss_slide_frame_spin(s, at->u), way[2], radius = s->slider->outline.radius;
    ss_finger_motion_at(s, finger, at, &f);
    ss_finger_contact(s, finger, &f, c);
    ss_contact_slip(c, at->u, out->slip[k]);
    way[0] = out->slip[k][0] + (turn - omega) * f.p[1];
    way[1] = out->slip[k][1] - (turn - omega) * f.p[0];
    out->target[k][0] = f.a[0] + turn * f.v[1] + omega * way[1];
    out->target[k][1] = f.a[1] - turn * f.v[0] - omega * way[0];
    out->turning[k] = radius > 0.0 ? -(way[0] * out->slip[k][0] + way[1] * out->slip[k][1]) / radius : 0.0;
    out->mode[k] = s->fingers.each[finger].mode;
    out->finger[k] = finger;
    memset(out->force[k], 0, sizeof out->force[k]);
}

void ss_press_look(const ss_slide* s, const ss_place* at, ss_press* out)
{
    out->count = 0;
    for (int i = 0; i < s->slider->pusher_count && out->count < SS_FINGERS_MOST; i++)
        if (s->fingers.each[i].touches) look_at(s, at, i, out);
}

static int way_of(ss_mode mode) { return mode == SS_MODE_SLIP_PLUS ? 1 : -1; }

// ---- equations

/// Rows B a = want, and the loads of unit forces.
typedef struct rows {
    int count;
    double row[ROWS][3], want[ROWS], load[ROWS][3];
} rows;

static void add_row(rows* r, const ss_contact* c, const double d[2], const double force[2], double want)
{
    ss_contact_load(c, d, r->row[r->count]);
    ss_contact_load(c, force, r->load[r->count]);
    r->want[r->count++] = want;
}

static void make_rows(const ss_press* p, rows* r)
{
    const double axes[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
    r->count = 0;
    for (int k = 0; k < p->count; k++) {
        double edge[2];
        const double* n = p->contact[k].normal[p->mode[k] == SS_MODE_SLIP_PLUS];
        if (p->mode[k] == SS_MODE_OPEN) continue;
        for (int i = 0; i < 2 && p->mode[k] == SS_MODE_STICK; i++)
            add_row(r, &p->contact[k], axes[i], axes[i], p->target[k][i]);
        if (p->mode[k] == SS_MODE_STICK) continue;
        ss_contact_edge(&p->contact[k], way_of(p->mode[k]), edge);
        add_row(r, &p->contact[k], n, edge, n[0] * p->target[k][0] + n[1] * p->target[k][1] + p->turning[k]);
    }
}

static void set_forces(ss_press* p, const double z[])
{
    int n = 0;
    for (int k = 0; k < p->count; k++) {
        double edge[2];
        p->force[k][0] = p->force[k][1] = 0.0;
        if (p->mode[k] == SS_MODE_OPEN) continue;
        if (p->mode[k] == SS_MODE_STICK) {
            for (int i = 0; i < 2; i++) p->force[k][i] = z[n++];
            continue;
        }
        ss_contact_edge(&p->contact[k], way_of(p->mode[k]), edge);
        for (int i = 0; i < 2; i++) p->force[k][i] = z[n] * edge[i];
        n++;
    }
}

// M z = b by elimination with full pivots; unknowns that the others leave no say are 0.
static void eliminate(double m[ROWS][ROWS], double b[], int n, double z[])
{
    int column[ROWS], rank = 0;
    double largest = 0.0;
    for (int i = 0; i < n; i++) column[i] = i;
    for (; rank < n; rank++) {
        int row = rank, col = rank;
        for (int i = rank; i < n; i++)
            for (int j = rank; j < n; j++)
                if (fabs(m[i][column[j]]) > fabs(m[row][column[col]])) row = i, col = j;
        double pivot = fabs(m[row][column[col]]);
        largest = fmax(largest, pivot);
        if (!(pivot > SS_SOLVED * largest)) break;
        int c = column[col];
        column[col] = column[rank];
        column[rank] = c;
        for (int j = 0; j < n; j++) {
            double keep = m[row][j];
            m[row][j] = m[rank][j];
            m[rank][j] = keep;
        }
        double keep = b[row];
        b[row] = b[rank];
        b[rank] = keep;
        for (int i = rank + 1; i < n; i++) {
            double share = m[i][c] / m[rank][c];
            for (int j = 0; j < n; j++) m[i][j] -= share * m[rank][j];
            b[i] -= share * b[rank];
        }
    }
    memset(z, 0, (size_t)n * sizeof *z);
    for (int i = rank - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < rank; j++) sum -= m[i][column[j]] * z[column[j]];
        z[column[i]] = sum / m[i][column[i]];
    }
}

// The z with B P (a0 + C z) = want; project NULL: nothing is held.
static void solve(const ss_slide* s, const rows* r, const double a0[3], bool held, double z[])
{
    double m[ROWS][ROWS], b[ROWS], free[3] = {a0[0], a0[1], a0[2]};
    if (held) ss_slide_project(s, a0, free);
    for (int j = 0; j < r->count; j++) {
        double column[3] = {r->load[j][0], r->load[j][1], r->load[j][2]};
        if (held) ss_slide_project(s, r->load[j], column);
        for (int i = 0; i < r->count; i++) m[i][j] = ss_dot3(r->row[i], column);
    }
    for (int i = 0; i < r->count; i++) b[i] = r->want[i] - ss_dot3(r->row[i], free);
    eliminate(m, b, r->count, z);
}

static void add_loads(const rows* r, const double z[], double a[3])
{
    for (int j = 0; j < r->count; j++)
        for (int i = 0; i < 3; i++) a[i] += z[j] * r->load[j][i];
}

void ss_press_add(const ss_slide* s, const ss_place* at, double a[3], double load[3], double* rubbing)
{
    ss_press p;
    rows r;
    double z[ROWS], sum[3] = {0.0, 0.0, 0.0};
    ss_press_look(s, at, &p);
    make_rows(&p, &r);
    solve(s, &r, a, s->mode.dof < 3, z);
    add_loads(&r, z, sum);
    for (int i = 0; i < 3; i++) a[i] += sum[i];
    if (load) memcpy(load, sum, sizeof sum);
    if (!rubbing) return;
    set_forces(&p, z);
    *rubbing = 0.0;
    for (int k = 0; k < p.count; k++)
        if (p.mode[k] != SS_MODE_STICK)
            *rubbing += p.force[k][0] * p.slip[k][0] + p.force[k][1] * p.slip[k][1];
}

void ss_press_resist(const ss_slide* s, double load[3])
{
    ss_press p;
    rows r;
    double z[ROWS];
    ss_press_look(s, &s->course.now, &p);
    make_rows(&p, &r);
    memset(r.want, 0, sizeof r.want);
    solve(s, &r, load, s->mode.dof < 3, z);
    add_loads(&r, z, load);
}

// Returns the size of all forces.
static double forces_at(const ss_slide* s, const ss_place* at, ss_press* p)
{
    rows r;
    double a[3], z[ROWS];
    ss_press_look(s, at, p);
    make_rows(p, &r);
    ss_slide_alone_acceleration(s, at, a);
    solve(s, &r, a, s->mode.dof < 3, z);
    set_forces(p, z);
    return s->made.strength + ss_norm3(a);
}

void ss_press_force(const ss_slide* s, const ss_place* at, int finger, double force[2])
{
    ss_press p;
    forces_at(s, at, &p);
    force[0] = force[1] = 0.0;
    for (int k = 0; k < p.count; k++)
        if (p.finger[k] == finger) memcpy(force, p.force[k], sizeof p.force[k]);
}

// ---- whether modes are right

static double speed_size(const ss_press* p, const double u[3])
{
    double size = hypot(u[0], u[1]);
    for (int k = 0; k < p->count; k++)
        size = fmax(size, fmax(hypot(p->contact[k].v[0], p->contact[k].v[1]),
                               fabs(u[2]) * hypot(p->contact[k].x, p->contact[k].y)));
    return size;
}

static bool force_is_right(const ss_press* p, int k, double slack)
{
    const ss_contact* c = &p->contact[k];
    const double* f = p->force[k];
    double left[2], right[2];
    if (p->mode[k] == SS_MODE_OPEN) return true;
    if (p->mode[k] != SS_MODE_STICK) {
        const double* n = c->normal[p->mode[k] == SS_MODE_SLIP_PLUS];
        return n[0] * f[0] + n[1] * f[1] >= -slack;
    }
    ss_contact_cone(c, left, right);
    return f[0] * left[1] - f[1] * left[0] >= -slack * (1.0 + c->mu) &&
           right[0] * f[1] - right[1] * f[0] >= -slack * (1.0 + c->mu);
}

static bool slips_rightly(const ss_press* p, int k, double slack)
{
    double t[2];
    if (p->mode[k] == SS_MODE_OPEN || p->mode[k] == SS_MODE_STICK) return true;
    ss_contact_tangent(&p->contact[k], way_of(p->mode[k]), t);
    return way_of(p->mode[k]) * (p->slip[k][0] * t[0] + p->slip[k][1] * t[1]) >= -slack;
}

bool ss_press_fits(ss_slide* s, const ss_place* at)
{
    ss_press p;
    for (int i = 0; i < s->slider->pusher_count; i++) {
        ss_finger_motion f;
        ss_finger_motion_at(s, i, at, &f);
        if (!ss_finger_stays(s, i, &f)) return false;
    }
    if (s->fingers.closed == 0) return true;
    double slack = SS_FAINT * forces_at(s, at, &p);
    double slow = SS_SOLVED * speed_size(&p, at->u);
    for (int k = 0; k < p.count; k++)
        if (!force_is_right(&p, k, slack) || !slips_rightly(&p, k, slow)) return false;
    return true;
}

// ---- decisions

// What a force z of the fingers leaves of the equations B x(a0 + C z) = want, where x follows from what is at
// rest; its size.
static double left_of(ss_slide* s, const rows* r, bool rest, ss_press_follow* follow, const double a0[3],
                      const double z[], double left[])
{
    double a[3], x[3], most = 0.0;
    memcpy(a, a0, sizeof a);
    add_loads(r, z, a);
    follow(s, rest, a, x);
    for (int i = 0; i < r->count; i++) {
        left[i] = r->want[i] - ss_dot3(r->row[i], x);
        most = fmax(most, fabs(left[i]));
    }
    return most;
}

// By differences: how B x changes with each force.
static void slopes_of(ss_slide* s, const rows* r, bool rest, ss_press_follow* follow, const double a0[3],
                      const double z[], double d, const double left[], double m[ROWS][ROWS])
{
    for (int j = 0; j < r->count; j++) {
        double near[ROWS], beside[ROWS];
        memcpy(near, z, sizeof near);
        near[j] += d;
        left_of(s, r, rest, follow, a0, near, beside);
        for (int i = 0; i < r->count; i++) m[i][j] = (left[i] - beside[i]) / d;
    }
}

// The z with B x(a0 + C z) = want. What is at rest may let go meanwhile: x has kinks, and stands still where
// everything holds. Newton's method with a damping that falls while steps leave less, and rises where they do
// not [Levenberg 1944]: forces that change nothing yet then grow by factors until something lets go.
static bool solve_with_rest(ss_slide* s, const rows* r, bool rest, ss_press_follow* follow,
                            const double a0[3], double z[])
{
    enum { ROUNDS = 120 };
    static const double factor = 8.0, least = 1e-9, most = 1e6;
    double size = s->made.strength + ss_norm3(a0), m[ROWS][ROWS], left[ROWS], damping = least;
    solve(s, r, a0, false, z);
    double best = left_of(s, r, rest, follow, a0, z, left);
    for (int round = 0; round < ROUNDS && best > SS_RELATIVE_ZERO * size; round++) {
        double damped[ROWS][ROWS], b[ROWS], step[ROWS], next[ROWS], after[ROWS];
        slopes_of(s, r, rest, follow, a0, z, SS_ROOT_NOISE * size, left, m);
        bool better = false;
        for (; !better && damping < most; damping *= factor) {
            memcpy(damped, m, sizeof m);
            memcpy(b, left, sizeof b);
            for (int j = 0; j < r->count; j++) damped[j][j] += damping * ss_dot3(r->row[j], r->load[j]);
            eliminate(damped, b, r->count, step);
            for (int j = 0; j < ROWS; j++) next[j] = j < r->count ? z[j] + step[j] : 0.0;
            double then = left_of(s, r, rest, follow, a0, next, after);
            double onward = 0.0; // the dual function still rises along the step
            for (int j = 0; j < r->count; j++) onward += after[j] * step[j];
            better = then <= best || onward >= 0.0;
            if (!better) continue;
            // nothing gained within rounding
            if (then > 0.5 * best && best <= SS_SOLVED * size) return true;
            best = then;
            memcpy(z, next, sizeof next);
            memcpy(left, after, sizeof after);
        }
        if (!better) return best <= SS_SOLVED * size;
        damping = fmax(damping / (factor * factor * factor), least);
    }
    return best <= SS_SOLVED * size;
}

// Whether a finger comes in, past the line of a side by its velocity, or, where that is along the side, by
// its acceleration. At a convex corner it must pass both lines: one that slips past the end of a side leaves
// the next one behind whatever accelerates it.
static bool begins_to_enter(const ss_press* p, int k, const double pushed[2], double slow, double slack)
{
    const ss_contact* c = &p->contact[k];
    bool into[2];
    for (int i = 0; i < 2; i++) {
        const double* n = c->normal[i];
        double speed = n[0] * p->slip[k][0] + n[1] * p->slip[k][1];
        into[i] = fabs(speed) > slow ? speed > 0.0 : n[0] * pushed[0] + n[1] * pushed[1] > slack;
    }
    return c->convex ? into[0] && into[1] : into[0] || into[1];
}

// Whether an acceleration keeps open fingers out and starts slip the right way.
static bool starts_rightly(const ss_press* p, int k, const double x[3], double slow, double slack)
{
    const ss_contact* c = &p->contact[k];
    const double rise[2] = {p->target[k][0] - x[0] + x[2] * c->y, p->target[k][1] - x[1] - x[2] * c->x};
    if (p->mode[k] == SS_MODE_STICK) return true;
    if (p->mode[k] == SS_MODE_OPEN) {
        const double pushed[2] = {rise[0] + p->turning[k] * c->normal[0][0],
                                  rise[1] + p->turning[k] * c->normal[0][1]};
        return !begins_to_enter(p, k, pushed, slow, slack);
    }
    double t[2];
    int way = way_of(p->mode[k]);
    ss_contact_tangent(c, way, t);
    if (way * (t[0] * p->slip[k][0] + t[1] * p->slip[k][1]) > slow) return true;
    return way * (t[0] * rise[0] + t[1] * rise[1]) >= -slack;
}

// Modes that a finger may take by its velocity.
static bool may_be(const ss_press* p, int k, ss_mode mode, double slow)
{
    const ss_contact* c = &p->contact[k];
    const double* w = p->slip[k];
    double t[2];
    if (mode == SS_MODE_OPEN) return true;
    if (mode == SS_MODE_STICK) return hypot(w[0], w[1]) <= slow && (c->mu > 0.0 || c->convex);
    const double* n = c->normal[mode == SS_MODE_SLIP_PLUS];
    ss_contact_tangent(c, way_of(mode), t);
    return fabs(n[0] * w[0] + n[1] * w[1]) <= slow && way_of(mode) * (t[0] * w[0] + t[1] * w[1]) >= -slow;
}

static bool try_modes(ss_slide* s, ss_press* p, bool rest, ss_press_follow* follow, const double a0[3],
                      double slow, double a[3])
{
    rows r;
    // Less than a step grants, so that what ends one does not begin the next.
    double z[ROWS], x[3], slack = SS_SOLVED * (s->made.strength + ss_norm3(a0));
    make_rows(p, &r);
    if (r.count > 0 && !solve_with_rest(s, &r, rest, follow, a0, z)) return false;
    memcpy(a, a0, 3 * sizeof *a);
    add_loads(&r, z, a);
    set_forces(p, z);
    follow(s, rest, a, x);
    for (int k = 0; k < p->count; k++)
        if (!force_is_right(p, k, slack) || !starts_rightly(p, k, x, slow, slack)) return false;
    return true;
}

static bool choose(ss_press* p, int k, double slow)
{
    static const ss_mode modes[] = {SS_MODE_OPEN, SS_MODE_STICK, SS_MODE_SLIP_PLUS, SS_MODE_SLIP_MINUS};
    for (int i = 0; i < p->count; i++, k /= 4) {
        p->mode[i] = modes[k % 4];
        if (!may_be(p, i, p->mode[i], slow)) return false;
    }
    return true;
}

static void take_modes(ss_slide* s, const ss_press* p)
{
    s->fingers.closed = 0;
    for (int i = 0; i < s->slider->pusher_count; i++) s->fingers.each[i].mode = SS_MODE_OPEN;
    for (int k = 0; k < p->count; k++) {
        ss_finger_state* own = &s->fingers.each[p->finger[k]];
        own->mode = p->mode[k];
        own->leaves = own->leaves || own->mode == SS_MODE_OPEN;
        ss_finger_leave_corner(s, p->finger[k]);
        memcpy(own->rest_force, p->force[k], sizeof own->rest_force);
        s->fingers.closed += own->mode != SS_MODE_OPEN;
    }
}

// A finger that stands where the body rests touches without force.
static void let_stand(const ss_slide* s, ss_press* p, const double x[3])
{
    for (int k = 0; k < p->count && ss_norm3(x) == 0.0; k++) {
        const double* v = p->contact[k].v;
        bool stands = v[0] == 0.0 && v[1] == 0.0 && ss_norm3(s->course.now.u) == 0.0;
        if (stands && p->mode[k] == SS_MODE_OPEN) p->mode[k] = SS_MODE_STICK;
    }
}

void ss_press_decide(ss_slide* s, const ss_place* at, bool rest, ss_press_follow* follow, double a[3])
{
    ss_press p;
    double a0[3], x[3];
    s->fingers.closed = 0;
    ss_slide_alone_acceleration(s, at, a0);
    memcpy(a, a0, sizeof a0);
    ss_press_look(s, at, &p);
    double slow = SS_CLEAR * speed_size(&p, at->u);
    s->fingers.squeezed = p.count > 0;
    for (int k = 0; k < 1 << 2 * p.count && p.count > 0; k++) {
        if (!choose(&p, k, slow) || !try_modes(s, &p, rest, follow, a0, slow, a)) continue;
        s->fingers.squeezed = false;
        follow(s, rest, a, x);
        if (rest) let_stand(s, &p, x);
        break;
    }
    if (s->fingers.squeezed) p.count = 0;
    take_modes(s, &p);
}

// ---- impulses

// Components of slip along the normals, after impulses in given modes.
static bool hit_in_modes(const ss_slide* s, ss_press* p, const double u[3], double slow, double after[3])
{
    rows r;
    double z[ROWS], size = 0.0;
    for (int k = 0; k < p->count; k++) {
        p->target[k][0] = p->contact[k].v[0];
        p->target[k][1] = p->contact[k].v[1];
        p->turning[k] = 0.0;
    }
    make_rows(p, &r);
    solve(s, &r, u, false, z);
    memcpy(after, u, 3 * sizeof *after);
    add_loads(&r, z, after);
    set_forces(p, z);
    for (int k = 0; k < p->count; k++) size = fmax(size, hypot(p->force[k][0], p->force[k][1]));
    for (int k = 0; k < p->count; k++) {
        ss_contact_slip(&p->contact[k], after, p->slip[k]);
        if (!force_is_right(p, k, SS_SOLVED * size) || !slips_rightly(p, k, slow)) return false;
        if (p->mode[k] == SS_MODE_OPEN && ss_contact_enters(&p->contact[k], p->slip[k], slow)) return false;
    }
    return true;
}

static bool some_enter(const ss_press* p, double slow)
{
    for (int k = 0; k < p->count; k++)
        if (ss_contact_enters(&p->contact[k], p->slip[k], slow)) return true;
    return false;
}

static void free_supports(ss_slide* s)
{
    size_t n = (size_t)s->slider->element_count;
    memset(s->mode.spot_held, 0, n * sizeof *s->mode.spot_held);
    memset(s->mode.spot_off, 0, n * sizeof *s->mode.spot_off);
    memset(s->mode.line_held, 0, n * sizeof *s->mode.line_held);
    s->step.since = s->course.now.t;
    s->step.path = 0.0;
    s->course.has_final = false;
}

// The ledger: fingers put in the work of their impulses, what does not become motion is lost.
static void note_hit(ss_slide* s, const ss_press* p, const double before[3], const double after[3])
{
    ss_place* now = &s->course.now;
    ss_pushes pushes;
    double was = ss_slide_kinetic(s, now), input = 0.0;
    ss_slide_pushes(s, now, &pushes);
    memcpy(now->u, after, sizeof now->u);
    for (int k = 0; k < p->count; k++) {
        ss_finger_state* own = &s->fingers.each[p->finger[k]];
        double slip[2], load[3];
        const double* n = p->contact[k].normal[0];
        ss_contact_slip(&p->contact[k], before, slip);
        ss_contact_load(&p->contact[k], p->force[k], load);
        own->speed_in = p->mode[k] == SS_MODE_OPEN ? 0.0 : fmax(n[0] * slip[0] + n[1] * slip[1], 0.0);
        input += p->force[k][0] * p->contact[k].v[0] + p->force[k][1] * p->contact[k].v[1] +
                 ss_dot3(load, pushes.floor);
    }
    now->input += input;
    now->impact += input - (ss_slide_kinetic(s, now) - was);
    s->step.speed_scale = fmax(s->step.speed_scale, ss_norm3(after));
}

void ss_press_hit(ss_slide* s)
{
    ss_press p;
    double before[3], after[3];
    memcpy(before, s->course.now.u, sizeof before);
    for (int i = 0; i < s->slider->pusher_count; i++) s->fingers.each[i].speed_in = 0.0;
    ss_press_look(s, &s->course.now, &p);
    double slow = SS_CLEAR * speed_size(&p, before);
    if (!some_enter(&p, slow)) return;
    // Where several choices are right, the one in which fewest fingers let go: others would only come again.
    ss_press best = p;
    double found[3];
    int fewest = p.count;
    for (int k = 1; k < 1 << 2 * p.count; k++) {
        static const ss_mode modes[] = {SS_MODE_OPEN, SS_MODE_STICK, SS_MODE_SLIP_PLUS, SS_MODE_SLIP_MINUS};
        int open = 0;
        for (int i = 0, rest = k; i < p.count; i++, rest /= 4) {
            p.mode[i] = modes[rest % 4];
            open += p.mode[i] == SS_MODE_OPEN;
        }
        if (open >= fewest || !hit_in_modes(s, &p, before, slow, after)) continue;
        fewest = open;
        best = p;
        memcpy(found, after, sizeof found);
    }
    if (fewest < p.count) {
        free_supports(s);
        note_hit(s, &best, before, found);
        return;
    }
    s->fingers.squeezed = true;
}

void ss_press_tidy(ss_slide* s)
{
    ss_press p;
    rows r;
    double z[ROWS];
    ss_press_look(s, &s->course.now, &p);
    for (int k = 0; k < p.count; k++) {
        p.target[k][0] = p.contact[k].v[0];
        p.target[k][1] = p.contact[k].v[1];
        p.turning[k] = 0.0;
    }
    make_rows(&p, &r);
    memcpy(r.load, r.row, sizeof r.load);
    solve(s, &r, s->course.now.u, s->mode.dof < 3, z);
    double change[3] = {0.0, 0.0, 0.0};
    for (int j = 0; j < r.count; j++) {
        double back[3];
        ss_slide_project(s, r.load[j], back);
        for (int i = 0; i < 3; i++) change[i] += z[j] * back[i];
    }
    const ss_segment* g = &s->step.segment;
    for (int i = 0; i < 3; i++) s->course.now.u[i] += change[i];
    s->step.reference_z[0] += change[0] - change[2] * g->cy; // the spot whose digits are its own follows
    s->step.reference_z[1] += change[1] + change[2] * g->cx;
}

// ---- how long

static void along_step(ss_slide* s, double where, ss_place* out)
{
    double y[SS_SLIDE_STATE];
    ss_slide_partial(s, where, y);
    ss_slide_place(s, y, out);
}

void ss_press_watch(ss_slide* s, double y[])
{
    enum { LOOKS = 4, HALVINGS = 200 };
    ss_segment* g = &s->step.segment;
    double h = g->length, good = 0.0, bad = h, all = y[SS_Y_TIME];
    ss_place at = s->course.now;
    while (good < h) {
        double share = all > 0.0 ? ss_finger_clear_time(s, &at, all) / all : 1.0;
        double next = fmin(h, good + h * fmin(share, 1.0 / LOOKS));
        ss_slide_partial(s, next, y);
        ss_slide_place(s, y, &at);
        bad = next;
        if (!ss_press_fits(s, &at) || ss_fingers_dip(s, along_step, good, next, &bad)) break;
        good = next;
    }
    bool ends = good < h;
    for (int k = 0; k < HALVINGS && ends && bad - good > DBL_EPSILON * bad; k++) {
        double middle = 0.5 * (good + bad);
        if (!(middle > good && middle < bad)) break;
        ss_slide_partial(s, middle, y);
        ss_slide_place(s, y, &at);
        *(ss_press_fits(s, &at) ? &good : &bad) = middle;
    }
    ss_slide_partial(s, ends ? bad : h, y);
    if (!ends) return;
    g->length = bad;
    g->ending = SS_END_FINGER;
}

// ---- rest

static bool rest_fits(const ss_slide* s, const ss_place* at)
{
    for (int i = 0; i < s->slider->pusher_count; i++) {
        const ss_finger_state* own = &s->fingers.each[i];
        ss_finger_motion f;
        ss_contact contact;
        ss_finger_motion_at(s, i, at, &f);
        if (!ss_finger_stays(s, i, &f)) return false;
        if (own->mode != SS_MODE_OPEN && (f.v[0] != 0.0 || f.v[1] != 0.0)) return false;
        if (!own->touches) continue;
        ss_finger_contact(s, i, &f, &contact);
        if (ss_contact_enters(&contact, f.v, SS_SOLVED * hypot(f.v[0], f.v[1]))) return false;
    }
    return true;
}

static bool all_signals_stay(const ss_slide* s)
{
    for (int i = 0; i < s->slider->varying.signal_count; i++)
        if (!ss_signal_stays(s->slider->varying.signals[i], s->course.now.t * s->slider->unit_time,
                             s->inputs.scratch))
            return false;
    return true;
}

static bool some_finger_carries(const ss_slide* s)
{
    for (int i = 0; i < s->slider->pusher_count; i++) {
        const double* f = s->fingers.each[i].rest_force;
        if (s->fingers.each[i].mode != SS_MODE_OPEN && (f[0] != 0.0 || f[1] != 0.0)) return true;
    }
    return false;
}

static void along_rest(ss_slide* s, double where, ss_place* out)
{
    *out = s->course.now;
    out->t += where;
}

// The first time within h at which the rest is not right any more; false where it is right all along.
static bool find_end_of_rest(ss_slide* s, double* h)
{
    enum { HALVINGS = 200 };
    double good = 0.0, bad = *h, t = s->course.now.t;
    ss_place at = s->course.now;
    while (good < *h) {
        bad = fmin(*h, good + fmin(ss_finger_clear_time(s, &at, *h), *h / 4.0));
        at.t = t + bad;
        if (!rest_fits(s, &at)) break;
        double next = bad;
        if (ss_fingers_dip(s, along_rest, good, next, &bad)) break;
        good = next;
    }
    if (good >= *h) return false;
    for (int k = 0; k < HALVINGS && bad - good > DBL_EPSILON * (t + bad); k++) {
        double middle = 0.5 * (good + bad);
        if (!(middle > good && middle < bad)) break;
        at.t = t + middle;
        *(rest_fits(s, &at) ? &good : &bad) = middle;
    }
    *h = bad;
    return true;
}

void ss_press_watch_rest(ss_slide* s)
{
    static const double ahead = 1.0, often = 0.01;
    ss_segment* g = &s->step.segment;
    bool past = true, carries = some_finger_carries(s);
    double t = s->course.now.t;
    for (int i = 0; i < s->slider->pusher_count; i++) past = past && ss_finger_is_past(s, i, &s->course.now);
    if (carries) { // the floor alone does not hold: who holds is decided anew, unless nothing ever changes
        g->t1 = past && all_signals_stay(s) ? INFINITY : t + often;
        g->ending = isinf(g->t1) ? SS_END_NONE : SS_END_FINGER;
    }
    if (past && (isinf(g->t1) || g->ending != SS_END_NONE)) return;
    double most = fmin(g->t1 - t, ahead), stop = ss_slide_next_break(s, t, most) - t, h = fmin(most, stop);
    bool at_stop = h == stop, ends = find_end_of_rest(s, &h);
    if (!ends && h >= g->t1 - t) return;
    g->ending = ends || at_stop ? SS_END_FINGER : SS_END_NONE;
    g->t1 = t + h;
}
