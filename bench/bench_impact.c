// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How much faster than CVODE with root finding is the carried aluminium disk (seed 001) followed through its
// bounces and its ring-down on the frame, 10 s in all, at an equal error of 1e-8 s in the time of the 20th
// impact? Each takes the loosest tolerance, of powers of sqrt(10), that keeps the error below that.
//
//     bench_impact [--csv FILE]
#include "block_chain.h"
#include "disk.h"
#include "slipstick/slipstick.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REPETITIONS = 7 };
static const double error_allowed = 1e-8;
static const double step = 0.31622776601683794; // between tolerances tried: half a power of 10

typedef struct answer {
    disk_motion motion;
    double tolerance, seconds, error; ///< s, best of the repetitions; s, of the 20th impact
} answer;

typedef struct ours {
    ss_model* model;
    ss_sim* sim;
    const disk* d;
    disk_motion* out;
} ours;

static void count(void* user, const ss_event* event)
{
    ours* o = user;
    if (event->contact == 1 && event->to == SS_MODE_CLOSED && ++o->out->impacts == DISK_IMPACT)
        o->out->impact = event->t;
}

static bool make_model(const disk* d, ss_model** model)
{
    ss_error err;
    ss_signal* speed = NULL;
    ss_body_def bodies[2] = {ss_body_def_default(), ss_body_def_default()};
    ss_term rides[] = {{0, 1}, {1, -1}}, meets[] = {{0, 1}};
    ss_contact_def contacts[2] = {ss_contact_def_default(), ss_contact_def_default()};
    ss_system_def def = ss_system_def_default();
    if (ss_signal_constant(d->speed, &speed, &err) != SS_OK) return false;
    bodies[0] = (ss_body_def){.name = "disk", .mass = d->mass, .start_x = d->start, .start_v = d->speed};
    bodies[1].name = "platform";
    bodies[1].speed = speed;
    bodies[1].start_x = d->start;
    contacts[0].name = "surface";
    contacts[0].along = (ss_row_def){rides, 2};
    contacts[0].coulomb = ss_coulomb_make(d->friction);
    contacts[1].name = "frame";
    contacts[1].along = (ss_row_def){meets, 1};
    contacts[1].law = SS_LAW_HUNT_CROSSLEY;
    contacts[1].hunt_crossley =
        (ss_hunt_crossley){.side = 1, .stiffness = d->stiffness, .exponent = 1.5, .alpha = d->alpha};
    def.bodies = bodies;
    def.body_count = 2;
    def.contacts = contacts;
    def.contact_count = 2;
    ss_status status = ss_model_create(&def, model, &err);
    ss_signal_destroy(speed);
    return status == SS_OK;
}

static bool run_ours(void* way, disk_motion* out)
{
    ours* o = way;
    ss_outcome outcome;
    ss_error err;
    *out = (disk_motion){0};
    o->out = out;
    if (ss_sim_restart(o->sim, NULL, NULL, &err) != SS_OK) return false;
    if (ss_sim_advance(o->sim, o->d->until, &outcome, &err) != SS_OK) return false;
    out->x = ss_sim_x(o->sim)[0];
    return true;
}

static bool run_peer(void* way, disk_motion* out) { return disk_cvode_run(way, out); }

typedef bool runner(void* way, disk_motion* out);

static bool measure(runner* run, void* way, const disk_motion* truth, answer* out)
{
    out->seconds = INFINITY;
    for (int k = 0; k < REPETITIONS; k++) {
        double begin = bench_seconds();
        if (!run(way, &out->motion)) return false;
        out->seconds = fmin(out->seconds, bench_seconds() - begin);
        out->error = fabs(out->motion.impact - truth->impact);
        if (out->error > error_allowed) break; // not good enough: its time is not asked for
    }
    return true;
}

