// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The compiled model. Bodies move as  z = T q + offset  (driven ones as given), so that
//
//     M q'' + C q' + K q + sum cubic = f(t) + sum_i W_i lambda_i,     v_i = W_i^T q' + Wd_i^T d'
//
// with q the independent coordinates and d the positions of the driven bodies. Everything is stored as sparse
// rows: a chain of N blocks takes memory of order N.
#ifndef SLIPSTICK_MODEL_MODEL_IMPL_H
#define SLIPSTICK_MODEL_MODEL_IMPL_H

#include "core/algebra/sparse.h"
#include "core/expression/signal_series.h"
#include "core/pool.h"
#include "core/store.h"
#include "core/words.h"
#include "share/law.h"
#include "slipstick/model.h"

#include <math.h>

/// One sparse row: value[k] stands in column index[k].
typedef struct ss_row {
    int count;
    int* index;
    double* value;
} ss_row;

static inline double ss_row_dot(const ss_row* row, const double x[])
{
    double sum = 0.0;
    for (int k = 0; k < row->count; k++) sum += row->value[k] * x[row->index[k]];
    return sum;
}

typedef struct ss_body {
    char* name;
    const char *owner, *place, *speed; ///< as ss_body_info has them
    ss_plane_part plane;
    bool angular;
    int drive;      ///< index of its drive, or -1
    int coordinate; ///< index of its own coordinate, or -1 where ties express it by others
    double mass;
    double start_x, start_v;
    ss_row row; ///< over q: the body's row of T
    const double*
        follows; ///< of a coordinate that a reduction left out: its row of the block's basis; or NULL
} ss_body;

/// A place fixed in a body of the plane, or in space.
typedef struct ss_plane_point {
    char* name;
    int body; ///< its x, or SS_GROUND
    double at[2];
} ss_plane_point;

typedef struct ss_drive {
    int body;
    const ss_signal* signal;
    bool is_speed; ///< the signal is the speed; otherwise the position
} ss_drive;

/// e = q . x + d . drives + bodies . offset - length
typedef struct ss_connection {
    char* name; ///< or NULL
    ss_dimension force;
    ss_row q, d;
    ss_row bodies;
    double stiffness, damping, cubic, length;
    ss_row mobility;     ///< M^-1 applied to q: acceleration per unit force; kept where cubic != 0
    bool between_points; ///< then all of the above is 0: its energy and its damper are expressions
    int points[2];       ///< of the model, then
} ss_connection;

typedef struct ss_force {
    const ss_signal* signal;
    ss_row q;        ///< over q: generalised force per unit force
    ss_row mobility; ///< acceleration per unit force
} ss_force;

/// Where a stop is: its law begins like this, whichever it is.
typedef struct ss_stop_place {
    double position; ///< m
    int side;        ///< +1: it is met when x_A - x_B comes above `position`; -1: below
} ss_stop_place;

typedef struct ss_contact {
    char* name;
    ss_law_kind given;         ///< the law as it was given: `law`, or one that is two (see ss_law_is_two)
    const void* given_numbers; ///< its numbers; NULL: those below
    int other;                 ///< the contact that is its other half; -1: none
    ss_dimension force;        ///< of its force, as given: see ss_contact_def
    double restitution;        ///< of slip where a stop is struck that its level follows
    bool is_tie; ///< it stands for a tie that has a name, or for a row of a joint: it always holds
    const struct ss_joint_row* turns; ///< of a joint: its row turns with the motion (joints.h); or NULL
    bool follows_forces;              ///< some level of it does
    bool loaded; ///< its law is per newton of a normal force that varies, and all its levels are that force
    ss_law_kind law;
    const struct ss_law* law_entry; ///< of the table of laws
    unsigned traits;                ///< of its law: see ss_law_trait
    union {
        ss_coulomb coulomb;
        ss_stribeck stribeck;
        ss_curve curve;
        ss_rigid_stop rigid_stop;
        ss_hunt_crossley hunt_crossley;
        ss_elastic_stop elastic_stop;
        ss_stop_place stop; // as all stops begin
        ss_lugre lugre;
        ss_dahl dahl;
        ss_elasto_plastic elasto_plastic;
        ss_maxwell_slip maxwell_slip;
        ss_gms gms;
        ss_formula_law numbers;
    };
    double levels[4]; ///< N, by ss_level of the table of laws: what it holds and starts to slip with; per
                      ///< newton where it is loaded
    int elements;     ///< of its law, 0 where it has none
    int law_events;   ///< event functions of its law besides v = 0
    ss_maxwell_def given_elements; ///< of Maxwell-slip: in the order of the definition
    ss_bristle_start start;
    const ss_signal* level[4]; ///< forward, backward, static forward, static backward: NULL where constant
    double at_rest[2];         ///< constant static level forward and backward as given, 0 where none is
    const char* field[2];      ///< what errors call the levels forward and backward: "friction", "normal"
    bool varies;               ///< some level varies in time
    bool falling;              ///< its static level may exceed its kinetic one: see ss_level_falls
    int follows;               ///< bit k: level[k] follows the motion, see ss_open.levels
    bool angular;
    ss_row q, d;     ///< W_i, Wd_i
    ss_row bodies;   ///< the row as given, over bodies
    ss_row mobility; ///< M^-1 W_i
    int group, place;
} ss_contact;

