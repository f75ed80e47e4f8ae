// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings as power series along a step by series on which the laws of contacts bend. What the law of a
// contact makes of a change, its slopes along the step, are series that follow from those of the motion by a
// few products (law/table.h), so that with dv = W dq' + dW q' order by order
//
//     dr_k = (rate_v dv)_k + (rate_z dz)_k + rate_p,k,     dz_{k+1} = dr_k / (k + 1),
//     dforce_k = (force_v dv)_k + by_v dv_k + by_z dz_k + by_rate dr_k + force_p,k
//
// and all else is as in a linear model.
//
//   reads    the series of the step at hand, headings where it begins
//   writes   the series of headings on it
//   promise  false where some law has no such series, or where those of a heading do not end on the step:
//            then headings go by points along it (flow.c)
//   cost     three products of series per heading and contact, as many or twice as many for the slopes
#include "engine/variation/variation.h"

#include "core/algebra/polynomial.h"
#include "core/algebra/wide.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

// Of one heading and contact.
typedef struct bent {
    double v[SS_ALONG], z[SS_ALONG]; // how its relative velocity and its state change, last orders first
    double force[SS_ALONG], rate[SS_ALONG]; // force_p and rate_p
    bool moves;                             // the latter two are not 0
    double drag;                            // of a law with elements: see change_of_drag; NaN: not known yet
} bent;

// Of one heading and element of a law with several.
typedef struct piece {
    double z[SS_ALONG]; // how its number changes, last orders first
    double rate[SS_ALONG];
    bool moves; // the latter is not 0
} piece;

struct ss_vary_bends {
    int* at;      // per contact: its place among those that may bend, or -1
    int* contact; // per place
    int count;
    bool* active; // per place: it bends on the present step
    ss_along_slopes* slopes;
    bent* headings;              // per heading and place
    ss_element_slopes* elements; // per bristle number
    piece* pieces;               // per heading and bristle number
    bool* general;               // per heading: more than laws and constants changes
};

// ---- creation

static bool has_slopes(const ss_contact* contact)
{
    return contact->elements > 0 ? contact->law_row->elements.slopes != NULL
                                 : contact->law_row->series.slopes != NULL;
}

// Nothing but contacts makes the model nonlinear, and those with states have slopes along a step.
static bool applies(const ss_variation* var)
{
    const ss_model* model = var->model;
    bool any = false;
    if (var->kind.linear) return false;
    for (int c = 0; c < model->connection_count; c++)
        if (model->connections[c].cubic != 0.0) return false;
    for (int i = 0; i < var->m; i++) {
        bool known = has_slopes(&model->contacts[i]);
        if (var->z_count[i] > 0 && !known) return false;
        any = any || known;
    }
    return any &&
           (!model->open || (model->actions->motion.output_count == 0 && model->open->level_count == 0));
}

static struct ss_vary_bends* allocate(ss_variation* var)
{
    struct ss_vary_bends* own = ss_pool_new(&var->pool, 1, sizeof *own);
    if (!own) return NULL;
    size_t m = (size_t)var->m, count = (size_t)var->count;
    own->at = ss_pool_new(&var->pool, m, sizeof(int));
    own->contact = ss_pool_new(&var->pool, m, sizeof(int));
    own->active = ss_pool_new(&var->pool, m, sizeof(bool));
    own->general = ss_pool_new(&var->pool, count, sizeof(bool));
    if (var->pool.failed) return NULL;
    for (int i = 0; i < var->m; i++) {
        own->at[i] = -1;
        if (!has_slopes(&var->model->contacts[i])) continue;
        own->contact[own->count] = i;
        own->at[i] = own->count++;
    }
    own->slopes = ss_pool_new(&var->pool, (size_t)own->count, sizeof *own->slopes);
    own->headings = ss_pool_new(&var->pool, count * (size_t)own->count, sizeof *own->headings);
    own->elements = ss_pool_new(&var->pool, (size_t)var->nz, sizeof *own->elements);
    for (size_t k = 0; own->headings && k < count * (size_t)own->count; k++) own->headings[k].drag = NAN;
    own->pieces = ss_pool_new(&var->pool, count * (size_t)var->nz, sizeof *own->pieces);
    return var->pool.failed ? NULL : own;
}

