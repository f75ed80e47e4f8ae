// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What can be said of a model before it moves: its matrices, frequencies and modes, and what is allowed but
// seldom meant. All numbers are SI.
//
//     ss_check* check;
//     if (ss_check_model(model, document, &check, &err) == SS_OK)
//         for (int k = 0; k < check->warning_count; k++) puts(check->warnings[k]);
//     ss_check_destroy(check);
#ifndef SLIPSTICK_CHECK_H
#define SLIPSTICK_CHECK_H

#include "slipstick/simulation.h"
#include "slipstick/slider.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SS_CHECK_MATRICES = 2000,   ///< coordinates (and contacts) beyond which matrices are not written out
    SS_CHECK_EIGENVALUES = 200, ///< coordinates beyond which eigenvalues are not sought
    SS_CHECK_MODES = 20,        ///< of the lowest frequencies
};

/// A mode of the motion without friction.
typedef struct ss_check_mode {
    double frequency; ///< Hz; 0: it moves freely; NaN: K pushes it away
    double damping;   ///< ratio: 1 is critical, below 0 it grows; NaN where there is no frequency
} ss_check_mode;

/// A connection with a cubic spring, which K does not show: it pulls with cubic e^3, where
/// e = sum of factors[k] times the place of bodies[k] - length.
typedef struct ss_cubic_spring {
    int connection; ///< index into those of the definition
    double cubic, length;
    int body_count;
    const int* bodies;
    const double* factors;
} ss_cubic_spring;

/// Where a model would stand without friction.
typedef struct ss_equilibrium {
    const double *x, *states;  ///< of all bodies; of the states of an open model
    int eigenvalue_count;      ///< of the motion about it
    const double* eigenvalues; ///< real and imaginary parts, 1/s
} ss_equilibrium;

typedef struct ss_check {
    const ss_model* model;       ///< must outlive the check
    int n, contacts;             ///< independent coordinates, contacts
    const double *M, *C, *K, *W; ///< row-major: n x n, and n x contacts; NULL beyond SS_CHECK_MATRICES
    const double* stiffness;     ///< eigenvalues of K against M, 1/s^2, ascending; NULL: not sought
    const double* damping;       ///< of the symmetric part of C against M, 1/s, ascending
    int eigenvalue_count;        ///< of an open model that is linear and not too large,
    const double* eigenvalues;   ///< of its motion while everything slips: real and imaginary parts, 1/s
    int mode_count;              ///< of the lowest; of an open model those of its eigenvalues; 0: not sought
    const ss_check_mode* vibrations; ///< by frequency
    int equilibrium_count;           ///< 0: not sought; ss_equilibria_find (slipstick/follow.h) finds them
    const ss_equilibrium* equilibria;
    const ss_mode* modes;    ///< of the contacts at t = 0
    const char* const* laws; ///< one per contact: what its numbers mean, in a few sentences
    int cubic_count;
    const ss_cubic_spring* cubic;
    int warning_count;
    const char* const* warnings; ///< one sentence each
} ss_check;

/// Looks at a model of bodies or matrices. document (may be NULL) is what it was read from: parameters that
/// nothing uses show only there.
SS_API ss_status ss_check_model(const ss_model* model, const ss_document* document, ss_check** out,
                                ss_error* err);
SS_API void ss_check_destroy(ss_check* check); ///< NULL is welcome

/// What of an open model is not affine in the motion, the first such part as model files call it
/// ("forces[0].force"); false where all is.
SS_API bool ss_model_not_affine(const ss_model* model, char* out, size_t size);

enum { SS_SLIDER_WARNINGS = 4 };

typedef struct ss_slider_check {
    const ss_slider* slider;
    bool has_load;  ///< something is applied,
    double load[3]; ///< at t = 0: Fx, Fy in N, M in N*m,
    bool in_body;   ///< in the frame of the body, otherwise in space;
    bool varies;    ///< it changes with time
    int warning_count;
    char warnings[SS_SLIDER_WARNINGS][160];
} ss_slider_check;

/// Looks at a slider, which must outlive the answer.
SS_API ss_slider_check ss_check_slider(const ss_slider* slider);

#ifdef __cplusplus
}
#endif
#endif
