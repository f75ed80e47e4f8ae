// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inputs, states, signals, potentials and sampled controllers of a model file. Expressions are handed on as
// text: the model parses them, when all names are known, and its faults are brought back to their place
// (ss_read_locate).
#include "model/read/read_open.h"

#include "core/expression/expression.h"

#include <math.h>
#include <string.h>

// ---- which numbers follow the motion

static const char* const named_sections[] = {"inputs", "states", "signals"};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const ss_node* find_word(const ss_node* map, const char* word, size_t length)
{
    for (const ss_node* node = map && map->kind == SS_NODE_MAP ? map->first : NULL; node; node = node->next)
        if (strlen(node->key) == length && memcmp(node->key, word, length) == 0) return node;
    return NULL;
}

// A word that no expression of time can use: its fault is told with all names there are.
static bool is_strange(const ss_reader* r, const char* word, size_t length)
{
    ss_unit unit;
    char name[64] = "";
    if (length >= sizeof name) return true;
    memcpy(name, word, length);
    for (int i = 0; i < r->parameter_count; i++)
        if (strcmp(r->parameters[i].name, name) == 0) return false;
    return strcmp(name, "t") != 0 && strcmp(name, "pi") != 0 && !ss_function_exists(name) &&
           !ss_unit_find(name, length, &unit);
}

// The input, state, signal or memory of this name, or NULL.
static const ss_node* find_open_name(const ss_reader* r, const char* word, size_t length)
{
    const ss_node* found = NULL;
    for (size_t i = 0; i < sizeof named_sections / sizeof named_sections[0] && !found; i++)
        found = find_word(ss_node_find(r->root, named_sections[i]), word, length);
    const ss_node* sampled = ss_node_find(r->root, "sampled");
    for (const ss_node* block = sampled && sampled->kind == SS_NODE_MAP ? sampled->first : NULL;
         block && !found; block = block->next)
        found = find_word(ss_node_find(block, "memory"), word, length);
    return found;
}

ss_status ss_read_own_variable(ss_reader* r, const ss_node* node, const char* name, const char* meaning)
{
    size_t length = strlen(name);
    const ss_node* other = find_open_name(r, name, length);
    char path[128];
    for (const char* at = node->text; *at && other;) {
        size_t word = 0;
        while (is_letter(at[word]) || is_digit(at[word]) || (word > 0 && at[word] == '.')) word++;
        if (word != length || memcmp(at, name, length) != 0) {
            at += word > 0 ? word : 1;
            continue;
        }
        ss_fail(&r->error, SS_BAD_INPUT, NULL,
                "'%s' is %s here, and also the name of %s; give that another name", name, meaning,
                ss_node_path(other, path, sizeof path));
        r->error.column = (int)(at - node->text) + 1;
        return ss_read_fail_text(r, node);
    }
    return SS_OK;
}

static bool is_open_name(const ss_reader* r, const char* word, size_t length)
{
    if (find_open_name(r, word, length)) return true;
    // A body alone, without .x or .v, is a fault that is told as such.
    char name[64] = "";
    if (length >= sizeof name || !is_strange(r, word, length)) return false;
    memcpy(name, word, length);
    return ss_read_find_body(r, name) >= 0 || ss_read_find_planar(r, name, length) >= 0;
}

bool ss_read_is_open(const ss_reader* r)
{
    static const char* const sections[] = {"inputs", "states", "signals", "potentials", "sampled"};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (!ss_read_is_empty(ss_node_find(r->root, sections[i]))) return true;
    return false;
}

