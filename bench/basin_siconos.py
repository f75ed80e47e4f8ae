#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Starts per second of Siconos on the map of bench_basin: two blocks on rough floors, T = 100 s.

Moreau's time stepping with theta = 1/2 and a relay law per floor, h = 1 ms, stopped where divergence is proved
or nothing has moved for half a second. The relay acts on the speeds, so the blocks are written as a system of
first order: the Lagrangian form of Siconos applies a relay only where a position is below zero. Runs a few
starts of each plane, spread over the map.

    python3 bench/basin_siconos.py [STARTS]
"""
import sys
import time

try:
    import numpy as np
    import siconos.kernel as sk
except ImportError:
    print("Siconos is not installed: nothing to compare with")
    sys.exit(0)

K = np.array([[2.0, -1.0], [-1.0, 2.0]])
C = np.array([[0.125, 0.375], [0.375, 0.125]])
UNTIL, STEP, GROWTH, FREQUENCY2 = 100.0, 1e-3, 0.125, 3.0
OMEGA = np.sqrt(FREQUENCY2 - GROWTH**2)
LIMIT = 10.44  # what friction can do: docs/theory/divergence.md


def diverges(q, v):
    u, w = q[0] - q[1], v[0] - v[1]
    return np.hypot(w - GROWTH * u, OMEGA * u) > LIMIT


def run(x, v):
    """Fate of one start, and where it ends."""
    a = np.block([[np.zeros((2, 2)), np.eye(2)], [-K, -C]])
    ds = sk.FirstOrderLinearTIDS([*x, *v], a)
    speeds = np.block([np.zeros((2, 2)), np.eye(2)])
    relation = sk.FirstOrderLinearTIR(speeds, speeds.T.copy())
    model = sk.NonSmoothDynamicalSystem(0.0, UNTIL)
    model.insertDynamicalSystem(ds)
    model.link(sk.Interaction(sk.RelayNSL(2, -1.0, 1.0), relation), ds)
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, STEP), sk.EulerMoreauOSI(0.5), sk.Relay())
    still = 0
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        y = ds.x()
        if diverges(y[:2], y[2:]):
            return "escaped", y[:2].copy()
        still = still + 1 if abs(y[2:]).max() < 1e-9 else 0
        if still > 500:
            return "rest", y[:2].copy()
        simulation.nextStep()
    return "moving", y[:2].copy()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    grid = np.linspace(-10.0, 10.0, 300)
    for plane in ("positions", "speeds"):
        places = [(grid[(97 * k + 41) % 300], grid[(59 * k + 13) % 300]) for k in range(count)]
        begin = time.process_time()
        fates = [run(p, (0.0, 0.0)) if plane == "positions" else run((0.0, 0.0), p) for p in places]
        seconds = time.process_time() - begin
        rest = sum(fate == "rest" for fate, _ in fates)
        print(f"{plane}: Siconos {count / seconds:.3g} starts per second ({count} starts, {rest} come to rest)")


main()
