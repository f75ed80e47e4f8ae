// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "option/load.h"

#include "base/memory.h"
#include "command.h"
#include "share/node.h"
#include "slipstick/lab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int cli_print_error(const ss_error* err)
{
    char text[1024];
    fprintf(stderr, "%s\n", ss_error_format(err, text, sizeof text));
    return err->status == SS_NO_MEMORY || err->status == SS_NOT_FOUND ? CLI_UNFINISHED : CLI_WRONG;
}

int cli_print_error_in(const ss_document* document, ss_error* err)
{
    if (document) ss_document_locate(document, err);
    return cli_print_error(err);
}

int cli_set(ss_document* document, const char* option, const char* text)
{
    const char* equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return cli_option_fault(option, text, "expected PATH=VALUE, such as contacts.floor.friction=2");
    size_t length = (size_t)(equals - text), size = strlen(option) + strlen(text) + 2;
    char *path = malloc(length + 1), *origin = malloc(size);
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    ss_status status = SS_NO_MEMORY;
    if (path && origin) {
        snprintf(path, length + 1, "%s", text);
        snprintf(origin, size, "%s %s", option, text);
        status = ss_document_set(document, path, equals + 1, origin, &err);
    }
    free(path);
    free(origin);
    return status == SS_OK ? CLI_GO_ON : cli_print_error(&err);
}

typedef struct reading {
    const char* path;
    ss_document* document;
} reading;

static ss_status read_document(void* data, ss_error* err)
{
    reading* r = data;
    return ss_document_read_yaml(r->path, &r->document, err);
}

ss_status cli_read_document(const char* path, ss_document** out, ss_error* err)
{
    reading r = {path, NULL};
    ss_status status = cli_guard(read_document, &r, err);
    *out = status == SS_OK ? r.document : NULL;
    return status;
}

typedef enum form { ANY, MODEL, SLIDER } form;

// Changes the document by all texts of one option.
static int set_all(ss_document* document, const char* option, const cli_texts* texts)
{
    int status = CLI_GO_ON;
    for (int k = 0; k < texts->count && status == CLI_GO_ON; k++)
        status = cli_set(document, option, texts->items[k]);
    return status;
}

static void warn(void* user, const char* text)
{
    (void)user;
    fprintf(stderr, "warning: %s\n", text);
}

static int warn_of_names(const ss_document* document)
{
    return ss_document_doubt_units(document, warn, NULL) ? CLI_GO_ON : cli_no_memory();
}

static int load(const char* path, const cli_texts* sets, const cli_texts* nears, form wanted, cli_loaded* out)
{
    ss_error err;
    *out = (cli_loaded){0};
    if (cli_read_document(path, &out->document, &err) != SS_OK) return cli_print_error(&err);
    int status = set_all(out->document, "--set", sets);
    if (status == CLI_GO_ON && nears) status = set_all(out->document, "--near", nears);
    if (status == CLI_GO_ON && wanted == MODEL && ss_document_is_slider(out->document)) {
        fprintf(stderr, "%s: this is a slider; this command takes bodies or matrices\n", path);
        status = CLI_WRONG;
    }
    if (status == CLI_GO_ON) {
        if (wanted == ANY) wanted = ss_document_is_slider(out->document) ? SLIDER : MODEL;
        ss_status made = wanted == SLIDER ? ss_slider_create_from_document(out->document, &out->slider, &err)
                                          : ss_model_create_from_document(out->document, &out->model, &err);
        if (made != SS_OK) status = cli_print_error(&err);
    }
    if (status != CLI_GO_ON) cli_unload(out);
    return status;
}

static int load_and_warn(const char* path, const cli_texts* sets, const cli_texts* nears, form wanted,
                         cli_loaded* out)
{
    int status = load(path, sets, nears, wanted, out);
    return status == CLI_GO_ON ? warn_of_names(out->document) : status;
}

int cli_load(const char* path, const cli_texts* sets, cli_loaded* out)
{
    return load_and_warn(path, sets, NULL, MODEL, out);
}

int cli_load_near(const char* path, const cli_texts* sets, const cli_texts* nears, cli_loaded* out)
{
    return load_and_warn(path, sets, nears, MODEL, out);
}

int cli_load_slider(const char* path, const cli_texts* sets, cli_loaded* out)
{
    return load_and_warn(path, sets, NULL, SLIDER, out);
}

int cli_load_any(const char* path, const cli_texts* sets, cli_loaded* out)
{
    return load_and_warn(path, sets, NULL, ANY, out);
}

int cli_load_to_check(const char* path, const cli_texts* sets, cli_loaded* out)
{
    int status = load(path, sets, NULL, ANY, out);
    return status == CLI_GO_ON && out->slider ? warn_of_names(out->document) : status;
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
    struct stat about;
    errno = 0;
    bool there = stat(path, &about) == 0 && S_ISREG(about.st_mode); // a pipe that was read has no more to say
    FILE* file = there ? fopen(path, "rb") : NULL;
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

int cli_model_text(const char* path, const cli_texts* sets, char** out)
{
    char* text = cli_read_text(path);
    *out = NULL;
    if (!text && errno == ENOMEM) return cli_no_memory();
    for (int k = 0; text && k < sets->count; k++) {
        size_t length = strlen(text), more = strlen(sets->items[k]) + sizeof "\n# --set \n";
        const char* new_line = length > 0 && text[length - 1] != '\n' ? "\n" : "";
        char* longer = realloc(text, length + more);
        if (!longer) {
            free(text);
            return cli_no_memory();
        }
        snprintf(longer + length, more, "%s# --set %s\n", new_line, sets->items[k]);
        text = longer;
    }
    *out = text;
    return CLI_GO_ON;
}
