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
// What the finest run converges to is compared with something else: where all contacts are laws with one
// state, the classical Runge-Kutta method on their rates in very small steps, whose own error two lengths of
// step tell.
#include "random_system.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    BLOCKS = 3,
    SAMPLES = 10,
    CONTACTS = 2 * BLOCKS,
    EVENTS = 400,
    ELEMENTS = 3,
    LEVELS = 4,
    SYSTEMS = 20
};
enum { PER_CONTACT = 2 + ELEMENTS, LEDGER = 5, VALUES = 2 * BLOCKS + PER_CONTACT * CONTACTS + LEDGER };
static const double tolerances[LEVELS] = {1e-6, 1e-8, 1e-10, 1e-12};
static const double finest = 1e-13, moved = 1e-9, until = 3.0, factor = 10.0, rounding = 2e-13;

typedef enum kind {
    LUGRE,
    DAHL,
    MAXWELL,
    STRIBECK,
    ELASTO_PLASTIC,
    GMS,
    CURVE,
    CUBIC,
    ELASTIC,
    BESIDE,
    MIXED
} kind;

typedef enum group { POSITION, SPEED, DEFLECTION, FORCE, ENERGY, TIME, TURN, GROUPS } group;
static const char* const group_names[] = {"x", "v", "z", "force", "energy", "event time", "reversal"};

// Everything that a run delivers.
typedef struct record {
    double value[SAMPLES][VALUES];
    double time[EVENTS], turn[EVENTS], turn_work[EVENTS];
    int contact[EVENTS], events, turns;
    bool ended; // in something else than time or rest
} record;

// What a row was drawn with, for whoever computes it without the library.
typedef struct drawn {
    double size, omega, phase, belt; // force size sin(omega t + phase) on a block, speed of the belt
    int pushed, base;                // that block, or -1; the belt, or SS_GROUND
} drawn;

static rig row;
static drawn with;

// ---- drawing

// 1 and 2 are analytic where v passes 0, the others are not.
static const double fall_shapes[] = {0.7, 1.0, 2.0, 1.5, 2.5};
static const double dahl_shapes[] = {0.3, 0.5, 0.7, 1.0, 1.5, 2.0};
static const double exponents[] = {1.0, 1.5, 2.0, 2.2};

static double power_of_ten(random_source* dice, double low, double high)
{
    return pow(10.0, random_between(dice, low, high));
}

static void rub(rig* r, random_source* dice, kind law, int body, int base)
{
    static double stiffness[RIG_PARTS][ELEMENTS], breakaway[RIG_PARTS][ELEMENTS];
    double level = random_between(dice, 0.2, 1.5), more = level * random_between(dice, 1.0, 1.6);
    double speed = random_between(dice, 0.02, 0.5), viscous = random_between(dice, 0.0, 0.3);
    double sigma0 = power_of_ten(dice, 1.0, 6.5), sigma1 = random_between(dice, 0.0, 2.0) * sqrt(sigma0);
    double fall = fall_shapes[random_integer(dice, law == STRIBECK ? 1 : 0, 4)];
    ss_contact_def* contact = rig_contact(r, rig_row(r, body, 1.0, base, -1.0));
    int index = r->def.contact_count - 1;
    if (law == LUGRE) {
        contact->law = SS_LAW_LUGRE;
        contact->lugre = (ss_lugre){sigma0, sigma1, viscous, level, more, speed, fall};
    } else if (law == DAHL) {
        contact->law = SS_LAW_DAHL;
        contact->dahl = (ss_dahl){sigma0, level, dahl_shapes[random_integer(dice, 0, 5)]};
    } else if (law == MAXWELL) {
        for (int k = 0; k < ELEMENTS; k++) {
            stiffness[index][k] = power_of_ten(dice, 1.0, 3.0);
            breakaway[index][k] = random_between(dice, 0.1, 0.6);
        }
        contact->law = SS_LAW_MAXWELL_SLIP;
        contact->maxwell_slip = (ss_maxwell_def){stiffness[index], breakaway[index], ELEMENTS};
    } else if (law == ELASTO_PLASTIC) {
        contact->law = SS_LAW_ELASTO_PLASTIC;
        contact->elasto_plastic =
            (ss_elasto_plastic){.lugre = {sigma0, sigma1, viscous, level, more, speed, fall},
                                .breakaway = random_between(dice, 0.2, 0.95) * level / sigma0};
    } else if (law == GMS) {
        double share = random_between(dice, 0.2, 0.8);
        for (int k = 0; k < 2; k++) stiffness[index][k] = power_of_ten(dice, 1.5, 3.5);
        breakaway[index][0] = share;
        breakaway[index][1] = 1.0 - share;
        contact->law = SS_LAW_GMS;
        contact->gms = (ss_gms){2,
                                stiffness[index],
                                breakaway[index],
                                level,
                                more,
                                speed,
                                fall,
                                power_of_ten(dice, 0.0, 2.0),
                                viscous};
    } else if (law == CURVE) {
        double *speeds = stiffness[index], *forces = breakaway[index]; // three points
        speeds[0] = 0.0;
        for (int k = 1; k < 3; k++) speeds[k] = speeds[k - 1] + random_between(dice, 0.03, 0.6);
        for (int k = 0; k < 3; k++) forces[k] = random_between(dice, 0.2, 1.5);
        ss_curve_side side = {.speed = speeds, .force = forces, .count = 3};
        contact->law = SS_LAW_CURVE;
        contact->curve = (ss_curve){.side = {side, side}, .hold = {NAN, NAN}};
    } else if (law == STRIBECK) {
        contact->law = SS_LAW_STRIBECK;
        contact->stribeck = (ss_stribeck){level, more, speed, fall, viscous};
    } else {
        contact->law = SS_LAW_COULOMB;
        contact->coulomb = ss_coulomb_make(level);
    }
}

