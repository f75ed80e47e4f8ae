// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// FMI 3.0: from the calls of the standard to an instance. Each call says in which states of the standard's
// machine it is allowed; elsewhere it answers fmi3Error, and changes nothing.
#include "fmi3.h"

#include "instance.h"
#include "model_exchange.h"

#include <math.h>

static void log_message(fmu_instance* instance, fmu_status status, const char* category, const char* text)
{
    ((fmi3LogMessageCallback)instance->logger)(instance->environment, (fmi3Status)status, category, text);
}

static bool may(fmu_instance* instance, int phases, const char* call)
{
    return instance && fmu_allowed(instance, phases, call);
}

static fmi3Status fault(fmu_instance* instance, const char* text)
{
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s", text);
    return fmi3Error;
}

// ---- who and what

const char* fmi3GetVersion(void) { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance i, fmi3Boolean on, size_t count, const fmi3String categories[])
{
    return i ? (fmi3Status)fmu_set_logging(i, on, count, categories) : fmi3Error;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String folder,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger)
{
    (void)visible;
    fmu_instance* instance =
        fmu_instance_make(name, token, folder, log_message, (void (*)(void))logger, environment, logging, 3);
    if (!instance) return NULL;
    instance->exchange = true;
    if (!instance->variables.no_exchange) return instance;
    fault(instance, instance->variables.reason);
    fmu_instance_free(instance);
    return NULL;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String folder,
                                         fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode,
                                         fmi3Boolean early_return, const fmi3ValueReference intermediate[],
                                         size_t intermediate_count, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback logger, fmi3IntermediateUpdateCallback update)
{
    (void)visible, (void)intermediate, (void)intermediate_count,
        (void)update; // there are no intermediate updates
    fmu_instance* instance =
        fmu_instance_make(name, token, folder, log_message, (void (*)(void))logger, environment, logging, 3);
    if (!instance) return NULL;
    instance->events = event_mode;
    instance->early = event_mode && early_return;
    return instance;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String folder,
                                               fmi3Boolean visible, fmi3Boolean logging,
                                               fmi3InstanceEnvironment environment,
                                               fmi3LogMessageCallback logger, fmi3ClockUpdateCallback update,
                                               fmi3LockPreemptionCallback lock,
                                               fmi3UnlockPreemptionCallback unlock)
{
    (void)name, (void)token, (void)folder, (void)visible, (void)logging, (void)update, (void)lock,
        (void)unlock;
    if (logger)
        logger(environment, fmi3Error, fmu_topics[FMU_TOPIC_ERROR], "there is no Scheduled Execution");
    return NULL;
}

void fmi3FreeInstance(fmi3Instance i) { fmu_instance_free(i); }

// ---- the beginning and the end

fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean tolerance_given, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean stop_given, fmi3Float64 stop)
{
    fmu_instance* instance = i;
    (void)tolerance_given, (void)tolerance; // of the importer's solver: ours is always finer
    if (!may(instance, FMU_INSTANTIATED, "fmi3EnterInitializationMode")) return fmi3Error;
    if (!isfinite(start) || (stop_given && !(stop >= start)))
        return fault(instance, "the times make no sense");
    instance->set.start_time = instance->time = start;
    instance->set.stop_time = stop_given ? stop : INFINITY;
    instance->stale = true;
    instance->phase = FMU_INITIALIZING;
    return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance i)
{
    fmu_instance* instance = i;
    if (!may(instance, FMU_INITIALIZING, "fmi3ExitInitializationMode")) return fmi3Error;
    fmu_status status = fmu_refresh(instance);
    if (status > FMU_WARNING) return (fmi3Status)status;
    instance->phase = instance->exchange || instance->events ? FMU_AT_EVENT : FMU_STEPPING;
    if (instance->exchange) fmu_exchange_begin(instance);
    return fmi3OK;
}

fmi3Status fmi3EnterEventMode(fmi3Instance i)
{
    fmu_instance* instance = i;
    if (!may(instance, FMU_CONTINUOUS | FMU_STEPPING, "fmi3EnterEventMode")) return fmi3Error;
    if (!instance->exchange && !instance->events)
        return fault(instance, "the instance was made without Event Mode");
    instance->phase = FMU_AT_EVENT;
    return fmi3OK;
}

