// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Values of n neighbouring power series sum_k c[k n + i] s^k, k = 0 .. order. One or two series have several
// orders side by side, which are summed four numbers at a time; polynomial.h sums one series by Horner's
// rule. The last bits may differ.
#ifndef SLIPSTICK_CORE_SUMS_H
#define SLIPSTICK_CORE_SUMS_H

/// The values at s, and the first derivatives.
void ss_sum_both(const double c[], int n, int order, double s, double value[], double slope[]);
/// The second derivatives.
void ss_sum_second_derivative(const double c[], int n, int order, double s, double bend[]);

#endif
