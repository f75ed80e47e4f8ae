// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a mistyped word may have been meant to be.
#include "options.h"

#include <string.h>

enum { LONGEST = 40 };

static int least(int a, int b) { return a < b ? a : b; }

// Letters to insert, delete, replace or swap with their neighbour to turn a into b (optimal string
// alignment); words longer than LONGEST are infinitely far.
static int distance(const char* a, const char* b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    int rows[3][LONGEST + 1]; // of the table: two above, above, this
    int *two = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++) above[j] = two[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int cost = a[i - 1] != b[j - 1];
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], two[j - 2] + 1);
        }
        int* oldest = two;
        two = above;
        above = row;
        row = oldest;
    }
    return above[m];
}

const char* cli_suggest(const char* word, const char* const candidates[], int count)
{
    const char* best = NULL;
    int best_distance = 1 + least(3, (int)strlen(word) / 3); // must be nearer than this
    for (int k = 0; k < count; k++) {
        int d = distance(word, candidates[k]);
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
