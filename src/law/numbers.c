// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Laws that are a formula of numbers, alone: no memory is taken, and a step takes a bounded number of
// operations.
#include "core/error.h"
#include "law/formula.h"

#include <math.h>

static const ss_law* row_of(ss_law_kind kind)
{
    const ss_law* row = ss_law_row(kind);
    return row && row->formula && row->size == sizeof(ss_law_numbers) ? row : NULL;
}

static int count_of(const ss_law* row)
{
    int count = 0;
    while (row && row->keys.list[count].name) count++;
    return count;
}

int ss_law_number_count(ss_law_kind law) { return ss_law_row(law) ? count_of(row_of(law)) : -1; }

static bool is_within(ss_key_range range, double value)
{
    switch (range) {
    case SS_RANGE_NOT_NEGATIVE: return value >= 0.0;
    case SS_RANGE_POSITIVE: return value > 0.0;
    case SS_RANGE_FROM_ONE: return value >= 1.0;
    case SS_RANGE_SHARE: return value >= 0.0 && value <= 1.0;
    default: return true;
    }
}

ss_status ss_numbers_check(const ss_key keys[], const void* law, ss_error* err)
{
    static const char* const words[] = {[SS_RANGE_NOT_NEGATIVE] = "not negative",
                                        [SS_RANGE_POSITIVE] = "positive",
                                        [SS_RANGE_FROM_ONE] = "at least 1",
                                        [SS_RANGE_SHARE] = "between 0 and 1"};
    const double* number = law;
    for (const ss_key* key = keys; key->name; key++, number++) {
        if (!isfinite(*number))
            return ss_fail(err, SS_BAD_INPUT, key->name, "must be a number, not %g", *number);
        if (!is_within(key->range, *number))
            return ss_fail(err, SS_BAD_INPUT, key->name, "must be %s, not %g", words[key->range], *number);
    }
    return SS_OK;
}

ss_status ss_law_check(ss_law_kind law, const ss_law_numbers* numbers, ss_error* err)
{
    const ss_law* row = row_of(law);
    if (!row) return ss_fail(err, SS_BAD_INPUT, "law", "this law is not one of numbers");
    return row->keys.check(numbers, err);
}

double ss_law_start(ss_law_kind law, const ss_law_numbers* numbers)
{
    const ss_law* row = row_of(law);
    return row && row->state.start ? row->state.start(numbers) : 0.0;
}

double ss_law_step(ss_law_kind law, const ss_law_numbers* numbers, double* state, double v, double dt)
{
    const ss_law* row = row_of(law);
    if (!row) return NAN;
    return ss_formula_step(row->formula, numbers, numbers->number, count_of(row), state, v, dt);
}

void ss_numbers_tell(const ss_key keys[], const void* law, const ss_law_listener* to)
{
    const double* number = law;
    for (const ss_key* key = keys; key->name; key++) to->number(to->user, key->name, *number++);
}
