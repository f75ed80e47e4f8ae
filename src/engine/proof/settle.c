// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Settling: the present mode is never left, and what still moves dies out. docs/theory/settle.md tells why
// what is checked here suffices.
//
// In one mode that is linear, with constant inputs, y = (q, q') of the coordinates that are not held, and the
// states of first order of an open model, obeys
// y' = A y + c, so y'(t) = e^(A t) y'(0) = sum_k rho_k v_k e^(lambda_k t), and every event function is a
// constant plus a sum of these exponentials.
#include "core/algebra/decay.h"
#include "core/algebra/eigen.h"
#include "core/rounding.h"
#include "core/tolerance.h"
#include "engine/proof/leap.h"
#include "engine/proof/settle_bristles.h"
#include "engine/sim.h"
#include "model/open.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LARGEST = 32 }; // coordinates of a model that is looked at
static const double worst_condition = 1e10;
static const double vanished = 750.0; // e^-750 = 0
static const double rounding = 64.0 * DBL_EPSILON;

// The probe's own state: 3 n, 3 drives, 2 states, contacts.
typedef struct settle_probe {
    double *q, *d, *s, *lambda;
} settle_probe;

// The linear system of the present mode.
typedef struct settle_mode {
    int count, *coordinates;      // the coordinates that are not held
    int size;                     // of y: 2 count and the states, at most N
    double* a;                    // A, order size
    double* rows;                 // contacts x n: relative velocity per speed of a free coordinate
    double* reactions;            // contacts x N: force per unit of y
    double* forces;               // contacts: at present
    double *rate_now, *rate_mark; // N: y' now and then
    double* limit;                // states: where they go
} settle_mode;

// Parts of the motion that are coupled, looked at one after the other.
typedef struct settle_parts {
    int* of; // N: which part a variable belongs to; 0: it does not move
    int count, *members;
    int modes;            // of all parts
    ss_spectrum spectrum; // of one part
    double *a, *scale;
    double complex* work;
} settle_parts;

// How the motion decays, as a sum of exponentials.
typedef struct settle_decay {
    double complex *values, *vectors; // N modes; vectors N x N
    double complex *now, *then;       // rho_k of y' now and at the mark
    double* error;                    // N: of rho_k v_k / lambda_k, relative
    double blur;                      // relative uncertainty of a single rho
    double complex *rates, *weights;  // of one event function
} settle_decay;

struct ss_settle {
    double* mark; // q and q' when the present mode began, that time, and the states; all else is scratch
    settle_probe probe;
    settle_mode mode;
    settle_parts parts;
    settle_decay decay;
};

void ss_settle_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    sim->proof.settle = NULL;
    if ((model->open && !model->nature.linear) || model->nature.one_way || sim->open.states > LARGEST) return;
    if (model->open && model->open->block_count > 0) return; // what a controller will do is not in the modes
    if (sim->laws.elastic_count > 0 || sim->laws.bristle_count > 0 || model->n > LARGEST || model->n == 0)
        return;
    ss_pool* pool = &sim->pool;
    struct ss_settle* s = ss_pool_spare(pool, 1, sizeof *s);
    if (!s) return;
    size_t n = (size_t)model->n, m = (size_t)model->contact_count, nd = (size_t)model->drive_count;
    size_t p = (size_t)sim->open.states, most = 2 * n + p;
    double** reals[] = {&s->probe.q,        &s->probe.d,        &s->probe.lambda, &s->mode.a,
                        &s->mode.rows,      &s->mode.reactions, &s->mode.forces,  &s->mode.rate_now,
                        &s->mode.rate_mark, &s->parts.a,        &s->parts.scale,  &s->decay.error,
                        &s->probe.s,        &s->mode.limit};
    size_t sizes[] = {3 * n, 3 * nd, m,           most * most, m * n, m * most, m,
                      most,  most,   most * most, most,        most,  2 * p,    p};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        *reals[k] = ss_pool_spare(pool, sizes[k], sizeof(double));
    double complex** complexes[] = {&s->parts.spectrum.values,
                                    &s->parts.spectrum.vectors,
                                    &s->parts.spectrum.inverse,
                                    &s->parts.work,
                                    &s->decay.values,
                                    &s->decay.vectors,
                                    &s->decay.now,
                                    &s->decay.then,
                                    &s->decay.rates,
                                    &s->decay.weights};
    size_t square = most * most;
    size_t lengths[] = {most, square, square, 2 * square, most, square, most, most, most, most};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        *complexes[k] = ss_pool_spare(pool, lengths[k], sizeof(double complex));
    s->mark = ss_pool_new(pool, 2 * n + 1 + p, sizeof(double));
    s->mode.coordinates = ss_pool_spare(pool, n, sizeof(int));
    s->parts.of = ss_pool_spare(pool, most, sizeof(int));
    s->parts.members = ss_pool_spare(pool, most, sizeof(int));
    sim->proof.settle = s;
}

