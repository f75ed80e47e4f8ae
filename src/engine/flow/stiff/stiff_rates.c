// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The equations of motion at a point, in one mode, and their Jacobian: what the series know coefficient by
// coefficient. The sign of v is that of the mode, also where a node lies beyond a reversal: formulas go on as
// they are before it, because a kink at a node would spoil the polynomial in the whole step, and with it the
// time of the reversal. Where they cannot go on, ss_stiff_strays says so.
#include "core/algebra/polynomial.h"
#include "engine/flow/contact.h"
#include "engine/flow/stiff.h"
#include "law/fall.h"
#include "law/table.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double sign_of(const ss_sim* sim, int i)
{
    return sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
}

void ss_stiff_drives(const ss_sim* sim, double s, double out[])
{
    int nd = sim->model->drive_count;
    for (int j = 0; j < nd; j++) {
        double x = 0.0, v = 0.0, a = 0.0;
        for (int k = sim->inputs.order; k >= 0; k--) {
            a = a * s + 2.0 * v;
            v = v * s + x;
            x = x * s + sim->step.d[(size_t)k * (size_t)nd + (size_t)j];
        }
        out[j] = x;
        out[nd + j] = v;
        out[2 * nd + j] = a;
    }
}

// ---- one law at a point

static ss_response bristle_at(const ss_sim* sim, const ss_bristle* b, double moved, double v, double z)
{
    const ss_contact* contact = &sim->model->contacts[b->contact];
    ss_law_point point = {.y = moved, .v = v, .sign = b->along.sign, .z = z, .along = &b->along};
    ss_response out;
    contact->law_row->point.at(ss_law_of(contact), &point, &out);
    return out;
}

static double penetration(const ss_sim* sim, const ss_elastic* stop, double moved)
{
    return sim->model->contacts[stop->contact].stop.side * moved - sim->modes.contacts[stop->contact].gap;
}

// An elastic stop that is closed.
static ss_response elastic_at(const ss_sim* sim, const ss_elastic* stop, double moved, double v)
{
    const ss_contact* contact = &sim->model->contacts[stop->contact];
    ss_law_point point = {.y = penetration(sim, stop, moved), .v = v, .sign = 1.0, .branch = stop->branch};
    ss_response out;
    contact->law_row->point.at(ss_law_of(contact), &point, &out);
    return out;
}

// ---- all forces

static void add_mobility(const ss_row* row, double force, double a[])
{
    for (int k = 0; k < row->count; k++) a[row->index[k]] += row->value[k] * force;
}

static void add_springs(const ss_sim* sim, const double q[], const double v[], double a[])
{
    const ss_operator* op = &sim->model->matrices.flow;
    for (int i = 0; i < sim->model->n; i++) {
        double sum = sim->pulls.constant[i];
        for (int l = op->start[i]; l < op->start[i + 1]; l++)
            sum -= op->stiffness[l] * q[op->index[l]] + op->damping[l] * v[op->index[l]];
        a[i] = sum;
    }
}

static double elongation(const ss_sim* sim, const ss_connection* spring, const double q[], const double d[])
{
    return ss_row_dot(&spring->q, q) + ss_row_dot(&spring->d, d) +
           ss_row_dot(&spring->bodies, sim->bodies.offset) - spring->length;
}

static void add_inputs(const ss_sim* sim, double s, const double q[], const double d[], const double d1[],
                       double a[])
{
    const ss_model* model = sim->model;
    for (int j = 0; j < sim->inputs.varying_count; j++) {
        int f = sim->inputs.varying[j];
        add_mobility(&model->forces[f].mobility,
                     ss_poly_value(sim->inputs.force + f, model->force_count, sim->inputs.order, s), a);
    }
    const ss_sparse *stiff = &model->matrices.drive_stiffness, *damp = &model->matrices.drive_damping;
    for (int i = 0; i < model->n && model->drive_count > 0; i++) {
        for (int l = stiff->start[i]; l < stiff->start[i + 1]; l++)
            a[i] -= stiff->value[l] * d[stiff->index[l]];
        for (int l = damp->start[i]; l < damp->start[i + 1]; l++) a[i] -= damp->value[l] * d1[damp->index[l]];
    }
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        double e = spring->cubic == 0.0 ? 0.0 : elongation(sim, spring, q, d);
        if (e != 0.0) add_mobility(&spring->mobility, -spring->cubic * e * e * e, a);
    }
}

