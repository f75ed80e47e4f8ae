// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A rigid body sliding on a plane with dry friction [GRP91]: definition, then slider. The body frame has its
// origin at the centre of mass. A motion is (vx, vy, spin), the velocity of the centre of mass and the rate
// of turning (counter-clockwise); a load is (Fx, Fy, M), what the slider exerts on the ground, so that load
// times motion is the power friction takes. SI units.
//
//     Phi(Q) = sum or integral of f |v(point)|,    P = grad Phi(Q)
#ifndef SLIPSTICK_SLIDER_H
#define SLIPSTICK_SLIDER_H

#include "slipstick/document.h"
#include "slipstick/signal.h"
#include "slipstick/status.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ss_support_kind {
    SS_SUPPORT_POINT,    ///< a foot: its force lies in a disc, or in an ellipse fixed in the body
    SS_SUPPORT_WHEEL,    ///< slides along its axle, rolls across it
    SS_SUPPORT_RING,     ///< uniform on a circle
    SS_SUPPORT_DISK,     ///< uniform pressure on a disk
    SS_SUPPORT_ANNULUS,  ///< uniform pressure between two circles
    SS_SUPPORT_POLYGON,  ///< uniform pressure on a simple polygon
    SS_SUPPORT_PRESSURE, ///< a table of points with relative shares
} ss_support_kind;

/// Which way a wheel can roll; the other way it is locked. Forward is the axle turned by +90 degrees: with
/// the axle along x, forward is +y.
typedef enum ss_ratchet { SS_RATCHET_NONE, SS_RATCHET_FORWARD, SS_RATCHET_BACKWARD } ss_ratchet;

typedef struct ss_support_def {
    ss_support_kind kind;
    double position_m[2];   ///< of a point or wheel, or the centre of a ring, disk or annulus; default 0, 0
    double load;            ///< share of the weight, >= 0; required unless friction_N is given
    double mu[2];           ///< along and across `axis`; required unless friction_N is given
    double friction_N[2];   ///< in place of load and mu: the level, along and across `axis`
    bool is_anisotropic;    ///< points only: the second entries above count, and `axis`
    double axis[2];         ///< of an anisotropic point, fixed in the body; any length; default 1, 0
    double axle[2];         ///< of a wheel; any length; required
    double drag_N;          ///< of a wheel's bearing: force against rolling, >= 0; default 0
    ss_ratchet ratchet;     ///< of a wheel
    double radius_m;        ///< of a ring or disk, outer one of an annulus, > 0
    double inner_m;         ///< of an annulus, >= 0, below radius_m
    const double* vertices; ///< polygon: x, y pairs in m, either sense; pressure table: x, y, share triples
    int vertex_count;
} ss_support_def;

/// What pulls at a slider.
typedef struct ss_load_def {
    const ss_signal *force_x, *force_y; ///< N; NULL for none
    const ss_signal* moment;            ///< N*m; NULL for none
    bool in_body;   ///< the force turns with the body; default false: its direction is fixed in space
    double at_m[2]; ///< the place of the body where the force acts; default 0, 0, the centre of mass
} ss_load_def;

/// How the floor moves and lies. Nothing given: it rests, level.
typedef struct ss_floor_def {
    const ss_signal *velocity_x, *velocity_y; ///< m/s, of the floor's centre; NULL for none
    const ss_signal *position_x, *position_y; ///< m, in place of velocity: what counts is how they change
    const ss_signal* spin;                    ///< rad/s; NULL for none
    const ss_signal* angle;                   ///< rad, in place of spin: what counts is how it changes
    double center_m[2]; ///< in space at t = 0, about which it turns; it moves with the floor
    double tilt_rad;    ///< from 0 to below pi/2: x and y lie in the inclined floor
    double downhill[2]; ///< the way down in that plane, any length; needed with a tilt
} ss_floor_def;

/// A finger: a point that touches the outline of a slider from outside and goes its own way.
typedef struct ss_pusher_def {
    double at_m[2];                           ///< at t = 0, in space; default 0, 0
    const ss_signal *velocity_x, *velocity_y; ///< m/s, in space; NULL for 0
    double mu;                                ///< Coulomb friction against the outline, >= 0; default 0
} ss_pusher_def;

