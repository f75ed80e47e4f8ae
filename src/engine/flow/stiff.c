// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Stiff steps. Unknown are the derivatives X_i = (v', z') at the nodes of a step of length h:
//
//     X_i = f(t + c_i h, q_i, v_i, z_i),   (v, z)_i = (v, z)_0 + h sum_j a_ij X_j,
//     q_i = q_0 + c_i h v_0 + h^2 sum_j (a^2)_ij v'_j,
//
// solved by Newton's method with the analytic Jacobian at every node. The error within the step, not only at
// its end, is held to the tolerance, because states and events are taken from anywhere in it.
#include "engine/flow/stiff.h"

#include "core/algebra/lu.h"
#include "core/algebra/polynomial.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    S = SS_STAGES,
    LARGEST = 64,        // states with a full matrix
    LARGEST_SMOOTH = 16, // the same without bristles and elastic stops: series are cheap there
    LARGEST_BANDED = 512,
    LARGEST_OPEN = 24,
    ROUNDS = 9,
    PATIENCE = 1,
    SMOOTH_PATIENCE = 3, // a body that swings is slow for a moment, not for three steps
    MOST_REFUSALS = 8
};
static const double growth = 12.0; // power of h with which estimated errors grow, between 8 and 20 as seen
static const double series_reach = 3.0; // rate times the usual length of a step by series
static const double worthwhile = 4.0;   // steps by series that one by collocation must replace

// ---- creation

void ss_stiff_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    int n = model->n, open = n + sim->laws.bristle_count, states = open + sim->open.states, all = S * states;
    sim->ways.stiff = NULL;
    if (model->open && !ss_open_may_be_stiff(sim)) return;
    bool smooth = sim->laws.elastic_count == 0;
    for (int i = 0; i < model->contact_count; i++)
        if (ss_law_has(model->contacts[i].law, SS_TRAIT_Z)) smooth = false;
    for (int i = 0; i < model->contact_count; i++)
        if (ss_law_has(model->contacts[i].law, SS_TRAIT_MANY)) return;
    bool plain = smooth && model->nature.piecewise_linear && !ss_is_stiff_linear(model);
    if (plain || states > (model->open ? LARGEST_OPEN : LARGEST_BANDED) || n == 0) return;
    ss_stiff* stiff = ss_pool_new(&sim->pool, 1, sizeof *stiff);
    if (!stiff) return;
    stiff->newton.place = ss_pool_new(&sim->pool, (size_t)states, sizeof(int));
    stiff->newton.state_at = ss_pool_new(&sim->pool, (size_t)states, sizeof(int));
    if (sim->pool.failed) return;
    int band = model->open ? all : ss_stiff_order(sim, stiff->newton.place);
    for (int k = 0; k < states; k++) {
        if (model->open) stiff->newton.place[k] = k;
        stiff->newton.state_at[stiff->newton.place[k]] = k;
    }
    if (5 * band < 2 * all) stiff->newton.band = band; // 2 band^2 < all^2/3: it pays
    if (stiff->newton.band == 0 && states > (smooth ? LARGEST_SMOOTH : LARGEST)) return;
    size_t width = (size_t)(n + states), count = (size_t)all, d = sizeof(double);
    ss_collocation_make(&stiff->method);
    stiff->states = states;
    stiff->open = open;
    if (model->open) ss_open_stiff_allocate(sim);
    stiff->newton.derivative = ss_pool_new(&sim->pool, count, d);
    stiff->newton.slope = ss_pool_new(&sim->pool, count, d);
    stiff->newton.residual = ss_pool_spare(&sim->pool, count, d);
    stiff->newton.matrix = ss_pool_spare(
        &sim->pool, count * (stiff->newton.band > 0 ? 3 * (size_t)stiff->newton.band + 1 : count), d);
    stiff->newton.sorted = ss_pool_spare(&sim->pool, count, d);
    stiff->newton.pivots = ss_pool_spare(&sim->pool, count, sizeof(int));
    stiff->q = ss_pool_new(&sim->pool, S * (size_t)n, d);
    stiff->state = ss_pool_new(&sim->pool, count, d);
    stiff->start = ss_pool_new(&sim->pool, (size_t)states, d);
    stiff->size = ss_pool_new(&sim->pool, (size_t)states, d);
    stiff->noise = ss_pool_new(&sim->pool, (size_t)n, d);
    stiff->jitter = ss_pool_new(&sim->pool, (size_t)n, d);
    stiff->fine = ss_pool_new(&sim->pool, (size_t)n, sizeof(bool));
    stiff->lambda = ss_pool_new(&sim->pool, S * (size_t)model->contact_count, d);
    stiff->forces = ss_pool_new(&sim->pool, S * (size_t)model->contact_count, d);
    stiff->jacobian = ss_pool_spare(&sim->pool, (size_t)states * width, d);
    stiff->drives = ss_pool_new(&sim->pool, 3 * (S + 1) * (size_t)model->drive_count, d);
    sim->ways.stiff = stiff;
}

