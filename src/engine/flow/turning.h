// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Rows that turn with the motion, W(q), along a step. With W = sum_j W_j t^j,
//
//     M q'' = h + sum_i W_i l_i:          (M q'')_k = h_k + W_0 l_k + sum_{j >= 1} W_j l_(k-j)
//     v = W^T q' + Wd^T d',  v' = 0:      0 = W_0^T q''_k + (k+1) sum_{j >= 1} W_j^T q'_(k+1-j),  likewise d
//
// so that at every order one solution with A = W_0^T M^-1 W_0, which is inverted once, gives l_k. A run of
// such a model has a model of its own, which differs from the one it was made of in the rows of the moment,
// M^-1 W_0 and A: whoever asks for the row of a contact is told the one at the start of the step.
#ifndef SLIPSTICK_ENGINE_TURNING_H
#define SLIPSTICK_ENGINE_TURNING_H

#include "engine/sim.h"

typedef struct ss_turning {
    struct ss_model* model; ///< with the rows of the moment: what the run goes by
    ss_run series;          ///< of factors and gaps along the step
    ss_run at;              ///< the same at a point
    double *pieces, *point, *values;
    double* convective; ///< of each contact: what its relative acceleration has at the present order because
                        ///< the row turns
    double *force, *mobile;                          ///< of each coordinate: scratch
    double *matrix, *inverse, *work, *error, *share; ///< of the rows that hold in the largest group
    int* rows;
    int* rank;  ///< of the joints of each group, where the run began or was loaded
    int* known; ///< the highest order of the series: saved with them
} ss_turning;

/// Before anything of the run is made: its own model, where rows turn. *model becomes that.
void ss_turning_allocate(ss_sim* sim, const ss_model** model);
/// Once the run has a state: what evaluates the rows.
void ss_turning_prepare(ss_sim* sim);
/// Whether some row of group g turns.
bool ss_group_turns(const ss_model* model, int g);
/// The rows at the places of the present instant.
void ss_turn_rows(ss_sim* sim);
/// Order k: series of the rows up to k + 1, forces of lower order along rows that have turned, and
/// `convective`.
void ss_add_turned_forces(ss_sim* sim, int k);
/// Relative velocity of contact i, which is one of a joint, by drives alone, at s of the step.
double ss_turned_drive(const ss_sim* sim, int i, double s, const double d1[]);
/// Puts speeds onto the joints, with what else holds: what all of it keeps from moving has none.
void ss_constrain_joint_speeds(ss_sim* sim);
/// Puts places and speeds onto the joints again: the least change in the mass norm, with what else holds.
void ss_project_onto_joints(ss_sim* sim);
/// As ss_turn_rows, where a run begins or is loaded: remembers how many rows of the joints are independent.
void ss_begin_turning(ss_sim* sim);
/// Whether still as many are. Where they are not, the directions in which the bodies can go say less than the
/// joints do (links in one line): no motion goes on from there that could be trusted.
ss_status ss_check_turning(ss_sim* sim, ss_error* err);
/// What is lost to rounding where the forces of joints cancel: of the acceleration of coordinate i, m/s^2.
double ss_turning_size(const ss_sim* sim, int i);
/// Whether the start is on the joints; the error names one that is not, and by how much it is missed.
ss_status ss_check_joints(ss_sim* sim, ss_error* err);

#endif