bool ss_read_follows_motion(const ss_reader* r, const ss_node* node)
{
    if (node->kind != SS_NODE_SCALAR) return false;
    bool open = ss_read_is_open(r);
    for (const char* at = node->text; *at;) {
        if (is_digit(*at) || *at == '.') { // a number, with its exponent
            while (is_digit(*at) || *at == '.') at++;
            if ((*at == 'e' || *at == 'E') &&
                (is_digit(at[1]) || ((at[1] == '+' || at[1] == '-') && is_digit(at[2]))))
                at += 2;
            continue;
        }
        if (!is_letter(*at)) {
            at++;
            continue;
        }
        const char* word = at;
        while (is_letter(*at) || is_digit(*at)) at++;
        if (*at == '.' && is_letter(at[1])) return true;
        size_t length = (size_t)(at - word);
        if (is_open_name(r, word, length) || (open && is_strange(r, word, length))) return true;
    }
    return false;
}

// ---- expressions

static ss_status expect_text(ss_reader* r, const ss_node* node, const char* example)
{
    if (node->kind == SS_NODE_SCALAR && node->text[strspn(node->text, " \t\r\n")] != '\0') return SS_OK;
    return ss_read_fail(r, node, "expected an expression such as %s", example);
}

// A section that is a map; *map is NULL where it is empty.
static ss_status find_map(ss_reader* r, const char* key, const char* what, const char* example,
                          const ss_node** map)
{
    *map = NULL;
    const ss_node* node = ss_node_find(r->root, key);
    if (ss_read_is_empty(node)) return SS_OK;
    ss_status status = ss_read_expect(r, node, SS_NODE_MAP, example);
    if (status == SS_OK) status = ss_read_no_invention(r, node, what);
    if (status == SS_OK) *map = node;
    return status;
}

static ss_status read_inputs(ss_reader* r)
{
    const ss_node* map;
    ss_status status = find_map(r, "inputs", "input", "{disturbance: 0 N}", &map);
    if (status != SS_OK || !map) return status;
    ss_input_def* inputs = ss_pool_new(&r->pool, (size_t)map->count, sizeof *inputs);
    if (!inputs) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = map->first; node && status == SS_OK; node = node->next) {
        ss_input_def* input = &inputs[node->index];
        input->name = node->key;
        status = ss_read_any_signal(r, node, &input->value, &input->dimension, &input->has_unit);
    }
    r->def.inputs = inputs;
    r->def.input_count = map->count;
    return status;
}

static ss_status read_state(ss_reader* r, const ss_node* node, ss_state_def* state)
{
    static const char* const keys[] = {"rate", "start", NULL};
    state->name = node->key;
    ss_status status = ss_read_is_empty(node) ? SS_OK : ss_read_expect(r, node, SS_NODE_MAP, "{rate: error}");
    if (status == SS_OK && node->kind == SS_NODE_MAP) status = ss_read_keys(r, node, keys);
    if (status != SS_OK) return status;
    const ss_node *rate = ss_node_find(node, "rate"), *start = ss_node_find(node, "start");
    if (!rate)
        return ss_read_fail_missing(r, node, "rate", "is missing; expected an expression, such as %s",
                                    "rate: target - stage.x");
    status = expect_text(r, rate, "target - stage.x");
    if (status == SS_OK && start) status = expect_text(r, start, "0");
    state->rate = rate->text;
    state->start = start ? start->text : NULL;
    return status;
}

static ss_status read_states(ss_reader* r)
{
    const ss_node* map;
    ss_status status = find_map(r, "states", "state", "{sum: {rate: error, start: 0}}", &map);
    if (status != SS_OK || !map) return status;
    ss_state_def* states = ss_pool_new(&r->pool, (size_t)map->count, sizeof *states);
    if (!states) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = map->first; node && status == SS_OK; node = node->next)
        status = read_state(r, node, &states[node->index]);
    r->def.states = states;
    r->def.state_count = map->count;
    return status;
}

static ss_status read_signals(ss_reader* r)
{
    const ss_node* map;
    ss_status status = find_map(r, "signals", "signal", "{error: target - stage.x}", &map);
    if (status != SS_OK || !map) return status;
    ss_formula_def* signals = ss_pool_new(&r->pool, (size_t)map->count, sizeof *signals);
    if (!signals) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = map->first; node && status == SS_OK; node = node->next) {
        signals[node->index] = (ss_formula_def){node->key, node->text};
        status = expect_text(r, node, "target - stage.x");
    }
    r->def.signals = signals;
    r->def.signal_count = map->count;
    return status;
}

