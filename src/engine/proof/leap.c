// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Leaps: a motion in a mode that is proved to last, at any time up to which it does.
//
// Either the mode is the last one (settle.c), and the rest of the motion is known however far away; or no
// contact can end it for a while (window.c), which a model with fast and slow modes crosses in one go, where
// steps would go by the fast ones. Every state is found by propagators (propagator.h) from the one in which
// the leap began, wherever it was asked for before: a run may be cut anywhere.
//
// In a mode that does not decay squaring multiplies the rounding of a cell by the number of cells. Such
// motions leap to any time only where no contact could ever end the mode, after so many steps that stepping
// on would not be better, and over so many cells as leave digits.
#include "engine/proof/leap.h"
#include "engine/flow/contact.h"
#include "engine/flow/input_series.h"
#include "engine/flow/linear/constant_works.h"
#include "engine/flow/motion_series.h"
#include "engine/proof/propagator.h"
#include "engine/proof/window.h"
#include "engine/way/way.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    FIRST_TRY = 512,    // steps without an event before it is asked whether another can come
    WINDOW_TRY = 128,   // before it is asked how long none can
    EARLY_TRY = 4,      // the same in a mode that has had a window before: its matrices are at hand
    FREE_TRY = 1 << 17, // the same of a motion without contacts, whether it decays or not
    MODES = 8           // that are remembered
};
static const double most_cells = 4e11;   // of a motion that does not decay: times epsilon it is 1e-4
static const double least_window = 64.0; // cells: a step by series crosses eight of them

struct ss_leap {
    bool begun, decays;
    long tries;  // step of the mode at which the proof that it is the last one is tried next
    long search; // the same of the search for a window
    bool early;  // it has not been tried at EARLY_TRY
    long since;  // steps since the last event
    ss_propagators* cells;
    struct ss_window* window; // of a model whose energy never grows, or NULL
    unsigned char* seen;      // MODES x contacts: modes of this run that have had windows
    int seen_count;           // of all times: the last MODES of them are remembered
    double *u, *moved;        // scratch: rates and waves, twice; n
    // where it began
    double t, *start, *gap; // s; q and q'; contacts
    ss_energy energy;
    double end_cells; // that it may last: INFINITY for ever
};

void ss_leap_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    sim->proof.leap = NULL;
    bool suits = !model->open && !model->nature.one_way && (model->nature.steady || model->nature.linear) &&
                 model->n > 0 && model->n <= SS_PROPAGATOR_LARGEST && model->bounds.rate > 0.0;
    if (!suits || model->drive_count > 0 || sim->step.laws.elastic_count > 0 ||
        sim->step.laws.bristle_count > 0 || isfinite(sim->def.escape))
        return;
    struct ss_leap* leap = ss_pool_new(&sim->pool, 1, sizeof *leap);
    if (!leap) return;
    leap->cells = ss_propagators_allocate(sim);
    if (!leap->cells) return;
    size_t n = (size_t)model->n, m = (size_t)model->contact_count, d = sizeof(double);
    leap->window = ss_window_allocate(sim);
    leap->seen = ss_pool_new(&sim->pool, MODES * m, 1);
    leap->u = ss_pool_spare(&sim->pool, 2 * (size_t)ss_propagator_size(sim, leap->cells), d);
    leap->moved = ss_pool_spare(&sim->pool, n, d);
    leap->start = ss_pool_new(&sim->pool, 2 * n, d);
    leap->gap = ss_pool_new(&sim->pool, m, d);
    sim->proof.leap = leap;
}

void ss_leap_mark(ss_sim* sim)
{
    static const size_t pointers[] = {offsetof(struct ss_leap, cells), offsetof(struct ss_leap, window),
                                      offsetof(struct ss_leap, seen),  offsetof(struct ss_leap, u),
                                      offsetof(struct ss_leap, moved), offsetof(struct ss_leap, start),
                                      offsetof(struct ss_leap, gap)};
    struct ss_leap* leap = sim->proof.leap;
    if (leap)
        ss_image_mark_pointers(&sim->image, leap, 1, sizeof *leap, pointers,
                               sizeof pointers / sizeof *pointers);
}

// The present mode goes on, and when the next leap is tried counts from here.
static void begin_count(struct ss_leap* leap)
{
    leap->begun = false;
    leap->since = 0;
    leap->tries = FIRST_TRY;
    leap->search = WINDOW_TRY;
    leap->early = true;
}

