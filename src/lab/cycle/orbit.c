// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion and its derivative with respect to the start. Between events the variational equation
//     D' = A(t) D,   A = [0 I; da/dq da/dv] in the present mode,
// is solved by Gauss collocation of six stages (order 12) along the engine's own motion; saltation.c takes D
// across each event.
#include "lab/cycle/orbit.h"

#include "core/algebra/polynomial.h"
#include "core/error.h"
#include "core/grow.h"
#include "core/tolerance.h"
#include "engine/flow/tangent.h"
#include "lab/cycle/saltation.h"
#include "lab/cycle/variation.h"
#include "law/table.h"

#include <float.h>
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

static bool allocate(ss_orbit* orbit)
{
    const ss_model* model = orbit->model;
    size_t n = (size_t)orbit->n, w = (size_t)orbit->width, bodies = (size_t)model->body_count;
    size_t size = STAGES * w;
    double** arrays[] = {&orbit->start_x,   &orbit->body_x, &orbit->body_v,   &orbit->state,
                         &orbit->slope,     &orbit->jump,   &orbit->normals,  &orbit->rates,
                         &orbit->forces,    &orbit->before, &orbit->product,  &orbit->rhs,
                         &orbit->system,    &orbit->stages, &orbit->jacobian, &orbit->jacobian_scratch,
                         &orbit->monodromy, &orbit->stride};
    size_t m = (size_t)model->contact_count;
    size_t sizes[] = {bodies,      bodies,
                      bodies,      w,
                      w,           w,
                      m * w,       m,
                      m,           w,
                      w * w,       size * w,
                      size * size, STAGES * n * w,
                      n * w,       ss_jacobian_size(model),
                      w * w,       w * w};
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
        ss_variation_create(orbit);
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
    void* arrays[] = {orbit->start_x,     orbit->body_x, orbit->body_v,   orbit->state,
                      orbit->slope,       orbit->jump,   orbit->normals,  orbit->rates,
                      orbit->forces,      orbit->before, orbit->product,  orbit->rhs,
                      orbit->system,      orbit->stages, orbit->jacobian, orbit->jacobian_scratch,
                      orbit->monodromy,   orbit->stride, orbit->pivots,   orbit->extents,
                      orbit->events.items};
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

double ss_orbit_gap(ss_orbit* orbit, int i, const double state[])
{
    const ss_contact* contact = &orbit->model->contacts[i];
    double size = fabs(contact->rigid_stop.position);
    place_bodies(orbit, state);
    for (int k = 0; k < contact->bodies.count; k++)
        size += fabs(contact->bodies.value[k] * orbit->body_x[contact->bodies.index[k]]);
    double gap = contact->rigid_stop.side *
                 (contact->rigid_stop.position - ss_row_dot(&contact->bodies, orbit->body_x));
    return fabs(gap) <= 4.0 * DBL_EPSILON * size ? 0.0 : gap; // the engine allows twice as much
}

ss_status ss_orbit_restart(ss_orbit* orbit, const double state[], ss_error* err)
{
    place_bodies(orbit, state);
    if (!orbit->replay) orbit->events.count = 0;
    orbit->outcome = SS_TIME_REACHED;
    ss_status status = ss_sim_restart(orbit->sim, orbit->body_x, orbit->body_v, err);
    if (status == SS_OK && orbit->sim->course.ended) orbit->outcome = orbit->sim->course.outcome;
    return status;
}

// The engine goes on to time t in parts, between which somebody may want it to stop.
static ss_status advance_in_parts(ss_orbit* orbit, double t, ss_error* err)
{
    enum { PARTS = 64 };
    double from = ss_sim_time(orbit->sim);
    int parts = orbit->stop && (t - from) * orbit->sim->pace.rate > 100.0 ? PARTS : 1;
    ss_status status = SS_OK;
    for (int k = 1; k <= parts && status == SS_OK; k++) {
        if (orbit->stop && (orbit->stopped = orbit->stopped || orbit->stop(orbit->user))) return SS_OK;
        status =
            ss_sim_advance(orbit->sim, k < parts ? from + (t - from) * k / parts : t, &orbit->outcome, err);
        if (orbit->outcome != SS_TIME_REACHED) break;
    }
    return status;
}

ss_status ss_orbit_advance(ss_orbit* orbit, double t, ss_error* err)
{
    const ss_sim* sim = orbit->sim;
    ss_status status = advance_in_parts(orbit, t, err);
    if (status != SS_OK || orbit->stopped) return status;
    if (orbit->events.failed) return ss_fail_no_memory(err);
    orbit->end_t = ss_sim_time(sim);
    if (orbit->outcome != SS_TIME_REACHED) return SS_OK;
    for (int i = 0; i < orbit->n; i++) {
        int body = orbit->model->coordinate_body[i];
        orbit->state[i] = sim->bodies.out_x[body];
        orbit->state[orbit->n + i] = orbit->slope[i] = sim->bodies.out_v[body];
    }
    ss_present_acceleration(sim, orbit->slope + orbit->n);
    return SS_OK;
}

// ---- the extent of each body

// Position at the turning point between the last point looked at and (t, x, v, a): the quintic through both.
static double turning_point(const ss_extent* from, double t, double x, double v, double a)
{
    double h = t - from->t, low = 0.0, high = 1.0, c[6];
    ss_poly_quintic((ss_passage){from->x, from->v, from->a}, (ss_passage){x, v, a}, h, c);
    for (int round = 0; round < 60; round++) {
        double s = 0.5 * (low + high);
        *((ss_poly_slope(c, 1, 5, s) > 0.0) == (from->v > 0.0) ? &low : &high) = s;
    }
    return ss_poly_value(c, 1, 5, low);
}

static void look_at_extents(ss_orbit* orbit, bool first)
{
    const ss_sim* sim = orbit->sim;
    double t = ss_sim_time(sim);
    for (int b = 0; b < orbit->model->body_count; b++) {
        ss_extent* extent = &orbit->extents[b];
        double x = sim->bodies.out_x[b], v = sim->bodies.out_v[b],
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
    return fmax(sqrt(stiff) + damp, orbit->sim->pace.rate);
}

// A stop whose force grows with a broken power of the penetration is not smooth where it is touched and left.
static bool has_rough_ends(const ss_orbit* orbit)
{
    for (int i = 0; i < orbit->model->contact_count; i++) {
        const ss_contact* contact = &orbit->model->contacts[i];
        if (!ss_contact_is(contact, SS_TRAIT_GIVES_WAY) ||
            orbit->sim->modes.contacts[i].mode != SS_MODE_CLOSED)
            continue;
        double exponent = contact->law_row->stop.form(ss_law_of(contact), 0).exponent;
        if (exponent != nearbyint(exponent)) return true;
    }
    return false;
}

// The next step from t on the way from begin to end: in equal ones as the rate demands, towards rough ends in
// ever smaller ones down to a billionth, where what is lost is nothing.
static double next_step(double begin, double t, double end, double rate, bool varying, bool rough)
{
    double left = end - t, least = SS_CLEAR * (end - begin);
    double h = left / fmax(ceil(left * rate / step_times_rate), 1.0);
    if (varying) h = fmin(h, (end - begin) / 16.0); // the rate may rise and fall on the way
    if (rough) h = fmin(h, fmin(fmax(t - begin, least), fmax(0.5 * left, least)));
    return fmin(h, left);
}

static ss_status fail_step(const ss_orbit* orbit, double t, ss_error* err)
{
    if (orbit->no_memory) return ss_fail_no_memory(err);
    return ss_fail(err, SS_BAD_INPUT, NULL, "the motion turns too fast at t = %g s", t);
}

static ss_status step_by(ss_orbit* orbit, double t, double h, double last, ss_error* err)
{
    bool same = orbit->model->nature.linear; // the Jacobian does not vary in a mode
    for (int i = 0; i < STAGES; i++) {
        ss_status status = look(orbit, fmin(t + orbit->node[i] * h, last), err);
        if (status != SS_OK || orbit->stopped) return status;
        if (!orbit->plain && !same)
            ss_mode_jacobian(orbit->sim, orbit->stages + (size_t)(i * orbit->n) * (size_t)orbit->width,
                             orbit->jacobian_scratch);
    }
    if (!orbit->plain && same) ss_variation_stride(orbit);
    if (!orbit->plain && !same && !ss_variation_step(orbit, h)) return fail_step(orbit, t, err);
    return look(orbit, fmin(t + h, last), err);
}

// Where a friction curve slips along one of its pieces: the end of the run's present step, which is no later
// than the end of the piece. Derivatives change there, although nothing is logged. INFINITY: no such curve.
static ss_status find_inner_end(ss_orbit* orbit, double t, double last, double* out, ss_error* err)
{
    const ss_sim* sim = orbit->sim;
    bool pieces = false;
    *out = INFINITY;
    for (int i = 0; i < orbit->model->contact_count; i++)
        pieces = pieces || (sim->laws.curved_at[i] >= 0 && ss_slips(sim, i) &&
                            orbit->model->contacts[i].law_row->events.function);
    if (!pieces) return SS_OK;
    double next = nextafter(t, INFINITY), step_end = sim->step.t + sim->step.length;
    if (!(sim->step.ready && step_end > next) && next < last) {
        ss_status status = look(orbit, next, err); // into the step after it
        if (status != SS_OK) return status;
        step_end = sim->step.t + sim->step.length;
    }
    if (step_end > next) *out = step_end;
    return SS_OK;
}

// From where the run is to just before `end`, in one mode.
static ss_status flow_to(ss_orbit* orbit, double end, ss_error* err)
{
    double begin = ss_sim_time(orbit->sim), last = nextafter(end, 0.0);
    bool rough = has_rough_ends(orbit), same = orbit->model->nature.linear;
    double stride = 0.0;
    for (double t = begin; t < end;) {
        double h = stride;
        if (!same || stride == 0.0)
            h = next_step(begin, t, end, present_rate(orbit), !orbit->model->nature.linear, rough);
        double inner;
        ss_status found = same ? SS_OK : find_inner_end(orbit, t, last, &inner, err);
        if (found != SS_OK || orbit->stopped) return found;
        if (!same && inner < t + h) h = inner - t;
        if (same && stride == 0.0 && !orbit->plain && !ss_variation_make_stride(orbit, h))
            return fail_step(orbit, t, err);
        stride = h;
        ss_status status = step_by(orbit, t, fmin(h, end - t), last, err);
        if (status != SS_OK || orbit->stopped) return status;
        t = end - t - h <= SS_RELATIVE_ZERO * (end - begin) ? end : t + h;
    }
    return SS_OK;
}

// ---- all of it

// Crosses the events at one instant, of which there are `count` from `first` on.
static ss_status cross(ss_orbit* orbit, size_t first, size_t count, ss_error* err)
{
    if (!orbit->plain) ss_saltation_prepare(orbit, first, count);
    double t = orbit->events.items[first].t;
    ss_status status = look(orbit, t, err);
    if (status != SS_OK || orbit->plain || orbit->stopped) return status;
    return ss_saltation_cross(orbit, first, count, err);
}

// The second pass: the events are known, and found again to the bit.
static ss_status differentiate(ss_orbit* orbit, const double start[], double time, ss_error* err)
{
    ss_status status = ss_orbit_restart(orbit, start, err);
    if (status == SS_OK) status = ss_orbit_advance(orbit, 0.0, err);
    if (status != SS_OK) return status;
    look_at_extents(orbit, true);
    ss_variation_begin(orbit);
    orbit->coupled = false;
    if (!orbit->plain) status = ss_saltation_begin(orbit, err);
    if (status != SS_OK) return status;
    for (size_t k = 0, same; k < orbit->events.count; k += same) {
        const ss_event* events = orbit->events.items;
        for (same = 1; k + same < orbit->events.count && events[k + same].t == events[k].t;) same++;
        status = flow_to(orbit, events[k].t, err);
        if (status == SS_OK && !orbit->stopped) status = cross(orbit, k, same, err);
        if (status != SS_OK || orbit->stopped) return status;
    }
    status = flow_to(orbit, time, err);
    return status == SS_OK ? look(orbit, time, err) : status;
}

ss_status ss_orbit_run(ss_orbit* orbit, const double start[], double time, ss_error* err)
{
    orbit->replay = false;
    ss_status status = ss_orbit_restart(orbit, start, err);
    if (status == SS_OK && orbit->outcome == SS_TIME_REACHED) status = ss_orbit_advance(orbit, time, err);
    return status;
}

ss_status ss_orbit_differentiate(ss_orbit* orbit, const double start[], double time, bool monodromy,
                                 ss_error* err)
{
    orbit->replay = true;
    orbit->plain = !monodromy;
    ss_status status = differentiate(orbit, start, time, err);
    orbit->replay = orbit->plain = false;
    return status;
}

ss_status ss_orbit_follow(ss_orbit* orbit, const double start[], double time, ss_error* err)
{
    ss_status status = ss_orbit_run(orbit, start, time, err);
    if (status != SS_OK || orbit->stopped || orbit->outcome != SS_TIME_REACHED) return status;
    return ss_orbit_differentiate(orbit, start, time, true, err);
}
