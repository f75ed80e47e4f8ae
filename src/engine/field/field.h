// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The field: the equations of motion of one mode, at a point. With y = (q, v, z, s), z one number per contact
// with bristles, s the states of an open model,
//
//     q' = v,   v' = M^-1 (h(t, y) + W lambda),   z' = g(v, z),   s' = r(t, y),
//
// lambda being what laws answer at the point, or, of contacts that hold, what keeps W^T v' + Wd^T d'' = 0.
// docs/decisions/field.md says who asks, and why there is one place to ask.
//
//   reads    model, modes, the point
//   writes   what it is asked for, and its own scratch
//   promise  no step, no series, no run: two points with the same numbers have the same answer
#ifndef SLIPSTICK_ENGINE_FIELD_FIELD_H
#define SLIPSTICK_ENGINE_FIELD_FIELD_H

#include "core/pool.h"
#include "engine/run/inputs.h"
#include "engine/run/laws.h"
#include "engine/run/modes.h"
#include "model/actions.h"

enum { SS_MOST_ELEMENTS = 32 }; ///< of a contact whose elements are looked at one by one

/// Expressions that are not affine, at a point.
typedef struct ss_field_programs {
    ss_run motion, slope;  ///< outputs, and their derivatives
    const double* decided; ///< pieces of all kinks, as the mode has them
    double* pieces;        ///< a copy: an evaluation may decide one that is open
    double *variables, *outputs, *slopes;
} ss_field_programs;

/// One mode of a model: what the equations depend on beside the point.
typedef struct ss_field {
    const ss_model* model;
    const ss_modes* modes;       ///< which mode each contact is in, and how what holds does
    const ss_law_series* laws;   ///< what laws with a memory know
    const ss_inputs* inputs;     ///< which forces and levels vary in time
    const double* constant;      ///< n, m/s^2: by all that is constant
    const double* constant_rate; ///< states: what of their rates is constant
    const double* offset;        ///< bodies, m: x = T q + offset
    const double *q, *d;         ///< where gaps and memories of laws were taken
    ss_field_programs* programs; ///< NULL where all expressions are affine
    const double*
        convective; ///< of each contact: acceleration by rows that turn, at the order at hand; or NULL
    const struct ss_level_forces* level_forces; ///< levels that follow forces, or NULL
    double *work, *column, *given; ///< scratch: of the largest group; n and contacts; what is given
} ss_field;

/// What is given from outside at an instant.
typedef struct ss_given {
    const double *d, *d1, *d2; ///< drives: place, speed, acceleration
    const double* force;       ///< forces; those that do not vary are among the constants
    const double* input;       ///< inputs, then memory of an open model
    const double* slot;        ///< pulls, then rates: what of them varies in time by itself; NULL: nothing
    const double* level;       ///< 4 per contact whose levels vary or follow the motion, as they are given
} ss_given;

typedef struct ss_field_point {
    double t;
    const double *q, *v, *z, *s;
    ss_given given;
    const int* z_at; ///< per contact: where its numbers stand in z; NULL: z has one per contact with bristles
} ss_field_point;

/// What the derivatives of the field at a point are made of.
typedef struct ss_field_slopes {
    double* cubic;           ///< per connection, N/m: 3 c e^2
    struct ss_response* law; ///< per contact; all 0 where its law answers nothing at a point
    double* slope;           ///< of the outputs of expressions, as listed in the model's actions
    const int* z_at;         ///< per contact: where its numbers stand among the z of a direction, or -1
    struct ss_element_response* element; ///< where these are one per element: what each answers; else NULL
    bool* slips;                         ///< likewise: it slips on this step
} ss_field_slopes;

/// A direction in which the point changes, and what the field makes of it.
typedef struct ss_delta {
    const double *q, *v, *s, *z, *m, *offset;  ///< m, offset: NULL where they do not count
    double *d, *d1, *d2, *input;               ///< given; NULL where drives do not count
    double *a, *rate, *z_rate, *lambda, *held; ///< held: contacts, W da + dW a + .. before they hold
    double* vars;                              ///< of expressions; NULL: nothing but q, v, s changes
} ss_delta;

/// How many of (v', z', s') there are. Columns of derivatives are by q, v, z, s: n more.
static inline int ss_field_states(const ss_field* field)
{
    return field->model->n + field->laws->bristle_count +
           (field->model->open ? field->model->open->state_count : 0);
}

