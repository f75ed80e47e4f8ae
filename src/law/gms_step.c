// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Generalised Maxwell-slip friction alone, as in a real-time loop: steps of constant speed, exact. At
// constant v the level s(v) is constant: an element that sticks is a spring, one that slips relaxes
// exponentially.
#include "share/law.h"
#include "slipstick/bristle.h"

#include <math.h>

// An element that sticks comes to its limit after a way, and relaxes towards share s(v) for what is left of
// the time. x: its force in the direction of v.
static void advance(const ss_gms* law, int i, ss_gms_element* element, double v, double level, double dt)
{
    int direction = v > 0.0 ? 1 : -1;
    double limit = law->share[i] * level, x = direction * element->force, stuck = 0.0;
    if (element->direction != direction) {
        element->direction = 0;
        stuck = fmax(0.0, (limit - x) / (law->stiffness[i] * fabs(v)));
        if (stuck > dt) {
            element->force += law->stiffness[i] * v * dt;
            return;
        }
        element->direction = direction;
        x = fmax(x, limit);
    }
    element->force = direction * (x + (x - limit) * expm1(-law->attraction * (dt - stuck) / level));
}

double ss_gms_step(const ss_gms* law, ss_gms_element elements[], double v, double dt)
{
    if (!isfinite(v) || !(dt >= 0.0) || !isfinite(dt)) return NAN;
    double sum = 0.0, level = ss_gms_level(law, v);
    for (int i = 0; i < law->count; i++) {
        if (v == 0.0)
            elements[i].direction = 0;
        else
            advance(law, i, &elements[i], v, level, dt);
        sum += elements[i].force;
    }
    return -(sum + law->viscous * v);
}
