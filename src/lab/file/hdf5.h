// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What everything that writes HDF5 shares: errors with their cause, texts as attributes.
#ifndef SLIPSTICK_LAB_HDF5_H
#define SLIPSTICK_LAB_HDF5_H

#include "slipstick/status.h"

#include <hdf5.h>
#include <stdbool.h>

/// While a listener is on, HDF5 prints nothing and the cause of the first failure is kept: the deepest entry
/// of HDF5's error stack, of which later calls leave nothing.
typedef struct ss_hdf5_listener {
    H5E_auto2_t before;
    void* before_data;
    char cause[200];
} ss_hdf5_listener;

void ss_hdf5_listen(ss_hdf5_listener* listener);
void ss_hdf5_stop_listening(const ss_hdf5_listener* listener);
/// SS_FILE_ERROR with "what: cause".
ss_status ss_hdf5_failed(ss_error* err, const char* what, const ss_hdf5_listener* listener);

/// Makes a file whole: `make` lays it out in the temporary one, which is removed again where that fails.
ss_status ss_hdf5_lay_out(const char* target, const char* temporary, bool (*make)(void* self), void* self,
                          ss_error* err);

/// A text attribute of an object, padded with zeros to its own length (HDF5 wants at least one byte).
bool ss_hdf5_write_text(hid_t object, const char* name, const char* text);
/// Whether an object has such an attribute with this text.
bool ss_hdf5_has_text(hid_t object, const char* name, const char* wanted);

#endif
