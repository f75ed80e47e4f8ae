// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `cycle`.
#include "answer/answer_impl.h"
#include "share/build.h"
#include "share/model_parts.h"
#include "slipstick/lab.h"

#include <stdio.h>

static const struct {
    bool (*applies)(const ss_cycle* cycle);
    const char* text;
} notes[] = {
    {ss_cycle_is_coupled, "coupled contacts switch at one instant: the multipliers hold for one order"},
    {ss_cycle_is_by_differences, "the motion has no derivative at some instant: the multipliers are those of "
                                 "differences of neighbouring motions"},
    {ss_cycle_is_neutral,
     "the largest multiplier is 1 in size as far as it is known: to first order, neutral"},
    {ss_cycle_repeats_tables, "tables, which end, are taken to begin anew after this period"},
};

const char* ss_cycle_note(const ss_cycle* cycle, int k)
{
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        if (notes[i].applies(cycle) && k-- == 0) return notes[i].text;
    return NULL;
}

static void put_per_body(ss_answer* answer, const char* key, const ss_model* model, const ss_cycle* cycle,
                         double (*value)(const ss_cycle* cycle, int body),
                         double (*state_value)(const ss_cycle* cycle, int state))
{
    ss_answer_put_object(answer, key, false);
    for (int b = 0; b < ss_model_body_count(model); b++) {
        char name[300];
        if (ss_model_body_is_driven(model, b)) continue;
        ss_model_coordinate_name(model, b, false, name, sizeof name);
        ss_answer_put_number(answer, ss_answer_keep(answer, name), value(cycle, b));
    }
    for (int k = 0; k < ss_model_state_count(model); k++)
        ss_answer_put_number(answer, ss_answer_keep(answer, ss_model_number_name(model, k)),
                             state_value(cycle, k));
    ss_answer_end(answer);
}

// What advances by as much in every period.
static void put_drift(ss_answer* answer, const ss_model* model, const ss_cycle* cycle)
{
    bool any = false;
    for (int b = 0; b < ss_model_body_count(model); b++) any = any || ss_cycle_drift(cycle, b) != 0.0;
    for (int k = 0; k < ss_model_state_count(model); k++) any = any || ss_cycle_state_drift(cycle, k) != 0.0;
    if (!any) return;
    ss_answer_put_object(answer, "drift", false);
    for (int b = 0; b < ss_model_body_count(model); b++) {
        char name[300];
        if (ss_cycle_drift(cycle, b) == 0.0) continue;
        ss_model_coordinate_name(model, b, false, name, sizeof name);
        ss_answer_put_number(answer, ss_answer_keep(answer, name), ss_cycle_drift(cycle, b));
    }
    for (int k = 0; k < ss_model_state_count(model); k++)
        if (ss_cycle_state_drift(cycle, k) != 0.0)
            ss_answer_put_number(answer, ss_answer_keep(answer, ss_model_number_name(model, k)),
                                 ss_cycle_state_drift(cycle, k));
    ss_answer_end(answer);
}

// States of an open model, or memory, by name; nothing where there is none.
static void put_numbers(ss_answer* answer, const char* key, const ss_model* model, int count,
                        const char* (*name)(const ss_model* model, int k), const double values[])
{
    if (count == 0) return;
    ss_answer_put_object(answer, key, false);
    for (int k = 0; k < count; k++)
        ss_answer_put_number(answer, ss_answer_keep(answer, name(model, k)), values[k]);
    ss_answer_end(answer);
}

static void put_start(ss_answer* answer, const ss_model* model, const ss_cycle* cycle)
{
    ss_answer_put_object(answer, "state", false);
    for (int b = 0; b < ss_model_body_count(model); b++) {
        ss_answer_put_object(answer, ss_answer_keep(answer, ss_model_body_name(model, b)), false);
        ss_answer_put_number(answer, "x", ss_cycle_x(cycle)[b]);
        ss_answer_put_number(answer, "v", ss_cycle_v(cycle)[b]);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
    put_numbers(answer, "states", model, ss_model_state_count(model), ss_model_state_name,
                ss_cycle_states(cycle));
    put_numbers(answer, "memory", model, ss_model_memory_count(model), ss_model_memory_name,
                ss_cycle_memory(cycle));
}

static void put_multipliers(ss_answer* answer, const ss_cycle* cycle)
{
    ss_answer_put_list(answer, "multipliers", false);
    for (int k = 0; k < ss_cycle_multiplier_count(cycle); k++) {
        double value[2];
        ss_cycle_multiplier(cycle, k, value);
        ss_answer_numbers(answer, value, 2);
    }
    ss_answer_end(answer);
}

static const char* contact_name(const void* of, int k) { return ss_model_contact_name(of, k); }

static void put_events(ss_answer* answer, const ss_model* model, const ss_cycle* cycle)
{
    const char** names = ss_answer_keep_names(answer, model, ss_model_contact_count(model), contact_name);
    ss_answer_put_list(answer, "events", true);
    for (size_t k = 0; names && k < ss_cycle_event_count(cycle); k++) {
        ss_event event = ss_cycle_event(cycle, k);
        ss_answer_add_event(answer, names, &event);
    }
    ss_answer_end(answer);
}

ss_status ss_answer_cycle(const ss_model* model, const ss_cycle* cycle, ss_answer** out, ss_error* err)
{
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    ss_answer_put_number(answer, "period", ss_cycle_period(cycle));
    put_per_body(answer, "amplitude", model, cycle, ss_cycle_amplitude, ss_cycle_state_amplitude);
    put_per_body(answer, "middle", model, cycle, ss_cycle_middle, ss_cycle_state_middle);
    put_drift(answer, model, cycle);
    put_multipliers(answer, cycle);
    ss_answer_put_bool(answer, "stable", ss_cycle_is_stable(cycle));
    put_start(answer, model, cycle);
    put_events(answer, model, cycle);
    ss_answer_put_list(answer, "notes", true);
    for (int k = 0; ss_cycle_note(cycle, k); k++) ss_answer_word(answer, ss_cycle_note(cycle, k));
    ss_answer_end(answer);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}
