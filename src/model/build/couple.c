// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Mobility: M^-1 applied to everything the flow needs, the groups of contacts coupled through
// A = W^T M^-1 W, and the one rate that bounds how fast any motion of the model can change.
#include "core/algebra/dense.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "model/actions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COUPLED = 2000 }; // coordinates that a mass matrix that is not diagonal may have

// Names the eigenvalue that is not positive.
static ss_status fail_mass(const ss_model* model, ss_error* err)
{
    int n = model->n;
    size_t size = (size_t)n * (size_t)n;
    double* work = ss_new(2 * size + (size_t)n, sizeof *work);
    if (!work) return ss_fail_no_memory(err);
    double *values = work + 2 * size, least = INFINITY, most = 0.0;
    ss_model_get_matrix(model, SS_MATRIX_MASS, work);
    ss_symmetric_eigen(work, n, values, work + size);
    for (int i = 0; i < n; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, fabs(values[i]));
    }
    free(work);
    if (fabs(least) <= SS_NOISE * most) least = 0.0;
    return ss_fail(err, SS_BAD_INPUT, model->matrices.block.count > 0 ? "matrices.M" : "bodies",
                   "the mass matrix must be positive definite; its least eigenvalue is %.6g", least);
}

// What M couples is coupled to everything: M^-1 and M^-1 K are full.
static ss_status check_size(const ss_model* model, ss_error* err)
{
    if (model->matrices.mass_diagonal || model->n <= MOST_COUPLED) return SS_OK;
    return ss_fail(
        err, SS_BAD_INPUT, model->matrices.block.count > 0 ? "matrices.M" : "ties",
        "couples %d coordinates; where the mass matrix is not diagonal at most %d are taken as they "
        "are: reduce them (reduce: {keep: [..], modes: 20}), or lump the masses",
        model->n, MOST_COUPLED);
}

static ss_status invert_mass(ss_model* model, ss_error* err)
{
    int n = model->n;
    model->matrices.mass_diagonal = true;
    for (int i = 0; i < n; i++)
        for (int k = model->matrices.mass.start[i]; k < model->matrices.mass.start[i + 1]; k++)
            if (model->matrices.mass.index[k] != i && model->matrices.mass.value[k] != 0.0)
                model->matrices.mass_diagonal = false;
    ss_status status = check_size(model, err);
    if (status != SS_OK) return status;
    size_t size = (size_t)n * (model->matrices.mass_diagonal ? 1 : (size_t)n);
    model->matrices.mass_inverse = ss_pool_new(&model->pool, size, sizeof(double));
    double* factor = model->matrices.mass_diagonal ? NULL : ss_new(size, sizeof(double));
    if (model->pool.failed || (!model->matrices.mass_diagonal && !factor)) {
        free(factor);
        return ss_fail_no_memory(err);
    }
    bool positive = true;
    for (int i = 0; i < n && model->matrices.mass_diagonal; i++) {
        double mass = 0.0;
        for (int k = model->matrices.mass.start[i]; k < model->matrices.mass.start[i + 1]; k++)
            mass += model->matrices.mass.value[k];
        positive = positive && mass > 0.0;
        model->matrices.mass_inverse[i] = 1.0 / mass;
    }
    if (!model->matrices.mass_diagonal) {
        ss_model_get_matrix(model, SS_MATRIX_MASS, factor);
        positive = ss_cholesky(factor, n);
        for (int i = 0; i < n && positive; i++) {
            model->matrices.mass_inverse[i * n + i] = 1.0;
            ss_cholesky_solve(factor, n, &model->matrices.mass_inverse[i * n]);
        }
        free(factor);
    }
    return positive ? SS_OK : fail_mass(model, err);
}

void ss_model_apply_mobility(ss_model* model, const ss_row* q, ss_row* out)
{
    int n = model->n, count = model->matrices.mass_diagonal ? q->count : n;
    *out = (ss_row){count, ss_pool_new(&model->pool, (size_t)count, sizeof(int)),
                    ss_pool_new(&model->pool, (size_t)count, sizeof(double))};
    if (model->pool.failed) return;
    for (int k = 0; k < count; k++) {
        out->index[k] = model->matrices.mass_diagonal ? q->index[k] : k;
        if (model->matrices.mass_diagonal)
            out->value[k] = model->matrices.mass_inverse[q->index[k]] * q->value[k];
        else
            for (int j = 0; j < q->count; j++)
                out->value[k] += model->matrices.mass_inverse[k * n + q->index[j]] * q->value[j];
    }
}

