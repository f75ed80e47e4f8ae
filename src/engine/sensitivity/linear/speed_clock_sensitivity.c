// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities across a speed-clock step (flow/speed_clock.h), where the speed v of a contact is the clock.
// At one reading of the clock, with time t and state y = (q, q', s) there, a neighbour is at t + Dt and y +
// Dy, and because friction is a function of the clock its slope drops out:
//
//     DR = A Dy + b + push f_p(v),     d(Dt)/dc = -dt/dc w DR / a,     d(Dy)/dc = DR dt/dc + y' d(Dt)/dc
//
// a = w y' being the acceleration of the contact. A sensitivity is what neighbours are off at one time: dy =
// Dy - y' Dt where the speed-clock step ends, and where it begins w dy = -a Dt. Picard's iteration settles as
// that of the motion does, over the same nodes.
//
//   reads    the motion at the nodes of a speed-clock step, sensitivities where it begins
//   writes   sensitivities where it ends, or where the caller stops within
//   promise  false where the iteration does not settle: the run takes steps then
//   cost     that of the speed-clock step, less what integrates its time
#include "engine/flow/contact.h"
#include "engine/flow/speed_clock.h"
#include "engine/sensitivity/event_surface.h"

#include "core/algebra/wide.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LARGEST = SS_SPEED_CLOCK_LARGEST, WIDTH = SS_SPEED_CLOCK_WIDTH, ROUNDS = 32 };

struct ss_sensitivity_speed_clock {
    double* start;         // per sensitivity LARGEST: where the speed-clock step begins
    double* end;           // where it ends
    double* now;           // where the caller stops within
    double rates[LARGEST]; // of the motion where it ends
    double length, speed;  // s, m/s: how long it takes, and the largest speed at its ends
    // At the nodes: Dy, b + push f_p, d(Dy)/dc, d(Dt)/dc.
    double y[LARGEST][WIDTH], push[LARGEST][WIDTH], slope[LARGEST][WIDTH], delay[WIDTH];
};

// ---- creation

// Whether a direction changes nothing but laws that know how at a point, matrices, masses and constants.
static bool applies_to(const ss_derivative* der, const ss_model_change* change)
{
    const ss_model* model = der->model;
    if (change->given || change->cubic) return false;
    for (int f = 0; f < model->force_count; f++)
        if (change->force[f].count > 0) return false;
    for (int i = 0; i < der->m; i++) {
        bool asks = change->law[i] && model->contacts[i].law_entry->point.at && !change->numbers[i];
        if (change->q[i].count > 0 || asks) return false;
    }
    for (int p = 0; model->open && p < model->actions->pull_count; p++)
        if (change->pull[p].count > 0) return false;
    for (int j = 0; model->open && j < der->slots; j++)
        if (change->affine[j].count > 0) return false;
    return true;
}

bool ss_sensitivity_make_speed_clock(ss_derivative* der)
{
    const ss_model* model = der->model;
    if (der->kind.linear || der->nd > 0 || der->nz > 0 || der->nm > 0 || der->nu > 0 ||
        model->body_count != der->n || der->width > LARGEST || model->nature.one_way)
        return true;
    for (int j = 0; j < der->count; j++)
        if (der->sensitivities[j].change && !applies_to(der, der->sensitivities[j].change)) return true;
    struct ss_sensitivity_speed_clock* own = ss_pool_new(&der->pool, 1, sizeof *own);
    double* room = ss_pool_new(&der->pool, 3 * LARGEST * (size_t)der->count, sizeof(double));
    if (!own || !room) return false;
    own->start = room;
    own->end = own->start + LARGEST * der->count;
    own->now = own->end + LARGEST * der->count;
    der->ways.speed_clock = own;
    return true;
}

static bool may_speed_clock(const ss_sim* sim) { return !sim->derivative->before.filled; }

// ---- sensitivities as one list of numbers

static void load(const ss_derivative* der, const ss_sensitivity* to, double y[])
{
    memcpy(y, to->q, (size_t)der->n * sizeof(double));
    memcpy(y + der->n, to->v, (size_t)der->n * sizeof(double));
    memcpy(y + 2 * der->n, to->s, (size_t)der->ns * sizeof(double));
}

static void store(const ss_derivative* der, ss_sensitivity* to, const double y[])
{
    memcpy(to->q, y, (size_t)der->n * sizeof(double));
    memcpy(to->v, y + der->n, (size_t)der->n * sizeof(double));
    memcpy(to->s, y + 2 * der->n, (size_t)der->ns * sizeof(double));
}