bool ss_vary_make_bends(ss_variation* var)
{
    if (!applies(var)) return true;
    var->bends = allocate(var);
    if (!var->bends) return false;
    for (int j = 0; j < var->count; j++) {
        const ss_change* change = var->headings[j].change;
        var->bends->general[j] = var->model->open || (change && change->beyond_laws);
    }
    return true;
}

// ---- what laws say of the step

static const ss_along* along_of(const ss_sim* sim, int i)
{
    return ss_is_bristle(sim, i) ? &sim->laws.bristles[sim->laws.bristle_at[i]].along
                                 : &sim->laws.curved[sim->laws.curved_at[i]];
}

// How what a law with elements has in proportion to the speed changes: a constant, N*s/m.
static double change_of_drag(const ss_variation* var, const ss_change* change, int i,
                             const ss_law_point* point)
{
    const ss_contact* contact = &var->model->contacts[i];
    ss_response own, other;
    double sum = 0.0;
    contact->law_row->point.at(ss_law_of(contact), point, &own);
    for (int k = 0; k < change->from->model_count; k++) {
        contact->law_row->point.at(ss_law_of(&change->from->models[k]->contacts[i]), point, &other);
        sum += change->from->weights[k] * (other.force_v - own.force_v);
    }
    return sum;
}

// The same of a law with elements: of the law as a whole only what is in proportion to the speed is left.
static bool ask_elements(ss_variation* var, int place, const ss_along* along)
{
    struct ss_vary_bends* own = var->bends;
    int i = own->contact[place], last = var->sim->step.order - 2, first = var->z_at[i];
    const ss_contact* contact = &var->model->contacts[i];
    ss_element_slopes* slopes = own->elements + first;
    ss_law_point point = {.v = along->v[0], .sign = along->sign, .z = along->z[0], .along = along};
    ss_response whole;
    if (!contact->law_row->elements.slopes(ss_law_of(contact), along, last, slopes)) return false;
    contact->law_row->point.at(ss_law_of(contact), &point, &whole);
    own->slopes[place].by_v = whole.force_v;
    for (int j = 0; j < var->count; j++) {
        const ss_change* change = var->headings[j].change;
        bent* all = &own->headings[j * own->count + place];
        if (change && change->law[i] && isnan(all->drag)) all->drag = change_of_drag(var, change, i, &point);
        all->moves = change && change->law[i] && all->drag != 0.0;
        for (int k = 0; k <= last && all->moves; k++) all->force[k] = all->drag * along->v[k];
        double* rate[SS_MOST_ELEMENTS];
        bool slip = false;
        for (int e = 0; e < contact->elements; e++) {
            piece* to = &own->pieces[j * var->nz + first + e];
            double stretch = change ? change->element.stretch[first + e] : 0.0;
            to->moves = change && change->law[i] && (slopes[e].slips || stretch != 0.0);
            slip = slip || (to->moves && slopes[e].slips);
            rate[e] = to->rate;
            for (int k = 0; k <= last && to->moves; k++) to->rate[k] = stretch * along->v[k];
        }
        if (slip && !contact->law_row->elements.by_numbers(ss_law_of(contact), change->numbers[i], along,
                                                           slopes, last, rate))
            return false;
    }
    return true;
}

