// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One value of a scan: its model is built and run through the sections.
#include "lab/scan/scan.h"

#include "core/error.h"
#include "lab/cycle/rhythm.h"
#include "model/open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ss_scan_worker {
    const ss_scan* scan;
    const atomic_bool* stop;
    double* values; // axes of the present cell
    // of the present model
    ss_model* model;
    ss_sim* sim;
    double every, wait; // s: between sections that are times; for an event of the section
    bool forced;        // some input varies in time
    int64_t met;        // sections passed
    double met_t;       // s: the last
    bool hit;           // an event of the section was passed
    ss_outcome outcome;
    ss_walk walk;
    ss_repeat* repeat;
    double *numbers, *held;
    ss_tally* tallies;
    // the end of the last motion, from which the next one starts
    bool carried;
    double *x, *v, *states, *memory, *z, *elements;
};

// ---- creation

void ss_scan_worker_destroy(ss_scan_worker* w)
{
    if (!w) return;
    void* arrays[] = {w->values, w->numbers, w->held,   w->tallies, w->x,
                      w->v,      w->states,  w->memory, w->z,       w->elements};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) free(arrays[k]);
    ss_sim_destroy(w->sim);
    ss_model_destroy(w->model);
    free(w);
}

ss_status ss_scan_worker_create(const ss_scan* scan, const atomic_bool* stop, ss_scan_worker** out,
                                ss_error* err)
{
    const ss_model* model = scan->cells->model;
    ss_scan_worker* w = *out = ss_new(1, sizeof *w);
    if (!w) return ss_fail_no_memory(err);
    size_t bodies = (size_t)model->body_count, contacts = (size_t)model->contact_count, elements = 0;
    for (int i = 0; i < model->contact_count; i++) elements += (size_t)ss_model_contact_elements(model, i);
    w->scan = scan;
    w->stop = stop;
    double** arrays[] = {&w->values, &w->numbers, &w->held, &w->x,       &w->v,
                         &w->states, &w->memory,  &w->z,    &w->elements};
    size_t numbers = (size_t)scan->numbers;
    size_t sizes[] = {(size_t)scan->cells->axis_count,
                      numbers,
                      contacts,
                      bodies,
                      bodies,
                      numbers,
                      numbers,
                      contacts,
                      elements};
    bool fine = (w->tallies = ss_new((size_t)scan->measure_count, sizeof *w->tallies));
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        fine = (*arrays[k] = ss_new(sizes[k], sizeof(double))) && fine;
    if (fine) return SS_OK;
    ss_scan_worker_destroy(w);
    *out = NULL;
    return ss_fail_no_memory(err);
}

// ---- from one value to the next

static void keep_end(ss_scan_worker* w)
{
    const ss_model* model = w->model;
    double* elements = w->elements;
    memcpy(w->x, ss_sim_x(w->sim), (size_t)model->body_count * sizeof *w->x);
    memcpy(w->v, ss_sim_v(w->sim), (size_t)model->body_count * sizeof *w->v);
    if (model->open) {
        memcpy(w->states, ss_sim_states(w->sim), (size_t)model->open->state_count * sizeof *w->states);
        memcpy(w->memory, ss_sim_memory(w->sim), (size_t)model->open->memory_count * sizeof *w->memory);
    }
    for (int i = 0; i < model->contact_count; i++) {
        w->z[i] = ss_sim_contact(w->sim, i).z;
        elements += ss_sim_deflections(w->sim, i, elements);
    }
    w->carried = true;
}

// The model's own start becomes the end that was kept. Bodies whose place is given start there; those whose
// speed is given go on from where they were: a spring may be tied to them.
static void put_end(ss_scan_worker* w)
{
    ss_model* model = w->model;
    double* elements = w->elements;
    for (int b = 0; b < model->body_count; b++) {
        int drive = model->bodies[b].drive;
        if (drive < 0 || model->drives[drive].is_speed) model->bodies[b].start_x = w->x[b];
        if (drive < 0) model->bodies[b].start_v = w->v[b];
    }
    for (int k = 0; model->open && k < model->open->state_count; k++)
        model->open->states[k].start = w->states[k];
    for (int k = 0; model->open && k < model->open->memory_count; k++)
        model->open->memory[k].value = w->memory[k];
    for (int i = 0; i < model->contact_count; i++) {
        ss_bristle_start* start = &model->contacts[i].start;
        int count = ss_model_contact_elements(model, i);
        if (!ss_has_bristles(&model->contacts[i])) continue;
        *start = (ss_bristle_start){.z = count > 0 ? NAN : w->z[i], .saturation = NAN};
        if (count > 0) start->elements = elements;
        elements += count;
    }
}

