// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inside of a sliding motion; the mathematics is told in docs/theory/sliding.md. Everything here is in the
// units of [GRP91] (slider/slider_impl.h), and in the body frame unless said. A body of revolution looks
// alike from every side: its frame keeps the directions of space while it turns, so that no component comes
// and goes with the turning, and one that is 0 stays 0.
//
//  u      (Vx, Vy, omega) of the centre of mass: kinetic energy u.u/2
//  spot   a place where point supports touch: its velocity z = (Vx - omega y, Vy + omega x) is
//  two-dimensional,
//         and its load on the ground lies in a convex set
//  line   an element with one direction: the axle of a wheel, or its rolling where the bearing drags
//  held   a spot or line whose velocity is 0 and stays so
#ifndef SLIPSTICK_SLIDER_MOTION_SLIDE_IMPL_H
#define SLIPSTICK_SLIDER_MOTION_SLIDE_IMPL_H

#include "core/image.h"
#include "slider/motion/runge_kutta.h"
#include "slider/slider_impl.h"
#include "slipstick/sliding.h"

/// The state along one step: velocities, then what has been added since the step began.
enum { SS_RADAU_STAGES = 5 };
enum {
    SS_Y_ZX, ///< velocity of the reference place
    SS_Y_ZY,
    SS_Y_SPIN,
    SS_Y_DX, ///< moved by, in the frame of the moment
    SS_Y_DY,
    SS_Y_ANGLE, ///< turned by; from here on rates do not ask, unless loads or an anisotropic floor do
    SS_Y_TIME,
    SS_Y_FRICTION, ///< work
    SS_Y_INPUT,
};

typedef enum ss_spot_kind {
    SS_SPOT_DISC,     ///< isotropic points on a plain floor
    SS_SPOT_ELLIPSES, ///< a sum of ellipses
    SS_SPOT_RATCHET,  ///< a wheel that is locked one way
} ss_spot_kind;

typedef struct ss_spot {
    ss_spot_kind kind;
    double x, y;
    double level;     ///< radius of the disc
    int first, count; ///< its elements: ss_slide.members[first ..]
} ss_spot;

/// A wheel that rolls one way: the spot that stands for it while it is locked or held, and the line that does
/// while it rolls.
typedef struct ss_ratchet_parts {
    int element, spot, axle;
    bool kink;  ///< being decided: it does not slip
    bool turns; ///< it begins or ends to roll while it slips
} ss_ratchet_parts;

/// Which clock a step runs on: dt = g ds.
typedef enum ss_clock {
    SS_CLOCK_TIME, ///< g = 1
    SS_CLOCK_BODY, ///< g = |u|: for the approach to rest, and first motion
    SS_CLOCK_SPOT, ///< g = |z| of the spot of reference: for the approach to stick, and break-loose
} ss_clock;

typedef enum ss_phase {
    SS_PHASE_STEP, ///< a Runge-Kutta step
    SS_PHASE_ARC,  ///< one degree of freedom, nothing applied: closed form
    SS_PHASE_TAIL, ///< the last moment before a spot, or the body, stops
    SS_PHASE_JUMP, ///< the first moment of slip
    SS_PHASE_REST, ///< nothing moves
} ss_phase;

/// What awaits at the end of a segment.
typedef enum ss_ending {
    SS_END_NONE,
    SS_END_LINE, ///< a line's velocity reaches 0
    SS_END_ROLL, ///< a ratchet begins or ends to roll
    SS_END_HOLD, ///< what is held can be held no longer
    SS_END_SPOT, ///< the spot of reference stops
    SS_END_REST, ///< the body stops
    SS_END_ESCAPE,
    SS_END_FLOOR,  ///< the velocity of the floor jumps
    SS_END_FINGER, ///< a finger touches, lets go, begins or ends to slip, or comes to a corner
} ss_ending;

/// The motion from one moment to the next in one mode.
typedef struct ss_segment {
    ss_phase phase;
    ss_clock clock;
    int reference; ///< spot of reference, -1 for the centre of mass
    double cx, cy; ///< its place
    double begin[SS_SLIDE_STATE], rate[SS_SLIDE_STATE], end[SS_SLIDE_STATE];
    double length;       ///< in the clock's unit
    double stiff_length; ///< of a stiff step, before it was shortened; 0 for an explicit one
    double q[3];         ///< arc: unit vector of the motion
    double speed, brake; ///< arc: along q, at t0, and how fast it falls
    double after[3];     ///< tail: velocity at its end
    double load[3];      ///< arc, tail: on the ground, of what slips
    double t0, t1;
    ss_ending ending;
    int which; ///< line, ratchet or spot of the ending
} ss_segment;

