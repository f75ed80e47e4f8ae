// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How much faster than CVODE with regularised friction does a sliding body come to rest, at the same error? A
// bar on two points, 64 points in a ring, a continuous ring and a disk, for which CVODE needs many points.
// m = r_g = g = 1. The truth was computed apart from both: the bar, the ring and the disk with 64 digits, the
// 64 points with a regularised time common to all of them.
// Also a box (a polygon) on a shaken floor: pushed through its centre it moves as a block does, whose way is
// known phase by phase.
#include "block_chain.h"
#include "peer_slider.h"
#include "slipstick/slipstick.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const char header[] = "body,slipstick [us],slipstick error [m],cvode [us],cvode error [m],faster";

typedef struct task {
    const char* name;
    ss_support_kind kind;
    int supports, points; ///< ours; CVODE's
    double radius, start[3];
    double x, y, angle; ///< at rest
    double tolerance;   ///< ours, for an error of about 1e-9
    double relative;    ///< CVODE's, likewise
    int runs, peer_runs;
    double goal;
} task;

// clang-format off
static const task tasks[] = {
    {"bar on two points", SS_SUPPORT_POINT, 2, 2, 1.0, {1.0, 0.5, 1.0}, 0.8848745980154145, 0.5884983530536902,
     1.066727776458091, 1e-8, 1e-10, 400, 8, 30},
    {"64 points in a ring", SS_SUPPORT_POINT, 64, 64, 1.0, {1.0, 0.0, 0.5}, 0.565238033375861, -1.624410737e-05,
     0.354556308118011, 1e-7, 1e-10, 100, 8, 3},
    {"ring", SS_SUPPORT_RING, 1, 16384, 1.0, {1.0, 0.0, 0.5}, 0.5652297911624137, 0.0, 0.3545671178407577, 1e-7,
     1e-9, 100, 1, 1000},
    {"disk", SS_SUPPORT_DISK, 1, 32768, 1.4142135623730951, {1.0, 0.0, 1.0}, 0.7707472534627943, 0.0,
     0.7861353353256226, 1e-8, 1e-9, 100, 1, 1000},
};
// clang-format on

typedef struct answer {
    double seconds, error;
} answer;

static double error_of(const task* t, double x, double y, double angle)
{
    return fmax(fmax(fabs(x - t->x), fabs(y - t->y)), fabs(angle - t->angle));
}

// Points of the bar lie at its ends, of a ring on it; of a disk on circles, so many each that all stand for
// the same area.
static int place(const task* t, double x[], double y[])
{
    int n = t->points, k = 0;
    if (t->kind == SS_SUPPORT_DISK) {
        int rings = (int)lround(sqrt(n / 2.0)), each = n / rings;
        for (int i = 0; i < rings; i++)
            for (int j = 0; j < each; j++, k++) {
                double r = t->radius * sqrt((i + 0.5) / rings), a = 2.0 * pi * (j + 0.5 * (i % 2)) / each;
                x[k] = r * cos(a);
                y[k] = r * sin(a);
            }
        return k;
    }
    for (; k < n; k++) {
        double a = 2.0 * pi * k / n + (n == 2 ? 0.5 * pi : 0.0);
        x[k] = n == 2 ? 0.0 : t->radius * cos(a);
        y[k] = t->radius * sin(a);
    }
    return k;
}

