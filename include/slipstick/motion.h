// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion with its record: runs bodies or a slider from the start to the end and keeps, in arrays, what is
// wanted of the way: states at given moments or at events, all events, notes, branches and the energy. The
// run itself is in slipstick/simulation.h and slipstick/sliding.h, which allocate nothing on the way; a
// motion does. All numbers are SI.
//
//     ss_motion_def def = ss_motion_def_default();
//     ss_motion* motion;
//     def.until = 10.0; // s
//     def.every = 0.1;  // s
//     ss_status status = ss_motion_create(model, &def, &motion, &err);
//     if (status == SS_OK) status = ss_motion_run(motion, &err);
//     for (size_t k = 0; status == SS_OK && k < motion->rows.count; k++)
//         printf("%g %g\n", motion->rows.t[k], motion->rows.x[k * bodies]); // s, m
//     ss_motion_destroy(motion);
#ifndef SLIPSTICK_MOTION_H
#define SLIPSTICK_MOTION_H

#include "slipstick/derivative.h"
#include "slipstick/sliding.h"

#include <math.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One moment of a motion. Arrays have one element per body, contact or support; what moves is either bodies
/// or a slider, and the members of the other are NULL.
typedef struct ss_moment {
    double t;            ///< s
    const double *x, *v; ///< m and m/s, or rad and rad/s
    const ss_contact_state* contacts;
    const double*
        deflections; ///< m: those of all contacts, one after the other: see ss_contact_info.elements_told
    const double* numbers;     ///< states, signals, inputs, memory of an open model: see ss_sim_numbers
    const double* derivatives; ///< of bodies, per direction: x and v of all bodies, forces of all contacts,
                               ///< numbers; NaN where there is none. NULL without directions
    const ss_slider_state* slide;     ///< of a slider
    const ss_support_state* supports; ///< of a slider
} ss_moment;

/// Takes a moment, which is borrowed during the call; false ends the motion as interrupted.
typedef bool (*ss_moment_sink)(void* user, const ss_moment* moment);

typedef struct ss_motion_def {
    size_t size;                     ///< set by ss_motion_def_default
    const double *start_x, *start_v; ///< one per body, or NULL for the model's own start (sliders: their own)
    double until;                    ///< s; NaN: as the model says
    const double* at;                ///< s: moments that are wanted, ascending, none after until; borrowed
    int at_count;
    double every;       ///< s: further moments 0, every, 2 every, .. up to the end; 0: none
    bool at_events;     ///< the start, every instant with events, right after it, and the end as well
    bool before_events; ///< with at_events: also the side just before each such instant
    bool keep;          ///< keep the moments as rows; default true. Otherwise only on_moment sees them
    bool sketch;        ///< keep what pictures need as well: see ss_motion_sketch
    double sketch_from, sketch_to;  ///< s: what of it is to be drawn; sketch_to = 0: up to the end
    double tolerance;               ///< relative error per step where the flow is not closed form; 1e-10
    long max_events;                ///< 1e6
    double escape;                  ///< m or rad: end where some |x - x_start| exceeds it; INFINITY
    const ss_direction* directions; ///< in which the motion of bodies is differentiated; borrowed
    int direction_count;
    ss_sim** spare;           ///< where the run is kept for the next motion, or NULL: see ss_motion_create
    ss_moment_sink on_moment; ///< sees every wanted moment as the motion passes it; may be NULL
    ss_keep_going keep_going; ///< called now and then; false ends the motion; may be NULL
    void* user;
} ss_motion_def;

static inline ss_motion_def ss_motion_def_default(void)
{
    ss_motion_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.until = NAN;
    def.keep = true;
    def.tolerance = 1e-10;
    def.max_events = 1000000;
    def.escape = INFINITY;
    return def;
}

