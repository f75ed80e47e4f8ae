// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One number of a model that is varied: models made of one document with other values in one place.
#ifndef SLIPSTICK_LAB_FOLLOW_VARIED_PARAMETER_H
#define SLIPSTICK_LAB_FOLLOW_VARIED_PARAMETER_H

#include "core/number_length.h"
#include "slipstick/document.h"
#include "slipstick/model.h"

struct ss_node;

typedef struct ss_varied_parameter {
    ss_document* document; ///< a copy of the caller's
    struct ss_node* node;  ///< the number
    char text[SS_NUMBER_SIZE];
} ss_varied_parameter;

/// path as in ss_document_set; option ("--over a=1:2") is what errors about the number begin with.
ss_status ss_varied_parameter_make(ss_varied_parameter* parameter, const ss_document* document,
                                   const char* path, const char* option, ss_error* err);
void ss_varied_parameter_free(ss_varied_parameter* parameter);
/// The model with this value (SI) of the number; the caller destroys it.
ss_status ss_varied_parameter_model(ss_varied_parameter* parameter, double value, ss_model** out,
                                    ss_error* err);
/// Ties become a list, whose coordinates are expressed by others, unless the model needs their names: a force
/// of one in a level, a signal or a rate.
ss_status ss_varied_parameter_leave_tie_names(ss_varied_parameter* parameter, double value, ss_error* err);

#endif
