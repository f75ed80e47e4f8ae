// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bodies of the plane in expressions. A body has the coordinates X, Y of its centre of mass and an angle a,
// each with a row of its own in M, which so is constant. A point at (u, w) in its frame is at
//
//     r = (c u - s w, s u + c w),     x = X + r_x,     y = Y + r_y,     c = cos a,  s = sin a
//     x' = X' - a' r_y,               y' = Y' + a' r_x
//
// and a force F there acts on X and Y, and with r_x F_y - r_y F_x on a. Constant gravity and springs between
// points are energies; their forces follow by differentiation, as those of all potentials do.
#include "model/build/build_plane.h"

#include "core/error.h"
#include "share/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ss_dimension newton = {1, 1, -2, 0}, newton_metre = {2, 1, -2, 0};

enum { COORDINATES = 3, X = 0, Y = 1 }; // of a body, and of what has two components

bool ss_plane_exists(const ss_system_def* def)
{
    bool any = def->point_count > 0;
    for (int i = 0; i < def->body_count; i++) any = any || def->bodies[i].plane != SS_PLANE_NONE;
    return any;
}

// ---- before there are expressions

static ss_status fail_point(ss_error* err, int i, const char* text)
{
    char field[48];
    snprintf(field, sizeof field, "points[%d]", i);
    return ss_fail(err, SS_BAD_INPUT, field, "%s", text);
}

ss_status ss_plane_add_points(ss_model* model, const ss_system_def* def, ss_error* err)
{
    model->points = ss_pool_new(&model->pool, (size_t)def->point_count, sizeof *model->points);
    model->point_count = def->point_count;
    for (int i = 0; i < def->point_count && !model->pool.failed; i++) {
        const ss_point_def* from = &def->points[i];
        bool on_body = from->body >= 0 && from->body < def->body_count;
        if (!from->name || !from->name[0]) return fail_point(err, i, "a point needs a name");
        if (from->body != SS_GROUND && !(on_body && def->bodies[from->body].plane == SS_PLANE_X))
            return fail_point(err, i, "expected the x of a body of the plane");
        if (!isfinite(from->at[X]) || !isfinite(from->at[Y]))
            return fail_point(err, i, "its place must be finite");
        model->points[i] =
            (ss_plane_point){.name = ss_pool_text(&model->pool, from->name, strlen(from->name)),
                             .body = from->body,
                             .at = {from->at[X], from->at[Y]}};
    }
    return model->pool.failed ? ss_fail_no_memory(err) : SS_OK;
}

static bool gravity_varies(const ss_system_def* def)
{
    return (def->gravity[X] && !ss_signal_is_constant(def->gravity[X])) ||
           (def->gravity[Y] && !ss_signal_is_constant(def->gravity[Y]));
}

ss_status ss_plane_add_gravity(ss_model* model, const ss_system_def* def, ss_error* err)
{
    if (!gravity_varies(def)) return SS_OK; // an energy, then
    ss_term* terms = ss_pool_new(&model->pool, (size_t)def->body_count, sizeof *terms);
    if (!terms) return ss_fail_no_memory(err);
    for (int k = 0; k < 2; k++) {
        ss_row_def row = {terms, 0};
        ss_row bodies, drives;
        if (!def->gravity[k]) continue;
        for (int b = 0; b < def->body_count; b++)
            if (def->bodies[b].plane == SS_PLANE_X && model->bodies[b].drive < 0)
                terms[row.count++] = (ss_term){b + k, def->bodies[b].mass};
        ss_force* to = &model->forces[model->force_count++];
        ss_model_map_row(model, &row, &bodies, &to->q, &drives);
        ss_status status = ss_model_adopt_signal(model, def->gravity[k], &to->signal, err);
        if (status != SS_OK) return status;
    }
    return model->pool.failed ? ss_fail_no_memory(err) : SS_OK;
}

// ---- arithmetic of nodes

typedef struct pair {
    int x, y;
} pair;

static ss_graph* graph_of(const ss_names* names) { return names->model->open->graph; }

static int apply(const ss_names* names, ss_op op, int a, int b)
{
    return ss_graph_apply(graph_of(names), op, a, b, 0.0);
}
static int add(const ss_names* names, int a, int b) { return apply(names, SS_OP_ADD, a, b); }
static int sub(const ss_names* names, int a, int b) { return apply(names, SS_OP_SUB, a, b); }
static int mul(const ss_names* names, int a, int b) { return apply(names, SS_OP_MUL, a, b); }
static int scale(const ss_names* names, double factor, int a)
{
    return ss_graph_apply(graph_of(names), SS_OP_SCALE, a, 0, factor);
}

static int dot(const ss_names* names, pair a, pair b)
{
    return add(names, mul(names, a.x, b.x), mul(names, a.y, b.y));
}

