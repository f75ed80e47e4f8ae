// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slider/finger/push_together.h"

#include "core/tolerance.h"
#include "slider/finger/finger_forces.h"

#include <math.h>
#include <string.h>

// Velocities and forces that are this share of the fingers' are 0.
static const double nothing = SS_SOLVED;

void ss_contact_tangent(const ss_contact* c, int way, double t[2])
{
    const double* n = c->normal[way > 0];
    t[0] = n[1];
    t[1] = -n[0];
}

void ss_contact_slip(const ss_contact* c, const double q[3], double w[2])
{
    w[0] = c->v[0] - q[0] + q[2] * c->y;
    w[1] = c->v[1] - q[1] - q[2] * c->x;
}

void ss_contact_load(const ss_contact* c, const double force[2], double load[3])
{
    load[0] = force[0];
    load[1] = force[1];
    load[2] = c->x * force[1] - c->y * force[0];
}

void ss_contact_edge(const ss_contact* c, int way, double edge[2])
{
    double t[2];
    ss_contact_tangent(c, way, t);
    for (int i = 0; i < 2; i++) edge[i] = c->normal[way > 0][i] + way * c->mu * t[i];
}

void ss_contact_cone(const ss_contact* c, double left[2], double right[2])
{
    ss_contact_edge(c, -1, left);
    ss_contact_edge(c, 1, right);
    if (!c->convex) return;
    const double *n = c->middle, t[2] = {n[1], -n[0]};
    for (int i = 0; i < 2; i++) {
        left[i] = n[i] - c->mu * t[i];
        right[i] = n[i] + c->mu * t[i];
    }
}

bool ss_contact_enters(const ss_contact* c, const double w[2], double least)
{
    bool into[2];
    for (int k = 0; k < 2; k++) into[k] = c->normal[k][0] * w[0] + c->normal[k][1] * w[1] > least;
    return c->convex ? into[0] && into[1] : into[0] || into[1];
}

static int way_of(ss_mode mode) { return mode == SS_MODE_SLIP_PLUS ? 1 : -1; }

// ---- whether the modes are right

static double size_of_velocities(const ss_contact contacts[], int count, const double q[3])
{
    double size = 0.0;
    for (int i = 0; i < count; i++)
        size = fmax(size, fmax(hypot(contacts[i].v[0], contacts[i].v[1]),
                               fabs(q[2]) * hypot(contacts[i].x, contacts[i].y)));
    return fmax(size, hypot(q[0], q[1]));
}

static bool slip_is_right(const ss_contact* c, ss_mode mode, const double q[3], double size)
{
    double w[2], t[2];
    ss_contact_slip(c, q, w);
    if (mode == SS_MODE_OPEN) return !ss_contact_enters(c, w, nothing * size);
    if (mode == SS_MODE_STICK) return true;
    ss_contact_tangent(c, way_of(mode), t);
    return way_of(mode) * (w[0] * t[0] + w[1] * t[1]) >= -nothing * size;
}

static bool all_slip_rightly(const ss_contact contacts[], int count, const ss_pushed_by* out)
{
    double size = size_of_velocities(contacts, count, out->q);
    for (int i = 0; i < count; i++)
        if (!slip_is_right(&contacts[i], out->mode[i], out->q, size)) return false;
    return true;
}

// ---- one finger alone

// The finger whose cone of forces is this one's; in a corner that points inwards it is wider.
static ss_finger finger_of(const ss_contact* c, ss_mode mode)
{
    ss_finger f = {.x = c->x, .y = c->y, .mu = c->mu, .v = {c->v[0], c->v[1]}};
    const double *a = c->normal[0], *b = c->normal[1];
    double sine = b[0] * a[1] - b[1] * a[0], cosine = a[0] * b[0] + a[1] * b[1];
    bool sticks = mode == SS_MODE_STICK;
    memcpy(f.normal, sticks && c->convex ? c->middle : c->normal[mode == SS_MODE_SLIP_PLUS], sizeof f.normal);
    if (!sticks || c->convex || sine == 0.0) return f;
    double half = 0.5 * atan2(sine, cosine), length = hypot(a[0] + b[0], a[1] + b[1]);
    for (int i = 0; i < 2; i++) f.normal[i] = (a[i] + b[i]) / length;
    f.mu = tan(fmin(half + atan(c->mu), 1.57)); // less than a right angle on either side
    return f;
}

