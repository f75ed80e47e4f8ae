// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A smaller tolerance shrinks the error, in every quantity that is delivered: positions, speeds, deflections
// of bristles, forces, times of events, places and works of reversals, entries of the ledger. Random rows of
// blocks, each kind of smooth motion for itself, in pairs and mixed, at tolerances from 1e-6 to 1e-12 against
// 1e-13.
//
// How much errors grow on the way is a property of the motion, and is measured: by the same run from a start
// that is moved by 1e-9. At tolerance e the error may be what a start moved by FACTOR e would make of it.
//
// What the finest run converges to is compared with a second opinion (peer_row.h) in positions, speeds and
// deflections, wherever no bristle is too stiff for it; its own error is told by two of its tolerances.
#include "peer_row.h"
#include "share/law.h"
#include "share/model_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCKS = ROW_BLOCKS, SAMPLES = 10, CONTACTS = 2 * BLOCKS, EVENTS = 400, LEVELS = 4, SYSTEMS = 20 };
enum { PER_CONTACT = 2 + ROW_ELEMENTS, LEDGER = 5, VALUES = 2 * BLOCKS + PER_CONTACT * CONTACTS + LEDGER };
static const double tolerances[LEVELS] = {1e-6, 1e-8, 1e-10, 1e-12};
static const double finest = 1e-13, moved = 1e-9, until = 3.0, factor = 10.0, rounding = 2e-13;

typedef enum group { POSITION, SPEED, DEFLECTION, FORCE, ENERGY, TIME, TURN, GROUPS } group;
static const char* const group_names[] = {"x", "v", "z", "force", "energy", "event time", "reversal"};

// Everything that a run delivers.
typedef struct record {
    double value[SAMPLES][VALUES];
    double time[EVENTS], turn[EVENTS], turn_work[EVENTS];
    int contact[EVENTS], events, turns;
    bool ended; // in something else than time or rest
} record;

static random_row row;

// ---- running

static double sample_time(int k) { return until * (k + 0.618) / SAMPLES; }

static group group_of(int value)
{
    if (value < BLOCKS) return POSITION;
    if (value < 2 * BLOCKS) return SPEED;
    if (value >= VALUES - LEDGER) return ENERGY;
    return (value - 2 * BLOCKS) % PER_CONTACT == 0 ? FORCE : DEFLECTION;
}

static void sample(const ss_model* model, const ss_sim* sim, double out[VALUES])
{
    int bodies = ss_model_body_count(model), contacts = ss_model_contact_count(model);
    memset(out, 0, VALUES * sizeof out[0]);
    for (int i = 0; i < bodies && i < BLOCKS; i++) {
        out[i] = ss_sim_x(sim)[i];
        out[BLOCKS + i] = ss_sim_v(sim)[i];
    }
    for (int i = 0; i < contacts; i++) {
        double* here = out + 2 * BLOCKS + PER_CONTACT * i;
        ss_contact_state state = ss_sim_contact(sim, i);
        here[0] = state.force;
        here[1] = isnan(state.z) ? 0.0 : state.z;
        ss_sim_deflections(sim, i, here + 2);
    }
    ss_energy e = ss_sim_energy(sim);
    const double parts[LEDGER] = {e.end, e.input, e.friction, e.damping, e.impact};
    memcpy(out + VALUES - LEDGER, parts, sizeof parts);
}

// Reversals count by their place: at v = 0 it is known much better than the time. Short branches are the
// ringing of bristles, down to rounding.
static void keep_event(void* user, const ss_event* event)
{
    record* out = user;
    if (event->kind == SS_EVENT_REVERSAL || out->events == EVENTS) return;
    out->time[out->events] = event->t;
    out->contact[out->events++] = event->contact;
}

static void keep_branch(void* user, const ss_branch* branch)
{
    record* out = user;
    if (out->turns == EVENTS || fabs(branch->to - branch->from) < 1e-4) return;
    out->turn[out->turns] = branch->to;
    out->turn_work[out->turns++] = branch->work;
}

