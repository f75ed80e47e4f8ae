// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// rho_energy: the largest level of V below which V' <= 0, that is, the least 1/2 v^T M v over all v != 0 with
// v^T C v + p^T |W^T v| <= 0. In coordinates x that make M the identity and the symmetric part of C the
// diagonal theta, x = (y, z) with theta < 0 on y and theta >= 0 on z:
//
//     minimise |x|^2   where   f(x) + sum theta_i z_i^2 <= sum |theta_i| y_i^2,    f(x) = sum_k |b_k . x|.
//
// All that is not convex is the right-hand side, in y alone. On a box of y it is at most its secant
// sum |theta_i| ((l_i + u_i) y_i - l_i u_i), which makes the problem convex, and any multipliers of that
// convex problem give a proved lower bound. Boxes are cut in two until the lowest bound meets the best point
// known (branch and bound). Points come from rays: along x = s u the condition first holds at
// s = f(u) / -theta(u). The best one is then solved for to rounding in its own cell of signs.
#include "lab/certify/certify_level.h"
#include "core/algebra/dense.h"
#include "core/algebra/projection.h"
#include "core/error.h"
#include "core/grow.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/certify/certify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_POLISHED = 200 }; // coordinates; beyond, factorizing a cell takes too long
static const double gap = 1e-8;  // the answer is proved to this share of it

double ss_level_friction(const ss_level* p, const double x[])
{
    double sum = 0.0;
    for (int k = 0; k < p->m; k++) sum += fabs(ss_algebra_dot(&p->b[k * p->n], x, p->n));
    return sum;
}

double ss_level_on_ray(const ss_level* p, const double x[])
{
    double damping = 0.0, square = 0.0;
    for (int i = 0; i < p->n; i++) {
        damping += p->theta[i] * x[i] * x[i];
        square += x[i] * x[i];
    }
    if (!(damping < 0.0)) return INFINITY;
    double s = ss_level_friction(p, x) / -damping;
    return 0.5 * s * s * square;
}

// ---- the problem

static double* new_numbers(ss_level* p, int rows, int columns)
{
    return ss_pool_new(&p->pool, (size_t)rows * (size_t)columns, sizeof(double));
}

static bool set_up(ss_level* p, const ss_cert* c)
{
    const ss_cert_system* s = &c->s;
    int n = p->n = s->n, m = p->m = c->slide.count;
    p->theta = new_numbers(p, 1, n);
    double *vectors = new_numbers(p, n, n), *column = new_numbers(p, 1, n);
    p->b = new_numbers(p, m, n);
    p->best_x = new_numbers(p, 1, n);
    if (p->pool.failed) return false;
    memcpy(vectors, s->Cs, (size_t)n * (size_t)n * sizeof *vectors);
    ss_congruence(s->M_factor, n, vectors);
    if (!ss_algebra_eigen(vectors, n, p->theta)) return false;
    double rounding = 8.0 * n * DBL_EPSILON * fmax(fabs(p->theta[0]), fabs(p->theta[n - 1]));
    for (int i = 0; i < n; i++) {
        if (fabs(p->theta[i]) <= rounding) p->theta[i] = 0.0;
        p->negative += p->theta[i] < 0.0;
    }
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++) column[i] = c->slide.w[i * m + k] * c->slide.level[k];
        ss_algebra_forward(s->M_factor, n, column);
        for (int i = 0; i < n; i++) p->b[k * n + i] = ss_algebra_dot(&vectors[i * n], column, n);
    }
    return true;
}

