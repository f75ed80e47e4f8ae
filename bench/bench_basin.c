// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How many times the starts per second of CVODE does a map of attraction take? Two blocks on rough floors
// (models/two-blocks.yaml), 300 x 300 starts over [-10, 10]^2, once of positions and once of speeds, T =
// 100 s, one core. Both stop where divergence is proved, by the same proof. CVODE runs every 5th start in
// each direction of the same map. The answer is printed only where both agree on every such start, and all
// ways of Slipstick on all of them.
//
//     bench_basin [--csv FILE]
#include "block_chain.h"

#include "share/run.h"
#include "slipstick/slipstick.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRID = 300, CELLS = GRID * GRID, SKIP = 5, REPETITIONS = 9, WAYS = 4 };

static const blocks two = {.count = 2,
                           .k_on = 2.0,
                           .k_beside = -1.0,
                           .c_on = 0.125,
                           .c_beside = 0.375,
                           .friction = 1.0,
                           .until = 100.0};
static const ss_batch_way ways[WAYS] = {SS_BATCH_ONE_BY_ONE, SS_BATCH_PLAIN, SS_BATCH_AVX2, SS_BATCH_AVX512};
static const double goals[WAYS] = {0.0, 200.0, 300.0, 500.0};

typedef struct map {
    const char* name;
    double x[CELLS][2], v[CELLS][2]; ///< starts
    double end_x[WAYS][CELLS][2];
    ss_batch_result results[WAYS][CELLS];
    double seconds[WAYS]; ///< for all starts; 0 where the processor cannot
    long alone[WAYS];
    double peer_seconds; ///< per start
    double peer_error;
    int peer_starts;
} map;

static double grid_point(int k) { return -10.0 + 20.0 * k / (GRID - 1); }

static void fill_starts(map* m, bool speeds)
{
    m->name = speeds ? "speeds" : "positions";
    for (int k = 0; k < CELLS; k++) {
        double* plane = speeds ? m->v[k] : m->x[k];
        plane[0] = grid_point(k % GRID);
        plane[1] = grid_point(k / GRID);
    }
}

static bool measure_way(map* m, const ss_model* model, int w)
{
    ss_batch_def def = ss_batch_def_default();
    ss_batch* batch = NULL;
    ss_error err;
    def.until = two.until;
    def.way = ways[w];
    m->seconds[w] = 0.0;
    if (ss_batch_create(model, &def, &batch, &err) != SS_OK) return ways[w] > SS_BATCH_PLAIN;
    bool good = true;
    for (int k = 0; k < REPETITIONS && good; k++) {
        double begin = bench_cpu_seconds();
        good = ss_batch_run(batch,
                            &(ss_batch_starts){.count = CELLS,
                                               .x = m->x[0],
                                               .v = m->v[0],
                                               .results = m->results[w],
                                               .end_x = m->end_x[w][0]},
                            &err) == SS_OK;
        double seconds = bench_cpu_seconds() - begin;
        if (k == 0 || seconds < m->seconds[w]) m->seconds[w] = seconds;
        if (k == 0) m->alone[w] = ss_batch_alone_count(batch);
    }
    ss_batch_destroy(batch);
    return good;
}

// All ways against the one that runs start after start.
static bool ways_agree(const map* m)
{
    for (int w = 1; w < WAYS; w++)
        for (int k = 0; k < CELLS && m->seconds[w] > 0.0; k++) {
            const ss_batch_result *a = &m->results[0][k], *b = &m->results[w][k];
            double off = fmax(fabs(m->end_x[0][k][0] - m->end_x[w][k][0]),
                              fabs(m->end_x[0][k][1] - m->end_x[w][k][1]));
            bool same =
                a->fate == b->fate && (a->fate != SS_FATE_REST || (a->events == b->events && off < 1e-10));
            if (same) continue;
            fprintf(stderr, "%s, start %d: %s after %ld events one by one, %s after %ld %s, %.3g m apart\n",
                    m->name, k, ss_fate_name(a->fate), a->events, ss_fate_name(b->fate), b->events,
                    ss_batch_way_name(ways[w]), off);
            return false;
        }
    return true;
}

