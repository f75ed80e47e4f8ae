// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `simulate`: what it says of bodies.
#include "answer/motion_answer.h"
#include "share/build.h"
#include "share/law.h"
#include "share/model_parts.h"
#include "share/quantity_table.h"

#include <math.h>

static const char* title(const ss_motion* motion) { return ss_model_title(motion->model); }

static const char* body_name(const void* of, int k) { return ss_model_get_body(of, k).owner; }
static const char* contact_name(const void* of, int k) { return ss_model_contact_name(of, k); }
static const char* direction_name(const void* of, int k)
{
    const char* known = ((const ss_motion*)of)->directions[k].name;
    return known ? known : "direction";
}
static const char* number_name(const void* of, int k) { return ss_model_number_name(of, k); }

static bool name(ss_answer* answer, const ss_motion* motion, ss_motion_names* out)
{
    const ss_model* model = motion->model;
    out->bodies = ss_answer_keep_names(answer, model, ss_model_body_count(model), body_name);
    out->contacts = ss_answer_keep_names(answer, model, ss_model_contact_count(model), contact_name);
    int numbers = motion->rows.number_count;
    out->numbers = numbers > 0 ? ss_answer_keep_names(answer, model, numbers, number_name) : out->bodies;
    int directions = motion->direction_count;
    out->directions =
        directions > 0 ? ss_answer_keep_names(answer, motion, directions, direction_name) : out->bodies;
    return out->bodies && out->contacts && out->numbers && out->directions;
}

// Which stop it is, of a contact that is two.
static void put_side(ss_answer* answer, int side)
{
    if (side != 0) ss_answer_put_word(answer, "side", side > 0 ? "above" : "below");
}

static void put_quantity(ss_answer* answer, const ss_quantity_row* row, double value)
{
    switch (row->value) {
    case SS_QUANTITY_IS_NUMBER:
        if (!row->optional || !isnan(value)) ss_answer_put_number(answer, row->name, value);
        break;
    case SS_QUANTITY_IS_MODE: ss_answer_put_word(answer, row->name, ss_mode_name((ss_mode)value)); break;
    case SS_QUANTITY_IS_SIDE: put_side(answer, (int)value); break;
    case SS_QUANTITY_IS_FLAG:
        if (value == 0.0) ss_answer_put_bool(answer, row->name, false);
        break;
    }
}

// What is told of one body or contact; modes: those that are modes, or all others.
static void put_quantities(ss_answer* answer, ss_quantity_owner of, unsigned told, bool modes, int index,
                           const ss_moment* moment)
{
    for (int kind = 0; kind < ss_quantity_row_count(); kind++) {
        const ss_quantity_row* row = ss_quantity_row_at(kind);
        if (row->of != of || !(row->told & told) || (row->value == SS_QUANTITY_IS_MODE) != modes) continue;
        put_quantity(answer, row, ss_quantity_at((ss_quantity){.kind = kind, .index = index}, moment));
    }
}

// What is told of the coordinates from `first` to `end`, which one body has: places, then speeds.
static void put_body(ss_answer* answer, const ss_model* model, unsigned told, int first, int end,
                     const ss_moment* moment)
{
    for (int kind = 0; kind < ss_quantity_row_count(); kind++) {
        const ss_quantity_row* row = ss_quantity_row_at(kind);
        if (row->of != SS_OF_BODY || !(row->told & told)) continue;
        for (int b = first; b < end; b++) {
            double value = ss_quantity_at((ss_quantity){.kind = kind, .index = b}, moment);
            bool stands = kind == SS_QUANTITY_V && !moment->v; // a state of rest is told without speeds
            ss_answer_put_number(answer, ss_quantity_body_word(model, kind, b), stands ? 0.0 : value);
        }
    }
}

// told: SS_TOLD_ANSWER, or of derivatives SS_TOLD_DERIVATIVE.
static void put_bodies(ss_answer* answer, const ss_model* model, const char* const names[], unsigned told,
                       const double x[], const double v[])
{
    ss_moment moment = {.x = x, .v = v};
    for (int b = 0, end; b < ss_model_body_count(model); b = end) {
        end = b + (ss_model_get_body(model, b).plane == SS_PLANE_NONE ? 1 : 3);
        ss_answer_put_object(answer, names[b], false);
        put_body(answer, model, told, b, end, &moment);
        ss_answer_end(answer);
    }
}

