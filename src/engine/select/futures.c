// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Futures: where levels fall when slip begins (static above kinetic), more than one motion may begin at one
// instant. Select computes one of them; this names the contacts that another one treats otherwise:
//   - sticking contacts that slip with their kinetic force in another motion, asked of contacts that have
//     just arrived and, where a contact is released beside them, of all;
//   - contacts released together with others, that hold in another motion in which only the others are;
//   - contacts released from a hold whose forces were not determined: with another distribution one of them
//     is at its static level, and lets go, earlier.
// Each other motion is found by one projection with b = a - A l, a and l being the relative accelerations and
// forces of the motion computed (docs/theory/select.md).
#include "core/tolerance.h"
#include "engine/flow/contact.h"
#include "engine/flow/input_series.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/motion_series.h"
#include "engine/select/select.h"

#include <math.h>

static const double share = SS_CLEAR; // of its terms, below which an acceleration is taken to be zero

typedef struct question {
    int count;
    int* contact; // those with v = 0 at this instant
    ss_projection problem;
    double *low, *high, *scratch;
} question;

static bool is_released(const ss_contact_run* run) { return run->released && !run->turned; }

// The set of forces that contact i takes part with in the motion computed.
static void usual_set(ss_sim* sim, int i, double* low, double* high)
{
    const ss_contact_run* run = &sim->modes.contacts[i];
    if (is_released(run)) {
        *low = *high = ss_slip_force(sim, i, 0);
    } else if (run->turned) {
        *low = ss_kinetic_low(sim, i, 0);
        *high = ss_kinetic_high(sim, i, 0);
    } else {
        *low = ss_hold_low(sim, i, 0);
        *high = ss_hold_high(sim, i, 0);
    }
}

static question pose(ss_sim* sim, int g)
{
    const ss_model* model = sim->model;
    const ss_group* group = &model->groups[g];
    int room = group->count, count = 0, *contact = sim->work.index;
    for (int c = 0; c < room; c++)
        if (sim->modes.contacts[group->contacts[c]].zero) contact[count++] = group->contacts[c];
    double *a = sim->work.numbers, *b = a + room * room, *low = b + room, *high = low + room,
           *l = high + room, *residual = l + room;
    for (int r = 0; r < count; r++) {
        const double* row = &group->coupling[model->contacts[contact[r]].place * room];
        b[r] = ss_relative_velocity(sim->model, &sim->step, contact[r], 1); // the acceleration
        for (int c = 0; c < count; c++) {
            int j = contact[c];
            a[r * count + c] = row[model->contacts[j].place];
            b[r] -= a[r * count + c] *
                    (ss_slips(&sim->modes, j) ? ss_slip_force(sim, j, 0) : sim->step.lambda[j]);
        }
        usual_set(sim, contact[r], &low[r], &high[r]);
    }
    ss_projection problem = {count, a, b, low, high, l, residual, sim->work.at};
    return (question){count, contact, problem, low, high, residual + room};
}

static bool moves(const ss_sim* sim, const question* q, int u)
{
    double size = ss_acceleration_size(sim, q->contact[u], 0) + fabs(q->problem.b[u]);
    return fabs(q->problem.residual[u]) > share * size;
}

// Whether the released contacts, but `except`, start in the direction that their forces stand for.
static bool released_agree(const ss_sim* sim, const question* q, int except)
{
    for (int u = 0; u < q->count; u++) {
        const ss_contact_run* run = &sim->modes.contacts[q->contact[u]];
        if (u == except || !is_released(run)) continue;
        double way = run->mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
        if (!moves(sim, q, u) || way * q->problem.residual[u] < 0.0) return false;
    }
    return true;
}

static bool falls(const ss_model* model, const ss_inputs* inputs, int i)
{
    return ss_level_falls(model, inputs, i, false, 0) || ss_level_falls(model, inputs, i, true, 0);
}

// Whether contact i sticks with a force that may be above its kinetic level, and need not have stuck before.
static bool is_asked(const ss_model* model, const ss_inputs* inputs, const ss_modes* modes, int i,
                     bool any_released)
{
    const ss_contact_run* run = &modes->contacts[i];
    return run->mode == SS_MODE_STICK && !run->turned && falls(model, inputs, i) &&
           (any_released || run->logged != SS_MODE_STICK);
}

