// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the numbers of a compiled model change with one number of its file. A direction brings the model at
// other values of that number, and weights w_k with which sum_k w_k f(model_k) is the derivative of a smooth
// f: so every matrix, row and level is differentiated once, when the derivative is made.
#include "engine/sensitivity/sensitivity.h"

#include "core/hash.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Two lists of numbers of the same length, which may be no lists at all where that is 0.
static bool same_numbers(const double a[], const double b[], int count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof(double)) == 0;
}

// ---- sums over the models

// Sums of rows, in dense room: value and size of each column.
typedef struct columns {
    double *sum, *size;
    int width;
} columns;

static void add_row(columns* c, int count, const int index[], const double value[], double weight)
{
    for (int k = 0; k < count; k++) {
        c->sum[index[k]] += weight * value[k];
        c->size[index[k]] += fabs(weight * value[k]);
    }
}

// What is more than rounding, and clears the room.
static ss_row take_row(columns* c, ss_pool* pool)
{
    ss_row row = {0};
    for (int i = 0; i < c->width; i++) row.count += fabs(c->sum[i]) > 16.0 * DBL_EPSILON * c->size[i];
    row.index = ss_pool_new(pool, (size_t)row.count, sizeof(int));
    row.value = ss_pool_new(pool, (size_t)row.count, sizeof(double));
    int count = 0;
    for (int i = 0; i < c->width && row.index && row.value; i++) {
        if (!(fabs(c->sum[i]) > 16.0 * DBL_EPSILON * c->size[i])) continue;
        row.index[count] = i;
        row.value[count++] = c->sum[i];
    }
    memset(c->sum, 0, (size_t)c->width * sizeof(double));
    memset(c->size, 0, (size_t)c->width * sizeof(double));
    return row;
}

typedef const ss_row* row_of(const ss_model* model, int i);

static void sum_rows(ss_derivative* der, const ss_direction* from, columns* c, row_of* of, int count,
                     ss_row** out)
{
    *out = ss_pool_new(&der->pool, (size_t)count, sizeof(ss_row));
    for (int i = 0; i < count && *out; i++) {
        bool same = true;
        const ss_row* own = of(der->model, i);
        for (int k = 0; k < from->model_count; k++) {
            const ss_row* row = of(from->models[k], i);
            same = same && row->count == own->count && same_numbers(row->value, own->value, row->count);
        }
        for (int k = 0; k < from->model_count && !same; k++) {
            const ss_row* row = of(from->models[k], i);
            add_row(c, row->count, row->index, row->value, from->weights[k]);
        }
        if (!same) (*out)[i] = take_row(c, &der->pool);
    }
}

typedef ss_sparse sparse_of(const ss_model* model);

static ss_sparse sum_sparse(ss_derivative* der, const ss_direction* from, columns* c, sparse_of* of)
{
    ss_sparse own = of(der->model), out = {0};
    bool same = true;
    for (int k = 0; k < from->model_count && own.start; k++) {
        ss_sparse other = of(from->models[k]);
        int size = own.start[own.rows];
        same = same && other.start[other.rows] == size && same_numbers(other.value, own.value, size);
    }
    if (same || !own.start) return out;
    ss_row* rows = ss_pool_new(&der->pool, (size_t)own.rows, sizeof(ss_row));
    out.rows = own.rows;
    out.start = ss_pool_new(&der->pool, (size_t)own.rows + 1, sizeof(int));
    if (!rows || !out.start) return (ss_sparse){0};
    for (int i = 0; i < own.rows; i++) {
        for (int k = 0; k < from->model_count; k++) {
            ss_sparse other = of(from->models[k]);
            int first = other.start[i];
            add_row(c, other.start[i + 1] - first, other.index + first, other.value + first,
                    from->weights[k]);
        }
        rows[i] = take_row(c, &der->pool);
        out.start[i + 1] = out.start[i] + rows[i].count;
    }
    out.index = ss_pool_new(&der->pool, (size_t)out.start[own.rows], sizeof(int));
    out.value = ss_pool_new(&der->pool, (size_t)out.start[own.rows], sizeof(double));
    for (int i = 0; i < own.rows && !der->pool.failed; i++) {
        if (rows[i].count == 0) continue;
        memcpy(out.index + out.start[i], rows[i].index, (size_t)rows[i].count * sizeof(int));
        memcpy(out.value + out.start[i], rows[i].value, (size_t)rows[i].count * sizeof(double));
    }
    return der->pool.failed ? (ss_sparse){0} : out;
}