/// Where the law of a contact begins: what the functions of its row take.
static inline const void* ss_law_of(const ss_contact* contact) { return &contact->coulomb; }
/// The levels of its law, which may have become known, in the contact (model.c).
void ss_contact_adopt_levels(ss_contact* contact);

/// Penetration of a stop at x = x_A - x_B, m; negative where there is a gap.
static inline double ss_stop_penetration(const ss_contact* contact, double x)
{
    return contact->stop.side * (x - contact->stop.position);
}

/// The law of a contact as it was given, and its numbers.
static inline const void* ss_given_law(const ss_contact* contact)
{
    return contact->given_numbers ? contact->given_numbers : ss_law_of(contact);
}

/// What kind of law a contact has: one of these traits (of ss_law_trait).
static inline bool ss_contact_is(const ss_contact* contact, unsigned traits)
{
    return (contact->traits & traits) != 0;
}

/// LuGre, Dahl, Maxwell-slip: internal states and a definite force.
static inline bool ss_has_bristles(const ss_contact* contact)
{
    return ss_contact_is(contact, SS_TRAIT_BRISTLES);
}

/// Contacts that are coupled through A = W^T M^-1 W and can only be decided together.
typedef struct ss_group {
    int count;
    int* contacts;
    double* coupling; ///< A, count x count
    int coordinate_count;
    int* coordinates; ///< all coordinates the rows W of the group touch
} ss_group;

/// M^-1 K and M^-1 C share their pattern.
typedef struct ss_operator {
    int* start;
    int* index;
    double* stiffness;
    double* damping;
} ss_operator;

/// What kind of equations a model has, found once when it is made.
typedef struct ss_model_nature {
    bool linear;           ///< no cubic spring, no Stribeck contact, no Hunt-Crossley stop, no bristles
    bool piecewise_linear; ///< linear, but for the elements of Maxwell-slip contacts that slip
    bool steady;           ///< no signal varies in time; bodies that are driven stand
    bool one_way;          ///< some friction level is infinite
    bool follows_forces;   ///< some friction level follows the force of a contact or tie
    bool loaded;           ///< some contact is
} ss_model_nature;

/// What matrices describe. They make the first `given` bodies; rows and columns belong to the bodies in
/// `body`, the others of the first follow these [Craig and Bampton].
typedef struct ss_block {
    int given;
    int count; ///< of rows; 0: there are none
    int* body;
    double* basis; ///< what the others are made of: a row per body, a column per row of the block; or NULL
    ss_sparse mass, stiffness, damping;
    double* force;         ///< constant, or NULL
    double first_left_out; ///< Hz: the lowest mode that a reduction left out; NaN where there is none
} ss_block;

/// The matrices of the equation of motion, and what the engine uses in their place.
typedef struct ss_model_matrices {
    ss_sparse mass; ///< M, n x n
    bool mass_diagonal;
    double* mass_inverse; ///< n entries if diagonal, otherwise n x n
    ss_sparse stiffness;  ///< K without cubic parts, n x n
    ss_sparse damping;    ///< C
    ss_operator flow;     ///< M^-1 K and M^-1 C, with what is affine in expressions of the motion
    ss_sparse drive_stiffness, drive_damping; ///< M^-1 Kd, M^-1 Cd, n x drives
    double* constant;                         ///< constant generalised force of the block's, or NULL
    ss_block block;                           ///< the part of them that was given as matrices
} ss_model_matrices;

/// What bounds the motion of a linear model: how far a step may go.
typedef struct ss_model_bounds {
    double rate;      ///< 1/s: |d/dt (w q, q')|_M <= rate |(w q, q')|_M with w = frequency, in every mode
    double frequency; ///< rad/s: bound on sqrt |M^-1 K|
    double spread;    ///< how much the largest and the smallest mobility of a coordinate differ
    double reach[SS_MAX_ORDER +
                 1]; ///< rate times the longest step whose series of this order is proved exact to rounding
} ss_model_bounds;

