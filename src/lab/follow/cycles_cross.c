// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where the order of events changes: the orbit beyond is the one that the continuation has already met, or it
// is looked for on both sides of the border, from the last orbit and from what its events near the start make
// of it.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/cycle/shoot.h"
#include "lab/follow/cycles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double quiet = 0.02; // share of the period that events keep away from the start

// ---- the start of an orbit

// Middle of the longest time between events, where nothing sticks if possible; NaN: no events.
static double quiet_time(const ss_orbit* orbit, double period)
{
    const ss_events* events = &orbit->events;
    double best = NAN, longest = 0.0;
    for (size_t k = 0; k < events->count; k++) {
        double from = events->items[k].t,
               to = k + 1 < events->count ? events->items[k + 1].t : events->items[0].t + period;
        double length = (to - from) * (events->items[k].to == SS_MODE_STICK ? 0.1 : 1.0);
        if (length <= longest) continue;
        longest = length;
        best = fmod(0.5 * (from + to), period);
    }
    return best;
}

// No event is near the start, and no contact sticks there: the first event of none ends a phase of stick.
static bool is_quiet(const ss_orbit* orbit, double period)
{
    const ss_events* events = &orbit->events;
    for (size_t k = 0; k < events->count; k++) {
        double t = events->items[k].t;
        if (t < quiet * period || t > (1.0 - quiet) * period) return false;
        bool first = true;
        for (size_t j = 0; j < k; j++) first = first && events->items[j].contact != events->items[k].contact;
        if (first && events->items[k].from == SS_MODE_STICK) return false;
    }
    return true;
}

ss_status ss_cycles_place(ss_cycles* s, double u[], bool* moved, ss_error* err)
{
    bool made;
    ss_error why;
    double period = u[s->w];
    *moved = false;
    if (s->forced) return SS_OK;
    ss_status status = ss_cycles_at(s, &s->here, u[s->size], &made, err);
    if (status != SS_OK || !made) return status;
    ss_orbit* orbit = s->here.orbit;
    status = ss_orbit_run(orbit, u, period, &why);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    if (status != SS_OK || orbit->outcome != SS_TIME_REACHED || is_quiet(orbit, period)) return SS_OK;
    double t = quiet_time(orbit, period);
    if (isnan(t) || ss_orbit_run(orbit, u, t, &why) != SS_OK || orbit->outcome != SS_TIME_REACHED)
        return SS_OK;
    memcpy(u, orbit->state, (size_t)s->w * sizeof(double));
    *moved = true;
    return SS_OK;
}

// Where the start lies about the middle of the orbit. Once an orbit beyond the steady state has been met,
// that of the last point before it is kept for as long as orbits become smaller. moved: the start is another
// one.
static void keep_swing(ss_cycles* s, const ss_branch_point* point, bool moved)
{
    const ss_model* model = s->branch->model;
    double size = ss_cycles_extent(s, &point->record);
    s->shape.shrank = s->shape.shrank && !moved && size < s->shape.passed[1].size;
    s->shape.creeps = s->shape.shrank && size > 0.7 * s->shape.passed[1].size;
    for (int i = 0; i < model->n && !s->shape.shrank; i++) {
        s->shape.swing[i] = point->u[i] - point->record.middle[model->coordinate_body[i]];
        s->shape.swing[model->n + i] = point->u[model->n + i] - s->here.orbit->carry[i];
    }
    s->shape.largest = fmax(s->shape.largest, size);
    if (s->shape.passed[1].value != point->record.value) s->shape.passed[0] = s->shape.passed[1];
    s->shape.passed[1].value = point->record.value;
    s->shape.passed[1].size = size;
}

