// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Many motions of one model, from many starts: what becomes of each. Small systems with constant Coulomb
// friction run in lock-step, several starts to a vector instruction; everything else, and whatever is rare,
// runs one start after the other through the same engine as ss_sim. One batch per thread; the model is
// shared.
//
// The answer for a start depends on the model, the definition and that start, and on nothing else: not on the
// other starts, their number or order, and not on the processor's vectors. Maps are therefore the same, bit
// for bit, however the work is divided.
#ifndef SLIPSTICK_BATCH_H
#define SLIPSTICK_BATCH_H

#include "slipstick/simulation.h"

#include <math.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ss_fate {
    SS_FATE_REST,    ///< every speed is 0 and nothing will ever move again; or it settles
    SS_FATE_ESCAPED, ///< divergence is proved, the bound was exceeded, or the motion overflowed
    SS_FATE_MOVING,  ///< neither, up to the end of the run
} ss_fate;

SS_API const char* ss_fate_name(ss_fate fate); ///< "rest", "escaped", "moving"

/// How the starts are run. All ways but SS_BATCH_ONE_BY_ONE give the same bits; that one agrees with them to
/// rounding.
typedef enum ss_batch_way {
    SS_BATCH_BEST,       ///< the widest vectors the processor has
    SS_BATCH_ONE_BY_ONE, ///< one start after the other
    SS_BATCH_PLAIN,      ///< vectors as any processor of the kind the library was built for has them
    SS_BATCH_AVX2,
    SS_BATCH_AVX512,
} ss_batch_way;

typedef struct ss_batch_def {
    size_t size;       ///< set by ss_batch_def_default
    double until;      ///< s, when a motion is given up as moving; default NaN: the model's own
    double escape;     ///< counts as escaped where some |x - x_start| exceeds it; default INFINITY
    bool prove_escape; ///< also where divergence is proved, which is much earlier; default true
    double tolerance;  ///< relative error per step where the flow is not closed form, as in ss_sim_def; 1e-10
    long max_events;   ///< per motion: beyond it the motion counts as moving; 1e6
    ss_batch_way way;  ///< default SS_BATCH_BEST
    ss_keep_going keep_going; ///< called now and then, within long motions too; false ends the batch with
                              ///< SS_NOT_FOUND, and its results are worth nothing; default NULL
    void* user;
} ss_batch_def;

static inline ss_batch_def ss_batch_def_default(void)
{
    ss_batch_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.until = NAN;
    def.escape = INFINITY;
    def.prove_escape = true;
    def.tolerance = 1e-10;
    def.max_events = 1000000;
    def.way = SS_BATCH_BEST;
    return def;
}

typedef struct ss_batch_result {
    ss_fate fate;
    bool settles; ///< rest that is only approached: the mode is provably never left and what moves dies out
    bool proved;  ///< escaped: by proof, not by the bound
    bool limited; ///< moving: because of max_events
    bool alone;   ///< it ran by itself, not in lock-step
    double t;     ///< s: rest, since when; settles, until; escaped, when that was found; moving, the end
    long events;  ///< changes of mode up to t
} ss_batch_result;

typedef struct ss_batch ss_batch;

/// def may be NULL for the defaults. A batch that runs in lock-step makes tables, a fraction of a millisecond
/// per mode it meets: where a model has few starts (a map over parameters), SS_BATCH_ONE_BY_ONE is faster.
/// The model must outlive the batch. Fails where the way asked for is not that of this processor.
SS_API ss_status ss_batch_create(const ss_model* model, const ss_batch_def* def, ss_batch** out,
                                 ss_error* err);
/// What a batch is given and gives. All arrays are row-major with one row per start: x and v (m and m/s, or
/// rad and rad/s) have one column per body of the model, driven ones included; inner, of open models, one per
/// state and then one per memory.
typedef struct ss_batch_starts {
    size_t count;
    const double *x, *v;               ///< NULL: the model's own start
    const double* inner;               ///< likewise
    ss_batch_result* results;          ///< one per start
    double *end_x, *end_v, *end_inner; ///< where it is at result.t (the limit where it settles); may be NULL
} ss_batch_starts;
/// Nothing is allocated. Fails at the first start that makes no sense (not finite, beyond a stop); the error
/// names it, and results are then not complete.
SS_API ss_status ss_batch_run(ss_batch* batch, const ss_batch_starts* starts, ss_error* err);
SS_API void ss_batch_destroy(ss_batch* batch); ///< NULL is welcome

/// The way in use: SS_BATCH_ONE_BY_ONE where the model does not run in lock-step.
SS_API ss_batch_way ss_batch_way_used(const ss_batch* batch);
SS_API const char* ss_batch_way_name(ss_batch_way way); ///< "one by one", "plain", "avx2", "avx512"

#ifdef __cplusplus
}
#endif
#endif
