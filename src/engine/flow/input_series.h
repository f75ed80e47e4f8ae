// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What is given as a function of time, along the step that begins, and how long that may be.
#ifndef SLIPSTICK_ENGINE_FLOW_INPUT_SERIES_H
#define SLIPSTICK_ENGINE_FLOW_INPUT_SERIES_H

#include "engine/field/field.h"
#include "engine/sim.h"

/// Room for one more kink function, which starts positive: its coefficients.
static inline double* ss_add_kink(ss_inputs* inputs)
{
    return inputs->kinks + (size_t)inputs->kink_count++ * (SS_MAX_ORDER + 1);
}

// inputs.c
void ss_restart_inputs(ss_inputs* inputs); ///< a motion begins
/// A motion begins: driven bodies are where they are driven to, with their speeds. What is no number there is
/// left out, and told at the first instant.
void ss_place_drives(const ss_model* model, ss_step* step, ss_inputs* inputs, ss_step_control* control);
/// Series of all inputs at the start of the step; false where one is not finite, which is then named.
bool ss_prepare_inputs(ss_sim* sim);
/// Nothing is given in time: no breakpoint and no singular place lies ahead.
void ss_forget_breaks(ss_inputs* inputs);
/// The forces that vary have these values, per force, where the step begins; no more is known of them.
void ss_give_forces(ss_inputs* inputs, const double force[]);
/// What is given at s of the step that begins, in `room` for ss_given_size numbers; the series are at hand.
ss_given ss_given_on_step(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                          const ss_open_run* open_run, double s, double room[]);
/// The same where `room` has been filled.
ss_given ss_given_in(const ss_model* model, const ss_open_run* open_run, const double room[]);
size_t ss_given_size(const ss_model* model, const ss_inputs* inputs, const ss_open_run* open_run);
/// Series of one signal, written with a stride into a table of series. Kinks go to the next free place.
bool ss_input_series(ss_sim* sim, const ss_signal* signal, int order, double out[], int stride);
/// Names the input that runs into a pole, if there is just one whose derivatives nothing bounds.
void ss_name_infinite_input(const ss_model* model, ss_inputs* inputs);
/// Chooses order and length to try for the next step.
void ss_choose_step(ss_sim* sim);
/// The modes are known: chooses another length to try for the order at hand. Where every coordinate is held,
/// only the inputs set the pace; a motion that is linear but for curves of friction may go far.
void ss_stretch_step(ss_sim* sim);

// levels.c
/// From the levels of contact i as given to those in force; false where one (*which) is
/// negative.
bool ss_prepare_levels(const ss_model* model, ss_step* step, ss_inputs* inputs, int i, int* which);
/// Magnitudes that make up the levels of contact i in one direction at time t, where they vary.
double ss_level_size(const ss_model* model, int i, bool forward, double t);
/// Whether the level of contact i drops as it starts to slip (plus: forward): the kinetic one differs from
/// the one at rest in some coefficient up to k.
bool ss_level_falls(const ss_model* model, const ss_inputs* inputs, int i, bool plus, int k);

#endif
