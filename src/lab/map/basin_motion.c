// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion is described by what forces feel: the speeds, the lengths of springs, the places before stops, the
// forces of bristles. Places that no force feels (the angle of a drill bit) may advance for ever. Over the
// last 30 % of a run,
//
//   steady     none of these numbers changes any more, and something moves;
//   repeating  they come back to the same values, twice in a row, after the same number of returns:
//              under inputs of a known period at multiples of it, otherwise at events of one kind (the state
//              is known exactly there), without events where one of the speeds passes its middle.
//
// A motion that is neither is still changing.
#include "lab/map/basin_motion.h"

#include "core/algebra/polynomial.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/cycle/forcing.h"
#include "model/model_impl.h"
#include "share/model_parts.h"
#include "share/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 1024,   // of the last part of a motion
    MOST_MARKS = 128, // returns looked at
    MOST_EVENTS = 512,
    MOST_TIMES = 32, // as many returns may make one period
    IN_A_ROW = 2,
    KINDS = 5, // of numbers
};
static const double last_part = 0.7;  // from here on, as a share of the run
static const double marks_part = 0.4; // from here on returns are looked at
static const double calm_part = 0.9;  // from here on steady sliding must not change
// Relative to the extent of the motion. Motions come in closed form or with errors below 1e-9; one that
// approaches its cycle by a factor m per period is within 1e-6/(1 - m) of it.
static const double same = 1e-6;

struct ss_motion_classifier {
    const ss_model* model;
    ss_sim* sim;
    struct {
        ss_keep_going keep_going;
        void* user;
    } caller;
    ss_forcing forcing;
    int speeds, lengths, forces, width; // numbers that describe a motion: speeds, lengths, forces, and of an
                                        // open model accelerations and rates of states
    double *z, *low, *high, *calm_low, *calm_high, *scale;
    double *most, *state_low, *state_high; // states: largest size; over the end of the run
    struct {
        double* states; // MOST_MARKS x width
        double* times;  // MOST_MARKS
        int count;
    } marks;
    double *old_x, *old_v, *old_a, *x, *v, *a, *coordinate_a; // bodies, for motions without events
    double from;                                              // s: events are kept from here on
    ss_event* events;                                         // the last MOST_EVENTS of them, in a ring
    long event_count;
    bool changing;  // a table goes on in the last part
    double fastest; // of all bodies at the end of the run, driven ones among them
};

// ---- what forces feel

static bool is_felt(const ss_connection* connection)
{
    return connection->stiffness != 0.0 || connection->cubic != 0.0;
}

static bool is_some_stop(const ss_contact* contact) { return ss_law_has(contact->law, SS_TRAIT_STOPS); }

static void count_numbers(ss_motion_classifier* j)
{
    const ss_model* model = j->model;
    for (int b = 0; b < model->body_count; b++) j->speeds += model->bodies[b].drive < 0;
    for (int c = 0; c < model->connection_count; c++) j->lengths += is_felt(&model->connections[c]);
    for (int i = 0; i < model->contact_count; i++) j->lengths += is_some_stop(&model->contacts[i]);
    j->width = j->speeds + j->lengths;
    for (int i = 0; i < model->contact_count; i++) j->forces += ss_has_bristles(&model->contacts[i]);
    j->width += j->forces;
    if (ss_model_is_open(model)) j->width += model->n + ss_model_state_count(model);
}

// Speeds 0, lengths 1, forces 2, accelerations 3, rates of states 4: only numbers of a kind can be compared.
static int kind_of(const ss_motion_classifier* j, int k)
{
    int first = j->speeds;
    if (k < first) return 0;
    if (k < (first += j->lengths)) return 1;
    if (k < (first += j->forces)) return 2;
    return k < first + j->model->n ? 3 : 4;
}

static void describe(const ss_motion_classifier* j, const double x[], const double v[], double z[])
{
    const ss_model* model = j->model;
    int k = 0;
    for (int b = 0; b < model->body_count; b++)
        if (model->bodies[b].drive < 0) z[k++] = v[b];
    for (int c = 0; c < model->connection_count; c++)
        if (is_felt(&model->connections[c])) z[k++] = ss_row_dot(&model->connections[c].bodies, x);
    for (int i = 0; i < model->contact_count; i++)
        if (is_some_stop(&model->contacts[i])) z[k++] = ss_row_dot(&model->contacts[i].bodies, x);
    for (int i = 0; i < model->contact_count; i++)
        if (ss_has_bristles(&model->contacts[i])) z[k++] = ss_sim_contact(j->sim, i).force;
    if (!ss_model_is_open(model)) return;
    ss_sim_acceleration(j->sim, z + k);
    ss_sim_rates(j->sim, z + k + model->n);
}

