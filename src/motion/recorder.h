// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The inside of a motion: a run, what it is asked for, and its record.
#ifndef SLIPSTICK_MOTION_RECORDER_H
#define SLIPSTICK_MOTION_RECORDER_H

#include "motion/moments.h"
#include "motion/motion_record.h"
#include "motion/sketch_store.h"
#include "motion/step_part.h"
#include "slider/motion/slide_impl.h"

typedef struct ss_recorder ss_recorder;

/// What a recorder needs of what it records: bodies.c and sliding.c.
typedef struct ss_recorder_source {
    ss_status (*create)(ss_recorder* recorder, ss_error* err);
    void (*destroy)(ss_recorder* recorder);
    ss_status (*advance)(ss_recorder* recorder, double t, ss_outcome* outcome, ss_error* err);
    /// The same, but also stops right after the next instant with events.
    ss_status (*advance_to_event)(ss_recorder* recorder, double t, bool* at_event, ss_outcome* outcome,
                                  ss_error* err);
    ss_outcome (*conclude)(ss_recorder* recorder);
    double (*time)(const ss_recorder* recorder);
    ss_moment (*look)(ss_recorder* recorder, double t); ///< the present state as of t, until the next look
    ss_moment (*look_before)(ss_recorder* recorder, double t); ///< that before the events just passed
    void (*finish)(ss_recorder* recorder);                     ///< fills what is known only at the end
    void (*give_back)(ss_recorder* recorder);                  ///< leaves the run to the next motion; or NULL
    // For sketches: the stretch ahead, at most up to `until`; a look at it after some share of it, from 0 at
    // the present to 1 at its end; and back to the present.
    ss_stretch (*reach)(ss_recorder* recorder, double until);
    void (*peek)(ss_recorder* recorder, double share);
    void (*put_back)(ss_recorder* recorder);
} ss_recorder_source;

extern const ss_recorder_source ss_bodies_source, ss_slider_source;

/// The state that was looked at last.
typedef struct ss_present {
    double *x, *v, *limit_x, *limit_states, *deflections, *numbers, *derivatives;
    double *start_x, *start_v; ///< copies of those of the definition, or NULL
    ss_contact_state* contacts;
    ss_slider_state slide;
    ss_support_state* supports;
} ss_present;

/// The stretch ahead that is peeked at.
typedef struct ss_ahead_part {
    ss_step_part step; ///< of bodies
    ss_place shown;    ///< of a slider: the present,
    double asked, to;  ///< as it was asked for, s; the end, in the slider's unit of time
    bool under_way;    ///< the run is looked at elsewhere than where it is
} ss_ahead_part;

struct ss_recorder {
    ss_motion shown; ///< what readers see; first
    ss_motion_def def;
    const ss_recorder_source* source;
    ss_sim* sim;
    ss_derivative* derivative; ///< of the run, or NULL
    ss_slide* slide;
    ss_present present;
    ss_record record;
    ss_sketch_store* store; ///< for pictures, or NULL
    ss_ahead_part ahead;
    ss_moments moments;
    ss_outcome reached; ///< how the run came to its end, before the verdict,
    double reached_t;   ///< s: and when
    double row_t;       ///< s: of the last moment taken
    bool stopped;       ///< it cannot go on
};

/// For the runs to call now and then.
bool ss_recorder_keeps_going(void* recorder, double t);
/// For the runs to give their notes to.
void ss_recorder_note(void* recorder, const ss_note* note);

#endif
