// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One model, many runs at once: each thread gets the motion it would get alone, to the last bit.
#include "random_system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <threads.h>

#include <cmocka.h>

enum { THREADS = 4, STARTS = 100 };

typedef struct job {
    const ss_model* model;
    int bodies;
    double x[STARTS][PEER_MAX], t[STARTS]; ///< start, then end; time of the end
    bool done;
} job;

static int work(void* user)
{
    job* j = user;
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim = NULL;
    ss_error err;
    if (ss_sim_create(j->model, &def, &sim, &err) != SS_OK) return 1;
    j->done = true;
    for (int k = 0; k < STARTS; k++) {
        ss_outcome outcome;
        j->done = j->done && ss_sim_restart(sim, j->x[k], NULL, &err) == SS_OK &&
                  ss_sim_advance(sim, 20.0, &outcome, &err) == SS_OK;
        memcpy(j->x[k], ss_sim_x(sim), sizeof(double) * (size_t)j->bodies);
        j->t[k] = ss_sim_time(sim);
    }
    ss_sim_destroy(sim);
    return 0;
}

static void draw_starts(job* j, const ss_model* model, int bodies, uint64_t seed)
{
    random_source source = {.state = seed};
    memset(j, 0, sizeof *j);
    j->model = model;
    j->bodies = bodies;
    for (int k = 0; k < STARTS; k++)
        for (int i = 0; i < bodies; i++) j->x[k][i] = random_between(&source, -3.0, 3.0);
}

static void test_threads_share_a_model(void** state)
{
    (void)state;
    static random_system s;
    static job together[THREADS], alone[THREADS];
    random_system_make(&s, RANDOM_REDUNDANT, 5);
    ss_model* model = random_system_model(&s);
    thrd_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        draw_starts(&together[i], model, s.bodies, (uint64_t)i);
        draw_starts(&alone[i], model, s.bodies, (uint64_t)i);
        assert_int_equal(thrd_create(&threads[i], work, &together[i]), thrd_success);
    }
    for (int i = 0; i < THREADS; i++) assert_int_equal(thrd_join(threads[i], NULL), thrd_success);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(work(&alone[i]), 0);
        assert_true(together[i].done && alone[i].done);
        assert_memory_equal(together[i].x, alone[i].x, sizeof alone[i].x);
        assert_memory_equal(together[i].t, alone[i].t, sizeof alone[i].t);
    }
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads_share_a_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
