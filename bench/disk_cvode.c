// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The peer, as an expert writes it: one root function for break-away while the disk sticks, then one for the
// touch. The force is continuous there, so the integrator goes on without being started anew.
#include "disk.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <math.h>
#include <stdlib.h>

struct disk_cvode {
    disk d;
    bool sticks;
    void* cvode;
    N_Vector state; // x, v
    SUNNonlinearSolver solver;
    SUNContext context;
};

static double push(const disk* d, double x, double v)
{
    return x > 0.0 ? fmax(0.0, d->stiffness * x * sqrt(x) * (1.0 + 1.5 * d->alpha * v)) : 0.0;
}

static int rate(double t, N_Vector y, N_Vector out, void* user)
{
    const disk_cvode* p = user;
    const double* state = N_VGetArrayPointer(y);
    double* change = N_VGetArrayPointer(out);
    (void)t;
    change[0] = state[1];
    change[1] = p->sticks ? 0.0 : (p->d.friction - push(&p->d, state[0], state[1])) / p->d.mass;
    return 0;
}

static int roots(double t, N_Vector y, double* g, void* user)
{
    const disk_cvode* p = user;
    const double* state = N_VGetArrayPointer(y);
    (void)t;
    g[0] = p->sticks ? push(&p->d, state[0], state[1]) - p->d.friction : state[0];
    return 0;
}

bool disk_cvode_run(disk_cvode* p, disk_motion* out)
{
    double *state = N_VGetArrayPointer(p->state), t = 0.0;
    state[0] = p->d.start;
    state[1] = p->d.speed;
    *out = (disk_motion){.impacts = 1};
    p->sticks = true;
    if (CVodeReInit(p->cvode, 0.0, p->state) != CV_SUCCESS) return false;
    while (t < p->d.until) {
        int flag = CVode(p->cvode, p->d.until, p->state, &t, CV_NORMAL);
        if (flag < 0) return false;
        if (flag != CV_ROOT_RETURN) continue;
        if (p->sticks) {
            p->sticks = false;
            if (CVodeReInit(p->cvode, t, p->state) != CV_SUCCESS) return false;
        } else if (state[1] > 0.0 && ++out->impacts == DISK_IMPACT) {
            out->impact = t;
        }
    }
    out->x = state[0];
    return true;
}

static bool prepare(disk_cvode* p, double tolerance)
{
    if (SUNContext_Create(NULL, &p->context) != 0) return false;
    p->state = N_VNew_Serial(2, p->context);
    p->cvode = CVodeCreate(CV_ADAMS, p->context);
    p->solver = p->state ? SUNNonlinSol_FixedPoint(p->state, 0, p->context) : NULL;
    N_Vector absolute = p->state ? N_VClone(p->state) : NULL;
    if (!absolute || !p->cvode || !p->solver) return false;
    // Depths are of a tenth of a millimetre, speeds of a tenth of a metre per second.
    N_VGetArrayPointer(absolute)[0] = 1e-4 * tolerance;
    N_VGetArrayPointer(absolute)[1] = 1e-1 * tolerance;
    N_VConst(0.0, p->state);
    bool good = CVodeInit(p->cvode, rate, 0.0, p->state) == CV_SUCCESS &&
                CVodeSVtolerances(p->cvode, tolerance, absolute) == CV_SUCCESS &&
                CVodeSetNonlinearSolver(p->cvode, p->solver) == CV_SUCCESS &&
                CVodeSetUserData(p->cvode, p) == CV_SUCCESS &&
                CVodeRootInit(p->cvode, 1, roots) == CV_SUCCESS &&
                CVodeSetNoInactiveRootWarn(p->cvode) == CV_SUCCESS &&
                CVodeSetMaxNumSteps(p->cvode, 100000000) == CV_SUCCESS;
    N_VDestroy(absolute);
    return good;
}

disk_cvode* disk_cvode_create(const disk* d, double tolerance)
{
    disk_cvode* p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->d = *d;
    if (prepare(p, tolerance)) return p;
    disk_cvode_destroy(p);
    return NULL;
}

void disk_cvode_destroy(disk_cvode* p)
{
    if (!p) return;
    if (p->cvode) CVodeFree(&p->cvode);
    if (p->solver) SUNNonlinSolFree(p->solver);
    if (p->state) N_VDestroy(p->state);
    if (p->context) SUNContext_Free(&p->context);
    free(p);
}
