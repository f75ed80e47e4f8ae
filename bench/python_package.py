#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What Python adds to the C library, and how it compares with SciPy's solve_ivp at equal error.

python_package.py BENCH_SAMPLES: the program that measures C alone in the same run. Times are of the processor, the
best of several.
"""
import re
import subprocess
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

import slipstick as ss


def best(work, repeats):
    """The least processor time of several tries, s."""
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


LEVEL = 1.0  # N: mu m g of either block
ERRORS = (1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-11)  # m: off at the end
METHODS = ("RK45", "DOP853", "LSODA")


def slips(q, v, pull, before):
    """Which way each block slips from here on; 0 where it holds."""
    out = []
    for k in range(2):
        if v[k] != 0.0:
            out.append(float(np.sign(v[k])))
        elif before[k] == 0.0 or abs(pull[k]) > LEVEL:
            out.append(0.0 if abs(pull[k]) < LEVEL * (1 - 1e-12) else float(np.sign(pull[k])))
        else:
            out.append(0.0)
    return np.array(out)


def by_solve_ivp(model, until, tolerance, method):
    """Two blocks of 1 kg with modes, events and sticking by hand, as one writes it with SciPy; places at the end."""
    _, C, K, _ = model.reduced()  # noqa: N806
    (k11, k12), (k21, k22) = K.tolist()
    (c11, c12), (c21, c22) = C.tolist()
    y = np.array([model.simulate(until=0.0)[name][0] for name in ("block1.x", "block2.x", "block1.v", "block2.v")])
    t, mode = 0.0, np.ones(2)
    while t < until:
        mode = slips(y[:2], y[2:], -(K @ y[:2] + C @ y[2:]), mode)
        if not mode.any():
            break

        first, second = mode.tolist()

        # Plain numbers: NumPy's small arrays would cost several times as much.
        def rates(_, y, first=first, second=second):
            x1, x2, v1, v2 = y.tolist()
            a1 = -(k11 * x1 + k12 * x2 + c11 * v1 + c12 * v2) - LEVEL * first if first else 0.0
            a2 = -(k21 * x1 + k22 * x2 + c21 * v1 + c22 * v2) - LEVEL * second if second else 0.0
            return [v1 if first else 0.0, v2 if second else 0.0, a1, a2]

        def event(k, mode=mode):
            kx, ky, cx, cy = ((k11, k12, c11, c12), (k21, k22, c21, c22))[k]

            def stops(_, y):
                return y[2 + k]

            def breaks(_, y):
                x1, x2, v1, v2 = y.tolist()
                return LEVEL - abs(kx * x1 + ky * x2 + cx * v1 + cy * v2)

            found = breaks if mode[k] == 0.0 else stops
            found.terminal, found.direction = True, -1.0 if mode[k] == 0.0 else -mode[k]
            return found

        done = solve_ivp(rates, (t, until), y, method=method, rtol=tolerance, atol=tolerance,
                         events=[event(0), event(1)])  # fmt: skip
        t, y = done.t[-1], done.y[:, -1].copy()
        for k in range(2):
            if len(done.t_events[k]) and mode[k] != 0.0:
                y[2 + k] = 0.0
    return y[:2]


def main():
    told = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout
    c_motion, c_law = (float(x) for x in re.findall(r": ([0-9.e+-]+) s", told))

    model = ss.load("models/two-blocks.yaml")
    t = np.linspace(0, 200, 10001)
    python = best(lambda: model.simulate(until=200, t_eval=t).y, 30)
    print(f"two blocks, 10 001 samples: Python {1e3 * python:.3f} ms, C alone {1e3 * c_motion:.3f} ms, ratio {python / c_motion:.2f}")

    v = 0.1 * np.sin(1e-3 * np.arange(1_000_000))
    law = ss.LuGre(1e5, 300, 0.4, coulomb=1.0, static=1.5, stribeck_speed=0.01)
    python = best(lambda: law.step(v, 1e-5), 20)
    print(f"LuGre alone, 1e6 steps: Python {1e3 * python:.2f} ms, C loop {1e3 * c_law:.2f} ms, ratio {python / c_law:.2f}")

    sol = model.simulate(until=200)
    ours = best(lambda: model.simulate(until=200).y, 100)
    end = np.array([sol["block1.x"][-1], sol["block2.x"][-1]])
    print(f"two blocks to rest with {len(sol.events)} events: ours {1e3 * ours:.4f} ms, exact to rounding")
    # The loosest tolerance that gives each error; the friendliest of three methods that an expert would try.
    for wanted in ERRORS:
        theirs, told = min((found for found in (at_error(model, end, method, wanted) for method in METHODS) if found),
                           default=(None, "no tolerance gives it"))  # fmt: skip
        ratio = f", ratio {theirs / ours:.0f}" if theirs else ""
        print(f"  solve_ivp, error under {wanted:.0e} m: {told}{ratio}")


def at_error(model, end, method, wanted):
    """(processor time, words) of the loosest tolerance, in steps of half a decade, at which a method is as good as wanted, or None."""
    for tolerance in 10.0 ** -np.arange(3.0, 13.5, 0.5):
        error = np.abs(by_solve_ivp(model, 200.0, tolerance, method) - end).max()
        if error <= wanted:
            spent = best(lambda tolerance=tolerance: by_solve_ivp(model, 200.0, tolerance, method), 3)
            return spent, f"{1e3 * spent:.1f} ms ({method}, tolerance {tolerance:.0e}, error {error:.1e} m)"
    return None


if __name__ == "__main__":
    main()
