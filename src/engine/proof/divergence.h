// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Proof that a motion diverges, whatever its contacts will do. docs/theory/divergence.md tells why.
#ifndef SLIPSTICK_FLOW_DIVERGENCE_H
#define SLIPSTICK_FLOW_DIVERGENCE_H

#include "model/model_impl.h"

#include <complex.h>

/// One unstable mode of the motion without friction: z = left . y + shift obeys z' = rate z + u, where u is
/// all that friction can do. Where |z| > limit, no friction can ever bring it back.
typedef struct ss_unstable_mode {
    double complex rate;
    double complex* left; ///< 2 n + states: l with l A = rate l
    double* re;           ///< 2 n + states: its parts
    double* im;
    double shift_re, shift_im;
    double limit;  ///< with a margin for rounding
    double spread; ///< z is uncertain by that much per unit of the largest |y_c|
} ss_unstable_mode;

typedef struct ss_divergence {
    int n, count;
    int states; ///< of first order, of an open model
    ss_unstable_mode* modes;
} ss_divergence;

/// Modes of the model that can prove divergence, in memory of the pool; NULL where there are none, the model
/// is not of the kind (linear, steady, constant Coulomb contacts only, at most 32 coordinates), or memory is
/// lacking (the pool knows).
ss_divergence* ss_divergence_create(const ss_model* model, ss_pool* pool);
/// Acceleration by constant forces, n, and constant parts of the rates of states: they move the centre of
/// every mode.
void ss_divergence_set_constant(ss_divergence* divergence, const ss_model* model, const double constant[],
                                const double rates[]);
/// y = (q, q'), and the states.
bool ss_divergence_is_proved(const ss_divergence* divergence, const double y[], const double states[]);

#endif
