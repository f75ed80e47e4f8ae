// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How accelerations, rates and contact forces change with one number of the model along the motion: b in
// dy' = A dy + b. model_change.c has made the sums over the models; here they meet the motion.
#include "engine/field/field.h"
#include "engine/sensitivity/program_tangent.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void add_sparse(const ss_sparse* a, const double x[], double factor, double out[])
{
    if (!a->start) return;
    for (int i = 0; i < a->rows; i++)
        for (int l = a->start[i]; l < a->start[i + 1]; l++) out[i] += factor * a->value[l] * x[a->index[l]];
}

static void add_scaled(const ss_row* row, double factor, double out[])
{
    for (int k = 0; k < row->count; k++) out[row->index[k]] += factor * row->value[k];
}

static void add_cubic(ss_derivative* der, const ss_model_change* change, const ss_values* at, double a[])
{
    for (int k = 0; k < change->from->model_count; k++) {
        const ss_model* other = change->from->models[k];
        for (int c = 0; c < other->connection_count; c++) {
            const ss_connection* spring = &other->connections[c];
            if (spring->cubic == 0.0) continue;
            double e = ss_row_dot(&spring->q, at->q) + ss_row_dot(&spring->d, at->d) +
                       ss_row_dot(&spring->bodies, der->sim->bodies.offset) - spring->length;
            add_scaled(&spring->mobility, -change->from->weights[k] * spring->cubic * e * e * e, a);
        }
    }
}

static void ask_law(const ss_model_change* change, int i, const ss_contact* own, ss_law_point point, int k,
                    ss_response* out)
{
    *out = (ss_response){0};
    if (change->along[i]) {
        change->along[i][k].branch = point.along->branch;
        change->along[i][k].sign = point.along->sign;
        point.along = &change->along[i][k];
    }
    own->law_entry->point.at(ss_law_of(&change->from->models[k]->contacts[i]), &point, out);
}

// Whether values at -4 h, -h, h and 4 h lie on a line, as far as digits tell: most laws are linear in most of
// their numbers.
static bool lie_on_a_line(double a, double b, double c, double d, double* slope)
{
    double noise = 16.0 * DBL_EPSILON * fmax(fabs(a), fabs(d));
    *slope = (d - a) / 8.0;
    if (fabs(*slope) <= noise) *slope = 0.0;
    return fabs((c - b) / 2.0 - (d - a) / 8.0) <= noise;
}

// Force and rate of a law at a point, summed over the models of a direction.
static double sum_law(const ss_model_change* change, int i, const ss_contact* own, const ss_law_point* point,
                      double* rate)
{
    static const int order[SS_DIRECTION_MODELS] = {0, 3, 4, 7, 1, 2, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15};
    const double* weights = change->from->weights;
    ss_response out[SS_DIRECTION_MODELS];
    double by_h, slope, rate_slope, force = 0.0, size = 0.0, rate_size = 0.0;
    bool even = ss_direction_is_even(change->from, &by_h);
    for (int j = 0; j < change->from->model_count; j++) {
        int k = even ? order[j] : j;
        ask_law(change, i, own, *point, k, &out[k]);
        if (!even || j != 3) continue;
        if (lie_on_a_line(out[0].force, out[3].force, out[4].force, out[7].force, &slope) &&
            lie_on_a_line(out[0].rate, out[3].rate, out[4].rate, out[7].rate, &rate_slope)) {
            *rate = rate_slope * by_h;
            return slope * by_h;
        }
    }
    for (int k = 0; k < change->from->model_count; k++) {
        force += weights[k] * out[k].force;
        size += fabs(weights[k] * out[k].force);
        *rate += weights[k] * out[k].rate;
        rate_size += fabs(weights[k] * out[k].rate) + fabs(weights[k] * point->v);
    }
    if (!(fabs(*rate) > 16.0 * DBL_EPSILON * rate_size)) *rate = 0.0;
    return fabs(force) > 16.0 * DBL_EPSILON * size ? force : 0.0;
}

