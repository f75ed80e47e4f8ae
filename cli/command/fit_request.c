// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "command/fit_request.h"

#include "command.h"
#include "share/model_parts.h"
#include "share/number.h"
#include "share/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char clock_path[] = "clock.delay";
static const ss_dimension seconds = {.s = 1};

// The text before the first '=' (NULL where there is none), without blanks around it.
static const char* path_of(cli_fit_request* r, const char* text, size_t length)
{
    while (length > 0 && text[0] == ' ') text++, length--;
    while (length > 0 && text[length - 1] == ' ') length--;
    return cli_keep_text(&r->keep, text, length);
}

// ---- the clock

int cli_fit_take_clock(const cli_fit_options* o, cli_fit_request* r)
{
    r->sets.items = cli_keep_new(&r->keep, (size_t)o->common.set.count, sizeof *r->sets.items);
    if (!r->sets.items) return cli_no_memory();
    if (!isnan(o->delay)) r->delay = o->delay;
    for (int k = 0; k < o->common.set.count; k++) {
        const char* set = o->common.set.items[k];
        const ss_scope nothing = {0};
        ss_error err;
        if (strncmp(set, clock_path, strlen(clock_path)) != 0 || set[strlen(clock_path)] != '=')
            r->sets.items[r->sets.count++] = set;
        else if (ss_quantity_parse(strchr(set, '=') + 1, &nothing, seconds, &r->delay, &err) != SS_OK)
            return cli_option_error("--set", set, &err);
    }
    return CLI_GO_ON;
}

// ---- what is free

static int count_paths(const cli_texts* lists)
{
    int count = 0;
    for (int k = 0; k < lists->count; k++) {
        count++;
        for (const char* c = lists->items[k]; *c; c++) count += *c == ',';
    }
    return count;
}

// Whether there is a model with another value in place of a number.
static bool takes(const ss_document* document, const char* path, double value)
{
    ss_document* copy = NULL;
    ss_model* model = NULL;
    char text[40];
    ss_number_format(value, 17, text, sizeof text);
    bool good = ss_document_clone(document, &copy, NULL) == SS_OK &&
                ss_document_set(copy, path, text, NULL, NULL) == SS_OK &&
                ss_model_create_from_document(copy, &model, NULL) == SS_OK;
    ss_model_destroy(model);
    ss_document_destroy(copy);
    return good;
}

// Whether the model has a number that can be moved (the breakaway of an element, but not one share of several
// that must sum to 1); where only one model is fitted, faults are told later.
static bool has(const cli_fit_request* r, const cli_loaded* loaded, const char* path)
{
    ss_fit_number number;
    ss_error ignored;
    if (!r->choosy) return true;
    if (ss_fit_read_number(loaded->document, path, &number, &ignored) != SS_OK || !number.found) return false;
    if (strncmp(path, "sensor.", strlen("sensor.")) == 0 || strcmp(path, clock_path) == 0) return true;
    double step = 1e-6 * (number.value != 0.0 ? fabs(number.value) : 1.0);
    return takes(loaded->document, path, number.value + step) ||
           takes(loaded->document, path, number.value - step);
}

// Adds the paths of "a,b,c", each once for all recordings, or once per recording.
static int add_paths(cli_fit_request* r, const cli_loaded* loaded, const char* option, const char* list,
                     int copies)
{
    while (*list) {
        size_t length = strcspn(list, ",");
        const char* path = path_of(r, list, length);
        if (!path) return cli_no_memory();
        if (!*path) return cli_option_fault(option, list, "expected a path such as contacts.floor.friction");
        for (int c = 0; c < copies && has(r, loaded, path); c++) {
            ss_fit_free* free = &r->free[r->def.free_count++];
            *free = ss_fit_free_default();
            free->path = path;
            if (copies > 1) free->recording = c;
        }
        list += length;
        list += *list == ',';
    }
    return CLI_GO_ON;
}

