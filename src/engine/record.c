// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Record: the state at a time on the present step, moving the run there, and the log.
#include "core/algebra/polynomial.h"
#include "core/rounding.h"
#include "core/tolerance.h"
#include "engine/flow/bristle.h"
#include "engine/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Values and derivatives of `lanes` neighbouring series, of `width` in all. With `lanes` known where it is
// called, the sums are kept in registers.
static inline void sum_lanes(const double* first, const double* last, int width, double s, double value[],
                             double derivative[], const int lanes)
{
    double sum[2], slope[2];
    for (int j = 0; j < lanes; j++) {
        sum[j] = last[j];
        slope[j] = 0.0;
    }
    for (const double* row = last - width; row >= first; row -= width)
        for (int j = 0; j < lanes; j++) {
            slope[j] = slope[j] * s + sum[j];
            sum[j] = sum[j] * s + row[j];
        }
    for (int j = 0; j < lanes; j++) {
        value[j] = sum[j];
        derivative[j] = slope[j];
    }
}

// Values and derivatives of `width` series at s, by one Horner sweep.
static void sum_series(const double series[], int width, int order, double s, double* restrict value,
                       double* restrict derivative)
{
    if (width == 0) return;
    if (s == 0.0) { // the start of the step
        memcpy(value, series, (size_t)width * sizeof(double));
        memcpy(derivative, series + width, (size_t)width * sizeof(double));
        return;
    }
    const double* last = series + (size_t)order * (size_t)width;
    if (width <= 4) {
        int i = 0;
        for (; i + 1 < width; i += 2) sum_lanes(series + i, last + i, width, s, value + i, derivative + i, 2);
        if (i < width) sum_lanes(series + i, last + i, width, s, value + i, derivative + i, 1);
        return;
    }
    for (int i = 0; i < width; i++) {
        value[i] = last[i];
        derivative[i] = 0.0;
    }
    for (const double* row = last - width; row >= series; row -= width)
        for (int i = 0; i < width; i++) {
            derivative[i] = derivative[i] * s + value[i];
            value[i] = value[i] * s + row[i];
        }
}

// Positions and velocities of coordinates and drives at s, then the states.
static void sum_state(const ss_sim* sim, double s, double q[], double v[], double d[], double dv[])
{
    int n = sim->model->n, nd = sim->model->drive_count, states = sim->open.states;
    sum_series(sim->step.q, n, sim->step.order, s, q, v);
    sum_series(sim->step.d, nd, sim->step.order, s, d, dv);
    if (states > 0) sum_series(sim->step.s, states, sim->step.order - 1, s, dv + nd, dv + nd + states);
    if (!sim->clock.stop) return;
    for (int i = 0; i < n; i++) { // the derivatives were in s
        v[i] = ss_poly_value(sim->clock.speed + i, n, sim->step.order, s);
    }
    if (nd > 0) memcpy(dv, sim->clock.drive_speed, (size_t)nd * sizeof(double));
}

void ss_follow(const ss_sim* sim, double constant, const double d[], double q[])
{
    const ss_model* model = sim->model;
    int nd = model->drive_count;
    for (int j = 0; j < sim->modes.active_count; j++) {
        const ss_group* group = &model->groups[sim->modes.active[j]];
        const ss_hold* hold = &sim->modes.holds[sim->modes.active[j]];
        int nc = group->coordinate_count, width = nc + nd + 1;
        for (int r = 0; r < hold->rank; r++) {
            const double* relation = &hold->relation[r * width];
            double sum = constant * relation[nc + nd];
            for (int c = 0; c < nc; c++)
                if (relation[c] != 0.0) sum += relation[c] * q[group->coordinates[c]];
            for (int c = 0; c < nd && d; c++)
                if (relation[nc + c] != 0.0) sum += relation[nc + c] * d[c];
            q[hold->dependent[r]] = sum;
        }
    }
}

void ss_follow_state(ss_sim* sim)
{
    ss_follow(sim, 1.0, sim->step.d, sim->step.q);
    for (int j = 0; j < sim->modes.active_count; j++) ss_enforce_velocity(sim, sim->modes.active[j]);
}

void ss_advance_state(ss_sim* sim, double s)
{
    int n = sim->model->n;
    double* q = sim->work.scratch_q;
    sum_series(sim->step.q, n, sim->step.order, s, q, q + n);
    memcpy(sim->step.q, q, 2 * (size_t)n * sizeof(double));
    if (sim->open.states == 0) return;
    sum_series(sim->step.s, sim->open.states, sim->step.order - 1, s, q, q + sim->open.states);
    memcpy(sim->step.s, q, (size_t)sim->open.states * sizeof(double));
}

