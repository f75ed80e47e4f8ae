// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pictures (libslipstick-lab): motions, phase planes, hysteresis loops, maps, certificates, limit surfaces
// and fits as SVG, PNG or PDF, to a file or into memory. The same numbers give the same bytes.
//
//     ss_motion_picture picture = {.sheet = {.path = "phase.svg"}, .view = SS_VIEW_PHASE,
//                                  .motions = (const ss_motion* const[]){motion}, .count = 1};
//     ss_status status = ss_picture_motion(&picture, &err);
#ifndef SLIPSTICK_PICTURE_H
#define SLIPSTICK_PICTURE_H

#include "slipstick/lab.h"
#include "slipstick/map.h"
#include "slipstick/scan.h"
#include "slipstick/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- the sheet

typedef struct ss_theme ss_theme; ///< colours
/// "print", "screen" or "dark"; NULL if it is none of them.
SS_API const ss_theme* ss_theme_find(const char* name);

/// Takes the bytes of a picture; false where it cannot.
typedef bool ss_bytes_sink(void* user, const void* bytes, size_t size);

/// What whoever wants a picture may ask for.
typedef struct ss_sheet {
    const char* path;      ///< its ending chooses the format: .svg, .png, .pdf
    ss_bytes_sink* sink;   ///< takes the picture in place of a file, of whose name the ending counts; or NULL
    void* user;            ///< of the sink
    const ss_theme* theme; ///< NULL: for print
    double width, height;  ///< points (1/72 inch); 0: as the figure likes
    double density;        ///< pixels to a point in a PNG (72nds of dots per inch); 0: 2
    const char* font;      ///< its letters: "Times New Roman"; NULL: a common one without serifs
    const char* made;      ///< what it came from, in a line, kept where the format has a place; may be NULL
} ss_sheet;

/// Whether the ending of path names a format.
SS_API bool ss_picture_knows(const char* path);

// Where a picture cannot be drawn (an unknown ending, nothing to show) the answer is SS_BAD_INPUT with the
// reason; where its file cannot be written, or its sink says no, SS_FILE_ERROR. A file appears whole or not
// at all.

// ---- motions

typedef enum ss_motion_view {
    SS_VIEW_TIME,   ///< positions, speeds and forces over time, and what each contact does
    SS_VIEW_PHASE,  ///< speed over position of one body, with E and I_rho* where the model has one coordinate
    SS_VIEW_LOOP,   ///< force of one contact over its displacement, and over its velocity
    SS_VIEW_IMPACT, ///< force of one elastic stop over its penetration
    SS_VIEW_LAW,    ///< the law of one contact: force over speed, of bristles also over displacement
} ss_motion_view;

/// Motions of bodies that have run; several are compared in one picture. Their rows are not needed. A motion
/// that was run with `sketch` (and sketch_from, sketch_to as from, to here) has kept what is drawn; one
/// without is run once more for it.
typedef struct ss_motion_picture {
    ss_sheet sheet;
    ss_motion_view view;
    const char* of; ///< the body or contact, or several contacts "a,b" of SS_VIEW_LOOP; NULL: the first that
                    ///< fits
    const char* const* show; ///< of SS_VIEW_TIME: "stage.x", "guide.force", a state; NULL: all
    int show_count;
    double from, to;                 ///< s: what is drawn; to = 0: up to the end
    const ss_motion* const* motions; ///< of models with the same bodies and contacts
    const char* const*
        labels; ///< how each differs from the first, "alpha=0.1"; NULL for the first, or at all
    int count;
} ss_motion_picture;
SS_API ss_status ss_picture_motion(const ss_motion_picture* picture, ss_error* err);

/// The law of a contact in steady sliding, for those who draw it themselves: speed and force against the
/// motion (SI), from -fastest to fastest, denser near 0, where a law that holds has its levels at rest. Fills
/// at most SS_LAW_POINTS pairs; none of a stop.
enum { SS_LAW_POINTS = 402 };
SS_API ss_status ss_law_line(const ss_model* model, int contact, double fastest, double out[][2], int* count,
                             ss_error* err);

