// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Answers as trees. What a command of the program tells with --json is built once, here, as a tree of
// objects, lists, numbers, texts, true, false and null; front ends walk it (a Python module makes
// dictionaries of it) or print it as JSON. All numbers are SI. Needs nothing but the C library.
//
//     ss_answer* answer;
//     if (ss_answer_motion(motion, &answer, &err) == SS_OK) {
//         const ss_value* energy = ss_value_find(ss_answer_root(answer), "energy");
//         double residual = ss_value_number(ss_value_find(energy, "residual")); // J
//         ss_answer_print_json(answer, to_stdout, NULL, &err);
//     }
//     ss_answer_destroy(answer);
//
// An answer owns everything in it: it may outlive the model and the motion that it speaks of. One that is
// finished is constant, and may be read by several threads.
#ifndef SLIPSTICK_ANSWER_H
#define SLIPSTICK_ANSWER_H

#include "slipstick/check.h"
#include "slipstick/motion.h"
#include "slipstick/slider.h"
#include "slipstick/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ss_answer ss_answer; ///< owns its values
typedef struct ss_value ss_value;   ///< lives as long as its answer

SS_API void ss_answer_destroy(ss_answer* answer); ///< NULL is welcome

// ---- reading

typedef enum ss_value_kind {
    SS_VALUE_NULL, ///< not known, does not apply, or is not finite
    SS_VALUE_BOOL,
    SS_VALUE_NUMBER,
    SS_VALUE_TEXT,
    SS_VALUE_NUMBERS, ///< a list of nothing but numbers, as one array
    SS_VALUE_LIST,    ///< of values of any kind
    SS_VALUE_OBJECT,  ///< keys with values, in an order of its own
} ss_value_kind;

SS_API const ss_value* ss_answer_root(const ss_answer* answer); ///< an object; NULL while there is nothing
/// All of these take NULL as if it were SS_VALUE_NULL, so that a search may be chained.
SS_API ss_value_kind ss_value_get_kind(const ss_value* value);
SS_API const char* ss_value_key(const ss_value* value);  ///< in an object; NULL elsewhere
SS_API double ss_value_number(const ss_value* value);    ///< NaN where it is no number
SS_API const char* ss_value_text(const ss_value* value); ///< NULL where it is no text; UTF-8
SS_API bool ss_value_is_true(const ss_value* value);     ///< false also where it is neither true nor false
SS_API size_t ss_value_count(const ss_value* value); ///< numbers, or members of a list or an object; else 0
/// The numbers of SS_VALUE_NUMBERS, as many as ss_value_count says, NaN where one is null; NULL of other
/// kinds.
SS_API const double* ss_value_numbers(const ss_value* value);
SS_API const ss_value* ss_value_first(const ss_value* value); ///< the first member, NULL: there is none
SS_API const ss_value* ss_value_next(const ss_value* value);  ///< the member after this one, NULL: none
SS_API const ss_value* ss_value_find(const ss_value* object, const char* key); ///< NULL: there is none

/// Takes a piece of text (not ended by NUL); false where it cannot.
typedef bool ss_text_sink(void* user, const char* text, size_t length);

/// Prints the answer as one JSON object, piece by piece, with a line break at its end. Numbers read back
/// exactly. SS_FILE_ERROR where the sink could not take a piece.
SS_API ss_status ss_answer_print_json(const ss_answer* answer, ss_text_sink* sink, void* user, ss_error* err);
/// The same into memory, as snprintf does it: writes what fits into size bytes, with a NUL at its end, and
/// returns how long the whole text is. out may be NULL where size is 0.
SS_API size_t ss_answer_format_json(const ss_answer* answer, char* out, size_t size);

// ---- the answers of the program that need libslipstick alone; those of the laboratory are in
// slipstick/lab.h

/// `simulate`: outcome, state, contacts, events, samples, energy, notes, warnings. The motion must have run.
SS_API ss_status ss_answer_motion(const ss_motion* motion, ss_answer** out, ss_error* err);

/// `check` of bodies and matrices: kind, coordinates, contacts, matrices, laws, warnings.
SS_API ss_status ss_answer_check(const ss_check* check, ss_answer** out, ss_error* err);
/// `check` of a slider.
SS_API ss_status ss_answer_slider_check(const ss_slider_check* check, ss_answer** out, ss_error* err);

/// `surface --load`: the load at a motion (vx, vy in m/s, spin in rad/s, body frame).
SS_API ss_status ss_answer_load(const double motion[3], const ss_sliding_load* load, ss_answer** out,
                                ss_error* err);
/// `surface --first-motion`: what an applied load does to a slider at rest.
SS_API ss_status ss_answer_push(const ss_push_answer* push, ss_answer** out, ss_error* err);
SS_API ss_status ss_answer_first_motion(const ss_first_motion* motion, ss_answer** out, ss_error* err);
/// `surface --eigen`: the ways to come to rest. shares (may be NULL), one per direction: of the sphere of
/// motions, how much each attracts.
SS_API ss_status ss_answer_eigen(const ss_eigen_set* set, const double shares[], ss_answer** out,
                                 ss_error* err);
/// `surface --facets`: flat faces and vertices.
SS_API ss_status ss_answer_faces(const ss_facet facets[], int count, const ss_vertex_set* vertices,
                                 ss_answer** out, ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