void ss_leap_restart(ss_sim* sim)
{
    if (sim->proof.leap) begin_count(sim->proof.leap);
}

void ss_leap_forget(ss_sim* sim)
{
    if (sim->proof.leap) sim->proof.leap->seen_count = 0;
}

void ss_leap_count(ss_sim* sim)
{
    if (!sim->proof.leap) return;
    sim->proof.leap->since++;
    if (ss_ends_in_event(&sim->step)) ss_leap_restart(sim);
}

// Whether this run has had a window in the present mode.
static bool is_seen(const ss_sim* sim)
{
    const struct ss_leap* leap = sim->proof.leap;
    size_t m = (size_t)sim->model->contact_count;
    int count = leap->seen_count < MODES ? leap->seen_count : MODES;
    ss_propagator_mode(sim, leap->cells->now);
    for (int k = 0; k < count; k++)
        if (memcmp(leap->seen + (size_t)k * m, leap->cells->now, m) == 0) return true;
    return false;
}

static void remember_mode(ss_sim* sim)
{
    struct ss_leap* leap = sim->proof.leap;
    if (is_seen(sim)) return;
    size_t m = (size_t)sim->model->contact_count;
    memcpy(leap->seen + (size_t)(leap->seen_count++ % MODES) * m, leap->cells->now, m);
}

// Whether it is time to ask for one: seldom, and where the run alone decides, not who asks for states.
static bool is_due(const ss_sim* sim)
{
    const struct ss_leap* leap = sim->proof.leap;
    if (!leap || leap->begun || !sim->step.ready) return false;
    if (leap->since == leap->tries) return true;
    return leap->window &&
           (leap->since == leap->search || (leap->since == EARLY_TRY && leap->early && is_seen(sim)));
}

bool ss_leap_is_begun(const ss_sim* sim) { return sim->proof.leap && sim->proof.leap->begun; }

bool ss_leap_is_last(const ss_sim* sim) { return ss_leap_is_begun(sim) && isinf(sim->proof.leap->end_cells); }

// ---- where it goes

// Puts the run back to where the leap began.
static void go_back(ss_sim* sim)
{
    const struct ss_leap* leap = sim->proof.leap;
    ss_set_time(&sim->step, leap->t);
    ss_book(&sim->ledger, &leap->energy);
    memcpy(sim->step.q, leap->start, 2 * (size_t)sim->model->n * sizeof(double));
    for (int i = 0; i < sim->model->contact_count; i++) sim->modes.contacts[i].gap = leap->gap[i];
    ss_leave_step(&sim->step);
    ss_end_step(&sim->step, SS_STEP_BOUND);
}

static void begin_here(ss_sim* sim)
{
    struct ss_leap* leap = sim->proof.leap;
    leap->t = sim->step.t;
    leap->energy = sim->ledger.energy;
    memcpy(leap->start, sim->step.q, 2 * (size_t)sim->model->n * sizeof(double));
    for (int i = 0; i < sim->model->contact_count; i++) leap->gap[i] = sim->modes.contacts[i].gap;
    leap->end_cells = INFINITY;
}

// The rates where the leap began, and the propagator of the mode; NULL where there is none.
static ss_propagator* take_rates(ss_sim* sim)
{
    struct ss_leap* leap = sim->proof.leap;
    ss_propagator* p = ss_propagator_now(sim, leap->cells);
    if (p) ss_propagator_rates(sim, leap->cells, p, leap->t, leap->u);
    if (p) ss_give_forces(&sim->inputs, leap->cells->force);
    ss_balance(sim, 0); // forces of contacts, at the state of the leap's start
    memset(leap->moved, 0, (size_t)sim->model->n * sizeof(double));
    return p;
}

// Whether no contact can end the mode for so many cells that a leap over them pays.
static bool find_window(ss_sim* sim)
{
    struct ss_leap* leap = sim->proof.leap;
    if (!leap->window) return false;
    go_back(sim);
    ss_propagator* p = take_rates(sim);
    leap->end_cells = 0.0;
    if (p && ss_window_begin(sim, leap->window))
        leap->end_cells = ss_window_cells(sim, leap->window, leap->cells, p, leap->u, leap->moved);
    go_back(sim);
    if (!(leap->end_cells >= least_window)) return false;
    remember_mode(sim);
    return true;
}

