// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick scan MODEL: sections and measures of the motion over numbers of the model.
#include "slipstick/scan.h"
#include "base/print_answer.h"
#include "base/team.h"
#include "command.h"
#include "command/basin_axes.h"
#include "command/map_work.h"
#include "completion/shell.h"
#include "option/keep.h"
#include "option/target.h"
#include "text/scan_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_common common;
    cli_texts over, show, measure;
    const char *section, *carry, *out, *csv;
    long skip, keep; // -1: the default
    double until;
    long threads;
    cli_plot plot;
    ss_sheet sheet;
    bool resume, status, through_rounding;
} settings;

static const ss_dimension time_dimension = {.s = 1};

// clang-format off
static int parse(settings* s, const cli_line* line)
{
    const cli_option options[] = {
        {.name = "--over", .value = "PATH=A:B:N", .kind = CLI_TEXTS, .target = &s->over,
         .help = "vary a number from A to B in N values: parameters.w=2:3:400; one or two;\n"
                 "                         A:B:N:log steps by a factor, PATH=1,2,5 takes these values"},
        {.name = "--section", .value = "WHAT", .kind = CLI_TEXT, .target = &s->section,
         .listed = CLI_LIST_SECTIONS, .help = "period (of the inputs, the default), a time (\"0.1 s\"), or events of a contact:\n"
                 "                         floor:slip+>stick, floor:stick>slip, stop:impact, brush:reversal;\n"
                 "                         run: the whole run in equal parts (default of settling and overshoot)"},
        {.name = "--skip", .value = "N", .kind = CLI_COUNT, .target = &s->skip, .least = 0, .most = 1e9,
         .help = "drop the first N sections (default 100; of settling and overshoot alone none)"},
        {.name = "--keep", .value = "N", .kind = CLI_COUNT, .target = &s->keep, .least = 1, .most = 1e9,
         .help = "then keep N points (default 50), or measure over N sections (default 1; of settling\n"
                 "                         and overshoot alone to the end of the run)"},
        {.name = "--show", .value = "NAME,..", .kind = CLI_TEXTS, .target = &s->show,
         .help = "what of each point: block.x, block.v, floor.force, states, signals, t"},
        {.name = "--measure", .value = "WHAT,..", .kind = CLI_TEXTS, .target = &s->measure,
         .listed = CLI_LIST_MEASURES,
         .help = "numbers per value instead of points: amplitude:block.x, mean:, rms:, max:, min:,\n"
                 "                         harmonic:block.x:1 (amplitude and phase), settling:block.x:BAND,\n"
                 "                         overshoot:block.x, period, return (mean time between sections),\n"
                 "                         lyapunov (largest exponent, 1/s), dissipation, stick-share:floor"},
        {.name = "--through-rounding", .kind = CLI_FLAG, .target = &s->through_rounding,
         .help = "with lyapunov: pass round, floor and ceil of sampled controllers as if they were\n"
                 "                         not there; they cut the feedback otherwise"},
        {.name = "--carry", .value = "up|down", .kind = CLI_TEXT, .target = &s->carry,
         .choices = "up down", .help = "start each value where the next smaller (up) or larger (down) one ended"},
        {.name = "--until", .value = "T", .kind = CLI_QUANTITY, .target = &s->until, .most = INFINITY,
         .exclusive = true, .dimension = time_dimension,
         .help = "how long to wait for the next event of the section (default: run.until)"},
        {.name = "--threads", .value = "N", .kind = CLI_COUNT, .target = &s->threads, .least = 1,
         .most = 1024,
         .help = "so many threads (default: all cores); the rows are the same for any number"},
        {.name = "--status", .kind = CLI_FLAG, .target = &s->status,
         .help = "with --csv: a last column, what became of the motion: settled (sections repeat\n"
                 "                         to 1e-6), moving, rest, escaped, event-limit"},
        {.name = "--csv", .value = "FILE", .kind = CLI_TEXT, .target = &s->csv,
         .help = "the rows as comma-separated text"},
        {.name = "--out", .value = "FILE.h5", .kind = CLI_TEXT, .target = &s->out,
         .help = "the rows as HDF5, a dataset per column"},
        CLI_PLOT_OPTIONS(&s->plot,
                         "a picture as FILE.svg, FILE.png or FILE.pdf: points or lines over the\n"
                         "                         number that varies, colours over two; at a single value the second\n"
                         "                         number shown over the first, which is a Poincare section"),
        {.name = "--resume", .kind = CLI_FLAG, .target = &s->resume,
         .help = "go on where a run that was ended or killed has stopped"},
        CLI_COMMON_OPTIONS(&s->common),
    };
    static const char about[] =
        "Runs the model for each value of a number, drops the first sections of the motion and keeps the state\n"
        "at the next ones (points of a Poincare or bifurcation diagram), or measures the motion between them.\n"
        "While it runs, everything computed is kept in FILE.part (FILE as given to --out, else --csv, else\n"
        "--plot); Ctrl-C, a kill or a full disk leave that behind for --resume.";
    return cli_parse_model("scan", about, options, sizeof options / sizeof options[0], &s->common, line);
}
// clang-format on