void ss_stiff_restart(ss_sim* sim)
{
    if (!sim->ways.stiff) return;
    sim->ways.stiff->pace.active = sim->ways.stiff->pace.known = false;
    sim->ways.stiff->pace.patience = PATIENCE;
    sim->ways.stiff->pace.refused = 0;
}

// ---- Newton's method

// out_i = sum_j a_ij x_j, the x_j stride apart.
static inline void combine(const double a[S][S], const double x[], int stride, double out[S])
{
    double value[S];
    for (int j = 0; j < S; j++) value[j] = x[j * stride];
    for (int i = 0; i < S; i++) {
        double sum = 0.0;
        for (int j = 0; j < S; j++) sum += a[i][j] * value[j];
        out[i] = sum;
    }
}

// Coordinates and states at all nodes from the derivatives there.
static void place_nodes(const ss_sim* sim, double h)
{
    const ss_stiff* stiff = sim->ways.stiff;
    const ss_collocation* method = &stiff->method;
    int n = sim->model->n, states = stiff->states;
    double moved[S];
    for (int k = 0; k < states; k++) {
        combine(method->once, stiff->newton.slope + k, states, moved);
        for (int i = 0; i < S; i++) stiff->state[i * states + k] = stiff->start[k] + h * moved[i];
    }
    for (int k = 0; k < n; k++) {
        combine(method->twice, stiff->newton.slope + k, states, moved);
        for (int i = 0; i < S; i++)
            stiff->q[i * n + k] = sim->step.q[k] + h * (method->node[i] * stiff->start[k] + h * moved[i]);
    }
}

// -h a_ij (f_v, f_z) - h^2 (a^2)_ij f_q for one row of the Jacobian (f_q, f_v, f_z) at node i, all j.
static void fill_row(const ss_stiff* stiff, int i, double h, const double row[], int n, double out[])
{
    const double *once = stiff->method.once[i], *twice = stiff->method.twice[i];
    int states = stiff->states;
    for (int c = 0; c < states; c++) {
        double by_state = -h * row[n + c], by_q = c < n ? -h * h * row[c] : 0.0;
        for (int j = 0; j < S; j++) out[j * states + c] = by_state * once[j] + by_q * twice[j];
    }
}

// The same into the band; rows and columns are in its order, the nodes of a state next to each other.
static void fill_band_row(const ss_stiff* stiff, int i, int r, double h, const double row[], int n)
{
    const double *once = stiff->method.once[i], *twice = stiff->method.twice[i];
    int states = stiff->states, at = stiff->newton.place[r] * S + i;
    double* middle =
        stiff->newton.matrix + (size_t)at * (3 * (size_t)stiff->newton.band + 1) + stiff->newton.band;
    middle[0] = 1.0;
    int reach = stiff->newton.band / S, first = stiff->newton.place[r] - reach,
        last = stiff->newton.place[r] + reach;
    for (int p = first > 0 ? first : 0; p <= last && p < states; p++) {
        int c = stiff->newton.state_at[p];
        double by_state = -h * row[n + c], by_q = c < n ? -h * h * row[c] : 0.0;
        double* out = middle + (p * S - at);
        for (int j = 0; j < S; j++) out[j] += by_state * once[j] + by_q * twice[j];
    }
}