// Place and speed of a coordinate of a body.
static int place_of(const ss_names* names, int body) { return names->nodes[body]; }
static int speed_of(const ss_names* names, int body)
{
    return names->nodes[names->model->open->first_speed + body];
}

// v, which is fixed in a body, in space.
static pair turn(const ss_names* names, int body, pair v)
{
    int angle = place_of(names, body + 2);
    int c = apply(names, SS_OP_COS, angle, 0), s = apply(names, SS_OP_SIN, angle, 0);
    return (pair){sub(names, mul(names, c, v.x), mul(names, s, v.y)),
                  add(names, mul(names, s, v.x), mul(names, c, v.y))};
}

void ss_plane_turn(const ss_names* names, int body, int* x, int* y)
{
    pair out = turn(names, body, (pair){*x, *y});
    *x = out.x;
    *y = out.y;
}

static pair constant_pair(const ss_names* names, const double v[2])
{
    return (pair){ss_graph_constant(graph_of(names), v[X]), ss_graph_constant(graph_of(names), v[Y])};
}

// From the centre of mass to the point, in space; of a point in space: from the origin.
static pair arm_of(const ss_names* names, const ss_plane_point* point)
{
    pair at = constant_pair(names, point->at);
    return point->body == SS_GROUND ? at : turn(names, point->body, at);
}

void ss_plane_declare_points(ss_names* names)
{
    for (int i = 0; i < names->model->point_count; i++) {
        const ss_plane_point* point = &names->model->points[i];
        pair at = arm_of(names, point);
        int b = point->body, *to = &names->nodes[names->first_point + 4 * i];
        to[0] = b == SS_GROUND ? at.x : add(names, place_of(names, b), at.x);
        to[1] = b == SS_GROUND ? at.y : add(names, place_of(names, b + 1), at.y);
        to[2] = to[3] = ss_graph_constant(graph_of(names), 0.0);
        if (b == SS_GROUND) continue;
        int spin = speed_of(names, b + 2);
        to[2] = sub(names, speed_of(names, b), mul(names, spin, at.y));
        to[3] = add(names, speed_of(names, b + 1), mul(names, spin, at.x));
    }
}

// ---- forces on bodies

static void add_force(ss_names* names, int body, int node, ss_work_kind ledger, int place)
{
    ss_model* model = names->model;
    double value;
    if (ss_graph_is_constant(graph_of(names), node, &value) && value == 0.0) return;
    ss_open_force* to = &model->open->forces[model->open->force_count++];
    ss_term term = {body, 1.0};
    ss_model_map_row(model, &(ss_row_def){&term, 1}, &to->bodies, &to->q, &to->d);
    to->ledger = ledger;
    to->place = place;
    to->node = node;
}

static void push(ss_names* names, int body, pair arm, pair force, int moment, ss_work_kind ledger, int place)
{
    if (body == SS_GROUND) return;
    int lever = sub(names, mul(names, arm.x, force.y), mul(names, arm.y, force.x));
    add_force(names, body, force.x, ledger, place);
    add_force(names, body + 1, force.y, ledger, place);
    add_force(names, body + 2, add(names, lever, moment), ledger, place);
}

static ss_status parse(ss_names* names, const char* text, const ss_dimension* expected, const char* field,
                       int* node)
{
    *node = ss_graph_constant(graph_of(names), 0.0);
    return text ? ss_open_add_action(names, text, expected, field, node) : SS_OK;
}

static ss_status check_plane_force(const ss_names* names, const ss_plane_force_def* from, const char* field)
{
    const ss_model* model = names->model;
    bool good = from->body >= 0 && from->body < model->body_count &&
                model->bodies[from->body].plane == SS_PLANE_X && from->point < model->point_count &&
                (from->point < 0 || model->points[from->point].body == from->body);
    return good ? SS_OK
                : ss_fail(names->err, SS_BAD_INPUT, field, "expected a body of the plane and a point of it");
}

ss_status ss_plane_add_force(ss_names* names, int i)
{
    const ss_plane_force_def* from = names->def->forces[i].plane;
    char field[64];
    pair force, arm = {0};
    int moment;
    snprintf(field, sizeof field, "forces[%d]", i);
    ss_status status = check_plane_force(names, from, field);
    snprintf(field, sizeof field, "forces[%d].force[0]", i);
    if (status == SS_OK) status = parse(names, from->force[X], &newton, field, &force.x);
    snprintf(field, sizeof field, "forces[%d].force[1]", i);
    if (status == SS_OK) status = parse(names, from->force[Y], &newton, field, &force.y);
    snprintf(field, sizeof field, "forces[%d].moment", i);
    if (status == SS_OK) status = parse(names, from->moment, &newton_metre, field, &moment);
    if (status != SS_OK) return status;
    if (from->in_body) force = turn(names, from->body, force);
    arm = from->point >= 0 ? arm_of(names, &names->model->points[from->point])
                           : constant_pair(names, (const double[]){0.0, 0.0});
    push(names, from->body, arm, force, moment, names->def->forces[i].ledger, i);
    return names->model->pool.failed ? ss_fail_no_memory(names->err) : SS_OK;
}

