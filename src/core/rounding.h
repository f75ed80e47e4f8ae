// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sums of which only rounding is left.
#ifndef SLIPSTICK_CORE_ROUNDING_H
#define SLIPSTICK_CORE_ROUNDING_H

#include "core/algebra/polynomial.h"

#include <float.h>
#include <math.h>

/// A sum whose terms have the magnitudes `size` together: 0 where it is no larger than their rounding, for
/// then not one of its digits is known. A small sum of small terms stays as it is.
static inline double ss_clear_rounding(double sum, double size)
{
    return fabs(sum) > 4.0 * DBL_EPSILON * size ? sum : 0.0;
}

/// A polynomial's value at s >= 0, cleared of rounding.
static inline double ss_clear_value(const double c[], int stride, int degree, double s)
{
    return ss_clear_rounding(ss_poly_value(c, stride, degree, s), ss_poly_bound(c, stride, degree, s));
}

#endif
