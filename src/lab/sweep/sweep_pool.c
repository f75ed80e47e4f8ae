// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // sched_getaffinity
#include "lab/sweep/sweep.h"

#include "core/error.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// A slot holds one block on its way through the pool: free, waiting for a thread, or answered. There are
// three per thread: one being computed, one waiting, one being taken.
enum { SLOTS_PER_THREAD = 3, MOST_THREADS = 1024 };

typedef struct slot {
    struct slot* next;
    int64_t block;
    void* payload;
} slot;

typedef struct queue {
    slot *first, *last;
    int count;
} queue;

struct ss_basin_pool {
    const ss_basin* basin;
    pthread_mutex_t lock;
    pthread_cond_t work, answer; // something waits for a thread; something waits for the owner
    queue free, waiting, answered;
    slot* slots;
    int slot_count, threads, started;
    pthread_t* ids;
    atomic_bool stop;
    bool failed;
    ss_error error; // of the first computation that failed
};

static void push(queue* q, slot* s)
{
    s->next = NULL;
    *(q->last ? &q->last->next : &q->first) = s;
    q->last = s;
    q->count++;
}

static slot* pop(queue* q)
{
    slot* s = q->first;
    if (!s) return NULL;
    q->first = s->next;
    if (!q->first) q->last = NULL;
    q->count--;
    return s;
}

int ss_basin_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > MOST_THREADS ? MOST_THREADS : online > 0 ? (int)online : 1;
}

static void note_failure(ss_basin_pool* pool, const ss_error* err)
{
    if (!pool->failed) pool->error = *err;
    pool->failed = true;
    atomic_store(&pool->stop, true);
}

// Waits for a slot with work; NULL when it is time to end. The lock is held.
static slot* next_work(ss_basin_pool* pool)
{
    while (!atomic_load(&pool->stop) && pool->waiting.count == 0) pthread_cond_wait(&pool->work, &pool->lock);
    return atomic_load(&pool->stop) ? NULL : pop(&pool->waiting);
}

static void* run_thread(void* argument)
{
    ss_basin_pool* pool = argument;
    void* worker = NULL;
    ss_error err;
    ss_status status = pool->basin->task.start(pool->basin, &pool->stop, &worker, &err);
    pthread_mutex_lock(&pool->lock);
    for (slot* s; status == SS_OK && (s = next_work(pool));) {
        pthread_mutex_unlock(&pool->lock);
        status = pool->basin->task.compute(worker, s->block, s->payload, &err);
        pthread_mutex_lock(&pool->lock);
        if (status != SS_OK || atomic_load(&pool->stop)) break; // cut short: worth nothing
        push(&pool->answered, s);
        pthread_cond_signal(&pool->answer);
    }
    if (status != SS_OK) {
        note_failure(pool, &err);
        pthread_cond_broadcast(&pool->work);
        pthread_cond_signal(&pool->answer);
    }
    pthread_mutex_unlock(&pool->lock);
    pool->basin->task.finish(worker);
    return NULL;
}

static ss_status make_slots(ss_basin_pool* pool, ss_error* err)
{
    pool->slot_count = SLOTS_PER_THREAD * pool->threads;
    pool->slots = ss_new((size_t)pool->slot_count, sizeof *pool->slots);
    pool->ids = ss_new((size_t)pool->threads, sizeof *pool->ids);
    if (!pool->slots || !pool->ids) return ss_fail_no_memory(err);
    for (int k = 0; k < pool->slot_count; k++) {
        pool->slots[k].payload = malloc(ss_basin_payload_size(pool->basin, 0));
        if (!pool->slots[k].payload) return ss_fail_no_memory(err);
        push(&pool->free, &pool->slots[k]);
    }
    return SS_OK;
}

