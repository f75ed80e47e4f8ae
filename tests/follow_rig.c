// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "follow_rig.h"
#include "text_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

ss_solution_branch* follow_text(const char* model, ss_follow_def def, const char* path, double from,
                                double to)
{
    ss_document* document = text_document(model);
    ss_solution_branch* branch = NULL;
    ss_error err = {0};
    def.document = document;
    def.path = path;
    def.from = from;
    def.to = to;
    ss_status status = ss_follow_run(&def, &branch, &err);
    ss_document_destroy(document);
    if (status != SS_OK) fail_msg("%s", err.text);
    assert_true(ss_solution_branch_get(branch, 0).value == from);
    return branch;
}

ss_solution_branch_special special_point(const ss_solution_branch* branch, int k, ss_special_kind kind)
{
    if (k >= ss_solution_branch_special_count(branch))
        fail_msg("only %d special points", ss_solution_branch_special_count(branch));
    ss_solution_branch_special found = ss_solution_branch_get_special(branch, k);
    assert_string_equal(ss_special_name(found.kind), ss_special_name(kind));
    return found;
}

ss_solution_branch_point last_point(const ss_solution_branch* branch)
{
    return ss_solution_branch_get(branch, ss_solution_branch_count(branch) - 1);
}
