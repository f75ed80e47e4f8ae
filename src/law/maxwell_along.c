// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Maxwell-slip along a step: what its elements remember, and the branch ahead. With few elements the branch
// is followed piece by piece, each linear. Where thousands of them slip one after the other, the force along
// it is a function that each of them bends by next to nothing: it is taken as the polynomial through a few
// points of the closed form, if that is as exact between these points as the tolerance asks for. The distance
// of a polygon of N pieces from a smooth curve falls like 1/N^2.
#include "core/algebra/polynomial.h"
#include "core/algebra/product.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "law/table.h"
#include "share/law.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { DEGREE = 6, LEAST = 4096, TRIES = 8, MOST_ALONG = 64 };

// Room of its own: memory, the branch from the start of the step on, and whether so many elements slip ahead
// that the branch is a polynomial with these coefficients in way/branch.length.
typedef struct maxwell {
    ss_maxwell_state memory;
    ss_maxwell_branch branch;
    bool smooth;
    double curve[DEGREE + 1];
    ss_reversal reversals[]; // one per element; after them room for those that start apart
} maxwell;

static const size_t pointers[] = {offsetof(maxwell, memory.reversals), offsetof(maxwell, memory.apart)};

static void prepare(const ss_law* row, const void* self, ss_along* along, ss_pool* pool)
{
    const ss_maxwell_slip* law = self;
    size_t count = (size_t)law->count;
    (void)row;
    along->own = ss_pool_new(
        pool, 1, sizeof(maxwell) + count * sizeof(ss_reversal) + (along->apart ? count * sizeof(double) : 0));
}

static void begin(const void* self, ss_along* along, const ss_bristle_start* start, double y, double v)
{
    const ss_maxwell_slip* law = self;
    maxwell* own = along->own;
    (void)v;
    double* apart = (double*)(own->reversals + law->count); // there where deflections are given
    if (start->elements)
        ss_maxwell_slip_start_apart(law, &own->memory, own->reversals, apart, y, start->elements);
    else
        ss_maxwell_slip_start(law, &own->memory, own->reversals, y,
                              isnan(start->saturation) ? 0.0 : start->saturation);
}

// Force against the direction after a way along the branch: reversals are only wiped out on it, so a copy may
// go there.
static double force_after(const ss_maxwell_slip* law, const maxwell* own, double way, int* slipped)
{
    ss_maxwell_state there = own->memory;
    double force = -there.direction * ss_maxwell_slip_move(law, &there, there.y + there.direction * way);
    *slipped = there.slipped;
    return force;
}

// How far the branch has no corner: to the last reversal that it can wipe out, or to where all elements slip.
static double way_to_corner(const ss_maxwell_slip* law, const ss_maxwell_state* memory)
{
    int direction = memory->direction;
    if (memory->depth == 0)
        return (1.0 - direction * memory->saturation) * law->most - direction * (memory->y - memory->start);
    const ss_reversal* from = &memory->reversals[memory->depth - 1];
    double moved = direction * (memory->y - from->y);
    return from->direction == direction ? -moved : 2.0 * law->reach[from->slipped - 1] - moved;
}

// Divided differences over equidistant points of [0, 1], turned into powers.
static void interpolate(const double value[DEGREE + 1], double c[DEGREE + 1])
{
    double difference[DEGREE + 1];
    for (int i = 0; i <= DEGREE; i++) difference[i] = value[i];
    for (int order = 1; order <= DEGREE; order++)
        for (int i = DEGREE; i >= order; i--)
            difference[i] = (difference[i] - difference[i - 1]) * DEGREE / order;
    for (int i = 0; i <= DEGREE; i++) c[i] = 0.0;
    for (int i = DEGREE; i >= 0; i--) { // c <- c (u - i/DEGREE) + difference_i
        for (int k = DEGREE; k >= 1; k--) c[k] = c[k - 1] - c[k] * i / DEGREE;
        c[0] = difference[i] - c[0] * i / DEGREE;
    }
}

// How far the polygon lies from a smooth curve where so many elements slip: a corner of k_j after a piece of
// this length.
static double sagitta(const ss_maxwell_slip* law, int slipped)
{
    if (slipped + 1 >= law->count) return 0.0;
    double piece = 2.0 * (law->reach[slipped + 1] - law->reach[slipped]);
    return 0.125 * law->stiffness[slipped] * piece;
}

