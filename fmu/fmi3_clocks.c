// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// FMI 3.0: clocks and model partitions, of which an FMU of ours has none.
#include "fmi3.h"
#include "instance.h"

static fmi3Status none(fmu_instance* instance, size_t count)
{
    if (!instance) return fmi3Error;
    if (count == 0) return fmi3OK;
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "there are no clocks");
    return fmi3Error;
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference vr[], size_t count,
                                  fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
{
    (void)vr, (void)intervals, (void)qualifiers;
    return none(i, count);
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference vr[], size_t count,
                                   fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[])
{
    (void)vr, (void)counters, (void)resolutions, (void)qualifiers;
    return none(i, count);
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference vr[], size_t count,
                               fmi3Float64 shifts[])
{
    (void)vr, (void)shifts;
    return none(i, count);
}

fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference vr[], size_t count,
                                fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{
    (void)vr, (void)counters, (void)resolutions;
    return none(i, count);
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference vr[], size_t count,
                                  const fmi3Float64 intervals[])
{
    (void)vr, (void)intervals;
    return none(i, count);
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference vr[], size_t count,
                                   const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)vr, (void)counters, (void)resolutions;
    return none(i, count);
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference vr[], size_t count,
                               const fmi3Float64 shifts[])
{
    (void)vr, (void)shifts;
    return none(i, count);
}

fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference vr[], size_t count,
                                const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)vr, (void)counters, (void)resolutions;
    return none(i, count);
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference clock, fmi3Float64 time)
{
    (void)clock, (void)time;
    return none(i, 1);
}
