// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Active set method for a quadratic function under bounds: variables are free or held at a bound. A step
// solves for the free ones and stops at the first bound it meets; a full step is followed by freeing the held
// variable that is pulled inward hardest. The objective falls with every step, so no set of free variables
// comes twice and the method ends.
//
// Where A is singular (redundant contacts) the method minimises with a small multiple of |l - l_before|^2
// added, again and again (proximal point): that ends at an exact minimiser after a few rounds, the first of
// which starts from 0 and so prefers small forces. A pseudo-inverse of the free part then leaves the
// minimiser of least norm among those with the same active bounds.
#include "flow/projection.h"

#include "core/dense.h"

#include <math.h>
#include <string.h>

static const double singular = 1e-12; // pivots of A below this share of its diagonal count as zero
static const double proximal =
    1e-7; // weight of the pull to the result before, as a share of the largest entry of A
static const double rounding = 1e-14; // gradients below this share of their terms are zero

int ss_projection_scratch(int n) { return 5 * n * n + 11 * n; }

typedef struct workspace {
    double *a, *part, *eigen, *step, *free, *pull, *before;
} workspace;

static workspace split(double scratch[], int n)
{
    double* after = scratch + 2 * n * n;
    double* vectors = after + 2 * n * n + n;
    return (workspace){scratch,     scratch + n * n, after,          vectors,
                       vectors + n, vectors + 2 * n, vectors + 3 * n};
}

static bool is_regular(const ss_projection* p, double copy[])
{
    int n = p->n;
    memcpy(copy, p->a, (size_t)n * (size_t)n * sizeof(double));
    if (!ss_cholesky(copy, n)) return false;
    for (int i = 0; i < n; i++)
        if (copy[i * n + i] * copy[i * n + i] <= singular * p->a[i * n + i]) return false;
    return true;
}

// Gathers the free rows and columns of a, and minus the gradient of the free variables; returns their count.
static int gather_free(const ss_projection* p, const double a[], double part[], double rhs[])
{
    int n = p->n, count = 0, used = 0;
    for (int i = 0; i < n; i++) {
        if (p->at[i] != 0) continue;
        double gradient = p->b[i];
        for (int j = 0; j < n; j++) {
            gradient += a[i * n + j] * p->l[j];
            if (p->at[j] == 0) part[used++] = a[i * n + j];
        }
        rhs[count++] = -gradient;
    }
    return count;
}

static void scatter_free(const ss_projection* p, const double from[], double step[])
{
    for (int i = 0, k = 0; i < p->n; i++) step[i] = p->at[i] == 0 ? from[k++] : 0.0;
}

// Moves along step until the first bound. Returns false if one was met: that variable is now held.
static bool move(const ss_projection* p, const double step[])
{
    double length = 1.0;
    int blocking = -1;
    for (int i = 0; i < p->n; i++) {
        double room = step[i] > 0.0 ? p->high[i] - p->l[i] : step[i] < 0.0 ? p->low[i] - p->l[i] : INFINITY;
        if (fabs(room) < length * fabs(step[i])) {
            length = room / step[i];
            blocking = i;
        }
    }
    for (int i = 0; i < p->n; i++) p->l[i] += length * step[i];
    if (blocking < 0) return true;
    p->at[blocking] = step[blocking] > 0.0 ? 1 : -1;
    p->l[blocking] = step[blocking] > 0.0 ? p->high[blocking] : p->low[blocking];
    return false;
}

// The held variable whose gradient pulls it inward hardest, or -1.
static int most_pulled(const ss_projection* p, const double a[])
{
    int best = -1;
    double most = 0.0;
    for (int i = 0; i < p->n; i++) {
        if (p->at[i] == 0 || p->low[i] == p->high[i]) continue;
        double gradient = p->b[i], size = fabs(p->b[i]);
        for (int j = 0; j < p->n; j++) {
            gradient += a[i * p->n + j] * p->l[j];
            size += fabs(a[i * p->n + j] * p->l[j]);
        }
        double pull = p->at[i] * gradient;
        if (pull > rounding * size && pull > most) {
            most = pull;
            best = i;
        }
    }
    return best;
}

static void search_active_set(const ss_projection* p, const double a[], const workspace* w)
{
    for (int round = 0; round < 100 * (p->n + 1); round++) {
        int count = gather_free(p, a, w->part, w->free);
        if (ss_cholesky(w->part, count)) ss_cholesky_solve(w->part, count, w->free);
        scatter_free(p, w->free, w->step);
        if (!move(p, w->step)) continue;
        int next = most_pulled(p, a);
        if (next < 0) return;
        p->at[next] = 0;
    }
}

