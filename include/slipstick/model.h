// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A mechanical system with dry friction: definition, then model. A definition lives on the stack, is filled
// with defaults, changed, passed by const pointer and forgotten; the model made from it is constant ever
// after and shared by threads. All numbers are SI.
//
//     M q'' = h(q, q', t) + sum_i W_i lambda_i,    v_i = W_i^T q' - d_i(t)
#ifndef SLIPSTICK_MODEL_H
#define SLIPSTICK_MODEL_H

#include "slipstick/document.h"
#include "slipstick/law.h"
#include "slipstick/matrix.h"
#include "slipstick/signal.h"
#include "slipstick/status.h"

#include <math.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SS_GROUND = -1 }; ///< the body that never moves

/// Which coordinate of a body in the plane a body of the definition is: its x, y and angle follow each other,
/// in this order, and are called NAME.x, NAME.y and NAME.angle. x and y have the mass, or are both driven.
typedef enum ss_plane_part { SS_PLANE_NONE, SS_PLANE_X, SS_PLANE_Y, SS_PLANE_ANGLE } ss_plane_part;

/// One coordinate: position x and speed v (rad and rad/s for an angular body). Either a mass or a given
/// motion is required.
typedef struct ss_body_def {
    const char* name;          ///< required, unique
    bool angular;              ///< default false
    double mass;               ///< kg or kg*m^2, > 0; NaN for a driven body
    const ss_signal* position; ///< driven: x(t); NULL otherwise
    const ss_signal* speed;    ///< driven: v(t), x from start_x; NULL otherwise
    double start_x,
        start_v;         ///< default 0; start_v is ignored for driven bodies, start_x if position is given
    ss_plane_part plane; ///< default SS_PLANE_NONE: it has this one coordinate
    bool find_x, find_v; ///< of a body in the plane: its start is found from the joints, 0 where they let it
} ss_body_def;

/// A place that is fixed in a body of the plane, or in space.
typedef struct ss_point_def {
    const char* name; ///< required, unique
    int body;         ///< the x of its body; SS_GROUND: in space
    double at[2];     ///< m, in the frame of the body, whose origin is the centre of mass
} ss_point_def;

/// One entry of a row: factor times the coordinate of a body (index into bodies; SS_GROUND adds nothing).
typedef struct ss_term {
    int body;
    double factor;
} ss_term;

typedef struct ss_row_def {
    const ss_term* terms;
    int count;
} ss_row_def;

/// Spring and damper. With e = sum of terms - length, it pulls along the row with
/// -(stiffness e + cubic e^3 + damping e'). Stiffness and damping may be negative.
typedef struct ss_connection_def {
    ss_row_def along; ///< [A: 1, B: -1] for a spring between A and B
    double stiffness, damping, cubic, length;
    const char* name;   ///< default NULL: without one its force cannot be asked for
    ss_dimension force; ///< of its force; all 0: N, or N*m where all its bodies turn
    const int* points;  ///< two, whose distance takes the place of the row, which has no terms then; or NULL
} ss_connection_def;

/// A line or a circle of the ground or of a body of the plane, in its frame.
typedef struct ss_surface_def {
    int body; ///< its x, or SS_GROUND
    bool is_circle;
    double at[2];    ///< m: a place of the line, or the centre
    double along[2]; ///< of the line: its direction, of length 1
    double radius;   ///< m, > 0, of the circle
} ss_surface_def;

typedef enum ss_joint_kind {
    SS_JOINT_PIN,  ///< two points stay together
    SS_JOINT_RAIL, ///< a point stays on a surface
    SS_JOINT_WELD, ///< two bodies keep the pose of the start
} ss_joint_kind;

/// A joint of bodies in the plane. Its force can be asked for: NAME.fx, NAME.fy, NAME.force, of a weld
/// NAME.moment.
typedef struct ss_joint_def {
    const char* name; ///< required, unique
    ss_joint_kind kind;
    int points[2]; ///< of a pin and a rail; the second of a pin -1: the place `at` of the ground
    double at[2];
    int surface;   ///< of a rail
    int bodies[2]; ///< of a weld: x of each; one may be SS_GROUND
} ss_joint_def;

/// A force and a moment on a body of the plane: expressions of the motion.
typedef struct ss_plane_force_def {
    int body;             ///< its x
    int point;            ///< of this body; -1: the centre of mass
    const char* force[2]; ///< N, or NULL for none; what turns with the body where `in_body`, else in space
    const char* moment;   ///< N*m, or NULL
    bool in_body;
} ss_plane_force_def;

