// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Names of expressions of the motion: which there are, that no two are the same, and what dimensions they
// have. States, signals and memory need not say theirs: it follows from the expressions.
#include "model/build/open_names.h"

#include "model/build/build_joints.h"
#include "share/model_parts.h"
#include "share/quantity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ss_dimension second = {.s = 1};

// ---- which names can be used

static bool is_word(const char* name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name && name[0] && strchr(letters, name[0]) && name[strspn(name, word)] == '\0';
}

static const char* owner_of(const ss_names* names, const char* name)
{
    static const char* const reserved[] = {"t", "i", "pi"};
    const ss_model* model = names->model;
    for (size_t k = 0; k < sizeof reserved / sizeof reserved[0]; k++)
        if (strcmp(name, reserved[k]) == 0) return "reserved";
    if (ss_function_exists(name)) return "a function";
    for (int i = 0; i < model->body_count; i++)
        if (strcmp(model->bodies[i].owner, name) == 0) return "a body";
    for (int i = 0; i < names->point_names; i++)
        if (strcmp(model->points[i].name, name) == 0) return "a point";
    for (int i = 0; i < names->def->joint_count; i++)
        if (strcmp(names->def->joints[i].name, name) == 0) return "a joint";
    for (int i = 0; i < model->contact_count; i++)
        if (strcmp(model->contacts[i].name, name) == 0)
            return model->contacts[i].is_tie ? "a tie" : "a contact";
    for (int i = 0; i < model->connection_count; i++)
        if (model->connections[i].name && strcmp(model->connections[i].name, name) == 0)
            return "a connection";
    for (int i = 0; i < names->scope.parameter_count; i++)
        if (strcmp(names->scope.parameters[i].name, name) == 0) return "a parameter";
    const ss_open* open = model->open;
    int i = ss_names_find(names, name);
    return i < 0                                          ? NULL
           : i < open->first_input                        ? "a state"
           : i < open->first_memory                       ? "an input"
           : i < open->first_force                        ? "memory of a sampled controller"
           : i < names->first_signal + open->signal_count ? "a signal"
                                                          : "a name of this tick";
}

static ss_status check_name(const ss_names* names, const char* name, const char* field)
{
    if (!is_word(name))
        return ss_fail(names->err, SS_BAD_INPUT, field,
                       "'%.60s' is no name; use letters, digits and _, a letter first", name ? name : "");
    const char* owner = owner_of(names, name);
    if (!owner) return SS_OK;
    return ss_fail(names->err, SS_BAD_INPUT, field, "the name '%.60s' is %s%s; choose another", name, owner,
                   strcmp(owner, "reserved") == 0 ? "" : " already");
}

static void set_field(ss_error* err, const char* field)
{
    if (err) snprintf(err->field, sizeof err->field, "%.*s", (int)sizeof err->field - 1, field);
}

// ---- the table

static ss_status append(ss_names* names, const char* name, ss_dimension dimension, bool has_unit, bool open,
                        const char* field)
{
    ss_status status = field ? check_name(names, name, field) : SS_OK;
    if (status != SS_OK) return status;
    names->variables[names->count] =
        (ss_variable){.name = name, .dimension = dimension, .has_unit = has_unit, .open = open};
    names->nodes[names->count++] = -1;
    ss_words_add(&names->words, name);
    return SS_OK;
}

static char* join(ss_model* model, const char* owner, const char* ending)
{
    size_t size = strlen(owner) + strlen(ending) + sizeof ".";
    char* name = ss_pool_new(&model->pool, size, 1);
    if (name) snprintf(name, size, "%s.%s", owner, ending);
    return name;
}

static ss_status add_bodies(ss_names* names, bool speeds)
{
    ss_model* model = names->model;
    for (int i = 0; i < model->body_count; i++) {
        const ss_body* body = &model->bodies[i];
        char* name = join(model, body->owner, speeds ? body->speed : body->place);
        if (!name) return ss_fail_no_memory(names->err);
        append(names, name, (ss_dimension){.m = body->angular ? 0 : 1, .s = speeds ? -1 : 0}, false, false,
               NULL);
    }
    return SS_OK;
}

