// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Contacts with bristles along a step: series of their states and forces, energies. With the sign of v fixed
// all formulas are analytic.
//
//     LuGre   z' = v - sigma0 w,  g w = |v| z           force -(sigma0 z + sigma1 z' + sigma2 v)
//     Dahl    z' = v |u|^n sgn u, u = 1 -+ z sigma0/Fc  force -sigma0 z
//     Maxwell                                           force -(F + K (y - y0)) up to where the next element
//     slips
#include "engine/flow/bristle.h"
#include "engine/flow/fall.h"
#include "engine/flow/quadrature.h"
#include "law/table.h"

#include <float.h>
#include <math.h>

static const double full_sliding = 2.0 * DBL_EPSILON; // a smaller u is 0

static const ss_contact* contact_of(const ss_sim* sim, const ss_bristle* b)
{
    return &sim->model->contacts[b->contact];
}

static double sign_of(const ss_sim* sim, const ss_bristle* b)
{
    return sim->modes.contacts[b->contact].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
}

// ---- coefficients

// Coefficient k of v; what vanishes by decision vanishes exactly.
static double velocity(const ss_sim* sim, const ss_bristle* b, int k)
{
    if (b->turning || b->still || k < sim->modes.contacts[b->contact].lead) return 0.0;
    return ss_relative_velocity(sim, b->contact, k);
}

// Sum of v_j z_(k-j), j = first .. last: both arrays are read forwards, so that two terms at a time can be
// taken.
static inline double pull_terms(const ss_bristle* b, int k, int first, int last)
{
    const double *v = b->v, *z = b->mirror + (SS_MAX_ORDER - k);
    double sum[4] = {0.0, 0.0, 0.0, 0.0}, rest = 0.0;
    int j = first;
    for (; j + 3 <= last; j += 4)
        for (int l = 0; l < 4; l++) sum[l] += v[j + l] * z[j + l];
    for (; j <= last; j++) rest += v[j] * z[j];
    return ((sum[0] + sum[2]) + (sum[1] + sum[3])) + rest;
}

// Coefficient k of |v| z / g where g falls with speed; pull is that of v z.
static double falling_slip(const ss_sim* sim, const ss_lugre* law, ss_bristle* b, double pull, int k)
{
    double sign = sign_of(sim, b), drop = law->static_level - law->coulomb, rest = 0.0;
    b->u[k] = sign * b->v[k];
    b->fall[k] = ss_fall_coefficient(law->speed, law->shape, b->u, b->square, b->power, b->fall, k);
    if (k == 0) b->level = law->coulomb + drop * b->fall[0];
    for (int j = 1; j <= k; j++) rest += b->fall[j] * b->slip[k - j];
    return (sign * pull - drop * rest) / b->level;
}

static inline double lugre_coefficient(const ss_sim* sim, ss_bristle* b, int k)
{
    const ss_lugre* law = &contact_of(sim, b)->lugre;
    double v = b->v[k], share = 1.0 / (k + 1), pull;
    b->mirror[SS_MAX_ORDER - k] = b->z[k];
    pull = pull_terms(b, k, 0, k);
    if (law->static_level > law->coulomb) {
        b->slip[k] = falling_slip(sim, law, b, pull, k);
    } else {
        if (k == 0) b->ease = sign_of(sim, b) / law->coulomb;
        b->slip[k] = pull * b->ease;
    }
    double rate = v - law->sigma0 * b->slip[k];
    b->z[k + 1] = rate * share; // no division waits for another
    return -(law->sigma0 * b->z[k] + law->sigma1 * rate + law->sigma2 * v);
}

// Coefficient k of |u|^n sgn(u), from u p' = n u' p.
static double dahl_power(const ss_dahl* law, const ss_bristle* b, int k)
{
    double n = law->shape, sum = 0.0;
    if (n == 1.0) return b->u[k];
    if (b->u[0] == 0.0) return 0.0; // full sliding
    if (k == 0) return copysign(pow(fabs(b->u[0]), n), b->u[0]);
    for (int j = 1; j <= k; j++) sum += (n * j - (k - j)) * b->u[j] * b->power[k - j];
    return sum / (k * b->u[0]);
}

