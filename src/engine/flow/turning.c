// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Rows that turn with the motion (turning.h tells the equations).
//
//   reads    places of all bodies, series of q up to order k + 1, forces of lower orders
//   writes   rows, mobilities and couplings of the run's own model; accelerations; places and speeds
//   promise  after a step joints are kept to rounding; what is taken away by that is in the residual of the
//            ledger, like all else that rounds
#include "engine/flow/turning.h"

#include "core/algebra/dense.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "model/joints.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- the model of the run

static ss_row copy_values(ss_pool* pool, const ss_row* row)
{
    ss_row copy = *row;
    copy.value = ss_pool_spare(pool, (size_t)row->count, sizeof(double));
    if (copy.value && row->count > 0) memcpy(copy.value, row->value, (size_t)row->count * sizeof(double));
    return copy;
}

bool ss_group_turns(const ss_model* model, int g)
{
    bool any = false;
    for (int p = 0; p < model->groups[g].count; p++)
        any = any || model->contacts[model->groups[g].contacts[p]].turns;
    return any;
}

void ss_turning_allocate(ss_sim* sim, const ss_model** model)
{
    const ss_model* from = *model;
    ss_pool* pool = &sim->pool;
    sim->turning = NULL;
    if (!from->joints) return;
    ss_turning* own = ss_pool_spare(pool, 1, sizeof *own);
    ss_model* copy = ss_pool_spare(pool, 1, sizeof *copy);
    ss_contact* contacts = ss_pool_spare(pool, (size_t)from->contact_count, sizeof *contacts);
    ss_group* groups = ss_pool_spare(pool, (size_t)from->group_count, sizeof *groups);
    if (pool->failed) return;
    *copy = *from;
    memcpy(contacts, from->contacts, (size_t)from->contact_count * sizeof *contacts);
    memcpy(groups, from->groups, (size_t)from->group_count * sizeof *groups);
    copy->contacts = contacts;
    copy->groups = groups;
    for (int i = 0; i < from->contact_count; i++) {
        if (!contacts[i].turns) continue;
        contacts[i].q = copy_values(pool, &contacts[i].q);
        contacts[i].d = copy_values(pool, &contacts[i].d);
        contacts[i].mobility = copy_values(pool, &contacts[i].mobility);
    }
    for (int g = 0; g < from->group_count; g++) {
        size_t entries = (size_t)groups[g].count * (size_t)groups[g].count;
        if (!ss_group_turns(from, g)) continue;
        groups[g].coupling = ss_pool_spare(pool, entries, sizeof(double));
        if (groups[g].coupling)
            memcpy(groups[g].coupling, from->groups[g].coupling, entries * sizeof(double));
    }
    own->model = copy;
    sim->turning = own;
    *model = copy;
}

void ss_turning_prepare(ss_sim* sim)
{
    ss_turning* own = sim->turning;
    if (!own || sim->pool.failed) return;
    const ss_model* model = sim->model;
    ss_pool* pool = &sim->pool;
    const ss_joints* joints = model->joints;
    size_t d = sizeof(double), n = (size_t)model->n, largest = 1;
    for (int g = 0; g < model->group_count; g++)
        if ((size_t)model->groups[g].count > largest) largest = (size_t)model->groups[g].count;
    own->pieces = ss_pool_spare(pool, (size_t)ss_graph_kink_count(model->open->graph), d);
    own->point = ss_pool_spare(pool, (size_t)model->open->variable_count, d);
    own->values = ss_pool_spare(pool, (size_t)joints->program.output_count, d);
    own->convective = ss_pool_spare(pool, (size_t)model->contact_count, d);
    own->force = ss_pool_spare(pool, n, d);
    own->mobile = ss_pool_spare(pool, n, d);
    own->matrix = ss_pool_spare(pool, largest * largest, d);
    own->inverse = ss_pool_spare(pool, largest * largest, d);
    own->work = ss_pool_spare(pool, 2 * largest * largest + largest, d);
    own->error = ss_pool_spare(pool, largest, d);
    own->share = ss_pool_spare(pool, largest, d);
    own->rows = ss_pool_spare(pool, largest, sizeof(int));
    own->rank = ss_pool_spare(pool, (size_t)model->group_count, sizeof(int));
    own->known = ss_pool_new(pool, 1, sizeof(int));
    if (pool->failed) return;
    for (int k = 0; k < ss_graph_kink_count(model->open->graph); k++) own->pieces[k] = NAN;
    (void)ss_run_make_spare(&own->at, pool, &joints->program, own->pieces);
    (void)ss_run_make(&own->series, pool, &joints->program, SS_MAX_ORDER, own->pieces);
}

