// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Any law alone, as in a real-time loop: its force at a point, and its steps in memory of the caller. Each
// law's physics stands in its own file; here is who asks which.
#include "law/formula/formula.h"
#include "law/table.h"
#include "share/error.h"
#include "share/law.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- laws that are made of others, or of a formula

// Elements: one alone is a law of its own.
static ss_maxwell_def elements_of(const ss_law_def* law)
{
    if (law->kind == SS_LAW_JENKINS)
        return (ss_maxwell_def){&law->jenkins.stiffness, &law->jenkins.breakaway, 1};
    return law->kind == SS_LAW_MAXWELL_SLIP ? law->maxwell_slip : (ss_maxwell_def){0};
}

static bool has_elements(const ss_law_def* law)
{
    return law->kind == SS_LAW_JENKINS || law->kind == SS_LAW_MAXWELL_SLIP;
}

// One of the two stops of backlash, as a law.
static ss_law_def half_of(const ss_law_def* law, int which)
{
    ss_law_def half = {0};
    half.kind = ss_law_half(&law->backlash, which, &half.coulomb);
    return half;
}

static bool is_formula(const ss_law_def* law) { return ss_formula_law_count(law->kind) > 0; }

static struct ss_formula_numbers value_of(const ss_law_def* law, double z, double v)
{
    return ss_formula_value(ss_law_entry(law->kind), &law->formula, v, z);
}

ss_status ss_law_check(const ss_law_def* law, ss_error* err)
{
    if (is_formula(law)) return ss_formula_law_check(law->kind, &law->formula, err);
    switch (law->kind) {
    case SS_LAW_COULOMB: return ss_coulomb_check(&law->coulomb, err);
    case SS_LAW_STRIBECK: return ss_stribeck_check(&law->stribeck, err);
    case SS_LAW_CURVE: return ss_curve_check(&law->curve, err);
    case SS_LAW_RIGID_STOP: return ss_rigid_stop_check(&law->rigid_stop, err);
    case SS_LAW_HUNT_CROSSLEY: return ss_hunt_crossley_check(&law->hunt_crossley, err);
    case SS_LAW_ELASTIC_STOP: return ss_elastic_stop_check(&law->elastic_stop, err);
    case SS_LAW_LUGRE: return ss_lugre_check(&law->lugre, err);
    case SS_LAW_DAHL: return ss_dahl_check(&law->dahl, err);
    case SS_LAW_ELASTO_PLASTIC: return ss_elasto_plastic_check(&law->elasto_plastic, err);
    case SS_LAW_MAXWELL_SLIP: return ss_maxwell_slip_check(&law->maxwell_slip, err);
    case SS_LAW_JENKINS: {
        ss_maxwell_def one = elements_of(law);
        return ss_maxwell_slip_check(&one, err);
    }
    case SS_LAW_GMS: return ss_gms_check(&law->gms, err);
    case SS_LAW_BACKLASH: return ss_backlash_check(&law->backlash, err);
    default: return ss_fail(err, SS_BAD_INPUT, "law", "there is no such law alone");
    }
}

double ss_law_force(const ss_law_def* law, double place, double v, double holding)
{
    if (is_formula(law)) return value_of(law, place, v).force;
    switch (law->kind) {
    case SS_LAW_COULOMB: return ss_coulomb_force(&law->coulomb, v, holding);
    case SS_LAW_STRIBECK: return ss_stribeck_force(&law->stribeck, v, holding);
    case SS_LAW_CURVE:
        return law->curve.side[v < 0.0].count > 0 ? ss_curve_force(&law->curve, v, holding) : NAN;
    case SS_LAW_HUNT_CROSSLEY: return ss_hunt_crossley_force(&law->hunt_crossley, place, v);
    case SS_LAW_ELASTIC_STOP: return ss_elastic_stop_force(&law->elastic_stop, place, v);
    case SS_LAW_BACKLASH: {
        const ss_law_def above = half_of(law, 0), below = half_of(law, 1);
        return ss_law_force(&above, place, v, holding) + ss_law_force(&below, place, v, holding);
    }
    case SS_LAW_LUGRE: return ss_lugre_force(&law->lugre, place, v);
    case SS_LAW_DAHL: return ss_dahl_force(&law->dahl, place);
    case SS_LAW_ELASTO_PLASTIC: return ss_elasto_plastic_force(&law->elasto_plastic, place, v);
    default: return NAN;
    }
}

