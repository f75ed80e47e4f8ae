// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Many motions of one slider over threads: each takes the next few starts until none is left.
#include "core/error.h"
#include "share/blocks.h"
#include "slipstick/basin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { TAKEN = 16, MOST_THREADS = 1024 };

typedef struct team {
    const ss_slider* slider;
    ss_batch_def def;
    const ss_slide_starts* starts;
    atomic_size_t next; // start that nobody has taken yet
    atomic_bool stop;
    pthread_mutex_t lock; // of what follows
    bool failed;
    size_t failed_at; // the first start among those that failed
    ss_error error;
} team;

// A thread of the team.
static bool go_on(void* user, double t)
{
    (void)t;
    return !atomic_load(&((team*)user)->stop);
}

// The thread that called, which may ask its user.
static bool ask(void* user, double t)
{
    team* all = user;
    if (atomic_load(&all->stop)) return false;
    if (all->def.keep_going && !all->def.keep_going(all->def.user, t)) atomic_store(&all->stop, true);
    return !atomic_load(&all->stop);
}

static void note_failure(team* all, size_t from, const ss_error* err)
{
    pthread_mutex_lock(&all->lock);
    if (!all->failed || from < all->failed_at) {
        all->error = *err;
        all->failed_at = from;
    }
    all->failed = true;
    pthread_mutex_unlock(&all->lock);
    atomic_store(&all->stop, true);
}

static ss_slide_starts part_of(const ss_slide_starts* all, size_t from, size_t count)
{
    return (ss_slide_starts){.count = count,
                             .first = all->first + from,
                             .place = all->place ? all->place + 3 * from : NULL,
                             .speed = all->speed ? all->speed + 3 * from : NULL,
                             .results = all->results + from,
                             .end = all->end ? all->end + 3 * from : NULL,
                             .end_speed = all->end_speed ? all->end_speed + 3 * from : NULL};
}

static void work(team* all, ss_keep_going goes_on)
{
    ss_batch_def def = all->def;
    def.keep_going = goes_on;
    def.user = all;
    while (!atomic_load(&all->stop)) {
        size_t from = atomic_fetch_add(&all->next, TAKEN), left = all->starts->count;
        if (from >= left) return;
        left -= from;
        ss_slide_starts part = part_of(all->starts, from, left < TAKEN ? left : TAKEN);
        ss_error err;
        if (ss_slide_batch(all->slider, &def, &part, &err) != SS_OK) note_failure(all, from, &err);
    }
}

static void* run_thread(void* all)
{
    work(all, go_on);
    return NULL;
}

ss_status ss_slide_batch_threads(const ss_slider* slider, const ss_batch_def* given,
                                 const ss_slide_starts* starts, int threads, ss_error* err)
{
    size_t parts = starts ? (starts->count + TAKEN - 1) / TAKEN : 0;
    if (threads <= 0) threads = ss_basin_cores();
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if ((size_t)threads > parts) threads = (int)parts;
    if (threads <= 1) return ss_slide_batch(slider, given, starts, err);
    team all = {.slider = slider, .def = given ? *given : ss_batch_def_default(), .starts = starts};
    pthread_t* ids = ss_new((size_t)threads, sizeof *ids);
    if (!ids) return ss_fail_no_memory(err);
    atomic_init(&all.next, 0);
    atomic_init(&all.stop, false);
    pthread_mutex_init(&all.lock, NULL);
    int started = 0;
    while (started < threads - 1 && pthread_create(&ids[started], NULL, run_thread, &all) == 0) started++;
    work(&all, ask);
    for (int k = 0; k < started; k++) pthread_join(ids[k], NULL);
    pthread_mutex_destroy(&all.lock);
    free(ids);
    if (all.failed && err) *err = all.error;
    return all.failed ? all.error.status : SS_OK;
}
