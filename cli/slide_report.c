// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `simulate` for a slider, for people and as one JSON object.
#include "report.h"
#include "slide.h"

#include <math.h>

enum { SHOWN = 10 };

// ---- JSON ----

static void put_state(cli_json* json, const ss_slide_state* state)
{
    cli_json_object(json, false);
    cli_json_key(json, "slider");
    cli_json_object(json, false);
    cli_json_put_number(json, "x", state->x);
    cli_json_put_number(json, "y", state->y);
    cli_json_put_number(json, "angle", state->angle);
    cli_json_put_number(json, "vx", state->vx);
    cli_json_put_number(json, "vy", state->vy);
    cli_json_put_number(json, "spin", state->spin);
    cli_json_end(json);
    cli_json_end(json);
}

static void put_vector(cli_json* json, const char* key, const double v[], int count)
{
    cli_json_key(json, key);
    cli_json_array(json, false);
    for (int i = 0; i < count; i++) cli_json_number(json, v[i]);
    cli_json_end(json);
}

static const char* support_name(int support, char out[24])
{
    snprintf(out, 24, "support%d", support + 1);
    return out;
}

static void put_supports(cli_json* json, const ss_slider* slider, const ss_support_state states[])
{
    char name[24];
    cli_json_object(json, false);
    for (int i = 0; i < ss_slider_support_count(slider); i++) {
        const ss_support_state* state = &states[i];
        cli_json_key(json, support_name(i, name));
        cli_json_object(json, false);
        cli_json_put_text(json, "mode", ss_mode_name(state->mode));
        if (state->count == 1)
            cli_json_put_number(json, "force", state->force[0]);
        else
            put_vector(json, "force", state->force, state->count);
        cli_json_put_number(json, "limit", state->limit);
        if (!state->determined) cli_json_put_bool(json, "determined", false);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void put_event(cli_json* json, const ss_slide_event* event)
{
    char name[24];
    cli_json_object(json, false);
    cli_json_put_number(json, "t", event->t);
    cli_json_put_text(json, "contact", support_name(event->support, name));
    cli_json_put_text(json, "from", ss_mode_name(event->from));
    cli_json_put_text(json, "to", ss_mode_name(event->to));
    put_vector(json, "load_before", event->load_before, 3);
    put_vector(json, "load_after", event->load_after, 3);
    cli_json_end(json);
}

static void put_lists(cli_json* json, const cli_slide* slide)
{
    cli_json_key(json, "events");
    cli_json_array(json, true);
    for (size_t k = 0; k < slide->event_count; k++) put_event(json, &slide->events[k]);
    cli_json_end(json);
    cli_json_key(json, "samples");
    cli_json_array(json, true);
    for (size_t k = 0; k < slide->sample_count; k++) {
        cli_json_object(json, false);
        cli_json_put_number(json, "t", slide->samples[k].t);
        cli_json_key(json, "state");
        put_state(json, &slide->samples[k].state);
        cli_json_key(json, "contacts");
        put_supports(json, slide->slider, slide->samples[k].supports);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void put_final(cli_json* json, const ss_final_motion* final)
{
    cli_json_key(json, "final_motion");
    cli_json_object(json, false);
    put_vector(json, "q", final->q, 3);
    if (final->translates) {
        cli_json_key(json, "center_of_rotation");
        cli_json_null(json);
    } else {
        put_vector(json, "center_of_rotation", final->center, 2);
    }
    cli_json_put_bool(json, "converged", final->converged);
    cli_json_end(json);
}

static void put_notes(cli_json* json, const cli_slide* slide)
{
    char name[24];
    cli_json_key(json, "notes");
    cli_json_array(json, true);
    for (size_t k = 0; k < slide->notes.count; k++) {
        const cli_note* note = &slide->notes.items[k];
        cli_json_object(json, false);
        cli_json_put_number(json, "t", note->t);
        cli_json_put_text(json, "text", note->text);
        cli_json_key(json, "contacts");
        cli_json_array(json, false);
        for (int i = 0; i < note->contact_count; i++)
            cli_json_text(json, support_name(note->contacts[i], name));
        cli_json_end(json);
        cli_json_end(json);
    }
    cli_json_end(json);
}

void cli_slide_report_json(const cli_slide* slide, FILE* out)
{
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, true);
    cli_json_put_text(&json, "title", ss_slider_title(slide->slider));
    cli_json_put_text(&json, "outcome", ss_outcome_name(slide->outcome));
    cli_json_put_number(&json, "t", slide->end.t);
    cli_json_key(&json, "state");
    put_state(&json, &slide->end.state);
    cli_json_key(&json, "contacts");
    put_supports(&json, slide->slider, slide->end.supports);
    if (slide->has_final) put_final(&json, &slide->final);
    put_lists(&json, slide);
    cli_json_key(&json, "energy");
    cli_put_energy(&json, &slide->energy);
    put_notes(&json, slide);
    cli_put_warnings(&json, &slide->energy);
    cli_json_end(&json);
}

// ---- text ----

static void outcome_line(const cli_slide* slide, FILE* out)
{
    static const char* const texts[] = {"at rest since", "still going at", "escaped at",
                                        "event limit reached at", "interrupted at"};
    size_t events = slide->event_count;
    if (slide->outcome == SS_AT_REST && slide->end.t == 0 && events == 0)
        fputs("at rest from the start\n", out);
    else
        fprintf(out, "%s t = %.9g s after %zu event%s\n", texts[slide->outcome], slide->end.t, events,
                events == 1 ? "" : "s");
}

static void state_lines(const cli_slide* slide, FILE* out)
{
    const ss_slide_state* s = &slide->end.state;
    fprintf(out, "\n  center  x = %.9g m, y = %.9g m, angle = %.9g rad\n", s->x + 0.0, s->y + 0.0,
            s->angle + 0.0);
    fprintf(out, "  speed   vx = %.9g m/s, vy = %.9g m/s, spin = %.9g rad/s\n", s->vx + 0.0, s->vy + 0.0,
            s->spin + 0.0);
    if (!slide->has_final) return;
    const ss_final_motion* f = &slide->final;
    if (f->translates)
        fputs("  final motion: translation", out);
    else
        fprintf(out, "  final motion: rotation about (%.9g, %.9g) m of the body", f->center[0] + 0.0,
                f->center[1] + 0.0);
    fprintf(out, "%s\n", f->converged ? "" : " (not proved to attract)");
}

static void support_table(const cli_slide* slide, FILE* out)
{
    char name[24];
    fprintf(out, "\n  %-10s  %-6s  %12s  force\n", "support", "mode", "limit");
    for (int i = 0; i < ss_slider_support_count(slide->slider); i++) {
        const ss_support_state* s = &slide->end.supports[i];
        fprintf(out, "  %-10s  %-6s  %12.9g  ", support_name(i, name), ss_mode_name(s->mode), s->limit);
        for (int k = 0; k < s->count; k++) fprintf(out, "%s%.9g", k ? ", " : "", s->force[k] + 0.0);
        fprintf(out, " N%s%s\n", s->count == 3 ? ", N*m" : "", s->determined ? "" : ", not determined");
    }
}

static void event_list(const cli_slide* slide, FILE* out)
{
    char name[24];
    size_t count = slide->event_count;
    if (count > 0) fputs("\n  events\n", out);
    for (size_t k = 0; k < count; k++) {
        if (count > 2 * SHOWN + 1 && k == SHOWN) {
            fprintf(out, "  ... (%zu more; --json lists all)\n", count - 2 * SHOWN);
            k = count - SHOWN;
        }
        const ss_slide_event* e = &slide->events[k];
        fprintf(out, "  t = %-12.9g s  %s  %s to %s\n", e->t, support_name(e->support, name),
                ss_mode_name(e->from), ss_mode_name(e->to));
    }
}

static void sample_table(const cli_slide* slide, FILE* out)
{
    size_t count = slide->sample_count;
    if (count > 0)
        fprintf(out, "\n  %12s  %12s  %12s  %12s  %12s  %12s  %12s\n", "t [s]", "x", "y", "angle", "vx", "vy",
                "spin");
    for (size_t k = 0; k < count; k++) {
        if (count > 4 * SHOWN && k == 2 * SHOWN - 1) {
            fprintf(out, "  ... (%zu more; --json and --out give all)\n", count - 4 * SHOWN + 2);
            k = count - 2 * SHOWN + 1;
        }
        const ss_slide_state* s = &slide->samples[k].state;
        fprintf(out, "  %12.9g  %12.7g  %12.7g  %12.7g  %12.7g  %12.7g  %12.7g\n", slide->samples[k].t,
                s->x + 0.0, s->y + 0.0, s->angle + 0.0, s->vx + 0.0, s->vy + 0.0, s->spin + 0.0);
    }
}

void cli_slide_report_text(const cli_slide* slide, FILE* out)
{
    const ss_energy* e = &slide->energy;
    fprintf(out, "%s\n", ss_slider_title(slide->slider));
    outcome_line(slide, out);
    state_lines(slide, out);
    support_table(slide, out);
    sample_table(slide, out);
    event_list(slide, out);
    fprintf(out, "\n  energy: start %.9g + input %.9g = end %.9g + friction %.9g J\n  residual %.1e J\n",
            e->start, e->input + 0.0, e->end, e->friction, e->residual + 0.0);
    cli_tell_warnings(e, out);
    if (slide->notes.count > 0) fputs("\n  notes\n", out);
    for (size_t k = 0; k < slide->notes.count; k++)
        fprintf(out, "  t = %.9g s: %s\n", slide->notes.items[k].t, slide->notes.items[k].text);
}
