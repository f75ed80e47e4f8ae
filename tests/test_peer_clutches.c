// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Random rows of inertias with a clutch between neighbours: torques drive the ends, and the clutches' levels
// vary in time, open and close through 0, with static levels above the kinetic ones or equal to them. A
// second opinion with a logic of its own follows each: Runge-Kutta steps that never reach over a kink, zeros
// of the slip speeds and excesses of the holding torques by sampling and bisection; and at every event all
// combinations of stick and slip of the clutches at rest are tried. What holds together stays so where it
// can. Where otherwise more than one combination is possible, or one by less than `unclear` of the torques,
// the second opinion stops there, and such rows are counted.
#include "opinion.h"
#include "waves.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
enum { ROWS = 40 }; // they look at memory, not at numbers
#else
enum { ROWS = 400 };
#endif

enum { MOST = 4, CLUTCHES = MOST - 1, TEXT = 8192 };

static const double longest_step = 1.0 / 400; // s, of the second opinion
static const double unclear = 5e-5;           // share of the torques below which a decision is not compared
static const double time_error = 5e-6, state_error = 1e-6;

// ---- a row

typedef struct row {
    int n;
    double inertia[MOST], damping[MOST], speed[MOST], stiffness, until;
    wave drive, load, level[CLUTCHES]; // torques on the first and the last, kinetic levels
    double rise[CLUTCHES];             // static over kinetic level
} row;

static row random_row(wave_source* source)
{
    row r = {.n = 3 + wave_pick(source, MOST - 2), .until = wave_uniform(source, 1, 3)};
    r.drive = wave_random_force(source, r.until);
    r.load = wave_random_force(source, r.until);
    if (wave_chance(source, 0.5)) r.stiffness = wave_uniform(source, 1, 20);
    for (int i = 0; i < r.n; i++) {
        r.inertia[i] = wave_uniform(source, 0.5, 2);
        r.damping[i] = wave_uniform(source, 0, 0.5);
        r.speed[i] = wave_chance(source, 0.7) ? wave_uniform(source, -1, 1) : 0;
    }
    for (int k = 0; k < r.n - 1; k++) {
        r.level[k] = wave_random_level(source, r.until);
        r.rise[k] = wave_chance(source, 0.4) ? 1 : wave_uniform(source, 1.05, 2);
    }
    return r;
}

static void row_text(const row* r, char out[])
{
    char drive[600], load[600], level[600];
    wave_text(&r->drive, "N*m", drive, sizeof drive);
    wave_text(&r->load, "N*m", load, sizeof load);
    int used = snprintf(out, TEXT, "slipstick: 1\ntitle: clutches\nbodies:\n");
    for (int i = 0; i < r->n; i++)
        used += snprintf(out + used, TEXT - (size_t)used, "  j%d: {inertia: %.17g}\n", i, r->inertia[i]);
    used += snprintf(out + used, TEXT - (size_t)used,
                     "forces: [{body: j0, force: %s}, {body: j%d, force: %s}]\nconnections:\n", drive,
                     r->n - 1, load);
    for (int i = 0; i < r->n; i++)
        used += snprintf(out + used, TEXT - (size_t)used,
                         "  - {between: [j%d, ground], stiffness: %.17g, damping: %.17g}\n", i,
                         i == 0 ? r->stiffness : 0.0, r->damping[i]);
    used += snprintf(out + used, TEXT - (size_t)used, "contacts:\n");
    for (int k = 0; k < r->n - 1; k++) {
        wave_text(&r->level[k], "N*m", level, sizeof level);
        used += snprintf(out + used, TEXT - (size_t)used,
                         "  c%d: {between: [j%d, j%d], law: coulomb, mu: 1, normal: %s, mu_static: %.17g}\n",
                         k, k, k + 1, level, r->rise[k]);
    }
    used += snprintf(out + used, TEXT - (size_t)used, "start:\n");
    for (int i = 0; i < r->n; i++)
        used += snprintf(out + used, TEXT - (size_t)used, "  j%d: {v: %.17g}\n", i, r->speed[i]);
}

