// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The kernel: lanes of one mode cross one cell, or go up to the first event on it. Included by one file per
// kind of processor, each compiled for it.
//
// On the cell every event function g is compared with the quintic P through value, slope and curvature at
// both ends. With Bernstein's coefficients b_0 .. b_5 of P on the cell,
//     |g - P| <= D c^6 u^3 (1 - u)^3 / 720,   D >= |g^(6)|,
// and u^3 (1 - u)^3 is itself a Bernstein polynomial: raising the degree to six, g > 0 inside the cell where
//     b_j >= 0   and   b_2 + b_3 > D c^6 / 7200.                                                          (1)
// Coefficients that are zero by proof (a speed that has just begun to grow, a function at its own event) need
// no margin. Where (1) fails and g has changed its sign, the time of the event is guessed from P, mended by
// the exact flow, and (1) is asked again of all functions on the way to it.
#include "core/tolerance.h"
#include "engine/batch/lanes.h"
#include "engine/batch/lanes_vector.h"

enum { N_MAX = SS_LANES_N };
static const double enough = 0x1p-40; // margin of what must be positive, in units of rounding's own scale

// Value, slope and curvature of an event function at one time.
typedef struct jet {
    vec g, g1, g2;
} jet;

// State and its derivatives: s[0] = q', s[1] = q'', ...
typedef struct motion {
    vec x[N_MAX];
    vec s[2 * N_MAX + 1][N_MAX];
} motion;

// What is known of a contact's function where the cell begins.
typedef struct watch {
    jet from;
    vec bend, margin;
    mask zero1, zero2; // g, and also g', are zero by proof
    mask suspect, up;  // it has left its bounds first of all; by the upper one
} watch;

typedef struct six {
    vec b[6];
} six;

// What a copy of the kernel is made for: everything that branches or loops is known to the compiler.
typedef struct shape {
    int n, m;
    bool slips; // no contact sticks
} shape;

SS_INLINE bool sticks(const ss_lane_contact* contact, const shape of) { return !of.slips && contact->sticks; }

// rates (positions, speeds) of row i. The two halves are summed apart: short chains of operations.
SS_INLINE vec sum_rates(const ss_lane_mode* mode, int i, const vec x[], const vec v[], const shape of)
{
    const int n = of.n;
    vec left = mode->rates[i][0] * x[0], right = mode->rates[i][n] * v[0];
    for (int c = 1; c < n; c++) {
        left += mode->rates[i][c] * x[c];
        right += mode->rates[i][n + c] * v[c];
    }
    return left + right;
}

// s[k + 1] from s[k - 1] and s[k].
SS_INLINE void differentiate(const ss_lane_mode* mode, motion* y, int k, const shape of)
{
    const int n = of.n;
    for (int i = 0; i < n; i++) y->s[k + 1][i] = sum_rates(mode, i, y->s[k - 1], y->s[k], of);
}

SS_INLINE void accelerate(const ss_lane_mode* mode, motion* y, const shape of)
{
    const int n = of.n;
    for (int i = 0; i < n; i++) y->s[1][i] = sum_rates(mode, i, y->x, y->s[0], of) + mode->pull[i];
}

// Derivative k of an event function.
SS_INLINE vec function(const ss_lane_contact* contact, const motion* y, int k, const shape of)
{
    const int n = of.n;
    vec sum = contact->row[n] * y->s[k][0];
    for (int c = 1; c < n; c++) sum += contact->row[n + c] * y->s[k][c];
    if (!sticks(contact, of)) return sum;
    const vec* before = k == 0 ? y->x : y->s[k - 1];
    for (int c = 0; c < n; c++) sum += contact->row[c] * before[c];
    return k == 0 ? sum + contact->base : sum;
}

SS_INLINE jet look(const ss_lane_contact* contact, const motion* y, const shape of)
{
    return (jet){function(contact, y, 0, of), function(contact, y, 1, of), function(contact, y, 2, of)};
}

