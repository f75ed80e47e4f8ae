// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick fit MODEL DATA.csv: numbers of a model from measured motions.
#include "base/answer.h"
#include "base/memory.h"
#include "base/progress.h"
#include "command.h"
#include "command/fit_request.h"
#include "option/target.h"
#include "slipstick/file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static const ss_dimension time_dimension = {.s = 1};

// clang-format off
static int parse(cli_fit_options* o, int argc, char** argv)
{
    const cli_option options[] = {
        {.name = "--free", .value = "PATH,..", .kind = CLI_TEXTS, .target = &o->free,
         .help = "the numbers to find: contacts.stop.stiffness,contacts.stop.alpha; clock.delay"},
        {.name = "--column", .value = "WHAT=COLUMN", .kind = CLI_TEXTS, .target = &o->columns,
         .help = "what a column shows, and its unit: \"disk.x=position_mm mm\"; as often as wanted"},
        {.name = "--time", .value = "COLUMN", .kind = CLI_TEXT, .target = &o->time,
         .help = "the column of the time, such as \"time_ms ms\" (default: the first)"},
        {.name = "--sigma", .value = "S", .kind = CLI_TEXTS, .target = &o->sigma,
         .help = "noise (standard deviation): \"8 um\", or \"disk.x=8 um\" (default: from the residuals)"},
        {.name = "--bound", .value = "PATH=a:b", .kind = CLI_TEXTS, .target = &o->bounds,
         .help = "keep a free number between a and b; either may be left out"},
        {.name = "--each", .value = "PATH=V1,V2,..", .kind = CLI_TEXTS, .target = &o->each,
         .help = "a known number that differs from recording to recording, in their order"},
        {.name = "--free-each", .value = "PATH,..", .kind = CLI_TEXTS, .target = &o->free_each,
         .help = "numbers to find for each recording on its own, such as disk.v"},
        {.name = "--starts", .value = "N", .kind = CLI_COUNT, .target = &o->starts, .least = 1, .most = 1e6,
         .help = "search from N guesses: the model's, and random ones (default 1)"},
        {.name = "--seed", .value = "S", .kind = CLI_COUNT, .target = &o->seed, .least = 0, .most = 9e15,
         .help = "of the random guesses (default 1)"},
        {.name = "--skip-events", .value = "T", .kind = CLI_QUANTITY, .target = &o->skip_s, .most = INFINITY,
         .dimension = time_dimension,
         .help = "leave out samples nearer than T to an event, such as the sensor's delay"},
        {.name = "--from", .value = "T", .kind = CLI_QUANTITY, .target = &o->from, .least = -INFINITY,
         .most = INFINITY, .dimension = time_dimension, .help = "leave out samples before T"},
        {.name = "--to", .value = "T", .kind = CLI_QUANTITY, .target = &o->to, .least = -INFINITY,
         .most = INFINITY, .dimension = time_dimension, .help = "leave out samples after T"},
        {.name = "--out", .value = "FITTED.yaml", .kind = CLI_TEXT, .target = &o->out,
         .help = "write the model with the numbers found in place"},
        CLI_PLOT_OPTIONS(&o->plot, "FILE.svg, .png or .pdf: traces as recorded and fitted, and residuals"),
        CLI_COMMON_OPTIONS(&o->common),
    };
    static const char* const names[] = {"MODEL"};
    const cli_syntax syntax = {
        .command = "fit",
        .about = "Finds numbers of a model such that its motion is that of one or several recordings (least squares),\n"
                 "with standard errors, and says where a recording cannot tell numbers apart. The model's numbers are\n"
                 "the first guess. Each recording is a motion from the model's start at t = 0. Ctrl-C ends the search\n"
                 "with the best so far (exit status 3).",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .argument_names = names,
        .arguments = &o->model,
        .argument_count = 1,
        .rest_name = "DATA.csv",
        .rest = &o->data,
    };
    return cli_parse(&syntax, argc, argv);
}
// clang-format on

static bool on_progress(void* user, double fraction)
{
    cli_progress_update(user, fraction);
    return !cli_interrupted();
}

static void on_warning(void* user, const char* text)
{
    cli_progress_end(user);
    fprintf(stderr, "warning: %s\n", text);
}

typedef struct writing {
    ss_fit* fit;
    const char *text, *out;
} writing;

static ss_status write_text(void* data, ss_error* err)
{
    const writing* w = data;
    return ss_fit_write_model(w->fit, w->text, w->out, err);
}

