// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pseudo-arclength continuation of G(u) = 0, where u has one number more than there are equations: a
// predictor along the tangent, a corrector in the plane across it. A problem says what G is; pieces of the
// branch on which G is smooth (modes of contacts, order of events) meet at borders, which are located here
// and crossed by the problem.
//
//   reads    def (range, progress), the problem by its functions
//   writes   the branch: points, special points, why it ended
//   promise  a special point lies between two points of the branch, and was solved for, not interpolated
#ifndef SLIPSTICK_LAB_FOLLOW_CONTINUATION_H
#define SLIPSTICK_LAB_FOLLOW_CONTINUATION_H

#include "lab/follow/solution_branch.h"

typedef enum ss_continuation_verdict {
    SS_CONTINUATION_LOST,    ///< no solution found
    SS_CONTINUATION_OUTSIDE, ///< a solution, but not on the present piece
    SS_CONTINUATION_INSIDE,
} ss_continuation_verdict;

/// What may change sign along a branch.
enum {
    SS_TEST_TURN, ///< the number turns back
    SS_TEST_UNIT, ///< a real multiplier passes 1, or an eigenvalue 0
    SS_TEST_PAIR, ///< a pair passes the unit circle, or the imaginary axis
    SS_TEST_FLIP, ///< a real multiplier passes -1
    SS_TESTS
};

/// A solution.
typedef struct ss_branch_point {
    double* u;              ///< size + 1: unknowns, the number last, in their units
    double* tangent;        ///< size + 1: of length 1 in unknowns divided by their scale
    int beside_count;       ///< directions in which all are solutions, the tangent among them; 0: it alone
    double* beside;         ///< these, scaled: orthonormal, size + 1 each
    int counts[SS_TESTS];   ///< how many multipliers or eigenvalues are beyond
    double tests[SS_TESTS]; ///< signed distance of the nearest; NaN: there is none
    ss_solution_branch_record record;
} ss_branch_point;

/// Where two pieces meet.
typedef struct ss_border {
    ss_special_kind kind;
    char contact[128], what[128];
    bool goes_on;
    bool plain; ///< nothing happens there that is worth a name
    bool told;  ///< the problem has marked it, and points that lie between it and where the continuation goes
                ///< on
    bool refine;   ///< the new piece is the smoother one: its own end tells the place better
    char why[200]; ///< where the branch does not go on
    double value;  ///< the number there, where it is known better than by the last point; else NaN
} ss_border;

typedef struct ss_continuation_problem {
    void* self;
    int size;            ///< unknowns besides the number
    const double* scale; ///< size + 1: the last one is the length of the range
    const bool* loose;   ///< size + 1: unknowns that may have corners where the solution has none; NULL: none
    ss_special_kind pair; ///< what a pair that passes is called
    /// Solves in the plane through guess across normal (size + 1, scaled), and fills the point where that is
    /// found. The tangent may point either way.
    ss_status (*solve)(void* self, const double guess[], const double normal[], ss_branch_point* out,
                       ss_continuation_verdict* verdict, ss_error* err);
    /// From the last point of a piece to the first one of the next, with the tangent that leads into it.
    /// beyond: a point outside, or NULL where none was found.
    ss_status (*cross)(void* self, const ss_branch_point* edge, const ss_branch_point* beyond,
                       ss_branch_point* out, ss_border* border, ss_error* err);
    /// Whether a solution repeats after half its period, and so belongs to another branch as well; NULL: none
    /// does.
    ss_status (*repeats)(void* self, const ss_branch_point* point, bool* out, ss_error* err);
    /// The point is part of the branch; the problem may write the same solution in another way.
    ss_status (*accept)(void* self, ss_branch_point* point, ss_error* err);
} ss_continuation_problem;

bool ss_branch_point_make(const ss_solution_branch* branch, int size, ss_branch_point* point);
void ss_branch_point_free(ss_branch_point* point);
void ss_branch_point_copy(const ss_solution_branch* branch, int size, const ss_branch_point* from,
                          ss_branch_point* to);

/// Unknown c has grown: its scale becomes its size, and the tangent, which is scaled, is written anew. After
/// the last one the tangent must be given its length (ss_branch_point_normalise).
void ss_branch_point_rescale(ss_branch_point* point, int size, double scale[], int c);
void ss_branch_point_normalise(ss_branch_point* point, int size);

/// Follows from a point at def->from, whose tangent may point either way.
ss_status ss_continuation_run(const ss_continuation_problem* problem, const ss_follow_def* def,
                              const ss_branch_point* first, ss_solution_branch* branch, ss_error* err);

#endif
