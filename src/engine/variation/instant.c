// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings across an instant. Neighbouring motions meet an event at other times: where g(y, t) vanishes,
//
//     dt = -(g_y dy + g_p) / g',     g' = g_y y' + g_t
//
// so they are taken to their own instant, dy + y'- dt, through what happens there (y+ = R(y-)), and back to
// the common time with the law of the other side: dy+ = R_y (dy + y'- dt) + R_p - y'+ dt. What a contact does
// is its own cause; contacts of different groups do not act on each other, and each group has its own dt.
#include "engine/flow/elastic.h"
#include "engine/flow/open.h"
#include "engine/variation/blow.h"
#include "engine/variation/edges.h"
#include "engine/variation/surface.h"
#include "engine/variation/watch.h"

#include "core/algebra/polynomial.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

void ss_vary_note(const ss_variation* var, const ss_note* note)
{
    const ss_sim_def* def = &var->sim->def;
    ss_note_sink sink = var->notes ? var->notes : def->on_note;
    ss_tell_note(var->sim, sink, note);
}

void ss_vary_lose(ss_variation* var, ss_heading* to, const char* why)
{
    if (to->lost) return;
    to->lost = true;
    if (!var->coupled.noted) ss_vary_note(var, &(ss_note){.t = var->before.t, .text = why});
    var->coupled.noted = true;
}

static void lose_all(ss_variation* var, const char* why)
{
    for (int j = 0; j < var->count; j++) ss_vary_lose(var, &var->headings[j], why);
}

// ---- the side before

static double z_rate(const ss_variation* var, const ss_linear* lin, int i, int k)
{
    return var->model->contacts[i].elements > 0 ? lin->by.element[var->z_at[i] + k].rate
                                                : lin->by.law[i].rate;
}

// The motion where the step ends, and the largest speed on it.
static void keep_before(ss_variation* var, double s, const double state[])
{
    ss_before* before = &var->before;
    ss_linear* lin = &before->motion;
    int n = var->n;
    memcpy(lin->at.q, state, 2 * (size_t)(n + var->nd + var->ns) * sizeof(double));
    ss_values_rest(var, s, &lin->at);
    ss_linear_rest(var, lin);
    bool stops = var->sim->modes.has_stops || var->sim->laws.elastic_count > 0;
    for (int i = 0; i < var->m && stops; i++)
        if (var->sim->modes.contacts[i].mode == SS_MODE_OPEN) lin->at.lambda[i] = 0.0;
    before->filled = true;
    before->t = lin->at.t;
    before->speed = 0.0;
    if (!var->sim->modes.has_stops) return; // nobody asks for the speed
    for (int i = 0; i < n; i++) {           // a step may lead from stick to stick: both ends are at rest
        double between = fabs(lin->at.a[i]) * ss_elapsed(var->sim, s);
        before->speed =
            fmax(before->speed, fmax(between, fmax(fabs(lin->at.v[i]), fabs(var->sim->step.q[n + i]))));
    }
}

// The contact that makes contact i change its mode, which has no surface of its own: one of its group, or
// else any; -1: none.
static int cause_of(const ss_variation* var, int i)
{
    const ss_before* before = &var->before;
    const ss_group* group = &var->model->groups[var->model->contacts[i].group];
    int cause = -1;
    for (int p = 0; p < group->count; p++)
        if (before->surface[group->contacts[p]] != SS_NO_SURFACE) cause = group->contacts[p];
    return cause >= 0 || before->tick ? cause : before->first;
}

void ss_vary_share_times(ss_variation* var, ss_heading* to)
{
    for (int i = 0; i < var->m; i++) {
        if (var->before.surface[i] != SS_NO_SURFACE) continue;
        int cause = cause_of(var, i);
        to->late[i] = cause >= 0 ? to->late[cause] : 0.0;
    }
}

