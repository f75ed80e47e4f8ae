// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "base/print_answer.h"

#include "base/made.h"
#include "command.h"
#include "option/load.h"
#include "share/build.h"

#include <stdio.h>

static bool write_out(void* user, const char* text, size_t length)
{
    return fwrite(text, 1, length, user) == length;
}

int cli_answer(const cli_common* common, ss_status made, ss_answer* const* answer, const ss_error* err)
{
    if (made != SS_OK) return cli_print_error(err);
    ss_error fault;
    if (common) cli_made_put(common, *answer);
    if (ss_answer_finish(*answer, &fault) != SS_OK) {
        ss_answer_destroy(*answer);
        return cli_print_error(&fault);
    }
    ss_answer_print_json(*answer, write_out, stdout, NULL); // whether it arrived, main looks at in the end
    ss_answer_destroy(*answer);
    return CLI_DONE;
}
