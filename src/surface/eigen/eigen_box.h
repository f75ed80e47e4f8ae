// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The equations of an eigen-direction in a cell of the sphere, with bounds on all that is not linear in them.
#ifndef SLIPSTICK_SURFACE_EIGEN_BOX_H
#define SLIPSTICK_SURFACE_EIGEN_BOX_H

#include "slider/surface/load_field.h"

/// g + A x = r at q + x_0 t_0 + x_1 t_1, |x_i| <= d_i, |r_i| <= rest_i.
typedef struct ss_box {
    double d[2];
    double g[2];          ///< tangential load at q
    double a[2][2];       ///< second derivative of Phi along the sphere there
    double bend[4];       ///< of the view
    double rest[2];       ///< of what is not linear
    double turning[2][2]; ///< how much the derivatives of the equations can change
} ss_box;

void ss_box_set(const ss_view* view, const ss_around* around, ss_box* out);
/// No x of the cell solves the equations.
bool ss_box_is_empty(const ss_box* box);
/// The same where the load of one point, any of its rim, is to be added (view->rough).
bool ss_box_is_empty_beside(const ss_box* box, const ss_view* view, const ss_around* around,
                            const ss_part* part);
/// There is at most one solution, and Newton's method from q finds it.
bool ss_box_is_settled(const ss_box* box);
/// How much the size along t_0 and t_1 contributes to what stays open.
void ss_box_blame(const ss_box* box, double blame[2]);

#endif
