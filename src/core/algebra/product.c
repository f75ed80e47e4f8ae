// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Products and quotients of whole power series: each coefficient, once known, is added to all that it counts
// for, four at a time.
#include "core/algebra/product.h"

#include "core/algebra/wide.h"

// out[k] += factor b[k], k < count
static inline __attribute__((always_inline)) void add_scaled(double factor, const double b[], int count,
                                                             double out[])
{
    int k = 0;
    for (; k + 3 < count; k += 4) *(ss_four*)(out + k) += factor * *(const ss_four*)(b + k);
    for (; k < count; k++) out[k] += factor * b[k];
}

SS_WIDE void ss_multiply_series(const double a[], const double b[], double factor, int last, double out[])
{
    for (int k = 0; k <= last; k++) out[k] = 0.0;
    for (int j = 0; j <= last; j++) add_scaled(factor * a[j], b, last + 1 - j, out + j);
}

SS_WIDE void ss_divide_series(const double b[], int last, double out[])
{
    double inverse = 1.0 / b[0];
    for (int k = 0; k <= last; k++) {
        out[k] *= inverse;
        add_scaled(-out[k], b + 1, last - k, out + k + 1);
    }
}

SS_WIDE void ss_relax_series(const double b[], double factor, int last, double sum[], double z[])
{
    for (int k = 0; k <= last; k++) {
        add_scaled(-z[k], b, last + 1 - k, sum + k);
        z[k + 1] = factor * sum[k] / (k + 1);
    }
}
