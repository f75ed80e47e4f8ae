// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Friction and stop laws. Each is a plain struct usable alone, without allocation, in a real-time loop.
// The force of a law is the one on body A; v is v_A - v_B.
#ifndef SLIPSTICK_LAW_H
#define SLIPSTICK_LAW_H

#include "slipstick/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Dry friction, set-valued at rest. While v > 0 the force is -forward, while v < 0 it is +backward; at v = 0
/// it is whatever holds, between -static_forward and +static_backward. All in N (N*m between angular
/// bodies), >= 0, static at least the kinetic one.
typedef struct ss_coulomb {
    double forward, backward;
    double static_forward, static_backward;
} ss_coulomb;

/// The same level in both directions, static equal to kinetic.
SS_API ss_coulomb ss_coulomb_make(double friction);
SS_API ss_status ss_coulomb_check(const ss_coulomb* law, ss_error* err);
/// Force at relative velocity v. At v = 0 the law is a set: the result is the point of it nearest to
/// holding, the force that would keep the contact at rest.
SS_API double ss_coulomb_force(const ss_coulomb* law, double v, double holding);

/// Friction that falls with speed: coulomb + (static - coulomb) exp(-(|v|/speed)^shape) + viscous |v|,
/// against the motion; set-valued at rest, between -static_level and +static_level.
typedef struct ss_stribeck {
    double coulomb;      ///< N, >= 0: level at high speed without the viscous part
    double static_level; ///< N, >= coulomb: level at rest
    double speed;        ///< m/s, > 0: the smaller, the steeper the fall
    double shape;        ///< >= 1, usually 2
    double viscous;      ///< N*s/m, >= 0
} ss_stribeck;

SS_API ss_status ss_stribeck_check(const ss_stribeck* law, ss_error* err);
/// Level of the force (>= 0) at speed |v| > 0, and its limit for v -> 0.
SS_API double ss_stribeck_level(const ss_stribeck* law, double v);
SS_API double ss_stribeck_force(const ss_stribeck* law, double v, double holding);

/// A hard stop: x_A - x_B stays below `position` (side = +1, "above") or above it (side = -1, "below").
typedef struct ss_rigid_stop {
    double position;    ///< m
    int side;           ///< +1 or -1
    double restitution; ///< in [0, 1]: speed after over speed before an impact (Newton)
} ss_rigid_stop;

SS_API ss_status ss_rigid_stop_check(const ss_rigid_stop* law, ss_error* err);
/// Distance left before the stop is touched, negative inside it.
SS_API double ss_rigid_stop_gap(const ss_rigid_stop* law, double x);

#ifdef __cplusplus
}
#endif
#endif
