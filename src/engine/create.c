// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Creation of a run: all memory it will ever need, and what is known of its inputs beforehand.
#include "core/tolerance.h"
#include "engine/field/field.h"
#include "engine/flow/elastic.h"
#include "engine/flow/input_series.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/flow/speed_clock.h"
#include "engine/flow/stiff.h"
#include "engine/flow/turning.h"
#include "engine/loop.h"
#include "engine/proof/divergence.h"
#include "engine/proof/leap.h"
#include "engine/proof/proof.h"
#include "engine/proof/settle_bristles.h"
#include "engine/sampled/sampled.h"

#include "core/algebra/quadrature.h"
#include "core/definition.h"
#include "core/error.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

const char* ss_mode_name(ss_mode mode)
{
    static const char* const names[] = {"slip+", "slip-", "stick", "open", "closed", "slip"};
    return names[mode];
}

const char* ss_outcome_name(ss_outcome outcome)
{
    static const char* const names[] = {"at-rest", "time-reached", "escaped", "event-limit", "interrupted"};
    return names[outcome];
}

static void* room(ss_sim* sim, size_t count, size_t size) { return ss_pool_new(&sim->pool, count, size); }
static void* spare(ss_sim* sim, size_t count, size_t size) { return ss_pool_spare(&sim->pool, count, size); }

static void allocate_groups(ss_sim* sim)
{
    const ss_model* model = sim->model;
    size_t largest = 1, nd = (size_t)model->drive_count;
    bool stops = model->nature.one_way; // an infinite level is struck like a stop
    for (int i = 0; i < model->contact_count; i++)
        stops = stops || ss_contact_is(&model->contacts[i], SS_TRAIT_RIGID);
    sim->modes.bounces = room(sim, stops ? (size_t)model->group_count : 0, sizeof(ss_bounces));
    sim->modes.holds = room(sim, (size_t)model->group_count, sizeof(ss_hold));
    sim->modes.dirty = room(sim, (size_t)model->group_count, sizeof(bool));
    sim->modes.active = room(sim, (size_t)model->group_count, sizeof(int));
    for (int g = 0; g < model->group_count && !sim->pool.failed; g++) {
        size_t count = (size_t)model->groups[g].count, nc = (size_t)model->groups[g].coordinate_count;
        sim->modes.holds[g].places = room(sim, count, sizeof(int));
        sim->modes.holds[g].inverse = room(sim, count * count, sizeof(double));
        sim->modes.holds[g].bias = room(sim, count, sizeof(double));
        sim->modes.holds[g].dependent = room(sim, count, sizeof(int));
        sim->modes.holds[g].relation = room(sim, count * (nc + nd + 1), sizeof(double));
        largest = count > largest ? count : largest;
    }
    size_t scratch = (size_t)ss_projection_scratch((int)largest);
    sim->work.numbers = spare(sim, largest * largest + 6 * largest + scratch, sizeof(double));
    sim->work.row = spare(sim, (size_t)model->n + nd + 1, sizeof(double));
    sim->work.share = spare(sim, largest, sizeof(double));
    sim->work.choice = spare(sim, largest, sizeof(double));
    sim->work.at = spare(sim, largest, sizeof(signed char));
    sim->work.index = spare(sim, largest, sizeof(int));
}

