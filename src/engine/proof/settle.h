// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Settling, inside: what the files of the proof share. docs/theory/settle.md tells why what they check
// suffices.
//
// In one mode that is linear, with constant inputs, y = (q, q') of the coordinates that are not held, and the
// states of first order of an open model, obeys y' = A y + c, so
//
//     y'(t) = e^(A t) y'(0) = sum_k rho_k v_k e^(lambda_k t),
//
// and every event function is a constant plus a sum of these exponentials.
#ifndef SLIPSTICK_ENGINE_PROOF_SETTLE_H
#define SLIPSTICK_ENGINE_PROOF_SETTLE_H

#include "core/algebra/eigen.h"
#include "engine/sim.h"

#include <complex.h>
#include <float.h>

#define SS_SETTLE_ROUNDING (64.0 * DBL_EPSILON)

/// A point, or a direction, and what the field answers there: scratch.
typedef struct ss_settle_point {
    double* y;             ///< q, q', states
    double* rates;         ///< q'', rates of the states
    double *lambda, *held; ///< contacts
} ss_settle_point;

/// The linear system of the present mode.
typedef struct ss_settle_mode {
    int count, *coordinates;      ///< the coordinates that are not held
    int size;                     ///< of y: 2 count and the states, at most N
    double* a;                    ///< A, order size
    double* rows;                 ///< contacts x n: relative velocity per speed of a free coordinate
    double* reactions;            ///< contacts x N: force per unit of y
    double* forces;               ///< contacts: at present
    double *rate_now, *rate_mark; ///< N: y' now and then
    double* limit;                ///< states: where they go
} ss_settle_mode;

/// Parts of the motion that are coupled, looked at one after the other.
typedef struct ss_settle_parts {
    int* of; ///< N: which part a variable belongs to; 0: it does not move
    int count, *members;
    int modes;            ///< of all parts
    ss_spectrum spectrum; ///< of one part
    double *a, *scale;
    double complex* work;
} ss_settle_parts;

/// How the motion decays, as a sum of exponentials.
typedef struct ss_settle_decay {
    double complex *values, *vectors; ///< N modes; vectors N x N
    double complex *now, *then;       ///< rho_k of y' now and at the mark
    double* error;                    ///< N: of rho_k v_k / lambda_k, relative
    double blur;                      ///< relative uncertainty of a single rho
    double complex *rates, *weights;  ///< of one event function
} ss_settle_decay;

struct ss_settle {
    double* mark; ///< q and q' when the present mode began, that time, and the states; all else is scratch
    ss_settle_point point;
    ss_settle_mode mode;
    ss_settle_parts parts;
    ss_settle_decay decay;
    struct ss_settle_smooth* smooth; ///< of a model that is not linear, else NULL (settle_smooth.c)
};

// settle.c
/// Solves a x = b in place, n x n, by elimination with row exchanges; false where a is singular to rounding.
bool ss_settle_solve(double a[], double b[], int n);

// settle_system.c
/// Which coordinates are not held.
void ss_settle_find_free(const ss_model* model, const ss_open_run* open_run, const ss_modes* modes,
                         const ss_proof* proof);
/// Unit state c of the free coordinates, their speeds, and the states, in point.y: what is held follows.
double* ss_settle_unit(const ss_model* model, const ss_open_run* open_run, const ss_modes* modes,
                       const ss_proof* proof, int c);
/// The state now, in point.y.
double* ss_settle_now(const ss_model* model, const ss_step* step, const ss_open_run* open_run,
                      const ss_proof* proof);
/// What the field answers at y, in the rates and lambda of the point; inputs stay as they are.
void ss_settle_rates(const ss_sim* sim, const double y[]);
/// Columns of A: what a unit state does, without all constant forces. False where a cubic spring moves: in
/// the others it is a constant force.
bool ss_settle_linearise(const ss_sim* sim);
/// y' now and at the mark, and the forces now.
void ss_settle_find_rates(const ss_sim* sim);

// settle_modes.c
/// Modes of all parts; false where some part does not die out.
bool ss_settle_find_modes(struct ss_settle* s, int* modes);

// settle_events.c
/// Whether contact i stays in its mode for ever.
bool ss_settle_stays(const ss_sim* sim, int i, int modes);

#endif
