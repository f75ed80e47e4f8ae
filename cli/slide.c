// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slide.h"

#include "command.h"
#include "core/grow.h"
#include "load.h"

#include <stdlib.h>
#include <string.h>

typedef struct mover {
    cli_run run;
    cli_slide* answer;
    ss_slide* slide;
} mover;

// ---- what the motion calls ----

static void on_event(void* user, const ss_slide_event* event)
{
    cli_slide* answer = ((mover*)user)->answer;
    if (ss_grow(&answer->events, answer->event_count, &answer->event_room, sizeof *event))
        answer->events[answer->event_count++] = *event;
    else
        answer->out_of_memory = true;
}

static void on_note(void* user, const ss_note* note)
{
    cli_slide* answer = ((mover*)user)->answer;
    if (!cli_notes_add(&answer->notes, note)) answer->out_of_memory = true;
}

static bool keep_going(void* user, double t) { return cli_run_keep_going(&((mover*)user)->run, t); }

// ---- what the run calls ----

static ss_status advance(void* self, double t, ss_outcome* outcome, ss_error* err)
{
    return ss_slide_advance(((mover*)self)->slide, t, outcome, err);
}

static ss_status advance_to_event(void* self, double t, bool* at_event, ss_outcome* outcome, ss_error* err)
{
    return ss_slide_advance_to_event(((mover*)self)->slide, t, at_event, outcome, err);
}

static ss_outcome conclude(void* self) { return ss_slide_conclude(((mover*)self)->slide); }

static double time_of(const void* self) { return ss_slide_time(((const mover*)self)->slide); }

static ss_trace_row look(void* self, double t)
{
    const mover* mv = self;
    cli_slide_sample* end = &mv->answer->end;
    end->t = t;
    end->state = ss_slide_get_state(mv->slide);
    for (int i = 0; i < ss_slider_support_count(mv->answer->slider); i++)
        end->supports[i] = ss_slide_support(mv->slide, i);
    return (ss_trace_row){.t = t, .slide = &end->state, .supports = end->supports};
}

static bool make_sample(const ss_slider* slider, cli_slide_sample* out)
{
    size_t supports = (size_t)ss_slider_support_count(slider);
    *out = (cli_slide_sample){.supports = calloc(supports + 1, sizeof *out->supports)};
    return out->supports != NULL;
}

static void keep(void* self, const ss_trace_row* row)
{
    cli_slide* a = ((mover*)self)->answer;
    cli_slide_sample sample = {0};
    if (!ss_grow(&a->samples, a->sample_count, &a->sample_room, sizeof sample) ||
        !make_sample(a->slider, &sample)) {
        a->out_of_memory = true;
        return;
    }
    sample.t = row->t;
    sample.state = *row->slide;
    for (int i = 0; i < ss_slider_support_count(a->slider); i++) sample.supports[i] = row->supports[i];
    a->samples[a->sample_count++] = sample;
}

static bool out_of_memory(const void* self) { return ((const mover*)self)->answer->out_of_memory; }

static const cli_mover moving_slider = {advance, advance_to_event, conclude, time_of, look,
                                        keep,    out_of_memory};

// ---- making and ending a run ----

static int make_motion(mover* mv, const ss_slider* slider, const cli_run_def* def)
{
    ss_slide_def slide = ss_slide_def_default();
    slide.tolerance = def->tolerance;
    slide.max_events = def->max_events;
    slide.escape = def->escape;
    slide.on_event = on_event;
    slide.on_note = on_note;
    slide.keep_going = keep_going;
    slide.user = mv;
    ss_error err;
    return ss_slide_create(slider, &slide, &mv->slide, &err) == SS_OK ? CLI_GO_ON
                                                                      : cli_tell_in(def->document, &err);
}

static void go(mover* mv)
{
    cli_slide* a = mv->answer;
    cli_run_go(&mv->run);
    look(mv, ss_slide_time(mv->slide));
    a->outcome = mv->run.outcome;
    a->energy = ss_slide_energy(mv->slide);
    a->has_final = ss_slide_final_motion(mv->slide, &a->final);
}

int cli_slide_run(const cli_run_def* def, const ss_slider* slider, cli_slide* answer)
{
    mover mv = {.answer = answer};
    mv.run = cli_run_begin(def, &moving_slider, &mv);
    *answer = (cli_slide){.slider = slider, .outcome = SS_TIME_REACHED};
    int status = make_sample(slider, &answer->end) ? CLI_GO_ON : CLI_UNFINISHED;
    if (status != CLI_GO_ON) fputs("out of memory\n", stderr);
    if (status == CLI_GO_ON) status = make_motion(&mv, slider, def);
    if (status == CLI_GO_ON) status = cli_run_open(&mv.run, (ss_trace_def){.slider = slider});
    if (status == CLI_GO_ON) {
        go(&mv);
        status = mv.run.status;
    } else {
        answer->slider = NULL;
    }
    cli_run_end(&mv.run);
    ss_slide_destroy(mv.slide);
    return status;
}

void cli_slide_free(cli_slide* slide)
{
    for (size_t k = 0; k < slide->sample_count; k++) free(slide->samples[k].supports);
    free(slide->samples);
    cli_notes_free(&slide->notes);
    free(slide->events);
    free(slide->end.supports);
}
