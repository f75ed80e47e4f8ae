// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Newton's method on  y(T; y0) - y0 = 0  for the start y0 and, where nothing from outside sets the period,
// the period T with y0 moving across the motion only. Steps that make things worse are replaced by ever more
// damped ones (Levenberg and Marquardt). The derivative of y(T) comes from orbit.c, or where it does not
// exist from differences. All in variables divided by the extent of the motion.
#include "lab/cycle/shoot.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/cycle/tied.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, PATIENCE = 6, LARGEST_PART = 97 };
static const double good = SS_CLEAR;     // relative gap between start and end that counts as closed
static const double exact = SS_NOISE;    // below this there is nothing left to gain
static const double still_far = 1e-3;    // a last step of this size belongs to a motion that merely is slow
static const double maybe_sooner = 1e-6; // gap after a part of the period that makes it worth a try
static const double rank_limit = SS_RELATIVE_ZERO; // share of the largest singular value: smaller ones are 0

bool ss_shoot_allocate(ss_shoot* s)
{
    size_t w = (size_t)s->w, full = w + 1;
    double** arrays[] = {&s->y, &s->scale, &s->next, &s->plus, &s->minus, &s->end, &s->slope};
    bool fine = true;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        fine = (*arrays[k] = ss_new(w, sizeof(double))) && fine;
    s->step = ss_new(2 * full, sizeof(double));
    s->matrix = ss_new(2 * full * full, sizeof(double));
    s->singular = ss_new(full, sizeof(double));
    return fine && s->step && s->matrix && s->singular;
}

void ss_shoot_free(ss_shoot* s)
{
    double* arrays[] = {s->y,   s->scale, s->next, s->plus,   s->minus,
                        s->end, s->slope, s->step, s->matrix, s->singular};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) free(arrays[k]);
}

// ---- motions from starts that are made up

// Moves a start that lies beyond a rigid stop back onto it, along the motion that its force causes. The start
// of a search must not break what the model forbids; false where stops leave no room.
static bool keep_before_stops(ss_shoot* s, double start[])
{
    const ss_model* model = s->orbit->model;
    enum { SWEEPS = 20 };
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool inside = true;
        for (int i = 0; i < model->contact_count; i++) {
            const ss_contact* contact = &model->contacts[i];
            if (!ss_contact_is(contact, SS_TRAIT_RIGID)) continue;
            double beyond = -ss_orbit_gap(s->orbit, i, start), along = 0.0;
            if (beyond <= 0.0) continue;
            inside = false;
            for (int k = 0; k < contact->mobility.count; k++)
                for (int j = 0; j < contact->q.count; j++)
                    if (contact->q.index[j] == contact->mobility.index[k])
                        along += contact->q.value[j] * contact->mobility.value[k];
            if (!(along > 0.0)) return false;
            double back = (1.0 + SS_CLEAR) * beyond * contact->rigid_stop.side / along;
            for (int k = 0; k < contact->mobility.count; k++)
                start[contact->mobility.index[k]] -= back * contact->mobility.value[k];
        }
        if (inside) return true;
    }
    return false;
}

// The motion from `start` for the present period, and the relative gap that it leaves: INFINITY where it ends
// before or cannot be followed, which is no fault of the model.
static ss_status measure(ss_shoot* s, const double start[], double* gap, ss_error* err)
{
    ss_status status = ss_orbit_run(s->orbit, start, s->period, &s->trouble);
    *gap = INFINITY;
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    if (status != SS_OK || s->orbit->interrupted || s->orbit->outcome != SS_TIME_REACHED) return SS_OK;
    double size = 0.0;
    for (int i = 0; i < s->w; i++) {
        double apart = fabs((s->orbit->state[i] - start[i]) / s->scale[i]);
        if (!(apart <= size)) size = apart; // not a number stays
    }
    if (size == size) *gap = size;
    s->trouble.status = SS_OK;
    return SS_OK;
}

