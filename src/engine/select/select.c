// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Select: which contacts stick, slip, stay closed or open, at one instant.
//
// Contacts with v = 0 share one projection per group: their forces minimise 1/2 l^T A l + b^T l over the
// sets of the laws, b being the acceleration without them. Strictly inside its set, a contact holds. On the
// boundary with a relative acceleration, it lets go in that direction. On the boundary with none, the next
// derivative decides by the same projection, now over the half-line that keeps the force inside: this is slip
// that starts with zero relative acceleration. After SS_DECIDE_ORDER derivatives that are all zero the
// contact holds: it rests exactly on the boundary.
//
// A contact whose level falls when it breaks loose (static above kinetic) leaves convexity: all that cannot
// hold are released together with their kinetic force and the others are decided anew. Where what the others
// then do turns a released contact around, it takes part again, with its kinetic level
// (docs/theory/select.md).
#include "engine/select/select.h"
#include "core/tolerance.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"
#include "engine/flow/input_series.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/flow/turning.h"

#include <math.h>

typedef struct decision {
    int count;
    int* contact; // of the unknowns
    double *a, *b, *low, *high, *l, *residual, *scratch;
    signed char* at;
} decision;

// Sets of undecided contact i at order k: its own set at order 0, afterwards the side that stays inside.
static void bounds(const ss_sim* sim, int i, int k, double* low, double* high)
{
    const ss_contact_run* run = &sim->modes.contacts[i];
    *low = -INFINITY;
    *high = INFINITY;
    if (!run->undecided) return;
    bool below = k == 0 || run->edge == -1 || run->edge == 2;
    bool above = k == 0 || run->edge == 1 || run->edge == 2;
    if (below) *low = run->turned ? ss_kinetic_low(sim, i, k) : ss_hold_low(sim, i, k);
    if (above) *high = run->turned ? ss_kinetic_high(sim, i, k) : ss_hold_high(sim, i, k);
    if (k > 0 && run->edge == 2 && *low > *high) *low = *high = 0.0; // a level that touches 0 close by
}

// Unknown forces of a group: contacts that hold already and those undecided.
static decision pose(ss_sim* sim, int g, int k)
{
    const ss_model* model = sim->model;
    const ss_group* group = &model->groups[g];
    int room = group->count;
    double* w = sim->work.numbers;
    decision p = {0, sim->work.index, w, w + room * room, NULL, NULL, NULL, NULL, NULL, sim->work.at};
    p.low = p.b + room;
    p.high = p.low + room;
    p.l = p.high + room;
    p.residual = p.l + room;
    p.scratch = p.residual + room;
    for (int c = 0; c < group->count; c++) {
        int i = group->contacts[c];
        if (!sim->modes.contacts[i].undecided && !ss_holds(&sim->step, &sim->modes, i)) continue;
        const ss_contact* contact = &model->contacts[i];
        double b = ss_row_dot(&contact->q, sim->pulls.accel);
        if (contact->d.count > 0)
            b += (k + 1) * (k + 2) *
                 ss_row_dot(&contact->d, sim->step.d + (size_t)(k + 2) * (size_t)model->drive_count);
        if (sim->turning) b += sim->turning->convective[i];
        p.b[p.count] = b;
        bounds(sim, i, k, &p.low[p.count], &p.high[p.count]);
        p.contact[p.count++] = i;
    }
    for (int r = 0; r < p.count; r++)
        for (int c = 0; c < p.count; c++)
            p.a[r * p.count + c] = group->coupling[model->contacts[p.contact[r]].place * group->count +
                                                   model->contacts[p.contact[c]].place];
    return p;
}

static void let_go(const ss_model* model, ss_step* step, ss_modes* modes, int i, int k, double acceleration)
{
    ss_contact_run* run = &modes->contacts[i];
    run->undecided = false;
    run->edge = 0;
    if (ss_is_stop(model, i)) {
        run->mode = SS_MODE_OPEN;
        run->lead = k + 2; // gap and v are 0, and so are the first k accelerations
    } else {
        run->mode = acceleration > 0.0 ? SS_MODE_SLIP_PLUS : SS_MODE_SLIP_MINUS;
        run->lead = k + 1;
        ss_start_slip(model, step, modes, i);
    }
}

