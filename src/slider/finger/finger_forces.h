// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Forces of fingers whose loads add up to a given one, with those of elements that do not move: of all that
// do the ones of least norm. With y a vector of three numbers and B_i the places, they are the projections of
// B_i y on what each can give (a ray, a cone, a disc), and Newton's method finds y.
#ifndef SLIPSTICK_SLIDER_FINGER_FINGER_FORCES_H
#define SLIPSTICK_SLIDER_FINGER_FINGER_FORCES_H

#include "slider/finger/push_together.h"

/// Fills out->force for the modes in `out` and the balance `at`. False where no forces do.
bool ss_finger_forces(const ss_slider* slider, const ss_floor* floor, const ss_contact contacts[], int count,
                      const ss_balance* at, ss_pushed_by* out);

#endif