// What the law of a slipping contact knows of the step; NULL where it asks for nothing.
static const ss_along* along_of(const ss_sim* sim, int i)
{
    if (ss_is_bristle(sim, i)) return &sim->laws.bristles[sim->laws.bristle_at[i]].along;
    return sim->laws.curved_at[i] >= 0 ? &sim->laws.curved[sim->laws.curved_at[i]] : NULL;
}

// A contact that slips, at a point.
static void slip_at(const ss_sim* sim, int i, double v, ss_response* out)
{
    const ss_contact* contact = &sim->model->contacts[i];
    ss_law_point point = {.v = v, .sign = sign_of(sim, i), .along = along_of(sim, i)};
    contact->law_row->point.at(ss_law_of(contact), &point, out);
}

// Force of contact i while it slips; by its own series where it does not depend on the state.
static double slip_force(ss_sim* sim, int i, double s, double v)
{
    const ss_contact* contact = &sim->model->contacts[i];
    double sum = 0.0;
    if (contact->law_row->point.at) {
        ss_response out;
        slip_at(sim, i, v, &out);
        return out.force;
    }
    for (int k = sim->inputs.level_at[i] >= 0 ? sim->inputs.order : 0; k >= 0; k--)
        sum = sum * s + ss_slip_force(sim, i, k);
    return sum;
}

static double pinned_force(const ss_sim* sim, int i, double s)
{
    bool low = sim->modes.contacts[i].edge < 0;
    double sum = 0.0;
    if (sim->modes.contacts[i].idle) return 0.0;
    for (int k = sim->inputs.level_at[i] >= 0 ? sim->inputs.order : 0; k >= 0; k--)
        sum = sum * s + (low ? ss_hold_low(sim, i, k) : ss_hold_high(sim, i, k));
    return sum;
}

// Forces of the contacts that hold: those that keep W^T a + Wd^T d'' = 0.
static void add_holds(ss_sim* sim, double s, const double d2[], double a[], double lambda[])
{
    const ss_model* model = sim->model;
    for (int j = 0; j < sim->modes.active_count; j++) {
        const ss_group* group = &model->groups[sim->modes.active[j]];
        const ss_hold* hold = &sim->modes.holds[sim->modes.active[j]];
        for (int p = 0; p < group->count; p++) {
            int i = group->contacts[p];
            if (!sim->modes.contacts[i].pinned) continue;
            lambda[i] = pinned_force(sim, i, s);
            add_mobility(&model->contacts[i].mobility, lambda[i], a);
        }
        // The bias of redundant contacts moves nothing only together with what the others hold, as in the
        // series: it comes first.
        for (int k = 0; k < hold->count && hold->singular; k++)
            add_mobility(&model->contacts[group->contacts[hold->places[k]]].mobility, hold->bias[k], a);
        double* b = sim->work.numbers;
        for (int k = 0; k < hold->count; k++) {
            const ss_contact* contact = &model->contacts[group->contacts[hold->places[k]]];
            b[k] = ss_row_dot(&contact->q, a) + ss_row_dot(&contact->d, d2);
        }
        for (int k = 0; k < hold->count; k++) {
            double force = 0.0;
            for (int c = 0; c < hold->count; c++) force -= hold->inverse[k * hold->count + c] * b[c];
            int i = group->contacts[hold->places[k]];
            lambda[i] = force + (hold->singular ? hold->bias[k] : 0.0);
            add_mobility(&model->contacts[i].mobility, force, a);
        }
    }
}

// Position of a contact along its row at a point, less that at the start of the step.
static double moved_to(const ss_sim* sim, const ss_contact* contact, const double q[], const double d[])
{
    return ss_row_dot(&contact->q, q) - ss_row_dot(&contact->q, sim->step.q) + ss_row_dot(&contact->d, d) -
           ss_row_dot(&contact->d, sim->step.d);
}

