// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A run as plain bytes: save, load and copy. Everything in the parts of a run and in the memory of its pool
// is saved, but for scratch and for tables that are made again; see core/image.h. Here stands where pointers
// are; a test finds one that is missing, because then two runs that move alike are saved as different bytes.
#include "core/hash.h"
#include "engine/flow/bristle.h"
#include "engine/flow/coast.h"
#include "engine/flow/open.h"
#include "engine/flow/stiff.h"
#include "engine/loop.h"
#include "engine/proof/divergence.h"
#include "engine/proof/leap.h"

#define AT(field) offsetof(struct ss_sim, field)
static const size_t run_pointers[] = {
    AT(step.q),
    AT(step.d),
    AT(step.s),
    AT(open.start),
    AT(open.out),
    AT(open.constant),
    AT(open.constant_size),
    AT(open.rate),
    AT(open.input),
    AT(open.value),
    AT(open.varying),
    AT(open.memory),
    AT(open.following),
    AT(open.programs),
    AT(open.given),
    AT(open.steady),
    AT(held.blocks),
    AT(held.pending),
    AT(held.runs),
    AT(held.point),
    AT(held.written),
    AT(held.glide),
    AT(held.holds),
    AT(held.ahead_state),
    AT(step.lambda),
    AT(inputs.force),
    AT(inputs.level),
    AT(inputs.level_at),
    AT(inputs.kinks),
    AT(inputs.varying),
    AT(inputs.force_constant),
    AT(inputs.drive_x),
    AT(inputs.scratch),
    AT(pulls.accel),
    AT(pulls.constant),
    AT(pulls.constant_size),
    AT(pulls.elongation),
    AT(laws.curved),
    AT(laws.curved_at),
    AT(laws.elastic),
    AT(laws.elastic_at),
    AT(laws.bristles),
    AT(laws.bristle_at),
    AT(laws.start),

    AT(clock.stop),
    AT(clock.speed),
    AT(clock.change),
    AT(clock.drive_speed),
    AT(modes.contacts),
    AT(modes.bounces),
    AT(modes.holds),
    AT(modes.dirty),
    AT(modes.active),
    AT(ways.stiff),
    AT(ways.coasting),
    AT(proof.settle),
    AT(proof.settle_bristles),
    AT(proof.leap),
    AT(proof.divergence),
    AT(work.numbers),
    AT(work.at),
    AT(work.row),
    AT(work.choice),
    AT(work.share),
    AT(work.index),
    AT(work.note_contacts),
    AT(work.scratch_q),
    AT(work.next_state),
    AT(work.points),
    AT(bodies.offset),
    AT(bodies.start_x),
    AT(bodies.start_v),
    AT(bodies.out_x),
    AT(bodies.out_v),
    AT(stop.x),
    AT(stop.v),
    AT(stop.contacts),
    AT(stop.numbers),
    AT(stop.events),
};
#undef AT

static const size_t hold_pointers[] = {offsetof(ss_hold, places), offsetof(ss_hold, inverse),
                                       offsetof(ss_hold, bias), offsetof(ss_hold, dependent),
                                       offsetof(ss_hold, relation)};

static const size_t along_pointers[] = {offsetof(ss_along, own)};
static const size_t bristle_pointers[] = {offsetof(ss_bristle, along.own)};

static const size_t stiff_pointers[] = {offsetof(ss_stiff, newton.derivative),
                                        offsetof(ss_stiff, newton.slope),
                                        offsetof(ss_stiff, newton.residual),
                                        offsetof(ss_stiff, newton.matrix),
                                        offsetof(ss_stiff, newton.pivots),
                                        offsetof(ss_stiff, newton.place),
                                        offsetof(ss_stiff, newton.state_at),
                                        offsetof(ss_stiff, newton.sorted),
                                        offsetof(ss_stiff, q),
                                        offsetof(ss_stiff, state),
                                        offsetof(ss_stiff, start),
                                        offsetof(ss_stiff, size),
                                        offsetof(ss_stiff, fine),
                                        offsetof(ss_stiff, frozen),
                                        offsetof(ss_stiff, lambda),
                                        offsetof(ss_stiff, forces),
                                        offsetof(ss_stiff, jacobian),
                                        offsetof(ss_stiff, drives),
                                        offsetof(ss_stiff, noise),
                                        offsetof(ss_stiff, jitter)};

