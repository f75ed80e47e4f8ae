// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The load as a field on the sphere of unit motions q, with bounds on how it can change within a small disc:
// what a search for all eigen-directions P(q) || q needs. Units of the paper.
//
// Kinks are great circles (a line does not slip) and single points (a point does not move). Across a great
// circle the field jumps; each side goes on smoothly beyond it, and `sides` says which one is meant.
#ifndef SLIPSTICK_SLIDER_LOAD_FIELD_H
#define SLIPSTICK_SLIDER_LOAD_FIELD_H

#include "slider/shape/patch.h"
#include "slider/slider_impl.h"

typedef enum ss_side {
    SS_SIDE_NATURAL, ///< what the motion itself says
    SS_SIDE_PLUS,    ///< a line that slips forwards; a ratchet that rolls and slips forwards
    SS_SIDE_MINUS,   ///< the same backwards
    SS_SIDE_LOCKED,  ///< a ratchet that does not roll
    SS_SIDE_OUT,     ///< takes no part
    SS_SIDE_STILL,   ///< a line or rolling ratchet on its great circle of no slip
    SS_SIDE_EDGE,    ///< a ratchet on its great circle of no roll
} ss_side;

typedef struct ss_part {
    ss_element_kind kind;
    const ss_element* element;
    double load[2]
               [3]; ///< point (and locked ratchet): loads of the unit vectors of its disc; Phi = |load^T q|
    double size;    ///< largest load of the disc, or of the line
    double slip[3]; ///< line and ratchet: level times the row; slip . q is its power
    double roll[3]; ///< ratchet: the row that is negative where it is locked
    double bias[3]; ///< line: the middle of its loads
} ss_part;

typedef struct ss_field {
    const ss_slider* slider;
    ss_floor floor;
    int count;
    ss_part* parts;
    bool is_odd;  ///< P(-q) = -P(q): no ratchet
    double scale; ///< sum of sizes: a bound of |P|
    double push;  ///< the same of forces alone
    double reach; ///< at least 1: distance of the farthest place with friction from the centre of mass
} ss_field;

/// parts has room for slider->element_count.
void ss_field_set(ss_field* field, const ss_slider* slider, double angle, ss_part parts[]);

/// Load, Hessian and power at q; parts on their kink add nothing. sides may be NULL: natural.
void ss_field_at(const ss_field* field, const ss_side sides[], const double q[3], ss_power* out);

/// Two unit vectors across q.
void ss_tangents(const double q[3], double t[2][3]);
/// Share of P across q, in these two.
void ss_tangential(const double p[3], double t[2][3], double out[2]);
/// Second derivative of Phi along the sphere at q: H in the tangents less Phi. Returns xx, xy, yy.
void ss_bending(const ss_power* f, double t[2][3], double out[3]);
/// Eigenvalues of a symmetric 2 x 2 (xx, xy, yy), ascending, and the unit vector of the first.
void ss_eigen2(const double a[3], double values[2], double first[2]);

/// Newton's method for P(q) || q from q on. True where it converges; q is then it.
bool ss_field_newton(const ss_field* field, const ss_side sides[], double q[3]);

/// The motions round q within delta (a chord or an angle, at most 1.5), t_0 a translation.
void ss_around_disc(const double q[3], double delta, ss_around* out);

/// Bounds among the motions around q.
typedef struct ss_view {
    ss_power smooth;    ///< at q, of the parts that are smooth in the disc
    double bend[4];     ///< of their third derivatives along t_i, t_j, t_k: bend[i + j + k]
    int rough[2];       ///< up to two points whose null direction is in the disc or near
    int rough_count;    ///< of all such points
    double rough_size;  ///< sum of the sizes of those beyond the first
    double rough_power; ///< largest Phi of rough ones in the disc
    int unsure[4];      ///< lines and ratchets that change sides in the disc
    int unsure_count;   ///< -1: too many
    bool is_void;       ///< an arc that is no kink: the ratchet whose circle it is on is locked there
} ss_view;
/// corners: four directions on the disc's rim, where patches are sampled.
void ss_field_view(const ss_field* field, const ss_side sides[], const ss_around* around,
                   double corners[4][3], ss_view* out);
/// A Lipschitz constant of their Hessian, as a bend.
double ss_view_bend(const ss_view* view);
/// Adds the share of an unsure part on a given side.
void ss_field_add_side(const ss_field* field, int part, ss_side side, const ss_around* around, ss_view* view);

#endif
