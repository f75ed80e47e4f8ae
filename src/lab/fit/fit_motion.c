// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The motion of a model with given numbers, at the moments that were recorded.
#include "lab/fit/fit_impl.h"

#include "core/grow.h"
#include "core/number_length.h"
#include "law/table.h"
#include "model/model_impl.h"
#include "share/model_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What happened to each contact so far, as one number that does not depend on the order in which contacts
// that know nothing of each other had their events.
typedef struct history {
    ss_fit_problem* problem;
    uint64_t sum;
    double* numbers; // of an open model: scratch
    struct contact_history {
        uint64_t sum, count;
    } * contacts;
} history;

// The finaliser of SplitMix64: every bit of the input reaches every bit of the output.
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void keep_event(ss_fit_problem* problem, const ss_event* event)
{
    if (!ss_grow(&problem->log.events, (size_t)problem->log.count, &problem->log.room, sizeof(ss_fit_event)))
        return; // samples near it take part then
    bool impact = event->kind != SS_EVENT_MODE || event->speed_in > 0.0;
    problem->log.events[problem->log.count++] = (ss_fit_event){event->t, impact};
}

static void on_event(void* user, const ss_event* event)
{
    history* h = user;
    struct contact_history* contact = &h->contacts[event->contact];
    uint64_t what = (uint64_t)event->contact << 32 | (uint64_t)(event->side + 1) << 24 |
                    (uint64_t)event->from << 16 | (uint64_t)event->to << 8 | (uint64_t)event->kind;
    h->sum -= contact->sum;
    contact->count++;
    if (event->kind == SS_EVENT_ACCUMULATION)
        contact->sum = mix(what); // how many bounces were counted before their limit means nothing
    else
        contact->sum += mix(what + 0x9e3779b97f4a7c15u * contact->count);
    h->sum += contact->sum;
    if (h->problem->log.wanted) keep_event(h->problem, event);
}

bool ss_fit_keeps_going(ss_fit_problem* problem)
{
    if (problem->effort.interrupted) return false;
    if (problem->def.progress && !problem->def.progress(problem->def.user, problem->effort.fraction))
        problem->effort.interrupted = true;
    return !problem->effort.interrupted;
}

static bool keep_going(void* user, double t)
{
    (void)t;
    ss_fit_problem* problem = ((history*)user)->problem;
    return ++problem->effort.spent <= problem->effort.budget && ss_fit_keeps_going(problem);
}

// Writes the numbers into the document and the sensors. Returns the delay of the clock.
static double assign(ss_fit_problem* problem, const double x[], int recording)
{
    double delay = problem->def.delay;
    for (int c = 0; c < problem->def.trace_count; c++) {
        problem->columns[c].gain = 1.0;
        problem->columns[c].offset = 0.0;
    }
    for (int k = 0; k < problem->known_count; k++) problem->known[k].node->text = problem->known[k].base;
    for (int k = 0; k < problem->known_count; k++)
        if (problem->known[k].recording == recording) problem->known[k].node->text = problem->known[k].text;
    ss_fit_put_inputs(problem, recording);
    for (int j = 0; j < problem->n; j++) {
        ss_fit_binding* binding = &problem->free[j];
        if (binding->recording >= 0 && binding->recording != recording) continue;
        if (binding->role == SS_FIT_DELAY) delay = x[j];
        if (binding->role == SS_FIT_OFFSET) problem->columns[binding->column].offset = x[j];
        if (binding->role == SS_FIT_GAIN) problem->columns[binding->column].gain = x[j];
        if (binding->role != SS_FIT_MODEL) continue;
        ss_number_format(x[j], 17, binding->text, sizeof binding->text);
        binding->node->text = binding->text;
    }
    return delay;
}

// Before the motion began (the clock is late) the bodies go straight on, backwards.
static double position(const ss_fit_column* column, const ss_sim* sim, double t)
{
    double x = ss_sim_x(sim)[column->of.index];
    return t > 0.0 ? x : x + t * ss_sim_v(sim)[column->of.index];
}

// numbers: room for those of ss_sim_numbers; *since: of a mean speed, how long it is taken over.
static double sample(ss_fit_column* column, const ss_sim* sim, double t, bool soft, double numbers[],
                     double* since)
{
    *since = 0.0;
    if (!column->speed && column->of.kind != SS_QUANTITY_X) return ss_quantity_now(column->of, sim, numbers);
    double x = position(column, sim, t);
    if (!column->speed) return x;
    double before_t = column->last_t, before_x = column->last_x;
    column->last_t = t;
    column->last_x = x;
    if (!soft || !(t > before_t)) return ss_sim_v(sim)[column->of.index];
    *since = t - before_t;
    return (x - before_x) / *since;
}

