// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "engine/sensitivity/event_surface.h"
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"

#include "core/algebra/polynomial.h"
#include "core/tolerance.h"
#include "law/table.h"

#include <math.h>
#include <string.h>

double ss_row_product(const ss_row* x, const ss_row* y, double room[], int n)
{
    double sum = 0.0;
    if (x->count == 0 || y->count == 0) return 0.0;
    memset(room, 0, (size_t)n * sizeof(double));
    for (int k = 0; k < x->count; k++) room[x->index[k]] = x->value[k];
    for (int k = 0; k < y->count; k++) sum += room[y->index[k]] * y->value[k];
    return sum;
}

// Whether a contact that slips has met v = 0 where the step ends, and not just a corner of its curve.
static bool stops_there(const ss_derivative* der, const ss_linear* lin, int i)
{
    const ss_contact* contact = &der->model->contacts[i];
    const ss_sim* sim = der->sim;
    if (sim->step.laws.curved_at[i] < 0 || !sim->step.laws.curved[sim->step.laws.curved_at[i]].yields)
        return true;
    double v = ss_row_dot(&contact->q, lin->at.v) + ss_row_dot(&contact->d, lin->at.d1);
    double before =
        ss_row_dot(&contact->q, sim->step.q + der->n) + ss_row_dot(&contact->d, sim->step.d + der->nd);
    return fabs(v) <= SS_CLEAR * fabs(before);
}

ss_event_surface ss_event_surface_of(const ss_derivative* der, const ss_linear* lin, int i)
{
    const ss_sim* sim = der->sim;
    const ss_contact_run* run = &sim->modes.contacts[i];
    if (ss_is_bristle(&sim->step, i)) {
        const ss_bristle* b = &sim->step.laws.bristles[sim->step.laws.bristle_at[i]];
        if (b->along.yields && der->model->contacts[i].elements > 0) return SS_ELEMENT;
        return b->arrived ? SS_SPEED : SS_NO_SURFACE;
    }
    if (ss_is_elastic(&sim->step, i)) {
        bool cut = sim->step.laws.elastic[sim->step.laws.elastic_at[i]].at_edge == 1;
        if (cut && run->mode == SS_MODE_CLOSED) return SS_FORCE;
        return run->touches ? SS_GAP : SS_NO_SURFACE;
    }
    if (!run->hit) return SS_NO_SURFACE;
    switch (run->mode) {
    case SS_MODE_SLIP_PLUS:
    case SS_MODE_SLIP_MINUS:
        if (!stops_there(der, lin, i)) return SS_NO_SURFACE; // a corner of its curve
        return SS_SPEED;
    case SS_MODE_STICK: return SS_BOUND;
    case SS_MODE_CLOSED: return SS_FORCE;
    default: return SS_GAP;
    }
}

bool ss_event_surface_counts(const ss_derivative* der, int i)
{
    const ss_contact* contact = &der->model->contacts[i];
    switch (der->before.surface[i]) {
    case SS_SPEED: return !ss_is_bristle(&der->sim->step, i) || contact->elements > 0;
    case SS_ELEMENT: return false; // forces do not jump; rates of the elements do, each at its own time
    case SS_BOUND: return contact->falling;
    case SS_GAP: // a damper beside a spring pushes at once
        if (ss_contact_is(contact, SS_TRAIT_RIGID)) return true;
        return der->sim->step.laws.elastic[der->sim->step.laws.elastic_at[i]].law.form[0].drag != 0.0;
    default: return false;
    }
}

// The bound that the force of contact i, which holds, has met.
static int bound_of(const ss_linear* lin, int i)
{
    return lin->at.lambda[i] < 0.0 ? SS_STATIC_FORWARD : SS_STATIC_BACKWARD;
}

static double force_rate(const ss_derivative* der, const ss_linear* lin, int i, double s)
{
    const ss_step* step = &der->sim->step;
    return ss_poly_slope(step->lambda + i, der->m, step->order - 2, s) / lin->at.pace;
}