// Sums of series, as they are told: where terms cancel to nothing but rounding, that is 0. Series of the
// first terms tell at little cost where that may be: SS_RELATIVE_ZERO leaves room for later terms that are
// larger.
static void clear_sums(const double series[], int width, int order, double s, double value[])
{
    int few = order < 3 ? order : 3;
    for (int i = 0; i < width; i++)
        if (value[i] != 0.0 && fabs(value[i]) < SS_RELATIVE_ZERO * ss_poly_bound(series + i, width, few, s))
            value[i] = ss_clear_rounding(value[i], ss_poly_bound(series + i, width, order, s));
}

// Positions where the step ends in an event: a body that stops at 0 is there.
static void clear_stops(const ss_sim* sim, double s, double q[])
{
    int n = sim->model->n;
    for (int i = 0; i < n && !sim->clock.stop; i++) {
        if (fabs(q[i]) >= SS_RELATIVE_ZERO * fabs(sim->step.q[i])) continue;
        double size = ss_poly_bound(sim->step.q + i, n, sim->step.order, s);
        q[i] = ss_clear_rounding(q[i], fmax(size, ss_coast_size(sim, i)));
    }
}

// As clear_sums for velocities, whose series are the derivatives (k + 1) q[k + 1].
static void clear_rates(const double series[], int width, int order, double s, double value[])
{
    for (int i = 0; i < width; i++) {
        double near = 0.0, all = 0.0;
        for (int k = order < 4 ? order : 4; k >= 1; k--) near = near * s + k * fabs(series[k * width + i]);
        if (value[i] == 0.0 || fabs(value[i]) >= SS_RELATIVE_ZERO * near) continue;
        for (int k = order; k >= 1; k--) all = all * s + k * fabs(series[k * width + i]);
        value[i] = ss_clear_rounding(value[i], all);
    }
}

// A body's position or velocity by its row: one entry is a product, several may cancel.
static double sum_row(const ss_row* row, const double q[], double offset)
{
    double sum = offset, size = fabs(offset);
    for (int k = 0; k < row->count; k++) {
        sum += row->value[k] * q[row->index[k]];
        size += fabs(row->value[k] * q[row->index[k]]);
    }
    return ss_clear_rounding(sum, size);
}

void ss_evaluate(const ss_sim* sim, double s, double x[], double v[])
{
    const ss_model* model = sim->model;
    int n = model->n, nd = model->drive_count;
    double *q = sim->work.scratch_q, *q1 = q + n, *d = q1 + n, *d1 = d + nd;
    sum_state(sim, s, q, q1, d, d1);
    if (s > 0.0 && !sim->clock.stop) {
        clear_sums(sim->step.q, n, sim->step.order, s, q);
        clear_rates(sim->step.q, n, sim->step.order, s, q1);
    }
    ss_follow(sim, 1.0, d, q);
    for (int j = 0; j < sim->open.states; j++) sim->open.out[j] = d1[nd + j];
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        x[b] = body->drive >= 0 ? d[body->drive] : sum_row(&body->row, q, sim->bodies.offset[b]);
        v[b] = body->drive >= 0 ? d1[body->drive] : sum_row(&body->row, q1, 0.0);
    }
}

// A gap that has not become zero keeps its sign.
static double keep_side(double before, double gap)
{
    if (before == 0.0 || gap * before > 0.0) return gap;
    return copysign(DBL_MIN, before);
}

// Gap of the stop whose clock runs: its penetration is the square of y = dt/ds.
static double clocked_gap(const ss_sim* sim, double s)
{
    double y = ss_poly_value(sim->clock.pace, 1, sim->step.order, s);
    return -y * y;
}

static void advance_gaps(ss_sim* sim, double s)
{
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        const ss_contact* contact = &sim->model->contacts[i];
        bool elastic = ss_is_elastic(sim, i);
        if (run->mode != SS_MODE_OPEN && !elastic) continue;
        double side = contact->stop.side, moved = 0.0;
        for (int k = sim->step.order; k >= 1; k--)
            moved = (moved + (k < run->lead ? 0.0 : ss_relative_position(sim, i, k))) * s;
        double gap = run->gap - side * moved;
        if (elastic && sim->clock.stop == &sim->laws.elastic[sim->laws.elastic_at[i]])
            gap = clocked_gap(sim, s);
        bool touches = elastic ? run->touches : run->hit;
        bool sinks = elastic && run->mode == SS_MODE_OPEN && run->gap == 0.0 && gap < 0.0 && !touches;
        // It sinks by a derivative higher than all that select asked for.
        if (sinks) sim->modes.dirty[contact->group] = true;
        run->gap = touches ? 0.0 : elastic ? keep_side(run->gap, gap) : fmax(gap, 0.0);
    }
}

