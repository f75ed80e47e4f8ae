// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `check` for bodies and matrices.
#include "answer/answer_impl.h"
#include "answer/check_facts.h"
#include "law/table.h"
#include "model/model_impl.h"
#include "share/build.h"
#include "share/model_parts.h"

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

static void put_table(ss_answer* answer, const ss_law_fact* table)
{
    const double* cell = table->cells;
    ss_answer_put_list(answer, table->key, false);
    for (int k = 0; k < table->row_count; k++) {
        ss_answer_object(answer, false);
        for (int c = 0; c < table->column_count; c++)
            ss_answer_put_number(answer, table->columns[c], *cell++);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

static void put_fact(ss_answer* answer, const ss_law_fact* fact)
{
    if (fact->kind == SS_FACT_TABLE)
        put_table(answer, fact);
    else if (fact->kind == SS_FACT_FLAG)
        ss_answer_put_bool(answer, fact->key, fact->value != 0.0);
    else
        ss_answer_put_number(answer, fact->key, fact->value);
}

static void put_law(ss_answer* answer, const ss_check* check, int i)
{
    const ss_contact* contact = &check->model->contacts[i];
    ss_law_place place = ss_law_place_of(check->model, i);
    ss_law_said said = {.count = 0};
    ss_answer_put_object(answer, ss_answer_keep(answer, contact->name), false);
    const ss_law* row = ss_law_entry(contact->given);
    ss_answer_put_word(answer, "law", row->name);
    if (contact->loaded) ss_answer_put_bool(answer, "per_newton", true);
    row->report.say(ss_given_law(contact), &place, &said);
    for (int k = 0; k < said.count; k++) put_fact(answer, &said.facts[k]);
    if (row->traits & SS_TRAIT_BRISTLES) {
        ss_answer_put_bool(answer, "drifts", row->report.drifts);
        ss_answer_put_bool(answer, "remembers", row->report.remembers);
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

static void put_unit(ss_answer* answer, ss_dimension dimension)
{
    char unit[64];
    ss_answer_put_text(answer, "unit", ss_dimension_format(dimension, unit, sizeof unit));
}

static void put_eigenvalues(ss_answer* answer, const double values[], int count)
{
    ss_answer_put_list(answer, "eigenvalues", false);
    for (int k = 0; k < count; k++) ss_answer_numbers(answer, &values[2 * k], 2);
    ss_answer_end(answer);
}

// Where it would stand without friction.
static void put_equilibria(ss_answer* answer, const ss_check* check)
{
    const ss_model* model = check->model;
    if (check->equilibrium_count == 0) return;
    ss_answer_put_list(answer, "equilibria", true);
    for (int e = 0; e < check->equilibrium_count; e++) {
        const ss_equilibrium* at = &check->equilibria[e];
        ss_answer_object(answer, false);
        ss_answer_put_object(answer, "x", false);
        for (int b = 0; b < ss_model_body_count(model); b++)
            ss_answer_put_number(answer, ss_answer_keep(answer, ss_model_body_name(model, b)), at->x[b]);
        ss_answer_end(answer);
        if (ss_model_state_count(model) > 0) {
            ss_answer_put_object(answer, "states", false);
            for (int j = 0; j < ss_model_state_count(model); j++)
                ss_answer_put_number(answer, ss_answer_keep(answer, ss_model_state_name(model, j)),
                                     at->states[j]);
            ss_answer_end(answer);
        }
        put_eigenvalues(answer, at->eigenvalues, at->eigenvalue_count);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

// States, signals, inputs and memory, each with its unit; whether the motion is linear, and if not, why.
static void put_open(ss_answer* answer, const ss_check* check)
{
    const ss_model* model = check->model;
    char part[160];
    ss_answer_put_bool(answer, "linear", ss_model_is_linear(model));
    if (ss_model_not_affine(model, part, sizeof part)) ss_answer_put_text(answer, "not_affine", part);
    for (int kind = 0, k = 0; kind < SS_NUMBER_KINDS; kind++) {
        int first = k, count = ss_model_number_count(model, kind);
        if (count == 0) continue;
        ss_answer_put_object(answer, ss_number_kind_name(kind), false);
        for (int end = k + count; k < end; k++) {
            ss_answer_put_object(answer, ss_answer_keep(answer, ss_model_number_name(model, k)), false);
            if (kind == 0) ss_answer_put_number(answer, "start", ss_model_state_start(model, k - first));
            put_unit(answer, ss_model_number_dimension(model, k));
            ss_answer_end(answer);
        }
        ss_answer_end(answer);
    }
    if (check->eigenvalue_count > 0) put_eigenvalues(answer, check->eigenvalues, check->eigenvalue_count);
    put_equilibria(answer, check);
}

static void put_modes(ss_answer* answer, const ss_check* check)
{
    if (check->mode_count == 0) return;
    ss_answer_put_list(answer, "frequencies", false); // Hz
    for (int k = 0; k < check->mode_count; k++) ss_answer_number(answer, check->vibrations[k].frequency);
    ss_answer_end(answer);
    ss_answer_put_list(answer, "damping_ratios", false);
    for (int k = 0; k < check->mode_count; k++) ss_answer_number(answer, check->vibrations[k].damping);
    ss_answer_end(answer);
    double left_out = ss_model_get_info(check->model).first_left_out; // Hz
    if (!isnan(left_out)) ss_answer_put_number(answer, "first_left_out", left_out);
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
    put_modes(answer, check);
    put_cubic_springs(answer, check);
    if (ss_model_is_open(check->model)) put_open(answer, check);
    ss_answer_put_object(answer, "laws", true);
    for (int c = 0; c < check->contacts; c++) put_law(answer, check, c);
    ss_answer_end(answer);
    ss_answer_put_list(answer, "warnings", true);
    for (int k = 0; k < check->warning_count; k++) ss_answer_text(answer, check->warnings[k]);
    ss_answer_end(answer);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}