static void allocate_series(ss_sim* sim)
{
    const ss_model* model = sim->model;
    size_t n = (size_t)model->n, nd = (size_t)model->drive_count, m = (size_t)model->contact_count;
    size_t cubic = 0, levels = 0, curved = 0, kinks = 0, scratch = 0;
    for (int c = 0; c < model->connection_count; c++) cubic += model->connections[c].cubic != 0.0;
    sim->pulls.has_cubic = cubic > 0;
    sim->inputs.level_at = room(sim, m, sizeof(int));
    sim->step.laws.curved_at = room(sim, m, sizeof(int));
    for (size_t i = 0; i < m && !sim->pool.failed; i++) {
        sim->inputs.level_at[i] =
            model->contacts[i].varies || model->contacts[i].follows ? (int)levels++ : -1;
        const ss_law* law = model->contacts[i].law_entry;
        sim->step.laws.curved_at[i] = (law->traits & SS_TRAIT_HOLDS) && law->series.next ? (int)curved++ : -1;
    }
    for (int k = 0; k < model->signal_count; k++) {
        size_t needs = ss_signal_scratch_size(model->signals[k], SS_MAX_ORDER);
        scratch = needs > scratch ? needs : scratch;
        kinks += (size_t)ss_signal_kink_count(model->signals[k]);
    }
    sim->step.q = room(sim, WIDTH * n, sizeof(double));
    sim->step.d = room(sim, WIDTH * nd, sizeof(double));
    sim->step.s = room(sim, WIDTH * (size_t)sim->open.states, sizeof(double));
    sim->step.lambda = room(sim, WIDTH * m, sizeof(double));
    sim->inputs.force = room(sim, WIDTH * (size_t)model->force_count, sizeof(double));
    sim->inputs.level = room(sim, 4 * WIDTH * levels, sizeof(double));
    sim->step.laws.curved = room(sim, curved, sizeof(ss_along));
    for (size_t i = 0; i < m && !sim->pool.failed; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (sim->step.laws.curved_at[i] >= 0)
            sim->step.laws.curved[sim->step.laws.curved_at[i]].tolerance = sim->control.tolerance;
        if (sim->step.laws.curved_at[i] >= 0 && contact->law_entry->memory.prepare)
            contact->law_entry->memory.prepare(contact->law_entry, ss_law_of(contact),
                                               &sim->step.laws.curved[sim->step.laws.curved_at[i]],
                                               &sim->pool);
    }
    sim->inputs.kinks =
        room(sim, WIDTH * (kinks + 4 * levels), sizeof(double)); // and two per direction of levels.c
    sim->pulls.elongation = room(sim, 3 * WIDTH * cubic, sizeof(double));
    sim->inputs.scratch = spare(sim, scratch, sizeof(double));
}

static void allocate_state(ss_sim* sim)
{
    const ss_model* model = sim->model;
    size_t n = (size_t)model->n, nd = (size_t)model->drive_count, bodies = (size_t)model->body_count;
    sim->pulls.accel = room(sim, n, sizeof(double));
    sim->pulls.constant = room(sim, n, sizeof(double));
    sim->pulls.constant_size = room(sim, n, sizeof(double));
    size_t all = 2 * (n + nd + (size_t)sim->open.states + (size_t)sim->step.laws.bristle_count);
    sim->work.scratch_q = spare(sim, all, sizeof(double));
    sim->work.next_state = spare(sim, all, sizeof(double));
    sim->work.points = spare(sim, SS_GAUSS_POINTS * 2 * (n + nd), sizeof(double));
    sim->bodies.offset = room(sim, bodies, sizeof(double));
    sim->bodies.start_x = room(sim, bodies, sizeof(double));
    sim->bodies.start_v = room(sim, bodies, sizeof(double));
    sim->bodies.out_x = room(sim, bodies, sizeof(double));
    sim->bodies.out_v = room(sim, bodies, sizeof(double));
    sim->inputs.drive_x = room(sim, nd, sizeof(double));
    sim->inputs.varying = room(sim, (size_t)model->force_count, sizeof(int));
    sim->inputs.force_constant = room(sim, (size_t)model->force_count, sizeof(double));
    sim->modes.contacts = room(sim, (size_t)model->contact_count, sizeof(ss_contact_run));
    sim->work.note_contacts = spare(sim, (size_t)model->contact_count, sizeof(int));
    sim->work.told_contacts = spare(sim, (size_t)model->contact_count, sizeof(int));
    sim->instant.x = room(sim, bodies, sizeof(double));
    sim->instant.v = room(sim, bodies, sizeof(double));
    sim->instant.numbers = room(sim, (size_t)ss_sim_numbers(sim, NULL), sizeof(double));
    sim->instant.contacts = room(sim, (size_t)model->contact_count, sizeof(ss_contact_state));
    // A step may begin with an impact, the limit of its bounces, and what is decided there: three logs.
    sim->instant.events = room(sim, 3 * (size_t)model->contact_count, sizeof(ss_event));
}

