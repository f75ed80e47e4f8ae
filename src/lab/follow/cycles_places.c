// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Places that an orbit may have anywhere: of a contact that sticks all the time, and of an element that does
// within a contact. Orbits that differ in nothing else lie side by side; the branch keeps to the one it is
// on.
#include "core/tolerance.h"
#include "lab/follow/cycles.h"
#include "law/table.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Whether contact i sticks all the time in the last motion, at a place that it may keep.
static bool keeps_place(const ss_cycles* s, int i)
{
    const ss_contact* contact = &s->branch->model->contacts[i];
    return contact->q.count > 0 && contact->d.count == 0 && !ss_contact_is(contact, SS_TRAIT_RIGID) &&
           ss_event_order_keeps(&s->found, i);
}

static void keep_contacts(const ss_cycles* s, double matrix[], int* rows)
{
    int n = s->size + 1;
    for (int i = 0; i < s->branch->model->contact_count; i++) {
        const ss_row* place = &s->branch->model->contacts[i].q;
        if (!keeps_place(s, i)) continue;
        double size = 0.0, *row = matrix + (size_t)(*rows)++ * (size_t)n;
        memset(row, 0, (size_t)n * sizeof(double));
        for (int k = 0; k < place->count; k++) size = fmax(size, s->scale[place->index[k]]);
        for (int k = 0; k < place->count; k++)
            row[place->index[k]] = place->value[k] * s->scale[place->index[k]] / size;
    }
}

// An element that never slips in the period has a number z that follows the way of its contact, so that
//
//     c = z - stretch q x
//
// is what it was: c' (D - 1) = 0, to rounding, and c may be anything. Fills the derivative of c by the scaled
// unknowns, of size 1; false where the element slips.
static bool keeps_element(const ss_cycles* s, const ss_contact* contact, int element, int z, double row[])
{
    const ss_orbit* orbit = s->here.orbit;
    ss_law_point point = {.sign = 1.0};
    ss_element_response at;
    double size = s->scale[z], off = 0.0;
    contact->law_entry->elements.at(ss_law_of(contact), &point, element, false, &at);
    memset(row, 0, ((size_t)s->size + 1) * sizeof(double));
    row[z] = s->scale[z];
    for (int k = 0; k < contact->q.count; k++) {
        int c = contact->q.index[k];
        row[c] = -at.rate_v * contact->q.value[k] * s->scale[c];
        size = fmax(size, fabs(row[c]));
    }
    for (int c = 0; c < s->w; c++) {
        double sum = -row[c];
        for (int r = 0; r < s->w; r++)
            if (row[r] != 0.0) sum += row[r] / s->scale[r] * orbit->monodromy[r * s->w + c] * s->scale[c];
        off = fmax(off, fabs(sum));
    }
    for (int c = 0; c < s->w; c++) row[c] /= size;
    return off <= SS_CLEAR * size;
}

static int keep_elements(const ss_cycles* s, double matrix[], int* rows)
{
    const ss_model* model = s->branch->model;
    int z = 2 * model->n + ss_model_state_count(model), count = 0;
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (!ss_has_bristles(contact)) continue;
        for (int k = 0; k < contact->elements; k++) {
            double* row = matrix + (size_t)*rows * (size_t)(s->size + 1);
            bool keeps = keeps_element(s, contact, k, z + k, row);
            *rows += keeps;
            count += keeps;
        }
        z += contact->elements > 0 ? contact->elements : 1;
    }
    return count;
}

void ss_cycles_mark_loose(ss_cycles* s)
{
    const ss_model* model = s->branch->model;
    int z = 2 * model->n + ss_model_state_count(model);
    bool any = false;
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (!ss_has_bristles(contact)) continue;
        int numbers = contact->elements > 0 ? contact->elements : 1;
        for (int k = 0; k < numbers; k++) s->loose[z + k] = contact->elements > 0;
        any = any || contact->elements > 0;
        z += numbers;
    }
    if (any) return;
    free(s->loose);
    s->loose = NULL;
}

int ss_cycles_keep_places(const ss_cycles* s, double matrix[], int rows)
{
    keep_contacts(s, matrix, &rows);
    keep_elements(s, matrix, &rows);
    return rows;
}

int ss_cycles_kept_places(const ss_cycles* s)
{
    int places = 0, rows = s->size + 1;
    for (int i = 0; i < s->branch->model->contact_count; i++) places += ss_event_order_keeps(&s->found, i);
    return places + keep_elements(s, s->system, &rows);
}
