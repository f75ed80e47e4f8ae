// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where the pointers of a run are, for saving it (save.c); a test finds one that is missing, because then two
// runs that move alike are saved as different bytes.
#include "engine/flow/bristle_run.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/open_series.h"
#include "engine/flow/speed_clock.h"
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
    AT(open.fixed),
    AT(values.blocks),
    AT(values.pending),
    AT(values.runs),
    AT(values.point),
    AT(values.written),
    AT(values.holds),
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
    AT(step.laws.curved),
    AT(step.laws.curved_at),
    AT(step.laws.elastic),
    AT(step.laws.elastic_at),
    AT(step.laws.bristles),
    AT(step.laws.bristle_at),
    AT(step.laws.start),

    AT(step.clock.stop),
    AT(step.clock.speed),
    AT(step.clock.change),
    AT(step.clock.drive_speed),
    AT(modes.contacts),
    AT(modes.bounces),
    AT(modes.holds),
    AT(modes.dirty),
    AT(modes.active),
    AT(ways.stiff),
    AT(ways.propagator),
    AT(ways.speed_clock),
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
    AT(work.told_contacts),
    AT(work.scratch_q),
    AT(work.next_state),
    AT(work.points),
    AT(bodies.offset),
    AT(bodies.start_x),
    AT(bodies.start_v),
    AT(bodies.out_x),
    AT(bodies.out_v),
    AT(instant.x),
    AT(instant.v),
    AT(instant.contacts),
    AT(instant.numbers),
    AT(instant.events),
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
                                        offsetof(ss_stiff, given),
                                        offsetof(ss_stiff, slopes.cubic),
                                        offsetof(ss_stiff, slopes.law),
                                        offsetof(ss_stiff, slopes.slope),
                                        offsetof(ss_stiff, noise),
                                        offsetof(ss_stiff, speed),
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
    for (int i = 0; i < model->contact_count; i++) curved += sim->step.laws.curved_at[i] >= 0;
    ss_image_mark_pointers(image, sim->step.laws.curved, curved, sizeof(ss_along), along_pointers,
                           COUNT(along_pointers));
    for (int i = 0; i < model->contact_count; i++) {
        const ss_law* row = model->contacts[i].law_entry;
        if (sim->step.laws.curved_at[i] >= 0 && row->memory.pointers)
            ss_image_mark_pointers(image, sim->step.laws.curved[sim->step.laws.curved_at[i]].own, 1, 0,
                                   row->memory.pointers, (size_t)row->memory.pointer_count);
    }
    ss_image_mark_pointers(image, sim->step.laws.bristles, (size_t)sim->step.laws.bristle_count,
                           sizeof(ss_bristle), bristle_pointers, COUNT(bristle_pointers));
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        const ss_bristle* b = &sim->step.laws.bristles[j];
        const ss_law* row = model->contacts[b->contact].law_entry;
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
    ss_linear_propagator_mark(sim);
    ss_speed_clock_mark(sim);
    ss_leap_mark(sim);
}
