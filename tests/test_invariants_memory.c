// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Memory: a run allocates nothing once it is made, and where memory is lacking while something is made, that
// is said and everything is given back. The allocator is replaced by one that counts and, when told, fails;
// where that cannot be done (another C library, sanitizers with their own allocator) there is nothing to
// test.
#include "random_system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
#define OWN_ALLOCATOR 0
#endif
#ifndef OWN_ALLOCATOR
#define OWN_ALLOCATOR 1
#endif

static bool watching;   // count, and fail when it is time
static long made;       // allocations since watching began
static long alive;      // of them, how many were not given back; may miss those of before
static long fail_after; // the allocation that fails, 0: none

#if OWN_ALLOCATOR
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void __libc_free(void* old);

static bool refuse(void)
{
    if (!watching) return false;
    made++;
    if (made == fail_after) return true;
    alive++;
    return false;
}

void* malloc(size_t size) { return refuse() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return refuse() ? NULL : __libc_calloc(count, size); }

void* realloc(void* old, size_t size)
{
    if (refuse()) return NULL;
    if (watching && old) alive--;
    return __libc_realloc(old, size);
}

void free(void* old)
{
    if (watching && old) alive--;
    __libc_free(old);
}
#endif

static void watch(long failing)
{
    made = alive = 0;
    fail_after = failing;
    watching = true;
}

static void count_event(void* user, const ss_event* event)
{
    (void)event;
    ++*(long*)user;
}

static void test_a_run_allocates_nothing(void** state)
{
    (void)state;
    static random_system s;
    for (int kind = 0; kind < RANDOM_KINDS; kind++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            long events = 0;
            ss_sim* sim = NULL;
            ss_outcome outcome;
            ss_error err = {0};
            random_system_make(&s, (random_kind)kind, seed);
            if (seed % 2 == 0 && kind == RANDOM_BODIES) s.rig.connections[0].cubic = 0.3; // smooth flow, too
            ss_model* model = random_system_model(&s);
            ss_sim_def def = ss_sim_def_default();
            def.on_event = count_event;
            def.user = &events;
            assert_int_equal(ss_sim_create(model, &def, &sim, &err), SS_OK);
            watch(0);
            ss_status first = ss_sim_advance(sim, 10.0, &outcome, &err);
            ss_status again = ss_sim_restart(sim, NULL, NULL, &err);
            ss_status second = ss_sim_advance(sim, 10.0, &outcome, &err);
            watching = false;
            assert_true(first == SS_OK && again == SS_OK && second == SS_OK);
            assert_int_equal(made, 0);
            ss_sim_destroy(sim);
            ss_model_destroy(model);
        }
}

// Fails the first allocation, then the second, and so on, until all are granted.
static void test_lack_of_memory_is_told(void** state)
{
    (void)state;
    static random_system s;
    ss_status status = SS_NO_MEMORY;
    long failing = 0;
    if (!OWN_ALLOCATOR) skip();
    while (status != SS_OK && failing < 10000) {
        ss_model* model = NULL;
        ss_sim* sim = NULL;
        ss_error err = {0};
        ss_sim_def def = ss_sim_def_default();
        random_system_make(&s, RANDOM_TIED, 2);
        watch(++failing);
        status = ss_model_create(&s.rig.def, &model, &err);
        if (status == SS_OK) status = ss_sim_create(model, &def, &sim, &err);
        ss_sim_destroy(sim);
        ss_model_destroy(model);
        watching = false;
        assert_int_equal(alive, 0);
        if (status != SS_OK) assert_true(status == SS_NO_MEMORY && err.status == SS_NO_MEMORY && !sim);
    }
    assert_int_equal(status, SS_OK);
    assert_true(failing > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_allocates_nothing),
        cmocka_unit_test(test_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
