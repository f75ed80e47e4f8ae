// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Maxwell-slip friction: making the law from its elements [R15, (8)-(10)].
//
// Elements are sorted by their reach r = breakaway/stiffness. In a monotone motion those of small reach slip
// first, so that "which ones slip" is a number, and sums over them are looked up in sums made beforehand.
#include "core/error.h"
#include "slipstick/bristle.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    double reach;
    int place;
} pair;

enum {
    NUMBERS = 5, // doubles per element
    BINS = 1024  // few enough to stay in the nearest cache
};

size_t ss_maxwell_slip_size(int count)
{
    if (count < 1 || (size_t)count > SIZE_MAX / (NUMBERS + 2) / sizeof(double)) return 0;
    return (NUMBERS * (size_t)count + 4) * sizeof(double) + ((size_t)count + BINS + 1) * sizeof(int);
}

static ss_status check_elements(const double stiffness[], const double breakaway[], int count, ss_error* err)
{
    for (int i = 0; i < count; i++) {
        char field[64];
        if (!(stiffness[i] > 0.0 && isfinite(stiffness[i]))) {
            snprintf(field, sizeof field, "elements[%d][0]", i);
            return ss_fail(err, SS_BAD_INPUT, field, "the stiffness must be positive, not %g", stiffness[i]);
        }
        double reach = breakaway[i] / stiffness[i];
        if (!(breakaway[i] > 0.0 && isfinite(breakaway[i]) && reach > 0.0 && isfinite(reach))) {
            snprintf(field, sizeof field, "elements[%d][1]", i);
            return ss_fail(err, SS_BAD_INPUT, field, "the breakaway force must be positive, not %g",
                           breakaway[i]);
        }
    }
    return SS_OK;
}

static int compare(const void* a, const void* b)
{
    const pair *x = a, *y = b;
    if (x->reach != y->reach) return x->reach < y->reach ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

// A sum of many terms that keeps the digits of all of them (Neumaier).
typedef struct sum {
    double high, low;
} sum;

static double add(sum* s, double term)
{
    double total = s->high + term;
    s->low += fabs(s->high) >= fabs(term) ? (s->high - total) + term : (term - total) + s->high;
    s->high = total;
    return s->high + s->low;
}

static void fill_elements(const double stiffness[], const double breakaway[], int count, const int place[],
                          double stiff[], ss_maxwell_element elements[])
{
    sum forces = {0}, energies = {0}, stiffnesses = {0};
    elements[count] = (ss_maxwell_element){.reach = INFINITY};
    elements[0].slip = elements[0].store = 0.0;
    for (int j = 0; j < count; j++) {
        double c = breakaway[place[j]], k = stiffness[place[j]];
        stiff[j] = k;
        elements[j].reach = c / k;
        elements[j + 1].slip = add(&forces, c);
        elements[j + 1].store = add(&energies, 0.5 * c * (c / k));
    }
    for (int j = count - 1; j >= 0; j--) elements[j].hold = add(&stiffnesses, stiff[j]);
}

static unsigned long long bits_of(double positive)
{
    unsigned long long bits;
    memcpy(&bits, &positive, sizeof bits);
    return bits;
}

// The bits of positive numbers, read as a whole number, ascend with them like a logarithm: bins of equal
// width in them suit reaches that are spread evenly, by decades, or anyhow.
static void fill_bins(ss_maxwell_slip* law, int bins[])
{
    unsigned long long least = bits_of(law->elements[0].reach),
                       most = bits_of(law->elements[law->count - 1].reach);
    law->first_bin = least;
    for (law->bin_shift = 0; (most - least) >> law->bin_shift >= BINS;) law->bin_shift++;
    law->bin_width = (double)(1ULL << law->bin_shift);
    int j = 0;
    for (unsigned long long b = 0; b <= BINS; b++) {
        while (j < law->count && (bits_of(law->elements[j].reach) - least) >> law->bin_shift < b) j++;
        bins[b] = j;
    }
}

ss_status ss_maxwell_slip_make(const double stiffness[], const double breakaway[], int count, void* memory,
                               ss_maxwell_slip* out, ss_error* err)
{
    if (ss_maxwell_slip_size(count) == 0)
        return ss_fail(err, SS_BAD_INPUT, "elements", "there must be at least one element");
    ss_status status = check_elements(stiffness, breakaway, count, err);
    if (status != SS_OK) return status;
    ss_maxwell_element* elements = memory;
    double* stiff = (double*)(elements + count + 1);
    int *place = (int*)(stiff + count), *bins = place + count;
    pair* pairs = (pair*)(void*)elements; // which are filled afterwards
    bool sorted = true;
    for (int i = 0; i < count; i++) {
        pairs[i] = (pair){breakaway[i] / stiffness[i], i};
        sorted = sorted && (i == 0 || pairs[i].reach >= pairs[i - 1].reach);
    }
    if (!sorted) qsort(pairs, (size_t)count, sizeof *pairs, compare);
    for (int j = 0; j < count; j++) place[j] = pairs[j].place;
    fill_elements(stiffness, breakaway, count, place, stiff, elements);
    *out = (ss_maxwell_slip){count, elements, stiff, bins, 0, 0, 0.0, place};
    fill_bins(out, bins);
    return SS_OK;
}
