// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The hash by which anybody can tell that a file is the one that was used: `sha256sum model.yaml`.
#ifndef SLIPSTICK_CLI_SHA256_H
#define SLIPSTICK_CLI_SHA256_H

#include <stdbool.h>

enum { CLI_SHA256_SIZE = 65 }; ///< 64 digits in hexadecimal and an end

/// Of what is in a file; false, and "", of anything else, such as a pipe, which is not there twice.
bool cli_sha256_file(const char* path, char out[CLI_SHA256_SIZE]);

#endif
