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
#include "core/algebra/polynomial.h"
#include "core/tolerance.h"
#include "engine/flow/bristle.h"
#include "engine/proof/leap.h"
#include "engine/sim.h"
#include "law/table.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

// Scaled to the step: g(u) = sum_k c[k] u^k with u = s / length in [0, 1].
typedef struct polynomial {
    int degree;
    double c[WIDTH + 1]; // one zero beyond the degree, so that pairs can be read
    double terms;        // magnitude of the terms that were added up to it, where they may cancel
    double size;         // sum |c_k|, at least terms: zero to rounding is a few epsilons of it
} polynomial;

// Even and odd powers are summed apart, g = E(u^2) + u O(u^2): two short chains of operations instead of a
// long one. g' = O + 2 u (E' + u O').
static double evaluate_up_to(const polynomial* g, int degree, double u, double* slope)
{
    double u2 = u * u, even = 0.0, odd = 0.0, even_slope = 0.0, odd_slope = 0.0;
    for (int k = degree & ~1; k >= 0; k -= 2) {
        even_slope = even_slope * u2 + even;
        odd_slope = odd_slope * u2 + odd;
        even = even * u2 + g->c[k];
        odd = odd * u2 + g->c[k + 1];
    }
    *slope = odd + 2.0 * u * (even_slope + u * odd_slope);
    return even + u * odd;
}

static double evaluate(const polynomial* g, double u, double* slope)
{
    return evaluate_up_to(g, g->degree, u, slope);
}

// Adds up |c_k| and drops what is below rounding at the end. c[degree + 1] becomes 0.
static void measure(polynomial* g)
{
    double even = 0.0, odd = 0.0, dropped = 0.0;
    g->c[g->degree + 1] = 0.0;
    for (int k = 0; k <= g->degree; k += 2) {
        even += fabs(g->c[k]);
        odd += fabs(g->c[k + 1]);
    }
    double size = even + odd;
    while (g->degree > 0) {
        dropped += fabs(g->c[g->degree]);
        if (dropped > 0x1p-57 * size) break;
        g->degree--;
    }
    g->c[g->degree + 1] = 0.0;
    g->size = fmax(size, g->terms);
}

// True where the constant term alone outweighs all others up to w: no zero there.
static bool is_clear(const polynomial* g, double w)
{
    if (2.0 * g->c[0] > g->size) return true;
    if (w == 1.0) return false;
    double rest = 0.0;
    for (int k = g->degree; k >= 1; k--) rest = (rest + fabs(g->c[k])) * w;
    return g->c[0] - rest > 128.0 * DBL_EPSILON * g->size; // a zero at w itself must not be lost to rounding
}

static double curvature_bound(const polynomial* g, double w)
{
    double bound = 0.0, factor = g->degree; // k as a number
    for (int k = g->degree; k >= 2; k--, factor -= 1.0)
        bound = bound * w + factor * (factor - 1.0) * fabs(g->c[k]);
    return bound;
}

static double second_derivative(const polynomial* g, double u) { return ss_poly_bend(g->c, 1, g->degree, u); }

// The search ends at u. That may be next to a double zero, which is told from a near miss to rounding only
// and to the root of it in u. Its slope has a simple zero there: that is where g touches 0.
static double refine_touch(const polynomial* g, double u, double w)
{
    double at = u, slope, zero = 64.0 * DBL_EPSILON * g->size;
    evaluate(g, u, &slope);
    if (slope * slope > 2.0 * zero * second_derivative(g, u)) return u; // a simple zero
    for (int round = 0; round < 4; round++) {
        evaluate(g, at, &slope);
        double bend = second_derivative(g, at);
        if (!(bend > 0.0)) return u;
        at -= slope / bend;
        if (!(at >= u && at < w) || evaluate(g, at, &slope) > zero) return u;
    }
    return evaluate(g, at, &slope) >= -zero ? at : u;
}

