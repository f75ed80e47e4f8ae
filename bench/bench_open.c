// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How much faster than CVODE, at an error of 1e-8, are two open models: a stage under a PID loop that hunts
// on Stribeck friction for 60 s, and a pendulum with dry friction that swings until it rests? The peer is
// CVODE as an expert writes it: Adams, a root where the speed falls to zero, started anew there; while the
// stage sticks its integrator is linear in time, and the release is a formula.
#include "block_chain.h"

#include "slipstick/slipstick.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

// What is compared: the place at a number of times.
typedef struct course {
    double x[MOST];
    double time; // s: that it took
    long events;
} course;

typedef struct problem {
    const char* name;
    bool hunts;
    int samples;
    double step; // s between samples
} problem;

static const double mass = 2.0, kp = 2000.0, ki = 20000.0, kd = 60.0, target = 0.01;
static const double coulomb = 8.0, still = 12.0, stribeck = 0.002;
static const double inertia = 0.08, weight = 0.5 * 9.81 * 0.4, rust = 0.02;

// ---- Slipstick

static ss_model* make_model(const problem* p)
{
    ss_error err;
    ss_model* model = NULL;
    ss_term terms[] = {{0, 1.0}};
    ss_body_def stage = {.name = "stage", .mass = mass},
                rod = {.name = "rod", .mass = inertia, .start_x = 2.5};
    ss_contact_def guide = {.name = "guide", .along = {terms, 1}, .law = SS_LAW_STRIBECK};
    guide.stribeck =
        (ss_stribeck){.coulomb = coulomb, .static_level = still, .speed = stribeck, .shape = 2.0};
    ss_contact_def pivot = {.name = "pivot", .along = {terms, 1}, .law = SS_LAW_COULOMB};
    pivot.coulomb = (ss_coulomb){rust, rust, rust, rust};
    ss_force_def loop = {.body = 0, .expression = "2000*(0.01 - stage.x) + 20000*sum - 60*stage.v"};
    ss_state_def sum = {.name = "sum", .rate = "0.01 - stage.x"};
    const char* energy = "0.5*9.81*0.4*(1 - cos(rod.x))";
    ss_system_def def = ss_system_def_default();
    def.title = p->name;
    def.until = p->samples * p->step;
    def.bodies = p->hunts ? &stage : &rod, def.body_count = 1;
    def.contacts = p->hunts ? &guide : &pivot, def.contact_count = 1;
    if (p->hunts) {
        def.forces = &loop, def.force_count = 1;
        def.states = &sum, def.state_count = 1;
    } else {
        def.potentials = &energy, def.potential_count = 1;
    }
    if (ss_model_create(&def, &model, &err) != SS_OK) fprintf(stderr, "%s: %s\n", err.field, err.text);
    return model;
}

static bool run_slipstick(const problem* p, bool ledger, double tolerance, course* out)
{
    ss_error err;
    ss_sim* sim = NULL;
    ss_model* model = make_model(p);
    ss_sim_def def = ss_sim_def_default();
    def.ledger = ledger;
    def.tolerance = tolerance;
    bool good = model && ss_sim_create(model, &def, &sim, &err) == SS_OK;
    double begun = bench_cpu_seconds();
    for (int k = 0; k < p->samples && good; k++) {
        ss_outcome outcome;
        good = ss_sim_advance(sim, (k + 1) * p->step, &outcome, &err) == SS_OK;
        out->x[k] = ss_sim_x(sim)[0];
    }
    out->time = bench_cpu_seconds() - begun;
    out->events = sim ? ss_sim_event_count(sim) : 0;
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    return good;
}

// ---- CVODE

typedef struct peer {
    const problem* p;
    void* cvode;
    N_Vector y; // x, v, and of the stage the sum
    SUNNonlinearSolver solver;
    SUNContext context;
    double sign;
    bool anew; // an event has just been passed
    long events;
} peer;

static int rate(double t, N_Vector y, N_Vector out, void* user)
{
    const peer* p = user;
    const double* now = N_VGetArrayPointer(y);
    double* to = N_VGetArrayPointer(out);
    (void)t;
    to[0] = now[1];
    if (!p->p->hunts) {
        to[1] = (-weight * sin(now[0]) - p->sign * rust) / inertia;
        return 0;
    }
    double e = target - now[0], share = now[1] / stribeck;
    double level = coulomb + (still - coulomb) * exp(-share * share);
    to[1] = (kp * e + ki * now[2] - kd * now[1] - p->sign * level) / mass;
    to[2] = e;
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
    p->y = N_VNew_Serial(p->p->hunts ? 3 : 2, p->context);
    p->cvode = CVodeCreate(CV_ADAMS, p->context);
    p->solver = SUNNonlinSol_FixedPoint(p->y, 0, p->context);
    N_VConst(0.0, p->y);
    if (!p->p->hunts) N_VGetArrayPointer(p->y)[0] = 2.5;
    return CVodeInit(p->cvode, rate, 0.0, p->y) == CV_SUCCESS &&
           CVodeSStolerances(p->cvode, tolerance, 1e-3 * tolerance) == CV_SUCCESS &&
           CVodeSetUserData(p->cvode, p) == CV_SUCCESS &&
           CVodeSetNonlinearSolver(p->cvode, p->solver) == CV_SUCCESS &&
           CVodeRootInit(p->cvode, 1, root) == CV_SUCCESS &&
           CVodeSetRootDirection(p->cvode, &down) == CV_SUCCESS &&
           CVodeSetMaxNumSteps(p->cvode, 10000000) == CV_SUCCESS &&
           CVodeSetNoInactiveRootWarn(p->cvode) == CV_SUCCESS;
}

