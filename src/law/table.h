// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One law is one row: what the reader, the model and the engine may ask of a law stands in one constant
// struct in the law's own file. The rows are listed in table.c by their ss_law_kind; whoever adds a law adds
// its file, its row there, and its name to that enumeration.
#ifndef SLIPSTICK_LAW_TABLE_H
#define SLIPSTICK_LAW_TABLE_H

#include "core/pool.h"
#include "law/along.h"
#include "law/law_description.h"
#include "law/stop.h"
#include "slipstick/law.h"

#include <math.h>
#include <stddef.h>

/// What stands under a key of a model file, and in which unit. The row of a contact is a length or an angle;
/// the units here are those of a length.
typedef enum ss_key_form {
    SS_KEY_PLAIN,     ///< a number without unit
    SS_KEY_FORCE,     ///< N
    SS_KEY_STIFFNESS, ///< N/m
    SS_KEY_DAMPING,   ///< N*s/m
    SS_KEY_LENGTH,    ///< m
    SS_KEY_SPEED,     ///< m/s
    SS_KEY_PER_SPEED, ///< s/m
    SS_KEY_GROWTH,    ///< N/s
    SS_KEY_POWER,     ///< N/m^n, with n the number under the key `exponent`, which is read before
    SS_KEY_SIDE, ///< `above: X` or `below: X`: the struct of the law begins with a position and an int, side
    SS_KEY_LEVELS,   ///< the friction of ss_coulomb, by `friction` or by `mu` and `normal`
    SS_KEY_TENSIONS, ///< the friction of ss_coulomb of a rope on a drum, by `mu`, `angle` and two tensions
    SS_KEY_ELEMENTS, ///< stiffness and breakaway force of many elements: an ss_maxwell_def
    SS_KEY_SHARES,   ///< stiffness and share of many elements: the struct begins as ss_gms does
    SS_KEY_CURVE,    ///< levels over the speed, and at rest: an ss_curve
    SS_KEY_NORMAL,   ///< N: the normal force, 1 in the law where it varies and stands beside it
    SS_KEY_FLAG,     ///< true or false: a bool
    SS_KEY_PART,     ///< read together with a key before it
} ss_key_form;

/// Which numbers are admissible, besides being finite.
typedef enum ss_key_range {
    SS_RANGE_ANY,
    SS_RANGE_NOT_NEGATIVE,
    SS_RANGE_POSITIVE,
    SS_RANGE_FROM_ONE, ///< at least 1
    SS_RANGE_SHARE,    ///< from 0 to 1
} ss_key_range;

typedef struct ss_key {
    const char* name;
    ss_key_form form;
    size_t place; ///< offset of its double in the struct of the law; not of SIDE, LEVELS, ELEMENTS, PART
    ss_key_range range; ///< of a number
    bool optional;
    double standard;     ///< value of an optional key that is not given
    const char* floor;   ///< key before this one whose number this one must not be below, and which is its
                         ///< value where it is optional and not given; NULL: none
    const char* reason;  ///< why its range is as it is, told with the fault; may be NULL
    const char* missing; ///< what is expected, told where a needed one is not given; NULL: a number
} ss_key;

/// A contact at a point of its motion, in one mode.
typedef struct ss_law_point {
    double y;    ///< m: way gone since the step began; of a stop that gives way, its penetration, < 0 beyond
                 ///< the touch
    double v;    ///< m/s: v_A - v_B
    double sign; ///< +1 or -1: that of v in this mode, also where a node lies beyond a reversal, so
                 ///< that formulas stay smooth
    double z;    ///< m: deflection of the bristles
    int branch;  ///< of a stop that gives way: which of its formulas holds
    const ss_along* along; ///< the step, of laws with a memory or several branches
    const double* fall;    ///< what the law answered there, or NULL: see ss_response
} ss_law_point;

