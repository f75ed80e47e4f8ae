// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Settling in bristles: what rings in them dies out, and where it ends. docs/theory/settle.md derives it.
//
// With y = z - W^T q, which only creep changes, the motion is that of a damped system about the balance of
// forces that belongs to y. settle_forms.c finds a form that falls exponentially as long as no deflection
// goes further than its margin; here margins are found that this fall itself confirms.
#include "engine/proof/settle_bristles.h"
#include "core/tolerance.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/stiff.h"
#include "engine/proof/proof.h"
#include "engine/proof/settle_bristles_parts.h"
#include "law/table.h"
#include "model/actions.h"

#include <float.h>
#include <math.h>

enum { MOST_ELEMENTS = 1000 };        // of a contact that is looked at
static const double known = SS_CLEAR; // the limit must be known to this part of the way gone

// ---- what is looked at

// Everything that follows the motion is affine in it and has no state of its own: nothing else is in the
// forms.
static bool is_plain(const ss_model* model)
{
    if (!model->open) return true;
    if (model->open->state_count > 0 || model->open->block_count > 0) return false;
    for (int k = 0; k < model->actions->pull_count; k++)
        if (!model->actions->pulls[k].affine) return false;
    return true;
}

static bool is_open_to_proof(const ss_model* model, const ss_step* step, const ss_pulls* acting,
                             const ss_ways* ways)
{
    if (!ways->stiff || step->laws.bristle_count == 0 || acting->has_cubic || !is_plain(model) ||
        model->n > SS_SETTLE_LARGEST || step->laws.bristle_count > SS_SETTLE_BRISTLES)
        return false;
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        bool looked_at = ss_has_bristles(contact) && contact->elements <= MOST_ELEMENTS;
        if (!looked_at && !ss_law_has(contact->law, SS_TRAIT_STOPS)) return false;
        if (ss_contact_is(contact, SS_TRAIT_Z) && !contact->law_entry->point.near_rest) return false;
    }
    return true;
}

static void allocate_balance(ss_pool* pool, const ss_model* model, const ss_law_series* laws,
                             ss_settle_balance* at)
{
    size_t n = (size_t)model->n, j = (size_t)laws->bristle_count, m = (size_t)model->contact_count,
           nd = (size_t)model->drive_count, states = n + j;
    double** reals[] = {&at->q,      &at->state,  &at->rest,   &at->speed,  &at->rate,
                        &at->noise,  &at->drives, &at->lambda, &at->matrix, &at->jacobian,
                        &at->factor, &at->shift,  &at->way};
    size_t sizes[] = {n,     states, states, n, states, n, 3 * nd, m, n * n, states * (n + states),
                      n * n, n,      j * n};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        *reals[k] = ss_pool_spare(pool, sizes[k], sizeof(double));
    at->pivots = ss_pool_spare(pool, n, sizeof(int));
}

static void allocate_forms(ss_pool* pool, const ss_model* model, const ss_law_series* laws,
                           struct ss_settle_bristles* c)
{
    size_t n = (size_t)model->n, j = (size_t)laws->bristle_count, square = n * n, elements = 0;
    for (int i = 0; i < model->contact_count; i++)
        elements = (size_t)fmax((double)elements, model->contacts[i].elements);
    double** reals[] = {&c->a,         &c->scale,     &c->elements,     &c->kappa,
                        &c->slip,      &c->margin,    &c->fastest,      &c->ring.low,
                        &c->ring.full, &c->ring.mass, &c->ring.damping, &c->ring.stiffness,
                        &c->ring.x,    &c->ring.y,    &c->ring.test};
    size_t sizes[] = {4 * square, 2 * n,  elements, j,      j,      j,      j,     square,
                      square,     square, square,   square, square, square, square};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        *reals[k] = ss_pool_spare(pool, sizes[k], sizeof(double));
    c->ring.bristles = ss_pool_spare(pool, j, sizeof *c->ring.bristles);
    double complex** complexes[] = {
        &c->spectrum.values, &c->spectrum.vectors, &c->spectrum.inverse, &c->work,      &c->xi,
        &c->gain.p,          &c->gain.next,        &c->gain.own,         &c->gain.push, &c->gain.row,
        &c->gain.pushed};
    size_t lengths[] = {2 * n,      4 * square, 4 * square, 8 * square, 4 * n,    4 * square,
                        4 * square, 4 * square, 2 * n * j,  2 * n * j,  2 * n * j};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        *complexes[k] = ss_pool_spare(pool, lengths[k], sizeof(double complex));
}

void ss_settle_bristles_allocate(ss_sim* sim)
{
    sim->proof.settle_bristles = NULL;
    if (sim->pool.failed || !is_open_to_proof(sim->model, &sim->step, &sim->pulls, &sim->ways)) return;
    struct ss_settle_bristles* c = ss_pool_spare(&sim->pool, 1, sizeof *c);
    if (!c) return;
    allocate_balance(&sim->pool, sim->model, &sim->step.laws, &c->at);
    allocate_forms(&sim->pool, sim->model, &sim->step.laws, c);
    sim->proof.settle_bristles = c;
}