// The march: first zero of g in (from, w], or INFINITY, where g > 0 up to `from` is known.
static double march(const polynomial* g, double bound, double from, double w)
{
    double zero = 4.0 * DBL_EPSILON * g->size, u = from, slope, value = evaluate(g, u, &slope);
    for (;;) {
        if (value <= zero) {
            double rest = slope < 0.0 ? value / -slope : 0.0; // the last digits, where the zero is simple
            if (bound * rest > -slope) rest = 0.0;            // a touch: the slope is rounding
            return fmin(fmax(u + rest, 0.0), w);
        }
        double root = sqrt(slope * slope + 2.0 * bound * value);
        double step = slope < 0.0   ? 2.0 * value / (root - slope)
                      : bound > 0.0 ? (slope + root) / bound
                                    : INFINITY;
        if (!(u + step < w)) return u < w && evaluate(g, w, &slope) <= zero ? w : INFINITY;
        if (u + step == u) return u;
        u += step;
        value = evaluate(g, u, &slope);
    }
}

enum { GRID = 8 };

// g on a grid: cell j lies between its points j and j + 1, j = 0 .. GRID.
typedef struct grid {
    double cell;            // width
    double value[GRID + 1]; // of g, from its first coefficients only
    double rest;            // bounds what that leaves out
    double bend[GRID + 1];  // |g''|
    double between;         // by how much it may exceed the larger of two neighbours between them
} grid;

static void sample_grid(const polynomial* g, double w, grid* out)
{
    int degree = g->degree;
    double rest = 0.0, u[GRID];
    out->cell = w / GRID;
    while (degree > 2 && rest + fabs(g->c[degree]) < 1e-5 * g->size) rest += fabs(g->c[degree--]);
    for (int j = 0; j < GRID; j++) {
        u[j] = w * (j + 1) / GRID;
        out->value[j + 1] = g->c[degree];
    }
    for (int k = degree - 1; k >= 0; k--)
        for (int j = 0; j < GRID; j++) out->value[j + 1] = out->value[j + 1] * u[j] + g->c[k];
    out->value[0] = g->c[0];
    out->rest = rest;
}

// On a short step the magnitudes of the coefficients bound g'' well enough.
static void bound_evenly(double bound, grid* out)
{
    for (int j = 0; j <= GRID; j++) out->bend[j] = bound;
    out->between = 0.0;
}

// On a long one, half a swing say, coefficients alternate, and g'' is a small part of that: its values tell,
// and those of the fourth derivative what it can do between two of them, up to the sixth.
static void bound_by_values(const polynomial* g, double w, grid* out)
{
    double second[GRID + 1] = {0.0}, fourth[GRID + 1] = {0.0}, sixth = 0.0, most = 0.0, u[GRID + 1];
    double k = g->degree, share = 0.125 * out->cell * out->cell;
    for (int p = 0; p <= GRID; p++) u[p] = p * out->cell;
    for (int j = g->degree; j >= 4; j--, k -= 1.0) {
        double c = k * (k - 1.0) * g->c[j], c4 = (k - 2.0) * (k - 3.0) * c;
        if (j >= 6) sixth = sixth * w + (k - 4.0) * (k - 5.0) * fabs(c4);
        for (int p = 0; p <= GRID; p++) {
            second[p] = second[p] * u[p] + c;
            fourth[p] = fourth[p] * u[p] + c4;
        }
    }
    double c3 = g->degree >= 3 ? 6.0 * g->c[3] : 0.0, c2 = g->degree >= 2 ? 2.0 * g->c[2] : 0.0;
    for (int p = 0; p <= GRID; p++) {
        out->bend[p] = fabs((second[p] * u[p] + c3) * u[p] + c2);
        most = fmax(most, fabs(fourth[p]));
    }
    out->between = share * (most + share * sixth);
}

// Bound on |g''| from point `from` of the grid to point `to`.
static double bend_between(const grid* on, int from, int to)
{
    double most = 0.0;
    for (int j = from; j <= to; j++) most = on->bend[j] > most ? on->bend[j] : most;
    return most + on->between;
}

