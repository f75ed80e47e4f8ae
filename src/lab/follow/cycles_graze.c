// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From an orbit that just touches a rigid stop to the orbits that strike it slowly. Over p they leave like a
// root, and Newton's method finds them badly; over the speed u of the impact they are smooth. To first order
// in u the impact is a kick of k = (1 + e) u M^-1 W/A at the time t of the touch. With M the derivative of
// the orbit over its period, A that up to t and B = M A^-1,
//
//     dy = (1 - M)^-1 B k               change of the start
//     w . (A dy) = (d gap/dp) dp        the touch stays one: tells dp, and with it the side of the border
#include "core/error.h"
#include "lab/algebra.h"
#include "lab/follow/cycles.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Place and speed of stop i, towards it, where the run has got to.
static double gap_now(const ss_orbit* orbit, int i, double* speed)
{
    const ss_contact* contact = &orbit->model->contacts[i];
    double side = contact->rigid_stop.side;
    *speed = side * ss_row_dot(&contact->bodies, ss_sim_v(orbit->sim));
    return side * (contact->rigid_stop.position - ss_row_dot(&contact->bodies, ss_sim_x(orbit->sim)));
}

// When the orbit from u is nearest to stop i, and how near; NaN where it cannot be run.
static ss_status find_touch(ss_orbit* orbit, const double u[], double period, int i, double* t, double* gap,
                            ss_error* err)
{
    enum { SAMPLES = 512, ROUNDS = 48 };
    ss_error why;
    double speed, least = INFINITY;
    *t = *gap = NAN;
    ss_status status = ss_orbit_run(orbit, u, 0.0, &why);
    for (int k = 1; k <= SAMPLES && status == SS_OK && orbit->outcome == SS_TIME_REACHED; k++) {
        status = ss_orbit_advance(orbit, period * k / SAMPLES, &why);
        double here = gap_now(orbit, i, &speed);
        if (here >= least) continue;
        least = here;
        *t = period * k / SAMPLES;
    }
    double low = *t - period / SAMPLES, high = fmin(*t + period / SAMPLES, period);
    for (int round = 0; round < ROUNDS && status == SS_OK && isfinite(least); round++) {
        double middle = 0.5 * (fmax(low, 0.0) + high);
        status = ss_orbit_run(orbit, u, middle, &why);
        *gap = gap_now(orbit, i, &speed);
        *(speed > 0.0 ? &low : &high) = middle;
        *t = middle;
    }
    return status == SS_NO_MEMORY ? ss_fail_no_memory(err) : SS_OK;
}

// x = a^-1 b for one right hand side; a is destroyed. False where a is singular.
static bool solve_linear(double a[], int n, double b[], int pivots[])
{
    return LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, a, n, pivots, b, 1) == 0;
}

typedef struct kick {
    double *m, *a, *copy, *dy, *row; // w x w three times; w twice
    int* pivots;
    double* memory;
} kick;

static bool make_kick(kick* k, int w)
{
    size_t area = (size_t)w * (size_t)w;
    k->memory = ss_new(3 * area + 2 * (size_t)w, sizeof(double));
    k->pivots = ss_new((size_t)w, sizeof(int));
    if (!k->memory || !k->pivots) return false;
    k->m = k->memory;
    k->a = k->m + area;
    k->copy = k->a + area;
    k->dy = k->copy + area;
    k->row = k->dy + w;
    return true;
}

