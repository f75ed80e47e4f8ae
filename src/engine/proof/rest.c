// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Rest: every speed is 0 and nothing pulls. And whether that lasts for ever.
//
// With constant inputs rest lasts. Otherwise every coordinate must be held, and the holding forces follow the
// inputs linearly: lambda(t) = lambda(now) + sum_f c_f (F_f(t) - F_f(now)). Tables are linear between their
// points, so checking the points suffices; harmonics stay within the sum of their amplitudes, those of one
// frequency added by phase first.
#include "core/tolerance.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/contact.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/flow/turning.h"
#include "engine/proof/proof.h"
#include "engine/sampled/sampled.h"

#include <math.h>

enum { MAX_HARMONICS = 32, MAX_BREAKS = 1000000 };

// Whether bristles stand because they were never moved, or because others hold them. What has moved on
// bristles alone only comes ever nearer to rest: its motion obeys x' = f(x) with f Lipschitz, whose solutions
// never meet, so none of them gets to an equilibrium in finite time, however small its speed has become.
static bool bristles_stand(const ss_model* model, const ss_law_series* laws, int i)
{
    const ss_bristle* b = &laws->bristles[laws->bristle_at[i]];
    return b->still && (!b->moved || b->held || model->contacts[i].q.count == 0);
}

bool ss_is_resting(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    int n = model->n, nd = model->drive_count;
    const double *v = sim->step.q + n, *half_a = v + n;
    for (int i = 0; i < n; i++)
        if (v[i] != 0.0) return false;
    // A contact that starts to slip may do so without acceleration.
    for (int i = 0; i < model->contact_count; i++) {
        ss_mode mode = sim->modes.contacts[i].mode;
        if (ss_is_bristle(&sim->step, i) && bristles_stand(sim->model, &sim->step.laws, i)) continue;
        if (mode == SS_MODE_SLIP_PLUS || mode == SS_MODE_SLIP_MINUS) return false;
    }
    for (int j = 0; j < nd; j++)
        if (sim->step.d[nd + j] != 0.0 || sim->step.d[2 * nd + j] != 0.0) return false;
    if (model->open && !ss_open_rests(sim)) return false;
    for (int i = 0; i < n; i++)
        if (half_a[i] != 0.0 &&
            fabs(2.0 * half_a[i]) > SS_SUM_NOISE * (ss_pull_size(sim, i, 0) + ss_turning_size(sim, i)))
            return false;
    return true;
}

bool ss_stands_for_good(const ss_sim* sim, int order)
{
    int n = sim->model->n;
    if (sim->step.laws.bristle_count == 0 || sim->derivative || sim->open.states > 0 ||
        sim->values.block_count > 0)
        return false;
    for (int j = 0; j < sim->step.laws.bristle_count; j++)
        if (!sim->step.laws.bristles[j].still) return false;
    for (int k = n; k < (order + 2) * n; k++)
        if (sim->step.q[k] != 0.0) return false;
    return ss_inputs_stay(sim);
}

// c: change of the holding force of contact i per unit of force f.
static double sensitivity(const ss_model* model, const ss_modes* modes, int i, int f)
{
    const ss_contact* contact = &model->contacts[i];
    const ss_group* group = &model->groups[contact->group];
    const ss_hold* hold = &modes->holds[contact->group];
    double sum = 0.0;
    for (int a = 0; a < hold->count; a++) {
        if (hold->places[a] != contact->place) continue;
        for (int c = 0; c < hold->count; c++) {
            const ss_row* row = &model->contacts[group->contacts[hold->places[c]]].q;
            const ss_row* push = &model->forces[f].mobility;
            for (int k = 0; k < row->count; k++)
                for (int l = 0; l < push->count; l++)
                    if (row->index[k] == push->index[l])
                        sum -= hold->inverse[a * hold->count + c] * row->value[k] * push->value[l];
        }
    }
    return sum;
}

static bool is_table(const ss_signal* signal, double t)
{
    return isfinite(ss_signal_next_breakpoint(signal, t));
}

typedef struct outlook {
    double steady;    // force apart from tables and harmonics
    double amplitude; // of all harmonics together
} outlook;

