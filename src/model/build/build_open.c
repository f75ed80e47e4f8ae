// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The open part of a model: every expression becomes a node of one graph.
#include "model/open_impl.h"

#include "core/error.h"
#include "model/build/build_joints.h"
#include "model/build/build_plane.h"
#include "model/build/open_names.h"
#include "share/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ss_dimension second = {.s = 1}, joule = {2, 1, -2, 0};

void ss_open_destroy(ss_open* open)
{
    if (open) ss_graph_destroy(open->graph); // all else is the model's pool
}

char* ss_open_text(ss_model* model, const char* text)
{
    return ss_pool_text(&model->pool, text, strlen(text));
}

// ---- expressions

static const char* const jump_reason = "sign, floor, ceil, round and step of a speed or a state may stand "
                                       "only inside sampled: a force that jumps "
                                       "with the speed is friction; write a contact";

// Parses and puts into the graph.
static ss_status add_expression(ss_names* names, const char* text, const ss_dimension* expected,
                                const char* field, int* node)
{
    ss_open* open = names->model->open;
    ss_expression expression;
    ss_status status = ss_names_parse(names, text, expected, field, &expression);
    if (status != SS_OK) return status;
    *node = ss_graph_add_expression(open->graph, &expression, names->nodes);
    free(expression.tape.code);
    return *node < 0 ? ss_fail_no_memory(names->err) : SS_OK;
}

ss_status ss_open_add_action(ss_names* names, const char* text, const ss_dimension* expected,
                             const char* field, int* node)
{
    ss_status status = add_expression(names, text, expected, field, node);
    if (status != SS_OK || !(ss_graph_depends(names->model->open->graph, *node) & SS_JUMPS_BY_RATE))
        return status;
    status = ss_fail(names->err, SS_BAD_INPUT, field, "%s", jump_reason);
    if (names->err) names->err->column = 1;
    return status;
}

// ---- states, inputs

// Where the rate is right by itself, it is the unit of the start that does not go with it.
static void blame_start(ss_names* names, const ss_state_def* state, ss_dimension given)
{
    ss_error* err = names->err;
    ss_expression expression;
    char field[160], expected[40], found[40];
    names->err = NULL;
    ss_status status = ss_names_parse(names, state->rate, NULL, NULL, &expression);
    names->err = err;
    if (status != SS_OK) return;
    free(expression.tape.code);
    ss_dimension unit = ss_dimension_combine(expression.dimension, second, 1);
    if (ss_dimension_equal(unit, given)) return;
    snprintf(field, sizeof field, "states.%.60s.start", state->name);
    (void)ss_fail(err, SS_BAD_INPUT, field, "expected %s, the unit of the rate times s, not %s",
                  ss_dimension_format(unit, expected, sizeof expected),
                  ss_dimension_format(given, found, sizeof found));
    if (err) err->column = 1;
}

static ss_status add_states(ss_names* names)
{
    ss_model* model = names->model;
    ss_open* open = model->open;
    ss_status status = SS_OK;
    for (int i = 0; i < open->state_count && status == SS_OK; i++) {
        const ss_state_def* from = &names->def->states[i];
        ss_open_state* to = &open->states[i];
        char field[160];
        to->name = ss_open_text(model, from->name);
        to->dimension = names->variables[open->first_state + i].dimension;
        ss_dimension rate = ss_dimension_combine(to->dimension, second, -1);
        snprintf(field, sizeof field, "states.%.60s.rate", from->name);
        if (!from->rate)
            return ss_fail(names->err, SS_BAD_INPUT, field,
                           "is missing; expected an expression of the motion");
        status = ss_open_add_action(names, from->rate, &rate, field, &to->rate);
        if (status == SS_BAD_INPUT && from->start) blame_start(names, from, to->dimension);
    }
    return status;
}

static ss_status add_inputs(ss_names* names)
{
    ss_model* model = names->model;
    for (int i = 0; i < names->def->input_count; i++) {
        const ss_input_def* from = &names->def->inputs[i];
        ss_open_input* to = &model->open->inputs[i];
        char field[160];
        snprintf(field, sizeof field, "inputs.%.60s", from->name);
        if (!from->value) return ss_fail(names->err, SS_BAD_INPUT, field, "an input needs a value");
        to->name = ss_open_text(model, from->name);
        to->dimension = from->dimension;
        ss_status status = ss_model_adopt_signal(model, from->value, &to->signal, names->err);
        if (status != SS_OK) return status;
    }
    return SS_OK;
}

