// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bounds by transformation: a bounded number x is a smooth function of a variable u that is free. Between two
// bounds
//     x = least + (most - least) (1 + sin u) / 2,
// above one (below one: mirrored), with s the distance of the guess,
//     x = least + s (sqrt(u^2 + 1) - 1),
// and the same above another free number, which then is `least`.
#include "lab/fit/fit_impl.h"

static const double right_angle = 1.5707963267948966;

typedef struct side {
    double from, scale, sign;
} side;

static bool is_bounded(const ss_fit_binding* b)
{
    return b->above >= 0 || isfinite(b->least) || isfinite(b->most);
}

static bool is_boxed(const ss_fit_binding* b) { return isfinite(b->least) && isfinite(b->most); }

static side one_side(const ss_fit_problem* p, int j, const double x[])
{
    const ss_fit_binding* b = &p->free[j];
    bool up = b->above >= 0 || isfinite(b->least);
    double from = up ? b->least : b->most, guess_from = from;
    if (b->above >= 0) {
        from = x[b->above];
        guess_from = p->free[b->above].guess;
    }
    side s = {.from = from, .sign = up ? 1.0 : -1.0, .scale = fabs(b->guess - guess_from)};
    if (s.scale == 0.0) s.scale = fabs(from) > 0.0 ? 0.1 * fabs(from) : 1.0;
    return s;
}

// At a bound dx/du = 0: nothing would ever move away from it. So a guess there is moved inside a little; one
// that is only near stays where it is.
double ss_fit_variable(const ss_fit_problem* p, int j, const double x[])
{
    const ss_fit_binding* b = &p->free[j];
    if (!is_bounded(b)) return x[j];
    if (is_boxed(b)) {
        const double little = 5e-5; // of the room between the bounds
        double span = b->most - b->least, above = (x[j] - b->least) / span, below = (b->most - x[j]) / span;
        if (!(above > 0.0)) above = little;
        if (!(below > 0.0)) above = 1.0 - (below = little);
        return above < 0.5 ? 2.0 * asin(sqrt(above)) - right_angle : right_angle - 2.0 * asin(sqrt(below));
    }
    side s = one_side(p, j, x);
    double distance = fmax(s.sign * (x[j] - s.from) / s.scale, 1e-4) + 1.0;
    return sqrt(distance * distance - 1.0);
}

double ss_fit_number_at(const ss_fit_problem* p, int j, const double x[], double u)
{
    const ss_fit_binding* b = &p->free[j];
    if (!is_bounded(b)) return u;
    if (is_boxed(b)) { // all digits of what is near a bound
        double span = b->most - b->least, up = sin(0.5 * (u + right_angle)),
               down = cos(0.5 * (u + right_angle));
        double value = up * up < 0.5 ? b->least + span * up * up : b->most - span * down * down;
        return fmin(fmax(value, b->least), b->most);
    }
    side s = one_side(p, j, x);
    return s.from + s.sign * s.scale * (sqrt(u * u + 1.0) - 1.0);
}

double ss_fit_slope_at(const ss_fit_problem* p, int j, const double x[], double u)
{
    const ss_fit_binding* b = &p->free[j];
    if (!is_bounded(b)) return 1.0;
    if (is_boxed(b)) return 0.5 * (b->most - b->least) * cos(u);
    side s = one_side(p, j, x);
    return s.sign * s.scale * u / sqrt(u * u + 1.0);
}
