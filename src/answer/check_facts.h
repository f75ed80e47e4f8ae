// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The inside of a check. What it holds lies in one pool.
#ifndef SLIPSTICK_ANSWER_CHECK_FACTS_H
#define SLIPSTICK_ANSWER_CHECK_FACTS_H

#include "core/error.h"
#include "core/pool.h"
#include "law/law_description.h"
#include "slipstick/check.h"

typedef struct ss_facts {
    ss_check shown; ///< what readers see; first
    ss_pool pool;
    double *M, *C, *K, *W, *stiffness, *damping;
    const char** warnings;
    size_t warning_room;
} ss_facts;

/// Where the law of a contact stands; its stiffness is left 0.
ss_law_place ss_law_place_of(const ss_model* model, int contact);

/// Adds a warning. False without memory.
/// Eigenvalues of an open model. False without memory.
bool ss_facts_open(ss_facts* f);
/// Frequencies and damping ratios, after those (check_modes.c). False without memory.
bool ss_facts_modes(ss_facts* f);
bool ss_facts_warn(ss_facts* facts, const char* format, ...) SS_PRINTF(2, 3);
/// Adds the warnings that model and document give reason to. False without memory.
bool ss_facts_judge(ss_facts* facts, const ss_document* document);

#endif
