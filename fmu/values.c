// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Variables by their value references: what can be asked of an instance, and what can be set.
#include "instance.h"
#include "model_exchange.h"

#include <math.h>

// By FMI 2.0 derivatives of inputs are no variables: they have a function of their own.
static const fmu_variable* find(fmu_instance* instance, uint32_t reference)
{
    const fmu_variable* v =
        reference < (uint32_t)instance->variables.count ? &instance->variables.at[reference] : NULL;
    if (v && !(v->kind == FMU_SLOPE && instance->version == 2)) return v;
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "there is no variable with the value reference %lu",
            (unsigned long)reference);
    return NULL;
}

// ---- asking

static ss_support_state support_of(const fmu_instance* instance, int support)
{
    return instance->before ? ss_slide_instant(instance->slide).supports[support]
                            : ss_slide_support(instance->slide, support);
}

// The run, or the side before the event it stands at, as a moment; slide is room for the state of a slider.
static ss_moment moment_of(const fmu_instance* instance, ss_slider_state* slide)
{
    if (instance->slide) {
        *slide =
            instance->before ? ss_slide_instant(instance->slide).before : ss_slide_state(instance->slide);
        return (ss_moment){.slide = slide};
    }
    ss_instant before = ss_sim_instant(instance->sim);
    return (ss_moment){.x = before.x, .v = before.v, .contacts = before.contacts, .numbers = before.numbers};
}

// Numbers of an open model come in one row, which is asked for once.
static double quantity_of(fmu_instance* instance, ss_quantity q)
{
    ss_slider_state slide;
    bool number = q.kind == SS_QUANTITY_NUMBER;
    if (instance->slide || instance->before) {
        ss_moment moment = moment_of(instance, &slide);
        return ss_quantity_at(q, &moment);
    }
    if (!number) return ss_quantity_now(q, instance->sim, NULL);
    if (!instance->numbers_known) ss_sim_numbers(instance->sim, instance->numbers);
    instance->numbers_known = true;
    return ss_quantity_at(q, &(ss_moment){.numbers = instance->numbers});
}

// A load on a slider.
static double load_of(const fmu_instance* instance, int k)
{
    return instance->inputs[k] + instance->slopes[k] * (instance->time - instance->origins[k]);
}

double fmu_value(fmu_instance* instance, const fmu_variable* v)
{
    double value;
    switch (v->kind) {
    case FMU_TIME: return instance->time;
    case FMU_INPUT: return instance->sim ? quantity_of(instance, v->of) : load_of(instance, v->index);
    case FMU_QUANTITY:
        value = quantity_of(instance, v->of);
        return fmu_is_mode(v) ? fmu_mode_number(v->modes, (ss_mode)value) : value;
    case FMU_STATE:
    case FMU_SIGNAL:
    case FMU_MEMORY:
    case FMU_PLACE: return quantity_of(instance, v->of);
    case FMU_LOAD: return support_of(instance, v->index).force[v->component];
    case FMU_SUPPORT: return fmu_mode_number(v->modes, support_of(instance, v->index).mode);
    case FMU_PARAMETER: return instance->parameters[v->index];
    case FMU_RATE: ss_exchange_rates(instance->sim, instance->rates); return instance->rates[v->state];
    case FMU_INDICATOR:
        ss_exchange_indicators(instance->sim, instance->indicators);
        return instance->indicators[v->index];
    case FMU_SLOPE: return instance->slopes[v->index];
    }
    return NAN;
}

fmu_status fmu_get(fmu_instance* instance, uint32_t reference, bool mode, double* value)
{
    const fmu_variable* v = find(instance, reference);
    if (!v) return FMU_ERROR;
    if (fmu_is_mode(v) != mode) {
        fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s is of another type", v->name);
        return FMU_ERROR;
    }
    if (v->kind != FMU_PARAMETER && v->kind != FMU_TIME && v->kind != FMU_SLOPE) {
        fmu_status status = fmu_refresh(instance);
        if (status <= FMU_WARNING && instance->exchange &&
            !(instance->phase & (FMU_INSTANTIATED | FMU_INITIALIZING)))
            status = fmu_place(instance);
        if (status > FMU_WARNING) return status;
    }
    *value = fmu_value(instance, v);
    return FMU_OK;
}

