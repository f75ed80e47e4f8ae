// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a certificate promises where friction is higher at rest, or differs by direction, and springs stiffen:
// random rows of bodies, followed by the engine. The energy is summed here over the springs as drawn.
#include "random_system.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { SYSTEMS = 20 };
#else
enum { SYSTEMS = 120 };
#endif
enum { MOST = 4 };

typedef struct drawn {
    rig parts;
    int n;
    bool cubic;
    double force[MOST];
    ss_model* model;
    ss_certificate* certificate;
} drawn;

static ss_coulomb draw_law(random_source* r, int kind)
{
    ss_coulomb law = ss_coulomb_make(random_between(r, 0.5, 2));
    if (kind & 1) law.backward = law.static_backward = random_between(r, 0.5, 2);
    if (kind & 2) {
        law.static_forward = law.forward * random_between(r, 1, 1.5);
        law.static_backward = law.backward * random_between(r, 1, 1.5);
    }
    return law;
}

// Bodies in a row, springs to the ground and between neighbours, a floor under each, now and then a contact
// between neighbours; the first spring's damper feeds energy in.
static void draw_system(uint64_t seed, drawn* d)
{
    random_source source = {seed}, *r = &source;
    rig_init(&d->parts);
    d->n = random_integer(r, 1, MOST);
    d->cubic = seed % 3 == 0;
    for (int b = 0; b < d->n; b++) rig_body(&d->parts, random_between(r, 0.5, 2), 0, 0);
    for (int b = 0; b < d->n; b++) {
        double damping = b == 0 ? -random_between(r, 0.1, 0.4) : random_between(r, 0.05, 0.5);
        ss_connection_def* spring = rig_spring(&d->parts, b, SS_GROUND, random_between(r, 0.5, 2), damping);
        spring->length = random_between(r, -0.5, 0.5);
        if (d->cubic) spring->cubic = random_between(r, 0, 1);
        if (b > 0) rig_spring(&d->parts, b, b - 1, random_between(r, 0.5, 2), random_between(r, 0, 0.1));
        rig_coulomb(&d->parts, b, SS_GROUND, 1)->coulomb = draw_law(r, (int)(seed % 4));
        if (b > 0 && random_integer(r, 0, 2) == 0)
            rig_coulomb(&d->parts, b, b - 1, 1)->coulomb = draw_law(r, (int)(seed % 4));
        d->force[b] = random_between(r, -1, 1);
        char text[32];
        snprintf(text, sizeof text, "%.17g", d->force[b]);
        rig_force(&d->parts, b, text);
    }
    ss_error err;
    d->model = rig_model(&d->parts);
    if (ss_certify(d->model, NULL, &d->certificate, &err) != SS_OK) fail_msg("%s", err.text);
}

static double along(const ss_row_def* row, const double x[])
{
    double sum = 0.0;
    for (int k = 0; k < row->count; k++)
        if (row->terms[k].body != SS_GROUND) sum += row->terms[k].factor * x[row->terms[k].body];
    return sum;
}

// Springs, forces, and the part of kinetic friction that does not depend on the direction of slip.
static double potential(const drawn* d, const double q[])
{
    double sum = 0.0;
    for (int k = 0; k < d->parts.def.connection_count; k++) {
        const ss_connection_def* spring = &d->parts.connections[k];
        double e = along(&spring->along, q) - spring->length;
        sum += 0.5 * spring->stiffness * e * e + 0.25 * spring->cubic * e * e * e * e;
    }
    for (int b = 0; b < d->n; b++) sum -= d->force[b] * q[b];
    for (int k = 0; k < d->parts.def.contact_count; k++) {
        const ss_coulomb* law = &d->parts.contacts[k].coulomb;
        sum -= 0.5 * (law->backward - law->forward) * along(&d->parts.contacts[k].along, q);
    }
    return sum;
}

static double energy(const drawn* d, const double q[], const double v[])
{
    double sum = potential(d, q) - potential(d, d->certificate->set.center);
    for (int b = 0; b < d->n; b++) sum += 0.5 * d->parts.bodies[b].mass * v[b] * v[b];
    return sum;
}