double ss_change_law(const ss_derivative* der, const ss_sensitivity* to, const ss_linear* lin, int i,
                     double* rate)
{
    const ss_model_change* change = to->change;
    const ss_sim* sim = der->sim;
    const ss_contact* own = &der->model->contacts[i];
    *rate = 0.0;
    if (!change->law[i] || !own->law_entry->point.at || own->elements > 0) return 0.0;
    ss_law_point point = {.v = ss_row_dot(&own->q, lin->at.v) + ss_row_dot(&own->d, lin->at.d1),
                          .sign = sim->modes.contacts[i].mode == SS_MODE_SLIP_MINUS ? -1.0 : 1.0};
    if (ss_is_elastic(&sim->step, i)) {
        double x = ss_row_dot(&own->q, lin->at.q) + ss_row_dot(&own->d, lin->at.d) +
                   ss_row_dot(&own->bodies, sim->bodies.offset);
        point.y = ss_stop_penetration(own, x);
        point.sign = 1.0;
        point.branch = sim->step.laws.elastic[sim->step.laws.elastic_at[i]].branch;
        return ss_change_stop(der, change, i, &point);
    }
    if (sim->step.laws.curved_at[i] >= 0) point.along = &sim->step.laws.curved[sim->step.laws.curved_at[i]];
    if (ss_is_bristle(&sim->step, i)) {
        point.along = &sim->step.laws.bristles[sim->step.laws.bristle_at[i]].along;
        point.sign = point.along->sign;
        point.z = lin->at.z[der->z_at[i]];
        point.y = ss_field_way(sim->field, &(ss_field_point){.q = lin->at.q, .given = {.d = lin->at.d}}, i);
    }
    if (!change->numbers[i] || !own->law_entry->point.by_numbers)
        return sum_law(change, i, own, &point, rate);
    double force;
    own->law_entry->point.by_numbers(ss_law_of(own), change->numbers[i], &point, &force, rate);
    return force;
}

// The level that a slipping Coulomb contact goes by.
static double slip_level(const ss_derivative* der, const ss_sensitivity* to, const ss_linear* lin, int i)
{
    const ss_model_change* change = to->change;
    int which = der->sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS ? SS_FORWARD : SS_BACKWARD;
    if (der->sim->inputs.level_at[i] < 0) return lin->at.constant ? change->levels[i][which] : 0.0;
    if (!change->signals.level[i]) return 0.0;
    const double* series = to->given.level + (size_t)(4 * i + which) * SS_WIDTH;
    return ss_given_value(der, series, &lin->at);
}

// The same for a law with elements: each of them, and what the law as a whole has in proportion to the speed.
static double change_elements(const ss_derivative* der, const ss_sensitivity* to, const ss_linear* lin, int i,
                              double dv, ss_delta* out)
{
    const ss_contact* own = &der->model->contacts[i];
    const ss_model_change* change = to->change;
    const ss_along* along = &der->sim->step.laws.bristles[der->sim->step.laws.bristle_at[i]].along;
    double force = 0.0, load = own->loaded ? lin->by.law[i].load : 1.0;
    ss_law_point point = {.v = ss_row_dot(&own->q, lin->at.v) + ss_row_dot(&own->d, lin->at.d1),
                          .sign = along->sign,
                          .along = along};
    for (int k = 0; k < own->elements; k++)
        out->z_rate[der->z_at[i] + k] += lin->by.element[der->z_at[i] + k].rate_v * dv;
    for (int m = 0; m < change->from->model_count && change->law[i]; m++) {
        const void* law = ss_law_of(&change->from->models[m]->contacts[i]);
        double w = change->from->weights[m];
        ss_response whole = {0};
        own->law_entry->point.at(law, &point, &whole);
        force += w * (load * whole.force_v - lin->by.law[i].force_v) * point.v;
        for (int k = 0; k < own->elements; k++) {
            int z = der->z_at[i] + k;
            ss_element_response element;
            point.z = lin->at.z[z];
            own->law_entry->elements.at(law, &point, k, lin->by.slips[z], &element);
            force += w * (load * element.pull - lin->by.element[z].pull) * point.z;
            out->z_rate[z] += w * (element.rate - lin->by.element[z].rate);
        }
    }
    return force;
}

