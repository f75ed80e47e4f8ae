// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick fit MODEL DATA.csv: numbers of a model from measured motions.
#include "base/memory.h"
#include "base/print_answer.h"
#include "base/progress.h"
#include "command.h"
#include "command/fit_request.h"
#include "completion/shell.h"
#include "option/target.h"
#include "share/file.h"
#include "share/model_parts.h"
#include "slipstick/file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ss_dimension time_dimension = {.s = 1};

// clang-format off
static int parse(cli_fit_options* o, const cli_line* line)
{
    const cli_option options[] = {
        {.name = "--free", .value = "PATH,..", .kind = CLI_TEXTS, .target = &o->free,
         .help = "the numbers to find: contacts.stop.stiffness,contacts.stop.alpha; clock.delay"},
        {.name = "--column", .value = "WHAT=COLUMN", .kind = CLI_TEXTS, .target = &o->columns,
         .help = "what a column shows, and its unit: \"disk.x=position_mm mm\"; as often as wanted;\n"
                 "                         inputs.NAME: the column drives this input"},
        {.name = "--time", .value = "COLUMN", .kind = CLI_TEXT, .target = &o->time,
         .help = "the column of the time, such as \"time_ms ms\" (default: the first)"},
        {.name = "--sigma", .value = "NAME=S", .kind = CLI_TEXTS, .target = &o->sigma, .listed = CLI_LIST_NAMES,
         .help = "noise (standard deviation): \"disk.x=8 um\", or \"8 um\" for all (default: from the residuals)"},
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
        {.name = "--delay", .value = "T", .kind = CLI_QUANTITY, .target = &o->delay, .least = -INFINITY,
         .most = INFINITY, .dimension = time_dimension,
         .help = "of the sensor's clock, as --set clock.delay=T: known, or the first guess where it is free"},
        {.name = "--from", .value = "T", .kind = CLI_QUANTITY, .target = &o->from, .least = -INFINITY,
         .most = INFINITY, .dimension = time_dimension, .help = "leave out samples before T"},
        {.name = "--to", .value = "T", .kind = CLI_QUANTITY, .target = &o->to, .least = -INFINITY,
         .most = INFINITY, .dimension = time_dimension, .help = "leave out samples after T"},
        {.name = "--out", .value = "FITTED.yaml", .kind = CLI_TEXT, .target = &o->out,
         .help = "write the model with the numbers found in place"},
        {.name = "--residuals", .value = "FILE.csv", .kind = CLI_TEXT, .target = &o->residuals,
         .help = "write time, measured, fitted and residual of every sample (SI)"},
        {.name = "--versus", .value = "B.yaml,..", .kind = CLI_TEXTS, .target = &o->versus,
         .help = "fit these models as well, each with those of the free numbers that it has\n"
                 "                         (perhaps none), and rank all by AIC; files and pictures are of the best"},
        {.name = "--loss", .value = "NAME", .kind = CLI_TEXT, .target = &o->loss,
         .choices = "squares huber", .help = "squares (default), or huber: a few samples that are far off do not pull"},
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
        .arguments = &o->common.model,
        .argument_count = 1,
        .rest_name = "DATA.csv",
        .rest = &o->data,
    };
    o->common.command = syntax.command;
    o->common.line = line;
    return cli_parse(&syntax, line);
}
// clang-format on

// What is shown while the search goes on.
typedef struct showing {
    cli_progress progress;
    char best[48]; // what the best numbers so far leave
} showing;

static bool on_progress(void* user, double fraction)
{
    showing* show = user;
    cli_progress_say(&show->progress, fraction, show->best);
    return !cli_interrupted();
}

static void on_better(void* user, long iterations, double left)
{
    showing* show = user;
    snprintf(show->best, sizeof show->best, "  step %ld: rms %.3g %% of range", iterations, 100.0 * left);
}

