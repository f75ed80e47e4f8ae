// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How much faster than CVODE, at equal error, is the response curve of a forced oscillator with Coulomb
// friction: the amplitude at 40 frequencies, after 236 periods each? The truth is Den Hartog's closed form.
// The peer is CVODE as an expert writes it: Adams, started anew at each reversal, a root where the speed
// falls to zero; the amplitude is that at the reversals of the last period.
#include "block_chain.h"

#include "slipstick/lab.h"
#include "slipstick/scan.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { VALUES = 40, SKIP = 236, RUNS = 7, PEER_RUNS = 3 };
static const double from = 1.2, to = 2.0, level = 0.2; // rad/s, rad/s, N
static const double pi = 3.14159265358979323846;

typedef struct curve {
    double amplitude[VALUES];
    double time; // s of the processor
} curve;

static double frequency(int k) { return from + (to - from) * k / (VALUES - 1); }

// Den Hartog (1931), continuous sliding: (x k/P)^2 = V^2 - (f/P)^2 H^2.
static double den_hartog(double w)
{
    double v = 1.0 / (1.0 - w * w), h = sin(pi / w) / (w * (1.0 + cos(pi / w)));
    return sqrt(v * v - level * level * h * h);
}

static double error_of(const curve* c)
{
    double error = 0.0;
    for (int k = 0; k < VALUES; k++)
        error = fmax(error, fabs(c->amplitude[k] - den_hartog(frequency(k))) / den_hartog(frequency(k)));
    return error;
}

static double process_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

// ---- Slipstick

static const char text[] = "slipstick: 1\n"
                           "title: Forced oscillator on a rough floor\n"
                           "parameters: {w: 1.2 rad/s}\n"
                           "bodies: {block: {mass: 1 kg}}\n"
                           "connections: [{between: [block, ground], stiffness: 1 N/m}]\n"
                           "forces: [{body: block, force: \"1 N * cos(w*t)\"}]\n"
                           "contacts: {floor: {between: [block, ground], law: coulomb, friction: 0.2 N}}\n";

static bool keep(void* user, const double rows[], size_t count)
{
    double** next = user;
    for (size_t k = 0; k < count; k++) *(*next)++ = rows[2 * k + 1];
    return true;
}

static bool run_slipstick(curve* out)
{
    const char* measure = "amplitude:block.x";
    ss_basin_axis axis = {.path = "parameters.w", .from = from, .to = to, .count = VALUES};
    ss_document* document = NULL;
    ss_scan* scan = NULL;
    ss_map* map = NULL;
    ss_error err = {0};
    double* next = out->amplitude;
    double begun = process_seconds();
    ss_scan_def def = ss_scan_def_default();
    def.axes = &axis, def.axis_count = 1, def.skip = SKIP, def.keep = 1;
    def.measures = &measure, def.measure_count = 1;
    bool good = ss_document_parse_yaml("m.yaml", text, strlen(text), &document, &err) == SS_OK;
    def.document = document;
    good = good && ss_scan_create(&def, &scan, &err) == SS_OK;
    ss_map_def map_def = {.basin = good ? ss_scan_cells(scan) : NULL, .keep = true};
    ss_basin_run_def run = {.threads = 1};
    good = good && ss_map_create(&map_def, &map, &err) == SS_OK &&
           ss_map_run(map, &run, NULL, &err) == SS_OK && ss_scan_read(scan, map, keep, &next, &err) == SS_OK;
    out->time = process_seconds() - begun;
    if (!good) fprintf(stderr, "%s\n", err.text);
    ss_map_destroy(map);
    ss_scan_destroy(scan);
    ss_document_destroy(document);
    return good;
}

// ---- CVODE

typedef struct peer {
    void* cvode;
    N_Vector y;
    SUNNonlinearSolver solver;
    SUNContext context;
    double sign, w;
} peer;

static int rate(double t, N_Vector y, N_Vector out, void* user)
{
    const peer* p = user;
    const double* now = N_VGetArrayPointer(y);
    double* slope = N_VGetArrayPointer(out);
    slope[0] = now[1];
    slope[1] = cos(p->w * t) - now[0] - p->sign * level;
    return 0;
}

static int root(double t, N_Vector y, double* g, void* user)
{
    (void)t;
    g[0] = ((const peer*)user)->sign * N_VGetArrayPointer(y)[1];
    return 0;
}