// ---- rows of the moment

// Adds a factor of body b to the row of a contact.
static void add_to_row(const ss_model* model, ss_contact* contact, int b, double factor)
{
    const ss_body* body = &model->bodies[b];
    for (int k = 0; k < contact->d.count && body->drive >= 0; k++)
        if (contact->d.index[k] == body->drive) contact->d.value[k] += factor;
    for (int l = 0; l < body->row.count && body->drive < 0; l++)
        for (int k = 0; k < contact->q.count; k++)
            if (contact->q.index[k] == body->row.index[l]) contact->q.value[k] += factor * body->row.value[l];
}

// M^-1 times what stands in force; scratch of each coordinate.
static void apply_mobility(const ss_model* model, const double force[], double out[])
{
    int n = model->n;
    for (int i = 0; i < n; i++) {
        if (model->matrices.mass_diagonal) {
            out[i] = model->matrices.mass_inverse[i] * force[i];
            continue;
        }
        out[i] = 0.0;
        for (int j = 0; j < n; j++) out[i] += model->matrices.mass_inverse[i * n + j] * force[j];
    }
}

static void turn_contact(ss_turning* own, const ss_joint_row* row, const double values[])
{
    ss_model* model = own->model;
    ss_contact* contact = &model->contacts[row->contact];
    for (int k = 0; k < contact->q.count; k++) contact->q.value[k] = 0.0;
    for (int k = 0; k < contact->d.count; k++) contact->d.value[k] = 0.0;
    for (int k = 0; k < row->count; k++) add_to_row(model, contact, row->body[k], values[row->factor[k]]);
    for (int l = 0; l < contact->mobility.count; l++) {
        int i = contact->mobility.index[l];
        double sum = 0.0;
        for (int k = 0; k < contact->q.count; k++) {
            int j = contact->q.index[k];
            double m = !model->matrices.mass_diagonal ? model->matrices.mass_inverse[i * model->n + j]
                       : i == j                       ? model->matrices.mass_inverse[i]
                                                      : 0.0;
            sum += m * contact->q.value[k];
        }
        contact->mobility.value[l] = sum;
    }
}

static double couple(const ss_row* a, const ss_row* b)
{
    double sum = 0.0;
    for (int k = 0; k < a->count; k++)
        for (int l = 0; l < b->count; l++)
            if (a->index[k] == b->index[l]) sum += a->value[k] * b->value[l];
    return sum;
}

static void couple_group(ss_model* model, int g)
{
    const ss_group* group = &model->groups[g];
    for (int p = 0; p < group->count; p++)
        for (int r = 0; r < group->count; r++) {
            const ss_contact *a = &model->contacts[group->contacts[p]],
                             *b = &model->contacts[group->contacts[r]];
            if (a->turns || b->turns) group->coupling[p * group->count + r] = couple(&a->q, &b->mobility);
        }
}

// Rows and gaps where the bodies are now.
static void find_rows(ss_sim* sim)
{
    ss_turning* own = sim->turning;
    const ss_joints* joints = sim->model->joints;
    ss_open_point(sim, 0.0, own->point);
    (void)ss_run_values(&own->at, sim->step.t, own->point, true, own->values);
    for (int r = 0; r < joints->row_count; r++) turn_contact(own, &joints->rows[r], own->values);
    for (int g = 0; g < sim->model->group_count; g++)
        if (ss_group_turns(sim->model, g)) couple_group(own->model, g);
}

void ss_turn_rows(ss_sim* sim)
{
    if (sim->turning) find_rows(sim);
}

// Independent rows among those of the joints of a group, each scaled to its own mobility.
static int rank_of_joints(ss_sim* sim, int g, int* joint_rows)
{
    static const double flat = 1e-10; // links that are in one line up to 1e-5 rad
    ss_turning* own = sim->turning;
    const ss_group* group = &sim->model->groups[g];
    int count = 0;
    for (int p = 0; p < group->count; p++)
        if (sim->model->contacts[group->contacts[p]].turns) own->rows[count++] = p;
    for (int r = 0; r < count; r++) {
        double mobility = group->coupling[own->rows[r] * (group->count + 1)];
        own->share[r] = mobility > 0.0 ? 1.0 / sqrt(mobility) : 0.0;
    }
    for (int r = 0; r < count; r++)
        for (int c = 0; c < count; c++)
            own->matrix[r * count + c] =
                own->share[r] * own->share[c] * group->coupling[own->rows[r] * group->count + own->rows[c]];
    *joint_rows = count;
    return count > 0 ? ss_pseudo_inverse(own->matrix, count, flat, own->inverse, NULL, own->work) : 0;
}