// Whether contact i chatters, and the projection leaves it at a bound of its force by no more than a clear
// share: what is left of its motion is then below the rounding of the forces, which says stick and slip in
// turn. An example is a controller that creeps up to its target with the force of breakaway. Such a contact
// holds, and is asked again where its force has grown by that share.
static bool chatters(ss_modes* modes, const decision* p, int u, int k)
{
    enum { FLIPS = 16 };
    ss_contact_run* run = &modes->contacts[p->contact[u]];
    double mobility = p->a[u * p->count + u], bound = p->at[u] > 0 ? p->high[u] : p->low[u];
    if (run->flips < FLIPS || !isfinite(bound)) return false;
    if (k > 0 && run->edge == 0) return false; // at order 0 its force was inside; else it was the bound's
    if (k == 0 && !(fabs(p->residual[u]) <= SS_CLEAR * mobility * fabs(bound))) return false;
    for (int side = 0; side < 2; side++)
        run->slack[side] = 2.0 * SS_CLEAR * fabs(side == 0 ? p->high[u] : p->low[u]);
    return run->rounded = true;
}

// Tells once of each contact that it holds because it chattered. Not earlier: a decision may be made anew.
static void note_rounded(ss_sim* sim)
{
    int count = 0;
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        if (run->rounded && ss_holds(&sim->step, &sim->modes, i) && !run->told_rounded) {
            sim->work.note_contacts[count++] = i;
            run->told_rounded = true;
        }
        run->rounded = false;
    }
    if (count == 0) return;
    ss_note_now(sim,
                "holds at its limit: its force differs from the level by rounding only, which says stick and "
                "slip in turn",
                sim->work.note_contacts, count);
}

// Judges unknown u after the projection at order k. Returns true where a falling contact was released, so
// that everything must be decided anew.
static bool judge(ss_sim* sim, const decision* p, int u, int k, bool suffices)
{
    int i = p->contact[u];
    ss_contact_run* run = &sim->modes.contacts[i];
    if (!run->undecided) return false;
    double size = ss_acceleration_size(sim, i, k) + fabs(p->b[u]);
    double floor_size = 0.0, factor = 1.0;
    for (int j = 1; j <= k; j++) factor *= sim->control.rate / j;
    // Rounding of order 0 is carried to order k by the rate of the motion.
    if (k > 0) floor_size = SS_NOISE * factor * ss_acceleration_size(sim, i, 0);
    double small = SS_RELATIVE_ZERO * size + floor_size, mobility = p->a[u * p->count + u];
    double force_size = mobility > 0.0 ? size / mobility : fabs(p->l[u]);
    double slack = SS_RELATIVE_ZERO * force_size + (mobility > 0.0 ? floor_size / mobility : 0.0);
    double above = slack, below = slack; // one bound may be 0 and the other large: each has its own rounding
    if (k == 0 && isfinite(p->high[u])) above = fmax(slack, SS_RELATIVE_ZERO * fabs(p->high[u]));
    if (k == 0 && isfinite(p->low[u])) below = fmax(slack, SS_RELATIVE_ZERO * fabs(p->low[u]));
    bool high = p->l[u] >= p->high[u] - above, low = p->l[u] <= p->low[u] + below;
    if ((!high && !low) ||
        chatters(&sim->modes, p, u, k)) { // the force is strictly inside its set: the contact holds
        run->mode = ss_is_stop(sim->model, i) ? SS_MODE_CLOSED : SS_MODE_STICK;
        run->undecided = false;
        if (k == 0) run->edge = 0; // what starts at its bound is remembered: see pin_redundant
        return false;
    }
    if (fabs(p->residual[u]) > small && p->at[u] != 0) {
        bool falls = !run->turned && ss_level_falls(sim->model, &sim->inputs, i, p->residual[u] > 0.0, k);
        let_go(sim->model, &sim->step, &sim->modes, i, k, p->residual[u]);
        run->released = run->released || falls;
        if (falls) run->lead = 0; // known once the others are decided anew: see find_leads
        return falls;
    }
    if (k == 0) {
        run->edge = high && low ? 2 : high ? 1 : -1;
        run->slack[0] = 2.0 * above;
        run->slack[1] = 2.0 * below;
    }
    if (suffices) { // it stays at its bound, and the others hold without it: see pin_redundant
        run->mode = ss_is_stop(sim->model, i) ? SS_MODE_CLOSED : SS_MODE_STICK;
        run->undecided = false;
    }
    return false;
}

