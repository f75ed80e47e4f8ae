// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/follow/cycles.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/cycle/forcing.h"
#include "lab/cycle/tied.h"
#include "share/model_parts.h"
#include "slipstick/lab.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10 };
static const double rank_limit = SS_RELATIVE_ZERO; // share of the largest singular value: smaller ones are 0
static const double converged = 1e-9;              // step, in scaled unknowns: the next one would be rounding
static const double closed = 1e-9;                 // gap between start and end that is allowed then, likewise
static const double difference = 1e-6;             // share of the range: step of the derivative by the number
static const double at_start = 1e-9; // share of the period: events before it belong to the start

// ---- creation

static bool allocate(ss_cycles* s)
{
    size_t d = sizeof(double), n = (size_t)s->size + 1;
    double** arrays[] = {&s->scale, &s->by_p, &s->shape.swing, &s->start};
    bool fine = true;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) fine = (*arrays[k] = ss_new(n, d)) && fine;
    size_t rows = n + 1 + (size_t)s->branch->model->contact_count + (size_t)s->w; // see ss_cycles_keep_places
    s->matrix = ss_new(rows * n, d);
    s->system = ss_new(rows * n, d);
    s->step = ss_new(rows, d);
    s->singular = ss_new(rows, d);
    s->right = ss_new(n * n, d);
    s->beside = ss_new(2 * n, d);
    s->aside = ss_new(n, d);
    s->loose = ss_new(n, sizeof *s->loose);
    fine = fine && s->loose;
    if (fine) ss_cycles_mark_loose(s);
    return fine && s->aside && s->matrix && s->system && s->step && s->singular && s->right && s->beside;
}

static void free_turn(ss_cycles_model* turn)
{
    ss_orbit_destroy(turn->orbit);
    ss_model_destroy(turn->model);
    *turn = (ss_cycles_model){.value = NAN};
}

static bool asks_to_stop(void* user)
{
    ss_cycles* s = user;
    if (s->def->progress && !s->interrupted) s->interrupted = !s->def->progress(s->def->user, NAN);
    return s->interrupted;
}

// Time between two repeats at the number of the turn, where inputs set the period.
static ss_status find_period(ss_cycles* s, ss_cycles_model* turn, bool* made, ss_error* err)
{
    ss_forcing forcing;
    ss_error why;
    turn->period = s->held;
    if (!s->forced || !isnan(s->held)) return SS_OK;
    ss_status status = ss_forcing_find(turn->model, &forcing, &why);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    *made = status == SS_OK && forcing.forced && isfinite(forcing.period);
    turn->period = s->multiple * forcing.period;
    return SS_OK;
}

ss_status ss_cycles_at(ss_cycles* s, ss_cycles_model* turn, double value, bool* made, ss_error* err)
{
    *made = true;
    if (turn->value == value) return SS_OK;
    free_turn(turn);
    ss_error why;
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = s->def->tolerance;
    def.max_events = s->def->max_events;
    ss_status status = ss_varied_parameter_model(s->parameter, value, &turn->model, &why);
    if (status == SS_OK) status = ss_orbit_create(turn->model, &def, &turn->orbit, &why);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    *made = status == SS_OK && turn->orbit->width == s->w;
    if (*made) status = find_period(s, turn, made, err);
    if (status != SS_OK || !*made) return status == SS_NO_MEMORY ? status : SS_OK;
    turn->orbit->stop = asks_to_stop;
    turn->orbit->user = s;
    turn->value = value;
    return SS_OK;
}

ss_status ss_cycles_create(ss_varied_parameter* parameter, const ss_follow_def* def,
                           ss_solution_branch* branch, ss_cycles** out, ss_error* err)
{
    *out = NULL;
    ss_cycles* s = ss_new(1, sizeof *s);
    if (!s) return ss_fail_no_memory(err);
    s->parameter = parameter;
    s->def = def;
    s->branch = branch;
    s->here.value = s->there.value = s->held = NAN;
    s->w = ss_orbit_width(branch->model);
    s->size = s->w + 1;
    if (!allocate(s)) {
        ss_cycles_destroy(s);
        return ss_fail_no_memory(err);
    }
    *out = s;
    return SS_OK;
}

