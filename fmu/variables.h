// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The variables of an FMU. They follow from the model and the list of its parameters alone, so that whoever
// writes the description and the binary that reads the model find the same ones. The value reference of a
// variable is its place in the list.
#ifndef SLIPSTICK_FMU_VARIABLES_H
#define SLIPSTICK_FMU_VARIABLES_H

#include "resource.h"
#include "share/quantity_table.h"

typedef enum fmu_kind {
    FMU_TIME,
    FMU_INPUT,    ///< of the model; of a slider: force x, force y, moment
    FMU_QUANTITY, ///< of a body or contact, by the table of quantities
    FMU_STATE,    ///< of an open model
    FMU_SIGNAL,
    FMU_MEMORY,
    FMU_PLACE,   ///< of a slider: x, y, angle, vx, vy, spin
    FMU_LOAD,    ///< force of a support, by component
    FMU_SUPPORT, ///< mode of a support
    FMU_PARAMETER,
    FMU_RATE,      ///< derivative of a continuous state
    FMU_INDICATOR, ///< vanishes at an event
    FMU_SLOPE,     ///< derivative of an input, by which it grows between communication points
} fmu_kind;

/// The modes that a contact, stop or support can have, as an enumeration whose items count from 1.
typedef struct fmu_modes {
    const char *name, *about;
    int count;
    ss_mode at[3];
} fmu_modes;
enum { FMU_MODE_TYPES = 3 };
extern const fmu_modes fmu_mode_types[FMU_MODE_TYPES];
/// The number of a mode in its enumeration.
int fmu_mode_number(const fmu_modes* modes, ss_mode mode);

/// What a unit is: exponents of the base units, radians beside them.
typedef struct fmu_unit {
    ss_dimension dimension;
    int rad;
    bool known;    ///< false: the number has no unit that we know of
    char name[48]; ///< "N*s/m", "rad/s"
} fmu_unit;

typedef struct fmu_variable {
    char* name;
    char* about; ///< a line of description
    fmu_kind kind;
    ss_quantity of; ///< of a body, contact, slider, state, signal or memory: which quantity
    int index;      ///< of the body, contact, .. it belongs to
    int component;  ///< of a support's force; the place of the input whose derivative it is
    bool exact;     ///< it may be set before the start: initial is exact, and start counts
    bool ramps;     ///< an input that may grow with the time
    double start;   ///< of inputs, parameters and what is exact
    double nominal; ///< of a continuous state
    fmu_unit unit;
    int state;              ///< which continuous state it is, or whose derivative; -1: none
    const fmu_modes* modes; ///< of an enumeration; NULL: a real number
} fmu_variable;

typedef struct fmu_variables {
    fmu_variable* at;
    int count;
    int states;       ///< continuous states
    int indicators;   ///< event indicators
    bool no_exchange; ///< the model cannot be exchanged
    char reason[512]; ///< why
} fmu_variables;

/// Either a model or a slider is given.
ss_status fmu_variables_make(const fmu_resource* resource, const ss_model* model, const ss_slider* slider,
                             fmu_variables* out, ss_error* err);
void fmu_variables_free(fmu_variables* variables);

bool fmu_is_output(const fmu_variable* variable);
/// Whether it is an enumeration of modes, and not a real number.
static inline bool fmu_is_mode(const fmu_variable* v) { return v->modes != NULL; }
/// Whether it is this quantity of a body or contact.
static inline bool fmu_tells(const fmu_variable* v, ss_quantity_kind kind)
{
    return v->kind == FMU_QUANTITY && v->of.kind == (int)kind;
}
/// Whether it changes at events only.
static inline bool fmu_is_discrete(const fmu_variable* v) { return fmu_is_mode(v) || v->kind == FMU_MEMORY; }

#endif