// What the equations leave, f - X, at all nodes; Newton's matrix, too, if wanted.
static void assemble(ss_sim* sim, double h, bool with_matrix)
{
    ss_stiff* stiff = sim->ways.stiff;
    int n = sim->model->n, states = stiff->states, width = n + states, all = S * states;
    for (int i = 0; i < S; i++) {
        ss_stiff_point at = {h * stiff->method.node[i], stiff->q + i * n, stiff->state + i * states,
                             stiff->drives + 3 * i * sim->model->drive_count};
        double* rest = stiff->newton.residual + i * states;
        ss_stiff_rates(sim, &at, rest, stiff->lambda + (size_t)i * (size_t)sim->model->contact_count);
        for (int k = 0; k < states; k++) rest[k] -= stiff->newton.slope[i * states + k];
        if (!with_matrix) continue;
        ss_stiff_jacobian(sim, &at, stiff->jacobian);
        for (int r = 0; r < states; r++) {
            if (stiff->newton.band > 0) {
                fill_band_row(stiff, i, r, h, stiff->jacobian + r * width, n);
                continue;
            }
            double* out = stiff->newton.matrix + (size_t)(i * states + r) * (size_t)all;
            fill_row(stiff, i, h, stiff->jacobian + r * width, n, out);
            out[i * states + r] += 1.0;
        }
    }
}

static bool factor(ss_stiff* stiff)
{
    int all = S * stiff->states;
    return stiff->newton.band > 0
               ? ss_band_factor(stiff->newton.matrix, all, stiff->newton.band, stiff->newton.pivots)
               : ss_lu_factor(stiff->newton.matrix, all, stiff->newton.pivots);
}

// The residual becomes the correction.
static void correct(ss_stiff* stiff)
{
    int states = stiff->states, all = S * states;
    if (stiff->newton.band == 0) {
        ss_lu_solve(stiff->newton.matrix, all, stiff->newton.pivots, stiff->newton.residual);
        return;
    }
    for (int i = 0; i < S; i++)
        for (int k = 0; k < states; k++)
            stiff->newton.sorted[stiff->newton.place[k] * S + i] = stiff->newton.residual[i * states + k];
    ss_band_solve(stiff->newton.matrix, all, stiff->newton.band, stiff->newton.pivots, stiff->newton.sorted);
    for (int i = 0; i < S; i++)
        for (int k = 0; k < states; k++)
            stiff->newton.residual[i * states + k] = stiff->newton.sorted[stiff->newton.place[k] * S + i];
}

// What rounding of its rate leaves of a state: what it adds up to, or in the time in which the state follows.
static double state_noise(const ss_sim* sim, int k, double h)
{
    const ss_stiff* stiff = sim->ways.stiff;
    int n = sim->model->n, width = n + stiff->states;
    const double* row = stiff->jacobian + k * width;
    double terms = 0.0;
    for (int c = 0; c < n; c++) terms += fabs(row[c] * sim->step.q[c]);
    for (int c = 0; c < stiff->states; c++) terms += fabs(row[n + c] * stiff->start[c]);
    return 4.0 * DBL_EPSILON * terms * h / (1.0 + h * fabs(row[n + k]));
}

// Speeds that rounding of the accelerations leaves after a step of length h: what it adds up to, or in the
// time in which damping takes it away; and what others hand on by their dampers. Two rounds reach neighbours
// of neighbours.
static void find_jitter(const ss_sim* sim, double h)
{
    ss_stiff* stiff = sim->ways.stiff;
    int n = sim->model->n, width = n + stiff->states;
    for (int c = 0; c < n; c++) stiff->jitter[c] = 0.0;
    for (int round = 0; round < (stiff->newton.band > 0 ? 1 : 2); round++)
        for (int c = 0; c < n; c++) {
            const double* by_speed = stiff->jacobian + c * width + n;
            double sum = stiff->noise[c];
            for (int j = 0; j < n && stiff->newton.band == 0; j++)
                if (j != c) sum += fabs(by_speed[j]) * stiff->jitter[j];
            for (int j = stiff->open; j < stiff->states; j++)
                sum += fabs(by_speed[j]) * state_noise(sim, j, h);
            stiff->jitter[c] = sum * h / (1.0 + h * fabs(by_speed[c]));
        }
}

// A speed that is rounding: that of a body that hardly moves beside others that do; what its body jitters by;
// and, where no slipping contact needs the speed better than the place, one that moves its body by less than
// a rounding of its place.
static double least_size(const ss_sim* sim, int k, double h)
{
    const ss_stiff* stiff = sim->ways.stiff;
    if (k >= stiff->open) return state_noise(sim, k, h);
    if (k >= sim->model->n) return 0.0;
    double least = stiff->jitter[k];
    return stiff->fine[k] ? least : fmax(least, DBL_EPSILON * fabs(sim->step.q[k]) / h);
}

