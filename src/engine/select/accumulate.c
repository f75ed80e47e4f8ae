// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Accumulation: infinitely many impacts in finite time, on one stop or on several in turn.
//
// Each group remembers its last instants of impact: the time, which stops were struck, the fastest approach.
// Where the same p instants come again and again, their durations form a geometric series,
//     L_n = t_n - t_(n-p),   x = L_n/L_(n-p),   time left = L_n x/(1 - x),
// and the impulses still to come act along the stops of these p instants only. At the limit all of these
// stops are touched without speed, so the velocity there is the velocity now, projected onto W^T v = 0 in the
// metric of the mass matrix, however the infinitely many impulses are distributed. Only the time needs the
// series.
//
//   reads    contacts, velocities, gaps and the memory of impacts of each group
//   writes   at the limit: velocities, positions, gaps, the contacts' classes, the ledger's impact and input
//   promise  a limit is taken only where what is left is below a millionth of the chain's duration and of
//            1/rate (with friction or ties that give impulses: below the rounding of the time), or where
//            the approach speeds have fallen below 1e-10 of the chain's fastest
#include "core/algebra/dense.h"
#include "core/tolerance.h"
#include "engine/flow/energy.h"
#include "engine/flow/level_forces.h"
#include "engine/select/select.h"
#include "share/quantity.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double rest_of_chain = 1e-6;   // what is left of a chain of bounces when it is summed
static const double steady_ratio = 1e-3;    // relative change of the ratio x below which it is settled
static const double limit_error = SS_NOISE; // error of the limit's time, as a share of the chain's duration
static const double faded = SS_FAINT;       // share of the chain's fastest approach that can be neglected
static const double gone = 512.0; // units of rounding of the time in which friction and ties give nothing
static const double singular = SS_RELATIVE_ZERO; // share of the largest eigenvalue of A that counts as zero
static const double infeasible = 1e-6;           // share of the approach that no impulses take away

// ---- memory

