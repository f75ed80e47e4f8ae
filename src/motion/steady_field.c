// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A model at a point that stays: what engine/field answers there, in the order of y.
#include "engine/flow/contact.h"
#include "law/table.h"
#include "motion/steady_parts.h"

#include <math.h>
#include <string.h>

// ---- the point

static void take_point(ss_steady_field* field, const double y[])
{
    const ss_model* model = field->model;
    int n = field->n;
    for (int b = 0; b < field->bodies; b++) {
        const ss_body* body = &model->bodies[b];
        field->x[b] = field->offset[b] + (body->drive < 0 ? ss_row_dot(&body->row, y) : 0.0);
        field->v[b] = body->drive < 0 ? ss_row_dot(&body->row, y + n) : field->drive_speed[b];
    }
    memcpy(field->s, y + 2 * n, (size_t)field->states * sizeof(double));
    memcpy(field->z, y + 2 * n + field->states, (size_t)field->bristles * sizeof(double));
    struct ss_steady_parts* own = field->parts;
    memcpy(own->state, y, 2 * (size_t)n * sizeof(double));
    for (int j = 0; j < own->sim->step.laws.bristle_count; j++)
        if (own->rows[n + j] >= 0) own->z[j] = y[own->rows[n + j]];
}

// Bristles by elements (GMS, Maxwell-slip) are asked as where all of them slip, which is what is left of them
// when everything moves evenly.
static void set_law(ss_steady_field* field, int i)
{
    const ss_contact* contact = &field->model->contacts[i];
    const ss_law* row = contact->law_entry;
    ss_law_series* laws = &field->parts->sim->step.laws;
    if (laws->bristle_at[i] < 0) return;
    ss_along* along = &laws->bristles[laws->bristle_at[i]].along;
    ss_bristle_start start = {.z = NAN, .saturation = field->signs[i]};
    bool turned = along->sign != field->signs[i] || along->rests;
    along->sign = field->signs[i];
    along->rests = false;
    if (!row->memory.begin) return;
    along->v[0] = ss_steady_field_speed(field, i);
    row->memory.begin(ss_law_of(contact), along, &start, 0.0, along->v[0]);
    if (row->memory.turn) row->memory.turn(ss_law_of(contact), along, turned);
    (void)row->series.next(ss_law_of(contact), along, 0);
}

static void set_modes(ss_steady_field* field)
{
    ss_sim* sim = field->parts->sim;
    ss_free_slips(sim->model, &sim->step.laws);
    for (int i = 0; i < field->model->contact_count; i++) {
        bool slips = field->modes[i] == SS_STEADY_SLIP || sim->step.laws.bristle_at[i] >= 0;
        ss_mode way = field->signs[i] > 0.0 ? SS_MODE_SLIP_PLUS : SS_MODE_SLIP_MINUS;
        sim->modes.contacts[i].mode = slips                                 ? way
                                      : field->modes[i] == SS_STEADY_OPEN   ? SS_MODE_OPEN
                                      : field->modes[i] == SS_STEADY_CLOSED ? SS_MODE_CLOSED
                                                                            : SS_MODE_STICK;
        set_law(field, i);
    }
}

// Bristles at rest are carried along, whichever way they would go: z' = v to first order.
static void carry_bristles(ss_steady_field* field)
{
    for (int i = 0; i < field->model->contact_count; i++) {
        const ss_contact* contact = &field->model->contacts[i];
        ss_response* law = &field->parts->slopes.law[i];
        if (field->modes[i] == SS_STEADY_SLIP || field->bristle_at[i] < 0) continue;
        double damping = ss_law_ask(contact->law_entry, ss_law_of(contact), NAN).damping;
        if (contact->loaded) damping *= law->load;
        if (!isnan(damping)) law->force_v += damping * (law->rate_v - 1.0);
        law->rate_v = 1.0;
    }
}

void ss_steady_field_at(ss_steady_field* field, const double y[])
{
    struct ss_steady_parts* own = field->parts;
    take_point(field, y);
    set_modes(field);
    ss_field_rates(own->sim->field, &own->at, own->rates, own->lambda);
    ss_field_linearise(own->sim->field, &own->at, &own->slopes);
    carry_bristles(field);
    field->bad = false;
    for (int k = 0; k < ss_field_states(own->sim->field); k++)
        field->bad = field->bad || !isfinite(own->rates[k]);
}

