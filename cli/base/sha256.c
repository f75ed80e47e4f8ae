// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// SHA-256 [FIPS 180-4]; letters are those of section 6.2.
#define _POSIX_C_SOURCE 200809L

#include "base/sha256.h"

#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8 };

typedef struct state {
    uint32_t K[ROUNDS], H[WORDS];
} state;

static uint32_t rotated(uint32_t x, int n) { return x >> n | x << (32 - n); }

static bool is_prime(int n)
{
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return true;
}

// The first 32 bits of a fraction.
static uint32_t bits_of(double root) { return (uint32_t)((root - floor(root)) * 0x1p32); }

// The constants are fractions of cube and square roots of the first primes (sections 4.2.2 and 5.3.3), of
// which a double has more than the 32 bits that count.
static void begin(state* s)
{
    for (int k = 0, prime = 2; k < ROUNDS; prime++) {
        if (!is_prime(prime)) continue;
        s->K[k] = bits_of(cbrt(prime));
        if (k < WORDS) s->H[k] = bits_of(sqrt(prime));
        k++;
    }
}

static void add_block(state* s, const unsigned char block[BLOCK])
{
    uint32_t W[ROUNDS], v[WORDS]; // v: the working variables a to h
    for (int t = 0; t < 16; t++)
        W[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < ROUNDS; t++) {
        uint32_t x = W[t - 15], y = W[t - 2];
        W[t] = W[t - 16] + W[t - 7] + (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) +
               (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
    }
    memcpy(v, s->H, sizeof v);
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t a = v[0], e = v[4], choice = (e & v[5]) ^ (~e & v[6]),
                 majority = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
        uint32_t T1 = v[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + s->K[t] + W[t];
        uint32_t T2 = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority;
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += T1;
        v[0] = T1 + T2;
    }
    for (int k = 0; k < WORDS; k++) s->H[k] += v[k];
}

static void end(state* s, const unsigned char* rest, size_t left, uint64_t size)
{
    unsigned char last[2 * BLOCK] = {0}; // what is left, a bit, and the length in bits
    size_t total = left + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    memcpy(last, rest, left);
    last[left] = 0x80;
    for (int k = 0; k < 8; k++) last[total - 1 - (size_t)k] = (unsigned char)(size * 8 >> 8 * k);
    for (size_t k = 0; k < total; k += BLOCK) add_block(s, last + k);
}

// Without an allocation, so that a machine short of memory tells the same.
bool cli_sha256_file(const char* path, char out[CLI_SHA256_SIZE])
{
    struct stat about;
    unsigned char bytes[64 * BLOCK];
    state s;
    uint64_t size = 0;
    out[0] = '\0';
    int file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? open(path, O_RDONLY) : -1;
    if (file < 0) return false;
    begin(&s);
    ssize_t got = read(file, bytes, sizeof bytes); // of a file all that was asked for, but at its end
    for (; got == (ssize_t)sizeof bytes; got = read(file, bytes, sizeof bytes), size += sizeof bytes)
        for (size_t k = 0; k < sizeof bytes; k += BLOCK) add_block(&s, bytes + k);
    close(file);
    if (got < 0) return false;
    size_t whole = (size_t)got / BLOCK * BLOCK;
    for (size_t k = 0; k < whole; k += BLOCK) add_block(&s, bytes + k);
    end(&s, bytes + whole, (size_t)got - whole, size + (uint64_t)got);
    for (int k = 0; k < WORDS; k++) snprintf(out + 8 * k, 9, "%08x", (unsigned)s.H[k]);
    return true;
}
