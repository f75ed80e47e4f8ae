// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Cycles: unknowns are the start y (coordinates and speeds), the period T and the number p; equations are
//
//     y(T; y, p) - y = 0
//     y'(T) . (y - guess) = 0       nothing sets the period: the start moves across the motion only
//     T - k P(p) = 0                inputs do, with their common period P
//
// The order of events of one period is part of the orbit: a solution with another order belongs to another
// piece of the branch.
#ifndef SLIPSTICK_LAB_CYCLES_H
#define SLIPSTICK_LAB_CYCLES_H

#include "lab/cycle/orbit.h"
#include "lab/follow/continuation.h"
#include "lab/follow/varied_parameter.h"

/// What happens in one period, in order; where it begins does not count. Contacts to which nothing happens
/// are told apart by whether they hold.
typedef struct ss_event_order {
    struct ss_event_order_entry {
        int contact;
        ss_event_kind kind;
        ss_mode from, to;
    } * events;
    size_t count, room;
    bool* holds; ///< contacts: whether each sticks, or is a rigid stop that is leaned on, as the period ends
    int contacts;
} ss_event_order;

/// The model at one value of the number, and its motions.
typedef struct ss_cycles_model {
    double value; ///< NaN: there is none
    ss_model* model;
    ss_orbit* orbit;
    double period; ///< s: k P(p), where inputs set the period
} ss_cycles_model;

/// How large the orbits of the branch are, and where that leads: of models without inputs.
typedef struct ss_cycles_shape {
    double* swing;  ///< w: start less middle of the last point of an orbit of an autonomous model
    bool shrinks;   ///< the last solution is of no size, or beyond it: the steady state is there
    bool shrank;    ///< one since the last point that was larger than the one before it was
    bool creeps;    ///< and the last point is hardly smaller: halving steps leads past the steady state
    double largest; ///< size of the largest orbit of the branch: half the range of the body that moves most
    struct {        ///< the last two points that were taken
        double value, size;
    } passed[2];
} ss_cycles_shape;

typedef struct ss_cycles {
    ss_varied_parameter* parameter;
    const ss_follow_def* def;
    ss_solution_branch* branch;
    int w, size;                 ///< size = w + 1: start and period
    bool forced;                 ///< inputs set the period
    double multiple;             ///< of the inputs' period
    double held;                 ///< s: the period where inputs have none of their own (tables); else NaN
    ss_cycles_model here, there; ///< at p, and close to it for the derivative
    double* scale;               ///< size + 1
    bool* loose;          ///< size + 1: numbers of elements, see ss_cycles_mark_loose; NULL: there are none
    ss_event_order order; ///< of the present piece
    ss_event_order found; ///< of the last motion
    ss_event_order rejected; ///< of the last motion that was no solution, where it differs
    bool has_rejected;
    ss_cycles_shape shape;
    bool interrupted; ///< the caller has ended the work
    double* by_p;     ///< w: derivative of the end of the motion by the number
    double period_by_p;
    double* start; ///< size + 1: of a motion beside
    bool differed; ///< they are known for a start close by
    double* aside; ///< size + 1: the way from the last orbit beside which there are others to them
    bool has_aside;
    // scratch
    double *matrix, *system, *step, *singular, *right, *beside;
} ss_cycles;

ss_status ss_cycles_create(ss_varied_parameter* parameter, const ss_follow_def* def,
                           ss_solution_branch* branch, ss_cycles** out, ss_error* err);
void ss_cycles_destroy(ss_cycles* cycles); ///< NULL is welcome

/// Share of the period: events of neighbouring orbits that are farther apart are not the same event.
extern const double ss_cycles_elsewhere;

/// cycles.c: the first cycle, and Newton as the continuation wants it.
ss_status ss_cycles_begin(ss_cycles* cycles, ss_branch_point* out, ss_error* err);
ss_status ss_cycles_solve(void* self, const double guess[], const double normal[], ss_branch_point* out,
                          ss_continuation_verdict* verdict, ss_error* err);
/// Motion, derivatives and order of events from u; the matrix of the equations, as Newton's method has it.
ss_status ss_cycles_evaluate(ss_cycles* cycles, const double u[], const double normal[], double tangent[],
                             bool* there, ss_error* err);
/// Model and motions at a number; *made is false where the model cannot be made with it.
ss_status ss_cycles_at(ss_cycles* cycles, ss_cycles_model* turn, double value, bool* made, ss_error* err);

/// Whether the motion evaluated last, from u, closes.
bool ss_cycles_closes(const ss_cycles* cycles, const double u[]);

/// cycles_beside.c: the orbits beside the one whose equations stand, into `out`, which has its tangent.
ss_status ss_cycles_find_beside(ss_cycles* cycles, ss_branch_point* out, ss_error* err);
/// An orbit without tangent, which touches the limit of an element, is moved away from it to where it has
/// one.
ss_status ss_cycles_draw_back(ss_cycles* cycles, const double normal[], ss_branch_point* out, ss_error* err);

