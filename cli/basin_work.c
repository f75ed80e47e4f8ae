// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From the plan of a map to its files: the journal first, then the work, then what was asked for.
#define _POSIX_C_SOURCE 200809L // unlink
#include "answer.h"
#include "basin.h"
#include "command.h"
#include "lab/file/file.h"
#include "lab/map/basin_map.h"
#include "lab/stopwatch.h"
#include "memory.h"
#include "picture/view/map.h"
#include "progress.h"
#include "target.h"
#include "team.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct work {
    const cli_basin_settings* settings;
    const ss_basin* basin;
    ss_journal* journal; // NULL: nothing is kept
    char* part;          // its name, NULL: none
    int64_t before;      // cells of an earlier run
    cli_progress progress;
    double started_s;
    ss_error fault;    // of the journal; status SS_OK: none
    ss_labels* labels; // NULL: not sought
    ss_attractor* attractors;
    bool complete;
} work;

// ---- the journal ----

// The option and file that the journal belongs to.
static const char* owner(const cli_basin_settings* s, const char** option)
{
    *option = s->out ? "--out" : s->csv ? "--csv" : "--plot";
    return s->out ? s->out : s->csv ? s->csv : s->plot.path;
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
    const char* file = owner(w->settings, &option);
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
    const char* file = owner(w->settings, &option);
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

static int tell_answer(const cli_basin_settings* s, const ss_basin_summary* summary, const char* to_resume)
{
    ss_answer* answer = NULL;
    ss_error err;
    if (s->common.json) return cli_answer(ss_answer_basin(summary, &answer, &err), &answer, &err);
    cli_basin_text(summary, to_resume, stdout);
    return CLI_DONE;
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
    q->finished = ss_map_is_finished(q->w->settings->out, q->w->basin, &q->counts);
    return SS_OK;
}

// --resume where nothing is unfinished: a finished map answers at once, anything else of that name is kept.
static int resume_finished(const work* w)
{
    const cli_basin_settings* s = w->settings;
    ss_basin_summary summary = {.basin = w->basin};
    if (!s->out || access(s->out, F_OK) != 0) return CLI_GO_ON;
    question q = {.w = w};
    ss_error err;
    if (cli_guard(look_at_map, &q, &err) != SS_OK) return cli_tell(&err);
    summary.counts = q.counts;
    if (!q.finished)
        return cli_option_fault("--resume", NULL,
                                "%s is there, and is not this map; without --resume it is replaced", s->out);
    if (s->csv || s->plot.path) return CLI_GO_ON; // these need the work done again
    return tell_answer(s, &summary, NULL);
}

static int make_journal(work* w)
{
    ss_journal* journal = NULL;
    ss_error err;
    if (ss_journal_create(w->part, NULL, w->basin, &journal, &err) != SS_OK) return journal_fault(w, &err);
    w->journal = journal;
    return CLI_GO_ON;
}

static int resume_journal(work* w)
{
    ss_journal* journal = NULL;
    ss_error err;
    if (ss_journal_resume(w->part, w->basin, &journal, &err) != SS_OK) return journal_fault(w, &err);
    w->journal = journal;
    w->before = ss_basin_counts_all(ss_journal_counts(journal));
    return CLI_GO_ON;
}

static int open_journal(work* w)
{
    ss_journal_state state;
    ss_error err;
    const char* option;
    if (!owner(w->settings, &option)) return ss_labels_apply(w->basin) ? make_journal(w) : CLI_GO_ON;
    w->part = part_name(owner(w->settings, &option));
    if (!w->part) return cli_tell(&(ss_error){.status = SS_NO_MEMORY, .text = "out of memory"});
    if (ss_journal_look(w->part, w->basin, &state, &err) != SS_OK) return journal_fault(w, &err);
    if (!w->settings->resume) return state == SS_JOURNAL_NONE ? make_journal(w) : refuse_unfinished(w, state);
    if (state == SS_JOURNAL_SAME) return resume_journal(w);
    if (state != SS_JOURNAL_NONE) return refuse_resume(w, state, &err);
    int status = resume_finished(w);
    return status == CLI_GO_ON ? make_journal(w) : status;
}

// Only rank 0 reads and writes.
static int prepare(work* w)
{
    if (cli_team_rank() != 0) return CLI_GO_ON;
    int status = cli_target_check("--out", w->settings->out);
    if (status == CLI_GO_ON) status = cli_target_check("--csv", w->settings->csv);
    if (status == CLI_GO_ON) status = cli_target_check("--plot", w->settings->plot.path);
    return status == CLI_GO_ON ? open_journal(w) : status;
}

// ---- the work ----

static bool on_block(void* user, const ss_basin_block* block)
{
    work* w = user;
    if (!w->journal) return true;
    int64_t number = block->first / w->basin->block_cells;
    return ss_journal_add(w->journal, number, block->t, &w->fault) == SS_OK; // t begins the payload
}

static bool on_watch(void* user, int64_t done)
{
    work* w = user;
    int64_t cells = w->basin->cells, now = done - w->before;
    double seconds = ss_now_s() - w->started_s;
    cli_progress_work(&w->progress, (double)done / (double)cells, (double)now / seconds, "starts/s",
                      now > 0 ? (double)(cells - done) * seconds / (double)now : -1);
    return !cli_interrupted();
}

static bool is_done(void* user, int64_t block) { return ss_journal_has(((const work*)user)->journal, block); }

static ss_status compute(work* w, ss_basin_summary* answer, ss_error* err)
{
    ss_basin_run_def def = {
        .threads = (int)w->settings->threads, .sink = on_block, .watch = on_watch, .user = w};
    ss_basin_done done = {is_done, w};
    if (w->journal) answer->counts = *ss_journal_counts(w->journal);
    w->started_s = ss_now_s();
    ss_status status = cli_team_compute(w->basin, &def, w->journal ? &done : NULL, &answer->counts, err);
    answer->seconds = ss_now_s() - w->started_s;
    cli_progress_end(&w->progress);
    answer->computed = ss_basin_counts_all(&answer->counts) - w->before;
    w->complete = status == SS_OK && ss_basin_counts_all(&answer->counts) == w->basin->cells;
    return status;
}

// ---- the end ----

static int product_fault(const work* w, const char* option, const char* path, const ss_error* err)
{
    cli_option_fault(option, path, "%s; the whole map is in %s: make room and add --resume", err->text,
                     w->part);
    return CLI_UNFINISHED;
}

// Finds the attractors, where there may be several, for the files and the answer.
static int find_attractors(work* w, ss_basin_summary* answer)
{
    ss_error err;
    if (!ss_labels_apply(w->basin)) return CLI_DONE;
    if (ss_labels_find(w->basin, w->journal, &w->labels, &err) != SS_OK) {
        cli_tell(&err);
        return CLI_UNFINISHED;
    }
    int count = ss_labels_count(w->labels);
    w->attractors = calloc((size_t)count + 1, sizeof *w->attractors);
    if (!w->attractors) return cli_no_memory();
    for (int k = 0; k < count; k++) {
        const double* place = ss_labels_place(w->labels, k);
        w->attractors[k] = (ss_attractor){.kind = ss_labels_is_steady(w->labels, k) ? SS_ATTRACTOR_STEADY
                                                  : place                           ? SS_ATTRACTOR_REST
                                                                                    : SS_ATTRACTOR_MOTION,
                                          .cells = ss_labels_cells(w->labels, k),
                                          .place = place};
    }
    answer->attractor_count = count;
    answer->attractors = w->attractors;
    return CLI_DONE;
}

typedef struct product {
    const ss_map* map;
    const ss_sheet* sheet; // of the picture
    const char* path;      // of the HDF5 file
} product;

static ss_status draw_map(void* data, ss_error* err)
{
    const product* p = data;
    return ss_picture_map(p->map, p->sheet, err);
}

static ss_status write_hdf5(void* data, ss_error* err)
{
    const product* p = data;
    return ss_map_write_hdf5(p->map, p->path, err);
}

// Writes the HDF5 file. Where memory runs out inside HDF5, the unfinished file is removed here.
static ss_status put_hdf5(product* p, ss_error* err)
{
    char *target = ss_file_target(p->path), *temporary = target ? ss_map_temporary(target) : NULL;
    ss_status status = cli_guard_file(write_hdf5, p, temporary, err);
    free(target);
    free(temporary);
    return status;
}

static int write_products(work* w)
{
    const cli_basin_settings* s = w->settings;
    char* text = NULL;
    int status = cli_model_text(s->model, &s->common.set, &text);
    if (status != CLI_GO_ON) return status;
    ss_map map = {.basin = w->basin,
                  .journal = w->journal,
                  .labels = w->labels && ss_labels_count(w->labels) > 1 ? w->labels : NULL,
                  .model_text = text};
    product p = {&map, &s->sheet, s->out};
    ss_error err;
    status = CLI_DONE;
    if (s->csv && ss_map_write_csv(&map, s->csv, &err) != SS_OK)
        status = product_fault(w, "--csv", s->csv, &err);
    if (status == CLI_DONE && s->plot.path && cli_plot_draw(draw_map, &p, &s->sheet, &err) != SS_OK)
        status = product_fault(w, "--plot", s->plot.path, &err);
    if (status == CLI_DONE && s->out && put_hdf5(&p, &err) != SS_OK)
        status = product_fault(w, "--out", s->out, &err);
    free(text);
    if (status == CLI_DONE && w->part) unlink(w->part);
    return status;
}

// Tells why the work is not complete.
static int explain(const work* w, ss_status status, const ss_error* err)
{
    const char* option;
    const char* file = owner(w->settings, &option);
    if (status == SS_BAD_INPUT) { // some cell makes no sense: this map cannot be finished
        if (w->part) unlink(w->part);
        return cli_tell(err);
    }
    if (status != SS_OK) cli_tell(err);
    if (status == SS_OK && w->fault.status == SS_OK && cli_team_size() > 1)
        fputs("the job was ended, by somebody or because a rank was lost\n", stderr);
    if (w->fault.status != SS_OK)
        cli_option_fault(option, file, "%s: %s; make room and add --resume", w->part, w->fault.text);
    return CLI_UNFINISHED;
}

static int finish(work* w, ss_basin_summary* answer, ss_status status, const ss_error* err)
{
    int exit_status = CLI_DONE;
    if (!w->complete) {
        exit_status = explain(w, status, err);
    } else if (w->journal) {
        exit_status = find_attractors(w, answer);
        if (exit_status == CLI_DONE) exit_status = write_products(w);
    }
    if (exit_status == CLI_WRONG) return exit_status;
    int told = tell_answer(w->settings, answer, w->complete ? NULL : w->part);
    if (exit_status == CLI_DONE) exit_status = told;
    if (exit_status == CLI_DONE && answer->counts.limited > 0) {
        fprintf(stderr, "--max-events %ld: %" PRId64 " starts were still moving after so many events\n",
                w->settings->common.max_events, answer->counts.limited);
        exit_status = CLI_UNFINISHED;
    }
    return exit_status;
}

int cli_basin_work(const cli_basin_settings* settings, const ss_basin* basin)
{
    work w = {.settings = settings, .basin = basin, .progress = cli_progress_begin()};
    int exit_status = cli_team_agree(prepare(&w));
    if (exit_status == CLI_GO_ON) {
        ss_basin_summary answer = {.basin = basin};
        ss_error err;
        ss_status status = compute(&w, &answer, &err);
        exit_status = cli_team_rank() == 0 ? finish(&w, &answer, status, &err) : CLI_DONE;
    }
    ss_labels_destroy(w.labels);
    free(w.attractors);
    ss_journal_close(w.journal);
    free(w.part);
    return exit_status;
}
