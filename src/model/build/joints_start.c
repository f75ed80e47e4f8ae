// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The start of a mechanism: places and speeds that are not given are found from the joints.
//
// Angles that are not given stay at 0 as far as the joints leave them, bodies in the order of the file, then
// x and y; likewise spins, then speeds. Which of them must follow the others is found by elimination in that
// order from its end: what a row is solved for is the last coordinate that it can be solved for. So the first
// ones stay where they are. Where Newton's method does not arrive that way, it changes all that are not
// given, by the least sum of squares (angles weighted with the size of the mechanism).
#include "model/build/build_joints.h"

#include "core/algebra/dense.h"
#include "core/error.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    ss_names* names;
    int rows, unknowns;
    int* unknown; // bodies (coordinates) that are to be found, in their order
    double size;  // m
    ss_program program;
    ss_run run;
    double *point, *values;
    double* jacobian; // rows x unknowns
    double *error, *step, *a, *inverse, *work;
    int* pivot; // of each row: its unknown, or -1
    ss_pool pool;
} search;

static bool is_weld(const search* s, const ss_joint_row* row)
{
    return s->names->def->joints[row->joint].kind == SS_JOINT_WELD;
}

// ---- the size of the mechanism

static double distance(const double a[2], const double b[2]) { return hypot(a[0] - b[0], a[1] - b[1]); }

static void place_of_point(const ss_model* model, const ss_plane_point* point, double out[2])
{
    memcpy(out, point->at, 2 * sizeof(double));
    if (point->body == SS_GROUND) return;
    const ss_body* body = &model->bodies[point->body];
    double c = cos(body[2].start_x), s = sin(body[2].start_x);
    out[0] = body[0].start_x + c * point->at[0] - s * point->at[1];
    out[1] = body[1].start_x + s * point->at[0] + c * point->at[1];
}

// The largest distance between points, places of surfaces on the ground, ends of pins and centres of mass.
static double find_size(const ss_names* names)
{
    const ss_model* model = names->model;
    const ss_system_def* def = names->def;
    int count = 0, room = model->point_count + model->body_count + def->surface_count + def->joint_count;
    double size = 0.0, (*place)[2] = ss_new((size_t)room, sizeof *place);
    if (!place) return NAN;
    for (int i = 0; i < model->point_count; i++) place_of_point(model, &model->points[i], place[count++]);
    for (int b = 0; b < model->body_count; b++) {
        if (model->bodies[b].plane != SS_PLANE_X) continue;
        place[count][0] = model->bodies[b].start_x;
        place[count++][1] = model->bodies[b + 1].start_x;
    }
    for (int i = 0; i < def->surface_count; i++)
        if (def->surfaces[i].body == SS_GROUND) memcpy(place[count++], def->surfaces[i].at, sizeof place[0]);
    for (int j = 0; j < def->joint_count; j++)
        if (def->joints[j].kind == SS_JOINT_PIN && def->joints[j].points[1] < 0)
            memcpy(place[count++], def->joints[j].at, sizeof place[0]);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) size = fmax(size, distance(place[i], place[k]));
    free(place);
    return size > 0.0 ? size : 1.0;
}

// ---- the search

// Angles (spins) first, then x and y, each in the order of the bodies.
static void list_unknowns(search* s, bool speeds)
{
    const ss_system_def* def = s->names->def;
    for (int round = 0; round < 2; round++)
        for (int b = 0; b < def->body_count; b++) {
            const ss_body_def* body = &def->bodies[b];
            bool turns = body->plane == SS_PLANE_ANGLE, found = speeds ? body->find_v : body->find_x;
            if (body->plane == SS_PLANE_NONE || !found || turns != (round == 0)) continue;
            s->unknown[s->unknowns++] = b;
        }
}

