// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Active set method for a quadratic function under bounds: variables are free or held at a bound. A step
// solves for the free ones and stops at the first bound it meets; a full step is followed by freeing the held
// variable that is pulled inward hardest. The objective falls with every step, so no set of free variables
// comes twice and the method ends.
//
// Where A is singular (redundant contacts) the method minimises with a small multiple of |l|^2 added. For
// every small enough multiple its active bounds are those of the minimiser of least norm, which a
// pseudo-inverse of the free part then gives exactly; that it is a minimiser is checked. Should the multiple
// not have been small enough, |l - l_before|^2 takes the place of |l|^2, again and again (proximal point):
// that ends at an exact minimiser, and the pseudo-inverse leaves the one of least norm among those with the
// same active bounds.
#include "core/algebra/projection.h"

#include "core/algebra/dense.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

static const double singular = SS_RELATIVE_ZERO; // pivots of A below this share of its diagonal count as zero
static const double proximal = 1e-7; // weight of the pull to the result before: share of A's largest entry
static const double parallel = 1e-3; // smaller eigenvalues, as a share of the largest, make large forces
static const double rounding = SS_NOISE; // gradients below this share of their terms are zero

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

// The rows and columns of A that are chosen (NULL: all); returns how many.
static int gather(const ss_projection* p, const signed char chosen[], double part[], double diagonal[])
{
    int count = 0, used = 0;
    for (int i = 0; i < p->n; i++) {
        if (chosen && !chosen[i]) continue;
        diagonal[count++] = p->a[i * p->n + i];
        for (int j = 0; j < p->n; j++)
            if (!chosen || chosen[j]) part[used++] = p->a[i * p->n + j];
    }
    return count;
}