static double dahl_coefficient(const ss_sim* sim, ss_bristle* b, int k)
{
    const ss_dahl* law = &contact_of(sim, b)->dahl;
    b->u[k] = (k == 0 ? 1.0 : 0.0) - sign_of(sim, b) * law->sigma0 / law->coulomb * b->z[k];
    if (k == 0 && fabs(b->u[0]) <= full_sliding) b->u[0] = 0.0;
    b->power[k] = dahl_power(law, b, k);
    b->z[k + 1] = ss_product(b->v, b->power, k) / (k + 1);
    return -law->sigma0 * b->z[k];
}

static double maxwell_coefficient(const ss_sim* sim, ss_bristle* b, int k)
{
    double sign = sign_of(sim, b), way = k == 0 ? 0.0 : sign * b->v[k - 1] / k;
    if (b->memory.direction == 0) // it has never moved
        return k == 0 ? ss_maxwell_slip_force(&contact_of(sim, b)->maxwell_slip, &b->memory) : 0.0;
    return -b->memory.direction * ss_maxwell_curve_coefficient(b, way, k);
}

// Of the force on A; the velocity is known up to k.
static inline double force_coefficient(const ss_sim* sim, ss_bristle* b, int k)
{
    switch (contact_of(sim, b)->law) {
    case SS_LAW_LUGRE: return lugre_coefficient(sim, b, k);
    case SS_LAW_DAHL: return dahl_coefficient(sim, b, k);
    default: return maxwell_coefficient(sim, b, k);
    }
}

void ss_add_bristle_forces(ss_sim* sim, int k)
{
    int m = sim->model->contact_count;
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        ss_bristle* b = &sim->laws.bristles[j];
        b->v[k] = velocity(sim, b, k);
        double force = force_coefficient(sim, b, k);
        sim->step.lambda[(size_t)k * (size_t)m + (size_t)b->contact] = force;
        if (force != 0.0) ss_add_force(sim, b->contact, force);
    }
}

void ss_bristle_redo_series(ss_sim* sim, ss_bristle* b, int k)
{
    for (int j = 0; j <= k; j++) {
        b->v[j] = velocity(sim, b, j);
        (void)force_coefficient(sim, b, j);
    }
}

// Springs and dampers at order k of the accelerations.
static inline void add_springs(const ss_operator* op, int n, int k, const double q[], double accel[])
{
    double factor = k + 1;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int l = op->start[i], end = op->start[i + 1]; l < end; l++)
            sum += op->stiffness[l] * q[op->index[l]] + factor * op->damping[l] * q[n + op->index[l]];
        accel[i] = -sum;
    }
}

// Most contacts join one coordinate and the ground, or a belt: no loop then.
static inline double row_dot(const ss_row* row, const double x[])
{
    return row->count == 1 ? row->value[0] * x[row->index[0]] : ss_row_dot(row, x);
}

static inline void row_add(const ss_row* row, double factor, double x[])
{
    x[row->index[0]] += row->value[0] * factor;
    for (int l = 1; l < row->count; l++) x[row->index[l]] += row->value[l] * factor;
}

// One mass on one LuGre contact of constant level, the commonest of all: each coefficient waits for the one
// before, so what does not depend on that is out of the way, and the newest coefficients stay in registers.
static void run_single(ss_sim* sim, ss_bristle* b, int from)
{
    const ss_contact* contact = contact_of(sim, b);
    const ss_lugre* law = &contact->lugre;
    const ss_operator* op = &sim->model->flow;
    int m = sim->model->contact_count, lead = sim->modes.contacts[b->contact].lead;
    double stiffness = 0.0, damping = 0.0, row = contact->q.value[0], mobility = contact->mobility.value[0];
    double ease = law->sigma0 * b->ease, *q = sim->step.q, *v = b->v, *z = b->z;
    for (int l = op->start[0]; l < op->start[1]; l++) {
        stiffness += op->stiffness[l];
        damping += op->damping[l];
    }
    double z_last = z[from], v_last = v[from - 1],
           v_now = from < lead ? 0.0 : (from + 1) * (row * q[from + 1]);
    for (int k = from; k <= sim->step.order - 2; k++) {
        double share = 1.0 / (k + 1), next = 1.0 / (k + 2);
        b->mirror[SS_MAX_ORDER - k] = z_last;
        v[k] = v_now;
        double pull = (pull_terms(b, k, 2, k - 2) + (v_last * z[1] + v[1] * z[k - 1] * (k > 2))) +
                      v[0] * z_last + v_now * z[0];
        double rate = v_now - ease * pull;
        double force = -(law->sigma0 * z_last + law->sigma2 * v_now + law->sigma1 * rate);
        double springs = stiffness * q[k] + damping * ((k + 1) * q[k + 1]);
        double speed = (mobility * force - springs) * share; // coefficient k + 1 of the speed
        q[k + 2] = speed * next;
        sim->step.lambda[k * m + b->contact] = force;
        v_last = v_now;
        z[k + 1] = z_last = rate * share;
        v_now = k + 1 < lead ? 0.0 : row * speed;
    }
}

