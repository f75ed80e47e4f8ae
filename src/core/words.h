// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Words with numbers 0, 1, .. that are found by their text, without looking at all of them. The last ones can
// be taken away again.
#ifndef SLIPSTICK_CORE_WORDS_H
#define SLIPSTICK_CORE_WORDS_H

#include "core/pool.h"

typedef struct ss_words {
    const char** text; ///< borrowed
    int* older;        ///< the word before it in its bucket, -1: none
    int* newest;       ///< of each bucket, -1: none
    size_t buckets;    ///< a power of two
    int count;
} ss_words;

/// Room for that many words; the memory is the pool's. False when there is none.
bool ss_words_make(ss_words* words, ss_pool* pool, int room);
/// The word gets the next number.
void ss_words_add(ss_words* words, const char* text);
/// Takes away all words but the first `count`.
void ss_words_keep(ss_words* words, int count);
/// The smallest number of a word with this text, which need not end with it; -1 where there is none.
int ss_words_find(const ss_words* words, const char* text, size_t length);

#endif
