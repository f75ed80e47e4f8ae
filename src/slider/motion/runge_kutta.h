// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One step of an explicit Runge-Kutta method of order 8 for the state of a sliding body.
#ifndef SLIPSTICK_SLIDER_RUNGE_KUTTA_H
#define SLIPSTICK_SLIDER_RUNGE_KUTTA_H

enum { SS_SLIDE_STATE = 9, SS_RK_LIVE = 5, SS_RK_STAGES = 12 };

/// dy/ds at a state; stage tells which of the step's evaluations this is (0: at its beginning).
typedef void ss_rk_rate(void* user, const double y[], int stage, double dy[]);

/// Where in the step each stage looks, as a share of it, and the stages in order of that.
extern const double ss_rk_nodes[SS_RK_STAGES];
extern const int ss_rk_by_time[SS_RK_STAGES];

/// A step of length h from y, where k[0] holds dy/ds; fills the other k and out (which may not be y). Rates
/// depend on the first `live` components only (up to SS_RK_LIVE, or all); the others are then only summed up.
void ss_rk_step(ss_rk_rate* rate, void* user, const double y[], double h, int live,
                double k[][SS_SLIDE_STATE], double out[]);

/// The estimated error of that step: Euclidean norm of the components' errors times scale[]. A step is good
/// where it is at most 1; it falls like h^8.
double ss_rk_error(double h, double k[][SS_SLIDE_STATE], const double scale[]);

#endif
