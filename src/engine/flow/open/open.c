// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Coefficients of what opens a model.
//
//   reads    q[k], q[k + 1], d[k], d[k + 1], s[k] and the series of the inputs
//   writes   accel, the levels that follow the motion, and s[k + 1] = r_k / (k + 1)
//   promise  what is affine in the motion is in the operators of the model (model/build/actions.c), so that a
//            motion is the same whether its springs are written as springs or as expressions
#include "core/algebra/polynomial.h"
#include "core/expression/piece/singular.h"
#include "core/tolerance.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/open_series.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void push(const ss_model* model, ss_pulls* pulls, int p, double force)
{
    const ss_row* row = &model->actions->pulls[p].mobility;
    for (int l = 0; l < row->count; l++) pulls->accel[row->index[l]] += row->value[l] * force;
}

static void add_given(const ss_model* model, const ss_step* step, ss_pulls* acting, ss_open_run* open_run,
                      int k)
{
    int pulls = model->actions->pull_count;
    double size;
    for (int p = 0; p < pulls; p++)
        push(model, acting, p, ss_open_given_part(model, step, open_run, p, k, &size));
    for (int j = 0; j < open_run->states; j++)
        open_run->rate[j] += ss_open_given_part(model, step, open_run, pulls + j, k, &size);
}

// ---- what is linear

// Rates of the states by the motion and by themselves, and what the states pull.
static void add_linear(const ss_model* model, const ss_step* step, ss_pulls* acting, ss_open_run* open_run,
                       int k)
{
    const ss_state_flow* flow = &model->actions->flow;
    size_t n = (size_t)model->n, p = (size_t)open_run->states, at = (size_t)k;
    const double *q = step->q + at * n, *q1 = q + n, *s = step->s + at * p;
    double factor = k + 1;
    for (int i = 0; i < model->n; i++) acting->accel[i] += ss_sparse_dot(&flow->pull, i, s);
    for (int j = 0; j < open_run->states; j++)
        open_run->rate[j] = ss_sparse_dot(&flow->places, j, q) +
                            factor * ss_sparse_dot(&flow->speeds, j, q1) + ss_sparse_dot(&flow->own, j, s);
}

static void add_drives(const ss_model* model, const ss_step* step, ss_open_run* open, int k)
{
    const ss_state_flow* flow = &model->actions->flow;
    const double* d = step->d + (size_t)k * (size_t)model->drive_count;
    const double* d1 = d + model->drive_count;
    for (int j = 0; j < open->states; j++)
        open->rate[j] +=
            ss_sparse_dot(&flow->drives, j, d) + (k + 1) * ss_sparse_dot(&flow->drive_speeds, j, d1);
}

static void store_rates(ss_step* step, const ss_open_run* open, int k)
{
    double* next = step->s + (size_t)(k + 1) * (size_t)open->states;
    for (int j = 0; j < open->states; j++) next[j] = open->rate[j] / (k + 1);
}

double ss_open_pull(const ss_model* model, const ss_step* step, int row)
{
    return ss_sparse_dot(&model->actions->flow.pull, row, step->s);
}

// ---- what is not

// Position of body b, coefficient k.
static double position(const ss_model* model, const ss_step* step, const ss_places* bodies, int b, int k)
{
    const ss_body* body = &model->bodies[b];
    size_t at = (size_t)k;
    if (body->drive >= 0) return step->d[at * (size_t)model->drive_count + (size_t)body->drive];
    double x = ss_row_dot(&body->row, step->q + at * (size_t)model->n);
    return k == 0 ? x + bodies->offset[b] : x;
}

// What position b is rounded by at order k, in round-offs: its terms, and the time.
static double position_noise(const ss_model* model, const ss_step* step, const ss_places* bodies, int b,
                             int k)
{
    double lag = 4.0 * (k + 1) * fabs(step->t * position(model, step, bodies, b, k + 1));
    return k == 0 ? lag + fabs(bodies->offset[b]) : lag;
}

void ss_open_fill_inputs(const ss_model* model, const ss_open_run* open_run, const ss_run* run, int to)
{
    const ss_open* open = model->open;
    size_t inputs = (size_t)open->input_count;
    for (int j = 0; j < open->input_count; j++) {
        double* row = ss_run_variable(run, open->first_input + j);
        for (int k = 0; row && k <= to; k++)
            row[k] = open_run->varying[j] ? open_run->input[(size_t)k * inputs + (size_t)j]
                     : k == 0             ? open_run->value[j]
                                          : 0.0;
    }
}