/// Moments that were kept, each quantity in one array, moment after moment: x[k * bodies + b].
typedef struct ss_motion_rows {
    size_t count;
    const double* t;                  ///< s
    const double *x, *v;              ///< count x bodies
    const ss_contact_state* contacts; ///< count x contacts
    const double* deflections;        ///< count x elements
    const double* numbers;            ///< count x numbers: see ss_moment
    const double* derivatives;        ///< count x directions x derivative_width
    const ss_slider_state* slides;    ///< of a slider
    const ss_support_state* supports; ///< count x supports
    const bool*
        joined; ///< of a sketch: whether all is kept between this row and the one before it, so that a line
                ///< may join the two; false where a long motion had to leave something out. Else NULL
    int bodies, contact_count, elements, support_count; ///< the width of a row
    int number_count;                                   ///< likewise
    int derivative_width; ///< of one direction: 2 bodies + contact_count + number_count
} ss_motion_rows;

/// What is known of a motion: constant for its readers, changed by ss_motion_run alone. Arrays belong to the
/// motion and live as long as it does.
typedef struct ss_motion {
    const ss_model* model;   ///< NULL for a slider
    const ss_slider* slider; ///< NULL for bodies
    ss_outcome outcome;      ///< SS_INTERRUPTED also where the run could not go on
    ss_moment end;           ///< where the motion has ended; of rest, when it began
    ss_energy energy;
    bool settles;               ///< of bodies whose time is up: the rest provably decays,
    const double* limit_x;      ///< to this place; one per body,
    const double* limit_states; ///< and these states of an open model
    bool has_final;             ///< of a slider at rest: how it came to it
    ss_final_motion final;
    ss_motion_rows rows;
    size_t event_count;
    const ss_event* events; ///< of bodies
    int direction_count;    ///< in which it is differentiated
    const ss_direction* directions;
    const double* event_derivatives;    ///< event_count x directions: of the times of the events, NaN: none
    const ss_slide_event* slide_events; ///< of a slider
    size_t note_count;
    const ss_note* notes;
    size_t branch_count;
    const ss_branch* branches; ///< of contacts with bristles, the last ones cut off by the end
} ss_motion;

/// Prepares a motion; modes and forces at t = 0 are decided here, and a start that cannot be is refused. The
/// model must outlive the motion.
///
/// Many motions of one model are faster with a spare run: what a run has computed of the modes of its model
/// serves the next one as well. *def->spare is NULL or a run that an earlier motion of the same model has
/// left there. It is taken now, or destroyed where it was made for another tolerance or escape; when the
/// motion has run, its own is left there instead (unless it is differentiated, or another is there by then),
/// to be destroyed by the caller. The numbers are the same, to the bit. A spare serves one motion at a time.
SS_API ss_status ss_motion_create(const ss_model* model, const ss_motion_def* def, ss_motion** out,
                                  ss_error* err);
/// The same for a slider.
SS_API ss_status ss_motion_create_sliding(const ss_slider* slider, const ss_motion_def* def, ss_motion** out,
                                          ss_error* err);
/// Runs to the end, once. Where that fails (memory for the record runs out, an input makes no sense from some
/// time on), the motion holds what was computed until then.
SS_API ss_status ss_motion_run(ss_motion* motion, ss_error* err);
SS_API void ss_motion_destroy(ss_motion* motion); ///< NULL is welcome

/// A row as a moment; borrowed from the motion.
SS_API ss_moment ss_motion_row(const ss_motion* motion, size_t row);

/// What a motion with `sketch` has kept for pictures: moments so close together that straight lines between
/// them are smooth, and both sides of instants with events; a motion that rests is shown a little longer than
/// it lasts. However long the motion, there are at most some ten thousand of them. No rows without `sketch`.
/// Borrowed from the motion.
SS_API ss_motion_rows ss_motion_sketch(const ss_motion* motion);

/// Whether the ledger does not close as it should, the cheapest sign that a motion is not what it should be;
/// then says so in a sentence of at most size bytes.
SS_API bool ss_energy_warning(const ss_energy* energy, char* out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
