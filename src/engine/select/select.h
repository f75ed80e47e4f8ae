// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Select: impacts, the modes that follow them, and how what holds does.
#ifndef SLIPSTICK_ENGINE_SELECT_SELECT_H
#define SLIPSTICK_ENGINE_SELECT_SELECT_H

#include "engine/sim.h"

/// The limit of infinitely many impacts.
typedef struct ss_limit {
    double left;  ///< time until then
    int crushing; ///< a stop that driven bodies close for good at that time, or -1
} ss_limit;

// select.c
/// Decides all contacts of dirty groups and computes the orders it needs for that. Returns the order from
/// which the series is to be continued.
int ss_select(ss_sim* sim);

/// Keeps count of the groups in which something holds, and of what slips with a force that varies.
void ss_count_active(const ss_model* model, const ss_step* step, const ss_inputs* inputs, ss_modes* modes);

/// Contact i is in this mode from now on: its event function starts with so many zeros, idle ones carry
/// nothing, and its force may exceed its bounds by the slack (NULL: by none).
void ss_put_mode(ss_modes* modes, int i, ss_mode mode, int lead, bool idle, const double slack[2]);

// impulses.c
/// Impulses of group g, whose levels follow forces, where a stop of it is struck; rebounds: restitutions
/// count. False where none satisfy the impact law.
bool ss_strike_with_friction(ss_sim* sim, int g, bool rebounds);
/// The least impulses that end slip in group g, where no forces satisfy all laws; false where none do.
bool ss_jam(ss_sim* sim, int g);

// with_forces.c
/// The first contact of group g whose level follows forces.
int ss_first_follower(const ss_model* model, int g);
/// Decides group g, some levels of which follow forces: modes and forces together. False where no motion is
/// consistent; the contact is named then.
bool ss_select_with_forces(ss_sim* sim, int g);

// futures.c
/// Keeps which contacts hold with undetermined forces, before the contacts are decided anew.
void ss_remember_shared(const ss_model* model, ss_modes* modes, const ss_course* course);
/// After the decision, notes the contacts that another possible motion treats otherwise.
void ss_note_futures(ss_sim* sim);

// hold.c
/// Rebuilds how group g holds.
void ss_build_hold(ss_sim* sim, int g);
/// Redundant forces of group g start from what select chose: keeps that choice as bias.
void ss_keep_choice(ss_sim* sim, int g);
/// Notes, once in a run, which contacts of group g hold with forces that are not determined.
void ss_note_undetermined(ss_sim* sim, int g);
/// Marks the contacts of group g that arrive together with those that hold or were hit.
void ss_complete_hits(const ss_model* model, const ss_step* step, ss_modes* modes, const ss_work* work,
                      int g);

// impact.c
/// A stop was struck, for the log.
void ss_note_impact(ss_modes* modes, int i, double speed_in, double speed_out);
/// What ss_resolve_impacts returns where no impulses are known; the contact is named as a bad input is.
enum { SS_NO_IMPULSE = -2 };
/// Velocities after all impacts of this instant. Returns -1, or a stop for which there are none: driven
/// bodies crush what is between them.
int ss_resolve_impacts(ss_sim* sim);
/// Whether contact i is at v = 0, to rounding; otherwise which way it slips.
void ss_classify_velocity(const ss_model* model, const ss_step* step, ss_modes* modes, int i);

// accumulate.c
/// Remembers that stops of group g were struck at this instant.
void ss_remember_impacts(const ss_model* model, const ss_step* step, ss_modes* modes, int g);
/// Where infinitely many impacts are about to end, moves velocities and gaps to their limit, which comes
/// after the time left; or tells which stop is crushed there. False where nothing of that is due.
bool ss_take_accumulation(ss_sim* sim, ss_limit* out);

#endif