// Newton's method from u for a zero in [low, high]; INFINITY where it leaves that interval. It ends when the
// error left by the next step, at most bound / (2 |g'|) times the square of the last one, is below rounding.
static double newton(const polynomial* g, double bound, double low, double high, double u, double* slope)
{
    for (int round = 0; round < 12; round++) {
        double value = evaluate(g, u, slope), step = value / *slope, next = u - step;
        if (!(next >= low && next <= high)) return INFINITY;
        if (bound * step * step <= DBL_EPSILON * u * fabs(*slope) ||
            fabs(value) <= 2.0 * DBL_EPSILON * g->size)
            return next;
        u = next;
    }
    return INFINITY;
}

// A guess at the first zero: that of the first three terms, mended once by the first eight.
static double guess_zero(const polynomial* g)
{
    double a = g->degree > 1 ? g->c[2] : 0.0, b = g->degree > 0 ? g->c[1] : 0.0, c = g->c[0];
    double root = b * b - 4.0 * a * c;
    if (!(root >= 0.0 && b < 0.0)) return INFINITY;
    double u = 2.0 * c / (sqrt(root) - b), slope;
    double value = evaluate_up_to(g, g->degree < 7 ? g->degree : 7, u, &slope);
    return slope < 0.0 ? u - value / slope : u;
}

// The first zero of g in (0, w] where it is near and simple, as it is on a short step; otherwise INFINITY.
static double near_zero(const polynomial* g, double bound, double w)
{
    double slope, guess = guess_zero(g);
    if (!(guess > 0.0 && guess < w)) return INFINITY;
    double zero = newton(g, bound, 0.0, w, guess, &slope);
    return zero <= w && slope < 0.0 && zero * bound <= 1.9 * -slope ? zero : INFINITY;
}

// Where in cell j, as a share of it, the parabola through its ends and the point before has its zero: to
// first order around that of the straight line.
static double cell_zero(const grid* on, int j)
{
    double fall = on->value[j] - on->value[j + 1], x = on->value[j] / fall;
    if (j == 0) return x;
    double bend = on->value[j + 1] - 2.0 * on->value[j] + on->value[j - 1];
    double better = x + 0.5 * bend * x * (x - 1.0) / (fall - (x - 0.5) * bend);
    return better > 0.0 && better < 1.0 ? better : x;
}

// Whether g > 0 is proved on cell j: between two points above B cell^2 / 8 there is no zero, B >= |g''|, nor
// where g begins to rise fast enough.
static bool is_positive(const polynomial* g, const grid* on, int j)
{
    double bound = bend_between(on, j, j + 1), cell = on->cell;
    double sag = 0.125 * bound * cell * cell + on->rest + 64.0 * DBL_EPSILON * g->size;
    if (on->value[j] > sag && on->value[j + 1] > sag) return true;
    return j == 0 && on->value[1] > 0.0 && g->degree > 0 && 2.0 * g->c[1] >= bound * cell;
}

// Most functions are simple: after the cells that are clear, the zero u* is the first one if it lies within
// 2 |g'(u*)| / B of them, because before it g(s) >= |g'(u*)| (u* - s) - B (u* - s)^2 / 2. False where that
// does not decide; g > 0 is known up to point *clear then.
static bool simple_zero(const polynomial* g, const grid* on, double w, int* clear, double* zero)
{
    int j = 0;
    while (j < GRID && is_positive(g, on, j)) j++;
    *clear = j;
    *zero = INFINITY;
    if (j == GRID) return true;
    while (j < GRID - 1 && on->value[j + 1] > 0.0) j++;
    if (!(on->value[j + 1] < 0.0 && on->value[j] > 0.0)) return false;
    double left = j * on->cell, bound = bend_between(on, *clear, j + 1), slope;
    *zero = newton(g, bound, left, left + on->cell, left + on->cell * cell_zero(on, j), &slope);
    return *zero <= w && slope < 0.0 && (*zero - *clear * on->cell) * bound <= 1.9 * -slope;
}

// First zero of g in (0, w], or INFINITY. g.c[0] > 0, and g is not clear. What is not simple is left to the
// march.
static double first_zero(const polynomial* g, double w)
{
    double bound = curvature_bound(g, w), zero;
    bool is_long = bound * w * w > 16.0 * g->c[0];
    if (!is_long && (zero = near_zero(g, bound, w)) <= w) return zero;
    grid on;
    int clear;
    sample_grid(g, w, &on);
    if (is_long)
        bound_by_values(g, w, &on);
    else
        bound_evenly(bound, &on);
    if (simple_zero(g, &on, w, &clear, &zero)) return zero;
    return march(g, fmin(bound, bend_between(&on, clear, GRID)), clear * on.cell, w);
}