// Largest change of a state by the corrections, over its size, or for speeds over what rounding leaves of it;
// infinite where the iteration has lost itself.
static double weigh(const ss_sim* sim, double h, double tolerance)
{
    const ss_stiff* stiff = sim->ways.stiff;
    int n = sim->model->n, states = stiff->states;
    double worst = 0.0, fastest = 0.0, all = 0.0, moved[S];
    for (int k = 0; k < states; k++) {
        double size = fmax(fabs(stiff->start[k]), least_size(sim, k, h) / tolerance);
        for (int i = 0; i < S; i++) size = fmax(size, fabs(stiff->state[i * states + k]));
        if (k >= n && k < stiff->open && sim->laws.bristles[k - n].still)
            size = 0.0; // a bristle that stands still has nothing but rounding
        stiff->size[k] = size;
        if (k < n) fastest = fmax(fastest, size);
    }
    for (int k = 0; k < states; k++) {
        double change = 0.0, size = stiff->size[k];
        combine(stiff->method.once, stiff->newton.residual + k, states, moved);
        for (int i = 0; i < S; i++) change = fmax(change, fabs(h * moved[i]));
        for (int i = 0; i < S; i++) all += fabs(moved[i]);
        if (k < n) size = fmax(size, 4.0 * DBL_EPSILON / tolerance * fastest);
        if (size > 0.0) worst = fmax(worst, change / size);
    }
    return isfinite(all) ? worst : INFINITY; // fmax passes over what is not a number
}

// Solves for the derivatives at the nodes. False where the iteration does not settle soon.
static bool solve(ss_sim* sim, double h, double tolerance)
{
    ss_stiff* stiff = sim->ways.stiff;
    int all = S * stiff->states;
    double before = INFINITY;
    bool anew = true;
    for (int i = 0; i < S; i++)
        ss_stiff_drives(sim, h * stiff->method.node[i], stiff->drives + 3 * i * sim->model->drive_count);
    for (int round = 0; round < ROUNDS; round++) {
        place_nodes(sim, h);
        if (anew && stiff->newton.band > 0)
            memset(stiff->newton.matrix, 0,
                   (size_t)all * (3 * (size_t)stiff->newton.band + 1) * sizeof(double));
        assemble(sim, h, anew);
        if (round == 0) find_jitter(sim, h);
        if (anew && !factor(stiff)) return false;
        correct(stiff);
        double change = weigh(sim, h, tolerance);
        if (!(change < 1e3)) return false;
        for (int k = 0; k < all; k++) stiff->newton.slope[k] += stiff->newton.residual[k];
        bool stalls = change > 0.3 * before;
        if (change <= 0.02 * tolerance || (stalls && change < tolerance)) break;
        if (round == ROUNDS - 1) return false;
        anew = change > 0.05 * before || (round == 0 && change > 1e-3);
        before = change;
    }
    place_nodes(sim, h);
    assemble(sim, h, false); // the forces at the nodes
    return true;
}

// ---- the polynomial

// Derivatives at the start of the step, to the first node.
static void rates_at_start(ss_sim* sim)
{
    ss_stiff* stiff = sim->ways.stiff;
    double* drives = stiff->drives + 3 * S * sim->model->drive_count;
    ss_stiff_drives(sim, 0.0, drives);
    ss_stiff_rates(sim, &(ss_stiff_point){0.0, sim->step.q, stiff->start, drives}, stiff->newton.slope,
                   stiff->lambda);
}

// First guess: the polynomial before goes on, or the derivatives stay as they are.
static void guess(ss_sim* sim, double h)
{
    ss_stiff* stiff = sim->ways.stiff;
    int states = stiff->states;
    if (stiff->pace.known) {
        for (int i = 0; i < S; i++) {
            double u = 1.0 + stiff->method.node[i] * h / stiff->pace.last;
            for (int k = 0; k < states; k++)
                stiff->newton.slope[i * states + k] =
                    ss_poly_value(stiff->newton.derivative + k, states, S - 1, u);
        }
        return;
    }
    rates_at_start(sim);
    for (int i = 1; i < S; i++)
        memcpy(stiff->newton.slope + i * states, stiff->newton.slope, (size_t)states * sizeof(double));
}

