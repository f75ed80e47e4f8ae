// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ring, disk and annulus on a plain floor. By symmetry Phi depends on V = |velocity of the centre| and
// W = |w| R alone, and is homogeneous of degree 1 in them. With k = min(V, W)/max(V, W) and the integrals B,
// C, D, E of elliptic.h [GRP91, (13) gives the ring as an integral]:
//
//   ring   k = V/W:  Phi_W = (2/pi) E,  Phi_V = (2/pi) k B,  Phi_VV = (2/pi) D/W;  V and W may be exchanged
//   disk   k = V/W:  Phi_V = (4k/3pi) (2B + (1-m) D),  Phi_W = (4/9pi) ((3-m) B + (3-2m)(1-m) D),
//                    Phi_VV = (4/3pi) (B + 2(1-m) D)/W
//          k = W/V:  Phi_V = (4/3pi) (2B + (1-m) D),   Phi_W = (4k/9pi) (3B - D + C),  Phi_WW = (4/3pi) (D -
//          C)/V
//
// The other second derivatives follow from homogeneity. On the rim, k = 1, the ring's D is infinite: its
// Hessian is, logarithmically.
#include "slider/shape/patch.h"

#include "core/algebra/elliptic.h"

#include <float.h>
#include <math.h>

static const double over_pi = 0.31830988618379067154;

// Derivatives of Phi(V, W).
typedef struct profile {
    double v, w;       // first
    double v_over_V;   // Phi_V / V, also at V = 0
    double vv, vw, ww; // second
} profile;

// Second derivatives from the one in the smaller variable: Phi_vv V + Phi_vw W = 0.
static void complete(profile* f, double k, bool inside)
{
    double* small = inside ? &f->vv : &f->ww;
    double* large = inside ? &f->ww : &f->vv;
    f->vw = -k * *small;
    *large = k * k * *small;
}

// The centre of rotation one rounding off the rim, where it is on it: a Hessian that can be used.
static ss_elliptic integrals(double small, double large)
{
    ss_elliptic f = ss_elliptic_of(small, large);
    return f.mc > 0.0 ? f : ss_elliptic_of(1.0 - DBL_EPSILON, 1.0);
}

static profile ring_profile(double V, double W)
{
    bool inside = V <= W;
    double small = inside ? V : W, large = inside ? W : V, k = small / large;
    ss_elliptic f = integrals(small, large);
    double by_small = 2.0 * over_pi * k * f.B, by_large = 2.0 * over_pi * f.E;
    double second = 2.0 * over_pi * f.D / large;
    profile out = {.v = inside ? by_small : by_large, .w = inside ? by_large : by_small};
    out.v_over_V = inside ? 2.0 * over_pi * f.B / large : by_large / V;
    *(inside ? &out.vv : &out.ww) = second;
    complete(&out, k, inside);
    return out;
}

static profile disk_inside(double V, double W)
{
    double k = V / W, c = 4.0 / 3.0 * over_pi;
    ss_elliptic f = integrals(V, W);
    profile out = {.v_over_V = c * (2.0 * f.B + f.mc * f.D) / W, .vv = c * (f.B + 2.0 * f.mc * f.D) / W};
    out.v = out.v_over_V * V;
    out.w = c / 3.0 * ((3.0 - f.m) * f.B + (3.0 - 2.0 * f.m) * f.mc * f.D);
    complete(&out, k, true);
    return out;
}

// 3B - D + C = ((3m - 1) B + (1 - m) D)/m and D - C = (B - (1 - m) D)/m: the first forms lose nothing at
// small k, the second nothing near 1.
static profile disk_outside(double V, double W)
{
    double k = W / V, c = 4.0 / 3.0 * over_pi;
    ss_elliptic f = integrals(W, V);
    bool far = f.m <= 0.5;
    double moment = far ? 3.0 * f.B - f.D + f.C : ((3.0 * f.m - 1.0) * f.B + f.mc * f.D) / f.m;
    double second = far ? f.D - f.C : (f.B - f.mc * f.D) / f.m;
    profile out = {.v = c * (2.0 * f.B + f.mc * f.D), .w = c / 3.0 * k * moment, .ww = c * second / V};
    out.v_over_V = out.v / V;
    complete(&out, k, false);
    return out;
}

