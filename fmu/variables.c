// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // strdup

#include "variables.h"
#include "about.h"
#include "share/model_parts.h"
#include "share/node.h"
#include "share/number.h"
#include "share/quantity.h"
#include "share/run.h"
#include "share/slider_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ss_dimension none = {0}, seconds = {.s = 1}, metres = {.m = 1}, speed = {.m = 1, .s = -1},
                          per_second = {.s = -1}, newtons = {1, 1, -2, 0}, moment = {2, 1, -2, 0};

enum { FRICTION, STOP, SUPPORT };
const fmu_modes fmu_mode_types[FMU_MODE_TYPES] = {
    [FRICTION] = {"FrictionMode",
                  "mode of a contact with friction",
                  3,
                  {SS_MODE_SLIP_PLUS, SS_MODE_SLIP_MINUS, SS_MODE_STICK}},
    [STOP] = {"StopMode", "mode of a stop", 2, {SS_MODE_OPEN, SS_MODE_CLOSED}},
    [SUPPORT] = {"SupportMode", "mode of a support of a slider", 2, {SS_MODE_SLIP, SS_MODE_STICK}}};

int fmu_mode_number(const fmu_modes* modes, ss_mode mode)
{
    for (int k = 0; k < modes->count; k++)
        if (modes->at[k] == mode) return k + 1;
    return 0;
}

typedef struct maker {
    fmu_variables* out;
    int room;
    ss_status status;
    ss_error* err;
    fmu_variable nothing; // stands for what there was no memory for
} maker;

static fmu_unit unit_of(ss_dimension dimension, int rad)
{
    fmu_unit unit = {.dimension = dimension, .rad = rad, .known = true};
    ss_dimension_format_angle(dimension, rad, unit.name, sizeof unit.name);
    return unit;
}

// ---- the list

static bool reserve(maker* m)
{
    if (m->status != SS_OK) return false;
    if (m->out->count < m->room) return true;
    int room = 2 * m->room + 32;
    fmu_variable* more = realloc(m->out->at, (size_t)room * sizeof *more);
    if (!more) {
        m->status = ss_fail_no_memory(m->err);
        return false;
    }
    m->out->at = more;
    m->room = room;
    return true;
}

static char* keep(maker* m, const char* text)
{
    char* copy = strdup(text);
    if (!copy) m->status = ss_fail_no_memory(m->err);
    return copy;
}

static fmu_variable* add(maker* m, fmu_kind kind, int index, fmu_unit unit, const char* name, ...)
    SS_PRINTF(5, 6);

static fmu_variable* add(maker* m, fmu_kind kind, int index, fmu_unit unit, const char* name, ...)
{
    if (!reserve(m)) return &m->nothing;
    fmu_variable* v = &m->out->at[m->out->count++];
    *v = (fmu_variable){.kind = kind, .index = index, .unit = unit, .nominal = 1.0, .state = -1};
    char text[512];
    va_list list;
    va_start(list, name);
    ss_vformat(text, sizeof text, name, list);
    va_end(list);
    v->name = keep(m, text);
    return v;
}

static void report(maker* m, fmu_variable* v, const char* about, ...) SS_PRINTF(3, 4);

static void report(maker* m, fmu_variable* v, const char* about, ...)
{
    if (m->status != SS_OK) return;
    char text[512];
    va_list list;
    va_start(list, about);
    ss_vformat(text, sizeof text, about, list);
    va_end(list);
    v->about = keep(m, text);
}

// ---- bodies

// Which continuous state a variable is, and its size; -1: none.
static void find_state(const ss_model* model, ss_exchange_kind kind, int index, fmu_variable* v)
{
    for (int k = 0; k < ss_exchange_state_count(model) && v->state < 0; k++) {
        ss_exchange_state state = ss_exchange_get_state(model, k);
        if (state.kind != kind || state.index != index) continue;
        v->state = k;
        v->nominal = state.nominal;
    }
}

// An input grows with the time as a function of time in the model's document: a number or function stands
// there, and the motion can be carried over into the model that has it.
static bool may_grow(const fmu_resource* resource, const ss_model* model, int input)
{
    char path[256];
    snprintf(path, sizeof path, "inputs.%.200s", ss_model_input_name(model, input));
    const ss_node* node = fmu_find_node(resource->document, path);
    bool carries = node && ss_node_get_kind(node) == SS_NODE_SCALAR;
    for (int i = 0; i < ss_model_contact_count(model) && carries; i++) {
        ss_law_kind law = ss_model_contact_law(model, i);
        carries = !ss_law_has(law, SS_TRAIT_BRISTLES) || ss_law_has(law, SS_TRAIT_Z);
    }
    return carries;
}