void ss_open_fill(ss_sim* sim, const ss_run* run, int k)
{
    const ss_open* open = sim->model->open;
    double* row;
    for (int b = 0; b < sim->model->body_count; b++) {
        if ((row = ss_run_variable(run, b))) row[k] = position(sim->model, &sim->step, &sim->bodies, b, k);
        if (row && run->noise)
            ss_run_noise(run, b)[k] = position_noise(sim->model, &sim->step, &sim->bodies, b, k);
        if ((row = ss_run_variable(run, open->first_speed + b)))
            row[k] = (k + 1) * position(sim->model, &sim->step, &sim->bodies, b, k + 1);
    }
    for (int j = 0; j < open->state_count; j++)
        if ((row = ss_run_variable(run, open->first_state + j)))
            row[k] = sim->step.s[(size_t)k * (size_t)sim->open.states + (size_t)j];
    for (int j = 0; j < open->input_count; j++)
        if ((row = ss_run_variable(run, open->first_input + j)))
            row[k] = sim->open.varying[j] ? sim->open.input[(size_t)k * (size_t)open->input_count + (size_t)j]
                     : k == 0             ? sim->open.value[j]
                                          : 0.0;
    for (int j = 0; j < open->memory_count; j++)
        if ((row = ss_run_variable(run, open->first_memory + j))) row[k] = k == 0 ? sim->open.memory[j] : 0.0;
    if (sim->level_forces) ss_fill_forces(sim, run, k);
}

static void begin_edges(ss_sim* sim)
{
    ss_open_edges* edges = sim->open.programs->edges;
    if (!edges) return;
    ss_open_stay_on_edges(sim);
    edges->known = false;
    edges->asked = 0;
}

// A series begins, perhaps once more at the same instant: with what the instant found, and nothing else
// decided.
static void begin_series(ss_sim* sim)
{
    ss_open_programs* own = sim->open.programs;
    size_t kinks = (size_t)ss_graph_kink_count(sim->model->open->graph) * sizeof(double);
    if (!own->begun) {
        for (int j = 0; own->edges && j < own->motion.program->kink_count; j++)
            own->edges->on[j] = own->motion.crossed[j];
        if (sim->level_forces) ss_keep_force_kinks(sim);
        ss_run_begin(&own->motion, sim->step.t);
        memcpy(own->start, own->pieces, kinks);
        ss_open_fill(sim, &own->motion, 0);
        ss_open_fill_inputs(sim->model, &sim->open, &own->motion, 2);
        begin_edges(sim);
    }
    memcpy(own->pieces, own->start, kinks);
    own->begun = true;
    if (own->edges) own->edges->held = 0;
    if (own->stiff) own->stiff->written = false;
    own->sized = own->bad = own->overflows = own->crowded = false;
    ss_forget_input(&sim->inputs);
    ss_open_begin_levels(&sim->inputs, &sim->open);
    ss_open_fill(sim, &own->motion, 0);
    for (int b = 0; b < sim->model->body_count; b++) {
        double* row = ss_run_variable(&own->motion, b);
        if (row) row[1] = position(sim->model, &sim->step, &sim->bodies, b, 1);
    }
    ss_open_fill_inputs(sim->model, &sim->open, &own->motion, 2);
    if (ss_run_decide(&own->motion, 1) > 0 || (own->edges && own->edges->keeps_any))
        ss_open_decide_edges(sim);
}

// The output that is no number at order k, or else the one whose series grows fastest.
static int find_bad_output(ss_open_programs* programs, int k)
{
    const ss_run* run = &programs->motion;
    double fastest = -1.0;
    int found = 0;
    for (int i = 0; i < run->program->output_count; i++) {
        const double* series = ss_run_output(run, i);
        double growth = k > 1 ? fabs(series[k - 1]) / fmax(fabs(series[k - 2]), DBL_MIN) : 0.0;
        if (!isfinite(series[k])) growth = INFINITY;
        if (!(growth > fastest)) continue;
        fastest = growth;
        found = i;
    }
    return found;
}

