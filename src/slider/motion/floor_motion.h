// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the floor moves, and what that does to a body on it. A slider is followed as seen from its floor:
// places and velocities (ss_place) are those over the floor, so that what sticks is at rest, exactly and for
// ever. With V, A the velocity and acceleration of the floor's centre c in space, Omega its spin and r the
// place of the body over the floor, measured from c, all in the frame of the body:
//
//     u' = (F - P) + (spin x V) - A - Omega' x r + Omega^2 r - 2 Omega x u,      spin' = (M - P_M) - Omega'
//
//   reads     the slider's floor, the present stretch between breaks of its signals (s->inputs)
//   writes    nothing
//   promise   within a step all values belong to the piece of the signals on which the step began
#ifndef SLIPSTICK_SLIDER_FLOOR_MOTION_H
#define SLIPSTICK_SLIDER_FLOOR_MOTION_H

#include "slider/motion/slide_impl.h"

/// Velocity and acceleration of what is given by its speed or its place (SI, in units of `unit`; NULL for
/// neither), and how far, in SI, that has come at time t, where at base_t it had come as far as base.
void ss_motion_rates(const ss_slide* s, const ss_signal* speed, const ss_signal* place, double t, double unit,
                     double* v, double* a);
double ss_motion_way(const ss_slide* s, const ss_signal* speed, const ss_signal* place, double t,
                     double base_t, double base);
/// A time clamped so that signals are asked on the piece of theirs that lasts from .. to.
double ss_motion_inside(double t, double from, double to);

/// How it moves, in space.
typedef struct ss_floor_rates {
    double v[2], a[2], spin, spin_rate;
} ss_floor_rates;

ss_floor_pose ss_floor_pose_at(const ss_slide* s, double t);
/// from .. to: the stretch on whose piece the signals are taken; t may be at its ends.
void ss_floor_rates_at(const ss_slide* s, double t, double from, double to, ss_floor_rates* out);
/// The floor's velocity under the body and its spin, in the body's frame: the motion a body that rides has.
void ss_floor_velocity(const ss_slide* s, const ss_place* at, const ss_floor_rates* floor, double out[3]);
/// Adds what pushes a body that is seen from this floor, in the body's frame.
void ss_floor_add_inertia(const ss_slide* s, const ss_place* at, const ss_floor_rates* floor, double push[3]);

/// The place of the centre of mass in space, and the angle of the frame.
void ss_floor_to_space(const ss_slide* s, const ss_place* at, double place[2], double* angle);

/// Whether the floor keeps its velocity and spin from t on, for ever.
bool ss_floor_is_steady(const ss_slide* s, double t);
/// Whether the floor's velocity jumps at time t: then by how much under the body, in its frame.
bool ss_floor_jumps(const ss_slide* s, const ss_place* at, double t, double jump[3]);

#endif
