// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `basin`, for people and as JSON.
#include "basin.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static int64_t known(const cli_basin_answer* answer)
{
    return answer->counts.rest + answer->counts.escaped + answer->counts.moving;
}

static void axis_lines(const ss_basin* basin, bool random, FILE* out)
{
    for (int a = 0; a < ss_basin_axis_count(basin); a++) {
        const ss_basin_axis* axis = ss_basin_get_axis(basin, a);
        fprintf(out, "  over %s from %g to %g", axis->path, axis->from, axis->to);
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

static void attractor_lines(const cli_basin_answer* answer, FILE* out)
{
    const ss_model* model = ss_basin_model(answer->basin);
    int bodies = ss_model_body_count(model);
    if (answer->attractors > 1) fprintf(out, "\n  %d attractors:\n", answer->attractors);
    for (int k = 0; k < answer->attractors && answer->attractors > 1; k++) {
        fprintf(out, "  %4d %12" PRId64 "  ", k + 1, answer->attracted[k]);
        const double* place = answer->places + k * bodies;
        fputs(answer->steady[k] ? "steady sliding"
              : isnan(place[0]) ? "a motion that repeats"
                                : "rest, such as at",
              out);
        for (int b = 0; b < bodies && !isnan(place[0]); b++)
            fprintf(out, "%s %s.x = %.6g", b ? "," : "", ss_model_body_name(model, b), place[b]);
        fputc('\n', out);
    }
}

void cli_basin_text(const cli_basin_answer* answer, FILE* out)
{
    const ss_basin* basin = answer->basin;
    int64_t all = known(answer), cells = ss_basin_cell_count(basin);
    fprintf(out, "%s\n%" PRId64 " %s\n", ss_model_title(ss_basin_model(basin)), cells,
            answer->random ? "random starts"
            : cells == 1   ? "cell"
                           : "cells");
    axis_lines(basin, answer->random, out);
    if (!answer->complete)
        fprintf(out, "interrupted after %" PRId64 " of them (%.1f %%)\n", all,
                100 * (double)all / (double)cells);
    fputc('\n', out);
    count_line("rest", answer->counts.rest, all, out);
    count_line("escaped", answer->counts.escaped, all, out);
    count_line("moving", answer->counts.moving, all, out);
    attractor_lines(answer, out);
    if (answer->random && all > 0) {
        double low, high;
        ss_interval_95(answer->counts.rest, all, &low, &high);
        fprintf(out, "\n  fraction at rest %.6g, between %.6g and %.6g with 95 %% confidence\n",
                (double)answer->counts.rest / (double)all, low, high);
    }
    if (answer->computed > 0)
        fprintf(out, "\n  %.3g s, %.3g starts per second\n", answer->seconds,
                (double)answer->computed / answer->seconds);
    if (answer->to_resume) fprintf(out, "\n  --resume continues from %s\n", answer->to_resume);
}

static void attractors_json(cli_json* json, const cli_basin_answer* answer)
{
    const ss_model* model = ss_basin_model(answer->basin);
    int bodies = ss_model_body_count(model);
    cli_json_key(json, "attractors");
    cli_json_array(json, true);
    for (int k = 0; k < answer->attractors; k++) {
        const double* place = answer->places + k * bodies;
        cli_json_object(json, false);
        cli_json_put_text(json, "kind",
                          answer->steady[k] ? "steady-sliding"
                          : isnan(place[0]) ? "motion"
                                            : "rest");
        cli_json_put_number(json, "cells", (double)answer->attracted[k]);
        cli_json_key(json, "place");
        if (isnan(place[0])) {
            cli_json_null(json);
        } else {
            cli_json_object(json, false);
            for (int b = 0; b < bodies; b++)
                cli_json_put_number(json, ss_model_body_name(model, b), place[b]);
            cli_json_end(json);
        }
        cli_json_end(json);
    }
    cli_json_end(json);
}

void cli_basin_json(const cli_basin_answer* answer, FILE* out)
{
    cli_json json = cli_json_begin(out);
    int64_t all = known(answer);
    cli_json_object(&json, false);
    cli_json_put_number(&json, "cells", (double)ss_basin_cell_count(answer->basin));
    cli_json_put_number(&json, "rest", (double)answer->counts.rest);
    cli_json_put_number(&json, "escaped", (double)answer->counts.escaped);
    cli_json_put_number(&json, "moving", (double)answer->counts.moving);
    if (!answer->complete)
        cli_json_put_number(&json, "pending", (double)(ss_basin_cell_count(answer->basin) - all));
    if (answer->random) {
        double low = 0, high = 1;
        if (all > 0) ss_interval_95(answer->counts.rest, all, &low, &high);
        cli_json_put_number(&json, "fraction", all > 0 ? (double)answer->counts.rest / (double)all : NAN);
        cli_json_key(&json, "interval_95");
        cli_json_array(&json, false);
        cli_json_number(&json, low);
        cli_json_number(&json, high);
        cli_json_end(&json);
    }
    if (answer->attractors > 0) attractors_json(&json, answer);
    cli_json_put_number(&json, "seconds", answer->seconds);
    cli_json_put_number(&json, "starts_per_second",
                        answer->seconds > 0 ? (double)answer->computed / answer->seconds : 0);
    cli_json_end(&json);
}
