// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pictures of motions of bodies: over time, in the phase plane, force over displacement.
#include "core/error.h"
#include "model/model_impl.h"
#include "picture/view/law_picture.h"
#include "picture/view/motion_lines.h"
#include "picture/view/plane.h"
#include "picture/view/traces.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what to draw

typedef struct drawing {
    ss_sheet sheet;
    const char* of;          // the body or contact; NULL: the first that fits
    const char* const* show; // numbers over time
    int show_count;
    const ss_sketch* sketches; // of one model from one or several starts
    int count;
} drawing;

static int find_body(const ss_model* model, const char* name)
{
    if (name) return ss_model_body_find(model, name);
    for (int b = 0; b < ss_model_body_count(model); b++)
        if (!ss_model_body_is_driven(model, b)) return b;
    return ss_model_body_count(model) - 1; // all are driven; -1: there is none
}

// Which bodies there are; of the plane, their coordinates.
static ss_status fail_body(const ss_model* model, const char* of, ss_error* err)
{
    char list[160] = "";
    size_t used = 0;
    for (int b = 0; b < ss_model_body_count(model); b++) {
        char name[300], place[300];
        snprintf(name, sizeof name, "%s", ss_model_body_name(model, b));
        ss_model_coordinate_name(model, b, false, place, sizeof place);
        int n = snprintf(list + used, sizeof list - used, "%s%s", b ? ", " : "",
                         model->bodies[b].plane == SS_PLANE_NONE ? name : place);
        if (n < 0 || used + (size_t)n >= sizeof list) break;
        used += (size_t)n;
    }
    list[used] = '\0';
    return ss_fail(err, SS_BAD_INPUT, NULL, "there is no body '%.60s' to draw; there are %s", of ? of : "",
                   list);
}

// The contact of that name, or the first of those kinds.
static int find_contact(const ss_model* model, const char* name, bool (*fits)(ss_law_kind law))
{
    for (int i = 0; i < ss_model_contact_count(model); i++)
        if (name ? strcmp(ss_model_contact_name(model, i), name) == 0 : fits(model->contacts[i].law))
            return i;
    return -1;
}

static bool is_any(ss_law_kind law)
{
    return !ss_law_has(law, SS_TRAIT_STOPS) || ss_law_has(law, SS_TRAIT_GIVES_WAY);
}
static bool is_bristle(ss_law_kind law) { return ss_law_has(law, SS_TRAIT_BRISTLES); }
static bool is_elastic(ss_law_kind law) { return ss_law_has(law, SS_TRAIT_GIVES_WAY); }

// ---- over time

enum { PANELS = 4 };

static const double roomy = 400.0; // points: a narrower sheet has no room to explain strokes

// Positions, speeds or forces of everything, in one plot of the figure.
static void draw_panel(ss_figure* figure, const ss_sketch* sketch, ss_panel panel, bool last)
{
    ss_span span = ss_panel_span(sketch, panel);
    ss_plot_axis x = {last ? "t (s)" : NULL, sketch->begin,
                      sketch->end > sketch->begin ? sketch->end : sketch->begin + 1.0};
    ss_plot_axis y = ss_axis_around(ss_panel_label(sketch->model, panel), span.low, span.high);
    ss_plot* plot = ss_figure_plot(figure, &x, &y, false);
    ss_shade_sticks(plot, sketch, &y, panel == SS_PANEL_X);
    ss_draw_zero(plot, &x, &y);
    ss_draw_panel_lines(plot, sketch, panel);
    if (!(sketch->end > 0.0) && panel == SS_PANEL_X) ss_plot_note(plot, "the run ends where it starts");
}

static ss_status draw_time(const drawing* picture, ss_error* err)
{
    const ss_sketch* sketch = &picture->sketches[0];
    if (picture->show_count > 0 || picture->count > 1)
        return ss_draw_traces(&picture->sheet, picture->show, picture->show_count, picture->sketches,
                              picture->count, err);
    int contacts = ss_model_contact_count(sketch->model);
    const double weights[PANELS] = {1.0, 1.0, 1.0, 0.06 + 0.1 * contacts};
    ss_figure_def def = {.sheet = picture->sheet,
                         .title = ss_model_title(sketch->model),
                         .width = 560,
                         .height = contacts > 0 ? 470 + 14 * contacts : 320,
                         .plots = contacts > 0 ? PANELS : 2,
                         .weights = contacts > 0 ? weights : NULL};
    ss_figure* figure;
    ss_status status = ss_figure_create(&def, &figure, err);
    if (status != SS_OK) return status;
    draw_panel(figure, sketch, SS_PANEL_X, false);
    draw_panel(figure, sketch, SS_PANEL_V, contacts == 0);
    if (contacts > 0) {
        draw_panel(figure, sketch, SS_PANEL_FORCE, false);
        ss_draw_modes(figure, sketch, picture->sheet.width == 0.0 || picture->sheet.width >= roomy);
    }
    status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    return status;
}