// ---- event functions

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
    double sign = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
    g->degree = sim->step.order - 1;
    if (contact->q.count == 1 && contact->d.count == 0 && !sim->clock.stop) {
        const double* q = sim->step.q + sim->model->n + contact->q.index[0];
        double w = sign * contact->q.value[0];
        int n = sim->model->n;
        for (int k = 0; k <= g->degree; k++, q += n) g->c[k] = w * sim->step.rate_power[k] * *q;
    } else {
        for (int k = 0; k <= g->degree; k++) {
            g->c[k] = sign * ss_relative_velocity(sim, i, k) * sim->step.power[k];
            if (k >= sim->modes.contacts[i].lead) // what it is divided by starts at zero, without rounding
                g->terms += ss_relative_velocity_terms(sim, i, k) * sim->step.power[k];
        }
    }
    deflate(g, sim->modes.contacts[i].lead);
}

static void build_room(const ss_sim* sim, int i, bool above, polynomial* g)
{
    int m = sim->model->contact_count;
    g->degree = sim->step.order - 2;
    for (int k = 0; k <= g->degree; k++) {
        double force = sim->step.lambda[(size_t)k * (size_t)m + (size_t)i];
        bool constant = k > 0 && sim->inputs.level_at[i] < 0;
        double bound = constant ? 0.0 : above ? ss_hold_high(sim, i, k) : ss_hold_low(sim, i, k);
        g->c[k] = (above ? bound - force : force - bound) * sim->step.power[k];
        if (sim->inputs.level_at[i] >= 0) g->terms += (fabs(bound) + fabs(force)) * sim->step.power[k];
    }
    g->c[0] += sim->modes.contacts[i].slack[above ? 0 : 1];
}

static void build_gap(const ss_sim* sim, int i, polynomial* g)
{
    double side = sim->model->contacts[i].stop.side;
    g->degree = sim->step.order;
    g->c[0] = sim->modes.contacts[i].gap;
    for (int k = 1; k <= g->degree; k++)
        g->c[k] = -side * ss_relative_position(sim, i, k) * sim->step.power[k];
    deflate(g, sim->modes.contacts[i].lead);
}

// An edge of an elastic stop.
static bool build_edge(const ss_sim* sim, const ss_elastic* stop, int w, polynomial* g)
{
    g->degree = ss_elastic_edge_series(sim, stop, w, g->c);
    if (g->degree < 0) return false;
    for (int k = 1; k <= g->degree; k++) g->c[k] *= sim->step.power[k];
    deflate(g, stop->edge_lead[w]);
    return true;
}

// Of an elastic stop: 0, the penetration, or the gap where there is none; 1 and on, the edges of its law.
static bool build_elastic(const ss_sim* sim, int i, int which, polynomial* g)
{
    const ss_contact_run* run = &sim->modes.contacts[i];
    const ss_elastic* stop = &sim->laws.elastic[sim->laws.elastic_at[i]];
    double sign = run->mode == SS_MODE_CLOSED || run->gap < 0.0 ? 1.0 : -1.0;
    if (which > 0) return build_edge(sim, stop, which - 1, g);
    const double* depth = stop == sim->clock.stop ? sim->clock.pace : stop->p; // sqrt(p) has a simple zero
    g->degree = sim->step.order - 2;
    for (int k = 0; k <= g->degree; k++) g->c[k] = sign * depth[k] * sim->step.power[k];
    deflate(g, run->lead);
    return true;
}

// An event of the law itself while contact i slips: an element that slips, full sliding that begins.
static bool build_event(const ss_sim* sim, int i, int which, polynomial* g)
{
    g->degree = ss_law_function(sim, i, which - 1, sim->step.power, g->c);
    return g->degree >= 0;
}

