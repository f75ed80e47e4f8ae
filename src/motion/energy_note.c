// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A word where the energy ledger does not close.
#include "core/energy_allowed.h"
#include "core/number_length.h"
#include "slipstick/motion.h"

#include <math.h>
#include <stdio.h>

bool ss_energy_warning(const ss_energy* e, char* out, size_t size)
{
    if (fabs(e->residual) <= e->allowed) return false;
    if (!isfinite(e->residual))
        snprintf(out, size, "the energy ledger has overflowed: the motion is beyond what numbers hold");
    else if (fabs(e->residual) <= SS_ENERGY_ROUNDING * e->reached)
        ss_format(out, size,
                  "the energy residual, %.1e J, is not small beside the entries of the ledger: energies of "
                  "%.1e J nearly cancel in them",
                  fabs(e->residual), e->reached);
    else
        ss_format(
            out, size,
            "the energy residual, %.1e J, is more than rounding and the tolerance allow, %.1e J: do not "
            "trust all digits of this motion",
            fabs(e->residual), e->allowed);
    return true;
}