static bool open_peer(peer* p, double tolerance)
{
    int down = -1;
    if (SUNContext_Create(NULL, &p->context) != 0) return false;
    p->y = N_VNew_Serial(2, p->context);
    p->cvode = CVodeCreate(CV_ADAMS, p->context);
    p->solver = SUNNonlinSol_FixedPoint(p->y, 0, p->context);
    N_VConst(0.0, p->y);
    return CVodeInit(p->cvode, rate, 0.0, p->y) == CV_SUCCESS &&
           CVodeSStolerances(p->cvode, tolerance, tolerance) == CV_SUCCESS &&
           CVodeSetUserData(p->cvode, p) == CV_SUCCESS &&
           CVodeSetNonlinearSolver(p->cvode, p->solver) == CV_SUCCESS &&
           CVodeRootInit(p->cvode, 1, root) == CV_SUCCESS &&
           CVodeSetRootDirection(p->cvode, &down) == CV_SUCCESS &&
           CVodeSetMaxNumSteps(p->cvode, 1000000) == CV_SUCCESS &&
           CVodeSetNoInactiveRootWarn(p->cvode) == CV_SUCCESS;
}

// Continuous sliding after a while; until then it may stick, with the force that the spring leaves.
static bool run_value(peer* p, double w, double* amplitude)
{
    double *y = N_VGetArrayPointer(p->y), t = 0.0, end = (SKIP + 1) * 2.0 * pi / w, low = 0.0, high = 0.0;
    p->w = w;
    y[0] = y[1] = 0.0;
    p->sign = 1.0;
    while (t < end) {
        if (CVodeReInit(p->cvode, t, p->y) != CV_SUCCESS || CVodeSetStopTime(p->cvode, end) != CV_SUCCESS)
            return false;
        int flag = CVode(p->cvode, end, p->y, &t, CV_NORMAL);
        if (flag < 0) return false;
        if (flag != CV_ROOT_RETURN) break;
        y[1] = 0.0;
        if (t > SKIP * 2.0 * pi / w) low = fmin(low, y[0]), high = fmax(high, y[0]);
        double pull = cos(w * t) - y[0];
        while (fabs(pull) <= level) pull = cos(w * (t += 1e-4 / w)) - y[0]; // rare, and long forgotten
        p->sign = pull > 0.0 ? 1.0 : -1.0;
    }
    *amplitude = 0.5 * (high - low);
    return true;
}

static bool run_cvode(double tolerance, curve* out)
{
    peer p = {0};
    bool good = open_peer(&p, tolerance);
    double begun = process_seconds();
    for (int k = 0; k < VALUES && good; k++) good = run_value(&p, frequency(k), &out->amplitude[k]);
    out->time = process_seconds() - begun;
    N_VDestroy(p.y);
    CVodeFree(&p.cvode);
    SUNNonlinSolFree(p.solver);
    SUNContext_Free(&p.context);
    return good;
}

int main(int argc, char** argv)
{
    const char* csv = argc > 2 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    curve ours, theirs;
    const double goal = 1e-8;
    double tolerance = 1e-7, error = INFINITY;
    if (!run_slipstick(&ours)) return 1;
    for (int k = 1; k < RUNS; k++) { // the best of them
        curve again;
        if (!run_slipstick(&again)) return 1;
        ours.time = fmin(ours.time, again.time);
    }
    double own = error_of(&ours);
    if (!(own < goal)) {
        fprintf(stderr, "Slipstick is off Den Hartog's amplitude by %g\n", own);
        return 1;
    }
    for (int k = 0; k < 6 && !(error < goal); k++, tolerance *= 0.1) {
        if (!run_cvode(tolerance, &theirs)) return 1;
        error = error_of(&theirs);
    }
    for (int k = 1; k < PEER_RUNS; k++) {
        curve again;
        if (!run_cvode(10.0 * tolerance, &again)) return 1;
        theirs.time = fmin(theirs.time, again.time);
    }
    printf("response curve of %d frequencies: Slipstick %.3g s (error %.1e), CVODE %.3g s (error %.1e, "
           "tolerance %.0e): %.0f times\n",
           VALUES, ours.time, own, theirs.time, error, 10.0 * tolerance, theirs.time / ours.time);
    char row[200];
    snprintf(row, sizeof row, "%.4g,%.3g,%.4g,%.3g,%.4g", ours.time, own, theirs.time, error,
             theirs.time / ours.time);
    return csv && !bench_append(csv, "slipstick_s,slipstick_error,cvode_s,cvode_error,times", row);
}
