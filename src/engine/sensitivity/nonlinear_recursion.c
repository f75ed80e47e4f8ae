// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The recursion of nonlinear_series.c: series of sensitivities, order by order, from the slopes that are
// known of the step.
#include "engine/field/field.h"
#include "engine/sensitivity/nonlinear_series.h"
#include "engine/sensitivity/program_tangent.h"

#include <string.h>

// What order k of two changes adds to itself and to later orders, up to `last` and a little beyond: out += x
// by_x + y by_y.
static inline __attribute__((always_inline)) void spread(double x, const double by_x[], double y,
                                                         const double by_y[], int k, int last, double out[])
{
    for (int c = 0; c <= last - k; c += 4)
        *(ss_four*)(out + k + c) += x * *(const ss_four*)(by_x + c) + y * *(const ss_four*)(by_y + c);
}

static inline __attribute__((always_inline)) void spread_one(double x, const double by_x[], int k, int last,
                                                             double out[])
{
    for (int c = 0; c <= last - k; c += 4) *(ss_four*)(out + k + c) += x * *(const ss_four*)(by_x + c);
}

// Order k of the force of one contact; its state goes on to k + 1.
static inline __attribute__((always_inline)) double
force_change_of(const ss_along_slopes* slopes, ss_nonlinear_contact* to, int k, int last, double dv)
{
    if (slopes->bends) spread_one(dv, slopes->force_v, k, last, to->force);
    if (slopes->leans) spread_one(to->z[k], slopes->force_z, k, last, to->force);
    double force = slopes->by_v * dv + to->force[k];
    if (!slopes->state) return force;
    spread(dv, slopes->rate_v, to->z[k], slopes->rate_z, k, last, to->rate);
    to->z[k + 1] = to->rate[k] / (k + 1);
    return force + slopes->by_z * to->z[k] + slopes->by_rate * to->rate[k];
}

SS_WIDE static double force_change(const ss_along_slopes* slopes, ss_nonlinear_contact* to, int k, int last,
                                   double dv)
{
    return force_change_of(slopes, to, k, last, dv);
}

SS_WIDE static double wide_product(const double a[], const double back[], int k)
{
    return ss_back_product(a, back, k);
}

// One mass on one contact, the commonest system of all: orders 1 and above of a sensitivity along which
// nothing but the law and constants change.
SS_WIDE static void run_mass(const ss_along_slopes* slopes, ss_nonlinear_contact* to, const ss_law_mass* mass,
                             int last)
{
    double* q = mass->q;
    for (int k = 1; k <= last; k++) {
        double v = (k + 1) * q[k + 1], force = force_change_of(slopes, to, k, last, mass->row * v);
        double a = mass->mobility * force - (mass->stiffness * q[k] + mass->damping * v);
        q[k + 2] = a / ((k + 1.0) * (k + 2.0));
    }
}

// The same of an element, as a pull on the contact.
static inline __attribute__((always_inline)) double
element_change_of(const ss_element_slopes* slopes, ss_nonlinear_element* to, int k, int last, double dv)
{
    double rate = slopes->stretch * dv;
    if (slopes->slips) spread(dv, slopes->rate_v, to->z[k], slopes->rate_z, k, last, to->rate);
    if (slopes->slips || to->moves) rate += to->rate[k];
    to->z[k + 1] = rate / (k + 1);
    return slopes->pull * to->z[k];
}

static double pull_change(const ss_derivative* der, int j, int z)
{
    const ss_model_change* change = der->sensitivities[j].change;
    return change ? change->element.pull[z] : 0.0;
}

SS_WIDE static double elements_change(const ss_derivative* der, int j, int i, int k, int last, double dv)
{
    const struct ss_nonlinear_series* own = der->ways.bends;
    double force = 0.0;
    for (int z = der->z_at[i]; z < der->z_at[i] + der->z_count[i]; z++) {
        force += element_change_of(&own->elements[z], &own->pieces[j * der->nz + z], k, last, dv);
        force += pull_change(der, j, z) * own->elements[z].z[k];
    }
    return force;
}

// Whether an element goes in proportion to the place of its contact, as those that stick do.
static bool is_spring(const ss_derivative* der, int j, int z)
{
    const struct ss_nonlinear_series* own = der->ways.bends;
    return !own->elements[z].slips && !own->pieces[j * der->nz + z].moves && pull_change(der, j, z) == 0.0;
}

