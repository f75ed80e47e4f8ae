// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the program carries with it for FMUs.
#ifndef SLIPSTICK_CLI_BINARY_H
#define SLIPSTICK_CLI_BINARY_H

/// An archive with the binary, and one with the code that it is made of.
extern const unsigned char cli_fmu_binary[], cli_fmu_binary_end[];
extern const unsigned char cli_fmu_code[], cli_fmu_code_end[];
extern const unsigned char cli_fmu_license[], cli_fmu_license_end[];

#endif
