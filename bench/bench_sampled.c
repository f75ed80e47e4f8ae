// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How much faster than CVODE, at equal error, is a stage of 2 kg under a PID loop with 1000 ticks a second,
// for 60 s? Once it hunts about a target (static friction above kinetic: it sticks most of the time), once it
// follows a target that swings. The peer is CVODE as an expert writes it: Adams, started anew at each tick
// with the new force, a root where the speed falls to zero, no integration at all while the stage sticks.
#include "block_chain.h"

#include "slipstick/slipstick.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 60, RATE = 1000 };
static const double mass = 2.0, viscous = 5.0, kinetic = 8.0, still = 12.0;
static const double kp = 2000.0, ki = 20000.0, kd = 60.0, every = 1e-3, most = 40.0;

typedef struct course {
    double x[SECONDS]; // at the end of each second
    double time;       // s: that it took
    long events;
} course;

// ---- Slipstick

static ss_model* make_model(bool swings)
{
    ss_error err;
    ss_model* model = NULL;
    ss_body_def body = {.name = "stage", .mass = mass, .start_x = 0.0};
    ss_term terms[] = {{0, 1.0}};
    ss_connection_def oil = {.along = {terms, 1}, .damping = viscous};
    ss_force_def force = {.body = 0, .expression = "command"};
    ss_contact_def guide = {.name = "guide", .along = {terms, 1}, .law = SS_LAW_COULOMB};
    guide.coulomb = (ss_coulomb){kinetic, kinetic, still, still};
    ss_memory_def memory[] = {{.name = "sum"}, {.name = "last"}, {.name = "command"}};
    ss_formula_def lines[] = {{"e", swings ? "0.01*sin(3*t) - stage.x" : "0.01 - stage.x"},
                              {"sum", "sum + e*0.001"},
                              {"command", "clip(2000*e + 20000*sum + 60*(e - last)/0.001, -40, 40)"},
                              {"last", "e"}};
    ss_sampled_def servo = {.name = "servo", .every = every, .memory = memory, .memory_count = 3};
    servo.at_tick = lines;
    servo.at_tick_count = 4;
    ss_system_def def = ss_system_def_default();
    def.title = "A stage under sampled control";
    def.bodies = &body, def.body_count = 1;
    def.connections = &oil, def.connection_count = 1;
    def.forces = &force, def.force_count = 1;
    def.contacts = &guide, def.contact_count = 1;
    def.sampled = &servo, def.sampled_count = 1;
    if (ss_model_create(&def, &model, &err) != SS_OK) fprintf(stderr, "%s: %s\n", err.field, err.text);
    return model;
}