static int take_free(const cli_fit_options* o, const cli_loaded* loaded, cli_fit_request* r)
{
    size_t most = (size_t)count_paths(&o->free) + (size_t)count_paths(&o->free_each) * (size_t)o->data.count;
    r->free = cli_keep_new(&r->keep, most, sizeof *r->free);
    if (!r->free) return cli_no_memory();
    int status = CLI_GO_ON;
    for (int k = 0; k < o->free.count && status == CLI_GO_ON; k++)
        status = add_paths(r, loaded, "--free", o->free.items[k], 1);
    for (int k = 0; k < o->free_each.count && status == CLI_GO_ON; k++)
        status = add_paths(r, loaded, "--free-each", o->free_each.items[k], o->data.count);
    r->def.free = r->free;
    r->def.as_it_is = r->choosy && most > 0;
    if (status == CLI_GO_ON && r->def.free_count == 0 && !r->def.as_it_is)
        return cli_option_fault("--free", NULL, "is missing: say which numbers are to be found");
    return status;
}

// A value that an option gives for a number of the model, in a unit of its kind or as a plain number in SI.
static int parse_value(const char* option, const char* whole, const char* text, const ss_fit_number* number,
                       double* out)
{
    const ss_scope nothing = {0};
    ss_dimension dimension;
    bool has_unit;
    double value;
    ss_error err;
    if (ss_quantity_parse_any(text, &nothing, &value, &dimension, &has_unit, &err) != SS_OK)
        return cli_option_error(option, whole, &err);
    if (has_unit && value != 0.0 && number->has_unit && !ss_dimension_equal(dimension, number->dimension)) {
        char wanted[40], given[40];
        return cli_option_fault(option, whole, "expected %s, not %s",
                                ss_dimension_format(number->dimension, wanted, sizeof wanted),
                                ss_dimension_format(dimension, given, sizeof given));
    }
    *out = value;
    return CLI_GO_ON;
}

// One end of a bound; empty means none.
static int parse_end(const char* bound, const char* text, const ss_fit_number* number, double* out)
{
    return text[strspn(text, " ")] == '\0' ? CLI_GO_ON : parse_value("--bound", bound, text, number, out);
}

static int take_bound(cli_fit_request* r, const cli_loaded* loaded, const char* bound)
{
    const char* equals = strchr(bound, '=');
    const char* colon = equals ? strchr(equals, ':') : NULL;
    if (!colon) return cli_option_fault("--bound", bound, "expected PATH=LEAST:MOST, such as stop.alpha=0:2");
    const char* path = path_of(r, bound, (size_t)(equals - bound));
    const char* least_text = cli_keep_text(&r->keep, equals + 1, (size_t)(colon - equals - 1));
    if (!path || !least_text) return cli_no_memory();
    ss_fit_number number;
    ss_error err;
    if (ss_fit_read_number(loaded->document, path, &number, &err) != SS_OK)
        return r->choosy ? CLI_GO_ON : cli_option_error("--bound", bound, &err);
    double least = -INFINITY, most = INFINITY;
    int status = parse_end(bound, least_text, &number, &least);
    if (status == CLI_GO_ON) status = parse_end(bound, colon + 1, &number, &most);
    if (status != CLI_GO_ON) return status;
    if (!(least < most)) return cli_option_fault("--bound", bound, "leaves no room");
    bool found = false;
    for (int j = 0; j < r->def.free_count; j++) {
        if (strcmp(r->free[j].path, path) != 0) continue;
        r->free[j].least = least;
        r->free[j].most = most;
        found = true;
    }
    if (r->choosy) return CLI_GO_ON;
    return found ? CLI_GO_ON : cli_option_fault("--bound", bound, "is not free; say so with --free %s", path);
}

// ---- numbers of each recording

static int take_each_value(cli_fit_request* r, const cli_loaded* loaded, const char* each, const char* path,
                           const char* value, int k)
{
    for (int j = 0; j < r->def.free_count; j++) { // a first guess where it is free
        bool of_this = r->free[j].recording == k || r->recording_count == 1;
        if (strcmp(r->free[j].path, path) != 0 || !of_this) continue;
        ss_fit_number number;
        ss_error err;
        if (ss_fit_read_number(loaded->document, path, &number, &err) != SS_OK)
            return cli_option_error("--each", each, &err);
        return parse_value("--each", each, value, &number, &r->free[j].guess);
    }
    r->known[r->def.known_count++] = (ss_fit_known){.path = path, .value = value, .recording = k};
    return CLI_GO_ON;
}

