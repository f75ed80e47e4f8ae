// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How long do all eigen-directions of a slider on 12 points take, and of one on a table of 2000 pressures?
// Random points within 1.5 radii of gyration, strengths that add up to 1. The peer is what one would do
// otherwise: Newton's method for P || q from 1000 starts all over the sphere, which finds no facets and never
// knows whether it is done. The answer is printed only where every direction the peer finds is in the list,
// every sphere was cleared, and Euler's count is 2.
//
//     bench_eigen [--csv FILE]
#include "block_chain.h"
#include "slipstick/slipstick.h"
#include "slipstick/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLIDERS = 100, POINTS = 12, STARTS = 1000, REPETITIONS = 5, PRESSURES = 2000 };

static double uniform(unsigned* seed, double low, double high)
{
    *seed = *seed * 1664525u + 1013904223u;
    return low + (high - low) * (*seed >> 8) / 16777216.0;
}

static ss_slider* make(unsigned* seed)
{
    ss_support_def points[POINTS];
    double sum = 0.0;
    for (int i = 0; i < POINTS; i++) {
        points[i] = ss_support_def_default();
        points[i].position_m[0] = uniform(seed, -1.5, 1.5);
        points[i].position_m[1] = uniform(seed, -1.5, 1.5);
        sum += points[i].friction_N[0] = uniform(seed, 0.2, 1.0);
    }
    for (int i = 0; i < POINTS; i++) points[i].friction_N[0] /= sum;
    ss_slider_def def = ss_slider_def_default();
    def.mass_kg = def.gyration_m = def.gravity = 1.0;
    def.supports = points;
    def.support_count = POINTS;
    ss_slider* slider = NULL;
    return ss_slider_create(&def, &slider, NULL) == SS_OK ? slider : NULL;
}

