// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The hash by which anybody can tell that a file is the one that was used: `sha256sum model.yaml`.
#ifndef SLIPSTICK_CLI_SHA256_H
#define SLIPSTICK_CLI_SHA256_H

#include <stddef.h>

enum { CLI_SHA256_SIZE = 65 }; ///< 64 digits in hexadecimal and an end

void cli_sha256(const void* bytes, size_t size, char out[CLI_SHA256_SIZE]);

#endif