double ss_law_rate(const ss_law_def* law, double z, double v)
{
    if (is_formula(law)) return value_of(law, z, v).rate;
    switch (law->kind) {
    case SS_LAW_LUGRE: return ss_lugre_rate(&law->lugre, z, v);
    case SS_LAW_DAHL: return ss_dahl_rate(&law->dahl, z, v);
    case SS_LAW_ELASTO_PLASTIC: return ss_elasto_plastic_rate(&law->elasto_plastic, z, v);
    default: return 0.0;
    }
}

// What all elements bear together.
static double whole(ss_maxwell_def law)
{
    double sum = 0.0;
    for (int i = 0; i < law.count; i++) sum += law.breakaway[i];
    return sum;
}

double ss_law_level(const ss_law_def* law, double v)
{
    switch (law->kind) {
    case SS_LAW_COULOMB: return v < 0.0 ? law->coulomb.backward : law->coulomb.forward;
    case SS_LAW_STRIBECK: return ss_stribeck_level(&law->stribeck, v);
    case SS_LAW_CURVE: // at rest the limit from above, and not what holds there
        return fabs(ss_law_force(law, 0.0, v == 0.0 ? DBL_MIN : v, 0.0));
    case SS_LAW_LUGRE: return ss_lugre_level(&law->lugre, v);
    case SS_LAW_ELASTO_PLASTIC: return ss_lugre_level(&law->elasto_plastic.lugre, v);
    case SS_LAW_DAHL: return law->dahl.coulomb;
    case SS_LAW_JENKINS:
    case SS_LAW_MAXWELL_SLIP: return whole(elements_of(law));
    case SS_LAW_GMS: return ss_gms_level(&law->gms, v);
    default: break;
    }
    return is_formula(law) ? ss_law_ask(ss_law_entry(law->kind), &law->formula, v).limit : NAN;
}

// ---- a law with its state
//
// place: deflection z of bristles that have one, x_A - x_B of stops; the elements of GMS follow it.
// Maxwell-slip has the law as steps want it, and behind it the room that this needs.

struct ss_law_state {
    double place;
};

typedef struct elements {
    ss_law_state all;
    ss_gms_element of[];
} elements;

typedef struct swings {
    ss_law_state all;
    ss_maxwell_slip law;
    ss_maxwell_state now;
    ss_reversal
        reversals[]; // one per element; then as many numbers, where they start apart; then the law's room
} swings;

static double* apart_of(swings* own, int count) { return (double*)(void*)&own->reversals[count]; }

size_t ss_law_state_size(const ss_law_def* law)
{
    size_t count = 0;
    if (law->kind == SS_LAW_GMS) count = law->gms.count > 0 ? (size_t)law->gms.count : 0;
    if (law->kind == SS_LAW_GMS) return count ? sizeof(elements) + count * sizeof(ss_gms_element) : 0;
    bool strikes = law->kind == SS_LAW_RIGID_STOP ||
                   (law->kind == SS_LAW_BACKLASH && half_of(law, 0).kind == SS_LAW_RIGID_STOP);
    if (!has_elements(law)) return strikes ? 0 : sizeof(ss_law_state);
    size_t room = ss_maxwell_slip_size(elements_of(law).count);
    count = room ? (size_t)elements_of(law).count : 0;
    return room ? sizeof(swings) + count * (sizeof(ss_reversal) + sizeof(double)) + room : 0;
}

static ss_status start_swings(const ss_maxwell_def* law, double place, const ss_bristle_start* start,
                              swings* own, ss_error* err)
{
    void* room = apart_of(own, law->count) + law->count;
    ss_status status = ss_maxwell_slip_make(law->stiffness, law->breakaway, law->count, room, &own->law, err);
    if (status != SS_OK) return status;
    if (start->elements)
        ss_maxwell_slip_start_apart(&own->law, &own->now, own->reversals, apart_of(own, law->count), place,
                                    start->elements);
    else
        ss_maxwell_slip_start(&own->law, &own->now, own->reversals, place,
                              isnan(start->saturation) ? 0.0 : start->saturation);
    return SS_OK;
}

static void start_elements(const ss_gms* law, const ss_bristle_start* start, elements* own)
{
    double share = isnan(start->saturation) ? 0.0 : start->saturation * ss_gms_level(law, 0.0);
    for (int i = 0; i < law->count; i++)
        own->of[i] = (ss_gms_element){.force = start->elements ? start->elements[i] : share * law->share[i]};
}

// The deflection of steady sliding, from rest on.
static double steady_z(const ss_law_def* law)
{
    double stiffness = law->kind == SS_LAW_DAHL    ? law->dahl.sigma0
                       : law->kind == SS_LAW_LUGRE ? law->lugre.sigma0
                                                   : law->elasto_plastic.lugre.sigma0;
    return ss_law_level(law, 0.0) / stiffness;
}

