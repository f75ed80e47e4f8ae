// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Select where friction levels follow forces: modes and forces of a group, decided together.
//
// A = W_N^T M^-1 (W_N + W_T mu sigma) is not symmetric, and no projection tells whether there is a motion,
// and whether it is the only one. So every assignment is tried: of modes to contacts with v = 0, of pieces to
// kinks of levels (abs, min, max of forces), and of "no friction" to levels that would be negative. With all
// of them tried none is missed; a group with too many is searched by pivots. An assignment gives a linear
// system; its solution counts if it satisfies all conditions of the assignment: forces within their levels,
// accelerations of what slips in its direction, stops that push, arguments of kinks on their side. What is 0
// to rounding is decided by the next derivative, as everywhere.
//
// Assignments with the same accelerations are one answer. Of several, those go whose slopes have a
// determinant that is not positive; of the others it is the one that keeps most modes, and then, in the order
// of the model, stick before slip before open (docs/theory/level-forces.md).
#include "core/algebra/dense.h"
#include "core/tolerance.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/contact.h"
#include "engine/flow/input_series.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/flow/turning.h"
#include "engine/select/select.h"
#include "law/table.h"
#include "model/actions.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ANSWERS = 16 };

// What a place of the group does in an assignment. NO_FRICTION: it slips with a level that is not positive.
// IDLE: a stop that is closed without force, and stays so for all derivatives. LOW, HIGH: friction that
// sticks with its force at its level, because others of the group hold the rest (a box on the floor, pushed
// against a wall). LOW_KINETIC, HIGH_KINETIC: so does it at the level of slip, where that is above the one at
// rest.
typedef enum part {
    HOLDS,
    PLUS,
    MINUS,
    OPEN,
    KNOWN,
    PLUS_FREE,
    MINUS_FREE,
    IDLE,
    LOW,
    HIGH,
    LOW_KINETIC,
    HIGH_KINETIC,
    PARTS
} part;

typedef struct answer {
    part* part;    // of each place
    double* piece; // of each kink
    double* a;     // accelerations of all rows of the group
    double* force; // of each place
    int* lead;     // of each place, see ss_contact_run
    double* slack; // two of each place
    bool stable;
} answer;

typedef struct question {
    ss_sim* sim;
    const ss_group* group;
    int g, count;
    ss_mode* before; // of each place: the mode that it comes with
    bool* asked;     // of each place: at v = 0, undecided
    double* moving;  // of each place that is not: force per newton, where its normal force follows forces
    int* leads;      // of each place that is not: of a stop that is being left, see ss_contact_run
    part* present;   // of each place: its mode before, PARTS where it has none
    int kink_count;
    int* kinks; // of the motion, those that forces of this group decide
    part* part; // the assignment that is tried
    double* piece;
    double *b, *size; // accelerations without the forces asked for, and magnitudes of their terms
    double *matrix, *inverse, *right, *force, *trial, *work;
    int* order;
    answer answers[MOST_ANSWERS];
    int answer_count;
    bool singular;  // an assignment was left out because 1 - G has no inverse
    bool redundant; // of some assignment the forces are not determined: LOW and HIGH may be answers, too
    bool pins;      // they are tried
    int broken;     // the first condition that the assignment breaks, as condition() counts them
    ss_pool pool;
} question;

// ---- the question

static bool is_friction(const question* ask, int p)
{
    return !ss_is_stop(ask->sim->model, ask->group->contacts[p]);
}

// What a contact does that is not asked; modes that slip are as their speed says.
static part fixed_part(const ss_model* model, const ss_step* step, const ss_modes* modes, int i)
{
    const ss_contact_run* run = &modes->contacts[i];
    if (model->contacts[i].is_tie) return HOLDS;
    if (ss_force_is_known(model, step, i)) return KNOWN;
    if (ss_is_stop(model, i)) return OPEN;
    return run->mode == SS_MODE_SLIP_PLUS ? PLUS : MINUS;
}

static void look_at_places(question* ask)
{
    ss_sim* sim = ask->sim;
    for (int p = 0; p < ask->count; p++) {
        int i = ask->group->contacts[p];
        const ss_contact_run* run = &sim->modes.contacts[i];
        ask->before[p] = run->mode;
        ask->leads[p] = run->lead;
        bool known =
            sim->model->contacts[i].is_tie || ss_is_elastic(&sim->step, i) || ss_is_bristle(&sim->step, i);
        ask->asked[p] = run->zero && !known;
        ask->present[p] =
            ask->asked[p] && sim->course.started && ss_holds(&sim->step, &sim->modes, i) ? HOLDS : PARTS;
        ask->part[p] = ask->asked[p] ? HOLDS : fixed_part(sim->model, &sim->step, &sim->modes, i);
        if (!ask->asked[p] && sim->model->contacts[i].follows_forces)
            ask->moving[p] = ss_force_per_level(sim, i);
    }
    const ss_program* motion = &sim->model->actions->motion;
    for (int j = 0; j < motion->kink_count; j++)
        if (sim->level_forces->kink_group[j] == ask->g) ask->kinks[ask->kink_count++] = j;
}

