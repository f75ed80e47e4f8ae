// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "fmu/solver.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 7, MOST_STEPS = 2000000 };

static const double tolerance = 1e-11;

typedef struct solver {
    cli_importer* importer;
    size_t n, m;
    double t, h;
    double *y, *next, *k[STAGES], *g0, *g1;
} solver;

// Rates at a point.
static bool rates(solver* s, double t, const double y[], double out[])
{
    return cli_import_put(s->importer, t, y, s->n) && cli_import_rates(s->importer, out, s->n);
}

// One step of length h from the present point into next; *error receives its error relative to the tolerance.
static bool step(solver* s, double h, double* error)
{
    static const double c[STAGES] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    static const double a[STAGES][STAGES - 1] = {
        {0},
        {0.2},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static const double e[STAGES] = {71.0 / 57600, 0,        -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200,
                                     22.0 / 525.0, -1.0 / 40};
    *error = 0.0;
    for (int i = 0; i < STAGES; i++) {
        for (size_t j = 0; j < s->n; j++) {
            double sum = 0.0;
            for (int l = 0; l < i; l++) sum += a[i][l] * s->k[l][j];
            s->next[j] = s->y[j] + h * sum;
        }
        if (!rates(s, s->t + c[i] * h, s->next, s->k[i])) return false;
    }
    for (size_t j = 0; j < s->n; j++) {
        double sum = 0.0;
        for (int i = 0; i < STAGES; i++) sum += e[i] * s->k[i][j];
        *error = fmax(*error, fabs(h * sum) / (tolerance * (1e-3 + fmax(fabs(s->y[j]), fabs(s->next[j])))));
    }
    return true;
}

static bool indicators_at(solver* s, double t, const double y[], double g[])
{
    return s->m == 0 ||
           (cli_import_put(s->importer, t, y, s->n) && cli_import_indicators(s->importer, g, s->m));
}

static bool crosses(const solver* s)
{
    for (size_t k = 0; k < s->m; k++)
        if (s->g0[k] > 0.0 && s->g1[k] <= 0.0) return true;
    return false;
}

// The shortest step of at most h at whose end an indicator has changed its sign, to rounding; next is there.
static bool bisect(solver* s, double* h)
{
    double low = 0.0, high = *h, error;
    while (high - low > 4.0 * DBL_EPSILON * (fabs(s->t) + high)) {
        double middle = 0.5 * (low + high);
        if (!step(s, middle, &error) || !indicators_at(s, s->t + middle, s->next, s->g1)) return false;
        *(crosses(s) ? &high : &low) = middle;
        if (middle == 0.0) break;
    }
    *h = high;
    return step(s, high, &error);
}

// From the present point to the next event or to `goal`. *met: an indicator has vanished.
static bool go(solver* s, double goal, bool* met, long* left)
{
    double error;
    *met = false;
    if (!indicators_at(s, s->t, s->y, s->g0)) return false;
    while (s->t < goal && !*met && (*left)-- > 0) {
        double h = fmin(s->h, goal - s->t);
        if (!step(s, h, &error)) { // a point that the FMU cannot answer: a shorter step may do
            s->h = 0.1 * h;
            if (s->h > 4.0 * DBL_EPSILON * fmax(s->t, 1e-12 * goal)) continue;
            return false;
        }
        s->h = h * fmin(4.0, fmax(0.2, 0.9 * pow(fmax(error, 1e-10), -0.2)));
        if (error > 1.0) continue;
        if (!indicators_at(s, s->t + h, s->next, s->g1)) return false;
        *met = crosses(s);
        if (*met && !bisect(s, &h)) return false;
        s->t = !*met && h == goal - s->t ? goal : s->t + h;
        memcpy(s->y, s->next, s->n * sizeof(double));
        memcpy(s->g0, s->g1, s->m * sizeof(double));
    }
    return cli_import_put(s->importer, s->t, s->y, s->n);
}

static const char* run(solver* s, double until)
{
    double next = INFINITY;
    long left = MOST_STEPS;
    bool met = false, first = true;
    s->h = 1e-4 * until;
    while (s->t < until || first) {
        if ((first || met || s->t >= next) && !cli_import_event(s->importer, first, &next))
            return s->importer->fault;
        first = false;
        if (!cli_import_states(s->importer, s->y, s->n)) return s->importer->fault;
        if (s->t >= until) break;
        if (!go(s, fmin(until, next), &met, &left)) return s->importer->fault;
        if (left <= 0) return "its steps become too short: it is stiff, and this solver is explicit";
    }
    return met && !cli_import_event(s->importer, false, &next) ? s->importer->fault : NULL;
}

const char* cli_solve(cli_importer* importer, int states, int indicators, double until)
{
    solver s = {.importer = importer, .n = (size_t)states, .m = (size_t)indicators};
    double* room = calloc((STAGES + 2) * s.n + 2 * s.m + 1, sizeof(double));
    if (!room) return "out of memory";
    s.y = room;
    s.next = s.y + s.n;
    for (int i = 0; i < STAGES; i++) s.k[i] = s.next + (size_t)(i + 1) * s.n;
    s.g0 = s.next + (STAGES + 1) * s.n;
    s.g1 = s.g0 + s.m;
    const char* fault = run(&s, until);
    free(room);
    return fault;
}
