// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "about.h"

#include "resource.h"
#include "share/node.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TOLD = 3 };

typedef struct uses {
    const ss_document* document;
    const char* name;
    int count;
    char* out;
    size_t size;
} uses;

// Whether an expression has the name as a word of its own: `mu` in `2*mu`, not in `mu_static` or `a.mu`.
static bool has_word(const char* text, const char* word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    size_t length = strlen(word);
    for (const char* at = strstr(text, word); at; at = strstr(at + 1, word)) {
        bool begins = at == text || !strchr(letters, at[-1]);
        if (begins && (!at[length] || !strchr(letters, at[length]))) return true;
    }
    return false;
}

static bool report_use(void* user, const char* path)
{
    uses* u = user;
    const ss_node* node = fmu_find_node(u->document, path);
    if (strcmp(path, "title") == 0 || !node || !has_word(ss_node_text(node), u->name)) return true;
    size_t length = strlen(u->out);
    if (++u->count <= MOST_TOLD)
        snprintf(u->out + length, u->size - length, "%s%s", u->count == 1 ? ", used in " : ", ", path);
    return true;
}

static void report_uses(const ss_document* document, const char* name, char* out, size_t size)
{
    uses u = {.document = document, .name = name, .out = out, .size = size};
    ss_document_each_path(document, report_use, &u);
    size_t length = strlen(out);
    if (u.count > MOST_TOLD) snprintf(out + length, size - length, " and %d more", u.count - MOST_TOLD);
}

void fmu_report_parameter(const ss_document* document, const char* path, char* out, size_t size)
{
    const char *dot = strchr(path, '.'), *last = strrchr(path, '.');
    if (!dot) {
        snprintf(out, size, "%s of the model", path);
    } else if (strncmp(path, "parameters.", 11) == 0) {
        snprintf(out, size, "parameter %s", dot + 1);
        report_uses(document, dot + 1, out, size);
    } else if (dot == last) {
        snprintf(out, size, "%s of %.*s of the model", last + 1, (int)(dot - path), path);
    } else {
        snprintf(out, size, "%s of %.*s in %.*s", last + 1, (int)(last - dot - 1), dot + 1, (int)(dot - path),
                 path);
    }
}
