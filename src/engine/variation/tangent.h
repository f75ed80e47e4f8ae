// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings through the programs of an open model by their tangents (core/expression/graph_tangent.h).
#ifndef SLIPSTICK_ENGINE_VARIATION_TANGENT_H
#define SLIPSTICK_ENGINE_VARIATION_TANGENT_H

#include "core/expression/graph_tangent.h"
#include "engine/field/field.h"
#include "engine/variation/variation.h"

/// The programs of the model along one heading; a tangent without a program is none: the model takes another
/// form beside the number, or it is one that tangents do not know.
struct ss_vary_tangent {
    ss_tangent motion;
    double* rows; ///< changes of its registers: SS_MAX_ORDER + 1 each
    double* x;    ///< the same at a point
    int used_count;
    int* used; ///< variables that the program uses
    bool bad;  ///< on this step they do not exist
    struct ss_vary_tick {
        ss_tangent by;
        double* x;             ///< changes of its registers at a point
        bool affine;           ///< and nothing that is given in time changes
        struct ss_vary_lines { ///< factors other than 0, line by line: from start[w] before start[w + 1]
            int *start, *at;
            double* by;
        } changes, values; ///< of the changes of q .. memory, which are one list; of the variables
        double* rest;
    } * ticks; ///< per sampled block
};

/// Made together with the heading; NULL where the model has no programs.
struct ss_vary_tangent* ss_vary_tangent_make(ss_variation* var, const ss_direction* from);
/// The tangent of one program, whose constants change with those of the models of a direction; none (program
/// NULL) where these have other operations.
void ss_vary_tangent_one(ss_variation* var, const ss_direction* from, const ss_program* own,
                         const ss_program* const others[], ss_tangent* out);
/// Whether the motion's program, if there is one, has a tangent along all headings.
bool ss_vary_has_tangents(const ss_variation* var);
/// Whether the series of the motion's program on the present step are there to be differentiated.
bool ss_vary_can_step(const ss_variation* var);
/// Coefficients `order` of the outputs of the motion, in out; vars: of how the variables change.
void ss_vary_tangent_order(ss_variation* var, const ss_heading* to, int order, const double vars[],
                           double out[]);
/// How what a sampled block writes changes, where its lines are affine; false where they are not.
bool ss_vary_line_tick(const ss_variation* var, const ss_heading* to, int block, double out[]);
/// The same for any lines; vars as above. False where they have no tangent.
bool ss_vary_tangent_tick(const ss_variation* var, const ss_heading* to, int block, const double vars[],
                          double out[]);

// orders.c
/// Whether the orders after the first of a heading can be had in brief.
bool ss_vary_is_brief(const ss_variation* var, const ss_heading* to);
/// Whether these have more than what the heading itself does.
bool ss_vary_changes_operators(const ss_variation* var, const ss_change* change);
/// Accelerations and rates of order k > 0, in a and rate of io, without contacts that hold or bend.
void ss_vary_brief_rates(ss_variation* var, const ss_heading* to, int k, ss_delta* io);
/// These orders of its series.
void ss_vary_brief_orders(ss_variation* var, ss_heading* to);

#endif
