// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// FMI 3.0 for Model Exchange; its events are in fmi3.c.
#include "fmi3.h"

#define FMI(name) fmi3##name
#include "exchange_calls.h"

ROW(GetContinuousStateDerivatives, ASKABLE, double, fmu_get_rates)

static fmi3Status report(fmi3Instance i, const char* call, size_t* count, int number)
{
    if (!may(i, ~0, call) || !count) return fmi3Error;
    *count = (size_t)number;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t* count)
{
    return report(i, "fmi3GetNumberOfEventIndicators", count, i ? fmu_indicator_count(i) : 0);
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t* count)
{
    return report(i, "fmi3GetNumberOfContinuousStates", count, i ? ((fmu_instance*)i)->variables.states : 0);
}
