// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `simulate`: what it says of a slider.
#include "answer/motion_answer.h"
#include "share/build.h"
#include "share/quantity_table.h"
#include "share/slider_parts.h"

static const char* title(const ss_motion* motion) { return ss_slider_title(motion->slider); }

static bool name(ss_answer* answer, const ss_motion* motion, ss_motion_names* out)
{
    int count = ss_slider_contact_count(motion->slider);
    *out = (ss_motion_names){.contacts = ss_pool_new(&answer->pool, (size_t)count, sizeof *out->contacts)};
    for (int i = 0; out->contacts && i < count; i++) {
        char label[24];
        out->contacts[i] = ss_answer_keep(answer, ss_slider_contact_label(motion->slider, i, label));
    }
    return out->contacts != NULL;
}

static void put_state(ss_answer* answer, const ss_moment* moment)
{
    ss_answer_put_object(answer, "state", false);
    ss_answer_put_object(answer, "slider", false);
    for (int kind = 0; kind < ss_quantity_row_count(); kind++) {
        const ss_quantity_row* row = ss_quantity_row_at(kind);
        if (row->of == SS_OF_SLIDER && (row->told & SS_TOLD_ANSWER))
            ss_answer_put_number(answer, row->name, ss_quantity_at((ss_quantity){.kind = kind}, moment));
    }
    ss_answer_end(answer);
    ss_answer_end(answer);
}

static void put_relative(ss_answer* answer, const ss_slider_state* state)
{
    ss_answer_put_object(answer, "relative", false);
    ss_answer_put_number(answer, "vx", state->relative[0]);
    ss_answer_put_number(answer, "vy", state->relative[1]);
    ss_answer_put_number(answer, "spin", state->relative[2]);
    ss_answer_end(answer);
}

// Carried by a floor that moves on.
static void put_settles(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names)
{
    (void)names;
    if (motion->settles) ss_answer_put_bool(answer, "settles", true);
}

static void put_moment(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names,
                       const ss_moment* moment)
{
    int fingers_from = ss_slider_support_count(motion->slider);
    put_state(answer, moment);
    if (ss_slider_floor_moves(motion->slider)) put_relative(answer, moment->slide);
    ss_answer_put_object(answer, "contacts", false);
    for (int i = 0; i < motion->rows.support_count; i++) {
        const ss_support_state* state = &moment->supports[i];
        ss_answer_put_object(answer, names->contacts[i], false);
        ss_answer_put_word(answer, "mode", ss_mode_name(state->mode));
        if (state->count == 1)
            ss_answer_put_number(answer, "force", state->force[0]);
        else
            ss_answer_put_numbers(answer, "force", state->force, (size_t)state->count);
        ss_answer_put_number(answer, "limit", state->limit);
        if (!state->determined) ss_answer_put_bool(answer, "determined", false);
        if (i >= fingers_from) ss_answer_put_numbers(answer, "place", state->place, 2);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

static void put_final(ss_answer* answer, const ss_motion* motion)
{
    const ss_final_motion* final = &motion->final;
    if (!motion->has_final) return;
    ss_answer_put_object(answer, "final_motion", false);
    ss_answer_put_numbers(answer, "q", final->q, 3);
    if (final->translates)
        ss_answer_put_null(answer, "center_of_rotation");
    else
        ss_answer_put_numbers(answer, "center_of_rotation", final->center, 2);
    ss_answer_put_bool(answer, "converged", final->converged);
    ss_answer_end(answer);
}

static void add_event(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names, size_t k)
{
    const ss_slide_event* event = &motion->slide_events[k];
    ss_answer_object(answer, false);
    ss_answer_put_number(answer, "t", event->t);
    ss_answer_put_word(answer, "contact", names->contacts[event->support]);
    if (event->speed_in > 0.0) {
        ss_answer_put_word(answer, "kind", "impact");
        ss_answer_put_number(answer, "speed_in", event->speed_in);
        ss_answer_put_number(answer, "speed_out", 0.0);
    }
    ss_answer_put_word(answer, "from", ss_mode_name(event->from));
    ss_answer_put_word(answer, "to", ss_mode_name(event->to));
    ss_answer_put_numbers(answer, "load_before", event->load_before, 3);
    ss_answer_put_numbers(answer, "load_after", event->load_after, 3);
    ss_answer_end(answer);
}

const ss_motion_parts ss_answer_of_slider = {.title = title,
                                             .name = name,
                                             .put_limit = put_settles,
                                             .put_moment = put_moment,
                                             .put_final = put_final,
                                             .add_event = add_event};
