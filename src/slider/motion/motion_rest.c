// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How long a body stays at rest: while the applied load is inside the limit surface. A load that is
// constant from now on, or a constant with harmonics in a box that is inside, is borne for ever; any other is
// followed in steps too short for it to reach the surface, as far as its derivatives tell.
#include "core/expression/signal_series.h"
#include "core/tolerance.h"
#include "slider/motion/floor_motion.h"
#include "slider/surface/surface_load.h"

#include <math.h>
#include <string.h>

enum { HARMONICS = 32, SWINGS = 8 };

// The body as it lies, at another time.
static ss_place lying(const ss_slide* s, double t)
{
    ss_place at = s->course.now;
    at.t = t;
    memset(at.u, 0, sizeof at.u);
    return at;
}

double ss_slide_rest_margin(const ss_slide* s, double t)
{
    double load[3];
    const ss_place at = lying(s, t);
    ss_floor floor = ss_floor_at(s->slider, at.angle);
    ss_slide_weigh(s, t);
    ss_slide_applied(s, &at, load);
    if (load[0] == 0.0 && load[1] == 0.0 && load[2] == 0.0) return 1.0;
    return 1.0 - ss_surface_gauge(s->slider, &floor, load, NULL);
}

// ---- for ever

// All loads there will be: a middle, and as much as each of the swings either way.
typedef struct box {
    bool known;
    int count;
    double middle[3], swing[SWINGS][3];
} box;

static void add_swing(box* b, double size, const double along[3])
{
    if (size == 0.0) return;
    b->known = b->known && b->count < SWINGS;
    for (int i = 0; i < 3 && b->known; i++) b->swing[b->count][i] = size * along[i];
    b->count += b->known;
}

// A signal along a direction, per its unit; derivative: how often it is differentiated, with time in units of
// s.
static void add_signal(const ss_slide* s, const ss_signal* signal, int derivative, double t,
                       const double along[3], box* b)
{
    ss_harmonic harmonics[HARMONICS];
    double middle = 0.0, size = 0.0, unit = s->slider->unit_time, c[3] = {0}, rate;
    if (!signal || (derivative > 0 && ss_signal_stays(signal, t * unit, s->inputs.scratch))) return;
    bool line = ss_signal_is_line(signal) && ss_signal_rate(signal, &rate) && rate == 0.0 &&
                isinf(ss_signal_next_breakpoint(signal, t * unit));
    int count = ss_signal_spectrum(signal, t * unit, &middle, harmonics, HARMONICS);
    if (count < 0 && derivative > 0 && line) {
        ss_signal_series(signal, t * unit, 2, c, NULL, s->inputs.scratch);
        middle = derivative == 1 ? c[1] * unit : 0.0;
        count = 0;
    } else if (derivative > 0) {
        middle = 0.0;
    }
    b->known = b->known && count >= 0;
    for (int k = 0; k < count; k++)
        size +=
            hypot(harmonics[k].sine, harmonics[k].cosine) * pow(harmonics[k].frequency * unit, derivative);
    for (int i = 0; i < 3; i++) b->middle[i] += middle * along[i];
    add_swing(b, size, along);
}

// What pushes at a place of the body, per unit of force along either axis of space, in its frame.
static void axes_at(const ss_slide* s, const ss_load* load, double axes[2][3])
{
    double angle = load->in_body ? 0.0 : s->course.now.angle, c = cos(angle), n = sin(angle);
    const double turned[2][2] = {{c, -n}, {n, c}};
    for (int i = 0; i < 2; i++) {
        axes[i][0] = turned[i][0];
        axes[i][1] = turned[i][1];
        axes[i][2] = load->x * axes[i][1] - load->y * axes[i][0];
    }
}

static void scale(double axis[3], double factor)
{
    for (int i = 0; i < 3; i++) axis[i] *= factor;
}