// Force and derivatives of an elastic stop at a point; false where it is open.
static bool touch(const ss_sim* sim, const ss_elastic* stop, const ss_stiff_point* at, ss_response* out)
{
    const ss_contact* contact = &sim->model->contacts[stop->contact];
    const double *d = at->drives, *d1 = d + sim->model->drive_count;
    if (sim->modes.contacts[stop->contact].mode != SS_MODE_CLOSED) return false;
    double v = ss_row_dot(&contact->q, at->state) + ss_row_dot(&contact->d, d1);
    *out = elastic_at(sim, stop, moved_to(sim, contact, at->q, d), v);
    return true;
}

static void add_elastic(const ss_sim* sim, const ss_stiff_point* at, double a[], double lambda[])
{
    ss_response p;
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        int i = sim->laws.elastic[e].contact;
        if (!touch(sim, &sim->laws.elastic[e], at, &p)) continue;
        lambda[i] = p.force;
        add_mobility(&sim->model->contacts[i].mobility, p.force, a);
    }
}

void ss_stiff_rates(ss_sim* sim, const ss_stiff_point* at, double rates[], double lambda[])
{
    const ss_model* model = sim->model;
    int n = model->n, nd = model->drive_count;
    const double *d = at->drives, *d1 = d + nd, *d2 = d1 + nd, *q = at->q, *v = at->state, *z = v + n;
    double* a = rates;
    add_springs(sim, q, v, a);
    add_inputs(sim, at->s, q, d, d1, a);
    int open = sim->ways.stiff->open;
    if (model->open) ss_open_stiff_rates(sim, at, at->state + open, a, rates + open);
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        lambda[i] = 0.0;
        if (!ss_slips(sim, i)) continue;
        double speed = ss_row_dot(&contact->q, v) + ss_row_dot(&contact->d, d1);
        if (ss_is_bristle(sim, i)) {
            int j = sim->laws.bristle_at[i];
            ss_response p =
                bristle_at(sim, &sim->laws.bristles[j], moved_to(sim, contact, q, d), speed, z[j]);
            rates[n + j] = p.rate;
            lambda[i] = p.force;
        } else {
            lambda[i] = slip_force(sim, i, at->s, speed);
        }
        add_mobility(&contact->mobility, lambda[i], a);
    }
    add_elastic(sim, at, a, lambda);
    add_holds(sim, at->s, d2, a, lambda);
    for (int c = 0; c < n; c++)
        if (sim->ways.stiff->frozen[c]) a[c] = 0.0;
}

bool ss_stiff_strays(const ss_sim* sim, const ss_stiff_point* at)
{
    const ss_model* model = sim->model;
    const double *d = at->drives, *d1 = d + model->drive_count;
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (!ss_slips(sim, i) || !contact->law_row->point.ends) continue;
        // The velocity of a bristle that stands still is nothing but rounding.
        if (ss_is_bristle(sim, i) && sim->laws.bristles[sim->laws.bristle_at[i]].still) continue;
        double v = ss_row_dot(&contact->q, at->state) + ss_row_dot(&contact->d, d1);
        double moved = moved_to(sim, contact, at->q, d);
        if (contact->law_row->point.ends(ss_law_of(contact), along_of(sim, i), v, moved)) return true;
    }
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        const ss_elastic* stop = &sim->laws.elastic[e];
        const ss_contact* contact = &model->contacts[stop->contact];
        if (sim->modes.contacts[stop->contact].mode != SS_MODE_CLOSED) continue;
        if (ss_power_is_whole(stop->form.exponent)) continue;
        if (penetration(sim, stop, moved_to(sim, contact, at->q, d)) < 0.0) return true;
    }
    return false;
}

// ---- the Jacobian

// block += factor mobility row
static void add_outer(double jacobian[], int width, const ss_row* mobility, double factor, const ss_row* row,
                      int shift)
{
    if (factor == 0.0) return;
    for (int i = 0; i < mobility->count; i++)
        for (int k = 0; k < row->count; k++)
            jacobian[mobility->index[i] * width + shift + row->index[k]] +=
                factor * mobility->value[i] * row->value[k];
}

