// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Propagators: what one mode of a steady linear model does in 1, 2, 4, .. cells of a fixed time.
//
// In one mode the rates u = (eta', eta'') of its modal coordinates (modal.h) obey u' = A u, without any
// constant. From cell to cell they go by one matrix, P; what eta moves in a cell is S u, and what dampers
// take is u^T G u. For twice as many cells
//
//     P' = P^2,    S' = S + S P,    G' = G + P^T G P,
//
// so that 1e99 s take some hundred squarings. The matrices of a few modes are kept, so that a mode which
// comes again finds them. Of a slow mode P - 1 is kept, which doubles where P would be squared: what rounding
// does to it in a cell is then a share of what the mode moves in it. So P = D + N with a diagonal D of ones,
// for rows that have moved little so far, and zeros.
#ifndef SLIPSTICK_ENGINE_PROOF_PROPAGATOR_H
#define SLIPSTICK_ENGINE_PROOF_PROPAGATOR_H

#include "engine/proof/modal.h"

enum {
    SS_PROPAGATOR_LEVELS = 20, ///< 2^0 .. 2^19 cells, whose matrices are kept
    SS_PROPAGATOR_LARGEST = 64 ///< coordinates: matrices take room like their square, and time like the cube
};

/// What 2^k cells do to u and the waves, s numbers in all: D (s), N (s x s), S (r x s), and of a run with a
/// ledger G (s x s) and the same of what harmonic forces put in.
typedef struct ss_level {
    double *kept, *next, *way, *loss, *gain;
} ss_level;

/// What passed through the ledger on the way.
typedef struct ss_works {
    double lost, gained; ///< J: by dampers; from harmonic forces, their means aside
} ss_works;

/// The matrices of one mode.
typedef struct ss_propagator {
    bool made;
    long used;           ///< when it was asked for last, in such questions
    unsigned char* mode; ///< contacts: the mode it belongs to
    ss_modal modal;
    int size;               ///< s = 2 r and the waves
    int filled;             ///< so many levels are filled
    ss_level* level;        ///< SS_PROPAGATOR_LEVELS, and one for 2^last_power cells beyond them
    int last_power;         ///< 0: not filled
    double *square, *speed; ///< scratch: s x s; points of the quadrature x s x r
} ss_propagator;

/// The matrices that a run keeps.
typedef struct ss_propagators {
    double cell; ///< s
    int order;   ///< of the series of a cell
    ss_harmonics waves;
    int count;
    long asked;         ///< so many questions
    ss_propagator* of;  ///< count
    unsigned char* now; ///< scratch: contacts
    double* series;     ///< scratch: (order + 1) x n
    double* force;      ///< scratch: forces
} ss_propagators;

/// Room for them, in the spare part of the pool; NULL where there is none, or what varies in time is no sum
/// of harmonics. The model has coordinates, and a rate.
ss_propagators* ss_propagators_allocate(ss_sim* sim);
/// Writes the present mode of all contacts, by which propagators are told apart. Which way one slips makes no
/// difference: its force is a constant.
void ss_propagator_mode(const ss_sim* sim, unsigned char mode[]);
/// The one of the present mode, made where it is missing; NULL where it cannot be.
ss_propagator* ss_propagator_now(ss_sim* sim, ss_propagators* all);
/// How many numbers u has at most.
int ss_propagator_size(const ss_sim* sim, const ss_propagators* all);
/// The rates of the state at hand, at time t, and the waves behind them.
void ss_propagator_rates(ss_sim* sim, const ss_propagators* all, const ss_propagator* p, double t,
                         double u[]);
/// Moves u on by a whole number of cells, of `u` with room for twice as many; adds what eta moves to `moved`,
/// and in a run with a ledger what passes through it to `works` (NULL: nobody asks).
void ss_propagate(const ss_sim* sim, ss_propagator* p, double cells, double u[], double moved[],
                  ss_works* works);

#endif
