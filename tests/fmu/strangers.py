# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""FMUs under importers that go their own way: solvers of fixed step that locate no event, stop times, calls that few
make, FMUs that were damaged on their way, and what the page about FMUs tells people to type."""
import io
import locale
import os
import random
import re
import subprocess
import warnings
import zipfile

import importer
import rig
from motions import grown, pushed
from rig import export, look, model_path, write_model

C = importer.C

# Up to which time, by which step; pairs whose speeds are equal while the contact between them sticks.
FIXED = {'hunting-servo': (2.0, 1e-3, 'guide', ('stage', None)), 'stick-slip-belt': (8.0, 4e-3, 'face', ('block', 'belt')),
         'two-blocks-relative': (6.0, 2e-3, 'interface', ('block2', 'block1')),
         'struck-disk': (0.5, 1e-4, 'surface', ('disk', None))}


def fixed_steps(name):
    """Euler steps, and an event where an indicator has changed its sign: a contact that sticks does not creep."""
    until, h, contact, pair = FIXED[name]
    fmu = export(model_path(name), 3)
    one = fmu.instance(exchange=True).begin()
    n, m = len(fmu.state_variables()), fmu.indicator_count()
    one.update()
    one.enter_continuous_time_mode()
    y, before, stuck, last = one.states(n), one.indicators(m), 0, None
    for step in range(int(until / h)):
        one.put(h * step, y)
        y = [a + h * b for a, b in zip(y, one.rates(n))]
        one.put(h * (step + 1), y)
        after = one.indicators(m)
        if any((a > 0) != (b > 0) for a, b in zip(before, after)):
            one.enter_event_mode()
            one.update()
            one.enter_continuous_time_mode()
            y, after = one.states(n), one.indicators(m)
        before = after
        if one[contact + '.mode'] != 'stick':
            last = None
            continue
        speeds = [one[body + '.v'] if body else 0.0 for body in pair]
        assert speeds[0] == speeds[1], (step, speeds)
        assert pair[1] or last is None or last == one[pair[0] + '.x']
        last, stuck = one[pair[0] + '.x'], stuck + 1
    assert stuck > 100, stuck
    one.free()
    fmu.close()


def stop_time(version):
    """Steps beyond a stop time that was told are errors; the sum of many steps may miss it by rounding."""
    fmu = export(model_path('two-blocks'), version)
    one = fmu.instance().begin(stop=1.0)
    for _ in range(10):
        one.step(0.1)
    place = one['block1.x']
    one.try_step(0.1, expect=importer.ERROR)
    assert 'stop time' in one.log[-1][2] and one['block1.x'] == place
    kept = one.save()
    one.reset()
    one.begin()
    one.step_to(3.0)
    one.load(kept)
    one.try_step(0.1, expect=importer.ERROR)
    one.free()
    fmu.close()


def seldom_called(version):
    """Log categories, references that the description does not have, kinds that there are not, other ways to say
    where the resources are."""
    fmu = export(model_path('hunting-servo'), version)
    one = fmu.instance()
    for names, expect in ((['logEvents', 'logNotes'], importer.OK), ([None], importer.ERROR), (['other'], importer.ERROR)):
        list_of = (C.c_char_p * len(names))(*(name and name.encode() for name in names))
        one.call('SetDebugLogging', one.boolean(1), C.c_size_t(len(names)), list_of, expect=expect)
    one.call('SetDebugLogging', one.boolean(1), C.c_size_t(2), None, expect=importer.ERROR)
    one.begin()
    known = {v.reference for v in fmu.variables}
    for reference in range(len(known) + 3):
        values, count = (C.c_double * 1)(), C.c_size_t(1)
        modes = {v.reference for v in fmu.variables if v.type == 'Enumeration'}
        one.call('Get' + one.real, (C.c_uint * 1)(reference), count, values, *([count] if version == 3 else []),
                 expect=importer.OK if reference in known - modes else importer.ERROR)
    one.free()
    folder = os.path.join(fmu.folder, 'resources')
    make = getattr(fmu.library, 'fmi2Instantiate' if version == 2 else 'fmi3InstantiateModelExchange')
    make.restype = C.c_void_p
    for where, kind, good in ((folder, 0, True), ('file:' + folder, 0, True), ('file://localhost' + folder + '/', 0, True),
                              ('file://' + folder, 7, version == 3), ('', 0, False), (None, 0, False)):
        start = [C.c_char_p(where.encode() if where is not None else None)]
        callbacks = importer.Callbacks2()
        handle = make(b'one', kind, fmu.token.encode(), *start, C.byref(callbacks), 0, 0) if version == 2 else \
            make(b'one', fmu.token.encode(), *start, C.c_bool(False), C.c_bool(False), None, None)
        assert bool(handle) == good, where
        getattr(fmu.library, one.prefix + 'FreeInstance')(C.c_void_p(handle))
    fmu.close()


def sizes(version):
    """Nominal values are the sizes that the model's own motion has, so that solvers weigh errors by them."""
    fmu = export(model_path('hunting-servo'), version)
    nominal = {v.name: float(v.nominal) for v in fmu.state_variables()}
    assert 0.01 < nominal['stage.x'] < 0.02 and 0.1 < nominal['stage.v'] < 0.2 and nominal['sum'] < 1e-3, nominal
    one = fmu.instance(exchange=True).begin()
    assert one.vector('GetNominalsOfContinuousStates', 3) == list(nominal.values())
    one.free()
    fmu.close()