static ss_dimension force_of(const ss_model* model, const ss_row* bodies, ss_dimension given)
{
    if (!ss_dimension_equal(given, (ss_dimension){0})) return given;
    bool angular = bodies->count > 0;
    for (int k = 0; k < bodies->count; k++) angular = angular && model->bodies[bodies->index[k]].angular;
    return (ss_dimension){angular ? 2 : 1, 1, -2, 0};
}

void ss_names_add_force(ss_names* names, const char* name, ss_dimension dimension)
{
    names->of_forces[names->count] = true;
    append(names, name, dimension, true, false, NULL);
}

static ss_status add_force(ss_names* names, const char* owner, const ss_row* bodies, ss_dimension given,
                           const char* ending)
{
    ss_model* model = names->model;
    size_t size = strlen(owner) + sizeof ".force.";
    char* name = ss_pool_new(&model->pool, size, 1);
    if (!name) return ss_fail_no_memory(names->err);
    snprintf(name, size, "%s.force%s", owner, ending);
    names->of_forces[names->count] = true;
    return append(names, name, force_of(model, bodies, given), true, false, NULL);
}

// Forces of contacts and ties are variables; those of connections follow from places and speeds. The second
// half of a contact that is two has a name that nobody can write: the first stands for both.
static ss_status add_contact_forces(ss_names* names)
{
    ss_model* model = names->model;
    ss_status status = SS_OK;
    int count = model->open->variable_count - model->open->first_force, rows = ss_joints_rows(names->def);
    for (int i = 0; i < count && status == SS_OK; i++) {
        bool half = i >= model->shown_count && !model->contacts[i].is_tie;
        const ss_contact* contact = &model->contacts[i];
        bool of_joint = i >= ss_first_tie(model) && i < ss_first_tie(model) + rows;
        if (of_joint)
            ss_names_add_force(names, contact->name, force_of(model, &contact->bodies, contact->force));
        else
            status = add_force(names, contact->name, &contact->bodies, contact->force, half ? "." : "");
    }
    return status;
}

static ss_status add_connection_forces(ss_names* names)
{
    ss_model* model = names->model;
    ss_status status = SS_OK;
    for (int i = 0; i < model->connection_count && status == SS_OK; i++)
        if (model->connections[i].name)
            status = add_force(names, model->connections[i].name, &model->connections[i].bodies,
                               model->connections[i].force, "");
    return status;
}

static ss_status add_points(ss_names* names)
{
    static const char* const endings[] = {"x", "y", "vx", "vy"};
    ss_model* model = names->model;
    for (int i = 0; i < model->point_count; i++) {
        char field[48];
        snprintf(field, sizeof field, "points[%d]", i);
        ss_status status = check_name(names, model->points[i].name, field);
        if (status != SS_OK) return status;
        names->point_names = i + 1;
        for (int k = 0; k < 4; k++) {
            char* name = join(model, model->points[i].name, endings[k]);
            if (!name) return ss_fail_no_memory(names->err);
            append(names, name, (ss_dimension){.m = 1, .s = k < 2 ? 0 : -1}, false, false, NULL);
        }
    }
    return SS_OK;
}

bool ss_names_is_place(const ss_names* names, int name)
{
    return name >= names->first_point && name < names->first_signal && (name - names->first_point) % 4 < 2;
}

// A state whose start has a unit has that unit; a start that is 0 or missing says nothing.
static ss_status add_states(ss_names* names)
{
    const ss_system_def* def = names->def;
    ss_open* open = names->model->open;
    for (int i = 0; i < def->state_count; i++) {
        const ss_state_def* from = &def->states[i];
        ss_open_state* to = &open->states[i];
        char field[160];
        bool has_unit = false;
        snprintf(field, sizeof field, "states.%.60s", from->name ? from->name : "");
        ss_status status = append(names, from->name, to->dimension, false, true, field);
        if (status != SS_OK) return status;
        if (!from->start) continue;
        ss_scope constant = names->scope;
        constant.allow_time = false;
        snprintf(field, sizeof field, "states.%.60s.start", from->name);
        status =
            ss_quantity_parse_any(from->start, &constant, &to->start, &to->dimension, &has_unit, names->err);
        if (status != SS_OK) {
            set_field(names->err, field);
            return status;
        }
        ss_variable* variable = &names->variables[names->count - 1];
        variable->has_unit = has_unit;
        variable->open = !has_unit;
        variable->dimension = to->dimension;
    }
    return SS_OK;
}

