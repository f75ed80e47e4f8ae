// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The equations of motion of a model at a point, in given modes of its contacts, with derivatives:
//
//     M q'' = Q(x, v, s, z) + sum_i W_i lambda_i,     s' = r(x, v, s),     z' = b(x, v, z)
//
// x and v are those of all bodies (driven ones move as they are driven), s the states of an open model, z
// those of bristles, lambda the forces of contacts that hold. Nothing may depend on time but the places of
// driven bodies, which go evenly.
//
//   reads    the model; modes and lambda, which whoever asks has set
//   writes   force, rate, creep, slopes
//   cost     one evaluation of every law and expression, and products of rows
#ifndef SLIPSTICK_LAB_STEADY_FIELD_H
#define SLIPSTICK_LAB_STEADY_FIELD_H

#include "core/expression/program.h"
#include "law/along.h"
#include "model/model.h"

/// What a contact does in a steady state.
typedef enum ss_steady_mode {
    SS_STEADY_SLIP,  ///< slips with the sign of `signs`, the force as the law says
    SS_STEADY_STICK, ///< holds inside its limits
    SS_STEADY_EDGE,  ///< holds exactly with its limit, on the side of `signs`: about to slip that way
    SS_STEADY_OPEN,  ///< a stop that is not touched
    SS_STEADY_CLOSED ///< a stop that is
} ss_steady_mode;

/// The programs of an open model, and what they answer at the point.
typedef struct ss_steady_open {
    ss_run motion, slope;
    double *pieces, *point, *outputs, *derivatives;
} ss_steady_open;

typedef struct ss_steady_field {
    const ss_model* model;
    ss_pool pool;
    int n, bodies, states, bristles;
    int width;             ///< 2 n + states + bristles: q, q', s, z
    int rows, columns;     ///< of slopes: n + states + bristles; 2 bodies + states + bristles
    int* bristle_at;       ///< per contact: its place in z, or -1
    ss_along** along;      ///< per contact: what its law needs at a point, or NULL
    double* offset;        ///< bodies: x - T q; where a driven body starts
    double* drive_speed;   ///< bodies: speed of a driven one, else 0
    ss_steady_mode* modes; ///< per contact
    double* signs;         ///< per contact: +1 or -1, the direction of slip
    double* lambda;        ///< per contact: force where it holds
    // the point
    double *x, *v; ///< bodies
    double *s, *z;
    // what there is
    double *force, *rate, *creep; ///< Q (n), r, b
    double* slopes;               ///< rows x columns: derivatives of Q, r, b by x, v, s, z
    ss_steady_open open;
    bool bad;       ///< something is not finite here
    double* column; ///< n: scratch
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
/// After ss_steady_field_at: derivatives of y' by the forces lambda of contact i, added to column (width).
void ss_steady_field_push(const ss_steady_field* field, int contact, double factor, double column[]);

/// Bounds of the force of a contact while it holds, at the present point.
void ss_steady_field_bounds(const ss_steady_field* field, int contact, double* low, double* high);
/// Relative speed and place of a contact along its row, at the present point.
double ss_steady_field_speed(const ss_steady_field* field, int contact);
/// N: force of a contact with bristles on A, as it is at v = 0.
double ss_steady_field_force_at_rest(const ss_steady_field* field, int contact);
double ss_steady_field_place(const ss_steady_field* field, int contact);
/// Distance left before a stop, negative beyond it.
double ss_steady_field_gap(const ss_steady_field* field, int contact);
/// A level of a Coulomb contact at the present point (of ss_level), and its slopes added times factor to
/// row, where it follows the motion (row may be NULL).
double ss_steady_field_level(const ss_steady_field* field, int contact, int which, double factor,
                             double row[]);

/// field_contact.c: what the contacts add to force, creep and slopes.
void ss_steady_field_add_contacts(ss_steady_field* field);
/// Adds factor times the row over bodies (at x for shift = 0, at v for shift = bodies) to a row of slopes.
void ss_steady_field_add_row(const ss_steady_field* field, int row, const ss_row* bodies, int shift,
                             double factor);
/// Whether a contact's force is free while it holds: dry friction and rigid stops.
bool ss_steady_field_may_hold(const ss_steady_field* field, int contact);

#endif
