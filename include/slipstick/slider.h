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

#include <stdbool.h>

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

typedef struct ss_slider_def {
    const char* title; ///< default ""
    double mass_kg;    ///< required, > 0
    double gyration_m; ///< radius of gyration about the centre of mass, required, > 0
    double gravity;    ///< m/s^2, > 0; default 9.81
    const ss_support_def* supports;
    int support_count;                  ///< at least 1
    double floor_mu[2];                 ///< factor on mu along and across floor_axis, > 0; default 1, 1
    double floor_axis[2];               ///< fixed in space, any length; default 1, 0
    const ss_signal *force_x, *force_y; ///< N, applied at the centre of mass; NULL for none
    const ss_signal* moment;            ///< N*m, applied; NULL for none
    bool applied_in_body;  ///< the applied force turns with the body; default false: fixed in space
    double start[3];       ///< x, y in m and angle in rad of the body frame in space
    double start_speed[3]; ///< vx, vy, spin in space
    double until_s;        ///< how long a run lasts unless told otherwise; default 100
} ss_slider_def;

SS_API ss_slider_def ss_slider_def_default(void);
SS_API ss_support_def ss_support_def_default(void); ///< a point at the origin with load and mu NaN

typedef struct ss_slider ss_slider; ///< constant once made, shared by threads

SS_API ss_status ss_slider_create(const ss_slider_def* def, ss_slider** out, ss_error* err);
/// True where a document describes a slider and not bodies or matrices.
SS_API bool ss_document_is_slider(const ss_document* document);
SS_API ss_status ss_slider_create_from_document(const ss_document* document, ss_slider** out, ss_error* err);
SS_API void ss_slider_destroy(ss_slider* slider); ///< NULL is welcome

SS_API const char* ss_slider_title(const ss_slider* slider);
SS_API double ss_slider_mass(const ss_slider* slider);
SS_API double ss_slider_gyration(const ss_slider* slider);
SS_API double ss_slider_gravity(const ss_slider* slider);
SS_API double ss_slider_until(const ss_slider* slider);
SS_API int ss_slider_support_count(const ss_slider* slider);
SS_API ss_support_kind ss_slider_support_kind(const ss_slider* slider, int support);
/// True where the limit surface turns against the body: the floor is anisotropic. Only then does the angle in
/// the functions below matter.
SS_API bool ss_slider_floor_is_anisotropic(const ss_slider* slider);

/// The power friction takes at a motion in the body frame, W; never negative, and 0 at rest.
SS_API double ss_slider_power(const ss_slider* slider, double angle_rad, const double motion[3]);
/// P = grad Phi, body frame. Returns false where a support that does not move leaves a choice (a facet); the
/// load told is then the one with nothing from such supports. Motion must not be 0.
SS_API bool ss_slider_load(const ss_slider* slider, double angle_rad, const double motion[3], double load[3]);
/// Second derivatives of Phi, row-major 3 x 3, without the supports that do not move. Returns as above.
SS_API bool ss_slider_hessian(const ss_slider* slider, double angle_rad, const double motion[3],
                              double hessian[9]);

/// What friction does at a motion, where supports that do not move leave a choice as well (a facet of the
/// limit surface): the load told is then the one of sliding freely at that speed, or under the applied load.
typedef struct ss_sliding_load {
    double load[3]; ///< N, N, N*m, body frame, on the ground
    double power;   ///< W
    bool facet;     ///< some support does not move
} ss_sliding_load;
/// motion in the body frame, not 0; applied (N, N, N*m, body frame) may be NULL.
SS_API ss_status ss_slider_sliding_load(const ss_slider* slider, double angle_rad, const double motion[3],
                                        const double applied[3], ss_sliding_load* out, ss_error* err);

/// What an applied load does to a slider at rest: the load on the ground is the one of the limit surface and
/// its inside closest to the applied one, in the metric of the mass; the rest accelerates.
typedef struct ss_first_motion {
    bool sticks;            ///< the applied load is held
    double load[3];         ///< N, N, N*m
    double acceleration[3]; ///< m/s^2, m/s^2, rad/s^2; exactly 0 where it sticks
    double gauge;           ///< see ss_slider_gauge
} ss_first_motion;
SS_API ss_status ss_slider_first_motion(const ss_slider* slider, double angle_rad, const double applied[3],
                                        ss_first_motion* out, ss_error* err);

/// How far a load (N, N, N*m, body frame) reaches: below 1 it is inside the limit surface, at 1 on it, at 2
/// twice as far out; infinite where no load along it can be exerted. The dual of ss_slider_power: max over
/// motions of load . motion/power.
SS_API double ss_slider_gauge(const ss_slider* slider, double angle_rad, const double load[3]);

#ifdef __cplusplus
}
#endif
#endif
