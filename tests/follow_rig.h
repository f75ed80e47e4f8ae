// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Branches in tests: followed from the text of a model, and looked at.
#ifndef SLIPSTICK_TESTS_FOLLOW_RIG_H
#define SLIPSTICK_TESTS_FOLLOW_RIG_H

#include "rig.h"
#include "slipstick/follow.h"
#include "slipstick/lab.h"

/// The branch of the number `path` of a model (YAML), which begins exactly at `from`; anything else fails.
ss_solution_branch* follow_text(const char* model, ss_follow_def def, const char* path, double from,
                                double to);
/// Special point k, which must be of this kind.
ss_solution_branch_special special_point(const ss_solution_branch* branch, int k, ss_special_kind kind);
ss_solution_branch_point last_point(const ss_solution_branch* branch);

#endif