void ss_settle_mark(ss_sim* sim)
{
    if (!sim->proof.settle || (sim->step.t > 0.0 && sim->step.end == SS_STEP_REACH)) return;
    size_t n = (size_t)sim->model->n;
    sim->proof.settle->mark[2 * n] = sim->step.t;
    memcpy(sim->proof.settle->mark, sim->step.q, 2 * n * sizeof(double));
    memcpy(sim->proof.settle->mark + 2 * n + 1, sim->step.s, (size_t)sim->open.states * sizeof(double));
}

// ---- the linear system of the mode

// A shallow copy of the run that moves states of its own.
static ss_sim make_probe(const ss_sim* sim)
{
    ss_sim probe = *sim;
    probe.step.q = sim->proof.settle->probe.q;
    probe.step.d = sim->proof.settle->probe.d;
    probe.step.s = sim->proof.settle->probe.s;
    probe.step.lambda = sim->proof.settle->probe.lambda;
    return probe;
}

static void find_free(const ss_sim* sim)
{
    struct ss_settle* s = sim->proof.settle;
    s->mode.count = 0;
    for (int i = 0; i < sim->model->n; i++) {
        bool held = false;
        for (int j = 0; j < sim->modes.active_count; j++)
            for (int r = 0; r < sim->modes.holds[sim->modes.active[j]].rank; r++)
                held = held || sim->modes.holds[sim->modes.active[j]].dependent[r] == i;
        if (!held) s->mode.coordinates[s->mode.count++] = i;
    }
    s->mode.size = 2 * s->mode.count + sim->open.states;
}

// Accelerations (q[2], halved) and forces of contacts from the probe's q and q': by all forces, or (by_state)
// without all that is constant.
static void run_probe(ss_sim* probe, bool by_state)
{
    memset(probe->step.lambda, 0, (size_t)probe->model->contact_count * sizeof(double));
    if (by_state)
        ss_respond(probe, 0, 0);
    else
        ss_accelerate(probe, 0);
}

static void clear_probe(ss_sim* probe)
{
    memset(probe->step.q, 0, 3 * (size_t)probe->model->n * sizeof(double));
    memset(probe->step.d, 0, 3 * (size_t)probe->model->drive_count * sizeof(double));
    memset(probe->step.s, 0, 2 * (size_t)probe->open.states * sizeof(double));
}

// Whether the unit state of the probe leaves all cubic springs as they are.
static bool spares_cubic_springs(const ss_sim* probe)
{
    for (int c = 0; c < probe->model->connection_count; c++) {
        const ss_connection* spring = &probe->model->connections[c];
        double size = 0.0;
        for (int k = 0; k < spring->q.count; k++)
            size += fabs(spring->q.value[k] * probe->step.q[spring->q.index[k]]);
        if (spring->cubic != 0.0 && fabs(ss_row_dot(&spring->q, probe->step.q)) > rounding * size)
            return false;
    }
    return true;
}

