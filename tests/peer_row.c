// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "peer_row_modes.h"

#include <math.h>
#include <string.h>

enum { SIZE = PEER_ROW_SIZE, COLUMNS = 7, MOST_GUARDS = PEER_ROW_GUARDS };

static const double crept = -1e-9; // a guard that starts at 0 and gets here went the other way

static void midpoint(const peer* p, double h, int count, double out[])
{
    double before[SIZE], now[SIZE], rate[SIZE], s = h / count;
    memcpy(before, p->y, sizeof before);
    peer_row_rates(p, p->t, before, rate);
    for (int j = 0; j < SIZE; j++) now[j] = before[j] + s * rate[j];
    for (int k = 1; k < count; k++) {
        peer_row_rates(p, p->t + k * s, now, rate);
        for (int j = 0; j < SIZE; j++) {
            double next = before[j] + 2.0 * s * rate[j];
            before[j] = now[j];
            now[j] = next;
        }
    }
    memcpy(out, now, sizeof now);
}

// One step: midpoint steps 2, 4, .., extrapolated. Returns the error over what is allowed.
static double step_by(const peer* p, double h, double out[])
{
    double table[COLUMNS][SIZE], worst = 0.0;
    for (int k = 0; k < COLUMNS; k++) {
        midpoint(p, h, 2 * (k + 1), table[k]);
        for (int l = k - 1; l >= 0; l--) { // table[l] becomes the extrapolation by columns l .. k
            double ratio = (k + 1.0) / (l + 1.0), share = 1.0 / (ratio * ratio - 1.0);
            for (int j = 0; j < SIZE; j++) {
                double better = table[l + 1][j] + (table[l + 1][j] - table[l][j]) * share;
                if (k == COLUMNS - 1 && l == 0)
                    worst = fmax(worst, fabs(better - table[1][j]) / (p->scale[j] + fabs(p->y[j])));
                table[l][j] = better;
            }
        }
    }
    double sum = 0.0;
    for (int j = 0; j < SIZE; j++) sum += out[j] = table[0][j];
    return isfinite(sum) ? worst / p->tolerance : INFINITY;
}

// ---- marching

// Where guard j vanishes between 0 and h: Illinois.
static double locate(const peer* p, int j, double at_start, double h, double at_end)
{
    guard all[MOST_GUARDS];
    double low = 0.0, high = h, below = at_start, above = at_end, y[SIZE];
    for (int round = 0; round < 80 && high - low > 1e-16 * (1.0 + p->t); round++) {
        double s = round % 8 == 7 ? 0.5 * (low + high) : low + (high - low) * below / (below - above);
        if (!(s > low && s < high)) s = 0.5 * (low + high);
        step_by(p, s, y);
        peer_row_guards(p, p->t + s, y, all);
        double value = all[j].value;
        if (value > 0.0) {
            low = s;
            below = value;
            above *= 0.5;
        } else {
            high = s;
            above = value;
            below *= 0.5;
        }
        if (value == 0.0) break;
    }
    return high;
}

// Whether a guard that is positive at both ends may dip below 0 between: by the cubic through values and
// slopes.
static bool may_dip(double from, double from_slope, double to, double to_slope, double h)
{
    if (!(from_slope < 0.0 && to_slope > 0.0)) return false;
    for (int k = 1; k < 8; k++) {
        double s = k / 8.0, r = 1.0 - s;
        double value = r * r * ((1.0 + 2.0 * s) * from + s * h * from_slope) +
                       s * s * ((1.0 + 2.0 * r) * to - r * h * to_slope);
        if (value <= 0.0) return true;
    }
    return false;
}

// Values of the guards an instant later, for their slopes.
static void look_ahead(const peer* p, double t, const double y[], double dt, guard out[])
{
    double rate[SIZE], later[SIZE];
    peer_row_rates(p, t, y, rate);
    for (int j = 0; j < SIZE; j++) later[j] = y[j] + dt * rate[j];
    peer_row_guards(p, t + dt, later, out);
}

// The first guard that vanishes on a step of length h that ends at `next`; -1: none. *when: where. A step
// that must be shorter to tell is cut: *when < h.
static int first_end(peer* p, double h, const double next[], double* when)
{
    guard from[MOST_GUARDS], to[MOST_GUARDS], soon[MOST_GUARDS], late[MOST_GUARDS];
    double dt = 1e-6 * h;
    int count = peer_row_guards(p, p->t, p->y, from), found = -1;
    peer_row_guards(p, p->t + h, next, to);
    look_ahead(p, p->t, p->y, dt, soon);
    look_ahead(p, p->t + h, next, dt, late);
    *when = h;
    for (int j = 0; j < count; j++) {
        if (from[j].value <= 0.0) {
            if (to[j].value < crept) p->doubtful = true;
            continue;
        }
        double slope = (soon[j].value - from[j].value) / dt, last = (late[j].value - to[j].value) / dt;
        if (to[j].value <= 0.0) {
            double s = locate(p, j, from[j].value, h, to[j].value);
            if (found >= 0 && s >= *when) continue;
            found = j;
            *when = s;
        } else if (found < 0 && h > 1e-6 && may_dip(from[j].value, slope, to[j].value, last, h))
            *when = fmin(*when, 0.5 * h);
    }
    return found;
}

// What can no longer hold, since something else has jumped.
static void release(peer* p)
{
    guard all[MOST_GUARDS];
    int count = peer_row_guards(p, p->t, p->y, all);
    for (int j = 0; j < count; j++)
        if (all[j].kind == HOLD && all[j].value < -1e-12) peer_row_pass(p, &all[j]);
}

static void advance(peer* p, double until)
{
    const double longest = 2e-2, shortest = 1e-13;
    double next[SIZE], when;
    guard all[MOST_GUARDS];
    while (p->t < until && !p->doubtful) {
        double h = fmin(fmin(p->h, longest), until - p->t), error = step_by(p, h, next);
        if (error > 1.0) {
            p->h = h * fmax(isfinite(error) ? 0.8 * pow(error, -1.0 / (2 * COLUMNS - 1)) : 0.0, 0.1);
            if (p->h < shortest) p->doubtful = true;
            continue;
        }
        int found = first_end(p, h, next, &when);
        if (found < 0 && when < h) {
            p->h = when;
            continue;
        }
        if (found >= 0) step_by(p, when, next);
        bool there = found < 0 && h >= until - p->t;
        memcpy(p->y, next, sizeof next);
        p->t = there ? until : p->t + when;
        p->h = h * fmin(0.8 * pow(fmax(error, 1e-12), -1.0 / (2 * COLUMNS - 1)), 3.0);
        if (found < 0) continue;
        peer_row_guards(p, p->t, p->y, all);
        peer_row_pass(p, &all[found]);
        release(p);
        p->h = fmin(p->h, 1e-3);
    }
}

bool peer_row_run(const random_row* row, double tolerance, const double times[], int count,
                  peer_row_state out[])
{
    peer p = {.row = row, .h = 1e-4, .tolerance = tolerance};
    for (int j = 0; j < SIZE; j++) p.scale[j] = 1.0;
    peer_row_begin(&p);
    for (int k = 0; k < count && !p.doubtful; k++) {
        advance(&p, times[k]);
        memcpy(out[k], p.y, sizeof p.y);
    }
    return !p.doubtful;
}
