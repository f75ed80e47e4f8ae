// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `simulate` for people: what happened in one sentence, then where everything is.
#include "text/motion_text.h"
#include "share/model_parts.h"
#include "share/quantity_table.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 8 }; // events and samples shown at either end of a long list

static const char* number(char text[32], double value)
{
    snprintf(text, 32, "%.7g", value + 0.0); // + 0.0 turns -0 into 0
    return text;
}

// Width of a column of names, at least that of its heading.
static int widest(int width, int count, const ss_model* model,
                  const char* (*name)(const ss_model* model, int index))
{
    for (int k = 0; k < count; k++) {
        int length = (int)strlen(name(model, k));
        if (length > width) width = length;
    }
    return width;
}

static void outcome_line(const ss_motion* m, FILE* out)
{
    size_t events = m->event_count;
    char t[32], after[64];
    number(t, m->end.t);
    snprintf(after, sizeof after, " after %zu event%s", events, events == 1 ? "" : "s");
    switch (m->outcome) {
    case SS_AT_REST:
        if (m->end.t == 0 && events == 0)
            fputs("at rest from the start\n", out);
        else
            fprintf(out, "at rest since t = %s s%s\n", t, after);
        break;
    case SS_TIME_REACHED:
        if (m->settles)
            fprintf(out, "settling at t = %s s%s: the modes stay as they are, the motion dies out\n", t,
                    after);
        else
            fprintf(out, "still going at t = %s s%s\n", t, after);
        break;
    case SS_ESCAPED: fprintf(out, "escaped at t = %s s%s\n", t, after); break;
    case SS_EVENT_LIMIT: fprintf(out, "event limit reached at t = %s s%s\n", t, after); break;
    case SS_INTERRUPTED: fprintf(out, "interrupted at t = %s s%s\n", t, after); break;
    }
}

// A number in its column; what is infinite is none.
static void number_cell(double value, FILE* out)
{
    char text[32];
    fprintf(out, "  %14s", isinf(value) ? "none" : number(text, value));
}

// Rows of the table of quantities that are told of one body or contact as columns.
static bool is_column(const ss_quantity_row* row, ss_quantity_owner of, ss_quantity_value value)
{
    return row->of == of && row->value == value && (row->told & SS_TOLD_TEXT);
}

static void headings(ss_quantity_owner of, FILE* out)
{
    for (int kind = 0; kind < ss_quantity_row_count(); kind++) {
        const ss_quantity_row* row = ss_quantity_row_at(kind);
        if (is_column(row, of, SS_QUANTITY_IS_NUMBER)) fprintf(out, "  %14s", row->name);
    }
}

static void number_cells(const ss_moment* moment, ss_quantity_owner of, int index, FILE* out)
{
    for (int kind = 0; kind < ss_quantity_row_count(); kind++)
        if (is_column(ss_quantity_row_at(kind), of, SS_QUANTITY_IS_NUMBER))
            number_cell(ss_quantity_at((ss_quantity){.kind = kind, .index = index}, moment), out);
}

// Of the columns one after the other, each named once.
static void units(const ss_model* model, ss_quantity_owner of, int index, FILE* out)
{
    char unit[64], last[64] = "";
    for (int kind = 0; kind < ss_quantity_row_count(); kind++) {
        if (!is_column(ss_quantity_row_at(kind), of, SS_QUANTITY_IS_NUMBER)) continue;
        ss_quantity_unit(model, (ss_quantity){.kind = kind, .index = index}, unit, sizeof unit);
        if (strcmp(unit, last) != 0) fprintf(out, "%s%s", last[0] ? ", " : "  ", unit);
        snprintf(last, sizeof last, "%s", unit);
    }
}

