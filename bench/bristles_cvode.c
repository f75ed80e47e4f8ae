// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The peer. State: x, v, z of each body in turn. Absolute tolerances are the relative one times the scale of
// each kind: way, speed, bristle deflection.
#include "block_chain.h"
#include "bristle_chain.h"
#include "share/law.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static int rates(realtype t, N_Vector y, N_Vector dy, void* user)
{
    const bristles* b = user;
    const double* s = N_VGetArrayPointer(y);
    double* d = N_VGetArrayPointer(dy);
    (void)t;
    for (int i = 0; i < b->count; i++) {
        double x = s[3 * i], v = s[3 * i + 1], z = s[3 * i + 2], slip = v - b->belt;
        double pull = i > 0 ? b->joint * (x - s[3 * i - 3]) : b->ground * x;
        if (i + 1 < b->count) pull += b->joint * (x - s[3 * i + 3]);
        d[3 * i] = v;
        d[3 * i + 1] = ss_lugre_force(&b->law, z, slip) - pull;
        d[3 * i + 2] = ss_lugre_rate(&b->law, z, slip);
    }
    return 0;
}

static int jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix j, void* user, N_Vector a, N_Vector c,
                    N_Vector d)
{
    const bristles* b = user;
    const ss_lugre* law = &b->law;
    const double* s = N_VGetArrayPointer(y);
    (void)t, (void)fy, (void)a, (void)c, (void)d;
    SUNMatZero(j);
    for (int i = 0; i < b->count; i++) {
        int x = 3 * i, v = x + 1, z = x + 2;
        double slip = s[v] - b->belt, u = fabs(slip), g = ss_lugre_level(law, slip), slope = 0.0;
        double sign = slip < 0.0 ? -1.0 : 1.0;
        if (law->static_level > law->coulomb && u > 0.0)
            slope = -(g - law->coulomb) * law->shape * pow(u / law->speed, law->shape) / u;
        double rate_v = 1.0 - law->sigma0 * sign * (s[z] / g - u * s[z] * slope / (g * g)),
               rate_z = -law->sigma0 * u / g;
        SM_ELEMENT_D(j, x, v) = 1.0;
        SM_ELEMENT_D(j, z, v) = rate_v;
        SM_ELEMENT_D(j, z, z) = rate_z;
        SM_ELEMENT_D(j, v, v) = -(law->sigma1 * rate_v + law->sigma2);
        SM_ELEMENT_D(j, v, z) = -(law->sigma0 + law->sigma1 * rate_z);
        SM_ELEMENT_D(j, v, x) = -((i > 0 ? b->joint : b->ground) + (i + 1 < b->count ? b->joint : 0.0));
        if (i > 0) SM_ELEMENT_D(j, v, x - 3) = b->joint;
        if (i + 1 < b->count) SM_ELEMENT_D(j, v, x + 3) = b->joint;
    }
    return 0;
}

static double run(const bristles* b, void* cvode, N_Vector y, double out[])
{
    const double* s = N_VGetArrayPointer(y);
    double t, begin = bench_seconds();
    for (int k = 1; k <= b->samples; k++) {
        if (CVode(cvode, b->until * k / b->samples, y, &t, CV_NORMAL) < 0) return -1.0;
        for (int i = 0; i < b->count; i++) {
            *out++ = s[3 * i];
            *out++ = s[3 * i + 1];
        }
    }
    return bench_seconds() - begin;
}

double bristles_by_cvode(const bristles* b, double relative, double out[])
{
    SUNContext context;
    if (SUNContext_Create(NULL, &context) != 0) return -1.0;
    int n = 3 * b->count;
    N_Vector y = N_VNew_Serial(n, context), absolute = N_VNew_Serial(n, context);
    SUNMatrix matrix = SUNDenseMatrix(n, n, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
    void* cvode = CVodeCreate(CV_BDF, context);
    double *s = N_VGetArrayPointer(y), *a = N_VGetArrayPointer(absolute),
           scale = b->law.coulomb / b->law.sigma0;
    for (int i = 0; i < b->count; i++) {
        s[3 * i] = 0.0;
        s[3 * i + 1] = b->v0;
        s[3 * i + 2] = b->saturation * ss_lugre_level(&b->law, b->v0 - b->belt) / b->law.sigma0;
        a[3 * i] = relative * scale;
        a[3 * i + 1] = relative * sqrt(b->law.coulomb * scale);
        a[3 * i + 2] = relative * scale;
    }
    CVodeInit(cvode, rates, 0.0, y);
    CVodeSVtolerances(cvode, relative, absolute);
    CVodeSetLinearSolver(cvode, solver, matrix);
    CVodeSetJacFn(cvode, jacobian);
    CVodeSetUserData(cvode, (void*)(size_t)b);
    CVodeSetMaxNumSteps(cvode, 100000000);
    CVodeSetErrFile(cvode, NULL);
    double time = run(b, cvode, y, out);
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    N_VDestroy(absolute);
    SUNContext_Free(&context);
    return time;
}
