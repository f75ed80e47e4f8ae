// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/follow/continuation.h"

#include "core/error.h"
#include "lab/follow/continuation_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double least_step = 1e-7;    // as a share of the range
static const double smallest_bend = 0.96; // cosine of the angle between tangents that is too much
static const double first_share = 0.2;    // of the longest step
static const double close_by = 2e-5;      // steps below it: a border is looked for, even where they succeed

const double ss_continuation_located = 1e-13;

static double number_of(const ss_continuation* w, const ss_branch_point* point) { return point->u[w->size]; }

static double dot(const ss_continuation* w, const double a[], const double b[])
{
    double sum = 0.0;
    for (int i = 0; i <= w->size; i++) sum += a[i] * b[i];
    return sum;
}

// Turns the tangent of a point the way of another, and with it the sign of the test for a fold.
void ss_continuation_orient(const ss_continuation* w, ss_branch_point* point, const double along[])
{
    if (dot(w, point->tangent, along) < 0.0)
        for (int i = 0; i <= w->size; i++) point->tangent[i] = -point->tangent[i];
    point->tests[SS_TEST_TURN] = point->tangent[w->size];
    point->counts[SS_TEST_TURN] = point->tangent[w->size] > 0.0;
}

// Solves at a distance s (scaled) along the tangent of a point.
static ss_status solve_from(ss_continuation* w, const ss_branch_point* base, double s, ss_branch_point* out,
                            ss_continuation_verdict* verdict, ss_error* err)
{
    for (int i = 0; i <= w->size; i++) w->guess[i] = base->u[i] + s * base->tangent[i] * w->by->scale[i];
    ss_status status = w->by->solve(w->by->self, w->guess, base->tangent, out, verdict, err);
    if (status == SS_OK && *verdict != SS_CONTINUATION_LOST) ss_continuation_orient(w, out, base->tangent);
    return status;
}

static ss_status solve_at(ss_continuation* w, double s, ss_branch_point* out,
                          ss_continuation_verdict* verdict, ss_error* err)
{
    return solve_from(w, &w->here, s, out, verdict, err);
}

static bool keeps_going(ss_continuation* w)
{
    double done = (number_of(w, &w->here) - w->def->from) / (w->def->to - w->def->from);
    if (!w->def->progress || w->def->progress(w->def->user, fmin(fmax(done, 0.0), 1.0))) return true;
    w->branch->unfinished = true;
    return false;
}

static void end_because(ss_continuation* w, const char* why)
{
    snprintf(w->branch->end, sizeof w->branch->end, "%s", why);
    w->over = true;
}

// ---- one step

static ss_status take(ss_continuation* w, ss_error* err)
{
    ss_status status = ss_continuation_mark_specials(w, err);
    if (w->halved) end_because(w, "meets a cycle of half the period, which doubles it there");
    if (status != SS_OK || w->halved) return status;
    if (!ss_solution_branch_add(w->branch, &w->next.record)) return ss_fail_no_memory(err);
    ss_branch_point_copy(w->branch, w->size, &w->next, &w->here);
    return w->by->accept(w->by->self, &w->here, err);
}

// The same of the unknowns without those that may have corners.
static double firm_dot(const ss_continuation* w, const double a[], const double b[])
{
    double sum = 0.0;
    for (int i = 0; i <= w->size; i++)
        if (!w->by->loose || !w->by->loose[i]) sum += a[i] * b[i];
    return sum;
}

// The cosine of the angle between two tangents.
static double bend_of(const ss_continuation* w, const double a[], const double b[])
{
    if (!w->by->loose) return dot(w, a, b);
    return firm_dot(w, a, b) / sqrt(firm_dot(w, a, a) * firm_dot(w, b, b));
}

