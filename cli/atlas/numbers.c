// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers: a command is asked with --json, and expressions pick from its answer. A place of the answer is
//     {rho_star}   {amplitude.block.x}   {vertices[0][1]}   {events[-1].t}      -1: the last one
//     {eigen_directions[stability=stable].magnitude}      of the first one that is stable
//     {events[]}   {eigen_directions[stability=stable][]}      how many there are
#include "atlas/atlas.h"
#include "command.h"
#include "option/load.h"
#include "share/node.h"
#include "share/text.h"
#include "slipstick/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char answer_file[] = ".answer.json";

// ---- places of an answer ----

// The child whose key begins the rest of a path; keys may hold dots, so the longest fits best.
static const ss_node* find_key(const ss_node* map, const char** rest)
{
    const ss_node* best = NULL;
    size_t longest = 0;
    for (const ss_node* child = ss_node_first(map); child; child = ss_node_next(child)) {
        const char* key = ss_node_key(child);
        size_t length = key ? strlen(key) : 0;
        if (length > longest && strncmp(*rest, key, length) == 0 && strchr(".[}", (*rest)[length])) {
            best = child;
            longest = length;
        }
    }
    *rest += longest;
    return best;
}

typedef struct condition {
    char key[32], value[32]; // key "": none
} condition;

static bool meets(const ss_node* node, const condition* wanted)
{
    const ss_node* field = ss_node_find(node, wanted->key);
    const char* text = field ? ss_node_text(field) : NULL;
    return !wanted->key[0] || (text && strcmp(text, wanted->value) == 0);
}

static const ss_node* first_that_meets(const ss_node* list, const condition* wanted)
{
    const ss_node* child = ss_node_first(list);
    while (child && !meets(child, wanted)) child = ss_node_next(child);
    return child;
}

static int count_that_meet(const ss_node* list, const condition* wanted)
{
    int count = 0;
    for (const ss_node* child = ss_node_first(list); child; child = ss_node_next(child))
        count += meets(child, wanted);
    return count;
}

static const ss_node* at_index(const ss_node* list, long index)
{
    if (index < 0) index += ss_node_count(list);
    const ss_node* child = index < 0 ? NULL : ss_node_first(list);
    for (; child && index > 0; index--) child = ss_node_next(child);
    return child;
}

// Writes the text at a path ("a.b[2].c", up to the brace that closes it). False where there is none.
static bool look_up(const ss_node* node, const char* path, char* out, size_t size)
{
    while (node && *path != '}') {
        condition wanted = {"", ""};
        int used = 0;
        if (*path == '.') {
            path++;
        } else if (*path != '[') {
            node = find_key(node, &path);
        } else if (strncmp(path, "[]}", 3) == 0) {
            return snprintf(out, size, "%d", count_that_meet(node, &wanted)) > 0;
        } else if (sscanf(path, "[%31[a-z_]=%31[^]]]%n", wanted.key, wanted.value, &used), used > 0) {
            path += used;
            if (strncmp(path, "[]}", 3) == 0)
                return snprintf(out, size, "%d", count_that_meet(node, &wanted)) > 0;
            node = first_that_meets(node, &wanted);
        } else {
            node = at_index(node, strtol(path + 1, NULL, 10));
            path += strcspn(path, "]}");
            path += *path == ']';
        }
    }
    const char* text = node ? ss_node_text(node) : NULL;
    return text && snprintf(out, size, "%s", text) < (int)size;
}

// The expression with what stands at its places. NULL: there is no such place, or no memory; else the caller
// frees.
static char* fill_in(const ss_node* answer, const char* expression, bool words)
{
    ss_text text = {0};
    bool found = true;
    for (const char* at = expression; *at && found; at++) {
        char value[64];
        if (*at != '{') {
            ss_text_add(&text, "%c", *at);
        } else {
            found = look_up(answer, at + 1, value, sizeof value);
            if (found) ss_text_add(&text, words ? "%s" : "(%s)", value);
            at += strcspn(at, "}");
        }
    }
    char* filled = ss_text_take(&text);
    if (found) return filled;
    free(filled);
    return NULL;
}

