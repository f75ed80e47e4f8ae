// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Friction by a measured curve (docs/theory/curve.md): the level is any function of the speed u = |v|, one
// for each direction, as a table (straight lines between its points, constant after the last) or as an
// expression. Set-valued at rest up to `static`, by default the level at u = 0.
//
// A table is followed line by line: `branch` is the line at hand, its ends are events. An expression is a
// program (core/expression/program.h) that gives values, slopes and series; where it kinks is an event, too.
#include "core/error.h"
#include "core/expression/range.h"
#include "core/tolerance.h"
#include "law/curve_rest.h"
#include "law/curve_slopes.h"
#include "law/formula/formula.h"
#include "law/table.h"
#include "share/law.h"
#include "slipstick/law.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL = SS_CURVE_LEVEL, SLOPE = SS_CURVE_SLOPE, OUTPUTS = SS_CURVE_OUTPUTS };

// ---- levels at a speed

// The line of a table that holds u >= 0: line i goes from point i to point i + 1, the last one on for ever.
static int line_at(const ss_curve_side* side, double u)
{
    int i = 0;
    while (i + 1 < side->count && u >= side->speed[i + 1]) i++;
    return i;
}

static double on_line(const ss_curve_side* side, int line, double u)
{
    return side->force[line] + ss_curve_slope_of(side, line) * (u - side->speed[line]);
}

static double level_at_rest(const ss_curve* law, int way)
{
    const ss_curve_side* side = &law->side[way];
    return side->count > 0 ? side->force[0] : side->at_rest;
}

static void levels(const void* self, double out[SS_LEVELS])
{
    const ss_curve* law = self;
    for (int way = 0; way < 2; way++) {
        double level = level_at_rest(law, way), hold = law->hold[way];
        out[SS_FORWARD + way] = level;
        out[SS_STATIC_FORWARD + way] = isnan(hold) ? level : hold;
    }
}

static void facts(const void* self, double v, ss_law_facts* out)
{
    const ss_curve* law = self;
    (void)v;
    levels(law, out->levels);
    out->events = 2; // both ends of a line
    for (int way = 0; way < 2; way++)
        if (law->side[way].count == 0 && law->side[way].program->kink_count > out->events)
            out->events = law->side[way].program->kink_count;
}

// ---- making it

static const char* field_of(const ss_curve* law, int way)
{
    static const char* const words[] = {"force.forward", "force.backward"};
    bool even =
        law->side[0].expression == law->side[1].expression && law->side[0].speed == law->side[1].speed;
    return even ? "force" : words[way];
}

static ss_status fail_side(const ss_curve* law, int way, const char* text, double value, double speed,
                           ss_error* err)
{
    return ss_fail(err, SS_BAD_INPUT, field_of(law, way), text, value, speed);
}

static ss_status check_table(const ss_curve* law, int way, ss_error* err)
{
    const ss_curve_side* side = &law->side[way];
    if (side->speed[0] != 0.0)
        return fail_side(law, way, "the first speed must be 0, not %g", side->speed[0], 0.0, err);
    for (int i = 0; i < side->count; i++) {
        if (!(side->force[i] >= 0.0 && isfinite(side->force[i])))
            return fail_side(law, way, "friction must be a number >= 0, not %g at a speed of %g",
                             side->force[i], side->speed[i], err);
        if (i > 0 && !(side->speed[i] > side->speed[i - 1] && isfinite(side->speed[i])))
            return fail_side(law, way, "speeds must ascend; %g is not above %g", side->speed[i],
                             side->speed[i - 1], err);
    }
    return SS_OK;
}

// Over all speeds that anything has, in small steps of their logarithm.
static ss_status check_program(const ss_curve* law, int way, ss_run* run, ss_error* err)
{
    double out[OUTPUTS], u = 0.0;
    for (int k = -160; k <= 80; k++) {
        bool finite = ss_run_values(run, 0.0, &u, false, out);
        if (!finite && u > 0.0 && k > 32) return SS_OK; // beyond 100 m/s it may leave the numbers
        if (!finite && isfinite(out[LEVEL]))
            return fail_side(law, way,
                             "rises or falls infinitely steeply at a speed of %g; a table may do so nearly",
                             u, 0.0, err);
        if (!finite) return fail_side(law, way, "is not a finite number at a speed of %g", u, 0.0, err);
        if (out[LEVEL] < -SS_RELATIVE_ZERO)
            return fail_side(law, way, "becomes negative, %g at a speed of %g", out[LEVEL], u, err);
        u = pow(10.0, k / 16.0);
    }
    return SS_OK;
}