// Stribeck friction does not slip. (Cubic springs are looked at where A is found.)
static bool is_linear(const ss_sim* sim)
{
    for (int i = 0; i < sim->model->contact_count; i++)
        if (sim->laws.curved_at[i] >= 0 && ss_slips(sim, i)) return false;
    return true;
}

// Columns of A: what a unit state does, without all constant forces. False where a cubic spring moves: in the
// others it is a constant force.
static bool linearise(const ss_sim* sim)
{
    struct ss_settle* s = sim->proof.settle;
    ss_sim probe = make_probe(sim);
    int n = sim->model->n, m = sim->model->contact_count, r = s->mode.count, size = s->mode.size;
    memset(s->mode.a, 0, (size_t)(size * size) * sizeof(double));
    for (int c = 0; c < size; c++) {
        clear_probe(&probe);
        if (c < 2 * r)
            probe.step.q[(c < r ? 0 : n) + s->mode.coordinates[c % r]] = 1.0;
        else
            probe.step.s[c - 2 * r] = 1.0;
        for (int k = 0; k < 2; k++) ss_follow_held(&probe, k);
        if (c < r && sim->pulls.has_cubic && !spares_cubic_springs(&probe)) return false;
        run_probe(&probe, true);
        if (c >= r && c < 2 * r) s->mode.a[(c - r) * size + c] = 1.0;
        for (int j = 0; j < r; j++)
            s->mode.a[(r + j) * size + c] = 2.0 * probe.step.q[2 * n + s->mode.coordinates[j]];
        for (int j = 0; j < sim->open.states; j++)
            s->mode.a[(2 * r + j) * size + c] = probe.step.s[sim->open.states + j];
        for (int i = 0; i < m; i++) {
            s->mode.reactions[i * size + c] = probe.step.lambda[i];
            if (c < r) s->mode.rows[i * r + c] = ss_row_dot(&sim->model->contacts[i].q, probe.step.q);
        }
    }
    return true;
}

// y' now and at the mark, and the forces now.
static void find_rates(const ss_sim* sim)
{
    struct ss_settle* s = sim->proof.settle;
    ss_sim probe = make_probe(sim);
    int n = sim->model->n, nd = sim->model->drive_count, r = s->mode.count, states = sim->open.states;
    clear_probe(&probe);
    for (int k = sim->step.order; k >= 0; k--)
        for (int i = 0; i < n; i++) {
            probe.step.q[n + i] = probe.step.q[n + i] * sim->step.now + probe.step.q[i];
            probe.step.q[i] = probe.step.q[i] * sim->step.now + sim->step.q[k * n + i];
        }
    memcpy(probe.step.d, sim->step.d, (size_t)nd * sizeof(double));
    if (states > 0)
        memcpy(probe.step.s, sim->open.out, (size_t)states * sizeof(double)); // else there is none
    run_probe(&probe, false);
    memcpy(s->mode.forces, probe.step.lambda, (size_t)sim->model->contact_count * sizeof(double));
    for (int j = 0; j < r; j++) {
        int i = s->mode.coordinates[j];
        s->mode.rate_now[j] = probe.step.q[n + i];
        s->mode.rate_now[r + j] = 2.0 * probe.step.q[2 * n + i];
    }
    for (int j = 0; j < states; j++) s->mode.rate_now[2 * r + j] = probe.step.s[states + j];
    memcpy(probe.step.q, s->mark, 2 * (size_t)n * sizeof(double));
    memcpy(probe.step.s, s->mark + 2 * n + 1, (size_t)states * sizeof(double));
    run_probe(&probe, false);
    for (int j = 0; j < r; j++) {
        int i = s->mode.coordinates[j];
        s->mode.rate_mark[j] = probe.step.q[n + i];
        s->mode.rate_mark[r + j] = 2.0 * probe.step.q[2 * n + i];
    }
    for (int j = 0; j < states; j++) s->mode.rate_mark[2 * r + j] = probe.step.s[states + j];
}

