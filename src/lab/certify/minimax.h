// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The best uniform approximation: minimise over y the largest |b_k + a_k y|, a linear program.
#ifndef SLIPSTICK_LAB_MINIMAX_H
#define SLIPSTICK_LAB_MINIMAX_H

/// a is rows x unknowns, row-major, of full column rank. Fills y and returns the largest |b_k + a_k y| that
/// it leaves: what y really leaves, so that an answer cut short is still a proved upper bound. NaN where
/// memory is missing.
double ss_minimax(const double a[], const double b[], int rows, int unknowns, double y[]);

#endif