// End of the motion from y + h e_j; false where there is none. A start that stops move back to y, but for
// rounding, is y itself, and no neighbour.
static ss_status neighbour(ss_shoot* s, int j, double h, double out[], bool* there, ss_error* err)
{
    double gap = INFINITY;
    memcpy(s->next, s->y, (size_t)s->w * sizeof(double));
    s->next[j] += h;
    *there = keep_before_stops(s, s->next) && fabs(s->next[j] - s->y[j]) > 0.1 * fabs(h);
    ss_status status = *there ? measure(s, s->next, &gap, err) : SS_OK;
    *there = *there && isfinite(gap);
    if (*there) memcpy(out, s->orbit->state, (size_t)s->w * sizeof(double));
    return status;
}

// The monodromy by differences, from both sides where there are motions on both. Leaves the orbit at y. Where
// a variable has a neighbouring motion on neither side nothing is known of D: no multiplier is claimed, and
// the start counts as one that cannot be followed.
static ss_status difference(ss_shoot* s, ss_error* err)
{
    size_t w = (size_t)s->w;
    double gap = INFINITY;
    memcpy(s->end, s->orbit->state, w * sizeof(double));
    double* d = ss_new(w * w, sizeof(double));
    if (!d) return ss_fail_no_memory(err);
    ss_status status = SS_OK;
    bool known = true;
    for (int j = 0; j < s->w && status == SS_OK; j++) {
        double h = 1e-6 * s->scale[j];
        bool up, down;
        status = neighbour(s, j, h, s->plus, &up, err);
        if (status == SS_OK) status = neighbour(s, j, -h, s->minus, &down, err);
        if (status != SS_OK) break;
        known = known && (up || down);
        const double *high = up ? s->plus : s->end, *low = down ? s->minus : s->end;
        for (size_t i = 0; i < w && (up || down); i++)
            d[i * w + (size_t)j] = (high[i] - low[i]) / (h * (up + down));
    }
    if (status == SS_OK) status = measure(s, s->y, &gap, err);
    if (status == SS_OK && isfinite(gap))
        status = ss_orbit_differentiate(s->orbit, s->y, s->period, false, &s->trouble);
    memcpy(s->orbit->monodromy, d, w * w * sizeof(double));
    free(d);
    s->differences = true;
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    if (!known || status != SS_OK || !isfinite(gap)) s->closeness = INFINITY;
    if (!known)
        ss_fail(&s->trouble, SS_NOT_FOUND, NULL,
                "a motion that repeats has no neighbouring motions to tell its multipliers from");
    return SS_OK;
}

// Derivatives and extents of the motion from y, which was the last one measured.
static ss_status differentiate(ss_shoot* s, ss_error* err)
{
    s->differences = false;
    ss_status status = ss_orbit_differentiate(s->orbit, s->y, s->period, true, &s->trouble);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    if (status != SS_OK) {
        double gap;
        status = measure(s, s->y, &gap, err);
        if (status == SS_OK && isfinite(gap)) status = difference(s, err);
    }
    bool fine = ss_tie_monodromy(s->orbit->model, s->scale, s->w, s->orbit->monodromy);
    return fine ? status : ss_fail_no_memory(err);
}

ss_status ss_shoot_gap(ss_shoot* s, double* gap, ss_error* err)
{
    if (keep_before_stops(s, s->y)) return measure(s, s->y, gap, err);
    *gap = INFINITY;
    return SS_OK;
}

// ---- Newton

