// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Short names for what was changed, for legends.
#ifndef SLIPSTICK_PICTURE_LABEL_H
#define SLIPSTICK_PICTURE_LABEL_H

#include <stddef.h>

/// Of each change as much of its path as tells it from others: "disk.v=0.6, stop.alpha=0.1, mu=0.2" for
/// "start.disk.v=0.6,contacts.stop.alpha=0.1,parameters.mu=0.2". Returns out.
const char* ss_label_changes(const char* changes, char* out, size_t size);

#endif
