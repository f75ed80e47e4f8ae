// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick simulate MODEL: one motion.
#include "base/print_answer.h"
#include "command.h"
#include "command/run.h"
#include "command/simulate_page.h"
#include "command/simulate_plot.h"
#include "share/model_parts.h"
#include "share/slider_parts.h"
#include "slipstick/file.h"
#include "text/motion_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_common common;
    double until; // NaN: as the model says
    cli_times at;
    double every;  // 0: none
    double escape; // infinite: none
    const char* out;
    cli_texts derivative; // lists of paths, by commas
    bool through_rounding;
    cli_motion_plot plot;
} settings;

static const ss_dimension time_dimension = {.s = 1}, length_dimension = {.m = 1};

// clang-format off
static int parse(settings* s, const cli_line* line)
{
    const cli_option options[] = {
        {.name = "--until", .value = "T", .kind = CLI_QUANTITY, .target = &s->until, .most = INFINITY,
         .dimension = time_dimension,
         .help = "end of the run, such as \"20 ms\" (default: run.until of the model)"},
        {.name = "--at", .value = "t1,t2,..", .kind = CLI_TIMES, .target = &s->at, .most = INFINITY,
         .dimension = time_dimension,
         .help = "tell the state at these times; without --until the run lasts to the last"},
        {.name = "--every", .value = "DT", .kind = CLI_QUANTITY, .target = &s->every, .most = INFINITY,
         .exclusive = true, .dimension = time_dimension,
         .help = "tell the state at 0, DT, 2 DT, .. up to the end"},
        {.name = "--escape", .value = "R", .kind = CLI_QUANTITY, .target = &s->escape, .most = INFINITY,
         .exclusive = true, .dimension = length_dimension, .dimensionless = true,
         .help = "end where some body is further than R from its start"},
        {.name = "--out", .value = "FILE", .kind = CLI_TEXT, .target = &s->out,
         .help = "write these times to FILE.csv, .h5 or .mat (without --at and --every: every event);\n"
                 "                         a new .h5 can be read meanwhile, an older one stays until the end"},
        {.name = "--derivative", .value = "PATH,..", .kind = CLI_TEXTS, .target = &s->derivative,
         .help = "how the motion changes with these numbers: parameters.mu,block.v"},
        {.name = "--through-rounding", .kind = CLI_FLAG, .target = &s->through_rounding,
         .help = "with --derivative: pass round, floor and ceil of sampled controllers as if they were\n"
                 "                         not there; they cut the feedback otherwise"},
        CLI_PLOT_OPTIONS(&s->plot.options, "a picture as FILE.svg, .png or .pdf, or as FILE.html a page to play"),
        CLI_VIEW_OPTION(&s->plot.options, "time phase loop impact law path surface sphere",
                        "what to draw: time (default), phase[:BODY], loop[:CONTACT,..], impact[:CONTACT],\n"
                        "                         law[:CONTACT]; of a slider: path (default), time, surface, sphere"),
        {.name = "--show", .value = "NAME,..", .kind = CLI_TEXTS, .target = &s->plot.show,
         .help = "in the picture over time: block.x, block.v, floor.force, states, signals"},
        {.name = "--from", .value = "T", .kind = CLI_QUANTITY, .target = &s->plot.from, .most = INFINITY,
         .dimension = time_dimension, .help = "draw from T on"},
        {.name = "--to", .value = "T", .kind = CLI_QUANTITY, .target = &s->plot.to, .most = INFINITY,
         .exclusive = true, .dimension = time_dimension, .help = "draw up to T"},
        {.name = "--also", .value = "PATH=VALUE,..", .kind = CLI_TEXTS, .target = &s->plot.also,
         .help = "draw the motion with these changes, too, as often as wanted: block.x=2,contacts.floor.friction=1"},
        CLI_COMMON_OPTIONS(&s->common),
    };
    static const char about[] =
        "Computes one motion: how it moves, every event, and whether it comes to rest. Ctrl-C ends it with\n"
        "what was computed (outcome \"interrupted\", exit status 3).";
    return cli_parse_model("simulate", about, options, sizeof options / sizeof options[0], &s->common, line);
}
// clang-format on