static void name_output(const ss_model* model, ss_inputs* inputs, const ss_open_run* open_run, int bad)
{
    const ss_actions* actions = model->actions;
    const ss_open* open = model->open;
    for (int i = 0; i < open_run->slots; i++) {
        int output = i < actions->pull_count ? actions->pulls[i].output
                                             : actions->rates[i - actions->pull_count].output;
        if (output == bad) ss_open_name_slot(model, inputs, i);
    }
    if (bad >= actions->level_output) {
        const ss_open_level* level = &open->levels[bad - actions->level_output];
        ss_name_input(inputs, "contacts.%.60s.%.40s", model->contacts[level->contact].name, level->field);
    }
}

// Whether a contact that slips next to v = 0, where its curve may have a fractional power, is what makes the
// coefficients of the motion grow beyond all numbers by order k: they grow like powers of v'/v.
static bool slips_near_rest(const ss_model* model, const ss_step* step, const ss_modes* modes, int k)
{
    const double many = 50.0; // digits: nothing else that is finite grows by so many
    for (int i = 0; i < model->contact_count; i++) {
        if (step->laws.curved_at[i] < 0 || !ss_slips(modes, i)) continue;
        const double* v = step->laws.curved[step->laws.curved_at[i]].v;
        double growth = fmax(fabs(v[1] / v[0]), sqrt(fabs(v[2] / v[0])));
        if (v[0] != 0.0 && k * log10(growth) > many) return true;
    }
    return false;
}

// Then it is not an expression of the motion that is at fault. The first orders are needed in any case.
static bool motion_overflows(const ss_sim* sim, int k)
{
    const double huge_number = 1e100; // products of a few of them are none any more
    const int needed = 2;
    const ss_run* run = &sim->open.programs->motion;
    double size = 0.0;
    if (k > needed && run->program->singular_count > 0) return true; // next to a root
    if (k > needed && run->failed == SS_BEYOND_NUMBERS) return true; // the motion quickens so much
    for (int b = 0; b < sim->model->body_count; b++)
        size += fabs(position(sim->model, &sim->step, &sim->bodies, b, k));
    return k > needed && !(size < huge_number) && slips_near_rest(sim->model, &sim->step, &sim->modes, k);
}

// The series is as long as its coefficients are good for (series.c): these are not.
static void end_series(const ss_model* model, ss_pulls* pulls)
{
    for (int i = 0; i < model->n; i++) pulls->accel[i] = INFINITY;
}

static void run_program(ss_sim* sim, int k)
{
    ss_open_programs* own = sim->open.programs;
    if (own->bad || own->overflows) return;
    bool done = ss_run_step(&own->motion, k);
    while (!done && ss_open_accept_rounding(sim)) done = ss_run_step(&own->motion, k);
    if (done) return;
    if (motion_overflows(sim, k)) {
        own->overflows = true;
        return;
    }
    own->bad = true;
    if (own->motion.failed >= 0) {
        ss_open_name_fault(sim->model, &sim->inputs, &sim->open, own->motion.failed);
        return;
    }
    ss_forget_input(&sim->inputs);
    name_output(sim->model, &sim->inputs, &sim->open, find_bad_output(sim->open.programs, k));
}

// The first output that is made of register i.
static int find_output_of(const ss_run* run, int i)
{
    const ss_program* program = run->program;
    bool* made = run->shaken;
    memset(made, 0, (size_t)program->count * sizeof *made);
    made[i] = true;
    for (int r = i + 1; r < program->count; r++) {
        const ss_instruction* in = &program->code[r];
        if (ss_op_is_leaf(in->op)) continue;
        made[r] = made[in->a] || (ss_op_is_binary(in->op) && made[in->b]);
    }
    int output = 0;
    while (output + 1 < program->output_count && !made[program->outputs[output]]) output++;
    return output;
}

// Where a point is, of what the program has been given; what it does not use is none of its faults.
static void place_point(const ss_model* model, const ss_run* run, int point, double out[2])
{
    const ss_plane_point* p = &model->points[point];
    const double *x = NULL, *y = NULL, *angle = NULL;
    if (p->body != SS_GROUND) {
        x = ss_run_variable(run, p->body);
        y = ss_run_variable(run, p->body + 1);
        angle = ss_run_variable(run, p->body + 2);
    }
    double c = angle ? cos(angle[0]) : 1.0, s = angle ? sin(angle[0]) : 0.0;
    out[0] = (x ? x[0] : 0.0) + c * p->at[0] - s * p->at[1];
    out[1] = (y ? y[0] : 0.0) + s * p->at[0] + c * p->at[1];
}