static bool measure_ours(const task* t, const double x[], const double y[], answer* out)
{
    ss_slider_def def = ss_slider_def_default();
    ss_support_def* supports = calloc((size_t)t->supports, sizeof *supports);
    ss_slide_def slide_def = ss_slide_def_default();
    ss_slider* slider = NULL;
    ss_slide* slide = NULL;
    ss_error err;
    if (!supports) return false;
    for (int i = 0; i < t->supports; i++) {
        supports[i] = ss_support_def_default();
        supports[i].kind = t->kind;
        supports[i].position_m[0] = t->kind == SS_SUPPORT_POINT ? x[i] : 0.0;
        supports[i].position_m[1] = t->kind == SS_SUPPORT_POINT ? y[i] : 0.0;
        supports[i].radius_m = t->radius;
        supports[i].friction_N[0] = supports[i].friction_N[1] = 1.0 / t->supports;
    }
    def.mass_kg = def.gyration_m = def.gravity = 1.0;
    def.supports = supports;
    def.support_count = t->supports;
    memcpy(def.start_speed, t->start, sizeof def.start_speed);
    slide_def.tolerance = t->tolerance;
    bool good = ss_slider_create(&def, &slider, &err) == SS_OK &&
                ss_slide_create(slider, &slide_def, &slide, &err) == SS_OK;
    out->seconds = INFINITY;
    for (int k = 0; k < 7 && good; k++) {
        ss_outcome outcome = SS_TIME_REACHED;
        double begin = bench_cpu_seconds();
        for (int i = 0; i < t->runs && good; i++)
            good = ss_slide_restart(slide, NULL, NULL, &err) == SS_OK &&
                   ss_slide_advance(slide, 60.0, &outcome, &err) == SS_OK && outcome == SS_AT_REST;
        out->seconds = fmin(out->seconds, (bench_cpu_seconds() - begin) / t->runs);
    }
    if (good) {
        ss_slider_state end = ss_slide_state(slide);
        out->error = error_of(t, end.x, end.y, end.angle);
    }
    ss_slide_destroy(slide);
    ss_slider_destroy(slider);
    free(supports);
    return good;
}

static bool measure_peer(const task* t, int count, const double x[], const double y[], answer* out)
{
    double* f = malloc((size_t)count * sizeof *f);
    if (!f) return false;
    for (int i = 0; i < count; i++) f[i] = 1.0 / count;
    peer_slider s = {.count = count,
                     .x = x,
                     .y = y,
                     .f = f,
                     .eps = 1e-8,
                     .relative = t->relative,
                     .absolute = 1e-2 * t->relative};
    peer_sliding* peer = peer_sliding_create(&s);
    peer_slide end;
    bool good = peer != NULL;
    out->seconds = INFINITY;
    for (int k = 0; k < t->peer_runs && good; k++) {
        double begin = bench_cpu_seconds();
        good = peer_sliding_run(peer, t->start, 60.0, 1e-7, &end);
        out->seconds = fmin(out->seconds, bench_cpu_seconds() - begin);
    }
    if (good) out->error = error_of(t, end.x, end.y, end.angle);
    peer_sliding_destroy(peer);
    free(f);
    return good;
}

static bool compare(const task* t, const char* csv)
{
    double* x = calloc(2 * (size_t)t->points, sizeof *x);
    answer ours = {0}, peer = {0};
    if (!x) return false;
    double* y = x + t->points;
    int count = place(t, x, y);
    bool done = measure_ours(t, x, y, &ours) && measure_peer(t, count, x, y, &peer);
    free(x);
    if (!done || ours.error > 2e-9 || peer.error > 1e-6) {
        fprintf(stderr, "%s: off by %.2g m (Slipstick) and %.2g m (CVODE)\n", t->name, ours.error,
                peer.error);
        return false;
    }
    double faster = peer.seconds / ours.seconds;
    printf("%s\n  Slipstick  %10.1f us, error %.1e\n  CVODE      %10.1f us, error %.1e, %d points\n"
           "  %.0f times faster (goal %.0f)\n",
           t->name, 1e6 * ours.seconds, ours.error, 1e6 * peer.seconds, peer.error, count, faster, t->goal);
    if (!csv) return true;
    char row[200];
    snprintf(row, sizeof row, "%s,%.4g,%.3g,%.4g,%.3g,%.4g", t->name, 1e6 * ours.seconds, ours.error,
             1e6 * peer.seconds, peer.error, faster);
    return bench_append(csv, header, row);
}

// ---- a box on a shaken floor

// m = 1 kg, friction 0.3 N, force 0.5 N sin(30 rad/s t): slips and sticks twice in a period.
enum { BOX_RUNS = 5 };
static const double box_friction = 0.3, box_force = 0.5, box_rate = 30.0, box_until = 3.0;

// Velocity and way of a block that began to slip in the direction d at the time a.
static double block_speed(double a, double d, double t)
{
    return box_force / box_rate * (cos(box_rate * a) - cos(box_rate * t)) - d * box_friction * (t - a);
}

static double block_way(double a, double d, double t)
{
    double sines = (sin(box_rate * t) - sin(box_rate * a)) / (box_rate * box_rate);
    return box_force * (cos(box_rate * a) / box_rate * (t - a) - sines) -
           0.5 * d * box_friction * (t - a) * (t - a);
}