// ---- the second opinion

typedef struct state {
    double x[MOST], v[MOST];
} state;

typedef struct opinion {
    const row* r;
    wave_breaks breaks;
    double t;
    state now;
    int mode[CLUTCHES];
    bool armed[CLUTCHES]; // it has been seen to slip its way
    opinion_event events[OPINION_EVENTS];
    int count;
    bool doubtful;
} opinion;

static double slip(const state* s, int k) { return s->v[k] - s->v[k + 1]; }

// Accelerations and the torques that the clutches put on their first inertias. Those that stick make clusters
// that turn as one; what a clutch of a cluster transmits follows from one end to the other.
static void solve(const row* r, const int mode[], double t, const state* s, double a[MOST],
                  double torque[CLUTCHES])
{
    double pull[MOST];
    for (int i = 0; i < r->n; i++) pull[i] = -r->damping[i] * s->v[i] - (i == 0 ? r->stiffness * s->x[0] : 0);
    pull[0] += wave_value(&r->drive, t);
    pull[r->n - 1] += wave_value(&r->load, t);
    for (int k = 0; k < r->n - 1; k++) {
        torque[k] = mode[k] == 0 ? 0 : -mode[k] * wave_value(&r->level[k], t);
        pull[k] += torque[k];
        pull[k + 1] -= torque[k];
    }
    for (int from = 0, to; from < r->n; from = to + 1) {
        double sum = pull[from], inertia = r->inertia[from];
        for (to = from; to < r->n - 1 && mode[to] == 0; to++) {
            sum += pull[to + 1];
            inertia += r->inertia[to + 1];
        }
        double left = 0;
        for (int i = from; i <= to; i++) a[i] = sum / inertia;
        for (int i = from; i < to;
             i++) { // inertia a = pull + torque with the next - torque with the one before
            left += r->inertia[i] * a[i] - pull[i];
            torque[i] = left;
        }
    }
}

static double static_level(const row* r, int k, double t) { return r->rise[k] * wave_value(&r->level[k], t); }

static void rates(const opinion* o, double t, const state* s, state* out)
{
    double torque[CLUTCHES];
    solve(o->r, o->mode, t, s, out->v, torque);
    for (int i = 0; i < o->r->n; i++) out->x[i] = s->v[i];
}

static state moved(const opinion* o, const state* rate, double h)
{
    state s = o->now;
    for (int i = 0; i < o->r->n; i++) {
        s.x[i] += h * rate->x[i];
        s.v[i] += h * rate->v[i];
    }
    return s;
}

// One step of the classical method of order 4 from the present state.
static state step_by(const opinion* o, double h)
{
    state k1, k2, k3, k4, at, sum = o->now;
    rates(o, o->t, &o->now, &k1);
    at = moved(o, &k1, h / 2);
    rates(o, o->t + h / 2, &at, &k2);
    at = moved(o, &k2, h / 2);
    rates(o, o->t + h / 2, &at, &k3);
    at = moved(o, &k3, h);
    rates(o, o->t + h, &at, &k4);
    for (int i = 0; i < o->r->n; i++) {
        sum.x[i] += h / 6 * (k1.x[i] + 2 * k2.x[i] + 2 * k3.x[i] + k4.x[i]);
        sum.v[i] += h / 6 * (k1.v[i] + 2 * k2.v[i] + 2 * k3.v[i] + k4.v[i]);
    }
    return sum;
}

// By how much the clutches at rest can bear these modes, over the torques: negative where they cannot. A
// clutch that has just been pulled loose, one way, has its torque at its limit; that is not asked again.
static double bears(const opinion* o, const int mode[], const bool rests[], int loose)
{
    double a[MOST], torque[CLUTCHES], least = INFINITY;
    solve(o->r, mode, o->t, &o->now, a, torque);
    for (int k = 0; k < o->r->n - 1; k++) {
        double level = static_level(o->r, k, o->t), size = 1 + level;
        if (!rests[k] || k == loose) continue;
        double room = mode[k] == 0
                          ? level - fabs(torque[k])
                          : mode[k] * (a[k] - a[k + 1]) * fmin(o->r->inertia[k], o->r->inertia[k + 1]);
        least = fmin(least, room / size);
    }
    return least;
}

