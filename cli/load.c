// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "load.h"

#include "command.h"
#include "slipstick/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_tell(const ss_error* err)
{
    char text[1024];
    fprintf(stderr, "%s\n", ss_error_format(err, text, sizeof text));
    return err->status == SS_NO_MEMORY ? CLI_UNFINISHED : CLI_WRONG;
}

// One --set PATH=VALUE.
static int apply_set(ss_document* document, const char* set)
{
    const char* equals = strchr(set, '=');
    if (!equals || equals == set || !equals[1])
        return cli_option_fault("--set", set, "expected PATH=VALUE, such as contacts.floor.friction=2");
    size_t length = strlen(set);
    char* path = malloc(length + 1);
    char* option = malloc(length + sizeof "--set ");
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    ss_status status = SS_NO_MEMORY;
    if (path && option) {
        memcpy(path, set, length + 1);
        path[equals - set] = '\0';
        snprintf(option, length + sizeof "--set ", "--set %s", set);
        status = ss_document_set(document, path, equals + 1, option, &err);
    }
    free(path);
    free(option);
    return status == SS_OK ? CLI_GO_ON : cli_tell(&err);
}

typedef enum form { ANY, MODEL, SLIDER } form;

static int load(const char* path, const cli_texts* sets, form wanted, cli_loaded* out)
{
    ss_error err;
    *out = (cli_loaded){0};
    if (ss_document_read_yaml(path, &out->document, &err) != SS_OK) return cli_tell(&err);
    int status = CLI_GO_ON;
    for (int k = 0; k < sets->count && status == CLI_GO_ON; k++)
        status = apply_set(out->document, sets->items[k]);
    if (status == CLI_GO_ON) {
        if (wanted == ANY) wanted = ss_document_is_slider(out->document) ? SLIDER : MODEL;
        ss_status made = wanted == SLIDER ? ss_slider_create_from_document(out->document, &out->slider, &err)
                                          : ss_model_create_from_document(out->document, &out->model, &err);
        if (made != SS_OK) status = cli_tell(&err);
    }
    if (status != CLI_GO_ON) cli_unload(out);
    return status;
}

int cli_load(const char* path, const cli_texts* sets, cli_loaded* out)
{
    return load(path, sets, MODEL, out);
}

int cli_load_slider(const char* path, const cli_texts* sets, cli_loaded* out)
{
    return load(path, sets, SLIDER, out);
}

int cli_load_any(const char* path, const cli_texts* sets, cli_loaded* out)
{
    return load(path, sets, ANY, out);
}

void cli_unload(cli_loaded* loaded)
{
    ss_model_destroy(loaded->model);
    ss_slider_destroy(loaded->slider);
    ss_document_destroy(loaded->document);
    *loaded = (cli_loaded){0};
}

char* cli_read_text(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (!file) return NULL;
    char* text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        if (size >= 0) text = malloc((size_t)size + 1);
        if (text) text[fread(text, 1, (size_t)size, file)] = '\0';
    }
    fclose(file);
    return text;
}
