// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How close to the truth does a bar on two points come to rest, ours against MuJoCo, and how fast? MuJoCo as
// its manual advises where objects must not slip: elliptic friction cones, Newton's solver, a large impratio,
// the no-slip iterations, stiff contacts. The bar may move along x, y, z and turn about z; its centre of mass
// is at the height of the floor, so that friction does not tip it.
//
// MuJoCo's contacts are relaxed: what slides with v moves away from the floor with about mu v, and a bar with
// mu = 1 hops and is off by half a metre. Only mu m g matters to the motion, so the weight is made 1e5 times
// what it is and mu as many times smaller, down to the least that MuJoCo takes: then the bar stays down, and
// what is left is the error of its time steps, three of which are tried.
#define _POSIX_C_SOURCE 200809L // mkstemp, fdopen
#include "block_chain.h"
#include "slipstick/slipstick.h"

#include <mujoco/mujoco.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double start[3] = {1.0, 0.5, 1.0};                                             // vx, vy, spin
static const double truth[3] = {0.8848745980154145, 0.5884983530536902, 1.066727776458091}; // x, y, angle

static const double steps[] = {5e-4, 1e-4, 2e-5}; // s
enum { TRIES = sizeof steps / sizeof steps[0] };

// The time constant of contacts is 4 steps; 2 is the least that is stable.
static const char model_text[] =
    "<mujoco><option timestep='%g' gravity='0 0 -1e5' cone='elliptic' solver='Newton' impratio='100'"
    " noslip_iterations='20' tolerance='1e-14' iterations='200' noslip_tolerance='1e-14'/>"
    "<default><geom friction='1e-5 0 0' condim='3' solref='%g 1' solimp='0.99 0.999 0.0001'/></default>"
    "<worldbody><geom type='plane' size='10 10 1'/>"
    "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
    "<joint type='slide' axis='0 0 1'/><joint type='hinge' axis='0 0 1'/>"
    "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
    "<geom type='sphere' size='0.01' pos='0 1 0.01'/><geom type='sphere' size='0.01' pos='0 -1 0.01'/>"
    "</body></worldbody></mujoco>";

typedef struct answer {
    double seconds, error;
    bool lifted; // off the floor at some time
} answer;

static double error_of(double x, double y, double angle)
{
    return fmax(fmax(fabs(x - truth[0]), fabs(y - truth[1])), fabs(angle - truth[2]));
}

static bool measure_ours(answer* out)
{
    enum { RUNS = 200 };
    ss_support_def ends[2] = {ss_support_def_default(), ss_support_def_default()};
    ss_slider_def def = ss_slider_def_default();
    ss_slide_def slide_def = ss_slide_def_default();
    ss_slider* slider = NULL;
    ss_slide* slide = NULL;
    ss_error err;
    for (int i = 0; i < 2; i++) {
        ends[i].position_m[1] = i ? -1.0 : 1.0;
        ends[i].load = 0.5;
        ends[i].mu[0] = ends[i].mu[1] = 1.0;
    }
    def.mass_kg = def.gyration_m = def.gravity = 1.0;
    def.supports = ends;
    def.support_count = 2;
    memcpy(def.start_speed, start, sizeof def.start_speed);
    slide_def.tolerance = 1e-12;
    ss_outcome outcome = SS_TIME_REACHED;
    bool good = ss_slider_create(&def, &slider, &err) == SS_OK &&
                ss_slide_create(slider, &slide_def, &slide, &err) == SS_OK;
    double begin = bench_cpu_seconds();
    for (int i = 0; i < RUNS && good; i++)
        good = ss_slide_restart(slide, NULL, NULL, &err) == SS_OK &&
               ss_slide_advance(slide, 60.0, &outcome, &err) == SS_OK && outcome == SS_AT_REST;
    out->seconds = (bench_cpu_seconds() - begin) / RUNS;
    if (good) {
        ss_slider_state end = ss_slide_state(slide);
        out->error = error_of(end.x, end.y, end.angle);
    }
    ss_slide_destroy(slide);
    ss_slider_destroy(slider);
    return good;
}

// MuJoCo reads models from files.
static mjModel* read_model(double step)
{
    char name[] = "/tmp/bar-XXXXXX", path[64], fault[300] = "";
    int descriptor = mkstemp(name);
    if (descriptor < 0) return NULL;
    close(descriptor);
    remove(name);
    snprintf(path, sizeof path, "%s.xml", name);
    FILE* file = fopen(path, "w");
    if (!file) return NULL;
    fprintf(file, model_text, step, 4.0 * step);
    fclose(file);
    mjModel* model = mj_loadXML(path, NULL, fault, sizeof fault);
    remove(path);
    if (!model) fprintf(stderr, "MuJoCo: %s\n", fault);
    return model;
}

static bool measure_peer(double step, answer* out)
{
    mjModel* model = read_model(step);
    mjData* data = model ? mj_makeData(model) : NULL;
    if (!data) return false;
    while (data->time < 1.0) mj_step(model, data); // let it settle on its contacts
    for (int i = 0; i < 4; i++) data->qpos[i] = i == 2 ? data->qpos[2] : 0.0;
    for (int i = 0; i < 4; i++) data->qvel[i] = i == 2 ? 0.0 : start[i == 3 ? 2 : i];
    double begin = bench_cpu_seconds(), until = data->time + 3.0;
    for (out->lifted = false; data->time < until; out->lifted = out->lifted || data->ncon < 2)
        mj_step(model, data);
    out->seconds = bench_cpu_seconds() - begin;
    out->error = error_of(data->qpos[0], data->qpos[1], data->qpos[3]);
    mj_deleteData(data);
    mj_deleteModel(model);
    return true;
}

int main(void)
{
    answer ours, peer[TRIES];
    int best = 0;
    if (!measure_ours(&ours)) return 1;
    for (int k = 0; k < TRIES; k++) {
        if (!measure_peer(steps[k], &peer[k])) return 1;
        if (peer[k].error < peer[best].error) best = k;
    }
    if (ours.error > 1e-9 || peer[best].error > 1e-2 || peer[best].lifted) {
        fprintf(stderr, "off by %.2g m (Slipstick) and %.2g m (MuJoCo%s)\n", ours.error, peer[best].error,
                peer[best].lifted ? ", off the floor" : "");
        return 1;
    }
    printf("bar on two points to rest\n  Slipstick             %10.1f us, error %.1e\n", 1e6 * ours.seconds,
           ours.error);
    for (int k = 0; k < TRIES; k++)
        printf("  MuJoCo, steps of %g s %10.1f us, error %.1e\n", steps[k], 1e6 * peer[k].seconds,
               peer[k].error);
    printf("  against its best: %.0f times faster, error %.1e of theirs (goal: less time, 1e-6)\n",
           peer[best].seconds / ours.seconds, ours.error / peer[best].error);
    return 0;
}
