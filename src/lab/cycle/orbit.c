// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion and its derivative with respect to the start. Between events the variational equation
//     D' = A(t) D,   A = [0 I; da/dq da/dv] in the present mode,
// is solved by Gauss collocation of six stages (order 12) along the engine's own motion; saltation.c takes D
// across each event.
#include "lab/cycle/orbit.h"

#include "core/error.h"
#include "core/grow.h"
#include "engine/flow/tangent.h"
#include "lab/algebra.h"
#include "lab/cycle/saltation.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = SS_GAUSS_STAGES };
static const double step_times_rate = 0.5; // (1/2)^13 over 13!-like constants: far below rounding

// ---- creation

static void keep_event(void* user, const ss_event* event)
{
    ss_events* events = &((ss_orbit*)user)->events;
    if (((ss_orbit*)user)->replay) return;
    if (ss_grow(&events->items, events->count, &events->room, sizeof *event))
        events->items[events->count++] = *event;
    else
        events->failed = true;
}

// Legendre polynomial of degree STAGES on [-1, 1], and its derivative.
static double legendre(double x, double* derivative)
{
    double before = 1.0, value = x;
    for (int k = 2; k <= STAGES; k++) {
        double next = ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k;
        before = value;
        value = next;
    }
    *derivative = STAGES * (x * value - before) / (x * x - 1.0);
    return value;
}

// Integral of the Lagrange polynomial of node j from 0 to c, by the coefficients of the polynomial.
static double integral(const double node[], int j, double c)
{
    double coefficient[STAGES] = {1.0}, sum = 0.0;
    int degree = 0;
    for (int k = 0; k < STAGES; k++) {
        if (k == j) continue;
        double scale = 1.0 / (node[j] - node[k]);
        for (int l = ++degree; l >= 0; l--)
            coefficient[l] =
                scale * ((l > 0 ? coefficient[l - 1] : 0.0) - node[k] * (l < degree ? coefficient[l] : 0.0));
    }
    for (int l = degree; l >= 0; l--) sum = (sum + coefficient[l] / (l + 1.0)) * c;
    return sum;
}

static void make_nodes(ss_orbit* orbit)
{
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < STAGES; i++) {
        double x = -cos(pi * (i + 0.75) / (STAGES + 0.5)), slope;
        for (int round = 0; round < 20; round++) {
            double value = legendre(x, &slope);
            x -= value / slope;
        }
        orbit->node[i] = 0.5 * (1.0 + x);
    }
    for (int j = 0; j < STAGES; j++) orbit->weight[j] = integral(orbit->node, j, 1.0);
    for (int i = 0; i < STAGES; i++)
        for (int j = 0; j < STAGES; j++) orbit->inner[i][j] = integral(orbit->node, j, orbit->node[i]);
}

static bool allocate(ss_orbit* orbit)
{
    const ss_model* model = orbit->model;
    size_t n = (size_t)orbit->n, w = (size_t)orbit->width, bodies = (size_t)model->body_count;
    size_t size = STAGES * w;
    double** arrays[] = {&orbit->start_x,  &orbit->body_x, &orbit->body_v,   &orbit->state,
                         &orbit->slope,    &orbit->jump,   &orbit->normals,  &orbit->rates,
                         &orbit->forces,   &orbit->before, &orbit->product,  &orbit->rhs,
                         &orbit->system,   &orbit->stages, &orbit->jacobian, &orbit->jacobian_scratch,
                         &orbit->monodromy};
    size_t m = (size_t)model->contact_count;
    size_t sizes[] = {bodies,      bodies,
                      bodies,      w,
                      w,           w,
                      m * w,       m,
                      m,           w,
                      w * w,       size * w,
                      size * size, STAGES * n * w,
                      n * w,       ss_jacobian_size(model),
                      w * w};
    bool fine = true;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        *arrays[k] = ss_new(sizes[k], sizeof(double));
        fine = fine && *arrays[k];
    }
    orbit->pivots = ss_new(size, sizeof(int));
    orbit->extents = ss_new(bodies, sizeof(ss_extent));
    return fine && orbit->pivots && orbit->extents;
}

