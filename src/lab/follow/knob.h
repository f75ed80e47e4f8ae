// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One number of a model that is varied: models made of one document with other values in one place.
#ifndef SLIPSTICK_LAB_KNOB_H
#define SLIPSTICK_LAB_KNOB_H

#include "core/number.h"
#include "slipstick/document.h"
#include "slipstick/model.h"

struct ss_node;

typedef struct ss_knob {
    ss_document* document; ///< a copy of the caller's
    struct ss_node* node;  ///< the number
    char text[SS_NUMBER_SIZE];
} ss_knob;

/// path as in ss_document_set; option ("--over a=1:2") is what errors about the number begin with.
ss_status ss_knob_make(ss_knob* knob, const ss_document* document, const char* path, const char* option,
                       ss_error* err);
void ss_knob_free(ss_knob* knob);
/// The model with this value (SI) of the number; the caller destroys it.
ss_status ss_knob_model(ss_knob* knob, double value, ss_model** out, ss_error* err);

#endif