// The bristle number of the element that slips where the step ends: the one with least room.
static int yielding(const ss_derivative* der, const ss_linear* lin, int i)
{
    const ss_along* along = &der->sim->step.laws.bristles[der->sim->step.laws.bristle_at[i]].along;
    int best = -1;
    if (der->model->contacts[i].law_events == der->model->contacts[i].elements)
        return der->z_at[i] + along->yielded;
    for (int z = der->z_at[i]; z < der->z_at[i] + der->z_count[i]; z++)
        if (!lin->by.slips[z] && (best < 0 || lin->by.element[z].room < lin->by.element[best].room)) best = z;
    return best < 0 ? der->z_at[i] : best;
}

// How the room of an element changes with the numbers of the law.
static double room_of_law(const ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, int i,
                          int z)
{
    const ss_contact* contact = &der->model->contacts[i];
    const ss_along* along = &der->sim->step.laws.bristles[der->sim->step.laws.bristle_at[i]].along;
    ss_law_point point = {.v = ss_row_dot(&contact->q, lin->at.v) + ss_row_dot(&contact->d, lin->at.d1),
                          .sign = along->sign,
                          .z = lin->at.z[z],
                          .along = along};
    double sum = 0.0;
    for (int k = 0; to->change && k < to->change->from->model_count; k++) {
        ss_element_response element;
        contact->law_entry->elements.at(ss_law_of(&to->change->from->models[k]->contacts[i]), &point,
                                        z - der->z_at[i], false, &element);
        sum += to->change->from->weights[k] * (element.room - lin->by.element[z].room);
    }
    return sum;
}

// The rate of the room of an element along the motion, and how it changes at a fixed time.
static double room_rate(const ss_derivative* der, const ss_linear* lin, int i, int z)
{
    const ss_contact* contact = &der->model->contacts[i];
    double a = ss_row_dot(&contact->q, lin->at.a) + ss_row_dot(&contact->d, lin->at.d2);
    return lin->by.element[z].room_v * a + lin->by.element[z].room_z * lin->by.element[z].rate;
}

static double room_change(const ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, int i,
                          int z)
{
    const ss_contact* contact = &der->model->contacts[i];
    double dv = ss_row_dot(&contact->q, der->delta.v) + ss_row_dot(&contact->d, der->delta.d1);
    return lin->by.element[z].room_v * dv + lin->by.element[z].room_z * der->delta.z[z] +
           room_of_law(der, lin, to, i, z);
}

void ss_event_surface_keep_reached(const ss_derivative* der, const ss_linear* lin, ss_sensitivity* to, int i)
{
    for (int z = der->z_at[i]; z < der->z_at[i] + der->z_count[i]; z++) {
        const ss_element_response* element = &lin->by.element[z];
        bool stays = element->rate == 0.0 && element->rate_v == 0.0 && element->rate_z == 0.0;
        if (lin->by.slips[z] && stays && element->room_z != 0.0)
            to->z[z] = -room_of_law(der, lin, to, i, z) / element->room_z;
    }
}

static void find_yields(const ss_derivative* der, const ss_linear* lin, ss_sensitivity* to, int i)
{
    for (int z = der->z_at[i]; z < der->z_at[i] + der->z_count[i]; z++) {
        double rate = lin->by.slips[z] ? 0.0 : room_rate(der, lin, i, z);
        to->yield[z] = rate != 0.0 ? -room_change(der, lin, to, i, z) / rate : 0.0;
    }
}

// Of the force less the level that holds it.
static double bound_rate(const ss_derivative* der, const ss_linear* lin, int i, double s)
{
    const ss_sim* sim = der->sim;
    double rate = force_rate(der, lin, i, s);
    bool low = bound_of(lin, i) == SS_STATIC_FORWARD;
    for (int k = sim->step.order - 2; k >= 1 && sim->inputs.level_at[i] >= 0; k--)
        rate -= k * (low ? ss_hold_low(sim, i, k) : ss_hold_high(sim, i, k)) * pow(s, k - 1) / lin->at.pace;
    return rate;
}

