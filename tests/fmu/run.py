#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""FMUs that the program writes, run by an importer that shares nothing with it (importer.py, solver.py).

run.py BUILD-FOLDER [--brief]    each case is told where it fails; the last line counts

Truth is `slipstick simulate`: Co-Simulation is the same motion to 1e-12 however it is cut into steps, Model Exchange
under somebody else's solver to 1e-7, with the same events in the same order.
"""
import concurrent.futures
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import traceback
import xml.etree.ElementTree as ElementTree
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import importer  # noqa: E402
import rules  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = ''
FOLDER = ''

# Bodies with Coulomb, Stribeck, LuGre, Maxwell-slip and stops, open models, sampled ones, sliders: up to which time.
STEPPED = {'two-blocks': 12.0, 'block-on-floor': 12.0, 'lugre-stop': 0.6, 'maxwell-stop': 0.6, 'stick-slip-belt': 8.0,
           'carried-disk': 0.5, 'sampled-servo': 0.5, 'hunting-servo': 3.0, 'relief-valve': 0.02, 'play': 3.0,
           'two-blocks-sum': 6.0, 'tripod': 0.5, 'sled': 0.5, 'rusty-pendulum': 6.0}
EXCHANGED = {'two-blocks': 12.0, 'block-on-floor': 12.0, 'lugre-stop': 0.6, 'stick-slip-belt': 8.0, 'struck-disk': 1.0,
             'rusty-pendulum': 4.0, 'sampled-servo': 0.3, 'hunting-servo': 3.0, 'two-blocks-relative': 6.0,
             'carried-disk': 0.35, 'two-blocks-matrices': 8.0, 'dc-motor': 0.3, 'wedge-brake': 3.0, 'velocity-loop': 1.0, 'active-passive-pair': 6.0}


# --- helpers ------------------------------------------------------------------------------------------------------
def model_path(name):
    return os.path.join(ROOT, 'models', name + '.yaml')


def export(path, version, *more):
    """The FMU of a model, opened."""
    out = os.path.join(FOLDER, '%s-%d.fmu' % (os.path.splitext(os.path.basename(path))[0], version))
    subprocess.run([PROGRAM, 'fmu', path, '-o', out, '--fmi', str(version), *more], check=True,
                   stdout=subprocess.DEVNULL)
    return importer.Fmu(out)


def simulate(path, until, times, *more):
    text = subprocess.run([PROGRAM, 'simulate', path, '--until', repr(until), '--at', ','.join(map(repr, times)), '--json',
                           *more], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(text)


def write_model(name, text):
    path = os.path.join(FOLDER, name + '.yaml')
    with open(path, 'w', encoding='utf-8') as out:
        out.write(text)
    return path


def numbers_of(sample):
    """{variable: number or mode} of a sample of `simulate`."""
    found = {}
    for body, state in sample['state'].items():
        found.update({'%s.%s' % (body, key): value for key, value in state.items()})
    for contact, state in sample['contacts'].items():
        found[contact + '.mode'] = state['mode']
        force = state['force']
        names = ['force'] if not isinstance(force, list) or len(force) == 1 else ['fx', 'fy', 'moment']
        for name, value in zip(names, force if isinstance(force, list) else [force]):
            found['%s.%s' % (contact, name)] = value
        if 'z' in state:
            found[contact + '.z'] = state['z']
    for kind in ('states', 'signals', 'memory'):
        found.update(sample.get(kind, {}))
    return found


def compare(sample, get, most):
    for name, value in numbers_of(sample).items():
        got = get(name)
        if isinstance(value, str):
            assert got == value, '%s at t = %g: %s, not %s' % (name, sample['t'], got, value)
        elif value is not None:
            assert abs(got - value) <= most * max(1.0, abs(value)), \
                '%s at t = %g: %.17g, not %.17g' % (name, sample['t'], got, value)


def times_of(until):
    return [until * k / 9 for k in range(10)]


# --- cases --------------------------------------------------------------------------------------------------------
def look(fmu):
    complaints = rules.look(fmu)
    assert not complaints, '\n'.join(complaints)


def description(name, version):
    """By the schema and the rules of the standard."""
    fmu = export(model_path(name), version)
    look(fmu)
    fmu.close()


ODD = '''slipstick: 1
title: 'A "block" & <names> that importers may stumble over'
inputs: {Force: 0 N, StopMode: 1 m}
bodies: {BODIES}
forces: [{body: FIRST, force: Force}]
contacts: {FrictionMode: {between: [FIRST, ground], law: coulomb, friction: 1 N}}
run: {until: 10 s}
'''


def odd_names(version):
    """Types never have the name of a variable; names that are no identifiers are told as such."""
    for convention, first in (('flat', 'left wheel'), ('flat', '2nd'), ('flat', "o'k"), ('structured', '_b2')):
        text = ODD.replace('BODIES', '"%s": {mass: 1 kg}' % first).replace('FIRST', '"%s"' % first)
        fmu = export(write_model('2 odd-names', text), version)
        look(fmu)
        assert fmu.root.get('variableNamingConvention') == convention, first
        assert fmu.by_name['Force'].declared == 'Force_'
        one = fmu.instance().begin(values={'Force': 2.0})
        one.step_to(1.0)
        assert abs(one[first + '.x'] - 0.5) < 1e-15
        one.free()
        fmu.close()


def elsewhere(version):
    """The folder of the resources reaches the FMU as a path (3.0) or percent-encoded in a URI (2.0)."""
    fmu = export(model_path('two-blocks'), version)
    strange = os.path.join(FOLDER, 'a b %41 ü+#', 'fmu')
    shutil.copytree(fmu.folder, strange, dirs_exist_ok=True)
    moved = importer.Fmu(strange)
    one = moved.instance().begin()
    one.step_to(1.0)
    one.free()
    fmu.close()


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
    again = subprocess.run([sys.executable, os.path.abspath(__file__), '--continue', fmu.folder, repr(kept[1]),
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


PUSHED = '''slipstick: 1
title: A block that is pushed
parameters: {level: 2 N}
inputs: {push: 0 N}
bodies: {block: {mass: 1 kg}}
forces: [{body: block, force: push}]
contacts: {floor: {between: [block, ground], law: coulomb, friction: level}}
run: {until: 10 s}
'''


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
                kept, at = one.save(), one.time
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


SLID = '''slipstick: 1
title: A disk that is pushed
slider:
  mass: 1 kg
  gyration: 1 m
  gravity: 10 m/s^2
  supports: [{disk: 0.5 m, load: 1, mu: 0.1}]
run: {until: 10 s}
'''


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


def refused(version):
    """Faults of parameters reach the log with their field; calls out of order are errors and nothing else."""
    fmu = export(model_path('stick-slip-belt'), version, '--parameter', 'contacts.face.static')
    one = fmu.instance()
    one.setup()
    one['contacts.face.static'] = 0.01
    one.enter()
    try:
        one.exit()
        raise AssertionError('a static level below the kinetic one was taken')
    except importer.CallFailed:
        pass
    assert 'contacts.face.static' in one.log[-1][2], one.log
    one['contacts.face.static'] = 3.0
    one.exit()
    function = 'DoStep'
    arguments = [importer.C.c_double(0), importer.C.c_double(-1.0), 1] if version == 2 else \
        [importer.C.c_double(0), importer.C.c_double(-1.0), importer.C.c_bool(True)] + \
        [importer.C.byref(importer.C.c_double()) for _ in range(4)]
    one.call(function, *arguments, expect=importer.ERROR)
    one.call('EnterInitializationMode', *([] if version == 2 else
             [importer.C.c_bool(False), importer.C.c_double(0), importer.C.c_double(0), importer.C.c_bool(False),
              importer.C.c_double(0)]), expect=importer.ERROR)
    one.call('EnterContinuousTimeMode', expect=importer.ERROR)
    one.set(['face.force'], [1.0], expect=importer.ERROR)
    one.set(['contacts.face.static'], [float('nan')], expect=importer.ERROR)
    one.step_to(0.5)
    one.free()
    fmu.close()


def crowd(version):
    """Eight instances in eight threads, each from its own start: to the bit what they do one after the other."""
    fmu = export(model_path('two-blocks'), version)
    outputs = [v.name for v in fmu.variables if v.causality == 'output']

    def run(k):
        one = fmu.instance(name='n%d' % k, exchange=k == 7).begin(values={'block1.x': 1.0 + 0.3 * k})
        if k == 7:
            one.update()
            one.enter_continuous_time_mode()
            y = one.states(4)
            for step in range(400):
                one.put(1e-3 * step, y)
                y = [a + 1e-3 * b for a, b in zip(y, one.rates(4))]
        for step in range(400 if k < 7 else 0):
            one.step(0.01 + 0.001 * k)
        end = [one[key] for key in outputs]
        one.free()
        return end
    alone = [run(k) for k in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, range(8))) == alone
    fmu.close()


def strange_steps(version):
    """Steps of no length, backwards, of no number, from elsewhere; inputs that are no number; after the end."""
    fmu = export(write_model('pushed', PUSHED), version)
    one = fmu.instance().begin(values={'push': 3.0})
    one.step_to(1.0)
    for size in (-0.5, float('nan'), float('inf')):
        one.try_step(size, expect=importer.ERROR)
        assert one.time == 1.0
    one.try_step(0.0, expect=importer.OK if version == 2 else importer.ERROR)
    one.time = 5.0
    one.try_step(0.5, expect=importer.ERROR)
    one.time = 1.0
    for value in (float('nan'), float('inf')):
        one.set(['push'], [value], expect=importer.ERROR)
        assert 'push' in one.log[-1][2], one.log
    one.step_to(2.0)
    assert abs(one['block.x'] - 2.0) < 1e-15 and abs(one['block.v'] - 2.0) < 1e-15
    one.set(['parameters.level'], [-1.0])
    one.try_step(0.5, expect=importer.ERROR)
    assert 'parameters.level' in one.log[-1][2] or 'contacts.floor.friction' in one.log[-1][2], one.log
    one['parameters.level'] = 2.0
    one.time = 2.0
    one.step_to(3.0)
    one.call('Terminate')
    assert abs(one['block.x'] - 4.5) < 1e-14 and one['floor.mode'] == 'slip+' and one['time'] == 3.0
    one.try_step(0.5, expect=importer.ERROR)
    one.reset()
    one.begin(start=1.0)
    assert one['block.x'] == 0.0 and one['push'] == 0.0 and one['time'] == 1.0
    one.free()
    fmu.close()


def kept_between_steps(version):
    """Model Exchange: a state that is kept in the middle goes on to the same bits, also from a serialised copy."""
    fmu = export(model_path('lugre-stop'), version)
    n, m = len(fmu.state_variables()), fmu.indicator_count()

    def go(one, y, steps):
        for step in range(*steps):
            one.put(1e-5 * step, y)
            y = [a + 1e-5 * b for a, b in zip(y, one.rates(n))]
        one.put(1e-5 * steps[1], y)
        return y + one.indicators(m) + one.get([v.name for v in fmu.variables if v.type != 'Enumeration'])
    one = fmu.instance(exchange=True).begin()
    one.update()
    one.enter_continuous_time_mode()
    half = go(one, one.states(n), (0, 300))[:n]
    kept = one.save()
    end = go(one, half, (300, 600))
    other = fmu.instance(exchange=True, name='two').begin()
    other.load(kept)
    assert other.states(n) == half and go(other, half, (300, 600)) == end
    one.load(kept)
    assert go(one, one.states(n), (300, 600)) == end
    one.free()
    other.free()
    fmu.close()


def event_modes():
    """FMI 3: steps end at events only where the importer both uses Event Mode and allows them to; the motion is one."""
    fmu = export(model_path('two-blocks'), 3)
    truth = simulate(model_path('two-blocks'), 15.0, [15.0])
    for events, early in ((False, False), (False, True), (True, False), (True, True)):
        one = fmu.instance(events=events, early=early).begin()
        ends = []
        one.step_to(15.0, on_event=lambda instance, before=None: ends.append(instance.time))
        assert (len(ends) > 0) == (events and early), (events, early, ends)
        if not events:
            one.call('EnterEventMode', expect=importer.ERROR)
        compare(truth['samples'][-1], lambda key: one[key], 1e-12)
        one.free()
    fmu.close()


def all_types():
    """FMI 3: values of a type that no variable has are refused; of its own type each can be had, also before the start."""
    fmu = export(model_path('hunting-servo'), 3)
    one = fmu.instance()
    for v in fmu.variables:
        one.exchange_values('GetInt64' if v.type == 'Enumeration' else 'GetFloat64', [v.name], (importer.C.c_int64 * 1)())
        for kind in 'Float32 Int8 UInt8 Int16 UInt16 Int32 UInt32 UInt64 Boolean String'.split():
            one.exchange_values('Get' + kind, [v.name], (importer.C.c_int64 * 1)(), expect=importer.ERROR)
    one.free()
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


def checked(name, version):
    """The program's own importer finds nothing; in an FMU whose description is of another model it does."""
    fmu = export(model_path(name), version)
    out = os.path.join(FOLDER, '%s-%d.fmu' % (name, version))
    assert subprocess.run([PROGRAM, 'fmu', '--check', out], stdout=subprocess.DEVNULL).returncode == 0
    wrong = os.path.join(FOLDER, 'wrong.fmu')
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(wrong, 'w') as new:
        for item in old.namelist():
            data = old.read(item)
            if item == 'modelDescription.xml':
                data = data.replace(b'start="', b'start="1', 1)
            new.writestr(item, data)
    assert subprocess.run([PROGRAM, 'fmu', '--check', wrong], stdout=subprocess.DEVNULL).returncode == 1
    fmu.close()


