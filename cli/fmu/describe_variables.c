// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Variables, each with its causality, variability, start and unit, and the structure: outputs, derivatives
// and what is unknown at the start, with what each depends on.
#include "fmu/bounds.h"
#include "fmu/describe.h"
#include "share/model_parts.h"
#include "share/quantity.h"

#include <math.h>
#include <stdlib.h>

static const char* causality_of(const fmu_variable* v)
{
    switch (v->kind) {
    case FMU_TIME: return "independent";
    case FMU_INPUT: return "input";
    case FMU_PARAMETER: return "parameter";
    case FMU_RATE:
    case FMU_SLOPE: // importers would wire up a further input; ours takes a value of it all the same
    case FMU_INDICATOR: return "local";
    default: return "output";
    }
}

static const char* variability_of(const cli_description* d, const fmu_variable* v)
{
    if (v->kind == FMU_PARAMETER) return d->resource->parameters[v->index].tunable ? "tunable" : "fixed";
    return fmu_is_discrete(v) ? "discrete" : "continuous";
}

static void put_names(const cli_description* d, const fmu_variable* v, int place, fmu_buffer* out)
{
    fmu_put(out, " name=\"");
    fmu_put_xml(out, v->name);
    fmu_print(out, "\" valueReference=\"%d\" description=\"", place);
    fmu_put_xml(out, v->about ? v->about : "");
    fmu_print(out, "\" causality=\"%s\" variability=\"%s\"", causality_of(v), variability_of(d, v));
    bool has_initial = v->kind != FMU_TIME && v->kind != FMU_INPUT;
    if (has_initial) fmu_print(out, " initial=\"%s\"", v->exact ? "exact" : "calculated");
}

static void put_declared(const cli_description* d, const char* type, fmu_buffer* out)
{
    fmu_put(out, " declaredType=\"");
    cli_put_type(d, type, out);
    fmu_put(out, "\"");
}

static void put_number(const char* name, double value, fmu_buffer* out)
{
    fmu_print(out, " %s=\"", name);
    fmu_put_number(out, value);
    fmu_put(out, "\"");
}

static void put_bounds(const cli_description* d, const fmu_variable* v, fmu_buffer* out)
{
    const fmu_parameter* p = &d->resource->parameters[v->index];
    bool plain = ss_dimension_equal(p->dimension, (ss_dimension){0});
    cli_bounds bounds = cli_find_bounds(d->resource->document, p->path, p->value, plain);
    out->failed = out->failed || bounds.failed;
    if (isfinite(bounds.least)) put_number("min", bounds.least, out);
    if (isfinite(bounds.most)) put_number("max", bounds.most, out);
}

// Type, unit, bounds, start and derivative; state: where the state stands that it is the derivative of.
static void put_numbers(const cli_description* d, const fmu_variable* v, fmu_buffer* out)
{
    const char* type = cli_real_type(v);
    bool is_state = v->state >= 0 && v->kind != FMU_RATE && !d->variables->no_exchange;
    if (type) put_declared(d, type, out);
    if (v->unit.known) {
        fmu_put(out, " unit=\"");
        fmu_put_xml(out, v->unit.name);
        fmu_put(out, "\"");
    }
    if (v->kind == FMU_PARAMETER) put_bounds(d, v, out);
    if (is_state) put_number("nominal", v->nominal, out);
    if (v->kind == FMU_RATE) fmu_print(out, " derivative=\"%d\"", d->version == 2 ? v->index + 1 : v->index);
    if (is_state) fmu_put(out, " reinit=\"true\"");
    if (v->exact || v->kind == FMU_INPUT) put_number("start", v->start, out);
}

void cli_describe_variables(const cli_description* d, fmu_buffer* out)
{
    fmu_put(out, "  <ModelVariables>\n");
    for (int k = 0; k < d->variables->count; k++) {
        const fmu_variable* v = &d->variables->at[k];
        bool mode = fmu_is_mode(v);
        if (v->kind == FMU_SLOPE && d->version == 2) continue; // set by a function of their own
        fmu_print(out, "    <%s", d->version == 2 ? "ScalarVariable" : mode ? "Enumeration" : "Float64");
        put_names(d, v, k, out);
        if (d->version == 2) fmu_print(out, ">\n      <%s", mode ? "Enumeration" : "Real");
        if (mode)
            put_declared(d, v->modes->name, out);
        else
            put_numbers(d, v, out);
        fmu_put(out, d->version == 2 ? "/>\n    </ScalarVariable>\n" : "/>\n");
    }
    fmu_put(out, "  </ModelVariables>\n");
}