/// Where a floor that moves is in space: how its centre has moved and how it has turned since t = 0.
typedef struct ss_floor_pose {
    double x, y, angle;
} ss_floor_pose;

/// Where the body is: at the beginning of the segment under way, or at the moment shown. A floor that moves
/// is where it is seen from: see floor_motion.h. Of a floor that does not, "over the floor" is in space.
typedef struct ss_place {
    double t, x, y; ///< x, y of the centre of mass over the floor; where that turns, from its centre
    double angle;   ///< of the frame over the floor
    double spun;    ///< of the body in the frame: 0 unless the frame is a body of revolution's
    double u[3];
    double friction, input, impact; ///< work so far
} ss_place;

/// What a motion that stops at events remembers of the last instant: see ss_slider_instant.
typedef struct ss_slide_last_instant {
    bool wanted; ///< ss_slide_advance_to_event is under way
    ss_slider_state before;
    ss_support_state* supports; ///< before, one per support
    ss_slide_event* events;     ///< at most one per support
    int event_count;
} ss_slide_last_instant;

// ---- the parts of a motion

/// What the slider is made of: its supports as spots, lines, patches and ratchets.
typedef struct ss_slide_made {
    int spot_count, line_count, patch_count, ratchet_count;
    ss_spot* spots;
    int* members;
    int *lines, *patches; ///< elements
    ss_ratchet_parts* ratchets;
    int *spot_of, *line_of;   ///< of an element, -1 for none
    bool is_round;            ///< a body of revolution, and the load follows its turning as little
    int live;                 ///< components of the state that rates depend on
    bool loaded;              ///< something pushes, as seen from the floor
    bool pushed;              ///< something pushes, or the floor moves
    double pace;              ///< how fast that changes, at least 1 per unit of time
    double total_level;       ///< of all friction
    double strength;          ///< no load on the ground is larger
    double strength_of_floor; ///< its larger coefficient; 1 where it is plain
} ss_slide_made;

/// What is held and what slips, and the lists that follow from it.
typedef struct ss_slide_modes {
    bool known; ///< not at the very start
    bool *spot_held, *line_held;
    signed char*
        line_mode;     ///< of a slipping line: +1, -1; 0 where it is held, or stands for a locked ratchet
    bool* spot_off;    ///< a ratchet that rolls: its line stands for it
    int dof;           ///< left by what is held
    double project[9]; ///< onto the motions left
    double constant_load[3]; ///< of slipping lines and rolling ratchets, on a plain floor
    int slip_count;          ///< slipping discs, side by side
    double *slip_x, *slip_y, *slip_level;
    int* slip_spot;
    int odd_count; ///< other slipping spots
    int* odd;
    ss_mode* before; ///< per support, before the present instant
} ss_slide_modes;

/// How far the motion has come, and how it ended.
typedef struct ss_slide_course {
    ss_place start, now, shown;
    double asked_s; ///< the time of the moment shown, as it was asked for; NaN where it is the motion's own
    bool ended;
    ss_outcome outcome;
    long events;
    bool told_start;    ///< what is to be noted of the start
    int stalls;         ///< segments in a row that took no time and led nowhere
    double stall_speed; ///< when they began
    double rest_since;
    bool undefined;      ///< what pushes, or how the floor moves, has no value after the present segment
    bool was_carried;    ///< it lies on a floor that has not been steady since
    double kinetic;      ///< energy at the start, in space
    double floor_t;      ///< when the floor was last looked at, at the end of a segment,
    ss_floor_pose floor; ///< and where it was then
    long steps;          ///< made since the start
    ss_final_motion final;
    bool has_final;
} ss_slide_course;