void ss_cycles_destroy(ss_cycles* s)
{
    if (!s) return;
    double* arrays[] = {s->shape.swing, s->start,    s->scale, s->by_p,   s->matrix, s->system,
                        s->step,        s->singular, s->right, s->beside, s->aside};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
    free(s->loose);
    free_turn(&s->here);
    free_turn(&s->there);
    ss_event_order_free(&s->order);
    ss_event_order_free(&s->found);
    ss_event_order_free(&s->rejected);
    free(s);
}

// ---- the equations

// The motion from u, with its derivatives where wanted; *there is false where it has none.
static ss_status run(ss_cycles* s, ss_cycles_model* turn, const double u[], bool derivatives, bool* there,
                     ss_error* err)
{
    ss_error why;
    *there = false;
    double period = u[s->w];
    if (!(period > 0.0)) return SS_OK;
    ss_status status = ss_orbit_run(turn->orbit, u, period, &why);
    if (status == SS_OK && turn->orbit->outcome == SS_TIME_REACHED && !turn->orbit->interrupted)
        *there = true;
    if (*there && derivatives) {
        status = ss_orbit_differentiate(turn->orbit, u, period, true, &why);
        *there = status == SS_OK && !turn->orbit->interrupted;
        if (!ss_tie_monodromy(turn->model, s->scale, s->w, turn->orbit->monodromy))
            return ss_fail_no_memory(err);
    }
    return status == SS_NO_MEMORY ? ss_fail_no_memory(err) : SS_OK;
}

// Rows of the equations with their derivatives by all unknowns, scaled; the last row is the plane's. Right
// hand sides go to step. The orbit at u is in s->here.
static void equate(ss_cycles* s, const double u[], const double guess[], const double normal[])
{
    const ss_orbit* orbit = s->here.orbit;
    int w = s->w, n = s->size + 1;
    memset(s->matrix, 0, (size_t)(n + 1) * (size_t)n * sizeof(double));
    for (int r = 0; r < w; r++) {
        double* row = s->matrix + (size_t)r * (size_t)n;
        for (int c = 0; c < w; c++)
            row[c] = (orbit->monodromy[r * w + c] - (r == c)) * s->scale[c] / s->scale[r];
        row[w] = orbit->slope[r] * s->scale[w] / s->scale[r];
        row[w + 1] = s->by_p[r] * s->scale[w + 1] / s->scale[r];
        s->step[r] = (u[r] - orbit->state[r]) / s->scale[r];
    }
    double* row = s->matrix + (size_t)w * (size_t)n;
    if (s->forced) {
        row[w] = 1.0;
        row[w + 1] = -s->period_by_p * s->scale[w + 1] / s->scale[w];
        s->step[w] = (s->here.period - u[w]) / s->scale[w];
    } else {
        double size = 0.0;
        s->step[w] = 0.0;
        for (int c = 0; c < w; c++) size += pow(orbit->slope[c] / s->scale[c], 2);
        for (int c = 0; c < w; c++) {
            row[c] = orbit->slope[c] / s->scale[c] / sqrt(size);
            s->step[w] -= row[c] * (u[c] - guess[c]) / s->scale[c];
        }
    }
    row += n;
    s->step[w + 1] = 0.0;
    for (int c = 0; c < n; c++) {
        row[c] = normal[c];
        s->step[w + 1] -= normal[c] * (u[c] - guess[c]) / s->scale[c];
    }
}

// Slip speed of contact i as the motion from u begins.
static double slip_speed(const ss_cycles_model* turn, int i, const double u[])
{
    const ss_orbit* orbit = turn->orbit;
    ss_sim_place(orbit->sim, u, orbit->body_x, orbit->body_v);
    for (int b = 0; b < turn->model->body_count; b++)
        if (turn->model->bodies[b].drive >= 0) orbit->body_v[b] = turn->model->bodies[b].start_v;
    return ss_row_dot(&turn->model->contacts[i].bodies, orbit->body_v);
}

// Whether contact i sticks as the period begins, and so does the motion from u but for rounding.
static bool begins_to_stick(const ss_cycles* s, const ss_event_order* order, int i, const double u[])
{
    const ss_contact* contact = &s->branch->model->contacts[i];
    return i < order->contacts && order->holds[i] && contact->q.count > 0 &&
           !ss_contact_is(contact, SS_TRAIT_RIGID) &&
           fabs(slip_speed(&s->here, i, u)) <= SS_CLEAR * s->scale[s->branch->model->n + contact->q.index[0]];
}