static ss_sparse stiffness_of(const ss_model* m)
{
    return (ss_sparse){m->n, m->matrices.flow.start, m->matrices.flow.index, m->matrices.flow.stiffness};
}
static ss_sparse damping_of(const ss_model* m)
{
    return (ss_sparse){m->n, m->matrices.flow.start, m->matrices.flow.index, m->matrices.flow.damping};
}
static ss_sparse drive_stiffness_of(const ss_model* m) { return m->matrices.drive_stiffness; }
static ss_sparse drive_damping_of(const ss_model* m) { return m->matrices.drive_damping; }
static const ss_row* force_row(const ss_model* m, int i) { return &m->forces[i].mobility; }
static const ss_row* mobility_row(const ss_model* m, int i) { return &m->contacts[i].mobility; }
static const ss_row* q_row(const ss_model* m, int i) { return &m->contacts[i].q; }
static const ss_row* d_row(const ss_model* m, int i) { return &m->contacts[i].d; }
static const ss_row* tie_row(const ss_model* m, int i) { return &m->bodies[i].row; }
static const ss_row* pull_row(const ss_model* m, int i) { return &m->actions->pulls[i].mobility; }

static const ss_row* affine_row(const ss_model* m, int slot)
{
    static const ss_row none = {0};
    const ss_affine* affine = ss_affine_of(m->actions, slot);
    return affine ? &affine->row : &none;
}

// ---- contacts

// Laws that point to numbers of their own cannot be compared byte by byte.
static bool has_inner_pointers(const ss_contact* contact)
{
    return ss_contact_is(contact, SS_TRAIT_CURVED) || contact->elements > 0;
}

static double position_of(const ss_contact* contact)
{
    return ss_contact_is(contact, SS_TRAIT_STOPS) ? contact->stop.position : 0.0;
}

// Of a law whose struct begins as ss_gms does: the shares of its elements.
static void sum_shares(ss_derivative* der, ss_model_change* change, int i, ss_gms* out)
{
    int count = der->model->contacts[i].elements;
    double *share = ss_pool_new(&der->pool, (size_t)count, sizeof(double)), value[SS_DIRECTION_MODELS];
    for (int e = 0; share && e < count; e++) {
        for (int k = 0; k < change->from->model_count; k++)
            value[k] = ((const ss_gms*)ss_law_of(&change->from->models[k]->contacts[i]))->share[e];
        share[e] = ss_direction_sum(change->from, value);
    }
    out->share = share;
}

// What an element adds to the force, and how it is stretched by the speed: constants of its law.
static void sum_elements(ss_derivative* der, ss_model_change* change, int i)
{
    const ss_contact* own = &der->model->contacts[i];
    ss_law_point point = {.v = 1.0, .sign = 1.0};
    for (int e = 0; e < own->elements; e++) {
        double pull[SS_DIRECTION_MODELS], stretch[SS_DIRECTION_MODELS];
        for (int k = 0; k < change->from->model_count; k++) {
            ss_element_response element;
            own->law_entry->elements.at(ss_law_of(&change->from->models[k]->contacts[i]), &point, e, false,
                                        &element);
            pull[k] = element.pull;
            stretch[k] = element.rate_v;
        }
        change->element.pull[der->z_at[i] + e] = ss_direction_sum(change->from, pull);
        change->element.stretch[der->z_at[i] + e] = ss_direction_sum(change->from, stretch);
    }
}

