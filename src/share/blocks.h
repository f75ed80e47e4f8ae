// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The blocks of a map, for those who spread it over machines. A block is the unit of work,
// of the journal and of what processes send each other; its cells, and so its bits, depend on the definition
// of the basin alone.
//
// A process makes a pool of threads, gives block numbers and takes answers; the bytes of an answer may be
// sent anywhere, and ss_basin_view reads them where the same basin was made:
//
//     ss_basin_pool* pool;
//     ss_basin_pool_create(basin, 0, &pool, &err);
//     while (ss_basin_pool_wants(pool) > 0 && next < ss_basin_block_total(basin)) ss_basin_pool_give(pool,
//     next++); ss_basin_pool_take(pool, 0.1, &taken, &answer, &err); if (taken) send(answer.block,
//     answer.payload, answer.size), ss_basin_pool_give_back(pool, &answer);
#ifndef SLIPSTICK_SHARE_BLOCKS_H
#define SLIPSTICK_SHARE_BLOCKS_H

#include "slipstick/map.h"

/// What the cells of a sweep are starts of.
const char* ss_basin_title(const ss_basin* basin);
int ss_basin_place_count(const ss_basin* basin); ///< numbers that say where a cell ended
/// "block1.x", "slider.angle"; written into out.
const char* ss_basin_place_name(const ss_basin* basin, int place, char* out, size_t size);
const char* ss_basin_place_unit(const ss_basin* basin, int place); ///< "m" or "rad"
bool ss_basin_place_is_free(const ss_basin* basin, int place);     ///< not that of a driven body

int64_t ss_basin_block_total(const ss_basin* basin); ///< blocks, counted from 0
/// Bytes of the answer of a block: t of all cells, then x, then states and memory, then the fates. No block
/// has more than block 0.
size_t ss_basin_payload_size(const ss_basin* basin, int64_t block);
/// An answer as arrays; payload is aligned for double, and borrowed.
ss_basin_block ss_basin_view(const ss_basin* basin, int64_t block, const void* payload);
void ss_basin_count(const ss_basin_block* block, ss_basin_counts* counts); ///< adds a block

/// Threads that compute blocks. One thread, the owner, calls all these functions, so whatever it does with
/// the answers needs no lock.
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