ss_status ss_law_start(const ss_law_def* law, double place, const ss_bristle_start* start,
                       ss_law_state* state, ss_error* err)
{
    static const ss_bristle_start none = {.z = NAN, .saturation = NAN};
    if (!start) start = &none;
    ss_status status = ss_law_check(law, err);
    if (status != SS_OK) return status;
    if (ss_law_state_size(law) == 0)
        return ss_fail(err, SS_BAD_INPUT, "law", "a %s does not move alone: it is struck",
                       ss_law_name(law->kind));
    state->place = place;
    if (has_elements(law)) {
        ss_maxwell_def all = elements_of(law);
        return start_swings(&all, place, start, (swings*)(void*)state, err);
    }
    if (law->kind == SS_LAW_GMS) start_elements(&law->gms, start, (elements*)(void*)state);
    if (is_formula(law)) {
        state->place = isnan(start->z) ? ss_formula_law_start(law->kind, &law->formula) : start->z;
        return SS_OK;
    }
    if (!ss_law_has(law->kind, SS_TRAIT_Z)) return SS_OK;
    state->place = !isnan(start->z)           ? start->z
                   : isnan(start->saturation) ? 0.0
                                              : start->saturation * steady_z(law);
    return SS_OK;
}

double ss_law_step(const ss_law_def* law, ss_law_state* state, double v, double dt)
{
    if (is_formula(law)) return ss_formula_law_step(law->kind, &law->formula, &state->place, v, dt);
    switch (law->kind) {
    case SS_LAW_LUGRE: return ss_lugre_step(&law->lugre, &state->place, v, dt);
    case SS_LAW_DAHL: return ss_dahl_step(&law->dahl, &state->place, v, dt);
    case SS_LAW_ELASTO_PLASTIC: return ss_elasto_plastic_step(&law->elasto_plastic, &state->place, v, dt);
    case SS_LAW_GMS: return ss_gms_step(&law->gms, ((elements*)(void*)state)->of, v, dt);
    case SS_LAW_JENKINS:
    case SS_LAW_MAXWELL_SLIP: {
        swings* own = (swings*)(void*)state;
        return ss_maxwell_slip_step(&own->law, &own->now, v, dt);
    }
    default:
        if (!isfinite(v) || !(dt >= 0.0) || !isfinite(dt)) return NAN;
        state->place += v * dt;
        return ss_law_force(law, state->place, v, 0.0);
    }
}

double ss_law_stored(const ss_law_def* law, const ss_law_state* state)
{
    double z = state->place, sum = 0.0;
    if (is_formula(law)) return value_of(law, z, 0.0).stored;
    switch (law->kind) {
    case SS_LAW_LUGRE: return 0.5 * law->lugre.sigma0 * z * z;
    case SS_LAW_DAHL: return 0.5 * law->dahl.sigma0 * z * z;
    case SS_LAW_ELASTO_PLASTIC: return 0.5 * law->elasto_plastic.lugre.sigma0 * z * z;
    case SS_LAW_JENKINS:
    case SS_LAW_MAXWELL_SLIP: {
        const swings* own = (const swings*)(const void*)state;
        return ss_maxwell_slip_energy(&own->law, &own->now);
    }
    case SS_LAW_GMS:
        for (int i = 0; i < law->gms.count; i++) {
            double force = ((const elements*)(const void*)state)->of[i].force;
            sum += 0.5 * force * force / law->gms.stiffness[i];
        }
        return sum;
    case SS_LAW_HUNT_CROSSLEY:
        return ss_hunt_crossley_energy(&law->hunt_crossley,
                                       ss_hunt_crossley_penetration(&law->hunt_crossley, z));
    case SS_LAW_ELASTIC_STOP:
        return ss_elastic_stop_energy(&law->elastic_stop,
                                      law->elastic_stop.side * (z - law->elastic_stop.position));
    case SS_LAW_BACKLASH: {
        const ss_law_def above = half_of(law, 0), below = half_of(law, 1);
        return ss_law_stored(&above, state) + ss_law_stored(&below, state);
    }
    default: return 0.0;
    }
}

int ss_law_numbers(const ss_law_def* law, const ss_law_state* state, double out[])
{
    if (has_elements(law)) {
        const swings* own = (const swings*)(const void*)state;
        if (out) ss_maxwell_slip_deflections(&own->law, &own->now, out);
        return elements_of(law).count;
    }
    if (law->kind == SS_LAW_GMS) {
        for (int i = 0; i < law->gms.count && out; i++)
            out[i] = ((const elements*)(const void*)state)->of[i].force;
        return law->gms.count;
    }
    if (!ss_law_has(law->kind, SS_TRAIT_Z)) return 0;
    if (out) out[0] = state->place;
    return 1;
}