// ---- the run

static void on_event(void* user, const ss_event* event)
{
    ss_scan_worker* w = user;
    if (w->scan->section.kind != SS_SECTION_EVENT || !ss_section_is_met(&w->scan->section, event)) return;
    w->hit = true;
    w->met_t = event->t;
}

static bool keep_going(void* user, double t)
{
    (void)t;
    return !atomic_load(((const ss_scan_worker*)user)->stop);
}

static bool wants(const ss_scan* scan, ss_measure_kind kind)
{
    for (int k = 0; k < scan->measure_count; k++)
        if (scan->measures[k].kind == kind) return true;
    return false;
}

ss_status ss_scan_rhythm(const ss_scan* scan, const ss_model* model, double* every, bool* forced,
                         ss_error* err)
{
    const ss_section* section = &scan->section;
    ss_rhythm rhythm;
    ss_error ignored;
    ss_rhythm_find(model, &rhythm, &ignored); // a drive that goes on for ever is welcome here
    if (forced) *forced = rhythm.forced;
    *every = section->kind == SS_SECTION_PERIOD ? rhythm.period : section->every;
    if (section->kind != SS_SECTION_PERIOD || *every > 0.0) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, "section",
                   rhythm.other ? "the inputs have no common period; give a time, or events"
                   : rhythm.tables
                       ? "tables do not repeat; give a time, or events"
                       : "no input varies in time, so there is no period; give a time, or events");
}

static ss_status make_run(ss_scan_worker* w, ss_error* err)
{
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = w->scan->cells->tolerance;
    def.max_events = (long)w->scan->cells->max_events;
    def.ledger = wants(w->scan, SS_MEASURE_DISSIPATION);
    def.on_event = on_event;
    def.keep_going = keep_going;
    def.user = w;
    w->met = 0;
    w->met_t = 0.0;
    w->hit = false;
    w->outcome = SS_TIME_REACHED;
    ss_sim_destroy(w->sim);
    ss_model_destroy(w->model);
    w->sim = NULL;
    w->model = NULL;
    ss_status status = ss_basin_build_whole(w->scan->cells, w->values, &w->model, err);
    if (status == SS_OK) status = ss_scan_rhythm(w->scan, w->model, &w->every, &w->forced, err);
    if (status == SS_OK) w->wait = isnan(w->scan->until) ? ss_model_until(w->model) : w->scan->until;
    if (status == SS_OK && w->carried) put_end(w);
    return status == SS_OK ? ss_sim_create(w->model, &def, &w->sim, err) : status;
}

static bool has_rest(const ss_scan_worker* w) { return w->outcome == SS_AT_REST; }

// Whether the run is at the next section; false where it will not come there.
static ss_status to_event(ss_scan_worker* w, bool walk, bool* there, ss_error* err)
{
    double until = w->met_t + w->wait;
    ss_status status = SS_OK;
    w->hit = false;
    while (status == SS_OK && !w->hit && w->outcome == SS_TIME_REACHED && ss_sim_time(w->sim) < until) {
        bool at_event;
        status = walk ? ss_walk_to(&w->walk, until, &w->hit, &w->outcome, err)
                      : ss_sim_advance_to_event(w->sim, until, &at_event, &w->outcome, err);
    }
    *there = w->hit;
    return status;
}

