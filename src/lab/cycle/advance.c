// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A steady advance: where bodies are driven at constant speeds s, coordinates may advance with them at u such
// that no spring notices, K u + Kd s = 0, and nothing else that depends on places does.
#include "core/error.h"
#include "core/expression/program.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/cycle/orbit.h"
#include "model/actions.h"
#include "share/quantity.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rate of x_A - x_B, or of an elongation.
static double rate_of(const ss_row* q, const ss_row* d, const double u[], const double s[], double* size)
{
    double sum = 0.0;
    for (int k = 0; k < q->count; k++) {
        sum += q->value[k] * u[q->index[k]];
        *size = fmax(*size, fabs(q->value[k] * u[q->index[k]]));
    }
    for (int k = 0; k < d->count; k++) {
        sum += d->value[k] * s[d->index[k]];
        *size = fmax(*size, fabs(d->value[k] * s[d->index[k]]));
    }
    return sum;
}

static bool is_nothing(double rate, double size) { return fabs(rate) <= SS_FAINT * size; }

static bool sparse_feels(const ss_sparse* a, const ss_sparse* b, const double u[], const double s[])
{
    for (int i = 0; i < a->rows; i++) {
        double sum = 0.0, size = 0.0;
        for (int l = a->start[i]; l < a->start[i + 1]; l++) {
            sum += a->value[l] * u[a->index[l]];
            size = fmax(size, fabs(a->value[l] * u[a->index[l]]));
        }
        for (int l = b->start[i]; l < b->start[i + 1]; l++) {
            sum += b->value[l] * s[b->index[l]];
            size = fmax(size, fabs(b->value[l] * s[b->index[l]]));
        }
        if (!is_nothing(sum, size)) return true;
    }
    return false;
}

// Whether what programs compute changes as the bodies advance. Differences of places that go on together do
// not.
static bool programs_feel(const ss_model* model, const double u[], const double s[])
{
    double ignored;
    double* rates = ss_new((size_t)model->open->variable_count, sizeof(double));
    bool felt = !rates; // not known
    for (int b = 0; b < model->body_count && rates; b++)
        rates[b] =
            model->bodies[b].drive >= 0 ? s[model->bodies[b].drive] : ss_row_dot(&model->bodies[b].row, u);
    ss_advance by = {.variables = rates};
    if (rates && model->actions->motion.output_count > 0)
        felt = ss_program_frequencies(&model->actions->motion, &by, &ignored, 0) != 0;
    for (int b = 0; b < model->open->block_count && !felt; b++)
        felt = ss_program_frequencies(&model->open->blocks[b].program, &by, &ignored, 0) != 0;
    free(rates);
    return felt;
}

static bool is_felt(const ss_model* model, const double u[], const double s[])
{
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        double size = 0.0, rate = rate_of(&spring->q, &spring->d, u, s, &size);
        if (spring->cubic != 0.0 && !is_nothing(rate, size)) return true;
    }
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        double size = 0.0, rate = rate_of(&contact->q, &contact->d, u, s, &size);
        if (ss_law_has(contact->law, SS_TRAIT_STOPS) && !is_nothing(rate, size)) return true;
    }
    if (!model->open) return false;
    const ss_state_flow* flow = &model->actions->flow;
    if (sparse_feels(&flow->places, &flow->drives, u, s)) return true;
    return programs_feel(model, u, s);
}

// Solves K u = -Kd s in the least-squares sense; false without memory.
static bool solve(const ss_model* model, const double s[], double u[])
{
    int n = model->n, rank;
    const ss_operator* op = &model->matrices.flow;
    const ss_sparse* drives = &model->matrices.drive_stiffness;
    double* k = ss_new((size_t)n * (size_t)n + (size_t)n, sizeof(double));
    if (!k) return false;
    for (int i = 0; i < n; i++) {
        u[i] = 0.0;
        for (int l = op->start[i]; l < op->start[i + 1]; l++) k[i * n + op->index[l]] += op->stiffness[l];
        for (int l = drives->start[i]; l < drives->start[i + 1]; l++)
            u[i] -= drives->value[l] * s[drives->index[l]];
    }
    int info = LAPACKE_dgelsd(LAPACK_ROW_MAJOR, n, n, 1, k, n, u, 1, k + n * n, SS_RELATIVE_ZERO, &rank);
    free(k);
    return !ss_algebra_ran_out(info);
}

static bool is_balanced(const ss_model* model, const double u[], const double s[])
{
    const ss_operator* op = &model->matrices.flow;
    ss_sparse k = {model->n, op->start, op->index, op->stiffness};
    return !sparse_feels(&k, &model->matrices.drive_stiffness, u, s);
}

ss_status ss_orbit_find_advance(const ss_model* model, double carry[], ss_error* err)
{
    bool any = false;
    double* s = ss_new((size_t)model->drive_count, sizeof(double));
    if (!s) return ss_fail_no_memory(err);
    for (int j = 0; j < model->drive_count; j++) {
        const ss_drive* drive = &model->drives[j];
        if (drive->is_speed && ss_signal_is_constant(drive->signal))
            s[j] = ss_signal_value(drive->signal, 0.0);
        any = any || s[j] != 0.0;
    }
    ss_status status = SS_OK;
    if (any && !solve(model, s, carry)) status = ss_fail_no_memory(err);
    if (any && status == SS_OK && (!is_balanced(model, carry, s) || is_felt(model, carry, s)))
        memset(carry, 0, (size_t)model->n * sizeof(double));
    for (int i = 0; i < model->n; i++) // rounding
        if (!isfinite(carry[i])) carry[i] = 0.0;
    free(s);
    return status;
}
