// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Series at all points of the quadrature.
#include "core/algebra/quadrature.h"

#include <stddef.h>

// The sums of one series go side by side, so that vector instructions take several of them.
void ss_gauss_values(const double series[], int width, int order, bool slopes, const double s[], double out[])
{
    for (int i = 0; i < width; i++) {
        double sum[SS_GAUSS_POINTS] = {0.0};
        for (int k = order; k >= (slopes ? 1 : 0); k--) {
            double c = series[(size_t)k * (size_t)width + (size_t)i];
            if (slopes) c *= k;
            for (int j = 0; j < SS_GAUSS_POINTS; j++) sum[j] = sum[j] * s[j] + c;
        }
        for (int j = 0; j < SS_GAUSS_POINTS; j++) out[j * width + i] = sum[j];
    }
}
