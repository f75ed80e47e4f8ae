// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Smooth flow against CVODE: two blocks on belts with Stribeck friction, joined by springs with a cubic part.
// Each block has its own belt and M is diagonal, so each contact decides for itself:
//
//     m_i x_i'' = load_i(x, v) + force_i,   force_i = -sgn(s) level(|s|) for s = v_i - u_i != 0,
//
// and sticks while |load_i| <= static level. Sequence of modes, times to 1e-7, states to 1e-7.
#include "peer_march.h"
#include "random_system.h"
#include "share/model_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SYSTEMS = 150, MAX_EVENTS = 1000 };
static const double guard = 1e-4, until = 15.0, accuracy = 1e-7;

typedef struct spring {
    double stiffness, damping, cubic;
} spring;

typedef struct pair {
    double mass[2], belt[2], x[2], v[2];
    spring springs[3]; ///< block 1 to ground, block 1 to block 2, block 2 to ground
    ss_stribeck law[2];
} pair;

typedef struct peer {
    const pair* p;
    int mode[2];
    double armed[2];
    double t, y[4]; ///< x1, x2, v1, v2
    ss_event events[MAX_EVENTS];
    int event_count;
    bool doubtful;
} peer;

static double pull(const spring* s, double e, double rate)
{
    return -(s->stiffness * e + s->cubic * e * e * e + s->damping * rate);
}

static void loads(const pair* p, const double y[], double load[])
{
    double between = pull(&p->springs[1], y[0] - y[1], y[2] - y[3]);
    load[0] = pull(&p->springs[0], y[0], y[2]) + between;
    load[1] = pull(&p->springs[2], y[1], y[3]) - between;
}

static double level(const ss_stribeck* law, double s)
{
    double fall = exp(-pow(s / law->speed, law->shape));
    return law->coulomb + (law->static_level - law->coulomb) * fall + law->viscous * s;
}

static int rate(double t, N_Vector state, N_Vector out, void* user)
{
    const peer* q = user;
    const double* y = N_VGetArrayPointer(state);
    double *dy = N_VGetArrayPointer(out), load[2];
    (void)t;
    loads(q->p, y, load);
    for (int i = 0; i < 2; i++) {
        double s = fabs(y[2 + i] - q->p->belt[i]);
        dy[i] = y[2 + i];
        dy[2 + i] = q->mode[i] == 0 ? 0.0 : (load[i] - q->mode[i] * level(&q->p->law[i], s)) / q->p->mass[i];
    }
    return 0;
}

static int roots(double t, N_Vector state, double* g, void* user)
{
    const peer* q = user;
    const double* y = N_VGetArrayPointer(state);
    double load[2];
    loads(q->p, y, load);
    for (int i = 0; i < 2; i++) {
        double s = q->mode[i] * (y[2 + i] - q->p->belt[i]);
        g[i] = q->mode[i] == 0 ? q->p->law[i].static_level - fabs(load[i]) : t < q->armed[i] ? 1.0 : s;
    }
    return 0;
}

static ss_mode mode_of(int sign)
{
    return sign > 0 ? SS_MODE_SLIP_PLUS : sign < 0 ? SS_MODE_SLIP_MINUS : SS_MODE_STICK;
}

// Contact i is at zero velocity: it sticks if it arrived and can, and slips the way the load says otherwise.
static int decide(peer* q, int i, bool may_stick)
{
    double load[2];
    q->y[2 + i] = q->p->belt[i];
    loads(q->p, q->y, load);
    double left = q->p->law[i].static_level - fabs(load[i]);
    if (may_stick && fabs(left) < 1e-6) q->doubtful = true;
    q->armed[i] = q->t + guard;
    return may_stick && left >= 0.0 ? 0 : load[i] > 0.0 ? 1 : -1;
}

static void begin(peer* q, const pair* p)
{
    memset(q, 0, sizeof *q);
    q->p = p;
    for (int i = 0; i < 2; i++) {
        q->y[i] = p->x[i];
        q->y[2 + i] = p->v[i];
    }
    for (int i = 0; i < 2; i++) {
        double s = p->v[i] - p->belt[i];
        q->mode[i] = s > 0.0 ? 1 : s < 0.0 ? -1 : decide(q, i, true);
    }
}

static void pass_event(void* peer_of, const int found[])
{
    peer* q = peer_of;
    for (int i = 0; i < 2; i++) {
        if (found[i] == 0) continue;
        int before = q->mode[i], after = decide(q, i, before != 0);
        q->mode[i] = after;
        if (q->event_count == MAX_EVENTS) continue;
        q->events[q->event_count++] =
            (ss_event){.t = q->t, .contact = i, .from = mode_of(before), .to = mode_of(after)};
    }
}

