// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "command/simulate_plot.h"

#include "command.h"
#include "option/also.h"
#include "option/keep.h"
#include "option/target.h"
#include "share/model_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const views[] = {"time", "phase", "loop", "impact", "law", NULL};
static const char* const slider_views[] = {"path", "time", "surface", "sphere", NULL};

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
        bool elastic = ss_model_contact_has(model, i, SS_TRAIT_GIVES_WAY);
        bool named = of && strcmp(ss_model_contact_name(model, i), of) == 0;
        if (named && impact && !elastic)
            return cli_option_fault("--view", plot->view, "the contact '%s' is no stop that gives way", of);
        fits = of ? named : impact ? elastic : elastic || !ss_model_contact_has(model, i, SS_TRAIT_STOPS);
    }
    if (fits) return CLI_GO_ON;
    if (of && ss_model_contact_count(model) > 0)
        return cli_option_fault("--view", plot->view, "there is no contact '%s'; expected one of %s", of,
                                list_names(model, false, names, sizeof names));
    return cli_option_fault("--view", plot->view, "the model has no %s",
                            impact ? "hunt-crossley or elastic-stop contact"
                                   : "contact that rubs or gives way");
}

// Each of "a,b".
static int check_contacts(const cli_plot* plot, const ss_model* model, const char* of)
{
    int status = CLI_GO_ON;
    while (of && status == CLI_GO_ON) {
        char name[256];
        size_t length = strcspn(of, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, of);
        status = check_contact(plot, model, false, name);
        of = of[length] ? of + length + 1 : NULL;
    }
    return status;
}

// What is to be drawn is there.
static int check_view(const cli_plot* plot, const cli_loaded* loaded, int view, const char* of)
{
    if (of && (loaded->slider || view == SS_VIEW_TIME))
        return cli_option_fault("--view", plot->view, "nothing stands after the colon here");
    if (loaded->slider || view == SS_VIEW_TIME) return CLI_GO_ON;
    if (view == SS_VIEW_PHASE) return check_body(plot, loaded->model, of);
    if (view == SS_VIEW_LOOP && of && strchr(of, ',')) return check_contacts(plot, loaded->model, of);
    return check_contact(plot, loaded->model, view == SS_VIEW_IMPACT, of);
}

// That the further starts make sense shows when they are loaded.
static int check_also(const cli_motion_plot* plot, const cli_loaded* loaded, bool over_time)
{
    int status = CLI_GO_ON;
    if (plot->also.count == 0) return CLI_GO_ON;
    if (!plot->options.path)
        return cli_option_fault("--also", plot->also.items[0], "only makes sense with --plot");
    if (over_time && loaded->slider)
        return cli_option_fault("--also", plot->also.items[0],
                                "several starts need --view path, surface or sphere");
    cli_also_unload(cli_also_load(loaded->document, &plot->also, &status), &plot->also);
    return status;
}

// Names cut at commas; the first that the model does not have is a fault.
static int check_names(const cli_texts* show, const ss_model* model)
{
    for (int k = 0; k < show->count; k++)
        for (const char* at = show->items[k]; at;) {
            char name[256];
            ss_dimension dimension;
            size_t length = strcspn(at, ",");
            const char* next = at[length] ? at + length + 1 : NULL;
            while (length > 0 && at[0] == ' ') at++, length--;
            snprintf(name, sizeof name, "%.*s", (int)length, at);
            if (!ss_fit_trace_dimension(model, name, &dimension))
                return cli_option_fault(
                    "--show", show->items[k],
                    "the model has no number '%s'; expected BODY.x, BODY.v, CONTACT.force, "
                    "or the name of a state or signal",
                    name);
            at = next;
        }
    return CLI_GO_ON;
}

// What is shown, and from when to when.
static int check_choice(const cli_motion_plot* plot, const cli_loaded* loaded, int view)
{
    const char* first = plot->show.count > 0 ? "--show" : plot->to > 0.0 ? "--to" : "--from";
    if (plot->show.count == 0 && plot->from == 0.0 && plot->to == 0.0) return CLI_GO_ON;
    if (!plot->options.path) return cli_option_fault(first, NULL, "only makes sense with --plot");
    if (loaded->slider) return cli_option_fault(first, NULL, "is for bodies, not for a slider");
    if (plot->show.count > 0 && view != SS_VIEW_TIME)
        return cli_option_fault("--show", NULL, "is for --view time");
    if (plot->to > 0.0 && plot->to <= plot->from)
        return cli_option_fault("--to", NULL, "must be after --from");
    return check_names(&plot->show, loaded->model);
}

