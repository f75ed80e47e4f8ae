// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Co-Simulation: the run goes on to the end of a step, or to the next event.
#include "instance.h"

#include <math.h>

const char* fmu_step_fault(const fmu_instance* instance, double from, double size)
{
    double stop = instance->set.stop_time;
    if (!isfinite(from) || !(size >= 0.0) || !isfinite(size)) return "the step makes no sense";
    if (!(fabs(fmu_later_by(from, instance->time)) <= fmu_same_time))
        return "the step does not begin where the last one ended";
    if (isfinite(stop) && fmu_later_by(from + size, stop) > fmu_same_time)
        return "the step ends after the stop time that was set up";
    return NULL;
}

static ss_status advance(fmu_instance* instance, fmu_step* step, ss_outcome* outcome, ss_error* err)
{
    if (instance->slide && step->to_event)
        return ss_slide_advance_to_event(instance->slide, step->to - instance->offset, &step->at_event,
                                         outcome, err);
    if (instance->slide) return ss_slide_advance(instance->slide, step->to - instance->offset, outcome, err);
    if (step->to_event)
        return ss_sim_advance_to_event(instance->sim, step->to, &step->at_event, outcome, err);
    return ss_sim_advance(instance->sim, step->to, outcome, err);
}

fmu_status fmu_do_step(fmu_instance* instance, fmu_step* step)
{
    ss_error err = {0};
    ss_outcome outcome = SS_TIME_REACHED;
    step->at_event = false;
    step->to = fmax(step->to, instance->time); // times of the importer are its own, but for rounding
    fmu_status fresh = instance->stale ? fmu_refresh(instance) : FMU_OK;
    if (fresh > FMU_WARNING) return fresh;
    instance->before = instance->numbers_known = instance->touched = false;
    ss_status status = advance(instance, step, &outcome, &err);
    double reached =
        instance->slide ? ss_slide_time(instance->slide) + instance->offset : ss_sim_time(instance->sim);
    if (status != SS_OK) {
        ss_document_locate(instance->resource.document, &err);
        instance->phase = FMU_FAULTY;
        instance->time = step->time = reached;
        return fmu_report(instance, &err);
    }
    if (outcome == SS_ESCAPED || outcome == SS_EVENT_LIMIT) {
        fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "t = %.9g s: %s", reached,
                outcome == SS_ESCAPED ? "the motion has left what numbers can hold"
                                      : "steps and events follow each other without time between them");
        instance->phase = FMU_FAULTY;
        instance->time = step->time = reached;
        return FMU_ERROR;
    }
    for (int k = 0; k < instance->input_count; k++) instance->fresh[k] = 0.0;
    instance->before = step->at_event;
    instance->time = step->time = step->at_event ? reached : step->to;
    return FMU_OK;
}

void fmu_pass_event(fmu_instance* instance)
{
    instance->before = instance->numbers_known = false;
    instance->touched = true;
}