// A first lower bound, and with it how large y must at least be. Split x = a + r, a in the null space of all
// b_k: f(x) >= g |r| with g the least singular value of b that is not 0, and
// theta(x) >= c |a|^2 - 2 t |a| |r| - w |r|^2 >= -(t^2/c + w) |r|^2, where c is the least of theta on that
// space, t = max |theta|, w = max -theta. So |r| >= g / (t^2/c + w), and sum |theta_i| y_i^2 >= f >= g |r|.
// Where c < 0 there is no level at all.
static bool bound_below(ss_level* p)
{
    int n = p->n, m = p->m, least = n < m ? n : m, rank = 0;
    double *values = new_numbers(p, 1, least + 1), *right = new_numbers(p, n, n);
    if (p->pool.failed || !ss_algebra_svd(p->b, m, n, values, NULL, right)) return false;
    while (rank < least && values[rank] > ss_zonotope_rank_tolerance * values[0]) rank++;
    int d = n - rank;
    double *inside = new_numbers(p, d, d), *null_values = new_numbers(p, 1, d + 1);
    if (p->pool.failed) return false;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            for (int k = 0; k < n; k++)
                inside[i * d + j] += right[(rank + i) * n + k] * p->theta[k] * right[(rank + j) * n + k];
    if (!ss_algebra_eigen(inside, d, null_values)) return false;
    double w = -p->theta[0], t = fmax(w, p->theta[n - 1]), total = 0.0;
    double c = d > 0 ? null_values[0] : INFINITY;
    p->slack = c < -SS_RELATIVE_ZERO * t ? -1 : c <= SS_RELATIVE_ZERO * t ? 0 : 1;
    if (p->slack <= 0 || rank == 0) return true;
    for (int i = 0; i < p->negative; i++) total -= p->theta[i];
    double g = values[rank - 1], steepest = t * t / c + w;
    p->lower = 0.5 * (g / steepest) * (g / steepest);
    p->least_y = g / sqrt(steepest * total);
    return true;
}

static void take_point(ss_level* p, const double x[])
{
    double level = ss_level_on_ray(p, x);
    if (!(level < p->best)) return;
    p->best = level;
    memcpy(p->best_x, x, (size_t)p->n * sizeof *x);
}

// ---- branch and bound

typedef struct box {
    double bound;      // proved lower bound of 1/2 |x|^2 on it
    double multiplier; // at which it was found: a good start for its halves
    double ends[];     // l and u of each y, then the y of the relaxed solution
} box;

typedef struct boxes {
    box** items;
    int count;
    size_t room;
} boxes;

static bool push(boxes* all, box* item)
{
    if (!ss_grow(&all->items, (size_t)all->count, &all->room, sizeof(box*))) return false;
    all->items[all->count++] = item;
    return true;
}

static box* pop_lowest(boxes* all)
{
    int lowest = 0;
    for (int k = 1; k < all->count; k++)
        if (all->items[k]->bound < all->items[lowest]->bound) lowest = k;
    box* item = all->items[lowest];
    all->items[lowest] = all->items[--all->count];
    return item;
}

static box* new_box(const ss_level* p, const box* from)
{
    size_t size = sizeof(box) + 3 * (size_t)p->negative * sizeof(double);
    box* item = calloc(1, size);
    if (item && from) memcpy(item, from, size);
    return item;
}

// Judges a box; it is kept where it may hold something better than the best point.
static bool consider(ss_level* p, boxes* all, box* item)
{
    double bound = ss_level_bound(p, item->ends, &item->multiplier);
    item->bound = fmax(item->bound, bound);
    memcpy(&item->ends[2 * p->negative], p->x, (size_t)p->negative * sizeof(double));
    take_point(p, p->x);
    if (item->bound < (1.0 - gap) * p->best && push(all, item)) return true;
    bool lost = item->bound < (1.0 - gap) * p->best; // no memory to keep it
    free(item);
    return !lost;
}

// Where the secant is furthest from the parabola at the relaxed solution; the cut goes through that point
// unless it is close to an end.
static bool split(ss_level* p, boxes* all, const box* item)
{
    int axis = 0;
    double most = -1.0;
    const double* y = &item->ends[2 * p->negative];
    for (int i = 0; i < p->negative; i++) {
        double l = item->ends[2 * i], u = item->ends[2 * i + 1];
        double error = -p->theta[i] * ((y[i] - l) * (u - y[i]) + SS_RELATIVE_ZERO * (u - l) * (u - l));
        if (error <= most) continue;
        most = error;
        axis = i;
    }
    double l = item->ends[2 * axis], u = item->ends[2 * axis + 1];
    double cut = fmin(fmax(y[axis], l + 0.2 * (u - l)), u - 0.2 * (u - l));
    for (int half = 0; half < 2; half++) {
        box* part = new_box(p, item);
        if (!part) return false;
        part->ends[2 * axis + 1 - half] = cut;
        if (!consider(p, all, part)) return false;
    }
    return true;
}

