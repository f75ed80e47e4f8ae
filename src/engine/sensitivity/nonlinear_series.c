// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities as power series along a step by series on which the laws of contacts bend. What the law of a
// contact makes of a change, its slopes along the step, are series that follow from those of the motion by a
// few products (law/table.h), so that with dv = W dq' + dW q' order by order
//
//     dr_k = (rate_v dv)_k + (rate_z dz)_k + rate_p,k,     dz_{k+1} = dr_k / (k + 1),
//     dforce_k = (force_v dv)_k + by_v dv_k + by_z dz_k + by_rate dr_k + force_p,k
//
// and all else is as in a linear model.
//
//   reads    the series of the step at hand, sensitivities where it begins
//   writes   the series of sensitivities on it
//   promise  false where some law has no such series, or where those of a sensitivity do not end on the step:
//            then sensitivities go by points along it (sensitivity_flow.c)
//   cost     three products of series per sensitivity and contact, as many or twice as many for the slopes
#include "engine/sensitivity/nonlinear_series.h"
#include "engine/sensitivity/program_tangent.h"

#include "core/algebra/polynomial.h"
#include "core/algebra/wide.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

// ---- creation

static bool has_slopes(const ss_contact* contact)
{
    if (ss_contact_is(contact, SS_TRAIT_GIVES_WAY)) return true;
    return contact->elements > 0 ? contact->law_entry->elements.slopes != NULL
                                 : contact->law_entry->series.slopes != NULL;
}

// Nothing but contacts and expressions makes the model nonlinear; contacts with states have slopes along a
// step, expressions tangents.
static bool applies(const ss_derivative* der)
{
    const ss_model* model = der->model;
    bool any = false;
    if (der->kind.linear || (model->open && model->open->variable_count > model->open->first_force))
        return false;
    for (int c = 0; c < model->connection_count; c++)
        if (model->connections[c].cubic != 0.0) return false;
    for (int i = 0; i < der->m; i++) {
        bool known = has_slopes(&model->contacts[i]);
        if ((der->z_count[i] > 0 && !known) || model->contacts[i].loaded) return false;
        any = any || known;
    }
    return any && (!model->open || model->open->level_count == 0) && ss_has_program_tangents(der);
}

static struct ss_nonlinear_series* allocate(ss_derivative* der)
{
    struct ss_nonlinear_series* own = ss_pool_new(&der->pool, 1, sizeof *own);
    if (!own) return NULL;
    size_t m = (size_t)der->m, count = (size_t)der->count;
    own->at = ss_pool_new(&der->pool, m, sizeof(int));
    own->contact = ss_pool_new(&der->pool, m, sizeof(int));
    own->active = ss_pool_new(&der->pool, m, sizeof(bool));
    own->general = ss_pool_new(&der->pool, count, sizeof(bool));
    if (der->pool.failed) return NULL;
    for (int i = 0; i < der->m; i++) {
        own->at[i] = -1;
        if (!has_slopes(&der->model->contacts[i])) continue;
        own->contact[own->count] = i;
        own->at[i] = own->count++;
    }
    own->slopes = ss_pool_new(&der->pool, (size_t)own->count, sizeof *own->slopes);
    own->by_place = ss_pool_new(&der->pool, (size_t)own->count, sizeof *own->by_place);
    own->speed = ss_pool_new(&der->pool, count * (size_t)der->n * SS_ALONG, sizeof(double));
    own->accel = ss_pool_new(&der->pool, count * (size_t)der->n * SS_ALONG, sizeof(double));
    own->sensitivities = ss_pool_new(&der->pool, count * (size_t)own->count, sizeof *own->sensitivities);
    own->elements = ss_pool_new(&der->pool, (size_t)der->nz, sizeof *own->elements);
    for (size_t k = 0; own->sensitivities && k < count * (size_t)own->count; k++)
        own->sensitivities[k].drag = NAN;
    own->pieces = ss_pool_new(&der->pool, count * (size_t)der->nz, sizeof *own->pieces);
    return der->pool.failed ? NULL : own;
}

bool ss_make_nonlinear_series(ss_derivative* der)
{
    if (!applies(der)) return true;
    der->ways.bends = allocate(der);
    if (!der->ways.bends) return false;
    for (int j = 0; j < der->count; j++) {
        const ss_model_change* change = der->sensitivities[j].change;
        der->ways.bends->general[j] =
            change ? ss_change_goes_beyond_laws(der, change, true) : der->model->open != NULL;
    }
    return true;
}

// ---- what laws say of the step

