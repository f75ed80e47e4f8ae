// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What `surface` answers to people.
#include "text/surface_text.h"

#include <math.h>

void cli_load_text(const double motion[3], const ss_sliding_load* answer, FILE* out)
{
    fprintf(out, "at (%g m/s, %g m/s, %g rad/s) the load on the ground is (%.9g N, %.9g N, %.9g N*m)\n",
            motion[0], motion[1], motion[2], answer->load[0] + 0.0, answer->load[1] + 0.0,
            answer->load[2] + 0.0);
    fprintf(out, "  power %.9g W\n", answer->power);
    if (answer->facet)
        fputs("  on a facet: some support does not move, and exerts what this motion asks\n", out);
}

void cli_first_motion_text(const ss_first_motion* answer, FILE* out)
{
    if (answer->sticks) {
        fprintf(out, "sticks: the load is inside the limit surface, at %.6g of the way to it\n",
                answer->gauge);
        return;
    }
    const double *a = answer->acceleration, *p = answer->load;
    fprintf(out, "moves: acceleration (%.9g m/s^2, %.9g m/s^2, %.9g rad/s^2)\n", a[0] + 0.0, a[1] + 0.0,
            a[2] + 0.0);
    fprintf(out, "  load on the ground (%.9g N, %.9g N, %.9g N*m)\n", p[0] + 0.0, p[1] + 0.0, p[2] + 0.0);
    fprintf(out, "  the applied load reaches %.6g times as far as the limit surface\n", answer->gauge);
}

void cli_push_text(const ss_push_answer* answer, FILE* out)
{
    const double *m = answer->motion, *f = answer->force;
    const double(*cone)[2] = answer->cone;
    if (answer->mode == SS_MODE_OPEN)
        fputs("open: the finger moves away\n", out);
    else
        fprintf(out,
                "%s: the slider moves with (%.9g m/s, %.9g m/s, %.9g rad/s)\n"
                "  force of the finger (%.9g N, %.9g N)\n",
                ss_mode_name(answer->mode), m[0] + 0.0, m[1] + 0.0, m[2] + 0.0, f[0] + 0.0, f[1] + 0.0);
    fprintf(out, "  motion cone from (%.6g, %.6g) to (%.6g, %.6g)\n", cone[0][0] + 0.0, cone[0][1] + 0.0,
            cone[1][0] + 0.0, cone[1][1] + 0.0);
    if (!answer->determined) fputs("  other motions or forces are as good; these are the smallest\n", out);
}

static void radius_text(double radius, FILE* out)
{
    if (isinf(radius))
        fprintf(out, " %9s", "inf");
    else
        fprintf(out, " %9.6f", radius);
}

static void direction_text(const ss_eigen_direction* d, const double* share, FILE* out)
{
    fprintf(out, "  %-8s (%9.6f, %9.6f, %9.6f)  |P| %.6f  radii", ss_stability_name(d->stability),
            d->q[0] + 0.0, d->q[1] + 0.0, d->q[2] + 0.0, d->magnitude);
    radius_text(d->radii[0], out);
    radius_text(d->radii[1], out);
    if (isnan(d->center[0]))
        fputs("  translation", out);
    else
        fprintf(out, "  about (%.6g, %.6g)", d->center[0] + 0.0, d->center[1] + 0.0);
    if (d->is_circle) fputs(", a circle of them", out);
    if (share && d->stability == SS_STABLE) fprintf(out, "  basin %.3f", *share);
    fputc('\n', out);
}

void cli_eigen_text(const ss_eigen_set* set, const double shares[], FILE* out)
{
    fprintf(out, "%d eigen-directions (units: m g, radius of gyration)\n", set->count);
    for (int k = 0; k < set->count; k++) direction_text(&set->items[k], shares ? &shares[k] : NULL, out);
    if (shares) fputs("  basin: share of 1000 directions of motion, evenly spread\n", out);
    if (!set->complete)
        fputs("  some part of the sphere of motions could not be cleared: there may be more\n", out);
    else if (set->has_euler)
        fputs("  these are all: the whole sphere of motions was cleared, and the count of Euler is 2\n", out);
    else
        fputs("  these are all: the whole sphere of motions was cleared but for what is degenerate\n", out);
}

void cli_faces_text(const ss_facet facets[], int count, const ss_vertex_set* vertices, FILE* out)
{
    fprintf(out, "%d facets, %d vertices (units: m g, radius of gyration)\n", count, vertices->count);
    for (int k = 0; k < count; k++) {
        const ss_facet* f = &facets[k];
        fprintf(out, "  facet  support%d at rest  round (%9.6f, %9.6f, %9.6f)  normal (%9.6f, %9.6f, %9.6f)",
                f->support + 1, f->center[0] + 0.0, f->center[1] + 0.0, f->center[2] + 0.0,
                f->normal[0] + 0.0, f->normal[1] + 0.0, f->normal[2] + 0.0);
        fputs("  half axes", out);
        for (int a = 0; a < 2; a++) {
            const double* x = f->axes[a];
            fprintf(out, " %.6f", sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        }
        fputc('\n', out);
    }
    for (int k = 0; k < vertices->count; k++) {
        const double *p = vertices->items[k].load, *q = vertices->items[k].motion;
        fprintf(out, "  vertex  (%9.6f, %9.6f, %9.6f)  such as at (%9.6f, %9.6f, %9.6f)\n", p[0] + 0.0,
                p[1] + 0.0, p[2] + 0.0, q[0] + 0.0, q[1] + 0.0, q[2] + 0.0);
    }
}
