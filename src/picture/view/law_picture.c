// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/view/law_picture.h"

#include "core/error.h"
#include "law/table.h"
#include "model/model_impl.h"
#include "picture/canvas/label.h"
#include "share/model_parts.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = SS_LAW_POINTS - 2 };

// What of a law is drawn.
typedef struct probe {
    const ss_contact* contact;
    const ss_law* row;
    const void* law;
    ss_along* along; // of laws that keep room of their own
    ss_pool pool;
} probe;

static bool begin(probe* p, const ss_model* model, int i)
{
    *p = (probe){.contact = &model->contacts[i], .row = model->contacts[i].law_entry};
    p->law = ss_law_of(p->contact);
    const ss_law_memory* memory = &p->row->memory;
    if (!memory->at_points) return true;
    p->along = ss_new(1, sizeof *p->along);
    if (!p->along) return false;
    memory->prepare(p->row, p->law, p->along, &p->pool);
    p->along->branch = INT_MAX; // none: the one of each speed
    return !p->pool.failed;
}

static void end(probe* p)
{
    free(p->along);
    ss_pool_free(&p->pool);
}

// Force against the motion in steady sliding at v.
static double steady_force(const probe* p, double v)
{
    double sign = v < 0.0 ? -1.0 : 1.0;
    double limit = ss_law_ask(p->row, p->law, fabs(v)).limit;
    if (!isnan(limit)) return sign * limit;
    if (!p->row->point.at) return sign * p->contact->levels[v < 0.0 ? SS_BACKWARD : SS_FORWARD];
    ss_response response = {0};
    ss_law_point point = {.v = v, .sign = sign, .along = p->along};
    if (p->along) p->along->sign = sign;
    p->row->point.at(p->law, &point, &response);
    return -response.force;
}

// ---- over the speed

static double fastest(const ss_sketch sketches[], int count, int i)
{
    double most = 0.0;
    for (int m = 0; m < count; m++) {
        size_t contacts = (size_t)ss_model_contact_count(sketches[m].model);
        for (int k = 0; k < sketches[m].count; k++)
            most = fmax(most, fabs(sketches[m].contacts[(size_t)k * contacts + (size_t)i].velocity));
    }
    return most > 0.0 ? 1.1 * most : 1.0;
}

// From -most to most, denser near 0, where laws are steep; at 0 between the levels at rest.
static int fill_speeds(const probe* p, double most, ss_point out[])
{
    int count = 0;
    bool holds = !isnan(ss_law_ask(p->row, p->law, NAN).levels[0]);
    for (int k = 0; k <= POINTS; k++) {
        double u = 2.0 * k / POINTS - 1.0, v = most * u * u * u;
        if (2 * k == POINTS) {
            if (holds) out[count++] = (ss_point){0.0, -p->contact->levels[SS_STATIC_BACKWARD]};
            if (holds) out[count++] = (ss_point){0.0, p->contact->levels[SS_STATIC_FORWARD]};
            continue;
        }
        out[count++] = (ss_point){v, steady_force(p, v)};
    }
    return count;
}

// ---- over a displacement

// Slowly from rest to `reach`, back to -reach and up again: z' = rate, by the classical rule of fourth order.
static int fill_way(const probe* p, double reach, double v, ss_point out[])
{
    static const double ends[] = {1.0, -1.0, 1.0};
    double x = 0.0, z = 0.0;
    int count = 0;
    for (int leg = 0; leg < 3; leg++) {
        double sign = ends[leg] * reach > x ? 1.0 : -1.0, step = (ends[leg] * reach - x) / POINTS;
        for (int k = 0; k <= POINTS; k++) {
            ss_response r[4];
            ss_law_point point = {.v = sign * v, .sign = sign, .z = z, .along = p->along};
            p->row->point.at(p->law, &point, &r[0]);
            out[count++] = (ss_point){x, -r[0].force};
            if (k == POINTS) break;
            static const double part[] = {0.5, 0.5, 1.0};
            for (int s = 0; s < 3; s++) {
                point.z = z + part[s] * step * r[s].rate / (sign * v);
                p->row->point.at(p->law, &point, &r[s + 1]);
            }
            z += step / (6.0 * sign * v) * (r[0].rate + 2.0 * r[1].rate + 2.0 * r[2].rate + r[3].rate);
            x += step;
        }
    }
    return count;
}

