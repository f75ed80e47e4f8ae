// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Chosen numbers over time, of one or several motions: a plot per unit.
#include "picture/view/traces.h"

#include "core/error.h"
#include "picture/canvas/label.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRACES = 64, MOST_PLOTS = 8 };

typedef struct trace {
    ss_quantity of;
    char name[120], unit[40];
} trace;

typedef struct sheet {
    trace traces[MOST_TRACES];
    int count;
    const char* units[MOST_PLOTS]; // of the plots
    int plots;
} sheet;

static bool add(sheet* s, const ss_model* model, ss_quantity of, const char* name)
{
    if (s->count == MOST_TRACES) return false;
    trace* t = &s->traces[s->count++];
    t->of = of;
    snprintf(t->name, sizeof t->name, "%s", name);
    ss_quantity_unit(model, of, t->unit, sizeof t->unit);
    for (int k = 0; k < s->plots; k++)
        if (strcmp(s->units[k], t->unit) == 0) return true;
    if (s->plots == MOST_PLOTS) return false;
    s->units[s->plots++] = t->unit;
    return true;
}

// Without a choice: places and speeds of free bodies, and the forces of all contacts.
static bool add_all(sheet* s, const ss_model* model)
{
    bool good = true;
    char name[120];
    for (int kind = 0; kind < ss_quantity_row_count(); kind++) {
        bool of_bodies = ss_quantity_row_at(kind)->of == SS_OF_BODY;
        ss_quantity q = {0};
        while (good && ss_quantity_next(model, SS_TOLD_PICTURE, &q))
            if (q.kind == kind && !(of_bodies && ss_model_body_is_driven(model, q.index)))
                good = add(s, model, q, ss_quantity_name(model, q, name, sizeof name));
    }
    return good;
}

static ss_status choose(sheet* s, const ss_model* model, const char* const show[], int count, ss_error* err)
{
    bool good = count > 0 || add_all(s, model);
    for (int k = 0; k < count && good; k++) {
        ss_quantity of;
        ss_status status = ss_quantity_find(model, show[k], &of, err);
        if (status != SS_OK) return status;
        good = add(s, model, of, show[k]);
    }
    return good ? SS_OK : ss_fail(err, SS_BAD_INPUT, NULL, "so many traces are too many for one picture");
}

static double value_at(const ss_sketch* c, ss_quantity of, int k)
{
    size_t bodies = (size_t)ss_model_body_count(c->model),
           contacts = (size_t)ss_model_contact_count(c->model);
    ss_moment moment = {.t = c->t[k],
                        .x = c->x + (size_t)k * bodies,
                        .v = c->v + (size_t)k * bodies,
                        .contacts = c->contacts + (size_t)k * contacts,
                        .numbers = c->numbers + (size_t)k * (size_t)c->number_count};
    return ss_quantity_at(of, &moment);
}

// What is at rest stays where it is: beside motions that last longer its line goes on to the `end` of the
// plot. Forces and signals may follow the time meanwhile, and are drawn as far as they are known.
static void draw_line(ss_plot* plot, const ss_sketch* c, const trace* t, bool several, int number, double end)
{
    ss_point* points = ss_new((size_t)c->count + 1, sizeof *points);
    if (!points) return; // the figure finds out by itself
    char name[220], changes[80] = "as it is";
    int count = 0;
    for (int k = 0; k < c->count; k++) {
        double value = value_at(c, t->of, k);
        if (isfinite(value)) points[count++] = (ss_point){c->t[k], value};
    }
    bool stays = c->outcome == SS_AT_REST && (t->of.kind == SS_QUANTITY_X || t->of.kind == SS_QUANTITY_V);
    if (stays && count > 0 && c->end < end) {
        points[count] = (ss_point){end, points[count - 1].y};
        count++;
    }
    if (c->label) ss_label_changes(c->label, changes, sizeof changes);
    snprintf(name, sizeof name, several ? "%s (%s)" : "%s", t->name, changes);
    ss_pen pen = ss_series_pen(plot, number);
    ss_plot_line(plot, points, count, false, &pen, name);
    if (count == 1) ss_plot_dots(plot, points, 1, 2.0, pen.color, NULL);
    free(points);
}

// "stage.x (m)" of one trace, "x (m)" of several of a kind, "(m)" of others.
static void name_axis(const sheet* s, const char* unit, char* out, size_t size)
{
    const char *common = NULL, *whole = NULL;
    int count = 0;
    for (int t = 0; t < s->count; t++) {
        if (strcmp(s->traces[t].unit, unit) != 0) continue;
        const char *name = s->traces[t].name, *dot = strrchr(name, '.'), *kind = dot ? dot + 1 : name;
        common = count == 0 || strcmp(common, kind) == 0 ? kind : "";
        whole = name;
        count++;
    }
    const char* shown = count == 1 ? whole : common;
    if (strcmp(unit, "1") == 0)
        snprintf(out, size, "%s", shown[0] ? shown : "number");
    else
        snprintf(out, size, "%s%s(%s)", shown, shown[0] ? " " : "", unit);
}

static void draw_plot(ss_figure* figure, const sheet* s, int number, const ss_sketch sketches[], int count)
{
    ss_span span = ss_span_empty();
    char label[180];
    double begin = -INFINITY, end = -INFINITY; // a motion that ended before the window begins where it ended
    for (int m = 0; m < count; m++) {
        begin = fmax(begin, sketches[m].begin);
        end = fmax(end, sketches[m].end);
    }
    for (int t = 0; t < s->count; t++) {
        if (strcmp(s->traces[t].unit, s->units[number]) != 0) continue;
        for (int m = 0; m < count; m++)
            for (int k = 0; k < sketches[m].count; k++)
                ss_span_add(&span, value_at(&sketches[m], s->traces[t].of, k));
    }
    span = ss_span_filled(span);
    name_axis(s, s->units[number], label, sizeof label);
    ss_plot_axis x = {number == s->plots - 1 ? "t (s)" : NULL, begin, end > begin ? end : begin + 1.0},
                 y = ss_axis_around(label, span.low, span.high);
    ss_plot* plot = ss_figure_plot(figure, &x, &y, false);
    if (count == 1) ss_shade_sticks(plot, &sketches[0], &y, number == 0);
    ss_draw_zero(plot, &x, &y);
    for (int t = 0, line = 0; t < s->count; t++)
        for (int m = 0; m < count && strcmp(s->traces[t].unit, s->units[number]) == 0; m++)
            draw_line(plot, &sketches[m], &s->traces[t], count > 1, line++, end);
}

ss_status ss_draw_traces(const ss_sheet* to, const char* const show[], int show_count,
                         const ss_sketch sketches[], int count, ss_error* err)
{
    sheet* s = ss_new(1, sizeof *s);
    if (!s) return ss_fail_no_memory(err);
    ss_figure* figure = NULL;
    ss_status status = choose(s, sketches[0].model, show, show_count, err);
    ss_figure_def def = {.sheet = *to,
                         .title = ss_model_title(sketches[0].model),
                         .width = 560,
                         .height = 120 + 140.0 * s->plots,
                         .plots = s->plots};
    if (status == SS_OK) status = ss_figure_create(&def, &figure, err);
    for (int k = 0; k < s->plots && status == SS_OK; k++) draw_plot(figure, s, k, sketches, count);
    if (status == SS_OK) status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    free(s);
    return status;
}
