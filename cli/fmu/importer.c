// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // RTLD_LOCAL

#include "fmu/importer.h"

#include "../../fmu/fmi2.h"
#include "../../fmu/fmi3.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A function of the binary, of the type that the header gives it; it is there, or the binary is none of ours.
#define CALL(importer, name) ((__typeof__(&(name)))find(importer, #name))

typedef void any_function(void);

static any_function* find(const cli_importer* importer, const char* name)
{
    any_function* function;
    void* symbol = dlsym(importer->library, name);
    memcpy(&function, &symbol, sizeof function); // what POSIX promises, and C does not
    return function;
}

static void hear(cli_importer* importer, int status, const char* category, const char* text)
{
    if (status > 1) snprintf(importer->fault, sizeof importer->fault, "%s", text);
    if (strcmp(category, "logEvents") == 0) importer->events++;
}

static void hear2(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                  fmi2String category, fmi2String format, ...)
{
    char text[512];
    va_list list;
    (void)name;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    hear(environment, (int)status, category, text);
}

static void hear3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String text)
{
    hear(environment, (int)status, category, text);
}

bool cli_import(cli_importer* m, const char* binary)
{
    m->library = dlopen(binary, RTLD_NOW | RTLD_LOCAL);
    const char* needed = m->version == 2 ? "fmi2Instantiate" : "fmi3InstantiateCoSimulation";
    if (m->library && find(m, needed)) return true;
    const char* why = dlerror();
    snprintf(m->fault, sizeof m->fault, "%s", why ? why : "the binary has not the functions of the standard");
    return false;
}

static void free_instance(cli_importer* m)
{
    if (m->instance && m->version == 2) CALL(m, fmi2FreeInstance)(m->instance);
    if (m->instance && m->version == 3) CALL(m, fmi3FreeInstance)(m->instance);
    m->instance = NULL;
}

void cli_import_close(cli_importer* m)
{
    free_instance(m);
    if (m->library) dlclose(m->library);
    m->library = NULL;
}

static bool begin2(cli_importer* m)
{
    const fmi2CallbackFunctions functions = {.logger = hear2, .componentEnvironment = m};
    char where[1024];
    snprintf(where, sizeof where, "file://%s", m->folder);
    m->instance = CALL(m, fmi2Instantiate)("check", m->exchange ? fmi2ModelExchange : fmi2CoSimulation,
                                           m->token, where, &functions, fmi2False, fmi2True);
    return m->instance && CALL(m, fmi2SetupExperiment)(m->instance, 0, 0.0, 0.0, 0, 0.0) == fmi2OK &&
           CALL(m, fmi2EnterInitializationMode)(m->instance) == fmi2OK &&
           CALL(m, fmi2ExitInitializationMode)(m->instance) == fmi2OK;
}

static bool begin3(cli_importer* m)
{
    char where[1024];
    snprintf(where, sizeof where, "%s/", m->folder);
    m->instance = m->exchange
                      ? CALL(m, fmi3InstantiateModelExchange)("check", m->token, where, false, true, m, hear3)
                      : CALL(m, fmi3InstantiateCoSimulation)("check", m->token, where, false, true, false,
                                                             false, NULL, 0, m, hear3, NULL);
    return m->instance &&
           CALL(m, fmi3EnterInitializationMode)(m->instance, false, 0.0, 0.0, false, 0.0) == fmi3OK &&
           CALL(m, fmi3ExitInitializationMode)(m->instance) == fmi3OK;
}

bool cli_import_begin(cli_importer* m, bool exchange)
{
    free_instance(m);
    m->exchange = exchange;
    m->events = 0;
    return m->version == 2 ? begin2(m) : begin3(m);
}

bool cli_import_get(cli_importer* m, uint32_t reference, bool mode, double* value)
{
    fmi2Integer two = 0;
    fmi3Int64 three = 0;
    if (!mode)
        return m->version == 2 ? CALL(m, fmi2GetReal)(m->instance, &reference, 1, value) == fmi2OK
                               : CALL(m, fmi3GetFloat64)(m->instance, &reference, 1, value, 1) == fmi3OK;
    bool done = m->version == 2 ? CALL(m, fmi2GetInteger)(m->instance, &reference, 1, &two) == fmi2OK
                                : CALL(m, fmi3GetInt64)(m->instance, &reference, 1, &three, 1) == fmi3OK;
    *value = m->version == 2 ? two : (double)three;
    return done;
}

bool cli_import_step(cli_importer* m, double from, double to)
{
    bool event, end, early;
    double reached;
    if (m->version == 2) return CALL(m, fmi2DoStep)(m->instance, from, to - from, fmi2True) == fmi2OK;
    return CALL(m, fmi3DoStep)(m->instance, from, to - from, true, &event, &end, &early, &reached) ==
               fmi3OK &&
           reached == to;
}

bool cli_import_put(cli_importer* m, double t, const double y[], size_t count)
{
    return m->version == 2 ? CALL(m, fmi2SetTime)(m->instance, t) == fmi2OK &&
                                 CALL(m, fmi2SetContinuousStates)(m->instance, y, count) == fmi2OK
                           : CALL(m, fmi3SetTime)(m->instance, t) == fmi3OK &&
                                 CALL(m, fmi3SetContinuousStates)(m->instance, y, count) == fmi3OK;
}

bool cli_import_states(cli_importer* m, double y[], size_t count)
{
    return m->version == 2 ? CALL(m, fmi2GetContinuousStates)(m->instance, y, count) == fmi2OK
                           : CALL(m, fmi3GetContinuousStates)(m->instance, y, count) == fmi3OK;
}

bool cli_import_rates(cli_importer* m, double rates[], size_t count)
{
    return m->version == 2 ? CALL(m, fmi2GetDerivatives)(m->instance, rates, count) == fmi2OK
                           : CALL(m, fmi3GetContinuousStateDerivatives)(m->instance, rates, count) == fmi3OK;
}

bool cli_import_indicators(cli_importer* m, double out[], size_t count)
{
    return m->version == 2 ? CALL(m, fmi2GetEventIndicators)(m->instance, out, count) == fmi2OK
                           : CALL(m, fmi3GetEventIndicators)(m->instance, out, count) == fmi3OK;
}

static bool update(cli_importer* m, bool* again, double* next)
{
    if (m->version == 2) {
        fmi2EventInfo info;
        bool done = CALL(m, fmi2NewDiscreteStates)(m->instance, &info) == fmi2OK;
        *again = done && info.newDiscreteStatesNeeded;
        *next = done && info.nextEventTimeDefined ? info.nextEventTime : INFINITY;
        return done;
    }
    bool end, nominals, states, given;
    double time;
    bool done = CALL(m, fmi3UpdateDiscreteStates)(m->instance, again, &end, &nominals, &states, &given,
                                                  &time) == fmi3OK;
    *next = done && given ? time : INFINITY;
    return done;
}

bool cli_import_event(cli_importer* m, bool first, double* next)
{
    enum { ROUNDS = 100 };
    bool again = true;
    if (!first && (m->version == 2 ? CALL(m, fmi2EnterEventMode)(m->instance) != fmi2OK
                                   : CALL(m, fmi3EnterEventMode)(m->instance) != fmi3OK))
        return false;
    for (int k = 0; k < ROUNDS && again; k++)
        if (!update(m, &again, next)) return false;
    if (again) snprintf(m->fault, sizeof m->fault, "the event iteration does not end");
    return !again && (m->version == 2 ? CALL(m, fmi2EnterContinuousTimeMode)(m->instance) == fmi2OK
                                      : CALL(m, fmi3EnterContinuousTimeMode)(m->instance) == fmi3OK);
}