ss_status ss_orbit_create(const ss_model* model, const ss_sim_def* settings, ss_orbit** out, ss_error* err)
{
    *out = NULL;
    ss_orbit* orbit = ss_new(1, sizeof *orbit);
    if (!orbit) return ss_fail_no_memory(err);
    orbit->model = model;
    orbit->n = model->n;
    orbit->width = 2 * model->n;
    ss_sim_def def = *settings;
    def.on_event = keep_event;
    def.user = orbit;
    def.ledger = false;
    ss_status status = allocate(orbit) ? SS_OK : ss_fail_no_memory(err);
    if (status == SS_OK) {
        make_nodes(orbit);
        for (int b = 0; b < model->body_count; b++) orbit->start_x[b] = model->bodies[b].start_x;
        status = ss_sim_create(model, &def, &orbit->sim, err);
    }
    if (status != SS_OK) {
        ss_orbit_destroy(orbit);
        return status;
    }
    *out = orbit;
    return SS_OK;
}

void ss_orbit_destroy(ss_orbit* orbit)
{
    if (!orbit) return;
    void* arrays[] = {orbit->start_x,   orbit->body_x, orbit->body_v,   orbit->state,
                      orbit->slope,     orbit->jump,   orbit->normals,  orbit->rates,
                      orbit->forces,    orbit->before, orbit->product,  orbit->rhs,
                      orbit->system,    orbit->stages, orbit->jacobian, orbit->jacobian_scratch,
                      orbit->monodromy, orbit->pivots, orbit->extents,  orbit->events.items};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) free(arrays[k]);
    ss_sim_destroy(orbit->sim);
    free(orbit);
}

// ---- the motion

void ss_orbit_get_start(const ss_orbit* orbit, double state[])
{
    for (int i = 0; i < orbit->n; i++) {
        const ss_body* body = &orbit->model->bodies[orbit->model->coordinate_body[i]];
        state[i] = body->start_x;
        state[orbit->n + i] = body->start_v;
    }
}

// Bodies move by their rows of T from where the model's start, which its ties keep, has them.
static void place_bodies(ss_orbit* orbit, const double state[])
{
    const ss_model* model = orbit->model;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        double x = orbit->start_x[b];
        for (int k = 0; k < body->row.count; k++) {
            int i = body->row.index[k];
            x += body->row.value[k] * (state[i] - orbit->start_x[model->coordinate_body[i]]);
        }
        orbit->body_x[b] = body->coordinate >= 0 ? state[body->coordinate] : x;
        orbit->body_v[b] = ss_row_dot(&body->row, state + orbit->n);
    }
}

ss_status ss_orbit_restart(ss_orbit* orbit, const double state[], ss_error* err)
{
    place_bodies(orbit, state);
    if (!orbit->replay) orbit->events.count = 0;
    orbit->outcome = SS_TIME_REACHED;
    ss_status status = ss_sim_restart(orbit->sim, orbit->body_x, orbit->body_v, err);
    if (status == SS_OK && orbit->sim->ended) orbit->outcome = orbit->sim->outcome;
    return status;
}

ss_status ss_orbit_advance(ss_orbit* orbit, double t, ss_error* err)
{
    const ss_sim* sim = orbit->sim;
    ss_status status = ss_sim_advance(orbit->sim, t, &orbit->outcome, err);
    if (status != SS_OK) return status;
    if (orbit->events.failed) return ss_fail_no_memory(err);
    orbit->end_t = ss_sim_time(sim);
    if (orbit->outcome != SS_TIME_REACHED) return SS_OK;
    for (int i = 0; i < orbit->n; i++) {
        int body = orbit->model->coordinate_body[i];
        orbit->state[i] = sim->out_x[body];
        orbit->state[orbit->n + i] = orbit->slope[i] = sim->out_v[body];
    }
    ss_present_acceleration(sim, orbit->slope + orbit->n);
    return SS_OK;
}

// ---- the extent of each body

// Position at the turning point between the last point looked at and (t, x, v, a): the quintic through both.
static double turning_point(const ss_extent* from, double t, double x, double v, double a)
{
    double h = t - from->t, low = 0.0, high = 1.0, at = 0.0;
    double c[6] = {from->x, from->v * h, 0.5 * from->a * h * h};
    double dx = x - c[0] - c[1] - c[2], dv = v * h - c[1] - 2.0 * c[2], da = a * h * h - 2.0 * c[2];
    c[3] = 10.0 * dx - 4.0 * dv + 0.5 * da;
    c[4] = -15.0 * dx + 7.0 * dv - da;
    c[5] = 6.0 * dx - 3.0 * dv + 0.5 * da;
    for (int round = 0; round < 60; round++) {
        double s = 0.5 * (low + high), slope = 0.0;
        for (int k = 5; k >= 1; k--) slope = slope * s + k * c[k];
        *((slope > 0.0) == (from->v > 0.0) ? &low : &high) = s;
    }
    for (int k = 5; k >= 0; k--) at = at * low + c[k];
    return at;
}

