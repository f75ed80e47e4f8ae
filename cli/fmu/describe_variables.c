// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Variables, each with its causality, variability, start and unit, and the structure: outputs, derivatives
// and what is unknown at the start, with what each depends on.
#include "fmu/describe.h"

static const char* causality_of(const fmu_variable* v)
{
    switch (v->kind) {
    case FMU_TIME: return "independent";
    case FMU_INPUT: return "input";
    case FMU_PARAMETER: return "parameter";
    case FMU_RATE:
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

// Type, unit, start and derivative; state: where the state stands that it is the derivative of.
static void put_numbers(const cli_description* d, const fmu_variable* v, fmu_buffer* out)
{
    const char* type = cli_real_type(v);
    bool is_state = v->state >= 0 && v->kind != FMU_RATE && !d->variables->no_exchange;
    if (type) fmu_print(out, " declaredType=\"%s\"", type);
    if (v->unit.known) {
        fmu_put(out, " unit=\"");
        fmu_put_xml(out, v->unit.name);
        fmu_put(out, "\"");
    }
    if (is_state) {
        fmu_put(out, " nominal=\"");
        fmu_put_number(out, v->nominal);
        fmu_put(out, "\"");
    }
    if (v->kind == FMU_RATE) fmu_print(out, " derivative=\"%d\"", d->version == 2 ? v->index + 1 : v->index);
    if (is_state) fmu_put(out, " reinit=\"true\"");
    if (v->exact || v->kind == FMU_INPUT) {
        fmu_put(out, " start=\"");
        fmu_put_number(out, v->start);
        fmu_put(out, "\"");
    }
}

void cli_describe_variables(const cli_description* d, fmu_buffer* out)
{
    fmu_put(out, "  <ModelVariables>\n");
    for (int k = 0; k < d->variables->count; k++) {
        const fmu_variable* v = &d->variables->at[k];
        bool mode = fmu_is_mode(v);
        fmu_print(out, "    <%s", d->version == 2 ? "ScalarVariable" : mode ? "Enumeration" : "Float64");
        put_names(d, v, k, out);
        if (d->version == 2) fmu_print(out, ">\n      <%s", mode ? "Enumeration" : "Real");
        if (mode)
            fmu_print(out, " declaredType=\"%s\"", cli_mode_type(d, v));
        else
            put_numbers(d, v, out);
        fmu_put(out, d->version == 2 ? "/>\n    </ScalarVariable>\n" : "/>\n");
    }
    fmu_put(out, "  </ModelVariables>\n");
}

// ---- structure

static void put_unknown(const cli_description* d, const char* element, int place, fmu_buffer* out)
{
    if (d->version == 2)
        fmu_print(out, "      <Unknown index=\"%d\"", place + 1);
    else
        fmu_print(out, "    <%s valueReference=\"%d\"", element, place);
    fmu_put(out, "/>\n");
}

static void put_list(const cli_description* d, const char* group, const char* element,
                     bool (*belongs)(const fmu_variable*), fmu_buffer* out)
{
    bool any = false;
    for (int k = 0; k < d->variables->count && !any; k++) any = belongs(&d->variables->at[k]);
    if (!any) return;
    if (d->version == 2) fmu_print(out, "    <%s>\n", group);
    for (int k = 0; k < d->variables->count; k++)
        if (belongs(&d->variables->at[k])) put_unknown(d, element, k, out);
    if (d->version == 2) fmu_print(out, "    </%s>\n", group);
}

static bool is_rate(const fmu_variable* v) { return v->kind == FMU_RATE; }
static bool is_indicator(const fmu_variable* v) { return v->kind == FMU_INDICATOR; }
static bool is_unknown(const fmu_variable* v)
{
    return !v->exact && (fmu_is_output(v) || v->kind == FMU_RATE);
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
