// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick check MODEL: what the model is, before it moves.
#include "slipstick/follow.h"
#include "text/check_text.h"

#include "base/print_answer.h"
#include "command.h"
#include "option/load.h"
#include "option/options.h"
#include "share/model_parts.h"

static int parse(cli_common* common, const cli_line* line)
{
    const cli_option options[] = {CLI_COMMON_OPTIONS(common)};
    static const char about[] =
        "Loads a model and tells what it is: sizes, modes, matrices, what the numbers of each law\n"
        "mean, and what may not be meant.";
    return cli_parse_model("check", about, options, sizeof options / sizeof options[0], common, line);
}

static int report_slider(const cli_common* common, const ss_slider* slider)
{
    ss_slider_check check = ss_check_slider(slider);
    ss_answer* answer = NULL;
    ss_error err;
    if (common->json) return cli_answer(common, ss_answer_slider_check(&check, &answer, &err), &answer, &err);
    cli_check_slider_text(&check, stdout);
    return CLI_DONE;
}

static int report_text(const cli_loaded* loaded)
{
    ss_check* check;
    ss_equilibria* found = NULL;
    ss_error err;
    ss_status status = ss_check_model(loaded->model, loaded->document, &check, &err);
    if (status != SS_OK) return cli_print_error(&err);
    if (ss_model_is_open(loaded->model)) status = ss_equilibria_find(loaded->model, &found, &err);
    if (status == SS_OK && found) {
        check->equilibrium_count = ss_equilibria_count(found);
        check->equilibria = ss_equilibria_list(found);
    }
    if (status == SS_OK) cli_check_text(check, stdout);
    ss_check_destroy(check);
    ss_equilibria_destroy(found);
    return status == SS_OK ? CLI_DONE : cli_print_error(&err);
}

static int report(const cli_common* common, const cli_loaded* loaded)
{
    ss_answer* answer = NULL;
    ss_error err;
    if (!common->json) return report_text(loaded);
    return cli_answer(common, ss_answer_check_model(loaded->model, loaded->document, &answer, &err), &answer,
                      &err);
}

static int run(const cli_line* line)
{
    cli_common common = cli_common_default();
    cli_loaded loaded = {0};
    int status = parse(&common, line);
    if (status == CLI_GO_ON) status = cli_load_to_check(common.model, &common.set, &loaded);
    if (status == CLI_GO_ON)
        status = loaded.slider ? report_slider(&common, loaded.slider) : report(&common, &loaded);
    cli_unload(&loaded);
    cli_common_free(&common);
    return status;
}

const cli_command cli_check = {"check", "what a model is: sizes, modes, matrices, laws, warnings", run};
