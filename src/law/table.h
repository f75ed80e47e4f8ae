// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One law is one row: what the reader, the model and the engine may ask of a law stands in one constant
// struct in the law's own file. The rows are listed in table.c by their ss_law_kind; whoever adds a law adds
// its file, its row there, and its name to that enumeration.
#ifndef SLIPSTICK_LAW_TABLE_H
#define SLIPSTICK_LAW_TABLE_H

#include "slipstick/law.h"

#include <stddef.h>

/// What stands under a key of a model file, and in which unit. The row of a contact is a length or an angle;
/// the units here are those of a length.
typedef enum ss_key_form {
    SS_KEY_PLAIN,     ///< a number without unit
    SS_KEY_FORCE,     ///< N
    SS_KEY_STIFFNESS, ///< N/m
    SS_KEY_DAMPING,   ///< N*s/m
    SS_KEY_SPEED,     ///< m/s
    SS_KEY_PER_SPEED, ///< s/m
    SS_KEY_POWER,     ///< N/m^n, with n the number under the key `exponent`, which is read before
    SS_KEY_SIDE, ///< `above: X` or `below: X`: the struct of the law begins with a position and an int, side
    SS_KEY_LEVELS,   ///< the friction of ss_coulomb, by `friction` or by `mu` and `normal`
    SS_KEY_ELEMENTS, ///< stiffness and breakaway force of many elements
    SS_KEY_PART,     ///< read together with a key before it
} ss_key_form;

/// Which numbers are admissible, besides being finite.
typedef enum ss_key_range {
    SS_RANGE_ANY,
    SS_RANGE_NOT_NEGATIVE,
    SS_RANGE_POSITIVE,
    SS_RANGE_FROM_ONE, ///< at least 1
    SS_RANGE_SHARE,    ///< from 0 to 1
} ss_key_range;

typedef struct ss_key {
    const char* name;
    ss_key_form form;
    size_t place; ///< offset of its double in the struct of the law; not of SIDE, LEVELS, ELEMENTS, PART
    ss_key_range range; ///< of a number
    bool optional;
    double standard;     ///< value of an optional key that is not given
    const char* floor;   ///< key before this one whose number this one must not be below, and which is its
                         ///< value where it is optional and not given; NULL: none
    const char* reason;  ///< why its range is as it is, told with the fault; may be NULL
    const char* missing; ///< what is expected, told where a needed one is not given; NULL: a number
} ss_key;

/// A contact at a point of its motion, in one mode.
typedef struct ss_law_point {
    double y;    ///< m: way gone; of a stop that gives way, its penetration, < 0 beyond the touch
    double v;    ///< m/s: v_A - v_B
    double sign; ///< +1 or -1: that of v in this mode, also where a node lies beyond a reversal, so
                 ///< that formulas stay smooth
    double z;    ///< m: deflection of the bristles
} ss_law_point;

/// What a law answers there, with derivatives.
typedef struct ss_response {
    double force;                     ///< N, on A
    double rate;                      ///< m/s: z'
    double force_y, force_v, force_z; ///< N/m, N*s/m, N/m
    double rate_v, rate_z;            ///< 1, 1/s
} ss_response;

/// A law, as the rest of the program knows it.
typedef struct ss_law {
    const char* name;
    unsigned traits;    ///< of ss_law_trait
    size_t size;        ///< of its struct in a definition; 0: the model makes another one of it
    const ss_key* keys; ///< in the order they are read, ended by one without a name
    ss_status (*check)(const void* law, ss_error* err); ///< NULL: whoever makes the struct checks it
    /// A key that becomes necessary by the others: its name, and what to tell; NULL where nothing is missing,
    /// or where no such key exists.
    const char* (*lacks)(const void* law, const char** reason);

    /// Force and rate while it slips or, of a stop, is closed. NULL where that takes more than a point:
    /// levels that vary in time (Coulomb), a memory (Maxwell-slip), a force that is whatever holds (rigid
    /// stop).
    void (*at)(const void* law, const ss_law_point* point, ss_response* out);
    // Of bristles with a state z; NULL for other laws.
    double (*steady)(const void* law, double v);         ///< m: |z| of steady sliding at v
    double (*limit)(const void* law, double v);          ///< N: the force that steady sliding tends to
    double (*stored)(const void* law, double z);         ///< J
    double (*loss)(const void* law, double z, double v); ///< W
    double (*damping)(const void* law);                  ///< N*s/m: of z'
    /// No less than |z' - v| over |v| while |z| is at most `most`; INFINITY: not bounded.
    double (*creep)(const void* law, double most);
} ss_law;

/// The row of a law, or NULL where there is no such law.
const ss_law* ss_law_row(ss_law_kind kind);
/// How many laws there are: kinds 0, 1, .. below it.
int ss_law_count(void);

// The rows, each in the law's own file.
extern const ss_law ss_coulomb_row, ss_stribeck_row, ss_rigid_stop_row, ss_hunt_crossley_row, ss_lugre_row,
    ss_dahl_row, ss_maxwell_slip_row;

#endif