static bool is_single(const ss_sim* sim)
{
    const ss_bristle* b = &sim->laws.bristles[0];
    const ss_contact* contact = contact_of(sim, b);
    return sim->model->n == 1 && sim->laws.bristle_count == 1 && contact->law == SS_LAW_LUGRE &&
           contact->lugre.static_level == contact->lugre.coulomb && contact->q.count == 1 && !b->still;
}

void ss_bristle_run_series(ss_sim* sim, int from)
{
    if (is_single(sim)) {
        run_single(sim, &sim->laws.bristles[0], from);
        return;
    }
    int n = sim->model->n, m = sim->model->contact_count, last = sim->step.order - 2;
    for (int k = from; k <= last; k++) {
        double *q = sim->step.q + k * n, *q1 = q + n, *q2 = q1 + n, scale = 1.0 / ((k + 1.0) * (k + 2.0));
        add_springs(&sim->model->flow, n, k, q, q2);
        for (int j = 0; j < sim->laws.bristle_count; j++) {
            ss_bristle* b = &sim->laws.bristles[j];
            const ss_contact* contact = contact_of(sim, b);
            bool moves = !b->still && k >= sim->modes.contacts[b->contact].lead;
            b->v[k] = moves ? (k + 1) * row_dot(&contact->q, q1) : 0.0;
            double force = sim->step.lambda[k * m + b->contact] = force_coefficient(sim, b, k);
            if (contact->mobility.count > 0) row_add(&contact->mobility, force, q2);
        }
        for (int i = 0; i < n; i++) q2[i] *= scale;
    }
}

// A fractional shape is not analytic at v = 0 and was left out of the series there. With |v| = a s^k it
// changes z by |v| s (|v|/speed)^shape at most: less than a rounding up to here.
static double quiet_reach(const ss_lugre* law, const double u[], double h)
{
    double n = law->shape, unnoticed = 1e-17 * law->static_level / law->sigma0;
    for (int k = 1; k < 3; k++)
        if (u[k] != 0.0)
            h = fmin(h,
                     pow(unnoticed * pow(law->speed / fabs(u[k]), n) / fabs(u[k]), 1.0 / (1.0 + k + k * n)));
    return h;
}

// A contact of moving bodies stands still as far as rounding tells; what its velocity gathers by
// accelerations too small to tell must stay within rounding, too. Where there are no speeds to speak of, it
// is allowed a thousandth of the motion's time: then it moves, if it does.
static double still_reach(const ss_sim* sim, const ss_bristle* b, double h)
{
    double rounding = ss_velocity_rounding(sim, b->contact),
           a = fabs(ss_relative_velocity(sim, b->contact, 1));
    double least = 1e-3 / (sim->pace.rate + ss_bristle_rate(sim));
    return rounding > 0.0 && a * h > rounding ? fmin(h, fmax(rounding / a, least)) : h;
}