// ---- what drives a sensitivity

// Adds factor times a row of numbers, one for each node.
static void add_nodes(int nodes, double factor, const double row[], double out[])
{
    for (int j = 0; j <= nodes; j++) out[j] += factor * row[j];
}

static void add_matrix(const ss_speed_clock_motion* d, const ss_sparse* change, int first,
                       double out[][WIDTH])
{
    for (int i = 0; i < d->n && change->start; i++)
        for (int l = change->start[i]; l < change->start[i + 1]; l++)
            add_nodes(d->tables->nodes, -change->value[l], d->y[first + change->index[l]], out[i]);
}

// How the force of the contact whose speed is the clock changes with the numbers of its law, at the nodes.
static void law_changes(const ss_derivative* der, const ss_speed_clock_motion* d,
                        const ss_model_change* change, int contact, double out[])
{
    const ss_contact* c = &der->model->contacts[contact];
    ss_law_point point = {.sign = d->v0 > 0.0 ? 1.0 : -1.0, .along = ss_along_of(&der->sim->step, contact)};
    double rate;
    for (int j = 0; j <= d->tables->nodes; j++) {
        point.v = d->v[j];
        point.fall = &d->fall[j];
        c->law_entry->point.by_numbers(ss_law_of(c), change->numbers[contact], &point, &out[j], &rate);
    }
}

// b and push f_p of contact i at the nodes: its force changes by `more`, and acts by other masses.
static void drive_by(struct ss_sensitivity_speed_clock* own, const ss_row* mobility, const double more[],
                     const ss_row* heavier, const double force[], int nodes)
{
    for (int k = 0; k < mobility->count; k++)
        add_nodes(nodes, mobility->value[k], more, own->push[mobility->index[k]]);
    for (int k = 0; k < heavier->count; k++)
        add_nodes(nodes, heavier->value[k], force, own->push[heavier->index[k]]);
}

static void fill_nodes(int nodes, double value, double out[])
{
    for (int j = 0; j <= nodes; j++) out[j] = value;
}

static void drive_nodes(ss_derivative* der, const ss_speed_clock_motion* d, const ss_model_change* change,
                        int contact)
{
    struct ss_sensitivity_speed_clock* own = der->ways.speed_clock;
    const ss_sim* sim = der->sim;
    int nodes = d->tables->nodes;
    double more[WIDTH], force[WIDTH];
    for (int i = 0; i < der->n; i++) fill_nodes(nodes, change ? change->constant[i] : 0.0, own->push[i]);
    if (!change) return;
    add_matrix(d, &change->stiffness, 0, own->push);
    add_matrix(d, &change->damping, der->n, own->push);
    for (int i = 0; i < der->m; i++) {
        const ss_row *mobility = &der->model->contacts[i].mobility, *heavier = &change->mobility[i];
        bool plus = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
        if (i == contact) {
            fill_nodes(nodes, 0.0, more);
            if (change->law[i]) law_changes(der, d, change, i, more);
            drive_by(own, mobility, more, heavier, d->force, nodes);
        } else {
            fill_nodes(nodes, (plus ? -1.0 : 1.0) * change->levels[i][plus ? SS_FORWARD : SS_BACKWARD], more);
            fill_nodes(nodes, plus ? ss_kinetic_low(sim, i, 0) : ss_kinetic_high(sim, i, 0), force);
            drive_by(own, mobility, more, heavier, force, nodes);
        }
    }
}

// ---- the iteration

// d(Dt)/dc and d(Dy)/dc at all nodes. Sizes are known where it is called.
static inline __attribute__((always_inline)) void find_slopes_of(struct ss_sensitivity_speed_clock* own,
                                                                 const ss_speed_clock_motion* d,
                                                                 const int size, const int n)
{
    const ss_speed_clock_tables* t = d->tables;
    double length = d->v1 - d->v0;
    for (int b = 0; 4 * b <= t->nodes; b++) {
        ss_four y[LARGEST], rate[LARGEST], along = {0.0}, slow = ((const ss_four*)d->slow)[b];
        for (int k = 0; k < size; k++) y[k] = ((const ss_four*)own->y[k])[b];
        for (int i = 0; i < size; i++) {
            rate[i] = y[i < n ? n + i : i];
            if (i < n) continue;
            rate[i] = i < 2 * n ? ((const ss_four*)own->push[i - n])[b] : (ss_four){0.0};
            for (int k = 0; k < size; k++) rate[i] += t->a[i][k] * y[k];
            if (i < 2 * n) along += d->row[i - n] * rate[i];
        }
        ss_four delay = -slow * slow * along / (length * ((const ss_four*)d->pace)[b]);
        ((ss_four*)own->delay)[b] = delay;
        for (int i = 0; i < size; i++)
            ((ss_four*)own->slope[i])[b] = rate[i] * slow + ((const ss_four*)d->rate[i])[b] * delay;
    }
}