static double next_stop(const void* peer_of)
{
    const peer* q = peer_of;
    double stop = until;
    for (int i = 0; i < 2; i++)
        if (q->mode[i] != 0 && q->armed[i] > q->t) stop = fmin(stop, q->armed[i]);
    return stop;
}

static void integrate(peer* q)
{
    peer_march_to_end(&(peer_march){.peer = q,
                                    .t = &q->t,
                                    .y = q->y,
                                    .size = 4,
                                    .until = until,
                                    .doubtful = &q->doubtful,
                                    .absolute = 1e-14,
                                    .longest = 0.004,
                                    .rate = rate,
                                    .roots = roots,
                                    .root_count = 2,
                                    .falling = true,
                                    .pause = next_stop,
                                    .pass = pass_event});
}

static void draw(pair* p, uint64_t seed)
{
    random_source r = {.state = seed * 7919u};
    for (int i = 0; i < 3; i++)
        p->springs[i] = (spring){random_between(&r, 0.5, 4.0), random_between(&r, -0.05, 0.3),
                                 random_integer(&r, 0, 1) ? random_between(&r, 0.0, 1.0) : 0.0};
    for (int i = 0; i < 2; i++) {
        p->mass[i] = random_between(&r, 0.3, 3.0);
        p->belt[i] = random_integer(&r, 0, 2) ? 0.25 * random_integer(&r, -3, 3) : 0.0;
        p->x[i] = random_between(&r, -2.0, 2.0);
        p->v[i] = random_integer(&r, 0, 1) ? p->belt[i] : random_between(&r, -2.0, 2.0);
        double coulomb = random_between(&r, 0.2, 1.2);
        p->law[i] =
            (ss_stribeck){coulomb, coulomb * random_between(&r, 1.0, 1.6), random_between(&r, 0.1, 0.5),
                          random_integer(&r, 1, 2), random_between(&r, 0.0, 0.2)};
    }
}

static ss_model* model_of(const pair* p)
{
    static rig r;
    char text[40];
    rig_init(&r);
    for (int i = 0; i < 2; i++) rig_body(&r, p->mass[i], p->x[i], p->v[i]);
    rig_spring(&r, 0, SS_GROUND, p->springs[0].stiffness, p->springs[0].damping)->cubic = p->springs[0].cubic;
    rig_spring(&r, 0, 1, p->springs[1].stiffness, p->springs[1].damping)->cubic = p->springs[1].cubic;
    rig_spring(&r, 1, SS_GROUND, p->springs[2].stiffness, p->springs[2].damping)->cubic = p->springs[2].cubic;
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%.17g", p->belt[i]);
        int belt = p->belt[i] != 0.0 ? rig_driven_speed(&r, text) : SS_GROUND;
        ss_contact_def* contact = rig_contact(&r, rig_row(&r, i, 1.0, belt, -1.0));
        contact->law = SS_LAW_STRIBECK;
        contact->stribeck = p->law[i];
    }
    return rig_model(&r);
}

static void compare(const peer* q, const run* m, int seed)
{
    char name[40];
    snprintf(name, sizeof name, "seed %d", seed);
    if (!expect_events(m, q->events, q->event_count, q->doubtful, q->t, accuracy, name)) return;
    for (int i = 0; i < 2; i++) {
        expect_near(name, ss_sim_x(m->sim)[i], q->y[i], accuracy);
        expect_near(name, ss_sim_v(m->sim)[i], q->y[2 + i], accuracy);
    }
}

static void test_stribeck_and_cubic(void** state)
{
    (void)state;
    static peer q;
    static run m;
    int doubtful = 0;
    long events = 0;
    for (int seed = 1; seed <= SYSTEMS; seed++) {
        pair p;
        draw(&p, (uint64_t)seed);
        begin(&q, &p);
        integrate(&q);
        ss_model* model = model_of(&p);
        assert_false(ss_model_is_linear(model));
        run_start(&m, model, NULL, NULL);
        run_to(&m, until);
        compare(&q, &m, seed);
        double energy = run_energy_error(&m);
        if (!(energy <= 1e-9)) fail_msg("seed %d: energy residual %.3g of the energy in play", seed, energy);
        doubtful += q.doubtful;
        events += q.event_count;
        run_stop(&m);
        ss_model_destroy(model);
    }
    print_message("%d systems: %d unclear, %ld events\n", SYSTEMS, doubtful, events);
    assert_true(doubtful * 100 <= 3 * SYSTEMS && events > 5 * SYSTEMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stribeck_and_cubic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
