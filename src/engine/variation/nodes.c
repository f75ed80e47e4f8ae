// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings along a stiff step, at the nodes at which the run has solved its own equations (flow/stiff). With
// J the Jacobian of the rates by (q, y), y = (v, z, s), the changes X of the rates at the nodes obey
//
//     X_i = J_i (dq_i, dy_i) + b_i,     dy_i = dy_0 + h sum_j a_ij X_j,
//     dq_i = dq_0 + c_i h dv_0 + h^2 sum_j (a^2)_ij dv'_j
//
// a linear system whose matrix is that of Newton's method where it has settled. The run has checked that the
// step is good for the motion; whether its polynomial is good for a heading is seen from its last
// coefficients.
//
//   reads    the nodes of the stiff step at hand, headings where it begins
//   writes   polynomials of headings on it
//   promise  false where the unknowns of the run are not those of headings, or where the error is too large:
//            then headings take steps of their own (flow.c)
#include "engine/field/field.h"
#include "engine/flow/stiff.h"
#include "engine/variation/variation.h"

#include "core/algebra/lu.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

enum { S = SS_STAGES };

struct ss_vary_nodes {
    int states;        // of the run: speeds, bristles, states of an open model
    int* heading_at;   // per state: its place in a heading
    double* jacobians; // S times states x (n + states)
    double* rates;     // per heading S x states: X, then coefficients of its polynomial
    double* work;      // states, and n
    double h;          // s: length of the run's polynomial
};

// ---- creation

bool ss_vary_make_nodes(ss_variation* var)
{
    int states = var->width - var->n, n = var->n;
    if (var->kind.linear || states > SS_VARY_NODE_STATES) return true;
    for (int i = 0; i < var->m; i++)
        if (var->model->contacts[i].elements > 0) return true; // the run has one state for all that slip
    struct ss_vary_nodes* own = ss_pool_new(&var->pool, 1, sizeof *own);
    if (!own) return false;
    size_t count = (size_t)states, d = sizeof(double);
    own->states = states;
    own->heading_at = ss_pool_new(&var->pool, count, sizeof(int));
    own->jacobians = ss_pool_new(&var->pool, S * count * (count + (size_t)n), d);
    own->rates = ss_pool_new(&var->pool, S * count * (size_t)var->count, d);
    own->work = ss_pool_new(&var->pool, count + (size_t)n, d);
    if (var->pool.failed) return false;
    int state = 0;
    for (int i = 0; i < n; i++) own->heading_at[state++] = n + i;
    for (int i = 0; i < var->m; i++) // bristles are counted by their contacts, there as here
        if (var->z_at[i] >= 0) own->heading_at[state++] = 2 * n + var->ns + var->z_at[i];
    for (int i = 0; i < var->ns; i++) own->heading_at[state++] = 2 * n + i;
    var->ways.nodes = own;
    return true;
}

// ---- b

static bool is_zero(const double x[], int count)
{
    for (int k = 0; k < count; k++)
        if (x[k] != 0.0) return false;
    return true;
}

// Whether nothing but laws and constants makes b.
static bool is_simple(const ss_variation* var, const ss_heading* to)
{
    if (var->model->open || !is_zero(to->d, var->nd) || !is_zero(to->offset, var->model->body_count))
        return false;
    return !to->change || !to->change->beyond_laws;
}

// How the force of a contact that slips, and the rate of its state, change with the numbers of its law.
static double law_change(const ss_variation* var, const ss_heading* to, const ss_field_point* at, int i,
                         double* rate)
{
    const ss_sim* sim = var->sim;
    const ss_change* change = to->change;
    const ss_contact* contact = &var->model->contacts[i];
    bool plus = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
    double force;
    *rate = 0.0;
    if (!contact->law_row->point.at)
        return (plus ? -1.0 : 1.0) * change->levels[i][plus ? SS_FORWARD : SS_BACKWARD];
    if (!change->law[i]) return 0.0;
    ss_law_point point = {.v = ss_field_speed(sim->field, at, i), .sign = plus ? 1.0 : -1.0};
    point.along = ss_field_along(sim->field, i);
    if (ss_is_bristle(sim, i)) {
        point.sign = point.along->sign;
        point.z = at->z[sim->laws.bristle_at[i]];
        point.y = ss_field_way(sim->field, at, i);
    }
    contact->law_row->point.by_numbers(ss_law_of(contact), change->numbers[i], &point, &force, rate);
    return force;
}

