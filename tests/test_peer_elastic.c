// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Elastic stops against CVODE: up to three blocks in a row, each on its own floor or belt, with springs,
// stops against the ground, a shaker or each other (play), exponents from 1 to 3, start inside a stop or
// outside, constant and harmonic forces. The force of a stop is written here as one formula,
//
//     f = max(0, k p^n (1 + 1.5 alpha p'))  for p > 0,
//
// without modes; touches and cuts are roots of p and 1 + 1.5 alpha p'. In the second test stops are springs
// with dampers,
//
//     f = max(0, k p^n + d p'),  or with d p' within +-k p^n,
//
// which push at once where they are touched: there the peer knows whether a stop is closed, and decides anew
// which floors hold. Sequence of modes, times and states.
#include "peer_march.h"
#include "random_system.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SYSTEMS = 240, BLOCKS = 3, STOPS = 4, ROOTS = BLOCKS + 3 * STOPS, MAX_EVENTS = 1000, SHAKER = -2 };
static const double guard = 1e-4, until = 4.0, accuracy = 2e-7;

typedef struct stop {
    int a, b; ///< blocks; b may be SS_GROUND or SHAKER
    ss_hunt_crossley law;
    bool damped; ///< a spring with a damper, and its numbers
    double damping;
    bool limited;
} stop;

typedef struct row {
    int blocks, stops;
    double mass[BLOCKS], friction[BLOCKS], belt[BLOCKS], x[BLOCKS], v[BLOCKS];
    double ground[BLOCKS], damping[BLOCKS], between[BLOCKS]; ///< N/m, N*s/m; between i and i + 1
    double push[BLOCKS], wave, omega;                        ///< N; a wave on block 0
    double shake, shake_omega;
    stop stop[STOPS];
} row;

typedef struct peer {
    const row* s;
    int mode[BLOCKS];
    bool closed[STOPS];
    double armed[BLOCKS], t, y[2 * BLOCKS];
    ss_event events[MAX_EVENTS];
    int event_count;
    bool doubtful;
} peer;

static void depth(const row* s, const stop* k, double t, const double y[], double* p, double* rate)
{
    double x = y[k->a], v = y[s->blocks + k->a];
    if (k->b >= 0) {
        x -= y[k->b];
        v -= y[s->blocks + k->b];
    }
    if (k->b == SHAKER) {
        x -= s->shake * sin(s->shake_omega * t);
        v -= s->shake * s->shake_omega * cos(s->shake_omega * t);
    }
    *p = k->law.side * (x - k->law.position);
    *rate = k->law.side * v;
}

static double factor(const stop* k, double rate) { return 1.0 + 1.5 * k->law.alpha * rate; }

static double spring(const stop* k, double p)
{
    return k->law.stiffness * pow(fmax(p, 0.0), k->law.exponent);
}

static double push(const stop* k, bool closed, double p, double rate)
{
    if (!k->damped) return p > 0.0 ? spring(k, p) * fmax(0.0, factor(k, rate)) : 0.0;
    double f = spring(k, p), d = k->damping * rate;
    return closed ? f + (k->limited && d > f ? f : d) : 0.0;
}

// Negative where the stop is cut off.
static double cut(const stop* k, double p, double rate)
{
    return k->damped ? spring(k, p) + k->damping * rate : factor(k, rate);
}

// All forces but those of the floors.
static void loads(const peer* q, double t, const double y[], double load[])
{
    const row* s = q->s;
    const double *x = y, *v = y + s->blocks;
    for (int i = 0; i < s->blocks; i++)
        load[i] = s->push[i] - s->ground[i] * x[i] - s->damping[i] * v[i] +
                  (i == 0 ? s->wave * sin(s->omega * t) : 0.0);
    for (int i = 0; i + 1 < s->blocks; i++) {
        load[i] -= s->between[i] * (x[i] - x[i + 1]);
        load[i + 1] += s->between[i] * (x[i] - x[i + 1]);
    }
    for (int j = 0; j < s->stops; j++) {
        const stop* k = &s->stop[j];
        double p, rate;
        depth(s, k, t, y, &p, &rate);
        double force = push(k, q->closed[j], p, rate);
        load[k->a] -= k->law.side * force;
        if (k->b >= 0) load[k->b] += k->law.side * force;
    }
}