static bool open_search(search* s, ss_names* names, bool speeds)
{
    const ss_model* model = names->model;
    size_t rows = (size_t)model->joints->row_count + (size_t)names->def->tie_count, d = sizeof(double),
           bodies = (size_t)model->body_count;
    *s = (search){.names = names, .size = find_size(names)};
    s->unknown = ss_pool_new(&s->pool, bodies, sizeof(int));
    s->pivot = ss_pool_new(&s->pool, rows, sizeof(int));
    s->point = ss_pool_new(&s->pool, (size_t)model->open->variable_count, d);
    s->values = ss_pool_new(&s->pool, 7 * rows, d);
    s->jacobian = ss_pool_new(&s->pool, rows * bodies, d);
    s->error = ss_pool_new(&s->pool, rows, d);
    s->step = ss_pool_new(&s->pool, bodies, d);
    s->a = ss_pool_new(&s->pool, rows * (rows > bodies ? rows : bodies + 1), d);
    s->inverse = ss_pool_new(&s->pool, rows * rows, d);
    s->work = ss_pool_new(&s->pool, 2 * rows * rows + rows, d);
    if (s->pool.failed || isnan(s->size)) return false;
    list_unknowns(s, speeds);
    return true;
}

static bool compile(search* s)
{
    const ss_joints* joints = s->names->model->joints;
    ss_graph* graph = s->names->model->open->graph;
    int *nodes = ss_pool_new(&s->pool, 7 * (size_t)joints->row_count, sizeof(int)), count = 0;
    double* pieces = ss_pool_new(&s->pool, (size_t)ss_graph_kink_count(graph), sizeof(double));
    if (s->pool.failed) return false;
    for (int r = 0; r < joints->row_count; r++) {
        const ss_joint_row* row = &joints->rows[r];
        if (is_weld(s, row)) continue;
        for (int k = 0; k < row->count; k++) nodes[count++] = row->factor[k];
        nodes[count++] = row->gap;
    }
    for (int k = 0; k < ss_graph_kink_count(graph); k++) pieces[k] = NAN;
    return ss_program_make(&s->program, &s->pool, graph, nodes, count) &&
           ss_run_make(&s->run, &s->pool, &s->program, 0, pieces);
}

static int column_of(const search* s, int body)
{
    for (int u = 0; u < s->unknowns; u++)
        if (s->unknown[u] == body) return u;
    return -1;
}

// Gaps and their derivatives at the places in s->point; returns the largest gap.
static double evaluate(search* s)
{
    const ss_joints* joints = s->names->model->joints;
    double worst = 0.0;
    if (!ss_run_values(&s->run, 0.0, s->point, true, s->values)) return INFINITY;
    const double* value = s->values;
    s->rows = 0;
    for (int r = 0; r < joints->row_count; r++) {
        const ss_joint_row* row = &joints->rows[r];
        if (is_weld(s, row)) continue;
        double* to = &s->jacobian[s->rows * s->unknowns];
        memset(to, 0, (size_t)s->unknowns * sizeof *to);
        for (int k = 0; k < row->count; k++, value++) {
            int column = column_of(s, row->body[k]);
            if (column >= 0) to[column] += *value;
        }
        s->error[s->rows++] = *value++;
        worst = fmax(worst, fabs(value[-1]));
    }
    return worst;
}

static double weight(const search* s, int unknown)
{
    return s->names->model->bodies[s->unknown[unknown]].angular ? 1.0 / s->size : 1.0;
}