static void simple_offset(ss_variation* var, const ss_heading* to, const ss_field_point* at, double out[])
{
    ss_delta* io = &var->delta;
    memset(out, 0, (size_t)var->ways.nodes->states * sizeof(double));
    if (!to->change) return;
    memset(io->held, 0, (size_t)var->m * sizeof(double));
    memset(io->d2, 0, (size_t)var->nd * sizeof(double));
    memcpy(io->a, to->change->constant, (size_t)var->n * sizeof(double));
    for (int i = 0; i < var->m; i++) {
        double rate;
        if (!ss_slips(var->sim, i)) continue;
        double force = law_change(var, to, at, i, &rate);
        const ss_row* mobility = &var->model->contacts[i].mobility;
        for (int k = 0; k < mobility->count; k++) io->a[mobility->index[k]] += mobility->value[k] * force;
        if (ss_is_bristle(var->sim, i)) out[var->n + var->sim->laws.bristle_at[i]] = rate;
    }
    ss_field_hold_change(var->sim->field, io);
    memcpy(out, io->a, (size_t)var->n * sizeof(double));
}

// The same whatever changes; var->points[i] is filled.
static void general_offset(ss_variation* var, ss_heading* to, int i, double out[])
{
    ss_delta* io = &var->delta;
    const struct ss_vary_nodes* own = var->ways.nodes;
    int n = var->n;
    memset(var->room.zero, 0, (size_t)var->width * sizeof(double));
    io->q = var->room.zero;
    io->v = io->q + n;
    io->s = io->v + n;
    io->z = io->s + var->ns;
    ss_linear_all(var, &var->points[i], to, io);
    for (int k = 0; k < own->states; k++) {
        int at = own->heading_at[k] - n;
        out[k] = at < n ? io->a[at] : at < n + var->ns ? io->rate[at - n] : io->z_rate[at - n - var->ns];
    }
}

// ---- the system

// b + J (dq_0 + c h dv_0, dy_0) at node i
static void add_start(const ss_variation* var, const double y0[], int i, double out[])
{
    const struct ss_vary_nodes* own = var->ways.nodes;
    int n = var->n, states = own->states, width = n + states;
    double now = own->h * var->sim->ways.stiff->method.node[i], *moved = own->work, *state = own->work + n;
    for (int c = 0; c < n; c++) moved[c] = y0[c] + now * y0[n + c];
    for (int k = 0; k < states; k++) state[k] = y0[own->heading_at[k]];
    for (int r = 0; r < states; r++) {
        const double* row = own->jacobians + (size_t)(i * states + r) * (size_t)width;
        double sum = out[r];
        for (int c = 0; c < width; c++) sum += row[c] * own->work[c];
        out[r] = sum;
    }
}

// q, v, s and z are one list.
static void load(const ss_variation* var, const ss_heading* to, double y[])
{
    memcpy(y, to->q, (size_t)var->width * sizeof(double));
}

static void solve_heading(ss_variation* var, int j, const bool filled)
{
    struct ss_vary_nodes* own = var->ways.nodes;
    ss_heading* to = &var->headings[j];
    double *x = own->rates + (size_t)(j * S * own->states), *y0 = var->stages.rhs;
    bool simple = is_simple(var, to);
    for (int i = 0; i < S; i++) {
        double* out = x + i * own->states;
        ss_field_point at = ss_stiff_at(var->sim, i, var->sim->ways.stiff->pace.last);
        if (!simple && !filled) ss_linear_at(var, at.t - var->sim->step.t, &var->points[i]);
        if (simple)
            simple_offset(var, to, &at, out);
        else
            general_offset(var, to, i, out);
        load(var, to, y0);
        add_start(var, y0, i, out);
    }
    ss_lu_solve(var->stages.system, S * own->states, var->stages.pivots, x);
}

