// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Flow in one mode: what slips pushes, what is held takes away directions. Steps run on the clock that the
// contact nearest to a stop needs.
#include "core/series.h"
#include "slider/motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- mode ----

// Takes a row into the orthonormal basis of what is held; rows that depend on the others add nothing.
static int add_normal(double normal[][3], int count, const double row[3])
{
    double r[3] = {row[0], row[1], row[2]}, size = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < count; i++) {
            double dot = r[0] * normal[i][0] + r[1] * normal[i][1] + r[2] * normal[i][2];
            for (int j = 0; j < 3; j++) r[j] -= dot * normal[i][j];
        }
    double left = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (left <= 1e-9 * size || count == 3) return count;
    for (int j = 0; j < 3; j++) normal[count][j] = r[j] / left;
    return count + 1;
}

int ss_slide_subspace(const ss_slide* s, const bool spots[], const bool lines[], double project[9])
{
    double normal[3][3] = {{0}};
    int count = 0;
    for (int i = 0; i < s->spot_count; i++) {
        if (!spots[i]) continue;
        const double rows[2][3] = {{1.0, 0.0, -s->spots[i].y}, {0.0, 1.0, s->spots[i].x}};
        for (int k = 0; k < 2; k++) count = add_normal(normal, count, rows[k]);
    }
    for (int j = 0; j < s->line_count; j++) {
        double row[3];
        if (!lines[j]) continue;
        ss_line_row(s, j, row);
        count = add_normal(normal, count, row);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < count; k++) sum -= normal[k][i] * normal[k][j];
            project[3 * i + j] = count == 3 ? 0.0 : sum;
        }
    return 3 - count;
}

void ss_slide_set_mode(ss_slide* s)
{
    s->dof = ss_slide_subspace(s, s->spot_held, s->line_held, s->project);
    s->slip_count = s->odd_count = 0;
    for (int i = 0; i < s->spot_count; i++) {
        const ss_spot* spot = &s->spots[i];
        if (s->spot_held[i] || s->spot_off[i]) continue;
        if (spot->kind != SS_SPOT_DISC) {
            s->odd[s->odd_count++] = i;
            continue;
        }
        s->slip_x[s->slip_count] = spot->x;
        s->slip_y[s->slip_count] = spot->y;
        s->slip_level[s->slip_count] = spot->level;
        s->slip_spot[s->slip_count++] = i;
    }
    ss_floor floor = {.is_plain = true, .d = {1, 0, 0, 1}};
    memset(s->constant_load, 0, sizeof s->constant_load);
    for (int j = 0; j < s->line_count && !s->slider->floor_is_anisotropic; j++) {
        double row[3];
        if (s->line_held[j] || s->line_mode[j] == 0) continue;
        ss_line_row(s, j, row);
        for (int k = 0; k < 3; k++)
            s->constant_load[k] += s->line_mode[j] * ss_line_limit(s, j, &floor) * row[k];
    }
}

// ---- loads ----

// Force and moment, about the reference place, of slipping discs when that place moves with z. Four at a
// time: the order of summation is fixed, so results do not depend on the compiler's vectors.
static void add_discs(const ss_slide* s, double cx, double cy, const double z[2], double w, double sum[3])
{
    enum { LANES = 4 };
    double fx[LANES] = {0}, fy[LANES] = {0}, m[LANES] = {0};
    int i = 0;
    for (; i + LANES <= s->slip_count; i += LANES)
        for (int k = 0; k < LANES; k++) {
            double dx = s->slip_x[i + k] - cx, dy = s->slip_y[i + k] - cy;
            double vx = z[0] - w * dy, vy = z[1] + w * dx;
            double share = s->slip_level[i + k] / sqrt(vx * vx + vy * vy);
            fx[k] += share * vx;
            fy[k] += share * vy;
            m[k] += share * (dx * vy - dy * vx);
        }
    for (; i < s->slip_count; i++) {
        double dx = s->slip_x[i] - cx, dy = s->slip_y[i] - cy;
        double vx = z[0] - w * dy, vy = z[1] + w * dx;
        double share = s->slip_level[i] / sqrt(vx * vx + vy * vy);
        fx[0] += share * vx;
        fy[0] += share * vy;
        m[0] += share * (dx * vy - dy * vx);
    }
    sum[0] += (fx[0] + fx[1]) + (fx[2] + fx[3]);
    sum[1] += (fy[0] + fy[1]) + (fy[2] + fy[3]);
    sum[2] += (m[0] + m[1]) + (m[2] + m[3]);
}