// Runs the peer on its share of the map and compares.
static bool measure_peer(map* m, blocks_cvode* peer)
{
    double begin = bench_cpu_seconds();
    int fates = 0;
    for (int row = SKIP / 2; row < GRID; row += SKIP)
        for (int column = SKIP / 2; column < GRID; column += SKIP) {
            int k = row * GRID + column;
            double x[2] = {m->x[k][0], m->x[k][1]}, v[2] = {m->v[k][0], m->v[k][1]};
            blocks_rest rest;
            if (!blocks_cvode_run_until_clear(peer, x, v, &rest)) return false;
            m->peer_starts++;
            ss_fate fate = rest.rests ? SS_FATE_REST : rest.escapes ? SS_FATE_ESCAPED : SS_FATE_MOVING;
            if (fate != m->results[0][k].fate) fates++;
            if (fate == SS_FATE_REST && m->results[0][k].fate == fate)
                m->peer_error =
                    fmax(m->peer_error, fmax(fabs(x[0] - m->end_x[0][k][0]), fabs(x[1] - m->end_x[0][k][1])));
        }
    m->peer_seconds = (bench_cpu_seconds() - begin) / m->peer_starts;
    if (fates > 0 || m->peer_error > 5e-3)
        fprintf(stderr, "%s: CVODE differs in the fate of %d starts, and by %.3g m\n", m->name, fates,
                m->peer_error);
    return fates == 0 && m->peer_error <= 5e-3;
}

static void report(const map* m)
{
    long events = 0, rest = 0;
    for (int k = 0; k < CELLS; k++) {
        events += m->results[0][k].events;
        rest += m->results[0][k].fate == SS_FATE_REST;
    }
    printf("%s: %d starts, %ld come to rest, %ld events\n", m->name, CELLS, rest, events);
    printf("  CVODE       %10.0f starts per second, places of rest off by up to %.2g m (%d starts)\n",
           1.0 / m->peer_seconds, m->peer_error, m->peer_starts);
    for (int w = 0; w < WAYS; w++) {
        if (m->seconds[w] == 0.0) continue;
        printf("  %-11s %10.0f starts per second, %6.1f ns per event, %5ld starts alone: %.0f times CVODE",
               ss_batch_way_name(ways[w]), CELLS / m->seconds[w], 1e9 * m->seconds[w] / (double)events,
               m->alone[w], m->peer_seconds * CELLS / m->seconds[w]);
        if (goals[w] > 0.0) printf(" (goal %.0f)", goals[w]);
        printf("\n");
    }
}

static bool save(const map* m, const char* csv)
{
    char row[300];
    snprintf(row, sizeof row, "%s,%.4g,%.4g,%.4g,%.4g,%.4g", m->name, 1.0 / m->peer_seconds, m->seconds[0],
             m->seconds[1], m->seconds[2], m->seconds[3]);
    return bench_append(csv, "plane,cvode [starts/s],one by one [s],plain [s],avx2 [s],avx512 [s]", row);
}

int main(int argc, char** argv)
{
    static map maps[2];
    const char* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    if (argc > 1 && !csv) {
        fprintf(stderr, "usage: bench_basin [--csv FILE]\n");
        return 2;
    }
    blocks_slipstick* ours = blocks_slipstick_create(&two, false);
    blocks_cvode* peer = blocks_cvode_create(&two, 1e-8, 1e-10);
    bool good = ours && peer;
    for (int j = 0; j < 2 && good; j++) {
        fill_starts(&maps[j], j == 1);
        for (int w = 0; w < WAYS && good; w++) good = measure_way(&maps[j], blocks_slipstick_model(ours), w);
        good = good && ways_agree(&maps[j]) && measure_peer(&maps[j], peer);
        if (good) report(&maps[j]);
        if (good && csv) good = save(&maps[j], csv);
    }
    blocks_cvode_destroy(peer);
    blocks_slipstick_destroy(ours);
    return good ? 0 : 1;
}
