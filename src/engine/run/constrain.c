// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Coordinates that are held follow the others: q_dep = sum r_j q_j + sum r_d d + offset, copied from there
// ever after, so that nothing creeps.
#include "core/tolerance.h"
#include "engine/sim.h"

#include <math.h>
#include <string.h>

void ss_constrain(const ss_sim* sim, double constant, const double d[], double q[])
{
    const ss_model* model = sim->model;
    int nd = model->drive_count;
    for (int j = 0; j < sim->modes.active_count; j++) {
        const ss_group* group = &model->groups[sim->modes.active[j]];
        const ss_hold* hold = &sim->modes.holds[sim->modes.active[j]];
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

void ss_constrain_state(ss_sim* sim)
{
    ss_constrain(sim, 1.0, sim->step.d, sim->step.q);
    for (int j = 0; j < sim->modes.active_count; j++) ss_constrain_velocity(sim, sim->modes.active[j]);
}

void ss_constrain_velocity(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    const ss_hold* hold = &sim->modes.holds[g];
    int nc = group->coordinate_count, nd = sim->model->drive_count, width = nc + nd + 1;
    double *v = sim->step.q + sim->model->n, *dv = sim->step.d + nd;
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

bool ss_cannot_move(ss_sim* sim, int i)
{
    const ss_contact* contact = &sim->model->contacts[i];
    int n = sim->model->n, nd = sim->model->drive_count;
    double size = 0.0, left = 0.0, *row = sim->work.row;
    memset(row, 0, (size_t)(n + nd) * sizeof(double));
    for (int k = 0; k < contact->q.count; k++) {
        size += fabs(contact->q.value[k]);
        add_coordinate(sim->model, &sim->modes, contact->q.index[k], contact->q.value[k], row);
    }
    for (int k = 0; k < contact->d.count; k++) row[n + contact->d.index[k]] += contact->d.value[k];
    for (int k = 0; k < n + nd; k++) left = fmax(left, fabs(row[k]));
    return left <= SS_SOLVED * size;
}
