// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A parameter is tunable where a run can be carried over into the model with another value: that is tried,
// once up and once down. What shapes the model (numbers of elements, ticks), what only starts it, and a value
// that must not change by itself (0.5 of two shares that sum to 1) stays fixed.
#include "fmu/tunable.h"

#include "../../fmu/resource.h"
#include "command.h"
#include "option/load.h"
#include "share/node.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the list

static bool add(cli_parameters* out, const char* path, size_t length)
{
    char** paths = realloc(out->paths, ((size_t)out->count + 1) * sizeof *paths);
    if (paths) out->paths = paths;
    bool* tunable = realloc(out->tunable, ((size_t)out->count + 1) * sizeof *tunable);
    if (tunable) out->tunable = tunable;
    char* copy = malloc(length + 1);
    if (!paths || !tunable || !copy) {
        free(copy);
        return false;
    }
    memcpy(copy, path, length);
    copy[length] = '\0';
    out->paths[out->count] = copy;
    out->tunable[out->count++] = false;
    return true;
}

static bool has(const cli_parameters* all, const char* path)
{
    for (int k = 0; k < all->count; k++)
        if (strcmp(all->paths[k], path) == 0) return true;
    return false;
}

static bool add_own(const ss_document* document, cli_parameters* out)
{
    const ss_node* map = ss_node_find(ss_document_root(document), "parameters");
    if (!map || ss_node_get_kind(map) != SS_NODE_MAP) return true;
    for (const ss_node* node = ss_node_first(map); node; node = ss_node_next(node)) {
        char path[256];
        int length = snprintf(path, sizeof path, "parameters.%s", ss_node_key(node));
        if (length >= (int)sizeof path || ss_node_get_kind(node) != SS_NODE_SCALAR) continue;
        if (!add(out, path, (size_t)length)) return false;
    }
    return true;
}

static int add_list(const ss_document* document, const char* list, cli_parameters* out)
{
    for (const char* at = list; at && *at;) {
        size_t length = strcspn(at, ",");
        double value;
        ss_dimension dimension;
        bool has_unit;
        ss_error err;
        if (!add(out, at, length)) return cli_no_memory();
        char* path = out->paths[out->count - 1];
        if (fmu_find_number(document, path, &value, &dimension, &has_unit, &err) != SS_OK)
            return err.status == SS_NO_MEMORY ? cli_no_memory()
                                              : cli_option_fault("--parameter", path, "%s", err.text);
        out->count--; // twice the same is once
        if (has(out, path))
            free(path);
        else
            out->count++;
        at += length + (at[length] == ',');
    }
    return CLI_GO_ON;
}

// ---- which may change

// Whether the run can be carried over into the model with one number changed by a factor: SS_OK, or why not.
static ss_status try_value(const ss_document* document, const ss_sim* from, const char* path, double factor)
{
    ss_document* other = NULL;
    ss_model* model = NULL;
    ss_sim* sim = NULL;
    double value;
    ss_dimension dimension;
    bool has_unit;
    char text[40];
    ss_status status = ss_document_clone(document, &other, NULL);
    if (status == SS_OK) status = fmu_find_number(document, path, &value, &dimension, &has_unit, NULL);
    if (status == SS_OK) {
        snprintf(text, sizeof text, "%.17g", value * factor);
        status = ss_document_set(other, path, text, path, NULL);
    }
    if (status == SS_OK) status = ss_model_create_from_document(other, &model, NULL);
    if (status == SS_OK) status = ss_sim_create(model, NULL, &sim, NULL);
    if (status == SS_OK) status = ss_sim_take_over(sim, from, NULL);
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    ss_document_destroy(other);
    return status;
}

static ss_status carries_over(const ss_document* document, const ss_sim* from, const char* path)
{
    ss_status up = try_value(document, from, path, 1.0 + 0x1p-20);
    return up == SS_OK ? try_value(document, from, path, 1.0 - 0x1p-20) : up;
}

static bool only_starts(const char* path)
{
    size_t length = strlen(path);
    bool start = length > 6 && strcmp(path + length - 6, ".start") == 0;
    return start || strncmp(path, "start.", 6) == 0 || strncmp(path, "run.", 4) == 0 ||
           strncmp(path, "inputs.", 7) == 0;
}

static int find_tunable(const ss_document* original, const cli_texts* sets, cli_parameters* out)
{
    ss_document* document = NULL;
    ss_model* model = NULL;
    ss_sim* sim = NULL;
    if (ss_document_clone(original, &document, NULL) != SS_OK) return cli_no_memory();
    int status = CLI_GO_ON;
    for (int k = 0; k < sets->count && status == CLI_GO_ON; k++)
        status = cli_set(document, "--set", sets->items[k]);
    ss_status made = SS_BAD_INPUT;
    if (status == CLI_GO_ON && !ss_document_is_slider(document))
        made = ss_model_create_from_document(document, &model, NULL);
    if (made == SS_OK) made = ss_sim_create(model, NULL, &sim, NULL);
    for (int k = 0; k < out->count && made == SS_OK; k++) {
        if (only_starts(out->paths[k])) continue;
        ss_status carries = carries_over(document, sim, out->paths[k]);
        out->tunable[k] = carries == SS_OK;
        if (carries == SS_NO_MEMORY) made = carries;
    }
    if (made == SS_NO_MEMORY) status = cli_no_memory();
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    ss_document_destroy(document);
    return status; // a model that cannot be made is told when it is made for good
}

int cli_parameters_find(const ss_document* document, const cli_texts* sets, const cli_texts* lists,
                        cli_parameters* out)
{
    *out = (cli_parameters){0};
    if (!add_own(document, out)) return cli_no_memory();
    int status = CLI_GO_ON;
    for (int k = 0; k < lists->count && status == CLI_GO_ON; k++)
        status = add_list(document, lists->items[k], out);
    return status == CLI_GO_ON ? find_tunable(document, sets, out) : status;
}

void cli_parameters_free(cli_parameters* parameters)
{
    for (int k = 0; k < parameters->count; k++) free(parameters->paths[k]);
    free(parameters->paths);
    free(parameters->tunable);
    *parameters = (cli_parameters){0};
}
