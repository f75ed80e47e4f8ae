// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From what an importer has set to a model and its run. Parameters, starts of states and inputs are changes
// of the model's document, as --set makes them, so that they are checked as a model file is, and a fault
// names its field.
#include "instance.h"
#include "share/model_parts.h"
#include "share/node.h"
#include "share/number.h"
#include "share/slider_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what a run tells

static void on_event(void* user, const ss_event* event)
{
    fmu_instance* instance = user;
    fmu_log(instance, FMU_OK, FMU_TOPIC_EVENT, "t = %.17g s: %s: %s to %s%s", event->t,
            ss_model_contact_name(instance->model, event->contact), ss_mode_name(event->from),
            ss_mode_name(event->to),
            event->kind == SS_EVENT_IMPACT         ? ", impact"
            : event->kind == SS_EVENT_ACCUMULATION ? ", accumulation"
                                                   : "");
}

static void on_slide_event(void* user, const ss_slide_event* event)
{
    const fmu_instance* instance = user;
    char name[24];
    fmu_log(user, FMU_OK, FMU_TOPIC_EVENT, "t = %.17g s: %s: %s to %s", event->t + instance->offset,
            ss_slider_contact_label(instance->slider, event->support, name), ss_mode_name(event->from),
            ss_mode_name(event->to));
}

static void on_note(void* user, const ss_note* note)
{
    fmu_log(user, FMU_OK, FMU_TOPIC_NOTE, "t = %.17g s: %s", note->t, note->text);
}

ss_sim_def fmu_sim_def(fmu_instance* instance)
{
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = instance->set.tolerance;
    def.max_events = 1000000000000L;
    def.ledger = false; // nobody asks for it
    def.on_event = on_event;
    def.on_note = on_note;
    def.user = instance;
    return def;
}

static ss_slide_def slide_def(fmu_instance* instance, const double starts[6])
{
    ss_slide_def def = ss_slide_def_default();
    def.start = starts;
    def.start_speed = starts + 3;
    def.tolerance = instance->set.tolerance;
    def.max_events = 1000000000000L;
    def.on_event = on_slide_event;
    def.on_note = on_note;
    def.user = instance;
    return def;
}

// ---- the document

static ss_status change_text(ss_document* document, const char* path, const char* text, ss_error* err)
{
    char option[400];
    snprintf(option, sizeof option, "%.150s = %s", path, text);
    return ss_document_set(document, path, text, option, err);
}

static ss_status change(ss_document* document, const char* path, double value, ss_error* err)
{
    char text[40];
    ss_format(text, sizeof text, "%.17g", value);
    return change_text(document, path, text, err);
}

// A held value, or one that grows; offset: of the time that is meant by t.
static ss_status change_input(const fmu_instance* instance, ss_document* document, const char* path,
                              const fmu_variable* v, double offset, ss_error* err)
{
    char text[200];
    int k = v->index;
    if (!fmu_grows(instance, k)) return change(document, path, instance->inputs[k], err);
    bool plain = strcmp(v->unit.name, "1") == 0;
    ss_format(text, sizeof text, "(%.17g + %.17g * (t/(1 s) - %.17g))%s%s", instance->inputs[k],
              instance->slopes[k], instance->origins[k] - offset, plain ? "" : " * 1 ",
              plain ? "" : v->unit.name);
    return change_text(document, path, text, err);
}

// Where starts and inputs stand in a document.
static ss_status change_variable(fmu_instance* instance, ss_document* document, int k, bool at_start,
                                 ss_error* err)
{
    const fmu_variable* v = &instance->variables.at[k];
    char path[256];
    if (v->kind == FMU_STATE && at_start && instance->starts[k] != v->start) {
        snprintf(path, sizeof path, "states.%.200s.start", v->name);
        return change(document, path, instance->starts[k], err);
    }
    if (v->kind != FMU_INPUT || instance->input_set[v->index] == 0.0) return SS_OK;
    if (instance->slider)
        return change_input(instance, document, fmu_applied_paths[v->index], v, instance->set.offset, err);
    snprintf(path, sizeof path, "inputs.%.200s", v->name);
    const ss_node* node = fmu_find_node(document, path);
    if (!node || ss_node_get_kind(node) != SS_NODE_SCALAR) return SS_OK; // a table: set when the run begins
    return change_input(instance, document, path, v, 0.0, err);
}

