// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The one projection, judged from outside: by the conditions of optimality, which for a convex problem are
// also sufficient, and by trying every set of active bounds.
//
// Problems are made as in mechanics: A = G G^T with G the rows W^T M^-1/2, and b = G c an acceleration of the
// same rows. So b lies in the range of A and the minimum is finite even over half-lines.
#include "core/algebra/projection.h"

#include "core/algebra/dense.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST = 6, SQUARE = LARGEST * LARGEST, SCRATCH = 400 };

typedef struct problem {
    int n, rank;
    double g[SQUARE], c[LARGEST]; // n x rank, rank
    double a[SQUARE], b[LARGEST], low[LARGEST], high[LARGEST];
    double l[LARGEST], residual[LARGEST]; // what ss_project says
    signed char at[LARGEST];
} problem;

// A number in [-1, 1), the same sequence in every run.
static double draw(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed * 0x1p-63;
}

static void finish(problem* p)
{
    for (int i = 0; i < p->n; i++) {
        p->b[i] = 0.0;
        for (int k = 0; k < p->rank; k++) p->b[i] += p->g[i * p->rank + k] * p->c[k];
        for (int j = 0; j < p->n; j++) {
            p->a[i * p->n + j] = 0.0;
            for (int k = 0; k < p->rank; k++)
                p->a[i * p->n + j] += p->g[i * p->rank + k] * p->g[j * p->rank + k];
        }
    }
}

typedef enum { INTERVALS, HALF_LINES, MIXED, WIDE } sets;

static void draw_bounds(problem* p, sets kind, uint64_t* seed)
{
    for (int i = 0; i < p->n; i++) {
        double level = fabs(draw(seed)), other = fabs(draw(seed));
        int pick = kind == MIXED ? (int)(5.0 * fabs(draw(seed))) : kind == HALF_LINES ? 1 : 0;
        p->low[i] = -level;
        p->high[i] = other;
        if (kind == WIDE) p->high[i] = -(p->low[i] = -1e6);
        if (pick == 1) p->low[i] = 0.0, p->high[i] = INFINITY;
        if (pick == 2) p->low[i] = -INFINITY, p->high[i] = 0.0;
        if (pick == 3) p->low[i] = -INFINITY, p->high[i] = INFINITY;
        if (pick == 4) p->low[i] = p->high[i] = level < 0.5 ? 0.0 : level; // no room at all
    }
}

static void draw_problem(problem* p, int n, int rank, sets kind, uint64_t* seed)
{
    p->n = n;
    p->rank = rank;
    for (int k = 0; k < n * rank; k++) p->g[k] = draw(seed);
    for (int k = 0; k < rank; k++) p->c[k] = 2.0 * draw(seed);
    finish(p);
    draw_bounds(p, kind, seed);
}

static void solve(problem* p)
{
    double scratch[SCRATCH];
    assert_true(ss_projection_scratch(p->n) <= SCRATCH);
    memset(p->at, 99, sizeof p->at);
    ss_project(&(ss_projection){p->n, p->a, p->b, p->low, p->high, p->l, p->residual, p->at}, scratch);
}

// Feasible; the residual is A l + b; and it pushes outward where a bound is met and nowhere else.
static void check_optimal(const problem* p, double tolerance)
{
    for (int i = 0; i < p->n; i++) {
        double residual = p->b[i], size = fabs(p->b[i]);
        for (int j = 0; j < p->n; j++) {
            residual += p->a[i * p->n + j] * p->l[j];
            size += fabs(p->a[i * p->n + j] * p->l[j]);
        }
        double small = tolerance * size;
        assert_true(p->l[i] >= p->low[i] && p->l[i] <= p->high[i]);
        assert_true(fabs(residual - p->residual[i]) <= 1e-14 * size);
        bool low = p->l[i] == p->low[i], high = p->l[i] == p->high[i];
        if (!low) assert_true(residual <= small);   // it could be smaller, so that must not pay
        if (!high) assert_true(residual >= -small); // likewise larger
        assert_true(p->at[i] == 0 ? !low && !high : p->at[i] > 0 ? high : low);
    }
}

// ---- every set of active bounds