// ---- forces and levels

static ss_dimension force_along(const ss_model* model, const ss_row* bodies, ss_dimension given)
{
    if (!ss_dimension_equal(given, (ss_dimension){0})) return given;
    bool angular = bodies->count > 0;
    for (int k = 0; k < bodies->count; k++) angular = angular && model->bodies[bodies->index[k]].angular;
    return (ss_dimension){angular ? 2 : 1, 1, -2, 0};
}

static ss_status add_forces(ss_names* names)
{
    ss_model* model = names->model;
    ss_open* open = model->open;
    ss_status status = SS_OK;
    ss_names_refuse_forces(names, "a force that follows a force is friction; write a contact");
    for (int i = 0; i < names->def->force_count && status == SS_OK; i++) {
        const ss_force_def* from = &names->def->forces[i];
        if (from->plane) status = ss_plane_add_force(names, i);
        if (from->plane || !ss_force_is_open(from)) continue;
        ss_open_force* to = &open->forces[open->force_count++];
        ss_term term = {from->body, 1.0};
        ss_row_def row = from->along.count > 0 ? from->along : (ss_row_def){&term, 1};
        char field[64];
        snprintf(field, sizeof field, "forces[%d].force", i);
        ss_model_map_row(model, &row, &to->bodies, &to->q, &to->d);
        if (model->pool.failed) return ss_fail_no_memory(names->err);
        to->ledger = from->ledger;
        to->place = i;
        ss_dimension unit = force_along(model, &to->bodies, from->dimension);
        if (!from->expression) return ss_fail(names->err, SS_BAD_INPUT, field, "a force needs an expression");
        status = ss_open_add_action(names, from->expression, &unit, field, &to->node);
    }
    ss_names_refuse_forces(names, NULL);
    if (status == SS_OK) ss_plane_add_dampers(names);
    return status;
}

// Whether forces stand in a node as they may in a level: with + - abs min max clip hypot, and factors that
// no force changes.
static bool is_level(const ss_graph* graph, int node, signed char known[]);

static bool has_level_form(const ss_graph* graph, int node, signed char known[])
{
    const ss_instruction* in = ss_graph_instruction(graph, node);
    switch (in->op) {
    case SS_OP_VARIABLE: return true;
    case SS_OP_SCALE:
    case SS_OP_SHIFT:
    case SS_OP_ABS: return is_level(graph, in->a, known);
    case SS_OP_ADD:
    case SS_OP_SUB:
    case SS_OP_MIN:
    case SS_OP_MAX:
    case SS_OP_HYPOT: return is_level(graph, in->a, known) && is_level(graph, in->b, known);
    case SS_OP_MUL:
        return is_level(graph, in->a, known) && is_level(graph, in->b, known) &&
               !(ss_graph_depends(graph, in->a) & ss_graph_depends(graph, in->b) & SS_ON_FORCE);
    case SS_OP_DIV: return is_level(graph, in->a, known) && !(ss_graph_depends(graph, in->b) & SS_ON_FORCE);
    default: return false;
    }
}

// known: 1 for nodes that are such, -1 for others, 0 for those not asked yet: signals share nodes.
static bool is_level(const ss_graph* graph, int node, signed char known[])
{
    if (!(ss_graph_depends(graph, node) & SS_ON_FORCE)) return true;
    if (known[node] == 0) known[node] = has_level_form(graph, node, known) ? 1 : -1;
    return known[node] > 0;
}

static int impulse_of(ss_graph* graph, int node, int known[]);

static int make_impulse(ss_graph* graph, int node, int known[])
{
    const ss_instruction in = *ss_graph_instruction(graph, node); // new nodes move the list
    switch (in.op) {
    case SS_OP_VARIABLE: return node;
    case SS_OP_SHIFT: return impulse_of(graph, in.a, known);
    case SS_OP_SCALE: return ss_graph_apply(graph, SS_OP_SCALE, impulse_of(graph, in.a, known), 0, in.p);
    case SS_OP_ABS: return ss_graph_apply(graph, SS_OP_ABS, impulse_of(graph, in.a, known), 0, 0);
    case SS_OP_DIV: return ss_graph_apply(graph, SS_OP_DIV, impulse_of(graph, in.a, known), in.b, 0);
    case SS_OP_MUL:
        if (ss_graph_depends(graph, in.a) & SS_ON_FORCE)
            return ss_graph_apply(graph, SS_OP_MUL, impulse_of(graph, in.a, known), in.b, 0);
        return ss_graph_apply(graph, SS_OP_MUL, in.a, impulse_of(graph, in.b, known), 0);
    default: { // + - min max hypot
        int a = impulse_of(graph, in.a, known);
        return ss_graph_apply(graph, in.op, a, impulse_of(graph, in.b, known), 0);
    }
    }
}

