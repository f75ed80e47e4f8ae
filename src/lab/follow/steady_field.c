// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/follow/steady_field.h"

#include "core/error.h"
#include "law/table.h"
#include "model/actions.h"
#include "share/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- which models have steady states

static bool varies(const ss_signal* signal) { return signal && !ss_signal_is_constant(signal); }

static bool affine_varies(const ss_affine* affine) { return affine && varies(affine->rest); }

static ss_status check_open(const ss_model* model, ss_error* err)
{
    const ss_open* open = model->open;
    const ss_actions* actions = model->actions;
    if (!open) return SS_OK;
    if (open->block_count > 0)
        return ss_fail(err, SS_BAD_INPUT, "sampled", "steady states of sampled controllers are not followed");
    bool time = (actions->depends & SS_ON_TIME) != 0;
    for (int p = 0; p < actions->pull_count; p++) time = time || affine_varies(actions->pulls[p].affine);
    for (int j = 0; j < open->state_count; j++) time = time || affine_varies(actions->rates[j].affine);
    if (time)
        return ss_fail(err, SS_BAD_INPUT, "forces", "depend on t: nothing stays as it is, follow a cycle");
    for (int j = 0; j < open->input_count; j++)
        if (varies(open->inputs[j].signal))
            return ss_fail(err, SS_BAD_INPUT, "inputs", "vary in time: nothing stays as it is");
    return SS_OK;
}

static ss_status check(const ss_model* model, ss_error* err)
{
    if (model->n == 0) return ss_fail(err, SS_BAD_INPUT, "bodies", "no body moves freely: nothing to follow");
    for (int f = 0; f < model->force_count; f++)
        if (varies(model->forces[f].signal))
            return ss_fail(err, SS_BAD_INPUT, "forces",
                           "vary in time: nothing stays as it is, follow a cycle");
    for (int i = 0; i < model->contact_count; i++)
        for (int k = 0; k < 4; k++)
            if (varies(model->contacts[i].level[k]))
                return ss_fail(err, SS_BAD_INPUT, model->contacts[i].name,
                               "varies in time: nothing stays as it is, follow a cycle");
    return check_open(model, err);
}

// Speed of a drive that goes evenly; NaN for any other.
static double drive_speed(const ss_drive* drive)
{
    static const double moments[] = {0.1, 1.0, 2.71828, 31.4159, 1000.0}; // s
    if (drive->is_speed)
        return ss_signal_is_constant(drive->signal) ? ss_signal_value(drive->signal, 0.0) : NAN;
    double at = ss_signal_value(drive->signal, 0.0), speed = ss_signal_value(drive->signal, 1.0) - at;
    for (size_t k = 0; k < sizeof moments / sizeof *moments; k++) {
        double here = ss_signal_value(drive->signal, moments[k]), line = at + speed * moments[k];
        if (!(fabs(here - line) <= 1e-12 * (fabs(here) + fabs(line) + fabs(at)))) return NAN;
    }
    return speed;
}

static ss_status place_drives(ss_steady_field* field, ss_error* err)
{
    for (int d = 0; d < field->model->drive_count; d++) {
        const ss_drive* drive = &field->model->drives[d];
        double speed = drive_speed(drive);
        if (isnan(speed))
            return ss_fail(err, SS_BAD_INPUT, field->model->bodies[drive->body].name,
                           "is not driven evenly: nothing stays as it is, follow a cycle");
        field->drive_speed[drive->body] = speed;
        field->offset[drive->body] =
            drive->is_speed ? field->model->bodies[drive->body].start_x : ss_signal_value(drive->signal, 0.0);
    }
    return SS_OK;
}

// ---- creation

// Bristles with one deflection have z as their state; GMS that slides the sum of its forces; Maxwell-slip
// none.
static int states_of(const ss_contact* contact)
{
    return ss_law_has(contact->law, SS_TRAIT_Z) || ss_contact_is(contact, SS_TRAIT_MANY) ? 1 : 0;
}

static void make_laws(ss_steady_field* field)
{
    const ss_model* model = field->model;
    for (int i = 0; i < model->contact_count && !field->pool.failed; i++) {
        const ss_contact* contact = &model->contacts[i];
        field->bristle_at[i] = -1;
        field->signs[i] = 1.0;
        field->modes[i] = ss_law_has(contact->law, SS_TRAIT_STOPS) ? SS_STEADY_OPEN : SS_STEADY_SLIP;
        if (ss_has_bristles(contact) && states_of(contact) > 0) field->bristle_at[i] = field->bristles++;
        if (ss_has_bristles(contact) || !contact->law_row->memory.prepare) continue;
        field->along[i] = ss_pool_new(&field->pool, 1, sizeof(ss_along));
        if (field->along[i])
            contact->law_row->memory.prepare(ss_law_of(contact), field->along[i], &field->pool);
    }
}