ss_status ss_cycles_accept(void* self, ss_branch_point* point, ss_error* err)
{
    ss_cycles* s = self;
    size_t n = (size_t)s->size + 1;
    bool away;
    ss_branch_point moved;
    for (int c = 0; c < s->w; c++) ss_branch_point_rescale(point, s->size, s->scale, c);
    ss_branch_point_normalise(point, s->size);
    if (s->forced) return SS_OK;
    keep_swing(s, point, false);
    double* guess = ss_new(2 * n, sizeof(double));
    ss_status status = guess ? SS_OK : ss_fail_no_memory(err);
    if (guess) memcpy(guess, point->u, n * sizeof(double));
    if (status == SS_OK) status = ss_cycles_place(s, guess, &away, err);
    if (status != SS_OK || !away) {
        free(guess);
        return status;
    }
    if (ss_branch_point_make(s->branch, s->size, &moved)) {
        ss_continuation_verdict verdict;
        guess[2 * n - 1] = 1.0;
        memset(s->shape.swing, 0, (size_t)s->w * sizeof(double));
        s->differed = false;
        status = ss_cycles_solve(s, guess, guess + n, &moved, &verdict, err);
        // Period and number do not know where the orbit begins: they tell which way the tangent goes on.
        double along =
            moved.tangent[s->w] * point->tangent[s->w] + moved.tangent[s->size] * point->tangent[s->size];
        if (status == SS_OK && verdict == SS_CONTINUATION_INSIDE) {
            for (size_t c = 0; c < n && along < 0.0; c++) moved.tangent[c] = -moved.tangent[c];
            moved.tests[SS_TEST_TURN] = moved.tangent[s->size];
            moved.counts[SS_TEST_TURN] = moved.tangent[s->size] > 0.0;
            ss_branch_point_copy(s->branch, s->size, &moved, point);
        }
        keep_swing(s, point, true);
    } else {
        status = ss_fail_no_memory(err);
    }
    ss_branch_point_free(&moved);
    free(guess);
    return status;
}

// ---- the orbit beyond

// Starts to look from: the last orbit's own, and what it is just before and after events that are at its
// start or end.
enum { STARTS = 3 };
typedef struct starts {
    double* y; // STARTS x w
    int count;
} starts;

static ss_status gather(ss_cycles* s, const ss_branch_point* edge, starts* out, ss_error* err)
{
    size_t w = (size_t)s->w;
    double period = edge->u[s->w], close = 1e-3 * period;
    bool made;
    ss_error why;
    memcpy(out->y, edge->u, w * sizeof(double));
    out->count = 1;
    ss_status status = ss_cycles_at(s, &s->here, edge->u[s->size], &made, err);
    if (status != SS_OK || !made || !s->forced) return status;
    ss_orbit* orbit = s->here.orbit;
    status = ss_orbit_run(orbit, edge->u, period, &why);
    if (status != SS_OK) return status == SS_NO_MEMORY ? ss_fail_no_memory(err) : SS_OK;
    double early = NAN, late = NAN;
    for (size_t k = 0; k < orbit->events.count; k++) {
        double t = orbit->events.items[k].t;
        if (t <= close && isnan(early)) early = t;
        if (t >= period - close) late = t;
    }
    if (!isnan(early) && ss_orbit_run(orbit, edge->u, early + 1e-9 * period, &why) == SS_OK)
        memcpy(out->y + w * (size_t)out->count++, orbit->state, w * sizeof(double)); // after it
    if (!isnan(late) && ss_orbit_run(orbit, edge->u, late - 1e-9 * period, &why) == SS_OK)
        memcpy(out->y + w * (size_t)out->count++, orbit->state, w * sizeof(double)); // before it
    return SS_OK;
}

ss_status ss_cycles_shoot(ss_cycles* s, double value, const double y[], double period, double u[],
                          bool* closes, ss_error* err)
{
    bool made;
    *closes = false;
    s->differed = false;
    ss_status status = ss_cycles_at(s, &s->here, value, &made, err);
    if (status != SS_OK || !made) return status;
    ss_shoot shoot = {.orbit = s->here.orbit, .forced = s->forced, .w = s->w};
    if (ss_shoot_allocate(&shoot)) {
        memcpy(shoot.y, y, (size_t)s->w * sizeof(double));
        memcpy(shoot.scale, s->scale, (size_t)s->w * sizeof(double));
        shoot.period = s->forced ? s->here.period : period;
        shoot.forcing_period = shoot.period / s->multiple;
        status = ss_shoot_close(&shoot, closes, err);
        memcpy(u, shoot.y, (size_t)s->w * sizeof(double));
        u[s->w] = shoot.period;
        u[s->size] = value;
    } else {
        status = ss_fail_no_memory(err);
    }
    ss_shoot_free(&shoot);
    return status;
}

ss_status ss_cycles_meet(ss_cycles* s, double value, const double y[], double period, ss_branch_point* out,
                         ss_continuation_verdict* verdict, ss_error* err)
{
    bool closes;
    double* guess = ss_new(2 * ((size_t)s->size + 1), sizeof(double));
    *verdict = SS_CONTINUATION_LOST;
    if (!guess) return ss_fail_no_memory(err);
    ss_status status = ss_cycles_shoot(s, value, y, period, guess, &closes, err);
    guess[2 * s->size + 1] = 1.0;
    if (status == SS_OK && closes) status = ss_cycles_solve(s, guess, guess + s->size + 1, out, verdict, err);
    free(guess);
    return status;
}

