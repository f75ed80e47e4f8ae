// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A model of models/ in a folder of resources, as an importer unpacks it.
#ifndef SLIPSTICK_TESTS_FMU_UNPACKED_MODEL_H
#define SLIPSTICK_TESTS_FMU_UNPACKED_MODEL_H

#include "resource.h"

typedef struct fmu_model {
    char folder[32]; ///< empty: one is to be made
    char token[FMU_TOKEN];
} fmu_model;

/// Fails the test where it cannot. The friction and stiffness of two-blocks are tunable.
void fmu_model_write(fmu_model* model, const char* name);
void fmu_model_remove(const fmu_model* model);

#endif
