# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What the Python peers of bench_basin share: two blocks on rough floors, where divergence is proved, and a
few starts of each plane, spread over the map.
"""
import sys
import time

import numpy as np

K = np.array([[2.0, -1.0], [-1.0, 2.0]])
C = np.array([[0.125, 0.375], [0.375, 0.125]])
UNTIL, GROWTH, FREQUENCY2 = 100.0, 0.125, 3.0
OMEGA = np.sqrt(FREQUENCY2 - GROWTH**2)
# What friction can do to the mode in which the blocks swing against each other: docs/theory/divergence.md.
TIMES = np.linspace(0.0, 240.0, 200001)
LIMIT = 2.0 * 1.0001 * max(
    float(np.sum(np.exp(-GROWTH * TIMES) * abs(np.cos(OMEGA * TIMES - phi)))) * TIMES[1]
    for phi in np.linspace(0.0, np.pi, 100))


def diverges(y):
    u, w = y[0] - y[1], y[2] - y[3]
    return np.hypot(w - GROWTH * u, OMEGA * u) > LIMIT


def measure(name, run, count):
    """Times run(x, v), which tells the fate of a start, over some starts; their number may be an argument."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else count
    grid = np.linspace(-10.0, 10.0, 300)
    for plane in ("positions", "speeds"):
        places = [(grid[(97 * k + 41) % 300], grid[(59 * k + 13) % 300]) for k in range(count)]
        begin = time.process_time()
        fates = [run(p, (0.0, 0.0)) if plane == "positions" else run((0.0, 0.0), p) for p in places]
        seconds = time.process_time() - begin
        rest = sum(fate == "rest" for fate, _ in fates)
        print(f"{plane}: {name} {count / seconds:.3g} starts per second ({count} starts, {rest} come to rest)")