static void make_run(const ss_model* model, uint64_t seed, double tolerance, double move, record* out)
{
    random_source dice = {seed ^ 0x5eed};
    ss_sim* sim = NULL;
    ss_outcome outcome = SS_TIME_REACHED;
    ss_error err;
    double x[RIG_BODIES], v[RIG_BODIES];
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = tolerance;
    def.on_event = keep_event;
    def.on_branch = keep_branch;
    def.user = out;
    out->events = out->turns = 0;
    assert_int_equal(ss_sim_create(model, &def, &sim, &err), SS_OK);
    for (int i = 0; i < ss_model_body_count(model); i++) { // driven bodies go their own way
        x[i] = ss_sim_x(sim)[i] + move * random_between(&dice, -1.0, 1.0);
        v[i] = ss_sim_v(sim)[i] + move * random_between(&dice, -2.0, 2.0);
    }
    if (move > 0.0) assert_int_equal(ss_sim_restart(sim, x, v, &err), SS_OK);
    for (int k = 0; k < SAMPLES; k++) {
        if (ss_sim_advance(sim, sample_time(k), &outcome, &err) != SS_OK)
            fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
        sample(model, sim, out->value[k]);
    }
    out->ended = outcome != SS_TIME_REACHED && outcome != SS_AT_REST;
    ss_sim_destroy(sim);
}

// ---- comparing

static bool same_events(const record* a, const record* b)
{
    return a->events == b->events && a->turns == b->turns &&
           memcmp(a->contact, b->contact, (size_t)a->events * sizeof a->contact[0]) == 0;
}

static double largest(const record* r, int value)
{
    double size = 0.0;
    for (int k = 0; k < SAMPLES; k++) size = fmax(size, fabs(r->value[k][value]));
    return size;
}

// Largest difference of two runs in each group, over the size of the quantity in the first.
static void compare(const record* a, const record* b, double out[GROUPS])
{
    double ledger = 0.0, far = 0.0;
    for (int g = 0; g < GROUPS; g++) out[g] = 0.0;
    for (int j = VALUES - LEDGER; j < VALUES; j++) ledger = fmax(ledger, largest(a, j));
    for (int j = 0; j < VALUES; j++) {
        group g = group_of(j);
        double size = g == ENERGY ? ledger : largest(a, j);
        for (int k = 0; k < SAMPLES && size > 0.0; k++)
            out[g] = fmax(out[g], fabs(a->value[k][j] - b->value[k][j]) / size);
    }
    if (!same_events(a, b)) return;
    for (int k = 0; k < a->turns; k++) far = fmax(far, fabs(a->turn[k]));
    for (int k = 0; k < a->turns; k++) {
        out[TURN] = fmax(out[TURN], fabs(a->turn[k] - b->turn[k]) / far);
        out[ENERGY] = fmax(out[ENERGY], fabs(a->turn_work[k] - b->turn_work[k]) / ledger);
    }
    for (int k = 0; k < a->events; k++) out[TIME] = fmax(out[TIME], fabs(a->time[k] - b->time[k]) / until);
}

// ---- a second opinion

#if defined(__SANITIZE_ADDRESS__)
static const double stiffest = 100.0; // N/m; they look at memory, not at numbers
#else
static const double stiffest = 1e4; // N/m
#endif

// Whether bristles are slow enough for explicit steps.
static bool is_tame(void)
{
    for (int i = 0; i < row.rig.def.contact_count; i++) {
        const ss_contact_def* contact = &row.rig.contacts[i];
        if (contact->law == SS_LAW_LUGRE && contact->lugre.sigma0 > stiffest) return false;
        if (contact->law == SS_LAW_DAHL && contact->dahl.sigma0 > stiffest) return false;
        if (contact->law == SS_LAW_ELASTO_PLASTIC && contact->elasto_plastic.lugre.sigma0 > stiffest)
            return false;
    }
    return true;
}

// The finest run with what the second opinion says in its place. False where it has doubts.
static bool ask_peer(double tolerance, const record* truth, record* out)
{
    static peer_row_state states[SAMPLES];
    double times[SAMPLES];
    for (int k = 0; k < SAMPLES; k++) times[k] = sample_time(k);
    if (!peer_row_run(&row, tolerance, times, SAMPLES, states)) return false;
    *out = *truth;
    for (int k = 0; k < SAMPLES; k++)
        for (int i = 0; i < row.blocks; i++) {
            const double* own = states[k][i];
            out->value[k][i] = own[0];
            out->value[k][BLOCKS + i] = own[1];
            if (row.law[i] < 0) continue;
            ss_law_kind law = row.rig.contacts[row.law[i]].law;
            double* here = out->value[k] + 2 * BLOCKS + PER_CONTACT * row.law[i];
            if (ss_law_has(law, SS_TRAIT_Z) && !ss_law_has(law, SS_TRAIT_MANY)) here[1] = own[2];
            if (ss_law_element_word(law)) memcpy(here + 2, own + 2, ROW_ELEMENTS * sizeof own[0]);
        }
    return true;
}

