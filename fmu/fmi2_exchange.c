// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// FMI 2.0 for Model Exchange.
#include "exchange.h"
#include "fmi2.h"
#include "instance.h"

#include <math.h>

enum { SOLVING = FMU_AT_EVENT | FMU_CONTINUOUS, ASKABLE = SOLVING | FMU_TERMINATED | FMU_FAULTY };

static bool may(fmu_instance* instance, int phases, const char* call)
{
    if (!instance) return false;
    if (instance->exchange) return fmu_allowed(instance, phases, call);
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s: the instance was made for Co-Simulation", call);
    return false;
}

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    if (!may(c, SOLVING, "fmi2EnterEventMode")) return fmi2Error;
    ((fmu_instance*)c)->phase = FMU_AT_EVENT;
    return fmi2OK;
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info)
{
    fmu_event event;
    if (!may(c, FMU_AT_EVENT, "fmi2NewDiscreteStates") || !info) return fmi2Error;
    fmu_status status = fmu_update_discrete(c, &event);
    bool timed = isfinite(event.next_time);
    *info = (fmi2EventInfo){.newDiscreteStatesNeeded = event.again,
                            .valuesOfContinuousStatesChanged = event.states,
                            .nextEventTimeDefined = timed,
                            .nextEventTime = timed ? event.next_time : 0.0};
    return (fmi2Status)status;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    if (!may(c, FMU_AT_EVENT, "fmi2EnterContinuousTimeMode")) return fmi2Error;
    ((fmu_instance*)c)->phase = FMU_CONTINUOUS;
    return fmi2OK;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_way_back,
                                       fmi2Boolean* enter_event_mode, fmi2Boolean* terminate)
{
    (void)no_way_back;
    if (!may(c, FMU_CONTINUOUS, "fmi2CompletedIntegratorStep") || !enter_event_mode || !terminate)
        return fmi2Error;
    *enter_event_mode = *terminate = fmi2False;
    return fmi2OK;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    return may(c, SOLVING, "fmi2SetTime") ? (fmi2Status)fmu_put_time(c, time) : fmi2Error;
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t count)
{
    return may(c, FMU_CONTINUOUS, "fmi2SetContinuousStates") ? (fmi2Status)fmu_put_states(c, x, count)
                                                             : fmi2Error;
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real rates[], size_t count)
{
    return may(c, ASKABLE, "fmi2GetDerivatives") ? (fmi2Status)fmu_get_rates(c, rates, count) : fmi2Error;
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicators[], size_t count)
{
    if (!may(c, ASKABLE | FMU_INITIALIZING, "fmi2GetEventIndicators")) return fmi2Error;
    return (fmi2Status)fmu_get_indicators(c, indicators, count);
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t count)
{
    if (!may(c, ASKABLE | FMU_INITIALIZING, "fmi2GetContinuousStates")) return fmi2Error;
    return (fmi2Status)fmu_get_states(c, x, count);
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominals[], size_t count)
{
    if (!may(c, ASKABLE | FMU_INSTANTIATED | FMU_INITIALIZING, "fmi2GetNominalsOfContinuousStates"))
        return fmi2Error;
    return (fmi2Status)fmu_get_nominals(c, nominals, count);
}
