// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A model for other people's solvers. The caller owns time and integrates; the run tells how fast its
// continuous states change in the present modes, says by functions of the state when a mode ends, and decides
// at such an instant what comes next, as it does when it runs by itself.
//
//     ss_exchange_begin(sim, 0.0, NULL, NULL, &err);
//     ss_exchange_get(sim, y);
//     .. ss_exchange_put(sim, t, y, &err); ss_exchange_rates(sim, dy); ss_exchange_indicators(sim, g); ..
//     where some g falls to 0, or at the next time event:
//     ss_exchange_event(sim, &event, &err); ss_exchange_get(sim, y);
//
// What else can be asked of a run (places, contacts, signals) is that of the point put last. A run that has
// been exchanged is not advanced any more; ss_sim_restart makes it an ordinary one again.
#ifndef SLIPSTICK_EXCHANGE_H
#define SLIPSTICK_EXCHANGE_H

#include "slipstick/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/// SS_OK where the model can be exchanged; otherwise why not: contacts with elements, whose memory is more
/// than a state, forces that jump, drives with corners.
SS_API ss_status ss_exchange_check(const ss_model* model, ss_error* err);

typedef enum ss_exchange_kind {
    SS_EXCHANGE_X, ///< of a body: of independent coordinates, and of bodies that are driven by their speed
    SS_EXCHANGE_V, ///< of a body
    SS_EXCHANGE_Z, ///< bristle deflection of a contact
    SS_EXCHANGE_STATE, ///< of an open model
} ss_exchange_kind;

/// One continuous state.
typedef struct ss_exchange_state {
    ss_exchange_kind kind;
    int index;      ///< of the body, contact or state
    double nominal; ///< its size, as far as the model tells: > 0
} ss_exchange_state;
SS_API int ss_exchange_state_count(const ss_model* model);
SS_API ss_exchange_state ss_exchange_get_state(const ss_model* model, int k);

/// Sizes of the continuous states, one each, for the absolute tolerances of a solver: as ss_exchange_state
/// has them, or smaller where they stay smaller on the model's own motion, which is followed for some
/// thousands of steps at most.
SS_API ss_status ss_exchange_sizes(const ss_model* model, double out[], ss_error* err);

typedef enum ss_exchange_unknown {
    SS_UNKNOWN_RATE,   ///< of a continuous state
    SS_UNKNOWN_FORCE,  ///< of a contact
    SS_UNKNOWN_X,      ///< of a body
    SS_UNKNOWN_V,      ///< of a body
    SS_UNKNOWN_SIGNAL, ///< of an open model
} ss_exchange_unknown;
/// On which continuous states, then inputs, then the time something depends in some mode: one of `out` for
/// each. False where that is not known: it may depend on all.
SS_API bool ss_exchange_depends(const ss_model* model, ss_exchange_unknown what, int index, bool out[]);

/// The run begins at time t_s, from starts as in ss_sim_restart; modes are decided.
SS_API ss_status ss_exchange_begin(ss_sim* sim, double t_s, const double start_x[], const double start_v[],
                                   ss_error* err);
/// Takes a run that has been advanced to t_s over as it stands, in the modes that it has; y receives its
/// continuous states. Forces and rates that are asked for are those of a neighbourhood in these modes, no
/// event included.
SS_API ss_status ss_exchange_here(ss_sim* sim, double t_s, double y[], ss_error* err);
/// The continuous states of the point that was put last, or that an event left.
SS_API void ss_exchange_get(const ss_sim* sim, double y[]);
/// Puts the run to another point, in its present modes. Where a contact holds, speeds and places that follow
/// from others do so exactly, whatever y says. SS_BAD_INPUT where something is no finite number there.
SS_API ss_status ss_exchange_put(ss_sim* sim, double t_s, const double y[], ss_error* err);
/// Sets an input from the point that is put next on; no event by itself.
SS_API void ss_exchange_input(ss_sim* sim, int input, double value);
SS_API void ss_exchange_rates(const ss_sim* sim, double rates[]);

/// Event indicators: positive in the present modes; where one falls to 0 a mode may end. A slipping contact:
/// its speed. A sticking one: the room that its force has to either side. An open stop: its gap; a closed
/// one: its force. All relative to sizes of their own. Two for each contact, and
/// for a contact that is two stops (backlash) two more after all others; returns how many (out may be
/// NULL).
SS_API int ss_exchange_indicators(const ss_sim* sim, double out[]);
/// How many these will be, and which contact indicator k belongs to.
SS_API int ss_exchange_indicator_count(const ss_model* model);
SS_API int ss_exchange_indicator_contact(const ss_model* model, int k);

typedef struct ss_exchange_instant {
    bool changed;     ///< continuous states are others now
    bool modes;       ///< some mode is
    double next_time; ///< s: of the next event that is known by its time (ticks, points of tables); INFINITY
} ss_exchange_instant;
/// All that happens at the present point: speeds that are 0 to the solver's precision become exactly 0, stops
/// are struck, ticks pass, modes are decided. Events go to the sink of the run's definition.
SS_API ss_status ss_exchange_event(ss_sim* sim, ss_exchange_instant* out, ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