static const size_t divergence_pointers[] = {offsetof(ss_divergence, modes)};
static const size_t unstable_pointers[] = {offsetof(ss_unstable_mode, left), offsetof(ss_unstable_mode, re),
                                           offsetof(ss_unstable_mode, im)};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void mark_laws(ss_sim* sim)
{
    const ss_model* model = sim->model;
    ss_image* image = &sim->image;
    size_t curved = 0;
    for (int i = 0; i < model->contact_count; i++) curved += sim->laws.curved_at[i] >= 0;
    ss_image_mark_pointers(image, sim->laws.curved, curved, sizeof(ss_along), along_pointers,
                           COUNT(along_pointers));
    for (int i = 0; i < model->contact_count; i++) {
        const ss_law* row = model->contacts[i].law_row;
        if (sim->laws.curved_at[i] >= 0 && row->memory.pointers)
            ss_image_mark_pointers(image, sim->laws.curved[sim->laws.curved_at[i]].own, 1, 0,
                                   row->memory.pointers, (size_t)row->memory.pointer_count);
    }
    ss_image_mark_pointers(image, sim->laws.bristles, (size_t)sim->laws.bristle_count, sizeof(ss_bristle),
                           bristle_pointers, COUNT(bristle_pointers));
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        const ss_bristle* b = &sim->laws.bristles[j];
        const ss_law* row = model->contacts[b->contact].law_row;
        if (row->memory.pointers)
            ss_image_mark_pointers(image, b->along.own, 1, 0, row->memory.pointers,
                                   (size_t)row->memory.pointer_count);
    }
}

void ss_mark_run(ss_sim* sim)
{
    ss_image* image = &sim->image;
    ss_image_mark_pointers(image, sim, 1, sizeof *sim, run_pointers, COUNT(run_pointers));
    ss_image_mark_pointers(image, sim->modes.holds, (size_t)sim->model->group_count, sizeof(ss_hold),
                           hold_pointers, COUNT(hold_pointers));
    mark_laws(sim);
    if (sim->ways.stiff)
        ss_image_mark_pointers(image, sim->ways.stiff, 1, sizeof(ss_stiff), stiff_pointers,
                               COUNT(stiff_pointers));
    ss_divergence* divergence = sim->proof.divergence;
    if (divergence) {
        ss_image_mark_pointers(image, divergence, 1, sizeof *divergence, divergence_pointers,
                               COUNT(divergence_pointers));
        ss_image_mark_pointers(image, divergence->modes, (size_t)divergence->count, sizeof(ss_unstable_mode),
                               unstable_pointers, COUNT(unstable_pointers));
    }
    ss_open_mark(sim);
    ss_coast_mark(sim);
    ss_leap_mark(sim);
}

static ss_image_kind kind_of(const ss_sim* sim)
{
    double numbers[] = {sim->def.tolerance, sim->def.escape, sim->def.ledger, sim->def.prove_escape};
    return (ss_image_kind){.magic = {'s', 'l', 'i', 'p', 'r', 'u', 'n', '\n'},
                           .version = 1,
                           .fingerprint = ss_model_fingerprint(sim->model),
                           .settings = ss_hash(SS_HASH_START, numbers, sizeof numbers)};
}

// What no image holds.
static void complete(ss_sim* sim)
{
    for (int i = 0; i < sim->model->contact_count; i++) {
        const ss_contact* contact = &sim->model->contacts[i];
        if (sim->laws.curved_at[i] >= 0 && contact->law_row->memory.loaded)
            contact->law_row->memory.loaded(ss_law_of(contact), &sim->laws.curved[sim->laws.curved_at[i]]);
    }
    ss_open_loaded(sim);
    ss_coast_loaded(sim);
    ss_leap_loaded(sim);
}

size_t ss_sim_save_size(const ss_sim* sim) { return ss_image_size(&sim->image); }

ss_status ss_sim_save(const ss_sim* sim, void* buffer, size_t size, ss_error* err)
{
    ss_image_kind kind = kind_of(sim);
    return ss_image_save(&sim->image, &kind, buffer, size, err);
}

ss_status ss_sim_load(ss_sim* sim, const void* buffer, size_t size, ss_error* err)
{
    ss_image_kind kind = kind_of(sim);
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
