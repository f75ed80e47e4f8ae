// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Speed-clock steps: see speed_clock.h for the idea, docs/theory/flow.md for what is known of their error.
//
//   reads    model, modes, state
//   writes   state and time at the end of the speed-clock step, or where the caller stops
//   promise  no event lies on it: the speed of the contact at hand is the clock, that of all others stays
//            clear of 0. The motion is the same to the bit wherever the caller stops, unless the moment asked
//            for cannot be found on it: then steps go on from the speed-clock step's start, within the
//            tolerance.
#include "engine/flow/speed_clock.h"
#include "core/algebra/wide.h"
#include "core/rounding.h"
#include "core/tolerance.h"
#include "engine/flow/contact.h"
#include "engine/flow/linear/constant_works.h"
#include "engine/flow/linear/linear_works.h"
#include "engine/flow/open_series.h"
#include "engine/way/way.h"
#include "law/table.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LARGEST = SS_SPEED_CLOCK_LARGEST, WIDTH = SS_SPEED_CLOCK_WIDTH, ROUNDS = 24, LONGEST_WAIT = 5 };

typedef ss_speed_clock_motion speed_clock;

// ---- the collocation

// Rates of change at all nodes and at the end, and dt/dc, c from 0 to 1 along the speed-clock step. Sizes are
// known where it is called.
static inline __attribute__((always_inline)) void find_rates_of(speed_clock* d, const int size, const int n)
{
    const ss_speed_clock_tables* t = d->tables;
    double length = d->v1 - d->v0;
    for (int b = 0; 4 * b <= t->nodes; b++) {
        ss_four force = ((const ss_four*)d->force)[b], y[LARGEST], along = {0.0};
        for (int k = 0; k < size; k++) y[k] = ((const ss_four*)d->y[k])[b];
        for (int i = 0; i < size; i++) {
            ss_four rate = d->base[i] + d->push[i] * force;
            for (int k = 0; k < size && i >= n; k++) rate += t->a[i][k] * y[k];
            if (i < n) rate = y[n + i];
            if (i >= n && i < 2 * n) along += d->row[i - n] * rate;
            ((ss_four*)d->rate[i])[b] = rate;
        }
        ((ss_four*)d->slow)[b] = length * ((const ss_four*)d->pace)[b] / along;
    }
}

SS_WIDE static void find_rates(speed_clock* d)
{
    int size = d->tables->size, n = d->n;
    if (size == 2)
        find_rates_of(d, 2, 1);
    else if (size == 3)
        find_rates_of(d, 3, 1);
    else if (size == 4 && n == 1)
        find_rates_of(d, 4, 1);
    else if (size == 4)
        find_rates_of(d, 4, 2);
    else
        find_rates_of(d, size, n);
}

// Sums of all rows of the integrals, weighted by value; `fours` of them, known where it is called.
static inline __attribute__((always_inline)) void
sum_rows(const ss_speed_clock_tables* t, const double value[], double start, double out[], const int fours)
{
    ss_four sum[SS_SPEED_CLOCK_FOURS];
    for (int i = 0; i < fours; i++) sum[i] = (ss_four){start, start, start, start};
    for (int j = 0; j < t->nodes; j++) {
        const ss_four* row = (const ss_four*)t->integral[j];
        for (int i = 0; i < fours; i++) sum[i] += row[i] * value[j];
    }
    for (int i = 0; i < fours; i++) ((ss_four*)out)[i] = sum[i];
}

SS_WIDE void ss_speed_clock_integrate(const ss_speed_clock_tables* t, const double rate[],
                                      const double slow[], double start, double out[])
{
    int width = t->nodes + 1;
    double value[WIDTH];
    for (int j = 0; j < width; j++) value[j] = rate[j] * slow[j];
    switch (width / 4) {
    case 3: sum_rows(t, value, start, out, 3); break;
    case 4: sum_rows(t, value, start, out, 4); break;
    case 5: sum_rows(t, value, start, out, 5); break;
    case 6: sum_rows(t, value, start, out, 6); break;
    case 7: sum_rows(t, value, start, out, 7); break;
    case 8: sum_rows(t, value, start, out, 8); break;
    case 9: sum_rows(t, value, start, out, 9); break;
    case 10: sum_rows(t, value, start, out, 10); break;
    case 11: sum_rows(t, value, start, out, 11); break;
    default: sum_rows(t, value, start, out, SS_SPEED_CLOCK_FOURS); break;
    }
}

