// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Levels that follow forces, along a smooth stretch (level_forces.h tells the equations).
//
//   reads    modes, series of the motion, the program of the expressions
//   writes   forces of what slips and of what holds, levels, rates that use forces, inverses of holds
//   promise  at every order all levels are those at the forces of that order: what is affine in forces is
//            solved, not iterated
#include "engine/flow/level_forces.h"
#include "core/algebra/dense.h"
#include "core/algebra/polynomial.h"
#include "core/tolerance.h"
#include "engine/flow/contact.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "law/table.h"
#include "model/actions.h"

#include <math.h>
#include <string.h>

static const double singular = SS_RELATIVE_ZERO; // share of the largest entry: smaller pivots are zero

// ---- memory

static bool is_curved(const ss_model* model)
{
    const ss_program* program = &model->actions->motion;
    for (int i = 0; i < program->count; i++)
        if (program->code[i].op == SS_OP_HYPOT && program->depends[i] & SS_ON_FORCE) return true;
    return false;
}

// The group of the forces that register r of the motion is made of; -1 where there are none.
static int group_of_register(const ss_model* model, const ss_program* program, int r)
{
    const ss_instruction* in = &program->code[r];
    if (!(program->depends[r] & SS_ON_FORCE)) return -1;
    if (in->op == SS_OP_VARIABLE) return model->contacts[in->a - model->open->first_force].group;
    int group = group_of_register(model, program, in->a);
    return group >= 0 || !ss_op_is_binary(in->op) ? group : group_of_register(model, program, in->b);
}

// How many assignments of parts (select/with_forces.c, select/impulses.c) a group may have.
static double count_assignments(const ss_model* model, int g)
{
    const ss_group* group = &model->groups[g];
    const ss_program* programs[] = {&model->actions->motion, &model->actions->impulse};
    double count = 1.0, most = 1.0;
    for (int p = 0; p < group->count; p++) {
        const ss_contact* contact = &model->contacts[group->contacts[p]];
        if (contact->is_tie) continue;
        count *= ss_contact_is(contact, SS_TRAIT_HOLDS) ? 5.0 : 2.0;
    }
    for (int k = 0; k < 2; k++) {
        double pieces = 1.0;
        for (int j = 0; j < programs[k]->kink_count; j++)
            if (group_of_register(model, programs[k], programs[k]->kinks[j]) == g) pieces *= 2.0;
        most = fmax(most, pieces);
    }
    return count * most;
}

static bool allocate_impulses(ss_sim* sim, ss_level_forces* own)
{
    const ss_actions* actions = sim->model->actions;
    ss_pool* pool = &sim->pool;
    own->impulses = ss_pool_spare(pool, (size_t)actions->impulse.output_count, sizeof(double));
    own->impulse_slopes = ss_pool_spare(pool, (size_t)actions->impulse_slopes.count, sizeof(double));
    own->impulse_group = ss_pool_spare(pool, (size_t)actions->impulse.kink_count, sizeof(int));
    if (pool->failed) return false;
    for (int j = 0; j < actions->impulse.kink_count; j++)
        own->impulse_group[j] = group_of_register(sim->model, &actions->impulse, actions->impulse.kinks[j]);
    return ss_run_make_spare(&own->impulse, pool, &actions->impulse, own->pieces) &&
           ss_run_make_spare(&own->impulse_slope, pool, &actions->impulse_slope, own->pieces);
}