/// What a law answers there, with derivatives.
typedef struct ss_response {
    double force;                     ///< N, on A
    double rate;                      ///< m/s: z'
    double force_y, force_v, force_z; ///< N/m, N*s/m, N/m
    double rate_v, rate_z;            ///< 1, 1/s
    double load, per_load; ///< of a contact under a normal force that varies: that, and force per newton of
                           ///< it; the law itself does not look at them
    double fall; ///< of a law that says so: what is left of its static level, which by_numbers needs, too
} ss_response;

/// What the deflection of bristles does near rest: z' = share v, but for what grows with the motion.
typedef struct ss_law_near_rest {
    double share[2];     ///< of v > 0 and of v < 0
    double off;          ///< |z' - share v| <= off |v|
    double off_a, off_v; ///< 1, 1/s: |z'' - share v'| <= off_a |v'| + off_v |v|; 0 where sigma1 is
} ss_law_near_rest;

/// The change dz of a state in a measure p of its own, dz = scale p + offset, in which it stays smooth where
/// rate_z grows beyond all bounds: p' = rate_v dv + rate.
typedef struct ss_law_measure {
    double scale, offset; ///< 1; m: what the change of the law's numbers does at once
    double rate_v, rate;  ///< 1; m/s: of p, by the speed and by these numbers
} ss_law_measure;

typedef struct ss_law ss_law;

/// What a law is made with.
typedef struct ss_law_making {
    ss_pool* pool;
    const struct ss_scope* scope; ///< names that expressions may use
    ss_dimension force, speed;    ///< of the contact: N and m/s, or N*m and 1/s
    const ss_law** row;           ///< its row: a law that the user wrote has one of its own
} ss_law_making;

/// The levels of a force that is free within bounds (N, >= 0): right after it starts to slip forward (v > 0)
/// and backward, and while it holds against either. A stop has only those it holds with.
typedef enum ss_level { SS_FORWARD, SS_BACKWARD, SS_STATIC_FORWARD, SS_STATIC_BACKWARD, SS_LEVELS } ss_level;

/// One element of a law with several: how its number changes, what it does to the force, and what is left
/// before it slips.
typedef struct ss_element_response {
    double rate, rate_v, rate_z; ///< of its number, per s; by the speed, by itself
    double pull;                 ///< N per unit of it: its share of the force on A
    double room, room_v, room_z; ///< in the unit of its number; by the speed, by itself
} ss_element_response;

/// The same along a step. While it sticks its number z changes by stretch v, while it slips by more than v
/// tells: dz' = rate_v dv + rate_z dz.
typedef struct ss_element_slopes {
    bool slips; ///< rate_v and rate_z count, and not stretch
    double pull, stretch;
    double z[SS_ALONG + 1];
    double rate_v[SS_ALONG], rate_z[SS_ALONG];
} ss_element_slopes;

/// Energies of a law at s of a step. What it does not tell is 0.
typedef struct ss_law_energies {
    double stored; ///< J
    double loss;   ///< W, at the speed v that is asked for
    double lost;   ///< J: since the step began, of a law that loses by the way and not by the time
    bool works;    ///< the law knows the work done on it since the step began better than quadrature:
    double work, work_size; ///< J: that, and the magnitudes of its terms
} ss_law_energies;

/// What is known of a law without a motion. NaN: nothing is, or there is no such number.
typedef struct ss_law_facts {
    /// Of a law that holds or stops, see ss_level. Where they vary in time these are the first.
    double levels[SS_LEVELS];
    /// Of dry friction: what its level never falls below while it slips forward and backward, and what it
    /// has beyond that in proportion to the speed, at least (N, N*s/m).
    double least[2], viscous;
    double steady;    ///< |z| of steady sliding at the speed that is asked for; m, where it is a deflection
    double limit;     ///< N: the force that steady sliding at that speed tends to
    double stiffness; ///< N/m: of z
    double damping;   ///< N*s/m: of z'
    double start;     ///< where a state begins that does not begin at 0
    double reach;     ///< m: a displacement at which all elements slip
    int events;       ///< event functions besides v = 0
    ss_stop stop;     ///< of a stop that gives way
} ss_law_facts;