// The connection between points that meet; -1 where there is none.
static int find_meeting(const ss_model* model, const ss_run* run)
{
    const double near = 1e-9; // of how far they are from the origin: nothing else is met by chance so closely
    for (int i = 0; i < model->connection_count; i++) {
        const ss_connection* c = &model->connections[i];
        double p[2], q[2];
        if (!c->between_points) continue;
        place_point(model, run, c->points[0], p);
        place_point(model, run, c->points[1], q);
        double size =
            hypot(p[0], p[1]) + hypot(model->points[c->points[0]].at[0], model->points[c->points[0]].at[1]);
        if (hypot(p[0] - q[0], p[1] - q[1]) <= near * size) return i;
    }
    return -1;
}

// A spring or a damper between points is an expression that nobody has written: its quotient is told as what
// it means.
static bool name_meeting(const ss_model* model, ss_inputs* inputs, const ss_run* run, int i)
{
    static const char written[] = "forces[";
    ss_op op = run->program->code[i].op;
    bool quotient = op == SS_OP_DIV || op == SS_OP_HYPOT;
    int met =
        quotient && strncmp(inputs->bad, written, sizeof written - 1) != 0 ? find_meeting(model, run) : -1;
    if (met < 0) return false;
    ss_open_name_connection(model, inputs, met);
    snprintf(inputs->fault, sizeof inputs->fault, "%s",
             "its two points meet, where a spring or damper between them has no direction");
    return true;
}

void ss_open_name_fault(const ss_model* model, ss_inputs* inputs, ss_open_run* open_run, int i)
{
    const ss_run* run = &open_run->programs->motion;
    ss_forget_input(inputs);
    name_output(model, inputs, open_run, find_output_of(run, i));
    if (name_meeting(model, inputs, run, i)) return;
    const char* words = ss_singular_words(&run->program->code[i]);
    snprintf(inputs->fault, sizeof inputs->fault, "%s", words ? words : "");
}

static void add_program(ss_sim* sim, int k)
{
    const ss_actions* actions = sim->model->actions;
    ss_open_programs* own = sim->open.programs;
    if (k == 0 && !own->probing) begin_series(sim);
    ss_open_fill(sim, &own->motion, k);
    run_program(sim, k);
    if (own->overflows) end_series(sim->model, &sim->pulls);
    if (own->bad || own->overflows) return;
    if (ss_open_is_held(&sim->open) && !own->probing && !ss_open_mix(sim, k)) own->bad = true;
    if (k == 0 && sim->model->nature.follows_forces) ss_linearise_levels(sim);
    for (int p = 0; p < actions->pull_count; p++) {
        int output = actions->pulls[p].output;
        if (output >= 0) push(sim->model, &sim->pulls, p, ss_open_output(&sim->open, output)[k]);
    }
    for (int j = 0; j < sim->open.states; j++) {
        int output = actions->rates[j].output;
        if (output >= 0) sim->open.rate[j] += ss_open_output(&sim->open, output)[k];
    }
    if (sim->open.following_count > 0) ss_open_update_levels(sim, k);
}

bool ss_open_is_held(const ss_open_run* open_run)
{
    return open_run->programs && open_run->programs->edges && open_run->programs->edges->held > 0;
}

bool ss_open_is_stuck(const ss_open_programs* programs)
{
    return programs && (programs->crowded || programs->chatters);
}

bool ss_open_is_far(ss_open_programs* programs)
{
    // Nothing of mechanics gets there in SI units (light goes 3e8 m/s), and in the square of such a number
    // rounding is larger than 1e8: whether what stands under a root is negative means nothing any more.
    const double far = 1e12;
    const ss_run* run = &programs->motion;
    double most = 0.0;
    for (int v = 0; v < run->program->variable_count; v++) {
        const double* row = ss_run_variable(run, v);
        if (row) most = isfinite(row[0]) ? fmax(most, fabs(row[0])) : INFINITY;
    }
    return most > far;
}

