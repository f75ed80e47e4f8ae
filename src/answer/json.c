// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Answers as JSON. Numbers read back exactly; text is passed through as UTF-8, but for
// characters that are obeyed instead of shown.
#include "answer/answer_impl.h"
#include "core/error.h"
#include "core/number_length.h"
#include "core/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Words are gathered: an answer has millions of them, and a sink may be slow.
typedef struct printer {
    ss_text_sink* sink;
    void* user;
    bool failed;
    size_t used;
    char gathered[4096];
} printer;

static void pass_on(printer* p, const char* text, size_t length)
{
    if (!p->failed && length > 0) p->failed = !p->sink(p->user, text, length);
}

static void flush(printer* p)
{
    pass_on(p, p->gathered, p->used);
    p->used = 0;
}

static void put(printer* p, const char* text, size_t length)
{
    if (length > sizeof p->gathered - p->used) flush(p);
    if (length > sizeof p->gathered) {
        pass_on(p, text, length);
        return;
    }
    memcpy(p->gathered + p->used, text, length);
    p->used += length;
}

static void put_word(printer* p, const char* word) { put(p, word, strlen(word)); }

// What stands for a character in a text of JSON, where it cannot stand for itself: marks of JSON, what a
// terminal or a script would obey, bytes that are no text.
static bool is_coded(uint32_t letter, size_t length, char code[8])
{
    if (length > 0 && letter != '"' && letter != '\\' && !ss_utf8_is_hidden(letter)) return false;
    bool mark = length > 0 && (letter == '"' || letter == '\\');
    snprintf(code, 8, mark ? "\\%c" : "\\u%04x", length > 0 ? (unsigned)letter & 0xffff : 0xfffdU);
    return true;
}

static void put_text(printer* p, const char* text)
{
    put_word(p, "\"");
    size_t left = strlen(text);
    for (const char* from = text; left > 0;) {
        const char* at = from;
        char code[8] = "";
        size_t length = 0;
        for (uint32_t letter = 0; left > 0; at += length, left -= length) {
            length = ss_utf8_read(at, left, &letter);
            if (is_coded(letter, length, code)) break;
        }
        put(p, from, (size_t)(at - from));
        put_word(p, code);
        if (left > 0) left -= length > 0 ? length : 1;
        from = at + (length > 0 ? length : 1);
    }
    put_word(p, "\"");
}

static void put_number(printer* p, double value)
{
    if (!isfinite(value)) {
        put_word(p, "null");
        return;
    }
    char text[SS_NUMBER_SIZE];
    put_word(p, ss_number_shortest(value, text, sizeof text));
}

// What stands between the member before and the next one; the outermost object begins on its first line.
static void separate(printer* p, const ss_value* of, bool first, int depth)
{
    char line[SS_ANSWER_DEPTH + 3];
    if (!first) put_word(p, ",");
    if (of->lines && (!first || depth > 1)) {
        snprintf(line, sizeof line, "\n%*s", depth, "");
        put_word(p, line);
    } else if (!of->lines && !first) {
        put_word(p, " ");
    }
}

static void put_numbers(printer* p, const ss_value* value)
{
    put_word(p, "[");
    for (uint32_t k = 0; k < value->count && !p->failed; k++) {
        if (k > 0) put_word(p, ", ");
        put_number(p, value->numbers[k]);
    }
    put_word(p, "]");
}

static void print(printer* p, const ss_value* value, int depth)
{
    switch ((ss_value_kind)value->kind) {
    case SS_VALUE_NULL: put_word(p, "null"); return;
    case SS_VALUE_BOOL: put_word(p, value->truth ? "true" : "false"); return;
    case SS_VALUE_NUMBER: put_number(p, value->number); return;
    case SS_VALUE_TEXT: put_text(p, value->text); return;
    case SS_VALUE_NUMBERS: put_numbers(p, value); return;
    case SS_VALUE_LIST:
    case SS_VALUE_OBJECT: break;
    }
    bool is_object = value->kind == SS_VALUE_OBJECT;
    put_word(p, is_object ? "{" : "[");
    for (const ss_value* member = ss_value_first(value); member && !p->failed; member = member->next) {
        separate(p, value, member == value->first, depth + 1);
        if (is_object) {
            put_text(p, member->key);
            put_word(p, ": ");
        }
        print(p, member, depth + 1);
    }
    put_word(p, is_object ? "}" : "]");
}

ss_status ss_answer_print_json(const ss_answer* answer, ss_text_sink* sink, void* user, ss_error* err)
{
    printer p;
    p.sink = sink;
    p.user = user;
    p.failed = false;
    p.used = 0;
    if (answer->root) print(&p, answer->root, 0);
    put_word(&p, "\n");
    flush(&p);
    return p.failed ? ss_fail(err, SS_FILE_ERROR, "", "the answer could not be written") : SS_OK;
}

typedef struct room {
    char* out;
    size_t size, length;
} room;

static bool fill(void* user, const char* text, size_t length)
{
    room* r = user;
    if (r->length < r->size) {
        size_t left = r->size - r->length;
        memcpy(r->out + r->length, text, length < left ? length : left);
    }
    r->length += length;
    return true;
}

size_t ss_answer_format_json(const ss_answer* answer, char* out, size_t size)
{
    room r = {.out = out, .size = size};
    ss_answer_print_json(answer, fill, &r, NULL);
    if (size > 0) out[r.length < size ? r.length : size - 1] = '\0';
    return r.length;
}