static void add_inputs(maker* m, const fmu_resource* resource, const ss_model* model, const ss_sim* sim)
{
    for (int k = 0; k < ss_model_input_count(model); k++) {
        fmu_variable* v = add(m, FMU_INPUT, k, unit_of(ss_model_input_dimension(model, k), 0), "%s",
                              ss_model_input_name(model, k));
        v->start = ss_sim_input(sim, k);
        v->ramps = may_grow(resource, model, k);
        report(m, v, "input; until it is set, what the model file says");
    }
}

static void add_bodies(maker* m, const ss_model* model, const ss_sim* sim)
{
    for (int b = 0; b < ss_model_body_count(model); b++) {
        bool angular = ss_model_body_is_angular(model, b), driven = ss_model_body_is_driven(model, b);
        const char* name = ss_model_body_name(model, b);
        fmu_variable* v = add(m, FMU_X, b, unit_of(angular ? none : metres, angular), "%s.x", name);
        find_state(model, SS_EXCHANGE_X, b, v);
        v->exact = v->state >= 0;
        v->start = ss_sim_x(sim)[b];
        report(m, v, "%s of %s", angular ? "angle" : "position", name);
        v = add(m, FMU_V, b, unit_of(angular ? per_second : speed, angular), "%s.v", name);
        find_state(model, SS_EXCHANGE_V, b, v);
        v->exact = v->state >= 0;
        v->start = driven ? ss_sim_v(sim)[b] : ss_model_start_v(model, b);
        report(m, v, "speed of %s", name);
    }
}

static void add_contacts(maker* m, const ss_model* model)
{
    for (int i = 0; i < ss_model_contact_count(model); i++) {
        const char* name = ss_model_contact_name(model, i);
        bool angular = ss_model_contact_is_angular(model, i);
        ss_law_kind law = ss_model_contact_law(model, i);
        fmu_variable* v = add(m, FMU_FORCE, i, unit_of(angular ? moment : newtons, 0), "%s.force", name);
        report(m, v, "%s of %s (%s) on its first body", angular ? "moment" : "force", name,
               ss_model_contact_law_name(model, i));
        v = add(m, FMU_MODE, i, (fmu_unit){0}, "%s.mode", name);
        v->modes = &fmu_mode_types[ss_law_has(law, SS_TRAIT_STOPS) ? STOP : FRICTION];
        report(m, v, "mode of %s", name);
        if (!ss_law_has(law, SS_TRAIT_Z)) continue;
        ss_dimension unit = ss_model_contact_state_dimension(model, i);
        v = add(m, FMU_Z, i, unit_of(unit, angular && ss_dimension_equal(unit, none)), "%s.z", name);
        find_state(model, SS_EXCHANGE_Z, i, v);
        report(m, v, "bristle deflection of %s", name);
    }
}

static void add_numbers(maker* m, const ss_model* model)
{
    for (int k = 0; k < ss_model_state_count(model); k++) {
        fmu_variable* v = add(m, FMU_STATE, k, unit_of(ss_model_state_dimension(model, k), 0), "%s",
                              ss_model_state_name(model, k));
        v->exact = true;
        v->start = ss_model_state_start(model, k);
        find_state(model, SS_EXCHANGE_STATE, k, v);
        report(m, v, "state");
    }
    for (int k = 0; k < ss_model_signal_count(model); k++)
        report(m,
               add(m, FMU_SIGNAL, k, unit_of(ss_model_signal_dimension(model, k), 0), "%s",
                   ss_model_signal_name(model, k)),
               "signal");
    for (int k = 0; k < ss_model_memory_count(model); k++)
        report(m,
               add(m, FMU_MEMORY, k, unit_of(ss_model_memory_dimension(model, k), 0), "%s",
                   ss_model_memory_name(model, k)),
               "memory of a sampled controller");
}

