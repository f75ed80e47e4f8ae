// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slider/finger/finger_forces.h"

#include "core/algebra/dense.h"
#include "core/algebra/lu.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

typedef enum giver_kind { GIVER_RAY, GIVER_CONE, GIVER_DISC, GIVER_LINE } giver_kind;

/// What gives a force.
typedef struct giver {
    giver_kind kind;
    double x, y;
    double edge[2][2]; // unit vectors: the ray, the edges of the cone, the direction of the line
    double level[2];   // of a disc its radius; of a line its least and greatest force
    double matrix[4];  // of a disc that is an ellipse
} giver;

static void set_unit(double v[2])
{
    double length = hypot(v[0], v[1]);
    v[0] /= length;
    v[1] /= length;
}

static giver giver_of_finger(const ss_contact* c, ss_mode mode)
{
    giver g = {.kind = mode == SS_MODE_STICK ? GIVER_CONE : GIVER_RAY, .x = c->x, .y = c->y};
    if (mode == SS_MODE_STICK)
        ss_contact_cone(c, g.edge[0], g.edge[1]);
    else
        ss_contact_edge(c, mode == SS_MODE_SLIP_PLUS ? 1 : -1, g.edge[0]);
    if (mode != SS_MODE_STICK) memcpy(g.edge[1], g.edge[0], sizeof g.edge[1]);
    set_unit(g.edge[0]);
    set_unit(g.edge[1]);
    return g;
}

static giver giver_of_element(const ss_element* e, const ss_floor* floor)
{
    giver g = {.kind = e->kind == SS_ELEMENT_LINE ? GIVER_LINE : GIVER_DISC, .x = e->x, .y = e->y};
    memcpy(g.edge[0], e->along, sizeof g.edge[0]);
    g.level[0] = -ss_line_level(e, floor);
    g.level[1] = -g.level[0];
    ss_point_ellipse(e, floor, g.matrix);
    if (g.kind == GIVER_DISC)
        g.level[0] = g.level[1] = sqrt(fabs(g.matrix[0] * g.matrix[3] - g.matrix[1] * g.matrix[2]));
    return g;
}

// The projection of f on a half-line, and its derivative d.
static bool on_ray(const double e[2], const double f[2], double out[2], double d[4])
{
    double along = e[0] * f[0] + e[1] * f[1];
    for (int i = 0; i < 2; i++) out[i] = fmax(along, 0.0) * e[i];
    for (int i = 0; i < 4; i++) d[i] = along > 0.0 ? e[i / 2] * e[i % 2] : 0.0;
    return along > 0.0;
}

static void on_cone(const giver* g, const double f[2], double out[2], double d[4])
{
    const double *left = g->edge[0], *right = g->edge[1];
    if (f[0] * left[1] - f[1] * left[0] >= 0.0 && right[0] * f[1] - right[1] * f[0] >= 0.0) {
        memcpy(out, f, 2 * sizeof *out);
        d[0] = d[3] = 1.0;
        d[1] = d[2] = 0.0;
        return;
    }
    bool leftmost = left[0] * f[0] + left[1] * f[1] > right[0] * f[0] + right[1] * f[1];
    on_ray(leftmost ? left : right, f, out, d);
}

static void on_disc(double level, const double f[2], double out[2], double d[4])
{
    double size = hypot(f[0], f[1]), share = size > level ? level / size : 1.0;
    for (int i = 0; i < 2; i++) out[i] = share * f[i];
    for (int i = 0; i < 4; i++) {
        d[i] = i % 3 == 0 ? share : 0.0;
        if (size > level) d[i] -= share * f[i / 2] * f[i % 2] / (size * size);
    }
}

static void on_line(const giver* g, const double f[2], double out[2], double d[4])
{
    const double* e = g->edge[0];
    double along = e[0] * f[0] + e[1] * f[1], kept = fmin(fmax(along, g->level[0]), g->level[1]);
    for (int i = 0; i < 2; i++) out[i] = kept * e[i];
    for (int i = 0; i < 4; i++) d[i] = kept == along ? e[i / 2] * e[i % 2] : 0.0;
}

static void give(const giver* g, const double y[3], double out[2], double d[4])
{
    const double f[2] = {y[0] - g->y * y[2], y[1] + g->x * y[2]};
    switch (g->kind) {
    case GIVER_RAY: on_ray(g->edge[0], f, out, d); break;
    case GIVER_CONE: on_cone(g, f, out, d); break;
    case GIVER_DISC: on_disc(g->level[0], f, out, d); break;
    case GIVER_LINE: on_line(g, f, out, d); break;
    }
}

// What all give for y leaves of the load, and the derivative of the sum.
static double left_of(const giver givers[], int count, const double y[3], const double load[3],
                      double left[3], double h[9])
{
    memcpy(left, load, 3 * sizeof *left);
    memset(h, 0, 9 * sizeof *h);
    for (int k = 0; k < count; k++) {
        const giver* g = &givers[k];
        const double b[2][3] = {{1.0, 0.0, -g->y}, {0.0, 1.0, g->x}};
        double f[2], d[4];
        give(g, y, f, d);
        for (int i = 0; i < 3; i++) {
            left[i] -= f[0] * b[0][i] + f[1] * b[1][i];
            for (int j = 0; j < 3; j++)
                for (int m = 0; m < 4; m++) h[3 * i + j] += b[m / 2][i] * d[m] * b[m % 2][j];
        }
    }
    return ss_norm3(left);
}

