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

SS_API ss_status ss_gms_check(const ss_gms* law, ss_error* err);
SS_API double ss_gms_level(const ss_gms* law, double v); ///< s(v), N

/// One element of a law alone: it starts with the force it has, sticking.
typedef struct ss_gms_element {
    double force;  ///< N, against positive v
    int direction; ///< +1 or -1: it slips that way; 0: it sticks
} ss_gms_element;

/// Advances the elements (law->count) over dt >= 0 (s) at constant v, exactly, and returns the force on A at
/// the end. At v = 0, and where v has turned since the last step, all stick first.
SS_API double ss_gms_step(const ss_gms* law, ss_gms_element elements[], double v, double dt);

SS_API ss_status ss_lugre_check(const ss_lugre* law, ss_error* err);
/// g(v), N: the magnitude of sigma0 z in steady sliding.
SS_API double ss_lugre_level(const ss_lugre* law, double v);
/// z', m/s.
SS_API double ss_lugre_rate(const ss_lugre* law, double z, double v);
/// Force on A, N.
SS_API double ss_lugre_force(const ss_lugre* law, double z, double v);
/// Power that is lost, W: -force v less the growth of the energy sigma0 z^2/2 of the bristles. Negative where
/// the law gives energy, which passive parameters never do for |z| <= static_level/sigma0.
SS_API double ss_lugre_loss(const ss_lugre* law, double z, double v);
/// Advances *z over dt >= 0 (s) at constant v, exactly, and returns the force at the end.
SS_API double ss_lugre_step(const ss_lugre* law, double* z, double v, double dt);
/// The least sigma2 with which the law is passive, N*s/m: sigma1 (static_level - coulomb)/coulomb. [R15, (5),
/// (6)]
SS_API double ss_lugre_threshold(const ss_lugre* law);
SS_API bool ss_lugre_is_passive(const ss_lugre* law);
/// Damping ratio of the bristle resonance of a mass (kg): (sigma1 + sigma2)/(2 sqrt(sigma0 mass)).
SS_API double ss_lugre_damping_ratio(const ss_lugre* law, double mass);

SS_API ss_status ss_elasto_plastic_check(const ss_elasto_plastic* law, ss_error* err);
SS_API double ss_elasto_plastic_rate(const ss_elasto_plastic* law, double z, double v);  ///< z', m/s
SS_API double ss_elasto_plastic_force(const ss_elasto_plastic* law, double z, double v); ///< on A, N
/// Advances *z over dt >= 0 (s) at constant v and returns the force at the end: exactly below the breakaway
/// and in full sliding, by quadrature to the last digits between.
SS_API double ss_elasto_plastic_step(const ss_elasto_plastic* law, double* z, double v, double dt);

SS_API ss_status ss_dahl_check(const ss_dahl* law, ss_error* err);
SS_API double ss_dahl_rate(const ss_dahl* law, double z, double v); ///< z', m/s
SS_API double ss_dahl_force(const ss_dahl* law, double z);          ///< on A, N
SS_API double ss_dahl_loss(const ss_dahl* law, double z, double v); ///< W
/// Advances *z over dt >= 0 (s) at constant v, exactly, and returns the force at the end.
SS_API double ss_dahl_step(const ss_dahl* law, double* z, double v, double dt);

/// What the elements before one, and those from it on, add up to, in the order of their reaches.
typedef struct ss_maxwell_sums {
    double slip; ///< N: breakaway forces of those before it
    double hold; ///< N/m: stiffnesses of it and all after it
} ss_maxwell_sums;

/// Elements whose reaches share their leading bits: where they begin, and how dense they are.
typedef struct ss_maxwell_bin {
    double reach;  ///< m: of the first one
    float density; ///< 1/m: elements per reach
    float margin;  ///< elements by which places told from the density may be wrong
    int first;     ///< its place
} ss_maxwell_bin;

/// Maxwell-slip [R15, (8)-(10)]: elements in parallel, each a spring that slips when its force reaches its
/// breakaway force. Made once (ss_maxwell_slip_make) in memory of the caller, constant ever after.
typedef struct ss_maxwell_slip {
    int count;
    const ss_maxwell_sums* sums;  ///< count + 1
    const double* reach;          ///< m, count + 1, ascending: deflection at which an element slips,
                                  ///< breakaway/stiffness; INFINITY after the last
    const double* stiffness;      ///< N/m of each, in that order
    const double* store;          ///< J, count + 1: energy of those before it while they slip
    double most;                  ///< m: the largest reach
    const ss_maxwell_bin* bins;   ///< some hundred bins of reach
    unsigned long long first_bin; ///< where the bins begin: the bits of the least reach
    int bin_shift;                ///< bits of a reach that do not count for its bin
    const int* place;             ///< which element of the caller's lists it is
} ss_maxwell_slip;

