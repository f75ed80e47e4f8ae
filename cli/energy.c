// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A word where the energy ledger does not close: the cheapest sign that a motion is not what it should be.
#include "report.h"

#include <math.h>

enum { SIZE = 200 };

static bool warning(const ss_energy* e, char text[SIZE])
{
    const double rounding = 1e-11; // of what the energies have reached
    if (fabs(e->residual) <= e->allowed) return false;
    if (!isfinite(e->residual))
        snprintf(text, SIZE, "the energy ledger has overflowed: the motion is beyond what numbers hold");
    else if (fabs(e->residual) <= rounding * e->reached)
        snprintf(
            text, SIZE,
            "the energy residual, %.1e J, is not small beside the entries of the ledger: energies of %.1e J "
            "nearly cancel in them",
            fabs(e->residual), e->reached);
    else
        snprintf(text, SIZE,
                 "the energy residual, %.1e J, is more than rounding and the tolerance allow, %.1e J: do not "
                 "trust "
                 "all digits of this motion",
                 fabs(e->residual), e->allowed);
    return true;
}

void cli_put_warnings(cli_json* json, const ss_energy* e)
{
    char text[SIZE];
    cli_json_key(json, "warnings");
    cli_json_array(json, true);
    if (warning(e, text)) cli_json_text(json, text);
    cli_json_end(json);
}

void cli_tell_warnings(const ss_energy* e, FILE* out)
{
    char text[SIZE];
    if (warning(e, text)) fprintf(out, "\n  warning: %s\n", text);
}