static int check_options(const settings* s)
{
    const cli_map_targets targets = {
        .model = s->common.model, .out = s->out, .csv = s->csv, .plot = s->plot.path, .resume = s->resume};
    int status = cli_map_targets_check(&targets);
    if (status != CLI_GO_ON) return status;
    if (s->carry && strcmp(s->carry, "up") != 0 && strcmp(s->carry, "down") != 0)
        return cli_option_fault("--carry", s->carry, "expected up or down");
    if (s->status && !s->csv)
        return cli_option_fault("--status", NULL, "is a column of --csv; --json has it always");
    bool exponent = false;
    for (int k = 0; k < s->measure.count; k++) exponent = exponent || strstr(s->measure.items[k], "lyapunov");
    if (s->through_rounding && !exponent)
        return cli_option_fault("--through-rounding", NULL, "goes with --measure lyapunov");
    if (s->show.count > 0 && s->measure.count > 0)
        return cli_option_fault("--measure", NULL, "either --show or --measure");
    if (s->show.count == 0 && s->measure.count == 0)
        return cli_option_fault("scan", NULL,
                                "--show or --measure is missing: which numbers? For example --show block.x");
    return CLI_GO_ON;
}

// The elements of all texts, cut at commas.
typedef struct list {
    const char** items;
    int count;
} list;

static int cut_list(const cli_texts* texts, cli_keep* keep, list* out)
{
    size_t room = 0;
    for (int k = 0; k < texts->count; k++)
        for (const char* p = texts->items[k]; *p; p++) room += *p == ',';
    out->items = cli_keep_new(keep, room + (size_t)texts->count, sizeof *out->items);
    if (!out->items) return cli_no_memory();
    for (int k = 0; k < texts->count; k++) {
        for (const char* at = texts->items[k]; at;) {
            const char* comma = strchr(at, ',');
            while (*at == ' ') at++;
            size_t length = comma ? (size_t)(comma - at) : strlen(at);
            while (length > 0 && at[length - 1] == ' ') length--;
            const char* item = cli_keep_text(keep, at, length);
            if (!item) return cli_no_memory();
            out->items[out->count++] = item;
            at = comma ? comma + 1 : NULL;
        }
    }
    return CLI_GO_ON;
}

// Tells a fault of the definition as one of the option it came from.
static int report_fault(const settings* s, const ss_error* err)
{
    if (strcmp(err->field, "section") == 0)
        return cli_option_error("--section",
                                s->section                      ? s->section
                                : strncmp(err->text, "run:", 4) ? "period"
                                                                : NULL,
                                err);
    if (strcmp(err->field, "show") == 0) return cli_option_error("--show", NULL, err);
    if (strcmp(err->field, "measure") == 0) return cli_option_error("--measure", NULL, err);
    if (strcmp(err->field, "keep") == 0) return cli_option_error("--keep", NULL, err);
    if (strcmp(err->field, "axes") == 0) return cli_option_error("--over", NULL, err);
    return cli_print_error(err);
}