// The equations of the present mode ask the run for nothing: here they are shown what they need.
static void make_field(ss_sim* sim)
{
    const ss_model* model = sim->model;
    size_t largest = 1;
    for (int g = 0; g < model->group_count; g++)
        largest = (size_t)model->groups[g].count > largest ? (size_t)model->groups[g].count : largest;
    sim->field = spare(sim, 1, sizeof *sim->field);
    if (!sim->field) return;
    *sim->field = (ss_field){.model = model,
                             .modes = &sim->modes,
                             .laws = &sim->step.laws,
                             .inputs = &sim->inputs,
                             .level_forces = sim->level_forces,
                             .constant = sim->pulls.constant,
                             .constant_rate = sim->open.constant,
                             .offset = sim->bodies.offset,
                             .q = sim->step.q,
                             .d = sim->step.d};
    if (sim->open.programs)
        sim->field->programs = ss_field_make_programs(model, &sim->pool, sim->open.programs->pieces);
    if (sim->turning) sim->field->convective = sim->turning->convective;
    sim->field->work = spare(sim, largest, sizeof(double));
    sim->field->column = spare(sim, (size_t)model->n + (size_t)model->contact_count, sizeof(double));
    sim->field->given = spare(sim, ss_given_size(sim->model, &sim->inputs, &sim->open), sizeof(double));
}

// Whether the signal is one whose derivatives, but for the first, are bounded by a known frequency, which
// then counts for *rate. A polynomial is not: steps know nothing of its degree.
static bool add_rate(const ss_signal* signal, double* rate)
{
    double own;
    if (!ss_signal_is_line(signal) || !ss_signal_rate(signal, &own)) return false;
    *rate = fmax(*rate, own);
    return true;
}

static void study_inputs(ss_sim* sim)
{
    const ss_model* model = sim->model;
    double input_rate = 0.0;
    sim->inputs.rate_known = true;
    for (int k = 0; k < model->signal_count; k++)
        if (!add_rate(model->signals[k], &input_rate)) sim->inputs.rate_known = false;
    sim->inputs.rate = input_rate;
    sim->control.rate = model->bounds.rate + input_rate;
    sim->inputs.varying_count = 0;
    sim->inputs.only_forces = !model->open && model->drive_count == 0;
    for (int f = 0; f < model->force_count; f++) {
        sim->inputs.force_constant[f] = ss_signal_value(model->forces[f].signal, 0.0);
        if (!ss_signal_is_constant(model->forces[f].signal))
            sim->inputs.varying[sim->inputs.varying_count++] = f;
    }
    for (int i = 0; i < model->contact_count; i++)
        if (ss_contact_is(&model->contacts[i], SS_TRAIT_RIGID) || model->nature.one_way)
            sim->modes.has_stops = true;
    for (int i = 0; i < model->contact_count; i++)
        if (model->contacts[i].falling) sim->modes.has_falling = true;
    for (int i = 0; i < model->contact_count; i++)
        if (sim->inputs.level_at[i] >= 0) sim->inputs.only_forces = false;
    ss_list_pulls(sim);
    sim->ledger.has_powers = (model->open && ss_open_has_powers(sim->model, &sim->open)) ||
                             sim->step.laws.elastic_count > 0 || sim->step.laws.bristle_count > 0 ||
                             sim->inputs.varying_count > 0 || model->drive_count > 0 ||
                             model->matrices.damping.start[model->n] > 0;
    for (int i = 0; i < model->contact_count; i++)
        if (sim->inputs.level_at[i] >= 0 || sim->step.laws.curved_at[i] >= 0) sim->ledger.has_powers = true;
}