// Moves the places of a group a little, in a way that its joints let them go, which rank_of_joints has just
// been asked about.
static void wiggle(ss_sim* sim, int g, int rows)
{
    static const double little = 1e-3, golden = 0.6180339887498949; // rad, or of the size
    ss_turning* own = sim->turning;
    const ss_model* model = sim->model;
    const ss_group* group = &model->groups[g];
    double* way = own->force;
    memset(way, 0, (size_t)model->n * sizeof *way);
    for (int c = 0; c < group->coordinate_count; c++) {
        int i = group->coordinates[c];
        bool angular = model->bodies[model->coordinate_body[i]].angular;
        way[i] = little * (0.5 + fmod(golden * (c + 1), 1.0)) * (angular ? 1.0 : model->joints->size);
    }
    for (int r = 0; r < rows; r++)
        own->error[r] = own->share[r] * ss_row_dot(&model->contacts[group->contacts[own->rows[r]]].q, way);
    for (int r = 0; r < rows; r++) {
        const ss_row* row = &model->contacts[group->contacts[own->rows[r]]].mobility;
        double sum = 0.0;
        for (int c = 0; c < rows; c++) sum += own->inverse[r * rows + c] * own->error[c];
        for (int k = 0; k < row->count; k++) way[row->index[k]] -= own->share[r] * sum * row->value[k];
    }
    for (int i = 0; i < model->n; i++) sim->step.q[i] += way[i];
}

// Whether joints of group g that depend on each other here do not do so nearby: a joint too many always does.
static bool starts_flat(ss_sim* sim, int g)
{
    ss_turning* own = sim->turning;
    int n = sim->model->n, rows, rank = rank_of_joints(sim, g, &rows);
    if (rank == rows) return false;
    memcpy(own->mobile, sim->step.q, (size_t)n * sizeof(double));
    wiggle(sim, g, rows);
    find_rows(sim);
    bool flat = rank_of_joints(sim, g, &rows) != rank;
    memcpy(sim->step.q, own->mobile, (size_t)n * sizeof(double));
    find_rows(sim);
    return flat;
}

void ss_begin_turning(ss_sim* sim)
{
    if (!sim->turning) return;
    int rows;
    find_rows(sim);
    for (int g = 0; g < sim->model->group_count; g++) sim->turning->rank[g] = rank_of_joints(sim, g, &rows);
}

ss_status ss_check_turning(ss_sim* sim, ss_error* err)
{
    for (int g = 0; g < sim->model->group_count && sim->turning; g++) {
        int rows;
        if (rank_of_joints(sim, g, &rows) == sim->turning->rank[g]) continue;
        (void)ss_fail(&sim->course.fault, SS_BAD_INPUT, "joints",
                      "at t = %.9g s they pass a singular position, such as links in one line, where the "
                      "mechanism may go on in more than one way",
                      sim->step.t);
        return ss_report_fault(&sim->course, err);
    }
    return SS_OK;
}

// Of the relative acceleration that a held contact takes away, m/s^2.
static double size_of_row(const ss_sim* sim, int contact)
{
    const ss_row* row = &sim->model->contacts[contact].q;
    double size = 0.0;
    for (int k = 0; k < row->count; k++) size += fabs(row->value[k]) * ss_pull_size(sim, row->index[k], 0);
    return size;
}

double ss_turning_size(const ss_sim* sim, int i)
{
    double size = 0.0;
    for (int g = 0; g < sim->model->group_count && sim->turning; g++) {
        const ss_group* group = &sim->model->groups[g];
        const ss_hold* hold = &sim->modes.holds[g];
        if (!hold->active || !ss_group_turns(sim->model, g)) continue;
        for (int r = 0; r < hold->count; r++) {
            const ss_row* row = &sim->model->contacts[group->contacts[hold->places[r]]].mobility;
            double force = 0.0;
            for (int c = 0; c < hold->count; c++)
                force += fabs(hold->inverse[r * hold->count + c]) *
                         size_of_row(sim, group->contacts[hold->places[c]]);
            for (int k = 0; k < row->count; k++)
                if (row->index[k] == i) size += fabs(row->value[k]) * force;
        }
    }
    return size;
}

// ---- along a step

// Coefficient k of the place of body b.
static double place(const ss_sim* sim, int b, int k)
{
    const ss_model* model = sim->model;
    const ss_body* body = &model->bodies[b];
    if (body->drive >= 0) return sim->step.d[(size_t)k * (size_t)model->drive_count + (size_t)body->drive];
    double x = ss_row_dot(&body->row, sim->step.q + (size_t)k * (size_t)model->n);
    return k == 0 ? x + sim->bodies.offset[b] : x;
}

