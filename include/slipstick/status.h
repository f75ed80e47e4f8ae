// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Status and error of every call. The library neither prints nor exits: a call that makes no sense returns
// a status other than SS_OK and fills the caller's ss_error. What a motion does is never an error; see
// ss_outcome in simulation.h.
#ifndef SLIPSTICK_STATUS_H
#define SLIPSTICK_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SS_API __attribute__((visibility("default")))
#else
#define SS_API
#endif

typedef enum ss_status {
    SS_OK = 0,
    SS_BAD_INPUT,  ///< the model, the definition or an argument makes no sense; the error says which and why
    SS_NO_MEMORY,  ///< an allocation failed; nothing was changed
    SS_FILE_ERROR, ///< a file could not be read or written; the error says which and why
    SS_NOT_FOUND,  ///< what was looked for is not there; the error says how far the search got
} ss_status;

/// Owned by the caller. Every function that takes one fills it when it returns anything but SS_OK; NULL is
/// welcome.
typedef struct ss_error {
    ss_status status;
    char origin[256];  ///< file name as typed, or the option at fault ("--set contacts.floor.mu=-1"); may be
                       ///< empty
    int line, column;  ///< where in the file, counted from 1; 0 if not from a file
    char field[128];   ///< "contacts.floor.static"; may be empty
    char text[384];    ///< what is wrong and what was expected
    bool out_of_range; ///< a number is outside of what its key admits, whatever the other numbers are
} ss_error;

/// Writes "file:line:column: field: text" (without the parts that are empty) into out. For a fault in an
/// option, origin begins with "--" and the field is left out: "--set contacts.floor.static=0.2: below ...".
/// Returns out.
SS_API const char* ss_error_format(const ss_error* error, char* out, size_t size);

/// Watches work that may take long. goes_on is called now and then with the share that is done, in [0, 1];
/// where it says no, the work ends with SS_NOT_FOUND and leaves nothing behind.
typedef struct ss_watch {
    bool (*goes_on)(void* user, double share);
    void* user;
} ss_watch;

/// The version of the library, "0.1.0".
SS_API const char* ss_version(void);

#ifdef __cplusplus
}
#endif
#endif