typedef enum ss_sliding_view {
    SS_VIEW_PATH,     ///< the body on the floor at equal times, and the way of its centre
    SS_VIEW_PROGRESS, ///< place, speeds and load of the first motion over time
    SS_VIEW_SURFACE,  ///< the limit surface, and the way of the load on it
    SS_VIEW_SPHERE,   ///< the sphere of motions, and the way of the direction of motion on it
} ss_sliding_view;

/// Motions of sliders that have run.
typedef struct ss_sliding_picture {
    ss_sheet sheet;
    ss_sliding_view view;
    const ss_motion* const* motions;
    const char* const* labels; ///< as above
    int count;
} ss_sliding_picture;
SS_API ss_status ss_picture_sliding(const ss_sliding_picture* picture, ss_error* err);

// ---- limit surfaces, in the units of [GRP91]: forces by m g, lengths by the radius of gyration

typedef struct ss_surface_picture {
    ss_sheet sheet;
    const ss_slider* slider;
    double angle_rad;      ///< of the body, where the floor is anisotropic
    const ss_watch* watch; ///< may be NULL
} ss_surface_picture;

/// The limit surface with facets, edges and eigen-directions [GRP91, Figures 4 to 6, 8, 10].
SS_API ss_status ss_picture_surface(const ss_surface_picture* picture, ss_error* err);
/// The sphere of motions: how the motion turns while the slider is left to itself [GRP91, Figure 7].
SS_API ss_status ss_picture_sphere(const ss_surface_picture* picture, ss_error* err);

/// Sections of limit surfaces: the curves [GRP91, Figures 4, 5 and 8] show, with the eigen-directions that
/// lie in them.
typedef struct ss_section_picture {
    ss_sheet sheet;
    const ss_slider* const* sliders; ///< one or several, to compare
    const char* const* labels;       ///< how each differs from the first; NULL for the first
    int count;
    double angle_rad;      ///< of the body, where the floor is anisotropic
    int across, up;        ///< which loads span the plane: 0 Fx, 1 Fy, 2 M
    const ss_watch* watch; ///< may be NULL
} ss_section_picture;
SS_API ss_status ss_picture_section(const ss_section_picture* picture, ss_error* err);

// ---- certificates, maps, fits

/// The equilibrium set and the certified region, cut by the planes of positions and of speeds of the first
/// two coordinates, or for one coordinate by the phase plane.
SS_API ss_status ss_picture_certificate(const ss_model* model, const ss_sheet* sheet, ss_error* err);

/// Why the map of a basin cannot be drawn; NULL where it can: one or two axes, two for random starts.
SS_API const char* ss_picture_map_refusal(const ss_basin* basin);
/// A complete map that was kept: outcomes as colours, light where the motion comes to rest; over a plane of
/// starts also the equilibrium set E and the certified region I_rho*, cut by that plane, as in [VL04, Figures
/// 5 and 6].
SS_API ss_status ss_picture_map(const ss_map* map, const ss_sheet* sheet, ss_error* err);

/// Why a scan cannot be drawn; NULL where it can: points over one number, measures over one or two.
SS_API const char* ss_picture_scan_refusal(const ss_scan* scan);
/// A complete scan that was kept: points over the number that varies, as dots, or where there are many as a
/// raster of how dense they are; measures as lines over one number, as colours over two.
SS_API ss_status ss_picture_scan(const ss_scan* scan, const ss_map* map, const ss_sheet* sheet,
                                 ss_error* err);

/// Each trace as recorded and as the model has it, and what is left, below it.
SS_API ss_status ss_picture_fit(const ss_fit* fit, const char* title, const ss_sheet* sheet, ss_error* err);

/// A branch: amplitudes (of steady states, places; speeds of what advances) over the number that varies, body
/// by body. Stable parts are solid, unstable ones dashed, special points rings with their names.
SS_API ss_status ss_picture_solution_branch(const ss_solution_branch* branch, const ss_sheet* sheet,
                                            ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
