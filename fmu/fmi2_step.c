// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// FMI 2.0 for Co-Simulation.
#include "fmi2.h"
#include "instance.h"

enum { DONE = FMU_STEPPING | FMU_TERMINATED | FMU_FAULTY };

static fmi2Status fault(fmu_instance* instance, const char* text)
{
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s", text);
    return fmi2Error;
}

static bool may(fmu_instance* instance, int phases, const char* call)
{
    if (!instance) return false;
    if (!instance->exchange) return fmu_allowed(instance, phases, call);
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s: the instance was made for Model Exchange", call);
    return false;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real from, fmi2Real size, fmi2Boolean no_way_back)
{
    fmu_instance* instance = c;
    (void)no_way_back;
    if (!may(instance, FMU_STEPPING, "fmi2DoStep")) return fmi2Error;
    const char* wrong = fmu_step_fault(instance, from, size);
    if (wrong) return fault(instance, wrong);
    fmu_step step = {.to = from + size};
    return (fmi2Status)fmu_do_step(instance, &step);
}

fmi2Status fmi2CancelStep(fmi2Component c)
{
    if (!may(c, 0, "fmi2CancelStep")) return fmi2Error; // no step is ever under way when a call returns
    return fmi2OK;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                                       const fmi2Integer order[], const fmi2Real value[])
{
    fmu_instance* instance = c;
    fmu_status status = FMU_OK;
    if (!may(c, FMU_INSTANTIATED | FMU_INITIALIZING | FMU_STEPPING, "fmi2SetRealInputDerivatives"))
        return fmi2Error;
    if (count > 0 && (!vr || !order || !value)) return fault(c, "a list is missing");
    for (size_t k = 0; k < count && status <= FMU_WARNING; k++) {
        bool input =
            vr[k] < (unsigned)instance->variables.count && instance->variables.at[vr[k]].kind == FMU_INPUT;
        if (!input) return fault(c, "derivatives of this kind are those of inputs");
        if (order[k] != 1) return fault(c, "inputs grow by their first derivative, and have no others");
        status = fmu_set_slope(instance, &instance->variables.at[vr[k]], value[k]);
    }
    return (fmi2Status)status;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                                        const fmi2Integer order[], fmi2Real value[])
{
    (void)vr, (void)order, (void)value;
    if (!may(c, DONE, "fmi2GetRealOutputDerivatives")) return fmi2Error;
    return count == 0 ? fmi2OK
                      : fault(c, "derivatives of outputs are not offered: see maxOutputDerivativeOrder");
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status* value)
{
    (void)kind, (void)value;
    if (!may(c, DONE, "fmi2GetStatus")) return fmi2Error;
    return fmi2Discard; // no step is ever pending
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value)
{
    if (!may(c, DONE, "fmi2GetRealStatus")) return fmi2Error;
    if (kind != fmi2LastSuccessfulTime || !value) return fmi2Discard;
    *value = ((fmu_instance*)c)->time;
    return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer* value)
{
    (void)kind, (void)value;
    return may(c, DONE, "fmi2GetIntegerStatus") ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value)
{
    if (!may(c, DONE, "fmi2GetBooleanStatus")) return fmi2Error;
    if (kind != fmi2Terminated || !value) return fmi2Discard;
    *value = fmi2False;
    return fmi2OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String* value)
{
    (void)kind, (void)value;
    return may(c, DONE, "fmi2GetStringStatus") ? fmi2Discard : fmi2Error;
}
