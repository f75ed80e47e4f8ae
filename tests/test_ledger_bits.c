// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Keeping the books changes no motion: with the ledger and without it, places, speeds, forces, states and
// events of every model of the atlas are the same, to the bit; and where a ledger is kept it closes.
#include "share/model_parts.h"
#include "share/run.h"
#include "slipstick/lab.h"
#include "text_rig.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LOOKS = 97 };

// What is seen of a run is folded into one number: a single bit that differs changes it.
typedef struct course {
    uint64_t bits;
    long events;
} course;

static void see(course* c, const void* what, size_t size)
{
    const unsigned char* bytes = what;
    for (size_t k = 0; k < size; k++) c->bits = (c->bits ^ bytes[k]) * 0x100000001b3u;
}

static void on_event(void* user, const ss_event* event)
{
    course* c = user;
    c->events++;
    see(c, &event->t, sizeof event->t);
    see(c, &event->contact, sizeof event->contact);
    see(c, &event->to, sizeof event->to);
}

static void look(const ss_model* model, ss_sim* sim, course* c)
{
    double t = ss_sim_time(sim);
    size_t bodies = (size_t)ss_model_body_count(model), states = (size_t)ss_model_state_count(model),
           memory = (size_t)ss_model_memory_count(model);
    see(c, &t, sizeof t);
    see(c, ss_sim_x(sim), bodies * sizeof(double));
    see(c, ss_sim_v(sim), bodies * sizeof(double));
    if (states > 0) see(c, ss_sim_states(sim), states * sizeof(double));
    if (memory > 0) see(c, ss_sim_memory(sim), memory * sizeof(double));
    for (int i = 0; i < ss_model_contact_count(model); i++) {
        double force = ss_sim_contact(sim, i).force;
        see(c, &force, sizeof force);
    }
}

// Looks now and then on the way, and never where a step ends.
static course run(const ss_model* model, bool ledger, double until, const char* name)
{
    course c = {0};
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim = NULL;
    ss_error err;
    def.ledger = ledger;
    def.on_event = on_event;
    def.user = &c;
    if (ss_sim_create(model, &def, &sim, &err) != SS_OK) fail_msg("%s: %s", name, err.text);
    look(model, sim, &c);
    for (int k = 1; k <= LOOKS; k++) {
        text_run_to(sim, until * k / LOOKS);
        look(model, sim, &c);
    }
    ss_energy e = ss_sim_energy(sim);
    if (ledger && !(fabs(e.residual) <= e.allowed))
        fail_msg("%s: the ledger is off by %g J, allowed are %g", name, e.residual, e.allowed);
    ss_sim_destroy(sim);
    return c;
}

static void expect_the_same(const ss_model* model, double until, const char* name)
{
    course with = run(model, true, until, name), without = run(model, false, until, name);
    if (with.events != without.events || with.bits != without.bits)
        fail_msg("%s: the motion is another one where no ledger is kept", name);
}

static void every_model(void** state)
{
    (void)state;
    int count = 0;
    DIR* folder = opendir(SS_SOURCE_DIR "/models");
    assert_non_null(folder);
    for (struct dirent* entry; (entry = readdir(folder));) {
        char path[1024];
        ss_document* document = NULL;
        ss_model* model = NULL;
        ss_error err;
        if (!strstr(entry->d_name, ".yaml")) continue;
        snprintf(path, sizeof path, "%s/models/%.255s", SS_SOURCE_DIR, entry->d_name);
        assert_int_equal(ss_document_read_yaml(path, &document, &err), SS_OK);
        bool bodies = ss_model_create_from_document(document, &model, &err) == SS_OK; // else a slider
        if (bodies) expect_the_same(model, fmin(ss_model_until(model), 50.0), entry->d_name);
        count += bodies;
        ss_model_destroy(model);
        ss_document_destroy(document);
    }
    closedir(folder);
    assert_true(count > 20);
}