// Rows of M^-1 a for a sparse matrix a with `columns` columns, as entries; out has room for them.
static size_t mobility_entries(const ss_model* model, const ss_sparse* a, ss_entry out[])
{
    size_t used = 0;
    int n = model->n;
    for (int i = 0; i < n; i++)
        for (int j = model->matrices.mass_diagonal ? i : 0; j < (model->matrices.mass_diagonal ? i + 1 : n);
             j++) {
            double m = model->matrices.mass_diagonal ? model->matrices.mass_inverse[i]
                                                     : model->matrices.mass_inverse[i * n + j];
            for (int k = a->start[j]; k < a->start[j + 1]; k++)
                out[used++] = (ss_entry){i, a->index[k], m * a->value[k]};
        }
    return used;
}

static ss_sparse apply_mobility_matrix(ss_model* model, const ss_sparse* a)
{
    size_t room = (size_t)a->start[model->n] * (model->matrices.mass_diagonal ? 1 : (size_t)model->n);
    ss_entry* entries = ss_new(room, sizeof *entries);
    if (!entries) {
        model->pool.failed = true;
        return (ss_sparse){0};
    }
    ss_sparse out = ss_sparse_build(&model->pool, model->n, entries, mobility_entries(model, a, entries));
    free(entries);
    return out;
}

// Merges M^-1 K and M^-1 C into one pattern, so that one sweep over a row serves both.
static void build_operator(ss_model* model, const ss_sparse* stiffness, const ss_sparse* damping)
{
    ss_sparse k = apply_mobility_matrix(model, stiffness);
    ss_sparse c = apply_mobility_matrix(model, damping);
    if (model->pool.failed) return;
    int n = model->n;
    size_t room = (size_t)k.start[n] + (size_t)c.start[n];
    ss_operator* op = &model->matrices.flow;
    *op = (ss_operator){
        ss_pool_new(&model->pool, (size_t)n + 1, sizeof(int)), ss_pool_new(&model->pool, room, sizeof(int)),
        ss_pool_new(&model->pool, room, sizeof(double)), ss_pool_new(&model->pool, room, sizeof(double))};
    if (model->pool.failed) return;
    int used = 0;
    for (int i = 0; i < n; i++) {
        int a = k.start[i], b = c.start[i];
        while (a < k.start[i + 1] || b < c.start[i + 1]) {
            int ka = a < k.start[i + 1] ? k.index[a] : n, cb = b < c.start[i + 1] ? c.index[b] : n;
            op->index[used] = ka < cb ? ka : cb;
            if (ka <= cb) op->stiffness[used] = k.value[a++];
            if (cb <= ka) op->damping[used] = c.value[b++];
            used++;
        }
        op->start[i + 1] = used;
    }
}

