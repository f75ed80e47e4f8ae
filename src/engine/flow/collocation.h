// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Radau IIA with SS_STAGES stages as a collocation method on [0, 1]: the polynomial whose derivative
// satisfies the equation at the nodes c_i, c_s = 1. L-stable, of order 2 s - 1 at the end of a step and s + 1
// within it.
#ifndef SLIPSTICK_FLOW_COLLOCATION_H
#define SLIPSTICK_FLOW_COLLOCATION_H

enum { SS_STAGES = 7 };

typedef struct ss_collocation {
    double node[SS_STAGES];
    double once[SS_STAGES][SS_STAGES];  ///< integral from 0 to c_i of the j-th Lagrange polynomial
    double twice[SS_STAGES][SS_STAGES]; ///< the same again: once squared
    double power[SS_STAGES][SS_STAGES]; ///< coefficient of u^i in the j-th Lagrange polynomial
} ss_collocation;

void ss_collocation_make(ss_collocation* method);

/// From the coefficients of u^k, k < SS_STAGES, stride apart, of the derivative of a solution on a step of
/// length h: an estimate of the error of the solution within the step.
double ss_collocation_error(const double derivative[], int stride, double h);
/// The same for a quantity known at the nodes only, from the coefficients of the polynomial through them.
double ss_collocation_value_error(const double polynomial[], int stride);

/// out_i = sum_j a_ij x_j, the x_j stride apart.
static inline void ss_collocation_combine(const double a[SS_STAGES][SS_STAGES], const double x[], int stride,
                                          double out[SS_STAGES])
{
    double value[SS_STAGES];
    for (int j = 0; j < SS_STAGES; j++) value[j] = x[j * stride];
    for (int i = 0; i < SS_STAGES; i++) {
        double sum = 0.0;
        for (int j = 0; j < SS_STAGES; j++) sum += a[i][j] * value[j];
        out[i] = sum;
    }
}

#endif
