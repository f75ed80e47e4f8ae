// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Fingers against a slider with inertia. While fingers touch, with w their velocity over the material,
//
//     d.w = 0,  so  d.w' = 0:   B_d . a = d.(A - Omega x V - omega x p') + n'.w,    a = P (a0 + sum C f)
//
// for d = n where they slip and for both axes where they stick; p' = V - u - Omega x p is how the finger
// moves in the frame, which turns with Omega (the body with omega), V and A are its velocity and acceleration
// over the floor, n' is 0 on a side and -p'/r on a circle. a0 is what everything else does to the body, P
// what is held allows, C f the load of the fingers' forces: linear equations for f.
//
//   reads     s->fingers, s->mode
//   writes    where a function says so
#ifndef SLIPSTICK_SLIDER_MOTION_PRESS_H
#define SLIPSTICK_SLIDER_MOTION_PRESS_H

#include "slider/motion/motion_finger.h"

/// What fingers do at one moment.
typedef struct ss_press {
    int count;
    int finger[SS_FINGERS_MOST];
    ss_contact contact[SS_FINGERS_MOST];
    double slip[SS_FINGERS_MOST][2];   ///< w
    double target[SS_FINGERS_MOST][2]; ///< along x and y: B a where w stays as it is
    double turning[SS_FINGERS_MOST];   ///< n'.w
    ss_mode mode[SS_FINGERS_MOST];
    double force[SS_FINGERS_MOST][2];
} ss_press;

/// All that touches at a place, with the modes of now and no forces.
void ss_press_look(const ss_slide* s, const ss_place* at, ss_press* out);
/// Adds to a, which is what everything else does, what fingers do in the present modes; tells their load and
/// the power of rubbing (both may be NULL).
void ss_press_add(const ss_slide* s, const ss_place* at, double a[3], double load[3], double* rubbing);
/// Adds to a load what fingers answer to it, where they are now: the derivative of their forces.
void ss_press_resist(const ss_slide* s, double load[3]);
/// Whether the modes are still right at a place of the step under way.
bool ss_press_fits(ss_slide* s, const ss_place* at);
/// The force of one finger, in the frame.
void ss_press_force(const ss_slide* s, const ss_place* at, int finger, double force[2]);

/// The acceleration that follows from a, with everything at rest decided: see motion_select.c.
typedef void ss_press_follow(ss_slide* s, bool rest, const double a[3], double x[3]);
/// Decides the modes of the fingers that touch at a place, where everything else does a0; a becomes what all
/// do, forces included. Sets s->fingers.squeezed where no modes are right.
void ss_press_decide(ss_slide* s, const ss_place* at, bool rest, ss_press_follow* follow, double a[3]);
/// Fingers that come too fast give impulses at s->course.now; frees what was held by then.
void ss_press_hit(ss_slide* s);
/// Takes rounding out of the velocity: what touches does not enter.
void ss_press_tidy(ss_slide* s);
/// How long a slider that rests is left alone: shortens the segment.
void ss_press_watch_rest(ss_slide* s);
/// Shortens a step of the present length to where a finger changes its mode; y becomes its end.
void ss_press_watch(ss_slide* s, double y[]);

#endif
