// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A point of the branch from an orbit: its numbers, and the tests that change sign at special points.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/cycle/multipliers.h"
#include "lab/cycle/shoot.h"
#include "lab/follow/cycles.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647693;
static const double neutral = 1e-6;  // a largest multiplier this near to 1 is not known to be another
static const double smallest = 1e-5; // amplitude of a cycle of an autonomous model, in scaled unknowns

// How far a multiplier is from 1.
static double from_one(const double m[2]) { return hypot(m[0] - 1.0, m[1]); }

// Whether multiplier k is one of the `many` that are 1 because contacts may stick anywhere: those nearest to
// 1, as far as rounding goes.
static bool is_of_places(const ss_solution_branch_record* record, int k, int many)
{
    const double rounding = 1e-6; // several of them are known to the root of a bit
    double own = from_one(record->spectrum[k]);
    int nearer = 0;
    for (int j = 0; j < record->spectrum_count; j++) {
        double other = from_one(record->spectrum[j]);
        nearer += other < own || (other == own && j < k);
    }
    return nearer < many && own <= rounding;
}

// How many multipliers are beyond the unit circle, and the nearest to it of each sort.
static void test(const ss_cycles* s, ss_branch_point* out)
{
    const ss_solution_branch_record* record = &out->record;
    int beyond = 0, flips = 0, places = ss_cycles_kept_places(s);
    for (int k = 0; k < SS_TESTS; k++) out->tests[k] = NAN;
    for (int k = 0; k < record->spectrum_count; k++) {
        const double* m = record->spectrum[k];
        if (is_of_places(record, k, places)) continue;
        double over = hypot(m[0], m[1]) - 1.0;
        int which = m[1] != 0.0 ? SS_TEST_PAIR : m[0] < 0.0 ? SS_TEST_FLIP : SS_TEST_UNIT;
        beyond += over > 0.0;
        flips += which == SS_TEST_FLIP && over > 0.0;
        if (!(fabs(out->tests[which]) <= fabs(over))) out->tests[which] = over;
    }
    memset(out->counts, 0, sizeof out->counts);
    out->counts[SS_TEST_FLIP] = flips % 2;
    out->counts[SS_TEST_UNIT] = (beyond - flips) % 2;
    out->counts[SS_TEST_PAIR] = beyond;
}

ss_status ss_cycles_fill_point(ss_cycles* s, const double u[], ss_branch_point* out, ss_error* err)
{
    ss_solution_branch_record* record = &out->record;
    const ss_orbit* orbit = s->here.orbit;
    ss_shoot shoot = {.orbit = s->here.orbit, .forced = s->forced, .w = s->w, .scale = s->scale};
    if (!ss_multipliers(&shoot, record->spectrum, &record->spectrum_count)) return ss_fail_no_memory(err);
    record->value = u[s->size];
    record->period = u[s->w];
    record->events = (long)s->found.count;
    record->stable =
        record->spectrum_count == 0 || hypot(record->spectrum[0][0], record->spectrum[0][1]) < 1.0 - SS_CLEAR;
    record->neutral =
        !record->stable && hypot(record->spectrum[0][0], record->spectrum[0][1]) <= 1.0 + neutral;
    ss_sim_place(orbit->sim, u, orbit->body_x, orbit->body_v);
    for (int k = 0; k < s->branch->bodies + s->branch->states; k++) {
        record->amplitude[k] = 0.5 * (orbit->extents[k].high - orbit->extents[k].low);
        record->middle[k] = 0.5 * (orbit->extents[k].high + orbit->extents[k].low);
    }
    memcpy(record->states, u + 2 * s->branch->model->n, (size_t)s->branch->states * sizeof(double));
    for (int b = 0; b < s->branch->bodies; b++) {
        bool driven = orbit->model->bodies[b].drive >= 0;
        record->x[b] = driven ? orbit->model->bodies[b].start_x : orbit->body_x[b];
        record->v[b] = driven ? orbit->model->bodies[b].start_v : orbit->body_v[b];
    }
    test(s, out);
    return SS_OK;
}

double ss_cycles_extent(const ss_cycles* s, const ss_solution_branch_record* record)
{
    double size = 0.0;
    for (int i = 0; i < s->branch->model->n; i++)
        size = fmax(size, record->amplitude[s->branch->model->coordinate_body[i]]);
    return size;
}

bool ss_cycles_passes_middle(const ss_cycles* s)
{
    const double small = 0.1;
    return s->shape.creeps && s->shape.passed[1].size <= small * s->shape.largest;
}

// Whether it is a cycle and no steady state: in an autonomous model a branch that has shrunk to one goes on
// with the same orbits half a period later. Where the start lies about the middle turns by more than a right
// angle then, speeds measured as if it swung once in the period.
bool ss_cycles_move(ss_cycles* s, const double u[], const ss_solution_branch_record* record)
{
    const ss_model* model = s->here.model;
    double along = 0.0, size = 0.0, time = record->period / two_pi;
    for (int i = 0; i < model->n; i++) {
        int b = model->coordinate_body[i];
        size = fmax(size, record->amplitude[b] / s->scale[i]);
        along += (u[i] - record->middle[b]) * s->shape.swing[i] / (s->scale[i] * s->scale[i]);
        along += (u[model->n + i] - s->here.orbit->carry[i]) * s->shape.swing[model->n + i] *
                 pow(time / s->scale[i], 2);
    }
    s->shape.shrank = s->shape.shrank || (!s->forced && along < 0.0);
    s->shape.shrinks = !s->forced && (size < smallest || along < 0.0 || ss_cycles_passes_middle(s));
    return s->forced ? size > SS_CLEAR : !s->shape.shrinks;
}

ss_status ss_cycles_repeat(void* self, const ss_branch_point* point, bool* out, ss_error* err)
{
    // In scaled unknowns: where two branches meet the equations are singular, and u is known to a root of
    // them, though the number is known well.
    const double close = 1e-3;
    ss_cycles* s = self;
    ss_error why;
    ss_status status = ss_cycles_at(s, &s->here, point->u[s->size], out, err);
    if (status != SS_OK || !*out) return status;
    status = ss_orbit_run(s->here.orbit, point->u, 0.5 * point->u[s->w], &why);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    *out = status == SS_OK && s->here.orbit->outcome == SS_TIME_REACHED;
    for (int c = 0; c < s->w && *out; c++)
        *out = fabs(s->here.orbit->state[c] - point->u[c]) <= close * s->scale[c];
    return SS_OK;
}
