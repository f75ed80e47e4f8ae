// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Contacts with bristles: their elements, how they start, and what can be asked.
#include "core/error.h"
#include "core/tolerance.h"
#include "law/table.h"
#include "model/model_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// One number per element, in the order of the definition, none beyond what its element can bear.
static ss_status adopt_elements(ss_model* model, const void* def, const double from[], ss_contact* to,
                                ss_error* err)
{
    const ss_law* row = to->law_entry;
    int count = row->elements.bounds(def, NULL);
    double* elements = ss_pool_new(&model->pool, (size_t)count, sizeof(double));
    double* most = ss_pool_new(&model->pool, (size_t)count, sizeof(double));
    if (!elements || !most) return ss_fail_no_memory(err);
    row->elements.bounds(def, most);
    memcpy(elements, from, (size_t)count * sizeof(double));
    const char* unit = row->elements.force ? "N" : "m";
    for (int i = 0; i < count; i++) {
        if (fabs(from[i]) <= most[i] * (1.0 + SS_RELATIVE_ZERO)) continue;
        char field[64];
        snprintf(field, sizeof field, "start.%s[%d]", row->elements.word, i);
        return ss_fail(err, SS_BAD_INPUT, field,
                       "%g %s is beyond its %s (%g %s): it would have slipped before", from[i], unit,
                       row->elements.most_word, most[i], unit);
    }
    to->start.elements = elements;
    return SS_OK;
}

ss_status ss_model_adopt_bristles(ss_model* model, const ss_contact_def* from, ss_contact* to, ss_error* err)
{
    const ss_bristle_start* start = &from->start;
    const ss_law* row = to->law_entry;
    to->start = (ss_bristle_start){.z = start->z, .saturation = start->saturation};
    if (!isnan(start->saturation) && !(fabs(start->saturation) <= 1.0))
        return ss_fail(err, SS_BAD_INPUT, "start.saturation", "must be between -1 and 1, not %g",
                       start->saturation);
    if (isinf(start->z)) return ss_fail(err, SS_BAD_INPUT, "start.z", "must be finite");
    if (row->elements.bounds && !isnan(start->z))
        return ss_fail(err, SS_BAD_INPUT, "start.z", "the law %s has %s, one per element, and no z",
                       row->name, row->elements.word);
    if (!row->elements.bounds && start->elements)
        return ss_fail(err, SS_BAD_INPUT, "start.elements", "the law %s has no elements", row->name);
    if (!isnan(start->saturation) && (start->elements || !isnan(start->z)))
        return ss_fail(err, SS_BAD_INPUT, "start.saturation", "more than one start is given");
    return start->elements ? adopt_elements(model, &from->coulomb, start->elements, to, err) : SS_OK;
}