// The same of a law with elements, which walks by itself.
static int fill_walk(const probe* p, double reach, ss_point out[])
{
    enum { COUNT = 3 * (POINTS + 1) };
    double x[COUNT], force[COUNT];
    for (int k = 0; k <= POINTS; k++) {
        x[k] = reach * k / POINTS;
        x[POINTS + 1 + k] = reach - 2.0 * reach * k / POINTS;
        x[2 * (POINTS + 1) + k] = 2.0 * reach * k / POINTS - reach;
    }
    if (!p->row->elements.walk(p->law, x, COUNT, force)) return -1;
    for (int k = 0; k < COUNT; k++) out[k] = (ss_point){x[k], -force[k]};
    return COUNT;
}

// ---- over the penetration

static int fill_depth(const probe* p, double most, ss_point out[])
{
    for (int k = 0; k <= POINTS; k++) {
        ss_response response = {0};
        ss_law_point point = {.y = most * k / POINTS, .sign = 1.0, .along = p->along};
        p->row->point.at(p->law, &point, &response);
        out[k] = (ss_point){point.y, fabs(response.force)};
    }
    return POINTS + 1;
}

// ---- the picture

typedef enum over { OVER_SPEED, OVER_WAY, OVER_DEPTH } over;

static ss_status fill(const ss_sketch* sketch, int i, over what, double most, ss_point out[], int* count)
{
    probe p;
    bool good = begin(&p, sketch->model, i);
    if (good && what == OVER_SPEED) *count = fill_speeds(&p, most, out);
    if (good && what == OVER_WAY && p.row->elements.walk)
        *count = fill_walk(&p, 1.5 * ss_law_ask(p.row, p.law, NAN).reach, out);
    else if (good && what == OVER_WAY)
        *count = fill_way(&p, 4.0 * ss_law_ask(p.row, p.law, 0.0).steady, 1e-6 * most, out);
    if (good && what == OVER_DEPTH) *count = fill_depth(&p, most, out);
    end(&p);
    return good && *count >= 0 ? SS_OK : SS_NO_MEMORY;
}

static const char* label_over(over what, bool angular)
{
    static const char* const labels[][2] = {[OVER_SPEED] = {"speed (m/s)", "speed (rad/s)"},
                                            [OVER_WAY] = {"displacement (m)", "displacement (rad)"},
                                            [OVER_DEPTH] = {"penetration (m)", "penetration (rad)"}};
    return labels[what][angular];
}

static ss_status draw_plot(ss_figure* figure, int i, over what, double most, const ss_sketch sketches[],
                           int count, ss_error* err)
{
    enum { ROOM = 3 * (POINTS + 1) + 2 };
    ss_point* points = ss_new((size_t)count * ROOM, sizeof *points);
    int* counts = ss_new((size_t)count, sizeof *counts);
    ss_status status = points && counts ? SS_OK : SS_NO_MEMORY;
    ss_span across = ss_span_empty(), up = ss_span_empty();
    for (int m = 0; m < count && status == SS_OK; m++) {
        status = fill(&sketches[m], i, what, most, points + (size_t)m * ROOM, &counts[m]);
        for (int k = 0; k < counts[m]; k++) {
            ss_span_add(&across, points[(size_t)m * ROOM + (size_t)k].x);
            ss_span_add(&up, points[(size_t)m * ROOM + (size_t)k].y);
        }
    }
    if (status == SS_OK) {
        bool angular = ss_model_contact_is_angular(sketches[0].model, i);
        across = ss_span_filled(across);
        up = ss_span_filled(up);
        ss_plot_axis x = ss_axis_around(label_over(what, angular), across.low, across.high),
                     y = ss_axis_around(angular ? "resisting moment (N*m)" : "resisting force (N)", up.low,
                                        up.high);
        ss_plot* plot = ss_figure_plot(figure, &x, &y, false);
        ss_draw_zero(plot, &x, &y);
        for (int m = 0; m < count; m++) {
            char name[80] = "as it is";
            ss_pen pen = ss_series_pen(plot, m);
            if (sketches[m].label) ss_label_changes(sketches[m].label, name, sizeof name);
            ss_plot_line(plot, points + (size_t)m * ROOM, counts[m], false, &pen, count > 1 ? name : NULL);
        }
    }
    free(points);
    free(counts);
    return status == SS_OK ? SS_OK : ss_fail_no_memory(err);
}

