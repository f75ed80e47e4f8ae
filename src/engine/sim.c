// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A run: creation, the event loop in its four phases, and what can be asked.
#include "engine/sim.h"
#include "engine/flow/bristle.h"
#include "engine/flow/stiff.h"
#include "engine/proof/leap.h"
#include "engine/proof/settle_bristles.h"

#include "core/error.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = SS_MAX_ORDER + 1, STALL_LIMIT = 64, STEPS_BETWEEN_QUESTIONS = 256 };

ss_sim_def ss_sim_def_default(void)
{
    return (ss_sim_def){.tolerance = 1e-10, .max_events = 1000000, .escape = INFINITY, .ledger = true};
}

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

// ---- creation

static void* room(ss_sim* sim, size_t count, size_t size) { return ss_pool_new(&sim->pool, count, size); }

static void allocate_groups(ss_sim* sim)
{
    const ss_model* model = sim->model;
    size_t largest = 1, nd = (size_t)model->drive_count;
    bool stops = false;
    for (int i = 0; i < model->contact_count; i++)
        stops = stops || model->contacts[i].law == SS_LAW_RIGID_STOP;
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
    sim->work.numbers = room(sim, largest * largest + 6 * largest + scratch, sizeof(double));
    sim->work.row = room(sim, (size_t)model->n + nd + 1, sizeof(double));
    sim->work.share = room(sim, largest, sizeof(double));
    sim->work.choice = room(sim, largest, sizeof(double));
    sim->work.at = room(sim, largest, sizeof(signed char));
    sim->work.index = room(sim, largest, sizeof(int));
}

static void allocate_series(ss_sim* sim)
{
    const ss_model* model = sim->model;
    size_t n = (size_t)model->n, nd = (size_t)model->drive_count, m = (size_t)model->contact_count;
    size_t cubic = 0, levels = 0, stribeck = 0, kinks = 0, scratch = 0;
    for (int c = 0; c < model->connection_count; c++) cubic += model->connections[c].cubic != 0.0;
    sim->pulls.has_cubic = cubic > 0;
    sim->inputs.level_at = room(sim, m, sizeof(int));
    sim->laws.stribeck_at = room(sim, m, sizeof(int));
    for (size_t i = 0; i < m && !sim->pool.failed; i++) {
        sim->inputs.level_at[i] = model->contacts[i].varies ? (int)levels++ : -1;
        sim->laws.stribeck_at[i] = model->contacts[i].law == SS_LAW_STRIBECK ? (int)stribeck++ : -1;
    }
    for (int k = 0; k < model->signal_count; k++) {
        size_t needs = ss_signal_scratch_size(model->signals[k], SS_MAX_ORDER);
        scratch = needs > scratch ? needs : scratch;
        kinks += (size_t)ss_signal_kink_count(model->signals[k]);
    }
    sim->step.q = room(sim, WIDTH * n, sizeof(double));
    sim->step.d = room(sim, WIDTH * nd, sizeof(double));
    sim->step.lambda = room(sim, WIDTH * m, sizeof(double));
    sim->inputs.force = room(sim, WIDTH * (size_t)model->force_count, sizeof(double));
    sim->inputs.level = room(sim, 4 * WIDTH * levels, sizeof(double));
    sim->laws.fall = room(sim, 4 * WIDTH * stribeck, sizeof(double));
    sim->inputs.kinks =
        room(sim, WIDTH * (kinks + 4 * levels), sizeof(double)); // and two per direction of levels.c
    sim->pulls.elongation = room(sim, 3 * WIDTH * cubic, sizeof(double));
    sim->inputs.scratch = room(sim, scratch, sizeof(double));
}