static const ss_along* along_of(const ss_step* step, int i)
{
    return ss_is_bristle(step, i) ? &step->laws.bristles[step->laws.bristle_at[i]].along
                                  : &step->laws.curved[step->laws.curved_at[i]];
}

// How what a law with elements has in proportion to the speed changes: a constant, N*s/m.
static double change_of_drag(const ss_derivative* der, const ss_model_change* change, int i,
                             const ss_law_point* point)
{
    const ss_contact* contact = &der->model->contacts[i];
    ss_response own, other;
    double sum = 0.0;
    contact->law_entry->point.at(ss_law_of(contact), point, &own);
    for (int k = 0; k < change->from->model_count; k++) {
        contact->law_entry->point.at(ss_law_of(&change->from->models[k]->contacts[i]), point, &other);
        sum += change->from->weights[k] * (other.force_v - own.force_v);
    }
    return sum;
}

// The same of a law with elements: of the law as a whole only what is in proportion to the speed is left.
static bool ask_elements(ss_derivative* der, int place, const ss_along* along)
{
    struct ss_nonlinear_series* own = der->ways.bends;
    int i = own->contact[place], last = der->sim->step.order - 2, first = der->z_at[i];
    const ss_contact* contact = &der->model->contacts[i];
    ss_element_slopes* slopes = own->elements + first;
    ss_law_point point = {.v = along->v[0], .sign = along->sign, .z = along->z[0], .along = along};
    ss_response whole;
    if (!contact->law_entry->elements.slopes(ss_law_of(contact), along, last, slopes)) return false;
    contact->law_entry->point.at(ss_law_of(contact), &point, &whole);
    own->slopes[place].by_v = whole.force_v;
    for (int j = 0; j < der->count; j++) {
        const ss_model_change* change = der->sensitivities[j].change;
        ss_nonlinear_contact* all = &own->sensitivities[j * own->count + place];
        if (change && change->law[i] && isnan(all->drag)) all->drag = change_of_drag(der, change, i, &point);
        all->moves = change && change->law[i] && all->drag != 0.0;
        for (int k = 0; k <= last && all->moves; k++) all->force[k] = all->drag * along->v[k];
        double* rate[SS_MOST_ELEMENTS];
        bool slip = false;
        for (int e = 0; e < contact->elements; e++) {
            ss_nonlinear_element* to = &own->pieces[j * der->nz + first + e];
            double stretch = change ? change->element.stretch[first + e] : 0.0;
            to->moves = change && change->law[i] && (slopes[e].slips || stretch != 0.0);
            slip = slip || (to->moves && slopes[e].slips);
            rate[e] = to->rate;
            for (int k = 0; k <= last && to->moves && !slopes[e].slips; k++)
                to->rate[k] = stretch * along->v[k];
        }
        if (slip && !contact->law_entry->elements.by_numbers(ss_law_of(contact), change->numbers[i], along,
                                                             slopes, last, rate))
            return false;
    }
    return true;
}

static bool ask_stop(ss_derivative* der, int place)
{
    struct ss_nonlinear_series* own = der->ways.bends;
    int i = own->contact[place], last = ss_sensitivity_last_order(&der->sim->step);
    if (!ss_sensitivity_stop_slopes(&der->sim->step, i, last, &own->slopes[place], own->by_place[place]))
        return false;
    for (int j = 0; j < der->count; j++) {
        const ss_model_change* change = der->sensitivities[j].change;
        ss_nonlinear_contact* to = &own->sensitivities[j * own->count + place];
        to->moves = change && change->law[i];
        if (to->moves &&
            !ss_sensitivity_stop_numbers(der->sim->model, &der->sim->step, change, i, last, to->force))
            return false;
    }
    return true;
}

// Where the state of a contact that slips stays as it is while the speed changes, its rate is 0 at every
// speed: rate_v = 0. The change of the state, dz' = rate_z dz + rate_p, stays then as well once dz =
// -rate_p/rate_z but for rounding, which that equation takes back at once. Its series would spread it first:
// those of a fast decay are long.
static double steady_change(const ss_along_slopes* slopes, const ss_nonlinear_contact* to)
{
    return to->moves ? -to->rate[0] / slopes->rate_z[0] : 0.0;
}

