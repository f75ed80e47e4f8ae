// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick basin MODEL: a map of outcomes.
#include "command/basin_axes.h"

#include "base/print_answer.h"
#include "base/team.h"
#include "command.h"
#include "command/map_work.h"
#include "option/target.h"
#include "text/basin_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ss_dimension time_dimension = {.s = 1}, length_dimension = {.m = 1};

// clang-format off
static int parse(cli_basin_settings* s, const cli_line* line)
{
    const cli_option options[] = {
        {.name = "--over", .value = "PATH=A:B:N", .kind = CLI_TEXTS, .target = &s->over,
         .help = "vary a number from A to B in N values: block1.x=-10:10:401; the first varies fastest;\n"
                 "                         A:B:N:log steps by a factor, PATH=1,2,5 takes these values"},
        {.name = "--random", .value = "N", .kind = CLI_COUNT, .target = &s->random, .least = 1, .most = 1e15,
         .help = "N random starts instead of a grid; then --over PATH=A:B, or from a distribution:\n"
                 "                         \"PATH=normal(1 N, 0.1 N)\" (mean, deviation), \"PATH=lognormal(1 N, 0.2)\" (median,\n"
                 "                         deviation of the logarithm); the answer has quantiles"},
        {.name = "--seed", .value = "S", .kind = CLI_COUNT, .target = &s->seed, .least = 0,
         .most = 9007199254740992.0,
         .help = "another seed, other starts (default 0)"},
        {.name = "--until", .value = "T", .kind = CLI_QUANTITY, .target = &s->until, .most = INFINITY,
         .exclusive = true, .dimension = time_dimension,
         .help = "give up at T and call it moving (default: run.until of the model)"},
        {.name = "--escape", .value = "R", .kind = CLI_QUANTITY, .target = &s->escape, .most = INFINITY,
         .exclusive = true, .dimension = length_dimension, .dimensionless = true,
         .help = "escaped where some body is further than R from its start (default 1e6 times\n"
                 "                         the largest start); where divergence is proved, earlier"},
        {.name = "--threads", .value = "N", .kind = CLI_COUNT, .target = &s->threads, .least = 1,
         .most = 1024,
         .help = "so many threads (default: all cores); the map is the same for any number"},
        {.name = "--out", .value = "FILE.h5", .kind = CLI_TEXT, .target = &s->out,
         .help = "the map as HDF5"},
        {.name = "--csv", .value = "FILE", .kind = CLI_TEXT, .target = &s->csv,
         .help = "the map as comma-separated text, a line per cell"},
        CLI_PLOT_OPTIONS(&s->plot,
                         "a picture as FILE.svg, FILE.png or FILE.pdf: over a plane of starts\n"
                         "                         with the equilibrium set and the certified region"),
        {.name = "--resume", .kind = CLI_FLAG, .target = &s->resume,
         .help = "go on where a run that was ended or killed has stopped"},
        CLI_COMMON_OPTIONS(&s->common),
    };
    static const char about[] =
        "Maps what becomes of many starts, or of one start under many parameters: rest, escaped or moving,\n"
        "when and where. While it runs, everything computed is kept in FILE.part (FILE as given to --out, else\n"
        "--csv, else --plot); Ctrl-C, a kill or a full disk leave that behind for --resume.";
    return cli_parse_model("basin", about, options, sizeof options / sizeof options[0], &s->common, line);
}
// clang-format on

static int check_options(const cli_basin_settings* s)
{
    const cli_map_targets targets = {
        .model = s->common.model, .out = s->out, .csv = s->csv, .plot = s->plot.path, .resume = s->resume};
    int status = cli_map_targets_check(&targets);
    if (status != CLI_GO_ON) return status;
    if (s->seed >= 0 && s->random == 0)
        return cli_option_fault("--seed", NULL, "only makes sense with --random");
    return CLI_GO_ON;
}