// Solves jacobian * step = -error for the last unknowns that can be solved for; the others stay. False where
// the rows contradict each other.
static bool eliminate(search* s)
{
    int width = s->unknowns + 1;
    double* a = s->a;
    for (int r = 0; r < s->rows; r++) {
        double* row = &a[r * width];
        memcpy(row, &s->jacobian[r * s->unknowns], (size_t)s->unknowns * sizeof *row);
        for (int u = 0; u < s->unknowns; u++) row[u] *= weight(s, u);
        row[s->unknowns] = -s->error[r];
        s->pivot[r] = -1;
    }
    memset(s->step, 0, (size_t)s->unknowns * sizeof(double));
    for (int u = s->unknowns - 1; u >= 0; u--) {
        int best = -1;
        for (int r = 0; r < s->rows; r++)
            if (s->pivot[r] < 0 && (best < 0 || fabs(a[r * width + u]) > fabs(a[best * width + u]))) best = r;
        if (best < 0 || fabs(a[best * width + u]) <= SS_CLEAR) continue; // factors are of order 1
        s->pivot[best] = u;
        for (int r = 0; r < s->rows; r++) {
            double factor = a[r * width + u] / a[best * width + u];
            for (int c = 0; c < width && r != best && factor != 0.0; c++)
                a[r * width + c] -= factor * a[best * width + c];
            if (r != best) a[r * width + u] = 0.0;
        }
    }
    bool good = true;
    for (int r = 0; r < s->rows; r++) {
        int u = s->pivot[r];
        double rest = a[r * width + s->unknowns];
        if (u >= 0)
            s->step[u] = weight(s, u) * rest / a[r * width + u];
        else
            good = good && fabs(rest) <= SS_CLEAR * s->size;
    }
    return good;
}

// The least change of all unknowns.
static void change_least(search* s)
{
    for (int r = 0; r < s->rows; r++)
        for (int c = 0; c < s->rows; c++) {
            double sum = 0.0;
            for (int u = 0; u < s->unknowns; u++) {
                double w = weight(s, u);
                sum += w * w * s->jacobian[r * s->unknowns + u] * s->jacobian[c * s->unknowns + u];
            }
            s->a[r * s->rows + c] = sum;
        }
    (void)ss_pseudo_inverse(s->a, s->rows, SS_RELATIVE_ZERO, s->inverse, NULL, s->work);
    memset(s->step, 0, (size_t)s->unknowns * sizeof(double));
    for (int r = 0; r < s->rows; r++) {
        double share = 0.0;
        for (int c = 0; c < s->rows; c++) share -= s->inverse[r * s->rows + c] * s->error[c];
        for (int u = 0; u < s->unknowns; u++)
            s->step[u] += weight(s, u) * weight(s, u) * s->jacobian[r * s->unknowns + u] * share;
    }
}

static void begin_places(search* s)
{
    const ss_model* model = s->names->model;
    for (int b = 0; b < model->body_count; b++) s->point[b] = model->bodies[b].start_x;
}

// Newton's method; true where it arrives. A step turns no body by more than a radian.
static bool find_by(search* s, bool least)
{
    enum { ROUNDS = 200 };
    begin_places(s);
    double worst = evaluate(s), best = INFINITY;
    for (int round = 0; round < ROUNDS && isfinite(worst) && worst > 4.0 * DBL_EPSILON * s->size; round++) {
        if (worst <= SS_CLEAR * s->size && !(worst < best)) break; // rounding is all that is left
        best = fmin(best, worst);
        if (least)
            change_least(s);
        else if (!eliminate(s))
            return false;
        double longest = 0.0;
        for (int u = 0; u < s->unknowns; u++)
            longest = fmax(longest, fabs(s->step[u]) / (weight(s, u) * s->size));
        double share = longest > 1.0 ? 1.0 / longest : 1.0;
        for (int u = 0; u < s->unknowns; u++) s->point[s->unknown[u]] += share * s->step[u];
        worst = evaluate(s);
    }
    return worst <= SS_SOLVED * s->size;
}