static void allocate_state(ss_sim* sim)
{
    const ss_model* model = sim->model;
    size_t n = (size_t)model->n, nd = (size_t)model->drive_count, bodies = (size_t)model->body_count;
    sim->pulls.accel = room(sim, n, sizeof(double));
    sim->pulls.constant = room(sim, n, sizeof(double));
    sim->pulls.constant_size = room(sim, n, sizeof(double));
    sim->work.scratch_q = room(sim, 2 * n + 2 * nd, sizeof(double));
    sim->work.next_state = room(sim, 2 * n + 2 * nd, sizeof(double));
    sim->bodies.offset = room(sim, bodies, sizeof(double));
    sim->bodies.start_x = room(sim, bodies, sizeof(double));
    sim->bodies.out_x = room(sim, bodies, sizeof(double));
    sim->bodies.out_v = room(sim, bodies, sizeof(double));
    sim->inputs.drive_x = room(sim, nd, sizeof(double));
    sim->inputs.varying = room(sim, (size_t)model->force_count, sizeof(int));
    sim->inputs.force_constant = room(sim, (size_t)model->force_count, sizeof(double));
    sim->modes.contacts = room(sim, (size_t)model->contact_count, sizeof(ss_contact_run));
    sim->work.note_contacts = room(sim, (size_t)model->contact_count, sizeof(int));
    sim->stop.x = room(sim, bodies, sizeof(double));
    sim->stop.v = room(sim, bodies, sizeof(double));
    sim->stop.contacts = room(sim, (size_t)model->contact_count, sizeof(ss_contact_state));
    // A step may begin with an impact, the limit of its bounces, and what is decided there: three logs.
    sim->stop.events = room(sim, 3 * (size_t)model->contact_count, sizeof(ss_event));
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
    sim->pace.rate = model->rate + input_rate;
    sim->inputs.varying_count = 0;
    for (int f = 0; f < model->force_count; f++) {
        sim->inputs.force_constant[f] = ss_signal_value(model->forces[f].signal, 0.0);
        if (!ss_signal_is_constant(model->forces[f].signal))
            sim->inputs.varying[sim->inputs.varying_count++] = f;
    }
    for (int i = 0; i < model->contact_count; i++)
        if (model->contacts[i].law == SS_LAW_RIGID_STOP) sim->modes.has_stops = true;
    for (int i = 0; i < model->contact_count; i++)
        if (model->contacts[i].falling) sim->modes.has_falling = true;
    ss_list_pulls(sim);
    sim->ledger.has_powers = sim->laws.elastic_count > 0 || sim->laws.bristle_count > 0 ||
                             sim->inputs.varying_count > 0 || model->drive_count > 0 ||
                             model->damping.start[model->n] > 0;
    for (int i = 0; i < model->contact_count; i++)
        if (sim->inputs.level_at[i] >= 0 || sim->laws.stribeck_at[i] >= 0) sim->ledger.has_powers = true;
}

ss_status ss_sim_create(const ss_model* model, const ss_sim_def* def, ss_sim** out, ss_error* err)
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
    sim->model = model;
    sim->def = settings;
    sim->pace.tolerance = fmax(1e-3 * settings.tolerance, 1e-17);
    allocate_groups(sim);
    ss_elastic_allocate(sim);
    ss_bristle_allocate(sim);
    ss_clock_allocate(sim);
    if (!sim->pool.failed) ss_stiff_allocate(sim);
    allocate_series(sim);
    allocate_state(sim);
    ss_coast_allocate(sim);
    ss_settle_allocate(sim);
    ss_calm_allocate(sim);
    ss_leap_allocate(sim);
    if (settings.prove_escape) sim->proof.divergence = ss_divergence_create(model, &sim->pool);
    ss_status status = sim->pool.failed ? ss_fail_no_memory(err) : SS_OK;
    if (status == SS_OK) {
        study_inputs(sim);
        status = ss_sim_restart(sim, settings.start_x, settings.start_v, err);
    }
    if (status != SS_OK) {
        ss_sim_destroy(sim);
        return status;
    }
    *out = sim;
    return SS_OK;
}

void ss_sim_destroy(ss_sim* sim)
{
    if (!sim) return;
    ss_pool_free(&sim->pool);
    free(sim);
}

// ---- start

static void place_bodies(ss_sim* sim, const double start_x[], const double start_v[])
{
    const ss_model* model = sim->model;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        double x = start_x ? start_x[b] : body->start_x, v = start_v ? start_v[b] : body->start_v;
        if (body->drive >= 0 && !model->drives[body->drive].is_speed) x = body->start_x;
        sim->bodies.start_x[b] = x;
        if (body->drive >= 0) sim->inputs.drive_x[body->drive] = x;
        if (body->coordinate < 0) continue;
        sim->step.q[body->coordinate] = x;
        sim->step.q[model->n + body->coordinate] = v;
    }
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool tied = body->drive < 0 && body->coordinate < 0;
        sim->bodies.offset[b] = tied ? sim->bodies.start_x[b] - ss_row_dot(&body->row, sim->step.q) : 0.0;
    }
}

// Adds a generalised force along a row, and its magnitude.
static void add_constant_force(const ss_row* row, double value, double force[], double size[])
{
    for (int k = 0; k < row->count; k++) {
        force[row->index[k]] += row->value[k] * value;
        size[row->index[k]] += fabs(row->value[k] * value);
    }
}

