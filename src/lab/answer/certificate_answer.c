// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `certify`. What does not apply, and infinity, is null.
#include "answer/answer_impl.h"
#include "share/build.h"
#include "slipstick/lab.h"

#include <math.h>

static void put_proved(ss_answer* answer, const char* key, ss_proved proved)
{
    if (proved == SS_UNKNOWN)
        ss_answer_put_null(answer, key);
    else
        ss_answer_put_bool(answer, key, proved == SS_YES);
}

static void put_vector(ss_answer* answer, const char* key, const double v[], int count)
{
    if (v)
        ss_answer_put_numbers(answer, key, v, (size_t)count);
    else
        ss_answer_put_null(answer, key);
}

static void put_rows(ss_answer* answer, const char* key, const double a[], int rows, int columns)
{
    if (!a) {
        ss_answer_put_null(answer, key);
        return;
    }
    ss_answer_put_list(answer, key, false);
    for (int i = 0; i < rows; i++) ss_answer_numbers(answer, &a[i * columns], (size_t)columns);
    ss_answer_end(answer);
}

static void put_damping(ss_answer* answer, const ss_certificate* c)
{
    if (!c->eigenvalues) {
        ss_answer_put_null(answer, "damping");
        return;
    }
    ss_answer_put_object(answer, "damping", false);
    put_vector(answer, "eigenvalues", c->eigenvalues, c->n);
    put_rows(answer, "eigenvectors", c->eigenvectors, c->n, c->n);
    ss_answer_put_number(answer, "not_positive", c->not_positive);
    ss_answer_end(answer);
}

static void put_levels(ss_answer* answer, const ss_certificate* c)
{
    put_proved(answer, "condition_31", c->condition_31);
    ss_answer_put_number(answer, "beta", c->beta);
    ss_answer_put_bool(answer, "beta_bound", c->beta_is_bound);
    put_vector(answer, "rho", c->rho, c->not_positive);
    ss_answer_put_number(answer, "rho_star", c->rho_star);
    ss_answer_put_number(answer, "rho_energy", c->rho_energy);
    ss_answer_put_bool(answer, "rho_energy_bound", c->rho_energy_is_bound);
    ss_answer_put_object(answer, "paper", false);
    ss_answer_put_number(answer, "beta", c->paper_beta);
    ss_answer_put_number(answer, "rho_star", c->paper_rho_star);
    ss_answer_end(answer);
}

static void put_set(ss_answer* answer, const ss_certificate* c)
{
    const ss_equilibrium_set* set = &c->set;
    if (!set->exists) {
        ss_answer_put_null(answer, "equilibrium_set");
        return;
    }
    ss_answer_put_object(answer, "equilibrium_set", true);
    ss_answer_put_list(answer, "center", false);
    for (int i = 0; i < c->n; i++) ss_answer_number(answer, set->center[i] + set->offset[i]);
    ss_answer_end(answer);
    put_rows(answer, "generators", set->generators, c->contacts, c->n);
    put_rows(answer, "vertices", set->vertex_count > 0 ? set->vertices : NULL, set->vertex_count, c->n);
    put_vector(answer, "half_widths", set->half_widths, c->n);
    ss_answer_put_number(answer, "max_energy", set->max_energy);
    ss_answer_put_bool(answer, "bound", set->bound);
    put_proved(answer, "inside_region", set->inside_region);
    ss_answer_end(answer);
}

// Whether a point is an equilibrium is not known where there is no set.
static void put_place(ss_answer* answer, const ss_certificate* c, const ss_membership* place)
{
    if (!place) return;
    if (!c->set.exists) {
        ss_answer_put_null(answer, "contains");
        return;
    }
    ss_answer_put_bool(answer, "contains", place->inside);
    ss_answer_put_number(answer, "distance", place->distance);
    ss_answer_put_number(answer, "missing_force", place->excess);
    ss_answer_put_number(answer, "energy", place->energy);
}

ss_status ss_answer_certificate(const ss_certificate* c, const ss_membership* place, ss_answer** out,
                                ss_error* err)
{
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    ss_answer_put_word(answer, "verdict", ss_verdict_name(c->verdict));
    ss_answer_put_number(answer, "theorem", c->theorem > 0 ? (double)c->theorem : NAN);
    ss_answer_put_text(answer, "reason", c->reason);
    ss_answer_put_bool(answer, "refuted", c->refuted);
    put_proved(answer, "origin_stable", c->origin_stable);
    put_proved(answer, "bounded", c->bounded);
    put_damping(answer, c);
    put_levels(answer, c);
    put_set(answer, c);
    put_place(answer, c, place);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}
