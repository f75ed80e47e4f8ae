// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The open part of a model, made from definitions in C: what is affine and with which numbers, dimensions
// that follow from expressions, forces of potentials against closed forms, and ticks that go line by line.
#include "model/open_impl.h"
#include "share/model_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ss_dimension newton = {1, 1, -2, 0};

static ss_model* make(const ss_system_def* def)
{
    ss_model* model = NULL;
    ss_error err;
    if (ss_model_create(def, &model, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
    return model;
}

// Values of nodes at a point, kinks by their value there.
static void values(const ss_model* model, const int nodes[], int count, double t, const double x[],
                   double out[])
{
    ss_pool pool = {0};
    ss_program program;
    ss_run run;
    double* pieces = ss_pool_new(&pool, (size_t)ss_graph_kink_count(model->open->graph) + 1, sizeof *pieces);
    assert_true(ss_program_make(&program, &pool, model->open->graph, nodes, count));
    assert_true(ss_run_make(&run, &pool, &program, 0, pieces));
    assert_true(ss_run_values(&run, t, x, false, out));
    ss_pool_free(&pool);
}

static ss_body_def body(const char* name, bool angular, double mass)
{
    ss_body_def def = ss_body_def_default();
    def.name = name;
    def.angular = angular;
    def.mass = mass;
    return def;
}

static double coefficient(const ss_affine* affine, int variable)
{
    for (int k = 0; k < affine->row.count; k++)
        if (affine->row.index[k] == variable) return affine->row.value[k];
    return 0;
}

static void pid_loop_is_affine(void** state)
{
    (void)state;
    const ss_parameter parameters[] = {{"kp", 2000, {0, 1, -2, 0}, true},
                                       {"ki", 20000, {0, 1, -3, 0}, true},
                                       {"kd", 60, {0, 1, -1, 0}, true},
                                       {"target", 0.01, {1, 0, 0, 0}, true}};
    ss_body_def stage = body("stage", false, 2);
    ss_state_def sum = {"sum", "error", NULL};
    ss_formula_def error = {"error", "target - stage.x"};
    ss_force_def force = {.body = 0, .expression = "kp*error + ki*sum - kd*stage.v + push + 3 N*sin(2 Hz*t)"};
    ss_signal* nothing = NULL;
    assert_int_equal(ss_signal_constant(0, &nothing, NULL), SS_OK);
    ss_input_def push = {"push", nothing, newton, true};
    ss_system_def def = ss_system_def_default();
    def.bodies = &stage, def.body_count = 1;
    def.parameters = parameters, def.parameter_count = 4;
    def.states = &sum, def.state_count = 1;
    def.signals = &error, def.signal_count = 1;
    def.inputs = &push, def.input_count = 1;
    def.forces = &force, def.force_count = 1;
    ss_model* model = make(&def);
    const ss_open* open = model->open;
    assert_true(open->affine && open->smooth && ss_model_is_open(model));
    const ss_affine* row = &open->forces[0].affine;
    assert_true(coefficient(row, 0) == -2000 && coefficient(row, open->first_speed) == -60);
    assert_true(coefficient(row, open->first_state) == 20000 && coefficient(row, open->first_input) == 1);
    for (double t = 0; t < 5; t += 0.3)
        assert_true(fabs(ss_signal_value(row->rest, t) - (20 + 3 * sin(2 * t))) < 1e-13);
    row = &open->states[0].affine;
    assert_true(row->row.count == 1 && coefficient(row, 0) == -1 && ss_signal_value(row->rest, 7) == 0.01);
    ss_dimension unit = ss_model_state_dimension(model, 0); // m*s, from error, from target
    assert_true(unit.m == 1 && unit.kg == 0 && unit.s == 1 && unit.A == 0);
    unit = ss_model_signal_dimension(model, 0);
    assert_true(unit.m == 1 && unit.s == 0);
    assert_int_equal(ss_model_state_count(model) + ss_model_input_count(model), 2);
    assert_string_equal(ss_model_state_name(model, 0), "sum");
    ss_model_destroy(model);
    ss_signal_destroy(nothing);
}

// V = m g l (1 - cos a) + k (a - b)^2 / 2 and its forces on both; the second derivatives are in the Jacobian.
static void potential_pulls_by_its_gradient(void** state)
{
    (void)state;
    const char* potentials[] = {"3*(1 - cos(a.x))", "5*(a.x - b.x)^2/2"};
    ss_body_def bodies[] = {body("a", true, 1), body("b", true, 2)};
    ss_system_def def = ss_system_def_default();
    def.bodies = bodies, def.body_count = 2;
    def.potentials = potentials, def.potential_count = 2;
    ss_model* model = make(&def);
    const ss_open* open = model->open;
    assert_int_equal(open->gradient_count, 2);
    assert_true(!open->gradients[0].affine.is_affine && open->gradients[1].affine.is_affine && !open->affine);
    double x[4] = {0.7, -0.4, 9, 9}, force[2], second;
    int nodes[] = {open->gradients[0].node, open->gradients[1].node};
    values(model, nodes, 2, 0, x, force);
    assert_true(fabs(force[0] + 3 * sin(0.7) + 5 * 1.1) < 1e-14);
    assert_true(fabs(force[1] - 5 * 1.1) < 1e-14);
    for (int e = 0; e < open->jacobian.count; e++) {
        if (open->jacobian.row[e] != 0) continue;
        values(model, &open->jacobian.node[e], 1, 0, x, &second);
        double expected = open->jacobian.variable[e] == 0 ? -3 * cos(0.7) - 5 : 5;
        assert_true(fabs(second - expected) < 1e-14);
    }
    ss_model_destroy(model);
}

// Each line sees what those before it set, also through a signal: after the tick sum is 1 + e, twice 2 (1 +
// e), last e.
static void tick_goes_line_by_line(void** state)
{
    (void)state;
    const ss_memory_def memory[] = {
        {"sum", 1, {.m = 0}, false}, {"twice", 0, {.m = 0}, false}, {"last", 4, {.m = 0}, false}};
    const ss_formula_def lines[] = {{"e", "3 - round(stage.x)"}, {"sum", "sum + e"}, {"e", "2*e - e"},
                                    {"twice", "both"},           {"last", "e"},      {"sum", "sum + 0*last"}};
    ss_formula_def both = {"both", "2*sum"};
    ss_sampled_def servo = {"servo", 0.1, 0, 0.02, memory, 3, lines, 6};
    ss_body_def stage = body("stage", false, 2);
    ss_system_def def = ss_system_def_default();
    def.bodies = &stage, def.body_count = 1;
    def.sampled = &servo, def.sampled_count = 1;
    def.signals = &both, def.signal_count = 1;
    ss_model* model = make(&def);
    const ss_open_block* block = &model->open->blocks[0];
    assert_int_equal(block->write_count, 3);
    assert_true(block->every == 0.1 && block->delay == 0.02);
    double x[5] = {0.6, 0, 1, 0, 4}, written[3]; // stage.x, stage.v, sum, twice, last
    values(model, block->node, 3, 0, x, written);
    for (int i = 0; i < 3; i++) assert_int_equal(block->memory[i], i);
    assert_true(written[0] == 3 && written[1] == 6 && written[2] == 2);
    assert_int_equal(ss_model_memory_count(model), 3);
    values(model, &model->open->signals[0].node, 1, 0, x, written); // outside, it is what it was
    assert_true(written[0] == 2);
    ss_model_destroy(model);
}

// A row along two bodies, ties applied, and what it is called where it goes wrong.
static void force_between_bodies(void** state)
{
    (void)state;
    ss_body_def bodies[] = {body("a", false, 2), body("b", false, 3), body("c", false, 1)};
    ss_term between[] = {{0, 1}, {1, -1}}, tie[] = {{1, 1}, {2, -1}};
    ss_row_def ties = {tie, 2};
    ss_force_def force = {.along = {between, 2}, .expression = "6/(a.x - b.x)^3", .ledger = SS_WORK_DAMPING};
    ss_system_def def = ss_system_def_default();
    def.bodies = bodies, def.body_count = 3;
    def.ties = &ties, def.tie_count = 1;
    def.forces = &force, def.force_count = 1;
    bodies[0].start_x = 1;
    ss_model* model = make(&def);
    const ss_open_force* to = &model->open->forces[0];
    assert_true(to->bodies.count == 2 && to->q.count == 2 && to->ledger == SS_WORK_DAMPING);
    double push[3] = {0};
    for (int k = 0; k < to->mobility.count; k++) push[to->mobility.index[k]] = to->mobility.value[k];
    assert_true(fabs(push[0] - 0.5) < 1e-15 && fabs(push[1] + 0.25) < 1e-15); // b and c together: 4 kg
    assert_int_equal(model->force_count, 0);
    ss_model_destroy(model);
    ss_error err;
    force.expression = "6/(a.x - bb.x)^3";
    assert_int_equal(ss_model_create(&def, &model, &err), SS_BAD_INPUT);
    assert_string_equal(err.field, "forces[0].force");
    assert_int_equal(err.column, 10);
}

// Levels tell their value at the start; states that only know themselves are plain numbers.
static void level_at_the_start(void** state)
{
    (void)state;
    ss_body_def stage = body("stage", false, 2);
    ss_term term = {0, 1};
    ss_contact_def guide = ss_contact_def_default();
    guide.name = "guide";
    guide.along = (ss_row_def){&term, 1};
    guide.coulomb = (ss_coulomb){0, 2, 0, 2};
    guide.level[0] = (ss_level_def){.expression = "4 N/m * stage.x + 1 N*wear", .factor = 0.5};
    ss_state_def wear = {"wear", "-wear/(2 s)", "3"};
    stage.start_x = 0.25;
    ss_system_def def = ss_system_def_default();
    def.bodies = &stage, def.body_count = 1;
    def.states = &wear, def.state_count = 1;
    def.contacts = &guide, def.contact_count = 1;
    ss_model* model = make(&def);
    ss_coulomb law = ss_model_get_law(model, 0).coulomb;
    assert_true(law.forward == 2 && law.static_forward == 2 && law.backward == 2);
    assert_int_equal(model->contacts[0].follows, 1);
    assert_true(ss_model_state_start(model, 0) == 3 && model->open->states[0].affine.is_affine);
    ss_dimension unit = ss_model_state_dimension(model, 0);
    assert_true(unit.m == 0 && unit.s == 0);
    ss_model_destroy(model);
    stage.start_x = -1;
    ss_error err;
    assert_int_equal(ss_model_create(&def, &model, &err), SS_BAD_INPUT);
    assert_string_equal(err.field, "contacts.guide.friction");
}

// s_n = s_(n - 1)/2 + b.x from s_0 = b.x, listed from the last to the first: s_n = (2 - 2^-n) b.x, and each
// of them has the one slope 2 - 2^-n.
static void long_chain_of_signals(void** state)
{
    (void)state;
    enum { LINKS = 30000 };
    typedef struct link {
        char name[12], text[32];
    } link;
    link* links = calloc(LINKS, sizeof *links);
    ss_formula_def* signals = calloc(LINKS, sizeof *signals);
    double *found = calloc(LINKS, sizeof *found), x[2] = {3, 0};
    int* nodes = calloc(LINKS, sizeof *nodes);
    assert_true(links && signals && found && nodes);
    for (int i = 0; i < LINKS; i++) {
        int n = LINKS - 1 - i;
        snprintf(links[i].name, sizeof links[i].name, "s%d", n);
        snprintf(links[i].text, sizeof links[i].text, n > 0 ? "s%d/2 + b.x" : "b.x", n - 1);
        signals[i] = (ss_formula_def){links[i].name, links[i].text};
    }
    ss_body_def only = body("b", false, 1);
    ss_system_def def = ss_system_def_default();
    def.bodies = &only, def.body_count = 1;
    def.signals = signals, def.signal_count = LINKS;
    ss_model* model = make(&def);
    const ss_open* open = model->open;
    for (int i = 0; i < LINKS; i++) nodes[i] = open->signals[i].node;
    values(model, nodes, LINKS, 0, x, found);
    for (int i = 0; i < LINKS; i++) assert_true(fabs(found[i] - 3 * (2 - exp2(i + 1 - LINKS))) < 1e-14);
    assert_int_equal(open->jacobian.count, LINKS);
    for (int i = 0; i < LINKS; i++) {
        assert_true(open->jacobian.row[i] == i && open->jacobian.variable[i] == 0);
        nodes[i] = open->jacobian.node[i];
    }
    values(model, nodes, LINKS, 0, x, found);
    for (int i = 0; i < LINKS; i++) assert_true(fabs(found[i] - (2 - exp2(i + 1 - LINKS))) < 1e-14);
    ss_model_destroy(model);
    free(links);
    free(signals);
    free(found);
    free(nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pid_loop_is_affine),     cmocka_unit_test(potential_pulls_by_its_gradient),
        cmocka_unit_test(tick_goes_line_by_line), cmocka_unit_test(force_between_bodies),
        cmocka_unit_test(level_at_the_start),     cmocka_unit_test(long_chain_of_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