static void stop_at(rig* r, random_source* dice, int body)
{
    int side = random_integer(dice, 0, 1) ? 1 : -1;
    rig_elastic(r, body, SS_GROUND,
                (ss_hunt_crossley){.position = side * random_between(dice, 0.1, 0.8),
                                   .side = side,
                                   .stiffness = power_of_ten(dice, 1.5, 4.5),
                                   .exponent = exponents[random_integer(dice, 0, 3)],
                                   .alpha = random_between(dice, 0.0, 0.5)});
}

// Blocks, springs and a force.
static int draw_row(rig* r, random_source* dice, kind of, int* belt)
{
    int blocks = random_integer(dice, of == BESIDE ? 2 : 1, BLOCKS);
    char text[160];
    for (int i = 0; i < blocks; i++) {
        double mass = random_between(dice, 0.5, 2.0), x = random_between(dice, -1.0, 1.0);
        rig_body(r, mass, x, random_between(dice, -2.0, 2.0));
    }
    with = (drawn){.pushed = -1, .base = SS_GROUND};
    *belt = SS_GROUND;
    if (random_integer(dice, 0, 1)) {
        snprintf(text, sizeof text, "%.3f", random_between(dice, -0.5, 0.5));
        with.belt = strtod(text, NULL);
        *belt = with.base = rig_driven_speed(r, text);
    }
    for (int i = 0; i < blocks; i++) {
        int other = i > 0 && random_integer(dice, 0, 1) ? i - 1 : SS_GROUND;
        double stiffness = random_between(dice, 1.0, 40.0), damping = random_between(dice, 0.0, 0.3);
        ss_connection_def* spring = rig_spring(r, i, other, stiffness, damping);
        if (of == CUBIC || (of == MIXED && random_integer(dice, 0, 1)))
            spring->cubic = random_between(dice, 1.0, 40.0);
    }
    if (random_integer(dice, 0, 2) > 0) {
        double size = random_between(dice, 0.5, 4.0), omega = random_between(dice, 1.0, 8.0);
        double phase = random_between(dice, 0.0, 6.0);
        with.size = size, with.omega = omega, with.phase = phase;
        with.pushed = random_integer(dice, 0, blocks - 1);
        snprintf(text, sizeof text, "%.17g*sin(%.17g*t + %.17g)", size, omega, phase);
        rig_force(r, with.pushed, text);
    }
    return blocks;
}

