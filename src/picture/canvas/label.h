// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Short names for what was changed, for legends.
#ifndef SLIPSTICK_PICTURE_LABEL_H
#define SLIPSTICK_PICTURE_LABEL_H

#include <stddef.h>

/// Of each change only the last word of its path: "v=0.6, alpha=0.1" for
/// "disk.v=0.6,contacts.stop.alpha=0.1". Returns out.
const char* ss_label_changes(const char* changes, char* out, size_t size);

#endif
