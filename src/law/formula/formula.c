// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What follows from the formula of a law. Two graphs are made of it: that of the motion, in which the numbers
// of the law are constants, and that of their changes, in which they are variables, as is the change of each.
// From these four programs, in memory of the run:
//
//     SERIES    force and rate, order by order
//     SLOPES    their derivatives by v and z, order by order
//     POINT     force, rate and stored energy with all derivatives, as values
//     NUMBERS   what the changes of the numbers do to force and rate
#include "law/formula/formula.h"
#include "core/expression/piece/singular.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SERIES, SLOPES, POINT, NUMBERS, PROGRAMS };
enum { V, X, SIGN, Z, KEY, CHANGE = KEY + SS_FORMULA_KEYS, VARIABLES = CHANGE + SS_FORMULA_KEYS };
enum { FORCE, RATE, FORCE_V, FORCE_Z, FORCE_X, RATE_V, RATE_Z, STORED, STORED_Z, STORED_X, POINTS };
enum { SERIES_OUTPUTS = 2, SLOPES_OUTPUTS = 4 };

typedef struct made {
    ss_program program[PROGRAMS];
    ss_run run[PROGRAMS];
    double* pieces[2]; // of both graphs
    int kinks;         // of that of the motion
    int keys;
    size_t place[SS_FORMULA_KEYS]; // of its numbers in the law
    bool placed;                   // the force depends on x
    bool stepped;                  // pieces are those of a step
    double x;                      // m: where the step begins
    double most;                   // of the state, where steps began
    double span;                   // s: of the longest step
    bool* hold;                    // singular functions that the next step holds at their values
    double now[VARIABLES];
} made;

#define POINTERS(k)                                                                                          \
    offsetof(made, program[k].code), offsetof(made, program[k].depends), offsetof(made, program[k].feeds),   \
        offsetof(made, program[k].outputs), offsetof(made, program[k].variables),                            \
        offsetof(made, program[k].kinks), offsetof(made, program[k].jumps), offsetof(made, run[k].program),  \
        offsetof(made, run[k].w.rows), offsetof(made, run[k].w.noise), offsetof(made, run[k].w.aux),         \
        offsetof(made, run[k].w.sum), offsetof(made, run[k].w.degree), offsetof(made, run[k].w.piece),       \
        offsetof(made, run[k].x), offsetof(made, run[k].sizes), offsetof(made, run[k].noise),                \
        offsetof(made, run[k].crossed), offsetof(made, run[k].w.met), offsetof(made, run[k].w.level),        \
        offsetof(made, program[k].singular), offsetof(made, run[k].shaken)
const size_t ss_formula_pointers[SS_FORMULA_POINTERS] = {
    POINTERS(SERIES),          POINTERS(SLOPES),          POINTERS(POINT),     POINTERS(NUMBERS),
    offsetof(made, pieces[0]), offsetof(made, pieces[1]), offsetof(made, hold)};

// ---- laws alone

struct ss_formula_numbers ss_formula_value(const ss_law* row, const void* law, double v, double z)
{
    ss_jet keys[SS_FORMULA_KEYS];
    int count = 0;
    for (const ss_key* key = row->keys.list; key->name; key++)
        keys[count++] = ss_jet_number(*(const double*)((const char*)law + key->place));
    ss_formula_point at = {.key = keys,
                           .v = ss_jet_number(v),
                           .sign = ss_jet_number(copysign(1.0, v)),
                           .speed = ss_jet_number(fabs(v)),
                           .z = ss_jet_number(z)};
    ss_formula_answer out;
    row->formula(law, &at, &out);
    return (struct ss_formula_numbers){out.rate.value, out.force.value, out.stored.value};
}

// ---- making it

static int derive(ss_graph* graph, int node, int by) { return ss_graph_derivative(graph, node, by); }

