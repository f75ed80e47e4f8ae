// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "simulate_plot.h"

#include "also.h"
#include "command.h"
#include "picture/view/motion.h"
#include "picture/view/slide.h"
#include "picture/view/surface.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const views[] = {"time", "phase", "loop", "impact", NULL};
static const char* const slider_views[] = {"path", "time", "surface", "sphere", NULL};
enum { PATH, TIME, SURFACE, SPHERE };

// The names of bodies or contacts, as many as fit a line.
static const char* list_names(const ss_model* model, bool bodies, char* out, size_t size)
{
    int count = bodies ? ss_model_body_count(model) : ss_model_contact_count(model);
    size_t used = 0;
    out[0] = '\0';
    for (int k = 0; k < count; k++) {
        const char* name = bodies ? ss_model_body_name(model, k) : ss_model_contact_name(model, k);
        if (used + strlen(name) + sizeof ", .." > size) {
            snprintf(out + used, size - used, ", ..");
            break;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", k > 0 ? ", " : "", name);
    }
    return out;
}

static int check_body(const cli_plot* plot, const ss_model* model, const char* of)
{
    char names[240];
    if (of && ss_model_body_find(model, of) < 0)
        return cli_option_fault("--view", plot->view, "there is no body '%s'; expected one of %s", of,
                                list_names(model, true, names, sizeof names));
    return CLI_GO_ON;
}

static int check_contact(const cli_plot* plot, const ss_model* model, bool impact, const char* of)
{
    char names[240];
    bool fits = false;
    for (int i = 0; i < ss_model_contact_count(model) && !fits; i++) {
        ss_law_kind law = ss_model_contact_law(model, i);
        bool elastic = ss_law_has(law, SS_TRAIT_GIVES_WAY);
        bool named = of && strcmp(ss_model_contact_name(model, i), of) == 0;
        if (named && impact && !elastic)
            return cli_option_fault("--view", plot->view, "the contact '%s' is no hunt-crossley stop", of);
        fits = of ? named : impact ? elastic : elastic || !ss_law_has(law, SS_TRAIT_STOPS);
    }
    if (fits) return CLI_GO_ON;
    if (of && ss_model_contact_count(model) > 0)
        return cli_option_fault("--view", plot->view, "there is no contact '%s'; expected one of %s", of,
                                list_names(model, false, names, sizeof names));
    return cli_option_fault("--view", plot->view, "the model has no %s",
                            impact ? "hunt-crossley contact" : "contact that rubs or gives way");
}

// What is to be drawn is there.
static int check_view(const cli_plot* plot, const cli_loaded* loaded, int view, const char* of)
{
    if (of && (loaded->slider || view == SS_VIEW_TIME))
        return cli_option_fault("--view", plot->view, "nothing stands after the colon here");
    if (loaded->slider || view == SS_VIEW_TIME) return CLI_GO_ON;
    if (view == SS_VIEW_PHASE) return check_body(plot, loaded->model, of);
    return check_contact(plot, loaded->model, view == SS_VIEW_IMPACT, of);
}

// That the further starts make sense shows when they are loaded.
static int check_also(const cli_motion_plot* plot, const cli_loaded* loaded, bool over_time)
{
    int status = CLI_GO_ON;
    if (plot->also.count == 0) return CLI_GO_ON;
    if (!plot->options.path)
        return cli_option_fault("--also", plot->also.items[0], "only makes sense with --plot");
    if (over_time)
        return cli_option_fault("--also", plot->also.items[0], "several starts need --view %s",
                                loaded->slider ? "path, surface or sphere" : "phase, loop or impact");
    cli_also_unload(cli_also_load(loaded->document, &plot->also, &status), &plot->also);
    return status;
}

int cli_motion_plot_check(const cli_motion_plot* plot, const cli_loaded* loaded)
{
    bool slider = loaded->slider != NULL;
    const char* of = NULL;
    int view = plot->options.path ? cli_plot_view(&plot->options, slider ? slider_views : views, &of) : 0;
    if (view < 0) return CLI_WRONG;
    int status = check_also(plot, loaded, view == (slider ? TIME : (int)SS_VIEW_TIME));
    if (status != CLI_GO_ON || !plot->options.path) return status;
    status = check_view(&plot->options, loaded, view, of);
    return status == CLI_GO_ON ? cli_target_check("--plot", plot->options.path) : status;
}

// What drawing came to, told where it failed.
static int conclude(const cli_motion_plot* plot, ss_status drawn, const ss_error* err)
{
    return drawn == SS_OK ? CLI_DONE : cli_option_error("--plot", plot->options.path, err);
}

// ---- bodies

static int follow(const cli_run_def* def, const ss_model* model, ss_course* out)
{
    ss_course_def course = {model, def->until, def->tolerance, def->max_events, def->escape};
    ss_error err;
    return ss_course_follow(&course, out, &err) == SS_OK ? CLI_GO_ON
                                                         : cli_tell_in(def->loaded->document, &err);
}

static ss_status draw_motion(void* picture, ss_error* err) { return ss_picture_motion(picture, err); }

static int draw_courses(const cli_motion_plot* plot, const ss_course courses[], int count)
{
    ss_motion_picture picture = {.sheet = plot->sheet, .courses = courses, .count = count};
    ss_error err;
    picture.view = (ss_motion_view)cli_plot_view(&plot->options, views, &picture.of);
    return conclude(plot, cli_plot_draw(draw_motion, &picture, &plot->sheet, &err), &err);
}

static int draw_bodies(const cli_motion_plot* plot, const cli_run_def* def)
{
    int count = 1 + plot->also.count, status;
    cli_loaded* all = cli_also_load(def->loaded->document, &plot->also, &status);
    ss_course* courses = calloc((size_t)count, sizeof *courses);
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    if (status == CLI_GO_ON && !courses) status = cli_tell(&err);
    for (int k = 0; k < count && status == CLI_GO_ON; k++)
        status = follow(def, k == 0 ? def->loaded->model : all[k - 1].model, &courses[k]);
    for (int k = 1; k < count && courses; k++) courses[k].label = plot->also.items[k - 1];
    if (status == CLI_GO_ON) status = draw_courses(plot, courses, count);
    for (int k = 0; courses && k < count; k++) ss_course_free(&courses[k]);
    free(courses);
    cli_also_unload(all, &plot->also);
    return status;
}

// ---- sliders

static int follow_slide(const cli_run_def* def, const ss_slider* slider, ss_slide_course* out)
{
    ss_slide_course_def course = {slider, def->until, def->tolerance, def->max_events, def->escape};
    ss_error err;
    return ss_slide_course_follow(&course, out, &err) == SS_OK ? CLI_GO_ON
                                                               : cli_tell_in(def->loaded->document, &err);
}

typedef struct slides {
    const cli_motion_plot* plot;
    const ss_slide_course* courses;
    int count, view;
} slides;

static ss_status draw_view(void* data, ss_error* err)
{
    const slides* s = data;
    const ss_sheet* sheet = &s->plot->sheet;
    ss_slider_picture picture = {.sheet = *sheet,
                                 .slider = s->courses[0].slider,
                                 .angle_rad = s->courses[0].at[0].state.angle,
                                 .courses = s->courses,
                                 .course_count = s->count};
    switch (s->view) {
    case TIME: return ss_picture_progress(&s->courses[0], sheet, err);
    case SURFACE: return ss_picture_surface(&picture, err);
    case SPHERE: return ss_picture_sphere(&picture, err);
    default: return ss_picture_path(s->courses, s->count, sheet, err);
    }
}

static int draw_slides(const cli_motion_plot* plot, const ss_slide_course courses[], int count)
{
    const char* of;
    ss_error err;
    slides all = {plot, courses, count, cli_plot_view(&plot->options, slider_views, &of)};
    return conclude(plot, cli_plot_draw(draw_view, &all, &plot->sheet, &err), &err);
}

static int draw_slider(const cli_motion_plot* plot, const cli_run_def* def)
{
    int count = 1 + plot->also.count, status;
    cli_loaded* all = cli_also_load(def->loaded->document, &plot->also, &status);
    ss_slide_course* courses = calloc((size_t)count, sizeof *courses);
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    if (status == CLI_GO_ON && !courses) status = cli_tell(&err);
    for (int k = 0; k < count && status == CLI_GO_ON; k++)
        status = follow_slide(def, k == 0 ? def->loaded->slider : all[k - 1].slider, &courses[k]);
    for (int k = 1; k < count && courses; k++) courses[k].label = plot->also.items[k - 1];
    if (status == CLI_GO_ON) status = draw_slides(plot, courses, count);
    for (int k = 0; courses && k < count; k++) ss_slide_course_free(&courses[k]);
    free(courses);
    cli_also_unload(all, &plot->also);
    return status;
}

int cli_motion_plot_draw(const cli_motion_plot* plot, const cli_run_def* def)
{
    return def->loaded->slider ? draw_slider(plot, def) : draw_bodies(plot, def);
}