// dy per unit speed of the impact, and how much it moves the touch towards the stop.
static bool respond(kick* k, const ss_model* model, int i, int w, double* moved)
{
    const ss_contact* contact = &model->contacts[i];
    double side = contact->rigid_stop.side, size = 0.0;
    memset(k->dy, 0, (size_t)w * sizeof(double));
    for (int j = 0; j < contact->mobility.count; j++)
        for (int l = 0; l < contact->q.count; l++)
            if (contact->q.index[l] == contact->mobility.index[j])
                size += contact->q.value[l] * contact->mobility.value[j];
    for (int j = 0; j < contact->mobility.count; j++)
        k->dy[model->n + contact->mobility.index[j]] =
            -side * (1.0 + contact->rigid_stop.restitution) * contact->mobility.value[j] / size;
    memcpy(k->copy, k->a, (size_t)w * (size_t)w * sizeof(double));
    if (!solve_linear(k->copy, w, k->dy, k->pivots)) return false; // A^-1 k
    ss_algebra_multiply(k->m, k->dy, w, w, 1, k->row);             // B k
    for (int r = 0; r < w; r++)
        for (int c = 0; c < w; c++) k->copy[r * w + c] = (r == c) - k->m[r * w + c];
    memcpy(k->dy, k->row, (size_t)w * sizeof(double));
    if (!solve_linear(k->copy, w, k->dy, k->pivots)) return false;
    ss_algebra_multiply(k->a, k->dy, w, w, 1, k->row);
    *moved = 0.0;
    for (int l = 0; l < contact->q.count; l++)
        *moved += side * contact->q.value[l] * k->row[contact->q.index[l]];
    return true;
}

// How fast the touch comes nearer along the branch: from the last orbit a little back, per unit of p.
static ss_status approach(ss_cycles* s, const ss_branch_point* edge, int i, ss_branch_point* scratch,
                          double* out, ss_error* err)
{
    enum { BACK = 3 };
    double t, gap, end_gap;
    *out = NAN;
    bool made;
    double* guess = ss_new((size_t)s->size + 1, sizeof(double));
    if (!guess) return ss_fail_no_memory(err);
    ss_status status = ss_cycles_at(s, &s->here, edge->u[s->size], &made, err);
    if (status == SS_OK) status = find_touch(s->here.orbit, edge->u, edge->u[s->w], i, &t, &end_gap, err);
    double way = -1e-4;
    for (int k = 0; k < BACK && status == SS_OK && isnan(*out); k++, way *= 0.1) {
        ss_continuation_verdict verdict;
        for (int c = 0; c <= s->size; c++) guess[c] = edge->u[c] + way * edge->tangent[c] * s->scale[c];
        status = ss_cycles_solve(s, guess, edge->tangent, scratch, &verdict, err);
        if (status != SS_OK || verdict != SS_CONTINUATION_INSIDE) continue;
        status = find_touch(s->here.orbit, scratch->u, scratch->u[s->w], i, &t, &gap, err);
        double dp = edge->u[s->size] - scratch->u[s->size];
        if (dp != 0.0) *out = (end_gap - gap) / dp;
    }
    free(guess);
    return status;
}

// Speed of the impact on stop i near time t of the motion from u; 0: there is none.
static ss_status strike(ss_cycles* s, const double u[], int i, double t, double* speed, ss_error* err)
{
    bool made;
    ss_error why;
    double nearest = 0.1 * u[s->w];
    *speed = 0.0;
    ss_status status = ss_cycles_at(s, &s->here, u[s->size], &made, err);
    if (status != SS_OK || !made) return status;
    const ss_orbit* orbit = s->here.orbit;
    status = ss_orbit_run(s->here.orbit, u, u[s->w], &why);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    for (size_t k = 0; status == SS_OK && k < orbit->events.count; k++) {
        const ss_event* event = &orbit->events.items[k];
        if (ss_half_of(orbit->model, event->contact, event->side) != i || event->kind != SS_EVENT_IMPACT ||
            fabs(event->t - t) > nearest)
            continue;
        nearest = fabs(event->t - t);
        *speed = event->speed_in;
    }
    return SS_OK;
}

// The touch of the last orbit and what an impact of unit speed does to first order.
typedef struct touch {
    double t;     // s
    double moved; // m per m/s: the touch moves towards the stop by the kick
    double rate;  // of the gap, by p
    double bend;  // m/s^2: acceleration away from the stop at the touch
} touch;