// ---- its modes

// Spreads over everything that `from` moves and, where both ways are asked for, that moves it.
static void spread(struct ss_settle* s, int from, int label, bool both)
{
    int size = s->mode.size, count = 0;
    s->parts.members[count++] = from;
    s->parts.of[from] = label;
    while (count > 0) {
        int j = s->parts.members[--count];
        for (int i = 0; i < size; i++) {
            bool coupled = s->mode.a[i * size + j] != 0.0 || (both && s->mode.a[j * size + i] != 0.0);
            if (!coupled || s->parts.of[i] == label || (both && s->parts.of[i] == 0)) continue;
            s->parts.of[i] = label;
            s->parts.members[count++] = i;
        }
    }
}

// Variables that ever move, in parts that do not act on each other: what is exactly apart stays so.
static void find_parts(struct ss_settle* s)
{
    int size = s->mode.size;
    memset(s->parts.of, 0, (size_t)size * sizeof(int));
    for (int i = 0; i < size; i++)
        if (s->parts.of[i] == 0 && (s->mode.rate_now[i] != 0.0 || s->mode.rate_mark[i] != 0.0))
            spread(s, i, -1, false);
    s->parts.count = 0;
    for (int i = 0; i < size; i++)
        if (s->parts.of[i] == -1) spread(s, i, ++s->parts.count, true);
}

// A computed value counts as real where it is to within its uncertainty and no other one is near that could
// be its conjugate.
static void straighten(ss_spectrum* spectrum, int n, double uncertainty)
{
    for (int k = 0; k < n; k++) {
        if (cimag(spectrum->values[k]) == 0.0 || fabs(cimag(spectrum->values[k])) > uncertainty) continue;
        bool alone = true;
        for (int l = 0; l < n; l++)
            alone = alone && (l == k || cabs(spectrum->values[l] - spectrum->values[k]) > 4.0 * uncertainty);
        if (alone) spectrum->values[k] = creal(spectrum->values[k]);
    }
}

// Whether mode k of a part decays, or is at rest (a position that nothing pulls back). total is the size of
// all rho of the part. A slow drift is told from rest only where the vectors are well apart.
static bool dies_out(struct ss_settle* s, int k, double uncertainty, double blur, double total)
{
    if (creal(s->decay.values[k]) < -uncertainty) return true;
    if (cabs(s->decay.values[k]) > uncertainty || blur > SS_CLEAR || cabs(s->decay.then[k]) > blur * total)
        return false;
    s->decay.values[k] = s->decay.now[k] = s->decay.then[k] = 0.0;
    return true;
}

// The spectrum of the part with these n members. Where vectors are missing, as at critical damping, the
// matrix is changed by a few roundings: as true to the model as the one it stands for, and it has them all.
static bool solve_eigen(struct ss_settle* s, int n)
{
    int size = s->mode.size;
    for (int attempt = 0; attempt < 3; attempt++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                s->parts.a[i * n + j] = s->mode.a[s->parts.members[i] * size + s->parts.members[j]] *
                                        (1.0 + attempt * (1 + (5 * i + 3 * j) % 7) * DBL_EPSILON);
        if (!ss_eigen_solve(s->parts.a, n, &s->parts.spectrum, s->parts.work, s->parts.scale)) return false;
        if (s->parts.spectrum.condition <= worst_condition) return true;
    }
    return false;
}

