// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The linear system of the present mode, found by what unit states do.
#include "engine/flow/series.h"
#include "engine/proof/settle.h"

#include <math.h>
#include <string.h>

ss_sim ss_settle_make_probe(const ss_sim* sim)
{
    ss_sim probe = *sim;
    probe.step.q = sim->proof.settle->probe.q;
    probe.step.d = sim->proof.settle->probe.d;
    probe.step.s = sim->proof.settle->probe.s;
    probe.step.lambda = sim->proof.settle->probe.lambda;
    return probe;
}

void ss_settle_find_free(const ss_sim* sim)
{
    struct ss_settle* s = sim->proof.settle;
    s->mode.count = 0;
    for (int i = 0; i < sim->model->n; i++) {
        bool held = false;
        for (int j = 0; j < sim->modes.active_count; j++)
            for (int r = 0; r < sim->modes.holds[sim->modes.active[j]].rank; r++)
                held = held || sim->modes.holds[sim->modes.active[j]].dependent[r] == i;
        if (!held) s->mode.coordinates[s->mode.count++] = i;
    }
    s->mode.size = 2 * s->mode.count + sim->open.states;
}

void ss_settle_run_probe(ss_sim* probe, bool by_state)
{
    memset(probe->step.lambda, 0, (size_t)probe->model->contact_count * sizeof(double));
    if (by_state)
        ss_respond(probe, 0, 0);
    else
        ss_accelerate(probe, 0);
}

void ss_settle_clear_probe(ss_sim* probe)
{
    memset(probe->step.q, 0, 3 * (size_t)probe->model->n * sizeof(double));
    memset(probe->step.d, 0, 3 * (size_t)probe->model->drive_count * sizeof(double));
    memset(probe->step.s, 0, 2 * (size_t)probe->open.states * sizeof(double));
}

// Whether the unit state of the probe leaves all cubic springs as they are.
static bool spares_cubic_springs(const ss_sim* probe)
{
    for (int c = 0; c < probe->model->connection_count; c++) {
        const ss_connection* spring = &probe->model->connections[c];
        double size = 0.0;
        for (int k = 0; k < spring->q.count; k++)
            size += fabs(spring->q.value[k] * probe->step.q[spring->q.index[k]]);
        if (spring->cubic != 0.0 && fabs(ss_row_dot(&spring->q, probe->step.q)) > SS_SETTLE_ROUNDING * size)
            return false;
    }
    return true;
}

bool ss_settle_linearise(const ss_sim* sim)
{
    struct ss_settle* s = sim->proof.settle;
    ss_sim probe = ss_settle_make_probe(sim);
    int n = sim->model->n, m = sim->model->contact_count, r = s->mode.count, size = s->mode.size;
    memset(s->mode.a, 0, (size_t)(size * size) * sizeof(double));
    for (int c = 0; c < size; c++) {
        ss_settle_clear_probe(&probe);
        if (c < 2 * r)
            probe.step.q[(c < r ? 0 : n) + s->mode.coordinates[c % r]] = 1.0;
        else
            probe.step.s[c - 2 * r] = 1.0;
        for (int k = 0; k < 2; k++) ss_follow_held(&probe, k);
        if (c < r && sim->pulls.has_cubic && !spares_cubic_springs(&probe)) return false;
        ss_settle_run_probe(&probe, true);
        if (c >= r && c < 2 * r) s->mode.a[(c - r) * size + c] = 1.0;
        for (int j = 0; j < r; j++)
            s->mode.a[(r + j) * size + c] = 2.0 * probe.step.q[2 * n + s->mode.coordinates[j]];
        for (int j = 0; j < sim->open.states; j++)
            s->mode.a[(2 * r + j) * size + c] = probe.step.s[sim->open.states + j];
        for (int i = 0; i < m; i++) {
            s->mode.reactions[i * size + c] = probe.step.lambda[i];
            if (c < r) s->mode.rows[i * r + c] = ss_row_dot(&sim->model->contacts[i].q, probe.step.q);
        }
    }
    return true;
}

void ss_settle_find_rates(const ss_sim* sim)
{
    struct ss_settle* s = sim->proof.settle;
    ss_sim probe = ss_settle_make_probe(sim);
    int n = sim->model->n, nd = sim->model->drive_count, r = s->mode.count, states = sim->open.states;
    ss_settle_clear_probe(&probe);
    for (int k = sim->step.order; k >= 0; k--)
        for (int i = 0; i < n; i++) {
            probe.step.q[n + i] = probe.step.q[n + i] * sim->step.now + probe.step.q[i];
            probe.step.q[i] = probe.step.q[i] * sim->step.now + sim->step.q[k * n + i];
        }
    memcpy(probe.step.d, sim->step.d, (size_t)nd * sizeof(double));
    if (states > 0)
        memcpy(probe.step.s, sim->open.out, (size_t)states * sizeof(double)); // else there is none
    ss_settle_run_probe(&probe, false);
    memcpy(s->mode.forces, probe.step.lambda, (size_t)sim->model->contact_count * sizeof(double));
    for (int j = 0; j < r; j++) {
        int i = s->mode.coordinates[j];
        s->mode.rate_now[j] = probe.step.q[n + i];
        s->mode.rate_now[r + j] = 2.0 * probe.step.q[2 * n + i];
    }
    for (int j = 0; j < states; j++) s->mode.rate_now[2 * r + j] = probe.step.s[states + j];
    memcpy(probe.step.q, s->mark, 2 * (size_t)n * sizeof(double));
    memcpy(probe.step.s, s->mark + 2 * n + 1, (size_t)states * sizeof(double));
    ss_settle_run_probe(&probe, false);
    for (int j = 0; j < r; j++) {
        int i = s->mode.coordinates[j];
        s->mode.rate_mark[j] = probe.step.q[n + i];
        s->mode.rate_mark[r + j] = 2.0 * probe.step.q[2 * n + i];
    }
    for (int j = 0; j < states; j++) s->mode.rate_mark[2 * r + j] = probe.step.s[states + j];
}