// The limit of node(s P)/s for large s: what does not follow forces falls away, factors stay. known: 1 + the
// limit of each node that has been asked.
static int impulse_of(ss_graph* graph, int node, int known[])
{
    if (node < 0 || !(ss_graph_depends(graph, node) & SS_ON_FORCE)) return ss_graph_constant(graph, 0.0);
    if (known[node] == 0) known[node] = 1 + make_impulse(graph, node, known);
    return known[node] - 1;
}

static ss_status check_level(const ss_names* names, const ss_open_level* level, const char* field)
{
    ss_model* model = names->model;
    signed char* known = ss_new((size_t)ss_graph_node_count(model->open->graph), sizeof *known);
    if (!known) return ss_fail_no_memory(names->err);
    bool good = is_level(model->open->graph, level->node, known);
    free(known);
    if (!good) {
        ss_status status = ss_fail(names->err, SS_BAD_INPUT, field,
                                   "forces stand here in more than + - abs min max clip hypot and factors: "
                                   "that is no friction level");
        if (names->err) names->err->column = 1;
        return status;
    }
    if (!(ss_graph_depends(model->open->graph, level->node) & SS_ON_FORCE)) return SS_OK;
    model->contacts[level->contact].follows_forces = model->nature.follows_forces = true;
    return SS_OK;
}

static ss_status add_impulse(const ss_names* names, ss_open_level* level)
{
    ss_graph* graph = names->model->open->graph;
    int* known = ss_new((size_t)ss_graph_node_count(graph), sizeof *known);
    if (!known) return ss_fail_no_memory(names->err);
    level->impulse = impulse_of(graph, level->node, known);
    free(known);
    return level->impulse < 0 ? ss_fail_no_memory(names->err) : SS_OK;
}

// What of contact c the level says that is told under `which`: a friction level, or its normal force.
static ss_status add_level(ss_names* names, int c, int which, const ss_level_def* level)
{
    ss_model* model = names->model;
    ss_open* open = model->open;
    ss_open_level* to = &open->levels[open->level_count++];
    const char* name = level->field ? level->field : model->contacts[c].loaded ? "normal" : "friction";
    char field[160];
    snprintf(field, sizeof field, "contacts.%.60s.%.40s", model->contacts[c].name, name);
    ss_dimension unit = force_along(model, &model->contacts[c].bodies, level->dimension);
    *to = (ss_open_level){.contact = c, .which = which, .field = ss_open_text(model, name)};
    ss_status status = ss_open_add_action(names, level->expression, &unit, field, &to->node);
    if (status != SS_OK) return status;
    if (level->factor != 1.0) to->node = ss_graph_apply(open->graph, SS_OP_SCALE, to->node, 0, level->factor);
    if (to->node < 0) return ss_fail_no_memory(names->err);
    status = check_level(names, to, field);
    return status == SS_OK ? add_impulse(names, to) : status;
}

static ss_status add_levels(ss_names* names)
{
    const ss_model* model = names->model;
    ss_status status = SS_OK;
    for (int c = 0; c < names->def->contact_count; c++) {
        const ss_contact_def* from = &names->def->contacts[c];
        bool by_levels = ss_law_has(from->law, SS_TRAIT_LEVELS);
        for (int k = 0; k < 4 && by_levels && status == SS_OK; k++)
            if (from->level[k].expression) status = add_level(names, c, k, &from->level[k]);
        for (int k = 0; k < 2 && model->contacts[c].loaded && status == SS_OK; k++)
            if (from->normal_level.expression) status = add_level(names, c, k, &from->normal_level);
    }
    return status;
}

// ---- potentials

