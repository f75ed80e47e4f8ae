// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Newton's method for the derivatives at the nodes of a stiff step (stiff.c), and when it has settled: where
// its corrections are within the tolerance, or within what rounding leaves of the state.
#include "engine/flow/stiff.h"

#include "core/algebra/lu.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { S = SS_STAGES, ROUNDS = 9 };

// Coordinates and states at all nodes from the derivatives there.
static void place_nodes(const ss_model* model, const ss_step* step, const ss_ways* ways, double h)
{
    const ss_stiff* stiff = ways->stiff;
    const ss_collocation* method = &stiff->method;
    int n = model->n, states = stiff->states;
    double moved[S];
    for (int k = 0; k < states; k++) {
        ss_collocation_combine(method->once, stiff->newton.slope + k, states, moved);
        for (int i = 0; i < S; i++) stiff->state[i * states + k] = stiff->start[k] + h * moved[i];
    }
    for (int k = 0; k < n; k++) {
        ss_collocation_combine(method->twice, stiff->newton.slope + k, states, moved);
        for (int i = 0; i < S; i++)
            stiff->q[i * n + k] = step->q[k] + h * (method->node[i] * stiff->start[k] + h * moved[i]);
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
        double* rest = stiff->newton.residual + i * states;
        ss_stiff_rates(sim, i, h, rest, stiff->lambda + (size_t)i * (size_t)sim->model->contact_count);
        for (int k = 0; k < states; k++) rest[k] -= stiff->newton.slope[i * states + k];
        if (!with_matrix) continue;
        ss_stiff_jacobian(sim, i, h, stiff->jacobian);
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

void ss_stiff_linearise(ss_sim* sim, double h, double jacobians[], double matrix[])
{
    const ss_stiff* stiff = sim->ways.stiff;
    int n = sim->model->n, states = stiff->states, width = n + states, all = S * states;
    for (int i = 0; i < S; i++) {
        double* own = jacobians + (size_t)(i * states) * (size_t)width;
        ss_stiff_jacobian(sim, i, h, own);
        for (int r = 0; r < states; r++) {
            double* out = matrix + (size_t)(i * states + r) * (size_t)all;
            fill_row(stiff, i, h, own + r * width, n, out);
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

double ss_stiff_noise(const ss_model* model, const ss_step* step, const ss_ways* ways, int k, double h)
{
    const ss_stiff* stiff = ways->stiff;
    int n = model->n, width = n + stiff->states;
    const double* row = stiff->jacobian + k * width;
    double terms = 0.0;
    for (int c = 0; c < n; c++) terms += fabs(row[c] * step->q[c]);
    for (int c = 0; c < stiff->states; c++) terms += fabs(row[n + c] * stiff->start[c]);
    return 4.0 * DBL_EPSILON * terms * h / (1.0 + h * fabs(row[n + k]));
}

// Speeds that rounding of the accelerations leaves after a step of length h: what it adds up to, or in the
// time in which damping takes it away; and what others hand on by their dampers. Two rounds reach neighbours
// of neighbours.
static void find_jitter(const ss_model* model, const ss_step* step, const ss_ways* ways, double h)
{
    ss_stiff* stiff = ways->stiff;
    int n = model->n, width = n + stiff->states;
    for (int c = 0; c < n; c++) stiff->jitter[c] = 0.0;
    for (int round = 0; round < (stiff->newton.band > 0 ? 1 : 2); round++)
        for (int c = 0; c < n; c++) {
            const double* by_speed = stiff->jacobian + c * width + n;
            // A force that follows the speed fast follows its rounding, too.
            double sum = stiff->noise[c] + 8.0 * DBL_EPSILON * fabs(by_speed[c]) * stiff->speed[c];
            for (int j = 0; j < n && stiff->newton.band == 0; j++)
                if (j != c) sum += fabs(by_speed[j]) * stiff->jitter[j];
            for (int j = stiff->open; j < stiff->states; j++)
                sum += fabs(by_speed[j]) * ss_stiff_noise(model, step, ways, j, h);
            stiff->jitter[c] = sum * h / (1.0 + h * fabs(by_speed[c]));
        }
}

// A speed that is rounding: that of a body that hardly moves beside others that do; what its body jitters by;
// and, where no slipping contact needs the speed better than the place, one that moves its body by less than
// a rounding of its place.
static double least_size(const ss_model* model, const ss_step* step, const ss_ways* ways, int k, double h)
{
    const ss_stiff* stiff = ways->stiff;
    if (k >= stiff->open) return ss_stiff_noise(model, step, ways, k, h);
    if (k >= model->n) return 0.0;
    double least = stiff->jitter[k];
    return stiff->fine[k] ? least : fmax(least, DBL_EPSILON * fabs(step->q[k]) / h);
}

// Largest change of a state by the corrections, over its size, or for speeds over what rounding leaves of it;
// infinite where the iteration has lost itself.
static double weigh(const ss_model* model, const ss_step* step, const ss_ways* ways, double h,
                    double tolerance)
{
    const ss_stiff* stiff = ways->stiff;
    int n = model->n, states = stiff->states;
    double worst = 0.0, fastest = 0.0, all = 0.0, moved[S];
    for (int k = 0; k < states; k++) {
        double size = fmax(fabs(stiff->start[k]), least_size(model, step, ways, k, h) / tolerance);
        for (int i = 0; i < S; i++) size = fmax(size, fabs(stiff->state[i * states + k]));
        if (k >= n && k < stiff->open && step->laws.bristles[k - n].still)
            size = 0.0; // a bristle that stands still has nothing but rounding
        stiff->size[k] = size;
        if (k < n) fastest = fmax(fastest, size);
    }
    for (int k = 0; k < states; k++) {
        double change = 0.0, size = stiff->size[k];
        ss_collocation_combine(stiff->method.once, stiff->newton.residual + k, states, moved);
        for (int i = 0; i < S; i++) change = fmax(change, fabs(h * moved[i]));
        for (int i = 0; i < S; i++) all += fabs(moved[i]);
        if (k < n) size = fmax(size, 4.0 * DBL_EPSILON / tolerance * fastest);
        if (size > 0.0) worst = fmax(worst, change / size);
    }
    return isfinite(all) ? worst : INFINITY; // fmax passes over what is not a number
}

bool ss_stiff_solve(ss_sim* sim, double h, double tolerance)
{
    ss_stiff* stiff = sim->ways.stiff;
    int all = S * stiff->states;
    double before = INFINITY;
    bool anew = true;
    for (int i = 0; i < S; i++) ss_stiff_give(sim, i, h);
    for (int round = 0; round < ROUNDS; round++) {
        place_nodes(sim->model, &sim->step, &sim->ways, h);
        if (anew && stiff->newton.band > 0)
            memset(stiff->newton.matrix, 0,
                   (size_t)all * (3 * (size_t)stiff->newton.band + 1) * sizeof(double));
        assemble(sim, h, anew);
        if (round == 0) find_jitter(sim->model, &sim->step, &sim->ways, h);
        if (anew && !factor(stiff)) return false;
        correct(stiff);
        double change = weigh(sim->model, &sim->step, &sim->ways, h, tolerance);
        if (!(change < 1e3)) return false;
        for (int k = 0; k < all; k++) stiff->newton.slope[k] += stiff->newton.residual[k];
        bool stalls = change > 0.3 * before;
        if (change <= 0.02 * tolerance || (stalls && change < tolerance)) break;
        if (round == ROUNDS - 1) return false;
        anew = change > 0.05 * before || (round == 0 && change > 1e-3);
        before = change;
    }
    place_nodes(sim->model, &sim->step, &sim->ways, h);
    assemble(sim, h, false); // the forces at the nodes
    return true;
}