// The loosest tolerance that is good enough.
static bool try_ours(const disk* d, const disk_motion* truth, answer* out)
{
    ours o = {.d = d};
    ss_sim_def def = ss_sim_def_default();
    bool good = make_model(d, &o.model);
    def.ledger = false; // CVODE keeps none either
    def.on_event = count;
    def.user = &o;
    out->error = INFINITY;
    for (def.tolerance = 1e-1; good && out->error > error_allowed && def.tolerance > 1e-14;
         def.tolerance *= step) {
        disk_motion start = {0};
        ss_error err;
        o.out = &start;
        out->tolerance = def.tolerance;
        good = ss_sim_create(o.model, &def, &o.sim, &err) == SS_OK && measure(run_ours, &o, truth, out);
        ss_sim_destroy(o.sim);
        o.sim = NULL;
    }
    ss_model_destroy(o.model);
    return good;
}

static bool try_peer(const disk* d, const disk_motion* truth, answer* out)
{
    bool good = true;
    out->error = INFINITY;
    for (double tolerance = 1e-4; good && out->error > error_allowed && tolerance > 1e-14;
         tolerance *= step) {
        disk_cvode* peer = disk_cvode_create(d, tolerance);
        out->tolerance = tolerance;
        good = peer && measure(run_peer, peer, truth, out);
        disk_cvode_destroy(peer);
    }
    return good;
}

static bool agrees(const char* who, const answer* got, const disk_motion* truth)
{
    if (got->error <= error_allowed && got->motion.impacts == truth->impacts &&
        fabs(got->motion.x - truth->x) <= 1e-6 * fabs(truth->x))
        return true;
    fprintf(stderr, "%s disagrees: 20th impact by %.3g s, %ld impacts instead of %ld, end by %.3g m\n", who,
            got->error, got->motion.impacts, truth->impacts, got->motion.x - truth->x);
    return false;
}

static bool report(const disk* d, const answer* mine, const answer* peer, const char* csv)
{
    printf("k = %g N/m^1.5: %ld impacts in %g s, one core, best of %d\n", d->stiffness, mine->motion.impacts,
           d->until, REPETITIONS);
    printf("  Slipstick  %9.3f ms, 20th impact within %.2g s (tolerance %.0e)\n", 1e3 * mine->seconds,
           mine->error, mine->tolerance);
    printf("  CVODE      %9.3f ms, 20th impact within %.2g s (tolerance %.0e)\n", 1e3 * peer->seconds,
           peer->error, peer->tolerance);
    printf("  %.1f times faster (goal 10)\n", peer->seconds / mine->seconds);
    if (!csv) return true;
    char row[200];
    snprintf(row, sizeof row, "%g,%ld,%.4g,%.3g,%.4g,%.3g,%.4g", d->stiffness, mine->motion.impacts,
             1e3 * mine->seconds, mine->error, 1e3 * peer->seconds, peer->error,
             peer->seconds / mine->seconds);
    return bench_append(csv,
                        "stiffness [N/m^1.5],impacts,slipstick [ms],slipstick error [s],cvode [ms],cvode "
                        "error [s],faster",
                        row);
}

int main(int argc, char** argv)
{
    const char* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    if (argc > 1 && !csv) {
        fprintf(stderr, "usage: bench_impact [--csv FILE]\n");
        return 2;
    }
    disk d = {.mass = 0.024, .friction = 0.1106, .speed = 0.1, .alpha = 0.3, .start = -0.01, .until = 10.0};
    bool good = true;
    for (d.stiffness = 1e5; d.stiffness < 2e6 && good; d.stiffness *= 10.0) {
        disk_motion truth;
        answer mine = {0}, peer = {0};
        good = disk_truth(&d, &truth) && try_ours(&d, &truth, &mine) && try_peer(&d, &truth, &peer);
        if (!good) fprintf(stderr, "a run failed\n");
        good = good && agrees("Slipstick", &mine, &truth) && agrees("CVODE", &peer, &truth) &&
               report(&d, &mine, &peer, csv);
    }
    return good ? 0 : 1;
}
