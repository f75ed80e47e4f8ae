// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// `simulate` with the options of the command line: a motion for an answer, not for a view.
#include "page.h"

#include "share/error.h"
#include "share/model_parts.h"
#include "share/slider_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The numbers by which a motion is differentiated.
typedef struct directions {
    ss_path_direction** paths;
    ss_direction* shown;
    int count;
} directions;

static void free_directions(directions* d)
{
    for (int k = 0; k < d->count; k++) ss_path_direction_destroy(d->paths[k]);
    free(d->paths);
    free(d->shown);
}

// paths: a line each; it is cut into pieces.
static ss_status make_directions(page* p, char* paths, double until, directions* out)
{
    size_t room = strlen(paths) + 1;
    out->paths = calloc(room, sizeof(ss_path_direction*));
    out->shown = calloc(room, sizeof *out->shown);
    if (!out->paths || !out->shown) return ss_fail_no_memory(&p->err);
    for (char *path = paths, *end; path; path = end ? end + 1 : NULL) {
        end = strchr(path, '\n');
        if (end) *end = '\0';
        ss_path_direction** made = &out->paths[out->count];
        ss_status status = ss_path_direction_create(p->document, p->model, path, until, made, &p->err);
        if (status != SS_OK) return status;
        out->shown[out->count++] = *ss_path_direction_get(*made);
    }
    return SS_OK;
}

// The end of the run, where model and options agree on one.
static ss_status choose_until(page* p, const page_options* options, const double at[], int count, double* out)
{
    double last = count > 0 ? at[count - 1] : 0.0;
    double own = p->slider ? ss_slider_until(p->slider) : ss_model_until(p->model);
    *out = isnan(options->until) ? fmax(own, last) : options->until;
    if (last > *out)
        return ss_fail(&p->err, SS_BAD_INPUT, NULL, "at: %g s is after the end of the run (until %g s)", last,
                       *out);
    return SS_OK;
}

static bool answer_motion(page* p, const ss_motion_def* def)
{
    ss_answer* answer = NULL;
    ss_status status = p->slider ? ss_motion_create_sliding(p->slider, def, &p->motion, &p->err)
                                 : ss_motion_create(p->model, def, &p->motion, &p->err);
    if (status == SS_OK) status = ss_motion_run(p->motion, &p->err);
    if (status == SS_OK) status = ss_answer_motion(p->motion, &answer, &p->err);
    return page_report(p, status, answer);
}

// `simulate --json`. at: ascending times; paths: numbers to differentiate by, a line each, or NULL.
EXPORT(page_simulate)
bool page_simulate(page* p, const page_options* options, const double at[], int at_count, char* paths)
{
    directions by = {0};
    ss_motion_def def = ss_motion_def_default();
    page_forget_motion(p);
    if (paths && !page_needs_model(p)) return false;
    if (choose_until(p, options, at, at_count, &def.until) != SS_OK) return false;
    if (!isnan(options->every)) def.every = options->every;
    if (!isnan(options->escape)) def.escape = options->escape;
    if (!isnan(options->tolerance)) def.tolerance = options->tolerance;
    if (!isnan(options->max_events)) def.max_events = (long)options->max_events;
    def.at = at;
    def.at_count = at_count;
    bool good = !paths || make_directions(p, paths, def.until, &by) == SS_OK;
    def.directions = by.shown;
    def.direction_count = by.count;
    if (good) good = answer_motion(p, &def);
    page_forget_motion(p); // it borrows the directions
    free_directions(&by);
    return good;
}
