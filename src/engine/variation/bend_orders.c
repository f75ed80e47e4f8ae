// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The recursion of bend.c: series of headings, order by order, from the slopes that are known of the step.
#include "engine/field/field.h"
#include "engine/variation/bend.h"
#include "engine/variation/tangent.h"

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
static inline __attribute__((always_inline)) double force_change_of(const ss_along_slopes* slopes,
                                                                    ss_bent* to, int k, int last, double dv)
{
    if (slopes->bends) spread_one(dv, slopes->force_v, k, last, to->force);
    if (slopes->leans) spread_one(to->z[k], slopes->force_z, k, last, to->force);
    double force = slopes->by_v * dv + to->force[k];
    if (!slopes->state) return force;
    spread(dv, slopes->rate_v, to->z[k], slopes->rate_z, k, last, to->rate);
    to->z[k + 1] = to->rate[k] / (k + 1);
    return force + slopes->by_z * to->z[k] + slopes->by_rate * to->rate[k];
}

SS_WIDE static double force_change(const ss_along_slopes* slopes, ss_bent* to, int k, int last, double dv)
{
    return force_change_of(slopes, to, k, last, dv);
}

SS_WIDE static double wide_product(const double a[], const double back[], int k)
{
    return ss_back_product(a, back, k);
}

// One mass on one contact, the commonest system of all: orders 1 and above of a heading along which nothing
// but the law and constants change.
SS_WIDE static void run_mass(const ss_along_slopes* slopes, ss_bent* to, const ss_law_mass* mass, int last)
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
element_change_of(const ss_element_slopes* slopes, ss_bent_piece* to, int k, int last, double dv)
{
    double rate = slopes->stretch * dv;
    if (slopes->slips) spread(dv, slopes->rate_v, to->z[k], slopes->rate_z, k, last, to->rate);
    if (slopes->slips || to->moves) rate += to->rate[k];
    to->z[k + 1] = rate / (k + 1);
    return slopes->pull * to->z[k];
}

static double pull_change(const ss_variation* var, int j, int z)
{
    const ss_change* change = var->headings[j].change;
    return change ? change->element.pull[z] : 0.0;
}

SS_WIDE static double elements_change(const ss_variation* var, int j, int i, int k, int last, double dv)
{
    const struct ss_vary_bends* own = var->ways.bends;
    double force = 0.0;
    for (int z = var->z_at[i]; z < var->z_at[i] + var->z_count[i]; z++) {
        force += element_change_of(&own->elements[z], &own->pieces[j * var->nz + z], k, last, dv);
        force += pull_change(var, j, z) * own->elements[z].z[k];
    }
    return force;
}

// Whether an element goes in proportion to the place of its contact, as those that stick do.
static bool is_spring(const ss_variation* var, int j, int z)
{
    const struct ss_vary_bends* own = var->ways.bends;
    return !own->elements[z].slips && !own->pieces[j * var->nz + z].moves && pull_change(var, j, z) == 0.0;
}

static inline void follow_place(double factor, const double* restrict q, int last, double* restrict out)
{
    for (int k = 2; k <= last; k++) out[k] = factor * q[k];
}

// One mass on a contact with elements, likewise. Elements that are springs add to its stiffness, and are told
// of their changes in the end.
SS_WIDE static void run_mass_on_elements(const ss_variation* var, int j, const ss_law_mass* mass, int last)
{
    const struct ss_vary_bends* own = var->ways.bends;
    const ss_element_slopes* slopes[SS_MOST_ELEMENTS];
    ss_bent_piece* pieces[SS_MOST_ELEMENTS];
    double *q = mass->q, springs = 0.0, pulls[SS_MOST_ELEMENTS];
    int count = 0;
    for (int z = 0; z < var->nz; z++) {
        if (is_spring(var, j, z)) {
            springs += own->elements[z].pull * own->elements[z].stretch * mass->row;
            continue;
        }
        slopes[count] = &own->elements[z];
        pieces[count] = &own->pieces[j * var->nz + z];
        pulls[count++] = pull_change(var, j, z);
    }
    for (int k = 1; k <= last; k++) {
        double v = (k + 1) * q[k + 1], dv = mass->row * v;
        double force = force_change_of(&own->slopes[0], &own->headings[j], k, last, dv) + springs * q[k];
        for (int e = 0; e < count; e++)
            force += element_change_of(slopes[e], pieces[e], k, last, dv) + pulls[e] * slopes[e]->z[k];
        double a = mass->mobility * force - (mass->stiffness * q[k] + mass->damping * v);
        q[k + 2] = a / ((k + 1.0) * (k + 2.0));
    }
    for (int z = 0; z < var->nz; z++)
        if (is_spring(var, j, z))
            follow_place(own->elements[z].stretch * mass->row, q, last + 1, own->pieces[j * var->nz + z].z);
}

