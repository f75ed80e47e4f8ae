// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "answer/answer_impl.h"

#include "core/error.h"
#include "share/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ss_status ss_answer_create(ss_answer** out, ss_error* err)
{
    *out = ss_new(1, sizeof **out);
    return *out ? SS_OK : ss_fail_no_memory(err);
}

void ss_answer_destroy(ss_answer* answer)
{
    if (!answer) return;
    ss_pool_free(&answer->pool);
    free(answer);
}

ss_status ss_answer_finish(ss_answer* answer, ss_error* err)
{
    if (answer->pool.failed) return ss_fail_no_memory(err);
    if (answer->wrong || answer->depth > 0 || answer->key || !answer->root)
        return ss_fail(err, SS_BAD_INPUT, "answer", "objects, lists and keys do not match");
    return SS_OK;
}

ss_status ss_answer_hand_over(ss_answer* answer, ss_answer** out, ss_error* err)
{
    ss_status status = ss_answer_finish(answer, err);
    if (status != SS_OK) ss_answer_destroy(answer);
    *out = status == SS_OK ? answer : NULL;
    return status;
}

// ---- building

void ss_answer_reopen(ss_answer* answer)
{
    ss_value* last = answer->root ? answer->root->first : NULL;
    while (last && last->next) last = last->next;
    if (answer->depth > 0 || !answer->root || answer->root->kind != SS_VALUE_OBJECT) answer->wrong = true;
    if (answer->pool.failed || answer->wrong) return;
    answer->open[0].value = answer->root;
    answer->open[0].last = last;
    answer->depth = 1;
}

const char* ss_answer_keep(ss_answer* answer, const char* text)
{
    const char* kept = ss_pool_text(&answer->pool, text, strlen(text));
    return kept ? kept : "";
}

const char** ss_answer_keep_names(ss_answer* answer, const void* of, int count,
                                  const char* (*name)(const void* of, int k))
{
    const char** names = ss_pool_new(&answer->pool, (size_t)count, sizeof *names);
    for (int k = 0; names && k < count; k++) names[k] = ss_answer_keep(answer, name(of, k));
    return names;
}

void ss_answer_key(ss_answer* answer, const char* key)
{
    bool wanted = answer->depth > 0 && answer->open[answer->depth - 1].value->kind == SS_VALUE_OBJECT;
    if (!wanted || answer->key) answer->wrong = true;
    answer->key = key;
}

// A new value at the end of what is open; NULL where that is not possible.
static ss_value* add(ss_answer* answer, ss_value_kind kind)
{
    ss_value* parent = answer->depth > 0 ? answer->open[answer->depth - 1].value : NULL;
    bool in_object = parent && parent->kind == SS_VALUE_OBJECT;
    if (answer->pool.failed || answer->wrong) return NULL;
    if (in_object != (answer->key != NULL) || (!parent && answer->root) ||
        (parent && parent->count == UINT32_MAX)) {
        answer->wrong = true;
        return NULL;
    }
    ss_value* value = ss_pool_new(&answer->pool, 1, sizeof *value);
    if (!value) return NULL;
    value->kind = (uint8_t)kind;
    value->key = answer->key;
    answer->key = NULL;
    if (!parent) {
        answer->root = value;
        return value;
    }
    ss_value* last = answer->open[answer->depth - 1].last;
    if (last)
        last->next = value;
    else
        parent->first = value;
    answer->open[answer->depth - 1].last = value;
    parent->count++;
    return value;
}

static void open(ss_answer* answer, ss_value_kind kind, bool lines)
{
    if (answer->depth == SS_ANSWER_DEPTH) answer->wrong = true;
    ss_value* value = add(answer, kind);
    if (!value) return;
    value->lines = lines;
    answer->open[answer->depth].value = value;
    answer->open[answer->depth].last = NULL;
    answer->depth++;
}

void ss_answer_object(ss_answer* answer, bool lines) { open(answer, SS_VALUE_OBJECT, lines); }
void ss_answer_list(ss_answer* answer, bool lines) { open(answer, SS_VALUE_LIST, lines); }

void ss_answer_end(ss_answer* answer)
{
    if (answer->pool.failed || answer->wrong) return;
    if (answer->depth == 0 || answer->key)
        answer->wrong = true;
    else
        answer->depth--;
}

