// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities along a stiff step, at the nodes at which the run has solved its own equations (flow/stiff).
// With J the Jacobian of the rates by (q, y), y = (v, z, s), the changes X of the rates at the nodes obey
//
//     X_i = J_i (dq_i, dy_i) + b_i,     dy_i = dy_0 + h sum_j a_ij X_j,
//     dq_i = dq_0 + c_i h dv_0 + h^2 sum_j (a^2)_ij dv'_j
//
// a linear system whose matrix is that of Newton's method where it has settled. The run has checked that the
// step is good for the motion; whether its polynomial is good for a sensitivity is seen from its last
// coefficients.
//
//   reads    the nodes of the stiff step at hand, sensitivities where it begins
//   writes   polynomials of sensitivities on it
//   promise  false where the unknowns of the run are not those of sensitivities, or where the error is too
//   large:
//            then sensitivities take steps of their own (sensitivity_flow.c)
#include "engine/field/field.h"
#include "engine/flow/stiff.h"
#include "engine/sensitivity/sensitivity.h"

#include "core/algebra/lu.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

enum { S = SS_STAGES };

struct ss_sensitivity_nodes {
    int states;          // of the run: speeds, bristles, states of an open model
    int* sensitivity_at; // per state: its place in a sensitivity
    double* jacobians;   // S times states x (n + states)
    double* rates;       // per sensitivity S x states: X, then coefficients of its polynomial
    double* work;        // states, and n
    double h;            // s: length of the run's polynomial
};

// ---- creation

