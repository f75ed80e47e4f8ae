// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inside of a slider: its supports as elements, each with a power Phi_i of its own, in the units of [GRP91]:
// lengths by the radius of gyration r_g, forces by m g, time by sqrt(r_g / g). Mass and moment of inertia are
// then 1, and the metric of the mass is the plain one.
//
//  paper   here   meaning
//  Q       q      motion (Vx, Vy, omega) of the centre of mass in the body frame
//  P       p      load (Fx, Fy, M) on the ground, P = grad Phi
//  Phi     phi    power
//  [rho]   h      Hessian of Phi; in the plane across q its eigenvalues are the radii of curvature
#ifndef SLIPSTICK_SLIDER_SLIDER_IMPL_H
#define SLIPSTICK_SLIDER_SLIDER_IMPL_H

#include "core/error.h"
#include "core/pool.h"
#include "slipstick/slider.h"

#include <math.h>
#include <stdint.h>

static inline double ss_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double ss_norm3(const double a[3]) { return sqrt(ss_dot3(a, a)); }

/// What one element, or all, do at a motion.
typedef struct ss_power {
    double phi;
    double p[3];
    double h[9]; ///< symmetric, row-major
} ss_power;

typedef enum ss_element_kind {
    SS_ELEMENT_POINT,   ///< two-dimensional: the load at the point is `ellipse` times a vector of length <= 1
    SS_ELEMENT_LINE,    ///< one-dimensional: the load is along `along`, within level of `bias`
    SS_ELEMENT_RATCHET, ///< two-dimensional: a wheel that rolls one way, see ratchet_power in element.c
    SS_ELEMENT_PATCH,   ///< three-dimensional, smooth wherever the body moves
} ss_element_kind;

/// One elementary contact; a support has one or more (a wheel with drag two, a table of pressures many). The
/// drag of a ratchet's bearing is a line from 0 to drag: level = bias = drag/2.
typedef struct ss_element {
    ss_element_kind kind;
    int support;       ///< index of the support it belongs to
    double x, y;       ///< where, body frame; the centre of a patch
    double level;      ///< mu N of all of it: the radius of a point's disc, if that is one
    double ellipse[4]; ///< point: symmetric positive definite 2 x 2, body frame; level * I where isotropic
    double along[2];   ///< line: unit vector; ratchet: the axle
    bool is_bearing;   ///< line: the drag of a bearing, which does not feel the floor
    bool weighs;       ///< its level is a share of the weight, which gravity that varies changes
    double bias;       ///< line: the middle of its loads; 0 but for bearings that drag one way
    double rolls[2];   ///< ratchet: unit vector the way it can roll
    ss_support_kind patch;  ///< ring, disk, annulus or polygon
    double radius, inner;   ///< of a ring, disk, annulus; of a polygon, the farthest vertex from (x, y)
    const double* vertices; ///< polygon: pairs relative to (x, y), its centroid, counter-clockwise
    int vertex_count;
    double area; ///< polygon
} ss_element;

typedef struct ss_round_nodes ss_round_nodes; ///< see slider/patch.h

/// What pulls at the body.
typedef struct ss_load {
    ss_signal *force_x, *force_y, *moment; ///< SI; NULL where there is none
    bool in_body;                          ///< the force turns with the body
    double x, y;                           ///< where it acts, body frame
} ss_load;

/// How the floor moves; SI, of each pair at most one.
typedef struct ss_floor_motion {
    bool moves, turns;
    ss_signal *speed[2], *place[2]; ///< of its centre
    ss_signal *spin, *angle;
    double center[2]; ///< in units of length
    double weight[2]; ///< the share of the weight that pulls in the plane of an inclined floor, space frame
} ss_floor_motion;

/// What fingers touch, body frame: a circle about the centre of mass, or a simple polygon, counter-clockwise.
typedef struct ss_outline {
    double radius; ///< 0 where it is a polygon, or none
    const double* vertices;
    int count;
} ss_outline;

typedef struct ss_pusher {
    double at[2];        ///< at t = 0, in space, in units of length
    ss_signal* speed[2]; ///< SI; NULL for 0
    double mu;
} ss_pusher;