static int take_each(cli_fit_request* r, const cli_loaded* loaded, const char* each)
{
    const char* equals = strchr(each, '=');
    if (!equals || equals == each)
        return cli_option_fault("--each", each, "expected PATH=VALUE1,VALUE2,..: one per recording");
    const char* path = path_of(r, each, (size_t)(equals - each));
    if (!path) return cli_no_memory();
    const char* at = equals + 1;
    int count = 0, status = CLI_GO_ON;
    for (bool more = true; more && status == CLI_GO_ON; count++) {
        size_t length = strcspn(at, ",");
        const char* value = path_of(r, at, length);
        if (!value) return cli_no_memory();
        if (count < r->recording_count) status = take_each_value(r, loaded, each, path, value, count);
        more = at[length] == ',';
        at += length + more;
    }
    if (status == CLI_GO_ON && count != r->recording_count)
        return cli_option_fault("--each", each, "%d value%s for %d recording%s", count, count == 1 ? "" : "s",
                                r->recording_count, r->recording_count == 1 ? "" : "s");
    return status;
}

// ---- what was recorded

static const char inputs_path[] = "inputs.";

static bool drives_input(const char* column)
{
    return strncmp(column + strspn(column, " "), inputs_path, strlen(inputs_path)) == 0;
}

// Columns that show something, or those that drive an input: the recordings have them in this order.
static int take_column(cli_fit_request* r, const char* column)
{
    const char* equals = strchr(column, '=');
    if (!equals || equals == column || !equals[1])
        return cli_option_fault("--column", column,
                                "expected WHAT=COLUMN, such as \"disk.x=position_mm mm\"");
    const char* what = path_of(r, column, (size_t)(equals - column));
    const char* text = equals + 1 + strspn(equals + 1, " ");
    const char* name = path_of(r, text, strlen(text));
    if (!what || !name) return cli_no_memory();
    r->columns[r->def.trace_count + r->def.input_count] = name;
    if (drives_input(column))
        r->inputs[r->def.input_count++] = what + strlen(inputs_path);
    else
        r->traces[r->def.trace_count++] = (ss_fit_trace){.shows = what, .sigma = NAN};
    return CLI_GO_ON;
}

static int take_columns(const cli_fit_options* o, cli_fit_request* r)
{
    if (o->columns.count == 0)
        return cli_option_fault("--column", NULL,
                                "is missing: say what a column shows, as in --column disk.x=position_m");
    r->traces = cli_keep_new(&r->keep, (size_t)o->columns.count, sizeof *r->traces);
    r->columns = cli_keep_new(&r->keep, (size_t)o->columns.count, sizeof *r->columns);
    r->inputs = cli_keep_new(&r->keep, (size_t)o->columns.count, sizeof *r->inputs);
    if (!r->traces || !r->columns || !r->inputs) return cli_no_memory();
    int status = CLI_GO_ON;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < o->columns.count && status == CLI_GO_ON; k++)
            if (drives_input(o->columns.items[k]) == (pass == 1))
                status = take_column(r, o->columns.items[k]);
    r->def.traces = r->traces;
    r->def.inputs = r->inputs;
    if (status == CLI_GO_ON && r->def.trace_count == 0)
        return cli_option_fault("--column", o->columns.items[0],
                                "drives an input; say what another column shows");
    return status;
}

static ss_dimension dimension_of(const ss_model* model, const char* shows)
{
    char name[256];
    ss_dimension known;
    if (ss_fit_trace_dimension(model, shows, &known)) return known;
    const char* dot = strrchr(shows, '.');
    snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - shows) : 0, shows);
    bool speed = dot && dot[1] == 'v';
    int body = dot ? ss_model_find_coordinate(model, name, dot + 1, &speed) : -1;
    bool angular = body >= 0 && ss_model_body_is_angular(model, body);
    return (ss_dimension){.m = angular ? 0 : 1, .s = speed ? -1 : 0};
}