static ss_status add_inputs(ss_names* names)
{
    for (int i = 0; i < names->def->input_count; i++) {
        const ss_input_def* from = &names->def->inputs[i];
        char field[160];
        snprintf(field, sizeof field, "inputs.%.60s", from->name ? from->name : "");
        ss_status status = append(names, from->name, from->dimension, from->has_unit, false, field);
        if (status != SS_OK) return status;
    }
    return SS_OK;
}

// Memory that begins with a bare 0 has the dimension of what is written to it.
static ss_status add_memory(ss_names* names)
{
    for (int b = 0; b < names->def->sampled_count; b++) {
        const ss_sampled_def* block = &names->def->sampled[b];
        for (int i = 0; i < block->memory_count; i++) {
            const ss_memory_def* from = &block->memory[i];
            char field[200];
            snprintf(field, sizeof field, "sampled.%.60s.memory.%.60s", block->name ? block->name : "",
                     from->name ? from->name : "");
            ss_status status = append(names, from->name, from->dimension, from->has_unit,
                                      !from->has_unit && from->value == 0.0, field);
            if (status != SS_OK) return status;
        }
    }
    return SS_OK;
}

static ss_status add_signals(ss_names* names)
{
    for (int i = 0; i < names->def->signal_count; i++) {
        const char* name = names->def->signals[i].name;
        char field[160];
        snprintf(field, sizeof field, "signals.%.60s", name ? name : "");
        ss_status status = append(names, name, (ss_dimension){0}, false, true, field);
        if (status != SS_OK) return status;
    }
    return SS_OK;
}

ss_status ss_names_make(ss_names* names, ss_model* model, const ss_system_def* def, ss_error* err)
{
    ss_open* open = model->open;
    int lines = 0;
    for (int b = 0; b < def->sampled_count; b++)
        if (def->sampled[b].at_tick_count > lines) lines = def->sampled[b].at_tick_count;
    *names = (ss_names){.model = model, .def = def, .err = err};
    names->scope = (ss_scope){
        .parameters = def->parameters, .parameter_count = def->parameter_count, .allow_time = true};
    names->first_connection = names->first_joint = open->variable_count;
    for (int i = 0; i < model->connection_count; i++)
        names->first_joint += model->connections[i].name != NULL;
    names->first_point = names->first_joint + ss_joints_name_count(model);
    names->first_signal = names->first_point + 4 * model->point_count;
    names->room = names->first_signal + open->signal_count + lines;
    names->variables = ss_pool_new(&model->pool, (size_t)names->room, sizeof *names->variables);
    names->nodes = ss_pool_new(&model->pool, (size_t)names->room, sizeof *names->nodes);
    names->of_forces = ss_pool_new(&model->pool, (size_t)names->room, sizeof *names->of_forces);
    if (!ss_words_make(&names->words, &model->pool, names->room) || model->pool.failed)
        return ss_fail_no_memory(err);
    ss_status status = add_bodies(names, false);
    if (status == SS_OK) status = add_bodies(names, true);
    if (status == SS_OK) status = add_states(names);
    if (status == SS_OK) status = add_inputs(names);
    if (status == SS_OK) status = add_memory(names);
    if (status == SS_OK) status = add_contact_forces(names);
    if (status == SS_OK) status = add_connection_forces(names);
    if (status == SS_OK) status = ss_joints_add_names(names);
    if (status == SS_OK) status = add_points(names);
    return status == SS_OK ? add_signals(names) : status;
}

void ss_names_refuse_forces(ss_names* names, const char* reason)
{
    for (int i = 0; i < names->count; i++)
        if (names->of_forces[i]) names->variables[i].refused = reason;
}

bool ss_names_uses_forces(const ss_names* names, const ss_expression* expression)
{
    for (int k = 0; k < expression->tape.count && expression->varies; k++) {
        const ss_instruction* in = &expression->tape.code[k];
        if (in->op == SS_OP_VARIABLE && names->of_forces[in->a]) return true;
    }
    return false;
}

