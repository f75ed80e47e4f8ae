// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What several fingers do together to a slider whose inertia does not count, as slider/surface/push.h tells
// it of one. With the modes of all fingers given, the rows R of those that touch fix some components of the
// motion, R q = r, and their forces have the loads C f; the motion is the one whose load on the ground is
// applied + C f:
//
//     rank R = 1   the normal of the limit surface where the one ray of loads meets it
//     rank R = 2   a motion q0 + x a on a line, x from (C_0 x C_1) . (load - applied) = 0
//     rank R = 3   known at once
//
// A choice of modes is right where fingers push and do not pull, rub against their slip, and those that are
// open do not enter. All choices are looked at; where several are right the motion of least norm is told.
#ifndef SLIPSTICK_SLIDER_FINGER_PUSH_TOGETHER_H
#define SLIPSTICK_SLIDER_FINGER_PUSH_TOGETHER_H

#include "slider/surface/push.h"

enum { SS_FINGERS_MOST = 6 }; ///< that touch at one time

/// One finger that touches; body frame, units of the paper.
typedef struct ss_contact {
    double x, y;
    double normal[2][2]; ///< inward; of the side along which slip- leads, and slip+; they differ in a corner
    bool convex;         ///< in one that points out of the body; there
    double middle[2];    ///< a finger that sticks has this normal
    double mu;
    double v[2]; ///< its velocity over the floor
} ss_contact;

typedef struct ss_pushed_by {
    double q[3];
    ss_mode mode[SS_FINGERS_MOST];
    double force[SS_FINGERS_MOST][2]; ///< on the slider
    bool determined;
} ss_pushed_by;

/// The motion in given modes (out->mode); false where that is none. *fits: whether the modes are right.
bool ss_push_in_modes(const ss_slider* slider, const ss_floor* floor, const ss_contact contacts[], int count,
                      const double applied[3], ss_pushed_by* out, bool* fits);
/// Everything decided; false where no choice of modes is right: the slider is squeezed, or there are more
/// fingers than can be looked at.
bool ss_push_together(const ss_slider* slider, const ss_floor* floor, const ss_contact contacts[], int count,
                      const double applied[3], ss_pushed_by* out);

// ---- shared with motions that have inertia

/// t of the side along which slip+ (way > 0) or slip- leads: (n_y, -n_x).
void ss_contact_tangent(const ss_contact* c, int way, double t[2]);
/// Of the finger over the slider's material, which moves with q.
void ss_contact_slip(const ss_contact* c, const double q[3], double w[2]);
/// The load of a force at the finger; or the row of a component of the velocity there.
void ss_contact_load(const ss_contact* c, const double force[2], double load[3]);
/// The force n +- mu t of a finger that slips.
void ss_contact_edge(const ss_contact* c, int way, double edge[2]);
/// The edges of the cone of forces of a finger that sticks: left is counter-clockwise of right.
void ss_contact_cone(const ss_contact* c, double left[2], double right[2]);
/// Whether a finger that slips over the body with w enters it by more than `least`.
bool ss_contact_enters(const ss_contact* c, const double w[2], double least);

#endif