// Derivatives of all continuous states, in their order.
static void add_rates(maker* m, int states)
{
    int count = m->out->count;
    for (int s = 0; s < states; s++)
        for (int k = 0; k < count && m->status == SS_OK; k++) {
            const fmu_variable* of = &m->out->at[k];
            if (of->state != s) continue;
            fmu_unit unit = of->unit;
            unit.dimension.s -= 1.0;
            unit = unit_of(unit.dimension, unit.rad);
            fmu_variable* v = add(m, FMU_RATE, k, unit, "der(%s)", of->name);
            v->state = s;
            report(m, v, "derivative of %s", m->out->at[k].name);
        }
}

static void add_indicators(maker* m, const ss_model* model)
{
    for (int k = 0; k < m->out->indicators; k++) {
        int contact = ss_exchange_indicator_contact(model, k),
            second = contact != k / 2; // half of a backlash
        const char* name = ss_model_contact_name(model, contact);
        report(m, add(m, FMU_INDICATOR, k, (fmu_unit){0}, "%s.indicator%d", name, k % 2 + 1 + 2 * second),
               "vanishes where %s may change its mode", name);
    }
}

// Sizes that were measured.
static void take_sizes(fmu_variables* out, const fmu_resource* resource)
{
    for (int k = 0; k < out->count && resource->size_count == out->states; k++)
        if (out->at[k].state >= 0) out->at[k].nominal = resource->sizes[out->at[k].state];
}

// What Model Exchange needs, or why there is none.
static void add_exchange(maker* m, const fmu_resource* resource, const ss_model* model)
{
    ss_error err;
    fmu_variables* out = m->out;
    if (m->status != SS_OK) return;
    if (!model || ss_exchange_check(model, &err) != SS_OK) {
        snprintf(out->reason, sizeof out->reason, "%s",
                 model ? err.text
                       : "a slider comes to rest in a singular way, which takes the solver inside");
        out->no_exchange = true;
        return;
    }
    out->states = ss_exchange_state_count(model);
    take_sizes(out, resource);
    out->indicators = ss_exchange_indicator_count(model);
    add_rates(m, out->states);
    add_indicators(m, model);
}

static void add_model(maker* m, const fmu_resource* resource, const ss_model* model)
{
    ss_sim* sim = NULL;
    ss_sim_def def = ss_sim_def_default();
    def.ledger = false;
    m->status = ss_sim_create(model, &def, &sim, m->err);
    if (m->status != SS_OK) return;
    add_inputs(m, resource, model, sim);
    add_bodies(m, model, sim);
    add_contacts(m, model);
    add_numbers(m, model);
    ss_sim_destroy(sim);
}

// ---- sliders

// Loads can be set where they do not vary in time.
static void add_loads(maker* m, const ss_document* document)
{
    static const char* const names[] = {"applied.fx", "applied.fy", "applied.moment"};
    double values[3];
    for (int k = 0; k < 3; k++) {
        ss_dimension dimension;
        bool has_unit;
        ss_status found =
            fmu_find_number(document, fmu_applied_paths[k], &values[k], &dimension, &has_unit, NULL);
        if (found == SS_NO_MEMORY) m->status = ss_fail_no_memory(m->err);
        if (found != SS_OK) return;
    }
    for (int k = 0; k < 3; k++) {
        fmu_variable* v = add(m, FMU_INPUT, k, unit_of(k == 2 ? moment : newtons, 0), "%s", names[k]);
        v->start = values[k];
        v->ramps = true;
        report(m, v, "%s applied at the centre of mass", k == 2 ? "moment" : "force");
    }
}

