// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Tables of the lanes, mode by mode. The linear system of a mode is that of the field; its powers and
// exponentials are sums of series in long double.
#include "engine/batch/lanes.h"
#include "engine/field/field.h"
#include "engine/flow/contact.h"
#include "engine/flow/input_series.h"
#include "engine/select/select.h"
#include "model/open_impl.h"
#include "share/model_parts.h"

#include <math.h>
#include <string.h>

enum { Y = SS_LANES_Y, PARTS = 8, LONGEST = 60 };
typedef long double real;

static const double cell_reach = 2.5; // rate times the length of the longest cell

/// A of one mode, and what is made of it while its tables are filled.
typedef struct system {
    int size; ///< 2 n
    real a[Y][Y];
    real constant[Y];
} system;

bool ss_lanes_apply(const ss_model* model)
{
    int n = model->n, m = model->contact_count;
    if (n < 1 || n > SS_LANES_N || m < 1 || m > SS_LANES_N || model->body_count != n) return false;
    if (model->nature.one_way || model->tie_count > 0 || ss_model_state_count(model) > 0)
        return false; // lanes carry places and speeds only
    if (model->open && model->open->block_count > 0) return false;
    if (!model->nature.linear || !model->nature.steady || model->drive_count > 0 ||
        !(model->bounds.rate > 0.0))
        return false;
    for (int i = 0; i < m; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (!ss_contact_is(contact, SS_TRAIT_LEVELS) || contact->varies) return false;
        if (contact->falling && model->groups[contact->group].count > 1) return false;
    }
    return true;
}

// ---- the linear system of a mode

static void set_modes(ss_sim* sim, int number)
{
    const ss_model* model = sim->model;
    for (int i = 0; i < model->contact_count; i++, number /= 3) {
        ss_contact_run* run = &sim->modes.contacts[i];
        memset(run, 0, sizeof *run);
        run->mode = (ss_mode)(number % 3);
        run->zero = run->mode == SS_MODE_STICK;
        run->determined = true;
    }
    sim->modes.active_count = sim->modes.active_slips = 0;
    for (int g = 0; g < model->group_count; g++) {
        ss_build_hold(sim, g);
        if (sim->modes.holds[g].active) sim->modes.active[sim->modes.active_count++] = g;
    }
}

static double slip_sign(const ss_modes* modes, int i)
{
    return modes->contacts[i].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
}

// What the field answers at rest in the origin is constant; the rest is linear in the state.
static void fill_constant(const ss_sim* sim, ss_lane_mode* mode)
{
    const ss_model* model = sim->model;
    const double origin[Y] = {0.0};
    double rates[SS_LANES_N], lambda[SS_LANES_N];
    ss_field_point at = {
        .q = origin,
        .v = origin + model->n,
        .given = ss_given_on_step(sim->model, &sim->step, &sim->inputs, &sim->open, 0.0, sim->field->given)};
    ss_field_rates(sim->field, &at, rates, lambda);
    for (int i = 0; i < model->n; i++) mode->pull[i] = rates[i];
    for (int i = 0; i < model->contact_count; i++) {
        mode->contacts[i].base = mode->contacts[i].sticks ? lambda[i] : 0.0;
        mode->contacts[i].pull_base = ss_row_dot(&model->contacts[i].q, rates);
    }
}

// Columns by q, then by q'.
static void fill_columns(const ss_model* model, struct ss_field* field, const ss_modes* modes,
                         ss_lane_mode* mode)
{
    int n = model->n, width = 2 * n;
    double rates[SS_LANES_N * Y], forces[SS_LANES_N * Y];
    ss_field_jacobian(field, NULL, rates, forces);
    for (int c = 0; c < width; c++) {
        double pull[SS_LANES_N], speed[SS_LANES_N] = {0.0};
        if (c >= n) speed[c - n] = 1.0;
        for (int i = 0; i < n; i++) pull[i] = mode->rates[i][c] = rates[i * width + c];
        for (int i = 0; i < model->contact_count; i++) {
            ss_lane_contact* contact = &mode->contacts[i];
            contact->row[c] = contact->sticks
                                  ? forces[i * width + c]
                                  : slip_sign(modes, i) * ss_row_dot(&model->contacts[i].q, speed);
            contact->pull_row[c] = ss_row_dot(&model->contacts[i].q, pull);
        }
    }
}