struct ss_slider {
    ss_pool pool;
    const char* title;
    double mass, gyration, gravity, until;                              ///< SI
    double unit_force, unit_length, unit_time, unit_speed, unit_moment; ///< of the normalised numbers, in SI
    struct {                                                            ///< in time
        ss_signal* gravity; ///< m/s^2, where it varies; that of the slider is then the one of the units
        const ss_signal** signals; ///< all that do: of loads, floor and fingers
        int signal_count;
    } varying;
    double press; ///< the share of the weight that presses on the floor, which may be inclined
    struct {
        int count;
        ss_support_kind* kinds;
        double *levels, *loads, *places; ///< N; shares or NaN; x, y pairs in m
    } supports;
    int element_count;
    ss_element* elements;
    bool floor_is_anisotropic;
    const ss_round_nodes* round_nodes; ///< where it is
    double floor_mu[2], floor_angle;   ///< of the axis in space, rad
    ss_load* loads;
    int load_count;
    ss_floor_motion motion; ///< of the floor
    ss_outline outline;
    ss_pusher* pushers;
    int pusher_count;
    bool quasistatic;
    double start[3], start_speed[3]; ///< SI
};

/// The elements of a support: from .. to - 1, for they stand in the order of the supports.
static inline void ss_slider_elements_of(const ss_slider* slider, int support, int* from, int* to)
{
    int bound[2];
    for (int k = 0; k < 2; k++) {
        int low = 0, high = slider->element_count; // the first whose support is at least support + k
        while (low < high) {
            int middle = (low + high) / 2;
            if (slider->elements[middle].support < support + k)
                low = middle + 1;
            else
                high = middle;
        }
        bound[k] = low;
    }
    *from = bound[0];
    *to = bound[1];
}

/// Gravity at a time (s), in units of `gravity`.
double ss_slider_pull(const ss_slider* slider, double t_s);
/// Whether gravity becomes negative in [from_s, to_s]; when it does first.
bool ss_slider_lifts_off(const ss_slider* slider, double from_s, double to_s, double* t_s);

/// The same for sliders that move alike to the last bit, and for others almost surely not (motion_save.c).
uint64_t ss_slider_fingerprint(const ss_slider* slider);

/// The floor as a symmetric matrix in the body frame: the load of any contact is that matrix times the load
/// it would have on a plain floor. Its power is then Phi of the velocities times that matrix. Identity on a
/// plain floor.
typedef struct ss_floor {
    bool is_plain;
    double d[4];
    const ss_round_nodes* nodes; ///< of integrals round a rim, where it is not plain
} ss_floor;
ss_floor ss_floor_at(const ss_slider* slider, double angle);

/// Velocity of the element's place.
static inline void ss_element_velocity(const ss_element* e, const double q[3], double v[2])
{
    v[0] = q[0] - q[2] * e->y;
    v[1] = q[1] + q[2] * e->x;
}

/// Adds the element's phi, p and h at q. Returns false, with nothing but phi added, where the element leaves
/// a choice: a point with v = 0, a line with along . v = 0, a ratchet on a kink, anything at q = 0.
bool ss_element_power(const ss_element* e, const ss_floor* floor, const double q[3], ss_power* sum);

/// Adds to load[3] what a force (fx, fy) at the element's place contributes: (fx, fy, x fy - y fx).
static inline void ss_element_push(const ss_element* e, const double f[2], double load[3])
{
    load[0] += f[0];
    load[1] += f[1];
    load[2] += e->x * f[1] - e->y * f[0];
}

/// A point's ellipse, or half-length of a line's interval, on this floor.
void ss_point_ellipse(const ss_element* e, const ss_floor* floor, double ellipse[4]);
double ss_line_level(const ss_element* e, const ss_floor* floor);

/// A ratchet rolls where its velocity times this is positive, and is locked where it is negative: the way it
/// rolls, turned by the floor.
void ss_ratchet_roll(const ss_element* e, const ss_floor* floor, double roll[2]);

/// Sum over all elements but those with skip[i] (NULL: none). Returns the number of elements (not skipped)
/// that leave a choice at q.
int ss_slider_sum(const ss_slider* slider, const ss_floor* floor, const double q[3], const bool skip[],
                  ss_power* out);

/// Load and radii of a patch around its own centre, per unit of level, at the motion (V of the centre, w).
void ss_patch_power(const ss_element* e, const ss_floor* floor, const double q[3], ss_power* out);

#endif