// What pushes while nothing moves.
static double push(const peer* p)
{
    const double* y = N_VGetArrayPointer(p->y);
    return p->p->hunts ? kp * (target - y[0]) + ki * y[2] : -weight * sin(y[0]);
}

static void decide(peer* p)
{
    double f = push(p), level = p->p->hunts ? still : rust;
    p->sign = f > level ? 1.0 : f < -level ? -1.0 : 0.0;
    p->events++;
}

// Sticks from t on, to the release or to the end: the sum is linear in time.
static double sit(peer* p, double t, double end)
{
    double* y = N_VGetArrayPointer(p->y);
    if (!p->p->hunts) return end;
    double e = target - y[0], side = e > 0.0 ? 1.0 : -1.0, wait = (side * still - push(p)) / (ki * e);
    if (!(e != 0.0) || t + wait > end) {
        y[2] += e * (end - t);
        return end;
    }
    y[2] += e * wait;
    p->sign = side;
    p->events++;
    return t + wait;
}

static bool cross(peer* p, double t, double end)
{
    while (t < end) {
        if (p->sign == 0.0) {
            t = sit(p, t, end);
            p->anew = true;
            continue;
        }
        if (p->anew && CVodeReInit(p->cvode, t, p->y) != CV_SUCCESS) return false;
        p->anew = false;
        if (CVodeSetStopTime(p->cvode, end) != CV_SUCCESS) return false;
        int flag = CVode(p->cvode, end, p->y, &t, CV_NORMAL);
        if (flag < 0) return false;
        if (flag != CV_ROOT_RETURN) return true;
        N_VGetArrayPointer(p->y)[1] = 0.0;
        decide(p);
        p->anew = true;
    }
    return true;
}

static bool run_cvode(const problem* p, double tolerance, course* out)
{
    peer own = {.p = p, .anew = true};
    bool good = open_peer(&own, tolerance);
    double begun = bench_cpu_seconds();
    decide(&own);
    for (int k = 0; k < p->samples && good; k++) {
        good = cross(&own, k * p->step, (k + 1) * p->step);
        out->x[k] = N_VGetArrayPointer(own.y)[0];
    }
    out->time = bench_cpu_seconds() - begun;
    out->events = own.events;
    N_VDestroy(own.y);
    CVodeFree(&own.cvode);
    SUNNonlinSolFree(own.solver);
    SUNContext_Free(&own.context);
    return good;
}

// ---- the comparison

static double error_of(const course* a, const course* b, int samples)
{
    double error = 0.0, size = 0.0;
    for (int k = 0; k < samples; k++) {
        error = fmax(error, fabs(a->x[k] - b->x[k]));
        size = fmax(size, fabs(b->x[k]));
    }
    return error / size;
}

static bool compare(const problem* p, const char* csv)
{
    course ours = {.time = INFINITY}, kept = {.time = INFINITY}, truth, theirs = {.time = INFINITY};
    double tolerance = 1e-4, error = INFINITY, given = 0.1, own = INFINITY;
    if (!run_slipstick(p, false, 1e-12, &truth)) return false;
    for (; given > 1e-10 && !(own <= 1e-8); given *= 0.3)
        own = run_slipstick(p, false, given, &ours) ? error_of(&ours, &truth, p->samples) : INFINITY;
    for (; tolerance > 1e-13 && !(error <= 1e-8); tolerance *= 0.3)
        error = run_cvode(p, tolerance, &theirs) ? error_of(&theirs, &truth, p->samples) : INFINITY;
    if (!(own < 1e-8) || !(error <= 1e-8)) {
        fprintf(stderr, "%s: errors %g and %g: no figures\n", p->name, own, error);
        return false;
    }
    for (int k = 0; k < 5; k++) {
        course again;
        if (run_slipstick(p, false, given / 0.3, &again)) ours.time = fmin(ours.time, again.time);
        if (run_slipstick(p, true, given / 0.3, &again)) kept.time = fmin(kept.time, again.time);
        if (run_cvode(p, tolerance / 0.3, &again)) theirs.time = fmin(theirs.time, again.time);
    }
    printf("  %-10s %8.3f ms  (error %.0e, %ld events)  CVODE %8.2f ms (error %.0e)  ratio %.1f, with the "
           "ledger %.1f\n",
           p->name, 1e3 * ours.time, own, ours.events, 1e3 * theirs.time, error, theirs.time / ours.time,
           theirs.time / kept.time);
    char row[160];
    snprintf(row, sizeof row, "%s,%g,%g", p->name, ours.time, theirs.time);
    return !csv || bench_append(csv, "problem,slipstick_s,cvode_s", row);
}

int main(int argc, char** argv)
{
    static const problem problems[] = {{"hunting", true, 60, 1.0}, {"pendulum", false, 40, 0.5}};
    const char* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    bool good = true;
    for (size_t k = 0; k < sizeof problems / sizeof problems[0]; k++)
        good = compare(&problems[k], csv) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
