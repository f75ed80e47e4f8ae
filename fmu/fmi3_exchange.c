// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// FMI 3.0 for Model Exchange.
#include "exchange.h"
#include "fmi3.h"
#include "instance.h"

enum {
    SOLVING = FMU_AT_EVENT | FMU_CONTINUOUS,
    ASKABLE = SOLVING | FMU_INITIALIZING | FMU_TERMINATED | FMU_FAULTY
};

static bool may(fmu_instance* instance, int phases, const char* call)
{
    if (!instance) return false;
    if (instance->exchange) return fmu_allowed(instance, phases, call);
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s: the instance was made for Co-Simulation", call);
    return false;
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance i)
{
    if (!may(i, FMU_AT_EVENT, "fmi3EnterContinuousTimeMode")) return fmi3Error;
    ((fmu_instance*)i)->phase = FMU_CONTINUOUS;
    return fmi3OK;
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean no_way_back, fmi3Boolean* enter_event_mode,
                                       fmi3Boolean* terminate)
{
    (void)no_way_back;
    if (!may(i, FMU_CONTINUOUS, "fmi3CompletedIntegratorStep") || !enter_event_mode || !terminate)
        return fmi3Error;
    *enter_event_mode = *terminate = false;
    return fmi3OK;
}

fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64 time)
{
    return may(i, SOLVING, "fmi3SetTime") ? (fmi3Status)fmu_put_time(i, time) : fmi3Error;
}

fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64 x[], size_t count)
{
    return may(i, FMU_CONTINUOUS, "fmi3SetContinuousStates") ? (fmi3Status)fmu_put_states(i, x, count)
                                                             : fmi3Error;
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64 rates[], size_t count)
{
    if (!may(i, ASKABLE, "fmi3GetContinuousStateDerivatives")) return fmi3Error;
    return (fmi3Status)fmu_get_rates(i, rates, count);
}

fmi3Status fmi3GetEventIndicators(fmi3Instance i, fmi3Float64 indicators[], size_t count)
{
    return may(i, ASKABLE, "fmi3GetEventIndicators") ? (fmi3Status)fmu_get_indicators(i, indicators, count)
                                                     : fmi3Error;
}

fmi3Status fmi3GetContinuousStates(fmi3Instance i, fmi3Float64 x[], size_t count)
{
    return may(i, ASKABLE, "fmi3GetContinuousStates") ? (fmi3Status)fmu_get_states(i, x, count) : fmi3Error;
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance i, fmi3Float64 nominals[], size_t count)
{
    if (!may(i, ASKABLE | FMU_INSTANTIATED, "fmi3GetNominalsOfContinuousStates")) return fmi3Error;
    return (fmi3Status)fmu_get_nominals(i, nominals, count);
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t* count)
{
    if (!may(i, ~0, "fmi3GetNumberOfEventIndicators") || !count) return fmi3Error;
    *count = (size_t)fmu_indicator_count(i);
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t* count)
{
    if (!may(i, ~0, "fmi3GetNumberOfContinuousStates") || !count) return fmi3Error;
    *count = (size_t)((fmu_instance*)i)->variables.states;
    return fmi3OK;
}