static int find_root(int parent[], int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// Contacts whose level follows the force of another belong to it.
static void link_levels(const ss_model* model, int parent[])
{
    const ss_open* open = model->open;
    for (int l = 0; open && l < open->level_count; l++)
        for (int c = 0; c < model->contact_count && model->contacts[open->levels[l].contact].follows_forces;
             c++)
            if (ss_graph_uses(open->graph, open->levels[l].node, open->first_force + c))
                parent[find_root(parent, open->levels[l].contact)] = find_root(parent, c);
}

// Contacts belong together where the mobility of one reaches a coordinate of the other.
static void link_contacts(const ss_model* model, int parent[], int owner[])
{
    for (int i = 0; i < model->n; i++) owner[i] = -1;
    for (int c = 0; c < model->contact_count; c++) parent[c] = c;
    for (int c = 0; c < model->contact_count; c++) {
        const ss_row* row = &model->contacts[c].mobility;
        for (int k = 0; k < row->count; k++) {
            int* o = &owner[row->index[k]];
            if (*o < 0) *o = c;
            parent[find_root(parent, c)] = find_root(parent, *o);
        }
    }
}

static void fill_group(ss_model* model, ss_group* group, int mark[])
{
    int count = group->count, room = 0;
    group->coupling = ss_pool_new(&model->pool, (size_t)count * (size_t)count, sizeof(double));
    for (int i = 0; i < count; i++) room += model->contacts[group->contacts[i]].q.count;
    group->coordinates = ss_pool_new(&model->pool, (size_t)room, sizeof(int));
    if (model->pool.failed) return;
    for (int i = 0; i < count; i++) {
        const ss_contact* a = &model->contacts[group->contacts[i]];
        for (int k = 0; k < a->q.count; k++)
            if (mark[a->q.index[k]] != group->contacts[0] + 1) {
                mark[a->q.index[k]] = group->contacts[0] + 1;
                group->coordinates[group->coordinate_count++] = a->q.index[k];
            }
        for (int j = 0; j < count; j++) {
            const ss_row* b = &model->contacts[group->contacts[j]].mobility;
            double sum = 0.0;
            for (int k = 0; k < a->q.count; k++)
                for (int l = 0; l < b->count; l++)
                    if (a->q.index[k] == b->index[l]) sum += a->q.value[k] * b->value[l];
            group->coupling[i * count + j] = sum;
        }
    }
}

static void build_groups(ss_model* model)
{
    int m = model->contact_count;
    int* parent = ss_new((size_t)m, sizeof(int));
    int* owner = ss_new((size_t)model->n, sizeof(int));
    int* number = ss_new((size_t)m, sizeof(int));
    model->groups = ss_pool_new(&model->pool, (size_t)m, sizeof(ss_group));
    if (!parent || !owner || !number || model->pool.failed) {
        model->pool.failed = true;
        goto done;
    }
    link_contacts(model, parent, owner);
    link_levels(model, parent);
    for (int c = 0; c < m; c++) number[c] = -1;
    for (int c = 0; c < m; c++) {
        int* g = &number[find_root(parent, c)];
        if (*g < 0) *g = model->group_count++;
        model->contacts[c].group = *g;
        model->contacts[c].place = model->groups[*g].count++;
    }
    for (int g = 0; g < model->group_count; g++)
        model->groups[g].contacts = ss_pool_new(&model->pool, (size_t)model->groups[g].count, sizeof(int));
    if (model->pool.failed) goto done;
    for (int c = 0; c < m; c++)
        model->groups[model->contacts[c].group].contacts[model->contacts[c].place] = c;
    memset(owner, 0, (size_t)model->n * sizeof(int));
    for (int g = 0; g < model->group_count && !model->pool.failed; g++)
        fill_group(model, &model->groups[g], owner);
done:
    free(parent);
    free(owner);
    free(number);
}

// Bound on the spectral norm of M^-1/2 a M^-1/2: with D = diag(M^-1)^1/2 for a diagonal M its largest
// absolute row or column sum; in general |M^-1| |a|, both by such sums, which is safe but larger.
static double mass_norm(const ss_model* model, const ss_sparse* a, double columns[])
{
    double rows = 0.0, worst = 0.0, inverse = 0.0;
    int n = model->n;
    memset(columns, 0, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            int j = a->index[k];
            double size = fabs(a->value[k]);
            if (model->matrices.mass_diagonal)
                size *= sqrt(model->matrices.mass_inverse[i]) * sqrt(model->matrices.mass_inverse[j]);
            sum += size;
            columns[j] += size;
        }
        rows = fmax(rows, sum);
    }
    for (int j = 0; j < n; j++) worst = fmax(worst, columns[j]);
    for (int i = 0; i < n && !model->matrices.mass_diagonal; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) sum += fabs(model->matrices.mass_inverse[i * n + j]);
        inverse = fmax(inverse, sum);
    }
    return sqrt(rows * worst) * (model->matrices.mass_diagonal ? 1.0 : inverse);
}