void ss_level_forces_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    const ss_open* open = model->open;
    ss_pool* pool = &sim->pool;
    sim->level_forces = NULL;
    if (!open || open->variable_count == open->first_force || pool->failed) return;
    const ss_actions* actions = model->actions;
    ss_level_forces* own = ss_pool_spare(pool, 1, sizeof *own);
    size_t d = sizeof(double), m = (size_t)model->contact_count, largest = 1;
    if (!own) return;
    own->pieces = ss_pool_spare(pool, (size_t)ss_graph_kink_count(open->graph), d);
    own->point = ss_pool_spare(pool, (size_t)open->variable_count, d);
    own->outputs = ss_pool_spare(pool, (size_t)actions->motion.output_count, d);
    own->slopes = ss_pool_spare(pool, (size_t)actions->slopes.count, d);
    own->at = ss_pool_spare(pool, m, d);
    own->rates = ss_pool_spare(pool, (size_t)open->state_count, d);
    own->groups = ss_pool_spare(pool, (size_t)model->group_count, sizeof *own->groups);
    own->kink_group = ss_pool_spare(pool, (size_t)actions->motion.kink_count, sizeof(int));
    own->curved = is_curved(model);
    if (pool->failed || !ss_run_make_spare(&own->motion, pool, &actions->motion, own->pieces) ||
        !ss_run_make_spare(&own->slope, pool, &actions->slope, own->pieces))
        return;
    if (model->nature.follows_forces && !allocate_impulses(sim, own)) return;
    for (int j = 0; j < actions->motion.kink_count; j++)
        own->kink_group[j] = group_of_register(model, &actions->motion, actions->motion.kinks[j]);
    for (int i = 0; i < model->contact_count && !pool->failed; i++) {
        int g = model->contacts[i].group;
        size_t count = (size_t)model->groups[g].count;
        if (!model->contacts[i].follows_forces || own->groups[g]) continue;
        ss_level_group* group = own->groups[g] = ss_pool_spare(pool, 1, sizeof *group);
        if (!group) return;
        group->ways = count_assignments(model, g);
        group->slope = ss_pool_spare(pool, count * count, d);
        group->solve = ss_pool_spare(pool, count * count, d);
        group->follow = ss_pool_spare(pool, count * count, d);
        largest = count > largest ? count : largest;
    }
    own->matrix = ss_pool_spare(pool, largest * largest, d);
    own->blow.inverse = ss_pool_spare(pool, largest * largest, d);
    own->blow.impulse = ss_pool_spare(pool, largest, d);
    own->blow.scale = ss_pool_spare(pool, largest, d);
    own->blow.target = ss_pool_spare(pool, largest, d);
    own->blow.side = ss_pool_spare(pool, largest, sizeof(signed char));
    own->work = ss_pool_spare(pool, 5 * largest * largest + 2 * largest, d);
    own->share = ss_pool_spare(pool, largest, d);
    own->order = ss_pool_spare(pool, largest, sizeof(int));
    sim->level_forces = own;
}

// ---- the program of the motion

void ss_keep_force_kinks(ss_sim* sim)
{
    ss_run* run = &sim->open.programs->motion;
    for (int j = 0; j < run->program->kink_count; j++)
        if (sim->level_forces->kink_group[j] >= 0) run->crossed[j] = true;
}

void ss_fill_forces(const ss_sim* sim, const ss_run* run, int k)
{
    int first = sim->model->open->first_force;
    for (int i = 0; i < sim->model->contact_count; i++) {
        double* row = ss_run_variable(run, first + i);
        if (row) row[k] = k == 0 ? sim->level_forces->at[i] : 0.0;
    }
}

void ss_find_level_slopes(ss_sim* sim)
{
    ss_level_forces* own = sim->level_forces;
    const ss_run* run = &sim->open.programs->motion;
    int first = sim->model->open->first_force;
    for (int v = 0; v < first; v++) {
        const double* row = ss_run_variable(run, v);
        own->point[v] = row ? row[0] : 0.0;
    }
    for (int i = 0; i < sim->model->contact_count; i++) own->point[first + i] = own->at[i];
    (void)ss_run_values(&own->slope, sim->step.t, own->point, true, own->slopes);
}