// Books the step up to s. False, and nothing is booked, where an energy overflows: the run ends before its
// ledger holds what is no number.
static bool commit_energy(ss_sim* sim, double s, bool watch)
{
    ss_energy before = sim->ledger.energy;
    if (watch && !isfinite(ss_stored_energy(sim, s))) return false;
    if (!sim->def.ledger) return true;
    ss_ledger_step(sim, s, &sim->ledger.energy);
    if (ss_ledger_is_finite(sim)) return true;
    sim->ledger.energy = before;
    return false;
}

bool ss_commit(ss_sim* sim, double s)
{
    const ss_model* model = sim->model;
    int n = model->n, nd = model->drive_count;
    double *q = sim->work.scratch_q, *q1 = q + n, *d = q1 + n, *d1 = d + nd;
    if (sim->variation) ss_vary_commit(sim, s);
    sum_state(sim, s, q, q1, d, d1);
    if (ss_ends_in_event(sim)) clear_stops(sim, s, q);
    ss_follow(sim, 1.0, d, q);
    double sum = 0.0, *state = q;
    for (int i = 0; i < 2 * n; i++) sum += fabs(q[i]);
    for (int j = 0; j < sim->open.states; j++) sum += fabs(d1[nd + j]);
    if (!isfinite(sum)) return false;
    // The energies are computed from the series and use the same scratch.
    if (sim->def.ledger || sum > SS_LARGE_STATE) {
        state = sim->work.next_state;
        memcpy(state, q, (2 * (size_t)n + 2 * (size_t)nd + (size_t)sim->open.states) * sizeof(double));
        if (!commit_energy(sim, s, sum > SS_LARGE_STATE)) return false;
    }
    if (sim->modes.has_stops || sim->laws.elastic_count > 0) advance_gaps(sim, s);
    // The leading zeros of edges belong to the step that ends.
    for (int e = 0; e < sim->laws.elastic_count; e++)
        for (int w = 0; w < SS_STOP_EDGES; w++) sim->laws.elastic[e].edge_lead[w] = 0;
    if (sim->laws.bristle_count > 0) ss_bristle_commit(sim, s);
    if (!sim->model->nature.linear) ss_commit_slips(sim, s);
    memcpy(sim->step.q, state, 2 * (size_t)n * sizeof(double));
    memcpy(sim->step.s, state + 2 * n + 2 * nd, (size_t)sim->open.states * sizeof(double));
    if (nd > 0) {
        memcpy(sim->step.d, state + 2 * n, 2 * (size_t)nd * sizeof(double));
        memcpy(sim->inputs.drive_x, state + 2 * n, (size_t)nd * sizeof(double));
    }
    sim->step.t = ss_ends_at_break(sim) ? sim->inputs.next_break : sim->step.t + ss_elapsed(sim, s);
    sim->step.ready = false;
    sim->clock.stop = NULL;
    if (model->open) ss_open_leave(sim, s);
    return true;
}

void ss_note_now(ss_sim* sim, const char* text, const int contacts[], int count)
{
    if (sim->def.on_note) sim->def.on_note(sim->def.user, &(ss_note){sim->step.t, text, contacts, count});
}

// Emits one event per contact whose mode changed at this instant, in the order of the model.
void ss_log_changes(ss_sim* sim)
{
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        bool impact = run->speed_in >= 0.0;
        if (run->mode == run->logged && !impact) continue;
        ss_event event = {.t = sim->step.t, .contact = i, .from = run->logged, .to = run->mode};
        if (impact) {
            event.kind = run->accumulated ? SS_EVENT_ACCUMULATION : SS_EVENT_IMPACT;
            event.speed_in = run->speed_in;
            event.speed_out = run->speed_out;
        }
        if (ss_is_bristle(sim, i)) event.kind = SS_EVENT_REVERSAL;
        run->logged = run->mode;
        run->speed_in = -1.0;
        run->accumulated = false;
        if (!sim->course.started) continue; // modes at t = 0 are no events
        sim->course.event_count++;
        if (sim->stop.wanted) sim->stop.events[sim->stop.event_count++] = event;
        if (sim->def.on_event) sim->def.on_event(sim->def.user, &event);
    }
}