// Tries all modes of the clutches at rest; false where none or several are possible.
static bool find_modes(const opinion* o, const bool rests[], int loose, int way, int best[])
{
    int found = 0, total = 1, m = o->r->n - 1;
    for (int k = 0; k < m; k++) total *= 3;
    for (int code = 0; code < total; code++) {
        int mode[CLUTCHES], rest = code;
        bool possible = true;
        for (int k = 0; k < m; k++, rest /= 3) {
            static const int order[] = {0, 1, -1}; // all stick first
            mode[k] = order[rest % 3];
            if (!rests[k]) possible = possible && mode[k] == o->mode[k];
            if (k == loose) possible = possible && mode[k] == way;
        }
        if (!possible) continue;
        double room = bears(o, mode, rests, loose);
        if (fabs(room) < unclear) return false;
        if (room < 0) continue;
        memcpy(best, mode, sizeof mode);
        found++;
        bool holds = true;
        for (int k = 0; k < m; k++) holds = holds && (!rests[k] || mode[k] == 0 || k == loose);
        if (holds) return true; // what can hold together does
    }
    return found == 1;
}

static void decide(opinion* o, int arrived, int loose, int way, bool log)
{
    int m = o->r->n - 1, mode[CLUTCHES];
    bool rests[CLUTCHES];
    for (int k = 0; k < m; k++) rests[k] = o->mode[k] == 0 || k == arrived || (!log && slip(&o->now, k) == 0);
    if (!find_modes(o, rests, loose, way, mode)) {
        o->doubtful = true;
        return;
    }
    for (int k = 0; k < m; k++) {
        if (log && mode[k] != o->mode[k] && o->count < OPINION_EVENTS)
            o->events[o->count++] = (opinion_event){o->t, k, o->mode[k], mode[k]};
        if (mode[k] != o->mode[k]) o->armed[k] = false;
        o->mode[k] = mode[k];
    }
}

// What ends a step of length h: a clutch that comes to rest (1), or lets go (2), up to then.
static int what_ends(const opinion* o, double h, const state* s, int* clutch, int* way)
{
    double a[MOST], torque[CLUTCHES];
    solve(o->r, o->mode, o->t + h, s, a, torque);
    for (int k = 0; k < o->r->n - 1; k++) {
        *clutch = k;
        if (o->mode[k] != 0 && o->armed[k] && o->mode[k] * slip(s, k) <= 0) return 1;
        *way = torque[k] > 0 ? -1 : 1;
        if (o->mode[k] == 0 && fabs(torque[k]) > static_level(o->r, k, o->t + h) + 4e-15) return 2;
    }
    return 0;
}

// Moves on by h, or to the first event on the way.
static void move(opinion* o, double h)
{
    enum { SAMPLES = 4 };
    int clutch = -1, way = 0, what = 0;
    double low = 0, high = 0;
    state s = o->now;
    for (int i = 1; i <= SAMPLES && what == 0; i++) {
        low = high;
        high = h * i / SAMPLES;
        s = step_by(o, high);
        what = what_ends(o, high, &s, &clutch, &way);
        for (int k = 0; k < o->r->n - 1 && what == 0; k++)
            if (o->mode[k] != 0 && o->mode[k] * slip(&s, k) > 0) o->armed[k] = true;
    }
    for (int round = 0; round < 60 && what != 0; round++) {
        double middle = 0.5 * (low + high);
        state at = step_by(o, middle);
        int other, side, first = what_ends(o, middle, &at, &other, &side);
        if (first == 0) {
            low = middle;
            continue;
        }
        high = middle;
        s = at;
        what = first;
        clutch = other;
        way = side;
    }
    o->now = s;
    o->t += high;
    for (int k = 0; k < o->r->n - 1; k++) // one that starts against the direction decided
        if (what == 0 && o->mode[k] != 0 && !o->armed[k] && o->mode[k] * slip(&s, k) < -1e-9)
            o->doubtful = true;
    if (what == 1) decide(o, clutch, -1, 0, true);
    if (what == 2) decide(o, -1, clutch, way, true);
}

