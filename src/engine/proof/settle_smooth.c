// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Settling near an equilibrium of an open model that is not linear (docs/theory/settle.md, "Not linear").
//
// In one mode, with constant inputs, y = (q, q', s) of what is not held obeys
//
//     y' = f(y) = f(y0) + A0 (y - y0) + G (o(x) - o(x0)),      x = x0 + X (y - y0),
//
// where A0 is what is affine, o are the outputs of the program (forces and rates that are not), and x the
// variables of its expressions. Newton's method finds y* with f(y*) = 0, J = f'(y*) = V diag(lambda) W, W V
// = 1. Where all of lambda decay, at least at the rate alpha, and z = W (y - y*),
//
//     d/dt |z|  <=  -alpha |z| + L |z| + |W f(y*)|,     L = | |W| E |V| |,   E >= |f'(y) - f'(y*)|
//
// for all y with |z| <= rho; E comes from the ranges of the derivatives over the box around that ball. With
// L below alpha the ball of rho = |z(0)| is never left, all motions in it come together, and its equilibrium
// is where they go. No contact leaves its mode where its force stays within its bounds over the whole ball.
//
//   reads    step at its start (q, q', q'', s, s', lambda), modes, inputs
//   writes   scratch of its own, mode.limit of ss_settle
#include "engine/proof/settle_smooth.h"
#include "engine/field/field.h"

#include "core/expression/range.h"
#include "core/rounding.h"
#include "core/tolerance.h"
#include "engine/flow/contact.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/proof/proof.h"
#include "model/actions.h"

#include <math.h>
#include <string.h>

struct ss_settle_smooth {
    int outputs;               // of the program that act on the motion: levels are not among them
    int variables;             // of the expressions
    double *first, *x, *map;   // variables at y0, at a point; variables x size: X
    double *act, *react;       // size x outputs: G; contacts x outputs: what a unit does to held forces
    double *start, *rates;     // size: y0, f(y0)
    double *y, *f, *way;       // size: a point, its rates, Newton's step
    double *at_start, *at;     // outputs: o(x0), o(x)
    double *slope, *spread;    // outputs x variables: derivatives at the point, and how far they vary
    double *jacobian, *square; // size x size
    double* reach;             // size: how far y may be from y*
    double* values;            // slopes: as the program gives them
    double* pieces;            // kinks
    ss_run motion, derivative;
    ss_range *box, *registers, *ranges;
    signed char* sides;
};

void ss_settle_smooth_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    struct ss_settle* s = sim->proof.settle;
    ss_pool* pool = &sim->pool;
    struct ss_settle_smooth* own = ss_pool_spare(pool, 1, sizeof *own);
    if (!own) return;
    const ss_actions* actions = model->actions;
    own->outputs = actions->level_output;
    own->variables = model->open->variable_count;
    size_t size = 2 * (size_t)model->n + (size_t)sim->open.states, o = (size_t)own->outputs,
           v = (size_t)own->variables, kinks = (size_t)ss_graph_kink_count(model->open->graph),
           most = (size_t)(actions->motion.count > actions->slope.count ? actions->motion.count
                                                                        : actions->slope.count),
           all = (size_t)actions->motion.output_count, slopes = (size_t)actions->slope.output_count;
    double** reals[] = {&own->first,    &own->x,     &own->map,    &own->act,    &own->react,
                        &own->start,    &own->rates, &own->y,      &own->f,      &own->way,
                        &own->at_start, &own->at,    &own->slope,  &own->spread, &own->jacobian,
                        &own->square,   &own->reach, &own->values, &own->pieces};
    size_t sizes[] = {v,           v,    v * size, size * o, (size_t)model->contact_count * o,
                      size,        size, size,     size,     size,
                      all,         all,  o * v,    o * v,    size * size,
                      size * size, size, slopes,   kinks};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        *reals[k] = ss_pool_spare(pool, sizes[k], sizeof(double));
    own->box = ss_pool_spare(pool, v, sizeof *own->box);
    own->registers = ss_pool_spare(pool, most, sizeof *own->registers);
    own->ranges = ss_pool_spare(pool, all > slopes ? all : slopes, sizeof *own->ranges);
    own->sides = ss_pool_spare(pool, kinks, sizeof *own->sides);
    if (pool->failed || !ss_run_make_spare(&own->motion, pool, &actions->motion, own->pieces) ||
        !ss_run_make_spare(&own->derivative, pool, &actions->slope, own->pieces))
        return;
    s->smooth = own;
}

