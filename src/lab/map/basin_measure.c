// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Period and amplitudes of each lasting motion of a map: one of the motions that came to it is followed once
// more. The amplitude is exact along the last period (lab/tally.c).
#include "lab/map/basin_measure.h"

#include "core/error.h"
#include "lab/map/basin_motion.h"
#include "lab/tally.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdlib.h>

typedef struct portrait {
    ss_model* model;
    double *values, *numbers, *held; // axes of the cell; scratch
    ss_tally* tallies;               // places of all bodies
    ss_sim* sim;
} portrait;

static size_t number_count(const ss_model* model)
{
    int count = 0;
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++) count += ss_model_number_count(model, kind);
    return (size_t)count;
}

static ss_status prepare(portrait* p, const ss_basin* basin, int64_t cell, ss_error* err)
{
    size_t bodies = (size_t)basin->bodies;
    p->values = ss_new((size_t)basin->axis_count, sizeof *p->values);
    p->numbers = ss_new(number_count(basin->model), sizeof *p->numbers);
    p->held = ss_new((size_t)ss_model_contact_count(basin->model), sizeof *p->held);
    p->tallies = ss_new(bodies, sizeof *p->tallies);
    if (!p->values || !p->numbers || !p->held || !p->tallies) return ss_fail_no_memory(err);
    for (size_t b = 0; b < bodies; b++)
        p->tallies[b] = (ss_tally){
            .of = {SS_QUANTITY_X, .index = (int)b}, .extremes = true, .low = INFINITY, .high = -INFINITY};
    ss_basin_coordinates(basin, cell, p->values);
    return ss_basin_build_whole(basin, p->values, &p->model, err);
}

static ss_sim_def settings_of(const ss_basin* basin)
{
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = basin->tolerance;
    def.max_events = (long)basin->max_events;
    def.ledger = false;
    return def;
}

// Asks the judge after how long the motion repeats; NaN where it does not.
static ss_status find_period(const portrait* p, const ss_basin* basin, double until, double* period,
                             ss_error* err)
{
    ss_sim_def def = settings_of(basin);
    ss_motion_classifier* judge = NULL;
    ss_motion_verdict verdict = {.period = NAN};
    const ss_motion_start own = {NULL, NULL, NULL};
    ss_status status = ss_motion_classifier_create(p->model, &def, &judge, err);
    if (status == SS_OK) status = ss_motion_classifier_ask(judge, &own, until, &verdict, err);
    ss_motion_classifier_destroy(judge);
    *period = verdict.repeats ? verdict.period : NAN;
    return status;
}

static ss_status find_amplitudes(portrait* p, const ss_basin* basin, double from, double until,
                                 double amplitude[], ss_error* err)
{
    ss_sim_def def = settings_of(basin);
    const bool never = false;
    ss_outcome outcome;
    ss_status status = ss_sim_create(p->model, &def, &p->sim, err);
    if (status == SS_OK) status = ss_sim_advance(p->sim, from, &outcome, err);
    for (int b = 0; b < basin->bodies && status == SS_OK; b++) amplitude[b] = ss_sim_x(p->sim)[b];
    if (status == SS_OK) status = ss_sim_advance(p->sim, until, &outcome, err);
    for (int b = 0; b < basin->bodies && status == SS_OK; b++) // the steady advance is no amplitude
        p->tallies[b].drift = (ss_sim_x(p->sim)[b] - amplitude[b]) / (until - from);
    if (status == SS_OK) status = ss_sim_restart(p->sim, NULL, NULL, err);
    if (status == SS_OK) status = ss_sim_advance(p->sim, from, &outcome, err);
    ss_tally_walk walk = {p->sim,     p->tallies, basin->bodies,
                          p->numbers, p->held,    ss_model_contact_count(basin->model)};
    if (status == SS_OK) status = ss_walk_to(&walk, until, &never, &outcome, err);
    for (int b = 0; b < basin->bodies && status == SS_OK; b++)
        amplitude[b] = 0.5 * (p->tallies[b].high - p->tallies[b].low);
    return status;
}

ss_status ss_basin_measure_attractors(const ss_basin* basin, int64_t cell, double* period, double amplitude[],
                                      ss_error* err)
{
    portrait p = {0};
    ss_status status = prepare(&p, basin, cell, err);
    *period = NAN;
    for (int b = 0; b < basin->bodies; b++) amplitude[b] = NAN;
    if (status == SS_OK) {
        double until = isnan(basin->until) ? ss_model_until(p.model) : basin->until;
        status = find_period(&p, basin, until, period, err);
        if (status == SS_OK && *period > 0.0)
            status = find_amplitudes(&p, basin, until - *period, until, amplitude, err);
    }
    ss_sim_destroy(p.sim);
    ss_model_destroy(p.model);
    free(p.values);
    free(p.numbers);
    free(p.held);
    free(p.tallies);
    return status;
}
