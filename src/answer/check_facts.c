// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "answer/check_facts.h"

#include "core/algebra/dense.h"
#include "core/grow.h"
#include "core/number_length.h"
#include "law/table.h"
#include "model/model_impl.h"
#include "share/model_parts.h"

#include <stdarg.h>
#include <stdio.h>

static double* new_matrix(ss_facts* f, int rows, int columns)
{
    return ss_pool_new(&f->pool, (size_t)rows * (size_t)columns, sizeof(double));
}

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Eigenvalues of the symmetric part of A against M = L L^T, ascending: those of L^-1 A L^-T.
static bool eigenvalues_against(const double a[], const double l[], int n, double values[])
{
    size_t size = (size_t)n * (size_t)n;
    double *s = ss_new(size, sizeof *s), *vectors = ss_new(size, sizeof *vectors);
    bool good = s && vectors;
    if (good) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) s[i * n + j] = 0.5 * (a[i * n + j] + a[j * n + i]);
        ss_congruence(l, n, s);
        ss_symmetric_eigen(s, n, values, vectors);
        qsort(values, (size_t)n, sizeof *values, compare);
    }
    free(s);
    free(vectors);
    return good;
}

static bool gather_matrices(ss_facts* f)
{
    int n = f->shown.n;
    f->M = new_matrix(f, n, n);
    f->C = new_matrix(f, n, n);
    f->K = new_matrix(f, n, n);
    f->W = new_matrix(f, n, f->shown.contacts);
    if (f->pool.failed) return false;
    ss_model_get_matrix(f->shown.model, SS_MATRIX_MASS, f->M);
    ss_model_get_matrix(f->shown.model, SS_MATRIX_DAMPING, f->C);
    ss_model_get_matrix(f->shown.model, SS_MATRIX_STIFFNESS, f->K);
    ss_model_get_matrix(f->shown.model, SS_MATRIX_DIRECTIONS, f->W);
    return true;
}

static bool gather_eigenvalues(ss_facts* f)
{
    int n = f->shown.n;
    size_t size = (size_t)n * (size_t)n;
    double* l = ss_new(size, sizeof *l);
    f->stiffness = new_matrix(f, n, 1);
    f->damping = new_matrix(f, n, 1);
    bool good = l && f->stiffness && f->damping;
    if (good) {
        memcpy(l, f->M, size * sizeof *l);
        if (ss_cholesky(l, n)) {
            good =
                eigenvalues_against(f->K, l, n, f->stiffness) && eigenvalues_against(f->C, l, n, f->damping);
        } else { // M is positive definite, but its masses may be so far apart that rounding hides it
            f->stiffness = f->damping = NULL;
            good = ss_facts_warn(f, "M is singular to rounding");
        }
    }
    free(l);
    return good;
}

static bool gather_cubic_springs(ss_facts* f)
{
    const ss_model* model = f->shown.model;
    int count = 0;
    for (int i = 0; i < model->connection_count; i++) count += model->connections[i].cubic != 0;
    ss_cubic_spring* springs = ss_pool_new(&f->pool, (size_t)count, sizeof *springs);
    if (!springs) return false;
    for (int i = 0; i < model->connection_count; i++) {
        const ss_connection* c = &model->connections[i];
        if (c->cubic == 0) continue;
        springs[f->shown.cubic_count++] = (ss_cubic_spring){.connection = i,
                                                            .cubic = c->cubic,
                                                            .length = c->length,
                                                            .body_count = c->bodies.count,
                                                            .bodies = c->bodies.index,
                                                            .factors = c->bodies.value};
    }
    f->shown.cubic = springs;
    return true;
}

// The stiffness that holds the one coordinate on which the contact acts, per unit of its own displacement;
// 0 where it acts on several or nothing holds it.
static double own_stiffness(const ss_facts* f, int contact)
{
    int found = -1, n = f->shown.n;
    for (int i = 0; f->W && i < n; i++) {
        if (f->W[(size_t)i * (size_t)f->shown.contacts + (size_t)contact] == 0) continue;
        if (found >= 0) return 0;
        found = i;
    }
    if (found < 0) return 0;
    double w = f->W[(size_t)found * (size_t)f->shown.contacts + (size_t)contact];
    return f->K[(size_t)found * (size_t)n + (size_t)found] / (w * w);
}