static ss_status restart(ss_motion_classifier* j, const ss_motion_start* start, ss_error* err)
{
    int states = ss_model_state_count(j->model);
    ss_status status =
        ss_sim_set_start(j->sim, start->inner, start->inner ? start->inner + states : NULL, err);
    return status == SS_OK ? ss_sim_restart(j->sim, start->x, start->v, err) : status;
}

// ---- creation

static void on_event(void* user, const ss_event* event)
{
    ss_motion_classifier* j = user;
    if (event->t >= j->from) j->events[j->event_count++ % MOST_EVENTS] = *event;
}

static bool keep_going(void* user, double t)
{
    const ss_motion_classifier* j = user;
    return j->caller.keep_going(j->caller.user, t);
}

static bool allocate(ss_motion_classifier* j)
{
    size_t w = (size_t)j->width, bodies = (size_t)j->model->body_count;
    double** wide[] = {&j->z, &j->low, &j->high, &j->calm_low, &j->calm_high, &j->scale};
    double** of_bodies[] = {&j->old_x, &j->old_v, &j->old_a, &j->x, &j->v, &j->a};
    bool fine = true;
    for (size_t k = 0; k < sizeof wide / sizeof wide[0]; k++)
        fine = (*wide[k] = ss_new(w, sizeof(double))) && fine;
    for (size_t k = 0; k < sizeof of_bodies / sizeof of_bodies[0]; k++)
        fine = (*of_bodies[k] = ss_new(bodies, sizeof(double))) && fine;
    double** of_states[] = {&j->most, &j->state_low, &j->state_high};
    for (size_t k = 0; k < sizeof of_states / sizeof of_states[0]; k++)
        fine = (*of_states[k] = ss_new((size_t)ss_model_state_count(j->model), sizeof(double))) && fine;
    j->coordinate_a = ss_new((size_t)j->model->n, sizeof(double));
    j->marks.states = ss_new(MOST_MARKS * w, sizeof(double));
    j->marks.times = ss_new(MOST_MARKS, sizeof(double));
    j->events = ss_new(MOST_EVENTS, sizeof *j->events);
    return fine && j->coordinate_a && j->marks.states && j->marks.times && j->events;
}

ss_status ss_motion_classifier_create(const ss_model* model, const ss_sim_def* settings,
                                      ss_motion_classifier** out, ss_error* err)
{
    *out = NULL;
    ss_motion_classifier* j = ss_new(1, sizeof *j);
    if (!j) return ss_fail_no_memory(err);
    j->model = model;
    ss_sim_def def = *settings;
    j->caller.keep_going = def.keep_going;
    j->caller.user = def.user;
    if (def.keep_going) def.keep_going = keep_going;
    def.on_event = on_event;
    def.user = j;
    def.ledger = false;
    j->from = INFINITY;
    ss_status status = ss_sim_create(model, &def, &j->sim, err);
    if (status == SS_OK) {
        count_numbers(j);
        // A spring to a body that drives away is no fault here: its length may repeat, or stay, all the same.
        // The inputs' period is filled in any case, and decides what can be said.
        ss_forcing_find(model, &j->forcing, NULL);
        if (!allocate(j)) status = ss_fail_no_memory(err);
    }
    if (status != SS_OK) {
        ss_motion_classifier_destroy(j);
        return status;
    }
    *out = j;
    return SS_OK;
}

void ss_motion_classifier_destroy(ss_motion_classifier* j)
{
    if (!j) return;
    double* arrays[] = {j->z,         j->low,       j->high,         j->calm_low,
                        j->calm_high, j->scale,     j->marks.states, j->marks.times,
                        j->old_x,     j->old_v,     j->old_a,        j->x,
                        j->v,         j->a,         j->coordinate_a, j->most,
                        j->state_low, j->state_high};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) free(arrays[k]);
    free(j->events);
    ss_sim_destroy(j->sim);
    free(j);
}

// ---- the last part of the motion

static void widen(int width, const double z[], bool first, double low[], double high[])
{
    for (int k = 0; k < width; k++) {
        low[k] = first ? z[k] : fmin(low[k], z[k]);
        high[k] = first ? z[k] : fmax(high[k], z[k]);
    }
}

