// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Contacts with bristles: directions, reversals and states. Their series are in bristle_series.c.
//
// At v = 0 the force is definite as well (sigma0 z, whatever the direction), and it does not change before v
// does. So the first derivative of v that is not zero is known without the direction, and gives it.
#include "engine/flow/bristle_run.h"
#include "engine/flow/motion_series.h"

#include "core/rounding.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_APART = 1000 };                 // elements that may be started each by itself
static const double nothing = SS_NO_DIGITS; // a motion of this size has died out

static const ss_contact* contact_of(const ss_model* model, const ss_bristle* b)
{
    return &model->contacts[b->contact];
}

// ---- creation and start

static void allocate_room(ss_sim* sim, ss_bristle* b)
{
    const ss_contact* contact = contact_of(sim->model, b);
    b->along.tolerance = sim->def.tolerance;
    b->along.sign = 1.0;
    b->along.apart = contact->start.elements != NULL || contact->elements <= MOST_APART;
    if (contact->law_entry->memory.prepare)
        contact->law_entry->memory.prepare(contact->law_entry, ss_law_of(contact), &b->along, &sim->pool);
}

void ss_bristle_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    int m = model->contact_count;
    sim->step.laws.bristle_at = ss_pool_new(&sim->pool, (size_t)m, sizeof(int));
    sim->step.laws.bristle_count = 0;
    for (int i = 0; i < m && sim->step.laws.bristle_at; i++)
        sim->step.laws.bristle_at[i] =
            ss_has_bristles(&model->contacts[i]) ? sim->step.laws.bristle_count++ : -1;
    sim->step.laws.bristles =
        ss_pool_new(&sim->pool, (size_t)sim->step.laws.bristle_count, sizeof(ss_bristle));
    for (int i = 0; i < m && !sim->pool.failed; i++) {
        if (sim->step.laws.bristle_at[i] < 0) continue;
        ss_bristle* b = &sim->step.laws.bristles[sim->step.laws.bristle_at[i]];
        b->contact = i;
        allocate_room(sim, b);
    }
    size_t numbers = 0;
    for (int i = 0; i < m; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (ss_has_bristles(contact)) numbers += contact->elements > 0 ? (size_t)contact->elements : 1;
    }
    sim->step.laws.start = ss_pool_new(&sim->pool, numbers, sizeof(double));
}

void ss_bristle_restart(ss_law_series* laws, ss_modes* modes)
{
    for (int j = 0; j < laws->bristle_count; j++) {
        ss_bristle* b = &laws->bristles[j];
        ss_contact_run* run = &modes->contacts[b->contact];
        b->arrived = b->turning = b->still = b->held = b->stood = b->begun = b->moved = false;
        b->along.yields = false;
        b->along.rests = true;
        b->along.branch = 0;
        b->along.sign = 1.0;
        b->work = b->work_size = b->peak = 0.0;
        b->load = NAN;
        b->before = SS_MODE_STICK;
        run->mode = run->logged = SS_MODE_SLIP_PLUS; // a direction that the first decision replaces
    }
}

static double position_of(const ss_model* model, const ss_step* step, const ss_places* bodies,
                          const ss_bristle* b)
{
    const ss_contact* contact = contact_of(model, b);
    double y = ss_row_dot(&contact->q, step->q) + ss_row_dot(&contact->bodies, bodies->offset);
    return contact->d.count > 0 ? y + ss_row_dot(&contact->d, step->d) : y;
}

// The velocity is known only when the drives are: saturation means the steady deflection at it.
static void begin_state(ss_sim* sim, ss_bristle* b)
{
    const ss_contact* contact = contact_of(sim->model, b);
    const ss_law* row = contact->law_entry;
    ss_bristle_start given = {.z = NAN, .saturation = NAN};
    const ss_bristle_start* start = &contact->start;
    if (sim->step.laws.start_given) { // a run that is restarted in a state
        const double* numbers = sim->step.laws.start;
        for (int i = 0; i < b->contact; i++) {
            const ss_contact* other = &sim->model->contacts[i];
            if (ss_has_bristles(other)) numbers += other->elements > 0 ? other->elements : 1;
        }
        given.z = *numbers;
        if (contact->elements > 0) given.elements = numbers;
        start = &given;
    }
    double y = position_of(sim->model, &sim->step, &sim->bodies, b),
           share = isnan(start->saturation) ? 0.0 : start->saturation;
    double v = ss_relative_velocity(sim->model, &sim->step, b->contact, 0);
    b->begun = true;
    b->from = y;
    b->along.z[0] = ss_law_start_of(row, ss_law_of(contact), start->z, share, v);
    if (row->memory.begin) row->memory.begin(ss_law_of(contact), &b->along, start, y, v);
    if (!sim->def.ledger || contact->loaded) return; // the first step counts what loaded bristles store
    ss_energy entries = sim->ledger.energy;
    entries.start += ss_bristle_energy(sim->model, &sim->step, &sim->inputs, b, 0.0);
    ss_book(&sim->ledger, &entries);
}