static void body_table(const ss_motion* m, FILE* out)
{
    const ss_model* model = m->model;
    int count = ss_model_body_count(model), width = widest(4, count, model, ss_model_body_name);
    fprintf(out, "\n  %-*s", width, "body");
    headings(SS_OF_BODY, out);
    fputs(m->settles ? "    settles at x\n" : "\n", out);
    for (int b = 0; b < count; b++) {
        fprintf(out, "  %-*s", width, ss_model_body_name(model, b));
        number_cells(&m->end, SS_OF_BODY, b, out);
        if (m->settles) number_cell(m->limit_x[b], out);
        units(model, SS_OF_BODY, b, out);
        fputc('\n', out);
    }
}

static void contact_table(const ss_motion* m, FILE* out)
{
    const ss_model* model = m->model;
    int count = ss_model_contact_count(model), width = widest(7, count, model, ss_model_contact_name);
    if (count == 0) return;
    fprintf(out, "\n  %-*s  %-6s", width, "contact", "mode");
    headings(SS_OF_CONTACT, out);
    fputc('\n', out);
    for (int c = 0; c < count; c++) {
        const ss_contact_state* state = &m->end.contacts[c];
        fprintf(out, "  %-*s  %-6s", width, ss_model_contact_name(model, c), ss_mode_name(state->mode));
        number_cells(&m->end, SS_OF_CONTACT, c, out);
        units(model, SS_OF_CONTACT, c, out);
        fputs(state->determined ? "\n" : ", not determined\n", out);
    }
}

// States, signals, inputs and memory of an open model.
static void number_table(const ss_motion* m, FILE* out)
{
    const ss_model* model = m->model;
    int width = widest(6, m->rows.number_count, model, ss_model_number_name);
    for (int kind = 0, k = 0; kind < SS_NUMBER_KINDS; kind++) {
        int count = ss_model_number_count(model, kind);
        if (count > 0) fprintf(out, "\n  %-*s\n", width, ss_number_kind_name(kind));
        for (int end = k + count; k < end; k++) {
            char value[32], unit[64];
            ss_dimension_format(ss_model_number_dimension(model, k), unit, sizeof unit);
            fprintf(out, "  %-*s  %14s  %s\n", width, ss_model_number_name(model, k),
                    number(value, m->end.numbers[k]), strcmp(unit, "1") == 0 ? "" : unit);
        }
    }
}

// How the end changes in each direction, and how the times of the last events do.
static void derivative_table(const ss_motion* m, FILE* out)
{
    const ss_model* model = m->model;
    int bodies = m->rows.bodies, width = widest(4, bodies, model, ss_model_body_name);
    const double* now = m->end.derivatives;
    bool has_note = false;
    for (size_t k = 0; k < m->note_count; k++)
        has_note = has_note || strncmp(m->notes[k].text, "derivative:", strlen("derivative:")) == 0;
    for (int j = 0; j < m->direction_count; j++, now += m->rows.derivative_width) {
        char x[32], v[32];
        fprintf(out, "\n  derivative by %s%s\n  %-*s  %14s  %14s\n", m->directions[j].name,
                has_note ? " (see the notes)" : "", width, "body", "x", "v");
        for (int b = 0; b < bodies; b++)
            fprintf(out, "  %-*s  %14s  %14s\n", width, ss_model_body_name(model, b),
                    isnan(now[b]) ? "none" : number(x, now[b]),
                    isnan(now[bodies + b]) ? "none" : number(v, now[bodies + b]));
        if (m->event_count == 0) continue;
        double last = m->event_derivatives[(m->event_count - 1) * (size_t)m->direction_count + (size_t)j];
        fprintf(out, "  %-*s  %14s s\n", width, "time of the last event",
                isnan(last) ? "none" : number(x, last));
    }
}

static void event_line(const ss_model* model, const ss_event* event, int width, FILE* out)
{
    char t[32], in[32], back[32];
    fprintf(out, "  t = %-12s s  %-*s  %s to %s", number(t, event->t), width,
            ss_model_contact_name(model, event->contact), ss_mode_name(event->from), ss_mode_name(event->to));
    if (event->side != 0) fputs(event->side > 0 ? " above" : " below", out);
    if (event->kind == SS_EVENT_IMPACT)
        fprintf(out, ", impact at %s, off at %s", number(in, event->speed_in),
                number(back, event->speed_out));
    if (event->kind == SS_EVENT_ACCUMULATION) fputs(", impacts accumulate", out);
    if (event->kind == SS_EVENT_REVERSAL) fputs(", reversal", out);
    if (event->kind == SS_EVENT_JAM) fputs(", jam", out);
    fputc('\n', out);
}

