// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A periodic motion: where to look for it (the start itself, what the motion from there comes to, parts of
// that motion), and its answer. Shooting is in shoot.c, the guesses are in period.c.
#include "slipstick/lab.h"

#include "core/definition.h"
#include "core/error.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "lab/cycle/forcing.h"
#include "lab/cycle/multipliers.h"
#include "lab/cycle/period.h"
#include "lab/cycle/shoot.h"
#include "model/open_impl.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ss_cycle {
    double period;
    bool forced, coupled, differences, tables;
    int body_count, state_count, multiplier_count;
    double *low, *high;        // bodies, then states
    double* advance;           // bodies, then states: per period
    double* state;             // where it starts: states, bristles, memory
    double* memory;            // the last of them
    double *start_x, *start_v; // bodies
    double (*multipliers)[2];
    double margin; // to which the largest of them is known
    ss_event* events;
    size_t event_count;
};

// What the search works with.
typedef struct search {
    ss_shoot shoot;
    ss_cycle_def def;
    ss_forcing forcing;
    int multiple;    // of the inputs' period that is asked for; 0: any
    double until;    // s
    double fraction; // of the work that is done, a guess
    char why[256];   // why nothing is found so far
    ss_cycle* spare; // one that is not what was looked for first
} search;

// ---- the answer

// A time shortly after the start at which nothing happens, s.
static double quiet_shift(const ss_orbit* orbit, double period)
{
    double shift = 1e-7 * period;
    for (int round = 0; round < 4; round++, shift *= 0.3) {
        bool quiet = true;
        for (size_t k = 0; k < orbit->events.count; k++)
            quiet = quiet && fabs(orbit->events.items[k].t - shift) > 0.1 * shift;
        if (quiet) break;
    }
    return shift;
}

// Brings the events from `first` on to the front.
static void rotate(ss_event events[], size_t count, size_t first)
{
    for (; first < count; first++) {
        ss_event moved = events[first];
        size_t k = first;
        for (; k > 0 && events[k - 1].t > moved.t; k--) events[k] = events[k - 1];
        events[k] = moved;
    }
}

// The start may lie on an event, which rounding puts before or after it, or into a mode that rounding leaves
// at once: the events of one period are those from shortly after the start to as shortly after the end.
static ss_status keep_events(const ss_shoot* s, ss_cycle* cycle, ss_error* err)
{
    ss_orbit* orbit = s->orbit;
    double period = s->period, shift = quiet_shift(orbit, period);
    ss_status status = ss_orbit_run(orbit, s->y, period + shift, err);
    if (status != SS_OK || orbit->interrupted) return status;
    cycle->events = ss_new(orbit->events.count, sizeof(ss_event));
    if (!cycle->events) return ss_fail_no_memory(err);
    for (size_t k = 0; k < orbit->events.count; k++) {
        ss_event event = orbit->events.items[k];
        if (event.t <= shift) continue;
        if (event.t > period * (1.0 - SS_SAME))
            event.t = event.t > period * (1.0 + SS_SAME) ? event.t - period : 0.0;
        cycle->events[cycle->event_count++] = event;
    }
    size_t first = 1; // those at the end that belong to the start come first
    while (first < cycle->event_count && cycle->events[first].t >= cycle->events[first - 1].t) first++;
    if (first < cycle->event_count) rotate(cycle->events, cycle->event_count, first);
    return SS_OK;
}

