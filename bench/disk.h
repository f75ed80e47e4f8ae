// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The aluminium disk of seed 001: carried by a platform at constant speed into an elastic frame, it breaks
// away, bounces some hundred times, and settles leaning on the frame. Three ways through: Slipstick, CVODE as
// an expert writes it, and the truth. All exponents are 3/2.
#ifndef BENCH_DISK_H
#define BENCH_DISK_H

#include <stdbool.h>

typedef struct disk {
    double mass, friction, speed; ///< kg, N, m/s (of the platform)
    double stiffness, alpha;      ///< N/m^1.5, s/m
    double start;                 ///< m, where the disk starts; the frame is at 0
    double until;                 ///< s
} disk;

enum { DISK_IMPACT = 20 }; ///< the impact whose time is compared

typedef struct disk_motion {
    double impact; ///< s: when the disk touches the frame for the 20th time
    long impacts;  ///< until the end
    double x;      ///< m, at the end
} disk_motion;

/// Truth: Taylor series in long double, in the variable in which the contact is analytic.
bool disk_truth(const disk* d, disk_motion* out);

/// CVODE: Adams with fixed-point iteration and root finding. One run; false where it fails.
typedef struct disk_cvode disk_cvode;
disk_cvode* disk_cvode_create(const disk* d, double tolerance); ///< NULL on failure
bool disk_cvode_run(disk_cvode* peer, disk_motion* out);
void disk_cvode_destroy(disk_cvode* peer);

#endif