/// What the work of a force counts as in the energy ledger.
typedef enum ss_work_kind { SS_WORK_INPUT, SS_WORK_DAMPING } ss_work_kind;

/// A force on a body, or along a row: on its first body as given, on the others by their factors. It is a
/// signal, or an expression of the motion such as "kp*(0.1 m - stage.x) - kd*stage.v".
typedef struct ss_force_def {
    int body;         ///< a body with mass; not used where a row is given
    ss_row_def along; ///< count 0: on the body
    const ss_signal* force;
    const char* expression;          ///< in place of the signal; along a row it is needed
    ss_dimension dimension;          ///< of the expression; all zero: N*m where all bodies turn, else N
    ss_work_kind ledger;             ///< default: input
    const ss_plane_force_def* plane; ///< in place of everything but the ledger; or NULL
} ss_force_def;

/// A name for an expression of the motion.
typedef struct ss_formula_def {
    const char* name;
    const char* expression;
} ss_formula_def;

/// A first-order state: s' = rate. Its unit is that of the rate times s.
typedef struct ss_state_def {
    const char* name;
    const char* rate;  ///< an expression of the motion
    const char* start; ///< a number ("0.5 m"); NULL: 0
} ss_state_def;

/// Something that is set from outside: until then it is the signal.
typedef struct ss_input_def {
    const char* name;
    const ss_signal* value;
    ss_dimension dimension;
    bool has_unit; ///< false: the dimension is not meant, it was a bare number
} ss_input_def;

/// A number that a sampled controller keeps from tick to tick.
typedef struct ss_memory_def {
    const char* name;
    double value; ///< until the first tick
    ss_dimension dimension;
    bool has_unit;
} ss_memory_def;

/// A sampled controller: at the times offset + n every, the lines of at_tick are carried out in order, with
/// the state just before the tick. A line writes memory, or names a value for the lines after it. What was
/// written holds from `delay` later on.
typedef struct ss_sampled_def {
    const char* name;
    double every, offset, delay; ///< s: every > 0, offset >= 0, 0 <= delay < every
    const ss_memory_def* memory;
    int memory_count;
    const ss_formula_def* at_tick;
    int at_tick_count;
} ss_sampled_def;

/// A friction level that follows the motion: factor times the expression.
typedef struct ss_level_def {
    const char* expression; ///< NULL: the constant or signal holds
    double factor;          ///< mu, where the expression is the normal force; else 1
    ss_dimension dimension; ///< of the expression; all zero: N*m where all bodies turn, else N
    const char* field;      ///< what errors call it: "friction", "normal"; NULL: "friction"
} ss_level_def;

/// A contact along a row: its relative velocity is the row times the speeds.
typedef struct ss_contact_def {
    const char* name; ///< required, unique
    ss_row_def along;
    ss_law_kind law;
    union {
        ss_coulomb coulomb;
        ss_stribeck stribeck;
        ss_curve curve;
        ss_rigid_stop rigid_stop;
        ss_hunt_crossley hunt_crossley;
        ss_elastic_stop elastic_stop;
        ss_backlash backlash;
        ss_lugre lugre;
        ss_dahl dahl;
        ss_elasto_plastic elasto_plastic;
        ss_maxwell_def maxwell_slip;
        ss_jenkins jenkins;
        ss_gms gms;
        ss_formula_law numbers; ///< of laws that are a formula of numbers
    };
    ss_bristle_start start; ///< of LuGre, Dahl and Maxwell-slip; default: no deflection
    /// Coulomb levels that vary in time replace the constants above where not NULL. The level at rest is
    /// never below the kinetic one: the larger of both holds.
    const ss_signal *forward, *backward, *static_forward, *static_backward;
    ss_level_def level[4]; ///< the same, where they follow the motion, and in this order
    ss_dimension force;    ///< of its force; all 0: N, or N*m where all its bodies turn
    double restitution;    ///< of coulomb, 0 to 1: of its slip, where a stop is struck whose force its level
                           ///< follows
    /// Of all other laws of friction: the normal force, which multiplies the whole force of the law, whose
    /// numbers are then per newton. It varies in time or follows the motion; both NULL: there is none.
    const ss_signal* normal;
    ss_level_def normal_level;
} ss_contact_def;

