// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What `check` says of contacts with bristles: whether they can give energy, how they ring, what never dies
// out.
#include "text/check_text.h"

#include <math.h>

static void resonance(const ss_check* f, int contact, double sigma0, double sigma, FILE* out)
{
    double mass = ss_model_contact_mass(f->model, contact);
    double ratio = ss_lugre_damping_ratio(&(ss_lugre){.sigma0 = sigma0, .sigma1 = sigma}, mass);
    if (!isfinite(mass)) return;
    fprintf(out, "\n      bristle resonance at %g rad/s, damping ratio %g: ", sqrt(sigma0 / mass), ratio);
    if (ratio == 0)
        fputs("small swings die out as 1/time", out);
    else
        fputs(ratio < 1 ? "small swings die out exponentially" : "no ringing", out);
}

static void lugre_line(const ss_check* f, int contact, const char* unit, FILE* out)
{
    ss_lugre law = ss_model_contact_lugre(f->model, contact);
    bool angular = ss_model_contact_is_angular(f->model, contact);
    const char *way = angular ? "rad" : "m", *of = angular ? "*m" : "";
    fprintf(out, "slides against %g %s", law.coulomb, unit);
    if (law.static_level > law.coulomb)
        fprintf(out, " (up to %g %s below %g %s/s)", law.static_level, unit, law.speed, way);
    fprintf(out, " after some %g %s, bristles of %g %s/%s", law.coulomb / law.sigma0, way, law.sigma0, unit,
            way);
    if (ss_lugre_is_passive(&law))
        fprintf(out,
                "\n      passive: sigma2 = %g is at least sigma1 (static - coulomb)/coulomb = %g N%s*s/%s"
                "\n      V = kinetic energy + sigma0 z^2/2 never grows, and |z| <= static/sigma0 = %g %s "
                "stays true",
                law.sigma2, ss_lugre_threshold(&law), of, way, law.static_level / law.sigma0, way);
    else
        fprintf(out,
                "\n      not passive: sigma2 = %g is below sigma1 (static - coulomb)/coulomb = %g N%s*s/%s",
                law.sigma2, ss_lugre_threshold(&law), of, way);
    resonance(f, contact, law.sigma0, law.sigma1 + law.sigma2, out);
}

static void dahl_line(const ss_check* f, int contact, const char* unit, FILE* out)
{
    ss_dahl law = ss_model_contact_dahl(f->model, contact);
    const char* way = ss_model_contact_is_angular(f->model, contact) ? "rad" : "m";
    fprintf(out, "tends to %g %s after some %g %s, bristles of %g %s/%s; passive", law.coulomb, unit,
            law.coulomb / law.sigma0, way, law.sigma0, unit, way);
    // Dahl is LuGre without damping where its bristles ring: no more than a change of way costs.
    resonance(f, contact, law.sigma0, 0, out);
}

static void maxwell_line(const ss_check* f, int contact, const char* unit, FILE* out)
{
    const ss_maxwell_slip* law = ss_model_contact_maxwell_slip(f->model, contact);
    const char* way = ss_model_contact_is_angular(f->model, contact) ? "rad" : "m";
    double mass = ss_model_contact_mass(f->model, contact), stiffness = law->sums[0].hold;
    fprintf(out, "%d element%s of %g %s/%s in all, slides against %g %s; passive", law->count,
            law->count == 1 ? "" : "s", stiffness, unit, way, law->sums[law->count].slip, unit);
    fprintf(out, "\n      swings of up to %g %s lose nothing: no element slips", law->reach[0], way);
    if (isfinite(mass)) fprintf(out, " (%g rad/s)", sqrt(stiffness / mass));
}

void cli_bristle_line(const ss_check* f, int contact, const char* unit, FILE* out)
{
    ss_law_kind kind = ss_model_contact_law(f->model, contact);
    if (kind == SS_LAW_LUGRE) lugre_line(f, contact, unit, out);
    if (kind == SS_LAW_DAHL) dahl_line(f, contact, unit, out);
    if (kind == SS_LAW_MAXWELL_SLIP) maxwell_line(f, contact, unit, out);
}
