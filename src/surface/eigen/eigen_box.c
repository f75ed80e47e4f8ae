// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// An eigen-direction has P = Phi q. Neither P nor its direction depends on the size of a motion, which may be
// taken as q + x, x across q. With H the Hessian at q and D3 third derivatives between there and q + x,
// across
// q
//
//     g + H x + 1/2 D3(x, x, .) = Phi(q + x)/(1 + |x|^2) x
//
// or, with A = H - Phi(q), g + A x = r. Directions count one by one: a wide patch makes Phi change much
// faster with the spin than along a translation, and cells are narrow accordingly.
#include "surface/eigen/eigen_box.h"

#include <math.h>

static double third_along(const ss_box* b, int i, int j)
{
    return b->bend[i + j] * b->d[0] + b->bend[i + j + 1] * b->d[1];
}

void ss_box_set(const ss_view* view, const ss_around* around, ss_box* out)
{
    const double *d = around->d, phi = view->smooth.phi;
    double bending[3], h[2][2], second[2], change = view->rough_power;
    ss_box* b = out;
    *b = (ss_box){.d = {d[0], d[1]}};
    for (int k = 0; k < 4; k++) b->bend[k] = view->bend[k];
    ss_tangential(view->smooth.p, (double(*)[3])around->t, b->g);
    ss_bending(&view->smooth, (double(*)[3])around->t, bending);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            b->a[i][j] = bending[i + j];
            h[i][j] = fabs(bending[i + j] + (i == j ? phi : 0.0));
        }
    for (int i = 0; i < 2; i++) {
        second[i] = third_along(b, i, 0) * d[0] + third_along(b, i, 1) * d[1];
        change += (fabs(b->g[i]) + 0.5 * (h[i][0] * d[0] + h[i][1] * d[1]) + second[i] / 6.0) * d[i];
    }
    double spread = change + (phi + change) * (d[0] * d[0] + d[1] * d[1]); // of Phi(q + x)/(1 + |x|^2)
    for (int i = 0; i < 2; i++) b->rest[i] = 0.5 * second[i] + spread * d[i];
    for (int j = 0; j < 2; j++) {
        double slope = fabs(b->g[j]) + h[j][0] * d[0] + h[j][1] * d[1] + 0.5 * second[j];
        for (int i = 0; i < 2; i++)
            b->turning[i][j] = third_along(b, i, j) + (slope + 2.0 * d[j] * (phi + change)) * d[i];
        b->turning[j][j] += spread;
    }
}

// By the combination y of the equations: y.g is more than y.(A x - r) can be.
static bool is_against(const ss_box* b, double y0, double y1)
{
    double sum = fabs(y0 * b->g[0] + y1 * b->g[1]), most = fabs(y0) * b->rest[0] + fabs(y1) * b->rest[1];
    for (int j = 0; j < 2; j++) most += fabs(y0 * b->a[0][j] + y1 * b->a[1][j]) * b->d[j];
    return sum > most;
}

bool ss_box_is_empty(const ss_box* b)
{
    double s0 = b->rest[0] * b->rest[0], s1 = b->rest[1] * b->rest[1];
    return is_against(b, 1.0, 0.0) || is_against(b, 0.0, 1.0) || is_against(b, b->g[0], b->g[1]) ||
           is_against(b, b->g[0] * s1, b->g[1] * s0) || is_against(b, b->a[1][1], -b->a[0][1]) ||
           is_against(b, -b->a[1][0], b->a[0][0]);
}

// r + A x + J e = ..., J e the loads of its rim in the tangent plane.
bool ss_box_is_empty_beside(const ss_box* b, const ss_view* view, const ss_around* around,
                            const ss_part* part)
{
    double reach2 = 0.0, j[2][2];
    for (int i = 0; i < 2; i++) {
        double most = fabs(b->a[i][0]) * b->d[0] + fabs(b->a[i][1]) * b->d[1] + b->rest[i];
        reach2 += most * most;
    }
    double reach = sqrt(reach2) + view->rough_size, load = hypot(b->g[0], b->g[1]);
    if (load > part->size + reach) return true;
    for (int k = 0; k < 2; k++) ss_tangential(part->load[k], (double(*)[3])around->t, j[k]);
    double det = j[0][0] * j[1][1] - j[1][0] * j[0][1];
    double a = j[0][0] * j[0][0] + j[0][1] * j[0][1], c = j[1][0] * j[1][0] + j[1][1] * j[1][1];
    double cross = j[0][0] * j[1][0] + j[0][1] * j[1][1], large2 = 0.5 * (a + c + hypot(a - c, 2.0 * cross));
    double least = fabs(det) / sqrt(large2); // smaller singular value of J
    double x = (b->g[0] * j[1][1] - b->g[1] * j[1][0]) / det,
           y = (b->g[1] * j[0][0] - b->g[0] * j[0][1]) / det;
    return isfinite(x + y) && least * fabs(hypot(x, y) - 1.0) > reach;
}

// With lengths measured by d the inverse of A times what A can change by is less than a half.
bool ss_box_is_settled(const ss_box* b)
{
    double det = b->a[0][0] * b->a[1][1] - b->a[0][1] * b->a[1][0];
    const double adjoint[2][2] = {{fabs(b->a[1][1]), fabs(b->a[0][1])}, {fabs(b->a[1][0]), fabs(b->a[0][0])}};
    for (int i = 0; i < 2; i++) {
        double sum = 0.0;
        for (int k = 0; k < 2; k++)
            sum += adjoint[i][k] * (b->turning[k][0] * b->d[0] + b->turning[k][1] * b->d[1]);
        if (!(sum < 0.5 * fabs(det) * b->d[i])) return false;
    }
    return true;
}

void ss_box_blame(const ss_box* b, double blame[2])
{
    for (int k = 0; k < 2; k++) {
        blame[k] = 0.0;
        for (int i = 0; i < 2; i++) blame[k] += (fabs(b->a[i][k]) + third_along(b, i, k)) * b->d[i] * b->d[k];
    }
}