// *out stays as it is where the search is ended on the way: the events would not be complete.
static ss_status make_answer(const search* found, ss_cycle** out, ss_error* err)
{
    const ss_shoot* s = &found->shoot;
    const ss_orbit* orbit = s->orbit;
    size_t bodies = (size_t)orbit->model->body_count, all = bodies + (size_t)orbit->states;
    ss_cycle* cycle = ss_new(1, sizeof *cycle);
    if (!cycle) return ss_fail_no_memory(err);
    *cycle = (ss_cycle){.period = s->period,
                        .forced = s->forced,
                        .coupled = orbit->coupled,
                        .differences = s->differences,
                        .tables = found->forcing.tables,
                        .body_count = orbit->model->body_count,
                        .state_count = orbit->states,
                        .low = ss_new(all, sizeof(double)),
                        .high = ss_new(all, sizeof(double)),
                        .advance = ss_new(all, sizeof(double)),
                        .state = ss_new((size_t)s->w, sizeof(double)),
                        .start_x = ss_new(bodies, sizeof(double)),
                        .start_v = ss_new(bodies, sizeof(double)),
                        .multipliers = ss_new((size_t)s->w, sizeof cycle->multipliers[0])};
    if (!cycle->low || !cycle->high || !cycle->advance || !cycle->state || !cycle->start_x ||
        !cycle->start_v || !cycle->multipliers ||
        !ss_multipliers(s, cycle->multipliers, &cycle->multiplier_count)) {
        ss_cycle_destroy(cycle);
        return ss_fail_no_memory(err);
    }
    for (size_t b = 0; b < all; b++) {
        cycle->low[b] = orbit->extents[b].low;
        cycle->high[b] = orbit->extents[b].high;
    }
    memcpy(cycle->state, s->y + 2 * orbit->n, (size_t)(s->w - 2 * orbit->n) * sizeof(double));
    cycle->memory = cycle->state + s->w - 2 * orbit->n - ss_model_memory_count(orbit->model);
    ss_sim_place(orbit->sim, s->y, orbit->body_x, orbit->body_v);
    for (size_t b = 0; b < bodies; b++) {
        const ss_body* body = &orbit->model->bodies[b];
        if (body->drive < 0)
            cycle->advance[b] = s->period * (ss_row_dot(&body->row, orbit->carry) +
                                             ss_row_dot(&body->row, orbit->whole_turns.rate));
        bool driven = body->drive >= 0; // a cycle of a forced system starts at t = 0
        cycle->start_x[b] = driven ? orbit->model->bodies[b].start_x : orbit->body_x[b];
        cycle->start_v[b] = driven ? orbit->model->bodies[b].start_v : orbit->body_v[b];
    }
    for (int j = 0; j < orbit->states; j++)
        cycle->advance[bodies + (size_t)j] =
            s->period * (orbit->carry[orbit->n + j] + orbit->whole_turns.rate[orbit->n + j]);
    ss_status status = keep_events(s, cycle, err);
    if (status == SS_OK && !orbit->interrupted) status = ss_multiplier_margin(s, &cycle->margin, err);
    if (status == SS_OK && !orbit->interrupted)
        *out = cycle;
    else
        ss_cycle_destroy(cycle);
    return status;
}

// ---- the search

static ss_status check_model(const ss_model* model, ss_error* err)
{
    if (model->n == 0) return ss_fail(err, SS_BAD_INPUT, "bodies", "no body moves freely: nothing to repeat");
    return ss_model_expect_no_joints(model, "the search for a cycle", err);
}

static bool asks_to_stop(void* user)
{
    const search* s = user;
    return s->def.progress && !s->def.progress(s->def.user, s->fraction);
}

static bool advances(const ss_orbit* orbit)
{
    for (int k = 0; k < orbit->n + orbit->states; k++)
        if (orbit->carry[k] != 0.0) return true;
    return false;
}

// Whether something in the model holds its output between instants or steps of a number: what it drives hunts
// and need not repeat.
static bool is_quantised(const ss_model* model) { return model->open && model->open->block_count > 0; }

// Shooting from t with a guessed period has left a gap.
static void say_why_it_is_open(search* s, double t, double guess)
{
    const ss_shoot* shoot = &s->shoot;
    ss_format(s->why, sizeof s->why,
              "shooting from t = %.4g s with period %.6g s stopped %.1e of the motion's extent short; %s", t,
              guess, shoot->closeness,
              is_quantised(shoot->orbit->model)
                  ? "a quantised loop need not repeat: use scan --measure return"
                  : "the motion may not repeat, or a start nearer to a cycle (--near) may help");
}

// Shoots from the present guess, taken at t; *out is what closes and moves, with its least period.
static ss_status shoot_from(search* s, double t, ss_cycle** out, ss_error* err)
{
    ss_shoot* shoot = &s->shoot;
    double guess = shoot->period;
    bool closed = false;
    *out = NULL;
    ss_status status = ss_shoot_close(shoot, &closed, err);
    if (status != SS_OK || shoot->orbit->interrupted) return status;
    bool moves = closed && ss_shoot_moves(shoot);
    if (moves) {
        status = ss_shoot_least(shoot, err);
        if (status != SS_OK || shoot->orbit->interrupted) return status;
        if (isfinite(shoot->closeness)) return make_answer(s, out, err);
    }
    if (closed && !moves)
        ss_format(s->why, sizeof s->why, "what repeats near the motion from t = %.4g s on is %s", t,
                  advances(shoot->orbit) ? "a steady advance" : "rest");
    else if (isfinite(shoot->closeness))
        say_why_it_is_open(s, t, guess);
    else if (shoot->trouble.status != SS_OK)
        snprintf(s->why, sizeof s->why, "%.200s", shoot->trouble.text);
    return SS_OK;
}

