// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Model files: YAML 1.2 read by libfyaml, event by event, into a document. What libfyaml is not asked to
// judge is checked before it sees the text: size, NUL bytes, UTF-8.
#include "core/error.h"
#include "core/utf8.h"
#include "model/read/node.h"
#include "share/node.h"
#include "slipstick/lab.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_BYTES = 64 * 1024 * 1024,
    MAX_ANCHORS = 1000,
    MAX_COPIES = 100000, // nodes that aliases may add in all: a few lines of them could ask for billions
};

// A node with an anchor ("&name"), for aliases ("*name") to copy.
typedef struct anchor {
    struct anchor* next;
    const ss_node* node;
    bool complete; // false while the node itself is being read
    char name[];
} anchor;

typedef struct place {
    int line, column; // counted from 1
} place;

typedef struct reader {
    const char* name;
    const char* text;
    size_t length;
    struct fy_diag* diag;
    struct fy_parser* parser;
    ss_document* document;
    ss_node* open[SS_MAX_LEVELS]; // lists and maps that are being read, the innermost last
    anchor* open_anchor[SS_MAX_LEVELS];
    int depth;
    char* buffer; // text of the present token
    size_t buffer_size;
    char* key; // of the next entry of a map; NULL before it is read
    place key_place, last;
    bool in_document, finished;
    anchor* anchors; // the newest first
    int anchor_count;
    long copies;
    ss_error* err;
} reader;

static ss_status fail_at(const reader* r, place where, const char* text)
{
    ss_fail(r->err, SS_BAD_INPUT, NULL, "%s", text);
    if (!r->err) return SS_BAD_INPUT;
    snprintf(r->err->origin, sizeof r->err->origin, "%s", r->name);
    r->err->line = where.line;
    r->err->column = where.column;
    return SS_BAD_INPUT;
}

static ss_status check_bytes(const reader* r)
{
    const unsigned char* c = (const unsigned char*)r->text;
    place here = {1, 1};
    for (size_t i = 0; i < r->length;) {
        uint32_t code;
        size_t n = ss_utf8_read(r->text + i, r->length - i, &code);
        if (n == 0) return fail_at(r, here, "not UTF-8 text");
        bool control = c[i] < 0x20 && c[i] != '\t' && c[i] != '\n' && c[i] != '\r';
        if (control || c[i] == 0x7f) {
            char text[64];
            snprintf(text, sizeof text, "a control character (byte 0x%02x) in the text", c[i]);
            return fail_at(r, here, text);
        }
        here.column++;
        if (c[i] == '\n') here = (place){here.line + 1, 1};
        i += n;
    }
    return SS_OK;
}

