// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The inside of an answer: values in a pool, 32 bytes each, since a motion may have a million samples.
#ifndef SLIPSTICK_ANSWER_ANSWER_IMPL_H
#define SLIPSTICK_ANSWER_ANSWER_IMPL_H

#include "core/pool.h"
#include "slipstick/answer.h"

#include <stdint.h>

enum { SS_ANSWER_DEPTH = 16 }; ///< objects and lists within each other, at most

struct ss_value {
    const char* key; ///< NULL outside of objects
    union {
        double number;
        const char* text;
        const double* numbers;
        ss_value* first;
        bool truth;
    };
    ss_value* next;
    uint32_t count; ///< of members or numbers
    uint8_t kind;   ///< ss_value_kind
    bool lines;
};

struct ss_answer {
    ss_pool pool;
    ss_value* root;
    int depth; ///< how many objects and lists are open
    struct {
        ss_value *value, *last;
    } open[SS_ANSWER_DEPTH];
    const char* key; ///< of the next value
    bool wrong;      ///< the calls made no sense
};

/// Ends the building of an answer that a function of the library has made: *out, or its fault.
ss_status ss_answer_hand_over(ss_answer* answer, ss_answer** out, ss_error* err);

/// Names that the answer keeps: name(of, k) for all k below count, NULL without memory.
const char** ss_answer_keep_names(ss_answer* answer, const void* of, int count,
                                  const char* (*name)(const void* of, int k));

/// The parts that several answers have in common.
/// The same without its end, so that more can be put into it.
void ss_answer_begin_event(ss_answer* answer, const char* const contacts[], const ss_event* event);
void ss_answer_add_event(ss_answer* answer, const char* const contacts[], const ss_event* event);
void ss_answer_put_energy(ss_answer* answer, const ss_energy* energy);

/// "support1" for the first one. Returns out.
const char* ss_support_label(int support, char out[24]);

#endif
