// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A plane of starts through the state space of one model, and what a certificate says on it.
#ifndef SLIPSTICK_PICTURE_PLANE_H
#define SLIPSTICK_PICTURE_PLANE_H

#include "picture/figure.h"
#include "slipstick/lab.h"

/// Draws what the certificate knows into a plot over the plane of two start axes of the basin: I_rho* (its
/// section) and E. Draws nothing where there is no certificate, no set, or the axes are no independent
/// coordinates.
ss_status ss_plane_draw(ss_plot* plot, const ss_basin* basin, const ss_box* box, ss_error* err);

#endif
