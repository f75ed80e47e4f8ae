// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The laws one by one, each with its own struct and functions: what slipstick/law.h does for any of them is
// made of these, and tests, benchmarks and front ends ask them.
#ifndef SLIPSTICK_SHARE_LAW_H
#define SLIPSTICK_SHARE_LAW_H

#include "slipstick/law.h"

/// What a law with elements tells of each: "deflections" (m) or "forces" (N); NULL where it has none.
const char* ss_law_element_word(ss_law_kind law);

// ---- coulomb

ss_status ss_coulomb_check(const ss_coulomb* law, ss_error* err);
/// Force at relative velocity v. At v = 0 the law is a set: the result is the point of it nearest to
/// holding, the force that would keep the contact at rest.
double ss_coulomb_force(const ss_coulomb* law, double v, double holding);

// ---- stribeck

ss_status ss_stribeck_check(const ss_stribeck* law, ss_error* err);
/// Level of the force (>= 0) at speed |v| > 0, and its limit for v -> 0.
double ss_stribeck_level(const ss_stribeck* law, double v);
/// Its derivative with respect to the speed |v|, N*s/m: negative where friction falls.
double ss_stribeck_slope(const ss_stribeck* law, double v);
double ss_stribeck_force(const ss_stribeck* law, double v, double holding);

// ---- curve

/// Of tables: expressions are for models to make.
ss_status ss_curve_check(const ss_curve* law, ss_error* err);
/// Force of tables at relative velocity v, as ss_coulomb_force.
double ss_curve_force(const ss_curve* law, double v, double holding);

// ---- rigid stop

ss_status ss_rigid_stop_check(const ss_rigid_stop* law, ss_error* err);
/// Distance left before the stop is touched, negative inside it.
double ss_rigid_stop_gap(const ss_rigid_stop* law, double x);

// ---- hunt crossley

ss_status ss_hunt_crossley_check(const ss_hunt_crossley* law, ss_error* err);
/// Penetration p at x = x_A - x_B, m; negative where there is no contact.
double ss_hunt_crossley_penetration(const ss_hunt_crossley* law, double x);
/// Force that pushes out of the stop at penetration p (m) and its rate p' (m/s): N, >= 0.
double ss_hunt_crossley_push(const ss_hunt_crossley* law, double p, double p_rate);
/// Derivatives of that force by the penetration (N/m) and by its rate (N*s/m).
void ss_hunt_crossley_slopes(const ss_hunt_crossley* law, double p, double p_rate, double* by_p,
                             double* by_rate);
/// Force on A at x = x_A - x_B and v = v_A - v_B, N.
double ss_hunt_crossley_force(const ss_hunt_crossley* law, double x, double v);
/// Energy stored at penetration p, J: stiffness p^(exponent+1) / (exponent+1).
double ss_hunt_crossley_energy(const ss_hunt_crossley* law, double p);
/// The paper's 1 - alpha speed, good for slow impacts only (negative for fast ones).
double ss_hunt_crossley_restitution_first_order(const ss_hunt_crossley* law, double speed);

// ---- backlash

ss_status ss_backlash_check(const ss_backlash* law, ss_error* err);

// ---- laws that are one formula of their numbers and of one state

/// How many numbers such a law has; 0 of other laws, -1 where there is no such law.
int ss_formula_law_count(ss_law_kind law);
ss_status ss_formula_law_check(ss_law_kind law, const ss_formula_law* numbers, ss_error* err);
/// The state that it starts with where nobody says otherwise: 0 of most.
double ss_formula_law_start(ss_law_kind law, const ss_formula_law* numbers);
/// Advances its state over dt >= 0 (s) at constant v, to rounding, and returns the force on A at the end.
/// Without allocation; NaN where v or dt is no number.
double ss_formula_law_step(ss_law_kind law, const ss_formula_law* numbers, double* state, double v,
                           double dt);

// ---- elastic stop

ss_status ss_elastic_stop_check(const ss_elastic_stop* law, ss_error* err);
/// Force that pushes out of the stop at penetration p (m) and its rate p' (m/s): N, >= 0.
double ss_elastic_stop_push(const ss_elastic_stop* law, double p, double p_rate);
/// Force on A at x = x_A - x_B and v = v_A - v_B, N.
double ss_elastic_stop_force(const ss_elastic_stop* law, double x, double v);
/// Energy stored at penetration p, J: stiffness p^(exponent+1) / (exponent+1).
double ss_elastic_stop_energy(const ss_elastic_stop* law, double p);

// ---- lugre

ss_status ss_lugre_check(const ss_lugre* law, ss_error* err);
/// g(v), N: the magnitude of sigma0 z in steady sliding.
double ss_lugre_level(const ss_lugre* law, double v);
/// z', m/s.
double ss_lugre_rate(const ss_lugre* law, double z, double v);
/// Force on A, N.
double ss_lugre_force(const ss_lugre* law, double z, double v);
/// Power that is lost, W: -force v less the growth of the energy sigma0 z^2/2 of the bristles. Negative where
/// the law gives energy, which passive parameters never do for |z| <= static_level/sigma0.
double ss_lugre_loss(const ss_lugre* law, double z, double v);
/// Advances *z over dt >= 0 (s) at constant v, exactly, and returns the force at the end.
double ss_lugre_step(const ss_lugre* law, double* z, double v, double dt);
bool ss_lugre_is_passive(const ss_lugre* law);
/// Damping ratio of the bristle resonance of a mass (kg): (sigma1 + sigma2)/(2 sqrt(sigma0 mass)).
double ss_lugre_damping_ratio(const ss_lugre* law, double mass);

