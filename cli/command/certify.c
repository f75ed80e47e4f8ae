// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick certify MODEL: must it come to rest, where, and from how far.
#include "text/certify_text.h"

#include "base/memory.h"
#include "base/print_answer.h"
#include "command.h"
#include "option/load.h"
#include "option/plot.h"
#include "option/target.h"
#include "share/model_parts.h"
#include "share/slider_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_common common;
    const char *require, *contains;
    bool vertices;
    cli_plot plot;
    ss_sheet sheet;
} settings;

// clang-format off
static int parse(settings* s, const cli_line* line)
{
    const cli_option options[] = {
        {.name = "--require", .value = "WHAT", .kind = CLI_TEXT, .target = &s->require,
         .choices = "global local", .help = "exit with 1 unless the verdict is at least WHAT: global or local"},
        {.name = "--contains", .value = "q1,q2,..", .kind = CLI_TEXT, .target = &s->contains,
         .help = "tell whether this point is an equilibrium, and how far from one it is"},
        {.name = "--vertices", .kind = CLI_FLAG, .target = &s->vertices,
         .help = "tell the corners of the equilibrium set also beyond three coordinates"},
        CLI_PLOT_OPTIONS(&s->plot, "a picture as FILE.svg, FILE.png or FILE.pdf: set and certified region"),
        CLI_COMMON_OPTIONS(&s->common),
    };
    static const char about[] =
        "Answers whether the system must come to rest: its equilibrium set, the theorems that apply, the\n"
        "region from which every motion ends in the set, and the argument step by step. A verdict is\n"
        "proved; not-assured means that the theorems are silent, not that the system is unstable.";
    return cli_parse_model("certify", about, options, sizeof options / sizeof options[0], &s->common, line);
}
// clang-format on

static int check_require(const settings* s)
{
    if (!s->require || strcmp(s->require, "global") == 0 || strcmp(s->require, "local") == 0)
        return CLI_GO_ON;
    return cli_option_fault("--require", s->require, "expected global or local");
}

// One coordinate, in m or rad as its body has it; by matrices it may be either.
static int take_coordinate(const settings* s, const ss_model* model, int i, const char* text, double* out)
{
    const ss_scope nothing = {0};
    ss_dimension length = {.m = 1}, angle = {0}, found;
    bool has_unit = false;
    ss_error err;
    bool angular = ss_model_body_is_angular(model, ss_model_coordinate_body(model, i));
    ss_status status = ss_quantity_parse_any(text, &nothing, out, &found, &has_unit, &err);
    bool free_unit = ss_model_is_matrices(model) && has_unit && found.m == 0.0;
    if (status == SS_OK && !free_unit)
        status = ss_quantity_parse(text, &nothing, angular ? angle : length, out, &err);
    return status == SS_OK ? CLI_GO_ON : cli_option_error("--contains", s->contains, &err);
}

static int count_elements(const char* text)
{
    int count = 1, depth = 0;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        count += *text == ',' && depth == 0;
    }
    return count;
}

static int take_point(const settings* s, const ss_model* model, double** out)
{
    int n = ss_model_coordinate_count(model), found = count_elements(s->contains), status = CLI_GO_ON;
    if (found != n)
        return cli_option_fault("--contains", s->contains, "expected %d coordinate%s, found %d", n,
                                n == 1 ? "" : "s", found);
    char* copy = malloc(strlen(s->contains) + 1);
    *out = calloc((size_t)n + 1, sizeof **out);
    if (!copy || !*out) {
        fprintf(stderr, "out of memory\n");
        free(copy);
        return CLI_UNFINISHED;
    }
    strcpy(copy, s->contains);
    char* text = copy;
    for (int i = 0; i < n && status == CLI_GO_ON; i++) {
        char *end = cli_element_end(text), *next = *end ? end + 1 : end;
        *end = '\0';
        status = take_coordinate(s, model, i, text, &(*out)[i]);
        text = next;
    }
    free(copy);
    return status;
}

