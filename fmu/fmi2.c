// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// FMI 2.0, both kinds: from the calls of the standard to an instance. Each call says in which states of the
// standard's machine it is allowed; elsewhere it answers fmi2Error, and changes nothing.
#include "fmi2.h"

#include "instance.h"
#include "model_exchange.h"

#include <math.h>

enum {
    ASKABLE = FMU_INITIALIZING | FMU_AT_EVENT | FMU_CONTINUOUS | FMU_STEPPING | FMU_TERMINATED | FMU_FAULTY,
    SETTABLE = FMU_INSTANTIATED | FMU_INITIALIZING | FMU_AT_EVENT | FMU_CONTINUOUS | FMU_STEPPING,
    SAVABLE = ASKABLE | FMU_INSTANTIATED
};

static void log_message(fmu_instance* instance, fmu_status status, const char* category, const char* text)
{
    fmi2CallbackLogger logger = (fmi2CallbackLogger)instance->logger;
    logger(instance->environment, instance->name, (fmi2Status)status, category, "%s", text);
}

static bool may(fmu_instance* instance, int phases, const char* call)
{
    return instance && fmu_allowed(instance, phases, call);
}

static fmi2Status told(fmu_status status) { return (fmi2Status)status; }

static fmi2Status fault(fmu_instance* instance, const char* text)
{
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s", text);
    return fmi2Error;
}

// ---- who and what

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[])
{
    return c ? (fmi2Status)fmu_set_logging(c, on, count, categories) : fmi2Error;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String location,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                              fmi2Boolean logging)
{
    (void)visible;
    if (!functions) return NULL;
    fmu_instance* instance =
        fmu_instance_make(name, token, location, log_message, (void (*)(void))functions->logger,
                          functions->componentEnvironment, logging, 2);
    if (!instance) return NULL;
    instance->exchange = type == fmi2ModelExchange;
    bool is_kind = instance->exchange ? !instance->variables.no_exchange : type == fmi2CoSimulation;
    if (is_kind) return instance;
    fault(instance, instance->exchange ? instance->variables.reason : "there is no such kind of FMU");
    fmu_instance_free(instance);
    return NULL;
}

void fmi2FreeInstance(fmi2Component c) { fmu_instance_free(c); }

// ---- the beginning and the end

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_given, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean stop_given, fmi2Real stop)
{
    fmu_instance* instance = c;
    if (!may(instance, FMU_INSTANTIATED, "fmi2SetupExperiment")) return fmi2Error;
    if (!isfinite(start) || (stop_given && !(stop >= start)))
        return fault(instance, "the times make no sense");
    (void)tolerance_given; // of the importer's solver: ours is always finer
    (void)tolerance;
    instance->set.start_time = instance->time = start;
    instance->set.stop_time = stop_given ? stop : INFINITY;
    instance->stale = true;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    fmu_instance* instance = c;
    if (!may(instance, FMU_INSTANTIATED, "fmi2EnterInitializationMode")) return fmi2Error;
    instance->phase = FMU_INITIALIZING;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    fmu_instance* instance = c;
    if (!may(instance, FMU_INITIALIZING, "fmi2ExitInitializationMode")) return fmi2Error;
    fmu_status status = fmu_refresh(instance);
    if (status > FMU_WARNING) return told(status);
    instance->phase = instance->exchange ? FMU_AT_EVENT : FMU_STEPPING;
    if (instance->exchange) fmu_exchange_begin(instance);
    return told(status);
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    fmu_instance* instance = c;
    if (!may(instance, FMU_AT_EVENT | FMU_CONTINUOUS | FMU_STEPPING | FMU_FAULTY, "fmi2Terminate"))
        return fmi2Error;
    instance->phase = FMU_TERMINATED;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c) { return c ? told(fmu_reset(c)) : fmi2Error; }

// ---- values

static bool has_lists(fmu_instance* instance, const void* references, size_t count, const void* values)
{
    if (count == 0 || (references && values)) return true;
    fault(instance, "no list of value references, or no room for values");
    return false;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Real value[])
{
    if (!may(c, ASKABLE, "fmi2GetReal") || !has_lists(c, vr, count, value)) return fmi2Error;
    fmu_status status = FMU_OK;
    for (size_t k = 0; k < count && status <= FMU_WARNING; k++) status = fmu_get(c, vr[k], false, &value[k]);
    return told(status);
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Integer value[])
{
    if (!may(c, ASKABLE, "fmi2GetInteger") || !has_lists(c, vr, count, value)) return fmi2Error;
    fmu_status status = FMU_OK;
    for (size_t k = 0; k < count && status <= FMU_WARNING; k++) {
        double mode = 0.0;
        status = fmu_get(c, vr[k], true, &mode);
        value[k] = (fmi2Integer)mode;
    }
    return told(status);
}

static fmi2Status no_such(fmu_instance* instance, int phases, const char* call, size_t count)
{
    if (!may(instance, phases, call)) return fmi2Error;
    return count == 0 ? fmi2OK
                      : fault(instance, "there are no variables of this type that could be asked for or set");
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2Boolean value[])
{
    (void)vr, (void)value;
    return no_such(c, ASKABLE, "fmi2GetBoolean", count);
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t count, fmi2String value[])
{
    (void)vr, (void)value;
    return no_such(c, ASKABLE, "fmi2GetString", count);
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t count, const fmi2Real value[])
{
    if (!may(c, SETTABLE, "fmi2SetReal") || !has_lists(c, vr, count, value)) return fmi2Error;
    fmu_status status = FMU_OK;
    for (size_t k = 0; k < count && status <= FMU_WARNING; k++) status = fmu_set(c, vr[k], value[k]);
    return told(status);
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                          const fmi2Integer value[])
{
    (void)vr, (void)value;
    return no_such(c, SETTABLE & ~FMU_CONTINUOUS, "fmi2SetInteger", count);
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                          const fmi2Boolean value[])
{
    (void)vr, (void)value;
    return no_such(c, SETTABLE & ~FMU_CONTINUOUS, "fmi2SetBoolean", count);
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                         const fmi2String value[])
{
    (void)vr, (void)value;
    return no_such(c, SETTABLE & ~FMU_CONTINUOUS, "fmi2SetString", count);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t unknown_count, const fmi2ValueReference known[],
                                        size_t known_count, const fmi2Real seed[], fmi2Real sensitivity[])
{
    if (!may(c, ASKABLE, "fmi2GetDirectionalDerivative") ||
        !has_lists(c, unknown, unknown_count, sensitivity) || !has_lists(c, known, known_count, seed))
        return fmi2Error;
    return told(fmu_directional(c, unknown, unknown_count, known, known_count, seed, sensitivity));
}