/// The least sigma2 with which the law is passive, N*s/m: sigma1 (static_level - coulomb)/coulomb. [R15, (5),
/// (6)]
double ss_lugre_threshold(const ss_lugre* law);

// ---- elasto plastic

ss_status ss_elasto_plastic_check(const ss_elasto_plastic* law, ss_error* err);
double ss_elasto_plastic_rate(const ss_elasto_plastic* law, double z, double v);  ///< z', m/s
double ss_elasto_plastic_force(const ss_elasto_plastic* law, double z, double v); ///< on A, N
/// Advances *z over dt >= 0 (s) at constant v and returns the force at the end: exactly below the breakaway
/// and in full sliding, by quadrature to the last digits between.
double ss_elasto_plastic_step(const ss_elasto_plastic* law, double* z, double v, double dt);

// ---- dahl

ss_status ss_dahl_check(const ss_dahl* law, ss_error* err);
double ss_dahl_rate(const ss_dahl* law, double z, double v); ///< z', m/s
double ss_dahl_force(const ss_dahl* law, double z);          ///< on A, N
double ss_dahl_loss(const ss_dahl* law, double z, double v); ///< W
/// Advances *z over dt >= 0 (s) at constant v, exactly, and returns the force at the end.
double ss_dahl_step(const ss_dahl* law, double* z, double v, double dt);

// ---- gms

/// One element of a law alone: it starts with the force it has, sticking.
typedef struct ss_gms_element {
    double force;  ///< N, against positive v
    int direction; ///< +1 or -1: it slips that way; 0: it sticks
} ss_gms_element;

ss_status ss_gms_check(const ss_gms* law, ss_error* err);
double ss_gms_level(const ss_gms* law, double v); ///< s(v), N
/// Advances the elements (law->count) over dt >= 0 (s) at constant v, exactly, and returns the force on A at
/// the end. At v = 0, and where v has turned since the last step, all stick first.
double ss_gms_step(const ss_gms* law, ss_gms_element elements[], double v, double dt);

// ---- Maxwell-slip

ss_status ss_maxwell_slip_check(const ss_maxwell_def* law, ss_error* err);

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
size_t ss_maxwell_slip_size(int count);
/// memory: aligned for double, of ss_maxwell_slip_size bytes; it must outlive the law. Takes time of order
/// count log count.
ss_status ss_maxwell_slip_make(const double stiffness[], const double breakaway[], int count, void* memory,
                               ss_maxwell_slip* out, ss_error* err);
/// Starts at position y, every element deflected by saturation (-1..1) times its reach. reversals: room for
/// law->count.
void ss_maxwell_slip_start(const ss_maxwell_slip* law, ss_maxwell_state* state, ss_reversal reversals[],
                           double y, double saturation);
/// Starts with a deflection (m) for each element, in the order of the caller's lists. apart: room for
/// law->count. Until one swing makes all of them slip, a step costs time of order count.
void ss_maxwell_slip_start_apart(const ss_maxwell_slip* law, ss_maxwell_state* state, ss_reversal reversals[],
                                 double apart[], double y, const double deflections[]);
/// Goes straight to position y (m) and returns the force there. Time of order log count. The force is a
/// function of the reversals remembered and of y, so that closed loops close to the last bit.
double ss_maxwell_slip_move(const ss_maxwell_slip* law, ss_maxwell_state* state, double y);
/// The same over dt (s) at constant v (m/s).
double ss_maxwell_slip_step(const ss_maxwell_slip* law, ss_maxwell_state* state, double v, double dt);
double ss_maxwell_slip_force(const ss_maxwell_slip* law, const ss_maxwell_state* state); ///< on A, N
double ss_maxwell_slip_energy(const ss_maxwell_slip* law,
                              const ss_maxwell_state* state); ///< J, stored
/// Deflection of every element (m), in the order of the caller's lists.
void ss_maxwell_slip_deflections(const ss_maxwell_slip* law, const ss_maxwell_state* state, double out[]);

/// The branch that a motion in one direction follows from here: force on A -(force + stiffness s) and loss
/// (power over speed) `slip` while it has gone s <= length.
typedef struct ss_maxwell_branch {
    double force;     ///< N, at s = 0, counted against the direction of the motion
    double stiffness; ///< N/m
    double slip;      ///< N
    double length;    ///< m, to where the next element slips; INFINITY: all do
} ss_maxwell_branch;

ss_maxwell_branch ss_maxwell_slip_branch(const ss_maxwell_slip* law, const ss_maxwell_state* state);
/// Turns to this direction (+1 or -1) where the state is.
void ss_maxwell_slip_turn(const ss_maxwell_slip* law, ss_maxwell_state* state, int direction);
/// The branch has come to its end: the next elements slip from here on, whatever the last digit of y says.
void ss_maxwell_slip_yield(const ss_maxwell_slip* law, ss_maxwell_state* state);

#endif