static void say_how_it_ends(search* s)
{
    const ss_orbit* orbit = s->shoot.orbit;
    if (orbit->outcome != SS_TIME_REACHED)
        ss_format(s->why, sizeof s->why, "the motion from there is %s at t = %.9g s",
                  ss_outcome_name(orbit->outcome), orbit->end_t);
}

// Whether the motion cannot have come to this cycle. It can to a neutral one, as that of a body that sticks
// anywhere beside one that moves.
static bool repels(const ss_cycle* cycle)
{
    return !ss_cycle_is_stable(cycle) && !ss_cycle_is_neutral(cycle);
}

// Keeps an answer that is not the one wanted first.
static void put_aside(search* s, ss_cycle** found)
{
    if (s->spare)
        ss_cycle_destroy(*found);
    else
        s->spare = *found;
    *found = NULL;
}

// The motion from `part` of the run on. `limit`: only where it comes back as near as that, as a share of its
// extent.
static ss_status try_part(search* s, double part, double limit, ss_cycle** out, ss_error* err)
{
    ss_shoot* shoot = &s->shoot;
    ss_guess guess;
    bool ticks = s->forcing.ticks && s->multiple == 0, forced = s->forcing.forced && !ticks;
    double given = forced  ? fmax(s->multiple, 1) * shoot->forcing_period
                   : ticks ? NAN
                           : s->def.period,
           gap = INFINITY;
    ss_status status = ss_guess_period(shoot->orbit, forced, ticks ? shoot->forcing_period : 0.0, given,
                                       part * s->until, s->until, shoot->y, shoot->scale, &guess, err);
    if (status != SS_OK || shoot->orbit->interrupted) return status;
    if (!guess.found) {
        say_how_it_ends(s);
        return SS_OK;
    }
    shoot->period = guess.period;
    if (isfinite(limit)) {
        status = ss_shoot_gap(shoot, &gap, err);
        if (status != SS_OK || shoot->orbit->interrupted || !(gap <= limit)) return status;
    }
    return shoot_from(s, guess.t, out, err);
}

// Largest change of the start by shooting, over the extents of the motion.
static double way_from(const ss_shoot* shoot, const double start[])
{
    double way = 0.0;
    for (int i = 0; i < shoot->w; i++)
        if (shoot->scale[i] > 0.0) way = fmax(way, fabs(shoot->y[i] - start[i]) / shoot->scale[i]);
    return way;
}

// The start itself under inputs: shoots with each number of their periods after which its motion comes back
// to within `limit`, and keeps the cycle nearest to it. One period alone would not do: beside a cycle of two
// periods that has not gone far from the flip, shooting with one leads to the cycle that has flipped.
static ss_status try_near(search* s, double limit, ss_cycle** out, ss_error* err)
{
    enum { MOST = 8 };
    const double there = 1e-6,
                 nearer = 0.5; // of the extents: no other is nearer; of the way to the best so far
    ss_shoot* shoot = &s->shoot;
    size_t size = (size_t)shoot->w * sizeof(double);
    double best = INFINITY, *start = ss_new((size_t)shoot->w, sizeof(double));
    ss_status status = start ? SS_OK : ss_fail_no_memory(err);
    for (int k = 1; k <= MOST && status == SS_OK && !shoot->orbit->interrupted && best > there; k++) {
        ss_guess guess;
        ss_cycle* found = NULL;
        double gap = INFINITY;
        status = ss_guess_period(shoot->orbit, true, 0.0, k * shoot->forcing_period, 0.0, s->until, shoot->y,
                                 shoot->scale, &guess, err);
        if (status != SS_OK || shoot->orbit->interrupted || !guess.found) break;
        shoot->period = guess.period;
        memcpy(start, shoot->y, size);
        status = ss_shoot_gap(shoot, &gap, err);
        if (status == SS_OK && !shoot->orbit->interrupted && gap <= limit)
            status = shoot_from(s, guess.t, &found, err);
        double way = found ? way_from(shoot, start) : INFINITY;
        bool better = found && way < nearer * best;
        if (better) best = way;
        ss_cycle_destroy(better ? *out : found);
        if (better) *out = found;
    }
    free(start);
    return status;
}

