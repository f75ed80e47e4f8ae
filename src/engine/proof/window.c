// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Windows: times in which no contact can end the present mode.
//
// Where K and C are symmetric and positive semidefinite, M q'' + C q' + K q = f + W lambda with constant f
// and slip forces loses energy in every mode, and so does every derivative of the motion, which obeys the
// same equation without f: with
//
//     E_k = 1/2 |q^(k+1)|_M^2 + 1/2 |q^(k)|_K^2,     dE_k/dt = -|q^(k+1)|_C^2 <= 0     (k >= 1), (1)
//
// because what holds does no work (W^T q^(k+1) = 0 there). So the present E_k bounds the future:
//
//     a slip speed g = w.q'          |g''| = |w.q'''|  <= |w|_(M^-1) sqrt(2 E_2)
//     a gap g = g0 - w.(q - q0)      |g''| = |w.q''|   <= |w|_(M^-1) sqrt(2 E_1)
//     a force that holds, lambda_i = c.(K q + C q') + const, c = M^-1 W A^-1 e_i:
//                                    |lambda''| <= (|c|_K + |C c|_(M^-1)) sqrt(2 E_2)
//
// (harmonic forces of frequency w and size |f|_(M^-1) let sqrt(2 E_k) grow by at most w^k |f| in a second),
// and g(t + h) >= g + g' h - B h^2/2 > 0 up to the first zero of that parabola. The search marches from zero
// to zero, by propagators, until one is too near to pay. Fast modes that have died out have left E_k, and no
// longer hold the march to their pace.
#include "engine/proof/window.h"
#include "engine/flow/contact.h"
#include "engine/flow/motion_series.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double least_hop = 8.0;             // cells: a step by series is as long
static const double longest = 0x1p19;            // cells of a window: times epsilon it is 1e-10
static const double noise = 256.0 * DBL_EPSILON; // of a sum of terms, relative to them
static const double margin = 1.0 + 0x1p-20;      // by which a computed bound is enlarged

struct ss_window {
    double *force, *size; // contacts, where it begins: forces of those that hold, and of their terms
    double *speed, *wave; // there: of the modal coordinates, n; of the waves
    double growth[2];     // by which sqrt(2 E_1), sqrt(2 E_2) can grow in a second, by harmonic forces
    double* mobility;     // contacts: |w|_(M^-1)
    double* stiffness;    // contacts: |c|_K + |C c|_(M^-1), of those that hold
    double *a, *b;        // scratch: n
};

// ---- the model

// Whether a is symmetric and positive semidefinite, but for rounding: by Cholesky's factors, in room for n x
// n. A pivot within rounding of 0 must leave nothing in its column.
static bool is_semidefinite(const ss_sparse* a, int n, double room[])
{
    memset(room, 0, (size_t)n * (size_t)n * sizeof *room);
    for (int i = 0; i < n; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++) room[i * n + a->index[k]] += a->value[k];
    double size = 0.0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(room[i * n + i]));
    double zero = 4.0 * n * DBL_EPSILON * size;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (!(fabs(room[i * n + j] - room[j * n + i]) <= zero)) return false;
    for (int j = 0; j < n; j++) {
        double pivot = room[j * n + j];
        if (!(pivot >= -zero)) return false;
        for (int i = j + 1; i < n; i++) {
            if (pivot <= zero && !(fabs(room[i * n + j]) <= sqrt(zero * size))) return false;
            double factor = pivot <= zero ? 0.0 : room[i * n + j] / pivot;
            for (int k = j + 1; k <= i; k++) room[i * n + k] -= factor * room[k * n + j];
        }
    }
    return true;
}