def bare_binary():
    """The binary needs libc and libm alone, of an age that says which systems it loads on."""
    fmu = export(model_path('two-blocks'), 2)
    needed = subprocess.run(['objdump', '-p', fmu.binary], stdout=subprocess.PIPE, text=True, check=True).stdout
    libraries = {line.split()[1] for line in needed.splitlines() if 'NEEDED' in line}
    assert libraries <= {'libc.so.6', 'libm.so.6'}, libraries
    symbols = subprocess.run(['objdump', '-T', fmu.binary], stdout=subprocess.PIPE, text=True, check=True).stdout
    versions = {tuple(int(n) for n in word.strip('()').split('_')[1].split('.')) for line in symbols.splitlines()
                for word in line.split() if word.strip('()').startswith('GLIBC_')}
    assert max(versions) <= (2, 17), sorted(versions)[-1]
    exported = [line.split()[-1] for line in symbols.splitlines() if ' .text' in line]
    assert exported and all(name.startswith(('fmi2', 'fmi3')) for name in exported), exported
    fmu.close()


def code(version):
    """With its code: the description lists all files to compile, under names that objects can have side by side."""
    fmu = export(model_path('two-blocks'), version, '--sources')
    look(fmu)
    sources = os.path.join(fmu.folder, 'sources')
    if version == 2:
        lists = [[f.get('name') for f in fmu.root.findall(kind + '/SourceFiles/File')]
                 for kind in ('ModelExchange', 'CoSimulation')]
    else:
        build = ElementTree.parse(os.path.join(sources, 'buildDescription.xml'))
        lists = [[f.get('name') for f in build.iter('SourceFile')]]
    for files in lists:
        assert sorted(files) == sorted(f for f in os.listdir(sources) if f.endswith('.c')), files
    return fmu, sources, files


