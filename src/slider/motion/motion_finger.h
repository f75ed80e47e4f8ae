// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Fingers as a motion sees them: where they are over the floor, in the frame of the body, and where they
// touch.
//
//     F = R(-phi) (P - c - C),    F' = R(-phi) (P' - C') - Omega x F,
//     F'' = R(-phi) (P'' - C'') - 2 Omega x F' - Omega' x F + Omega^2 F
//
// with P the finger in space, c + C and phi the floor's centre and angle, Omega its spin; and for the body at
// r with angle a over the floor  p = R(-a) (F - r),  v = R(-a) F',  a = R(-a) F''.
//
//   reads     the slider's fingers, floor and outline
//   writes    only s->fingers, and that only where a function says so
#ifndef SLIPSTICK_SLIDER_MOTION_FINGER_H
#define SLIPSTICK_SLIDER_MOTION_FINGER_H

#include "slider/finger/outline.h"
#include "slider/finger/push_together.h"
#include "slider/motion/floor_motion.h"

typedef struct ss_finger_motion {
    double p[2]; ///< its place from the centre of mass
    double v[2]; ///< its velocity over the floor
    double a[2]; ///< and its acceleration there
} ss_finger_motion;
void ss_finger_motion_at(const ss_slide* s, int finger, const ss_place* at, ss_finger_motion* out);
/// The contact of a finger that touches.
void ss_finger_contact(const ss_slide* s, int finger, const ss_finger_motion* motion, ss_contact* out);

/// Whether a finger that touches still does, and is not past an end of its side; or whether one that does not
/// is still outside.
bool ss_finger_stays(const ss_slide* s, int finger, const ss_finger_motion* motion);
/// How far a finger that does not touch is from the outline.
double ss_finger_gap(const ss_slide* s, int finger, const ss_place* at);
/// Whether a finger that does not touch never will, for all that is known, by a body that stays where it is.
bool ss_finger_is_past(const ss_slide* s, int finger, const ss_place* at);

/// How long no finger that is open can touch the outline, for a step of time h, at the speeds of now; not
/// shorter than it takes one to cross a small part of the outline.
double ss_finger_clear_time(const ss_slide* s, const ss_place* at, double h);
/// Whether a finger that is open at two places on the way, so near each other that ss_finger_clear_time
/// allowed it, has touched in between: a corner may pass it. *where: a place where it is inside.
typedef void ss_way_to(ss_slide* s, double where, ss_place* out);
bool ss_fingers_dip(ss_slide* s, ss_way_to* way, double from, double to, double* where);

/// Finds out which fingers touch now, and where; slip is the finger's velocity over a body that moves with u.
void ss_fingers_find(ss_slide* s);
/// A finger that has been decided to slip out of a corner is on the side it slips along.
void ss_finger_leave_corner(ss_slide* s, int finger);
/// Adds up how far the fingers have come, up to now.
void ss_fingers_follow(ss_slide* s);
/// All fingers are where they start, and none touches; an error where one is inside the outline.
ss_status ss_fingers_begin(ss_slide* s, ss_error* err);
/// Takes rounding out of the place of the body: fingers that push touch.
void ss_fingers_tidy(ss_slide* s);

/// Adds the loads of the forces by which fingers help a body to rest.
void ss_fingers_rest_load(const ss_slide* s, const ss_place* at, double load[3]);
/// A finger as people see it.
ss_support_state ss_finger_seen(const ss_slide* s, int finger);

// ---- quasi-static motions (motion_quasi.c)

/// Decides the modes of all fingers and supports at s->course.now, and its velocity.
void ss_quasi_select(ss_slide* s);
/// Makes the next segment.
void ss_quasi_make_segment(ss_slide* s);
/// The velocity at a place in the present modes.
void ss_quasi_velocity(const ss_slide* s, ss_place* at);
/// The loads of fingers on the slider at a place, and the power that rubbing at them takes.
void ss_quasi_finger_load(const ss_slide* s, const ss_place* at, double load[3], double* rubbing);
/// The force of one finger, in the frame of the body.
void ss_quasi_force(const ss_slide* s, const ss_place* at, int finger, double force[2]);
/// dy/dt (an ss_rk_rate).
void ss_quasi_rate(void* user, const double y[], int stage, double dy[]);
/// What pushes besides supports and fingers.
void ss_quasi_applied(const ss_slide* s, const ss_place* at, double load[3]);
/// All that touches: contacts, and the finger of each. Returns their number.
int ss_fingers_list(const ss_slide* s, const ss_place* at, ss_contact contacts[], int fingers[]);

#endif
