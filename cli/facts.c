// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "facts.h"

#include "command.h"
#include "core/dense.h"
#include "lab/algebra.h"
#include "load.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double* new_matrix(int rows, int columns)
{
    return calloc((size_t)rows * (size_t)columns + 1, sizeof(double));
}

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Eigenvalues of the symmetric part of A against M = L L^T, ascending: those of L^-1 A L^-T.
static bool eigenvalues_against(const double a[], const double l[], int n, double values[])
{
    double *s = new_matrix(n, n), *vectors = new_matrix(n, n);
    bool good = s && vectors;
    if (good) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) s[i * n + j] = 0.5 * (a[i * n + j] + a[j * n + i]);
        ss_algebra_congruence(l, n, s);
        ss_symmetric_eigen(s, n, values, vectors);
        qsort(values, (size_t)n, sizeof *values, compare);
    }
    free(s);
    free(vectors);
    return good;
}

static bool gather_matrices(cli_facts* f)
{
    f->M = new_matrix(f->n, f->n);
    f->C = new_matrix(f->n, f->n);
    f->K = new_matrix(f->n, f->n);
    f->W = new_matrix(f->n, f->contacts);
    if (!f->M || !f->C || !f->K || !f->W) return false;
    ss_model_get_mass(f->model, f->M);
    ss_model_get_damping(f->model, f->C);
    ss_model_get_stiffness(f->model, f->K);
    ss_model_get_directions(f->model, f->W);
    return true;
}

// Without the eigenvalues there is nothing to say about frequencies and damping.
static void forget_eigenvalues(cli_facts* f)
{
    free(f->stiffness);
    free(f->damping);
    f->stiffness = f->damping = NULL;
}

static bool gather_eigenvalues(cli_facts* f)
{
    f->stiffness = new_matrix(f->n, 1);
    f->damping = new_matrix(f->n, 1);
    double* l = new_matrix(f->n, f->n);
    bool good = l && f->stiffness && f->damping;
    if (good) {
        memcpy(l, f->M, (size_t)f->n * (size_t)f->n * sizeof *l);
        if (ss_cholesky(l, f->n)) {
            good = eigenvalues_against(f->K, l, f->n, f->stiffness) &&
                   eigenvalues_against(f->C, l, f->n, f->damping);
        } else { // M is positive definite, but its masses may be so far apart that rounding hides it
            forget_eigenvalues(f);
            good = cli_facts_warn(f, "M is singular to rounding");
        }
    }
    free(l);
    return good;
}

// The modes at the start are the engine's to decide: contacts are coupled.
static ss_status gather_modes(cli_facts* f, ss_error* err)
{
    f->modes = calloc((size_t)f->contacts + 1, sizeof *f->modes);
    if (!f->modes) {
        *err = (ss_error){.status = SS_NO_MEMORY, .text = "out of memory"};
        return SS_NO_MEMORY;
    }
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim;
    ss_outcome outcome;
    ss_status status = ss_sim_create(f->model, &def, &sim, err);
    if (status != SS_OK) return status;
    status = ss_sim_advance(sim, 0, &outcome, err);
    for (int c = 0; c < f->contacts; c++) f->modes[c] = ss_sim_contact(sim, c).mode;
    ss_sim_destroy(sim);
    return status;
}

int cli_facts_gather(const ss_document* document, const ss_model* model, cli_facts* facts)
{
    int n = ss_model_coordinate_count(model), contacts = ss_model_contact_count(model);
    *facts = (cli_facts){.model = model, .n = n, .contacts = contacts};
    bool good = true;
    if (n <= CLI_MATRIX_LIMIT && contacts <= CLI_MATRIX_LIMIT) good = gather_matrices(facts);
    if (good && facts->M && n <= CLI_EIGEN_LIMIT) good = gather_eigenvalues(facts);
    if (good) good = cli_facts_judge(facts, document);
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    if (!good || gather_modes(facts, &err) != SS_OK) return cli_tell(&err);
    return CLI_GO_ON;
}

void cli_facts_free(cli_facts* facts)
{
    for (int k = 0; k < facts->warning_count; k++) free(facts->warnings[k]);
    free(facts->warnings);
    free(facts->M);
    free(facts->C);
    free(facts->K);
    free(facts->W);
    free(facts->stiffness);
    free(facts->damping);
    free(facts->modes);
}

bool cli_facts_warn(cli_facts* facts, const char* format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char** warnings = realloc(facts->warnings, ((size_t)facts->warning_count + 1) * sizeof *warnings);
    if (!warnings) return false;
    facts->warnings = warnings;
    warnings[facts->warning_count] = malloc(strlen(text) + 1);
    if (!warnings[facts->warning_count]) return false;
    strcpy(warnings[facts->warning_count++], text);
    return true;
}