// ---- the system of the present mode

// X, and the variables at the start of the step.
static void find_map(const ss_sim* sim)
{
    const struct ss_settle* s = sim->proof.settle;
    struct ss_settle_smooth* own = s->smooth;
    const ss_model* model = sim->model;
    const ss_open* open = model->open;
    int n = model->n, r = s->mode.count, size = s->mode.size;
    memset(own->map, 0, (size_t)(own->variables * size) * sizeof(double));
    for (int c = 0; c < r; c++) {
        const double* y = ss_settle_unit(sim->model, &sim->open, &sim->modes, &sim->proof, c);
        for (int b = 0; b < model->body_count; b++) {
            double moves = ss_row_dot(&model->bodies[b].row, y);
            if (model->bodies[b].drive >= 0) continue;
            own->map[b * size + c] = own->map[(open->first_speed + b) * size + r + c] = moves;
        }
    }
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool driven = body->drive >= 0;
        own->x[b] =
            driven ? sim->step.d[body->drive] : ss_row_dot(&body->row, sim->step.q) + sim->bodies.offset[b];
        own->x[open->first_speed + b] =
            driven ? sim->step.d[model->drive_count + body->drive] : ss_row_dot(&body->row, sim->step.q + n);
    }
    for (int j = 0; j < open->state_count; j++) {
        own->map[(open->first_state + j) * size + 2 * r + j] = 1.0;
        own->x[open->first_state + j] = sim->step.s[j];
    }
    for (int j = 0; j < open->input_count; j++)
        own->x[open->first_input + j] =
            sim->open.varying[j] ? ss_signal_value(open->inputs[j].signal, sim->step.t) : sim->open.value[j];
    for (int j = 0; j < open->memory_count; j++) own->x[open->first_memory + j] = sim->open.memory[j];
}

// G: what a unit of each output does, with the contacts that hold.
static void find_actions(const ss_sim* sim)
{
    const struct ss_settle* s = sim->proof.settle;
    struct ss_settle_smooth* own = s->smooth;
    const ss_model* model = sim->model;
    const ss_actions* actions = model->actions;
    int n = model->n, m = model->contact_count, r = s->mode.count, o = own->outputs;
    double *a = s->point.rates, *lambda = s->point.lambda;
    memset(own->act, 0, (size_t)(s->mode.size * o) * sizeof(double));
    memset(own->react, 0, (size_t)(m * o) * sizeof(double));
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_pull* pull = &actions->pulls[p];
        if (pull->output < 0) continue;
        memset(a, 0, (size_t)n * sizeof(double));
        memset(lambda, 0, (size_t)m * sizeof(double));
        for (int l = 0; l < pull->mobility.count; l++) a[pull->mobility.index[l]] += pull->mobility.value[l];
        for (int j = 0; j < sim->modes.active_count; j++)
            ss_field_hold(sim->field, sim->modes.active[j], 0.0, NULL, a, lambda);
        for (int i = 0; i < r; i++) own->act[(r + i) * o + pull->output] += a[s->mode.coordinates[i]];
        for (int i = 0; i < m; i++) own->react[i * o + pull->output] += lambda[i];
    }
    for (int j = 0; j < sim->open.states; j++)
        if (actions->rates[j].output >= 0) own->act[(2 * r + j) * o + actions->rates[j].output] += 1.0;
}

static bool find_outputs(struct ss_settle_smooth* own, const double x[], double out[])
{
    return ss_run_values(&own->motion, 0.0, x, false, out);
}

// y0 and f(y0): the series of the step begin with them.
static bool find_start(const ss_model* model, const ss_step* step, const ss_open_run* open_run,
                       const ss_proof* proof)
{
    const struct ss_settle* s = proof->settle;
    struct ss_settle_smooth* own = s->smooth;
    int n = model->n, r = s->mode.count, states = open_run->states;
    for (int j = 0; j < r; j++) {
        const double* q = step->q + s->mode.coordinates[j];
        own->start[j] = q[0];
        own->start[r + j] = own->rates[j] = q[n];
        own->rates[r + j] = 2.0 * q[2 * n];
    }
    for (int j = 0; j < states; j++) {
        own->start[2 * r + j] = step->s[j];
        own->rates[2 * r + j] = step->s[states + j];
    }
    return find_outputs(own, own->x, own->at_start);
}

