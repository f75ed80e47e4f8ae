// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick fmu MODEL -o FILE.fmu: the model for other people's simulators.
#include "command.h"
#include "fmu/check_fmu.h"
#include "fmu/export.h"
#include "option/target.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct settings {
    cli_common common;
    const char* out;
    cli_texts parameters; // lists of paths, by commas
    long version;
    bool check, run, trust, sources;
} settings;

// clang-format off
static int parse(settings* s, const cli_line* line)
{
    const cli_option options[] = {
        {.name = "-o", .value = "FILE.fmu", .kind = CLI_TEXT, .target = &s->out, .help = "the FMU to write"},
        {.name = "--fmi", .value = "2|3", .kind = CLI_COUNT, .target = &s->version, .least = 2, .most = 3,
         .choices = "2 3", .help = "version of the interface: 2.0 or 3.0 (default 2)"},
        {.name = "--parameter", .value = "PATH,..", .kind = CLI_TEXTS, .target = &s->parameters,
         .help = "numbers that importers may change, beside all `parameters` of the model: contacts.floor.friction"},
        {.name = "--sources", .kind = CLI_FLAG, .target = &s->sources,
         .help = "the FMU also holds its code, for other systems: C17 that needs the C library alone"},
        {.name = "--check", .kind = CLI_FLAG, .target = &s->check,
         .help = "MODEL is an FMU made by this command: tell whether its description fits the model inside and its\n"
                 "                         binary is ours, without running it; status 1 where not"},
        {.name = "--run", .kind = CLI_FLAG, .target = &s->run,
         .help = "the same, and run it beside the model inside, if its binary is ours to the bit; status 1 where\n"
                 "                         they differ"},
        {.name = "--trust", .kind = CLI_FLAG, .target = &s->trust,
         .help = "with --run: run any binary; it may do whatever you may"},
        CLI_COMMON_OPTIONS(&s->common),
    };
    static const char about[] =
        "Writes the model as an FMU, which other simulators import: Co-Simulation with the exact solver inside,\n"
        "and Model Exchange. Nothing but the program is needed. Inputs of the model become inputs, bodies,\n"
        "contacts, states and signals outputs, `parameters` parameters.";
    return cli_parse_model("fmu", about, options, sizeof options / sizeof options[0], &s->common, line);
}
// clang-format on

static int check_settings(const settings* s)
{
    const char* look = s->run ? "--run" : s->check ? "--check" : NULL;
    if (look && (s->out || s->parameters.count > 0 || s->sources || s->common.set.count > 0)) {
        fprintf(stderr, "%s: takes an FMU alone: no -o, --parameter, --sources or --set\n", look);
        return CLI_WRONG;
    }
    if (s->trust && !s->run) {
        fputs("--trust: says that --run may run any binary; expected --run\n", stderr);
        return CLI_WRONG;
    }
    if (look) return CLI_GO_ON;
    if (!s->out) {
        fputs("-o: is missing; expected a file, such as -o FILE.fmu\n", stderr);
        return CLI_WRONG;
    }
    if (!cli_ends_in(s->out, ".fmu"))
        return cli_option_fault("-o", s->out, "expected a name that ends in .fmu");
    return cli_target_check("-o", s->out);
}

static int run(const cli_line* line)
{
    settings s = {.common = cli_common_default(), .version = 2};
    int status = parse(&s, line);
    if (status == CLI_GO_ON) status = check_settings(&s);
    if (status == CLI_GO_ON && (s.check || s.run))
        status = cli_check_fmu(s.common.model, &(cli_fmu_look){s.run, s.trust, s.common.json});
    else if (status == CLI_GO_ON)
        status = cli_export(&(cli_export_def){.model = s.common.model,
                                              .set = &s.common.set,
                                              .parameters = &s.parameters,
                                              .out = s.out,
                                              .version = (int)s.version,
                                              .sources = s.sources,
                                              .tolerance = s.common.tolerance,
                                              .json = s.common.json});
    free(s.parameters.items);
    cli_common_free(&s.common);
    return status;
}

const cli_command cli_fmu = {"fmu", "writes the model as an FMU for other simulators", run};
