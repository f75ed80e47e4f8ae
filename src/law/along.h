// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A law along one step of a run: plain arrays of power series in the time since the start of the step. The
// engine writes the velocity, the functions of the law's entry (law/table.h) write the rest.
#ifndef SLIPSTICK_LAW_ALONG_H
#define SLIPSTICK_LAW_ALONG_H

#include "core/algebra/polynomial.h"
#include "core/expression/signal_series.h"

#include <stdbool.h>

enum { SS_ALONG = SS_MAX_ORDER + 1 }; ///< coefficients of each series

typedef struct ss_along {
    double sign;        ///< +1 or -1: that of v in this mode, on which the formulas depend
    int branch;         ///< which of its formulas a law with several follows, by its own count
    bool rests;         ///< v = 0, and it is not known where it goes, or it stays so
    bool apart;         ///< its elements may start each by itself
    bool yields;        ///< the step ends where an event function of the law vanishes
    int yielded;        ///< which one
    double tolerance;   ///< relative: of the run
    double faint;       ///< m/s: what v[0] is rounded by, being a difference; below it counts as 0
    double v[SS_ALONG]; ///< m/s: relative velocity
    double z[SS_ALONG]; ///< the state of a law with one; z[0] is its value where the step begins
    // What else the formulas need; each law says for what.
    double mirror[SS_ALONG], u[SS_ALONG], square[SS_ALONG], power[SS_ALONG], fall[SS_ALONG], pull[SS_ALONG],
        slip[SS_ALONG];
    double rate_factor, level;
    double per_load[SS_ALONG]; ///< the force per newton of a normal force that varies, which the engine
                               ///< multiplies
    void* own;                 ///< room of the law's own
} ss_along;

/// How the force of a law and the rate of its state change along a step per unit of v and z. With dr the
/// change of the rate, order by order,
///
///     dr = rate_v dv + rate_z dz,     dforce = force_v dv + force_z dz + by_v dv + by_z dz + by_rate dr
///
/// by_v, by_z and by_rate being constants: most laws with a state are linear in its rate.
typedef struct ss_along_slopes {
    bool bends; ///< force_v counts
    bool leans; ///< force_z counts
    bool state; ///< the law has one: rate_v and rate_z count
    double by_v, by_z, by_rate;
    double force_v[SS_ALONG], force_z[SS_ALONG], rate_v[SS_ALONG], rate_z[SS_ALONG];
} ss_along_slopes;

/// One mass on one contact, the commonest system of all: q'' = mobility force - stiffness q - damping q',
/// v = row q'.
typedef struct ss_law_mass {
    double stiffness, damping, row, mobility;
    int lead;      ///< so many leading coefficients of v vanish
    double* q;     ///< known up to coefficient `from` + 1
    double* force; ///< of the contact, its coefficients stride apart
    int stride;
} ss_law_mass;

/// Value of a series of degree `last` at s.
static inline double ss_along_at(const double series[], int last, double s)
{
    return ss_poly_value(series, 1, last, s);
}

/// Way gone in the direction of the mode since the start of the step, v of degree `last`.
static inline double ss_along_way(const ss_along* along, int last, double s)
{
    double sum = 0.0;
    for (int k = last + 1; k >= 1; k--) sum = (sum + along->v[k - 1] / k) * s;
    return along->sign * sum;
}

#endif
