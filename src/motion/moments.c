// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "motion/moments.h"
#include "core/tolerance.h"

#include <math.h>
#include <stdbool.h>

// Two moments closer than this (relative) are one: 3 * 0.1 s and 0.3 s.
static const double same_moment = SS_RELATIVE_ZERO;

static bool same(double a, double b) { return fabs(a - b) <= same_moment * fmax(fabs(a), fabs(b)); }

// The next multiple of `every`, the last of which is exactly `until` where it should be; INFINITY after it.
static double next_multiple(const ss_moments* m)
{
    if (!(m->every > 0)) return INFINITY;
    double t = (double)m->next_every * m->every;
    if (same(t, m->until)) return m->until;
    return t < m->until ? t : INFINITY;
}

double ss_moments_next(ss_moments* m)
{
    double at = m->next_at < m->at_count ? m->at[m->next_at] : INFINITY;
    double multiple = next_multiple(m);
    bool both = isfinite(at) && isfinite(multiple) && same(at, multiple);
    if (isfinite(at) && (at <= multiple || both)) m->next_at++;
    if (isfinite(multiple) && (multiple < at || both)) m->next_every++;
    return both ? at : fmin(at, multiple);
}
