// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Starts on an edge: where the motion begins exactly between two modes, or on a jump, neighbours on the two
// sides go on differently. A heading is then that of the side that the motion itself takes, and a note says
// so. Only headings that leave the edge count.
#include "engine/variation/edges.h"
#include "engine/variation/surface.h"
#include "engine/variation/watch.h"

#include "engine/flow/contact.h"

#include "core/tolerance.h"

#include <math.h>

static double speed_change(const ss_variation* var, const ss_heading* to, int i)
{
    const ss_contact* contact = &var->model->contacts[i];
    const ss_values* at = &var->points[0].at;
    double dv = ss_row_dot(&contact->q, to->v) + ss_row_dot(&contact->d, var->delta.d1);
    if (to->change) dv += ss_row_dot(&to->change->q[i], at->v) + ss_row_dot(&to->change->d[i], at->d1);
    return dv;
}

static bool has_speed(const ss_variation* var, int i)
{
    return fabs(ss_relative_velocity(var->sim, i, 0)) > ss_velocity_rounding(var->sim, i);
}

// Whether contact i, which sticks, does so with all that it can hold.
static bool is_at_bound(const ss_variation* var, int i)
{
    double low = ss_hold_low(var->sim, i, 0), high = ss_hold_high(var->sim, i, 0);
    double force = var->points[0].at.lambda[i], size = SS_CLEAR * fmax(fabs(low), fabs(high));
    return fabs(force - low) <= size || fabs(force - high) <= size;
}

// Whether the heading leaves the edge on which contact i begins, if it does: at rest, but about to slip, or
// with bristles that are bent; at its limit; right at a stop.
static bool leaves_edge(ss_variation* var, ss_heading* to, int i)
{
    const ss_sim* sim = var->sim;
    const ss_contact_run* run = &sim->modes.contacts[i];
    const ss_contact* contact = &var->model->contacts[i];
    bool stop = ss_is_stop(sim, i) ||
                (ss_is_elastic(sim, i) && contact->law_row->stop.form(ss_law_of(contact), 0).drag != 0.0);
    if (ss_is_elastic(sim, i) && !stop) return false; // its force begins at 0
    if (stop) return run->gap == 0.0 && ss_gap_change(var, &var->points[0], to, i, to->q) != 0.0;
    if (ss_is_bristle(sim, i)) {
        const ss_bristle* b = &sim->laws.bristles[sim->laws.bristle_at[i]];
        return b->still && b->along.z[0] != 0.0 && speed_change(var, to, i) != 0.0;
    }
    if (ss_slips(sim, i)) return !has_speed(var, i) && speed_change(var, to, i) != 0.0;
    if (run->mode != SS_MODE_STICK || !is_at_bound(var, i)) return false;
    return ss_surface_leaves_bound(var, &var->points[0], to, i);
}

static bool starts_between_modes(ss_variation* var, int i)
{
    for (int j = 0; j < var->count; j++) {
        ss_heading* to = &var->headings[j];
        if (to->lost) continue;
        var->delta.q = to->q;
        var->delta.v = to->v;
        var->delta.s = to->s;
        var->delta.z = to->z;
        ss_linear_all(var, &var->points[0], to, &var->delta);
        if (leaves_edge(var, to, i)) return true;
    }
    return false;
}

void ss_vary_tell_sides(ss_variation* var)
{
    int *contacts = var->sim->work.note_contacts, count = 0;
    ss_vary_prepare(var); // strides have done without
    for (int i = 0; i < var->m; i++)
        if (starts_between_modes(var, i)) contacts[count++] = i;
    double t = var->sim->step.t;
    if (count > 0)
        ss_vary_note(var, &(ss_note){t,
                                     "derivative: the motion starts on the edge between two modes: it is "
                                     "that of one side",
                                     contacts, count});
    if (var->sim->step.ready && ss_edges_leave_start(var))
        ss_vary_note(
            var, &(ss_note){t, "derivative: the motion starts on a jump: it is that of one side", NULL, 0});
}

// Accelerations of a heading count where coordinates are free; var->delta receives them.
static bool moves_on(ss_variation* var, ss_heading* to)
{
    double most = 0.0;
    var->delta.q = to->q;
    var->delta.v = to->v;
    var->delta.s = to->s;
    var->delta.z = to->z;
    ss_linear_all(var, &var->points[0], to, &var->delta);
    for (int i = 0; i < var->n; i++) most = fmax(most, fmax(fabs(to->v[i]), fabs(var->delta.a[i])));
    for (int j = 0; j < var->ns; j++) most = fmax(most, fabs(var->delta.rate[j]));
    return most > 0.0;
}

void ss_vary_rest(ss_variation* var)
{
    const ss_sim* sim = var->sim;
    if (sim->step.ready || !sim->course.ended || sim->course.outcome != SS_AT_REST) return;
    if (ss_held_rank(sim) == var->n && var->ns == 0) return;
    for (int j = 0; j < var->count; j++)
        if (!var->headings[j].lost && moves_on(var, &var->headings[j]))
            ss_vary_lose(var, &var->headings[j],
                         "derivative: the motion rests without being held, and neighbours move on; there is "
                         "none from here on");
}
