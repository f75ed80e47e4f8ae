// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Orbits a little farther along the number, where the branch has a corner that is no event, or where Newton's
// method finds nothing from the last orbit: from that orbit, and from what its motion comes to.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/follow/cycles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Whether contacts consist of elements that begin and end to slip without events.
static bool has_elements(const ss_model* model)
{
    bool found = false;
    for (int i = 0; i < model->contact_count; i++)
        found = found || (ss_has_bristles(&model->contacts[i]) &&
                          ss_contact_is(&model->contacts[i], SS_TRAIT_STEPWISE));
    return found;
}

// Lets the motion from y run at a number until it repeats, or for so many periods; y becomes where it is.
static ss_status settle(ss_cycles* s, double value, double y[], bool* there, ss_error* err)
{
    enum { PERIODS = 400 };
    ss_error why;
    ss_status status = ss_cycles_at(s, &s->here, value, there, err);
    ss_orbit* orbit = s->here.orbit;
    double gap = INFINITY;
    for (int k = 0; k < PERIODS && status == SS_OK && *there && gap > SS_CLEAR; k++) {
        status = ss_orbit_run(orbit, y, s->here.period, &why);
        if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
        *there = status == SS_OK && orbit->outcome == SS_TIME_REACHED && !orbit->interrupted;
        status = SS_OK;
        gap = 0.0;
        for (int c = 0; c < s->w && *there; c++) {
            gap = fmax(gap, fabs(orbit->state[c] - y[c]) / s->scale[c]);
            y[c] = orbit->state[c];
        }
    }
    return status;
}

// The orbit at a number from the last one; where the motion comes to what repeats, from there.
static ss_status meet_at(ss_cycles* s, const ss_branch_point* from, double value, double most,
                         ss_branch_point* out, bool* found, ss_error* err)
{
    bool there;
    ss_continuation_verdict verdict;
    ss_status status = ss_cycles_meet(s, value, from->u, from->u[s->w], out, &verdict, err);
    *found = status == SS_OK && verdict == SS_CONTINUATION_INSIDE && ss_cycles_distance(s, from, out) <= most;
    if (status != SS_OK || *found || s->interrupted) return status;
    double* y = ss_new((size_t)s->w, sizeof(double));
    if (!y) return ss_fail_no_memory(err);
    memcpy(y, from->u, (size_t)s->w * sizeof(double));
    status = settle(s, value, y, &there, err);
    if (status == SS_OK && there) status = ss_cycles_meet(s, value, y, from->u[s->w], out, &verdict, err);
    *found = status == SS_OK && there && verdict != SS_CONTINUATION_LOST &&
             ss_cycles_distance(s, from, out) <= most;
    free(y);
    return status;
}

// The orbit a little farther along p, as far as one is found close to the last.
static ss_status step_ahead(ss_cycles* s, const ss_branch_point* from, double ahead, double end,
                            ss_branch_point* out, bool* found, ss_error* err)
{
    static const double steps[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}; // of the range
    ss_status status = SS_OK;
    *found = false;
    for (size_t k = 0; k < sizeof steps / sizeof *steps && status == SS_OK && !*found && !s->interrupted;
         k++) {
        double value = from->u[s->size] + steps[k] * s->scale[s->size] * ahead;
        if ((end - value) * ahead >= 0.0)
            status = meet_at(s, from, value, fmin(300.0 * steps[k], 0.3), out, found, err);
    }
    for (int c = 0; c <= s->size && *found && out->tangent[s->size] * ahead < 0.0; c++)
        out->tangent[c] = -out->tangent[c];
    return status;
}

ss_status ss_cycles_ahead(ss_cycles* s, const ss_branch_point* edge, ss_branch_point* out, bool* found,
                          ss_error* err)
{
    enum { MOST = 10 };
    double ahead = edge->tangent[s->size] < 0.0 ? -1.0 : 1.0;
    double end = ahead > 0.0 ? fmax(s->def->from, s->def->to) : fmin(s->def->from, s->def->to);
    bool on = s->forced && has_elements(s->branch->model);
    ss_branch_point here = {0};
    ss_status status = ss_branch_point_make(s->branch, s->size, &here) ? SS_OK : ss_fail_no_memory(err);
    *found = false;
    if (status == SS_OK) ss_branch_point_copy(s->branch, s->size, edge, &here);
    for (int k = 0; k < MOST && on && status == SS_OK; k++) {
        status = step_ahead(s, &here, ahead, end, out, &on, err);
        if (status != SS_OK || !on) break;
        *found = true;
        if (!ss_solution_branch_add(s->branch, &out->record)) status = ss_fail_no_memory(err);
        ss_branch_point_copy(s->branch, s->size, out, &here);
        on = ss_event_order_same(&s->order, &s->found);
    }
    if (*found) ss_branch_point_copy(s->branch, s->size, &here, out);
    ss_branch_point_free(&here);
    return status;
}
