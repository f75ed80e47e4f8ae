// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Joints: what each keeps at 0, as nodes of the graph,
//
//     pin    P - Q                                   two rows, forces in space on the body of P
//     rail   n . (P - S), or |P - S| - r             one row: the force along the normal
//     weld   A - B - R(b) r0,  a - b - c0            three: force and moment on A at its centre of mass
//
// with the derivatives by all coordinates as factors of the rows.
#include "model/build/build_joints.h"

#include "core/error.h"
#include "model/build/build_plane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COORDINATES = 6 }; // of a row: two bodies

// ---- rows as contacts

int ss_joints_rows(const ss_system_def* def)
{
    int rows = 0;
    for (int j = 0; j < def->joint_count; j++) rows += ss_joint_row_count(def->joints[j].kind);
    return rows;
}

static ss_status fail_joint(ss_error* err, const char* name, const char* text)
{
    char field[128];
    snprintf(field, sizeof field, "joints.%.100s", name ? name : "");
    return ss_fail(err, SS_BAD_INPUT, field, "%s", text);
}

static bool is_planar(const ss_system_def* def, int body)
{
    return body == SS_GROUND ||
           (body >= 0 && body < def->body_count && def->bodies[body].plane == SS_PLANE_X);
}

static bool is_point(const ss_system_def* def, int point) { return point >= 0 && point < def->point_count; }

static bool is_whole(const ss_system_def* def, const ss_joint_def* joint)
{
    switch (joint->kind) {
    case SS_JOINT_PIN:
        return is_point(def, joint->points[0]) && (joint->points[1] < 0 || is_point(def, joint->points[1]));
    case SS_JOINT_RAIL:
        return is_point(def, joint->points[0]) && joint->surface >= 0 &&
               joint->surface < def->surface_count && is_planar(def, def->surfaces[joint->surface].body);
    case SS_JOINT_WELD: return is_planar(def, joint->bodies[0]) && is_planar(def, joint->bodies[1]);
    }
    return false;
}

// The bodies of both sides, by their x.
static void sides_of(const ss_system_def* def, const ss_joint_def* joint, int body[2])
{
    bool weld = joint->kind == SS_JOINT_WELD;
    body[0] = weld ? joint->bodies[0] : def->points[joint->points[0]].body;
    body[1] = weld                           ? joint->bodies[1]
              : joint->kind == SS_JOINT_RAIL ? def->surfaces[joint->surface].body
              : joint->points[1] < 0         ? SS_GROUND
                                             : def->points[joint->points[1]].body;
}

ss_status ss_joints_make(ss_model* model, const ss_system_def* def, ss_error* err)
{
    if (def->joint_count == 0) return SS_OK;
    ss_pool* pool = &model->pool;
    ss_joints* joints = ss_pool_new(pool, 1, sizeof *joints);
    if (!joints) return ss_fail_no_memory(err);
    joints->count = def->joint_count;
    joints->list = ss_pool_new(pool, (size_t)joints->count, sizeof *joints->list);
    joints->rows = ss_pool_new(pool, (size_t)ss_joints_rows(def), sizeof *joints->rows);
    for (int j = 0; j < joints->count && !pool->failed; j++) {
        const ss_joint_def* from = &def->joints[j];
        if (!from->name || !from->name[0] || !is_whole(def, from))
            return fail_joint(err, from->name, "expected a name, and points, surfaces or bodies that exist");
        joints->list[j] = (ss_joint){.name = ss_pool_text(pool, from->name, strlen(from->name)),
                                     .kind = from->kind,
                                     .first_row = joints->row_count,
                                     .row_count = ss_joint_row_count(from->kind)};
        for (int r = 0; r < joints->list[j].row_count && !pool->failed; r++) {
            ss_joint_row* row = &joints->rows[joints->row_count++];
            row->joint = j;
            row->body = ss_pool_new(pool, MOST_COORDINATES, sizeof(int));
            row->factor = ss_pool_new(pool, MOST_COORDINATES, sizeof(int));
        }
    }
    model->joints = joints;
    return pool->failed ? ss_fail_no_memory(err) : SS_OK;
}