// What lies across the directions in which all are solutions beside a point.
static double size_across(const ss_continuation* w, const ss_branch_point* base, double off[])
{
    for (int i = 0; i <= w->size; i++)
        if (w->by->loose && w->by->loose[i] && base->beside_count == 0) off[i] = 0.0;
    double sum = dot(w, off, off);
    for (int k = 0; k < base->beside_count; k++) {
        double along = dot(w, off, base->beside + (size_t)k * ((size_t)w->size + 1));
        sum -= along * along;
    }
    return sqrt(fmax(sum, 0.0));
}

// How far the corrected point is from where the tangent of a point led, as a share of the step. In directions
// in which all are solutions, the corrector may move it as it likes: an element that sticks all the time may
// do so anywhere, until the motion that has grown pushes it along.
static double missed(const ss_continuation* w, const ss_branch_point* base, const ss_branch_point* point,
                     double s)
{
    double* off = w->normal;
    for (int i = 0; i <= w->size; i++)
        off[i] = (point->u[i] - base->u[i]) / w->by->scale[i] - s * base->tangent[i];
    return size_across(w, base, off) / s;
}

static bool is_smooth(const ss_continuation* w, const ss_branch_point* point, double s)
{
    return bend_of(w, point->tangent, w->here.tangent) >= smallest_bend &&
           missed(w, &w->here, point, s) <= 0.3;
}

// Whether a point lies on the branch of the base, a step beyond it, however bent: what is many steps off, or
// turns round, is another branch or this one backwards.
static bool leads_there(const ss_continuation* w, const ss_branch_point* base, const ss_branch_point* point,
                        double s)
{
    static const double far_off = 10.0, round_about = 0.2;
    return missed(w, base, point, s) <= far_off && bend_of(w, point->tangent, base->tangent) >= round_about;
}

// The last step, onto an end of the range.
static ss_status step_onto(ss_continuation* w, double end, bool* done, ss_error* err)
{
    double t = w->here.tangent[w->size] * w->by->scale[w->size], s = (end - number_of(w, &w->here)) / t;
    ss_continuation_verdict verdict;
    *done = false;
    for (int i = 0; i <= w->size; i++) {
        w->guess[i] = w->here.u[i] + s * w->here.tangent[i] * w->by->scale[i];
        w->normal[i] = 0.0;
    }
    w->guess[w->size] = end;
    w->normal[w->size] = 1.0;
    ss_status status = w->by->solve(w->by->self, w->guess, w->normal, &w->next, &verdict, err);
    if (status != SS_OK || verdict != SS_CONTINUATION_INSIDE) return status;
    ss_continuation_orient(w, &w->next, w->here.tangent);
    if (s > least_step && !is_smooth(w, &w->next, s)) return SS_OK;
    *done = true;
    return SS_OK;
}

// Where the present piece ends, within `most` of here: by halves, each from the last point inside, so that
// the guesses become as good as the place is known. `next` is the last one inside, beyond one outside, if
// any.
static ss_status find_edge(ss_continuation* w, double most, bool* inside, bool* outside, ss_error* err)
{
    double s = 0.5 * most;
    *inside = *outside = false;
    for (int round = 0; round < 60 && s > ss_continuation_located; round++, s *= 0.5) {
        ss_continuation_verdict verdict;
        const ss_branch_point* base = *inside ? &w->next : &w->here;
        ss_status status = solve_from(w, base, s, &w->trial, &verdict, err);
        if (status != SS_OK) return status;
        if (verdict == SS_CONTINUATION_INSIDE && !leads_there(w, base, &w->trial, s)) continue;
        if (verdict == SS_CONTINUATION_INSIDE) ss_branch_point_copy(w->branch, w->size, &w->trial, &w->next);
        if (verdict == SS_CONTINUATION_OUTSIDE)
            ss_branch_point_copy(w->branch, w->size, &w->trial, &w->beyond);
        *inside = *inside || verdict == SS_CONTINUATION_INSIDE;
        *outside = *outside || verdict == SS_CONTINUATION_OUTSIDE;
    }
    return SS_OK;
}

