// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Coordinates that are held follow the others: q_dep = sum r_j q_j + sum r_d d + offset, copied from there
// ever after, so that nothing creeps.
#include "core/tolerance.h"
#include "engine/sim.h"

#include <math.h>
#include <string.h>

void ss_constrain(const ss_model* model, const ss_modes* modes, double constant, const double d[], double q[])
{
    int nd = model->drive_count;
    for (int j = 0; j < modes->active_count; j++) {
        const ss_group* group = &model->groups[modes->active[j]];
        const ss_hold* hold = &modes->holds[modes->active[j]];
        int nc = group->coordinate_count, width = nc + nd + 1;
        for (int r = 0; r < hold->rank; r++) {
            const double* relation = &hold->relation[r * width];
            double sum = constant * relation[nc + nd];
            for (int c = 0; c < nc; c++)
                if (relation[c] != 0.0) sum += relation[c] * q[group->coordinates[c]];
            for (int c = 0; c < nd && d; c++)
                if (relation[nc + c] != 0.0) sum += relation[nc + c] * d[c];
            q[hold->dependent[r]] = sum;
        }
    }
}

void ss_constrain_state(const ss_model* model, const ss_step* step, ss_modes* modes)
{
    ss_constrain(model, modes, 1.0, step->d, step->q);
    for (int j = 0; j < modes->active_count; j++) ss_constrain_velocity(model, step, modes, modes->active[j]);
}

void ss_constrain_velocity(const ss_model* model, const ss_step* step, ss_modes* modes, int g)
{
    const ss_group* group = &model->groups[g];
    const ss_hold* hold = &modes->holds[g];
    int nc = group->coordinate_count, nd = model->drive_count, width = nc + nd + 1;
    double *v = step->q + model->n, *dv = step->d + nd;
    for (int r = 0; r < hold->rank; r++) {
        const double* relation = &hold->relation[r * width];
        double sum = 0.0;
        for (int c = 0; c < nc; c++) sum += relation[c] * v[group->coordinates[c]];
        for (int c = 0; c < nd; c++) sum += relation[nc + c] * dv[c];
        v[hold->dependent[r]] = sum;
    }
}

// Adds w times coordinate c to the row, by what it follows where it is held.
static void add_coordinate(const ss_model* model, ss_modes* modes, int c, double w, double row[])
{
    int nd = model->drive_count, n = model->n;
    for (int j = 0; j < modes->active_count; j++) {
        const ss_group* group = &model->groups[modes->active[j]];
        const ss_hold* hold = &modes->holds[modes->active[j]];
        int nc = group->coordinate_count;
        for (int r = 0; r < hold->rank; r++) {
            if (hold->dependent[r] != c) continue;
            const double* relation = &hold->relation[r * (nc + nd + 1)];
            for (int k = 0; k < nc; k++) row[group->coordinates[k]] += w * relation[k];
            for (int k = 0; k < nd; k++) row[n + k] += w * relation[nc + k];
            return;
        }
    }
    row[c] += w;
}

bool ss_cannot_move(const ss_model* model, ss_modes* modes, const ss_work* work, int i)
{
    const ss_contact* contact = &model->contacts[i];
    int n = model->n, nd = model->drive_count;
    double size = 0.0, left = 0.0, *row = work->row;
    memset(row, 0, (size_t)(n + nd) * sizeof(double));
    for (int k = 0; k < contact->q.count; k++) {
        size += fabs(contact->q.value[k]);
        add_coordinate(model, modes, contact->q.index[k], contact->q.value[k], row);
    }
    for (int k = 0; k < contact->d.count; k++) row[n + contact->d.index[k]] += contact->d.value[k];
    for (int k = 0; k < n + nd; k++) left = fmax(left, fabs(row[k]));
    return left <= SS_SOLVED * size;
}