// Accelerations of the rows while nothing of the group slips or holds; what is known (elastic stops,
// bristles) is in them.
static void free_accelerations(question* ask)
{
    ss_sim* sim = ask->sim;
    const ss_model* model = sim->model;
    for (int p = 0; p < ask->count; p++)
        if (ask->part[p] != KNOWN)
            ss_put_mode(&sim->modes, ask->group->contacts[p], SS_MODE_OPEN, 0, false, NULL);
    ss_free_acceleration(sim, 0);
    for (int p = 0; p < ask->count; p++) {
        const ss_contact* contact = &model->contacts[ask->group->contacts[p]];
        ask->b[p] = ss_row_dot(&contact->q, sim->pulls.accel);
        if (contact->d.count > 0)
            ask->b[p] += 2.0 * ss_row_dot(&contact->d, sim->step.d + 2 * (size_t)model->drive_count);
        if (sim->turning) ask->b[p] += sim->turning->convective[ask->group->contacts[p]];
        ask->size[p] = ss_acceleration_size(sim, ask->group->contacts[p], 0) + fabs(ask->b[p]);
    }
}

static bool open_question(question* ask, ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    size_t count = (size_t)group->count, kinks = (size_t)sim->model->actions->motion.kink_count,
           d = sizeof(double);
    *ask = (question){.sim = sim, .group = group, .g = g, .count = group->count};
    ss_pool* pool = &ask->pool;
    ask->asked = ss_pool_new(pool, count, sizeof(bool));
    ask->moving = ss_pool_new(pool, count, d);
    ask->leads = ss_pool_new(pool, count, sizeof(int));
    ask->before = ss_pool_new(pool, count, sizeof(ss_mode));
    ask->present = ss_pool_new(pool, count, sizeof(part));
    ask->part = ss_pool_new(pool, count, sizeof(part));
    ask->kinks = ss_pool_new(pool, kinks, sizeof(int));
    ask->piece = ss_pool_new(pool, kinks, d);
    ask->b = ss_pool_new(pool, 5 * count, d);
    ask->size = ask->b + count;
    ask->right = ask->size + count;
    ask->force = ask->right + count;
    ask->trial = ask->force + count;
    ask->matrix = ss_pool_new(pool, count * count, d);
    ask->inverse = ss_pool_new(pool, count * count, d);
    ask->work = ss_pool_new(pool, 4 * count * count + count, d);
    ask->order = ss_pool_new(pool, count, sizeof(int));
    for (int k = 0; k < MOST_ANSWERS; k++) {
        answer* a = &ask->answers[k];
        a->part = ss_pool_new(pool, count, sizeof(part));
        a->piece = ss_pool_new(pool, kinks, d);
        a->a = ss_pool_new(pool, 4 * count, d);
        a->force = a->a + count;
        a->slack = a->force + count;
        a->lead = ss_pool_new(pool, count, sizeof(int));
    }
    return !pool->failed;
}

// ---- levels at given forces

static const ss_open_following* following_of(const ss_open_run* open_run, int i)
{
    for (int l = 0; l < open_run->following_count; l++)
        if (open_run->following[l].contact == i) return &open_run->following[l];
    return NULL;
}

// Values and slopes of the levels at the forces in ask->trial, on the pieces that are tried.
static void evaluate_levels(question* ask, const double force[])
{
    ss_sim* sim = ask->sim;
    ss_level_forces* own = sim->level_forces;
    for (int p = 0; p < ask->count; p++) own->at[ask->group->contacts[p]] = force[p];
    const ss_program* motion = &sim->model->actions->motion;
    for (int k = 0; k < ask->kink_count; k++)
        own->pieces[motion->code[motion->kinks[ask->kinks[k]]].kink] = ask->piece[k];
    ss_find_level_slopes(sim);
    (void)ss_run_values(&own->motion, sim->step.t, own->point, true, own->outputs);
}

static bool is_given(const ss_contact* contact, int which)
{
    return contact->level[which] || contact->follows & 1 << which || contact->at_rest[which - 2] > 0.0;
}

// A level of contact i as given, at the forces that were evaluated.
static double level_of(const question* ask, int i, int which)
{
    const ss_contact* contact = &ask->sim->model->contacts[i];
    const ss_open_following* own = following_of(&ask->sim->open, i);
    if (own && own->output[which] >= 0)
        return ask->sim->level_forces->outputs[own->output[which]] * ss_level_share(contact, which);
    if (own && contact->level[which]) return own->raw[which * (SS_MAX_ORDER + 1)];
    if (own) return which < 2 ? contact->levels[which] : contact->at_rest[which - 2];
    bool forward = which == SS_FORWARD || which == SS_STATIC_FORWARD;
    if (which >= 2) return forward ? -ss_hold_low(ask->sim, i, 0) : ss_hold_high(ask->sim, i, 0);
    return forward ? -ss_kinetic_low(ask->sim, i, 0) : ss_kinetic_high(ask->sim, i, 0);
}

// At rest the larger of both counts, where one is given.
static double level_at_rest(const question* ask, int i, bool forward)
{
    const ss_contact* contact = &ask->sim->model->contacts[i];
    double kinetic = level_of(ask, i, forward ? SS_FORWARD : SS_BACKWARD);
    int which = forward ? SS_STATIC_FORWARD : SS_STATIC_BACKWARD;
    if (!following_of(&ask->sim->open, i)) return level_of(ask, i, which);
    if (contact->loaded) return fmax(0.0, level_of(ask, i, which));
    return fmax(0.0, is_given(contact, which) ? fmax(kinetic, level_of(ask, i, which)) : kinetic);
}

