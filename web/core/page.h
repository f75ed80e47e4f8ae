// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the page in the browser asks of the library, in forms that JavaScript can call: numbers, addresses and
// texts that end with NUL. A page holds one model with its motion, its running trial and its map; texts that
// answer stay until the next question. Every function that can fail returns false and leaves the error.
#ifndef SLIPSTICK_PAGE_H
#define SLIPSTICK_PAGE_H

#include "share/blocks.h"
#include "slipstick/lab.h"

#define EXPORT(name) __attribute__((export_name(#name)))

enum { PAGE_AXES = 8 };

typedef struct page {
    ss_document* document;
    ss_model* model;   // either this
    ss_slider* slider; // or that
    ss_motion* motion; // the last one that was run
    double* table;     // its rows as numbers
    ss_sim* trial;     // a motion that is led by hand
    double* trial_row;
    ss_basin_axis axes[PAGE_AXES];
    char paths[PAGE_AXES][128]; // of the axes
    int axis_count;
    ss_basin* basin;
    ss_basin_pool* pool;
    ss_basin_answer block; // the one handed over last
    ss_mesh mesh;
    char* text; // the last answer
    size_t length;
    ss_error err;
} page;

/// Options of the questions; NaN: not given.
typedef struct page_options {
    double until, every, period; // s
    double escape;               // m or rad
    double tolerance, max_events;
} page_options;

/// Puts an answer (or the error of making it) where JavaScript reads it, and destroys it.
bool page_report(page* p, ss_status status, ss_answer* answer);
/// Fails unless the page has a model, or a slider.
bool page_needs_model(page* p);
bool page_needs_slider(page* p);

/// A moment as numbers: how many, and what they are. Bodies: t, x and v of each, then mode, force, velocity,
/// limit and deflection of each contact, then the numbers of an open model, then the deflections of elements.
/// Sliders: t, x, y, angle, vx, vy, spin, the load on the ground (3) in the body frame, vx, vy and spin over
/// the floor, then mode and force (3) of each support.
int page_row_width(const page* p);
void page_fill_row(page* p, const ss_moment* moment, bool instant, double out[]);

/// Forget what depends on the model.
void page_forget_motion(page* p);
void page_forget_trial(page* p);
void page_forget_map(page* p);

#endif
