// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities across an instant. Neighbouring motions meet an event at other times: where g(y, t) vanishes,
//
//     dt = -(g_y dy + g_p) / g',     g' = g_y y' + g_t
//
// so they are taken to their own instant, dy + y'- dt, through what happens there (y+ = R(y-)), and back to
// the common time with the law of the other side: dy+ = R_y (dy + y'- dt) + R_p - y'+ dt. What a contact does
// is its own cause; contacts of different groups do not act on each other, and each group has its own dt.
#include "engine/flow/elastic.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/open_series.h"
#include "engine/sensitivity/event_surface.h"
#include "engine/sensitivity/jumps.h"
#include "engine/sensitivity/passing.h"
#include "engine/sensitivity/run_hooks.h"
#include "engine/sensitivity/saltation.h"

#include "core/algebra/polynomial.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

void ss_sensitivity_note(const ss_derivative* der, const ss_note* note)
{
    const ss_sim_def* def = &der->sim->def;
    ss_note_sink sink = der->begin.notes ? der->begin.notes : def->on_note;
    ss_send_note(der->sim->model, &der->sim->def, &der->sim->work, sink, note);
}

void ss_sensitivity_lose(ss_derivative* der, ss_sensitivity* to, const char* why)
{
    if (to->lost) return;
    to->lost = true;
    if (!der->instant.coupled_noted) ss_sensitivity_note(der, &(ss_note){.t = der->before.t, .text = why});
    der->instant.coupled_noted = true;
}

static void lose_all(ss_derivative* der, const char* why)
{
    for (int j = 0; j < der->count; j++) ss_sensitivity_lose(der, &der->sensitivities[j], why);
}

// ---- the side before

static double z_rate(const ss_derivative* der, const ss_linear* lin, int i, int k)
{
    return der->model->contacts[i].elements > 0 ? lin->by.element[der->z_at[i] + k].rate
                                                : lin->by.law[i].rate;
}

// The motion where the step ends, and the largest speed on it.
static void keep_before(ss_derivative* der, double s, const double state[])
{
    ss_before* before = &der->before;
    ss_linear* lin = &before->motion;
    int n = der->n;
    memcpy(lin->at.q, state, 2 * (size_t)(n + der->nd + der->ns) * sizeof(double));
    ss_values_rest(der, s, &lin->at);
    ss_linear_rest(der, lin);
    bool stops = der->sim->modes.has_stops || der->sim->step.laws.elastic_count > 0;
    for (int i = 0; i < der->m && stops; i++)
        if (der->sim->modes.contacts[i].mode == SS_MODE_OPEN) lin->at.lambda[i] = 0.0;
    before->filled = true;
    before->t = lin->at.t;
    before->speed = 0.0;
    if (!der->sim->modes.has_stops) return; // nobody asks for the speed
    for (int i = 0; i < n; i++) {           // a step may lead from stick to stick: both ends are at rest
        double between = fabs(lin->at.a[i]) * ss_elapsed(&der->sim->step, s);
        before->speed =
            fmax(before->speed, fmax(between, fmax(fabs(lin->at.v[i]), fabs(der->sim->step.q[n + i]))));
    }
}

// The contact that makes contact i change its mode, which has no surface of its own: one of its group, or
// else any; -1: none.
static int cause_of(const ss_derivative* der, int i)
{
    const ss_before* before = &der->before;
    const ss_group* group = &der->model->groups[der->model->contacts[i].group];
    int cause = -1;
    for (int p = 0; p < group->count; p++)
        if (before->surface[group->contacts[p]] != SS_NO_SURFACE) cause = group->contacts[p];
    return cause >= 0 || before->tick ? cause : before->first;
}

void ss_sensitivity_share_times(ss_derivative* der, ss_sensitivity* to)
{
    for (int i = 0; i < der->m; i++) {
        if (der->before.surface[i] != SS_NO_SURFACE) continue;
        int cause = cause_of(der, i);
        to->late[i] = cause >= 0 ? to->late[cause] : 0.0;
    }
}

// Which functions of contacts vanish, and how fast. Returns whether the change of some force counts.
static bool find_surfaces(ss_derivative* der, double s)
{
    ss_before* before = &der->before;
    const ss_linear* lin = &before->motion;
    bool forces = false;
    before->count = 0;
    before->first = -1;
    before->yields = false;
    for (int i = 0; i < der->m; i++) {
        before->surface[i] = (int)ss_event_surface_of(der, lin, i);
        if (before->surface[i] == SS_NO_SURFACE) continue;
        if (before->count++ == 0) before->first = i;
        before->yields = before->yields || before->surface[i] == SS_ELEMENT;
        forces = forces || before->surface[i] == SS_BOUND || before->surface[i] == SS_FORCE;
        if (!ss_event_surface_crosses(der, lin, i, s, &before->rates[i]))
            lose_all(
                der,
                "derivative: the motion touches an event without crossing it; there is none from here on");
    }
    return forces;
}

