// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick cycle MODEL: a periodic motion, its period, size and multipliers.
#include "answer.h"
#include "command.h"
#include "load.h"
#include "memory.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "slipstick/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_common common;
    const char* model;
    cli_texts near;
    double until, period; // NaN: as the model says
} settings;

static const ss_dimension time_dimension = {.s = 1};

// clang-format off
static int parse(settings* s, int argc, char** argv)
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
        CLI_COMMON_OPTIONS(&s->common),
    };
    static const char* const names[] = {"MODEL"};
    const cli_syntax syntax = {
        .command = "cycle",
        .about = "Finds a motion that repeats, stable or unstable, near a start: its period, its size, and by its Floquet\n"
                 "multipliers whether neighbours come nearer. Exit status 3 where none is found.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .argument_names = names,
        .arguments = &s->model,
        .argument_count = 1,
    };
    return cli_parse(&syntax, argc, argv);
}
// clang-format on

// ---- answers

static void tell_multipliers(const ss_cycle* cycle, FILE* out)
{
    fputs("\n  multipliers ", out);
    for (int k = 0; k < ss_cycle_multiplier_count(cycle); k++) {
        double value[2];
        ss_cycle_multiplier(cycle, k, value);
        fprintf(out, "%s%.7g", k > 0 ? ", " : "", value[0] + 0.0);
        if (value[1] != 0.0) fprintf(out, " %c %.7g i", value[1] < 0.0 ? '-' : '+', fabs(value[1]));
    }
    if (ss_cycle_multiplier_count(cycle) == 0) fputs("none", out);
    fputc('\n', out);
}

// The middle of a motion about 0 is 0 but for rounding.
static double told_middle(const ss_cycle* cycle, int body)
{
    double middle = ss_cycle_middle(cycle, body);
    return fabs(middle) <= 1e-13 * ss_cycle_amplitude(cycle, body) ? 0.0 : middle;
}

// Whether the largest multiplier lies on the unit circle, to rounding: a body that sticks all the time may do
// so elsewhere.
static bool is_neutral(const ss_cycle* cycle)
{
    double value[2];
    if (ss_cycle_multiplier_count(cycle) == 0) return false;
    ss_cycle_multiplier(cycle, 0, value);
    return fabs(hypot(value[0], value[1]) - 1.0) <= 1e-9;
}

// False where there is no memory for the list of events.
static bool answer_text(const ss_model* model, const ss_cycle* cycle, FILE* out)
{
    static const char* const words[3][2] = {
        {"unstable", "neighbouring motions do not stay near"},
        {"neutral", "to first order, neighbouring motions neither come nearer nor leave"},
        {"stable", "neighbouring motions come nearer"}};
    const char* const* word = words[ss_cycle_is_stable(cycle) ? 2 : is_neutral(cycle)];
    fprintf(out, "%s cycle of period %.9g s: %s\n", word[0], ss_cycle_period(cycle), word[1]);
    fprintf(out, "\n  %-12s  %16s  %16s\n", "body", "amplitude", "about x");
    for (int b = 0; b < ss_model_body_count(model); b++)
        if (!ss_model_body_is_driven(model, b))
            fprintf(out, "  %-12s  %16.9g  %16.9g  %s\n", ss_model_body_name(model, b),
                    ss_cycle_amplitude(cycle, b), told_middle(cycle, b),
                    ss_model_body_is_angular(model, b) ? "rad" : "m");
    tell_multipliers(cycle, out);
    for (int k = 0; ss_cycle_note(cycle, k); k++) fprintf(out, "  (%s)\n", ss_cycle_note(cycle, k));
    size_t count = ss_cycle_event_count(cycle);
    ss_event* events = malloc((count + 1) * sizeof *events);
    for (size_t k = 0; events && k < count; k++) events[k] = ss_cycle_event(cycle, k);
    if (events) cli_list_events(model, events, count, out);
    free(events);
    return events != NULL;
}

static int tell(const settings* s, const ss_model* model, const ss_cycle* cycle)
{
    ss_answer* answer = NULL;
    ss_error err;
    if (s->common.json) return cli_answer(ss_answer_cycle(model, cycle, &answer, &err), &answer, &err);
    return answer_text(model, cycle, stdout) ? CLI_DONE : cli_no_memory();
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
        int code = cli_tell_in(loaded->document, &err);
        return status == SS_NOT_FOUND ? CLI_UNFINISHED : code;
    }
    int told = tell(s, loaded->model, w.cycle);
    ss_cycle_destroy(w.cycle);
    return told;
}

static int run(int argc, char** argv)
{
    settings s = {.common = cli_common_default(), .until = NAN, .period = NAN};
    cli_loaded loaded = {0};
    int status = parse(&s, argc, argv);
    if (status == CLI_GO_ON) status = cli_load_near(s.model, &s.common.set, &s.near, &loaded);
    if (status == CLI_GO_ON) status = find(&s, &loaded);
    cli_unload(&loaded);
    free(s.near.items);
    cli_common_free(&s.common);
    return status;
}

const cli_command cli_cycle = {"cycle", "a periodic motion: period, amplitude, multipliers, stable or not",
                               run};