fmi3Status fmi3Terminate(fmi3Instance i)
{
    fmu_instance* instance = i;
    if (!may(instance, FMU_AT_EVENT | FMU_CONTINUOUS | FMU_STEPPING | FMU_FAULTY, "fmi3Terminate"))
        return fmi3Error;
    instance->phase = FMU_TERMINATED;
    return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance i) { return i ? (fmi3Status)fmu_reset(i) : fmi3Error; }

fmi3Status fmi3EnterConfigurationMode(fmi3Instance i)
{
    if (!may(i, FMU_INSTANTIATED, "fmi3EnterConfigurationMode")) return fmi3Error;
    ((fmu_instance*)i)->phase = FMU_CONFIGURING;
    return fmi3OK;
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance i)
{
    if (!may(i, FMU_CONFIGURING, "fmi3ExitConfigurationMode")) return fmi3Error;
    ((fmu_instance*)i)->phase = FMU_INSTANTIATED;
    return fmi3OK;
}

// ---- events

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance i)
{
    return may(i, FMU_INITIALIZING | FMU_AT_EVENT, "fmi3EvaluateDiscreteStates") ? fmi3OK : fmi3Error;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean* again, fmi3Boolean* terminate,
                                    fmi3Boolean* nominals, fmi3Boolean* states, fmi3Boolean* next_given,
                                    fmi3Float64* next_time)
{
    fmu_instance* instance = i;
    fmu_event event = {.next_time = INFINITY};
    if (!may(instance, FMU_AT_EVENT, "fmi3UpdateDiscreteStates")) return fmi3Error;
    if (!again || !terminate || !nominals || !states || !next_given || !next_time)
        return fault(instance, "there is no room for the answer");
    fmu_status status = FMU_OK;
    if (instance->exchange)
        status = fmu_update_discrete(instance, &event);
    else
        fmu_pass_event(instance);
    *again = event.again;
    *states = event.states;
    *terminate = *nominals = false;
    *next_given = isfinite(event.next_time);
    *next_time = isfinite(event.next_time) ? event.next_time : 0.0;
    return (fmi3Status)status;
}

// ---- Co-Simulation

static bool is_for_steps(fmu_instance* instance, const char* call)
{
    if (instance && instance->exchange)
        fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s: the instance was made for Model Exchange", call);
    return instance && !instance->exchange;
}

fmi3Status fmi3EnterStepMode(fmi3Instance i)
{
    if (!is_for_steps(i, "fmi3EnterStepMode") || !may(i, FMU_AT_EVENT, "fmi3EnterStepMode")) return fmi3Error;
    fmu_pass_event(i);
    ((fmu_instance*)i)->phase = FMU_STEPPING;
    return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 from, fmi3Float64 size, fmi3Boolean no_way_back,
                      fmi3Boolean* event, fmi3Boolean* terminate, fmi3Boolean* early, fmi3Float64* reached)
{
    fmu_instance* instance = i;
    (void)no_way_back;
    if (!is_for_steps(instance, "fmi3DoStep") || !may(instance, FMU_STEPPING, "fmi3DoStep")) return fmi3Error;
    if (!event || !terminate || !early || !reached) return fault(instance, "there is no room for the answer");
    *event = *terminate = *early = false;
    *reached = instance->time;
    const char* wrong = size > 0.0 ? fmu_step_fault(instance, from, size) : "the step has no length";
    if (wrong) return fault(instance, wrong);
    fmu_step step = {.to = from + size, .to_event = instance->early};
    fmu_status status = fmu_do_step(instance, &step);
    *event = step.at_event;
    *early = step.at_event && step.time < step.to;
    *reached = instance->time;
    return (fmi3Status)status;
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference vr[], size_t count,
                                    const fmi3Int32 orders[], fmi3Float64 values[], size_t value_count)
{
    (void)vr, (void)orders, (void)values, (void)value_count;
    if (!is_for_steps(i, "fmi3GetOutputDerivatives") ||
        !may(i, FMU_STEPPING | FMU_TERMINATED | FMU_FAULTY, "fmi3GetOutputDerivatives"))
        return fmi3Error;
    return count == 0 ? fmi3OK
                      : fault(i, "derivatives of outputs are not offered: see maxOutputDerivativeOrder");
}
