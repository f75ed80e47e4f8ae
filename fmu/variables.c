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

static const ss_dimension seconds = {.s = 1}, newtons = {1, 1, -2, 0}, newton_metres = {2, 1, -2, 0};

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
    int before = ss_model_state_count(model) + ss_model_signal_count(model);
    for (int k = 0; k < ss_model_input_count(model); k++) {
        fmu_variable* v = add(m, FMU_INPUT, k, unit_of(ss_model_input_dimension(model, k), 0), "%s",
                              ss_model_input_name(model, k));
        v->of = (ss_quantity){SS_QUANTITY_NUMBER, .index = before + k};
        v->start = ss_sim_input(sim, k);
        v->ramps = may_grow(resource, model, k);
        report(m, v, "input; until it is set, what the model file says");
    }
}

// Places and speeds are set as starts where they are continuous states. What bodies have drives the speed of
// is told as the run has it.
static void set_start(const ss_model* model, const ss_sim* sim, fmu_variable* v)
{
    bool given = v->of.kind == SS_QUANTITY_V && !ss_model_body_is_driven(model, v->index);
    v->exact = v->state >= 0;
    v->start = given ? ss_model_start_v(model, v->index) : ss_quantity_now(v->of, sim, NULL);
}

static void add_quantity(maker* m, const ss_model* model, const ss_sim* sim, ss_quantity q)
{
    char name[400], about[400];
    const ss_quantity_row* row = ss_quantity_row_at(q.kind);
    bool mode = row->value == SS_QUANTITY_IS_MODE;
    fmu_unit unit =
        mode ? (fmu_unit){0} : unit_of(ss_quantity_dimension(model, q), ss_quantity_angle(model, q));
    fmu_variable* v =
        add(m, FMU_QUANTITY, q.index, unit, "%s", ss_quantity_name(model, q, name, sizeof name));
    v->of = q;
    if (mode)
        v->modes = &fmu_mode_types[ss_model_contact_has(model, q.index, SS_TRAIT_STOPS) ? STOP : FRICTION];
    if (row->exchange) find_state(model, (ss_exchange_kind)(row->exchange - 1), q.index, v);
    if (row->of == SS_OF_BODY) set_start(model, sim, v);
    report(m, v, "%s", ss_quantity_about(model, q, about, sizeof about));
}

static void add_quantities(maker* m, const ss_model* model, const ss_sim* sim)
{
    ss_quantity q = {0};
    while (ss_quantity_next(model, SS_TOLD_FMU, &q))
        if (ss_quantity_row_at(q.kind)->of != SS_OF_NUMBER) add_quantity(m, model, sim, q);
}

// States, signals and memory; inputs come first of all.
static void add_numbers(maker* m, const ss_model* model)
{
    static const fmu_kind kinds[] = {FMU_STATE, FMU_SIGNAL, FMU_INPUT, FMU_MEMORY};
    static const char* const abouts[] = {"state", "signal", "input", "memory of a sampled controller"};
    int k = 0;
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++)
        for (int i = 0; i < ss_model_number_count(model, kind); i++, k++) {
            ss_number_info number = ss_model_get_number(model, k);
            if (kind == SS_NUMBER_INPUT) continue;
            fmu_variable* v = add(m, kinds[kind], i, unit_of(number.dimension, 0), "%s", number.name);
            v->of = (ss_quantity){SS_QUANTITY_NUMBER, .index = k};
            v->exact = kind == SS_NUMBER_STATE;
            if (v->exact) v->start = number.start;
            if (v->exact) find_state(model, SS_EXCHANGE_STATE, i, v);
            report(m, v, "%s", abouts[kind]);
        }
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
    add_quantities(m, model, sim);
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
        fmu_variable* v = add(m, FMU_INPUT, k, unit_of(k == 2 ? newton_metres : newtons, 0), "%s", names[k]);
        v->start = values[k];
        v->ramps = true;
        report(m, v, "%s applied at the centre of mass", k == 2 ? "moment" : "force");
    }
}

static void add_slider(maker* m, const ss_slider* slider)
{
    ss_slide* slide = NULL;
    ss_slide_def def = ss_slide_def_default();
    m->status = ss_slide_create(slider, &def, &slide, m->err);
    if (m->status != SS_OK) return;
    ss_slider_state state = ss_slide_state(slide);
    ss_moment moment = {.slide = &state};
    for (int kind = 0, k = 0; kind < ss_quantity_row_count(); kind++) {
        const ss_quantity_row* row = ss_quantity_row_at(kind);
        ss_quantity q = {.kind = kind};
        if (row->of != SS_OF_SLIDER || !(row->told & SS_TOLD_FMU)) continue;
        fmu_unit unit = unit_of(ss_quantity_dimension(NULL, q), ss_quantity_angle(NULL, q));
        fmu_variable* v = add(m, FMU_PLACE, k++, unit, "slider.%s", row->name);
        v->of = q;
        v->exact = true;
        v->start = ss_quantity_at(q, &moment);
        report(m, v, "%s of the slider, in space", row->about[ss_quantity_is_angular(NULL, q)]);
    }
    for (int i = 0; i < ss_slider_support_count(slider); i++) {
        ss_support_state support = ss_slide_support(slide, i);
        static const char* const parts[] = {"fx", "fy", "moment"};
        for (int c = 0; c < support.count && c < 3; c++) {
            fmu_variable* v = add(m, FMU_LOAD, i, unit_of(c == 2 ? newton_metres : newtons, 0),
                                  "support%d.%s", i + 1, support.count == 1 ? "force" : parts[c]);
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
