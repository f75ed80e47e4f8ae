// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `cycle` for people.
#include "text/cycle_text.h"

#include "share/model_parts.h"
#include "text/motion_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void report_multipliers(const ss_cycle* cycle, FILE* out)
{
    fputs("\n  multipliers ", out);
    for (int k = 0; k < ss_cycle_multiplier_count(cycle); k++) {
        double value[2];
        ss_cycle_multiplier(cycle, k, value);
        fprintf(out, "%s%.7g", k > 0 ? ", " : "", value[0] + 0.0);
        if (value[1] != 0.0) fprintf(out, " %c %.7g i", value[1] < 0.0 ? '-' : '+', fabs(value[1]));
    }
    if (ss_cycle_multiplier_count(cycle) == 0) fputs("none", out);
    fputc('\n', out);
}

// The middle of a motion about 0 is 0 but for rounding.
static double told_middle(const ss_cycle* cycle, int body)
{
    double middle = ss_cycle_middle(cycle, body);
    return fabs(middle) <= 1e-13 * ss_cycle_amplitude(cycle, body) ? 0.0 : middle;
}

static void report_drift(const ss_model* model, const ss_cycle* cycle, FILE* out)
{
    int told = 0;
    for (int b = 0; b < ss_model_body_count(model); b++) {
        if (ss_cycle_drift(cycle, b) == 0.0) continue;
        if (told++ == 0) fputs("\n  advances in each period by\n", out);
        fprintf(out, "  %-12s  %16.9g  %s\n", ss_model_body_name(model, b), ss_cycle_drift(cycle, b),
                ss_model_body_is_angular(model, b) ? "rad" : "m");
    }
    for (int k = 0; k < ss_model_state_count(model); k++) {
        char unit[64];
        if (ss_cycle_state_drift(cycle, k) == 0.0) continue;
        if (told++ == 0) fputs("\n  advances in each period by\n", out);
        ss_dimension_format(ss_model_number_dimension(model, k), unit, sizeof unit);
        fprintf(out, "  %-12s  %16.9g  %s\n", ss_model_number_name(model, k), ss_cycle_state_drift(cycle, k),
                strcmp(unit, "1") == 0 ? "" : unit);
    }
}

bool cli_cycle_text(const ss_model* model, const ss_cycle* cycle, FILE* out)
{
    static const char* const words[3][2] = {
        {"unstable", "neighbouring motions do not stay near"},
        {"neutral", "to first order, neighbouring motions neither come nearer nor leave"},
        {"stable", "neighbouring motions come nearer"}};
    const char* const* word = words[ss_cycle_is_stable(cycle) ? 2 : ss_cycle_is_neutral(cycle)];
    fprintf(out, "%s cycle of period %.9g s: %s\n", word[0], ss_cycle_period(cycle), word[1]);
    fprintf(out, "\n  %-12s  %16s  %16s\n", "body", "amplitude", "about x");
    for (int b = 0; b < ss_model_body_count(model); b++)
        if (!ss_model_body_is_driven(model, b))
            fprintf(out, "  %-12s  %16.9g  %16.9g  %s\n", ss_model_body_name(model, b),
                    ss_cycle_amplitude(cycle, b), told_middle(cycle, b),
                    ss_model_body_is_angular(model, b) ? "rad" : "m");
    for (int k = 0; k < ss_model_state_count(model); k++) {
        char unit[64];
        ss_dimension_format(ss_model_number_dimension(model, k), unit, sizeof unit);
        fprintf(out, "  %-12s  %16.9g  %16.9g  %s\n", ss_model_number_name(model, k),
                ss_cycle_state_amplitude(cycle, k), ss_cycle_state_middle(cycle, k),
                strcmp(unit, "1") == 0 ? "" : unit);
    }
    report_drift(model, cycle, out);
    report_multipliers(cycle, out);
    for (int k = 0; ss_cycle_note(cycle, k); k++) fprintf(out, "  (%s)\n", ss_cycle_note(cycle, k));
    size_t count = ss_cycle_event_count(cycle);
    ss_event* events = malloc((count + 1) * sizeof *events);
    for (size_t k = 0; events && k < count; k++) events[k] = ss_cycle_event(cycle, k);
    if (events) cli_list_events(model, events, count, out);
    free(events);
    return events != NULL;
}