ss_status ss_sim_make(const ss_model* model, const ss_sim_def* def, ss_sim** out, ss_error* err)
{
    *out = NULL;
    ss_sim_def settings = def ? *def : ss_sim_def_default();
    if (!(settings.tolerance > 0.0 && settings.tolerance <= SS_MAX_TOLERANCE))
        return ss_fail(err, SS_BAD_INPUT, "tolerance", "must be in (0, %g], not %g", SS_MAX_TOLERANCE,
                       settings.tolerance);
    if (settings.max_events < 1) return ss_fail(err, SS_BAD_INPUT, "max_events", "must be at least 1");
    if (!(settings.escape > 0.0)) return ss_fail(err, SS_BAD_INPUT, "escape", "must be positive");
    ss_sim* sim = ss_new(1, sizeof *sim);
    if (!sim) return ss_fail_no_memory(err);
    sim->def = settings;
    ss_image_begin(&sim->image, &sim->pool, sim, sizeof *sim, offsetof(struct ss_sim, step));
    ss_turning_allocate(sim, &model);
    sim->model = model;
    if (sim->pool.failed) {
        ss_sim_destroy(sim);
        return ss_fail_no_memory(err);
    }
    sim->control.tolerance = fmax(1e-3 * settings.tolerance, SS_UNNOTICED);
    ss_open_allocate(sim);
    ss_sampled_allocate(sim);
    allocate_groups(sim);
    ss_elastic_allocate(sim);
    ss_bristle_allocate(sim);
    ss_clock_allocate(sim);
    allocate_series(sim);
    allocate_state(sim);
    ss_level_forces_allocate(sim);
    ss_turning_prepare(sim);
    if (!sim->pool.failed) make_field(sim);
    if (!sim->pool.failed) ss_stiff_allocate(sim);
    ss_linear_propagator_allocate(sim);
    ss_settle_allocate(sim);
    ss_settle_bristles_allocate(sim);
    ss_leap_allocate(sim);
    if (settings.prove_escape) sim->proof.divergence = ss_divergence_create(model, &sim->pool);
    ss_speed_clock_allocate(sim);
    if (!sim->pool.failed) ss_mark_run(sim);
    if (sim->pool.failed) {
        ss_sim_destroy(sim);
        return ss_fail_no_memory(err);
    }
    study_inputs(sim);
    *out = sim;
    return SS_OK;
}

bool ss_sim_redefine(ss_sim* sim, const ss_sim_def* def)
{
    const ss_sim_def* own = &sim->def;
    if (own->tolerance != def->tolerance || own->escape != def->escape || own->ledger != def->ledger ||
        own->prove_escape != def->prove_escape || def->max_events < 1)
        return false;
    sim->def = *def;
    return true;
}

ss_status ss_sim_create(const ss_model* model, const ss_sim_def* given, ss_sim** out, ss_error* err)
{
    ss_sim_def own = ss_sim_def_default();
    const ss_sim_def* def = &own;
    ss_status taken = ss_take_def(&own, sizeof own, given, "ss_sim_def_default", err);
    *out = NULL;
    if (taken != SS_OK) return taken;
    ss_sim* sim;
    *out = NULL;
    ss_status status = ss_sim_make(model, def, &sim, err);
    if (status != SS_OK) return status;
    status = ss_sim_restart(sim, sim->def.start_x, sim->def.start_v, err);
    if (status == SS_OK)
        *out = sim;
    else
        ss_sim_destroy(sim);
    return status;
}

void ss_sim_destroy(ss_sim* sim)
{
    if (!sim) return;
    ss_pool_free(&sim->pool);
    free(sim);
}
