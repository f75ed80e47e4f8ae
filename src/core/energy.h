// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What bodies and sliders share of the energy ledger: how large its residual may be.
#ifndef SLIPSTICK_CORE_ENERGY_H
#define SLIPSTICK_CORE_ENERGY_H

/// What rounding and the tolerance allow the residual of these entries to be, J. The tolerance is that of a
/// flow that is not closed form, 0 for one that is; each event adds its rounding. See docs/theory/energy.md,
/// (2).
double ss_energy_allowed(const double entries[], int count, double tolerance, long events);

#endif