static void add_load(const ss_slide* s, const ss_load* load, double t, box* b)
{
    double axes[2][3];
    const double moment[3] = {0.0, 0.0, 1.0 / s->slider->unit_moment};
    axes_at(s, load, axes);
    for (int i = 0; i < 2; i++) scale(axes[i], 1.0 / s->slider->unit_force);
    add_signal(s, load->force_x, 0, t, axes[0], b);
    add_signal(s, load->force_y, 0, t, axes[1], b);
    add_signal(s, load->moment, 0, t, moment, b);
}

// The share of the weight in the plane of an inclined floor along an axis of it.
static void add_weight(const ss_slide* s, double share, double t, const double axis[3], box* b)
{
    const ss_signal* gravity = s->slider->varying.gravity;
    double along[3];
    if (share == 0.0) return;
    for (int k = 0; k < 3; k++) along[k] = axis[k] * share / (gravity ? s->slider->gravity : 1.0);
    for (int k = 0; k < 3 && !gravity; k++) b->middle[k] += along[k];
    if (gravity) add_signal(s, gravity, 0, t, along, b);
}

// On a floor that turns, what keeps its direction in space comes from everywhere: nothing is known of it here
// but that there is none.
static void add_floor(const ss_slide* s, double t, box* b)
{
    const ss_floor_motion* floor = &s->slider->motion;
    const ss_load center = {.in_body = false};
    double axes[2][3], unit = s->slider->unit_length, time = s->slider->unit_time;
    bool spins = floor->turns, from_space = floor->weight[0] != 0.0 || floor->weight[1] != 0.0;
    axes_at(s, &center, axes);
    for (int i = 0; i < 2; i++) {
        add_weight(s, floor->weight[i], t, axes[i], b);
        double of_speed[3], of_place[3];
        for (int k = 0; k < 3; k++) {
            of_speed[k] = -axes[i][k] * time / unit;
            of_place[k] = -axes[i][k] / unit;
        }
        add_signal(s, floor->speed[i], 1, t, of_speed, b);
        add_signal(s, floor->place[i], 2, t, of_place, b);
    }
    for (int k = 0; k < s->slider->load_count && spins; k++)
        from_space = from_space || !s->slider->loads[k].in_body;
    if (!spins) return;
    const ss_place at = lying(s, t);
    ss_floor_rates rates;
    ss_floor_rates_at(s, t, t, INFINITY, &rates);
    b->known = b->known && !from_space && ss_floor_is_steady(s, t);
    ss_floor_add_inertia(s, &at, &rates, b->middle);
}

// Whether what pushes is inside the limit surface for all times from t on: every corner of where it may be
// is.
static bool is_borne_for_ever(const ss_slide* s, double t)
{
    box b = {.known = true};
    for (int i = 0; i < s->slider->load_count; i++) add_load(s, &s->slider->loads[i], t, &b);
    add_floor(s, t, &b);
    if (!b.known || !ss_slide_weigh_least(s, t)) return false;
    ss_floor floor = ss_floor_at(s->slider, s->course.now.angle);
    for (int corner = 0; corner < 1 << b.count && (b.count > 0 || s->weight); corner++) {
        double load[3] = {b.middle[0], b.middle[1], b.middle[2]};
        for (int k = 0; k < b.count; k++)
            for (int i = 0; i < 3; i++) load[i] += (corner >> k & 1 ? 1.0 : -1.0) * b.swing[k][i];
        if (!(ss_surface_gauge(s->slider, &floor, load, NULL) <= 1.0)) return false;
    }
    return true; // a constant load was found to be borne when the body stopped
}

// ---- for a while

// How far a unit of load along each axis reaches by the limit surface, whichever sign it has: a sum of loads
// reaches no farther than they do one after the other.
static void reaches(const ss_slide* s, double reach[3])
{
    ss_floor floor = ss_floor_at(s->slider, s->course.now.angle);
    ss_slide_weigh(s, s->course.now.t);
    for (int i = 0; i < 3; i++) {
        double unit[3] = {0.0, 0.0, 0.0}, back[3] = {0.0, 0.0, 0.0};
        unit[i] = 1.0;
        back[i] = -1.0;
        reach[i] = fmax(ss_surface_gauge(s->slider, &floor, unit, NULL),
                        ss_surface_gauge(s->slider, &floor, back, NULL));
    }
}

