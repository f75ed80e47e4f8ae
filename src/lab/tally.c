// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers along a motion, exact: the motion is a power series on every step of the run, and whatever is shown
// of it is analytic there. Each step, or the part of it that is wanted, is walked through on its own:
//
//   integrals  by Gauss-Legendre quadrature of 14 points, as in the ledger;
//   extremes   at the ends, and where the derivative of a Chebyshev polynomial through points of the step
//              vanishes; the value is taken from the series there. Places and speeds are polynomials, whose
//              degree tells how many points are enough; for other numbers SIDES + 1 are taken.
#include "lab/tally.h"

#include "core/algebra/polynomial.h"
#include "core/algebra/quadrature.h"
#include "core/expression/signal_series.h"
#include "core/tolerance.h"
#include "motion/step_part.h"

#include <float.h>
#include <math.h>

enum {
    SIDES = SS_MAX_ORDER, // most of the Chebyshev polynomial
    FEWEST = 4,
    LOOKS = 4, // places per side where the sign of its derivative is looked at
    ROUNDS = 60,
};
static const double pi = 3.14159265358979323846;

static double value_now(const ss_tally_walk* w, const ss_tally* tally)
{
    double value = ss_quantity_now(tally->of, w->sim, w->numbers);
    return tally->drift != 0.0 ? value - tally->drift * ss_sim_time(w->sim) : value;
}

static double value_at(const ss_tally_walk* w, const ss_tally* tally, double s)
{
    ss_step_look(w->sim, s);
    return value_now(w, tally);
}

// ---- extremes

static double clenshaw(const double c[], int degree, double x)
{
    double b1 = 0.0, b2 = 0.0;
    for (int k = degree; k >= 1; k--) {
        double b = c[k] + 2.0 * x * b1 - b2;
        b2 = b1;
        b1 = b;
    }
    return c[0] + x * b1 - b2;
}

// Coefficients of the polynomial with value[j] at node[j] = cos(pi j/sides).
static void interpolate(const double value[], const double node[], int sides, double c[])
{
    for (int k = 0; k <= sides; k++) {
        double sum = 0.0;
        for (int j = 0, at = 0; j <= sides; j++, at = at + k < 2 * sides ? at + k : at + k - 2 * sides)
            sum += (j == 0 || j == sides ? 0.5 : 1.0) * value[j] * node[at <= sides ? at : 2 * sides - at];
        c[k] = (k == 0 || k == sides ? 1.0 : 2.0) * sum / sides;
    }
}

// Coefficients of the derivative, of which there is one less.
static void differentiate(const double c[], int degree, double d[])
{
    double next = 0.0, after = 0.0; // d[k + 1], d[k + 2]
    for (int k = degree - 1; k >= 0; k--) {
        double here = after + 2.0 * (k + 1) * c[k + 1];
        d[k] = k == 0 ? 0.5 * here : here;
        after = next;
        next = here;
    }
}

