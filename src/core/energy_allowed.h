// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What bodies and sliders share of the energy ledger: how large its residual may be.
#ifndef SLIPSTICK_CORE_ENERGY_ALLOWED_H
#define SLIPSTICK_CORE_ENERGY_ALLOWED_H

/// Share of the largest entry that rounding may take. Chosen, not proved, from the 25 models of this tree and
/// the runs that were found wrong: residuals of right runs reached at most 2.3e-12 of the largest entry,
/// those of wrong ones began at 3.3e-6.
#define SS_ENERGY_ROUNDING 1e-11

/// What rounding and the tolerance allow the residual of these entries to be, J. The tolerance is that of a
/// flow that is not closed form, 0 for one that is; each event adds its rounding. See docs/theory/energy.md,
/// (2).
double ss_energy_allowed(const double entries[], int count, double tolerance, long events);

#endif
