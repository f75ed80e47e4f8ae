// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The table of laws.
#include "law/table.h"
#include "share/law.h"

// Each in the law's own file.
extern const ss_law ss_coulomb_row, ss_stribeck_row, ss_rigid_stop_row, ss_hunt_crossley_row, ss_lugre_row,
    ss_dahl_row, ss_maxwell_slip_row, ss_elasto_plastic_row, ss_gms_row, ss_curve_row, ss_elastic_stop_row,
    ss_bouc_wen_row, ss_rate_and_state_row, ss_own_row, ss_jenkins_row, ss_backlash_row;

static const ss_law* const rows[] = {
    [SS_LAW_COULOMB] = &ss_coulomb_row,
    [SS_LAW_STRIBECK] = &ss_stribeck_row,
    [SS_LAW_RIGID_STOP] = &ss_rigid_stop_row,
    [SS_LAW_HUNT_CROSSLEY] = &ss_hunt_crossley_row,
    [SS_LAW_LUGRE] = &ss_lugre_row,
    [SS_LAW_DAHL] = &ss_dahl_row,
    [SS_LAW_MAXWELL_SLIP] = &ss_maxwell_slip_row,
    [SS_LAW_ELASTO_PLASTIC] = &ss_elasto_plastic_row,
    [SS_LAW_GMS] = &ss_gms_row,
    [SS_LAW_CURVE] = &ss_curve_row,
    [SS_LAW_ELASTIC_STOP] = &ss_elastic_stop_row,
    [SS_LAW_JENKINS] = &ss_jenkins_row,
    [SS_LAW_BACKLASH] = &ss_backlash_row,
    [SS_LAW_BOUC_WEN] = &ss_bouc_wen_row,
    [SS_LAW_RATE_AND_STATE] = &ss_rate_and_state_row,
    [SS_LAW_OWN] = &ss_own_row,
};

int ss_law_count(void) { return (int)(sizeof rows / sizeof rows[0]); }

const ss_law* ss_law_row(ss_law_kind kind)
{
    return (int)kind >= 0 && (int)kind < ss_law_count() ? rows[kind] : NULL;
}

const char* ss_law_name(ss_law_kind law)
{
    const ss_law* row = ss_law_row(law);
    return row ? row->name : "unknown";
}

bool ss_law_has(ss_law_kind law, ss_law_trait trait)
{
    const ss_law* row = ss_law_row(law);
    return row && (row->traits & (unsigned)trait) != 0;
}

const char* ss_law_element_word(ss_law_kind law)
{
    const ss_law* row = ss_law_row(law);
    return row ? row->elements.word : NULL;
}
