// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The present mode of a linear model in modal coordinates: q = q0 + V (eta - eta0), V of the eigenvectors of
// K and M of what is not held. Then
//
//     eta'' = phi(t) - Kh eta - Ch eta',     Kh = (V^T M V)^-1 V^T K V,    Ch = (V^T M V)^-1 V^T C V,
//
// and Kh is nearly diagonal. A slow mode beside fast ones keeps its digits in it: in K, which adds a soft
// spring to a stiff one, they are lost. Where springs are known one by one, V^T K V is the sum over them.
#ifndef SLIPSTICK_ENGINE_PROOF_MODAL_H
#define SLIPSTICK_ENGINE_PROOF_MODAL_H

#include "engine/flow/linear/harmonic.h"

/// Matrices by rows; r is the number of coordinates that are not held.
typedef struct ss_modal {
    int count, *free;               ///< r; which they are
    bool symmetric;                 ///< C is
    double *basis, *rest;           ///< n x r: V, and what rounding has left out of it
    double *stiffness, *damping;    ///< r x r: Kh, Ch
    double* form;                   ///< r x r: V^T K V
    double* loss;                   ///< r x r: V^T C V
    double* error;                  ///< r x r: V^T M V - 1
    double *pull, *drag, *momentum; ///< n x r: K V, C V, M V
    double* rows;                   ///< contacts x r: w_i.V
    double* reaction;               ///< contacts x 2 r: rate of a force that holds by eta', eta''
    double* wave;                   ///< r x 2 harmonics: phi by cos and sin of each
    double* direct;                 ///< contacts x 2 harmonics: a force that holds by them
    double* offset;                 ///< r: V^T K (what q leaves out of the elongations)
    double* work;                   ///< scratch: 2 r x r
} ss_modal;

/// Numbers that it takes; lays it out in as many. free has room for n.
size_t ss_modal_size(const ss_sim* sim);
void ss_modal_lay_out(const ss_sim* sim, ss_modal* modal, double* store);
/// Finds it for the modes of contacts as they are. False where the iteration does not settle.
bool ss_modal_make(ss_sim* sim, ss_modal* modal, const ss_harmonics* waves);
/// The rates eta', eta'' of the state at hand, 2 r, where the forces have the values `force`.
void ss_modal_rates(ss_sim* sim, const ss_modal* modal, const double force[], double u[]);
/// q and q' of the run: they move by V moved, and the speeds are V u.
void ss_modal_move(ss_sim* sim, const ss_modal* modal, const double u[], const double moved[]);

#endif
