// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Impacts in groups whose levels follow forces: friction has impulses, too. With P the impulses along all
// rows, v- and v+ the speeds before and after,
//
//     v+ = v- + A P,   stops  g'+ + e min(g'-, 0) >= 0 _|_ P_N >= 0,   ties  v+ = 0,
//     friction  |P_T| <= level(P),  P_T against v_T+ + e_T v_T-,  all of the level where that is not 0,
//
// level(P) being the limit of level(s P)/s for large s (a program of its own: ss_actions.impulse), and 0
// where that is negative. As in with_forces.c all assignments are tried, and the same rule chooses among
// several.
//
// A jam is the same problem where nothing collides: no force satisfies all laws, and the impulse that ends
// the slip does.
#include "core/algebra/dense.h"
#include "core/tolerance.h"
#include "engine/flow/energy.h"
#include "engine/flow/level_forces.h"
#include "engine/select/select.h"
#include "law/table.h"
#include "model/actions.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST_ANSWERS = 16 };

// What a place does: GIVES what it needs (a stop that is struck, a tie, friction that sticks), slips, or has
// no impulse; *_FREE: friction whose level would be negative.
typedef enum part { NONE, GIVES, PLUS, MINUS, PLUS_FREE, MINUS_FREE, LETS } part;

typedef struct answer {
    part* part;
    double *impulse, *after;
    double* piece; // of each kink
    bool stable;
} answer;

typedef struct question {
    ss_sim* sim;
    const ss_group* group;
    int g, count;
    bool rebounds; // restitutions count
    bool jams;     // nothing collides: some impulse must there be
    int kink_count;
    int* kinks;
    double* piece;
    part* part;
    double *before, *target, *zero; // speeds; where a contact that gives gets to; rounding
    double *matrix, *inverse, *right, *impulse, *trial, *after, *work;
    int* order;
    int broken; // the first place that breaks its law, or after all places a kink
    answer answers[MOST_ANSWERS];
    int answer_count;
    ss_pool pool;
} question;

static int contact_at(const question* ask, int p) { return ask->group->contacts[p]; }
static bool is_tie(const question* ask, int p)
{
    return ask->sim->model->contacts[contact_at(ask, p)].is_tie;
}
static bool is_stop(const question* ask, int p) { return ss_is_stop(ask->sim->model, contact_at(ask, p)); }

static double side_of(const question* ask, int p)
{
    return ask->sim->model->contacts[contact_at(ask, p)].rigid_stop.side;
}

static bool approaches(const question* ask, int p)
{
    const ss_contact_run* run = &ask->sim->modes.contacts[contact_at(ask, p)];
    return is_stop(ask, p) && run->gap == 0.0 && side_of(ask, p) * ask->before[p] > ask->zero[p];
}

// Whether a stop that is struck stands in the level of contact i, itself or through other levels.
static bool feels_stop(const question* ask, int i, int depth)
{
    const ss_open* open = ask->sim->model->open;
    bool any = false;
    for (int l = 0; l < open->level_count && !any; l++)
        for (int p = 0; p < ask->count && open->levels[l].contact == i && !any; p++) {
            if (!ss_graph_uses(open->graph, open->levels[l].node, open->first_force + contact_at(ask, p)))
                continue;
            any = approaches(ask, p) || (depth > 0 && feels_stop(ask, contact_at(ask, p), depth - 1));
        }
    return any;
}

// Whether something that may give impulses, a stop that touches or a tie, stands in the level of contact i,
// itself or through other levels.
static bool feels_impulses(const question* ask, int i, int depth)
{
    const ss_open* open = ask->sim->model->open;
    bool any = false;
    for (int l = 0; l < open->level_count && !any; l++)
        for (int p = 0; p < ask->count && open->levels[l].contact == i && !any; p++) {
            if (!ss_graph_uses(open->graph, open->levels[l].impulse, open->first_force + contact_at(ask, p)))
                continue;
            bool touches = is_stop(ask, p) && ask->sim->modes.contacts[contact_at(ask, p)].gap == 0.0;
            any = touches || is_tie(ask, p) ||
                  (depth > 0 && feels_impulses(ask, contact_at(ask, p), depth - 1));
        }
    return any;
}