// Whether (1) holds: of springs and dampers that push, by their numbers; of matrices, by their factors.
static bool loses_energy(ss_sim* sim, double room[])
{
    const ss_model* model = sim->model;
    const ss_block* block = &model->matrices.block;
    for (int i = 0; i < block->count; i++) // tied ones are combinations of others
        if (model->bodies[i].coordinate != i) return false;
    if (block->count > 0 && !(is_semidefinite(&block->stiffness, block->count, room) &&
                              is_semidefinite(&block->damping, block->count, room)))
        return false;
    for (int c = 0; c < model->connection_count; c++)
        if (!(model->connections[c].stiffness >= 0.0 && model->connections[c].damping >= 0.0)) return false;
    return true;
}

struct ss_window* ss_window_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    size_t n = (size_t)model->n, m = (size_t)model->contact_count, d = sizeof(double);
    if (!model->nature.linear || m == 0) return NULL;
    struct ss_window* w = ss_pool_spare(&sim->pool, 1, sizeof *w);
    double* room = ss_pool_spare(&sim->pool, n * n, d);
    double** all[] = {&w->force, &w->size, &w->mobility, &w->stiffness, &w->speed, &w->a, &w->b};
    if (!w || !room || !loses_energy(sim, room)) return NULL;
    w->wave = ss_pool_spare(&sim->pool, 2 * SS_HARMONICS, d);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = ss_pool_spare(&sim->pool, k < 4 ? m : n, d);
    return sim->pool.failed ? NULL : w;
}

// ---- norms

static double form(const ss_sparse* a, int n, const double x[])
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * ss_sparse_dot(a, i, x);
    return fmax(sum, 0.0);
}

// x^T M^-1 x
static double inverse_form(const ss_model* model, const double x[])
{
    const double* inverse = model->matrices.mass_inverse;
    int n = model->n;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double row = 0.0;
        if (model->matrices.mass_diagonal)
            row = inverse[i] * x[i];
        else
            for (int j = 0; j < n; j++) row += inverse[i * n + j] * x[j];
        sum += x[i] * row;
    }
    return fmax(sum, 0.0);
}

// |c|_K + |C c|_(M^-1) of the contact at place `a` of what holds in its group.
static double holding_stiffness(const ss_sim* sim, struct ss_window* w, const ss_group* group,
                                const ss_hold* hold, int a)
{
    const ss_model* model = sim->model;
    double *c = w->a, *damped = w->b;
    memset(c, 0, (size_t)model->n * sizeof *c);
    for (int b = 0; b < hold->count; b++) {
        const ss_row* row = &model->contacts[group->contacts[hold->places[b]]].mobility;
        for (int k = 0; k < row->count; k++)
            c[row->index[k]] += hold->inverse[a * hold->count + b] * row->value[k];
    }
    for (int i = 0; i < model->n; i++) damped[i] = ss_sparse_dot(&model->matrices.damping, i, c);
    return sqrt(form(&model->matrices.stiffness, model->n, c)) + sqrt(inverse_form(model, damped));
}

bool ss_window_begin(ss_sim* sim, struct ss_window* w)
{
    const ss_model* model = sim->model;
    for (int i = 0; i < model->contact_count; i++) {
        const ss_group* group = &model->groups[model->contacts[i].group];
        int place = model->contacts[i].place;
        w->force[i] = sim->step.lambda[i];
        w->size[i] = ss_holds(&sim->step, &sim->modes, i) ? ss_hold_size(sim, i) : 0.0;
        w->mobility[i] = sqrt(group->coupling[place * group->count + place]);
        w->stiffness[i] = 0.0;
    }
    for (int j = 0; j < sim->modes.active_count; j++) {
        const ss_group* group = &model->groups[sim->modes.active[j]];
        const ss_hold* hold = &sim->modes.holds[sim->modes.active[j]];
        if (hold->singular) return false;
        for (int a = 0; a < hold->count; a++)
            w->stiffness[group->contacts[hold->places[a]]] = holding_stiffness(sim, w, group, hold, a);
    }
    return true;
}

// ---- the march

