// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Laws that users write (ss_law_text): parsed into tapes, which are formulas on jets as those of other laws.
#ifndef SLIPSTICK_LAW_OWN_H
#define SLIPSTICK_LAW_OWN_H

#include "law/table.h"

#include <stdint.h>

/// Whether the texts make sense along a contact of these dimensions. The field of a fault is "rate", "force"
/// or "stored", its column that in the text.
ss_status ss_own_check(const ss_law_text* text, const ss_law_making* with, ss_error* err);
/// Goes on with a hash (core/hash.h) by the formulas of a law in a model.
uint64_t ss_own_hash(uint64_t hash, const void* law);

#endif