// How many event functions contact i has: two bounds; of an elastic stop the touch and its edges; of a
// contact that slips the speed and those of its law.
static int function_count(const ss_sim* sim, int i)
{
    const ss_contact* contact = &sim->model->contacts[i];
    if (ss_is_elastic(sim, i)) return 1 + sim->laws.elastic[sim->laws.elastic_at[i]].edge_count;
    return ss_slips(sim, i) ? 1 + ss_law_event_count(contact->law_row, ss_law_of(contact)) : 2;
}

// Whether the force of a holding contact stays within constant bounds on the whole step, at a glance.
static bool holds_clearly(const ss_sim* sim, int i)
{
    int m = sim->model->contact_count;
    const double* force = sim->step.lambda + i;
    double rest = 0.0;
    if (sim->inputs.level_at[i] >= 0) return false;
    for (int k = sim->step.order - 2; k >= 1; k--) rest += fabs(force[k * m]) * sim->step.power[k];
    return ss_hold_high(sim, i, 0) - force[0] > rest && force[0] - ss_hold_low(sim, i, 0) > rest;
}

static bool build(const ss_sim* sim, int i, int which, polynomial* g)
{
    const ss_contact_run* run = &sim->modes.contacts[i];
    g->terms = 0.0;
    if (ss_is_elastic(sim, i)) {
        if (!build_elastic(sim, i, which, g)) return false;
        measure(g);
        return g->degree > 0 || g->c[0] != 0.0;
    }
    switch (run->mode) {
    case SS_MODE_SLIP_PLUS:
    case SS_MODE_SLIP_MINUS:
        if (which > 0 && !build_event(sim, i, which, g)) return false;
        if (which == 0 && ss_is_bristle(sim, i) && sim->laws.bristles[sim->laws.bristle_at[i]].still)
            return false;
        if (which == 0) build_speed(sim, i, g);
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
    case SS_MODE_SLIP: return false; // of sliders only
    }
    measure(g);
    return g->degree > 0 || g->c[0] != 0.0; // a function that is zero throughout has no event
}

// A contact that select found to hold at this instant starts inside its bounds, whatever rounding says;
// redundant forces in particular carry more of it than their own size tells. Twice the excess is granted as
// slack, so that a force which really grows beyond its bound is seen soon.
static void grant_slack(ss_sim* sim, int i, int which, polynomial* g)
{
    ss_contact_run* run = &sim->modes.contacts[i];
    if (!ss_holds(sim, i)) return;
    double size =
        fabs(sim->step.lambda[i]) + fabs(which == 0 ? ss_hold_high(sim, i, 0) : ss_hold_low(sim, i, 0));
    if (size == 0.0) { // there is no force at all now: its first derivative that is not 0 decides
        int lead = 0;
        while (lead < g->degree && g->c[lead] == 0.0) lead++;
        deflate(g, lead);
        measure(g);
        return;
    }
    if (g->c[0] > 0.0 || -g->c[0] > SS_ROOT_BIT * size) return;
    double more = fmax(-2.0 * g->c[0], 8.0 * DBL_EPSILON * size);
    run->slack[which] += more;
    g->c[0] += more;
    measure(g);
}

// ---- all functions of the step

// Where a piece ends that has g > 0 on it, at the latest w. from_zero: g may be zero where the step starts.
static double end_of_piece(const ss_sim* sim, polynomial* g, bool from_zero, double w)
{
    measure(g);
    int lead = 0;
    while (from_zero && lead < g->degree && fabs(g->c[lead]) <= 64.0 * DBL_EPSILON * g->size) lead++;
    double start = g->c[0];
    deflate(g, lead);
    measure(g);
    if (g->c[0] > 0.0 && !is_clear(g, w)) w = fmin(w, first_zero(g, w));
    if (lead > 0 && g->c[0] < 0.0) // the kink is here, and the other side has not begun: a few ulps further
        w = fmin(w, 16.0 * DBL_EPSILON * fabs(sim->step.t) / sim->step.length +
                        (lead == 1 ? fmax(start, 0.0) / -g->c[0] : 0.0));
    return w;
}