// When neighbours meet them.
static void find_times(ss_derivative* der, ss_sensitivity* to, bool forces)
{
    const ss_before* before = &der->before;
    const ss_linear* lin = &before->motion;
    der->delta.q = to->end;
    der->delta.v = to->end + der->n;
    der->delta.s = to->end + 2 * der->n;
    der->delta.z = to->end + 2 * der->n + der->ns;
    if (forces) ss_sensitivity_prepare(der); // long steps have done without
    if (forces)
        ss_linear_all(der, lin, to, &der->delta);
    else if (der->nd > 0)
        ss_given_at(der, to, &lin->at, &der->delta);
    if (before->count == 1 && !before->tick) { // one for all
        double late = ss_event_surface_time(der, lin, to, before->first);
        for (int i = 0; i < der->m; i++) to->late[i] = late;
    } else {
        for (int i = 0; i < der->m; i++)
            if (before->surface[i] != SS_NO_SURFACE) to->late[i] = ss_event_surface_time(der, lin, to, i);
        ss_sensitivity_share_times(der, to);
    }
    if (der->nd > 0) memcpy(to->d, der->delta.d, (size_t)der->nd * sizeof(double));
}

// When they meet the jumps of the instant; contacts that change their modes because of them do so then.
static void find_edge_time(ss_derivative* der, ss_sensitivity* to, double s)
{
    if (ss_jumps_count(der) > 0 && !ss_jumps_time(der, to, s))
        ss_sensitivity_lose(
            der, to,
            "derivative: jumps at one instant that neighbours pass one after the other; there is "
            "none from here on");
    for (int i = 0; i < der->m && ss_jumps_count(der) > 0 && der->before.count == 0; i++)
        to->late[i] = to->edge;
}

// Where slopes grow beyond all numbers without a reason that is known.
static void lose_infinite(ss_derivative* der)
{
    for (int j = 0; j < der->count; j++)
        for (int c = 0; c < der->width && !der->sensitivities[j].lost; c++)
            if (!isfinite(der->sensitivities[j].end[c]))
                ss_sensitivity_lose(der, &der->sensitivities[j],
                                    "derivative: it grows beyond all numbers; there is none from here on");
}

// A step that only ends where its series do, and on which driven places change as they did before:
// sensitivities go on, and nothing else is asked.
static bool goes_on(const ss_derivative* der)
{
    if (der->sim->modes.has_stops || der->sim->step.end != SS_STEP_BOUND) return false;
    for (int j = 0; j < der->count && der->nd > 0; j++)
        if (der->sensitivities[j].change && der->sensitivities[j].change->given) return false;
    return true;
}

void ss_sensitivity_commit(struct ss_derivative* derivative, const ss_step* step, const ss_modes* modes,
                           double s, const double state[])
{
    ss_derivative* der = derivative;
    ss_before* before = &der->before;
    bool goes = goes_on(der), forces = false;
    ss_sensitivity_at_end(der, s);
    if (der->sim->level_forces) der->sim->level_forces->blow.count = 0;
    if (!goes) keep_before(der, s, state);
    ss_sensitivity_arrive(der, s, goes ? NULL : &before->motion.at);
    if (!goes) {
        if (modes->has_stops && ss_event_surface_is_touched(der, s))
            lose_all(der, "derivative: the motion touches a stop; there is none from here on");
        before->tick = ss_ends_at_break(step);
        before->ends = step->end != SS_STEP_BOUND;
        forces = find_surfaces(der, s);
        if (!ss_jumps_find(der, s))
            lose_all(der,
                     "derivative: the motion touches a jump without crossing it; there is none from here "
                     "on");
        forces = forces || ss_jumps_count(der) > 0;
    }
    lose_infinite(der);
    for (int j = 0; j < der->count && !goes; j++) {
        if (!der->sensitivities[j].lost) find_times(der, &der->sensitivities[j], forces);
        if (!der->sensitivities[j].lost) find_edge_time(der, &der->sensitivities[j], s);
    }
    ss_sensitivity_end(der);
    ss_sensitivity_rewind(der);
}