static bool make_programs(ss_steady_field* field)
{
    const ss_open* open = field->model->open;
    const ss_actions* actions = field->model->actions;
    if (!open) return true;
    size_t kinks = (size_t)ss_graph_kink_count(open->graph), d = sizeof(double);
    field->open.pieces = ss_pool_new(&field->pool, kinks, d);
    field->open.point = ss_pool_new(&field->pool, (size_t)open->variable_count, d);
    field->open.outputs = ss_pool_new(&field->pool, (size_t)actions->motion.output_count, d);
    field->open.derivatives = ss_pool_new(&field->pool, (size_t)actions->slope.output_count, d);
    for (size_t j = 0; field->open.pieces && j < kinks; j++) field->open.pieces[j] = NAN;
    return !field->pool.failed &&
           ss_run_make(&field->open.motion, &field->pool, &actions->motion, 1, field->open.pieces) &&
           ss_run_make(&field->open.slope, &field->pool, &actions->slope, 1, field->open.pieces);
}

static bool allocate(ss_steady_field* field)
{
    const ss_model* model = field->model;
    size_t m = (size_t)model->contact_count, b = (size_t)field->bodies, d = sizeof(double);
    ss_pool* pool = &field->pool;
    field->bristle_at = ss_pool_new(pool, m, sizeof(int));
    field->along = ss_pool_new(pool, m, sizeof(ss_along*));
    field->modes = ss_pool_new(pool, m, sizeof(ss_steady_mode));
    field->signs = ss_pool_new(pool, m, d);
    field->lambda = ss_pool_new(pool, m, d);
    if (pool->failed) return false;
    make_laws(field);
    field->width = 2 * field->n + field->states + field->bristles;
    field->rows = field->n + field->states + field->bristles;
    field->columns = 2 * field->bodies + field->states + field->bristles;
    double** arrays[] = {&field->offset, &field->drive_speed, &field->x, &field->v};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) *arrays[k] = ss_pool_new(pool, b, d);
    field->s = ss_pool_new(pool, (size_t)field->states, d);
    field->z = ss_pool_new(pool, (size_t)field->bristles, d);
    field->force = ss_pool_new(pool, (size_t)field->rows, d);
    field->rate = field->force + field->n;
    field->creep = field->rate + field->states;
    field->slopes = ss_pool_new(pool, (size_t)field->rows * (size_t)field->columns, d);
    field->column = ss_pool_new(pool, (size_t)field->n, d);
    return !pool->failed && make_programs(field);
}

ss_status ss_steady_field_create(const ss_model* model, ss_steady_field** out, ss_error* err)
{
    *out = NULL;
    ss_status status = check(model, err);
    if (status != SS_OK) return status;
    ss_steady_field* field = ss_new(1, sizeof *field);
    if (!field) return ss_fail_no_memory(err);
    field->model = model;
    field->n = model->n;
    field->bodies = model->body_count;
    field->states = model->open ? model->open->state_count : 0;
    status = allocate(field) ? SS_OK : ss_fail_no_memory(err);
    for (int b = 0; b < field->bodies && status == SS_OK; b++) {
        const ss_row* row = &model->bodies[b].row;
        field->offset[b] = model->bodies[b].start_x;
        for (int k = 0; k < row->count; k++)
            field->offset[b] -= row->value[k] * model->bodies[model->coordinate_body[row->index[k]]].start_x;
    }
    if (status == SS_OK) status = place_drives(field, err);
    if (status != SS_OK) {
        ss_steady_field_destroy(field);
        return status;
    }
    *out = field;
    return SS_OK;
}

void ss_steady_field_destroy(ss_steady_field* field)
{
    if (!field) return;
    ss_pool_free(&field->pool);
    free(field);
}

void ss_steady_field_start(const ss_steady_field* field, double y[])
{
    const ss_model* model = field->model;
    for (int i = 0; i < field->n; i++) {
        y[i] = model->bodies[model->coordinate_body[i]].start_x;
        y[field->n + i] = model->bodies[model->coordinate_body[i]].start_v;
    }
    for (int j = 0; j < field->states; j++) y[2 * field->n + j] = model->open->states[j].start;
    for (int i = 0; i < model->contact_count; i++) {
        int at = field->bristle_at[i];
        if (at < 0) continue;
        double z = model->contacts[i].start.z;
        y[2 * field->n + field->states + at] =
            isnan(z) || ss_contact_is(&model->contacts[i], SS_TRAIT_MANY) ? 0.0 : z;
    }
}

// ---- the point