// The end of the run, where model and options agree on one.
static int choose_until(settings* s, const cli_loaded* loaded)
{
    double last = s->at.count > 0 ? s->at.items[s->at.count - 1] : 0;
    if (isnan(s->until)) {
        s->until =
            fmax(loaded->slider ? ss_slider_until(loaded->slider) : ss_model_until(loaded->model), last);
        return CLI_GO_ON;
    }
    char text[32];
    snprintf(text, sizeof text, "%g s", last);
    if (last > s->until * (1 + 1e-12))
        return cli_option_fault("--at", text, "after the end of the run (--until %g s)", s->until);
    for (int k = 0; k < s->at.count; k++) s->at.items[k] = fmin(s->at.items[k], s->until); // rounding
    return CLI_GO_ON;
}

static int check_options(const settings* s)
{
    if (s->out && !ss_trace_knows(s->out))
        return cli_option_fault("--out", s->out, "the name must end in .csv, .h5 or .mat");
    if (s->through_rounding && s->derivative.count == 0)
        return cli_option_fault("--through-rounding", NULL, "goes with --derivative");
    return CLI_GO_ON;
}

static int check_samples(const settings* s)
{
    char text[32];
    snprintf(text, sizeof text, "%g s", s->every);
    if (s->every > 0 && s->until / s->every > 1e9)
        return cli_option_fault("--every", text, "more than 1e9 times until t = %g s", s->until);
    return CLI_GO_ON;
}

// Tells what was computed, whether it is all or not.
static int report(const settings* s, const ss_motion* motion)
{
    if (s->common.json) {
        ss_answer* answer = NULL;
        ss_error err;
        return cli_answer(&s->common, ss_answer_motion(motion, &answer, &err), &answer, &err);
    }
    (motion->slider ? cli_slide_report : cli_report)(motion, stdout);
    return CLI_DONE;
}

// Pictures come before the answer: whoever reads it may close the pipe.
static int simulate(const settings* s, const cli_run_def* def)
{
    ss_motion* motion;
    int status = cli_run(def, &motion);
    if (status == CLI_DONE && cli_page_wanted(&s->plot.options))
        status = cli_page_write(&s->plot.options, &s->common, def->loaded->document, motion);
    else if (status == CLI_DONE && s->plot.options.path)
        status = cli_motion_plot_draw(&s->plot, def, motion);
    int told = motion ? report(s, motion) : CLI_DONE;
    ss_motion_destroy(motion);
    return status == CLI_DONE ? told : status;
}

// ---- directions

// The numbers of --derivative.
typedef struct directions {
    ss_path_direction** paths;
    ss_direction* shown;
    int count;
} directions;

static void free_directions(directions* d)
{
    for (int k = 0; k < d->count; k++) ss_path_direction_destroy(d->paths[k]);
    free(d->paths);
    free(d->shown);
}

static int add_direction(const settings* s, const cli_loaded* loaded, const char* path, directions* out)
{
    ss_error err;
    for (int k = 0; k < out->count; k++)
        if (strcmp(out->shown[k].name, path) == 0)
            return cli_option_fault("--derivative", path, "is given twice");
    if (ss_path_direction_create(loaded->document, loaded->model, path, s->until, &out->paths[out->count],
                                 &err) != SS_OK)
        return err.status == SS_NO_MEMORY ? cli_print_error(&err)
                                          : cli_option_error("--derivative", path, &err);
    out->shown[out->count] = *ss_path_direction_get(out->paths[out->count]);
    out->shown[out->count].through_rounding = s->through_rounding;
    out->count++;
    return CLI_GO_ON;
}

