// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inside of the search for eigen-directions: what is being collected, and the searches by dimension of the
// stratum: directions where two kinks meet, great circles of kinks, the open rest of the sphere.
#ifndef SLIPSTICK_SURFACE_EIGEN_DIRECTIONS_H
#define SLIPSTICK_SURFACE_EIGEN_DIRECTIONS_H

#include "slider/surface/load_field.h"
#include "slipstick/surface.h"

typedef struct ss_search {
    ss_field field;
    ss_side* sides; ///< scratch, one per part
    bool* flags;    ///< scratch, three per part
    double*
        discs; ///< per part: radius of the disc round a point's null direction that ss_search_polar cleared
    ss_eigen_direction* found;
    int count;
    size_t room;
    double circles[8][3]; ///< normals of great circles of eigen-directions
    int circle_count;
    double degenerate[64][3]; ///< isolated directions where the second derivative vanishes
    int degenerate_count;
    long cells;            ///< examined
    bool unresolved;       ///< some cell could be neither cleared nor explained
    const ss_watch* watch; ///< may be NULL
    double done;           ///< the share of the work, for the watch
    long asked;
    ss_error* err;
} ss_search;

enum { SS_MAX_CELLS = 250000 };
/// Where something stays open at the finest, the list is not proved complete anyway: the rest is only cut
/// down to this size, at which Newton's method has been tried in every cell.
#define SS_COARSE (1.0 / 1024)

/// A body that reaches farther than this, in radii of gyration, is wide: its directions lie in a band of
/// small spins, and moments decide all beyond it (eigen_spin.c).
#define SS_WIDE 8.0

/// Where the parts of the search begin among all of it: kinks, discs round points, cells.
#define SS_DONE_DISCS 0.1
#define SS_DONE_CELLS 0.5

/// Called at every cell: SS_OK, or SS_NOT_FOUND where the watch ends the search.
ss_status ss_search_ask(ss_search* s);
/// Adds a direction unless it is there already.
ss_status ss_search_add(ss_search* s, const ss_eigen_direction* direction);
/// Is this direction on a known great circle of eigen-directions, within `within`?
bool ss_search_on_circle(const ss_search* s, const double q[3], double within);
/// Adds the great circle across `normal`, one eigen-direction for all of it, and notes it.
ss_status ss_search_add_circle(ss_search* s, const double normal[3]);
/// Tests the great circle across `normal`: where all of it are eigen-directions, notes it. True if so.
bool ss_search_try_circle(ss_search* s, const double normal[3]);
/// Is q an eigen-direction, with the elements that do not move there exerting what they must? Fills it in.
bool ss_search_judge(ss_search* s, const double q[3], ss_eigen_direction* out);

ss_status ss_search_round(ss_search* s, bool* applies); ///< bodies of revolution, all of it (eigen_round.c)
ss_status ss_search_circles(ss_search* s); ///< great circles of them, and what is found on the way
ss_status ss_search_kinks(ss_search* s);   ///< dimensions 0 and 1 (eigen_kinks.c)
ss_status ss_search_polar(ss_search* s);   ///< dimension 2, round facets (eigen_polar.c)
/// Is the disc of radius delta round q within the one of a point?
bool ss_search_in_disc(const ss_search* s, int part, const double q[3], double delta);
ss_status ss_search_cells(ss_search* s); ///< dimension 2 (eigen_cells.c)
/// Is the moment too large, or of the wrong sign, for the spin of all these motions? moment: about that at
/// around->q (eigen_spin.c).
bool ss_search_spins_away(const ss_search* s, const ss_around* around, double moment);

/// ss_slider_basin (eigen_basin.c); looks: how often the power was computed.
ss_status ss_basin_shares(const ss_slider* slider, double angle_rad, const ss_eigen_set* set,
                          const ss_watch* watch, double shares[], long* looks, ss_error* err);

#endif
