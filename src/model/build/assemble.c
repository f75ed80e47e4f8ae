// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From bodies, matrices, ties and connections to reduced sparse matrices: z = T q, M = T^T M_z T and so on
// [VL04, (10)-(16)].
#include "core/error.h"
#include "core/tolerance.h"
#include "law/table.h"
#include "model/model_impl.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ss_row new_row(ss_pool* pool, int count)
{
    return (ss_row){count, ss_pool_new(pool, (size_t)count, sizeof(int)),
                    ss_pool_new(pool, (size_t)count, sizeof(double))};
}

static void add_last(ss_row* row, int index, double value)
{
    row->index[row->count] = index;
    row->value[row->count++] = value;
}

// Adds value to the entry of a row that has room for it.
static void add_entry(ss_row* row, int index, double value)
{
    for (int k = 0; k < row->count; k++)
        if (row->index[k] == index) {
            row->value[k] += value;
            return;
        }
    add_last(row, index, value);
}

static void drop_zeros(ss_row* row)
{
    int kept = 0;
    for (int k = 0; k < row->count; k++)
        if (row->value[k] != 0.0) {
            row->index[kept] = row->index[k];
            row->value[kept++] = row->value[k];
        }
    row->count = kept;
}

void ss_model_map_row(ss_model* model, const ss_row_def* def, ss_row* bodies, ss_row* q, ss_row* d)
{
    int room = 0;
    for (int k = 0; k < def->count; k++)
        if (def->terms[k].body != SS_GROUND) room += model->bodies[def->terms[k].body].row.count;
    *bodies = new_row(&model->pool, def->count);
    *q = new_row(&model->pool, room);
    *d = new_row(&model->pool, def->count);
    bodies->count = q->count = d->count = 0;
    if (model->pool.failed) return;
    for (int k = 0; k < def->count; k++) {
        if (def->terms[k].body == SS_GROUND) continue;
        const ss_body* body = &model->bodies[def->terms[k].body];
        double factor = def->terms[k].factor;
        add_entry(bodies, def->terms[k].body, factor);
        if (body->drive >= 0) add_entry(d, body->drive, factor);
        for (int j = 0; j < body->row.count; j++)
            add_entry(q, body->row.index[j], factor * body->row.value[j]);
    }
    drop_zeros(bodies);
    drop_zeros(q);
    drop_zeros(d);
}

// The body a tie expresses by the others: the one with the largest factor among those that start without a
// speed, so that what is given at the start counts, or else among all. -1 for a tie that says nothing.
static int pick_pivot(const ss_model* model, const double row[])
{
    int best = -1, still = -1;
    for (int c = 0; c < model->body_count; c++) {
        if (row[c] == 0.0) continue;
        if (best < 0 || fabs(row[c]) > fabs(row[best])) best = c;
        if (model->bodies[c].start_v == 0.0 && (still < 0 || fabs(row[c]) > fabs(row[still]))) still = c;
    }
    return still >= 0 ? still : best;
}

// Brings the ties (rows over bodies, dense) to reduced echelon form; pivot[r] is the body that row r
// expresses by the others, or -1 for a tie that follows from the ones before.
static void eliminate_ties(const ss_model* model, double g[], int rows, int pivot[])
{
    int columns = model->body_count;
    for (int r = 0; r < rows; r++) {
        double* row = &g[r * columns];
        int best = pick_pivot(model, row);
        pivot[r] = best;
        if (best < 0) continue;
        double p = row[best];
        for (int c = 0; c < columns; c++) row[c] /= p;
        for (int s = 0; s < rows; s++) {
            double factor = g[s * columns + best], before = 0.0, after = 0.0;
            if (s == r || factor == 0.0) continue;
            for (int c = 0; c < columns; c++) {
                before = fmax(before, fabs(g[s * columns + c]));
                g[s * columns + c] -= factor * row[c];
                after = fmax(after, fabs(g[s * columns + c]));
            }
            if (after <= 16.0 * DBL_EPSILON * before) // a tie that says nothing new
                for (int c = 0; c < columns; c++) g[s * columns + c] = 0.0;
        }
    }
}

static void number_coordinates(ss_model* model, const double g[], int ties, const int pivot[])
{
    int nb = model->body_count;
    for (int b = 0; b < nb; b++) {
        bool tied = false;
        for (int r = 0; r < ties; r++) tied = tied || pivot[r] == b;
        if (tied || model->bodies[b].drive >= 0 || model->bodies[b].follows) continue;
        model->bodies[b].coordinate = model->n;
        model->coordinate_body[model->n++] = b;
    }
    for (int b = 0; b < nb; b++) {
        ss_body* body = &model->bodies[b];
        if (body->coordinate < 0) continue;
        body->row = new_row(&model->pool, 1);
        if (model->pool.failed) return;
        body->row.index[0] = body->coordinate;
        body->row.value[0] = 1.0;
    }
    for (int r = 0; r < ties; r++) {
        if (pivot[r] < 0) continue;
        ss_row* row = &model->bodies[pivot[r]].row;
        *row = new_row(&model->pool, nb);
        if (model->pool.failed) return;
        row->count = 0;
        for (int b = 0; b < nb; b++)
            if (b != pivot[r] && g[r * nb + b] != 0.0)
                add_entry(row, model->bodies[b].coordinate, -g[r * nb + b]);
    }
}