// Extent of each number; what hardly changes is measured by what does, among its kind. The rate of a state
// that stays is rounding: it is measured by what would change the state over the run.
static void set_scales(ss_motion_classifier* j, double until)
{
    int states = ss_model_state_count(j->model);
    double largest[KINDS] = {0.0};
    for (int k = 0; k < j->width; k++) {
        int kind = kind_of(j, k);
        largest[kind] = fmax(largest[kind], j->high[k] - j->low[k]);
    }
    for (int k = 0; k < j->width; k++) {
        int kind = kind_of(j, k);
        j->scale[k] = fmax(j->high[k] - j->low[k], 1e-3 * largest[kind]);
        if (kind == 4) j->scale[k] = fmax(j->scale[k], j->most[k - (j->width - states)] / until);
        if (!(j->scale[k] > 0.0)) j->scale[k] = 1.0;
    }
}

static void forget_states(ss_motion_classifier* j)
{
    for (int k = 0; k < ss_model_state_count(j->model); k++) {
        j->most[k] = 0.0;
        j->state_low[k] = INFINITY;
        j->state_high[k] = -INFINITY;
    }
}

static void look_at_states(ss_motion_classifier* j, bool calm)
{
    const double* s = ss_sim_states(j->sim);
    for (int k = 0; k < ss_model_state_count(j->model); k++) {
        j->most[k] = fmax(j->most[k], fabs(s[k]));
        if (!calm) continue;
        j->state_low[k] = fmin(j->state_low[k], s[k]);
        j->state_high[k] = fmax(j->state_high[k], s[k]);
    }
}

// A state stays, or grows evenly: one that counts, or the sum of a lasting error.
static bool states_are_steady(const ss_motion_classifier* j)
{
    int states = ss_model_state_count(j->model);
    for (int k = 0; k < states; k++) {
        int rate = j->width - states + k;
        bool stays = j->state_high[k] - j->state_low[k] <= same * j->most[k];
        bool even = j->calm_high[rate] - j->calm_low[rate] <=
                    same * fmax(fabs(j->calm_low[rate]), fabs(j->calm_high[rate]));
        if (!stays && !even) return false;
    }
    return true;
}

// First look: extremes over the last part and over its end, and the events. *there: the motion got to its
// end.
static ss_status look(ss_motion_classifier* j, const ss_motion_start* start, double until, bool* there,
                      ss_error* err)
{
    ss_outcome outcome = SS_TIME_REACHED;
    int calm_count = 0;
    j->from = marks_part * until;
    j->event_count = 0;
    j->fastest = 0.0;
    forget_states(j);
    ss_status status = restart(j, start, err);
    for (int k = 0; k <= SAMPLES && status == SS_OK && outcome == SS_TIME_REACHED; k++) {
        double share = last_part + (1.0 - last_part) * k / SAMPLES;
        status = ss_sim_advance(j->sim, until * share, &outcome, err);
        if (k == 0) j->changing = j->forcing.tables && ss_sim_next_break(j->sim) < INFINITY;
        describe(j, ss_sim_x(j->sim), ss_sim_v(j->sim), j->z);
        widen(j->width, j->z, k == 0, j->low, j->high);
        if (share >= calm_part) widen(j->width, j->z, calm_count++ == 0, j->calm_low, j->calm_high);
        for (int b = 0; b < j->model->body_count && share >= calm_part; b++)
            j->fastest = fmax(j->fastest, fabs(ss_sim_v(j->sim)[b]));
        look_at_states(j, share >= calm_part);
    }
    j->from = INFINITY;
    *there = status == SS_OK && outcome == SS_TIME_REACHED;
    return status;
}

// Nothing changes over the end of the run, relative to how large it is, and something moves.
static bool is_steady(const ss_motion_classifier* j)
{
    int told = j->speeds + j->lengths + j->forces; // what follows is told by speeds and states
    double size[KINDS] = {j->fastest};             // a block that a belt slides under stands still
    for (int k = 0; k < told; k++) {
        int kind = kind_of(j, k);
        size[kind] = fmax(size[kind], fmax(fabs(j->calm_low[k]), fabs(j->calm_high[k])));
    }
    for (int k = 0; k < told; k++) {
        int kind = kind_of(j, k);
        if (j->calm_high[k] - j->calm_low[k] > same * size[kind]) return false;
    }
    return size[0] > 0.0 && states_are_steady(j);
}

// ---- returns

static ss_status mark_at(ss_motion_classifier* j, const double times[], int count,
                         const ss_motion_start* start, ss_error* err)
{
    ss_outcome outcome;
    ss_status status = restart(j, start, err);
    for (int k = 0; k < count && status == SS_OK; k++) {
        status = ss_sim_advance(j->sim, times[k], &outcome, err);
        describe(j, ss_sim_x(j->sim), ss_sim_v(j->sim), j->marks.states + (size_t)k * (size_t)j->width);
    }
    j->marks.count = count;
    return status;
}

