// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Saltation: neighbouring motions meet an event at other times, and between their times they obey different
// laws. With the surface g(y, t) = 0, its gradient n, the motion y' = f- before and f+ after, and y+ = R(y-),
//
//     S = R_y + (f+ - R_y f- - R_t) n^T / (n^T f- + g_t)
//
//     a contact stops slipping   g = v_i           n = (0, W_i)     R = identity
//     it breaks loose            g = |lambda| - F  n = dlambda      R = identity
//     a stop is struck           g = gap           n = (W_i, 0)     R: v -> v - (1 + e) M^-1 W_i v_i / A_ii
//
// Where forces do not jump (a contact breaks loose at its kinetic level, a stop is left), S is the identity.
#include "lab/cycle/saltation.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "engine/flow/tangent.h"

#include <math.h>
#include <string.h>

typedef enum surface { NO_SURFACE, SPEED, BREAK, IMPACT, ACCUMULATION } surface;

// Which surface an event lies on by itself; NO_SURFACE where the motion is smooth there.
static surface surface_of(const ss_orbit* orbit, const ss_event* event)
{
    const ss_contact* contact = &orbit->model->contacts[event->contact];
    if (event->kind == SS_EVENT_ACCUMULATION) return ACCUMULATION;
    if (event->kind == SS_EVENT_IMPACT) return IMPACT;
    if (event->from == SS_MODE_SLIP_PLUS || event->from == SS_MODE_SLIP_MINUS) return SPEED;
    if (event->from == SS_MODE_STICK && contact->falling) return BREAK;
    return NO_SURFACE;
}

static void put_row(double normal[], const ss_row* row, int shift)
{
    for (int k = 0; k < row->count; k++) normal[shift + row->index[k]] = row->value[k];
}

// Place of the impact among the events, or count.
static size_t impact_among(const ss_orbit* orbit, size_t first, size_t count)
{
    size_t k = 0;
    while (k < count && surface_of(orbit, &orbit->events.items[first + k]) != IMPACT) k++;
    return k;
}

static bool is_at_bound(const ss_sim* sim, int i)
{
    ss_contact_state held = ss_contact_of_run(sim, i);
    return fabs(held.force) >= (1.0 - SS_CLEAR) * held.limit;
}

void ss_saltation_prepare(ss_orbit* orbit, size_t first, size_t count)
{
    const ss_sim* sim = orbit->sim;
    int n = orbit->n, w = orbit->width;
    for (int i = 0; i < orbit->model->contact_count; i++) orbit->forces[i] = ss_contact_of_run(sim, i).force;
    memcpy(orbit->before, orbit->slope, (size_t)w * sizeof(double));
    bool struck = impact_among(orbit, first, count) < count;
    for (size_t k = 0; k < count; k++) {
        int i = orbit->events.items[first + k].contact;
        const ss_contact* contact = &orbit->model->contacts[i];
        double* normal = orbit->normals + k * (size_t)w;
        memset(normal, 0, (size_t)w * sizeof(double));
        orbit->rates[k] = 0.0;
        switch (surface_of(orbit, &orbit->events.items[first + k])) {
        case SPEED:
            if (struck) break; // its speed jumps through 0 because a stop is struck
            put_row(normal, &contact->q, n);
            orbit->rates[k] =
                ss_row_dot(&contact->q, orbit->slope + n) + ss_present_drive_acceleration(sim, i);
            break;
        case BREAK:
            if (!is_at_bound(sim, i)) break; // another event has overloaded it
            ss_hold_gradient(sim, i, normal, orbit->jacobian_scratch);
            orbit->rates[k] = ss_hold_rate(sim, i);
            break;
        case IMPACT:
            put_row(normal, &contact->q, 0);
            orbit->rates[k] = ss_row_dot(&contact->bodies, sim->bodies.out_v);
            orbit->drive_acceleration = ss_present_drive_acceleration(sim, i);
            break;
        case NO_SURFACE:
        case ACCUMULATION: break;
        }
    }
}

// D += jump (normal^T D) / rate
static void add_jump(ss_orbit* orbit, const double d[], const double normal[], double rate)
{
    int w = orbit->width;
    for (int c = 0; c < w; c++) {
        double along = 0.0;
        for (int k = 0; k < w; k++) along += normal[k] * d[k * w + c];
        for (int r = 0; r < w; r++) orbit->monodromy[r * w + c] += orbit->jump[r] * along / rate;
    }
}

// Velocities after Newton's impact on contact i: v -= (1 + e) M^-1 W v_i / A_ii, applied to a vector.
static void reflect(const ss_contact* contact, double approach, double v[])
{
    double size = 0.0;
    for (int k = 0; k < contact->mobility.count; k++)
        for (int j = 0; j < contact->q.count; j++)
            if (contact->q.index[j] == contact->mobility.index[k])
                size += contact->q.value[j] * contact->mobility.value[k];
    double factor = (1.0 + contact->rigid_stop.restitution) * approach / size;
    for (int k = 0; k < contact->mobility.count; k++)
        v[contact->mobility.index[k]] -= factor * contact->mobility.value[k];
}

