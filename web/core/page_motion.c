// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions: run at once and kept as a table of numbers, or led by hand, frame by frame.
#include "page.h"

#include "share/error.h"
#include "share/model_parts.h"
#include "share/slider_parts.h"

#include <math.h>
#include <stdlib.h>

enum { PER_CONTACT = 5, PER_SUPPORT = 4, PER_FINGER = 2, SLIDER_HEAD = 13 };

// States, signals, inputs and memory of an open model.
static int count_numbers(const ss_model* model)
{
    int count = 0;
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++) count += ss_model_number_count(model, kind);
    return count;
}

// Deflections of all contacts.
static int count_elements(const ss_model* model)
{
    int count = 0;
    for (int k = 0; k < ss_model_contact_count(model); k++) count += ss_moment_elements(model, k);
    return count;
}

int page_row_width(const page* p)
{
    if (p->slider) {
        int supports = ss_slider_support_count(p->slider), all = ss_slider_contact_count(p->slider);
        return SLIDER_HEAD + PER_SUPPORT * all + PER_FINGER * (all - supports);
    }
    int contacts = ss_model_contact_count(p->model);
    return 1 + 2 * ss_model_body_count(p->model) + PER_CONTACT * contacts + count_numbers(p->model) +
           count_elements(p->model);
}

// The load on the ground as the sum of what the supports exert, which the run knows; false where that is not
// told: a wheel's force lies along an axle. c and n: cosine and sine of the angle of the body.
static bool sum_forces(const page* p, const ss_moment* moment, double c, double n, double load[3])
{
    double sum[3] = {0};
    for (int k = 0; k < ss_slider_support_count(p->slider); k++) {
        const ss_support_state* support = &moment->supports[k];
        double place[2];
        if (support->count < 2) return false;
        ss_slider_support_place(p->slider, k, place);
        double x = c * support->force[0] + n * support->force[1],
               y = c * support->force[1] - n * support->force[0];
        sum[0] -= x;
        sum[1] -= y;
        sum[2] -= support->count == 3 ? support->force[2] : place[0] * y - place[1] * x;
    }
    for (int i = 0; i < 3; i++) load[i] = sum[i];
    return true;
}

// The load on the ground: of what slips by the law, where the sides of an event decide it by their motion
// over the floor; otherwise the sum of what the supports exert, at rest too.
static void find_load(const page* p, const ss_moment* moment, bool instant, double load[3])
{
    const ss_slider_state* s = moment->slide;
    double c = cos(s->angle), n = sin(s->angle);
    const double *over = s->relative,
                 motion[3] = {c * over[0] + n * over[1], c * over[1] - n * over[0], over[2]}; // body frame
    bool slips = motion[0] != 0 || motion[1] != 0 || motion[2] != 0;
    ss_sliding_load found = {.load = {NAN, NAN, NAN}};
    bool told = !(slips && instant) && sum_forces(p, moment, c, n, found.load);
    if (!told && slips) ss_slider_sliding_load(p->slider, s->angle, motion, NULL, &found, NULL);
    for (int i = 0; i < 3; i++) load[i] = found.load[i];
}

static void fill_slide_row(page* p, const ss_moment* moment, bool instant, double out[])
{
    const ss_slider_state* s = moment->slide;
    double load[3];
    find_load(p, moment, instant, load);
    const double head[SLIDER_HEAD] = {moment->t,      s->x,           s->y,          s->angle, s->vx,
                                      s->vy,          s->spin,        load[0],       load[1],  load[2],
                                      s->relative[0], s->relative[1], s->relative[2]};
    for (int k = 0; k < SLIDER_HEAD; k++) *out++ = head[k];
    int supports = ss_slider_support_count(p->slider), all = ss_slider_contact_count(p->slider);
    for (int k = 0; k < all; k++) {
        const ss_support_state* support = &moment->supports[k];
        *out++ = support->mode;
        for (int i = 0; i < 3; i++) *out++ = i < support->count ? support->force[i] : 0.0;
    }
    for (int k = supports; k < all; k++)
        for (int i = 0; i < PER_FINGER; i++) *out++ = moment->supports[k].place[i];
}

// instant: one side of an event, at which the forces of supports are those that decide it.
void page_fill_row(page* p, const ss_moment* moment, bool instant, double out[])
{
    if (p->slider) {
        fill_slide_row(p, moment, instant, out);
        return;
    }
    int bodies = ss_model_body_count(p->model), contacts = ss_model_contact_count(p->model);
    *out++ = moment->t;
    for (int k = 0; k < bodies; k++) *out++ = moment->x[k];
    for (int k = 0; k < bodies; k++) *out++ = moment->v[k];
    for (int k = 0; k < contacts; k++) {
        const ss_contact_state* contact = &moment->contacts[k];
        *out++ = contact->mode;
        *out++ = contact->force;
        *out++ = contact->velocity;
        *out++ = contact->limit;
        *out++ = contact->z;
    }
    int numbers = count_numbers(p->model), elements = count_elements(p->model);
    for (int k = 0; k < numbers; k++) *out++ = moment->numbers ? moment->numbers[k] : NAN;
    for (int k = 0; k < elements; k++) *out++ = moment->deflections ? moment->deflections[k] : NAN;
}