void ss_names_free(ss_names* names)
{
    for (int i = 0; i < names->def->signal_count && names->expressions; i++)
        free(names->expressions[i].tape.code);
    free(names->expressions);
    free(names->order);
}

ss_status ss_names_parse(ss_names* names, const char* text, const ss_dimension* expected, const char* field,
                         ss_expression* out)
{
    ss_variables variables = {names->variables, names->count, &names->words};
    ss_status status = ss_expression_parse_motion(text, &names->scope, variables, expected, out, names->err);
    if (status == SS_BAD_INPUT && field) set_field(names->err, field);
    return status;
}

int ss_names_find(const ss_names* names, const char* name)
{
    int i = ss_words_find(&names->words, name, strlen(name));
    return i < names->model->open->first_state ? -1 : i; // the others are places and speeds
}

void ss_names_keep(ss_names* names, int count)
{
    names->count = count;
    ss_words_keep(&names->words, count);
}

ss_status ss_names_add_line(ss_names* names, const char* name, const ss_expression* value, int node,
                            const char* field)
{
    ss_status status = append(names, name, value->dimension, value->has_unit, value->open, field);
    if (status == SS_OK) names->nodes[names->count - 1] = node;
    return status;
}

// ---- dimensions

// What the expression says of a name whose dimension is open; faults are told later.
// *waits becomes the one name that it waits for, or is negative.
static bool learn(ss_names* names, int name, const char* text, double seconds, int* waits)
{
    *waits = -1;
    ss_variable* variable = &names->variables[name];
    ss_expression expression;
    if (!variable->open || !text) return false;
    ss_error* err = names->err;
    names->err = NULL;
    ss_status status = ss_names_parse(names, text, NULL, NULL, &expression);
    names->err = err;
    names->failed = names->failed || status == SS_NO_MEMORY;
    if (status != SS_OK) return false;
    free(expression.tape.code);
    bool bare_zero = !expression.varies && expression.value == 0.0 && !expression.has_unit;
    if (expression.open) *waits = expression.waits;
    if (expression.open || bare_zero) return false;
    variable->dimension = ss_dimension_combine(expression.dimension, second, seconds);
    variable->has_unit = expression.has_unit;
    variable->open = false;
    return true;
}

// Nothing new is learnt of a signal while the one name that it waits for is open.
static bool learn_from_signals(ss_names* names, int waits[])
{
    bool progress = false;
    for (int i = 0; i < names->def->signal_count; i++) {
        if (waits[i] >= 0 && names->variables[waits[i]].open) continue;
        const char* text = names->def->signals[i].expression;
        progress = learn(names, names->first_signal + i, text, 0, &waits[i]) || progress;
    }
    return progress;
}

static bool learn_from_tick(ss_names* names, const ss_sampled_def* block)
{
    int before = names->count, waits;
    bool progress = false;
    for (int i = 0; i < block->at_tick_count; i++) {
        const ss_formula_def* line = &block->at_tick[i];
        int name = line->name ? ss_names_find(names, line->name) : -1;
        if (name < 0 && line->name && is_word(line->name)) {
            append(names, line->name, (ss_dimension){0}, false, true, NULL);
            (void)learn(names, names->count - 1, line->expression, 0, &waits);
        } else if (name >= 0) {
            progress = learn(names, name, line->expression, 0, &waits) || progress;
        }
    }
    ss_names_keep(names, before);
    return progress;
}

ss_status ss_names_infer(ss_names* names)
{
    const ss_system_def* def = names->def;
    int first_state = names->model->open->first_state, ignored;
    int* waits = ss_new((size_t)def->signal_count, sizeof *waits);
    names->failed = !waits;
    for (int i = 0; i < def->signal_count && waits; i++) waits[i] = -1;
    for (bool progress = true; progress && !names->failed;) {
        progress = learn_from_signals(names, waits);
        for (int i = 0; i < def->state_count; i++)
            progress = learn(names, first_state + i, def->states[i].rate, 1, &ignored) || progress;
        for (int i = 0; i < def->sampled_count; i++)
            progress = learn_from_tick(names, &def->sampled[i]) || progress;
    }
    free(waits);
    for (int i = first_state; i < names->count; i++) names->variables[i].open = false; // plain numbers
    return names->failed ? ss_fail_no_memory(names->err) : SS_OK;
}
