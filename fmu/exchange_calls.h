// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The calls of Model Exchange that both versions of the standard have, but for their names: FMI(DoStep) is
// fmi2DoStep or fmi3DoStep. Included once by the file of each version.
#include "instance.h"
#include "model_exchange.h"

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

#define NAME(call)      NAME_OF(FMI(call))
#define NAME_OF(call)   NAME_TEXT(call)
#define NAME_TEXT(call) #call

FMI(Status) FMI(EnterContinuousTimeMode)(void* i)
{
    if (!may(i, FMU_AT_EVENT, NAME(EnterContinuousTimeMode))) return FMI(Error);
    ((fmu_instance*)i)->phase = FMU_CONTINUOUS;
    return FMI(OK);
}

FMI(Status)
FMI(CompletedIntegratorStep)
(void* i, FMI(Boolean) no_way_back, FMI(Boolean) * enter_event_mode, FMI(Boolean) * terminate)
{
    (void)no_way_back;
    if (!may(i, FMU_CONTINUOUS, NAME(CompletedIntegratorStep)) || !enter_event_mode || !terminate)
        return FMI(Error);
    *enter_event_mode = *terminate = 0;
    return FMI(OK);
}

FMI(Status) FMI(SetTime)(void* i, double time)
{
    return may(i, SOLVING, NAME(SetTime)) ? (FMI(Status))fmu_put_time(i, time) : FMI(Error);
}

// A call that gives or takes a row of numbers.
#define ROW(Call, phases, type, function)                                                                    \
    FMI(Status) FMI(Call)(void* i, type row[], size_t count)                                                 \
    {                                                                                                        \
        return may(i, phases, NAME(Call)) ? (FMI(Status))function(i, row, count) : FMI(Error);               \
    }

ROW(SetContinuousStates, FMU_CONTINUOUS, const double, fmu_put_states)
ROW(GetEventIndicators, ASKABLE, double, fmu_get_indicators)
ROW(GetContinuousStates, ASKABLE, double, fmu_get_states)
ROW(GetNominalsOfContinuousStates, ASKABLE | FMU_INSTANTIATED, double, fmu_get_nominals)