static ss_status to_time(ss_scan_worker* w, int64_t section, bool walk, bool* there, ss_error* err)
{
    double until = (double)section * w->every;
    const bool never = false;
    ss_status status = SS_OK;
    double from = w->met_t;
    if (!has_rest(w)) {
        status = walk ? ss_walk_to(&w->walk, until, &never, &w->outcome, err)
                      : ss_sim_advance(w->sim, until, &w->outcome, err);
        if (has_rest(w)) from = fmax(from, ss_sim_time(w->sim));
    }
    if (status == SS_OK && walk && has_rest(w)) ss_walk_rest(&w->walk, until - from);
    *there = w->outcome == SS_TIME_REACHED || has_rest(w);
    if (*there) w->met_t = until;
    return status;
}

// Goes to a section, all before it included.
static ss_status to_section(ss_scan_worker* w, int64_t section, bool walk, bool* there, ss_error* err)
{
    ss_status status = SS_OK;
    *there = true;
    if (w->scan->section.kind != SS_SECTION_EVENT) {
        status = section > w->met ? to_time(w, section, walk, there, err) : SS_OK;
        if (*there) w->met = section;
    }
    for (; status == SS_OK && *there && w->met < section; w->met += *there)
        status = to_event(w, walk, there, err);
    return status;
}

// A number of the run. At rest the run stands at the time when rest began: what inputs go on to change is not
// known from it.
static double number_now(const ss_scan_worker* w, ss_quantity of)
{
    if (of.kind == SS_QUANTITY_TIME) return w->met_t;
    bool changes = of.kind == SS_QUANTITY_FORCE || of.kind == SS_QUANTITY_NUMBER;
    if (has_rest(w) && w->forced && changes) return NAN;
    return ss_quantity_now(of, w->sim, w->numbers) + 0.0; // -0 becomes 0
}

static ss_status run_points(ss_scan_worker* w, double out[], ss_error* err)
{
    const ss_scan* scan = w->scan;
    double* point = out + 1;
    bool there = true;
    ss_status status = to_section(w, scan->skip, false, &there, err);
    out[0] = 0.0;
    for (int64_t k = 1; k <= scan->keep && status == SS_OK && there; k++) {
        status = to_section(w, scan->skip + k, false, &there, err);
        if (status != SS_OK || !there) break;
        for (int i = 0; i < scan->show_count; i++) *point++ = number_now(w, scan->show[i]);
        out[0] += 1.0;
    }
    return status;
}

// ---- measures

static double lost(const ss_sim* sim)
{
    ss_energy e = ss_sim_energy(sim);
    return e.friction + e.damping + e.impact;
}

static void begin_walk(ss_scan_worker* w)
{
    const ss_scan* scan = w->scan;
    w->walk = (ss_walk){w->sim, w->tallies, 0, w->numbers, w->held, ss_model_contact_count(w->model)};
    memset(w->held, 0, (size_t)w->model->contact_count * sizeof *w->held);
    for (int k = 0; k < scan->measure_count; k++) {
        ss_measure_kind kind = scan->measures[k].kind;
        bool integrals = kind == SS_MEASURE_MEAN || kind == SS_MEASURE_RMS;
        bool extremes = kind == SS_MEASURE_AMPLITUDE || kind == SS_MEASURE_MAX || kind == SS_MEASURE_MIN;
        if (!integrals && !extremes) continue;
        w->tallies[w->walk.count++] = (ss_tally){.of = scan->measures[k].of,
                                                 .integrals = integrals,
                                                 .extremes = extremes,
                                                 .low = INFINITY,
                                                 .high = -INFINITY};
    }
}

static double conclude_tally(const ss_tally* tally, ss_measure_kind kind, double time)
{
    switch (kind) {
    case SS_MEASURE_AMPLITUDE: return 0.5 * (tally->high - tally->low);
    case SS_MEASURE_MEAN: return tally->sum / time;
    case SS_MEASURE_RMS: return sqrt(tally->square / time);
    case SS_MEASURE_MAX: return tally->high;
    case SS_MEASURE_MIN: return tally->low;
    default: return NAN;
    }
}