// ---- the side after

// Springs and expressions are where they were before an instant that nothing moves after.
static void keep_coefficients(const ss_derivative* der, const ss_linear* from, ss_linear* to)
{
    const ss_model* model = der->model;
    memcpy(to->by.cubic, from->by.cubic, (size_t)model->connection_count * sizeof(double));
    if (!model->open) return;
    memcpy(to->by.slope, from->by.slope, (size_t)model->actions->slope.output_count * sizeof(double));
    memcpy(to->outputs, from->outputs, (size_t)model->actions->motion.output_count * sizeof(double));
}

// Values of the next step at its start; of a run that has ended, nothing moves.
static void look_after(ss_derivative* der)
{
    ss_linear* lin = &der->points[0];
    if (der->sim->step.ready) {
        ss_linear_at(der, 0.0, lin);
        return;
    }
    size_t d = sizeof(double), n = (size_t)der->n;
    lin->at.order = -1;
    lin->at.t = der->sim->step.t;
    memcpy(lin->at.q, der->sim->step.q, n * d);
    memcpy(lin->at.v, der->sim->step.q + n, n * d);
    memset(lin->at.a, 0, n * d);
    memcpy(lin->at.d, der->sim->step.d, (size_t)der->nd * d);
    memcpy(lin->at.d1, der->sim->step.d + der->nd, (size_t)der->nd * d);
    memset(lin->at.d2, 0, (size_t)der->nd * d);
    memcpy(lin->at.lambda, der->sim->step.lambda, (size_t)der->m * d);
    for (int i = 0; i < der->m; i++) lin->by.law[i] = (ss_response){0};
    for (int z = 0; z < der->nz; z++) lin->by.element[z] = (ss_element_response){0};
    keep_coefficients(der, &der->before.motion, lin);
}

static double rate_after(const ss_derivative* der, int j)
{
    return der->sim->step.ready ? der->sim->step.s[der->ns + j] : 0.0;
}

// All contacts of the instant happen together for neighbours, too, as far as this sensitivity can tell.
static bool is_one(const ss_derivative* der, const ss_sensitivity* to, int group, double* late)
{
    double first = NAN, size = 0.0, apart = 0.0;
    for (int i = 0; i < der->m; i++) {
        if (der->before.surface[i] == SS_NO_SURFACE || !ss_event_surface_counts(der, i)) continue;
        if (group >= 0 && der->model->contacts[i].group != group) continue;
        double own = to->late[i], off;
        if (isnan(first)) first = own;
        off = fabs(own - first);
        if (fabs(own) > size) size = fabs(own);
        if (off > apart) apart = off;
    }
    *late = isnan(first) ? 0.0 : first;
    return apart <= SS_ROOT_BIT * size;
}

// Rates of bristles jump at the time of their contact. Elements that begin to slip do so each at its own
// time: several may at one instant, and in any order, since forces do not jump.
static void cross_bristles(ss_derivative* der, ss_sensitivity* to, int i, double late)
{
    const ss_before* before = &der->before;
    const ss_linear* lin = &der->points[0];
    for (int k = 0; k < der->z_count[i]; k++) {
        int z = der->z_at[i] + k;
        double own = before->surface[i] != SS_ELEMENT ? late : lin->by.slips[z] ? to->yield[z] : 0.0;
        to->z[z] += (z_rate(der, &before->motion, i, k) - z_rate(der, lin, i, k)) * own;
    }
}

// out += factor (x - y)
static inline void add_difference(int n, double factor, const double* restrict x, const double* restrict y,
                                  double* restrict out)
{
    for (int i = 0; i < n; i++) out[i] += factor * (x[i] - y[i]);
}

// One time for all: to it, through it, and back.
static void cross_at_once(ss_derivative* der, ss_sensitivity* to, double late, int impact)
{
    const ss_values *before = &der->before.motion.at, *after = &der->points[0].at;
    int n = der->n;
    if (impact >= 0) {
        for (int i = 0; i < n; i++) to->v[i] += before->a[i] * late;
        if (impact < der->m)
            ss_saltation(der, to, impact, late);
        else if (!ss_saltation_with_friction(der, to, late))
            ss_sensitivity_lose(der, to,
                                "derivative: levels of impulses take another form beside the number; "
                                "there is none from here on");
        for (int i = 0; i < n; i++) to->v[i] -= after->a[i] * late;
    } else {
        add_difference(n, late, before->a, after->a, to->v);
    }
    add_difference(n, late, before->v, after->v, to->q);
    for (int j = 0; j < der->nd; j++) // of a speed that is given, and jumps
        if (der->model->drives[j].is_speed) to->d[j] += (before->d1[j] - after->d1[j]) * late;
    for (int j = 0; j < der->ns; j++)
        to->s[j] += (before->rates[j] / before->pace - rate_after(der, j)) * late;
    for (int i = 0; i < der->m && der->nz > 0; i++) cross_bristles(der, to, i, late);
}

