// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers of a document: quantities, parameters, functions of time.
#include "core/expression/expression.h"
#include "core/number_length.h"
#include "model/read/read.h"
#include "share/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const ss_dimension ss_plain = {0};
const ss_dimension ss_length = {1, 0, 0, 0};
const ss_dimension ss_time = {0, 0, 1, 0};
const ss_dimension ss_mass = {0, 1, 0, 0};
const ss_dimension ss_inertia = {2, 1, 0, 0};

ss_dimension ss_dimension_of(double m, double kg, double s) { return (ss_dimension){m, kg, s, 0}; }

ss_dimension ss_per_time(ss_dimension d) { return ss_dimension_combine(d, ss_time, -1); }
// An energy (kg m^2/s^2) divided by the row once, twice, four times.
ss_dimension ss_force_along(ss_dimension row) { return ss_dimension_of(2 - row.m, 1, -2); }
ss_dimension ss_stiffness_along(ss_dimension row) { return ss_dimension_of(2 - 2 * row.m, 1, -2); }
ss_dimension ss_damping_along(ss_dimension row) { return ss_dimension_of(2 - 2 * row.m, 1, -1); }
ss_dimension ss_cubic_along(ss_dimension row) { return ss_dimension_of(2 - 4 * row.m, 1, -2); }

const char* ss_read_show(double value, ss_dimension dimension, char* out, size_t size)
{
    char unit[40];
    ss_dimension_format(dimension, unit, sizeof unit);
    bool plain = ss_dimension_equal(dimension, ss_plain);
    ss_format(out, size, "%g%s%s", value, plain ? "" : " ", plain ? "" : unit);
    return out;
}

static ss_scope scope_of(const ss_reader* r, bool allow_time)
{
    return (ss_scope){
        .parameters = r->parameters, .parameter_count = r->parameter_count, .allow_time = allow_time};
}

// A scalar that holds something.
static ss_status expect_scalar(ss_reader* r, const ss_node* node, ss_dimension expected)
{
    char unit[40];
    if (node == r->asked) r->expected = expected, r->expects = true;
    bool scalar = node->kind == SS_NODE_SCALAR;
    if (scalar && node->text[strspn(node->text, " \t\r\n")] != '\0') return SS_OK;
    ss_dimension_format(expected, unit, sizeof unit);
    bool plain = ss_dimension_equal(expected, ss_plain);
    if (!scalar)
        return ss_read_fail(r, node, "expected a number%s%s, not a %s", plain ? "" : " in ",
                            plain ? "" : unit, node->kind == SS_NODE_MAP ? "map" : "list");
    return ss_read_fail(r, node, "the value is missing; expected a number%s%s", plain ? "" : " in ",
                        plain ? "" : unit);
}

ss_status ss_read_number(ss_reader* r, const ss_node* node, ss_dimension expected, double* out)
{
    ss_status status = expect_scalar(r, node, expected);
    if (status != SS_OK) return status;
    ss_scope scope = scope_of(r, false);
    if (ss_quantity_parse(node->text, &scope, expected, out, &r->error) != SS_OK)
        return ss_read_fail_text(r, node);
    if (!isfinite(*out)) return ss_read_fail(r, node, "is not a finite number");
    return SS_OK;
}

ss_status ss_read_optional(ss_reader* r, const ss_node* map, const char* key, ss_dimension expected,
                           double* out)
{
    const ss_node* node = ss_node_find(map, key);
    return node ? ss_read_number(r, node, expected, out) : SS_OK;
}

ss_status ss_read_required(ss_reader* r, const ss_node* map, const char* key, ss_dimension expected,
                           double* out)
{
    const ss_node* node = ss_node_find(map, key);
    if (node) return ss_read_number(r, node, expected, out);
    char unit[40];
    ss_dimension_format(expected, unit, sizeof unit);
    bool plain = ss_dimension_equal(expected, ss_plain);
    return ss_read_fail_missing(r, map, key, "is missing; expected a number%s%s", plain ? "" : " in ",
                                plain ? "" : unit);
}