ss_law_place ss_law_place_of(const ss_model* model, int contact)
{
    bool angular = model->contacts[contact].angular, loaded = model->contacts[contact].loaded;
    const char *unit = angular ? "N*m" : "N", *per_newton = angular ? "N*m/(N*m)" : "N/N";
    return (ss_law_place){.mass = loaded ? INFINITY : ss_model_contact_mass(model, contact),
                          .way = angular ? "rad" : "m",
                          .unit = loaded ? per_newton : unit};
}

static bool gather_words(ss_facts* f)
{
    const ss_model* model = f->shown.model;
    const char** laws = ss_pool_new(&f->pool, (size_t)f->shown.contacts, sizeof *laws);
    for (int c = 0; laws && c < f->shown.contacts; c++) {
        ss_law_said words = {.used = 0};
        ss_law_place place = ss_law_place_of(model, c);
        const ss_law* row = ss_law_entry(model->contacts[c].given);
        place.stiffness = own_stiffness(f, c);
        if (model->contacts[c]
                .loaded) // what laws say of energies and motions is meant for one that is constant
            ss_law_words_add(&words, "times its normal force, which varies");
        else
            row->report.say(ss_given_law(&model->contacts[c]), &place, &words);
        if (row->traits & SS_TRAIT_BRISTLES)
            ss_law_words_add(&words, "\n      %s; %s",
                             row->report.drifts ? "may drift under a load that swings below its limit"
                                                : "holds a load without drift",
                             row->report.remembers ? "remembers reversals" : "does not remember reversals");
        laws[c] = ss_pool_text(&f->pool, words.text, words.used);
    }
    f->shown.laws = laws;
    return !f->pool.failed;
}

// The modes at the start are the engine's to decide: contacts are coupled.
static ss_status gather_modes(ss_facts* f, ss_error* err)
{
    ss_mode* modes = ss_pool_new(&f->pool, (size_t)f->shown.contacts, sizeof *modes);
    if (!modes) return ss_fail_no_memory(err);
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim;
    ss_outcome outcome;
    ss_status status = ss_sim_create(f->shown.model, &def, &sim, err);
    if (status != SS_OK) return status;
    status = ss_sim_advance(sim, 0, &outcome, err);
    for (int c = 0; c < f->shown.contacts; c++) modes[c] = ss_sim_contact(sim, c).mode;
    ss_sim_destroy(sim);
    f->shown.modes = modes;
    return status;
}

static ss_status gather(ss_facts* f, const ss_document* document, ss_error* err)
{
    ss_check* shown = &f->shown;
    bool good = gather_cubic_springs(f);
    if (good && shown->n <= SS_CHECK_MATRICES && shown->contacts <= SS_CHECK_MATRICES)
        good = gather_matrices(f);
    // The symmetric parts of K and C tell nothing of a motion that expressions act on.
    if (good && f->M && shown->n <= SS_CHECK_EIGENVALUES && !ss_model_is_open(shown->model))
        good = gather_eigenvalues(f);
    if (good) good = ss_facts_open(f) && ss_facts_modes(f);
    if (good) good = gather_words(f) && ss_facts_judge(f, document);
    if (!good) return ss_fail_no_memory(err);
    shown->M = f->M;
    shown->C = f->C;
    shown->K = f->K;
    shown->W = f->W;
    shown->stiffness = f->stiffness;
    shown->damping = f->damping;
    shown->warnings = f->warnings;
    return gather_modes(f, err);
}

ss_status ss_check_model(const ss_model* model, const ss_document* document, ss_check** out, ss_error* err)
{
    ss_facts* f = ss_new(1, sizeof *f);
    *out = NULL;
    if (!f) return ss_fail_no_memory(err);
    f->shown.model = model;
    f->shown.n = ss_model_coordinate_count(model);
    f->shown.contacts = ss_model_contact_count(model);
    ss_status status = gather(f, document, err);
    if (status == SS_OK)
        *out = &f->shown;
    else
        ss_check_destroy(&f->shown);
    return status;
}

void ss_check_destroy(ss_check* check)
{
    if (!check) return;
    ss_facts* f = (ss_facts*)check;
    ss_pool_free(&f->pool);
    free(f->warnings);
    free(f);
}

bool ss_facts_warn(ss_facts* f, const char* format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    ss_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t count = (size_t)f->shown.warning_count;
    const char* kept = ss_pool_text(&f->pool, text, strlen(text));
    if (!kept || !ss_grow(&f->warnings, count, &f->warning_room, sizeof *f->warnings)) return false;
    f->warnings[f->shown.warning_count++] = kept;
    return true;
}