// The formula in a graph: its keys are constants, or variables.
static ss_formula_answer write(ss_graph* graph, const ss_law* row, const void* law, const made* own,
                               bool numbers)
{
    static const ss_depends kinds[KEY] = {SS_ON_SPEED, SS_ON_POSITION, SS_ON_INPUT, SS_ON_STATE};
    ss_jet motion[KEY], keys[SS_FORMULA_KEYS];
    for (int k = 0; k < KEY; k++)
        motion[k] = (ss_jet){.graph = graph, .node = ss_graph_variable(graph, kinds[k])};
    for (int k = 0; k < SS_FORMULA_KEYS && numbers; k++)
        keys[k] = (ss_jet){.graph = graph, .node = ss_graph_variable(graph, SS_ON_INPUT)};
    for (int k = 0; k < own->keys; k++) {
        keys[k].value = *(const double*)((const char*)law + own->place[k]);
        if (!numbers) keys[k].graph = NULL;
    }
    ss_formula_point at = {.key = keys,
                           .v = motion[V],
                           .sign = motion[SIGN],
                           .speed = ss_jet_mul(motion[SIGN], motion[V]),
                           .x = motion[X],
                           .z = motion[Z]};
    ss_formula_answer out;
    row->formula(law, &at, &out);
    return out;
}

static bool make_programs(made* own, ss_pool* pool, ss_graph* graph, const ss_formula_answer* out)
{
    int force = ss_jet_node(out->force, graph), rate = ss_jet_node(out->rate, graph),
        stored = ss_jet_node(out->stored, graph);
    int all[POINTS] = {[FORCE] = force,
                       [RATE] = rate,
                       [FORCE_V] = derive(graph, force, V),
                       [FORCE_Z] = derive(graph, force, Z),
                       [FORCE_X] = derive(graph, force, X),
                       [RATE_V] = derive(graph, rate, V),
                       [RATE_Z] = derive(graph, rate, Z),
                       [STORED] = stored,
                       [STORED_Z] = derive(graph, stored, Z),
                       [STORED_X] = derive(graph, stored, X)};
    int slopes[SLOPES_OUTPUTS] = {all[FORCE_V], all[FORCE_Z], all[RATE_V], all[RATE_Z]};
    if (ss_graph_failed(graph)) return false;
    own->placed = ss_graph_uses(graph, force, X);
    return ss_program_make(&own->program[SERIES], pool, graph, all, SERIES_OUTPUTS) &&
           ss_program_make(&own->program[SLOPES], pool, graph, slopes, SLOPES_OUTPUTS) &&
           ss_program_make(&own->program[POINT], pool, graph, all, POINTS);
}

// Force and rate by the numbers, times how these change.
static bool make_numbers(made* own, ss_pool* pool, ss_graph* graph, const ss_formula_answer* out)
{
    int whole[2] = {ss_jet_node(out->force, graph), ss_jet_node(out->rate, graph)}, sum[2];
    for (int j = 0; j < 2; j++) sum[j] = ss_graph_constant(graph, 0.0);
    for (int k = 0; k < SS_FORMULA_KEYS; k++) {
        int change = ss_graph_variable(graph, SS_ON_INPUT);
        for (int j = 0; j < 2 && k < own->keys; j++) {
            int part = ss_graph_apply(graph, SS_OP_MUL, derive(graph, whole[j], KEY + k), change, 0.0);
            sum[j] = ss_graph_apply(graph, SS_OP_ADD, sum[j], part, 0.0);
        }
    }
    return !ss_graph_failed(graph) && ss_program_make(&own->program[NUMBERS], pool, graph, sum, 2);
}

static bool make_graph(made* own, ss_pool* pool, const ss_law* row, const void* law, bool numbers)
{
    ss_graph* graph = ss_graph_create();
    if (!graph) return false;
    ss_formula_answer out = write(graph, row, law, own, numbers);
    bool good = numbers ? make_numbers(own, pool, graph, &out) : make_programs(own, pool, graph, &out);
    size_t kinks = (size_t)ss_graph_kink_count(graph);
    own->pieces[numbers] = ss_pool_new(pool, kinks + 1, sizeof(double));
    for (size_t k = 0; own->pieces[numbers] && k <= kinks; k++) own->pieces[numbers][k] = NAN;
    ss_graph_destroy(graph);
    if (!numbers) own->kinks = (int)kinks;
    return good && own->pieces[numbers] && own->kinks <= SS_FORMULA_EVENTS;
}