// A tied body starts with the speed the others give it, by its tie in echelon form; one that was given must
// agree.
static ss_status follow_tie(const ss_model* model, const double tie[], int pivot, ss_error* err)
{
    ss_body* body = &model->bodies[pivot];
    double given = body->start_v, size = fabs(given);
    body->start_v = 0.0;
    for (int b = 0; b < model->body_count; b++) {
        double share = b == pivot ? 0.0 : -tie[b] * model->bodies[b].start_v;
        body->start_v += share;
        size += fabs(share);
    }
    if (given == 0.0 || fabs(given - body->start_v) <= SS_SAME * size) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, "start",
                   "the speed of '%s' (%.9g) contradicts the ties, which say %.9g", body->name, given,
                   body->start_v);
}

// A coordinate that a reduction left out is tied by what it follows.
static void add_to_tie(const ss_model* model, const ss_term* term, double row[])
{
    const ss_block* block = &model->matrices.block;
    const double* follows = model->bodies[term->body].follows;
    if (!follows) row[term->body] += term->factor;
    for (int k = 0; k < block->count && follows; k++) row[block->body[k]] += term->factor * follows[k];
}

// Rows, places and speeds of coordinates that a reduction left out, from those that they follow.
static void place_followers(ss_model* model)
{
    const ss_block* block = &model->matrices.block;
    double* sum = ss_pool_new(&model->pool, (size_t)model->n, sizeof *sum);
    for (int b = 0; b < block->given && !model->pool.failed; b++) {
        ss_body* body = &model->bodies[b];
        int used = 0;
        if (!body->follows) continue;
        for (int k = 0; k < block->count; k++) {
            const ss_body* other = &model->bodies[block->body[k]];
            double share = body->follows[k];
            body->start_x += share * other->start_x;
            body->start_v += share * other->start_v;
            for (int j = 0; j < other->row.count; j++)
                sum[other->row.index[j]] += share * other->row.value[j];
        }
        for (int i = 0; i < model->n; i++) used += sum[i] != 0.0;
        body->row = new_row(&model->pool, used);
        body->row.count = 0;
        for (int i = 0; i < model->n && !model->pool.failed; i++) {
            if (sum[i] != 0.0) add_last(&body->row, i, sum[i]);
            sum[i] = 0.0;
        }
    }
}

static bool has_name(const ss_system_def* def, int tie) { return def->tie_names && def->tie_names[tie]; }

// The ties as rows over bodies, dense; those without a name only, or all. Returns how many.
static int gather_ties(const ss_model* model, const ss_system_def* def, bool all, double g[])
{
    size_t nb = (size_t)model->body_count, rows = 0;
    memset(g, 0, (size_t)def->tie_count * nb * sizeof *g);
    for (int r = 0; r < def->tie_count; r++) {
        if (!all && has_name(def, r)) continue;
        for (int k = 0; k < def->ties[r].count; k++)
            if (def->ties[r].terms[k].body != SS_GROUND)
                add_to_tie(model, &def->ties[r].terms[k], &g[rows * nb]);
        rows++;
    }
    return (int)rows;
}

static ss_status check_ties(const ss_model* model, const ss_system_def* def, ss_error* err)
{
    for (int r = 0; r < def->tie_count; r++)
        for (int k = 0; k < def->ties[r].count; k++) {
            int body = def->ties[r].terms[k].body;
            if (body == SS_GROUND || model->bodies[body].drive < 0) continue;
            char field[48];
            snprintf(field, sizeof field, "ties[%d]", r);
            return ss_fail(err, SS_BAD_INPUT, field, "'%s' is driven: a tie joins bodies with mass",
                           model->bodies[body].name);
        }
    return SS_OK;
}

// Ties without a name take coordinates away. Those that have one are contacts that always hold (model.c):
// their force is asked for. All of them say how the bodies start.
ss_status ss_model_reduce_ties(ss_model* model, const ss_system_def* def, ss_error* err)
{
    size_t nb = (size_t)model->body_count, ties = (size_t)def->tie_count;
    model->coordinate_body = ss_pool_new(&model->pool, nb, sizeof(int));
    double* g = ss_pool_new(&model->pool, ties * nb, sizeof(double));
    int* pivot = ss_pool_new(&model->pool, ties, sizeof(int));
    if (model->pool.failed) return ss_fail_no_memory(err);
    ss_status status = check_ties(model, def, err);
    if (status != SS_OK) return status;
    int rows = gather_ties(model, def, true, g);
    eliminate_ties(model, g, rows, pivot);
    for (int r = 0; r < rows && status == SS_OK; r++)
        if (pivot[r] >= 0) status = follow_tie(model, &g[(size_t)r * nb], pivot[r], err);
    if (status != SS_OK) return status;
    for (int r = 0; r < def->tie_count; r++) model->tie_count += has_name(def, r);
    if (model->tie_count > 0) {
        rows = gather_ties(model, def, false, g);
        eliminate_ties(model, g, rows, pivot);
    }
    number_coordinates(model, g, rows, pivot);
    place_followers(model);
    return model->pool.failed ? ss_fail_no_memory(err) : SS_OK;
}

