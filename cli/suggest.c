// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a mistyped word may have been meant to be.
#include "core/suggest.h"
#include "options.h"

#include <string.h>

const char* cli_suggest(const char* word, const char* const candidates[], int count)
{
    const char* best = NULL;
    int third = (int)strlen(word) / 3, most = third < 3 ? third : 3, best_distance = most + 1;
    for (int k = 0; k < count; k++) {
        int d = ss_edit_distance(word, candidates[k], most);
        if (d >= best_distance) continue;
        best = candidates[k];
        best_distance = d;
    }
    for (int k = 0; k < count && !best; k++) { // "--outfile" for "--out", "--max" for "--max-events"
        size_t common = strlen(word) < strlen(candidates[k]) ? strlen(word) : strlen(candidates[k]);
        if (common >= 4 && strncmp(word, candidates[k], common) == 0) best = candidates[k];
    }
    return best;
}