// Coefficients in u = s/h of the polynomials through values at the nodes.
static void interpolate(const ss_collocation* method, const double nodes[], int width, double out[])
{
    double power[S];
    for (int k = 0; k < width; k++) {
        combine(method->power, nodes + k, width, power);
        for (int m = 0; m < S; m++) out[m * width + k] = power[m];
    }
}

// Error of the polynomial over the tolerance; sizes are those of the last iteration.
static double error_of(const ss_sim* sim, const double derivative[], double h, double tolerance)
{
    const ss_stiff* stiff = sim->ways.stiff;
    double worst = 0.0;
    for (int k = 0; k < stiff->states; k++) {
        if (stiff->size[k] < SS_NO_DIGITS) continue;
        double error = ss_collocation_error(derivative + k, stiff->states, h);
        if (k < sim->model->n) error = fmax(error - 0.5 * stiff->jitter[k], 0.0); // shorter steps leave it
        if (k >= stiff->open) error = fmax(error - 0.5 * state_noise(sim, k, h), 0.0);
        worst = fmax(worst, error / (tolerance * stiff->size[k]));
    }
    return worst;
}

static bool holds(const ss_sim* sim, int i)
{
    ss_mode mode = sim->modes.contacts[i].mode;
    return mode == SS_MODE_STICK || (mode == SS_MODE_CLOSED && !ss_is_elastic(sim, i));
}

// How much contact i can hold, or does where that has no bound.
static double holding_size(const ss_sim* sim, int i)
{
    double low = fabs(ss_hold_low(sim, i, 0)), high = fabs(ss_hold_high(sim, i, 0)), size = 0.0;
    if (isfinite(low)) size = low;
    if (isfinite(high)) size = fmax(size, high);
    for (int k = 0; k < S; k++)
        size = fmax(size, fabs(sim->ways.stiff->lambda[k * sim->model->contact_count + i]));
    return size;
}

// The same for the forces of contacts that hold. They follow the inputs also where nothing moves, and tell
// when the contact lets go. Their errors do not add up over the steps.
static double error_of_holds(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    double worst = 0.0, largest = 0.0;
    for (int i = 0; i < model->contact_count; i++)
        if (holds(sim, i)) largest = fmax(largest, holding_size(sim, i));
    for (int i = 0; i < model->contact_count && largest > 0.0; i++) {
        if (!holds(sim, i)) continue;
        double error = ss_collocation_value_error(sim->ways.stiff->forces + i, model->contact_count);
        worst =
            fmax(worst, error / (10.0 * sim->pace.tolerance * fmax(holding_size(sim, i), 1e-4 * largest)));
    }
    return worst;
}

static bool is_zero(const double series[], int count)
{
    for (int k = 0; k < count; k++)
        if (series[k] != 0.0) return false;
    return true;
}

// The order that steps and inputs need: no more than the former where drives run evenly and all else is
// constant. Penetrations are read up to two orders below it.
static int order_needed(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    int nd = model->drive_count;
    bool even = is_zero(sim->step.d + 2 * nd, (sim->inputs.order - 1) * nd) && sim->inputs.kink_count == 0;
    for (int i = 0; i < model->contact_count; i++) even = even && sim->inputs.level_at[i] < 0;
    bool more = sim->laws.elastic_count > 0 || model->open;
    int least = S + (more ? 3 : 1);
    if (sim->inputs.varying_count == 0 && even && !sim->open.varies) return least;
    return sim->inputs.order > least ? sim->inputs.order : least;
}

