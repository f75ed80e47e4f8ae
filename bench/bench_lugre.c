// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How much faster than CVODE, at equal error, is LuGre friction: a mass that slides to rest and rings in its
// bristles, and two bodies that stick and slip on a belt? For each of both programs the loosest tolerance is
// found with which the error is below the goal; these runs are compared. The reference is Slipstick at its
// tightest, accepted only if CVODE at its tightest comes as close to it as it can to anything.
#include "block_chain.h"
#include "bristle_chain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 60, NUMBERS = SAMPLES * 2 * BRISTLES_MOST };

typedef double method(const bristles* b, double tolerance, double out[]);

// Largest error of way and speed, each over its own largest magnitude.
static double error_of(const bristles* b, const double got[], const double truth[])
{
    double worst = 0.0;
    for (int kind = 0; kind < 2; kind++) {
        double size = 0.0, error = 0.0;
        for (int k = kind; k < b->samples * 2 * b->count; k += 2) {
            size = fmax(size, fabs(truth[k]));
            error = fmax(error, fabs(got[k] - truth[k]));
        }
        if (kind == 1) size = fmax(size, fmax(fabs(b->v0), b->belt));
        worst = fmax(worst, error / size);
    }
    return worst;
}

typedef struct result {
    double tolerance, error, time;
} result;

// The cheapest run whose error, and that of all tighter ones tried, is below the goal.
static result cheapest(const bristles* b, method* run, double loosest, double goal, const double truth[],
                       int repeats)
{
    double out[NUMBERS];
    result best = {0.0, INFINITY, INFINITY};
    for (double tolerance = loosest; tolerance > 5e-15; tolerance *= 0.4) {
        double time = run(b, tolerance, out);
        if (time < 0.0) break;
        double error = error_of(b, out, truth);
        if (error <= goal && error > 0.0) { // 0: it is the reference itself
            best = (result){tolerance, error, time};
            break;
        }
    }
    for (int k = 1; k < repeats && best.tolerance > 0.0; k++)
        best.time = fmin(best.time, run(b, best.tolerance, out));
    return best;
}

static bool compare(const char* name, const bristles* b, const char* csv)
{
    static const double goals[] = {1e-9, 1e-12};
    double truth[NUMBERS], out[NUMBERS];
    if (bristles_by_slipstick(b, 1e-14, truth) < 0.0) return false;
    double closest = INFINITY;
    for (double relative = 1e-12; relative > 8e-15; relative *= 0.3)
        if (bristles_by_cvode(b, relative, out) > 0.0) closest = fmin(closest, error_of(b, out, truth));
    if (!(closest < 1e-9)) {
        fprintf(stderr, "%s: the two disagree by %g: no figures\n", name, closest);
        return false;
    }
    for (int g = 0; g < 2; g++) {
        result ours = cheapest(b, bristles_by_slipstick, 0.1, goals[g], truth, 40);
        result peer = cheapest(b, bristles_by_cvode, 1e-3, goals[g], truth, 5);
        char ratio[32], own[32], time[32];
        bool both = isfinite(ours.time) && isfinite(peer.time);
        snprintf(own, sizeof own, isfinite(ours.time) ? "%8.4f ms" : "not reached", 1e3 * ours.time);
        snprintf(time, sizeof time, isfinite(peer.time) ? "%8.3f ms" : "not reached", 1e3 * peer.time);
        snprintf(ratio, sizeof ratio, both ? "%.0f" : "-", peer.time / ours.time);
        printf("  %-34s  %5.0e  %11s (%.0e)  %12s (%.0e)  %6s\n", name, goals[g], own, ours.error, time,
               peer.error, ratio);
        char row[256];
        snprintf(row, sizeof row, "%s,%g,%g,%g", name, goals[g], ours.time, peer.time);
        if (csv && !bench_append(csv, "problem,error,slipstick_s,cvode_s", row)) return false;
    }
    return true;
}

int main(int argc, char** argv)
{
    const char* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    const ss_lugre damped = {1e5, sqrt(1e5), 0.0, 1.0, 1.0, NAN, 2.0},
                   free = {1e6, 0.0, 0.0, 1.0, 1.0, NAN, 2.0};
    const ss_lugre falling = {1e5, sqrt(1e5), 0.4, 1.0, 1.5, 0.01, 2.0};
    bool good = true;
    printf("  %-34s  error  Slipstick (reached)    CVODE (reached)        ratio\n", "");
    for (int k = 0; k < 2; k++) {
        double v = k == 0 ? 0.1 : 1.0;
        char name[64];
        snprintf(name, sizeof name, "free, damped, %g m/s", v);
        good = good && compare(name, &(bristles){1, damped, 0, 0, 0, v, 1, v + 0.2, SAMPLES}, csv);
        snprintf(name, sizeof name, "free, undamped, %g m/s", v);
        good = good && compare(name, &(bristles){1, free, 0, 0, 0, v, 1, v + 0.2, SAMPLES}, csv);
    }
    bristles belt = {2, falling, 0.1, 20.0, 10.0, 0.0, 0.0, 100.0, SAMPLES};
    good = good && compare("two bodies on a belt, 100 s", &belt, csv);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