static void fill_relations(const ss_model* model, const ss_modes* modes, ss_lane_mode* mode)
{
    mode->rank = 0;
    for (int j = 0; j < modes->active_count; j++) {
        const ss_group* group = &model->groups[modes->active[j]];
        const ss_hold* hold = &modes->holds[modes->active[j]];
        for (int r = 0; r < hold->rank; r++) {
            mode->held[mode->rank] = hold->dependent[r];
            for (int c = 0; c < group->coordinate_count; c++)
                mode->relation[mode->rank][group->coordinates[c]] =
                    hold->relation[r * (group->coordinate_count + 1) + c];
            mode->rank++;
        }
    }
}

// Asks the engine. False where the forces of the mode are not determined.
static bool ask_mode(ss_sim* sim, ss_lane_mode* mode, int number)
{
    const ss_model* model = sim->model;
    memset(sim->step.q, 0, 3 * (size_t)model->n * sizeof(double));
    set_modes(sim, number);
    for (int j = 0; j < sim->modes.active_count; j++)
        if (sim->modes.holds[sim->modes.active[j]].singular) return false;
    for (int i = 0; i < model->contact_count; i++) {
        ss_lane_contact* contact = &mode->contacts[i];
        contact->sticks = sim->modes.contacts[i].mode == SS_MODE_STICK;
        contact->slips_up = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
        contact->low = contact->sticks ? ss_hold_low(sim, i, 0) : 0.0;
        contact->high = contact->sticks ? ss_hold_high(sim, i, 0) : INFINITY;
    }
    fill_constant(sim, mode);
    fill_columns(sim->model, sim->field, &sim->modes, mode);
    fill_relations(sim->model, &sim->modes, mode);
    return true;
}

// ---- series

static system make_system(const ss_lane_mode* mode, int n)
{
    system s = {.size = 2 * n};
    for (int i = 0; i < n; i++) {
        s.a[i][n + i] = 1.0L;
        for (int c = 0; c < 2 * n; c++) s.a[n + i][c] = mode->rates[i][c];
        s.constant[n + i] = mode->pull[i];
    }
    return s;
}

// out = a b, all of them size x size.
static void multiply(int size, real a[Y][Y], real b[Y][Y], real out[Y][Y])
{
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            real sum = 0.0L;
            for (int k = 0; k < size; k++) sum += a[i][k] * b[k][j];
            out[i][j] = sum;
        }
}

// Phi(h) = sum_k A^k h^(k+1)/(k+1)!, the integral of the exponential.
static void integrate(system* s, real h, real out[Y][Y])
{
    real term[Y][Y] = {{0}}, next[Y][Y];
    memset(out, 0, sizeof(real[Y][Y]));
    for (int i = 0; i < s->size; i++) term[i][i] = h;
    real size = h, largest = h;
    for (int k = 0; k < LONGEST && size > 1e-24L * largest; k++) {
        size = 0.0L;
        for (int i = 0; i < s->size; i++)
            for (int j = 0; j < s->size; j++) out[i][j] += term[i][j];
        multiply(s->size, s->a, term, next);
        for (int i = 0; i < s->size; i++)
            for (int j = 0; j < s->size; j++) {
                term[i][j] = next[i][j] * h / (real)(k + 2);
                size = fmaxl(size, fabsl(term[i][j]));
            }
        largest = fmaxl(largest, size);
    }
}

// e^(A h) = 1 + A Phi(h).
static void exponentiate(system* s, real h, real out[Y][Y])
{
    real phi[Y][Y];
    integrate(s, h, phi);
    multiply(s->size, s->a, phi, out);
    for (int i = 0; i < s->size; i++) out[i][i] += 1.0L;
}

// row times a.
static void pass(int size, const real row[Y], real a[Y][Y], real out[Y])
{
    for (int j = 0; j < size; j++) {
        out[j] = 0.0L;
        for (int k = 0; k < size; k++) out[j] += row[k] * a[k][j];
    }
}

// Adds |row (A h)^k| / k! for all k, entry by entry. What is left when a term is below 2^-30 of the sum is
// less than that share of it, because each term is then less than half the one before.
static void sum_sizes(system* s, const real row[Y], real h, real sum[Y])
{
    real term[Y], next[Y], size = 1.0L, total = 0.0L;
    memcpy(term, row, sizeof term);
    for (int c = 0; c < s->size; c++) sum[c] = 0.0L;
    for (int k = 0; k < LONGEST && (k < 8 || size > 0x1p-30L * total); k++) {
        size = 0.0L;
        for (int c = 0; c < s->size; c++) {
            sum[c] += fabsl(term[c]);
            size = fmaxl(size, fabsl(term[c]));
        }
        total += size;
        pass(s->size, term, s->a, next);
        for (int c = 0; c < s->size; c++) term[c] = next[c] * h / (real)(k + 1);
    }
    for (int c = 0; c < s->size; c++) sum[c] += 0x1p-29L * total;
}