static double surface_rate(const ss_derivative* der, const ss_linear* lin, int i, double s)
{
    const ss_contact* contact = &der->model->contacts[i];
    switch (der->before.surface[i]) {
    case SS_SPEED: return ss_row_dot(&contact->q, lin->at.a) + ss_row_dot(&contact->d, lin->at.d2);
    case SS_GAP: return ss_row_dot(&contact->q, lin->at.v) + ss_row_dot(&contact->d, lin->at.d1);
    case SS_FORCE: return force_rate(der, lin, i, s);
    case SS_ELEMENT: return room_rate(der, lin, i, yielding(der, lin, i));
    case SS_BOUND: return bound_rate(der, lin, i, s);
    default: return 0.0;
    }
}

double ss_gap_change(const ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, int i,
                     const double q[])
{
    const ss_contact* contact = &der->model->contacts[i];
    const ss_model_change* change = to->change;
    double sum = ss_row_dot(&contact->q, q) + ss_row_dot(&contact->d, der->delta.d) +
                 ss_row_dot(&contact->bodies, to->offset);
    if (change)
        sum += ss_row_dot(&change->q[i], lin->at.q) + ss_row_dot(&change->d[i], lin->at.d) - change->place[i];
    return sum;
}

// How the level changes that contact i holds with: by the model, and by the motion where it follows it.
static double bound_change(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, int i,
                           int which)
{
    const ss_contact* contact = &der->model->contacts[i];
    const ss_model_change* change = to->change;
    const ss_sim* sim = der->sim;
    double sum = 0.0;
    if (sim->inputs.level_at[i] < 0) return change ? change->levels[i][which] : 0.0;
    if (change && change->signals.level[i])
        sum = ss_given_value(der, to->given.level + (size_t)(4 * i + which) * SS_WIDTH, &lin->at);
    if (contact->follows) sum += ss_following_change(der, lin, to, i, which);
    if (!contact->loaded) return sum;
    double load =
        ss_poly_value(ss_load_series(&sim->inputs, i), 1, sim->step.order - 2, lin->at.t - sim->step.t);
    return contact->levels[which] * sum + (change ? change->levels[i][which] * load : 0.0);
}

bool ss_event_surface_leaves_bound(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, int i)
{
    int which = bound_of(lin, i);
    double force = der->delta.lambda[i], bound = bound_change(der, lin, to, i, which);
    if (which == SS_STATIC_FORWARD) bound = -bound;
    return fabs(force - bound) > SS_CLEAR * (fabs(force) + fabs(bound));
}

// How it changes at a fixed time.
static double surface_change(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, int i)
{
    const ss_contact* contact = &der->model->contacts[i];
    const ss_model_change* change = to->change;
    switch (der->before.surface[i]) {
    case SS_SPEED: {
        double sum = ss_row_dot(&contact->q, der->delta.v) + ss_row_dot(&contact->d, der->delta.d1);
        if (change) sum += ss_row_dot(&change->q[i], lin->at.v) + ss_row_dot(&change->d[i], lin->at.d1);
        return sum;
    }
    case SS_GAP: return ss_gap_change(der, lin, to, i, der->delta.q);
    case SS_FORCE: return der->delta.lambda[i];
    case SS_ELEMENT: return room_change(der, lin, to, i, yielding(der, lin, i));
    case SS_BOUND: {
        int which = bound_of(lin, i);
        double sign = which == SS_STATIC_FORWARD ? -1.0 : 1.0;
        return der->delta.lambda[i] - sign * bound_change(der, lin, to, i, which);
    }
    default: return 0.0;
    }
}

double ss_event_surface_time(ss_derivative* der, const ss_linear* lin, ss_sensitivity* to, int i)
{
    if (der->before.surface[i] == SS_ELEMENT) {
        int z = yielding(der, lin, i);
        find_yields(der, lin, to, i);
        if (!lin->by.slips[z] && der->before.rates[i] != 0.0) return to->yield[z];
    }
    return -surface_change(der, lin, to, i) / der->before.rates[i];
}