// One projection for group g at order k. Returns true if it must all be decided anew.
static bool decide_group(ss_sim* sim, int g, int k)
{
    decision p = pose(sim, g, k);
    if (p.count == 0) return false;
    ss_projection problem = {p.count, p.a, p.b, p.low, p.high, p.l, p.residual, p.at};
    ss_project(&problem, p.scratch);
    // At a bound now means: at it whatever the others do, or free to stay there because the others suffice.
    bool suffices = ss_project_inward(&problem, p.scratch);
    double* lambda = sim->step.lambda + (size_t)k * (size_t)sim->model->contact_count;
    for (int u = 0; u < p.count; u++) lambda[p.contact[u]] = p.l[u];
    bool anew = false;
    for (int u = 0; u < p.count; u++) anew = judge(sim, &p, u, k, suffices) || anew;
    if (!anew)
        for (int u = 0; u < p.count; u++) ss_add_force(sim->model, &sim->pulls, p.contact[u], p.l[u]);
    return anew;
}

static bool has_undecided(const ss_model* model, const ss_modes* modes, int g)
{
    const ss_group* group = &model->groups[g];
    for (int c = 0; c < group->count; c++)
        if (modes->contacts[group->contacts[c]].undecided) return true;
    return false;
}

// Every contact of a dirty group that is at v = 0 is open to any decision.
static void open_question(const ss_model* model, ss_modes* modes, int g)
{
    const ss_group* group = &model->groups[g];
    for (int c = 0; c < group->count; c++) {
        int i = group->contacts[c];
        ss_contact_run* run = &modes->contacts[i];
        run->undecided = run->zero && (!run->released || run->turned);
        if (run->undecided) run->mode = ss_is_stop(model, i) ? SS_MODE_CLOSED : SS_MODE_STICK;
        if (run->undecided || run->released) run->lead = 0; // it was set in a round before
        run->pinned = run->idle = false;
        run->edge = 0;
        run->slack[0] = run->slack[1] = 0.0;
        run->determined = true;
    }
}

// Contacts exactly on the boundary at all orders hold.
static void settle_edges(const ss_model* model, ss_modes* modes, int g)
{
    const ss_group* group = &model->groups[g];
    for (int c = 0; c < group->count; c++) {
        int i = group->contacts[c];
        ss_contact_run* run = &modes->contacts[i];
        if (!run->undecided) continue;
        run->mode = ss_is_stop(model, i) ? SS_MODE_CLOSED : SS_MODE_STICK;
        run->undecided = false;
    }
}

void ss_put_mode(ss_modes* modes, int i, ss_mode mode, int lead, bool idle, const double slack[2])
{
    ss_contact_run* run = &modes->contacts[i];
    run->mode = mode;
    run->lead = lead;
    run->idle = idle;
    run->undecided = false;
    run->edge = 0;
    run->kinetic = false;
    run->slack[0] = slack ? slack[0] : 0.0;
    run->slack[1] = slack ? slack[1] : 0.0;
}

void ss_count_active(const ss_model* model, const ss_step* step, const ss_inputs* inputs, ss_modes* modes)
{
    modes->active_count = 0;
    for (int g = 0; g < model->group_count; g++)
        if (modes->holds[g].active) modes->active[modes->active_count++] = g;
    modes->active_slips = 0;
    for (int i = 0; i < model->contact_count; i++) {
        ss_mode mode = modes->contacts[i].mode;
        bool slips = mode == SS_MODE_SLIP_PLUS || mode == SS_MODE_SLIP_MINUS;
        bool at_level = slips || (modes->contacts[i].pinned && !modes->contacts[i].idle);
        if (at_level && (inputs->level_at[i] >= 0 || step->laws.curved_at[i] >= 0)) modes->active_slips++;
    }
}

// A contact that was released starts like v ~ s^lead, lead - 1 being the first order at which it has an
// acceleration: above 0 where its kinetic level leaves the static one only then. Returns whether some contact
// needs more orders to tell.
static bool find_leads(ss_sim* sim, int k)
{
    bool open = false;
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        if (!run->released || run->turned || run->lead > 0) continue;
        double a = (k + 1) * ss_relative_velocity(sim->model, &sim->step, i, k + 1);
        bool known = fabs(a) > SS_RELATIVE_ZERO * ss_acceleration_size(sim, i, k) || k == SS_DECIDE_ORDER;
        if (known) run->lead = k + 1;
        open = open || !known;
    }
    return open;
}