// ---- setting

static fmu_status refuse(fmu_instance* instance, const fmu_variable* v, const char* why)
{
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s: %s", v->name, why);
    return FMU_ERROR;
}

// By FMI 2.0 the derivatives of inputs are set for each step; by 3.0 they are inputs, which stay.
static fmu_status set_input(fmu_instance* instance, const fmu_variable* v, double value)
{
    bool at_start = instance->phase & (FMU_INSTANTIATED | FMU_INITIALIZING | FMU_CONFIGURING);
    bool grew = fmu_grows(instance, v->index);
    if (instance->version == 2 && instance->fresh[v->index] == 0.0) instance->slopes[v->index] = 0.0;
    bool grows = fmu_grows(instance, v->index);
    instance->origins[v->index] = instance->time;
    if (!at_start && instance->sim && !grows) {
        ss_error err;
        fmu_status status = instance->stale ? fmu_refresh(instance) : FMU_OK;
        if (status > FMU_WARNING) return status;
        if (instance->exchange)
            ss_exchange_input(instance->sim, v->index, value);
        else if (ss_sim_set_input(instance->sim, v->index, value, &err) != SS_OK)
            return fmu_report(instance, &err);
        instance->touched = true;
        instance->placed = false;
    } else if (grows || grew || instance->input_set[v->index] == 0.0 || instance->inputs[v->index] != value) {
        instance->stale = true;
    }
    instance->inputs[v->index] = value;
    instance->input_set[v->index] = 1.0;
    instance->numbers_known = false;
    return FMU_OK;
}

fmu_status fmu_set_slope(fmu_instance* instance, const fmu_variable* v, double slope)
{
    if (!isfinite(slope)) return refuse(instance, v, "must be set to a finite number");
    if (!v->ramps) return refuse(instance, v, "cannot grow with the time in this model");
    instance->fresh[v->index] = 1.0;
    if (instance->slopes[v->index] == slope && instance->origins[v->index] == instance->time) return FMU_OK;
    if (slope == 0.0 && instance->slopes[v->index] == 0.0) return FMU_OK;
    fmu_status status = instance->exchange ? FMU_OK : fmu_refresh(instance);
    if (status > FMU_WARNING) return status;
    if (!instance->exchange) instance->inputs[v->index] = fmu_value(instance, v);
    instance->slopes[v->index] = slope;
    instance->origins[v->index] = instance->time;
    if (instance->exchange) return FMU_OK; // there the importer sets inputs at every time
    instance->input_set[v->index] = 1.0;
    instance->stale = true;
    return FMU_OK;
}

static fmu_status set_parameter(fmu_instance* instance, const fmu_variable* v, double value)
{
    const int before = FMU_INSTANTIATED | FMU_INITIALIZING | FMU_CONFIGURING;
    bool tunable = instance->resource.parameters[v->index].tunable;
    if (!(instance->phase & (tunable ? before | FMU_AT_EVENT | FMU_STEPPING : before)))
        return refuse(instance, v,
                      tunable ? "can be set at events and between steps"
                              : "is fixed once the model is initialised");
    if (instance->parameters[v->index] == value) return FMU_OK;
    instance->parameters[v->index] = value;
    instance->stale = true;
    return FMU_OK;
}

fmu_status fmu_set(fmu_instance* instance, uint32_t reference, double value)
{
    const fmu_variable* v = find(instance, reference);
    if (!v) return FMU_ERROR;
    if (!isfinite(value)) return refuse(instance, v, "must be set to a finite number");
    if (v->kind == FMU_INPUT) return set_input(instance, v, value);
    if (v->kind == FMU_PARAMETER) return set_parameter(instance, v, value);
    if (v->kind == FMU_SLOPE) return fmu_set_slope(instance, &instance->variables.at[v->component], value);
    if (!v->exact) return refuse(instance, v, "cannot be set");
    if (!(instance->phase & (FMU_INSTANTIATED | FMU_INITIALIZING)))
        return refuse(instance, v, "is a start, which can be set up to the end of the initialisation");
    if (instance->starts[reference] == value) return FMU_OK;
    instance->starts[reference] = value;
    instance->stale = true;
    return FMU_OK;
}