double ss_level_slope(const ss_sim* sim, int output, int j)
{
    const ss_jacobian* slopes = &sim->model->actions->slopes;
    int variable = sim->model->open->first_force + j;
    for (int e = 0; e < slopes->count; e++)
        if (slopes->row[e] == output && slopes->variable[e] == variable) {
            double slope = sim->level_forces->slopes[e];
            return isfinite(slope) ? slope
                                   : 0.0; // hypot without force: it stays so, or the next round has one
        }
    return 0.0;
}

double ss_level_apart(const ss_sim* sim, int output, int k)
{
    const ss_level_forces* own = sim->level_forces;
    double level = ss_open_output(&sim->open, output)[k];
    for (int i = 0; i < sim->model->contact_count && k == 0 && own->curved; i++)
        if (own->at[i] != 0.0) level -= ss_level_slope(sim, output, i) * own->at[i];
    return level;
}

void ss_linearise_levels(ss_sim* sim)
{
    ss_level_forces* own = sim->level_forces;
    const ss_model* model = sim->model;
    memcpy(own->pieces, sim->open.programs->pieces,
           (size_t)ss_graph_kink_count(model->open->graph) * sizeof(double));
    ss_find_level_slopes(sim);
    for (int g = 0; g < model->group_count; g++) {
        if (!own->groups[g]) continue;
        own->groups[g]->solvable = ss_couple_levels(sim, g);
        if (sim->modes.holds[g].active) (void)ss_invert_with_levels(sim, g);
    }
}

// ---- a group

// Which way the force of a contact that goes by its level pushes.
static double way_of(const ss_modes* modes, int i)
{
    const ss_contact_run* run = &modes->contacts[i];
    return run->mode == SS_MODE_SLIP_PLUS || (run->pinned && run->edge < 0) ? -1.0 : 1.0;
}

// The level that it goes by.
static ss_level level_in_force(const ss_sim* sim, int i)
{
    const ss_contact* contact = &sim->model->contacts[i];
    ss_level slip = way_of(&sim->modes, i) < 0.0 ? SS_FORWARD : SS_BACKWARD, still = slip + SS_STATIC_FORWARD;
    bool given = contact->loaded || contact->level[still] || contact->follows & 1 << still ||
                 contact->at_rest[slip] > 0.0;
    return sim->modes.contacts[i].pinned && given && !sim->modes.contacts[i].kinetic ? still : slip;
}

// The output that is this level, or -1.
static int level_output(const ss_sim* sim, int i)
{
    if (!sim->model->contacts[i].follows_forces) return -1;
    for (int l = 0; l < sim->open.following_count; l++)
        if (sim->open.following[l].contact == i) return sim->open.following[l].output[level_in_force(sim, i)];
    return -1;
}

// Its force per unit of that level as it is given.
static double per_level(ss_sim* sim, int i)
{
    if (ss_slips(&sim->modes, i)) return ss_force_per_level(sim, i);
    return way_of(&sim->modes, i) * ss_level_share(&sim->model->contacts[i], (int)level_in_force(sim, i));
}

static void fill_slopes(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    ss_level_group* own = sim->level_forces->groups[g];
    int count = group->count;
    memset(own->slope, 0, (size_t)count * (size_t)count * sizeof(double));
    for (int p = 0; p < count; p++) {
        int i = group->contacts[p], output = ss_goes_by_level(sim, i) ? level_output(sim, i) : -1;
        double way = output >= 0 ? per_level(sim, i) : 0.0;
        for (int r = 0; r < count && output >= 0; r++)
            own->slope[p * count + r] = way * ss_level_slope(sim, output, group->contacts[r]);
    }
}