static bool run_slipstick(bool swings, course* out)
{
    ss_error err;
    ss_sim* sim = NULL;
    ss_model* model = make_model(swings);
    ss_sim_def def = ss_sim_def_default();
    def.ledger = false;
    bool good = model && ss_sim_create(model, &def, &sim, &err) == SS_OK;
    double begun = bench_cpu_seconds();
    for (int k = 0; k < SECONDS && good; k++) {
        ss_outcome outcome;
        good = ss_sim_advance(sim, k + 1.0 - 0.5 * every, &outcome, &err) == SS_OK;
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
    void* cvode;
    N_Vector y;
    SUNNonlinearSolver solver;
    SUNContext context;
    double sign, command, sum, last;
    long events;
} peer;

static int rate(double t, N_Vector y, N_Vector out, void* user)
{
    const peer* p = user;
    const double* now = N_VGetArrayPointer(y);
    double* to = N_VGetArrayPointer(out);
    (void)t;
    to[0] = now[1];
    to[1] = (p->command - viscous * now[1] - p->sign * kinetic) / mass;
    return 0;
}

static int root(double t, N_Vector y, double* g, void* user)
{
    (void)t;
    g[0] = ((const peer*)user)->sign * N_VGetArrayPointer(y)[1];
    return 0;
}

static void decide(peer* p, double v, double level)
{
    double before = p->sign;
    p->sign = v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : p->command > level ? 1.0 : p->command < -level ? -1.0 : 0.0;
    p->events += p->sign != before;
}

// From one tick to the next.
static bool cross(peer* p, double t, double end)
{
    double* y = N_VGetArrayPointer(p->y);
    while (t < end && p->sign != 0.0) {
        if (CVodeReInit(p->cvode, t, p->y) != CV_SUCCESS || CVodeSetStopTime(p->cvode, end) != CV_SUCCESS)
            return false;
        int flag = CVode(p->cvode, end, p->y, &t, CV_NORMAL);
        if (flag < 0) return false;
        if (flag != CV_ROOT_RETURN) return true;
        y[1] = 0.0;
        decide(p, 0.0, still);
    }
    return true;
}

static void control(peer* p, double t, bool swings)
{
    const double* y = N_VGetArrayPointer(p->y);
    double e = (swings ? 0.01 * sin(3.0 * t) : 0.01) - y[0];
    p->sum += e * every;
    p->command = fmin(fmax(kp * e + ki * p->sum + kd * (e - p->last) / every, -most), most);
    p->last = e;
    decide(p, y[1], still);
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
           CVodeSStolerances(p->cvode, tolerance, 1e-3 * tolerance) == CV_SUCCESS &&
           CVodeSetUserData(p->cvode, p) == CV_SUCCESS &&
           CVodeSetNonlinearSolver(p->cvode, p->solver) == CV_SUCCESS &&
           CVodeRootInit(p->cvode, 1, root) == CV_SUCCESS &&
           CVodeSetRootDirection(p->cvode, &down) == CV_SUCCESS &&
           CVodeSetNoInactiveRootWarn(p->cvode) == CV_SUCCESS;
}

static bool run_cvode(bool swings, double tolerance, course* out)
{
    peer p = {0};
    bool good = open_peer(&p, tolerance);
    double begun = bench_cpu_seconds();
    for (int i = 0; i < SECONDS * RATE && good; i++) {
        double t = i * every, end = (i + 1) * every;
        control(&p, t, swings);
        good = cross(&p, t, end - 0.5 * every * ((i + 1) % RATE == 0));
        if ((i + 1) % RATE != 0) continue;
        out->x[i / RATE] = N_VGetArrayPointer(p.y)[0]; // half a tick earlier, as on the other side
        good = good && cross(&p, end - 0.5 * every, end);
    }
    out->time = bench_cpu_seconds() - begun;
    out->events = p.events;
    N_VDestroy(p.y);
    CVodeFree(&p.cvode);
    SUNNonlinSolFree(p.solver);
    SUNContext_Free(&p.context);
    return good;
}

// ---- the comparison

static double error_of(const course* a, const course* b, int seconds)
{
    double error = 0.0;
    for (int k = 0; k < seconds; k++) error = fmax(error, fabs(a->x[k] - b->x[k]) / 0.01);
    return error;
}

// Hunting multiplies errors by about seven each second: only its beginning can be compared.
static bool compare(const char* name, bool swings, int seconds, const char* csv)
{
    course ours, truth, theirs = {.time = INFINITY};
    double tolerance = 1e-4, error = INFINITY;
    if (!run_slipstick(swings, &ours) || !run_cvode(swings, 1e-13, &truth)) return false;
    double own = error_of(&ours, &truth, seconds);
    if (!(own < 1e-8)) {
        fprintf(stderr, "%s: the two disagree by %g: no figures\n", name, own);
        return false;
    }
    for (; tolerance > 1e-13 && !(error <= 1e-8); tolerance *= 0.3)
        error = run_cvode(swings, tolerance, &theirs) ? error_of(&theirs, &truth, seconds) : INFINITY;
    for (int k = 0; k < 5; k++) {
        course again;
        if (run_slipstick(swings, &again)) ours.time = fmin(ours.time, again.time);
    }
    double ticks = SECONDS * (double)RATE / ours.time;
    printf(
        "  %-8s  %8.2f ms  (%.2g ticks/s, error %.0e, %ld events)  CVODE %8.1f ms (error %.0e)  ratio %.0f\n",
        name, 1e3 * ours.time, ticks, own, ours.events, 1e3 * theirs.time, error, theirs.time / ours.time);
    char row[160];
    snprintf(row, sizeof row, "%s,%g,%g,%g", name, ticks, ours.time, theirs.time);
    return !csv || bench_append(csv, "problem,ticks_per_s,slipstick_s,cvode_s", row);
}

int main(int argc, char** argv)
{
    const char* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    bool good = compare("hunts", false, 3, csv);
    good = compare("follows", true, SECONDS, csv) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