static ss_status refuse_signals(const ss_names* names, int node, const char* field)
{
    unsigned depends = ss_graph_depends(names->model->open->graph, node);
    unsigned strange = depends & (SS_ON_ANY | SS_ON_TIME) & ~(unsigned)SS_ON_POSITION;
    if (!strange) return SS_OK;
    const char* what = strange & SS_ON_TIME    ? "t"
                       : strange & SS_ON_SPEED ? "speeds"
                       : strange & SS_ON_STATE ? "states"
                                               : "inputs or memory";
    return ss_fail(names->err, SS_BAD_INPUT, field,
                   "depends on %s: a potential is an energy of positions alone; write a force", what);
}

static ss_status add_potentials(ss_names* names)
{
    static const char* const reason = "a potential is an energy of positions alone; write a force";
    ss_open* open = names->model->open;
    ss_status status = SS_OK;
    for (int i = open->first_speed; i < names->first_signal; i++)
        if (!ss_names_is_place(names, i)) names->variables[i].refused = reason;
    ss_names_refuse_forces(names, reason);
    for (int i = 0; i < names->def->potential_count && status == SS_OK; i++) {
        char field[64];
        snprintf(field, sizeof field, "potentials[%d]", i);
        status = add_expression(names, names->def->potentials[i], &joule, field, &open->potentials[i]);
        if (status == SS_OK) status = refuse_signals(names, open->potentials[i], field);
        if (status == SS_OK && ss_graph_depends(open->graph, open->potentials[i]) & SS_HAS_JUMPS)
            status = ss_fail(names->err, SS_BAD_INPUT, field, "an energy cannot jump; write abs, min or max");
    }
    for (int i = open->first_speed; i < names->first_signal; i++) names->variables[i].refused = NULL;
    ss_names_refuse_forces(names, NULL);
    open->potential_count = names->def->potential_count;
    if (status == SS_OK) ss_plane_add_energies(names);
    return status;
}

static ss_status add_gradients(ss_names* names)
{
    ss_model* model = names->model;
    ss_open* open = model->open;
    int energy = ss_graph_constant(open->graph, 0.0);
    for (int i = 0; i < open->potential_count; i++)
        energy = ss_graph_apply(open->graph, SS_OP_ADD, energy, open->potentials[i], 0);
    for (int b = 0; b < model->body_count && open->potential_count > 0; b++) {
        int slope = ss_graph_derivative(open->graph, energy, b);
        double value;
        if (slope < 0) return ss_fail_no_memory(names->err);
        if (ss_graph_is_constant(open->graph, slope, &value) && value == 0.0) continue;
        ss_open_gradient* to = &open->gradients[open->gradient_count++];
        *to = (ss_open_gradient){.body = b, .q = model->bodies[b].row};
        to->node = ss_graph_apply(open->graph, SS_OP_SCALE, slope, 0, -1);
        if (to->node < 0) return ss_fail_no_memory(names->err);
    }
    return SS_OK;
}

// ---- the whole

bool ss_force_is_open(const ss_force_def* force)
{
    return force->expression || force->along.count > 0 || force->plane;
}

static bool has_names(const ss_system_def* def)
{
    bool any = false;
    for (int i = 0; i < def->tie_count && def->tie_names; i++) any = any || def->tie_names[i];
    for (int i = 0; i < def->connection_count; i++) any = any || def->connections[i].name;
    return any;
}

static bool asks(const char* text) { return text && strstr(text, ".force"); }

// Whether some expression may ask for the force of a contact or tie.
static bool asks_for_forces(const ss_model* model, const ss_system_def* def)
{
    bool any = model->tie_count > 0;
    for (int i = 0; i < def->contact_count; i++) {
        any = any || asks(def->contacts[i].normal_level.expression);
        for (int k = 0; k < 4; k++) any = any || asks(def->contacts[i].level[k].expression);
    }
    for (int i = 0; i < def->signal_count; i++) any = any || asks(def->signals[i].expression);
    for (int i = 0; i < def->state_count; i++) any = any || asks(def->states[i].rate);
    for (int i = 0; i < def->force_count; i++) {
        const ss_plane_force_def* plane = def->forces[i].plane;
        any = any || asks(def->forces[i].expression);
        any = any || (plane && (asks(plane->force[0]) || asks(plane->force[1]) || asks(plane->moment)));
    }
    for (int i = 0; i < def->potential_count; i++) any = any || asks(def->potentials[i]);
    for (int b = 0; b < def->sampled_count; b++)
        for (int i = 0; i < def->sampled[b].at_tick_count; i++)
            any = any || asks(def->sampled[b].at_tick[i].expression);
    return any;
}

