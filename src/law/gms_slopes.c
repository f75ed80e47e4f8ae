// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the elements of a GMS contact change along a step, as series. One that slips obeys
//
//     z' = C (sgn(v) share - z w),     w = 1/s(v)
//
// and so dz' = -C w dz + C z w^2 s' sgn(v) dv, s' the slope of s by |v|. One that sticks: z' = stiffness v.
#include "law/gms.h"

#include "core/algebra/product.h"
#include "core/tolerance.h"
#include "law/fall.h"
#include "slipstick/bristle.h"

#include <math.h>

// The number of an element that slips, and how it changes with v; turn: w^2 s'.
static void slip_slopes(const ss_gms* law, const ss_along* along, double share, const double turn[], int last,
                        ss_element_slopes* out)
{
    out->slips = true;
    out->stretch = 0.0;
    double sum[SS_ALONG] = {along->sign * share};
    ss_relax_series(along->slip, law->attraction, last, sum, out->z);
    for (int k = 0; k <= last; k++) out->rate_z[k] = -law->attraction * along->slip[k];
    if (turn)
        ss_multiply_series(out->z, turn, law->attraction * along->sign, last, out->rate_v);
    else
        for (int k = 0; k <= last; k++) out->rate_v[k] = 0.0;
}

bool ss_gms_slopes(const void* self, const ss_along* along, int last, ss_element_slopes out[])
{
    const ss_gms* law = self;
    const ss_gms_room* own = along->own;
    double drop = law->static_level - law->coulomb, turn[SS_ALONG], half[SS_ALONG];
    bool falls = drop != 0.0 && own->share > 0.0 && !ss_fall_is_gone(along->power);
    if (falls && !ss_fall_slopes(law->speed, law->shape, along->u, along->square, along->fall, last, turn))
        return false;
    if (falls) ss_multiply_series(turn, along->slip, drop, last, half);
    if (falls) ss_multiply_series(half, along->slip, 1.0, last, turn);
    for (int i = 0; i < law->count; i++) {
        ss_element_slopes* to = &out[i];
        to->pull = -1.0;
        to->z[0] = own->elements[i].force;
        if (own->elements[i].slips && !along->rests) {
            slip_slopes(law, along, law->share[i], falls ? turn : NULL, last, to);
            continue;
        }
        to->slips = false;
        to->stretch = law->stiffness[i];
        for (int k = 0; k <= last; k++) to->z[k + 1] = to->stretch * along->v[k] / (k + 1);
    }
    return true;
}

// How s changes along the step: ds = flat + steep s + out, the latter by the speed of the curve. Returns
// whether that is not 0.
static bool level_change(const ss_gms* law, const ss_gms* by, const ss_along* along, int last, double* flat,
                         double* steep, double out[])
{
    double drop = law->static_level - law->coulomb, more = by->static_level - by->coulomb;
    *steep = drop != 0.0 ? more / drop : by->coulomb / law->coulomb;
    *flat = by->coulomb - *steep * law->coulomb;
    if (fabs(*flat) <= SS_SUM_NOISE * fabs(by->coulomb)) *flat = 0.0; // levels in proportion
    if (drop == 0.0 || by->speed == 0.0 || ss_fall_is_gone(along->power)) return false;
    ss_fall_by_speed(law->speed, law->shape, along->power, along->fall, last, out);
    for (int k = 0; k <= last; k++) out[k] *= drop * by->speed;
    return true;
}

// rate = C (sgn share - z w), dw = -w^2 ds, s w = 1: of a level that changes in proportion to itself C z w is
// the rest of the rate, and nothing is left to be multiplied.
bool ss_gms_by_numbers(const void* self, const void* change, const ss_along* along,
                       const ss_element_slopes slopes[], int last, double* const rate[])
{
    const ss_gms *law = self, *by = change;
    double level[SS_ALONG], once[SS_ALONG], flat, steep, drop = law->static_level - law->coulomb;
    if ((drop != 0.0 && by->shape != 0.0) || (drop == 0.0 && by->static_level != by->coulomb)) return false;
    bool curve = level_change(law, by, along, last, &flat, &steep, level), squares = curve || flat != 0.0;
    for (int k = 0; k <= last && !curve; k++) level[k] = 0.0;
    level[0] += flat;
    if (squares) ss_multiply_series(level, along->slip, 1.0, last, once);
    if (squares) ss_multiply_series(once, along->slip, 1.0, last, level);
    for (int i = 0; i < law->count; i++) {
        const double *z = slopes[i].z, share = law->attraction * along->sign;
        if (!slopes[i].slips) continue;
        for (int k = 0; k <= last && !squares; k++) rate[i][k] = 0.0;
        if (squares) ss_multiply_series(z, level, law->attraction, last, rate[i]);
        for (int k = 0; k <= last; k++)
            rate[i][k] += (by->attraction / law->attraction - steep) * (k + 1) * z[k + 1];
        rate[i][0] += share * (by->share[i] + steep * law->share[i]);
    }
    return true;
}