static bool solve_part(struct ss_settle* s, int label, int* modes)
{
    int size = s->mode.size, n = 0, first = *modes;
    for (int i = 0; i < size; i++)
        if (s->parts.of[i] == label) s->parts.members[n++] = i;
    ss_spectrum* found = &s->parts.spectrum;
    if (!solve_eigen(s, n)) return false;
    double blur = n * rounding * found->condition, uncertainty = blur * found->norm, total = 0.0;
    s->decay.blur = fmax(s->decay.blur, blur);
    straighten(found, n, uncertainty);
    for (int k = 0; k < n; k++) {
        int to = (*modes)++;
        s->decay.values[to] = found->values[k];
        s->decay.error[to] = n * rounding * (1.0 + found->norm / cabs(s->decay.values[to]));
        s->decay.now[to] = s->decay.then[to] = 0.0;
        for (int i = 0; i < n; i++) {
            s->decay.vectors[s->parts.members[i] * size + to] = found->vectors[i * n + k];
            s->decay.now[to] += found->inverse[k * n + i] * s->mode.rate_now[s->parts.members[i]];
            s->decay.then[to] += found->inverse[k * n + i] * s->mode.rate_mark[s->parts.members[i]];
        }
        total += cabs(s->decay.then[to]);
    }
    for (int k = first; k < *modes; k++)
        if (!dies_out(s, k, uncertainty, blur, total)) return false;
    return true;
}

// Whether anything moves now, or moved when the motion was last asked and is below any number by now.
static bool moves(const ss_sim* sim)
{
    for (int i = 0; i < sim->proof.settle->mode.size; i++)
        if (sim->proof.settle->mode.rate_now[i] != 0.0) return true;
    return ss_leap_is_begun(sim);
}

// Modes of all parts; false where some part does not die out.
static bool find_modes(struct ss_settle* s, int* modes)
{
    int size = s->mode.size;
    *modes = 0;
    s->decay.blur = 0.0;
    memset(s->decay.vectors, 0, (size_t)(size * size) * sizeof *s->decay.vectors);
    find_parts(s);
    for (int p = 1; p <= s->parts.count; p++)
        if (!solve_part(s, p, modes)) return false;
    return true;
}

// ---- the event functions

// Weight of mode k in gradient . y', and the size of its terms.
static double complex weigh(const struct ss_settle* s, const double gradient[], int length, int k,
                            double* size)
{
    double complex sum = 0.0;
    for (int j = 0; j < length; j++) {
        double complex term = gradient[j] * s->decay.vectors[j * s->mode.size + k];
        sum += term;
        *size += cabs(term);
    }
    return sum;
}

// A slip speed tends to 0; it must do so along its slowest exponential, from its own side. Two real values
// that are nearly one (critical damping) may come out as a pair with a swing much longer than the decay: then
// it is enough that the speed keeps its sign until it is smaller than any number.
static bool keeps_slipping(const ss_sim* sim, int i, int modes)
{
    struct ss_settle* s = sim->proof.settle;
    double sign = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0, noise = 0.0;
    ss_decay g = {.count = modes, .rates = s->decay.rates, .weights = s->decay.weights};
    for (int k = 0; k < modes; k++) {
        double size = 0.0;
        g.rates[k] = s->decay.values[k];
        g.weights[k] =
            sign * weigh(s, s->mode.rows + i * s->mode.count, s->mode.count, k, &size) * s->decay.then[k];
        noise += s->decay.blur * size * cabs(s->decay.then[k]);
    }
    double rate, from = sim->step.t + sim->step.now - s->mark[2 * sim->model->n];
    if (!ss_decay_divide(&g, noise, &rate)) return false;
    return ss_decay_is_positive(&g, from, g.constant != 0.0 ? INFINITY : from - vanished / rate);
}

