// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How large continuous states are, for solvers that weigh their errors by it: measured on the model's own
// motion.
#include "engine/exchange_impl.h"

#include "core/error.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdlib.h>

enum { LOOKS = 400, QUESTIONS = 16 };

// Smaller than this share of the size that the model's numbers tell, a state is taken to be rounding.
static const double smallest = 1e-9;

// A long motion is not followed to its end. Counted, not timed: the same model has the same sizes.
static bool has_patience(void* user, double t)
{
    (void)t;
    return ++*(int*)user < QUESTIONS;
}

// The largest of each state on the motion up to the end of the run, or as far as patience reaches.
static void measure(ss_sim* sim, double until, double y[], double largest[])
{
    int count = ss_exchange_state_count(sim->model);
    ss_outcome outcome = SS_TIME_REACHED;
    for (int look = 1; look <= LOOKS && outcome == SS_TIME_REACHED; look++) {
        if (ss_sim_advance(sim, until * look / LOOKS, &outcome, NULL) != SS_OK) return;
        ss_exchange_get(sim, y);
        for (int k = 0; k < count; k++)
            if (isfinite(y[k])) largest[k] = fmax(largest[k], fabs(y[k]));
    }
}

ss_status ss_exchange_sizes(const ss_model* model, double out[], ss_error* err)
{
    int count = ss_exchange_state_count(model), questions = 0;
    ss_sim_def def = ss_sim_def_default();
    def.ledger = false;
    def.keep_going = has_patience;
    def.user = &questions;
    double *y = ss_new((size_t)count, sizeof *y), *largest = ss_new((size_t)count, sizeof *largest);
    ss_sim* sim = NULL;
    ss_status status = y && largest ? ss_sim_create(model, &def, &sim, err) : ss_fail_no_memory(err);
    double until = ss_model_until(model);
    if (status == SS_OK && isfinite(until)) measure(sim, until, y, largest);
    for (int k = 0; k < count && status == SS_OK; k++) {
        double told = ss_exchange_get_state(model, k).nominal;
        out[k] = largest[k] > 0.0 ? fmin(told, fmax(largest[k], smallest * told)) : told;
    }
    ss_sim_destroy(sim);
    free(y);
    free(largest);
    return status;
}
