// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inside the second opinion on rows: the modes of its blocks, within which the rates are smooth, also a
// little beyond their ends, and the functions that are positive in a mode and end it.
#ifndef TESTS_PEER_ROW_MODES_H
#define TESTS_PEER_ROW_MODES_H

#include "peer_row.h"

enum {
    PEER_ROW_SIZE = ROW_BLOCKS * PEER_ROW_NUMBERS,
    PEER_ROW_GUARDS = 10 * ROW_BLOCKS ///< at most
};

typedef enum stop_mode { OPEN, CLOSED, CUT_OFF, LIMITED } stop_mode;

typedef struct block_mode {
    int way;                  // direction of slip; 0: held
    int piece;                // of a curve, or of elasto-plastic bristles
    bool slips[ROW_ELEMENTS]; // elements
    bool full;                // Dahl: full sliding
    stop_mode stop;
} block_mode;

typedef struct peer {
    const random_row* row;
    double t, h, tolerance, y[PEER_ROW_SIZE], scale[PEER_ROW_SIZE];
    block_mode mode[ROW_BLOCKS];
    bool doubtful;
} peer;

// What ends a mode: a function that is positive in it.
typedef enum guard_kind { WAY, HOLD, FASTER, SLOWER, ELEMENT, FULL, TOUCH, CUT, LIMIT } guard_kind;

typedef struct guard {
    guard_kind kind;
    int block, element;
    double value;
} guard;

// ---- laws

/// Force of a law on its block at slip speed s, with the rates of its states.
double peer_row_rub(const ss_contact_def* law, const block_mode* m, double s, const double z[],
                    double rate[]);
/// The force that a law can hold.
double peer_row_at_rest(const ss_contact_def* law);
/// g(v) of LuGre, s(v) of generalised Maxwell-slip.
double peer_row_lugre_level(const ss_lugre* law, double s);
double peer_row_gms_level(const ss_gms* law, double s);

/// An elastic stop: penetration and its rate; what its spring and its damper say.
typedef struct push {
    double p, rate, spring, damper;
} push;

push peer_row_push(const ss_contact_def* stop, double x, double v);
double peer_row_stop_force(const ss_contact_def* stop, stop_mode mode, double x, double v);

// ---- modes

void peer_row_begin(peer* p);
void peer_row_rates(const peer* p, double t, const double y[], double out[]);
/// Returns their number, which the modes alone decide.
int peer_row_guards(const peer* p, double t, const double y[], guard out[]);
void peer_row_pass(peer* p, const guard* g);

#endif