static double restitution_of(const question* ask, int p)
{
    const ss_contact* contact = &ask->sim->model->contacts[contact_at(ask, p)];
    if (!ask->rebounds || is_tie(ask, p)) return 0.0;
    if (is_stop(ask, p)) return approaches(ask, p) ? contact->rigid_stop.restitution : 0.0;
    return contact->restitution > 0.0 && feels_stop(ask, contact_at(ask, p), ask->count)
               ? contact->restitution
               : 0.0;
}

static part first_part(const question* ask, int p)
{
    const ss_contact* contact = &ask->sim->model->contacts[contact_at(ask, p)];
    const ss_contact_run* run = &ask->sim->modes.contacts[contact_at(ask, p)];
    if (is_tie(ask, p)) return GIVES;
    if (is_stop(ask, p)) return run->gap == 0.0 ? GIVES : NONE;
    if (ss_has_bristles(contact)) return NONE; // they would have to be bent for that, which takes a way
    bool feels = ask->jams || feels_impulses(ask, contact_at(ask, p), ask->count);
    return contact->follows_forces && feels ? GIVES : NONE;
}

static bool open_question(question* ask, ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    size_t count = (size_t)group->count, kinks = (size_t)sim->model->actions->impulse.kink_count,
           d = sizeof(double);
    *ask = (question){.sim = sim, .group = group, .g = g, .count = group->count};
    ss_pool* pool = &ask->pool;
    ask->kinks = ss_pool_new(pool, kinks, sizeof(int));
    ask->piece = ss_pool_new(pool, kinks, d);
    ask->part = ss_pool_new(pool, count, sizeof(part));
    ask->before = ss_pool_new(pool, 7 * count, d);
    ask->matrix = ss_pool_new(pool, 6 * count * count + count, d);
    ask->order = ss_pool_new(pool, count, sizeof(int));
    for (int k = 0; k < MOST_ANSWERS; k++) {
        ask->answers[k].part = ss_pool_new(pool, count, sizeof(part));
        ask->answers[k].impulse = ss_pool_new(pool, 2 * count, d);
        ask->answers[k].piece = ss_pool_new(pool, kinks, d);
    }
    if (pool->failed) return false;
    for (int k = 0; k < MOST_ANSWERS; k++) ask->answers[k].after = ask->answers[k].impulse + count;
    ask->target = ask->before + count;
    ask->zero = ask->target + count;
    ask->right = ask->zero + count;
    ask->impulse = ask->right + count;
    ask->trial = ask->impulse + count;
    ask->after = ask->trial + count;
    ask->inverse = ask->matrix + count * count;
    ask->work = ask->inverse + count * count;
    for (int p = 0; p < ask->count; p++) {
        int i = group->contacts[p];
        ask->before[p] = ss_relative_velocity(sim->model, &sim->step, i, 0);
        ask->zero[p] = ss_velocity_rounding(sim->model, &sim->step, &sim->modes, i);
        if (fabs(ask->before[p]) <= ask->zero[p]) ask->before[p] = 0.0;
    }
    for (int j = 0; j < sim->model->actions->impulse.kink_count; j++)
        if (sim->level_forces->impulse_group[j] == g) ask->kinks[ask->kink_count++] = j;
    return true;
}

static void begin(question* ask, bool rebounds)
{
    ask->rebounds = rebounds;
    ask->answer_count = 0;
    for (int p = 0; p < ask->count; p++) {
        ask->part[p] = first_part(ask, p);
        ask->target[p] = -restitution_of(ask, p) * ask->before[p];
    }
    for (int k = 0; k < ask->kink_count; k++) ask->piece[k] = 1.0;
}

// ---- levels of impulses

static void evaluate_levels(question* ask, const double impulse[])
{
    ss_level_forces* own = ask->sim->level_forces;
    const ss_program* program = &ask->sim->model->actions->impulse;
    int first = ask->sim->model->open->first_force;
    for (int p = 0; p < ask->count; p++) own->point[first + contact_at(ask, p)] = impulse[p];
    for (int k = 0; k < ask->kink_count; k++)
        own->pieces[program->code[program->kinks[ask->kinks[k]]].kink] = ask->piece[k];
    (void)ss_run_values(&own->impulse, ask->sim->step.t, own->point, true, own->impulses);
    (void)ss_run_values(&own->impulse_slope, ask->sim->step.t, own->point, true, own->impulse_slopes);
}

