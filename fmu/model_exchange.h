// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Model Exchange: the importer solves, the instance tells rates and event indicators and decides at events.
#ifndef SLIPSTICK_FMU_MODEL_EXCHANGE_H
#define SLIPSTICK_FMU_MODEL_EXCHANGE_H

#include "instance.h"

typedef struct fmu_event {
    bool again;       ///< out: discrete states are to be updated once more
    bool states;      ///< out: continuous states have changed, or what they obey: begin the solver anew
    double next_time; ///< out, s: of the next time event; INFINITY: none
} fmu_event;

/// The initialisation has ended.
void fmu_exchange_begin(fmu_instance* instance);
/// Puts the run to the time and states that were set.
fmu_status fmu_place(fmu_instance* instance);
/// How many event indicators there are.
int fmu_indicator_count(const fmu_instance* instance);
fmu_status fmu_put_time(fmu_instance* instance, double time);
fmu_status fmu_put_states(fmu_instance* instance, const double y[], size_t count);
fmu_status fmu_get_states(fmu_instance* instance, double y[], size_t count);
fmu_status fmu_get_rates(fmu_instance* instance, double rates[], size_t count);
fmu_status fmu_get_indicators(fmu_instance* instance, double out[], size_t count);
fmu_status fmu_get_nominals(fmu_instance* instance, double out[], size_t count);
/// All that happens at the present instant.
fmu_status fmu_update_discrete(fmu_instance* instance, fmu_event* event);

// ---- fmu_derivative.c

fmu_status fmu_directional(fmu_instance* instance, const uint32_t unknown[], size_t unknown_count,
                           const uint32_t known[], size_t known_count, const double seed[],
                           double sensitivity[]);

#endif
