// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/store.h"

#include "core/error.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { EMPTY, CLAIMED, FILLED };

typedef struct room {
    size_t size;
    double* numbers;
    atomic_uchar states[];
} room;

struct ss_store {
    _Atomic(room*) room;
};

ss_store* ss_store_new(void)
{
    ss_store* store = ss_new(1, sizeof *store);
    if (store) atomic_init(&store->room, NULL);
    return store;
}

static void free_room(room* r)
{
    if (r) free(r->numbers);
    free(r);
}

void ss_store_free(ss_store* store)
{
    if (store) free_room(atomic_load(&store->room));
    free(store);
}

// The numbers are not touched: pages of slots that are never filled cost nothing.
static room* make_room(size_t slots, size_t size)
{
    if (slots == 0 || size == 0 || slots > SIZE_MAX / sizeof(double) / size) return NULL;
    room* r = ss_new(1, sizeof *r + slots * sizeof(atomic_uchar));
    if (!r) return NULL;
    r->size = size;
    r->numbers = malloc(slots * size * sizeof(double));
    for (size_t k = 0; k < slots; k++) atomic_init(&r->states[k], EMPTY);
    if (r->numbers) return r;
    free_room(r);
    return NULL;
}

bool ss_store_reserve(ss_store* store, size_t slots, size_t size)
{
    room* there = atomic_load(&store->room);
    if (there) return true;
    room* made = make_room(slots, size);
    if (made && !atomic_compare_exchange_strong(&store->room, &there, made)) free_room(made);
    return made != NULL;
}

const double* ss_store_find(const ss_store* store, size_t slot)
{
    const room* r = atomic_load_explicit(&store->room, memory_order_acquire);
    bool filled = atomic_load_explicit(&r->states[slot], memory_order_acquire) == FILLED;
    return filled ? r->numbers + slot * r->size : NULL;
}

double* ss_store_claim(ss_store* store, size_t slot)
{
    room* r = atomic_load_explicit(&store->room, memory_order_acquire);
    unsigned char state = EMPTY;
    bool own = atomic_compare_exchange_strong(&r->states[slot], &state, CLAIMED);
    return own ? r->numbers + slot * r->size : NULL;
}

void ss_store_publish(ss_store* store, size_t slot)
{
    room* r = atomic_load_explicit(&store->room, memory_order_acquire);
    atomic_store_explicit(&r->states[slot], FILLED, memory_order_release);
}
