// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick cycle MODEL: a periodic motion, its period, size and multipliers.
#include "base/memory.h"
#include "base/print_answer.h"
#include "base/progress.h"
#include "command.h"
#include "command/cycle_orbit.h"
#include "option/load.h"
#include "option/options.h"
#include "slipstick/lab.h"
#include "text/cycle_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_common common;
    cli_texts near;
    double until, period; // NaN: as the model says
    cli_orbit orbit;
} settings;

static const ss_dimension time_dimension = {.s = 1};

// clang-format off
static int parse(settings* s, const cli_line* line)
{
    const cli_option options[] = {
        {.name = "--near", .value = "PATH=VALUE", .kind = CLI_TEXTS, .target = &s->near,
         .help = "where a cycle is, stable or not, as often as wanted: block.x=2.6 (default: what the motion comes to)"},
        {.name = "--period", .value = "T", .kind = CLI_QUANTITY, .target = &s->period, .most = INFINITY,
         .exclusive = true, .dimension = time_dimension,
         .help = "forced: after which time it is to repeat, a multiple of the inputs' period; else a first guess"},
        {.name = "--until", .value = "T", .kind = CLI_QUANTITY, .target = &s->until, .most = INFINITY,
         .exclusive = true, .dimension = time_dimension,
         .help = "how long a motion may take to come near a cycle (default: run.until of the model)"},
        {.name = "--out", .value = "FILE", .kind = CLI_TEXT, .target = &s->orbit.out,
         .help = "write one period to FILE.csv, .h5 or .mat"},
        CLI_PLOT_OPTIONS(&s->orbit.plot.options, "a picture of one period as FILE.svg, FILE.png or FILE.pdf"),
        CLI_VIEW_OPTION(&s->orbit.plot.options, "phase time loop impact",
                        "what to draw: phase[:BODY] (default), time, loop[:CONTACT], impact[:CONTACT]"),
        CLI_COMMON_OPTIONS(&s->common),
    };
    static const char about[] =
        "Finds a motion that repeats, stable or unstable, near a start: its period, its size, and by its Floquet\n"
        "multipliers whether neighbours come nearer. Exit status 3 where none is found.";
    return cli_parse_model("cycle", about, options, sizeof options / sizeof options[0], &s->common, line);
}
// clang-format on

static int report(const settings* s, const ss_model* model, const ss_cycle* cycle)
{
    ss_answer* answer = NULL;
    ss_error err;
    if (s->common.json)
        return cli_answer(&s->common, ss_answer_cycle(model, cycle, &answer, &err), &answer, &err);
    return cli_cycle_text(model, cycle, stdout) ? CLI_DONE : cli_no_memory();
}

typedef struct wanted {
    const ss_model* model;
    const ss_cycle_def* def;
    ss_cycle* cycle;
} wanted;

static ss_status find_cycle(void* data, ss_error* err)
{
    wanted* w = data;
    return ss_cycle_find(w->model, w->def, &w->cycle, err);
}

static bool on_progress(void* user, double fraction)
{
    cli_progress_update(user, fraction);
    return !cli_interrupted();
}

// A fault of the period is one of the option that gave it.
static void name_option(const settings* s, ss_error* err)
{
    if (strcmp(err->field, "period") != 0) return;
    snprintf(err->origin, sizeof err->origin, "--period %.9g s", s->period);
    err->field[0] = '\0';
    err->line = 0;
}

static int find(const settings* s, const cli_loaded* loaded)
{
    ss_cycle_def def = ss_cycle_def_default();
    wanted w = {.model = loaded->model, .def = &def};
    ss_error err;
    def.period = s->period;
    def.until = s->until;
    def.near = s->near.count > 0;
    def.tolerance = fmin(def.tolerance, s->common.tolerance);
    def.max_events = s->common.max_events;
    cli_progress progress = cli_progress_begin();
    def.progress = on_progress;
    def.user = &progress;
    ss_status status = cli_guard(find_cycle, &w, &err);
    cli_progress_end(&progress);
    if (status != SS_OK) {
        name_option(s, &err);
        int code = cli_print_error_in(loaded->document, &err);
        return status == SS_NOT_FOUND ? CLI_UNFINISHED : code;
    }
    char* model_text = NULL;
    int made = s->orbit.out ? cli_model_text(s->common.model, &s->common.set, &model_text) : CLI_GO_ON;
    if (made == CLI_GO_ON) made = cli_orbit_make(&s->orbit, loaded, &s->common, w.cycle, model_text);
    free(model_text);
    int told = report(s, loaded->model, w.cycle);
    ss_cycle_destroy(w.cycle);
    return made == CLI_DONE ? told : made;
}

static int run(const cli_line* line)
{
    settings s = {.common = cli_common_default(), .until = NAN, .period = NAN};
    cli_loaded loaded = {0};
    int status = parse(&s, line);
    if (status == CLI_GO_ON) status = cli_load_near(s.common.model, &s.common.set, &s.near, &loaded);
    if (status == CLI_GO_ON) status = cli_orbit_check(&s.orbit, &s.common, &loaded);
    if (status == CLI_GO_ON) status = find(&s, &loaded);
    cli_unload(&loaded);
    free(s.near.items);
    cli_common_free(&s.common);
    return status;
}

const cli_command cli_cycle = {"cycle", "a periodic motion: period, amplitude, multipliers, stable or not",
                               run};