/// Coordinates described by matrices [VL04, (15)], beside everything else: M q'' + C q' + K q = f + W lambda,
/// row-major. Each is one more body, before all others: in rows, coordinate i of n is body i, and bodies[k]
/// is body n + k. Contacts of W are Coulomb with the given friction, named c1, c2, .., before all others.
/// With T (size x columns), z = T q, and M, C, K, W, f are given in z [VL04, (10)-(16)].
typedef struct ss_matrices_def {
    ss_matrix_def M, C, K; ///< square, of one size; M symmetric positive definite, K symmetric, C may be none
    ss_matrix_def W;       ///< a column per contact, or none
    const double* friction; ///< one per column of W, >= 0
    ss_matrix_def T;        ///< z = T q, at most as many columns as rows, or none: q are the coordinates
    const double* f;        ///< one per row of M, or NULL
    const double *start_x, *start_v; ///< one per coordinate, or NULL for 0; of a reduced model its modes last
    const char* const* names;        ///< one per coordinate, NULL for q1, q2, ..; or NULL for all of these
    double rayleigh[2];              ///< 1/s and s: rayleigh[0] M + rayleigh[1] K is added to C
    const double* modal; ///< damping ratios of the modes of K against M, by frequency, or NULL: their
    int modal_count;     ///< damping is added to C; the last holds for the rest
    /// Craig and Bampton's reduction: `keep` NULL for none, not together with T. What moves are the kept
    /// coordinates (numbers from 0, ascending) and the `modes` lowest modes in which they rest, as
    /// coordinates mode1, mode2, .. after all others; the other coordinates follow from these.
    const int* keep;
    int keep_count, modes;
} ss_matrices_def;

typedef struct ss_system_def {
    size_t size; ///< set by ss_system_def_default, like the next three: those of the elements
    size_t body_size, contact_size, connection_size;
    const char* title; ///< default ""
    const ss_body_def* bodies;
    int body_count;
    const ss_row_def* ties; ///< each combination of coordinates keeps its start value; no driven bodies
    int tie_count;
    const ss_connection_def* connections;
    int connection_count;
    const ss_force_def* forces;
    int force_count;
    const ss_contact_def* contacts;
    int contact_count;
    const ss_matrices_def* matrices; ///< coordinates before the bodies, contacts before the contacts
    /// What opens the model. Expressions use NAME.x and NAME.v of bodies, states, inputs, signals, memory,
    /// parameters and t. All these names (but the parameters') are new, and not those of bodies or contacts.
    const ss_parameter* parameters; ///< constants of the expressions below
    int parameter_count;
    const ss_input_def* inputs;
    int input_count;
    const ss_state_def* states;
    int state_count;
    const ss_formula_def* signals; ///< may use each other in any order, but not in a circle
    int signal_count;
    const char* const* potentials; ///< energies (J) of positions; their forces are the derivatives
    int potential_count;
    const ss_sampled_def* sampled;
    int sampled_count;
    double until; ///< s, how long a run lasts unless told otherwise; default 100
    /// One per tie, NULL for those without a name; or NULL where none has one. The force of a tie that has a
    /// name is a signal, NAME.force, which friction levels may follow, as those of contacts and connections.
    const char* const* tie_names;
    const ss_dimension* tie_forces; ///< of these forces, as ss_connection_def.force; or NULL
    const ss_point_def* points;     ///< expressions use their NAME.x, NAME.y, NAME.vx and NAME.vy
    int point_count;
    const ss_surface_def* surfaces;
    int surface_count;
    const ss_joint_def* joints;
    int joint_count;
    const ss_signal* gravity[2]; ///< m/s^2, on all bodies of the plane; NULL: none
} ss_system_def;

static inline ss_system_def ss_system_def_default(void)
{
    ss_system_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.title = "";
    def.until = 100.0;
    def.body_size = sizeof(ss_body_def);
    def.contact_size = sizeof(ss_contact_def);
    def.connection_size = sizeof(ss_connection_def);
    return def;
}
/// mass NaN: forgetting it is an error with a name
static inline ss_body_def ss_body_def_default(void)
{
    ss_body_def def;
    memset(&def, 0, sizeof def);
    def.mass = NAN;
    return def;
}
/// Coulomb with level NaN
static inline ss_contact_def ss_contact_def_default(void)
{
    ss_contact_def def;
    memset(&def, 0, sizeof def);
    def.law = SS_LAW_COULOMB;
    def.coulomb.forward = NAN;
    def.coulomb.backward = NAN;
    def.coulomb.static_forward = NAN;
    def.coulomb.static_backward = NAN;
    def.start.z = NAN;
    def.start.saturation = NAN;
    return def;
}
/// all zero
static inline ss_connection_def ss_connection_def_default(void)
{
    ss_connection_def def;
    memset(&def, 0, sizeof def);
    return def;
}

typedef struct ss_model ss_model; ///< what the system is: constant once made, shared by threads