static ss_status read_potentials(ss_reader* r)
{
    const ss_node* list = ss_node_find(r->root, "potentials");
    if (ss_read_is_empty(list)) return SS_OK;
    ss_status status = ss_read_expect(r, list, SS_NODE_LIST, "[\"m*g*l*(1 - cos(rod.x))\"]");
    if (status != SS_OK) return status;
    const char** potentials = ss_pool_new(&r->pool, (size_t)list->count, sizeof *potentials);
    if (!potentials) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = list->first; node && status == SS_OK; node = node->next) {
        potentials[node->index] = node->text;
        status = expect_text(r, node, "m*g*l*(1 - cos(rod.x))");
    }
    r->def.potentials = potentials;
    r->def.potential_count = list->count;
    return status;
}

// ---- sampled controllers

static ss_status read_memory(ss_reader* r, const ss_node* map, ss_sampled_def* block)
{
    if (ss_read_is_empty(map)) return SS_OK;
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{command: 0 N}");
    if (status == SS_OK) status = ss_read_no_invention(r, map, "memory");
    ss_memory_def* memory = ss_pool_new(&r->pool, (size_t)map->count, sizeof *memory);
    if (!memory) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = map->first; node && status == SS_OK; node = node->next) {
        ss_memory_def* to = &memory[node->index];
        to->name = node->key;
        status = ss_read_any(r, node, &to->value, &to->dimension, &to->has_unit);
    }
    block->memory = memory;
    block->memory_count = map->count;
    return status;
}

static ss_status read_lines(ss_reader* r, const ss_node* list, ss_sampled_def* block)
{
    ss_status status = ss_read_expect(r, list, SS_NODE_LIST, "- command: kp*(target - stage.x)");
    if (status != SS_OK) return status;
    ss_formula_def* lines = ss_pool_new(&r->pool, (size_t)list->count, sizeof *lines);
    if (!lines) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = list->first; node; node = node->next) {
        if (node->kind != SS_NODE_MAP || node->count != 1)
            return ss_read_fail(r, node, "expected one name and its expression, - command: kp*error");
        lines[node->index] = (ss_formula_def){node->first->key, node->first->text};
        status = expect_text(r, node->first, "kp*(target - stage.x)");
        if (status != SS_OK) return status;
    }
    block->at_tick = lines;
    block->at_tick_count = list->count;
    return SS_OK;
}

static ss_status read_times(ss_reader* r, const ss_node* node, ss_sampled_def* block)
{
    const ss_node *every = ss_node_find(node, "every"), *offset = ss_node_find(node, "offset"),
                  *delay = ss_node_find(node, "delay");
    if (!every) return ss_read_fail_missing(r, node, "every", "is missing; expected the time between ticks");
    ss_status status = ss_read_number(r, every, ss_time, &block->every);
    if (status == SS_OK && !(block->every > 0.0))
        return ss_read_fail_range(r, every, "must be positive, not %g s", block->every);
    if (status == SS_OK && offset) status = ss_read_number(r, offset, ss_time, &block->offset);
    if (status == SS_OK && offset) status = ss_read_not_negative(r, offset, block->offset, ss_time);
    if (status == SS_OK && delay) status = ss_read_number(r, delay, ss_time, &block->delay);
    if (status == SS_OK && delay) status = ss_read_not_negative(r, delay, block->delay, ss_time);
    if (status == SS_OK && delay && !(block->delay < block->every))
        return ss_read_fail(r, delay->option || !every->option ? delay : every,
                            "the delay (%g s) must be less than every (%g s)", block->delay, block->every);
    return status;
}