bool ss_sensitivity_make_nodes(ss_derivative* der)
{
    int states = der->width - der->n, n = der->n;
    if (der->kind.linear || states > SS_SENSITIVITY_NODE_STATES) return true;
    for (int i = 0; i < der->m; i++)
        if (der->model->contacts[i].elements > 0) return true; // the run has one state for all that slip
    struct ss_sensitivity_nodes* own = ss_pool_new(&der->pool, 1, sizeof *own);
    if (!own) return false;
    size_t count = (size_t)states, d = sizeof(double);
    own->states = states;
    own->sensitivity_at = ss_pool_new(&der->pool, count, sizeof(int));
    own->jacobians = ss_pool_new(&der->pool, S * count * (count + (size_t)n), d);
    own->rates = ss_pool_new(&der->pool, S * count * (size_t)der->count, d);
    own->work = ss_pool_new(&der->pool, count + (size_t)n, d);
    if (der->pool.failed) return false;
    int state = 0;
    for (int i = 0; i < n; i++) own->sensitivity_at[state++] = n + i;
    for (int i = 0; i < der->m; i++) // bristles are counted by their contacts, there as here
        if (der->z_at[i] >= 0) own->sensitivity_at[state++] = 2 * n + der->ns + der->z_at[i];
    for (int i = 0; i < der->ns; i++) own->sensitivity_at[state++] = 2 * n + i;
    der->ways.nodes = own;
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
static bool is_simple(const ss_derivative* der, const ss_sensitivity* to)
{
    if (der->model->open || !is_zero(to->d, der->nd) || !is_zero(to->offset, der->model->body_count))
        return false;
    return !to->change || !to->change->beyond_laws;
}

// How the force of a contact that slips, and the rate of its state, change with the numbers of its law.
static double law_change(const ss_derivative* der, const ss_sensitivity* to, const ss_field_point* at, int i,
                         double* rate)
{
    const ss_sim* sim = der->sim;
    const ss_model_change* change = to->change;
    const ss_contact* contact = &der->model->contacts[i];
    bool plus = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
    double force;
    *rate = 0.0;
    if (!contact->law_entry->point.at)
        return (plus ? -1.0 : 1.0) * change->levels[i][plus ? SS_FORWARD : SS_BACKWARD];
    if (!change->law[i]) return 0.0;
    ss_law_point point = {.v = ss_field_speed(sim->field, at, i), .sign = plus ? 1.0 : -1.0};
    point.along = ss_field_along(sim->field, i);
    if (ss_is_bristle(&sim->step, i)) {
        point.sign = point.along->sign;
        point.z = at->z[sim->step.laws.bristle_at[i]];
        point.y = ss_field_way(sim->field, at, i);
    }
    contact->law_entry->point.by_numbers(ss_law_of(contact), change->numbers[i], &point, &force, rate);
    return force;
}

static void simple_offset(ss_derivative* der, const ss_sensitivity* to, const ss_field_point* at,
                          double out[])
{
    ss_delta* io = &der->delta;
    memset(out, 0, (size_t)der->ways.nodes->states * sizeof(double));
    if (!to->change) return;
    memset(io->held, 0, (size_t)der->m * sizeof(double));
    memset(io->d2, 0, (size_t)der->nd * sizeof(double));
    memcpy(io->a, to->change->constant, (size_t)der->n * sizeof(double));
    for (int i = 0; i < der->m; i++) {
        double rate;
        if (!ss_slips(&der->sim->modes, i)) continue;
        double force = law_change(der, to, at, i, &rate);
        const ss_row* mobility = &der->model->contacts[i].mobility;
        for (int k = 0; k < mobility->count; k++) io->a[mobility->index[k]] += mobility->value[k] * force;
        if (ss_is_bristle(&der->sim->step, i)) out[der->n + der->sim->step.laws.bristle_at[i]] = rate;
    }
    ss_field_hold_change(der->sim->field, io);
    memcpy(out, io->a, (size_t)der->n * sizeof(double));
}

// The same whatever changes; der->points[i] is filled.
static void general_offset(ss_derivative* der, ss_sensitivity* to, int i, double out[])
{
    ss_delta* io = &der->delta;
    const struct ss_sensitivity_nodes* own = der->ways.nodes;
    int n = der->n;
    memset(der->room.zero, 0, (size_t)der->width * sizeof(double));
    io->q = der->room.zero;
    io->v = io->q + n;
    io->s = io->v + n;
    io->z = io->s + der->ns;
    ss_linear_all(der, &der->points[i], to, io);
    for (int k = 0; k < own->states; k++) {
        int at = own->sensitivity_at[k] - n;
        out[k] = at < n ? io->a[at] : at < n + der->ns ? io->rate[at - n] : io->z_rate[at - n - der->ns];
    }
}

// ---- the system

// b + J (dq_0 + c h dv_0, dy_0) at node i
static void add_start(const ss_derivative* der, const double y0[], int i, double out[])
{
    const struct ss_sensitivity_nodes* own = der->ways.nodes;
    int n = der->n, states = own->states, width = n + states;
    double now = own->h * der->sim->ways.stiff->method.node[i], *moved = own->work, *state = own->work + n;
    for (int c = 0; c < n; c++) moved[c] = y0[c] + now * y0[n + c];
    for (int k = 0; k < states; k++) state[k] = y0[own->sensitivity_at[k]];
    for (int r = 0; r < states; r++) {
        const double* row = own->jacobians + (size_t)(i * states + r) * (size_t)width;
        double sum = out[r];
        for (int c = 0; c < width; c++) sum += row[c] * own->work[c];
        out[r] = sum;
    }
}

// q, v, s and z are one list.
static void load(const ss_derivative* der, const ss_sensitivity* to, double y[])
{
    memcpy(y, to->q, (size_t)der->width * sizeof(double));
}

static void solve_sensitivity(ss_derivative* der, int j, const bool filled)
{
    struct ss_sensitivity_nodes* own = der->ways.nodes;
    ss_sensitivity* to = &der->sensitivities[j];
    double *x = own->rates + (size_t)(j * S * own->states), *y0 = der->stages.rhs;
    bool simple = is_simple(der, to);
    for (int i = 0; i < S; i++) {
        double* out = x + i * own->states;
        ss_field_point at = ss_stiff_at(der->sim->model, &der->sim->step, &der->sim->open, &der->sim->ways, i,
                                        der->sim->ways.stiff->pace.last);
        if (!simple && !filled) ss_linear_at(der, at.t - der->sim->step.t, &der->points[i]);
        if (simple)
            simple_offset(der, to, &at, out);
        else
            general_offset(der, to, i, out);
        load(der, to, y0);
        add_start(der, y0, i, out);
    }
    ss_lu_solve(der->stages.system, S * own->states, der->stages.pivots, x);
}

// What the motion, and sensitivities where the step begins, have been at most.
static void measure(ss_derivative* der)
{
    const struct ss_sensitivity_nodes* own = der->ways.nodes;
    for (int i = 0; i < S; i++) {
        ss_field_point at = ss_stiff_at(der->sim->model, &der->sim->step, &der->sim->open, &der->sim->ways, i,
                                        der->sim->ways.stiff->pace.last);
        for (int c = 0; c < der->n; c++) der->measure.sizes[c] = fmax(der->measure.sizes[c], fabs(at.q[c]));
        for (int k = 0; k < own->states; k++) {
            double* size = &der->measure.sizes[own->sensitivity_at[k]];
            *size = fmax(*size, fabs(at.v[k])); // speeds, deflections and states are one list
        }
    }
    for (int j = 0; j < der->count; j++) {
        const ss_sensitivity* to = &der->sensitivities[j];
        for (int c = 0; c < der->width; c++) to->largest[c] = fmax(to->largest[c], fabs(to->q[c]));
    }
}

// The error of a sensitivity within the step, as a share of what moves; its rates become the coefficients of
// their polynomial.
static double fit_polynomial(ss_derivative* der, int j)
{
    struct ss_sensitivity_nodes* own = der->ways.nodes;
    const ss_sensitivity* to = &der->sensitivities[j];
    const ss_collocation* method = &der->sim->ways.stiff->method;
    double *x = own->rates + (size_t)(j * S * own->states), *y0 = der->stages.rhs, worst = 0.0, value[S];
    load(der, to, y0);
    for (int k = 0; k < own->states; k++) {
        int at = own->sensitivity_at[k];
        double size = fabs(y0[at]);
        for (int i = 0; i < S; i++) value[i] = own->h * fabs(x[i * own->states + k]);
        for (int i = 0; i < S; i++) size = fmax(size, value[i]);
        ss_collocation_combine(method->power, x + k, own->states, value);
        for (int i = 0; i < S; i++) x[i * own->states + k] = value[i];
        double error = ss_collocation_error(x + k, own->states, own->h);
        worst = fmax(worst, ss_sensitivity_error_share(der, to, at, error, size));
    }
    return worst;
}

// ---- use

// Whether the unknowns of the run are those of sensitivities, and nothing is left out of its step.
static bool applies(const ss_derivative* der)
{
    const ss_sim* sim = der->sim;
    const ss_stiff* stiff = sim->ways.stiff;
    if (!der->ways.nodes || !stiff || !stiff->pace.active || stiff->states != der->ways.nodes->states ||
        stiff->newton.band > 0)
        return false;
    for (int c = 0; c < der->n; c++)
        if (stiff->frozen[c]) return false;
    for (int j = 0; j < sim->step.laws.bristle_count; j++)
        if (sim->step.laws.bristles[j].still) return false;
    return true;
}

bool ss_sensitivity_take_nodes(ss_derivative* der, double s)
{
    struct ss_sensitivity_nodes* own = der->ways.nodes;
    ss_sim* sim = der->sim;
    const double at_end = 1e-8; // the end of the step is far better than the polynomial
    bool filled = false;
    if (!applies(der)) return false;
    own->h = sim->ways.stiff->pace.last;
    double goal = s == own->h ? at_end : der->measure.read_off;
    measure(der);
    ss_stiff_linearise(sim, own->h, own->jacobians, der->stages.system);
    if (!ss_lu_factor(der->stages.system, S * own->states, der->stages.pivots)) return false;
    for (int j = 0; j < der->count; j++) {
        if (der->sensitivities[j].lost) continue;
        solve_sensitivity(der, j, filled);
        filled = filled || !is_simple(der, &der->sensitivities[j]);
        if (!(fit_polynomial(der, j) <= goal)) return false;
    }
    return true;
}

void ss_sensitivity_read_nodes(const ss_derivative* der, int j, double s, double y[])
{
    const struct ss_sensitivity_nodes* own = der->ways.nodes;
    const double* c = own->rates + (size_t)(j * S * own->states);
    double u = s / own->h;
    load(der, &der->sensitivities[j], y);
    for (int k = 0; k < own->states; k++) {
        double once = 0.0, twice = 0.0;
        for (int i = S - 1; i >= 0; i--) {
            once = once * u + c[i * own->states + k] / (i + 1);
            twice = twice * u + c[i * own->states + k] / ((i + 1) * (i + 2));
        }
        if (k < der->n) y[k] += s * (y[der->n + k] + s * twice);
        y[own->sensitivity_at[k]] += s * once;
    }
}