static bool is_open(const ss_system_def* def)
{
    bool open = has_names(def) || def->state_count > 0 || def->input_count > 0 || def->signal_count > 0 ||
                def->potential_count > 0 || def->sampled_count > 0 || ss_plane_exists(def) ||
                def->joint_count > 0;
    for (int i = 0; i < def->force_count && !open; i++) open = ss_force_is_open(&def->forces[i]);
    for (int i = 0; i < def->contact_count && !open; i++) {
        open = def->contacts[i].normal_level.expression != NULL;
        for (int k = 0; k < 4; k++) open = open || def->contacts[i].level[k].expression;
    }
    return open;
}

static bool make_room(ss_model* model, const ss_system_def* def)
{
    ss_open* open = ss_pool_new(&model->pool, 1, sizeof *open);
    if (!open) return false;
    model->open = open;
    open->state_count = def->state_count;
    open->input_count = def->input_count;
    open->signal_count = def->signal_count;
    open->block_count = def->sampled_count;
    size_t springs = 0, loads = (size_t)def->force_count;
    for (int i = 0; i < def->connection_count; i++) springs += def->connections[i].points != NULL;
    for (int i = 0; i < def->force_count; i++) loads += def->forces[i].plane ? 2 : 0; // three coordinates
    for (int b = 0; b < def->sampled_count; b++) open->memory_count += def->sampled[b].memory_count;
    open->first_speed = model->body_count;
    open->first_state = 2 * model->body_count;
    open->first_input = open->first_state + open->state_count;
    open->first_memory = open->first_input + open->input_count;
    open->first_force = open->first_memory + open->memory_count;
    open->variable_count = open->first_force + (asks_for_forces(model, def) ? model->contact_count : 0);
    open->states = ss_pool_new(&model->pool, (size_t)open->state_count, sizeof *open->states);
    open->inputs = ss_pool_new(&model->pool, (size_t)open->input_count, sizeof *open->inputs);
    size_t forces = (size_t)model->tie_count + (size_t)model->connection_count +
                    4 * (size_t)def->joint_count; // signals of those with names
    open->signals = ss_pool_new(&model->pool, (size_t)open->signal_count + forces, sizeof *open->signals);
    open->memory = ss_pool_new(&model->pool, (size_t)open->memory_count, sizeof *open->memory);
    open->blocks = ss_pool_new(&model->pool, (size_t)open->block_count, sizeof *open->blocks);
    open->forces = ss_pool_new(&model->pool, loads + 6 * springs, sizeof *open->forces); // dampers: two ends
    size_t energies = (size_t)def->potential_count + 1 + springs;                        // 1: of gravity
    open->potentials = ss_pool_new(&model->pool, energies, sizeof *open->potentials);
    open->gradients = ss_pool_new(&model->pool, (size_t)model->body_count, sizeof *open->gradients);
    open->levels = ss_pool_new(&model->pool, 4 * (size_t)def->contact_count, sizeof *open->levels);
    open->graph = ss_graph_create();
    return !model->pool.failed && open->graph;
}

static ss_status declare_variables(ss_names* names)
{
    ss_open* open = names->model->open;
    for (int i = 0; i < open->variable_count; i++) {
        ss_depends kind = i < open->first_speed    ? SS_ON_POSITION
                          : i < open->first_state  ? SS_ON_SPEED
                          : i < open->first_input  ? SS_ON_STATE
                          : i < open->first_memory ? SS_ON_INPUT
                          : i < open->first_force  ? SS_ON_MEMORY
                                                   : SS_ON_FORCE;
        names->nodes[i] = ss_graph_variable(open->graph, kind);
        if (names->nodes[i] < 0) return ss_fail_no_memory(names->err);
    }
    return SS_OK;
}

// ---- forces by name

// Of a contact that is two, the name stands for both together.
static void add_halves(ss_names* names)
{
    const ss_model* model = names->model;
    int first = model->open->first_force;
    for (int i = 0; i < model->shown_count && first < model->open->variable_count; i++)
        if (model->contacts[i].other >= 0)
            names->nodes[first + i] = ss_graph_apply(model->open->graph, SS_OP_ADD, names->nodes[first + i],
                                                     names->nodes[first + model->contacts[i].other], 0);
}

