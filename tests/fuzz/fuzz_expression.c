// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Any bytes as an expression: constant, as a signal whose series and kinks are asked for at a few times, and
// as an expression of the motion, with its derivatives. What parses must keep its promises: finite constants,
// series that begin with the value, derivatives that are there.
#include "core/expression/program.h"
#include "core/expression/signal_series.h"
#include "share/quantity.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 6 };

static void demand(int truth)
{
    if (!truth) abort();
}

static void check_series(const ss_signal* signal)
{
    static const double times[] = {0, 1, 3.141592653589793, 1e8, -2.5};
    static const int orders[] = {0, 1, ORDER};
    size_t kinks = (size_t)ss_signal_kink_count(signal);
    double out[ORDER + 1];
    double* kink = calloc(kinks * (ORDER + 1) + 1, sizeof *kink);
    double* scratch = malloc(ss_signal_scratch_size(signal, ORDER) * sizeof *scratch + 1);
    for (size_t i = 0; kink && scratch && i < sizeof times / sizeof times[0]; ++i)
        for (size_t k = 0; k < sizeof orders / sizeof orders[0]; ++k) {
            if (!ss_signal_series(signal, times[i], orders[k], out, kink, scratch)) continue;
            for (int j = 0; j <= orders[k]; ++j) demand(isfinite(out[j]));
            (void)ss_signal_value(signal, times[i]);
        }
    free(kink);
    free(scratch);
}

static void check_signal(const char* text, const ss_scope* scope)
{
    static const ss_dimension force = {1, 1, -2, 0};
    ss_signal *signal = NULL, *half = NULL;
    ss_error err;
    double constant, rate;
    ss_harmonic harmonics[4];
    if (ss_signal_parse(text, scope, force, &signal, &err) != SS_OK) {
        demand(err.text[0] != '\0' && err.column >= 1);
        return;
    }
    check_series(signal);
    (void)ss_signal_spectrum(signal, 0, &constant, harmonics, 4);
    (void)ss_signal_rate(signal, &rate);
    demand(ss_signal_scale(signal, 0.5, &half, &err) == SS_OK);
    check_series(half);
    ss_signal_destroy(half);
    ss_signal_destroy(signal);
}

// A motion near a place where most functions are defined: the series order by order, what is affine, and all
// first derivatives.
static void check_program(ss_pool* pool, ss_graph* graph, int node)
{
    ss_jacobian jacobian;
    ss_program program;
    ss_run run;
    double x[3] = {0.3, -0.7, 1.1}, coefficients[3], value[2], size[2], kink[ORDER + 1];
    int rest, nodes[2] = {node, node};
    (void)ss_graph_affine(graph, node, coefficients, &rest);
    if (!ss_jacobian_make(&jacobian, pool, graph, &node, 1)) return;
    if (jacobian.count > 0) nodes[1] = jacobian.node[0];
    double* pieces = ss_pool_new(pool, (size_t)ss_graph_kink_count(graph) + 1, sizeof *pieces);
    if (!ss_program_make(&program, pool, graph, nodes, 2)) return;
    if (!pieces || !ss_run_make(&run, pool, &program, ORDER, pieces)) return;
    for (int i = 0; i < ss_graph_kink_count(graph); i++) pieces[i] = NAN;
    ss_run_begin(&run, 0.5);
    for (int v = 0; v < 3; v++)
        for (int k = 0; k <= ORDER && ss_run_variable(&run, v); k++)
            ss_run_variable(&run, v)[k] = x[v] / (1 + k * k);
    (void)ss_run_decide(&run, 1);
    for (int k = 0; k <= ORDER; k++) {
        if (!ss_run_step(&run, k)) return;
        demand(isfinite(ss_run_output(&run, 0)[k]));
    }
    for (int j = 0; j < program.kink_count; j++) {
        ss_run_switch(&run, j, ORDER, kink);
        (void)ss_run_paces(&run, j);
        ss_run_cross(&run, j, 0.1);
    }
    bool finite = ss_run_values(&run, 0.5, x, false, value);
    ss_run_sizes(&run, 0.5, x, size);
    demand(!finite || !(size[0] < fabs(value[0])));
}

static void check_motion(const char* text, const ss_scope* scope)
{
    static const ss_variable variables[] = {{.name = "b.x", .dimension = {.m = 1}},
                                            {.name = "b.v", .dimension = {1, 0, -1, 0}},
                                            {.name = "s", .open = true}};
    ss_expression expression;
    ss_error err;
    if (ss_expression_parse_motion(text, scope, (ss_variables){variables, 3, NULL}, NULL, &expression,
                                   &err) != SS_OK)
        return;
    ss_pool pool = {0};
    ss_graph* graph = ss_graph_create();
    int nodes[3] = {0};
    for (int i = 0; i < 3 && graph; i++)
        nodes[i] = ss_graph_variable(graph, (ss_depends)(SS_ON_POSITION << i));
    int node =
        graph && expression.tape.count < 2000 ? ss_graph_add_expression(graph, &expression, nodes) : -1;
    if (node >= 0) check_program(&pool, graph, node);
    free(expression.tape.code);
    ss_graph_destroy(graph);
    ss_pool_free(&pool);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const ss_parameter parameters[] = {
        {"mu", 0.1, {.m = 0}, false}, {"g", 10, {1, 0, -2, 0}, true}, {"m", 2, {.kg = 1}, true}};
    ss_scope scope = {.parameters = parameters,
                      .parameter_count = 3,
                      .allow_time = true,
                      .allow_index = true,
                      .index_value = 3};
    char* text = malloc(size + 1); // of the exact size, so that reading past the end is seen
    if (!text) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    double value;
    ss_dimension dimension;
    bool has_unit;
    char unit[64];
    ss_error err;
    if (ss_quantity_parse_any(text, &scope, &value, &dimension, &has_unit, &err) == SS_OK) {
        demand(isfinite(value));
        ss_dimension_format(dimension, unit, sizeof unit);
    } else {
        demand(err.text[0] != '\0' && err.column >= 1);
    }
    check_signal(text, &scope);
    check_motion(text, &scope);
    free(text);
    return 0;
}
