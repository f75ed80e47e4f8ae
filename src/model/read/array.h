// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Arrays of documents. A document and its clones share them: they never change.
#ifndef SLIPSTICK_MODEL_ARRAY_H
#define SLIPSTICK_MODEL_ARRAY_H

#include "slipstick/matrix.h"

typedef struct ss_array ss_array;

/// A copy of the numbers, held once. NULL without memory.
ss_array* ss_array_new(const ss_matrix_def* def);
ss_array* ss_array_hold(ss_array* array); ///< once more; answers the array
void ss_array_release(ss_array* array);   ///< the last one frees it
const ss_matrix_def* ss_array_def(const ss_array* array);

#endif
