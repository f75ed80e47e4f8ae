// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "text/follow_text.h"
#include "share/model_parts.h"

#include <math.h>

static void report_complex(const double value[2], FILE* out)
{
    fprintf(out, "%.5g", value[0] + 0.0);
    if (value[1] != 0.0) fprintf(out, " %c %.5g i", value[1] < 0.0 ? '-' : '+', fabs(value[1]));
}

// The body that moves most at the ends of the branch: one column is enough for a table that people read.
static int main_body(const ss_solution_branch* branch)
{
    const ss_model* model = ss_solution_branch_model(branch);
    double most = -1.0;
    int found = 0;
    ss_solution_branch_point last = ss_solution_branch_get(branch, ss_solution_branch_count(branch) - 1);
    for (int b = 0; b < ss_model_body_count(model); b++) {
        if (ss_model_body_is_driven(model, b)) continue;
        double size = fabs(ss_solution_branch_is_steady(branch) ? last.x[b] : last.amplitude[b]);
        if (size > most) {
            most = size;
            found = b;
        }
    }
    return found;
}

static void report_point(const ss_solution_branch* branch, const ss_solution_branch_point* point, int body,
                         FILE* out)
{
    bool steady = ss_solution_branch_is_steady(branch);
    fprintf(out, "  %16.9g", point->value);
    if (!steady) fprintf(out, "  %13.9g", point->period);
    fprintf(out, "  %14.9g", steady ? point->x[body] : point->amplitude[body]);
    if (steady)
        fprintf(out, "  %14.9g", point->v[body]);
    else
        fprintf(out, "  %6ld", point->events);
    fprintf(out, "  %-8s  ", point->stable ? "stable" : point->neutral ? "neutral" : "unstable");
    if (point->spectrum_count > 0) report_complex(point->spectrum[0], out);
}

static void report_head(const ss_solution_branch* branch, int body, FILE* out)
{
    const ss_model* model = ss_solution_branch_model(branch);
    char unit[64], label[160], name[300];
    ss_model_coordinate_name(model, body, false, name, sizeof name);
    const char* x = ss_model_body_is_angular(model, body) ? "rad" : "m";
    fprintf(out, "%s over %s", ss_solution_branch_is_steady(branch) ? "steady state" : "cycle",
            ss_solution_branch_path(branch));
    if (*ss_solution_branch_unit(branch, unit, sizeof unit)) fprintf(out, " [%s]", unit);
    fprintf(out, ": %ld points\n\n  %16s", ss_solution_branch_count(branch), "value");
    if (!ss_solution_branch_is_steady(branch)) fprintf(out, "  %13s", "period [s]");
    snprintf(label, sizeof label, "%.42s [%s]", name, x);
    fprintf(out, "  %14s", label);
    if (ss_solution_branch_is_steady(branch))
        snprintf(label, sizeof label, "%.42s [%s/s]",
                 ss_model_coordinate_name(model, body, true, name, sizeof name), x);
    else
        snprintf(label, sizeof label, "events");
    fprintf(out, "  %*s  %-8s  %s\n", ss_solution_branch_is_steady(branch) ? 14 : 6, label, "",
            ss_solution_branch_is_steady(branch) ? "eigenvalue [1/s]" : "multiplier");
}

static void report_special(const ss_solution_branch* branch, int k, int body, FILE* out)
{
    ss_solution_branch_special special = ss_solution_branch_get_special(branch, k);
    report_point(branch, &special.at, body, out);
    fprintf(out, "   <- %s", ss_special_name(special.kind));
    if (special.contact) fprintf(out, " of %s", special.contact);
    if (special.what) fprintf(out, ": %s", special.what);
    fputc('\n', out);
}

void cli_follow_text(const ss_solution_branch* branch, FILE* out)
{
    enum { SHOWN = 24 }; // points of a long branch that are listed; all are in --json and --out
    long count = ss_solution_branch_count(branch);
    long every = count > SHOWN ? (count + SHOWN - 1) / SHOWN : 1;
    int body = main_body(branch), special = 0;
    report_head(branch, body, out);
    for (long k = 0; k < count; k++) {
        ss_solution_branch_point point = ss_solution_branch_get(branch, k);
        if (k % every == 0 || k == count - 1) {
            report_point(branch, &point, body, out);
            fputc('\n', out);
        }
        for (; special < ss_solution_branch_special_count(branch) &&
               ss_solution_branch_get_special(branch, special).after <= k;
             special++)
            report_special(branch, special, body, out);
    }
    fprintf(out, "\nend: %s\n", ss_solution_branch_end(branch));
}