// ---- values ----

static double evaluate(const char* expression)
{
    double value;
    ss_dimension dimension;
    bool has_unit;
    ss_error err;
    ss_status status = ss_quantity_parse_any(expression, &(ss_scope){0}, &value, &dimension, &has_unit, &err);
    return status == SS_OK ? value : (double)NAN;
}

static bool is_near(double value, double exact, double tolerance)
{
    return fabs(value - exact) <= tolerance * (exact == 0.0 ? 1 : fabs(exact));
}

// Half a unit of the last printed digit: "0.653" stands for 0.6525 to 0.6535. Whole numbers are meant
// exactly.
static double printed_precision(const char* text)
{
    const char* point = strchr(text, '.');
    return point ? 0.5000001 * pow(10, -(double)strspn(point + 1, "0123456789")) : 0;
}

// Whether a printed value is the exact one: as far as it is printed, or altogether where it is an expression.
static bool paper_agrees(const char* paper, double value, double exact)
{
    bool digits = paper[strspn(paper, "-0123456789.")] == '\0';
    if (digits && fabs(value - exact) <= printed_precision(paper)) return true;
    return is_near(value, exact, 1e-12);
}

// A printed value that differs must be explained, and one that is right must not be blamed.
static bool is_told(const atlas_number* number, const atlas_finding* finding)
{
    if (isnan(finding->printed)) return true;
    return paper_agrees(number->paper, finding->printed, finding->exact) == !number->errs;
}

static atlas_finding judge(const atlas_number* number, const ss_node* answer)
{
    atlas_finding finding = {.ours = NAN, .exact = NAN, .printed = NAN, .told = true};
    bool words = number->exact[0] == '\'';
    char* filled = fill_in(answer, number->answer, words);
    if (words) {
        size_t length = strlen(number->exact) - 2;
        snprintf(finding.word, sizeof finding.word, "%s", filled ? filled : "no answer");
        finding.right =
            strlen(finding.word) == length && strncmp(finding.word, number->exact + 1, length) == 0;
    } else {
        finding.exact = evaluate(number->exact);
        if (filled) finding.ours = evaluate(filled);
        if (number->paper) finding.printed = evaluate(number->paper);
        finding.right = is_near(finding.ours, finding.exact, number->tolerance);
        finding.told = is_told(number, &finding);
    }
    free(filled);
    return finding;
}

// ---- the whole ----

// The answer of a command; commands that end with "not met" or "could not finish" answer, too.
static int ask(const char* command, ss_document** out)
{
    ss_text line = {0};
    ss_text_add(&line, "%s --json", command);
    char* text = ss_text_take(&line);
    ss_error err;
    ss_document_destroy(*out);
    *out = NULL;
    int status = text ? atlas_run(text, answer_file) : CLI_UNFINISHED;
    free(text);
    if (status == CLI_WRONG || status == CLI_UNFINISHED) {
        fprintf(stderr, "atlas: no answer to `slipstick %s --json`\n", command);
        status = CLI_UNFINISHED;
    } else {
        status = cli_read_document(answer_file, out, &err) == SS_OK ? CLI_GO_ON : cli_print_error(&err);
    }
    remove(answer_file);
    return status;
}

int atlas_ask(const atlas_entry* entry, atlas_finding findings[])
{
    ss_document* answer = NULL;
    int status = CLI_GO_ON;
    for (int k = 0; k < entry->number_count && status == CLI_GO_ON; k++) {
        const atlas_number* number = &entry->numbers[k];
        if (number->ask) status = ask(number->ask, &answer);
        if (status == CLI_GO_ON && answer) findings[k] = judge(number, ss_document_root(answer));
    }
    ss_document_destroy(answer);
    return status;
}