struct ss_open;
struct ss_actions;
struct ss_joints;

struct ss_model {
    ss_pool pool;
    char* title;
    double until;
    ss_model_nature nature;
    int n;                              ///< coordinates
    ss_words body_names, contact_names; ///< in the order of the definition
    int body_count;
    ss_body* bodies;
    int* coordinate_body;
    int drive_count;
    ss_drive* drives;
    int connection_count;
    ss_connection* connections;
    int force_count;
    ss_force* forces;
    int point_count;
    ss_plane_point* points;
    int contact_count;
    int shown_count; ///< the contacts that were given; after them the second halves of those that are two,
                     ///< then the ties that have names
    int tie_count;   ///< of these, the last of the contacts; rows of joints are the first of them
    ss_contact* contacts;
    int group_count;
    ss_group* groups;
    int signal_count;
    ss_signal** signals; ///< owned clones
    ss_model_matrices matrices;
    ss_model_bounds bounds;
    struct ss_open* open;       ///< states, inputs and expressions of the motion (open_impl.h), or NULL
    struct ss_actions* actions; ///< what they do to the motion (actions.h), or NULL
    struct ss_joints* joints;   ///< of bodies in the plane (joints.h), or NULL
    ss_store*
        shared; ///< what runs have computed of this model, for all runs of it; nothing else ever changes
};

/// The first of the contacts that stand for ties.
static inline int ss_first_tie(const ss_model* model) { return model->contact_count - model->tie_count; }

/// The contact that is shown of contact i, which may be its second half; -1 for a tie.
static inline int ss_shown_contact(const ss_model* model, int i)
{
    return i < model->shown_count ? i : model->contacts[i].other;
}

/// The half of a shown contact on a side, as events tell it.
static inline int ss_half_of(const ss_model* model, int contact, int side)
{
    return side < 0 ? model->contacts[contact].other : contact;
}

/// Assembly, in the order ss_model_create calls it (matrices.c, assemble.c, couple.c).
/// out: the definition with the coordinates and contacts of its matrices before its bodies and contacts, and
/// the matrices kept in the model. What is new in it lives in the pool.
ss_status ss_model_unfold_matrices(ss_model* model, const ss_system_def* def, ss_pool* pool,
                                   ss_system_def* out, ss_error* err);
ss_status ss_model_reduce_ties(ss_model* model, const ss_system_def* def, ss_error* err);
ss_status ss_model_assemble(ss_model* model, ss_error* err);
ss_status ss_model_couple(ss_model* model, ss_error* err);
/// bristles.c: elements and start of a contact with bristles.
ss_status ss_model_adopt_bristles(ss_model* model, const ss_contact_def* from, ss_contact* to, ss_error* err);

/// Coordinates that matrices describe, those that follow others and modes included (matrices.c); 0 for NULL.
int ss_matrices_coordinates(const ss_matrices_def* def);
/// Energy 1/2 z^T K z in J of the block at coordinates q with offsets of tied bodies, and the magnitudes of
/// its terms added to *parts (block.c).
double ss_block_energy(const ss_model* model, const double q[], const double offset[], double* parts);
/// W: what the block's C takes at these speeds.
double ss_block_loss(const ss_model* model, const double v[]);
/// Adds the generalised force of the block's K by the offsets of tied bodies, and its magnitude where size is
/// not NULL.
void ss_block_pull(const ss_model* model, const double offset[], double force[], double size[]);

/// An error for whoever cannot handle forces of contacts and ties by name yet; SS_OK for other models.
ss_status ss_model_expect_no_forces(const ss_model* model, const char* who, ss_error* err);
/// An error for whoever cannot handle joints yet, whose rows turn; SS_OK for other models.
ss_status ss_model_expect_no_joints(const ss_model* model, const char* who, ss_error* err);
/// An error for whoever cannot handle open models or infinite levels yet; SS_OK for other models.
ss_status ss_model_expect_closed(const ss_model* model, const char* who, ss_error* err);

/// Clones a signal into the model; NULL stays NULL.
ss_status ss_model_adopt_signal(ss_model* model, const ss_signal* signal, const ss_signal** out,
                                ss_error* err);
/// Row over q of a row over bodies (ties applied), and its part over drives. Zero entries are dropped.
void ss_model_map_row(ss_model* model, const ss_row_def* def, ss_row* bodies, ss_row* q, ss_row* d);
/// M^-1 times a row.
void ss_model_apply_mobility(ss_model* model, const ss_row* q, ss_row* out);

/// fingerprint.c: the same for models that move alike to the last bit, and for others almost surely not.
uint64_t ss_model_fingerprint(const ss_model* model);

#endif