// factor * a b^T as entries.
static size_t add_product(ss_entry out[], size_t used, const ss_row* a, const ss_row* b, double factor)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            out[used++] = (ss_entry){a->index[i], b->index[j], factor * a->value[i] * b->value[j]};
    return used;
}

typedef enum { OF_MASS, OF_STIFFNESS, OF_DAMPING, OF_DRIVE_STIFFNESS, OF_DRIVE_DAMPING } part;

// The block's share, NULL of what drives pull at.
static const ss_sparse* block_part(const ss_model* model, part which)
{
    const ss_block* block = &model->matrices.block;
    const ss_sparse* parts[] = {&block->mass, &block->stiffness, &block->damping};
    return block->count > 0 && which <= OF_DAMPING ? parts[which] : NULL;
}

// The row over q of the body of row i of the block.
static const ss_row* block_row(const ss_model* model, int i)
{
    return &model->bodies[model->matrices.block.body[i]].row;
}

static size_t count_entries(const ss_model* model, part which)
{
    const ss_sparse* given = block_part(model, which);
    size_t room = 0;
    for (int i = 0; given && i < given->rows; i++)
        for (int k = given->start[i]; k < given->start[i + 1]; k++)
            room += (size_t)block_row(model, i)->count * (size_t)block_row(model, given->index[k])->count;
    for (int b = model->matrices.block.given; b < model->body_count && which == OF_MASS; b++)
        room += (size_t)model->bodies[b].row.count * (size_t)model->bodies[b].row.count;
    for (int c = 0; c < model->connection_count && which != OF_MASS; c++) {
        const ss_connection* k = &model->connections[c];
        room += (size_t)k->q.count * (size_t)(which >= OF_DRIVE_STIFFNESS ? k->d.count : k->q.count);
    }
    return room;
}

static size_t fill_entries(const ss_model* model, part which, ss_entry entries[])
{
    const ss_sparse* given = block_part(model, which);
    size_t used = 0;
    for (int i = 0; given && i < given->rows; i++)
        for (int k = given->start[i]; k < given->start[i + 1]; k++)
            used = add_product(entries, used, block_row(model, i), block_row(model, given->index[k]),
                               given->value[k]);
    for (int b = model->matrices.block.given; b < model->body_count && which == OF_MASS; b++)
        used =
            add_product(entries, used, &model->bodies[b].row, &model->bodies[b].row, model->bodies[b].mass);
    for (int c = 0; c < model->connection_count && which != OF_MASS; c++) {
        const ss_connection* k = &model->connections[c];
        bool stiff = which == OF_STIFFNESS || which == OF_DRIVE_STIFFNESS;
        double factor = stiff ? k->stiffness : k->damping;
        if (factor == 0.0) continue;
        used = add_product(entries, used, &k->q, which >= OF_DRIVE_STIFFNESS ? &k->d : &k->q, factor);
    }
    return used;
}

static ss_sparse assemble_part(ss_model* model, part which)
{
    ss_entry* entries = ss_new(count_entries(model, which), sizeof *entries);
    if (!entries) {
        model->pool.failed = true;
        return (ss_sparse){0};
    }
    ss_sparse out = ss_sparse_build(&model->pool, model->n, entries, fill_entries(model, which, entries));
    free(entries);
    return out;
}

// The block's constant force in the independent coordinates.
static void assemble_force(ss_model* model)
{
    const ss_block* block = &model->matrices.block;
    if (!block->force) return;
    model->matrices.constant = ss_pool_new(&model->pool, (size_t)model->n, sizeof(double));
    for (int i = 0; i < block->count && !model->pool.failed; i++) {
        const ss_row* row = block_row(model, i);
        for (int k = 0; k < row->count; k++)
            model->matrices.constant[row->index[k]] += row->value[k] * block->force[i];
    }
}

ss_status ss_model_assemble(ss_model* model, ss_error* err)
{
    if (model->n == 0 && model->drive_count == 0)
        return ss_fail(err, SS_BAD_INPUT, "ties", "nothing is left to move");
    model->matrices.mass = assemble_part(model, OF_MASS);
    model->matrices.stiffness = assemble_part(model, OF_STIFFNESS);
    model->matrices.damping = assemble_part(model, OF_DAMPING);
    model->matrices.drive_stiffness = assemble_part(model, OF_DRIVE_STIFFNESS);
    model->matrices.drive_damping = assemble_part(model, OF_DRIVE_DAMPING);
    assemble_force(model);
    return model->pool.failed ? ss_fail_no_memory(err) : SS_OK;
}
