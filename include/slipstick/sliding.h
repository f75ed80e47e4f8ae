// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One motion of a slider: state, mode and scratch of one trajectory, one per thread. Nothing is allocated
// after ss_slide_create. SI units.
#ifndef SLIPSTICK_SLIDING_H
#define SLIPSTICK_SLIDING_H

#include "slipstick/batch.h"
#include "slipstick/slider.h"

#include <math.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A support begins or ends to slip: slip and stick of points and patches, slip+, slip- and stick of wheels
/// (along the axle). Or a finger does: open, stick, slip+ and slip-, where it moves over the slider along the
/// counter-clockwise tangent of the outline; fingers are numbered after the supports. The loads on the ground
/// are those just before and after, (Fx, Fy, M) in the body frame.
typedef struct ss_slide_event {
    double t;
    int support;
    ss_mode from, to;
    double load_before[3], load_after[3];
    double speed_in; ///< m/s: how fast a finger came that gave an impulse, and does not any more; else 0
} ss_slide_event;

typedef void (*ss_slide_event_sink)(void* user, const ss_slide_event* event);

typedef struct ss_slide_def {
    size_t size;               ///< set by ss_slide_def_default
    const double* start;       ///< x, y in m, angle in rad; NULL for the slider's own start
    const double* start_speed; ///< vx, vy in m/s, spin in rad/s, space frame; NULL likewise
    double
        tolerance;   ///< relative error per step where the motion is not closed form, as in ss_sim_def; 1e-10
    long max_events; ///< 1e6
    double escape;   ///< m: end where the centre is farther than this from its start; INFINITY
    ss_slide_event_sink on_event; ///< called in order of time as the run passes them; may be NULL
    ss_note_sink on_note;         ///< its contacts are supports
    ss_keep_going keep_going;
    void* user;
} ss_slide_def;

static inline ss_slide_def ss_slide_def_default(void)
{
    ss_slide_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.tolerance = 1e-10;
    def.max_events = 1000000;
    def.escape = INFINITY;
    return def;
}

typedef struct ss_slide ss_slide;

/// The slider must outlive the motion.
SS_API ss_status ss_slide_create(const ss_slider* slider, const ss_slide_def* def, ss_slide** out,
                                 ss_error* err);
/// Starts the same object anew from another state (arrays as in ss_slide_def), without allocating.
SS_API ss_status ss_slide_restart(ss_slide* slide, const double start[3], const double start_speed[3],
                                  ss_error* err);
/// Goes on until time until_s or to the end of the motion, whichever is first. The motion does not depend on
/// how many calls it is cut into. After the motion has ended, further calls change nothing. SS_NOT_FOUND
/// where fingers leave the slider no motion, or loads alone would move one without inertia: it stays there.
SS_API ss_status ss_slide_advance(ss_slide* slide, double until_s, ss_outcome* outcome, ss_error* err);
/// Like ss_slide_advance, but also stops at the next instant with events, right after it: *at_event says
/// whether it did. The motion is the same, to the bit, however it is cut into calls of either kind.
SS_API ss_status ss_slide_advance_to_event(ss_slide* slide, double until_s, bool* at_event,
                                           ss_outcome* outcome, ss_error* err);
/// The verdict if the run ends at the present time: SS_AT_REST also where the slider has been at rest from
/// some time up to now under loads whose future is not known. Otherwise the outcome of the last advance.
SS_API ss_outcome ss_slide_conclude(ss_slide* slide);
SS_API void ss_slide_destroy(ss_slide* slide); ///< NULL is welcome

/// A motion as plain bytes; as ss_sim_save, ss_sim_load and ss_sim_copy.
SS_API size_t ss_slide_save_size(const ss_slide* slide);
SS_API ss_status ss_slide_save(const ss_slide* slide, void* buffer, size_t size, ss_error* err);
SS_API ss_status ss_slide_load(ss_slide* slide, const void* buffer, size_t size, ss_error* err);
SS_API ss_status ss_slide_copy(const ss_slide* slide, ss_slide** out, ss_error* err);

/// The time the run has reached; at rest for good, when rest began.
SS_API double ss_slide_time(const ss_slide* slide);
SS_API long ss_slide_event_count(const ss_slide* slide);