static int rate(double t, N_Vector state, N_Vector out, void* user)
{
    const peer* q = user;
    const row* s = q->s;
    const double* y = N_VGetArrayPointer(state);
    double *dy = N_VGetArrayPointer(out), load[BLOCKS];
    loads(q, t, y, load);
    for (int i = 0; i < s->blocks; i++) {
        bool sticks = s->friction[i] > 0.0 && q->mode[i] == 0;
        dy[i] = y[s->blocks + i];
        dy[s->blocks + i] = sticks ? 0.0 : (load[i] - q->mode[i] * s->friction[i]) / s->mass[i];
    }
    return 0;
}

static int roots(double t, N_Vector state, double* g, void* user)
{
    const peer* q = user;
    const row* s = q->s;
    const double* y = N_VGetArrayPointer(state);
    double load[BLOCKS];
    loads(q, t, y, load);
    for (int i = 0; i < ROOTS; i++) g[i] = 1.0;
    for (int i = 0; i < s->blocks; i++) {
        double slip = q->mode[i] * (y[s->blocks + i] - s->belt[i]);
        if (s->friction[i] == 0.0) continue;
        g[i] = q->mode[i] == 0 ? s->friction[i] - fabs(load[i]) : t < q->armed[i] ? 1.0 : slip;
    }
    for (int j = 0; j < s->stops; j++) {
        double p, p_rate;
        depth(s, &s->stop[j], t, y, &p, &p_rate);
        const stop* k = &s->stop[j];
        g[BLOCKS + 3 * j] = p;
        if (!k->damped || k->damping > 0.0) g[BLOCKS + 3 * j + 1] = cut(k, p, p_rate);
        if (k->limited && k->damping > 0.0) g[BLOCKS + 3 * j + 2] = spring(k, p) - k->damping * p_rate;
    }
    return 0;
}

static ss_mode mode_of(int sign)
{
    return sign > 0 ? SS_MODE_SLIP_PLUS : sign < 0 ? SS_MODE_SLIP_MINUS : SS_MODE_STICK;
}

static int decide(peer* q, int i, bool may_stick)
{
    double load[BLOCKS];
    q->y[q->s->blocks + i] = q->s->belt[i];
    loads(q, q->t, q->y, load);
    double left = q->s->friction[i] - fabs(load[i]);
    if (may_stick && fabs(left) < 1e-6) q->doubtful = true;
    q->armed[i] = q->t + guard;
    return may_stick && left >= 0.0 ? 0 : load[i] > 0.0 ? 1 : -1;
}

static void begin(peer* q, const row* s)
{
    memset(q, 0, sizeof *q);
    q->s = s;
    for (int i = 0; i < s->blocks; i++) {
        q->y[i] = s->x[i];
        q->y[s->blocks + i] = s->v[i];
    }
    for (int j = 0; j < s->stops; j++) {
        double p, p_rate;
        depth(s, &s->stop[j], 0.0, q->y, &p, &p_rate);
        q->closed[j] = p > 0.0 && cut(&s->stop[j], p, p_rate) > 0.0;
    }
    for (int i = 0; i < s->blocks; i++) {
        double slip = s->v[i] - s->belt[i];
        if (s->friction[i] > 0.0) q->mode[i] = slip > 0.0 ? 1 : slip < 0.0 ? -1 : decide(q, i, true);
    }
}

// Contacts are numbered as in the model: floors that rub, then stops.
static void log_event(peer* q, int contact, ss_mode from, ss_mode to)
{
    for (int i = contact < BLOCKS ? contact : BLOCKS; i-- > 0;)
        if (i >= q->s->blocks || q->s->friction[i] == 0.0) contact--;
    if (q->event_count < MAX_EVENTS)
        q->events[q->event_count++] = (ss_event){.t = q->t, .contact = contact, .from = from, .to = to};
}

static void pass_floor(peer* q, int i)
{
    int before = q->mode[i];
    q->mode[i] = decide(q, i, before != 0);
    log_event(q, i, mode_of(before), mode_of(q->mode[i]));
}

// touch: p crosses zero; otherwise the force is cut, or comes back. A touch or a cut that is barely one is
// left aside.
static void pass_stop(peer* q, int j, int direction, bool touch)
{
    double p, p_rate;
    depth(q->s, &q->s->stop[j], q->t, q->y, &p, &p_rate);
    if (touch && fabs(p_rate) < 1e-3) q->doubtful = true;
    if (!touch && fabs(p) < 1e-6) q->doubtful = true;
    if (!touch && p < 0.0) return; // no contact, no force to cut
    bool closed = direction > 0 && (!touch || cut(&q->s->stop[j], p, p_rate) > 0.0);
    if (touch && direction > 0 && q->s->stop[j].damped) closed = true;
    q->closed[j] = closed;
}

