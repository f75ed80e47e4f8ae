// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Reading what opens a model: inputs, states, signals, potentials, sampled controllers; and which forces and
// levels follow the motion.
#ifndef SLIPSTICK_MODEL_READ_OPEN_H
#define SLIPSTICK_MODEL_READ_OPEN_H

#include "model/read/read.h"

/// The sections; the rest of the model is read first.
ss_status ss_read_open(ss_reader* r);
/// Whether the file has any of them.
bool ss_read_is_open(const ss_reader* r);
/// Whether a scalar is an expression of the motion: it names a body's x or v, a state, an input, a signal or
/// memory (or, in an open model, something that is not known: the model tells).
bool ss_read_follows_motion(const ss_reader* r, const ss_node* node);
/// A variable of the expression alone ("v", "the slip speed"): that it is not also an input, state, signal or
/// memory. Parameters are told of where the expression is parsed.
ss_status ss_read_own_variable(ss_reader* r, const ss_node* node, const char* name, const char* meaning);

#endif
