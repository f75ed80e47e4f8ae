// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The event functions of contacts along the present step: speed of a slipping contact, room of a holding
// force below its bound, gap or edges of a stop, what its law adds. Each starts positive; one that starts at
// zero is divided by the power of s that select found it to start with.
#include "engine/locate/event_function.h"
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"

#include "core/tolerance.h"
#include "engine/flow/bristle_run.h"
#include "law/table.h"

#include <float.h>
#include <math.h>

// Number of zeros that a function starts with which begins like t^lead: where the clock of a stop begins to
// run at its touch, the time begins like s^2.
static int zeros_of(const ss_step_clock* clock, int lead)
{
    return clock->stop && clock->pace[0] == 0.0 ? 2 * lead : lead;
}

static void build_speed(const ss_model* model, const ss_step* step, const ss_modes* modes, int i,
                        ss_unit_polynomial* g)
{
    const ss_contact* contact = &model->contacts[i];
    double sign = modes->contacts[i].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
    int zeros = zeros_of(&step->clock, modes->contacts[i].lead);
    g->degree = step->order - 1;
    if (contact->q.count == 1 && contact->d.count == 0 && !step->clock.stop) {
        const double* q = step->q + model->n + contact->q.index[0];
        double w = sign * contact->q.value[0];
        int n = model->n;
        for (int k = 0; k <= g->degree; k++, q += n) g->c[k] = w * step->rate_power[k] * *q;
    } else {
        for (int k = 0; k <= g->degree; k++) {
            g->c[k] = sign * ss_relative_velocity(model, step, i, k) * step->power[k];
            if (k >= zeros) // what it is divided by starts at zero, without rounding
                g->terms += ss_relative_velocity_terms(model, step, i, k) * step->power[k];
        }
    }
    ss_unit_deflate(g, zeros);
}

static void build_room(const ss_sim* sim, int i, bool above, ss_unit_polynomial* g)
{
    int m = sim->model->contact_count;
    g->degree = sim->step.order - 2;
    for (int k = 0; k <= g->degree; k++) {
        double force = sim->step.lambda[(size_t)k * (size_t)m + (size_t)i];
        bool constant = k > 0 && sim->inputs.level_at[i] < 0;
        double bound = constant ? 0.0 : above ? ss_hold_high(sim, i, k) : ss_hold_low(sim, i, k);
        g->c[k] = (above ? bound - force : force - bound) * sim->step.power[k];
        if (sim->inputs.level_at[i] >= 0) g->terms += (fabs(bound) + fabs(force)) * sim->step.power[k];
    }
    g->c[0] += sim->modes.contacts[i].slack[above ? 0 : 1];
}

static void build_gap(const ss_model* model, const ss_step* step, const ss_modes* modes, int i,
                      ss_unit_polynomial* g)
{
    double side = model->contacts[i].stop.side;
    g->degree = step->order;
    g->c[0] = modes->contacts[i].gap;
    for (int k = 1; k <= g->degree; k++)
        g->c[k] = -side * ss_relative_position(model, step, i, k) * step->power[k];
    ss_unit_deflate(g, zeros_of(&step->clock, modes->contacts[i].lead));
}

// An edge of an elastic stop.
static bool build_edge(const ss_step* step, const ss_step_clock* clock, const ss_modes* modes,
                       const ss_elastic* stop, int w, ss_unit_polynomial* g)
{
    g->degree = ss_elastic_edge_series(step, modes, stop, w, g->c);
    if (g->degree < 0) return false;
    for (int k = 1; k <= g->degree; k++) g->c[k] *= step->power[k];
    ss_unit_deflate(g, zeros_of(clock, stop->edge_lead[w]));
    return true;
}

// Of an elastic stop: 0, the penetration, or the gap where there is none; 1 and on, the edges of its law.
static bool build_elastic(const ss_step* step, const ss_modes* modes, int i, int which, ss_unit_polynomial* g)
{
    const ss_contact_run* run = &modes->contacts[i];
    const ss_elastic* stop = &step->laws.elastic[step->laws.elastic_at[i]];
    double sign = run->mode == SS_MODE_CLOSED || run->gap < 0.0 ? 1.0 : -1.0;
    if (which > 0) return build_edge(step, &step->clock, modes, stop, which - 1, g);
    const double* depth = stop == step->clock.stop ? step->clock.pace : stop->p; // sqrt(p) has a simple zero
    g->degree = step->order - 2;
    for (int k = 0; k <= g->degree; k++) g->c[k] = sign * depth[k] * step->power[k];
    ss_unit_deflate(g, stop == step->clock.stop ? run->lead : zeros_of(&step->clock, run->lead));
    return true;
}