static void extend_series(ss_sim* sim, int k)
{
    ss_turning* own = sim->turning;
    for (int b = 0; b < sim->model->body_count; b++) {
        double* row = ss_run_variable(&own->series, b);
        if (row) row[k] = place(sim, b, k);
    }
    (void)ss_run_step(&own->series, k);
    *own->known = k;
}

// (k+1) sum_{j >= 1} W_j (x')_(k+1-j)
static double convective(const ss_sim* sim, const ss_joint_row* row, int k)
{
    double sum = 0.0;
    for (int f = 0; f < row->count; f++) {
        const double* w = ss_run_output(&sim->turning->series, row->factor[f]);
        for (int j = 1; j <= k + 1; j++) {
            int m = k + 1 - j;
            if (w[j] != 0.0) sum += w[j] * (m + 1) * place(sim, row->body[f], m + 1);
        }
    }
    return (k + 1) * sum;
}

static void add_lower_forces(const ss_sim* sim, const ss_joint_row* row, int k, double force[])
{
    const ss_model* model = sim->model;
    size_t m = (size_t)model->contact_count;
    for (int f = 0; f < row->count; f++) {
        const double* w = ss_run_output(&sim->turning->series, row->factor[f]);
        const ss_body* body = &model->bodies[row->body[f]];
        double sum = 0.0;
        for (int j = 1; j <= k; j++)
            sum += w[j] * sim->step.lambda[(size_t)(k - j) * m + (size_t)row->contact];
        for (int l = 0; l < body->row.count && body->drive < 0; l++)
            force[body->row.index[l]] += body->row.value[l] * sum;
    }
}

void ss_add_turned_forces(ss_sim* sim, int k)
{
    ss_turning* own = sim->turning;
    const ss_joints* joints = sim->model->joints;
    int n = sim->model->n;
    if (k == 0) {
        ss_run_begin(&own->series, sim->step.t);
        extend_series(sim, 0);
    }
    extend_series(sim, k + 1);
    for (int r = 0; r < joints->row_count; r++)
        own->convective[joints->rows[r].contact] = convective(sim, &joints->rows[r], k);
    if (k == 0) return;
    memset(own->force, 0, (size_t)n * sizeof(double));
    for (int r = 0; r < joints->row_count; r++) add_lower_forces(sim, &joints->rows[r], k, own->force);
    apply_mobility(sim->model, own->force, own->mobile);
    for (int i = 0; i < n; i++) sim->pulls.accel[i] += own->mobile[i];
}

double ss_turned_drive(const ss_sim* sim, int i, double s, const double d1[])
{
    const ss_model* model = sim->model;
    const ss_joint_row* row = model->contacts[i].turns;
    double sum = 0.0;
    for (int f = 0; f < row->count; f++) {
        const ss_body* body = &model->bodies[row->body[f]];
        if (body->drive < 0) continue;
        const double* w = ss_run_output(&sim->turning->series, row->factor[f]);
        double value = 0.0;
        for (int k = *sim->turning->known; k >= 0; k--) value = value * s + w[k];
        sum += value * d1[body->drive];
    }
    return sum;
}

// ---- back onto the joints

// The rows of the group that hold, and A^-1 of them. Returns how many.
static int invert_held(ss_sim* sim, int g, int* rank)
{
    ss_turning* own = sim->turning;
    const ss_group* group = &sim->model->groups[g];
    int count = 0;
    for (int p = 0; p < group->count; p++)
        if (ss_holds(&sim->step, &sim->modes, group->contacts[p])) own->rows[count++] = p;
    for (int r = 0; r < count; r++)
        for (int c = 0; c < count; c++)
            own->matrix[r * count + c] = group->coupling[own->rows[r] * group->count + own->rows[c]];
    *rank = ss_pseudo_inverse(own->matrix, count, SS_RELATIVE_ZERO, own->inverse, NULL, own->work);
    return count;
}

// x -= M^-1 W A^-1 error
static void correct(ss_sim* sim, int g, int count, double x[])
{
    const ss_turning* own = sim->turning;
    const ss_group* group = &sim->model->groups[g];
    for (int r = 0; r < count; r++) {
        const ss_row* row = &sim->model->contacts[group->contacts[own->rows[r]]].mobility;
        double impulse = 0.0;
        for (int c = 0; c < count; c++) impulse -= own->inverse[r * count + c] * own->error[c];
        for (int k = 0; k < row->count; k++) x[row->index[k]] += row->value[k] * impulse;
    }
}