SS_WIDE static void find_slopes(struct ss_sensitivity_speed_clock* own, const ss_speed_clock_motion* d)
{
    int size = d->tables->size, n = d->n;
    if (size == 2)
        find_slopes_of(own, d, 2, 1);
    else if (size == 3)
        find_slopes_of(own, d, 3, 1);
    else if (size == 4 && n == 2)
        find_slopes_of(own, d, 4, 2);
    else
        find_slopes_of(own, d, size, n);
}

// One round; the largest change where the speed-clock step ends, as a share of what each number is.
static double go_round(struct ss_sensitivity_speed_clock* own, const ss_speed_clock_motion* d,
                       const double start[])
{
    int n = d->n, nodes = d->tables->nodes, pivot = n + d->pivot;
    double worst = 0.0;
    find_slopes(own, d);
    for (int i = 0; i < d->tables->size; i++) {
        double before = own->y[i][nodes];
        if (i == pivot) continue;
        ss_speed_clock_integrate(d->tables, own->slope[i], d->unit, start[i], own->y[i]);
        double now = own->y[i][nodes], size = fabs(start[i]) + fabs(now);
        if (!isfinite(size)) return INFINITY;
        if (size > 0.0) worst = fmax(worst, fabs(now - before) / size);
    }
    for (int j = 0; j <= nodes && n > 1; j++) { // the speed along the row is the clock's
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            if (i != d->pivot) sum += d->row[i] * own->y[n + i][j];
        own->y[pivot][j] = -sum / d->row[d->pivot];
    }
    return worst;
}

// Dt where the speed-clock step begins, and Dy in place of dy; the iteration starts from it at all nodes.
// force: of the contact there.
static double begin(struct ss_sensitivity_speed_clock* own, const ss_speed_clock_motion* d, double force,
                    double y[])
{
    int n = d->n, size = d->tables->size;
    double rate[LARGEST], along = 0.0, dv = 0.0;
    for (int i = 0; i < size; i++) {
        rate[i] = i < n ? d->y0[n + i] : d->base[i] + d->push[i] * force;
        for (int k = 0; k < size && i >= n; k++) rate[i] += d->tables->a[i][k] * d->y0[k];
    }
    for (int i = 0; i < n; i++) {
        along += d->row[i] * rate[n + i];
        dv += d->row[i] * y[n + i];
    }
    double late = -dv / along;
    for (int i = 0; i < size; i++) y[i] += rate[i] * late;
    for (int i = 0; i < size; i++)
        for (int j = 0; j <= d->tables->nodes; j++) own->y[i][j] = i == n + d->pivot && n == 1 ? 0.0 : y[i];
    return late;
}

// A sensitivity where the speed-clock step ends, from where it begins: y. `ahead`: s by which the caller
// stops beyond.
static bool cross(ss_derivative* der, const ss_speed_clock_motion* d, int contact,
                  const ss_model_change* change, double ahead, double y[])
{
    struct ss_sensitivity_speed_clock* own = der->ways.speed_clock;
    const ss_contact* c = &der->model->contacts[contact];
    int last = d->tables->nodes, size = d->tables->size, n = d->n;
    double off = INFINITY, tolerance = fmax(der->sim->control.tolerance, 8.0 * DBL_EPSILON);
    ss_law_point point = {
        .v = d->v0, .sign = d->v0 > 0.0 ? 1.0 : -1.0, .along = ss_along_of(&der->sim->step, contact)};
    ss_response response;
    c->law_entry->point.at(ss_law_of(c), &point, &response);
    double late = begin(own, d, response.force, y);
    drive_nodes(der, d, change, contact);
    for (int round = 0; round < ROUNDS && off > tolerance; round++) off = go_round(own, d, y);
    if (!(off <= tolerance)) return false;
    find_slopes(own, d);
    for (int j = 0; j < last; j++) late += d->tables->weight[j] * own->delay[j];
    for (int i = 0; i < size; i++) y[i] = own->y[i][last] - d->rate[i][last] * late;
    if (ahead == 0.0) return true;
    point.v = d->v1;
    c->law_entry->point.at(ss_law_of(c), &point, &response);
    double rate[LARGEST], dv = 0.0;
    for (int i = 0; i < n; i++) dv += d->row[i] * y[n + i];
    for (int i = 0; i < size; i++) {
        rate[i] = i < n ? y[n + i] : d->push[i] * response.force_v * dv;
        if (i >= n && i < 2 * n) rate[i] += own->push[i - n][last];
        for (int k = 0; k < size && i >= n; k++) rate[i] += d->tables->a[i][k] * y[k];
    }
    for (int i = 0; i < size; i++) y[i] += ahead * rate[i];
    return true;
}

