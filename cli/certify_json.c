// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `certify` as one JSON object. What does not apply, and infinity, is null.
#include "certify.h"
#include "json.h"

static void put_answer(cli_json* json, const char* key, ss_answer answer)
{
    cli_json_key(json, key);
    if (answer == SS_UNKNOWN)
        cli_json_null(json);
    else
        cli_json_bool(json, answer == SS_YES);
}

static void put_vector(cli_json* json, const double v[], int count)
{
    if (!v) {
        cli_json_null(json);
        return;
    }
    cli_json_array(json, false);
    for (int i = 0; i < count; i++) cli_json_number(json, v[i]);
    cli_json_end(json);
}

static void put_rows(cli_json* json, const char* key, const double a[], int rows, int columns)
{
    cli_json_key(json, key);
    if (!a) {
        cli_json_null(json);
        return;
    }
    cli_json_array(json, false);
    for (int i = 0; i < rows; i++) put_vector(json, &a[i * columns], columns);
    cli_json_end(json);
}

static void put_damping(cli_json* json, const ss_certificate* c)
{
    cli_json_key(json, "damping");
    if (!c->eigenvalues) {
        cli_json_null(json);
        return;
    }
    cli_json_object(json, false);
    cli_json_key(json, "eigenvalues");
    put_vector(json, c->eigenvalues, c->n);
    put_rows(json, "eigenvectors", c->eigenvectors, c->n, c->n);
    cli_json_put_number(json, "not_positive", c->not_positive);
    cli_json_end(json);
}

static void put_levels(cli_json* json, const ss_certificate* c)
{
    put_answer(json, "condition_31", c->condition_31);
    cli_json_put_number(json, "beta", c->beta);
    cli_json_put_bool(json, "beta_bound", c->beta_is_bound);
    cli_json_key(json, "rho");
    put_vector(json, c->rho, c->not_positive);
    cli_json_put_number(json, "rho_star", c->rho_star);
    cli_json_put_number(json, "rho_energy", c->rho_energy);
    cli_json_put_bool(json, "rho_energy_bound", c->rho_energy_is_bound);
    cli_json_key(json, "paper");
    cli_json_object(json, false);
    cli_json_put_number(json, "beta", c->paper_beta);
    cli_json_put_number(json, "rho_star", c->paper_rho_star);
    cli_json_end(json);
}

static void put_set(cli_json* json, const ss_certificate* c)
{
    const ss_equilibrium_set* set = &c->set;
    cli_json_key(json, "equilibrium_set");
    if (!set->exists) {
        cli_json_null(json);
        return;
    }
    cli_json_object(json, true);
    cli_json_key(json, "center");
    cli_json_array(json, false);
    for (int i = 0; i < c->n; i++) cli_json_number(json, set->center[i] + set->offset[i]);
    cli_json_end(json);
    put_rows(json, "generators", set->generators, c->contacts, c->n);
    put_rows(json, "vertices", set->vertex_count > 0 ? set->vertices : NULL, set->vertex_count, c->n);
    cli_json_key(json, "half_widths");
    put_vector(json, set->half_widths, c->n);
    cli_json_put_number(json, "max_energy", set->max_energy);
    cli_json_put_bool(json, "bound", set->bound);
    put_answer(json, "inside_region", set->inside_region);
    cli_json_end(json);
}

static void put_place(cli_json* json, const cli_certified* answer)
{
    if (!answer->point) return;
    if (!answer->certificate->set.exists) {
        cli_json_key(json, "contains");
        cli_json_null(json);
        return;
    }
    cli_json_put_bool(json, "contains", answer->place.inside);
    cli_json_put_number(json, "distance", answer->place.distance);
    cli_json_put_number(json, "missing_force", answer->place.excess);
    cli_json_put_number(json, "energy", answer->place.energy);
}

void cli_certify_json(const cli_certified* answer, FILE* out)
{
    const ss_certificate* c = answer->certificate;
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, true);
    cli_json_put_text(&json, "verdict", ss_verdict_name(c->verdict));
    cli_json_key(&json, "theorem");
    if (c->theorem > 0)
        cli_json_number(&json, c->theorem);
    else
        cli_json_null(&json);
    cli_json_put_text(&json, "reason", c->reason);
    cli_json_put_bool(&json, "refuted", c->refuted);
    put_answer(&json, "origin_stable", c->origin_stable);
    put_answer(&json, "bounded", c->bounded);
    put_damping(&json, c);
    put_levels(&json, c);
    put_set(&json, c);
    put_place(&json, answer);
    cli_json_end(&json);
}
