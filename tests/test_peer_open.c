// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Open models against CVODE: up to five bodies on floors of their own, up to four states, and forces, rates
// and friction levels that are smooth expressions of the motion. The numbers of a system make the text of
// its model file here and the right-hand side of CVODE there. M is diagonal and each body has one contact, so
// each contact decides for itself:
//
//     m_i x_i'' = load_i(x, v, s) + force_i,   force_i = -sgn(v_i) level_i(x_i),   s_j' = rate_j(x, v, s)
//
// Sequence of modes, times and states to 1e-7.
#include "peer_march.h"
#include "random_system.h"
#include "share/model_parts.h"
#include "share/run.h"
#include "slipstick/lab.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SYSTEMS = 500, BODIES = 5, STATES = 4, MAX_EVENTS = 1000, TEXT = 8000 };
static const double guard = 1e-4, until = 8.0, accuracy = 1e-7;

typedef struct open_system {
    int n, p;
    double mass[BODIES], x[BODIES], v[BODIES], s[STATES];
    double k[BODIES], sine[BODIES], drag[BODIES], gain[BODIES], pull[BODIES]; ///< of the forces
    double level[BODIES], slope[BODIES], still[BODIES];                       ///< of the friction
    double by_x[STATES], by_v[STATES], decay[STATES], curve[STATES];          ///< of the rates
} open_system;

typedef struct peer {
    const open_system* p;
    int mode[BODIES];
    double armed[BODIES];
    double t, y[2 * BODIES + STATES]; ///< x, v, s
    ss_event events[MAX_EVENTS];
    int event_count;
    bool doubtful;
} peer;

static double load_of(const open_system* p, const double y[], int i)
{
    const double *x = y, *v = y + p->n, *s = v + p->n;
    int next = (i + 1) % p->n, state = p->p > 0 ? i % p->p : 0;
    double load = -p->k[i] * x[i] - p->sine[i] * sin(x[i] - 0.5 * x[next]) -
                  p->drag[i] * v[i] * sqrt(1.0 + v[i] * v[i]) + p->pull[i] * exp(-x[next] * x[next]);
    return p->p > 0 ? load + p->gain[i] * tanh(s[state]) : load;
}

static double level_of(const open_system* p, const double y[], int i)
{
    return p->level[i] + p->slope[i] * cos(y[i]);
}

static double rest_level_of(const open_system* p, const double y[], int i)
{
    return fmax(level_of(p, y, i), p->still[i]);
}

static double rate_of(const open_system* p, const double y[], int j)
{
    const double *x = y, *v = y + p->n, *s = v + p->n;
    int i = j % p->n, next = (j + 1) % p->p;
    return -p->by_x[j] * x[i] - p->by_v[j] * v[i] - p->decay[j] * s[j] + p->curve[j] * cos(s[next]);
}

static int rate(double t, N_Vector state, N_Vector out, void* user)
{
    const peer* q = user;
    const open_system* p = q->p;
    const double* y = N_VGetArrayPointer(state);
    double* dy = N_VGetArrayPointer(out);
    (void)t;
    for (int i = 0; i < p->n; i++) {
        dy[i] = q->mode[i] == 0 ? 0.0 : y[p->n + i];
        dy[p->n + i] =
            q->mode[i] == 0 ? 0.0 : (load_of(p, y, i) - q->mode[i] * level_of(p, y, i)) / p->mass[i];
    }
    for (int j = 0; j < p->p; j++) dy[2 * p->n + j] = rate_of(p, y, j);
    return 0;
}

static int roots(double t, N_Vector state, double* g, void* user)
{
    const peer* q = user;
    const double* y = N_VGetArrayPointer(state);
    for (int i = 0; i < q->p->n; i++) {
        double held = rest_level_of(q->p, y, i) - fabs(load_of(q->p, y, i));
        g[i] = q->mode[i] == 0 ? held : t < q->armed[i] ? 1.0 : q->mode[i] * y[q->p->n + i];
    }
    return 0;
}