// The force of a row, as it is told.
static const char* part_of(ss_joint_kind kind, int row)
{
    static const char* const parts[] = {"fx", "fy", "moment"};
    return kind == SS_JOINT_RAIL ? "force" : parts[row];
}

static char* join(ss_model* model, const char* name, const char* part)
{
    size_t size = strlen(name) + strlen(part) + sizeof ".";
    char* out = ss_pool_new(&model->pool, size, 1);
    if (out) snprintf(out, size, "%s.%s", name, part);
    return out;
}

// The coordinates that row r depends on, of all that its bodies have.
static bool depends_on(ss_joint_kind kind, int row, int side, int coordinate)
{
    if (kind == SS_JOINT_RAIL) return true;
    if (kind == SS_JOINT_PIN || (side == 1 && row < 2)) return coordinate == row || coordinate == 2;
    return coordinate == row;
}

ss_status ss_joints_contact(ss_model* model, const ss_system_def* def, int joint, int row,
                            ss_contact_def* out, ss_error* err)
{
    const ss_joint_def* from = &def->joints[joint];
    ss_joint_row* to = &model->joints->rows[model->joints->list[joint].first_row + row];
    ss_term* terms = ss_pool_new(&model->pool, MOST_COORDINATES, sizeof *terms);
    int body[2];
    sides_of(def, from, body);
    *out = ss_contact_def_default();
    out->name = join(model, from->name, part_of(from->kind, row));
    if (!terms || !out->name) return ss_fail_no_memory(err);
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < 3 && body[side] != SS_GROUND; c++) {
            if (!depends_on(from->kind, row, side, c)) continue;
            // Any factors that do not cancel where ties make coordinates multiples of each other: those of
            // the moment take their places.
            terms[to->count] = (ss_term){body[side] + c, 1.0 + 0.3819660112501051 * to->count};
            to->body[to->count++] = body[side] + c;
        }
    out->along = (ss_row_def){terms, to->count};
    out->coulomb = (ss_coulomb){0};
    return SS_OK;
}

// ---- what rows keep at 0

typedef struct pair {
    int x, y;
} pair;

static int op(const ss_names* names, ss_op what, int a, int b)
{
    return ss_graph_apply(names->model->open->graph, what, a, b, 0.0);
}

static pair minus(const ss_names* names, pair a, pair b)
{
    return (pair){op(names, SS_OP_SUB, a.x, b.x), op(names, SS_OP_SUB, a.y, b.y)};
}

static pair fixed(const ss_names* names, const double v[2])
{
    ss_graph* graph = names->model->open->graph;
    return (pair){ss_graph_constant(graph, v[0]), ss_graph_constant(graph, v[1])};
}

static pair point_of(const ss_names* names, int point)
{
    const int* of = &names->nodes[names->first_point + 4 * point];
    return (pair){of[0], of[1]};
}

// v, fixed in a body, in space.
static pair turned(const ss_names* names, int body, const double v[2])
{
    pair out = fixed(names, v);
    if (body != SS_GROUND) ss_plane_turn(names, body, &out.x, &out.y);
    return out;
}

static pair place_of(const ss_names* names, int body, const double at[2])
{
    pair out = turned(names, body, at);
    if (body == SS_GROUND) return out;
    return (pair){op(names, SS_OP_ADD, out.x, names->nodes[body]),
                  op(names, SS_OP_ADD, out.y, names->nodes[body + 1])};
}

static void pin_gaps(const ss_names* names, const ss_joint_def* joint, int gap[])
{
    pair q = joint->points[1] < 0 ? fixed(names, joint->at) : point_of(names, joint->points[1]);
    pair d = minus(names, point_of(names, joint->points[0]), q);
    gap[0] = d.x;
    gap[1] = d.y;
}

static pair from_surface(const ss_names* names, const ss_joint_def* joint)
{
    const ss_surface_def* surface = &names->def->surfaces[joint->surface];
    return minus(names, point_of(names, joint->points[0]), place_of(names, surface->body, surface->at));
}