// A start on the level: a direction, and as far along it as the energy allows.
static void draw_start(random_source* r, const drawn* d, double level, double q[], double v[])
{
    double dq[MOST], dv[MOST], low = 0.0, high = 1e3;
    for (int i = 0; i < d->n; i++) {
        dq[i] = random_between(r, -1, 1);
        dv[i] = random_between(r, -1, 1);
    }
    for (int round = 0; round < 60; round++) {
        double s = 0.5 * (low + high);
        for (int i = 0; i < d->n; i++) {
            q[i] = d->certificate->set.center[i] + s * dq[i];
            v[i] = s * dv[i];
        }
        *(energy(d, q, v) <= level ? &low : &high) = s;
    }
}

// What is missing to equilibrium: force and speed together.
static double unrest(const drawn* d, const double q[], const double v[])
{
    ss_membership place;
    assert_int_equal(ss_certificate_locate(d->certificate, q, &place, NULL), SS_OK);
    double sum = place.excess;
    for (int i = 0; i < d->n; i++) sum = hypot(sum, v[i]);
    return sum;
}

static void expect_attracted(const drawn* d, const double q[], const double v[], uint64_t seed)
{
    ss_sim_def def = ss_sim_def_default();
    ss_error err;
    ss_sim* sim;
    ss_outcome outcome = SS_TIME_REACHED;
    def.start_x = q;
    def.start_v = v;
    if (ss_sim_create(d->model, &def, &sim, &err) != SS_OK) fail_msg("%s", err.text);
    double before = energy(d, q, v), first = before, start = unrest(d, q, v), left = start;
    for (int k = 1; k <= 400 && outcome != SS_AT_REST && left > 1e-9 * start; k++) {
        if (ss_sim_advance(sim, 0.25 * k, &outcome, &err) != SS_OK) fail_msg("%s", err.text);
        double now = energy(d, ss_sim_x(sim), ss_sim_v(sim));
        if (now > before + 1e-9 * first)
            fail_msg("system %llu: V grows from %g to %g", (unsigned long long)seed, before, now);
        before = now;
        left = unrest(d, ss_sim_x(sim), ss_sim_v(sim));
    }
    if (!(left <= 1e-9 * start))
        fail_msg("system %llu: %g of the unrest is left", (unsigned long long)seed, left / start);
    ss_sim_destroy(sim);
}

static void test_promises_under_other_laws(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++) {
        static drawn d;
        draw_system(seed, &d);
        const ss_certificate* c = d.certificate;
        assert_true(c->verdict == SS_LOCAL || c->verdict == SS_LOCAL_SUBSET);
        random_source r = {seed + 5000};
        for (int start = 0; start < 3; start++) {
            double q[MOST], v[MOST];
            draw_start(&r, &d, 0.999 * (start == 0 ? c->rho_energy : c->rho_star), q, v);
            expect_attracted(&d, q, v, seed);
        }
        ss_certificate_destroy(d.certificate);
        ss_model_destroy(d.model);
    }
}

// Static levels hold: a corner of E, moved inward by a millionth, rests; moved outward, it does not. The
// energy at corners is at most what the certificate says, and with linear springs reaches it.
static void test_corners_are_the_last_to_hold(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++) {
        static drawn d;
        draw_system(seed, &d);
        const ss_certificate* c = d.certificate;
        double largest = 0.0, still[MOST] = {0};
        for (int k = 0; k < c->set.vertex_count; k++) {
            const double* corner = &c->set.vertices[k * d.n];
            largest = fmax(largest, energy(&d, corner, still));
            for (int side = -1; side <= 1 && !d.cubic; side += 2) {
                ss_sim_def def = ss_sim_def_default();
                ss_sim* sim;
                ss_outcome outcome;
                double q[MOST];
                for (int i = 0; i < d.n; i++) {
                    double middle = c->set.center[i] + c->set.offset[i];
                    q[i] = middle + (1 + side * 1e-6) * (corner[i] - middle);
                }
                def.start_x = q;
                def.start_v = still;
                assert_int_equal(ss_sim_create(d.model, &def, &sim, NULL), SS_OK);
                assert_int_equal(ss_sim_advance(sim, 1e-3, &outcome, NULL), SS_OK);
                assert_int_equal(outcome == SS_AT_REST, side < 0);
                ss_sim_destroy(sim);
            }
        }
        if (c->set.vertex_count > 0) assert_true(largest <= c->set.max_energy * (1 + 1e-12));
        if (c->set.vertex_count > 0 && !c->set.bound) assert_true(largest >= c->set.max_energy * (1 - 1e-12));
        ss_certificate_destroy(d.certificate);
        ss_model_destroy(d.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promises_under_other_laws),
        cmocka_unit_test(test_corners_are_the_last_to_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
