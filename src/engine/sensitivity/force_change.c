// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities where expressions use forces. How forces of contacts change is known only together with the
// accelerations, and expressions of them (levels, rates of states, signals) follow. Levels that follow forces
// obey, in a group,
//
//     dl_S = dr + G dl_S + G_H dl_H,     A dl_H = -(..)
//
// with the same T = (1 - G)^-1, B and A^-1 as the motion (flow/level_forces.h). In an order of the series
// these are exact, and one correction suffices; at a point G may have moved on since the step began (factors
// that follow the motion, hypot), and corrections go on until nothing is left of them.
//
//   reads    forces and accelerations of the first guess, in which no force followed another one
//   writes   lambda, a, rate and vars of the sensitivity
#include "core/tolerance.h"
#include "engine/field/field.h"
#include "engine/flow/level_forces.h"
#include "engine/sensitivity/program_tangent.h"

#include <math.h>
#include <string.h>

static void push(const ss_derivative* der, ss_delta* io, int i, double force)
{
    const ss_row* row = &der->model->contacts[i].mobility;
    io->lambda[i] += force;
    for (int k = 0; k < row->count; k++) io->a[row->index[k]] += row->value[k] * force;
}

static bool uses_forces(const ss_derivative* der)
{
    return der->model->open && der->model->open->variable_count > der->model->open->first_force;
}

// Forces of what holds in group g, after accelerations have changed by more: what slips follows.
static void hold_again(ss_derivative* der, int g, double before[], ss_delta* io)
{
    const ss_group* group = &der->model->groups[g];
    const ss_hold* hold = &der->sim->modes.holds[g];
    const ss_level_group* level = der->sim->level_forces->groups[g];
    for (int r = 0; r < hold->count; r++) {
        double force = 0.0;
        for (int c = 0; c < hold->count; c++) force -= hold->inverse[r * hold->count + c] * before[c];
        push(der, io, group->contacts[hold->places[r]], force);
        for (int p = 0; p < group->count; p++) {
            double follow = level->follow[p * group->count + hold->places[r]];
            if (follow != 0.0) push(der, io, group->contacts[p], follow * force);
        }
    }
}

// Accelerations along what holds in group g that `force` on the contacts of the group makes.
static void pull_at_holds(const ss_derivative* der, int g, const double force[], double out[])
{
    const ss_group* group = &der->model->groups[g];
    const ss_hold* hold = &der->sim->modes.holds[g];
    for (int r = 0; r < hold->count; r++) {
        out[r] = 0.0;
        for (int p = 0; p < group->count; p++)
            out[r] += group->coupling[hold->places[r] * group->count + p] * force[p];
    }
}

// The output that is the level which the force of contact i is, and which way that pushes; -1: none.
static int output_of(const ss_derivative* der, int i, double* way)
{
    const ss_open* open = der->model->open;
    bool plus = der->sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
    *way = plus ? -1.0 : 1.0;
    if (!ss_slips(&der->sim->modes, i)) return -1;
    for (int l = 0; l < open->level_count; l++)
        if (open->levels[l].contact == i && open->levels[l].which == (plus ? SS_FORWARD : SS_BACKWARD))
            return der->model->actions->level_output + l;
    return -1;
}

// How outputs change with the forces in io->lambda, beside what changes without them: `apart`.
static bool by_forces(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to,
                      const double apart[], ss_delta* io, double out[])
{
    const ss_jacobian* slopes = &der->model->actions->slopes;
    int first = der->model->open->first_force, outputs = der->model->actions->motion.output_count;
    for (int i = 0; i < der->m; i++) io->vars[first + i] = io->lambda[i];
    if (outputs == 0) return true;
    if (lin->at.order >= 0) {
        ss_program_tangent_order(der, to, lin->at.order, io->vars, out);
        for (int j = 0; j < outputs; j++) out[j] -= apart[j];
        return !to->tangent->bad;
    }
    memset(out, 0, (size_t)outputs * sizeof(double));
    for (int e = 0; e < slopes->count; e++)
        if (slopes->variable[e] >= first && isfinite(lin->by.slope[e]))
            out[slopes->row[e]] += lin->by.slope[e] * io->vars[slopes->variable[e]];
    return true;
}

// What group g lacks of its levels, taken in; returns it as a share of the forces.
static double correct(ss_derivative* der, int g, const double first[], const double out[], ss_delta* io)
{
    const ss_group* group = &der->model->groups[g];
    const ss_level_group* own = der->sim->level_forces->groups[g];
    int count = group->count;
    double *lack = der->room.forces, *change = lack + der->m, *before = change + der->m, most = 0.0,
           size = 0.0, way;
    for (int p = 0; p < count; p++) {
        int i = group->contacts[p], output = output_of(der, i, &way);
        lack[p] = output < 0 ? 0.0 : first[i] + way * out[output] - io->lambda[i];
        most = fmax(most, fabs(lack[p]));
        size = fmax(size, fabs(io->lambda[i]) + fabs(first[i]));
    }
    for (int p = 0; p < count; p++) {
        change[p] = 0.0;
        for (int s = 0; s < count; s++) change[p] += own->solve[p * count + s] * lack[s];
    }
    pull_at_holds(der, g, change, before);
    for (int p = 0; p < count; p++)
        if (change[p] != 0.0) push(der, io, group->contacts[p], change[p]);
    hold_again(der, g, before, io);
    return size > 0.0 ? most / size : 0.0;
}

static void add_followers(ss_derivative* der, ss_delta* io)
{
    for (int j = 0; j < der->sim->modes.active_count; j++) {
        int g = der->sim->modes.active[j];
        const ss_group* group = &der->model->groups[g];
        const ss_hold* hold = &der->sim->modes.holds[g];
        const ss_level_group* level = der->sim->level_forces->groups[g];
        for (int r = 0; level && r < hold->count; r++)
            for (int p = 0; p < group->count; p++) {
                double follow = level->follow[p * group->count + hold->places[r]];
                double force = follow * io->lambda[group->contacts[hold->places[r]]];
                if (force != 0.0) push(der, io, group->contacts[p], force);
            }
    }
}

static bool has_groups(const ss_derivative* der)
{
    return der->sim->level_forces && der->model->nature.follows_forces;
}

void ss_sensitivity_hold(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to,
                         const double apart[], ss_delta* io)
{
    enum { ROUNDS = 60 };
    if (!uses_forces(der)) {
        ss_field_hold_change(der->sim->field, io);
        return;
    }
    const ss_actions* actions = der->model->actions;
    double *first = der->room.forces + 3 * der->m, *out = first + der->m, off = 1.0;
    memcpy(first, io->lambda, (size_t)der->m * sizeof(double));
    ss_field_hold_change(der->sim->field, io);
    if (has_groups(der)) add_followers(der, io);
    bool good = by_forces(der, lin, to, apart, io, out);
    for (int round = 0; round < ROUNDS && good && has_groups(der) && off > SS_UNIT_NOISE; round++) {
        double before = off;
        off = 0.0;
        for (int g = 0; g < der->model->group_count; g++)
            if (der->sim->level_forces->groups[g]) off = fmax(off, correct(der, g, first, out, io));
        good = by_forces(der, lin, to, apart, io, out);
        if (round > 2 && off > 0.5 * before) break; // rounding
    }
    if (has_groups(der) && !(off <= SS_CLEAR)) io->a[0] = NAN; // it is lost, and a note says so
    for (int j = 0; j < der->ns; j++)
        if (actions->rates[j].output >= 0) io->rate[j] += out[actions->rates[j].output];
}