SS_INLINE six bernstein(const jet* from, const jet* to, vec c)
{
    vec fifth = 0.2 * c, part = 0.05 * (c * c);
    vec rise = fifth * from->g1, fall = fifth * to->g1;
    six p;
    p.b[0] = from->g;
    p.b[1] = from->g + rise;
    p.b[2] = p.b[1] + rise + part * from->g2;
    p.b[5] = to->g;
    p.b[4] = to->g - fall;
    p.b[3] = p.b[4] - fall + part * to->g2;
    return p;
}

// Whether a function with these coefficients stays inside its bounds, the end left out where it is an event.
// A coefficient that is zero by proof gives its place to one that is asked anyway.
SS_INLINE mask stays(const ss_lane_contact* contact, const watch* w, const six* p, vec sag, mask ends_at_zero,
                     const shape of)
{
    const vec* b = p->b;
    vec low = contact->low + w->margin, twice = b[2] + b[3], b0 = choose(w->zero1, b[4], b[0]);
    vec b1 = choose(w->zero2, b[4], b[1]), b5 = choose(ends_at_zero, b[4], b[5]);
    vec least = smaller(smaller(smaller(b0, b1), smaller(b[2], b[3])), smaller(b[4], b5));
    mask good = both(less(low, least), less(2.0 * low + sag, twice));
    if (!sticks(contact, of)) return good;
    vec high = contact->high - w->margin;
    vec most = larger(larger(larger(b0, b1), larger(b[2], b[3])), larger(b[4], b5));
    return both(good, both(less(most, high), less(twice, 2.0 * high - sag)));
}

// Where the control polygon of a function that ends below zero crosses zero first: a guess at its zero.
SS_INLINE vec cross(const six* p)
{
    vec above = p->b[4], below = p->b[5], place = all(4.0);
    for (int j = 3; j >= 0; j--) {
        mask here = less(p->b[j + 1], all(0.0));
        above = choose(here, p->b[j], above);
        below = choose(here, p->b[j + 1], below);
        place = choose(here, all((double)j), place);
    }
    return 0.2 * (place + above / (above - below));
}

// Two steps of Newton's method on the quintic. What comes out is a guess; it is judged elsewhere.
SS_INLINE vec improve(const six* p, vec u)
{
    vec d0 = p->b[1] - p->b[0], d1 = p->b[2] - p->b[1], d2 = p->b[3] - p->b[2], d3 = p->b[4] - p->b[3],
        d4 = p->b[5] - p->b[4];
    vec e0 = d1 - d0, e1 = d2 - d1, e2 = d3 - d2, e3 = d4 - d3;
    vec f0 = e1 - e0, f1 = e2 - e1, f2 = e3 - e2, h0 = f1 - f0, h1 = f2 - f1, a5 = h1 - h0;
    vec a1 = 5.0 * d0, a2 = 10.0 * e0, a3 = 10.0 * f0, a4 = 5.0 * h0;
    vec b1 = 20.0 * e0, b2 = 30.0 * f0, b3 = 20.0 * h0, b4 = 5.0 * a5;
    for (int round = 0; round < 2; round++) {
        vec u2 = u * u;
        vec value = (p->b[0] + a1 * u) + u2 * ((a2 + a3 * u) + u2 * (a4 + a5 * u));
        vec slope = (a1 + b1 * u) + u2 * ((b2 + b3 * u) + u2 * b4);
        u = larger(smaller(u - value / slope, all(1.0)), all(0.0));
    }
    return u;
}

