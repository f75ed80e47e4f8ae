// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "fmu/export.h"

#include "base/memory.h"
#include "base/print_answer.h"
#include "command.h"
#include "fmu/binary.h"
#include "fmu/code.h"
#include "fmu/describe.h"
#include "fmu/tunable.h"
#include "fmu/zip.h"
#include "option/load.h"
#include "share/build.h"
#include "share/file.h"
#include "share/model_parts.h"
#include "share/slider_parts.h"
#include "slipstick/file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- names

static const char* last_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Where the bytes of a text that is UTF-8 end: behind its last whole character.
static size_t whole_characters(const char* text)
{
    size_t at = 0;
    for (size_t more = 1; text[at]; at += more) {
        unsigned char c = (unsigned char)text[at];
        more = c < 0x80                ? 1
               : c >= 0xc2 && c < 0xe0 ? 2
               : c >= 0xe0 && c < 0xf0 ? 3
               : c >= 0xf0 && c < 0xf5 ? 4
                                       : 0;
        for (size_t k = 1; k < more; k++)
            if (((unsigned char)text[at + k] & 0xc0) != 0x80) return at;
        if (more == 0) return at;
    }
    return at;
}

// The name of the model, from that of its file: "two-blocks"; and as C wants it: "two_blocks".
static void make_names(const char* path, char name[128], char identifier[128])
{
    snprintf(name, 128, "%s", last_name(path));
    while (name[whole_characters(name)])
        name[whole_characters(name)] = '_'; // XML takes whole characters alone
    char* dot = strrchr(name, '.');
    if (dot && dot > name) *dot = '\0';
    bool digit = isdigit((unsigned char)name[0]) || !name[0];
    snprintf(identifier, 128, "%s%.120s", digit ? "m" : "", name);
    for (char* c = identifier; *c; c++)
        if (!isalnum((unsigned char)*c) || (unsigned char)*c > 127) *c = '_';
}

// ---- what goes into it

typedef struct work {
    const cli_export_def* def;
    char name[128], identifier[128];
    ss_document* document;
    cli_parameters parameters;
    double* sizes;
    int size_count;
    char* resource_text;
    fmu_resource resource;
    ss_model* model;
    ss_slider* slider;
    fmu_variables variables;
} work;

static void clear(work* w)
{
    fmu_variables_free(&w->variables);
    fmu_resource_free(&w->resource);
    ss_model_destroy(w->model);
    ss_slider_destroy(w->slider);
    ss_document_destroy(w->document);
    cli_parameters_free(&w->parameters);
    free(w->resource_text);
    free(w->sizes);
}

static ss_status make_resource(work* w, ss_error* err)
{
    const cli_texts* set = w->def->set;
    bool usual = w->def->tolerance == ss_sim_def_default().tolerance;
    const fmu_resource_def def = {.document = w->document,
                                  .sets = set->items,
                                  .set_count = set->count,
                                  .paths = (const char* const*)w->parameters.paths,
                                  .tunable = w->parameters.tunable,
                                  .path_count = w->parameters.count,
                                  .sizes = w->sizes,
                                  .size_count = w->size_count,
                                  .tolerance = usual ? 0.0 : w->def->tolerance};
    free(w->resource_text);
    fmu_resource_free(&w->resource);
    w->resource_text = fmu_resource_write(&def);
    return w->resource_text ? fmu_resource_read(w->resource_text, &w->resource, err) : ss_fail_no_memory(err);
}

// With the sizes of the model's continuous states, which an FMU does not measure each time.
static ss_status add_sizes(work* w, ss_error* err)
{
    ss_error why;
    if (!w->model || ss_exchange_check(w->model, &why) != SS_OK) return SS_OK;
    w->size_count = ss_exchange_state_count(w->model);
    w->sizes = calloc((size_t)w->size_count + 1, sizeof *w->sizes);
    ss_status status = w->sizes ? ss_exchange_sizes(w->model, w->sizes, err) : ss_fail_no_memory(err);
    return status == SS_OK ? make_resource(w, err) : status;
}

static ss_status make_model(work* w, ss_error* err)
{
    const ss_document* document = w->resource.document;
    ss_status status = ss_document_is_slider(document)
                           ? ss_slider_create_from_document(document, &w->slider, err)
                           : ss_model_create_from_document(document, &w->model, err);
    if (status == SS_OK) status = add_sizes(w, err);
    if (status == SS_OK) status = fmu_variables_make(&w->resource, w->model, w->slider, &w->variables, err);
    return status;
}

static int prepare(work* w)
{
    ss_error err;
    if (cli_read_document(w->def->model, &w->document, &err) != SS_OK) return cli_print_error(&err);
    int status = cli_parameters_find(w->document, w->def->set, w->def->parameters, &w->parameters);
    if (status != CLI_GO_ON) return status;
    if (make_resource(w, &err) != SS_OK || make_model(w, &err) != SS_OK) {
        if (err.origin[0] && strncmp(err.origin, "--", 2) != 0)
            snprintf(err.origin, sizeof err.origin, "%s", w->def->model); // as it was typed
        return cli_print_error(&err);
    }
    return CLI_GO_ON;
}

// ---- the archive

static void add_text(cli_zip* zip, const char* name, fmu_buffer* text)
{
    if (!text->failed) cli_zip_add(zip, name, text->text, text->length);
}

