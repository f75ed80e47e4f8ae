// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One value of a scan: its model is built and run through the sections.
#include "lab/scan/worker.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "lab/cycle/forcing.h"
#include "model/open_impl.h"
#include "share/model_parts.h"
#include "share/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- creation

static void finish(void* worker)
{
    ss_scan_worker* w = worker;
    if (!w) return;
    void* arrays[] = {w->values, w->numbers, w->held,   w->tallies, w->x,
                      w->v,      w->states,  w->memory, w->z,       w->elements};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) free(arrays[k]);
    ss_sim_destroy(w->sim);
    ss_model_destroy(w->model);
    free(w);
}

static ss_status start(const ss_basin* cells, const atomic_bool* stop, void** out, ss_error* err)
{
    const ss_scan* scan = cells->task.user;
    const ss_model* model = cells->model;
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
    finish(w);
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

bool ss_scan_wants(const ss_scan* scan, ss_measure_kind kind)
{
    for (int k = 0; k < scan->measure_count; k++)
        if (scan->measures[k].kind == kind) return true;
    return false;
}

// Harmonics are those of the inputs, over whole periods of theirs.
static ss_status check_harmonics(const ss_scan* scan, const ss_scan_timing* timing, ss_error* err)
{
    if (!ss_scan_wants(scan, SS_MEASURE_HARMONIC)) return SS_OK;
    if (!(timing->period > 0.0))
        return ss_fail(err, SS_BAD_INPUT, "measure", "harmonic: the inputs have no common period");
    double times = timing->every / timing->period;
    if (scan->section.kind == SS_SECTION_EVENT || fabs(times - nearbyint(times)) > SS_SAME * times)
        return ss_fail(
            err, SS_BAD_INPUT, "measure",
            "harmonic: sections must be whole periods of the inputs (%.9g s); use --section period",
            timing->period);
    return SS_OK;
}

ss_status ss_scan_forcing(const ss_scan* scan, const ss_model* model, ss_scan_timing* out, ss_error* err)
{
    const ss_section* section = &scan->section;
    ss_forcing forcing;
    ss_error ignored;
    ss_forcing_find(model, &forcing, &ignored); // a drive that goes on for ever is welcome here
    *out = (ss_scan_timing){.forced = forcing.forced, .period = forcing.period};
    out->every = section->kind == SS_SECTION_PERIOD ? forcing.period : section->every;
    if (section->kind == SS_SECTION_RUN) {
        double until = isnan(scan->until) ? ss_model_until(model) : scan->until;
        out->every = until / (double)(scan->skip + scan->keep);
        if (!(out->every > 0.0 && isfinite(out->every)))
            return ss_fail(err, SS_BAD_INPUT, "section",
                           "run: the run has no end; give --until, or a section");
    }
    if (section->kind != SS_SECTION_PERIOD || out->every > 0.0) return check_harmonics(scan, out, err);
    return ss_fail(
        err, SS_BAD_INPUT, "section",
        forcing.other ? "the inputs have no common period; give a time, events, or run"
        : forcing.tables
            ? "tables do not repeat; give a time, events, or run"
            : "no input varies in time, so there is no period; give a time, events, or run (all of it)");
}

ss_status ss_scan_begin_run(ss_scan_worker* w, ss_error* err)
{
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = w->scan->cells->tolerance;
    def.max_events = (long)w->scan->cells->max_events;
    def.ledger = ss_scan_wants(w->scan, SS_MEASURE_DISSIPATION);
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
    if (status == SS_OK) status = ss_scan_forcing(w->scan, w->model, &w->timing, err);
    if (status == SS_OK) w->wait = isnan(w->scan->until) ? ss_model_until(w->model) : w->scan->until;
    if (status == SS_OK && w->carried) put_end(w);
    return status == SS_OK ? ss_sim_create(w->model, &def, &w->sim, err) : status;
}

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
    double until = (double)section * w->timing.every;
    const bool never = false;
    ss_status status = SS_OK;
    double from = w->met_t;
    if (!ss_scan_has_rest(w)) {
        status = walk ? ss_walk_to(&w->walk, until, &never, &w->outcome, err)
                      : ss_sim_advance(w->sim, until, &w->outcome, err);
        if (ss_scan_has_rest(w)) from = fmax(from, ss_sim_time(w->sim));
    }
    if (status == SS_OK && walk && ss_scan_has_rest(w)) ss_walk_rest(&w->walk, from, until - from);
    *there = w->outcome == SS_TIME_REACHED || ss_scan_has_rest(w);
    if (*there) w->met_t = until;
    return status;
}

static void note_section(ss_scan_worker* w)
{
    if (w->met + SS_RECENT_SECTIONS > w->scan->skip + w->scan->keep)
        ss_repeat_note(w->recent, w->sim, w->met_t);
}