// An event function with this value now and this gradient in y (its first `length` variables); size: of what
// the value is made of.
static bool stays_positive(const ss_sim* sim, double value, const double gradient[], int length, double sign,
                           double size, int modes)
{
    struct ss_settle* s = sim->proof.settle;
    ss_decay g = {.constant = value, .count = modes, .rates = s->decay.rates, .weights = s->decay.weights};
    double change = 0.0, noise = rounding * (fabs(value) + size);
    for (int k = 0; k < modes; k++) {
        double terms = 0.0;
        bool moves = s->decay.now[k] != 0.0;
        double complex share = moves ? sign * s->decay.now[k] / s->decay.values[k] : 0.0;
        g.rates[k] = s->decay.values[k];
        g.weights[k] = moves ? share * weigh(s, gradient, length, k, &terms) : 0.0;
        g.constant -= creal(g.weights[k]);
        change += 2.0 * cabs(g.weights[k]);
        noise += s->decay.error[k] * cabs(share) * terms;
    }
    if (change <= value) return true; // |e^(lambda t) - 1| <= 2
    return g.constant > noise && ss_decay_is_positive(&g, 0.0, INFINITY);
}

static bool keeps_holding(const ss_sim* sim, int i, int modes)
{
    const struct ss_settle* s = sim->proof.settle;
    const double* gradient = s->mode.reactions + i * s->mode.size;
    double low = ss_hold_low(sim, i, 0), high = ss_hold_high(sim, i, 0);
    const double* slack = sim->modes.contacts[i].slack;
    double force = s->mode.forces[i];
    if (sim->modes.contacts[i].pinned) return true;
    if (isfinite(high) && !stays_positive(sim, high - force + slack[0], gradient, s->mode.size, -1.0,
                                          fabs(high) + fabs(force), modes))
        return false;
    return isinf(low) || stays_positive(sim, force - low + slack[1], gradient, s->mode.size, 1.0,
                                        fabs(low) + fabs(force), modes);
}

static bool stays_open(const ss_sim* sim, int i, int modes)
{
    const struct ss_settle* s = sim->proof.settle;
    double side = sim->model->contacts[i].rigid_stop.side,
           position = sim->model->contacts[i].rigid_stop.position;
    double moved = 0.0; // since the start of the step, where the gap is known
    for (int k = sim->step.order; k >= 1; k--)
        moved = (moved + ss_relative_velocity(sim, i, k - 1) / k) * sim->step.now;
    double gap = sim->modes.contacts[i].gap - side * moved;
    return gap > 0.0 && stays_positive(sim, gap, s->mode.rows + i * s->mode.count, s->mode.count, -side,
                                       fabs(position), modes);
}

static bool stays(const ss_sim* sim, int i, int modes)
{
    switch (sim->modes.contacts[i].mode) {
    case SS_MODE_SLIP_PLUS:
    case SS_MODE_SLIP_MINUS: return keeps_slipping(sim, i, modes);
    case SS_MODE_STICK:
    case SS_MODE_CLOSED: return keeps_holding(sim, i, modes);
    case SS_MODE_OPEN: return stays_open(sim, i, modes);
    case SS_MODE_SLIP: break; // of sliders only
    }
    return false;
}

