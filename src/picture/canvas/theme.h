// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Colours of a picture: for paper, for a bright screen, for a dark one. Lines are told apart by everybody,
// also in grey (the set of Okabe and Ito, by brightness in turn).
#ifndef SLIPSTICK_PICTURE_THEME_H
#define SLIPSTICK_PICTURE_THEME_H

#include "picture/canvas/canvas.h"
#include "slipstick/picture.h"

enum { SS_THEME_SERIES = 7 };

struct ss_theme {
    const char* name;
    ss_color paper, ink;
    ss_color faint;  ///< what stands behind the data: grids, zero lines
    ss_color shade;  ///< stick phases
    ss_color set;    ///< E
    ss_color region; ///< I_rho*
    ss_color halo;   ///< around lines over an image
    ss_color body;   ///< the limit surface, in full light
    ss_color globe;  ///< the sphere of motions
    ss_color series[SS_THEME_SERIES];
};

extern const ss_theme ss_theme_print;

#endif
