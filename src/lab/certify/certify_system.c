// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From a model to the system the theorems speak of: matrices, levels, constant forces, and what is outside.
#include "core/number_length.h"
#include "lab/algebra.h"
#include "lab/certify/certify.h"
#include "law/table.h"
#include "model/model_impl.h"
#include "share/quantity.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* ss_cert_text(ss_pool* pool, const char* format, ...)
{
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    ss_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    return ss_pool_text(pool, text, strlen(text));
}

static double* new_numbers(ss_pool* pool, int rows, int columns)
{
    return ss_pool_new(pool, (size_t)rows * (size_t)columns, sizeof(double));
}

// ---- what is outside

static const char* moving_input(ss_pool* pool, const ss_model* model)
{
    for (int i = 0; i < model->drive_count; i++) {
        const ss_drive* drive = &model->drives[i];
        bool still = ss_signal_is_constant(drive->signal) &&
                     (!drive->is_speed || ss_signal_value(drive->signal, 0.0) == 0.0);
        if (!still)
            return ss_cert_text(pool, "'%s' is driven: the theorems are about systems left to themselves",
                                model->bodies[drive->body].name);
    }
    for (int i = 0; i < model->force_count; i++)
        if (!ss_signal_is_constant(model->forces[i].signal))
            return ss_cert_text(pool, "forces[%d] varies in time: the theorems want constant forces", i);
    return NULL;
}

static const char* foreign_contact(ss_pool* pool, const ss_contact* contact)
{
    if (ss_law_has(contact->law, SS_TRAIT_STOPS))
        return ss_cert_text(pool, "contact '%s' is a stop: the theorems know no impacts", contact->name);
    if (!ss_law_has(contact->law, SS_TRAIT_HOLDS))
        return ss_cert_text(
            pool, "contact '%s' gives way before it slips (bristles): the theorems want dry friction",
            contact->name);
    if (contact->loaded)
        return ss_cert_text(pool, "the normal force of contact '%s' varies: the theorems want it constant",
                            contact->name);
    if (isnan(ss_law_ask(contact->law_entry, ss_law_of(contact), NAN).viscous))
        return ss_cert_text(pool,
                            "contact '%s' slips by a curve of its own: the theorems want its least level",
                            contact->name);
    for (int k = 0; k < 4; k++)
        if (contact->level[k] && !ss_signal_is_constant(contact->level[k]))
            return ss_cert_text(pool, "the friction of contact '%s' varies in time", contact->name);
    return NULL;
}

static const char* foreign_spring(ss_pool* pool, const ss_model* model)
{
    for (int i = 0; i < model->connection_count; i++)
        if (model->connections[i].cubic < 0.0)
            return ss_cert_text(pool,
                                "connections[%d] softens (cubic < 0): its energy is not positive far out", i);
    return NULL;
}

static const char* weak_stiffness(ss_pool* pool, double least)
{
    if (least == 0.0)
        return ss_cert_text(
            pool, "K is only semidefinite (least eigenvalue 0 N/m): something moves without any spring");
    return ss_cert_text(pool, "K is not positive definite: its least eigenvalue is %.6g N/m", least);
}

static const char* find_outside(ss_cert* c, const ss_model* model)
{
    if (model->n == 0) return ss_cert_text(&c->pool, "no body moves freely");
    const char* reason = moving_input(&c->pool, model);
    for (int i = 0; !reason && i < model->contact_count; i++)
        reason = foreign_contact(&c->pool, &model->contacts[i]);
    if (!reason) reason = ss_cert_open_outside(&c->pool, model);
    c->s.autonomous = !reason;
    if (!reason) reason = foreign_spring(&c->pool, model);
    if (!reason && c->s.K_asymmetry > 0.0)
        reason = ss_cert_text(
            &c->pool, "K is not symmetric (two entries differ by %.6g N/m): its forces have no energy",
            c->s.K_asymmetry);
    if (!reason && !c->s.K_factor) reason = weak_stiffness(&c->pool, c->s.K_least);
    return reason;
}

// ---- matrices and levels