void ss_formula_prepare(const ss_law* row, const void* law, ss_along* along, ss_pool* pool)
{
    made* own = ss_pool_new(pool, 1, sizeof *own);
    along->own = own;
    if (!own) return;
    for (const ss_key* key = row->keys.list; key->name; key++) own->place[own->keys++] = key->place;
    bool good = make_graph(own, pool, row, law, false) && make_graph(own, pool, row, law, true);
    for (int k = 0; k < PROGRAMS && good; k++)
        good = ss_run_make(&own->run[k], pool, &own->program[k], k == POINT ? 0 : SS_MAX_ORDER,
                           own->pieces[k == NUMBERS]);
    if (good) own->hold = ss_pool_new(pool, (size_t)own->program[SERIES].singular_count, sizeof(bool));
    if (!good) pool->failed = true;
}

// ---- at a point

static const double* place_point(made* own, const void* law, const ss_law_point* point)
{
    own->now[V] = point->v;
    own->now[X] = own->x + point->y;
    own->now[SIGN] = point->sign;
    own->now[Z] = point->z;
    for (int k = 0; k < own->keys; k++)
        own->now[KEY + k] = *(const double*)((const char*)law + own->place[k]);
    return own->now;
}

static void place_change(made* own, const void* change)
{
    for (int k = 0; k < own->keys; k++)
        own->now[CHANGE + k] = *(const double*)((const char*)change + own->place[k]);
}

// At a point of a step its pieces go on beyond their ends. Where that takes a function out of its domain, by
// the rounding of an event, the pieces of the point count.
static void evaluate(made* own, const double now[], double value[POINTS])
{
    double kept[SS_FORMULA_EVENTS];
    ss_run* run = &own->run[POINT];
    if (ss_run_values(run, 0.0, now, own->stepped, value) || !own->stepped) return;
    memcpy(kept, own->pieces[0], (size_t)own->kinks * sizeof *kept);
    (void)ss_run_values(run, 0.0, now, false, value);
    memcpy(own->pieces[0], kept, (size_t)own->kinks * sizeof *kept);
}

void ss_formula_at(const void* law, const ss_law_point* point, ss_response* out)
{
    made* own = point->along->own;
    double value[POINTS];
    evaluate(own, place_point(own, law, point), value);
    *out = (ss_response){.force = value[FORCE],
                         .rate = value[RATE],
                         .force_y = value[FORCE_X],
                         .force_v = value[FORCE_V],
                         .force_z = value[FORCE_Z],
                         .rate_v = value[RATE_V],
                         .rate_z = value[RATE_Z]};
}

void ss_formula_by_numbers_at(const void* law, const void* change, const ss_law_point* point, double* force,
                              double* rate)
{
    made* own = point->along->own;
    double value[SERIES_OUTPUTS];
    const double* now = place_point(own, law, point);
    place_change(own, change);
    (void)ss_run_values(&own->run[NUMBERS], 0.0, now, false, value);
    *force = value[FORCE];
    *rate = value[RATE];
}

// ---- along a step

static void put(const ss_run* run, int variable, int k, double value)
{
    double* row = ss_run_variable(run, variable);
    if (row) row[k] = value;
}

// Coefficient k of all that is known of the motion.
static void put_motion(const made* own, const ss_run* run, const ss_along* along, int k)
{
    put(run, V, k, along->v[k]);
    put(run, X, k, k == 0 ? own->x : along->v[k - 1] / k);
    put(run, SIGN, k, k == 0 ? along->sign : 0.0);
    put(run, Z, k, along->z[k]);
}