// at_start: with the starts that were set before the run.
static ss_status make_document(fmu_instance* instance, bool at_start, ss_document** out, ss_error* err)
{
    ss_status status = ss_document_clone(instance->resource.document, out, err);
    for (int k = 0; k < instance->resource.parameter_count && status == SS_OK; k++)
        if (instance->parameters[k] != instance->resource.parameters[k].value)
            status = change(*out, instance->resource.parameters[k].path, instance->parameters[k], err);
    for (int k = 0; k < instance->variables.count && status == SS_OK; k++)
        status = change_variable(instance, *out, k, at_start, err);
    return status;
}

// ---- the run

// Starts of the bodies, where the importer has set them. x and v have room for all bodies.
static void collect_starts(const fmu_instance* instance, const ss_model* model, double x[], double v[])
{
    for (int b = 0; b < ss_model_body_count(model); b++) {
        x[b] = ss_model_start_x(model, b);
        v[b] = ss_model_start_v(model, b);
    }
    for (int k = 0; k < instance->variables.count; k++) {
        const fmu_variable* variable = &instance->variables.at[k];
        if (!variable->exact || instance->starts[k] == variable->start) continue;
        if (fmu_tells(variable, SS_QUANTITY_X)) x[variable->index] = instance->starts[k];
        if (fmu_tells(variable, SS_QUANTITY_V)) v[variable->index] = instance->starts[k];
    }
}

// Inputs that are tables or functions of time, and were set before the run.
static ss_status set_inputs(fmu_instance* instance, ss_sim* sim, ss_error* err)
{
    ss_status status = SS_OK;
    for (int k = 0; k < instance->input_count && status == SS_OK; k++) {
        if (instance->input_set[k] == 0.0 || fmu_grows(instance, k)) continue;
        if (instance->exchange)
            ss_exchange_input(sim, k, instance->inputs[k]);
        else
            status = ss_sim_set_input(sim, k, instance->inputs[k], err);
    }
    return status;
}

static ss_status start_run(fmu_instance* instance, const ss_model* model, ss_sim** out, ss_error* err)
{
    int bodies = ss_model_body_count(model);
    double* x = calloc(2 * (size_t)bodies + 1, sizeof(double));
    if (!x) return ss_fail_no_memory(err);
    collect_starts(instance, model, x, x + bodies);
    ss_sim_def def = fmu_sim_def(instance);
    def.start_x = x;
    def.start_v = x + bodies;
    ss_status status = ss_sim_create(model, &def, out, err);
    double start = instance->set.start_time;
    if (status == SS_OK && instance->exchange)
        status = ss_exchange_begin(*out, start, x, x + bodies, err);
    else if (status == SS_OK && start != 0.0)
        status = ss_sim_restart_at(*out, start, x, x + bodies, err);
    if (status == SS_OK) status = set_inputs(instance, *out, err);
    free(x);
    return status;
}

// Goes on with the present motion in a model with other numbers. Inputs that grow do so by the new model.
static ss_status carry_run(fmu_instance* instance, const ss_model* model, ss_sim** out, ss_error* err)
{
    ss_sim_def def = fmu_sim_def(instance);
    def.start_x = ss_sim_x(instance->sim);
    def.start_v = ss_sim_v(instance->sim);
    ss_status status = ss_sim_create(model, &def, out, err);
    for (int k = 0; k < instance->input_count && status == SS_OK; k++)
        if (fmu_grows(instance, k)) status = ss_sim_release_input(instance->sim, k, err);
    if (status == SS_OK) status = ss_sim_take_over(*out, instance->sim, err);
    for (int k = 0; k < instance->input_count && status != SS_OK; k++) // it stays as it was
        if (fmu_grows(instance, k)) ss_sim_set_input(instance->sim, k, instance->inputs[k], NULL);
    return status;
}

static ss_status build_model(fmu_instance* instance, bool at_start, bool carry, ss_error* err)
{
    ss_document* document = NULL;
    ss_model* model = NULL;
    ss_sim* sim = NULL;
    ss_status status = make_document(instance, at_start, &document, err);
    if (status == SS_OK) status = ss_model_create_from_document(document, &model, err);
    if (status == SS_OK)
        status = carry ? carry_run(instance, model, &sim, err) : start_run(instance, model, &sim, err);
    ss_document_destroy(document);
    if (status != SS_OK) {
        ss_sim_destroy(sim);
        ss_model_destroy(model);
        return status;
    }
    ss_sim_destroy(instance->sim);
    ss_model_destroy(instance->model);
    instance->sim = sim;
    instance->model = model;
    return SS_OK;
}

