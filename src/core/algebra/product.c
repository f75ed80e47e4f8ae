// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Products and quotients of whole power series: each coefficient, once known, is added to all that it counts
// for, four at a time.
#include "core/algebra/product.h"

#include "core/algebra/wide.h"
#include "core/expression/signal_series.h"

#include <string.h>

enum { ROOM = SS_MAX_ORDER + 1 + 4 }; // so that fours may go beyond the end

// out[k] += factor b[k], k < count and a little beyond.
static inline __attribute__((always_inline)) void add_scaled(double factor, const double b[], int count,
                                                             double out[])
{
    for (int k = 0; k < count; k += 4) *(ss_four*)(out + k) += factor * *(const ss_four*)(b + k);
}

static inline __attribute__((always_inline)) void copy(const double from[], int count, double to[ROOM])
{
    memcpy(to, from, (size_t)count * sizeof(double));
    *(ss_four*)(to + count) = (ss_four){0.0};
}

SS_WIDE void ss_multiply_series(const double a[], const double b[], double factor, int last, double out[])
{
    double right[ROOM], sum[ROOM + 4] = {0};
    copy(b, last + 1, right);
    for (int j = 0; j <= last; j++) add_scaled(factor * a[j], right, last + 1 - j, sum + j);
    memcpy(out, sum, (size_t)(last + 1) * sizeof(double));
}

SS_WIDE void ss_divide_series(const double b[], int last, double out[])
{
    double right[ROOM], rest[ROOM + 4], inverse = 1.0 / b[0];
    copy(b + 1, last, right);
    copy(out, last + 1, rest);
    *(ss_four*)(rest + last + 5) = (ss_four){0.0};
    for (int k = 0; k <= last; k++) {
        out[k] = rest[k] * inverse;
        add_scaled(-out[k], right, last - k, rest + k + 1);
    }
}

SS_WIDE void ss_relax_series(const double b[], double factor, int last, const double sum[], double z[])
{
    double right[ROOM], rest[ROOM + 4];
    copy(b, last + 1, right);
    copy(sum, last + 1, rest);
    *(ss_four*)(rest + last + 5) = (ss_four){0.0};
    for (int k = 0; k <= last; k++) {
        add_scaled(-z[k], right, last + 1 - k, rest + k);
        z[k + 1] = factor * rest[k] / (k + 1);
    }
}
