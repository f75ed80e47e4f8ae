// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick cycle MODEL: a periodic motion, its period, size and multipliers.
#include "command.h"
#include "json.h"
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

static void put_per_body(cli_json* json, const char* key, const ss_model* model, const ss_cycle* cycle,
                         double (*value)(const ss_cycle* cycle, int body))
{
    cli_json_key(json, key);
    cli_json_object(json, false);
    for (int b = 0; b < ss_model_body_count(model); b++) {
        char name[300];
        if (ss_model_body_is_driven(model, b)) continue;
        snprintf(name, sizeof name, "%.256s.x", ss_model_body_name(model, b));
        cli_json_put_number(json, name, value(cycle, b));
    }
    cli_json_end(json);
}

static void put_start(cli_json* json, const ss_model* model, const ss_cycle* cycle)
{
    cli_json_key(json, "state");
    cli_json_object(json, false);
    for (int b = 0; b < ss_model_body_count(model); b++) {
        cli_json_key(json, ss_model_body_name(model, b));
        cli_json_object(json, false);
        cli_json_put_number(json, "x", ss_cycle_x(cycle)[b]);
        cli_json_put_number(json, "v", ss_cycle_v(cycle)[b]);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static const struct {
    bool (*applies)(const ss_cycle* cycle);
    const char* text;
} notes[] = {
    {ss_cycle_is_coupled, "coupled contacts switch at one instant: the multipliers hold for one order"},
    {ss_cycle_is_by_differences, "the motion has no derivative at some instant: the multipliers are those of "
                                 "differences of neighbouring motions"},
    {ss_cycle_repeats_tables, "tables, which end, are taken to begin anew after this period"},
};

static void answer_json(const ss_model* model, const ss_cycle* cycle, FILE* out)
{
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, true);
    cli_json_put_number(&json, "period", ss_cycle_period(cycle));
    put_per_body(&json, "amplitude", model, cycle, ss_cycle_amplitude);
    put_per_body(&json, "middle", model, cycle, ss_cycle_middle);
    cli_json_key(&json, "multipliers");
    cli_json_array(&json, false);
    for (int k = 0; k < ss_cycle_multiplier_count(cycle); k++) {
        double value[2];
        ss_cycle_multiplier(cycle, k, value);
        cli_json_array(&json, false);
        cli_json_number(&json, value[0]);
        cli_json_number(&json, value[1]);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_put_bool(&json, "stable", ss_cycle_is_stable(cycle));
    put_start(&json, model, cycle);
    cli_json_key(&json, "events");
    cli_json_array(&json, true);
    for (size_t k = 0; k < ss_cycle_event_count(cycle); k++) {
        ss_event event = ss_cycle_event(cycle, k);
        cli_put_event(&json, model, &event);
    }
    cli_json_end(&json);
    cli_json_key(&json, "notes");
    cli_json_array(&json, true);
    for (size_t k = 0; k < sizeof notes / sizeof notes[0]; k++)
        if (notes[k].applies(cycle)) cli_json_text(&json, notes[k].text);
    cli_json_end(&json);
    cli_json_end(&json);
}

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
    for (size_t k = 0; k < sizeof notes / sizeof notes[0]; k++)
        if (notes[k].applies(cycle)) fprintf(out, "  (%s)\n", notes[k].text);
    size_t count = ss_cycle_event_count(cycle);
    ss_event* events = malloc((count + 1) * sizeof *events);
    for (size_t k = 0; events && k < count; k++) events[k] = ss_cycle_event(cycle, k);
    if (events) cli_list_events(model, events, count, out);
    free(events);
    return events != NULL;
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
    bool told = true;
    if (s->common.json)
        answer_json(loaded->model, w.cycle, stdout);
    else
        told = answer_text(loaded->model, w.cycle, stdout);
    ss_cycle_destroy(w.cycle);
    return told ? CLI_DONE : cli_no_memory();
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
