// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The picture of a certificate: the equilibrium set and the certified region, cut by the planes of positions
// and of speeds, or for one coordinate by the phase plane.
#ifndef SLIPSTICK_PICTURE_CERTIFICATE_H
#define SLIPSTICK_PICTURE_CERTIFICATE_H

#include "picture/figure/figure.h"
#include "slipstick/lab.h"

/// Draws them for the first two coordinates. SS_BAD_INPUT, with the reason, where there is nothing to draw.
ss_status ss_picture_certificate(const ss_model* model, const ss_sheet* sheet, ss_error* err);

#endif