// Which functions of contacts vanish, and how fast. Returns whether the change of some force counts.
static bool find_surfaces(ss_variation* var, double s)
{
    ss_before* before = &var->before;
    const ss_linear* lin = &before->motion;
    bool forces = false;
    before->count = 0;
    before->first = -1;
    before->yields = false;
    for (int i = 0; i < var->m; i++) {
        before->surface[i] = (int)ss_surface_of(var, lin, i);
        if (before->surface[i] == SS_NO_SURFACE) continue;
        if (before->count++ == 0) before->first = i;
        before->yields = before->yields || before->surface[i] == SS_ELEMENT;
        forces = forces || before->surface[i] == SS_BOUND || before->surface[i] == SS_FORCE;
        if (!ss_surface_crosses(var, lin, i, s, &before->rates[i]))
            lose_all(
                var,
                "derivative: the motion touches an event without crossing it; there is none from here on");
    }
    return forces;
}

// When neighbours meet them.
static void find_times(ss_variation* var, ss_heading* to, bool forces)
{
    const ss_before* before = &var->before;
    const ss_linear* lin = &before->motion;
    var->delta.q = to->end;
    var->delta.v = to->end + var->n;
    var->delta.s = to->end + 2 * var->n;
    var->delta.z = to->end + 2 * var->n + var->ns;
    if (forces) ss_vary_prepare(var); // strides have done without
    if (forces)
        ss_linear_all(var, lin, to, &var->delta);
    else if (var->nd > 0)
        ss_given_at(var, to, &lin->at, &var->delta);
    if (before->count == 1 && !before->tick) { // one for all
        double late = ss_surface_time(var, lin, to, before->first);
        for (int i = 0; i < var->m; i++) to->late[i] = late;
    } else {
        for (int i = 0; i < var->m; i++)
            if (before->surface[i] != SS_NO_SURFACE) to->late[i] = ss_surface_time(var, lin, to, i);
        ss_vary_share_times(var, to);
    }
    if (var->nd > 0) memcpy(to->d, var->delta.d, (size_t)var->nd * sizeof(double));
}

// When they meet the jumps of the instant; contacts that change their modes because of them do so then.
static void find_edge_time(ss_variation* var, ss_heading* to, double s)
{
    if (ss_edges_count(var) > 0 && !ss_edges_time(var, to, s))
        ss_vary_lose(var, to,
                     "derivative: jumps at one instant that neighbours pass one after the other; there is "
                     "none from here on");
    for (int i = 0; i < var->m && ss_edges_count(var) > 0 && var->before.count == 0; i++)
        to->late[i] = to->edge;
}

// Where slopes grow beyond all numbers without a reason that is known.
static void lose_infinite(ss_variation* var)
{
    for (int j = 0; j < var->count; j++)
        for (int c = 0; c < var->width && !var->headings[j].lost; c++)
            if (!isfinite(var->headings[j].end[c]))
                ss_vary_lose(var, &var->headings[j],
                             "derivative: it grows beyond all numbers; there is none from here on");
}

// A step that only ends where its series do, and on which driven places change as they did before: headings
// go on, and nothing else is asked.
static bool goes_on(const ss_variation* var)
{
    if (var->sim->modes.has_stops || var->sim->step.end != SS_STEP_REACH) return false;
    for (int j = 0; j < var->count && var->nd > 0; j++)
        if (var->headings[j].change && var->headings[j].change->given) return false;
    return true;
}

void ss_vary_commit(ss_sim* sim, double s, const double state[])
{
    ss_variation* var = sim->variation;
    ss_before* before = &var->before;
    bool goes = goes_on(var), forces = false;
    ss_vary_reach(var, s);
    if (!goes) {
        keep_before(var, s, state);
        if (sim->modes.has_stops && ss_surface_is_touched(var, s))
            lose_all(var, "derivative: the motion touches a stop; there is none from here on");
        before->tick = ss_ends_at_break(sim);
        before->ends = sim->step.end != SS_STEP_REACH;
        forces = find_surfaces(var, s);
        if (!ss_edges_find(var, s))
            lose_all(var,
                     "derivative: the motion touches a jump without crossing it; there is none from here "
                     "on");
        forces = forces || ss_edges_count(var) > 0;
    }
    lose_infinite(var);
    for (int j = 0; j < var->count && !goes; j++) {
        if (!var->headings[j].lost) find_times(var, &var->headings[j], forces);
        if (!var->headings[j].lost) find_edge_time(var, &var->headings[j], s);
    }
    ss_vary_end(var);
    ss_vary_rewind(var);
}