static ss_status look_at_touch(ss_cycles* s, const ss_branch_point* edge, int i, kick* k, touch* at,
                               bool* good, ss_error* err)
{
    ss_orbit* orbit = s->here.orbit;
    const ss_contact* contact = &s->here.model->contacts[i];
    size_t area = (size_t)s->w * (size_t)s->w;
    double gap;
    ss_error why;
    *good = false;
    ss_status status = find_touch(orbit, edge->u, edge->u[s->w], i, &at->t, &gap, err);
    if (status != SS_OK || !isfinite(at->t)) return status;
    if (ss_orbit_differentiate(orbit, edge->u, edge->u[s->w], true, &why) != SS_OK) return SS_OK;
    memcpy(k->m, orbit->monodromy, area * sizeof(double));
    if (ss_orbit_differentiate(orbit, edge->u, at->t, true, &why) != SS_OK) return SS_OK;
    memcpy(k->a, orbit->monodromy, area * sizeof(double));
    at->bend = -contact->rigid_stop.side * ss_row_dot(&contact->q, orbit->slope + s->here.model->n);
    *good = respond(k, s->here.model, i, s->w, &at->moved) && at->bend > 0.0;
    return SS_OK;
}

// u at which the stop is struck with about this speed; `deep` times the depth that belongs to it.
static void guess_at(const ss_cycles* s, const ss_branch_point* edge, const kick* k, const touch* at,
                     double speed, double deep, double guess[])
{
    double dp = (speed * at->moved - deep * speed * speed / (2.0 * at->bend)) / at->rate;
    for (int c = 0; c <= s->size; c++) {
        double by_p = edge->tangent[c] * s->scale[c] / (edge->tangent[s->size] * s->scale[s->size]);
        guess[c] = edge->u[c] + by_p * dp + (c < s->w ? speed * k->dy[c] : 0.0);
    }
}

// The first-order guess may miss the stop, or strike it too fast: the depth is chosen so that it does not.
static ss_status aim(ss_cycles* s, const ss_branch_point* edge, const kick* k, const touch* at, int i,
                     double speed, double guess[], bool* good, ss_error* err)
{
    double low = -64.0, high = 64.0, found = 0.0;
    *good = false;
    for (int round = 0; round < 24; round++) {
        double deep = 0.5 * (low + high);
        guess_at(s, edge, k, at, speed, deep, guess);
        ss_status status = strike(s, guess, i, at->t, &found, err);
        if (status != SS_OK) return status;
        *good = found > 0.5 * speed && found < 2.0 * speed;
        if (found > 0.9 * speed && found < 1.1 * speed) break;
        *(found < speed ? &low : &high) = deep;
    }
    return SS_OK;
}

static ss_status strike_slowly(ss_cycles* s, const ss_branch_point* edge, int i, double speed, kick* k,
                               double guess[], ss_branch_point* out, bool* found, ss_error* err)
{
    touch at;
    bool made;
    double *normal = guess + s->size + 1, size = 0.0, along = 0.0;
    ss_status status = approach(s, edge, i, out, &at.rate, err);
    if (status == SS_OK) status = ss_cycles_at(s, &s->here, edge->u[s->size], &made, err);
    if (status != SS_OK || !made || !isfinite(at.rate) || at.rate == 0.0) return status;
    status = look_at_touch(s, edge, i, k, &at, found, err);
    if (status == SS_OK && *found) status = aim(s, edge, k, &at, i, speed, guess, found, err);
    if (status != SS_OK || !*found) return status;
    for (int c = 0; c <= s->size; c++) { // the plane across the way from the touch to the guess
        normal[c] = (guess[c] - edge->u[c]) / s->scale[c];
        size += normal[c] * normal[c];
    }
    for (int c = 0; c <= s->size; c++) normal[c] /= sqrt(size);
    ss_continuation_verdict verdict;
    status = ss_cycles_solve(s, guess, normal, out, &verdict, err);
    *found = status == SS_OK && verdict == SS_CONTINUATION_OUTSIDE;
    for (int c = 0; c <= s->size; c++) along += out->tangent[c] * normal[c];
    for (int c = 0; c <= s->size && along < 0.0; c++) out->tangent[c] = -out->tangent[c];
    return status;
}

ss_status ss_cycles_graze(ss_cycles* s, const ss_branch_point* edge, int i, double speed,
                          ss_branch_point* out, bool* found, ss_error* err)
{
    kick k = {0};
    double* guess = ss_new(2 * ((size_t)s->size + 1), sizeof(double));
    *found = false;
    ss_status status = make_kick(&k, s->w) && guess
                           ? strike_slowly(s, edge, i, speed, &k, guess, out, found, err)
                           : ss_fail_no_memory(err);
    free(guess);
    free(k.memory);
    free(k.pivots);
    return status;
}
