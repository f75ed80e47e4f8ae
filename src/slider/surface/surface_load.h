// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Questions to the limit surface, in the units of the paper: which load is closest, is a load inside, which
// load a facet gives.
#ifndef SLIPSTICK_SLIDER_SURFACE_LOAD_H
#define SLIPSTICK_SLIDER_SURFACE_LOAD_H

#include "slider/slider_impl.h"

/// Among the loads that elements can exert, the one closest to `wanted` in the metric of the mass. What is
/// left, rest = wanted - load, is the acceleration that follows where these elements have no velocity; it
/// minimises
///     1/2 |g|^2 + Phi(g) - wanted . g
/// and is exactly 0 where the load can be held [GRP91, 3.2 and 3.3]. use[i] (NULL: all) says which elements
/// take part; held[i] tells which of these stay at rest under `rest`, and has room for twice the elements.
void ss_surface_closest(const ss_slider* slider, const ss_floor* floor, const bool use[], const double at[3],
                        const double wanted[3], double load[3], double rest[3], bool held[]);

/// max over q of load . q/Phi(q): below 1 inside, 1 on the limit surface, infinite where no multiple of the
/// load is on it. Every load of the limit surface scaled by the answer encloses this one.
/// motion (may be NULL) is the q of length 1 that attains it: the normal of the surface there.
double ss_surface_gauge(const ss_slider* slider, const ss_floor* floor, const double load[3],
                        double motion[3]);
/// The same, sooner where the motion is like `near`, which may be `motion` itself.
double ss_surface_gauge_near(const ss_slider* slider, const ss_floor* floor, const double load[3],
                             const double near[3], double motion[3]);

/// How much of a load can be added to `applied` (NULL: nothing), which is within the surface, until the sum
/// is on it: the least power, less that of `applied`, of motions with load . motion = 1. The motion is the
/// one that attains it, of several the smallest, and *determined is then false.
double ss_surface_reach(const ss_slider* slider, const ss_floor* floor, const double applied[3],
                        const double load[3], double motion[3], bool* determined);

/// The load at a motion q != 0. Elements that do not move there leave a choice (a facet): the load is the one
/// closest to `effective`, the applied load less what convection takes [GRP91, (4)]. Returns true on a facet.
/// still[i] tells which elements do not move at q, and has room for three times the elements.
bool ss_surface_load(const ss_slider* slider, const ss_floor* floor, const double q[3],
                     const double effective[3], double load[3], bool still[]);

/// Sum of sqrt(Phi_i^2 + (level_i eps)^2) with gradient and Hessian, over the elements with use[i] (NULL:
/// all). At eps = 0 it is Phi itself, and elements that do not move add nothing. `at` as above (rounded.c).
void ss_rounded_power(const ss_slider* slider, const ss_floor* floor, const bool use[], const double at[3],
                      double eps, const double q[3], ss_power* out);

/// A ratchet that rolls at the motion `at` and slips hardly acts like a line along its axle: `out`. False
/// where it is locked, slips, or does not move at all.
bool ss_ratchet_face(const ss_element* e, const double at[3], ss_element* out);

/// Does the element not move at q? A velocity counts as none below `tolerance` times the terms it is made of.
bool ss_element_is_still(const ss_element* e, const double q[3], double tolerance);

#endif