static inline void follow_place(double factor, const double* restrict q, int last, double* restrict out)
{
    for (int k = 2; k <= last; k++) out[k] = factor * q[k];
}

// One mass on a contact with elements, likewise. Elements that are springs add to its stiffness, and are told
// of their changes in the end.
SS_WIDE static void run_mass_on_elements(const ss_derivative* der, int j, const ss_law_mass* mass, int last)
{
    const struct ss_nonlinear_series* own = der->ways.bends;
    const ss_element_slopes* slopes[SS_MOST_ELEMENTS];
    ss_nonlinear_element* pieces[SS_MOST_ELEMENTS];
    double *q = mass->q, springs = 0.0, pulls[SS_MOST_ELEMENTS];
    int count = 0;
    for (int z = 0; z < der->nz; z++) {
        if (is_spring(der, j, z)) {
            springs += own->elements[z].pull * own->elements[z].stretch * mass->row;
            continue;
        }
        slopes[count] = &own->elements[z];
        pieces[count] = &own->pieces[j * der->nz + z];
        pulls[count++] = pull_change(der, j, z);
    }
    for (int k = 1; k <= last; k++) {
        double v = (k + 1) * q[k + 1], dv = mass->row * v;
        double force = force_change_of(&own->slopes[0], &own->sensitivities[j], k, last, dv) + springs * q[k];
        for (int e = 0; e < count; e++)
            force += element_change_of(slopes[e], pieces[e], k, last, dv) + pulls[e] * slopes[e]->z[k];
        double a = mass->mobility * force - (mass->stiffness * q[k] + mass->damping * v);
        q[k + 2] = a / ((k + 1.0) * (k + 2.0));
    }
    for (int z = 0; z < der->nz; z++)
        if (is_spring(der, j, z))
            follow_place(own->elements[z].stretch * mass->row, q, last + 1, own->pieces[j * der->nz + z].z);
}

// One mass at a stop, by its clock: dq/ds = (dt/ds) dq', dq'/ds = (dt/ds) dq''.
SS_WIDE static void run_mass_by_clock(const ss_derivative* der, int j, const ss_law_mass* mass, int last)
{
    const struct ss_nonlinear_series* own = der->ways.bends;
    const double* pace = der->sim->step.clock.pace;
    double *q = mass->q, *speed = ss_back_of(der, own->speed, j, 0),
           *accel = ss_back_of(der, own->accel, j, 0);
    ss_nonlinear_contact* to = &own->sensitivities[j];
    for (int k = 1; k <= last; k++) {
        double v = speed[SS_MAX_ORDER - k];
        double force = force_change_of(&own->slopes[0], to, k, last, mass->row * v);
        to->y[SS_MAX_ORDER - k] = mass->row * q[k];
        force += ss_back_product(own->by_place[0], to->y, k);
        accel[SS_MAX_ORDER - k] = mass->mobility * force - (mass->stiffness * q[k] + mass->damping * v);
        q[k + 1] = ss_back_product(pace, speed, k) / (k + 1);
        speed[SS_MAX_ORDER - k - 1] = ss_back_product(pace, accel, k) / (k + 1);
    }
}

// What a stop that gives way does where its place changes.
static double place_change(ss_derivative* der, int j, int place, int k, bool general, const ss_delta* io)
{
    struct ss_nonlinear_series* own = der->ways.bends;
    int i = own->contact[place];
    const ss_contact* contact = &der->model->contacts[i];
    const ss_values* at = &der->points[0].at;
    const ss_model_change* change = der->sensitivities[j].change;
    ss_nonlinear_contact* to = &own->sensitivities[j * own->count + place];
    double dx = ss_row_dot(&contact->q, io->q);
    if (general) dx += ss_row_dot(&contact->d, io->d);
    if (general && io->offset) dx += ss_row_dot(&contact->bodies, io->offset);
    if (general && change) dx += ss_row_dot(&change->q[i], at->q) + ss_row_dot(&change->d[i], at->d);
    if (k == 0 && change) dx -= change->place[i];
    to->y[SS_MAX_ORDER - k] = dx;
    return wide_product(own->by_place[place], to->y, k);
}

