// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// --over PATH=FROM:TO:COUNT.
#include "command.h"
#include "command/basin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char* over; // "block1.x=-10:10:401"
    bool random;
    const ss_document* document;
    char *copy, *option;                  // "block1.x" with its parts cut, "--over block1.x=-10:10:401"
    const char *path, *from, *to, *count; // within copy
} request;

static int refuse(const request* r, const char* text)
{
    return cli_option_fault("--over", r->over, "%s", text);
}

static int refuse_form(const request* r)
{
    return refuse(r, r->random ? "with --random, expected PATH=FROM:TO, such as block1.x=-10:10"
                               : "expected PATH=FROM:TO:COUNT, such as block1.x=-10:10:401");
}

// Cuts the text at "=" and at colons.
static int cut(request* r)
{
    char* part[4] = {r->copy};
    char* equals = strchr(r->copy, '=');
    if (!equals || equals == r->copy) return refuse_form(r);
    *equals = '\0';
    int parts = 1;
    for (char* at = equals + 1; at; parts++) {
        if (parts == 4) return refuse_form(r);
        part[parts] = at;
        at = strchr(at, ':');
        if (at) *at++ = '\0';
    }
    if (parts != (r->random ? 3 : 4)) return refuse_form(r);
    r->path = part[0];
    r->from = part[1];
    r->to = part[2];
    r->count = part[3];
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
    ss_status status = ss_document_clone(r->document, &copy, &err);
    if (status == SS_OK) status = ss_document_set(copy, r->path, text, r->option, &err);
    if (status == SS_OK) status = ss_model_create_from_document(copy, &model, &err);
    ss_model_destroy(model);
    ss_document_destroy(copy);
    return status == SS_OK ? CLI_GO_ON : cli_tell(&err);
}

static int read_count(const request* r, int64_t* out)
{
    char* end;
    double value = strtod(r->count, &end);
    while (*end == ' ') end++;
    if (end == r->count || *end || value != floor(value)) return refuse(r, "COUNT must be a whole number");
    if (!(value >= 1 && value <= 1e9)) return refuse(r, "COUNT must be at least 1 and at most 1e9");
    *out = (int64_t)value;
    return CLI_GO_ON;
}

static int read_axis(request* r, ss_basin_axis* axis)
{
    int status = cut(r);
    if (status == CLI_GO_ON) status = read_end(r, r->from, &axis->from);
    if (status == CLI_GO_ON) status = read_end(r, r->to, &axis->to);
    if (status == CLI_GO_ON && !r->random) status = read_count(r, &axis->count);
    axis->path = r->path;
    axis->option = r->option;
    return status;
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
    if (!axes->items || !axes->texts) return cli_no_memory();
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
        if (status != CLI_GO_ON) return status;
    }
    return CLI_GO_ON;
}

void cli_axes_free(cli_axes* axes)
{
    for (int k = 0; axes->texts && k < 2 * axes->count; k++) free(axes->texts[k]);
    free(axes->texts);
    free(axes->items);
}
