// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Random systems, random starts: what a batch says of a start is what the engine for single motions says, the
// place of rest to 1e-10 times the condition of that start (how much the place of rest moves per change of
// the start). And it says the same bits whatever else is in the batch and however wide the vectors are.
#include "random_system.h"
#include "share/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
enum { STARTS = 400 };
#else
enum { STARTS = 6250 };
#endif
enum { SYSTEMS = 20, BODIES = PEER_MAX };

typedef struct outcome {
    ss_batch_result result[STARTS];
    double x[STARTS * BODIES], v[STARTS * BODIES];
} outcome;

typedef struct trial {
    ss_model* model;
    int bodies, starts;
    double until, escape;
    double x[STARTS * BODIES], v[STARTS * BODIES];
} trial;

static ss_batch_def settings(const trial* t, ss_batch_way way)
{
    ss_batch_def def = ss_batch_def_default();
    def.until = t->until;
    def.escape = t->escape;
    def.max_events = 1000;
    def.way = way;
    return def;
}

// False where this processor cannot go that way.
static bool run_batch(const trial* t, ss_batch_way way, outcome* out, long* alone)
{
    ss_batch_def def = settings(t, way);
    ss_batch* batch = NULL;
    ss_error err = {0};
    if (ss_batch_create(t->model, &def, &batch, &err) != SS_OK) {
        assert_string_equal(err.field, "way");
        return false;
    }
    if (ss_batch_run(batch,
                     &(ss_batch_starts){.count = (size_t)t->starts,
                                        .x = t->x,
                                        .v = t->v,
                                        .results = out->result,
                                        .end_x = out->x,
                                        .end_v = out->v},
                     &err) != SS_OK)
        fail_msg("%s", err.text);
    if (alone)
        *alone = ss_batch_way_used(batch) == SS_BATCH_ONE_BY_ONE ? t->starts : ss_batch_alone_count(batch);
    ss_batch_destroy(batch);
    return true;
}

// Half of the starts are at rest, a quarter has a speed at some bodies only: zero speeds are decisions.
static void draw_starts(trial* t, uint64_t seed)
{
    random_source r = {.state = seed};
    for (int k = 0; k < t->starts; k++)
        for (int b = 0; b < t->bodies; b++) {
            bool moves = k % 2 == 1 && (k % 4 == 1 || random_integer(&r, 0, 1));
            t->x[k * t->bodies + b] = random_between(&r, -4.0, 4.0);
            t->v[k * t->bodies + b] = moves ? random_between(&r, -4.0, 4.0) : 0.0;
        }
}

static const random_kind kinds[] = {RANDOM_BODIES, RANDOM_MATRICES, RANDOM_FALLING, RANDOM_TIED};

// Blocks on floors of their own, in a row or all joined to each other: the kind that maps are made of.
static ss_model* floors(random_source* r, int bodies)
{
    rig g;
    rig_init(&g);
    for (int b = 0; b < bodies; b++) rig_body(&g, pow(10.0, random_between(r, -0.5, 0.5)), 0.0, 0.0);
    for (int b = 0; b < bodies; b++) {
        rig_spring(&g, b, SS_GROUND, random_between(r, 0.2, 2.0), random_between(r, -0.02, 0.3));
        for (int a = 0; a < b; a++)
            rig_spring(&g, a, b, random_between(r, 0.2, 2.0), random_between(r, -0.15, 0.2));
        ss_contact_def* floor = rig_coulomb(&g, b, SS_GROUND, 1.0);
        double forward = random_between(r, 0.3, 1.5), backward = random_between(r, 0.3, 1.5);
        double more = random_integer(r, 0, 2) == 0 ? random_between(r, 1.0, 1.5) : 1.0;
        floor->coulomb = (ss_coulomb){forward, backward, more * forward, more * backward};
    }
    return rig_model(&g);
}

