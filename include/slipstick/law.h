// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Friction and stop laws. Each is a plain struct usable alone, without allocation, in a real-time loop.
// The force of a law is the one on body A; v is v_A - v_B.
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
    SS_LAW_OWN ///< written by the user, see ss_law_text
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
/// What a law with elements tells of each: "deflections" (m) or "forces" (N); NULL where it has none.
SS_API const char* ss_law_element_word(ss_law_kind law);
SS_API bool ss_law_has(ss_law_kind law, ss_law_trait trait);

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
typedef struct ss_law_numbers {
    double number[SS_LAW_NUMBERS];
    const ss_law_text* text;       ///< of SS_LAW_OWN
    const struct ss_own_law* made; ///< by the model
} ss_law_numbers;

/// How many numbers such a law has; 0 of other laws, -1 where there is no such law.
SS_API int ss_law_number_count(ss_law_kind law);
SS_API ss_status ss_law_check(ss_law_kind law, const ss_law_numbers* numbers, ss_error* err);
/// The state that it starts with where nobody says otherwise: 0 of most.
SS_API double ss_law_start(ss_law_kind law, const ss_law_numbers* numbers);
/// Advances its state over dt >= 0 (s) at constant v, to rounding, and returns the force on A at the end.
/// Without allocation; NaN where v or dt is no number.
SS_API double ss_law_step(ss_law_kind law, const ss_law_numbers* numbers, double* state, double v, double dt);

/// Dry friction, set-valued at rest. While v > 0 the force is -forward, while v < 0 it is +backward; at v = 0
/// it is whatever holds, between -static_forward and +static_backward. All in N (N*m between angular
/// bodies), >= 0, static at least the kinetic one.
typedef struct ss_coulomb {
    double forward, backward;
    double static_forward, static_backward;
} ss_coulomb;

/// The same level in both directions, static equal to kinetic.
SS_API ss_coulomb ss_coulomb_make(double friction);
SS_API ss_status ss_coulomb_check(const ss_coulomb* law, ss_error* err);
/// Force at relative velocity v. At v = 0 the law is a set: the result is the point of it nearest to
/// holding, the force that would keep the contact at rest.
SS_API double ss_coulomb_force(const ss_coulomb* law, double v, double holding);

/// Friction that falls with speed: coulomb + (static - coulomb) exp(-(|v|/speed)^shape) + viscous |v|,
/// against the motion; set-valued at rest, between -static_level and +static_level.
typedef struct ss_stribeck {
    double coulomb;      ///< N, >= 0: level at high speed without the viscous part
    double static_level; ///< N, >= coulomb: level at rest
    double speed;        ///< m/s, > 0: the smaller, the steeper the fall
    double shape;        ///< >= 1, usually 2
    double viscous;      ///< N*s/m, >= 0
} ss_stribeck;

SS_API ss_status ss_stribeck_check(const ss_stribeck* law, ss_error* err);
/// Level of the force (>= 0) at speed |v| > 0, and its limit for v -> 0.
SS_API double ss_stribeck_level(const ss_stribeck* law, double v);
/// Its derivative with respect to the speed |v|, N*s/m: negative where friction falls.
SS_API double ss_stribeck_slope(const ss_stribeck* law, double v);
SS_API double ss_stribeck_force(const ss_stribeck* law, double v, double holding);

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

/// Of tables: expressions are for models to make.
SS_API ss_status ss_curve_check(const ss_curve* law, ss_error* err);
/// Force of tables at relative velocity v, as ss_coulomb_force.
SS_API double ss_curve_force(const ss_curve* law, double v, double holding);

/// A hard stop: x_A - x_B stays below `position` (side = +1, "above") or above it (side = -1, "below").
typedef struct ss_rigid_stop {
    double position;    ///< m
    int side;           ///< +1 or -1
    double restitution; ///< in [0, 1]: speed after over speed before an impact (Newton)
} ss_rigid_stop;

SS_API ss_status ss_rigid_stop_check(const ss_rigid_stop* law, ss_error* err);
/// Distance left before the stop is touched, negative inside it.
SS_API double ss_rigid_stop_gap(const ss_rigid_stop* law, double x);

/// An elastic stop that loses energy [RD25, (7)]. Beyond `position` by p > 0, with p growing at the rate p',
/// it pushes back with max(0, stiffness p^exponent (1 + 1.5 alpha p')): never pulls.
typedef struct ss_hunt_crossley {
    double position;  ///< m
    int side;         ///< +1: penetrated when x_A - x_B is above `position`; -1: below
    double stiffness; ///< N/m^exponent, > 0: the stiffer, the shorter each contact
    double exponent;  ///< >= 1: 1 for a spring, 1.5 for spheres (Hertz)
    double alpha;     ///< s/m, >= 0: slow impacts lose the share alpha * speed of their speed
} ss_hunt_crossley;

SS_API ss_status ss_hunt_crossley_check(const ss_hunt_crossley* law, ss_error* err);
/// Penetration p at x = x_A - x_B, m; negative where there is no contact.
SS_API double ss_hunt_crossley_penetration(const ss_hunt_crossley* law, double x);
/// Force that pushes out of the stop at penetration p (m) and its rate p' (m/s): N, >= 0.
SS_API double ss_hunt_crossley_push(const ss_hunt_crossley* law, double p, double p_rate);
/// Derivatives of that force by the penetration (N/m) and by its rate (N*s/m).
SS_API void ss_hunt_crossley_slopes(const ss_hunt_crossley* law, double p, double p_rate, double* by_p,
                                    double* by_rate);
/// Force on A at x = x_A - x_B and v = v_A - v_B, N.
SS_API double ss_hunt_crossley_force(const ss_hunt_crossley* law, double x, double v);
/// Energy stored at penetration p, J: stiffness p^(exponent+1) / (exponent+1).
SS_API double ss_hunt_crossley_energy(const ss_hunt_crossley* law, double p);
/// Speed after over speed before the impact of a free body, exact: it does not depend on mass, stiffness or
/// exponent. With a = 1.5 alpha it solves a (v_in + v_out) = ln((1 + a v_in) / (1 - a v_out)).
SS_API double ss_hunt_crossley_restitution(const ss_hunt_crossley* law, double speed);
/// The paper's 1 - alpha speed, good for slow impacts only (negative for fast ones).
SS_API double ss_hunt_crossley_restitution_first_order(const ss_hunt_crossley* law, double speed);
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

SS_API ss_status ss_elastic_stop_check(const ss_elastic_stop* law, ss_error* err);
/// Force that pushes out of the stop at penetration p (m) and its rate p' (m/s): N, >= 0.
SS_API double ss_elastic_stop_push(const ss_elastic_stop* law, double p, double p_rate);
/// Force on A at x = x_A - x_B and v = v_A - v_B, N.
SS_API double ss_elastic_stop_force(const ss_elastic_stop* law, double x, double v);
/// Energy stored at penetration p, J: stiffness p^(exponent+1) / (exponent+1).
SS_API double ss_elastic_stop_energy(const ss_elastic_stop* law, double p);

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

SS_API ss_status ss_backlash_check(const ss_backlash* law, ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
