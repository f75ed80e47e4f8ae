// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The field (engine/field) says one thing whichever way it is asked: at a point, by its Jacobian, along a
// direction, and by the series of a step, which have formulas of their own. Central differences of the point
// judge the Jacobian, the Jacobian judges directions, and the point along the motion judges the series: where
// those are the motion's, q''(s) is the acceleration at q(s), q'(s). All laws, and random models.
#include "core/algebra/polynomial.h"
#include "engine/field/field.h"
#include "engine/flow/input_series.h"
#include "engine/sim.h"
#include "law/table.h"
#include "random_row.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64 }; // numbers of a state, contacts, drives

typedef struct place {
    double q[MOST], v[MOST], z[MOST], s[MOST];
    double given[16 * MOST];
    ss_field_point at;
} place;

typedef struct tally {
    double series, jacobian, product; // the worst of each, relative
    int points;
} tally;

// The motion at s of the present step.
static void take(const ss_sim* sim, double s, place* out)
{
    int n = sim->model->n, states = sim->open.states, order = sim->step.order;
    for (int i = 0; i < n; i++) out->q[i] = ss_poly_both(sim->step.q + i, n, order, s, &out->v[i]);
    for (int j = 0; j < sim->step.laws.bristle_count; j++)
        out->z[j] = ss_poly_value(sim->step.laws.bristles[j].along.z, 1, order - 1, s);
    for (int j = 0; j < states; j++) out->s[j] = ss_poly_value(sim->step.s + j, states, order - 1, s);
    assert_true(ss_given_size(sim->model, &sim->inputs, &sim->open) <=
                sizeof out->given / sizeof *out->given);
    out->at = (ss_field_point){
        .t = sim->step.t + s,
        .q = out->q,
        .v = out->v,
        .z = out->z,
        .s = out->s,
        .given = ss_given_on_step(sim->model, &sim->step, &sim->inputs, &sim->open, s, out->given)};
}

static double worst(double so_far, double got, double want, double size)
{
    double off = fabs(got - want) / (size > 0.0 ? size : 1.0);
    return off <= so_far ? so_far : off; // NaN is the worst
}

static double largest(const double x[], int count)
{
    double most = 0.0;
    for (int k = 0; k < count; k++) most = fmax(most, fabs(x[k]));
    return most;
}

// ---- series

// v', s', and z' of bristles that move and whose law has one deflection, against the series' own slopes.
static double ask_series(const ss_sim* sim, double s, double so_far)
{
    place here;
    double rates[MOST], lambda[MOST];
    int n = sim->model->n, b = sim->step.laws.bristle_count, states = sim->open.states,
        order = sim->step.order;
    take(sim, s, &here);
    ss_field_rates(sim->field, &here.at, rates, lambda);
    double size = largest(rates, n);
    for (int i = 0; i < sim->model->contact_count; i++)
        size = fmax(size, fabs(lambda[i]) * largest(sim->model->contacts[i].mobility.value,
                                                    sim->model->contacts[i].mobility.count));
    for (int i = 0; i < n; i++)
        so_far = worst(so_far, ss_poly_second_derivative(sim->step.q + i, n, order, s), rates[i], size);
    for (int j = 0; j < states; j++)
        so_far = worst(so_far, ss_poly_slope(sim->step.s + j, states, order - 1, s), rates[n + b + j],
                       fabs(rates[n + b + j]) + largest(here.s, states));
    for (int j = 0; j < b; j++) {
        const ss_bristle* bristle = &sim->step.laws.bristles[j];
        if (bristle->still || !ss_law_has(sim->model->contacts[bristle->contact].law, SS_TRAIT_Z)) continue;
        so_far = worst(so_far, ss_poly_slope(bristle->along.z, 1, order - 1, s), rates[n + j],
                       fabs(rates[n + j]) + largest(here.v, n));
    }
    return so_far;
}

// ---- derivatives

// Number c of (q, v, z, s).
static double* number_of(const ss_sim* sim, place* here, int c)
{
    int n = sim->model->n, b = sim->step.laws.bristle_count;
    return c < n           ? &here->q[c]
           : c < 2 * n     ? &here->v[c - n]
           : c < 2 * n + b ? &here->z[c - 2 * n]
                           : &here->s[c - 2 * n - b];
}

static double step_of(const ss_sim* sim, const place* here, int c)
{
    int n = sim->model->n, b = sim->step.laws.bristle_count;
    if (c < n) return 1e-6 * (largest(here->q, n) + 1e-2);
    if (c < 2 * n) return 1e-6 * (largest(here->v, n) + 1e-2);
    if (c >= 2 * n + b) return 1e-6 * (fabs(here->s[c - 2 * n - b]) + 1e-2);
    const ss_contact* contact = &sim->model->contacts[sim->step.laws.bristles[c - 2 * n].contact];
    ss_law_facts law = ss_law_ask(contact->law_entry, ss_law_of(contact), 0.1); // a deflection, or a force
    return 1e-6 * fabs(isnan(law.steady) ? law.limit : law.steady);
}

