// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A picture of a fit: each trace as recorded and as the model has it, and what is left, below it.
#ifndef SLIPSTICK_PICTURE_FIT_PICTURE_H
#define SLIPSTICK_PICTURE_FIT_PICTURE_H

#include "picture/figure/figure.h"
#include "slipstick/fit.h"

ss_status ss_fit_draw(const ss_fit* fit, const char* title, const ss_sheet* sheet, ss_error* err);

#endif
