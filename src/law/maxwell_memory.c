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
#include "share/law.h"
#include "slipstick/bristle.h"

#include <math.h>
#include <string.h>

// Number of elements, of the `count` first ones here, whose reach is at most r. Without branches: where r
// lies is not to be guessed.
static int count_up_to(const double reach[], int count, double r)
{
    const double* first = reach;
    while (count > 1) {
        int half = count / 2;
        first += first[half - 1] <= r ? half : 0;
        count -= half;
    }
    return (int)(first - reach) + (count == 1 && *first <= r ? 1 : 0);
}

// The same between two places, where it is likely near `guess`: the search widens from there.
static int count_around(const double reach[], int first, int end, int guess, double r)
{
    int step = 1, low = guess, high = guess + 1;
    while (low > first && reach[low] > r) low -= step *= 4;
    while (high < end && reach[high] <= r) high += step *= 4;
    if (low < first) low = first;
    if (high > end) high = end;
    return low + count_up_to(reach + low, high - low, r);
}

// Number of elements whose reach is at most r, and a bound below the reach of the last of them. The bin of r
// is known from its bits, the place there from the density; where that is certain no element is looked at, so
// that nothing waits for memory.
static int count_within(const ss_maxwell_slip* law, double r, double* low)
{
    *low = law->reach[0];
    if (r < law->reach[0]) return 0;
    if (r >= law->most) return law->count;
    unsigned long long bits;
    memcpy(&bits, &r, sizeof bits);
    const ss_maxwell_bin* bin = &law->bins[(bits - law->first_bin) >> law->bin_shift];
    int first = bin[0].first, end = bin[1].first;
    if (r < bin->reach) return first;
    *low = bin->reach;
    double ahead = (r - bin->reach) * (double)bin->density;
    int whole = (int)fmin(ahead, end - first - 1);
    double part = ahead - whole, margin = (double)bin->margin;
    if (part > margin && part < 1.0 - margin) return first + whole + 1;
    return count_around(law->reach, first, end, first + whole, r);
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

static bool is_wiped_out(const ss_maxwell_slip* law, const ss_maxwell_state* state, int p, double y)
{
    const ss_reversal* reversal = &state->reversals[p];
    double reach = slipping_reach(state, reversal, y);
    if (reach >= reversal->span) return true;
    return reach >= reversal->low && reach >= law->reach[reversal->slipped - 1];
}

// The outermost reversal that a motion to y wipes out, or depth: the search widens from the innermost,
// because most motions are small.
static int first_wiped_out(const ss_maxwell_slip* law, const ss_maxwell_state* state, double y)
{
    int high = state->depth, low = high, step = 1; // those from `high` on are wiped out
    while (low > 0) {
        low = low > step ? low - step : 0;
        if (!is_wiped_out(law, state, low, y)) break;
        high = low;
        step *= 2;
    }
    if (high == low) return high;
    for (low++; low < high;) {
        int middle = low + (high - low) / 2;
        if (is_wiped_out(law, state, middle, y))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

// Everything that slips on the way to y, in the present direction.
static void advance(const ss_maxwell_slip* law, ss_maxwell_state* state, double y)
{
    int wiped = first_wiped_out(law, state, y);
    if (wiped < state->depth) {
        state->slipped = state->reversals[wiped].slipped;
        state->low = state->reversals[wiped].low;
        state->span = state->reversals[wiped].span;
    }
    state->depth = wiped;
    const ss_reversal* from = last_reversal(state);
    state->y = y;
    if (from && from->direction == state->direction) return;
    double span = slipping_reach(state, from, y), low;
    int slips = count_within(law, span, &low), room = from ? from->slipped : law->count;
    if (slips > room) {
        slips = room;
        low = from->low;
    }
    if (slips <= state->slipped) return;
    state->slipped = slips;
    state->low = low;
    state->span = span;
}

// Force of all elements, against positive y.
static double pull(const ss_maxwell_slip* law, const ss_maxwell_state* state)
{
    const ss_reversal* from = last_reversal(state);
    const ss_maxwell_sums* next = &law->sums[state->slipped];
    if (from)
        return from->force + (state->direction - from->direction) * next->slip +
               next->hold * (state->y - from->y);
    return state->saturation * (law->sums[law->count].slip - next->slip) +
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
    return state->direction != 0 && state->apart[j] == state->y - state->direction * law->reach[j];
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
    state->low = 0.0;
    state->span = INFINITY;
}

static void advance_apart(const ss_maxwell_slip* law, ss_maxwell_state* state, double y)
{
    for (int j = 0; j < law->count; j++)
        state->apart[j] = fmax(y - law->reach[j], fmin(y + law->reach[j], state->apart[j]));
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
        apart[j] = y - fmax(-law->reach[j], fmin(law->reach[j], deflections[law->place[j]]));
}

// Remembers the present place, if any element slips, and turns.
static void turn(const ss_maxwell_slip* law, ss_maxwell_state* state, int direction)
{
    if (!state->apart && state->slipped > 0) {
        ss_reversal here = {state->y,    pull(law, state), state->low,
                            state->span, state->slipped,   state->direction};
        state->reversals[state->depth++] = here;
    }
    state->slipped = 0;
    state->low = state->span = 0.0;
    state->direction = direction;
}

void ss_maxwell_slip_turn(const ss_maxwell_slip* law, ss_maxwell_state* state, int direction)
{
    if (direction == state->direction) return;
    turn(law, state, direction);
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
        int direction = y > state->y ? 1 : -1;
        if (direction != state->direction) turn(law, state, direction);
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
    double slip = law->sums[end].slip - law->sums[first].slip;
    double hold = law->sums[first].hold - law->sums[end].hold;
    return share * share * (law->store[end] - law->store[first]) + share * slip * shift +
           0.5 * hold * shift * shift;
}

double ss_maxwell_slip_energy(const ss_maxwell_slip* law, const ss_maxwell_state* state)
{
    double energy = 0.0;
    if (state->apart) {
        for (int j = 0; j < law->count; j++) {
            double reach = law->reach[j], deflection = state->y - state->apart[j];
            deflection = fmax(-reach, fmin(reach, deflection));
            energy += 0.5 * law->stiffness[j] * deflection * deflection;
        }
        return energy;
    }
    int first = state->slipped;
    energy = law->store[first];
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
            *to = fmax(-law->reach[j], fmin(law->reach[j], state->y - state->apart[j]));
        else if (j < first)
            *to = state->direction * law->reach[j];
        else if (p >= 0)
            *to = state->reversals[p].direction * law->reach[j] + (state->y - state->reversals[p].y);
        else
            *to = state->saturation * law->reach[j] + (state->y - state->start);
    }
}

// ---- branches

static ss_maxwell_branch branch_apart(const ss_maxwell_slip* law, const ss_maxwell_state* state)
{
    int direction = state->direction;
    ss_maxwell_branch branch = {.force = direction * pull_apart(law, state), .length = INFINITY};
    for (int j = 0; j < law->count; j++) {
        if (slips_apart(law, state, j)) {
            branch.slip += law->stiffness[j] * law->reach[j];
            continue;
        }
        branch.stiffness += law->stiffness[j];
        double left = law->reach[j] - direction * (state->y - state->apart[j]);
        branch.length = fmin(branch.length, fmax(left, 0.0));
    }
    return branch;
}

ss_maxwell_branch ss_maxwell_slip_branch(const ss_maxwell_slip* law, const ss_maxwell_state* state)
{
    if (state->apart) return branch_apart(law, state);
    int direction = state->direction, s = state->slipped;
    const ss_reversal* from = last_reversal(state);
    ss_maxwell_branch branch = {direction * pull(law, state), law->sums[s].hold, law->sums[s].slip, INFINITY};
    if (s == law->count) return branch;
    double way;
    if (from && from->direction == direction)
        way = direction * (from->y - state->y);
    else if (from)
        way = 2.0 * law->reach[s] - direction * (state->y - from->y);
    else
        way = (1.0 - direction * state->saturation) * law->reach[s] - direction * (state->y - state->start);
    branch.length = fmax(way, 0.0);
    return branch;
}

static void yield_apart(const ss_maxwell_slip* law, ss_maxwell_state* state)
{
    double length = branch_apart(law, state).length;
    for (int j = 0; j < law->count; j++) {
        double left = law->reach[j] - state->direction * (state->y - state->apart[j]);
        if (left <= length) state->apart[j] = state->y - state->direction * law->reach[j];
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
        double low;
        int slips = count_within(law, law->reach[state->slipped], &low);
        state->slipped = slips < room ? slips : room;
    }
    state->low = state->span = law->reach[state->slipped - 1];
    if (from && state->slipped == room) state->depth--;
    advance(law, state, state->y); // others may be at their limit too
}