// Central differences by number c.
static void differentiate(const ss_sim* sim, place* here, int c, double h, double out[])
{
    int rows = ss_field_states(sim->field);
    double *x = number_of(sim, here, c), middle = *x, low[MOST], lambda[MOST];
    *x = middle - h;
    ss_field_rates(sim->field, &here->at, low, lambda);
    *x = middle + h;
    ss_field_rates(sim->field, &here->at, out, lambda);
    *x = middle;
    for (int r = 0; r < rows; r++) out[r] = (out[r] - low[r]) / (2.0 * h);
}

// Two steps tell how good differences are: not at all next to a root or a kink, and no better than rounding.
static double ask_jacobian(const ss_sim* sim, place* here, const double jacobian[], const double loose[],
                           double so_far)
{
    int rows = ss_field_states(sim->field), columns = sim->model->n + rows;
    double want[MOST], wider[MOST];
    for (int c = 0; c < columns; c++) {
        double h = step_of(sim, here, c);
        differentiate(sim, here, c, h, want);
        differentiate(sim, here, c, 4.0 * h, wider);
        for (int r = 0; r < rows; r++) {
            double size = largest(loose + r * columns, columns), doubt = fabs(want[r] - wider[r]);
            if (doubt > 1e-3 * (fabs(want[r]) + 1e-3 * size)) continue;
            so_far =
                worst(so_far, jacobian[r * columns + c], want[r], fabs(want[r]) + 0.1 * size + 1e4 * doubt);
        }
    }
    return so_far;
}

static double ask_product(const ss_sim* sim, const ss_field_slopes* slopes, const double jacobian[],
                          const double loose[], random_source* dice, double so_far)
{
    int n = sim->model->n, b = sim->step.laws.bristle_count, rows = ss_field_states(sim->field),
        columns = n + rows;
    double x[2 * MOST], out[MOST] = {0}, lambda[MOST], held[MOST], vars[4 * MOST] = {0}, none[4 * MOST] = {0};
    for (int c = 0; c < columns; c++) x[c] = random_between(dice, -1.0, 1.0);
    ss_delta io = {.q = x,
                   .v = x + n,
                   .z = x + 2 * n,
                   .s = x + 2 * n + b,
                   .d = none,
                   .d1 = none,
                   .d2 = none,
                   .input = none,
                   .a = out,
                   .z_rate = out + n,
                   .rate = out + n + b,
                   .lambda = lambda,
                   .held = held,
                   .vars = vars};
    if (sim->model->open) ss_field_change_variables(sim->field, &io);
    ss_field_apply(sim->field, slopes, NULL, &io);
    ss_field_hold_change(sim->field, &io);
    for (int r = 0; r < rows; r++) {
        double want = 0.0, size = 0.0;
        for (int c = 0; c < columns; c++) {
            want += jacobian[r * columns + c] * x[c];
            size += fabs(jacobian[r * columns + c] * x[c]);
        }
        so_far = worst(so_far, out[r], want, fmax(size, largest(loose, rows * columns)));
    }
    return so_far;
}

static void ask_derivatives(ss_sim* sim, double s, random_source* dice, tally* out)
{
    place here;
    ss_response law[MOST];
    double cubic[MOST], slope[4 * MOST], jacobian[2 * MOST * MOST], loose[2 * MOST * MOST];
    ss_field_slopes slopes = {.cubic = cubic, .law = law, .slope = slope, .z_at = sim->step.laws.bristle_at};
    take(sim, s, &here);
    ss_field_linearise(sim->field, &here.at, &slopes);
    ss_field_jacobian(sim->field, &slopes, jacobian, NULL);
    int active = sim->modes.active_count; // sizes are those of what is held back
    sim->modes.active_count = 0;
    ss_field_jacobian(sim->field, &slopes, loose, NULL);
    sim->modes.active_count = active;
    out->jacobian = ask_jacobian(sim, &here, jacobian, loose, out->jacobian);
    out->product = ask_product(sim, &slopes, jacobian, loose, dice, out->product);
}

// ---- along a motion

static void ask_step(ss_sim* sim, random_source* dice, tally* out)
{
    if (!sim->step.ready || sim->step.clock.stop || sim->course.ended) return;
    double h = fmin(sim->step.length, 1.0);
    for (int k = 0; k < 3; k++) out->series = ask_series(sim, 0.45 * k * h, out->series);
    ask_derivatives(sim, 0.3 * h, dice, out);
    out->points++;
}