// The place among all levels of that of contact i in a direction; -1 where it follows no force.
static int level_at(const question* ask, int i, bool forward)
{
    const ss_open* open = ask->sim->model->open;
    for (int l = 0; l < open->level_count; l++)
        if (open->levels[l].contact == i && open->levels[l].which == (forward ? SS_FORWARD : SS_BACKWARD))
            return l;
    return -1;
}

// What the limit of a level is times that of the normal force, where the contact is loaded: what the law
// never falls below, and of curves, of which that is not known, their level at rest.
static double share_of(const question* ask, int p, bool forward)
{
    const ss_contact* contact = &ask->sim->model->contacts[contact_at(ask, p)];
    if (!contact->loaded) return 1.0;
    double least = ss_law_ask(contact->law_entry, ss_law_of(contact), NAN).least[forward ? 0 : 1];
    return isnan(least) ? contact->levels[forward ? SS_FORWARD : SS_BACKWARD] : least;
}

static double level_of(const question* ask, int p, bool forward)
{
    int l = level_at(ask, contact_at(ask, p), forward);
    return l < 0 ? 0.0 : ask->sim->level_forces->impulses[l] * share_of(ask, p, forward);
}

static double slope_of(const question* ask, int p, bool forward, int r)
{
    const ss_jacobian* slopes = &ask->sim->model->actions->impulse_slopes;
    int l = level_at(ask, contact_at(ask, p), forward),
        variable = ask->sim->model->open->first_force + contact_at(ask, r);
    for (int e = 0; e < slopes->count; e++)
        if (slopes->row[e] == l && slopes->variable[e] == variable) {
            double slope = ask->sim->level_forces->impulse_slopes[e];
            return isfinite(slope) ? slope * share_of(ask, p, forward) : 0.0; // hypot without impulses
        }
    return 0.0;
}

// ---- one assignment

static void assemble(question* ask, bool friction)
{
    int count = ask->count;
    for (int p = 0; p < count; p++) {
        double* row = &ask->matrix[p * count];
        memset(row, 0, (size_t)count * sizeof *row);
        ask->right[p] = 0.0;
        row[p] = 1.0;
        if (ask->part[p] == GIVES) {
            double scale = ask->group->coupling[p * (count + 1)];
            scale = scale > 0.0 ? 1.0 / scale : 1.0; // rows of one size: mobilities may differ much
            for (int r = 0; r < count; r++) row[r] = scale * ask->group->coupling[p * count + r];
            ask->right[p] = scale * (ask->target[p] - ask->before[p]);
        } else if ((ask->part[p] == PLUS || ask->part[p] == MINUS) && friction) {
            bool plus = ask->part[p] == PLUS;
            double way = plus ? -1.0 : 1.0;
            ask->right[p] = way * level_of(ask, p, plus);
            for (int r = 0; r < count; r++) {
                double slope = way * slope_of(ask, p, plus, r);
                row[r] -= slope;
                ask->right[p] -= slope * ask->trial[r];
            }
        }
    }
}

static bool solve(question* ask, bool* stable)
{
    enum { ROUNDS = 60 }; // of Newton's method, where levels are curved
    int count = ask->count;
    bool curved = ask->sim->level_forces->curved, found = false;
    memset(ask->trial, 0, (size_t)count * sizeof(double));
    for (int round = 0; round < ROUNDS; round++) {
        double off = 0.0, size = 0.0;
        evaluate_levels(ask, ask->trial);
        assemble(ask, !curved || round > 0);
        int rank = ss_general_inverse(ask->matrix, count, SS_RELATIVE_ZERO, ask->inverse, NULL, stable,
                                      ask->work, ask->order);
        for (int p = 0; p < count; p++) {
            ask->impulse[p] = 0.0;
            for (int r = 0; r < count; r++) ask->impulse[p] += ask->inverse[p * count + r] * ask->right[r];
            off = fmax(off, fabs(ask->impulse[p] - ask->trial[p]));
            size = fmax(size, fabs(ask->impulse[p]));
        }
        for (int p = 0; p < count && rank < count; p++) {
            double left = -ask->right[p], terms = fabs(ask->right[p]);
            for (int r = 0; r < count; r++) {
                left += ask->matrix[p * count + r] * ask->impulse[r];
                terms += fabs(ask->matrix[p * count + r]) * size; // rounding of the largest is everywhere
            }
            if (fabs(left) > SS_CLEAR * terms) return false;
        }
        memcpy(ask->trial, ask->impulse, (size_t)count * sizeof(double));
        found = !curved || (round > 0 && off <= SS_SOLVED * size);
        if (!curved || (round > 0 && off <= SS_UNIT_NOISE * size)) break;
    }
    evaluate_levels(ask, ask->impulse);
    for (int p = 0; p < count; p++) {
        ask->after[p] = ask->before[p];
        for (int r = 0; r < count; r++)
            ask->after[p] += ask->group->coupling[p * count + r] * ask->impulse[r];
    }
    return found;
}