static void take_point(ss_steady_field* field, const double y[])
{
    const ss_model* model = field->model;
    int n = field->n;
    for (int b = 0; b < field->bodies; b++) {
        const ss_body* body = &model->bodies[b];
        field->x[b] = field->offset[b] + (body->drive < 0 ? ss_row_dot(&body->row, y) : 0.0);
        field->v[b] = body->drive < 0 ? ss_row_dot(&body->row, y + n) : field->drive_speed[b];
    }
    memcpy(field->s, y + 2 * n, (size_t)field->states * sizeof(double));
    memcpy(field->z, y + 2 * n + field->states, (size_t)field->bristles * sizeof(double));
}

void ss_steady_field_add_row(const ss_steady_field* field, int row, const ss_row* bodies, int shift,
                             double factor)
{
    double* out = field->slopes + (size_t)row * (size_t)field->columns + shift;
    for (int k = 0; k < bodies->count; k++) out[bodies->index[k]] += factor * bodies->value[k];
}

// A force f along the row q whose derivatives along the row of bodies are by_x and by_v.
static void add_force(ss_steady_field* field, const ss_row* q, const ss_row* bodies, double f, double by_x,
                      double by_v)
{
    for (int k = 0; k < q->count; k++) {
        field->force[q->index[k]] += q->value[k] * f;
        if (by_x != 0.0) ss_steady_field_add_row(field, q->index[k], bodies, 0, q->value[k] * by_x);
        if (by_v != 0.0)
            ss_steady_field_add_row(field, q->index[k], bodies, field->bodies, q->value[k] * by_v);
    }
}

static void add_connections(ss_steady_field* field)
{
    const ss_model* model = field->model;
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        double e = ss_row_dot(&spring->bodies, field->x) - spring->length,
               rate = ss_row_dot(&spring->bodies, field->v);
        add_force(field, &spring->q, &spring->bodies,
                  -(spring->stiffness * e + spring->cubic * e * e * e + spring->damping * rate),
                  -(spring->stiffness + 3.0 * spring->cubic * e * e), -spring->damping);
    }
}

static void add_matrix(ss_steady_field* field, const ss_sparse* matrix, const double of[], int shift)
{
    for (int i = 0; i < matrix->rows; i++)
        for (int l = matrix->start[i]; l < matrix->start[i + 1]; l++) {
            int body = field->model->coordinate_body[matrix->index[l]];
            field->force[i] -= matrix->value[l] * of[body];
            field->slopes[(size_t)i * (size_t)field->columns + (size_t)(shift + body)] -= matrix->value[l];
        }
}

// ---- expressions of the motion

static void fill_variables(ss_steady_field* field)
{
    const ss_open* open = field->model->open;
    memcpy(field->open.point, field->x, (size_t)field->bodies * sizeof(double));
    memcpy(field->open.point + open->first_speed, field->v, (size_t)field->bodies * sizeof(double));
    memcpy(field->open.point + open->first_state, field->s, (size_t)field->states * sizeof(double));
    for (int j = 0; j < open->input_count; j++)
        field->open.point[open->first_input + j] = ss_signal_value(open->inputs[j].signal, 0.0);
    for (int j = 0; j < open->memory_count; j++)
        field->open.point[open->first_memory + j] = open->memory[j].value;
    bool good = ss_run_values(&field->open.motion, 0.0, field->open.point, false, field->open.outputs);
    good = ss_run_values(&field->open.slope, 0.0, field->open.point, false, field->open.derivatives) && good;
    field->bad = field->bad || !good;
}

// Value of an affine expression or of an output; its slopes are added to the row of slopes times factor.
static double expression(const ss_steady_field* field, const ss_affine* affine, int output, double factor,
                         double row[])
{
    const ss_open* open = field->model->open;
    const ss_jacobian* slopes = &field->model->actions->slopes;
    int movable = open->first_input; // x, v and s come first, in the order of the columns
    if (!affine) {
        for (int e = 0; e < slopes->count && row; e++)
            if (slopes->row[e] == output && slopes->variable[e] < movable)
                row[slopes->variable[e]] += factor * field->open.derivatives[e];
        return field->open.outputs[output];
    }
    double sum = affine->rest ? ss_signal_value(affine->rest, 0.0) : 0.0;
    for (int k = 0; k < affine->row.count; k++) {
        int at = affine->row.index[k];
        sum += affine->row.value[k] * field->open.point[at];
        if (at < movable && row) row[at] += factor * affine->row.value[k];
    }
    return sum;
}

static void add_expressions(ss_steady_field* field)
{
    const ss_actions* actions = field->model->actions;
    size_t columns = (size_t)field->columns;
    fill_variables(field);
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_pull* pull = &actions->pulls[p];
        for (int k = 0; k < pull->q.count; k++) {
            int i = pull->q.index[k];
            field->force[i] +=
                pull->q.value[k] * expression(field, pull->affine, pull->output, pull->q.value[k],
                                              field->slopes + (size_t)i * columns);
        }
    }
    for (int j = 0; j < field->states; j++)
        field->rate[j] = expression(field, actions->rates[j].affine, actions->rates[j].output, 1.0,
                                    field->slopes + (size_t)(field->n + j) * columns);
}

