// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Locate: the first event on the present step. Every event is the first zero of a polynomial g that starts
// positive: speed of a slipping contact, room of a holding force below its bound, gap or force of a stop.
//
// The search cannot miss a zero. From a point where g > 0 it moves by the largest s with
//     g + g' s - B s^2 / 2 >= 0,    B >= |g''| on the whole step,
// and on that stretch g > 0 is proved. Near a simple zero this is Newton's method from the safe side; at a
// touch the steps shrink geometrically down to rounding. A function that starts at zero is divided by the
// power of s that select found it to start with.
#include "flow/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

typedef struct polynomial {
    int degree;
    double c[WIDTH];
    double size; // sum |c_k| h^k on the step: zero to rounding is a few epsilons of it
} polynomial;

static double evaluate(const polynomial* g, double s, double* slope)
{
    double value = g->c[g->degree], derivative = 0.0;
    for (int k = g->degree - 1; k >= 0; k--) {
        derivative = derivative * s + value;
        value = value * s + g->c[k];
    }
    *slope = derivative;
    return value;
}

// True where the constant term alone outweighs all others up to h: no zero there.
static bool is_clear(polynomial* g, double h)
{
    double rest = 0.0;
    for (int k = g->degree; k >= 1; k--) rest = (rest + fabs(g->c[k])) * h;
    g->size = g->c[0] + rest;
    return g->c[0] > rest;
}

static double curvature_bound(const polynomial* g, double h)
{
    double bound = 0.0;
    for (int k = g->degree; k >= 2; k--) bound = bound * h + k * (k - 1) * fabs(g->c[k]);
    return bound;
}

// First zero of g in (0, h], or INFINITY. g.c[0] > 0, and g is not clear.
static double first_zero(const polynomial* g, double h)
{
    double bound = curvature_bound(g, h), zero = 4.0 * DBL_EPSILON * g->size, s = 0.0;
    for (;;) {
        double slope, value = evaluate(g, s, &slope);
        if (value <= zero) {
            double newton = slope < 0.0 ? value / -slope : 0.0; // the last digits, where the zero is simple
            return fmin(fmax(s + newton, 0.0), h);
        }
        double root = sqrt(slope * slope + 2.0 * bound * value);
        double step = slope < 0.0   ? 2.0 * value / (root - slope)
                      : bound > 0.0 ? (slope + root) / bound
                                    : INFINITY;
        if (!(s + step < h)) {
            if (s == h) return INFINITY;
            value = evaluate(g, h, &slope);
            return value <= zero ? h : INFINITY;
        }
        if (s + step == s) return s;
        s += step;
    }
}

// ---- event functions

typedef enum { SPEED, ROOM_ABOVE, ROOM_BELOW, GAP } function;

static void trim(polynomial* g)
{
    while (g->degree > 0 && g->c[g->degree] == 0.0) g->degree--;
}

// Divides by s^lead: the leading coefficients are zero by what select found.
static void deflate(polynomial* g, int lead)
{
    if (lead <= 0) return;
    if (lead > g->degree) lead = g->degree;
    memmove(g->c, g->c + lead, (size_t)(g->degree + 1 - lead) * sizeof(double));
    g->degree -= lead;
}

static void build_speed(const ss_sim* sim, int i, polynomial* g)
{
    const ss_contact* contact = &sim->model->contacts[i];
    double sign = sim->contacts[i].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
    g->degree = sim->order - 1;
    if (contact->q.count == 1 && contact->d.count == 0) {
        const double* q = sim->q + sim->model->n + contact->q.index[0];
        double w = sign * contact->q.value[0];
        for (int k = 0; k <= g->degree; k++) g->c[k] = w * (k + 1) * q[k * sim->model->n];
    } else {
        for (int k = 0; k <= g->degree; k++) g->c[k] = sign * ss_relative_velocity(sim, i, k);
    }
    deflate(g, sim->contacts[i].lead);
}

static void build_room(const ss_sim* sim, int i, bool above, polynomial* g)
{
    int m = sim->model->contact_count;
    g->degree = sim->order - 2;
    for (int k = 0; k <= g->degree; k++) {
        double force = sim->lambda[(size_t)k * (size_t)m + (size_t)i];
        bool constant = k > 0 && sim->level_at[i] < 0;
        double bound = constant ? 0.0 : above ? ss_hold_high(sim, i, k) : ss_hold_low(sim, i, k);
        g->c[k] = above ? bound - force : force - bound;
    }
    g->c[0] += sim->contacts[i].slack;
}

static void build_gap(const ss_sim* sim, int i, polynomial* g)
{
    double side = sim->model->contacts[i].rigid_stop.side;
    g->degree = sim->order;
    g->c[0] = sim->contacts[i].gap;
    for (int k = 1; k <= g->degree; k++) g->c[k] = -side * ss_relative_velocity(sim, i, k - 1) / k;
    deflate(g, sim->contacts[i].lead);
}

static bool build(const ss_sim* sim, int i, int which, polynomial* g)
{
    const ss_contact_run* run = &sim->contacts[i];
    switch (run->mode) {
    case SS_MODE_SLIP_PLUS:
    case SS_MODE_SLIP_MINUS:
        if (which > 0) return false;
        build_speed(sim, i, g);
        break;
    case SS_MODE_OPEN:
        if (which > 0) return false;
        build_gap(sim, i, g);
        break;
    case SS_MODE_STICK:
    case SS_MODE_CLOSED:
        if (run->pinned) return false;
        if (isinf(which == 0 ? ss_hold_high(sim, i, 0) : ss_hold_low(sim, i, 0))) return false;
        build_room(sim, i, which == 0, g);
        break;
    }
    trim(g);
    return g->degree > 0 || g->c[0] != 0.0; // what is zero for good has no event
}