// f(y); x becomes that of the point.
static bool find_rates(struct ss_settle* s, const double y[], double f[])
{
    struct ss_settle_smooth* own = s->smooth;
    int size = s->mode.size, o = own->outputs;
    for (int v = 0; v < own->variables; v++) {
        own->x[v] = own->first[v];
        for (int j = 0; j < size; j++) own->x[v] += own->map[v * size + j] * (y[j] - own->start[j]);
    }
    if (!find_outputs(own, own->x, own->at)) return false;
    for (int i = 0; i < size; i++) {
        f[i] = own->rates[i];
        for (int j = 0; j < size; j++) f[i] += s->mode.a[i * size + j] * (y[j] - own->start[j]);
        for (int k = 0; k < o; k++) f[i] += own->act[i * o + k] * (own->at[k] - own->at_start[k]);
    }
    return true;
}

// Derivatives of the outputs at x, and f' there.
static bool find_jacobian(const ss_model* model, struct ss_settle* s)
{
    struct ss_settle_smooth* own = s->smooth;
    const ss_jacobian* slopes = &model->actions->slopes;
    int size = s->mode.size, o = own->outputs, vs = own->variables;
    if (!ss_run_values(&own->derivative, 0.0, own->x, false, own->values)) return false;
    memset(own->slope, 0, (size_t)(o * vs) * sizeof(double));
    for (int e = 0; e < slopes->count; e++)
        if (slopes->row[e] < o) own->slope[slopes->row[e] * vs + slopes->variable[e]] = own->values[e];
    memcpy(own->jacobian, s->mode.a, (size_t)(size * size) * sizeof(double));
    for (int k = 0; k < o; k++)
        for (int j = 0; j < size; j++) {
            double sum = 0.0;
            for (int v = 0; v < vs; v++) sum += own->slope[k * vs + v] * own->map[v * size + j];
            for (int i = 0; i < size; i++) own->jacobian[i * size + j] += own->act[i * o + k] * sum;
        }
    return true;
}

// Newton's method from y0; x is left at y*, the Jacobian that of y*.
static bool find_equilibrium(const ss_model* model, struct ss_settle* s)
{
    enum { ROUNDS = 40 };
    struct ss_settle_smooth* own = s->smooth;
    int size = s->mode.size;
    memcpy(own->y, own->start, (size_t)size * sizeof(double));
    bool near = false;
    for (int round = 0; round < ROUNDS; round++) {
        if (!find_rates(s, own->y, own->f) || !find_jacobian(model, s)) return false;
        if (near) return true;
        memcpy(own->square, own->jacobian, (size_t)(size * size) * sizeof(double));
        for (int j = 0; j < size; j++) own->way[j] = -own->f[j];
        if (!ss_settle_solve(own->square, own->way, size)) return false;
        near = true;
        for (int j = 0; j < size; j++) {
            own->y[j] += own->way[j];
            near = near && fabs(own->way[j]) <= SS_RELATIVE_ZERO * (fabs(own->y[j]) + fabs(own->start[j]));
        }
    }
    return false;
}

// ---- the ball

// The slowest decay of the modes of f'(y*); negative where one does not decay.
static double find_spectrum(struct ss_settle* s)
{
    struct ss_settle_smooth* own = s->smooth;
    int size = s->mode.size;
    double slowest = INFINITY;
    memcpy(own->square, own->jacobian, (size_t)(size * size) * sizeof(double));
    if (!ss_eigen_solve(own->square, size, &s->parts.spectrum, s->parts.work, s->parts.scale) ||
        !(s->parts.spectrum.condition < 1.0 / SS_ROOT_NOISE))
        return -1.0;
    for (int k = 0; k < size; k++) slowest = fmin(slowest, -creal(s->parts.spectrum.values[k]));
    return slowest;
}

// |W y|, y as in the list of numbers.
static double norm_of(const struct ss_settle* s, const double y[])
{
    int size = s->mode.size;
    double sum = 0.0;
    for (int k = 0; k < size; k++) {
        double complex z = 0.0;
        for (int j = 0; j < size; j++) z += s->parts.spectrum.inverse[k * size + j] * y[j];
        sum += creal(z * conj(z));
    }
    return sqrt(sum);
}

