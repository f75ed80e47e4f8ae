// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From the plan of a map to its files: the journal first, then the work, then what was asked for.
#define _POSIX_C_SOURCE 200809L // unlink
#include "command/map_work.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/team.h"
#include "command.h"
#include "option/target.h"
#include "share/file.h"
#include "slipstick/lab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct work {
    const cli_map_job* job;
    ss_map* map;       // of rank 0
    char *part, *text; // names of the journal, NULL: it has none; the model
    char made[CLI_MADE_LINE];
    int64_t before; // cells of an earlier run
    cli_progress progress;
    double started_s;
} work;

// ---- the journal

// The option and file that the journal belongs to.
static const char* owner(const cli_map_job* job, const char** option)
{
    *option = job->out ? "--out" : job->csv ? "--csv" : "--plot";
    return job->out ? job->out : job->csv ? job->csv : job->sheet->path;
}

static char* part_name(const char* file)
{
    size_t size = strlen(file) + sizeof ".part";
    char* name = malloc(size);
    if (name) snprintf(name, size, "%s.part", file);
    return name;
}

static int journal_fault(const work* w, const ss_error* err)
{
    const char* option;
    const char* file = owner(w->job, &option);
    if (!file) { // a nameless one
        fprintf(stderr, "temporary file: %s\n", err->text);
        return CLI_UNFINISHED;
    }
    cli_option_fault(option, file, "%s: %s", w->part, err->text);
    return err->status == SS_BAD_INPUT ? CLI_WRONG : CLI_UNFINISHED;
}

static int refuse_unfinished(const work* w, ss_journal_state state)
{
    const char* option;
    const char* file = owner(w->job, &option);
    if (state == SS_JOURNAL_FOREIGN)
        return cli_option_fault(option, file, "%s is in the way, and is no map", w->part);
    if (state == SS_JOURNAL_DAMAGED)
        return cli_option_fault(option, file, "%s is a damaged map; remove it to begin anew", w->part);
    return cli_option_fault(option, file,
                            "%s holds an unfinished map; continue it with --resume, or remove it", w->part);
}

static int refuse_resume(const work* w, ss_journal_state state, const ss_error* difference)
{
    if (state == SS_JOURNAL_FOREIGN)
        return cli_option_fault("--resume", NULL, "%s is no unfinished map", w->part);
    if (state == SS_JOURNAL_DAMAGED)
        return cli_option_fault("--resume", NULL, "%s is damaged: which map it holds cannot be read",
                                w->part);
    return cli_option_fault("--resume", NULL, "%s holds another map: %s", w->part, difference->text);
}

typedef struct question {
    const work* w;
    ss_basin_counts counts;
    bool finished;
} question;

static ss_status look_at_map(void* data, ss_error* err)
{
    (void)err;
    question* q = data;
    q->finished = q->w->job->kind->is_finished(q->w->job, &q->counts);
    return SS_OK;
}

// --resume where nothing is unfinished: a finished map answers at once, anything else of that name is kept.
static int resume_finished(const work* w)
{
    const cli_map_job* s = w->job;
    ss_basin_summary summary = {.basin = s->basin};
    if (!s->out || access(s->out, F_OK) != 0) return CLI_GO_ON;
    question q = {.w = w};
    ss_error err;
    if (cli_guard(look_at_map, &q, &err) != SS_OK) return cli_print_error(&err);
    summary.counts = q.counts;
    if (!q.finished)
        return cli_option_fault("--resume", NULL,
                                "%s is there, and is not this map; without --resume it is replaced", s->out);
    if (s->csv || s->sheet->path || s->needs_cells) return CLI_GO_ON; // these need the work done again
    return s->kind->report(s, NULL, &summary, NULL);
}

// Begins the map, or goes on with it.
static int open_map(work* w, bool resume)
{
    const cli_map_job* s = w->job;
    ss_error err;
    int status = cli_model_text(s->common->model, &s->common->set, &w->text);
    if (status != CLI_GO_ON) return status;
    ss_map_def def = {.basin = w->job->basin,
                      .journal = w->part,
                      .keep = w->part || s->keep,
                      .model_text = w->text,
                      .made = cli_made_line(s->common, w->made)};
    if ((resume ? ss_map_resume : ss_map_create)(&def, &w->map, &err) != SS_OK) return journal_fault(w, &err);
    w->before = ss_basin_counts_all(&ss_map_get_summary(w->map)->counts);
    return CLI_GO_ON;
}

static int open_journal(work* w)
{
    ss_journal_state state;
    ss_error err;
    const char* option;
    if (!owner(w->job, &option)) return open_map(w, false);
    w->part = part_name(owner(w->job, &option));
    if (!w->part) return cli_no_memory();
    if (ss_journal_look(w->part, w->job->basin, &state, &err) != SS_OK) return journal_fault(w, &err);
    if (!w->job->resume) return state == SS_JOURNAL_NONE ? open_map(w, false) : refuse_unfinished(w, state);
    if (state == SS_JOURNAL_SAME) return open_map(w, true);
    if (state != SS_JOURNAL_NONE) return refuse_resume(w, state, &err);
    int status = resume_finished(w);
    return status == CLI_GO_ON ? open_map(w, false) : status;
}