// Decides orders 0, 1, .. until nothing is open; returns the last order done, or -1 to start anew because
// something was released.
static int decide_orders(ss_sim* sim)
{
    const ss_model* model = sim->model;
    for (int k = 0;; k++) {
        if (k > 0) ss_count_active(sim->model, &sim->step, &sim->inputs, &sim->modes);
        ss_free_acceleration(sim, k);
        bool open = false;
        for (int g = 0; g < model->group_count; g++) {
            if (!sim->modes.dirty[g] || ss_has_level_forces(sim, g)) {
                if (sim->modes.holds[g].active) ss_apply_hold(sim, g, k);
                continue;
            }
            if (!has_undecided(sim->model, &sim->modes, g) && k > 0) {
                ss_build_hold(sim, g);
                ss_apply_hold(sim, g, k);
                continue;
            }
            if (decide_group(sim, g, k)) return -1;
            if (k == SS_DECIDE_ORDER) settle_edges(sim->model, &sim->modes, g);
            ss_build_hold(sim, g);
            if (k == 0) ss_constrain_velocity(sim->model, &sim->step, &sim->modes, g);
            open = open || has_undecided(sim->model, &sim->modes, g);
        }
        ss_count_active(sim->model, &sim->step, &sim->inputs, &sim->modes);
        ss_store_acceleration(sim, k);
        if (sim->step.laws.elastic_count > 0 && ss_elastic_decide(sim, k)) open = true;
        if (sim->step.laws.bristle_count > 0 && ss_bristle_decide(sim, k)) open = true;
        if (sim->modes.has_falling && find_leads(sim, k)) open = true;
        if (!open) return k;
    }
}

// The force a released contact has now is smaller than the one that its direction was found with, but so are
// those of others that were released after it, or with it: together they may turn it around. Then nothing
// moves with the forces assumed. Such contacts are decided anew between their kinetic levels. Returns true if
// there are any.
static bool turn_released(ss_sim* sim)
{
    const ss_model* model = sim->model;
    bool any = false;
    for (int i = 0; i < model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        if (!run->released || run->turned) continue;
        double way = run->mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
        double start = run->lead * ss_relative_velocity(sim->model, &sim->step, i,
                                                        run->lead); // sign of its first acceleration
        if (way * start > SS_RELATIVE_ZERO * ss_acceleration_size(sim, i, run->lead - 1)) continue;
        run->turned = any = true;
    }
    return any;
}

// ---- the plain case

// A contact that shares its coordinates with no other, decided by itself. False where that is not plain: its
// force is near a bound, its law is another, or its acceleration is beset with cancellation.
static bool decide_alone(ss_sim* sim, int g)
{
    const ss_model* model = sim->model;
    const ss_group* group = &model->groups[g];
    int i = group->contacts[0];
    const ss_contact* contact = &model->contacts[i];
    ss_contact_run* run = &sim->modes.contacts[i];
    const ss_operator* op = &model->matrices.flow;
    const double *q = sim->step.q, *v = q + model->n;
    if (group->count > 1 || !run->zero || !ss_contact_is(contact, SS_TRAIT_LEVELS) || contact->falling)
        return false;
    double b = 0.0, size = 0.0, a = group->coupling[0];
    for (int c = 0; c < contact->q.count; c++) {
        int row = contact->q.index[c];
        double pull = sim->pulls.constant[row], terms = sim->pulls.constant_size[row];
        for (int l = op->start[row]; l < op->start[row + 1]; l++) {
            double spring = op->stiffness[l] * q[op->index[l]], damper = op->damping[l] * v[op->index[l]];
            pull -= spring + damper;
            terms += fabs(spring) + fabs(damper);
        }
        if (sim->open.states > 0) {
            pull += ss_open_pull(sim->model, &sim->step, row);
            terms += ss_open_size(sim, row, 0);
        }
        if (sim->inputs.varying_count > 0) pull += ss_input_pull(sim, row, &terms);
        b += contact->q.value[c] * pull;
        size += fabs(contact->q.value[c]) * terms;
    }
    double low = ss_hold_low(sim, i, 0), high = ss_hold_high(sim, i, 0), force = -b / a;
    double margin = SS_CLEAR * (size / a + high - low);
    bool inside = force > low + margin && force < high - margin;
    bool outside = force > high + margin || force < low - margin;
    if (!(a > 0.0) || (!inside && !outside)) return false;
    run->mode = inside ? SS_MODE_STICK : force > high ? SS_MODE_SLIP_MINUS : SS_MODE_SLIP_PLUS;
    run->lead = inside ? 0 : 1;
    run->edge = 0;
    run->slack[0] = run->slack[1] = 0.0;
    sim->step.lambda[i] = inside ? force : force > high ? high : low;
    return true;
}