// [D - 1, y'(T); y'(0)^T, 0] [dy; dT] = [y0 - y(T); 0], the shortest solution where several fit (a body that
// sticks all the time may do so anywhere). With a damping, its square times the square of the step is kept
// small, too. The plane that y0 keeps to is square to y'(T), which is y'(0) on a cycle.
static bool make_step(ss_shoot* s, double damping)
{
    const ss_orbit* orbit = s->orbit;
    int w = s->w, size = s->forced ? w : w + 1, rows = damping > 0.0 ? 2 * size : size, rank;
    memset(s->matrix, 0, (size_t)(rows * size) * sizeof(double));
    memset(s->step, 0, (size_t)rows * sizeof(double));
    for (int r = 0; r < w; r++) {
        for (int c = 0; c < w; c++)
            s->matrix[r * size + c] =
                orbit->monodromy[r * w + c] * s->scale[c] / s->scale[r] - (r == c ? 1.0 : 0.0);
        s->step[r] = (s->y[r] - orbit->state[r]) / s->scale[r];
        if (s->forced) continue;
        s->matrix[r * size + w] = s->matrix[w * size + r] = orbit->slope[r] / s->scale[r] * s->period;
    }
    for (int r = size; r < rows; r++) s->matrix[r * size + r - size] = damping;
    for (int k = 0; k < rows * size; k++)
        if (!isfinite(s->matrix[k])) return false;
    int info = LAPACKE_dgelsd(LAPACK_ROW_MAJOR, rows, size, 1, s->matrix, size, s->step, 1, s->singular,
                              rank_limit, &rank);
    s->no_memory =
        s->no_memory || ss_algebra_ran_out(info) || !ss_keep_ties(orbit->model, s->scale, s->w, s->step, 1);
    return info == 0;
}

// Goes along ever more damped steps until one makes things better.
static ss_status try_steps(ss_shoot* s, bool* better, ss_error* err)
{
    static const double dampings[] = {0.0, 0.03, 0.3, 3.0, 30.0};
    double period = s->period, gap;
    *better = false;
    int count = s->closeness <= good ? 1 : (int)(sizeof dampings / sizeof dampings[0]);
    memcpy(s->end, s->orbit->state, (size_t)s->w * sizeof(double));
    memcpy(s->slope, s->orbit->slope, (size_t)s->w * sizeof(double));
    for (int k = 0; k < count && !s->orbit->interrupted; k++) {
        memcpy(s->orbit->state, s->end, (size_t)s->w * sizeof(double)); // a trial has overwritten them
        memcpy(s->orbit->slope, s->slope, (size_t)s->w * sizeof(double));
        if (!make_step(s, dampings[k])) continue;
        double share = s->forced ? 1.0 : fmin(1.0, 0.5 / fmax(fabs(s->step[s->w]), SS_NOT_ZERO));
        for (int i = 0; i < s->w; i++) s->next[i] = s->y[i] + share * s->step[i] * s->scale[i];
        s->period = s->forced ? period : period * (1.0 + share * s->step[s->w]);
        if (!keep_before_stops(s, s->next)) continue;
        ss_status status = measure(s, s->next, &gap, err);
        if (status != SS_OK) return status;
        if (!(gap < s->closeness)) continue;
        memcpy(s->y, s->next, (size_t)s->w * sizeof(double));
        s->closeness = gap;
        *better = true;
        return SS_OK;
    }
    s->period = period;
    return SS_OK;
}

// How far a last full step would go: large where start and end are close because the motion is slow.
static double last_step(ss_shoot* s)
{
    double size = 0.0;
    if (!make_step(s, 0.0)) return INFINITY;
    for (int i = 0; i < s->w; i++) size = fmax(size, fabs(s->step[i]));
    return size;
}

// Back to y after trials, with its derivatives.
static ss_status settle_at(ss_shoot* s, ss_error* err)
{
    ss_status status = measure(s, s->y, &s->closeness, err);
    if (status == SS_OK && isfinite(s->closeness)) status = differentiate(s, err);
    return status;
}

ss_status ss_shoot_close(ss_shoot* s, bool* closed, ss_error* err)
{
    *closed = false;
    ss_status status = settle_at(s, err);
    double earlier[PATIENCE];
    bool better = true;
    for (int round = 0; round < ROUNDS && better && s->closeness > exact; round++) {
        if (status != SS_OK || !isfinite(s->closeness) || s->orbit->interrupted) return status;
        if (round >= PATIENCE && s->closeness > good && s->closeness > 0.5 * earlier[round % PATIENCE]) break;
        earlier[round % PATIENCE] = s->closeness;
        status = try_steps(s, &better, err);
        if (status == SS_OK && better) status = differentiate(s, err);
    }
    if (status == SS_OK && !better) status = settle_at(s, err);
    if (status != SS_OK || s->orbit->interrupted) return status;
    *closed = s->closeness <= good && last_step(s) <= still_far;
    return s->no_memory ? ss_fail_no_memory(err) : SS_OK;
}