static int make_scan(const settings* s, const cli_loaded* loaded, const cli_axes* axes, ss_scan** out)
{
    cli_keep keep = {0};
    list show = {0}, measures = {0};
    ss_scan_def def = ss_scan_def_default();
    int status = cut_list(&s->show, &keep, &show);
    if (status == CLI_GO_ON) status = cut_list(&s->measure, &keep, &measures);
    def.document = loaded->document;
    def.axes = axes->items;
    def.axis_count = axes->count;
    def.section = s->section;
    def.skip = s->skip;
    def.keep = s->keep;
    def.through_rounding = s->through_rounding;
    def.show = show.items;
    def.show_count = show.count;
    def.measures = measures.items;
    def.measure_count = measures.count;
    def.carry = !s->carry ? SS_CARRY_NONE : s->carry[0] == 'u' ? SS_CARRY_UP : SS_CARRY_DOWN;
    def.until = s->until;
    def.tolerance = s->common.tolerance;
    def.max_events = s->common.max_events;
    ss_error err;
    if (status == CLI_GO_ON && ss_scan_create(&def, out, &err) != SS_OK) status = report_fault(s, &err);
    const char* refusal = status == CLI_GO_ON && s->plot.path ? ss_picture_scan_refusal(*out) : NULL;
    if (refusal) status = cli_option_fault("--plot", s->plot.path, "%s", refusal);
    cli_keep_free(&keep);
    return status;
}

// ---- what becomes of the map

static int report(const cli_map_job* job, const ss_map* map, const ss_basin_summary* summary,
                  const char* to_resume)
{
    const ss_scan* scan = job->user;
    ss_answer* answer = NULL;
    ss_error err;
    bool whole = map && ss_map_is_complete(map);
    if (job->common->json && whole) {
        ss_status made = ss_answer_scan(scan, map, &answer, &err);
        return cli_answer(job->common, made, &answer, &err);
    }
    if (job->common->json) return CLI_DONE; // rows of a part would look like all of them
    if (cli_scan_text(scan, map, summary, to_resume, stdout, &err) != SS_OK) return cli_print_error(&err);
    return CLI_DONE;
}

static bool is_finished(const cli_map_job* job, ss_basin_counts* counts)
{
    *counts = (ss_basin_counts){.moving = ss_basin_cell_count(job->basin)};
    return ss_scan_is_finished(job->user, job->out);
}

static ss_status write_csv(const cli_map_job* job, const ss_map* map, ss_error* err)
{
    return ss_scan_write_csv(job->user, map, job->csv, job->with_status, err);
}

static ss_status write_hdf5(const cli_map_job* job, const ss_map* map, ss_error* err)
{
    return ss_scan_write_hdf5(job->user, map, job->out, err);
}

static ss_status draw(const cli_map_job* job, const ss_map* map, ss_error* err)
{
    return ss_picture_scan(job->user, map, job->sheet, err);
}

static int work(const settings* s, const ss_scan* scan)
{
    static const cli_map_kind kind = {.unit = "values/s",
                                      .report = report,
                                      .is_finished = is_finished,
                                      .write_csv = write_csv,
                                      .write_hdf5 = write_hdf5,
                                      .draw = draw};
    cli_map_job job = {.kind = &kind,
                       .user = scan,
                       .basin = ss_scan_cells(scan),
                       .common = &s->common,
                       .model = s->common.model,
                       .out = s->out,
                       .csv = s->csv,
                       .with_status = s->status,
                       .sheet = &s->sheet,
                       .threads = s->threads,
                       .resume = s->resume,
                       .keep = true,
                       .needs_cells = s->common.json};
    return cli_map_work(&job);
}

static int run(const cli_line* line)
{
    settings s = {.common = cli_common_default(), .skip = -1, .keep = -1, .until = NAN};
    cli_loaded loaded = {0};
    cli_axes axes = {0};
    ss_scan* scan = NULL;
    int status = parse(&s, line);
    if (status == CLI_GO_ON) status = cli_plot_sheet(&s.plot, &s.common, &s.sheet);
    if (status == CLI_GO_ON) status = check_options(&s);
    if (status == CLI_GO_ON) status = cli_load(s.common.model, &s.common.set, &loaded);
    if (status == CLI_GO_ON) status = cli_axes_read("scan", &s.over, false, loaded.document, &axes);
    if (status == CLI_GO_ON) status = make_scan(&s, &loaded, &axes, &scan);
    status = cli_team_agree(status);
    if (status == CLI_GO_ON) status = work(&s, scan);
    ss_scan_destroy(scan);
    cli_axes_free(&axes);
    cli_unload(&loaded);
    free(s.over.items);
    free(s.show.items);
    free(s.measure.items);
    cli_common_free(&s.common);
    return status;
}

const cli_command cli_scan = {"scan", "sections and measures of the motion over numbers of the model", run};