// Least-norm solution of rows G_f^T l_f = rho of the free variables, the others standing in l. False where
// there is none.
static bool solve_free(const problem* p, const int state[], const double target[], double l[])
{
    int r = p->rank;
    double rho[LARGEST], square[SQUARE] = {0.0}, inverse[SQUARE], work[2 * SQUARE + LARGEST], y[LARGEST];
    for (int k = 0; k < r; k++) {
        rho[k] = target[k];
        for (int i = 0; i < p->n; i++)
            if (state[i] != 0) rho[k] -= p->g[i * r + k] * l[i];
        for (int m = 0; m < r; m++) {
            square[k * r + m] = 0.0;
            for (int i = 0; i < p->n; i++)
                if (state[i] == 0) square[k * r + m] += p->g[i * r + k] * p->g[i * r + m];
        }
    }
    ss_pseudo_inverse(square, r, 1e-11, inverse, NULL, work);
    for (int k = 0; k < r; k++) {
        y[k] = 0.0;
        for (int m = 0; m < r; m++) y[k] += inverse[k * r + m] * rho[m];
    }
    for (int k = 0; k < r; k++) {
        double sum = -rho[k];
        for (int m = 0; m < r; m++) sum += square[k * r + m] * y[m];
        if (fabs(sum) > 1e-9) return false;
    }
    for (int i = 0; i < p->n; i++) {
        if (state[i] != 0) continue;
        l[i] = 0.0;
        for (int k = 0; k < r; k++) l[i] += p->g[i * r + k] * y[k];
    }
    return true;
}

static bool next_set(const problem* p, int state[])
{
    for (int i = 0; i < p->n; i++) {
        state[i]++;
        if (state[i] <= 2) return true;
        state[i] = 0;
    }
    return false;
}

static bool place_bounds(const problem* p, const int state[], double l[])
{
    for (int i = 0; i < p->n; i++) {
        l[i] = state[i] == 1 ? p->low[i] : p->high[i];
        if (state[i] != 0 && isinf(l[i])) return false;
    }
    return true;
}

// Norm of the smallest admissible l with the same G^T l, and so the same accelerations, as the answer.
static double least_norm(const problem* p)
{
    int state[LARGEST] = {0};
    double best = INFINITY, target[LARGEST], l[LARGEST];
    for (int k = 0; k < p->rank; k++) {
        target[k] = 0.0;
        for (int i = 0; i < p->n; i++) target[k] += p->g[i * p->rank + k] * p->l[i];
    }
    do {
        double sum = 0.0;
        bool inside = place_bounds(p, state, l) && solve_free(p, state, target, l);
        for (int i = 0; i < p->n && inside; i++) {
            inside = l[i] >= p->low[i] - 1e-9 && l[i] <= p->high[i] + 1e-9;
            sum += l[i] * l[i];
        }
        if (inside) best = fmin(best, sqrt(sum));
    } while (next_set(p, state));
    return best;
}

// Regular A: the smallest objective over all sets of active bounds whose solution is admissible.
static double least_objective(const problem* p)
{
    int state[LARGEST] = {0};
    double best = INFINITY, l[LARGEST], part[SQUARE], rhs[LARGEST];
    do {
        if (!place_bounds(p, state, l)) continue;
        int count = 0, used = 0;
        for (int i = 0; i < p->n; i++) {
            if (state[i] != 0) continue;
            rhs[count] = -p->b[i];
            for (int j = 0; j < p->n; j++) {
                if (state[j] != 0) rhs[count] -= p->a[i * p->n + j] * l[j];
                if (state[j] == 0) part[used++] = p->a[i * p->n + j];
            }
            count++;
        }
        if (!ss_cholesky(part, count)) continue;
        ss_cholesky_solve(part, count, rhs);
        bool inside = true;
        double value = 0.0;
        for (int i = 0, k = 0; i < p->n; i++) {
            if (state[i] == 0) l[i] = rhs[k++];
            inside = inside && l[i] >= p->low[i] && l[i] <= p->high[i];
        }
        for (int i = 0; i < p->n; i++) {
            value += p->b[i] * l[i];
            for (int j = 0; j < p->n; j++) value += 0.5 * l[i] * p->a[i * p->n + j] * l[j];
        }
        if (inside) best = fmin(best, value);
    } while (next_set(p, state));
    return best;
}

// Value of the objective at the answer, and the size of its terms.
static double objective(const problem* p, double* size)
{
    double value = 0.0;
    *size = 0.0;
    for (int i = 0; i < p->n; i++) {
        value += 0.5 * (p->residual[i] + p->b[i]) * p->l[i];
        *size += fabs(p->b[i] * p->l[i]);
        for (int j = 0; j < p->n; j++) *size += fabs(p->l[i] * p->a[i * p->n + j] * p->l[j]);
    }
    return value;
}

