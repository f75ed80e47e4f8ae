// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What does a step of Maxwell-slip cost, and how does that grow with the number of elements? A random walk is
// followed with 10, 1000, .. 10 million elements; the peer is the plain loop over all elements, x = max(y -
// r, min(y + r, x)), as it stands in every text. Both must agree on the force, to rounding, at every step
// compared. Reaches are spread evenly up to 1 m, or by chance: then the place of an element cannot be told
// without looking at some.
#define _DEFAULT_SOURCE // madvise
#include "block_chain.h"
#include "share/law.h"
#include "slipstick/slipstick.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static double next_random(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

// Independent steps of up to 0.2 m either way, drawn back to 0 so that the walk neither leaves nor stops to
// reverse: elements have reaches of up to 1 m, and every second step is a reversal.
static double* random_walk(int steps)
{
    double *y = malloc((size_t)steps * sizeof *y), at = 0.0;
    uint64_t seed = 42;
    for (int j = 0; j < steps && y; j++) {
        at = 0.98 * at + 0.2 * (2.0 * next_random(&seed) - 1.0);
        y[j] = at;
    }
    return y;
}

static double plain_step(int count, const double k[], const double c[], double x[], double y)
{
    double force = 0.0;
    for (int i = 0; i < count; i++) {
        double r = c[i] / k[i];
        x[i] = fmax(y - r, fmin(y + r, x[i]));
        force -= k[i] * (y - x[i]);
    }
    return force;
}

// Memory in large pages where the system has them: a million elements are read at random places.
static void* large_pages(size_t size)
{
    const size_t page = (size_t)1 << 21;
    size = (size + page - 1) / page * page;
    void* memory = aligned_alloc(page, size);
    if (memory) madvise(memory, size, MADV_HUGEPAGE);
    return memory;
}

typedef struct result {
    double step, plain; // s
    bool agrees;
} result;

static result measure(int count, bool even, const double walk[], int steps, int plain_steps)
{
    uint64_t seed = 7;
    size_t n = (size_t)count;
    double *k = malloc(n * sizeof *k), *c = malloc(n * sizeof *c), *x = calloc(n, sizeof *x);
    void* memory = large_pages(ss_maxwell_slip_size(count));
    ss_reversal* reversals = malloc(n * sizeof *reversals);
    double* forces = malloc((size_t)plain_steps * sizeof *forces);
    result out = {INFINITY, 0.0, true};
    if (!k || !c || !x || !memory || !reversals || !forces) exit(EXIT_FAILURE);
    for (int i = 0; i < count; i++) {
        k[i] = 1.0 / count;
        c[i] = k[i] * (even ? (i + 1.0) / count : 1.0 - next_random(&seed));
    }
    ss_maxwell_slip law;
    ss_maxwell_state state;
    if (ss_maxwell_slip_make(k, c, count, memory, &law, NULL) != SS_OK) exit(EXIT_FAILURE);
    for (int round = 0; round < 5; round++) {
        ss_maxwell_slip_start(&law, &state, reversals, 0.0, 0.0);
        double begin = bench_seconds();
        for (int j = 0; j < steps; j++) {
            double force = ss_maxwell_slip_move(&law, &state, walk[j]);
            if (j < plain_steps) forces[j] = force;
        }
        out.step = fmin(out.step, (bench_seconds() - begin) / steps);
    }
    double begin = bench_seconds();
    for (int j = 0; j < plain_steps; j++)
        if (!(fabs(plain_step(count, k, c, x, walk[j]) - forces[j]) <= 1e-12 + 1e-16 * count))
            out.agrees = false;
    out.plain = (bench_seconds() - begin) / plain_steps;
    free(k);
    free(c);
    free(x);
    free(memory);
    free(reversals);
    free(forces);
    return out;
}

static bool compare(bool even, const double walk[], int steps)
{
    const int counts[] = {10, 1000, 100000, 1000000, 10000000};
    double first = 0.0;
    printf("  reaches spread %s\n", even ? "evenly" : "by chance");
    printf("  elements   step      of N = 10   plain loop   ratio\n");
    for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) {
        int plain_steps = 20000000 / counts[j] < 20 ? 20 : 20000000 / counts[j];
        result r = measure(counts[j], even, walk, steps, plain_steps > steps ? steps : plain_steps);
        if (!r.agrees) {
            fputs("the forces disagree: no figures\n", stderr);
            return false;
        }
        if (j == 0) first = r.step;
        printf("  %8d  %6.1f ns   %6.2f      %9.3g s  %9.0f\n", counts[j], 1e9 * r.step, r.step / first,
               r.plain, r.plain / r.step);
    }
    return true;
}

int main(void)
{
    enum { STEPS = 200000 };
    double* walk = random_walk(STEPS);
    bool good = walk && compare(true, walk, STEPS) && compare(false, walk, STEPS);
    free(walk);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
