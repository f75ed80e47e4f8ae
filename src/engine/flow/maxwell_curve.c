// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The branch of a Maxwell-slip contact. With few elements it is followed piece by piece, each linear. Where
// thousands of them slip one after the other, the force along the branch is a function that each of them
// bends by next to nothing: it is taken as the polynomial through a few points of the closed form, if that is
// as exact between these points as the tolerance asks for. The distance of a polygon of N pieces from a
// smooth curve falls like 1/N^2.
#include "engine/flow/bristle.h"

#include <math.h>

enum { DEGREE = SS_CURVE_DEGREE, LEAST = 4096, TRIES = 8 };

// Force against the direction after a way along the branch: reversals are only wiped out on it, so a copy may
// go there.
static double force_after(const ss_maxwell_slip* law, const ss_bristle* b, double way, int* slipped)
{
    ss_maxwell_state there = b->memory;
    double force = -there.direction * ss_maxwell_slip_move(law, &there, there.y + there.direction * way);
    *slipped = there.slipped;
    return force;
}

// How far the branch has no corner: to the last reversal that it can wipe out, or to where all elements slip.
static double way_to_corner(const ss_maxwell_slip* law, const ss_maxwell_state* memory)
{
    int direction = memory->direction;
    if (memory->depth == 0)
        return (1.0 - direction * memory->saturation) * law->most - direction * (memory->y - memory->start);
    const ss_reversal* from = &memory->reversals[memory->depth - 1];
    double moved = direction * (memory->y - from->y);
    return from->direction == direction ? -moved : 2.0 * law->reach[from->slipped - 1] - moved;
}

// Divided differences over equidistant points of [0, 1], turned into powers.
static void interpolate(const double value[DEGREE + 1], double c[DEGREE + 1])
{
    double difference[DEGREE + 1];
    for (int i = 0; i <= DEGREE; i++) difference[i] = value[i];
    for (int order = 1; order <= DEGREE; order++)
        for (int i = DEGREE; i >= order; i--)
            difference[i] = (difference[i] - difference[i - 1]) * DEGREE / order;
    for (int i = 0; i <= DEGREE; i++) c[i] = 0.0;
    for (int i = DEGREE; i >= 0; i--) { // c <- c (u - i/DEGREE) + difference_i
        for (int k = DEGREE; k >= 1; k--) c[k] = c[k - 1] - c[k] * i / DEGREE;
        c[0] = difference[i] - c[0] * i / DEGREE;
    }
}

static double evaluate(const double c[DEGREE + 1], double u, double* slope)
{
    double sum = 0.0;
    *slope = 0.0;
    for (int k = DEGREE; k >= 0; k--) {
        *slope = *slope * u + sum;
        sum = sum * u + c[k];
    }
    return sum;
}

// How far the polygon lies from a smooth curve where so many elements slip: a corner of k_j after a piece of
// this length.
static double sagitta(const ss_maxwell_slip* law, int slipped)
{
    if (slipped + 1 >= law->count) return 0.0;
    double piece = 2.0 * (law->reach[slipped + 1] - law->reach[slipped]);
    return 0.125 * law->stiffness[slipped] * piece;
}

// Whether the branch is smooth up to a way, and its polynomial. The places of the check have no common
// measure with the spacing of the elements.
static bool fit(const ss_maxwell_slip* law, ss_bristle* b, double way, double tolerance)
{
    static const double places[] = {0.0613, 0.1177, 0.2341, 0.3719, 0.4603,
                                    0.5897, 0.7069, 0.8233, 0.9131, 0.9787};
    double value[DEGREE + 1], slope, error = tolerance * law->sums[law->count].slip;
    int slipped;
    for (int i = 0; i <= DEGREE; i++) value[i] = force_after(law, b, way * i / DEGREE, &slipped);
    if (slipped - b->memory.slipped < LEAST / 4) return false;
    interpolate(value, b->curve);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        double off =
            fabs(evaluate(b->curve, places[i], &slope) - force_after(law, b, way * places[i], &slipped));
        if (!(off <= error) || sagitta(law, slipped) > error) return false;
    }
    return true;
}

void ss_maxwell_look_ahead(const ss_sim* sim, ss_bristle* b)
{
    const ss_maxwell_slip* law = &sim->model->contacts[b->contact].maxwell_slip;
    b->branch = ss_maxwell_slip_branch(law, &b->memory);
    b->smooth = false;
    if (law->count < LEAST || b->memory.apart || !isfinite(b->branch.length)) return;
    double way = way_to_corner(law, &b->memory), tolerance = fmax(sim->def.tolerance, 1e-14);
    for (int round = 0; round < TRIES && way > b->branch.length && !b->smooth; round++) {
        b->smooth = fit(law, b, way, tolerance);
        if (b->smooth) b->branch.length = way;
        way *= 0.25;
    }
}

double ss_maxwell_curve(const ss_bristle* b, double way, double* slope)
{
    *slope = b->branch.stiffness;
    if (!b->smooth) return b->branch.force + b->branch.stiffness * way;
    double force = evaluate(b->curve, way / b->branch.length, slope);
    *slope /= b->branch.length;
    return force;
}

// Elements that slip from the start on lose their breakaway force times the way; element j, from w_j = share
// r_j - moved on, times what is left of it. The sums of c_j and of c_j r_j are known.
double ss_maxwell_lost(const ss_sim* sim, const ss_bristle* b, double way)
{
    const ss_maxwell_slip* law = &sim->model->contacts[b->contact].maxwell_slip;
    const ss_maxwell_state* memory = &b->memory;
    if (!b->smooth || !(way > 0.0)) return b->branch.slip * way;
    int direction = memory->direction, slipped;
    force_after(law, b, way, &slipped);
    const ss_reversal* from = memory->depth > 0 ? &memory->reversals[memory->depth - 1] : NULL;
    double share = from ? 2.0 : 1.0 - direction * memory->saturation;
    double moved = direction * (memory->y - (from ? from->y : memory->start));
    const ss_maxwell_sums *before = &law->sums[memory->slipped], *after = &law->sums[slipped];
    return before->slip * way + (after->slip - before->slip) * (way + moved) -
           2.0 * share * (law->store[slipped] - law->store[memory->slipped]);
}

// Horner's rule on series: each stage is the one before times u plus the next coefficient. The arrays are
// those that other laws need; there are as many as stages.
double ss_maxwell_curve_coefficient(ss_bristle* b, double way, int k)
{
    if (!b->smooth) return k == 0 ? b->branch.force : b->branch.stiffness * way;
    double* const stages[DEGREE] = {b->z, b->square, b->power, b->fall, b->pull, b->slip};
    b->u[k] = k == 0 ? 0.0 : way / b->branch.length;
    for (int j = 0; j < DEGREE; j++) {
        double product = j == 0 ? b->curve[DEGREE] * b->u[k] : ss_product(stages[j - 1], b->u, k);
        stages[j][k] = product + (k == 0 ? b->curve[DEGREE - 1 - j] : 0.0);
    }
    return stages[DEGREE - 1][k];
}
