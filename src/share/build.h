// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Building answers (slipstick/answer.h): for the laboratory and the front ends of this repository.
//
// Values are put one after the other, each into the object or list that was opened last and is not ended yet.
// None of the calls below fails: where memory runs out, or they are not called in an order that makes sense,
// the rest does nothing, and ss_answer_finish says so.
#ifndef SLIPSTICK_SHARE_BUILD_H
#define SLIPSTICK_SHARE_BUILD_H

#include "slipstick/answer.h"

/// An empty answer, to be destroyed in any case.
ss_status ss_answer_create(ss_answer** out, ss_error* err);
/// Ends the building. SS_NO_MEMORY or SS_BAD_INPUT where the answer is not whole.
ss_status ss_answer_finish(ss_answer* answer, ss_error* err);
/// Opens the object of a finished answer again, so that more keys can be put behind those it has; to be ended
/// and finished as before. For whoever owns the answer.
void ss_answer_reopen(ss_answer* answer);

/// A copy of a text that lives as long as the answer, for keys that are no literals; "" without memory.
const char* ss_answer_keep(ss_answer* answer, const char* text);

/// The key of the next value; inside an object every value needs one. It is borrowed: a literal, or one that
/// ss_answer_keep has made.
void ss_answer_key(ss_answer* answer, const char* key);
/// Opens an object or a list. lines: printed as JSON, each of its members has a line of its own.
void ss_answer_object(ss_answer* answer, bool lines);
void ss_answer_list(ss_answer* answer, bool lines);
void ss_answer_end(ss_answer* answer);                    ///< ends the innermost object or list
void ss_answer_number(ss_answer* answer, double value);   ///< null where it is not finite
void ss_answer_text(ss_answer* answer, const char* text); ///< copied
void ss_answer_word(ss_answer* answer, const char* word); ///< borrowed, as a key is
void ss_answer_bool(ss_answer* answer, bool value);
void ss_answer_null(ss_answer* answer);
void ss_answer_numbers(ss_answer* answer, const double values[], size_t count); ///< copied

/// Key and value at once.
void ss_answer_put_number(ss_answer* answer, const char* key, double value);
void ss_answer_put_text(ss_answer* answer, const char* key, const char* text);
void ss_answer_put_word(ss_answer* answer, const char* key, const char* word);
void ss_answer_put_bool(ss_answer* answer, const char* key, bool value);
void ss_answer_put_null(ss_answer* answer, const char* key);
void ss_answer_put_numbers(ss_answer* answer, const char* key, const double values[], size_t count);
void ss_answer_put_object(ss_answer* answer, const char* key, bool lines);
void ss_answer_put_list(ss_answer* answer, const char* key, bool lines);

#endif