static void read_contact(ss_cert_system* s, const ss_contact* contact, int k)
{
    // What V' may count on: what the level never falls below, whichever way it slips, and the damping.
    ss_law_facts facts = ss_law_ask(contact->law_entry, ss_law_of(contact), NAN);
    double *least = facts.least, viscous = contact->loaded ? 0.0 : facts.viscous, hold[2];
    // A normal force that varies is outside the theorems, too; how small it may become is not known.
    for (int j = 0; j < 2 && contact->loaded; j++) least[j] = 0.0;
    if (!isfinite(least[0] + least[1])) return; // outside the theorems
    for (int j = 0; j < 2; j++) hold[j] = contact->levels[j == 0 ? SS_STATIC_FORWARD : SS_STATIC_BACKWARD];
    double constant = 0.5 * (least[1] - least[0]); // of kinetic friction
    s->p[k] = 0.5 * (least[0] + least[1]);
    s->hold[k] = 0.5 * (hold[0] + hold[1]);
    s->hold_middle[k] = 0.5 * (hold[1] - hold[0]) - constant;
    s->falling = s->falling || hold[0] > least[0] || hold[1] > least[1];
    s->one_sided = s->one_sided || least[0] != least[1];
    s->stribeck = s->stribeck || !ss_contact_is(contact, SS_TRAIT_LEVELS);
    for (int i = 0; i < s->n; i++) {
        double w = s->W[i * s->m + k];
        s->load[i] += w * constant;
        for (int j = 0; viscous > 0.0 && j < s->n; j++)
            s->C[i * s->n + j] += viscous * w * s->W[j * s->m + k];
    }
}

// Tied bodies keep their distance from what the coordinates say; drives that never move stand where they
// start.
static void fill_places(const ss_model* model, double q[], double d[], double offset[])
{
    for (int i = 0; i < model->n; i++) q[i] = model->bodies[model->coordinate_body[i]].start_x;
    for (int i = 0; i < model->drive_count; i++) d[i] = model->bodies[model->drives[i].body].start_x;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool tied = body->drive < 0 && body->coordinate < 0;
        offset[b] = tied ? body->start_x - ss_row_dot(&body->row, q) : 0.0;
    }
}

static void add_row(const ss_row* row, double factor, double out[])
{
    for (int k = 0; k < row->count; k++) out[row->index[k]] += factor * row->value[k];
}

static void read_springs(ss_cert* c, const ss_model* model, const double d[], const double offset[])
{
    ss_cert_system* s = &c->s;
    for (int i = 0; i < model->connection_count; i++) {
        const ss_connection* spring = &model->connections[i];
        double shift = ss_row_dot(&spring->d, d) + ss_row_dot(&spring->bodies, offset) - spring->length;
        add_row(&spring->q, -spring->stiffness * shift, s->load);
        if (spring->cubic == 0.0) continue;
        ss_cubic* cubic = &s->cubics[s->cubic_count++];
        *cubic = (ss_cubic){new_numbers(&c->pool, 1, s->n), spring->cubic, shift};
        if (cubic->row) add_row(&spring->q, 1.0, cubic->row);
    }
}

static bool read_forces(ss_cert* c, const ss_model* model)
{
    ss_cert_system* s = &c->s;
    double* q = new_numbers(&c->pool, 1, s->n);
    double* d = new_numbers(&c->pool, 1, model->drive_count);
    double* offset = new_numbers(&c->pool, 1, model->body_count);
    s->cubics = ss_pool_new(&c->pool, (size_t)model->connection_count, sizeof *s->cubics);
    if (c->pool.failed) return false;
    fill_places(model, q, d, offset);
    read_springs(c, model, d, offset);
    ss_cert_open_load(model, d, offset, s->load);
    for (int i = 0; i < model->force_count; i++)
        add_row(&model->forces[i].q, ss_signal_value(model->forces[i].signal, 0.0), s->load);
    for (int i = 0; model->matrices.constant && i < s->n; i++) s->load[i] += model->matrices.constant[i];
    return !c->pool.failed;
}

// Forces that are written as expressions may make K asymmetric; what rounding has done to it is undone.
static void make_symmetric(ss_cert_system* s)
{
    int n = s->n;
    s->K_asymmetry = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double *a = &s->K[i * n + j], *b = &s->K[j * n + i], off = fabs(*a - *b);
            if (off > 8.0 * n * DBL_EPSILON * fmax(fabs(*a), fabs(*b)))
                s->K_asymmetry = fmax(s->K_asymmetry, off);
            else
                *a = *b = 0.5 * (*a + *b);
        }
}

