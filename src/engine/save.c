// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A run as plain bytes: save, load and copy. Everything in the parts of a run and in the memory of its pool
// is saved, but for scratch and for tables that are made again; see core/image.h. Where the pointers
// are stands in mark.c.
#include "core/hash.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/open_series.h"
#include "engine/flow/stiff.h"
#include "engine/flow/turning.h"
#include "engine/loop.h"
#include "engine/proof/divergence.h"

static ss_image_kind kind_of(const ss_model* model, const ss_sim_def* settings)
{
    double numbers[] = {settings->tolerance, settings->escape, settings->ledger, settings->prove_escape};
    return (ss_image_kind){.magic = {'s', 'l', 'i', 'p', 'r', 'u', 'n', '\n'},
                           .version = 1,
                           .fingerprint = ss_model_fingerprint(model),
                           .settings = ss_hash(SS_HASH_START, numbers, sizeof numbers)};
}

// What no image holds.
static void complete(ss_sim* sim)
{
    ss_open_loaded(sim->model, sim->open.programs);
    ss_begin_turning(sim);
    ss_linear_propagator_loaded(sim);
}

size_t ss_sim_save_size(const ss_sim* sim) { return ss_image_size(&sim->image); }

ss_status ss_sim_save(const ss_sim* sim, void* buffer, size_t size, ss_error* err)
{
    ss_image_kind kind = kind_of(sim->model, &sim->def);
    return ss_image_save(&sim->image, &kind, buffer, size, err);
}

ss_status ss_sim_load(ss_sim* sim, const void* buffer, size_t size, ss_error* err)
{
    ss_image_kind kind = kind_of(sim->model, &sim->def);
    ss_status status = ss_image_load(&sim->image, &kind, "model", buffer, size, err);
    if (status == SS_OK) complete(sim);
    return status;
}

ss_status ss_sim_copy(const ss_sim* sim, ss_sim** out, ss_error* err)
{
    ss_status status = ss_sim_make(sim->model, &sim->def, out, err);
    if (status != SS_OK) return status;
    ss_image_copy(&sim->image, &(*out)->image);
    complete(*out);
    return SS_OK;
}
