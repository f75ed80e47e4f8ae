// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Speed-clock steps: crossing the speeds in which a friction curve bends, with the speed itself as the clock.
//
// Time is a poor clock there: a contact passes the few Stribeck speeds between stick and full slip within
// moments, and power series in time need a dozen steps for it. By its own speed v the motion is smooth,
//
//     dt/dv = 1/a,   dy/dv = y'/a,     y = (q, q', s),   y' = A y + c + b f(v),   a = w q''
//
// with f(v) the friction, a known function of the clock. What else a depends on changes little while v does,
// so that a few iterations of collocation at Gauss's nodes cross the whole stretch. docs/theory/flow.md says
// when, and how large the error is.
#ifndef SLIPSTICK_ENGINE_FLOW_SPEED_CLOCK_H
#define SLIPSTICK_ENGINE_FLOW_SPEED_CLOCK_H

#include "engine/flow/stiff.h"

enum {
    SS_SPEED_CLOCK_LARGEST = 8, ///< size of y
    SS_SPEED_CLOCK_FOURS = 12,  ///< the nodes and the end, in vectors of four: at most
    SS_SPEED_CLOCK_WIDTH = 4 * SS_SPEED_CLOCK_FOURS,
    SS_SPEED_CLOCK_NODES = SS_SPEED_CLOCK_WIDTH - 1 ///< the most
};

/// Collocation at Gauss's nodes on [0, 1], and the system.
typedef struct ss_speed_clock_tables {
    int nodes; ///< one less than a multiple of four
    double node[SS_SPEED_CLOCK_NODES], weight[SS_SPEED_CLOCK_NODES];
    /// Integral of the j-th Lagrange polynomial from 0 to all nodes, then to 1.
    double integral[SS_SPEED_CLOCK_NODES][SS_SPEED_CLOCK_WIDTH];
    double tail[2]
               [SS_SPEED_CLOCK_NODES]; ///< the last two coefficients of a function in Legendre's polynomials
    int size;                          ///< of y
    double a[SS_SPEED_CLOCK_LARGEST][SS_SPEED_CLOCK_LARGEST];            ///< A
    double damping[SS_SPEED_CLOCK_LARGEST * SS_SPEED_CLOCK_LARGEST / 2]; ///< of the works (linear_works.h)
    double input[SS_SPEED_CLOCK_LARGEST * SS_SPEED_CLOCK_LARGEST / 2];
} ss_speed_clock_tables;

/// What is known of a motion that takes speed-clock steps.
typedef struct ss_speed_clock {
    ss_speed_clock_tables* tables;
    int wait, misses; ///< steps until it is tried again; how often it was of no use
    // A speed-clock step within which the caller has stopped.
    bool under_way;
    int contact;
    double start_t, start_v, end_t, end_v;
    double start[SS_SPEED_CLOCK_LARGEST], end[SS_SPEED_CLOCK_LARGEST]; ///< y
    double time[SS_SPEED_CLOCK_WIDTH];  ///< s since its start: at the nodes, and at its end
    ss_energy start_energy, end_energy; ///< of the ledger
    ss_stiff_pace stiff;                ///< as it was before: steps that show the motion within teach nothing
} ss_speed_clock;

/// A speed-clock step from the speed v0 of a contact to v1: the linear system, and all of the motion at the
/// nodes.
typedef struct ss_speed_clock_motion {
    const ss_speed_clock_tables* tables;
    int n;     ///< coordinates
    int pivot; ///< the one whose speed follows from the clock and the other speeds
    double v0, v1;
    double base[SS_SPEED_CLOCK_LARGEST]; ///< c, with the forces of the other contacts
    double push[SS_SPEED_CLOCK_LARGEST]; ///< b
    double row[SS_SPEED_CLOCK_LARGEST];  ///< w: v = w q'
    double y0[SS_SPEED_CLOCK_LARGEST];
    double v[SS_SPEED_CLOCK_WIDTH], force[SS_SPEED_CLOCK_WIDTH]; ///< the clock, and friction there
    double fall[SS_SPEED_CLOCK_WIDTH];                           ///< what the law told of it (ss_response)
    double y[SS_SPEED_CLOCK_LARGEST][SS_SPEED_CLOCK_WIDTH],
        rate[SS_SPEED_CLOCK_LARGEST][SS_SPEED_CLOCK_WIDTH];
    double pace[SS_SPEED_CLOCK_WIDTH]; ///< dv/dc over v1 - v0
    double slow[SS_SPEED_CLOCK_WIDTH], time[SS_SPEED_CLOCK_WIDTH],
        unit[SS_SPEED_CLOCK_WIDTH]; ///< dt/dc, t, and 1
} ss_speed_clock_motion;

/// What goes along with speed-clock steps, while it is attached to a run: the derivative of its motion.
typedef struct ss_speed_clock_hooks {
    bool (*may)(const ss_sim* sim); ///< a speed-clock step may begin now
    void (*begin)(ss_sim* sim);     ///< it begins here, if it does
    /// Goes to the end of the speed-clock step, or `ahead` (s) behind that, where the caller stops within
    /// one; false: it does not come to the tolerance, and steps are to be taken.
    bool (*cross)(ss_sim* sim, const ss_speed_clock_motion* d, int contact, double ahead, bool within);
    void (*leave)(ss_sim* sim, bool within); ///< the run has been put there
    void (*stop)(ss_sim* sim, int contact);  ///< and there the contact has come to v = 0
} ss_speed_clock_hooks;

/// The integral of rate times slow from the start to all nodes and to the end.
void ss_speed_clock_integrate(const ss_speed_clock_tables* t, const double rate[], const double slow[],
                              double start, double out[]);

/// speed_clock_tables.c: the tables, for runs that may take speed-clock steps, with as many nodes as the
/// tolerance asks for.
void ss_speed_clock_allocate(ss_sim* sim);
void ss_speed_clock_mark(ss_sim* sim);

/// The run starts anew.
void ss_speed_clock_restart(ss_ways* ways);
/// What was known of the speed-clock step under way holds no more: the motion goes on from where it is.
void ss_speed_clock_leave(ss_ways* ways);

#endif