// Sticking contacts that slip where they have their kinetic levels only.
static int find_slips(ss_sim* sim, int g, bool any_released, int found[])
{
    question q = pose(sim, g);
    int asked = 0, count = 0;
    for (int u = 0; u < q.count; u++) {
        int i = q.contact[u];
        if (!is_asked(sim->model, &sim->inputs, &sim->modes, i, any_released)) continue;
        q.low[u] = ss_kinetic_low(sim, i, 0);
        q.high[u] = ss_kinetic_high(sim, i, 0);
        asked++;
    }
    if (asked == 0) return 0;
    ss_project(&q.problem, q.scratch);
    if (!released_agree(sim, &q, -1)) return 0;
    for (int u = 0; u < q.count; u++)
        if (is_asked(sim->model, &sim->inputs, &sim->modes, q.contact[u], any_released) && moves(sim, &q, u))
            found[count++] = q.contact[u];
    return count;
}

// Whether in a motion with contact u at its static level all that stick, and u, hold.
static bool holds_instead(ss_sim* sim, question* q, int u)
{
    int i = q->contact[u];
    q->low[u] = ss_hold_low(sim, i, 0);
    q->high[u] = ss_hold_high(sim, i, 0);
    ss_project(&q->problem, q->scratch);
    bool holds = !moves(sim, q, u) && released_agree(sim, q, u);
    for (int s = 0; s < q->count && holds; s++) {
        int j = q->contact[s];
        holds = sim->modes.contacts[j].mode != SS_MODE_STICK || !falls(sim->model, &sim->inputs, j) ||
                !moves(sim, q, s);
    }
    usual_set(sim, i, &q->low[u], &q->high[u]);
    return holds;
}

static int find_holds(ss_sim* sim, int g, int found[])
{
    question q = pose(sim, g);
    int count = 0;
    for (int u = 0; u < q.count; u++)
        if (is_released(&sim->modes.contacts[q.contact[u]]) && holds_instead(sim, &q, u))
            found[count++] = q.contact[u];
    return count;
}

static int find_shared(const ss_model* model, const ss_modes* modes, int g, int found[])
{
    const ss_group* group = &model->groups[g];
    int count = 0;
    for (int p = 0; p < group->count; p++) {
        const ss_contact_run* run = &modes->contacts[group->contacts[p]];
        if (is_released(run) && run->shared) found[count++] = group->contacts[p];
    }
    return count;
}

static void note_group(ss_sim* sim, int g)
{
    const ss_group* group = &sim->model->groups[g];
    int released = 0, falling = 0, count, *found = sim->work.note_contacts;
    for (int p = 0; p < group->count; p++) {
        int i = group->contacts[p];
        falling += sim->model->contacts[i].falling;
        released += is_released(&sim->modes.contacts[i]);
    }
    if (falling == 0) return;
    count = find_slips(sim, g, released > 0, found);
    if (count > 0)
        ss_note_now(sim,
                    "many-futures: static friction holds, but slip with the kinetic force is possible too",
                    found, count);
    count = released > 1 ? find_holds(sim, g, found) : 0;
    if (count > 0)
        ss_note_now(sim, "many-futures: released with others, but static friction could hold instead", found,
                    count);
    count = released > 0 ? find_shared(sim->model, &sim->modes, g, found) : 0;
    if (count > 0)
        ss_note_now(sim,
                    "many-futures: released from a hold of undetermined forces; with another distribution it "
                    "ends earlier",
                    found, count);
}

void ss_remember_shared(const ss_model* model, ss_modes* modes, const ss_course* course)
{
    for (int i = 0; i < model->contact_count; i++) {
        ss_contact_run* run = &modes->contacts[i];
        run->shared =
            course->started && run->mode == SS_MODE_STICK && run->logged == SS_MODE_STICK && !run->determined;
    }
}

void ss_note_futures(ss_sim* sim)
{
    for (int g = 0; g < sim->model->group_count; g++)
        if (sim->modes.dirty[g] && !ss_has_level_forces(sim, g)) note_group(sim, g);
}
