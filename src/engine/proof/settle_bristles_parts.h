// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Settling in bristles, inside: what its files share. docs/theory/settle.md derives it.
#ifndef SLIPSTICK_ENGINE_PROOF_SETTLE_BRISTLES_PARTS_H
#define SLIPSTICK_ENGINE_PROOF_SETTLE_BRISTLES_PARTS_H

#include "core/algebra/eigen.h"
#include "engine/proof/settle_gain.h"
#include "engine/proof/settle_ring.h"
#include "engine/sim.h"

enum {
    SS_SETTLE_LARGEST = 32,
    SS_SETTLE_BRISTLES = 64
}; // coordinates of a model that is looked at; bristles

/// The state now, and the balance of forces about it.
typedef struct ss_settle_balance {
    double *q, *state, *rest;     ///< n; speeds 0 and deflections; acceleration there
    double *speed, *rate, *noise; ///< n; rates of the state with its speeds; m/s^2, n: rounding of those
    double *drives, *lambda;      ///< 3 drives; contacts
    double *jacobian, *matrix, *factor; ///< states x (n + states); B and its factors, n x n
    int* pivots;
    double* shift; ///< n: q - q_balance
    double* way;   ///< bristles x n: B^-1 a_z, 0 for those with elements
} ss_settle_balance;

/// What is asked of every motion that goes no further than its bristles may: all of it is scratch.
struct ss_settle_bristles {
    ss_settle_balance at;
    bool by_ring;      ///< which form is in use: ring, or gain
    double decay;      ///< 1/s: of the slowest mode
    double *a, *scale; ///< 2 n x 2 n, 2 n
    ss_spectrum spectrum;
    ss_gain gain;
    ss_ring ring;
    double complex *work, *xi; ///< the latter 4 n
    double* elements;          ///< of the contact that has most of them
    double *kappa, *slip;      ///< bristles: |z' - v| over |v|; speed along the row per size of the form
    double *margin, *fastest;  ///< bristles: way that z may still go, m; speed that it may have, m/s
    double size, rate, reach;  ///< of the form now; at which it falls, 1/s; size/rate
};

// settle_balance.c
/// The state now, B, and what follows from them; false where B is singular.
bool ss_settle_find_balance(const ss_sim* sim, ss_settle_balance* at);

// settle_forms.c
/// Prepares the form that is in use; false where it cannot be of use.
bool ss_settle_prepare_form(const ss_model* model, const ss_step* step, const ss_proof* proof);
/// Finds the form for the present margins, and with it size, rate, reach and slip.
bool ss_settle_find_form(const ss_model* model, const ss_step* step, const ss_proof* proof);
/// At most, per size: the speed along a row, and its distance from balance.
double ss_settle_speed(const ss_model* model, struct ss_settle_bristles* c, const ss_row* row);
double ss_settle_place(const ss_model* model, struct ss_settle_bristles* c, const ss_row* row);

#endif
