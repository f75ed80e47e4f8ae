// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The table of laws.
#include "law/table.h"
#include "share/law.h"

// Each in the law's own file.
extern const ss_law ss_coulomb_law, ss_stribeck_law, ss_rigid_stop_law, ss_hunt_crossley_law, ss_lugre_law,
    ss_dahl_law, ss_maxwell_slip_law, ss_elasto_plastic_law, ss_gms_law, ss_curve_law, ss_elastic_stop_law,
    ss_bouc_wen_law, ss_rate_and_state_law, ss_own_law, ss_jenkins_law, ss_backlash_law, ss_capstan_law;

static const ss_law* const rows[] = {
    [SS_LAW_COULOMB] = &ss_coulomb_law,
    [SS_LAW_STRIBECK] = &ss_stribeck_law,
    [SS_LAW_RIGID_STOP] = &ss_rigid_stop_law,
    [SS_LAW_HUNT_CROSSLEY] = &ss_hunt_crossley_law,
    [SS_LAW_LUGRE] = &ss_lugre_law,
    [SS_LAW_DAHL] = &ss_dahl_law,
    [SS_LAW_MAXWELL_SLIP] = &ss_maxwell_slip_law,
    [SS_LAW_ELASTO_PLASTIC] = &ss_elasto_plastic_law,
    [SS_LAW_GMS] = &ss_gms_law,
    [SS_LAW_CURVE] = &ss_curve_law,
    [SS_LAW_ELASTIC_STOP] = &ss_elastic_stop_law,
    [SS_LAW_JENKINS] = &ss_jenkins_law,
    [SS_LAW_BACKLASH] = &ss_backlash_law,
    [SS_LAW_BOUC_WEN] = &ss_bouc_wen_law,
    [SS_LAW_RATE_AND_STATE] = &ss_rate_and_state_law,
    [SS_LAW_CAPSTAN] = &ss_capstan_law,
    [SS_LAW_OWN] = &ss_own_law,
};

int ss_law_count(void) { return (int)(sizeof rows / sizeof rows[0]); }

const ss_law* ss_law_entry(ss_law_kind kind)
{
    return (int)kind >= 0 && (int)kind < ss_law_count() ? rows[kind] : NULL;
}

const char* ss_law_name(ss_law_kind law)
{
    const ss_law* row = ss_law_entry(law);
    return row ? row->name : "unknown";
}

bool ss_law_has(ss_law_kind law, ss_law_trait trait)
{
    const ss_law* row = ss_law_entry(law);
    return row && (row->traits & (unsigned)trait) != 0;
}

const char* ss_law_element_word(ss_law_kind law)
{
    const ss_law* row = ss_law_entry(law);
    return row ? row->elements.word : NULL;
}