static int judge(const settings* s, const ss_certificate* certificate)
{
    if (!s->require) return CLI_DONE;
    ss_verdict needed = strcmp(s->require, "global") == 0 ? SS_GLOBAL : SS_LOCAL;
    return certificate->verdict >= needed ? CLI_DONE : CLI_NOT_MET;
}

typedef struct drawing {
    const ss_model* model;
    const ss_sheet* sheet;
} drawing;

static ss_status draw_certificate(void* data, ss_error* err)
{
    const drawing* d = data;
    return ss_picture_certificate(d->model, d->sheet, err);
}

static int draw(const settings* s, const ss_model* model)
{
    ss_error err;
    drawing d = {model, &s->sheet};
    ss_status status = s->plot.path ? cli_plot_draw(draw_certificate, &d, &s->sheet, &err) : SS_OK;
    if (status == SS_OK) return CLI_GO_ON;
    return cli_option_error("--plot", s->plot.path, &err);
}

static int report(const settings* s, const cli_certified* certified)
{
    ss_answer* answer = NULL;
    ss_error err;
    const ss_membership* place = certified->point ? &certified->place : NULL;
    if (s->common.json)
        return cli_answer(&s->common, ss_answer_certificate(certified->certificate, place, &answer, &err),
                          &answer, &err);
    cli_certify_text(certified, stdout);
    return CLI_DONE;
}

typedef struct asked {
    const ss_model* model;
    const ss_certify_def* def;
    ss_certificate* certificate;
} asked;

static ss_status ask(void* data, ss_error* err)
{
    asked* a = data;
    return ss_certify(a->model, a->def, &a->certificate, err);
}

static int certify(const settings* s, const ss_model* model, const double* point)
{
    ss_certify_def def = ss_certify_def_default();
    def.vertices = s->vertices;
    ss_error err;
    asked question = {.model = model, .def = &def};
    if (cli_guard(ask, &question, &err) != SS_OK) return cli_print_error(&err);
    ss_certificate* certificate = question.certificate;
    cli_certified answer = {
        .title = ss_model_title(model), .model = model, .certificate = certificate, .point = point};
    int status = CLI_GO_ON;
    if (point && certificate->set.exists &&
        ss_certificate_locate(certificate, point, &answer.place, &err) != SS_OK)
        status = cli_print_error(&err);
    if (status == CLI_GO_ON) {
        status = draw(s, model); // first: whoever reads the answer may close the pipe
        int told = status != CLI_WRONG ? report(s, &answer) : CLI_DONE;
        if (status == CLI_GO_ON) status = told == CLI_DONE ? judge(s, certificate) : told;
    }
    ss_certificate_destroy(certificate);
    return status;
}

static int decline(const settings* s, const ss_slider* slider)
{
    ss_certificate silent = ss_certificate_of_slider();
    if (s->contains) return cli_option_fault("--contains", s->contains, "a slider rests anywhere");
    if (s->plot.path)
        return cli_option_fault("--plot", s->plot.path, "a slider has no equilibrium set to draw");
    cli_certified answer = {.title = ss_slider_title(slider), .certificate = &silent};
    int told = report(s, &answer);
    return told == CLI_DONE ? judge(s, &silent) : told;
}

static int run(const cli_line* line)
{
    settings s = {.common = cli_common_default()};
    cli_loaded loaded = {0};
    double* point = NULL;
    int status = parse(&s, line);
    if (status == CLI_GO_ON) status = check_require(&s);
    if (status == CLI_GO_ON) status = cli_plot_sheet(&s.plot, &s.common, &s.sheet);
    if (status == CLI_GO_ON) status = cli_target_check("--plot", s.plot.path);
    if (status == CLI_GO_ON) status = cli_load_any(s.common.model, &s.common.set, &loaded);
    if (status == CLI_GO_ON && loaded.slider) {
        status = decline(&s, loaded.slider);
    } else {
        if (status == CLI_GO_ON && s.contains) status = take_point(&s, loaded.model, &point);
        if (status == CLI_GO_ON) status = certify(&s, loaded.model, point);
    }
    free(point);
    cli_unload(&loaded);
    cli_common_free(&s.common);
    return status;
}

const cli_command cli_certify = {"certify", "equilibrium set, and whether it must be reached", run};
