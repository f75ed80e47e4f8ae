// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What stands before the variables: kinds of interface, units, types, log categories, default experiment.
#include "fmu/describe.h"

#include "fmu/code.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- head

// Names of the structured convention: parts between dots, each an identifier and perhaps an index in
// brackets, as in "connections[0].damping", all of it perhaps in der(..). A body called "left wheel" has no
// such name.
static bool is_structured_name(const char* name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                      digits[] = "0123456789";
    bool derivative = strncmp(name, "der(", 4) == 0, more = true;
    const char* at = derivative ? name + 4 : name;
    while (more) {
        if (!strspn(at, letters)) return false;
        for (size_t n = 1; n > 0; at += n) n = strspn(at, letters) + strspn(at + strspn(at, letters), digits);
        if (*at == '[') {
            size_t n = strspn(at + 1, digits);
            if (n == 0 || at[n + 1] != ']') return false;
            at += n + 2;
        }
        more = *at == '.';
        at += more;
    }
    return strcmp(at, derivative ? ")" : "") == 0;
}

static bool is_structured(const fmu_variables* variables)
{
    for (int k = 0; k < variables->count; k++)
        if (!is_structured_name(variables->at[k].name)) return false;
    return true;
}

static void put_attribute(fmu_buffer* out, const char* name, const char* value)
{
    fmu_print(out, " %s=\"", name);
    fmu_put_xml(out, value);
    fmu_put(out, "\"");
}

static void put_head(const cli_description* d, fmu_buffer* out)
{
    fmu_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    put_attribute(out, "fmiVersion", d->version == 2 ? "2.0" : "3.0");
    put_attribute(out, "modelName", d->name);
    put_attribute(out, d->version == 2 ? "guid" : "instantiationToken", d->resource->token);
    put_attribute(out, "description", d->title);
    fmu_print(out, " generationTool=\"Slipstick %s\"", ss_version());
    put_attribute(out, "variableNamingConvention", is_structured(d->variables) ? "structured" : "flat");
    if (d->version == 2) fmu_print(out, " numberOfEventIndicators=\"%d\"", d->variables->indicators);
    fmu_put(out, ">\n");
}

// The end of a kind: what it is made of, by version 2.0.
static void end_kind(const cli_description* d, const char* element, fmu_buffer* out)
{
    if (!d->sources || d->version != 2) {
        fmu_put(out, "/>\n");
        return;
    }
    fmu_put(out, ">\n    <SourceFiles>\n");
    cli_list_code("File", out);
    fmu_print(out, "    </SourceFiles>\n  </%s>\n", element);
}

static void put_kinds(const cli_description* d, fmu_buffer* out)
{
    const char* two = " canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\""
                      " canSerializeFMUstate=\"true\"";
    const char* three = " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"";
    const char* derivatives = d->variables->no_exchange ? ""
                              : d->version == 2         ? " providesDirectionalDerivative=\"true\""
                                                        : " providesDirectionalDerivatives=\"true\"";
    if (!d->variables->no_exchange) {
        fmu_put(out, "  <ModelExchange");
        put_attribute(out, "modelIdentifier", d->identifier);
        fmu_print(out, "%s%s%s", d->version == 2 ? two : three,
                  d->version == 2 ? " completedIntegratorStepNotNeeded=\"true\"" : "", derivatives);
        end_kind(d, "ModelExchange", out);
    }
    bool ramps = false;
    for (int k = 0; k < d->variables->count; k++) ramps = ramps || d->variables->at[k].ramps;
    fmu_put(out, "  <CoSimulation");
    put_attribute(out, "modelIdentifier", d->identifier);
    fmu_print(out, "%s canHandleVariableCommunicationStepSize=\"true\"%s%s", d->version == 2 ? two : three,
              d->version == 3 ? " mightReturnEarlyFromDoStep=\"true\" hasEventMode=\"true\""
              : ramps         ? " canInterpolateInputs=\"true\""
                              : "",
              derivatives);
    end_kind(d, "CoSimulation", out);
}

// ---- units

static void put_exponent(fmu_buffer* out, const char* name, double exponent)
{
    if (exponent != 0.0) fmu_print(out, " %s=\"%d\"", name, (int)exponent);
}

static bool is_whole(ss_dimension d)
{
    return d.m == round(d.m) && d.kg == round(d.kg) && d.s == round(d.s) && d.A == round(d.A);
}

static void put_unit(const fmu_unit* unit, fmu_buffer* out)
{
    const ss_dimension* d = &unit->dimension;
    fmu_put(out, "    <Unit");
    put_attribute(out, "name", unit->name);
    if (!is_whole(*d)) { // the standard knows no fractional exponents
        fmu_put(out, "/>\n");
        return;
    }
    fmu_put(out, "><BaseUnit");
    put_exponent(out, "kg", d->kg);
    put_exponent(out, "m", d->m);
    put_exponent(out, "s", d->s);
    put_exponent(out, "A", d->A);
    put_exponent(out, "rad", unit->rad);
    fmu_put(out, "/></Unit>\n");
}

