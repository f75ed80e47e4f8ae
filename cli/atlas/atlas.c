// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick atlas -o DIR: every figure and number of the papers that can be made anew, in one folder.
#define _POSIX_C_SOURCE 200809L // mkdir, chdir

#include "atlas/atlas.h"

#include "atlas/files.h"
#include "base/progress.h"
#include "base/team.h"
#include "command.h"
#include "option/options.h"
#include "share/file.h"
#include "slipstick/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const atlas_paper* const papers[] = {&atlas_vl04, &atlas_rd25, &atlas_r15, &atlas_grp91};
enum { PAPERS = sizeof papers / sizeof papers[0] };

static int parse(const char** folder, const cli_line* line)
{
    const cli_option options[] = {
        {.name = "-o",
         .value = "DIR",
         .kind = CLI_TEXT,
         .target = folder,
         .help = "the folder to write (made if it is not there): index.html, figures, models"},
    };
    const cli_syntax syntax = {
        .command = "atlas",
        .about =
            "Makes the figures and numbers of the four papers anew: one page to open from disk, with each\n"
            "figure, its model and the command that draws it, and beside every number the paper's value,\n"
            "ours and the exact one. Exit status 1 if a number is not as it should be.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    int status = cli_parse(&syntax, line);
    if (status != CLI_GO_ON || (*folder && **folder)) return status;
    fputs("-o: missing; `slipstick atlas -o DIR` says where to write\n", stderr);
    return CLI_WRONG;
}

// ---- files ----

// The folder, which may be there already. A file of this name stays what it is.
static int make_folder(const char* option_value, const char* path)
{
    struct stat found;
    if (mkdir(path, 0777) == 0) return CLI_GO_ON;
    if (errno != EEXIST) return cli_option_fault("-o", option_value, "%s", strerror(errno));
    if (stat(path, &found) != 0 || !S_ISDIR(found.st_mode))
        return cli_option_fault("-o", option_value, "%s is in the way, and is no folder", path);
    return CLI_GO_ON;
}

static int write_file(const atlas_file* file)
{
    ss_error err;
    if (ss_file_write(file->path, file->text, file->size, &err) == SS_OK) return CLI_GO_ON;
    fprintf(stderr, "%s: %s\n", file->path, err.text);
    return CLI_UNFINISHED;
}

// Commands are run inside the folder, as a reader would run them there.
static int enter(const char* folder)
{
    static const char* const inside[] = {"figures", "models", "recordings"};
    int status = make_folder(folder, folder);
    if (status != CLI_GO_ON) return status;
    if (access(folder, W_OK | X_OK) != 0 || chdir(folder) != 0)
        return cli_option_fault("-o", folder, "%s", strerror(errno));
    for (size_t k = 0; k < sizeof inside / sizeof inside[0] && status == CLI_GO_ON; k++)
        status = make_folder(folder, inside[k]);
    for (int k = 0; k < atlas_file_count && status == CLI_GO_ON; k++) status = write_file(&atlas_files[k]);
    return status;
}

// ---- entries ----

// What an atlas that was killed has left of a map: it would be in the way.
static void remove_rest(const atlas_entry* entry)
{
    char path[160];
    snprintf(path, sizeof path, "figures/%s.part", entry->figure);
    remove(path);
}

static int draw(const atlas_entry* entry)
{
    char* line = atlas_drawing(entry);
    remove_rest(entry);
    int status = line ? atlas_run(line, "/dev/null") : CLI_UNFINISHED;
    free(line);
    if (status == CLI_DONE) return CLI_GO_ON;
    fprintf(stderr, "atlas: could not draw figures/%s\n", entry->figure);
    return CLI_UNFINISHED;
}

static int make_entry(const atlas_result* result)
{
    int status = result->entry->draw ? draw(result->entry) : CLI_GO_ON;
    if (status == CLI_GO_ON) status = atlas_ask(result->entry, result->findings);
    if (cli_interrupted()) {
        fputs("atlas: interrupted; the page was not written\n", stderr);
        status = CLI_UNFINISHED;
    }
    return status;
}

static int entry_count(void)
{
    int count = 0;
    for (int p = 0; p < PAPERS; p++) count += papers[p]->entry_count;
    return count;
}

static int make_entries(const atlas_chapter chapters[PAPERS], cli_progress* progress)
{
    int status = CLI_GO_ON, done = 0, all = entry_count();
    for (int p = 0; p < PAPERS; p++)
        for (int k = 0; k < papers[p]->entry_count && status == CLI_GO_ON; k++) {
            status = make_entry(&chapters[p].results[k]);
            cli_progress_update(progress, (double)++done / all);
        }
    cli_progress_end(progress);
    return status;
}

// ---- the whole ----

static bool begin_chapter(const atlas_paper* paper, atlas_chapter* out)
{
    *out = (atlas_chapter){paper, calloc((size_t)paper->entry_count, sizeof *out->results)};
    for (int k = 0; out->results && k < paper->entry_count; k++) {
        const atlas_entry* entry = &paper->entries[k];
        out->results[k].entry = entry;
        if (entry->number_count == 0) continue;
        out->results[k].findings = calloc((size_t)entry->number_count, sizeof(atlas_finding));
        if (!out->results[k].findings) return false;
    }
    return out->results != NULL;
}

static void end_chapters(atlas_chapter chapters[PAPERS])
{
    for (int p = 0; p < PAPERS; p++) {
        for (int k = 0; chapters[p].results && k < papers[p]->entry_count; k++)
            free(chapters[p].results[k].findings);
        free(chapters[p].results);
    }
}

static int conclude(const atlas_chapter chapters[PAPERS], const char* folder)
{
    int figures = 0, numbers = 0, passed = 0;
    for (int p = 0; p < PAPERS; p++)
        for (int k = 0; k < papers[p]->entry_count; k++) {
            const atlas_result* result = &chapters[p].results[k];
            figures += result->entry->figure != NULL;
            numbers += result->entry->number_count;
            for (int i = 0; i < result->entry->number_count; i++)
                passed += atlas_passes(&result->findings[i]);
        }
    printf("%s/index.html: %d figures, %d of %d checks passed\n", folder, figures, passed, numbers);
    return passed == numbers ? CLI_DONE : CLI_NOT_MET;
}

static int run(const cli_line* line)
{
    const char* folder = NULL;
    int status = parse(&folder, line);
    if (status == CLI_GO_ON && cli_team_size() > 1) {
        fputs("atlas: is made by one process; run it without mpirun\n", stderr);
        status = CLI_WRONG;
    }
    if (status != CLI_GO_ON) return status;
    cli_progress progress = cli_progress_begin(); // from here on a full disk is an error, not a signal
    status = enter(folder);
    atlas_chapter chapters[PAPERS] = {{0}};
    for (int p = 0; p < PAPERS && status == CLI_GO_ON; p++)
        if (!begin_chapter(papers[p], &chapters[p])) {
            fputs("out of memory\n", stderr);
            status = CLI_UNFINISHED;
        }
    if (status == CLI_GO_ON) status = make_entries(chapters, &progress);
    if (status == CLI_GO_ON) status = atlas_write_page(chapters, PAPERS, "index.html");
    if (status == CLI_GO_ON) status = conclude(chapters, folder);
    end_chapters(chapters);
    return status;
}

const cli_command cli_atlas = {"atlas", "every figure and number of the papers, on one page", run};