// Acceleration by constant forces, spring lengths and offsets of tied bodies, and the magnitude of its terms.
static void gather_constants(ss_sim* sim)
{
    const ss_model* model = sim->model;
    int n = model->n;
    double *force = sim->work.scratch_q, *size = force + n;
    for (int i = 0; i < n; i++) force[i] = model->constant ? model->constant[i] : 0.0;
    for (int i = 0; i < n; i++) size[i] = fabs(force[i]);
    for (int f = 0; f < model->force_count; f++)
        if (ss_signal_is_constant(model->forces[f].signal))
            add_constant_force(&model->forces[f].q, sim->inputs.force_constant[f], force, size);
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        double pull = spring->stiffness * (ss_row_dot(&spring->bodies, sim->bodies.offset) - spring->length);
        add_constant_force(&spring->q, -pull, force, size);
    }
    for (int i = 0; i < n; i++) {
        double sum = 0.0, terms = 0.0;
        if (model->mass_diagonal) {
            sum = model->mass_inverse[i] * force[i];
            terms = model->mass_inverse[i] * size[i];
        }
        for (int j = 0; j < n && !model->mass_diagonal; j++) {
            sum += model->mass_inverse[i * n + j] * force[j];
            terms += fabs(model->mass_inverse[i * n + j]) * size[j];
        }
        if (sim->pulls.constant[i] != sum) ss_coast_forget(sim);
        sim->pulls.constant[i] = sum;
        sim->pulls.constant_size[i] = terms;
    }
}

// Distance left before the stop is touched, 0 where that is rounding.
static double start_gap(const ss_sim* sim, const ss_contact* contact)
{
    bool rigid = contact->law == SS_LAW_RIGID_STOP;
    double position = rigid ? contact->rigid_stop.position : contact->hunt_crossley.position;
    int side = rigid ? contact->rigid_stop.side : contact->hunt_crossley.side;
    double x = ss_row_dot(&contact->bodies, sim->bodies.start_x), size = fabs(position);
    for (int k = 0; k < contact->bodies.count; k++)
        size += fabs(contact->bodies.value[k] * sim->bodies.start_x[contact->bodies.index[k]]);
    double gap = side * (position - x);
    return fabs(gap) <= 8.0 * DBL_EPSILON * size ? 0.0 : gap;
}

static ss_status open_gaps(ss_sim* sim, ss_error* err)
{
    const ss_model* model = sim->model;
    for (int i = 0; i < model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        memset(run, 0, sizeof *run);
        run->mode = run->logged = SS_MODE_STICK;
        run->recheck = true;
        run->speed_in = -1.0;
        run->determined = true;
        if (!ss_is_stop(sim, i) && !ss_is_elastic(sim, i)) continue;
        run->mode = run->logged = SS_MODE_OPEN;
        run->gap = start_gap(sim, &model->contacts[i]);
        if (run->gap < 0.0 && ss_is_stop(sim, i)) {
            char field[128];
            snprintf(field, sizeof field, "contacts.%.100s", model->contacts[i].name);
            return ss_fail(err, SS_BAD_INPUT, field, "the start lies %g %s beyond the stop", -run->gap,
                           ss_model_contact_is_angular(model, i) ? "rad" : "m");
        }
    }
    return SS_OK;
}

static void reset_run(ss_sim* sim)
{
    const ss_model* model = sim->model;
    sim->step.t = sim->step.now = sim->step.length = sim->course.end_t = sim->pace.last_event = 0.0;
    sim->step.ready = sim->course.started = sim->course.ended = sim->course.failed = sim->course.diverges =
        false;
    sim->modes.noted_singular = sim->modes.noted_together = false;
    sim->step.ends_in_event = sim->step.ends_at_break = sim->step.ends_in_kink = sim->step.ends_in_escape =
        false;
    sim->inputs.bad[0] = '\0';
    sim->course.event_count = 0;
    sim->stop.event_count = 0;
    sim->course.stalls = 0;
    sim->course.blind_steps = 0;
    sim->pace.steps = 0;
    sim->proof.resting_since = NAN;
    sim->pace.swing = INFINITY;
    sim->pace.swing_order = 0;
    sim->pace.interval = sim->pace.rate > 0.0 ? 1.0 / sim->pace.rate : 1.0;
    sim->ledger.energy = (ss_energy){0};
    sim->step.order = 1;
    sim->inputs.next_break = INFINITY;
    sim->inputs.kink_count = sim->inputs.watch_from = 0;
    sim->clock.stop = NULL;
    ss_elastic_restart(sim);
    if (sim->ways.coasting) ss_coast_stop(sim);
    ss_leap_restart(sim);
    for (int g = 0; g < model->group_count; g++) {
        sim->modes.dirty[g] = true;
        sim->modes.holds[g].active = false;
        sim->modes.holds[g].rank = 0;
        if (sim->modes.has_stops) sim->modes.bounces[g] = (ss_bounces){0};
    }
    sim->modes.active_count = sim->modes.active_slips = 0;
    sim->ledger.energy.start = sim->def.ledger ? ss_stored_energy(sim, 0.0) : 0.0;
}

// ---- the event loop

static void end_run(ss_sim* sim, ss_outcome outcome, double t)
{
    sim->course.ended = true;
    sim->course.outcome = outcome;
    sim->course.end_t = t;
    sim->step.now = 0.0;
}