static void put_units(const cli_description* d, fmu_buffer* out)
{
    const fmu_variables* v = d->variables;
    fmu_put(out, "  <UnitDefinitions>\n");
    for (int k = 0; k < v->count; k++) {
        bool known = !v->at[k].unit.known;
        for (int j = 0; j < k && !known; j++)
            known = v->at[j].unit.known && strcmp(v->at[j].unit.name, v->at[k].unit.name) == 0;
        if (!known) put_unit(&v->at[k].unit, out);
    }
    fmu_put(out, "  </UnitDefinitions>\n");
}

// ---- types

// Types and variables share their names: where a variable has that of a type, the type has an underscore
// more.
void cli_put_type(const cli_description* d, const char* name, fmu_buffer* out)
{
    char own[64];
    bool taken = true;
    snprintf(own, sizeof own, "%s", name);
    while (taken && strlen(own) + 1 < sizeof own) {
        taken = false;
        for (int k = 0; k < d->variables->count && !taken; k++)
            taken = strcmp(d->variables->at[k].name, own) == 0;
        if (taken) strcat(own, "_");
    }
    fmu_put(out, own);
}

static void put_modes(const cli_description* d, const fmu_modes* modes, fmu_buffer* out)
{
    bool used = false;
    for (int k = 0; k < d->variables->count && !used; k++) used = d->variables->at[k].modes == modes;
    if (!used) return;
    fmu_put(out, d->version == 2 ? "    <SimpleType name=\"" : "    <EnumerationType name=\"");
    cli_put_type(d, modes->name, out);
    fmu_print(out, "\" description=\"%s\">\n%s", modes->about,
              d->version == 2 ? "      <Enumeration>\n" : "");
    for (int k = 0; k < modes->count; k++)
        fmu_print(out, "        <Item name=\"%s\" value=\"%d\"/>\n", ss_mode_name(modes->at[k]), k + 1);
    fmu_put(out, d->version == 2 ? "      </Enumeration>\n    </SimpleType>\n" : "    </EnumerationType>\n");
}

// Quantities that are common enough to have a name.
static const struct {
    const char *unit, *name, *quantity;
} quantities[] = {{"m", "Position", "Length"}, {"m/s", "Speed", "Velocity"},
                  {"rad", "Angle", "Angle"},   {"rad/s", "AngularSpeed", "AngularVelocity"},
                  {"N", "Force", "Force"},     {"N*m", "Moment", "Torque"}};
enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

static void put_types(const cli_description* d, fmu_buffer* out)
{
    fmu_put(out, "  <TypeDefinitions>\n");
    for (int q = 0; q < QUANTITIES; q++) {
        bool used = false;
        for (int k = 0; k < d->variables->count && !used; k++)
            used = cli_real_type(&d->variables->at[k]) == quantities[q].name;
        if (!used) continue;
        fmu_put(out, d->version == 2 ? "    <SimpleType name=\"" : "    <Float64Type name=\"");
        cli_put_type(d, quantities[q].name, out);
        fmu_print(out,
                  d->version == 2 ? "\"><Real quantity=\"%s\" unit=\"%s\"/></SimpleType>\n"
                                  : "\" quantity=\"%s\" unit=\"%s\"/>\n",
                  quantities[q].quantity, quantities[q].unit);
    }
    for (int k = 0; k < FMU_MODE_TYPES; k++) put_modes(d, &fmu_mode_types[k], out);
    fmu_put(out, "  </TypeDefinitions>\n");
}

const char* cli_real_type(const fmu_variable* v)
{
    for (int q = 0; q < QUANTITIES && v->unit.known && v->kind != FMU_PARAMETER; q++)
        if (strcmp(v->unit.name, quantities[q].unit) == 0) return quantities[q].name;
    return NULL;
}

// ---- all

// A run of no length says nothing of how long an experiment should be.
static void put_experiment(const cli_description* d, fmu_buffer* out)
{
    bool lasts = d->until > 0.0 && isfinite(d->until);
    fmu_put(out, "  <DefaultExperiment startTime=\"0\"");
    if (lasts) {
        fmu_put(out, " stopTime=\"");
        fmu_put_number(out, d->until);
        fmu_put(out, "\"");
    }
    fmu_put(out, " tolerance=\"1e-8\"");
    if (lasts) {
        fmu_put(out, " stepSize=\"");
        fmu_put_number(out, d->until / 1000.0);
        fmu_put(out, "\"");
    }
    fmu_put(out, "/>\n");
}

void cli_describe(const cli_description* d, fmu_buffer* out)
{
    put_head(d, out);
    put_kinds(d, out);
    put_units(d, out);
    bool types = false;
    for (int k = 0; k < d->variables->count; k++)
        types = types || fmu_is_mode(&d->variables->at[k]) || cli_real_type(&d->variables->at[k]);
    if (types) put_types(d, out);
    fmu_put(
        out,
        "  <LogCategories>\n"
        "    <Category name=\"logStatusError\" description=\"what went wrong, with the field at fault\"/>\n"
        "    <Category name=\"logEvents\" description=\"changes of mode: slip, stick, impact\"/>\n"
        "    <Category name=\"logNotes\" description=\"several possible futures, undetermined forces\"/>\n"
        "  </LogCategories>\n");
    put_experiment(d, out);
    cli_describe_variables(d, out);
    cli_describe_structure(d, out);
    fmu_put(out, "</fmiModelDescription>\n");
}
