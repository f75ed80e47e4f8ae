// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The peer, as an expert writes it: one root function per block that falls to zero at its next event (speed
// while it slips, friction left while it sticks), only falling zeros asked for, velocities of sticking blocks
// held at 0, everything allocated once and started anew with CVodeReInit after each event.
#include "block_chain.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <math.h>
#include <stdlib.h>

struct blocks_cvode {
    blocks b;
    double frequency2, growth, limit; ///< of two blocks against each other; see prove_escape
    int *mode, *found, *down;
    void* cvode;
    N_Vector state;
    SUNNonlinearSolver solver;
    SUNContext context;
};

static double load(const blocks* b, const double* x, const double* v, int i)
{
    double xs = (i > 0 ? x[i - 1] : 0.0) + (i + 1 < b->count ? x[i + 1] : 0.0);
    double vs = (i > 0 ? v[i - 1] : 0.0) + (i + 1 < b->count ? v[i + 1] : 0.0);
    return -b->k_on * x[i] - b->k_beside * xs - b->c_on * v[i] - b->c_beside * vs;
}

static int rate(double t, N_Vector y, N_Vector out, void* user)
{
    const blocks_cvode* p = user;
    const double *x = N_VGetArrayPointer(y), *v = x + p->b.count;
    double *dx = N_VGetArrayPointer(out), *dv = dx + p->b.count;
    (void)t;
    for (int i = 0; i < p->b.count; i++) {
        dx[i] = v[i];
        dv[i] = p->mode[i] == 0 ? 0.0 : load(&p->b, x, v, i) - p->mode[i] * p->b.friction;
    }
    return 0;
}

static int roots(double t, N_Vector y, double* g, void* user)
{
    const blocks_cvode* p = user;
    const double *x = N_VGetArrayPointer(y), *v = x + p->b.count;
    (void)t;
    for (int i = 0; i < p->b.count; i++)
        g[i] = p->mode[i] == 0 ? p->b.friction - fabs(load(&p->b, x, v, i)) : p->mode[i] * v[i];
    return 0;
}

static int slip_or_stick(const blocks* b, double force, bool may_stick)
{
    return may_stick && fabs(force) <= b->friction ? 0 : force > 0.0 ? 1 : -1;
}

static bool is_still(const blocks_cvode* p)
{
    for (int i = 0; i < p->b.count; i++)
        if (p->mode[i] != 0) return false;
    return true;
}

static bool settle_events(blocks_cvode* p, blocks_rest* rest)
{
    double *x = N_VGetArrayPointer(p->state), *v = x + p->b.count;
    if (CVodeGetRootInfo(p->cvode, p->found) != CV_SUCCESS) return false;
    for (int i = 0; i < p->b.count; i++) {
        if (p->found[i] == 0) continue;
        bool arrives = p->mode[i] != 0;
        v[i] = 0.0;
        p->mode[i] = slip_or_stick(&p->b, load(&p->b, x, v, i), arrives);
        rest->events++;
    }
    return CVodeReInit(p->cvode, rest->t, p->state) == CV_SUCCESS;
}

// Two blocks swing against each other by u'' = 2 growth u' - frequency2 u + f, |f| <= 2 friction. With
// r = growth + i omega, r conj(r) = frequency2, z = u' - conj(r) u obeys z' = r z + f, so friction moves
// z e^(-r t) by at most 2 friction I, I = max over phi of the integral of e^(-growth s) |cos(omega s - phi)|.
// Beyond that z grows for ever: the very proof that Slipstick uses (docs/theory/divergence.md).
static void prove_escape(blocks_cvode* p)
{
    enum { PHASES = 1000, PARTS = 4000 };
    p->frequency2 = p->b.k_on - p->b.k_beside;
    p->growth = -0.5 * (p->b.c_on - p->b.c_beside);
    double omega = sqrt(p->frequency2 - p->growth * p->growth), end = 40.0 / p->growth, most = 0.0;
    for (int j = 0; j < PHASES; j++) {
        double sum = 0.0, phi = 3.14159265358979323846 * j / PHASES;
        for (int k = 0; k < PARTS; k++) {
            double s = (k + 0.5) / PARTS * end;
            sum += end / PARTS * exp(-p->growth * s) * fabs(cos(omega * s - phi));
        }
        most = fmax(most, sum);
    }
    p->limit = 2.0 * p->b.friction * most * (1.0 + 1e-4); // more than the error of this sum
}