void ss_answer_number(ss_answer* answer, double value)
{
    ss_value* added = add(answer, isfinite(value) ? SS_VALUE_NUMBER : SS_VALUE_NULL);
    if (added && added->kind == SS_VALUE_NUMBER) added->number = value + 0.0; // + 0.0 turns -0 into 0
}

void ss_answer_word(ss_answer* answer, const char* word)
{
    ss_value* added = add(answer, SS_VALUE_TEXT);
    if (added) added->text = word;
}

void ss_answer_text(ss_answer* answer, const char* text)
{
    ss_answer_word(answer, ss_answer_keep(answer, text));
}

void ss_answer_bool(ss_answer* answer, bool value)
{
    ss_value* added = add(answer, SS_VALUE_BOOL);
    if (added) added->truth = value;
}

void ss_answer_null(ss_answer* answer) { add(answer, SS_VALUE_NULL); }

void ss_answer_numbers(ss_answer* answer, const double values[], size_t count)
{
    if (count > UINT32_MAX) answer->wrong = true;
    ss_value* added = add(answer, SS_VALUE_NUMBERS);
    double* numbers = added ? ss_pool_new(&answer->pool, count, sizeof *numbers) : NULL;
    if (!numbers) return;
    for (size_t k = 0; k < count; k++) numbers[k] = isfinite(values[k]) ? values[k] + 0.0 : NAN;
    added->numbers = numbers;
    added->count = (uint32_t)count;
}

void ss_answer_put_number(ss_answer* answer, const char* key, double value)
{
    ss_answer_key(answer, key);
    ss_answer_number(answer, value);
}

void ss_answer_put_text(ss_answer* answer, const char* key, const char* text)
{
    ss_answer_key(answer, key);
    ss_answer_text(answer, text);
}

void ss_answer_put_word(ss_answer* answer, const char* key, const char* word)
{
    ss_answer_key(answer, key);
    ss_answer_word(answer, word);
}

void ss_answer_put_bool(ss_answer* answer, const char* key, bool value)
{
    ss_answer_key(answer, key);
    ss_answer_bool(answer, value);
}

void ss_answer_put_null(ss_answer* answer, const char* key)
{
    ss_answer_key(answer, key);
    ss_answer_null(answer);
}

void ss_answer_put_numbers(ss_answer* answer, const char* key, const double values[], size_t count)
{
    ss_answer_key(answer, key);
    ss_answer_numbers(answer, values, count);
}

void ss_answer_put_object(ss_answer* answer, const char* key, bool lines)
{
    ss_answer_key(answer, key);
    ss_answer_object(answer, lines);
}

void ss_answer_put_list(ss_answer* answer, const char* key, bool lines)
{
    ss_answer_key(answer, key);
    ss_answer_list(answer, lines);
}

// ---- reading

const ss_value* ss_answer_root(const ss_answer* answer) { return answer->root; }

ss_value_kind ss_value_get_kind(const ss_value* value)
{
    return value ? (ss_value_kind)value->kind : SS_VALUE_NULL;
}

const char* ss_value_key(const ss_value* value) { return value ? value->key : NULL; }

double ss_value_number(const ss_value* value)
{
    return ss_value_get_kind(value) == SS_VALUE_NUMBER ? value->number : NAN;
}

const char* ss_value_text(const ss_value* value)
{
    return ss_value_get_kind(value) == SS_VALUE_TEXT ? value->text : NULL;
}

bool ss_value_is_true(const ss_value* value)
{
    return ss_value_get_kind(value) == SS_VALUE_BOOL && value->truth;
}

size_t ss_value_count(const ss_value* value) { return value ? value->count : 0; }

const double* ss_value_numbers(const ss_value* value)
{
    return ss_value_get_kind(value) == SS_VALUE_NUMBERS ? value->numbers : NULL;
}

const ss_value* ss_value_first(const ss_value* value)
{
    ss_value_kind kind = ss_value_get_kind(value);
    return kind == SS_VALUE_LIST || kind == SS_VALUE_OBJECT ? value->first : NULL;
}

const ss_value* ss_value_next(const ss_value* value) { return value ? value->next : NULL; }

const ss_value* ss_value_find(const ss_value* object, const char* key)
{
    const ss_value* member = ss_value_first(object);
    while (member && !(member->key && strcmp(member->key, key) == 0)) member = member->next;
    return member;
}