static inline bool ss_field_slips(const ss_field* field, int i)
{
    ss_mode mode = field->modes->contacts[i].mode;
    return mode == SS_MODE_SLIP_PLUS || mode == SS_MODE_SLIP_MINUS;
}

// field_point.c
/// v', z', s' at a point, and the forces of all contacts.
void ss_field_rates(const ss_field* field, const ss_field_point* at, double rates[], double lambda[]);
/// What the law of contact i answers at a point; false where that is nothing: it holds, is open, or knows
/// levels only.
bool ss_field_response(const ss_field* field, const ss_field_point* at, int i, struct ss_response* out);
/// The same at a way since gaps and memories were taken (m), a speed (m/s), and a deflection; per newton
/// where the contact is loaded.
bool ss_field_answer(const ss_field* field, int i, double way, double v, double z, struct ss_response* out);
/// What a law answers per newton becomes what it answers under a normal force.
void ss_field_put_load(double load, struct ss_response* io);
/// Force per unit of its level of contact i, which slips: by its law's answer where it is loaded (no linear
/// model has such contacts, so that there are slopes).
double ss_field_per_level(const ss_field* field, const ss_field_slopes* slopes, int i);
/// Way of contact i along its row since gaps and memories were taken, m.
double ss_field_way(const ss_field* field, const ss_field_point* at, int i);
/// Its relative velocity, m/s.
double ss_field_speed(const ss_field* field, const ss_field_point* at, int i);
/// What a contact knows of the step, where its law asks for it, or NULL.
const ss_along* ss_field_along(const ss_field* field, int i);
/// Elongation of a connection, m.
double ss_field_elongation(const ss_field* field, const ss_field_point* at, const ss_connection* spring);

// field_hold.c
/// Adds to the forces lambda of what holds in group g what keeps W^T a + factor Wd^T d2 = 0 (d2 NULL: no
/// drive counts), and to the accelerations a what those forces do.
void ss_field_hold(const ss_field* field, int g, double factor, const double d2[], double a[],
                   double lambda[]);

// field_expressions.c
/// Programs of an open model, at a point; NULL where it has none, or where the pool has failed.
ss_field_programs* ss_field_make_programs(const ss_model* model, ss_pool* pool, const double decided[]);
/// Their outputs at a point, on the pieces that the mode has.
const double* ss_field_outputs(const ss_field* field, const ss_field_point* at, double out[]);
/// The derivatives of these.
const double* ss_field_output_slopes(const ss_field* field, const ss_field_point* at, double out[]);
/// Adds what states and expressions do to the accelerations, and sets the rates of the states.
void ss_field_add_expressions(const ss_field* field, const ss_field_point* at, double a[], double rates[]);
/// Friction level of contact i at a point where the outputs have been asked for, N.
double ss_field_level(const ss_field* field, const ss_field_point* at, int i, int which);
/// The normal force of contact i, which is loaded, likewise.
double ss_field_load(const ss_field* field, const ss_field_point* at, int i);
/// Adds derivatives of what is affine, and where slopes are given of what is not, to a Jacobian and to the
/// derivatives of forces (NULL: not wanted).
void ss_field_differentiate_expressions(const ss_field* field, const ss_field_slopes* by, double jacobian[],
                                        double forces[]);

// field_jacobian.c
/// Finds the slopes at a point.
void ss_field_linearise(const ss_field* field, const ss_field_point* at, ss_field_slopes* out);
/// Derivatives of (v', z', s') by (q, v, z, s), rows one after the other, and of all contact forces (NULL:
/// not wanted). slopes NULL: of what is linear in every point alone, M^-1 K, M^-1 C, affine expressions, and
/// what holds.
void ss_field_jacobian(const ss_field* field, const ss_field_slopes* slopes, double jacobian[],
                       double forces[]);

// field_product.c
/// How the variables of expressions change, in io->vars.
void ss_field_change_variables(const ss_field* field, ss_delta* io);
/// a, rate, z_rate (to which it is added) and lambda along a direction, before what holds does. slopes NULL:
/// of what is linear in every point. outputs: how those of expressions change, or NULL: by the slopes.
void ss_field_apply(const ss_field* field, const ss_field_slopes* slopes, const double outputs[],
                    ss_delta* io);
/// What holds takes from a what would move it: lambda, and a.
void ss_field_hold_change(const ss_field* field, ss_delta* io);

#endif
