// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// --over PATH=FROM:TO:COUNT, and its other forms: steps by a factor, values, and with --random distributions.
#include "command/basin_axes.h"
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 100000, MOST_PARTS = 4 };

typedef struct request {
    const char* over; // "block1.x=-10:10:401"
    bool random;
    const ss_document* document;
    char *copy, *option;    // "block1.x" with its parts cut, "--over block1.x=-10:10:401"
    const char* path;       // within copy
    char* rest;             // within copy: what stands behind "="
    char* part[MOST_PARTS]; // of a range or a distribution, within copy
    int parts;
    double* values;
} request;

static int refuse(const request* r, const char* text)
{
    return cli_option_fault("--over", r->over, "%s", text);
}

static int refuse_form(const request* r)
{
    return refuse(r, r->random ? "with --random, expected PATH=FROM:TO, such as block1.x=-10:10, or a "
                                 "distribution: normal(1 N, 0.1 N), lognormal(1 N, 0.2), uniform(1 N, 2 N)"
                               : "expected PATH=FROM:TO:COUNT, such as block1.x=-10:10:401, "
                                 "PATH=FROM:TO:COUNT:log, or values: PATH=1,2,5");
}

// Cuts the rest at a sign that is not within brackets; returns the number of parts, those beyond `most`
// uncut.
static int cut(char* rest, char sign, char* part[], int most)
{
    int parts = 1, depth = 0;
    part[0] = rest;
    for (char* at = rest; *at && parts < most; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at != sign || depth > 0) continue;
        *at = '\0';
        part[parts++] = at + 1;
    }
    return parts;
}

static int take_path(request* r)
{
    char* equals = strchr(r->copy, '=');
    if (!equals || equals == r->copy) return refuse_form(r);
    *equals = '\0';
    r->path = r->copy;
    r->rest = equals + 1 + strspn(equals + 1, " \t");
    return CLI_GO_ON;
}

// An end of the range. Where it has a unit, the model must accept it in place of its own number.
static int read_end(const request* r, const char* text, double* out)
{
    const ss_scope nothing = {0};
    ss_dimension dimension;
    bool has_unit = false;
    ss_error err;
    if (text[strspn(text, " \t")] == '\0') return refuse_form(r);
    if (ss_quantity_parse_any(text, &nothing, out, &dimension, &has_unit, &err) != SS_OK)
        return cli_option_error("--over", r->over, &err);
    if (!isfinite(*out)) return refuse(r, "the ends must be finite");
    if (!has_unit) return CLI_GO_ON;
    ss_document* copy = NULL;
    ss_model* model = NULL;
    ss_slider* slider = NULL;
    ss_status status = ss_document_clone(r->document, &copy, &err);
    if (status == SS_OK) status = ss_document_set(copy, r->path, text, r->option, &err);
    if (status == SS_OK)
        status = ss_document_is_slider(copy) ? ss_slider_create_from_document(copy, &slider, &err)
                                             : ss_model_create_from_document(copy, &model, &err);
    ss_model_destroy(model);
    ss_slider_destroy(slider);
    ss_document_destroy(copy);
    return status == SS_OK ? CLI_GO_ON : cli_print_error(&err);
}

static int read_count(const request* r, const char* text, int64_t* out)
{
    char* end;
    double value = strtod(text, &end);
    while (*end == ' ') end++;
    if (end == text || *end || value != floor(value)) return refuse(r, "COUNT must be a whole number");
    if (!(value >= 1 && value <= 1e9)) return refuse(r, "COUNT must be at least 1 and at most 1e9");
    *out = (int64_t)value;
    return CLI_GO_ON;
}

static bool is_log(const char* text)
{
    size_t from = strspn(text, " "), length = strlen(text);
    while (length > from && text[length - 1] == ' ') length--;
    return length - from == 3 && strncmp(text + from, "log", 3) == 0;
}

// FROM:TO[:COUNT][:log]
static int read_range(request* r, ss_basin_axis* axis)
{
    r->parts = cut(r->rest, ':', r->part, MOST_PARTS);
    if (is_log(r->part[r->parts - 1])) {
        axis->kind = SS_AXIS_LOG;
        r->parts--;
    }
    if (r->parts != (r->random ? 2 : 3)) return refuse_form(r);
    int status = read_end(r, r->part[0], &axis->from);
    if (status == CLI_GO_ON) status = read_end(r, r->part[1], &axis->to);
    return status == CLI_GO_ON && !r->random ? read_count(r, r->part[2], &axis->count) : status;
}

static const struct {
    const char* name;
    ss_axis_kind kind;
} distributions[] = {
    {"normal(", SS_AXIS_NORMAL}, {"lognormal(", SS_AXIS_LOGNORMAL}, {"uniform(", SS_AXIS_EVEN}};

