// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Singular places of expressions (core/expression/piece/singular.c) along the motion: roots, powers, poles,
// ends of domains.
//
// A step never goes further than 0.95 of the distance at which the series of some function may stop to
// converge, whatever their coefficients say. So steps shrink geometrically towards a place that the motion
// meets, and grow again behind it; a place that it passes by, in the plane of complex numbers, costs steps in
// the same way. Where the function has a value there, the last stretch is passed with that function held at
// its value: with f = |s|^q about the place, and T the length of ordinary steps, a stretch of T e^(1/(1+q))
// changes speeds by e = 1e-15 of what the force does in T.
//
// Where rounding hides how far away the place is (acos(cos(x)) next to x = 0), the stretch is as long as
// that.
//
//   reads    series of the program of the motion
//   writes   which functions are held level, how long the step may be
#include "core/expression/piece/singular.h"
#include "engine/flow/open_series.h"

#include "core/tolerance.h"

#include <float.h>
#include <math.h>

static const double unclear = 1e3 * DBL_EPSILON; // of its terms: the distance from a place is not known below

// Of functions that are held level: the length of ordinary steps.
static double span_of(const ss_open_programs* programs, double longest)
{
    double span = programs->span;
    return span > 0.0 ? fmin(span, longest) : 1e-3 * longest;
}

// How function i begins where its argument meets the place: its exponent, or -1 where it goes to infinity. Of
// a quotient the series tell: it grows towards a pole, and not where its numerator vanishes as well.
static double exponent_of(const ss_run* run, int i, double clear)
{
    const ss_instruction* in = &run->program->code[i];
    const double* c = ss_taylor_row(&run->w, i);
    if (in->op != SS_OP_DIV) return ss_singular_exponent(in);
    return c[1] * c[0] > 0.0 && fabs(c[1]) * clear > 0.05 * fabs(c[0]) ? -1.0 : 1.0;
}

// For how long a function is held level, and at what distance in time from its place it begins: ten times
// sooner. Small exponents ask for less than time can tell; nothing moves by that.
static double gap_of(double exponent, double span, double t)
{
    return fmax(span * pow(1e-15, 1.0 / (1.0 + exponent)), 16.0 * DBL_EPSILON * fabs(t));
}

// What rounding leaves of the distance of function i from its place, where the step begins: of its terms, and
// of the variables that they are made of (a position has that of its body's place). Kinks beside it (a sign
// that changes there) may be decided the other way within it: a sensitivity would miss that.
static double noise_of(const ss_sim* sim, int i)
{
    const ss_run* run = &sim->open.programs->motion;
    const ss_instruction* in = &run->program->code[i];
    (void)ss_open_output_size(sim, 0); // sizes of all registers
    int argument = in->op == SS_OP_DIV ? in->b : in->a;
    double size = run->sizes[argument], own = 0.0;
    if (in->op == SS_OP_HYPOT || in->op == SS_OP_ATAN2) size += run->sizes[in->b];
    if (run->noise) own = run->noise[(size_t)argument * (size_t)run->w.length];
    double inherited = 4.0 * SS_SIGNIFICANT * DBL_EPSILON * own;
    return fmax(isfinite(size) ? unclear * size : 0.0, isfinite(inherited) ? inherited : 0.0);
}

bool ss_open_freeze_singular(ss_sim* sim, double longest)
{
    const ss_run* run = &sim->open.programs->motion;
    double span = span_of(sim->open.programs, longest);
    bool found = false;
    for (int k = 0; k < run->program->singular_count && !sim->open.programs->bad; k++) {
        int i = run->program->singular[k];
        if (run->w.level[i]) continue;
        double clear = ss_run_clear(run, i, sim->step.order - 2, longest);
        if (clear > 1e-2 * span) continue;
        double exponent = exponent_of(run, i, clear);
        if (exponent < 0.0) continue;
        bool near =
            clear < 0.1 * gap_of(exponent, span, sim->step.t) || ss_run_distance(run, i) < noise_of(sim, i);
        if (near) run->w.level[i] = found = true;
    }
    return found;
}

double ss_open_clear(const ss_sim* sim, double longest)
{
    const double share = 0.95;
    const ss_run* run = &sim->open.programs->motion;
    double span = span_of(sim->open.programs, longest), h = longest;
    int order = sim->step.order - 2;
    for (int k = 0; k < run->program->singular_count; k++) {
        int i = run->program->singular[k];
        if (!run->w.level[i]) {
            double clear = ss_run_clear(run, i, order, h);
            if (clear > 0.0) h = fmin(h, share * clear); // it stands on the place, and stays there
            continue;
        }
        double exponent = fmax(ss_singular_exponent(&run->program->code[i]), 0.0);
        double away = ss_run_within(run, i, 4.0 * noise_of(sim, i), order, longest);
        h = fmin(h, fmax(gap_of(exponent, span, sim->step.t), away));
    }
    return h;
}

// What rounding leaves of the kinks that were located at this instant.
static double kink_noise(const ss_run* run)
{
    double most = 0.0;
    for (int j = 0; j < run->program->kink_count; j++)
        most = fmax(most, fabs(run->w.met[run->program->kinks[j]]));
    return 4.0 * most;
}

bool ss_open_accept_rounding(ss_sim* sim)
{
    const ss_run* run = &sim->open.programs->motion;
    int i = run->failed;
    if (i < 0 || run->done > 0 || !run->w.level || run->w.level[i]) return false;
    const ss_instruction* in = &run->program->code[i];
    double a = ss_taylor_row(&run->w, in->a)[0], beyond = 0.0;
    if (in->op == SS_OP_SQRT || (in->op == SS_OP_POWER && in->p > 0.0)) beyond = -a;
    if (in->op == SS_OP_ASIN || in->op == SS_OP_ACOS) beyond = fabs(a) - 1.0;
    if (in->op == SS_OP_ACOSH) beyond = 1.0 - a;
    if (!(beyond > 0.0 && beyond <= noise_of(sim, i) + kink_noise(run))) return false;
    run->w.level[i] = true;
    return true;
}

// The first function that is nearer to its singular place than time can tell, and of which it is told that it
// has no value there (or, `any`: whether it has or not); -1 where there is none.
static int find_near(const ss_step* step, ss_open_programs* own, bool any)
{
    const ss_run* run = &own->motion;
    double least = 64.0 * DBL_EPSILON * fmax(fabs(step->t), own->span);
    if (!(step->length < least) || (own->stiff && own->stiff->written)) return -1;
    if (ss_open_is_far(own)) return -1; // the motion itself is on its way to infinity
    for (int k = run->program->singular_count - 1; k >= 0; k--) { // a quotient before what it divides by
        int i = run->program->singular[k];
        double clear = ss_run_clear(run, i, step->order - 2, 1.0);
        if (clear > least) continue;
        if (any || (!run->w.level[i] && exponent_of(run, i, clear) < 0.0)) return i;
    }
    return -1;
}

bool ss_open_is_near_place(const ss_step* step, const ss_open_run* open_run)
{
    return open_run->programs && find_near(step, open_run->programs, true) >= 0;
}

bool ss_open_meets_pole(ss_sim* sim)
{
    enum { PATIENCE = 24 };
    if (!sim->open.programs || sim->open.programs->motion.program->singular_count == 0) return false;
    int i = find_near(&sim->step, sim->open.programs, sim->course.stalls > PATIENCE);
    if (i < 0) return false;
    sim->open.programs->bad = true;
    ss_open_name_fault(sim->model, &sim->inputs, &sim->open, i);
    return true;
}
