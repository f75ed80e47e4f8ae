// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The field at the nodes of a stiff step; how fast the motion follows it where the step begins; and where its
// formulas end. Coordinates that are frozen (stiff_still.c) do not take part.
#include "engine/field/field.h"
#include "engine/flow/contact.h"
#include "engine/flow/input_series.h"
#include "engine/flow/stiff.h"
#include "law/fall.h"
#include "law/table.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { S = SS_STAGES };

ss_field_point ss_stiff_at(const ss_model* model, const ss_step* step, const ss_open_run* open_run,
                           const ss_ways* ways, int i, double h)
{
    const ss_stiff* stiff = ways->stiff;
    const double* state = i == S ? stiff->start : stiff->state + i * stiff->states;
    const double* room = stiff->given + i * stiff->given_size;
    return (ss_field_point){.t = step->t + (i == S ? 0.0 : h * stiff->method.node[i]),
                            .q = i == S ? step->q : stiff->q + i * model->n,
                            .v = state,
                            .z = state + model->n,
                            .s = state + stiff->open,
                            .given = ss_given_in(model, open_run, room)};
}

void ss_stiff_give(const ss_sim* sim, int i, double h)
{
    const ss_stiff* stiff = sim->ways.stiff;
    (void)ss_given_on_step(sim->model, &sim->step, &sim->inputs, &sim->open,
                           i == S ? 0.0 : h * stiff->method.node[i], stiff->given + i * stiff->given_size);
}

void ss_stiff_rates(const ss_sim* sim, int i, double h, double rates[], double lambda[])
{
    ss_field_point at = ss_stiff_at(sim->model, &sim->step, &sim->open, &sim->ways, i, h);
    ss_field_rates(sim->field, &at, rates, lambda);
    for (int c = 0; c < sim->model->n; c++)
        if (sim->ways.stiff->frozen[c]) rates[c] = 0.0;
}

void ss_stiff_jacobian(const ss_sim* sim, int i, double h, double jacobian[])
{
    ss_stiff* stiff = sim->ways.stiff;
    int n = sim->model->n, width = n + stiff->states;
    ss_field_point at = ss_stiff_at(sim->model, &sim->step, &sim->open, &sim->ways, i, h);
    ss_field_linearise(sim->field, &at, &stiff->slopes);
    ss_field_jacobian(sim->field, &stiff->slopes, jacobian, NULL);
    for (int c = 0; c < n; c++)
        if (stiff->frozen[c]) memset(jacobian + c * width, 0, (size_t)width * sizeof(double));
}

bool ss_stiff_strays(const ss_model* model, struct ss_field* field, const ss_step* step,
                     const ss_modes* modes, const ss_field_point* at)
{
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (!ss_slips(modes, i) || !contact->law_entry->point.ends) continue;
        // The velocity of a bristle that stands still is nothing but rounding.
        if (ss_is_bristle(step, i) && step->laws.bristles[step->laws.bristle_at[i]].still) continue;
        double v = ss_field_speed(field, at, i), moved = ss_field_way(field, at, i);
        if (contact->law_entry->point.ends(ss_law_of(contact), ss_field_along(field, i), v, moved))
            return true;
    }
    for (int e = 0; e < step->laws.elastic_count; e++) {
        const ss_elastic* stop = &step->laws.elastic[e];
        if (modes->contacts[stop->contact].mode != SS_MODE_CLOSED) continue;
        if (ss_power_is_whole(stop->form.exponent)) continue;
        double way = model->contacts[stop->contact].stop.side * ss_field_way(field, at, stop->contact);
        if (way - modes->contacts[stop->contact].gap < 0.0) return true;
    }
    return false;
}

// ---- how fast the motion follows, where the step begins