static bool ask_contact(ss_variation* var, int place)
{
    struct ss_vary_bends* own = var->bends;
    const ss_sim* sim = var->sim;
    int i = own->contact[place], last = sim->step.order - 2;
    const ss_contact* contact = &var->model->contacts[i];
    const ss_along* along = along_of(sim, i);
    if (ss_is_bristle(sim, i) && sim->laws.bristles[sim->laws.bristle_at[i]].still) return false;
    ss_along_slopes* slopes = &own->slopes[place];
    slopes->bends = slopes->state = false;
    slopes->by_v = slopes->by_z = slopes->by_rate = 0.0;
    if (contact->elements > 0) return ask_elements(var, place, along);
    if (!contact->law_row->series.slopes(ss_law_of(contact), along, last, slopes)) return false;
    for (int j = 0; j < var->count; j++) {
        const ss_change* change = var->headings[j].change;
        bent* to = &own->headings[j * own->count + place];
        to->moves = change && change->law[i];
        if (to->moves && !(change->numbers[i] &&
                           contact->law_row->series.by_numbers(ss_law_of(contact), change->numbers[i], along,
                                                               last, to->force, to->rate)))
            return false;
    }
    return true;
}

static bool ask_laws(ss_variation* var)
{
    struct ss_vary_bends* own = var->bends;
    const ss_sim* sim = var->sim;
    for (int i = 0; i < var->m; i++) {
        bool slips = sim->modes.contacts[i].mode != SS_MODE_OPEN && !ss_holds(sim, i);
        if (own->at[i] >= 0)
            own->active[own->at[i]] = slips;
        else if (slips && var->model->contacts[i].law_row->point.at)
            return false;
    }
    for (int place = 0; place < own->count; place++)
        if (own->active[place] && !ask_contact(var, place)) return false;
    return true;
}

// ---- the recursion

// Coefficient k of a b, where b stands backwards from its end on: both are read forwards, four at a time.
static inline __attribute__((always_inline)) double product(const double a[], const double back[], int k)
{
    const double* b = back + (SS_MAX_ORDER - k);
    ss_four sum = {0.0};
    double rest = 0.0;
    int j = 0;
    for (; j + 3 <= k; j += 4) sum += *(const ss_four*)(a + j) * *(const ss_four*)(b + j);
    for (; j <= k; j++) rest += a[j] * b[j];
    return ((sum[0] + sum[2]) + (sum[1] + sum[3])) + rest;
}

// Order k of the force of one contact; its state goes on to k + 1.
static inline __attribute__((always_inline)) double force_change_of(const ss_along_slopes* slopes, bent* to,
                                                                    int k, double dv)
{
    to->v[SS_MAX_ORDER - k] = dv;
    double force = slopes->by_v * dv, rate;
    if (slopes->bends) force += product(slopes->force_v, to->v, k);
    if (to->moves) force += to->force[k];
    if (!slopes->state) return force;
    rate = product(slopes->rate_v, to->v, k) + product(slopes->rate_z, to->z, k);
    if (to->moves) rate += to->rate[k];
    to->z[SS_MAX_ORDER - k - 1] = rate / (k + 1);
    return force + slopes->by_z * to->z[SS_MAX_ORDER - k] + slopes->by_rate * rate;
}

SS_WIDE static double force_change(const ss_along_slopes* slopes, bent* to, int k, double dv)
{
    return force_change_of(slopes, to, k, dv);
}

// One mass on one contact, the commonest system of all: orders 1 and above of a heading along which nothing
// but the law and constants change.
SS_WIDE static void run_mass(const ss_along_slopes* slopes, bent* to, const ss_law_mass* mass, int last)
{
    double* q = mass->q;
    for (int k = 1; k <= last; k++) {
        double v = (k + 1) * q[k + 1], force = force_change_of(slopes, to, k, mass->row * v);
        double a = mass->mobility * force - (mass->stiffness * q[k] + mass->damping * v);
        q[k + 2] = a / ((k + 1.0) * (k + 2.0));
    }
}

