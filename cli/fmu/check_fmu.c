// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // mkdtemp

#include "fmu/check_fmu.h"

#include "base/print_answer.h"
#include "command.h"
#include "fmu/code.h"
#include "fmu/describe.h"
#include "fmu/importer.h"
#include "fmu/solver.h"
#include "fmu/zip.h"
#include "option/load.h"
#include "share/build.h"
#include "share/model_parts.h"
#include "share/run.h"
#include "share/slider_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 1000, LOOKS = 20, EVENTS = 20 };

// What a kind of run has shown.
typedef struct finding {
    double until, difference;
    int events;
    bool agrees;
    char fault[512]; // why it did not get that far; "": it did
} finding;

typedef struct work {
    const char* path;
    cli_fmu_look look;
    bool own; // the binary is that of this program
    size_t binary_size, resource_size;
    char* bytes; // of the binary
    char *description, *resource_text;
    int version;
    char identifier[128], name[128];
    char folder[1024], resources[1040], model_file[1056], binary[1056];
    fmu_resource resource;
    ss_model* model;
    ss_slider* slider;
    fmu_variables variables;
    ss_sim* sim; // the truth
    ss_slide* slide;
    cli_importer importer;
    int line; // of the description, the first that is not as it should be; 0: none
    finding steps, exchange;
} work;

// ---- what is in it

// The character that *at begins with, which XML may have written by its name; moves on behind it.
static char read_character(const char** at)
{
    static const struct {
        const char* name;
        char is;
    } named[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t k = 0; k < sizeof named / sizeof named[0]; k++) {
        size_t length = strlen(named[k].name);
        if (strncmp(*at, named[k].name, length) != 0) continue;
        *at += length;
        return named[k].is;
    }
    return *(*at)++;
}

// The value of the first attribute of that name.
static void find_attribute(const char* text, const char* name, char* out, size_t size)
{
    char key[64];
    snprintf(key, sizeof key, " %s=\"", name);
    const char* at = strstr(text, key);
    at = at ? at + strlen(key) : "";
    for (size_t k = 1; k < size && *at && *at != '"'; k++) *out++ = read_character(&at);
    *out = '\0';
}

static bool write_file(const char* path, const void* bytes, size_t size)
{
    FILE* file = fopen(path, "wb");
    bool whole = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && whole;
}

static int fail(const char* path, const char* text)
{
    fprintf(stderr, "%s: %s\n", path, text);
    return CLI_WRONG;
}

// A file of the archive, to be freed; NULL: it has been told why not.
static char* extract(const work* w, const char* name, size_t* size)
{
    const char* why;
    char* bytes = cli_zip_extract(w->path, name, size, &why);
    if (!bytes) fprintf(stderr, "%s: not an FMU made by slipstick fmu: %s %s\n", w->path, name, why);
    return bytes;
}

// What is looked at comes out of the archive into memory.
static int extract_all(work* w)
{
    size_t size = 0;
    char version[8], name[256];
    const char* wrong = cli_zip_suspect(w->path, name, sizeof name);
    if (wrong) {
        fprintf(stderr, "%s: not an FMU made by slipstick fmu: %s %s\n", w->path, name, wrong);
        return CLI_WRONG;
    }
    w->description = extract(w, "modelDescription.xml", &size);
    w->resource_text = w->description ? extract(w, "resources/model.txt", &w->resource_size) : NULL;
    if (!w->resource_text) return CLI_WRONG;
    find_attribute(w->description, "fmiVersion", version, sizeof version);
    find_attribute(w->description, "modelIdentifier", w->identifier, sizeof w->identifier);
    find_attribute(w->description, "modelName", w->name, sizeof w->name);
    w->version = version[0] == '3' ? 3 : 2;
    snprintf(name, sizeof name, "binaries/%s/%s.so", w->version == 2 ? "linux64" : "x86_64-linux",
             w->identifier);
    w->bytes = extract(w, name, &w->binary_size);
    if (!w->bytes) return CLI_WRONG;
    w->own = cli_is_own_binary(w->bytes, w->binary_size);
    return CLI_GO_ON;
}