// Minimises over a singular A: rounds of the regular problem, each drawn to the result of the one before,
// ever less.
static void search_proximal(const ss_projection* p, const workspace* w, double largest)
{
    enum { ROUNDS = 40 };
    int n = p->n;
    double weight = proximal * (largest > 0.0 ? largest : 1.0), lightest = 1e-3 * weight;
    ss_projection drawn = *p;
    drawn.b = w->pull;
    for (int i = 0; i < n; i++) w->before[i] = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < n; i++) {
            w->a[i * n + i] = p->a[i * n + i] + weight;
            w->pull[i] = p->b[i] - weight * w->before[i];
        }
        search_active_set(&drawn, w->a, w);
        double moved = 0.0, size = 0.0;
        for (int i = 0; i < n; i++) {
            moved = fmax(moved, weight * fabs(p->l[i] - w->before[i]));
            size = fmax(size, fabs(p->b[i]) + fabs(p->a[i * n + i] * p->l[i]));
            w->before[i] = p->l[i];
        }
        if (moved <= 0.1 * rounding * size) return;
        weight = fmax(0.3 * weight, lightest);
    }
}

// Least-norm solution of the free part of the singular A, with the others at their bounds; in w->step.
static void solve_least_norm(const ss_projection* p, const workspace* w)
{
    int count = gather_free(p, p->a, w->part, w->free);
    for (int i = 0, k = 0; i < p->n; i++) { // from l_f = 0, so that the solution and not the step is minimal
        if (p->at[i] != 0) continue;
        double rhs = -p->b[i];
        for (int j = 0; j < p->n; j++)
            if (p->at[j] != 0) rhs -= p->a[i * p->n + j] * p->l[j];
        w->free[k++] = rhs;
    }
    ss_pseudo_inverse(w->part, count, singular, w->a, NULL, w->eigen);
    for (int i = 0, k = 0; i < p->n; i++) {
        w->step[i] = p->l[i];
        if (p->at[i] != 0) continue;
        w->step[i] = 0.0;
        for (int j = 0; j < count; j++) w->step[i] += w->a[k * count + j] * w->free[j];
        k++;
    }
}

// The free variable of w->step farthest beyond its bounds, or -1.
static int farthest_beyond(const ss_projection* p, const workspace* w)
{
    int worst = -1;
    double most = 0.0;
    for (int i = 0; i < p->n; i++) {
        double beyond = fmax(w->step[i] - p->high[i], p->low[i] - w->step[i]);
        if (p->at[i] == 0 && beyond > most) {
            most = beyond;
            worst = i;
        }
    }
    return worst;
}

static double acceleration_change(const ss_projection* p, const double l[], double* size)
{
    double most = 0.0;
    *size = 0.0;
    for (int i = 0; i < p->n; i++) {
        double change = 0.0, terms = fabs(p->b[i]);
        for (int j = 0; j < p->n; j++) {
            change += p->a[i * p->n + j] * (l[j] - p->l[j]);
            terms += fabs(p->a[i * p->n + j] * p->l[j]);
        }
        most = fmax(most, fabs(change));
        *size = fmax(*size, terms);
    }
    return most;
}

// Whether l is a minimiser: no pull on what is free, none inward on what is held.
static bool is_minimiser(const ss_projection* p, const double l[])
{
    for (int i = 0; i < p->n; i++) {
        double residual = p->b[i], terms = fabs(p->b[i]);
        for (int j = 0; j < p->n; j++) {
            residual += p->a[i * p->n + j] * l[j];
            terms += fabs(p->a[i * p->n + j] * l[j]);
        }
        double pull = p->at[i] == 0 ? fabs(residual) : p->at[i] * residual;
        if (p->low[i] < p->high[i] && pull > 10.0 * rounding * terms) return false;
    }
    return true;
}

// Replaces the minimiser (kept in w->before) by the one of least norm, adding bounds as it meets them; where
// that is no minimiser, the one before stays.
static void polish(const ss_projection* p, const workspace* w)
{
    int worst = 0;
    for (int round = 0; round <= p->n && worst >= 0; round++) {
        solve_least_norm(p, w);
        worst = farthest_beyond(p, w);
        if (worst < 0) break;
        p->at[worst] = w->step[worst] > p->high[worst] ? 1 : -1;
        p->l[worst] = p->at[worst] > 0 ? p->high[worst] : p->low[worst];
    }
    bool good = worst < 0 && is_minimiser(p, w->step);
    for (int i = 0; i < p->n; i++) p->l[i] = good ? w->step[i] : w->before[i];
    for (int i = 0; i < p->n; i++) p->at[i] = p->l[i] >= p->high[i] ? 1 : p->l[i] <= p->low[i] ? -1 : 0;
}