static void begin(opinion* o, const row* r)
{
    memset(o, 0, sizeof *o);
    o->r = r;
    wave_add_breaks(&o->breaks, &r->drive, r->until);
    wave_add_breaks(&o->breaks, &r->load, r->until);
    for (int k = 0; k < r->n - 1; k++) wave_add_breaks(&o->breaks, &r->level[k], r->until);
    wave_finish_breaks(&o->breaks, r->until);
    memcpy(o->now.v, r->speed, sizeof o->now.v);
    for (int k = 0; k < r->n - 1; k++) o->mode[k] = slip(&o->now, k) > 0 ? 1 : slip(&o->now, k) < 0 ? -1 : 0;
    decide(o, -1, -1, 0, false);
}

static void advance(opinion* o, double until)
{
    while (o->t < until && !o->doubtful && o->count < OPINION_EVENTS) {
        double next = wave_next_break(&o->breaks, o->t, until), left = next - o->t;
        double h = left / ceil(left / longest_step), before = o->t;
        move(o, h);
        if (h >= left && o->t == before + h) o->t = next;
    }
}

// ---- both

// Both motions up to the event that the second opinion doubts. Events of one instant may come in any order.
static void compare_events(const opinion_motion* m, const opinion* o)
{
    if (!o->doubtful && m->count != o->count) fail_msg("%s\n%d events, not %d", m->text, m->count, o->count);
    for (int k = 0; k < o->count; k++) {
        const opinion_event* f = &o->events[k];
        bool same = false;
        for (int j = k < CLUTCHES ? 0 : k - CLUTCHES; j < m->count && j <= k + CLUTCHES; j++) {
            const opinion_event* e = &m->events[j];
            same = same || (e->contact == f->contact && e->from == f->from && e->to == f->to &&
                            fabs(e->t - f->t) <= time_error);
        }
        if (!same)
            fail_msg("%s\nevent %d: not at %.12g s, clutch %d, %d to %d", m->text, k, f->t, f->contact,
                     f->from, f->to);
    }
}

static void compare_states(const opinion_motion* m, const opinion* o)
{
    for (int i = 0; i < o->r->n; i++) {
        double x = ss_sim_x(m->sim)[i], v = ss_sim_v(m->sim)[i];
        if (fabs(x - o->now.x[i]) > state_error || fabs(v - o->now.v[i]) > state_error)
            fail_msg("%s\nat %.12g s, j%d: x %.12g, v %.12g, not x %.12g, v %.12g", m->text, o->t, i, x, v,
                     o->now.x[i], o->now.v[i]);
    }
}

static void look(void* user, const opinion_motion* m, double t)
{
    opinion* o = user;
    advance(o, t);
    compare_events(m, o);
    if (!o->doubtful) compare_states(m, o);
}

// Follows one row by both; whether the second opinion had doubts.
static bool follow(const row* r, long* events)
{
    static char text[TEXT];
    static opinion o;
    row_text(r, text);
    begin(&o, r);
    opinion_follow(text, r->until, look, &o);
    *events += o.count;
    return o.doubtful;
}

static void rows_of_clutches(void** unused)
{
    (void)unused;
    int doubtful = 0;
    long events = 0;
    const char* only = getenv("CLUTCHES_ONLY"); // the number of one row, to look at it alone
    for (int k = 0; k < ROWS; k++) {
        wave_source source = {(uint64_t)k};
        row r = random_row(&source);
        if (only && atoi(only) != k) continue;
        doubtful += follow(&r, &events);
    }
    print_message("%d rows, %ld events, %d with a doubt\n", ROWS, events, doubtful);
    assert_true(doubtful <= ROWS / 10);
    assert_true(only || events > 4 * ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_clutches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