// The run cannot go on; whoever asks later is told the same.
static ss_status tell_fault(ss_sim* sim, ss_error* err)
{
    sim->course.failed = true;
    if (err) *err = sim->course.fault;
    return sim->course.fault.status;
}

static ss_status fail_input(ss_sim* sim, ss_error* err)
{
    const char* name = sim->inputs.bad[0] ? sim->inputs.bad : NULL;
    ss_fail(&sim->course.fault, SS_BAD_INPUT, name, "%snot a finite, admissible number at t = %.9g s",
            name ? "" : "an input is ", sim->step.t);
    return tell_fault(sim, err);
}

static ss_status fail_crushed(ss_sim* sim, int stop, double t, ss_error* err)
{
    char field[128];
    snprintf(field, sizeof field, "contacts.%.100s", sim->model->contacts[stop].name);
    ss_fail(&sim->course.fault, SS_BAD_INPUT, field,
            "closes at t = %.9g s on what another stop holds: no motion fits between them", t);
    return tell_fault(sim, err);
}

// What is known exactly at an event of a contact of one body with the ground: no speed, or no gap.
static void snap(ss_sim* sim, int i, bool slipped)
{
    const ss_model* model = sim->model;
    const ss_contact* contact = &model->contacts[i];
    if (contact->q.count != 1 || contact->d.count > 0) return;
    int c = contact->q.index[0];
    if (slipped) sim->step.q[model->n + c] = 0.0;
    bool elastic = ss_is_elastic(sim, i);
    bool touches = elastic ? sim->modes.contacts[i].touches : sim->modes.contacts[i].mode == SS_MODE_OPEN;
    double position = elastic ? contact->hunt_crossley.position : contact->rigid_stop.position;
    if (touches)
        sim->step.q[c] = (position - ss_row_dot(&contact->bodies, sim->bodies.offset)) / contact->q.value[0];
}

// Contacts that met their event take part in the next decision.
static void wake_contacts(ss_sim* sim)
{
    const ss_model* model = sim->model;
    bool all = sim->step.ends_in_kink || sim->step.ends_at_break;
    for (int i = 0; i < model->contact_count; i++)
        if (sim->modes.contacts[i].hit && model->groups[model->contacts[i].group].count > 1)
            ss_complete_hits(sim, model->contacts[i].group);
    for (int i = 0; i < model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        if (all) sim->modes.dirty[model->contacts[i].group] = true;
        if (!run->hit) continue;
        sim->modes.dirty[model->contacts[i].group] = true;
        bool slipped = run->mode == SS_MODE_SLIP_PLUS || run->mode == SS_MODE_SLIP_MINUS;
        if (slipped && !ss_is_bristle(sim, i)) run->zero = true;
        if (run->mode == SS_MODE_OPEN) run->recheck = true; // it may be met without any speed
        snap(sim, i, slipped);
        run->hit = false;
    }
    if (!all) return;
    for (int i = 0; i < model->contact_count; i++) sim->modes.contacts[i].recheck = true;
}

static void learn_interval(ss_sim* sim, double before)
{
    if (sim->step.ends_in_event && sim->step.t > sim->pace.last_event) {
        double since = sim->pace.swing = sim->step.t - sim->pace.last_event;
        sim->pace.interval = fmin(0.5 * (sim->pace.interval + since), 2.0 * sim->pace.interval);
        sim->pace.last_event = sim->step.t;
    } else if (!sim->step.ends_in_event) {
        sim->pace.interval = fmax(sim->pace.interval, 2.0 * (sim->step.t - before));
    }
}

// Drives may change their speed at once, and stops may be struck: what held need not hold now.
static void recheck_velocities(ss_sim* sim)
{
    for (int i = 0; i < sim->model->contact_count && sim->inputs.drive_jumped; i++) {
        sim->modes.contacts[i].recheck = true;
        sim->modes.dirty[sim->model->contacts[i].group] = true;
    }
    sim->inputs.drive_jumped = false;
    for (int i = 0; i < sim->model->contact_count; i++) {
        if (sim->modes.contacts[i].recheck) ss_classify_velocity(sim, i);
        sim->modes.contacts[i].recheck = false;
    }
}

// What the modes just decided mean for log and rest. Returns the order to continue from, or -1 where the run
// ended.
static int conclude_selection(ss_sim* sim, int order)
{
    if (sim->laws.bristle_count > 0) ss_bristle_begin(sim);
    ss_log_changes(sim);
    sim->course.started = true;
    if (!ss_is_resting(sim)) {
        sim->proof.resting_since = NAN;
        return order;
    }
    if (isnan(sim->proof.resting_since)) sim->proof.resting_since = sim->step.t;
    if (!ss_rests_forever(sim)) return order;
    end_run(sim, SS_AT_REST, sim->proof.resting_since);
    return -1;
}

