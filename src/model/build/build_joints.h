// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Joints of a definition: contacts for their rows, what these keep at 0, and the start that follows from
// them.
#ifndef SLIPSTICK_MODEL_BUILD_JOINTS_H
#define SLIPSTICK_MODEL_BUILD_JOINTS_H

#include "model/build/open_names.h"
#include "model/joints.h"

/// Rows of all joints.
int ss_joints_rows(const ss_system_def* def);
/// The list of joints; then the definition of the contact that row `row` of joint `joint` is: its name, and
/// as its row all coordinates that it may depend on. All memory is the model's.
ss_status ss_joints_make(ss_model* model, const ss_system_def* def, ss_error* err);
ss_status ss_joints_contact(ss_model* model, const ss_system_def* def, int joint, int row,
                            ss_contact_def* out, ss_error* err);
/// Points and variables are declared: nodes of gaps and factors, their program, and the start: places and
/// speeds that are to be found are.
ss_status ss_joints_declare(ss_names* names);
/// Names of forces of joints that are not those of a row, and what they stand for: NAME.force of a pin.
int ss_joints_name_count(const ss_model* model);
ss_status ss_joints_add_names(ss_names* names);
void ss_joints_declare_names(ss_names* names);
/// Shows the forces of all joints as signals.
void ss_joints_show(ss_names* names);

/// joints_start.c
ss_status ss_joints_find_places(ss_names* names);
ss_status ss_joints_find_speeds(ss_names* names);

#endif
