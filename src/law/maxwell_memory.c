// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What Maxwell-slip elements remember. An element of reach r that last slipped at y_p, in direction d_p, is
// deflected by d_p r + (y - y_p) now, and slips again when that comes to +r or -r. After a reversal the first
// elements to slip are those of least reach; so the elements that remember one and the same reversal are
// neighbours in the sorted order, and the reversals form a stack: outer ones for the elements of large reach.
//
//     elements   0 .. slipped      slip now, in the present direction
//                .. reversals[depth-1].slipped   remember the last reversal
//                ..                              ...
//                .. reversals[0].slipped         remember the first
//                .. count                        have never slipped: saturation r + (y - start)
//
// A motion wipes out the inner reversals it exceeds, found by bisection: going beyond y_p in its own
// direction, or so far the other way that the last element of its band slips.
#include "slipstick/bristle.h"

#include <math.h>
#include <string.h>

// Number of elements, of the `count` first ones here, whose reach is at most r. Without branches: where r
// lies is not to be guessed.
static int count_up_to(const ss_maxwell_element elements[], int count, double r)
{
    const ss_maxwell_element* first = elements;
    while (count > 1) {
        int half = count / 2;
        first += first[half - 1].reach <= r ? half : 0;
        count -= half;
    }
    return (int)(first - elements) + (count == 1 && first->reach <= r ? 1 : 0);
}

// Number of elements whose reach is at most r. Its bin is known from its bits; within it the search widens
// from the place where r stands if the reaches there are evenly spread.
static int count_within(const ss_maxwell_slip* law, double r)
{
    enum { NEAR = 2 };
    const ss_maxwell_element* e = law->elements;
    if (r < e[0].reach) return 0;
    if (r >= e[law->count - 1].reach) return law->count;
    unsigned long long bits;
    memcpy(&bits, &r, sizeof bits);
    bits -= law->first_bin;
    const int* bin = &law->bins[bits >> law->bin_shift];
    int first = bin[0], end = bin[1];
    if (end - first <= 2 * NEAR) return first + count_up_to(e + first, end - first, r);
    double share = (double)(bits & ((1ULL << law->bin_shift) - 1)) / law->bin_width;
    int guess = first + (int)(share * (end - first)), step = 1, low = guess, high = guess + 1;
    while (low > first && e[low].reach > r) low -= step *= 4;
    while (high < end && e[high].reach <= r) high += step *= 4;
    if (low < first) low = first;
    if (high > end) high = end;
    return low + count_up_to(e + low, high - low, r);
}

static const ss_reversal* last_reversal(const ss_maxwell_state* state)
{
    return state->depth > 0 ? &state->reversals[state->depth - 1] : NULL;
}

// Reach of the elements that slip, among those that remember `from` (NULL: those that never slipped), when a
// motion in the present direction has come to y.
static double slipping_reach(const ss_maxwell_state* state, const ss_reversal* from, double y)
{
    int direction = state->direction;
    if (from && from->direction == direction) return direction * (y - from->y) >= 0.0 ? INFINITY : 0.0;
    if (from) return 0.5 * (direction * (y - from->y));
    double share = 1.0 - direction * state->saturation, way = direction * (y - state->start);
    if (way < 0.0) return 0.0;
    return share > 0.0 ? way / share : INFINITY;
}

static bool is_wiped_out(const ss_maxwell_state* state, int p, double y)
{
    return slipping_reach(state, &state->reversals[p], y) >= state->reversals[p].last;
}