// The normal: to the left of a line, outwards of a circle.
static pair normal_of(const ss_names* names, const ss_joint_def* joint)
{
    const ss_surface_def* surface = &names->def->surfaces[joint->surface];
    const double left[2] = {-surface->along[1], surface->along[0]};
    if (!surface->is_circle) return turned(names, surface->body, left);
    pair d = from_surface(names, joint);
    int r = op(names, SS_OP_HYPOT, d.x, d.y);
    return (pair){op(names, SS_OP_DIV, d.x, r), op(names, SS_OP_DIV, d.y, r)};
}

static int rail_gap(const ss_names* names, const ss_joint_def* joint)
{
    const ss_surface_def* surface = &names->def->surfaces[joint->surface];
    pair d = from_surface(names, joint);
    if (surface->is_circle)
        return ss_graph_apply(names->model->open->graph, SS_OP_SHIFT, op(names, SS_OP_HYPOT, d.x, d.y), 0,
                              -surface->radius);
    pair n = normal_of(names, joint);
    return op(names, SS_OP_ADD, op(names, SS_OP_MUL, n.x, d.x), op(names, SS_OP_MUL, n.y, d.y));
}

static double start_of(const ss_names* names, int body, int coordinate)
{
    return body == SS_GROUND ? 0.0 : names->model->bodies[body + coordinate].start_x;
}

// The pose of the start is kept.
static void weld_gaps(const ss_names* names, const ss_joint_def* joint, int gap[])
{
    ss_graph* graph = names->model->open->graph;
    int a = joint->bodies[0], b = joint->bodies[1];
    double x = start_of(names, a, 0) - start_of(names, b, 0),
           y = start_of(names, a, 1) - start_of(names, b, 1), angle = start_of(names, b, 2),
           turn = start_of(names, a, 2) - angle;
    const double at[2] = {cos(angle) * x + sin(angle) * y, cos(angle) * y - sin(angle) * x}, none[2] = {0};
    pair d = minus(names, place_of(names, a, none), place_of(names, b, at));
    int zero = ss_graph_constant(graph, 0.0), angle_a = a == SS_GROUND ? zero : names->nodes[a + 2],
        angle_b = b == SS_GROUND ? zero : names->nodes[b + 2];
    gap[0] = d.x;
    gap[1] = d.y;
    gap[2] = ss_graph_apply(graph, SS_OP_SHIFT, op(names, SS_OP_SUB, angle_a, angle_b), 0, -turn);
}

static void declare_rows(ss_names* names, int joint)
{
    const ss_joint_def* from = &names->def->joints[joint];
    ss_joints* joints = names->model->joints;
    int gap[3] = {-1, -1, -1};
    if (from->kind == SS_JOINT_PIN) pin_gaps(names, from, gap);
    if (from->kind == SS_JOINT_RAIL) gap[0] = rail_gap(names, from);
    if (from->kind == SS_JOINT_WELD) weld_gaps(names, from, gap);
    for (int r = 0; r < joints->list[joint].row_count; r++) {
        ss_joint_row* row = &joints->rows[joints->list[joint].first_row + r];
        row->gap = gap[r];
        for (int k = 0; k < row->count; k++)
            row->factor[k] = ss_graph_derivative(names->model->open->graph, gap[r], row->body[k]);
    }
}

static void declare_joints(ss_names* names, bool welds)
{
    for (int j = 0; j < names->def->joint_count; j++)
        if ((names->def->joints[j].kind == SS_JOINT_WELD) == welds) declare_rows(names, j);
}

// Nodes become outputs of one program.
static ss_status compile(ss_names* names)
{
    ss_model* model = names->model;
    ss_joints* joints = model->joints;
    size_t room = (size_t)joints->row_count * (MOST_COORDINATES + 1);
    int *nodes = ss_new(room, sizeof *nodes), count = 0;
    if (!nodes) return ss_fail_no_memory(names->err);
    for (int r = 0; r < joints->row_count; r++) {
        ss_joint_row* row = &joints->rows[r];
        for (int k = 0; k < row->count; k++) {
            nodes[count] = row->factor[k];
            row->factor[k] = count++;
        }
        nodes[count] = row->gap;
        row->gap = count++;
    }
    bool good = !ss_graph_failed(model->open->graph) &&
                ss_program_make(&joints->program, &model->pool, model->open->graph, nodes, count);
    free(nodes);
    return good ? SS_OK : ss_fail_no_memory(names->err);
}

