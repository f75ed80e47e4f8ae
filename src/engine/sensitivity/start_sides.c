// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Starts on an edge: where the motion begins exactly between two modes, or on a jump, neighbours on the two
// sides go on differently. A sensitivity is then that of the side that the motion itself takes, and a note
// says so. Only sensitivities that leave the edge count.
#include "engine/sensitivity/event_surface.h"
#include "engine/sensitivity/jumps.h"
#include "engine/sensitivity/run_hooks.h"

#include "engine/flow/contact.h"

#include "core/tolerance.h"

#include <math.h>

static double speed_change(const ss_derivative* der, const ss_sensitivity* to, int i)
{
    const ss_contact* contact = &der->model->contacts[i];
    const ss_values* at = &der->points[0].at;
    double dv = ss_row_dot(&contact->q, to->v) + ss_row_dot(&contact->d, der->delta.d1);
    if (to->change) dv += ss_row_dot(&to->change->q[i], at->v) + ss_row_dot(&to->change->d[i], at->d1);
    return dv;
}

static bool has_speed(const ss_derivative* der, int i)
{
    return fabs(ss_relative_velocity(der->sim->model, &der->sim->step, i, 0)) >
           ss_velocity_rounding(der->sim->model, &der->sim->step, &der->sim->modes, i);
}

// Whether contact i, which sticks, does so with all that it can hold.
static bool is_at_bound(const ss_derivative* der, int i)
{
    double low = ss_hold_low(der->sim, i, 0), high = ss_hold_high(der->sim, i, 0);
    double force = der->points[0].at.lambda[i], size = SS_CLEAR * fmax(fabs(low), fabs(high));
    return fabs(force - low) <= size || fabs(force - high) <= size;
}

// Whether the sensitivity leaves the edge on which contact i begins, if it does: at rest, but about to slip,
// or with bristles that are bent; at its limit; right at a stop.
static bool leaves_edge(ss_derivative* der, ss_sensitivity* to, int i)
{
    const ss_sim* sim = der->sim;
    const ss_contact_run* run = &sim->modes.contacts[i];
    bool stop = ss_is_stop(sim->model, i) ||
                (ss_is_elastic(&sim->step, i) &&
                 sim->step.laws.elastic[sim->step.laws.elastic_at[i]].law.form[0].drag != 0.0);
    if (ss_is_elastic(&sim->step, i) && !stop) return false; // its force begins at 0
    if (stop) return run->gap == 0.0 && ss_gap_change(der, &der->points[0], to, i, to->q) != 0.0;
    if (ss_is_bristle(&sim->step, i)) {
        const ss_bristle* b = &sim->step.laws.bristles[sim->step.laws.bristle_at[i]];
        return b->still && b->along.z[0] != 0.0 && speed_change(der, to, i) != 0.0;
    }
    if (ss_slips(&sim->modes, i)) return !has_speed(der, i) && speed_change(der, to, i) != 0.0;
    if (run->mode != SS_MODE_STICK || !is_at_bound(der, i)) return false;
    return ss_event_surface_leaves_bound(der, &der->points[0], to, i);
}

static bool starts_between_modes(ss_derivative* der, int i)
{
    for (int j = 0; j < der->count; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        if (to->lost) continue;
        der->delta.q = to->q;
        der->delta.v = to->v;
        der->delta.s = to->s;
        der->delta.z = to->z;
        ss_linear_all(der, &der->points[0], to, &der->delta);
        if (leaves_edge(der, to, i)) return true;
    }
    return false;
}

void ss_sensitivity_note_sides(ss_derivative* der)
{
    int *contacts = der->sim->work.note_contacts, count = 0;
    ss_sensitivity_prepare(der); // long steps have done without
    for (int i = 0; i < der->m; i++)
        if (starts_between_modes(der, i)) contacts[count++] = i;
    double t = der->sim->step.t;
    if (count > 0)
        ss_sensitivity_note(der,
                            &(ss_note){t,
                                       "derivative: the motion starts on the edge between two modes: it is "
                                       "that of one side",
                                       contacts, count});
    if (der->sim->step.ready && ss_jumps_leave_start(der))
        ss_sensitivity_note(
            der, &(ss_note){t, "derivative: the motion starts on a jump: it is that of one side", NULL, 0});
}

// Accelerations of a sensitivity count where coordinates are free; der->delta receives them.
static bool moves_on(ss_derivative* der, ss_sensitivity* to)
{
    double most = 0.0;
    der->delta.q = to->q;
    der->delta.v = to->v;
    der->delta.s = to->s;
    der->delta.z = to->z;
    ss_linear_all(der, &der->points[0], to, &der->delta);
    for (int i = 0; i < der->n; i++) most = fmax(most, fmax(fabs(to->v[i]), fabs(der->delta.a[i])));
    for (int j = 0; j < der->ns; j++) most = fmax(most, fabs(der->delta.rate[j]));
    return most > 0.0;
}

void ss_sensitivity_rest(ss_derivative* der)
{
    const ss_sim* sim = der->sim;
    if (sim->step.ready || !sim->course.ended || sim->course.outcome != SS_AT_REST) return;
    if (ss_held_rank(&sim->modes) == der->n && der->ns == 0) return;
    for (int j = 0; j < der->count; j++)
        if (!der->sensitivities[j].lost && moves_on(der, &der->sensitivities[j]))
            ss_sensitivity_lose(
                der, &der->sensitivities[j],
                "derivative: the motion rests without being held, and neighbours move on; there is "
                "none from here on");
}
