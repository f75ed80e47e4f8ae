// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Parsing the command line of any command by its table of options.
#include "option/options.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cli_common cli_common_default(void) { return (cli_common){.tolerance = 1e-10, .max_events = 1000000}; }

void cli_common_free(cli_common* common) { free(common->set.items); }

int cli_option_fault(const char* name, const char* value, const char* format, ...)
{
    fprintf(stderr, value ? "%s %s: " : "%s: ", name, value);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return CLI_WRONG;
}

int cli_option_error(const char* name, const char* value, const ss_error* err)
{
    cli_option_fault(name, value, "%s", err->text);
    bool wrong = err->status == SS_OK || err->status == SS_BAD_INPUT;
    return wrong ? CLI_WRONG : CLI_UNFINISHED;
}

// ---- values
// ------------------------------------------------------------------------------------------------

bool cli_ends_in(const char* path, const char* ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

int cli_no_memory(void)
{
    fputs("out of memory\n", stderr);
    return CLI_UNFINISHED;
}

// The expected dimension, or a plain number where that fits as well. The error is about the former.
static ss_status parse_quantity(const cli_option* option, const char* text, double* value, ss_error* err)
{
    const ss_scope nothing = {0};
    ss_status status = ss_quantity_parse(text, &nothing, option->dimension, value, err);
    if (status == SS_BAD_INPUT && option->dimensionless &&
        ss_quantity_parse(text, &nothing, (ss_dimension){0}, value, NULL) == SS_OK)
        return SS_OK;
    return status;
}

static int check_range(const cli_option* option, const char* text, double value)
{
    if (isfinite(value) && value <= option->most &&
        (option->exclusive ? value > option->least : value >= option->least))
        return CLI_GO_ON;
    const char* bound = option->exclusive ? "greater than" : "at least";
    if (isinf(option->most) || value < option->least || (option->exclusive && value <= option->least))
        return cli_option_fault(option->name, text, "must be %s %g and finite", bound, option->least);
    return cli_option_fault(option->name, text, "must be at most %g", option->most);
}

static int take_quantity(const cli_option* option, const char* text, double* out)
{
    ss_error err;
    double value;
    if (parse_quantity(option, text, &value, &err) != SS_OK)
        return cli_option_error(option->name, text, &err);
    int status = check_range(option, text, value);
    if (status == CLI_GO_ON) *out = value;
    return status;
}

static int take_count(const cli_option* option, const char* text)
{
    char* end;
    double value = strtod(text, &end);
    if (end == text || *end || value != floor(value))
        return cli_option_fault(option->name, text, "expected a whole number");
    int status = check_range(option, text, value);
    if (status == CLI_GO_ON) *(long*)option->target = (long)value;
    return status;
}

static int take_text(const char* text, cli_texts* list)
{
    const char** items = realloc(list->items, ((size_t)list->count + 1) * sizeof *items);
    if (!items) return cli_no_memory();
    list->items = items;
    items[list->count++] = text;
    return CLI_GO_ON;
}

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

char* cli_element_end(char* text)
{
    int depth = 0;
    for (; *text && (*text != ',' || depth > 0); text++) depth += (*text == '(') - (*text == ')');
    return text;
}

// One element of a list of times. "1,2,3 ms" could mean 1 s or 1 ms: it is refused, not guessed.
typedef struct time_units {
    bool some, none; // seen an element with a unit, without one
} time_units;

static int take_time(const cli_option* option, const char* all, const char* text, double* out,
                     time_units* seen)
{
    const ss_scope nothing = {0};
    ss_dimension dimension;
    bool has_unit = false;
    ss_error err;
    if (parse_quantity(option, text, out, &err) != SS_OK ||
        ss_quantity_parse_any(text, &nothing, out, &dimension, &has_unit, &err) != SS_OK)
        return cli_option_error(option->name, all, &err);
    if (has_unit) seen->some = true;
    if (!has_unit && *out != 0.0) seen->none = true;
    if (seen->some && seen->none)
        return cli_option_fault(option->name, all, "give every time its unit, or none (then they are in s)");
    return check_range(option, all, *out);
}

// Sorts them; returns how many are left where no two are alike.
static int drop_doubles(double items[], int count)
{
    int kept = 0;
    qsort(items, (size_t)count, sizeof *items, compare);
    for (int k = 0; k < count; k++)
        if (kept == 0 || items[k] > items[kept - 1]) items[kept++] = items[k];
    return kept;
}

static int take_times(const cli_option* option, const char* all)
{
    cli_times* times = option->target;
    char* copy = malloc(strlen(all) + 1);
    double* items = calloc((size_t)times->count + strlen(all) + 1, sizeof *items);
    int status = copy && items ? CLI_GO_ON : cli_no_memory(), count = 0;
    for (; items && count < times->count; count++) items[count] = times->items[count]; // given before
    if (copy) memcpy(copy, all, strlen(all) + 1);
    time_units seen = {false, false};
    for (char* text = copy; status == CLI_GO_ON && text;) {
        char* end = cli_element_end(text);
        char* next = *end ? end + 1 : NULL;
        *end = '\0';
        status = take_time(option, all, text, &items[count++], &seen);
        text = next;
    }
    free(copy);
    if (status != CLI_GO_ON) {
        free(items);
        return status;
    }
    free(times->items);
    *times = (cli_times){items, drop_doubles(items, count)};
    return CLI_GO_ON;
}

static int take_value(const cli_option* option, const char* text)
{
    switch (option->kind) {
    case CLI_TEXT: *(const char**)option->target = text; return CLI_GO_ON;
    case CLI_TEXTS: return take_text(text, option->target);
    case CLI_QUANTITY: return take_quantity(option, text, option->target);
    case CLI_TIMES: return take_times(option, text);
    case CLI_COUNT: return take_count(option, text);
    case CLI_FLAG: break; // has no value
    }
    return CLI_GO_ON;
}

// ---- the line
// ----------------------------------------------------------------------------------------------

static int unknown_option(const cli_syntax* syntax, const char* word, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const char** names = calloc((size_t)syntax->option_count + 1, sizeof *names);
    if (!names) return cli_no_memory();
    for (int k = 0; k < syntax->option_count; k++) names[k] = syntax->options[k].name;
    names[syntax->option_count] = "--help";
    const char* meant = ss_suggest(name, names, syntax->option_count + 1);
    free(names);
    if (meant) return cli_option_fault(name, NULL, "unknown option; did you mean %s?", meant);
    return cli_option_fault(name, NULL, "unknown option; `slipstick %s --help` lists them", syntax->command);
}

static const cli_option* find_option(const cli_syntax* syntax, const char* word, size_t length)
{
    for (int k = 0; k < syntax->option_count; k++) {
        const char* name = syntax->options[k].name;
        if (strlen(name) == length && strncmp(name, word, length) == 0) return &syntax->options[k];
    }
    return NULL;
}

// What is one number or one text can be said once: the last of two would count, and the first one silently
// not. Lists grow, and a flag means the same twice.
static int check_once(const cli_option* option, bool* given)
{
    bool again = *given, grows = option->kind == CLI_TEXTS || option->kind == CLI_TIMES;
    *given = true;
    if (!again || grows || option->kind == CLI_FLAG) return CLI_GO_ON;
    return cli_option_fault(option->name, NULL, "is given twice, and takes one value: %s %s", option->name,
                            option->value);
}

// An option at words[*at]: "--name", "--name value" or "--name=value". Moves *at over what it used. given:
// which of the options were met before.
static int take_option(const cli_syntax* syntax, const cli_line* line, bool given[], int* at)
{
    const char* word = line->words[(*at)++];
    const char* equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const cli_option* option = find_option(syntax, word, length);
    if (!option) return unknown_option(syntax, word, length);
    int status = check_once(option, &given[option - syntax->options]);
    if (status != CLI_GO_ON) return status;
    if (option->kind == CLI_FLAG) {
        if (equals) return cli_option_fault(option->name, NULL, "takes no value");
        *(bool*)option->target = true;
        return CLI_GO_ON;
    }
    if (equals) return take_value(option, equals + 1);
    if (*at >= line->count || strncmp(line->words[*at], "--", 2) == 0)
        return cli_option_fault(option->name, NULL, "needs a value: %s %s", option->name, option->value);
    return take_value(option, line->words[(*at)++]);
}

static void print_option(const char* name, const char* value, const char* help)
{
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", name, value ? " " : "", value ? value : "");
    printf("  %-22s %s\n", left, help);
}

static void print_help(const cli_syntax* syntax)
{
    printf("usage: slipstick %s", syntax->command);
    for (int k = 0; k < syntax->argument_count; k++) printf(" %s", syntax->argument_names[k]);
    if (syntax->rest_name) printf(" %s [%s ..]", syntax->rest_name, syntax->rest_name);
    printf(" [options]\n\n%s\n\noptions:\n", syntax->about);
    for (int k = 0; k < syntax->option_count; k++) {
        const cli_option* option = &syntax->options[k];
        print_option(option->name, option->value, option->help);
    }
    print_option("--help", NULL, "this page");
}

static bool asks_for_help(const cli_line* line)
{
    for (int k = 0; k < line->count && strcmp(line->words[k], "--") != 0; k++)
        if (strcmp(line->words[k], "--help") == 0 || strcmp(line->words[k], "-h") == 0) return true;
    return false;
}

static int take_argument(const cli_syntax* syntax, const cli_line* line, int at, int* count)
{
    const char* word = line->words[at];
    if (*count >= syntax->argument_count && syntax->rest) return take_text(word, syntax->rest);
    if (*count >= syntax->argument_count) {
        const char* value = at > 1 && strcmp(line->words[at - 2], "--set") == 0 ? line->words[at - 1] : NULL;
        if (value && !strchr(value, '='))
            return cli_option_fault("--set", value, "expected PATH=VALUE in one word, such as %s=%s", value,
                                    word);
        fprintf(stderr, "%s: one argument too many; see `slipstick %s --help`\n", word, syntax->command);
        return CLI_WRONG;
    }
    syntax->arguments[(*count)++] = word;
    return CLI_GO_ON;
}

// Takes all words; *arguments is how many of the arguments there were.
static int take_words(const cli_syntax* syntax, const cli_line* line, int* arguments)
{
    bool plain = false; // after "--" everything is an argument
    bool* given = calloc((size_t)syntax->option_count + 1, sizeof *given);
    int status = given ? CLI_GO_ON : cli_no_memory();
    for (int at = 0; at < line->count && status == CLI_GO_ON;) {
        if (!plain && strcmp(line->words[at], "--") == 0) {
            plain = true;
            at++;
        } else if (!plain && line->words[at][0] == '-' && line->words[at][1]) {
            status = take_option(syntax, line, given, &at);
        } else {
            status = take_argument(syntax, line, at++, arguments);
        }
    }
    free(given);
    return status;
}

int cli_parse(const cli_syntax* syntax, const cli_line* line)
{
    if (line->show) {
        line->show(syntax, line->to);
        return CLI_DONE;
    }
    if (asks_for_help(line)) {
        print_help(syntax);
        return CLI_DONE;
    }
    int arguments = 0, status = take_words(syntax, line, &arguments);
    const char* missing = NULL;
    if (syntax->rest && syntax->rest->count == 0) missing = syntax->rest_name;
    if (arguments < syntax->argument_count) missing = syntax->argument_names[arguments];
    if (status != CLI_GO_ON || !missing) return status;
    fprintf(stderr, "%s: %s is missing; see `slipstick %s --help`\n", syntax->command, missing,
            syntax->command);
    return CLI_WRONG;
}

int cli_parse_model(const char* command, const char* about, const cli_option* options, int option_count,
                    cli_common* common, const cli_line* line)
{
    static const char* const names[] = {"MODEL"};
    const cli_syntax syntax = {.command = command,
                               .about = about,
                               .options = options,
                               .option_count = option_count,
                               .argument_names = names,
                               .arguments = &common->model,
                               .argument_count = 1};
    common->command = command;
    common->line = line;
    return cli_parse(&syntax, line);
}