// ---- margins

// The most that the place along a row still moves: by no more than its speed allows, and by no more than the
// swing about the balance and what creep moves that.
static double way_along(const ss_model* model, const ss_law_series* laws, struct ss_settle_bristles* c,
                        const ss_row* row)
{
    double swing = 2.0 * ss_settle_place(model, c, row) * c->size;
    for (int j = 0; j < laws->bristle_count; j++)
        swing += fabs(ss_row_dot(row, c->at.way + j * model->n)) * c->kappa[j] * c->slip[j] * c->reach;
    return fmin(swing, ss_settle_speed(model, c, row) * c->reach);
}

// The form for the present margins; they become what it leaves.
static bool find_form(const ss_model* model, const ss_step* step, const ss_proof* proof)
{
    struct ss_settle_bristles* c = proof->settle_bristles;
    if (!ss_settle_find_form(model, step, proof)) return false;
    for (int j = 0; j < step->laws.bristle_count; j++) {
        const ss_contact* contact = &model->contacts[step->laws.bristles[j].contact];
        c->fastest[j] = c->slip[j] * c->size;
        c->margin[j] = c->kappa[j] * c->slip[j] * c->reach +
                       way_along(model, &step->laws, proof->settle_bristles, &contact->q);
    }
    return true;
}

// Margins that the bound itself confirms: twice what the present state tells must come back smaller.
static bool confirm_margins(const ss_model* model, const ss_step* step, const ss_proof* proof)
{
    struct ss_settle_bristles* c = proof->settle_bristles;
    double way[SS_SETTLE_BRISTLES], speed[SS_SETTLE_BRISTLES];
    for (int j = 0; j < step->laws.bristle_count; j++) c->margin[j] = c->fastest[j] = 0.0;
    if (!ss_settle_prepare_form(model, step, proof) || !find_form(model, step, proof)) return false;
    for (int j = 0; j < step->laws.bristle_count; j++) {
        way[j] = c->margin[j] *= 2.0;
        speed[j] = c->fastest[j] *= 2.0;
    }
    if (!find_form(model, step, proof)) return false;
    for (int j = 0; j < step->laws.bristle_count; j++)
        if (!(c->margin[j] <= way[j] && c->fastest[j] <= speed[j])) return false;
    return true;
}

// No element slips, neither now nor on the way that is left.
static bool elements_stick(const ss_model* model, const ss_step* step, const ss_proof* proof, int j)
{
    const struct ss_settle_bristles* c = proof->settle_bristles;
    const ss_bristle* b = &step->laws.bristles[j];
    const ss_contact* contact = &model->contacts[b->contact];
    const ss_law_elements* law = &contact->law_entry->elements;
    if (contact->elements == 0) return true;
    if (!b->moved) return false; // its step has no branch yet
    bool slips[MOST_ELEMENTS];
    int count = ss_bristle_elements(model, step, b->contact, c->elements, slips);
    for (int i = 0; i < count; i++) {
        if (slips[i]) return false;
        for (int sign = -1; sign <= 1; sign += 2) {
            ss_law_point point = {
                .v = sign * c->fastest[j], .sign = sign, .z = c->elements[i], .along = &b->along};
            ss_element_response p;
            law->at(ss_law_of(contact), &point, i, false, &p);
            if (!(p.room > p.rate_v * c->margin[j])) return false;
        }
    }
    return true;
}

// No stop is met: each is further away than the motion still goes.
static bool stops_stay_open(const ss_model* model, const ss_step* step, const ss_modes* modes,
                            const ss_proof* proof)
{
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (!ss_is_stop(model, i) && !ss_is_elastic(step, i)) continue;
        double moved = 0.0;
        for (int k = step->order; k >= 1; k--)
            moved = (moved + ss_relative_velocity(model, step, i, k - 1) / k) * step->now;
        double gap = modes->contacts[i].gap - contact->stop.side * moved;
        if (modes->contacts[i].mode != SS_MODE_OPEN ||
            !(gap > way_along(model, &step->laws, proof->settle_bristles, &contact->q)))
            return false;
    }
    return true;
}

static bool nothing_else_happens(const ss_model* model, const ss_step* step, const ss_modes* modes,
                                 const ss_proof* proof)
{
    for (int j = 0; j < step->laws.bristle_count; j++)
        if (!elements_stick(model, step, proof, j)) return false;
    return stops_stay_open(model, step, modes, proof);
}

