// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Joints of bodies in the plane. Each row of a joint is a contact that always holds, like a tie with a name,
// but its row W turns with the motion: W = dg/dx, g(x) being what the joint keeps at 0.
#ifndef SLIPSTICK_MODEL_JOINTS_H
#define SLIPSTICK_MODEL_JOINTS_H

#include "model/open_impl.h"

/// Of contact `contact`: factor k belongs to the coordinate body[k]. Outputs are of the program.
typedef struct ss_joint_row {
    int contact;
    int joint;
    int gap; ///< node, then output
    int count;
    int* body;
    int* factor; ///< nodes, then outputs
} ss_joint_row;

/// What is told of a joint: forces on the body of its first point, in space.
typedef struct ss_joint {
    char* name;
    ss_joint_kind kind;
    int first_row, row_count;
} ss_joint;

typedef struct ss_joints {
    int count, row_count;
    ss_joint* list;
    ss_joint_row* rows;
    int outputs;
    ss_program program; ///< factors and gaps of all rows
    double size;        ///< m: of the mechanism at the start
} ss_joints;

static inline int ss_joint_row_count(ss_joint_kind kind)
{
    return kind == SS_JOINT_PIN ? 2 : kind == SS_JOINT_RAIL ? 1 : 3;
}

#endif