static void put_state(ss_answer* answer, const char* key, const ss_model* model, const char* const names[],
                      const double x[], const double v[])
{
    ss_answer_put_object(answer, key, false);
    put_bodies(answer, model, names, SS_TOLD_ANSWER, x, v);
    ss_answer_end(answer);
}

static void put_limit(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names)
{
    if (!motion->settles) return;
    ss_answer_put_bool(answer, "settles", true);
    ss_answer_put_object(answer, "limit_state", false);
    put_bodies(answer, motion->model, names->bodies, SS_TOLD_DERIVATIVE, motion->limit_x, NULL);
    int states = ss_model_state_count(motion->model);
    if (states > 0) ss_answer_put_object(answer, "states", false);
    for (int k = 0; k < states; k++) ss_answer_put_number(answer, names->numbers[k], motion->limit_states[k]);
    if (states > 0) ss_answer_end(answer);
    ss_answer_end(answer);
}

static void put_contact(ss_answer* answer, const char* key, const ss_moment* moment, int contact,
                        const char* word, const double numbers[], int elements)
{
    ss_answer_put_object(answer, key, false);
    put_quantities(answer, SS_OF_CONTACT, SS_TOLD_ANSWER, true, contact, moment);
    put_quantities(answer, SS_OF_CONTACT, SS_TOLD_ANSWER, false, contact, moment);
    if (elements > 0) ss_answer_put_numbers(answer, word, numbers, (size_t)elements);
    ss_answer_end(answer);
}

// States, signals, inputs and memory of an open model.
static void put_numbers(ss_answer* answer, const ss_model* model, const char* const names[],
                        const double numbers[])
{
    for (int kind = 0, k = 0; kind < SS_NUMBER_KINDS; kind++) {
        int count = ss_model_number_count(model, kind);
        int end = k + count, forces = 0; // of ties and connections: they have their own place
        while (forces < count && ss_model_get_number(model, end - 1 - forces).force_of) forces++;
        if (count > forces) ss_answer_put_object(answer, ss_number_kind_name(kind), false);
        for (int last = end - forces; k < last; k++) ss_answer_put_number(answer, names[k], numbers[k]);
        if (count > forces) ss_answer_end(answer);
        k = end;
    }
}

// Forces of ties, connections or joints, which are the last of the signals; those of one joint follow each
// other.
static void put_forces(ss_answer* answer, const ss_model* model, const char* key, bool ties, bool joints,
                       const double numbers[])
{
    const char* owner = NULL;
    int end = ss_model_state_count(model) + ss_model_signal_count(model);
    for (int k = 0; k < end; k++) {
        ss_number_info number = ss_model_get_number(model, k);
        if (!number.force_of || number.of_tie != ties || number.of_joint != joints) continue;
        if (!owner) ss_answer_put_object(answer, key, false);
        if (owner && owner != number.force_of) ss_answer_end(answer);
        if (owner != number.force_of) ss_answer_put_object(answer, number.force_of, false);
        owner = number.force_of;
        ss_answer_put_number(answer, number.part ? number.part : "force", numbers[k]);
    }
    if (owner) ss_answer_end(answer);
    if (owner) ss_answer_end(answer);
}