static ss_status start_threads(ss_basin_pool* pool, ss_error* err)
{
    for (; pool->started < pool->threads; pool->started++) {
        int failure = pthread_create(&pool->ids[pool->started], NULL, run_thread, pool);
        if (failure && pool->started == 0) return ss_fail(err, SS_NO_MEMORY, NULL, "cannot start a thread");
        if (failure) break; // fewer do as well
    }
    return SS_OK;
}

static void make_locks(ss_basin_pool* pool)
{
    pthread_condattr_t monotonic; // waiting must not depend on somebody setting the clock
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->answer, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

ss_status ss_basin_pool_create(const ss_basin* basin, int threads, ss_basin_pool** out, ss_error* err)
{
    *out = NULL;
    ss_basin_pool* pool = ss_new(1, sizeof *pool);
    if (!pool) return ss_fail_no_memory(err);
    pool->basin = basin;
    pool->threads = threads > 0 ? threads : ss_basin_cores();
    if (pool->threads > basin->blocks) pool->threads = (int)basin->blocks;
    if (pool->threads > MOST_THREADS) pool->threads = MOST_THREADS;
    atomic_init(&pool->stop, false);
    make_locks(pool);
    ss_status status = make_slots(pool, err);
    if (status == SS_OK) status = start_threads(pool, err);
    if (status != SS_OK) {
        ss_basin_pool_destroy(pool);
        return status;
    }
    *out = pool;
    return SS_OK;
}

int ss_basin_pool_wants(const ss_basin_pool* pool)
{
    pthread_mutex_lock((pthread_mutex_t*)&pool->lock);
    int count = pool->free.count;
    pthread_mutex_unlock((pthread_mutex_t*)&pool->lock);
    return count;
}

int ss_basin_pool_pending(const ss_basin_pool* pool) { return pool->slot_count - ss_basin_pool_wants(pool); }

void ss_basin_pool_give(ss_basin_pool* pool, int64_t block)
{
    pthread_mutex_lock(&pool->lock);
    slot* s = pop(&pool->free);
    s->block = block;
    push(&pool->waiting, s);
    pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->lock);
}

static struct timespec from_now(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    long nanoseconds = t.tv_nsec + (long)(seconds * 1e9);
    t.tv_sec += nanoseconds / 1000000000;
    t.tv_nsec = nanoseconds % 1000000000;
    return t;
}

ss_status ss_basin_pool_take(ss_basin_pool* pool, double wait_s, bool* taken, ss_basin_answer* answer,
                             ss_error* err)
{
    struct timespec end = from_now(wait_s);
    pthread_mutex_lock(&pool->lock);
    int waited = 0;
    while (!pool->failed && pool->answered.count == 0 && waited != ETIMEDOUT && wait_s > 0)
        waited = pthread_cond_timedwait(&pool->answer, &pool->lock, &end);
    bool failed = pool->failed;
    slot* s = failed ? NULL : pop(&pool->answered);
    if (failed && err) *err = pool->error;
    pthread_mutex_unlock(&pool->lock);
    *taken = s != NULL;
    if (s) *answer = (ss_basin_answer){s->block, ss_basin_payload_size(pool->basin, s->block), s->payload};
    return failed ? pool->error.status : SS_OK;
}

void ss_basin_pool_give_back(ss_basin_pool* pool, const ss_basin_answer* answer)
{
    pthread_mutex_lock(&pool->lock);
    for (int k = 0; k < pool->slot_count; k++)
        if (pool->slots[k].payload == answer->payload) push(&pool->free, &pool->slots[k]);
    pthread_mutex_unlock(&pool->lock);
}

void ss_basin_pool_destroy(ss_basin_pool* pool)
{
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->stop, true);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (int k = 0; k < pool->started; k++) pthread_join(pool->ids[k], NULL);
    for (int k = 0; pool->slots && k < pool->slot_count; k++) free(pool->slots[k].payload);
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->answer);
    pthread_mutex_destroy(&pool->lock);
    free(pool->slots);
    free(pool->ids);
    free(pool);
}