static void differentiate_bristle(const ss_sim* sim, int i, double v, double z, double jacobian[])
{
    const ss_contact* contact = &sim->model->contacts[i];
    int n = sim->model->n, width = n + sim->ways.stiff->states, j = sim->laws.bristle_at[i];
    ss_response p = bristle_at(sim, &sim->laws.bristles[j], 0.0, v, z);
    add_outer(jacobian, width, &contact->mobility, p.force_y, &contact->q, 0);
    add_outer(jacobian, width, &contact->mobility, p.force_v, &contact->q, n);
    for (int k = 0; k < contact->mobility.count; k++)
        jacobian[contact->mobility.index[k] * width + 2 * n + j] += p.force_z * contact->mobility.value[k];
    for (int k = 0; k < contact->q.count; k++)
        jacobian[(n + j) * width + n + contact->q.index[k]] = p.rate_v * contact->q.value[k];
    jacobian[(n + j) * width + 2 * n + j] = p.rate_z;
}

static void differentiate_elastic(const ss_sim* sim, const ss_stiff_point* at, double jacobian[])
{
    int n = sim->model->n, width = n + sim->ways.stiff->states;
    ss_response p;
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        const ss_contact* contact = &sim->model->contacts[sim->laws.elastic[e].contact];
        if (!touch(sim, &sim->laws.elastic[e], at, &p)) continue;
        add_outer(jacobian, width, &contact->mobility, p.force_y, &contact->q, 0);
        add_outer(jacobian, width, &contact->mobility, p.force_v, &contact->q, n);
    }
}

// Contacts that hold take from every column what would move them.
static void project_columns(const ss_sim* sim, double jacobian[], int width)
{
    const ss_model* model = sim->model;
    for (int j = 0; j < sim->modes.active_count; j++) {
        const ss_group* group = &model->groups[sim->modes.active[j]];
        const ss_hold* hold = &sim->modes.holds[sim->modes.active[j]];
        double* b = sim->work.numbers;
        for (int column = 0; column < width; column++) {
            for (int k = 0; k < hold->count; k++) {
                const ss_row* row = &model->contacts[group->contacts[hold->places[k]]].q;
                b[k] = 0.0;
                for (int c = 0; c < row->count; c++)
                    b[k] += row->value[c] * jacobian[row->index[c] * width + column];
            }
            for (int k = 0; k < hold->count; k++) {
                double force = 0.0;
                for (int c = 0; c < hold->count; c++) force -= hold->inverse[k * hold->count + c] * b[c];
                const ss_row* row = &model->contacts[group->contacts[hold->places[k]]].mobility;
                for (int c = 0; c < row->count; c++)
                    jacobian[row->index[c] * width + column] += row->value[c] * force;
            }
        }
    }
}

void ss_stiff_jacobian(ss_sim* sim, const ss_stiff_point* at, double jacobian[])
{
    const ss_model* model = sim->model;
    const ss_operator* op = &model->matrices.flow;
    int n = model->n, states = sim->ways.stiff->states, width = n + states;
    const double *d = at->drives, *d1 = d + model->drive_count, *q = at->q, *state = at->state;
    memset(jacobian, 0, (size_t)states * (size_t)width * sizeof(double));
    for (int i = 0; i < n; i++)
        for (int l = op->start[i]; l < op->start[i + 1]; l++) {
            jacobian[i * width + op->index[l]] -= op->stiffness[l];
            jacobian[i * width + n + op->index[l]] -= op->damping[l];
        }
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        if (spring->cubic == 0.0) continue;
        double e = elongation(sim, spring, q, d);
        add_outer(jacobian, width, &spring->mobility, -3.0 * spring->cubic * e * e, &spring->q, 0);
    }
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (!ss_slips(sim, i)) continue;
        double v = ss_row_dot(&contact->q, state) + ss_row_dot(&contact->d, d1);
        if (ss_is_bristle(sim, i))
            differentiate_bristle(sim, i, v, state[n + sim->laws.bristle_at[i]], jacobian);
        if (ss_is_bristle(sim, i) || !contact->law_row->point.at) continue;
        ss_response p;
        slip_at(sim, i, v, &p);
        add_outer(jacobian, width, &contact->mobility, p.force_v, &contact->q, n);
    }
    differentiate_elastic(sim, at, jacobian);
    if (model->open)
        ss_open_stiff_jacobian(sim, at, state + sim->ways.stiff->open, sim->ways.stiff->open, jacobian);
    project_columns(sim, jacobian, width);
    for (int c = 0; c < n; c++)
        if (sim->ways.stiff->frozen[c]) memset(jacobian + c * width, 0, (size_t)width * sizeof(double));
}

