// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "base/made.h"

#include "base/sha256.h"
#include "share/build.h"

#include <stdio.h>
#include <string.h>

typedef struct made {
    char question[1000], model[200], sha256[CLI_SHA256_SIZE];
} made;

// Options that say where the answer goes or how it looks, not what is asked. Maps have the same bits whatever
// these are.
static const struct {
    const char* name;
    int values;
} silent[] = {{"--json", 0}, {"--resume", 0}, {"--status", 0},   {"--threads", 1}, {"--out", 1},
              {"--csv", 1},  {"--plot", 1},   {"--theme", 1},    {"--size", 1},    {"--dpi", 1},
              {"--font", 1}, {"--view", 1},   {"--residuals", 1}};

// How many words of the line an option that bears on nothing takes; 0: it does bear.
static int silent_words(const char* word)
{
    size_t length = strcspn(word, "=");
    for (size_t k = 0; k < sizeof silent / sizeof silent[0]; k++)
        if (strlen(silent[k].name) == length && strncmp(silent[k].name, word, length) == 0)
            return word[length] ? 1 : 1 + silent[k].values;
    return 0;
}

static const char* file_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

// As it would be typed: words with blanks or signs of the shell stand between quotes; ends of lines become
// blanks, and what is too long ends in dots.
static void add_word(const char* word, char* out, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/%^@[]";
    bool bare = word[0] && word[strspn(word, plain)] == '\0';
    size_t length = strlen(out);
    int wanted = snprintf(out + length, size - length, bare ? " %s" : " '%s'", word);
    for (char* c = out + length; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
    if (length + (size_t)wanted >= size) snprintf(out + size - 4, 4, "...");
}

static void find(const cli_common* common, made* out)
{
    *out = (made){0};
    snprintf(out->question, sizeof out->question, "%s", common->command);
    snprintf(out->model, sizeof out->model, "%s", file_name(common->model));
    for (int k = 0; k < common->line->count;) {
        const char* word = common->line->words[k];
        int passed = silent_words(word);
        bool is_model = word == common->model;
        if (passed == 0) add_word(is_model ? out->model : word, out->question, sizeof out->question);
        k += passed > 0 ? passed : 1;
    }
    cli_sha256_file(common->model, out->sha256);
}

const char* cli_made_line(const cli_common* common, char out[CLI_MADE_LINE])
{
    made m;
    find(common, &m);
    if (m.sha256[0])
        snprintf(out, CLI_MADE_LINE, "%s (sha256 of %s %s)", m.question, m.model, m.sha256);
    else
        snprintf(out, CLI_MADE_LINE, "%s", m.question);
    return out;
}

void cli_made_put(const cli_common* common, ss_answer* answer)
{
    made m;
    char by[64];
    find(common, &m);
    snprintf(by, sizeof by, "slipstick %s", ss_version());
    ss_answer_reopen(answer);
    ss_answer_put_object(answer, "made", false);
    ss_answer_put_text(answer, "by", by);
    ss_answer_put_text(answer, "question", m.question);
    ss_answer_put_text(answer, "model", m.model);
    if (m.sha256[0]) ss_answer_put_text(answer, "sha256", m.sha256);
    ss_answer_end(answer);
    ss_answer_end(answer);
}
