# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Manners of FMUs: their files by the rules of the standard, what they need and carry, calls that make no sense,
many instances at once."""
import concurrent.futures
import json
import os
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
import zipfile

import importer
import rig
from rig import PUSHED, compare, export, look, model_path, simulate, write_model


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
        fmu = export(write_model('2 odd & <names>', text), version)
        look(fmu)
        assert fmu.root.get('variableNamingConvention') == convention, first
        assert fmu.by_name['Force'].declared == 'Force_'
        one = fmu.instance().begin(values={'Force': 2.0})
        one.step_to(1.0)
        assert abs(one[first + '.x'] - 0.5) < 1e-15
        one.free()
        fmu.close()
        out = os.path.join(rig.FOLDER, '2 odd & <names>-%d.fmu' % version)
        assert subprocess.run([rig.PROGRAM, 'fmu', '--run', out], stdout=subprocess.DEVNULL).returncode == 0


def no_time(version):
    """A run of no length has an FMU, whose default experiment tells no stop time and no step of 0."""
    fmu = export(write_model('no-time', PUSHED.replace('until: 10 s', 'until: 0 s')), version)
    look(fmu)
    experiment = fmu.root.find('DefaultExperiment')
    assert experiment.get('startTime') == '0' and not {'stopTime', 'stepSize'} & set(experiment.keys())
    fmu.close()


def elsewhere(version):
    """The folder of the resources reaches the FMU as a path (3.0) or percent-encoded in a URI (2.0)."""
    fmu = export(model_path('two-blocks'), version)
    strange = os.path.join(rig.FOLDER, 'a b %41 ü+#', 'fmu')
    shutil.copytree(fmu.folder, strange, dirs_exist_ok=True)
    moved = importer.Fmu(strange)
    one = moved.instance().begin()
    one.step_to(1.0)
    one.free()
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


def checked(name, version):
    """The program's own importer finds nothing; in an FMU whose description is of another model it does."""
    fmu = export(model_path(name), version)
    out = os.path.join(rig.FOLDER, '%s-%d.fmu' % (name, version))
    found = subprocess.run([rig.PROGRAM, 'fmu', '--run', out, '--json'], stdout=subprocess.PIPE, check=True).stdout
    found = json.loads(found)
    assert found['agrees'] and found['fmi'] == version and found['variables'] >= len(fmu.variables), found
    assert found['co_simulation']['difference'] <= 1e-12 and found['model_exchange']['difference'] <= 1e-6, found
    wrong = os.path.join(rig.FOLDER, 'wrong.fmu')
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(wrong, 'w') as new:
        for item in old.namelist():
            data = old.read(item)
            if item == 'modelDescription.xml':
                data = data.replace(b'start="', b'start="1', 1)
            new.writestr(item, data)
    found = subprocess.run([rig.PROGRAM, 'fmu', '--run', wrong, '--json'], stdout=subprocess.PIPE)
    assert found.returncode == 1 and json.loads(found.stdout)['description']['line'] > 1, found
    fmu.close()


def told_as_json(version):
    """--json: one object and nothing else. --tolerance is that of the solver inside, in Co-Simulation."""
    path, places = model_path('rusty-pendulum'), []
    for tolerance in ('1e-10', '1e-3'):
        out = os.path.join(rig.FOLDER, 'told-%d.fmu' % version)
        found = json.loads(subprocess.run([rig.PROGRAM, 'fmu', path, '-o', out, '--fmi', str(version), '--json', '--tolerance',
                                           tolerance], stdout=subprocess.PIPE, check=True).stdout)
        fmu = importer.Fmu(out)
        assert found['file'] == out and found['fmi'] == version and found['model_exchange'] is True, found
        assert found['outputs'] == sum(v.causality == 'output' for v in fmu.variables), found
        assert found['states'] == len(fmu.state_variables()) and found['event_indicators'] == fmu.indicator_count(), found
        truth = simulate(path, 3.0, [3.0], '--tolerance', tolerance)
        one = fmu.instance().begin()
        one.step_to(3.0)
        compare(truth['samples'][0], lambda key: one[key], 1e-12)
        places.append(one['rod.x'])
        one.free()
        fmu.close()
        assert subprocess.run([rig.PROGRAM, 'fmu', '--run', out], stdout=subprocess.DEVNULL).returncode == 0
    assert places[0] != places[1]


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
    own = os.path.join(rig.FOLDER, 'compiled')  # under its old name a loader would find the old binary
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
    out = os.path.join(rig.FOLDER, 'two-blocks-2.fmu')
    with open(out, 'rb') as one:
        before = one.read()
    export(model_path('two-blocks'), 2).close()
    with open(out, 'rb') as one:
        assert one.read() == before
    first.close()
    second.close()
