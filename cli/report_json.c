// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `simulate` as one JSON object.
#include "json.h"
#include "report.h"

#include <math.h>

static void put_state(cli_json* json, const ss_model* model, const double x[], const double v[])
{
    cli_json_object(json, false);
    for (int b = 0; b < ss_model_body_count(model); b++) {
        cli_json_key(json, ss_model_body_name(model, b));
        cli_json_object(json, false);
        cli_json_put_number(json, "x", x[b]);
        cli_json_put_number(json, "v", v ? v[b] : 0);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void put_deflections(cli_json* json, const double deflections[], int count)
{
    cli_json_key(json, "deflections");
    cli_json_array(json, false);
    for (int k = 0; k < count; k++) cli_json_number(json, deflections[k]);
    cli_json_end(json);
}

static void put_contacts(cli_json* json, const ss_model* model, const ss_contact_state states[],
                         const double deflections[])
{
    cli_json_object(json, false);
    for (int c = 0; c < ss_model_contact_count(model); c++) {
        const ss_contact_state* state = &states[c];
        cli_json_key(json, ss_model_contact_name(model, c));
        cli_json_object(json, false);
        cli_json_put_text(json, "mode", ss_mode_name(state->mode));
        cli_json_put_number(json, "force", state->force);
        cli_json_put_number(json, "limit", state->limit);
        if (!state->determined) cli_json_put_bool(json, "determined", false);
        if (!isnan(state->z)) cli_json_put_number(json, "z", state->z);
        int elements = ss_trace_elements(model, c);
        if (elements > 0) put_deflections(json, deflections, elements);
        deflections += elements;
        cli_json_end(json);
    }
    cli_json_end(json);
}

void cli_put_event(cli_json* json, const ss_model* model, const ss_event* event)
{
    cli_json_object(json, false);
    cli_json_put_number(json, "t", event->t);
    cli_json_put_text(json, "contact", ss_model_contact_name(model, event->contact));
    cli_json_put_text(json, "from", ss_mode_name(event->from));
    cli_json_put_text(json, "to", ss_mode_name(event->to));
    if (event->kind == SS_EVENT_IMPACT) {
        cli_json_put_text(json, "kind", "impact");
        cli_json_put_number(json, "speed_in", event->speed_in);
        cli_json_put_number(json, "speed_out", event->speed_out);
    } else if (event->kind == SS_EVENT_ACCUMULATION) {
        cli_json_put_text(json, "kind", "accumulation");
    } else if (event->kind == SS_EVENT_REVERSAL) {
        cli_json_put_text(json, "kind", "reversal");
    }
    cli_json_end(json);
}

static void put_sample(cli_json* json, const ss_model* model, const ss_trace_row* row)
{
    cli_json_object(json, false);
    cli_json_put_number(json, "t", row->t);
    cli_json_key(json, "state");
    put_state(json, model, row->x, row->v);
    cli_json_key(json, "contacts");
    put_contacts(json, model, row->contacts, row->deflections);
    cli_json_end(json);
}

void cli_put_energy(cli_json* json, const ss_energy* energy)
{
    cli_json_object(json, false);
    cli_json_put_number(json, "start", energy->start);
    cli_json_put_number(json, "end", energy->end);
    cli_json_put_number(json, "input", energy->input);
    cli_json_put_number(json, "friction", energy->friction);
    cli_json_put_number(json, "damping", energy->damping);
    cli_json_put_number(json, "impact", energy->impact);
    cli_json_put_number(json, "residual", energy->residual);
    cli_json_end(json);
}

static void put_note(cli_json* json, const ss_model* model, const cli_note* note)
{
    cli_json_object(json, false);
    cli_json_put_number(json, "t", note->t);
    cli_json_put_text(json, "text", note->text);
    cli_json_key(json, "contacts");
    cli_json_array(json, false);
    for (int c = 0; c < note->contact_count; c++)
        cli_json_text(json, ss_model_contact_name(model, note->contacts[c]));
    cli_json_end(json);
    cli_json_end(json);
}

static void put_branch(cli_json* json, const ss_model* model, const ss_branch* branch)
{
    cli_json_object(json, false);
    cli_json_put_text(json, "contact", ss_model_contact_name(model, branch->contact));
    cli_json_put_number(json, "from", branch->from);
    cli_json_put_number(json, "to", branch->to);
    cli_json_put_number(json, "work", branch->work);
    cli_json_end(json);
}

static bool has_bristles(const ss_model* model)
{
    for (int c = 0; c < ss_model_contact_count(model); c++)
        if (ss_model_contact_has_bristles(model, c)) return true;
    return false;
}

static void put_lists(cli_json* json, const ss_model* model, const cli_record* record)
{
    cli_json_key(json, "events");
    cli_json_array(json, true);
    for (size_t k = 0; k < record->event_count; k++) cli_put_event(json, model, &record->events[k]);
    cli_json_end(json);
    cli_json_key(json, "samples");
    cli_json_array(json, true);
    for (size_t k = 0; k < record->sample_count; k++) {
        ss_trace_row row = cli_record_get_sample(record, k);
        put_sample(json, model, &row);
    }
    cli_json_end(json);
    if (!has_bristles(model)) return;
    cli_json_key(json, "loops");
    cli_json_array(json, true);
    for (size_t k = 0; k < record->branch_count; k++) put_branch(json, model, &record->branches[k]);
    cli_json_end(json);
}

void cli_report_json(const cli_motion* motion, FILE* out)
{
    const ss_model* model = motion->model;
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, true);
    cli_json_put_text(&json, "title", ss_model_title(model));
    cli_json_put_text(&json, "outcome", ss_outcome_name(motion->outcome));
    cli_json_put_number(&json, "t", motion->t);
    if (motion->settles) {
        cli_json_put_bool(&json, "settles", true);
        cli_json_key(&json, "limit_state");
        put_state(&json, model, motion->limit_x, NULL);
    }
    cli_json_key(&json, "state");
    put_state(&json, model, motion->x, motion->v);
    cli_json_key(&json, "contacts");
    put_contacts(&json, model, motion->contacts, motion->deflections);
    put_lists(&json, model, &motion->record);
    cli_json_key(&json, "energy");
    cli_put_energy(&json, &motion->energy);
    cli_json_key(&json, "notes");
    cli_json_array(&json, true);
    for (size_t k = 0; k < motion->record.notes.count; k++)
        put_note(&json, model, &motion->record.notes.items[k]);
    cli_json_end(&json);
    cli_put_warnings(&json, &motion->energy);
    cli_json_end(&json);
}