// One step of Newton's method for the places of a group; returns how far they were off.
static double correct_places(ss_sim* sim, int g)
{
    ss_turning* own = sim->turning;
    const ss_group* group = &sim->model->groups[g];
    int rank, count = invert_held(sim, g, &rank);
    double worst = 0.0;
    for (int r = 0; r < count; r++) {
        const ss_joint_row* turns = sim->model->contacts[group->contacts[own->rows[r]]].turns;
        own->error[r] = turns ? own->values[turns->gap] : 0.0;
        worst = fmax(worst, fabs(own->error[r]));
    }
    if (worst > 0.0) correct(sim, g, count, sim->step.q);
    return worst;
}

static void correct_speeds(ss_sim* sim, int g)
{
    ss_turning* own = sim->turning;
    const ss_model* model = sim->model;
    const ss_group* group = &model->groups[g];
    int rank, count = invert_held(sim, g, &rank);
    bool driven = false;
    for (int r = 0; r < count; r++) {
        const ss_contact* contact = &model->contacts[group->contacts[own->rows[r]]];
        double drive = ss_row_dot(&contact->d, sim->step.d + model->drive_count);
        own->error[r] = ss_row_dot(&contact->q, sim->step.q + model->n) + drive;
        driven = driven || drive != 0.0;
    }
    double *v = sim->step.q + model->n, *before = own->mobile;
    memcpy(before, v, (size_t)model->n * sizeof *v);
    correct(sim, g, count, v);
    for (int c = 0; c < group->coordinate_count; c++) { // what cannot move has no speed, not a rounded one
        int i = group->coordinates[c];
        bool held = rank == group->coordinate_count && !driven; // nothing is left free
        if (held || fabs(v[i]) <= 64.0 * DBL_EPSILON * fabs(before[i])) v[i] = 0.0;
    }
}

void ss_constrain_joint_speeds(ss_sim* sim)
{
    for (int g = 0; g < sim->model->group_count && sim->turning; g++)
        if (ss_group_turns(sim->model, g)) correct_speeds(sim, g);
}

void ss_project_onto_joints(ss_sim* sim)
{
    enum { ROUNDS = 4 }; // the first leaves the square of what a step is off by
    if (!sim->turning) return;
    double before = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        double worst = 0.0;
        find_rows(sim);
        for (int g = 0; g < sim->model->group_count; g++)
            if (ss_group_turns(sim->model, g)) worst = fmax(worst, correct_places(sim, g));
        if (worst <= 2.0 * DBL_EPSILON * sim->model->joints->size || !(worst < before)) break;
        before = worst;
    }
    find_rows(sim);
    ss_constrain_joint_speeds(sim);
}

ss_status ss_check_joints(ss_sim* sim, ss_error* err)
{
    static const double allowed = 1e-9; // of the size of the mechanism, and of the largest speed
    if (!sim->turning) return SS_OK;
    const ss_model* model = sim->model;
    const ss_joints* joints = model->joints;
    double fastest = 0.0;
    ss_begin_turning(sim);
    for (int i = 0; i < model->n; i++) {
        bool angular = model->bodies[model->coordinate_body[i]].angular;
        fastest = fmax(fastest, fabs(sim->step.q[model->n + i]) * (angular ? joints->size : 1.0));
    }
    for (int r = 0; r < joints->row_count; r++) {
        const ss_joint_row* row = &joints->rows[r];
        const ss_contact* contact = &model->contacts[row->contact];
        double gap = sim->turning->values[row->gap],
               v = ss_row_dot(&contact->q, sim->step.q + model->n) +
                   ss_row_dot(&contact->d, sim->step.d + model->drive_count);
        char field[128];
        snprintf(field, sizeof field, "joints.%.100s", joints->list[row->joint].name);
        if (fabs(gap) > allowed * joints->size)
            return ss_fail(err, SS_BAD_INPUT, field, "is %.9g %s apart at the start", fabs(gap),
                           contact->angular ? "rad" : "m");
        if (fabs(v) > allowed * fastest)
            return ss_fail(err, SS_BAD_INPUT, field, "moves apart with %.9g %s at the start", fabs(v),
                           contact->angular ? "rad/s" : "m/s");
    }
    for (int g = 0; g < model->group_count; g++)
        if (starts_flat(sim, g))
            return ss_fail(err, SS_BAD_INPUT, "joints",
                           "the start is a singular position, such as links in one line, where the mechanism "
                           "may go on in more than one way, or in none; start beside it");
    return SS_OK;
}