double ss_bristle_rate(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    double rate = 0.0;
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        const ss_bristle* b = &sim->laws.bristles[j];
        const ss_contact* contact = &model->contacts[b->contact];
        const ss_group* group = &model->groups[contact->group];
        double mobility = group->coupling[contact->place * (group->count + 1)];
        double v = ss_relative_velocity(sim, b->contact, 0);
        ss_response p = bristle_at(sim, b, 0.0, v, b->along.z[0]);
        rate += fabs(p.rate_z) + mobility * fabs(p.force_v) +
                sqrt(mobility * (fabs(p.force_z * p.rate_v) + fabs(p.force_y)));
    }
    return rate;
}

void ss_stiff_place_noise(const ss_sim* sim, double noise[])
{
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        const ss_bristle* b = &sim->laws.bristles[j];
        const ss_contact* contact = &sim->model->contacts[b->contact];
        if (!contact->law_row->elements.count) continue;
        double v = ss_relative_velocity(sim, b->contact, 0), place = fabs(b->from);
        ss_response p = bristle_at(sim, b, 0.0, v, b->along.z[0]);
        for (int k = 0; k < contact->q.count; k++)
            place += fabs(contact->q.value[k] * sim->step.q[contact->q.index[k]]);
        for (int k = 0; k < contact->mobility.count; k++)
            noise[contact->mobility.index[k]] +=
                DBL_EPSILON * fabs(contact->mobility.value[k] * p.force_y) * place;
    }
}

// How fast the bodies follow the elastic stops that are closed.
static double elastic_rate(const ss_sim* sim)
{
    double rate = 0.0;
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        const ss_elastic* stop = &sim->laws.elastic[e];
        const ss_contact* contact = &sim->model->contacts[stop->contact];
        const ss_group* group = &sim->model->groups[contact->group];
        if (sim->modes.contacts[stop->contact].mode != SS_MODE_CLOSED) continue;
        double mobility = group->coupling[contact->place * (group->count + 1)];
        ss_response p = elastic_at(sim, stop, 0.0, ss_relative_velocity(sim, stop->contact, 0));
        rate += mobility * fabs(p.force_v) + sqrt(mobility * fabs(p.force_y));
    }
    return rate;
}

// How fast the bodies follow cubic springs and friction that depends on the speed.
static double curved_rate(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    double rate = 0.0;
    for (int c = 0; c < model->connection_count && sim->pulls.has_cubic; c++) {
        const ss_connection* spring = &model->connections[c];
        if (spring->cubic == 0.0) continue;
        double e = elongation(sim, spring, sim->step.q, sim->step.d), mobility = 0.0;
        for (int k = 0; k < spring->q.count; k++)
            for (int l = 0; l < spring->mobility.count; l++)
                if (spring->mobility.index[l] == spring->q.index[k])
                    mobility += spring->q.value[k] * spring->mobility.value[l];
        rate += fabs(e) * sqrt(3.0 * mobility * fabs(spring->cubic));
    }
    for (int i = 0; i < model->contact_count; i++) {
        if (sim->laws.curved_at[i] < 0 || !ss_slips(sim, i)) continue;
        const ss_contact* contact = &model->contacts[i];
        const ss_group* group = &model->groups[contact->group];
        double mobility = group->coupling[contact->place * (group->count + 1)];
        ss_response p;
        slip_at(sim, i, ss_relative_velocity(sim, i, 0), &p);
        rate += mobility * fabs(p.force_v);
    }
    return rate;
}

double ss_stiff_rate(const ss_sim* sim)
{
    double open = sim->model->open ? ss_open_stiff_rate(sim) : 0.0;
    return sim->model->bounds.rate + ss_bristle_rate(sim) + elastic_rate(sim) + curved_rate(sim) + open;
}