static ss_model* draw(kind of, uint64_t seed)
{
    random_source dice = {seed};
    int belt;
    rig_init(&row);
    int blocks = draw_row(&row, &dice, of, &belt);
    for (int i = 0; i < blocks; i++) {
        kind law = of;
        if (of == MIXED) law = (kind)random_integer(&dice, 0, CUBIC);
        if (of == BESIDE)
            law = i % 2 == 0                    ? LUGRE
                  : random_integer(&dice, 0, 1) ? STRIBECK
                                                : CURVE; // stiff steps, in which another contact stops
        if (of != ELASTIC || random_integer(&dice, 0, 1)) rub(&row, &dice, law, i, i == 0 ? belt : SS_GROUND);
        if (of == ELASTIC || ((of == MIXED || of == BESIDE) && random_integer(&dice, 0, 1)))
            stop_at(&row, &dice, i);
    }
    return rig_model(&row);
}

// ---- running

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
        if (ss_sim_advance(sim, until * (k + 0.618) / SAMPLES, &outcome, &err) != SS_OK)
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

// One motion. Says what is wrong; the number of faults.
static int examine(kind of, uint64_t seed)
{
    static record truth, other;
    double error[GROUPS], grown[GROUPS];
    int faults = 0;
    ss_model* model = draw(of, seed);
    make_run(model, seed, finest, 0.0, &truth);
    make_run(model, seed, finest, moved, &other);
    bool robust = same_events(&truth, &other); // otherwise it depends on next to nothing what happens
    compare(&truth, &other, grown);
    for (int l = 0; l < LEVELS; l++) {
        make_run(model, seed, tolerances[l], 0.0, &other);
        compare(&truth, &other, error);
        if (other.ended || (robust && tolerances[l] < 1e-7 && !same_events(&truth, &other))) {
            print_message("seed %llu, tolerance %g: %d events and %d reversals instead of %d and %d%s\n",
                          (unsigned long long)seed, tolerances[l], other.events, other.turns, truth.events,
                          truth.turns, other.ended ? "; the run ended early" : "");
            faults++;
        }
        for (int g = 0; g < GROUPS; g++) {
            double allowed = factor * (tolerances[l] + rounding) * (1.0 + grown[g] / moved);
            if (error[g] <= allowed) continue;
            print_message("seed %llu, tolerance %g: %s is off by %.2g, allowed are %.2g\n",
                          (unsigned long long)seed, tolerances[l], group_names[g], error[g], allowed);
            faults++;
        }
    }
    ss_model_destroy(model);
    return faults;
}

// ---- a second opinion

enum { STATES = 3 * BLOCKS }; // x, v and z of every block

// Force of the contact of block i on it, and the rate of its state.
static double bristles(int i, double z, double v, double* rate)
{
    const ss_contact_def* contact = &row.contacts[i];
    if (contact->law == SS_LAW_LUGRE) {
        *rate = ss_lugre_rate(&contact->lugre, z, v);
        return ss_lugre_force(&contact->lugre, z, v);
    }
    if (contact->law == SS_LAW_DAHL) {
        *rate = ss_dahl_rate(&contact->dahl, z, v);
        return ss_dahl_force(&contact->dahl, z);
    }
    *rate = ss_elasto_plastic_rate(&contact->elasto_plastic, z, v);
    return ss_elasto_plastic_force(&contact->elasto_plastic, z, v);
}

// Block i has connection i, to the block before or to the ground, and contact i; the first lies on the belt.
static void rates(int blocks, double t, const double y[STATES], double out[STATES])
{
    const double *x = y, *v = y + BLOCKS, *z = v + BLOCKS;
    double pull[BLOCKS] = {0.0};
    if (with.pushed >= 0) pull[with.pushed] += with.size * sin(with.omega * t + with.phase);
    for (int i = 0; i < blocks; i++) {
        const ss_connection_def* spring = &row.connections[i];
        bool chained = spring->along.count > 1 && spring->along.terms[1].body != SS_GROUND;
        double e = x[i] - (chained ? x[i - 1] : 0.0), rate = v[i] - (chained ? v[i - 1] : 0.0);
        double force = spring->stiffness * e + spring->damping * rate;
        pull[i] -= force;
        if (chained) pull[i - 1] += force;
        pull[i] += bristles(i, z[i], v[i] - (i == 0 && with.base != SS_GROUND ? with.belt : 0.0),
                            &out[2 * BLOCKS + i]);
    }
    for (int i = 0; i < blocks; i++) {
        out[i] = v[i];
        out[BLOCKS + i] = pull[i] / row.bodies[i].mass;
    }
}