ss_status ss_read_coordinate(ss_reader* r, const ss_node* node, ss_dimension coordinate, bool per_time,
                             double* out)
{
    static const char* const bare[] = {"expected a plain number", "expected 1/s"};
    static const char* const angular[] = {"expected rad", "expected rad/s"};
    ss_status status = ss_read_number(r, node, per_time ? ss_per_time(coordinate) : coordinate, out);
    size_t length = strlen(bare[per_time]);
    if (status != SS_BAD_INPUT || !ss_dimension_equal(coordinate, ss_plain) ||
        strncmp(r->error.text, bare[per_time], length) != 0)
        return status;
    char rest[sizeof r->error.text];
    snprintf(rest, sizeof rest, "%s", r->error.text + length);
    snprintf(r->error.text, sizeof r->error.text, "%s%.300s", angular[per_time], rest);
    return status;
}

ss_status ss_read_not_negative(ss_reader* r, const ss_node* node, double value, ss_dimension unit)
{
    char shown[64];
    if (value >= 0.0) return SS_OK;
    return ss_read_fail_range(r, node, "must not be negative (%s)",
                              ss_read_show(value, unit, shown, sizeof shown));
}

static const char* original_text(const ss_node* node)
{
    return node->replaced ? node->replaced : node->option ? NULL : node->text;
}

bool ss_read_original(ss_reader* r, const ss_node* node, double* out)
{
    const ss_node* map = ss_node_find(r->root, "parameters");
    ss_parameter* parameters = ss_pool_new(&r->pool, (size_t)r->parameter_count + 1, sizeof *parameters);
    ss_scope scope = {.parameters = parameters};
    ss_dimension dimension;
    bool has_unit;
    ss_error ignored;
    if (!parameters || node->kind != SS_NODE_SCALAR || !original_text(node)) return false;
    for (const ss_node* p = r->parameter_count > 0 ? map->first : NULL; p; p = p->next) {
        ss_parameter* to = &parameters[scope.parameter_count];
        to->name = p->key;
        const char* text = original_text(p);
        if (!text || ss_quantity_parse_any(text, &scope, &to->value_si, &to->dimension, &to->has_unit,
                                           &ignored) != SS_OK)
            return false;
        scope.parameter_count++;
    }
    return ss_quantity_parse_any(original_text(node), &scope, out, &dimension, &has_unit, &ignored) == SS_OK;
}

bool ss_read_is_in(ss_reader* r, const ss_node* node, ss_dimension dimension)
{
    ss_scope scope = scope_of(r, false);
    double value;
    ss_dimension given;
    bool has_unit;
    ss_error ignored;
    if (node->kind != SS_NODE_SCALAR) return false;
    ss_status status = ss_quantity_parse_any(node->text, &scope, &value, &given, &has_unit, &ignored);
    return status == SS_OK && has_unit && ss_dimension_equal(given, dimension);
}

// A bare number takes the unit of the one it replaces; another unit is a mistake.
static ss_status take_over_unit(ss_reader* r, const ss_node* node, ss_dimension* dimension, bool* has_unit,
                                double value)
{
    ss_scope scope = scope_of(r, false);
    double old_value = 0;
    ss_dimension old = ss_plain;
    bool old_has_unit = false;
    ss_error ignored;
    ss_status read = ss_quantity_parse_any(node->replaced, &scope, &old_value, &old, &old_has_unit, &ignored);
    if (read == SS_NO_MEMORY) return ss_fail_no_memory(&r->error);
    if (read != SS_OK || !old_has_unit) return SS_OK;
    if (*has_unit && value != 0.0 && !ss_dimension_equal(old, *dimension)) {
        char unit[40], given[40];
        ss_dimension_format(old, unit, sizeof unit);
        ss_dimension_format(*dimension, given, sizeof given);
        return ss_read_fail(r, node, "expected %s, as in the value it replaces (%.60s), not %s", unit,
                            node->replaced, given);
    }
    *dimension = old;
    *has_unit = true;
    return SS_OK;
}

ss_status ss_read_any(ss_reader* r, const ss_node* node, double* out, ss_dimension* dimension, bool* has_unit)
{
    ss_status status = expect_scalar(r, node, ss_plain);
    if (status != SS_OK) return status;
    ss_scope scope = scope_of(r, false);
    if (ss_quantity_parse_any(node->text, &scope, out, dimension, has_unit, &r->error) != SS_OK)
        return ss_read_fail_text(r, node);
    if (!isfinite(*out)) return ss_read_fail(r, node, "is not a finite number");
    return node->replaced ? take_over_unit(r, node, dimension, has_unit, *out) : SS_OK;
}