// Most events are of contacts that stand alone. Returns false, having decided nothing, where this one is not.
static bool select_plainly(ss_sim* sim)
{
    const ss_model* model = sim->model;
    bool suits = model->nature.steady || sim->inputs.only_forces;
    if (!suits || !model->nature.linear || model->drive_count > 0) return false;
    for (int i = 0; i < model->contact_count; i++) sim->modes.contacts[i].lead = 0;
    for (int g = 0; g < model->group_count; g++)
        if (sim->modes.dirty[g] && !decide_alone(sim, g)) return false;
    bool changed = false;
    for (int g = 0; g < model->group_count; g++) {
        if (!sim->modes.dirty[g]) continue;
        ss_contact_run* run = &sim->modes.contacts[model->groups[g].contacts[0]];
        sim->modes.dirty[g] = false;
        run->zero = run->mode == SS_MODE_STICK;
        if (!run->zero && !sim->modes.holds[g].active) continue; // nothing held before, and nothing holds now
        ss_build_hold(sim, g);
        ss_constrain_velocity(sim->model, &sim->step, &sim->modes, g);
        changed = true;
    }
    if (changed) ss_count_active(sim->model, &sim->step, &sim->inputs, &sim->modes);
    return true;
}

static bool slips_anywhere(const ss_model* model, const ss_modes* modes)
{
    for (int i = 0; i < model->contact_count; i++)
        if (ss_slips(modes, i)) return true;
    return false;
}

// The accelerations of the modes decided, which tell whether everything rests.
static int accelerate(ss_sim* sim)
{
    ss_accelerate(sim, 0);
    return 1;
}

// All contacts of dirty groups. Returns the last order done.
static int decide_all(ss_sim* sim)
{
    const ss_model* model = sim->model;
    for (int i = 0; i < model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        run->lead = run->mode == SS_MODE_OPEN && run->gap == 0.0 ? 1 : 0; // it leaves the stop with a speed
        run->released = run->turned = false;
    }
    for (int g = 0; g < model->group_count; g++)
        if (sim->modes.dirty[g] && ss_has_level_forces(sim, g) && !ss_select_with_forces(sim, g)) return 0;
    int order = -1; // in every round but the last a contact is released, or a released one turned
    for (int round = 0; order < 0 && round <= 2 * model->contact_count; round++) {
        if (sim->step.laws.elastic_count > 0) ss_elastic_classify(sim);
        if (sim->step.laws.bristle_count > 0) ss_bristle_classify(sim->model, &sim->step, &sim->modes);
        for (int g = 0; g < model->group_count; g++)
            if (sim->modes.dirty[g] && !ss_has_level_forces(sim, g))
                open_question(sim->model, &sim->modes, g);
        order = decide_orders(sim);
        if (sim->modes.has_falling && order >= 0 && turn_released(sim)) order = -1;
    }
    return order;
}

int ss_select(ss_sim* sim)
{
    if (select_plainly(sim)) return slips_anywhere(sim->model, &sim->modes) ? 0 : accelerate(sim);
    const ss_model* model = sim->model;
    if (sim->modes.has_falling) ss_remember_shared(sim->model, &sim->modes, &sim->course);
    if (model->open) ss_open_question_edges(sim->open.programs, true);
    int order = decide_all(sim);
    while (model->open && ss_open_disagrees(sim)) order = decide_all(sim);
    if (model->open) ss_open_question_edges(sim->open.programs, false);
    if (sim->modes.has_falling) ss_note_futures(sim);
    note_rounded(sim);
    // Not earlier: a contact that let go is asked again where a round begins anew.
    for (int i = 0; i < model->contact_count; i++)
        sim->modes.contacts[i].zero = sim->modes.contacts[i].zero && ss_holds(&sim->step, &sim->modes, i);
    int from = order + 1;
    for (int g = 0; g < model->group_count; g++) {
        if (sim->modes.dirty[g] && (sim->modes.holds[g].singular || ss_has_level_forces(sim, g))) {
            ss_keep_choice(sim, g);
            ss_note_undetermined(sim, g);
            from = 0; // redundant forces run on from that choice, which the orders decided so far do not know
        }
        sim->modes.dirty[g] = false;
    }
    // The choice of one group began the accelerations anew, without what the levels of others follow.
    if (from == 0 && sim->level_forces && !sim->open.programs->bad) ss_accelerate(sim, 0);
    return from;
}