// A step of length h with a series of q of order P is proved exact to rounding where, with x = rate h,
//     e^x x^(P-2) / (P-1)! <= 1e-18 / spread.
// Why: every derivative of the motion obeys the same linear equation, so in the mass norm
// |y^(k)(s)| <= e^(rate s) rate^(k-1) |y'(0)|, in every mode (forces that hold project orthogonally in that
// norm); Lagrange's remainder follows, and spread turns the mass norm into a bound on one coordinate.
//
// In logarithms: the largest multiple of 2^-44 below 64 with x + (P-2) log x - log (P-1)! <= target.
static double reach_of(int order, double log_factorial, double target)
{
    const double grid = 0x1p-44, most = 64.0 - grid;
    double x = 1.0;
    for (int round = 0; round < 20; round++) { // Newton's method; concave: from below, after a step, for good
        double off = x + (order - 2) * log(x) - log_factorial - target,
               next = x - off / (1.0 + (order - 2) / x);
        next = fmin(fmax(next, 0.01 * x), most);
        bool there = fabs(next - x) <= 4.0 * grid;
        x = next;
        if (there) break;
    }
    x = grid * floor(x / grid);
    while (x < most && x + grid + (order - 2) * log(x + grid) - log_factorial <= target) x += grid;
    while (x > 0.0 && x + (order - 2) * log(x) - log_factorial > target) x -= grid;
    return x;
}

static void tabulate_reach(ss_model* model)
{
    double target = log(SS_PROVED / model->bounds.spread);
    double log_factorial = log(2.0); // of order - 1; lgamma would write to a global of the C library
    for (int order = 4; order <= SS_MAX_ORDER; order++) {
        log_factorial += log(order - 1.0);
        model->bounds.reach[order] = reach_of(order, log_factorial, target);
    }
}

static ss_status bound_rates(ss_model* model, const ss_sparse* stiffness, const ss_sparse* damping,
                             ss_error* err)
{
    int n = model->n;
    double* scratch = ss_new((size_t)n, sizeof(double));
    if (!scratch) return ss_fail_no_memory(err);
    double stiff = mass_norm(model, stiffness, scratch), damp = mass_norm(model, damping, scratch);
    free(scratch);
    model->bounds.frequency = sqrt(stiff);
    model->bounds.rate = model->open ? ss_actions_rate(model, stiff, damp) : model->bounds.frequency + damp;
    if (model->pool.failed) return ss_fail_no_memory(err);
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < n; i++) {
        double mobility = model->matrices.mass_inverse[model->matrices.mass_diagonal ? i : i * n + i];
        low = fmin(low, mobility);
        high = fmax(high, mobility);
    }
    model->bounds.spread = n > 0 ? sqrt(high / low) : 1.0;
    tabulate_reach(model);
    if (isfinite(model->bounds.rate) && isfinite(model->bounds.spread)) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, NULL, "masses, stiffness or damping are beyond what numbers can hold");
}

ss_status ss_model_couple(ss_model* model, ss_error* err)
{
    ss_status status = invert_mass(model, err);
    if (status != SS_OK) return status;
    ss_sparse stiffness = model->matrices.stiffness, damping = model->matrices.damping;
    if (model->open) status = ss_actions_make(model, &stiffness, &damping, err);
    if (status != SS_OK) return status;
    build_operator(model, &stiffness, &damping);
    if (model->pool.failed) return ss_fail_no_memory(err);
    model->matrices.drive_stiffness = apply_mobility_matrix(model, &model->matrices.drive_stiffness);
    model->matrices.drive_damping = apply_mobility_matrix(model, &model->matrices.drive_damping);
    for (int i = 0; i < model->force_count; i++)
        ss_model_apply_mobility(model, &model->forces[i].q, &model->forces[i].mobility);
    for (int i = 0; i < model->contact_count; i++)
        ss_model_apply_mobility(model, &model->contacts[i].q, &model->contacts[i].mobility);
    for (int i = 0; i < model->connection_count; i++)
        if (model->connections[i].cubic != 0.0)
            ss_model_apply_mobility(model, &model->connections[i].q, &model->connections[i].mobility);
    ss_model_open_mobility(model);
    if (model->pool.failed) return ss_fail_no_memory(err);
    build_groups(model);
    return model->pool.failed ? ss_fail_no_memory(err) : bound_rates(model, &stiffness, &damping, err);
}