static void add_contacts(ss_derivative* der, ss_sensitivity* to, const ss_linear* lin, ss_delta* out)
{
    const ss_model_change* change = to->change;
    const ss_sim* sim = der->sim;
    for (int i = 0; i < der->m; i++) {
        const ss_contact* contact = &der->model->contacts[i];
        ss_mode mode = sim->modes.contacts[i].mode;
        double rate = 0.0, force = 0.0;
        if (mode == SS_MODE_OPEN) continue;
        add_scaled(&change->mobility[i], lin->at.lambda[i], out->a);
        if (ss_holds(&sim->step, &sim->modes, i)) {
            out->held[i] += ss_row_dot(&change->q[i], lin->at.a) + ss_row_dot(&change->d[i], lin->at.d2);
            continue;
        }
        if (contact->law_entry->point.at && lin->at.order < 0) {
            force = ss_change_law(der, to, lin, i, &rate);
            if (contact->loaded)
                force = lin->by.law[i].load * force + lin->by.law[i].per_load * slip_level(der, to, lin, i);
            force += lin->by.law[i].force_y * (ss_row_dot(&change->q[i], lin->at.q) +
                                               ss_row_dot(&change->d[i], lin->at.d) - change->place[i]);
            double dv = ss_row_dot(&change->q[i], lin->at.v) + ss_row_dot(&change->d[i], lin->at.d1);
            force += lin->by.law[i].force_v * dv;
            rate += lin->by.law[i].rate_v * dv;
            if (contact->elements > 0)
                force += change_elements(der, to, lin, i, dv, out);
            else if (der->z_at[i] >= 0)
                out->z_rate[der->z_at[i]] += rate;
        } else if (!contact->law_entry->point.at) {
            force = (mode == SS_MODE_SLIP_PLUS ? -1.0 : 1.0) * slip_level(der, to, lin, i);
        }
        out->lambda[i] += force;
        add_scaled(&contact->mobility, force, out->a);
    }
}

// What of an affine force is not in the operators: states, inputs, memory, offsets and what is given in time.
static double rest_of(const ss_open* open, const ss_row* row, const double vars[], const double offset[],
                      bool all)
{
    double sum = 0.0;
    for (int k = 0; k < row->count; k++) {
        int at = row->index[k];
        if (all || at >= open->first_state) sum += row->value[k] * vars[at];
        if (!all && at < open->first_speed && offset) sum += row->value[k] * offset[at];
    }
    return sum;
}

static void add_slot(ss_derivative* der, int slot, double value, ss_delta* out)
{
    const ss_actions* actions = der->model->actions;
    if (slot < actions->pull_count)
        add_scaled(&actions->pulls[slot].mobility, value, out->a);
    else
        out->rate[slot - actions->pull_count] += value;
}

static int output_of(const ss_actions* actions, int slot)
{
    return slot < actions->pull_count ? actions->pulls[slot].output
                                      : actions->rates[slot - actions->pull_count].output;
}

// Outputs of the motion's program at a point: how they change, added to where they belong.
static void add_programs(ss_derivative* der, ss_sensitivity* to, const ss_linear* lin, ss_delta* out)
{
    const ss_actions* actions = der->model->actions;
    const ss_open* open = der->model->open;
    const double* change = ss_sensitivity_tangent_numbers(der, to, lin);
    for (int j = 0; j < der->slots; j++) {
        int output = output_of(actions, j);
        if (output >= 0) add_slot(der, j, change[output], out);
    }
    for (int l = 0; l < open->level_count; l++) {
        int i = open->levels[l].contact, which = open->levels[l].which;
        bool plus = der->sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
        if (!ss_slips(&der->sim->modes, i) || which != (plus ? SS_FORWARD : SS_BACKWARD)) continue;
        double force = ss_field_per_level(der->sim->field, &lin->by, i) * change[actions->level_output + l];
        out->lambda[i] += force;
        add_scaled(&der->model->contacts[i].mobility, force, out->a);
    }
}

