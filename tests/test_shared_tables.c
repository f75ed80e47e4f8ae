// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Runs of a model find what others have computed of it. Nobody can tell from the motion: it is the same, to
// the last bit, whether a run is the first of its model or the hundredth, and whatever the others did.
#include "random_system.h"

#include "core/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <threads.h>

#include <cmocka.h>

enum { STARTS = 6, SYSTEMS = 12, THREADS = 4, SLOTS = 200, SIZE = 64 };

typedef struct answer {
    double x[PEER_MAX], v[PEER_MAX], t, friction;
    long events;
} answer;

static void draw(const random_system* s, uint64_t seed, double x[])
{
    random_source source = {.state = seed};
    for (int i = 0; i < s->bodies; i++) x[i] = random_between(&source, -3.0, 3.0);
}

static answer look(const ss_sim* sim, int bodies)
{
    answer out = {
        .t = ss_sim_time(sim), .friction = ss_sim_energy(sim).friction, .events = ss_sim_event_count(sim)};
    memcpy(out.x, ss_sim_x(sim), sizeof(double) * (size_t)bodies);
    memcpy(out.v, ss_sim_v(sim), sizeof(double) * (size_t)bodies);
    return out;
}

// What a run of its own makes of a start.
static answer run_from(const ss_model* model, int bodies, const double x[])
{
    ss_sim* sim = NULL;
    ss_outcome outcome;
    ss_error err = {0};
    assert_int_equal(ss_sim_create(model, NULL, &sim, &err), SS_OK);
    assert_int_equal(ss_sim_restart(sim, x, NULL, &err), SS_OK);
    assert_int_equal(ss_sim_advance(sim, 10.0, &outcome, &err), SS_OK);
    answer out = look(sim, bodies);
    ss_sim_destroy(sim);
    return out;
}

// A model takes the signals of its definition along.
static ss_model* make(random_system* s, random_kind kind, uint64_t seed)
{
    random_system_make(s, kind, seed);
    return random_system_model(s);
}

static void expect_first_and_later_runs_alike(random_kind kind, uint64_t seed)
{
    static random_system s;
    ss_model* shared = make(&s, kind, seed);
    for (int round = 0; round < 2; round++) // the second finds all that the first has left
        for (uint64_t k = 0; k < STARTS; k++) {
            double x[PEER_MAX] = {0};
            draw(&s, 100 * seed + k, x);
            ss_model* fresh = make(&s, kind, seed);
            answer first = run_from(fresh, s.bodies, x), later = run_from(shared, s.bodies, x);
            assert_memory_equal(&first, &later, sizeof first);
            ss_model_destroy(fresh);
        }
    ss_model_destroy(shared);
}

// Of tied bodies constants depend on where they start: tables of other starts must not serve.
static void test_no_run_is_told_from_the_first(void** state)
{
    (void)state;
    static const random_kind kinds[] = {RANDOM_BODIES, RANDOM_TIED, RANDOM_FORCED, RANDOM_FALLING};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint64_t seed = 1; seed <= (uint64_t)random_count(SYSTEMS); seed++)
            expect_first_and_later_runs_alike(kinds[k], seed);
}

// A run that lives through the making of tables by others.
static void test_runs_may_take_turns(void** state)
{
    (void)state;
    static random_system s;
    for (uint64_t seed = 1; seed <= (uint64_t)random_count(SYSTEMS); seed++) {
        ss_model* shared = make(&s, RANDOM_BODIES, seed);
        ss_sim* sims[2] = {NULL, NULL};
        double x[2][PEER_MAX] = {{0}};
        for (int k = 0; k < 2; k++) {
            draw(&s, 10 * seed + (uint64_t)k, x[k]);
            assert_int_equal(ss_sim_create(shared, NULL, &sims[k], NULL), SS_OK);
            assert_int_equal(ss_sim_restart(sims[k], x[k], NULL, NULL), SS_OK);
        }
        ss_outcome outcome;
        for (int t = 1; t <= 10; t++)
            for (int k = 0; k < 2; k++) assert_int_equal(ss_sim_advance(sims[k], t, &outcome, NULL), SS_OK);
        for (int k = 0; k < 2; k++) {
            ss_model* fresh = make(&s, RANDOM_BODIES, seed);
            ss_sim* alone = NULL;
            assert_int_equal(ss_sim_create(fresh, NULL, &alone, NULL), SS_OK);
            assert_int_equal(ss_sim_restart(alone, x[k], NULL, NULL), SS_OK);
            for (int t = 1; t <= 10; t++) assert_int_equal(ss_sim_advance(alone, t, &outcome, NULL), SS_OK);
            answer a = look(alone, s.bodies), b = look(sims[k], s.bodies);
            assert_memory_equal(&a, &b, sizeof a);
            ss_sim_destroy(alone);
            ss_model_destroy(fresh);
            ss_sim_destroy(sims[k]);
        }
        ss_model_destroy(shared);
    }
}

// ---- the store itself

typedef struct visitor {
    ss_store* store;
    int filled; ///< slots
    bool good;
} visitor;

static int visit(void* user)
{
    visitor* v = user;
    v->good = ss_store_reserve(v->store, SLOTS, SIZE);
    for (size_t slot = 0; slot < SLOTS; slot++) {
        double* own = ss_store_claim(v->store, slot);
        for (int k = 0; own && k < SIZE; k++) own[k] = (double)slot + k;
        if (own) ss_store_publish(v->store, slot);
        v->filled += own != NULL;
        const double* found = ss_store_find(v->store, slot);
        if (own && !found) v->good = false;
        for (int k = 0; found && k < SIZE; k++) v->good = v->good && found[k] == (double)slot + k;
    }
    return 0;
}

// Each slot is filled by one thread, and whoever finds it finds all of it.
static void test_a_slot_is_filled_once(void** state)
{
    (void)state;
    for (int round = 0; round < random_count(50); round++) {
        visitor all[THREADS];
        thrd_t threads[THREADS];
        ss_store* store = ss_store_new();
        assert_non_null(store);
        for (int k = 0; k < THREADS; k++) {
            all[k] = (visitor){.store = store};
            assert_int_equal(thrd_create(&threads[k], visit, &all[k]), thrd_success);
        }
        int filled = 0;
        for (int k = 0; k < THREADS; k++) {
            thrd_join(threads[k], NULL);
            assert_true(all[k].good);
            filled += all[k].filled;
        }
        assert_int_equal(filled, SLOTS);
        assert_null(ss_store_claim(store, 0));
        ss_store_free(store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_run_is_told_from_the_first),
        cmocka_unit_test(test_runs_may_take_turns),
        cmocka_unit_test(test_a_slot_is_filled_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