double ss_steady_field_level(const ss_steady_field* field, int contact, int which, double factor,
                             double row[])
{
    const ss_contact* c = &field->model->contacts[contact];
    const ss_open* open = field->model->open;
    if (c->follows >> which & 1)
        for (int l = 0; l < open->level_count; l++)
            if (open->levels[l].contact == contact && open->levels[l].which == which)
                return expression(field, NULL, field->model->actions->level_output + l, factor, row);
    return c->level[which] ? ss_signal_value(c->level[which], 0.0) : c->levels[which];
}

void ss_steady_field_at(ss_steady_field* field, const double y[])
{
    const ss_model* model = field->model;
    field->bad = false;
    memset(field->force, 0, (size_t)field->rows * sizeof(double));
    memset(field->slopes, 0, (size_t)field->rows * (size_t)field->columns * sizeof(double));
    take_point(field, y);
    if (model->matrices.constant)
        memcpy(field->force, model->matrices.constant, (size_t)field->n * sizeof(double));
    for (int f = 0; f < model->force_count; f++)
        add_force(field, &model->forces[f].q, NULL, ss_signal_value(model->forces[f].signal, 0.0), 0.0, 0.0);
    add_connections(field);
    if (model->nature.is_matrices) {
        add_matrix(field, &model->matrices.stiffness, field->x, 0);
        add_matrix(field, &model->matrices.damping, field->v, field->bodies);
    }
    if (model->open) add_expressions(field);
    ss_steady_field_add_contacts(field);
    for (int k = 0; k < field->rows; k++) field->bad = field->bad || !isfinite(field->force[k]);
}

// ---- y' and its derivative

// out = M^-1 force, of numbers `stride` apart.
static void accelerate(const ss_model* model, const double force[], int stride, double out[], int out_stride)
{
    for (int i = 0; i < model->n; i++) {
        double sum = 0.0;
        if (model->matrices.mass_diagonal)
            sum = model->matrices.mass_inverse[i] * force[i * stride];
        else
            for (int j = 0; j < model->n; j++)
                sum += model->matrices.mass_inverse[i * model->n + j] * force[j * stride];
        out[i * out_stride] = sum;
    }
}

void ss_steady_field_push(const ss_steady_field* field, int contact, double factor, double column[])
{
    const ss_row* mobility = &field->model->contacts[contact].mobility;
    for (int k = 0; k < mobility->count; k++)
        column[field->n + mobility->index[k]] += factor * mobility->value[k];
}

// Derivatives of one row of slopes by (q, q', s, z): x = T q + .. for bodies that are not driven.
static void chain(const ss_steady_field* field, const double slopes[], double out[])
{
    int n = field->n, bodies = field->bodies, rest = field->states + field->bristles;
    memset(out, 0, (size_t)field->width * sizeof(double));
    for (int b = 0; b < bodies; b++) {
        const ss_body* body = &field->model->bodies[b];
        for (int k = 0; body->drive < 0 && k < body->row.count; k++) {
            out[body->row.index[k]] += slopes[b] * body->row.value[k];
            out[n + body->row.index[k]] += slopes[bodies + b] * body->row.value[k];
        }
    }
    memcpy(out + 2 * n, slopes + 2 * bodies, (size_t)rest * sizeof(double));
}

void ss_steady_field_rates(const ss_steady_field* field, double out[], double jacobian[])
{
    int n = field->n, w = field->width;
    for (int i = 0; i < n; i++) {
        int b = field->model->coordinate_body[i];
        out[i] = field->v[b];
    }
    accelerate(field->model, field->force, 1, out + n, 1);
    for (int i = 0; i < field->model->contact_count; i++)
        if (field->lambda[i] != 0.0) ss_steady_field_push(field, i, field->lambda[i], out);
    memcpy(out + 2 * n, field->rate, (size_t)(field->states + field->bristles) * sizeof(double));
    if (!jacobian) return;
    memset(jacobian, 0, (size_t)n * (size_t)w * sizeof(double));
    for (int i = 0; i < n; i++) jacobian[i * w + n + i] = 1.0;
    for (int r = 0; r < field->rows; r++)
        chain(field, field->slopes + (size_t)r * (size_t)field->columns,
              jacobian + (size_t)(n + r) * (size_t)w);
    double* column = field->column;
    for (int c = 0; c < w; c++) {
        accelerate(field->model, jacobian + (size_t)n * (size_t)w + c, w, column, 1);
        for (int i = 0; i < n; i++) jacobian[(n + i) * w + c] = column[i];
    }
}