static bool is_steady(const ss_derivative* der, int place, const ss_along* along)
{
    const struct ss_nonlinear_series* own = der->ways.bends;
    const ss_along_slopes* slopes = &own->slopes[place];
    int order = der->sim->step.order, z = der->z_at[own->contact[place]];
    double h = der->sim->step.length;
    if (!slopes->state || slopes->rate_z[0] == 0.0 || fabs(along->z[1]) * h > SS_NOISE * fabs(along->z[0]))
        return false; // most are seen at once
    if (!(ss_poly_bound(along->z + 1, 1, order - 2, h) * h <= SS_NOISE * fabs(along->z[0])) ||
        !(ss_poly_bound(slopes->rate_v, 1, order - 2, h) <= SS_NOISE))
        return false;
    for (int j = 0; j < der->count; j++) {
        const ss_sensitivity* to = &der->sensitivities[j];
        double steady = steady_change(slopes, &own->sensitivities[j * own->count + place]);
        double most = fmax(fabs(steady), to->largest[2 * der->n + der->ns + z]);
        if (!to->lost && !(fabs(to->z[z] - steady) <= SS_SUM_NOISE * most)) return false;
    }
    return true;
}

// Sensitivities keep their states there; what these do to the force is constant.
static void keep_states(ss_derivative* der, int place, int last)
{
    struct ss_nonlinear_series* own = der->ways.bends;
    ss_along_slopes* slopes = &own->slopes[place];
    for (int j = 0; j < der->count; j++) {
        ss_nonlinear_contact* to = &own->sensitivities[j * own->count + place];
        double steady = steady_change(slopes, to);
        if (!to->moves) memset(to->force, 0, (size_t)(last + 1) * sizeof(double));
        to->moves = true;
        to->force[0] += slopes->by_z * steady;
        for (int k = 0; k <= last && slopes->leans; k++) to->force[k] += slopes->force_z[k] * steady;
        der->sensitivities[j].z[der->z_at[own->contact[place]]] = steady;
    }
    slopes->state = slopes->leans = false;
}

static bool ask_contact(ss_derivative* der, int place)
{
    struct ss_nonlinear_series* own = der->ways.bends;
    const ss_sim* sim = der->sim;
    int i = own->contact[place], last = ss_sensitivity_last_order(&sim->step);
    const ss_contact* contact = &der->model->contacts[i];
    const ss_along* along = ss_contact_is(contact, SS_TRAIT_GIVES_WAY) ? NULL : along_of(&sim->step, i);
    if (ss_is_bristle(&sim->step, i) && sim->step.laws.bristles[sim->step.laws.bristle_at[i]].still)
        return false;
    ss_along_slopes* slopes = &own->slopes[place];
    slopes->bends = slopes->state = slopes->leans = false;
    slopes->by_v = slopes->by_z = slopes->by_rate = 0.0;
    if (!along) return ask_stop(der, place);
    if (contact->elements > 0) return ask_elements(der, place, along);
    if (!contact->law_entry->series.slopes(ss_law_of(contact), along, last, slopes)) return false;
    for (int j = 0; j < der->count; j++) {
        const ss_model_change* change = der->sensitivities[j].change;
        ss_nonlinear_contact* to = &own->sensitivities[j * own->count + place];
        to->moves = change && change->law[i];
        if (to->moves && !(change->numbers[i] &&
                           contact->law_entry->series.by_numbers(ss_law_of(contact), change->numbers[i],
                                                                 along, last, to->force, to->rate)))
            return false;
    }
    if (is_steady(der, place, along)) keep_states(der, place, last);
    return true;
}

static bool ask_laws(ss_derivative* der)
{
    struct ss_nonlinear_series* own = der->ways.bends;
    const ss_sim* sim = der->sim;
    for (int j = 0; j < der->count && sim->step.clock.stop;
         j++) // what is given in time is not in the clock's
        if (der->sensitivities[j].change && der->sensitivities[j].change->given) return false;
    for (int i = 0; i < der->m; i++) {
        bool slips = sim->modes.contacts[i].mode != SS_MODE_OPEN && !ss_holds(&sim->step, &sim->modes, i);
        if (own->at[i] >= 0)
            own->active[own->at[i]] = slips;
        else if (slips && der->model->contacts[i].law_entry->point.at)
            return false;
    }
    for (int place = 0; place < own->count; place++)
        if (own->active[place] && !ask_contact(der, place)) return false;
    return true;
}

// ---- whether the series end

// How far series are to end on the present step: the step was chosen for the motion; a sensitivity has the
// same singularities, of a higher order.
typedef struct ending {
    double h, tolerance;
    double power; // h^(order - 2)
} ending;

