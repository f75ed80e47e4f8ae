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

try:
    import numpy as np
    import siconos.kernel as sk
except ImportError:
    print("Siconos is not installed: nothing to compare with")
    sys.exit(0)

from basin_starts import C, K, UNTIL, diverges, measure

STEP = 1e-3  # s


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
        if diverges(y):
            return "escaped", y[:2].copy()
        still = still + 1 if abs(y[2:]).max() < 1e-9 else 0
        if still > 500:
            return "rest", y[:2].copy()
        simulation.nextStep()
    return "moving", y[:2].copy()


measure("Siconos", run, 4)