/// A reversal that elements still remember: they slipped last at y, in this direction, and not since.
typedef struct ss_reversal {
    double y;      ///< m
    double force;  ///< N: of all elements there, against positive y
    double low;    ///< m: no more than the reach of the last element that had slipped on arrival
    double span;   ///< m: no less than that
    int slipped;   ///< how many had
    int direction; ///< +1 or -1: of the motion that ended there
} ss_reversal;

/// What N elements remember, without a number for each: the nested reversals that later, larger swings have
/// not wiped out yet.
typedef struct ss_maxwell_state {
    double y;                 ///< m: position now
    int direction;            ///< +1 or -1: of the last motion; 0 before any
    int slipped;              ///< the first so many elements slip in this direction
    double low, span;         ///< m: bounds on the reach of the last of them
    int depth;                ///< reversals remembered, the outermost first
    ss_reversal* reversals;   ///< room for `count` of them: nothing is ever forgotten for want of room
    double start, saturation; ///< elements that never slipped: deflection saturation * reach at y = start
    double* apart; ///< where each element slipped to (m), while no common history tells; otherwise NULL
} ss_maxwell_state;

/// Bytes that ss_maxwell_slip_make needs for this many elements; 0 where there can be no such number.
SS_API size_t ss_maxwell_slip_size(int count);
/// memory: aligned for double, of ss_maxwell_slip_size bytes; it must outlive the law. Takes time of order
/// count log count.
SS_API ss_status ss_maxwell_slip_make(const double stiffness[], const double breakaway[], int count,
                                      void* memory, ss_maxwell_slip* out, ss_error* err);

/// Starts at position y, every element deflected by saturation (-1..1) times its reach. reversals: room for
/// law->count.
SS_API void ss_maxwell_slip_start(const ss_maxwell_slip* law, ss_maxwell_state* state,
                                  ss_reversal reversals[], double y, double saturation);
/// Starts with a deflection (m) for each element, in the order of the caller's lists. apart: room for
/// law->count. Until one swing makes all of them slip, a step costs time of order count.
SS_API void ss_maxwell_slip_start_apart(const ss_maxwell_slip* law, ss_maxwell_state* state,
                                        ss_reversal reversals[], double apart[], double y,
                                        const double deflections[]);
/// Goes straight to position y (m) and returns the force there. Time of order log count. The force is a
/// function of the reversals remembered and of y, so that closed loops close to the last bit.
SS_API double ss_maxwell_slip_move(const ss_maxwell_slip* law, ss_maxwell_state* state, double y);
/// The same over dt (s) at constant v (m/s).
SS_API double ss_maxwell_slip_step(const ss_maxwell_slip* law, ss_maxwell_state* state, double v, double dt);
SS_API double ss_maxwell_slip_force(const ss_maxwell_slip* law, const ss_maxwell_state* state); ///< on A, N
SS_API double ss_maxwell_slip_energy(const ss_maxwell_slip* law,
                                     const ss_maxwell_state* state); ///< J, stored
/// Deflection of every element (m), in the order of the caller's lists.
SS_API void ss_maxwell_slip_deflections(const ss_maxwell_slip* law, const ss_maxwell_state* state,
                                        double out[]);

/// The branch that a motion in one direction follows from here: force on A -(force + stiffness s) and loss
/// (power over speed) `slip` while it has gone s <= length.
typedef struct ss_maxwell_branch {
    double force;     ///< N, at s = 0, counted against the direction of the motion
    double stiffness; ///< N/m
    double slip;      ///< N
    double length;    ///< m, to where the next element slips; INFINITY: all do
} ss_maxwell_branch;

SS_API ss_maxwell_branch ss_maxwell_slip_branch(const ss_maxwell_slip* law, const ss_maxwell_state* state);
/// Turns to this direction (+1 or -1) where the state is.
SS_API void ss_maxwell_slip_turn(const ss_maxwell_slip* law, ss_maxwell_state* state, int direction);
/// The branch has come to its end: the next elements slip from here on, whatever the last digit of y says.
SS_API void ss_maxwell_slip_yield(const ss_maxwell_slip* law, ss_maxwell_state* state);

#ifdef __cplusplus
}
#endif
#endif