// The step as series in s, in the arrays of the run.
static void write_series(ss_sim* sim, double h)
{
    ss_stiff* stiff = sim->ways.stiff;
    const ss_model* model = sim->model;
    int n = model->n, m = model->contact_count, states = stiff->states;
    int order = sim->step.order = order_needed(sim);
    double scale = 1.0;
    for (int k = 2; k <= order; k++) { // q_k from coefficient k - 2 of v'
        double* q = sim->step.q + (size_t)k * (size_t)n;
        for (int c = 0; c < n; c++)
            q[c] = k - 2 < S ? stiff->newton.derivative[(k - 2) * states + c] * scale / (k * (k - 1.0)) : 0.0;
        for (int j = 0; j < sim->laws.bristle_count; j++)
            sim->laws.bristles[j].along.z[k - 1] =
                k - 2 < S ? stiff->newton.derivative[(k - 2) * states + n + j] * scale / (k - 1.0) : 0.0;
        for (int j = 0; j < sim->open.states; j++)
            sim->step.s[(k - 1) * sim->open.states + j] =
                k - 2 < S ? stiff->newton.derivative[(k - 2) * states + stiff->open + j] * scale / (k - 1.0)
                          : 0.0;
        if (sim->modes.active_count > 0) ss_follow_held(sim, k);
        scale /= h;
    }
    for (int j = 0; j < sim->open.states; j++) sim->step.s[order * sim->open.states + j] = 0.0;
    if (model->open) ss_open_stiff_write(sim, h);
    scale = 1.0;
    for (int k = 0; k <= order - 2; k++, scale /= h)
        for (int i = 0; i < m; i++)
            sim->step.lambda[k * m + i] = k < S ? stiff->forces[k * m + i] * scale : 0.0;
    ss_bristle_follow_series(sim, 0);
    ss_elastic_follow_series(sim);
    ss_slips_follow_series(sim, 0);
}

// ---- the choice

// Relative acceleration of contact i where the bodies have the accelerations `rates`.
static double relative_rate(const ss_sim* sim, int i, const double rates[])
{
    const ss_contact* contact = &sim->model->contacts[i];
    double a = ss_row_dot(&contact->q, rates);
    for (int k = 0; k < contact->d.count; k++)
        a += 2.0 * contact->d.value[k] * sim->step.d[2 * sim->model->drive_count + contact->d.index[k]];
    return a;
}

// Time in which the first contact would reverse as it decelerates now, or the first stop open: formulas end
// there.
static double time_to_reversal(const ss_sim* sim, const double rates[])
{
    double time = INFINITY;
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        int i = sim->laws.bristles[j].contact;
        if (sim->laws.bristles[j].still) continue;
        double v = ss_relative_velocity(sim, i, 0), a = relative_rate(sim, i, rates);
        if (a * v < 0.0) time = fmin(time, -v / a);
    }
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        int i = sim->laws.elastic[e].contact;
        double gap = sim->modes.contacts[i].gap,
               rate = sim->model->contacts[i].stop.side * ss_relative_velocity(sim, i, 0);
        if (sim->modes.contacts[i].mode == SS_MODE_CLOSED && rate < 0.0) time = fmin(time, gap / rate);
    }
    for (int i = 0; i < sim->model->contact_count; i++) {
        if (sim->laws.curved_at[i] < 0 || !ss_slips(sim, i)) continue;
        double v = ss_relative_velocity(sim, i, 0), a = relative_rate(sim, i, rates);
        if (a * v < 0.0) time = fmin(time, -v / a);
    }
    return time;
}

static void refuse(ss_stiff* stiff)
{
    stiff->pace.active = stiff->pace.known = false;
    if (stiff->pace.refused < MOST_REFUSALS) stiff->pace.refused++;
    stiff->pace.patience = PATIENCE << stiff->pace.refused;
}

static bool may_apply(ss_sim* sim)
{
    if (!sim->ways.stiff || !(sim->ways.stiff->pace.active || sim->ways.stiff->pace.patience <= 0))
        return false;
    if (sim->model->open && !ss_open_stiff_may_apply(sim)) return false;
    for (int i = 0; i < sim->model->contact_count; i++)
        if (sim->modes.contacts[i].lead > 0) return false;
    for (int j = 0; j < sim->laws.bristle_count; j++)
        if (sim->laws.bristles[j].still && !ss_cannot_move(sim, sim->laws.bristles[j].contact)) return false;
    for (int e = 0; e < sim->laws.elastic_count; e++)
        if (sim->laws.elastic[e].quiet || sim->laws.elastic[e].edge_lead[0] > 0 ||
            sim->laws.elastic[e].edge_lead[1] > 0)
            return false;
    return true;
}

// The first node at which formulas have ended; SS_STAGES if none is.
static int first_stray(const ss_sim* sim, double h)
{
    const ss_stiff* stiff = sim->ways.stiff;
    int n = sim->model->n;
    for (int i = 0; i < S; i++) {
        ss_stiff_point at = {h * stiff->method.node[i], stiff->q + i * n, stiff->state + i * stiff->states,
                             stiff->drives + 3 * i * sim->model->drive_count};
        if (ss_stiff_strays(sim, &at)) return i;
    }
    return S;
}

