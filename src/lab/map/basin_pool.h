// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Threads that compute blocks. One thread, the owner, gives block numbers and takes answers; it alone calls
// these functions, so whatever it does with the answers needs no lock.
#ifndef SLIPSTICK_LAB_BASIN_POOL_H
#define SLIPSTICK_LAB_BASIN_POOL_H

#include "lab/map/basin_plan.h"

typedef struct ss_basin_pool ss_basin_pool;

typedef struct ss_basin_answer {
    int64_t block;
    size_t size;
    void* payload; ///< borrowed until it is given back
} ss_basin_answer;

/// Cores this process may use: what its affinity mask says.
int ss_basin_cores(void);

/// threads = 0: one per core.
ss_status ss_basin_pool_create(const ss_basin* basin, int threads, ss_basin_pool** out, ss_error* err);
/// How many blocks can be given at present without any thread running out of work meanwhile.
int ss_basin_pool_wants(const ss_basin_pool* pool);
void ss_basin_pool_give(ss_basin_pool* pool, int64_t block); ///< only while ss_basin_pool_wants > 0
int ss_basin_pool_pending(const ss_basin_pool* pool);        ///< given, and not yet taken
/// Takes an answer, waiting up to wait_s for one. False if there is none yet. A computation that failed gives
/// a status; the pool is then good for nothing but to be destroyed.
ss_status ss_basin_pool_take(ss_basin_pool* pool, double wait_s, bool* taken, ss_basin_answer* answer,
                             ss_error* err);
void ss_basin_pool_give_back(ss_basin_pool* pool, const ss_basin_answer* answer);
/// Ends what is being computed, soon. NULL is welcome.
void ss_basin_pool_destroy(ss_basin_pool* pool);

#endif
