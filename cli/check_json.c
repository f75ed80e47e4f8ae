// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `check` as one JSON object.
#include "check.h"
#include "check_bristles.h"
#include "json.h"
#include "model/model.h"

static void put_coordinates(cli_json* json, const cli_facts* f)
{
    cli_json_key(json, "coordinates");
    cli_json_array(json, false);
    for (int k = 0; k < f->n; k++)
        cli_json_text(json, ss_model_body_name(f->model, ss_model_coordinate_body(f->model, k)));
    cli_json_end(json);
}

static void put_contacts(cli_json* json, const cli_facts* f)
{
    cli_json_key(json, "contacts");
    cli_json_array(json, false);
    for (int c = 0; c < f->contacts; c++) cli_json_text(json, ss_model_contact_name(f->model, c));
    cli_json_end(json);
}

static void put_matrix(cli_json* json, const char* key, const double a[], int rows, int columns)
{
    cli_json_key(json, key);
    if (!a) {
        cli_json_null(json);
        return;
    }
    cli_json_array(json, false);
    for (int i = 0; i < rows; i++) {
        cli_json_array(json, false);
        for (int j = 0; j < columns; j++) cli_json_number(json, a[(size_t)i * (size_t)columns + (size_t)j]);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void put_coulomb(cli_json* json, const ss_coulomb* law)
{
    cli_json_put_number(json, "forward", law->forward);
    cli_json_put_number(json, "backward", law->backward);
    cli_json_put_number(json, "static_forward", law->static_forward);
    cli_json_put_number(json, "static_backward", law->static_backward);
}

static void put_stribeck(cli_json* json, const ss_stribeck* law)
{
    cli_json_put_number(json, "coulomb", law->coulomb);
    cli_json_put_number(json, "static", law->static_level);
    cli_json_put_number(json, "stribeck_speed", law->speed);
    cli_json_put_number(json, "shape", law->shape);
    cli_json_put_number(json, "viscous", law->viscous);
}

static void put_rigid_stop(cli_json* json, const ss_rigid_stop* law)
{
    cli_json_put_number(json, law->side > 0 ? "above" : "below", law->position);
    cli_json_put_number(json, "restitution", law->restitution);
}

static void put_hunt_crossley(cli_json* json, const ss_hunt_crossley* law)
{
    cli_json_put_number(json, law->side > 0 ? "above" : "below", law->position);
    cli_json_put_number(json, "stiffness", law->stiffness);
    cli_json_put_number(json, "exponent", law->exponent);
    cli_json_put_number(json, "alpha", law->alpha);
    cli_json_key(json, "restitution");
    cli_json_array(json, false);
    for (int k = 0; k < CLI_IMPACT_SPEEDS; k++) {
        double speed = cli_impact_speeds[k];
        cli_json_object(json, false);
        cli_json_put_number(json, "speed", speed);
        cli_json_put_number(json, "exact", ss_hunt_crossley_restitution(law, speed));
        cli_json_put_number(json, "first_order", ss_hunt_crossley_restitution_first_order(law, speed));
        cli_json_end(json);
    }
    cli_json_end(json);
}

// Dry friction and stops, with restitution up to 1 or elastic with alpha >= 0, never give energy: they
// are passive whatever their numbers. Bristles are another matter.
static void put_law(cli_json* json, const cli_facts* facts, int contact)
{
    const ss_model* model = facts->model;
    ss_law_kind kind = ss_model_contact_law(model, contact);
    cli_json_key(json, ss_model_contact_name(model, contact));
    cli_json_object(json, false);
    cli_json_put_text(json, "law", ss_law_name(kind));
    if (ss_model_contact_has_bristles(model, contact)) {
        cli_put_bristles(json, facts, contact);
        cli_json_end(json);
        return;
    }
    cli_json_put_bool(json, "passive", true);
    if (kind == SS_LAW_COULOMB) {
        ss_coulomb law = ss_model_contact_coulomb(model, contact);
        put_coulomb(json, &law);
    } else if (kind == SS_LAW_STRIBECK) {
        ss_stribeck law = ss_model_contact_stribeck(model, contact);
        put_stribeck(json, &law);
    } else if (kind == SS_LAW_HUNT_CROSSLEY) {
        ss_hunt_crossley law = ss_model_contact_hunt_crossley(model, contact);
        put_hunt_crossley(json, &law);
    } else {
        ss_rigid_stop law = ss_model_contact_rigid_stop(model, contact);
        put_rigid_stop(json, &law);
    }
    cli_json_end(json);
}

// What the matrices do not show, where there is any.
static void put_cubic_springs(cli_json* json, const ss_model* model)
{
    bool some = false;
    for (int i = 0; i < model->connection_count; i++) {
        if (model->connections[i].cubic == 0) continue;
        if (!some) {
            cli_json_key(json, "cubic");
            cli_json_array(json, false);
            some = true;
        }
        cli_json_object(json, false);
        cli_json_put_number(json, "connection", i);
        cli_json_put_number(json, "cubic", model->connections[i].cubic);
        cli_json_end(json);
    }
    if (some) cli_json_end(json);
}

void cli_check_json(const cli_facts* facts, FILE* out)
{
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, true);
    cli_json_put_text(&json, "kind", ss_model_is_matrices(facts->model) ? "matrices" : "bodies");
    put_coordinates(&json, facts);
    put_contacts(&json, facts);
    cli_json_key(&json, "matrices");
    cli_json_object(&json, true);
    put_matrix(&json, "M", facts->M, facts->n, facts->n);
    put_matrix(&json, "C", facts->C, facts->n, facts->n);
    put_matrix(&json, "K", facts->K, facts->n, facts->n);
    put_matrix(&json, "W", facts->W, facts->n, facts->contacts);
    cli_json_end(&json);
    put_cubic_springs(&json, facts->model);
    cli_json_key(&json, "laws");
    cli_json_object(&json, true);
    for (int c = 0; c < facts->contacts; c++) put_law(&json, facts, c);
    cli_json_end(&json);
    cli_json_key(&json, "warnings");
    cli_json_array(&json, true);
    for (int k = 0; k < facts->warning_count; k++) cli_json_text(&json, facts->warnings[k]);
    cli_json_end(&json);
    cli_json_end(&json);
}
