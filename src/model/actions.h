// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What an open model (open_impl.h) does to the motion, in the form that the engine works with:
//
//     M q'' = h(q, q', s, u, t) + W lambda,     s' = r(q, q', s, u, t)
//
// Every force and every rate is either affine, and joins the matrices, or an output of one program.
#ifndef SLIPSTICK_MODEL_ACTIONS_H
#define SLIPSTICK_MODEL_ACTIONS_H

#include "model/open_impl.h"

/// Where the ledger counts the work of a force.
typedef enum ss_account { SS_ACCOUNT_INPUT, SS_ACCOUNT_DAMPING, SS_ACCOUNT_STORED } ss_account;

/// A force along a row.
typedef struct ss_pull {
    ss_row q, d;     ///< over coordinates and drives
    ss_row mobility; ///< acceleration per unit force
    ss_account account;
    const ss_affine* affine; ///< NULL where it is not
    int output;              ///< then of the program, or -1
} ss_pull;

typedef struct ss_rate {
    const ss_affine* affine; ///< NULL where it is not
    int output;              ///< then of the program, or -1
} ss_rate;

/// What is affine in the motion, beside the operators of the model: q'' gets pull s, and
///     s' = places q + speeds q' + own s + drives d + drive_speeds d' + what is given.
typedef struct ss_state_flow {
    ss_sparse pull;                 ///< n x states, M^-1 applied
    ss_sparse places, speeds;       ///< states x n
    ss_sparse own;                  ///< states x states
    ss_sparse drives, drive_speeds; ///< states x drives
} ss_state_flow;

typedef struct ss_actions {
    int pull_count;
    ss_pull* pulls;
    ss_rate* rates; ///< of the states
    ss_state_flow flow;
    ss_sparse stiffness, damping; ///< K and C with what is affine in the forces
    ss_program motion;            ///< outputs: forces and rates that are not affine, then the levels
    int level_output;             ///< the first of the levels
    unsigned depends;             ///< what the outputs depend on, together (ss_depends)
    ss_program shown;             ///< outputs: the signals, then the energies of the potentials
    ss_jacobian slopes;
    ss_program slope;   ///< outputs: derivatives of the motion's outputs by the variables, as in slopes
    ss_program impulse; ///< outputs: the levels that impulses have, see ss_open_level.impulse
    ss_jacobian impulse_slopes;
    ss_program impulse_slope;
} ss_actions;

/// The affine part of a slot: slots are the pulls, then the rates. NULL where it has none.
static inline const ss_affine* ss_affine_of(const ss_actions* actions, int slot)
{
    return slot < actions->pull_count ? actions->pulls[slot].affine
                                      : actions->rates[slot - actions->pull_count].affine;
}

/// actions.c: makes model->actions of model->open; masses are inverted before. K and C get what is affine.
ss_status ss_actions_make(ss_model* model, ss_sparse* stiffness, ss_sparse* damping, ss_error* err);
/// Adds A of y' = A y + .., y = (q, q', s), what is affine where everything slips, to a square matrix that is
/// 0.
void ss_actions_system(const ss_model* model, double a[]);
/// Bound on how fast the first-order system changes, as rate in ss_model: from the norms of K and C and the
/// blocks of the states.
double ss_actions_rate(ss_model* model, double stiffness, double damping);

#endif