// Whether the last two of the terms up to `last`, which is the order of the step or one less, are small
// beside the largest. Mostly they are beside the first two.
static bool ends(const ending* e, const double series[], int stride, int last, bool whole)
{
    const double *tail = series + (ptrdiff_t)(last - 1) * stride, limit = e->tolerance;
    double power = whole ? e->power * e->h : e->power, before = fabs(tail[0]) * power,
           after = fabs(tail[stride]) * power * e->h;
    double size = fabs(series[0]) + fabs(series[stride]) * e->h;
    power = e->h * e->h;
    for (int k = 2; k <= last && !(before <= limit * size && after <= limit * size); k++, power *= e->h) {
        double term = fabs(series[(ptrdiff_t)k * stride]) * power;
        size = term > size ? term : size;
    }
    return before <= limit * size && after <= limit * size;
}

static bool states_end(const ss_derivative* der, int j, const ending* e)
{
    const struct ss_nonlinear_series* own = der->ways.bends;
    int last = der->sim->step.order - 1;
    for (int place = 0; place < own->count; place++) {
        int i = own->contact[place], first = j * der->nz + der->z_at[i];
        if (own->active[place] && own->slopes[place].state &&
            !ends(e, own->sensitivities[j * own->count + place].z, 1, last, false))
            return false;
        for (int z = 0; z < der->model->contacts[i].elements && own->active[place]; z++)
            if (!ends(e, own->pieces[first + z].z, 1, last, false)) return false;
    }
    return true;
}

static bool all_end(const ss_derivative* der, int j, const ending* e)
{
    const ss_sensitivity* to = &der->sensitivities[j];
    const struct ss_nonlinear_series* own = der->ways.bends;
    int order = der->sim->step.order;
    for (int i = 0; i < der->n; i++)
        if (!(der->sim->step.clock.stop
                  ? ends(e, to->series_q + i, der->n, order, true) &&
                        ends(e, ss_back_of(der, own->speed, j, i) + SS_MAX_ORDER, -1, order, true)
                  // Without their first terms: on a short step the speed is but a small part of the place.
                  : ends(e, to->series_q + der->n + i, der->n, order - 1, false)))
            return false;
    for (int i = 0; i < der->ns; i++)
        if (!ends(e, to->series_s + i, der->ns, order - 1, false)) return false;
    return states_end(der, j, e);
}

// ---- use

// Whether expressions have their series on this step, in the time.
static bool may_step(const ss_derivative* der)
{
    bool programs = der->model->open && der->model->actions->motion.output_count > 0;
    return !programs || (!der->sim->step.clock.stop && ss_sensitivity_can_step(der));
}

static bool is_bad(const ss_sensitivity* to) { return to->tangent && to->tangent->bad; }

bool ss_sensitivity_nonlinear_series(ss_derivative* der)
{
    struct ss_nonlinear_series* own = der->ways.bends;
    const ss_sim* sim = der->sim;
    if (!own || sim->step.order < 4 || !may_step(der) || !ask_laws(der)) return false;
    ss_run_nonlinear_series(der);
    double h = sim->step.length;
    ending e = {h, fmax(SS_SUM_NOISE, 1e2 * sim->control.tolerance), 1.0};
    for (int k = 0; k < sim->step.order - 2; k++) e.power *= h;
    for (int j = 0; j < der->count; j++)
        if (!der->sensitivities[j].lost && (is_bad(&der->sensitivities[j]) || !all_end(der, j, &e)))
            return false;
    der->along.has_series = true;
    return true;
}

void ss_sensitivity_nonlinear_clocked(const ss_derivative* der, const ss_sensitivity* to, double s,
                                      double y[])
{
    int order = der->sim->step.order, n = der->n, j = (int)(to - der->sensitivities);
    for (int i = 0; i < n; i++) {
        y[i] = ss_poly_value(to->series_q + i, n, order, s);
        y[n + i] = ss_back_value(ss_back_of(der, der->ways.bends->speed, j, i), order, s);
    }
}

void ss_sensitivity_nonlinear_states(const ss_derivative* der, const ss_sensitivity* to, double s, double z[])
{
    const struct ss_nonlinear_series* own = der->ways.bends;
    const ss_nonlinear_contact* mine = own->sensitivities + (to - der->sensitivities) * own->count;
    const ss_nonlinear_element* pieces = own->pieces + (to - der->sensitivities) * der->nz;
    int last = der->sim->step.order - 1;
    memcpy(z, to->z, (size_t)der->nz * sizeof(double));
    for (int place = 0; place < own->count; place++) {
        int i = own->contact[place], first = der->z_at[i];
        if (own->active[place] && own->slopes[place].state)
            z[first] = ss_poly_value(mine[place].z, 1, last, s);
        for (int e = 0; e < der->model->contacts[i].elements && own->active[place]; e++)
            z[first + e] = ss_poly_value(pieces[first + e].z, 1, last, s);
    }
}