static bool is_kinetic(part what) { return what == LOW_KINETIC || what == HIGH_KINETIC; }
static bool is_low(part what) { return what == LOW || what == LOW_KINETIC; }
static bool is_high(part what) { return what == HIGH || what == HIGH_KINETIC; }
static bool is_pinned(part what) { return is_low(what) || is_high(what); }

// Whether contact i has a level at rest beside the one of slip.
static bool has_level_at_rest(const ss_contact* contact, bool forward)
{
    return contact->loaded || is_given(contact, forward ? SS_STATIC_FORWARD : SS_STATIC_BACKWARD);
}

// The level that the force of place p is at.
static ss_level level_it_is_at(const question* ask, int p)
{
    int i = ask->group->contacts[p];
    part what = ask->part[p];
    bool forward = what == PLUS || is_low(what);
    if (is_pinned(what) && !is_kinetic(what) && has_level_at_rest(&ask->sim->model->contacts[i], forward))
        return forward ? SS_STATIC_FORWARD : SS_STATIC_BACKWARD;
    return forward ? SS_FORWARD : SS_BACKWARD;
}

// The output that is this level, or -1.
static int output_of(const question* ask, int p)
{
    int i = ask->group->contacts[p];
    const ss_open_following* own = following_of(&ask->sim->open, i);
    if (!own || !ask->sim->model->contacts[i].follows_forces) return -1;
    return own->output[level_it_is_at(ask, p)];
}

// Which way the force of place p, which is at its level, pushes.
static double way_of(const question* ask, int p)
{
    return ask->part[p] == PLUS || is_low(ask->part[p]) ? -1.0 : 1.0;
}

// Its force per unit of that level as it is given.
static double per_level(const question* ask, int p)
{
    const ss_contact* contact = &ask->sim->model->contacts[ask->group->contacts[p]];
    if (contact->loaded && !ask->asked[p]) return ask->moving[p];
    return way_of(ask, p) * ss_level_share(contact, (int)level_it_is_at(ask, p));
}

// ---- one assignment

static bool slips(part what) { return what == PLUS || what == MINUS; }
static bool is_free(part what) { return what == PLUS_FREE || what == MINUS_FREE; }

// One linear system: rows of what holds say that it has no acceleration, of what slips that its force is its
// level by the slopes at ask->trial.
static void assemble(question* ask)
{
    int count = ask->count;
    for (int p = 0; p < count; p++) {
        double* row = &ask->matrix[p * count];
        int i = ask->group->contacts[p];
        memset(row, 0, (size_t)count * sizeof *row);
        row[p] = 1.0;
        ask->right[p] = 0.0;
        if (ask->part[p] == KNOWN) {
            ask->right[p] = ask->sim->step.lambda[i];
        } else if (ask->part[p] == HOLDS) {
            double scale = ask->group->coupling[p * count + p];
            scale = scale > 0.0 ? 1.0 / scale : 1.0; // rows of one size: mobilities may differ much
            for (int r = 0; r < count; r++)
                row[r] = ask->part[r] == KNOWN ? 0.0 : scale * ask->group->coupling[p * count + r];
            ask->right[p] = -scale * ask->b[p];
        } else if (slips(ask->part[p]) || is_pinned(ask->part[p])) {
            double way = per_level(ask, p);
            int output = output_of(ask, p);
            bool moving = !ask->asked[p] && ask->sim->step.laws.curved_at[i] >= 0;
            if (output >= 0)
                ask->right[p] = way * ask->sim->level_forces->outputs[output];
            else
                ask->right[p] = moving ? ss_slip_force(ask->sim, i, 0)
                                       : way_of(ask, p) * level_of(ask, i, (int)level_it_is_at(ask, p));
            for (int r = 0; r < count && output >= 0; r++) {
                double slope = way * ss_level_slope(ask->sim, output, ask->group->contacts[r]);
                row[r] -= slope;
                ask->right[p] -= slope * ask->trial[r];
            }
        }
    }
}

