// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Contacts with bristles along a run. They have internal states and a definite force, never take part in the
// projection and never stick: their modes slip+ and slip- are the sign of v, on which their formulas depend.
#ifndef SLIPSTICK_ENGINE_FLOW_BRISTLE_RUN_H
#define SLIPSTICK_ENGINE_FLOW_BRISTLE_RUN_H

#include "engine/sim.h"
#include "law/table.h"

void ss_bristle_allocate(ss_sim* sim);
void ss_bristle_restart(ss_law_series* laws, ss_modes* modes);
/// Elements that slipped on the last step are counted; called where a step begins.
void ss_bristle_arrive(ss_sim* sim);
/// Directions by the present velocities, in dirty groups; where v = 0, the derivatives to come decide.
void ss_bristle_classify(const ss_model* model, ss_step* step, ss_modes* modes);
/// The orders up to k are known: true if some direction is still open.
bool ss_bristle_decide(ss_sim* sim, int k);
/// The modes are decided: branches end where a velocity has reversed.
void ss_bristle_begin(ss_sim* sim);
/// 1/s: how fast bristles and the masses on them follow, at the present state (stiff_rates.c).
double ss_bristle_rate(const ss_model* model, struct ss_field* field, const ss_step* step);
void ss_add_bristle_forces(ss_sim* sim, int k);
/// What the law of contact i answers where the step begins, per newton where it is loaded.
double ss_bristle_start_force(ss_sim* sim, int i);
/// Coefficients of the motion from order `from` >= 2 of the accelerations on, where only springs, dampers and
/// one bristle change those of one mass: by a recursion of its law. False where that has none.
bool ss_bristle_run_alone(const ss_model* model, ss_step* step, const ss_modes* modes, int from);
/// The direction is known only now: coefficients up to k that depend on it are computed anew. The forces are
/// as before.
void ss_bristle_redo_series(ss_sim* sim, ss_bristle* b, int k);
/// The part of h on which the series are good, given what a few coefficients tell of a smooth series
/// (`smooth`).
double ss_bristle_step_bound(const ss_sim* sim, double h);
/// The motion is known along the step, by series from order `from` of the velocities on: what is taken from
/// them.
void ss_bristle_update_series(ss_sim* sim, int from);
/// The numbers of the elements of contact i now, and whether they slip on this step (NULL: not wanted): how
/// many; 0 where its law has none.
int ss_bristle_elements(const ss_model* model, const ss_step* step, int i, double out[], bool slips[]);
/// The states at time s of the step become those of the next.
void ss_bristle_commit(const ss_model* model, const ss_inputs* inputs, ss_sim_def* def, ss_step* step,
                       double s);

double ss_bristle_energy(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                         const ss_bristle* b, double s);
/// Powers at time s of the step, where the relative velocity is v, W. Of a loaded contact also what presses
/// takes part: what bristles store grows with the normal force.
typedef struct ss_bristle_powers {
    double friction, input;
} ss_bristle_powers;
ss_bristle_powers ss_bristle_powers_at(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                                       const ss_bristle* b, double s, double v);
/// Adds what has no power from the start of the step to s: what is lost by the way, and what is stored as a
/// normal force jumps or the run starts.
void ss_bristle_works(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                      const ss_bristle* b, double s, ss_energy* io);
/// What only bristles have: z, and that they stand still.
void ss_bristle_describe(const ss_model* model, const ss_step* step, int i, ss_contact_state* out);
/// Level the force of contact i tends to.
double ss_bristle_limit(const ss_sim* sim, int i, double v);

/// What is left of the motion is below rounding: the step that begins is one without motion and without end.
void ss_bristle_stand(ss_sim* sim);
/// The step ends before anything that was to happen to bristles.
void ss_bristles_stay(ss_law_series* laws);

#endif