// Slipping spots that are no discs, lines on an anisotropic floor, patches; about the centre of mass.
static void add_others(const ss_slide* s, double cx, double cy, const double z[2], double w, double angle,
                       double load[3])
{
    ss_floor floor = ss_floor_at(s->slider, angle);
    for (int i = 0; i < s->odd_count; i++) {
        const ss_spot* spot = &s->spots[s->odd[i]];
        double v[2] = {z[0] - w * (spot->y - cy), z[1] + w * (spot->x - cx)}, f[2];
        ss_spot_load(s, spot, &floor, v, f, NULL);
        load[0] += f[0];
        load[1] += f[1];
        load[2] += spot->x * f[1] - spot->y * f[0];
    }
    for (int j = 0; j < s->line_count && !floor.is_plain; j++) {
        double row[3];
        if (s->line_held[j] || s->line_mode[j] == 0) continue;
        ss_line_row(s, j, row);
        for (int k = 0; k < 3; k++) load[k] += s->line_mode[j] * ss_line_limit(s, j, &floor) * row[k];
    }
    double u[3] = {z[0] + w * cy, z[1] - w * cx, w};
    ss_power sum = {0};
    for (int i = 0; i < s->patch_count; i++)
        ss_element_power(&s->slider->elements[s->patches[i]], &floor, u, &sum);
    for (int k = 0; k < 3; k++) load[k] += sum.p[k];
}

static void slip_load(const ss_slide* s, double cx, double cy, const double z[2], double w, double angle,
                      double load[3])
{
    double about[3] = {0.0, 0.0, 0.0};
    add_discs(s, cx, cy, z, w, about);
    load[0] = about[0] + s->constant_load[0];
    load[1] = about[1] + s->constant_load[1];
    load[2] = about[2] + cx * about[1] - cy * about[0] + s->constant_load[2];
    if (s->odd_count + s->patch_count > 0 || s->slider->floor_is_anisotropic)
        add_others(s, cx, cy, z, w, angle, load);
}

void ss_slide_slip_load(const ss_slide* s, const double u[3], double angle, double load[3])
{
    slip_load(s, 0.0, 0.0, u, u[2], angle, load);
}

void ss_slide_free_acceleration(const ss_slide* s, const ss_place* at, double a[3])
{
    double load[3], applied[3] = {0.0, 0.0, 0.0};
    ss_slide_slip_load(s, at->u, at->angle, load);
    if (s->loaded) ss_slide_applied(s, at->t, at->angle, applied);
    double turn = s->limit_flow ? 0.0 : at->u[2];
    a[0] = applied[0] - load[0] + turn * at->u[1];
    a[1] = applied[1] - load[1] - turn * at->u[0];
    a[2] = applied[2] - load[2];
}

void ss_slide_project(const ss_slide* s, const double a[3], double out[3])
{
    const double* p = s->project;
    double x = p[0] * a[0] + p[1] * a[1] + p[2] * a[2], y = p[3] * a[0] + p[4] * a[1] + p[5] * a[2];
    double w = p[6] * a[0] + p[7] * a[1] + p[8] * a[2];
    out[0] = x;
    out[1] = y;
    out[2] = w;
}

// ---- one step ----

