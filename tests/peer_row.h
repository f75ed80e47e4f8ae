// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A second opinion on rows of blocks, from the formulas of the laws alone: extrapolated midpoint steps of
// order 14 that never reach over a place where a formula changes, and modes of its own. Each block lies on a
// floor of its own, so each contact decides for itself.
#ifndef TESTS_PEER_ROW_H
#define TESTS_PEER_ROW_H

#include "random_row.h"

enum { PEER_ROW_NUMBERS = 2 + ROW_ELEMENTS }; ///< x, v, then z or what each element has

typedef double peer_row_state[ROW_BLOCKS][PEER_ROW_NUMBERS];

/// States at the given times. False where it has doubts: a decision that hangs on next to nothing, or steps
/// that become too short.
bool peer_row_run(const random_row* row, double tolerance, const double times[], int count,
                  peer_row_state out[]);

#endif
