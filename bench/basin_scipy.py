#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Starts per second of SciPy on the map of bench_basin: two blocks on rough floors, T = 100 s.

As an expert writes it: solve_ivp (DOP853, rtol 1e-8) from event to event, one terminal event function per
block, modes decided in between, stopped where divergence is proved. Runs a few starts of each plane, spread
over the map.

    python3 bench/basin_scipy.py [STARTS]
"""
import sys

try:
    import numpy as np
    from scipy.integrate import solve_ivp
except ImportError:
    print("SciPy is not installed: nothing to compare with")
    sys.exit(0)

from basin_starts import C, K, UNTIL, diverges, measure


def load(y):
    return -K @ y[:2] - C @ y[2:]


def decide(force, may_stick):
    return 0.0 if may_stick and abs(force) <= 1.0 else np.sign(force)


def run(x, v):
    """Fate and place of rest of one start."""
    y = np.array([*x, *v])
    force = load(y)
    mode = np.array([np.sign(y[2 + i]) if y[2 + i] != 0.0 else decide(force[i], True) for i in range(2)])
    t = 0.0

    def rate(_, y):
        return np.concatenate([y[2:], np.where(mode == 0.0, 0.0, load(y) - mode)])

    def event_of(i):
        def function(_, y):
            return mode[i] * y[2 + i] if mode[i] != 0.0 else 1.0 - abs(load(y)[i])
        function.terminal, function.direction = True, -1.0
        return function

    events = [event_of(0), event_of(1)]
    while mode.any():
        if diverges(y):
            return "escaped", y[:2]
        out = solve_ivp(rate, (t, UNTIL), y, method="DOP853", rtol=1e-8, atol=1e-10, events=events)
        t, y = out.t[-1], out.y[:, -1]
        if out.status != 1:
            return "moving", y[:2]
        for i in range(2):
            if len(out.t_events[i]):
                arrives = mode[i] != 0.0
                y[2 + i] = 0.0
                mode[i] = decide(load(y)[i], arrives)
    return "rest", y[:2]


measure("SciPy", run, 10)