// Forces of a group jump at its own time; of one contact where several of a group have their own.
static void cross_groups(ss_derivative* der, ss_sensitivity* to)
{
    const ss_before* before = &der->before;
    const ss_linear* lin = &der->points[0];
    for (int g = 0; g < der->model->group_count; g++) {
        double late;
        bool one = is_one(der, to, g, &late);
        const ss_group* group = &der->model->groups[g];
        if (!one) der->instant.coupled_now = true;
        if (!one && !der->instant.coupled_allowed)
            ss_sensitivity_lose(
                der, to,
                "derivative: events that act on each other at one instant; there is none from "
                "here on");
        for (int p = 0; p < group->count; p++) {
            int i = group->contacts[p];
            const ss_row* mobility = &der->model->contacts[i].mobility;
            double after = der->sim->modes.contacts[i].mode == SS_MODE_OPEN ? 0.0 : lin->at.lambda[i];
            double jump = (before->motion.at.lambda[i] - after) * (one ? late : to->late[i]);
            for (int k = 0; k < mobility->count; k++) to->v[mobility->index[k]] += mobility->value[k] * jump;
            cross_bristles(der, to, i, late);
        }
    }
}

// What holds, holds for neighbours, too: speeds of all contacts that do, places of the stops among them.
static void keep_held(ss_derivative* der, ss_sensitivity* to)
{
    const ss_model* model = der->model;
    const ss_modes* modes = &der->sim->modes;
    const ss_linear* lin = &der->points[0];
    if (modes->active_count == 0) return;
    ss_given_at(der, to, &lin->at, &der->delta);
    for (int j = 0; j < modes->active_count; j++) {
        const ss_group* group = &model->groups[modes->active[j]];
        const ss_hold* hold = &modes->holds[modes->active[j]];
        for (int k = 0; k < hold->count; k++) {
            int i = group->contacts[hold->places[k]];
            const ss_contact* contact = &model->contacts[i];
            double off = ss_row_dot(&contact->q, to->v) + ss_row_dot(&contact->d, der->delta.d1);
            if (to->change)
                off += ss_row_dot(&to->change->q[i], lin->at.v) + ss_row_dot(&to->change->d[i], lin->at.d1);
            der->room.work[k] = off;
        }
        for (int k = 0; k < hold->count; k++) {
            const ss_contact* contact = &model->contacts[group->contacts[hold->places[k]]];
            double impulse = 0.0;
            for (int c = 0; c < hold->count; c++)
                impulse -= hold->inverse[k * hold->count + c] * der->room.work[c];
            for (int c = 0; c < contact->mobility.count; c++)
                to->v[contact->mobility.index[c]] += contact->mobility.value[c] * impulse;
        }
    }
    for (int i = 0; i < der->m; i++)
        if (ss_is_stop(der->sim->model, i) && ss_holds(&der->sim->step, &der->sim->modes, i)) {
            const ss_contact* contact = &model->contacts[i];
            double size = ss_row_product(&contact->q, &contact->mobility, der->room.work, der->n);
            double off = ss_gap_change(der, lin, to, i, to->q);
            for (int c = 0; c < contact->mobility.count && size > 0.0; c++)
                to->q[contact->mobility.index[c]] -= contact->mobility.value[c] * off / size;
        }
}

// What slips at its reach does so for neighbours, too.
static void keep_reached(const ss_derivative* der, ss_sensitivity* to)
{
    for (int i = 0; i < der->m && der->nz > 0; i++)
        if (der->model->contacts[i].elements > 0 && ss_slips(&der->sim->modes, i))
            ss_event_surface_keep_reached(der, &der->points[0], to, i);
}

// Across jumps, which contacts may share the instant of if they do so for neighbours.
static void cross_edges(ss_derivative* der, ss_sensitivity* to, int impact)
{
    const ss_before* before = &der->before;
    bool one = impact < 0 && (!before->tick || to->edge == 0.0);
    for (int i = 0; i < der->m; i++) {
        if (before->surface[i] == SS_NO_SURFACE || !ss_event_surface_counts(der, i)) continue;
        double apart = fabs(to->late[i] - to->edge);
        one = one && apart <= SS_ROOT_BIT * fmax(fabs(to->late[i]), fabs(to->edge));
    }
    if (one)
        cross_at_once(der, to, to->edge, impact);
    else
        ss_sensitivity_lose(
            der, to,
            "derivative: a jump is crossed at the instant of another event; there is none from here "
            "on");
}

