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
// Nothing is proved of the motion by that, and nothing is said of it but where it was given up.
#include "engine/proof/runaway.h"

#include <math.h>

enum {
    FIRST = 256,  // steps: the first count
    OFTEN = 16,   // steps from one look at the speeds to the next
    IN_A_ROW = 5, // doublings, in each of which the motion grew
    HOPELESS = 37 // log2 of the number of steps that nobody will wait for: 1e11, weeks
};
static const double growth = 1.5;       // of the largest speed, from one doubling to the next
static const double most_slower = 2.0;  // times as long as the one before: growth at a constant rate is over
static const double least_ratio = 1.02; // what cannot be told from 1

void ss_runaway_restart(ss_sim* sim) { sim->course.runaway = (ss_runaway){.next = FIRST}; }

static double largest_speed(const ss_sim* sim)
{
    double most = 0.0;
    for (int i = 0; i < sim->model->n; i++) most = fmax(most, fabs(sim->step.q[sim->model->n + i]));
    return most;
}

// A doubling ends here.
static void count_doubling(ss_sim* sim)
{
    ss_runaway* r = &sim->course.runaway;
    double span = sim->step.t - r->t;
    bool grows = r->peak >= growth * r->peak_before && span <= most_slower * r->spans[0];
    r->doublings = grows && r->peak_before > 0.0 ? r->doublings + 1 : 0;
    for (int k = SS_RUNAWAY_SPANS - 1; k > 0; k--) r->spans[k] = r->spans[k - 1];
    r->spans[0] = span;
    r->peak_before = r->peak;
    r->peak = 0.0;
    r->t = sim->step.t;
    r->next *= 2;
}

bool ss_runaway_is_hopeless(ss_sim* sim, double until)
{
    ss_runaway* r = &sim->course.runaway;
    if (sim->model->nature.linear || sim->pace.steps % OFTEN != 0) return false;
    r->peak = fmax(r->peak, largest_speed(sim));
    if (sim->pace.steps < r->next) return false;
    count_doubling(sim);
    if (r->doublings < IN_A_ROW) return false;
    double first = r->spans[SS_RUNAWAY_SPANS - 1], last = r->spans[0], longest = last;
    for (int k = 1; k < SS_RUNAWAY_SPANS; k++) longest = fmax(longest, r->spans[k]);
    double ratio = fmax(pow(last / first, 1.0 / (SS_RUNAWAY_SPANS - 1)), least_ratio);
    double more = log1p((until - sim->step.t) * (ratio - 1.0) / (longest * ratio)) / log(ratio);
    return log2((double)sim->pace.steps) + more > HOPELESS;
}