// The text is read again as YAML: under a guard, as everywhere.
static ss_status write_guarded(ss_fit* fit, const char* text, const char* out, ss_error* err)
{
    writing w = {fit, text, out};
    char* unfinished = ss_file_unfinished(out);
    ss_status status = cli_guard_file(write_text, &w, unfinished, err);
    free(unfinished);
    return status;
}

static int write_model(ss_fit* fit, const cli_fit_options* o)
{
    ss_error err;
    char* text = cli_read_text(o->model);
    ss_status status = SS_OK;
    if (!text && errno == ENOMEM)
        return cli_no_memory();
    else if (!text)
        fprintf(stderr, "%s: cannot read it again\n", o->model);
    else
        status = write_guarded(fit, text, o->out, &err);
    free(text);
    if (text && status == SS_OK) return CLI_DONE;
    if (status != SS_OK)
        cli_option_fault("--out", o->out, "%s%s%s", err.field, err.field[0] ? ": " : "", err.text);
    return CLI_UNFINISHED;
}

typedef struct drawing {
    ss_fit* fit;
    const char* title;
    const ss_sheet* sheet;
} drawing;

static ss_status draw(void* data, ss_error* err)
{
    const drawing* d = data;
    return ss_picture_fit(d->fit, d->title, d->sheet, err);
}

typedef struct running {
    const ss_fit_def* def;
    ss_fit* fit;
} running;

static ss_status run_fit(void* data, ss_error* err)
{
    running* r = data;
    return ss_fit_run(r->def, &r->fit, err);
}

static int search(const cli_fit_options* o, cli_fit_request* r, const char* title)
{
    cli_progress progress = cli_progress_begin();
    r->def.progress = on_progress;
    r->def.warn = on_warning;
    r->def.user = &progress;
    running done = {.def = &r->def};
    ss_error err;
    ss_status status = cli_guard(run_fit, &done, &err);
    ss_fit* fit = done.fit;
    cli_progress_end(&progress);
    if (status != SS_OK) return cli_tell(&err);
    int written = o->out ? write_model(fit, o) : CLI_DONE;
    if (o->plot.path && cli_plot_draw(draw, &(drawing){fit, title, &o->sheet}, &o->sheet, &err) != SS_OK) {
        cli_option_fault("--plot", o->plot.path, "%s", err.text);
        written = CLI_UNFINISHED;
    }
    ss_answer* answer = NULL;
    if (o->common.json) {
        int told = cli_answer(ss_answer_fit(fit, &answer, &err), &answer, &err);
        if (told != CLI_DONE) written = told;
    } else {
        cli_fit_report_text(fit, o, r, title, stdout);
    }
    int found = ss_fit_get_outcome(fit) == SS_FIT_CONVERGED ? CLI_DONE : CLI_UNFINISHED;
    ss_fit_destroy(fit);
    return found == CLI_DONE ? written : found;
}

static void free_options(cli_fit_options* o)
{
    cli_texts* lists[] = {&o->data, &o->free, &o->free_each, &o->each, &o->columns, &o->sigma, &o->bounds};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) free(lists[k]->items);
    cli_common_free(&o->common);
}

// The model stays what it is: a fit of a wrong guess would be gone with it.
static int check_targets(const cli_fit_options* o)
{
    if (o->out && cli_target_is_same(o->out, o->model))
        return cli_option_fault("--out", o->out, "is the model itself; give another name");
    for (int k = 0; o->out && k < o->data.count; k++)
        if (cli_target_is_same(o->out, o->data.items[k]))
            return cli_option_fault("--out", o->out, "is the recording; give another name");
    int status = cli_target_check("--out", o->out);
    return status == CLI_GO_ON ? cli_target_check("--plot", o->plot.path) : status;
}

static int run(int argc, char** argv)
{
    cli_fit_options o = {
        .common = cli_common_default(), .from = -INFINITY, .to = INFINITY, .starts = 1, .seed = 1};
    cli_fit_request r = {.def = ss_fit_def_default()};
    cli_loaded loaded = {0};
    int status = parse(&o, argc, argv);
    if (status == CLI_GO_ON) status = cli_plot_sheet(&o.plot, &o.sheet);
    if (status == CLI_GO_ON) status = check_targets(&o);
    if (status == CLI_GO_ON) status = cli_fit_take_clock(&o, &r);
    if (status == CLI_GO_ON) status = cli_load(o.model, &r.sets, &loaded);
    if (status == CLI_GO_ON) status = cli_fit_prepare(&o, &loaded, &r);
    if (status == CLI_GO_ON) status = search(&o, &r, ss_model_title(loaded.model));
    cli_fit_request_free(&r);
    cli_unload(&loaded);
    free_options(&o);
    return status;
}

const cli_command cli_fit = {"fit", "numbers of a model from measured motions", run};