static bool push_alone(const ss_slider* slider, const ss_floor* floor, const ss_contact* c, int which,
                       const double applied[3], ss_pushed_by* out, bool* fits)
{
    ss_finger f = finger_of(c, out->mode[which]);
    double rate = f.normal[0] * f.v[0] + f.normal[1] * f.v[1];
    if (out->mode[which] == SS_MODE_STICK) {
        ss_pushed one;
        if (!ss_push_stick(slider, floor, &f, applied, &one)) return false;
        memcpy(out->q, one.q, sizeof out->q);
        memcpy(out->force[which], one.force, sizeof one.force);
        out->determined = one.determined;
        return true;
    }
    ss_push_edge edge;
    double row[3], e[2];
    int way = way_of(out->mode[which]);
    ss_contact_edge(c, way, e);
    ss_contact_load(c, f.normal, row);
    ss_push_edge_of(slider, floor, &f, way, applied, &edge);
    double share = rate / ss_dot3(row, edge.q);
    if (!isfinite(share)) return false;
    for (int i = 0; i < 3; i++) out->q[i] = share * edge.q[i];
    for (int i = 0; i < 2; i++) out->force[which][i] = edge.force * e[i];
    out->determined = edge.determined;
    *fits = *fits && share > 0.0;
    return true;
}

// ---- several

/// What fingers that touch fix, and what their forces do.
typedef struct grip {
    int rows, rank;
    double row[2 * SS_FINGERS_MOST][3], rate[2 * SS_FINGERS_MOST], load[2 * SS_FINGERS_MOST][3];
    int own[3];                  // rows that do not depend on others
    double basis[3][3], want[3]; // these, orthonormal, and what they fix
} grip;

static void add_row(grip* g, const ss_contact* c, const double direction[2], const double force[2])
{
    ss_contact_load(c, direction, g->row[g->rows]);
    ss_contact_load(c, force, g->load[g->rows]);
    g->rate[g->rows++] = direction[0] * c->v[0] + direction[1] * c->v[1];
}

// False where rows that depend on each other want different things.
static bool find_basis(grip* g, double speed)
{
    g->rank = 0;
    for (int i = 0; i < g->rows; i++) {
        double r[3] = {g->row[i][0], g->row[i][1], g->row[i][2]}, size = ss_norm3(r), want = g->rate[i];
        for (int k = 0; k < g->rank; k++) {
            double dot = ss_dot3(r, g->basis[k]);
            for (int j = 0; j < 3; j++) r[j] -= dot * g->basis[k][j];
            want -= dot * g->want[k];
        }
        double left = ss_norm3(r);
        if (g->rank == 3 || left <= SS_CLEAR * size) {
            if (fabs(want) > SS_FAINT * speed) return false;
            continue;
        }
        g->own[g->rank] = i;
        for (int j = 0; j < 3; j++) g->basis[g->rank][j] = r[j] / left;
        g->want[g->rank++] = want / left;
    }
    return true;
}

