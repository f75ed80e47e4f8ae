// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `check` for a slider, for people: its supports, and what may not be meant.
#include "share/slider_parts.h"
#include "text/check_text.h"

static void load_line(const ss_slider_check* check, FILE* out)
{
    if (!check->has_load) return;
    fprintf(out, "  applied: force (%g N, %g N) %s, moment %g N*m%s\n", check->load[0] + 0.0,
            check->load[1] + 0.0, check->in_body ? "of the body frame" : "in space", check->load[2] + 0.0,
            check->varies ? ", at t = 0; it varies" : "");
}

static const char* floor_words(const ss_slider* s)
{
    bool rough = ss_slider_floor_is_anisotropic(s), moves = ss_slider_floor_moves(s);
    if (rough)
        return moves ? ", on a floor that moves and differs along and across"
                     : ", on a floor that differs along and across";
    return moves ? ", on a floor that moves" : "";
}

void cli_check_slider_text(const ss_slider_check* check, FILE* out)
{
    const ss_slider* s = check->slider;
    double place[3], speed[3];
    int count = ss_slider_support_count(s);
    ss_slider_start(s, place, speed);
    fprintf(out, "%s\n  a rigid body on a plane: mass %g kg, radius of gyration %g m, gravity %g m/s^2\n",
            ss_slider_title(s), ss_slider_mass(s), ss_slider_gyration(s), ss_slider_gravity(s));
    fprintf(out, "  starts at (%g m, %g m, %g rad) with (%g m/s, %g m/s, %g rad/s)\n", place[0] + 0.0,
            place[1] + 0.0, place[2] + 0.0, speed[0] + 0.0, speed[1] + 0.0, speed[2] + 0.0);
    fprintf(out, "  runs until t = %g s\n\n  %d support%s%s\n", ss_slider_until(s), count,
            count == 1 ? "" : "s", floor_words(s));
    for (int k = 0; k < count; k++) {
        double at[2];
        ss_slider_support_place(s, k, at);
        fprintf(out, "    support%d: %s at (%g m, %g m), friction up to %g N\n", k + 1,
                ss_support_kind_name(ss_slider_support_kind(s, k)), at[0] + 0.0, at[1] + 0.0,
                ss_slider_support_level(s, k));
    }
    load_line(check, out);
    for (int k = 0; k < check->warning_count; k++)
        fprintf(out, "%s  warning: %s\n", k ? "" : "\n", check->warnings[k]);
}