static double largest_impulse(const question* ask)
{
    double most = 0.0;
    for (int p = 0; p < ask->count; p++) most = fmax(most, fabs(ask->impulse[p]));
    return most;
}

static bool place_agrees(const question* ask, int p, double small)
{
    double speed = ask->zero[p] + SS_SOLVED * fabs(ask->before[p]), w = ask->after[p] - ask->target[p];
    for (int r = 0; r < ask->count; r++)
        speed += SS_SOLVED * fabs(ask->group->coupling[p * ask->count + r] * ask->impulse[r]);
    switch (ask->part[p]) {
    case GIVES:
        if (is_tie(ask, p)) return true;
        if (is_stop(ask, p)) return -side_of(ask, p) * ask->impulse[p] >= -small;
        return ask->impulse[p] >= -fmax(level_of(ask, p, true), 0.0) - small &&
               ask->impulse[p] <= fmax(level_of(ask, p, false), 0.0) + small;
    case LETS: return -side_of(ask, p) * w >= -speed;
    case PLUS: return w >= -speed && level_of(ask, p, true) >= -small;
    case MINUS: return w <= speed && level_of(ask, p, false) >= -small;
    case PLUS_FREE: return w >= -speed && level_of(ask, p, true) < -small;
    case MINUS_FREE: return w <= speed && level_of(ask, p, false) < -small;
    default: return true;
    }
}

static bool agrees(question* ask)
{
    double small = SS_SOLVED * largest_impulse(ask);
    ask->broken = 0;
    for (; ask->broken < ask->count; ask->broken++)
        if (!place_agrees(ask, ask->broken, small)) return false;
    for (int k = 0; k < ask->kink_count; k++, ask->broken++)
        if (ss_run_switch_at(&ask->sim->level_forces->impulse, ask->kinks[k]) < -small) return false;
    return true;
}

// ---- all assignments

static bool next_part(const question* ask, int p, part* what)
{
    static const part of_stop[] = {[GIVES] = LETS, [LETS] = GIVES};
    static const part of_friction[] = {[GIVES] = PLUS,           [PLUS] = MINUS,       [MINUS] = PLUS_FREE,
                                       [PLUS_FREE] = MINUS_FREE, [MINUS_FREE] = GIVES, [LETS] = GIVES};
    if (*what == NONE || is_tie(ask, p)) return false;
    *what = is_stop(ask, p) ? of_stop[*what] : of_friction[*what];
    return *what != GIVES;
}

static bool next_assignment(question* ask)
{
    for (int p = 0; p < ask->count; p++)
        if (next_part(ask, p, &ask->part[p])) return true;
    for (int k = 0; k < ask->kink_count; k++) {
        ask->piece[k] = -ask->piece[k];
        if (ask->piece[k] < 0.0) return true;
    }
    return false;
}

static int rank_of(part what) { return what == GIVES ? 0 : what == LETS ? 2 : 1; }

// Whether place p does after the impulses what it did before: slips that way, or stays at rest.
static bool keeps_mode(const question* ask, const answer* a, int p)
{
    double after = fabs(a->after[p]) <= SS_CLEAR * fabs(ask->before[p]) + ask->zero[p] ? 0.0 : a->after[p];
    if (ask->before[p] == 0.0) return after == 0.0;
    return !is_stop(ask, p) && after * ask->before[p] > 0.0;
}