// What expressions give at the nodes and at the start.
static void look_at_nodes(const ss_sim* sim, double h)
{
    const ss_stiff* stiff = sim->ways.stiff;
    int n = sim->model->n;
    for (int i = 0; i <= S; i++) {
        bool start = i == S;
        ss_stiff_point at = {start ? 0.0 : h * stiff->method.node[i], start ? sim->step.q : stiff->q + i * n,
                             start ? stiff->start : stiff->state + i * stiff->states,
                             stiff->drives + 3 * i * sim->model->drive_count};
        ss_open_stiff_node(sim, i, &at, at.state + stiff->open);
    }
}

// Whether the attempt at a step of length h is good; otherwise by which factor to change h. The factor for
// the next step is left there, too.
static bool attempt(ss_sim* sim, double h, double tolerance, double* factor)
{
    ss_stiff* stiff = sim->ways.stiff;
    guess(sim, h);
    *factor = 0.25;
    if (!solve(sim, h, tolerance)) return false;
    int stray = first_stray(sim, h);
    if (stray < S) {
        *factor = stray > 0 ? fmax(stiff->method.node[stray - 1], 0.2) : 0.2;
        return false;
    }
    if (sim->model->open) look_at_nodes(sim, h);
    interpolate(&stiff->method, stiff->newton.slope, stiff->states, stiff->newton.matrix);
    interpolate(&stiff->method, stiff->lambda, sim->model->contact_count, stiff->forces);
    double error = error_of(sim, stiff->newton.matrix, h, tolerance);
    if (sim->modes.active_count > 0) error = fmax(error, error_of_holds(sim));
    *factor = error > 0.0 ? 0.8 * pow(error, -1.0 / growth) : 8.0;
    bool good = error <= 1.0;
    // Whatever made this step harder than the last goes on.
    if (good && stiff->pace.known && error > 0.0 && stiff->pace.error > 0.0)
        *factor *= fmin(h / stiff->pace.last * pow(stiff->pace.error / error, 1.0 / growth), 1.0);
    *factor = fmax(fmin(*factor, 8.0), 0.2);
    if (good) stiff->pace.error = error;
    return good;
}

static void accept(ss_sim* sim, double h, double factor)
{
    ss_stiff* stiff = sim->ways.stiff;
    memcpy(stiff->newton.derivative, stiff->newton.matrix, (size_t)(S * stiff->states) * sizeof(double));
    write_series(sim, h);
    stiff->pace.active = stiff->pace.known = true;
    stiff->pace.refused = 0;
    stiff->pace.last = sim->step.length = h;
    stiff->pace.next = h * factor;
    stiff->pace.end = sim->step.t + h;
}

// The number of steps grows like tolerance^(-1/8); what each may err is reduced by as much, so that the error
// of the whole is proportional to the tolerance.
static double tolerance_of_step(const ss_sim* sim)
{
    const double loose = 1e-5;
    if (sim->model->nature.linear) return SS_NOISE; // closed form elsewhere
    double share = fmin(pow(sim->pace.tolerance / loose, 1.0 / S), 1.0);
    return fmax(sim->pace.tolerance * share, SS_NOISE);
}

// Contacts that slip reverse and stick where their speed is 0, however small it was before: to rounding.
static void find_fine(const ss_sim* sim)
{
    ss_stiff* stiff = sim->ways.stiff;
    for (int c = 0; c < sim->model->n; c++) stiff->noise[c] = DBL_EPSILON * ss_pull_size(sim, c, 0);
    memset(stiff->fine, 0, (size_t)sim->model->n * sizeof(bool));
    for (int i = 0; i < sim->model->contact_count; i++) {
        const ss_row* row = &sim->model->contacts[i].q;
        for (int k = 0; k < row->count && ss_slips(sim, i); k++) stiff->fine[row->index[k]] = true;
    }
}