static bool fill(const work* w, cli_zip* zip)
{
    const cli_description d = {.version = w->def->version,
                               .sources = w->def->sources,
                               .name = w->name,
                               .identifier = w->identifier,
                               .title = w->model ? ss_model_title(w->model) : ss_slider_title(w->slider),
                               .until = w->model ? ss_model_until(w->model) : ss_slider_until(w->slider),
                               .resource = &w->resource,
                               .variables = &w->variables,
                               .model = w->model,
                               .slider = w->slider};
    fmu_buffer description = {0}, page = {0}, build = {0};
    char binary[256];
    snprintf(binary, sizeof binary, "binaries/%s/%s.so", w->def->version == 2 ? "linux64" : "x86_64-linux",
             w->identifier);
    cli_describe(&d, &description);
    cli_describe_page(&d, &page);
    if (d.sources && d.version == 3) cli_describe_build(w->identifier, &build);
    bool whole = !description.failed && !page.failed && !build.failed;
    add_text(zip, "modelDescription.xml", &description);
    whole = cli_add_binary(&(cli_binary_target){zip, binary}) && whole;
    if (d.sources) whole = cli_add_code(zip) && whole;
    if (build.text) add_text(zip, "sources/buildDescription.xml", &build);
    cli_zip_add(zip, "resources/model.txt", w->resource_text, strlen(w->resource_text));
    add_text(zip, "documentation/index.html", &page);
    cli_zip_add(zip, "documentation/licenses/license.txt", cli_fmu_license,
                (size_t)(cli_fmu_license_end - cli_fmu_license));
    fmu_buffer_free(&description);
    fmu_buffer_free(&page);
    fmu_buffer_free(&build);
    return whole;
}

typedef struct archive {
    const work* w;
    cli_zip* zip;
    const void* bytes;
    size_t size;
} archive;

// minizip does not look at every allocation that fails.
static ss_status make_archive(void* data, ss_error* err)
{
    archive* a = data;
    a->zip = cli_zip_create();
    bool whole = a->zip && fill(a->w, a->zip);
    a->bytes = a->zip ? cli_zip_finish(a->zip, &a->size) : NULL;
    return whole && a->bytes ? SS_OK : ss_fail_no_memory(err);
}

static int write_archive(const work* w)
{
    ss_error err;
    archive a = {.w = w};
    if (cli_guard(make_archive, &a, &err) != SS_OK) return cli_no_memory();
    ss_status status = ss_file_write(w->def->out, a.bytes, a.size, &err);
    cli_zip_destroy(a.zip);
    return status == SS_OK ? CLI_DONE : cli_option_error("-o", w->def->out, &err);
}

typedef struct counts {
    int inputs, outputs, tunable;
} counts;

static counts count(const work* w)
{
    counts c = {0};
    for (int k = 0; k < w->variables.count; k++) {
        c.outputs += fmu_is_output(&w->variables.at[k]);
        c.inputs += w->variables.at[k].kind == FMU_INPUT;
    }
    for (int k = 0; k < w->resource.parameter_count; k++) c.tunable += w->resource.parameters[k].tunable;
    return c;
}

static int report_json(const work* w)
{
    counts c = count(w);
    ss_answer* answer = NULL;
    ss_error err;
    ss_status status = ss_answer_create(&answer, &err);
    if (status == SS_OK) {
        ss_answer_object(answer, true);
        ss_answer_put_text(answer, "file", w->def->out);
        ss_answer_put_number(answer, "fmi", w->def->version);
        ss_answer_put_bool(answer, "co_simulation", true);
        ss_answer_put_bool(answer, "model_exchange", !w->variables.no_exchange);
        if (w->variables.no_exchange) ss_answer_put_text(answer, "reason", w->variables.reason);
        ss_answer_put_number(answer, "inputs", c.inputs);
        ss_answer_put_number(answer, "outputs", c.outputs);
        ss_answer_put_number(answer, "parameters", w->resource.parameter_count);
        ss_answer_put_number(answer, "tunable", c.tunable);
        ss_answer_put_number(answer, "states", w->variables.states);
        ss_answer_put_number(answer, "event_indicators", w->variables.indicators);
        ss_answer_end(answer);
        status = ss_answer_finish(answer, &err);
    }
    return cli_answer(NULL, status, &answer, &err);
}

static const char* plural(int count) { return count == 1 ? "" : "s"; }

static int report(const work* w)
{
    counts c = count(w);
    int parameters = w->resource.parameter_count;
    if (w->def->json) return report_json(w);
    printf("%s: FMI %d.0, Co-Simulation%s; %d input%s, %d output%s, %d parameter%s (%d tunable)\n",
           w->def->out, w->def->version, w->variables.no_exchange ? "" : " and Model Exchange", c.inputs,
           plural(c.inputs), c.outputs, plural(c.outputs), parameters, plural(parameters), c.tunable);
    if (w->variables.no_exchange) printf("no Model Exchange: %s\n", w->variables.reason);
    return CLI_DONE;
}

int cli_export(const cli_export_def* def)
{
    work w = {.def = def};
    make_names(def->model, w.name, w.identifier);
    int status = prepare(&w);
    if (status == CLI_GO_ON) status = write_archive(&w);
    if (status == CLI_DONE) status = report(&w);
    clear(&w);
    return status;
}
