// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Impacts on rigid stops. All stops of a group that touch at one instant form one problem: impulses P >= 0
// with  v+ = v- + A P,  v+ + e v- >= 0  and  P (v+ + e v-) = 0  (Newton), solved by the same projection that
// chooses modes. Friction forces are finite and give no impulse.
// What infinitely many of them come to is found in accumulate.c.
#include "core/tolerance.h"
#include "engine/flow/energy.h"
#include "engine/flow/level_forces.h"
#include "engine/select/select.h"
#include "law/table.h"

#include <math.h>
#include <string.h>

// Which way contact i cannot move at all: the side of a stop, or the direction of an infinite friction level
// (of two such, the one it moves in); 0: none.
static int side_of(const ss_model* model, const ss_step* step, int i)
{
    const ss_contact* contact = &model->contacts[i];
    if (contact->is_tie) return 1;
    if (ss_is_stop(model, i)) return contact->rigid_stop.side;
    if (!model->nature.one_way || !ss_contact_is(contact, SS_TRAIT_LEVELS)) return 0;
    bool forward = isinf(contact->levels[SS_FORWARD]), backward = isinf(contact->levels[SS_BACKWARD]);
    if (forward && backward) return ss_relative_velocity(model, step, i, 0) < 0.0 ? -1 : 1;
    return forward ? 1 : backward ? -1 : 0;
}

static double restitution_of(const ss_model* model, int i)
{
    return ss_is_stop(model, i) ? model->contacts[i].rigid_stop.restitution : 0.0;
}

// Rate of change of the gap: negative on approach.
static double gap_rate(const ss_model* model, const ss_step* step, int i)
{
    return -side_of(model, step, i) * ss_relative_velocity(model, step, i, 0);
}

static bool touches(const ss_model* model, const ss_step* step, const ss_modes* modes, int i)
{
    if (model->contacts[i].is_tie) return true;
    if (ss_is_stop(model, i)) return modes->contacts[i].gap == 0.0;
    return side_of(model, step, i) != 0 &&
           gap_rate(model, step, i) <= ss_velocity_rounding(model, step, modes, i);
}

void ss_classify_velocity(const ss_model* model, const ss_step* step, ss_modes* modes, int i)
{
    ss_contact_run* run = &modes->contacts[i];
    double v = ss_relative_velocity(model, step, i, 0);
    bool still = fabs(v) <= ss_velocity_rounding(model, step, modes, i);
    if (model->contacts[i].is_tie) {
        run->zero = true;
        run->kick = 0.0;
        return;
    }
    // These are classified in elastic.c and bristle.c.
    if (ss_is_elastic(step, i) || ss_is_bristle(step, i)) return;
    if (ss_is_stop(model, i)) {
        run->zero = run->gap == 0.0 && still;
        run->kick = 0.0;
        if (!run->zero) run->mode = SS_MODE_OPEN;
        return;
    }
    run->zero = still;
    run->kick = 0.0;
    if (!still) run->mode = v > 0.0 ? SS_MODE_SLIP_PLUS : SS_MODE_SLIP_MINUS;
}

// Changes the velocities by an impulse of stop i; every contact of its group remembers the size of its share,
// of which the rounding of its velocity is a part.
static void push_along_stop(const ss_model* model, const ss_step* step, ss_modes* modes, int i,
                            double impulse)
{
    const ss_contact* contact = &model->contacts[i];
    const ss_group* group = &model->groups[contact->group];
    double *v = step->q + model->n, side = side_of(model, step, i);
    for (int c = 0; c < group->count; c++)
        modes->contacts[group->contacts[c]].kick +=
            fabs(group->coupling[c * group->count + contact->place] * impulse);
    for (int k = 0; k < contact->mobility.count; k++)
        v[contact->mobility.index[k]] -= side * contact->mobility.value[k] * impulse;
}