// ---- phase plane

static ss_status draw_phase(const drawing* picture, ss_error* err)
{
    const ss_model* model = picture->sketches[0].model;
    int body = find_body(model, picture->of);
    if (body < 0) return fail_body(model, picture->of, err);
    ss_span x = ss_span_empty(), v = ss_span_empty();
    for (int k = 0; k < picture->count; k++) ss_widen_by_body(&picture->sketches[k], body, &x, &v);
    char x_label[160], v_label[160], name[300];
    bool angular = ss_model_body_is_angular(model, body);
    ss_model_coordinate_name(model, body, false, name, sizeof name);
    snprintf(x_label, sizeof x_label, "%.140s (%s)", name, angular ? "rad" : "m");
    ss_model_coordinate_name(model, body, true, name, sizeof name);
    snprintf(v_label, sizeof v_label, "%.140s (%s)", name, angular ? "rad/s" : "m/s");
    ss_plot_axis across = ss_axis_around(x_label, x.low, x.high), up = ss_axis_around(v_label, v.low, v.high);
    ss_figure_def def = {.sheet = picture->sheet, .title = ss_model_title(model), .width = 540};
    ss_figure* figure;
    ss_status status = ss_figure_create(&def, &figure, err);
    if (status != SS_OK) return status;
    ss_plot* plot = ss_figure_plot(figure, &across, &up, false);
    ss_draw_zero(plot, &across, &up);
    if (ss_model_coordinate_count(model) == 1) {
        ss_box box = {across.from, up.from, across.to - across.from, up.to - up.from};
        ss_plane_axes axes = {.body = {body, body}, .speed = {false, true}};
        status = ss_plane_draw(plot, model, &axes, &box, err);
    } else {
        status = ss_plane_draw_shadow(plot, model, body, err);
    }
    for (int k = 0; k < picture->count; k++) ss_draw_phase_line(plot, &picture->sketches[k], body, k);
    if (status == SS_OK) status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    return status;
}

// ---- loops

enum { MOST_CONTACTS = 16 };

typedef struct contacts {
    int at[MOST_CONTACTS];
    int count;
} contacts;

// One line over the chosen numbers of every contact, for every sketch.
static void draw_contact_plot(ss_figure* figure, const drawing* picture, const contacts* all,
                              ss_abscissa over, const char* over_label, const char* force_label)
{
    ss_span across = ss_span_empty(), up = ss_span_empty();
    for (int c = 0; c < all->count; c++)
        for (int k = 0; k < picture->count; k++)
            ss_widen_by_contact(&picture->sketches[k], all->at[c], over, &across, &up);
    ss_plot_axis x = ss_axis_around(over_label, across.low, across.high),
                 y = ss_axis_around(force_label, up.low, up.high);
    ss_plot* plot = ss_figure_plot(figure, &x, &y, false);
    ss_draw_zero(plot, &x, &y);
    for (int c = 0; c < all->count; c++)
        for (int k = 0; k < picture->count; k++)
            ss_draw_contact_line(plot, &picture->sketches[k], all->at[c], over, c * picture->count + k,
                                 all->count > 1);
    if (over == SS_PENETRATION && across.high <= 0.0) ss_plot_note(plot, "the stop is never touched");
    if (over == SS_DISPLACEMENT && ss_span_is_point(across)) ss_plot_note(plot, "nothing moves here");
}

// The contacts of "a,b", or the first that fits.
static ss_status find_contacts(const ss_model* model, const char* of, bool impact, contacts* out,
                               ss_error* err)
{
    out->count = 0;
    for (const char* at = of; at && out->count < MOST_CONTACTS;) {
        char name[256];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        int i = find_contact(model, name, is_any);
        if (i < 0) return ss_fail(err, SS_BAD_INPUT, NULL, "there is no such contact to draw");
        out->at[out->count++] = i;
        at = at[length] ? at + length + 1 : NULL;
    }
    if (of) return SS_OK;
    int i = find_contact(model, NULL, impact ? is_elastic : is_bristle);
    if (i < 0 && !impact) i = find_contact(model, NULL, is_any);
    if (i < 0) return ss_fail(err, SS_BAD_INPUT, NULL, "there is no such contact to draw");
    out->at[out->count++] = i;
    return SS_OK;
}

