// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What answers can tell of a motion: one row per quantity, with its name, whose it is, its unit, and how it
// is got. JSON, text, traces, pictures, scans, fits, Python, FMUs and completion are all fed from these rows:
// a new quantity is a new row (src/motion/quantity_table.c), and where it is told unasked is a member of that
// row. By its name ("block.x", "floor.power") every number can be asked for everywhere.
#ifndef SLIPSTICK_SHARE_QUANTITY_TABLE_H
#define SLIPSTICK_SHARE_QUANTITY_TABLE_H

#include "slipstick/exchange.h"
#include "slipstick/motion.h"

/// Whose quantity it is.
typedef enum ss_quantity_owner {
    SS_OF_RUN,
    SS_OF_BODY,
    SS_OF_CONTACT,
    SS_OF_ELEMENT, ///< of the law of a contact
    SS_OF_NUMBER,  ///< a state, signal, input or memory of an open model: named by the model alone
    SS_OF_SLIDER,
    SS_OF_SUPPORT, ///< of a slider
} ss_quantity_owner;

/// What its value is.
typedef enum ss_quantity_value {
    SS_QUANTITY_IS_NUMBER,
    SS_QUANTITY_IS_MODE, ///< an ss_mode
    SS_QUANTITY_IS_SIDE, ///< of a stop that is two: 1 above, -1 below, 0: not told
    SS_QUANTITY_IS_FLAG, ///< told where it is false
} ss_quantity_value;

/// Where it is told unasked.
enum {
    SS_TOLD_ANSWER = 1,  ///< as JSON
    SS_TOLD_TEXT = 2,    ///< for people
    SS_TOLD_TRACE = 4,   ///< a column of CSV, HDF5 and MAT
    SS_TOLD_PICTURE = 8, ///< drawn over time where nothing is chosen
    SS_TOLD_FMU = 16,    ///< a variable
    SS_TOLD_DERIVATIVE =
        32,               ///< it is differentiated: the order of these rows is that of ss_moment.derivatives
    SS_TOLD_BY_NAME = 64, ///< wherever a number is asked for by its name: all numbers of bodies and contacts
};

/// One side of an instant at the body, contact, .. that owns a quantity: what its value is computed from.
typedef struct ss_quantity_place {
    double t;                        ///< s
    double x, v;                     ///< of a body
    double number;                   ///< of an open model, or of an element
    const ss_contact_state* contact; ///< NULL for others
    const ss_slider_state* slide;
    const ss_support_state* support;
} ss_quantity_place;

typedef struct ss_quantity_row {
    const char* name; ///< behind the dot; NULL where the model gives the name
    ss_quantity_owner of;
    ss_quantity_value value;
    ss_dimension straight, turning; ///< in SI, of what is straight and of what turns
    ss_dimension (*dimension)(const ss_model* model, int index); ///< where the model says it; else NULL
    int angle;            ///< power of an angle in the unit of what turns
    bool changes;         ///< its value may change while nothing moves, and jump
    bool optional;        ///< NaN is not told
    unsigned told;        ///< SS_TOLD_ANSWER, ..
    unsigned trait;       ///< of the law of a contact, without which there is none; 0: of all
    int exchange;         ///< 1 + ss_exchange_kind where it may be a continuous state; else 0
    int unknown;          ///< 1 + ss_exchange_unknown where it is known what it depends on; else 0
    const char* about[2]; ///< of what is straight, and of what turns; @ is its owner, # the law of that
    double (*at)(const ss_quantity_place* place);
} ss_quantity_row;

/// Rows that are known by more than their place in the table. Others stand behind them.
typedef enum ss_quantity_kind {
    SS_QUANTITY_TIME,
    SS_QUANTITY_X,      ///< of a body
    SS_QUANTITY_V,      ///< of a body
    SS_QUANTITY_FORCE,  ///< of a contact, on A along its row
    SS_QUANTITY_MODE,   ///< of a contact
    SS_QUANTITY_NUMBER, ///< of an open model, as in ss_sim_numbers
    SS_QUANTITY_SUPPORT_FORCE,
    SS_QUANTITY_SUPPORT_MODE,
    SS_QUANTITY_KNOWN, ///< how many these are
} ss_quantity_kind;

/// A quantity of a model: its row and whose it is.
typedef struct ss_quantity {
    int kind;   ///< ss_quantity_kind, or another place in the table
    int index;  ///< of the body, contact, number or support
    int part;   ///< of an element: which one of its contact; of the force of a support: which component, -1
                ///< where it has one alone
    int before; ///< of what ss_quantity_next tells of contacts: how many elements those before it have
} ss_quantity;

int ss_quantity_row_count(void);
/// The row of a quantity by its place in the table, in [0, count).
const ss_quantity_row* ss_quantity_row_at(int kind);

/// Goes on to the next quantity that is told there: those of the bodies, one body after the other, then those
/// of the contacts, then the numbers of an open model. Begin with {0}, which is the time. False at the end.
bool ss_quantity_next(const ss_model* model, unsigned told, ss_quantity* quantity);

/// Finds a number by its name; a name that there is not is SS_BAD_INPUT with those that there are.
ss_status ss_quantity_find(const ss_model* model, const char* name, ss_quantity* out, ss_error* err);
/// "block.x", "brush.deflections[3]". Returns out.
const char* ss_quantity_name(const ss_model* model, ss_quantity quantity, char* out, size_t size);
/// The name of its owner, "" of the time.
const char* ss_quantity_owner_name(const ss_model* model, ss_quantity quantity);
/// What the place or the speed (SS_QUANTITY_X, SS_QUANTITY_V) of a coordinate is called: "x", "spin".
const char* ss_quantity_body_word(const ss_model* model, int kind, int body);
/// What it is called in its owner: "x", "deflections[3]"; "" of a number. Returns out.
const char* ss_quantity_field(const ss_model* model, ss_quantity quantity, char* out, size_t size);
/// A line about it for people: "force of floor (coulomb) on its first body". Returns out.
const char* ss_quantity_about(const ss_model* model, ss_quantity quantity, char* out, size_t size);
/// It belongs to a body that turns, or to a contact of such bodies. Of a slider the model is NULL, here and
/// below.
bool ss_quantity_is_angular(const ss_model* model, ss_quantity quantity);
ss_dimension ss_quantity_dimension(const ss_model* model, ss_quantity quantity);
/// The power of an angle in its unit, which has no dimension.
int ss_quantity_angle(const ss_model* model, ss_quantity quantity);
/// Its unit as a person writes it, "" of what is no number. Returns out.
const char* ss_quantity_unit(const ss_model* model, ss_quantity quantity, char* out, size_t size);

/// Its value at a moment; of a mode, side or flag as a number.
double ss_quantity_at(ss_quantity quantity, const ss_moment* moment);
/// A row of a motion or of its sketch as a moment, without derivatives; borrowed from the motion.
ss_moment ss_rows_moment(const ss_motion_rows* rows, size_t row);
/// Its value in a run of bodies; numbers is room for those of ss_sim_numbers.
double ss_quantity_now(ss_quantity quantity, const ss_sim* sim, double numbers[]);

#endif