/// The segment under way, and what the choice of the next one rests on.
typedef struct ss_slide_step {
    ss_segment segment;
    ss_place jump;  ///< where the first moment of slip leads
    ss_place ahead; ///< where a hold broke: the old motion a moment later
    bool has_segment, has_jump;
    bool gains;    ///< it runs on time because a straight motion gains speed
    bool straight; ///< the step under way keeps the direction `along`: nothing pushes the body off it
    double along[3], strays; ///< and how much is pushed off by rounding
    bool limit_flow;         ///< only the direction of motion matters: no convection, the load as it is now
    double time;             ///< proposed length of the next step, in time
    bool passes_rim;         ///< the last one was cut short before a rim that the centre of rotation passes
    double speed_scale;      ///< largest |u| since rest
    double path;             ///< integral of |u| since then
    double since;            ///< when it began
    double hold_slack;       ///< granted to a hold that was found to last although its margin says no
    int reference_known;     ///< spot whose velocity is kept apart, with digits of its own; -1 for none
    double reference_z[2];
    double k[SS_RK_STAGES][SS_SLIDE_STATE];
    double seen_u[SS_RK_STAGES][3], seen_a[SS_RK_STAGES][3], seen_angle[SS_RK_STAGES];
} ss_slide_step;

/// What pushes along the time.
typedef struct ss_slide_inputs {
    double *scratch, *kink_series;
    double break_from, break_to,
        break_at; ///< the next break of the load is at the last, as far as the second
} ss_slide_inputs;

/// Stiff steps (motion_stiff.c): a hold has just broken, and directions of slip are slaves of the forces.
typedef struct ss_slide_stiff {
    bool begun;
    int spot;                                       ///< the one that broke loose, -1 for the body
    double age, last;                               ///< time since then; length of the last stiff step
    double k[SS_RADAU_STAGES][SS_SLIDE_STATE];      ///< rates at the nodes of the step under way,
    double before[SS_RADAU_STAGES][SS_SLIDE_STATE]; ///< of the one before,
    double begin[SS_SLIDE_STATE];                   ///< and where that began
} ss_slide_stiff;

/// Slaved steps (motion_slaved.c): velocities are slaves of the forces, and stability alone limits explicit
/// steps.
typedef struct ss_slide_slaved {
    bool now;
    int stiff_signs, weak_signs, calm_signs; ///< explicit steps that say so, hint at it, or not
    int pause, wait;                         ///< that are not asked, and how many at the last time
    double from;                             ///< length of the explicit step before the first of them
    double paused_at;                        ///< and that when they were left
    int age;                                 ///< slaved steps in a row
    double last_explicit;        ///< time of the last step, where it was explicit and whole; else 0
    double last_u[3], last_a[3]; ///< its last stage: velocity and acceleration
    double cx, cy;               ///< place of reference of the last slaved step
} ss_slide_slaved;

/// A finger against the outline (motion_finger.h).
typedef struct ss_finger_state {
    ss_mode mode;
    bool touches;        ///< it is at the outline, with force or without
    bool leaves;         ///< it has let go and is not yet clear of the outline
    int side;            ///< where it touches; of a corner the side that begins there
    bool corner;         ///< it is in that corner
    bool begins;         ///< it has begun to slip along that side from one of its ends
    double normal[2][2]; ///< there, as in ss_contact; of a circle they follow the place
    bool convex;         ///< likewise
    double middle[2];
    double way[2];        ///< m, how far it has come since t = 0, at ss_slide_fingers.t
    double speed_in;      ///< how fast it came, where it has just given an impulse; else 0
    double rest_force[2]; ///< in the frame, where the body rests with its help
} ss_finger_state;

typedef struct ss_slide_fingers {
    ss_finger_state* each;
    int closed;                ///< how many are not open
    double t;                  ///< when `way` was added up
    bool squeezed, overloaded; ///< there is no motion from here on: fingers, or loads alone, leave none
} ss_slide_fingers;

/// Scratch of decisions and notes.
typedef struct ss_slide_work {
    bool *zero_spot, *zero_line, *stay_spot, *stay_line, *use, *stay;
    int* noted; ///< supports of a note
} ss_slide_work;

/// Where gravity varies, the slider with its levels as they are at one moment: a copy of it, made anew from
/// the original whenever another moment is looked at (motion_weight.c).
typedef struct ss_weight {
    ss_slider slider; ///< with elements of its own
    const ss_slider* original;
    double pull; ///< the gravity of its levels; NaN for none yet
} ss_weight;