/// Centre of mass and orientation in the space frame, at ss_slide_time.
typedef struct ss_slider_state {
    double x, y;        ///< m
    double angle;       ///< rad, counter-clockwise, not reduced
    double vx, vy;      ///< m/s
    double spin;        ///< rad/s
    double relative[3]; ///< vx, vy and spin over the floor, which may move; space axes
} ss_slider_state;
SS_API ss_slider_state ss_slide_state(const ss_slide* slide);
/// Whether the slider rests on a floor that moves on, and will for ever: it is carried, and not at rest.
SS_API bool ss_slide_settles(const ss_slide* slide);

/// What a support does at ss_slide_time. Forces act on the slider.
typedef struct ss_support_state {
    ss_mode mode;
    int count;       ///< of components: 1 for a wheel, 2 for a point or a finger, 3 for a patch
    double force[3]; ///< wheel: N along the axle; point: Fx, Fy in N, space frame; patch: also M in N*m about
                     ///< the centre of mass
    double limit;    ///< N: mu times the load it carries; of an ellipse, the larger half axis; of a finger mu
                     ///< times its normal force
    bool determined; ///< false: other forces hold as well; this is the least-norm choice
    double place[2]; ///< m, in space: where a finger is; 0, 0 of a support
} ss_support_state;
/// Fingers follow the supports. Of a support that there is not: sticking, with no component.
SS_API ss_support_state ss_slide_support(const ss_slide* slide, int support);

/// The instant at which ss_slide_advance_to_event stopped last; borrowed until the next advance. State and
/// supports after it are those of the run itself.
typedef struct ss_slider_instant {
    const ss_slide_event* events;     ///< in the order of the supports and fingers; at most one each
    int event_count;                  ///< 0 before the first stop at an event
    ss_slider_state before;           ///< just before
    const ss_support_state* supports; ///< one per support and finger, just before
} ss_slider_instant;
SS_API ss_slider_instant ss_slide_instant(const ss_slide* slide);

/// The load on the ground, (Fx, Fy, M) in the body frame, in N and N*m.
SS_API void ss_slide_ground_load(const ss_slide* slide, double load[3]);

/// start + input = end + friction + residual, in J; damping and impact are 0.
SS_API ss_energy ss_slide_energy(const ss_slide* slide);

/// How a slider came to rest: the limit of its direction of motion.
typedef struct ss_final_motion {
    double q[3];      ///< unit vector (vx, vy, spin * radius of gyration) in the body frame
    bool translates;  ///< the spin is 0: no centre of rotation
    double center[2]; ///< of rotation, m, body frame
    bool converged;   ///< q is an eigen-direction whose attraction is proved, or the only motion left
} ss_final_motion;
/// False where the slider is not at rest, or was from the start.
SS_API bool ss_slide_final_motion(const ss_slide* slide, ss_final_motion* out);

// ---- many motions of one slider

typedef struct ss_slide_result {
    ss_fate fate;   ///< a slider that rides on its floor rests
    bool settles;   ///< rest: on a floor that never moves steadily, but provably holds it for ever
    bool limited;   ///< moving: because of max_events
    bool has_final; ///< it came to rest from a motion, and `final` tells from which
    double t;       ///< s: rest, since when; otherwise the end of the run
    long events;    ///< changes of mode up to t
    ss_final_motion final;
} ss_slide_result;

/// What ss_slide_batch is given and gives; arrays are row-major with one row of three per start.
typedef struct ss_slide_starts {
    size_t count, first;         ///< first: the number errors give to the first of them
    const double *place, *speed; ///< x, y, angle; vx, vy, spin. NULL: the slider's own
    ss_slide_result* results;    ///< one per start
    double *end, *end_speed;     ///< the same at result.t; may be NULL
} ss_slide_starts;

/// Runs every start; def may be NULL for the defaults, of which sliders use until (which may be infinite),
/// escape (a distance of the centre from its start), tolerance, max_events and keep_going. What becomes of a
/// start depends on nothing but the slider, the definition and that start. Fails at the first start that
/// makes no sense or whose motion cannot go on (fingers that squeeze it); the error names it, and results are
/// then not complete.
SS_API ss_status ss_slide_batch(const ss_slider* slider, const ss_batch_def* def,
                                const ss_slide_starts* starts, ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