// Forces of the assignment; false where its system has no solution.
static bool solve(question* ask)
{
    enum { ROUNDS = 60 }; // of Newton's method, where levels are curved; otherwise the first is the last
    int count = ask->count;
    bool found = !ask->sim->level_forces->curved;
    for (int p = 0; p < count; p++) ask->trial[p] = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        double off = 0.0, size = 0.0;
        evaluate_levels(ask, ask->trial);
        assemble(ask);
        if (ask->sim->level_forces->curved && round == 0)
            for (int k = 0; k < count; k++) // levels have no slope at 0: begin without friction
                if (output_of(ask, k) >= 0 && (slips(ask->part[k]) || is_pinned(ask->part[k]))) {
                    memset(&ask->matrix[k * count], 0, (size_t)count * sizeof(double));
                    ask->matrix[k * count + k] = 1.0;
                    ask->right[k] = 0.0;
                }
        int rank = ss_general_inverse(ask->matrix, count, SS_RELATIVE_ZERO, ask->inverse, NULL, NULL,
                                      ask->work, ask->order);
        for (int p = 0; p < count; p++) {
            ask->force[p] = 0.0;
            for (int r = 0; r < count; r++) ask->force[p] += ask->inverse[p * count + r] * ask->right[r];
            off = fmax(off, fabs(ask->force[p] - ask->trial[p]));
            size = fmax(size, fabs(ask->force[p]));
        }
        ask->redundant = ask->redundant || rank < count;
        for (int p = 0; p < count && rank < count; p++) {
            double left = -ask->right[p], terms = fabs(ask->right[p]);
            for (int r = 0; r < count; r++) {
                left += ask->matrix[p * count + r] * ask->force[r];
                terms += fabs(ask->matrix[p * count + r]) * size; // rounding of the largest is everywhere
            }
            if (fabs(left) > SS_CLEAR * terms) return false;
        }
        bool done = !ask->sim->level_forces->curved || (round > 0 && off <= SS_UNIT_NOISE * size);
        memcpy(ask->trial, ask->force, (size_t)count * sizeof(double));
        if (ask->sim->level_forces->curved) found = round > 0 && off <= SS_SOLVED * size;
        if (done) break;
    }
    evaluate_levels(ask, ask->force);
    return found;
}

static double acceleration(const question* ask, int p, double* size)
{
    double a = ask->b[p];
    *size = ask->size[p];
    for (int r = 0; r < ask->count; r++) {
        double term = ask->part[r] == KNOWN ? 0.0 : ask->group->coupling[p * ask->count + r] * ask->force[r];
        a += term;
        *size += fabs(term);
    }
    return a;
}

// What counts as 0 of a force of place p, N.
static double force_zero(const question* ask, int p)
{
    double size, mobility = ask->group->coupling[p * (ask->count + 1)];
    (void)acceleration(ask, p, &size);
    return SS_RELATIVE_ZERO * (fabs(ask->force[p]) + (mobility > 0.0 ? size / mobility : 0.0));
}

static double all_forces_zero(const question* ask)
{
    double sum = 0.0;
    for (int p = 0; p < ask->count; p++) sum += force_zero(ask, p);
    return sum;
}

// A first look, at order 0: whether place p does what is assumed, to rounding.
static bool place_agrees(const question* ask, int p)
{
    int i = ask->group->contacts[p];
    double size, a = acceleration(ask, p, &size), small = SS_CLEAR * size;
    double force = ask->force[p], slack = 1e3 * all_forces_zero(ask);
    switch (ask->part[p]) {
    case HOLDS:
        if (ask->sim->model->contacts[i].is_tie) return true;
        if (!is_friction(ask, p))
            return force >= ss_hold_low(ask->sim, i, 0) - slack &&
                   force <= ss_hold_high(ask->sim, i, 0) + slack;
        return force >= -level_at_rest(ask, i, true) - slack && force <= level_at_rest(ask, i, false) + slack;
    case PLUS: return (!ask->asked[p] || a >= -small) && level_of(ask, i, SS_FORWARD) >= -slack;
    case MINUS: return (!ask->asked[p] || a <= small) && level_of(ask, i, SS_BACKWARD) >= -slack;
    case PLUS_FREE: return (!ask->asked[p] || a >= -small) && level_of(ask, i, SS_FORWARD) < -slack;
    case MINUS_FREE: return (!ask->asked[p] || a <= small) && level_of(ask, i, SS_BACKWARD) < -slack;
    case OPEN: return !ask->asked[p] || -ask->sim->model->contacts[i].stop.side * a >= -small;
    case LOW:
    case HIGH:
    case LOW_KINETIC:
    case HIGH_KINETIC:
        return fabs(a) <= small && fabs(fabs(force) - level_at_rest(ask, i, is_low(ask->part[p]))) <= slack;
    default: return true;
    }
}

static bool agrees(question* ask)
{
    const ss_level_forces* own = ask->sim->level_forces;
    double slack = 1e3 * all_forces_zero(ask);
    for (int p = 0; p < ask->count; p++)
        if (!place_agrees(ask, p)) {
            ask->broken = 2 * p + (ask->force[p] < 0.0);
            return false;
        }
    for (int k = 0; k < ask->kink_count; k++)
        if (ss_run_switch_at(&own->motion, ask->kinks[k]) < -slack) {
            ask->broken = 2 * ask->count + k;
            return false;
        }
    return true;
}

// ---- derivatives of an assignment

static ss_mode mode_of(const question* ask, int p)
{
    bool stop = !is_friction(ask, p);
    switch (ask->part[p]) {
    case IDLE:
    case LOW:
    case HIGH:
    case LOW_KINETIC:
    case HIGH_KINETIC:
    case HOLDS: return stop ? SS_MODE_CLOSED : SS_MODE_STICK;
    case PLUS:
    case PLUS_FREE: return SS_MODE_SLIP_PLUS;
    case MINUS:
    case MINUS_FREE: return SS_MODE_SLIP_MINUS;
    case OPEN: return SS_MODE_OPEN;
    default: return ask->sim->modes.contacts[ask->group->contacts[p]].mode;
    }
}