// Solves a x = b in place, n x n, by elimination with row exchanges; false where a is singular to rounding.
static bool solve(double a[], double b[], int n)
{
    for (int c = 0; c < n; c++) {
        int best = c;
        double size = 0.0;
        for (int r = c; r < n; r++)
            if (fabs(a[r * n + c]) > fabs(a[best * n + c])) best = r;
        for (int k = 0; k < n; k++) size = fmax(size, fabs(a[best * n + k]));
        if (!(fabs(a[best * n + c]) > n * rounding * size)) return false;
        for (int k = 0; k < n; k++) {
            double kept = a[c * n + k];
            a[c * n + k] = a[best * n + k];
            a[best * n + k] = kept;
        }
        double kept = b[c];
        b[c] = b[best];
        b[best] = kept;
        for (int r = c + 1; r < n; r++) {
            double factor = a[r * n + c] / a[c * n + c];
            for (int k = c; k < n; k++) a[r * n + k] -= factor * a[c * n + k];
            b[r] -= factor * b[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) b[r] -= a[r * n + k] * b[k];
        b[r] /= a[r * n + r];
    }
    return true;
}

// Way of the free coordinates to the point where nothing pulls any more. False where some position has
// nothing that pulls it back.
static bool way_to_balance(const ss_sim* sim, double way[])
{
    struct ss_settle* s = sim->proof.settle;
    ss_sim probe = make_probe(sim);
    int n = sim->model->n, r = s->mode.count;
    clear_probe(&probe);
    for (int k = sim->step.order; k >= 0; k--)
        for (int i = 0; i < n; i++)
            probe.step.q[i] = probe.step.q[i] * sim->step.now + sim->step.q[k * n + i];
    memcpy(probe.step.d, sim->step.d, (size_t)sim->model->drive_count * sizeof(double));
    run_probe(&probe, false);
    for (int i = 0; i < r; i++) {
        way[i] = -2.0 * probe.step.q[2 * n + s->mode.coordinates[i]];
        for (int j = 0; j < r; j++) s->parts.a[i * r + j] = s->mode.a[(r + i) * 2 * r + j];
    }
    return solve(s->parts.a, way, r);
}

// Way of variable j of y from now to the end: -sum_k rho_k v_k / lambda_k.
static double way_of(const struct ss_settle* s, int j, int modes)
{
    double way = 0.0;
    for (int k = 0; k < modes; k++)
        if (s->decay.now[k] != 0.0)
            way -= creal(s->decay.vectors[j * s->mode.size + k] * s->decay.now[k] / s->decay.values[k]);
    return way;
}

// Where the free coordinates go, for all bodies: to the balance of forces; or, where that does not tell, by
// y(now) - sum_k rho_k v_k / lambda_k.
static void write_limit(const ss_sim* sim, int modes, double limit_x[])
{
    const ss_model* model = sim->model;
    struct ss_settle* s = sim->proof.settle;
    double way[LARGEST];
    if (sim->open.states > 0 || !way_to_balance(sim, way))
        for (int j = 0; j < s->mode.count; j++) way[j] = way_of(s, j, modes);
    ss_sim probe = make_probe(sim);
    clear_probe(&probe);
    for (int j = 0; j < s->mode.count; j++) probe.step.q[s->mode.coordinates[j]] = way[j];
    ss_follow_held(&probe, 0);
    for (int b = 0; b < model->body_count; b++) {
        limit_x[b] = sim->bodies.out_x[b];
        if (model->bodies[b].drive >= 0) continue;
        double gone = ss_row_dot(&model->bodies[b].row, probe.step.q);
        double size = 8.0 * (fabs(limit_x[b]) + fabs(gone)); // a solution of equations is rounded more often
        limit_x[b] = ss_clear_rounding(limit_x[b] + gone, size);
    }
}

bool ss_sim_settles(const ss_sim* sim, double limit_x[])
{
    int modes;
    if (sim->proof.settle_bristles) return ss_settle_bristles_proved(sim, limit_x);
    if (!sim->proof.settle || !sim->step.ready || sim->course.ended || !ss_inputs_stay(sim) ||
        !is_linear(sim))
        return false;
    find_free(sim);
    if (sim->proof.settle->mode.size == 0 || !linearise(sim)) return false;
    find_rates(sim);
    if (!moves(sim) || !find_modes(sim->proof.settle, &modes)) return false;
    for (int i = 0; i < sim->model->contact_count; i++)
        if (!stays(sim, i, modes)) return false;
    if (limit_x) write_limit(sim, modes, limit_x);
    const struct ss_settle* s = sim->proof.settle;
    for (int j = 0; j < sim->open.states; j++)
        s->mode.limit[j] = sim->open.out[j] + way_of(s, 2 * s->mode.count + j, modes);
    return true;
}

const double* ss_sim_limit_states(const ss_sim* sim)
{
    return sim->proof.settle ? sim->proof.settle->mode.limit : NULL;
}
