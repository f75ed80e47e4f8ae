// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What stops that give way have in common.
#include "law/stop.h"

#include "core/error.h"

#include <math.h>

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

void ss_stop_say(ss_law_words* words, const ss_law_place* at, double stiffness, double exponent, int side,
                 double position)
{
    ss_law_words_add(words, "%g %s/%s", stiffness, at->unit, at->way);
    if (exponent != 1.0) ss_law_words_add(words, "^%g", exponent);
    ss_law_words_add(words, " when x is %s %g %s", side > 0 ? "above" : "below", position, at->way);
}