// ---- tests

static void test_regular(void** state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 600; round++) {
        problem p;
        int n = 1 + round % LARGEST;
        draw_problem(&p, n, n, (sets)(round / LARGEST % 4), &seed);
        solve(&p);
        check_optimal(&p, 1e-12);
        double size, value = objective(&p, &size);
        assert_true(fabs(value - least_objective(&p)) <= 1e-12 * size);
    }
}

static void test_singular(void** state)
{
    (void)state;
    uint64_t seed = 12;
    for (int round = 0; round < 2000; round++) {
        problem p;
        int n = 2 + round % (LARGEST - 1), rank = round / 5 % n;
        draw_problem(&p, n, rank, (sets)(round % 4), &seed);
        solve(&p);
        check_optimal(&p, 1e-12);
    }
}

// Of all admissible forces with the same accelerations the answer is the one of least norm.
static void test_least_norm(void** state)
{
    (void)state;
    uint64_t seed = 13;
    for (int round = 0; round < 640; round++) {
        problem p;
        int n = 2 + round % 4, rank = round / 4 % n;
        draw_problem(&p, n, rank, (sets)(round / 16 % 4), &seed);
        solve(&p);
        double norm = 0.0, best = least_norm(&p);
        for (int i = 0; i < n; i++) norm += p.l[i] * p.l[i];
        assert_true(fabs(sqrt(norm) - best) <= 1e-8 * fmax(1.0, best));
    }
}

// Contacts that appear twice: the rows are equal to the last bit, and so must be their forces.
static void test_twins(void** state)
{
    (void)state;
    uint64_t seed = 14;
    for (int round = 0; round < 200; round++) {
        problem p;
        draw_problem(&p, 6, 3, INTERVALS, &seed);
        for (int i = 0; i < 3; i++) {
            memcpy(&p.g[(i + 3) * 3], &p.g[i * 3], 3 * sizeof(double));
            p.low[i + 3] = p.low[i];
            p.high[i + 3] = p.high[i];
        }
        finish(&p);
        solve(&p);
        check_optimal(&p, 1e-12);
        for (int i = 0; i < 3; i++) assert_true(fabs(p.l[i] - p.l[i + 3]) <= 1e-6);
    }
}

// Two feet of one block, pulled with 3: each carries 1.5 if both can; if one can only bear 1, the other takes
// 2; if both can only bear 1, the block goes with what is left.
static void test_two_feet(void** state)
{
    (void)state;
    problem p = {.n = 2, .rank = 1, .g = {1, 1}, .c = {3}, .low = {-2, -2}, .high = {2, 2}};
    finish(&p);
    solve(&p);
    assert_true(fabs(p.l[0] + 1.5) < 1e-12 && fabs(p.l[1] + 1.5) < 1e-12);
    p.low[0] = -1.0;
    solve(&p);
    assert_true(p.l[0] == -1.0 && fabs(p.l[1] + 2.0) < 1e-12);
    p.low[1] = -1.0;
    solve(&p);
    assert_true(p.l[0] == -1.0 && p.l[1] == -1.0 && p.at[0] == -1 && p.at[1] == -1);
    assert_true(fabs(p.residual[0] - 1.0) < 1e-15 && fabs(p.residual[1] - 1.0) < 1e-15);
}

static void test_none_and_one(void** state)
{
    (void)state;
    double scratch[10];
    ss_project(&(ss_projection){0}, scratch);
    problem p = {.n = 1, .rank = 1, .g = {2}, .c = {3}, .low = {-1}, .high = {1}}; // -b/a = -1.5
    finish(&p);
    solve(&p);
    assert_true(p.l[0] == -1.0 && p.at[0] == -1 && p.residual[0] == 2.0);
    p.low[0] = -2.0;
    solve(&p);
    assert_true(p.l[0] == -1.5 && p.at[0] == 0 && p.residual[0] == 0.0);
    p.low[0] = p.high[0] = 0.25;
    solve(&p);
    assert_true(p.l[0] == 0.25 && p.at[0] != 0 && p.residual[0] == 7.0);
    p.low[0] = 0.0;
    p.high[0] = INFINITY;
    solve(&p);
    assert_true(p.l[0] == 0.0 && p.at[0] == -1 && p.residual[0] == 6.0);
    p.g[0] = 0.0; // a contact that moves nothing needs no force
    finish(&p);
    solve(&p);
    assert_true(p.l[0] == 0.0 && p.residual[0] == 0.0);
}