static void look_at_extents(ss_orbit* orbit, bool first)
{
    const ss_sim* sim = orbit->sim;
    double t = ss_sim_time(sim);
    for (int b = 0; b < orbit->model->body_count; b++) {
        ss_extent* extent = &orbit->extents[b];
        double x = sim->out_x[b], v = sim->out_v[b],
               a = ss_row_dot(&orbit->model->bodies[b].row, orbit->slope + orbit->n);
        if (first) *extent = (ss_extent){.low = x, .high = x};
        double turn = !first && extent->v * v < 0.0 ? turning_point(extent, t, x, v, a) : x;
        extent->low = fmin(extent->low, fmin(x, turn));
        extent->high = fmax(extent->high, fmax(x, turn));
        extent->t = t;
        extent->x = x;
        extent->v = v;
        extent->a = a;
    }
}

// ---- between events

static ss_status look(ss_orbit* orbit, double t, ss_error* err)
{
    ss_status status = ss_orbit_advance(orbit, t, err);
    if (status == SS_OK && orbit->outcome == SS_TIME_REACHED) look_at_extents(orbit, false);
    return status;
}

// Z_i = D + h sum_j inner_ij A_j Z_j, then D += h sum_j weight_j A_j Z_j. A_j = [0 I; stage j].
static ss_status collocate(ss_orbit* orbit, double t, double h, ss_error* err)
{
    int n = orbit->n, w = orbit->width, size = STAGES * w;
    double *system = orbit->system, *z = orbit->rhs, *d = orbit->monodromy;
    memset(system, 0, (size_t)size * (size_t)size * sizeof(double));
    for (int i = 0; i < STAGES; i++)
        for (int r = 0; r < w; r++) {
            double* row = system + (size_t)(i * w + r) * (size_t)size;
            row[i * w + r] = 1.0;
            for (int j = 0; j < STAGES; j++) {
                double factor = h * orbit->inner[i][j];
                if (r < n) row[j * w + n + r] -= factor;
                const double* a = orbit->stages + (size_t)(j * n + (r < n ? 0 : r - n)) * (size_t)w;
                for (int c = 0; r >= n && c < w; c++) row[j * w + c] -= factor * a[c];
            }
            memcpy(z + (size_t)(i * w + r) * (size_t)w, d + (size_t)r * (size_t)w,
                   (size_t)w * sizeof(double));
        }
    int info = LAPACKE_dgesv(LAPACK_ROW_MAJOR, size, w, system, size, orbit->pivots, z, w);
    if (ss_algebra_ran_out(info)) return ss_fail_no_memory(err);
    if (info != 0) return ss_fail(err, SS_BAD_INPUT, NULL, "the motion turns too fast at t = %g s", t);
    for (int j = 0; j < STAGES; j++) {
        const double *a = orbit->stages + (size_t)(j * n) * (size_t)w, *zj = z + (size_t)(j * w) * (size_t)w;
        double factor = h * orbit->weight[j];
        for (int c = 0; c < w; c++)
            for (int r = 0; r < n; r++) {
                double sum = 0.0;
                for (int k = 0; k < w; k++) sum += a[r * w + k] * zj[k * w + c];
                d[r * w + c] += factor * zj[(n + r) * w + c];
                d[(n + r) * w + c] += factor * sum;
            }
    }
    return SS_OK;
}

// How fast the variational equation turns: by its coefficients here and what the engine knows of the model.
static double present_rate(ss_orbit* orbit)
{
    int n = orbit->n, w = orbit->width;
    double stiff = 0.0, damp = 0.0;
    ss_mode_jacobian(orbit->sim, orbit->jacobian, orbit->jacobian_scratch);
    for (int r = 0; r < n; r++) {
        double sum_q = 0.0, sum_v = 0.0;
        for (int c = 0; c < n; c++) {
            sum_q += fabs(orbit->jacobian[r * w + c]);
            sum_v += fabs(orbit->jacobian[r * w + n + c]);
        }
        stiff = fmax(stiff, sum_q);
        damp = fmax(damp, sum_v);
    }
    return fmax(sqrt(stiff) + damp, orbit->sim->rate);
}