// Dips between those speeds: stretches whose range of levels goes below 0 are halved, until a negative level
// is found or none is left. Where the range is too wide to tell, the search ends after a while.
static ss_status search_dips(const ss_curve* law, int way, ss_run* run, ss_range registers[],
                             signed char sides[], ss_error* err)
{
    enum { MOST = 2000, DEPTH = 64 };
    const double fastest = 100.0, finest = SS_CLEAR, none = -SS_RELATIVE_ZERO;
    double out[OUTPUTS];
    ss_range waiting[DEPTH] = {{0.0, fastest}}, ranges[OUTPUTS];
    int count = 1;
    for (int k = 0; k < MOST && count > 0; k++) {
        ss_range u = waiting[--count];
        double middle = 0.5 * (u.low + u.high);
        (void)ss_program_enclose(run->program, &u, registers, sides, ranges);
        if (ranges[LEVEL].low >= none) continue;
        (void)ss_run_values(run, 0.0, &middle, false, out);
        if (out[LEVEL] < none)
            return fail_side(law, way, "becomes negative, %g at a speed of %g", out[LEVEL], middle, err);
        if (u.high - u.low < finest * fastest || count + 2 > DEPTH) continue;
        waiting[count++] = (ss_range){middle, u.high};
        waiting[count++] = (ss_range){u.low, middle};
    }
    return SS_OK;
}

static ss_status check_levels(const ss_curve* law, int way, ss_run* run, const ss_law_making* with,
                              ss_error* err)
{
    ss_status status = check_program(law, way, run, err);
    if (status != SS_OK) return status;
    ss_range* registers = ss_pool_new(with->pool, (size_t)run->program->count, sizeof *registers);
    signed char* sides = ss_pool_new(with->pool, (size_t)law->side[way].kinks + 1, 1);
    if (!registers || !sides) return ss_fail_no_memory(err);
    return search_dips(law, way, run, registers, sides, err);
}

static ss_status make_program(ss_curve* law, int way, const ss_law_making* with, ss_error* err)
{
    ss_curve_side* side = &law->side[way];
    ss_variable v = {.name = "v", .dimension = with->speed, .meaning = "the slip speed"};
    const ss_dimension plain = {0};
    ss_expression expression;
    ss_status status = ss_expression_parse_motion(side->expression, with->scope, (ss_variables){&v, 1, NULL},
                                                  side->per_newton ? &plain : &with->force, &expression, err);
    if (status != SS_OK) {
        if (err) snprintf(err->field, sizeof err->field, "%s", field_of(law, way));
        return status;
    }
    ss_graph* graph = ss_graph_create();
    ss_program* program = ss_pool_new(with->pool, 1, sizeof *program);
    int node = graph ? ss_graph_variable(graph, SS_ON_SPEED) : -1, nodes[OUTPUTS];
    ss_run run;
    double* pieces = NULL;
    bool good = graph && program;
    if (good) {
        nodes[LEVEL] = ss_graph_add_expression(graph, &expression, &node);
        if (side->per_newton)
            nodes[LEVEL] =
                ss_graph_apply(graph, SS_OP_MUL, nodes[LEVEL], ss_graph_constant(graph, side->normal), 0.0);
        nodes[SLOPE] = ss_graph_derivative(graph, nodes[LEVEL], 0);
        pieces = ss_pool_new(with->pool, (size_t)ss_graph_kink_count(graph) + 1, sizeof(double));
        good = pieces && ss_program_make(program, with->pool, graph, nodes, OUTPUTS) &&
               ss_run_make(&run, with->pool, program, 0, pieces);
        side->kinks = ss_graph_kink_count(graph);
        if (good && (ss_graph_depends(graph, nodes[LEVEL]) & SS_HAS_JUMPS)) {
            status = fail_side(law, way, "jumps: a level must be continuous", 0.0, 0.0, err);
            good = false;
        }
    }
    free(expression.tape.code);
    ss_graph_destroy(graph);
    if (status != SS_OK) return status;
    if (!good) return ss_fail_no_memory(err);
    side->program = program;
    double out[OUTPUTS], rest = 0.0;
    (void)ss_run_values(&run, 0.0, &rest, false, out);
    side->at_rest = fmax(out[LEVEL], 0.0);
    ss_curve_find_quiet(side, &run);
    return check_levels(law, way, &run, with, err);
}