// What contact i will have to hold, apart from tables. False where an input is of no known kind.
static bool look_ahead(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                       const ss_modes* modes, int i, outlook* out)
{
    ss_harmonic sum[MAX_HARMONICS];
    int count = 0;
    out->steady = step->lambda[i];
    for (int j = 0; j < inputs->varying_count; j++) {
        int f = inputs->varying[j];
        double c = sensitivity(model, modes, i, f);
        const ss_signal* signal = model->forces[f].signal;
        out->steady -= c * ss_signal_value(signal, step->t);
        if (is_table(signal, step->t)) continue;
        ss_harmonic part[MAX_HARMONICS];
        double constant;
        int parts = ss_signal_spectrum(signal, step->t, &constant, part, MAX_HARMONICS);
        if (parts < 0) return false;
        out->steady += c * constant;
        for (int p = 0; p < parts; p++) {
            int at = 0;
            while (at < count && sum[at].frequency != part[p].frequency) at++;
            if (at == MAX_HARMONICS) return false;
            if (at == count) sum[count++] = (ss_harmonic){.frequency = part[p].frequency};
            sum[at].sine += c * part[p].sine;
            sum[at].cosine += c * part[p].cosine;
        }
    }
    out->amplitude = 0.0;
    for (int k = 0; k < count; k++) out->amplitude += hypot(sum[k].sine, sum[k].cosine);
    return true;
}

static bool stays_within(const ss_sim* sim, int i, const outlook* look, double t)
{
    const ss_model* model = sim->model;
    double force = look->steady;
    for (int j = 0; j < sim->inputs.varying_count; j++) {
        int f = sim->inputs.varying[j];
        if (is_table(model->forces[f].signal, sim->step.t))
            force += sensitivity(sim->model, &sim->modes, i, f) * ss_signal_value(model->forces[f].signal, t);
    }
    double slack = fmax(fmax(sim->modes.contacts[i].slack[0], sim->modes.contacts[i].slack[1]),
                        SS_SUM_NOISE * (fabs(force) + look->amplitude));
    return force + look->amplitude <= ss_hold_high(sim, i, 0) + slack &&
           force - look->amplitude >= ss_hold_low(sim, i, 0) - slack;
}

static bool holds_at_all_breaks(const ss_sim* sim, int i, const outlook* look)
{
    double t = sim->step.t;
    for (int round = 0; round < MAX_BREAKS; round++) {
        if (!stays_within(sim, i, look, t)) return false;
        double next = INFINITY;
        for (int j = 0; j < sim->inputs.varying_count; j++)
            next =
                fmin(next, ss_signal_next_breakpoint(sim->model->forces[sim->inputs.varying[j]].signal, t));
        if (isinf(next)) return true;
        t = next;
    }
    return false;
}

static bool is_constant_from_now(const ss_step* step, const ss_signal* signal, double* constant)
{
    ss_harmonic none[1];
    return ss_signal_spectrum(signal, step->t, constant, none, 1) == 0;
}

static bool drives_stand(const ss_model* model, const ss_step* step)
{
    for (int j = 0; j < model->drive_count; j++) {
        const ss_drive* drive = &model->drives[j];
        double constant;
        if (!is_constant_from_now(step, drive->signal, &constant)) return false;
        if (drive->is_speed && constant != 0.0) return false;
    }
    return true;
}

bool ss_inputs_stay(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    double constant;
    if (sim->values.block_count > 0 && !ss_ticks_stand(sim)) return false;
    if (model->nature.steady) return true;
    for (int j = 0; j < sim->inputs.varying_count; j++)
        if (!is_constant_from_now(&sim->step, model->forces[sim->inputs.varying[j]].signal, &constant))
            return false;
    for (int i = 0; i < model->contact_count; i++)
        for (int j = 0; j < 4; j++)
            if (model->contacts[i].level[j] &&
                !is_constant_from_now(&sim->step, model->contacts[i].level[j], &constant))
                return false;
    if (model->open && !ss_open_stays(sim->model, &sim->step, &sim->open)) return false;
    return drives_stand(sim->model, &sim->step);
}

bool ss_rests_forever(ss_sim* sim)
{
    const ss_model* model = sim->model;
    if (ss_inputs_stay(sim)) return true;
    if (model->open) return false;                      // what its forces will be is not bounded here
    if (sim->step.laws.bristle_count > 0) return false; // bristles give way to any change of a force
    if (!drives_stand(sim->model, &sim->step) ||
        (ss_held_rank(&sim->modes) < model->n && sim->inputs.varying_count > 0))
        return false;
    for (int i = 0; i < model->contact_count; i++) {
        if (sim->inputs.level_at[i] >= 0) return false;
        // Its force follows the state, which stays.
        if (sim->modes.contacts[i].mode == SS_MODE_OPEN || ss_is_elastic(&sim->step, i)) continue;
        outlook look;
        if (!look_ahead(sim->model, &sim->step, &sim->inputs, &sim->modes, i, &look) ||
            !holds_at_all_breaks(sim, i, &look))
            return false;
    }
    return true;
}