// Where the block is in the end. It slips from |force| = friction until its speed is 0 and then waits, for it
// always stops while the force is below friction.
static double block_place(void)
{
    double x = 0.0, first = asin(box_friction / box_force) / box_rate, half = pi / box_rate;
    for (int k = 0; first + k * half < box_until; k++) {
        double begin = first + k * half, d = k % 2 ? -1.0 : 1.0, low = begin + 0.25 * half, high = low;
        while (d * block_speed(begin, d, high) > 0.0) high += 0.01 * half;
        for (int n = 0; n < 100; n++) {
            double middle = 0.5 * (low + high);
            *(d * block_speed(begin, d, middle) > 0.0 ? &low : &high) = middle;
        }
        if (fabs(box_force * sin(box_rate * low)) > box_friction || low > begin + half) return NAN;
        x += block_way(begin, d, fmin(low, box_until));
    }
    return x;
}

static ss_slider* make_box(ss_signal** force)
{
    static const double corners[] = {-1.5, -1.0, 1.5, -1.0, 1.5, 1.0, -1.5, 1.0};
    const ss_scope scope = {.allow_time = true};
    char text[80];
    snprintf(text, sizeof text, "%.17g N*sin(%.17g rad/s*t)", box_force, box_rate);
    if (ss_signal_parse(text, &scope, (ss_dimension){.m = 1, .kg = 1, .s = -2}, force, NULL) != SS_OK)
        return NULL;
    ss_support_def box = ss_support_def_default();
    box.kind = SS_SUPPORT_POLYGON;
    box.vertices = corners;
    box.vertex_count = 4;
    box.friction_N[0] = box.friction_N[1] = box_friction;
    ss_slider_def def = ss_slider_def_default();
    def.mass_kg = def.gyration_m = def.gravity = 1.0;
    def.supports = &box;
    def.support_count = 1;
    const ss_load_def load = {.force_x = *force};
    def.loads = &load;
    def.load_count = 1;
    def.start[2] = 0.3; // not along its sides
    ss_slider* slider = NULL;
    return ss_slider_create(&def, &slider, NULL) == SS_OK ? slider : NULL;
}

static bool shake(const char* csv)
{
    ss_signal* force = NULL;
    ss_slider* slider = make_box(&force);
    ss_slide_def def = ss_slide_def_default();
    ss_slide* slide = NULL;
    ss_outcome outcome;
    double seconds = INFINITY, error = NAN;
    bool good = slider && ss_slide_create(slider, &def, &slide, NULL) == SS_OK;
    for (int k = 0; k < BOX_RUNS && good; k++) {
        double begin = bench_cpu_seconds();
        good = ss_slide_restart(slide, NULL, NULL, NULL) == SS_OK &&
               ss_slide_advance(slide, box_until, &outcome, NULL) == SS_OK && outcome == SS_TIME_REACHED;
        seconds = fmin(seconds, bench_cpu_seconds() - begin);
    }
    if (good) {
        ss_slider_state end = ss_slide_state(slide);
        error = fmax(fmax(fabs(end.x - block_place()), fabs(end.y)), fabs(end.angle - 0.3));
    }
    ss_slide_destroy(slide);
    ss_slider_destroy(slider);
    ss_signal_destroy(force);
    if (!good || !(error < 1e-9)) {
        fprintf(stderr, "box on a shaken floor: off by %.2g m\n", error);
        return false;
    }
    printf("box on a shaken floor, %g s\n  Slipstick  %10.1f us, error %.1e\n", box_until, 1e6 * seconds,
           error);
    char row[100];
    snprintf(row, sizeof row, "box on a shaken floor,%.4g,%.3g,,,", 1e6 * seconds, error);
    return !csv || bench_append(csv, header, row);
}

int main(int argc, char** argv)
{
    const char* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    bool good = true;
    if (argc > 1 && !csv) {
        fprintf(stderr, "usage: bench_sliding [--csv FILE]\n");
        return 2;
    }
    for (size_t k = 0; k < sizeof tasks / sizeof tasks[0]; k++) good = compare(&tasks[k], csv) && good;
    good = shake(csv) && good;
    return good ? 0 : 1;
}