// The event functions of the input's kinks: positive on the present piece, perhaps zero at its start; those
// of levels never are.
static double first_kink(const ss_sim* sim, double w)
{
    for (int j = 0; j < sim->inputs.kink_count; j++) {
        polynomial g = {.degree = sim->step.order};
        for (int k = 0; k <= g.degree; k++)
            g.c[k] = sim->inputs.kinks[(size_t)j * WIDTH + (size_t)k] * sim->step.power[k];
        w = end_of_piece(sim, &g, j < sim->inputs.watch_from, w);
    }
    return w;
}

// Switching function j of the expressions of the motion.
static bool build_switch(const ss_sim* sim, int j, polynomial* g)
{
    g->terms = 0.0;
    g->degree = ss_open_switch(sim, j, g->c);
    if (g->degree < 0) return false;
    for (int k = 0; k <= g->degree; k++) g->c[k] *= sim->step.power[k];
    return true;
}

// The first end of a piece of the expressions of the motion, and which; *paces: it is one only of a function
// that goes on smoothly.
static double first_switch(const ss_sim* sim, double w, int* found, bool* paces)
{
    polynomial g;
    for (int j = 0; j < ss_open_switch_count(sim); j++) {
        if (!build_switch(sim, j, &g)) continue;
        double end = end_of_piece(sim, &g, true, w);
        if (!(end < w)) continue;
        w = end;
        *found = j;
        *paces = ss_open_paces(sim, j);
    }
    return w;
}

// Position of body b relative to its start, coefficient k.
static double displacement(const ss_sim* sim, int b, int k)
{
    const ss_model* model = sim->model;
    const ss_body* body = &model->bodies[b];
    double x = body->drive >= 0 ? sim->step.d[(size_t)k * (size_t)model->drive_count + (size_t)body->drive]
                                : ss_row_dot(&body->row, sim->step.q + (size_t)k * (size_t)model->n);
    return k == 0 ? x + sim->bodies.offset[b] - sim->bodies.start_x[b] : x;
}

static double first_escape(const ss_sim* sim, double w)
{
    for (int b = 0; b < sim->model->body_count; b++)
        for (int side = -1; side <= 1; side += 2) {
            polynomial g = {.degree = sim->step.order};
            for (int k = 0; k <= sim->step.order; k++)
                g.c[k] = -side * displacement(sim, b, k) * sim->step.power[k];
            g.c[0] += sim->def.escape;
            measure(&g);
            if (g.c[0] <= 0.0) return 0.0;
            if (!is_clear(&g, w)) w = fmin(w, first_zero(&g, w));
        }
    return w;
}

// Whether a function that is positive before u is zero there: to rounding, or a few ulps of time later.
static bool vanishes_at(const ss_sim* sim, const polynomial* g, double u)
{
    double slope, value = evaluate(g, u, &slope);
    double ulps = 16.0 * DBL_EPSILON * (fabs(sim->step.t) / ss_elapsed(sim, sim->step.length) + u);
    return value <= 64.0 * DBL_EPSILON * g->size || value + slope * ulps <= 0.0;
}

// Where a level that varies touches the force of a contact that holds (both may be 0), the room between them
// is 0 to rounding, and the contact goes on holding. True where g at u, its zero, dips no deeper than that;
// it is then lifted by as much.
static bool lift_touch(const ss_sim* sim, int i, double u, polynomial* g)
{
    double slope, lift = 64.0 * DBL_EPSILON * g->size;
    if (sim->inputs.level_at[i] < 0 || !ss_holds(sim, i) || !(u <= 1.0)) return false;
    double value = evaluate(g, u, &slope), bend = second_derivative(g, u);
    if (value < -0.5 * lift || (slope < 0.0 && slope * slope > bend * lift)) return false;
    g->c[0] += lift;
    return true;
}