// Where the slider starts: as the importer has set it, or (carry) where it has got to.
static void collect_places(const fmu_instance* instance, const ss_slider* slider, bool carry,
                           double starts[6])
{
    ss_slider_start(slider, starts, starts + 3);
    for (int k = 0; k < instance->variables.count; k++) {
        const fmu_variable* v = &instance->variables.at[k];
        if (v->kind == FMU_PLACE && instance->starts[k] != v->start) starts[v->index] = instance->starts[k];
    }
    if (!carry) return;
    ss_slider_state s = ss_slide_state(instance->slide);
    const double now[6] = {s.x, s.y, s.angle, s.vx, s.vy, s.spin};
    memcpy(starts, now, sizeof now);
}

// Loads that do not vary in time may change at any: the motion goes on as one that begins there.
static ss_status build_slider(fmu_instance* instance, bool carry, ss_error* err)
{
    ss_document* document = NULL;
    ss_slider* slider = NULL;
    ss_slide* slide = NULL;
    double starts[6] = {0};
    if (instance->input_count == 0 && instance->set.start_time != 0.0)
        return ss_fail(err, SS_BAD_INPUT, "slider.applied",
                       "varies in time, which begins at 0: so must the experiment");
    ss_status status = make_document(instance, true, &document, err);
    if (status == SS_OK) status = ss_slider_create_from_document(document, &slider, err);
    if (status == SS_OK) collect_places(instance, slider, carry, starts);
    ss_slide_def def = slide_def(instance, starts);
    if (status == SS_OK) status = ss_slide_create(slider, &def, &slide, err);
    ss_document_destroy(document);
    if (status != SS_OK) {
        ss_slider_destroy(slider);
        return status;
    }
    ss_slide_destroy(instance->slide);
    ss_slider_destroy(instance->slider);
    instance->slide = slide;
    instance->slider = slider;
    instance->offset = instance->set.offset;
    return SS_OK;
}

void fmu_recipe_copy(const fmu_instance* instance, const fmu_recipe* from, fmu_recipe* to)
{
    to->start_time = from->start_time;
    to->tolerance = from->tolerance;
    to->stop_time = from->stop_time;
    to->offset = from->offset;
    to->at_start = from->at_start;
    memcpy(to->numbers, from->numbers, (size_t)instance->number_count * sizeof(double));
}

fmu_status fmu_build(fmu_instance* instance, bool at_start, bool carry)
{
    ss_error err = {0};
    ss_status status =
        instance->slider ? build_slider(instance, carry, &err) : build_model(instance, at_start, carry, &err);
    if (status != SS_OK) return fmu_report(instance, &err);
    instance->set.at_start = at_start;
    fmu_recipe_copy(instance, &instance->set, &instance->made);
    instance->stale = instance->numbers_known = instance->before = instance->placed = false;
    instance->touched = instance->input_count > 0; // some may have been set
    return FMU_OK;
}

// Forces and modes are those after the inputs that were set.
static fmu_status pass_instant(fmu_instance* instance)
{
    ss_error err = {0};
    ss_outcome outcome;
    instance->touched = false;
    if (instance->exchange || !instance->sim || instance->phase == FMU_FAULTY) return FMU_OK;
    if (ss_sim_advance(instance->sim, instance->time, &outcome, &err) == SS_OK) return FMU_OK;
    instance->phase = FMU_FAULTY;
    return fmu_report(instance, &err);
}

fmu_status fmu_refresh(fmu_instance* instance)
{
    if (!instance->stale) return instance->touched ? pass_instant(instance) : FMU_OK;
    bool at_start = instance->phase & (FMU_INSTANTIATED | FMU_INITIALIZING | FMU_CONFIGURING);
    instance->set.offset = at_start ? instance->set.start_time : instance->time;
    for (int k = 0; k < instance->input_count && at_start; k++)
        instance->origins[k] = instance->set.start_time;
    fmu_status status = fmu_build(instance, at_start, !at_start);
    if (status > FMU_WARNING) return status;
    if (at_start) instance->time = instance->set.start_time;
    return instance->touched ? pass_instant(instance) : FMU_OK;
}
