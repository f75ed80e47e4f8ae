// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What `check` says of contacts with bristles: whether they can give energy, how they ring, what never dies
// out.
#include "check_bristles.h"

#include "check.h"

#include <math.h>

// NaN where there is no such number: nothing with a mass moves.
static double ratio_of(const cli_facts* f, int contact, const ss_lugre* law)
{
    double mass = ss_model_contact_mass(f->model, contact);
    return isfinite(mass) ? ss_lugre_damping_ratio(law, mass) : NAN;
}

static void put_or_null(cli_json* json, const char* key, double value)
{
    cli_json_key(json, key);
    if (isfinite(value))
        cli_json_number(json, value);
    else
        cli_json_null(json);
}

static void put_verdicts(cli_json* json, double threshold, double ratio, double amplitude)
{
    put_or_null(json, "sigma2_threshold", threshold);
    put_or_null(json, "damping_ratio", ratio);
    put_or_null(json, "residual_amplitude", amplitude);
}

static void put_lugre(cli_json* json, const cli_facts* f, int contact)
{
    ss_lugre law = ss_model_contact_lugre(f->model, contact);
    cli_json_put_bool(json, "passive", ss_lugre_is_passive(&law));
    put_verdicts(json, ss_lugre_threshold(&law), ratio_of(f, contact, &law), NAN);
    cli_json_put_number(json, "sigma0", law.sigma0);
    cli_json_put_number(json, "sigma1", law.sigma1);
    cli_json_put_number(json, "sigma2", law.sigma2);
    cli_json_put_number(json, "coulomb", law.coulomb);
    cli_json_put_number(json, "static", law.static_level);
    put_or_null(json, "stribeck_speed", law.speed);
    cli_json_put_number(json, "shape", law.shape);
}

// Dahl is LuGre without damping where its bristles ring: no more than a change of way costs.
static ss_lugre twin_of(const ss_dahl* law)
{
    return (ss_lugre){
        .sigma0 = law->sigma0, .coulomb = law->coulomb, .static_level = law->coulomb, .shape = 2};
}

void cli_put_bristles(cli_json* json, const cli_facts* f, int contact)
{
    ss_law_kind kind = ss_model_contact_law(f->model, contact);
    if (kind == SS_LAW_LUGRE) {
        put_lugre(json, f, contact);
        return;
    }
    cli_json_put_bool(json, "passive", true);
    if (kind == SS_LAW_DAHL) {
        ss_dahl law = ss_model_contact_dahl(f->model, contact);
        ss_lugre twin = twin_of(&law);
        put_verdicts(json, NAN, ratio_of(f, contact, &twin), NAN);
        cli_json_put_number(json, "sigma0", law.sigma0);
        cli_json_put_number(json, "coulomb", law.coulomb);
        cli_json_put_number(json, "shape", law.shape);
        return;
    }
    const ss_maxwell_slip* law = ss_model_contact_maxwell_slip(f->model, contact);
    put_verdicts(json, NAN, NAN, law->reach[0]);
    cli_json_put_number(json, "count", law->count);
    cli_json_put_number(json, "stiffness", law->sums[0].hold);
    cli_json_put_number(json, "breakaway", law->sums[law->count].slip);
}

// ---- text

static void resonance(const cli_facts* f, int contact, const ss_lugre* law, FILE* out)
{
    double mass = ss_model_contact_mass(f->model, contact), ratio = ratio_of(f, contact, law);
    if (!isfinite(mass)) return;
    fprintf(out, "\n      bristle resonance at %g rad/s, damping ratio %g: ", sqrt(law->sigma0 / mass),
            ratio);
    if (ratio == 0)
        fputs("small swings die out as 1/time", out);
    else
        fputs(ratio < 1 ? "small swings die out exponentially" : "no ringing", out);
}

static void lugre_line(const cli_facts* f, int contact, const char* unit, FILE* out)
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
    resonance(f, contact, &law, out);
}

static void dahl_line(const cli_facts* f, int contact, const char* unit, FILE* out)
{
    ss_dahl law = ss_model_contact_dahl(f->model, contact);
    const char* way = ss_model_contact_is_angular(f->model, contact) ? "rad" : "m";
    ss_lugre twin = twin_of(&law);
    fprintf(out, "tends to %g %s after some %g %s, bristles of %g %s/%s; passive", law.coulomb, unit,
            law.coulomb / law.sigma0, way, law.sigma0, unit, way);
    resonance(f, contact, &twin, out);
}

static void maxwell_line(const cli_facts* f, int contact, const char* unit, FILE* out)
{
    const ss_maxwell_slip* law = ss_model_contact_maxwell_slip(f->model, contact);
    const char* way = ss_model_contact_is_angular(f->model, contact) ? "rad" : "m";
    double mass = ss_model_contact_mass(f->model, contact), stiffness = law->sums[0].hold;
    fprintf(out, "%d element%s of %g %s/%s in all, slides against %g %s; passive", law->count,
            law->count == 1 ? "" : "s", stiffness, unit, way, law->sums[law->count].slip, unit);
    fprintf(out, "\n      swings of up to %g %s lose nothing: no element slips", law->reach[0], way);
    if (isfinite(mass)) fprintf(out, " (%g rad/s)", sqrt(stiffness / mass));
}

void cli_bristle_line(const cli_facts* f, int contact, const char* unit, FILE* out)
{
    ss_law_kind kind = ss_model_contact_law(f->model, contact);
    if (kind == SS_LAW_LUGRE) lugre_line(f, contact, unit, out);
    if (kind == SS_LAW_DAHL) dahl_line(f, contact, unit, out);
    if (kind == SS_LAW_MAXWELL_SLIP) maxwell_line(f, contact, unit, out);
}

bool cli_judge_bristles(cli_facts* f, int contact)
{
    const char* name = ss_model_contact_name(f->model, contact);
    if (ss_model_contact_law(f->model, contact) != SS_LAW_LUGRE) return true;
    ss_lugre law = ss_model_contact_lugre(f->model, contact);
    if (ss_lugre_is_passive(&law)) return true;
    return cli_facts_warn(
        f, "contacts.%s: not passive, fast motions may gain energy; sigma2 of at least %g would do", name,
        ss_lugre_threshold(&law));
}