// ---- structure

// Variables that an output or a derivative depends on: continuous states and inputs. Nothing is written where
// it may be all of them.
static void put_dependencies(const cli_description* d, const fmu_variable* v, fmu_buffer* out)
{
    int row = v->kind == FMU_QUANTITY ? ss_quantity_row_at(v->of.kind)->unknown : 0;
    ss_exchange_unknown what = v->kind == FMU_RATE     ? SS_UNKNOWN_RATE
                               : v->kind == FMU_SIGNAL ? SS_UNKNOWN_SIGNAL
                                                       : (ss_exchange_unknown)(row - 1);
    bool asked = v->kind == FMU_RATE || v->kind == FMU_SIGNAL || row > 0;
    bool bristle = v->kind == FMU_QUANTITY && !asked && v->state >= 0;
    const fmu_variables* all = d->variables;
    if (all->no_exchange) return;
    if (v->kind == FMU_STATE || bristle)
        fmu_print(out, " dependencies=\"%d\"", (int)(v - all->at) + (d->version == 2));
    if (!asked) return;
    size_t inputs = (size_t)ss_model_input_count(d->model), states = (size_t)all->states;
    bool* depends = calloc(states + inputs + 1, sizeof *depends);
    out->failed = out->failed || !depends;
    if (depends && ss_exchange_depends(d->model, what, v->kind == FMU_RATE ? v->state : v->index, depends)) {
        const char* between = "";
        fmu_put(out, " dependencies=\"");
        for (int k = 0; k < all->count; k++) {
            const fmu_variable* known = &all->at[k];
            bool state = known->state >= 0 && known->kind != FMU_RATE;
            if (!(state && depends[known->state]) &&
                !(known->kind == FMU_INPUT && depends[states + (size_t)known->index]) &&
                !(known->kind == FMU_TIME && depends[states + inputs]))
                continue;
            fmu_print(out, "%s%d", between, d->version == 2 ? k + 1 : k);
            between = " ";
        }
        fmu_put(out, "\"");
    }
    free(depends);
}

static void put_unknown(const cli_description* d, const char* element, int place, bool dependencies,
                        fmu_buffer* out)
{
    if (d->version == 2)
        fmu_print(out, "      <Unknown index=\"%d\"", place + 1);
    else
        fmu_print(out, "    <%s valueReference=\"%d\"", element, place);
    if (dependencies) put_dependencies(d, &d->variables->at[place], out);
    fmu_put(out, "/>\n");
}

static bool is_rate(const fmu_variable* v) { return v->kind == FMU_RATE; }
static bool is_indicator(const fmu_variable* v) { return v->kind == FMU_INDICATOR; }
static bool is_unknown(const fmu_variable* v)
{
    return !v->exact && (fmu_is_output(v) || v->kind == FMU_RATE);
}

static void put_list(const cli_description* d, const char* group, const char* element,
                     bool (*belongs)(const fmu_variable*), fmu_buffer* out)
{
    bool any = false;
    for (int k = 0; k < d->variables->count && !any; k++) any = belongs(&d->variables->at[k]);
    if (!any) return;
    if (d->version == 2) fmu_print(out, "    <%s>\n", group);
    for (int k = 0; k < d->variables->count; k++)
        if (belongs(&d->variables->at[k]))
            put_unknown(d, element, k, belongs != is_unknown && belongs != is_indicator, out);
    if (d->version == 2) fmu_print(out, "    </%s>\n", group);
}

void cli_describe_structure(const cli_description* d, fmu_buffer* out)
{
    fmu_put(out, "  <ModelStructure>\n");
    put_list(d, "Outputs", "Output", fmu_is_output, out);
    put_list(d, "Derivatives", "ContinuousStateDerivative", is_rate, out);
    put_list(d, "InitialUnknowns", "InitialUnknown", is_unknown, out);
    if (d->version == 3) put_list(d, "", "EventIndicator", is_indicator, out);
    fmu_put(out, "  </ModelStructure>\n");
}