// A contact that select found to hold at this instant starts inside its bounds, whatever rounding says;
// redundant forces in particular carry more of it than their own size tells. Twice the excess is granted as
// slack, so that a force which really grows beyond its bound is seen soon.
static void grant_slack(ss_sim* sim, int i, int which, polynomial* g)
{
    ss_contact_run* run = &sim->contacts[i];
    if (run->mode != SS_MODE_STICK && run->mode != SS_MODE_CLOSED) return;
    double size = fabs(sim->lambda[i]) + fabs(which == 0 ? ss_hold_high(sim, i, 0) : ss_hold_low(sim, i, 0));
    if (size == 0.0) { // no force at all now: the first derivative that is there decides
        int lead = 0;
        while (lead < g->degree && g->c[lead] == 0.0) lead++;
        deflate(g, lead);
        return;
    }
    if (g->c[0] > 0.0 || -g->c[0] > 1e-8 * size) return;
    double more = fmax(-2.0 * g->c[0], 8.0 * DBL_EPSILON * size);
    run->slack += more;
    g->c[0] += more;
}

// ---- all functions of the step

// The event function of the input's kinks: plain polynomials, positive on the present piece.
static double first_kink(const ss_sim* sim, double h)
{
    double first = INFINITY;
    for (int j = 0; j < sim->kink_count; j++) {
        polynomial g = {.degree = sim->order};
        memcpy(g.c, sim->kinks + (size_t)j * WIDTH, (size_t)(sim->order + 1) * sizeof(double));
        double size = 0.0, power = 1.0;
        for (int k = 0; k <= g.degree; k++, power *= h) size += fabs(g.c[k]) * power;
        int lead = 0;
        power = 1.0;
        while (lead < g.degree && fabs(g.c[lead]) * power <= 64.0 * DBL_EPSILON * size) lead++, power *= h;
        if (size == 0.0 || lead == g.degree) continue;
        deflate(&g, lead);
        trim(&g);
        if (g.c[0] <= 0.0 || is_clear(&g, fmin(h, first))) continue;
        first = fmin(first, first_zero(&g, fmin(h, first)));
    }
    return first;
}

static double first_escape(const ss_sim* sim, double h)
{
    const ss_model* model = sim->model;
    double first = INFINITY;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        for (int side = -1; side <= 1; side += 2) {
            polynomial g = {.degree = sim->order};
            for (int k = 0; k <= sim->order; k++) {
                double x = ss_row_dot(&body->row, sim->q + (size_t)k * (size_t)model->n);
                if (body->drive >= 0)
                    x = sim->d[(size_t)k * (size_t)model->drive_count + (size_t)body->drive];
                if (k == 0) x += sim->offset[b] - sim->start_x[b];
                g.c[k] = (k == 0 ? sim->def.escape : 0.0) - side * x;
            }
            trim(&g);
            if (g.c[0] <= 0.0) return 0.0;
            if (is_clear(&g, fmin(h, first))) continue;
            first = fmin(first, first_zero(&g, fmin(h, first)));
        }
    }
    return first;
}

// Whether a function that is positive before s is zero there: to rounding, or a few ulps of time later.
static bool vanishes_at(polynomial* g, double s, double t)
{
    is_clear(g, s);
    double slope, value = evaluate(g, s, &slope);
    double ulps = 16.0 * DBL_EPSILON * (fabs(t) + s);
    return value <= 64.0 * DBL_EPSILON * g->size || value + slope * ulps <= 0.0;
}

// Time of the first event of any contact, and that contact. Contacts that had to be searched are candidates.
static double first_contact_event(ss_sim* sim, double h, int* contact)
{
    polynomial g;
    double first = INFINITY;
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->contacts[i];
        run->hit = run->candidate = false;
        for (int which = 0; which < 2; which++) {
            if (!build(sim, i, which, &g)) continue;
            if (g.c[0] <= 0.0) grant_slack(sim, i, which, &g);
            double window = fmin(h, first), s = 0.0;
            if (g.c[0] > 0.0) {
                if (is_clear(&g, window)) continue;
                s = first_zero(&g, window);
            }
            run->candidate = true;
            if (s < first) *contact = i;
            first = fmin(first, s);
        }
    }
    return first;
}

// All contacts whose functions vanish at s share the event.
static void mark_hits(ss_sim* sim, double s)
{
    polynomial g;
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->contacts[i];
        for (int which = 0; which < 2 && run->candidate && !run->hit; which++)
            if (build(sim, i, which, &g)) run->hit = g.c[0] <= 0.0 || vanishes_at(&g, s, sim->t);
    }
}

void ss_locate(ss_sim* sim)
{
    int contact = -1;
    double h = sim->length, event = first_contact_event(sim, h, &contact);
    double kink = sim->kink_count > 0 ? first_kink(sim, fmin(h, event)) : INFINITY;
    double escape = isfinite(sim->def.escape) ? first_escape(sim, fmin(h, fmin(event, kink))) : INFINITY;
    double first = fmin(event, fmin(kink, escape));
    sim->ends_in_event = first <= h;
    sim->ends_in_escape = escape <= h && escape <= fmin(event, kink);
    sim->ends_in_kink = kink <= h && kink <= event;
    if (!sim->ends_in_event) return;
    if (first < h) sim->ends_at_break = false;
    sim->length = first;
    if (event <= first) sim->contacts[contact].hit = true;
    mark_hits(sim, first);
}