// The numbers of a law that is a copy of its definition, key by key.
static void sum_law_numbers(ss_derivative* der, ss_model_change* change, int i)
{
    const ss_contact* own = &der->model->contacts[i];
    char* out = change->numbers[i] = ss_pool_new(&der->pool, 1, own->law_entry->size);
    double value[SS_DIRECTION_MODELS];
    if (out && own->law_entry->keys.list->form == SS_KEY_SHARES) sum_shares(der, change, i, (void*)out);
    for (const ss_key* key = own->law_entry->keys.list; out && key->name; key++) {
        bool finite = true;
        if (key->form == SS_KEY_SHARES) continue;
        for (int k = 0; k < change->from->model_count; k++) {
            const char* law = ss_law_of(&change->from->models[k]->contacts[i]);
            memcpy(&value[k], law + key->place, sizeof(double));
            finite = finite && isfinite(value[k]); // a speed that no level needs may be missing
        }
        double sum = finite ? ss_direction_sum(change->from, value) : 0.0;
        memcpy(out + key->place, &sum, sizeof(double));
    }
}

static void sum_contact(ss_derivative* der, ss_model_change* change, int i)
{
    const ss_direction* from = change->from;
    const ss_contact* own = &der->model->contacts[i];
    double numbers[SS_LEVELS + 2][SS_DIRECTION_MODELS];
    for (int k = 0; k < from->model_count; k++) {
        const ss_contact* other = &from->models[k]->contacts[i];
        bool same = memcmp(ss_law_of(own), ss_law_of(other), own->law_entry->size) == 0;
        if (!same || has_inner_pointers(own)) change->law[i] = true;
        for (int j = 0; j < SS_LEVELS; j++)
            numbers[j][k] = isfinite(other->levels[j]) ? other->levels[j] : 0.0;
        numbers[SS_LEVELS][k] = position_of(other);
        numbers[SS_LEVELS + 1][k] =
            ss_contact_is(own, SS_TRAIT_RIGID) ? other->rigid_stop.restitution : other->restitution;
        for (int j = 0; j < 4; j++)
            if (ss_signal_hash(0, own->level[j]) != ss_signal_hash(0, other->level[j]) ||
                (j < 2 && own->varies && own->at_rest[j] != other->at_rest[j]) ||
                (own->varies && !own->level[j] && own->levels[j] != other->levels[j]))
                change->signals.level[i] = change->given = true;
    }
    for (int j = 0; j < SS_LEVELS; j++) change->levels[i][j] = ss_direction_sum(from, numbers[j]);
    bool knows = own->law_entry->point.by_numbers || own->law_entry->elements.by_numbers;
    if (change->law[i] && knows) {
        if (own->law_entry->keys.list->form == SS_KEY_CURVE)
            ss_change_make_curve(der, change, i);
        else
            sum_law_numbers(der, change, i);
    }
    if (change->law[i] && own->elements > 0) sum_elements(der, change, i);
    change->place[i] = ss_direction_sum(from, numbers[SS_LEVELS]);
    change->bounce[i] = ss_direction_sum(from, numbers[SS_LEVELS + 1]);
    ss_change_make_forms(der, change, i);
}

// Laws that need room to be asked at a point.
static void make_along(ss_derivative* der, ss_model_change* change, int i)
{
    const ss_direction* from = change->from;
    const ss_contact* own = &der->model->contacts[i];
    if (!own->law_entry->memory.at_points) return;
    change->along[i] = ss_pool_new(&der->pool, (size_t)from->model_count, sizeof(ss_along));
    for (int k = 0; k < from->model_count && change->along[i]; k++)
        own->law_entry->memory.prepare(own->law_entry, ss_law_of(&from->models[k]->contacts[i]),
                                       &change->along[i][k], &der->pool);
}

// ---- the whole