struct ss_slide {
    const ss_slider* slider;
    ss_weight* weight; ///< NULL where gravity is constant; else `slider` is its copy
    ss_slide_def def;
    ss_pool pool;
    ss_image image;
    ss_slide_made made; ///< from here on the motion is saved and loaded, see motion_save.c
    ss_slide_modes mode;
    ss_slide_course course;
    ss_slide_step step;
    ss_slide_inputs inputs;
    ss_slide_stiff stiff;
    ss_slide_slaved slaved;
    ss_slide_fingers fingers;
    ss_slide_work work;
    ss_slide_last_instant instant;
};

/// A motion that has memory and no start yet.
ss_status ss_slide_make(const ss_slider* slider, const ss_slide_def* def, ss_slide** out, ss_error* err);
/// motion_save.c: tells the image where pointers stand.
void ss_slide_mark(ss_slide* s);

// ---- gravity that varies (motion_weight.c) ----

ss_status ss_slide_make_weight(ss_slide* s, ss_error* err);
/// Gives all supports the levels they have at time t. Whoever looks at loads says first when.
void ss_slide_weigh(const ss_slide* s, double t);
/// Forgets for when that was: the motion has been loaded from bytes.
void ss_slide_weigh_anew(const ss_slide* s);
/// The same for the least gravity there will be from t on; false where that is not known.
bool ss_slide_weigh_least(const ss_slide* s, double t);
/// Gravity at time t, in units of its own: 1 where it is constant.
double ss_slide_pull(const ss_slide* s, double t);
/// How fast 1/gravity falls or rises at most between t and t + h, as a share of it; 0 where it is constant.
double ss_slide_pull_pace(const ss_slide* s, double t, double h);

// ---- what contacts do (motion_contact.c) ----

/// Load of a spot that moves with velocity z; returns its power. h (may be NULL): second derivatives.
double ss_spot_load(const ss_slide* s, const ss_spot* spot, const ss_floor* floor, const double z[2],
                    double load[2], double h[4]);
/// How far the load is inside the spot's set: 1 at the middle of a disc, 0 at its rim, negative outside.
double ss_spot_margin(const ss_slide* s, const ss_spot* spot, const ss_floor* floor, const double load[2]);
void ss_spot_velocity(const ss_spot* spot, const double u[3], double z[2]);
/// The row of a line: its velocity is row . u, its load the row times a number.
void ss_line_row(const ss_slide* s, int line, double row[3]);
/// The size of its load where it moves this way, > 0 or < 0.
double ss_line_limit(const ss_slide* s, int line, const ss_floor* floor, double way);

// ---- what pushes the body besides its supports, and where that is not smooth (motion_input.c) ----

/// In the body's frame. The floor's motion counts where it lies under the body, spin included.
typedef struct ss_pushes {
    double real[3];  ///< loads, and the weight on an inclined floor
    double seen[3];  ///< the same as seen from the floor, with what inertia adds where that moves
    double floor[3]; ///< the motion of a body that rides on the floor
} ss_pushes;
void ss_slide_pushes(const ss_slide* s, const ss_place* at, ss_pushes* out);
/// `seen` alone.
void ss_slide_applied(const ss_slide* s, const ss_place* at, double load[3]);
/// The power that comes in at a motion u over the floor, with a load on the ground: of the loads and the
/// weight, and of the floor.
double ss_slide_input_power(const ss_pushes* pushes, const double u[3], const double ground[3]);
/// The load on the ground of all that touches it, with that of what slips.
void ss_slide_whole_load(const ss_slide* s, const ss_place* at, const ss_pushes* pushes,
                         const double slipping[3], double ground[3]);
/// The Taylor series of `seen` for a body that lies, per unit of time; false where there is none.
enum { SS_PUSH_ORDER = 8 };
bool ss_slide_push_series(const ss_slide* s, const ss_place* at, double c[3][SS_PUSH_ORDER + 1]);
/// Kinetic energy in space.
double ss_slide_kinetic(const ss_slide* s, const ss_place* at);

/// The first break of the load after t, as far as t + within; later ones may be told as INFINITY.
double ss_slide_next_break(ss_slide* s, double t, double within);
size_t ss_slide_kink_room(const ss_slider* slider); ///< doubles for kink_series

// ---- ratchets (motion_ratchet.c) ----