// The exact flow from y over a time r of at most half a cell: y + sum_j beta_j(r) A^j y'.
SS_INLINE void flow(const ss_lanes* lanes, const ss_lane_mode* mode, motion* y, vec r, const shape of)
{
    const int n = of.n;
    vec beta[2 * N_MAX], odd[2 * N_MAX], power = r, r2 = r * r, high = r;
    for (int k = 2; k < 2 * n; k++) differentiate(mode, y, k, of);
    for (int j = 0; j < 2 * n; j++) {
        beta[j] = all(mode->weights[mode->terms - 2][j]);
        odd[j] = all(mode->weights[mode->terms - 1][j]);
    }
    for (int k = mode->terms - 4; k >= 0; k -= 2)
        for (int j = 0; j < 2 * n; j++) {
            beta[j] = beta[j] * r2 + mode->weights[k][j];
            odd[j] = odd[j] * r2 + mode->weights[k + 1][j];
        }
    for (int k = 0; k < n; k++) high *= r2;
    for (int j = 0; j < 2 * n; j++, power *= r)
        beta[j] = (beta[j] + odd[j] * r) * high + power * lanes->factorial[j + 1];
    for (int i = 0; i < n; i++) {
        vec x = beta[2 * n - 1] * y->s[2 * n - 1][i], v = beta[2 * n - 1] * y->s[2 * n][i];
        for (int j = 2 * n - 2; j >= 0; j--) {
            x += beta[j] * y->s[j][i];
            v += beta[j] * y->s[j + 1][i];
        }
        y->x[i] += x;
        y->s[0][i] += v;
    }
    accelerate(mode, y, of);
    for (int k = 1; k < 4; k++) differentiate(mode, y, k, of);
}

// Time d after which the function with these derivatives is zero: its series reverted to the third power, and
// one step of Newton's method with the slope at hand. *left is about the value that is left after that.
SS_INLINE vec mend(const vec c[5], vec* left)
{
    vec inverse = 1.0 / c[1], q = c[0] * inverse, a2 = 0.5 * c[2], a3 = (1.0 / 6.0) * c[3],
        a4 = (1.0 / 24.0) * c[4], b = a2 * inverse, e = a3 * inverse;
    vec d = -q * (1.0 + q * (b + q * (2.0 * (b * b) - e)));
    vec value = c[0] + d * (c[1] + d * (a2 + d * (a3 + d * a4)));
    *left = 2.0 * b * d * value;
    return d - value * inverse;
}

SS_INLINE vec largest_of(const motion* y, const shape of)
{
    const int n = of.n;
    vec most = size_of(y->x[0]);
    for (int i = 1; i < n; i++) most = larger(most, size_of(y->x[i]));
    for (int i = 0; i < n; i++) most = larger(most, size_of(y->s[0][i]));
    return most;
}

// flow/divergence.h, for all lanes.
SS_INLINE mask diverges(const ss_divergence* proof, const motion* y, const shape of)
{
    const int n = of.n;
    mask found = nowhere();
    if (!proof) return found;
    vec most = largest_of(y, of);
    for (int j = 0; j < proof->count; j++) {
        const ss_unstable_mode* mode = &proof->modes[j];
        vec re = all(mode->shift_re), im = all(mode->shift_im), limit = mode->limit + mode->spread * most;
        for (int c = 0; c < n; c++) {
            re += mode->re[c] * y->x[c];
            im += mode->im[c] * y->x[c];
        }
        for (int c = 0; c < n; c++) {
            re += mode->re[n + c] * y->s[0][c];
            im += mode->im[n + c] * y->s[0][c];
        }
        found = either(found, less(limit * limit, re * re + im * im));
    }
    return found;
}

// The earliest function that has left its bounds by the end of the cell.
typedef struct suspect {
    mask found;
    six p;  // positive before the event
    vec at; // guess, as a share of the cell
} suspect;

