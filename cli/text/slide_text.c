// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `simulate` for a slider, for people.
#include "share/slider_parts.h"
#include "text/motion_text.h"

#include <math.h>

enum { SHOWN = 10 };

static void outcome_line(const ss_motion* motion, FILE* out)
{
    static const char* const texts[] = {"at rest since", "still going at", "escaped at",
                                        "event limit reached at", "interrupted at"};
    size_t events = motion->event_count;
    if (motion->outcome == SS_AT_REST && motion->end.t == 0 && events == 0)
        fputs("at rest from the start\n", out);
    else
        fprintf(out, "%s t = %.9g s after %zu event%s%s\n", texts[motion->outcome], motion->end.t, events,
                events == 1 ? "" : "s", motion->settles ? ": it is carried, and will be for ever" : "");
}

static void state_lines(const ss_motion* motion, FILE* out)
{
    const ss_slider_state* s = motion->end.slide;
    fprintf(out, "\n  center  x = %.9g m, y = %.9g m, angle = %.9g rad\n", s->x + 0.0, s->y + 0.0,
            s->angle + 0.0);
    fprintf(out, "  speed   vx = %.9g m/s, vy = %.9g m/s, spin = %.9g rad/s\n", s->vx + 0.0, s->vy + 0.0,
            s->spin + 0.0);
    if (ss_slider_floor_moves(motion->slider))
        fprintf(out, "  over the floor  vx = %.9g m/s, vy = %.9g m/s, spin = %.9g rad/s\n",
                s->relative[0] + 0.0, s->relative[1] + 0.0, s->relative[2] + 0.0);
    if (!motion->has_final) return;
    const ss_final_motion* f = &motion->final;
    if (f->translates)
        fputs("  final motion: translation", out);
    else
        fprintf(out, "  final motion: rotation about (%.9g, %.9g) m of the body", f->center[0] + 0.0,
                f->center[1] + 0.0);
    fprintf(out, "%s\n", f->converged ? "" : " (not proved to attract)");
}

static void support_table(const ss_motion* motion, FILE* out)
{
    char name[24];
    fprintf(out, "\n  %-10s  %-6s  %12s  force\n", "support", "mode", "limit");
    for (int i = 0; i < ss_slider_contact_count(motion->slider); i++) {
        const ss_support_state* s = &motion->end.supports[i];
        fprintf(out, "  %-10s  %-6s  %12.9g  ", ss_slider_contact_label(motion->slider, i, name),
                ss_mode_name(s->mode), s->limit);
        for (int k = 0; k < s->count; k++) fprintf(out, "%s%.9g", k ? ", " : "", s->force[k] + 0.0);
        fprintf(out, " N%s%s\n", s->count == 3 ? ", N*m" : "", s->determined ? "" : ", not determined");
    }
}

static void event_list(const ss_motion* motion, FILE* out)
{
    char name[24];
    size_t count = motion->event_count;
    if (count > 0) fputs("\n  events\n", out);
    for (size_t k = 0; k < count; k++) {
        if (count > 2 * SHOWN + 1 && k == SHOWN) {
            fprintf(out, "  ... (%zu more; --json lists all)\n", count - 2 * SHOWN);
            k = count - SHOWN;
        }
        const ss_slide_event* e = &motion->slide_events[k];
        fprintf(out, "  t = %-12.9g s  %s  %s to %s\n", e->t,
                ss_slider_contact_label(motion->slider, e->support, name), ss_mode_name(e->from),
                ss_mode_name(e->to));
    }
}

static void sample_table(const ss_motion* motion, FILE* out)
{
    size_t count = motion->rows.count;
    if (count > 0)
        fprintf(out, "\n  %12s  %12s  %12s  %12s  %12s  %12s  %12s\n", "t [s]", "x", "y", "angle", "vx", "vy",
                "spin");
    for (size_t k = 0; k < count; k++) {
        if (count > 4 * SHOWN && k == 2 * SHOWN - 1) {
            fprintf(out, "  ... (%zu more; --json and --out give all)\n", count - 4 * SHOWN + 2);
            k = count - 2 * SHOWN + 1;
        }
        const ss_slider_state* s = &motion->rows.slides[k];
        fprintf(out, "  %12.9g  %12.7g  %12.7g  %12.7g  %12.7g  %12.7g  %12.7g\n", motion->rows.t[k],
                s->x + 0.0, s->y + 0.0, s->angle + 0.0, s->vx + 0.0, s->vy + 0.0, s->spin + 0.0);
    }
}

void cli_slide_report(const ss_motion* motion, FILE* out)
{
    const ss_energy* e = &motion->energy;
    fprintf(out, "%s\n", ss_slider_title(motion->slider));
    outcome_line(motion, out);
    state_lines(motion, out);
    support_table(motion, out);
    sample_table(motion, out);
    event_list(motion, out);
    fprintf(out, "\n  energy: start %.9g + input %.9g = end %.9g + friction %.9g", e->start, e->input + 0.0,
            e->end, e->friction);
    if (e->impact != 0.0) fprintf(out, " + impact %.9g", e->impact); // of fingers
    fprintf(out, " J\n  residual %.1e J\n", e->residual + 0.0);
    cli_print_warnings(e, out);
    if (motion->note_count > 0) fputs("\n  notes\n", out);
    for (size_t k = 0; k < motion->note_count; k++)
        fprintf(out, "  t = %.9g s: %s\n", motion->notes[k].t, motion->notes[k].text);
}
