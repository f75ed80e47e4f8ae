// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a finger does to a slider whose inertia does not count: the load on the ground, that of the finger and
// of what is applied, lies on the limit surface, and the motion is along its normal there. Units of the
// paper, body frame.
//
//   n, t      inward normal of the outline at the finger, and t = (n_y, -n_x)
//   e         an edge of the finger's cone of forces: n -+ mu t
//   E = B^T e the load of that force; B moves the place: its velocity is B q
//
// Phi(q) - applied.q is convex and homogeneous, and so:
//   - the finger slips along an edge: among the motions with E.q = 1 the one of least power is the motion, up
//     to its size, and that power is the force; both edges give the motion cone;
//   - the finger sticks: among the motions with B q = v the one of least power. Its multiplier is the force.
#ifndef SLIPSTICK_SLIDER_PUSH_H
#define SLIPSTICK_SLIDER_PUSH_H

#include "slider/slider_impl.h"
#include "slipstick/simulation.h"

typedef struct ss_finger {
    double x, y;      ///< where it touches
    double normal[2]; ///< inward, of length 1
    double mu;
    double v[2]; ///< its velocity over the floor
} ss_finger;

/// One edge of the motion cone.
typedef struct ss_push_edge {
    double q[3];     ///< the motion, E.q = 1; 0 where nothing resists
    double force;    ///< the finger's force is this times e
    double angle;    ///< of the place's velocity from the normal towards t
    bool determined; ///< there is no other motion
} ss_push_edge;

typedef struct ss_pushed {
    ss_mode mode; ///< open, stick, slip+, slip-
    double q[3];
    double force[2]; ///< on the slider
    double cone[2][2];
    bool determined;
} ss_pushed;

/// way: +1 for n + mu t, -1 for n - mu t. applied may be NULL.
void ss_push_edge_of(const ss_slider* slider, const ss_floor* floor, const ss_finger* finger, int way,
                     const double applied[3], ss_push_edge* out);
/// The finger sticks. False where no force in its cone does that.
bool ss_push_stick(const ss_slider* slider, const ss_floor* floor, const ss_finger* finger,
                   const double applied[3], ss_pushed* out);
/// Everything decided.
void ss_push_decide(const ss_slider* slider, const ss_floor* floor, const ss_finger* finger,
                    const double applied[3], ss_pushed* out);

// ---- along a line of motions (push_line.c)

/// Motions from + x along; the balance sought is across . (load - applied) = 0.
typedef struct ss_motion_line {
    const ss_slider* slider;
    const ss_floor* floor;
    const double* applied; ///< may be NULL
    double from[3], along[3], across[3];
} ss_motion_line;

enum { SS_STILL_MOST = 8 };
/// Where the balance is.
typedef struct ss_balance {
    double q[3];
    double load[3];           ///< of what moves, less what is applied
    int still[SS_STILL_MOST]; ///< elements that do not move there, and may give anything they have
    int still_count;
    bool determined;
} ss_balance;
/// False where there is none. along and across must not be orthogonal.
bool ss_line_balance(const ss_motion_line* line, ss_balance* out);

/// The load at a motion of what moves, less what is applied, and what does not move.
void ss_push_load(const ss_motion_line* line, const double q[3], ss_power* sum, ss_balance* out);

#endif