// What the driven bodies of stop i put in while it gives an impulse: their speeds do not change.
static double drive_work(const ss_model* model, const ss_step* step, int i, double impulse)
{
    const ss_contact* contact = &model->contacts[i];
    if (contact->d.count == 0) return 0.0;
    return side_of(model, step, i) * impulse * ss_row_dot(&contact->d, step->d + model->drive_count);
}

// Impulses of stops that touch without holding, at one instant and each changing the other's speed: struck in
// turn, an instant apart, they would as a rule end otherwise. Once per run the log says so.
static void note_together(ss_sim* sim, const int contact[], const double impulse[], int count)
{
    int together = 0;
    for (int r = 0; r < count && !sim->modes.noted_together; r++) {
        if (impulse[r] <= 0.0 || sim->modes.contacts[contact[r]].mode != SS_MODE_OPEN) continue;
        const ss_contact* stop = &sim->model->contacts[contact[r]];
        const ss_group* group = &sim->model->groups[stop->group];
        bool coupled = false;
        for (int c = 0; c < count; c++)
            coupled =
                coupled ||
                (c != r && impulse[c] > 0.0 && sim->modes.contacts[contact[c]].mode == SS_MODE_OPEN &&
                 group->coupling[stop->place * group->count + sim->model->contacts[contact[c]].place] != 0.0);
        if (coupled) sim->work.note_contacts[together++] = contact[r];
    }
    if (together < 2) return;
    sim->modes.noted_together = true;
    ss_note_now(sim, "simultaneous impacts: solved as one; one after the other they may end otherwise",
                sim->work.note_contacts, together);
}

static void strike_group(ss_sim* sim, int g)
{
    const ss_model* model = sim->model;
    const ss_group* group = &model->groups[g];
    int room = group->count, count = 0, *contact = sim->work.index;
    double *a = sim->work.numbers, *b = a + room * room, *low = b + room, *high = low + room,
           *l = high + room;
    double *residual = l + room, *scratch = residual + room;
    for (int c = 0; c < room; c++)
        if (touches(sim->model, &sim->step, &sim->modes, group->contacts[c]))
            contact[count++] = group->contacts[c];
    for (int r = 0; r < count; r++) {
        const ss_contact* stop = &model->contacts[contact[r]];
        double rate = gap_rate(sim->model, &sim->step, contact[r]);
        // The stop is leaned on, not struck.
        if (fabs(rate) <= ss_velocity_rounding(sim->model, &sim->step, &sim->modes, contact[r])) rate = 0.0;
        b[r] = rate + restitution_of(sim->model, contact[r]) * fmin(rate, 0.0);
        low[r] = stop->is_tie ? -INFINITY : 0.0;
        high[r] = INFINITY;
        for (int c = 0; c < count; c++) {
            const ss_contact* other = &model->contacts[contact[c]];
            a[r * count + c] = side_of(sim->model, &sim->step, contact[r]) *
                               side_of(sim->model, &sim->step, contact[c]) *
                               group->coupling[stop->place * room + other->place];
        }
        sim->modes.contacts[contact[r]].speed_before = -rate;
    }
    ss_project(&(ss_projection){count, a, b, low, high, l, residual, sim->work.at}, scratch);
    note_together(sim, contact, l, count);
    double before = ss_kinetic_energy(sim->model, &sim->step), work = 0.0;
    for (int r = 0; r < count; r++) work += drive_work(sim->model, &sim->step, contact[r], l[r]);
    for (int r = 0; r < count; r++) push_along_stop(sim->model, &sim->step, &sim->modes, contact[r], l[r]);
    double loss = before + work - ss_kinetic_energy(sim->model, &sim->step);
    ss_book_impact(&sim->ledger, work, loss);
    for (int r = 0; r < count; r++) {
        ss_contact_run* run = &sim->modes.contacts[contact[r]];
        double speed_in = run->speed_before, after = gap_rate(sim->model, &sim->step, contact[r]);
        if (l[r] <= 0.0 || speed_in <= 0.0) continue;
        run->speed_in = speed_in;
        run->speed_out = after > SS_NOISE * speed_in ? after : 0.0;
        if (run->speed_out == 0.0)
            push_along_stop(sim->model, &sim->step, &sim->modes, contact[r],
                            -after / group->coupling[model->contacts[contact[r]].place * (room + 1)]);
    }
    ss_remember_impacts(sim->model, &sim->step, &sim->modes, g);
}

