// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slide.h"

#include "command.h"
#include "lab/trace.h"
#include "load.h"
#include "moments.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// While no moments are asked for, an output file has a row per event, and these are known only once passed: a
// scout runs ahead in this many strides, the run proper follows and stops.
enum { STRIDES = 256 };

typedef struct run {
    const cli_slide_def* def;
    cli_slide *answer, scouted;
    ss_slide *slide, *scout;
    ss_trace* trace;
    cli_progress progress;
    cli_moments moments;
    double row_t; // time of the last row written
    int status;
} run;

// ---- what the motion calls ----

static void keep_event(cli_slide* answer, const ss_slide_event* event)
{
    if (answer->event_count == answer->event_room) {
        size_t room = answer->event_room ? 2 * answer->event_room : 64;
        ss_slide_event* events = realloc(answer->events, room * sizeof *events);
        if (!events) {
            answer->out_of_memory = true;
            return;
        }
        answer->events = events;
        answer->event_room = room;
    }
    answer->events[answer->event_count++] = *event;
}

static void on_event(void* user, const ss_slide_event* event) { keep_event(((run*)user)->answer, event); }
static void on_scouted(void* user, const ss_slide_event* event) { keep_event(&((run*)user)->scouted, event); }

static void on_note(void* user, const ss_note* note)
{
    cli_slide* answer = ((run*)user)->answer;
    size_t bytes = (size_t)note->contact_count * sizeof(int);
    if (answer->note_count == answer->note_room) {
        size_t room = answer->note_room ? 2 * answer->note_room : 16;
        cli_slide_note* notes = realloc(answer->notes, room * sizeof *notes);
        if (notes) {
            answer->notes = notes;
            answer->note_room = room;
        }
    }
    int* supports = malloc(bytes ? bytes : 1);
    if (!supports || answer->note_count == answer->note_room) {
        free(supports);
        answer->out_of_memory = true;
        return;
    }
    memcpy(supports, note->contacts, bytes);
    answer->notes[answer->note_count++] =
        (cli_slide_note){note->t, note->text, supports, note->contact_count};
}

static bool keep_going(void* user, double t)
{
    run* r = user;
    cli_progress_update(&r->progress, r->def->until > 0 ? t / r->def->until : 1);
    return !cli_interrupted() && !r->answer->out_of_memory && !r->scouted.out_of_memory;
}

// ---- looking ----

static void look(const run* r, double t, cli_slide_sample* out)
{
    out->t = t;
    out->state = ss_slide_get_state(r->slide);
    for (int i = 0; i < ss_slider_support_count(r->def->slider); i++)
        out->supports[i] = ss_slide_support(r->slide, i);
}

static bool make_sample(const ss_slider* slider, cli_slide_sample* out)
{
    *out = (cli_slide_sample){.supports =
                                  calloc((size_t)ss_slider_support_count(slider), sizeof *out->supports)};
    return out->supports != NULL;
}

static void keep_sample(run* r, double t)
{
    cli_slide* a = r->answer;
    if (a->sample_count == a->sample_room) {
        size_t room = a->sample_room ? 2 * a->sample_room : 64;
        cli_slide_sample* samples = realloc(a->samples, room * sizeof *samples);
        if (samples) {
            a->samples = samples;
            a->sample_room = room;
        }
    }
    if (a->sample_count == a->sample_room || !make_sample(r->def->slider, &a->samples[a->sample_count])) {
        a->out_of_memory = true;
        return;
    }
    look(r, t, &a->samples[a->sample_count++]);
}

static void tell_output_fault(run* r, const ss_error* err)
{
    cli_progress_end(&r->progress);
    cli_option_fault("--out", r->def->out, "%s", err->text);
    ss_trace_destroy(r->trace);
    r->trace = NULL;
    r->status = CLI_UNFINISHED;
    r->answer->outcome = SS_INTERRUPTED;
}

static void write_row(run* r, double t)
{
    cli_slide_sample* now = &r->answer->end;
    ss_error err;
    if (!r->trace || t <= r->row_t) return;
    look(r, t, now);
    ss_trace_row row = {.t = t, .slide = &now->state, .supports = now->supports};
    r->row_t = t;
    if (ss_trace_add(r->trace, &row, &err) != SS_OK) tell_output_fault(r, &err);
}

// ---- the run ----

// Goes to time t or the end of the motion. True if t was reached, or all rests and the moment t looks as now.
static bool go_to(run* r, double t)
{
    ss_error err;
    if (r->status == CLI_UNFINISHED) return false;
    if (ss_slide_advance(r->slide, t, &r->answer->outcome, &err) != SS_OK) {
        cli_progress_end(&r->progress);
        cli_tell(&err);
        r->status = CLI_UNFINISHED;
        r->answer->outcome = SS_INTERRUPTED;
        return false;
    }
    if (cli_interrupted() && t < r->def->until) r->answer->outcome = SS_INTERRUPTED;
    return r->answer->outcome == SS_AT_REST || r->answer->outcome == SS_TIME_REACHED;
}

