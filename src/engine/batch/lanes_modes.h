// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Which mode a lane is in: at its start, and after an event.
#ifndef SLIPSTICK_FLOW_LANES_MODES_H
#define SLIPSTICK_FLOW_LANES_MODES_H

#include "engine/batch/lanes.h"

/// A motion under way.
typedef struct ss_lane {
    double t;
    double lead;  ///< as in ss_lane_block
    size_t start; ///< its number
    int events;
    short mode, level;
    double y[]; ///< 2 n; for two coordinates the whole lane is one line of the cache
} ss_lane;

typedef struct ss_lane_choice {
    const ss_lanes* lanes;
    const ss_model* model;
    unsigned
        group[SS_LANES_N]; ///< contacts that can only be decided with contact i, as bits, itself included
} ss_lane_choice;

/// Also writes into the tables what follows on the events of contacts that are decided by themselves alone.
void ss_lane_choice_make(ss_lane_choice* choice, ss_lanes* lanes, const ss_model* model);
/// The mode a lane begins in; -1 where that is not clear. Sets its leads.
int ss_lane_start_mode(const ss_lane_choice* choice, ss_lane* lane);
/// The mode after the event of a contact that arrives at v = 0 and is coupled with others; -1 where that is
/// not clear. Sets leads and counts the changes.
int ss_lane_next_mode(const ss_lane_choice* choice, ss_lane* lane, int contact);

#endif
