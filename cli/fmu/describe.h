// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// modelDescription.xml of an FMU, by version 2.0 or 3.0 of the standard.
#ifndef SLIPSTICK_CLI_DESCRIBE_H
#define SLIPSTICK_CLI_DESCRIBE_H

#include "../../fmu/buffer.h"
#include "../../fmu/variables.h"

typedef struct cli_description {
    int version;            ///< 2 or 3
    bool sources;           ///< the FMU holds its code
    const char* name;       ///< of the model
    const char* identifier; ///< of the binary
    const char* title;
    double until; ///< s: the default experiment
    const fmu_resource* resource;
    const fmu_variables* variables;
    const ss_model* model;   ///< NULL for a slider
    const ss_slider* slider; ///< NULL for bodies
} cli_description;

void cli_describe(const cli_description* d, fmu_buffer* out);
/// The parts that have their own files.
void cli_describe_variables(const cli_description* d, fmu_buffer* out);
void cli_describe_structure(const cli_description* d, fmu_buffer* out);
/// A page for people.
void cli_describe_page(const cli_description* d, fmu_buffer* out);

/// Type of a real variable that has a common unit, or NULL.
const char* cli_real_type(const fmu_variable* variable);
/// Writes the name of a type: of numbers, or of modes.
void cli_put_type(const cli_description* d, const char* name, fmu_buffer* out);

#endif
