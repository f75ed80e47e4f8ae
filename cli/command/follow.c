// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick follow MODEL --over PATH=FROM:TO: how a cycle or a steady state changes with one number.
#include "slipstick/follow.h"
#include "base/memory.h"
#include "base/print_answer.h"
#include "base/progress.h"
#include "command.h"
#include "option/load.h"
#include "option/options.h"
#include "option/plot.h"
#include "option/target.h"
#include "text/follow_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_common common;
    const char* over;
    cli_texts near;
    bool steady;
    double until, period; // NaN: as the model says
    long points;
    const char* out;
    cli_plot plot;
    ss_sheet sheet;
    char *path, *option; // "parameters.mu" of the range, and "--over parameters.mu=0:1"
    double from, to;
} settings;

static const ss_dimension time_dimension = {.s = 1};

// clang-format off
static int parse(settings* s, const cli_line* line)
{
    const cli_option options[] = {
        {.name = "--over", .value = "PATH=A:B", .kind = CLI_TEXT, .target = &s->over,
         .help = "the number that varies, from A on: parameters.speed=0.05:0.5; A may exceed B"},
        {.name = "--steady", .kind = CLI_FLAG, .target = &s->steady,
         .help = "follow the steady state (equilibrium, steady sliding) in place of a cycle"},
        {.name = "--near", .value = "PATH=VALUE", .kind = CLI_TEXTS, .target = &s->near,
         .help = "where the first one is, stable or not, as often as wanted: block.x=2.6"},
        {.name = "--period", .value = "T", .kind = CLI_QUANTITY, .target = &s->period, .most = INFINITY,
         .exclusive = true, .dimension = time_dimension,
         .help = "of the first cycle: as for the command cycle"},
        {.name = "--until", .value = "T", .kind = CLI_QUANTITY, .target = &s->until, .most = INFINITY,
         .exclusive = true, .dimension = time_dimension,
         .help = "how long a motion may take to come near the first cycle (default: run.until of the model)"},
        {.name = "--points", .value = "N", .kind = CLI_COUNT, .target = &s->points, .least = 2, .most = 1e6,
         .help = "stop after so many points (default 2000)"},
        {.name = "--out", .value = "FILE", .kind = CLI_TEXT, .target = &s->out,
         .help = "the branch as FILE.csv or FILE.h5, a row per point"},
        CLI_PLOT_OPTIONS(&s->plot, "a picture as FILE.svg, FILE.png or FILE.pdf: stable parts solid, unstable dashed"),
        CLI_COMMON_OPTIONS(&s->common),
    };
    static const char about[] =
        "Follows a cycle, stable or not, over one number of the model, through folds and changes of the order of\n"
        "events, until it leaves the range or ends; with --steady a steady state. Exit status 3 where there is\n"
        "none to begin with, and after Ctrl-C.";
    return cli_parse_model("follow", about, options, sizeof options / sizeof options[0], &s->common, line);
}
// clang-format on

// ---- --over PATH=A:B

static int refuse_form(const settings* s)
{
    return cli_option_fault("--over", s->over, "expected PATH=FROM:TO, such as parameters.speed=0.05:0.5");
}

// An end of the range. Where it has a unit, the model must accept it in place of its own number.
static int read_end(const settings* s, const ss_document* document, const char* text, double* out)
{
    const ss_scope nothing = {0};
    ss_dimension dimension;
    bool has_unit = false;
    ss_error err;
    if (text[strspn(text, " \t")] == '\0') return refuse_form(s);
    if (ss_quantity_parse_any(text, &nothing, out, &dimension, &has_unit, &err) != SS_OK)
        return cli_option_error("--over", s->over, &err);
    if (!isfinite(*out)) return cli_option_fault("--over", s->over, "the ends must be finite");
    ss_document* copy = NULL;
    ss_model* model = NULL;
    ss_status status = ss_document_clone(document, &copy, &err);
    if (status == SS_OK) status = ss_document_set(copy, s->path, text, s->option, &err);
    if (status == SS_OK) status = ss_model_create_from_document(copy, &model, &err);
    ss_model_destroy(model);
    ss_document_destroy(copy);
    return status == SS_OK ? CLI_GO_ON : cli_print_error(&err);
}