static double root_between(const double c[], int degree, double low, double high)
{
    double f = clenshaw(c, degree, low);
    for (int k = 0; k < ROUNDS && high - low > DBL_EPSILON; k++) {
        double middle = 0.5 * (low + high), g = clenshaw(c, degree, middle);
        if ((g < 0.0) == (f < 0.0))
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// Whether a derivative with these coefficients has no zero: |T_k| <= 1.
static bool keeps_sign(const double d[], int degree)
{
    double rest = 0.0;
    for (int k = 1; k <= degree; k++) rest += fabs(d[k]);
    return fabs(d[0]) > rest;
}

static void note_extreme(const ss_tally_walk* w, ss_tally* tally, double s)
{
    double there = value_at(w, tally, s);
    tally->low = fmin(tally->low, there);
    tally->high = fmax(tally->high, there);
}

// Notes the values where the derivative, of coefficients d, vanishes. Its signs are looked at on a grid and
// where it turns: then no two zeros are passed over.
static void note_turns(const ss_tally_walk* w, ss_tally* tally, const ss_step_part* p, const double d[],
                       int sides)
{
    double dd[SIDES + 1], middle = 0.5 * (p->from + p->to), half = 0.5 * (p->to - p->from);
    differentiate(d, sides - 1, dd);
    double x = -1.0, slope = clenshaw(d, sides - 1, x), bend = clenshaw(dd, sides - 2, x);
    for (int k = 1; k <= LOOKS * sides; k++) {
        double ends[2] = {-cos(pi * k / (LOOKS * sides)), 0.0}, end_bend = clenshaw(dd, sides - 2, ends[0]);
        int count = 1;
        if ((bend < 0.0) != (end_bend < 0.0)) {
            ends[1] = ends[0];
            ends[0] = root_between(dd, sides - 2, x, ends[1]);
            count = 2;
        }
        for (int i = 0; i < count; i++) {
            double end_slope = clenshaw(d, sides - 1, ends[i]);
            if ((slope < 0.0) != (end_slope < 0.0)) {
                double s = middle + half * root_between(d, sides - 1, x, ends[i]);
                note_extreme(w, tally, fmin(fmax(s, p->from), p->to));
            }
            x = ends[i];
            slope = end_slope;
        }
        bend = end_bend;
    }
}

// Sides of the polynomial that tells the number: places and speeds are polynomials themselves.
static int sides_of(const ss_tally_walk* w, const ss_tally* tally)
{
    bool exact = tally->of.kind == SS_QUANTITY_X || tally->of.kind == SS_QUANTITY_V;
    int degree = ss_step_degree(w->sim);
    return !exact || tally->drift != 0.0 || degree > SIDES ? SIDES : degree < FEWEST ? FEWEST : degree;
}

// The largest and smallest value on the piece.
static void find_extremes(const ss_tally_walk* w, ss_tally* tally, const ss_step_part* p)
{
    double value[SIDES + 1], node[SIDES + 1], c[SIDES + 1], d[SIDES + 1];
    double middle = 0.5 * (p->from + p->to), half = 0.5 * (p->to - p->from);
    double low = INFINITY, high = -INFINITY;
    int sides = sides_of(w, tally);
    for (int j = 0; j <= sides; j++) {
        node[j] = cos(pi * j / sides);
        double s = j == 0 ? p->to : j == sides ? p->from : middle + half * node[j];
        value[j] = value_at(w, tally, s);
        low = fmin(low, value[j]);
        high = fmax(high, value[j]);
    }
    tally->low = fmin(tally->low, low);
    tally->high = fmax(tally->high, high);
    if (!(high > low)) return;
    interpolate(value, node, sides, c);
    differentiate(c, sides, d);
    if (!keeps_sign(d, sides - 1)) note_turns(w, tally, p, d, sides);
}

// ---- integrals

static void integrate(const ss_tally_walk* w, ss_tally* tally, const ss_step_part* p)
{
    const ss_sim* sim = w->sim;
    double sum = 0.0, square = 0.0;
    for (int j = 0; j < SS_GAUSS_POINTS; j++) {
        double weight, s = p->from + ss_gauss_point(j, p->to - p->from, &weight);
        double value = value_at(w, tally, s);
        weight *= ss_step_pace(sim, s); // dt = pace ds
        sum += weight * value;
        square += weight * value * value;
    }
    tally->sum += sum;
    tally->square += square;
}

// Integrals with cos(rate t) and sin(rate t): by parts of the piece on which these turn by a radian or so.
static void integrate_harmonic(const ss_tally_walk* w, ss_tally* tally, const ss_step_part* p, double time)
{
    enum { MOST = 100000 };
    int parts = (int)fmin(fmax(ceil(tally->rate * time), 1.0), MOST);
    double length = (p->to - p->from) / parts;
    for (int k = 0; k < parts; k++)
        for (int j = 0; j < SS_GAUSS_POINTS; j++) {
            double weight, s = p->from + k * length + ss_gauss_point(j, length, &weight);
            double value = value_at(w, tally, s), angle = tally->rate * ss_sim_time(w->sim);
            weight *= ss_step_pace(w->sim, s);
            tally->cosine += weight * value * cos(angle);
            tally->sine += weight * value * sin(angle);
        }
}

// ---- the last time outside a band

static bool is_outside(const ss_tally_walk* w, const ss_tally* tally, double s)
{
    return fabs(value_at(w, tally, s) - tally->last) > tally->band;
}

// Looked at on a grid, the last place outside is halved in between.
static void find_outside(const ss_tally_walk* w, ss_tally* tally, const ss_step_part* p)
{
    enum { PLACES = 2 * SIDES };
    for (int j = PLACES; j >= 0; j--) {
        double s = j == PLACES ? p->to : p->from + (p->to - p->from) * j / PLACES, inside = s;
        if (!is_outside(w, tally, s)) continue;
        if (j < PLACES) inside = p->from + (p->to - p->from) * (j + 1) / PLACES;
        for (int k = 0; k < ROUNDS && inside > s; k++) {
            double middle = 0.5 * (s + inside);
            *(is_outside(w, tally, middle) ? &s : &inside) = middle;
            if (middle == s && middle == inside) break;
        }
        ss_step_look(w->sim, s);
        tally->outside = ss_sim_time(w->sim);
        return;
    }
}

// ---- steps

static bool holds(const ss_sim* sim, int i)
{
    ss_mode mode = ss_sim_contact(sim, i).mode;
    return mode == SS_MODE_STICK || mode == SS_MODE_CLOSED;
}

static void tally_piece(const ss_tally_walk* w, const ss_step_part* p, double time)
{
    ss_sim* sim = w->sim;
    double now = ss_step_now(sim);
    for (int i = 0; i < w->contacts; i++)
        if (holds(sim, i)) w->held[i] += time;
    for (int k = 0; k < w->count; k++) {
        if (w->tallies[k].extremes) find_extremes(w, &w->tallies[k], p);
        if (w->tallies[k].integrals) integrate(w, &w->tallies[k], p);
        if (w->tallies[k].rate > 0.0) integrate_harmonic(w, &w->tallies[k], p, time);
        if (w->tallies[k].settles) find_outside(w, &w->tallies[k], p);
    }
    ss_step_look(sim, now);
}

void ss_walk_rest(ss_tally_walk* w, double from, double time)
{
    for (int i = 0; i < w->contacts; i++)
        if (holds(w->sim, i)) w->held[i] += time;
    for (int k = 0; k < w->count; k++) {
        ss_tally* tally = &w->tallies[k];
        double value = value_now(w, tally);
        tally->low = fmin(tally->low, value);
        tally->high = fmax(tally->high, value);
        tally->sum += time * value;
        tally->square += time * value * value;
        if (tally->rate > 0.0) {
            tally->cosine +=
                value * (sin(tally->rate * (from + time)) - sin(tally->rate * from)) / tally->rate;
            tally->sine -= value * (cos(tally->rate * (from + time)) - cos(tally->rate * from)) / tally->rate;
        }
        if (tally->settles && fabs(value - tally->last) > tally->band) tally->outside = from + time;
    }
}

ss_status ss_walk_to(ss_tally_walk* w, double until, const bool* stop, ss_outcome* outcome, ss_error* err)
{
    ss_sim* sim = w->sim;
    ss_status status = SS_OK;
    double nudge = DBL_EPSILON;
    while (!ss_step_has_ended(sim, outcome) && status == SS_OK && !*stop && ss_sim_time(sim) < until) {
        double t = ss_sim_time(sim);
        ss_step_part part = ss_step_before(sim, until);
        // Where a step is used up but for rounding, the next one begins a little later.
        nudge = part.used_up ? 2.0 * nudge : DBL_EPSILON;
        if (part.used_up) {
            part.end = fmin(until, fmax(part.end, t + nudge * fmax(fabs(t), SS_NO_DIGITS)));
            ss_walk_rest(w, t, part.end - t); // many of them add up
        } else {
            tally_piece(w, &part, part.end - t);
        }
        status = ss_sim_advance(sim, part.end, outcome, err);
        if (*outcome == SS_INTERRUPTED) break;
        if (part.used_up && part.end >= until && ss_sim_time(sim) <= t) break; // it is there but for rounding
    }
    return status;
}