// Time of the first event of any contact up to w, that contact (-1: none) and which of its functions.
// Contacts that had to be searched are candidates.
static double first_contact_event(ss_sim* sim, double w, int* contact, int* function)
{
    polynomial g;
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        run->hit = run->candidate = run->touches = false;
        if (run->clear) continue;
        if (ss_holds(sim, i) && holds_clearly(sim, i)) continue;
        for (int which = 0, count = function_count(sim, i); which < count; which++) {
            if (!build(sim, i, which, &g)) continue;
            if (g.c[0] <= 0.0 && !lift_touch(sim, i, 0.0, &g)) grant_slack(sim, i, which, &g);
            if (g.c[0] > 0.0 && is_clear(&g, w)) continue;
            double u = g.c[0] > 0.0 ? first_zero(&g, w) : 0.0;
            if (u <= w && lift_touch(sim, i, u, &g)) u = first_zero(&g, w);
            if (u <= w && ss_slips(sim, i) && !ss_is_bristle(sim, i)) u = refine_touch(&g, u, w);
            run->candidate = true;
            if (u > w) continue;
            if (u < w || *contact < 0) {
                *contact = i;
                *function = which;
            }
            w = u;
        }
    }
    return w;
}

// An elastic stop has met the touch, or an edge of its law.
static void mark_elastic(ss_sim* sim, int i, int which)
{
    if (!ss_is_elastic(sim, i)) return;
    if (which == 0) sim->modes.contacts[i].touches = true;
    if (which > 0) sim->laws.elastic[sim->laws.elastic_at[i]].at_edge = which;
}

// All contacts whose functions vanish at u share the event.
static void mark_hits(ss_sim* sim, double u)
{
    polynomial g;
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        int count = run->candidate ? function_count(sim, i) : 0;
        for (int which = 0; which < count && !run->hit; which++) {
            if (!build(sim, i, which, &g)) continue;
            run->hit = g.c[0] <= 0.0 || vanishes_at(sim, &g, u);
            if (run->hit) mark_elastic(sim, i, which);
            if (run->hit && ss_slips(sim, i)) run->hit = ss_mark_law(sim, i, which);
        }
    }
}

// All pieces that end at u do so together, `found` among them.
static void mark_switches(ss_sim* sim, int found, double u)
{
    polynomial g;
    for (int j = 0; j < ss_open_switch_count(sim); j++) {
        bool ends = j == found;
        if (!ends && build_switch(sim, j, &g)) {
            measure(&g);
            ends = g.c[0] > 64.0 * DBL_EPSILON * g.size && vanishes_at(sim, &g, u);
        }
        if (ends) ss_open_end_piece(sim, j);
    }
}

// Powers of the length of the step. Strides end in cells of one and the same length.
static void prepare_powers(ss_sim* sim)
{
    if (sim->step.powers_of == sim->step.length && sim->step.power_count >= sim->step.order) return;
    sim->step.power[0] = sim->step.rate_power[0] = 1.0;
    for (int k = 1; k <= sim->step.order; k++) {
        sim->step.power[k] = sim->step.power[k - 1] * sim->step.length;
        sim->step.rate_power[k] = (k + 1) * sim->step.power[k];
    }
    sim->step.powers_of = sim->step.length;
    sim->step.power_count = sim->step.order;
}

// The speed of contact i in the cell after a stride, with the bounds that four coefficients and the tables'
// bound on the fourth derivative give. False where the contact does something else than slip along.
static bool build_in_cell(const ss_sim* sim, int i, polynomial* g, double* bound)
{
    const ss_contact_run* run = &sim->modes.contacts[i];
    bool slips = run->mode == SS_MODE_SLIP_PLUS || run->mode == SS_MODE_SLIP_MINUS;
    if (!slips || run->lead > 0 || isinf(run->bend) || sim->model->contacts[i].q.count > 1) return false;
    g->degree = ss_coast_function(sim, i, g->c);
    g->c[g->degree + 1] = 0.0;
    double bend = run->bend * sim->step.power[4], c2 = fabs(g->c[2]), c3 = fabs(g->c[3]);
    g->size = fabs(g->c[0]) + fabs(g->c[1]) + c2 + c3 + bend / 24.0;
    *bound = 2.0 * c2 + 6.0 * c3 + 0.5 * bend;
    return g->c[0] > 0.0;
}

// Whether g > 0 up to u: at both ends it exceeds what it can sag between them.
static bool stays_above(const polynomial* g, double bound, double u)
{
    double slope, sag = 0.125 * bound * u * u + 128.0 * DBL_EPSILON * g->size;
    return g->c[0] > sag && evaluate(g, u, &slope) > sag;
}

