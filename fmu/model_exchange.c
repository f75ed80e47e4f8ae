// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Model Exchange over slipstick/exchange.h. A point that was set is put when something is asked of it.
#include "model_exchange.h"

#include <math.h>
#include <string.h>

static fmu_status fail_count(fmu_instance* instance, const char* what, int expected, size_t count)
{
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "there are %d %s, not %zu", expected, what, count);
    return FMU_ERROR;
}

void fmu_exchange_begin(fmu_instance* instance)
{
    ss_exchange_get(instance->sim, instance->y);
    instance->placed = true;
    instance->next_time = INFINITY;
}

fmu_status fmu_place(fmu_instance* instance)
{
    ss_error err = {0};
    if (instance->placed) return FMU_OK;
    instance->placed = true;
    instance->numbers_known = false;
    if (ss_exchange_put(instance->sim, instance->time, instance->y, &err) == SS_OK) return FMU_OK;
    instance->placed = false;
    fmu_report(instance, &err);
    return FMU_DISCARD; // a trial point of the solver: a shorter step may do
}

int fmu_indicator_count(const fmu_instance* instance) { return instance->variables.indicators; }

fmu_status fmu_put_time(fmu_instance* instance, double time)
{
    if (!isfinite(time)) {
        fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "the time must be finite");
        return FMU_ERROR;
    }
    instance->placed = instance->placed && time == instance->time;
    instance->time = time;
    return FMU_OK;
}

fmu_status fmu_put_states(fmu_instance* instance, const double y[], size_t count)
{
    if ((int)count != instance->variables.states || (count > 0 && !y))
        return fail_count(instance, "continuous states", instance->variables.states, count);
    for (size_t k = 0; k < count; k++)
        if (!isfinite(y[k])) {
            fmu_log(instance, FMU_DISCARD, FMU_TOPIC_ERROR, "continuous states must be finite");
            return FMU_DISCARD;
        }
    if (count > 0) memcpy(instance->y, y, count * sizeof(double));
    instance->placed = false;
    return FMU_OK;
}

fmu_status fmu_get_states(fmu_instance* instance, double y[], size_t count)
{
    if ((int)count != instance->variables.states || (count > 0 && !y))
        return fail_count(instance, "continuous states", instance->variables.states, count);
    fmu_status status = fmu_refresh(instance);
    if (status <= FMU_WARNING && instance->phase == FMU_INITIALIZING) fmu_exchange_begin(instance);
    if (count > 0) memcpy(y, instance->y, count * sizeof(double));
    return status;
}

fmu_status fmu_get_rates(fmu_instance* instance, double rates[], size_t count)
{
    if ((int)count != instance->variables.states || (count > 0 && !rates))
        return fail_count(instance, "continuous states", instance->variables.states, count);
    fmu_status status = fmu_refresh(instance);
    if (status <= FMU_WARNING) status = fmu_place(instance);
    if (status <= FMU_WARNING && count > 0) ss_exchange_rates(instance->sim, rates);
    return status;
}

fmu_status fmu_get_indicators(fmu_instance* instance, double out[], size_t count)
{
    if ((int)count != instance->variables.indicators || (count > 0 && !out))
        return fail_count(instance, "event indicators", instance->variables.indicators, count);
    fmu_status status = fmu_refresh(instance);
    if (status <= FMU_WARNING) status = fmu_place(instance);
    if (status <= FMU_WARNING && count > 0) ss_exchange_indicators(instance->sim, out);
    return status;
}

fmu_status fmu_get_nominals(fmu_instance* instance, double out[], size_t count)
{
    if ((int)count != instance->variables.states || (count > 0 && !out))
        return fail_count(instance, "continuous states", instance->variables.states, count);
    for (int k = 0; k < instance->variables.count; k++) {
        const fmu_variable* v = &instance->variables.at[k];
        if (v->state >= 0 && v->kind != FMU_RATE) out[v->state] = v->nominal;
    }
    return FMU_OK;
}

fmu_status fmu_update_discrete(fmu_instance* instance, fmu_event* event)
{
    ss_error err = {0};
    ss_exchange_instant instant;
    *event = (fmu_event){.next_time = INFINITY};
    fmu_status status = fmu_refresh(instance);
    if (status <= FMU_WARNING) status = fmu_place(instance);
    if (status > FMU_WARNING) return status;
    if (ss_exchange_event(instance->sim, &instant, &err) != SS_OK) {
        instance->phase = FMU_FAULTY;
        return fmu_report(instance, &err);
    }
    ss_exchange_get(instance->sim, instance->y);
    instance->placed = true;
    instance->numbers_known = false;
    // Some importers begin their solver anew only where they are told that states have changed. It must begin
    // anew wherever the right-hand side is another one, since it may have gone beyond the event already.
    bool timed = fmu_later_by(instance->next_time, instance->time) <= fmu_same_time;
    *event = (fmu_event){.states = instant.changed || instant.modes || timed, .next_time = instant.next_time};
    instance->next_time = instant.next_time;
    return FMU_OK;
}