// One section further.
static ss_status to_next(ss_scan_worker* w, bool walk, bool* there, ss_error* err)
{
    ss_status status = w->scan->section.kind == SS_SECTION_EVENT ? to_event(w, walk, there, err)
                                                                 : to_time(w, w->met + 1, walk, there, err);
    w->met += *there;
    if (status == SS_OK && *there) note_section(w);
    return status;
}

ss_status ss_scan_to_section(ss_scan_worker* w, int64_t section, bool walk, bool* there, ss_error* err)
{
    ss_status status = SS_OK;
    int64_t all = w->scan->skip + w->scan->keep, looked_at = all - SS_RECENT_SECTIONS;
    *there = true;
    // Times that nobody looks at are passed at once.
    if (w->scan->section.kind != SS_SECTION_EVENT && section > w->met && looked_at > w->met) {
        int64_t to = section < looked_at ? section : looked_at;
        status = to_time(w, to, walk, there, err);
        if (*there) w->met = to;
    }
    while (status == SS_OK && *there && w->met < section) status = to_next(w, walk, there, err);
    return status;
}

// A number of the run. At rest the run stands at the time when rest began: what inputs go on to change is not
// known from it.
double ss_scan_number_now(const ss_scan_worker* w, ss_quantity of)
{
    if (of.kind == SS_QUANTITY_TIME) return w->met_t;
    bool changes = ss_quantity_row_at(of.kind)->changes;
    if (ss_scan_has_rest(w) && w->timing.forced && changes) return NAN;
    return ss_quantity_now(of, w->sim, w->numbers) + 0.0; // -0 becomes 0
}

static ss_status run_points(ss_scan_worker* w, double out[], ss_error* err)
{
    const ss_scan* scan = w->scan;
    double* point = out + 1;
    bool there = true;
    ss_status status = ss_scan_to_section(w, scan->skip, false, &there, err);
    out[0] = 0.0;
    for (int64_t k = 1; k <= scan->keep && status == SS_OK && there; k++) {
        status = ss_scan_to_section(w, scan->skip + k, false, &there, err);
        if (status != SS_OK || !there) break;
        for (int i = 0; i < scan->show_count; i++) *point++ = ss_scan_number_now(w, scan->show[i]);
        out[0] += 1.0;
    }
    return status;
}

// ---- blocks

static void forget(ss_scan_worker* w)
{
    ss_repeat_destroy(w->repeat);
    ss_repeat_destroy(w->recent);
    ss_lyapunov_destroy(w->tangent);
    w->repeat = w->recent = NULL;
    w->tangent = NULL;
}

static ss_status run_cell(ss_scan_worker* w, int64_t cell, double out[], unsigned char* fate, ss_error* err)
{
    const ss_scan* scan = w->scan;
    ss_basin_coordinates(scan->cells, cell, w->values);
    memset(out, 0, (size_t)ss_scan_width(scan) * sizeof *out);
    ss_status status = ss_scan_begin_run(w, err);
    if (status == SS_OK) status = ss_repeat_create(w->model, SS_RECENT_SECTIONS, &w->recent, err);
    if (status == SS_OK)
        status = scan->measure_count > 0 ? ss_scan_measure(w, out, err) : run_points(w, out, err);
    bool settled = status == SS_OK && ss_repeat_settles(w->recent);
    forget(w);
    if (status != SS_OK) return ss_basin_name_fault(scan->cells, w->values, status, err);
    *fate = (unsigned char)(w->outcome == SS_AT_REST   ? SS_FATE_REST
                            : w->outcome == SS_ESCAPED ? SS_FATE_ESCAPED
                                                       : SS_FATE_MOVING);
    if (w->outcome == SS_EVENT_LIMIT) *fate |= SS_CELL_LIMITED;
    if (w->met < scan->skip + scan->keep) *fate |= SS_CELL_SHORT;
    if (w->met == scan->skip + scan->keep && settled) *fate |= SS_CELL_SETTLED;
    // What has escaped is nowhere to start from: the next motion starts where the model says.
    w->carried = false;
    if (scan->carry != SS_CARRY_NONE && w->outcome != SS_ESCAPED) keep_end(w);
    return SS_OK;
}

static ss_status compute(void* worker, int64_t block, void* payload, ss_error* err)
{
    ss_scan_worker* w = worker;
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

ss_sweep_task ss_scan_task(const ss_scan* scan)
{
    // Values that start where the last one ended are one piece of work.
    return (ss_sweep_task){.user = scan,
                           .numbers = (size_t)ss_scan_width(scan),
                           .together = scan->carry != SS_CARRY_NONE ? scan->cells->axes[0].count : 0,
                           .start = start,
                           .compute = compute,
                           .finish = finish,
                           .ask = ss_scan_write_question};
}