// Whether K is positive definite is judged with its rows scaled to diagonal 1, so that units do not matter.
static bool factor_stiffness(ss_cert* c)
{
    ss_cert_system* s = &c->s;
    int n = s->n;
    make_symmetric(s);
    if (s->K_asymmetry > 0.0) return true;
    double *scaled = new_numbers(&c->pool, n, n), *values = new_numbers(&c->pool, 1, n);
    double* factor = new_numbers(&c->pool, n, n);
    if (c->pool.failed) return false;
    memcpy(factor, s->K, (size_t)n * (size_t)n * sizeof *factor);
    if (!ss_algebra_eigen(factor, n, values)) return false;
    s->K_least = n > 0 ? values[0] : 0.0;
    if (n > 0 && fabs(values[0]) <= 8.0 * n * DBL_EPSILON * fabs(values[n - 1])) s->K_least = 0.0;
    for (int i = 0; i < n; i++) {
        if (!(s->K[i * n + i] > 0.0)) return true;
        for (int j = 0; j < n; j++)
            scaled[i * n + j] = s->K[i * n + j] / (sqrt(s->K[i * n + i]) * sqrt(s->K[j * n + j]));
    }
    if (!ss_algebra_eigen(scaled, n, values)) return false;
    if (n > 0 && values[0] <= 8.0 * n * DBL_EPSILON) return true;
    memcpy(factor, s->K, (size_t)n * (size_t)n * sizeof *factor);
    if (ss_algebra_cholesky(factor, n)) s->K_factor = factor;
    return true;
}

static bool read_matrices(ss_cert* c, const ss_model* model)
{
    ss_cert_system* s = &c->s;
    s->n = model->n;
    s->m = model->contact_count;
    double** square[] = {&s->M, &s->C, &s->Cs, &s->K, &s->M_factor};
    for (size_t k = 0; k < sizeof square / sizeof *square; k++)
        *square[k] = new_numbers(&c->pool, s->n, s->n);
    double** vectors[] = {&s->p, &s->hold, &s->hold_middle};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = new_numbers(&c->pool, 1, s->m);
    s->W = new_numbers(&c->pool, s->n, s->m);
    s->load = new_numbers(&c->pool, 1, s->n);
    if (c->pool.failed) return false;
    ss_model_get_matrix(model, SS_MATRIX_MASS, s->M);
    ss_model_get_matrix(model, SS_MATRIX_DAMPING, s->C);
    ss_model_get_matrix(model, SS_MATRIX_STIFFNESS, s->K);
    ss_model_get_matrix(model, SS_MATRIX_DIRECTIONS, s->W);
    for (int k = 0; k < s->m; k++) read_contact(s, &model->contacts[k], k);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) s->Cs[i * s->n + j] = 0.5 * (s->C[i * s->n + j] + s->C[j * s->n + i]);
    memcpy(s->M_factor, s->M, (size_t)s->n * (size_t)s->n * sizeof *s->M);
    s->mass_is_singular = !ss_algebra_cholesky(s->M_factor, s->n);
    return !s->mass_is_singular;
}

// ---- the potential

void ss_cert_gradient(const ss_cert_system* s, const double q[], double out[])
{
    for (int i = 0; i < s->n; i++) out[i] = ss_algebra_dot(&s->K[i * s->n], q, s->n) - s->load[i];
    for (int j = 0; j < s->cubic_count; j++) {
        const ss_cubic* spring = &s->cubics[j];
        double e = ss_algebra_dot(spring->row, q, s->n) + spring->shift;
        for (int i = 0; i < s->n; i++) out[i] += spring->cubic * e * e * e * spring->row[i];
    }
}