// What to do about a message of libfyaml, by words of it; "" where nothing helps for sure.
static const char* advice(const char* message)
{
    static const struct {
        const char *words, *advice;
    } known[] = {{"could not find expected ':'", "; write a blank after every colon"},
                 {"tab character", "; indent with blanks"},
                 {"nested block mapping", "; quote text that holds a colon and a blank"},
                 {"flow mapping", "; a { before here is not closed, or a comma is missing"},
                 {"flow sequence", "; a [ before here is not closed, or a comma is missing"},
                 {"expected '-' indicator", "; lines of one map or list begin in one column"},
                 {"expected <block end>", "; lines of one map or list begin in one column"},
                 {"block mapping", "; lines of one map or list begin in one column"},
                 {"plain key", "; expected lines such as title: a block. Comments begin with #"},
                 {"indent", "; lines of one map or list begin in one column"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strstr(message, known[k].words)) return known[k].advice;
    return "";
}

// Takes the first message libfyaml collected.
static ss_status fail_syntax(const reader* r)
{
    void* iterator = NULL;
    const struct fy_diag_error* first = fy_diag_errors_iterate(r->diag, &iterator);
    if (!first && errno == ENOMEM) return ss_fail_no_memory(r->err);
    if (!first) return fail_at(r, r->last, "this is not YAML");
    place where = {first->line > 0 ? first->line : 1, first->column > 0 ? first->column : 1};
    char text[256];
    const char* message = first->msg ? first->msg : "syntax error";
    snprintf(text, sizeof text, "not YAML: %.150s%s", message, advice(message));
    return fail_at(r, where, text);
}

static place place_of(const reader* r, struct fy_token* token)
{
    const struct fy_mark* mark = token ? fy_token_start_mark(token) : NULL;
    if (!mark) return r->last;
    enum fy_scalar_style style = fy_token_scalar_style(token);
    bool quoted = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED; // the mark is after the quote
    return (place){mark->line + 1, mark->column + (quoted ? 0 : 1)};
}

// Where the text of a scalar begins, if it stands in the file letter for letter; otherwise 0.
static int text_column(const reader* r, struct fy_token* token, const char* text, size_t length)
{
    const struct fy_mark* mark = token ? fy_token_start_mark(token) : NULL;
    if (!mark || mark->input_pos > r->length || r->length - mark->input_pos < length) return 0;
    bool same = memcmp(r->text + mark->input_pos, text, length) == 0 && !memchr(text, '\n', length);
    return same ? mark->column + 1 : 0;
}

static bool append(reader* r, size_t used, const char* text, size_t length)
{
    if (used + length >= r->buffer_size) {
        size_t size = 2 * (used + length) + 64;
        char* larger = realloc(r->buffer, size);
        if (!larger) return false;
        r->buffer = larger;
        r->buffer_size = size;
    }
    memcpy(r->buffer + used, text, length);
    r->buffer[used + length] = '\0';
    return true;
}

// Puts the text of a token, quotes and escapes resolved, into the buffer. Piece by piece, because
// fy_token_get_text of libfyaml 0.7.12 leaks on texts with many escapes.
static ss_status token_text(reader* r, struct fy_token* token, size_t* length)
{
    *length = 0;
    struct fy_token_iter* pieces = fy_token_iter_create(token);
    bool enough = pieces && append(r, 0, "", 0);
    int fault = 0;
    const struct fy_iter_chunk* piece = NULL;
    while (enough && (piece = fy_token_iter_chunk_next(pieces, piece, &fault)) != NULL) {
        enough = append(r, *length, piece->str, piece->len);
        *length += piece->len;
    }
    if (pieces) fy_token_iter_destroy(pieces);
    if (!enough) return ss_fail_no_memory(r->err);
    if (fault) return fail_at(r, place_of(r, token), "this text cannot be read");
    return memchr(r->buffer, 0, *length) ? fail_at(r, place_of(r, token), "a NUL character in a text")
                                         : SS_OK;
}

static ss_node* innermost(const reader* r) { return r->depth > 0 ? r->open[r->depth - 1] : NULL; }

static bool expects_key(const reader* r)
{
    return r->depth > 0 && ss_node_get_kind(innermost(r)) == SS_NODE_MAP && !r->key;
}

// Adds a node where the reading has arrived; the pending key is used up.
static ss_status add_node(reader* r, ss_node_def* def, ss_node** out)
{
    def->key = r->key;
    def->key_line = r->key_place.line;
    def->key_column = r->key_place.column;
    ss_status status = ss_document_add(r->document, innermost(r), def, out, r->err);
    free(r->key);
    r->key = NULL;
    return status;
}

static ss_status remember_anchor(reader* r, struct fy_token* token, const ss_node* node, bool complete)
{
    if (!token) return SS_OK;
    if (++r->anchor_count > MAX_ANCHORS) return fail_at(r, r->last, "more than 1000 anchors");
    size_t length = 0;
    ss_status status = token_text(r, token, &length);
    if (status != SS_OK) return status;
    anchor* made = ss_new(1, sizeof *made + length + 1);
    if (!made) return ss_fail_no_memory(r->err);
    memcpy(made->name, r->buffer, length);
    made->node = node;
    made->complete = complete;
    made->next = r->anchors; // a later anchor of the same name hides an earlier one, as YAML says
    r->anchors = made;
    return SS_OK;
}

static ss_status read_key(reader* r, const struct fy_event* event)
{
    struct fy_token* token = event->scalar.value;
    size_t length = 0;
    r->key_place = place_of(r, token);
    ss_status status = token ? token_text(r, token, &length) : SS_OK;
    if (status != SS_OK) return status;
    if (length == 0) return fail_at(r, r->key_place, "a key is missing before ':'");
    if (event->scalar.anchor) return fail_at(r, r->key_place, "an anchor on a key is not supported");
    r->key = ss_new(length + 1, 1);
    if (!r->key) return ss_fail_no_memory(r->err);
    memcpy(r->key, r->buffer, length);
    return SS_OK;
}

static bool is_null(const char* text, size_t length)
{
    static const char* const words[] = {"~", "null", "Null", "NULL"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0) return true;
    return false;
}

static ss_status read_scalar(reader* r, const struct fy_event* event)
{
    if (expects_key(r)) return read_key(r, event);
    struct fy_token* token = event->scalar.value;
    size_t length = 0;
    ss_status status = token ? token_text(r, token, &length) : SS_OK;
    if (status != SS_OK) return status;
    place where = token ? place_of(r, token) : r->key ? r->key_place : r->last;
    ss_node_def def = {.kind = SS_NODE_SCALAR, .line = where.line, .column = where.column};
    if (token && !(fy_token_scalar_style(token) == FYSS_PLAIN && is_null(r->buffer, length))) {
        def.text = r->buffer;
        def.length = length;
        def.text_column = text_column(r, token, r->buffer, length);
    }
    ss_node* node = NULL;
    status = add_node(r, &def, &node);
    return status == SS_OK ? remember_anchor(r, event->scalar.anchor, node, true) : status;
}

static ss_status open_container(reader* r, ss_node_kind kind, struct fy_token* token,
                                struct fy_token* anchor_token)
{
    place where = place_of(r, token);
    if (expects_key(r)) return fail_at(r, where, "a key must be a name, not a list or a map");
    if (r->depth == SS_MAX_LEVELS) return fail_at(r, where, "nested too deeply; at most 64 levels are read");
    ss_node_def def = {.kind = kind, .line = where.line, .column = where.column};
    ss_node* node = NULL;
    ss_status status = add_node(r, &def, &node);
    if (status != SS_OK) return status;
    r->open[r->depth++] = node;
    status = remember_anchor(r, anchor_token, node, false);
    r->open_anchor[r->depth - 1] = anchor_token ? r->anchors : NULL;
    return status;
}

static ss_status close_container(reader* r)
{
    if (r->depth == 0) return fail_at(r, r->last, "not YAML: a list or map ends that never began");
    anchor* own = r->open_anchor[--r->depth];
    if (own) own->complete = true;
    return SS_OK;
}

static ss_status copy_node(reader* r, const ss_node* from, ss_node* parent, const char* key, place key_place,
                           place alias, ss_node** out)
{
    if (++r->copies > MAX_COPIES) return fail_at(r, alias, "aliases repeat too much; at most 100000 entries");
    const char* text = ss_node_text(from);
    ss_node_def def = {.kind = ss_node_get_kind(from),
                       .key = key,
                       .key_line = key_place.line,
                       .key_column = key_place.column,
                       .text = text,
                       .length = text ? strlen(text) : 0,
                       .line = ss_node_line(from),
                       .column = ss_node_column(from),
                       .text_column = ss_node_text_column(from)};
    return ss_document_add(r->document, parent, &def, out, r->err);
}

// Copies what stands below `from` to below `to`, walking both trees side by side.
static ss_status copy_children(reader* r, const ss_node* from, ss_node* to, place alias)
{
    const ss_node* next[SS_MAX_LEVELS] = {ss_node_first(from)};
    ss_node* parents[SS_MAX_LEVELS] = {to};
    int depth = 1;
    while (depth > 0) {
        const ss_node* child = next[depth - 1];
        if (!child) {
            depth--;
            continue;
        }
        next[depth - 1] = ss_node_next(child);
        ss_node* copy = NULL;
        place key_place = {ss_node_key_line(child), ss_node_key_column(child)};
        ss_status status =
            copy_node(r, child, parents[depth - 1], ss_node_key(child), key_place, alias, &copy);
        if (status != SS_OK) return status;
        if (!ss_node_first(child)) continue;
        if (depth == SS_MAX_LEVELS) return fail_at(r, alias, "nested too deeply; at most 64 levels are read");
        next[depth] = ss_node_first(child);
        parents[depth++] = copy;
    }
    return SS_OK;
}

static ss_status read_alias(reader* r, const struct fy_event* event)
{
    place where = place_of(r, event->alias.anchor);
    where.column = where.column > 1 ? where.column - 1 : 1; // the mark is after the star
    if (expects_key(r)) return fail_at(r, where, "an alias as a key is not supported");
    size_t length = 0;
    ss_status status = token_text(r, event->alias.anchor, &length);
    if (status != SS_OK) return status;
    const anchor* found = r->anchors;
    while (found && strcmp(found->name, r->buffer) != 0) found = found->next;
    if (!found)
        return fail_at(r, where,
                       "an alias (*) to an anchor (&) that is not there; quote text that begins with * or &");
    if (!found->complete) return fail_at(r, where, "an alias (*) to what it is part of");
    ss_node* copy = NULL;
    status = copy_node(r, found->node, innermost(r), r->key, r->key_place, where, &copy);
    free(r->key);
    r->key = NULL;
    return status == SS_OK ? copy_children(r, found->node, copy, where) : status;
}

static ss_status begin_document(reader* r, struct fy_event* event)
{
    const struct fy_mark* mark = fy_event_start_mark(event);
    place where = mark ? (place){mark->line + 1, mark->column + 1} : r->last;
    if (r->in_document) return fail_at(r, where, "a second document begins here; a model file holds one");
    r->in_document = true;
    return SS_OK;
}

static ss_status read_event(reader* r, struct fy_event* event)
{
    struct fy_token* tag = fy_event_get_tag_token(event);
    if (tag) return fail_at(r, place_of(r, tag), "tags (!) are not supported");
    switch (event->type) {
    case FYET_DOCUMENT_START: return begin_document(r, event);
    case FYET_SCALAR: return read_scalar(r, event);
    case FYET_ALIAS: return read_alias(r, event);
    case FYET_MAPPING_START:
        return open_container(r, SS_NODE_MAP, event->mapping_start.mapping_start,
                              event->mapping_start.anchor);
    case FYET_SEQUENCE_START:
        return open_container(r, SS_NODE_LIST, event->sequence_start.sequence_start,
                              event->sequence_start.anchor);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: return close_container(r);
    case FYET_STREAM_END: r->finished = true; return SS_OK;
    default: return SS_OK;
    }
}

static ss_status read_events(reader* r)
{
    while (!r->finished) {
        errno = 0;
        struct fy_event* event = fy_parser_parse(r->parser);
        if (!event) return fail_syntax(r);
        ss_status status = read_event(r, event);
        const struct fy_mark* end = fy_event_end_mark(event);
        if (end) r->last = (place){end->line + 1, end->column + 1};
        fy_parser_event_free(r->parser, event);
        if (status != SS_OK) return status;
    }
    if (!ss_document_root(r->document)) return fail_at(r, (place){1, 1}, "the file is empty");
    return SS_OK;
}

// libfyaml must be silent: it collects its messages, and what it would still print goes nowhere.
static void print_nothing(struct fy_diag* diag, void* user, const char* text, size_t length)
{
    (void)diag, (void)user, (void)text, (void)length;
}

static ss_status open_parser(reader* r)
{
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    quiet.output_fn = print_nothing;
    quiet.colorize = false;
    r->diag = fy_diag_create(&quiet);
    if (!r->diag) return ss_fail_no_memory(r->err);
    fy_diag_set_collect_errors(r->diag, true);
    struct fy_parse_cfg config = {.flags = FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE, .diag = r->diag};
    r->parser = fy_parser_create(&config);
    if (!r->parser || fy_parser_set_string(r->parser, r->text, r->length) != 0)
        return ss_fail_no_memory(r->err);
    return SS_OK;
}

static void close_parser(reader* r)
{
    if (r->parser) fy_parser_destroy(r->parser);
    if (r->diag) fy_diag_destroy(r->diag);
    free(r->key);
    free(r->buffer);
    while (r->anchors) {
        anchor* next = r->anchors->next;
        free(r->anchors);
        r->anchors = next;
    }
}

ss_status ss_document_parse_yaml(const char* name, const char* text, size_t length, ss_document** out,
                                 ss_error* err)
{
    *out = NULL;
    reader r = {.name = name, .text = text, .length = length, .last = {1, 1}, .err = err};
    if (length > MAX_BYTES) return fail_at(&r, (place){0, 0}, "larger than 64 MiB");
    ss_status status = check_bytes(&r);
    if (status == SS_OK && length == 0) status = fail_at(&r, (place){1, 1}, "the file is empty");
    if (status == SS_OK) status = ss_document_create(name, &r.document, err);
    if (status == SS_OK) status = open_parser(&r);
    if (status == SS_OK) status = read_events(&r);
    close_parser(&r);
    if (status == SS_OK) status = ss_document_read_files(r.document, name, err);
    if (status == SS_OK)
        *out = r.document;
    else
        ss_document_destroy(r.document);
    return status;
}

static ss_status fail_file(const char* path, int code, ss_error* err)
{
    if (code == ENOMEM) return ss_fail_no_memory(err);
    ss_fail(err, SS_FILE_ERROR, NULL, "cannot read: %s", strerror(code));
    if (err) snprintf(err->origin, sizeof err->origin, "%s", path);
    return SS_FILE_ERROR;
}

// Reads until the end or one byte beyond what is allowed; files that do not know their size (pipes) too.
static ss_status read_all(FILE* file, const char* path, char** text, size_t* length, ss_error* err)
{
    size_t size = 1 << 16;
    *length = 0;
    *text = malloc(size);
    while (*text) {
        *length += fread(*text + *length, 1, size - *length, file);
        if (ferror(file)) return fail_file(path, errno, err);
        if (*length < size || *length > MAX_BYTES) return SS_OK;
        size *= 2;
        char* larger = realloc(*text, size);
        if (!larger) break;
        *text = larger;
    }
    return ss_fail_no_memory(err);
}

ss_status ss_document_read_yaml(const char* path, ss_document** out, ss_error* err)
{
    *out = NULL;
    FILE* file = fopen(path, "rb");
    if (!file) return fail_file(path, errno, err);
    char* text = NULL;
    size_t length = 0;
    ss_status status = read_all(file, path, &text, &length, err);
    fclose(file);
    if (status == SS_OK) status = ss_document_parse_yaml(path, text, length, out, err);
    free(text);
    return status;
}