void cli_list_events(const ss_model* model, const ss_event events[], size_t count, FILE* out)
{
    if (count == 0) return;
    int width = widest(0, ss_model_contact_count(model), model, ss_model_contact_name);
    fputs("\n  events\n", out);
    for (size_t k = 0; k < count; k++) {
        if (count > 2 * SHOWN + 1 && k == SHOWN) {
            fprintf(out, "  ... (%zu more; --json lists all)\n", count - 2 * SHOWN);
            k = count - SHOWN;
        }
        event_line(model, &events[k], width, out);
    }
}

static void sample_line(const ss_motion* m, size_t index, FILE* out)
{
    ss_moment row = ss_motion_row(m, index);
    number_cell(row.t, out);
    for (int b = 0; b < m->rows.bodies; b++) number_cells(&row, SS_OF_BODY, b, out);
    fputc('\n', out);
}

static void sample_table(const ss_motion* m, FILE* out)
{
    size_t count = m->rows.count;
    ss_quantity q = {0};
    if (count == 0) return;
    fprintf(out, "\n  %14s", "t [s]");
    while (ss_quantity_next(m->model, SS_TOLD_TEXT, &q)) {
        char name[80];
        if (ss_quantity_row_at(q.kind)->of == SS_OF_BODY)
            fprintf(out, "  %14s", ss_quantity_name(m->model, q, name, sizeof name));
    }
    fputc('\n', out);
    for (size_t k = 0; k < count; k++) {
        if (count > 4 * SHOWN && k == 2 * SHOWN - 1) {
            fprintf(out, "  ... (%zu more; --json and --out give all)\n", count - 4 * SHOWN + 2);
            k = count - 2 * SHOWN + 1;
        }
        sample_line(m, k, out);
    }
}

static void energy_lines(const ss_motion* m, FILE* out)
{
    const ss_energy* e = &m->energy;
    char a[32], b[32], c[32], d[32], f[32], g[32];
    fprintf(out, "\n  energy: start %s + input %s = end %s + friction %s + damping %s + impact %s J\n",
            number(a, e->start), number(b, e->input), number(c, e->end), number(d, e->friction),
            number(f, e->damping), number(g, e->impact));
    fprintf(out, "  residual %.1e J\n", e->residual + 0.0);
}

static void note_list(const ss_motion* m, FILE* out)
{
    if (m->note_count > 0) fputs("\n  notes\n", out);
    for (size_t k = 0; k < m->note_count; k++) {
        const ss_note* note = &m->notes[k];
        char t[32];
        fprintf(out, "  t = %s s: %s", number(t, note->t), note->text);
        for (int c = 0; c < note->contact_count; c++)
            fprintf(out, "%s%s", c == 0 ? " (" : ", ", ss_model_contact_name(m->model, note->contacts[c]));
        fputs(note->contact_count > 0 ? ")\n" : "\n", out);
    }
}

void cli_print_warnings(const ss_energy* energy, FILE* out)
{
    char text[200];
    if (ss_energy_warning(energy, text, sizeof text)) fprintf(out, "\n  warning: %s\n", text);
}

void cli_report(const ss_motion* motion, FILE* out)
{
    fprintf(out, "%s\n", ss_model_title(motion->model));
    outcome_line(motion, out);
    body_table(motion, out);
    contact_table(motion, out);
    number_table(motion, out);
    derivative_table(motion, out);
    sample_table(motion, out);
    cli_list_events(motion->model, motion->events, motion->event_count, out);
    energy_lines(motion, out);
    cli_print_warnings(&motion->energy, out);
    note_list(motion, out);
}