static ss_status make_side(ss_curve* law, int way, const ss_law_making* with, ss_error* err)
{
    ss_curve_side* side = &law->side[way];
    if (side->count == 0 && side->expression) return make_program(law, way, with, err);
    if (side->count < 1 || !side->speed || !side->force)
        return ss_fail(err, SS_BAD_INPUT, "force", "must be a table of at least one point, or an expression");
    ss_status status = check_table(law, way, err);
    if (status != SS_OK) return status;
    size_t count = (size_t)side->count;
    double* numbers = ss_pool_new(with->pool, 2 * count, sizeof(double));
    if (!numbers) return ss_fail_no_memory(err);
    memcpy(numbers, side->speed, count * sizeof(double));
    memcpy(numbers + count, side->force, count * sizeof(double));
    side->speed = numbers;
    side->force = numbers + count;
    return SS_OK;
}

static ss_status check_hold(const ss_curve* law, int way, ss_error* err)
{
    double level = level_at_rest(law, way), hold = law->hold[way];
    if (isnan(hold) || (hold >= level * (1.0 - SS_RELATIVE_ZERO) && isfinite(hold))) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, "static", "must be at least the friction at v = 0 (%g), not %g", level,
                   hold);
}

static ss_status make(const void* def, void* self, const ss_law_making* with, ss_error* err)
{
    ss_curve* law = self;
    if (!with) return SS_OK;
    *law = *(const ss_curve*)def;
    for (int way = 0; way < 2; way++) {
        ss_status status = make_side(law, way, with, err);
        if (status == SS_OK) status = check_hold(law, way, err);
        if (status != SS_OK) return status;
        if (!isnan(law->hold[way])) law->hold[way] = fmax(law->hold[way], level_at_rest(law, way));
    }
    return SS_OK;
}

// ---- tables alone

ss_status ss_curve_check(const ss_curve* law, ss_error* err)
{
    for (int way = 0; way < 2; way++) {
        if (law->side[way].count < 1)
            return ss_fail(err, SS_BAD_INPUT, field_of(law, way), "must be a table of at least one point");
        ss_status status = check_table(law, way, err);
        if (status == SS_OK) status = check_hold(law, way, err);
        if (status != SS_OK) return status;
    }
    return SS_OK;
}

double ss_curve_force(const ss_curve* law, double v, double holding)
{
    double limit[SS_LEVELS];
    levels(law, limit);
    if (v == 0.0) return fmin(fmax(holding, -limit[SS_STATIC_FORWARD]), limit[SS_STATIC_FORWARD + 1]);
    const ss_curve_side* side = &law->side[v > 0.0 ? 0 : 1];
    double level = on_line(side, line_at(side, fabs(v)), fabs(v));
    return v > 0.0 ? -level : level;
}

// ---- along a step
//
// u: |v|, known from its coefficients; own: the programs of both directions.

typedef ss_curve_own curve;

static void prepare(const ss_law* row, const void* self, ss_along* along, ss_pool* pool)
{
    const ss_curve* law = self;
    (void)row;
    curve* own = ss_pool_new(pool, 1, sizeof *own);
    along->own = own;
    for (int way = 0; way < 2 && own; way++) {
        const ss_curve_side* side = &law->side[way];
        if (side->count > 0) continue;
        own->pieces[way] = ss_pool_new(pool, (size_t)side->kinks + 1, sizeof(double));
        if (!own->pieces[way]) return;
        for (int k = 0; k <= side->kinks; k++) own->pieces[way][k] = NAN;
        if (!ss_run_make(&own->run[way], pool, side->program, SS_MAX_ORDER, own->pieces[way])) return;
    }
}

// A run starts: what was decided before is forgotten.
static void begin(const void* self, ss_along* along, const ss_bristle_start* start, double y, double v)
{
    const ss_curve* law = self;
    curve* own = along->own;
    (void)start, (void)y, (void)v;
    along->branch = 0;
    along->yields = false;
    for (int way = 0; way < 2; way++) {
        if (law->side[way].count > 0) continue;
        for (int k = 0; k <= law->side[way].kinks; k++) own->pieces[way][k] = NAN;
        for (int k = 0; k < law->side[way].program->kink_count; k++) own->run[way].crossed[k] = false;
    }
}

#define RUN_POINTERS(way)                                                                                    \
    offsetof(curve, run[way].program), offsetof(curve, run[way].w.rows), offsetof(curve, run[way].w.noise),  \
        offsetof(curve, run[way].w.aux), offsetof(curve, run[way].w.sum),                                    \
        offsetof(curve, run[way].w.degree), offsetof(curve, run[way].w.piece), offsetof(curve, run[way].x),  \
        offsetof(curve, run[way].sizes), offsetof(curve, run[way].noise), offsetof(curve, run[way].crossed), \
        offsetof(curve, run[way].w.met), offsetof(curve, run[way].w.level),                                  \
        offsetof(curve, run[way].shaken), offsetof(curve, pieces[way])
