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

typedef struct ss_slider_def {
    const char* title; ///< default ""
    double mass_kg;    ///< required, > 0
    double gyration_m; ///< radius of gyration about the centre of mass, required, > 0
    double gravity;    ///< m/s^2, > 0; default 9.81
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
SS_API const char* ss_support_kind_name(ss_support_kind kind); ///< "point", "wheel", .. as in model files
/// What a support carries: its friction level in N (of an ellipse the larger), its place (m, of a patch the
/// centre) and its share of the weight (NaN where the friction was given).
SS_API double ss_slider_support_level(const ss_slider* slider, int support);
SS_API void ss_slider_support_place(const ss_slider* slider, int support, double place[2]);
SS_API double ss_slider_support_load(const ss_slider* slider, int support);
/// True where the limit surface turns against the body: the floor is anisotropic. Only then does the angle in
/// the functions below matter.
SS_API bool ss_slider_floor_moves(const ss_slider* slider);
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

/// A facet of the limit surface: the loads while the slider turns about one of its points, which may exert
/// anything in its disc or ellipse. Normalised as in the paper.
typedef struct ss_facet {
    int support;       ///< whose point does not move
    double normal[3];  ///< the unit motion: rotation about the point, one way or the other
    double center[3];  ///< the load with nothing from the point
    double axes[2][3]; ///< semi-axes of the ellipse round it, the shorter first
    double distance;   ///< of its plane from 0: the power of the unit motion
} ss_facet;
/// Fills at most `room` facets, two for every point that has friction, and returns how many there are.
SS_API int ss_slider_facets(const ss_slider* slider, double angle_rad, ss_facet facets[], int room);

/// A vertex of the limit surface: the load of a whole cone of motions, in which the Hessian vanishes.
/// Normalised as in the paper.
typedef struct ss_vertex {
    double load[3];
    double motion[3]; ///< a unit motion within the cone
} ss_vertex;
typedef struct ss_vertex_set {
    ss_vertex* items; ///< by moment, the largest first
    int count;
} ss_vertex_set;
/// All vertices. Only sliders on nothing but wheels have any: n of them in general position n^2 - n + 2, if
/// none is a ratchet or drags. The surface is then the polyhedron they span.
SS_API ss_status ss_slider_vertices(const ss_slider* slider, double angle_rad, ss_vertex_set* out,
                                    ss_error* err);
SS_API void ss_vertex_set_free(ss_vertex_set* set);

typedef enum ss_stability {
    SS_STABLE,   ///< neighbouring motions turn towards it: a slider may come to rest this way
    SS_UNSTABLE, ///< they turn away, at least to one side
    SS_NEUTRAL,  ///< a radius of curvature equals the load, or the stability varies along a circle
} ss_stability;
SS_API const char* ss_stability_name(ss_stability stability); ///< "stable", ..

/// An eigen-direction [GRP91, (9)]: the load is parallel to the motion. Normalised as in the paper: forces by
/// m g, lengths by the radius of gyration.
typedef struct ss_eigen_direction {
    double q[3];    ///< unit motion, body frame
    double load[3]; ///< magnitude times q
    double magnitude;
    double radii[2];  ///< of curvature of the limit surface, ascending; infinite on facets
    double center[2]; ///< of rotation; NaN for a pure translation
    bool is_circle;   ///< one of a whole circle of them: translations, or a body of revolution
    bool turns;       ///< of a circle: it is the turn of q about the axis of rotation, not a great circle
    double axis[3];   ///< of a circle: q runs round this axis
    int index; ///< +1 for a minimum or maximum of the power, -1 for a saddle, 0 for a circle or unknown
    ss_stability stability;
} ss_eigen_direction;

typedef struct ss_eigen_set {
    ss_eigen_direction* items; ///< stable ones first, then by magnitude
    int count;
    int euler;      ///< sum of the indices: 2 where all are found and none is degenerate
    bool has_euler; ///< none is degenerate, so that the sum must be 2
    bool complete;  ///< every part of the sphere of motions was cleared, and the sum agrees
    long cells;     ///< examined on the way
} ss_eigen_set;

/// All eigen-directions of a slider at an angle of the body. Here and below watch may be NULL.
SS_API ss_status ss_slider_eigen(const ss_slider* slider, double angle_rad, const ss_watch* watch,
                                 ss_eigen_set* out, ss_error* err);
SS_API void ss_eigen_set_free(ss_eigen_set* set);

/// The share of all unit motions that turn towards each of the directions of the set when the slider is left
/// to itself at small speed, estimated by following 1000 of them, evenly spread; 0 for what is not stable.
/// shares has room for set->count.
SS_API ss_status ss_slider_basin(const ss_slider* slider, double angle_rad, const ss_eigen_set* set,
                                 const ss_watch* watch, double shares[], ss_error* err);

/// The limit surface as triangles, for drawing, with all vertices it has, where there is room for them. SI.
typedef struct ss_mesh {
    double* loads;   ///< Fx, Fy, M of each vertex, N, N, N*m
    double* motions; ///< the unit motion (normalised as in the paper) that has this load; the outward normal
                     ///< there
    int vertex_count;
    int* triangles; ///< three vertices each, counter-clockwise seen from outside
    int triangle_count;
} ss_mesh;
/// fineness n gives 4 n^2 + 2 vertices and 8 n^2 triangles; 1 to 500.
SS_API ss_status ss_slider_mesh(const ss_slider* slider, double angle_rad, int fineness,
                                const ss_watch* watch, ss_mesh* out, ss_error* err);
SS_API void ss_mesh_free(ss_mesh* mesh);

/// The curve in which the plane spanned by two loads a and b (N, N, N*m) cuts the limit surface: count
/// points, by the angle from a to b, into points[3 * count].
SS_API ss_status ss_slider_section(const ss_slider* slider, double angle_rad, const double a[3],
                                   const double b[3], int count, const ss_watch* watch, double points[],
                                   ss_error* err);

/// Where it starts: x, y (m) and angle (rad); vx, vy, spin, all in space.
SS_API void ss_slider_start(const ss_slider* slider, double place[3], double speed[3]);

#ifdef __cplusplus
}
#endif
#endif
