// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Craig and Bampton's reduction of a structure: with kept coordinates b and all others i,
//
//     z_b = q_b,    z_i = Psi q_b + Phi eta,    K_ii Psi = -K_ib,    K_ii Phi = M_ii Phi Lambda. (1)
#ifndef SLIPSTICK_MODEL_REDUCTION_H
#define SLIPSTICK_MODEL_REDUCTION_H

#include "core/algebra/sparse.h"
#include "slipstick/model.h"

typedef struct ss_reduction {
    double* basis;         ///< B of z = B (q_b, eta): a row per coordinate
    double* stiffness;     ///< B^T K B: K_bb + K_bi Psi, and Lambda on the diagonal
    double first_left_out; ///< Hz: the lowest mode with the kept coordinates at rest that is left out, or NaN
} ss_reduction;

/// By a definition with `keep`; M and K as given. The model's pool gets the basis.
ss_status ss_matrices_reduce(const ss_matrices_def* def, const ss_sparse* M, const ss_sparse* K,
                             ss_pool* kept, ss_pool* pool, ss_reduction* out, ss_error* err);

#endif
