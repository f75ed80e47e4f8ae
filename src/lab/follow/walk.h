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
#ifndef SLIPSTICK_LAB_WALK_H
#define SLIPSTICK_LAB_WALK_H

#include "lab/follow/trail.h"

typedef enum ss_verdict_of_walk {
    SS_WALK_LOST,    ///< no solution found
    SS_WALK_OUTSIDE, ///< a solution, but not on the present piece
    SS_WALK_INSIDE,
} ss_verdict_of_walk;

/// What may change sign along a branch.
enum {
    SS_TEST_TURN, ///< the number turns back
    SS_TEST_UNIT, ///< a real multiplier passes 1, or an eigenvalue 0
    SS_TEST_PAIR, ///< a pair passes the unit circle, or the imaginary axis
    SS_TEST_FLIP, ///< a real multiplier passes -1
    SS_TESTS
};

/// A solution.
typedef struct ss_spot {
    double* u;              ///< size + 1: unknowns, the number last, in their units
    double* tangent;        ///< size + 1: of length 1 in unknowns divided by their scale
    int counts[SS_TESTS];   ///< how many multipliers or eigenvalues are beyond
    double tests[SS_TESTS]; ///< signed distance of the nearest; NaN: there is none
    ss_trail_record record;
} ss_spot;

/// Where two pieces meet.
typedef struct ss_border {
    ss_special_kind kind;
    char contact[128], what[128];
    bool goes_on;
    bool plain;    ///< nothing happens there that is worth a name
    bool told;     ///< the problem has marked it, and points that lie between it and where the walk goes on
    bool refine;   ///< the new piece is the smoother one: its own end tells the place better
    char why[200]; ///< where the branch does not go on
    double value;  ///< the number there, where it is known better than by the last spot; else NaN
} ss_border;

typedef struct ss_walker {
    void* self;
    int size;             ///< unknowns besides the number
    const double* scale;  ///< size + 1: the last one is the length of the range
    ss_special_kind pair; ///< what a pair that passes is called
    /// Solves in the plane through guess across normal (size + 1, scaled), and fills the spot where that is
    /// found. The tangent may point either way.
    ss_status (*solve)(void* self, const double guess[], const double normal[], ss_spot* out,
                       ss_verdict_of_walk* verdict, ss_error* err);
    /// From the last spot of a piece to the first one of the next, with the tangent that leads into it.
    /// beyond: a spot outside, or NULL where none was found.
    ss_status (*cross)(void* self, const ss_spot* edge, const ss_spot* beyond, ss_spot* out,
                       ss_border* border, ss_error* err);
    /// Whether a solution repeats after half its period, and so belongs to another branch as well; NULL: none
    /// does.
    ss_status (*repeats)(void* self, const ss_spot* spot, bool* out, ss_error* err);
    /// The spot is part of the branch; the problem may write the same solution in another way.
    ss_status (*accept)(void* self, ss_spot* spot, ss_error* err);
} ss_walker;

bool ss_spot_make(const ss_trail* branch, int size, ss_spot* spot);
void ss_spot_free(ss_spot* spot);
void ss_spot_copy(const ss_trail* branch, int size, const ss_spot* from, ss_spot* to);

/// Unknown c has grown: its scale becomes its size, and the tangent, which is scaled, is written anew. After
/// the last one the tangent must be given its length (ss_spot_normalise).
void ss_spot_rescale(ss_spot* spot, double scale[], int c);
void ss_spot_normalise(ss_spot* spot, int size);

/// Follows from a spot at def->from, whose tangent may point either way.
ss_status ss_walk(const ss_walker* walker, const ss_follow_def* def, const ss_spot* first, ss_trail* branch,
                  ss_error* err);

#endif