// How the moment changes in each direction: bodies, then states, signals and memory, and contact forces.
static void put_derivatives(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names,
                            const double* now)
{
    int bodies = motion->rows.bodies, contacts = motion->rows.contact_count;
    if (motion->direction_count == 0) return;
    ss_answer_put_object(answer, "derivative", false);
    for (int j = 0; j < motion->direction_count; j++, now += motion->rows.derivative_width) {
        ss_answer_put_object(answer, names->directions[j], false);
        put_bodies(answer, motion->model, names->bodies, SS_TOLD_DERIVATIVE, now, now + bodies);
        put_numbers(answer, motion->model, names->numbers, now + 2 * bodies + contacts);
        ss_answer_put_object(answer, "contacts", false);
        for (int c = 0; c < contacts; c++) {
            ss_answer_put_object(answer, names->contacts[c], false);
            ss_answer_put_number(answer, "force", now[2 * bodies + c]);
            ss_answer_end(answer);
        }
        ss_answer_end(answer);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

static void put_moment(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names,
                       const ss_moment* moment)
{
    const double* deflections = moment->deflections;
    put_state(answer, "state", motion->model, names->bodies, moment->x, moment->v);
    put_numbers(answer, motion->model, names->numbers, moment->numbers);
    ss_answer_put_object(answer, "contacts", false);
    for (int c = 0; c < motion->rows.contact_count; c++) {
        int elements = ss_moment_elements(motion->model, c);
        const char* word = ss_law_element_word(ss_model_contact_law(motion->model, c));
        put_contact(answer, names->contacts[c], moment, c, word, deflections, elements);
        if (elements > 0) deflections += elements;
    }
    ss_answer_end(answer);
    put_forces(answer, motion->model, "ties", true, false, moment->numbers);
    put_forces(answer, motion->model, "connections", false, false, moment->numbers);
    put_forces(answer, motion->model, "joints", false, true, moment->numbers);
    put_derivatives(answer, motion, names, moment->derivatives);
}

void ss_answer_begin_event(ss_answer* answer, const char* const contacts[], const ss_event* event)
{
    ss_answer_object(answer, false);
    ss_answer_put_number(answer, "t", event->t);
    ss_answer_put_word(answer, "contact", contacts[event->contact]);
    ss_answer_put_word(answer, "from", ss_mode_name(event->from));
    ss_answer_put_word(answer, "to", ss_mode_name(event->to));
    put_side(answer, event->side);
    if (event->kind == SS_EVENT_IMPACT) {
        ss_answer_put_word(answer, "kind", "impact");
        ss_answer_put_number(answer, "speed_in", event->speed_in);
        ss_answer_put_number(answer, "speed_out", event->speed_out);
    } else if (event->kind == SS_EVENT_ACCUMULATION) {
        ss_answer_put_word(answer, "kind", "accumulation");
    } else if (event->kind == SS_EVENT_JAM) {
        ss_answer_put_word(answer, "kind", "jam");
    } else if (event->kind == SS_EVENT_REVERSAL) {
        ss_answer_put_word(answer, "kind", "reversal");
    }
}

void ss_answer_add_event(ss_answer* answer, const char* const contacts[], const ss_event* event)
{
    ss_answer_begin_event(answer, contacts, event);
    ss_answer_end(answer);
}

static void add_event(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names, size_t event)
{
    ss_answer_begin_event(answer, names->contacts, &motion->events[event]);
    const double* times = motion->event_derivatives + event * (size_t)motion->direction_count;
    if (motion->direction_count > 0) ss_answer_put_object(answer, "derivative", false);
    for (int j = 0; j < motion->direction_count; j++)
        ss_answer_put_number(answer, names->directions[j], times[j]);
    if (motion->direction_count > 0) ss_answer_end(answer);
    ss_answer_end(answer);
}

static bool has_bristles(const ss_model* model)
{
    for (int c = 0; c < ss_model_contact_count(model); c++)
        if (ss_model_contact_has(model, c, SS_TRAIT_BRISTLES)) return true;
    return false;
}

static void put_loops(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names)
{
    if (!has_bristles(motion->model)) return;
    ss_answer_put_list(answer, "loops", true);
    for (size_t k = 0; k < motion->branch_count; k++) {
        const ss_branch* branch = &motion->branches[k];
        ss_answer_object(answer, false);
        ss_answer_put_word(answer, "contact", names->contacts[branch->contact]);
        ss_answer_put_number(answer, "from", branch->from);
        ss_answer_put_number(answer, "to", branch->to);
        ss_answer_put_number(answer, "work", branch->work);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

const ss_motion_parts ss_answer_of_bodies = {.title = title,
                                             .name = name,
                                             .put_limit = put_limit,
                                             .put_moment = put_moment,
                                             .add_event = add_event,
                                             .put_loops = put_loops};