double ss_cycles_distance(const ss_cycles* s, const ss_branch_point* a, const ss_branch_point* b)
{
    double most = fabs(a->u[s->w] - b->u[s->w]) / s->scale[s->w];
    const ss_model* model = s->branch->model;
    for (int i = 0; i < model->n; i++) {
        int body = model->coordinate_body[i];
        most = fmax(most, fabs(a->record.amplitude[body] - b->record.amplitude[body]) / s->scale[i]);
        most = fmax(most, fabs(a->record.middle[body] - b->record.middle[body]) / s->scale[i]);
    }
    return most;
}

// Turns the tangent of an orbit found beyond a border away from the border, where the two are far enough
// apart to tell.
static void turn_away(const ss_cycles* s, const ss_branch_point* edge, ss_branch_point* out)
{
    double along = 0.0, apart = 0.0;
    for (int c = 0; c <= s->size; c++) {
        double way = (out->u[c] - edge->u[c]) / s->scale[c];
        along += way * out->tangent[c];
        apart = fmax(apart, fabs(way));
    }
    for (int c = 0; c <= s->size && along < 0.0 && apart > 1e-6; c++) out->tangent[c] = -out->tangent[c];
}

static const double ways[] = {1e-7, 1e-5, 1e-3}; // how far from a border orbits are looked for
enum { WAYS = sizeof ways / sizeof *ways };

// An event has reached the start of the orbit and goes on at its end, or the other way: the start jumps with
// it, the orbit does not.
static ss_status pass_start(ss_cycles* s, const ss_branch_point* edge, const starts* from,
                            ss_branch_point* out, bool* found, ss_error* err)
{
    double ahead = edge->tangent[s->size] < 0.0 ? -1.0 : 1.0;
    ss_status status = SS_OK;
    *found = false;
    for (int k = 0; k < WAYS && status == SS_OK && !*found && !s->interrupted; k++)
        for (int j = 1; j < from->count && status == SS_OK && !*found; j++) {
            double value = edge->u[s->size] + ways[k] * s->scale[s->size] * ahead;
            ss_continuation_verdict verdict;
            status =
                ss_cycles_meet(s, value, from->y + (size_t)(j * s->w), edge->u[s->w], out, &verdict, err);
            *found = status == SS_OK && verdict == SS_CONTINUATION_INSIDE &&
                     ss_cycles_distance(s, edge, out) <= 300.0 * ways[k];
        }
    if (*found && out->tangent[s->size] * ahead < 0.0)
        for (int c = 0; c <= s->size; c++) out->tangent[c] = -out->tangent[c];
    return status;
}

// Looks for an orbit beyond the border on both sides of it, first where the continuation was going.
static ss_status look_beyond(ss_cycles* s, const ss_branch_point* edge, const starts* from,
                             ss_branch_point* out, bool* found, ss_error* err)
{
    double ahead = edge->tangent[s->size] < 0.0 ? -1.0 : 1.0;
    ss_status status = SS_OK;
    *found = false;
    for (int k = 0; k < 2 * WAYS && status == SS_OK && !*found && !s->interrupted; k++) {
        double off = ways[k / 2] * s->scale[s->size] * (k % 2 ? -ahead : ahead);
        for (int j = 0; j < from->count && status == SS_OK && !*found; j++) {
            ss_continuation_verdict verdict;
            status = ss_cycles_meet(s, edge->u[s->size] + off, from->y + (size_t)(j * s->w), edge->u[s->w],
                                    out, &verdict, err);
            *found = status == SS_OK && verdict == SS_CONTINUATION_OUTSIDE &&
                     ss_cycles_distance(s, edge, out) <= 3.0 * sqrt(ways[k / 2]);
        }
    }
    if (*found) turn_away(s, edge, out);
    return status;
}

// The orbit that the continuation met beyond, once more, to know its order.
static ss_status meet_again(ss_cycles* s, const ss_branch_point* edge, const ss_branch_point* beyond,
                            ss_branch_point* out, bool* found, ss_error* err)
{
    ss_continuation_verdict verdict;
    double* normal = ss_new((size_t)s->size + 1, sizeof(double));
    *found = false;
    if (!normal) return ss_fail_no_memory(err);
    normal[s->size] = 1.0;
    ss_status status = ss_cycles_solve(s, beyond->u, normal, out, &verdict, err);
    *found =
        status == SS_OK && verdict == SS_CONTINUATION_OUTSIDE && ss_cycles_distance(s, edge, out) <= 1e-3;
    if (*found) memcpy(out->tangent, beyond->tangent, ((size_t)s->size + 1) * sizeof(double));
    if (*found) turn_away(s, edge, out);
    free(normal);
    return status;
}

