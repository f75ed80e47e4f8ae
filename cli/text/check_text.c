// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `check` for people.
#include "text/check_text.h"

#include <math.h>
#include <string.h>

enum { SMALL = 8 }; // matrices up to this size, and lists up to this length, are shown

static const char* plural(int count) { return count == 1 ? "" : "s"; }

static void size_line(const ss_check* f, FILE* out)
{
    int bodies = ss_model_body_count(f->model), driven = 0;
    for (int b = 0; b < bodies; b++) driven += ss_model_body_is_driven(f->model, b);
    const char* contacts = f->contacts == 1 ? "contact" : "contacts";
    if (ss_model_is_matrices(f->model))
        fprintf(out, "  given by matrices: %d coordinate%s, %d %s\n", f->n, plural(f->n), f->contacts,
                contacts);
    else
        fprintf(out, "  %d bod%s (%d driven), %d independent coordinate%s, %d %s\n", bodies,
                bodies == 1 ? "y" : "ies", driven, f->n, plural(f->n), f->contacts, contacts);
    fprintf(out, "  between events the motion is %s\n",
            ss_model_is_linear(f->model) ? "linear: closed form"
                                         : "not linear: integrated to --tolerance (default 1e-10)");
    fprintf(out, "  runs until t = %g s\n", ss_model_until(f->model));
}

static void body_list(const ss_check* f, FILE* out)
{
    int count = ss_model_body_count(f->model);
    fputs("\n  start\n", out);
    for (int b = 0; b < count; b++) {
        bool angular = ss_model_body_is_angular(f->model, b);
        fprintf(out, "    %s: x = %g %s, v = %g %s%s\n", ss_model_body_name(f->model, b),
                ss_model_start_x(f->model, b) + 0.0, angular ? "rad" : "m",
                ss_model_start_v(f->model, b) + 0.0, angular ? "rad/s" : "m/s",
                ss_model_body_is_driven(f->model, b) ? ", driven" : "");
    }
}

// The stiffness that holds the one coordinate on which the contact acts, per unit of its own displacement;
// 0 where it acts on several or nothing holds it.
static double own_stiffness(const ss_check* f, int contact)
{
    int found = -1;
    for (int i = 0; f->W && i < f->n; i++) {
        if (f->W[(size_t)i * (size_t)f->contacts + (size_t)contact] == 0) continue;
        if (found >= 0) return 0;
        found = i;
    }
    if (found < 0) return 0;
    double w = f->W[(size_t)found * (size_t)f->contacts + (size_t)contact];
    return f->K[(size_t)found * (size_t)f->n + (size_t)found] / (w * w);
}

static void stick_band(const ss_check* f, int contact, double level, FILE* out)
{
    double stiffness = own_stiffness(f, contact);
    bool angular = ss_model_contact_is_angular(f->model, contact);
    if (!(stiffness > 0) || !isfinite(level / stiffness)) return;
    fprintf(out,
            "\n      alone, its spring (%g %s) is held within %g %s of its rest (friction over stiffness)",
            stiffness, angular ? "N*m/rad" : "N/m", level / stiffness, angular ? "rad" : "m");
}

static void coulomb_line(const ss_check* f, int contact, const char* unit, FILE* out)
{
    ss_coulomb law = ss_model_contact_coulomb(f->model, contact);
    bool even = law.forward == law.backward && law.static_forward == law.static_backward;
    if (even) {
        fprintf(out, "sticks while %g %s suffices to hold it, slips against %g %s", law.static_forward, unit,
                law.forward, unit);
        stick_band(f, contact, law.static_forward, out);
        return;
    }
    fprintf(out, "forward: sticks up to %g %s, slips against %g %s; backward: up to %g %s, against %g %s",
            law.static_forward, unit, law.forward, unit, law.static_backward, unit, law.backward, unit);
}