static void add_forces(ss_derivative* der, int j, int k, int last, bool general, ss_delta* io)
{
    struct ss_nonlinear_series* own = der->ways.bends;
    const ss_linear* lin = &der->points[0];
    const ss_model_change* change = der->sensitivities[j].change;
    for (int place = 0; place < own->count; place++) {
        int i = own->contact[place];
        const ss_contact* contact = &der->model->contacts[i];
        if (!own->active[place]) continue;
        double dv = ss_row_dot(&contact->q, io->v);
        if (general) dv += ss_row_dot(&contact->d, io->d1);
        if (general && change)
            dv += ss_row_dot(&change->q[i], lin->at.v) + ss_row_dot(&change->d[i], lin->at.d1);
        ss_nonlinear_contact* to = &own->sensitivities[j * own->count + place];
        double force = force_change(&own->slopes[place], to, k, last, dv);
        if (ss_contact_is(contact, SS_TRAIT_GIVES_WAY)) force += place_change(der, j, place, k, general, io);
        if (contact->elements > 0) force += elements_change(der, j, i, k, last, dv);
        io->lambda[i] += force;
        for (int l = 0; l < contact->mobility.count; l++)
            io->a[contact->mobility.index[l]] += contact->mobility.value[l] * force;
    }
}

// All but the contacts that bend and those that hold. Where nothing but laws and constants changes, orders
// above 0 have springs and dampers alone.
static void add_rest(ss_derivative* der, ss_sensitivity* to, bool general, ss_delta* io)
{
    const ss_operator* op = &der->model->matrices.flow;
    const ss_linear* lin = &der->points[0];
    if (general) {
        ss_given_at(der, to, &lin->at, io);
        io->m = lin->at.constant ? to->m : NULL;
        io->offset = lin->at.constant ? to->offset : NULL;
        ss_linear_apply(der, lin, to, io);
        if (to->change) ss_change_add(der, to, lin, io);
        return;
    }
    for (int i = 0; i < der->n; i++) {
        double sum = 0.0;
        for (int l = op->start[i]; l < op->start[i + 1]; l++)
            sum -= op->stiffness[l] * io->q[op->index[l]] + op->damping[l] * io->v[op->index[l]];
        io->a[i] = sum;
    }
    for (int i = 0; i < der->m; i++) io->held[i] = 0.0;
}

static void begin_sensitivity(ss_derivative* der, int j)
{
    const ss_sensitivity* to = &der->sensitivities[j];
    size_t n = (size_t)der->n, d = sizeof(double);
    struct ss_nonlinear_series* own = der->ways.bends;
    memcpy(to->series_q, to->q, n * d);
    memcpy(to->series_q + n, to->v, n * d);
    for (int i = 0; i < der->n && der->sim->step.clock.stop; i++)
        ss_back_of(der, own->speed, j, i)[SS_MAX_ORDER] = to->v[i];
    memcpy(to->series_s, to->s, (size_t)der->ns * d);
    size_t orders = (size_t)ss_sensitivity_last_order(&der->sim->step) + 1;
    for (int place = 0; place < own->count; place++) {
        ss_nonlinear_contact* mine = &own->sensitivities[j * own->count + place];
        if (!own->active[place]) continue;
        if (der->z_at[own->contact[place]] >= 0) mine->z[0] = to->z[der->z_at[own->contact[place]]];
        if (!mine->moves) memset(mine->force, 0, orders * d);
        if (!mine->moves && own->slopes[place].state) memset(mine->rate, 0, orders * d);
    }
    for (int z = 0; z < der->nz; z++) {
        ss_nonlinear_element* mine = &own->pieces[j * der->nz + z];
        mine->z[0] = to->z[z];
        if (!mine->moves && own->elements[z].slips) memset(mine->rate, 0, orders * d);
    }
}

// With a clock dq/ds = (dt/ds) dq' and dq'/ds = (dt/ds) dq''.
static void follow_clock(ss_derivative* der, int j, int k, double* next)
{
    const double* pace = der->sim->step.clock.pace;
    for (int i = 0; i < der->n; i++) {
        double *v = ss_back_of(der, der->ways.bends->speed, j, i),
               *a = ss_back_of(der, der->ways.bends->accel, j, i);
        a[SS_MAX_ORDER - k] = der->delta.a[i];
        next[i] = wide_product(pace, v, k) / (k + 1);
        v[SS_MAX_ORDER - k - 1] = wide_product(pace, a, k) / (k + 1);
    }
}