static void add_open(ss_derivative* der, ss_sensitivity* to, const ss_linear* lin, ss_delta* out)
{
    int k = lin->at.order;
    const ss_model_change* change = to->change;
    const ss_open* open = der->model->open;
    const ss_actions* actions = der->model->actions;
    const double* offset = lin->at.constant ? der->sim->bodies.offset : NULL;
    for (int j = 0; j < der->slots; j++) {
        const ss_affine* affine = ss_affine_of(actions, j);
        bool rate = j >= actions->pull_count;
        if (affine) {
            double value = rest_of(open, &change->affine[j], lin->at.vars, offset, rate);
            if (change->signals.rest[j])
                value += ss_given_value(der, to->given.rest + (size_t)j * SS_WIDTH, &lin->at);
            add_slot(der, j, value, out);
        }
        if (rate || change->pull[j].count == 0) continue;
        double value = affine ? rest_of(open, &affine->row, lin->at.vars, offset, false)
                              : lin->outputs[actions->pulls[j].output];
        if (affine && affine->rest && k < 0) value += ss_signal_value(affine->rest, lin->at.t);
        if (affine && affine->rest && k >= 0)
            value += ss_signal_is_constant(affine->rest)
                         ? (k == 0 ? ss_signal_value(affine->rest, 0.0) : 0.0)
                         : der->sim->open.given[(size_t)k * (size_t)der->slots + (size_t)j];
        add_scaled(&change->pull[j], value, out->a);
    }
    // Where places are passed, tangents have counted the numbers with the motion.
    bool counted = k >= 0 || der->along.passing;
    if (change->programs && !counted && actions->motion.output_count > 0) add_programs(der, to, lin, out);
}

void ss_change_add(ss_derivative* der, ss_sensitivity* to, const ss_linear* lin, ss_delta* out)
{
    const ss_model_change* change = to->change;
    const ss_values* at = &lin->at;
    add_sparse(&change->stiffness, at->q, -1.0, out->a);
    add_sparse(&change->damping, at->v, -1.0, out->a);
    add_sparse(&change->drive_stiffness, at->d, -1.0, out->a);
    add_sparse(&change->drive_damping, at->d1, -1.0, out->a);
    for (int i = 0; i < der->n && at->constant; i++) out->a[i] += change->constant[i];
    for (int f = 0; f < der->model->force_count; f++) {
        add_scaled(&change->force[f], at->force[f], out->a);
        if (!change->signals.force[f]) continue;
        double value = ss_given_value(der, to->given.force + (size_t)f * SS_WIDTH, at);
        add_scaled(&der->model->forces[f].mobility, value, out->a);
    }
    if (change->cubic) add_cubic(der, change, at, out->a);
    add_contacts(der, to, lin, out);
    if (der->model->open) add_open(der, to, lin, out);
}

double ss_following_change(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, int i,
                           int which)
{
    const ss_actions* actions = der->model->actions;
    const ss_jacobian* slopes = &actions->slopes;
    const ss_open_following* own = der->sim->open.following;
    while (own->contact != i) own++;
    int direction = which % 2;
    int output = own->larger[direction] > 0 ? own->output[which] : own->output[direction];
    double sum = 0.0;
    if (output < 0) return 0.0;
    for (int e = 0; e < slopes->count; e++)
        if (slopes->row[e] == output) sum += lin->by.slope[e] * der->delta.vars[slopes->variable[e]];
    if (to->change && to->change->programs) sum += ss_sensitivity_tangent_numbers(der, to, lin)[output];
    return sum;
}
