// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// FMI 2.0 for Model Exchange.
#include "fmi2.h"

#define FMI(name) fmi2##name
#include "exchange_calls.h"

#include <math.h>

ROW(GetDerivatives, ASKABLE & ~FMU_INITIALIZING, double, fmu_get_rates)

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
