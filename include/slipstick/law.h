// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Friction and stop laws. Each is a plain struct usable alone, without allocation, in a real-time loop.
// The force of a law is the one on body A; v is v_A - v_B.
//
//     ss_law_def law = {.kind = SS_LAW_LUGRE, .lugre = {1e5, 316.0, 0.4, 1.0, 1.5, 0.001, 2.0}};
//     double memory[8]; // ss_law_state_size tells how much
//     ss_law_state* state = (ss_law_state*)memory;
//     ss_status status = ss_law_start(&law, 0.0, NULL, state, &err);
//     while (status == SS_OK) force = ss_law_step(&law, state, speed(), 0.001);
#ifndef SLIPSTICK_LAW_H
#define SLIPSTICK_LAW_H

#include "slipstick/bristle.h"
#include "slipstick/signal.h"
#include "slipstick/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ss_law_kind {
    SS_LAW_COULOMB,
    SS_LAW_STRIBECK,
    SS_LAW_LUGRE,
    SS_LAW_DAHL,
    SS_LAW_MAXWELL_SLIP,
    SS_LAW_RIGID_STOP,
    SS_LAW_HUNT_CROSSLEY,
    SS_LAW_ELASTO_PLASTIC,
    SS_LAW_GMS,
    SS_LAW_CURVE,
    SS_LAW_ELASTIC_STOP,
    SS_LAW_JENKINS,
    SS_LAW_BACKLASH,
    SS_LAW_BOUC_WEN,
    SS_LAW_RATE_AND_STATE,
    SS_LAW_CAPSTAN, ///< dry friction of a rope on a drum: coulomb by a level that a model file makes
    SS_LAW_OWN      ///< written by the user, see ss_law_text
} ss_law_kind;

/// What kind of law it is: whoever treats laws alike asks for these, not for names.
typedef enum ss_law_trait {
    SS_TRAIT_HOLDS = 1,      ///< dry friction, set-valued at rest: its force is whatever holds
    SS_TRAIT_BRISTLES = 2,   ///< internal states and a definite force: it creeps or swings, and never sticks
    SS_TRAIT_Z = 4,          ///< bristles whose state is one deflection z
    SS_TRAIT_STOPS = 8,      ///< open or closed
    SS_TRAIT_GIVES_WAY = 16, ///< a stop with a definite force: it may be penetrated
    SS_TRAIT_LINEAR = 32,   ///< between events the equations of motion stay linear with constant coefficients
    SS_TRAIT_STEPWISE = 64, ///< they do, but there are inner events that switch the coefficients
    SS_TRAIT_MANY = 128,    ///< bristles of several states, one of which stands for those that slip
    SS_TRAIT_CURVED = 256,  ///< dry friction whose level is any function of the speed
    SS_TRAIT_LEVELS = 512,  ///< dry friction by levels that do not depend on the speed, but may on the time
    SS_TRAIT_RIGID = 1024,  ///< a stop that is struck: speeds jump
    SS_TRAIT_AGES = 2048,   ///< its state goes on while it stands still
    SS_TRAIT_OWN = 4096,    ///< written by the user
} ss_law_trait;

SS_API const char* ss_law_name(ss_law_kind law); ///< "coulomb", .. as in model files
SS_API bool ss_law_has(ss_law_kind law, ss_law_trait trait);

/// Dry friction, set-valued at rest. While v > 0 the force is -forward, while v < 0 it is +backward; at v = 0
/// it is whatever holds, between -static_forward and +static_backward. All in N (N*m between angular
/// bodies), >= 0, static at least the kinetic one.
typedef struct ss_coulomb {
    double forward, backward;
    double static_forward, static_backward;
} ss_coulomb;

/// The same level in both directions, static equal to kinetic.
SS_API ss_coulomb ss_coulomb_make(double friction);

/// Friction that falls with speed: coulomb + (static - coulomb) exp(-(|v|/speed)^shape) + viscous |v|,
/// against the motion; set-valued at rest, between -static_level and +static_level.
typedef struct ss_stribeck {
    double coulomb;      ///< N, >= 0: level at high speed without the viscous part
    double static_level; ///< N, >= coulomb: level at rest
    double speed;        ///< m/s, > 0: the smaller, the steeper the fall
    double shape;        ///< >= 1, usually 2
    double viscous;      ///< N*s/m, >= 0
} ss_stribeck;

