// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The derivative of a motion across its events.
#ifndef SLIPSTICK_LAB_SALTATION_H
#define SLIPSTICK_LAB_SALTATION_H

#include "lab/cycle/orbit.h"

/// At the start of a motion: the monodromy forgets what contacts that hold there forbid.
ss_status ss_saltation_begin(ss_orbit* orbit, ss_error* err);
/// Events first .. first + count - 1 share an instant; the run stands just before it. Keeps what must be
/// known from there: how each event's surface is met, the contact forces, the speeds and accelerations.
void ss_saltation_prepare(ss_orbit* orbit, size_t first, size_t count);
/// The run has just passed them: takes the monodromy across.
ss_status ss_saltation_cross(ss_orbit* orbit, size_t first, size_t count, ss_error* err);

#endif