bool ss_stiff_step(ss_sim* sim)
{
    ss_stiff* stiff = sim->ways.stiff;
    if (!may_apply(sim)) return false;
    int n = sim->model->n;
    memcpy(stiff->start, sim->step.q + n, (size_t)n * sizeof(double));
    for (int j = 0; j < sim->laws.bristle_count; j++) stiff->start[n + j] = sim->laws.bristles[j].along.z[0];
    for (int j = 0; j < sim->open.states; j++) stiff->start[stiff->open + j] = sim->step.s[j];
    stiff->pace.known = stiff->pace.known && stiff->pace.end == sim->step.t;
    double tolerance = tolerance_of_step(sim), shortest = worthwhile * series_reach / ss_stiff_rate(sim);
    find_fine(sim);
    // Laws with several formulas choose theirs where the step begins.
    for (int i = 0; i < sim->model->contact_count; i++)
        if (sim->laws.curved_at[i] >= 0 && ss_slips(sim, i)) (void)ss_slip_force(sim, i, 0);
    rates_at_start(sim);
    double h = fmin(stiff->pace.active ? stiff->pace.next : 0.5 * stiff->pace.slow,
                    0.9 * time_to_reversal(sim, stiff->newton.slope));
    h = ss_input_reach(sim, fmin(h, sim->inputs.next_break - sim->step.t));
    for (int round = 0; round < 5 && h > shortest; round++) {
        double factor;
        if (attempt(sim, h, tolerance, &factor)) {
            accept(sim, h, factor);
            return true;
        }
        h *= factor;
    }
    refuse(stiff);
    return false;
}

// Time in which the first of the bodies changes its speed. What the forces on a body that creeps leave of
// each other is an acceleration only where it is more than their rounding.
static double time_of_bodies(const ss_sim* sim)
{
    const ss_operator* op = &sim->model->matrices.flow;
    int n = sim->model->n;
    const double *v = sim->step.q + n, *half = sim->step.q + 2 * n;
    double time = INFINITY;
    for (int i = 0; i < n; i++) {
        double a = 2.0 * fabs(half[i]), terms = fabs(sim->pulls.constant[i]);
        if (!(fabs(v[i]) < time * a)) continue;
        for (int l = op->start[i]; l < op->start[i + 1]; l++)
            terms +=
                fabs(op->stiffness[l] * sim->step.q[op->index[l]]) + fabs(op->damping[l] * v[op->index[l]]);
        if (a > SS_FAINT * terms) time = fabs(v[i]) / a;
    }
    return time;
}

// Time in which the first of the states changes, those aside whose rates are nothing but rounding.
static double time_of_states(const ss_sim* sim)
{
    const double *s = sim->step.s, *rate = s + sim->open.states;
    double time = INFINITY;
    for (int j = 0; j < sim->open.states; j++)
        if (fabs(rate[j]) > SS_FAINT * ss_open_rate_size(sim, j) && fabs(s[j]) < time * fabs(rate[j]))
            time = fabs(s[j] / rate[j]);
    return time;
}

void ss_stiff_learn(ss_sim* sim)
{
    ss_stiff* stiff = sim->ways.stiff;
    bool smooth = sim->laws.bristle_count == 0;
    double slow = smooth ? time_of_bodies(sim) : INFINITY;
    slow = fmin(slow, time_of_states(sim));
    stiff->pace.known = stiff->pace.active = false;
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        const ss_bristle* b = &sim->laws.bristles[j];
        if (b->still) continue;
        double v = fabs(ss_relative_velocity(sim, b->contact, 0)),
               a = fabs(ss_relative_velocity(sim, b->contact, 1));
        if (v < slow * a) slow = v / a;
        const double* z = b->along.z;
        if (fabs(z[0]) < slow * fabs(z[1])) slow = fabs(z[0] / z[1]);
    }
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        const ss_elastic* stop = &sim->laws.elastic[e];
        if (sim->modes.contacts[stop->contact].mode != SS_MODE_CLOSED) continue;
        if (fabs(stop->p[0]) < slow * fabs(stop->rate[0])) slow = fabs(stop->p[0] / stop->rate[0]);
        bool changes = fabs(stop->rate[1]) > SS_FAINT * ss_acceleration_size(sim, stop->contact, 0);
        if (changes && fabs(stop->rate[0]) < slow * fabs(stop->rate[1]))
            slow = fabs(stop->rate[0] / stop->rate[1]);
    }
    stiff->pace.slow = fmin(slow, 1e3 * sim->step.length);
    if (slow * ss_stiff_rate(sim) > 4.0 * worthwhile * series_reach)
        stiff->pace.patience--;
    else if (smooth && stiff->pace.patience < SMOOTH_PATIENCE)
        stiff->pace.patience = SMOOTH_PATIENCE;
}
