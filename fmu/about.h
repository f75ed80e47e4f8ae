// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A line of description for a parameter.
#ifndef SLIPSTICK_FMU_ABOUT_H
#define SLIPSTICK_FMU_ABOUT_H

#include "slipstick/slipstick.h"

/// What the number at a path is: "friction of guide in contacts"; of one under `parameters` where it is used:
/// "parameter mu, used in contacts.guide.friction".
void fmu_report_parameter(const ss_document* document, const char* path, char* out, size_t size);

#endif