// The motion at one point of the march, in modal coordinates, and what (1) says of it.
typedef struct point {
    const double *v, *a, *gone; // speed, acceleration, way since the start
    const double* wave;         // cos and sin of each harmonic
    double first, second;       // sqrt(2 E_1), sqrt(2 E_2)
} point;

static double dot(const double a[], const double b[], int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// What the harmonics with factors `by` change in a second.
static double wave_rate(const ss_harmonics* waves, const double by[], const double wave[])
{
    double sum = 0.0;
    for (int w = 0; w < waves->count; w++)
        sum += waves->frequency[w] * (by[2 * w + 1] * wave[2 * w] - by[2 * w] * wave[2 * w + 1]);
    return sum;
}

static point look(const ss_modal* modal, const ss_harmonics* waves, const double u[], const double moved[],
                  double jerk[])
{
    int r = modal->count;
    point at = {.v = u, .a = u + r, .gone = moved, .wave = u + 2 * r};
    double first = dot(at.a, at.a, r), second = 0.0;
    for (int i = 0; i < r; i++) {
        jerk[i] = wave_rate(waves, modal->wave + i * 2 * waves->count, at.wave) -
                  dot(modal->stiffness + i * r, at.v, r) - dot(modal->damping + i * r, at.a, r);
        first += at.v[i] * dot(modal->form + i * r, at.v, r);
        second += jerk[i] * jerk[i] + at.a[i] * dot(modal->form + i * r, at.a, r);
    }
    at.first = sqrt(fmax(first, 0.0));
    at.second = sqrt(fmax(second, 0.0));
    return at;
}

// Forces of frequency w and size |phi| let sqrt(2 E_k) grow by w^k |phi| in a second.
static void find_growth(struct ss_window* w, const ss_modal* modal, const ss_harmonics* waves)
{
    int width = 2 * waves->count;
    w->growth[0] = w->growth[1] = 0.0;
    for (int k = 0; k < waves->count; k++) {
        double size = 0.0, rate = waves->frequency[k];
        for (int j = 0; j < modal->count; j++)
            for (int part = 0; part < 2; part++)
                size += modal->wave[j * width + 2 * k + part] * modal->wave[j * width + 2 * k + part];
        w->growth[0] += rate * sqrt(size);
        w->growth[1] += rate * rate * sqrt(size);
    }
}

// The first zero of g + slope h - bend h^2/2; g may be 0 where it grows.
static double first_zero(double g, double slope, double bend)
{
    double root = sqrt(slope * slope + 2.0 * bend * g);
    if (slope < 0.0) return 2.0 * g / (root - slope); // no digits lost
    return bend > 0.0 ? (slope + root) / bend : INFINITY;
}

// How long g stays positive: |g''| <= bend + growth h after a time h. size: of the terms of g. The answer is
// right for every h tried; rounds bring h and the zero that it allows together.
static double stays(double g, double slope, double bend, double growth, double size)
{
    enum { ROUNDS = 6 };
    g = fmax(g - noise * size, slope > 0.0 && g >= 0.0 ? 0.0 : -1.0);
    if (g < 0.0) return 0.0;
    double h = fmin(first_zero(g, slope, margin * bend), 1e300), zero = h;
    for (int round = 0; round < ROUNDS && growth > 0.0; round++) {
        zero = first_zero(g, slope, margin * (bend + growth * h));
        if (round + 1 < ROUNDS) h = sqrt(h) * sqrt(zero);
    }
    return fmin(h, zero);
}

// Force of contact i, which holds, its rate, and the size of its terms.
static double force_at(const struct ss_window* w, const ss_modal* modal, const ss_harmonics* waves, int i,
                       const point* at, double* rate, double* size)
{
    int r = modal->count, width = 2 * waves->count;
    const double *by_way = modal->reaction + (size_t)i * 2 * (size_t)r, *by_speed = by_way + r,
                 *by_wave = modal->direct + (size_t)i * (size_t)width;
    double force = w->force[i];
    *size = w->size[i];
    for (int j = 0; j < r; j++) {
        force += by_way[j] * at->gone[j] + by_speed[j] * (at->v[j] - w->speed[j]);
        *size += fabs(by_way[j] * at->gone[j]) + fabs(by_speed[j]) * (fabs(at->v[j]) + fabs(w->speed[j]));
    }
    for (int k = 0; k < width; k++) {
        force += by_wave[k] * (at->wave[k] - w->wave[k]);
        *size += fabs(by_wave[k]);
    }
    *rate = dot(by_way, at->v, r) + dot(by_speed, at->a, r) + wave_rate(waves, by_wave, at->wave);
    return force;
}

// How long contact i, which holds, goes on to.
static double keeps_holding(const ss_sim* sim, const struct ss_window* w, const ss_modal* modal,
                            const ss_harmonics* waves, int i, const point* at)
{
    const ss_contact_run* run = &sim->modes.contacts[i];
    const double* by_wave = modal->direct + (size_t)i * 2 * (size_t)waves->count;
    double rate, size, force = force_at(w, modal, waves, i, at, &rate, &size), time = INFINITY;
    double low = ss_hold_low(sim, i, 0), high = ss_hold_high(sim, i, 0), bend = w->stiffness[i] * at->second,
           growth = w->stiffness[i] * w->growth[1];
    for (int k = 0; k < waves->count; k++)
        bend += waves->frequency[k] * waves->frequency[k] * hypot(by_wave[2 * k], by_wave[2 * k + 1]);
    if (isfinite(high)) time = stays(high + run->slack[0] - force, -rate, bend, growth, size + fabs(high));
    if (isfinite(low))
        time = fmin(time, stays(force - low + run->slack[1], rate, bend, growth, size + fabs(low)));
    return time;
}

// How long contact i keeps its mode, at least.
static double lasts(const ss_sim* sim, const struct ss_window* w, const ss_modal* modal,
                    const ss_harmonics* waves, int i, const point* at)
{
    const ss_contact_run* run = &sim->modes.contacts[i];
    int r = modal->count;
    const double* row = modal->rows + i * r;
    double v = dot(row, at->v, r), a = dot(row, at->a, r), mobility = w->mobility[i], terms = 0.0;
    if (ss_slips(&sim->modes, i)) {
        double sign = run->mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
        for (int j = 0; j < r; j++) terms += fabs(row[j] * at->v[j]);
        return stays(sign * v, sign * a, mobility * at->second, mobility * w->growth[1], terms);
    }
    if (run->mode == SS_MODE_OPEN) {
        double way = dot(row, at->gone, r), sign = -sim->model->contacts[i].rigid_stop.side;
        return stays(run->gap + sign * way, sign * v, mobility * at->first, mobility * w->growth[0],
                     run->gap + fabs(way));
    }
    return run->pinned ? INFINITY : keeps_holding(sim, w, modal, waves, i, at);
}

double ss_window_cells(ss_sim* sim, struct ss_window* w, const ss_propagators* all, ss_propagator* p,
                       double u[], double moved[])
{
    double cells = 0.0;
    const ss_modal* modal = &p->modal;
    const ss_harmonics* waves = &all->waves;
    if (modal->count == 0) return 0.0;
    memcpy(w->speed, u, (size_t)modal->count * sizeof(double));
    memcpy(w->wave, u + 2 * (size_t)modal->count, 2 * (size_t)waves->count * sizeof(double));
    find_growth(w, modal, waves);
    while (cells < longest) {
        point at = look(modal, waves, u, moved, u + p->size);
        double time = INFINITY;
        for (int i = 0; i < sim->model->contact_count; i++)
            time = fmin(time, lasts(sim, w, modal, waves, i, &at));
        double hop = fmin(floor(time / all->cell), longest - cells);
        if (!(hop >= least_hop)) break;
        ss_propagate(sim, p, hop, u, moved, NULL);
        cells += hop;
    }
    return cells;
}