// Whether the present piece goes on from here after all, with shorter steps.
static ss_status goes_on(ss_continuation* w, double most, bool* out, ss_error* err)
{
    ss_continuation_verdict verdict = SS_CONTINUATION_LOST;
    *out = false;
    for (double s = 0.1 * most; s > least_step && !*out; s *= 0.1) {
        ss_status status = solve_at(w, s, &w->trial, &verdict, err);
        if (status != SS_OK) return status;
        *out = verdict == SS_CONTINUATION_INSIDE && is_smooth(w, &w->trial, s);
        if (verdict == SS_CONTINUATION_OUTSIDE)
            ss_branch_point_copy(w->branch, w->size, &w->trial, &w->beyond);
        w->step = s;
    }
    return SS_OK;
}

static void reverse(const ss_continuation* w, ss_branch_point* point)
{
    for (int i = 0; i <= w->size; i++) point->tangent[i] = -point->tangent[i];
}

// The new piece begins at `here`: its tangent is turned into the piece, away from the border.
static ss_status turn_into(ss_continuation* w, bool* turned, ss_error* err)
{
    *turned = false;
    static const double tries[] = {1e-3, 1e-4, 1e-5, 1e-6};
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        ss_continuation_verdict ahead, back;
        ss_status status = solve_at(w, tries[k], &w->trial, &ahead, err);
        if (status == SS_OK) status = solve_at(w, -tries[k], &w->trial, &back, err);
        if (status != SS_OK) return status;
        if (ahead == SS_CONTINUATION_INSIDE) return SS_OK;
        if (back == SS_CONTINUATION_INSIDE) {
            *turned = true;
            reverse(w, &w->here);
            return SS_OK;
        }
    }
    return SS_OK;
}

// Goes back from `here`, the first point of the new piece, to where that piece begins, which cannot be far:
// `next` is there. The continuation goes on from `here`, since derivatives are known worse at a border than
// beside it.
static ss_status find_beginning(ss_continuation* w, ss_error* err)
{
    enum { ROUNDS = 160 };
    double s = 1e-4, left = 0.1;
    ss_branch_point_copy(w->branch, w->size, &w->here, &w->next);
    reverse(w, &w->next);
    for (int round = 0; round < ROUNDS && s > ss_continuation_located && left > 0.0; round++) {
        ss_continuation_verdict verdict;
        ss_status status = solve_from(w, &w->next, s, &w->trial, &verdict, err);
        if (status != SS_OK) return status;
        if (verdict == SS_CONTINUATION_INSIDE) {
            ss_branch_point_copy(w->branch, w->size, &w->trial, &w->next);
            left -= s;
        }
        s *= verdict == SS_CONTINUATION_INSIDE ? 1.2 : 0.4;
    }
    return SS_OK;
}

// Whether the new piece, on which `here` is, is the one from which the continuation came to this border or to
// the last one, backwards. along: the tangent with which it came to this one.
static bool goes_back(ss_continuation* w, double edge, const double along[], bool plain)
{
    bool again = fabs(edge - w->met_at) <= close_by * fabs(w->def->to - w->def->from);
    bool back = (plain && dot(w, w->here.tangent, along) <= -smallest_bend) ||
                (again && dot(w, w->here.tangent, w->came) <= -smallest_bend);
    w->borders = again ? w->borders + 1 : 0;
    w->met_at = edge;
    if (!again) memcpy(w->came, along, ((size_t)w->size + 1) * sizeof(double));
    return back;
}

// Close to a border the tangent may waver: where no multiplier passes the branch does not turn, and goes on
// as it came.
static void steady_tangent(const ss_continuation* w, ss_branch_point* point)
{
    if (point->counts[SS_TEST_TURN] == w->here.counts[SS_TEST_TURN] ||
        point->counts[SS_TEST_UNIT] != w->here.counts[SS_TEST_UNIT])
        return;
    memcpy(point->tangent, w->here.tangent, ((size_t)w->size + 1) * sizeof(double));
    point->counts[SS_TEST_TURN] = w->here.counts[SS_TEST_TURN];
    point->tests[SS_TEST_TURN] = w->here.tests[SS_TEST_TURN];
}

