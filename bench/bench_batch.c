// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What does an event cost in a batch, for 1, 2, 4 and 8 blocks in a row on rough floors? Beside it the cost
// of one start after the other, whose places of rest must be the same.
//
//     bench_batch [--csv FILE]
#include "block_chain.h"

#include "slipstick/slipstick.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 4, STARTS = 20000, REPETITIONS = 3, LARGEST = 8 };
static const int sizes[SIZES] = {1, 2, 4, 8};
static const int starts[SIZES] = {STARTS, STARTS, STARTS / 2, STARTS / 20};

typedef struct answer {
    int count; ///< of starts
    double x[STARTS][LARGEST];
    ss_batch_result results[STARTS];
    double seconds; ///< of work, best of the repetitions
    long events;
    ss_batch_way way;
} answer;

// Points of a chain of fractional parts, the same for every run.
static void fill_starts(double* x, int bodies)
{
    static const double steps[LARGEST] = {0.7548776662466927, 0.5698402909980532, 0.8191725133961645,
                                          0.6710436067037893, 0.5497004779019703, 0.8566748838545029,
                                          0.7338918566271260, 0.6287067210378087};
    for (int k = 0; k < STARTS; k++)
        for (int b = 0; b < bodies; b++) x[k * bodies + b] = 12.0 * fmod((k + 1) * steps[b], 1.0) - 6.0;
}

static bool measure(const ss_model* model, ss_batch_way way, const double* start, answer* out)
{
    ss_batch_def def = ss_batch_def_default();
    ss_batch* batch = NULL;
    def.way = way;
    if (ss_batch_create(model, &def, &batch, NULL) != SS_OK) return false;
    bool good = true;
    out->seconds = INFINITY;
    for (int k = 0; k < REPETITIONS && good; k++) {
        double begin = bench_cpu_seconds();
        good = ss_batch_run(
                   batch,
                   &(ss_batch_starts){
                       .count = (size_t)out->count, .x = start, .results = out->results, .end_x = out->x[0]},
                   NULL) == SS_OK;
        out->seconds = fmin(out->seconds, bench_cpu_seconds() - begin);
    }
    out->events = 0;
    for (int k = 0; k < out->count; k++) out->events += out->results[k].events;
    out->way = ss_batch_way_used(batch);
    ss_batch_destroy(batch);
    return good;
}

static bool agree(const answer* a, const answer* b, int bodies)
{
    const double *x = a->x[0], *y = b->x[0];
    for (int k = 0; k < a->count; k++)
        for (int i = 0; i < bodies; i++) {
            bool same = a->results[k].fate == b->results[k].fate &&
                        a->results[k].events == b->results[k].events &&
                        fabs(x[k * bodies + i] - y[k * bodies + i]) < 1e-9;
            if (same) continue;
            fprintf(stderr, "%d blocks, start %d: in a batch %.12g m, alone %.12g m\n", bodies, k,
                    x[k * bodies + i], y[k * bodies + i]);
            return false;
        }
    return true;
}

static bool report(int bodies, const answer* batch, const answer* alone, const char* csv)
{
    double in_batch = 1e9 * batch->seconds / (double)batch->events,
           by_one = 1e9 * alone->seconds / (double)alone->events;
    printf("  n = %d: %7.1f ns per event (%s), one by one %7.1f ns; %d starts, %ld events\n", bodies,
           in_batch, ss_batch_way_name(batch->way), by_one, batch->count, batch->events);
    char row[200];
    snprintf(row, sizeof row, "%d,%s,%.4g,%.4g", bodies, ss_batch_way_name(batch->way), in_batch, by_one);
    return !csv || bench_append(csv, "blocks,way,batch [ns/event],one by one [ns/event]", row);
}

static bool measure_size(int bodies, int count, const char* csv)
{
    static answer batch, alone;
    static double start[STARTS * LARGEST];
    blocks b = {.count = bodies, .k_on = 2.0, .k_beside = -1.0, .friction = 0.3, .until = 100.0};
    blocks_slipstick* ours = blocks_slipstick_create(&b, false);
    if (!ours) return false;
    const ss_model* model = blocks_slipstick_model(ours);
    batch.count = alone.count = count;
    fill_starts(start, bodies);
    bool good = measure(model, SS_BATCH_BEST, start, &batch) &&
                measure(model, SS_BATCH_ONE_BY_ONE, start, &alone) && agree(&batch, &alone, bodies) &&
                report(bodies, &batch, &alone, csv);
    blocks_slipstick_destroy(ours);
    return good;
}

int main(int argc, char** argv)
{
    const char* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    if (argc > 1 && !csv) {
        fprintf(stderr, "usage: bench_batch [--csv FILE]\n");
        return 2;
    }
    printf("blocks in a row to rest, work of one core\n");
    for (int i = 0; i < SIZES; i++)
        if (!measure_size(sizes[i], starts[i], csv)) return 1;
    return 0;
}