// What pushes now need not be held by the floors that held until now.
static bool breaks_loose(peer* q, int i)
{
    double load[BLOCKS];
    if (q->s->friction[i] == 0.0 || q->mode[i] != 0) return false;
    loads(q, q->t, q->y, load);
    if (fabs(fabs(load[i]) - q->s->friction[i]) < 1e-6) q->doubtful = true;
    return fabs(load[i]) > q->s->friction[i];
}

static void pass_event(void* peer_of, const int found[])
{
    peer* q = peer_of;
    bool before[STOPS], jumps = false;
    for (int j = 0; j < q->s->stops; j++) {
        before[j] = q->closed[j];
        if (found[BLOCKS + 3 * j] != 0) pass_stop(q, j, found[BLOCKS + 3 * j], true);
        if (found[BLOCKS + 3 * j + 1] != 0) pass_stop(q, j, found[BLOCKS + 3 * j + 1], false);
        jumps = jumps || (q->closed[j] && !before[j] && q->s->stop[j].damped);
    }
    for (int i = 0; i < q->s->blocks; i++)
        if (found[i] < 0 || (jumps && breaks_loose(q, i))) pass_floor(q, i);
    for (int j = 0; j < q->s->stops; j++)
        if (q->closed[j] != before[j])
            log_event(q, BLOCKS + j, before[j] ? SS_MODE_CLOSED : SS_MODE_OPEN,
                      before[j] ? SS_MODE_OPEN : SS_MODE_CLOSED);
}

static double next_pause(const void* peer_of)
{
    const peer* q = peer_of;
    double end = until;
    for (int i = 0; i < q->s->blocks; i++)
        if (q->mode[i] != 0 && q->armed[i] > q->t) end = fmin(end, q->armed[i]);
    return end;
}

static void integrate(peer* q)
{
    peer_march_to_end(&(peer_march){.peer = q,
                                    .t = &q->t,
                                    .y = q->y,
                                    .size = 2 * q->s->blocks,
                                    .until = until,
                                    .doubtful = &q->doubtful,
                                    .absolute = 1e-14,
                                    .longest = 0.004,
                                    .rate = rate,
                                    .roots = roots,
                                    .root_count = ROOTS,
                                    .falling = false,
                                    .pause = next_pause,
                                    .pass = pass_event});
}

static void draw_stop(const row* s, stop* k, random_source* r)
{
    static const double exponents[] = {1.0, 1.5, 1.5, 2.0, 2.5, 3.0, 1.2, 1.75};
    static const double alphas[] = {0.0, 0.1, 0.5, 2.0};
    int other = random_integer(r, 0, 3);
    k->a = random_integer(r, 0, s->blocks - 1);
    k->b = other == 0 && s->shake != 0.0 ? SHAKER : other == 1 && k->a > 0 ? k->a - 1 : SS_GROUND;
    double x = s->x[k->a] - (k->b >= 0 ? s->x[k->b] : 0.0);
    int side = random_integer(r, 0, 1) ? 1 : -1;
    k->law = (ss_hunt_crossley){.position = x + side * random_between(r, -0.03, 0.4),
                                .side = side,
                                .stiffness = pow(10.0, random_between(r, 1.5, 4.0)),
                                .exponent = exponents[random_integer(r, 0, 7)],
                                .alpha = alphas[random_integer(r, 0, 3)]};
}

// The same stop as a spring with a damper: none, light, of the size at which swings end, or heavy.
static void draw_damper(const row* s, stop* k, random_source* r)
{
    static const double sizes[] = {0.0, 0.1, 0.5, 2.0, 10.0};
    k->damped = true;
    k->limited = random_integer(r, 0, 1) == 1;
    k->damping = sizes[random_integer(r, 0, 4)] *
                 sqrt(k->law.stiffness * pow(0.05, k->law.exponent - 1.0) * s->mass[k->a]);
}