static void cross_impact(ss_orbit* orbit, int i, const double normal[], double rate)
{
    const ss_contact* contact = &orbit->model->contacts[i];
    int n = orbit->n, w = orbit->width;
    double *d = orbit->product, *mapped = orbit->before;
    memcpy(d, orbit->monodromy, (size_t)w * (size_t)w * sizeof(double));
    for (int c = 0; c < w; c++) { // R_y D, column by column
        double *v = orbit->jump, approach = 0.0;
        for (int r = 0; r < n; r++) v[r] = d[(n + r) * w + c];
        approach = ss_row_dot(&contact->q, v);
        reflect(contact, approach, v);
        for (int r = 0; r < n; r++) orbit->monodromy[(n + r) * w + c] = v[r];
    }
    reflect(contact, ss_row_dot(&contact->q, mapped + n) + orbit->drive_acceleration, mapped + n);
    for (int r = 0; r < w; r++) orbit->jump[r] = orbit->slope[r] - mapped[r];
    add_jump(orbit, d, normal, rate);
}

// Acceleration by the jumps of contact forces: of all contacts of the group of i, or of i alone.
static void force_jump(ss_orbit* orbit, int i, bool alone)
{
    const ss_group* group = &orbit->model->groups[orbit->model->contacts[i].group];
    memset(orbit->jump, 0, (size_t)orbit->width * sizeof(double));
    for (int p = 0; p < group->count; p++) {
        int j = group->contacts[p];
        if (alone && j != i) continue;
        const ss_row* mobility = &orbit->model->contacts[j].mobility;
        double change = ss_contact_of_run(orbit->sim, j).force - orbit->forces[j];
        for (int k = 0; k < mobility->count; k++)
            orbit->jump[orbit->n + mobility->index[k]] += mobility->value[k] * change;
    }
}

// Whether events k and l at this instant happen together for all neighbouring motions, too: contacts that
// slip in step because others stick. Their delays -n^T D / rate are then the same.
static bool in_step(const ss_orbit* orbit, size_t k, size_t l)
{
    int w = orbit->width;
    double difference = 0.0, size = 0.0;
    for (int c = 0; c < w; c++) {
        double a = 0.0, b = 0.0;
        for (int r = 0; r < w; r++) {
            a += orbit->normals[k * (size_t)w + (size_t)r] * orbit->product[r * w + c];
            b += orbit->normals[l * (size_t)w + (size_t)r] * orbit->product[r * w + c];
        }
        size = fmax(size, fabs(a / orbit->rates[k]));
        difference = fmax(difference, fabs(a / orbit->rates[k] - b / orbit->rates[l]));
    }
    return difference <= SS_ROOT_BIT * size;
}

// What else happens in the group of event k at this instant.
typedef struct company {
    bool led;   // an earlier event in step with it has been crossed for it
    bool mixed; // another one that is not in step
} company;

static company company_of(const ss_orbit* orbit, size_t first, size_t count, size_t k)
{
    const ss_contact* contacts = orbit->model->contacts;
    company found = {false, false};
    for (size_t l = 0; l < count; l++) {
        if (l == k || orbit->rates[l] == 0.0 ||
            contacts[orbit->events.items[first + l].contact].group !=
                contacts[orbit->events.items[first + k].contact].group)
            continue;
        if (!in_step(orbit, k, l))
            found.mixed = true;
        else if (l < k)
            found.led = true;
    }
    return found;
}

// Newton's map stands for a single blow: nothing else may pass it on.
static bool is_single_blow(const ss_orbit* orbit, size_t first, size_t count, size_t at)
{
    int i = orbit->events.items[first + at].contact;
    const ss_group* group = &orbit->model->groups[orbit->model->contacts[i].group];
    for (size_t k = at + 1; k < count; k++)
        if (surface_of(orbit, &orbit->events.items[first + k]) == IMPACT) return false;
    for (int p = 0; p < group->count; p++)
        if (group->contacts[p] != i && ss_is_stop(orbit->sim, group->contacts[p]) &&
            ss_holds(orbit->sim, group->contacts[p]))
            return false;
    return true;
}

static void cross_speeds_and_breaks(ss_orbit* orbit, size_t first, size_t count)
{
    size_t w = (size_t)orbit->width;
    memcpy(orbit->product, orbit->monodromy, w * w * sizeof(double));
    for (size_t k = 0; k < count; k++) {
        if (orbit->rates[k] == 0.0) continue;
        company others = company_of(orbit, first, count, k);
        orbit->coupled = orbit->coupled || others.mixed;
        if (others.led && !others.mixed) continue;
        force_jump(orbit, orbit->events.items[first + k].contact, others.mixed);
        add_jump(orbit, orbit->product, orbit->normals + k * w, orbit->rates[k]);
    }
}

ss_status ss_saltation_cross(ss_orbit* orbit, size_t first, size_t count, ss_error* err)
{
    const ss_event* events = orbit->events.items + first;
    for (size_t k = 0; k < count; k++)
        if (surface_of(orbit, &events[k]) == ACCUMULATION)
            return ss_fail(err, SS_BAD_INPUT, orbit->model->contacts[events[k].contact].name,
                           "bounces accumulate at t = %.9g s: no derivative across that", events[k].t);
    size_t at = impact_among(orbit, first, count);
    if (at == count) {
        cross_speeds_and_breaks(orbit, first, count);
        return SS_OK;
    }
    if (!is_single_blow(orbit, first, count, at))
        return ss_fail(err, SS_BAD_INPUT, orbit->model->contacts[events[at].contact].name,
                       "struck at t = %.9g s together with another stop: no derivative across that",
                       events[at].t);
    cross_impact(orbit, events[at].contact, orbit->normals + at * (size_t)orbit->width, orbit->rates[at]);
    return SS_OK;
}