static int select_modes(ss_sim* sim)
{
    bool same = sim->course.started && isnan(sim->proof.resting_since);
    for (int g = 0; g < sim->model->group_count && same; g++) same = !sim->modes.dirty[g];
    if (same) { // nothing to decide: the modes go on
        for (int i = 0; i < sim->model->contact_count; i++) sim->modes.contacts[i].lead = 0;
        return 0;
    }
    return conclude_selection(sim, ss_select(sim));
}

static void note_limit(ss_sim* sim)
{
    int count = 0;
    for (int i = 0; i < sim->model->contact_count; i++)
        if (sim->modes.contacts[i].accumulated) sim->work.note_contacts[count++] = i;
    ss_note_now(sim, "accumulation: infinitely many bounces end here", sim->work.note_contacts, count);
}

// The motion has left what numbers can hold: the run ends where it was known last.
static void end_by_overflow(ss_sim* sim)
{
    sim->step.order = 1;
    sim->step.ready = false;
    end_run(sim, SS_ESCAPED, sim->step.t);
}

// Bounces that accumulate here jump to their limit: a short step with their stops closed, or none where its
// time is no later in numbers. Changes the order to continue from.
static ss_status jump_to_limit(ss_sim* sim, int* order, ss_error* err)
{
    ss_limit limit;
    if (!ss_take_accumulation(sim, &limit)) return SS_OK;
    if (limit.crushing >= 0) return fail_crushed(sim, limit.crushing, sim->step.t + limit.left, err);
    *order = ss_select(sim);
    if (sim->step.t + limit.left > sim->step.t) {
        bool can_clock = sim->clock.allowed;
        sim->step.length = limit.left;
        sim->clock.allowed = false; // the length is a time
        ss_flow(sim, *order);
        sim->clock.allowed = can_clock;
        for (int i = 0; i < sim->model->contact_count; i++) sim->modes.contacts[i].hit = false;
        sim->step.ends_in_event = true;
        sim->step.ends_in_kink = sim->step.ends_in_escape = false;
        if (!ss_commit(sim, sim->step.length)) {
            end_by_overflow(sim);
            *order = -1;
            return SS_OK;
        }
        for (int g = 0; g < sim->model->group_count; g++)
            sim->modes.dirty[g] = true; // decided anew from there
        ss_choose_step(sim);
        if (!ss_prepare_inputs(sim)) return fail_input(sim, err);
        note_limit(sim);
        ss_log_changes(sim);
        *order = select_modes(sim);
    } else {
        note_limit(sim);
        *order = conclude_selection(sim, *order);
    }
    return SS_OK;
}

// Finds the next stride; where there is none, the series from here and the event on it.
static bool take_stride(ss_sim* sim)
{
    if (!ss_coast_begin(sim)) return false;
    if (ss_coast_is_under_way(sim)) return true;
    ss_coast_to(sim, INFINITY);
    ss_locate(sim);
    return true;
}

// Whether a motion whose steps have become shorter than time can tell is on its way to infinity in finite
// time: a cubic spring that pushes can do that, x'' = c x^3 goes as 1/(t_end - t). It is asked only there.
static bool runs_to_infinity(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    const double far = 1e6; // times the starts: a pole passes any share of them before steps vanish
    bool pushes = false;
    for (int c = 0; c < model->connection_count; c++) pushes = pushes || model->connections[c].cubic < 0.0;
    double size = 0.0, start = 0.0;
    for (int i = 0; i < model->n; i++) size = fmax(size, fabs(sim->step.q[i]));
    for (int b = 0; b < model->body_count; b++) start = fmax(start, fabs(sim->bodies.start_x[b]));
    return pushes && size > far * start;
}

