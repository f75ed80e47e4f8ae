// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pulls: the one list of everything that accelerates the coordinates. A kind of pull stands here once, with
// what may be asked of it: its coefficients of order k, and how large they are, as the sum of the magnitudes
// of their terms. What is below a small share of that sum is rounding.
//
//   reads    model, series up to order k (positions) and k + 1 (speeds), series of the inputs
//   writes   accel, and the forces of contacts that do not hold
//   promise  ss_free_acceleration and ss_pull_size walk over the same list: no pull is left out of one
//
// Contacts that hold are not in the list: their forces follow from the accelerations that the list gives
// (series.c), and count for ss_pull_size with all other contacts.
#include "engine/flow/bristle_run.h"
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/flow/turning.h"

#include <math.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

// The time itself is rounded, to a few epsilons. What is below 1e-12 of a size counts as zero, so that 5e-4 t
// are 2.25 epsilons of what changes with the time.
double ss_time_rounding(const ss_step* step, int k) { return (k + 1) * 5e-4 * fabs(step->t); }

// Coefficient of a row at a column, or 0.
static double entry(const ss_row* row, int column)
{
    double sum = 0.0;
    for (int j = 0; j < row->count; j++)
        if (row->index[j] == column) sum += row->value[j];
    return sum;
}

// ---- linear springs and dampers

static void add_springs(ss_sim* sim, int k)
{
    const ss_model* model = sim->model;
    const ss_operator* op = &model->matrices.flow;
    int n = model->n;
    const double *q = sim->step.q + (size_t)k * (size_t)n, *q1 = q + n;
    double factor = k + 1;
    if (sim->step.clock.stop) {
        q1 = sim->step.clock.speed + (size_t)k * (size_t)n;
        factor = 1.0;
    }
    for (int i = 0; i < n; i++) {
        double stiff = 0.0, damp = 0.0;
        for (int l = op->start[i]; l < op->start[i + 1]; l++) {
            stiff += op->stiffness[l] * q[op->index[l]];
            damp += op->damping[l] * q1[op->index[l]];
        }
        sim->pulls.accel[i] = -(stiff + factor * damp); // the first of the list: it sets what others add to
    }
}

static double size_of_springs(const ss_sim* sim, int row, int k)
{
    const ss_operator* op = &sim->model->matrices.flow;
    const double *q = sim->step.q + (size_t)k * (size_t)sim->model->n, *q1 = q + sim->model->n;
    double sum = 0.0;
    for (int l = op->start[row]; l < op->start[row + 1]; l++)
        sum += fabs(op->stiffness[l] * q[op->index[l]]) + (k + 1) * fabs(op->damping[l] * q1[op->index[l]]);
    return sum;
}

// ---- constant forces, lengths of springs, offsets of tied bodies

static void add_constant(ss_sim* sim, int k)
{
    for (int i = 0; i < sim->model->n && k == 0; i++) sim->pulls.accel[i] += sim->pulls.constant[i];
}

static double size_of_constant(const ss_sim* sim, int row, int k)
{
    return k == 0 ? sim->pulls.constant_size[row] : 0.0;
}

// ---- forces that vary in time

static void add_inputs(ss_sim* sim, int k)
{
    const ss_model* model = sim->model;
    for (int j = 0; j < sim->inputs.varying_count; j++) {
        const ss_row* row = &model->forces[sim->inputs.varying[j]].mobility;
        double f = sim->inputs.force[(size_t)k * (size_t)model->force_count + (size_t)sim->inputs.varying[j]];
        for (int l = 0; l < row->count; l++) sim->pulls.accel[row->index[l]] += row->value[l] * f;
    }
}

static double size_of_inputs(const ss_sim* sim, int row, int k)
{
    const ss_model* model = sim->model;
    double sum = 0.0;
    for (int j = 0; j < sim->inputs.varying_count; j++) {
        const ss_force* force = &model->forces[sim->inputs.varying[j]];
        double mobility = fabs(entry(&force->mobility, row));
        if (mobility == 0.0) continue;
        const double* series =
            sim->inputs.force + (size_t)k * (size_t)model->force_count + (size_t)sim->inputs.varying[j];
        double f = fabs(series[0]) + ss_time_rounding(&sim->step, k) * fabs(series[model->force_count]);
        if (k == 0) f = fmax(f, ss_signal_size(force->signal, sim->step.t)); // its terms may cancel
        sum += mobility * f;
    }
    return sum;
}

double ss_input_pull(const ss_sim* sim, int row, double* size)
{
    const ss_model* model = sim->model;
    double sum = 0.0;
    for (int j = 0; j < sim->inputs.varying_count; j++) {
        int f = sim->inputs.varying[j];
        sum += entry(&model->forces[f].mobility, row) * sim->inputs.force[f];
    }
    *size += size_of_inputs(sim, row, 0);
    return sum;
}