// As many contacts as bodies, each along a row of its own over all of them: none can be decided alone.
static ss_model* coupled(random_source* r, int bodies)
{
    rig g;
    rig_init(&g);
    for (int b = 0; b < bodies; b++) rig_body(&g, pow(10.0, random_between(r, -0.3, 0.3)), 0.0, 0.0);
    for (int b = 0; b < bodies; b++) {
        double row[BODIES];
        rig_spring(&g, b, SS_GROUND, random_between(r, 0.5, 2.0), random_between(r, -0.1, 0.3));
        if (b > 0) rig_spring(&g, b - 1, b, random_between(r, 0.5, 2.0), random_between(r, -0.2, 0.2));
        for (int i = 0; i < bodies; i++) row[i] = i == b ? 1.0 : random_between(r, -0.6, 0.6);
        double level = random_between(r, 0.3, 1.2);
        rig_contact(&g, rig_full_row(&g, row, bodies))->coulomb = ss_coulomb_make(level);
    }
    return rig_model(&g);
}

// Every fifth system is of any kind at all; most of these do not run in lanes, or do not hold every body.
static void make_trial(trial* t, int number)
{
    random_source r = {.state = 77u + (uint64_t)number};
    t->until = 60.0;
    t->escape = number % 3 == 0 ? 1e4 : INFINITY;
    t->starts = number % 5 == 4 ? STARTS / 100 : STARTS;
    t->bodies = 1 + number % 4;
    if (number % 5 == 4) {
        static random_system s;
        random_system_make(&s, kinds[number / 5 % 4], 1000u + (uint64_t)number);
        t->bodies = s.bodies;
        t->model = random_system_model(&s);
    } else {
        t->model = number % 5 < 2 ? floors(&r, t->bodies) : coupled(&r, t->bodies);
    }
    draw_starts(t, 5000u + (uint64_t)number);
}

// Change of the place of rest per change of the start; INFINITY where the motion itself changes.
static double condition(const trial* t, int k, const outcome* single)
{
    const double small = 1e-7;
    ss_batch_def def = settings(t, SS_BATCH_ONE_BY_ONE);
    ss_batch* batch = NULL;
    assert_int_equal(ss_batch_create(t->model, &def, &batch, NULL), SS_OK);
    double worst = 1.0;
    for (int b = 0; b < 4 * t->bodies; b++) {
        double x[BODIES], v[BODIES], end[BODIES];
        size_t row = (size_t)t->bodies * sizeof(double);
        memcpy(x, t->x + k * t->bodies, row);
        memcpy(v, t->v + k * t->bodies, row);
        (b % 2 ? x : v)[b / 4] += b / 2 % 2 ? small : -small;
        ss_batch_result result;
        assert_int_equal(
            ss_batch_run(batch,
                         &(ss_batch_starts){.count = 1, .x = x, .v = v, .results = &result, .end_x = end},
                         NULL),
            SS_OK);
        if (result.fate != single->result[k].fate || result.events != single->result[k].events)
            worst = INFINITY;
        for (int i = 0; i < t->bodies; i++)
            worst = fmax(worst, fabs(end[i] - single->x[k * t->bodies + i]) / small);
    }
    ss_batch_destroy(batch);
    return worst;
}

static void compare(const trial* t, int number, const outcome* batch, const outcome* single)
{
    for (int k = 0; k < t->starts; k++) {
        const ss_batch_result *a = &batch->result[k], *b = &single->result[k];
        double off = 0.0, limit = 1e-10;
        bool same = a->fate == b->fate && a->settles == b->settles;
        if (same && a->fate == SS_FATE_REST) {
            same = a->events == b->events;
            for (int i = 0; i < t->bodies; i++)
                off = fmax(off, fabs(batch->x[k * t->bodies + i] - single->x[k * t->bodies + i]));
            for (int i = 0; i < t->bodies; i++) assert_true(batch->v[k * t->bodies + i] == 0.0);
        }
        if (!same || off > limit) limit *= condition(t, k, single);
        if ((!same && limit < INFINITY) || off > limit)
            fail_msg("system %d, start %d: %s after %ld events at t = %.12g, alone %s after %ld at %.12g; "
                     "%.3g m apart, "
                     "%.3g allowed",
                     number, k, ss_fate_name(a->fate), a->events, a->t, ss_fate_name(b->fate), b->events,
                     b->t, off, limit);
    }
}

