// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `check` for bodies and matrices.
#include "answer/answer.h"

#include <math.h>

static void put_coordinates(ss_answer* answer, const ss_check* check)
{
    ss_answer_put_list(answer, "coordinates", false);
    for (int k = 0; k < check->n; k++)
        ss_answer_text(answer, ss_model_body_name(check->model, ss_model_coordinate_body(check->model, k)));
    ss_answer_end(answer);
}

static void put_contacts(ss_answer* answer, const ss_check* check)
{
    ss_answer_put_list(answer, "contacts", false);
    for (int c = 0; c < check->contacts; c++) ss_answer_text(answer, ss_model_contact_name(check->model, c));
    ss_answer_end(answer);
}

static void put_matrix(ss_answer* answer, const char* key, const double a[], int rows, int columns)
{
    ss_answer_key(answer, key);
    if (!a) {
        ss_answer_null(answer);
        return;
    }
    ss_answer_list(answer, false);
    for (int i = 0; i < rows; i++)
        ss_answer_numbers(answer, &a[(size_t)i * (size_t)columns], (size_t)columns);
    ss_answer_end(answer);
}

static void put_coulomb(ss_answer* answer, const ss_coulomb* law)
{
    ss_answer_put_number(answer, "forward", law->forward);
    ss_answer_put_number(answer, "backward", law->backward);
    ss_answer_put_number(answer, "static_forward", law->static_forward);
    ss_answer_put_number(answer, "static_backward", law->static_backward);
}

static void put_stribeck(ss_answer* answer, const ss_stribeck* law)
{
    ss_answer_put_number(answer, "coulomb", law->coulomb);
    ss_answer_put_number(answer, "static", law->static_level);
    ss_answer_put_number(answer, "stribeck_speed", law->speed);
    ss_answer_put_number(answer, "shape", law->shape);
    ss_answer_put_number(answer, "viscous", law->viscous);
}

static void put_rigid_stop(ss_answer* answer, const ss_rigid_stop* law)
{
    ss_answer_put_number(answer, law->side > 0 ? "above" : "below", law->position);
    ss_answer_put_number(answer, "restitution", law->restitution);
}