// An event of the law itself while contact i slips: an element that slips, full sliding that begins.
static bool build_event(const ss_model* model, const ss_step* step, int i, int which, ss_unit_polynomial* g)
{
    g->degree = ss_law_function(model, step, i, which - 1, step->power, g->c);
    return g->degree >= 0;
}

// How many event functions contact i has: two bounds; of an elastic stop the touch and its edges; of a
// contact that slips the speed and those of its law.
int ss_event_function_count(const ss_model* model, const ss_step* step, const ss_modes* modes, int i)
{
    const ss_contact* contact = &model->contacts[i];
    if (ss_is_elastic(step, i)) return 1 + step->laws.elastic[step->laws.elastic_at[i]].law.edge_count;
    return ss_slips(modes, i) ? 1 + contact->law_events : 2;
}

// Whether the force of a holding contact stays within constant bounds on the whole step, at a glance.
bool ss_holds_clearly(const ss_sim* sim, int i)
{
    int m = sim->model->contact_count;
    const double* force = sim->step.lambda + i;
    double rest = 0.0;
    if (sim->inputs.level_at[i] >= 0) return false;
    for (int k = sim->step.order - 2; k >= 1; k--) rest += fabs(force[k * m]) * sim->step.power[k];
    return ss_hold_high(sim, i, 0) - force[0] > rest && force[0] - ss_hold_low(sim, i, 0) > rest;
}

bool ss_event_function(const ss_sim* sim, int i, int which, ss_unit_polynomial* g)
{
    const ss_contact_run* run = &sim->modes.contacts[i];
    g->terms = 0.0;
    if (ss_is_elastic(&sim->step, i)) {
        if (!build_elastic(&sim->step, &sim->modes, i, which, g)) return false;
        ss_unit_measure(g);
        return g->degree > 0 || g->c[0] != 0.0;
    }
    switch (run->mode) {
    case SS_MODE_SLIP_PLUS:
    case SS_MODE_SLIP_MINUS:
        if (which > 0 && !build_event(sim->model, &sim->step, i, which, g)) return false;
        if (which == 0 && ss_is_bristle(&sim->step, i) &&
            sim->step.laws.bristles[sim->step.laws.bristle_at[i]].still)
            return false;
        if (which == 0) build_speed(sim->model, &sim->step, &sim->modes, i, g);
        break;
    case SS_MODE_OPEN:
        if (which > 0) return false;
        build_gap(sim->model, &sim->step, &sim->modes, i, g);
        break;
    case SS_MODE_STICK:
    case SS_MODE_CLOSED:
        if (run->pinned) return false;
        if (isinf(which == 0 ? ss_hold_high(sim, i, 0) : ss_hold_low(sim, i, 0))) return false;
        build_room(sim, i, which == 0, g);
        break;
    case SS_MODE_SLIP: return false; // of sliders only
    }
    ss_unit_measure(g);
    return g->degree > 0 || g->c[0] != 0.0; // a function that is zero throughout has no event
}

// A contact that select found to hold at this instant starts inside its bounds, whatever rounding says;
// redundant forces in particular carry more of it than their own size tells. Twice the excess is granted as
// slack, so that a force which really grows beyond its bound is seen soon.
void ss_grant_slack(ss_sim* sim, int i, int which, ss_unit_polynomial* g)
{
    ss_contact_run* run = &sim->modes.contacts[i];
    if (!ss_holds(&sim->step, &sim->modes, i)) return;
    double size =
        fabs(sim->step.lambda[i]) + fabs(which == 0 ? ss_hold_high(sim, i, 0) : ss_hold_low(sim, i, 0));
    if (size == 0.0) { // there is no force at all now: its first derivative that is not 0 decides
        int lead = 0;
        while (lead < g->degree && g->c[lead] == 0.0) lead++;
        ss_unit_deflate(g, lead);
        ss_unit_measure(g);
        return;
    }
    if (g->c[0] > 0.0 || -g->c[0] > SS_ROOT_BIT * size) return;
    double more = fmax(-2.0 * g->c[0], 8.0 * DBL_EPSILON * size);
    run->slack[which] += more;
    g->c[0] += more;
    ss_unit_measure(g);
}