// A state that starts at 0 goes where its rate sends it: pieces that depend on which way are decided so.
static void decide_pieces(made* own, const void* law, const ss_along* along)
{
    const double next_to_0 = 1e-200;
    double value[SERIES_OUTPUTS];
    ss_law_point next = {.v = along->v[0], .sign = along->sign, .along = along};
    if (along->z[0] != 0.0 || own->program[SERIES].kink_count == 0) return;
    if (next.v == 0.0) next.v = along->sign;
    for (int round = 0; round < 2; round++) {
        (void)ss_run_values(&own->run[SERIES], 0.0, place_point(own, law, &next), false, value);
        next.z = copysign(next_to_0, value[RATE]);
    }
}

double ss_formula_next(const void* law, ss_along* along, int k)
{
    made* own = along->own;
    ss_run* run = &own->run[SERIES];
    if (k == 0) {
        own->stepped = true;
        ss_run_begin(run, 0.0);
        for (int i = 0; i < run->program->singular_count; i++)
            run->w.level[run->program->singular[i]] = own->hold[i];
        decide_pieces(own, law, along);
    }
    put_motion(own, run, along, k);
    if (!ss_run_step(run, k)) return NAN;
    along->z[k + 1] = ss_run_output(run, RATE)[k] / (k + 1);
    return ss_run_output(run, FORCE)[k];
}

// All orders of a program of the motion whose pieces are decided.
static bool follow(const made* own, ss_run* run, const ss_along* along, int last)
{
    run->w.t = 0.0;
    for (int i = 0; i < run->program->singular_count; i++) run->w.level[run->program->singular[i]] = false;
    for (int k = 0; k <= last; k++) {
        put_motion(own, run, along, k);
        if (!ss_run_step(run, k)) return false;
    }
    return true;
}

static void copy_output(const ss_run* run, int output, int last, double out[])
{
    const double* from = ss_run_output(run, output);
    for (int k = 0; k <= last; k++) out[k] = from[k];
}

// A force that depends on the place is not described by these: points along the step are asked.
bool ss_formula_slopes(const void* law, const ss_along* along, int last, ss_along_slopes* out)
{
    made* own = along->own;
    ss_run* run = &own->run[SLOPES];
    (void)law;
    if (own->placed || !follow(own, run, along, last)) return false;
    out->bends = out->state = out->leans = true;
    copy_output(run, 0, last, out->force_v);
    copy_output(run, 1, last, out->force_z);
    copy_output(run, 2, last, out->rate_v);
    copy_output(run, 3, last, out->rate_z);
    return true;
}

bool ss_formula_by_numbers(const void* law, const void* change, const ss_along* along, int last,
                           double force[], double rate[])
{
    made* own = along->own;
    ss_run* run = &own->run[NUMBERS];
    ss_run_begin(run, 0.0);
    ss_law_point start = {.along = along};
    const double* now = place_point(own, law, &start);
    place_change(own, change);
    for (int k = KEY; k < VARIABLES; k++) {
        put(run, k, 0, now[k]);
        for (int j = 1; j <= last; j++) put(run, k, j, 0.0);
    }
    for (int k = 0; k <= last; k++) {
        put_motion(own, run, along, k);
        if (!ss_run_step(run, k)) return false;
    }
    copy_output(run, FORCE, last, force);
    copy_output(run, RATE, last, rate);
    return true;
}

// ---- singular places
//
// As of expressions of the motion (engine/flow/open/open_singular.c): a step stays within 0.95 of the
// distance to where a root or a power is not analytic, and the last stretch is passed with it at its value.

static double held_for(const made* own, const ss_instruction* in)
{
    return own->span * pow(1e-15, 1.0 / (1.0 + fmax(ss_singular_exponent(in), 0.0)));
}

double ss_formula_reach(const void* law, const ss_along* along, int order, double least, double h)
{
    made* own = along->own;
    const ss_run* run = &own->run[SERIES];
    (void)law;
    if (own->span == 0.0) own->span = 1e-3 * h; // no step has been taken yet
    for (int k = 0; k < run->program->singular_count; k++) {
        int i = run->program->singular[k];
        double clear = run->w.level[i] ? 0.0 : 0.95 * ss_run_clear(run, i, order - 1, h);
        if (run->w.level[i]) h = fmin(h, fmax(held_for(own, &run->program->code[i]), least));
        if (clear > 0.0) h = fmin(h, clear);
    }
    return h;
}

