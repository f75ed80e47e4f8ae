// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#ifndef SLIPSTICK_FMU_LOCATION_H
#define SLIPSTICK_FMU_LOCATION_H

/// The path that a URI such as file:///tmp/a%20b names; a text without a scheme is a path already. To be
/// freed; NULL without memory.
char* fmu_path_of(const char* location);

#endif