// The same of its elements.
SS_WIDE static double elements_change(const ss_variation* var, int j, int i, const bent* to, int k)
{
    const struct ss_vary_bends* own = var->bends;
    const ss_change* change = var->headings[j].change;
    double force = 0.0, dv = to->v[SS_MAX_ORDER - k];
    for (int z = var->z_at[i]; z < var->z_at[i] + var->z_count[i]; z++) {
        const ss_element_slopes* slopes = &own->elements[z];
        piece* mine = &own->pieces[j * var->nz + z];
        double rate = slopes->stretch * dv;
        if (slopes->slips) rate = product(slopes->rate_v, to->v, k) + product(slopes->rate_z, mine->z, k);
        if (mine->moves) rate += mine->rate[k];
        mine->z[SS_MAX_ORDER - k - 1] = rate / (k + 1);
        force += slopes->pull * mine->z[SS_MAX_ORDER - k];
        if (change) force += change->element.pull[z] * slopes->z[k];
    }
    return force;
}

static void add_forces(ss_variation* var, int j, int k, bool general, ss_delta* io)
{
    struct ss_vary_bends* own = var->bends;
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
        bent* to = &own->headings[j * own->count + place];
        double force = force_change(&own->slopes[place], to, k, dv);
        if (contact->elements > 0) force += elements_change(var, j, i, to, k);
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
    struct ss_vary_bends* own = var->bends;
    memcpy(to->series_q, to->q, n * d);
    memcpy(to->series_q + n, to->v, n * d);
    memcpy(to->series_s, to->s, (size_t)var->ns * d);
    for (int place = 0; place < own->count; place++)
        if (var->z_at[own->contact[place]] >= 0)
            own->headings[j * own->count + place].z[SS_MAX_ORDER] = to->z[var->z_at[own->contact[place]]];
    for (int z = 0; z < var->nz; z++) own->pieces[j * var->nz + z].z[SS_MAX_ORDER] = to->z[z];
}

static void run_order(ss_variation* var, int j, int k)
{
    size_t n = (size_t)var->n, ns = (size_t)var->ns;
    ss_heading* to = &var->headings[j];
    ss_delta* io = &var->delta;
    double *q = to->series_q + (size_t)k * n, *s = to->series_s + (size_t)k * ns;
    double once = k + 1.0, scale = 1.0 / (once * (k + 2.0));
    bool general = k == 0 || var->bends->general[j];
    for (size_t i = 0; i < n; i++) var->room.rates[i] = once * q[n + i];
    io->q = q;
    io->v = var->room.rates;
    io->s = s;
    io->z = to->z;
    add_rest(var, to, general, io);
    add_forces(var, j, k, general, io);
    if (var->sim->modes.active_count > 0) {
        for (int i = 0; i < var->nd && !general; i++) io->d2[i] = 0.0;
        ss_linear_hold(var, io);
    }
    for (size_t i = 0; i < n; i++) q[2 * n + i] = io->a[i] * scale;
    for (size_t i = 0; i < ns; i++) s[ns + i] = io->rate[i] / once;
}

// Whether the step is that of one mass on one contact, which bends; then it is taken to its end.
static bool run_alone(ss_variation* var, int j)
{
    struct ss_vary_bends* own = var->bends;
    const ss_operator* op = &var->model->matrices.flow;
    if (var->n != 1 || var->m != 1 || !own->active[0] || own->general[j] || var->sim->modes.active_count > 0)
        return false;
    const ss_contact* contact = &var->model->contacts[0];
    if (contact->q.count != 1 || contact->mobility.count != 1 || contact->elements > 0) return false;
    ss_law_mass mass = {
        .row = contact->q.value[0], .mobility = contact->mobility.value[0], .q = var->headings[j].series_q};
    for (int l = op->start[0]; l < op->start[1]; l++) {
        mass.stiffness += op->stiffness[l];
        mass.damping += op->damping[l];
    }
    run_mass(&own->slopes[0], &own->headings[j], &mass, var->sim->step.order - 2);
    return true;
}

