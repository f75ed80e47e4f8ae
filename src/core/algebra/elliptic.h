// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Complete elliptic integrals in the forms that lose no digits anywhere. With modulus k, m = k^2:
//
//     B = int cos^2 t / sqrt(1 - m sin^2 t) dt,   D = int sin^2 t / sqrt(1 - m sin^2 t) dt,  over [0, pi/2]
//     K = B + D,   E = B + (1 - m) D,   C = (D - B) / m = int sin^2 t cos^2 t / (1 - m sin^2 t)^(3/2) dt
//
// E - (1 - m) K = m B and K - E = m D, the differences that cancel at small k, are products here.
#ifndef SLIPSTICK_CORE_ELLIPTIC_H
#define SLIPSTICK_CORE_ELLIPTIC_H

typedef struct ss_elliptic {
    double m, mc; ///< k^2 and 1 - k^2
    double B, C, D, E, K;
} ss_elliptic;

/// For 0 <= small <= large, large > 0: the integrals of modulus k = small/large. At small = large the
/// integrals K, D and C are infinite, B = E = 1.
ss_elliptic ss_elliptic_of(double small, double large);

#endif