typedef struct ss_formula_point ss_formula_point;
typedef struct ss_formula_answer ss_formula_answer;

// The functions of a law, by their types; `law` is always its struct in a model, `def` that of a definition.

typedef ss_status ss_law_make_fn(const void* def, void* law, const ss_law_making* with, ss_error* err);

/// The physics of a law, see law/formula/formula.h.
typedef void ss_law_formula_fn(const void* law, const ss_formula_point* at, ss_formula_answer* out);

typedef void ss_law_facts_fn(const void* law, double v, ss_law_facts* out);
typedef void ss_law_at_fn(const void* law, const ss_law_point* point, ss_response* out);
typedef void ss_law_by_fn(const void* law, const void* change, const ss_law_point* point, double* force,
                          double* rate);
typedef bool ss_law_ends_fn(const void* law, const ss_along* along, double v, double moved);
typedef bool ss_law_measure_fn(const void* law, const void* change, const ss_law_point* point,
                               ss_law_measure* out);
typedef void ss_law_near_rest_fn(const void* law, double z, double dz, double v, ss_law_near_rest* out);
typedef double ss_law_smooth_fn(const void* law, double u, double tolerance);
typedef bool ss_law_walk_fn(const void* law, const double x[], int count, double out[]);

typedef double ss_law_series_fn(const void* law, ss_along* along, int k);
typedef double ss_law_step_bound_fn(const void* law, const ss_along* along, int order, double least,
                                    double h);
typedef bool ss_law_alone_fn(const void* law, ss_along* along, const ss_law_mass* mass, int from, int last);
typedef void ss_law_update_fn(const void* law, ss_along* along, int from, int last);
typedef bool ss_law_slopes_fn(const void* law, const ss_along* along, int last, ss_along_slopes* out);
typedef bool ss_law_by_numbers_fn(const void* law, const void* change, const ss_along* along, int last,
                                  double force[], double rate[]);

typedef int ss_law_event_fn(const void* law, const ss_along* along, int which, int order,
                            const double power[], double c[]);
typedef int ss_law_bounds_fn(const void* def, double most[]);
typedef void ss_law_element_fn(const void* law, const ss_law_point* point, int i, bool slips,
                               ss_element_response* out);
typedef bool ss_law_element_slopes_fn(const void* law, const ss_along* along, int last,
                                      ss_element_slopes out[]);
typedef bool ss_law_element_by_fn(const void* law, const void* change, const ss_along* along,
                                  const ss_element_slopes slopes[], int last, double* const rate[]);
typedef int ss_law_elements_at_fn(const void* law, const ss_along* along, int last, double s, double out[],
                                  bool slips[]);

typedef void ss_law_prepare_fn(const ss_law* row, const void* law, ss_along* along, ss_pool* pool);
typedef void ss_law_begin_fn(const void* law, ss_along* along, const ss_bristle_start* start, double y,
                             double v);
typedef void ss_law_arrive_fn(const void* law, ss_along* along, double y, double rounding);
typedef void ss_law_turn_fn(const void* law, ss_along* along, bool rested);
typedef void ss_law_commit_fn(const void* law, ss_along* along, int last, double s);

typedef void ss_law_energies_fn(const void* law, const ss_along* along, int last, double s, double v,
                                ss_law_energies* out);

/// How a law is read and made.
typedef struct ss_law_keys {
    const ss_key* list; ///< in the order they are read, ended by one without a name
    /// Checks a definition; where `with` is given it makes the law of a model as well, which is a copy of the
    /// definition until then. Laws that need more than their numbers are checked only there.
    ss_law_make_fn* make;
} ss_law_keys;