static void cross(ss_derivative* der, ss_sensitivity* to, int impact)
{
    const ss_before* before = &der->before;
    if (ss_jumps_count(der) > 0) {
        cross_edges(der, to, impact);
        return;
    }
    double late =
        before->count == 1 && ss_event_surface_counts(der, before->first) ? to->late[before->first] : 0.0;
    bool one = before->count <= 1 || is_one(der, to, -1, &late);
    if (one && (!before->tick || late == 0.0) && !(impact >= 0 && before->yields))
        cross_at_once(der, to, late, impact);
    else if (impact >= 0)
        ss_sensitivity_lose(
            der, to,
            "derivative: a stop is struck at the instant of another event; there is none from "
            "here on");
    else
        cross_groups(der, to);
}

// Whether forces or rates jumped at an instant that belongs to no contact and no clock: the motion has
// crossed the edge of a jump (sign, step, ..) of position.
static bool crosses_jump(const ss_derivative* der)
{
    const ss_before* before = &der->before;
    const ss_values* at = &before->motion.at;
    const ss_linear* lin = &der->points[0];
    const ss_model* model = der->model;
    bool jumps = false;
    double apart = 0.0, size = 0.0;
    if (!model->open || before->tick || !before->ends || !der->sim->step.ready) return false;
    if (ss_jumps_count(der) > 0) return false;
    for (int k = 0; k < model->actions->motion.kink_count; k++)
        jumps = jumps || model->actions->motion.jumps[k];
    if (!jumps) return false;
    for (int i = 0; i < der->m; i++)
        if (before->surface[i] != SS_NO_SURFACE) return false;
    for (int i = 0; i < der->n; i++) {
        apart = fmax(apart, fabs(lin->at.a[i] - at->a[i]));
        size = fmax(size, fmax(fabs(lin->at.a[i]), fabs(at->a[i])));
    }
    for (int j = 0; j < der->ns; j++) {
        double rate = at->rates[j] / at->pace;
        apart = fmax(apart, fabs(rate_after(der, j) - rate));
        size = fmax(size, fabs(rate));
    }
    return apart > SS_CLEAR * size;
}

// Whether impulses with friction have changed the speeds in a way that is not followed.
static bool blows_badly(const ss_derivative* der)
{
    const ss_level_forces* own = der->sim->level_forces;
    if (!own || own->blow.count == 0) return false;
    return !der->before.filled || !ss_saltation_rubs(der);
}

void ss_sensitivity_pass(struct ss_derivative* derivative, ss_step* step, const ss_open_run* open_run)
{
    ss_derivative* der = derivative;
    ss_before* before = &der->before;
    if (ss_open_is_held(open_run)) {
        before->t = step->t;
        lose_all(der,
                 "derivative: a jump of position holds the motion on its edge; there is none from here on");
    }
    ss_sensitivity_rewind(der);
    if (!ss_sensitivity_propagator(der)) ss_sensitivity_prepare(der);
    der->along.has_given = der->along.has_given && step->ready;
    ss_sensitivity_depart(der);
    if (blows_badly(der))
        lose_all(der,
                 "derivative: a contact jams, several impacts with friction fall on one instant, or one is "
                 "at the start; there is none from here on");
    if (!before->filled) {
        ss_sensitivity_origin(der);
        return;
    }
    look_after(der);
    if (der->begin.starts) ss_sensitivity_note_sides(der);
    der->begin.starts = false;
    if (crosses_jump(der))
        lose_all(der, "derivative: the motion crosses a jump of position; there is none from here on");
    int impact = ss_saltation_rubs(der) ? der->m : ss_saltation_stop(der);
    if (impact == -1)
        lose_all(der, "derivative: speeds jump by several blows, or an accumulation of them; there is none "
                      "from here on");
    for (int j = 0; j < der->count; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        if (to->lost) continue;
        if (before->ends) cross(der, to, impact);
        if (!to->lost && before->ends) keep_held(der, to);
        if (!to->lost && before->ends) keep_reached(der, to);
    }
    ss_sensitivity_rest(der);
    before->filled = false;
    ss_sensitivity_origin(der);
}
