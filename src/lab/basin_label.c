// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/basin_label.h"

#include "core/error.h"

#include <stdlib.h>

struct ss_labels {
    int count;
};

int ss_labels_count(const ss_labels* labels) { return labels->count; }

ss_status ss_labels_read(const ss_labels* labels, int64_t block, int32_t out[], ss_error* err)
{
    (void)labels;
    (void)block;
    (void)out;
    (void)err;
    return SS_OK;
}

void ss_labels_destroy(ss_labels* labels) { free(labels); }