/// The level of friction (N, >= 0) over the speed |v| in one direction: a table, straight between its points
/// and constant after the last, or an expression in v, the speed.
typedef struct ss_curve_side {
    const double *speed, *force; ///< m/s, ascending from 0; N
    int count;                   ///< points; 0: the expression
    const char* expression;      ///< "1 N + 2 N * exp(-v / (0.1 m/s))"
    bool per_newton;             ///< the expression has no unit, and is multiplied by
    double normal;               ///< N
    // made by the model
    const struct ss_program* program;
    int kinks;
    double at_rest; ///< N: level at v = 0
    double slope;   ///< N*s/m: its slope there
    double quiet;   ///< m/s: below it the expression is its tangent, to rounding; 0: analytic at v = 0
} ss_curve_side;

/// Dry friction by measured curves, set-valued at rest: between -hold[0] and +hold[1].
typedef struct ss_curve {
    ss_curve_side side[2]; ///< forward (v > 0) and backward
    double hold[2];        ///< N, at least the level at v = 0; NaN: that level
} ss_curve;

/// A hard stop: x_A - x_B stays below `position` (side = +1, "above") or above it (side = -1, "below").
typedef struct ss_rigid_stop {
    double position;    ///< m
    int side;           ///< +1 or -1
    double restitution; ///< in [0, 1]: speed after over speed before an impact (Newton)
} ss_rigid_stop;

/// An elastic stop that loses energy [RD25, (7)]. Beyond `position` by p > 0, with p growing at the rate p',
/// it pushes back with max(0, stiffness p^exponent (1 + 1.5 alpha p')): never pulls.
typedef struct ss_hunt_crossley {
    double position;  ///< m
    int side;         ///< +1: penetrated when x_A - x_B is above `position`; -1: below
    double stiffness; ///< N/m^exponent, > 0: the stiffer, the shorter each contact
    double exponent;  ///< >= 1: 1 for a spring, 1.5 for spheres (Hertz)
    double alpha;     ///< s/m, >= 0: slow impacts lose the share alpha * speed of their speed
} ss_hunt_crossley;

/// Speed after over speed before the impact of a free body, exact: it does not depend on mass, stiffness or
/// exponent. With a = 1.5 alpha it solves a (v_in + v_out) = ln((1 + a v_in) / (1 - a v_out)).
SS_API double ss_hunt_crossley_restitution(const ss_hunt_crossley* law, double speed);
/// Greatest penetration of a free body of this mass (kg) that arrives with this speed (m/s), m.
SS_API double ss_hunt_crossley_depth(const ss_hunt_crossley* law, double mass, double speed);

/// A spring with a damper beside it. Beyond `position` by p > 0, with p growing at the rate p', it pushes
/// back with max(0, stiffness p^exponent + damping p'): never pulls. Limited, the part of the damper stays
/// within that of the spring.
typedef struct ss_elastic_stop {
    double position;  ///< m
    int side;         ///< +1: penetrated when x_A - x_B is above `position`; -1: below
    double stiffness; ///< N/m^exponent, > 0
    double exponent;  ///< >= 1
    double damping;   ///< N*s/m, >= 0
    bool limited;
} ss_elastic_stop;

/// Two stops of one kind, at center + gap/2 (above) and at center - gap/2 (below): rigid where `restitution`
/// is given, hunt-crossley where `alpha` is, else elastic. NaN: not given.
typedef struct ss_backlash {
    double gap;         ///< m, >= 0: all of the play
    double center;      ///< m
    double restitution; ///< in [0, 1], or NaN
    double stiffness;   ///< N/m^exponent, > 0, or NaN
    double exponent;    ///< >= 1
    double damping;     ///< N*s/m, >= 0, or NaN
    double alpha;       ///< s/m, >= 0, or NaN
} ss_backlash;

enum { SS_LAW_NUMBERS = 16 };

