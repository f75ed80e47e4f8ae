// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A hash table with chains: in every bucket the newest word comes first, so that the last one of all is the
// first of its bucket and easily taken away.
#include "core/words.h"

#include "core/hash.h"

bool ss_words_make(ss_words* words, ss_pool* pool, int room)
{
    *words = (ss_words){.buckets = 16};
    while (words->buckets < (size_t)room) words->buckets *= 2;
    words->text = ss_pool_new(pool, (size_t)room, sizeof *words->text);
    words->older = ss_pool_new(pool, (size_t)room, sizeof *words->older);
    words->newest = ss_pool_new(pool, words->buckets, sizeof *words->newest);
    if (pool->failed) return false;
    for (size_t i = 0; i < words->buckets; i++) words->newest[i] = -1;
    return true;
}

static int* bucket_of(const ss_words* words, const char* text, size_t length)
{
    return &words->newest[ss_hash(SS_HASH_START, text, length) & (words->buckets - 1)];
}

void ss_words_add(ss_words* words, const char* text)
{
    int* bucket = bucket_of(words, text, strlen(text));
    words->text[words->count] = text;
    words->older[words->count] = *bucket;
    *bucket = words->count++;
}

void ss_words_keep(ss_words* words, int count)
{
    while (words->count > count) {
        const char* text = words->text[--words->count];
        *bucket_of(words, text, strlen(text)) = words->older[words->count];
    }
}

int ss_words_find(const ss_words* words, const char* text, size_t length)
{
    int found = -1;
    for (int i = *bucket_of(words, text, length); i >= 0; i = words->older[i])
        if (strncmp(words->text[i], text, length) == 0 && words->text[i][length] == '\0') found = i;
    return found;
}