// What the motion comes to under inputs: shoots with the number of their periods after which it nearly
// repeats, and where that leads to an unstable cycle with others.
static ss_status try_repeats(search* s, ss_cycle** out, ss_error* err)
{
    enum { TRIES = 4 };
    ss_shoot* shoot = &s->shoot;
    ss_repeats repeats;
    size_t w = (size_t)shoot->w;
    double* state = ss_new(w, sizeof(double));
    if (!state) return ss_fail_no_memory(err);
    ss_status status =
        ss_guess_repeats(shoot->orbit, shoot->forcing_period, s->until, state, shoot->scale, &repeats, err);
    if (status == SS_OK && !repeats.found) say_how_it_ends(s);
    double least = repeats.found ? repeats.distance[repeats.best] : INFINITY,
           limit = fmax(10.0 * least, SS_CLEAR);
    int tries = 0;
    for (int pass = 0; pass < 2 && repeats.found && !*out; pass++, limit = 0.1)
        for (int k = 1; k <= SS_MOST_MULTIPLE && tries < TRIES && status == SS_OK && !*out; k++) {
            bool asked = s->multiple > 0 ? k == s->multiple : repeats.distance[k] <= limit;
            if (!asked || shoot->orbit->interrupted) continue;
            memcpy(shoot->y, state, w * sizeof(double));
            shoot->period = k * shoot->forcing_period;
            repeats.distance[k] = INFINITY;
            tries++;
            status = shoot_from(s, repeats.t, out, err);
            if (status == SS_OK && *out && s->multiple == 0 && repels(*out)) put_aside(s, out);
        }
    free(state);
    return status;
}

// First, if asked to, the start itself where its motion nearly returns: an unstable cycle may not be found
// otherwise. Then what the motion comes to, which is where a stable one is. Then any part of the motion.
static ss_status look_for(search* s, ss_cycle** out, ss_error* err)
{
    enum { PARTS = 6 };
    static const double parts[PARTS] = {0.0, 0.9, 0.6, 0.0, 0.2, 0.4};
    const double near = 0.05;
    ss_status status = SS_OK;
    snprintf(s->why, sizeof s->why, "the motion from there does not return");
    for (int k = 0; k < PARTS && status == SS_OK && !*out && !s->shoot.orbit->interrupted; k++) {
        s->fraction = (double)k / PARTS;
        if (k == 0 && !s->def.near) continue;
        bool strobes = s->forcing.forced && !(s->forcing.ticks && s->multiple == 0);
        if (k == 1 && strobes) status = try_repeats(s, out, err);
        if (status != SS_OK || *out || s->shoot.orbit->interrupted) break;
        if (k == 3 && s->spare) break;
        if (k == 0 && strobes && s->multiple == 0)
            status = try_near(s, near, out, err);
        else
            status = try_part(s, parts[k], k == 0 ? near : INFINITY, out, err);
        bool stable_wanted = k == 1 || k == 2;
        if (status == SS_OK && *out && stable_wanted && repels(*out)) put_aside(s, out);
    }
    if (status != SS_OK || *out) return status;
    if (s->shoot.orbit->interrupted)
        return ss_fail(err, SS_NOT_FOUND, NULL, "interrupted: no periodic motion found so far");
    if (!s->spare) return ss_fail(err, SS_NOT_FOUND, NULL, "no periodic motion found: %s", s->why);
    *out = s->spare;
    s->spare = NULL;
    return SS_OK;
}