bool ss_open_overflows(ss_open_programs* own)
{
    return own && own->bad && own->motion.failed != -1 && ss_open_is_far(own);
}

bool ss_open_is_bad(const ss_open_run* open_run) { return open_run->programs && open_run->programs->bad; }

void ss_open_add(ss_sim* sim, int k)
{
    if (sim->open.states > 0) add_linear(sim->model, &sim->step, &sim->pulls, &sim->open, k);
    for (int j = 0; j < sim->open.states && k == 0; j++) sim->open.rate[j] += sim->open.constant[j];
    if (sim->model->drive_count > 0) add_drives(sim->model, &sim->step, &sim->open, k);
    if (sim->open.varies) add_given(sim->model, &sim->step, &sim->pulls, &sim->open, k);
    if (sim->model->actions->motion.output_count > 0) add_program(sim, k);
    store_rates(&sim->step, &sim->open, k);
}

// ---- pieces

int ss_open_switch_count(const ss_model* model)
{
    return model->open ? model->actions->motion.kink_count : 0;
}

static double piece_of(ss_open_programs* programs, int j)
{
    const ss_run* run = &programs->motion;
    return run->w.piece[run->program->code[run->program->kinks[j]].kink];
}

int ss_open_switch(const ss_sim* sim, int j, double out[])
{
    const ss_run* run = &sim->open.programs->motion;
    const ss_open_stiff* stiff = sim->open.programs->stiff;
    if (stiff && stiff->written) return ss_open_stiff_switch(&sim->step, sim->open.programs, j, out);
    if (ss_open_edge_holds(&sim->open, j)) return ss_open_edge_switch(&sim->step, sim->open.programs, j, out);
    if (isnan(piece_of(sim->open.programs, j)))
        return ss_open_stand_switch(&sim->step, sim->open.programs, j, out);
    ss_run_switch(run, j, sim->step.order - 2, out);
    return ss_open_stays_on_edge(sim, j, out) ? -1 : sim->step.order - 2;
}

bool ss_open_paces(const ss_open_run* open_run, int j)
{
    return ss_run_paces(&open_run->programs->motion, j);
}
void ss_open_end_piece(ss_open_run* open_run, int j) { open_run->programs->crossing[j] = true; }

void ss_open_keep_pieces(const ss_model* model, const ss_open_programs* programs)
{
    memset(programs->crossing, 0, (size_t)model->actions->motion.kink_count * sizeof(bool));
}

// What the argument of kink j, which was located at s, may be found at there: the rounding of that place, and
// of the terms of the function.
static double rounding_at(const ss_sim* sim, int j, double s)
{
    double g[SS_MAX_ORDER + 2];
    int degree = ss_open_switch(sim, j, g);
    if (degree < 0) return 0.0;
    const ss_run* run = &sim->open.programs->motion;
    const ss_instruction* in = &run->program->code[run->program->kinks[j]];
    (void)ss_open_output_size(sim, 0); // sizes of all registers
    double terms = run->sizes[in->a] + (ss_op_is_binary(in->op) ? run->sizes[in->b] : 0.0);
    return 4.0 * fabs(ss_poly_value(g, 1, degree, s)) + SS_RELATIVE_ZERO * ss_poly_bound(g, 1, degree, s) +
           16.0 * DBL_EPSILON * (isfinite(terms) ? terms : 0.0);
}

void ss_open_leave(ss_sim* sim, double s)
{
    ss_open_programs* own = sim->open.programs;
    int count = own->motion.program->kink_count;
    if (own->edges) ss_open_end_hold(sim, s);
    for (int j = 0; j < count; j++) {
        if (!own->crossing[j]) continue;
        ss_open_count_crossing(sim->model, sim->open.programs, j, sim->step.t);
        own->within[j] = isnan(piece_of(sim->open.programs, j)) ? 0.0 : rounding_at(sim, j, s);
        if (!isnan(piece_of(sim->open.programs, j))) continue;
        ss_open_leave_stand(&sim->step, sim->open.programs, j);
        own->crossing[j] = false;
    }
    ss_run_cross_together(&own->motion, own->crossing, own->within, s);
    memset(own->crossing, 0, (size_t)count * sizeof *own->crossing);
    own->begun = false;
    own->span = fmax(s, 0.98 * own->span);
}