// Only rank 0 reads and writes.
static int prepare(work* w)
{
    if (cli_team_rank() != 0) return CLI_GO_ON;
    int status = cli_target_check("--out", w->job->out);
    if (status == CLI_GO_ON) status = cli_target_check("--csv", w->job->csv);
    if (status == CLI_GO_ON) status = cli_target_check("--plot", w->job->sheet->path);
    return status == CLI_GO_ON ? open_journal(w) : status;
}

// ---- the work

static bool on_watch(void* user, int64_t done)
{
    work* w = user;
    int64_t cells = ss_basin_cell_count(w->job->basin), now = done - w->before;
    double seconds = ss_now_s() - w->started_s;
    cli_progress_work(&w->progress, (double)done / (double)cells, (double)now / seconds, w->job->kind->unit,
                      now > 0 ? (double)(cells - done) * seconds / (double)now : -1);
    return !cli_interrupted();
}

// Rank 0 has the map; the others serve.
static ss_status compute(work* w, ss_error* err)
{
    ss_basin_run_def def = {.threads = (int)w->job->threads, .watch = on_watch, .user = w};
    ss_basin_counts counts = {0};
    w->started_s = ss_now_s();
    ss_status status = w->map ? ss_map_run(w->map, &def, cli_team_compute, err)
                              : cli_team_compute(w->job->basin, &def, NULL, &counts, err);
    cli_progress_end(&w->progress);
    return status;
}

// ---- the end

static int product_fault(const work* w, const char* option, const char* path, const ss_error* err)
{
    cli_option_fault(option, path, "%s; the whole map is in %s: make room and add --resume", err->text,
                     w->part);
    return CLI_UNFINISHED;
}

typedef struct product {
    const cli_map_job* job;
    const ss_map* map;
} product;

static ss_status draw_map(void* data, ss_error* err)
{
    const product* p = data;
    return p->job->kind->draw(p->job, p->map, err);
}

static ss_status write_hdf5(void* data, ss_error* err)
{
    const product* p = data;
    return p->job->kind->write_hdf5(p->job, p->map, err);
}

// Writes the HDF5 file. Where memory runs out inside HDF5, the unfinished file is removed here.
static ss_status put_hdf5(product* p, ss_error* err)
{
    char* temporary = ss_map_unfinished(p->job->out);
    ss_status status = cli_guard_file(write_hdf5, p, temporary, err);
    free(temporary);
    return status;
}

static int write_products(work* w)
{
    const cli_map_job* s = w->job;
    product p = {s, w->map};
    ss_error err;
    int status = CLI_DONE;
    if (s->csv && s->kind->write_csv(s, w->map, &err) != SS_OK)
        status = product_fault(w, "--csv", s->csv, &err);
    if (status == CLI_DONE && s->sheet->path && cli_plot_draw(draw_map, &p, s->sheet, &err) != SS_OK)
        status = product_fault(w, "--plot", s->sheet->path, &err);
    if (status == CLI_DONE && s->out && put_hdf5(&p, &err) != SS_OK)
        status = product_fault(w, "--out", s->out, &err);
    if (status == CLI_DONE && w->part) unlink(w->part);
    return status;
}

static int conclude(work* w)
{
    ss_error err;
    if (w->job->kind->conclude && w->job->kind->conclude(w->job, w->map, &err) != SS_OK) {
        cli_print_error(&err);
        return CLI_UNFINISHED;
    }
    return write_products(w);
}

// Tells why the work is not complete.
static int explain(const work* w, ss_status status, const ss_error* err)
{
    const char* option;
    const char* file = owner(w->job, &option);
    const ss_error* fault = ss_map_journal_fault(w->map);
    if (status == SS_BAD_INPUT) { // some cell makes no sense: this map cannot be finished
        if (w->part) unlink(w->part);
        return cli_print_error(err);
    }
    if (status != SS_OK) cli_print_error(err);
    if (status == SS_OK && !fault && cli_team_size() > 1)
        fputs("the job was ended, by somebody or because a rank was lost\n", stderr);
    if (fault) cli_option_fault(option, file, "%s: %s; make room and add --resume", w->part, fault->text);
    return CLI_UNFINISHED;
}

static int finish(work* w, ss_status status, const ss_error* err)
{
    const ss_basin_summary* summary = ss_map_get_summary(w->map);
    bool complete = status == SS_OK && ss_map_is_complete(w->map);
    int exit_status = complete ? conclude(w) : explain(w, status, err);
    if (exit_status == CLI_WRONG) return exit_status;
    int told = w->job->kind->report(w->job, w->map, summary, complete ? NULL : w->part);
    if (exit_status == CLI_DONE) exit_status = told;
    if (exit_status == CLI_DONE && summary->counts.limited > 0) {
        fprintf(stderr, "--max-events %ld: %" PRId64 " %.*s were still moving after so many events\n",
                w->job->common->max_events, summary->counts.limited, (int)strcspn(w->job->kind->unit, "/"),
                w->job->kind->unit);
        exit_status = CLI_UNFINISHED;
    }
    return exit_status;
}

int cli_map_work(const cli_map_job* job)
{
    work w = {.job = job, .progress = cli_progress_begin()};
    int exit_status = cli_team_agree(prepare(&w));
    if (exit_status == CLI_GO_ON) {
        ss_error err;
        ss_status status = compute(&w, &err);
        exit_status = w.map ? finish(&w, status, &err) : CLI_DONE;
    }
    ss_map_destroy(w.map);
    free(w.text);
    free(w.part);
    return exit_status;
}