// What is run needs files. Their names are ours, whatever those in the archive are.
static int unpack(work* w)
{
    const char* given = getenv("TMPDIR");
    int length =
        snprintf(w->folder, sizeof w->folder, "%s/slipstick-XXXXXX", given && given[0] ? given : "/tmp");
    bool made = length < (int)sizeof w->folder && mkdtemp(w->folder) != NULL;
    if (!made) w->folder[0] = '\0';
    snprintf(w->resources, sizeof w->resources, "%s/resources", w->folder);
    snprintf(w->model_file, sizeof w->model_file, "%s/model.txt", w->resources);
    snprintf(w->binary, sizeof w->binary, "%s/binary.so", w->folder);
    made = made && mkdir(w->resources, 0700) == 0 &&
           write_file(w->model_file, w->resource_text, w->resource_size) &&
           write_file(w->binary, w->bytes, w->binary_size);
    if (made) return CLI_GO_ON;
    fprintf(stderr, "%s: cannot be unpacked: %s\n", w->path, strerror(errno));
    return CLI_UNFINISHED;
}

static int load(work* w)
{
    ss_error err;
    ss_status status = fmu_resource_read(w->resource_text, &w->resource, &err);
    const ss_document* document = w->resource.document;
    if (status == SS_OK)
        status = ss_document_is_slider(document) ? ss_slider_create_from_document(document, &w->slider, &err)
                                                 : ss_model_create_from_document(document, &w->model, &err);
    if (status == SS_OK) status = fmu_variables_make(&w->resource, w->model, w->slider, &w->variables, &err);
    return status == SS_OK ? CLI_GO_ON : cli_print_error(&err);
}

static int import(work* w)
{
    w->importer = (cli_importer){.version = w->version, .token = w->resource.token, .folder = w->resources};
    return cli_import(&w->importer, w->binary) ? CLI_GO_ON : fail(w->path, w->importer.fault);
}

static void clear(work* w)
{
    cli_import_close(&w->importer);
    ss_sim_destroy(w->sim);
    ss_slide_destroy(w->slide);
    fmu_variables_free(&w->variables);
    ss_model_destroy(w->model);
    ss_slider_destroy(w->slider);
    fmu_resource_free(&w->resource);
    free(w->description);
    free(w->resource_text);
    free(w->bytes);
    if (!w->folder[0]) return;
    remove(w->model_file);
    remove(w->binary);
    rmdir(w->resources);
    rmdir(w->folder);
}

// ---- the description

// What this program would write for the model inside is what should stand there.
static void look_at_description(work* w)
{
    const cli_description d = {.version = w->version,
                               .sources = strstr(w->description, "<SourceFiles>") != NULL,
                               .name = w->name,
                               .identifier = w->identifier,
                               .title = w->model ? ss_model_title(w->model) : ss_slider_title(w->slider),
                               .until = w->model ? ss_model_until(w->model) : ss_slider_until(w->slider),
                               .resource = &w->resource,
                               .variables = &w->variables,
                               .model = w->model,
                               .slider = w->slider};
    fmu_buffer wanted = {0};
    cli_describe(&d, &wanted);
    const char *a = w->description, *b = wanted.failed ? "" : wanted.text;
    int line = 1;
    for (; *a && *a == *b; a++, b++) line += *a == '\n';
    w->line = *a == *b ? 0 : line;
    fmu_buffer_free(&wanted);
}

// ---- the motion

static ss_status restart(work* w, ss_error* err)
{
    ss_sim_destroy(w->sim);
    ss_slide_destroy(w->slide);
    w->sim = NULL;
    w->slide = NULL;
    ss_sim_def def = ss_sim_def_default();
    ss_slide_def slide = ss_slide_def_default();
    def.tolerance = slide.tolerance = w->resource.tolerance;
    return w->model ? ss_sim_create(w->model, &def, &w->sim, err)
                    : ss_slide_create(w->slider, &slide, &w->slide, err);
}

static ss_status advance(work* w, double t, ss_error* err)
{
    ss_outcome outcome;
    return w->sim ? ss_sim_advance(w->sim, t, &outcome, err) : ss_slide_advance(w->slide, t, &outcome, err);
}

// The variable as the model says; NaN: not compared.
static double truth(const work* w, const fmu_variable* v)
{
    if (v->kind == FMU_QUANTITY) {
        double value = ss_quantity_now(v->of, w->sim, NULL);
        return fmu_is_mode(v) ? fmu_mode_number(v->modes, (ss_mode)value) : value;
    }
    if (v->kind == FMU_STATE) return ss_sim_states(w->sim)[v->index];
    if (v->kind == FMU_MEMORY) return ss_sim_memory(w->sim)[v->index];
    if (v->kind == FMU_SUPPORT) return fmu_mode_number(v->modes, ss_slide_support(w->slide, v->index).mode);
    if (v->kind == FMU_LOAD) return ss_slide_support(w->slide, v->index).force[v->component];
    if (v->kind != FMU_PLACE) return NAN;
    ss_slider_state s = ss_slide_state(w->slide);
    return ss_quantity_at(v->of, &(ss_moment){.slide = &s});
}