// "8 um" for every trace it fits, "disk.x=8 um" for one.
static int take_sigma(cli_fit_request* r, const ss_model* model, const char* sigma)
{
    const char* equals = strchr(sigma, '=');
    const char* shows = path_of(r, sigma, equals ? (size_t)(equals - sigma) : 0);
    if (!shows) return cli_no_memory();
    const ss_scope nothing = {0};
    ss_dimension dimension;
    bool has_unit, used = false;
    double value;
    ss_error err;
    if (ss_quantity_parse_any(equals ? equals + 1 : sigma, &nothing, &value, &dimension, &has_unit, &err) !=
        SS_OK)
        return cli_option_error("--sigma", sigma, &err);
    if (!(value > 0) || !isfinite(value)) return cli_option_fault("--sigma", sigma, "must be positive");
    for (int k = 0; k < r->def.trace_count; k++) {
        if (equals && strcmp(shows, r->traces[k].shows) != 0) continue;
        if (has_unit && !ss_dimension_equal(dimension, dimension_of(model, r->traces[k].shows))) continue;
        r->traces[k].sigma = value;
        used = true;
    }
    return used ? CLI_GO_ON : cli_option_fault("--sigma", sigma, "no column is of that kind");
}

static int read_recordings(const cli_fit_options* o, cli_fit_request* r)
{
    r->recordings = cli_keep_new(&r->keep, (size_t)o->data.count, sizeof *r->recordings);
    if (!r->recordings) return cli_no_memory();
    for (; r->recording_count < o->data.count; r->recording_count++) {
        ss_error err;
        if (ss_recording_read_csv(o->data.items[r->recording_count], o->time, r->columns,
                                  r->def.trace_count + r->def.input_count, &r->recordings[r->recording_count],
                                  &err) != SS_OK)
            return cli_print_error(&err);
    }
    r->def.recordings = (const ss_recording* const*)r->recordings;
    r->def.recording_count = r->recording_count;
    return CLI_GO_ON;
}

int cli_fit_prepare(const cli_fit_options* o, const cli_loaded* loaded, cli_fit_request* r)
{
    r->def = ss_fit_def_default();
    int status = take_free(o, loaded, r);
    for (int k = 0; k < o->bounds.count && status == CLI_GO_ON; k++)
        status = take_bound(r, loaded, o->bounds.items[k]);
    if (status == CLI_GO_ON) status = take_columns(o, r);
    for (int k = 0; k < o->sigma.count && status == CLI_GO_ON; k++)
        status = take_sigma(r, loaded->model, o->sigma.items[k]);
    if (status == CLI_GO_ON) status = read_recordings(o, r);
    if (status != CLI_GO_ON) return status;
    r->known = cli_keep_new(&r->keep, (size_t)o->each.count * (size_t)o->data.count, sizeof *r->known);
    if (!r->known) return cli_no_memory();
    for (int k = 0; k < o->each.count && status == CLI_GO_ON; k++)
        status = take_each(r, loaded, o->each.items[k]);
    r->def.known = r->known;
    r->def.document = loaded->document;
    r->def.delay = r->delay;
    r->def.quiet = o->skip_s;
    r->def.from = o->from;
    r->def.to = o->to;
    r->def.starts = (int)o->starts;
    r->def.loss = o->loss && strcmp(o->loss, "huber") == 0 ? SS_LOSS_HUBER : SS_LOSS_SQUARES;
    r->def.seed = (uint64_t)o->seed;
    r->def.tolerance = o->common.tolerance;
    r->def.max_events = o->common.max_events;
    return status;
}

void cli_fit_request_free(cli_fit_request* r)
{
    for (int k = 0; k < r->recording_count; k++) ss_recording_destroy(r->recordings[k]);
    cli_keep_free(&r->keep);
}
