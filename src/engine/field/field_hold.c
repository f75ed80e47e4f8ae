// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What holds, at any order and for any change: the forces that take away the relative acceleration,
//
//     lambda = -A^-1 (W^T a + Wd^T d''),     A = W^T M^-1 W on the contacts that hold,
//
// with the pseudo-inverse where A is singular. Linear in what it is given: series ask for every order,
// Jacobians for every column.
#include "engine/field/field.h"
#include "engine/run/level_forces.h"

#include <float.h>
#include <math.h>

// Contacts that slip, and whose levels follow the force of one that holds, which has changed; follow: a
// column of a matrix over the places of the group.
static void add_followers(const ss_field* field, const ss_group* group, const double follow[], double added,
                          double a[], double lambda[])
{
    for (int p = 0; p < group->count; p++) {
        double force = follow[p * group->count] * added;
        int i = group->contacts[p];
        const ss_row* row = &field->model->contacts[i].mobility;
        if (force == 0.0) continue;
        lambda[i] += force;
        for (int k = 0; k < row->count; k++) a[row->index[k]] += row->value[k] * force;
    }
}

static void share_out(const ss_field* field, int g, double factor, const double d2[], double a[],
                      double lambda[])
{
    const ss_model* model = field->model;
    const ss_group* group = &model->groups[g];
    const ss_hold* hold = &field->modes->holds[g];
    const ss_level_group* level = field->level_forces ? field->level_forces->groups[g] : NULL;
    const double* follow = level ? level->follow : NULL;
    double* b = field->work;
    for (int r = 0; r < hold->count; r++) {
        const ss_contact* contact = &model->contacts[group->contacts[hold->places[r]]];
        b[r] = ss_row_dot(&contact->q, a);
        if (contact->d.count > 0 && d2) b[r] += factor * ss_row_dot(&contact->d, d2);
        if (field->convective) b[r] += field->convective[contact - model->contacts];
    }
    for (int r = 0; r < hold->count; r++) {
        int i = group->contacts[hold->places[r]];
        double force = lambda[i], terms = fabs(force);
        for (int c = 0; c < hold->count; c++) {
            double share = hold->inverse[r * hold->count + c] * b[c];
            force -= share;
            terms += fabs(share);
        }
        // The other contacts hold all of it, to rounding.
        if (fabs(force) <= 16.0 * DBL_EPSILON * terms) force = 0.0;
        double added = force - lambda[i];
        const ss_row* row = &model->contacts[i].mobility;
        lambda[i] = force;
        for (int k = 0; k < row->count; k++) a[row->index[k]] += row->value[k] * added;
        if (follow) add_followers(field, group, follow + hold->places[r], added, a, lambda);
    }
}

void ss_field_hold(const ss_field* field, int g, double factor, const double d2[], double a[],
                   double lambda[])
{
    share_out(field, g, factor, d2, a, lambda);
    // Rounding in the pseudo-inverse grows with the spread of A's eigenvalues; a second round takes it away
    // from the motion. So it does in a hold that levels follow, which is solved by elimination: there a light
    // body's rounding is much to a heavy one.
    bool levels = field->level_forces && field->level_forces->groups[g];
    if (field->modes->holds[g].singular || levels) share_out(field, g, factor, d2, a, lambda);
}
