// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `basin`.
#include "answer/answer_impl.h"
#include "share/blocks.h"
#include "share/build.h"
#include "share/chance.h"
#include "share/model_parts.h"
#include "slipstick/basin.h"

#include <math.h>
#include <stdio.h>

// States or memory of an open model, where it has any.
static void put_inner(ss_answer* answer, const ss_model* model, const char* key, int count,
                      const char* name(const ss_model* model, int k), const double values[])
{
    if (count == 0) return;
    ss_answer_put_object(answer, key, false);
    for (int k = 0; k < count; k++)
        ss_answer_put_number(answer, ss_answer_keep(answer, name(model, k)), values[k]);
    ss_answer_end(answer);
}

static void put_place(ss_answer* answer, const ss_model* model, const double place[])
{
    if (!place) {
        ss_answer_put_null(answer, "place");
        return;
    }
    ss_answer_put_object(answer, "place", false);
    for (int b = 0; b < ss_model_body_count(model); b++)
        ss_answer_put_number(answer, ss_answer_keep(answer, ss_model_body_name(model, b)), place[b]);
    ss_answer_end(answer);
    put_inner(answer, model, "states", ss_model_state_count(model), ss_model_state_name,
              place + ss_model_body_count(model));
    put_inner(answer, model, "memory", ss_model_memory_count(model), ss_model_memory_name,
              place + ss_model_body_count(model) + ss_model_state_count(model));
}

// Of a motion: its period, and half the range of each free body.
static void put_motion(ss_answer* answer, const ss_model* model, const ss_attractor* attractor)
{
    if (!attractor->amplitude) return;
    ss_answer_put_number(answer, "period", attractor->period);
    ss_answer_put_object(answer, "amplitude", false);
    for (int b = 0; b < ss_model_body_count(model); b++)
        if (!ss_model_body_is_driven(model, b))
            ss_answer_put_number(answer, ss_answer_keep(answer, ss_model_body_name(model, b)),
                                 attractor->amplitude[b]);
    ss_answer_end(answer);
}

static void put_attractors(ss_answer* answer, const ss_basin_summary* summary)
{
    static const char* const kinds[] = {[SS_ATTRACTOR_REST] = "rest",
                                        [SS_ATTRACTOR_STEADY] = "steady-sliding",
                                        [SS_ATTRACTOR_MOTION] = "motion"};
    ss_answer_put_list(answer, "attractors", true);
    for (int k = 0; k < summary->attractor_count; k++) {
        const ss_attractor* attractor = &summary->attractors[k];
        ss_answer_object(answer, false);
        ss_answer_put_word(answer, "kind", kinds[attractor->kind]);
        ss_answer_put_number(answer, "cells", (double)attractor->cells);
        put_place(answer, ss_basin_model(summary->basin), attractor->place);
        put_motion(answer, ss_basin_model(summary->basin), attractor);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

// The share of starts that come to rest, and how well so many of them tell it.
static void put_fraction(ss_answer* answer, int64_t rest, int64_t all)
{
    double interval[2] = {0, 1};
    if (all > 0) ss_interval_95(rest, all, &interval[0], &interval[1]);
    ss_answer_put_number(answer, "fraction", all > 0 ? (double)rest / (double)all : NAN);
    ss_answer_put_numbers(answer, "interval_95", interval, 2);
}

static void put_quantiles(ss_answer* answer, const ss_basin_summary* summary)
{
    const double* numbers = summary->quantiles;
    char name[300];
    ss_answer_put_object(answer, "quantiles", true);
    ss_answer_put_numbers(answer, "level", summary->quantile_levels, SS_QUANTILES);
    ss_answer_put_numbers(answer, "t", numbers, SS_QUANTILES);
    for (int b = 0; b < ss_basin_place_count(summary->basin); b++) {
        ss_basin_place_name(summary->basin, b, name, sizeof name);
        ss_answer_put_numbers(answer, ss_answer_keep(answer, name), numbers + (b + 1) * SS_QUANTILES,
                              SS_QUANTILES);
    }
    ss_answer_end(answer);
}

ss_status ss_answer_basin(const ss_basin_summary* summary, ss_answer** out, ss_error* err)
{
    const ss_basin_counts* counts = &summary->counts;
    int64_t cells = ss_basin_cell_count(summary->basin), all = ss_basin_counts_all(counts);
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, false);
    ss_answer_put_number(answer, "cells", (double)cells);
    ss_answer_put_number(answer, "rest", (double)counts->rest);
    ss_answer_put_number(answer, "escaped", (double)counts->escaped);
    ss_answer_put_number(answer, "moving", (double)counts->moving);
    if (all < cells) ss_answer_put_number(answer, "pending", (double)(cells - all));
    if (ss_basin_is_random(summary->basin)) put_fraction(answer, counts->rest, all);
    if (summary->quantiles) put_quantiles(answer, summary);
    if (summary->attractor_count > 0) put_attractors(answer, summary);
    ss_answer_put_object(answer, "ways", false);
    ss_answer_put_number(answer, "lanes", (double)(all - counts->alone));
    ss_answer_put_number(answer, "alone", (double)counts->alone);
    ss_answer_end(answer);
    ss_answer_put_number(answer, "seconds", summary->seconds);
    ss_answer_put_number(answer, "starts_per_second",
                         summary->seconds > 0 ? (double)summary->computed / summary->seconds : 0);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}
