// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Tables of a linear plant that slips on from tick to tick of its controller (sampled/glide.c).
#ifndef SLIPSTICK_ENGINE_FLOW_GLIDE_TABLES_H
#define SLIPSTICK_ENGINE_FLOW_GLIDE_TABLES_H

#include <stdbool.h>

enum { SS_GLIDE_LARGEST = 8, SS_GLIDE_PARTS = 2 };

typedef long double ss_glide_matrix[SS_GLIDE_LARGEST][SS_GLIDE_LARGEST];

struct ss_glide {
    int size;                                     ///< of y
    double a[SS_GLIDE_LARGEST][SS_GLIDE_LARGEST]; ///< A
    double length[SS_GLIDE_PARTS];                ///< s: of a stretch, before and after a delayed write
    double psi[SS_GLIDE_PARTS][SS_GLIDE_LARGEST][SS_GLIDE_LARGEST];
    double bend[SS_GLIDE_PARTS][SS_GLIDE_LARGEST][SS_GLIDE_LARGEST]; ///< contacts x y: h^2/8 |w A| e^(|A| h)
    double* by_memory;                                               ///< y x memory: what c changes by
    bool has_works;
    /// Quadratic forms of (y, y'), both at the start, 2 y x 2 y: works on a stretch (linear_works.h).
    double *damping[SS_GLIDE_PARTS], *input[SS_GLIDE_PARTS];
};

/// Psi of length h, and e^(A h), by their series for a small part of h, which is doubled. da: how A changes,
/// or NULL; then dpsi is how Psi does.
void ss_glide_integrate(int n, ss_glide_matrix a, ss_glide_matrix da, double h, ss_glide_matrix psi,
                        ss_glide_matrix dpsi, ss_glide_matrix flow);
/// The form of the work v^T F y per second over a stretch of length h, with n speeds behind n places and F of
/// n x size.
void ss_glide_form(int n, int size, ss_glide_matrix a, const double f[], double h, double form[]);

#endif
