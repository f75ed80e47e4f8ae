// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What does an event cost in a long chain? N blocks of 1 kg, each on its own floor with 0.3 N of friction, 1
// N/m to the neighbours and from the ends to the ground, let go at x_i = 3 sin(1.7 i) m and followed to rest.
// Where an event concerns few neighbours, its cost should grow no faster than N, and memory like N. The
// answer is printed only where every block's place of rest and the number of events are the true ones.
//
//     bench_chain [--csv FILE]
#include "block_chain.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 3, REPETITIONS = 5 };
static const int sizes[SIZES] = {10, 100, 1000};

typedef struct result {
    int count;
    long events;
    double seconds;                  ///< of one motion to rest, best of the repetitions
    double bytes;                    ///< allocated for model and run
    double error;                    ///< largest error of a place of rest, m
    double residual;                 ///< of the energy, relative
    double peer_seconds, peer_error; ///< CVODE; only where it is asked
} result;

static void set_start(double x[], int count)
{
    for (int i = 0; i < count; i++) x[i] = 3.0 * sin(1.7 * (i + 1));
}

static double largest_difference(const double a[], const double b[], int count)
{
    double worst = 0.0;
    for (int i = 0; i < count; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

static double allocated(void)
{
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
}

static bool measure_ours(const blocks* b, const double truth[], const blocks_rest* true_rest, double x[],
                         result* out)
{
    double before = allocated();
    blocks_slipstick* ours = blocks_slipstick_create(b, true);
    out->bytes = allocated() - before;
    out->seconds = INFINITY;
    bool good = ours != NULL;
    blocks_rest rest = {0};
    for (int k = 0; good && k < REPETITIONS; k++) {
        set_start(x, b->count);
        double begin = bench_seconds();
        good = blocks_slipstick_run(ours, x, &rest);
        out->seconds = fmin(out->seconds, bench_seconds() - begin);
    }
    out->events = rest.events;
    out->error = largest_difference(x, truth, b->count);
    if (good) out->residual = blocks_slipstick_energy_error(ours);
    blocks_slipstick_destroy(ours);
    bool same = good && rest.rests && rest.events == true_rest->events && out->error < 1e-9;
    if (!same)
        fprintf(stderr, "N = %d: %s, %ld events instead of %ld, places of rest off by %.3g m\n", b->count,
                rest.rests ? "at rest" : "not at rest", rest.events, true_rest->events, out->error);
    return same;
}

static bool measure_peer(const blocks* b, const double truth[], double x[], result* out)
{
    blocks_cvode* peer = blocks_cvode_create(b, 1e-8, 1e-10);
    blocks_rest rest = {0};
    set_start(x, b->count);
    double begin = bench_seconds();
    bool good = peer && blocks_cvode_run(peer, x, &rest);
    out->peer_seconds = bench_seconds() - begin;
    out->peer_error = largest_difference(x, truth, b->count);
    blocks_cvode_destroy(peer);
    if (!good || !rest.rests || out->peer_error > 1e-3)
        fprintf(stderr, "N = %d: CVODE does not agree, off by %.3g m\n", b->count, out->peer_error);
    return good && rest.rests && out->peer_error <= 1e-3;
}

static bool measure(int count, bool with_peer, result* out)
{
    blocks b = {.count = count, .k_on = 2.0, .k_beside = -1.0, .friction = 0.3, .until = 1000.0};
    size_t n = (size_t)count;
    double *truth = calloc(n, sizeof *truth), *x = calloc(n, sizeof *x);
    blocks_rest rest = {0};
    *out = (result){.count = count};
    bool good = truth && x;
    if (good) {
        set_start(truth, count);
        good = blocks_truth(&b, truth, &rest) && rest.rests && measure_ours(&b, truth, &rest, x, out) &&
               (!with_peer || measure_peer(&b, truth, x, out));
    }
    free(truth);
    free(x);
    return good;
}

static double exponent(double at_100, double at_1000) { return log10(at_1000 / at_100); }

static void report(const result r[SIZES])
{
    printf("a chain of N blocks to rest, one core, best of %d\n", REPETITIONS);
    for (int i = 0; i < SIZES; i++)
        printf(
            "  N = %4d: %5ld events, %8.2f us per event, %8.0f events per second, %8.0f bytes, error %.1g m, "
            "energy residual %.1g\n",
            r[i].count, r[i].events, 1e6 * r[i].seconds / (double)r[i].events,
            (double)r[i].events / r[i].seconds, r[i].bytes, r[i].error, r[i].residual);
    printf("  N = %4d: %.0f times faster than CVODE, whose error is %.1g m\n", r[1].count,
           r[1].peer_seconds / r[1].seconds, r[1].peer_error);
}

static bool save(const result r[SIZES], double time, double memory, const char* csv)
{
    char row[300];
    snprintf(row, sizeof row, "%.4g,%.4g,%.4g,%.3g,%.3g,%.3g", 1e6 * r[0].seconds / (double)r[0].events,
             1e6 * r[1].seconds / (double)r[1].events, 1e6 * r[2].seconds / (double)r[2].events, time, memory,
             r[1].peer_seconds / r[1].seconds);
    return bench_append(csv,
                        "N=10 [us/event],N=100 [us/event],N=1000 [us/event],exponent of time,exponent of "
                        "memory,faster than cvode at N=100",
                        row);
}

int main(int argc, char** argv)
{
    result r[SIZES];
    const char* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    if (argc > 1 && !csv) {
        fprintf(stderr, "usage: bench_chain [--csv FILE]\n");
        return 2;
    }
    for (int i = 0; i < SIZES; i++)
        if (!measure(sizes[i], sizes[i] == 100, &r[i])) return 1;
    double time = exponent(r[1].seconds / (double)r[1].events, r[2].seconds / (double)r[2].events);
    double memory = exponent(r[1].bytes, r[2].bytes);
    report(r);
    printf("  from N = 100 to 1000 the time per event grows like N^%.2f (goal 1.1), memory like N^%.2f (goal "
           "1)\n",
           time, memory);
    return csv && !save(r, time, memory, csv) ? 1 : 0;
}