// Sum of the row's bodies, of their places or speeds, plus a constant.
static int add_row(const ss_names* names, const ss_row* bodies, int first, double constant)
{
    ss_graph* graph = names->model->open->graph;
    int sum = ss_graph_constant(graph, constant);
    for (int k = 0; k < bodies->count; k++) {
        int term =
            ss_graph_apply(graph, SS_OP_SCALE, names->nodes[first + bodies->index[k]], 0, bodies->value[k]);
        sum = ss_graph_apply(graph, SS_OP_ADD, sum, term, 0);
    }
    return sum;
}

// On A along the row: -(stiffness e + cubic e^3 + damping e').
static int connection_force(const ss_names* names, const ss_connection* spring)
{
    ss_graph* graph = names->model->open->graph;
    int e = add_row(names, &spring->bodies, 0, -spring->length);
    int rate = add_row(names, &spring->bodies, names->model->open->first_speed, 0.0);
    int force = ss_graph_apply(graph, SS_OP_SCALE, e, 0, -spring->stiffness);
    int damper = ss_graph_apply(graph, SS_OP_SCALE, rate, 0, -spring->damping);
    force = ss_graph_apply(graph, SS_OP_ADD, force, damper, 0);
    if (spring->cubic == 0.0) return force;
    int cube = ss_graph_apply(graph, SS_OP_MUL, e, ss_graph_apply(graph, SS_OP_MUL, e, e, 0), 0);
    return ss_graph_apply(graph, SS_OP_ADD, force,
                          ss_graph_apply(graph, SS_OP_SCALE, cube, 0, -spring->cubic), 0);
}

static ss_status declare_forces(ss_names* names)
{
    const ss_model* model = names->model;
    add_halves(names);
    ss_plane_declare_points(names);
    ss_joints_declare_names(names);
    for (int i = 0, k = names->first_connection; i < model->connection_count; i++)
        if (model->connections[i].name)
            names->nodes[k++] = model->connections[i].between_points
                                    ? ss_plane_connection_force(names, i)
                                    : connection_force(names, &model->connections[i]);
    return ss_graph_failed(model->open->graph) ? ss_fail_no_memory(names->err) : SS_OK;
}

// The forces of ties and connections that have names are signals, after those that were given.
static void show_forces(ss_names* names)
{
    const ss_model* model = names->model;
    ss_open* open = model->open;
    int first_tie = names->first_connection - model->tie_count, spring = 0;
    for (int v = first_tie + ss_joints_rows(names->def); v < names->first_joint; v++) {
        bool tie = v < names->first_connection;
        while (!tie && !model->connections[spring].name) spring++;
        open->signals[open->signal_count++] = (ss_open_signal){
            .name = names->variables[v].name,
            .dimension = names->variables[v].dimension,
            .node = names->nodes[v],
            .force_of = tie ? model->contacts[v - open->first_force].name : model->connections[spring++].name,
            .of_tie = tie};
    }
}

ss_status ss_model_open(ss_model* model, const ss_system_def* def, ss_error* err)
{
    ss_names names;
    if (!is_open(def)) return SS_OK;
    if (!make_room(model, def)) return ss_fail_no_memory(err);
    ss_status status = ss_names_make(&names, model, def, err);
    if (status == SS_OK) status = declare_variables(&names);
    if (status == SS_OK) status = declare_forces(&names);
    if (status == SS_OK) status = ss_joints_declare(&names);
    if (status == SS_OK) status = ss_names_infer(&names);
    if (status == SS_OK) status = add_inputs(&names);
    if (status == SS_OK) status = ss_open_add_signals(&names);
    if (status == SS_OK) status = add_states(&names);
    if (status == SS_OK) status = add_forces(&names);
    if (status == SS_OK) status = add_potentials(&names);
    if (status == SS_OK) status = add_gradients(&names);
    if (status == SS_OK) status = add_levels(&names);
    if (status == SS_OK) status = ss_open_add_blocks(&names);
    if (status == SS_OK) show_forces(&names);
    if (status == SS_OK) ss_joints_show(&names);
    ss_names_free(&names);
    if (status == SS_OK && ss_graph_failed(model->open->graph)) status = ss_fail_no_memory(err);
    if (status == SS_OK) status = ss_open_finish(model, err);
    return status == SS_OK && model->pool.failed ? ss_fail_no_memory(err) : status;
}
