// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Steady states: every speed is constant and nothing that acts changes. Unknowns are q, q', the states s, the
// bristles z, and a force per contact (0 where it does not hold); equations are
//
//     q'' = 0,     d/dt q'' = 0,     d/dt s' = 0         along the motion x' = v, s' = r
//     z' = 0                                             bristles that slide
//     v_i = 0,  z_i - x_i stays                          bristles at rest are carried along
//     v_i = 0,  x_i stays                                a contact that sticks: its place, until its limit
//     v_i = 0,  lambda_i = limit                         one that holds with its limit
//     v_i = 0,  gap_i = 0                                a closed rigid stop
//
// More equations than unknowns may stand there (a spring that must not stretch beside a contact that must not
// slip); where they contradict each other there is no steady state in these modes. Directions that nothing
// feels (a string that turns as a whole) are kept by one equation each.
#ifndef SLIPSTICK_LAB_STEADY_BRANCH_H
#define SLIPSTICK_LAB_STEADY_BRANCH_H

#include "lab/follow/continuation.h"
#include "lab/follow/varied_parameter.h"
#include "motion/steady_field.h"

/// Numbers that no call leaves to the next.
typedef struct ss_steady_scratch {
    double *g, *matrix, *system, *step, *singular, *right, *rates, *jacobian, *drift, *other_g;
    double *reduced, *basis, *real, *imaginary;
} ss_steady_scratch;

typedef struct ss_steady {
    ss_varied_parameter* parameter;
    const ss_follow_def* def;
    ss_solution_branch* branch;
    int width, contacts, size; ///< size = width + contacts: unknowns besides the number
    int most_rows;
    ss_model* model;
    ss_steady_field* field; ///< at the number `value`
    double value;
    ss_model* other_model;
    ss_steady_field* other; ///< at a number close to it, for the derivative
    double other_value;
    ss_steady_mode* modes;  ///< per contact
    double *signs, *places; ///< per contact: direction; what a place that stays is compared with
    int free_count;         ///< directions that nothing feels
    double* free;           ///< free_count x size, of length 1 in scaled unknowns
    double* free_at;        ///< free_count: what stays
    int resting;            ///< bristles at rest
    double* scale;          ///< size + 1
    ss_steady_scratch work;
    bool refused; ///< the model cannot be made with this number
    ss_error refusal;
    int broken;      ///< contact whose inequality the last solution breaks, or -1
    bool broken_low; ///< its lower bound, of a contact that sticks
} ss_steady;

ss_status ss_steady_create(ss_varied_parameter* parameter, const ss_follow_def* def,
                           ss_solution_branch* branch, ss_steady** out, ss_error* err);
void ss_steady_destroy(ss_steady* steady); ///< NULL is welcome

/// steady_branch.c: Newton, as the continuation wants it.
ss_status ss_steady_solve(void* self, const double guess[], const double normal[], ss_branch_point* out,
                          ss_continuation_verdict* verdict, ss_error* err);
/// Fields at this number; false where the model cannot be made with it (see refusal).
ss_status ss_steady_at(ss_steady* steady, double value, bool* made, ss_error* err);
/// What stays of the present modes at u: places, and directions that nothing feels.
ss_status ss_steady_anchor(ss_steady* steady, const double u[], ss_error* err);
/// Which inequality of the modes is broken at u: sets broken; the field is left at u.
void ss_steady_judge(ss_steady* steady, const double u[]);

/// steady_spectrum.c: eigenvalues at u, into the point's record, and what of them passes.
ss_status ss_steady_spectrum(ss_steady* steady, const double u[], ss_branch_point* out, ss_error* err);

/// steady_modes.c: a first steady state at def->from, and what follows where a limit is met.
ss_status ss_steady_begin(ss_steady* steady, ss_branch_point* out, ss_error* err);
ss_status ss_steady_cross(void* self, const ss_branch_point* edge, const ss_branch_point* beyond,
                          ss_branch_point* out, ss_border* border, ss_error* err);
ss_status ss_steady_accept(void* self, ss_branch_point* point, ss_error* err);

#endif