ss_status ss_cycle_find(const ss_model* model, const ss_cycle_def* given, ss_cycle** out, ss_error* err)
{
    ss_cycle_def own = ss_cycle_def_default();
    const ss_cycle_def* def = &own;
    ss_status taken = ss_take_def(&own, sizeof own, given, "ss_cycle_def_default", err);
    *out = NULL;
    if (taken != SS_OK) return taken;
    *out = NULL;
    ss_cycle_def settings = *def;
    ss_status status = check_model(model, err);
    if (status != SS_OK) return status;
    search s = {.def = settings};
    ss_shoot* shoot = &s.shoot;
    ss_sim_def sim_def = ss_sim_def_default();
    sim_def.tolerance = settings.tolerance;
    sim_def.max_events = settings.max_events;
    status = ss_forcing_find(model, &s.forcing, err);
    if (status == SS_OK) ss_forcing_add_ticks(model, &s.forcing);
    if (status == SS_OK)
        status = ss_forcing_fit(model, &s.forcing, settings.period, &shoot->period, &s.multiple, err);
    shoot->forced = s.forcing.forced;
    if (shoot->forced) shoot->forcing_period = shoot->period / s.multiple;
    if (isnan(settings.period)) s.multiple = 0;
    s.until = isnan(settings.until) ? model->until : settings.until;
    if (status == SS_OK) status = ss_orbit_create(model, &sim_def, &shoot->orbit, err);
    if (status == SS_OK) shoot->w = shoot->orbit->width;
    if (status == SS_OK && !ss_shoot_allocate(shoot)) status = ss_fail_no_memory(err);
    if (status == SS_OK) {
        shoot->orbit->stop = asks_to_stop;
        shoot->orbit->user = &s;
        status = look_for(&s, out, err);
    }
    if (status != SS_OK) { // found before something else went wrong
        ss_cycle_destroy(*out);
        *out = NULL;
    }
    ss_cycle_destroy(s.spare);
    ss_orbit_destroy(shoot->orbit);
    ss_shoot_free(shoot);
    return status;
}

void ss_cycle_destroy(ss_cycle* cycle)
{
    if (!cycle) return;
    free(cycle->low);
    free(cycle->high);
    free(cycle->advance);
    free(cycle->state);
    free(cycle->start_x);
    free(cycle->start_v);
    free(cycle->multipliers);
    free(cycle->events);
    free(cycle);
}

double ss_cycle_period(const ss_cycle* cycle) { return cycle->period; }
bool ss_cycle_is_forced(const ss_cycle* cycle) { return cycle->forced; }
bool ss_cycle_is_coupled(const ss_cycle* cycle) { return cycle->coupled; }
bool ss_cycle_is_by_differences(const ss_cycle* cycle) { return cycle->differences; }
bool ss_cycle_repeats_tables(const ss_cycle* cycle) { return cycle->tables; }

double ss_cycle_amplitude(const ss_cycle* cycle, int body)
{
    return 0.5 * (cycle->high[body] - cycle->low[body]);
}
double ss_cycle_middle(const ss_cycle* cycle, int body)
{
    return 0.5 * (cycle->high[body] + cycle->low[body]);
}
double ss_cycle_state_amplitude(const ss_cycle* cycle, int state)
{
    return ss_cycle_amplitude(cycle, cycle->body_count + state);
}
double ss_cycle_state_middle(const ss_cycle* cycle, int state)
{
    return ss_cycle_middle(cycle, cycle->body_count + state);
}
double ss_cycle_drift(const ss_cycle* cycle, int body) { return cycle->advance[body]; }
double ss_cycle_state_drift(const ss_cycle* cycle, int state)
{
    return cycle->advance[cycle->body_count + state];
}
const double* ss_cycle_states(const ss_cycle* cycle) { return cycle->state; }
const double* ss_cycle_memory(const ss_cycle* cycle) { return cycle->memory; }
const double* ss_cycle_x(const ss_cycle* cycle) { return cycle->start_x; }
const double* ss_cycle_v(const ss_cycle* cycle) { return cycle->start_v; }

int ss_cycle_multiplier_count(const ss_cycle* cycle) { return cycle->multiplier_count; }

void ss_cycle_multiplier(const ss_cycle* cycle, int k, double out[2])
{
    memcpy(out, cycle->multipliers[k], sizeof cycle->multipliers[k]);
}

bool ss_cycle_is_stable(const ss_cycle* cycle)
{
    return cycle->multiplier_count == 0 ||
           hypot(cycle->multipliers[0][0], cycle->multipliers[0][1]) < 1.0 - cycle->margin;
}

bool ss_cycle_is_neutral(const ss_cycle* cycle)
{
    return cycle->multiplier_count > 0 && !ss_cycle_is_stable(cycle) &&
           hypot(cycle->multipliers[0][0], cycle->multipliers[0][1]) <= 1.0 + cycle->margin;
}

size_t ss_cycle_event_count(const ss_cycle* cycle) { return cycle->event_count; }
ss_event ss_cycle_event(const ss_cycle* cycle, size_t k) { return cycle->events[k]; }
