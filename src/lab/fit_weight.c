// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Which samples count, and how much: noise learnt from the residuals, samples near events left out, and
// whether what is left looks like noise.
#include "lab/fit.h"

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
        double squares = 0.0;
        long count = 0;
        for (long i = 0; i < p->m; i++) {
            if (p->rows[i].trace != c || !ss_fit_takes_part(p, i)) continue;
            double off = p->values[i] - p->rows[i].value;
            squares += off * off;
            count++;
        }
        double freedom = (double)count * (1.0 - (double)p->n / (double)taking_part);
        if (!(freedom > 0.0)) continue;
        double sigma = fmax(sqrt(squares / freedom), 1e-13 * column->scale);
        if (fabs(sigma - column->sigma) > 1e-3 * column->sigma) changed = true;
        column->sigma = sigma;
    }
    return changed;
}

// Leaves out the samples near events of the present motion. True if that changes any.
bool ss_fit_mask_events(ss_fit_problem* p, const double x[])
{
    bool changed = false;
    for (int r = 0; r < p->def.recording_count; r++) {
        p->keep_events = true;
        p->event_count = 0;
        p->only = r;
        bool good = ss_fit_motion(p, x, p->plus, NULL);
        p->only = -1;
        p->keep_events = false;
        if (!good) return false;
        double delay = p->def.delay;
        for (int j = 0; j < p->n; j++)
            if (!p->free[j].node && (p->free[j].recording < 0 || p->free[j].recording == r)) delay = x[j];
        long event = 0;
        for (long i = p->first[r]; i < p->first[r + 1]; i++) {
            double t = p->rows[i].time - delay;
            while (event < p->event_count && p->event_times[event] < t - p->def.quiet) event++;
            bool active = event == p->event_count || p->event_times[event] > t + p->def.quiet;
            changed = changed || active != p->active[i];
            p->active[i] = active;
        }
    }
    return changed;
}

double ss_fit_whiteness(ss_fit_problem* p, const double x[])
{
    double worst = 0.0;
    if (isinf(ss_fit_cost(p, x))) return 1.0;
    for (int c = 0; c < p->def.trace_count; c++) {
        double squares = 0.0, products = 0.0, before = 0.0;
        long count = 0;
        for (long i = 0; i < p->m; i++) {
            if (p->rows[i].trace != c || !ss_fit_takes_part(p, i)) continue;
            squares += p->residual[i] * p->residual[i];
            products += p->residual[i] * before;
            before = p->residual[i];
            count++;
        }
        double rounding = 1e-9 * p->columns[c].scale / p->columns[c].sigma;
        if (count < 8 || squares <= (double)count * rounding * rounding) continue; // all there is was met
        worst = fmax(worst, products / squares - 4.0 / sqrt((double)count));
    }
    return worst;
}