def compiled():
    """What is compiled from the code, by a compiler that is told nothing else, runs as the binary does."""
    fmu, sources, files = code(3)
    def compile_some(rank):
        subprocess.run(['cc', '-std=c17', '-fPIC', '-O0', '-w', '-I.', '-c', *files[rank::2]], cwd=sources, check=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_some, range(2)))
    os.remove(fmu.binary)
    subprocess.run(['cc', '-shared', '-o', fmu.binary, *(f[:-1] + 'o' for f in files), '-lm', '-Wl,--no-undefined'],
                   cwd=sources, check=True)
    own = os.path.join(FOLDER, 'compiled')  # under its old name a loader would find the old binary
    shutil.move(fmu.folder, own)
    again = importer.Fmu(own)
    truth = simulate(model_path('two-blocks'), 12.0, [12.0])['samples'][0]
    one = again.instance().begin()
    one.step_to(12.0)
    compare(truth, lambda key: one[key], 1e-12)
    one.free()


def same_bytes():
    first, second = (export(model_path('two-blocks'), 2) for _ in range(2))
    assert first.token == second.token
    out = os.path.join(FOLDER, 'two-blocks-2.fmu')
    with open(out, 'rb') as one:
        before = one.read()
    export(model_path('two-blocks'), 2).close()
    with open(out, 'rb') as one:
        assert one.read() == before
    first.close()
    second.close()


