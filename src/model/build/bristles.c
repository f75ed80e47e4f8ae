// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Contacts with bristles: their elements, how they start, and what can be asked.
#include "core/error.h"
#include "core/tolerance.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ss_status adopt_elements(ss_model* model, const ss_maxwell_def* from, ss_contact* to, ss_error* err)
{
    size_t size = ss_maxwell_slip_size(from->count);
    if (size == 0 || !from->stiffness || !from->breakaway)
        return ss_fail(err, SS_BAD_INPUT, "elements", "there must be at least one element");
    void* memory = ss_pool_new(&model->pool, 1, size);
    if (!memory) return ss_fail_no_memory(err);
    return ss_maxwell_slip_make(from->stiffness, from->breakaway, from->count, memory, &to->maxwell_slip,
                                err);
}

// Deflections in the order of the elements, none beyond its reach.
static ss_status adopt_deflections(ss_model* model, const double from[], ss_contact* to, ss_error* err)
{
    const ss_maxwell_slip* law = &to->maxwell_slip;
    double* deflections = ss_pool_new(&model->pool, (size_t)law->count, sizeof(double));
    if (!deflections) return ss_fail_no_memory(err);
    memcpy(deflections, from, (size_t)law->count * sizeof(double));
    for (int j = 0; j < law->count; j++) {
        double reach = law->reach[j], e = from[law->place[j]];
        if (fabs(e) <= reach * (1.0 + SS_RELATIVE_ZERO)) continue;
        char field[64];
        snprintf(field, sizeof field, "start.deflections[%d]", law->place[j]);
        return ss_fail(err, SS_BAD_INPUT, field,
                       "%g m is beyond its reach (%g m): it would have slipped before", e, reach);
    }
    to->start.deflections = deflections;
    return SS_OK;
}

ss_status ss_model_adopt_bristles(ss_model* model, const ss_contact_def* from, ss_contact* to, ss_error* err)
{
    const ss_bristle_start* start = &from->start;
    bool maxwell = !ss_law_has(from->law, SS_TRAIT_Z);
    to->start = (ss_bristle_start){.z = start->z, .saturation = start->saturation};
    ss_status status = maxwell ? adopt_elements(model, &from->maxwell_slip, to, err) : SS_OK;
    if (status != SS_OK) return status;
    if (!isnan(start->saturation) && !(fabs(start->saturation) <= 1.0))
        return ss_fail(err, SS_BAD_INPUT, "start.saturation", "must be between -1 and 1, not %g",
                       start->saturation);
    if (isinf(start->z)) return ss_fail(err, SS_BAD_INPUT, "start.z", "must be finite");
    if (maxwell && !isnan(start->z))
        return ss_fail(err, SS_BAD_INPUT, "start.z",
                       "Maxwell-slip has deflections, one per element, and no z");
    if (!maxwell && start->deflections)
        return ss_fail(err, SS_BAD_INPUT, "start.deflections", "only Maxwell-slip has elements");
    if (!isnan(start->saturation) && (start->deflections || !isnan(start->z)))
        return ss_fail(err, SS_BAD_INPUT, "start.saturation", "more than one start is given");
    return start->deflections ? adopt_deflections(model, start->deflections, to, err) : SS_OK;
}

ss_lugre ss_model_contact_lugre(const ss_model* model, int contact) { return model->contacts[contact].lugre; }
ss_dahl ss_model_contact_dahl(const ss_model* model, int contact) { return model->contacts[contact].dahl; }

const ss_maxwell_slip* ss_model_contact_maxwell_slip(const ss_model* model, int contact)
{
    return &model->contacts[contact].maxwell_slip;
}

bool ss_model_contact_has_bristles(const ss_model* model, int contact)
{
    return ss_has_bristles(&model->contacts[contact]);
}

double ss_model_contact_mass(const ss_model* model, int contact)
{
    const ss_group* group = &model->groups[model->contacts[contact].group];
    double mobility = group->coupling[model->contacts[contact].place * (group->count + 1)];
    return mobility > 0.0 ? 1.0 / mobility : INFINITY;
}