// Contacts that stick as the period begins do so to the bit: a speed that is rounding would let them slip,
// for good where the level falls then. The start is moved to where they stick in a turn, which may be at
// another number than the motion from u.
static void stick_at_start(const ss_cycles* s, const ss_event_order* order, const ss_cycles_model* turn,
                           const double u[], double start[])
{
    for (int i = 0; i < s->branch->model->contact_count; i++) {
        const ss_row* row = &s->branch->model->contacts[i].q;
        if (begins_to_stick(s, order, i, u))
            start[s->branch->model->n + row->index[0]] -= slip_speed(turn, i, start) / row->value[0];
    }
}

// The end of the motion from u with the number a little off, and the period there; *there
// is false where it has other events: a difference across a change of events, or past one at the start, is no
// derivative.
static ss_status run_beside(ss_cycles* s, const double u[], double value, double end[], bool* there,
                            ss_error* err)
{
    ss_status status = ss_cycles_at(s, &s->there, value, there, err);
    memcpy(s->start, u, ((size_t)s->size + 1) * sizeof(double));
    if (status == SS_OK && *there) {
        stick_at_start(s, &s->found, &s->there, u, s->start);
        status = run(s, &s->there, s->start, false, there, err);
    }
    *there = *there && ss_event_order_same_events(&s->here.orbit->events, &s->there.orbit->events, u[s->w]);
    for (int r = 0; r < s->w && *there; r++) end[r] = s->there.orbit->state[r];
    end[s->w] = s->there.period;
    return status;
}

// Derivative by the number: by central differences, near a border by closer ones, at last by those to one
// side. So near to it that there are none, the last ones will do: they only steer Newton's method.
static ss_status differ(ss_cycles* s, const double u[], double h, bool* there, ss_error* err)
{
    enum { TRIES = 3 };
    double p = u[s->size], *up = s->beside, *down = up + s->size + 1;
    bool above = false, below = false;
    for (int k = 0; k < TRIES && !(above && below); k++, h *= 1e-2) {
        ss_status status = run_beside(s, u, p + h, up, &above, err);
        if (status == SS_OK) status = run_beside(s, u, p - h, down, &below, err);
        if (status != SS_OK) return status;
        if (!above && !below) continue;
        double* side = above ? down : up; // one that is missing is the middle
        for (int r = 0; r < s->w && !(above && below); r++) side[r] = s->here.orbit->state[r];
        if (!(above && below)) side[s->w] = s->here.period;
        for (int r = 0; r < s->w; r++) s->by_p[r] = (up[r] - down[r]) / (h * (above + below));
        s->period_by_p = (up[s->w] - down[s->w]) / (h * (above + below));
        s->differed = true;
    }
    *there = s->differed;
    return SS_OK;
}

// Everything at u: motion, derivatives, and the order of events.
static ss_status evaluate(ss_cycles* s, const double u[], bool* there, ss_error* err)
{
    ss_status status = ss_cycles_at(s, &s->here, u[s->size], there, err);
    if (status != SS_OK || !*there) return status;
    status = run(s, &s->here, u, true, there, err);
    if (status != SS_OK || !*there) return status;
    if (!ss_event_order_take(&s->found, s->here.orbit, at_start * u[s->w])) return ss_fail_no_memory(err);
    return differ(s, u, difference * fabs(s->def->to - s->def->from), there, err);
}

static ss_status newton_step(ss_cycles* s, double* size, bool* solved, ss_error* err)
{
    int n = s->size + 1, rank, rows = ss_cycles_keep_places(s, s->matrix, n);
    for (int k = n; k < rows; k++) s->step[k] = 0.0;
    for (int k = 0; k < rows * n; k++)
        if (!isfinite(s->matrix[k])) {
            *solved = false;
            return SS_OK;
        }
    memcpy(s->system, s->matrix, (size_t)rows * (size_t)n * sizeof(double));
    int info = LAPACKE_dgelsd(LAPACK_ROW_MAJOR, rows, n, 1, s->system, n, s->step, 1, s->singular, rank_limit,
                              &rank);
    if (ss_algebra_ran_out(info)) return ss_fail_no_memory(err);
    *solved = info == 0;
    *size = 0.0;
    for (int c = 0; c < n; c++)
        if (!(fabs(s->step[c]) <= *size)) *size = fabs(s->step[c]);
    return SS_OK;
}

