// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What does an event cost in a batch, for 1, 2, 4 and 8 blocks in a row on rough floors, and what do two
// threads gain? Beside it the cost of one start after the other, whose places of rest must be the same.
//
//     bench_batch [--csv FILE]
#include "blocks.h"

#include "slipstick/slipstick.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { SIZES = 4, STARTS = 20000, REPETITIONS = 3, LARGEST = 8, THREADED = 2 };
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

typedef struct job {
    ss_batch* batch;
    const double* start;
    double* end;
    ss_batch_result* results;
    size_t count;
    bool good;
} job;

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
        good = ss_batch_run(batch, (size_t)out->count, start, NULL, out->results, out->x[0], NULL, NULL) ==
               SS_OK;
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

static int work(void* user)
{
    job* j = user;
    j->good = ss_batch_run(j->batch, j->count, j->start, NULL, j->results, j->end, NULL, NULL) == SS_OK;
    return 0;
}

// Seconds on the clock for all starts, cut among so many threads; INFINITY where something fails.
static double run_threads(const ss_model* model, const double* start, int bodies, int count, answer* out)
{
    ss_batch* batches[THREADED] = {NULL};
    double best = INFINITY;
    size_t share = (size_t)(out->count / count);
    bool good = true;
    for (int t = 0; t < count; t++) good = good && ss_batch_create(model, NULL, &batches[t], NULL) == SS_OK;
    for (int k = 0; k < 3 * REPETITIONS && good; k++) {
        thrd_t threads[THREADED];
        job jobs[THREADED];
        int begun = 0;
        double begin = bench_seconds();
        for (int t = 0; t < count && good; t++) {
            size_t from = (size_t)t * share, at = from * (size_t)bodies;
            jobs[t] = (job){batches[t], start + at, out->x[0] + at, out->results + from, share, false};
            good = thrd_create(&threads[t], work, &jobs[t]) == thrd_success;
            begun += good;
        }
        for (int t = 0; t < begun; t++) thrd_join(threads[t], NULL);
        for (int t = 0; t < begun; t++) good = good && jobs[t].good;
        best = fmin(best, bench_seconds() - begin);
    }
    for (int t = 0; t < count; t++) ss_batch_destroy(batches[t]);
    return good ? best : INFINITY;
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
    static answer batch, alone, split;
    static double start[STARTS * LARGEST];
    blocks b = {.count = bodies, .k_on = 2.0, .k_beside = -1.0, .friction = 0.3, .until = 100.0};
    blocks_slipstick* ours = blocks_slipstick_create(&b, false);
    if (!ours) return false;
    const ss_model* model = blocks_slipstick_model(ours);
    batch.count = alone.count = split.count = count;
    fill_starts(start, bodies);
    bool good = measure(model, SS_BATCH_BEST, start, &batch) &&
                measure(model, SS_BATCH_ONE_BY_ONE, start, &alone) && agree(&batch, &alone, bodies) &&
                report(bodies, &batch, &alone, csv);
    if (good && bodies == 2) {
        double one = run_threads(model, start, bodies, 1, &split);
        double two = run_threads(model, start, bodies, THREADED, &split);
        good = agree(&split, &batch, bodies);
        if (good)
            printf("         two threads are %.2f times as fast as one (goal 1.9, on two free cores)\n",
                   one / two);
    }
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
