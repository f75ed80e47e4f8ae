// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions that run away: they grow and quicken at a constant rate, as a spring that hardens does where a
// damper pushes. Each second then takes some fixed factor more steps than the one before, and what is asked
// for may be further away than any computer can go.
//
// Counted are the times in which the number of steps doubles. While the motion grows at a constant rate they
// are all the same; where growth slows down they become longer. If each takes r times as long as the one
// before, beginning with r a, time T is reached after m more of them,
//
//     a (r + r^2 + .. + r^m) = T - t,     m = ln(1 + (T - t)(r - 1)/(a r)) / ln r.
//
// A motion that neither grows nor dies out keeps its pace, and each doubling then spans twice the time of the
// one before: the steps that are left are (T - t) times the steps of the last one over its span.
//
// Nothing is proved of the motion by that, and nothing is said of it but where it was given up.
#include "engine/proof/runaway.h"

#include <math.h>

enum {
    FIRST = 256,    // steps: the first count
    OFTEN = 16,     // steps from one look at the speeds to the next
    IN_A_ROW = 5,   // doublings, in each of which the motion grew
    LONG = 1 << 20, // steps after which it is asked whether the pace is enough
    HOPELESS = 37   // log2 of the number of steps that nobody will wait for: 1e11, weeks
};
static const double growth = 1.5;       // of the largest speed, from one doubling to the next
static const double most_slower = 2.0;  // times as long as the one before: growth at a constant rate is over
static const double least_ratio = 1.02; // what cannot be told from 1
static const double same_pace = 2.2;    // times the span of the doubling before: steps become no longer

void ss_runaway_restart(ss_course* course) { course->runaway = (ss_runaway){.next = FIRST}; }

static double largest_speed(const ss_model* model, const ss_step* step)
{
    double most = 0.0;
    for (int i = 0; i < model->n; i++) most = fmax(most, fabs(step->q[model->n + i]));
    return most;
}

// A doubling ends here.
static void count_doubling(const ss_step* step, ss_course* course)
{
    ss_runaway* r = &course->runaway;
    double span = step->t - r->t;
    bool grows = r->peak >= growth * r->peak_before && span <= most_slower * r->spans[0];
    r->doublings = grows && r->peak_before > 0.0 ? r->doublings + 1 : 0;
    for (int k = SS_RUNAWAY_SPANS - 1; k > 0; k--) r->spans[k] = r->spans[k - 1];
    r->spans[0] = span;
    r->peak_before = r->peak;
    r->peak = 0.0;
    r->t = step->t;
    r->next *= 2;
}

// Whether the motion quickens so much that `until` is out of reach.
static bool quickens(const ss_model* model, const ss_step* step, const ss_step_control* control,
                     const ss_course* course, double until)
{
    const ss_runaway* r = &course->runaway;
    if (model->nature.linear || r->doublings < IN_A_ROW) return false;
    double first = r->spans[SS_RUNAWAY_SPANS - 1], last = r->spans[0], longest = last;
    for (int k = 1; k < SS_RUNAWAY_SPANS; k++) longest = fmax(longest, r->spans[k]);
    double ratio = fmax(pow(last / first, 1.0 / (SS_RUNAWAY_SPANS - 1)), least_ratio);
    double more = log1p((until - step->t) * (ratio - 1.0) / (longest * ratio)) / log(ratio);
    return log2((double)control->steps) + more > HOPELESS;
}

// Whether it is out of reach at the pace of the last two doublings, which is one and the same.
static bool is_too_far(const ss_step* step, const ss_step_control* pace, const ss_course* course,
                       double until)
{
    const ss_runaway* r = &course->runaway;
    if (pace->steps < LONG || !isfinite(until) || !(r->spans[0] <= same_pace * r->spans[1])) return false;
    return (until - step->t) / r->spans[0] * (0.5 * (double)pace->steps) > ldexp(1.0, HOPELESS);
}

ss_runaway_verdict ss_runaway_look(const ss_model* model, ss_step* step, ss_step_control* control,
                                   ss_course* course, double until)
{
    ss_runaway* r = &course->runaway;
    if (control->steps % OFTEN != 0) return SS_DOES_NOT_RUN_AWAY;
    r->peak = fmax(r->peak, largest_speed(model, step));
    if (control->steps < r->next) return SS_DOES_NOT_RUN_AWAY;
    count_doubling(step, course);
    return quickens(model, step, control, course, until) ? SS_RUNS_AWAY
           : is_too_far(step, control, course, until)    ? SS_TOO_FAR
                                                         : SS_DOES_NOT_RUN_AWAY;
}