static const size_t pointers[] = {RUN_POINTERS(0), RUN_POINTERS(1)};

static int way_of(const ss_along* along) { return along->sign > 0.0 ? 0 : 1; }

// The line at hand is kept where the step begins at one of its ends, to rounding.
static void choose_line(const ss_curve_side* side, ss_along* along)
{
    int line = along->branch;
    double u = along->u[0], near = 64.0 * DBL_EPSILON * u;
    bool fits = line < side->count && u >= side->speed[line] - near &&
                (line + 1 >= side->count || u <= side->speed[line + 1] + near);
    if (!fits) along->branch = line_at(side, u);
}

static double series(const void* self, ss_along* along, int k)
{
    const ss_curve* law = self;
    int way = way_of(along);
    const ss_curve_side* side = &law->side[way];
    along->u[k] = along->sign * along->v[k];
    if (side->count > 0) {
        if (k == 0) choose_line(side, along);
        double slope = ss_curve_slope_of(side, along->branch);
        return -along->sign * (k == 0 ? on_line(side, along->branch, along->u[0]) : slope * along->u[k]);
    }
    if (ss_curve_is_quiet(side, along)) return -along->sign * ss_curve_tangent(side, along, k);
    ss_run* run = ss_curve_run(&law->side[way], along, way);
    double* row = ss_run_variable(run, 0);
    if (k == 0) ss_run_begin(run, 0.0);
    if (row) row[k] = along->u[k];
    return ss_run_step(run, k) ? -along->sign * ss_run_output(run, LEVEL)[k] : NAN;
}

// The motion is known, and no series of its own was made: the ends of a line are found by its speed.
static void update(const void* self, ss_along* along, int from, int last)
{
    (void)self;
    for (int k = from; k <= last; k++) along->u[k] = along->sign * along->v[k];
}

static double step_bound(const void* self, const ss_along* along, int order, double least, double h)
{
    const ss_curve* law = self;
    const ss_curve_side* side = &law->side[way_of(along)];
    if (ss_curve_is_quiet(side, along)) return ss_curve_quiet_step_bound(side, along, least, h);
    return side->count > 0 ? h : ss_curve_clear(ss_curve_run(side, along, way_of(along)), order, h);
}

static void at(const void* self, const ss_law_point* point, ss_response* out)
{
    const ss_curve* law = self;
    int way = point->sign > 0.0 ? 0 : 1;
    const ss_curve_side* side = &law->side[way];
    double u = point->sign * point->v, values[OUTPUTS];
    if (side->count > 0) {
        int line = point->along ? point->along->branch : line_at(side, u);
        if (line >= side->count) line = line_at(side, u);
        values[LEVEL] = on_line(side, line, u);
        values[SLOPE] = ss_curve_slope_of(side, line);
    } else {
        u = fmax(u, 0.0);
        (void)ss_run_values(ss_curve_run(side, point->along, way), 0.0, &u, true, values);
    }
    *out = (ss_response){.force = -point->sign * values[LEVEL], .force_v = -values[SLOPE]};
}

// An expression is defined for speeds >= 0, and on one of its pieces at a time.
static bool ends(const void* self, const ss_along* along, double v, double moved)
{
    const ss_curve_side* side = &((const ss_curve*)self)->side[way_of(along)];
    (void)moved;
    return side->count == 0 && (side->kinks > 0 || along->sign * v < 0.0);
}

// Whether an expression is made of functions that are analytic at all real speeds where they are finite, at
// rest as well: no kinks, roots or powers.
static bool is_analytic(const ss_program* program)
{
    for (int i = 0; i < program->count; i++) {
        ss_op op = program->code[i].op;
        bool good = ss_op_is_leaf(op) || op == SS_OP_ADD || op == SS_OP_SUB || op == SS_OP_MUL ||
                    op == SS_OP_DIV || op == SS_OP_OVER || op == SS_OP_SCALE || op == SS_OP_SHIFT ||
                    op == SS_OP_EXP || op == SS_OP_SIN || op == SS_OP_COS || op == SS_OP_TANH ||
                    op == SS_OP_ATAN || op == SS_OP_SINH || op == SS_OP_COSH || op == SS_OP_ASINH ||
                    op == SS_OP_EXPM1;
        if (!good) return false;
    }
    return true;
}