// ---- springs and dampers between points

// From the second point to the first, and how fast that changes.
typedef struct span {
    pair d, rate;
} span;

static span span_of(const ss_names* names, const int points[2])
{
    const int *p = &names->nodes[names->first_point + 4 * points[0]],
              *q = &names->nodes[names->first_point + 4 * points[1]];
    return (span){{sub(names, p[0], q[0]), sub(names, p[1], q[1])},
                  {sub(names, p[2], q[2]), sub(names, p[3], q[3])}};
}

int ss_plane_connection_force(const ss_names* names, int connection)
{
    const ss_connection_def* from = &names->def->connections[connection];
    span s = span_of(names, from->points);
    int length = apply(names, SS_OP_HYPOT, s.d.x, s.d.y);
    int e = ss_graph_apply(graph_of(names), SS_OP_SHIFT, length, 0, -from->length);
    int force = scale(names, -from->stiffness, e);
    if (from->cubic != 0.0)
        force = add(names, force, scale(names, -from->cubic, mul(names, e, mul(names, e, e))));
    if (from->damping == 0.0) return force;
    int rate = apply(names, SS_OP_DIV, dot(names, s.d, s.rate), length);
    return add(names, force, scale(names, -from->damping, rate));
}

// The damper takes -damping (d . d')/|d|^2 d: no root is needed.
static void add_damper(ss_names* names, int connection)
{
    const ss_connection_def* from = &names->def->connections[connection];
    span s = span_of(names, from->points);
    int share = apply(names, SS_OP_DIV, dot(names, s.d, s.rate), dot(names, s.d, s.d));
    int zero = ss_graph_constant(graph_of(names), 0.0);
    for (int side = 0; side < 2; side++) {
        const ss_plane_point* point = &names->model->points[from->points[side]];
        int factor = scale(names, side == 0 ? -from->damping : from->damping, share);
        pair force = {mul(names, factor, s.d.x), mul(names, factor, s.d.y)};
        push(names, point->body, arm_of(names, point), force, zero, SS_WORK_DAMPING,
             ss_place_of_damper(connection));
    }
}

void ss_plane_add_dampers(ss_names* names)
{
    for (int i = 0; i < names->def->connection_count; i++)
        if (names->def->connections[i].points && names->def->connections[i].damping != 0.0)
            add_damper(names, i);
}

// 1/2 stiffness e^2 + 1/4 cubic e^4, where a spring without length is smooth at e = 0.
static int spring_energy(const ss_names* names, const ss_connection_def* from)
{
    span s = span_of(names, from->points);
    int square = dot(names, s.d, s.d);
    if (from->length != 0.0) {
        int length = apply(names, SS_OP_HYPOT, s.d.x, s.d.y);
        int e = ss_graph_apply(graph_of(names), SS_OP_SHIFT, length, 0, -from->length);
        square = mul(names, e, e);
    }
    int energy = scale(names, 0.5 * from->stiffness, square);
    if (from->cubic == 0.0) return energy;
    return add(names, energy, scale(names, 0.25 * from->cubic, mul(names, square, square)));
}

// V = -m g . r, zero at the origin of space.
static int gravity_energy(const ss_names* names)
{
    const ss_system_def* def = names->def;
    int energy = ss_graph_constant(graph_of(names), 0.0);
    for (int b = 0; b < def->body_count; b++)
        for (int k = 0; k < 2 && def->bodies[b].plane == SS_PLANE_X; k++) {
            double g = def->gravity[k] ? ss_signal_value(def->gravity[k], 0.0) : 0.0;
            if (names->model->bodies[b].drive >= 0) continue;
            energy = add(names, energy, scale(names, -def->bodies[b].mass * g, place_of(names, b + k)));
        }
    return energy;
}

static void add_energy(const ss_names* names, int node)
{
    ss_open* open = names->model->open;
    double value;
    if (ss_graph_is_constant(open->graph, node, &value) && value == 0.0) return;
    open->potentials[open->potential_count++] = node;
}

void ss_plane_add_energies(ss_names* names)
{
    const ss_system_def* def = names->def;
    if (!gravity_varies(def)) add_energy(names, gravity_energy(names));
    for (int i = 0; i < def->connection_count; i++)
        if (def->connections[i].points) add_energy(names, spring_energy(names, &def->connections[i]));
}
