// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The truth. In contact, with y = sqrt(p) and dt = y ds,
//     dy/ds = v/2,   dt/ds = y,   dv/ds = y (b/m - k/m y^3 (1 + a v)):
// polynomials, so the Taylor series goes through touch and separation (y = 0) as if nothing happened there.
// In flight the motion is a parabola; while the disk sticks it goes with the platform.
#include "disk.h"

#include <math.h>

enum { ORDER = 30 };

typedef struct moment {
    long double t, y, v;
} moment;

typedef struct series {
    long double t[ORDER + 1], y[ORDER + 1], v[ORDER + 1];
} series;

static long double product(const long double a[], const long double b[], int k)
{
    long double sum = 0;
    for (int j = 0; j <= k; j++) sum += a[j] * b[k - j];
    return sum;
}

static void expand(const disk* d, const moment* at, series* s)
{
    long double y2[ORDER + 1], y4[ORDER + 1], c[ORDER + 1];
    long double push = (long double)d->friction / d->mass, stiff = (long double)d->stiffness / d->mass;
    s->t[0] = at->t;
    s->y[0] = at->y;
    s->v[0] = at->v;
    for (int k = 0; k < ORDER; k++) {
        y2[k] = product(s->y, s->y, k);
        y4[k] = product(y2, y2, k);
        c[k] = (k == 0 ? 1 : 0) + 1.5L * d->alpha * s->v[k];
        s->t[k + 1] = s->y[k] / (k + 1);
        s->y[k + 1] = s->v[k] / 2 / (k + 1);
        s->v[k + 1] = (push * s->y[k] - stiff * product(y4, c, k)) / (k + 1);
    }
}

static long double at(const long double c[], long double h)
{
    long double sum = 0;
    for (int k = ORDER; k >= 0; k--) sum = sum * h + c[k];
    return sum;
}

// A step on which the last terms of y and v are below rounding.
static long double reach(const series* s)
{
    long double h = INFINITY;
    for (int k = ORDER - 1; k <= ORDER; k++) {
        if (s->y[k] != 0) h = fminl(h, powl(1e-22L * fabsl(s->y[1]) / fabsl(s->y[k]), 1.0L / (k - 1)));
        if (s->v[k] != 0) h = fminl(h, powl(1e-22L * (fabsl(s->v[0]) + 1e-9L) / fabsl(s->v[k]), 1.0L / k));
    }
    return h;
}

// Moves through the contact until it opens, or to the end of the run; returns whether it opened.
static bool contact(const disk* d, moment* now)
{
    series s;
    for (;;) {
        expand(d, now, &s);
        long double h = reach(&s), low = 0, high = h;
        if (at(s.t, h) > d->until) { // y > 0: the time grows with h
            for (int round = 0; round < 80; round++) {
                long double middle = (low + high) / 2;
                *(at(s.t, middle) > d->until ? &high : &low) = middle;
            }
            if (at(s.y, low) > 0) {
                *now = (moment){d->until, at(s.y, low), at(s.v, low)};
                return false;
            }
            h = high;
        }
        if (at(s.y, h) > 0) {
            *now = (moment){at(s.t, h), at(s.y, h), at(s.v, h)};
            continue;
        }
        low = s.y[0] == 0 ? h / 2 : 0; // leaves the touch it starts from
        for (high = h; high - low > 1e-19L * h;) {
            long double middle = (low + high) / 2;
            *(at(s.y, middle) > 0 ? &low : &high) = middle;
            if (middle == low && middle == high) break;
        }
        *now = (moment){at(s.t, high), 0, at(s.v, high)};
        return true;
    }
}

// The depth at which the frame pushes as hard as the platform drags: k y^3 (1 + a V) = b.
static moment break_away(const disk* d)
{
    long double y = cbrtl(d->friction / (d->stiffness * (1 + 1.5L * d->alpha * d->speed)));
    return (moment){(y * y - d->start) / d->speed, y, d->speed};
}

bool disk_truth(const disk* d, disk_motion* out)
{
    moment now = break_away(d);
    *out = (disk_motion){.impacts = 1};
    while (contact(d, &now)) {
        long double flight = -2 * now.v * d->mass / d->friction;
        if (now.t + flight > d->until) {
            long double left = d->until - now.t;
            out->x = (double)(now.v * left + d->friction / d->mass * left * left / 2);
            return out->impacts >= DISK_IMPACT;
        }
        now.t += flight;
        now.v = -now.v;
        if (++out->impacts == DISK_IMPACT) out->impact = (double)now.t;
    }
    out->x = (double)(now.y * now.y);
    return out->impacts >= DISK_IMPACT;
}
