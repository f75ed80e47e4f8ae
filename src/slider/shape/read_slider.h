// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Readers of the parts of a slider.
#ifndef SLIPSTICK_SLIDER_READ_SLIDER_H
#define SLIPSTICK_SLIDER_READ_SLIDER_H

#include "model/read/read.h"
#include "slider/slider_impl.h"

typedef struct slider_reader {
    ss_reader base;
    ss_slider_def def;
} slider_reader;

/// [x, y] in m; a direction, not [0, 0].
ss_status ss_read_place(ss_reader* r, const ss_node* node, double out[2]);
ss_status ss_read_direction(ss_reader* r, const ss_node* node, double out[2]);
/// One number, or two: along and across an axis. *pair tells which.
ss_status ss_read_roughness_pair(ss_reader* r, const ss_node* node, ss_dimension unit, double out[2],
                                 bool* pair);

/// Two functions of time.
ss_status ss_read_pair(ss_reader* r, const ss_node* node, ss_dimension unit, const char* example,
                       const ss_signal** x, const ss_signal** y);

ss_status ss_read_floor(slider_reader* sr, const ss_node* map);
ss_status ss_read_loads(slider_reader* sr, const ss_node* node); ///< under `applied`: one, or a list

ss_status ss_read_outline(slider_reader* sr, const ss_node* node);
ss_status ss_read_pushers(slider_reader* sr, const ss_node* list); ///< after the outline
ss_status ss_read_quasistatic(slider_reader* sr, const ss_node* node);

#endif