static void draw(row* s, uint64_t seed, bool damped)
{
    random_source r = {.state = seed * 104729u};
    memset(s, 0, sizeof *s);
    s->blocks = random_integer(&r, 1, BLOCKS);
    s->stops = random_integer(&r, 1, STOPS);
    for (int i = 0; i < s->blocks; i++) {
        s->mass[i] = pow(10.0, random_between(&r, -1.0, 0.7));
        s->friction[i] = random_integer(&r, 0, 3) ? random_between(&r, 0.1, 1.5) : 0.0;
        s->belt[i] =
            s->friction[i] > 0.0 && random_integer(&r, 0, 2) == 0 ? 0.25 * random_integer(&r, -2, 2) : 0.0;
        s->x[i] = random_between(&r, -0.5, 0.5);
        s->v[i] = random_integer(&r, 0, 1) ? s->belt[i] : random_between(&r, -1.5, 1.5);
        s->ground[i] = random_integer(&r, 0, 2) ? random_between(&r, 0.5, 20.0) : 0.0;
        s->damping[i] =
            random_between(&r, 0.02, 0.3); // without, belts bring a slip back to its start, exactly
        s->between[i] = random_integer(&r, 0, 1) ? random_between(&r, 0.5, 20.0) : 0.0;
        s->push[i] = random_integer(&r, 0, 1) ? random_between(&r, -3.0, 3.0) : 0.0;
    }
    if (random_integer(&r, 0, 3) == 0) {
        s->wave = random_between(&r, 1.0, 4.0);
        s->omega = random_between(&r, 1.0, 8.0);
    }
    if (random_integer(&r, 0, 2) == 0) {
        s->shake = random_between(&r, 0.02, 0.2);
        s->shake_omega = random_between(&r, 2.0, 12.0);
    }
    for (int j = 0; j < s->stops; j++) {
        draw_stop(s, &s->stop[j], &r);
        if (damped) draw_damper(s, &s->stop[j], &r);
    }
}

static ss_model* model_of(const row* s)
{
    static rig r;
    char text[80];
    rig_init(&r);
    for (int i = 0; i < s->blocks; i++) rig_body(&r, s->mass[i], s->x[i], s->v[i]);
    snprintf(text, sizeof text, "%.17g * sin(%.17g*t)", s->shake, s->shake_omega);
    int shaker = s->shake != 0.0 ? rig_driven(&r, text) : SS_GROUND;
    for (int i = 0; i < s->blocks; i++) {
        rig_spring(&r, i, SS_GROUND, s->ground[i], s->damping[i]);
        if (i + 1 < s->blocks) rig_spring(&r, i, i + 1, s->between[i], 0.0);
        snprintf(text, sizeof text, "%.17g", s->push[i]);
        rig_force(&r, i, text);
        snprintf(text, sizeof text, "%.17g", s->belt[i]);
        int belt = s->belt[i] != 0.0 ? rig_driven_speed(&r, text) : SS_GROUND;
        if (s->friction[i] > 0.0) rig_coulomb(&r, i, belt, s->friction[i]);
    }
    snprintf(text, sizeof text, "%.17g * sin(%.17g*t)", s->wave, s->omega);
    if (s->wave != 0.0) rig_force(&r, 0, text);
    for (int j = 0; j < s->stops; j++) {
        const stop* k = &s->stop[j];
        int b = k->b == SHAKER ? shaker : k->b;
        if (k->damped)
            rig_damped(&r, k->a, b,
                       (ss_elastic_stop){.position = k->law.position,
                                         .side = k->law.side,
                                         .stiffness = k->law.stiffness,
                                         .exponent = k->law.exponent,
                                         .damping = k->damping,
                                         .limited = k->limited});
        else
            rig_elastic(&r, k->a, b, k->law);
    }
    return rig_model(&r);
}

static void compare(const peer* q, const run* m, int seed)
{
    char name[40];
    snprintf(name, sizeof name, "seed %d", seed);
    if (!expect_events(m, q->events, q->event_count, q->doubtful, q->t, accuracy, name)) return;
    for (int i = 0; i < q->s->blocks; i++) {
        expect_near(name, ss_sim_x(m->sim)[i], q->y[i], accuracy);
        expect_near(name, ss_sim_v(m->sim)[i], q->y[q->s->blocks + i], 10.0 * accuracy);
    }
}

static void compare_rows(int systems, bool damped)
{
    static peer q;
    static run m;
    int doubtful = 0;
    long events = 0;
    for (int seed = 1; seed <= systems; seed++) {
        row s;
        draw(&s, (uint64_t)seed, damped);
        begin(&q, &s);
        integrate(&q);
        ss_model* model = model_of(&s);
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
    print_message("%d systems: %d unclear, %ld events\n", systems, doubtful, events);
    assert_true(doubtful * 100 <= 5 * systems && events > 5 * systems);
}

static void test_rows_of_blocks(void** state)
{
    (void)state;
    compare_rows(random_count(SYSTEMS), false);
}

static void test_rows_with_dampers(void** state)
{
    (void)state;
    compare_rows(random_count(SYSTEMS), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_of_blocks),
                                       cmocka_unit_test(test_rows_with_dampers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