// Newton's method; steps are shortened until less is left.
static bool share_load(const giver givers[], int count, const double load[3], double y[3])
{
    enum { ROUNDS = 200, HALVINGS = 40 };
    double size = ss_norm3(load), left[3], h[9], next[3], more[3], slopes[9];
    memcpy(y, load, 3 * sizeof *y);
    double most = left_of(givers, count, y, load, left, h);
    for (int round = 0; round < ROUNDS && most > SS_NOISE * size; round++) {
        double share = 1.0, then = INFINITY;
        for (int i = 0; i < 3; i++) h[4 * i] += SS_SUM_NOISE + 1e-6 * fmin(most / size, 1.0);
        if (!ss_cholesky(h, 3)) break;
        ss_cholesky_solve(h, 3, left);
        for (int k = 0; k < HALVINGS && !(then < most); k++, share *= 0.5) {
            for (int i = 0; i < 3; i++) next[i] = y[i] + share * left[i];
            then = left_of(givers, count, next, load, more, slopes);
        }
        if (!(then < most)) break;
        most = then;
        memcpy(y, next, sizeof next);
        memcpy(left, more, sizeof more);
        memcpy(h, slopes, sizeof slopes);
    }
    return most <= SS_FAINT * size;
}

// ---- where there is only one answer

// Columns of the loads of what fingers may give: an edge, or both components.
static int columns_of(const ss_contact contacts[], int count, const ss_mode mode[], double column[][3])
{
    const double unit[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
    int n = 0;
    for (int i = 0; i < count; i++) {
        double edge[2];
        if (mode[i] == SS_MODE_OPEN) continue;
        ss_contact_edge(&contacts[i], mode[i] == SS_MODE_SLIP_PLUS ? 1 : -1, edge);
        if (mode[i] != SS_MODE_STICK) ss_contact_load(&contacts[i], edge, column[n++]);
        for (int k = 0; k < 2 && mode[i] == SS_MODE_STICK; k++)
            ss_contact_load(&contacts[i], unit[k], column[n++]);
    }
    return n;
}

// Least squares over at most three columns; false where they depend on each other or leave something.
static bool solve(double column[][3], int n, const double load[3], double z[3])
{
    double a[9], left[3];
    int pivots[3];
    for (int i = 0; i < n; i++) {
        z[i] = ss_dot3(column[i], load);
        for (int j = 0; j < n; j++) a[i * n + j] = ss_dot3(column[i], column[j]);
    }
    if (!ss_lu_factor(a, n, pivots)) return false;
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i * n + i]) > SS_CLEAR * SS_CLEAR * ss_dot3(column[i], column[i]))) return false;
    ss_lu_solve(a, n, pivots, z);
    memcpy(left, load, sizeof left);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) left[k] -= z[i] * column[i][k];
    return ss_norm3(left) <= SS_FAINT * ss_norm3(load);
}

static bool is_in_cone(const ss_contact* c, const double force[2])
{
    double left[2], right[2], slack = SS_FAINT * (1.0 + c->mu) * hypot(force[0], force[1]);
    ss_contact_cone(c, left, right);
    return force[0] * left[1] - force[1] * left[0] >= -slack &&
           right[0] * force[1] - right[1] * force[0] >= -slack;
}

// The only forces there are; false where these are not what fingers can give.
static bool take(const ss_contact contacts[], int count, const double z[3], double size, ss_pushed_by* out)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        double edge[2];
        if (out->mode[i] == SS_MODE_OPEN) continue;
        if (out->mode[i] == SS_MODE_STICK) {
            for (int k = 0; k < 2; k++) out->force[i][k] = z[n++];
            if (!is_in_cone(&contacts[i], out->force[i])) return false;
            continue;
        }
        ss_contact_edge(&contacts[i], out->mode[i] == SS_MODE_SLIP_PLUS ? 1 : -1, edge);
        for (int k = 0; k < 2; k++) out->force[i][k] = z[n] * edge[k];
        if (z[n++] < -SS_FAINT * size) return false;
    }
    return true;
}

bool ss_finger_forces(const ss_slider* slider, const ss_floor* floor, const ss_contact contacts[], int count,
                      const ss_balance* at, ss_pushed_by* out)
{
    giver givers[SS_FINGERS_MOST + SS_STILL_MOST];
    double y[3], d[4];
    double column[2 * SS_FINGERS_MOST][3], z[3];
    int n = columns_of(contacts, count, out->mode, column), first;
    if (n <= 3 && at->still_count == 0 && solve(column, n, at->load, z))
        return take(contacts, count, z, ss_norm3(at->load), out);
    n = 0;
    for (int i = 0; i < count; i++)
        if (out->mode[i] != SS_MODE_OPEN) givers[n++] = giver_of_finger(&contacts[i], out->mode[i]);
    first = n;
    // Elements push the ground, fingers the slider: the load of the ones is less that of the others.
    for (int k = 0; k < at->still_count; k++)
        givers[n++] = giver_of_element(&slider->elements[at->still[k]], floor);
    if (!share_load(givers, n, at->load, y)) return false;
    n = 0;
    for (int i = 0; i < count && n < first; i++)
        if (out->mode[i] != SS_MODE_OPEN) give(&givers[n++], y, out->force[i], d);
    return true;
}
