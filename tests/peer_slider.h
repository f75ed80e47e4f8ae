// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A second opinion on sliding bodies, as an expert writes it without a slider's mathematics: friction
// regularised to f v / sqrt(|v|^2 + eps^2), CVODE's BDF with its dense solver and the exact Jacobian. Points
// only, m = 1, radius of gyration 1, body frame; patches become many points.
#ifndef TESTS_PEER_SLIDER_H
#define TESTS_PEER_SLIDER_H

#include <stdbool.h>

typedef struct peer_slider {
    int count;
    const double *x, *y, *f; ///< of the points, m and N
    double eps;              ///< m/s
    double relative, absolute;
    double force[2], moment; ///< applied, constant, in the body frame
} peer_slider;

/// State of the centre of mass in space, velocities in the body frame.
typedef struct peer_slide {
    double u[3], angle, x, y, t;
    long steps;
} peer_slide;

typedef struct peer_sliding peer_sliding; ///< memory made once, used again

peer_sliding* peer_sliding_create(const peer_slider* slider); ///< NULL on failure; the slider must outlive it
/// From the given start to time until, or until every point is slower than `still`. False where CVODE fails.
bool peer_sliding_run(peer_sliding* peer, const double u[3], double until, double still, peer_slide* out);
void peer_sliding_destroy(peer_sliding* peer);

#endif