static void follow(const ss_model* model, double until, uint64_t seed, tally* out)
{
    enum { LOOKS = 12 };
    random_source dice = {seed};
    ss_sim* sim = NULL;
    ss_error err;
    assert_true(model->n + model->contact_count < MOST / 2);
    assert_int_equal(ss_sim_create(model, NULL, &sim, &err), SS_OK);
    for (int k = 1; k <= LOOKS; k++) {
        ss_outcome outcome;
        assert_int_equal(
            ss_sim_advance(sim, until * (k - random_between(&dice, 0.1, 0.9)) / LOOKS, &outcome, &err),
            SS_OK);
        ask_step(sim, &dice, out);
    }
    ss_sim_destroy(sim);
}

static void judge(const char* name, const tally* found)
{
    assert_true(found->points > 0);
    if (!(found->series <= 1e-9 && found->jacobian <= 1e-5 && found->product <= 1e-10))
        fail_msg("%s: series %.1e, Jacobian %.1e, product %.1e", name, found->series, found->jacobian,
                 found->product);
}

// Fewer seeds where every instruction costs several, but as many as show a point.
static bool is_wanted(uint64_t seed, const tally* found)
{
    enum { SEEDS = 6 };
    return seed <= (uint64_t)random_count(SEEDS) || (found->points == 0 && seed <= SEEDS);
}

static void test_rows_of_each_law(void** state)
{
    (void)state;
    for (int kind = ROW_LUGRE; kind <= ROW_SHAKEN; kind++) {
        tally found = {0};
        char name[32];
        for (uint64_t seed = 1; is_wanted(seed, &found); seed++) {
            random_row row;
            ss_model* model = random_row_draw(&row, (row_kind)kind, seed);
            follow(model, 3.0, seed, &found);
            ss_model_destroy(model);
        }
        snprintf(name, sizeof name, "row %d", kind);
        judge(name, &found);
    }
}

static void test_random_systems(void** state)
{
    (void)state;
    for (int kind = 0; kind < RANDOM_KINDS; kind++) {
        tally found = {0};
        char name[32];
        for (uint64_t seed = 1; is_wanted(seed, &found); seed++) {
            random_system system;
            random_system_make(&system, (random_kind)kind, seed);
            ss_model* model = random_system_model(&system);
            follow(model, system.until, seed, &found);
            ss_model_destroy(model);
        }
        snprintf(name, sizeof name, "system %d", kind);
        judge(name, &found);
    }
}

// States, expressions that are affine and not, drives, inputs, levels that follow the motion.
static void test_expressions(void** state)
{
    static const char* const texts[] = {
        "bodies: {a: {mass: 2 kg}, b: {mass: 1 kg}}\n"
        "connections: [{between: [a, ground], stiffness: 90 N/m, cubic: 40 N/m^3, damping: 1 N*s/m},"
        " {between: [a, b], stiffness: 30 N/m, damping: 0.3 N*s/m}]\n"
        "states: {w: {rate: 'b.x*2/(1 s) - w/(0.3 s)'}, u: {rate: 'sin(a.x/(1 m))*b.v - u*abs(b.v)/(1 m)'}}\n"
        "forces: [{body: b, force: '(3 N/m)*w - (4 N)*sin(a.x/(1 m))*cos(t/(1 s))'}, {body: a, force: '(2 "
        "N/m)*u'}]\n"
        "contacts: {floor: {between: [a, ground], law: coulomb, friction: '1 N + (2 N*s/m)*abs(b.v)'}}\n"
        "start: {a: {x: 1 m}, b: {v: 2 m/s}}\n",
        "bodies: {a: {mass: 2 kg}, belt: {speed: '0.4 m/s + (0.1 m/s)*sin(3*t/(1 s))'}}\n"
        "connections: [{between: [a, ground], stiffness: 90 N/m, damping: 1 N*s/m}]\n"
        "forces: [{body: a, force: '(2 N)*exp(-a.x/(1 m))'}]\n"
        "contacts: {face: {between: [a, belt], law: stribeck, coulomb: 3 N, static: 5 N, stribeck_speed: 0.2 "
        "m/s}}\n"
        "start: {a: {v: 2 m/s}}\n",
    };
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char text[4096];
        tally found = {0};
        ss_document* document = NULL;
        ss_model* model = NULL;
        ss_error err;
        snprintf(text, sizeof text, "slipstick: 1\ntitle: Expressions\n%s", texts[k]);
        ss_status status = ss_document_parse_yaml("expressions", text, strlen(text), &document, &err);
        if (status == SS_OK) status = ss_model_create_from_document(document, &model, &err);
        if (status != SS_OK) fail_msg("%s: %s", err.field, err.text);
        for (uint64_t seed = 1; seed <= 5; seed++) follow(model, 6.0, seed, &found);
        judge("expressions", &found);
        ss_model_destroy(model);
        ss_document_destroy(document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_of_each_law),
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
