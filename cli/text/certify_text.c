// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `certify` for people: the verdict, the argument, the numbers.
#include "text/certify_text.h"
#include "share/model_parts.h"

#include <math.h>

enum { SMALL = 8 }; // vectors up to this length, and lists up to twice as long, are shown

static void put_vector(FILE* out, const double v[], int count)
{
    fputc('(', out);
    for (int i = 0; i < count && i < SMALL; i++)
        fprintf(out, "%s%.6g", i ? ", " : "", fabs(v[i]) < 1e-15 ? 0.0 : v[i]);
    fputs(count > SMALL ? ", ..)" : ")", out);
}

static void put_coordinates(FILE* out, const ss_model* model)
{
    int n = ss_model_coordinate_count(model);
    fputc('(', out);
    for (int i = 0; i < n && i < SMALL; i++)
        fprintf(out, "%s%s", i ? ", " : "", ss_model_body_name(model, ss_model_coordinate_body(model, i)));
    fputs(n > SMALL ? ", ..)" : ")", out);
}

static void put_steps(FILE* out, const ss_certificate* c)
{
    if (c->step_count > 0)
        fputs("\n  why (numbers in parentheses are equations of van de Wouw and Leine, 2004)\n", out);
    for (int k = 0; k < c->step_count; k++) fprintf(out, "    %d. %s\n", k + 1, c->steps[k]);
}

static void put_damping(FILE* out, const ss_certificate* c)
{
    if (c->n == 0) return;
    fputs("\n  damping: eigenvalues of C\n", out);
    for (int i = 0; i < c->n && i < 2 * SMALL; i++) {
        fprintf(out, "    %.6g along ", c->eigenvalues[i]);
        put_vector(out, &c->eigenvectors[i * c->n], c->n);
        fputc('\n', out);
    }
    if (c->n > 2 * SMALL) fprintf(out, "    .. %d in all, up to %.6g\n", c->n, c->eigenvalues[c->n - 1]);
}

static void put_generators(FILE* out, const cli_certified* answer)
{
    const ss_certificate* c = answer->certificate;
    for (int k = 0; c->set.generators && k < c->contacts && k < 2 * SMALL; k++) {
        fprintf(out, "    generator of %s: ", ss_model_contact_name(answer->model, k));
        put_vector(out, &c->set.generators[k * c->n], c->n);
        fputc('\n', out);
    }
}

static void put_vertices(FILE* out, const ss_certificate* c)
{
    if (c->set.vertex_count == 0) return;
    fprintf(out, "    %d corner%s:", c->set.vertex_count, c->set.vertex_count == 1 ? "" : "s");
    for (int v = 0; v < c->set.vertex_count && v < 2 * SMALL; v++) {
        fputc(' ', out);
        put_vector(out, &c->set.vertices[v * c->n], c->n);
    }
    fputs(c->set.vertex_count > 2 * SMALL ? " ..\n" : "\n", out);
}

static void put_set(FILE* out, const cli_certified* answer)
{
    const ss_certificate* c = answer->certificate;
    const ss_equilibrium_set* set = &c->set;
    if (!set->exists) return;
    fputs("\n  equilibrium set E, all positions at which friction can hold, in ", out);
    put_coordinates(out, answer->model);
    fputs("\n    center of V: ", out);
    put_vector(out, set->center, c->n);
    fputc('\n', out);
    put_generators(out, answer);
    put_vertices(out, c);
    bool outer = !set->generators && c->n > 1;
    fprintf(out, "    half widths%s: ", outer ? " (at most)" : "");
    put_vector(out, set->half_widths, c->n);
    fprintf(out, "\n    largest energy%s: %.6g J\n", set->bound ? " (at most)" : "", set->max_energy);
}

static void put_place(FILE* out, const cli_certified* answer)
{
    if (!answer->point) return;
    const ss_certificate* c = answer->certificate;
    if (!c->set.exists) {
        fputs("\n  whether the point is an equilibrium is not told: there is no set to compare it with\n",
              out);
        return;
    }
    fputs("\n  the point ", out);
    put_vector(out, answer->point, c->n);
    if (answer->place.inside) {
        fprintf(out, " is an equilibrium; its energy is %.6g J\n", answer->place.energy);
        return;
    }
    fprintf(out, " is no equilibrium: %.6g N are missing to hold it", answer->place.excess);
    if (!isnan(answer->place.distance)) fprintf(out, ", and E is %.6g away", answer->place.distance);
    fprintf(out, "; its energy is %.6g J\n", answer->place.energy);
}

void cli_certify_text(const cli_certified* answer, FILE* out)
{
    const ss_certificate* c = answer->certificate;
    fprintf(out, "%s\n  %s%s: %s\n", answer->title, ss_verdict_name(c->verdict),
            c->refuted ? " (refuted)" : "", c->reason);
    put_steps(out, c);
    put_damping(out, c);
    put_set(out, answer);
    put_place(out, answer);
}
