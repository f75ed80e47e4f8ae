// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "option/also.h"

#include <stdlib.h>
#include <string.h>

// Changes a copy of the document to another start: "block.x=2,block.v=1".
static int change_start(ss_document* copy, const char* text)
{
    int status = CLI_GO_ON;
    char* parts = malloc(strlen(text) + 1);
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    if (!parts) return cli_print_error(&err);
    memcpy(parts, text, strlen(text) + 1);
    for (char *part = parts, *next; status == CLI_GO_ON && part; part = next) {
        next = strchr(part, ',');
        if (next) *next++ = '\0';
        status = cli_set(copy, "--also", part);
    }
    free(parts);
    return status;
}

// The bodies or the slider of the document from another start. out is cleared first.
static int load_also(const ss_document* document, const char* text, cli_loaded* out)
{
    ss_error err;
    *out = (cli_loaded){0};
    if (ss_document_clone(document, &out->document, &err) != SS_OK) return cli_print_error(&err);
    int status = change_start(out->document, text);
    if (status != CLI_GO_ON) return status;
    ss_status made = ss_document_is_slider(out->document)
                         ? ss_slider_create_from_document(out->document, &out->slider, &err)
                         : ss_model_create_from_document(out->document, &out->model, &err);
    return made == SS_OK ? CLI_GO_ON : cli_print_error_in(out->document, &err);
}

cli_loaded* cli_also_load(const ss_document* document, const cli_texts* also, int* status)
{
    cli_loaded* all = calloc((size_t)also->count + 1, sizeof *all);
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    *status = all ? CLI_GO_ON : cli_print_error(&err);
    for (int k = 0; k < also->count && *status == CLI_GO_ON; k++)
        *status = load_also(document, also->items[k], &all[k]);
    return all;
}

void cli_also_unload(cli_loaded* all, const cli_texts* also)
{
    for (int k = 0; all && k < also->count; k++) cli_unload(&all[k]);
    free(all);
}
