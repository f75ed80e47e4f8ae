// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How long does one push take: motion, force and both edges of the motion cone, as planners ask it millions
// of times? Random places, normals and directions; three feet, a disk, a square with uniform pressure. The
// figure is printed only where the load on the ground has the power friction takes at the motion, and the
// finger is not left behind.
//
//     bench_push [--csv FILE]
#include "block_chain.h"
#include "slipstick/slipstick.h"
#include "slipstick/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUSHES = 20000, REPETITIONS = 3 };

static double uniform(unsigned* seed, double low, double high)
{
    *seed = *seed * 1664525u + 1013904223u;
    return low + (high - low) * (*seed >> 8) / 16777216.0;
}

static ss_slider* make(const ss_support_def supports[], int count)
{
    ss_slider_def def = ss_slider_def_default();
    ss_slider* slider = NULL;
    def.mass_kg = 1.0;
    def.gyration_m = 0.1;
    def.supports = supports;
    def.support_count = count;
    return ss_slider_create(&def, &slider, NULL) == SS_OK ? slider : NULL;
}

static ss_slider* make_feet(void)
{
    static const double at[3][2] = {{0.1, 0.02}, {-0.07, 0.09}, {-0.03, -0.11}};
    ss_support_def feet[3];
    for (int i = 0; i < 3; i++) {
        feet[i] = ss_support_def_default();
        memcpy(feet[i].position_m, at[i], sizeof at[i]);
        feet[i].load = 1.0 / 3.0;
        feet[i].mu[0] = 0.4;
    }
    return make(feet, 3);
}

static ss_slider* make_patch(ss_support_kind kind)
{
    static const double square[] = {-0.125, -0.125, 0.125, -0.125, 0.125, 0.125, -0.125, 0.125};
    ss_support_def patch = ss_support_def_default();
    patch.kind = kind;
    patch.load = 1.0;
    patch.mu[0] = 0.4;
    patch.radius_m = 0.125;
    patch.vertices = square;
    patch.vertex_count = 4;
    return make(&patch, 1);
}

static ss_push draw(unsigned* seed)
{
    double angle = uniform(seed, 0.0, 6.28), way = angle + uniform(seed, -1.4, 1.4);
    return (ss_push){.at = {uniform(seed, -0.15, 0.15), uniform(seed, -0.15, 0.15)},
                     .normal = {cos(angle), sin(angle)},
                     .mu = uniform(seed, 0.0, 1.0),
                     .finger = {0.1 * cos(way), 0.1 * sin(way)}};
}

static bool is_right(const ss_slider* slider, const ss_push* p, const ss_push_answer* a)
{
    const double *q = a->motion, *f = a->force;
    double u[2] = {q[0] - q[2] * p->at[1], q[1] + q[2] * p->at[0]};
    double behind = (p->finger[0] - u[0]) * p->normal[0] + (p->finger[1] - u[1]) * p->normal[1];
    double power = ss_slider_power(slider, 0.0, q), given = f[0] * u[0] + f[1] * u[1];
    return fabs(behind) < 1e-12 && fabs(power - given) <= 1e-9 * power;
}

// Microseconds for one push; NaN where an answer is wrong. Ends the slider.
static double measure(ss_slider* slider)
{
    double best = INFINITY;
    bool good = slider != NULL;
    for (int k = 0; k < REPETITIONS && good; k++) {
        static ss_push pushes[PUSHES];
        static ss_push_answer answers[PUSHES];
        unsigned seed = 7;
        for (int i = 0; i < PUSHES; i++) pushes[i] = draw(&seed);
        double begin = bench_cpu_seconds();
        for (int i = 0; i < PUSHES; i++) ss_slider_push(slider, 0.0, &pushes[i], &answers[i], NULL);
        best = fmin(best, bench_cpu_seconds() - begin);
        for (int i = 0; i < PUSHES && good; i++) good = is_right(slider, &pushes[i], &answers[i]);
    }
    ss_slider_destroy(slider);
    if (!good) fprintf(stderr, "a push does not balance\n");
    return good ? 1e6 * best / PUSHES : NAN;
}

int main(int argc, char** argv)
{
    double feet = measure(make_feet()), disk = measure(make_patch(SS_SUPPORT_DISK)),
           square = measure(make_patch(SS_SUPPORT_POLYGON));
    if (isnan(feet + disk + square)) return 1;
    printf("one push: three feet %.2f us, a disk %.2f us, a square %.1f us\n", feet, disk, square);
    if (argc == 3 && strcmp(argv[1], "--csv") == 0) {
        char row[80];
        snprintf(row, sizeof row, "%.6g,%.6g,%.6g", feet, disk, square);
        return bench_append(argv[2], "feet_us,disk_us,square_us", row) ? 0 : 1;
    }
    return 0;
}