// Proves that the present mode is the last one, or lasts for a while; from now on states are found by
// leap_to. Where it is neither, the step at hand may have to be made again.
static bool begin_leap(ss_sim* sim)
{
    struct ss_leap* leap = sim->proof.leap;
    bool last = sim->model->contact_count == 0 && sim->model->nature.linear && sim->model->nature.steady &&
                leap->tries >= FREE_TRY;
    bool whole = leap->since == leap->tries;
    if (whole) leap->tries *= 2;
    if (leap->since == leap->search) leap->search *= 2;
    leap->early = false;
    leap->decays = whole && ss_sim_settles(sim, NULL); // the mode is the last one, and what moves decays
    begin_here(sim);
    leap->begun = leap->decays || (whole && last) || find_window(sim);
    return leap->begun;
}

// How far the stops are, and the ledger: constant forces do work by displacement, and so do the means of
// harmonic ones.
static void account(ss_sim* sim, ss_works works)
{
    const ss_model* model = sim->model;
    const struct ss_leap* leap = sim->proof.leap;
    double *moved = sim->work.scratch_q, passed = 0.0;
    ss_energy entries = sim->ledger.energy;
    for (int i = 0; i < model->n; i++) moved[i] = sim->step.q[i] - leap->start[i];
    for (int i = 0; i < model->contact_count; i++)
        if (ss_is_stop(sim->model, i))
            sim->modes.contacts[i].gap = fmax(leap->gap[i] - model->contacts[i].rigid_stop.side *
                                                                 ss_row_dot(&model->contacts[i].q, moved),
                                              0.0);
    if (!sim->def.ledger) return;
    ss_works_of_constants(sim, NULL, moved, &entries, &passed);
    for (int k = 0; k < sim->inputs.varying_count; k++) {
        int f = sim->inputs.varying[k];
        entries.input += leap->cells->waves.mean[f] * ss_row_dot(&model->forces[f].q, moved);
    }
    entries.input += works.gained;
    entries.damping += works.lost;
    ss_book(&sim->ledger, &entries);
}

// Puts the run less than a cell before `until`, with no step at hand; where the mode is known to last no
// longer than to an earlier time, there, and the leap is over. Where numbers overflow on the way, the run is
// put back to the start of the leap, and the leap is over.
static void leap_to(ss_sim* sim, double until)
{
    struct ss_leap* leap = sim->proof.leap;
    go_back(sim);
    double cells = floor((until - leap->t) / leap->cells->cell);
    bool ends = cells >= leap->end_cells; // steps go on from there
    if (ends) cells = leap->end_cells;
    if (!(cells >= 1.0)) return;
    if (!leap->decays && cells > most_cells) { // nothing but steps, as long as somebody waits for them
        leap->begun = false;
        return;
    }
    ss_propagator* p = take_rates(sim);
    if (!p) {
        leap->begun = false;
        return;
    }
    ss_works works = {0};
    ss_propagate(sim, p, cells, leap->u, leap->moved, &works);
    double size = fabs(works.lost) + fabs(works.gained);
    for (int j = 0; j < p->modal.count; j++) size += fabs(leap->moved[j]) + fabs(leap->u[j]);
    go_back(sim);
    // A motion that overflows on the way goes step by step, so that the log tells where.
    leap->begun = isfinite(size);
    if (!leap->begun) return;
    ss_modal_move(sim, &p->modal, leap->u, leap->moved);
    double t = leap->t + cells * leap->cells->cell;
    bool there = !ends && until - t <= 4.0 * DBL_EPSILON * until; // the time left may be rounding
    ss_set_time(&sim->step, there ? until : t);
    account(sim, works);
    if (ends) begin_count(leap);
}

static ss_status pass(ss_sim* sim, const ss_aim* aim, ss_stretch* out, ss_error* err)
{
    (void)err;
    double until = aim->until;
    if (!sim->proof.leap || !sim->step.ready || !isfinite(until)) return SS_OK;
    if (!ss_leap_is_begun(sim) && !(is_due(sim) && begin_leap(sim))) {
        if (!sim->step.ready) out->how = SS_PASSED_ON; // looked for in vain, with the series of the step
        return SS_OK;
    }
    if (until <= sim->step.t + sim->step.now) {
        out->how = SS_PASSED_THERE;
        return SS_OK;
    }
    leap_to(sim, until);
    out->how = ss_leap_is_begun(sim) ? SS_PASSED_BEFORE : SS_PASSED_ON;
    return SS_OK;
}

const ss_way ss_way_leap = {.name = "spectral leap", .pass = pass};
