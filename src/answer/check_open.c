// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What can be said of an open model before it moves: what is not linear in it, and the eigenvalues of the
// motion where everything slips, the states of first order among them.
#include "answer/check_facts.h"
#include "core/algebra/eigen.h"
#include "model/actions.h"

#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 64 }; // variables of first order whose eigenvalues are sought

// The first part that is not affine, as model files call it; false where all are.
static bool name_part(const ss_model* model, char* out, size_t size)
{
    const ss_open* open = model->open;
    const ss_actions* actions = model->actions;
    for (int p = 0; p < actions->pull_count; p++) {
        if (actions->pulls[p].affine) continue;
        if (p < open->force_count)
            snprintf(out, size, "forces[%d].force", open->forces[p].place);
        else
            snprintf(out, size, "potentials");
        return true;
    }
    for (int j = 0; j < open->state_count; j++)
        if (!actions->rates[j].affine) {
            snprintf(out, size, "states.%.100s.rate", open->states[j].name);
            return true;
        }
    if (open->level_count > 0)
        snprintf(out, size, "contacts.%.60s.%.40s", model->contacts[open->levels[0].contact].name,
                 open->levels[0].field);
    return open->level_count > 0;
}

bool ss_model_not_affine(const ss_model* model, char* out, size_t size)
{
    return model->actions && name_part(model, out, size);
}

bool ss_facts_open(ss_facts* f)
{
    const ss_model* model = f->shown.model;
    if (!model->actions || !model->nature.linear) return true;
    int size = 2 * model->n + model->open->state_count;
    if (size == 0 || size > LARGEST) return true;
    size_t n = (size_t)size;
    double* a = calloc(n * n + n, sizeof *a);
    double complex* room = calloc(4 * n * n + n, sizeof *room);
    double* values = ss_pool_new(&f->pool, 2 * n, sizeof(double));
    bool good = a && room && values;
    if (good) {
        ss_spectrum spectrum = {.values = room, .vectors = room + n, .inverse = room + n + n * n};
        ss_actions_system(model, a);
        if (ss_eigen_solve(a, size, &spectrum, room + n + 2 * n * n, a + n * n)) {
            for (size_t k = 0; k < n; k++) {
                values[2 * k] = creal(spectrum.values[k]);
                values[2 * k + 1] = cimag(spectrum.values[k]);
            }
            f->shown.eigenvalues = values;
            f->shown.eigenvalue_count = size;
        }
    }
    free(a);
    free(room);
    return good;
}