static void compare_signals(ss_derivative* der, ss_model_change* change)
{
    const ss_model* own = der->model;
    for (int k = 0; k < change->from->model_count; k++) {
        const ss_model* other = change->from->models[k];
        for (int f = 0; f < own->force_count; f++)
            if (ss_signal_hash(0, own->forces[f].signal) != ss_signal_hash(0, other->forces[f].signal))
                change->signals.force[f] = change->given = true;
        for (int j = 0; j < der->nd; j++)
            if (ss_signal_hash(0, own->drives[j].signal) != ss_signal_hash(0, other->drives[j].signal))
                change->signals.drive[j] = change->given = true;
        for (int j = 0; j < der->nu; j++)
            if (ss_signal_hash(0, own->open->inputs[j].signal) !=
                ss_signal_hash(0, other->open->inputs[j].signal))
                change->signals.input[j] = change->given = true;
        for (int j = 0; j < der->slots; j++) {
            const ss_affine *a = ss_affine_of(own->actions, j), *b = ss_affine_of(other->actions, j);
            if (ss_signal_hash(0, a ? a->rest : NULL) != ss_signal_hash(0, b ? b->rest : NULL))
                change->signals.rest[j] = change->given = true;
        }
        for (int c = 0; c < own->connection_count; c++) {
            const ss_connection *a = &own->connections[c], *b = &other->connections[c];
            bool same = a->cubic == b->cubic && a->length == b->length && a->q.count == b->q.count &&
                        a->mobility.count == b->mobility.count &&
                        same_numbers(a->q.value, b->q.value, a->q.count) &&
                        same_numbers(a->mobility.value, b->mobility.value, a->mobility.count);
            if (!same && (a->cubic != 0.0 || b->cubic != 0.0)) change->cubic = true;
        }
    }
}

static void make_programs(ss_derivative* der, ss_model_change* change)
{
    const ss_open* open = der->model->open;
    if (!open) return;
    int models = change->from->model_count, blocks = open->block_count;
    size_t kinks = (size_t)ss_graph_kink_count(open->graph);
    change->motion = ss_pool_new(&der->pool, (size_t)models, sizeof(ss_run));
    change->shown = ss_pool_new(&der->pool, (size_t)models, sizeof(ss_run));
    change->ticks = ss_pool_new(&der->pool, (size_t)(models * blocks), sizeof(ss_run));
    for (int k = 0; k < models && !der->pool.failed; k++) {
        const ss_model* other = change->from->models[k];
        size_t own = (size_t)ss_graph_kink_count(other->open->graph);
        double* pieces = ss_pool_new(&der->pool, own > kinks ? own : kinks, sizeof(double));
        if (!pieces) return;
        if (!ss_run_make(&change->motion[k], &der->pool, &other->actions->motion, 1, pieces) ||
            !ss_run_make(&change->shown[k], &der->pool, &other->actions->shown, 1, pieces))
            der->pool.failed = true;
        for (int b = 0; b < blocks && !der->pool.failed; b++)
            if (!ss_run_make(&change->ticks[k * blocks + b], &der->pool, &other->open->blocks[b].program, 1,
                             pieces))
                der->pool.failed = true;
    }
    change->programs = true;
}

static bool make_arrays(ss_derivative* der, ss_model_change* change)
{
    ss_pool* pool = &der->pool;
    size_t m = (size_t)der->m;
    change->law = ss_pool_new(pool, m, sizeof(bool));
    change->levels = ss_pool_new(pool, m, sizeof *change->levels);
    change->place = ss_pool_new(pool, m, sizeof(double));
    change->bounce = ss_pool_new(pool, m, sizeof(double));
    change->form = ss_pool_new(pool, m, sizeof(ss_stop_form*));
    change->signals.level = ss_pool_new(pool, m, sizeof(bool));
    change->along = ss_pool_new(pool, m, sizeof(ss_along*));
    change->element.pull = ss_pool_new(pool, (size_t)der->nz, sizeof(double));
    change->element.stretch = ss_pool_new(pool, (size_t)der->nz, sizeof(double));
    change->numbers = ss_pool_new(pool, m, sizeof(void*));
    change->signals.force = ss_pool_new(pool, (size_t)der->model->force_count, sizeof(bool));
    change->signals.drive = ss_pool_new(pool, (size_t)der->nd, sizeof(bool));
    change->signals.input = ss_pool_new(pool, (size_t)der->nu, sizeof(bool));
    change->signals.rest = ss_pool_new(pool, (size_t)der->slots, sizeof(bool));
    change->constant = ss_pool_new(pool, (size_t)der->n, sizeof(double));
    return !pool->failed;
}

