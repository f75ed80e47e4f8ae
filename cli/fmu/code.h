// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The binary of an FMU and the code that it is made of, as the program carries them with it.
#ifndef SLIPSTICK_CLI_CODE_H
#define SLIPSTICK_CLI_CODE_H

#include "../../fmu/buffer.h"
#include "fmu/zip.h"

/// Files to compile, an element each, by their names in sources/.
void cli_list_code(const char* element, fmu_buffer* out);
/// sources/buildDescription.xml of FMI 3.0.
void cli_describe_build(const char* identifier, fmu_buffer* out);
/// Adds all files of sources/; false without memory.
bool cli_add_code(cli_zip* zip);

typedef struct cli_binary_target {
    cli_zip* zip;
    const char* name; ///< in the archive
} cli_binary_target;
/// Adds the binary; false without memory.
bool cli_add_binary(cli_binary_target* target);
/// Whether a binary is ours, to the bit.
bool cli_is_own_binary(const void* bytes, size_t size);

#endif