// Whether the branch is smooth up to a way, and its polynomial. The places of the check have no common
// measure with the spacing of the elements.
static bool fit(const ss_maxwell_slip* law, maxwell* own, double way, double tolerance)
{
    static const double places[] = {0.0613, 0.1177, 0.2341, 0.3719, 0.4603,
                                    0.5897, 0.7069, 0.8233, 0.9131, 0.9787};
    double value[DEGREE + 1], error = tolerance * law->sums[law->count].slip;
    int slipped;
    for (int i = 0; i <= DEGREE; i++) value[i] = force_after(law, own, way * i / DEGREE, &slipped);
    if (slipped - own->memory.slipped < LEAST / 4) return false;
    interpolate(value, own->curve);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        double off = fabs(ss_poly_value(own->curve, 1, DEGREE, places[i]) -
                          force_after(law, own, way * places[i], &slipped));
        if (!(off <= error) || sagitta(law, slipped) > error) return false;
    }
    return true;
}

// The branch ahead: linear up to where the next element slips, or smooth.
static void look_ahead(const ss_maxwell_slip* law, maxwell* own, double tolerance)
{
    own->branch = ss_maxwell_slip_branch(law, &own->memory);
    own->smooth = false;
    if (law->count < LEAST || own->memory.apart || !isfinite(own->branch.length)) return;
    double way = way_to_corner(law, &own->memory);
    for (int round = 0; round < TRIES && way > own->branch.length && !own->smooth; round++) {
        own->smooth = fit(law, own, way, fmax(tolerance, SS_NOISE));
        if (own->smooth) own->branch.length = way;
        way *= 0.25;
    }
}

// Force against the direction after a way along the branch, and its derivative.
static double force_on_branch(const maxwell* own, double way, double* slope)
{
    *slope = own->branch.stiffness;
    if (!own->smooth) return own->branch.force + own->branch.stiffness * way;
    double force = ss_poly_both(own->curve, 1, DEGREE, way / own->branch.length, slope);
    *slope /= own->branch.length;
    return force;
}

// Elements that slip from the start on lose their breakaway force times the way; element j, from w_j = share
// r_j - moved on, times what is left of it. The sums of c_j and of c_j r_j are known.
static double lost_on_branch(const ss_maxwell_slip* law, const maxwell* own, double way)
{
    const ss_maxwell_state* memory = &own->memory;
    if (!own->smooth || !(way > 0.0)) return own->branch.slip * way;
    int direction = memory->direction, slipped;
    force_after(law, own, way, &slipped);
    const ss_reversal* from = memory->depth > 0 ? &memory->reversals[memory->depth - 1] : NULL;
    double share = from ? 2.0 : 1.0 - direction * memory->saturation;
    double moved = direction * (memory->y - (from ? from->y : memory->start));
    const ss_maxwell_sums *before = &law->sums[memory->slipped], *after = &law->sums[slipped];
    return before->slip * way + (after->slip - before->slip) * (way + moved) -
           2.0 * share * (law->store[slipped] - law->store[memory->slipped]);
}

// Horner's rule on series: each stage is the one before times u plus the next coefficient. The arrays are
// those that other laws need; there are as many as stages.
static double branch_coefficient(const maxwell* own, ss_along* along, double way, int k)
{
    if (!own->smooth) return k == 0 ? own->branch.force : own->branch.stiffness * way;
    double* const stages[DEGREE] = {along->z,    along->square, along->power,
                                    along->fall, along->pull,   along->slip};
    along->u[k] = k == 0 ? 0.0 : way / own->branch.length;
    for (int j = 0; j < DEGREE; j++) {
        double product = j == 0 ? own->curve[DEGREE] * along->u[k] : ss_product(stages[j - 1], along->u, k);
        stages[j][k] = product + (k == 0 ? own->curve[DEGREE - 1 - j] : 0.0);
    }
    return stages[DEGREE - 1][k];
}

static double series(const void* law, ss_along* along, int k)
{
    const maxwell* own = along->own;
    double way = k == 0 ? 0.0 : along->sign * along->v[k - 1] / k;
    if (own->memory.direction == 0) // the contact has never moved
        return k == 0 ? ss_maxwell_slip_force(law, &own->memory) : 0.0;
    return -own->memory.direction * branch_coefficient(own, along, way, k);
}

static void at(const void* law, const ss_law_point* point, ss_response* out)
{
    double slope, force = force_on_branch(point->along->own, point->sign * point->y, &slope);
    (void)law;
    *out = (ss_response){.force = -point->sign * force, .force_y = -slope};
}

// ---- where steps begin and end

static void arrive(const void* law, ss_along* along, double y, double rounding)
{
    maxwell* own = along->own;
    double close = rounding + 16.0 * DBL_EPSILON * fabs(own->branch.length);
    if (own->memory.direction * (y - own->memory.y) > 0.0) ss_maxwell_slip_move(law, &own->memory, y);
    while (along->yields && own->memory.direction != 0) {
        double left = ss_maxwell_slip_branch(law, &own->memory).length;
        if (!(left <= close)) break;
        ss_maxwell_slip_yield(law, &own->memory);
    }
    if (own->memory.direction != 0) look_ahead(law, own, along->tolerance);
}