// What is left apart is told by the joint and by how much.
static ss_status fail_places(search* s)
{
    static const double allowed = 1e-9; // of the size
    const ss_joints* joints = s->names->model->joints;
    begin_places(s);
    (void)evaluate(s);
    for (int j = 0, r = 0; j < joints->count; j++) {
        double apart = 0.0;
        if (joints->list[j].kind == SS_JOINT_WELD) continue;
        for (int k = 0; k < joints->list[j].row_count; k++) apart = hypot(apart, s->error[r++]);
        if (!(apart > allowed * s->size)) continue;
        char field[128];
        snprintf(field, sizeof field, "joints.%.100s", joints->list[j].name);
        return ss_fail(s->names->err, SS_BAD_INPUT, field,
                       s->unknowns == 0 ? "its parts are %.9g m apart at the start"
                                        : "its parts are %.9g m apart at the start, and what is not given of "
                                          "it cannot bring them together",
                       apart);
    }
    return SS_OK;
}

ss_status ss_joints_find_places(ss_names* names)
{
    ss_model* model = names->model;
    search s;
    ss_status status = open_search(&s, names, false) && compile(&s) ? SS_OK : ss_fail_no_memory(names->err);
    if (status == SS_OK && (find_by(&s, false) || find_by(&s, true))) {
        for (int u = 0; u < s.unknowns; u++) model->bodies[s.unknown[u]].start_x = s.point[s.unknown[u]];
        model->joints->size = find_size(names);
    } else if (status == SS_OK) {
        model->joints->size = s.size;
        status = fail_places(&s);
    }
    ss_pool_free(&s.pool);
    return status;
}

// ---- speeds

// Rows of the joints and ties: what they say of the speeds at the start.
static void fill_speeds(search* s, const double values[])
{
    const ss_model* model = s->names->model;
    const ss_joints* joints = model->joints;
    s->rows = 0;
    memset(s->jacobian, 0,
           (size_t)(joints->row_count + s->names->def->tie_count) * (size_t)s->unknowns * sizeof(double));
    for (int r = 0; r < joints->row_count; r++, s->rows++) {
        const ss_joint_row* row = &joints->rows[r];
        s->error[s->rows] = 0.0;
        for (int k = 0; k < row->count; k++) {
            int column = column_of(s, row->body[k]);
            double w = values[row->factor[k]];
            if (column >= 0)
                s->jacobian[s->rows * s->unknowns + column] += w;
            else
                s->error[s->rows] += w * model->bodies[row->body[k]].start_v;
        }
    }
    for (int r = 0; r < s->names->def->tie_count; r++, s->rows++) {
        const ss_row_def* tie = &s->names->def->ties[r];
        double size = 0.0;
        s->error[s->rows] = 0.0;
        for (int k = 0; k < tie->count; k++) size = fmax(size, fabs(tie->terms[k].factor));
        for (int k = 0; k < tie->count; k++) {
            int body = tie->terms[k].body, column = column_of(s, body);
            if (body == SS_GROUND) continue;
            double w = tie->terms[k].factor / size;
            if (column >= 0)
                s->jacobian[s->rows * s->unknowns + column] += w;
            else
                s->error[s->rows] += w * model->bodies[body].start_v;
        }
    }
}

ss_status ss_joints_find_speeds(ss_names* names)
{
    ss_model* model = names->model;
    const ss_joints* joints = model->joints;
    search s;
    ss_run run;
    ss_status status = open_search(&s, names, true) ? SS_OK : ss_fail_no_memory(names->err);
    double* pieces = ss_pool_new(&s.pool, (size_t)ss_graph_kink_count(model->open->graph), sizeof(double));
    for (int k = 0; pieces && k < ss_graph_kink_count(model->open->graph); k++) pieces[k] = NAN;
    if (status == SS_OK && (!pieces || !ss_run_make(&run, &s.pool, &joints->program, 0, pieces)))
        status = ss_fail_no_memory(names->err);
    if (status == SS_OK) {
        begin_places(&s);
        (void)ss_run_values(&run, 0.0, s.point, true, s.values);
        fill_speeds(&s, s.values);
        (void)eliminate(&s); // where rows contradict each other, the run names the joint
        for (int u = 0; u < s.unknowns; u++) model->bodies[s.unknown[u]].start_v = s.step[u];
    }
    ss_pool_free(&s.pool);
    return status;
}
