// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How a motion changes with its start and with the numbers of its model: the exact derivative, across slip,
// stick, impacts, ticks and jumps of inputs (docs/theory/derivatives.md). It is attached to a run and moves
// with it, several directions at once, at a cost proportional to their number.
//
//     ss_direction direction = {.name = "start", .v = (double[]){1.0}}; // m/s: body 0 starts faster
//     ss_derivative* derivative;
//     ss_status status = ss_derivative_create(model, &direction, 1, &derivative, &err);
//     if (status == SS_OK) status = ss_derivative_attach(derivative, sim, &err);
//     if (status == SS_OK) status = ss_sim_advance(sim, 10.0, &outcome, &err);
//     double x[1];
//     if (ss_derivative_get(derivative, 0, SS_OF_X, x)) printf("%g\n", x[0]); // d x(10 s) / d v(0), s
//
// A derivative does not exist where a motion has none: it grazes a stop, or several events that act on each
// other fall on one instant. From there on it is lost, and the run notes so.
#ifndef SLIPSTICK_DERIVATIVE_H
#define SLIPSTICK_DERIVATIVE_H

#include "slipstick/document.h"
#include "slipstick/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One direction: how the start changes per unit of it, and how the model does. Everything is borrowed for as
/// long as the derivative lives; NULL stands for zeros.
typedef struct ss_direction {
    const char* name;        ///< for answers, may be NULL
    const double *x, *v;     ///< one per body; those that ties or drives place follow
    const double* states;    ///< of an open model
    const double* bristles;  ///< numbers of the bristles, in the order of ss_sim_bristles
    const double* memory;    ///< of sampled controllers
    int model_count;         ///< 0: the model itself does not change
    const ss_model** models; ///< the model at other values of a number,
    const double* weights;   ///< so that sum_k weights[k] f(models[k]) is the derivative of any smooth f
    /// What sampled controllers read through round, floor and ceil changes as if these were not there: the
    /// derivative of the loop with fine steps. Without it the steps cut the loop, which is true between them.
    bool through_rounding;
} ss_direction;

typedef struct ss_derivative ss_derivative;

/// Prepares derivatives in some directions. The models of a direction must have the same bodies, contacts,
/// states and so on as the model itself.
SS_API ss_status ss_derivative_create(const ss_model* model, const ss_direction directions[], int count,
                                      ss_derivative** out, ss_error* err);
SS_API void ss_derivative_destroy(ss_derivative* derivative); ///< NULL is welcome; it is detached first
/// From now on it moves with the run: from the run's present state, which changes as the directions say, and
/// from its start whenever that is started anew. A run has one derivative at most.
SS_API ss_status ss_derivative_attach(ss_derivative* derivative, ss_sim* sim, ss_error* err);
SS_API void ss_derivative_detach(ss_derivative* derivative);

/// Of what: where the run has got to, at a fixed time.
typedef enum ss_derivative_of {
    SS_OF_X,       ///< places of all bodies
    SS_OF_V,       ///< their speeds
    SS_OF_FORCES,  ///< forces of all contacts (N), on A, as ss_sim_contact tells them
    SS_OF_NUMBERS, ///< states, signals, inputs and memory of an open model, as ss_sim_numbers tells them
    SS_OF_STATE,   ///< everything that the future of a run depends on, in the order of ss_sim_state
} ss_derivative_of;
/// Per unit of the direction; false, and NaN, where the derivative is lost.
SS_API bool ss_derivative_get(ss_derivative* derivative, int direction, ss_derivative_of what, double out[]);
/// How the time of the last event of a contact changes, s per unit of the direction. To be asked where the
/// run tells the event (ss_sim_def.on_event), or where it stopped at it.
SS_API bool ss_derivative_event(const ss_derivative* derivative, int direction, int contact, double* out);
/// Whether at some instant contacts that act on each other changed their modes together without being bound
/// to: neighbouring motions may pass them in either order. Unless such cases are allowed, the derivative is
/// lost there; where they are, it is that of one of the orders.
SS_API bool ss_derivative_is_coupled(const ss_derivative* derivative);
SS_API void ss_derivative_allow_coupled(ss_derivative* derivative, bool allow);

// ---- numbers of a model file

/// A number of a model file as a direction: the models beside it, made so near and so many that the
/// derivative is exact to some 1e-11.
typedef struct ss_path_direction ss_path_direction;

/// path as for ss_document_set ("parameters.mu", "block.v", "contacts.stop.restitution"); until: s, up to
/// which the motion goes (signals may turn with a number times t). A path that does not exist, or at which
/// the motion has no derivative, is SS_BAD_INPUT.
SS_API ss_status ss_path_direction_create(const ss_document* document, const ss_model* model,
                                          const char* path, double until, ss_path_direction** out,
                                          ss_error* err);
SS_API void ss_path_direction_destroy(ss_path_direction* direction); ///< NULL is welcome
/// The direction, borrowed.
SS_API const ss_direction* ss_path_direction_get(const ss_path_direction* direction);

#ifdef __cplusplus
}
#endif
#endif