// Whether a comes before b: it keeps more modes; then stick before slip before open.
static bool comes_before(const question* ask, const answer* a, const answer* b)
{
    int kept = 0;
    for (int p = 0; p < ask->count; p++) kept += keeps_mode(ask, a, p) - keeps_mode(ask, b, p);
    if (kept != 0) return kept > 0;
    for (int p = 0; p < ask->count; p++)
        if (rank_of(a->part[p]) != rank_of(b->part[p])) return rank_of(a->part[p]) < rank_of(b->part[p]);
    return false;
}

static bool same_speeds(const question* ask, const answer* a, const answer* b)
{
    double size = 0.0;
    for (int p = 0; p < ask->count; p++) size = fmax(size, fabs(ask->before[p]));
    for (int p = 0; p < ask->count; p++)
        if (fabs(a->after[p] - b->after[p]) > SS_CLEAR * size) return false;
    return true;
}

static void try_assignment(question* ask)
{
    bool stable = true;
    if (ask->answer_count == MOST_ANSWERS || !solve(ask, &stable) || !agrees(ask)) return;
    if (ask->jams && !(largest_impulse(ask) > 0.0)) return;
    answer* to = &ask->answers[ask->answer_count];
    memcpy(to->part, ask->part, (size_t)ask->count * sizeof(part));
    memcpy(to->impulse, ask->impulse, (size_t)ask->count * sizeof(double));
    memcpy(to->after, ask->after, (size_t)ask->count * sizeof(double));
    memcpy(to->piece, ask->piece, (size_t)ask->kink_count * sizeof(double));
    to->stable = stable;
    for (int k = 0; k < ask->answer_count; k++) {
        answer* other = &ask->answers[k];
        if (!same_speeds(ask, to, other)) continue;
        if (!comes_before(ask, to, other)) return;
        answer spare = *other;
        *other = *to;
        *to = spare;
        return;
    }
    ask->answer_count++;
}

static void answer_broken(question* ask, int c)
{
    if (c >= ask->count) {
        ask->piece[c - ask->count] *= -1.0;
        return;
    }
    part* what = &ask->part[c];
    if (*what == NONE || is_tie(ask, c)) return;
    if (*what != GIVES)
        *what = GIVES;
    else
        *what = is_stop(ask, c) ? LETS : ask->impulse[c] > 0.0 ? MINUS : PLUS;
}

// Of a group with too many assignments, as in with_forces.c.
static void pivot(question* ask)
{
    enum { STARTS = 8 };
    const int all = ask->count + ask->kink_count, most = 64 * all;
    uint32_t chance = 1;
    for (int round = 0; round < STARTS * most; round++) {
        ask->broken = all;
        try_assignment(ask);
        if (ask->answer_count > 0) return;
        chance = 1664525U * chance + 1013904223U;
        bool leaves = ask->broken >= all || (round >= most && chance >> 30 == 0);
        answer_broken(ask, leaves ? (int)((chance >> 8) % (uint32_t)all) : ask->broken);
    }
}

static answer* find(question* ask, bool rebounds)
{
    answer* best = NULL;
    bool any_stable = false;
    begin(ask, rebounds);
    if (ask->sim->level_forces->groups[ask->g]->ways > SS_MOST_WAYS)
        pivot(ask);
    else
        do try_assignment(ask);
        while (next_assignment(ask));
    for (int k = 0; k < ask->answer_count; k++) any_stable = any_stable || ask->answers[k].stable;
    for (int k = 0; k < ask->answer_count; k++) {
        answer* a = &ask->answers[k];
        if ((!any_stable || a->stable) && (!best || comes_before(ask, a, best))) best = a;
    }
    return best;
}

// ---- what it does

// Kinetic energy that the impulses take, and what drives put in.
static void push(question* ask, const answer* best)
{
    ss_sim* sim = ask->sim;
    const ss_model* model = sim->model;
    double before = ss_kinetic_energy(model, &sim->step), work = 0.0, *v = sim->step.q + model->n;
    for (int p = 0; p < ask->count; p++) {
        const ss_contact* contact = &model->contacts[contact_at(ask, p)];
        double impulse = best->impulse[p];
        if (impulse == 0.0) continue;
        if (contact->d.count > 0) work -= impulse * ss_row_dot(&contact->d, sim->step.d + model->drive_count);
        for (int k = 0; k < contact->mobility.count; k++)
            v[contact->mobility.index[k]] += contact->mobility.value[k] * impulse;
        for (int c = 0; c < ask->count; c++)
            sim->modes.contacts[contact_at(ask, c)].kick +=
                fabs(ask->group->coupling[c * ask->count + p] * impulse);
    }
    double loss = before + work - ss_kinetic_energy(model, &sim->step);
    ss_book_impact(&sim->ledger, work, loss);
    if (loss < -SS_RELATIVE_ZERO * (before + fabs(work)))
        ss_note_now(sim, "impact-adds-energy: the impact law with these coefficients adds energy here", NULL,
                    0);
}