SS_API ss_status ss_model_create(const ss_system_def* def, ss_model** out, ss_error* err);
/// Reads a model file's document (format version 1).
SS_API ss_status ss_model_create_from_document(const ss_document* document, ss_model** out, ss_error* err);
SS_API void ss_model_destroy(ss_model* model); ///< after its last run; NULL is welcome

// ---- what a model is; texts and arrays are borrowed from it, and indices are not checked

/// The numbers of an open model (one with states, inputs, signals, potentials, memory, or forces or levels
/// that follow the motion), which stand one after the other in one row, kind by kind.
typedef enum ss_number_kind {
    SS_NUMBER_STATE,
    SS_NUMBER_SIGNAL,
    SS_NUMBER_INPUT,
    SS_NUMBER_MEMORY, ///< of all sampled controllers
    SS_NUMBER_KINDS
} ss_number_kind;

typedef struct ss_model_info {
    const char* title;
    double until;          ///< s: how long a run lasts unless told otherwise
    int matrix_count;      ///< coordinates given by matrices, and modes of a reduction: the first bodies
    double first_left_out; ///< Hz: the lowest mode that a reduction of the matrices left out; NaN: none
    bool is_linear;        ///< everything between events is linear with constant coefficients: closed form
    bool is_open;
    int body_count;       ///< in the order of the definition, driven ones included (of matrices q1, q2, ..)
    int contact_count;    ///< likewise
    int coordinate_count; ///< independent ones: free bodies, less those that ties express by others
    const int* coordinate_bodies;       ///< the body of each
    int number_counts[SS_NUMBER_KINDS]; ///< of each kind
} ss_model_info;
SS_API ss_model_info ss_model_get_info(const ss_model* model);

typedef struct ss_body_info {
    const char* name;
    const char *owner, *place, *speed; ///< its coordinate is told as OWNER.PLACE, its speed as OWNER.SPEED:
                                       ///< name, x and v, or of a body in the plane "rod", "angle", "spin"
    ss_plane_part plane;
    bool angular;
    bool driven;             ///< its motion is given
    double start_x, start_v; ///< m and m/s, or rad and rad/s
} ss_body_info;
SS_API ss_body_info ss_model_get_body(const ss_model* model, int body);

typedef struct ss_contact_info {
    const char* name;
    ss_law_kind law;
    const char* law_name; ///< as the model file calls it, also where it is the user's own
    unsigned traits;      ///< of ss_law_trait; of a law that is two stops (backlash), theirs
    bool angular;         ///< its force is a moment
    ss_dimension
        state_dimension; ///< of the state of its law (ss_contact_state.z): a length or an angle of most
    int elements;        ///< of its law: 0 where it has none
    int elements_told;   ///< of these, in the moments of a motion and in answers: all, none where there are
                         ///< more than 1000
    double mass;         ///< kg or kg*m^2 that a force along the contact accelerates while nothing else acts:
                         ///< 1/(W^T M^-1 W); INFINITY where it moves nothing
} ss_contact_info;
SS_API ss_contact_info ss_model_get_contact(const ss_model* model, int contact);
/// The law of a contact with its numbers at t = 0.
SS_API ss_law_def ss_model_get_law(const ss_model* model, int contact);
/// m or rad: the place of A relative to B along a contact, for these places of all bodies.
SS_API double ss_model_displacement(const ss_model* model, int contact, const double x[]);

typedef struct ss_number_info {
    ss_number_kind kind;
    const char* name;
    ss_dimension dimension;
    double start; ///< of a state, of memory until the first tick, of an input at t = 0; NaN for signals
    const char* force_of; ///< the tie, connection or joint whose force this signal is, or NULL
    bool of_tie;
    bool of_joint;    ///< of a joint
    const char* part; ///< which of its forces: "fx", "fy", "force", "moment"; NULL where there is but one
} ss_number_info;
/// number: its place in the row of all.
SS_API ss_number_info ss_model_get_number(const ss_model* model, int number);

typedef enum ss_model_part { SS_PART_BODY, SS_PART_CONTACT, SS_PART_NUMBER } ss_model_part;
/// The index of what has this name; -1 if nothing has.
SS_API int ss_model_find(const ss_model* model, ss_model_part part, const char* name);

/// Reduced matrices in the independent coordinates: n x n, and n x contacts for the directions W.
typedef enum ss_matrix {
    SS_MATRIX_MASS,
    SS_MATRIX_DAMPING,
    SS_MATRIX_STIFFNESS,
    SS_MATRIX_DIRECTIONS
} ss_matrix;
SS_API void ss_model_get_matrix(const ss_model* model, ss_matrix which, double out[]); ///< row-major

#ifdef __cplusplus
}
#endif
#endif