static void put_edge(const question* ask, int p)
{
    ss_contact_run* run = &ask->sim->modes.contacts[ask->group->contacts[p]];
    run->edge = (signed char)(is_high(ask->part[p]) - is_low(ask->part[p]));
    run->kinetic = is_kinetic(ask->part[p]);
}

// The modes and pieces of the assignment become those of the run. Levels that are curved in the forces begin
// with those found.
static void put(question* ask, const double force[])
{
    ss_sim* sim = ask->sim;
    ss_open_programs* programs = sim->open.programs;
    const ss_program* motion = &sim->model->actions->motion;
    for (int k = 0; k < ask->kink_count; k++) {
        int kink = motion->code[motion->kinks[ask->kinks[k]]].kink;
        programs->pieces[kink] = programs->start[kink] = sim->level_forces->pieces[kink] = ask->piece[k];
    }
    for (int p = 0; p < ask->count; p++) {
        int i = ask->group->contacts[p];
        bool slips_off = ask->asked[p] && slips(ask->part[p]);
        sim->level_forces->at[i] = sim->level_forces->curved ? force[p] : 0.0;
        int lead = !ask->asked[p] ? ask->leads[p] : slips_off ? 1 : ask->part[p] == OPEN ? 2 : 0;
        ss_put_mode(&sim->modes, i, mode_of(ask, p), lead, ask->part[p] == IDLE, NULL);
        put_edge(ask, p);
        if (slips_off) ss_start_slip(sim->model, &sim->step, &sim->modes, i);
    }
    ss_build_hold(sim, ask->g);
    ss_constrain_velocity(sim->model, &sim->step, &sim->modes, ask->g);
    ss_count_active(sim->model, &sim->step, &sim->inputs, &sim->modes);
}

// Rounding of what is asked of place p at order k, of accelerations; as in select.c.
static double acceleration_zero(const ss_sim* sim, int i, int k)
{
    double factor = 1.0;
    for (int j = 1; j <= k; j++) factor *= sim->control.rate / j;
    return SS_RELATIVE_ZERO * ss_acceleration_size(sim, i, k) +
           (k > 0 ? SS_NOISE * factor * ss_acceleration_size(sim, i, 0) : 0.0);
}

// Coefficient k of what contact i would do if it did not hold; the series of the motion take for granted that
// it does.
static double free_acceleration(const question* ask, int i, int k)
{
    const ss_sim* sim = ask->sim;
    const ss_contact* contact = &sim->model->contacts[i];
    const double* d2 = sim->step.d + (size_t)(k + 2) * (size_t)sim->model->drive_count;
    return ss_row_dot(&contact->q, sim->pulls.accel) +
           (contact->d.count > 0 ? (k + 1) * (k + 2) * ss_row_dot(&contact->d, d2) : 0.0);
}

// The conditions of an assignment: up to two of a place, then the kinks. Coefficient k, and what of it is
// rounding; false where there is no such condition.
static bool condition(const question* ask, int c, int k, double* value, double* zero)
{
    const ss_sim* sim = ask->sim;
    if (c >= 2 * ask->count) {
        double series[SS_MAX_ORDER + 2];
        int j = ask->kinks[c - 2 * ask->count];
        ss_run_switch(&sim->open.programs->motion, j, k, series);
        *value = series[k];
        *zero = 0.0;
        for (int p = 0; p < ask->count; p++) {
            double mobility = ask->group->coupling[p * (ask->count + 1)];
            if (mobility > 0.0) *zero += acceleration_zero(sim, ask->group->contacts[p], k) / mobility;
        }
        return true;
    }
    int p = c / 2, side = c % 2, i = ask->group->contacts[p], m = sim->model->contact_count;
    const ss_contact* contact = &sim->model->contacts[i];
    double force = sim->step.lambda[(size_t)k * (size_t)m + (size_t)i];
    double mobility = ask->group->coupling[p * (ask->count + 1)];
    if (!ask->asked[p]) return false;
    *zero = acceleration_zero(sim, i, k);
    bool stays = is_pinned(ask->part[p]) && side == 1; // at its bound, which is the larger of two levels
    if (ask->part[p] == HOLDS || stays) {
        double low = ss_hold_low(sim, i, k), high = ss_hold_high(sim, i, k);
        double bound = stays ? (is_high(ask->part[p]) ? high : low) : side == 0 ? high : low;
        if (isinf(bound)) return false;
        *value = stays ? -fabs(bound - force) : side == 0 ? high - force : force - low;
        *zero = (mobility > 0.0 ? *zero / mobility : 0.0) +
                SS_RELATIVE_ZERO * (k == 0 ? fabs(bound) + fabs(force) : fabs(bound) + fabs(force));
        return true;
    }
    if (side == 1) return false;
    double a = is_pinned(ask->part[p]) ? free_acceleration(ask, i, k)
                                       : (k + 1) * ss_relative_velocity(sim->model, &sim->step, i, k + 1);
    *value = ask->part[p] == OPEN                                ? -contact->stop.side * a
             : is_pinned(ask->part[p])                           ? -fabs(a) // the others hold it
             : ask->part[p] == PLUS || ask->part[p] == PLUS_FREE ? a
                                                                 : -a;
    return true;
}

