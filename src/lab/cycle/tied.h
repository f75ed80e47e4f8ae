// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Neighbours of a motion that keep the ties that have names.
#ifndef SLIPSTICK_LAB_TIED_H
#define SLIPSTICK_LAB_TIED_H

#include "model/model_impl.h"

/// Takes from vectors over the state (`width` numbers each, one after the other, divided by the extents
/// `scale`) what would break a tie. False: no memory.
bool ss_keep_ties(const ss_model* model, const double scale[], int width, double vectors[], int count);
/// The same with the starts that a monodromy (width x width) is over.
bool ss_tie_monodromy(const ss_model* model, const double scale[], int width, double monodromy[]);

#endif