// Where a function falls to zero without crossing it, its rate is far below what brought it there.
static bool is_grazed(const ss_derivative* der, const ss_linear* lin, int i, double s, double of)
{
    const double far_below = 1e-6;
    const ss_contact* contact = &der->model->contacts[i];
    const ss_step* step = &der->sim->step;
    double since = ss_elapsed(&der->sim->step, s), rate = fabs(of) * since, start;
    const double* v = step->q + der->n;
    switch (der->before.surface[i]) {
    case SS_SPEED:
        start = ss_row_dot(&contact->q, v) + ss_row_dot(&contact->d, step->d + der->nd);
        if (der->sim->step.clock.stop) return rate == 0.0;
        return rate <= far_below * fabs(start) || rate == 0.0;
    case SS_GAP:
        if (der->sim->modes.contacts[i].mode == SS_MODE_CLOSED)
            return rate == 0.0; // an elastic one may be left slowly
        start = ss_row_dot(&contact->q, step->q) - ss_row_dot(&contact->q, lin->at.q) +
                ss_row_dot(&contact->d, step->d) - ss_row_dot(&contact->d, lin->at.d);
        return rate <= far_below * fabs(start) || rate == 0.0;
    case SS_BOUND:
    case SS_FORCE: return rate <= SS_RELATIVE_ZERO * fabs(lin->at.lambda[i]);
    default: return false;
    }
}

bool ss_event_surface_crosses(const ss_derivative* der, const ss_linear* lin, int i, double s, double* rate)
{
    *rate = surface_rate(der, lin, i, s);
    return !is_grazed(der, lin, i, s, *rate);
}

// Relative velocity of a stop at s of the step.
static double speed_at(const ss_derivative* der, const ss_contact* stop, double s)
{
    const ss_step* step = &der->sim->step;
    double sum = 0.0;
    for (int k = 0; k < stop->q.count; k++)
        sum += stop->q.value[k] * ss_poly_slope(step->q + stop->q.index[k], der->n, step->order, s);
    for (int k = 0; k < stop->d.count; k++)
        sum += stop->d.value[k] * ss_poly_slope(step->d + stop->d.index[k], der->nd, step->order, s);
    return sum;
}

// Distance left before a stop at s of the step, and the size of the places it is made of.
static double gap_at(const ss_derivative* der, int i, double s, double* size)
{
    const ss_contact* stop = &der->model->contacts[i];
    const ss_step* step = &der->sim->step;
    double moved = 0.0;
    *size = fabs(stop->rigid_stop.position);
    for (int k = 0; k < stop->q.count; k++) {
        const double* q = step->q + stop->q.index[k];
        double way = ss_poly_value(q, der->n, step->order, s) - q[0];
        moved += stop->q.value[k] * way;
        *size += fabs(stop->q.value[k]) * (fabs(way) + fabs(q[0]));
    }
    for (int k = 0; k < stop->d.count; k++) {
        const double* d = step->d + stop->d.index[k];
        moved += stop->d.value[k] * (ss_poly_value(d, der->nd, step->order, s) - d[0]);
    }
    return der->sim->modes.contacts[i].gap - stop->rigid_stop.side * moved;
}

bool ss_event_surface_is_touched(const ss_derivative* der, double s)
{
    const ss_sim* sim = der->sim;
    for (int i = 0; i < der->m; i++) {
        const ss_contact* stop = &der->model->contacts[i];
        const ss_contact_run* run = &sim->modes.contacts[i];
        if (!ss_is_stop(sim->model, i) || run->mode != SS_MODE_OPEN || run->hit || sim->step.clock.stop)
            continue;
        int side = stop->rigid_stop.side;
        double low = 0.0, high = s, size;
        if (!(side * speed_at(der, stop, 0.0) > 0.0) || side * speed_at(der, stop, s) > 0.0) continue;
        for (int round = 0; round < 60; round++) {
            double middle = 0.5 * (low + high);
            *(side * speed_at(der, stop, middle) > 0.0 ? &low : &high) = middle;
        }
        double gap = gap_at(der, i, low, &size);
        if (gap <= SS_SUM_NOISE * size) return true;
    }
    return false;
}
