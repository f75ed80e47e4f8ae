# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Model Exchange as somebody else's solver does it: an adaptive Runge-Kutta method of SciPy, event indicators looked
at after each step, their roots found on its dense output."""
import numpy
from scipy.integrate import DOP853
from scipy.optimize import brentq


def solve(fmu, until, marks, tolerance=1e-12, most_events=2000):
    """Outputs at `marks`, and what the FMU logged as events."""
    one = fmu.instance(exchange=True, logging=True)
    one.setup()
    one.enter()
    one.exit()
    n, m = len(fmu.state_variables()), fmu.indicator_count()
    outputs = [v.name for v in fmu.variables if v.causality == 'output']
    _, timed = one.update()
    one.enter_continuous_time_mode()
    t, y, marks, rows, events = 0.0, numpy.array(one.states(n)), list(marks), [], 0

    def rates(at, state):
        one.put(at, state)
        return numpy.array(one.rates(n))

    def indicators(at, state):
        one.put(at, state)
        return numpy.array(one.indicators(m))

    def record(at, state):
        one.put(at, state)
        rows.append({name: one[name] for name in outputs})

    while t < until or marks:
        goal = min(until, timed) if timed else until
        method = DOP853(rates, t, y, goal, rtol=tolerance, atol=1e-13)
        before, met = indicators(t, y), None
        while method.status == 'running' and met is None:
            method.step()
            one.completed()
            dense, after = method.dense_output(), indicators(method.t, method.y)
            for k in range(m):
                if before[k] > 0 >= after[k]:
                    root = brentq(lambda at: indicators(at, dense(at))[k], method.t_old, method.t, xtol=1e-15,
                                  rtol=1e-15)
                    met = root if met is None else min(met, root)
            end, before = method.t if met is None else met, after
            while marks and (marks[0] < end or (marks[0] == end == until and met is None)):
                at = marks.pop(0)
                record(at, dense(at))
        t, y = (method.t, method.y) if met is None else (met, method.dense_output()(met))
        if met is not None or (timed and t >= timed):
            events += 1
            if events > most_events:
                raise RuntimeError('more than %d events up to t = %g' % (most_events, t))
            one.put(t, y)
            told = len(one.log)
            one.enter_event_mode()
            changed, timed = one.update()
            assert changed or len(one.log) == told, 'a solver would not begin anew after %s' % one.log[-1][2]
            one.enter_continuous_time_mode()
            y = numpy.array(one.states(n))
        if t >= until:
            break
    log = [text for _, category, text in one.log if category == 'logEvents']
    one.free()
    return rows, log


def parse_event(text):
    """(t, contact, from, to) of a line of the log."""
    time, contact, change = text.split(': ')
    start, end = change.split(',')[0].split(' to ')
    return float(time[4:-2]), contact, start, end