static void test_batches_agree_with_single_motions(void** state)
{
    (void)state;
    static trial t;
    static outcome batch, single;
    int in_lanes = 0;
    for (int number = 0; number < SYSTEMS; number++) {
        long alone = 0;
        make_trial(&t, number);
        assert_true(run_batch(&t, SS_BATCH_ONE_BY_ONE, &single, NULL));
        assert_true(run_batch(&t, SS_BATCH_BEST, &batch, &alone));
        if (alone < t.starts / 2) in_lanes++;
        compare(&t, number, &batch, &single);
        ss_model_destroy(t.model);
    }
    assert_true(in_lanes >= SYSTEMS / 2); // otherwise little has been tested
}

// ---- the same bits

static void assert_same(const trial* t, const outcome* a, int i, const outcome* b, int j)
{
    const ss_batch_result *p = &a->result[i], *q = &b->result[j];
    size_t row = (size_t)t->bodies * sizeof(double);
    assert_int_equal(p->fate, q->fate);
    assert_true(p->settles == q->settles && p->proved == q->proved && p->limited == q->limited);
    assert_memory_equal(&p->t, &q->t, sizeof p->t);
    assert_int_equal(p->events, q->events);
    assert_memory_equal(a->x + i * t->bodies, b->x + j * t->bodies, row);
    assert_memory_equal(a->v + i * t->bodies, b->v + j * t->bodies, row);
}

static void run_part(ss_batch* batch, const trial* t, int from, int count, outcome* out)
{
    int at = from * t->bodies;
    assert_int_equal(ss_batch_run(batch,
                                  &(ss_batch_starts){.count = (size_t)count,
                                                     .x = t->x + at,
                                                     .v = t->v + at,
                                                     .results = out->result + from,
                                                     .end_x = out->x + at,
                                                     .end_v = out->v + at},
                                  NULL),
                     SS_OK);
}

static void turn_round(trial* t)
{
    for (int i = 0, j = t->starts - 1; i < j; i++, j--)
        for (int b = 0; b < t->bodies; b++) {
            double x = t->x[i * t->bodies + b], v = t->v[i * t->bodies + b];
            t->x[i * t->bodies + b] = t->x[j * t->bodies + b];
            t->v[i * t->bodies + b] = t->v[j * t->bodies + b];
            t->x[j * t->bodies + b] = x;
            t->v[j * t->bodies + b] = v;
        }
}

static void test_neighbours_count_order_and_width_do_not_matter(void** state)
{
    (void)state;
    static trial t;
    static outcome all, other;
    static const ss_batch_way widths[] = {SS_BATCH_PLAIN, SS_BATCH_AVX2, SS_BATCH_AVX512};
    for (int number = 0; number < SYSTEMS; number += 3) {
        make_trial(&t, number);
        t.starts = t.starts < 600 ? t.starts : 600;
        assert_true(run_batch(&t, SS_BATCH_BEST, &all, NULL));
        for (int w = 0; w < 3; w++) {
            bool can = run_batch(&t, widths[w], &other, NULL);
            for (int i = 0; i < t.starts && can; i++) assert_same(&t, &all, i, &other, i);
        }
        ss_batch_def def = settings(&t, SS_BATCH_BEST);
        ss_batch* batch = NULL;
        assert_int_equal(ss_batch_create(t.model, &def, &batch, NULL), SS_OK);
        for (int k = 0, size = 1; k < t.starts; k += size, size = size % 13 + 1)
            run_part(batch, &t, k, size < t.starts - k ? size : t.starts - k, &other);
        for (int i = 0; i < t.starts; i++) assert_same(&t, &all, i, &other, i);
        turn_round(&t);
        run_part(batch, &t, 0, t.starts, &other);
        for (int i = 0; i < t.starts; i++) assert_same(&t, &all, i, &other, t.starts - 1 - i);
        ss_batch_destroy(batch);
        ss_model_destroy(t.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_agree_with_single_motions),
        cmocka_unit_test(test_neighbours_count_order_and_width_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