void page_forget_motion(page* p)
{
    ss_motion_destroy(p->motion);
    free(p->table);
    p->motion = NULL;
    p->table = NULL;
}

// Runs the model from its start, or from another one (sliders: x holds the place, v the speed, in space), and
// keeps the moments 0, every, .. and, where events is true, both sides of all events. until < 0: as the model
// says.
EXPORT(page_run)
bool page_run(page* p, double until, double every, bool events, double tolerance, const double x[],
              const double v[])
{
    page_forget_motion(p);
    ss_motion_def def = ss_motion_def_default();
    if (until >= 0) def.until = until;
    def.every = every;
    def.at_events = def.before_events = events;
    def.start_x = x;
    def.start_v = v;
    if (tolerance > 0) def.tolerance = tolerance;
    ss_status status = p->slider ? ss_motion_create_sliding(p->slider, &def, &p->motion, &p->err)
                                 : ss_motion_create(p->model, &def, &p->motion, &p->err);
    return status == SS_OK && ss_motion_run(p->motion, &p->err) == SS_OK;
}

// `simulate --json` of the motion that was run, without its moments: page_table has them as numbers.
EXPORT(page_motion) bool page_motion(page* p)
{
    ss_answer* answer = NULL;
    size_t kept = p->motion->rows.count;
    p->motion->rows.count = 0;
    ss_status status = ss_answer_motion(p->motion, &answer, &p->err);
    p->motion->rows.count = kept;
    return page_report(p, status, answer);
}

EXPORT(page_rows) size_t page_rows(const page* p) { return p->motion ? p->motion->rows.count : 0; }

// The rows as numbers, page_rows times the width; NULL without memory.
EXPORT(page_table) const double* page_table(page* p)
{
    size_t width = (size_t)page_row_width(p), count = page_rows(p);
    free(p->table);
    p->table = malloc((count * width + 1) * sizeof *p->table);
    for (size_t k = 0; p->table && k < count; k++) {
        ss_moment moment = ss_motion_row(p->motion, k);
        bool first = k + 1 < count && ss_motion_row(p->motion, k + 1).t == moment.t;
        bool second = k > 0 && ss_motion_row(p->motion, k - 1).t == moment.t;
        page_fill_row(p, &moment, first || second, p->table + k * width);
    }
    if (!p->table) ss_fail_no_memory(&p->err);
    return p->table;
}

// ---- led by hand

void page_forget_trial(page* p)
{
    ss_sim_destroy(p->trial);
    free(p->trial_row);
    p->trial = NULL;
    p->trial_row = NULL;
}

EXPORT(page_trial_begin) bool page_trial_begin(page* p, const double x[], const double v[])
{
    if (!page_needs_model(p)) return false;
    page_forget_trial(p);
    ss_sim_def def = ss_sim_def_default();
    def.start_x = x;
    def.start_v = v;
    def.tolerance = 1e-8; // what a hand leads need not be known to more digits
    def.ledger = false;
    p->trial_row = malloc((size_t)page_row_width(p) * sizeof *p->trial_row);
    if (!p->trial_row) {
        ss_fail_no_memory(&p->err);
        return false;
    }
    return ss_sim_create(p->model, &def, &p->trial, &p->err) == SS_OK;
}

// Goes on to time t (s) with an input (-1: none) at a value.
EXPORT(page_trial_go) bool page_trial_go(page* p, double t, int input, double value)
{
    ss_outcome outcome;
    if (input >= 0 && ss_sim_set_input(p->trial, input, value, &p->err) != SS_OK) return false;
    return ss_sim_advance(p->trial, t, &outcome, &p->err) == SS_OK;
}

// The present moment, as a row of the table; NULL without memory.
EXPORT(page_trial_row) const double* page_trial_row(page* p, double t)
{
    int contacts = ss_model_contact_count(p->model), numbers = ss_sim_numbers(p->trial, NULL);
    ss_contact_state* states = calloc((size_t)contacts + 1, sizeof *states);
    double* values = calloc((size_t)numbers + 1, sizeof *values);
    if (states && values) {
        for (int k = 0; k < contacts; k++) states[k] = ss_sim_contact(p->trial, k);
        ss_sim_numbers(p->trial, values);
        ss_moment moment = {
            .t = t, .x = ss_sim_x(p->trial), .v = ss_sim_v(p->trial), .contacts = states, .numbers = values};
        page_fill_row(p, &moment, false, p->trial_row);
    }
    bool good = states && values;
    free(states);
    free(values);
    if (!good) ss_fail_no_memory(&p->err);
    return good ? p->trial_row : NULL;
}
