// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The laws of contacts: what their readers are given, and the readers that have a file of their own.
#ifndef SLIPSTICK_MODEL_READ_LAW_H
#define SLIPSTICK_MODEL_READ_LAW_H

#include "model/read/read.h"

/// What a law needs to know of the contact it belongs to.
typedef struct ss_contact_reader {
    ss_reader* r;
    const ss_node* node; ///< the map with its fields
    ss_dimension row;    ///< of its elongation: a length, or an angle
    ss_contact_def* contact;
} ss_contact_reader;

ss_status ss_read_rigid_stop(ss_contact_reader* c);    ///< read_stops.c
ss_status ss_read_hunt_crossley(ss_contact_reader* c); ///< read_stops.c
ss_status ss_read_lugre(ss_contact_reader* c);         ///< read_bristles.c
ss_status ss_read_dahl(ss_contact_reader* c);          ///< read_bristles.c
ss_status ss_read_maxwell_slip(ss_contact_reader* c);  ///< read_bristles.c

/// The internal state that a contact with bristles starts from; row: the dimension of its elongation.
ss_status ss_read_bristle_start(ss_reader* r, const ss_node* node, ss_dimension row, ss_contact_def* contact);

#endif