// Most strides end where one contact stops slipping, and no other does. Returns false, having changed
// nothing, where it is not as simple as that.
static bool locate_stop(ss_sim* sim)
{
    enum { MOST = 4 };
    polynomial g[MOST];
    double bound[MOST], zero[MOST], first = INFINITY;
    int searched[MOST], count = 0, at = 0;
    for (int i = 0; i < sim->model->contact_count; i++) {
        if (sim->modes.contacts[i].clear) continue;
        if (count == MOST || !build_in_cell(sim, i, &g[count], &bound[count])) return false;
        zero[count] = near_zero(&g[count], bound[count], 1.0);
        if (zero[count] < first) first = zero[at = count];
        searched[count++] = i;
    }
    if (count == 0 || !(first <= 1.0)) return false;
    for (int j = 0; j < count; j++) {
        if (j == at) continue;
        bool later = zero[j] <= 1.0 || stays_above(&g[j], bound[j], first);
        if (!later || vanishes_at(sim, &g[j], first)) return false;
    }
    sim->modes.contacts[searched[at]].hit = true;
    sim->step.end = SS_STEP_EVENT;
    sim->step.length *= first;
    return true;
}

// Events that come again and again without time passing, by roundings that contradict each other, are left
// alone for a moment: a step too short to matter, after which they are told apart; if they are not, a longer
// one.
static bool pass_blindly(ss_sim* sim)
{
    enum { PATIENCE = 48 };
    if (sim->course.stalls < PATIENCE) return false;
    double share = SS_CLEAR * pow(8.0, sim->course.blind_steps < 8 ? sim->course.blind_steps++ : 8);
    sim->step.length =
        fmin(sim->step.length, fmax(share * sim->step.length, 64.0 * DBL_EPSILON * fabs(sim->step.t)));
    sim->step.end = SS_STEP_REACH;
    for (int i = 0; i < sim->model->contact_count; i++) sim->modes.contacts[i].hit = false;
    return true;
}

void ss_locate(ss_sim* sim)
{
    if (ss_leap_is_begun(sim)) { // the leap is proved to contain no event
        sim->step.end = ss_ends_at_break(sim) ? SS_STEP_BREAK : SS_STEP_REACH;
        return;
    }
    if (pass_blindly(sim)) return;
    prepare_powers(sim);
    if (sim->open.following_count > 0) ss_open_watch_levels(sim);
    if (sim->ways.coasting && locate_stop(sim)) return;
    int contact = -1, function = 0;
    double event = first_contact_event(sim, 1.0, &contact, &function), first = event;
    double kink = sim->inputs.kink_count > 0 ? first_kink(sim, first) : 1.0;
    bool in_kink = sim->inputs.kink_count > 0 && kink < first;
    first = fmin(first, kink);
    int switched = -1;
    bool paces = false;
    double end = sim->model->open ? first_switch(sim, first, &switched, &paces) : 1.0;
    in_kink = in_kink || switched >= 0;
    first = fmin(first, end);
    double escape = isfinite(sim->def.escape) ? first_escape(sim, first) : 1.0;
    bool in_escape = escape < first, at_break = ss_ends_at_break(sim) && !(fmin(first, escape) < 1.0);
    first = fmin(first, escape);
    if (switched >= 0 && end <= first) mark_switches(sim, switched, first);
    if (paces && end <= first) {
        sim->step.end = SS_STEP_REACH;
        sim->step.length *= first;
        return;
    }
    if (contact < 0 && !(first < 1.0)) {
        sim->step.end = at_break ? SS_STEP_BREAK : SS_STEP_REACH;
        return;
    }
    sim->step.end = in_escape  ? SS_STEP_ESCAPE
                    : in_kink  ? SS_STEP_KINK
                    : at_break ? SS_STEP_EVENT_AT_BREAK
                               : SS_STEP_EVENT;
    if (event <= first) {
        sim->modes.contacts[contact].hit = true;
        mark_elastic(sim, contact, function);
        if (ss_slips(sim, contact)) sim->modes.contacts[contact].hit = ss_mark_law(sim, contact, function);
    }
    mark_hits(sim, first);
    sim->step.length *= first;
}