// ---- the side after

// Springs and expressions are where they were before an instant that nothing moves after.
static void keep_coefficients(const ss_variation* var, const ss_linear* from, ss_linear* to)
{
    const ss_model* model = var->model;
    memcpy(to->by.cubic, from->by.cubic, (size_t)model->connection_count * sizeof(double));
    if (!model->open) return;
    memcpy(to->by.slope, from->by.slope, (size_t)model->actions->slope.output_count * sizeof(double));
    memcpy(to->outputs, from->outputs, (size_t)model->actions->motion.output_count * sizeof(double));
}

// Values of the next step at its start; of a run that has ended, nothing moves.
static void look_after(ss_variation* var)
{
    ss_linear* lin = &var->points[0];
    if (var->sim->step.ready) {
        ss_linear_at(var, 0.0, lin);
        return;
    }
    size_t d = sizeof(double), n = (size_t)var->n;
    lin->at.order = -1;
    lin->at.t = var->sim->step.t;
    memcpy(lin->at.q, var->sim->step.q, n * d);
    memcpy(lin->at.v, var->sim->step.q + n, n * d);
    memset(lin->at.a, 0, n * d);
    memcpy(lin->at.d, var->sim->step.d, (size_t)var->nd * d);
    memcpy(lin->at.d1, var->sim->step.d + var->nd, (size_t)var->nd * d);
    memset(lin->at.d2, 0, (size_t)var->nd * d);
    memcpy(lin->at.lambda, var->sim->step.lambda, (size_t)var->m * d);
    for (int i = 0; i < var->m; i++) lin->by.law[i] = (ss_response){0};
    for (int z = 0; z < var->nz; z++) lin->by.element[z] = (ss_element_response){0};
    keep_coefficients(var, &var->before.motion, lin);
}

static double rate_after(const ss_variation* var, int j)
{
    return var->sim->step.ready ? var->sim->step.s[var->ns + j] : 0.0;
}

