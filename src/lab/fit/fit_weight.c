// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Which samples count, and how much: noise learnt from the residuals, samples near events left out, and
// whether what is left looks like noise.
#include "core/tolerance.h"
#include "lab/fit/fit_impl.h"

// Noise that is not known is that of the residuals. True if that changed some weight.
bool ss_fit_learn_sigma(ss_fit_problem* p, const double x[])
{
    bool changed = false;
    ss_fit_cost(p, x);
    long taking_part = 0;
    for (long i = 0; i < p->m; i++) taking_part += ss_fit_takes_part(p, i);
    for (int c = 0; c < p->def.trace_count; c++) {
        ss_fit_column* column = &p->columns[c];
        if (column->sigma_known) continue;
        long count = 0;
        for (long i = 0; i < p->m; i++) count += p->rows[i].trace == c && ss_fit_takes_part(p, i);
        double freedom = (double)count * (1.0 - (double)p->n / (double)taking_part);
        if (!(freedom > 0.0)) continue;
        double sigma = fmax(ss_fit_scatter(p, c, freedom), SS_SUM_NOISE * column->scale);
        if (fabs(sigma - column->sigma) > 1e-3 * column->sigma) changed = true;
        column->sigma = sigma;
    }
    return changed;
}

// Whether an event of the motion lies within (from, to); impacts only, where speeds jump, or any.
static bool event_between(const ss_fit_problem* p, double from, double to, bool impacts)
{
    long low = 0, high = p->log.count;
    while (low < high) { // the first that is not before `from`
        long middle = (low + high) / 2;
        if (p->log.events[middle].t < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < p->log.count && p->log.events[low].t <= to; low++)
        if (!impacts || p->log.events[low].impact) return true;
    return false;
}

// The time of the neighbouring sample of the same trace, or that of the sample itself at the end of the
// trace.
static double neighbour(const ss_fit_problem* p, int recording, long i, long step)
{
    for (long k = i + step; k >= p->first[recording] && k < p->first[recording + 1]; k += step)
        if (p->rows[k].trace == p->rows[i].trace) return p->rows[k].time;
    return p->rows[i].time;
}

static bool stays(const ss_fit_problem* p, int recording, long i, double delay)
{
    double t = p->rows[i].time, quiet = p->def.quiet;
    if (quiet > 0.0 && event_between(p, t - delay - quiet, t - delay + quiet, false)) return false;
    const ss_fit_column* column = &p->columns[p->rows[i].trace];
    if (!column->speed && !column->jumps) return true;
    return !event_between(p, neighbour(p, recording, i, -1) - delay, neighbour(p, recording, i, 1) - delay,
                          !column->jumps);
}

static bool mask_recording(ss_fit_problem* p, const double x[], int recording)
{
    bool changed = false;
    double delay = p->def.delay;
    for (int j = 0; j < p->n; j++)
        if (p->free[j].role == SS_FIT_DELAY &&
            (p->free[j].recording < 0 || p->free[j].recording == recording))
            delay = x[j];
    for (long i = p->first[recording]; i < p->first[recording + 1]; i++) {
        bool active = stays(p, recording, i, delay);
        changed = changed || active != p->active[i];
        p->active[i] = active;
    }
    return changed;
}

// The samples of a speed on both sides of an impact, and of a force on both sides of any event, are left out:
// a search could not move the event past them, because the sum of squares jumps there. Events come in order
// of time.
bool ss_fit_mask_events(ss_fit_problem* p, const double x[])
{
    bool changed = false;
    for (int r = 0; r < p->def.recording_count; r++) {
        p->log.wanted = true;
        p->log.count = 0;
        p->manner.only = r;
        bool good = ss_fit_motion(p, x, p->scratch.plus, NULL);
        p->manner.only = -1;
        p->log.wanted = false;
        if (good && mask_recording(p, x, r)) changed = true;
    }
    long active = 0;
    for (long i = 0; i < p->m; i++) active += p->active[i];
    for (long i = 0; i < p->m && active < p->m / 2; i++) p->active[i] = true; // too few would be left
    return changed && active >= p->m / 2;
}

// A way down needs some hundred samples, and the more the more numbers are free: there are that many of each
// trace, or all.
void ss_fit_thin(ss_fit_problem* p, bool thin)
{
    long enough = 200 + 60 * (long)p->n;
    p->scratch.at[0] = NAN;
    for (int c = 0; c < p->def.trace_count; c++) {
        long count = 0;
        for (long i = 0; i < p->m; i++)
            count += p->rows[i].trace == c && p->rows[i].time <= p->manner.horizon;
        p->columns[c].stride = thin && count > enough ? (int)(count / enough) : 1;
    }
}

double ss_fit_whiteness(ss_fit_problem* p, const double x[], double* correlation)
{
    double worst = 0.0;
    if (correlation) *correlation = 1.0;
    if (isinf(ss_fit_cost(p, x))) return 1.0;
    for (int c = 0; c < p->def.trace_count; c++) {
        double squares = 0.0, products = 0.0, before = 0.0;
        long count = 0;
        for (long i = 0; i < p->m; i++) {
            if (p->rows[i].trace != c || !ss_fit_takes_part(p, i)) continue;
            squares += p->scratch.residual[i] * p->scratch.residual[i];
            products += p->scratch.residual[i] * before;
            before = p->scratch.residual[i];
            count++;
        }
        double rounding = SS_CLEAR * p->columns[c].scale / p->columns[c].sigma;
        if (count < 8 || squares <= (double)count * rounding * rounding) continue; // all there is was met
        double alike = products / squares, chance = 4.0 / sqrt((double)count);
        if (alike - chance <= worst) continue;
        worst = alike - chance;
        if (correlation) *correlation = alike;
    }
    return worst;
}