// From the border into the piece on the other side of it, which may lie on the same side in p: a start that
// is moved a little shows the other order of events and its derivatives, and with them the tangent there.
static ss_status step_aside(ss_cycles* s, const ss_branch_point* edge, ss_branch_point* out, bool* found,
                            ss_error* err)
{
    static const double asides[] = {1e-4, 1e-3, 1e-5};
    size_t n = (size_t)s->size + 1;
    double* u = ss_new(2 * n, sizeof(double));
    double* tangent = u + n;
    ss_status status = u ? SS_OK : ss_fail_no_memory(err);
    *found = false;
    for (int k = 0; k < 6 * s->w && status == SS_OK && !*found && !s->interrupted; k++) {
        double aside = asides[k / (2 * s->w)] * (k % 2 ? -1.0 : 1.0);
        int axis = k / 2 % s->w;
        bool there;
        memcpy(u, edge->u, n * sizeof(double));
        u[axis] += aside * s->scale[axis];
        status = ss_cycles_evaluate(s, u, edge->tangent, tangent, &there, err);
        if (status != SS_OK || !there || ss_event_order_same(&s->order, &s->found)) continue;
        for (int way = 0; way < 4 && status == SS_OK && !*found; way++) {
            double step = (way < 2 ? 1e-3 : 1e-4) * (way % 2 ? -1.0 : 1.0);
            ss_continuation_verdict verdict;
            for (size_t c = 0; c < n; c++) u[c] = edge->u[c] + step * tangent[c] * s->scale[c];
            status = ss_cycles_solve(s, u, tangent, out, &verdict, err);
            *found = status == SS_OK && verdict == SS_CONTINUATION_OUTSIDE &&
                     ss_cycles_distance(s, edge, out) <= 0.1;
            if (*found) turn_away(s, edge, out);
        }
    }
    free(u);
    return status;
}

// Where the steady state changes its stability between two numbers; NaN where it does not, or several times.
static ss_status find_hopf(const ss_cycles* s, double from, double to, double* out, ss_error* err)
{
    ss_follow_def def = *s->def;
    ss_solution_branch* branch = NULL;
    ss_error why;
    *out = NAN;
    def.size = sizeof def;
    def.from = from;
    def.to = to;
    def.steady = true;
    def.near = false;
    def.progress = NULL;
    ss_status status = ss_follow_run(&def, &branch, &why);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    if (status != SS_OK) return SS_OK;
    int count = 0;
    for (int k = 0; k < ss_solution_branch_special_count(branch); k++) {
        ss_solution_branch_special special = ss_solution_branch_get_special(branch, k);
        if (special.kind != SS_SPECIAL_HOPF) continue;
        *out = special.at.value;
        count++;
    }
    if (count != 1) *out = NAN;
    ss_solution_branch_destroy(branch);
    return SS_OK;
}

// In an autonomous model, a cycle that has become small ends in the steady state: a Hopf point. The branch
// may pass it at a small distance, where its starts are not those at which the bodies turn back: there the
// squares of the last two sizes tell where the steady state must change its stability, and it is asked.
static ss_status end_in_steady_state(ss_cycles* s, const ss_branch_point* edge, ss_border* border, bool* ends,
                                     ss_error* err)
{
    static const double tiny = 1e-4;
    const ss_model* model = s->branch->model;
    double size = 0.0, value = edge->record.value;
    for (int i = 0; i < model->n && !s->forced; i++)
        size = fmax(size, edge->record.amplitude[model->coordinate_body[i]] / s->scale[i]);
    double a = pow(s->shape.passed[0].size, 2), b = pow(s->shape.passed[1].size, 2);
    ss_status status = SS_OK;
    *ends = !s->forced && size <= tiny;
    if (!*ends && ss_cycles_passes_middle(s) && a > b) {
        double there = (value * a - s->shape.passed[0].value * b) / (a - b);
        status = find_hopf(s, value, there + (there - value), &border->value, err);
        *ends = !isnan(border->value);
    }
    s->shape.shrank = s->shape.creeps = false;
    if (!*ends) return status;
    border->kind = SS_SPECIAL_HOPF;
    snprintf(border->why, sizeof border->why, "shrinks to a steady state");
    return status;
}