static void go_to_end(run* r)
{
    if (go_to(r, r->def->until) && r->answer->outcome == SS_TIME_REACHED)
        r->answer->outcome = ss_slide_conclude(r->slide);
}

static void run_moments(run* r)
{
    for (double t = cli_moments_next(&r->moments); isfinite(t); t = cli_moments_next(&r->moments)) {
        if (!go_to(r, t)) return;
        if (r->def->keep_samples) keep_sample(r, t);
        write_row(r, t);
    }
    go_to_end(r);
}

// Rows at the start, at every event and at the end.
static void run_events(run* r)
{
    size_t passed = 0;
    ss_outcome ahead = SS_TIME_REACHED;
    if (!go_to(r, 0)) return;
    write_row(r, 0);
    for (int k = 1; k <= STRIDES && ahead == SS_TIME_REACHED; k++) {
        double stride = k < STRIDES ? r->def->until * k / STRIDES : r->def->until;
        ss_error err;
        if (ss_slide_advance(r->scout, stride, &ahead, &err) != SS_OK) break; // the run proper meets it too
        for (; passed < r->scouted.event_count; passed++) {
            double t = r->scouted.events[passed].t;
            if (t <= r->row_t) continue;
            if (!go_to(r, t)) return;
            write_row(r, t);
        }
    }
    go_to_end(r);
    write_row(r, ss_slide_time(r->slide));
}

static void finish(run* r)
{
    cli_slide* a = r->answer;
    ss_error err;
    cli_progress_end(&r->progress);
    look(r, ss_slide_time(r->slide), &a->end);
    a->energy = ss_slide_energy(r->slide);
    a->has_final = ss_slide_final_motion(r->slide, &a->final);
    if (a->out_of_memory || r->scouted.out_of_memory) {
        fputs("out of memory\n", stderr);
        r->status = CLI_UNFINISHED;
    }
    if (r->trace && ss_trace_finish(r->trace, ss_outcome_name(a->outcome), &err) != SS_OK)
        tell_output_fault(r, &err);
    if (a->outcome == SS_EVENT_LIMIT || a->outcome == SS_INTERRUPTED) r->status = CLI_UNFINISHED;
}

// ---- making and ending a run ----

static int make_motions(run* r, bool by_events)
{
    const cli_slide_def* def = r->def;
    ss_slide_def slide = ss_slide_def_default();
    slide.tolerance = def->tolerance;
    slide.max_events = def->max_events;
    slide.escape = def->escape;
    slide.on_event = on_event;
    slide.on_note = on_note;
    slide.keep_going = keep_going;
    slide.user = r;
    ss_error err;
    if (ss_slide_create(def->slider, &slide, &r->slide, &err) != SS_OK) return cli_tell(&err);
    slide.on_event = on_scouted;
    slide.on_note = NULL;
    if (!by_events || ss_slide_create(def->slider, &slide, &r->scout, &err) == SS_OK) return CLI_GO_ON;
    return cli_tell(&err);
}

static int make_output(run* r)
{
    if (!r->def->out) return CLI_GO_ON;
    ss_trace_def def = {.path = r->def->out, .slider = r->def->slider, .model_text = r->def->model_text};
    ss_error err;
    ss_status status = ss_trace_create(&def, &r->trace, &err);
    if (status == SS_OK) return CLI_GO_ON;
    cli_option_fault("--out", r->def->out, "%s", err.text);
    return status == SS_BAD_INPUT ? CLI_WRONG : CLI_UNFINISHED;
}

int cli_slide_run(const cli_slide_def* def, cli_slide* answer)
{
    run r = {.def = def,
             .answer = answer,
             .row_t = -1,
             .status = CLI_DONE,
             .moments = {.at = def->at, .every = def->every, .until = def->until}};
    bool by_events = def->out && def->at.count == 0 && !(def->every > 0);
    *answer = (cli_slide){.slider = def->slider, .outcome = SS_TIME_REACHED};
    int status = make_sample(def->slider, &answer->end) ? CLI_GO_ON : CLI_UNFINISHED;
    if (status != CLI_GO_ON) fputs("out of memory\n", stderr);
    if (status == CLI_GO_ON) status = make_motions(&r, by_events);
    if (status == CLI_GO_ON) status = make_output(&r);
    if (status == CLI_GO_ON) {
        r.progress = cli_progress_begin();
        if (by_events)
            run_events(&r);
        else
            run_moments(&r);
        finish(&r);
        status = r.status;
    } else {
        answer->slider = NULL;
    }
    ss_trace_destroy(r.trace);
    ss_slide_destroy(r.scout);
    ss_slide_destroy(r.slide);
    free(r.scouted.events);
    return status;
}

void cli_slide_free(cli_slide* slide)
{
    for (size_t k = 0; k < slide->sample_count; k++) free(slide->samples[k].supports);
    free(slide->samples);
    for (size_t k = 0; k < slide->note_count; k++) free(slide->notes[k].supports);
    free(slide->notes);
    free(slide->events);
    free(slide->end.supports);
}