void ss_ratchet_add(ss_slide* s, int element);
/// Of the contacts at rest: sorts out those of ratchets.
void ss_ratchet_find_zeros(ss_slide* s, ss_ending ending, int which);
/// Lets those that were decided enter their mode; x is the acceleration.
void ss_ratchet_enter(ss_slide* s, const double x[3]);
/// Whether one that does not move stays so under the acceleration x.
bool ss_ratchet_stays(const ss_slide* s, int ratchet, const double x[3]);
/// Positive where the ratchet rolls at u, negative where it is locked; whatever its mode.
double ss_ratchet_roll_speed(const ss_slide* s, int ratchet, double angle, const double u[3]);
/// Of one that does not move: the most power its loads can take at a velocity z, that load, and one in the
/// midst of its loads.
double ss_ratchet_power(const ss_slide* s, const ss_spot* spot, const ss_floor* floor, const double z[2],
                        double load[2]);
void ss_ratchet_middle(const ss_slide* s, const ss_spot* spot, const ss_floor* floor, double load[2]);
double ss_ratchet_margin(const ss_slide* s, const ss_spot* spot, const ss_floor* floor, const double load[2]);
ss_mode ss_ratchet_mode(const ss_slide* s, int element);

// ---- rates (motion_rate.c) ----

/// The projection on the motions that leave the flagged spots and lines at rest. Returns their dimension.
int ss_slide_subspace(const ss_slide* s, const bool spots[], const bool lines[], double project[9]);
/// Sets up what the present mode needs: subspace, lists of what slips.
void ss_slide_set_mode(ss_slide* s);
/// Load of all that slips, at u; the acceleration in the body frame without what is held:
/// applied - load + convection.
void ss_slide_slip_load(const ss_slide* s, const double u[3], double angle, double load[3]);
/// The same, told by the velocity z of a place (cx, cy), which keeps its own digits, and the spin.
void ss_slide_load_about(const ss_slide* s, double cx, double cy, const double z[2], double spin,
                         double angle, double load[3]);
void ss_slide_free_acceleration(const ss_slide* s, const ss_place* at, double a[3]);
/// The same without fingers; at rest what is applied.
void ss_slide_alone_acceleration(const ss_slide* s, const ss_place* at, double a[3]);
/// How fast the frame turns, which inertia feels: not at all where only directions matter.
static inline double ss_slide_frame_spin(const ss_slide* s, const double u[3])
{
    return s->step.limit_flow || s->made.is_round || s->slider->quasistatic ? 0.0 : u[2];
}
/// Turns the body, and its frame unless that keeps the directions of space.
void ss_slide_turn(const ss_slide* s, double turn, ss_place* at);
/// The angle of the frame in the step under way.
static inline double ss_slide_angle_at(const ss_slide* s, const double y[])
{
    return s->course.now.angle + (s->made.is_round ? 0.0 : y[SS_Y_ANGLE]);
}
/// The component of a that what is held allows.
void ss_slide_project(const ss_slide* s, const double a[3], double out[3]);
/// dt/ds of the segment's clock at a state, and its velocity u.
double ss_slide_clock(const ss_segment* segment, const double y[], const double u[3]);
void ss_slide_velocity(const ss_segment* segment, const double y[], double u[3]);
/// Whether the body translates, or turns about its centre of mass, and nothing pushes it off that; what is
/// only rounding of its velocity is taken out.
bool ss_slide_is_straight(ss_slide* s);
/// dy/ds of the segment under way (an ss_rk_rate; user is the ss_slide). Notes u, acceleration and angle by
/// stage.
void ss_slide_rate(void* user, const double y[], int stage, double dy[]);

// ---- flow (motion_flow.c), stiff steps (motion_stiff.c), what happens meanwhile (motion_watch.c) ----

/// The state after a part of the step under way.
void ss_slide_partial(ss_slide* s, double length, double y[]);
void ss_slide_place(const ss_slide* s, const double y[], ss_place* out);
/// Shortens a step to the first thing that happens in it; y is its end.
void ss_slide_watch(ss_slide* s, double y[]);
/// Whether what broke loose is still so slow that the next step must be a stiff one; may shorten that step.
bool ss_slide_stays_stiff(ss_slide* s);
/// Makes a stiff step, with y as its end; false where that is of no use.
bool ss_slide_stiff_step(ss_slide* s, double y[]);
/// The same for a motion whose velocities are slaves of the forces; the segment is as it was where it fails.
bool ss_slide_slaved_step(ss_slide* s, double y[]);
void ss_slide_stiff_partial(ss_slide* s, double length, double y[]);
// ---- whether explicit steps are short for nothing but stability (motion_slaved.c) ----

