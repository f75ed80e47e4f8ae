// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings through the programs of an open model by their tangents (core/expression/tangent.h).
#ifndef SLIPSTICK_ENGINE_VARIATION_TANGENT_H
#define SLIPSTICK_ENGINE_VARIATION_TANGENT_H

#include "core/expression/tangent.h"
#include "engine/variation/variation.h"

/// The programs of the model along one heading; a tangent without a program is none: the model takes another
/// form beside the number, or it is one that tangents do not know.
struct ss_vary_tangent {
    ss_tangent motion;
    double* rows;      ///< changes of its registers: SS_MAX_ORDER + 1 each
    bool bad;          ///< on this step they do not exist
    ss_tangent* ticks; ///< per sampled block
    double** x;        ///< changes of its registers at a point
};

/// Made together with the heading; NULL where the model has no programs.
struct ss_vary_tangent* ss_vary_tangent_make(ss_variation* var, const ss_direction* from);
/// Whether the motion's program, if there is one, has a tangent along all headings.
bool ss_vary_has_tangents(const ss_variation* var);
/// Whether the series of the motion's program on the present step are there to be differentiated.
bool ss_vary_can_step(const ss_variation* var);
/// Coefficients `order` of the outputs of the motion, in out; vars: of how the variables change.
void ss_vary_tangent_order(ss_variation* var, const ss_heading* to, int order, const double vars[],
                           double out[]);
/// How what a sampled block writes changes; vars as above. False where that has no tangent.
bool ss_vary_tangent_tick(ss_variation* var, const ss_heading* to, int block, const double vars[],
                          double out[]);

#endif