// Whether a function is so near to its place at s, and approaches it, that it is to be held.
static void look_ahead(made* own, int last, double s)
{
    const ss_run* run = &own->run[SERIES];
    for (int k = 0; k < run->program->singular_count; k++) {
        const ss_instruction* in = &run->program->code[run->program->singular[k]];
        const double* a = ss_taylor_row(&run->w, in->a);
        double value = ss_poly_value(a, 1, last, s), slope = ss_poly_slope(a, 1, last, s);
        double away = ss_singular_exponent(in) > 0.0 ? ss_singular_distance(in, value, 1.0) : INFINITY;
        own->hold[k] = away < 0.1 * held_for(own, in) * fabs(slope);
    }
}

// ---- runs and steps

// What was decided before is forgotten.
void ss_formula_begin(const void* law, ss_along* along, const ss_bristle_start* start, double y, double v)
{
    made* own = along->own;
    const ss_program* program = &own->program[SERIES];
    (void)law, (void)start, (void)v;
    own->x = y;
    own->stepped = false;
    own->most = own->span = 0.0;
    for (int k = 0; k < program->singular_count; k++) own->hold[k] = false;
    for (int k = 0; k < program->kink_count; k++) {
        own->run[SERIES].crossed[k] = false;
        own->pieces[0][program->code[program->kinks[k]].kink] = NAN;
    }
}

void ss_formula_arrive(const void* law, ss_along* along, double y, double rounding)
{
    made* own = along->own;
    (void)law, (void)rounding;
    own->x = y;
    own->most = fmax(own->most, fabs(along->z[0]));
    // The state was located at 0, where its functions may be singular.
    if (along->yields && fabs(along->z[0]) <= SS_RELATIVE_ZERO * own->most) along->z[0] = 0.0;
}

void ss_formula_commit(const void* law, ss_along* along, int last, double s)
{
    made* own = along->own;
    (void)law;
    if (along->yields) ss_run_cross(&own->run[SERIES], along->yielded, s);
    own->span = fmax(own->span, s);
    if (last > 1) look_ahead(own, last - 1, s);
}

// ---- events: the ends of its pieces

int ss_event_deflate(int degree, double size, double c[])
{
    if (fabs(c[0]) > 256.0 * DBL_EPSILON * size) return degree;
    for (int k = 0; k < degree; k++) c[k] = c[k + 1];
    return degree - 1;
}

int ss_program_event(const ss_run* run, int which, int order, const double power[], double c[])
{
    if (which >= run->program->kink_count) return -1;
    ss_run_switch(run, which, order - 2, c);
    double size = 0.0;
    for (int k = 0; k <= order - 2; k++) {
        c[k] *= power[k];
        size += fabs(c[k]);
    }
    return size > 0.0 ? ss_event_deflate(order - 2, size, c) : -1;
}

int ss_formula_event(const void* law, const ss_along* along, int which, int order, const double power[],
                     double c[])
{
    (void)law;
    return ss_program_event(&((const made*)along->own)->run[SERIES], which, order, power, c);
}

// ---- energies

// Lost is what the force takes from the motion and is not stored.
void ss_formula_energies(const void* law, const ss_along* along, int last, double s, double v,
                         ss_law_energies* out)
{
    made* own = along->own;
    double way = last > 0 ? along->sign * ss_along_way(along, last, s) : 0.0, value[POINTS];
    ss_law_point point = {
        .y = way, .v = v, .sign = along->sign, .z = ss_along_at(along->z, last, s), .along = along};
    evaluate(own, place_point(own, law, &point), value);
    out->stored = value[STORED];
    out->loss = -value[FORCE] * v - value[STORED_Z] * value[RATE] - value[STORED_X] * v;
}
