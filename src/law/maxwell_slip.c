// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Maxwell-slip friction: making the law from its elements [R15, (8)-(10)].
//
// Elements are sorted by their reach r = breakaway/stiffness. In a monotone motion those of small reach slip
// first, so that "which ones slip" is a number, and sums over them are looked up in sums made beforehand.
#include "core/error.h"
#include "share/law.h"
#include "slipstick/bristle.h"

#include <float.h>
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
    BINS = 512,  // few enough to stay in the nearest cache
    PAIR = 16    // bytes: no pair of sums lies across two lines of the cache
};

size_t ss_maxwell_slip_size(int count)
{
    if (count < 1 || (size_t)count > SIZE_MAX / (NUMBERS + 2) / sizeof(double)) return 0;
    return PAIR + (NUMBERS * (size_t)count + 4) * sizeof(double) + (BINS + 1) * sizeof(ss_maxwell_bin) +
           (size_t)count * sizeof(int);
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

static void fill_sums(const double stiffness[], const double breakaway[], int count, const int place[],
                      double reach[], double stiff[], double store[], ss_maxwell_sums sums[])
{
    sum forces = {0}, energies = {0}, stiffnesses = {0};
    sums[0].slip = sums[count].hold = store[0] = 0.0;
    reach[count] = INFINITY;
    for (int j = 0; j < count; j++) {
        double c = breakaway[place[j]], k = stiffness[place[j]];
        stiff[j] = k;
        reach[j] = c / k;
        sums[j + 1].slip = add(&forces, c);
        store[j + 1] = add(&energies, 0.5 * c * (c / k));
    }
    for (int j = count - 1; j >= 0; j--) sums[j].hold = add(&stiffnesses, stiff[j]);
}

static unsigned long long bits_of(double positive)
{
    unsigned long long bits;
    memcpy(&bits, &positive, sizeof bits);
    return bits;
}

// The bits of positive numbers, read as a whole number, ascend with them like a logarithm: bins of equal
// width in them suit reaches that are spread evenly, by decades, or anyhow.
static void fill_bins(ss_maxwell_slip* law, ss_maxwell_bin bins[])
{
    unsigned long long least = bits_of(law->reach[0]), most = bits_of(law->reach[law->count - 1]);
    law->first_bin = least;
    for (law->bin_shift = 0; (most - least) >> law->bin_shift >= BINS;) law->bin_shift++;
    int j = 0;
    for (unsigned long long b = 0; b <= BINS; b++) {
        while (j < law->count && (bits_of(law->reach[j]) - least) >> law->bin_shift < b) j++;
        bins[b] = (ss_maxwell_bin){.reach = law->reach[j], .first = j};
    }
}

// How dense the elements of a bin are, and how far from evenly spread. The places are computed as those that
// use them do it.
static void measure_bin(const ss_maxwell_slip* law, ss_maxwell_bin* bin)
{
    int first = bin[0].first, last = bin[1].first < law->count ? bin[1].first : law->count - 1;
    double density = (last - first) / (law->reach[last] - law->reach[first]), margin = 0.0;
    bin->margin = 1.0F;
    if (last <= first || !(density > FLT_MIN && density < FLT_MAX)) return;
    bin->density = (float)density;
    for (int j = first; j <= last; j++)
        margin = fmax(margin, fabs((law->reach[j] - bin->reach) * (double)bin->density - (j - first)));
    if (margin < 0.5) bin->margin = (float)(1.0001 * margin);
}

// The next address where pairs can begin.
static void* align(void* memory) { return (char*)memory + (PAIR - (uintptr_t)memory % PAIR) % PAIR; }

ss_status ss_maxwell_slip_check(const ss_maxwell_def* law, ss_error* err)
{
    if (law->count < 1) return ss_fail(err, SS_BAD_INPUT, "elements", "there must be at least one element");
    return check_elements(law->stiffness, law->breakaway, law->count, err);
}

ss_status ss_maxwell_slip_make(const double stiffness[], const double breakaway[], int count, void* memory,
                               ss_maxwell_slip* out, ss_error* err)
{
    if (ss_maxwell_slip_size(count) == 0)
        return ss_fail(err, SS_BAD_INPUT, "elements", "there must be at least one element");
    ss_status status = check_elements(stiffness, breakaway, count, err);
    if (status != SS_OK) return status;
    ss_maxwell_sums* sums = align(memory);
    double *reach = (double*)(sums + count + 1), *stiff = reach + count + 1, *store = stiff + count;
    ss_maxwell_bin* bins = (ss_maxwell_bin*)(store + count + 1);
    int* place = (int*)(bins + BINS + 1);
    pair* pairs = (pair*)(void*)sums; // which are filled afterwards
    bool sorted = true;
    for (int i = 0; i < count; i++) {
        pairs[i] = (pair){breakaway[i] / stiffness[i], i};
        sorted = sorted && (i == 0 || pairs[i].reach >= pairs[i - 1].reach);
    }
    if (!sorted) qsort(pairs, (size_t)count, sizeof *pairs, compare);
    for (int j = 0; j < count; j++) place[j] = pairs[j].place;
    fill_sums(stiffness, breakaway, count, place, reach, stiff, store, sums);
    *out = (ss_maxwell_slip){count, sums, reach, stiff, store, reach[count - 1], bins, 0, 0, place};
    fill_bins(out, bins);
    for (int b = 0; b < BINS; b++) measure_bin(out, &bins[b]);
    return SS_OK;
}