static ss_status begin_step(ss_sim* sim, ss_error* err)
{
    ss_status status = SS_OK;
    sim->step.order = SS_DECIDE_ORDER + 3;
    if (!sim->ways.coasting) ss_choose_step(sim);
    sim->inputs.order = sim->step.order;
    bool has_inputs = !sim->model->steady || sim->model->drive_count > 0;
    if (has_inputs && !ss_prepare_inputs(sim)) return fail_input(sim, err);
    if (sim->laws.bristle_count > 0) ss_bristle_arrive(sim);
    recheck_velocities(sim);
    int crushing = sim->modes.has_stops ? ss_resolve_impacts(sim) : -1;
    if (crushing >= 0) return fail_crushed(sim, crushing, sim->step.t, err);
    int order = select_modes(sim);
    if (sim->modes.has_stops && order >= 0) status = jump_to_limit(sim, &order, err);
    if (order < 0 || status != SS_OK) return status;
    ss_settle_mark(sim);
    if (sim->laws.elastic_count > 0) ss_elastic_begin(sim);
    sim->step.ready = true;
    sim->step.now = 0.0;
    if (sim->ways.coasting && take_stride(sim)) return SS_OK;
    if (sim->ways.coasting) ss_choose_step(sim);
    for (int i = 0; i < sim->model->contact_count; i++) {
        sim->modes.contacts[i].clear = false;
        sim->modes.contacts[i].bend = INFINITY;
    }
    ss_stretch_held_step(sim);
    double tried = sim->step.length, least = 64.0 * DBL_EPSILON * fabs(sim->step.t);
    ss_flow(sim, order);
    bool shrinks = !sim->inputs.rate_known && !sim->step.ends_at_break && sim->step.length < 1e-3 * tried &&
                   sim->step.length < least;
    if (shrinks && ss_input_reach(sim, tried) < least) { // before the pole of an input
        ss_name_wild_input(sim);
        return fail_input(sim, err);
    }
    if (shrinks && runs_to_infinity(sim)) { // before a pole of the motion itself
        end_by_overflow(sim);
        return SS_OK;
    }
    // Before events are looked for: a stop that is met on a step of no numbers would put its body back there.
    if (ss_series_is_finite(sim))
        ss_locate(sim);
    else
        end_by_overflow(sim);
    return SS_OK;
}

// Moves along the stride at hand, to its end or to `until`. Returns true if it ended.
static bool stride(ss_sim* sim, double until)
{
    bool ends = until >= ss_coast_end(sim);
    ss_coast_to(sim, until);
    sim->step.now = 0.0;
    if (ends) ss_locate(sim);
    return ends;
}

static void look_for_divergence(ss_sim* sim)
{
    if (!sim->proof.divergence || sim->course.ended ||
        !ss_divergence_is_proved(sim->proof.divergence, sim->step.q))
        return;
    sim->course.diverges = true;
    end_run(sim, SS_ESCAPED, sim->step.t);
}

ss_status ss_sim_restart(ss_sim* sim, const double start_x[], const double start_v[], ss_error* err)
{
    const ss_model* model = sim->model;
    for (int b = 0; b < model->body_count; b++)
        if ((start_x && !isfinite(start_x[b])) || (start_v && !isfinite(start_v[b])))
            return ss_fail(err, SS_BAD_INPUT, model->bodies[b].name, "the start must be finite");
    place_bodies(sim, start_x, start_v);
    gather_constants(sim);
    sim->course.failed = false;
    ss_status status = open_gaps(sim, &sim->course.fault);
    if (status != SS_OK) return tell_fault(sim, err); // neither the old motion nor a new one
    ss_bristle_restart(sim);
    ss_stiff_restart(sim);
    reset_run(sim);
    status = begin_step(sim, err); // so that modes and forces at t = 0 can be asked for
    if (sim->proof.divergence) ss_divergence_set_constant(sim->proof.divergence, model, sim->pulls.constant);
    if (status == SS_OK) look_for_divergence(sim);
    if (status == SS_OK) ss_evaluate(sim, 0.0, sim->bodies.out_x, sim->bodies.out_v);
    return status;
}

// Ends a run whose events do not end. One that stalls at an instant says so: more events would not help it.
static void give_up(ss_sim* sim)
{
    if (sim->course.event_count < sim->def.max_events)
        ss_note_now(sim, "stalled: steps and events follow each other here without time between them", NULL,
                    0);
    end_run(sim, SS_EVENT_LIMIT, sim->step.t);
}

// Moves to the end of the present step.
static void finish_step(ss_sim* sim)
{
    double before = sim->step.t;
    if (!ss_commit(sim, sim->step.length)) {
        end_by_overflow(sim);
        return;
    }
    sim->course.stalls = sim->step.t > before ? 0 : sim->course.stalls + 1;
    if (sim->step.ends_in_event && sim->course.stalls == 0) sim->course.blind_steps = 0;
    learn_interval(sim, before);
    wake_contacts(sim);
    sim->pace.steps++;
    ss_leap_count(sim);
    bool stopped = sim->def.keep_going && sim->pace.steps % STEPS_BETWEEN_QUESTIONS == 0 &&
                   !sim->def.keep_going(sim->def.user, sim->step.t);
    sim->step.order = 1;
    bool vanished = sim->course.stalls > STALL_LIMIT && !sim->step.ends_in_event && runs_to_infinity(sim);
    if (sim->step.ends_in_escape || vanished)
        end_run(sim, SS_ESCAPED, sim->step.t);
    else if (sim->course.event_count >= sim->def.max_events || sim->course.stalls > STALL_LIMIT)
        give_up(sim);
    else if (stopped)
        end_run(sim, SS_INTERRUPTED, sim->step.t);
    look_for_divergence(sim);
}