// The speed of the pivot, from the clock and the other speeds.
static void follow_clock(speed_clock* d)
{
    double* own = d->y[d->n + d->pivot];
    int nodes = d->tables->nodes;
    for (int j = 0; j <= nodes; j++) own[j] = d->v[j];
    for (int i = 0; i < d->n; i++)
        for (int j = 0; i != d->pivot && j <= nodes; j++) own[j] -= d->row[i] * d->y[d->n + i][j];
    for (int j = 0; j <= nodes; j++) own[j] /= d->row[d->pivot];
}

// One round of the iteration; *change: by which share of themselves, at most, the ways along the speed-clock
// step change. False where the contact would turn back on its way.
static bool go_round(speed_clock* d, double* change)
{
    const ss_speed_clock_tables* t = d->tables;
    int nodes = t->nodes;
    *change = 0.0;
    find_rates(d);
    for (int j = 0; j < nodes; j++)
        if (!(d->slow[j] > 0.0)) return false;
    for (int i = -1; i < t->size; i++) {
        if (i == d->n + d->pivot) continue;
        double start = i < 0 ? 0.0 : d->y0[i], *row = i < 0 ? d->time : d->y[i], before = row[nodes];
        ss_speed_clock_integrate(t, i < 0 ? d->unit : d->rate[i], d->slow, start, row);
        double way = fabs(row[nodes] - start), rounding = 4.0 * DBL_EPSILON * fabs(start);
        double own = (fabs(row[nodes] - before) - rounding) / (way + SS_NOT_ZERO);
        if (!(own <= *change)) *change = own;
    }
    if (d->n > 1) follow_clock(d);
    return true;
}

// The last coefficients of dt/dc over its mean. What quadrature at Gauss's nodes leaves is about their
// square.
static double tail_of(const speed_clock* d)
{
    const ss_speed_clock_tables* t = d->tables;
    double tail = 0.0;
    for (int k = 0; k < 2; k++) {
        double sum = 0.0;
        for (int j = 0; j < t->nodes; j++) sum += t->tail[k][j] * d->slow[j];
        tail = fmax(tail, fabs(sum));
    }
    return tail / d->time[t->nodes];
}

// The clock at the nodes. A contact that breaks loose gains speed slowly at first: nodes stand closer there.
static void set_clock(speed_clock* d, double v1)
{
    const ss_speed_clock_tables* t = d->tables;
    double even = fabs(v1) > fabs(d->v0) ? 0.2 : 1.0; // dv/dc at the start, over its mean
    d->v1 = v1;
    for (int j = 0; j <= t->nodes; j++) {
        double c = j < t->nodes ? t->node[j] : 1.0;
        d->v[j] = d->v0 + (even + (1.0 - even) * c) * c * (v1 - d->v0);
        d->pace[j] = even + 2.0 * (1.0 - even) * c;
        d->unit[j] = 1.0;
    }
}

// What the iteration starts from: friction at the nodes, and the state as it is at the start.
static void guess(const ss_model* model, const ss_step* step, int contact, speed_clock* d)
{
    const ss_contact* c = &model->contacts[contact];
    ss_law_point point = {.sign = d->v0 > 0.0 ? 1.0 : -1.0, .along = ss_along_of(step, contact)};
    ss_response response;
    for (int j = 0; j <= d->tables->nodes; j++) {
        point.v = d->v[j];
        c->law_entry->point.at(ss_law_of(c), &point, &response);
        d->force[j] = response.force;
        d->fall[j] = response.fall;
    }
    for (int i = 0; i < d->tables->size; i++)
        for (int j = 0; j <= d->tables->nodes; j++) d->y[i][j] = d->y0[i];
    d->time[d->tables->nodes] = 0.0;
    follow_clock(d);
}