// What the motion, and headings where the step begins, have been at most.
static void measure(ss_variation* var)
{
    const struct ss_vary_nodes* own = var->ways.nodes;
    for (int i = 0; i < S; i++) {
        ss_field_point at = ss_stiff_at(var->sim, i, var->sim->ways.stiff->pace.last);
        for (int c = 0; c < var->n; c++) var->sizes[c] = fmax(var->sizes[c], fabs(at.q[c]));
        for (int k = 0; k < own->states; k++) {
            double* size = &var->sizes[own->heading_at[k]];
            *size = fmax(*size, fabs(at.v[k])); // speeds, deflections and states are one list
        }
    }
    for (int j = 0; j < var->count; j++) {
        const ss_heading* to = &var->headings[j];
        for (int c = 0; c < var->width; c++) to->largest[c] = fmax(to->largest[c], fabs(to->q[c]));
    }
}

// The error of a heading within the step, as a share of what moves; its rates become the coefficients of
// their polynomial.
static double fit_polynomial(ss_variation* var, int j)
{
    struct ss_vary_nodes* own = var->ways.nodes;
    const ss_heading* to = &var->headings[j];
    const ss_collocation* method = &var->sim->ways.stiff->method;
    double *x = own->rates + (size_t)(j * S * own->states), *y0 = var->stages.rhs, worst = 0.0, value[S];
    load(var, to, y0);
    for (int k = 0; k < own->states; k++) {
        int at = own->heading_at[k];
        double size = fabs(y0[at]);
        for (int i = 0; i < S; i++) value[i] = own->h * fabs(x[i * own->states + k]);
        for (int i = 0; i < S; i++) size = fmax(size, value[i]);
        ss_collocation_combine(method->power, x + k, own->states, value);
        for (int i = 0; i < S; i++) x[i * own->states + k] = value[i];
        double error = ss_collocation_error(x + k, own->states, own->h);
        worst = fmax(worst, ss_vary_error_share(var, to, at, error, size));
    }
    return worst;
}

// ---- use

// Whether the unknowns of the run are those of headings, and nothing is left out of its step.
static bool applies(const ss_variation* var)
{
    const ss_sim* sim = var->sim;
    const ss_stiff* stiff = sim->ways.stiff;
    if (!var->ways.nodes || !stiff || !stiff->pace.active || stiff->states != var->ways.nodes->states ||
        stiff->newton.band > 0)
        return false;
    for (int c = 0; c < var->n; c++)
        if (stiff->frozen[c]) return false;
    for (int j = 0; j < sim->laws.bristle_count; j++)
        if (sim->laws.bristles[j].still) return false;
    return true;
}

bool ss_vary_take_nodes(ss_variation* var, double s)
{
    struct ss_vary_nodes* own = var->ways.nodes;
    ss_sim* sim = var->sim;
    const double at_end = 1e-8; // the end of the step is far better than the polynomial
    bool filled = false;
    if (!applies(var)) return false;
    own->h = sim->ways.stiff->pace.last;
    double goal = s == own->h ? at_end : var->read_off;
    measure(var);
    ss_stiff_linearise(sim, own->h, own->jacobians, var->stages.system);
    if (!ss_lu_factor(var->stages.system, S * own->states, var->stages.pivots)) return false;
    for (int j = 0; j < var->count; j++) {
        if (var->headings[j].lost) continue;
        solve_heading(var, j, filled);
        filled = filled || !is_simple(var, &var->headings[j]);
        if (!(fit_polynomial(var, j) <= goal)) return false;
    }
    return true;
}

void ss_vary_read_nodes(const ss_variation* var, int j, double s, double y[])
{
    const struct ss_vary_nodes* own = var->ways.nodes;
    const double* c = own->rates + (size_t)(j * S * own->states);
    double u = s / own->h;
    load(var, &var->headings[j], y);
    for (int k = 0; k < own->states; k++) {
        double once = 0.0, twice = 0.0;
        for (int i = S - 1; i >= 0; i--) {
            once = once * u + c[i * own->states + k] / (i + 1);
            twice = twice * u + c[i * own->states + k] / ((i + 1) * (i + 2));
        }
        if (k < var->n) y[k] += s * (y[var->n + k] + s * twice);
        y[own->heading_at[k]] += s * once;
    }
}
