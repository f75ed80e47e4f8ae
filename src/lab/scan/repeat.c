// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// After how many sections a motion repeats. States are compared by what forces feel: speeds, lengths of
// springs, places before stops, forces of bristles, states and memory of open models. Places that no force
// feels may advance for ever.
#include "lab/scan/scan_impl.h"

#include "core/error.h"
#include "model/open_impl.h"
#include "share/run.h"

#include <math.h>
#include <stdlib.h>

// Relative to the size of the motion: one that approaches its cycle by a factor m per period is within
// 1e-6/(1 - m) of it.
static const double same = 1e-6;

struct ss_repeat {
    const ss_model* model;
    int speeds, places, others; // of a state, in this order
    int64_t room, count;
    double *states, *times; // by section
};

static bool is_felt(const ss_connection* c) { return c->stiffness != 0.0 || c->cubic != 0.0; }

static bool is_stop(const ss_contact* contact) { return ss_law_has(contact->law, SS_TRAIT_STOPS); }

// Where forces are matrices or expressions, any place may be felt.
static bool feels_all(const ss_model* model) { return model->matrices.block.count > 0 || model->open; }

static void count_numbers(ss_repeat* r)
{
    const ss_model* model = r->model;
    for (int b = 0; b < model->body_count; b++) r->speeds += model->bodies[b].drive < 0;
    if (feels_all(model)) r->places += r->speeds;
    for (int c = 0; c < model->connection_count; c++) r->places += is_felt(&model->connections[c]);
    for (int i = 0; i < model->contact_count; i++) r->places += is_stop(&model->contacts[i]);
    for (int i = 0; i < model->contact_count; i++) r->others += ss_has_bristles(&model->contacts[i]);
    if (model->open) r->others += model->open->state_count + model->open->memory_count;
}

ss_status ss_repeat_create(const ss_model* model, int64_t keep, ss_repeat** out, ss_error* err)
{
    ss_repeat* r = *out = ss_new(1, sizeof *r);
    if (!r) return ss_fail_no_memory(err);
    r->model = model;
    r->room = keep + 1;
    count_numbers(r);
    r->states = ss_new((size_t)r->room * (size_t)(r->speeds + r->places + r->others), sizeof *r->states);
    r->times = ss_new((size_t)r->room, sizeof *r->times);
    if (r->states && r->times) return SS_OK;
    ss_repeat_destroy(r);
    *out = NULL;
    return ss_fail_no_memory(err);
}

void ss_repeat_destroy(ss_repeat* r)
{
    if (!r) return;
    free(r->states);
    free(r->times);
    free(r);
}

void ss_repeat_note(ss_repeat* r, const ss_sim* sim, double t)
{
    const ss_model* model = r->model;
    const double *x = ss_sim_x(sim), *v = ss_sim_v(sim);
    if (r->count == r->room) return;
    double* z = r->states + r->count * (r->speeds + r->places + r->others);
    for (int b = 0; b < model->body_count; b++)
        if (model->bodies[b].drive < 0) *z++ = v[b];
    for (int b = 0; b < model->body_count && feels_all(model); b++)
        if (model->bodies[b].drive < 0) *z++ = x[b];
    for (int c = 0; c < model->connection_count; c++)
        if (is_felt(&model->connections[c])) *z++ = ss_row_dot(&model->connections[c].bodies, x);
    for (int i = 0; i < model->contact_count; i++)
        if (is_stop(&model->contacts[i])) *z++ = ss_row_dot(&model->contacts[i].bodies, x);
    for (int i = 0; i < model->contact_count; i++)
        if (ss_has_bristles(&model->contacts[i])) *z++ = ss_sim_contact(sim, i).force;
    for (int k = 0; model->open && k < model->open->state_count; k++) *z++ = ss_sim_states(sim)[k];
    for (int k = 0; model->open && k < model->open->memory_count; k++) *z++ = ss_sim_memory(sim)[k];
    r->times[r->count++] = t;
}

static double largest(const ss_repeat* r, int from, int count)
{
    int width = r->speeds + r->places + r->others;
    double size = 0.0;
    for (int64_t k = 0; k < r->count; k++)
        for (int i = from; i < from + count; i++) size = fmax(size, fabs(r->states[k * width + i]));
    return size;
}