/// Looks at the beginning of a step, with the stages of the explicit one before it still there.
void ss_slide_watch_stability(ss_slide* s);
/// Whether slaved steps are still worth their price; may shorten the next one.
void ss_slide_keep_slaved(ss_slide* s);
void ss_slide_leave_slaved(ss_slide* s);
/// How long the next slaved step may be.
double ss_slide_slaved_length(ss_slide* s);
/// How long a step may be for the turning of the body, by at most one half.
double ss_slide_turn_limit(const ss_slide* s);
/// And for the centre of rotation, which may come to the rim of a patch (motion_rim.c); INFINITY for none.
/// sure: whatever the centre does; hoped: if it does not pass the rim, which the next function sees.
void ss_slide_rim_limit(const ss_slide* s, double* sure, double* hoped);
/// The same for a step that was tried and took a time h, now that its end is known.
double ss_slide_rim_verdict(const ss_slide* s, double h);

/// Makes the next segment from s->course.now.
void ss_slide_make_segment(ss_slide* s);
/// The place at time t of the step under way.
void ss_slide_look_step(ss_slide* s, double t, ss_place* out);
/// Where the body is at a time of the segment under way (motion_segments.c).
void ss_slide_look(ss_slide* s, double t, ss_place* out);
/// Shows a slider that has come to rest on a floor that moves at a later time t (s).
void ss_slide_carry(ss_slide* s, double t);
/// Moves s->course.now to the end of the step.
void ss_slide_finish_step(ss_slide* s);

// ---- decisions (motion_select.c) ----

/// Decides every contact that does not move, together, and begins the new mode.
void ss_slide_select(ss_slide* s, ss_ending ending, int which);
/// All supports and fingers as ss_slide_support tells them, at the price of a few.
void ss_slide_supports(const ss_slide* slide, ss_support_state out[]);
/// The mode of a support as people see it.
ss_mode ss_slide_mode(const ss_slide* s, int support);
/// A load or motion at that place, from the frame to the body.
void ss_slide_to_body(const ss_place* at, double load[3]);
/// Passes the end of the segment under way without telling anybody.
void ss_slide_pass_silently(ss_slide* s);
/// Whether there is only one way to share the load among what is held.
bool ss_slide_is_determined(const ss_slide* s);
/// Where forces are looked at: the moment shown, or, where something has just begun to slip and has no speed
/// yet, the next one; where the body has just stopped, its last motion, as good as none.
ss_place ss_slide_force_place(const ss_slide* s);
/// The load on the ground at a place in the present mode.
void ss_slide_total_load(const ss_slide* s, const ss_place* at, double load[3]);

// ---- stopping (motion_stop.c), arcs (motion_arc.c), rest (motion_rest.c) ----

/// Whether the step's clock has come so near to a stop that the rest is known; makes it the segment then.
bool ss_slide_find_tail(ss_slide* s);
/// Load and second derivatives of the power of all that slips, at u.
void ss_slide_hessian(const ss_slide* s, const double u[3], ss_power* sum);
/// Principal radii of curvature of the limit surface of what slips, at u/|u|, among the directions the mode
/// leaves, and these directions. Returns their number.
int ss_slide_radii(const ss_slide* s, const double u[3], double value[2], double across[2][3]);
void ss_slide_look_tail(const ss_slide* s, double t, ss_place* out);
/// The load on the ground just before the spot of the tail under way stops.
void ss_slide_last_load(const ss_slide* s, double load[3]);
/// The same before the body stops, along its final motion; load is left as it is where that leaves a choice.
void ss_slide_final_load(const ss_slide* s, double load[3]);
bool ss_slide_make_arc(ss_slide* s);
void ss_slide_look_arc(const ss_slide* s, double t, ss_place* out);
void ss_slide_make_rest(ss_slide* s);
/// At rest: how far inside the limit surface the applied load is at time t; 1 for none, 0 on the surface.
double ss_slide_rest_margin(const ss_slide* s, double t);
/// By how much the frame still turns in the tail that ends at rest.
double ss_slide_turn_left(const ss_slide* s);
/// Follows the direction of motion to its limit, from the segment that ends at rest.
void ss_slide_find_final(ss_slide* s);
/// How far the loads of what is held are inside their sets, where a is the acceleration without them;
/// negative where they cannot hold.
double ss_slide_hold_margin(const ss_slide* s, double angle, const double a[3]);

#endif