// ---- bounds that need not be met

// G^T l, which all minimisers share.
static void find_target(const problem* p, double target[])
{
    for (int k = 0; k < p->rank; k++) {
        target[k] = 0.0;
        for (int i = 0; i < p->n; i++) target[k] += p->g[i * p->rank + k] * p->l[i];
    }
}

// How far variable i can be from the bound it is at, over all corners of the set of minimisers.
static double farthest_off(const problem* p, const double target[], int i)
{
    int state[LARGEST] = {0};
    double most = 0.0, l[LARGEST];
    do {
        bool inside = place_bounds(p, state, l) && solve_free(p, state, target, l);
        for (int j = 0; j < p->n && inside; j++)
            inside = l[j] >= p->low[j] - 1e-9 && l[j] <= p->high[j] + 1e-9;
        if (inside) most = fmax(most, fabs(l[i] - p->l[i]));
    } while (next_set(p, state));
    return most;
}

static bool nothing_pulls(const problem* p, int i) { return fabs(p->residual[i]) < 1e-11; }

// With those at their bounds left there, the others bear any small change of what is to be borne by those
// that nothing pulls.
static void check_the_rest_suffices(const problem* p, uint64_t* seed)
{
    int state[LARGEST];
    double target[LARGEST], change[LARGEST] = {0}, l[LARGEST];
    find_target(p, target);
    for (int i = 0; i < p->n; i++) {
        bool movable = nothing_pulls(p, i) && p->low[i] < p->high[i];
        double by = movable ? 1e-6 * draw(seed) : 0.0;
        for (int k = 0; k < p->rank; k++) change[k] += by * p->g[i * p->rank + k];
        state[i] = movable && p->at[i] == 0 ? 0 : 1;
        l[i] = p->l[i];
    }
    for (int k = 0; k < p->rank; k++) target[k] += change[k];
    assert_true(solve_free(p, state, target, l));
}

// Makes the minimum one of no residual that forces with about half of the bounds met attain.
static void draw_balance(problem* p, uint64_t* seed)
{
    double l[LARGEST];
    for (int i = 0; i < p->n; i++) {
        double share = fmin(fmax(1.0 + draw(seed), 0.5), 1.5) - 0.5;
        l[i] = p->low[i] + share * (p->high[i] - p->low[i]);
    }
    for (int k = 0; k < p->rank; k++) {
        p->c[k] = 0.0;
        for (int i = 0; i < p->n; i++) p->c[k] -= p->g[i * p->rank + k] * l[i];
    }
}

// What is at a bound after ss_project_inward is there in every minimiser, or the others do without it; and it
// has changed no acceleration.
static void test_inward(void** state)
{
    (void)state;
    uint64_t seed = 15;
    int sufficed = 0, moved = 0, stayed = 0;
    for (int round = 0; round < 4000; round++) {
        problem p;
        double scratch[SCRATCH], before[LARGEST], after[LARGEST];
        int n = 2 + round % 4, rank = 1 + round / 4 % (n - 1);
        draw_problem(&p, n, rank, INTERVALS, &seed);
        if (round % 2) draw_balance(&p, &seed);
        finish(&p);
        solve(&p);
        find_target(&p, before);
        problem first = p;
        bool rest =
            ss_project_inward(&(ss_projection){n, p.a, p.b, p.low, p.high, p.l, p.residual, p.at}, scratch);
        find_target(&p, after);
        for (int k = 0; k < rank; k++) assert_true(fabs(after[k] - before[k]) < 1e-9);
        for (int i = 0; i < n; i++) {
            assert_true(p.l[i] >= p.low[i] && p.l[i] <= p.high[i]);
            if (p.at[i] == 0 && first.at[i] != 0) moved++;
            if (p.at[i] == 0 || rest || !nothing_pulls(&p, i)) continue;
            assert_true(farthest_off(&p, after, i) < 1e-3 * (p.high[i] - p.low[i]));
            stayed++;
        }
        if (rest) check_the_rest_suffices(&p, &seed);
        sufficed += rest;
    }
    assert_true(sufficed > 100 && moved > 10 && stayed > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regular), cmocka_unit_test(test_singular), cmocka_unit_test(test_least_norm),
        cmocka_unit_test(test_twins),   cmocka_unit_test(test_two_feet), cmocka_unit_test(test_none_and_one),
        cmocka_unit_test(test_inward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