static ss_mode mode_of(int sign)
{
    return sign > 0 ? SS_MODE_SLIP_PLUS : sign < 0 ? SS_MODE_SLIP_MINUS : SS_MODE_STICK;
}

// Body i is at v = 0: it sticks if it arrived and can, and slips the way the load says otherwise.
static int decide(peer* q, int i, bool may_stick)
{
    q->y[q->p->n + i] = 0.0;
    double load = load_of(q->p, q->y, i), left = rest_level_of(q->p, q->y, i) - fabs(load);
    if (may_stick && fabs(left) < 1e-6) q->doubtful = true;
    q->armed[i] = q->t + guard;
    return may_stick && left >= 0.0 ? 0 : load > 0.0 ? 1 : -1;
}

static void begin(peer* q, const open_system* p)
{
    memset(q, 0, sizeof *q);
    q->p = p;
    for (int i = 0; i < p->n; i++) {
        q->y[i] = p->x[i];
        q->y[p->n + i] = p->v[i];
    }
    for (int j = 0; j < p->p; j++) q->y[2 * p->n + j] = p->s[j];
    for (int i = 0; i < p->n; i++) q->mode[i] = p->v[i] > 0.0 ? 1 : p->v[i] < 0.0 ? -1 : decide(q, i, true);
}

