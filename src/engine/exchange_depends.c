// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What depends on what in a model that is exchanged, in some mode: the pattern of the Jacobian, all modes
// together. Contacts that may hold couple the coordinates of their group: a force that holds depends on all
// that pulls at any of them, and so do their accelerations, speeds and places.
#include "engine/exchange_impl.h"
#include "engine/flow/open_series.h"

#include <string.h>

typedef struct columns {
    const ss_model* model;
    bool* out;
    int drives, deflections, states, inputs; ///< where these begin
} columns;

static columns columns_of(const ss_model* model, bool out[])
{
    columns c = {.model = model, .out = out, .drives = 2 * model->n};
    c.deflections = c.drives;
    for (int j = 0; j < model->drive_count; j++) c.deflections += model->drives[j].is_speed;
    c.states = c.deflections;
    for (int i = 0; i < model->contact_count; i++) c.states += ss_has_bristles(&model->contacts[i]);
    c.inputs = c.states + (model->open ? model->open->state_count : 0);
    return c;
}

// ---- places and speeds

static bool may_hold(const ss_model* model, const ss_group* group)
{
    for (int p = 0; p < group->count; p++) {
        const ss_contact* contact = &model->contacts[group->contacts[p]];
        bool gives_way = ss_law_has(contact->law, SS_TRAIT_GIVES_WAY);
        if (!ss_has_bristles(contact) && !gives_way) return true;
    }
    return false;
}

// The place of driven body j is a state where its speed is given.
static void add_drive(columns* c, int drive)
{
    int place = c->drives;
    for (int j = 0; j < drive; j++) place += c->model->drives[j].is_speed;
    if (c->model->drives[drive].is_speed) c->out[place] = true;
}

// Coordinate i (its speed: order 1), and where something may hold it those that it then follows.
static void add_coordinate(columns* c, int i, int order)
{
    const ss_model* model = c->model;
    c->out[order * model->n + i] = true;
    for (int g = 0; g < model->group_count; g++) {
        const ss_group* group = &model->groups[g];
        bool inside = false;
        for (int k = 0; k < group->coordinate_count; k++) inside = inside || group->coordinates[k] == i;
        if (!inside || !may_hold(model, group)) continue;
        for (int k = 0; k < group->coordinate_count; k++)
            c->out[order * model->n + group->coordinates[k]] = true;
        for (int p = 0; p < group->count && order == 0; p++) {
            const ss_row* d = &model->contacts[group->contacts[p]].d;
            for (int k = 0; k < d->count; k++) add_drive(c, d->index[k]);
        }
    }
}

static void add_row(columns* c, const ss_row* q, const ss_row* d, int order)
{
    for (int k = 0; k < q->count; k++) add_coordinate(c, q->index[k], order);
    for (int k = 0; k < d->count && order == 0; k++) add_drive(c, d->index[k]);
}

static void add_body(columns* c, int b, int order)
{
    const ss_body* body = &c->model->bodies[b];
    if (body->drive >= 0 && order == 0) add_drive(c, body->drive);
    if (body->drive >= 0) return;
    for (int k = 0; k < body->row.count; k++) add_coordinate(c, body->row.index[k], order);
}

// ---- expressions

static void add_variable(columns* c, int variable)
{
    const ss_open* open = c->model->open;
    if (variable < open->first_speed)
        add_body(c, variable, 0);
    else if (variable < open->first_state)
        add_body(c, variable - open->first_speed, 1);
    else if (variable < open->first_input)
        c->out[c->states + variable - open->first_state] = true;
    else if (variable < open->first_memory)
        c->out[c->inputs + variable - open->first_input] = true;
}

// Row of the Jacobian of the open part: forces, gradients, rates, levels, signals.
static void add_expression(columns* c, int row)
{
    const ss_jacobian* jacobian = &c->model->open->jacobian;
    for (int k = 0; k < jacobian->count; k++)
        if (jacobian->row[k] == row) add_variable(c, jacobian->variable[k]);
}

// ---- accelerations and forces

static bool has(const ss_row* row, int i)
{
    for (int k = 0; k < row->count; k++)
        if (row->index[k] == i) return true;
    return false;
}

// What pulls at coordinate i, contacts aside.
static void add_pulls(columns* c, int i)
{
    const ss_model* model = c->model;
    const ss_operator* op = &model->matrices.flow;
    const ss_sparse* drives = &model->matrices.drive_stiffness;
    for (int l = op->start[i]; l < op->start[i + 1]; l++) {
        if (op->stiffness[l] != 0.0) add_coordinate(c, op->index[l], 0);
        if (op->damping[l] != 0.0) add_coordinate(c, op->index[l], 1);
    }
    for (int l = drives->start ? drives->start[i] : 0; drives->start && l < drives->start[i + 1]; l++)
        add_drive(c, drives->index[l]);
    for (int s = 0; s < model->connection_count; s++) {
        const ss_connection* spring = &model->connections[s];
        if (spring->cubic != 0.0 && has(&spring->mobility, i)) add_row(c, &spring->q, &spring->d, 0);
    }
    const ss_open* open = model->open;
    for (int f = 0; open && f < open->force_count; f++)
        if (has(&open->forces[f].mobility, i)) add_expression(c, f);
    for (int g = 0; open && g < open->gradient_count; g++)
        if (has(&open->gradients[g].mobility, i)) add_expression(c, open->force_count + g);
}