static double clock_of(const ss_segment* g, const double y[], const double u[3])
{
    if (g->clock == SS_CLOCK_TIME) return 1.0;
    if (g->clock == SS_CLOCK_SPOT) return sqrt(y[0] * y[0] + y[1] * y[1]);
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

static void velocity_of(const ss_segment* g, const double y[], double u[3])
{
    u[0] = y[SS_Y_ZX] + y[SS_Y_SPIN] * g->cy;
    u[1] = y[SS_Y_ZY] - y[SS_Y_SPIN] * g->cx;
    u[2] = y[SS_Y_SPIN];
}

// dy/ds [GRP91, (4)]: acceleration in the body frame = applied load - load on the ground - omega x V.
static void rate(void* user, const double y[], int stage, double dy[])
{
    ss_slide* s = user;
    const ss_segment* g = &s->segment;
    double u[3], load[3], applied[3] = {0.0, 0.0, 0.0}, angle = s->now.angle + y[SS_Y_ANGLE];
    velocity_of(g, y, u);
    slip_load(s, g->cx, g->cy, y, u[2], angle, load);
    if (s->limit_flow) angle = s->now.angle;
    if (s->loaded) ss_slide_applied(s, s->limit_flow ? s->start.t : s->now.t + y[SS_Y_TIME], angle, applied);
    double turn = s->limit_flow ? 0.0 : u[2];
    double a[3] = {applied[0] - load[0] + turn * u[1], applied[1] - load[1] - turn * u[0],
                   applied[2] - load[2]};
    memcpy(s->seen_u[stage], u, sizeof u);
    memcpy(s->seen_a[stage], a, sizeof a);
    if (s->dof < 3) ss_slide_project(s, a, a);
    double c = clock_of(g, y, u);
    dy[SS_Y_ZX] = c * (a[0] - a[2] * g->cy);
    dy[SS_Y_ZY] = c * (a[1] + a[2] * g->cx);
    dy[SS_Y_SPIN] = c * a[2];
    dy[SS_Y_ANGLE] = c * u[2];
    dy[SS_Y_DX] = c * (u[0] + u[2] * y[SS_Y_DY]);
    dy[SS_Y_DY] = c * (u[1] - u[2] * y[SS_Y_DX]);
    dy[SS_Y_TIME] = c;
    dy[SS_Y_FRICTION] = c * (load[0] * u[0] + load[1] * u[1] + load[2] * u[2]);
    dy[SS_Y_INPUT] = c * (applied[0] * u[0] + applied[1] * u[1] + applied[2] * u[2]);
}

static double norm3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// The slipping spot that would stop first if it were braked with full strength, and when; -1 if there is
// none.
static int nearest_stop(const ss_slide* s, const double u[3], double strength, double* when)
{
    int nearest = -1;
    double least = INFINITY;
    for (int i = 0; i < s->slip_count; i++) {
        double x = s->slip_x[i], y = s->slip_y[i], vx = u[0] - u[2] * y, vy = u[1] + u[2] * x;
        double square = (vx * vx + vy * vy) / (1.0 + x * x + y * y);
        if (square < least) {
            least = square;
            nearest = s->slip_spot[i];
        }
    }
    for (int i = 0; i < s->odd_count; i++) {
        const ss_spot* spot = &s->spots[s->odd[i]];
        double z[2];
        ss_spot_velocity(spot, u, z);
        double square = (z[0] * z[0] + z[1] * z[1]) / (1.0 + spot->x * spot->x + spot->y * spot->y);
        if (square < least) {
            least = square;
            nearest = s->odd[i];
        }
    }
    *when = sqrt(least) / strength;
    return nearest;
}

// Chooses clock and reference for a step that would last step_time: the clock of a spot or of the whole body
// where that may stop within a few such steps.
static void choose_clock(ss_slide* s)
{
    static const double soon = 6.0;
    ss_segment* g = &s->segment;
    const double* u = s->now.u;
    double applied[3] = {0.0, 0.0, 0.0}, when, speed = norm3(u);
    if (s->loaded) ss_slide_applied(s, s->now.t, s->now.angle, applied);
    double strength = s->strength + norm3(applied) + fabs(u[2]) * speed; // no acceleration is larger
    int spot = nearest_stop(s, u, strength, &when);
    g->clock = SS_CLOCK_TIME;
    g->reference = -1;
    g->cx = g->cy = 0.0;
    if (spot >= 0 && when < soon * s->step_time && when < 0.3 * speed / strength) {
        g->clock = SS_CLOCK_SPOT;
        g->reference = spot;
        g->cx = s->spots[spot].x;
        g->cy = s->spots[spot].y;
    } else if (speed < soon * s->step_time * strength) {
        g->clock = SS_CLOCK_BODY;
    }
}

static void begin_step(ss_slide* s)
{
    ss_segment* g = &s->segment;
    const double* u = s->now.u;
    memset(g->begin, 0, sizeof g->begin);
    g->begin[SS_Y_ZX] = u[0] - u[2] * g->cy;
    g->begin[SS_Y_ZY] = u[1] + u[2] * g->cx;
    if (g->reference >= 0 && s->reference_known == g->reference) // kept apart: its digits are its own
        memcpy(g->begin, s->reference_z, sizeof s->reference_z);
    g->begin[SS_Y_SPIN] = u[2];
    g->t0 = s->now.t;
    rate(s, g->begin, 0, s->k[0]);
    memcpy(g->rate, s->k[0], sizeof g->rate);
}

// One over the error allowed per component. Velocities: the tolerance times the largest speed of the motion,
// but never so much that the direction of what is about to stop would be lost.
static void error_scale(const ss_slide* s, double h, double scale[])
{
    const ss_segment* g = &s->segment;
    double tolerance = fmax(s->def.tolerance, 4.0 * DBL_EPSILON), speed = norm3(s->now.u);
    double small = g->clock == SS_CLOCK_SPOT ? hypot(g->begin[0], g->begin[1]) : speed;
    double lax = tolerance * fmax(s->speed_scale, speed);
    double z = fmax(tolerance * small, fmin(lax, 1e-5 * small));
    double w = fmax(tolerance * speed, fmin(lax, 1e-5 * speed));
    double top = fmax(s->speed_scale, speed), time = h * clock_of(g, g->begin, s->now.u);
    double whole =
        fmax(s->now.t - s->since + time, top / s->total_level); // about as long as the motion lasts
    double moved = tolerance * fmax(s->path + speed * time, 0.5 * top * whole), spent = tolerance * whole;
    double work = tolerance * (s->speed_scale * s->speed_scale + speed * speed);
    scale[SS_Y_ZX] = scale[SS_Y_ZY] = 1.0 / z;
    scale[SS_Y_SPIN] = 1.0 / w;
    scale[SS_Y_ANGLE] = scale[SS_Y_DX] = scale[SS_Y_DY] = 1.0 / moved;
    scale[SS_Y_TIME] = 1.0 / spent;
    scale[SS_Y_FRICTION] = scale[SS_Y_INPUT] = 1.0 / work;
}

static void try_steps(ss_slide* s, double y[])
{
    enum { TRIES = 60 };
    ss_segment* g = &s->segment;
    double c = clock_of(g, g->begin, s->now.u), turn = 0.5 / (norm3(s->now.u) + DBL_MIN);
    double h = fmin(s->step_time, turn) / c, grow = 6.0, scale[SS_SLIDE_STATE];
    for (int i = 0; i < TRIES; i++) {
        error_scale(s, h, scale);
        ss_rk_step(rate, s, g->begin, h, s->k, y);
        double error = ss_rk_error(h, s->k, scale);
        double factor = error > 0.0 ? 0.9 * pow(error, -0.125) : grow;
        if (error <= 1.0) {
            double u[3];
            velocity_of(g, y, u);
            s->step_time = h * fmin(grow, fmax(factor, 0.3)) * clock_of(g, y, u);
            break;
        }
        h *= factor > 0.1 ? fmin(factor, 0.8) : 0.1; // NaN shortens, too
        grow = 1.0;
    }
    g->length = h;
}

// ---- within a step ----

static void partial(ss_slide* s, double h, double y[])
{
    memcpy(s->k[0], s->segment.rate, sizeof s->k[0]);
    ss_rk_step(rate, s, s->segment.begin, h, s->k, y);
}

static void place_at(const ss_slide* s, const double y[], ss_place* out)
{
    const ss_place* now = &s->now;
    velocity_of(&s->segment, y, out->u);
    out->t = now->t + y[SS_Y_TIME];
    out->angle = now->angle + y[SS_Y_ANGLE];
    double c = cos(out->angle), n = sin(out->angle);
    out->x = now->x + c * y[SS_Y_DX] - n * y[SS_Y_DY];
    out->y = now->y + n * y[SS_Y_DX] + c * y[SS_Y_DY];
    out->friction = now->friction + y[SS_Y_FRICTION];
    out->input = now->input + y[SS_Y_INPUT];
}

typedef enum watch_kind { WATCH_LINE, WATCH_HOLD, WATCH_TIME, WATCH_ESCAPE } watch_kind;
typedef struct watch {
    watch_kind kind;
    int line;
    double time; // since the step began
} watch;

static double line_speed(const ss_slide* s, int line, const double u[3])
{
    double row[3];
    ss_line_row(s, line, row);
    return s->line_mode[line] * (row[0] * u[0] + row[1] * u[1] + row[2] * u[2]);
}

static double distance(const ss_slide* s, const ss_place* at)
{
    return hypot(at->x - s->start.x, at->y - s->start.y);
}

// Positive before what is watched, negative after it.
static double watch_value(ss_slide* s, const watch* w, const double y[])
{
    ss_place at;
    double a[3];
    if (w->kind == WATCH_TIME) return w->time - y[SS_Y_TIME];
    place_at(s, y, &at);
    switch (w->kind) {
    case WATCH_LINE: return line_speed(s, w->line, at.u);
    case WATCH_ESCAPE: return s->def.escape / s->slider->unit_length - distance(s, &at);
    default: break;
    }
    ss_slide_free_acceleration(s, &at, a);
    return ss_slide_hold_margin(s, at.angle, a);
}

// The length at which a watched value that is positive at `low` and not at `high` passes zero; the state
// there in y. Illinois' variant of false position, on steps of full order from the beginning.
static double locate(ss_slide* s, const watch* w, double low, double at_low, double high, double at_high,
                     double y[])
{
    enum { ROUNDS = 60 };
    double h = high;
    int side = 0;
    for (int i = 0; i < ROUNDS && high - low > 2.0 * DBL_EPSILON * high; i++) {
        h = at_low > 0.0 && at_low < INFINITY ? low + (high - low) * at_low / (at_low - at_high)
                                              : 0.5 * (low + high);
        if (!(h > low && h < high)) h = 0.5 * (low + high);
        partial(s, h, y);
        double value = watch_value(s, w, y);
        if (value == 0.0) return h;
        if (value > 0.0) {
            low = h;
            at_low = value;
            if (side > 0) at_high *= 0.5;
            side = 1;
        } else {
            high = h;
            at_high = value;
            if (side < 0) at_low *= 0.5;
            side = -1;
        }
    }
    partial(s, high, y);
    return high;
}

// A share of the step before which the watched value is still positive and after which it is not, as the
// stages saw it; false if no stage saw that.
static bool bracket(const double value[], double* low, double* high)
{
    double before = 0.0;
    for (int i = 1; i < SS_RK_STAGES; i++) {
        int stage = ss_rk_by_time[i];
        if (value[stage] < 0.0) {
            *low = before;
            *high = ss_rk_nodes[stage];
            return true;
        }
        before = ss_rk_nodes[stage];
    }
    return false;
}

// Shortens the step to where the watched value passes zero, if it does.
static bool shorten(ss_slide* s, const watch* w, const double value[], double y[])
{
    double low = 0.0, high = 1.0, end[SS_SLIDE_STATE], at_low = INFINITY;
    double h = s->segment.length, at_end = watch_value(s, w, y);
    bool seen = value && bracket(value, &low, &high);
    if (!(seen && high < 1.0) && at_end > 0.0) return false;
    if (high < 1.0) { // stages are rough: see whether it is so
        partial(s, high * h, end);
        double at_high = watch_value(s, w, end);
        if (at_high >= 0.0 && at_end > 0.0) {
            partial(s, h, y); // what the stages saw belongs to the whole step again
            return false;
        }
        if (at_high >= 0.0) {
            low = high;
            at_low = at_high;
            high = 1.0;
        } else {
            at_end = at_high;
        }
    }
    if (at_low == INFINITY && low > 0.0) {
        partial(s, low * h, end);
        at_low = watch_value(s, w, end);
        if (at_low <= 0.0) low = 0.0, at_low = INFINITY;
    }
    s->segment.length = locate(s, w, low * h, at_low, high * h, at_end, y);
    return true;
}

static bool watch_lines(ss_slide* s, double y[])
{
    bool found = false;
    for (int j = 0; j < s->line_count; j++) {
        if (s->line_held[j] || s->line_mode[j] == 0) continue;
        double value[SS_RK_STAGES], most = 0.0;
        for (int i = 0; i < SS_RK_STAGES; i++) {
            value[i] = line_speed(s, j, s->seen_u[i]);
            most = fmax(most, fabs(value[i]));
        }
        for (int i = 0; i < SS_RK_STAGES; i++) value[i] += 1e-7 * most; // stages are rough
        watch w = {.kind = WATCH_LINE, .line = j};
        double u[3];
        velocity_of(&s->segment, y, u);
        double low, high;
        if (!bracket(value, &low, &high) && line_speed(s, j, u) > 0.0) continue;
        if (!shorten(s, &w, value, y)) continue;
        s->segment.ending = SS_END_LINE;
        s->segment.which = j;
        found = true;
    }
    return found;
}

static void watch_hold(ss_slide* s, double y[])
{
    if (s->dof == 3) return;
    double value[SS_RK_STAGES];
    for (int i = 0; i < SS_RK_STAGES; i++) value[i] = ss_slide_hold_margin(s, s->now.angle, s->seen_a[i]);
    watch w = {.kind = WATCH_HOLD};
    if (!shorten(s, &w, value, y)) return;
    s->segment.ending = SS_END_HOLD;
}

static double next_break(const ss_slide* s)
{
    const ss_signal* const signals[] = {s->slider->force_x, s->slider->force_y, s->slider->moment};
    double next = INFINITY, unit = s->slider->unit_time;
    for (int i = 0; i < 3; i++)
        if (signals[i])
            next = fmin(next, ss_signal_next_breakpoint(signals[i], s->now.t * unit * (1 + 1e-15)));
    return next / unit;
}

static void watch_rest_of_world(ss_slide* s, double y[])
{
    double end = s->loaded ? next_break(s) - s->now.t : INFINITY;
    if (end > 0.0 && end < y[SS_Y_TIME]) {
        watch w = {.kind = WATCH_TIME, .time = end};
        shorten(s, &w, NULL, y);
    }
    if (isinf(s->def.escape)) return;
    watch w = {.kind = WATCH_ESCAPE};
    if (shorten(s, &w, NULL, y)) s->segment.ending = SS_END_ESCAPE;
}

static void make_step(ss_slide* s)
{
    double y[SS_SLIDE_STATE];
    s->segment.phase = SS_PHASE_STEP;
    s->segment.ending = SS_END_NONE;
    choose_clock(s);
    begin_step(s);
    if (ss_slide_find_tail(s)) return;
    try_steps(s, y);
    watch_rest_of_world(s, y);
    watch_lines(s, y);
    watch_hold(s, y);
    memcpy(s->segment.end, y, sizeof y);
    s->segment.t1 = s->now.t + y[SS_Y_TIME];
}

static void make_jump(ss_slide* s)
{
    s->segment.phase = SS_PHASE_JUMP;
    s->segment.ending = SS_END_NONE;
    s->segment.t0 = s->now.t;
    s->segment.t1 = s->jump.t;
    s->has_jump = false;
}

void ss_slide_make_segment(ss_slide* s)
{
    s->has_segment = true;
    if (s->has_jump)
        make_jump(s);
    else if (s->dof == 0)
        ss_slide_make_rest(s);
    else if (!ss_slide_make_arc(s))
        make_step(s);
}

void ss_slide_finish_step(ss_slide* s)
{
    const ss_segment* g = &s->segment;
    ss_place at;
    place_at(s, g->end, &at);
    s->path += norm3(s->now.u) * g->end[SS_Y_TIME];
    s->now = at;
    s->reference_known = g->reference;
    s->reference_z[0] = g->end[SS_Y_ZX];
    s->reference_z[1] = g->end[SS_Y_ZY];
    if (s->dof < 3) ss_slide_project(s, s->now.u, s->now.u); // nothing creeps, not even by rounding
    s->speed_scale = fmax(s->speed_scale, norm3(s->now.u));
}

void ss_slide_look_step(ss_slide* s, double t, ss_place* out)
{
    const ss_segment* g = &s->segment;
    double y[SS_SLIDE_STATE], h = t - g->t0;
    if (g->clock != SS_CLOCK_TIME) {
        watch w = {.kind = WATCH_TIME, .time = h};
        h = locate(s, &w, 0.0, h, g->length, h - g->end[SS_Y_TIME], y);
    } else {
        partial(s, h, y);
    }
    place_at(s, y, out);
    out->t = t;
}