static double gap_of(const ss_cycles* s, const double u[])
{
    double gap = 0.0;
    for (int r = 0; r < s->w; r++) gap = fmax(gap, fabs(u[r] - s->here.orbit->state[r]) / s->scale[r]);
    return gap;
}

bool ss_cycles_closes(const ss_cycles* s, const double u[]) { return gap_of(s, u) <= closed; }

static ss_status keep_rejected(ss_cycles* s, ss_error* err)
{
    if (ss_event_order_same(&s->order, &s->found)) return SS_OK;
    s->has_rejected = true;
    return ss_event_order_copy(&s->rejected, &s->found) ? SS_OK : ss_fail_no_memory(err);
}

// Newton from guess on; where *solved the orbit at u is evaluated.
static ss_status solve(ss_cycles* s, const double guess[], const double normal[], double u[], bool* solved,
                       ss_error* err)
{
    int n = s->size + 1;
    double last = INFINITY;
    *solved = false;
    memcpy(u, guess, (size_t)n * sizeof(double));
    for (int round = 0; round < ROUNDS; round++) {
        bool there;
        double size = INFINITY;
        ss_status status = ss_cycles_at(s, &s->here, u[s->size], &there, err);
        if (status != SS_OK || !there) return status;
        stick_at_start(s, &s->order, &s->here, u, u);
        status = evaluate(s, u, &there, err);
        if (status != SS_OK || !there) return status;
        equate(s, u, guess, normal);
        if (last <= converged) {
            *solved = gap_of(s, u) <= closed;
            return SS_OK;
        }
        status = keep_rejected(s, err);
        if (status == SS_OK) status = newton_step(s, &size, &there, err);
        if (status != SS_OK || !there || !(size <= 1.0)) return status;
        if (size <= SS_NOISE && gap_of(s, u) <= closed) { // a start at rest would only be shaken by rounding
            *solved = true;
            return SS_OK;
        }
        if (round > 3 && size > 0.5 * last) return SS_OK;
        for (int c = 0; c < n; c++) u[c] += s->step[c] * s->scale[c];
        if (fabs(normal[s->size]) == 1.0) u[s->size] = guess[s->size];
        last = size;
    }
    return SS_OK;
}

// ---- a solution

// The direction in which all equations stay true, and contacts that stick keep their places. Where there are
// several, as elements of a contact may stick anywhere, the one nearest to the plane's normal.
static ss_status find_tangent(ss_cycles* s, const double normal[], double tangent[], ss_error* err)
{
    int n = s->size + 1, rows = ss_cycles_keep_places(s, s->matrix, s->size), many = 1;
    if (!ss_algebra_svd(s->matrix, rows, n, s->singular, NULL, s->right)) return ss_fail_no_memory(err);
    while (many < n - 1 && s->singular[n - 1 - many] <= 1e-9 * s->singular[0]) many++;
    memcpy(tangent, s->right + (size_t)(n - 1) * (size_t)n, (size_t)n * sizeof(double));
    if (many == 1) return SS_OK;
    double size = 0.0;
    for (int c = 0; c < n; c++) {
        tangent[c] = 0.0;
        for (int k = n - many; k < n; k++) {
            double along = 0.0;
            for (int j = 0; j < n; j++) along += s->right[k * n + j] * normal[j];
            tangent[c] += along * s->right[k * n + c];
        }
        size += tangent[c] * tangent[c];
    }
    for (int c = 0; c < n && size > 0.0; c++) tangent[c] /= sqrt(size);
    return SS_OK;
}

ss_status ss_cycles_evaluate(ss_cycles* s, const double u[], const double normal[], double tangent[],
                             bool* there, ss_error* err)
{
    ss_status status = evaluate(s, u, there, err);
    if (status != SS_OK || !*there) return status;
    equate(s, u, u, normal);
    return find_tangent(s, normal, tangent, err);
}

