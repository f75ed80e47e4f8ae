// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities through the programs of an open model by their tangents (core/expression/graph_tangent.h).
#ifndef SLIPSTICK_ENGINE_SENSITIVITY_PROGRAM_TANGENT_H
#define SLIPSTICK_ENGINE_SENSITIVITY_PROGRAM_TANGENT_H

#include "core/expression/graph_tangent.h"
#include "engine/field/field.h"
#include "engine/sensitivity/sensitivity.h"

/// The programs of the model along one sensitivity; a tangent without a program is none: the model takes
/// another form beside the number, or it is one that tangents do not know.
struct ss_program_tangent {
    ss_tangent motion;
    struct ss_sensitivity_longer*
        longer;   ///< the program that it differentiates, if that is not the model's own
    double* rows; ///< changes of its registers: SS_MAX_ORDER + 1 each
    double* x;    ///< the same at a point
    int used_count;
    int* used;          ///< variables that the program uses
    bool bad;           ///< on this step they do not exist
    ss_tangent shown;   ///< of the signals, at a point
    double* shown_x;    ///< changes of its registers
    ss_tangent impulse; ///< of the levels of impulses, at a point; no program: they have another form
    double* impulse_x;  ///< changes of its registers
    bool shown_form;    ///< models beside the number have other operations there: `shown` is by its variables
    struct ss_sensitivity_tick {
        ss_tangent by;
        double* x;                    ///< changes of its registers at a point
        bool affine;                  ///< and nothing that is given in time changes
        struct ss_sensitivity_lines { ///< factors other than 0, line by line: from start[w] before start[w +
                                      ///< 1]
            int *start, *at;
            double* by;
        } changes, values; ///< of the changes of q .. memory, which are one list; of the variables
        double* rest;
    } * ticks; ///< per sampled block
};

/// Made together with the sensitivity; NULL where the model has no programs.
struct ss_program_tangent* ss_program_tangent_make(ss_derivative* der, const ss_direction* from);
/// The tangent of one program, whose constants change with those of the models of a direction; none (program
/// NULL) where these have other operations. through_rounding as in ss_tangent_make.
void ss_program_tangent_one(ss_derivative* der, const ss_direction* from, const ss_program* own,
                            const ss_program* const others[], bool through_rounding, ss_tangent* out);
/// Whether the motion's program, if there is one, has a tangent along all sensitivities.
bool ss_has_program_tangents(const ss_derivative* der);
/// Whether the series of the motion's program on the present step are there to be differentiated.
bool ss_sensitivity_can_step(const ss_derivative* der);
/// Coefficients `order` of the outputs of the motion, in out; vars: of how the variables change.
void ss_program_tangent_order(ss_derivative* der, const ss_sensitivity* to, int order, const double vars[],
                              double out[]);
/// Outputs of the motion's program at a point, by the model's own program, which keeps its registers.
void ss_sensitivity_run_point(ss_derivative* der, const ss_values* at, double out[]);
/// How these change with the numbers of the model there: until room.seen is written once more.
const double* ss_sensitivity_tangent_numbers(ss_derivative* der, const ss_sensitivity* to,
                                             const ss_linear* lin);
/// Slopes of outputs at a point whose registers are there, where rules of plain products find no number: at a
/// place where a root stays.
void ss_sensitivity_mend_slopes(ss_derivative* der, ss_linear* lin);
/// How what a sampled block writes changes, where its lines are affine; false where they are not.
bool ss_sensitivity_line_tick(const ss_derivative* der, const ss_sensitivity* to, int block, double out[]);
/// The same for any lines; vars as above. False where they have no tangent.
bool ss_program_tangent_tick(const ss_derivative* der, const ss_sensitivity* to, int block,
                             const double vars[], double out[]);

/// The run of the motion's program, or of what stands for it along a sensitivity, with its series (made where
/// order 0 is asked for, first), and with its values at a point. NULL: it cannot be computed.
const ss_run* ss_sensitivity_series_run(const ss_derivative* der, const ss_sensitivity* to, int k);
const ss_run* ss_sensitivity_point_run(const ss_derivative* der, const ss_sensitivity* to,
                                       const ss_values* at);
/// What it passes on the present step, or NULL.
const ss_passing* ss_sensitivity_passing_of(const ss_derivative* der, const ss_sensitivity* to);

// longer_form.c
/// The program of models beside a number, whose own operations are others, with constants as the model itself
/// has them; NULL where these models do not say.
struct ss_sensitivity_longer* ss_sensitivity_make_longer(ss_derivative* der, const ss_direction* from,
                                                         const ss_program* const others[]);
const ss_program* ss_sensitivity_longer_program(const struct ss_sensitivity_longer* own);
/// It goes along with the run: all series on the present step (NULL: it has none), the same once they are
/// there, and values at a point.
const ss_run* ss_sensitivity_longer_series(const ss_derivative* der, struct ss_sensitivity_longer* own);
const ss_run* ss_sensitivity_longer_along(const struct ss_sensitivity_longer* own);
const ss_run* ss_sensitivity_longer_point(const ss_derivative* der, struct ss_sensitivity_longer* own,
                                          const ss_values* at);
/// Values where a step ends on which places are passed, and these.
void ss_sensitivity_longer_passes(const ss_derivative* der, struct ss_sensitivity_longer* own,
                                  const ss_values* at, double s);
const ss_passing* ss_sensitivity_longer_passing(const ss_derivative* der, struct ss_sensitivity_longer* own);

// higher_orders.c
/// Whether the orders after the first of a sensitivity can be had in brief.
bool ss_sensitivity_is_brief(const ss_derivative* der, const ss_sensitivity* to);
/// Whether these have more than what the sensitivity itself does.
bool ss_sensitivity_changes_operators(const ss_derivative* der, const ss_model_change* change);
/// Accelerations and rates of order k > 0, in a and rate of io, without contacts that hold or are nonlinear.
void ss_sensitivity_brief_rates(ss_derivative* der, const ss_sensitivity* to, int k, ss_delta* io);
/// These orders of its series.
void ss_sensitivity_brief_orders(ss_derivative* der, ss_sensitivity* to);

#endif