static void pass_event(void* peer_of, const int found[])
{
    peer* q = peer_of;
    for (int i = 0; i < q->p->n; i++) {
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
    for (int i = 0; i < q->p->n; i++)
        if (q->mode[i] != 0 && q->armed[i] > q->t) stop = fmin(stop, q->armed[i]);
    return stop;
}

static void integrate(peer* q)
{
    peer_march_to_end(&(peer_march){.peer = q,
                                    .t = &q->t,
                                    .y = q->y,
                                    .size = 2 * q->p->n + q->p->p,
                                    .until = until,
                                    .doubtful = &q->doubtful,
                                    .absolute = 1e-14,
                                    .longest = 0.004,
                                    .rate = rate,
                                    .roots = roots,
                                    .root_count = q->p->n,
                                    .falling = true,
                                    .pause = next_stop,
                                    .pass = pass_event});
}

static void draw(open_system* p, uint64_t seed)
{
    random_source r = {.state = seed * 104729u};
    *p = (open_system){.n = random_integer(&r, 1, BODIES), .p = random_integer(&r, 0, STATES)};
    for (int i = 0; i < p->n; i++) {
        p->mass[i] = random_between(&r, 0.3, 3.0);
        p->x[i] = random_between(&r, -2.0, 2.0);
        p->v[i] = random_integer(&r, 0, 1) ? 0.0 : random_between(&r, -2.0, 2.0);
        p->k[i] = random_between(&r, 0.5, 4.0);
        p->sine[i] = random_between(&r, -1.0, 2.0);
        p->drag[i] = random_between(&r, 0.0, 0.2);
        p->gain[i] = random_between(&r, -1.5, 1.5);
        p->pull[i] = random_between(&r, -1.0, 1.0);
        p->level[i] = random_between(&r, 0.4, 1.0);
        p->slope[i] = random_integer(&r, 0, 1) ? random_between(&r, -0.35, 0.35) : 0.0;
        p->still[i] = random_integer(&r, 0, 1) ? random_between(&r, 1.4, 1.8) : 0.0;
    }
    for (int j = 0; j < p->p; j++) {
        p->s[j] = random_between(&r, -1.0, 1.0);
        p->by_x[j] = random_between(&r, -1.0, 1.0);
        p->by_v[j] = random_between(&r, -1.0, 1.0);
        p->decay[j] = random_between(&r, 0.0, 3.0);
        p->curve[j] = random_between(&r, -1.0, 1.0);
    }
}

static int write_forces(const open_system* p, char* out, size_t size)
{
    int used = snprintf(out, size, "forces:\n");
    for (int i = 0; i < p->n; i++) {
        int next = (i + 1) % p->n;
        used +=
            snprintf(out + used, size - (size_t)used,
                     "  - {body: b%d, force: \"-%.17g N/m*b%d.x - (%.17g N)*sin((b%d.x - 0.5*b%d.x)/1 m) - "
                     "%.17g N*s/m*b%d.v*sqrt(1 + (b%d.v/(1 m/s))^2) + (%.17g N)*exp(-(b%d.x/1 m)^2)",
                     i, p->k[i], i, p->sine[i], i, next, p->drag[i], i, i, p->pull[i], next);
        if (p->p > 0)
            used += snprintf(out + used, size - (size_t)used, " + (%.17g N)*tanh(s%d)", p->gain[i], i % p->p);
        used += snprintf(out + used, size - (size_t)used, "\"}\n");
    }
    return used;
}

static void write_model(const open_system* p, char out[TEXT])
{
    size_t size = TEXT;
    int used = snprintf(out, size, "slipstick: 1\ntitle: open\nbodies:\n");
    for (int i = 0; i < p->n; i++)
        used += snprintf(out + used, size - (size_t)used, "  b%d: {mass: %.17g kg}\n", i, p->mass[i]);
    used += write_forces(p, out + used, size - (size_t)used);
    if (p->p > 0) used += snprintf(out + used, size - (size_t)used, "states:\n");
    for (int j = 0; j < p->p; j++)
        used +=
            snprintf(out + used, size - (size_t)used,
                     "  s%d: {start: %.17g, rate: \"-(%.17g/(1 m*s))*b%d.x - (%.17g/m)*b%d.v - (%.17g/s)*s%d "
                     "+ (%.17g/s)*cos(s%d)\"}\n",
                     j, p->s[j], p->by_x[j], j % p->n, p->by_v[j], j % p->n, p->decay[j], j, p->curve[j],
                     (j + 1) % p->p);
    used += snprintf(out + used, size - (size_t)used, "contacts:\n");
    for (int i = 0; i < p->n; i++) {
        used +=
            snprintf(out + used, size - (size_t)used, "  c%d: {between: [b%d, ground], law: coulomb, ", i, i);
        if (p->still[i] > 0.0)
            used += snprintf(out + used, size - (size_t)used, "static: %.17g N, ", p->still[i]);
        used += snprintf(out + used, size - (size_t)used,
                         "friction: \"%.17g N + (%.17g N)*cos(b%d.x/1 m)\"}\n", p->level[i], p->slope[i], i);
    }
    used += snprintf(out + used, size - (size_t)used, "start:\n");
    for (int i = 0; i < p->n; i++)
        used += snprintf(out + used, size - (size_t)used, "  b%d: {x: %.17g m, v: %.17g m/s}\n", i, p->x[i],
                         p->v[i]);
    assert_true((size_t)used < size);
}

static ss_model* model_of(const open_system* p)
{
    static char text[TEXT];
    write_model(p, text);
    return text_model(text);
}

static void compare(const peer* q, const run* m, int seed)
{
    char name[40];
    int n = q->p->n;
    snprintf(name, sizeof name, "seed %d", seed);
    if (!expect_events(m, q->events, q->event_count, q->doubtful, q->t, accuracy, name)) return;
    for (int i = 0; i < n; i++) {
        expect_near(name, ss_sim_x(m->sim)[i], q->y[i], accuracy);
        expect_near(name, ss_sim_v(m->sim)[i], q->y[n + i], accuracy);
    }
    for (int j = 0; j < q->p->p; j++) expect_near(name, ss_sim_states(m->sim)[j], q->y[2 * n + j], accuracy);
}

static void test_smooth_expressions(void** state)
{
    (void)state;
    static peer q;
    static run m;
    int doubtful = 0, systems = random_count(SYSTEMS);
    long events = 0;
    for (int seed = 1; seed <= systems; seed++) {
        open_system p;
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
    print_message("%d systems: %d unclear, %ld events\n", systems, doubtful, events);
    assert_true(doubtful * 100 <= 5 * systems + 100 && events > 2 * systems);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_smooth_expressions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
