// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What `surface` answers.
#include "json.h"
#include "surface.h"

#include <math.h>

static const char* const stability_names[] = {"stable", "unstable", "neutral"};

static void put_numbers(cli_json* json, const char* key, const double x[], int count)
{
    cli_json_key(json, key);
    cli_json_array(json, false);
    for (int i = 0; i < count; i++) cli_json_number(json, x[i]);
    cli_json_end(json);
}

void cli_load_json(const double motion[3], const ss_sliding_load* answer, FILE* out)
{
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, true);
    put_numbers(&json, "motion", motion, 3);
    put_numbers(&json, "load", answer->load, 3);
    cli_json_put_number(&json, "power", answer->power);
    cli_json_put_bool(&json, "facet", answer->facet);
    cli_json_end(&json);
}

void cli_load_text(const double motion[3], const ss_sliding_load* answer, FILE* out)
{
    fprintf(out, "at (%g m/s, %g m/s, %g rad/s) the load on the ground is (%.9g N, %.9g N, %.9g N*m)\n",
            motion[0], motion[1], motion[2], answer->load[0] + 0.0, answer->load[1] + 0.0,
            answer->load[2] + 0.0);
    fprintf(out, "  power %.9g W\n", answer->power);
    if (answer->facet)
        fputs("  on a facet: some support does not move, and exerts what this motion asks\n", out);
}

void cli_first_motion_json(const ss_first_motion* answer, FILE* out)
{
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, true);
    cli_json_put_bool(&json, "sticks", answer->sticks);
    put_numbers(&json, "load", answer->load, 3);
    put_numbers(&json, "acceleration", answer->acceleration, 3);
    cli_json_put_number(&json, "gauge", answer->gauge);
    cli_json_end(&json);
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

static void put_direction(cli_json* json, const ss_eigen_direction* d, const double* share)
{
    cli_json_object(json, false);
    put_numbers(json, "q", d->q, 3);
    put_numbers(json, "load", d->load, 3);
    cli_json_put_number(json, "magnitude", d->magnitude);
    put_numbers(json, "radii", d->radii, 2);
    cli_json_put_text(json, "stability", stability_names[d->stability]);
    if (isnan(d->center[0])) {
        cli_json_key(json, "center_of_rotation");
        cli_json_null(json);
    } else {
        put_numbers(json, "center_of_rotation", d->center, 2);
    }
    if (d->is_circle) {
        cli_json_put_text(json, "family", "circle");
        put_numbers(json, "axis", d->axis, 3);
    }
    if (share) cli_json_put_number(json, "basin", *share);
    cli_json_end(json);
}

void cli_eigen_json(const ss_eigen_set* set, const double shares[], FILE* out)
{
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, true);
    cli_json_key(&json, "eigen_directions");
    cli_json_array(&json, true);
    for (int k = 0; k < set->count; k++) put_direction(&json, &set->items[k], shares ? &shares[k] : NULL);
    cli_json_end(&json);
    cli_json_put_bool(&json, "complete", set->complete);
    cli_json_key(&json, "euler");
    if (set->has_euler)
        cli_json_number(&json, set->euler);
    else
        cli_json_null(&json);
    cli_json_end(&json);
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
    fprintf(out, "  %-8s (%9.6f, %9.6f, %9.6f)  |P| %.6f  radii", stability_names[d->stability],
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

static void put_facet(cli_json* json, const ss_facet* f)
{
    char name[32];
    snprintf(name, sizeof name, "support%d", f->support + 1);
    cli_json_object(json, false);
    cli_json_put_text(json, "support", name);
    put_numbers(json, "normal", f->normal, 3);
    put_numbers(json, "center", f->center, 3);
    cli_json_key(json, "axes");
    cli_json_array(json, false);
    for (int a = 0; a < 2; a++) {
        cli_json_array(json, false);
        for (int i = 0; i < 3; i++) cli_json_number(json, f->axes[a][i]);
        cli_json_end(json);
    }
    cli_json_end(json);
    cli_json_put_number(json, "distance", f->distance);
    cli_json_end(json);
}

void cli_faces_json(const ss_facet facets[], int count, const ss_vertex_set* vertices, FILE* out)
{
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, true);
    cli_json_key(&json, "facets");
    cli_json_array(&json, true);
    for (int k = 0; k < count; k++) put_facet(&json, &facets[k]);
    cli_json_end(&json);
    cli_json_key(&json, "vertices");
    cli_json_array(&json, true);
    for (int k = 0; k < vertices->count; k++) {
        cli_json_object(&json, false);
        put_numbers(&json, "load", vertices->items[k].load, 3);
        put_numbers(&json, "motion", vertices->items[k].motion, 3);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_end(&json);
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

void cli_written_json(const char* path, FILE* out)
{
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, true);
    cli_json_put_text(&json, "out", path);
    cli_json_end(&json);
}