static void on_warning(void* user, const char* text)
{
    showing* show = user;
    cli_progress_end(&show->progress);
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

static int write_model(ss_fit* fit, const cli_fit_options* o, const char* model)
{
    ss_error err;
    char* text = cli_read_text(model);
    ss_status status = SS_OK;
    if (!text && errno == ENOMEM)
        return cli_no_memory();
    else if (!text)
        fprintf(stderr, "%s: cannot read it again\n", model);
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

// One model, from its file to its fit.
typedef struct contest {
    const char* model;
    cli_loaded loaded;
    cli_fit_request request;
    ss_fit* fit;
} contest;

static int search(contest* c)
{
    showing show = {.progress = cli_progress_begin()};
    c->request.def.progress = on_progress;
    c->request.def.better = on_better;
    c->request.def.warn = on_warning;
    c->request.def.user = &show;
    running done = {.def = &c->request.def};
    ss_error err;
    ss_status status = cli_guard(run_fit, &done, &err);
    cli_progress_end(&show.progress);
    if (status != SS_OK) return cli_print_error(&err);
    c->fit = done.fit;
    return CLI_GO_ON;
}

static int write_files(const cli_fit_options* o, const contest* c)
{
    ss_error err;
    int written = o->out ? write_model(c->fit, o, c->model) : CLI_DONE;
    drawing d = {c->fit, ss_model_title(c->loaded.model), &o->sheet};
    if (o->plot.path && cli_plot_draw(draw, &d, &o->sheet, &err) != SS_OK) {
        cli_option_fault("--plot", o->plot.path, "%s", err.text);
        written = CLI_UNFINISHED;
    }
    if (o->residuals && ss_fit_write_residuals(c->fit, o->residuals, &err) != SS_OK) {
        cli_option_fault("--residuals", o->residuals, "%s", err.text);
        written = CLI_UNFINISHED;
    }
    return written;
}

// The best first, by AIC.
static int by_aic(const void* a, const void* b)
{
    double p = ss_fit_get_statistics(((const contest*)a)->fit).aic,
           q = ss_fit_get_statistics(((const contest*)b)->fit).aic;
    return isnan(p) - isnan(q) ? isnan(p) - isnan(q) : (p > q) - (p < q);
}

static int report_several(const cli_fit_options* o, const contest* all, int count)
{
    const ss_fit** fits = calloc((size_t)count + 1, sizeof *fits);
    const char** names = calloc((size_t)count, sizeof *names);
    ss_answer* answer = NULL;
    ss_error err;
    int status = fits && names ? CLI_DONE : cli_no_memory();
    for (int k = 0; k < count && status == CLI_DONE; k++) {
        fits[k] = all[k].fit;
        names[k] = all[k].model;
        if (o->common.json) continue;
        cli_fit_report_text(all[k].fit, o, &all[k].request, ss_model_title(all[k].loaded.model), stdout);
        fputc('\n', stdout);
    }
    if (status == CLI_DONE && o->common.json)
        status = cli_answer(&o->common, ss_answer_fits(fits, names, count, &answer, &err), &answer, &err);
    else if (status == CLI_DONE)
        cli_fit_ranking_text(fits, names, count, stdout);
    free(fits);
    free(names);
    return status;
}

static int report_one(const cli_fit_options* o, const contest* c)
{
    ss_answer* answer = NULL;
    ss_error err;
    if (o->common.json) return cli_answer(&o->common, ss_answer_fit(c->fit, &answer, &err), &answer, &err);
    cli_fit_report_text(c->fit, o, &c->request, ss_model_title(c->loaded.model), stdout);
    return CLI_DONE;
}

static int compare(const contest all[], int count)
{
    ss_fit** fits = calloc((size_t)count + 1, sizeof *fits);
    ss_error err;
    if (!fits) return cli_no_memory();
    for (int k = 0; k < count; k++) fits[k] = all[k].fit;
    ss_status status = ss_fit_compare(fits, count, &err);
    free(fits);
    return status == SS_OK ? CLI_GO_ON : cli_print_error(&err);
}

static int finish(const cli_fit_options* o, contest all[], int count)
{
    int status = compare(all, count);
    if (status != CLI_GO_ON) return status;
    qsort(all, (size_t)count, sizeof *all, by_aic);
    int written = write_files(o, &all[0]);
    int told = count > 1 ? report_several(o, all, count) : report_one(o, &all[0]);
    if (told != CLI_DONE) written = told;
    for (int k = 0; k < count; k++)
        if (ss_fit_get_outcome(all[k].fit) != SS_FIT_CONVERGED) return CLI_UNFINISHED;
    return written;
}

static int prepare(const cli_fit_options* o, contest* c, bool choosy)
{
    c->request.def = ss_fit_def_default();
    c->request.choosy = choosy;
    int status = cli_fit_take_clock(o, &c->request);
    if (status == CLI_GO_ON) status = cli_load(c->model, &c->request.sets, &c->loaded);
    if (status == CLI_GO_ON) status = cli_fit_prepare(o, &c->loaded, &c->request);
    return status;
}

static bool is_free(const contest* one, const char* path, size_t length)
{
    for (int j = 0; j < one->request.def.free_count; j++) {
        const char* own = one->request.free[j].path;
        if (strlen(own) == length && strncmp(own, path, length) == 0) return true;
    }
    return false;
}

// Models that compete may lack free numbers, even all of them, but each number belongs to one of them.
static int check_free(const char* option, const cli_texts* lists, const contest all[], int count)
{
    for (int k = 0; k < lists->count; k++)
        for (const char* path = lists->items[k]; *path;) {
            size_t length = strcspn(path, ","), from = strspn(path, " "), to = length;
            bool found = count == 1;
            while (to > from && path[to - 1] == ' ') to--;
            for (int m = 0; m < count && !found; m++) found = is_free(&all[m], path + from, to - from);
            if (!found)
                return cli_option_fault(option, lists->items[k], "none of the models has '%.*s'",
                                        (int)(to - from), path + from);
            path += length + (path[length] == ',');
        }
    return CLI_GO_ON;
}

static int run_all(const cli_fit_options* o, const char* const models[], int count)
{
    contest* all = calloc((size_t)count + 1, sizeof *all);
    int status = all ? CLI_GO_ON : cli_no_memory();
    for (int k = 0; k < count && status == CLI_GO_ON; k++) {
        all[k].model = models[k];
        status = prepare(o, &all[k], count > 1);
    }
    if (status == CLI_GO_ON) status = check_free("--free", &o->free, all, count);
    if (status == CLI_GO_ON) status = check_free("--free-each", &o->free_each, all, count);
    for (int k = 0; k < count && status == CLI_GO_ON; k++) status = search(&all[k]);
    if (status == CLI_GO_ON) status = finish(o, all, count);
    for (int k = 0; all && k < count; k++) {
        ss_fit_destroy(all[k].fit);
        cli_fit_request_free(&all[k].request);
        cli_unload(&all[k].loaded);
    }
    free(all);
    return status;
}

// The models: the first, and those of --versus.
static int run_models(const cli_fit_options* o)
{
    cli_keep keep = {0};
    size_t room = 1;
    for (int k = 0; k < o->versus.count; k++)
        for (const char* p = o->versus.items[k]; p; p = strchr(p + 1, ',')) room++;
    const char** models = cli_keep_new(&keep, room + 1, sizeof *models);
    int count = 0, status = models ? CLI_GO_ON : cli_no_memory();
    if (models) models[count++] = o->common.model;
    for (int k = 0; k < o->versus.count && status == CLI_GO_ON; k++)
        for (const char* at = o->versus.items[k]; at && status == CLI_GO_ON;) {
            const char* comma = strchr(at, ',');
            models[count] = cli_keep_text(&keep, at, comma ? (size_t)(comma - at) : strlen(at));
            if (!models[count]) status = cli_no_memory();
            if (models[count++] && !models[count - 1][0])
                status = cli_option_fault("--versus", o->versus.items[k], "the name of a model is empty");
            at = comma ? comma + 1 : NULL;
        }
    if (status == CLI_GO_ON) status = run_all(o, models, count);
    cli_keep_free(&keep);
    return status;
}

static void free_options(cli_fit_options* o)
{
    cli_texts* lists[] = {&o->data,    &o->free,  &o->free_each, &o->each,
                          &o->columns, &o->sigma, &o->bounds,    &o->versus};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) free(lists[k]->items);
    cli_common_free(&o->common);
}

// The model stays what it is: a fit of a wrong guess would be gone with it.
static int check_targets(const cli_fit_options* o)
{
    if (o->out && cli_target_is_same(o->out, o->common.model))
        return cli_option_fault("--out", o->out, "is the model itself; give another name");
    for (int k = 0; o->out && k < o->data.count; k++)
        if (cli_target_is_same(o->out, o->data.items[k]))
            return cli_option_fault("--out", o->out, "is the recording; give another name");
    for (int k = 0; o->residuals && k < o->data.count; k++)
        if (cli_target_is_same(o->residuals, o->data.items[k]))
            return cli_option_fault("--residuals", o->residuals, "is the recording; give another name");
    if (o->loss && strcmp(o->loss, "squares") != 0 && strcmp(o->loss, "huber") != 0)
        return cli_option_fault("--loss", o->loss, "expected squares or huber");
    int status = cli_target_check("--out", o->out);
    if (status == CLI_GO_ON) status = cli_target_check("--residuals", o->residuals);
    return status == CLI_GO_ON ? cli_target_check("--plot", o->plot.path) : status;
}

static int run(const cli_line* line)
{
    cli_fit_options o = {.common = cli_common_default(),
                         .from = -INFINITY,
                         .to = INFINITY,
                         .delay = NAN,
                         .starts = 1,
                         .seed = 1};
    int status = parse(&o, line);
    if (status == CLI_GO_ON) status = cli_plot_sheet(&o.plot, &o.common, &o.sheet);
    if (status == CLI_GO_ON) status = check_targets(&o);
    if (status == CLI_GO_ON) status = run_models(&o);
    free_options(&o);
    return status;
}

const cli_command cli_fit = {"fit", "numbers of a model from measured motions", run};