// Crosses the border that lies within `most` of here.
static ss_status pass_border(ss_continuation* w, double most, bool outside, ss_error* err)
{
    enum { MOST_BORDERS = 16 }; // a contact that is pushed along by its limit has one at every step
    bool inside, on = false;
    ss_border border = {.kind = SS_SPECIAL_BOUNDARY, .value = NAN};
    ss_status status = find_edge(w, most, &inside, &outside, err);
    if (status == SS_OK && inside) steady_tangent(w, &w->next);
    if (status == SS_OK && inside) status = take(w, err);
    if (status == SS_OK) status = goes_on(w, most, &on, err);
    if (status != SS_OK || (on && w->step > close_by))
        return status; // steps that have become short may be crawling up to it
    status = w->by->cross(w->by->self, &w->here, outside ? &w->beyond : NULL, &w->next, &border, err);
    if (status != SS_OK) return status;
    if (on && !border.goes_on && !border.told) return SS_OK;
    ss_branch_point_copy(w->branch, w->size, &w->here, &w->trial);
    if (!isnan(border.value)) w->trial.record.value = border.value;
    if (!border.refine && !border.plain && !border.told &&
        !ss_solution_branch_mark(w->branch, border.kind, &w->trial.record, border.contact, border.what))
        return ss_fail_no_memory(err);
    if (!border.goes_on) {
        if (keeps_going(w)) end_because(w, border.why);
        return SS_OK;
    }
    double edge = number_of(w, &w->here);
    bool turned = false, retraced = fabs(edge - w->turned_at) <= close_by * fabs(w->def->to - w->def->from);
    memcpy(w->normal, w->here.tangent, ((size_t)w->size + 1) * sizeof(double));
    ss_branch_point_copy(w->branch, w->size, &w->next, &w->here);
    if (!border.told) status = turn_into(w, &turned, err);
    retraced = goes_back(w, edge, w->normal, border.plain) || retraced || (turned && border.plain);
    if (status == SS_OK && (retraced || w->borders >= MOST_BORDERS)) { // the same piece, backwards
        end_because(w, "no orbit is found beyond the last one");
        return SS_OK;
    }
    w->turned_at = turned ? edge : NAN;
    if (status == SS_OK && border.refine) status = find_beginning(w, err);
    if (status != SS_OK) return status;
    if (!isnan(border.value)) w->next.record.value = border.value;
    if (border.refine &&
        !ss_solution_branch_mark(w->branch, border.kind, &w->next.record, border.contact, border.what))
        return ss_fail_no_memory(err);
    w->here.tests[SS_TEST_TURN] = w->here.tangent[w->size];
    w->here.counts[SS_TEST_TURN] = w->here.tangent[w->size] > 0.0;
    w->step = first_share * w->def->step;
    return w->by->accept(w->by->self, &w->here, err);
}

