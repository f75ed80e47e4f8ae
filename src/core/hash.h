// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A number that tells bytes from other bytes: FNV-1a, eight bytes at a time.
#ifndef SLIPSTICK_CORE_HASH_H
#define SLIPSTICK_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SS_HASH_START 14695981039346656037u

static inline uint64_t ss_hash(uint64_t hash, const void* bytes, size_t size)
{
    const unsigned char* p = bytes;
    const uint64_t prime = 1099511628211u;
    for (; size >= 8; size -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        hash = (hash ^ word) * prime;
        hash ^= hash >> 29; // a product carries upwards only
    }
    for (; size > 0; size--, p++) hash = (hash ^ *p) * prime;
    return hash ^ (hash >> 32);
}

static inline uint64_t ss_hash_number(uint64_t hash, double number)
{
    return ss_hash(hash, &number, sizeof number);
}

static inline uint64_t ss_hash_int(uint64_t hash, long long number)
{
    return ss_hash(hash, &number, sizeof number);
}

static inline uint64_t ss_hash_text(uint64_t hash, const char* text)
{
    return text ? ss_hash(ss_hash_int(hash, 1), text, strlen(text) + 1) : ss_hash_int(hash, 0);
}

#endif