// Under inputs: at the last multiples of their period.
static ss_status mark_periods(ss_motion_classifier* j, const ss_motion_start* start, double until,
                              ss_error* err)
{
    double period = j->forcing.period, last = floor(until / period * (1.0 + SS_RELATIVE_ZERO));
    int count = (int)fmin(fmin(floor((1.0 - marks_part) * until / period), last), MOST_TIMES + IN_A_ROW);
    for (int k = 0; k < count; k++) j->marks.times[k] = (last - count + 1 + k) * period;
    return mark_at(j, j->marks.times, count, start, err);
}

// At the last events of the kind that came last.
static ss_status mark_events(ss_motion_classifier* j, const ss_motion_start* start, ss_error* err)
{
    const ss_event* key = &j->events[(j->event_count - 1) % MOST_EVENTS];
    long kept = j->event_count < MOST_EVENTS ? j->event_count : MOST_EVENTS;
    int count = 0;
    for (long k = 0; k < kept && count < MOST_MARKS; k++) { // from the last one back
        const ss_event* event = &j->events[(j->event_count - 1 - k) % MOST_EVENTS];
        if (event->contact == key->contact && event->from == key->from && event->to == key->to)
            j->marks.times[count++] = event->t;
    }
    for (int k = 0; 2 * k < count - 1; k++) {
        double swap = j->marks.times[k];
        j->marks.times[k] = j->marks.times[count - 1 - k];
        j->marks.times[count - 1 - k] = swap;
    }
    return mark_at(j, j->marks.times, count, start, err);
}

// The way of a body from the sample before to the present one, h apart: a polynomial in the share of h.
static void way_between(const ss_motion_classifier* j, int body, double h, double c[6])
{
    ss_poly_quintic((ss_passage){j->old_x[body], j->old_v[body], j->old_a[body]},
                    (ss_passage){j->x[body], j->v[body], j->a[body]}, h, c);
}

static void keep_sample(ss_motion_classifier* j, double x[], double v[], double a[])
{
    size_t bodies = (size_t)j->model->body_count;
    memcpy(x, ss_sim_x(j->sim), bodies * sizeof(double));
    memcpy(v, ss_sim_v(j->sim), bodies * sizeof(double));
    ss_sim_acceleration(j->sim, j->coordinate_a);
    for (size_t b = 0; b < bodies; b++) a[b] = ss_row_dot(&j->model->bodies[b].row, j->coordinate_a);
}

// The state where the speed of body b passes `level` upwards between the last two samples, which end at t.
static void mark_crossing(ss_motion_classifier* j, int body, double level, double h, double t)
{
    double low = 0.0, high = 1.0, *mark = j->marks.states + (size_t)(j->marks.count++) * (size_t)j->width,
           c[6];
    way_between(j, body, h, c);
    for (int round = 0; round < 50; round++) {
        double s = 0.5 * (low + high);
        *(ss_poly_slope(c, 1, 5, s) / h < level ? &low : &high) = s;
    }
    j->marks.times[j->marks.count - 1] = t - (1.0 - low) * h;
    if (ss_model_is_open(j->model)) return; // its states are not known between samples: it is run again
    for (int b = 0; b < j->model->body_count; b++) { // the old sample becomes the state there
        way_between(j, b, h, c);
        double at = ss_poly_value(c, 1, 5, low), speed = ss_poly_slope(c, 1, 5, low) / h;
        bool driven = j->model->bodies[b].drive >= 0;
        j->old_x[b] = driven ? j->old_x[b] + low * (j->x[b] - j->old_x[b]) : at;
        j->old_v[b] = speed;
    }
    describe(j, j->old_x, j->old_v, mark);
}