static void add_slider(maker* m, const ss_slider* slider)
{
    static const char* const places[] = {"x", "y", "angle", "vx", "vy", "spin"};
    static const char* const words[] = {"position", "position", "angle", "speed", "speed", "spin"};
    ss_slide* slide = NULL;
    ss_slide_def def = ss_slide_def_default();
    m->status = ss_slide_create(slider, &def, &slide, m->err);
    if (m->status != SS_OK) return;
    ss_slider_state state = ss_slide_state(slide);
    const double start[] = {state.x, state.y, state.angle, state.vx, state.vy, state.spin};
    for (int k = 0; k < 6; k++) {
        bool turns = k == 2 || k == 5;
        fmu_unit unit =
            k < 3 ? unit_of(turns ? none : metres, turns) : unit_of(turns ? per_second : speed, turns);
        fmu_variable* v = add(m, FMU_PLACE, k, unit, "slider.%s", places[k]);
        v->exact = true;
        v->start = start[k];
        report(m, v, "%s of the slider, in space", words[k]);
    }
    for (int i = 0; i < ss_slider_support_count(slider); i++) {
        ss_support_state support = ss_slide_support(slide, i);
        static const char* const parts[] = {"fx", "fy", "moment"};
        for (int c = 0; c < support.count; c++) {
            fmu_variable* v = add(m, FMU_LOAD, i, unit_of(c == 2 ? moment : newtons, 0), "support%d.%s",
                                  i + 1, support.count == 1 ? "force" : parts[c]);
            v->component = c;
            report(m, v, "%s of support %d on the slider", c == 2 ? "moment" : "force", i + 1);
        }
        fmu_variable* v = add(m, FMU_SUPPORT, i, (fmu_unit){0}, "support%d.mode", i + 1);
        v->modes =
            &fmu_mode_types[ss_slider_support_kind(slider, i) == SS_SUPPORT_WHEEL ? FRICTION : SUPPORT];
        report(m, v, "mode of support %d", i + 1);
    }
    ss_slide_destroy(slide);
}

// ---- all

static fmu_unit unit_of_parameter(const fmu_resource* resource, const fmu_parameter* p)
{
    const ss_node* node = fmu_find_node(resource->document, p->path);
    if (!p->has_unit) return (fmu_unit){0};
    return unit_of(p->dimension, node ? ss_written_angle(ss_node_text(node)) : 0);
}

static void add_parameters(maker* m, const fmu_resource* resource)
{
    for (int k = 0; k < resource->parameter_count; k++) {
        const fmu_parameter* p = &resource->parameters[k];
        fmu_unit unit = unit_of_parameter(resource, p);
        fmu_variable* v = add(m, FMU_PARAMETER, k, unit, "%s", p->path);
        v->start = p->value;
        v->exact = true;
        char about[400];
        fmu_report_parameter(resource->document, p->path, about, sizeof about);
        report(m, v, "%s", about);
    }
}

// Derivatives of inputs come last: FMI 2.0 has a function for them instead.
static void add_slopes(maker* m)
{
    int count = m->out->count;
    for (int k = 0; k < count && m->status == SS_OK; k++) {
        if (m->out->at[k].kind != FMU_INPUT || !m->out->at[k].ramps) continue;
        fmu_unit unit = m->out->at[k].unit;
        unit.dimension.s -= 1.0;
        fmu_variable* v = add(m, FMU_SLOPE, m->out->at[k].index, unit_of(unit.dimension, unit.rad), "der(%s)",
                              m->out->at[k].name);
        v->component = k;
        report(m, v, "derivative of %s, by which it grows between communication points", m->out->at[k].name);
    }
}

// Two variables of one name would be one too many.
static ss_status check_names(const fmu_variables* variables, ss_error* err)
{
    for (int i = 0; i < variables->count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(variables->at[i].name, variables->at[k].name) == 0)
                return ss_fail(err, SS_BAD_INPUT, variables->at[i].name,
                               "two variables would have this name");
    return SS_OK;
}

ss_status fmu_variables_make(const fmu_resource* resource, const ss_model* model, const ss_slider* slider,
                             fmu_variables* out, ss_error* err)
{
    *out = (fmu_variables){0};
    maker m = {.out = out, .err = err};
    report(&m, add(&m, FMU_TIME, 0, unit_of(seconds, 0), "time"), "time");
    if (m.status == SS_OK && model) add_model(&m, resource, model);
    if (m.status == SS_OK && slider) add_loads(&m, resource->document);
    if (m.status == SS_OK && slider) add_slider(&m, slider);
    add_parameters(&m, resource);
    add_exchange(&m, resource, model);
    add_slopes(&m);
    if (m.status == SS_OK) m.status = check_names(out, err);
    if (m.status != SS_OK) fmu_variables_free(out);
    return m.status;
}

void fmu_variables_free(fmu_variables* variables)
{
    for (int k = 0; k < variables->count; k++) {
        free(variables->at[k].name);
        free(variables->at[k].about);
    }
    free(variables->at);
    *variables = (fmu_variables){0};
}

bool fmu_is_output(const fmu_variable* v)
{
    switch (v->kind) {
    case FMU_TIME:
    case FMU_INPUT:
    case FMU_PARAMETER:
    case FMU_RATE:
    case FMU_INDICATOR:
    case FMU_SLOPE: return false;
    default: return true;
    }
}
