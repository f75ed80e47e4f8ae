// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `follow`.
#include "answer/answer_impl.h"
#include "share/build.h"
#include "share/model_parts.h"
#include "slipstick/follow.h"

#include <stdio.h>

// Keys that all points share.
typedef struct names {
    const ss_model* model;
    bool steady;
    const char** coordinates; ///< "block.x", per body
    const char** bodies;
    const char** states;
} names;

static const char* body_name(const void* of, int k) { return ss_model_body_name(of, k); }
static const char* state_name(const void* of, int k) { return ss_model_state_name(of, k); }

static bool make_names(ss_answer* answer, const ss_solution_branch* branch, names* out)
{
    *out = (names){.model = ss_solution_branch_model(branch), .steady = ss_solution_branch_is_steady(branch)};
    int bodies = ss_model_body_count(out->model), states = ss_model_state_count(out->model);
    out->bodies = ss_answer_keep_names(answer, out->model, bodies, body_name);
    out->states = ss_answer_keep_names(answer, out->model, states, state_name);
    out->coordinates = ss_answer_keep_names(answer, out->model, bodies, body_name);
    for (int b = 0; b < bodies && out->coordinates; b++) {
        char text[300];
        ss_model_coordinate_name(out->model, b, false, text, sizeof text);
        out->coordinates[b] = ss_answer_keep(answer, text);
    }
    return out->bodies && out->states && out->coordinates;
}

// Of every free coordinate and state.
static void put_extents(ss_answer* answer, const char* key, const names* n, const double values[])
{
    const double* states = values + ss_model_body_count(n->model);
    ss_answer_put_object(answer, key, false);
    for (int b = 0; b < ss_model_body_count(n->model); b++)
        if (!ss_model_body_is_driven(n->model, b)) ss_answer_put_number(answer, n->coordinates[b], values[b]);
    for (int j = 0; j < ss_model_state_count(n->model); j++)
        ss_answer_put_number(answer, n->states[j], states[j]);
    ss_answer_end(answer);
}

static void put_state(ss_answer* answer, const names* n, const ss_solution_branch_point* point)
{
    ss_answer_put_object(answer, "state", false);
    for (int b = 0; b < ss_model_body_count(n->model); b++) {
        ss_answer_put_object(answer, n->bodies[b], false);
        ss_answer_put_number(answer, "x", point->x[b]);
        ss_answer_put_number(answer, "v", point->v[b]);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
    if (!point->states) return;
    ss_answer_put_object(answer, "states", false);
    for (int j = 0; j < ss_model_state_count(n->model); j++)
        ss_answer_put_number(answer, n->states[j], point->states[j]);
    ss_answer_end(answer);
}

static void put_point(ss_answer* answer, const names* n, const ss_solution_branch_point* point)
{
    ss_answer_put_number(answer, "value", point->value);
    if (!n->steady) {
        ss_answer_put_number(answer, "period", point->period);
        put_extents(answer, "amplitude", n, point->amplitude);
        put_extents(answer, "middle", n, point->middle);
    }
    put_state(answer, n, point);
    ss_answer_put_list(answer, n->steady ? "eigenvalues" : "multipliers", false);
    for (int k = 0; k < point->spectrum_count; k++) ss_answer_numbers(answer, point->spectrum[k], 2);
    ss_answer_end(answer);
    ss_answer_put_bool(answer, "stable", point->stable);
    if (point->neutral) ss_answer_put_bool(answer, "neutral", true);
    if (!n->steady) ss_answer_put_number(answer, "events", (double)point->events);
}

ss_status ss_answer_solution_branch(const ss_solution_branch* branch, ss_answer** out, ss_error* err)
{
    ss_answer* answer;
    names n;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    bool fine = make_names(answer, branch, &n);
    ss_answer_put_text(answer, "over", ss_solution_branch_path(branch));
    ss_answer_put_list(answer, "branch", true);
    for (long k = 0; k < ss_solution_branch_count(branch) && fine; k++) {
        ss_solution_branch_point point = ss_solution_branch_get(branch, k);
        ss_answer_object(answer, false);
        put_point(answer, &n, &point);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
    ss_answer_put_list(answer, "special", true);
    for (int k = 0; k < ss_solution_branch_special_count(branch) && fine; k++) {
        ss_solution_branch_special special = ss_solution_branch_get_special(branch, k);
        ss_answer_object(answer, false);
        ss_answer_put_word(answer, "kind", ss_special_name(special.kind));
        if (special.contact) ss_answer_put_text(answer, "contact", special.contact);
        if (special.what) ss_answer_put_text(answer, "what", special.what);
        put_point(answer, &n, &special.at);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
    ss_answer_put_text(answer, "end", ss_solution_branch_end(branch));
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}