int cli_motion_plot_check(const cli_motion_plot* plot, const cli_loaded* loaded)
{
    bool slider = loaded->slider != NULL;
    const char* of = NULL;
    int view = plot->options.path ? cli_plot_view(&plot->options, slider ? slider_views : views, &of) : 0;
    if (view < 0) return CLI_WRONG;
    int status = check_also(plot, loaded, view == (slider ? (int)SS_VIEW_PROGRESS : (int)SS_VIEW_TIME));
    if (status == CLI_GO_ON) status = check_choice(plot, loaded, view);
    if (status != CLI_GO_ON || !plot->options.path) return status;
    status = check_view(&plot->options, loaded, view, of);
    return status == CLI_GO_ON ? cli_target_check("--plot", plot->options.path) : status;
}

// ---- the picture

typedef struct drawing {
    const cli_motion_plot* plot;
    const ss_motion** motions; // the first, then those from further starts
    const char** labels;
    int count;
    const char** show; // numbers over time
    int show_count;
} drawing;

static ss_status draw(void* data, ss_error* err)
{
    const drawing* d = data;
    const char* of;
    bool slider = d->motions[0]->slider != NULL;
    int view = cli_plot_view(&d->plot->options, slider ? slider_views : views, &of);
    if (slider)
        return ss_picture_sliding(&(ss_sliding_picture){.sheet = d->plot->sheet,
                                                        .view = (ss_sliding_view)view,
                                                        .motions = d->motions,
                                                        .labels = d->labels,
                                                        .count = d->count},
                                  err);
    return ss_picture_motion(&(ss_motion_picture){.sheet = d->plot->sheet,
                                                  .view = (ss_motion_view)view,
                                                  .of = of,
                                                  .show = d->show,
                                                  .show_count = d->show_count,
                                                  .from = d->plot->from,
                                                  .to = d->plot->to,
                                                  .motions = d->motions,
                                                  .labels = d->labels,
                                                  .count = d->count},
                             err);
}

// The motion from a further start; its record is its events.
static int run_also(const cli_run_def* def, const cli_loaded* loaded, ss_motion** out)
{
    ss_motion_def motion = cli_run_motion_def(def);
    ss_error err;
    ss_status status = loaded->slider ? ss_motion_create_sliding(loaded->slider, &motion, out, &err)
                                      : ss_motion_create(loaded->model, &motion, out, &err);
    if (status == SS_OK) status = ss_motion_run(*out, &err);
    return status == SS_OK ? CLI_GO_ON : cli_print_error_in(def->loaded->document, &err);
}

static int draw_all(drawing* d, const cli_run_def* def, const cli_loaded others[], ss_motion* own[])
{
    int status = CLI_GO_ON;
    for (int k = 1; k < d->count && status == CLI_GO_ON; k++) {
        status = run_also(def, &others[k - 1], &own[k]);
        d->motions[k] = own[k];
        d->labels[k] = d->plot->also.items[k - 1];
    }
    if (status != CLI_GO_ON) return status;
    ss_error err;
    ss_status drawn = cli_plot_draw(draw, d, &d->plot->sheet, &err);
    return drawn == SS_OK ? CLI_DONE : cli_option_error("--plot", d->plot->options.path, &err);
}

// The names of --show, cut at commas.
static int cut_show(const cli_texts* show, cli_keep* keep, drawing* d)
{
    size_t room = 1;
    for (int k = 0; k < show->count; k++)
        for (const char* p = show->items[k]; p; p = strchr(p + 1, ',')) room++;
    d->show = cli_keep_new(keep, room, sizeof *d->show);
    if (!d->show) return cli_no_memory();
    for (int k = 0; k < show->count; k++)
        for (const char* at = show->items[k]; at;) {
            const char* comma = strchr(at, ',');
            size_t length = comma ? (size_t)(comma - at) : strlen(at);
            while (length > 0 && at[0] == ' ') at++, length--;
            const char* name = cli_keep_text(keep, at, length);
            if (!name) return cli_no_memory();
            d->show[d->show_count++] = name;
            at = comma ? comma + 1 : NULL;
        }
    return CLI_GO_ON;
}

int cli_motion_plot_draw(const cli_motion_plot* plot, const cli_run_def* def, const ss_motion* motion)
{
    int count = 1 + plot->also.count, status;
    cli_loaded* others = cli_also_load(def->loaded->document, &plot->also, &status);
    ss_motion** own = calloc((size_t)count, sizeof *own);
    drawing d = {.plot = plot,
                 .motions = calloc((size_t)count, sizeof *d.motions),
                 .labels = calloc((size_t)count, sizeof *d.labels),
                 .count = count};
    cli_keep keep = {0};
    if (status == CLI_GO_ON && !(own && d.motions && d.labels)) status = cli_no_memory();
    if (status == CLI_GO_ON) status = cut_show(&plot->show, &keep, &d);
    if (status == CLI_GO_ON) {
        d.motions[0] = motion;
        status = draw_all(&d, def, others, own);
    }
    for (int k = 1; own && k < count; k++) ss_motion_destroy(own[k]);
    free(own);
    free(d.motions);
    free(d.labels);
    cli_keep_free(&keep);
    cli_also_unload(others, &plot->also);
    return status;
}