// A stop whose force grows with a broken power of the penetration is not smooth where it is touched and left.
static bool has_rough_ends(const ss_orbit* orbit)
{
    for (int i = 0; i < orbit->model->contact_count; i++) {
        const ss_contact* contact = &orbit->model->contacts[i];
        if (contact->law == SS_LAW_HUNT_CROSSLEY && orbit->sim->contacts[i].mode == SS_MODE_CLOSED &&
            contact->hunt_crossley.exponent != nearbyint(contact->hunt_crossley.exponent))
            return true;
    }
    return false;
}

// The next step from t on the way from begin to end: in equal ones as the rate demands, towards rough ends in
// ever smaller ones down to a billionth, where what is lost is nothing.
static double next_step(double begin, double t, double end, double rate, bool varying, bool rough)
{
    double left = end - t, least = 1e-9 * (end - begin);
    double h = left / fmax(ceil(left * rate / step_times_rate), 1.0);
    if (varying) h = fmin(h, (end - begin) / 16.0); // the rate may rise and fall on the way
    if (rough) h = fmin(h, fmin(fmax(t - begin, least), fmax(0.5 * left, least)));
    return fmin(h, left);
}

static ss_status step_by(ss_orbit* orbit, double t, double h, double last, ss_error* err)
{
    for (int i = 0; i < STAGES; i++) {
        ss_status status = look(orbit, fmin(t + orbit->node[i] * h, last), err);
        if (status != SS_OK) return status;
        ss_mode_jacobian(orbit->sim, orbit->stages + (size_t)(i * orbit->n) * (size_t)orbit->width,
                         orbit->jacobian_scratch);
    }
    ss_status status = collocate(orbit, t, h, err);
    return status != SS_OK ? status : look(orbit, fmin(t + h, last), err);
}

// From where the run is to just before `end`, in one mode.
static ss_status flow_to(ss_orbit* orbit, double end, ss_error* err)
{
    double begin = ss_sim_time(orbit->sim), last = nextafter(end, 0.0);
    bool rough = has_rough_ends(orbit);
    for (double t = begin; t < end;) {
        double h = next_step(begin, t, end, present_rate(orbit), !orbit->model->linear, rough);
        ss_status status = step_by(orbit, t, h, last, err);
        if (status != SS_OK) return status;
        t = end - t - h <= 1e-12 * (end - begin) ? end : t + h;
    }
    return SS_OK;
}

// ---- all of it

static void set_identity(double matrix[], int width)
{
    for (int r = 0; r < width; r++)
        for (int c = 0; c < width; c++) matrix[r * width + c] = r == c;
}

// Crosses the events at one instant, of which there are `count` from `first` on.
static ss_status cross(ss_orbit* orbit, size_t first, size_t count, ss_error* err)
{
    ss_saltation_prepare(orbit, first, count);
    double t = orbit->events.items[first].t;
    ss_status status = look(orbit, t, err);
    if (status != SS_OK) return status;
    return ss_saltation_cross(orbit, first, count, err);
}

// The second pass: the events are known, and found again to the bit.
static ss_status differentiate(ss_orbit* orbit, const double start[], double time, ss_error* err)
{
    ss_status status = ss_orbit_restart(orbit, start, err);
    if (status == SS_OK) status = ss_orbit_advance(orbit, 0.0, err);
    if (status != SS_OK) return status;
    look_at_extents(orbit, true);
    set_identity(orbit->monodromy, orbit->width);
    orbit->coupled = false;
    for (size_t k = 0, same; k < orbit->events.count; k += same) {
        const ss_event* events = orbit->events.items;
        for (same = 1; k + same < orbit->events.count && events[k + same].t == events[k].t;) same++;
        status = flow_to(orbit, events[k].t, err);
        if (status == SS_OK) status = cross(orbit, k, same, err);
        if (status != SS_OK) return status;
    }
    status = flow_to(orbit, time, err);
    return status == SS_OK ? look(orbit, time, err) : status;
}

ss_status ss_orbit_follow(ss_orbit* orbit, const double start[], double time, ss_error* err)
{
    orbit->replay = false;
    ss_status status = ss_orbit_restart(orbit, start, err);
    if (status == SS_OK && orbit->outcome == SS_TIME_REACHED) status = ss_orbit_advance(orbit, time, err);
    if (status != SS_OK || orbit->outcome != SS_TIME_REACHED) return status;
    orbit->replay = true;
    status = differentiate(orbit, start, time, err);
    orbit->replay = false;
    return status;
}