static void swap(double* a, double* b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

// Exchanges variables i and j > i of the symmetric matrix.
static void exchange(double a[], int n, int i, int j)
{
    for (int k = 0; k < n; k++) swap(&a[i * n + k], &a[j * n + k]);
    for (int k = 0; k < n; k++) swap(&a[k * n + i], &a[k * n + j]);
}

// Whether these make a regular matrix: elimination, the variable next that has kept the largest share of its
// diagonal entry. Without that choice two rows that are nearly parallel would drown a third that depends on
// them in rounding.
static bool is_regular(const ss_projection* p, const signed char chosen[], double part[], double diagonal[])
{
    int n = gather(p, chosen, part, diagonal);
    for (int k = 0; k < n; k++) {
        int next = k;
        for (int i = k + 1; i < n; i++)
            if (part[i * n + i] * diagonal[next] > part[next * n + next] * diagonal[i]) next = i;
        if (!(part[next * n + next] > singular * diagonal[next])) return false;
        if (next != k) {
            exchange(part, n, k, next);
            swap(&diagonal[k], &diagonal[next]);
        }
        for (int i = k + 1; i < n; i++) {
            double factor = part[i * n + k] / part[k * n + k];
            for (int j = k + 1; j < n; j++) part[i * n + j] -= factor * part[k * n + j];
        }
    }
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
// that is no minimiser, the one before stays and the answer is false.
static bool polish(const ss_projection* p, const workspace* w)
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
    return good;
}

// One round of the regular problem that is drawn to w->before, where it leaves its result. Returns whether
// it is a minimiser of p itself to rounding.
static bool search_drawn(const ss_projection* p, const workspace* w, double weight)
{
    int n = p->n;
    double moved = 0.0, size = 0.0;
    ss_projection drawn = *p;
    drawn.b = w->pull;
    memcpy(w->a, p->a, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        w->a[i * n + i] += weight;
        w->pull[i] = p->b[i] - weight * w->before[i];
    }
    search_active_set(&drawn, w->a, w);
    for (int i = 0; i < n; i++) {
        moved = fmax(moved, weight * fabs(p->l[i] - w->before[i]));
        size = fmax(size, fabs(p->b[i]) + fabs(p->a[i * n + i] * p->l[i]));
        w->before[i] = p->l[i];
    }
    return moved <= 0.1 * rounding * size;
}

static void search_singular(const ss_projection* p, const workspace* w)
{
    enum { ROUNDS = 40 };
    double largest = 0.0;
    for (int i = 0; i < p->n; i++) largest = fmax(largest, p->a[i * p->n + i]);
    double weight = proximal * (largest > 0.0 ? largest : 1.0), lightest = 1e-3 * weight;
    for (int i = 0; i < p->n; i++) w->before[i] = 0.0;
    search_drawn(p, w, weight);
    if (polish(p, w)) return;
    for (int round = 1; round < ROUNDS; round++) {
        weight = fmax(0.3 * weight, lightest);
        if (search_drawn(p, w, weight)) break;
    }
    polish(p, w);
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
    for (int i = 0; i < n; i++) {
        p->l[i] = fmin(fmax(0.0, p->low[i]), p->high[i]);
        p->at[i] = p->l[i] >= p->high[i] ? 1 : p->l[i] <= p->low[i] ? -1 : 0;
    }
    if (is_regular(p, NULL, w.a, w.free))
        search_active_set(p, p->a, &w);
    else
        search_singular(p, &w);
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

static bool is_well_inside(const ss_projection* p, int i)
{
    double room = 1e-3 * range_of(p, i);
    return p->at[i] == 0 && !(p->l[i] - p->low[i] < room) && !(p->high[i] - p->l[i] < room);
}

// Whether a minimiser exists with all that may move off their bounds by this share of their ranges (i < 0),
// or with variable i alone off its bound by it; it is left in other->l.
static bool can_leave(const ss_projection* p, const signed char movable[], int i, double share,
                      const ss_projection* other, double low[], double high[], double scratch[])
{
    double size, least = INFINITY;
    for (int j = 0; j < p->n; j++) {
        low[j] = movable[j] ? p->low[j] : p->l[j];
        high[j] = movable[j] ? p->high[j] : p->l[j];
        double step = share * range_of(p, j);
        if (!movable[j] || !(step > 0.0) || (i >= 0 && i != j)) continue;
        if (i < 0 || p->at[j] > 0) high[j] -= step;
        if (i < 0 || p->at[j] < 0) low[j] += step;
        least = fmin(least, step * p->a[j * p->n + j]);
    }
    ss_project(other, scratch);
    double change = acceleration_change(p, other->l, &size);
    return change <= SS_RELATIVE_ZERO * size && change <= 1e-6 * least;
}

// Which variables may differ from one minimiser to another: those that nothing pulls. Returns whether any of
// them is at a bound, or so near to one that it will soon be.
static bool find_movable(const ss_projection* p, signed char movable[])
{
    double size;
    bool any = false;
    acceleration_change(p, p->l, &size);
    for (int i = 0; i < p->n; i++) {
        movable[i] = p->low[i] < p->high[i] && fabs(p->residual[i]) <= SS_RELATIVE_ZERO * size;
        any = any || (movable[i] && !is_well_inside(p, i));
    }
    return any;
}

static int rank_of(const ss_projection* p, const signed char chosen[], double tolerance, double scratch[])
{
    int n = p->n, count = gather(p, chosen, scratch, scratch + n * n);
    return ss_pseudo_inverse(scratch, count, tolerance, scratch + n * n, NULL, scratch + 2 * n * n);
}

// Whether the variables well inside do all that those may which may move at all, and with forces of like
// size: nearly parallel ones would not do.
static bool rest_suffices(const ss_projection* p, const signed char movable[], signed char inside[],
                          double scratch[])
{
    for (int i = 0; i < p->n; i++) inside[i] = movable[i] && is_well_inside(p, i);
    return rank_of(p, inside, parallel, scratch) == rank_of(p, movable, singular, scratch);
}

// Moves all that may move off their bounds together, by as much as can be. False where they cannot.
static bool leave_together(const ss_projection* p, const signed char movable[], const ss_projection* other,
                           double low[], double high[], double scratch[])
{
    static const double shares[] = {0.3, 0.1, 3e-2, 1e-2, 1e-3, 1e-4};
    for (int k = 0; k < 6; k++) {
        if (!can_leave(p, movable, -1, shares[k], other, low, high, scratch)) continue;
        for (int i = 0; i < p->n; i++) {
            if (!movable[i]) continue;
            p->l[i] = other->l[i];
            p->at[i] = 0;
        }
        return true;
    }
    return false;
}

// Where all cannot leave their bounds together, one after the other is asked to: the mean of all minimisers
// so found is one again, and is off every bound that any of them is off. Minimisers differ by what A maps to
// zero, so where A is regular on all that may move there is only one.
bool ss_project_inward(const ss_projection* p, double scratch[])
{
    static const double shares[] = {1e-2, 1e-3, 1e-4};
    int n = p->n, found = 1;
    double *low = scratch + 5 * n * n + 5 * n, *high = low + n, *l = high + n, *residual = l + n,
           *sum = residual + n;
    signed char *at = (signed char*)(sum + n), *movable = at + n;
    if (n < 2 || !find_movable(p, movable) || is_regular(p, movable, scratch, low)) return false;
    if (rest_suffices(p, movable, at, scratch)) return true;
    ss_projection other = {n, p->a, p->b, low, high, l, residual, at};
    if (leave_together(p, movable, &other, low, high, scratch)) return false;
    for (int i = 0; i < n; i++) sum[i] = p->l[i];
    for (int i = 0; i < n; i++) {
        bool left = false, may = p->at[i] != 0 && movable[i] && range_of(p, i) > 0.0;
        for (int k = 0; k < 3 && may && !left; k++)
            left = can_leave(p, movable, i, shares[k], &other, low, high, scratch);
        for (int j = 0; j < n && left; j++) sum[j] += l[j];
        found += left;
    }
    for (int i = 0; i < n; i++) {
        double mean = sum[i] / found;
        // The variable is at its bound in all minimisers.
        if (p->at[i] != 0 && fabs(mean - p->l[i]) <= SS_ROOT_NOISE * range_of(p, i)) continue;
        p->l[i] = fmin(fmax(mean, p->low[i]), p->high[i]);
        p->at[i] = 0;
    }
    return false;
}