static int make_basin(const cli_basin_settings* s, const cli_loaded* loaded, const cli_axes* axes,
                      ss_basin** out)
{
    ss_basin_def def = ss_basin_def_default();
    def.document = loaded->document;
    def.axes = axes->items;
    def.axis_count = axes->count;
    def.random = s->random;
    def.seed = s->seed > 0 ? (uint64_t)s->seed : 0;
    def.until = s->until;
    def.escape = s->escape;
    def.tolerance = s->common.tolerance;
    def.max_events = s->common.max_events;
    ss_error err;
    if (ss_basin_create(&def, out, &err) != SS_OK) return cli_print_error(&err);
    const char* refusal = s->plot.path ? ss_picture_map_refusal(*out) : NULL;
    return refusal ? cli_option_fault("--plot", s->plot.path, "%s", refusal) : CLI_GO_ON;
}

// ---- what becomes of the map

static int report(const cli_map_job* job, const ss_map* map, const ss_basin_summary* summary,
                  const char* to_resume)
{
    (void)map;
    ss_answer* answer = NULL;
    ss_error err;
    if (job->common->json)
        return cli_answer(job->common, ss_answer_basin(summary, &answer, &err), &answer, &err);
    cli_basin_text(summary, to_resume, stdout);
    return CLI_DONE;
}

static bool is_finished(const cli_map_job* job, ss_basin_counts* counts)
{
    return ss_map_is_finished(job->out, job->basin, counts);
}

// Attractors, where there may be several, and quantiles of random cells.
static ss_status conclude(const cli_map_job* job, ss_map* map, ss_error* err)
{
    (void)job;
    ss_status status = ss_map_find_attractors(map, err);
    return status == SS_OK ? ss_map_find_quantiles(map, err) : status;
}

static ss_status write_csv(const cli_map_job* job, const ss_map* map, ss_error* err)
{
    return ss_map_write_csv(map, job->csv, err);
}

static ss_status write_hdf5(const cli_map_job* job, const ss_map* map, ss_error* err)
{
    return ss_map_write_hdf5(map, job->out, err);
}

static ss_status draw(const cli_map_job* job, const ss_map* map, ss_error* err)
{
    return ss_picture_map(map, job->sheet, err);
}

static int work(const cli_basin_settings* s, const ss_basin* basin)
{
    static const cli_map_kind kind = {.unit = "starts/s",
                                      .report = report,
                                      .is_finished = is_finished,
                                      .conclude = conclude,
                                      .write_csv = write_csv,
                                      .write_hdf5 = write_hdf5,
                                      .draw = draw};
    cli_map_job job = {.kind = &kind,
                       .basin = basin,
                       .common = &s->common,
                       .model = s->common.model,
                       .out = s->out,
                       .csv = s->csv,
                       .sheet = &s->sheet,
                       .threads = s->threads,
                       .resume = s->resume,
                       .keep = ss_basin_may_split(basin) || ss_basin_is_random(basin)};
    return cli_map_work(&job);
}

static int run(const cli_line* line)
{
    cli_basin_settings s = {.common = cli_common_default(), .seed = -1, .until = NAN, .escape = NAN};
    cli_loaded loaded = {0};
    cli_axes axes = {0};
    ss_basin* basin = NULL;
    int status = parse(&s, line);
    if (status == CLI_GO_ON) status = cli_plot_sheet(&s.plot, &s.common, &s.sheet);
    if (status == CLI_GO_ON) status = check_options(&s);
    if (status == CLI_GO_ON) status = cli_load_any(s.common.model, &s.common.set, &loaded);
    if (status == CLI_GO_ON) status = cli_axes_read("basin", &s.over, s.random > 0, loaded.document, &axes);
    if (status == CLI_GO_ON) status = make_basin(&s, &loaded, &axes, &basin);
    status = cli_team_agree(status);
    if (status == CLI_GO_ON) status = work(&s, basin);
    ss_basin_destroy(basin);
    cli_axes_free(&axes);
    cli_unload(&loaded);
    free(s.over.items);
    cli_common_free(&s.common);
    return status;
}

const cli_command cli_basin = {"basin", "map of outcomes over many starts or parameters", run};