static int read_over(settings* s, const ss_document* document)
{
    if (!s->over)
        return cli_option_fault("follow", NULL,
                                "--over is missing: which number varies? For example "
                                "--over parameters.speed=0.05:0.5");
    size_t size = strlen(s->over) + 1;
    s->path = malloc(size);
    s->option = malloc(size + sizeof "--over ");
    if (!s->path || !s->option) return cli_no_memory();
    memcpy(s->path, s->over, size);
    snprintf(s->option, size + sizeof "--over ", "--over %s", s->over);
    char* equals = strchr(s->path, '=');
    char* colon = equals ? strchr(equals, ':') : NULL;
    if (!equals || equals == s->path || !colon || strchr(colon + 1, ':')) return refuse_form(s);
    *equals = *colon = '\0';
    int status = read_end(s, document, equals + 1, &s->from);
    if (status == CLI_GO_ON) status = read_end(s, document, colon + 1, &s->to);
    if (status == CLI_GO_ON && s->from == s->to)
        return cli_option_fault("--over", s->over, "the range is empty");
    return status;
}

// ---- the work

typedef struct wanted {
    const ss_follow_def* def;
    ss_solution_branch* branch;
} wanted;

static ss_status follow(void* data, ss_error* err)
{
    wanted* w = data;
    return ss_follow_run(w->def, &w->branch, err);
}

static bool on_progress(void* user, double fraction)
{
    cli_progress_update(user, fraction);
    return !cli_interrupted();
}

typedef struct kept {
    const settings* s;
    const ss_solution_branch* branch;
} kept;

static ss_status write_branch(void* data, ss_error* err)
{
    const kept* k = data;
    char made[CLI_MADE_LINE];
    return ss_solution_branch_write(k->branch, k->s->out, cli_made_line(&k->s->common, made), err);
}

static ss_status draw_branch(void* data, ss_error* err)
{
    const kept* k = data;
    return ss_picture_solution_branch(k->branch, &k->s->sheet, err);
}

static int keep(const settings* s, const ss_solution_branch* branch)
{
    ss_error err;
    kept k = {s, branch};
    if (s->out && cli_guard(write_branch, &k, &err) != SS_OK) return cli_option_error("--out", s->out, &err);
    if (s->plot.path && cli_plot_draw(draw_branch, &k, &s->sheet, &err) != SS_OK)
        return cli_option_error("--plot", s->plot.path, &err);
    return CLI_GO_ON;
}

static int report(const settings* s, const ss_solution_branch* branch)
{
    ss_answer* answer = NULL;
    ss_error err;
    int told = keep(s, branch);
    if (told != CLI_GO_ON) return told;
    told = CLI_DONE;
    if (s->common.json)
        told = cli_answer(&s->common, ss_answer_solution_branch(branch, &answer, &err), &answer, &err);
    else
        cli_follow_text(branch, stdout);
    return told == CLI_DONE && cli_interrupted() ? CLI_UNFINISHED : told;
}

static int run_branch(const settings* s, const cli_loaded* loaded)
{
    ss_follow_def def = ss_follow_def_default();
    wanted w = {.def = &def};
    ss_error err;
    def.document = loaded->document;
    def.path = s->path;
    def.option = s->option;
    def.from = s->from;
    def.to = s->to;
    def.steady = s->steady;
    def.near = s->near.count > 0;
    def.period = s->period;
    def.until = s->until;
    def.tolerance = fmin(def.tolerance, s->common.tolerance);
    def.max_events = s->common.max_events;
    def.max_points = s->points;
    cli_progress progress = cli_progress_begin();
    def.progress = on_progress;
    def.user = &progress;
    ss_status status = cli_guard(follow, &w, &err);
    cli_progress_end(&progress);
    if (status != SS_OK) {
        int code = cli_print_error_in(loaded->document, &err);
        return status == SS_NOT_FOUND ? CLI_UNFINISHED : code;
    }
    int told = report(s, w.branch);
    ss_solution_branch_destroy(w.branch);
    return told;
}

static int run(const cli_line* line)
{
    settings s = {.common = cli_common_default(), .until = NAN, .period = NAN, .points = 2000};
    cli_loaded loaded = {0};
    int status = parse(&s, line);
    if (status == CLI_GO_ON) status = cli_plot_sheet(&s.plot, &s.common, &s.sheet);
    if (status == CLI_GO_ON && s.out && !ss_solution_branch_knows(s.out))
        status = cli_option_fault("--out", s.out, "the name must end in .csv or .h5");
    if (status == CLI_GO_ON) status = cli_target_check("--out", s.out);
    if (status == CLI_GO_ON) status = cli_target_check("--plot", s.plot.path);
    if (status == CLI_GO_ON) status = cli_load_near(s.common.model, &s.common.set, &s.near, &loaded);
    if (status == CLI_GO_ON) status = read_over(&s, loaded.document);
    if (status == CLI_GO_ON) status = run_branch(&s, &loaded);
    cli_unload(&loaded);
    free(s.near.items);
    free(s.path);
    free(s.option);
    cli_common_free(&s.common);
    return status;
}

const cli_command cli_follow = {"follow", "a branch of cycles or steady states over one number", run};
