// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Laws that are a formula, alone: z' = rate(v, z) over dt at constant v by the modified midpoint rule with 2,
// 4, .. substeps, extrapolated to none. A step is taken where the last two columns agree to rounding, else
// halved; pieces of the formula meet continuously, so that a few halvings pass a kink. Where the state does
// not change any more beside rounding it stays: what relaxes costs no more the longer dt is. No memory is
// taken, and the number of operations is bounded. Then, laws of numbers as the public interface has them.
#include "core/error.h"
#include "law/formula/formula.h"

#include <float.h>
#include <math.h>

enum { COLUMNS = 8, MOST_STEPS = 20000 };

typedef struct alone {
    const ss_law* row;
    const void* law;
    double v;
} alone;

static double rate_at(const alone* a, double z) { return ss_formula_value(a->row, a->law, a->v, z).rate; }

static double midpoint(const alone* a, double z, double first, double h, int steps)
{
    double part = h / steps, before = z, now = z + part * first;
    for (int k = 1; k < steps; k++) {
        double next = before + 2.0 * part * rate_at(a, now);
        before = now;
        now = next;
    }
    return 0.5 * (now + before + part * rate_at(a, now));
}

// z after h; *error: how far the last two columns are apart.
static double extrapolate(const alone* a, double z, double first, double h, double* error)
{
    double row[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        double last = midpoint(a, z, first, h, 2 * (i + 1));
        for (int j = 0; j < i; j++) {
            double ratio = (double)(i + 1) / (double)(i - j), before = row[j];
            row[j] = last;
            last += (last - before) / (ratio * ratio - 1.0);
        }
        row[i] = last;
    }
    *error = fabs(row[COLUMNS - 1] - row[COLUMNS - 2]);
    return row[COLUMNS - 1];
}

static double walk(const alone* a, double z, double dt)
{
    double left = dt, h = dt;
    for (int k = 0; k < MOST_STEPS && left > 0.0; k++) {
        double first = rate_at(a, z), error;
        h = fmin(h, left);
        double next = extrapolate(a, z, first, h, &error), size = fmax(fabs(z), fabs(next));
        bool finest = h <= 64.0 * DBL_EPSILON * dt;
        if (!(error <= 8.0 * DBL_EPSILON * size) && !finest) {
            h *= 0.5;
            continue;
        }
        if (fabs(first) * left <= 0.25 * DBL_EPSILON * fabs(z)) break;
        if (next == z && fabs(first * h) <= 4.0 * DBL_EPSILON * fabs(z)) break;
        z = next;
        left -= h;
        h *= 1.5;
    }
    return z;
}

double ss_formula_step(const ss_law* row, const void* law, double* z, double v, double dt)
{
    if (!isfinite(v) || !(dt >= 0.0) || !isfinite(dt)) return NAN;
    alone a = {row, law, v};
    if (dt > 0.0) *z = walk(&a, *z, dt);
    return ss_formula_value(row, law, v, *z).force;
}

// ---- laws of numbers

static const ss_law* row_of(ss_law_kind kind)
{
    const ss_law* row = ss_law_entry(kind);
    return row && row->formula && row->size == sizeof(ss_formula_law) ? row : NULL;
}

static int count_of(const ss_law* row)
{
    int count = 0;
    while (row && row->keys.list[count].name) count++;
    return count;
}

int ss_formula_law_count(ss_law_kind law) { return ss_law_entry(law) ? count_of(row_of(law)) : -1; }

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

ss_status ss_formula_law_check(ss_law_kind law, const ss_formula_law* numbers, ss_error* err)
{
    const ss_law* row = row_of(law);
    if (!row) return ss_fail(err, SS_BAD_INPUT, "law", "this law is not one of numbers");
    return row->keys.make(numbers, NULL, NULL, err);
}

double ss_formula_law_start(ss_law_kind law, const ss_formula_law* numbers)
{
    const ss_law* row = row_of(law);
    double start = row ? ss_law_ask(row, numbers, NAN).start : NAN;
    return isnan(start) ? 0.0 : start;
}

double ss_formula_law_step(ss_law_kind law, const ss_formula_law* numbers, double* state, double v, double dt)
{
    const ss_law* row = row_of(law);
    if (!row) return NAN;
    return ss_formula_step(row, numbers, state, v, dt);
}

void ss_numbers_tell(const ss_key keys[], const void* law, ss_law_said* to)
{
    const double* number = law;
    for (const ss_key* key = keys; key->name; key++) ss_law_say_number(to, key->name, *number++);
}