// Bound on |row e^(A s)| for 0 <= s <= cell, entry by entry: on each of some parts the series in absolute
// values.
static void bound_row(system* s, const real row[Y], real cell, double out[Y])
{
    real from[Y], next[Y] = {0}, step[Y][Y];
    exponentiate(s, cell / PARTS, step);
    memcpy(from, row, sizeof from);
    memset(out, 0, sizeof(double[Y]));
    for (int part = 0; part < PARTS; part++) {
        real sum[Y] = {0};
        sum_sizes(s, from, cell / PARTS, sum);
        for (int c = 0; c < s->size; c++) out[c] = fmax(out[c], (double)sum[c]);
        pass(s->size, from, step, next);
        memcpy(from, next, sizeof from);
    }
}

// Coefficients of the characteristic polynomial, s^d + c[d-1] s^(d-1) + .. + c[0], after Faddeev and
// LeVerrier.
static void characteristic(system* s, real c[Y])
{
    real m[Y][Y] = {{0}}, am[Y][Y];
    int d = s->size;
    real last = 1.0L;
    for (int k = 1; k <= d; k++) {
        for (int i = 0; i < d; i++) m[i][i] += last;
        multiply(d, s->a, m, am);
        real trace = 0.0L;
        for (int i = 0; i < d; i++) trace += am[i][i];
        last = -trace / (real)k;
        c[d - k] = last;
        memcpy(m, am, sizeof m);
    }
}

// Number of terms after which what is left of Phi is below rounding, half a cell away.
static int count_terms(int d)
{
    double x = 0.5 * cell_reach, size = 1.0;
    int k = 1;
    for (; k < d + SS_LANES_TERMS && size > 0x1p-62; k++) size *= x / (k + 1);
    int terms = k - d;
    return terms < 2 ? 2 : terms > SS_LANES_TERMS ? SS_LANES_TERMS : terms;
}

// Coefficients of Chebyshev's polynomial of degree k.
static void chebyshev(int k, real out[])
{
    real before[SS_LANES_TERMS] = {1.0L}, now[SS_LANES_TERMS] = {0.0L, 1.0L}, next[SS_LANES_TERMS];
    for (int j = 1; j < k; j++) {
        for (int i = 0; i < SS_LANES_TERMS; i++) next[i] = (i > 0 ? 2.0L * now[i - 1] : 0.0L) - before[i];
        memcpy(before, now, sizeof before);
        memcpy(now, next, sizeof now);
    }
    memcpy(out, k == 0 ? before : now, sizeof now);
}

// Drops the last terms of a polynomial on [-1, 1] as long as Chebyshev's polynomials can make up for them
// with an error of less than `allowed` in all. Returns how many are left.
static int economize(real c[], int count, real allowed)
{
    real t[SS_LANES_TERMS];
    for (; count > 2; count--) {
        int k = count - 1;
        real error = ldexpl(fabsl(c[k]), 1 - k);
        if (error > allowed) break;
        allowed -= error;
        chebyshev(k, t);
        real factor = ldexpl(c[k], 1 - k);
        for (int i = 0; i <= k; i++) c[i] -= factor * t[i];
    }
    return count;
}

// By Cayley and Hamilton A^k = sum_j gamma_kj A^j, j < d = 2 n, so that
//     Phi(r) = sum_j beta_j(r) A^j,    beta_j = r^(j+1)/(j+1)! + r^(d+1) sum_k gamma_(d+k)j r^k/(d+k+1)!
// The sums are needed for |r| <= h, half a cell, as exactly as rounding allows: an error of 2^-57 h^(j+1) in
// beta_j.
static void fill_weights(system* s, ss_lane_mode* mode, real h)
{
    real c[Y], gamma[Y] = {0}, factor = 1.0L, power = 1.0L, series[Y][SS_LANES_TERMS] = {{0}};
    int d = s->size, terms = count_terms(d);
    characteristic(s, c);
    for (int j = 0; j < d; j++) {
        gamma[j] = -c[j];
        factor /= (real)(j + 1);
    }
    for (int k = 0; k < terms; k++, power *= h) {
        factor /= (real)(d + k + 1);
        real top = gamma[d - 1];
        for (int j = 0; j < d; j++) series[j][k] = gamma[j] * factor * power;
        for (int j = d - 1; j >= 0; j--) gamma[j] = (j > 0 ? gamma[j - 1] : 0.0L) - c[j] * top;
    }
    mode->terms = 2;
    for (int j = 0; j < d; j++) {
        int count = economize(series[j], terms, 0x1p-57L * powl(h, j - d));
        while (mode->terms < count) mode->terms += 2; // odd and even ones are summed apart
    }
    for (int k = 0; k < mode->terms; k++)
        for (int j = 0; j < d; j++) mode->weights[k][j] = (double)(series[j][k] / powl(h, k));
}