static void turn(const void* law, ss_along* along, bool rested)
{
    maxwell* own = along->own;
    (void)rested;
    ss_maxwell_slip_turn(law, &own->memory, along->sign > 0.0 ? 1 : -1);
    look_ahead(law, own, along->tolerance);
}

static int event(const void* law, const ss_along* along, int which, int order, const double power[],
                 double c[])
{
    const maxwell* own = along->own;
    (void)law, (void)which;
    c[0] = own->branch.length;
    if (isinf(c[0])) return -1;
    for (int k = 1; k <= order; k++) c[k] = -along->sign * along->v[k - 1] / k * power[k];
    return order;
}

// ---- answers

// The elements at a time of the step: unless the branch is smooth, none slips on it that does not at its
// start.
static ss_maxwell_state elements_at(const ss_maxwell_slip* law, const ss_along* along, int last, double s)
{
    const maxwell* own = along->own;
    ss_maxwell_state moved = own->memory;
    if (s == 0.0) return moved;
    double y = moved.y + along->sign * ss_along_way(along, last, s);
    if (own->smooth && moved.direction * (y - moved.y) > 0.0) ss_maxwell_slip_move(law, &moved, y);
    moved.y = y;
    return moved;
}

static void energies(const void* law, const ss_along* along, int last, double s, double v,
                     ss_law_energies* out)
{
    const maxwell* own = along->own;
    ss_maxwell_state moved = elements_at(law, along, last, s);
    double way = ss_along_way(along, last, s), grows = 0.5 * own->branch.stiffness * way;
    (void)v;
    out->stored = ss_maxwell_slip_energy(law, &moved);
    out->lost = lost_on_branch(law, own, way);
    out->works = !own->smooth;
    out->work = way * (own->branch.force + grows);
    out->work_size = out->works ? fabs(way) * (fabs(own->branch.force) + fabs(grows)) : 0.0;
}

static int place_of(const ss_maxwell_slip* law, int i)
{
    int j = 0;
    while (law->place[j] != i) j++;
    return j;
}

static int elements(const void* self, const ss_along* along, int last, double s, double out[], bool slips[])
{
    const ss_maxwell_slip* law = self;
    ss_maxwell_state now = elements_at(law, along, last, s);
    if (out) ss_maxwell_slip_deflections(law, &now, out);
    for (int i = 0; i < law->count && slips; i++)
        slips[i] = !along->rests && along->sign * out[i] >= (1.0 - SS_CLEAR) * law->reach[place_of(law, i)];
    return law->count;
}

static void element_at(const void* self, const ss_law_point* point, int i, bool slipping,
                       ss_element_response* out)
{
    const ss_maxwell_slip* law = self;
    int j = place_of(law, i);
    *out = (ss_element_response){
        .pull = -law->stiffness[j], .room = law->reach[j] - point->sign * point->z, .room_z = -point->sign};
    if (slipping) return;
    out->rate = point->v;
    out->rate_v = 1.0;
}

static bool slopes_along(const void* self, const ss_along* along, int last, ss_element_slopes out[])
{
    const ss_maxwell_slip* law = self;
    const maxwell* own = along->own;
    double deflections[MOST_ALONG];
    bool slips[MOST_ALONG];
    if (own->smooth || law->count > MOST_ALONG) return false;
    elements(law, along, 0, 0.0, deflections, slips);
    for (int i = 0; i < law->count; i++) {
        ss_element_slopes* to = &out[i];
        to->slips = false; // where it does, nothing changes it
        to->pull = -law->stiffness[place_of(law, i)];
        to->stretch = slips[i] ? 0.0 : 1.0;
        to->z[0] = deflections[i];
        for (int k = 0; k <= last; k++) to->z[k + 1] = to->stretch * along->v[k] / (k + 1);
    }
    return true;
}

static void facts(const void* self, double v, ss_law_facts* out)
{
    const ss_maxwell_slip* law = self;
    (void)v; // the same at every speed
    out->limit = law->sums[law->count].slip;
    out->reach = law->most;
}

// ---- what it says of itself

static void report_numbers(const void* self, const ss_law_place* place, ss_law_said* to)
{
    const ss_maxwell_slip* law = self;
    (void)place;
    ss_law_say_flag(to, "passive", true);
    ss_law_say_number(to, "sigma2_threshold", NAN);
    ss_law_say_number(to, "damping_ratio", NAN);
    ss_law_say_number(to, "residual_amplitude", law->reach[0]);
    ss_law_say_number(to, "count", law->count);
    ss_law_say_number(to, "stiffness", law->sums[0].hold);
    ss_law_say_number(to, "breakaway", law->sums[law->count].slip);
}