/// cycles_places.c: what sticks all the time may do so anywhere, and keeps its place. Equations that say so,
/// after `rows` others; returns how many there are in all.
int ss_cycles_keep_places(const ss_cycles* cycles, double matrix[], int rows);
/// Marks the numbers of elements that slip: whether one is at its limit as the period begins is a corner of
/// its number, and of nothing else.
void ss_cycles_mark_loose(ss_cycles* cycles);
/// How many places there are of that kind: each is a multiplier of 1.
int ss_cycles_kept_places(const ss_cycles* cycles);

/// cycles_point.c: fills the point, but for u and its tangent, from the orbit that was followed last, from u.
ss_status ss_cycles_fill_point(ss_cycles* cycles, const double u[], ss_branch_point* out, ss_error* err);
/// Whether an orbit repeats after half its period already.
ss_status ss_cycles_repeat(void* self, const ss_branch_point* point, bool* out, ss_error* err);
/// Half the range of the body that moves most.
double ss_cycles_extent(const ss_cycles* cycles, const ss_solution_branch_record* record);
/// Whether the last point that was taken is small, and hardly smaller than the one before, though the next
/// ones are the same orbits half a period later.
bool ss_cycles_passes_middle(const ss_cycles* cycles);
/// Whether it is a cycle and no steady state.
bool ss_cycles_move(ss_cycles* cycles, const double u[], const ss_solution_branch_record* record);

/// cycles_order.c
void ss_event_order_free(ss_event_order* order);
bool ss_event_order_take(ss_event_order* order, const ss_orbit* orbit,
                         double after); ///< false without memory
bool ss_event_order_copy(ss_event_order* to, const ss_event_order* from);
bool ss_event_order_same(const ss_event_order* a, const ss_event_order* b); ///< but for where they begin
/// Whether two neighbouring motions have the same events over this period (s), at about the same times.
bool ss_event_order_same_events(const ss_events* a, const ss_events* b, double period);
/// Whether contact i sticks all the time.
bool ss_event_order_keeps(const ss_event_order* order, int i);
/// The rigid stop whose impacts are more in b than in a, or -1.
int ss_event_order_strikes_more(const ss_model* model, const ss_event_order* a, const ss_event_order* b);
/// Names what differs.
void ss_event_order_compare(const ss_model* model, const ss_event_order* before, const ss_event_order* after,
                            ss_border* out);
/// Names the first event of an orbit that a neighbouring motion does not have within `apart` (s), or the
/// other way round; false where there is none.
bool ss_event_order_name_missed(const ss_model* model, const ss_events* orbit, const ss_events* beside,
                                double apart, ss_border* out);

/// cycles_cross.c
ss_status ss_cycles_cross(void* self, const ss_branch_point* edge, const ss_branch_point* beyond,
                          ss_branch_point* out, ss_border* border, ss_error* err);
/// Shoots at a number from a start y; u: start, period and number where it *closes.
ss_status ss_cycles_shoot(ss_cycles* cycles, double value, const double y[], double period, double u[],
                          bool* closes, ss_error* err);
/// The same, where the orbit is followed from there: `out` is it.
ss_status ss_cycles_meet(ss_cycles* cycles, double value, const double y[], double period,
                         ss_branch_point* out, ss_continuation_verdict* verdict, ss_error* err);
/// Size of the change from one orbit to another: amplitudes, which do not know where it begins.
double ss_cycles_distance(const ss_cycles* cycles, const ss_branch_point* a, const ss_branch_point* b);
/// cycles_elements.c: an element begins or ends to slip, as the period begins or at all, or is pushed along
/// by its limit. That is no event, and the orbits go on; but their starts have a corner, or many of them, one
/// after the other. Points up to the one found are added to the branch.
ss_status ss_cycles_ahead(ss_cycles* cycles, const ss_branch_point* edge, ss_branch_point* out, bool* found,
                          ss_error* err);
/// cycles_slip_ends.c: a contact that slips for ever shorter times up to the last orbit comes to stick all
/// the time; *met is false where none does.
ss_status ss_cycles_hold(ss_cycles* cycles, const ss_branch_point* edge, ss_branch_point* out,
                         ss_border* border, bool* met, ss_error* err);
/// cycles_slip_begins.c: a contact that sticks all the time meets a limit at the last orbit; *met is false
/// where none does.
ss_status ss_cycles_slip(ss_cycles* cycles, const ss_branch_point* edge, ss_branch_point* out,
                         ss_border* border, bool* met, ss_error* err);
/// cycles_graze.c: from an orbit that touches rigid stop i to one that strikes it with about this speed.
ss_status ss_cycles_graze(ss_cycles* cycles, const ss_branch_point* edge, int i, double speed,
                          ss_branch_point* out, bool* found, ss_error* err);
/// Moves the start u of an orbit of an autonomous model away from events and phases of stick.
ss_status ss_cycles_place(ss_cycles* cycles, double u[], bool* moved, ss_error* err);
/// The same for a point.
ss_status ss_cycles_accept(void* self, ss_branch_point* point, ss_error* err);

#endif