// ---- bounds

static void fill_bounds(system* s, ss_lane_contact* contact, double cell)
{
    real row[Y] = {0}, next[Y] = {0}, phi[Y][Y];
    double size[Y];
    for (int c = 0; c < s->size; c++) row[c] = contact->row[c];
    bound_row(s, row, cell, size);
    contact->blur[0] = contact->blur[1] = 0.0;
    for (int c = 0; c < s->size; c++) contact->blur[0] += size[c];
    integrate(s, cell, phi);
    pass(s->size, row, phi, next);
    for (int c = 0; c < s->size; c++) contact->blur[1] += fabs((double)(next[c] * s->constant[c]));
    contact->blur[1] +=
        fabs(contact->base) + fabs(contact->low) + (contact->sticks ? fabs(contact->high) : 0.0);
    for (int k = 0; k < 5; k++) {
        pass(s->size, row, s->a, next);
        memcpy(row, next, sizeof row);
    }
    bound_row(s, row, cell, contact->bend); // g^(6) = row A^5 y'
}

// Largest |y_c| from which no coordinate can move further than half the escape bound from 0 on a cell.
static double find_reach(system* s, double cell, double escape)
{
    real phi[Y][Y];
    double reach = 0x1p500;
    integrate(s, cell, phi);
    for (int i = 0; 2 * i < s->size && isfinite(escape); i++) {
        real row[Y] = {0};
        double size[Y], growth = 0.0, drift = 0.0;
        row[i] = 1.0L;
        bound_row(s, row, cell, size);
        for (int c = 0; c < s->size; c++) {
            growth += size[c];
            drift += size[c] * fabs((double)s->constant[c]) * cell;
        }
        reach = fmin(reach, (0.5 * escape - drift) / growth);
    }
    return reach;
}

// ---- all of it

// From the shortest cell to the longest: Phi(2 h) = Phi(h) + e^(A h) Phi(h) = 2 Phi(h) + A Phi(h) Phi(h).
static void fill_steps(system* s, const ss_lanes* lanes, ss_lane_mode* mode)
{
    real phi[Y][Y], a_phi[Y][Y], more[Y][Y];
    integrate(s, lanes->cell[SS_LANES_LEVELS - 1], phi);
    for (int level = SS_LANES_LEVELS - 1; level >= 0; level--) {
        for (int i = 0; i < s->size; i++)
            for (int c = 0; c < s->size; c++) mode->step[level][i][c] = (double)phi[i][c];
        multiply(s->size, s->a, phi, a_phi);
        multiply(s->size, a_phi, phi, more);
        for (int i = 0; i < s->size; i++)
            for (int c = 0; c < s->size; c++) phi[i][c] = 2.0L * phi[i][c] + more[i][c];
    }
}

void ss_lanes_fill_mode(const ss_lanes* lanes, ss_lane_mode* mode, double escape)
{
    system s = make_system(mode, lanes->n);
    fill_steps(&s, lanes, mode);
    fill_weights(&s, mode, 0.5L * (real)lanes->cell[0]);
    for (int i = 0; i < lanes->m; i++) fill_bounds(&s, &mode->contacts[i], lanes->cell[0]);
    mode->reach = find_reach(&s, lanes->cell[0], escape);
    mode->ready = true;
}

void ss_lanes_fill(ss_lanes* lanes, ss_sim* sim)
{
    const ss_model* model = sim->model;
    lanes->n = model->n;
    lanes->m = model->contact_count;
    lanes->mode_count = 1;
    for (int i = 0; i < lanes->m; i++) lanes->mode_count *= 3;
    lanes->cell[0] = cell_reach / model->bounds.rate;
    for (int level = 1; level < SS_LANES_LEVELS; level++) lanes->cell[level] = 0.5 * lanes->cell[level - 1];
    lanes->factorial[0] = 1.0;
    for (int k = 1; k <= Y; k++) lanes->factorial[k] = lanes->factorial[k - 1] / k;
    lanes->longest_mend = 0x1p-9 / model->bounds.rate;
    for (int number = 0; number < lanes->mode_count; number++)
        lanes->modes[number].usable = ask_mode(sim, &lanes->modes[number], number);
}