// A reversal that falls on the end but for the last digits of its time belongs to the run.
static double rounding_of_end(const ss_sim* sim, double until)
{
    return sim->laws.bristle_count > 0 && sim->step.ends_in_event ? 4.0 * DBL_EPSILON * until : 0.0;
}

// Moves to `until` in the last mode of the run. False where that could not be: then steps are taken, as ever.
static bool leap(ss_sim* sim, double until, ss_error* err, ss_status* status)
{
    *status = SS_OK;
    if (sim->proof.leap && ss_leap_is_begun(sim) && until <= sim->step.t + sim->step.now) return true;
    ss_leap_to(sim, until);
    *status = begin_step(sim, err);
    if (*status != SS_OK || !ss_leap_is_begun(sim) || sim->course.ended) return false;
    if (ss_coast_is_under_way(sim)) stride(sim, until);
    double now = fmax(until - sim->step.t, 0.0);
    if (now > sim->step.length) {
        ss_leap_restart(sim);
        return false;
    }
    sim->step.now = now;
    return true;
}

// Keeps the end of the present step as the state before the instant that follows.
static void remember_before(ss_sim* sim)
{
    ss_stop_memory* stop = &sim->stop;
    sim->step.now = sim->step.length;
    ss_evaluate(sim, sim->step.now, sim->bodies.out_x, sim->bodies.out_v);
    memcpy(stop->x, sim->bodies.out_x, (size_t)sim->model->body_count * sizeof(double));
    memcpy(stop->v, sim->bodies.out_v, (size_t)sim->model->body_count * sizeof(double));
    for (int i = 0; i < sim->model->contact_count; i++) stop->contacts[i] = ss_sim_contact(sim, i);
}

// The event loop up to `until`, or where that is wanted to the first instant that logs an event.
static ss_status run_to(ss_sim* sim, double until, ss_error* err)
{
    while (!sim->course.ended) {
        if (!sim->step.ready) {
            ss_status status = begin_step(sim, err);
            if (status != SS_OK) { // the state up to here is still good
                ss_evaluate(sim, 0.0, sim->bodies.out_x, sim->bodies.out_v);
                return status;
            }
            if (sim->stop.wanted && sim->stop.event_count > 0) break;
            continue;
        }
        if (isfinite(until) && (ss_leap_is_begun(sim) || (ss_leap_is_due(sim) && ss_leap_begin(sim)))) {
            ss_status status;
            if (leap(sim, until, err, &status)) break;
            if (status == SS_OK) continue;
            ss_evaluate(sim, 0.0, sim->bodies.out_x, sim->bodies.out_v);
            return status;
        }
        if (ss_coast_is_under_way(sim)) {
            if (stride(sim, until)) continue;
            sim->step.now = fmax(until - sim->step.t, 0.0);
            break;
        }
        if (sim->step.t + ss_elapsed(sim, sim->step.length) > until + rounding_of_end(sim, until)) {
            sim->step.now = fmax(sim->step.now, ss_parameter_at(sim, until - sim->step.t));
            break;
        }
        if (sim->stop.wanted && sim->step.ends_in_event) remember_before(sim);
        finish_step(sim);
    }
    ss_evaluate(sim, sim->step.now, sim->bodies.out_x, sim->bodies.out_v);
    return SS_OK;
}

static ss_status advance(ss_sim* sim, double until, bool to_event, ss_outcome* outcome, ss_error* err)
{
    if (isnan(until)) return ss_fail(err, SS_BAD_INPUT, "until", "must be a number");
    if (sim->course.failed) return tell_fault(sim, err);
    sim->stop.wanted = to_event;
    sim->stop.event_count = 0;
    ss_status status = run_to(sim, until, err);
    if (status == SS_OK) *outcome = sim->course.ended ? sim->course.outcome : SS_TIME_REACHED;
    return status;
}

ss_status ss_sim_advance(ss_sim* sim, double until, ss_outcome* outcome, ss_error* err)
{
    return advance(sim, until, false, outcome, err);
}

ss_status ss_sim_advance_to_event(ss_sim* sim, double until, bool* at_event, ss_outcome* outcome,
                                  ss_error* err)
{
    ss_status status = advance(sim, until, true, outcome, err);
    *at_event = status == SS_OK && sim->stop.event_count > 0;
    return status;
}

// ---- questions

double ss_sim_time(const ss_sim* sim)
{
    return sim->course.ended ? sim->course.end_t : sim->step.t + ss_elapsed(sim, sim->step.now);
}
long ss_sim_event_count(const ss_sim* sim) { return sim->course.event_count; }
const double* ss_sim_x(const ss_sim* sim) { return sim->bodies.out_x; }
const double* ss_sim_v(const ss_sim* sim) { return sim->bodies.out_v; }