// The box of all variables with |z| <= rho, and how far y is from y* there at most.
static void find_box(const struct ss_settle* s, double rho)
{
    struct ss_settle_smooth* own = s->smooth;
    int size = s->mode.size;
    const double complex* vectors = s->parts.spectrum.vectors;
    for (int j = 0; j < size; j++) {
        double sum = 0.0;
        for (int k = 0; k < size; k++) sum += creal(vectors[j * size + k] * conj(vectors[j * size + k]));
        own->reach[j] = rho * sqrt(sum);
    }
    for (int v = 0; v < own->variables; v++) {
        double sum = 0.0;
        for (int k = 0; k < size; k++) {
            double complex moves = 0.0;
            for (int j = 0; j < size; j++) moves += own->map[v * size + j] * vectors[j * size + k];
            sum += creal(moves * conj(moves));
        }
        double way = rho * sqrt(sum) + (sum > 0.0 ? SS_NOISE * fabs(own->x[v]) : 0.0);
        own->box[v] = (ss_range){own->x[v] - way, own->x[v] + way};
    }
}

// How far the derivatives of the outputs are from those at y*, anywhere in the box. False where the box holds
// a jump, or they have no bound.
static bool find_spread(const ss_model* model, struct ss_settle* settle)
{
    struct ss_settle_smooth* own = settle->smooth;
    const ss_actions* actions = model->actions;
    int o = own->outputs, vs = own->variables;
    if (!ss_program_enclose(&actions->motion, own->box, own->registers, own->sides, own->ranges) ||
        !ss_program_enclose(&actions->slope, own->box, own->registers, own->sides, own->ranges))
        return false;
    memset(own->spread, 0, (size_t)(o * vs) * sizeof(double));
    for (int e = 0; e < actions->slopes.count; e++) {
        int at = actions->slopes.row[e] * vs + actions->slopes.variable[e];
        if (actions->slopes.row[e] >= o) continue;
        own->spread[at] =
            fmax(fabs(own->ranges[e].high - own->slope[at]), fabs(own->ranges[e].low - own->slope[at]));
        if (!isfinite(own->spread[at])) return false;
    }
    return true;
}

// What the outputs' spread adds to the derivatives of a row of forces or rates by y_j: sum |row| E |X|.
static double spread_of(const struct ss_settle* s, const double row[], int j)
{
    const struct ss_settle_smooth* own = s->smooth;
    double sum = 0.0;
    for (int k = 0; k < own->outputs; k++)
        for (int v = 0; v < own->variables && row[k] != 0.0; v++)
            sum += fabs(row[k]) * own->spread[k * own->variables + v] * fabs(own->map[v * s->mode.size + j]);
    return sum;
}

// L: the norm of |W| E |V|, and what is left of W J V - diag(lambda) by rounding.
static double find_bound(const struct ss_settle* s)
{
    struct ss_settle_smooth* own = s->smooth;
    const ss_spectrum* spectrum = &s->parts.spectrum;
    int size = s->mode.size;
    double total = 0.0, rest = 0.0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            own->square[i * size + j] = spread_of(s, own->act + i * own->outputs, j);
    for (int k = 0; k < size; k++)
        for (int l = 0; l < size; l++) {
            double sum = 0.0;
            double complex left = k == l ? -spectrum->values[k] : 0.0;
            for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++) {
                    double complex w = spectrum->inverse[k * size + i], v = spectrum->vectors[j * size + l];
                    sum += cabs(w) * own->square[i * size + j] * cabs(v);
                    left += w * own->jacobian[i * size + j] * v;
                }
            total += sum * sum;
            rest += creal(left * conj(left));
        }
    return sqrt(total) + sqrt(rest);
}

// Whether the ball is never left, and everything in it comes together.
static bool is_drawn(const ss_model* model, struct ss_settle* s, double slowest)
{
    const double share = 0.9; // of the decay that what is not linear may take away: the rest is for rounding
    struct ss_settle_smooth* own = s->smooth;
    for (int j = 0; j < s->mode.size; j++) own->way[j] = own->start[j] - own->y[j];
    double rho = (1.0 + SS_CLEAR) * norm_of(s, own->way), off = norm_of(s, own->f);
    if (!(rho > 0.0) || !isfinite(rho)) return false;
    rho += 2.0 * off / slowest; // y* is an equilibrium to rounding
    find_box(s, rho);
    if (!find_spread(model, s)) return false;
    return find_bound(s) * rho + off < share * slowest * rho;
}

// ---- contacts