bool ss_couple_levels(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    ss_level_forces* all = sim->level_forces;
    ss_level_group* own = all->groups[g];
    int count = group->count;
    fill_slopes(sim, g);
    for (int p = 0; p < count; p++)
        for (int r = 0; r < count; r++)
            all->matrix[p * count + r] =
                (p == r) - (ss_goes_by_level(sim, group->contacts[r]) ? own->slope[p * count + r] : 0.0);
    int rank = ss_general_inverse(all->matrix, count, singular, own->solve, NULL, &own->stable, all->work,
                                  all->order);
    for (int p = 0; p < count; p++)
        for (int r = 0; r < count; r++) {
            double sum = 0.0;
            bool acts = ss_goes_by_level(sim, group->contacts[p]) &&
                        !ss_goes_by_level(sim, group->contacts[r]) &&
                        ss_holds(&sim->step, &sim->modes, group->contacts[r]);
            for (int s = 0; s < count && acts; s++)
                sum += own->solve[p * count + s] * own->slope[s * count + r];
            own->follow[p * count + r] = sum;
        }
    return rank == count;
}

int ss_contact_that_bursts(const ss_sim* sim)
{
    const double most = 1e9; // by which a force may follow itself; T is infinite where the gain is 1
    for (int g = 0; g < sim->model->group_count; g++) {
        const ss_group* group = &sim->model->groups[g];
        const ss_level_group* own = sim->level_forces ? sim->level_forces->groups[g] : NULL;
        for (int p = 0; p < group->count && own; p++) {
            if (!ss_slips(&sim->modes, group->contacts[p])) continue;
            for (int r = 0; r < group->count; r++)
                if (fabs(own->solve[p * group->count + r]) > most) return group->contacts[p];
        }
    }
    return -1;
}

int ss_invert_with_levels(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    ss_level_forces* all = sim->level_forces;
    ss_level_group* own = all->groups[g];
    ss_hold* hold = &sim->modes.holds[g];
    int count = group->count, held = hold->count;
    bool pins = false;
    for (int p = 0; p < count; p++) pins = pins || sim->modes.contacts[group->contacts[p]].pinned;
    for (int r = 0; r < held; r++)
        for (int c = 0; c < held; c++) {
            const double* row = &group->coupling[hold->places[r] * count];
            double sum = row[hold->places[c]];
            for (int p = 0; p < count; p++) sum += row[p] * own->follow[p * count + hold->places[c]];
            all->matrix[r * held + c] = sum;
        }
    bool positive;
    int rank = ss_general_inverse(all->matrix, held, singular, hold->inverse, all->share, &positive,
                                  all->work, all->order);
    own->stable = own->stable && positive;
    hold->singular = rank < held;
    for (int r = 0; r < held; r++) {
        ss_contact_run* run = &sim->modes.contacts[group->contacts[hold->places[r]]];
        if (!pins) run->determined = all->share[r] <= SS_CLEAR; // with them it has been asked before
        hold->bias[r] = 0.0;
    }
    return rank;
}

// ---- order by order

// What slips feels of forces that are known already: of elastic stops and bristles.
static double by_known(const ss_sim* sim, int g, int p, const double lambda[])
{
    const ss_group* group = &sim->model->groups[g];
    const double* slope = &sim->level_forces->groups[g]->slope[p * group->count];
    double sum = 0.0;
    for (int r = 0; r < group->count; r++) {
        int i = group->contacts[r];
        bool known = ss_force_is_known(sim->model, &sim->step, i);
        if (known && slope[r] != 0.0) sum += slope[r] * lambda[i];
    }
    return sum;
}

static bool is_at_level(const ss_sim* sim, int i)
{
    return ss_goes_by_level(sim, i) && !ss_force_is_known(sim->model, &sim->step, i);
}

// What of coefficient k of the force of such a contact follows no forces of this order.
static double force_apart(ss_sim* sim, int i, int k)
{
    if (ss_is_bristle(&sim->step, i))
        return ss_loaded_coefficient(&sim->inputs, ss_along_of(&sim->step, i), i, k);
    if (ss_slips(&sim->modes, i)) return ss_slip_force(sim, i, k);
    bool low = way_of(&sim->modes, i) < 0.0;
    if (level_in_force(sim, i) >= SS_STATIC_FORWARD)
        return low ? ss_hold_low(sim, i, k) : ss_hold_high(sim, i, k);
    return low ? ss_kinetic_low(sim, i, k) : ss_kinetic_high(sim, i, k);
}