// What the force of contact i depends on by its own law.
static void add_law(columns* c, int i)
{
    const ss_model* model = c->model;
    const ss_contact* contact = &model->contacts[i];
    const ss_open* open = model->open;
    if (ss_law_has(contact->law, SS_TRAIT_GIVES_WAY)) add_row(c, &contact->q, &contact->d, 0);
    add_row(c, &contact->q, &contact->d, 1);
    int place = c->deflections;
    for (int j = 0; j < i; j++) place += ss_has_bristles(&model->contacts[j]);
    if (ss_has_bristles(contact)) c->out[place] = true;
    int first = open ? open->force_count + open->gradient_count + open->state_count : 0;
    for (int l = 0; open && l < open->level_count; l++)
        if (open->levels[l].contact == i) add_expression(c, first + l);
}

// All that pulls at anything in group g.
static void add_group(columns* c, const ss_group* group)
{
    const ss_model* model = c->model;
    for (int p = 0; p < group->count; p++) {
        const ss_row* mobility = &model->contacts[group->contacts[p]].mobility;
        add_law(c, group->contacts[p]);
        for (int k = 0; k < mobility->count; k++) add_pulls(c, mobility->index[k]);
    }
    // Other groups push at the same coordinates where masses are coupled.
    for (int i = 0; i < model->contact_count; i++)
        for (int p = 0; p < group->count; p++)
            for (int k = 0; k < model->contacts[group->contacts[p]].mobility.count; k++)
                if (has(&model->contacts[i].mobility, model->contacts[group->contacts[p]].mobility.index[k]))
                    add_law(c, i);
}

static void add_acceleration(columns* c, int i)
{
    const ss_model* model = c->model;
    add_pulls(c, i);
    for (int j = 0; j < model->contact_count; j++) {
        const ss_group* group = &model->groups[model->contacts[j].group];
        if (!has(&model->contacts[j].mobility, i)) continue;
        if (may_hold(model, group))
            add_group(c, group);
        else
            add_law(c, j);
    }
}

static void add_rate(columns* c, int state)
{
    const ss_model* model = c->model;
    if (state < model->n)
        add_coordinate(c, state, 1);
    else if (state < 2 * model->n)
        add_acceleration(c, state - model->n);
    else if (state >= c->states)
        add_expression(c, model->open->force_count + model->open->gradient_count + state - c->states);
    else if (state >= c->deflections) {
        int i = ss_exchange_get_state(model, state).index;
        add_law(c, i);
    }
}

static void add_force(columns* c, int i)
{
    const ss_group* group = &c->model->groups[c->model->contacts[i].group];
    if (may_hold(c->model, group) && !ss_has_bristles(&c->model->contacts[i]) &&
        !ss_law_has(c->model->contacts[i].law, SS_TRAIT_GIVES_WAY))
        add_group(c, group);
    else
        add_law(c, i);
}

// Whether something depends on the time, not by way of states: exact for models without drives; with them,
// all that may be held by one is said to.
static bool follows_time(const ss_model* model, ss_exchange_unknown what, int index)
{
    bool told = !model->nature.steady && what != SS_UNKNOWN_X && what != SS_UNKNOWN_V;
    if (what == SS_UNKNOWN_SIGNAL)
        told = told || (ss_graph_depends(model->open->graph, model->open->signals[index].node) & SS_ON_TIME);
    return model->drive_count > 0 || told;
}

bool ss_exchange_depends(const ss_model* model, ss_exchange_unknown what, int index, bool out[])
{
    const ss_open* open = model->open;
    columns c = columns_of(model, out);
    int inputs = open ? open->input_count : 0;
    memset(out, 0, (size_t)(c.inputs + inputs + 1) * sizeof(bool));
    out[c.inputs + inputs] = follows_time(model, what, index);
    if (open && !open->smooth) return false; // a jump depends on what its derivative does not
    if (what == SS_UNKNOWN_RATE) add_rate(&c, index);
    if (what == SS_UNKNOWN_FORCE) add_force(&c, index);
    if (what == SS_UNKNOWN_X) add_body(&c, index, 0);
    if (what == SS_UNKNOWN_V) add_body(&c, index, 1);
    if (what == SS_UNKNOWN_SIGNAL)
        add_expression(&c, open->force_count + open->gradient_count + open->state_count + open->level_count +
                               index);
    return true;
}
