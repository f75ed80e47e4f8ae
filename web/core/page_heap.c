// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The model: from the nodes that JavaScript has read, and what it is.
#include "page.h"

#include "share/build.h"
#include "share/error.h"
#include "share/law.h"
#include "share/model_parts.h"
#include "share/slider_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

EXPORT(page_create) page* page_create(void) { return calloc(1, sizeof(page)); }

// Memory for what JavaScript hands over; to be freed by page_free.
EXPORT(page_alloc) void* page_alloc(size_t size) { return malloc(size ? size : 1); }
EXPORT(page_free) void page_free(void* memory) { free(memory); }

EXPORT(page_text) const char* page_text(const page* p) { return p->text; }
EXPORT(page_text_length) size_t page_text_length(const page* p) { return p->length; }

static void forget_model(page* p)
{
    page_forget_motion(p);
    page_forget_trial(p);
    page_forget_map(p);
    ss_mesh_free(&p->mesh);
    p->mesh = (ss_mesh){0};
    ss_model_destroy(p->model);
    ss_slider_destroy(p->slider);
    ss_document_destroy(p->document);
    p->model = NULL;
    p->slider = NULL;
    p->document = NULL;
}

EXPORT(page_destroy) void page_destroy(page* p)
{
    if (!p) return;
    forget_model(p);
    free(p->text);
    free(p);
}

// ---- the document

EXPORT(page_begin) bool page_begin(page* p, const char* name)
{
    forget_model(p);
    return ss_document_create(name, &p->document, &p->err) == SS_OK;
}

// Places: line and column of the key, of the value, and where its text begins.
EXPORT(page_add)
ss_node* page_add(page* p, ss_node* parent, ss_node_kind kind, const char* key, const char* text,
                  const int places[5])
{
    ss_node* node = NULL;
    ss_node_def def = {.kind = kind,
                       .key = key,
                       .key_line = places[0],
                       .key_column = places[1],
                       .text = text,
                       .length = text ? strlen(text) : 0,
                       .line = places[2],
                       .column = places[3],
                       .text_column = places[4]};
    return ss_document_add(p->document, parent, &def, &node, &p->err) == SS_OK ? node : NULL;
}

EXPORT(page_set) bool page_set(page* p, const char* path, const char* value, const char* option)
{
    return ss_document_set(p->document, path, value, option, &p->err) == SS_OK;
}

EXPORT(page_load) bool page_load(page* p)
{
    ss_status status = ss_document_is_slider(p->document)
                           ? ss_slider_create_from_document(p->document, &p->slider, &p->err)
                           : ss_model_create_from_document(p->document, &p->model, &p->err);
    return status == SS_OK;
}

// A number with its unit, such as "1 mm", in SI; NaN where it is none.
EXPORT(page_measure) double page_measure(page* p, const char* text)
{
    double value = NAN;
    ss_dimension dimension;
    bool has_unit;
    ss_scope scope = {0};
    return ss_quantity_parse_any(text, &scope, &value, &dimension, &has_unit, &p->err) == SS_OK ? value : NAN;
}

// A number of a dimension (exponents of metre and second) or without a unit, in SI.
EXPORT(page_quantity)
bool page_quantity(page* p, const char* text, double metres, double seconds, double* out)
{
    ss_scope scope = {0};
    ss_dimension dimension = {.m = metres, .s = seconds};
    return ss_quantity_parse(text, &scope, dimension, out, &p->err) == SS_OK;
}

bool page_needs_model(page* p)
{
    if (p->model) return true;
    ss_fail(&p->err, SS_BAD_INPUT, NULL, "this is a slider; maps, cycles and trials take bodies or matrices");
    return false;
}

bool page_needs_slider(page* p)
{
    if (p->slider) return true;
    ss_fail(&p->err, SS_BAD_INPUT, "slider", "is missing: only a slider has a limit surface");
    return false;
}

// ---- answers

bool page_report(page* p, ss_status status, ss_answer* answer)
{
    free(p->text);
    p->text = NULL;
    p->length = 0;
    if (status == SS_OK) {
        p->length = ss_answer_format_json(answer, NULL, 0);
        p->text = malloc(p->length + 1);
        if (p->text)
            ss_answer_format_json(answer, p->text, p->length + 1);
        else
            status = ss_fail_no_memory(&p->err);
    }
    ss_answer_destroy(answer);
    return status == SS_OK;
}

// The error as JSON, with its place in the document.
EXPORT(page_error) bool page_error(page* p)
{
    ss_error err = p->err, other;
    char whole[1024];
    ss_answer* answer = NULL;
    if (p->document) ss_document_locate(p->document, &err);
    if (ss_answer_create(&answer, &other) != SS_OK) return false;
    ss_answer_object(answer, false);
    ss_answer_put_number(answer, "status", err.status);
    ss_answer_put_text(answer, "origin", err.origin);
    ss_answer_put_number(answer, "line", err.line);
    ss_answer_put_number(answer, "column", err.column);
    ss_answer_put_text(answer, "field", err.field);
    ss_answer_put_text(answer, "text", err.text);
    ss_answer_put_text(answer, "message", ss_error_format(&err, whole, sizeof whole));
    ss_answer_end(answer);
    return page_report(p, ss_answer_finish(answer, &other), answer);
}

