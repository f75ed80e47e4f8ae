// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The period of a model's inputs: the shortest time after which all of them repeat.
#ifndef SLIPSTICK_LAB_CYCLE_FORCING_H
#define SLIPSTICK_LAB_CYCLE_FORCING_H

#include "model/model_impl.h"

typedef struct ss_forcing {
    bool forced;   ///< some input varies in time
    double period; ///< s: the shortest common one of all inputs but tables; NaN: they have none
    bool tables;   ///< some input is a table
    bool other;    ///< some input besides tables varies
    bool ticks;    ///< nothing but sampled controllers sets the period, by many ticks
} ss_forcing;

/// Finds it. A body that drives away and pulls along is an error: no place repeats then. What inputs set is
/// filled all the same.
ss_status ss_forcing_find(const ss_model* model, ss_forcing* out, ss_error* err);

/// Sampled controllers make the period a multiple of their ticks.
void ss_forcing_add_ticks(const ss_model* model, ss_forcing* forcing);

/// 2 pi over the largest number of which all rates are multiples; NaN where there is none.
double ss_forcing_common(const double rates[], int count);

/// The period of a motion that is to repeat after `given` (NaN: as soon as the inputs do): checked against
/// the inputs, of whose period it must be a multiple within 1e-9, and rounded to that. Tables, which end, are
/// taken to begin anew after `given` where they close. `multiple` is how often the inputs repeat in it.
ss_status ss_forcing_fit(const ss_model* model, const ss_forcing* forcing, double given, double* period,
                         int* multiple, ss_error* err);

#endif