// Without events: where the speed that changes most passes its middle.
static ss_status mark_crossings(ss_motion_classifier* j, const ss_motion_start* start, double until,
                                ss_error* err)
{
    int body = -1, best = 0, index = 0;
    for (int b = 0; b < j->model->body_count; b++) {
        if (j->model->bodies[b].drive >= 0) continue;
        if (body < 0 || j->high[index] - j->low[index] > j->high[best] - j->low[best]) {
            body = b;
            best = index;
        }
        index++;
    }
    double level = 0.5 * (j->low[best] + j->high[best]);
    double from = marks_part * until, step = (until - from) / (4 * SAMPLES);
    ss_outcome outcome;
    j->marks.count = 0;
    ss_status status = restart(j, start, err);
    for (int k = 0; k <= 4 * SAMPLES && status == SS_OK && j->marks.count < MOST_MARKS; k++) {
        status = ss_sim_advance(j->sim, from + k * step, &outcome, err);
        keep_sample(j, j->x, j->v, j->a);
        if (k > 0 && j->old_v[body] < level && j->v[body] >= level)
            mark_crossing(j, body, level, step, from + k * step);
        size_t size = (size_t)j->model->body_count * sizeof(double);
        memcpy(j->old_x, j->x, size);
        memcpy(j->old_v, j->v, size);
        memcpy(j->old_a, j->a, size);
    }
    if (status == SS_OK && ss_model_is_open(j->model))
        status = mark_at(j, j->marks.times, j->marks.count, start, err);
    return status;
}

// How far marks k and l are apart, relative to the extent of the motion.
static double apart(const ss_motion_classifier* j, int k, int l)
{
    const double *a = j->marks.states + (size_t)k * (size_t)j->width,
                 *b = j->marks.states + (size_t)l * (size_t)j->width;
    double most = 0.0;
    for (int i = 0; i < j->width; i++) {
        double off = fabs(a[i] - b[i]);
        if (!(off <= most * j->scale[i])) most = j->scale[i] > 0.0 ? off / j->scale[i] : INFINITY;
    }
    return most;
}

// Returns that are still coming nearer to each other may agree after several sooner than after one: the least
// number that divides `back` after which they differ little, and ever less, is the one that is approached.
// Over the last `back` returns, too, they must have come nearer about as fast as over all of them: where they
// have stopped doing so they differ for good, and `back` is what the motion takes.
static int least_returns(const ss_motion_classifier* j, int back)
{
    static const double close = 1e-3, shrinks = 0.1;
    int last = j->marks.count - 1;
    for (int few = 1; few < back && last >= back + few; few++) {
        double now = apart(j, last, last - few), then = apart(j, few, 0),
               before = apart(j, last - back, last - back - few);
        if (back % few != 0 || !(now <= close && now <= shrinks * then)) continue;
        double shrunk = pow(now / then, (double)back / (last - few)); // by so much over `back` returns
        if (now * (1.0 + shrunk) <= 2.0 * shrunk * before) return few;
    }
    return back;
}

// Whether the last marks agree with those some number of returns before; *period: how long that was ago.
static bool marks_repeat(const ss_motion_classifier* j, double* period)
{
    for (int back = 1; back <= MOST_TIMES && back + IN_A_ROW <= j->marks.count; back++) {
        bool all = true;
        for (int k = 1; k <= IN_A_ROW && all; k++)
            all = apart(j, j->marks.count - k, j->marks.count - k - back) <= same;
        if (!all) continue;
        back = least_returns(j, back);
        *period = j->marks.times[j->marks.count - 1] - j->marks.times[j->marks.count - 1 - back];
        return true;
    }
    return false;
}

// ---- the verdict

// One number: weighted extremes of all that describes it over the last part. Motions that have found the same
// attractor agree in it, whatever their phase; others do so by accident only. The weights have no common
// measure, and treat a motion and its mirror image differently.
static double shape_of(const ss_motion_classifier* j)
{
    double shape = 0.0;
    for (int k = 0; k < j->width; k++)
        shape += j->high[k] * sqrt((double)k + 1.0) - j->low[k] * sqrt((double)k + 1.7);
    return shape;
}

ss_status ss_motion_classifier_ask(ss_motion_classifier* j, const ss_motion_start* start, double until,
                                   ss_motion_verdict* out, ss_error* err)
{
    bool there;
    *out = (ss_motion_verdict){.shape = NAN, .period = NAN};
    ss_status status = look(j, start, until, &there, err);
    if (!there || j->changing) return status;
    out->steady = !j->forcing.other && is_steady(j);
    if (!out->steady) {
        set_scales(j, until);
        if (j->forcing.other && isnan(j->forcing.period)) return SS_OK;
        if (j->forcing.other)
            status = mark_periods(j, start, until, err);
        else if (j->event_count > 0)
            status = mark_events(j, start, err);
        else
            status = mark_crossings(j, start, until, err);
        out->repeats = status == SS_OK && marks_repeat(j, &out->period);
    }
    if (out->steady) memcpy(j->low, j->calm_low, (size_t)j->width * sizeof(double));
    if (out->steady) memcpy(j->high, j->calm_high, (size_t)j->width * sizeof(double));
    if (out->steady || out->repeats) out->shape = shape_of(j);
    return status;
}
