// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What certificates.h holds: a system in the form M q'' + C q' + K q + cubic = W g, and what is known of it.
#ifndef SLIPSTICK_TESTS_REFERENCE_CERTIFICATE_H
#define SLIPSTICK_TESTS_REFERENCE_CERTIFICATE_H

#include "slipstick/lab.h"

enum { REF_SIZE = 2, REF_CONTACTS = 3, REF_VERTICES = 4 };

typedef struct ref_certificate {
    const char* id;
    double tolerance; ///< relative, of numbers below 1 absolute
    int n, contacts;
    double mass[REF_SIZE]; ///< M is diagonal
    double C[REF_SIZE * REF_SIZE], K[REF_SIZE * REF_SIZE], W[REF_SIZE * REF_CONTACTS];
    double friction[REF_CONTACTS];
    double cubic; ///< of a spring between the first coordinate and the ground, N/m^3
    // NaN, SS_UNKNOWN, 0: not known
    ss_verdict verdict; ///< SS_LOCAL_SUBSET: at least
    int theorem;
    ss_proved condition_31;
    int not_positive; ///< -1: not known
    double beta, rho_star, rho_energy, paper_beta, paper_rho_star;
    double eigenvalues[REF_SIZE];
    double half_widths[REF_SIZE];
    double max_energy;
    int vertex_count;
    double vertices[REF_VERTICES * REF_SIZE];
    bool refuted;
} ref_certificate;

#endif