// Contact i may be the suspect.
SS_INLINE void suspect_contact(suspect* s, const ss_lane_contact* contact, watch watches[], const six* p,
                               int i, const shape of)
{
    watch* w = &watches[i];
    mask low = less(p->b[5], contact->low - w->margin), up = nowhere();
    if (sticks(contact, of)) up = less(contact->high + w->margin, p->b[5]);
    mask left = either(low, up);
    w->suspect = w->up = nowhere();
    if (!any(left)) return;
    six q = *p;
    if (sticks(contact, of))
        for (int j = 0; j < 6; j++) q.b[j] = choose(up, contact->high - p->b[j], p->b[j] - contact->low);
    vec at = cross(&q);
    mask first = both(left, less(at, s->at));
    for (int j = 0; j < 6; j++) s->p.b[j] = choose(first, q.b[j], s->p.b[j]);
    s->at = choose(first, at, s->at);
    s->found = either(s->found, first);
    for (int k = 0; k < i; k++) watches[k].suspect = except(watches[k].suspect, first);
    w->suspect = first;
    w->up = up;
}

// Derivatives of all functions at y, and those of the suspect, positive before the event.
SS_INLINE void suspect_series(const ss_lane_mode* mode, const watch watches[], const motion* y,
                              vec series[N_MAX][5], vec c[5], const shape of)
{
    for (int k = 0; k < 5; k++) c[k] = all(1.0);
    for (int i = 0; i < of.m; i++) {
        const ss_lane_contact* contact = &mode->contacts[i];
        for (int k = 0; k < 5; k++) {
            vec g = series[i][k] = function(contact, y, k, of);
            if (sticks(contact, of))
                g = choose(watches[i].up, k == 0 ? contact->high - g : -g, k == 0 ? g - contact->low : g);
            c[k] = choose(watches[i].suspect, g, c[k]);
        }
    }
}

// Moves lanes to the event of their suspect where that is proved to be the first one; returns which.
SS_INLINE mask settle_event(const ss_lanes* lanes, const ss_lane_mode* mode, vec cell, const watch watches[],
                            const motion* from, const motion* to, const suspect* s, motion* at, vec* time,
                            const shape of)
{
    const int n = of.n;
    vec u = improve(&s->p, s->at), r = u * cell, series[N_MAX][5], c[5], left;
    mask late = less(all(0.5), u);
    for (int i = 0; i < n; i++) {
        at->x[i] = choose(late, to->x[i], from->x[i]);
        for (int k = 0; k < 3; k++) at->s[k][i] = choose(late, to->s[k][i], from->s[k][i]);
    }
    flow(lanes, mode, at, choose(late, r - cell, r), of);
    suspect_series(mode, watches, at, series, c, of);
    vec d = mend(c, &left), when = r + d, w2 = when * when, d2 = 0.5 * d * d, d3 = d2 * d * (1.0 / 3.0),
        d4 = d3 * d * 0.25;
    mask good = both(less(size_of(d), all(lanes->longest_mend)), less(all(0.0), when));
    good = both(both(good, s->found), less(when, cell));
    for (int i = 0; i < of.m; i++) {
        const ss_lane_contact* contact = &mode->contacts[i];
        const vec* g = series[i];
        mask own = watches[i].suspect;
        jet there = {g[0] + d * g[1] + d2 * g[2] + d3 * g[3] + d4 * g[4],
                     g[1] + d * g[2] + d2 * g[3] + d3 * g[4], g[2] + d * g[3] + d2 * g[4]};
        six p = bernstein(&watches[i].from, &there, when);
        vec bound = all(contact->low);
        if (sticks(contact, of)) bound = choose(watches[i].up, all(contact->high), bound);
        p.b[5] = choose(own, bound, p.b[5]);
        vec sag = watches[i].bend * (w2 * w2 * w2 * (1.0 / 7200.0));
        mask exact = less(size_of(left), 0x1p-8 * watches[i].margin);
        good = both(good, stays(contact, &watches[i], &p, sag, own, of));
        good = except(good, except(own, exact));
    }
    for (int i = 0; i < n; i++) {
        at->x[i] += d * at->s[0][i] + d2 * at->s[1][i] + d3 * at->s[2][i] + d4 * at->s[3][i];
        at->s[0][i] += d * at->s[1][i] + d2 * at->s[2][i] + d3 * at->s[3][i] + d4 * at->s[4][i];
    }
    *time = when;
    return good;
}