// The y that count: some |y_i| is at least least_y, none is larger than the best |x|, and x and -x are alike.
static bool cover(ss_level* p, boxes* all)
{
    double reach = sqrt(2.0 * p->best);
    for (int i = 0; i < p->negative; i++) {
        box* item = new_box(p, NULL);
        if (!item) return false;
        for (int j = 0; j < p->negative; j++) {
            item->ends[2 * j] = j == i ? fmin(p->least_y, reach) : -reach;
            item->ends[2 * j + 1] = reach;
        }
        item->bound = p->lower;
        item->multiplier = -2.0 / p->theta[0];
        if (!consider(p, all, item)) return false;
    }
    return true;
}

static bool is_closed(const ss_level* p, double lowest) { return lowest >= (1.0 - gap) * p->best; }

// Splits the box with the lowest bound until that meets the best point or patience ends.
static bool search(ss_level* p)
{
    boxes all = {0};
    long side = p->m + 2, visits = 1500000L / (side * side * side), polishes = 20;
    // Where the bound of a box takes so long, what is known stays.
    if (visits < 20 || p->n > LARGEST_POLISHED) return true;
    bool good = cover(p, &all);
    double lowest = INFINITY, polished = p->best;
    while (good && all.count > 0) {
        if (p->best < polished && polishes-- > 0) {
            good = ss_level_polish(p);
            polished = p->best;
        }
        box* item = pop_lowest(&all);
        lowest = item->bound;
        bool over = is_closed(p, lowest) || visits-- <= 0;
        if (!over) good = good && split(p, &all, item);
        free(item);
        if (over) break;
        lowest = INFINITY;
    }
    for (int k = 0; k < all.count; k++) free(all.items[k]);
    free(all.items);
    good = good && ss_level_polish(p);
    p->exact = is_closed(p, lowest);
    p->lower = fmax(p->lower, fmin(lowest, p->best));
    return good;
}

static bool find_start(ss_level* p)
{
    double* x = new_numbers(p, 1, p->n);
    if (!x) return false;
    for (int i = 0; i < p->negative; i++) {
        memset(x, 0, (size_t)p->n * sizeof *x);
        x[i] = 1.0;
        take_point(p, x);
    }
    return p->n > LARGEST_POLISHED || ss_level_polish(p);
}

static bool solve(ss_level* p, const ss_certificate* a)
{
    if (!bound_below(p)) return false;
    p->best = INFINITY;
    if (p->slack < 0) {
        p->best = 0.0;
        p->exact = true;
    }
    if (p->slack <= 0 || p->m == 0) return true;
    if (a->condition_31 == SS_YES) p->lower = fmax(p->lower, a->rho_star);
    if (!find_start(p) || !ss_level_prepare(p)) return false;
    p->exact = is_closed(p, p->lower);
    if (!p->exact && !search(p)) return false;
    if (p->exact) p->best = fmax(p->best, a->condition_31 == SS_YES ? a->rho_star : 0.0);
    return true;
}

bool ss_cert_level(ss_cert* c)
{
    ss_certificate* a = &c->answer;
    if (c->s.outside) return true;
    ss_level p = {0};
    bool good = set_up(&p, c);
    if (good && p.negative == 0) {
        a->rho_energy = INFINITY;
    } else if (good) {
        good = solve(&p, a);
        a->rho_energy = p.exact ? p.best : p.lower;
        a->rho_energy_is_bound = !p.exact;
    }
    if (c->s.stribeck && a->rho_energy < INFINITY) a->rho_energy_is_bound = true; // it rubs more than p
    ss_pool_free(&p.pool);
    return good;
}
