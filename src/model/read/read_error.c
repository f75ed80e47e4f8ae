// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Faults of a document, told so that they can be mended: where, which field, what was expected.
#include "core/number_length.h"
#include "core/suggest.h"
#include "model/read/read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Origin and place: the option if one set the node, otherwise the file with line and column.
static void set_origin(ss_reader* r, const ss_node* node, int line, int column)
{
    ss_error* error = &r->error;
    const char* origin = node->option ? node->option : r->document->name;
    snprintf(error->origin, sizeof error->origin, "%s", origin);
    error->line = node->option ? 0 : line;
    error->column = node->option ? 0 : column;
}

static void set_text(ss_reader* r, const char* format, va_list arguments)
{
    r->error.status = SS_BAD_INPUT;
    r->error.out_of_range = false;
    ss_vformat(r->error.text, sizeof r->error.text, format, arguments);
}

static void set_value_place(ss_reader* r, const ss_node* node)
{
    ss_node_path(node, r->error.field, sizeof r->error.field);
    bool has_place = node->line > 0;
    set_origin(r, node, has_place ? node->line : node->key_line, has_place ? node->column : node->key_column);
}

ss_status ss_read_fail(ss_reader* r, const ss_node* node, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(r, format, arguments);
    va_end(arguments);
    set_value_place(r, node);
    return SS_BAD_INPUT;
}

ss_status ss_read_fail_range(ss_reader* r, const ss_node* node, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(r, format, arguments);
    va_end(arguments);
    set_value_place(r, node);
    r->error.out_of_range = true;
    return SS_BAD_INPUT;
}

ss_status ss_read_fail_key(ss_reader* r, const ss_node* node, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(r, format, arguments);
    va_end(arguments);
    // The map that holds it; the outermost has no name, there the key stands for itself.
    bool outermost = !node->parent || !node->parent->parent;
    ss_node_path(outermost ? node : node->parent, r->error.field, sizeof r->error.field);
    set_origin(r, node, node->key_line, node->key_column);
    return SS_BAD_INPUT;
}

ss_status ss_read_fail_at_key(ss_reader* r, const ss_node* node, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(r, format, arguments);
    va_end(arguments);
    ss_node_path(node, r->error.field, sizeof r->error.field);
    set_origin(r, node, node->key_line, node->key_column);
    return SS_BAD_INPUT;
}

ss_status ss_read_fail_missing(ss_reader* r, const ss_node* map, const char* key, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(r, format, arguments);
    va_end(arguments);
    char path[sizeof r->error.field];
    ss_node_path(map, path, sizeof path);
    snprintf(r->error.field, sizeof r->error.field, "%.90s%s%.30s", path, path[0] ? "." : "", key);
    set_origin(r, map, map->key ? map->key_line : map->line, map->key ? map->key_column : map->column);
    return SS_BAD_INPUT;
}

// Columns count characters, offsets bytes: continuation bytes of UTF-8 do not count.
static int characters_before(const char* text, int offset)
{
    int count = 0;
    for (int i = 0; i < offset && text[i]; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80) count++;
    return count;
}

// "unknown name 'b'" in a parameter, where b is a parameter that comes later.
static void explain_order(ss_reader* r, const ss_node* node, const char* name)
{
    const ss_node* map = ss_node_find(r->root, "parameters");
    const ss_node* later = node->parent == map ? ss_node_find(map, name) : NULL;
    if (!later || later->index < node->index) return;
    snprintf(r->error.text, sizeof r->error.text, "%s; a parameter may use those before it",
             later == node ? "a parameter cannot use itself" : "this parameter is defined only later");
}

// "unknown name 'u'" where u is there, but follows the motion or comes from outside, and this number cannot.
static void explain_reach(ss_reader* r, const char* name)
{
    static const char* const kinds[] = {"inputs", "states", "signals"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const ss_node* map = ss_node_find(r->root, kinds[k]);
        if (!map || !ss_node_find(map, name)) continue;
        snprintf(
            r->error.text, sizeof r->error.text,
            "'%s' is one of the %s, which this number cannot use; forces, rates, signals and friction levels "
            "can",
            name, kinds[k]);
    }
}

static void explain_unknown(ss_reader* r, const ss_node* node, int offset)
{
    if (strncmp(r->error.text, "unknown", 7) != 0) return;
    char name[64];
    const char* at = node->text + offset;
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
    explain_order(r, node, name);
    explain_reach(r, name);
}

ss_status ss_read_fail_text(ss_reader* r, const ss_node* node)
{
    if (r->error.status == SS_NO_MEMORY) return SS_NO_MEMORY;
    int offset = r->error.column > 0 ? r->error.column - 1 : 0;
    if ((size_t)offset > strlen(node->text)) offset = 0;
    explain_unknown(r, node, offset);
    int column = node->column;
    if (node->text_column > 0) column = node->text_column + characters_before(node->text, offset);
    ss_node_path(node, r->error.field, sizeof r->error.field);
    set_origin(r, node, node->line, column);
    return r->error.status;
}

static void consider(const char* word, const char* candidate, const char** best, int* distance)
{
    int d = ss_edit_distance(word, candidate, *distance - 1);
    if (d >= *distance) return;
    *distance = d;
    *best = candidate;
}

