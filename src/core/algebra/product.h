// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Products of power series, coefficient by coefficient.
#ifndef SLIPSTICK_CORE_PRODUCT_H
#define SLIPSTICK_CORE_PRODUCT_H

/// Cauchy product: coefficient k of a b.
static inline double ss_product(const double a[], const double b[], int k)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0; // four sums: none waits for another
    int j = 0;
    for (b += k; j + 3 <= k; j += 4, b -= 4) {
        s0 += a[j] * b[0];
        s1 += a[j + 1] * b[-1];
        s2 += a[j + 2] * b[-2];
        s3 += a[j + 3] * b[-3];
    }
    for (; j <= k; j++, b--) s0 += a[j] * b[0];
    return (s0 + s1) + (s2 + s3);
}

/// Coefficient k of a^2.
static inline double ss_square(const double a[], int k)
{
    double sum = 0.0;
    for (int j = 0; 2 * j < k; j++) sum += a[j] * a[k - j];
    return k % 2 == 0 ? 2.0 * sum + a[k / 2] * a[k / 2] : 2.0 * sum;
}

/// All coefficients up to `last` of factor a b. out is neither of them.
void ss_multiply_series(const double a[], const double b[], double factor, int last, double out[]);
/// out becomes out/b, up to coefficient `last`.
void ss_divide_series(const double b[], int last, double out[]);
/// The solution of z' = factor (sum - b z) from z[0] on, up to z[last + 1].
void ss_relax_series(const double b[], double factor, int last, const double sum[], double z[]);

#endif
