// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the program carries with it for FMUs: the binary, and the licence.
#ifndef SLIPSTICK_CLI_BINARY_H
#define SLIPSTICK_CLI_BINARY_H

extern const unsigned char cli_fmu_binary[], cli_fmu_binary_end[];
extern const unsigned char cli_fmu_license[], cli_fmu_license_end[];

#endif