// A stop of group g that still closes after the impulses: driven bodies crush what is between them, and no
// velocity helps. -1 if there is none.
static int crushed(const ss_model* model, const ss_step* step, const ss_modes* modes, int g)
{
    const ss_group* group = &model->groups[g];
    double fastest = 0.0;
    for (int c = 0; c < group->count; c++)
        if (touches(model, step, modes, group->contacts[c]))
            fastest = fmax(fastest, modes->contacts[group->contacts[c]].speed_before);
    for (int c = 0; c < group->count; c++) {
        int i = group->contacts[c];
        if (touches(model, step, modes, i) &&
            gap_rate(model, step, i) < -(1e-6 * fastest + ss_velocity_rounding(model, step, modes, i)))
            return i;
    }
    return -1;
}

void ss_note_impact(ss_modes* modes, int i, double speed_in, double speed_out)
{
    ss_contact_run* run = &modes->contacts[i];
    run->speed_in = run->speed_before = speed_in;
    run->speed_out = speed_out > SS_NOISE * speed_in ? speed_out : 0.0;
}

int ss_resolve_impacts(ss_sim* sim)
{
    const ss_model* model = sim->model;
    bool any = false;
    for (int g = 0; g < model->group_count; g++) {
        const ss_group* group = &model->groups[g];
        bool struck = false;
        for (int c = 0; c < group->count; c++) {
            int i = group->contacts[c];
            // A closed stop has no speed, whatever rounding says.
            bool open = sim->modes.contacts[i].mode == SS_MODE_OPEN ||
                        (!ss_is_stop(sim->model, i) && ss_slips(&sim->modes, i));
            if (open && touches(sim->model, &sim->step, &sim->modes, i) &&
                gap_rate(sim->model, &sim->step, i) <
                    -ss_velocity_rounding(sim->model, &sim->step, &sim->modes, i))
                struck = true;
        }
        if (!struck) continue;
        if (ss_has_level_forces(sim, g)) {
            if (!ss_strike_with_friction(sim, g, true)) {
                ss_name_fault(sim->model, &sim->inputs, ss_first_follower(sim->model, g),
                              "no impulses satisfy the impact law");
                return SS_NO_IMPULSE;
            }
            ss_remember_impacts(sim->model, &sim->step, &sim->modes, g);
            any = true;
            continue;
        }
        ss_energy energy = sim->ledger.energy;
        size_t size = (size_t)model->n * sizeof(double);
        memcpy(sim->work.next_state, sim->step.q + model->n, size);
        strike_group(sim, g);
        int i = model->drive_count > 0 ? crushed(sim->model, &sim->step, &sim->modes, g) : -1;
        if (i >= 0) { // the state is again as if nothing had been tried
            ss_book(&sim->ledger, &energy);
            memcpy(sim->step.q + model->n, sim->work.next_state, size);
            return i;
        }
        for (int c = 0; c < group->count; c++) {
            ss_contact_run* run = &sim->modes.contacts[group->contacts[c]];
            bool stays = side_of(sim->model, &sim->step, group->contacts[c]) != 0 && run->speed_in >= 0.0 &&
                         run->speed_out == 0.0;
            ss_classify_velocity(sim->model, &sim->step, &sim->modes, group->contacts[c]);
            if (stays) run->zero = true;
        }
        any = true;
    }
    if (any) ss_wake_all(sim->model, &sim->modes);
    return -1;
}