// ---- use

static void begin_speed_clock(ss_sim* sim)
{
    ss_derivative* der = sim->derivative;
    for (int j = 0; j < der->count; j++)
        load(der, &der->sensitivities[j], der->ways.speed_clock->start + j * LARGEST);
}

static bool cross_speed_clock(ss_sim* sim, const ss_speed_clock_motion* d, int contact, double ahead,
                              bool within)
{
    ss_derivative* der = sim->derivative;
    struct ss_sensitivity_speed_clock* own = der->ways.speed_clock;
    int last = d->tables->nodes;
    for (int j = 0; j < der->count; j++) {
        double* to = (within ? own->now : own->end) + j * LARGEST;
        if (der->sensitivities[j].lost) continue;
        memcpy(to, own->start + j * LARGEST, LARGEST * sizeof(double));
        if (!cross(der, d, contact, der->sensitivities[j].change, ahead, to)) return false;
    }
    if (within) return true;
    const double far_below = 1e-6; // an event that is met without being crossed: see event_surface.c
    double a = 0.0;
    own->length = d->time[last];
    own->speed = 0.0;
    for (int i = 0; i < d->tables->size; i++) own->rates[i] = d->rate[i][last];
    for (int i = 0; i < d->n; i++) {
        own->speed = fmax(own->speed, fmax(fabs(d->y0[d->n + i]), fabs(own->rates[d->n + i]) * own->length));
        a += d->row[i] * own->rates[d->n + i];
    }
    return fabs(a) * own->length > far_below * fabs(d->v0);
}

static void leave_speed_clock(ss_sim* sim, bool within)
{
    ss_derivative* der = sim->derivative;
    const double* from = within ? der->ways.speed_clock->now : der->ways.speed_clock->end;
    for (int j = 0; j < der->count; j++)
        if (!der->sensitivities[j].lost) store(der, &der->sensitivities[j], from + j * LARGEST);
    ss_sensitivity_rewind(der);
}

static void stop_speed_clock(ss_sim* sim, int contact)
{
    ss_derivative* der = sim->derivative;
    const struct ss_sensitivity_speed_clock* own = der->ways.speed_clock;
    ss_before* before = &der->before;
    ss_values* at = &before->motion.at;
    const ss_row* row = &der->model->contacts[contact].q;
    size_t n = (size_t)der->n, d = sizeof(double);
    before->filled = before->ends = true;
    before->tick = false;
    before->t = sim->step.t;
    before->speed = own->speed;
    before->count = 1;
    before->first = contact;
    before->yields = false;
    memcpy(at->v, sim->step.q + n, n * d);
    memcpy(at->a, own->rates + n, n * d);
    memcpy(at->rates, own->rates + 2 * n, (size_t)der->ns * d);
    at->pace = 1.0;
    for (int i = 0; i < der->m; i++) {
        bool plus = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
        before->surface[i] = i == contact ? SS_SPEED : SS_NO_SURFACE;
        at->lambda[i] = i == contact ? sim->step.lambda[i]
                        : plus       ? ss_kinetic_low(sim, i, 0)
                                     : ss_kinetic_high(sim, i, 0);
    }
    before->rates[contact] = ss_row_dot(row, at->a);
    for (int j = 0; j < der->count; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        if (to->lost) continue;
        to->late[contact] = -ss_row_dot(row, to->v) / before->rates[contact];
        ss_sensitivity_share_times(der, to);
    }
}

const ss_speed_clock_hooks* ss_sensitivity_speed_clock_hooks(const ss_derivative* der)
{
    static const ss_speed_clock_hooks own = {may_speed_clock, begin_speed_clock, cross_speed_clock,
                                             leave_speed_clock, stop_speed_clock};
    return der->ways.speed_clock ? &own : NULL;
}