static ss_slider* make_table(unsigned* seed)
{
    static double rows[3 * PRESSURES];
    ss_support_def table = ss_support_def_default();
    for (int i = 0; i < PRESSURES; i++) {
        rows[3 * i] = uniform(seed, -1.5, 1.5);
        rows[3 * i + 1] = uniform(seed, -1.5, 1.5);
        rows[3 * i + 2] = uniform(seed, 0.2, 1.0);
    }
    table.kind = SS_SUPPORT_PRESSURE;
    table.friction_N[0] = 1.0;
    table.vertices = rows;
    table.vertex_count = PRESSURES;
    ss_slider_def def = ss_slider_def_default();
    def.mass_kg = def.gyration_m = def.gravity = 1.0;
    def.supports = &table;
    def.support_count = 1;
    ss_slider* slider = NULL;
    return ss_slider_create(&def, &slider, NULL) == SS_OK ? slider : NULL;
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Solves a x = r by Cramer's rule.
static void solve(const double a[9], const double r[3], double x[3])
{
    double c[3] = {a[4] * a[8] - a[5] * a[7], a[5] * a[6] - a[3] * a[8], a[3] * a[7] - a[4] * a[6]};
    double det = a[0] * c[0] + a[1] * c[1] + a[2] * c[2];
    x[0] = (r[0] * c[0] + a[1] * (a[5] * r[2] - r[1] * a[8]) + a[2] * (r[1] * a[7] - a[4] * r[2])) / det;
    x[1] = (a[0] * (r[1] * a[8] - a[5] * r[2]) + r[0] * c[1] + a[2] * (a[3] * r[2] - r[1] * a[6])) / det;
    x[2] = (a[0] * (a[4] * r[2] - r[1] * a[7]) + a[1] * (r[1] * a[6] - a[3] * r[2]) + r[0] * c[2]) / det;
}

static bool newton(const ss_slider* s, double q[3])
{
    for (int n = 0; n < 50; n++) {
        double p[3], h[9], r[3], x[3];
        if (!ss_slider_load(s, 0, q, p) || !ss_slider_hessian(s, 0, q, h)) return false;
        double along = dot(p, q);
        for (int i = 0; i < 3; i++) {
            r[i] = along * q[i] - p[i];
            for (int j = 0; j < 3; j++) h[3 * i + j] += 2.0 * along * q[i] * q[j] - (i == j ? along : 0.0);
        }
        if (sqrt(dot(r, r)) < 1e-14) return true;
        solve(h, r, x);
        double size = sqrt(dot(x, x)), step = size > 0.2 ? 0.2 / size : 1.0;
        if (!isfinite(size)) return false;
        for (int i = 0; i < 3; i++) q[i] += step * x[i];
        double length = sqrt(dot(q, q));
        for (int i = 0; i < 3; i++) q[i] /= length;
    }
    return false;
}

static bool is_listed(const ss_eigen_set* set, const double q[3])
{
    for (int k = 0; k < set->count; k++) {
        const double* p = set->items[k].q;
        double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
        if (dot(d, d) < 1e-18) return true;
    }
    return false;
}

static bool agree(const ss_slider* s, const ss_eigen_set* set, double* seconds)
{
    double begin = bench_cpu_seconds();
    bool good = true;
    for (int n = 0; n < STARTS && good; n++) {
        double height = 1.0 - (2.0 * n + 1.0) / STARTS, angle = 2.39996322972865332 * n;
        double width = sqrt(1.0 - height * height), q[3] = {width * cos(angle), width * sin(angle), height};
        good = !newton(s, q) || is_listed(set, q);
    }
    *seconds += bench_cpu_seconds() - begin;
    return good && set->complete && set->has_euler && set->euler == 2;
}

// The best of some repetitions, in s; NaN where the answer is wrong. Ends the slider.
static double measure(ss_slider* s, int repetitions, double* peer, long* directions)
{
    double best = INFINITY;
    bool good = s != NULL;
    for (int k = 0; k < repetitions && good; k++) {
        ss_eigen_set set;
        double begin = bench_cpu_seconds();
        good = ss_slider_eigen(s, 0, NULL, &set, NULL) == SS_OK;
        best = fmin(best, bench_cpu_seconds() - begin);
        if (good && k == 0) {
            good = agree(s, &set, peer);
            *directions += set.count;
        }
        ss_eigen_set_free(&set);
    }
    ss_slider_destroy(s);
    if (!good) fprintf(stderr, "the list is not what the peer finds, or not complete\n");
    return good ? best : NAN;
}

int main(int argc, char** argv)
{
    unsigned seed = 2024;
    double total = 0.0, worst = 0.0, peer = 0.0, table_peer = 0.0;
    long directions = 0, of_table = 0;
    for (int n = 0; n < SLIDERS; n++) {
        double best = measure(make(&seed), REPETITIONS, &peer, &directions);
        if (isnan(best)) return 1;
        total += best;
        worst = fmax(worst, best);
    }
    double table = measure(make_table(&seed), 2, &table_peer, &of_table);
    if (isnan(table)) return 1;
    printf("all eigen-directions of %d sliders on %d points: %.2f ms each, at most %.2f ms; %.1f directions "
           "each\n",
           SLIDERS, POINTS, 1e3 * total / SLIDERS, 1e3 * worst, (double)directions / SLIDERS);
    printf("Newton's method from %d starts, no facets and no proof: %.2f ms each\n", STARTS,
           1e3 * peer / SLIDERS);
    printf("a table of %d pressures: %.0f ms, %ld directions; Newton's method %.0f ms\n", PRESSURES,
           1e3 * table, of_table, 1e3 * table_peer);
    if (argc == 3 && strcmp(argv[1], "--csv") == 0) {
        char row[128];
        snprintf(row, sizeof row, "%d,%d,%.6g,%.6g,%.6g,%.6g", SLIDERS, POINTS, 1e3 * total / SLIDERS,
                 1e3 * worst, 1e3 * peer / SLIDERS, 1e3 * table);
        return bench_append(argv[2], "sliders,points,mean_ms,worst_ms,starts_ms,pressures_ms", row) ? 0 : 1;
    }
    return 0;
}