// The largest difference, relative to numbers above 1; INFINITY where a value cannot be got.
static double compare(work* w, double worst)
{
    for (int k = 0; k < w->variables.count; k++) {
        const fmu_variable* v = &w->variables.at[k];
        double wanted = truth(w, v), got;
        if (isnan(wanted)) continue;
        if (!cli_import_get(&w->importer, (uint32_t)k, fmu_is_mode(v), &got)) return INFINITY;
        worst = fmax(worst, fabs(got - wanted) / fmax(1.0, fabs(wanted)));
    }
    return worst;
}

static finding judge(const work* w, double difference, double most, double until)
{
    return (finding){
        .until = until, .difference = difference, .events = w->importer.events, .agrees = difference <= most};
}

static finding fail_run(const char* fault)
{
    finding found = {0};
    snprintf(found.fault, sizeof found.fault, "%s", fault);
    return found;
}

static int run_steps(work* w, double until)
{
    ss_error err;
    double worst = 0.0;
    if (restart(w, &err) != SS_OK) return cli_print_error(&err);
    bool goes = cli_import_begin(&w->importer, false);
    for (int k = 0; k < STEPS && goes; k++) {
        goes = cli_import_step(&w->importer, until * k / STEPS, until * (k + 1) / STEPS);
        if (!goes || (k + 1) % (STEPS / LOOKS) != 0) continue;
        if (advance(w, until * (k + 1) / STEPS, &err) != SS_OK) return cli_print_error(&err);
        worst = compare(w, worst);
    }
    w->steps = goes ? judge(w, worst, 1e-12, until) : fail_run(w->importer.fault);
    return CLI_GO_ON;
}

// A time between events, after some of them.
static double time_after_events(work* w, double until)
{
    ss_error err;
    ss_outcome outcome;
    bool met = true;
    double t = 0.0, last = 0.0;
    for (int k = 0; k <= EVENTS && met; k++) {
        last = t;
        if (ss_sim_advance_to_event(w->sim, until, &met, &outcome, &err) != SS_OK) return last;
        t = met ? ss_sim_time(w->sim) : until;
    }
    return met ? 0.5 * (last + t) : until;
}

static int run_exchange(work* w, double until)
{
    ss_error err;
    w->exchange.agrees = true; // also where there is none
    if (w->variables.no_exchange) return CLI_GO_ON;
    if (restart(w, &err) != SS_OK) return cli_print_error(&err);
    until = time_after_events(w, until);
    if (restart(w, &err) != SS_OK || advance(w, until, &err) != SS_OK) return cli_print_error(&err);
    const char* fault = cli_import_begin(&w->importer, true)
                            ? cli_solve(&w->importer, w->variables.states, w->variables.indicators, until)
                            : w->importer.fault;
    w->exchange = fault ? fail_run(fault) : judge(w, compare(w, 0.0), 1e-6, until);
    return CLI_GO_ON;
}

// ---- telling

static bool is_good(const work* w)
{
    if (!w->look.run) return w->line == 0 && w->own;
    return w->line == 0 && w->steps.agrees && w->exchange.agrees;
}

static void report_kind(const char* name, const finding* found)
{
    if (found->fault[0])
        printf("%s: %s\n", name, found->fault);
    else
        printf("%s: up to t = %.9g s, %d events; largest difference %.2g\n", name, found->until,
               found->events, found->difference);
}

// FMI 2 describes no inputs' slopes: they are set by a function of their own.
static int described_count(const work* w)
{
    int count = 0;
    for (int k = 0; k < w->variables.count; k++)
        count += w->version != 2 || w->variables.at[k].kind != FMU_SLOPE;
    return count;
}

static int report(const work* w)
{
    if (w->line == 0)
        printf("description: FMI %d.0, %d variables, as it should be\n", w->version, described_count(w));
    else
        printf("description: line %d is not what the model inside asks for\n", w->line);
    if (w->own)
        printf("binary: that of slipstick %s, to the bit\n", ss_version());
    else
        printf("binary: not that of slipstick %s\n", ss_version());
    if (!w->look.run) return CLI_DONE;
    report_kind("Co-Simulation", &w->steps);
    if (w->variables.no_exchange)
        printf("Model Exchange: none; %s\n", w->variables.reason);
    else
        report_kind("Model Exchange", &w->exchange);
    return CLI_DONE;
}