def cases(brief):
    yield bare_binary, () if not brief else None
    yield same_bytes, ()
    yield code, (2,)
    yield compiled, () if not brief else None
    yield stopped_at_events, ()
    yield event_modes, ()
    yield all_types, ()
    for version in (2, 3):
        for case in (pushed, grown, kinked, slid, started_late, refused, derivatives, curved_derivatives, odd_names,
                     elsewhere, crowd, strange_steps, kept_between_steps):
            yield case, (version,)
        for name in sorted(os.listdir(os.path.join(ROOT, 'models'))):
            yield description, (name[:-5], version)
        for name in STEPPED:
            for step in (None,) if brief else (None, 1e-3, 1e-2):
                yield stepped, (name, version, step)
        for name in ('two-blocks', 'lugre-stop', 'sampled-servo', 'tripod', 'maxwell-stop'):
            yield saved, (name, version)
        for name in ('two-blocks', 'lugre-stop', 'hunting-servo', 'carried-disk'):
            yield dependencies, (name, version)
            yield checked, (name, version)
    for place, name in enumerate(EXCHANGED):
        if not brief or place < 3:
            yield exchanged, (name, 2 + place % 2)


def main():
    global PROGRAM, FOLDER
    if sys.argv[1] == '--continue':
        return go_on(*sys.argv[2:])
    PROGRAM = os.path.join(os.path.abspath(sys.argv[1]), 'slipstick')
    brief, wanted = '--brief' in sys.argv, [a for a in sys.argv[2:] if not a.startswith('--')]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as FOLDER:
        for case, arguments in cases(brief):
            name = ' '.join([case.__name__] + [str(a) for a in arguments or ()])
            if arguments is None or (wanted and not any(w in name for w in wanted)):
                continue
            try:
                case(*arguments)
                passed += 1
            except Exception:
                failed += 1
                print('FAIL %s\n%s' % (name, traceback.format_exc(limit=-2)), flush=True)
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