// Crosses from v0 to v1. False where that does not come to the tolerance.
static bool cross(const ss_model* model, const ss_step* step, const ss_step_control* control, int contact,
                  double v1, speed_clock* d)
{
    double tolerance = control->tolerance, change = INFINITY;
    set_clock(d, v1);
    guess(model, step, contact, d);
    for (int round = 0; round < ROUNDS && change > tolerance; round++)
        if (!go_round(d, &change)) return false;
    double tail = tail_of(d);
    return change <= tolerance && tail * tail <= tolerance;
}

// ---- whether to take such a step, and how far

// Rates of change at y with the friction `force`.
static void rates_at(const speed_clock* d, const double y[], double force, double rate[])
{
    for (int i = 0; i < d->tables->size; i++) {
        rate[i] = d->base[i] + d->push[i] * force;
        for (int k = 0; k < d->tables->size; k++) rate[i] += d->tables->a[i][k] * y[k];
    }
}

static double along_row(const speed_clock* d, const double rate[])
{
    double sum = 0.0;
    for (int i = 0; i < d->n; i++) sum += d->row[i] * rate[d->n + i];
    return sum;
}

// The contact in whose curve the motion is: the only one; -1 where there is none, or the mode is another.
static int find_contact(const ss_sim* sim)
{
    int found = -1;
    if ((sim->derivative && !(sim->speed_clock_follower && sim->speed_clock_follower->may(sim))) ||
        !sim->course.started || sim->course.ended || sim->modes.active_count > 0 || sim->values.changed ||
        !isnan(sim->proof.resting_since) || sim->course.event_count >= sim->def.max_events)
        return -1;
    for (int i = 0; i < sim->model->contact_count; i++) {
        if (!ss_slips(&sim->modes, i) || sim->modes.dirty[sim->model->contacts[i].group]) return -1;
        if (sim->step.laws.curved_at[i] < 0) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

static void begin(const ss_sim* sim, int contact, speed_clock* d)
{
    const ss_model* model = sim->model;
    int n = model->n;
    d->tables = sim->ways.speed_clock->tables;
    d->n = n;
    memset(d->base, 0, sizeof d->base);
    memset(d->push, 0, sizeof d->push);
    memset(d->row, 0, sizeof d->row);
    for (int i = 0; i < n; i++) d->base[n + i] = sim->pulls.constant[i];
    for (int j = 0; j < sim->open.states; j++) d->base[2 * n + j] = sim->open.constant[j];
    for (int i = 0; i < model->contact_count; i++) {
        const ss_row* mobility = &model->contacts[i].mobility;
        bool plus = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
        double level = plus ? ss_kinetic_low(sim, i, 0) : ss_kinetic_high(sim, i, 0);
        for (int k = 0; k < mobility->count; k++) {
            if (i == contact)
                d->push[n + mobility->index[k]] = mobility->value[k];
            else
                d->base[n + mobility->index[k]] += mobility->value[k] * level;
        }
    }
    const ss_row* row = &model->contacts[contact].q;
    for (int k = 0; k < row->count; k++) d->row[row->index[k]] += row->value[k];
    d->pivot = 0;
    for (int i = 1; i < n; i++)
        if (fabs(d->row[i]) > fabs(d->row[d->pivot])) d->pivot = i;
}

static void start_at(speed_clock* d, const double y[], double v)
{
    memcpy(d->y0, y, sizeof d->y0);
    d->v0 = v;
}

// The speed to take such a step to; the present one where no speed-clock step is to be tried. By the first
// derivatives of the acceleration, 1/a has its nearest singularity a^2/a' away: too near the start, and
// nothing would come of it.
static double aim(const ss_sim* sim, int contact, const speed_clock* d)
{
    const double clear = 0.012, least = 0.2; // of the way, and of the speed where the curve ends
    const double stretch = 8.0;              // by which speeds grow where no end is known
    const ss_contact* c = &sim->model->contacts[contact];
    double v = d->v0, sign = sim->modes.contacts[contact].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
    double rate[LARGEST], again[LARGEST];
    double end =
        sign * v > 0.0 ? c->law_entry->point.smooth(ss_law_of(c), fabs(v), sim->control.tolerance) : 0.0;
    if (!(end > 0.0)) return v;
    ss_law_point point = {.v = v, .sign = sign, .along = ss_along_of(&sim->step, contact)};
    ss_response response;
    c->law_entry->point.at(ss_law_of(c), &point, &response);
    rates_at(d, d->y0, response.force, rate);
    double a = along_row(d, rate), jerk = 0.0;
    for (int i = 0; i < d->n; i++) {
        again[i] = d->push[d->n + i] * response.force_v * a;
        for (int k = 0; k < d->tables->size; k++) again[i] += d->tables->a[d->n + i][k] * rate[k];
        jerk += d->row[i] * again[i];
    }
    if (isinf(end)) end = stretch * fabs(v);
    double to = sign * a > 0.0 ? sign * end : 0.0, way = fabs(to - v);
    return a != 0.0 && (to - v) * a > 0.0 && way > least * end && a * a > clear * fabs(jerk) * way ? to : v;
}

// Whether no other contact stops on the speed-clock step. Its speed changes by the integral of its rate, and
// that is at most the root of the integral of the rate's square, which Gauss's nodes give exactly.
static bool others_go_on(const ss_model* model, int contact, const speed_clock* d)
{
    for (int i = 0; i < model->contact_count; i++) {
        if (i == contact) continue;
        const ss_row* row = &model->contacts[i].q;
        double square = 0.0, speed = fabs(ss_row_dot(row, d->y0 + d->n));
        for (int j = 0; j < d->tables->nodes; j++) {
            double rate = 0.0;
            for (int k = 0; k < row->count; k++) rate += row->value[k] * d->rate[d->n + row->index[k]][j];
            square += d->tables->weight[j] * rate * rate * d->slow[j] * d->slow[j];
        }
        if (!(speed > (1.0 + SS_CLEAR) * sqrt(square))) return false;
    }
    return true;
}

// ---- the motion

static void read_state(const ss_model* model, const ss_step* step, const ss_open_run* open_run, double y[])
{
    int n = model->n;
    memcpy(y, step->q, 2 * (size_t)n * sizeof(double));
    memcpy(y + 2 * n, step->s, (size_t)open_run->states * sizeof(double));
}

// Adds the powers at node j, which stands for so many seconds.
static void add_powers(const speed_clock* d, int j, double seconds, ss_energy* sum)
{
    const ss_speed_clock_tables* t = d->tables;
    double y[LARGEST];
    for (int i = 0; i < t->size; i++) y[i] = d->y[i][j];
    sum->damping += seconds * ss_works_power(t->damping, d->n, t->size, y + d->n, y);
    sum->input += seconds * ss_works_power(t->input, d->n, t->size, y + d->n, y);
    sum->friction -= seconds * d->force[j] * d->v[j];
}

// The ledger where d ends, or `ahead` (s) behind that, at y. It is what it was at the start of the
// speed-clock step.
static void add_works(const ss_sim* sim, const speed_clock* d, double ahead, const double y[], ss_energy* e)
{
    const ss_speed_clock_tables* t = d->tables;
    ss_energy sum = {0};
    double moved[LARGEST], passed = ss_largest_work(e);
    for (int j = 0; j < t->nodes; j++) add_powers(d, j, t->weight[j] * d->slow[j], &sum);
    add_powers(d, t->nodes, ahead, &sum);
    ss_add_work(sum.damping, &e->damping, &passed);
    ss_add_work(sum.input, &e->input, &passed);
    ss_add_work(sum.friction, &e->friction, &passed);
    for (int i = 0; i < d->n; i++) moved[i] = y[i] - d->y0[i];
    ss_works_of_constants(sim, sim->open.fixed, moved, e, &passed);
    e->passed = fmax(e->passed, passed);
}

static void put(ss_sim* sim, double t, const double y[], const ss_energy* energy)
{
    ss_book(&sim->ledger, energy);
    ss_put_state(sim->model, &sim->step, &sim->open, y, y + 2 * sim->model->n);
    ss_set_time(&sim->step, t);
    if (sim->model->open) ss_open_leave(sim, 0.0);
    ss_end_step(&sim->step, SS_STEP_BOUND);
    ss_leave_step(&sim->step);
}

// About which speed d, which has the clock of the whole speed-clock step, reaches after a time: by the
// polynomial of v in t through the nodes next to it.
static double guess_speed(const ss_speed_clock* own, const speed_clock* d, double want)
{
    enum { POINTS = 8 };
    int last = d->tables->nodes, first = 0;
    double v[POINTS];
    while (first < last - POINTS + 1 && own->time[first + POINTS / 2] < want) first++;
    for (int k = 0; k < POINTS; k++) v[k] = d->v[first + k];
    for (int width = 1; width < POINTS; width++) // Neville's rule
        for (int k = 0; k < POINTS - width; k++) {
            double t0 = own->time[first + k], t1 = own->time[first + k + width];
            v[k] = ((t1 - want) * v[k] + (want - t0) * v[k + 1]) / (t1 - t0);
        }
    return v[0];
}

// The state at time t within the speed-clock step under way: the speed that is reached then, by Newton's
// method.
static bool find_within(ss_sim* sim, double t, double y[], ss_energy* energy)
{
    const ss_speed_clock* own = sim->ways.speed_clock;
    double want = t - own->start_t, whole = own->end_t - own->start_t, low = own->start_v, high = own->end_v;
    double rate[LARGEST];
    speed_clock d;
    begin(sim, own->contact, &d);
    start_at(&d, own->start, own->start_v);
    set_clock(&d, high);
    double v = guess_speed(own, &d, want);
    if (!((v - low) * (v - high) < 0.0)) v = low + (high - low) * want / whole;
    for (int round = 0; round < 40; round++) {
        if (!cross(sim->model, &sim->step, &sim->control, own->contact, v, &d)) return false;
        int last = d.tables->nodes;
        double left = want - d.time[last];
        for (int i = 0; i < d.tables->size; i++) y[i] = d.y[i][last];
        ss_law_point point = {
            .v = v, .sign = own->start_v > 0.0 ? 1.0 : -1.0, .along = ss_along_of(&sim->step, own->contact)};
        ss_response response;
        const ss_contact* c = &sim->model->contacts[own->contact];
        c->law_entry->point.at(ss_law_of(c), &point, &response);
        rates_at(&d, y, response.force, rate);
        for (int i = 0; i < d.tables->size; i++) y[i] += left * rate[i];
        if (fabs(left) <= SS_ROOT_BIT * whole) { // what is left is squared
            if (sim->def.ledger) add_works(sim, &d, left, y, energy);
            return !sim->speed_clock_follower ||
                   sim->speed_clock_follower->cross(sim, &d, own->contact, left, true);
        }
        if (left > 0.0)
            low = v;
        else
            high = v;
        v += left * along_row(&d, rate);
        if (!((v - low) * (v - high) < 0.0)) v = 0.5 * (low + high);
    }
    return false;
}

// The contact has come to v = 0: that is its event. Its force is the one before.
static void stop_contact(const ss_model* model, ss_step* step, ss_modes* modes, int contact)
{
    const ss_contact* c = &model->contacts[contact];
    double sign = modes->contacts[contact].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
    ss_law_point point = {.sign = sign, .along = ss_along_of(step, contact)};
    ss_response response;
    c->law_entry->point.at(ss_law_of(c), &point, &response);
    step->lambda[contact] = response.force;
    for (int i = 0; i < model->contact_count; i++) modes->contacts[i].hit = i == contact;
    ss_end_step(step, SS_STEP_EVENT);
}

static ss_passed go_on(ss_sim* sim, double until)
{
    ss_speed_clock* own = sim->ways.speed_clock;
    ss_energy energy = own->start_energy;
    double y[LARGEST];
    if (until >= own->end_t) {
        own->under_way = false;
        if (sim->ways.stiff) sim->ways.stiff->pace = own->stiff;
        put(sim, own->end_t, own->end, &own->end_energy);
        if (sim->speed_clock_follower) sim->speed_clock_follower->leave(sim, false);
        if (own->end_v == 0.0) stop_contact(sim->model, &sim->step, &sim->modes, own->contact);
        if (own->end_v == 0.0 && sim->speed_clock_follower)
            sim->speed_clock_follower->stop(sim, own->contact);
        return own->end_v == 0.0 ? SS_PASSED_EVENT : SS_PASSED_ON;
    }
    if (sim->step.ready && !(until > sim->step.t)) return SS_PASSED_NOTHING;
    if (!find_within(sim, until, y, &energy)) {
        own->under_way = false;
        return SS_PASSED_NOTHING;
    }
    put(sim, until, y, &energy);
    if (sim->speed_clock_follower) sim->speed_clock_follower->leave(sim, true);
    return SS_PASSED_BEFORE;
}

static ss_passed pass_to(ss_sim* sim, double until)
{
    ss_speed_clock* own = sim->ways.speed_clock;
    speed_clock d;
    if (own->under_way) return go_on(sim, until);
    int contact = sim->step.ready ? -1 : find_contact(sim);
    if (contact < 0 || !sim->model->contacts[contact].law_entry->point.smooth) return SS_PASSED_NOTHING;
    if (own->wait > 0) {
        own->wait--;
        return SS_PASSED_NOTHING;
    }
    begin(sim, contact, &d);
    read_state(sim->model, &sim->step, &sim->open, own->start);
    own->contact = contact;
    own->start_t = sim->step.t;
    own->start_v = ss_row_dot(&sim->model->contacts[contact].q, own->start + d.n);
    start_at(&d, own->start, own->start_v);
    own->end_v = aim(sim, contact, &d);
    if (own->end_v == own->start_v) return SS_PASSED_NOTHING;
    int last = d.tables->nodes;
    bool good = cross(sim->model, &sim->step, &sim->control, contact, own->end_v, &d) &&
                others_go_on(sim->model, contact, &d);
    if (good && sim->speed_clock_follower) sim->speed_clock_follower->begin(sim);
    if (good && sim->speed_clock_follower)
        good = sim->speed_clock_follower->cross(sim, &d, contact, 0.0, false);
    own->misses = good ? 0 : own->misses < LONGEST_WAIT ? own->misses + 1 : LONGEST_WAIT;
    own->wait = good ? 0 : 1 << own->misses;
    own->end_t = own->start_t + d.time[last];
    if (!good || !(own->end_t > own->start_t) ||
        !(own->end_t + 16.0 * DBL_EPSILON * fabs(own->end_t) <
          fmin(sim->values.next, sim->inputs.next_break)))
        return SS_PASSED_NOTHING;
    for (int i = 0; i < d.tables->size; i++) {
        own->end[i] = d.y[i][last];
        if (own->end_v == 0.0 && i < d.n) own->end[i] = ss_clear_rounding(d.y[i][last], fabs(d.y0[i]));
    }
    memcpy(own->time, d.time, sizeof own->time);
    own->start_energy = own->end_energy = sim->ledger.energy;
    if (sim->def.ledger) add_works(sim, &d, 0.0, own->end, &own->end_energy);
    if (sim->ways.stiff) own->stiff = sim->ways.stiff->pace;
    own->under_way = true;
    return go_on(sim, until);
}

static ss_status pass(ss_sim* sim, const ss_aim* aim, ss_stretch* out, ss_error* err)
{
    (void)err;
    if (!sim->ways.speed_clock) return SS_OK;
    out->how = pass_to(sim, aim->until);
    out->from = sim->ways.speed_clock->start_t;
    return SS_OK;
}

const ss_way ss_way_speed_clock = {.name = "taylor by a contact's speed", .clocked = true, .pass = pass};

void ss_speed_clock_restart(ss_ways* ways)
{
    if (!ways->speed_clock) return;
    ways->speed_clock->under_way = false;
    ways->speed_clock->wait = ways->speed_clock->misses = 0;
}

void ss_speed_clock_leave(ss_ways* ways)
{
    if (ways->speed_clock) ways->speed_clock->under_way = false;
}
