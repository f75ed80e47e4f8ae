// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A number of a moving model, by its name: "block.x", "block.v", "floor.force", "floor.velocity", "brush.z",
// states, signals, inputs and memory of open models, and "t".
#ifndef SLIPSTICK_LAB_QUANTITY_H
#define SLIPSTICK_LAB_QUANTITY_H

#include "slipstick/motion.h"

typedef enum ss_quantity_kind {
    SS_QUANTITY_TIME,
    SS_QUANTITY_X,        ///< of a body
    SS_QUANTITY_V,        ///< of a body
    SS_QUANTITY_FORCE,    ///< of a contact, on A along its row
    SS_QUANTITY_VELOCITY, ///< of a contact
    SS_QUANTITY_Z,        ///< of a contact with bristles
    SS_QUANTITY_NUMBER,   ///< of an open model, as in ss_sim_numbers
} ss_quantity_kind;

typedef struct ss_quantity {
    ss_quantity_kind kind;
    int index; ///< of the body, contact or number
} ss_quantity;

/// Finds a number by its name; a name that there is not is SS_BAD_INPUT with those that there are.
ss_status ss_quantity_find(const ss_model* model, const char* name, ss_quantity* out, ss_error* err);
/// Its value at a moment of bodies.
double ss_quantity_at(ss_quantity quantity, const ss_moment* moment);
/// Its value in a run; numbers is room for those of ss_sim_numbers.
double ss_quantity_now(ss_quantity quantity, const ss_sim* sim, double numbers[]);
ss_dimension ss_quantity_dimension(const ss_model* model, ss_quantity quantity);
/// Its unit as a person writes it.
const char* ss_quantity_unit(const ss_model* model, ss_quantity quantity, char* out, size_t size);

#endif