ss_status ss_law_line(const ss_model* model, int contact, double fastest, double out[][2], int* count,
                      ss_error* err)
{
    ss_point points[SS_LAW_POINTS];
    probe p;
    *count = 0;
    if (ss_law_has(ss_model_contact_law(model, contact), SS_TRAIT_STOPS)) return SS_OK;
    bool good = begin(&p, model, contact);
    if (good) *count = fill_speeds(&p, fastest, points);
    end(&p);
    for (int k = 0; k < *count; k++) {
        out[k][0] = points[k].x;
        out[k][1] = points[k].y;
    }
    return good ? SS_OK : ss_fail_no_memory(err);
}

// How deep the motions go into a stop.
static double deepest(const ss_sketch sketches[], int count, int i)
{
    double most = 0.0;
    for (int m = 0; m < count; m++) {
        const ss_model* model = sketches[m].model;
        for (int k = 0; k < sketches[m].count; k++) {
            const double* x = sketches[m].x + (size_t)k * (size_t)model->body_count;
            const ss_contact* contact = &model->contacts[i];
            double e = ss_row_dot(&contact->bodies, x), p = ss_stop_penetration(contact, e);
            if (contact->other >= 0) p = fmax(p, ss_stop_penetration(&model->contacts[contact->other], e));
            most = fmax(most, p);
        }
    }
    return most > 0.0 ? 1.1 * most : 1e-3;
}

ss_status ss_draw_law(const ss_sheet* to, int i, const ss_sketch sketches[], int count, ss_error* err)
{
    const ss_model* model = sketches[0].model;
    const ss_law* row = model->contacts[i].law_entry;
    bool gives_way = (row->traits & SS_TRAIT_GIVES_WAY) != 0;
    if ((row->traits & SS_TRAIT_STOPS) && !gives_way)
        return ss_fail(err, SS_BAD_INPUT, NULL, "contact %s is a stop whose force is whatever holds",
                       ss_model_contact_name(model, i));
    bool way = (row->traits & SS_TRAIT_Z) || row->elements.walk;
    char title[300];
    snprintf(title, sizeof title, "%.80s: %s", ss_model_contact_name(model, i),
             ss_law_name(model->contacts[i].given));
    ss_figure_def def = {
        .sheet = *to, .title = title, .width = 480, .height = way ? 560 : 340, .plots = way ? 2 : 1};
    ss_figure* figure = NULL;
    ss_status status = ss_figure_create(&def, &figure, err);
    double speed = fastest(sketches, count, i);
    if (status == SS_OK && gives_way)
        status = draw_plot(figure, i, OVER_DEPTH, deepest(sketches, count, i), sketches, count, err);
    else if (status == SS_OK)
        status = draw_plot(figure, i, OVER_SPEED, speed, sketches, count, err);
    if (status == SS_OK && way) status = draw_plot(figure, i, OVER_WAY, speed, sketches, count, err);
    if (status == SS_OK) status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    return status;
}
