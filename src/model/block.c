// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The coordinates that matrices describe: energy, loss and pull of their K and C. They are kept apart from
// springs and dampers, whose energy is found one by one, with more digits.
#include "model/model_impl.h"

#include <math.h>

// Of the body of row i.
static double place_of(const ss_model* model, int i, const double q[], const double offset[])
{
    const ss_body* body = &model->bodies[model->matrices.block.body[i]];
    return body->coordinate >= 0 ? q[body->coordinate]
                                 : ss_row_dot(&body->row, q) + offset[model->matrices.block.body[i]];
}

double ss_block_energy(const ss_model* model, const double q[], const double offset[], double* parts)
{
    const ss_sparse* a = &model->matrices.block.stiffness;
    double sum = 0.0, size = 0.0;
    for (int i = 0; i < model->matrices.block.count; i++) {
        double x = place_of(model, i, q, offset);
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            double part = x * a->value[k] * place_of(model, a->index[k], q, offset);
            sum += part;
            size += fabs(part);
        }
    }
    *parts += 0.5 * size;
    return 0.5 * sum;
}

double ss_block_loss(const ss_model* model, const double v[])
{
    const ss_block* block = &model->matrices.block;
    const ss_sparse* a = &block->damping;
    double sum = 0.0;
    for (int i = 0; i < block->count; i++) {
        double speed = ss_row_dot(&model->bodies[block->body[i]].row, v);
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            sum += speed * a->value[k] * ss_row_dot(&model->bodies[block->body[a->index[k]]].row, v);
    }
    return sum;
}

void ss_block_pull(const ss_model* model, const double offset[], double force[], double size[])
{
    const ss_block* block = &model->matrices.block;
    for (int i = 0; i < block->count; i++) {
        double pull = 0.0;
        for (int k = block->stiffness.start[i]; k < block->stiffness.start[i + 1]; k++)
            pull -= block->stiffness.value[k] * offset[block->body[block->stiffness.index[k]]];
        const ss_row* row = &model->bodies[block->body[i]].row;
        for (int k = 0; k < row->count && pull != 0.0; k++) {
            force[row->index[k]] += row->value[k] * pull;
            if (size) size[row->index[k]] += fabs(row->value[k] * pull);
        }
    }
}