static void from_profile(const profile* f, double radius, double V, double W, const double q[3],
                         ss_power* out)
{
    double sign = q[2] < 0.0 ? -1.0 : 1.0;
    double ux = V > 0.0 ? q[0] / V : 1.0, uy = V > 0.0 ? q[1] / V : 0.0, bend = f->vv - f->v_over_V;
    out->phi = f->v * V + f->w * W;
    out->p[0] = f->v_over_V * q[0];
    out->p[1] = f->v_over_V * q[1];
    out->p[2] = sign * f->w * radius;
    double* h = out->h;
    h[0] = f->v_over_V + bend * ux * ux;
    h[1] = h[3] = bend * ux * uy;
    h[4] = f->v_over_V + bend * uy * uy;
    h[2] = h[6] = sign * radius * f->vw * ux;
    h[5] = h[7] = sign * radius * f->vw * uy;
    h[8] = radius * radius * f->ww;
}

void ss_ring_power(double radius, const double q[3], ss_power* out)
{
    double V = hypot(q[0], q[1]), W = fabs(q[2]) * radius;
    profile f = ring_profile(V, W);
    from_profile(&f, radius, V, W, q, out);
}

void ss_disk_power(double radius, const double q[3], ss_power* out)
{
    double V = hypot(q[0], q[1]), W = fabs(q[2]) * radius;
    profile f = V <= W ? disk_inside(V, W) : disk_outside(V, W);
    from_profile(&f, radius, V, W, q, out);
}

static void add_scaled(ss_power* sum, const ss_power* more, double factor)
{
    sum->phi += factor * more->phi;
    for (int i = 0; i < 3; i++) sum->p[i] += factor * more->p[i];
    for (int i = 0; i < 9; i++) sum->h[i] += factor * more->h[i];
}

// Rings from radius a to b, weight 2 r dr/(outer^2 - inner^2). `singular` (a or b) is where the centre of
// rotation is closest: the cubic substitution takes the logarithm's bite away there.
static void add_rings(double a, double b, double singular, double area, const double q[3], ss_power* sum)
{
    for (int i = 0; i < SS_GAUSS; i++)
        for (int half = 0; half < 2; half++) { // two panels in the substituted variable
            double t = 0.5 * (ss_gauss_node[i] + half), t2 = t * t;
            double span = singular == a ? b - a : a - b, r = singular + span * t2 * t2 * t;
            double weight = 0.5 * ss_gauss_weight[i] * 5.0 * t2 * t2 * (b - a) * 2.0 * r / area;
            ss_power ring;
            ss_ring_power(r, q, &ring);
            add_scaled(sum, &ring, weight);
        }
}

// The difference of two disks, unless it is thin and the difference would cancel.
void ss_annulus_power(double inner, double radius, const double q[3], ss_power* out)
{
    double area = (radius - inner) * (radius + inner);
    *out = (ss_power){0};
    if (inner < 0.9 * radius) {
        ss_power disk;
        ss_disk_power(radius, q, &disk);
        add_scaled(out, &disk, radius * radius / area);
        if (inner > 0.0) ss_disk_power(inner, q, &disk);
        if (inner > 0.0) add_scaled(out, &disk, -inner * inner / area);
        return;
    }
    double V = hypot(q[0], q[1]), at = V < fabs(q[2]) * 2.0 * radius ? V / fabs(q[2]) : 2.0 * radius;
    if (at > inner && at < radius) {
        add_rings(inner, at, at, area, q, out);
        add_rings(at, radius, at, area, q, out);
    } else {
        add_rings(inner, radius, at <= inner ? inner : radius, area, q, out);
    }
}