// ---- springs and dampers to driven bodies

static void add_drives(ss_sim* sim, int k)
{
    const ss_model* model = sim->model;
    const double* d = sim->step.d + (size_t)k * (size_t)model->drive_count;
    const double* d1 = sim->step.clock.stop ? sim->step.clock.drive_speed : d + model->drive_count;
    double factor = !sim->step.clock.stop ? k + 1 : k == 0 ? 1.0 : 0.0;
    const ss_sparse *stiff = &model->matrices.drive_stiffness, *damp = &model->matrices.drive_damping;
    for (int i = 0; i < model->n; i++) {
        double sum = 0.0;
        for (int l = stiff->start[i]; l < stiff->start[i + 1]; l++)
            sum += stiff->value[l] * d[stiff->index[l]];
        for (int l = damp->start[i]; l < damp->start[i + 1]; l++)
            sum += factor * damp->value[l] * d1[damp->index[l]];
        sim->pulls.accel[i] -= sum;
    }
}

static double size_of_drives(const ss_sim* sim, int row, int k)
{
    const ss_model* model = sim->model;
    const ss_sparse *stiff = &model->matrices.drive_stiffness, *damp = &model->matrices.drive_damping;
    int nd = model->drive_count;
    const double *d = sim->step.d + (size_t)k * (size_t)nd, *d1 = d + nd, *d2 = d1 + nd;
    double sum = 0.0, lag = ss_time_rounding(&sim->step, k);
    for (int l = stiff->start[row]; l < stiff->start[row + 1]; l++)
        sum += fabs(stiff->value[l]) * (fabs(d[stiff->index[l]]) + lag * fabs(d1[stiff->index[l]]));
    for (int l = damp->start[row]; l < damp->start[row + 1]; l++)
        sum += (k + 1) * fabs(damp->value[l]) *
               (fabs(d1[damp->index[l]]) + (k + 2) / (k + 1.0) * lag * fabs(d2[damp->index[l]]));
    return sum;
}

// ---- cubic springs

static void add_cubic_springs(ss_sim* sim, int k)
{
    const ss_model* model = sim->model;
    double* series = sim->pulls.elongation;
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        if (spring->cubic == 0.0) continue;
        double *e = series, *e2 = e + WIDTH, *e3 = e2 + WIDTH;
        series = e3 + WIDTH;
        e[k] = ss_row_dot(&spring->q, sim->step.q + (size_t)k * (size_t)model->n);
        if (spring->d.count > 0)
            e[k] += ss_row_dot(&spring->d, sim->step.d + (size_t)k * (size_t)model->drive_count);
        if (k == 0) e[k] += ss_row_dot(&spring->bodies, sim->bodies.offset) - spring->length;
        e2[k] = ss_product(e, e, k);
        e3[k] = ss_product(e2, e, k);
        const ss_row* row = &spring->mobility;
        for (int j = 0; j < row->count; j++)
            sim->pulls.accel[row->index[j]] -= spring->cubic * e3[k] * row->value[j];
    }
}

// Magnitudes of what coefficient k of an elongation is added up from.
static double elongation_terms(const ss_model* model, const ss_step* step, const ss_connection* spring, int k)
{
    const double* q = step->q + (size_t)k * (size_t)model->n;
    const double* d = step->d + (size_t)k * (size_t)model->drive_count;
    double sum = k == 0 ? fabs(spring->length) : 0.0;
    for (int j = 0; j < spring->q.count; j++) sum += fabs(spring->q.value[j] * q[spring->q.index[j]]);
    for (int j = 0; j < spring->d.count; j++) sum += fabs(spring->d.value[j] * d[spring->d.index[j]]);
    return sum;
}

// e^3 changes by 3 e^2 of what e does.
static double size_of_cubic_springs(const ss_sim* sim, int row, int k)
{
    const ss_model* model = sim->model;
    const double* series = sim->pulls.elongation;
    double sum = 0.0;
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        if (spring->cubic == 0.0) continue;
        const double* e2 = series + WIDTH;
        series += 3 * WIDTH;
        double mobility = fabs(spring->cubic * entry(&spring->mobility, row)), terms = 0.0;
        if (mobility == 0.0) continue;
        for (int j = 0; j <= k; j++)
            terms += fabs(e2[k - j]) * elongation_terms(sim->model, &sim->step, spring, j);
        sum += mobility * 3.0 * terms;
    }
    return sum;
}

// ---- contacts

