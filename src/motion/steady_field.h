// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The field (engine/field) of a model that nobody moves, for those who look for steady states: at a point, in
// given modes of its contacts, with derivatives. Nothing may depend on time but the places of driven bodies,
// which go evenly.
//
//     q'' = a(x, v, s, z) + sum_i M^-1 W_i lambda_i,     s' = r(x, v, s),     z' = b(x, v, z)
//
// x and v are those of all bodies (driven ones move as they are driven), s the states of an open model, z
// those of bristles, lambda the forces of contacts that hold: whoever asks sets them, with the modes.
//
//   reads    the model; modes, signs and lambda, which whoever asks has set
//   writes   the point, and what is asked for
//   cost     one evaluation of every law and expression, and products of rows
#ifndef SLIPSTICK_MOTION_STEADY_FIELD_H
#define SLIPSTICK_MOTION_STEADY_FIELD_H

#include "model/model_impl.h"

/// What a contact does in a steady state.
typedef enum ss_steady_mode {
    SS_STEADY_SLIP,  ///< slips with the sign of `signs`, the force as the law says
    SS_STEADY_STICK, ///< holds inside its limits
    SS_STEADY_EDGE,  ///< holds exactly with its limit, on the side of `signs`: about to slip that way
    SS_STEADY_OPEN,  ///< a stop that is not touched
    SS_STEADY_CLOSED ///< a stop that is
} ss_steady_mode;

typedef struct ss_steady_field {
    const ss_model* model;
    struct ss_steady_parts* parts; ///< of the engine
    ss_pool pool;
    int n, bodies, states, bristles;
    int width;             ///< 2 n + states + bristles: q, q', s, z
    int* bristle_at;       ///< per contact: its place in z, or -1
    double* offset;        ///< bodies: x - T q; where a driven body starts
    double* drive_speed;   ///< bodies: speed of a driven one, else 0
    ss_steady_mode* modes; ///< per contact
    double* signs;         ///< per contact: +1 or -1, the direction of slip
    double* lambda;        ///< per contact: force where it holds
    // the point
    double *x, *v; ///< bodies
    double *s, *z;
    bool bad; ///< something is not finite here
} ss_steady_field;

/// SS_BAD_INPUT with the reason where the model has no steady states: something varies in time, or is
/// sampled.
ss_status ss_steady_field_create(const ss_model* model, ss_steady_field** out, ss_error* err);
void ss_steady_field_destroy(ss_steady_field* field); ///< NULL is welcome

/// The state (width) of the model's start.
void ss_steady_field_start(const ss_steady_field* field, double y[]);
/// Evaluates at y = (q, q', s, z).
void ss_steady_field_at(ss_steady_field* field, const double y[]);
/// After ss_steady_field_at: y' with the forces lambda, and its derivative (width x width; NULL: not wanted).
void ss_steady_field_rates(const ss_steady_field* field, double out[], double jacobian[]);
/// After ss_steady_field_at: how q'' and s' change in time while everything moves evenly, lambda aside.
void ss_steady_field_drift(const ss_steady_field* field, double out[]);

/// Bounds of the force of a contact while it holds, at the present point.
void ss_steady_field_bounds(const ss_steady_field* field, int contact, double* low, double* high);
/// Relative speed and place of a contact along its row, at the present point.
double ss_steady_field_speed(const ss_steady_field* field, int contact);
/// N: force of a contact with bristles on A, as it is at v = 0.
double ss_steady_field_force_at_rest(const ss_steady_field* field, int contact);
double ss_steady_field_place(const ss_steady_field* field, int contact);
/// Distance left before a stop, negative beyond it.
double ss_steady_field_gap(const ss_steady_field* field, int contact);
/// Whether a contact's force is free while it holds: dry friction and rigid stops.
bool ss_steady_field_may_hold(const ss_steady_field* field, int contact);

#endif
