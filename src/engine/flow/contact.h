// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the law of a contact contributes to the series of a motion, and its own events.
#ifndef SLIPSTICK_ENGINE_FLOW_CONTACT_H
#define SLIPSTICK_ENGINE_FLOW_CONTACT_H

#include "engine/sim.h"

// contact.c
/// Bounds of the force of contact i while it holds, coefficient k.
double ss_hold_low(const ss_sim* sim, int i, int k);
double ss_hold_high(const ss_sim* sim, int i, int k);
/// The same with the kinetic levels of a Coulomb contact.
double ss_kinetic_low(const ss_sim* sim, int i, int k);
double ss_kinetic_high(const ss_sim* sim, int i, int k);
/// Coefficient k of the force while contact i slips (sign from its mode); needs the velocity up to k.
double ss_slip_force(ss_sim* sim, int i, int k);
/// Of a contact that slips: its force per unit of the level by which it slips, where the step begins. -1 or 1
/// unless it is under a normal force that varies.
double ss_force_per_level(ss_sim* sim, int i);
/// Coefficient k of what a law answers, per newton where the contact is loaded.
double ss_law_coefficient(const ss_contact* contact, ss_along* along, int k);
/// The same times the normal force of contact i, which is loaded; up to k the latter is known.
double ss_loaded_coefficient(const ss_inputs* inputs, const ss_along* along, int i, int k);
/// Series of the normal force of contact i, which is loaded.
const double* ss_load_series(const ss_inputs* inputs, int i);
/// What a level is times the normal force, where the contact is loaded; else 1.
static inline double ss_level_share(const ss_contact* contact, int which)
{
    return contact->loaded ? contact->levels[which] : 1.0;
}
/// Contact i starts to slip from rest: prepares the series that ss_slip_force builds on.
void ss_start_slip(const ss_model* model, ss_step* step, const ss_modes* modes, int i);
/// Event function `which` of the law of contact i, which slips, coefficients times power[k]: returns its
/// degree, or -1 where it cannot vanish now.
int ss_law_function(const ss_model* model, const ss_step* step, int i, int which, const double power[],
                    double c[]);
/// Contact i, which slips, has met its speed (0) or an event function of its law (1, ..). Returns true if v =
/// 0 there.
bool ss_mark_law(ss_step* step, int i, int which);
/// Series and states of its law along the step, where it has any, or NULL.
ss_along* ss_along_of(const ss_step* step, int i);
void ss_restart_slips(const ss_model* model, ss_law_series* laws);
/// Points are asked for one by one: lines of tables and pieces of curves are chosen where a point is, and not
/// where a step began.
void ss_free_slips(const ss_model* model, ss_law_series* laws);
/// The motion is known from order `from` on: laws that slip follow it, as they do for the orders that needed
/// their force.
void ss_slips_update_series(const ss_model* model, ss_step* step, const ss_modes* modes, int from);
/// The step ends at s: contacts whose force depends on the speed go on from there.
void ss_commit_slips(const ss_model* model, ss_step* step, const ss_modes* modes, double s);
/// How much of h the series of slip forces that depend on the speed reach.
double ss_slip_step_bound(const ss_model* model, const ss_step* step, const ss_modes* modes, double h);

#endif
