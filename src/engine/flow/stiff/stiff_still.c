// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bristles that stand still beside stiff motion. What nothing holds and nothing moves stands as long as the
// forces on it stay what they are: where no moving part can change them, its coordinates are left out of the
// step. Otherwise only short steps tell when it starts.
#include "engine/flow/stiff.h"

#include <math.h>

static bool touches(const ss_row* row, int coordinate)
{
    for (int k = 0; k < row->count; k++)
        if (row->index[k] == coordinate && row->value[k] != 0.0) return true;
    return false;
}

static bool is_pushed(const ss_model* model, const ss_inputs* inputs, int coordinate)
{
    for (int j = 0; j < inputs->varying_count; j++)
        if (touches(&model->forces[inputs->varying[j]].mobility, coordinate)) return true;
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        bool own = spring->q.count == 1 && spring->d.count == 0 && spring->mobility.count == 1;
        if (spring->cubic != 0.0 && !own && touches(&spring->mobility, coordinate)) return true;
    }
    if (model->drive_count == 0) return false;
    const ss_sparse *stiff = &model->matrices.drive_stiffness, *damp = &model->matrices.drive_damping;
    return stiff->start[coordinate + 1] > stiff->start[coordinate] ||
           damp->start[coordinate + 1] > damp->start[coordinate];
}

// Whether nothing but its own spring, constant forces and contact i act on a coordinate.
static bool is_apart(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                     const ss_modes* modes, int i, int coordinate)
{
    const ss_operator* op = &model->matrices.flow;
    if (step->q[model->n + coordinate] != 0.0 || is_pushed(model, inputs, coordinate)) return false;
    for (int l = op->start[coordinate]; l < op->start[coordinate + 1]; l++)
        if (op->index[l] != coordinate && (op->stiffness[l] != 0.0 || op->damping[l] != 0.0)) return false;
    for (int k = 0; k < model->contact_count; k++)
        if (k != i && modes->contacts[k].mode != SS_MODE_OPEN &&
            touches(&model->contacts[k].mobility, coordinate))
            return false;
    return true;
}

bool ss_stiff_freeze(ss_sim* sim)
{
    const ss_model* model = sim->model;
    bool* frozen = sim->ways.stiff->frozen;
    for (int c = 0; c < model->n; c++) frozen[c] = false;
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        int i = sim->step.laws.bristles[j].contact;
        const ss_contact* contact = &model->contacts[i];
        if (!sim->step.laws.bristles[j].still || ss_cannot_move(sim->model, &sim->modes, &sim->work, i))
            continue;
        if (contact->d.count > 0 || model->open) return false;
        for (int k = 0; k < contact->q.count; k++) {
            if (!is_apart(sim->model, &sim->step, &sim->inputs, &sim->modes, i, contact->q.index[k]))
                return false;
            frozen[contact->q.index[k]] = true;
        }
    }
    return true;
}