// ---- what it is

static void put_bodies(ss_answer* answer, const ss_model* model)
{
    ss_answer_put_list(answer, "bodies", false);
    for (int k = 0; k < ss_model_body_count(model); k++) {
        ss_answer_object(answer, false);
        ss_answer_put_text(answer, "name", ss_model_body_name(model, k));
        ss_answer_put_bool(answer, "angular", ss_model_body_is_angular(model, k));
        ss_answer_put_bool(answer, "driven", ss_model_body_is_driven(model, k));
        ss_answer_put_number(answer, "x", ss_model_start_x(model, k));
        ss_answer_put_number(answer, "v", ss_model_start_v(model, k));
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

static void put_contacts(ss_answer* answer, const ss_model* model)
{
    ss_answer_put_list(answer, "contacts", false);
    for (int k = 0; k < ss_model_contact_count(model); k++) {
        ss_law_kind law = ss_model_contact_law(model, k);
        const char* element = ss_law_element_word(law);
        ss_answer_object(answer, false);
        ss_answer_put_text(answer, "name", ss_model_contact_name(model, k));
        ss_answer_put_text(answer, "law", ss_model_contact_law_name(model, k));
        ss_answer_put_bool(answer, "angular", ss_model_contact_is_angular(model, k));
        ss_answer_put_bool(answer, "stops", ss_law_has(law, SS_TRAIT_STOPS));
        ss_answer_put_bool(answer, "bristles", ss_model_contact_has(model, k, SS_TRAIT_BRISTLES));
        ss_answer_put_bool(answer, "z", ss_law_has(law, SS_TRAIT_Z));
        ss_answer_put_number(answer, "elements", ss_moment_elements(model, k));
        ss_answer_put_word(answer, "element", element ? element : "");
        ss_answer_put_bool(answer, "element_is_force", ss_law_has(law, SS_TRAIT_MANY));
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

static void put_numbers(ss_answer* answer, const ss_model* model)
{
    ss_answer_put_list(answer, "numbers", false);
    int first = 0;
    char unit[64];
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++) {
        int count = ss_model_number_count(model, kind);
        for (int k = 0; k < count; k++) {
            ss_answer_object(answer, false);
            ss_answer_put_text(answer, "name", ss_model_number_name(model, first + k));
            ss_answer_put_word(answer, "kind", ss_number_kind_name(kind));
            ss_dimension_format(ss_model_number_dimension(model, first + k), unit, sizeof unit);
            ss_answer_put_text(answer, "unit", unit);
            ss_answer_end(answer);
        }
        first += count;
    }
    ss_answer_end(answer);
    ss_answer_put_list(answer, "inputs", false);
    for (int k = 0; k < ss_model_input_count(model); k++)
        ss_answer_text(answer, ss_model_input_name(model, k));
    ss_answer_end(answer);
}

static void put_slider(ss_answer* answer, const ss_slider* slider)
{
    double place[3], speed[3];
    ss_slider_start(slider, place, speed);
    ss_answer_put_number(answer, "mass", ss_slider_mass(slider));
    ss_answer_put_number(answer, "gyration", ss_slider_gyration(slider));
    ss_answer_put_number(answer, "gravity", ss_slider_gravity(slider));
    ss_answer_put_bool(answer, "turns_with_floor", ss_slider_floor_is_anisotropic(slider));
    ss_answer_put_bool(answer, "floor_moves", ss_slider_floor_moves(slider));
    ss_answer_put_numbers(answer, "place", place, 3);
    ss_answer_put_numbers(answer, "speed", speed, 3);
    ss_answer_put_list(answer, "supports", false);
    for (int k = 0; k < ss_slider_support_count(slider); k++) {
        ss_slider_support_place(slider, k, place);
        ss_answer_object(answer, false);
        ss_answer_put_word(answer, "kind", ss_support_kind_name(ss_slider_support_kind(slider, k)));
        ss_answer_put_number(answer, "level", ss_slider_support_level(slider, k));
        ss_answer_put_numbers(answer, "place", place, 2);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
    int fingers = ss_slider_contact_count(slider) - ss_slider_support_count(slider);
    ss_answer_put_number(answer, "fingers", fingers);
    ss_answer_put_bool(answer, "quasistatic", ss_slider_get_info(slider).quasistatic);
}

// Names and kinds of all that moves and rubs: what the views need to draw.
EXPORT(page_describe) bool page_describe(page* p)
{
    ss_answer* answer = NULL;
    ss_status status = ss_answer_create(&answer, &p->err);
    if (status != SS_OK) return false;
    ss_answer_object(answer, false);
    ss_answer_put_text(answer, "title", p->slider ? ss_slider_title(p->slider) : ss_model_title(p->model));
    ss_answer_put_number(answer, "until", p->slider ? ss_slider_until(p->slider) : ss_model_until(p->model));
    ss_answer_put_number(answer, "width", page_row_width(p));
    if (p->slider) {
        put_slider(answer, p->slider);
    } else {
        put_bodies(answer, p->model);
        put_contacts(answer, p->model);
        put_numbers(answer, p->model);
        ss_answer_put_bool(answer, "open", ss_model_is_open(p->model));
    }
    ss_answer_end(answer);
    return page_report(p, ss_answer_finish(answer, &p->err), answer);
}
