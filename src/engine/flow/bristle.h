// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Contacts with bristles along a run. They have internal states and a definite force, never take part in the
// projection and never stick: their modes slip+ and slip- are the sign of v, on which their formulas depend.
#ifndef SLIPSTICK_FLOW_BRISTLE_H
#define SLIPSTICK_FLOW_BRISTLE_H

#include "engine/sim.h"

enum { SS_CURVE_DEGREE = 6 };

typedef struct ss_bristle {
    int contact;
    bool arrived; ///< v = 0 at the present instant, by an event
    bool turning; ///< v = 0, and the derivative that tells where it goes is not known yet
    bool still;   ///< v = 0 on the whole step
    bool begun;   ///< the start has been turned into a state
    bool moved;   ///< it has had a direction before
    bool yields;  ///< the step ends where an element of Maxwell-slip slips, or Dahl's full sliding is reached

    double v[SS_MAX_ORDER + 1]; ///< series of the relative velocity along the step

    // LuGre, Dahl: series along the step; z[0] is the state
    double z[SS_MAX_ORDER + 1];
    double mirror[SS_MAX_ORDER + 1]; ///< z backwards, from its end on: for products in one direction
    double u[SS_MAX_ORDER + 1];      ///< |v|; Dahl: distance from full sliding
    double square[SS_MAX_ORDER + 1]; ///< |v|^2
    double power[SS_MAX_ORDER + 1];  ///< (|v|/speed)^shape; Dahl: |u|^shape sgn(u)
    double fall[SS_MAX_ORDER + 1];   ///< exp(-power)
    double pull[SS_MAX_ORDER + 1];   ///< Maxwell-slip: room
    double slip[SS_MAX_ORDER + 1];   ///< |v| z / g
    double ease;  ///< where g is constant: 1/g with the sign of v (1/N); otherwise not used
    double level; ///< N: g at the start of the step, where it falls with speed

    // Maxwell-slip
    ss_maxwell_state memory;
    ss_maxwell_branch branch; ///< from the start of the step on
    bool smooth; ///< so many elements slip ahead that the branch is a polynomial: see maxwell_curve.c
    double curve[SS_CURVE_DEGREE + 1]; ///< its coefficients in way/branch.length

    // hysteresis
    double from;    ///< m: where the monotone branch began
    double work;    ///< J: done on the contact since then, up to the start of the step
    ss_mode before; ///< direction when that was last looked at
    double peak;    ///< m/s: speed seen since the last change of direction
} ss_bristle;

/// maxwell_curve.c: the branch ahead of a Maxwell-slip contact, linear up to where the next element slips, or
/// smooth.
void ss_maxwell_look_ahead(const ss_sim* sim, ss_bristle* b);
/// Force against the direction after a way along the branch, and its derivative.
double ss_maxwell_curve(const ss_bristle* b, double way, double* slope);
/// Energy lost on a way along the branch.
double ss_maxwell_lost(const ss_sim* sim, const ss_bristle* b, double way);
/// Coefficient k of that force along the step, of which the way is known up to k (sign times the
/// displacement).
double ss_maxwell_curve_coefficient(ss_bristle* b, double way, int k);

void ss_bristle_allocate(ss_sim* sim);
void ss_bristle_restart(ss_sim* sim);
/// Elements that slipped on the last step are counted; called where a step begins.
void ss_bristle_arrive(ss_sim* sim);
/// Directions by the present velocities, in dirty groups; where v = 0, the derivatives to come decide.
void ss_bristle_classify(ss_sim* sim);
/// The orders up to k are known: true if some direction is still open.
bool ss_bristle_decide(ss_sim* sim, int k);
/// The modes are decided: branches end where a velocity has reversed.
void ss_bristle_begin(ss_sim* sim);
/// 1/s: how fast bristles and the masses on them follow, at the present state (stiff_rates.c).
double ss_bristle_rate(const ss_sim* sim);
void ss_add_bristle_forces(ss_sim* sim, int k);
/// Coefficients of the motion from order `from` >= 2 of the accelerations on, where only springs, dampers and
/// bristles change them.
void ss_bristle_run_series(ss_sim* sim, int from);
/// The direction is known only now: coefficients up to k that depend on it are computed anew. The forces are
/// as before.
void ss_bristle_redo_series(ss_sim* sim, ss_bristle* b, int k);
/// How much of h the series reach, given what a few coefficients tell of a smooth series (`smooth`).
double ss_bristle_reach(const ss_sim* sim, double h);
/// Way (m) at which Dahl's full sliding begins, from the start of the step; INFINITY where it has begun or
/// never does.
double ss_dahl_way_left(const ss_sim* sim, const ss_bristle* b);
/// The event function at hand besides the speed, coefficients times power[k]: returns its degree, or -1.
int ss_bristle_function(const ss_sim* sim, int i, const double power[], double c[]);
/// Contact i has met its event function `which` (0: v = 0). Returns true if v = 0 there.
bool ss_bristle_mark(ss_sim* sim, int i, int which);
/// The motion is known along the step, by series from order `from` of the velocities on: what is taken from
/// them.
void ss_bristle_follow_series(ss_sim* sim, int from);
/// The states at time s of the step become those of the next.
void ss_bristle_commit(ss_sim* sim, double s);

double ss_bristle_energy(const ss_sim* sim, const ss_bristle* b, double s);
/// Energy that Maxwell-slip loses from the start of the step to s; 0 for the other laws.
double ss_bristle_lost(const ss_sim* sim, const ss_bristle* b, double s);
/// Power lost at time s of the step, where the relative velocity is v; 0 for Maxwell-slip, which loses by the
/// way.
double ss_bristle_loss(const ss_sim* sim, const ss_bristle* b, double s, double v);
/// What only bristles have: z, and that they stand still.
void ss_bristle_describe(const ss_sim* sim, int i, ss_contact_state* out);
/// Level the force of contact i tends to.
double ss_bristle_limit(const ss_sim* sim, int i, double v);

#endif