// Whether the force that would hold a contact is inside its bounds, or above, or below, by a clear margin.
typedef struct grip {
    mask holds, above, below;
} grip;

SS_INLINE grip try_to_hold(const ss_lane_contact* held, const motion* y, const shape of)
{
    const int n = of.n;
    vec force = all(held->base), terms = all(fabs(held->base) + (held->high - held->low));
    for (int c = 0; c < n; c++) {
        vec x = held->row[c] * y->x[c], v = held->row[n + c] * y->s[0][c];
        force += x + v;
        terms += size_of(x) + size_of(v);
    }
    vec margin = SS_CLEAR * terms;
    return (grip){both(less(held->low + margin, force), less(force, held->high - margin)),
                  less(held->high + margin, force), less(force, held->low - margin)};
}

// What follows on the events: a bound that gives way, or a speed that is zero and a force that holds or not.
SS_INLINE vec decide(const ss_lane_mode* mode, const watch watches[], const motion* y, const shape of)
{
    vec next = all(SS_STRANGE);
    for (int i = 0; i < of.m; i++) {
        const ss_lane_contact *contact = &mode->contacts[i], *held = contact->held;
        mask own = watches[i].suspect;
        if (sticks(contact, of)) {
            vec after = choose(watches[i].up, all(contact->next_high), all(contact->next_low));
            next = choose(own, after, next);
            continue;
        }
        grip at = try_to_hold(held, y, of);
        vec after = choose(at.holds, all(contact->next_stick), all(contact->undecided));
        mask gives = contact->slips_up ? at.above : at.below;
        next = choose(own, choose(gives, all(contact->next_back), after), next);
    }
    return next;
}

SS_INLINE void read_lanes(const ss_lane_mode* mode, const ss_lane_block* block, int lane, motion* y,
                          const shape of)
{
    const int n = of.n;
    for (int i = 0; i < n; i++) {
        y->x[i] = load(&block->y[i][lane]);
        y->s[0][i] = load(&block->y[n + i][lane]);
    }
    for (int k = 0; k < mode->rank; k++) { // what is held moves with the others, or not at all
        vec sum = all(0.0);
        for (int c = 0; c < n; c++) sum += mode->relation[k][c] * y->s[0][c];
        for (int c = 0; c < n; c++)
            if (c == mode->held[k]) y->s[0][c] = sum;
    }
    accelerate(mode, y, of);
    differentiate(mode, y, 1, of);
}

// Takes sum of lead_i 4^i apart.
SS_INLINE void read_leads(watch watches[], vec lead, int m)
{
    for (int i = m - 1; i >= 0; i--) {
        double unit = (double)(1 << 2 * i);
        watches[i].zero2 = less(all(2.0 * unit - 0.5), lead);
        lead = lead - choose(watches[i].zero2, all(2.0 * unit), all(0.0));
        mask one = less(all(unit - 0.5), lead);
        lead = lead - choose(one, all(unit), all(0.0));
        watches[i].zero1 = either(one, watches[i].zero2);
    }
}

SS_INLINE void write_lanes(ss_lane_block* block, int lane, const motion* y, vec time, vec outcome,
                           const shape of)
{
    const int n = of.n;
    for (int i = 0; i < n; i++) {
        store(&block->y[i][lane], y->x[i]);
        store(&block->y[n + i][lane], y->s[0][i]);
    }
    store(&block->time[lane], time);
    store(&block->outcome[lane], outcome);
}

SS_INLINE void replace(mask m, motion* y, const motion* by, const shape of)
{
    const int n = of.n;
    for (int i = 0; i < n; i++) {
        y->x[i] = choose(m, by->x[i], y->x[i]);
        y->s[0][i] = choose(m, by->s[0][i], y->s[0][i]);
    }
}

