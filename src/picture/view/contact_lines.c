// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Lines of the force of one contact over its displacement, velocity or penetration.
#include "core/error.h"
#include "core/number_length.h"
#include "model/model_impl.h"
#include "picture/canvas/label.h"
#include "picture/view/loops.h"
#include "picture/view/motion_lines.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOOPS_NAMED = 6 };

static ss_point contact_point(const ss_sketch* sketch, int i, ss_abscissa over, int moment)
{
    const ss_model* model = sketch->model;
    const ss_contact* contact = &model->contacts[i];
    const ss_contact_state* state =
        &sketch->contacts[(size_t)moment * (size_t)model->shown_count + (size_t)i];
    double x = ss_row_dot(&contact->bodies, sketch->x + (size_t)moment * (size_t)model->body_count);
    if (over == SS_VELOCITY) return (ss_point){state->velocity, -state->force};
    if (over == SS_DISPLACEMENT) return (ss_point){x, -state->force};
    double p = ss_stop_penetration(contact, x);
    if (contact->other >= 0) p = fmax(p, ss_stop_penetration(&model->contacts[contact->other], x));
    return p < 0.0 ? (ss_point){0.0, 0.0} : (ss_point){p, fabs(state->force)}; // in flight: nothing
}

void ss_widen_by_contact(const ss_sketch* sketch, int i, ss_abscissa over, ss_span* across, ss_span* up)
{
    for (int k = 0; k < sketch->count; k++) {
        ss_point p = contact_point(sketch, i, over, k);
        ss_span_add(across, p.x);
        ss_span_add(up, p.y);
    }
    *across = ss_span_filled(*across);
    *up = ss_span_filled(*up);
}

// How much each closed loop takes, of a single motion.
static void name_loops(ss_plot* plot, const ss_sketch* sketch, int i, const ss_point points[])
{
    ss_loops loops[LOOPS_NAMED];
    const char* unit = ss_model_contact_is_angular(sketch->model, i) ? "rad" : "m";
    int found = ss_loops_find(points, sketch->count, loops, LOOPS_NAMED);
    char name[80];
    ss_span across = ss_span_empty(), up = ss_span_empty();
    ss_widen_by_contact(sketch, i, SS_DISPLACEMENT, &across, &up);
    for (int k = 0; k < found && k < LOOPS_NAMED;
         k++) // between moments lines are straight: that much is error
        if (fabs(loops[k].work) < 1e-4 * loops[k].width * (up.high - up.low)) loops[k].work = 0.0;
    for (int k = 0; k < found && k < LOOPS_NAMED; k++) {
        if (loops[k].count > 1)
            ss_format(name, sizeof name, "%d loops %.3g %s wide: %.3g J each", loops[k].count, loops[k].width,
                      unit, loops[k].work);
        else
            ss_format(name, sizeof name, "loop %.3g %s wide: %.3g J", loops[k].width, unit, loops[k].work);
        ss_plot_remark(plot, name);
    }
    snprintf(name, sizeof name, "and narrower ones, of %d kinds", found - LOOPS_NAMED);
    if (found > LOOPS_NAMED) ss_plot_remark(plot, name);
}

// The work over all of the line, and what the line is.
static void name_line(const ss_sketch* sketch, const ss_point points[], char* out, size_t size)
{
    char changes[80] = "this motion";
    double work = 0.0;
    ss_span across = ss_span_empty();
    for (int k = 0; k < sketch->count; k++) ss_span_add(&across, points[k].x);
    for (int k = 1; k < sketch->count && !ss_span_is_point(across); k++)
        work += 0.5 * (points[k].y + points[k - 1].y) * (points[k].x - points[k - 1].x);
    if (sketch->label) ss_label_changes(sketch->label, changes, sizeof changes);
    if (sketch->is_sampled || !isfinite(work))
        snprintf(out, size, "%s", changes);
    else if (sketch->label)
        ss_format(out, size, "%s: work %.4g J", changes, work);
    else
        ss_format(out, size, "work %.4g J", work);
}

void ss_draw_contact_line(ss_plot* plot, const ss_sketch* sketch, int i, ss_abscissa over, int number,
                          bool named)
{
    ss_point* points = ss_new((size_t)sketch->count, sizeof *points);
    if (!points) return;
    char name[240], line[120];
    ss_pen pen = ss_series_pen(plot, number);
    for (int k = 0; k < sketch->count; k++) points[k] = contact_point(sketch, i, over, k);
    name_line(sketch, points, line, sizeof line);
    snprintf(name, sizeof name,
             !named          ? "%.0s%s"
             : sketch->label ? "%.100s, %s"
                             : "%.100s: %s",
             ss_model_contact_name(sketch->model, i), line);
    ss_draw_runs(plot, sketch, points, &pen, over == SS_VELOCITY ? NULL : name);
    if (over == SS_DISPLACEMENT && number == 0 && !named && !sketch->is_sampled)
        name_loops(plot, sketch, i, points);
    ss_plot_rings(plot, points, sketch->count > 0, 2.2, pen.color,
                  over == SS_DISPLACEMENT && number == 0 ? "start" : NULL);
    free(points);
}