// A name for a set of stops: the sum of numbers that are as good as random.
static uint64_t name_of(int i)
{
    uint64_t z = ((uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ (z >> 27);
}

static void push(ss_bounces* b, ss_strike instant)
{
    if (b->count == SS_BOUNCE_MEMORY) memmove(b->at, b->at + 1, (size_t)--b->count * sizeof *b->at);
    b->at[b->count++] = instant;
}

// How many of the last instants struck the same stops as the instants p places before them.
static int repeats(const ss_bounces* b, int p)
{
    int k = 0;
    while (k + p < b->count && b->at[b->count - 1 - k].who == b->at[b->count - 1 - k - p].who) k++;
    return k;
}

// Of a pattern that repeats, three periods and one instant are kept. So a long run of bounces does not push
// out what was before it, which may belong to a larger pattern.
static void thin(ss_bounces* b)
{
    for (int p = 1; p <= SS_BOUNCE_PERIOD && 4 * p < b->count; p++) {
        if (repeats(b, p) <= 3 * p) continue;
        ss_strike* first = &b->at[b->count - 1 - 4 * p];
        memmove(first, first + p, (size_t)(3 * p + 1) * sizeof *first);
        b->count -= p;
        return;
    }
}

void ss_remember_impacts(const ss_model* model, const ss_step* step, ss_modes* modes, int g)
{
    const ss_group* group = &model->groups[g];
    ss_bounces* b = &modes->bounces[g];
    ss_strike now = {.t = step->t, .number = ++b->number};
    for (int c = 0; c < group->count; c++) {
        ss_contact_run* run = &modes->contacts[group->contacts[c]];
        if (!ss_is_stop(model, group->contacts[c]) || run->speed_in < 0.0) continue;
        now.who += name_of(group->contacts[c]);
        now.speed = fmax(now.speed, run->speed_in);
        run->struck = now.number;
    }
    double before = b->count > 0 ? b->at[b->count - 1].t : step->t;
    // After a pause longer than all of the chain a new one begins.
    if (b->count == 0 || step->t - before > before - b->start) {
        b->start = before;
        b->peak = 0.0;
    }
    b->peak = fmax(b->peak, now.speed);
    push(b, now);
    thin(b);
}

// The bounces that were summed count as one instant of a larger pattern.
static void fold(ss_bounces* b, int p, double t)
{
    ss_strike sum = {.t = t, .number = b->number};
    for (int k = 0; k < p; k++) sum.who += b->at[b->count - 1 - k].who;
    sum.who = ~sum.who;
    int used = repeats(b, p) + p;
    b->count -= used < b->count ? used : b->count;
    push(b, sum);
}

// ---- whether a limit is due

// The last period of p instants belongs to a geometric series whose rest may be summed. Where the durations
// shrink more slowly than the speeds, forces will take over from the impulses and change the ratio: not yet.
// wholly: only where what is left is below the rounding of the time, or nearly.
static bool is_settled(const ss_step* step, const ss_step_control* pace, const ss_bounces* b, int p,
                       bool wholly, double* left)
{
    const ss_strike* last = &b->at[b->count - 1];
    double l1 = last->t - last[-p].t, l2 = last[-p].t - last[-2 * p].t, l3 = last[-2 * p].t - last[-3 * p].t;
    double x = l1 / l2, change = fabs(x - l2 / l3), lasted = last->t - b->start;
    if (!(x < 1.0 && x * last[-p].speed <= (1.0 + steady_ratio) * last->speed)) return false;
    *left = l1 * x / (1.0 - x);
    if (*left > rest_of_chain * lasted || *left * pace->rate > rest_of_chain) return false;
    double rounding = DBL_EPSILON * fabs(step->t);
    if (wholly) return *left <= gone * rounding;
    if (*left <= 16.0 * rounding) return true;
    return change <= steady_ratio * x &&
           *left * change <= x * (limit_error * (1.0 - x) * lasted + 8.0 * rounding);
}

// Whether the last SS_BOUNCE_PERIOD instants, in whatever order, are too slow and too dense to matter.
static bool has_faded(const ss_step_control* pace, const ss_bounces* b)
{
    if (b->count <= 2 * SS_BOUNCE_PERIOD) return false;
    const ss_strike *last = &b->at[b->count - 1], *first = last - SS_BOUNCE_PERIOD;
    double took = last->t - first->t;
    for (const ss_strike* at = first; at <= last; at++)
        if (at->speed > faded * b->peak) return false;
    return took <= rest_of_chain * (last->t - b->start) && took * pace->rate <= rest_of_chain;
}

// Whether ties or friction take part in the impacts of group g: what they give on the way to the limit is not
// known, so it has to be nothing.
static bool has_other_impulses(const ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    bool any = ss_has_level_forces(sim, g);
    for (int c = 0; c < group->count; c++) any = any || sim->model->contacts[group->contacts[c]].is_tie;
    return any;
}

// Whether a stop of the group that is not struck in turn with the others may be struck before their limit.
static bool is_interrupted(const ss_model* model, const ss_step* step, const ss_modes* modes, int g,
                           long since, double left)
{
    const ss_group* group = &model->groups[g];
    for (int c = 0; c < group->count; c++) {
        int i = group->contacts[c];
        const ss_contact_run* run = &modes->contacts[i];
        if (!ss_is_stop(model, i) || run->mode != SS_MODE_OPEN || run->struck >= since) continue;
        double speed = fabs(ss_relative_velocity(model, step, i, 0)),
               growth = fabs(ss_relative_velocity(model, step, i, 1));
        if (run->gap <= 2.0 * left * (speed + left * growth)) return true;
    }
    return false;
}

// The period of the pattern at whose limit the group is due now, or 0.
static int period_due(const ss_sim* sim, int g, double* left)
{
    const ss_bounces* b = &sim->modes.bounces[g];
    bool wholly = has_other_impulses(sim, g);
    *left = 0.0;
    if (b->count < 4 || b->at[b->count - 1].t != sim->step.t) return 0;
    for (int p = 1; p <= SS_BOUNCE_PERIOD && 3 * p < b->count; p++)
        if (repeats(b, p) > 2 * p && is_settled(&sim->step, &sim->control, b, p, wholly, left) &&
            !is_interrupted(sim->model, &sim->step, &sim->modes, g, b->at[b->count - p].number, *left))
            return p;
    *left = 0.0;
    return has_faded(&sim->control, b) ? SS_BOUNCE_PERIOD : 0;
}

// ---- the limit

// Contacts of a group that are brought to v = 0, and the impulses that do it.
typedef struct equation {
    int count, stops; // stops come first
    int* contact;
    double *a, *inverse, *b, *l, *scratch;
    signed char* at;
} equation;

// Direction along which an impulse of contact i is positive: away from a stop.
static double direction(const ss_model* model, int i)
{
    return ss_is_stop(model, i) ? -model->contacts[i].rigid_stop.side : 1.0;
}

static double coupling(const ss_sim* sim, int i, int j)
{
    const ss_contact *p = &sim->model->contacts[i], *q = &sim->model->contacts[j];
    const ss_group* group = &sim->model->groups[p->group];
    return direction(sim->model, i) * direction(sim->model, j) *
           group->coupling[p->place * group->count + q->place];
}

// Stops that are struck in turn, and those that stay closed meanwhile.
static equation list_stops(const ss_model* model, ss_modes* modes, const ss_work* work, int g, long since)
{
    const ss_group* group = &model->groups[g];
    int room = group->count;
    equation e = {.contact = work->index, .a = work->numbers, .at = work->at};
    e.inverse = e.a + room * room;
    e.b = e.inverse + room * room;
    e.l = e.b + room;
    e.scratch = e.l + room;
    for (int c = 0; c < room; c++) {
        int i = group->contacts[c];
        const ss_contact_run* run = &modes->contacts[i];
        if (ss_is_stop(model, i) && (run->struck >= since || run->mode == SS_MODE_CLOSED))
            e.contact[e.count++] = i;
    }
    e.stops = e.count;
    return e;
}

// Friction that the impulses still to come, or forces in the time left, could bring to v = 0 or take from
// there: what it has left of speed is of their size. It is decided together with the stops. `speed` bounds
// the sum of all approaches still to come.
static void list_friction(ss_sim* sim, int g, double speed, double left, equation* e)
{
    const ss_group* group = &sim->model->groups[g];
    for (int c = 0; c < group->count; c++) {
        int i = group->contacts[c];
        if (ss_is_stop(sim->model, i) || ss_is_elastic(&sim->step, i) || ss_is_bristle(&sim->step, i))
            continue;
        double kick = 2.0 * left * fabs(ss_relative_velocity(sim->model, &sim->step, i, 1));
        for (int k = 0; k < e->stops; k++)
            kick += 2.0 * speed * fabs(coupling(sim, i, e->contact[k])) /
                    coupling(sim, e->contact[k], e->contact[k]);
        if (fabs(ss_relative_velocity(sim->model, &sim->step, i, 0)) <= kick) e->contact[e->count++] = i;
    }
}

// l = -A^+ b; returns the largest share of b that is left.
static double solve(const ss_sim* sim, equation* e)
{
    int n = e->count;
    double most = 0.0;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) e->a[r * n + c] = coupling(sim, e->contact[r], e->contact[c]);
    ss_pseudo_inverse(e->a, n, singular, e->inverse, NULL, e->scratch);
    for (int r = 0; r < n; r++) {
        e->l[r] = 0.0;
        for (int c = 0; c < n; c++) e->l[r] -= e->inverse[r * n + c] * e->b[c];
    }
    for (int r = 0; r < n; r++) {
        double left = e->b[r];
        for (int c = 0; c < n; c++) left += e->a[r * n + c] * e->l[c];
        most = fmax(most, fabs(left));
    }
    return most;
}

static double solve_velocities(const ss_sim* sim, equation* e)
{
    for (int r = 0; r < e->count; r++)
        e->b[r] = direction(sim->model, e->contact[r]) *
                  ss_relative_velocity(sim->model, &sim->step, e->contact[r], 0);
    return solve(sim, e);
}

// Adds l along the contacts to the velocities, or to the positions.
static void shift(const ss_model* model, const equation* e, double out[])
{
    for (int r = 0; r < e->count; r++) {
        const ss_row* way = &model->contacts[e->contact[r]].mobility;
        double l = direction(model, e->contact[r]) * e->l[r];
        for (int k = 0; k < way->count; k++) out[way->index[k]] += way->value[k] * l;
    }
}

// The gaps of the stops that are struck close, and the bodies follow.
static void close_gaps(ss_sim* sim, int g, equation* e)
{
    const ss_group* group = &sim->model->groups[g];
    e->count = e->stops;
    for (int r = 0; r < e->count; r++) e->b[r] = sim->modes.contacts[e->contact[r]].gap;
    solve(sim, e);
    shift(sim->model, e, sim->step.q);
    for (int c = 0; c < group->count; c++) {
        int i = group->contacts[c];
        if (!ss_is_stop(sim->model, i) || sim->modes.contacts[i].mode != SS_MODE_OPEN) continue;
        double gap = sim->modes.contacts[i].gap;
        for (int r = 0; r < e->count; r++) gap += coupling(sim, i, e->contact[r]) * e->l[r];
        sim->modes.contacts[i].gap = fmax(gap, 0.0);
    }
    for (int r = 0; r < e->count; r++) sim->modes.contacts[e->contact[r]].gap = 0.0;
}

// A velocity that is left at the limit is known to the rounding of the fastest impacts of the chain: below
// that it is 0, and where all are, the bodies are at rest.
static void drop_rounding(const ss_model* model, ss_step* step, const equation* e, double peak)
{
    double* v = step->q + model->n;
    for (int r = 0; r < e->count; r++) {
        const ss_row* way = &model->contacts[e->contact[r]].mobility;
        for (int k = 0; k < way->count; k++)
            if (fabs(v[way->index[k]]) <= SS_UNIT_NOISE * peak) v[way->index[k]] = 0.0;
    }
}

// Velocities and places of the limit. The impacts left out take the energy that disappears; driven bodies put
// in what their impulses need, and forces what they do on the way that closes the gaps.
static void move_to_limit(ss_sim* sim, int g, const equation* e)
{
    const ss_model* model = sim->model;
    double before = ss_stored_energy(sim, 0.0), work = 0.0, *way = sim->work.next_state;
    for (int r = 0; r < e->count; r++) {
        const ss_contact* contact = &model->contacts[e->contact[r]];
        if (contact->d.count > 0)
            work -= direction(sim->model, e->contact[r]) * e->l[r] *
                    ss_row_dot(&contact->d, sim->step.d + model->drive_count);
    }
    shift(sim->model, e, sim->step.q + model->n);
    drop_rounding(sim->model, &sim->step, e, sim->modes.bounces[g].peak);
    for (int i = 0; i < model->n; i++) way[i] = -sim->step.q[i];
    equation stops = *e;
    close_gaps(sim, g, &stops);
    for (int i = 0; i < model->n; i++) way[i] += sim->step.q[i];
    for (int i = 0; i < model->n && model->matrices.constant; i++)
        work += model->matrices.constant[i] * way[i];
    for (int f = 0; f < model->force_count; f++) {
        bool constant = ss_signal_is_constant(model->forces[f].signal);
        work += (constant ? sim->inputs.force_constant[f] : sim->inputs.force[f]) *
                ss_row_dot(&model->forces[f].q, way);
    }
    ss_book_impact(&sim->ledger, work, before + work - ss_stored_energy(sim, 0.0));
}

static void mark_limit(const ss_model* model, const ss_step* step, ss_modes* modes, int g, long since,
                       const equation* e)
{
    const ss_group* group = &model->groups[g];
    for (int c = 0; c < group->count; c++) ss_classify_velocity(model, step, modes, group->contacts[c]);
    for (int r = 0; r < e->count; r++) {
        ss_contact_run* run = &modes->contacts[e->contact[r]];
        run->zero = true;
        if (!ss_is_stop(model, e->contact[r]) || run->struck < since) continue;
        run->accumulated = true;
        run->speed_in = run->speed_out;
        run->speed_out = 0.0;
    }
    ss_wake_all(model, modes);
}

// A stop that no impulses away from the stops keep from closing, or -1: after solve_velocities.
static int find_crushing(const equation* e, double small)
{
    int n = e->count;
    double *low = e->inverse, *high = low + n, *l = high + n, *residual = l + n, *b = residual + n;
    memmove(b, e->b, (size_t)n * sizeof *b);
    for (int r = 0; r < n; r++) {
        low[r] = 0.0;
        high[r] = INFINITY;
    }
    ss_project(&(ss_projection){n, e->a, b, low, high, l, residual, e->at}, b + n);
    for (int r = 0; r < n; r++)
        if (residual[r] < -small) return e->contact[r];
    return -1;
}

// The limit of the pattern of the last p instants of group g. False where no velocity fits: either driven
// bodies close on what is between them, or the pattern is none.
static bool take_limit(ss_sim* sim, int g, int p, ss_limit* out)
{
    ss_bounces* b = &sim->modes.bounces[g];
    const ss_strike* last = &b->at[b->count - 1];
    long since = last[1 - p].number;
    double speed = 0.0;
    for (int k = 0; k < p; k++) speed = fmax(speed, last[-k].speed);
    equation e = list_stops(sim->model, &sim->modes, &sim->work, g, since);
    out->crushing = -1;
    double small = infeasible * speed;
    for (int r = 0; r < e.count; r++)
        small = fmax(small, ss_velocity_rounding(sim->model, &sim->step, &sim->modes, e.contact[r]));
    if (solve_velocities(sim, &e) > small) {
        out->crushing = find_crushing(&e, small);
        return false;
    }
    if (last->speed >= last[-p].speed && last->speed > faded * b->peak) return false; // they do not fade
    double fade = fmin(last->speed / last[-p].speed, 0.99); // the ratio of the approaches' series
    list_friction(sim, g, speed / (1.0 - fade), out->left, &e);
    if (solve_velocities(sim, &e) > small) {
        e.count = e.stops;
        solve_velocities(sim, &e);
    }
    move_to_limit(sim, g, &e);
    mark_limit(sim->model, &sim->step, &sim->modes, g, since, &e);
    fold(b, p, sim->step.t + out->left);
    return true;
}

bool ss_take_accumulation(ss_sim* sim, ss_limit* out)
{
    out->crushing = -1;
    for (int g = 0; g < sim->model->group_count; g++) {
        int p = period_due(sim, g, &out->left);
        if (p > 0 && take_limit(sim, g, p, out)) return true;
        if (p > 0 && out->crushing >= 0) return true;
    }
    return false;
}
