// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The laws of contacts: what their readers are given, and the readers that have a file of their own.
#ifndef SLIPSTICK_MODEL_READ_LAW_H
#define SLIPSTICK_MODEL_READ_LAW_H

#include "law/table.h"
#include "model/read/read.h"

/// What a law needs to know of the contact it belongs to.
typedef struct ss_contact_reader {
    ss_reader* r;
    const ss_node* node; ///< the map with its fields
    ss_dimension row;    ///< of its elongation: a length, or an angle
    ss_contact_def* contact;
    bool per_newton; ///< a normal force is given beside the law: its forces are per newton of it
} ss_contact_reader;

/// Which law the contact names; all its keys are those of that law (read_law.c).
ss_status ss_read_law_kind(ss_reader* r, const ss_node* contact, ss_law_kind* out);
/// The fields of the law contact->law, as its row in the table of laws says (read_law.c).
ss_status ss_read_law_fields(ss_contact_reader* c);

/// Laws that the file writes itself (read_own_law.c): the section, one of them or NULL, and a contact that
/// names it.
ss_status ss_read_own_laws(ss_reader* r);
const ss_node* ss_read_own_law(const ss_reader* r, const char* name);
ss_status ss_read_own_kind(ss_reader* r, const ss_node* contact, const ss_node* law, ss_law_kind* out);
ss_status ss_read_own_fields(ss_contact_reader* c, const ss_node* law);
/// The unit of a force of the law, or of what has a force in it: per newton beside a normal force
/// (read_normal.c).
ss_dimension ss_law_unit(const ss_contact_reader* c, ss_dimension unit);
/// Whether the law takes `normal` as laws do that have no such key of their own (read_normal.c).
bool ss_law_takes_normal(const ss_law* law);
/// The law was read per newton: multiplies all its forces by the normal force, or keeps that beside it
/// (read_normal.c).
ss_status ss_read_normal(ss_contact_reader* c);
/// The same of a law that has it among its numbers: it is 1 there where it varies.
ss_status ss_read_normal_key(ss_contact_reader* c, double* out);
/// A force that is given as a function of time, and is not negative where it begins (read_contacts.c).
ss_status ss_read_varying_level(ss_contact_reader* c, const ss_node* node, const ss_signal** out);

/// What a field says forward and backward: both ways the same node, unless it is a map of the two. Returns in
/// *two whether it is (read_law.c).
ss_status ss_read_directions(ss_contact_reader* c, const ss_node* node, const ss_node* out[2], bool* two);

// Fields that are more than a number, by their form (ss_key_form).
ss_status ss_read_levels(ss_contact_reader* c);   ///< read_contacts.c
ss_status ss_read_tensions(ss_contact_reader* c); ///< read_contacts.c
ss_status ss_read_elements(ss_contact_reader* c); ///< read_bristles.c
ss_status ss_read_curve(ss_contact_reader* c);    ///< read_curve.c
ss_status ss_read_shares(ss_contact_reader* c);   ///< read_bristles.c

/// The internal state that a contact with bristles starts from; row: the dimension of its elongation.
ss_status ss_read_bristle_start(ss_reader* r, const ss_node* node, ss_dimension row, ss_contact_def* contact);

#endif