// ---- the least period

// Tries a shorter period from the same start.
static ss_status try_period(ss_shoot* s, double period, bool* closed, ss_error* err)
{
    double before = s->period, gap;
    *closed = false;
    s->period = period;
    ss_status status = measure(s, s->y, &gap, err);
    if (status == SS_OK && gap <= maybe_sooner) {
        double* kept = ss_new((size_t)s->w, sizeof(double));
        if (!kept) return ss_fail_no_memory(err);
        memcpy(kept, s->y, (size_t)s->w * sizeof(double));
        status = ss_shoot_close(s, closed, err);
        for (int i = 0; i < s->w; i++) *closed = *closed && fabs(s->y[i] - kept[i]) <= 1e-4 * s->scale[i];
        *closed = *closed && ss_shoot_moves(s); // not the rest that a slow part of the motion is near
        if (!*closed) memcpy(s->y, kept, (size_t)s->w * sizeof(double));
        free(kept);
    }
    if (!*closed) s->period = before;
    return status;
}

static ss_status shorten_forced(ss_shoot* s, ss_error* err)
{
    long times = lround(s->period / s->forcing_period);
    for (long part = 1; 2 * part <= times && !s->orbit->interrupted; part++) {
        bool closed = false;
        if (times % part != 0) continue;
        ss_status status = try_period(s, (double)part * s->forcing_period, &closed, err);
        if (status != SS_OK || closed) return status;
    }
    return SS_OK;
}

static ss_status shorten_free(ss_shoot* s, ss_error* err)
{
    for (int parts = 2; parts <= LARGEST_PART && !s->orbit->interrupted;) {
        bool closed = false;
        ss_status status = try_period(s, s->period / parts, &closed, err);
        if (status != SS_OK) return status;
        if (!closed) parts++;
    }
    return SS_OK;
}

// Where contacts hold at the end, their speeds are exactly 0 there, and at the start but for rounding: the
// end is the better start, and makes no event of its own.
static ss_status begin_at_end(ss_shoot* s, ss_error* err)
{
    bool held = false;
    double gap;
    for (int i = 0; i < s->orbit->model->contact_count; i++) held = held || ss_orbit_holds(s->orbit, i);
    if (!held) return SS_OK;
    memcpy(s->next, s->orbit->state, (size_t)s->w * sizeof(double));
    if (!keep_before_stops(s, s->next)) return SS_OK;
    ss_status status = measure(s, s->next, &gap, err);
    if (status == SS_OK && gap <= fmax(10.0 * s->closeness, SS_RELATIVE_ZERO))
        memcpy(s->y, s->next, (size_t)s->w * sizeof(double));
    return status;
}

ss_status ss_shoot_least(ss_shoot* s, ss_error* err)
{
    ss_status status = s->forced ? shorten_forced(s, err) : shorten_free(s, err);
    if (status == SS_OK && !s->orbit->interrupted) status = settle_at(s, err);
    if (status == SS_OK && !s->orbit->interrupted) status = begin_at_end(s, err);
    ss_orbit_put_back(s->orbit, s->y);
    return status == SS_OK && !s->orbit->interrupted ? settle_at(s, err) : status;
}

// Whether a number moves, compared with what it did before, and by more than rounding leaves of its place: a
// motion that has died out in steady sliding trembles for ever.
static bool extends(const ss_extent* extent, double scale)
{
    double size = fmax(fabs(extent->high), fabs(extent->low));
    return extent->high - extent->low > fmax(1e-6 * scale, SS_CLEAR * size);
}

bool ss_shoot_moves(const ss_shoot* s)
{
    const ss_model* model = s->orbit->model;
    for (int i = 0; i < model->n; i++) {
        const ss_extent* extent = &s->orbit->extents[model->coordinate_body[i]];
        if (extends(extent, s->scale[i])) return true;
    }
    for (int j = 0; j < s->orbit->states; j++) {
        const ss_extent* extent = &s->orbit->extents[model->body_count + j];
        if (extends(extent, s->scale[2 * model->n + j])) return true;
    }
    return false;
}