// ---- y' and its derivative

void ss_steady_field_rates(const ss_steady_field* field, double out[], double jacobian[])
{
    const struct ss_steady_parts* own = field->parts;
    int n = field->n, w = field->width, rows = ss_field_states(own->sim->field), columns = n + rows;
    for (int i = 0; i < n; i++) out[i] = own->state[n + i];
    for (int r = 0; r < rows; r++)
        if (own->rows[r] >= 0) out[own->rows[r]] = own->rates[r];
    for (int i = 0; i < field->model->contact_count; i++) {
        const ss_row* mobility = &field->model->contacts[i].mobility;
        for (int k = 0; k < mobility->count && field->lambda[i] != 0.0; k++)
            out[n + mobility->index[k]] += field->lambda[i] * mobility->value[k];
    }
    if (!jacobian) return;
    ss_field_jacobian(own->sim->field, &own->slopes, own->jacobian, NULL);
    memset(jacobian, 0, (size_t)w * (size_t)w * sizeof(double));
    for (int i = 0; i < n; i++) jacobian[i * w + n + i] = 1.0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            if (own->rows[r] >= 0 && own->columns[c] >= 0)
                jacobian[own->rows[r] * w + own->columns[c]] = own->jacobian[r * columns + c];
}

// The derivative of the field along (q', 0, s', 0), driven bodies moving on. Only outputs are asked for again
// by levels, and stand where their changes stood meanwhile.
void ss_steady_field_drift(const ss_steady_field* field, double out[])
{
    struct ss_steady_parts* own = field->parts;
    const ss_field* asked = own->sim->field;
    int n = field->n;
    ss_delta io = {.q = own->state + n,
                   .v = own->zeros,
                   .s = own->rates + n + own->sim->step.laws.bristle_count,
                   .z = own->zeros,
                   .d = own->d + field->model->drive_count,
                   .d1 = own->zeros,
                   .input = own->zeros,
                   .a = out,
                   .rate = out + n,
                   .z_rate = own->way,
                   .lambda = own->lambda,
                   .held = own->held,
                   .vars = own->vars};
    if (field->model->open) ss_field_change_variables(asked, &io);
    ss_field_apply(asked, &own->slopes, NULL, &io);
    if (asked->programs) ss_field_outputs(asked, &own->at, asked->programs->outputs);
}

// ---- one contact

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
    return -ss_stop_penetration(&field->model->contacts[contact], ss_steady_field_place(field, contact));
}

static double level(const ss_steady_field* field, int contact, ss_level which)
{
    return ss_field_level(field->parts->sim->field, &field->parts->at, contact, (int)which);
}

void ss_steady_field_bounds(const ss_steady_field* field, int contact, double* low, double* high)
{
    const ss_contact* c = &field->model->contacts[contact];
    if (ss_contact_is(c, SS_TRAIT_RIGID)) { // pushes back, and never pulls
        *low = c->stop.side > 0 ? -INFINITY : 0.0;
        *high = c->stop.side > 0 ? 0.0 : INFINITY;
        return;
    }
    *low = -fmax(level(field, contact, SS_STATIC_FORWARD), level(field, contact, SS_FORWARD));
    *high = fmax(level(field, contact, SS_STATIC_BACKWARD), level(field, contact, SS_BACKWARD));
}

double ss_steady_field_force_at_rest(const ss_steady_field* field, int contact)
{
    const ss_contact* c = &field->model->contacts[contact];
    const ss_law_series* laws = &field->parts->sim->step.laws;
    ss_law_point point = {.sign = field->signs[contact],
                          .z = field->z[field->bristle_at[contact]],
                          .along = &laws->bristles[laws->bristle_at[contact]].along};
    ss_response out;
    c->law_entry->point.at(ss_law_of(c), &point, &out);
    const struct ss_steady_parts* own = field->parts;
    return c->loaded ? ss_field_load(own->sim->field, &own->at, contact) * out.force : out.force;
}
