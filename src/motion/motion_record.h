// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a motion leaves behind, in growing arrays.
#ifndef SLIPSTICK_MOTION_MOTION_RECORD_H
#define SLIPSTICK_MOTION_MOTION_RECORD_H

#include "slipstick/motion.h"

typedef struct ss_record {
    int bodies, contacts, elements, numbers, supports; ///< the width of a row
    int directions, derivative_width;                  ///< likewise
    size_t rows, row_room;
    double *t, *x, *v, *deflections, *open;
    struct {
        double *rows, *events; ///< directions x derivative_width to a row; directions to an event
        size_t event_room;
    } derivatives;
    ss_contact_state* states;
    ss_slider_state* slides;
    ss_support_state* support_states;
    ss_event* events;
    ss_slide_event* slide_events;
    size_t event_count, event_room;
    ss_note* notes; ///< each with contacts of its own
    size_t note_count, note_room;
    ss_branch* branches;
    size_t branch_count, branch_room;
    bool failed; ///< something could not be kept for want of memory
} ss_record;

void ss_record_free(ss_record* record);
/// derivatives: one per direction, of its time; may be NULL where there are none.
void ss_record_add_event(ss_record* record, const ss_event* event, const double derivatives[]);
void ss_record_add_slide_event(ss_record* record, const ss_slide_event* event);
void ss_record_add_note(ss_record* record, const ss_note* note);
void ss_record_add_branch(ss_record* record, const ss_branch* branch);
void ss_record_add_row(ss_record* record, const ss_moment* moment);

/// Puts a copy of one row in the place of another.
void ss_record_move_row(ss_record* record, size_t from, size_t to);

/// The rows, for their readers.
ss_motion_rows ss_record_rows(const ss_record* record);
/// Shows what there is to the readers of the motion.
void ss_record_publish(const ss_record* record, ss_motion* motion);

#endif
