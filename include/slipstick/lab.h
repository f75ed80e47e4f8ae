// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What needs a desktop (libslipstick-lab): model files; recordings, and fitting a model to them.
#ifndef SLIPSTICK_LAB_H
#define SLIPSTICK_LAB_H

#include "slipstick/basin.h"
#include "slipstick/fit.h"
#include "slipstick/slipstick.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a YAML 1.2 file into a document.
SS_API ss_status ss_document_read_yaml(const char* path, ss_document** out, ss_error* err);
/// The same from memory; name is what errors call it.
SS_API ss_status ss_document_parse_yaml(const char* name, const char* text, size_t length, ss_document** out,
                                        ss_error* err);

// ---- periodic motions

/// What to look for, and where: the search begins at the model's own start.
typedef struct ss_cycle_def {
    double period; ///< s; forced models: the time after which the motion is to repeat (NaN: the common period
                   ///< of the inputs); others: a first guess (NaN: none)
    double until;  ///< s: how long a motion may take to come near a cycle; NaN: as long as the model's run
    double tolerance; ///< of the motion, where its flow is not closed form; 1e-12
    long max_events;  ///< 1e6
} ss_cycle_def;

SS_API ss_cycle_def ss_cycle_def_default(void);

/// A motion that repeats, stable or not.
typedef struct ss_cycle ss_cycle;

/// Finds a periodic motion near the model's start by shooting across events. SS_NOT_FOUND where none is
/// found.
SS_API ss_status ss_cycle_find(const ss_model* model, const ss_cycle_def* def, ss_cycle** out, ss_error* err);
SS_API void ss_cycle_destroy(ss_cycle* cycle); ///< NULL is welcome

SS_API double ss_cycle_period(const ss_cycle* cycle);  ///< s
SS_API bool ss_cycle_is_forced(const ss_cycle* cycle); ///< inputs set its rhythm
/// Half the way between the ends of a body's motion, and their mean; m or rad.
SS_API double ss_cycle_amplitude(const ss_cycle* cycle, int body);
SS_API double ss_cycle_middle(const ss_cycle* cycle, int body);
/// A state on the cycle (one number per body): for forced models the one at t = 0, for others some time away
/// from the nearest events.
SS_API const double* ss_cycle_x(const ss_cycle* cycle);
SS_API const double* ss_cycle_v(const ss_cycle* cycle);
/// Floquet multipliers, largest magnitude first, as real and imaginary part. Without forcing, the one that is
/// 1 because the motion may be shifted in time is left out. 0 is exact: where contacts stick, the past is
/// forgotten.
SS_API int ss_cycle_multiplier_count(const ss_cycle* cycle);
SS_API void ss_cycle_multiplier(const ss_cycle* cycle, int k, double out[2]);
SS_API bool ss_cycle_is_stable(const ss_cycle* cycle); ///< all multipliers are inside the unit circle
/// True where contacts that act on each other change their modes at one instant: neighbouring motions may do
/// so one after the other in either order, and the multipliers hold for one of them.
SS_API bool ss_cycle_is_coupled(const ss_cycle* cycle);
/// Events of one period, counted from the state above.
SS_API size_t ss_cycle_event_count(const ss_cycle* cycle);
SS_API ss_event ss_cycle_event(const ss_cycle* cycle, size_t k);

#ifdef __cplusplus
}
#endif
#endif
