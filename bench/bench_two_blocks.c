// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How much faster than CVODE are two blocks on rough floors (models/two-blocks.yaml) brought to rest, and how
// much closer to the truth? 200 starts at rest, spread over |x1|, |x2| <= 4 m, of those whose motion ends.
// The answer is printed only where all ways agree.
//
//     bench_two_blocks [--csv FILE]
#include "block_chain.h"

#include "slipstick/slipstick.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STARTS = 200, REPETITIONS = 7 };

// k1 = k2 = 1 N/m, c1 = 0.5, c2 = -0.375 N*s/m, mu m g = 1 N: K = [k1+k2, -k2], C = [c1+c2, -c2].
static const blocks two = {.count = 2,
                           .k_on = 2.0,
                           .k_beside = -1.0,
                           .c_on = 0.125,
                           .c_beside = 0.375,
                           .friction = 1.0,
                           .until = 200.0};

typedef struct answer {
    double x[STARTS][2];
    long events;
    double seconds; ///< for all starts, best of the repetitions
    double error;   ///< largest error of a rest position, m
} answer;

// Points of the additive sequence of the plastic number fill the square evenly, in no pattern of the grid.
static bool choose_starts(double start[STARTS][2], answer* truth)
{
    int kept = 0;
    for (int k = 1; kept < STARTS; k++) {
        blocks_rest rest;
        double x[2] = {8.0 * fmod(k * 0.7548776662466927, 1.0) - 4.0,
                       8.0 * fmod(k * 0.5698402909980532, 1.0) - 4.0};
        memcpy(start[kept], x, sizeof x);
        if (!blocks_truth(&two, x, &rest)) return false;
        if (!rest.rests || rest.events == 0) continue;
        memcpy(truth->x[kept++], x, sizeof x);
        truth->events += rest.events;
    }
    return true;
}

typedef bool runner(void* way, double x[], blocks_rest* rest);
static bool run_ours(void* way, double x[], blocks_rest* rest) { return blocks_slipstick_run(way, x, rest); }
static bool run_peer(void* way, double x[], blocks_rest* rest) { return blocks_cvode_run(way, x, rest); }

static bool measure(runner* run, void* way, double start[STARTS][2], answer* out)
{
    out->seconds = INFINITY;
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        bool rests = true;
        double begin = bench_cpu_seconds();
        out->events = 0;
        memcpy(out->x, start, sizeof out->x);
        for (int i = 0; i < STARTS; i++) {
            blocks_rest rest;
            if (!run(way, out->x[i], &rest)) return false;
            rests = rests && rest.rests;
            out->events += rest.events;
        }
        out->seconds = fmin(out->seconds, bench_cpu_seconds() - begin);
        if (!rests) return false;
    }
    return true;
}

// All starts in one call.
static bool measure_batch(const ss_model* model, double start[STARTS][2], answer* out)
{
    static ss_batch_result results[STARTS];
    ss_batch_def def = ss_batch_def_default();
    ss_batch* batch = NULL;
    def.until = two.until;
    out->seconds = INFINITY;
    bool good = ss_batch_create(model, &def, &batch, NULL) == SS_OK;
    for (int repetition = 0; good && repetition < REPETITIONS; repetition++) {
        double begin = bench_cpu_seconds();
        good = ss_batch_run(
                   batch,
                   &(ss_batch_starts){.count = STARTS, .x = start[0], .results = results, .end_x = out->x[0]},
                   NULL) == SS_OK;
        out->seconds = fmin(out->seconds, bench_cpu_seconds() - begin);
    }
    out->events = 0;
    for (int i = 0; good && i < STARTS; i++) {
        good = results[i].fate == SS_FATE_REST;
        out->events += results[i].events;
    }
    ss_batch_destroy(batch);
    return good;
}

static double largest_error(const answer* got, const answer* truth)
{
    double worst = 0.0;
    for (int i = 0; i < STARTS; i++)
        for (int k = 0; k < 2; k++) worst = fmax(worst, fabs(got->x[i][k] - truth->x[i][k]));
    return worst;
}

static bool agree(const answer* truth, const answer* ours, const answer* batch, const answer* peer)
{
    if (ours->error > 1e-9 || batch->error > 1e-9 || peer->error > 1e-3) {
        fprintf(stderr,
                "rest positions disagree: Slipstick by %.3g m, in a batch by %.3g m, CVODE by %.3g m\n",
                ours->error, batch->error, peer->error);
        return false;
    }
    if (ours->events != truth->events || batch->events != truth->events) {
        fprintf(stderr, "%ld events, in a batch %ld, instead of %ld\n", ours->events, batch->events,
                truth->events);
        return false;
    }
    return true;
}

static bool report(const answer* ours, const answer* batch, const answer* peer, const char* csv)
{
    double floor = 0x1p-53; // an error of 0 cannot be told from half a unit in the last place
    double faster = peer->seconds / batch->seconds, closer = peer->error / fmax(batch->error, floor);
    printf("two blocks, %d starts to rest, %ld events, one core, best of %d\n", STARTS, ours->events,
           REPETITIONS);
    printf("  Slipstick  %9.3f us per start, largest error of a rest position %.2g m\n",
           1e6 * ours->seconds / STARTS, ours->error);
    printf("  in a batch %9.3f us per start, largest error of a rest position %.2g m\n",
           1e6 * batch->seconds / STARTS, batch->error);
    printf("  CVODE      %9.3f us per start, largest error of a rest position %.2g m\n",
           1e6 * peer->seconds / STARTS, peer->error);
    printf("  %.0f times faster (goal 150), %.2g times closer (goal 1e4); one by one %.0f times faster\n",
           faster, closer, peer->seconds / ours->seconds);
    if (!csv) return true;
    char row[200];
    snprintf(row, sizeof row, "%d,%ld,%.4g,%.4g,%.3g,%.4g,%.3g,%.4g,%.3g", STARTS, ours->events,
             1e6 * ours->seconds / STARTS, 1e6 * batch->seconds / STARTS, batch->error,
             1e6 * peer->seconds / STARTS, peer->error, faster, closer);
    return bench_append(
        csv,
        "starts,events,one by one [us],batch [us],batch error [m],cvode [us],cvode error [m],faster,closer",
        row);
}

int main(int argc, char** argv)
{
    static double start[STARTS][2];
    static answer truth, ours, batch, peer;
    const char* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    if (argc > 1 && !csv) {
        fprintf(stderr, "usage: bench_two_blocks [--csv FILE]\n");
        return 2;
    }
    blocks_slipstick* slipstick = blocks_slipstick_create(&two, false); // CVODE keeps no ledger either
    blocks_cvode* cvode = blocks_cvode_create(&two, 1e-8, 1e-10);
    bool done = slipstick && cvode && choose_starts(start, &truth) &&
                measure(run_ours, slipstick, start, &ours) &&
                measure_batch(blocks_slipstick_model(slipstick), start, &batch) &&
                measure(run_peer, cvode, start, &peer);
    ours.error = largest_error(&ours, &truth);
    batch.error = largest_error(&batch, &truth);
    peer.error = largest_error(&peer, &truth);
    if (!done) fprintf(stderr, "a start did not come to rest, or could not be run\n");
    bool good = done && agree(&truth, &ours, &batch, &peer) && report(&ours, &batch, &peer, csv);
    blocks_cvode_destroy(cvode);
    blocks_slipstick_destroy(slipstick);
    return good ? 0 : 1;
}
