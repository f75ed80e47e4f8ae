// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Patches of unit level around their own centre: power, load and Hessian at the motion q = (V of the centre,
// w), q != 0.
#ifndef SLIPSTICK_SLIDER_PATCH_H
#define SLIPSTICK_SLIDER_PATCH_H

#include "slider/slider_impl.h"

#include <math.h>

// On a plain floor, closed forms in complete elliptic integrals (patch_round.c).
void ss_ring_power(double radius, const double q[3], ss_power* out);
void ss_disk_power(double radius, const double q[3], ss_power* out);
void ss_annulus_power(double inner, double radius, const double q[3], ss_power* out);

/// Closed form over the edges, or over its triangles where the centre of rotation is far (patch_polygon.c).
void ss_polygon_power(const ss_element* e, const ss_floor* floor, const double q[3], ss_power* out);

// The round ones on a floor that is not plain, by quadrature (patch_floor.c), at nodes that are made once.
ss_round_nodes* ss_round_nodes_make(ss_pool* pool); ///< NULL without memory
void ss_ring_power_on(const ss_floor* floor, double radius, const double q[3], ss_power* out);
void ss_disk_power_on(const ss_floor* floor, double radius, const double q[3], ss_power* out);
void ss_annulus_power_on(const ss_floor* floor, double inner, double radius, const double q[3],
                         ss_power* out);

/// Motions round a unit motion q: q + x t_0 + y t_1 with |x| <= d_0, |y| <= d_1. They need not be of unit
/// size: loads do not depend on it. d_1 = 0: an arc.
typedef struct ss_around {
    const double* q;
    double t[2][3]; ///< unit vectors across q and each other
    double d[2];
} ss_around;

/// Bounds of the third derivatives of the power of a patch, of its level and in the motion of the body, along
/// t_i, t_j, t_k at all motions around q: bend[i + j + k]. h: its Hessian at q. Infinite where a ring has
/// none, because the body may turn about a point of it.
void ss_patch_bend(const ss_element* e, const ss_floor* floor, const ss_around* around, const double h[9],
                   double bend[4]);
/// Are all these motions alike, as the patch sees them?
bool ss_patch_is_fine(const ss_element* e, const ss_around* around);

/// Mean values over an area of s' = N (r - c), N = D J: what gives the power of a patch rotating about c.
typedef struct ss_area_means {
    double length;  ///< of |s'|
    double unit[2]; ///< of s'/|s'|
    double turn[3]; ///< of (I - s' s'^T/|s'|^2)/|s'|: xx, xy, yy
} ss_area_means;
/// From the means to power, load and Hessian at q, q[2] != 0.
void ss_area_power(const ss_area_means* means, const ss_floor* floor, const double q[3], ss_power* out);

/// Adds weight times load (3) and Hessian (xx, xy, xw, yy, yw, ww) of an isotropic point of unit level at
/// (x, y) relative to the patch's centre, which moves with (vx, vy).
static inline void ss_grain_add(const ss_floor* floor, double x, double y, double vx, double vy,
                                double weight, double sum[9])
{
    const double* d = floor->d;
    double sx = d[0] * vx + d[1] * vy, sy = d[2] * vx + d[3] * vy, size = sqrt(sx * sx + sy * sy);
    if (size == 0.0) return;
    double ex = sx / size, ey = sy / size, bend = weight / size;
    double gx = d[0] * ex + d[1] * ey, gy = d[2] * ex + d[3] * ey; // D is symmetric
    double cx = d[1] * ex - d[0] * ey, cy = d[3] * ex - d[2] * ey, cw = x * cy - y * cx;
    sum[0] += weight * gx;
    sum[1] += weight * gy;
    sum[2] += weight * (x * gy - y * gx);
    sum[3] += bend * cx * cx;
    sum[4] += bend * cx * cy;
    sum[5] += bend * cx * cw;
    sum[6] += bend * cy * cy;
    sum[7] += bend * cy * cw;
    sum[8] += bend * cw * cw;
}
/// From such a sum, times share, to power, load and Hessian at q.
void ss_grain_power(const double sum[9], const double q[3], double share, ss_power* out);

enum { SS_GAUSS = 14 };
/// Nodes and weights of Gauss-Legendre on [0, 1].
extern const double ss_gauss_node[SS_GAUSS], ss_gauss_weight[SS_GAUSS];

enum { SS_GAUSS_MOST = 10 };
typedef struct ss_gauss_rule {
    int n;
    const double *node, *weight;
} ss_gauss_rule;
/// The rule of n nodes, at most SS_GAUSS_MOST, on [0, 1].
ss_gauss_rule ss_gauss_of(int n);
/// How many nodes are exact to rounding for an integrand whose nearest singular point, real or complex, is
/// z > 1 half lengths away from the middle of the interval: the error falls like rho^(-2n), rho = z +
/// sqrt(z^2 - 1).
int ss_gauss_needed(double z);

#endif