// NAME(A, B) with random cells; the spread of a lognormal is that of a logarithm, a plain number.
static int read_distribution(request* r, const char* name, ss_axis_kind kind, ss_basin_axis* axis)
{
    size_t length = strlen(r->rest);
    while (length > 0 && r->rest[length - 1] == ' ') length--;
    if (length == 0 || r->rest[length - 1] != ')') return refuse_form(r);
    if (!r->random) return refuse(r, "a distribution needs --random N");
    r->rest[length - 1] = '\0';
    r->parts = cut(r->rest + strlen(name), ',', r->part, MOST_PARTS);
    if (r->parts != 2) return refuse_form(r);
    double a = 0, b = 0;
    int status = read_end(r, r->part[0], &a);
    if (status == CLI_GO_ON && kind == SS_AXIS_LOGNORMAL) {
        char* end;
        b = strtod(r->part[1], &end);
        if (end == r->part[1] || end[strspn(end, " ")])
            return refuse(r, "the spread of lognormal is that of the logarithm, a number without a unit");
    } else if (status == CLI_GO_ON) {
        status = read_end(r, r->part[1], &b);
    }
    axis->kind = kind;
    *(kind == SS_AXIS_EVEN ? &axis->from : &axis->mean) = a;
    *(kind == SS_AXIS_EVEN ? &axis->to : &axis->deviation) = b;
    return status;
}

// V1,V2,..
static int read_values(request* r, ss_basin_axis* axis)
{
    size_t count = 1;
    for (const char* at = r->rest; *at; at++) count += *at == ',';
    if (r->random || !r->rest[0]) return refuse_form(r);
    if (count > MOST_VALUES) return refuse(r, "more than 100000 values");
    char** part = calloc(count, sizeof *part);
    r->values = calloc(count, sizeof *r->values);
    int status = part && r->values ? CLI_GO_ON : cli_no_memory();
    int parts = status == CLI_GO_ON ? cut(r->rest, ',', part, (int)count) : 0;
    for (int k = 0; k < parts && status == CLI_GO_ON; k++) status = read_end(r, part[k], &r->values[k]);
    free(part);
    axis->kind = SS_AXIS_VALUES;
    axis->values = r->values;
    axis->count = parts;
    return status;
}

static int read_axis(request* r, ss_basin_axis* axis)
{
    int status = take_path(r);
    if (status != CLI_GO_ON) return status;
    axis->path = r->path;
    axis->option = r->option;
    for (size_t k = 0; k < sizeof distributions / sizeof distributions[0]; k++)
        if (strncmp(r->rest, distributions[k].name, strlen(distributions[k].name)) == 0)
            return read_distribution(r, distributions[k].name, distributions[k].kind, axis);
    return strchr(r->rest, ':') ? read_range(r, axis) : read_values(r, axis);
}

int cli_axes_read(const char* command, const cli_texts* over, bool random, const ss_document* document,
                  cli_axes* axes)
{
    *axes = (cli_axes){0};
    if (over->count == 0)
        return cli_option_fault(command, NULL, "--over is missing: which number varies? For example %s",
                                random ? "--over block1.x=-10:10" : "--over block1.x=-10:10:401");
    axes->items = calloc((size_t)over->count, sizeof *axes->items);
    axes->texts = calloc(2 * (size_t)over->count, sizeof *axes->texts);
    axes->values = calloc((size_t)over->count, sizeof *axes->values);
    if (!axes->items || !axes->texts || !axes->values) return cli_no_memory();
    for (int a = 0; a < over->count; a++) {
        size_t size = strlen(over->items[a]) + 1;
        request r = {.over = over->items[a], .random = random, .document = document};
        r.copy = axes->texts[2 * a] = malloc(size);
        r.option = axes->texts[2 * a + 1] = malloc(size + sizeof "--over ");
        axes->count = a + 1;
        if (!r.copy || !r.option) return cli_no_memory();
        memcpy(r.copy, over->items[a], size);
        snprintf(r.option, size + sizeof "--over ", "--over %s", over->items[a]);
        int status = read_axis(&r, &axes->items[a]);
        axes->values[a] = r.values;
        if (status != CLI_GO_ON) return status;
    }
    return CLI_GO_ON;
}

void cli_axes_free(cli_axes* axes)
{
    for (int k = 0; axes->texts && k < 2 * axes->count; k++) free(axes->texts[k]);
    for (int k = 0; axes->values && k < axes->count; k++) free(axes->values[k]);
    free(axes->texts);
    free(axes->values);
    free(axes->items);
}