// All orders of all headings.
static void run_orders(ss_variation* var)
{
    const struct ss_vary_bends* own = var->bends;
    int order = var->sim->step.order;
    ss_linear_order(var, 0, &var->points[0]);
    for (int j = 0; j < var->count; j++)
        if (!var->headings[j].lost) run_order(var, j, 0);
    for (int j = 0; j < var->count; j++) {
        if (var->headings[j].lost || run_alone(var, j)) continue;
        for (int k = 1; k + 2 <= order; k++) {
            if (own->general[j]) ss_linear_order(var, k, &var->points[0]);
            run_order(var, j, k);
        }
    }
}

// ---- whether the series end

// The step was chosen for the motion; a heading has the same singularities, of a higher order.
static bool ends(const double series[], int stride, int order, double h, double tolerance)
{
    double power = 1.0, size = 0.0, last = 0.0, before = 0.0;
    for (int k = 0; k <= order; k++, power *= h, series += stride) {
        before = last;
        last = fabs(*series) * power;
        size = last > size ? last : size;
    }
    return before <= tolerance * size && last <= tolerance * size;
}

static bool all_end(const ss_variation* var, int j)
{
    const ss_heading* to = &var->headings[j];
    const struct ss_vary_bends* own = var->bends;
    int order = var->sim->step.order;
    double h = var->sim->step.length, tolerance = fmax(SS_SUM_NOISE, 1e2 * var->sim->pace.tolerance);
    for (int i = 0; i < var->n; i++)
        if (!ends(to->series_q + i, var->n, order, h, tolerance)) return false;
    for (int i = 0; i < var->ns; i++)
        if (!ends(to->series_s + i, var->ns, order - 1, h, tolerance)) return false;
    for (int place = 0; place < own->count; place++) {
        int i = own->contact[place];
        if (own->active[place] && own->slopes[place].state &&
            !ends(own->headings[j * own->count + place].z + SS_MAX_ORDER, -1, order - 1, h, tolerance))
            return false;
        for (int e = 0; e < var->model->contacts[i].elements && own->active[place]; e++)
            if (!ends(own->pieces[j * var->nz + var->z_at[i] + e].z + SS_MAX_ORDER, -1, order - 1, h,
                      tolerance))
                return false;
    }
    return true;
}

// ---- use

bool ss_vary_bend_series(ss_variation* var)
{
    struct ss_vary_bends* own = var->bends;
    const ss_sim* sim = var->sim;
    if (!own || sim->clock.stop || sim->step.order < 4 || !ask_laws(var)) return false;
    for (int j = 0; j < var->count; j++)
        if (!var->headings[j].lost) begin_heading(var, j);
    run_orders(var);
    for (int j = 0; j < var->count; j++)
        if (!var->headings[j].lost && !all_end(var, j)) return false;
    var->along.has_series = true;
    return true;
}

// The value of a series that stands backwards.
static double value_at(const double back[], int last, double s)
{
    double sum = 0.0;
    for (int k = last; k >= 0; k--) sum = sum * s + back[SS_MAX_ORDER - k];
    return sum;
}

void ss_vary_bend_states(const ss_variation* var, const ss_heading* to, double s, double z[])
{
    const struct ss_vary_bends* own = var->bends;
    const bent* mine = own->headings + (to - var->headings) * own->count;
    const piece* pieces = own->pieces + (to - var->headings) * var->nz;
    int last = var->sim->step.order - 1;
    memcpy(z, to->z, (size_t)var->nz * sizeof(double));
    for (int place = 0; place < own->count; place++) {
        int i = own->contact[place], first = var->z_at[i];
        if (own->active[place] && own->slopes[place].state) z[first] = value_at(mine[place].z, last, s);
        for (int e = 0; e < var->model->contacts[i].elements && own->active[place]; e++)
            z[first + e] = value_at(pieces[first + e].z, last, s);
    }
}