static void add_group_slips(ss_sim* sim, int g, int k)
{
    const ss_group* group = &sim->model->groups[g];
    const ss_level_group* own = sim->level_forces->groups[g];
    double *lambda = sim->step.lambda + (size_t)k * (size_t)sim->model->contact_count,
           *apart = sim->level_forces->work;
    int count = group->count;
    for (int p = 0; p < count; p++) {
        int i = group->contacts[p];
        apart[p] = is_at_level(sim, i) ? force_apart(sim, i, k) + by_known(sim, g, p, lambda) : 0.0;
    }
    for (int p = 0; p < count; p++) {
        int i = group->contacts[p];
        if (sim->modes.contacts[i].mode == SS_MODE_OPEN && !ss_is_elastic(&sim->step, i)) lambda[i] = 0.0;
        if (!is_at_level(sim, i)) continue;
        lambda[i] = 0.0;
        for (int s = 0; s < count; s++) lambda[i] += own->solve[p * count + s] * apart[s];
        if (lambda[i] != 0.0) ss_add_force(sim->model, &sim->pulls, i, lambda[i]);
    }
}

void ss_add_level_slips(ss_sim* sim, int k)
{
    for (int g = 0; g < sim->model->group_count; g++)
        if (sim->level_forces->groups[g]) add_group_slips(sim, g, k);
}

void ss_complete_levels(ss_sim* sim, int k)
{
    const ss_model* model = sim->model;
    const ss_actions* actions = model->actions;
    ss_open_programs* programs = sim->open.programs;
    ss_run* run = &programs->motion;
    if (programs->bad || programs->overflows || actions->motion.output_count == 0) return;
    const double* lambda = sim->step.lambda + (size_t)k * (size_t)model->contact_count;
    double *next = sim->step.s + (size_t)(k + 1) * (size_t)sim->open.states,
           *before = sim->level_forces->rates;
    for (int j = 0; j < sim->open.states; j++)
        if (actions->rates[j].output >= 0)
            before[j] = ss_open_output(&sim->open, actions->rates[j].output)[k];
    for (int i = 0; i < model->contact_count; i++) {
        double* row = ss_run_variable(run, model->open->first_force + i);
        if (row) row[k] = lambda[i];
    }
    programs->bad = !ss_run_step(run, k);
    if (programs->bad) return;
    for (int j = 0; j < sim->open.states; j++)
        if (actions->rates[j].output >= 0)
            next[j] += (ss_open_output(&sim->open, actions->rates[j].output)[k] - before[j]) / (k + 1);
    if (model->nature.follows_forces) ss_open_complete_levels(sim, k);
}

bool ss_level_forces_moved(ss_sim* sim)
{
    ss_level_forces* own = sim->level_forces;
    double size = 0.0, off = 0.0;
    if (!own || !own->curved) return false;
    for (int i = 0; i < sim->model->contact_count; i++) {
        size = fmax(size, fabs(sim->step.lambda[i]));
        off = fmax(off, fabs(sim->step.lambda[i] - own->at[i]));
        own->at[i] = sim->step.lambda[i];
    }
    return off > SS_UNIT_NOISE * size;
}

void ss_keep_last_forces(const ss_model* model, ss_step* step, double s)
{
    int m = model->contact_count;
    for (int i = 0; i < m; i++) step->lambda[i] = ss_poly_value(step->lambda + i, m, step->order - 2, s);
}

void ss_begin_impulses(ss_sim* sim)
{
    ss_level_forces* own = sim->level_forces;
    memcpy(own->pieces, sim->open.programs->pieces,
           (size_t)ss_graph_kink_count(sim->model->open->graph) * sizeof(double));
    ss_open_point(sim, 0.0, own->point);
}