// An event that the last orbit has by a touch is missed by neighbours, which may meet the like of it a swing
// later: the order of their events tells nothing, the times do.
static ss_status name_touch(ss_cycles* s, const ss_branch_point* edge, ss_border* border, ss_error* err)
{
    static const double asides[] = {1e-7, 1e-6, 1e-5};
    double period = edge->u[s->w], *u = ss_new((size_t)s->size + 1, sizeof(double));
    bool made = false, named = false;
    ss_error why;
    ss_events own = {0};
    ss_status status = u ? ss_cycles_at(s, &s->here, edge->u[s->size], &made, err) : ss_fail_no_memory(err);
    ss_orbit* orbit = s->here.orbit;
    if (status == SS_OK && made) status = ss_orbit_run(orbit, edge->u, period, &why);
    if (status == SS_OK && made) { // the orbit's events; the runs beside it have their own
        own = orbit->events;
        orbit->events = (ss_events){0};
    }
    for (int k = 0; k < 6 * s->w && status == SS_OK && made && !named && !s->interrupted; k++) {
        int axis = k / 2 % s->w;
        memcpy(u, edge->u, ((size_t)s->size + 1) * sizeof(double));
        u[axis] += asides[k / (2 * s->w)] * (k % 2 ? -1.0 : 1.0) * s->scale[axis];
        if (ss_orbit_run(orbit, u, period, &why) != SS_OK || orbit->outcome != SS_TIME_REACHED) continue;
        named = ss_event_order_name_missed(s->branch->model, &own, &orbit->events,
                                           ss_cycles_elsewhere * period, border);
    }
    border->plain = !named;
    free(own.items);
    free(u);
    return status == SS_NO_MEMORY ? ss_fail_no_memory(err) : SS_OK;
}

ss_status ss_cycles_cross(void* self, const ss_branch_point* edge, const ss_branch_point* beyond,
                          ss_branch_point* out, ss_border* border, ss_error* err)
{
    ss_cycles* s = self;
    const ss_model* model = s->branch->model;
    bool found = false;
    bool ends;
    ss_status status = end_in_steady_state(s, edge, border, &ends, err);
    if (status != SS_OK || ends) return status;
    starts from = {.y = ss_new(STARTS * (size_t)s->w, sizeof(double))};
    if (!from.y) return ss_fail_no_memory(err);
    bool met;
    status = ss_cycles_hold(s, edge, out, border, &met, err);
    if (status == SS_OK && !met) status = ss_cycles_slip(s, edge, out, border, &met, err);
    if (status != SS_OK || met) {
        free(from.y);
        return status;
    }
    int struck = s->has_rejected ? ss_event_order_strikes_more(model, &s->order, &s->rejected) : -1;
    status = gather(s, edge, &from, err);
    if (status == SS_OK) status = pass_start(s, edge, &from, out, &found, err);
    if (status == SS_OK && !found && beyond) status = meet_again(s, edge, beyond, out, &found, err);
    for (double speed = 1e-2; struck >= 0 && speed > 1e-5 && status == SS_OK && !found; speed *= 0.1)
        status = ss_cycles_graze(s, edge, struck, speed * s->scale[model->n], out, &found, err);
    if (status == SS_OK && !found) status = step_aside(s, edge, out, &found, err);
    if (status == SS_OK && !found) status = look_beyond(s, edge, &from, out, &found, err);
    if (status == SS_OK && !found) status = ss_cycles_ahead(s, edge, out, &found, err);
    if (status == SS_OK) {
        const ss_event_order* next = found ? &s->found : s->has_rejected ? &s->rejected : &s->order;
        border->plain = ss_event_order_same(&s->order, next);
        if (!border->plain) ss_event_order_compare(model, &s->order, next, border);
        border->goes_on = found;
        border->refine = found && next->count < s->order.count;
        if (found && !ss_event_order_copy(&s->order, &s->found)) status = ss_fail_no_memory(err);
        s->has_rejected = false;
        if (status == SS_OK && !found && border->plain) status = name_touch(s, edge, border, err);
    }
    if (border->contact[0])
        snprintf(border->why, sizeof border->why, "%.100s: %.60s, and no orbit is found beyond",
                 border->contact, border->what);
    else
        snprintf(border->why, sizeof border->why, "no orbit is found beyond the last one");
    free(from.y);
    return status;
}