ss_instant ss_sim_instant(const ss_sim* sim)
{
    const ss_stop_memory* stop = &sim->stop;
    return (ss_instant){stop->events, stop->event_count, stop->x, stop->v, stop->contacts};
}

static double value_at(const double series[], int stride, int order, double s)
{
    double sum = 0.0;
    for (int k = order; k >= 0; k--) sum = sum * s + series[(size_t)k * (size_t)stride];
    return sum;
}

// Bound of the force of contact i, which holds, where the caller has got to.
static double bound_now(const ss_sim* sim, int i, bool high, int last)
{
    double sum = 0.0;
    for (int k = sim->inputs.level_at[i] >= 0 ? last : 0; k >= 0; k--)
        sum = sum * sim->step.now + (high ? ss_hold_high(sim, i, k) : ss_hold_low(sim, i, k));
    return sum;
}

// Of all forces by which the group of contact i could hold as it does, the one of contact i where their norm
// is least: the projection with b = -A lambda, lambda being the forces that the run goes by.
static double least_force(const ss_sim* sim, int i, int last)
{
    const ss_model* model = sim->model;
    const ss_group* group = &model->groups[model->contacts[i].group];
    int count = 0, m = model->contact_count, *held = sim->work.index;
    for (int p = 0; p < group->count; p++)
        if (ss_holds(sim, group->contacts[p])) held[count++] = p;
    double *a = sim->work.numbers, *b = a + count * count, *low = b + count, *high = low + count,
           *l = high + count;
    double *residual = l + count, *scratch = residual + count;
    for (int r = 0; r < count; r++) {
        int contact = group->contacts[held[r]];
        low[r] = bound_now(sim, contact, false, last);
        high[r] = bound_now(sim, contact, true, last);
        b[r] = 0.0;
        for (int c = 0; c < count; c++) {
            a[r * count + c] = group->coupling[held[r] * group->count + held[c]];
            b[r] -= a[r * count + c] *
                    value_at(sim->step.lambda + group->contacts[held[c]], m, last, sim->step.now);
        }
    }
    ss_projection problem = {count, a, b, low, high, l, residual, sim->work.at};
    ss_project(&problem, scratch);
    int r = 0;
    while (held[r] != model->contacts[i].place) r++;
    return l[r];
}

ss_contact_state ss_contact_of_run(const ss_sim* sim, int i)
{
    const ss_model* model = sim->model;
    const ss_contact_run* run = &sim->modes.contacts[i];
    int m = model->contact_count, last = sim->step.ready ? sim->step.order - 2 : 0;
    ss_contact_state state = {.mode = run->mode, .determined = run->determined};
    for (int k = 0; k < model->contacts[i].bodies.count; k++)
        state.velocity +=
            model->contacts[i].bodies.value[k] * sim->bodies.out_v[model->contacts[i].bodies.index[k]];
    bool slips = run->mode == SS_MODE_SLIP_PLUS || run->mode == SS_MODE_SLIP_MINUS;
    bool bristle = ss_is_bristle(sim, i);
    bool constant = slips && sim->inputs.level_at[i] < 0 && sim->laws.stribeck_at[i] < 0 && !bristle;
    if (run->mode != SS_MODE_OPEN)
        state.force = constant ? sim->step.lambda[i] : value_at(sim->step.lambda + i, m, last, sim->step.now);
    if (slips) state.limit = bristle ? ss_bristle_limit(sim, i, state.velocity) : fabs(state.force);
    state.z = NAN;
    if (bristle) ss_bristle_describe(sim, i, &state);
    if (run->mode == SS_MODE_STICK) {
        state.velocity = 0.0;
        state.limit = state.force < 0.0 ? -bound_now(sim, i, false, last) : bound_now(sim, i, true, last);
    }
    if (run->mode == SS_MODE_CLOSED) state.limit = INFINITY;
    if (run->mode == SS_MODE_CLOSED && !ss_is_elastic(sim, i)) state.velocity = 0.0;
    return state;
}

ss_contact_state ss_sim_contact(const ss_sim* sim, int i)
{
    ss_contact_state state = ss_contact_of_run(sim, i);
    int last = sim->step.ready ? sim->step.order - 2 : 0;
    if (state.determined || !ss_holds(sim, i)) return state;
    state.force = least_force(sim, i, last);
    if (state.mode == SS_MODE_STICK) state.limit = fabs(bound_now(sim, i, state.force >= 0.0, last));
    return state;
}

ss_energy ss_sim_energy(const ss_sim* sim)
{
    ss_sim copy = *sim; // the part of the present step that has been passed is added without touching the run
    if (sim->step.ready && sim->step.now > 0.0) ss_ledger_step(&copy, sim->step.now);
    ss_energy energy = copy.ledger.energy;
    ss_ledger_close(sim, sim->step.ready ? sim->step.now : 0.0, &energy);
    return energy;
}
