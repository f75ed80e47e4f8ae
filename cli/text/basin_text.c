// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `basin` for people.
#include "text/basin_text.h"
#include "share/blocks.h"
#include "share/chance.h"
#include "share/model_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void axis_lines(const ss_basin* basin, bool random, FILE* out)
{
    for (int a = 0; a < ss_basin_axis_count(basin); a++) {
        const ss_basin_axis* axis = ss_basin_get_axis(basin, a);
        if (axis->kind == SS_AXIS_NORMAL || axis->kind == SS_AXIS_LOGNORMAL)
            fprintf(out, "  over %s, %s(%g, %g)", axis->path,
                    axis->kind == SS_AXIS_NORMAL ? "normal" : "lognormal", axis->mean, axis->deviation);
        else
            fprintf(out, "  over %s from %g to %g", axis->path, axis->from, axis->to);
        if (axis->kind == SS_AXIS_LOG) fprintf(out, " by a factor");
        if (!random) fprintf(out, ", %" PRId64 " value%s", axis->count, axis->count == 1 ? "" : "s");
        fputc('\n', out);
    }
}

static void count_line(const char* name, int64_t count, int64_t all, FILE* out)
{
    fprintf(out, "  %-8s %12" PRId64, name, count);
    if (all > 0) fprintf(out, "  %6.2f %%", 100 * (double)count / (double)all);
    fputc('\n', out);
}

// States and memory of an open model.
static void put_inner(const ss_model* model, const double* value, FILE* out)
{
    for (int j = 0; j < ss_model_state_count(model); j++)
        fprintf(out, ", %s = %.6g", ss_model_state_name(model, j), *value++);
    for (int j = 0; j < ss_model_memory_count(model); j++)
        fprintf(out, ", %s = %.6g", ss_model_memory_name(model, j), *value++);
}

static void motion_words(const ss_model* model, const ss_attractor* attractor, FILE* out)
{
    if (!attractor->amplitude || isnan(attractor->period)) return;
    fprintf(out, " every %.6g s", attractor->period);
    for (int b = 0; b < ss_model_body_count(model); b++) {
        char name[300];
        ss_model_coordinate_name(model, b, false, name, sizeof name);
        if (!ss_model_body_is_driven(model, b)) fprintf(out, ", %s by +-%.6g", name, attractor->amplitude[b]);
    }
}

static void attractor_lines(const ss_basin_summary* summary, FILE* out)
{
    static const char* const words[] = {[SS_ATTRACTOR_REST] = "rest, such as at",
                                        [SS_ATTRACTOR_STEADY] = "steady sliding",
                                        [SS_ATTRACTOR_MOTION] = "a motion that repeats"};
    const ss_model* model = ss_basin_model(summary->basin);
    int count = summary->attractor_count;
    if (count == 0 || (count == 1 && summary->attractors[0].kind == SS_ATTRACTOR_REST)) return;
    fprintf(out, "\n  %d attractor%s:\n", count, count > 1 ? "s" : "");
    for (int k = 0; k < summary->attractor_count; k++) {
        const ss_attractor* attractor = &summary->attractors[k];
        char name[300];
        fprintf(out, "  %4d %12" PRId64 "  %s", k + 1, attractor->cells, words[attractor->kind]);
        for (int b = 0; attractor->place && b < ss_model_body_count(model); b++)
            fprintf(out, "%s %s = %.6g", b ? "," : "",
                    ss_model_coordinate_name(model, b, false, name, sizeof name), attractor->place[b]);
        if (attractor->place) put_inner(model, attractor->place + ss_model_body_count(model), out);
        motion_words(model, attractor, out);
        fputc('\n', out);
    }
}

static void quantile_lines(const ss_basin_summary* summary, FILE* out)
{
    if (!summary->quantiles) return;
    fprintf(out, "\n  %-20s", "quantiles");
    for (int q = 0; q < SS_QUANTILES; q++) fprintf(out, " %10g %%", 100.0 * summary->quantile_levels[q]);
    for (int row = 0; row <= ss_basin_place_count(summary->basin); row++) {
        char name[280] = "t of rest (s)", of[260];
        if (row > 0)
            snprintf(name, sizeof name, "final %s",
                     ss_basin_place_name(summary->basin, row - 1, of, sizeof of));
        if (isnan(summary->quantiles[row * SS_QUANTILES])) continue;
        fprintf(out, "\n  %-20s", name);
        for (int q = 0; q < SS_QUANTILES; q++)
            fprintf(out, " %12.6g", summary->quantiles[row * SS_QUANTILES + q]);
    }
    fputc('\n', out);
}

void cli_basin_text(const ss_basin_summary* summary, const char* to_resume, FILE* out)
{
    const ss_basin* basin = summary->basin;
    int64_t all = ss_basin_counts_all(&summary->counts), cells = ss_basin_cell_count(basin);
    bool random = ss_basin_is_random(basin);
    fprintf(out, "%s\n%" PRId64 " %s\n", ss_basin_title(basin), cells,
            random       ? "random starts"
            : cells == 1 ? "cell"
                         : "cells");
    axis_lines(basin, random, out);
    if (all < cells)
        fprintf(out, "interrupted after %" PRId64 " of them (%.1f %%)\n", all,
                100 * (double)all / (double)cells);
    fputc('\n', out);
    count_line("rest", summary->counts.rest, all, out);
    count_line("escaped", summary->counts.escaped, all, out);
    count_line("moving", summary->counts.moving, all, out);
    attractor_lines(summary, out);
    quantile_lines(summary, out);
    if (random && all > 0) {
        double low, high;
        ss_interval_95(summary->counts.rest, all, &low, &high);
        fprintf(out, "\n  fraction at rest %.6g, between %.6g and %.6g with 95 %% confidence\n",
                (double)summary->counts.rest / (double)all, low, high);
    }
    if (summary->computed > 0)
        fprintf(out, "\n  %.3g s, %.3g starts per second\n", summary->seconds,
                (double)summary->computed / summary->seconds);
    if (to_resume) fprintf(out, "\n  --resume continues from %s\n", to_resume);
}