// How fast the margin falls at most between t and t + h, as the Taylor series of what pushes tell; infinite
// where there are none.
static double pace(const ss_slide* s, const double reach[3], double t, double h)
{
    double c[3][SS_PUSH_ORDER + 1], sum = ss_slide_pull_pace(s, t, h);
    const ss_place at = lying(s, t);
    if (!ss_slide_push_series(s, &at, c)) return INFINITY;
    for (int i = 0; i < 3; i++) {
        double power = 1.0, own = 0.0;
        for (int k = 1; k <= SS_PUSH_ORDER; k++, power *= h) own += k * fabs(c[i][k]) * power;
        if (own > 0.0) sum += reach[i] * own;
    }
    return sum;
}

// Where the margin falls below `slack` between `low` and `high`: Illinois' variant of false position, for
// each margin is a search of its own; halving where that is slow.
static double find_release(const ss_slide* s, double low, double high, double slack, double at_low,
                           double at_high)
{
    int side = 0;
    at_low -= slack;
    at_high -= slack;
    for (int i = 0; i < 100 && high - low > 4.0 * SS_LAST_BIT * high; i++) {
        double middle = i % 4 < 3 ? low + (high - low) * at_low / (at_low - at_high) : 0.5 * (low + high);
        if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
        double value = ss_slide_rest_margin(s, middle) - slack;
        if (value > 0.0) {
            low = middle;
            at_low = value;
            if (side > 0) at_high *= 0.5;
            side = 1;
        } else {
            high = middle;
            at_high = value;
            if (side < 0) at_low *= 0.5;
            side = -1;
        }
    }
    return high;
}

// The longest step worth looking at.
static double longest_step(const ss_slide* s)
{
    double rate = 0.0, one;
    for (int i = 0; i < s->slider->varying.signal_count; i++)
        if (ss_signal_rate(s->slider->varying.signals[i], &one))
            rate = fmax(rate, one * s->slider->unit_time);
    if (s->slider->motion.turns) rate = fmax(rate, s->made.pace);
    return rate > 0.0 ? 0.25 / rate : 0.25;
}

// Follows the load from now on for a while: to where it leaves the limit surface, or not.
static void watch_load(ss_slide* s)
{
    enum { STEPS = 256, FINEST = 1024 };
    ss_segment* g = &s->step.segment;
    double t = s->course.now.t, reach[3], most = longest_step(s), margin = ss_slide_rest_margin(s, t);
    reaches(s, reach);
    // The supports were found to hold: what rounding says against that is granted.
    double slack = fmin(2.0 * margin, 0.0);
    bool decides = s->slider->motion.moves && !ss_floor_is_steady(s, t);
    for (int k = 0; k < STEPS; k++) {
        double h = fmax(most / FINEST, fmin(most, fmax(margin, 0.0) / pace(s, reach, t, most)));
        double stop = ss_slide_next_break(s, t, h), next = fmin(t + h, stop),
               after = ss_slide_rest_margin(s, next);
        if (isnan(after)) {
            s->course.undefined = true;
            break;
        }
        if (after < slack) {
            g->t1 = find_release(s, t, next, slack, margin, after);
            g->ending = SS_END_HOLD;
            return;
        }
        t = next;
        margin = after;
        if (decides && t == stop) { // the floor jumps, goes on otherwise, or is steady from here on
            g->ending = SS_END_FLOOR;
            break;
        }
    }
    g->t1 = t;
}

void ss_slide_make_rest(ss_slide* s)
{
    ss_segment* g = &s->step.segment;
    g->phase = SS_PHASE_REST;
    g->ending = SS_END_NONE;
    g->t0 = s->course.now.t;
    g->t1 = INFINITY;
    bool moves = s->slider->motion.moves, steady = !moves || ss_floor_is_steady(s, s->course.now.t);
    if (moves && !steady) s->course.was_carried = true;
    if (steady && s->course.was_carried) { // from now on it is at rest
        s->course.was_carried = false;
        s->course.rest_since = s->course.now.t;
    }
    if (s->made.loaded && !is_borne_for_ever(s, s->course.now.t)) watch_load(s);
}