bool ss_change_goes_beyond_laws(const ss_derivative* der, const ss_model_change* change, bool forms)
{
    bool beyond = change->given || change->cubic || change->stiffness.start || change->damping.start ||
                  change->drive_stiffness.start || change->drive_damping.start || der->model->open;
    for (int f = 0; f < der->model->force_count; f++) beyond = beyond || change->force[f].count > 0;
    for (int i = 0; i < der->m; i++) {
        bool rows = change->mobility[i].count > 0 || change->q[i].count > 0 || change->d[i].count > 0;
        bool asks = change->law[i] && der->model->contacts[i].law_entry->point.at && !change->numbers[i] &&
                    der->model->contacts[i].elements == 0 && !(forms && change->form[i]);
        beyond = beyond || rows || asks || change->place[i] != 0.0 || der->model->contacts[i].loaded;
    }
    return beyond;
}

static bool are_same(const double a[], const double b[], int count)
{
    return a == b || (a && b && memcmp(a, b, (size_t)count * sizeof(double)) == 0);
}

static bool is_same_row(const ss_row* a, const ss_row* b)
{
    return a->count == b->count && memcmp(a->index, b->index, (size_t)a->count * sizeof(int)) == 0 &&
           are_same(a->value, b->value, a->count);
}

// Whether constant accelerations may change: by springs, by masses, by the constant force of matrices.
static bool has_springs(const ss_model* own, const ss_direction* from)
{
    int n = own->n, masses = own->matrices.mass_diagonal ? n : n * n;
    for (int k = 0; k < from->model_count; k++) {
        const ss_model* other = from->models[k];
        if (own->matrices.mass_diagonal != other->matrices.mass_diagonal ||
            !are_same(own->matrices.mass_inverse, other->matrices.mass_inverse, masses) ||
            !are_same(own->matrices.constant, other->matrices.constant, n))
            return true;
        for (int c = 0; c < own->connection_count; c++) {
            const ss_connection *a = &own->connections[c], *b = &other->connections[c];
            if (a->stiffness != b->stiffness || a->length != b->length || !is_same_row(&a->q, &b->q) ||
                !is_same_row(&a->bodies, &b->bodies))
                return true;
        }
    }
    return false;
}

ss_model_change* ss_change_make(ss_derivative* der, const ss_direction* from)
{
    const ss_model* model = der->model;
    ss_model_change* change = ss_pool_new(&der->pool, 1, sizeof *change);
    if (!change) return NULL;
    change->from = from;
    int width = der->n + der->nd + model->body_count + (model->open ? model->open->variable_count : 0);
    columns c = {ss_pool_new(&der->pool, (size_t)width, sizeof(double)),
                 ss_pool_new(&der->pool, (size_t)width, sizeof(double)), width};
    if (!c.sum || !c.size || !make_arrays(der, change)) return NULL;
    change->stiffness = sum_sparse(der, from, &c, stiffness_of);
    change->damping = sum_sparse(der, from, &c, damping_of);
    change->drive_stiffness = sum_sparse(der, from, &c, drive_stiffness_of);
    change->drive_damping = sum_sparse(der, from, &c, drive_damping_of);
    sum_rows(der, from, &c, force_row, model->force_count, &change->force);
    sum_rows(der, from, &c, mobility_row, der->m, &change->mobility);
    sum_rows(der, from, &c, q_row, der->m, &change->q);
    sum_rows(der, from, &c, d_row, der->m, &change->d);
    sum_rows(der, from, &c, tie_row, model->body_count, &change->tie);
    if (model->open) {
        sum_rows(der, from, &c, pull_row, model->actions->pull_count, &change->pull);
        sum_rows(der, from, &c, affine_row, der->slots, &change->affine);
    }
    for (int i = 0; i < der->m; i++) {
        sum_contact(der, change, i);
        make_along(der, change, i);
    }
    compare_signals(der, change);
    change->springs = has_springs(model, from);
    change->beyond_laws = ss_change_goes_beyond_laws(der, change, false);
    make_programs(der, change);
    return der->pool.failed ? NULL : change;
}