// All contacts of the instant happen together for neighbours, too, as far as this heading can tell.
static bool is_one(const ss_variation* var, const ss_heading* to, int group, double* late)
{
    double first = NAN, size = 0.0, apart = 0.0;
    for (int i = 0; i < var->m; i++) {
        if (var->before.surface[i] == SS_NO_SURFACE || !ss_surface_counts(var, i)) continue;
        if (group >= 0 && var->model->contacts[i].group != group) continue;
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
static void cross_bristles(ss_variation* var, ss_heading* to, int i, double late)
{
    const ss_before* before = &var->before;
    const ss_linear* lin = &var->points[0];
    for (int k = 0; k < var->z_count[i]; k++) {
        int z = var->z_at[i] + k;
        double own = before->surface[i] != SS_ELEMENT ? late : lin->by.slips[z] ? to->yield[z] : 0.0;
        to->z[z] += (z_rate(var, &before->motion, i, k) - z_rate(var, lin, i, k)) * own;
    }
}

// out += factor (x - y)
static inline void add_difference(int n, double factor, const double* restrict x, const double* restrict y,
                                  double* restrict out)
{
    for (int i = 0; i < n; i++) out[i] += factor * (x[i] - y[i]);
}

// One time for all: to it, through it, and back.
static void cross_at_once(ss_variation* var, ss_heading* to, double late, int blow)
{
    const ss_values *before = &var->before.motion.at, *after = &var->points[0].at;
    int n = var->n;
    if (blow >= 0) {
        for (int i = 0; i < n; i++) to->v[i] += before->a[i] * late;
        ss_reflect(var, to, blow, late);
        for (int i = 0; i < n; i++) to->v[i] -= after->a[i] * late;
    } else {
        add_difference(n, late, before->a, after->a, to->v);
    }
    add_difference(n, late, before->v, after->v, to->q);
    for (int j = 0; j < var->nd; j++) // of a speed that is given, and jumps
        if (var->model->drives[j].is_speed) to->d[j] += (before->d1[j] - after->d1[j]) * late;
    for (int j = 0; j < var->ns; j++)
        to->s[j] += (before->rates[j] / before->pace - rate_after(var, j)) * late;
    for (int i = 0; i < var->m && var->nz > 0; i++) cross_bristles(var, to, i, late);
}

// Forces of a group jump at its own time; of one contact where several of a group have their own.
static void cross_groups(ss_variation* var, ss_heading* to)
{
    const ss_before* before = &var->before;
    const ss_linear* lin = &var->points[0];
    for (int g = 0; g < var->model->group_count; g++) {
        double late;
        bool one = is_one(var, to, g, &late);
        const ss_group* group = &var->model->groups[g];
        if (!one) var->coupled.now = true;
        if (!one && !var->coupled.allowed)
            ss_vary_lose(var, to,
                         "derivative: events that act on each other at one instant; there is none from "
                         "here on");
        for (int p = 0; p < group->count; p++) {
            int i = group->contacts[p];
            const ss_row* mobility = &var->model->contacts[i].mobility;
            double after = var->sim->modes.contacts[i].mode == SS_MODE_OPEN ? 0.0 : lin->at.lambda[i];
            double jump = (before->motion.at.lambda[i] - after) * (one ? late : to->late[i]);
            for (int k = 0; k < mobility->count; k++) to->v[mobility->index[k]] += mobility->value[k] * jump;
            cross_bristles(var, to, i, late);
        }
    }
}

// What holds, holds for neighbours, too: speeds of all contacts that do, places of the stops among them.
static void keep_held(ss_variation* var, ss_heading* to)
{
    const ss_model* model = var->model;
    const ss_modes* modes = &var->sim->modes;
    const ss_linear* lin = &var->points[0];
    if (modes->active_count == 0) return;
    ss_given_at(var, to, &lin->at, &var->delta);
    for (int j = 0; j < modes->active_count; j++) {
        const ss_group* group = &model->groups[modes->active[j]];
        const ss_hold* hold = &modes->holds[modes->active[j]];
        for (int k = 0; k < hold->count; k++) {
            int i = group->contacts[hold->places[k]];
            const ss_contact* contact = &model->contacts[i];
            double off = ss_row_dot(&contact->q, to->v) + ss_row_dot(&contact->d, var->delta.d1);
            if (to->change)
                off += ss_row_dot(&to->change->q[i], lin->at.v) + ss_row_dot(&to->change->d[i], lin->at.d1);
            var->room.work[k] = off;
        }
        for (int k = 0; k < hold->count; k++) {
            const ss_contact* contact = &model->contacts[group->contacts[hold->places[k]]];
            double impulse = 0.0;
            for (int c = 0; c < hold->count; c++)
                impulse -= hold->inverse[k * hold->count + c] * var->room.work[c];
            for (int c = 0; c < contact->mobility.count; c++)
                to->v[contact->mobility.index[c]] += contact->mobility.value[c] * impulse;
        }
    }
    for (int i = 0; i < var->m; i++)
        if (ss_is_stop(var->sim, i) && ss_holds(var->sim, i)) {
            const ss_contact* contact = &model->contacts[i];
            double size = ss_row_product(&contact->q, &contact->mobility, var->room.work, var->n);
            double off = ss_gap_change(var, lin, to, i, to->q);
            for (int c = 0; c < contact->mobility.count && size > 0.0; c++)
                to->q[contact->mobility.index[c]] -= contact->mobility.value[c] * off / size;
        }
}

// What slips at its reach does so for neighbours, too.
static void keep_reached(const ss_variation* var, ss_heading* to)
{
    for (int i = 0; i < var->m && var->nz > 0; i++)
        if (var->model->contacts[i].elements > 0 && ss_slips(var->sim, i))
            ss_surface_keep_reached(var, &var->points[0], to, i);
}

// Across jumps, which contacts may share the instant of if they do so for neighbours.
static void cross_edges(ss_variation* var, ss_heading* to, int blow)
{
    const ss_before* before = &var->before;
    bool one = blow < 0 && (!before->tick || to->edge == 0.0);
    for (int i = 0; i < var->m; i++) {
        if (before->surface[i] == SS_NO_SURFACE || !ss_surface_counts(var, i)) continue;
        double apart = fabs(to->late[i] - to->edge);
        one = one && apart <= SS_ROOT_BIT * fmax(fabs(to->late[i]), fabs(to->edge));
    }
    if (one)
        cross_at_once(var, to, to->edge, blow);
    else
        ss_vary_lose(var, to,
                     "derivative: a jump is crossed at the instant of another event; there is none from here "
                     "on");
}

static void cross(ss_variation* var, ss_heading* to, int blow)
{
    const ss_before* before = &var->before;
    if (ss_edges_count(var) > 0) {
        cross_edges(var, to, blow);
        return;
    }
    double late = before->count == 1 && ss_surface_counts(var, before->first) ? to->late[before->first] : 0.0;
    bool one = before->count <= 1 || is_one(var, to, -1, &late);
    if (one && (!before->tick || late == 0.0) && !(blow >= 0 && before->yields))
        cross_at_once(var, to, late, blow);
    else if (blow >= 0)
        ss_vary_lose(var, to,
                     "derivative: a stop is struck at the instant of another event; there is none from "
                     "here on");
    else
        cross_groups(var, to);
}

// Whether forces or rates jumped at an instant that belongs to no contact and no clock: the motion has
// crossed the edge of a jump (sign, step, ..) of position.
static bool crosses_jump(const ss_variation* var)
{
    const ss_before* before = &var->before;
    const ss_values* at = &before->motion.at;
    const ss_linear* lin = &var->points[0];
    const ss_model* model = var->model;
    bool jumps = false;
    double apart = 0.0, size = 0.0;
    if (!model->open || before->tick || !before->ends || !var->sim->step.ready) return false;
    if (ss_edges_count(var) > 0) return false;
    for (int k = 0; k < model->actions->motion.kink_count; k++)
        jumps = jumps || model->actions->motion.jumps[k];
    if (!jumps) return false;
    for (int i = 0; i < var->m; i++)
        if (before->surface[i] != SS_NO_SURFACE) return false;
    for (int i = 0; i < var->n; i++) {
        apart = fmax(apart, fabs(lin->at.a[i] - at->a[i]));
        size = fmax(size, fmax(fabs(lin->at.a[i]), fabs(at->a[i])));
    }
    for (int j = 0; j < var->ns; j++) {
        double rate = at->rates[j] / at->pace;
        apart = fmax(apart, fabs(rate_after(var, j) - rate));
        size = fmax(size, fabs(rate));
    }
    return apart > SS_CLEAR * size;
}

void ss_vary_pass(ss_sim* sim)
{
    ss_variation* var = sim->variation;
    ss_before* before = &var->before;
    if (ss_open_is_held(sim)) {
        before->t = sim->step.t;
        lose_all(var,
                 "derivative: a jump of position holds the motion on its edge; there is none from here on");
    }
    ss_vary_rewind(var);
    if (!ss_vary_strides(var)) ss_vary_prepare(var);
    var->along.has_given = var->along.has_given && sim->step.ready;
    if (!before->filled) {
        ss_vary_origin(var);
        return;
    }
    look_after(var);
    if (var->starts) ss_vary_tell_sides(var);
    var->starts = false;
    if (crosses_jump(var))
        lose_all(var, "derivative: the motion crosses a jump of position; there is none from here on");
    int blow = ss_find_blow(var);
    if (blow == -1)
        lose_all(var, "derivative: speeds jump by several blows, or an accumulation of them; there is none "
                      "from here on");
    for (int j = 0; j < var->count; j++) {
        ss_heading* to = &var->headings[j];
        if (to->lost) continue;
        if (before->ends) cross(var, to, blow);
        if (!to->lost && before->ends) keep_held(var, to);
        if (!to->lost && before->ends) keep_reached(var, to);
    }
    ss_vary_rest(var);
    before->filled = false;
    ss_vary_origin(var);
}