// Ways that models of the atlas may not take: each of these has one of its own.
static void every_way(void** state)
{
    static const struct {
        const char *name, *text;
        double until;
    } ways[] = {
        {"the speed of a contact as clock",
         "bodies: {a: {mass: 2 kg}}\n"
         "states: {sum: {rate: \"0.01 m - a.x\"}}\n"
         "forces: [{body: a, force: \"2000 N/m*(0.01 m - a.x) + 20000 N/(m*s)*sum - 60 N*s/m*a.v\"}]\n"
         "contacts: {guide: {between: [a, ground], law: stribeck, coulomb: 8 N, static: 12 N,"
         " stribeck_speed: 2 mm/s}}\n",
         20.0},
        {"the same beside dampers, a spring and a constant force",
         "bodies: {a: {mass: 1 kg}, b: {mass: 0.3 kg}}\n"
         "start: {a: {x: 0.2 m}, b: {v: 0.3 m/s}}\n"
         "forces: [{body: b, force: 0.5 N}, {body: a, force: \"-4 N*s/m*a.v\", ledger: damping}]\n"
         "connections: [{between: [a, b], damping: 2 N*s/m}, {between: [a, ground], stiffness: 100 N/m}]\n"
         "contacts:\n"
         "  guide: {between: [a, ground], law: stribeck, coulomb: 3 N, static: 5 N, stribeck_speed: 4 mm/s}\n"
         "  rail: {between: [b, ground], law: coulomb, friction: 0.02 N}\n",
         3.0},
        {"from tick to tick",
         "bodies: {a: {mass: 1 kg}, b: {mass: 0.5 kg}}\n"
         "states: {coil: {rate: \"(command - coil)/3 ms\"}}\n"
         "connections: [{between: [a, b], stiffness: 4 kN/m, damping: 2 N*s/m}]\n"
         "sampled:\n"
         "  servo:\n"
         "    every: 1.5 ms\n"
         "    offset: 0.2 ms\n"
         "    delay: 0.4 ms\n"
         "    memory: {command: 0 N}\n"
         "    at_tick:\n"
         "      - command: \"400 N/m*(20 mm*sin(2 rad/s*t) - a.x) - 25 N*s/m*a.v\"\n"
         "forces: [{body: a, force: coil}, {body: b, force: \"0.1*command - 3 N*s/m*b.v\"}]\n"
         "contacts:\n"
         "  guide: {between: [a, ground], law: coulomb, friction: 0.5 N}\n"
         "  rail: {between: [b, ground], law: coulomb, friction: 0.2 N, static: 0.25 N}\n",
         4.0},
        {"strides under waves",
         "bodies: {a: {mass: 1 kg}, b: {mass: 2 kg}}\n"
         "connections: [{between: [a, b], stiffness: 50 N/m, damping: 0.3 N*s/m},\n"
         "              {between: [b, ground], stiffness: 80 N/m}]\n"
         "forces: [{body: a, force: \"2 N + 5 N*sin(3 rad/s*t) + 1 N*cos(7 rad/s*t)\"}]\n"
         "contacts: {floor: {between: [a, ground], law: coulomb, friction: 1.5 N, static: 2 N}}\n",
         40.0},
        {"strides with states",
         "bodies: {a: {mass: 1 kg}}\n"
         "start: {a: {x: 0.3 m}}\n"
         "states: {slow: {rate: \"(a.x - slow)/0.2 s\"}}\n"
         "forces: [{body: a, force: \"-60 N/m*a.x + 5 N/m*slow - 0.4 N*s/m*a.v\"},\n"
         "         {body: a, force: \"-1 N*s/m*a.v + 0.1 N\", ledger: damping}]\n"
         "contacts: {floor: {between: [a, ground], law: coulomb, friction: 0.2 N, static: 0.3 N}}\n",
         10.0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        ss_model* model = text_parts_model(ways[k].text);
        expect_the_same(model, ways[k].until, ways[k].name);
        ss_model_destroy(model);
    }
}

// Two bodies at 3 m on a shaft that is given as a matrix: q^T K q = 18 J is what is left of terms of 3.6e9 J,
// and the ledger says so.
static void terms_that_cancel(void** state)
{
    (void)state;
    ss_model* model = text_parts_model("matrices:\n"
                                       "  M: [[1, 0], [0, 1]]\n"
                                       "  C: [[0, 0], [0, 0]]\n"
                                       "  K: [[100000001, -1e8], [-1e8, 100000001]]\n"
                                       "  W: [[1], [0]]\n"
                                       "  friction: [0.1]\n"
                                       "start: {q1: {x: 3}, q2: {x: 3}}\n");
    ss_sim* sim = text_run(model, true, 1e-10);
    ss_energy e = ss_sim_energy(sim);
    assert_true(fabs(e.start - 9.0) < 1e-5);
    assert_true(fabs(e.reached - 1.8e9) < 1e3);
    ss_sim_destroy(sim);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_model), cmocka_unit_test(every_way),
                                       cmocka_unit_test(terms_that_cancel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