static ss_status draw_contact(const drawing* picture, bool impact, ss_error* err)
{
    const ss_model* model = picture->sketches[0].model;
    contacts all = {.count = 0};
    ss_status status = find_contacts(model, picture->of, impact, &all, err);
    if (status != SS_OK) return status;
    int i = all.at[0];
    for (int c = 1; c < all.count; c++)
        if (ss_model_contact_is_angular(model, all.at[c]) != ss_model_contact_is_angular(model, i))
            return ss_fail(err, SS_BAD_INPUT, NULL, "forces and moments do not fit one plot");
    if (impact && !is_elastic(model->contacts[i].law))
        return ss_fail(err, SS_BAD_INPUT, NULL, "contact %s is no stop that gives way",
                       ss_model_contact_name(model, i));
    bool angular = ss_model_contact_is_angular(model, i);
    char title[300];
    snprintf(title, sizeof title, "%.200s: %.80s", ss_model_title(model),
             picture->of ? picture->of : ss_model_contact_name(model, i));
    ss_figure_def def = {.sheet = picture->sheet,
                         .title = title,
                         .width = 480,
                         .height = impact ? 340 : 560,
                         .plots = impact ? 1 : 2};
    ss_figure* figure;
    status = ss_figure_create(&def, &figure, err);
    if (status != SS_OK) return status;
    const char* force = angular ? "resisting moment (N*m)" : "resisting force (N)";
    if (impact) {
        draw_contact_plot(figure, picture, &all, SS_PENETRATION,
                          angular ? "penetration (rad)" : "penetration (m)",
                          angular ? "moment (N*m)" : "force (N)");
    } else {
        draw_contact_plot(figure, picture, &all, SS_DISPLACEMENT,
                          angular ? "displacement (rad)" : "displacement (m)", force);
        draw_contact_plot(figure, picture, &all, SS_VELOCITY, angular ? "velocity (rad/s)" : "velocity (m/s)",
                          force);
    }
    status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    return status;
}

static ss_status draw_law(const drawing* d, ss_error* err)
{
    contacts all = {.count = 0};
    ss_status status = find_contacts(d->sketches[0].model, d->of, false, &all, err);
    return status == SS_OK ? ss_draw_law(&d->sheet, all.at[0], d->sketches, d->count, err) : status;
}

static ss_status draw(const drawing* d, ss_motion_view view, ss_error* err)
{
    switch (view) {
    case SS_VIEW_TIME: return draw_time(d, err);
    case SS_VIEW_PHASE: return draw_phase(d, err);
    case SS_VIEW_LOOP: return draw_contact(d, false, err);
    case SS_VIEW_IMPACT: return draw_contact(d, true, err);
    case SS_VIEW_LAW: return draw_law(d, err);
    }
    return ss_fail(err, SS_BAD_INPUT, "view", "there is no such view");
}

// A window that begins where every motion has ended already would be an empty frame.
static ss_status check_window(const ss_motion_picture* picture, const ss_sketch sketches[], ss_error* err)
{
    double end = -INFINITY;
    for (int k = 0; k < picture->count; k++) end = fmax(end, sketches[k].end);
    if (!(picture->from > 0.0) || end > picture->from) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, "from",
                   "nothing to draw from t = %.7g s on: the motion ends or rests, and is drawn to t = %.7g s "
                   "(--until lengthens a run)",
                   picture->from, end);
}

ss_status ss_picture_motion(const ss_motion_picture* picture, ss_error* err)
{
    int count = picture->count, followed = 0;
    for (int k = 0; k < picture->count; k++)
        if (!picture->motions[k]->model) return ss_fail(err, SS_BAD_INPUT, "motions", "must be of bodies");
    if (picture->count < 1) return ss_fail(err, SS_BAD_INPUT, "motions", "there is none to draw");
    ss_sketch* sketches = ss_new((size_t)count, sizeof *sketches);
    ss_status status = sketches ? SS_OK : ss_fail_no_memory(err);
    for (; followed < count && status == SS_OK; followed++) {
        status =
            ss_sketch_take(picture->motions[followed], picture->from, picture->to, &sketches[followed], err);
        sketches[followed].label = picture->labels ? picture->labels[followed] : NULL;
    }
    drawing d = {.sheet = picture->sheet,
                 .of = picture->of,
                 .show = picture->show,
                 .show_count = picture->show_count,
                 .sketches = sketches,
                 .count = count};
    if (status == SS_OK) status = check_window(picture, sketches, err);
    if (status == SS_OK) status = draw(&d, picture->view, err);
    for (int k = 0; k < followed; k++) ss_sketch_free(&sketches[k]);
    free(sketches);
    return status;
}
