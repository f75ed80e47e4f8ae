// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Certificates, inside. Letters are those of [VL04]:
//
//     M q'' + C q' + grad U(q) = W g,    V = 1/2 q'^T M q' + U(q) - U(center),
//     V' = -q'^T C q' - p^T |W^T q'|     (25)
//
// U holds the springs, linear (K) and cubic, constant forces, and the part of friction that differs between
// forward and backward slip: with levels F and B it is -(F - B)/2 - (F + B)/2 Sign(v), a constant force and
// friction of equal levels p = (F + B)/2.
#ifndef SLIPSTICK_LAB_CERTIFY_H
#define SLIPSTICK_LAB_CERTIFY_H

#include "core/error.h"
#include "core/pool.h"
#include "lab/certify/zonotope.h"
#include "slipstick/lab.h"

/// e = row . q + shift pulls along the row with -cubic e^3.
typedef struct ss_cubic {
    double* row; ///< n
    double cubic, shift;
} ss_cubic;

/// The system as the theorems see it, everything dense and row-major.
typedef struct ss_cert_system {
    int n, m;
    double *M, *K, *W;   ///< n x n, n x n, n x m
    double *C, *Cs;      ///< with the viscous part of Stribeck contacts; its symmetric part
    double* M_factor;    ///< Cholesky factor of M
    double* K_factor;    ///< of K; NULL where K is not positive definite
    double K_least;      ///< least eigenvalue of K
    double K_asymmetry;  ///< N/m: largest difference of two entries that should be equal
    double *p, *hold;    ///< m: kinetic level; half the width of the interval of holding forces
    double* hold_middle; ///< m: its middle, seen from the constant part of kinetic friction
    double* load;        ///< n: constant force
    int cubic_count;
    ss_cubic* cubics;
    double* center;        ///< n: grad U = 0; NULL where K is not positive definite
    const char* outside;   ///< why the theorems do not apply, or NULL
    bool mass_is_singular; ///< to rounding, although the model's own factorization went through
    bool one_sided;        ///< kinetic friction differs between the directions somewhere
    bool autonomous;       ///< constant inputs, dry friction only: modes say something even where K is weak
    bool stribeck;         ///< some friction is more than p while it slips
    bool falling;          ///< friction falls with speed somewhere: futures need not be unique
} ss_cert_system;

enum { SS_CERT_STEPS = 24 }; ///< more lines than any argument has

/// What ss_certify works on; `answer` is what the caller sees.
typedef struct ss_cert {
    ss_certificate answer; ///< first
    ss_pool pool;
    ss_cert_system s;
    ss_zonotope slide; ///< forces of slipping contacts: levels p
    ss_zonotope held;  ///< forces of holding ones, seen from their middle: half widths `hold`
    const char* steps[SS_CERT_STEPS];
} ss_cert;

/// A line of text in the pool; NULL without memory.
const char* ss_cert_text(ss_pool* pool, const char* format, ...) SS_PRINTF(2, 3);

/// certify_system.c: reads the model. False where memory is missing.
bool ss_cert_gather(ss_cert* c, const ss_model* model);
/// certify_open.c: why the theorems do not apply to expressions of the motion, or to levels without bound;
/// NULL: they do.
const char* ss_cert_open_outside(ss_pool* pool, const ss_model* model);
/// Adds what is constant in them to the load, with the drives at d and the offsets of tied bodies.
void ss_cert_open_load(const ss_model* model, const double d[], const double offset[], double load[]);
/// grad U at q.
void ss_cert_gradient(const ss_cert_system* s, const double q[], double out[]);
/// U(q) - U(center).
double ss_cert_potential(const ss_cert_system* s, const double q[]);
/// Solves grad U(q) = force, from `q` on. False where memory is missing or Newton's method fails.
bool ss_cert_balance(const ss_cert_system* s, const double force[], double q[]);

/// certify_damping.c: eigenvalues of C, condition (31), beta, rho; false without memory.
bool ss_cert_damping(ss_cert* c);
/// certify_set.c: the equilibrium set; false without memory.
bool ss_cert_set(ss_cert* c, bool all_vertices);
/// certify_level.c: rho_energy; false without memory.
bool ss_cert_level(ss_cert* c);

/// What the linear part of the system does where friction cannot help (certify_modes.c).
typedef struct ss_cert_modes {
    bool untouched_grows; ///< a mode that no contact feels grows
    bool untouched_lasts; ///< .. or swings for ever
    bool held_may_last;   ///< the same, or so little damped that it cannot be told
    bool held_lasts;      ///< with all rough contacts held, a mode swings for ever
    bool held_grows;      ///< .. or grows
    bool complete;        ///< held contacts are those that rub, springs linear: the above decides
    bool slack_damped;    ///< velocities that no contact rubs against meet positive damping
    double growth;        ///< 1/s: of the mode that grows fastest
    double frequency;     ///< rad/s: of a mode that lasts or grows
} ss_cert_modes;
bool ss_cert_judge_modes(ss_cert* c, ss_cert_modes* out);

/// certify_reason.c: verdict, reason and the steps of the argument; false without memory.
bool ss_cert_conclude(ss_cert* c, const ss_cert_modes* modes);

#endif