static void stribeck_line(const ss_check* f, int contact, const char* unit, FILE* out)
{
    ss_stribeck law = ss_model_contact_stribeck(f->model, contact);
    bool angular = ss_model_contact_is_angular(f->model, contact);
    fprintf(out, "sticks while %g %s suffices to hold it, slips against %g %s falling to %g %s around %g %s",
            law.static_level, unit, law.static_level, unit, law.coulomb, unit, law.speed,
            angular ? "rad/s" : "m/s");
    if (law.viscous > 0) fprintf(out, ", plus %g %s*s/%s", law.viscous, unit, angular ? "rad" : "m");
    stick_band(f, contact, law.static_level, out);
}

static void stop_line(const ss_check* f, int contact, FILE* out)
{
    ss_rigid_stop law = ss_model_contact_rigid_stop(f->model, contact);
    const char* unit = ss_model_contact_is_angular(f->model, contact) ? "rad" : "m";
    fprintf(out, "x stays %s %g %s; an impact returns %g of the speed, %g of the energy",
            law.side > 0 ? "below" : "above", law.position, unit, law.restitution,
            law.restitution * law.restitution);
}

// Restitution at the speeds of everyday impacts, exact and as the paper's first order says.
static void elastic_line(const ss_check* f, int contact, const char* unit, FILE* out)
{
    ss_hunt_crossley law = ss_model_contact_hunt_crossley(f->model, contact);
    const char* length = ss_model_contact_is_angular(f->model, contact) ? "rad" : "m";
    fprintf(out, "%g %s/%s", law.stiffness, unit, length);
    if (law.exponent != 1) fprintf(out, "^%g", law.exponent);
    fprintf(out, " when x is %s %g %s", law.side > 0 ? "above" : "below", law.position, length);
    if (law.alpha == 0) {
        fputs(", without loss", out);
        return;
    }
    fputs("\n      a free body leaves with this share of its speed (exact; first order 1 - alpha v)", out);
    for (int k = 0; k < SS_IMPACT_SPEEDS; k++)
        fprintf(out, "\n      %6g %s/s: %.6f (%.6f)", ss_impact_speeds()[k], length,
                ss_hunt_crossley_restitution(&law, ss_impact_speeds()[k]),
                ss_hunt_crossley_restitution_first_order(&law, ss_impact_speeds()[k]));
}

static void contact_list(const ss_check* f, FILE* out)
{
    if (f->contacts > 0) fputs("\n  contacts (mode at t = 0)\n", out);
    for (int c = 0; c < f->contacts; c++) {
        const char* unit = ss_model_contact_is_angular(f->model, c) ? "N*m" : "N";
        ss_law_kind law = ss_model_contact_law(f->model, c);
        fprintf(out, "    %s: %s (%s), ", ss_model_contact_name(f->model, c), ss_law_name(law),
                ss_mode_name(f->modes[c]));
        if (law == SS_LAW_COULOMB) coulomb_line(f, c, unit, out);
        if (law == SS_LAW_STRIBECK) stribeck_line(f, c, unit, out);
        if (law == SS_LAW_RIGID_STOP) stop_line(f, c, out);
        if (law == SS_LAW_HUNT_CROSSLEY) elastic_line(f, c, unit, out);
        cli_bristle_line(f, c, unit, out);
        fputc('\n', out);
    }
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

static void frequencies(const ss_check* f, FILE* out)
{
    if (!f->stiffness || f->n == 0 || f->n > 4 * SMALL) return;
    fputs("\n  undamped frequencies without friction:", out);
    for (int k = 0; k < f->n; k++) {
        double omega = sqrt(fabs(f->stiffness[k]));
        double least = 1e-8 * sqrt(fabs(f->stiffness[f->n - 1])); // below, it is rounding
        if (omega <= least)
            fprintf(out, "%s free", k ? "," : "");
        else
            fprintf(out, "%s %g rad/s%s", k ? "," : "", omega, f->stiffness[k] < 0 ? " (unstable)" : "");
    }
    fputc('\n', out);
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
    if (check->warning_count > 0) fputs("\n  warnings\n", out);
    for (int k = 0; k < check->warning_count; k++) fprintf(out, "    %s\n", check->warnings[k]);
}