double ss_bristle_reach(const ss_sim* sim, double h)
{
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        const ss_bristle* b = &sim->laws.bristles[j];
        const ss_lugre* law = &contact_of(sim, b)->lugre;
        if (b->still) h = still_reach(sim, b, h);
        if (contact_of(sim, b)->law != SS_LAW_LUGRE || b->still || law->static_level == law->coulomb)
            continue;
        if (ss_fall_is_quiet(law->shape, b->power))
            h = quiet_reach(law, b->u, h);
        else
            h = ss_fall_reach(law->speed, law->shape, b->u, b->power, sim->step.order - 1,
                              64.0 * DBL_EPSILON * fabs(sim->step.t), h);
    }
    return h;
}

void ss_bristle_follow_series(ss_sim* sim, int from)
{
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        ss_bristle* b = &sim->laws.bristles[j];
        const ss_dahl* law = &contact_of(sim, b)->dahl;
        for (int k = from; k < sim->step.order; k++) b->v[k] = velocity(sim, b, k);
        if (contact_of(sim, b)->law != SS_LAW_DAHL) continue;
        for (int k = from; k < sim->step.order; k++)
            b->u[k] = (k == 0 ? 1.0 : 0.0) - sign_of(sim, b) * law->sigma0 / law->coulomb * b->z[k];
    }
}

// ---- events

// |u|^(1-n) falls in proportion to the way. u itself only touches 0 there, as the power 1/(1-n): a search for
// its zero passes a touch by as little as the error of a step.
double ss_dahl_way_left(const ss_sim* sim, const ss_bristle* b)
{
    const ss_dahl* law = &contact_of(sim, b)->dahl;
    double u = fabs(1.0 - sign_of(sim, b) * law->sigma0 / law->coulomb * b->z[0]);
    if (law->shape >= 1.0 || u <= full_sliding) return INFINITY;
    return law->coulomb / law->sigma0 * pow(u, 1.0 - law->shape) / (1.0 - law->shape);
}

int ss_bristle_function(const ss_sim* sim, int i, const double power[], double c[])
{
    const ss_bristle* b = &sim->laws.bristles[sim->laws.bristle_at[i]];
    const ss_contact* contact = contact_of(sim, b);
    if (b->still || contact->law == SS_LAW_LUGRE) return -1;
    c[0] = contact->law == SS_LAW_DAHL ? ss_dahl_way_left(sim, b) : b->branch.length;
    if (isinf(c[0])) return -1;
    for (int k = 1; k <= sim->step.order; k++) c[k] = -sign_of(sim, b) * b->v[k - 1] / k * power[k];
    return sim->step.order;
}

// ---- states and energies at a time of the step

static double at(const double series[], int order, double s)
{
    double sum = 0.0;
    for (int k = order; k >= 0; k--) sum = sum * s + series[k];
    return sum;
}

// Way gone since the start of the step, in the direction of the mode.
static double way_at(const ss_sim* sim, const ss_bristle* b, double s)
{
    double sum = 0.0;
    for (int k = sim->step.order; k >= 1; k--) sum = (sum + b->v[k - 1] / k) * s;
    return b->still ? 0.0 : sign_of(sim, b) * sum;
}

static double z_at(const ss_sim* sim, const ss_bristle* b, double s)
{
    return sim->step.ready && !b->still ? at(b->z, sim->step.order - 1, s) : b->z[0];
}

void ss_bristle_describe(const ss_sim* sim, int i, ss_contact_state* out)
{
    const ss_bristle* b = &sim->laws.bristles[sim->laws.bristle_at[i]];
    if (contact_of(sim, b)->law != SS_LAW_MAXWELL_SLIP) out->z = z_at(sim, b, sim->step.now);
    if (!b->still) return;
    out->mode = SS_MODE_STICK;
    out->velocity = 0.0;
}

// The elements at a time of the step: unless the branch is smooth, none slips on it that does not at its
// start.
static ss_maxwell_state elements_at(const ss_sim* sim, const ss_bristle* b, double s)
{
    ss_maxwell_state moved = b->memory;
    if (!sim->step.ready) return moved;
    double y = moved.y + sign_of(sim, b) * way_at(sim, b, s);
    if (b->smooth && moved.direction * (y - moved.y) > 0.0)
        ss_maxwell_slip_move(&contact_of(sim, b)->maxwell_slip, &moved, y);
    moved.y = y;
    return moved;
}

