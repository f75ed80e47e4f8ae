// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers that are computed once and found by all threads: slots of one size, each of which is filled once.
// Nothing waits: while another thread fills a slot, it is neither found nor free.
#ifndef SLIPSTICK_CORE_STORE_H
#define SLIPSTICK_CORE_STORE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ss_store ss_store;

/// Without room; NULL where there is no memory.
ss_store* ss_store_new(void);
void ss_store_free(ss_store* store);
/// Room for so many slots of so many numbers. Who asks later finds it as it was made at first: ask for the
/// same. False where there is no memory.
bool ss_store_reserve(ss_store* store, size_t slots, size_t size);
/// What the slot holds; NULL until that has been published.
const double* ss_store_find(const ss_store* store, size_t slot);
/// The slot, which is the caller's until he publishes it; NULL where somebody has had it before.
double* ss_store_claim(ss_store* store, size_t slot);
void ss_store_publish(ss_store* store, size_t slot);

#endif