static void add_slip_forces(ss_sim* sim, int k)
{
    if (k > 0 && sim->modes.active_slips == 0) return;
    int m = sim->model->contact_count;
    for (int i = 0; i < m; i++) {
        ss_mode mode = sim->modes.contacts[i].mode;
        if ((mode != SS_MODE_SLIP_PLUS && mode != SS_MODE_SLIP_MINUS) || ss_is_bristle(&sim->step, i))
            continue;
        if (ss_has_level_forces(sim, sim->model->contacts[i].group)) continue;
        double f = ss_slip_force(sim, i, k);
        sim->step.lambda[(size_t)k * (size_t)m + (size_t)i] = f;
        if (f != 0.0) ss_add_force(sim->model, &sim->pulls, i, f);
    }
    if (sim->level_forces) ss_add_level_slips(sim, k);
}

// Of all contacts, whatever their law: what slips, is closed, bristles, or holds.
static double size_of_contacts(const ss_sim* sim, int row, int k)
{
    const double* lambda = sim->step.lambda + (size_t)k * (size_t)sim->model->contact_count;
    double sum = 0.0;
    for (int c = 0; c < sim->model->contact_count; c++)
        if (lambda[c] != 0.0) sum += fabs(entry(&sim->model->contacts[c].mobility, row) * lambda[c]);
    return sum;
}

// ---- the list

static bool always(const ss_sim* sim) { return sim->model->n > 0; }
static bool has_inputs(const ss_sim* sim) { return sim->inputs.varying_count > 0; }
static bool has_drives(const ss_sim* sim) { return sim->model->drive_count > 0; }
static bool has_cubic(const ss_sim* sim) { return sim->pulls.has_cubic; }
static bool has_elastic(const ss_sim* sim) { return sim->step.laws.elastic_count > 0; }
static bool has_bristles(const ss_sim* sim) { return sim->step.laws.bristle_count > 0; }
static bool is_open(const ss_sim* sim) { return sim->model->open != NULL; }
static bool turns(const ss_sim* sim) { return sim->turning != NULL; }
static bool has_contacts(const ss_sim* sim) { return sim->model->contact_count > 0; }

typedef struct pull {
    bool (*exists)(const ss_sim* sim);
    void (*add)(ss_sim* sim, int k);                   // to accel
    double (*size)(const ss_sim* sim, int row, int k); // 1/kg times N; NULL: among the contacts
} pull;

static const pull pulls[] = {
    {always, add_springs, size_of_springs},
    {always, add_constant, size_of_constant},
    {has_inputs, add_inputs, size_of_inputs},
    {has_drives, add_drives, size_of_drives},
    {has_cubic, add_cubic_springs, size_of_cubic_springs},
    {is_open, ss_open_add, ss_open_size},
    {has_elastic, ss_add_elastic_forces, NULL},
    {has_bristles, ss_add_bristle_forces, NULL},
    {has_contacts, add_slip_forces, size_of_contacts},
    {turns, ss_add_turned_forces, NULL},
};
enum { PULLS = sizeof pulls / sizeof pulls[0] };
_Static_assert((int)PULLS <= (int)SS_PULLS, "room in ss_sim.pulls");

void ss_list_pulls(ss_sim* sim)
{
    sim->pulls.count = 0;
    for (int p = 0; p < PULLS; p++)
        if (pulls[p].exists(sim)) sim->pulls.list[sim->pulls.count++] = (signed char)p;
}

void ss_free_acceleration(ss_sim* sim, int k)
{
    for (int p = 0; p < sim->pulls.count; p++) pulls[sim->pulls.list[p]].add(sim, k);
    if (sim->open.programs && ss_open_is_held(&sim->open)) ss_open_hold_order(sim, k);
}

double ss_pull_size(const ss_sim* sim, int row, int k)
{
    double sum = 0.0;
    for (int p = 0; p < sim->pulls.count; p++) {
        const pull* own = &pulls[sim->pulls.list[p]];
        if (own->size) sum += own->size(sim, row, k);
    }
    return sum;
}

double ss_acceleration_size(const ss_sim* sim, int i, int k)
{
    const ss_model* model = sim->model;
    const ss_contact* contact = &model->contacts[i];
    const double* d2 = sim->step.d + (size_t)(k + 2) * (size_t)model->drive_count;
    double size = 0.0;
    for (int c = 0; c < contact->q.count; c++)
        size += fabs(contact->q.value[c]) * ss_pull_size(sim, contact->q.index[c], k);
    for (int c = 0; c < contact->d.count; c++)
        size += (k + 1) * (k + 2) * fabs(contact->d.value[c] * d2[contact->d.index[c]]);
    return size;
}
