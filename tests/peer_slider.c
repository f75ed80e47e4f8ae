// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "peer_slider.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 6 }; // Vx, Vy, omega in the body frame, angle, x, y in space

struct peer_sliding {
    const peer_slider* slider;
    void* cvode;
    N_Vector state;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    SUNContext context;
    double still;
};

// Load on the ground at u, and its derivatives if asked for.
static void load_of(const peer_slider* s, const double u[3], double load[3], double h[3][3])
{
    double eps2 = s->eps * s->eps;
    memset(load, 0, 3 * sizeof *load);
    if (h) memset(h, 0, 9 * sizeof(double));
    for (int i = 0; i < s->count; i++) {
        double x = s->x[i], y = s->y[i], vx = u[0] - u[2] * y, vy = u[1] + u[2] * x;
        double size = sqrt(vx * vx + vy * vy + eps2), fx = s->f[i] * vx / size, fy = s->f[i] * vy / size;
        load[0] += fx;
        load[1] += fy;
        load[2] += x * fy - y * fx;
        if (!h) continue;
        double ex = vx / size, ey = vy / size, g = s->f[i] / size;
        double a = g * (1.0 - ex * ex), b = -g * ex * ey, c = g * (1.0 - ey * ey);
        double ax = a * -y + b * x, ay = b * -y + c * x; // derivatives by omega
        h[0][0] += a;
        h[0][1] += b;
        h[1][1] += c;
        h[0][2] += ax;
        h[1][2] += ay;
        h[2][2] += x * ay - y * ax;
    }
    if (!h) return;
    h[1][0] = h[0][1];
    h[2][0] = h[0][2];
    h[2][1] = h[1][2];
}

static int rate(double t, N_Vector state, N_Vector out, void* user)
{
    const peer_sliding* p = user;
    const double* y = N_VGetArrayPointer(state);
    double *d = N_VGetArrayPointer(out), load[3], c = cos(y[3]), n = sin(y[3]);
    (void)t;
    load_of(p->slider, y, load, NULL);
    d[0] = p->slider->force[0] - load[0] + y[2] * y[1];
    d[1] = p->slider->force[1] - load[1] - y[2] * y[0];
    d[2] = p->slider->moment - load[2];
    d[3] = y[2];
    d[4] = c * y[0] - n * y[1];
    d[5] = n * y[0] + c * y[1];
    return 0;
}

static int jacobian(double t, N_Vector state, N_Vector rates, SUNMatrix m, void* user, N_Vector w1,
                    N_Vector w2, N_Vector w3)
{
    const peer_sliding* p = user;
    const double* y = N_VGetArrayPointer(state);
    double load[3], h[3][3], c = cos(y[3]), n = sin(y[3]);
    (void)t, (void)rates, (void)w1, (void)w2, (void)w3;
    load_of(p->slider, y, load, h);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) SM_ELEMENT_D(m, i, j) = -h[i][j];
    SM_ELEMENT_D(m, 0, 1) += y[2];
    SM_ELEMENT_D(m, 0, 2) += y[1];
    SM_ELEMENT_D(m, 1, 0) -= y[2];
    SM_ELEMENT_D(m, 1, 2) -= y[0];
    SM_ELEMENT_D(m, 3, 2) = 1.0;
    SM_ELEMENT_D(m, 4, 0) = c;
    SM_ELEMENT_D(m, 4, 1) = -n;
    SM_ELEMENT_D(m, 4, 3) = -n * y[0] - c * y[1];
    SM_ELEMENT_D(m, 5, 0) = n;
    SM_ELEMENT_D(m, 5, 1) = c;
    SM_ELEMENT_D(m, 5, 3) = c * y[0] - n * y[1];
    return 0;
}

// Falls to zero when the body is as slow as `still`.
static int slow(double t, N_Vector state, double* g, void* user)
{
    const peer_sliding* p = user;
    const double* y = N_VGetArrayPointer(state);
    (void)t;
    g[0] = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) - p->still;
    return 0;
}

static bool prepare(peer_sliding* p)
{
    const peer_slider* s = p->slider;
    if (SUNContext_Create(NULL, &p->context) != 0) return false;
    p->cvode = CVodeCreate(CV_BDF, p->context);
    p->state = N_VNew_Serial(STATES, p->context);
    p->matrix = SUNDenseMatrix(STATES, STATES, p->context);
    if (!p->cvode || !p->state || !p->matrix) return false;
    p->solver = SUNLinSol_Dense(p->state, p->matrix, p->context);
    return p->solver && CVodeInit(p->cvode, rate, 0.0, p->state) == CV_SUCCESS &&
           CVodeSStolerances(p->cvode, s->relative, s->absolute) == CV_SUCCESS &&
           CVodeSetUserData(p->cvode, p) == CV_SUCCESS &&
           CVodeSetLinearSolver(p->cvode, p->solver, p->matrix) == CV_SUCCESS &&
           CVodeSetJacFn(p->cvode, jacobian) == CV_SUCCESS &&
           CVodeRootInit(p->cvode, 1, slow) == CV_SUCCESS &&
           CVodeSetMaxNumSteps(p->cvode, 1000000) == CV_SUCCESS;
}

peer_sliding* peer_sliding_create(const peer_slider* slider)
{
    peer_sliding* p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->slider = slider;
    if (prepare(p)) return p;
    peer_sliding_destroy(p);
    return NULL;
}

bool peer_sliding_run(peer_sliding* p, const double u[3], double until, double still, peer_slide* out)
{
    double* y = N_VGetArrayPointer(p->state);
    memset(y, 0, STATES * sizeof *y);
    memcpy(y, u, 3 * sizeof *y);
    p->still = still;
    out->t = 0.0;
    if (CVodeReInit(p->cvode, 0.0, p->state) != CV_SUCCESS) return false;
    if (CVodeSetStopTime(p->cvode, until) != CV_SUCCESS) return false;
    int flag = CVode(p->cvode, until, p->state, &out->t, CV_NORMAL);
    if (flag < 0) return false;
    memcpy(out->u, y, sizeof out->u);
    out->angle = y[3];
    out->x = y[4];
    out->y = y[5];
    return CVodeGetNumSteps(p->cvode, &out->steps) == CV_SUCCESS;
}

void peer_sliding_destroy(peer_sliding* p)
{
    if (!p) return;
    if (p->cvode) CVodeFree(&p->cvode);
    if (p->solver) SUNLinSolFree(p->solver);
    if (p->matrix) SUNMatDestroy(p->matrix);
    if (p->state) N_VDestroy(p->state);
    if (p->context) SUNContext_Free(&p->context);
    free(p);
}