// What the law of contact i answers there.
static bool answer_at_start(const ss_model* model, struct ss_field* field, const ss_step* step, int i,
                            ss_response* out)
{
    int j = step->laws.bristle_at[i];
    bool answers = ss_field_answer(field, i, 0.0, ss_relative_velocity(model, step, i, 0),
                                   j >= 0 ? step->laws.bristles[j].along.z[0] : 0.0, out);
    if (answers && model->contacts[i].loaded) ss_field_put_load(*ss_load_series(field->inputs, i), out);
    return answers;
}

// 1/kg: acceleration along the row of contact i per unit of its force.
static double mobility_of(const ss_model* model, int i)
{
    const ss_contact* contact = &model->contacts[i];
    const ss_group* group = &model->groups[contact->group];
    return group->coupling[contact->place * (group->count + 1)];
}

double ss_bristle_rate(const ss_model* model, struct ss_field* field, const ss_step* step)
{
    double rate = 0.0;
    for (int j = 0; j < step->laws.bristle_count; j++) {
        int i = step->laws.bristles[j].contact;
        double mobility = mobility_of(model, i);
        ss_response p;
        if (!answer_at_start(model, field, step, i, &p)) continue;
        rate += fabs(p.rate_z) + mobility * fabs(p.force_v) +
                sqrt(mobility * (fabs(p.force_z * p.rate_v) + fabs(p.force_y)));
    }
    return rate;
}

void ss_stiff_place_noise(const ss_model* model, struct ss_field* field, const ss_step* step, double noise[])
{
    for (int j = 0; j < step->laws.bristle_count; j++) {
        const ss_bristle* b = &step->laws.bristles[j];
        const ss_contact* contact = &model->contacts[b->contact];
        ss_response p;
        if (!contact->law_entry->elements.bounds || !answer_at_start(model, field, step, b->contact, &p))
            continue;
        double place = fabs(b->from);
        for (int k = 0; k < contact->q.count; k++)
            place += fabs(contact->q.value[k] * step->q[contact->q.index[k]]);
        for (int k = 0; k < contact->mobility.count; k++)
            noise[contact->mobility.index[k]] +=
                DBL_EPSILON * fabs(contact->mobility.value[k] * p.force_y) * place;
    }
}

// How fast the bodies follow cubic springs.
static double cubic_rate(const ss_model* model, struct ss_field* field, const ss_step* step,
                         const ss_pulls* acting)
{
    ss_field_point at = {.q = step->q, .given = {.d = step->d}};
    double rate = 0.0;
    for (int c = 0; c < model->connection_count && acting->has_cubic; c++) {
        const ss_connection* spring = &model->connections[c];
        if (spring->cubic == 0.0) continue;
        double e = ss_field_elongation(field, &at, spring), mobility = 0.0;
        for (int k = 0; k < spring->q.count; k++)
            for (int l = 0; l < spring->mobility.count; l++)
                if (spring->mobility.index[l] == spring->q.index[k])
                    mobility += spring->q.value[k] * spring->mobility.value[l];
        rate += fabs(e) * sqrt(3.0 * mobility * fabs(spring->cubic));
    }
    return rate;
}

// How fast they follow elastic stops that are closed, and friction that depends on the speed.
static double contact_rate(const ss_model* model, struct ss_field* field, const ss_step* step)
{
    double rate = 0.0;
    for (int i = 0; i < model->contact_count; i++) {
        ss_response p;
        if (ss_is_bristle(step, i) || !answer_at_start(model, field, step, i, &p)) continue;
        double mobility = mobility_of(model, i);
        rate += mobility * fabs(p.force_v) + sqrt(mobility * fabs(p.force_y));
    }
    return rate;
}

double ss_stiff_rate(const ss_sim* sim)
{
    double open = sim->model->open ? ss_open_stiff_rate(sim) : 0.0;
    return sim->model->bounds.rate + ss_bristle_rate(sim->model, sim->field, &sim->step) +
           cubic_rate(sim->model, sim->field, &sim->step, &sim->pulls) +
           contact_rate(sim->model, sim->field, &sim->step) + open;
}