// Written in x = q - center, where its first derivatives vanish: nothing large is subtracted.
double ss_cert_potential(const ss_cert_system* s, const double q[])
{
    double sum = 0.0;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            sum += 0.5 * (q[i] - s->center[i]) * s->K[i * s->n + j] * (q[j] - s->center[j]);
    for (int j = 0; j < s->cubic_count; j++) {
        const ss_cubic* spring = &s->cubics[j];
        double e = ss_algebra_dot(spring->row, s->center, s->n) + spring->shift, y = 0.0;
        for (int i = 0; i < s->n; i++) y += spring->row[i] * (q[i] - s->center[i]);
        sum += 0.25 * spring->cubic * y * y * (6.0 * e * e + 4.0 * e * y + y * y);
    }
    return sum;
}

static void fill_hessian(const ss_cert_system* s, const double q[], double h[])
{
    memcpy(h, s->K, (size_t)s->n * (size_t)s->n * sizeof *h);
    for (int j = 0; j < s->cubic_count; j++) {
        const ss_cubic* spring = &s->cubics[j];
        double e = ss_algebra_dot(spring->row, q, s->n) + spring->shift;
        for (int i = 0; i < s->n; i++)
            for (int k = 0; k < s->n; k++)
                h[i * s->n + k] += 3.0 * spring->cubic * e * e * spring->row[i] * spring->row[k];
    }
}

// Newton's method on a strictly convex function; a step is shortened until the slope along it has fallen.
static bool balance_by_newton(const ss_cert_system* s, const double force[], double q[], double* work)
{
    int n = s->n;
    double *h = work, *step = h + n * n, *next = step + n, *g = next + n;
    for (int round = 0; round < 200; round++) {
        ss_cert_gradient(s, q, step);
        for (int i = 0; i < n; i++) step[i] = force[i] - step[i];
        double slope = 0.0, size = 0.0, moved = 0.0;
        memcpy(g, step, (size_t)n * sizeof *g);
        fill_hessian(s, q, h);
        if (!ss_algebra_cholesky(h, n)) return false;
        ss_algebra_cholesky_solve(h, n, step);
        slope = ss_algebra_dot(g, step, n);
        double length = 1.0;
        for (int halving = 0; halving < 30; halving++, length *= 0.5) {
            for (int i = 0; i < n; i++) next[i] = q[i] + length * step[i];
            ss_cert_gradient(s, next, g);
            double left = 0.0;
            for (int i = 0; i < n; i++) left += (force[i] - g[i]) * step[i];
            if (fabs(left) <= 0.9 * slope) break;
        }
        for (int i = 0; i < n; i++) {
            moved = fmax(moved, fabs(next[i] - q[i]));
            size = fmax(size, fabs(next[i]));
            q[i] = next[i];
        }
        if (moved <= 4.0 * DBL_EPSILON * size) return true;
    }
    return true; // rounding keeps it from standing still; the answer is as good as it gets
}

bool ss_cert_balance(const ss_cert_system* s, const double force[], double q[])
{
    int n = s->n;
    if (s->cubic_count == 0) {
        for (int i = 0; i < n; i++) q[i] = force[i] + s->load[i];
        ss_algebra_cholesky_solve(s->K_factor, n, q);
        return true;
    }
    double* work = calloc((size_t)n * (size_t)n + 3 * (size_t)n + 1, sizeof *work);
    bool good = work && balance_by_newton(s, force, q, work);
    free(work);
    return good;
}

static bool find_center(ss_cert* c)
{
    ss_cert_system* s = &c->s;
    if (s->outside) return true;
    double* nothing = new_numbers(&c->pool, 1, s->n);
    s->center = new_numbers(&c->pool, 1, s->n);
    if (c->pool.failed) return false;
    memcpy(s->center, s->load, (size_t)s->n * sizeof *s->center);
    ss_algebra_cholesky_solve(s->K_factor, s->n, s->center); // without cubic springs: where Newton starts
    return ss_cert_balance(s, nothing, s->center);
}

bool ss_cert_gather(ss_cert* c, const ss_model* model)
{
    if (!read_matrices(c, model) || !read_forces(c, model) || !factor_stiffness(c)) return false;
    c->s.outside = find_outside(c, model);
    return find_center(c) && ss_zonotope_make(&c->pool, c->s.W, c->s.p, c->s.n, c->s.m, &c->slide) &&
           ss_zonotope_make(&c->pool, c->s.W, c->s.hold, c->s.n, c->s.m, &c->held);
}