static void report_words(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_maxwell_slip* law = self;
    double stiffness = law->sums[0].hold;
    ss_law_words_add(out, "%d element%s of %g %s/%s in all, slides against %g %s; passive", law->count,
                     law->count == 1 ? "" : "s", stiffness, place->unit, place->way,
                     law->sums[law->count].slip, place->unit);
    ss_law_words_add(out, "\n      swings of up to %g %s lose nothing: no element slips", law->reach[0],
                     place->way);
    if (isfinite(place->mass)) ss_law_words_add(out, " (%g rad/s)", sqrt(stiffness / place->mass));
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

// ---- from the definition

static int bounds(const void* def, double most[])
{
    const ss_maxwell_def* from = def;
    for (int i = 0; i < from->count && most; i++) most[i] = from->breakaway[i] / from->stiffness[i];
    return from->count;
}

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    const ss_maxwell_def* from = def;
    if (!with) return SS_OK;
    size_t size = ss_maxwell_slip_size(from->count);
    if (size == 0 || !from->stiffness || !from->breakaway)
        return ss_fail(err, SS_BAD_INPUT, "elements", "there must be at least one element");
    void* memory = ss_pool_new(with->pool, 1, size);
    if (!memory) return ss_fail_no_memory(err);
    return ss_maxwell_slip_make(from->stiffness, from->breakaway, from->count, memory, law, err);
}

// A Jenkins element is all of this with one element, which its keys tell.
static int bounds_of_jenkins(const void* def, double most[])
{
    const ss_jenkins* from = def;
    if (most) most[0] = from->breakaway / from->stiffness;
    return 1;
}

static ss_status make_jenkins(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    const ss_jenkins* from = def;
    if (!(from->stiffness > 0.0 && isfinite(from->stiffness)))
        return ss_fail(err, SS_BAD_INPUT, "stiffness", "must be positive, not %g", from->stiffness);
    if (!(from->breakaway > 0.0 && isfinite(from->breakaway)))
        return ss_fail(err, SS_BAD_INPUT, "breakaway", "must be positive, not %g", from->breakaway);
    return make(&(ss_maxwell_def){&from->stiffness, &from->breakaway, 1}, law, with, err);
}

static bool walk(const void* self, const double x[], int count, double out[])
{
    const ss_maxwell_slip* law = self;
    ss_maxwell_state state;
    ss_reversal* reversals = ss_new((size_t)law->count, sizeof *reversals);
    if (!reversals) return false;
    ss_maxwell_slip_start(law, &state, reversals, 0.0, 0.0);
    for (int k = 0; k < count; k++) out[k] = ss_maxwell_slip_move(law, &state, x[k]);
    free(reversals);
    return true;
}

// ---- the rows of the laws

static const ss_key keys[] = {{.name = "elements", .form = SS_KEY_ELEMENTS}, {.name = NULL}};

static const ss_key jenkins_keys[] = {
    {.name = "stiffness",
     .form = SS_KEY_STIFFNESS,
     .place = offsetof(ss_jenkins, stiffness),
     .range = SS_RANGE_POSITIVE},
    {.name = "breakaway",
     .form = SS_KEY_FORCE,
     .place = offsetof(ss_jenkins, breakaway),
     .range = SS_RANGE_POSITIVE},
    {.name = NULL},
};

// What holds for elements, however they are told.
#define ANY_ELEMENTS                                                                                         \
    .word = "deflections", .most_word = "reach", .now = elements, .at = element_at, .slopes = slopes_along,  \
    .walk = walk
#define ANY_ROW                                                                                              \
    .traits = SS_TRAIT_BRISTLES | SS_TRAIT_STEPWISE, .facts = facts, .point = {.at = at},                    \
    .series = {.next = series}, .events = {.count = 1, .function = event},                                   \
    .memory = {.prepare = prepare,                                                                           \
               .pointers = pointers,                                                                         \
               .pointer_count = sizeof pointers / sizeof *pointers,                                          \
               .begin = begin,                                                                               \
               .arrive = arrive,                                                                             \
               .turn = turn},                                                                                \
    .energies = energies, .report = {.say = report, .remembers = true}

const ss_law ss_maxwell_slip_law = {
    .name = "maxwell-slip",
    .size = sizeof(ss_maxwell_def),
    .keys = {.list = keys, .make = make},
    .elements = {ANY_ELEMENTS, .bounds = bounds},
    ANY_ROW,
};

const ss_law ss_jenkins_law = {
    .name = "jenkins",
    .size = sizeof(ss_jenkins),
    .keys = {.list = jenkins_keys, .make = make_jenkins},
    .elements = {ANY_ELEMENTS, .bounds = bounds_of_jenkins},
    ANY_ROW,
};