static ss_status read_block(ss_reader* r, const ss_node* node, ss_sampled_def* block)
{
    static const char* const keys[] = {"every", "offset", "delay", "memory", "at_tick", NULL};
    block->name = node->key;
    ss_status status = ss_read_name(r, node);
    if (status == SS_OK)
        status = ss_read_expect(r, node, SS_NODE_MAP, "{every: 1 ms, memory: {..}, at_tick: [..]}");
    if (status == SS_OK) status = ss_read_keys(r, node, keys);
    if (status == SS_OK) status = read_times(r, node, block);
    if (status == SS_OK) status = read_memory(r, ss_node_find(node, "memory"), block);
    if (status != SS_OK) return status;
    const ss_node* lines = ss_node_find(node, "at_tick");
    if (!lines)
        return ss_read_fail_missing(r, node, "at_tick", "is missing; expected what is done at a tick, %s",
                                    "- command: kp*error");
    return read_lines(r, lines, block);
}

static ss_status read_sampled(ss_reader* r)
{
    const ss_node* map;
    ss_status status = find_map(r, "sampled", "sampled controller", "{servo: {every: 1 ms, ..}}", &map);
    if (status != SS_OK || !map) return status;
    ss_sampled_def* sampled = ss_pool_new(&r->pool, (size_t)map->count, sizeof *sampled);
    if (!sampled) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = map->first; node && status == SS_OK; node = node->next)
        status = read_block(r, node, &sampled[node->index]);
    r->def.sampled = sampled;
    r->def.sampled_count = map->count;
    return status;
}

// ---- names

// Names of parameters, inputs, states, signals and memory share one space: the second in the file is at
// fault.
static ss_status check_pair(ss_reader* r, const ss_node* a, const ss_node* b)
{
    bool later = b->key_line > a->key_line || (b->key_line == a->key_line && b->key_column > a->key_column);
    const ss_node *second = later ? b : a, *first = later ? a : b;
    char path[128];
    return ss_read_fail_at_key(r, second, "the name '%.60s' is there already: %s", second->key,
                               ss_node_path(first, path, sizeof path));
}

static ss_status check_against(ss_reader* r, const ss_node* map, const ss_node* node)
{
    const ss_node* other = map == node->parent ? NULL : find_word(map, node->key, strlen(node->key));
    return other ? check_pair(r, other, node) : SS_OK;
}

static ss_status check_section(ss_reader* r, const ss_node* map)
{
    ss_status status = SS_OK;
    const ss_node* sampled = ss_node_find(r->root, "sampled");
    for (const ss_node* node = map && map->kind == SS_NODE_MAP ? map->first : NULL; node && status == SS_OK;
         node = node->next) {
        status = check_against(r, ss_node_find(r->root, "parameters"), node);
        for (size_t i = 0; i < sizeof named_sections / sizeof named_sections[0] && status == SS_OK; i++)
            status = check_against(r, ss_node_find(r->root, named_sections[i]), node);
        for (const ss_node* block = sampled && sampled->kind == SS_NODE_MAP ? sampled->first : NULL;
             block && status == SS_OK; block = block->next)
            status = check_against(r, ss_node_find(block, "memory"), node);
    }
    return status;
}

static ss_status check_names(ss_reader* r)
{
    ss_status status = SS_OK;
    for (size_t i = 0; i < sizeof named_sections / sizeof named_sections[0] && status == SS_OK; i++)
        status = check_section(r, ss_node_find(r->root, named_sections[i]));
    const ss_node* sampled = ss_node_find(r->root, "sampled");
    for (const ss_node* block = sampled && sampled->kind == SS_NODE_MAP ? sampled->first : NULL;
         block && status == SS_OK; block = block->next)
        status = check_section(r, ss_node_find(block, "memory"));
    return status;
}

ss_status ss_read_open(ss_reader* r)
{
    r->def.parameters = r->parameters;
    r->def.parameter_count = r->parameter_count;
    ss_status status = read_inputs(r);
    if (status == SS_OK) status = read_states(r);
    if (status == SS_OK) status = read_signals(r);
    if (status == SS_OK) status = read_potentials(r);
    if (status == SS_OK) status = read_sampled(r);
    return status == SS_OK ? check_names(r) : status;
}
