// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a map is the answer to, as text: one line per number that the bits of the map depend on. A journal
// begins with it, and continues only under the same question.
#include "core/number_length.h"
#include "lab/sweep/sweep.h"
#include "share/node.h"
#include "share/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Every scalar of the document as "path = text", in order; comments and layout do not count.
static void write_node(ss_text* text, const ss_node* node, const char* path)
{
    char below[512];
    int index = 0;
    if (ss_node_get_kind(node) == SS_NODE_SCALAR) {
        ss_text_add(text, "%s = %s\n", path, ss_node_text(node));
        return;
    }
    for (const ss_node* child = ss_node_first(node); child; child = ss_node_next(child), index++) {
        if (ss_node_key(child))
            snprintf(below, sizeof below, "%s%s%s", path, path[0] ? "." : "", ss_node_key(child));
        else
            snprintf(below, sizeof below, "%s[%d]", path, index);
        write_node(text, child, below);
    }
}

static void add_number(ss_text* text, const char* before, double value)
{
    char number[SS_NUMBER_SIZE];
    ss_text_add(text, "%s%s", before, ss_number_format(value, 17, number, sizeof number));
}

// Many values are told by the number of them and a sum that a change of any alters, each with its place.
static void write_values(ss_text* text, const ss_basin_axis* axis)
{
    enum { TOLD = 100 };
    uint64_t sum = 14695981039346656037u; // FNV-1a
    const unsigned char* bytes = (const unsigned char*)axis->values;
    for (int64_t k = 0; k < axis->count && axis->count <= TOLD; k++)
        add_number(text, k > 0 ? "," : " = ", axis->values[k]);
    if (axis->count <= TOLD) return;
    for (size_t k = 0; k < (size_t)axis->count * sizeof *axis->values; k++)
        sum = (sum ^ bytes[k]) * 1099511628211u;
    ss_text_add(text, " = %" PRId64 " values %016" PRIx64, axis->count, sum);
}

static void write_axes(ss_text* text, const ss_basin* basin)
{
    for (int a = 0; a < basin->axis_count; a++) {
        const ss_basin_axis* axis = &basin->axes[a];
        ss_text_add(text, "--over %s", axis->path);
        if (axis->kind == SS_AXIS_VALUES) {
            write_values(text, axis);
            ss_text_add(text, "\n");
            continue;
        }
        if (axis->kind == SS_AXIS_NORMAL || axis->kind == SS_AXIS_LOGNORMAL) {
            add_number(text, axis->kind == SS_AXIS_NORMAL ? " = normal(" : " = lognormal(", axis->mean);
            add_number(text, ", ", axis->deviation);
            ss_text_add(text, ")\n");
            continue;
        }
        add_number(text, " = ", axis->from);
        add_number(text, ":", axis->to);
        if (basin->random == 0) ss_text_add(text, ":%" PRId64, axis->count);
        ss_text_add(text, axis->kind == SS_AXIS_LOG ? ":log\n" : "\n");
    }
    ss_text_add(text, "axes = %d\n", basin->axis_count);
    if (basin->random > 0)
        ss_text_add(text, "--random = %" PRId64 "\n--seed = %" PRIu64 "\n", basin->random, basin->seed);
}

char* ss_basin_write_question(const ss_basin* basin)
{
    ss_text text = {0};
    ss_text_add(&text, "slipstick = %s\n", ss_version());
    write_axes(&text, basin);
    if (basin->task.ask) basin->task.ask(basin->task.user, &text);
    if (isnan(basin->until))
        ss_text_add(&text, "--until = run.until of the model");
    else
        add_number(&text, "--until = ", basin->until);
    add_number(&text, "\n--escape = ", basin->escape);
    add_number(&text, "\n--tolerance = ", basin->tolerance);
    ss_text_add(&text, "\n--max-events = %" PRId64 "\n", basin->max_events);
    if (basin->shapes) ss_text_add(&text, "motions are judged = 2\n"); // how, in order of appearance
    ss_text_add(&text, "cells per block = %" PRId64 "\n", basin->block_cells);
    write_node(&text, ss_document_root(basin->document), "");
    return ss_text_take(&text);
}

static size_t line_length(const char* text) { return strcspn(text, "\n"); }

// A line "name = value" cut in two; value is empty where there is none.
static void cut_line(const char* line, char name[], char value[], size_t size)
{
    size_t length = line_length(line);
    const char* equals = strstr(line, " = ");
    if (!equals || equals > line + length) equals = line + length;
    snprintf(name, size, "%.*s", (int)(equals - line), line);
    const char* rest = equals < line + length ? equals + 3 : equals;
    snprintf(value, size, "%.*s", (int)(line + length - rest), rest);
}

const char* ss_basin_difference(const char* theirs, const char* ours, char* out, size_t size)
{
    while (*theirs && *ours) {
        size_t a = line_length(theirs), b = line_length(ours);
        if (a != b || memcmp(theirs, ours, a) != 0) break;
        theirs += a + (theirs[a] == '\n');
        ours += b + (ours[b] == '\n');
    }
    char name[2][80], value[2][80];
    cut_line(theirs, name[0], value[0], sizeof name[0]);
    cut_line(ours, name[1], value[1], sizeof name[1]);
    if (strcmp(name[0], name[1]) == 0)
        snprintf(out, size, "%s was %s, now %s", name[0], value[0], value[1]);
    else if (name[0][0])
        snprintf(out, size, "%s was %s, now there is %s", name[0], value[0],
                 name[1][0] ? name[1] : "nothing");
    else
        snprintf(out, size, "%s is new", name[1]);
    return out;
}
