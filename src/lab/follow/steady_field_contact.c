// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What contacts do to a steady state: those that slip, and stops that give way, by the one place where their
// law stands; those that hold are left to whoever asks.
#include "lab/follow/steady_field.h"
#include "law/fall.h"
#include "law/table.h"

#include <math.h>

bool ss_steady_field_may_hold(const ss_steady_field* field, int contact)
{
    ss_law_kind law = field->model->contacts[contact].law;
    return ss_law_has(law, SS_TRAIT_HOLDS) ||
           (ss_law_has(law, SS_TRAIT_STOPS) && !ss_law_has(law, SS_TRAIT_GIVES_WAY));
}

double ss_steady_field_speed(const ss_steady_field* field, int contact)
{
    return ss_row_dot(&field->model->contacts[contact].bodies, field->v);
}

double ss_steady_field_place(const ss_steady_field* field, int contact)
{
    return ss_row_dot(&field->model->contacts[contact].bodies, field->x);
}

double ss_steady_field_gap(const ss_steady_field* field, int contact)
{
    const ss_contact* c = &field->model->contacts[contact];
    double x = ss_steady_field_place(field, contact);
    return -ss_stop_penetration(c, x);
}

void ss_steady_field_bounds(const ss_steady_field* field, int contact, double* low, double* high)
{
    const ss_contact* c = &field->model->contacts[contact];
    if (ss_contact_is(c, SS_TRAIT_RIGID)) { // pushes back, and never pulls
        *low = c->stop.side > 0 ? -INFINITY : 0.0;
        *high = c->stop.side > 0 ? 0.0 : INFINITY;
        return;
    }
    *low = -fmax(ss_steady_field_level(field, contact, SS_STATIC_FORWARD, 0.0, NULL),
                 ss_steady_field_level(field, contact, SS_FORWARD, 0.0, NULL));
    *high = fmax(ss_steady_field_level(field, contact, SS_STATIC_BACKWARD, 0.0, NULL),
                 ss_steady_field_level(field, contact, SS_BACKWARD, 0.0, NULL));
}

// Coulomb: the level may follow the motion, and then has slopes of its own.
static void add_coulomb(ss_steady_field* field, int contact)
{
    const ss_contact* c = &field->model->contacts[contact];
    double sign = field->signs[contact];
    int which = sign > 0.0 ? SS_FORWARD : SS_BACKWARD;
    for (int k = 0; k < c->q.count; k++) {
        double factor = -sign * c->q.value[k];
        field->force[c->q.index[k]] +=
            factor * ss_steady_field_level(field, contact, which, factor,
                                           field->slopes + (size_t)c->q.index[k] * (size_t)field->columns);
    }
}

// GMS whose elements all slip: their sum F obeys F' = C (sgn v - F/s(v)). Element by element the same holds.
static void slide_gms(const ss_gms* law, double v, double sign, double z, ss_response* out)
{
    double drop = law->static_level - law->coulomb, slope = 0.0, s = law->coulomb;
    if (drop != 0.0) s += drop * ss_fall_at(law->speed, law->shape, sign * v, &slope);
    slope *= drop;
    *out = (ss_response){.rate = law->attraction * (sign - z / s),
                         .rate_z = -law->attraction / s,
                         .rate_v = law->attraction * z * slope * sign / (s * s),
                         .force = -(z + law->viscous * v),
                         .force_z = -1.0,
                         .force_v = -law->viscous};
}

double ss_steady_field_force_at_rest(const ss_steady_field* field, int contact)
{
    const ss_contact* c = &field->model->contacts[contact];
    ss_law_point point = {.sign = field->signs[contact],
                          .z = field->z[field->bristle_at[contact]],
                          .along = field->along[contact]};
    ss_response out;
    c->law_row->point.at(ss_law_of(c), &point, &out);
    return out.force;
}

static void respond(const ss_steady_field* field, int contact, ss_response* out)
{
    const ss_contact* c = &field->model->contacts[contact];
    int at = field->bristle_at[contact];
    ss_law_point point = {.v = ss_steady_field_speed(field, contact),
                          .sign = field->signs[contact],
                          .z = at >= 0 ? field->z[at] : 0.0,
                          .along = field->along[contact]};
    if (ss_law_has(c->law, SS_TRAIT_GIVES_WAY)) point.y = -ss_steady_field_gap(field, contact);
    if (field->along[contact] &&
        c->law_row->memory.begin) // a table is at its line, whatever speed was asked for before
        field->along[contact]->branch = SS_ALONG;
    if (ss_contact_is(c, SS_TRAIT_MANY))
        slide_gms(&c->gms, point.v, point.sign, point.z, out);
    else if (ss_contact_is(c, SS_TRAIT_STEPWISE))
        *out = (ss_response){.force = -point.sign * c->law_row->point.limit(ss_law_of(c), point.v)};
    else
        c->law_row->point.at(ss_law_of(c), &point, out);
    // Bristles at rest are carried along, whichever way they would go: z' = v to first order.
    if (field->modes[contact] == SS_STEADY_SLIP || at < 0) return;
    double damping = c->law_row->point.damping ? c->law_row->point.damping(ss_law_of(c)) : 0.0;
    out->force_v += damping * (out->rate_v - 1.0);
    out->rate_v = 1.0;
}

void ss_steady_field_add_contacts(ss_steady_field* field)
{
    for (int i = 0; i < field->model->contact_count; i++) {
        const ss_contact* c = &field->model->contacts[i];
        bool bristle = ss_has_bristles(c);
        bool closed = ss_law_has(c->law, SS_TRAIT_GIVES_WAY) && field->modes[i] == SS_STEADY_CLOSED;
        if (!bristle && !closed && field->modes[i] != SS_STEADY_SLIP) continue;
        if (ss_contact_is(c, SS_TRAIT_LEVELS)) {
            add_coulomb(field, i);
            continue;
        }
        ss_response p;
        respond(field, i, &p);
        int at = field->bristle_at[i], z = 2 * field->bodies + field->states + at;
        for (int k = 0; k < c->q.count; k++) {
            int row = c->q.index[k];
            field->force[row] += c->q.value[k] * p.force;
            ss_steady_field_add_row(field, row, &c->bodies, 0, c->q.value[k] * p.force_y);
            ss_steady_field_add_row(field, row, &c->bodies, field->bodies, c->q.value[k] * p.force_v);
            if (at >= 0) field->slopes[row * field->columns + z] += c->q.value[k] * p.force_z;
        }
        if (at < 0) continue;
        int row = field->n + field->states + at;
        field->creep[at] = p.rate;
        ss_steady_field_add_row(field, row, &c->bodies, field->bodies, p.rate_v);
        field->slopes[row * field->columns + z] += p.rate_z;
    }
}
