// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/suggest.h"

#include "share/error.h"
#include "slipstick/status.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 40 }; // longer words are not compared: no key is as long

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int least(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

// Optimal string alignment, row by row: row i holds the distances of a's first i letters to b's first j.
int ss_edit_distance(const char* a, const char* b, int limit)
{
    size_t na = strlen(a), nb = strlen(b);
    size_t apart = na > nb ? na - nb : nb - na;
    if (na > LONGEST || nb > LONGEST || apart > (size_t)limit) return limit + 1;
    int rows[3][LONGEST + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= nb; j++) above[j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            char ca = lower(a[i - 1]), cb = lower(b[j - 1]);
            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (ca != cb));
            bool swapped = i > 1 && j > 1 && ca == lower(b[j - 2]) && lower(a[i - 2]) == cb;
            if (swapped && before[j - 2] + 1 < row[j]) row[j] = before[j - 2] + 1;
        }
        int* oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[nb];
}

int ss_edit_tolerance(const char* word)
{
    size_t length = strlen(word);
    return length < 2 ? 0 : length < 5 ? 1 : 2;
}

const char* ss_suggest(const char* word, const char* const candidates[], int count)
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
