// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The version, given by the build.
#include "slipstick/status.h"

#ifndef SLIPSTICK_VERSION
#define SLIPSTICK_VERSION "unknown" // compiled by hand, without the build
#endif

const char* ss_version(void) { return SLIPSTICK_VERSION; }