// One mass at a stop, by its clock: dq/ds = (dt/ds) dq', dq'/ds = (dt/ds) dq''.
SS_WIDE static void run_mass_by_clock(const ss_variation* var, int j, const ss_law_mass* mass, int last)
{
    const struct ss_vary_bends* own = var->ways.bends;
    const double* pace = var->sim->clock.pace;
    double *q = mass->q, *speed = ss_back_of(var, own->speed, j, 0),
           *accel = ss_back_of(var, own->accel, j, 0);
    ss_bent* to = &own->headings[j];
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
static double place_change(ss_variation* var, int j, int place, int k, bool general, const ss_delta* io)
{
    struct ss_vary_bends* own = var->ways.bends;
    int i = own->contact[place];
    const ss_contact* contact = &var->model->contacts[i];
    const ss_values* at = &var->points[0].at;
    const ss_change* change = var->headings[j].change;
    ss_bent* to = &own->headings[j * own->count + place];
    double dx = ss_row_dot(&contact->q, io->q);
    if (general) dx += ss_row_dot(&contact->d, io->d);
    if (general && io->offset) dx += ss_row_dot(&contact->bodies, io->offset);
    if (general && change) dx += ss_row_dot(&change->q[i], at->q) + ss_row_dot(&change->d[i], at->d);
    if (k == 0 && change) dx -= change->place[i];
    to->y[SS_MAX_ORDER - k] = dx;
    return wide_product(own->by_place[place], to->y, k);
}

static void add_forces(ss_variation* var, int j, int k, int last, bool general, ss_delta* io)
{
    struct ss_vary_bends* own = var->ways.bends;
    const ss_linear* lin = &var->points[0];
    const ss_change* change = var->headings[j].change;
    for (int place = 0; place < own->count; place++) {
        int i = own->contact[place];
        const ss_contact* contact = &var->model->contacts[i];
        if (!own->active[place]) continue;
        double dv = ss_row_dot(&contact->q, io->v);
        if (general) dv += ss_row_dot(&contact->d, io->d1);
        if (general && change)
            dv += ss_row_dot(&change->q[i], lin->at.v) + ss_row_dot(&change->d[i], lin->at.d1);
        ss_bent* to = &own->headings[j * own->count + place];
        double force = force_change(&own->slopes[place], to, k, last, dv);
        if (contact->law_row->stop.form) force += place_change(var, j, place, k, general, io);
        if (contact->elements > 0) force += elements_change(var, j, i, k, last, dv);
        io->lambda[i] += force;
        for (int l = 0; l < contact->mobility.count; l++)
            io->a[contact->mobility.index[l]] += contact->mobility.value[l] * force;
    }
}

// All but the contacts that bend and those that hold. Where nothing but laws and constants changes, orders
// above 0 have springs and dampers alone.
static void add_rest(ss_variation* var, ss_heading* to, bool general, ss_delta* io)
{
    const ss_operator* op = &var->model->matrices.flow;
    const ss_linear* lin = &var->points[0];
    if (general) {
        ss_given_at(var, to, &lin->at, io);
        io->m = lin->at.constant ? to->m : NULL;
        io->offset = lin->at.constant ? to->offset : NULL;
        ss_linear_apply(var, lin, to, io);
        if (to->change) ss_change_add(var, to, lin, io);
        return;
    }
    for (int i = 0; i < var->n; i++) {
        double sum = 0.0;
        for (int l = op->start[i]; l < op->start[i + 1]; l++)
            sum -= op->stiffness[l] * io->q[op->index[l]] + op->damping[l] * io->v[op->index[l]];
        io->a[i] = sum;
    }
    for (int i = 0; i < var->m; i++) io->held[i] = 0.0;
}

static void begin_heading(ss_variation* var, int j)
{
    const ss_heading* to = &var->headings[j];
    size_t n = (size_t)var->n, d = sizeof(double);
    struct ss_vary_bends* own = var->ways.bends;
    memcpy(to->series_q, to->q, n * d);
    memcpy(to->series_q + n, to->v, n * d);
    for (int i = 0; i < var->n && var->sim->clock.stop; i++)
        ss_back_of(var, own->speed, j, i)[SS_MAX_ORDER] = to->v[i];
    memcpy(to->series_s, to->s, (size_t)var->ns * d);
    size_t orders = (size_t)ss_vary_last_order(var->sim) + 1;
    for (int place = 0; place < own->count; place++) {
        ss_bent* mine = &own->headings[j * own->count + place];
        if (!own->active[place]) continue;
        if (var->z_at[own->contact[place]] >= 0) mine->z[0] = to->z[var->z_at[own->contact[place]]];
        if (!mine->moves) memset(mine->force, 0, orders * d);
        if (!mine->moves && own->slopes[place].state) memset(mine->rate, 0, orders * d);
    }
    for (int z = 0; z < var->nz; z++) {
        ss_bent_piece* mine = &own->pieces[j * var->nz + z];
        mine->z[0] = to->z[z];
        if (!mine->moves && own->elements[z].slips) memset(mine->rate, 0, orders * d);
    }
}

// With a clock dq/ds = (dt/ds) dq' and dq'/ds = (dt/ds) dq''.
static void follow_clock(ss_variation* var, int j, int k, double* next)
{
    const double* pace = var->sim->clock.pace;
    for (int i = 0; i < var->n; i++) {
        double *v = ss_back_of(var, var->ways.bends->speed, j, i),
               *a = ss_back_of(var, var->ways.bends->accel, j, i);
        a[SS_MAX_ORDER - k] = var->delta.a[i];
        next[i] = wide_product(pace, v, k) / (k + 1);
        v[SS_MAX_ORDER - k - 1] = wide_product(pace, a, k) / (k + 1);
    }
}

static inline void multiply(size_t n, double factor, const double* restrict from, double* restrict to)
{
    for (size_t i = 0; i < n; i++) to[i] = factor * from[i];
}

// How much of an order is there besides contacts: springs and dampers, what orders.c has in brief, or all.
typedef enum extent { SPRINGS, BRIEF, ALL } extent;

static void run_order(ss_variation* var, int j, int k, int last, extent rest)
{
    size_t n = (size_t)var->n, ns = (size_t)var->ns;
    ss_heading* to = &var->headings[j];
    ss_delta* io = &var->delta;
    double *q = to->series_q + (size_t)k * n, *s = to->series_s + (size_t)k * ns;
    double once = k + 1.0, scale = 1.0 / (once * (k + 2.0));
    bool general = rest == ALL;
    bool clocked = var->sim->clock.stop != NULL;
    if (!clocked) multiply(n, once, q + n, var->room.rates);
    for (int i = 0; i < var->n && clocked; i++)
        var->room.rates[i] = ss_back_of(var, var->ways.bends->speed, j, i)[SS_MAX_ORDER - k];
    io->q = q;
    io->v = var->room.rates;
    io->s = s;
    io->z = to->z;
    if (rest == BRIEF)
        ss_vary_brief_rates(var, to, k, io);
    else
        add_rest(var, to, general, io);
    add_forces(var, j, k, last, general, io);
    if (var->sim->modes.active_count > 0) {
        for (int i = 0; i < var->nd && !general; i++) io->d2[i] = 0.0;
        ss_field_hold_change(var->sim->field, io);
    }
    if (clocked) follow_clock(var, j, k, q + n);
    if (!clocked) multiply(n, scale, io->a, q + 2 * n);
    for (size_t i = 0; i < ns; i++) s[ns + i] = io->rate[i] / once;
}

// Whether the step is that of one mass on one contact, which bends; then it is taken to its end.
static bool run_alone(ss_variation* var, int j)
{
    struct ss_vary_bends* own = var->ways.bends;
    const ss_operator* op = &var->model->matrices.flow;
    if (var->n != 1 || var->m != 1 || !own->active[0] || own->general[j] || var->sim->modes.active_count > 0)
        return false;
    const ss_contact* contact = &var->model->contacts[0];
    bool stop = contact->law_row->stop.form, clocked = var->sim->clock.stop;
    if (contact->q.count != 1 || contact->mobility.count != 1 || stop != clocked) return false;
    ss_law_mass mass = {
        .row = contact->q.value[0], .mobility = contact->mobility.value[0], .q = var->headings[j].series_q};
    for (int l = op->start[0]; l < op->start[1]; l++) {
        mass.stiffness += op->stiffness[l];
        mass.damping += op->damping[l];
    }
    int last = ss_vary_last_order(var->sim);
    if (clocked)
        run_mass_by_clock(var, j, &mass, last);
    else if (contact->elements > 0)
        run_mass_on_elements(var, j, &mass, last);
    else
        run_mass(&own->slopes[0], &own->headings[j], &mass, last);
    return true;
}

void ss_vary_run_bends(ss_variation* var)
{
    const struct ss_vary_bends* own = var->ways.bends;
    int last = ss_vary_last_order(var->sim);
    ss_linear_order(var, 0, &var->points[0]);
    for (int j = 0; j < var->count; j++)
        if (!var->headings[j].lost) {
            begin_heading(var, j);
            run_order(var, j, 0, last, ALL);
        }
    for (int j = 0; j < var->count; j++) {
        if (var->headings[j].lost || run_alone(var, j)) continue;
        bool brief = var->headings[j].brief && !var->sim->clock.stop;
        extent rest = !own->general[j] ? SPRINGS : brief ? BRIEF : ALL;
        for (int k = 1; k <= last; k++) {
            if (rest == ALL) ss_linear_order(var, k, &var->points[0]);
            run_order(var, j, k, last, rest);
        }
    }
}