static inline void multiply(size_t n, double factor, const double* restrict from, double* restrict to)
{
    for (size_t i = 0; i < n; i++) to[i] = factor * from[i];
}

// How much of an order is there besides contacts: springs and dampers, what higher_orders.c has in brief, or
// all.
typedef enum extent { SPRINGS, BRIEF, ALL } extent;

static void run_order(ss_derivative* der, int j, int k, int last, extent rest)
{
    size_t n = (size_t)der->n, ns = (size_t)der->ns;
    ss_sensitivity* to = &der->sensitivities[j];
    ss_delta* io = &der->delta;
    double *q = to->series_q + (size_t)k * n, *s = to->series_s + (size_t)k * ns;
    double once = k + 1.0, scale = 1.0 / (once * (k + 2.0));
    bool general = rest == ALL;
    bool clocked = der->sim->step.clock.stop != NULL;
    if (!clocked) multiply(n, once, q + n, der->room.rates);
    for (int i = 0; i < der->n && clocked; i++)
        der->room.rates[i] = ss_back_of(der, der->ways.bends->speed, j, i)[SS_MAX_ORDER - k];
    io->q = q;
    io->v = der->room.rates;
    io->s = s;
    io->z = to->z;
    if (rest == BRIEF)
        ss_sensitivity_brief_rates(der, to, k, io);
    else
        add_rest(der, to, general, io);
    add_forces(der, j, k, last, general, io);
    if (der->sim->modes.active_count > 0) {
        for (int i = 0; i < der->nd && !general; i++) io->d2[i] = 0.0;
        ss_field_hold_change(der->sim->field, io);
    }
    if (clocked) follow_clock(der, j, k, q + n);
    if (!clocked) multiply(n, scale, io->a, q + 2 * n);
    for (size_t i = 0; i < ns; i++) s[ns + i] = io->rate[i] / once;
}

// Whether the step is that of one mass on one contact, which bends; then it is taken to its end.
static bool run_alone(ss_derivative* der, int j)
{
    struct ss_nonlinear_series* own = der->ways.bends;
    const ss_operator* op = &der->model->matrices.flow;
    if (der->n != 1 || der->m != 1 || !own->active[0] || own->general[j] || der->sim->modes.active_count > 0)
        return false;
    const ss_contact* contact = &der->model->contacts[0];
    bool stop = ss_contact_is(contact, SS_TRAIT_GIVES_WAY), clocked = der->sim->step.clock.stop;
    if (contact->q.count != 1 || contact->mobility.count != 1 || stop != clocked) return false;
    ss_law_mass mass = {.row = contact->q.value[0],
                        .mobility = contact->mobility.value[0],
                        .q = der->sensitivities[j].series_q};
    for (int l = op->start[0]; l < op->start[1]; l++) {
        mass.stiffness += op->stiffness[l];
        mass.damping += op->damping[l];
    }
    int last = ss_sensitivity_last_order(&der->sim->step);
    if (clocked)
        run_mass_by_clock(der, j, &mass, last);
    else if (contact->elements > 0)
        run_mass_on_elements(der, j, &mass, last);
    else
        run_mass(&own->slopes[0], &own->sensitivities[j], &mass, last);
    return true;
}

void ss_run_nonlinear_series(ss_derivative* der)
{
    const struct ss_nonlinear_series* own = der->ways.bends;
    int last = ss_sensitivity_last_order(&der->sim->step);
    ss_linear_order(der, 0, &der->points[0]);
    for (int j = 0; j < der->count; j++)
        if (!der->sensitivities[j].lost) {
            begin_sensitivity(der, j);
            run_order(der, j, 0, last, ALL);
        }
    for (int j = 0; j < der->count; j++) {
        if (der->sensitivities[j].lost || run_alone(der, j)) continue;
        bool brief = der->sensitivities[j].brief && !der->sim->step.clock.stop;
        extent rest = !own->general[j] ? SPRINGS : brief ? BRIEF : ALL;
        for (int k = 1; k <= last; k++) {
            if (rest == ALL) ss_linear_order(der, k, &der->points[0]);
            run_order(der, j, k, last, rest);
        }
    }
}
