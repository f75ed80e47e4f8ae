// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Friction levels that follow the forces of other contacts, which are known only together with the
// accelerations. In a mode, and on a piece of their kinks, levels are affine in forces (or are taken by their
// slope: hypot). With l_H the forces of what holds in a group and l_S those of what slips,
//
//     l_S = r + G l_S + G_H l_H      r: what does not follow, G: slopes of -+level
//         = T (r + G_H l_H),         T = (1 - G)^-1
//     l_H = -A^-1 (b + W_H^T M^-1 W_S T r),     A = W_H^T M^-1 (W_H + W_S B),     B = T G_H
//
// so that the group holds by an A that is not symmetric, and a change of what holds changes what slips by B.
#ifndef SLIPSTICK_ENGINE_LEVEL_FORCES_H
#define SLIPSTICK_ENGINE_LEVEL_FORCES_H

#include "engine/run/level_forces.h"
#include "engine/sim.h"

/// Whether levels of group g follow forces: it is decided apart from the others.
static inline bool ss_has_level_forces(const ss_sim* sim, int g)
{
    return sim->level_forces && sim->level_forces->groups[g];
}

/// Whether the force of contact i is known before those of others: of an elastic stop, and of bristles whose
/// normal force, if it varies, follows no forces.
static inline bool ss_force_is_known(const ss_model* model, const ss_step* step, int i)
{
    return ss_is_elastic(step, i) || (ss_is_bristle(step, i) && !model->contacts[i].follows_forces);
}

/// Whether the force of contact i of such a group is its level: it slips, or holds at its bound while others
/// hold the rest.
static inline bool ss_goes_by_level(const ss_sim* sim, int i)
{
    const ss_contact_run* run = &sim->modes.contacts[i];
    bool pinned = run->pinned && !run->idle && ss_has_level_forces(sim, sim->model->contacts[i].group);
    return ss_slips(&sim->modes, i) || pinned;
}

void ss_level_forces_allocate(ss_sim* sim);
/// A series begins: kinks that forces decide stay as they are.
void ss_keep_force_kinks(ss_sim* sim);
/// Coefficient k of the forces in the rows of a program, as far as they are known beforehand.
void ss_fill_forces(const ss_sim* sim, const ss_run* run, int k);
/// At order 0, on the pieces at hand: the slopes of the levels, and how the groups hold by them.
void ss_linearise_levels(ss_sim* sim);
/// The slopes by the pieces and forces in sim->level_forces.
void ss_find_level_slopes(ss_sim* sim);
/// What output `output` of the motion, a level, has beside what follows the forces at order k.
double ss_level_apart(const ss_sim* sim, int output, int k);
/// How a level changes with the force of contact j.
double ss_level_slope(const ss_sim* sim, int output, int j);
/// T, B of group g for the modes at hand. False where T does not exist.
bool ss_couple_levels(ss_sim* sim, int g);
/// Inverse of A, as it depends on the modes; see ss_general_inverse. Returns the rank.
int ss_invert_with_levels(ss_sim* sim, int g);
/// Forces of what slips in groups whose levels follow forces, coefficient k.
void ss_add_level_slips(ss_sim* sim, int k);
/// All forces of order k are known: levels, and rates that use them, get theirs.
void ss_complete_levels(ss_sim* sim, int k);
/// The place, and the pieces of kinks that no force decides, for levels of impulses.
void ss_begin_impulses(ss_sim* sim);
/// The step ends at s: its forces there are those just before the next instant, which a tick may ask for.
void ss_keep_last_forces(const ss_model* model, ss_step* step, double s);
/// Whether the levels are to be linearised again, at the forces just found; then they are.
bool ss_level_forces_moved(ss_sim* sim);

#endif