/// A law at a point of its motion.
typedef struct ss_law_points {
    /// Force and rate while it slips or, of a stop, is closed: the one place where its physics stands. NULL
    /// where that takes more than a point: levels that vary in time (Coulomb), a force that is whatever holds
    /// (rigid stop).
    ss_law_at_fn* at;
    /// How force and rate change there with the numbers of the law: `change` is a struct of the law with how
    /// each of its numbers does. Of laws that are a copy of their definition; NULL: neighbours are asked.
    ss_law_by_fn* by_numbers;
    /// See ss_law_measure; change as of by_numbers, or NULL: nothing changes. False where dz itself is
    /// smooth.
    ss_law_measure_fn* measure;
    /// Whether the formulas of this mode end before the speed v, or before the way `moved` (m, along the row)
    /// since the step began; NULL: they never do.
    ss_law_ends_fn* ends;
    /// Of a law without states whose force in one direction is one analytic function of the speed alone from
    /// rest up to a speed that is returned (m/s; INFINITY: everywhere), u = |v| being the present one; beyond
    /// that speed the force is affine in it, to the tolerance. 0: not known at u. NULL: nowhere.
    ss_law_smooth_fn* smooth;
    /// See ss_law_near_rest: about a rest at z, while z stays within dz of it and |v| is at most v.
    ss_law_near_rest_fn* near_rest;
} ss_law_points;

/// A law along a step, where its force depends on the speed or on states.
typedef struct ss_law_steps {
    /// Coefficient k of the force on A; v is known up to k and the state z up to k, which receives its
    /// coefficient k + 1.
    ss_law_series_fn* next;
    /// The part of h on which the series are good, coefficients up to order - 1 being known; least: rounding
    /// of the time, s. NULL: all of it, as far as the decay of the coefficients tells.
    ss_law_step_bound_fn* step_bound;
    /// Coefficients `from` .. last of a motion of one mass, where the law has a faster way; false where it
    /// has not. NULL: never.
    ss_law_alone_fn* alone;
    /// v and z have become known by other means, up to coefficient last: what else the event functions need.
    ss_law_update_fn* update;
    /// The series of the step are known up to coefficient last of v and last + 1 of z: how force and rate
    /// change with v and z, up to coefficient last. False where these are no power series of use. NULL: never
    /// known.
    ss_law_slopes_fn* slopes;
    /// The same by the numbers of the law: `change` is a struct of the law with how each of its numbers
    /// changes. What the change of the rate does to the force (by_rate) is not included. Of laws that are a
    /// copy of their definition.
    ss_law_by_numbers_fn* by_numbers;
} ss_law_steps;

/// Events other than v = 0; NULL where there are none.
typedef struct ss_law_events {
    int count; ///< how many, where the facts of a law do not tell
    /// Event function number `which`, positive on the step: coefficients
    /// c[k] times power[k]. Returns its degree; -1 where it cannot vanish now.
    ss_law_event_fn* function;
} ss_law_events;

/// Of laws with elements.
typedef struct ss_law_elements {
    const char* word;         ///< what answers and starts call their numbers
    const char* most_word;    ///< what bounds them: "reach"
    bool force;               ///< N and not m
    ss_law_bounds_fn* bounds; ///< how many, and the magnitudes that they cannot exceed (most may be NULL),
                              ///< by the definition; NULL: the law has none
    /// One number per element at s, and whether it slips on this step: how many. out, slips may be NULL.
    ss_law_elements_at_fn* now;
    ss_law_element_fn* at; ///< element i at v, sign and z of the point
    /// All of them along the step, whose series are known: up to coefficient last, and last + 1 of z. False,
    /// NULL: as for ss_law_steps.
    ss_law_element_slopes_fn* slopes;
    /// How the rates of those that slip change with the numbers of the law, of each; NULL where they do not.
    ss_law_element_by_fn* by_numbers;
    /// Of the law alone: the force on A after each of the displacements x (m), passed slowly one after the
    /// other from a start without force; false without memory.
    ss_law_walk_fn* walk;
} ss_law_elements;

