// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick check MODEL: what the model is, before it moves.
#include "check.h"

#include "command.h"
#include "load.h"
#include "options.h"

static int parse(cli_common* common, const char** model, int argc, char** argv)
{
    const cli_option options[] = {CLI_COMMON_OPTIONS(common)};
    static const char* const names[] = {"MODEL"};
    const cli_syntax syntax = {
        .command = "check",
        .about = "Loads a model and tells what it is: sizes, modes, matrices, what the numbers of each law\n"
                 "mean, and what may not be meant.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .argument_names = names,
        .arguments = model,
        .argument_count = 1,
    };
    return cli_parse(&syntax, argc, argv);
}

static int run(int argc, char** argv)
{
    cli_common common = cli_common_default();
    const char* model = NULL;
    cli_loaded loaded = {0};
    cli_facts facts = {0};
    int status = parse(&common, &model, argc, argv);
    if (status == CLI_GO_ON) status = cli_load_any(model, &common.set, &loaded);
    if (status == CLI_GO_ON && loaded.slider) {
        (common.json ? cli_check_slider_json : cli_check_slider_text)(loaded.slider, stdout);
        status = CLI_DONE;
    }
    if (status == CLI_GO_ON) status = cli_facts_gather(loaded.document, loaded.model, &facts);
    if (status == CLI_GO_ON) {
        (common.json ? cli_check_json : cli_check_text)(&facts, stdout);
        status = CLI_DONE;
    }
    cli_facts_free(&facts);
    cli_unload(&loaded);
    cli_common_free(&common);
    return status;
}

const cli_command cli_check = {"check", "what a model is: sizes, modes, matrices, laws, warnings", run};