// ---- where a step begins

// Rounding of the relative position where an element is about to slip; that of the time counts, too.
static double position_rounding(const ss_model* model, const ss_step* step, const ss_bristle* b)
{
    const ss_contact* contact = contact_of(model, b);
    double size = fabs(b->from) + fabs(step->t * ss_relative_velocity(model, step, b->contact, 0));
    for (int k = 0; k < contact->q.count; k++)
        size += fabs(contact->q.value[k] * step->q[contact->q.index[k]]);
    for (int k = 0; k < contact->d.count; k++)
        size += fabs(contact->d.value[k] * step->d[contact->d.index[k]]);
    return 16.0 * DBL_EPSILON * size;
}

// A damped approach to rest without reversals has no event to end it; but its numbers end.
static bool has_died_out(const ss_model* model, const ss_step* step, const ss_bristle* b)
{
    return b->moved && !b->still && fabs(b->along.z[0]) < nothing &&
           fabs(ss_relative_velocity(model, step, b->contact, 0)) < nothing;
}

static void end_motion(const ss_model* model, ss_step* step, ss_bristle* b)
{
    const ss_row* row = &contact_of(model, b)->q;
    b->along.z[0] = 0.0;
    for (int k = 0; k < row->count; k++) {
        double* v = &step->q[model->n + row->index[k]];
        if (fabs(*v) < nothing) *v = 0.0;
    }
}

void ss_bristle_arrive(ss_sim* sim)
{
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        ss_bristle* b = &sim->step.laws.bristles[j];
        const ss_contact* contact = contact_of(sim->model, b);
        const ss_law* row = contact->law_entry;
        if (!b->begun) begin_state(sim, b);
        b->stood = b->still && b->held;
        if (row->memory.arrive)
            row->memory.arrive(ss_law_of(contact), &b->along,
                               position_of(sim->model, &sim->step, &sim->bodies, b),
                               b->along.yields ? position_rounding(sim->model, &sim->step, b) : 0.0);
        b->along.yields = false;
        bool gone = (row->traits & SS_TRAIT_Z) && has_died_out(sim->model, &sim->step, b);
        if (gone) end_motion(sim->model, &sim->step, b);
        // Whether it stays still is asked at every step.
        if (b->still || gone) ss_wake_group(&sim->modes, contact->group);
    }
}

// ---- directions

static void set_direction(const ss_model* model, ss_modes* modes, ss_bristle* b, bool plus)
{
    const ss_contact* contact = contact_of(model, b);
    modes->contacts[b->contact].mode = plus ? SS_MODE_SLIP_PLUS : SS_MODE_SLIP_MINUS;
    bool rested =
        b->turning || !b->moved || (b->along.sign > 0.0) != plus; // a jump of speed passes through 0
    b->turning = b->along.rests = false;
    b->along.sign = plus ? 1.0 : -1.0;
    if (contact->law_entry->memory.turn)
        contact->law_entry->memory.turn(ss_law_of(contact), &b->along, rested);
}

// What others held has v = 0 now, whatever is left of the speeds of its bodies, unless one of them can have
// jumped: by an impact, or as a drive.
static bool stands(const ss_model* model, const ss_modes* modes, const ss_bristle* b)
{
    return b->stood && contact_of(model, b)->d.count == 0 && modes->contacts[b->contact].kick == 0.0;
}

void ss_bristle_classify(const ss_model* model, ss_step* step, ss_modes* modes)
{
    for (int j = 0; j < step->laws.bristle_count; j++) {
        ss_bristle* b = &step->laws.bristles[j];
        if (!modes->dirty[contact_of(model, b)->group]) continue;
        double v = ss_relative_velocity(model, step, b->contact, 0);
        b->still = false;
        b->turning = b->arrived || stands(model, modes, b) ||
                     fabs(v) <= ss_velocity_rounding(model, step, modes, b->contact) || fabs(v) < nothing;
        b->along.rests = b->turning;
        modes->contacts[b->contact].lead = 0;
        if (!b->turning) set_direction(model, modes, b, v > 0.0);
    }
}

// Whether the relative acceleration, coefficient k, is more than rounding: that of its terms, of lower orders
// carried on by the rates of the motion, and of the speeds whose difference the velocity is.
static bool is_significant(const ss_sim* sim, int i, int k, double acceleration)
{
    double factor = 1.0, rate = sim->control.rate + ss_bristle_rate(sim->model, sim->field, &sim->step);
    for (int j = 1; j <= k; j++) factor *= rate / j;
    double carried = k > 0 ? SS_NOISE * ss_acceleration_size(sim, i, 0) +
                                 fabs(ss_relative_velocity(sim->model, &sim->step, i, 1))
                           : 0.0;
    double jitter = ss_velocity_rounding(sim->model, &sim->step, &sim->modes, i) * rate;
    return fabs(acceleration) >
           SS_RELATIVE_ZERO * ss_acceleration_size(sim, i, k) + factor * (carried + jitter) + nothing;
}

