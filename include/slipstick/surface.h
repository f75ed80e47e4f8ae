// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Limit surfaces of sliders [GRP91] (libslipstick-lab): what friction does at a motion, what an applied load
// does, facets, vertices and eigen-directions, and the surface itself for drawing. Motions, loads and units
// are those of slipstick/slider.h.
#ifndef SLIPSTICK_SURFACE_H
#define SLIPSTICK_SURFACE_H

#include "slipstick/simulation.h"
#include "slipstick/slider.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/// A finger that pushes at a place of the slider, all in the body frame.
typedef struct ss_push {
    double at[2];     ///< m
    double normal[2]; ///< into the slider; any length but 0
    double mu;        ///< of the finger, >= 0
    double finger[2]; ///< its velocity, m/s
} ss_push;
typedef struct ss_push_answer {
    ss_mode mode;      ///< open, stick, slip+ or slip-: the finger moves over the slider along (n_y, -n_x)
    double motion[3];  ///< of the slider, m/s, m/s, rad/s
    double force[2];   ///< on the slider, N
    double cone[2][2]; ///< unit velocities of the pushed place: beyond the first the finger slips -, beyond
                       ///< the second +
    bool determined;   ///< false: other motions or forces are as good; these are the smallest
} ss_push_answer;
/// What the push does where inertia does not count: force and load on the ground balance, and the motion
/// takes as much power as any load can. Nothing is allocated.
SS_API ss_status ss_slider_push(const ss_slider* slider, double angle_rad, const ss_push* push,
                                ss_push_answer* out, ss_error* err);

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

#ifdef __cplusplus
}
#endif
#endif
