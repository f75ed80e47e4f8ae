// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Dry friction: lambda in -f Sign(v), the set-valued law [VL04, (7)], with a level of its own for each
// direction and for rest.
#include "core/error.h"
#include "slipstick/law.h"

#include <math.h>

ss_coulomb ss_coulomb_make(double friction) { return (ss_coulomb){friction, friction, friction, friction}; }

ss_status ss_coulomb_check(const ss_coulomb* law, ss_error* err)
{
    const double levels[] = {law->forward, law->backward, law->static_forward, law->static_backward};
    static const char* const names[] = {"forward", "backward", "static_forward", "static_backward"};
    for (int i = 0; i < 4; i++)
        if (!(levels[i] >= 0.0 && isfinite(levels[i])))
            return ss_fail(err, SS_BAD_INPUT, names[i], "friction must be a number >= 0, not %g", levels[i]);
    if (law->static_forward < law->forward || law->static_backward < law->backward)
        return ss_fail(err, SS_BAD_INPUT, "static", "static friction is below the kinetic one");
    return SS_OK;
}

double ss_coulomb_force(const ss_coulomb* law, double v, double holding)
{
    if (v > 0.0) return -law->forward;
    if (v < 0.0) return law->backward;
    return fmin(fmax(holding, -law->static_forward), law->static_backward);
}