/// A law of the user, as text: formulas of its numbers, of its state, of v = v_A - v_B and, but for the rate,
/// of x = x_A - x_B. Smooth for v > 0 and for v < 0; abs(v) and sign(v) tell them apart.
typedef struct ss_law_text {
    const char* name;
    const char* const* keys;        ///< names of its numbers
    const ss_dimension* dimensions; ///< of each
    int key_count;                  ///< at most SS_LAW_NUMBERS
    const char* state;              ///< name of its state
    const char* rate;               ///< of the state, per s
    const char* force;              ///< N, or N*m, on A
    const char* stored;             ///< J; NULL: nothing is
} ss_law_text;

/// The numbers of a law that is one formula of them and of one state, in the order of its keys in
/// docs/model-file.md, SI. What is optional there is so in no program.
typedef struct ss_formula_law {
    double number[SS_LAW_NUMBERS];
    const ss_law_text* text;       ///< of SS_LAW_OWN
    const struct ss_own_law* made; ///< by the model
} ss_formula_law;

// ---- any of them

/// A law with its numbers.
typedef struct ss_law_def {
    ss_law_kind kind;
    union {
        ss_coulomb coulomb;
        ss_stribeck stribeck;
        ss_curve curve;
        ss_rigid_stop rigid_stop;
        ss_hunt_crossley hunt_crossley;
        ss_elastic_stop elastic_stop;
        ss_lugre lugre;
        ss_dahl dahl;
        ss_elasto_plastic elasto_plastic;
        ss_maxwell_def maxwell_slip;
        ss_gms gms;
        ss_jenkins jenkins;
        ss_backlash backlash;
        ss_formula_law formula; ///< bouc-wen, rate-and-state, the user's own
    };
} ss_law_def;

SS_API ss_status ss_law_check(const ss_law_def* law, ss_error* err);

/// Force on A (N) of a law without memory, and of bristles of one deflection. Of dry friction at v = 0, where
/// the law is a set: the point of it nearest to `holding`, the force that would keep the contact at rest.
/// place: of a stop x_A - x_B, of bristles their deflection z (m); others do not look at it. NaN of laws with
/// elements, whose state is more than a number, of rigid stops, which strike, and of curves given by
/// expressions.
SS_API double ss_law_force(const ss_law_def* law, double place, double v, double holding);
/// z', m/s, of bristles of one deflection; 0 of other laws.
SS_API double ss_law_rate(const ss_law_def* law, double z, double v);
/// Level of friction (N, >= 0) in steady sliding at v, for v = 0 its limit from above; of bristles without
/// the viscous part. NaN of stops.
SS_API double ss_law_level(const ss_law_def* law, double v);

// ---- a law alone, as in a real-time loop: in memory of the caller, with a bounded number of operations per
// step

typedef struct ss_law_state ss_law_state; ///< memory aligned for double

/// Bytes that the state of such a law takes; 0 where there can be no such law.
SS_API size_t ss_law_state_size(const ss_law_def* law);
/// Begins in memory of that size, at x_A - x_B = place. start (may be NULL: no deflection) is that of
/// bristles. Checks the law, and takes time of order n log n for n elements; steps of Maxwell-slip take order
/// log n.
SS_API ss_status ss_law_start(const ss_law_def* law, double place, const ss_bristle_start* start,
                              ss_law_state* state, ss_error* err);
/// Goes on for dt >= 0 (s) at constant v (m/s), exactly, and returns the force on A at the end. Dry friction
/// holds with no force at v = 0: ss_law_force tells more. The definition is that of ss_law_start.
SS_API double ss_law_step(const ss_law_def* law, ss_law_state* state, double v, double dt);
/// J: what stops and bristles have stored.
SS_API double ss_law_stored(const ss_law_def* law, const ss_law_state* state);
/// The inner numbers: z, or one per element in the order of the definition (m, of GMS N), written to out (may
/// be NULL). Returns how many there are.
SS_API int ss_law_numbers(const ss_law_def* law, const ss_law_state* state, double out[]);

#ifdef __cplusplus
}
#endif
#endif