// Whether the motion from now on provably dies out.
static bool dies_out(const ss_sim* sim)
{
    struct ss_settle_bristles* c = sim->proof.settle_bristles;
    if (!c || !sim->step.ready || sim->course.ended || !ss_inputs_stay(sim) ||
        !ss_settle_find_balance(sim, &c->at))
        return false;
    for (int form = 0; form < 2; form++) {
        c->by_ring = form == 1;
        if (confirm_margins(sim->model, &sim->step, &sim->proof))
            return nothing_else_happens(sim->model, &sim->step, &sim->modes, &sim->proof);
    }
    return false;
}

// ---- the limit

// What creep can still change of the limit is below notice.
static bool limit_is_known(const ss_model* model, const ss_step* step, const ss_proof* proof,
                           const ss_places* bodies)
{
    const struct ss_settle_bristles* c = proof->settle_bristles;
    double scale = 0.0;
    for (int b = 0; b < model->body_count; b++)
        scale = fmax(scale, fabs(bodies->out_x[b] - bodies->start_x[b]));
    for (int j = 0; j < step->laws.bristle_count; j++) scale = fmax(scale, fabs(c->at.state[model->n + j]));
    for (int i = 0; i < model->n; i++) {
        double unknown = 0.0;
        for (int j = 0; j < step->laws.bristle_count; j++)
            unknown += fabs(c->at.way[j * model->n + i]) * c->kappa[j] * c->slip[j] * c->reach;
        if (!(unknown <= known * scale)) return false;
    }
    return true;
}

bool ss_settle_bristles_proved(const ss_sim* sim, double limit_x[])
{
    struct ss_settle_bristles* c = sim->proof.settle_bristles;
    if (!dies_out(sim) || !limit_is_known(sim->model, &sim->step, &sim->proof, &sim->bodies)) return false;
    for (int b = 0; b < sim->model->body_count && limit_x; b++) {
        limit_x[b] = sim->bodies.out_x[b];
        if (sim->model->bodies[b].drive < 0)
            limit_x[b] -= ss_row_dot(&sim->model->bodies[b].row, c->at.shift);
    }
    return true;
}

// ---- the end of a motion, as far as numbers tell

// m: the way gone, and the deflections.
static double size_of_motion(const ss_model* model, const ss_step* step, const ss_places* bodies)
{
    double scale = 0.0;
    for (int b = 0; b < model->body_count; b++)
        scale = fmax(
            scale, fabs(ss_row_dot(&model->bodies[b].row, step->q) + bodies->offset[b] - bodies->start_x[b]));
    for (int j = 0; j < step->laws.bristle_count; j++)
        scale = fmax(scale, fabs(step->laws.bristles[j].along.z[0]));
    return scale;
}

// It is asked after an event, at ever more of them, and where speeds and accelerations are small already.
static bool is_time_to_ask(ss_sim* sim, double scale)
{
    ss_proof* proof = &sim->proof;
    int n = sim->model->n;
    if (!ss_ends_in_event(&sim->step) || ++proof->swings < proof->ask_at) return false;
    double rate = sim->control.rate + ss_bristle_rate(sim->model, sim->field, &sim->step);
    for (int i = 0; i < n; i++) {
        double speed = fabs(sim->step.q[n + i]) + 2.0 * fabs(sim->step.q[2 * n + i]) / rate;
        if (!(speed <= SS_CLEAR * scale * rate)) return false;
    }
    proof->ask_at = proof->swings + 1 + proof->swings / 8;
    return true;
}

// m: a way below all that numbers tell. Elements are springs between places: where a swing falls by less than
// the rounding of those, it does not fall at all.
static double unseen_way(const ss_sim* sim, double scale)
{
    const struct ss_settle_bristles* c = sim->proof.settle_bristles;
    double place = 0.0,
           swings = (sim->control.rate + ss_bristle_rate(sim->model, sim->field, &sim->step)) / c->rate;
    bool elements = false;
    for (int j = 0; j < sim->step.laws.bristle_count; j++)
        elements = elements || sim->model->contacts[sim->step.laws.bristles[j].contact].elements > 0;
    for (int i = 0; i < sim->model->n && elements; i++) place = fmax(place, fabs(c->at.q[i]));
    return SS_NOISE * scale + place * fmin(DBL_EPSILON * swings, SS_RELATIVE_ZERO);
}

bool ss_settle_bristles_stand(ss_sim* sim)
{
    if (!sim->proof.settle_bristles) return false;
    double scale = size_of_motion(sim->model, &sim->step, &sim->bodies);
    if (sim->derivative || sim->modes.active_count > 0 || !is_time_to_ask(sim, scale) || !dies_out(sim))
        return false;
    double unseen = unseen_way(sim, scale);
    for (int i = 0; i < sim->model->n; i++) {
        ss_row unit = {.count = 1, .index = &i, .value = (double[]){1.0}};
        if (!(way_along(sim->model, &sim->step.laws, sim->proof.settle_bristles, &unit) <= unseen))
            return false;
    }
    return true;
}