const char* ss_read_suggest(const char* word, const ss_node* map, const char* extra, char* out, size_t size)
{
    const char* best = NULL;
    int distance = ss_edit_tolerance(word) + 1;
    if (extra) consider(word, extra, &best, &distance);
    for (const ss_node* node = map ? map->first : NULL; node; node = node->next)
        if (node->key && (!node->option || node->replaced)) consider(word, node->key, &best, &distance);
    out[0] = '\0';
    if (best) snprintf(out, size, "; did you mean '%s'?", best);
    return out;
}

const char* ss_read_suggest_word(const char* word, const char* const words[], char* out, size_t size)
{
    const char* best = NULL;
    int distance = ss_edit_tolerance(word) + 1;
    for (int i = 0; words[i]; i++) consider(word, words[i], &best, &distance);
    out[0] = '\0';
    if (best) snprintf(out, size, "; did you mean '%s'?", best);
    return out;
}

// The key that textbooks write otherwise, where it is one of those expected; NULL where it is none.
static const char* find_other_name(const char* key, const char* const keys[])
{
    static const char* const names[][2] = {{"mu_s", "mu_static"}, {"mus", "mu_static"}, {"mu_k", "mu"},
                                           {"mu_d", "mu"},        {"k", "stiffness"},   {"c", "damping"}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int i = 0; keys[i] && strcmp(key, names[n][0]) == 0; i++)
            if (strcmp(keys[i], names[n][1]) == 0) return keys[i];
    return NULL;
}

ss_status ss_read_fail_unknown_key(ss_reader* r, const ss_node* node, const char* const keys[])
{
    const char* equals = strchr(node->key, '=');
    if (equals)
        return ss_read_fail_key(r, node,
                                "unknown key '%.60s'; write a colon and a blank in place of =", node->key);
    if (node->key[0] >= '0' && node->key[0] <= '9')
        return ss_read_fail_key(
            r, node, "'%.60s' is no key; write a decimal point where a comma ended the number", node->key);
    const char* best = find_other_name(node->key, keys);
    int distance = best ? 0 : ss_edit_tolerance(node->key) + 1;
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; keys[i]; i++) {
        consider(node->key, keys[i], &best, &distance);
        int n = snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", keys[i]);
        used += n > 0 && used + (size_t)n < sizeof list ? (size_t)n : 0;
    }
    if (best) return ss_read_fail_key(r, node, "unknown key '%.60s'; did you mean '%s'?", node->key, best);
    return ss_read_fail_key(r, node, "unknown key '%.60s'; expected %s%s", node->key,
                            keys[1] ? "one of " : "", list);
}

bool ss_read_is_empty(const ss_node* node)
{
    return !node || (node->kind == SS_NODE_SCALAR ? node->text[0] == '\0' : node->count == 0);
}

ss_status ss_read_expect(ss_reader* r, const ss_node* node, ss_node_kind kind, const char* example)
{
    const char* what = kind == SS_NODE_MAP ? "a map" : "a list";
    if (ss_read_is_empty(node))
        return ss_read_fail(r, node, "is empty; expected %s such as %s", what, example);
    if (node->kind == kind) return SS_OK;
    if (node->kind == SS_NODE_SCALAR)
        return ss_read_fail(r, node, "expected %s such as %s, not '%.60s'", what, example, node->text);
    return ss_read_fail(r, node, "expected %s such as %s, not %s", what, example,
                        node->kind == SS_NODE_MAP ? "a map" : "a list");
}

ss_status ss_read_keys(ss_reader* r, const ss_node* map, const char* const keys[])
{
    for (const ss_node* node = map->first; node; node = node->next) {
        int i = 0;
        while (keys[i] && strcmp(keys[i], node->key) != 0) i++;
        if (!keys[i]) return ss_read_fail_unknown_key(r, node, keys);
    }
    return SS_OK;
}

// The names that a map of the file has, as far as there is room.
static const char* list_names(const ss_node* map, char* out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (const ss_node* node = map->first; node; node = node->next) {
        if (node->option && !node->replaced) continue;
        if (used + strlen(node->key) + sizeof ", , .." > size) {
            snprintf(out + used, size - used, ", ..");
            break;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", node->key);
    }
    return out;
}

ss_status ss_read_no_invention(ss_reader* r, const ss_node* map, const char* what)
{
    char hint[128], names[200];
    for (const ss_node* node = map->first; node; node = node->next) {
        if (!node->option || node->replaced) continue;
        ss_read_suggest(node->key, map, NULL, hint, sizeof hint);
        list_names(map, names, sizeof names);
        if (!hint[0])
            return ss_read_fail_key(r, node, "there is no %s '%.60s'; %s%s", what, node->key,
                                    names[0] ? "there are " : "the model has none", names);
        bool several = strchr(names, ',') != NULL; // beside the one that is probably meant
        return ss_read_fail_key(r, node, "there is no %s '%.60s'%s%s%s%s", what, node->key, hint,
                                several ? " (there are " : "", several ? names : "", several ? ")" : "");
    }
    return SS_OK;
}

ss_status ss_read_name(ss_reader* r, const ss_node* node)
{
    static const char forbidden[] = "./[]=:,\"\\\t\r\n";
    static const char rule[] = "it must be without . / [ ] = : , \" \\ and line breaks";
    const char* name = node->key ? node->key : node->text;
    if (name[0] && !strpbrk(name, forbidden)) return SS_OK;
    return node->key ? ss_read_fail_key(r, node, "'%.60s' is no name; %s", name, rule)
                     : ss_read_fail(r, node, "'%.60s' is no name; %s", name, rule);
}
