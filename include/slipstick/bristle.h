// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Friction with internal states: LuGre, Dahl, Maxwell-slip. Each is a plain struct usable alone in a
// real-time loop: no allocation, a bounded number of operations per step, and no step that can run away.
// Forces are those on body A; v is v_A - v_B, y is x_A - x_B. Between angular bodies m reads rad and N reads
// N*m.
//
// A step that is given NaN or infinity leaves the state as it was and returns NaN: the fault is seen at once
// and is gone with the next good number.
#ifndef SLIPSTICK_BRISTLE_H
#define SLIPSTICK_BRISTLE_H

#include "slipstick/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// LuGre [R15, (2)-(4)]: bristles of mean deflection z,
///     z' = v - sigma0 |v| z / g(v),    force = -(sigma0 z + sigma1 z' + sigma2 v),
///     g(v) = coulomb + (static_level - coulomb) exp(-(|v|/speed)^shape).
typedef struct ss_lugre {
    double sigma0;       ///< N/m, > 0: the stiffer, the shorter the way before full sliding
    double sigma1;       ///< N*s/m, >= 0: damps the bristles; 0 lets them ring long
    double sigma2;       ///< N*s/m, >= 0: viscous friction
    double coulomb;      ///< N, > 0: steady force of fast sliding
    double static_level; ///< N, >= coulomb: steady force of slow sliding
    double speed;        ///< m/s, > 0: where the force falls; not looked at while static_level = coulomb
    double shape;        ///< > 0, usually 2
} ss_lugre;

/// Elasto-plastic (Dupont): LuGre whose bristles do not creep below the breakaway deflection,
///     z' = v (1 - a sgn(v) sigma0 z/g(v)),
/// a = 0 where v z <= 0 or |z| <= breakaway, 1 where |z| >= g(v)/sigma0, and a half wave of a sine between.
typedef struct ss_elasto_plastic {
    ss_lugre lugre;
    double breakaway; ///< m, > 0 and below coulomb/sigma0
} ss_elasto_plastic;

/// Dahl: z' = v |u|^shape sgn(u), u = 1 - sigma0 z sgn(v)/coulomb, force = -sigma0 z.
typedef struct ss_dahl {
    double sigma0;  ///< N/m, > 0
    double coulomb; ///< N, > 0
    double shape;   ///< > 0: 1 is LuGre without damping; below 1 the force is reached on a finite way
} ss_dahl;

/// Elements of a Maxwell-slip contact, one pair of numbers each.
typedef struct ss_maxwell_def {
    const double* stiffness; ///< N/m, > 0
    const double* breakaway; ///< N, > 0
    int count;
} ss_maxwell_def;

/// One element of Maxwell-slip: a spring in series with a slider.
typedef struct ss_jenkins {
    double stiffness; ///< N/m, > 0
    double breakaway; ///< N, > 0: the slider holds up to it, and slips with it
} ss_jenkins;

/// How the bristles of a contact start: at most one of these is given.
typedef struct ss_bristle_start {
    double z;               ///< m, LuGre and Dahl; NaN: not given
    double saturation;      ///< in [-1, 1]: this share of steady sliding, positive resists positive v; NaN
    const double* elements; ///< one per element: m of Maxwell-slip, N of GMS; NULL: not given
} ss_bristle_start;

/// Generalised Maxwell-slip: elements in parallel, each a spring that sticks (F' = stiffness v) until its
/// force in the direction of v reaches share s(v), and then slips, F' = sgn(v) attraction (share - |F|/s(v)),
/// until v = 0. s(v) = coulomb + (static_level - coulomb) exp(-(|v|/speed)^shape). Force on A: -(sum F +
/// viscous v).
typedef struct ss_gms {
    int count;
    const double* stiffness; ///< N/m, > 0
    const double* share;     ///< > 0, their sum is 1
    double coulomb;          ///< N, > 0: steady force of fast sliding
    double static_level;     ///< N, >= coulomb: steady force of slow sliding
    double speed;            ///< m/s, > 0: not looked at while static_level = coulomb
    double shape;            ///< > 0, usually 2
    double attraction;       ///< N/s, > 0: how fast a slipping force follows s(v)
    double viscous;          ///< N*s/m, >= 0
} ss_gms;

#ifdef __cplusplus
}
#endif
#endif