static void by_runge_kutta(int blocks, double step, double end, double y[STATES])
{
    double k[4][STATES] = {{0.0}}, at[STATES];
    int count = (int)ceil(end / step);
    double h = end / count;
    for (int n = 0; n < count; n++) {
        double t = n * h;
        rates(blocks, t, y, k[0]);
        for (int s = 1; s < 4; s++) {
            double share = s < 3 ? 0.5 * h : h;
            for (int j = 0; j < STATES; j++) at[j] = y[j] + share * k[s - 1][j];
            rates(blocks, t + share, at, k[s]);
        }
        for (int j = 0; j < STATES; j++)
            y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
}

// Whether bristles follow slowly enough for steps of 4e-6 s.
static bool is_tame(kind of)
{
    for (int i = 0; i < row.def.contact_count; i++) {
        const ss_contact_def* contact = &row.contacts[i];
        double sigma0 = of == LUGRE  ? contact->lugre.sigma0
                        : of == DAHL ? contact->dahl.sigma0
                                     : contact->elasto_plastic.lugre.sigma0;
        if (sigma0 > 2e4) return false;
    }
    return true;
}

// False where the row drawn is none for such a method.
static bool second_opinion(kind of, uint64_t seed, double* worst)
{
    const double end = 1.0, step = 4e-6;
    double fine[STATES] = {0.0}, coarse[STATES];
    ss_model* model = draw(of, seed);
    ss_sim* sim = NULL;
    ss_outcome outcome;
    ss_error err;
    ss_sim_def def = ss_sim_def_default();
    int blocks = ss_model_body_count(model) - (with.base != SS_GROUND);
    if (!is_tame(of)) {
        ss_model_destroy(model);
        return false;
    }
    for (int i = 0; i < blocks; i++) {
        fine[i] = row.bodies[i].start_x;
        fine[BLOCKS + i] = row.bodies[i].start_v;
    }
    memcpy(coarse, fine, sizeof fine);
    by_runge_kutta(blocks, step, end, fine);
    by_runge_kutta(blocks, 2.0 * step, end, coarse);
    assert_int_equal(ss_sim_create(model, &def, &sim, &err), SS_OK);
    assert_int_equal(ss_sim_advance(sim, end, &outcome, &err), SS_OK);
    for (int i = 0; i < blocks; i++) {
        double places[2] = {ss_sim_x(sim)[i], ss_sim_v(sim)[i]};
        for (int k = 0; k < 2; k++) {
            int j = k * BLOCKS + i;
            double error = fabs(places[k] - fine[j]), own = fabs(coarse[j] - fine[j]);
            *worst = fmax(*worst, error);
            if (!(error <= 3.0 * own + 1e-9))
                fail_msg("seed %llu, block %d, %s: off by %.2g where the second opinion is by some %.2g",
                         (unsigned long long)seed, i, k == 0 ? "x" : "v", error, own);
        }
    }
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    return true;
}

static void bristles_by_runge_kutta(void** state)
{
    static const kind kinds[] = {LUGRE, DAHL, ELASTO_PLASTIC};
    double worst = 0.0;
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int n = 0, done = 0; done < random_count(5); n++)
            done += second_opinion(kinds[k], (uint64_t)(700000 + 1000 * k + n), &worst);
    print_message("off by %.2g at most\n", worst);
}

static void errors_shrink(void** state)
{
    kind of = (kind)(intptr_t)*state;
    int faults = 0, count = random_count(SYSTEMS);
    for (int n = 0; n < count; n++) faults += examine(of, (uint64_t)(1000 * (int)of + n + 1));
    assert_int_equal(faults, 0);
}

int main(void)
{
#define KIND(name, of)                                                                                       \
    {                                                                                                        \
        "errors shrink: " name, errors_shrink, NULL, NULL, (void*)(intptr_t)(of)                             \
    }
    const struct CMUnitTest tests[] = {
        KIND("LuGre", LUGRE),
        KIND("Dahl", DAHL),
        KIND("Maxwell-slip", MAXWELL),
        KIND("Stribeck", STRIBECK),
        KIND("elasto-plastic", ELASTO_PLASTIC),
        KIND("generalised Maxwell-slip", GMS),
        KIND("curve", CURVE),
        KIND("cubic springs", CUBIC),
        KIND("elastic stops", ELASTIC),
        KIND("Stribeck or curve beside LuGre", BESIDE),
        KIND("all mixed", MIXED),
        cmocka_unit_test(bristles_by_runge_kutta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