static void project_one(const ss_projection* p)
{
    double a = p->a[0], b = p->b[0];
    double l = a > 0.0 ? -b / a : b == 0.0 ? 0.0 : copysign(INFINITY, -b);
    p->at[0] = l >= p->high[0] ? 1 : l <= p->low[0] ? -1 : 0;
    p->l[0] = p->at[0] > 0 ? p->high[0] : p->at[0] < 0 ? p->low[0] : l;
    p->residual[0] = p->at[0] == 0 ? 0.0 : a * p->l[0] + b;
}

void ss_project(const ss_projection* p, double scratch[])
{
    int n = p->n;
    if (n <= 1) {
        if (n == 1) project_one(p);
        return;
    }
    workspace w = split(scratch, n);
    bool regular = is_regular(p, w.a);
    double largest = 0.0;
    memcpy(w.a, p->a, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) largest = fmax(largest, p->a[i * n + i]);
    for (int i = 0; i < n; i++) {
        p->l[i] = fmin(fmax(0.0, p->low[i]), p->high[i]);
        p->at[i] = p->l[i] >= p->high[i] ? 1 : p->l[i] <= p->low[i] ? -1 : 0;
    }
    if (regular) {
        search_active_set(p, w.a, &w);
    } else {
        search_proximal(p, &w, largest);
        polish(p, &w);
    }
    for (int i = 0; i < n; i++) {
        p->residual[i] = p->b[i];
        for (int j = 0; j < n; j++) p->residual[i] += p->a[i * n + j] * p->l[j];
    }
}

// The length of the interval of a variable, or its size on a half-line.
static double range_of(const ss_projection* p, int i)
{
    double range = p->high[i] - p->low[i], a = p->a[i * p->n + i];
    return isfinite(range) ? range : fabs(p->l[i]) + (a > 0.0 ? fabs(p->b[i]) / a : 0.0);
}

// Whether a minimiser exists with variable i off its bound by this much; it is left in other->l.
static bool can_leave(const ss_projection* p, int i, double step, double size, const ss_projection* other,
                      double low[], double high[], double scratch[])
{
    for (int j = 0; j < p->n; j++) {
        bool fixed = fabs(p->residual[j]) > 1e-12 * size; // then it is at its bound in every minimiser
        low[j] = fixed ? p->l[j] : p->low[j];
        high[j] = fixed ? p->l[j] : p->high[j];
    }
    if (p->at[i] > 0) high[i] -= step;
    if (p->at[i] < 0) low[i] += step;
    ss_project(other, scratch);
    double change = acceleration_change(p, other->l, &size);
    return change <= 1e-12 * size && change <= 1e-6 * step * p->a[i * p->n + i];
}

// One variable after the other is asked to leave its bound, by less and less; the mean of all minimisers so
// found is one again, and is off every bound that any of them is off.
void ss_project_inward(const ss_projection* p, double scratch[])
{
    static const double shares[] = {1e-2, 1e-3, 1e-4};
    int n = p->n, found = 1;
    if (n < 2 || is_regular(p, scratch)) return;
    double *low = scratch + 5 * n * n + 5 * n, *high = low + n, *l = high + n, *residual = l + n,
           *sum = residual + n;
    ss_projection other = {n, p->a, p->b, low, high, l, residual, (signed char*)(sum + n)};
    double size;
    acceleration_change(p, p->l, &size);
    for (int i = 0; i < n; i++) sum[i] = p->l[i];
    for (int i = 0; i < n; i++) {
        if (p->at[i] == 0 || range_of(p, i) == 0.0 || fabs(p->residual[i]) > 1e-12 * size) continue;
        bool left = false;
        for (int k = 0; k < 3 && !left; k++)
            left = can_leave(p, i, shares[k] * range_of(p, i), size, &other, low, high, scratch);
        for (int j = 0; j < n && left; j++) sum[j] += l[j];
        found += left;
    }
    for (int i = 0; i < n; i++) {
        double mean = sum[i] / found;
        if (p->at[i] != 0 && fabs(mean - p->l[i]) <= 1e-7 * range_of(p, i)) continue; // at its bound in all
        p->l[i] = fmin(fmax(mean, p->low[i]), p->high[i]);
        p->at[i] = 0;
    }
}
