// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "base/print_answer.h"

#include "command.h"
#include "option/load.h"

#include <stdio.h>

static bool write_out(void* user, const char* text, size_t length)
{
    return fwrite(text, 1, length, user) == length;
}

int cli_answer(ss_status made, ss_answer* const* answer, const ss_error* err)
{
    if (made != SS_OK) return cli_tell(err);
    ss_answer_print_json(*answer, write_out, stdout, NULL); // whether it arrived, main looks at in the end
    ss_answer_destroy(*answer);
    return CLI_DONE;
}