// Whether the conditions hold in the order of their derivatives. Notes leads and slack in `out`.
static bool holds_in_time(question* ask, answer* out)
{
    ss_sim* sim = ask->sim;
    int conditions = 2 * ask->count + ask->kink_count;
    bool* settled = ss_new((size_t)conditions, sizeof *settled);
    if (!settled) return false;
    bool good = true, open = true;
    memset(out->slack, 0, 2 * (size_t)ask->count * sizeof(double));
    put(ask, ask->force);
    if (!sim->level_forces->groups[ask->g]->solvable) { // levels that follow each other with a gain of 1
        ask->singular = true;
        free(settled);
        return false;
    }
    for (int p = 0; p < ask->count; p++) out->lead[p] = sim->modes.contacts[ask->group->contacts[p]].lead;
    for (int k = 0; k <= SS_DECIDE_ORDER && good && open; k++) {
        ss_balance(sim, k);
        ss_store_acceleration(sim, k);
        if (sim->open.programs->bad) break;
        open = false;
        for (int c = 0; c < conditions && good; c++) {
            double value, zero;
            if (settled[c] || !condition(ask, c, k, &value, &zero)) continue;
            settled[c] = value > zero;
            good = value >= -zero;
            if (!good) ask->broken = c;
            open = open || !settled[c];
            if (c >= 2 * ask->count || settled[c]) continue;
            if (ask->part[c / 2] == HOLDS && k == 0) out->slack[c] = 2.0 * zero;
            if (slips(ask->part[c / 2])) out->lead[c / 2] = k + 2;
            if (ask->part[c / 2] == OPEN) out->lead[c / 2] = k + 3;
        }
    }
    for (int p = 0; p < ask->count && good; p++) { // no acceleration in all derivatives: it holds
        out->part[p] = ask->part[p];
        bool holds = ask->part[p] == HOLDS || is_pinned(ask->part[p]);
        if (!ask->asked[p] || holds || out->lead[p] <= SS_DECIDE_ORDER + 1) continue;
        good = ask->part[p] == OPEN;
        out->part[p] = IDLE;
        out->lead[p] = 0;
    }
    free(settled);
    return good;
}

// ---- all assignments

static void keep(question* ask, answer* to)
{
    const ss_level_group* own = ask->sim->level_forces->groups[ask->g];
    memcpy(to->piece, ask->piece, (size_t)ask->kink_count * sizeof(double));
    to->stable = own->stable;
}

static int rank_of(part what)
{
    static const int rank[PARTS] = {
        [LOW] = 1,  [HIGH] = 1,  [LOW_KINETIC] = 1, [HIGH_KINETIC] = 1, [IDLE] = 2,
        [PLUS] = 3, [MINUS] = 3, [PLUS_FREE] = 3,   [MINUS_FREE] = 3,   [OPEN] = 4};
    return rank[what];
}

// What a place does as far as modes go: whether a force is at its bound is no mode.
static part mode_part(part what) { return is_pinned(what) || what == IDLE ? HOLDS : what; }

static double norm_of(const question* ask, const answer* a)
{
    double sum = 0.0;
    for (int p = 0; p < ask->count; p++) sum += a->force[p] * a->force[p];
    return sum;
}

// Whether a comes before b: it keeps more modes; then stick before slip before open; then the forces of least
// norm.
static bool comes_before(const question* ask, const answer* a, const answer* b)
{
    int kept = 0;
    for (int p = 0; p < ask->count; p++) {
        if (ask->present[p] == PARTS) continue;
        kept += (mode_part(a->part[p]) == ask->present[p]) - (mode_part(b->part[p]) == ask->present[p]);
    }
    if (kept != 0) return kept > 0;
    for (int p = 0; p < ask->count; p++)
        if (mode_part(a->part[p]) != mode_part(b->part[p]))
            return rank_of(mode_part(a->part[p])) < rank_of(mode_part(b->part[p]));
    double more = norm_of(ask, a), less = norm_of(ask, b); // the same modes: admissible forces of least norm
    if (fabs(more - less) > SS_CLEAR * (more + less)) return more < less;
    for (int p = 0; p < ask->count; p++)
        if (a->part[p] != b->part[p]) return rank_of(a->part[p]) < rank_of(b->part[p]);
    return false;
}

// Their accelerations differ by no more than what rounding leaves of the terms that they add up, those of
// forces that cancel among them.
static bool same_motion(const question* ask, const answer* a, const answer* b)
{
    for (int p = 0; p < ask->count; p++) {
        double terms = ask->size[p];
        for (int r = 0; r < ask->count; r++)
            terms += fabs(ask->group->coupling[p * ask->count + r]) * (fabs(a->force[r]) + fabs(b->force[r]));
        if (fabs(a->a[p] - b->a[p]) > SS_CLEAR * terms) return false;
    }
    return true;
}

// Assignments without LOW and HIGH have been tried before.
static bool is_known(const question* ask)
{
    bool pins = false;
    for (int p = 0; p < ask->count; p++) pins = pins || is_pinned(ask->part[p]);
    return ask->pins && !pins;
}