def where_commas_are_written(version):
    """A host whose locale writes 0,5 for one half: numbers go in and out as ever."""
    before = locale.setlocale(locale.LC_NUMERIC)
    subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', os.path.join(rig.FOLDER, 'de_DE.UTF-8')], check=True,
                   capture_output=True)
    os.environ['LOCPATH'] = rig.FOLDER
    try:
        locale.setlocale(locale.LC_NUMERIC, 'de_DE.UTF-8')
        for case in (pushed, grown, sizes):
            case(version)
    finally:
        locale.setlocale(locale.LC_NUMERIC, before)
        del os.environ['LOCPATH']


def rewrite(data, changes):
    """The archive with files changed, or left out (None)."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, 'w') as new:
        for item in old.namelist():
            change = changes.get(item, bytes)
            if change:
                new.writestr(item, change(old.read(item)))
    return out.getvalue()


def damaged():
    """An FMU that is not whole is told as such, in words, whatever is wrong with it."""
    export(model_path('tripod'), 2).close()
    with open(os.path.join(rig.FOLDER, 'tripod-2.fmu'), 'rb') as file:
        whole = file.read()
    binary, half = 'binaries/linux64/tripod.so', lambda b: b[:len(b) // 2]
    cases = [(whole[:n], 2, 'no archive') for n in (0, 100, len(whole) // 2, len(whole) - 22)]
    cases += [(rewrite(whole, {name: None}), 2, name + ' is not in the archive')
              for name in ('modelDescription.xml', 'resources/model.txt', binary)]
    cases += [(rewrite(whole, {binary: half}), 2, 'its binary is damaged'), (rewrite(whole, {binary: lambda b: b''}), 2, ''),
              (rewrite(whole, {'resources/model.txt': half}), 2, ''),
              (rewrite(whole, {'modelDescription.xml': half}), 1, '')]
    chance = random.Random(1)
    for _ in range(12):
        flipped = bytearray(whole)
        flipped[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        cases.append((bytes(flipped), None, ''))
    out = os.path.join(rig.FOLDER, 'damaged.fmu')
    for data, status, words in cases:
        with open(out, 'wb') as file:
            file.write(data)
        found = subprocess.run([rig.PROGRAM, 'fmu', '--run', '--trust', out], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
        assert found.returncode in ((0, 1, 2) if status is None else (status,)), (words, found)
        assert words in found.stderr and (found.returncode < 2 or found.stderr.count('\n') == 1), found


def told(*words):
    """Exit status and words of `slipstick fmu`."""
    found = subprocess.run([rig.PROGRAM, 'fmu', *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return found.returncode, found.stdout + found.stderr


def foreign():
    """A binary that is not ours is not run, unless the user says so: this one leaves a file behind when it is loaded."""
    export(model_path('tripod'), 2).close()
    out, trace = os.path.join(rig.FOLDER, 'foreign.fmu'), os.path.join(rig.FOLDER, 'was-here')
    code, binary = os.path.join(rig.FOLDER, 'foreign.c'), os.path.join(rig.FOLDER, 'foreign.so')
    with open(code, 'w', encoding='ascii') as file:
        file.write('#include <stdio.h>\n__attribute__((constructor)) static void come(void)\n'
                   '{ FILE* f = fopen("%s", "w"); if (f) fclose(f); }\n' % trace)
    subprocess.run(['cc', '-shared', '-fPIC', '-o', binary, code], check=True)
    with open(os.path.join(rig.FOLDER, 'tripod-2.fmu'), 'rb') as file, open(binary, 'rb') as other:
        whole, strange = file.read(), other.read()
    with open(out, 'wb') as file:
        file.write(rewrite(whole, {'binaries/linux64/tripod.so': lambda b: strange}))
    status, words = told('--check', out)
    assert status == 1 and 'binary: not that of slipstick' in words and not os.path.exists(trace), words
    status, words = told('--run', out)
    assert status == 2 and '--trust' in words and not os.path.exists(trace), words
    status, words = told('--run', '--trust', out)
    assert status == 2 and os.path.exists(trace), words
    own = os.path.join(rig.FOLDER, 'tripod-2.fmu')
    assert told('--check', own)[0] == 0 and told('--run', own)[0] == 0
    assert told('--trust', own) == (2, '--trust: says that --run may run any binary; expected --run\n')


def hostile():
    """Archives that unpack to much more than they are, or to somewhere else, are refused before anything is unpacked."""
    export(model_path('tripod'), 2).close()
    with open(os.path.join(rig.FOLDER, 'tripod-2.fmu'), 'rb') as file:
        whole = file.read()
    link = zipfile.ZipInfo('resources/link')
    link.create_system, link.external_attr = 3, 0o120777 << 16
    for name, words in (('../../evil', 'outside its folder'), ('/tmp/evil', 'outside its folder'), ('a/..', 'outside its folder'),
                        ('c:evil', 'outside its folder'), (link, 'is a link'), ('modelDescription.xml', 'is there twice')):
        data, out = io.BytesIO(whole), os.path.join(rig.FOLDER, 'hostile.fmu')
        with warnings.catch_warnings(), zipfile.ZipFile(data, 'a') as archive:
            warnings.simplefilter('ignore')
            archive.writestr(name, b'/etc/passwd')
        with open(out, 'wb') as file:
            file.write(data.getvalue())
        for option in ('--check', '--run'):
            status, said = told(option, out)
            assert status == 2 and words in said and said.count('\n') == 1, (name, said)
    for name in ('modelDescription.xml', 'resources/model.txt', 'binaries/linux64/tripod.so'):
        data = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(data, 'w', zipfile.ZIP_DEFLATED) as new:
            for item in old.namelist():
                new.writestr(item, bytes(65 << 20) if item == name else old.read(item))
        with open(out, 'wb') as file:
            file.write(data.getvalue())
        status, said = told('--check', out)
        assert status == 2 and 'more than 64 MB' in said, (name, said)


def as_written(version):
    """What people read in an importer: units as the model file has them, inputs that the model has and no others."""
    root = export(model_path('drill-string'), version).root
    speed = next(v for v in root.iter() if v.get('name') == 'parameters.speed')
    unit = speed.get('unit') or speed.find('Real').get('unit')
    assert unit == 'rad/s' and 'speed' in speed.get('description'), (unit, speed.attrib)
    declared = next(u for u in root.iter('Unit') if u.get('name') == 'rad/s').find('BaseUnit')
    assert declared.attrib == {'s': '-1', 'rad': '1'}, declared.attrib
    root = export(model_path('hunting-servo'), version).root
    assert root.find('DefaultExperiment').get('tolerance') == '1e-8'
    assert sum(v.get('causality') == 'input' for v in root.iter()) == 1


RANGES = '''slipstick: 1
title: Numbers that may not be set to anything
parameters: {mu: 0.3, load: 2 kg, push: 10 N, bounce: 0.5, power: 1.5, pull: -3 N, peak: 1}
bodies: {block: {mass: load}}
contacts:
  sole: {between: [block, ground], law: coulomb, mu: 2*mu, normal: 1 N}
  side: {between: [block, ground], law: stribeck, coulomb: 1 N, static: peak*1 N, stribeck_speed: 0.1 m/s}
  rope: {between: [block, ground], law: coulomb, friction: -pull}
  wall: {between: [block, ground], law: rigid-stop, above: 1 m, restitution: bounce}
  soft: {between: [block, ground], law: hunt-crossley, below: -1 m, stiffness: 100 N/m^1.5, exponent: power, alpha: 1 s/m}
forces: [{body: block, force: push}]
run: {until: 1 s}
'''


def ranges(version):
    """Bounds that follow from the keys a number stands under (docs/model-file.md): masses, levels of friction and
    coefficients are not negative, restitution is a share, an exponent at least 1; forces and places are free. That
    static friction (1 N here) is not below the kinetic (1 N) is a matter of both numbers, and no bound of one."""
    wanted = {'parameters.mu': (0, None), 'parameters.load': (0, None), 'parameters.push': (None, None),
              'parameters.bounce': (0, 1), 'parameters.power': (1, None), 'parameters.pull': (None, 0),
              'parameters.peak': (0, None), 'bodies.block.mass': (0, None), 'contacts.side.coulomb': (0, None),
              'contacts.wall.above': (None, None), 'contacts.soft.alpha': (0, None)}
    fmu = export(write_model('ranges', RANGES), version, '--parameter', ','.join(k for k in wanted if 'parameters' not in k))
    look(fmu)
    for name, bounds in wanted.items():
        v = fmu.by_name[name]
        found = tuple(None if b is None else float(b) for b in (v.least, v.most))
        assert found == bounds, (name, found, bounds)
    assert fmu.by_name['parameters.mu'].about == 'parameter mu, used in contacts.sole.mu'
    fmu.close()
    slider = export(model_path('tripod'), version, '--parameter', 'slider.mass,slider.supports[0].mu')
    assert [slider.by_name[n].least for n in ('slider.mass', 'slider.supports[0].mu')] == ['0', '0']
    slider.close()


def page_commands():
    """What docs/fmu.md tells people to type works."""
    with open(os.path.join(rig.ROOT, 'docs', 'fmu.md'), encoding='utf-8') as page:
        blocks = re.findall('```sh\n(.*?)```', page.read(), re.S)
    lines = [line.split() for block in blocks for line in block.splitlines() if line.startswith('slipstick ')]
    assert lines
    for words in lines:
        words = [rig.PROGRAM] + [os.path.join(rig.FOLDER, w) if w.endswith('.fmu') else w for w in words[1:]]
        subprocess.run(words, cwd=rig.ROOT, check=True, stdout=subprocess.DEVNULL)