static bool escapes(const blocks_cvode* p, const double x[], const double v[])
{
    double u = x[0] - x[1], w = v[0] - v[1], re = w - p->growth * u;
    double omega2 = p->frequency2 - p->growth * p->growth;
    return re * re + omega2 * u * u > p->limit * p->limit;
}

// To rest, or to the end, or, if asked for, until divergence is proved.
static bool run(blocks_cvode* p, bool may_escape, blocks_rest* rest)
{
    int n = p->b.count;
    double *x = N_VGetArrayPointer(p->state), *v = x + n;
    *rest = (blocks_rest){0};
    for (int i = 0; i < n; i++)
        p->mode[i] = v[i] != 0.0 ? (v[i] > 0.0 ? 1 : -1) : slip_or_stick(&p->b, load(&p->b, x, v, i), true);
    if (CVodeReInit(p->cvode, 0.0, p->state) != CV_SUCCESS) return false;
    while (!is_still(p) && rest->t < p->b.until) {
        if (may_escape && escapes(p, x, v)) {
            rest->escapes = true;
            return true;
        }
        int flag = CVode(p->cvode, p->b.until, p->state, &rest->t, CV_NORMAL);
        if (flag < 0 || (flag == CV_ROOT_RETURN && !settle_events(p, rest))) return false;
    }
    rest->rests = is_still(p);
    return true;
}

bool blocks_cvode_run(blocks_cvode* p, double start[], blocks_rest* rest)
{
    int n = p->b.count;
    double *x = N_VGetArrayPointer(p->state), *v = x + n;
    for (int i = 0; i < n; i++) {
        x[i] = start[i];
        v[i] = 0.0;
    }
    bool done = run(p, false, rest);
    for (int i = 0; i < n; i++) start[i] = x[i];
    return done;
}

bool blocks_cvode_run_until_clear(blocks_cvode* p, double start_x[], double start_v[], blocks_rest* rest)
{
    double *x = N_VGetArrayPointer(p->state), *v = x + p->b.count;
    if (p->limit == 0.0) prove_escape(p);
    for (int i = 0; i < p->b.count; i++) {
        x[i] = start_x[i];
        v[i] = start_v[i];
    }
    bool done = run(p, true, rest);
    for (int i = 0; i < p->b.count; i++) {
        start_x[i] = x[i];
        start_v[i] = v[i];
    }
    return done;
}

static bool prepare(blocks_cvode* p, double relative, double absolute)
{
    int n = p->b.count;
    if (SUNContext_Create(NULL, &p->context) != 0) return false;
    p->state = N_VNew_Serial(2 * n, p->context);
    p->cvode = CVodeCreate(CV_ADAMS, p->context);
    p->solver = p->state ? SUNNonlinSol_FixedPoint(p->state, 0, p->context) : NULL;
    if (!p->state || !p->cvode || !p->solver) return false;
    N_VConst(0.0, p->state);
    for (int i = 0; i < n; i++) p->down[i] = -1;
    return CVodeInit(p->cvode, rate, 0.0, p->state) == CV_SUCCESS &&
           CVodeSStolerances(p->cvode, relative, absolute) == CV_SUCCESS &&
           CVodeSetNonlinearSolver(p->cvode, p->solver) == CV_SUCCESS &&
           CVodeSetUserData(p->cvode, p) == CV_SUCCESS && CVodeRootInit(p->cvode, n, roots) == CV_SUCCESS &&
           CVodeSetRootDirection(p->cvode, p->down) == CV_SUCCESS &&
           CVodeSetNoInactiveRootWarn(p->cvode) == CV_SUCCESS &&
           CVodeSetMaxNumSteps(p->cvode, 10000000) == CV_SUCCESS;
}

blocks_cvode* blocks_cvode_create(const blocks* b, double relative, double absolute)
{
    blocks_cvode* p = calloc(1, sizeof *p);
    if (!p) return NULL;
    size_t n = (size_t)b->count;
    p->b = *b;
    p->mode = calloc(n, sizeof(int));
    p->found = calloc(n, sizeof(int));
    p->down = calloc(n, sizeof(int));
    if (p->mode && p->found && p->down && prepare(p, relative, absolute)) return p;
    blocks_cvode_destroy(p);
    return NULL;
}

void blocks_cvode_destroy(blocks_cvode* p)
{
    if (!p) return;
    if (p->cvode) CVodeFree(&p->cvode);
    if (p->solver) SUNNonlinSolFree(p->solver);
    if (p->state) N_VDestroy(p->state);
    if (p->context) SUNContext_Free(&p->context);
    free(p->mode);
    free(p->found);
    free(p->down);
    free(p);
}