// The assignment at hand, where it is an answer.
static void try_assignment(question* ask)
{
    if (is_known(ask) || ask->answer_count == MOST_ANSWERS || !solve(ask) || !agrees(ask)) return;
    answer* to = &ask->answers[ask->answer_count];
    double size;
    bool free_slip = false; // with a negative level: that ends the run
    memcpy(to->part, ask->part, (size_t)ask->count * sizeof(part));
    for (int p = 0; p < ask->count; p++) {
        to->a[p] = acceleration(ask, p, &size);
        to->force[p] = ask->force[p];
        free_slip = free_slip || is_free(ask->part[p]);
    }
    if (!free_slip && !holds_in_time(ask, to)) return;
    keep(ask, to);
    for (int k = 0; k < ask->answer_count; k++) {
        answer* other = &ask->answers[k];
        if (!same_motion(ask, to, other)) continue;
        if (!comes_before(ask, to, other)) return;
        answer spare = *other; // the memory of both stays
        *other = *to;
        *to = spare;
        return;
    }
    ask->answer_count++;
}

// The next part of place p in turn; false where all have been tried, and it is the first again.
static bool next_part(const question* ask, int p, part* what)
{
    bool follows = ask->sim->model->contacts[ask->group->contacts[p]].follows_forces;
    if (!ask->asked[p]) {
        if (!follows || *what == KNOWN) return false;
        switch (*what) { // it slips, perhaps without friction
        case PLUS: *what = PLUS_FREE; return true;
        case MINUS: *what = MINUS_FREE; return true;
        case PLUS_FREE: *what = PLUS; return false;
        default: *what = MINUS; return false;
        }
    }
    if (!is_friction(ask, p)) {
        *what = *what == HOLDS ? OPEN : HOLDS;
        return *what == OPEN;
    }
    static const part next[PARTS] = {[HOLDS] = PLUS,
                                     [PLUS] = MINUS,
                                     [MINUS] = LOW,
                                     [LOW] = HIGH,
                                     [HIGH] = LOW_KINETIC,
                                     [LOW_KINETIC] = HIGH_KINETIC,
                                     [HIGH_KINETIC] = PLUS_FREE,
                                     [PLUS_FREE] = MINUS_FREE,
                                     [MINUS_FREE] = HOLDS};
    const ss_contact* contact = &ask->sim->model->contacts[ask->group->contacts[p]];
    bool both = is_given(contact, SS_STATIC_FORWARD) || is_given(contact, SS_STATIC_BACKWARD);
    *what = next[*what];
    if (*what == LOW && !ask->pins) *what = PLUS_FREE;
    if (*what == LOW_KINETIC && (contact->loaded || !both)) *what = PLUS_FREE;
    if (*what == PLUS_FREE && !follows) *what = HOLDS;
    return *what != HOLDS;
}

static bool next_modes(question* ask)
{
    for (int p = 0; p < ask->count; p++)
        if (next_part(ask, p, &ask->part[p])) return true;
    return false;
}

static bool next_pieces(question* ask)
{
    for (int k = 0; k < ask->kink_count; k++) {
        ask->piece[k] = -ask->piece[k];
        if (ask->piece[k] < 0.0) return true;
    }
    return false;
}

// What answers condition c where it is broken: the place, or the kink, goes to the mode that the laws then
// ask for.
static void answer_broken(question* ask, int c)
{
    if (c >= 2 * ask->count) {
        ask->piece[c - 2 * ask->count] *= -1.0;
        return;
    }
    part* what = &ask->part[c / 2];
    bool stop = !is_friction(ask, c / 2);
    if (!ask->asked[c / 2])
        (void)next_part(ask, c / 2, what); // without friction, where its level is negative
    else if (*what != HOLDS)
        *what = HOLDS;
    else
        *what = stop ? OPEN : c % 2 == 0 ? MINUS : PLUS;
}

// Of a group with too many assignments to try all: from one to the next by the first condition that is broken
// (Murty's least index), or where that goes in circles, by one of them at random. What is found satisfies all
// conditions; that it is the only one is not known.
static void pivot(question* ask)
{
    enum { STARTS = 8 };
    const int most = 64 * (ask->count + ask->kink_count);
    uint32_t chance = 1;
    for (int k = 0; k < ask->kink_count; k++) ask->piece[k] = 1.0;
    for (int round = 0; round < STARTS * most && ask->answer_count == 0; round++) {
        ask->broken = -1;
        try_assignment(ask);
        if (ask->answer_count > 0) return;
        chance = 1664525U * chance + 1013904223U;
        bool leaves = ask->broken < 0 || (round >= most && chance >> 30 == 0);
        answer_broken(ask, leaves ? (int)((chance >> 8) % (uint32_t)(2 * ask->count + ask->kink_count))
                                  : ask->broken);
    }
}

static void try_all(question* ask)
{
    memcpy(ask->sim->level_forces->pieces, ask->sim->open.programs->pieces,
           (size_t)ss_graph_kink_count(ask->sim->model->open->graph) * sizeof(double));
    if (ask->sim->level_forces->groups[ask->g]->ways > SS_MOST_WAYS) {
        pivot(ask);
        return;
    }
    for (int k = 0; k < ask->kink_count; k++) ask->piece[k] = 1.0;
    do {
        do {
            do try_assignment(ask);
            while (next_modes(ask));
        } while (next_pieces(ask));
        ask->pins = !ask->pins && ask->redundant;
    } while (ask->pins);
}

// ---- the answer

