// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A second opinion on sliders of points, wheels and ratchets, on floors of all kinds and under any load, from
// their definition alone: friction regularised to f s / sqrt(|s|^2 + eps^2), CVODE's BDF. A wheel has no mass
// and turns at the rate at which the floor does not drive it; s is what is left of the velocity of its place.
#ifndef TESTS_PEER_RIG_H
#define TESTS_PEER_RIG_H

#include "slider_rig.h"

/// x, y, angle and vx, vy, spin in space at time until; false where CVODE fails.
bool peer_rig_run(const slider_rig* rig, double eps, double until, ss_slider_state* out);

#endif