ss_status ss_read_order(ss_reader* r, const ss_node* upper_node, const char* upper_name, double upper,
                        const ss_node* lower_node, const char* lower_name, double lower, ss_dimension unit)
{
    char shown[64];
    if (upper >= lower) return SS_OK;
    if (lower_node->option && !upper_node->option)
        return ss_read_fail(r, lower_node, "above %s (%s)", upper_name,
                            ss_read_show(upper, unit, shown, sizeof shown));
    ss_read_show(lower, unit, shown, sizeof shown);
    return upper < 0.0 ? ss_read_fail_range(r, upper_node, "below %s (%s)", lower_name, shown)
                       : ss_read_fail(r, upper_node, "below %s (%s)", lower_name, shown);
}

ss_status ss_read_index_signal(ss_reader* r, const ss_node* node, ss_dimension expected, ss_signal** out)
{
    *out = NULL;
    ss_status status = expect_scalar(r, node, expected);
    if (status != SS_OK) return status;
    ss_scope scope = scope_of(r, false);
    scope.allow_index = scope.index_varies = true;
    return ss_signal_parse(node->text, &scope, expected, out, &r->error);
}

ss_status ss_read_at_index(ss_reader* r, const ss_node* node, ss_dimension expected, int i, double* out)
{
    ss_status status = expect_scalar(r, node, expected);
    if (status != SS_OK) return status;
    ss_scope scope = scope_of(r, false);
    scope.allow_index = true;
    scope.index_value = i;
    if (ss_quantity_parse(node->text, &scope, expected, out, &r->error) != SS_OK)
        return ss_read_fail_text(r, node);
    return SS_OK;
}

struct ss_signal_list {
    struct ss_signal_list* next;
    ss_signal* signal;
};

ss_status ss_read_keep_signal(ss_reader* r, ss_signal* signal)
{
    struct ss_signal_list* entry = ss_pool_new(&r->pool, 1, sizeof *entry);
    if (!entry) {
        ss_signal_destroy(signal);
        return ss_fail_no_memory(&r->error);
    }
    *entry = (struct ss_signal_list){r->signals, signal};
    r->signals = entry;
    return SS_OK;
}

void ss_read_drop_signals(ss_reader* r)
{
    for (; r->signals; r->signals = r->signals->next) ss_signal_destroy(r->signals->signal);
}

static ss_status read_point(ss_reader* r, const ss_node* point, ss_dimension expected, double* t, double* x)
{
    if (point->kind != SS_NODE_LIST || point->count != 2)
        return ss_read_fail(r, point, "expected a point of the table, [time, value]");
    ss_status status = ss_read_number(r, point->first, ss_time, t);
    return status == SS_OK ? ss_read_number(r, point->last, expected, x) : status;
}

static ss_status read_table(ss_reader* r, const ss_node* map, ss_dimension expected, const ss_signal** out)
{
    static const char* const keys[] = {"table", NULL};
    ss_status status = ss_read_keys(r, map, keys);
    if (status != SS_OK) return status;
    const ss_node* list = ss_node_find(map, "table");
    status = list ? ss_read_expect(r, list, SS_NODE_LIST, "[[0 s, 0], [1 s, 0.5]]")
                  : ss_read_fail(r, map, "expected a number, an expression in t, or {table: [[t, x], ..]}");
    if (status != SS_OK) return status;
    double* t = ss_pool_new(&r->pool, (size_t)list->count, sizeof *t);
    double* x = ss_pool_new(&r->pool, (size_t)list->count, sizeof *x);
    if (!t || !x) return ss_fail_no_memory(&r->error);
    for (const ss_node* point = list->first; point; point = point->next) {
        int i = point->index;
        status = read_point(r, point, expected, &t[i], &x[i]);
        if (status != SS_OK) return status;
        if (i > 0 && !(t[i] > t[i - 1]))
            return ss_read_fail(r, point->first, "times must ascend; %g s is not after %g s", t[i], t[i - 1]);
    }
    ss_signal* signal = NULL;
    status = ss_signal_table(t, x, list->count, &signal, &r->error);
    if (status != SS_OK) return ss_read_fail_text(r, list);
    *out = signal;
    return ss_read_keep_signal(r, signal);
}