static answer* choose(question* ask)
{
    answer* best = NULL;
    bool any_stable = false;
    for (int k = 0; k < ask->answer_count; k++) any_stable = any_stable || ask->answers[k].stable;
    for (int k = 0; k < ask->answer_count; k++) {
        answer* a = &ask->answers[k];
        if (any_stable && !a->stable) continue;
        if (!best || comes_before(ask, a, best)) best = a;
    }
    return best;
}

// The contacts of the group that another answer treats otherwise.
static void note_several(question* ask, const answer* best)
{
    int count = 0;
    for (int p = 0; p < ask->count && ask->answer_count > 1; p++) {
        bool differs = false;
        for (int k = 0; k < ask->answer_count; k++)
            differs = differs || ask->answers[k].part[p] != best->part[p];
        if (differs) ask->sim->work.note_contacts[count++] = ask->group->contacts[p];
    }
    if (count == 0) ask->sim->work.note_contacts[count++] = ss_first_follower(ask->sim->model, ask->g);
    if (ask->answer_count > 1)
        ss_note_now(ask->sim,
                    "many-futures: several motions satisfy all laws here; the one that keeps most modes was "
                    "taken, then stick before slip before open",
                    ask->sim->work.note_contacts, count);
}

// Whether a level is negative at the forces of the answer, which is then named.
static bool has_negative_level(question* ask, const answer* best)
{
    for (int p = 0; p < ask->count; p++) {
        if (!is_free(best->part[p])) continue;
        int which = best->part[p] == PLUS_FREE ? SS_FORWARD : SS_BACKWARD;
        ss_open_name_level(ask->sim->model, &ask->sim->inputs, &ask->sim->open, ask->group->contacts[p],
                           which);
        ss_mark_negative_level(&ask->sim->inputs);
        return true;
    }
    return false;
}

static void take(question* ask, const answer* best)
{
    memcpy(ask->part, best->part, (size_t)ask->count * sizeof(part));
    memcpy(ask->piece, best->piece, (size_t)ask->kink_count * sizeof(double));
    put(ask, best->force);
    for (int p = 0; p < ask->count; p++) {
        int i = ask->group->contacts[p];
        if (!ask->asked[p]) continue;
        ss_put_mode(&ask->sim->modes, i, mode_of(ask, p), best->lead[p], best->part[p] == IDLE,
                    &best->slack[2 * p]);
        put_edge(ask, p);
        if (slips(best->part[p])) ss_start_slip(ask->sim->model, &ask->sim->step, &ask->sim->modes, i);
    }
    ss_balance(ask->sim, 0);
    ss_store_acceleration(ask->sim, 0);
}

// Modes and forces of the group as it is; *found: there are some.
static bool decide(ss_sim* sim, int g, bool* found)
{
    question ask;
    bool good = open_question(&ask, sim, g);
    *found = false;
    if (good) {
        look_at_places(&ask);
        free_accelerations(&ask);
        good = !sim->open.programs->bad;
    }
    if (good) {
        try_all(&ask);
        const answer* best = choose(&ask);
        *found = best != NULL;
        good = !best || !has_negative_level(&ask, best);
        if (best && good) {
            note_several(&ask, best);
            take(&ask, best);
        }
        if (!best && ask.singular) {
            ss_name_fault(sim->model, &sim->inputs, ss_first_follower(sim->model, g),
                          "levels follow each other with a gain of 1");
            good = false;
        }
        for (int p = 0; p < ask.count && !best; p++)
            ss_put_mode(&sim->modes, ask.group->contacts[p], ask.before[p], ask.leads[p], false, NULL);
    }
    ss_pool_free(&ask.pool);
    return good;
}

int ss_first_follower(const ss_model* model, int g)
{
    const ss_group* group = &model->groups[g];
    int c = 0;
    while (c + 1 < group->count && !model->contacts[group->contacts[c]].follows_forces) c++;
    return group->contacts[c];
}

// Whether friction of the group slips: only then can it jam.
static bool slips_somewhere(const ss_model* model, const ss_modes* modes, int g)
{
    const ss_group* group = &model->groups[g];
    bool any = false;
    for (int c = 0; c < group->count; c++)
        any = any || (ss_slips(modes, group->contacts[c]) && !modes->contacts[group->contacts[c]].zero);
    return any;
}

// The run ends here; what is at fault has been named.
static bool fail(ss_open_run* open_run)
{
    open_run->programs->bad = true;
    return false;
}

bool ss_select_with_forces(ss_sim* sim, int g)
{
    bool found;
    if (!decide(sim, g, &found)) return fail(&sim->open);
    if (found) return true;
    if (slips_somewhere(sim->model, &sim->modes, g) && ss_jam(sim, g)) {
        if (!sim->course.started)
            ss_note_now(sim, "jam: no force satisfies all laws at the start; an impulse ends the slip", NULL,
                        0);
        sim->open.programs->begun = false; // speeds are others now
        if (!decide(sim, g, &found)) return fail(&sim->open);
        if (found) return true;
    }
    ss_name_fault(sim->model, &sim->inputs, ss_first_follower(sim->model, g),
                  "no forces satisfy all laws, and no impulse does");
    sim->inputs.no_motion = true;
    return fail(&sim->open);
}
