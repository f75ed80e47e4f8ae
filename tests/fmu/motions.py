# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Motions of FMUs against `slipstick simulate` and against closed forms: Co-Simulation is the same motion to 1e-12
however it is cut into steps, Model Exchange under somebody else's solver to 1e-7, with the same events in the same
order."""
import json
import math
import os
import random
import subprocess
import sys

import importer
import rules
from rig import PUSHED, SLID, compare, export, model_path, simulate, times_of, write_model

# Bodies with Coulomb, Stribeck, LuGre, Maxwell-slip and stops, open models, sampled ones, sliders: up to which time.
STEPPED = {'two-blocks': 12.0, 'block-on-floor': 12.0, 'lugre-stop': 0.6, 'maxwell-stop': 0.6, 'stick-slip-belt': 8.0,
           'carried-disk': 0.5, 'sampled-servo': 0.5, 'hunting-servo': 3.0, 'relief-valve': 0.02, 'play': 3.0,
           'two-blocks-sum': 6.0, 'asymmetric-bar': 2.0, 'tripod': 0.5, 'sled': 0.5, 'rusty-pendulum': 6.0}
EXCHANGED = {'two-blocks': 12.0, 'block-on-floor': 12.0, 'lugre-stop': 0.6, 'stick-slip-belt': 8.0, 'struck-disk': 1.0,
             'rusty-pendulum': 4.0, 'sampled-servo': 0.3, 'hunting-servo': 3.0, 'two-blocks-relative': 6.0,
             'carried-disk': 0.35, 'two-blocks-matrices': 8.0, 'dc-motor': 0.31, 'wedge-brake': 3.0, 'velocity-loop': 1.0, 'active-passive-pair': 6.0}


def stepped(name, version, step):
    """Co-Simulation: the motion does not depend on the steps (a number, or random ones)."""
    fmu, until = export(model_path(name), version), STEPPED[name]
    truth = simulate(model_path(name), until, times_of(until))
    one = fmu.instance().begin()
    chance = random.Random(name)
    for sample in truth['samples']:
        while one.time < sample['t']:
            size = step or chance.expovariate(40.0 / until) + 1e-9
            one.step_to(min(sample['t'], one.time + size))
        compare(sample, lambda key: one[key], 1e-12)
    one.free()
    fmu.close()


def exchanged(name, version):
    """Model Exchange: the same motion and the same events under another solver."""
    fmu, until = export(model_path(name), version), EXCHANGED[name]
    follow(fmu, simulate(model_path(name), until, times_of(until)), until)
    fmu.close()


def follow(fmu, truth, until):
    from solver import parse_event, solve
    rows, log = solve(fmu, until, times_of(until))
    for sample, row in zip(truth['samples'], rows):
        compare(sample, lambda key: row[key], 1e-7)
    events = [parse_event(line) for line in log]
    wanted = [(e['t'], e['contact'], e['from'], e['to']) for e in truth['events']]
    assert [e[1:] for e in events] == [e[1:] for e in wanted], '%s\n%s' % (events, wanted)
    for event, want in zip(events, wanted):
        assert abs(event[0] - want[0]) < 1e-8 * max(1.0, want[0]), (event, want)


KINKED = '''slipstick: 1
title: A block on a belt that is shaken, pushed in jerks
bodies:
  block: {mass: 1 kg}
  belt: {speed: "0.5 m/s * abs(sin(2/1 s * t))"}
forces: [{body: block, force: "1.5 N * step(sin(3/1 s * t)) + max(0 N, 2 N * cos(1/1 s * t))"}]
connections: [{between: [block, ground], stiffness: 4 N/m}]
contacts: {face: {between: [block, belt], law: coulomb, friction: "1 N + 0.5 N * abs(cos(2/1 s * t))", static: 2 N}}
run: {until: 10 s}
'''


def kinked(version):
    """Kinks and jumps of what is given in time are time events: the solver never steps over one."""
    path = write_model('kinked', KINKED)
    fmu = export(path, version)
    truth = simulate(path, 8.0, times_of(8.0))
    assert len(truth['events']) > 5, truth['events']
    follow(fmu, truth, 8.0)
    one = fmu.instance(exchange=True)
    one.setup()
    one.enter()
    one.exit()
    assert abs(one.update()[1] - math.pi / 4) < 1e-14  # of the friction, at cos = 0
    one.free()
    rates = {v.name: [d.name for d in known] for v, known in rules.listed(fmu, rules.STRUCTURE[version][1])}
    assert 'time' in rates['der(block.v)'] and 'block.x' in rates['der(block.v)'], rates
    fmu.close()
    fmu = export(model_path('two-blocks'), version)
    rates = {v.name: [d.name for d in known] for v, known in rules.listed(fmu, rules.STRUCTURE[version][1])}
    assert rates['der(block1.x)'] == ['block1.v'] and len(rates['der(block1.v)']) == 4 and 'time' not in rates['der(block1.v)']
    fmu.close()


def stopped_at_events():
    """FMI 3: a step ends at every event, with the state before it, then the one after it."""
    fmu = export(model_path('two-blocks'), 3)
    truth = simulate(model_path('two-blocks'), 15.0, [15.0])
    one, seen = fmu.instance(events=True).begin(), []

    def look(instance, before=None):
        state = {c: (instance[c + '.mode'], instance[c + '.force']) for c in ('floor1', 'floor2')}
        if before is None:
            return state
        for contact in state:
            if state[contact][0] != before[contact][0]:
                seen.append((instance.time, contact, before[contact][0], state[contact][0]))
        return state

    one.step_to(15.0, on_event=look)
    wanted = [(e['t'], e['contact'], e['from'], e['to']) for e in truth['events']]
    assert seen == wanted, '%s\n%s' % (seen, wanted)
    compare(truth['samples'][-1], lambda key: one[key], 1e-12)
    one.free()
    fmu.close()


def saved(name, version):
    """A state that is written out goes on to the same bits, in another instance and in another process."""
    fmu, until = export(model_path(name), version), STEPPED[name]
    outputs = [v.name for v in fmu.variables if v.causality == 'output']
    one = fmu.instance().begin()
    one.step_to(0.37 * until)
    kept = one.save()
    one.step_to(until)
    end = [one[key] for key in outputs]
    other = fmu.instance(name='two').begin()
    other.step_to(0.9 * until)
    other.load(kept)
    other.step_to(until)
    assert [other[key] for key in outputs] == end
    one.load(kept)
    one.step_to(until)
    assert [one[key] for key in outputs] == end
    again = subprocess.run([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'run.py'), '--continue', fmu.folder, repr(kept[1]),
                            repr(until)], input=kept[0], stdout=subprocess.PIPE, check=True)
    assert json.loads(again.stdout) == end
    one.free()
    other.free()
    fmu.close()


def go_on(folder, time, until):
    """The other process: reads a state from standard input, and writes the outputs at the end."""
    fmu = importer.Fmu(folder)
    one = fmu.instance().begin()
    one.load((sys.stdin.buffer.read(), float(time)))
    one.step_to(float(until))
    print(json.dumps([one[v.name] for v in fmu.variables if v.causality == 'output']))


def pushed(version):
    """Inputs are held: x = (F - R) t^2/2 while it is pushed, v falls by R t after that. Levels can be tuned."""
    fmu = export(write_model('pushed', PUSHED), version)
    one = fmu.instance().begin()
    one['push'] = 1.5
    assert (one['floor.mode'], one['floor.force']) == ('stick', -1.5)
    one.step_to(1.0)
    assert (one['block.x'], one['block.v']) == (0.0, 0.0)
    one['push'] = 3.0
    assert (one['floor.mode'], one['floor.force']) == ('slip+', -2.0)
    one.step_to(2.0)
    assert abs(one['block.x'] - 0.5) < 1e-15 and abs(one['block.v'] - 1.0) < 1e-15
    one['parameters.level'] = 4.0
    assert one['floor.force'] == -4.0
    one.step_to(2.5)
    assert abs(one['block.v'] - 0.5) < 1e-15 and abs(one['block.x'] - 0.875) < 1e-15
    one.step_to(4.0)
    assert (one['floor.mode'], one['block.v'], one['floor.force']) == ('stick', 0.0, -3.0)
    assert abs(one['block.x'] - 1.0) < 1e-15
    one.reset()
    one.begin(values={'push': 3.0, 'block.x': 7.0})
    one.step_to(1.0)
    assert abs(one['block.x'] - 7.5) < 1e-15
    one.free()
    fmu.close()


def grown(version):
    """An input of 1 N/s against 2 N: nothing up to t = 2, then x = (t - 2)^3/6, however it is cut into steps; what is
    set next at t = 5 holds again."""
    fmu = export(write_model('pushed', PUSHED), version)
    for steps in (1, 5, 37):
        one = fmu.instance(logging=True).begin(start=-1.0)
        one.step_to(0.0)
        one['push'] = 0.0
        one.slope('push', 1.0)
        kept = None
        for k in range(steps):
            one.step_to(5.0 * (k + 1) / steps)
            if k == steps // 2:
                kept = one.save()
        assert abs(one['block.x'] - 4.5) < 1e-13 and abs(one['block.v'] - 4.5) < 1e-13 and one['push'] == 5.0
        begun = [text for _, category, text in one.log if category == 'logEvents' and text.endswith('stick to slip+')]
        assert len(begun) == 1 and abs(float(begun[0].split()[2]) - 2.0) < 1e-14, begun
        other = fmu.instance(name='two').begin()
        other.load(kept)
        for k in range(steps // 2 + 1, steps):
            other.step_to(5.0 * (k + 1) / steps)
        assert other.get(['block.x', 'block.v', 'push']) == one.get(['block.x', 'block.v', 'push'])
        if version == 3:
            one.slope('push', 0.0)  # an input as any other: it stays until it is set
        one['push'] = 0.0
        one.step_to(6.0)
        assert abs(one['block.v'] - 2.5) < 1e-13 and abs(one['block.x'] - 8.0) < 1e-13
        one.free()
        other.free()
    one = fmu.instance().begin()
    one['push'] = 1.0
    one.slope('push', -1.0)
    one['parameters.level'] = 0.5  # and a parameter at the same time: v = t/2 - t^2/2 comes to rest at t = 1
    one.step_to(1.0)
    assert abs(one['block.x'] - (0.25 - 1.0 / 6)) < 1e-14 and abs(one['block.v']) < 1e-14
    one.set(['push'], [float('nan')], expect=importer.ERROR)
    one.free()
    fmu.close()
    fmu = export(write_model('slid', SLID), version)
    one = fmu.instance().begin(start=3.0)  # 1 N of friction: it slides from t = 5 on, x = (t - 5)^3/12
    one.slope('applied.fx', 0.5)
    for t in (4.0, 5.5, 6.0, 7.0):
        one.step_to(t)
    assert abs(one['slider.x'] - 8.0 / 12) < 1e-9 and abs(one['slider.vx'] - 1.0) < 1e-9 and one['applied.fx'] == 2.0
    kept = one.save()
    one['applied.fy'] = 0.5
    one.step_to(8.0)
    other = fmu.instance(name='two').begin()
    other.load(kept)
    other['applied.fy'] = 0.5
    other.step_to(8.0)
    assert other.get(['slider.x', 'slider.vx', 'applied.fx']) == one.get(['slider.x', 'slider.vx', 'applied.fx'])
    assert abs(one['applied.fx'] - 2.5) < 1e-15
    one.free()
    other.free()
    fmu.close()


def started_late(version):
    """The experiment begins at t = 5: functions of time are those from then on."""
    fmu = export(write_model('late', PUSHED.replace('push: 0 N', 'push: "1 N/s * t"')), version)
    one = fmu.instance().begin(start=5.0)  # 5 N against 2 N from the start
    one.step_to(6.0)
    assert abs(one['block.v'] - (0.5 * (36 - 25) - 2.0)) < 1e-13 and one['time'] == 6.0
    one.free()
    fmu.close()


def slid(version):
    """A load on a slider: x = (F - R) t^2/2 while it is pushed, then R stops it; less than R does nothing."""
    fmu = export(write_model('slid', SLID), version)
    one = fmu.instance().begin(start=2.0)
    one['applied.fx'] = 0.9
    one.step_to(3.0)
    assert (one['slider.x'], one['support1.mode'], one['applied.fx']) == (0.0, 'stick', 0.9)
    one['applied.fx'] = 3.0
    one.step_to(4.0)
    assert abs(one['slider.x'] - 1.0) < 1e-9 and abs(one['slider.vx'] - 2.0) < 1e-9
    kept = one.save()
    one['applied.fx'] = 0.0
    one.step_to(5.0)
    assert abs(one['slider.x'] - 2.5) < 1e-9
    end = one.get(['slider.x', 'slider.vx'])
    other = fmu.instance(name='two').begin()
    other.load(kept)
    other['applied.fx'] = 0.0
    other.step_to(5.0)
    assert other.get(['slider.x', 'slider.vx']) == end
    one.step_to(7.0)
    assert abs(one['slider.x'] - 3.0) < 1e-9 and (one['slider.vx'], one['support1.mode']) == (0.0, 'stick')
    one.free()
    other.free()
    fmu.close()


def derivatives(version):
    """Of the mode: in slip M a = -K x - C v, row by row; with one block held, its force takes what it would do."""
    fmu = export(model_path('two-blocks'), version)
    stiffness, damping = [[2.0, -1.0], [-1.0, 2.0]], [[0.125, 0.375], [0.375, 0.125]]
    one = fmu.instance().begin()
    one.step_to(1.0)
    assert one['floor1.mode'] != 'stick' and one['floor2.mode'] != 'stick'
    for column, body in enumerate(('block1', 'block2')):
        for kind, matrix in (('x', stiffness), ('v', damping)):
            got = one.derivative(['der(block1.v)', 'der(block2.v)'], ['%s.%s' % (body, kind)], [2.0])
            for row in range(2):
                assert abs(got[row] + 2.0 * matrix[row][column]) < 1e-9, (body, kind, got)
    one.free()
    fmu.close()


CURVED = '''slipstick: 1
title: A block in a field that is not linear
inputs: {u: 0.3 N}
bodies: {block: {mass: 1 kg}}
forces: [{body: block, force: "-9 N*sin(block.x/1 m) + u*u*block.x/(1 N*m) - 0.2 N*(block.v/(1 m/s))^3"}]
contacts: {floor: {between: [block, ground], law: coulomb, friction: 0.1 N}}
start: {block: {x: 1 m, v: 0.5 m/s}}
run: {until: 10 s}
'''


def curved_derivatives(version):
    """Against the derivatives of the formula, along the motion."""
    fmu = export(write_model('curved', CURVED), version)
    one = fmu.instance().begin()
    for k in range(1, 30):
        one.step_to(0.05 * k)
        x, v, u = one.get(['block.x', 'block.v', 'u'])
        assert one['floor.mode'] != 'stick'
        want = {'block.x': -9 * math.cos(x) + u * u, 'block.v': -0.6 * v * v, 'u': 2 * u * x}
        for by, slope in want.items():
            got = one.derivative(['der(block.v)', 'block.x'], [by], [2.0])
            assert abs(got[0] - 2.0 * slope) < 1e-10 and abs(got[1] - 2.0 * (by == 'block.x')) < 1e-12, (by, got, slope)
    one.free()
    fmu.close()


def dependencies(name, version):
    """What has a derivative by something is said to depend on it, in every mode that the motion comes through."""
    fmu, until = export(model_path(name), version), EXCHANGED[name]
    known = [v.name for v in fmu.state_variables()] + [v.name for v in fmu.variables if v.causality == 'input']
    groups = rules.STRUCTURE[version][:2]
    told = {v.name: None if deps is None else {d.name for d in deps}
            for group in groups for v, deps in rules.listed(fmu, group) if v.type != 'Enumeration'}
    continuous = [n for n in told if fmu.by_name[n].variability == 'continuous']
    one = fmu.instance().begin()
    for t in times_of(until)[1:]:
        one.step_to(t)
        for by in known:
            for of, slope in zip(continuous, one.derivative(continuous, [by], [1.0])):
                assert abs(slope) < 1e-9 or told[of] is None or by in told[of], \
                    '%s depends on %s (%g) at t = %g, which is not told' % (of, by, slope, t)
    one.free()
    fmu.close()
