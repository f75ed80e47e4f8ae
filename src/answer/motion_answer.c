// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `simulate`.
#include "answer/motion_answer.h"
#include "share/build.h"

void ss_answer_put_energy(ss_answer* answer, const ss_energy* energy)
{
    ss_answer_put_object(answer, "energy", false);
    ss_answer_put_number(answer, "start", energy->start);
    ss_answer_put_number(answer, "end", energy->end);
    ss_answer_put_number(answer, "input", energy->input);
    ss_answer_put_number(answer, "friction", energy->friction);
    ss_answer_put_number(answer, "damping", energy->damping);
    ss_answer_put_number(answer, "impact", energy->impact);
    ss_answer_put_number(answer, "residual", energy->residual);
    ss_answer_end(answer);
}

static void put_notes(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names)
{
    ss_answer_put_list(answer, "notes", true);
    for (size_t k = 0; k < motion->note_count; k++) {
        const ss_note* note = &motion->notes[k];
        ss_answer_object(answer, false);
        ss_answer_put_number(answer, "t", note->t);
        ss_answer_put_word(answer, "text", note->text);
        ss_answer_put_list(answer, "contacts", false);
        for (int i = 0; i < note->contact_count; i++)
            ss_answer_word(answer, names->contacts[note->contacts[i]]);
        ss_answer_end(answer);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

static void put_warnings(ss_answer* answer, const ss_energy* energy)
{
    char text[200];
    ss_answer_put_list(answer, "warnings", true);
    if (ss_energy_warning(energy, text, sizeof text)) ss_answer_text(answer, text);
    ss_answer_end(answer);
}

static void put_lists(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names,
                      const ss_motion_parts* parts)
{
    ss_answer_put_list(answer, "events", true);
    for (size_t k = 0; k < motion->event_count; k++) parts->add_event(answer, motion, names, k);
    ss_answer_end(answer);
    ss_answer_put_list(answer, "samples", true);
    for (size_t k = 0; k < motion->rows.count; k++) {
        ss_moment moment = ss_motion_row(motion, k);
        ss_answer_object(answer, false);
        ss_answer_put_number(answer, "t", moment.t);
        parts->put_moment(answer, motion, names, &moment);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
    if (parts->put_loops) parts->put_loops(answer, motion, names);
}

ss_status ss_answer_motion(const ss_motion* motion, ss_answer** out, ss_error* err)
{
    const ss_motion_parts* parts = motion->slider ? &ss_answer_of_slider : &ss_answer_of_bodies;
    ss_motion_names names;
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    if (!parts->name(answer, motion, &names)) return ss_answer_hand_over(answer, out, err);
    ss_answer_object(answer, true);
    ss_answer_put_text(answer, "title", parts->title(motion));
    ss_answer_put_word(answer, "outcome", ss_outcome_name(motion->outcome));
    ss_answer_put_number(answer, "t", motion->end.t);
    if (parts->put_limit) parts->put_limit(answer, motion, &names);
    parts->put_moment(answer, motion, &names, &motion->end);
    if (parts->put_final) parts->put_final(answer, motion);
    put_lists(answer, motion, &names, parts);
    ss_answer_put_energy(answer, &motion->energy);
    put_notes(answer, motion, &names);
    put_warnings(answer, &motion->energy);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}
