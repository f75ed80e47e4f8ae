// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Branches (libslipstick-lab): how a cycle, or a steady state, changes with one number of the model, stable
// or not, through folds and through changes of the order of events. See docs/theory/follow.md.
//
//     ss_follow_def def = ss_follow_def_default();
//     def.document = document, def.path = "parameters.speed", def.from = 0.05, def.to = 0.5;
//     def.steady = true;
//     ss_solution_branch* branch;
//     ss_status status = ss_follow_run(&def, &branch, &err);
#ifndef SLIPSTICK_FOLLOW_H
#define SLIPSTICK_FOLLOW_H

#include "slipstick/answer.h"
#include "slipstick/check.h"
#include "slipstick/slipstick.h"

#include <math.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How far the work is, a guess in [0, 1]; false ends it with the branch so far.
typedef bool ss_follow_progress(void* user, double fraction);

typedef struct ss_follow_def {
    size_t size;                  ///< set by ss_follow_def_default
    const ss_document* document;  ///< the model; it is not changed. Its start is where the search begins
    const char* path;             ///< the number, as in ss_document_set
    const char* option;           ///< what errors about it begin with ("--over a=1:2"); NULL: the path
    double from, to;              ///< SI; from may be the larger one
    bool steady;                  ///< steady states in place of cycles
    bool near;                    ///< of a cycle: as in ss_cycle_def
    double period, until;         ///< likewise; NaN
    double tolerance;             ///< of the motion, where its flow is not closed form; 1e-12
    long max_events;              ///< of a motion; 1e6
    long max_points;              ///< of the branch; 2000
    double step;                  ///< longest step, as a share of the range; 0.025
    ss_follow_progress* progress; ///< may be NULL
    void* user;
} ss_follow_def;

static inline ss_follow_def ss_follow_def_default(void)
{
    ss_follow_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.from = NAN;
    def.to = NAN;
    def.period = NAN;
    def.until = NAN;
    def.tolerance = 1e-12;
    def.max_events = 1000000;
    def.max_points = 2000;
    def.step = 0.025;
    return def;
}

typedef struct ss_solution_branch ss_solution_branch;

/// Follows the branch that passes near the model's start at `from` until it leaves the range, or ends.
/// SS_NOT_FOUND where nothing is there to follow.
SS_API ss_status ss_follow_run(const ss_follow_def* def, ss_solution_branch** out, ss_error* err);
SS_API void ss_solution_branch_destroy(ss_solution_branch* branch); ///< NULL is welcome

/// One point of a branch. Numbers that do not apply are NaN, pointers NULL.
typedef struct ss_solution_branch_point {
    double value;                ///< of the number, SI
    double period;               ///< s, of a cycle
    bool stable;                 ///< neighbours come nearer
    bool neutral;                ///< to first order they neither come nearer nor leave, as far as is known
    long events;                 ///< of one period
    const double* amplitude;     ///< one per body, then one per state of an open model: half its range over a
                                 ///< period, of what is left of it after a steady advance
    const double* middle;        ///< likewise
    const double *x, *v;         ///< one per body: the steady state at t = 0, or a state on the cycle
    const double* states;        ///< one per state of an open model: likewise
    int spectrum_count;          ///< multipliers of a cycle, eigenvalues (1/s) of a steady state
    const double (*spectrum)[2]; ///< real and imaginary part, the least stable first
} ss_solution_branch_point;

SS_API bool ss_solution_branch_is_steady(const ss_solution_branch* branch);
SS_API long ss_solution_branch_count(const ss_solution_branch* branch);
SS_API ss_solution_branch_point ss_solution_branch_get(const ss_solution_branch* branch, long point);

typedef enum ss_special_kind {
    SS_SPECIAL_FOLD,     ///< the branch turns: a multiplier is 1, an eigenvalue 0
    SS_SPECIAL_FLIP,     ///< a multiplier is -1
    SS_SPECIAL_TORUS,    ///< a pair of multipliers is on the unit circle
    SS_SPECIAL_HOPF,     ///< a pair of eigenvalues is on the imaginary axis
    SS_SPECIAL_BRANCH,   ///< a multiplier is 1 or an eigenvalue 0, and the branch does not turn: others cross
                         ///< it
    SS_SPECIAL_GRAZING,  ///< an event appears or vanishes by a touch
    SS_SPECIAL_BOUNDARY, ///< a contact meets or leaves its limit; a stick phase appears or vanishes
    SS_SPECIAL_SWAP,     ///< two events change places
} ss_special_kind;
SS_API const char* ss_special_name(ss_special_kind kind); ///< "fold", ..

typedef struct ss_solution_branch_special {
    ss_special_kind kind;
    ss_solution_branch_point at;
    const char* contact; ///< of grazing, boundary and swap; else NULL
    const char* what;    ///< what changes there: "slip+ > stick"; else NULL
    long after;          ///< it lies between this point of the branch and the next
} ss_solution_branch_special;
SS_API int ss_solution_branch_special_count(const ss_solution_branch* branch);
SS_API ss_solution_branch_special ss_solution_branch_get_special(const ss_solution_branch* branch,
                                                                 int special);

/// Why the branch ended, a sentence.
SS_API const char* ss_solution_branch_end(const ss_solution_branch* branch);
/// Whether it was interrupted, or stopped at the largest number of points.
SS_API bool ss_solution_branch_is_unfinished(const ss_solution_branch* branch);

/// A model of the branch: names of bodies, contacts and states. It lives as long as the branch.
SS_API const ss_model* ss_solution_branch_model(const ss_solution_branch* branch);
/// The number that is varied, as given.
SS_API const char* ss_solution_branch_path(const ss_solution_branch* branch);
/// Its unit, angles as written ("rad/s"); empty where it has none. Returns out.
SS_API const char* ss_solution_branch_unit(const ss_solution_branch* branch, char* out, size_t size);

/// Places at which a model would stand without friction, and the eigenvalues of its motion about them: found
/// by Newton's method from several guesses, perhaps not all. None where something varies in time, moves by
/// itself, is sampled, or has bristles, and where such places are not isolated.
typedef struct ss_equilibria ss_equilibria;
SS_API ss_status ss_equilibria_find(const ss_model* model, ss_equilibria** out, ss_error* err);
SS_API int ss_equilibria_count(const ss_equilibria* found);
SS_API const ss_equilibrium* ss_equilibria_list(const ss_equilibria* found);
SS_API void ss_equilibria_destroy(ss_equilibria* found); ///< NULL is welcome
/// The answer of `check` as a tree, with the equilibria of an open model; document may be NULL.
SS_API ss_status ss_answer_check_model(const ss_model* model, const ss_document* document, ss_answer** out,
                                       ss_error* err);

/// The answer of `follow` as a tree: branch, special, end.
SS_API ss_status ss_answer_solution_branch(const ss_solution_branch* branch, ss_answer** out, ss_error* err);

/// Whether the ending of path names a format: .csv or .h5.
SS_API bool ss_solution_branch_knows(const char* path);
/// Writes the branch as a table, a row per point and special point; it appears under its name when whole.
/// made: what it came from, kept in a line; may be NULL.
SS_API ss_status ss_solution_branch_write(const ss_solution_branch* branch, const char* path,
                                          const char* made, ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