typedef struct ss_slider_def {
    size_t size;                     ///< set by ss_slider_def_default
    size_t support_size;             ///< likewise: of its supports
    const char* title;               ///< default ""
    double mass_kg;                  ///< required, > 0
    double gyration_m;               ///< radius of gyration about the centre of mass, required, > 0
    double gravity;                  ///< m/s^2, > 0; default 9.81
    const ss_signal* gravity_signal; ///< in place of it, where it varies in time: not negative
    const ss_support_def* supports;
    int support_count;        ///< at least 1
    double floor_mu[2];       ///< factor on mu along and across floor_axis, > 0; default 1, 1
    double floor_axis[2];     ///< fixed in space, any length; default 1, 0
    const ss_load_def* loads; ///< may be NULL where there are none
    int load_count;
    ss_floor_def floor;    ///< its motion
    double start[3];       ///< x, y in m and angle in rad of the body frame in space
    double start_speed[3]; ///< vx, vy, spin in space
    double until_s;        ///< how long a run lasts unless told otherwise; default 100
    const double* outline; ///< what fingers touch: x, y pairs in m of a simple polygon, body frame; or NULL
    int outline_count;
    double outline_radius_m;      ///< in place of it: a circle about the centre of mass; 0 for none
    const ss_pusher_def* pushers; ///< fingers; they need an outline
    int pusher_count;
    bool quasistatic; ///< inertia is neglected: the load of every moment lies on the limit surface
} ss_slider_def;

static inline ss_slider_def ss_slider_def_default(void)
{
    ss_slider_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.title = "";
    def.mass_kg = NAN;
    def.gyration_m = NAN;
    def.gravity = 9.81;
    def.floor_mu[0] = 1.0;
    def.floor_mu[1] = 1.0;
    def.floor_axis[0] = 1.0;
    def.until_s = 100.0;
    def.support_size = sizeof(ss_support_def);
    return def;
}
/// a point at the origin with load and mu NaN
static inline ss_support_def ss_support_def_default(void)
{
    ss_support_def def;
    memset(&def, 0, sizeof def);
    def.kind = SS_SUPPORT_POINT;
    def.load = NAN;
    def.mu[0] = NAN;
    def.mu[1] = NAN;
    def.friction_N[0] = NAN;
    def.friction_N[1] = NAN;
    def.axis[0] = 1.0;
    def.axle[0] = NAN;
    def.axle[1] = NAN;
    def.radius_m = NAN;
    def.inner_m = NAN;
    return def;
}

typedef struct ss_slider ss_slider; ///< constant once made, shared by threads

SS_API ss_status ss_slider_create(const ss_slider_def* def, ss_slider** out, ss_error* err);
/// True where a document describes a slider and not bodies or matrices.
SS_API bool ss_document_is_slider(const ss_document* document);
SS_API ss_status ss_slider_create_from_document(const ss_document* document, ss_slider** out, ss_error* err);
SS_API void ss_slider_destroy(ss_slider* slider); ///< NULL is welcome

// ---- what a slider is

typedef struct ss_slider_info {
    const char* title; ///< borrowed from the slider
    double mass_kg, gyration_m, gravity, until_s;
    int support_count;
    bool floor_is_anisotropic; ///< the limit surface turns against the body: only then does the angle matter
                               ///< in slipstick/surface.h
    bool floor_moves;
    int pusher_count; ///< fingers; they stand after the supports wherever a motion numbers both
    bool quasistatic;
    double start[3], start_speed[3]; ///< as in ss_slider_def
} ss_slider_info;
SS_API ss_slider_info ss_slider_get_info(const ss_slider* slider);

typedef struct ss_support_info {
    ss_support_kind kind;
    double level_N;  ///< of friction, of an ellipse the larger
    double place[2]; ///< m, of a patch the centre
    double load;     ///< its share of the weight; NaN where the friction was given
} ss_support_info;
SS_API ss_support_info ss_slider_get_support(const ss_slider* slider, int support);
SS_API const char* ss_support_kind_name(ss_support_kind kind); ///< "point", "wheel", .. as in model files

#ifdef __cplusplus
}
#endif
#endif