static bool take_grip(const ss_contact contacts[], int count, const ss_mode mode[], grip* g)
{
    const double unit[2][2] = {{1.0, 0.0}, {0.0, 1.0}}, still[3] = {0.0, 0.0, 0.0};
    g->rows = 0;
    for (int i = 0; i < count; i++) {
        double edge[2];
        if (mode[i] == SS_MODE_OPEN) continue;
        if (mode[i] == SS_MODE_STICK) {
            for (int k = 0; k < 2; k++) add_row(g, &contacts[i], unit[k], unit[k]);
            continue;
        }
        ss_contact_edge(&contacts[i], way_of(mode[i]), edge);
        add_row(g, &contacts[i], contacts[i].normal[mode[i] == SS_MODE_SLIP_PLUS], edge);
    }
    return find_basis(g, size_of_velocities(contacts, count, still));
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// The motion the rows and the balance of loads fix.
static bool balance(const ss_slider* slider, const ss_floor* floor, const grip* g, const double applied[3],
                    ss_balance* at)
{
    ss_motion_line line = {slider, floor, applied, {0}, {0}, {0}};
    ss_power sum;
    for (int k = 0; k < g->rank; k++)
        for (int i = 0; i < 3; i++) line.from[i] += g->want[k] * g->basis[k][i];
    if (g->rank == 3) {
        memcpy(at->q, line.from, sizeof at->q);
        at->determined = true;
        ss_push_load(&line, at->q, &sum, at);
        return true;
    }
    if (g->rank != 2) return false;
    cross(g->basis[0], g->basis[1], line.along);
    cross(g->load[g->own[0]], g->load[g->own[1]], line.across);
    double way = ss_dot3(line.along, line.across), size = ss_norm3(line.across);
    if (!(fabs(way) > SS_CLEAR * size)) return false;
    for (int i = 0; i < 3; i++) line.across[i] /= copysign(size, way);
    return ss_line_balance(&line, at);
}

bool ss_push_in_modes(const ss_slider* slider, const ss_floor* floor, const ss_contact contacts[], int count,
                      const double applied[3], ss_pushed_by* out, bool* fits)
{
    int closed = 0, last = 0;
    *fits = true;
    memset(out->q, 0, sizeof out->q);
    memset(out->force, 0, sizeof out->force);
    out->determined = true;
    for (int i = 0; i < count; i++)
        if (out->mode[i] != SS_MODE_OPEN) {
            closed++;
            last = i;
        }
    if (closed == 1) {
        if (!push_alone(slider, floor, &contacts[last], last, applied, out, fits)) return false;
    } else if (closed > 1) {
        grip g;
        ss_balance at;
        if (!take_grip(contacts, count, out->mode, &g) || !balance(slider, floor, &g, applied, &at))
            return false;
        memcpy(out->q, at.q, sizeof out->q);
        out->determined = at.determined && at.still_count == 0 && g.rank == g.rows;
        *fits = ss_finger_forces(slider, floor, contacts, count, &at, out);
    }
    *fits = *fits && all_slip_rightly(contacts, count, out);
    return true;
}

// ---- all choices

// The k-th choice of modes: open first, so that fingers which need not touch do not.
static bool choose(const ss_contact contacts[], int count, int k, ss_mode mode[])
{
    static const ss_mode modes[] = {SS_MODE_OPEN, SS_MODE_STICK, SS_MODE_SLIP_PLUS, SS_MODE_SLIP_MINUS};
    for (int i = 0; i < count; i++, k /= 4) {
        mode[i] = modes[k % 4];
        const double *a = contacts[i].normal[0], *b = contacts[i].normal[1];
        bool corner = contacts[i].convex || a[0] != b[0] || a[1] != b[1];
        if (mode[i] == SS_MODE_STICK && contacts[i].mu == 0.0 && !corner)
            return false; // a smooth finger never sticks
    }
    return true;
}

static bool same_motion(const double a[3], const double b[3], double size)
{
    double left[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return ss_norm3(left) <= SS_CLEAR * size;
}

// A finger that stands where nothing moves touches without force.
static void let_stand(const ss_contact contacts[], int count, ss_pushed_by* out)
{
    for (int i = 0; i < count && ss_norm3(out->q) == 0.0; i++)
        if (contacts[i].v[0] == 0.0 && contacts[i].v[1] == 0.0) out->mode[i] = SS_MODE_STICK;
}

bool ss_push_together(const ss_slider* slider, const ss_floor* floor, const ss_contact contacts[], int count,
                      const double applied[3], ss_pushed_by* out)
{
    ss_pushed_by trial;
    bool found = false, fits;
    memset(out, 0, sizeof *out);
    if (count > SS_FINGERS_MOST) return false;
    for (int k = 0; k < 1 << 2 * count; k++) {
        if (!choose(contacts, count, k, trial.mode)) continue;
        if (!ss_push_in_modes(slider, floor, contacts, count, applied, &trial, &fits) || !fits) continue;
        double size = fmax(ss_norm3(trial.q), ss_norm3(out->q));
        bool other = found && !same_motion(trial.q, out->q, size);
        bool better = !found || (other && ss_norm3(trial.q) < ss_norm3(out->q));
        if (better) *out = trial;
        out->determined = out->determined && !other;
        found = true;
        if (k == 0) break; // all open: nothing has to move
    }
    let_stand(contacts, count, out);
    return found;
}