static bool refuse(ss_fit_problem* problem, const char* text)
{
    problem->refusal = (ss_error){.status = SS_BAD_INPUT};
    snprintf(problem->refusal.text, sizeof problem->refusal.text, "%s", text);
    return false;
}

static bool sample_motion(ss_fit_problem* problem, ss_sim* sim, const history* h, double delay, int recording,
                          double values[], uint64_t signs[])
{
    ss_outcome outcome = SS_TIME_REACHED;
    for (int c = 0; c < problem->def.trace_count; c++) problem->columns[c].last_t = NAN;
    for (long i = problem->first[recording]; i < problem->first[recording + 1]; i++) {
        const ss_fit_row* row = &problem->rows[i];
        double t = row->time - delay;
        if (row->time > problem->manner.horizon) break;
        if (!ss_fit_is_seen(problem, i)) continue;
        if (t > 0.0 && outcome == SS_TIME_REACHED &&
            ss_sim_advance(sim, t, &outcome, &problem->refusal) != SS_OK)
            return false;
        if (outcome == SS_ESCAPED || outcome == SS_EVENT_LIMIT || outcome == SS_INTERRUPTED)
            return refuse(problem, outcome == SS_ESCAPED       ? "the motion grows without bound"
                                   : outcome == SS_EVENT_LIMIT ? "the motion has more events than allowed"
                                                               : "the motion takes too many steps");
        ss_fit_column* column = &problem->columns[row->trace];
        double since, raw = sample(column, sim, t, problem->manner.soft, h->numbers, &since);
        values[i] = column->offset + column->gain * raw;
        if (problem->scratch.tangent) ss_fit_tangent_sample(problem->scratch.tangent, sim, i, t, since);
        if (!isfinite(values[i])) return refuse(problem, "the motion grows without bound");
        if (signs) signs[i] = h->sum;
    }
    return true;
}

static int number_count(const ss_model* model)
{
    int count = 0;
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++) count += ss_model_number_count(model, kind);
    return count;
}

static bool run_motion(ss_fit_problem* problem, const ss_model* model, double delay, int recording,
                       double values[], uint64_t signs[])
{
    history h = {.problem = problem};
    h.contacts = calloc((size_t)ss_model_contact_count(model) + 1, sizeof *h.contacts);
    h.numbers = calloc((size_t)number_count(model) + 1, sizeof *h.numbers);
    if (!h.contacts || !h.numbers) {
        free(h.contacts);
        free(h.numbers);
        return refuse(problem, "out of memory");
    }
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = problem->def.tolerance;
    def.max_events = problem->def.max_events;
    def.ledger = false;
    def.on_event = on_event;
    def.keep_going = keep_going;
    def.user = &h;
    ss_sim* sim = NULL;
    ss_fit_tangent* tangent = problem->scratch.tangent;
    bool good = ss_sim_create(model, &def, &sim, &problem->refusal) == SS_OK;
    if (good && tangent) good = ss_fit_tangent_begin(tangent, model, sim, recording, delay);
    if (good) good = sample_motion(problem, sim, &h, delay, recording, values, signs);
    if (tangent) ss_fit_tangent_end(tangent);
    ss_sim_destroy(sim);
    free(h.contacts);
    free(h.numbers);
    problem->effort.motions++;
    return good;
}

bool ss_fit_motion(ss_fit_problem* problem, const double x[], double values[], uint64_t signs[])
{
    bool good = ss_fit_keeps_going(problem);
    problem->effort.spent = 0;
    for (int j = 0; j < problem->n && good; j++)
        if (!isfinite(x[j])) good = refuse(problem, "a number is not finite");
    for (int r = 0; r < problem->def.recording_count && good; r++) {
        if (problem->manner.only >= 0 && problem->manner.only != r) continue;
        double delay = assign(problem, x, r);
        ss_model* model = NULL;
        good = ss_model_create_from_document(problem->document, &model, &problem->refusal) == SS_OK &&
               run_motion(problem, model, delay, r, values, signs);
        ss_model_destroy(model);
    }
    return good;
}

bool ss_fit_model_takes(ss_fit_problem* problem, const double x[])
{
    bool good = true;
    for (int r = 0; r < problem->def.recording_count && good; r++) {
        ss_model* model = NULL;
        assign(problem, x, r);
        good = ss_model_create_from_document(problem->document, &model, &problem->refusal) == SS_OK;
        ss_model_destroy(model);
    }
    return good;
}