// Whether the sections from `from` on are those so many before them.
static bool is_shifted(const ss_repeat* r, int64_t from, int64_t by, const double size[])
{
    int width = r->speeds + r->places + r->others;
    for (int64_t k = from; k < r->count; k++)
        for (int i = 0; i < width; i++) {
            double change = fabs(r->states[k * width + i] - r->states[(k - by) * width + i]);
            if (!(change <= same * size[i])) return false;
        }
    return true;
}

// The size of each number, by which changes are measured: places and speeds by each other, too. NULL where
// there are fewer than two sections, or no memory.
static double* make_sizes(const ss_repeat* r)
{
    int width = r->speeds + r->places + r->others;
    double* size = r->count < 2 ? NULL : ss_new((size_t)width, sizeof *size);
    if (!size) return NULL;
    double time = (r->times[r->count - 1] - r->times[0]) / (double)(r->count - 1);
    double speed = largest(r, 0, r->speeds), place = largest(r, r->speeds, r->places);
    for (int i = 0; i < width; i++) {
        if (i < r->speeds)
            size[i] = fmax(speed, place / time);
        else if (i < r->speeds + r->places)
            size[i] = fmax(place, speed * time);
        else
            size[i] = largest(r, i, 1);
    }
    return size;
}

// The largest change of sections from `from` up to `to` against those `by` before them, as a share of size.
static double shift_of(const ss_repeat* r, int64_t from, int64_t to, int64_t by, const double size[])
{
    int width = r->speeds + r->places + r->others;
    double largest = 0.0;
    for (int64_t k = from; k < to; k++)
        for (int i = 0; i < width; i++) {
            double change = fabs(r->states[k * width + i] - r->states[(k - by) * width + i]);
            if (change > 0.0) largest = fmax(largest, change / size[i]);
        }
    return largest;
}

// How far the motion has still to go where after `by` sections it is the same to `same`, as a share of size:
// the changes after so many sections fall like a geometric series, first, .., last,
//
//     q = (last / first)^(by / (sections between them)),   last q + last q^2 + .. = last q / (1 - q)
//
// Changes that do not fall are rounding, or the tolerance of the steps.
static double still_to_go(const ss_repeat* r, int64_t by, const double size[])
{
    const double most = 1e4; // times the last change
    int64_t between = r->count - 2 * by;
    double first = shift_of(r, by, 2 * by, by, size), last = shift_of(r, r->count - by, r->count, by, size);
    if (between < by) return 100.0 * last; // too few to tell
    double q = first > 0.0 ? pow(last / first, (double)by / (double)between) : 0.0;
    return last * fmin(q < 1.0 ? q / (1.0 - q) : most, most);
}

// Where the motion still comes nearer to a cycle, a multiplier of -0.9 say makes every second section more
// alike than every section: that is no double period. A shorter one that divides it holds where what is left
// of its changes is of the size of what the motion has still to go.
static int64_t period_approached(const ss_repeat* r, int64_t by, const double size[])
{
    double left = still_to_go(r, by, size) + shift_of(r, r->count - by, r->count, by, size);
    for (int64_t shorter = 1; shorter < by; shorter++)
        if (by % shorter == 0 && shift_of(r, r->count - shorter, r->count, shorter, size) <= 4.0 * left)
            return shorter;
    return by;
}

double ss_repeat_period(const ss_repeat* r)
{
    double period = NAN, *size = make_sizes(r);
    for (int64_t by = 1; size && by < r->count && isnan(period); by++)
        if (is_shifted(r, by, by, size)) {
            int64_t of = period_approached(r, by, size);
            period = r->times[r->count - 1] - r->times[r->count - 1 - of];
        }
    free(size);
    return period;
}

bool ss_repeat_settles(const ss_repeat* r)
{
    double* size = make_sizes(r);
    bool settles = false;
    for (int64_t by = 1; size && 2 * by <= r->count && !settles; by++)
        settles = is_shifted(r, r->count - by, by, size);
    free(size);
    return settles;
}