static void conclude(const ss_scan_worker* w, double from, double lost_before, double out[])
{
    const ss_scan* scan = w->scan;
    const ss_tally* tally = w->tallies;
    double time = w->met_t - from;
    for (int k = 0; k < scan->measure_count; k++) {
        const ss_measure* measure = &scan->measures[k];
        bool changes = measure->of.kind == SS_QUANTITY_FORCE || measure->of.kind == SS_QUANTITY_NUMBER;
        switch (measure->kind) {
        case SS_MEASURE_PERIOD: out[k] = has_rest(w) ? NAN : ss_repeat_period(w->repeat); break;
        case SS_MEASURE_DISSIPATION: out[k] = lost(w->sim) - lost_before; break;
        case SS_MEASURE_STICK_SHARE: out[k] = w->held[measure->contact] / time; break;
        default:
            out[k] = has_rest(w) && w->forced && changes ? NAN : conclude_tally(tally, measure->kind, time);
            tally++;
        }
        out[k] += 0.0; // -0 becomes 0
    }
}

static ss_status run_measures(ss_scan_worker* w, double out[], ss_error* err)
{
    const ss_scan* scan = w->scan;
    bool there = true;
    for (int k = 0; k < scan->measure_count; k++) out[k] = NAN;
    ss_status status = to_section(w, scan->skip, false, &there, err);
    if (status == SS_OK) status = ss_repeat_create(w->model, scan->keep, &w->repeat, err);
    if (status != SS_OK || !there) return status;
    double from = w->met_t, before = wants(scan, SS_MEASURE_DISSIPATION) ? lost(w->sim) : 0.0;
    begin_walk(w);
    bool notes = wants(scan, SS_MEASURE_PERIOD);
    if (notes) ss_repeat_note(w->repeat, w->sim, w->met_t);
    for (int64_t k = 1; k <= scan->keep && status == SS_OK && there; k++) {
        status = to_section(w, scan->skip + k, true, &there, err);
        if (status == SS_OK && there && notes) ss_repeat_note(w->repeat, w->sim, w->met_t);
    }
    if (status == SS_OK && there) conclude(w, from, before, out);
    return status;
}

// ---- blocks

static ss_status run_cell(ss_scan_worker* w, int64_t cell, double out[], unsigned char* fate, ss_error* err)
{
    const ss_scan* scan = w->scan;
    ss_basin_coordinates(scan->cells, cell, w->values);
    memset(out, 0, (size_t)ss_scan_width(scan) * sizeof *out);
    ss_status status = make_run(w, err);
    if (status == SS_OK)
        status = scan->measure_count > 0 ? run_measures(w, out, err) : run_points(w, out, err);
    ss_repeat_destroy(w->repeat);
    w->repeat = NULL;
    if (status != SS_OK) return ss_basin_blame(scan->cells, w->values, status, err);
    *fate = (unsigned char)(w->outcome == SS_AT_REST   ? SS_FATE_REST
                            : w->outcome == SS_ESCAPED ? SS_FATE_ESCAPED
                                                       : SS_FATE_MOVING);
    if (w->outcome == SS_EVENT_LIMIT) *fate |= SS_CELL_LIMITED;
    if (w->met < scan->skip + scan->keep) *fate |= SS_CELL_SHORT;
    // What has escaped is nowhere to start from: the next motion starts where the model says.
    w->carried = false;
    if (scan->carry != SS_CARRY_NONE && w->outcome != SS_ESCAPED) keep_end(w);
    return SS_OK;
}

ss_status ss_scan_worker_compute(ss_scan_worker* w, int64_t block, void* payload, ss_error* err)
{
    const ss_basin* cells = w->scan->cells;
    int64_t first = ss_basin_block_first(cells, block), count = ss_basin_block_count(cells, block);
    int64_t width = ss_scan_width(w->scan);
    double* out = payload;
    unsigned char* fates = (unsigned char*)(out + count * width);
    const ss_basin_axis* axis = &cells->axes[0];
    bool backwards =
        w->scan->carry != SS_CARRY_NONE && (w->scan->carry == SS_CARRY_UP) != (axis->to >= axis->from);
    ss_status status = SS_OK;
    w->carried = false;
    for (int64_t i = 0; i < count && status == SS_OK && !atomic_load(w->stop); i++) {
        int64_t k = backwards ? count - 1 - i : i;
        status = run_cell(w, first + k, out + k * width, &fates[k], err);
    }
    return status;
}