// Those of one list PATH,PATH,..
static int add_directions(const settings* s, const cli_loaded* loaded, const char* list, directions* out)
{
    char* text = malloc(strlen(list) + 1);
    int status = text ? CLI_GO_ON : cli_no_memory();
    if (text) memcpy(text, list, strlen(list) + 1);
    for (char *path = text, *comma; status == CLI_GO_ON && path; path = comma ? comma + 1 : NULL) {
        comma = strchr(path, ',');
        if (comma) *comma = '\0';
        path += strspn(path, " ");
        if (*path == '\0') status = cli_option_fault("--derivative", list, "a path is missing");
        if (status == CLI_GO_ON) status = add_direction(s, loaded, path, out);
    }
    free(text);
    return status;
}

static int make_directions(const settings* s, const cli_loaded* loaded, directions* out)
{
    const cli_texts* lists = &s->derivative;
    size_t room = 1;
    if (lists->count == 0) return CLI_GO_ON;
    if (loaded->slider) return cli_option_fault("--derivative", lists->items[0], "is not for sliders");
    for (int k = 0; k < lists->count; k++) room += strlen(lists->items[k]) + 1; // as many paths at most
    out->paths = calloc(room, sizeof *out->paths);
    out->shown = calloc(room, sizeof *out->shown);
    int status = out->paths && out->shown ? CLI_GO_ON : cli_no_memory();
    for (int k = 0; k < lists->count && status == CLI_GO_ON; k++)
        status = add_directions(s, loaded, lists->items[k], out);
    return status;
}

static int run_loaded(const settings* s, const cli_loaded* loaded, const directions* by)
{
    char* model_text = NULL;
    char made[CLI_MADE_LINE];
    int status = s->out ? cli_model_text(s->common.model, &s->common.set, &model_text) : CLI_GO_ON;
    if (status != CLI_GO_ON) return status;
    cli_run_def def = {.loaded = loaded,
                       .until = s->until,
                       .at = s->at,
                       .every = s->every,
                       .escape = s->escape,
                       .tolerance = s->common.tolerance,
                       .max_events = s->common.max_events,
                       .keep_samples = s->common.json || !s->out,
                       .directions = by->shown,
                       .direction_count = by->count,
                       .sketch = s->plot.options.path != NULL,
                       .sketch_from = s->plot.from,
                       .sketch_to = s->plot.to,
                       .out = s->out,
                       .model_text = model_text,
                       .made = cli_made_line(&s->common, made)};
    status = simulate(s, &def);
    free(model_text);
    return status;
}

static int run(const cli_line* line)
{
    settings s = {.common = cli_common_default(), .until = NAN, .escape = INFINITY};
    cli_loaded loaded = {0};
    directions by = {0};
    int status = parse(&s, line);
    bool page = status == CLI_GO_ON && cli_page_wanted(&s.plot.options);
    if (page)
        status = cli_page_check(&s.plot.options, &s.plot.also);
    else if (status == CLI_GO_ON)
        status = cli_plot_sheet(&s.plot.options, &s.common, &s.plot.sheet);
    if (status == CLI_GO_ON) status = check_options(&s);
    if (status == CLI_GO_ON) status = cli_load_any(s.common.model, &s.common.set, &loaded);
    if (status == CLI_GO_ON && !page) status = cli_motion_plot_check(&s.plot, &loaded);
    if (status == CLI_GO_ON) status = choose_until(&s, &loaded);
    if (status == CLI_GO_ON) status = check_samples(&s);
    if (status == CLI_GO_ON) status = make_directions(&s, &loaded, &by);
    if (status == CLI_GO_ON) status = run_loaded(&s, &loaded, &by);
    free_directions(&by);
    cli_unload(&loaded);
    free(s.at.items);
    free(s.plot.also.items);
    free(s.plot.show.items);
    free(s.derivative.items);
    cli_common_free(&s.common);
    return status;
}

const cli_command cli_simulate = {"simulate", "one motion: states, events, energy, whether it comes to rest",
                                  run};