ss_status ss_cycles_solve(void* self, const double guess[], const double normal[], ss_branch_point* out,
                          ss_continuation_verdict* verdict, ss_error* err)
{
    ss_cycles* s = self;
    bool solved;
    *verdict = SS_CONTINUATION_LOST;
    ss_status status = solve(s, guess, normal, out->u, &solved, err);
    s->shape.shrinks = false;
    if (status != SS_OK || !solved) return status;
    status = find_tangent(s, normal, out->tangent, err);
    if (status == SS_OK) status = ss_cycles_find_beside(s, out, err);
    if (status == SS_OK) status = ss_cycles_draw_back(s, normal, out, err);
    if (status == SS_OK) status = ss_cycles_fill_point(s, out->u, out, err);
    if (status != SS_OK || !ss_cycles_move(s, out->u, &out->record)) return status;
    *verdict = ss_event_order_same(&s->order, &s->found) ? SS_CONTINUATION_INSIDE : SS_CONTINUATION_OUTSIDE;
    return status;
}

// ---- the first cycle

static void set_scales(ss_cycles* s, const ss_cycle* cycle, double period)
{
    const ss_model* model = s->branch->model;
    int n = model->n;
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, ss_cycle_amplitude(cycle, model->coordinate_body[i]));
    for (int i = 0; i < n; i++) { // speeds: as if it swung once in the period
        double own = 2.0 * ss_cycle_amplitude(cycle, model->coordinate_body[i]);
        s->scale[i] = fmax(own, 1e-3 * most);
        s->scale[n + i] = s->scale[i] * 3.14 / period;
    }
    for (int k = 2 * n; k < s->w; k++) { // states, bristles, memory
        double value = ss_cycle_states(cycle)[k - 2 * n], own = fabs(value);
        if (k - 2 * n < ss_model_state_count(model))
            own = fmax(2.0 * ss_cycle_state_amplitude(cycle, k - 2 * n), 1e-3 * own);
        s->scale[k] = own > 0.0 ? own : 1.0;
    }
    s->scale[s->w] = period;
    s->scale[s->size] = fabs(s->def->to - s->def->from);
}

// The cycle that the search of periodic motions finds at the start of the range.
static ss_status take_cycle(ss_cycles* s, double u[], ss_error* err)
{
    const ss_model* model = s->branch->model;
    ss_cycle_def def = ss_cycle_def_default();
    ss_cycle* cycle = NULL;
    ss_forcing forcing;
    def.period = s->def->period;
    def.until = s->def->until;
    def.near = s->def->near;
    def.tolerance = s->def->tolerance;
    def.max_events = s->def->max_events;
    def.progress = s->def->progress;
    def.user = s->def->user;
    ss_status status = ss_cycle_find(model, &def, &cycle, err);
    if (status == SS_OK) status = ss_forcing_find(model, &forcing, err);
    if (status == SS_OK) {
        double period = ss_cycle_period(cycle);
        s->forced = ss_cycle_is_forced(cycle);
        s->multiple = isfinite(forcing.period) ? nearbyint(period / forcing.period) : NAN;
        if (s->forced && !isfinite(forcing.period)) s->held = period;
        set_scales(s, cycle, period);
        for (int i = 0; i < model->n; i++) {
            u[i] = ss_cycle_x(cycle)[model->coordinate_body[i]];
            u[model->n + i] = ss_cycle_v(cycle)[model->coordinate_body[i]];
        }
        for (int k = 2 * model->n; k < s->w; k++) u[k] = ss_cycle_states(cycle)[k - 2 * model->n];
        u[s->w] = period;
    }
    ss_cycle_destroy(cycle);
    return status;
}

ss_status ss_cycles_begin(ss_cycles* s, ss_branch_point* out, ss_error* err)
{
    ss_continuation_verdict verdict = SS_CONTINUATION_LOST;
    bool moved;
    double* u = ss_new(2 * ((size_t)s->size + 1), sizeof(double));
    if (!u) return ss_fail_no_memory(err);
    double* normal = u + s->size + 1;
    normal[s->size] = 1.0;
    ss_status status = take_cycle(s, u, err);
    u[s->size] = s->def->from;
    if (status == SS_OK) status = ss_cycles_place(s, u, &moved, err);
    if (status == SS_OK) status = ss_cycles_solve(s, u, normal, out, &verdict, err);
    if (status == SS_OK && verdict == SS_CONTINUATION_OUTSIDE && !ss_event_order_copy(&s->order, &s->found))
        status = ss_fail_no_memory(err);
    if (status == SS_OK && verdict == SS_CONTINUATION_LOST)
        status = ss_fail(err, SS_NOT_FOUND, NULL, "the cycle at the start of the range cannot be followed");
    free(u);
    return status;
}
