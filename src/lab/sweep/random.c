// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Random numbers by counting: number k is a function of k, so that any thread, rank or resumed run draws
// the same. Philox4x32-10 [SMDS11].
//
//  [SMDS11]  Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3 (2011),
//            doi:10.1145/2063384.2063405
#include "lab/sweep/random.h"

#include "share/chance.h"
#include "slipstick/basin.h"

// One round: two 32 x 32 bit products, their halves crossed and mixed with key and counter [SMDS11, 3.3].
static void mix(uint32_t c[4], const uint32_t key[2])
{
    uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
    uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ key[0], (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ key[1],
                        (uint32_t)a};
    for (int i = 0; i < 4; i++) c[i] = next[i];
}

void ss_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t k[2] = {key[0], key[1]};
    for (int i = 0; i < 4; i++) out[i] = counter[i];
    for (int round = 0; round < 10; round++) {
        mix(out, k);
        k[0] += 0x9E3779B9u; // Weyl sequences: golden ratio, and sqrt(3) - 1
        k[1] += 0xBB67AE85u;
    }
}

double ss_random_uniform(uint64_t seed, uint64_t k, uint32_t axis)
{
    const uint32_t counter[4] = {(uint32_t)k, (uint32_t)(k >> 32), axis / 2, 0};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t out[4];
    ss_philox(counter, key, out);
    const uint32_t* pair = out + 2 * (axis % 2);
    uint64_t bits = (uint64_t)pair[1] << 32 | pair[0];
    return (double)(bits >> 11) * 0x1p-53;
}