double ss_bristle_energy(const ss_sim* sim, const ss_bristle* b, double s)
{
    const ss_contact* contact = contact_of(sim, b);
    if (contact->law == SS_LAW_MAXWELL_SLIP) {
        ss_maxwell_state moved = elements_at(sim, b, s);
        return ss_maxwell_slip_energy(&contact->maxwell_slip, &moved);
    }
    return contact->row->stored(ss_law_of(contact), z_at(sim, b, s));
}

double ss_bristle_loss(const ss_sim* sim, const ss_bristle* b, double s, double v)
{
    const ss_contact* contact = contact_of(sim, b);
    if (b->still || !contact->row->loss) return 0.0;
    if (contact->law == SS_LAW_DAHL) { // with z' of the series: |u|^n has a kink where full sliding begins
        double rate = 0.0;
        for (int k = sim->step.order - 1; k >= 1; k--) rate = rate * s + k * b->z[k];
        return contact->dahl.sigma0 * z_at(sim, b, s) * (v - rate);
    }
    return contact->row->loss(ss_law_of(contact), z_at(sim, b, s), v);
}

double ss_bristle_lost(const ss_sim* sim, const ss_bristle* b, double s)
{
    if (contact_of(sim, b)->law != SS_LAW_MAXWELL_SLIP || b->still) return 0.0;
    return ss_maxwell_lost(sim, b, way_at(sim, b, s));
}

double ss_bristle_limit(const ss_sim* sim, int i, double v)
{
    const ss_contact* contact = &sim->model->contacts[i];
    if (contact->row->limit) return contact->row->limit(ss_law_of(contact), v);
    return contact->maxwell_slip.sums[contact->maxwell_slip.count].slip;
}

// Work done on the contact from the start of the step to s.
static double work_to(const ss_sim* sim, const ss_bristle* b, double s)
{
    int m = sim->model->contact_count;
    double sum = 0.0;
    if (b->still || !(s > 0.0)) return 0.0;
    if (contact_of(sim, b)->law == SS_LAW_MAXWELL_SLIP && !b->smooth) {
        double way = way_at(sim, b, s);
        return way * (b->branch.force + 0.5 * b->branch.stiffness * way);
    }
    for (int j = 0; j < 2 * SS_GAUSS_HALF; j++) {
        double force = 0.0, v = 0.0, weight, now = ss_gauss_point(j, s, &weight);
        for (int k = sim->step.order - 2; k >= 0; k--)
            force = force * now + sim->step.lambda[(size_t)k * (size_t)m + (size_t)b->contact];
        for (int k = sim->step.order - 1; k >= 0; k--) v = v * now + b->v[k];
        sum -= weight * force * v;
    }
    return sum;
}

void ss_bristle_commit(ss_sim* sim, double s)
{
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        ss_bristle* b = &sim->laws.bristles[j];
        int last = sim->step.order - 1;
        if (sim->def.ledger) b->work += work_to(sim, b, s);
        b->peak = fmax(b->peak, fmax(fabs(at(b->v, last, 0.5 * s)), fabs(at(b->v, last, s))));
        b->z[0] = z_at(sim, b, s);
    }
}

ss_branch ss_sim_branch(const ss_sim* sim, int contact)
{
    ss_branch branch = {.contact = contact};
    if (!ss_is_bristle(sim, contact)) return branch;
    const ss_bristle* b = &sim->laws.bristles[sim->laws.bristle_at[contact]];
    double s = sim->step.ready ? sim->step.now : 0.0;
    branch.from = b->from;
    branch.to = ss_row_dot(&sim->model->contacts[contact].bodies, sim->bodies.out_x);
    branch.work = b->work + (sim->step.ready ? work_to(sim, b, s) : 0.0);
    return branch;
}

int ss_sim_deflections(const ss_sim* sim, int contact, double out[])
{
    const ss_maxwell_slip* law = &sim->model->contacts[contact].maxwell_slip;
    if (sim->model->contacts[contact].law != SS_LAW_MAXWELL_SLIP) return 0;
    ss_maxwell_state now =
        elements_at(sim, &sim->laws.bristles[sim->laws.bristle_at[contact]], sim->step.now);
    if (out) ss_maxwell_slip_deflections(law, &now, out);
    return law->count;
}