// The motion at the end of a cell, by the matrices of its length.
SS_INLINE void stride(const ss_lane_mode* mode, int level, const motion* from, motion* to, const shape of)
{
    const int n = of.n;
    for (int i = 0; i < n; i++) {
        vec x = all(0.0), v = all(0.0);
        for (int c = 0; c < n; c++) {
            x += mode->step[level][i][c] * from->s[0][c];
            v += mode->step[level][n + i][c] * from->s[0][c];
        }
        for (int c = 0; c < n; c++) {
            x += mode->step[level][i][n + c] * from->s[1][c];
            v += mode->step[level][n + i][n + c] * from->s[1][c];
        }
        to->x[i] = from->x[i] + x;
        to->s[0][i] = from->s[0][i] + v;
    }
    accelerate(mode, to, of);
    differentiate(mode, to, 1, of);
}

SS_INLINE void cross_cell(const ss_lanes* lanes, const ss_lane_mode* mode, int level, ss_lane_block* block,
                          int lane, const shape of)
{
    const int n = of.n;
    vec cell = all(lanes->cell[level]);
    double c3 = lanes->cell[level] * lanes->cell[level] * lanes->cell[level], part = c3 * c3 / 7200.0;
    motion from, to;
    read_lanes(mode, block, lane, &from, of);
    stride(mode, level, &from, &to, of);
    vec most = largest_of(&from, of);
    watch watches[N_MAX];
    suspect s = {.found = nowhere(), .at = all(2.0)};
    mask is_free = everywhere();
    read_leads(watches, load(&block->lead[lane]), of.m);
    for (int i = 0; i < of.m; i++) {
        const ss_lane_contact* contact = &mode->contacts[i];
        watch* w = &watches[i];
        w->from = look(contact, &from, of);
        w->from.g = choose(w->zero1, all(0.0), w->from.g);
        w->from.g1 = choose(w->zero2, all(0.0), w->from.g1);
        w->bend = all(0.0);
        for (int c = 0; c < n; c++)
            w->bend +=
                contact->bend[c] * size_of(from.s[0][c]) + contact->bend[n + c] * size_of(from.s[1][c]);
        w->margin = enough * (contact->blur[0] * most + contact->blur[1]);
        jet end = look(contact, &to, of);
        six p = bernstein(&w->from, &end, cell);
        mask clear = stays(contact, w, &p, w->bend * part, nowhere(), of);
        is_free = both(is_free, clear);
        suspect_contact(&s, contact, watches, &p, i, of);
    }
    vec outcome = choose(is_free, all(SS_FREE), all(SS_UNCLEAR)), time = choose(is_free, cell, all(0.0));
    mask strange = less(all(mode->reach), most);
    s.found = except(s.found, is_free);
    if (any(s.found)) {
        motion at;
        vec when;
        mask good = settle_event(lanes, mode, cell, watches, &from, &to, &s, &at, &when, of);
        mask lost = both(good, diverges(lanes->divergence, &at, of));
        replace(good, &to, &at, of);
        time = choose(good, when, time);
        outcome = choose(good, decide(mode, watches, &at, of), outcome);
        outcome = choose(lost, all(SS_DIVERGES), outcome);
        is_free = either(is_free, good);
    }
    replace(is_free, &from, &to, of);
    outcome = choose(strange, all(SS_STRANGE), outcome);
    write_lanes(block, lane, &from, time, outcome, of);
}