static void put_kind(ss_answer* answer, const char* key, const finding* found)
{
    ss_answer_put_object(answer, key, false);
    ss_answer_put_bool(answer, "agrees", found->agrees);
    if (found->fault[0]) {
        ss_answer_put_text(answer, "fault", found->fault);
    } else {
        ss_answer_put_number(answer, "until", found->until);
        ss_answer_put_number(answer, "events", found->events);
        ss_answer_put_number(answer, "difference", found->difference);
    }
    ss_answer_end(answer);
}

static void put_runs(ss_answer* answer, const work* w)
{
    put_kind(answer, "co_simulation", &w->steps);
    if (!w->variables.no_exchange) put_kind(answer, "model_exchange", &w->exchange);
    if (w->variables.no_exchange) ss_answer_put_null(answer, "model_exchange");
    if (w->variables.no_exchange) ss_answer_put_text(answer, "reason", w->variables.reason);
}

static int report_json(const work* w)
{
    ss_answer* answer = NULL;
    ss_error err;
    ss_status status = ss_answer_create(&answer, &err);
    if (status == SS_OK) {
        ss_answer_object(answer, true);
        ss_answer_put_number(answer, "fmi", w->version);
        ss_answer_put_number(answer, "variables", described_count(w));
        ss_answer_put_bool(answer, "agrees", is_good(w));
        ss_answer_put_object(answer, "description", false);
        ss_answer_put_bool(answer, "agrees", w->line == 0);
        if (w->line > 0) ss_answer_put_number(answer, "line", w->line);
        ss_answer_end(answer);
        ss_answer_put_object(answer, "binary", false);
        ss_answer_put_bool(answer, "own", w->own);
        ss_answer_end(answer);
        if (w->look.run) put_runs(answer, w);
        ss_answer_end(answer);
        status = ss_answer_finish(answer, &err);
    }
    return cli_answer(NULL, status, &answer, &err);
}

static int run_both(work* w)
{
    double until = w->model ? ss_model_until(w->model) : ss_slider_until(w->slider);
    int status = import(w);
    if (status == CLI_GO_ON) status = run_steps(w, until);
    return status == CLI_GO_ON ? run_exchange(w, until) : status;
}

static int look_at(work* w)
{
    int status = load(w);
    if (status == CLI_GO_ON) look_at_description(w);
    if (status == CLI_GO_ON && w->look.run) status = run_both(w);
    if (status == CLI_GO_ON) status = w->look.json ? report_json(w) : report(w);
    return status != CLI_DONE || is_good(w) ? status : CLI_NOT_MET;
}

static bool read_byte(int from, unsigned char* out)
{
    ssize_t count;
    while ((count = read(from, out, 1)) < 0 && errno == EINTR) continue;
    return count == 1;
}

// Binaries of strangers run in a process of their own, which a damaged one may end as it likes.
static int look_apart(work* w)
{
    int ended = 0, ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) return fail(w->path, "cannot be run");
    pid_t child = fork(), done = child;
    if (child == 0) {
        unsigned char verdict = (unsigned char)look_at(w);
        fflush(stdout);
        _exit(write(ends[1], &verdict, 1) != 1);
    }
    close(ends[1]);
    unsigned char verdict = CLI_WRONG; // handed over by the child, whatever else the binary may end it with
    bool told = child > 0 && read_byte(ends[0], &verdict);
    close(ends[0]);
    while (child > 0 && (done = waitpid(child, &ended, 0)) < 0 && errno == EINTR) continue;
    if (child < 0 || done != child) return fail(w->path, "cannot be run");
    if (told) return verdict;
    if (WIFSIGNALED(ended))
        fprintf(stderr, "%s: its binary is damaged: it was ended by signal %d\n", w->path, WTERMSIG(ended));
    else
        fail(w->path, "its binary is damaged: it ended the check");
    return CLI_WRONG;
}

int cli_check_fmu(const char* path, const cli_fmu_look* look)
{
    work w = {.path = path, .look = *look};
    int status = extract_all(&w);
    if (status == CLI_GO_ON && look->run && !w.own && !look->trust)
        status = fail(path, "its binary is not that of this program; --trust runs it, with all your rights");
    if (status == CLI_GO_ON && look->run) status = unpack(&w);
    if (status == CLI_GO_ON) status = look->run ? look_apart(&w) : look_at(&w);
    clear(&w);
    return status;
}