// The directions differ; what both are is known.
static double smooth(const void* self, double u, double tolerance)
{
    const ss_curve* law = self;
    (void)u, (void)tolerance;
    for (int way = 0; way < 2; way++) {
        const ss_curve_side* side = &law->side[way];
        if (side->count > 0 || side->kinks > 0 || !is_analytic(side->program)) return 0.0;
    }
    return INFINITY;
}

// ---- events: the ends of a line, or of a piece of the expression

static int event(const void* self, const ss_along* along, int which, int order, const double power[],
                 double c[])
{
    const ss_curve* law = self;
    const ss_curve_side* side = &law->side[way_of(along)];
    if (side->count > 0) {
        int end = along->branch + which;
        if (which > 1 || end >= side->count || (which == 0 && end == 0)) return -1;
        double sign = which == 0 ? 1.0 : -1.0;
        for (int k = 0; k < order; k++) c[k] = sign * along->u[k] * power[k];
        c[0] -= sign * side->speed[end];
        return ss_event_deflate(order - 1, side->speed[end], c);
    }
    if (ss_curve_is_quiet(side, along)) return -1;
    return ss_program_event(ss_curve_run(side, along, way_of(along)), which, order, power, c);
}

static void commit(const void* self, ss_along* along, int last, double s)
{
    const ss_curve* law = self;
    int way = way_of(along);
    (void)last;
    if (!along->yields) return;
    if (law->side[way].count > 0)
        along->branch += along->yielded == 0 ? -1 : 1;
    else
        ss_run_cross(ss_curve_run(&law->side[way], along, way), along->yielded, s);
}

// ---- what it tells

static void report_numbers(const void* self, const ss_law_place* place, ss_law_said* to)
{
    double level[SS_LEVELS];
    (void)place;
    levels(self, level);
    ss_law_say_flag(to, "passive", true);
    ss_law_say_number(to, "forward", level[SS_FORWARD]);
    ss_law_say_number(to, "backward", level[SS_BACKWARD]);
    ss_law_say_number(to, "static_forward", level[SS_STATIC_FORWARD]);
    ss_law_say_number(to, "static_backward", level[SS_STATIC_BACKWARD]);
}

static void report_words(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_curve* law = self;
    double level[SS_LEVELS];
    static const char* const words[] = {"forward", "backward"};
    levels(self, level);
    for (int way = 0; way < 2; way++) {
        const ss_curve_side* side = &law->side[way];
        ss_law_words_add(out, "%s%s: sticks up to %g %s, slips against %g %s at first, by ",
                         way == 0 ? "" : "\n      ", words[way], level[SS_STATIC_FORWARD + way], place->unit,
                         level[SS_FORWARD + way], place->unit);
        if (side->count > 0)
            ss_law_words_add(out, "a table up to %g %s/s", side->speed[side->count - 1], place->way);
        else
            ss_law_words_add(out, "an expression");
    }
    ss_law_words_doubt(
        out, level[SS_STATIC_FORWARD] > level[SS_FORWARD] || level[SS_STATIC_BACKWARD] > level[SS_BACKWARD],
        "static above kinetic friction; futures may not be unique");
    ss_law_words_doubt(out, level[SS_STATIC_FORWARD] == 0 && level[SS_STATIC_BACKWARD] == 0,
                       "friction is 0 at rest");
    if (level[SS_STATIC_FORWARD] == level[SS_STATIC_BACKWARD])
        ss_law_words_band(out, place, level[SS_STATIC_FORWARD]);
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

// ---- the row of the law

static const ss_key keys[] = {
    {.name = "force", .form = SS_KEY_CURVE}, {.name = "static", .form = SS_KEY_PART}, {.name = NULL}};

const ss_law ss_curve_law = {
    .name = "curve",
    .traits = SS_TRAIT_HOLDS | SS_TRAIT_CURVED,
    .size = sizeof(ss_curve),
    .keys = {.list = keys, .make = make},
    .facts = facts,
    .point = {.at = at, .by_numbers = ss_curve_by, .ends = ends, .smooth = smooth},
    .series = {.next = series,
               .step_bound = step_bound,
               .update = update,
               .slopes = ss_curve_slopes,
               .by_numbers = ss_curve_series_by},
    .events = {.function = event},
    .memory = {.prepare = prepare,
               .at_points = true,
               .pointers = pointers,
               .pointer_count = sizeof pointers / sizeof *pointers,
               .begin = begin,
               .commit = commit},
    .report = {.say = report},
};