// What a start begins with, where every contact is decided by itself: it moves, or is held, or is not.
SS_INLINE void begin(const ss_lanes* lanes, ss_lane_block* block, int lane, const shape of)
{
    const int n = of.n;
    motion y;
    for (int i = 0; i < n; i++) {
        y.x[i] = load(&block->y[i][lane]);
        y.s[0][i] = load(&block->y[n + i][lane]);
    }
    vec outcome = all(SS_DECIDED);
    mask clear = everywhere();
    const ss_lane_mode *stuck = &lanes->modes[lanes->mode_count - 1], *up = &lanes->modes[0];
    for (int i = 0; i < of.m; i++) {
        double place = lanes->place[i], lead = lanes->lead[i] * (double)SS_LANES_LEAD;
        grip at = try_to_hold(&stuck->contacts[i], &y, of);
        vec v = all(0.0), terms = all(0.0);
        for (int c = 0; c < n; c++) {
            vec term = up->contacts[i].row[n + c] * y.s[0][c];
            v += term;
            terms += size_of(term);
        }
        mask plus = less(SS_CLEAR * terms, v), minus = less(v, -SS_CLEAR * terms);
        mask still = except(except(everywhere(), less(all(0.0), size_of(v))), either(plus, minus));
        mask down = either(minus, both(still, at.above)), rise = either(plus, both(still, at.below));
        vec digit = choose(down, all(SS_MODE_SLIP_MINUS * place), all(SS_MODE_STICK * place));
        digit = choose(rise, all(SS_MODE_SLIP_PLUS * place), digit);
        outcome += digit + choose(both(still, either(at.above, at.below)), all(lead), all(0.0));
        clear = both(clear, either(either(down, rise), both(still, at.holds)));
    }
    outcome = choose(clear, outcome, all(SS_UNCLEAR));
    store(&block->outcome[lane], choose(diverges(lanes->divergence, &y, of), all(SS_DIVERGES), outcome));
}

#define SS_RUN(name, ...)                                                                                    \
    static void name(const ss_lanes* lanes, const ss_lane_mode* mode, int level, ss_lane_block* block,       \
                     int count)                                                                              \
    {                                                                                                        \
        const shape of = {__VA_ARGS__};                                                                      \
        for (int lane = 0; lane < count; lane += WIDTH) cross_cell(lanes, mode, level, block, lane, of);     \
    }

// As many contacts as coordinates is the common case; up to two it has copies of its own.
SS_RUN(slip_1, 1, 1, true)
SS_RUN(slip_2, 2, 2, true)
SS_RUN(run_1_1, 1, 1, false)
SS_RUN(run_2_2, 2, 2, false)
SS_RUN(run_1, 1, lanes->m, false)
SS_RUN(run_2, 2, lanes->m, false)
SS_RUN(run_3, 3, lanes->m, false)
SS_RUN(run_4, 4, lanes->m, false)
#undef SS_RUN

static bool some_stick(const ss_lanes* lanes, const ss_lane_mode* mode)
{
    for (int i = 0; i < lanes->m; i++)
        if (mode->contacts[i].sticks) return true;
    return false;
}

void SS_LANE_KERNEL(const ss_lanes* lanes, const ss_lane_mode* mode, int level, ss_lane_block* block,
                    int count)
{
    static ss_lane_kernel* const every[SS_LANES_N] = {run_1, run_2, run_3, run_4};
    static ss_lane_kernel* const equal[2][2] = {{slip_1, run_1_1}, {slip_2, run_2_2}};
    bool small = lanes->n <= 2 && lanes->m == lanes->n;
    ss_lane_kernel* run = small ? equal[lanes->n - 1][some_stick(lanes, mode)] : every[lanes->n - 1];
    run(lanes, mode, level, block, count);
}

void SS_LANE_START(const ss_lanes* lanes, ss_lane_block* block, int count)
{
    for (int lane = 0; lane < count; lane += WIDTH) switch (lanes->alone ? lanes->n : 0) {
        case 1: begin(lanes, block, lane, (shape){1, lanes->m, false}); break;
        case 2: begin(lanes, block, lane, (shape){2, lanes->m, false}); break;
        case 3: begin(lanes, block, lane, (shape){3, lanes->m, false}); break;
        case 4: begin(lanes, block, lane, (shape){4, lanes->m, false}); break;
        default: store(&block->outcome[lane], all(SS_UNCLEAR));
        }
}