static void put_hunt_crossley(ss_answer* answer, const ss_hunt_crossley* law)
{
    ss_answer_put_number(answer, law->side > 0 ? "above" : "below", law->position);
    ss_answer_put_number(answer, "stiffness", law->stiffness);
    ss_answer_put_number(answer, "exponent", law->exponent);
    ss_answer_put_number(answer, "alpha", law->alpha);
    ss_answer_put_list(answer, "restitution", false);
    for (int k = 0; k < SS_IMPACT_SPEEDS; k++) {
        double speed = ss_impact_speeds()[k];
        ss_answer_object(answer, false);
        ss_answer_put_number(answer, "speed", speed);
        ss_answer_put_number(answer, "exact", ss_hunt_crossley_restitution(law, speed));
        ss_answer_put_number(answer, "first_order", ss_hunt_crossley_restitution_first_order(law, speed));
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

// NaN where there is no such number: nothing with a mass moves.
static double ratio_of(const ss_check* check, int contact, const ss_lugre* law)
{
    double mass = ss_model_contact_mass(check->model, contact);
    return isfinite(mass) ? ss_lugre_damping_ratio(law, mass) : NAN;
}

static void put_verdicts(ss_answer* answer, double threshold, double ratio, double amplitude)
{
    ss_answer_put_number(answer, "sigma2_threshold", threshold);
    ss_answer_put_number(answer, "damping_ratio", ratio);
    ss_answer_put_number(answer, "residual_amplitude", amplitude);
}

static void put_lugre(ss_answer* answer, const ss_check* check, int contact)
{
    ss_lugre law = ss_model_contact_lugre(check->model, contact);
    ss_answer_put_bool(answer, "passive", ss_lugre_is_passive(&law));
    put_verdicts(answer, ss_lugre_threshold(&law), ratio_of(check, contact, &law), NAN);
    ss_answer_put_number(answer, "sigma0", law.sigma0);
    ss_answer_put_number(answer, "sigma1", law.sigma1);
    ss_answer_put_number(answer, "sigma2", law.sigma2);
    ss_answer_put_number(answer, "coulomb", law.coulomb);
    ss_answer_put_number(answer, "static", law.static_level);
    ss_answer_put_number(answer, "stribeck_speed", law.speed);
    ss_answer_put_number(answer, "shape", law.shape);
}

static void put_bristles(ss_answer* answer, const ss_check* check, int contact)
{
    ss_law_kind kind = ss_model_contact_law(check->model, contact);
    if (kind == SS_LAW_LUGRE) {
        put_lugre(answer, check, contact);
        return;
    }
    ss_answer_put_bool(answer, "passive", true);
    if (kind == SS_LAW_DAHL) {
        ss_dahl law = ss_model_contact_dahl(check->model, contact);
        const ss_lugre undamped = {.sigma0 = law.sigma0}; // what it is where its bristles ring
        put_verdicts(answer, NAN, ratio_of(check, contact, &undamped), NAN);
        ss_answer_put_number(answer, "sigma0", law.sigma0);
        ss_answer_put_number(answer, "coulomb", law.coulomb);
        ss_answer_put_number(answer, "shape", law.shape);
        return;
    }
    const ss_maxwell_slip* law = ss_model_contact_maxwell_slip(check->model, contact);
    put_verdicts(answer, NAN, NAN, law->reach[0]);
    ss_answer_put_number(answer, "count", law->count);
    ss_answer_put_number(answer, "stiffness", law->sums[0].hold);
    ss_answer_put_number(answer, "breakaway", law->sums[law->count].slip);
}

// Dry friction and stops, with restitution up to 1 or elastic with alpha >= 0, never give energy: they
// are passive whatever their numbers. Bristles are another matter.
static void put_law(ss_answer* answer, const ss_check* check, int contact)
{
    const ss_model* model = check->model;
    ss_law_kind kind = ss_model_contact_law(model, contact);
    ss_answer_put_object(answer, ss_answer_keep(answer, ss_model_contact_name(model, contact)), false);
    ss_answer_put_word(answer, "law", ss_law_name(kind));
    if (ss_model_contact_has_bristles(model, contact)) {
        put_bristles(answer, check, contact);
        ss_answer_end(answer);
        return;
    }
    ss_answer_put_bool(answer, "passive", true);
    if (kind == SS_LAW_COULOMB) {
        ss_coulomb law = ss_model_contact_coulomb(model, contact);
        put_coulomb(answer, &law);
    } else if (kind == SS_LAW_STRIBECK) {
        ss_stribeck law = ss_model_contact_stribeck(model, contact);
        put_stribeck(answer, &law);
    } else if (kind == SS_LAW_HUNT_CROSSLEY) {
        ss_hunt_crossley law = ss_model_contact_hunt_crossley(model, contact);
        put_hunt_crossley(answer, &law);
    } else {
        ss_rigid_stop law = ss_model_contact_rigid_stop(model, contact);
        put_rigid_stop(answer, &law);
    }
    ss_answer_end(answer);
}

// What the matrices do not show, where there is any.
static void put_cubic_springs(ss_answer* answer, const ss_check* check)
{
    if (check->cubic_count == 0) return;
    ss_answer_put_list(answer, "cubic", false);
    for (int i = 0; i < check->cubic_count; i++) {
        ss_answer_object(answer, false);
        ss_answer_put_number(answer, "connection", check->cubic[i].connection);
        ss_answer_put_number(answer, "cubic", check->cubic[i].cubic);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

ss_status ss_answer_check(const ss_check* check, ss_answer** out, ss_error* err)
{
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    ss_answer_put_word(answer, "kind", ss_model_is_matrices(check->model) ? "matrices" : "bodies");
    put_coordinates(answer, check);
    put_contacts(answer, check);
    ss_answer_put_object(answer, "matrices", true);
    put_matrix(answer, "M", check->M, check->n, check->n);
    put_matrix(answer, "C", check->C, check->n, check->n);
    put_matrix(answer, "K", check->K, check->n, check->n);
    put_matrix(answer, "W", check->W, check->n, check->contacts);
    ss_answer_end(answer);
    put_cubic_springs(answer, check);
    ss_answer_put_object(answer, "laws", true);
    for (int c = 0; c < check->contacts; c++) put_law(answer, check, c);
    ss_answer_end(answer);
    ss_answer_put_list(answer, "warnings", true);
    for (int k = 0; k < check->warning_count; k++) ss_answer_text(answer, check->warnings[k]);
    ss_answer_end(answer);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}
