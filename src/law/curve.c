// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Powers of laws beyond where they end.
#include "law/curve.h"

#include <math.h>

bool ss_curve_is_whole(double shape) { return shape <= 4.0 && shape == floor(shape); }

double ss_curve_at(double speed, double shape, double u, double* slope)
{
    double x = ss_curve_is_whole(shape) ? u / speed : fabs(u) / speed;
    double p = shape == 2.0 ? x * x : pow(x, shape), fall = exp(-p);
    *slope = u != 0.0 ? -fall * shape * p / u : shape == 1.0 ? -fall / speed : 0.0;
    return fall;
}