ss_status ss_joints_declare(ss_names* names)
{
    ss_joints* joints = names->model->joints;
    if (!joints) return SS_OK;
    declare_joints(names, false);
    ss_status status = ss_joints_find_places(names);
    if (status != SS_OK) return status;
    declare_joints(names, true); // of the start that was found
    status = compile(names);
    for (int r = 0; r < joints->row_count; r++)
        names->model->contacts[joints->rows[r].contact].turns = &joints->rows[r];
    return status == SS_OK ? ss_joints_find_speeds(names) : status;
}

// ---- forces by name

static int extra_names(ss_joint_kind kind) { return kind == SS_JOINT_RAIL ? 2 : 1; }

int ss_joints_name_count(const ss_model* model)
{
    int count = 0;
    for (int j = 0; model->joints && j < model->joints->count; j++)
        count += extra_names(model->joints->list[j].kind);
    return count;
}

static int force_variable(const ss_names* names, const ss_joint* joint, int row)
{
    return names->model->open->first_force + names->model->joints->rows[joint->first_row + row].contact;
}

ss_status ss_joints_add_names(ss_names* names)
{
    static const char* const parts[] = {"fx", "fy"};
    ss_model* model = names->model;
    for (int j = 0; model->joints && j < model->joints->count; j++) {
        const ss_joint* joint = &model->joints->list[j];
        bool rail = joint->kind == SS_JOINT_RAIL;
        for (int k = 0; k < extra_names(joint->kind); k++) {
            char* name = join(model, joint->name, rail ? parts[k] : "force");
            if (!name) return ss_fail_no_memory(names->err);
            ss_names_add_force(names, name, (ss_dimension){1, 1, -2, 0});
        }
    }
    return SS_OK;
}

void ss_joints_declare_names(ss_names* names)
{
    const ss_model* model = names->model;
    int* to = &names->nodes[names->first_joint];
    for (int j = 0; model->joints && j < model->joints->count; j++) {
        const ss_joint* joint = &model->joints->list[j];
        int first = names->nodes[force_variable(names, joint, 0)];
        if (joint->kind == SS_JOINT_RAIL) {
            pair n = normal_of(names, &names->def->joints[j]);
            *to++ = op(names, SS_OP_MUL, first, n.x);
            *to++ = op(names, SS_OP_MUL, first, n.y);
        } else {
            *to++ = op(names, SS_OP_HYPOT, first, names->nodes[force_variable(names, joint, 1)]);
        }
    }
}

static void show(ss_names* names, const ss_joint* joint, int name, const char* part)
{
    ss_open* open = names->model->open;
    open->signals[open->signal_count++] = (ss_open_signal){.name = names->variables[name].name,
                                                           .dimension = names->variables[name].dimension,
                                                           .node = names->nodes[name],
                                                           .force_of = joint->name,
                                                           .part = part,
                                                           .of_joint = true};
}

void ss_joints_show(ss_names* names)
{
    const ss_model* model = names->model;
    int extra = names->first_joint;
    for (int j = 0; model->joints && j < model->joints->count; j++) {
        const ss_joint* joint = &model->joints->list[j];
        bool rail = joint->kind == SS_JOINT_RAIL;
        show(names, joint, rail ? extra : force_variable(names, joint, 0), "fx");
        show(names, joint, rail ? extra + 1 : force_variable(names, joint, 1), "fy");
        show(names, joint, rail ? force_variable(names, joint, 0) : extra, "force");
        if (joint->kind == SS_JOINT_WELD) show(names, joint, force_variable(names, joint, 2), "moment");
        extra += extra_names(joint->kind);
    }
}