// What derivatives ask for: the system that the impulses solve.
static void keep_blow(question* ask, const answer* best)
{
    ss_blow* blow = &ask->sim->level_forces->blow;
    int count = ask->count, kinks = 0;
    bool stable;
    memcpy(ask->part, best->part, (size_t)count * sizeof(part));
    for (; kinks < ask->kink_count; kinks++) ask->piece[kinks] = best->piece[kinks];
    blow->count = blow->count > 0 ? 2 : 1; // more is as bad
    blow->group = ask->g;
    blow->smooth = solve(ask, &stable) && !ask->jams && ask->answer_count == 1;
    memcpy(blow->inverse, ask->inverse, (size_t)(count * count) * sizeof(double));
    for (int p = 0; p < count; p++) {
        double mobility = ask->group->coupling[p * (count + 1)];
        bool gives = ask->part[p] == GIVES;
        blow->impulse[p] = best->impulse[p];
        blow->scale[p] = !gives ? 0.0 : mobility > 0.0 ? 1.0 / mobility : 1.0;
        blow->target[p] = gives ? -restitution_of(ask, p) : 0.0;
        blow->side[p] = (signed char)((ask->part[p] == MINUS) - (ask->part[p] == PLUS));
    }
}

static bool ends_at_rest(const question* ask, const answer* best, int p)
{
    return best->part[p] == GIVES && ask->target[p] == 0.0;
}

// Whose speeds are 0 now, whatever rounding says; and which way the others go.
static void classify(question* ask, const answer* best)
{
    for (int p = 0; p < ask->count; p++) {
        int i = contact_at(ask, p);
        ss_contact_run* run = &ask->sim->modes.contacts[i];
        double speed = is_stop(ask, p) ? side_of(ask, p) * ask->before[p] : 0.0;
        bool slipped = ss_slips(&ask->sim->modes, i);
        if (is_stop(ask, p) && best->part[p] == GIVES && approaches(ask, p)) {
            ss_note_impact(&ask->sim->modes, i, speed, -side_of(ask, p) * ask->target[p]);
        }
        ss_classify_velocity(ask->sim->model, &ask->sim->step, &ask->sim->modes, i);
        if (!ends_at_rest(ask, best, p)) continue;
        run->zero = true;
        if (ask->jams && slipped && best->impulse[p] != 0.0) run->jammed = true;
    }
}

static void note_without_rebound(ss_sim* sim)
{
    ss_note_now(
        sim,
        "impact-without-rebound: no impulses satisfy the impact law with the coefficients given; they "
        "counted as 0 here",
        NULL, 0);
}

static void note_several(const question* ask)
{
    int i = ss_first_follower(ask->sim->model, ask->g);
    if (ask->answer_count > 1)
        ss_note_now(ask->sim,
                    "many-futures: several impulses satisfy the impact law here; one was taken by rule", &i,
                    1);
}

static bool resolve(ss_sim* sim, int g, bool jams, bool rebounds)
{
    question ask;
    bool good = open_question(&ask, sim, g);
    ask.jams = jams;
    if (good) {
        ss_begin_impulses(sim);
        const answer* best = rebounds ? find(&ask, true) : NULL;
        if (!best) {
            best = find(&ask, false);
            if (best && rebounds) note_without_rebound(sim);
        }
        good = best != NULL;
        if (good) {
            note_several(&ask);
            keep_blow(&ask, best);
            push(&ask, best);
            classify(&ask, best);
        }
    }
    ss_pool_free(&ask.pool);
    return good;
}

bool ss_strike_with_friction(ss_sim* sim, int g, bool rebounds) { return resolve(sim, g, false, rebounds); }
bool ss_jam(ss_sim* sim, int g) { return resolve(sim, g, true, false); }
