// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What stops that give way have in common.
#include "law/stop.h"

#include "core/error.h"
#include "law/fall.h"
#include "law/table.h"

#include <math.h>

void ss_stop_at(const ss_stop* stop, const ss_law_point* point, ss_response* out)
{
    const ss_stop_form* f = &stop->form[point->branch];
    double p = point->y, n = f->exponent;
    if (p < 0.0 && !ss_power_is_whole(n)) p = 0.0;
    double power = n == 1.5 ? p * sqrt(p) : pow(p, n); // Hertz
    double push = f->stiffness * power, factor = f->weight + f->grip * stop->side * point->v;
    double slope = p != 0.0 ? n * push / p : n == 1.0 ? f->stiffness : 0.0;
    *out = (ss_response){.force = -stop->side * push * factor - f->drag * point->v,
                         .force_y = -slope * factor,
                         .force_v = -f->grip * push - f->drag};
}

double ss_stop_stored(const ss_stop* stop, double p)
{
    double n = stop->form[0].exponent;
    return p > 0.0 ? stop->form[0].stiffness * pow(p, n + 1.0) / (n + 1.0) : 0.0;
}

double ss_stop_loss(const ss_stop* stop, int branch, double p, double rate)
{
    const ss_stop_form* f = &stop->form[branch];
    double power = f->stiffness * pow(fmax(p, 0.0), f->exponent);
    return (power * (f->weight - 1.0 + f->grip * rate) + f->drag * rate) * rate;
}

ss_status ss_stop_check(double position, int side, double stiffness, double exponent, ss_error* err)
{
    if (!isfinite(position))
        return ss_fail(err, SS_BAD_INPUT, side > 0 ? "above" : "below", "must be a finite position");
    if (side != 1 && side != -1)
        return ss_fail(err, SS_BAD_INPUT, "side", "must be +1 (above) or -1 (below), not %d", side);
    if (!(stiffness > 0.0 && isfinite(stiffness)))
        return ss_fail(err, SS_BAD_INPUT, "stiffness", "must be positive, not %g", stiffness);
    if (!(exponent >= 1.0 && isfinite(exponent)))
        return ss_fail(err, SS_BAD_INPUT, "exponent", "must be at least 1, not %g", exponent);
    return SS_OK;
}

void ss_stop_say(ss_law_said* words, const ss_law_place* at, double stiffness, double exponent, int side,
                 double position)
{
    ss_law_words_add(words, "%g %s/%s", stiffness, at->unit, at->way);
    if (exponent != 1.0) ss_law_words_add(words, "^%g", exponent);
    ss_law_words_add(words, " when x is %s %g %s", side > 0 ? "above" : "below", position, at->way);
}
