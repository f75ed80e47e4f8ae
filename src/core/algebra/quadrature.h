// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Gauss-Legendre quadrature of 14 points: exact for polynomials of degree 27.
#ifndef SLIPSTICK_CORE_QUADRATURE_H
#define SLIPSTICK_CORE_QUADRATURE_H

#include <stdbool.h>

enum { SS_GAUSS_HALF = 7, SS_GAUSS_POINTS = 2 * SS_GAUSS_HALF };

/// Point j (0 .. SS_GAUSS_POINTS - 1) of the interval [0, length], and its weight.
static inline double ss_gauss_point(int j, double length, double* weight)
{
    static const double nodes[SS_GAUSS_HALF] = {
        0.1080549487073436620662446501, 0.3191123689278897604356718242, 0.5152486363581540919652907185,
        0.6872929048116854701480198030, 0.8272013150697649931897947427, 0.9284348836635735173363911394,
        0.9862838086968123388415972667};
    static const double weights[SS_GAUSS_HALF] = {
        0.2152638534631577901958764433, 0.2051984637212956039659240657, 0.1855383974779378137417165901,
        0.1572031671581935345696019386, 0.1215185706879031846894148091, 0.0801580871597602098056332771,
        0.0351194603317518630318328762};
    double x = j < SS_GAUSS_HALF ? -nodes[j] : nodes[j - SS_GAUSS_HALF];
    *weight = 0.5 * length * weights[j % SS_GAUSS_HALF];
    return 0.5 * length * (1.0 + x);
}

/// Values (slopes: derivatives) of `width` series of coefficients 0 .. order that lie side by side, at all
/// points s: out[j * width + i].
void ss_gauss_values(const double series[], int width, int order, bool slopes, const double s[],
                     double out[]);

#endif
