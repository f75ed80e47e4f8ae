// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "peer_rig.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <math.h>

enum { STATES = 6 }; // x, y, angle, vx, vy, spin in space

typedef struct peer {
    const ss_slider_def* def;
    double eps;
} peer;

// Symmetric 2 x 2 with eigenvalue `along` in the direction (x, y), of any length, and `across` it.
static void symmetric(double along, double across, double x, double y, double m[2][2])
{
    double length = hypot(x, y), c = x / length, s = y / length;
    m[0][0] = along * c * c + across * s * s;
    m[0][1] = m[1][0] = (along - across) * c * s;
    m[1][1] = along * s * s + across * c * c;
}

static void times(double m[2][2], const double v[2], double out[2])
{
    double x = m[0][0] * v[0] + m[0][1] * v[1], y = m[1][0] * v[0] + m[1][1] * v[1];
    out[0] = x;
    out[1] = y;
}

// The force on the floor of a contact that slides with v: level D S (S D v)/|S D v|, S the ellipse of the
// support, D the floor.
static void rub(double d[2][2], double s[2][2], double eps, const double v[2], double out[2])
{
    double w[2];
    times(d, v, w);
    times(s, w, w);
    double size = sqrt(w[0] * w[0] + w[1] * w[1] + eps * eps);
    w[0] /= size;
    w[1] /= size;
    times(s, w, w);
    times(d, w, out);
}

static double level_of(const ss_slider_def* def, const ss_support_def* s, int i)
{
    return isnan(s->friction_N[i]) ? s->mu[i] * s->load * def->mass_kg * def->gravity : s->friction_N[i];
}

// How much of the velocity a wheel takes up by turning: with what is left the floor does not push along t.
static double rolling(const ss_support_def* s, double d[2][2], const double t[2], const double v[2])
{
    double dt[2], dv[2];
    times(d, t, dt);
    times(d, v, dv);
    double rate = (dt[0] * dv[0] + dt[1] * dv[1]) / (dt[0] * dt[0] + dt[1] * dt[1]);
    return s->ratchet == SS_RATCHET_NONE ? rate : fmax(rate, 0.0);
}

// The force on the floor of a support whose place has the velocity v in space, at an angle of the body.
static void force_of(const peer* p, const ss_support_def* s, double angle, const double v[2], double f[2])
{
    const ss_slider_def* def = p->def;
    double d[2][2], e[2][2], left[2] = {v[0], v[1]}, c = cos(angle), n = sin(angle);
    double along = level_of(def, s, 0), across = s->is_anisotropic ? level_of(def, s, 1) : along;
    symmetric(def->floor_mu[0], def->floor_mu[1], def->floor_axis[0], def->floor_axis[1], d);
    symmetric(along, across, c * s->axis[0] - n * s->axis[1], n * s->axis[0] + c * s->axis[1], e);
    if (s->kind == SS_SUPPORT_POINT) {
        rub(d, e, p->eps * fmax(along, across), left, f);
        return;
    }
    double length = hypot(s->axle[0], s->axle[1]), way = s->ratchet == SS_RATCHET_BACKWARD ? -1.0 : 1.0;
    const double t[2] = {-way * (n * s->axle[0] + c * s->axle[1]) / length,
                         way * (c * s->axle[0] - n * s->axle[1]) / length};
    double rate = rolling(s, d, t, v), forwards = t[0] * v[0] + t[1] * v[1];
    for (int i = 0; i < 2; i++) left[i] -= rate * t[i];
    rub(d, e, p->eps * along, left, f);
    double drag = s->drag_N * forwards / hypot(forwards, p->eps);
    if (s->ratchet != SS_RATCHET_NONE) drag = fmax(drag, 0.0);
    for (int i = 0; i < 2; i++) f[i] += drag * t[i];
}

static double value(const ss_signal* signal, double t) { return signal ? ss_signal_value(signal, t) : 0.0; }

static int rate(double t, N_Vector state, N_Vector out, void* user)
{
    const peer* p = user;
    const ss_slider_def* def = p->def;
    const ss_load_def* load = def->loads;
    const double* y = N_VGetArrayPointer(state);
    double *d = N_VGetArrayPointer(out), c = cos(y[2]), n = sin(y[2]);
    double fx = value(load->force_x, t), fy = value(load->force_y, t), moment = value(load->moment, t);
    double force[2] = {load->in_body ? c * fx - n * fy : fx, load->in_body ? n * fx + c * fy : fy};
    for (int i = 0; i < def->support_count; i++) {
        const ss_support_def* s = &def->supports[i];
        double x = c * s->position_m[0] - n * s->position_m[1],
               z = n * s->position_m[0] + c * s->position_m[1];
        double v[2] = {y[3] - y[5] * z, y[4] + y[5] * x}, f[2];
        force_of(p, s, y[2], v, f);
        force[0] -= f[0];
        force[1] -= f[1];
        moment -= x * f[1] - z * f[0];
    }
    for (int i = 0; i < 3; i++) d[i] = y[3 + i];
    d[3] = force[0] / def->mass_kg;
    d[4] = force[1] / def->mass_kg;
    d[5] = moment / (def->mass_kg * def->gyration_m * def->gyration_m);
    return 0;
}

static bool integrate(void* cvode, N_Vector state, SUNMatrix matrix, SUNLinearSolver solver, peer* p,
                      double until)
{
    double t;
    return CVodeInit(cvode, rate, 0.0, state) == CV_SUCCESS &&
           CVodeSStolerances(cvode, 1e-9, 1e-11) == CV_SUCCESS && CVodeSetUserData(cvode, p) == CV_SUCCESS &&
           CVodeSetLinearSolver(cvode, solver, matrix) == CV_SUCCESS &&
           CVodeSetMaxNumSteps(cvode, 200000) == CV_SUCCESS && CVodeSetStopTime(cvode, until) == CV_SUCCESS &&
           CVodeSetMaxStep(cvode, 0.01) == CV_SUCCESS && // kinks of loads are not to be stepped over
           CVode(cvode, until, state, &t, CV_NORMAL) >= 0;
}

bool peer_rig_run(const slider_rig* rig, double eps, double until, ss_slider_state* out)
{
    ss_slider_def def = rig->def; // a rig is told what pulls when it starts
    def.loads = &rig->load;
    peer p = {.def = &def, .eps = eps};
    SUNContext context = NULL;
    if (SUNContext_Create(NULL, &context) != 0) return false;
    void* cvode = CVodeCreate(CV_BDF, context);
    N_Vector state = N_VNew_Serial(STATES, context);
    SUNMatrix matrix = SUNDenseMatrix(STATES, STATES, context);
    SUNLinearSolver solver = state && matrix ? SUNLinSol_Dense(state, matrix, context) : NULL;
    bool done = false;
    if (cvode && solver) {
        double* y = N_VGetArrayPointer(state);
        for (int i = 0; i < 3; i++) {
            y[i] = rig->def.start[i];
            y[3 + i] = rig->def.start_speed[i];
        }
        done = integrate(cvode, state, matrix, solver, &p, until);
        *out = (ss_slider_state){.x = y[0], .y = y[1], .angle = y[2], .vx = y[3], .vy = y[4], .spin = y[5]};
    }
    if (cvode) CVodeFree(&cvode);
    if (solver) SUNLinSolFree(solver);
    if (matrix) SUNMatDestroy(matrix);
    if (state) N_VDestroy(state);
    SUNContext_Free(&context);
    return done;
}
