// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Which models have steady states, and the memory of their field: that of a run which is never started.
#include "core/error.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/loop.h"
#include "law/table.h"
#include "motion/steady_parts.h"

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
    ss_status status = ss_model_expect_no_forces(model, "a branch", err);
    if (status != SS_OK) return status;
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

static void count_bristles(ss_steady_field* field)
{
    const ss_model* model = field->model;
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        field->signs[i] = 1.0;
        field->modes[i] = ss_law_has(contact->law, SS_TRAIT_STOPS) ? SS_STEADY_OPEN : SS_STEADY_SLIP;
        bool has_state = ss_has_bristles(contact) && states_of(contact) > 0;
        field->bristle_at[i] = has_state ? field->bristles++ : -1;
    }
}

// The field's numbers are v', z', s', with one z per contact with bristles; those of y are q, q', s, z.
static void place_columns(ss_steady_field* field)
{
    struct ss_steady_parts* own = field->parts;
    int n = field->n, count = own->sim->step.laws.bristle_count;
    for (int c = 0; c < n; c++) own->columns[c] = c;
    for (int r = 0; r < n; r++) own->rows[r] = n + r;
    for (int j = 0; j < count; j++) {
        int at = field->bristle_at[own->sim->step.laws.bristles[j].contact];
        own->rows[n + j] = at < 0 ? -1 : 2 * n + field->states + at;
    }
    for (int j = 0; j < field->states; j++) own->rows[n + count + j] = 2 * n + j;
    memcpy(own->columns + n, own->rows, (size_t)(n + count + field->states) * sizeof(int));
}

static bool allocate_parts(ss_steady_field* field)
{
    const ss_model* model = field->model;
    struct ss_steady_parts* own = field->parts;
    ss_pool* pool = &field->pool;
    size_t m = (size_t)model->contact_count, d = sizeof(double);
    size_t rows = (size_t)ss_field_states(own->sim->field), columns = rows + (size_t)field->n;
    own->d = ss_pool_new(pool, 3 * (size_t)model->drive_count, d);
    own->level = ss_pool_new(pool, 4 * m, d);
    own->state = ss_pool_new(pool, 2 * (size_t)field->n, d);
    own->z = ss_pool_new(pool, (size_t)own->sim->step.laws.bristle_count, d);
    own->rows = ss_pool_new(pool, rows, sizeof(int));
    own->columns = ss_pool_new(pool, columns, sizeof(int));
    own->rates = ss_pool_new(pool, rows, d);
    own->jacobian = ss_pool_new(pool, rows * columns, d);
    own->lambda = ss_pool_new(pool, m, d);
    own->held = ss_pool_new(pool, m, d);
    size_t inputs = model->open ? (size_t)model->open->input_count : 0;
    own->zeros = ss_pool_new(pool, columns + (size_t)model->drive_count + inputs, d);
    own->way = ss_pool_new(pool, rows, d);
    own->slopes.cubic = ss_pool_new(pool, (size_t)model->connection_count, d);
    own->slopes.law = ss_pool_new(pool, m, sizeof(ss_response));
    own->slopes.z_at = own->sim->step.laws.bristle_at;
    if (!model->open) return !pool->failed;
    own->vars = ss_pool_new(pool, (size_t)model->open->variable_count, d);
    own->slopes.slope = ss_pool_new(pool, (size_t)model->actions->slopes.count, d);
    return !pool->failed;
}

// As it is given; nothing varies.
static double level_of(const ss_contact* contact, int which)
{
    if (contact->level[which]) return ss_signal_value(contact->level[which], 0.0);
    return which < 2 ? contact->levels[which] : contact->at_rest[which - 2];
}

// What stays as it is: offsets, forces, given levels, and how far from their stops bodies are where q is 0.
static void give_constants(ss_steady_field* field)
{
    const ss_model* model = field->model;
    struct ss_steady_parts* own = field->parts;
    ss_sim* sim = own->sim;
    for (int b = 0; b < field->bodies; b++)
        sim->bodies.offset[b] = model->bodies[b].drive < 0 ? field->offset[b] : 0.0;
    ss_open_restart(sim->model, &sim->step, &sim->open);
    ss_gather_constants(sim);
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        for (int k = 0; k < 4 && sim->inputs.level_at[i] >= 0; k++)
            own->level[4 * sim->inputs.level_at[i] + k] = level_of(contact, k);
        if (ss_law_has(contact->law, SS_TRAIT_GIVES_WAY))
            sim->modes.contacts[i].gap =
                -ss_stop_penetration(contact, ss_row_dot(&contact->bodies, sim->bodies.offset));
    }
    for (int b = 0; b < field->bodies; b++) {
        if (model->bodies[b].drive < 0) continue;
        own->d[model->bodies[b].drive] = field->offset[b];
        own->d[model->drive_count + model->bodies[b].drive] = field->drive_speed[b];
    }
    own->at = (ss_field_point){.q = own->state,
                               .v = own->state + field->n,
                               .z = own->z,
                               .s = field->s,
                               .given = {.d = own->d,
                                         .d1 = own->d + model->drive_count,
                                         .d2 = own->d + 2 * model->drive_count,
                                         .input = sim->open.value,
                                         .level = own->level}};
}

static bool allocate(ss_steady_field* field)
{
    size_t m = (size_t)field->model->contact_count, b = (size_t)field->bodies, d = sizeof(double);
    ss_pool* pool = &field->pool;
    field->parts = ss_pool_new(pool, 1, sizeof *field->parts);
    field->bristle_at = ss_pool_new(pool, m, sizeof(int));
    field->modes = ss_pool_new(pool, m, sizeof(ss_steady_mode));
    field->signs = ss_pool_new(pool, m, d);
    field->lambda = ss_pool_new(pool, m, d);
    double** arrays[] = {&field->offset, &field->drive_speed, &field->x, &field->v};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) *arrays[k] = ss_pool_new(pool, b, d);
    if (pool->failed) return false;
    count_bristles(field);
    field->width = 2 * field->n + field->states + field->bristles;
    field->s = ss_pool_new(pool, (size_t)field->states, d);
    field->z = ss_pool_new(pool, (size_t)field->bristles, d);
    return !pool->failed;
}

static ss_status make_parts(ss_steady_field* field, ss_error* err)
{
    ss_sim_def def = ss_sim_def_default();
    def.ledger = false;
    ss_status status = ss_sim_make(field->model, &def, &field->parts->sim, err);
    if (status != SS_OK) return status;
    if (!allocate_parts(field)) return ss_fail_no_memory(err);
    place_columns(field);
    give_constants(field);
    return SS_OK;
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
    if (status == SS_OK) status = make_parts(field, err);
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
    if (field->parts) ss_sim_destroy(field->parts->sim);
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
