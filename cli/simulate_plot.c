// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "simulate_plot.h"

#include "command.h"
#include "load.h"
#include "picture/motion.h"
#include "picture/slide.h"

#include <stdlib.h>
#include <string.h>

static const char* const views[] = {"time", "phase", "loop", "impact", NULL};
static const char* const slider_views[] = {"path", "time", NULL};

int cli_motion_plot_check(const cli_motion_plot* plot, bool slider)
{
    const char* of;
    if (plot->also.count > 0 && !plot->options.path)
        return cli_option_fault("--also", plot->also.items[0], "only makes sense with --plot");
    int view = plot->options.path ? cli_plot_view(&plot->options, slider ? slider_views : views, &of) : 0;
    if (view < 0) return CLI_WRONG;
    if (plot->also.count > 0 && slider)
        return cli_option_fault("--also", plot->also.items[0], "is for bodies, not for sliders");
    if (plot->also.count > 0 && view == SS_VIEW_TIME)
        return cli_option_fault("--also", plot->also.items[0],
                                "several starts need --view phase, loop or impact");
    return CLI_GO_ON;
}

// The model from another start: "block.x=2,block.v=1" changes a copy of the document.
static int load_also(const ss_document* document, const char* text, ss_model** out)
{
    ss_document* copy = NULL;
    char* parts = malloc(strlen(text) + 1);
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    int status = CLI_GO_ON;
    if (!parts || ss_document_clone(document, &copy, &err) != SS_OK) status = cli_tell(&err);
    if (parts) memcpy(parts, text, strlen(text) + 1);
    for (char *part = parts, *next; status == CLI_GO_ON && part; part = next) {
        next = strchr(part, ',');
        if (next) *next++ = '\0';
        status = cli_set(copy, "--also", part);
    }
    if (status == CLI_GO_ON && ss_model_create_from_document(copy, out, &err) != SS_OK)
        status = cli_tell_in(copy, &err);
    ss_document_destroy(copy);
    free(parts);
    return status;
}

static int follow(const cli_run_def* def, const ss_model* model, ss_course* out)
{
    ss_course_def course = {model, def->until, def->tolerance, def->max_events, def->escape};
    ss_error err;
    return ss_course_follow(&course, out, &err) == SS_OK ? CLI_GO_ON : cli_tell_in(def->document, &err);
}

int cli_motion_plot_draw(const cli_motion_plot* plot, const ss_model* model, const cli_run_def* def)
{
    int count = 1 + plot->also.count, status = CLI_GO_ON;
    ss_model** models = calloc((size_t)count, sizeof *models);
    ss_course* courses = calloc((size_t)count, sizeof *courses);
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    if (!models || !courses) status = cli_tell(&err);
    for (int k = 1; k < count && status == CLI_GO_ON; k++)
        status = load_also(def->document, plot->also.items[k - 1], &models[k]);
    for (int k = 0; k < count && status == CLI_GO_ON; k++)
        status = follow(def, k == 0 ? model : models[k], &courses[k]);
    for (int k = 1; k < count && courses; k++) courses[k].label = plot->also.items[k - 1];
    ss_motion_picture picture = {.sheet = plot->sheet, .courses = courses, .count = count};
    picture.view = (ss_motion_view)cli_plot_view(&plot->options, views, &picture.of);
    if (status == CLI_GO_ON) {
        ss_status drawn = ss_picture_motion(&picture, &err);
        if (drawn != SS_OK) cli_option_fault("--plot", plot->options.path, "%s", err.text);
        status = drawn == SS_OK ? CLI_DONE : drawn == SS_BAD_INPUT ? CLI_WRONG : CLI_UNFINISHED;
    }
    for (int k = 0; courses && k < count; k++) ss_course_free(&courses[k]);
    for (int k = 0; models && k < count; k++) ss_model_destroy(models[k]);
    free(courses);
    free(models);
    return status;
}

int cli_slide_plot_draw(const cli_motion_plot* plot, const ss_slider* slider, const cli_run_def* def)
{
    const char* of;
    ss_error err;
    ss_slide_picture picture = {.sheet = plot->sheet,
                                .view = (ss_slide_view)cli_plot_view(&plot->options, slider_views, &of),
                                .slider = slider,
                                .until = def->until,
                                .tolerance = def->tolerance,
                                .max_events = def->max_events,
                                .escape = def->escape};
    ss_status status = ss_picture_slide(&picture, &err);
    if (status != SS_OK) cli_option_fault("--plot", plot->options.path, "%s", err.text);
    return status == SS_OK ? CLI_DONE : status == SS_BAD_INPUT ? CLI_WRONG : CLI_UNFINISHED;
}