static ss_status step(ss_continuation* w, ss_error* err)
{
    enum { HALVINGS = 4, CRAWLS = 8 };
    ss_continuation_verdict verdict = SS_CONTINUATION_LOST;
    bool outside = false, done;
    double s = w->step;
    for (int k = 0; k <= HALVINGS; k++, s *= 0.5) {
        double value = number_of(w, &w->here) + s * w->here.tangent[w->size] * w->by->scale[w->size];
        if (value < w->low || value > w->high) {
            double end = value < w->low ? w->low : w->high;
            ss_status status = step_onto(w, end, &done, err);
            if (status != SS_OK) return status;
            if (done) {
                status = take(w, err);
                end_because(w, end == w->def->to ? "leaves the range at its end"
                                                 : "leaves the range where it began");
                return status;
            }
        }
        ss_status status = solve_at(w, s, &w->next, &verdict, err);
        if (status != SS_OK) return status;
        if (verdict == SS_CONTINUATION_INSIDE && is_smooth(w, &w->next, s)) break;
        if (verdict == SS_CONTINUATION_OUTSIDE)
            ss_branch_point_copy(w->branch, w->size, &w->next, &w->beyond);
        outside = outside || verdict == SS_CONTINUATION_OUTSIDE;
        if (k == HALVINGS) return pass_border(w, s, outside, err);
        verdict = SS_CONTINUATION_LOST;
    }
    double bend = bend_of(w, w->next.tangent, w->here.tangent);
    w->step = fmin(bend > 0.995 ? 1.5 * s : s, w->def->step);
    double value = number_of(w, &w->next);
    if (value < w->low || value > w->high) { // the corrector went past the end
        ss_status status = step_onto(w, value < w->low ? w->low : w->high, &done, err);
        if (status != SS_OK || !done) return status == SS_OK ? pass_border(w, s, false, err) : status;
        status = take(w, err);
        end_because(w, number_of(w, &w->here) == w->def->to ? "leaves the range at its end"
                                                            : "leaves the range where it began");
        return status;
    }
    ss_status status = take(w, err);
    w->crawls = s > close_by ? 0 : w->crawls + 1;
    if (status == SS_OK && w->crawls >= CRAWLS) { // ever shorter steps lead up to a border, but never there
        w->crawls = 0;
        status = pass_border(w, fmin(CRAWLS * s, close_by), false, err);
    }
    return status;
}

// ---- the whole

static bool allocate(ss_continuation* w)
{
    w->guess = ss_new((size_t)w->size + 1, sizeof(double));
    w->normal = ss_new((size_t)w->size + 1, sizeof(double));
    ss_branch_point* points[] = {&w->here, &w->next, &w->trial, &w->beyond};
    w->came = ss_new((size_t)w->size + 1, sizeof(double));
    bool fine = w->guess && w->normal && w->came;
    for (size_t k = 0; k < sizeof points / sizeof *points; k++)
        fine = ss_branch_point_make(w->branch, w->size, points[k]) && fine;
    return fine;
}

static void release(ss_continuation* w)
{
    ss_branch_point* points[] = {&w->here, &w->next, &w->trial, &w->beyond};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) ss_branch_point_free(points[k]);
    free(w->guess);
    free(w->normal);
    free(w->came);
}

ss_status ss_continuation_run(const ss_continuation_problem* problem, const ss_follow_def* def,
                              const ss_branch_point* first, ss_solution_branch* branch, ss_error* err)
{
    ss_continuation w = {
        .by = problem, .def = def, .branch = branch, .size = problem->size, .turned_at = NAN, .met_at = NAN};
    w.low = fmin(def->from, def->to);
    w.high = fmax(def->from, def->to);
    w.step = first_share * def->step;
    ss_status status = allocate(&w) ? SS_OK : ss_fail_no_memory(err);
    if (status == SS_OK) {
        ss_branch_point_copy(branch, w.size, first, &w.here);
        memset(w.normal, 0, ((size_t)w.size + 1) * sizeof(double));
        w.normal[w.size] = def->to > def->from ? 1.0 : -1.0;
        ss_continuation_orient(&w, &w.here, w.normal);
        if (!ss_solution_branch_add(branch, &w.here.record)) status = ss_fail_no_memory(err);
        if (status == SS_OK) status = problem->accept(problem->self, &w.here, err);
    }
    while (status == SS_OK && !w.over) {
        if (!keeps_going(&w)) {
            end_because(&w, "interrupted");
        } else if ((long)branch->point_count >= def->max_points) {
            branch->unfinished = true;
            end_because(&w, "as many points as allowed");
        } else {
            status = step(&w, err);
        }
    }
    release(&w);
    return status;
}
