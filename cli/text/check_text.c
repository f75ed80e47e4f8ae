// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `check` for people.
#include "text/check_text.h"
#include "share/model_parts.h"

#include <math.h>
#include <string.h>

enum { MANY = 40 }; // bodies of which only those are listed that do not start at 0
enum { SMALL = 8 }; // matrices up to this size, and lists up to this length, are shown

static const char* plural(int count) { return count == 1 ? "" : "s"; }

// Ties whose force is told: their coordinates all stay, and they hold them together.
static int named_ties(const ss_model* model)
{
    int count = 0, end = ss_model_state_count(model) + ss_model_signal_count(model);
    for (int k = 0; k < end; k++) {
        ss_number_info number = ss_model_get_number(model, k);
        count += number.force_of && number.of_tie;
    }
    return count;
}

static void size_line(const ss_check* f, FILE* out)
{
    int given = ss_model_get_info(f->model).matrix_count, bodies = ss_model_body_count(f->model) - given;
    int driven = 0;
    for (int b = given; b < given + bodies; b++) driven += ss_model_body_is_driven(f->model, b);
    const char* contacts = f->contacts == 1 ? "contact" : "contacts";
    int ties = named_ties(f->model);
    char held[40] = "";
    if (ties > 0) snprintf(held, sizeof held, " with %d tie%s", ties, plural(ties));
    if (given > 0) fprintf(out, "  %d coordinate%s given by matrices", given, plural(given));
    if (given > 0 && bodies == 0)
        fprintf(out, ", %d %s\n", f->contacts, contacts);
    else
        fprintf(out, "%s%d bod%s (%d driven), %d %scoordinate%s%s, %d %s\n", given > 0 ? ", " : "  ", bodies,
                bodies == 1 ? "y" : "ies", driven, f->n, ties > 0 ? "" : "independent ", plural(f->n), held,
                f->contacts, contacts);
    fprintf(out, "  between events the motion is %s\n",
            ss_model_is_linear(f->model) ? "linear: closed form"
                                         : "not linear: integrated to --tolerance (default 1e-10)");
    char part[160];
    if (ss_model_not_affine(f->model, part, sizeof part))
        fprintf(out, "  %s is not affine in the motion\n", part);
    fprintf(out, "  runs until t = %g s\n", ss_model_until(f->model));
}

static void body_list(const ss_check* f, FILE* out)
{
    int count = ss_model_body_count(f->model);
    int still = 0;
    fputs("\n  start\n", out);
    for (int b = 0; b < count; b++) {
        bool moved = ss_model_start_x(f->model, b) != 0.0 || ss_model_start_v(f->model, b) != 0.0;
        bool hidden = count > MANY && !moved && !ss_model_body_is_driven(f->model, b);
        still += hidden;
        if (hidden) continue;
        bool angular = ss_model_body_is_angular(f->model, b);
        fprintf(out, "    %s: x = %g %s, v = %g %s%s\n", ss_model_body_name(f->model, b),
                ss_model_start_x(f->model, b) + 0.0, angular ? "rad" : "m",
                ss_model_start_v(f->model, b) + 0.0, angular ? "rad/s" : "m/s",
                ss_model_body_is_driven(f->model, b) ? ", driven" : "");
    }
    if (still > 0) fprintf(out, "    %d %s: x = 0, v = 0\n", still, still < count ? "others" : "in all");
}

static void contact_list(const ss_check* f, FILE* out)
{
    if (f->contacts > 0) fputs("\n  contacts (mode at t = 0)\n", out);
    for (int c = 0; c < f->contacts; c++)
        fprintf(out, "    %s: %s (%s), %s\n", ss_model_contact_name(f->model, c),
                ss_model_contact_law_name(f->model, c), ss_mode_name(f->modes[c]), f->laws[c]);
}

static void matrix(const char* name, const double a[], int rows, int columns, FILE* out)
{
    if (rows == 0 || columns == 0) return;
    for (int i = 0; i < rows; i++) {
        fprintf(out, "    %s [", i == 0 ? name : "   ");
        for (int j = 0; j < columns; j++) fprintf(out, " %10.6g", a[i * columns + j] + 0.0);
        fputs(" ]\n", out);
    }
}

static void matrices(const ss_check* f, FILE* out)
{
    if (!f->M || f->n > SMALL || f->contacts > SMALL || f->n == 0) return;
    fputs("\n  M q'' + C q' + K q = f + W lambda, q = (", out);
    for (int k = 0; k < f->n; k++)
        fprintf(out, "%s%s", k ? ", " : "",
                ss_model_body_name(f->model, ss_model_coordinate_body(f->model, k)));
    fputs(")\n", out);
    matrix("M =", f->M, f->n, f->n, out);
    matrix("C =", f->C, f->n, f->n, out);
    matrix("K =", f->K, f->n, f->n, out);
    matrix("W =", f->W, f->n, f->contacts, out);
}

