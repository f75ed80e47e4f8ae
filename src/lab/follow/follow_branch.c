// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A branch of steady states or cycles over one number of the model.
#include "slipstick/follow.h"

#include "core/definition.h"
#include "core/error.h"
#include "lab/follow/continuation.h"
#include "lab/follow/cycles.h"
#include "lab/follow/solution_branch.h"
#include "lab/follow/steady_branch.h"
#include "lab/follow/varied_parameter.h"
#include "model/model_impl.h"
#include "share/model_parts.h"
#include "slipstick/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ss_status check(const ss_follow_def* def, ss_error* err)
{
    if (!isfinite(def->from) || !isfinite(def->to))
        return ss_fail(err, SS_BAD_INPUT, def->path, "the ends of the range must be finite");
    if (def->from == def->to) return ss_fail(err, SS_BAD_INPUT, def->path, "the range is empty");
    if (!(def->step > 0.0 && def->step <= 1.0) || def->max_points < 2)
        return ss_fail(err, SS_BAD_INPUT, def->path, "the step must be a share of the range");
    return SS_OK;
}

static ss_status make_branch(const ss_follow_def* def, ss_varied_parameter* parameter,
                             ss_solution_branch* branch, ss_error* err)
{
    ss_fit_number number;
    ss_document* copy = NULL;
    size_t size = strlen(def->path) + 1;
    branch->steady = def->steady;
    if (!(branch->path = ss_new(size, 1))) return ss_fail_no_memory(err);
    memcpy(branch->path, def->path, size);
    ss_status status = ss_document_clone(def->document, &copy, err);
    if (status == SS_OK) status = ss_fit_read_number(copy, def->path, &number, err);
    ss_document_destroy(copy);
    if (status != SS_OK) return status;
    ss_fit_number_unit(def->document, def->path, branch->unit, sizeof branch->unit);
    status = ss_varied_parameter_make(parameter, def->document, def->path,
                                      def->option ? def->option : def->path, err);
    if (status == SS_OK) // fewer coordinates, and no starts that break ties
        status = ss_varied_parameter_leave_tie_names(parameter, def->from, err);
    if (status == SS_OK) status = ss_varied_parameter_model(parameter, def->from, &branch->model, err);
    if (status != SS_OK) return status;
    status = ss_model_expect_no_joints(branch->model, "a branch", err);
    if (status != SS_OK) return status;
    branch->bodies = ss_model_body_count(branch->model);
    branch->states = ss_model_state_count(branch->model);
    return SS_OK;
}

static ss_status follow_steady(const ss_follow_def* def, ss_varied_parameter* parameter,
                               ss_solution_branch* branch, ss_error* err)
{
    ss_steady* steady = NULL;
    ss_branch_point first = {0};
    ss_status status = ss_steady_create(parameter, def, branch, &steady, err);
    if (status == SS_OK) {
        branch->room = steady->width;
        status = ss_branch_point_make(branch, steady->size, &first) ? SS_OK : ss_fail_no_memory(err);
    }
    if (status == SS_OK) status = ss_steady_begin(steady, &first, err);
    if (status == SS_OK) {
        ss_continuation_problem problem = {.self = steady,
                                           .size = steady->size,
                                           .scale = steady->scale,
                                           .pair = SS_SPECIAL_HOPF,
                                           .solve = ss_steady_solve,
                                           .cross = ss_steady_cross,
                                           .accept = ss_steady_accept};
        status = ss_continuation_run(&problem, def, &first, branch, err);
    }
    ss_branch_point_free(&first);
    ss_steady_destroy(steady);
    return status;
}

static ss_status follow_cycles(const ss_follow_def* def, ss_varied_parameter* parameter,
                               ss_solution_branch* branch, ss_error* err)
{
    ss_cycles* cycles = NULL;
    ss_branch_point first = {0};
    ss_status status = ss_cycles_create(parameter, def, branch, &cycles, err);
    if (status == SS_OK) {
        branch->room = cycles->w;
        status = ss_branch_point_make(branch, cycles->size, &first) ? SS_OK : ss_fail_no_memory(err);
    }
    if (status == SS_OK) status = ss_cycles_begin(cycles, &first, err);
    if (status == SS_OK) {
        ss_continuation_problem problem = {.self = cycles,
                                           .loose = cycles->loose,
                                           .size = cycles->size,
                                           .scale = cycles->scale,
                                           .pair = SS_SPECIAL_TORUS,
                                           .solve = ss_cycles_solve,
                                           .cross = ss_cycles_cross,
                                           .repeats = ss_cycles_repeat,
                                           .accept = ss_cycles_accept};
        status = ss_continuation_run(&problem, def, &first, branch, err);
    }
    ss_branch_point_free(&first);
    ss_cycles_destroy(cycles);
    return status;
}

ss_status ss_follow_run(const ss_follow_def* given, ss_solution_branch** out, ss_error* err)
{
    ss_follow_def own = ss_follow_def_default();
    const ss_follow_def* def = &own;
    ss_status taken = ss_take_def(&own, sizeof own, given, "ss_follow_def_default", err);
    *out = NULL;
    if (taken != SS_OK) return taken;
    ss_varied_parameter parameter = {0};
    *out = NULL;
    ss_status status = check(def, err);
    if (status != SS_OK) return status;
    ss_solution_branch* branch = ss_new(1, sizeof *branch);
    if (!branch) return ss_fail_no_memory(err);
    if (status == SS_OK) status = make_branch(def, &parameter, branch, err);
    if (status == SS_OK)
        status = def->steady ? follow_steady(def, &parameter, branch, err)
                             : follow_cycles(def, &parameter, branch, err);
    ss_varied_parameter_free(&parameter);
    if (status != SS_OK) {
        ss_solution_branch_destroy(branch);
        return status;
    }
    *out = branch;
    return SS_OK;
}