// The outermost reversal that a motion to y wipes out, or depth: the search widens from the innermost,
// because most motions are small.
static int first_wiped_out(const ss_maxwell_state* state, double y)
{
    int high = state->depth, low = high, step = 1; // those from `high` on are wiped out
    while (low > 0) {
        low = low > step ? low - step : 0;
        if (!is_wiped_out(state, low, y)) break;
        high = low;
        step *= 2;
    }
    if (high == low) return high;
    for (low++; low < high;) {
        int middle = low + (high - low) / 2;
        if (is_wiped_out(state, middle, y))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

// Everything that slips on the way to y, in the present direction.
static void advance(const ss_maxwell_slip* law, ss_maxwell_state* state, double y)
{
    int wiped = first_wiped_out(state, y);
    if (wiped < state->depth) state->slipped = state->reversals[wiped].slipped;
    state->depth = wiped;
    const ss_reversal* from = last_reversal(state);
    state->y = y;
    if (from && from->direction == state->direction) return;
    int slips = count_within(law, slipping_reach(state, from, y)), room = from ? from->slipped : law->count;
    if (slips > room) slips = room;
    if (slips > state->slipped) state->slipped = slips;
}

// Force of all elements, against positive y.
static double pull(const ss_maxwell_slip* law, const ss_maxwell_state* state)
{
    const ss_reversal* from = last_reversal(state);
    const ss_maxwell_element* next = &law->elements[state->slipped];
    if (from)
        return from->force + (state->direction - from->direction) * next->slip +
               next->hold * (state->y - from->y);
    return state->saturation * (law->elements[law->count].slip - next->slip) +
           next->hold * (state->y - state->start) + state->direction * next->slip;
}

// ---- elements that share no history: each has its own play, y - r <= x <= y + r

static double pull_apart(const ss_maxwell_slip* law, const ss_maxwell_state* state)
{
    double sum = 0.0;
    for (int j = 0; j < law->count; j++) sum += law->stiffness[j] * (state->y - state->apart[j]);
    return sum;
}

static bool slips_apart(const ss_maxwell_slip* law, const ss_maxwell_state* state, int j)
{
    return state->direction != 0 && state->apart[j] == state->y - state->direction * law->elements[j].reach;
}

// From the swing on that makes all slip one way, they share all that follows.
static void join(const ss_maxwell_slip* law, ss_maxwell_state* state)
{
    for (int j = 0; j < law->count; j++)
        if (!slips_apart(law, state, j)) return;
    state->apart = NULL;
    state->depth = 0;
    state->start = state->y;
    state->saturation = state->direction;
    state->slipped = law->count;
}

static void advance_apart(const ss_maxwell_slip* law, ss_maxwell_state* state, double y)
{
    for (int j = 0; j < law->count; j++)
        state->apart[j] = fmax(y - law->elements[j].reach, fmin(y + law->elements[j].reach, state->apart[j]));
    state->y = y;
    join(law, state);
}

// ---- public

void ss_maxwell_slip_start(const ss_maxwell_slip* law, ss_maxwell_state* state, ss_reversal reversals[],
                           double y, double saturation)
{
    (void)law;
    *state = (ss_maxwell_state){.y = y, .reversals = reversals, .start = y, .saturation = saturation};
}

void ss_maxwell_slip_start_apart(const ss_maxwell_slip* law, ss_maxwell_state* state, ss_reversal reversals[],
                                 double apart[], double y, const double deflections[])
{
    ss_maxwell_slip_start(law, state, reversals, y, 0.0);
    state->apart = apart;
    for (int j = 0; j < law->count; j++)
        apart[j] =
            y - fmax(-law->elements[j].reach, fmin(law->elements[j].reach, deflections[law->place[j]]));
}

void ss_maxwell_slip_turn(const ss_maxwell_slip* law, ss_maxwell_state* state, int direction)
{
    if (direction == state->direction) return;
    if (!state->apart && state->slipped > 0) {
        ss_reversal here = {state->y, pull(law, state), law->elements[state->slipped - 1].reach,
                            state->slipped, state->direction};
        state->reversals[state->depth++] = here;
    }
    state->slipped = 0;
    state->direction = direction;
    if (!state->apart) advance(law, state, state->y); // what stands at its limit already
}

double ss_maxwell_slip_force(const ss_maxwell_slip* law, const ss_maxwell_state* state)
{
    return -(state->apart ? pull_apart(law, state) : pull(law, state));
}

double ss_maxwell_slip_move(const ss_maxwell_slip* law, ss_maxwell_state* state, double y)
{
    if (!isfinite(y)) return NAN;
    if (y != state->y) {
        ss_maxwell_slip_turn(law, state, y > state->y ? 1 : -1);
        if (state->apart)
            advance_apart(law, state, y);
        else
            advance(law, state, y);
    }
    return ss_maxwell_slip_force(law, state);
}

double ss_maxwell_slip_step(const ss_maxwell_slip* law, ss_maxwell_state* state, double v, double dt)
{
    return ss_maxwell_slip_move(law, state, state->y + v * dt);
}

// Energy of the elements from `first` to `end`, deflected by share r + shift each.
static double band_energy(const ss_maxwell_slip* law, int first, int end, double share, double shift)
{
    double slip = law->elements[end].slip - law->elements[first].slip;
    double hold = law->elements[first].hold - law->elements[end].hold;
    return share * share * (law->elements[end].store - law->elements[first].store) + share * slip * shift +
           0.5 * hold * shift * shift;
}

double ss_maxwell_slip_energy(const ss_maxwell_slip* law, const ss_maxwell_state* state)
{
    double energy = 0.0;
    if (state->apart) {
        for (int j = 0; j < law->count; j++) {
            double reach = law->elements[j].reach, deflection = state->y - state->apart[j];
            deflection = fmax(-reach, fmin(reach, deflection));
            energy += 0.5 * law->stiffness[j] * deflection * deflection;
        }
        return energy;
    }
    int first = state->slipped;
    energy = law->elements[first].store;
    for (int p = state->depth - 1; p >= 0; p--) {
        const ss_reversal* from = &state->reversals[p];
        energy += band_energy(law, first, from->slipped, from->direction, state->y - from->y);
        first = from->slipped;
    }
    return energy + band_energy(law, first, law->count, state->saturation, state->y - state->start);
}

void ss_maxwell_slip_deflections(const ss_maxwell_slip* law, const ss_maxwell_state* state, double out[])
{
    int p = state->depth - 1, first = state->slipped;
    for (int j = 0; j < law->count; j++) {
        double* to = &out[law->place[j]];
        while (p >= 0 && j >= state->reversals[p].slipped) p--;
        if (state->apart)
            *to = fmax(-law->elements[j].reach, fmin(law->elements[j].reach, state->y - state->apart[j]));
        else if (j < first)
            *to = state->direction * law->elements[j].reach;
        else if (p >= 0)
            *to = state->reversals[p].direction * law->elements[j].reach + (state->y - state->reversals[p].y);
        else
            *to = state->saturation * law->elements[j].reach + (state->y - state->start);
    }
}

// ---- branches

static ss_maxwell_branch branch_apart(const ss_maxwell_slip* law, const ss_maxwell_state* state)
{
    int direction = state->direction;
    ss_maxwell_branch branch = {.force = direction * pull_apart(law, state), .length = INFINITY};
    for (int j = 0; j < law->count; j++) {
        if (slips_apart(law, state, j)) {
            branch.slip += law->stiffness[j] * law->elements[j].reach;
            continue;
        }
        branch.stiffness += law->stiffness[j];
        double left = law->elements[j].reach - direction * (state->y - state->apart[j]);
        branch.length = fmin(branch.length, fmax(left, 0.0));
    }
    return branch;
}

ss_maxwell_branch ss_maxwell_slip_branch(const ss_maxwell_slip* law, const ss_maxwell_state* state)
{
    if (state->apart) return branch_apart(law, state);
    int direction = state->direction, s = state->slipped;
    const ss_reversal* from = last_reversal(state);
    ss_maxwell_branch branch = {direction * pull(law, state), law->elements[s].hold, law->elements[s].slip,
                                INFINITY};
    if (s == law->count) return branch;
    double way;
    if (from && from->direction == direction)
        way = direction * (from->y - state->y);
    else if (from)
        way = 2.0 * law->elements[s].reach - direction * (state->y - from->y);
    else
        way = (1.0 - direction * state->saturation) * law->elements[s].reach -
              direction * (state->y - state->start);
    branch.length = fmax(way, 0.0);
    return branch;
}

static void yield_apart(const ss_maxwell_slip* law, ss_maxwell_state* state)
{
    double length = branch_apart(law, state).length;
    for (int j = 0; j < law->count; j++) {
        double left = law->elements[j].reach - state->direction * (state->y - state->apart[j]);
        if (left <= length) state->apart[j] = state->y - state->direction * law->elements[j].reach;
    }
    join(law, state);
}

void ss_maxwell_slip_yield(const ss_maxwell_slip* law, ss_maxwell_state* state)
{
    const ss_reversal* from = last_reversal(state);
    int room = from ? from->slipped : law->count;
    if (state->apart) {
        yield_apart(law, state);
        return;
    }
    if (state->slipped == law->count) return;
    if (from && from->direction == state->direction) {
        state->slipped = room;
    } else {
        int slips = count_within(law, law->elements[state->slipped].reach);
        state->slipped = slips < room ? slips : room;
    }
    if (from && state->slipped == room) state->depth--;
    advance(law, state, state->y); // others may be at their limit too
}