/// What a law keeps from step to step, and when; NULL where it does nothing.
typedef struct ss_law_memory {
    /// Takes along->own from the pool, which says whether there was room. What points into the law there is
    /// set before it is used: a run that was loaded has another model.
    ss_law_prepare_fn* prepare;
    bool at_points;         ///< who asks the law at a point needs that room, too, also where there is no step
    const size_t* pointers; ///< where in that room pointers to it stand; NULL: nowhere
    int pointer_count;
    /// The run starts at position y (m) with velocity v; start: of bristles, else NULL.
    ss_law_begin_fn* begin;
    /// A step begins at y, known to `rounding`; along->yields says that an event of the law ended the last.
    ss_law_arrive_fn* arrive;
    ss_law_turn_fn* turn; ///< along->sign has been decided; rested: v has been 0 since it was last
    /// The step ends at s: states other than z[0] become those of the next; v and z of degree last.
    ss_law_commit_fn* commit;
} ss_law_memory;

/// The state of a law that is one formula. All of it may be missing: a deflection z (m) that starts at 0.
typedef struct ss_law_state_row {
    const char* word;         ///< what starts call it: "theta"
    const ss_dimension* unit; ///< of one that is no deflection
} ss_law_state_row;

/// A law, as the rest of the program knows it.
struct ss_law {
    const char* name;
    unsigned traits; ///< of ss_law_trait
    size_t size;     ///< of its struct in a definition
    ss_law_keys keys;
    ss_law_formula_fn* formula; ///< of a law that is one: what follows from it is SS_BY_FORMULA; or NULL
    ss_law_state_row state;
    ss_law_facts_fn* facts; ///< see ss_law_ask; NULL: nothing is known
    ss_law_points point;
    ss_law_steps series;
    ss_law_events events;
    ss_law_elements elements;
    ss_law_memory memory;
    ss_law_energies_fn* energies; ///< at s of the step, where v and z are of degree last
    ss_law_description report;    ///< what it says of itself; all of it but `doubt` is needed
};

/// The row of a law, or NULL where there is no such law.
const ss_law* ss_law_entry(ss_law_kind kind);
// Rows that others build on.
extern const ss_law ss_coulomb_law, ss_lugre_law, ss_own_law, ss_backlash_law;

/// Whether a law is two others under one name, and its row has nothing else but what it tells.
static inline bool ss_law_is_two(const ss_law* row) { return row == &ss_backlash_law; }
/// Of such a law: writes the struct of half 0 or 1 to out, and says which law it is (backlash.c).
ss_law_kind ss_law_half(const void* def, int half, void* out);

/// What is known of a law, at speed v; NaN: what depends on no speed.
static inline ss_law_facts ss_law_ask(const ss_law* row, const void* law, double v)
{
    ss_law_facts out = {.levels = {NAN, NAN, NAN, NAN},
                        .least = {NAN, NAN},
                        .viscous = NAN,
                        .steady = NAN,
                        .limit = NAN,
                        .stiffness = NAN,
                        .damping = NAN,
                        .start = NAN,
                        .reach = NAN,
                        .events = row->events.count};
    if (row->facts) row->facts(law, v, &out);
    return out;
}
/// Where its state begins: at z; else, NaN, with a share of steady sliding at v, else where it is born.
static inline double ss_law_start_of(const ss_law* row, const void* law, double z, double share, double v)
{
    ss_law_facts facts = ss_law_ask(row, law, share != 0.0 ? v : NAN);
    if (share != 0.0 && !isnan(facts.steady)) return share * facts.steady;
    return !isnan(z) ? z : isnan(facts.start) ? 0.0 : facts.start;
}
/// How many laws there are: kinds 0, 1, .. below it.
int ss_law_count(void);

#endif