typedef struct tally {
    int faults, asked, doubts;
    double worst;
} tally;

static void second_opinion(uint64_t seed, const record* truth, const double grown[GROUPS], tally* sum)
{
    static record fine, coarse;
    double error[GROUPS], own[GROUPS];
    if (!is_tame()) return;
    sum->asked++;
    if (!ask_peer(1e-13, truth, &fine) || !ask_peer(1e-11, truth, &coarse)) {
        sum->doubts++;
        return;
    }
    compare(truth, &fine, error);
    compare(&fine, &coarse, own);
    for (int g = POSITION; g <= DEFLECTION; g++) {
        double allowed = factor * (finest + rounding) * (1.0 + grown[g] / moved) + own[g];
        sum->worst = fmax(sum->worst, error[g]);
        if (error[g] <= allowed) continue;
        print_message("seed %llu: %s is off by %.2g from a second opinion, allowed are %.2g\n",
                      (unsigned long long)seed, group_names[g], error[g], allowed);
        sum->faults++;
    }
}

// ---- the tests

// One motion at one tolerance. Says what is wrong; the number of faults.
static int examine_at(double tolerance, uint64_t seed, const record* truth, const record* other,
                      const double grown[GROUPS], bool robust)
{
    double error[GROUPS];
    int faults = 0;
    compare(truth, other, error);
    if (other->ended || (robust && tolerance < 1e-7 && !same_events(truth, other))) {
        print_message("seed %llu, tolerance %g: %d events and %d reversals instead of %d and %d%s\n",
                      (unsigned long long)seed, tolerance, other->events, other->turns, truth->events,
                      truth->turns, other->ended ? "; the run ended early" : "");
        faults++;
    }
    for (int g = 0; g < GROUPS; g++) {
        double allowed = factor * (tolerance + rounding) * (1.0 + grown[g] / moved);
        if (error[g] <= allowed) continue;
        print_message("seed %llu, tolerance %g: %s is off by %.2g, allowed are %.2g\n",
                      (unsigned long long)seed, tolerance, group_names[g], error[g], allowed);
        faults++;
    }
    return faults;
}

static void examine(row_kind of, uint64_t seed, tally* sum)
{
    static record truth, other;
    double grown[GROUPS];
    ss_model* model = random_row_draw(&row, of, seed);
    make_run(model, seed, finest, 0.0, &truth);
    make_run(model, seed, finest, moved, &other);
    bool robust = same_events(&truth, &other); // otherwise it depends on next to nothing what happens
    compare(&truth, &other, grown);
    for (int l = 0; l < LEVELS; l++) {
        make_run(model, seed, tolerances[l], 0.0, &other);
        sum->faults += examine_at(tolerances[l], seed, &truth, &other, grown, robust);
    }
    if (robust) second_opinion(seed, &truth, grown, sum);
    ss_model_destroy(model);
}

static void errors_shrink(void** state)
{
    row_kind of = (row_kind)(intptr_t)*state;
    tally sum = {0};
    int count = random_count(SYSTEMS);
    for (int n = 0; n < count; n++) examine(of, (uint64_t)(1000 * (int)of + n + 1), &sum);
    print_message("%d of %d asked for a second opinion, %d with a doubt, off by %.2g at most\n", sum.asked,
                  count, sum.doubts, sum.worst);
    assert_int_equal(sum.faults, 0);
    assert_true(4 * sum.doubts <= sum.asked);
}

int main(void)
{
#define KIND(name, of)                                                                                       \
    {                                                                                                        \
        "errors shrink: " name, errors_shrink, NULL, NULL, (void*)(intptr_t)(of)                             \
    }
    const struct CMUnitTest tests[] = {
        KIND("LuGre", ROW_LUGRE),
        KIND("Dahl", ROW_DAHL),
        KIND("Maxwell-slip", ROW_MAXWELL),
        KIND("Stribeck", ROW_STRIBECK),
        KIND("elasto-plastic", ROW_ELASTO_PLASTIC),
        KIND("generalised Maxwell-slip", ROW_GMS),
        KIND("curve", ROW_CURVE),
        KIND("cubic springs", ROW_CUBIC),
        KIND("Hunt-Crossley stops", ROW_HUNT_CROSSLEY),
        KIND("others beside LuGre", ROW_BESIDE),
        KIND("all mixed", ROW_MIXED),
        KIND("stops with dampers", ROW_ELASTIC_STOP),
        KIND("Coulomb and rigid stops", ROW_RIGID_STOP),
        KIND("all mixed, shaken", ROW_SHAKEN),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