// It stands still on the whole step: the accelerations up to order k that are too small to tell a direction
// are none. Without the bristles, which do not follow what stands still, they would make a speed that is more
// than rounding, and a body that has come to its balance would be set swinging again and again. Where others
// hold a part of it they have the last word.
static void stand_still(const ss_model* model, ss_step* step, const ss_modes* modes, const ss_bristle* b,
                        int k)
{
    const ss_contact* contact = contact_of(model, b);
    const ss_group* group = &model->groups[contact->group];
    double give = group->coupling[contact->place * (group->count + 1)]; // 1/kg
    if (step->clock.stop || modes->holds[contact->group].active || !(give > 0.0)) return;
    for (int j = 0; j <= k; j++) {
        double share = ss_relative_velocity(model, step, b->contact, j + 1) / ((j + 2) * give);
        for (int l = 0; l < contact->mobility.count; l++) {
            double* q = &step->q[(j + 2) * model->n + contact->mobility.index[l]];
            *q = ss_clear_rounding(*q - share * contact->mobility.value[l], 4.0 * fabs(*q));
        }
    }
}

bool ss_bristle_decide(ss_sim* sim, int k)
{
    bool open = false;
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        ss_bristle* b = &sim->step.laws.bristles[j];
        if (!b->turning) continue;
        double rate = ss_relative_velocity(sim->model, &sim->step, b->contact, k + 1);
        if (is_significant(sim, b->contact, k, (k + 1) * rate)) {
            sim->modes.contacts[b->contact].lead = k + 1;
            set_direction(sim->model, &sim->modes, b, rate > 0.0);
            ss_bristle_redo_series(sim, b, k);
        } else if (k < SS_DECIDE_ORDER) {
            open = true;
        } else {
            b->still = b->along.rests = true; // the mode of a contact that stands still stays what it was
            b->held = sim->modes.active_count > 0 &&
                      ss_cannot_move(sim->model, &sim->modes, &sim->work, b->contact);
            b->turning = false;
            if (b->moved && !b->held) stand_still(sim->model, &sim->step, &sim->modes, b, k);
        }
    }
    return open;
}

static void end_branch(ss_sim* sim, ss_bristle* b)
{
    double y = position_of(sim->model, &sim->step, &sim->bodies, b);
    if (sim->def.on_branch && b->moved && sim->course.started)
        sim->def.on_branch(sim->def.user,
                           &(ss_branch){b->contact, b->from, y, ss_clear_rounding(b->work, b->work_size)});
    b->from = y;
    b->work = b->work_size = 0.0;
}

// Whether the swing that ends here was hardly faster than rounding: that of the speeds, or what accelerations
// that tell no direction (is_significant), here or at a bristle coupled to it, make in the time in which the
// motion changes. It turns with no more than those, then: what is driven slowly is no jitter.
static bool jitters(const ss_sim* sim, const ss_bristle* b)
{
    const ss_group* group = &sim->model->groups[contact_of(sim->model, b)->group];
    double silent = 0.0, rate = sim->control.rate + ss_bristle_rate(sim->model, sim->field, &sim->step);
    for (int p = 0; p < group->count; p++)
        if (ss_is_bristle(&sim->step, group->contacts[p]))
            silent = fmax(silent, SS_RELATIVE_ZERO * ss_acceleration_size(sim, group->contacts[p], 0));
    bool turns_faintly = fabs(ss_relative_velocity(sim->model, &sim->step, b->contact, 1)) <= 16.0 * silent;
    return b->peak <= 8.0 * (ss_velocity_rounding(sim->model, &sim->step, &sim->modes, b->contact) +
                             (turns_faintly ? silent / rate : 0.0));
}

void ss_bristle_begin(ss_sim* sim)
{
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        ss_bristle* b = &sim->step.laws.bristles[j];
        ss_contact_run* run = &sim->modes.contacts[b->contact];
        b->arrived = false;
        if (b->still) continue;
        // Neither the first motion nor a jitter of rounding is a reversal.
        if (!b->moved || (run->mode != run->logged && jitters(sim, b))) run->logged = run->mode;
        if (run->mode != run->logged) end_branch(sim, b);
        if (run->mode != b->before) b->peak = 0.0;
        b->before = run->mode;
        b->moved = true;
    }
}

void ss_bristle_stand(ss_sim* sim)
{
    const double without_end = 1e300; // s
    size_t n = (size_t)sim->model->n, size = n * sizeof(double);
    memset(sim->step.q + n, 0, size);
    for (int j = 0; j < sim->step.laws.bristle_count; j++)
        sim->step.laws.bristles[j].still = sim->step.laws.bristles[j].along.rests = true;
    ss_accelerate(sim, 0); // the forces
    memset(sim->step.q + 2 * n, 0, size);
    sim->step.order = 2;
    sim->step.length = without_end;
}

void ss_bristles_stay(ss_law_series* laws)
{
    for (int j = 0; j < laws->bristle_count; j++)
        laws->bristles[j].arrived = laws->bristles[j].along.yields = false;
}
