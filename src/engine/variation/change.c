// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the numbers of a compiled model change with one number of its file. A direction brings the model at
// other values of that number, and weights w_k with which sum_k w_k f(model_k) is the derivative of a smooth
// f: so every matrix, row and level is differentiated once, when the derivative is made.
#include "engine/variation/variation.h"

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

static void sum_rows(ss_variation* var, const ss_direction* from, columns* c, row_of* of, int count,
                     ss_row** out)
{
    *out = ss_pool_new(&var->pool, (size_t)count, sizeof(ss_row));
    for (int i = 0; i < count && *out; i++) {
        bool same = true;
        const ss_row* own = of(var->model, i);
        for (int k = 0; k < from->model_count; k++) {
            const ss_row* row = of(from->models[k], i);
            same = same && row->count == own->count && same_numbers(row->value, own->value, row->count);
        }
        for (int k = 0; k < from->model_count && !same; k++) {
            const ss_row* row = of(from->models[k], i);
            add_row(c, row->count, row->index, row->value, from->weights[k]);
        }
        if (!same) (*out)[i] = take_row(c, &var->pool);
    }
}

typedef ss_sparse sparse_of(const ss_model* model);

static ss_sparse sum_sparse(ss_variation* var, const ss_direction* from, columns* c, sparse_of* of)
{
    ss_sparse own = of(var->model), out = {0};
    bool same = true;
    for (int k = 0; k < from->model_count && own.start; k++) {
        ss_sparse other = of(from->models[k]);
        int size = own.start[own.rows];
        same = same && other.start[other.rows] == size && same_numbers(other.value, own.value, size);
    }
    if (same || !own.start) return out;
    ss_row* rows = ss_pool_new(&var->pool, (size_t)own.rows, sizeof(ss_row));
    out.rows = own.rows;
    out.start = ss_pool_new(&var->pool, (size_t)own.rows + 1, sizeof(int));
    if (!rows || !out.start) return (ss_sparse){0};
    for (int i = 0; i < own.rows; i++) {
        for (int k = 0; k < from->model_count; k++) {
            ss_sparse other = of(from->models[k]);
            int first = other.start[i];
            add_row(c, other.start[i + 1] - first, other.index + first, other.value + first,
                    from->weights[k]);
        }
        rows[i] = take_row(c, &var->pool);
        out.start[i + 1] = out.start[i] + rows[i].count;
    }
    out.index = ss_pool_new(&var->pool, (size_t)out.start[own.rows], sizeof(int));
    out.value = ss_pool_new(&var->pool, (size_t)out.start[own.rows], sizeof(double));
    for (int i = 0; i < own.rows && !var->pool.failed; i++) {
        if (rows[i].count == 0) continue;
        memcpy(out.index + out.start[i], rows[i].index, (size_t)rows[i].count * sizeof(int));
        memcpy(out.value + out.start[i], rows[i].value, (size_t)rows[i].count * sizeof(double));
    }
    return var->pool.failed ? (ss_sparse){0} : out;
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

static const ss_affine* affine_of(const ss_model* m, int slot)
{
    int pulls = m->actions->pull_count;
    return slot < pulls ? m->actions->pulls[slot].affine : m->actions->rates[slot - pulls].affine;
}

static const ss_row* affine_row(const ss_model* m, int slot)
{
    static const ss_row none = {0};
    const ss_affine* affine = affine_of(m, slot);
    return affine ? &affine->row : &none;
}

// Whether values at -3 h .. 3 h lie on a straight line, as far as their digits tell; then its slope, from the
// ends: that loses fewer digits than the weights, which stand in place of h here (the last is 1/(60 h)).
static bool straight(const ss_direction* from, const double value[], double* slope)
{
    enum { ENDS = 6 };
    if (from->model_count != ENDS) return false;
    double by_h = 60.0 * from->weights[ENDS - 1], size = 0.0;
    for (int k = 0; k < ENDS; k++) size = fmax(size, fabs(value[k]));
    double inner = 0.5 * (value[3] - value[2]), middle = 0.25 * (value[4] - value[1]);
    double outer = (value[5] - value[0]) / 6.0, noise = 2.0 * DBL_EPSILON * size;
    *slope = outer * by_h;
    return fabs(inner - outer) <= noise && fabs(middle - outer) <= noise;
}

static double sum_numbers(const ss_direction* from, const double value[])
{
    double sum = 0.0, size = 0.0, slope;
    if (straight(from, value, &slope)) return slope;
    for (int k = 0; k < from->model_count; k++) {
        sum += from->weights[k] * value[k];
        size += fabs(from->weights[k] * value[k]);
    }
    return fabs(sum) > 16.0 * DBL_EPSILON * size ? sum : 0.0;
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

static void sum_contact(ss_variation* var, ss_change* change, int i)
{
    const ss_direction* from = change->from;
    const ss_contact* own = &var->model->contacts[i];
    double numbers[SS_LEVELS + 2][SS_DIRECTION_MODELS];
    for (int k = 0; k < from->model_count; k++) {
        const ss_contact* other = &from->models[k]->contacts[i];
        bool same = memcmp(ss_law_of(own), ss_law_of(other), own->law_row->size) == 0;
        if (!same || has_inner_pointers(own)) change->law[i] = true;
        for (int j = 0; j < SS_LEVELS; j++)
            numbers[j][k] = isfinite(other->levels[j]) ? other->levels[j] : 0.0;
        numbers[SS_LEVELS][k] = position_of(other);
        numbers[SS_LEVELS + 1][k] = ss_contact_is(own, SS_TRAIT_RIGID) ? other->rigid_stop.restitution : 0.0;
        for (int j = 0; j < 4; j++)
            if (ss_signal_hash(0, own->level[j]) != ss_signal_hash(0, other->level[j]) ||
                (j < 2 && own->varies && own->at_rest[j] != other->at_rest[j]) ||
                (own->varies && !own->level[j] && own->levels[j] != other->levels[j]))
                change->signals.level[i] = change->given = true;
    }
    for (int j = 0; j < SS_LEVELS; j++) change->levels[i][j] = sum_numbers(from, numbers[j]);
    change->place[i] = sum_numbers(from, numbers[SS_LEVELS]);
    change->bounce[i] = sum_numbers(from, numbers[SS_LEVELS + 1]);
}

// Laws that need room to be asked at a point.
static void make_along(ss_variation* var, ss_change* change, int i)
{
    const ss_direction* from = change->from;
    const ss_contact* own = &var->model->contacts[i];
    if (!own->law_row->memory.prepare) return;
    change->along[i] = ss_pool_new(&var->pool, (size_t)from->model_count, sizeof(ss_along));
    for (int k = 0; k < from->model_count && change->along[i]; k++)
        own->law_row->memory.prepare(ss_law_of(&from->models[k]->contacts[i]), &change->along[i][k],
                                     &var->pool);
}

// ---- the whole

static void compare_signals(ss_variation* var, ss_change* change)
{
    const ss_model* own = var->model;
    for (int k = 0; k < change->from->model_count; k++) {
        const ss_model* other = change->from->models[k];
        for (int f = 0; f < own->force_count; f++)
            if (ss_signal_hash(0, own->forces[f].signal) != ss_signal_hash(0, other->forces[f].signal))
                change->signals.force[f] = change->given = true;
        for (int j = 0; j < var->nd; j++)
            if (ss_signal_hash(0, own->drives[j].signal) != ss_signal_hash(0, other->drives[j].signal))
                change->signals.drive[j] = change->given = true;
        for (int j = 0; j < var->nu; j++)
            if (ss_signal_hash(0, own->open->inputs[j].signal) !=
                ss_signal_hash(0, other->open->inputs[j].signal))
                change->signals.input[j] = change->given = true;
        for (int j = 0; j < var->slots; j++) {
            const ss_affine *a = affine_of(own, j), *b = affine_of(other, j);
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

static void make_programs(ss_variation* var, ss_change* change)
{
    const ss_open* open = var->model->open;
    if (!open) return;
    int models = change->from->model_count, blocks = open->block_count;
    size_t kinks = (size_t)ss_graph_kink_count(open->graph);
    change->motion = ss_pool_new(&var->pool, (size_t)models, sizeof(ss_run));
    change->shown = ss_pool_new(&var->pool, (size_t)models, sizeof(ss_run));
    change->ticks = ss_pool_new(&var->pool, (size_t)(models * blocks), sizeof(ss_run));
    for (int k = 0; k < models && !var->pool.failed; k++) {
        const ss_model* other = change->from->models[k];
        size_t own = (size_t)ss_graph_kink_count(other->open->graph);
        double* pieces = ss_pool_new(&var->pool, own > kinks ? own : kinks, sizeof(double));
        if (!pieces) return;
        if (!ss_run_make(&change->motion[k], &var->pool, &other->actions->motion, 1, pieces) ||
            !ss_run_make(&change->shown[k], &var->pool, &other->actions->shown, 1, pieces))
            var->pool.failed = true;
        for (int b = 0; b < blocks && !var->pool.failed; b++)
            if (!ss_run_make(&change->ticks[k * blocks + b], &var->pool, &other->open->blocks[b].program, 1,
                             pieces))
                var->pool.failed = true;
    }
    change->programs = true;
}

static bool make_arrays(ss_variation* var, ss_change* change)
{
    ss_pool* pool = &var->pool;
    size_t m = (size_t)var->m;
    change->law = ss_pool_new(pool, m, sizeof(bool));
    change->levels = ss_pool_new(pool, m, sizeof *change->levels);
    change->place = ss_pool_new(pool, m, sizeof(double));
    change->bounce = ss_pool_new(pool, m, sizeof(double));
    change->signals.level = ss_pool_new(pool, m, sizeof(bool));
    change->along = ss_pool_new(pool, m, sizeof(ss_along*));
    change->signals.force = ss_pool_new(pool, (size_t)var->model->force_count, sizeof(bool));
    change->signals.drive = ss_pool_new(pool, (size_t)var->nd, sizeof(bool));
    change->signals.input = ss_pool_new(pool, (size_t)var->nu, sizeof(bool));
    change->signals.rest = ss_pool_new(pool, (size_t)var->slots, sizeof(bool));
    change->constant = ss_pool_new(pool, (size_t)var->n, sizeof(double));
    return !pool->failed;
}

ss_change* ss_change_make(ss_variation* var, const ss_direction* from)
{
    const ss_model* model = var->model;
    ss_change* change = ss_pool_new(&var->pool, 1, sizeof *change);
    if (!change) return NULL;
    change->from = from;
    int width = var->n + var->nd + model->body_count + (model->open ? model->open->variable_count : 0);
    columns c = {ss_pool_new(&var->pool, (size_t)width, sizeof(double)),
                 ss_pool_new(&var->pool, (size_t)width, sizeof(double)), width};
    if (!c.sum || !c.size || !make_arrays(var, change)) return NULL;
    change->stiffness = sum_sparse(var, from, &c, stiffness_of);
    change->damping = sum_sparse(var, from, &c, damping_of);
    change->drive_stiffness = sum_sparse(var, from, &c, drive_stiffness_of);
    change->drive_damping = sum_sparse(var, from, &c, drive_damping_of);
    sum_rows(var, from, &c, force_row, model->force_count, &change->force);
    sum_rows(var, from, &c, mobility_row, var->m, &change->mobility);
    sum_rows(var, from, &c, q_row, var->m, &change->q);
    sum_rows(var, from, &c, d_row, var->m, &change->d);
    sum_rows(var, from, &c, tie_row, model->body_count, &change->tie);
    if (model->open) {
        sum_rows(var, from, &c, pull_row, model->actions->pull_count, &change->pull);
        sum_rows(var, from, &c, affine_row, var->slots, &change->affine);
    }
    for (int i = 0; i < var->m; i++) {
        sum_contact(var, change, i);
        make_along(var, change, i);
    }
    compare_signals(var, change);
    make_programs(var, change);
    return var->pool.failed ? NULL : change;
}

// ---- where a motion begins

// Acceleration by spring lengths, offsets and the constant force of the matrices form, in another model.
static void constant_acceleration(const ss_model* model, const double offset[], double force[], double out[])
{
    int n = model->n;
    for (int i = 0; i < n; i++) force[i] = model->matrices.constant ? model->matrices.constant[i] : 0.0;
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        double pull = spring->stiffness * (ss_row_dot(&spring->bodies, offset) - spring->length);
        for (int k = 0; k < spring->q.count; k++) force[spring->q.index[k]] -= spring->q.value[k] * pull;
    }
    for (int i = 0; i < n; i++) {
        out[i] = model->matrices.mass_diagonal ? model->matrices.mass_inverse[i] * force[i] : 0.0;
        for (int j = 0; j < n && !model->matrices.mass_diagonal; j++)
            out[i] += model->matrices.mass_inverse[i * n + j] * force[j];
    }
}

static bool starts_as_given(const ss_variation* var, int b)
{
    return var->sim->bodies.start_x[b] == var->model->bodies[b].start_x;
}

// How the start changes: places and speeds, offsets of tied bodies, driven places, states and memory.
static void change_start(ss_variation* var, ss_heading* to)
{
    const ss_model* model = var->model;
    const ss_direction* from = to->def;
    for (int k = 0; k < from->model_count; k++) {
        const ss_model* other = from->models[k];
        double w = from->weights[k];
        for (int b = 0; b < model->body_count; b++) {
            const ss_body *own = &model->bodies[b], *body = &other->bodies[b];
            if (!starts_as_given(var, b)) continue;
            double dx = w * (body->start_x - own->start_x), dv = w * (body->start_v - own->start_v);
            if (own->coordinate >= 0) to->q[own->coordinate] += dx;
            if (own->coordinate >= 0) to->v[own->coordinate] += dv;
            if (own->drive >= 0) to->d[own->drive] += dx;
            if (own->coordinate < 0 && own->drive < 0) to->offset[b] += dx;
        }
        for (int j = 0; j < var->ns; j++)
            to->s[j] += w * (other->open->states[j].start - model->open->states[j].start);
        for (int j = 0; j < var->nm; j++)
            to->m[j] += w * (other->open->memory[j].value - model->open->memory[j].value);
    }
}

// How the deflection that bristles start with changes: with the law, and with the speed where it is that of
// steady sliding.
static void change_bristle(ss_variation* var, ss_heading* to, int i)
{
    const ss_contact* own = &var->model->contacts[i];
    const ss_direction* from = to->def;
    double v = 0.0, dv = ss_row_dot(&own->q, to->v);
    for (int k = 0; k < own->bodies.count; k++)
        v += own->bodies.value[k] * var->sim->bodies.start_v[own->bodies.index[k]];
    for (int k = 0; k < from->model_count; k++) {
        const ss_contact* other = &from->models[k]->contacts[i];
        double z = isnan(other->start.z) ? 0.0 : other->start.z;
        if (!isnan(other->start.saturation) && other->start.saturation != 0.0)
            z = other->start.saturation * other->law_row->point.steady(ss_law_of(other), v);
        to->z[var->z_at[i]] += from->weights[k] * z;
    }
    double share = isnan(own->start.saturation) ? 0.0 : own->start.saturation, h = 1e-4 * fmax(fabs(v), 1e-6);
    if (share != 0.0 && dv != 0.0)
        to->z[var->z_at[i]] += share * dv *
                               (own->law_row->point.steady(ss_law_of(own), v + h) -
                                own->law_row->point.steady(ss_law_of(own), v - h)) /
                               (2.0 * h);
}

// The same for elements: given one by one, or as a share of what each can take.
static void change_elements_start(ss_variation* var, ss_heading* to, int i)
{
    const ss_contact* own = &var->model->contacts[i];
    const ss_direction* from = to->def;
    ss_law_point point = {.sign = 1.0};
    double dv = ss_row_dot(&own->q, to->v),
           share = isnan(own->start.saturation) ? 0.0 : own->start.saturation;
    for (int k = 0; k < own->bodies.count; k++)
        point.v += own->bodies.value[k] * var->sim->bodies.start_v[own->bodies.index[k]];
    if (point.v < 0.0) point.sign = -1.0;
    for (int e = 0; e < own->elements; e++) {
        double* out = &to->z[var->z_at[i] + e];
        ss_element_response now;
        own->law_row->elements.at(ss_law_of(own), &point, e, false, &now);
        if (!own->start.elements) *out += share * now.room_v * dv;
        for (int k = 0; k < from->model_count; k++) {
            const ss_contact* other = &from->models[k]->contacts[i];
            double sat = isnan(other->start.saturation) ? 0.0 : other->start.saturation;
            other->law_row->elements.at(ss_law_of(other), &point, e, false, &now);
            *out += from->weights[k] * (other->start.elements ? other->start.elements[e] : sat * now.room);
        }
    }
}

void ss_change_begin(ss_variation* var, ss_heading* to)
{
    const ss_model* model = var->model;
    const ss_change* change = to->change;
    const double* q = var->sim->step.q;
    if (change) change_start(var, to);
    for (int i = 0; i < var->m; i++)
        if (var->z_at[i] >= 0 && !to->def->bristles)
            (model->contacts[i].elements > 0 ? change_elements_start : change_bristle)(var, to, i);
    for (int b = 0; b < model->body_count; b++) { // offset = x - T q
        const ss_body* body = &model->bodies[b];
        if (body->drive >= 0 || body->coordinate >= 0) continue;
        to->offset[b] -= ss_row_dot(&body->row, to->q);
        if (change) to->offset[b] -= ss_row_dot(&change->tie[b], q);
    }
    if (!change) return;
    double *force = var->room.work, *own = force + var->n, *other = own + var->n;
    memset(change->constant, 0, (size_t)var->n * sizeof(double));
    constant_acceleration(model, var->sim->bodies.offset, force, own);
    for (int k = 0; k < change->from->model_count; k++) {
        constant_acceleration(change->from->models[k], var->sim->bodies.offset, force, other);
        for (int i = 0; i < var->n; i++)
            change->constant[i] += change->from->weights[k] * (other[i] - own[i]);
    }
}

// ---- along the motion

static void add_sparse(const ss_sparse* a, const double x[], double factor, double out[])
{
    if (!a->start) return;
    for (int i = 0; i < a->rows; i++)
        for (int l = a->start[i]; l < a->start[i + 1]; l++) out[i] += factor * a->value[l] * x[a->index[l]];
}

static void add_scaled(const ss_row* row, double factor, double out[])
{
    for (int k = 0; k < row->count; k++) out[row->index[k]] += factor * row->value[k];
}

static void add_cubic(ss_variation* var, const ss_change* change, const ss_values* at, double a[])
{
    for (int k = 0; k < change->from->model_count; k++) {
        const ss_model* other = change->from->models[k];
        for (int c = 0; c < other->connection_count; c++) {
            const ss_connection* spring = &other->connections[c];
            if (spring->cubic == 0.0) continue;
            double e = ss_row_dot(&spring->q, at->q) + ss_row_dot(&spring->d, at->d) +
                       ss_row_dot(&spring->bodies, var->sim->bodies.offset) - spring->length;
            add_scaled(&spring->mobility, -change->from->weights[k] * spring->cubic * e * e * e, a);
        }
    }
}

double ss_change_law(const ss_variation* var, const ss_heading* to, const ss_linear* lin, int i, double* rate)
{
    const ss_change* change = to->change;
    const ss_sim* sim = var->sim;
    const ss_contact* own = &var->model->contacts[i];
    double force = 0.0, size = 0.0, rate_size = 0.0;
    *rate = 0.0;
    if (!change->law[i] || !own->law_row->point.at || own->elements > 0) return 0.0;
    ss_law_point point = {.v = ss_row_dot(&own->q, lin->at.v) + ss_row_dot(&own->d, lin->at.d1),
                          .sign = sim->modes.contacts[i].mode == SS_MODE_SLIP_MINUS ? -1.0 : 1.0};
    if (ss_is_elastic(sim, i)) {
        double x = ss_row_dot(&own->q, lin->at.q) + ss_row_dot(&own->d, lin->at.d) +
                   ss_row_dot(&own->bodies, sim->bodies.offset);
        point.y = ss_stop_penetration(own, x);
        point.sign = 1.0;
        point.branch = sim->laws.elastic[sim->laws.elastic_at[i]].branch;
    }
    if (sim->laws.curved_at[i] >= 0) point.along = &sim->laws.curved[sim->laws.curved_at[i]];
    if (ss_is_bristle(sim, i)) {
        point.along = &sim->laws.bristles[sim->laws.bristle_at[i]].along;
        point.sign = point.along->sign;
        point.z = lin->at.z[var->z_at[i]];
    }
    for (int k = 0; k < change->from->model_count; k++) {
        ss_response out = {0};
        if (change->along[i]) {
            change->along[i][k].branch = point.along->branch;
            change->along[i][k].sign = point.along->sign;
            point.along = &change->along[i][k];
        }
        own->law_row->point.at(ss_law_of(&change->from->models[k]->contacts[i]), &point, &out);
        force += change->from->weights[k] * out.force;
        size += fabs(change->from->weights[k] * out.force);
        *rate += change->from->weights[k] * out.rate;
        rate_size += fabs(change->from->weights[k] * out.rate) + fabs(change->from->weights[k] * point.v);
        if (change->along[i]) point.along = &sim->laws.curved[sim->laws.curved_at[i]];
    }
    if (!(fabs(*rate) > 16.0 * DBL_EPSILON * rate_size)) *rate = 0.0;
    return fabs(force) > 16.0 * DBL_EPSILON * size ? force : 0.0;
}

// The level that a slipping Coulomb contact goes by.
static double slip_level(const ss_variation* var, const ss_heading* to, const ss_linear* lin, int i)
{
    const ss_change* change = to->change;
    int which = var->sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS ? SS_FORWARD : SS_BACKWARD;
    if (var->sim->inputs.level_at[i] < 0) return lin->at.constant ? change->levels[i][which] : 0.0;
    if (!change->signals.level[i]) return 0.0;
    const double* series = to->given.level + (size_t)(4 * i + which) * SS_WIDTH;
    return ss_given_value(var, series, &lin->at);
}

// The same for a law with elements: each of them, and what the law as a whole has in proportion to the speed.
static double change_elements(const ss_variation* var, const ss_heading* to, const ss_linear* lin, int i,
                              double dv, ss_delta* out)
{
    const ss_contact* own = &var->model->contacts[i];
    const ss_change* change = to->change;
    const ss_along* along = &var->sim->laws.bristles[var->sim->laws.bristle_at[i]].along;
    double force = 0.0;
    ss_law_point point = {.v = ss_row_dot(&own->q, lin->at.v) + ss_row_dot(&own->d, lin->at.d1),
                          .sign = along->sign,
                          .along = along};
    for (int k = 0; k < own->elements; k++)
        out->z_rate[var->z_at[i] + k] += lin->element[var->z_at[i] + k].rate_v * dv;
    for (int m = 0; m < change->from->model_count && change->law[i]; m++) {
        const void* law = ss_law_of(&change->from->models[m]->contacts[i]);
        double w = change->from->weights[m];
        ss_response whole = {0};
        own->law_row->point.at(law, &point, &whole);
        force += w * (whole.force_v - lin->law[i].force_v) * point.v;
        for (int k = 0; k < own->elements; k++) {
            int z = var->z_at[i] + k;
            ss_element_response element;
            point.z = lin->at.z[z];
            own->law_row->elements.at(law, &point, k, lin->slips[z], &element);
            force += w * (element.pull - lin->element[z].pull) * point.z;
            out->z_rate[z] += w * (element.rate - lin->element[z].rate);
        }
    }
    return force;
}

static void add_contacts(ss_variation* var, ss_heading* to, const ss_linear* lin, ss_delta* out)
{
    const ss_change* change = to->change;
    const ss_sim* sim = var->sim;
    for (int i = 0; i < var->m; i++) {
        const ss_contact* contact = &var->model->contacts[i];
        ss_mode mode = sim->modes.contacts[i].mode;
        double rate = 0.0, force = 0.0;
        if (mode == SS_MODE_OPEN) continue;
        add_scaled(&change->mobility[i], lin->at.lambda[i], out->a);
        if (ss_holds(sim, i)) {
            out->held[i] += ss_row_dot(&change->q[i], lin->at.a) + ss_row_dot(&change->d[i], lin->at.d2);
            continue;
        }
        if (contact->law_row->point.at && lin->at.order < 0) {
            force = ss_change_law(var, to, lin, i, &rate);
            force += lin->law[i].force_y * (ss_row_dot(&change->q[i], lin->at.q) +
                                            ss_row_dot(&change->d[i], lin->at.d) - change->place[i]);
            double dv = ss_row_dot(&change->q[i], lin->at.v) + ss_row_dot(&change->d[i], lin->at.d1);
            force += lin->law[i].force_v * dv;
            rate += lin->law[i].rate_v * dv;
            if (contact->elements > 0)
                force += change_elements(var, to, lin, i, dv, out);
            else if (var->z_at[i] >= 0)
                out->z_rate[var->z_at[i]] += rate;
        } else if (!contact->law_row->point.at) {
            force = (mode == SS_MODE_SLIP_PLUS ? -1.0 : 1.0) * slip_level(var, to, lin, i);
        }
        out->lambda[i] += force;
        add_scaled(&contact->mobility, force, out->a);
    }
}

// What of an affine force is not in the operators: states, inputs, memory, offsets and what is given in time.
static double rest_of(const ss_open* open, const ss_row* row, const double vars[], const double offset[],
                      bool all)
{
    double sum = 0.0;
    for (int k = 0; k < row->count; k++) {
        int at = row->index[k];
        if (all || at >= open->first_state) sum += row->value[k] * vars[at];
        if (!all && at < open->first_speed && offset) sum += row->value[k] * offset[at];
    }
    return sum;
}

static void add_slot(ss_variation* var, int slot, double value, ss_delta* out)
{
    const ss_actions* actions = var->model->actions;
    if (slot < actions->pull_count)
        add_scaled(&actions->pulls[slot].mobility, value, out->a);
    else
        out->rate[slot - actions->pull_count] += value;
}

static int output_of(const ss_actions* actions, int slot)
{
    return slot < actions->pull_count ? actions->pulls[slot].output
                                      : actions->rates[slot - actions->pull_count].output;
}

// Outputs of the motion's program at a point, summed over the models, added to where they belong.
static void add_programs(ss_variation* var, ss_heading* to, const ss_linear* lin, ss_delta* out)
{
    const ss_change* change = to->change;
    const ss_actions* actions = var->model->actions;
    const ss_open* open = var->model->open;
    const double* pieces = var->sim->open.programs->pieces;
    for (int k = 0; k < change->from->model_count; k++) {
        ss_run* run = &change->motion[k];
        memcpy(run->w.piece, pieces, (size_t)ss_graph_kink_count(open->graph) * sizeof(double));
        if (!ss_run_values(run, lin->at.t, lin->at.vars, true, var->room.seen)) continue;
        for (int j = 0; j < var->slots; j++) {
            int output = output_of(actions, j);
            if (output >= 0)
                add_slot(var, j, change->from->weights[k] * (var->room.seen[output] - lin->outputs[output]),
                         out);
        }
        for (int l = 0; l < open->level_count; l++) {
            int i = open->levels[l].contact, which = open->levels[l].which;
            if (!ss_slips(var->sim, i)) continue;
            bool plus = var->sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
            if (which != (plus ? SS_FORWARD : SS_BACKWARD)) continue;
            int output = actions->level_output + l;
            double force = (plus ? -1.0 : 1.0) * change->from->weights[k] *
                           (var->room.seen[output] - lin->outputs[output]);
            out->lambda[i] += force;
            add_scaled(&var->model->contacts[i].mobility, force, out->a);
        }
    }
}

static void add_open(ss_variation* var, ss_heading* to, const ss_linear* lin, ss_delta* out)
{
    int k = lin->at.order;
    const ss_change* change = to->change;
    const ss_open* open = var->model->open;
    const ss_actions* actions = var->model->actions;
    const double* offset = lin->at.constant ? var->sim->bodies.offset : NULL;
    for (int j = 0; j < var->slots; j++) {
        const ss_affine* affine = affine_of(var->model, j);
        bool rate = j >= actions->pull_count;
        if (affine) {
            double value = rest_of(open, &change->affine[j], lin->at.vars, offset, rate);
            if (change->signals.rest[j])
                value += ss_given_value(var, to->given.rest + (size_t)j * SS_WIDTH, &lin->at);
            add_slot(var, j, value, out);
        }
        if (rate || change->pull[j].count == 0) continue;
        double value = affine ? rest_of(open, &affine->row, lin->at.vars, offset, false)
                              : lin->outputs[actions->pulls[j].output];
        if (affine && affine->rest && k < 0) value += ss_signal_value(affine->rest, lin->at.t);
        if (affine && affine->rest && k >= 0)
            value += ss_signal_is_constant(affine->rest)
                         ? (k == 0 ? ss_signal_value(affine->rest, 0.0) : 0.0)
                         : var->sim->open.given[(size_t)k * (size_t)var->slots + (size_t)j];
        add_scaled(&change->pull[j], value, out->a);
    }
    if (change->programs && k < 0 && actions->motion.output_count > 0) add_programs(var, to, lin, out);
}

void ss_change_add(ss_variation* var, ss_heading* to, const ss_linear* lin, ss_delta* out)
{
    const ss_change* change = to->change;
    const ss_values* at = &lin->at;
    add_sparse(&change->stiffness, at->q, -1.0, out->a);
    add_sparse(&change->damping, at->v, -1.0, out->a);
    add_sparse(&change->drive_stiffness, at->d, -1.0, out->a);
    add_sparse(&change->drive_damping, at->d1, -1.0, out->a);
    for (int i = 0; i < var->n && at->constant; i++) out->a[i] += change->constant[i];
    for (int f = 0; f < var->model->force_count; f++) {
        add_scaled(&change->force[f], at->force[f], out->a);
        if (!change->signals.force[f]) continue;
        double value = ss_given_value(var, to->given.force + (size_t)f * SS_WIDTH, at);
        add_scaled(&var->model->forces[f].mobility, value, out->a);
    }
    if (change->cubic) add_cubic(var, change, at, out->a);
    add_contacts(var, to, lin, out);
    if (var->model->open) add_open(var, to, lin, out);
}

double ss_following_change(const ss_variation* var, const ss_linear* lin, const ss_heading* to, int i,
                           int which)
{
    const ss_actions* actions = var->model->actions;
    const ss_jacobian* slopes = &actions->slopes;
    const ss_open_following* own = var->sim->open.following;
    while (own->contact != i) own++;
    int direction = which % 2;
    int output = own->larger[direction] > 0 ? own->output[which] : own->output[direction];
    double sum = 0.0;
    if (output < 0) return 0.0;
    for (int e = 0; e < slopes->count; e++)
        if (slopes->row[e] == output) sum += lin->slope[e] * var->delta.vars[slopes->variable[e]];
    for (int k = 0; to->change && k < to->change->from->model_count; k++) {
        ss_run* run = &to->change->motion[k];
        memcpy(run->w.piece, var->sim->open.programs->pieces,
               (size_t)ss_graph_kink_count(var->model->open->graph) * sizeof(double));
        if (ss_run_values(run, lin->at.t, lin->at.vars, true, var->room.seen))
            sum += to->change->from->weights[k] * (var->room.seen[output] - lin->outputs[output]);
    }
    return sum;
}