static void elongation(const ss_model* model, const ss_cubic_spring* c, FILE* out)
{
    for (int k = 0; k < c->body_count; k++) {
        double factor = c->factors[k];
        fprintf(out, "%s", factor < 0 ? (k ? " - " : "-") : k ? " + " : "");
        if (fabs(factor) != 1) fprintf(out, "%g ", fabs(factor));
        fputs(ss_model_body_name(model, c->bodies[k]), out);
    }
    if (c->length != 0) fprintf(out, " %c %g", c->length > 0 ? '-' : '+', fabs(c->length));
}

// The matrices do not show them.
static void cubic_springs(const ss_check* f, FILE* out)
{
    if (f->cubic_count > 0) fputs("\n  cubic springs, beside K (SI)\n", out);
    for (int i = 0; i < f->cubic_count && i < SMALL; i++) {
        fprintf(out, "    connections[%d]: pulls with %g e^3, e = ", f->cubic[i].connection,
                f->cubic[i].cubic);
        elongation(f->model, &f->cubic[i], out);
        fputc('\n', out);
    }
    if (f->cubic_count > SMALL) fprintf(out, "    ... (%d more)\n", f->cubic_count - SMALL);
}

static void eigenvalues(const double values[], int count, FILE* out)
{
    for (int k = 0, shown = 0; k < count; k++) {
        double re = values[2 * k], im = values[2 * k + 1];
        if (im < 0.0) continue; // with its conjugate
        fprintf(out, "%s %g", shown++ > 0 ? "," : "", re);
        if (im > 0.0) fprintf(out, " +- %g i", im);
    }
    fputc('\n', out);
}

static void equilibria(const ss_check* f, FILE* out)
{
    if (f->equilibrium_count > 0 && f->equilibria[0].eigenvalue_count <= 4 * SMALL)
        fputs("\n  would stand without friction at (eigenvalues in 1/s)\n", out);
    for (int e = 0; e < f->equilibrium_count && f->equilibria[e].eigenvalue_count <= 4 * SMALL; e++) {
        const ss_equilibrium* at = &f->equilibria[e];
        char name[300];
        for (int b = 0; b < ss_model_body_count(f->model); b++)
            fprintf(out, "%s %s = %g", b ? "," : "   ",
                    ss_model_coordinate_name(f->model, b, false, name, sizeof name), at->x[b] + 0.0);
        for (int j = 0; j < ss_model_state_count(f->model); j++)
            fprintf(out, ", %s = %g", ss_model_state_name(f->model, j), at->states[j] + 0.0);
        fputs(":", out);
        eigenvalues(at->eigenvalues, at->eigenvalue_count, out);
    }
}

// States, signals, inputs and memory of an open model, and how its linear motion goes.
static void open_parts(const ss_check* f, FILE* out)
{
    for (int kind = 0, k = 0; kind < SS_NUMBER_KINDS; kind++) {
        int count = ss_model_number_count(f->model, kind);
        if (count > 0) fprintf(out, "\n  %s\n", ss_number_kind_name(kind));
        for (int first = k, end = k + count; k < end; k++) {
            char unit[64];
            ss_dimension_format(ss_model_number_dimension(f->model, k), unit, sizeof unit);
            fprintf(out, "    %s, in %s", ss_model_number_name(f->model, k),
                    strcmp(unit, "1") ? unit : "plain numbers");
            if (kind == 0) fprintf(out, ", starts at %g", ss_model_state_start(f->model, k - first));
            fputc('\n', out);
        }
    }
    if (f->eigenvalue_count > 0 && f->eigenvalue_count <= 4 * SMALL) {
        fputs("\n  eigenvalues while everything slips (1/s):", out);
        eigenvalues(f->eigenvalues, f->eigenvalue_count, out);
    }
    equilibria(f, out);
}

static void damping_ratio(double ratio, FILE* out)
{
    if (ratio > 0.0) fprintf(out, " (damping %.3g %%)", 100.0 * ratio);
    if (ratio < 0.0) fprintf(out, " (grows, damping %.3g %%)", 100.0 * ratio);
}

static void frequencies(const ss_check* f, FILE* out)
{
    if (f->mode_count == 0) return;
    fputs("\n  frequencies without friction:", out);
    for (int k = 0; k < f->mode_count; k++) {
        double hertz = f->vibrations[k].frequency;
        fputs(k ? ", " : " ", out);
        if (isnan(hertz))
            fputs("none (unstable)", out);
        else if (hertz == 0.0)
            fputs("free", out);
        else
            fprintf(out, "%g Hz", hertz);
        damping_ratio(f->vibrations[k].damping, out);
    }
    fputs(f->mode_count == SS_CHECK_MODES && f->n > SS_CHECK_MODES ? ", ..\n" : "\n", out);
    double left_out = ss_model_get_info(f->model).first_left_out;
    if (!isnan(left_out)) fprintf(out, "  the reduction left out modes from %g Hz on\n", left_out);
}

void cli_check_text(const ss_check* check, FILE* out)
{
    fprintf(out, "%s\n", ss_model_title(check->model));
    size_line(check, out);
    body_list(check, out);
    contact_list(check, out);
    matrices(check, out);
    cubic_springs(check, out);
    frequencies(check, out);
    open_parts(check, out);
    if (check->warning_count > 0) fputs("\n  warnings\n", out);
    for (int k = 0; k < check->warning_count; k++) fprintf(out, "    %s\n", check->warnings[k]);
}