ss_status ss_read_signal(ss_reader* r, const ss_node* node, ss_dimension expected, const ss_signal** out)
{
    if (node->kind == SS_NODE_MAP && node->count > 0) return read_table(r, node, expected, out);
    ss_status status = expect_scalar(r, node, expected);
    if (status != SS_OK) return status;
    ss_scope scope = scope_of(r, true);
    ss_signal* signal = NULL;
    if (ss_signal_parse(node->text, &scope, expected, &signal, &r->error) != SS_OK)
        return ss_read_fail_text(r, node);
    *out = signal;
    status = ss_read_keep_signal(r, signal);
    if (status == SS_OK && !isfinite(ss_signal_value(signal, 0.0)))
        return ss_read_fail(r, node, "is not a finite number at t = 0");
    return status;
}

// The unit of a table is that of its first value that has one.
static ss_status find_table_unit(ss_reader* r, const ss_node* map, ss_dimension* dimension, bool* has_unit)
{
    const ss_node* list = ss_node_find(map, "table");
    for (const ss_node* point = list && list->kind == SS_NODE_LIST ? list->first : NULL; point;
         point = point->next) {
        double value;
        if (point->kind != SS_NODE_LIST || point->count != 2) continue; // told where it is read
        ss_status status = ss_read_any(r, point->last, &value, dimension, has_unit);
        if (status != SS_OK || *has_unit) return status;
    }
    return SS_OK;
}

ss_status ss_read_any_signal(ss_reader* r, const ss_node* node, const ss_signal** out,
                             ss_dimension* dimension, bool* has_unit)
{
    *dimension = ss_plain;
    *has_unit = false;
    if (node->kind == SS_NODE_MAP && node->count > 0) {
        ss_status status = find_table_unit(r, node, dimension, has_unit);
        return status == SS_OK ? read_table(r, node, *dimension, out) : status;
    }
    ss_status status = expect_scalar(r, node, ss_plain);
    if (status != SS_OK) return status;
    ss_scope scope = scope_of(r, true);
    ss_expression expression;
    if (ss_expression_parse(node->text, &scope, NULL, &expression, &r->error) != SS_OK)
        return ss_read_fail_text(r, node);
    *dimension = expression.dimension;
    *has_unit = expression.has_unit;
    ss_signal* signal = NULL;
    status = expression.varies ? ss_signal_from_tape(&expression.tape, &signal, &r->error)
                               : ss_signal_constant(expression.value, &signal, &r->error);
    if (status != SS_OK) return status;
    *out = signal;
    status = ss_read_keep_signal(r, signal);
    if (status == SS_OK && node->replaced) status = take_over_unit(r, node, dimension, has_unit, 1.0);
    if (status == SS_OK && !isfinite(ss_signal_value(signal, 0.0)))
        return ss_read_fail(r, node, "is not a finite number at t = 0");
    return status;
}

// A name an expression can use: letters, digits and _, and neither reserved nor a function.
static ss_status check_parameter_name(ss_reader* r, const ss_node* node)
{
    static const char* const reserved[] = {"t", "i", "pi"};
    const char* name = node->key;
    for (size_t k = 0; k < sizeof reserved / sizeof reserved[0]; k++)
        if (strcmp(name, reserved[k]) == 0)
            return ss_read_fail_key(r, node, "the name '%s' is reserved; choose another", name);
    if (ss_function_exists(name))
        return ss_read_fail_key(r, node, "'%s' is a function; choose another name", name);
    if (name[0] >= '0' && name[0] <= '9' && ss_read_is_empty(node))
        return ss_read_fail_key(
            r, node, "'%.60s' is no name; write a decimal point where a comma ended the number", name);
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    if (!strchr(letters, name[0]) || name[strspn(name, word)] != '\0')
        return ss_read_fail_key(r, node, "'%.60s' is no name; use letters, digits and _, a letter first",
                                name);
    return SS_OK;
}

ss_status ss_read_parameters(ss_reader* r)
{
    const ss_node* map = ss_node_find(r->root, "parameters");
    if (ss_read_is_empty(map)) return SS_OK;
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{mu: 0.1}");
    if (status == SS_OK) status = ss_read_no_invention(r, map, "parameter");
    if (status != SS_OK) return status;
    r->parameters = ss_pool_new(&r->pool, (size_t)map->count, sizeof *r->parameters);
    if (!r->parameters) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = map->first; node && status == SS_OK; node = node->next) {
        ss_parameter* parameter = &r->parameters[r->parameter_count];
        parameter->name = node->key;
        status = check_parameter_name(r, node);
        if (status == SS_OK)
            status = ss_read_any(r, node, &parameter->value_si, &parameter->dimension, &parameter->has_unit);
        r->parameter_count++; // only now: a parameter may use those before it
    }
    return status;
}