// Whether a contact that holds does so for all of the ball.
static bool keeps_holding(const ss_sim* sim, int i)
{
    const struct ss_settle* s = sim->proof.settle;
    const struct ss_settle_smooth* own = s->smooth;
    int size = s->mode.size, o = own->outputs;
    double force = sim->step.lambda[i], spread = 0.0;
    for (int k = 0; k < o; k++) force += own->react[i * o + k] * (own->at[k] - own->at_start[k]);
    for (int j = 0; j < size; j++) {
        double slope = s->mode.reactions[i * size + j];
        force += slope * (own->y[j] - own->start[j]);
        for (int k = 0; k < o; k++)
            for (int v = 0; v < own->variables; v++)
                slope += own->react[i * o + k] * own->slope[k * own->variables + v] * own->map[v * size + j];
        spread += (fabs(slope) + spread_of(s, own->react + i * o, j)) * own->reach[j];
    }
    double low = ss_hold_low(sim, i, 0), high = ss_hold_high(sim, i, 0);
    spread += SS_CLEAR * (fabs(force) + spread);
    return force - spread > low && force + spread < high;
}

// Whether a stop stays open for all of the ball.
static bool keeps_open(const ss_model* model, const ss_modes* modes, struct ss_settle* s, int i)
{
    const struct ss_settle_smooth* own = s->smooth;
    double side = model->contacts[i].rigid_stop.side, gap = modes->contacts[i].gap, spread = 0.0;
    for (int j = 0; j < s->mode.count; j++) {
        double row = s->mode.rows[i * s->mode.count + j];
        gap -= side * row * (own->y[j] - own->start[j]);
        spread += fabs(row) * own->reach[j];
    }
    return gap > (1.0 + SS_CLEAR) * spread;
}

static bool stays(const ss_sim* sim, int i)
{
    switch (sim->modes.contacts[i].mode) {
    case SS_MODE_STICK: return !sim->modes.contacts[i].pinned && keeps_holding(sim, i);
    case SS_MODE_OPEN: return keeps_open(sim->model, &sim->modes, sim->proof.settle, i);
    default: return false; // what slips would have to stop at the equilibrium alone
    }
}

// ---- the verdict

static void write_limit(const ss_model* model, const ss_open_run* open_run, const ss_proof* proof,
                        const ss_places* bodies, double limit_x[])
{
    const struct ss_settle* s = proof->settle;
    const struct ss_settle_smooth* own = s->smooth;
    for (int b = 0; b < model->body_count && limit_x; b++)
        limit_x[b] = ss_clear_rounding(own->x[b], 8.0 * (fabs(own->x[b]) + fabs(bodies->out_x[b])));
    for (int j = 0; j < open_run->states; j++) s->mode.limit[j] = own->y[2 * s->mode.count + j];
}

// Whether the mode is one that is looked at: determined, no contact at its bound, no edge that holds.
static bool is_plain(const ss_model* model, const ss_open_run* open_run, const ss_modes* modes)
{
    if (open_run->following_count > 0 || ss_open_is_held(open_run)) return false;
    for (int j = 0; j < modes->active_count; j++)
        if (modes->holds[modes->active[j]].singular) return false;
    for (int i = 0; i < model->contact_count; i++)
        if (modes->contacts[i].mode != SS_MODE_STICK && modes->contacts[i].mode != SS_MODE_OPEN) return false;
    return true;
}

bool ss_settle_smooth_proved(const ss_sim* sim, double limit_x[])
{
    struct ss_settle* s = sim->proof.settle;
    struct ss_settle_smooth* own = s->smooth;
    bool moves = false;
    if (!sim->step.ready || sim->course.ended || !ss_inputs_stay(sim) ||
        !is_plain(sim->model, &sim->open, &sim->modes))
        return false;
    ss_settle_find_free(sim->model, &sim->open, &sim->modes, &sim->proof);
    if (s->mode.size == 0 || !ss_settle_linearise(sim)) return false;
    find_actions(sim);
    find_map(sim);
    if (!find_start(sim->model, &sim->step, &sim->open, &sim->proof)) return false;
    memcpy(own->first, own->x, (size_t)own->variables * sizeof(double));
    for (int j = 0; j < s->mode.size; j++) moves = moves || own->rates[j] != 0.0;
    if (!moves || !find_equilibrium(sim->model, sim->proof.settle)) return false;
    double slowest = find_spectrum(sim->proof.settle);
    if (!(slowest > 0.0) || !is_drawn(sim->model, sim->proof.settle, slowest)) return false;
    for (int i = 0; i < sim->model->contact_count; i++)
        if (!stays(sim, i)) return false;
    write_limit(sim->model, &sim->open, &sim->proof, &sim->bodies, limit_x);
    return true;
}
