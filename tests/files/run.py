#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Every file that the program writes, where it cannot be written: beyond the limit on the size of files, on a
full disk, down a pipe, a device, in place of a private file.

What must hold is the same for all: a file that cannot be written costs nobody the older one, is told on
standard error, ends with status 3 and leaves nothing behind. One that can be written keeps the mode of the
one it replaces, and a pipe or a device stays one. Nothing foreign in what is printed or written is obeyed by a
terminal, or breaks the format.

run.py PROGRAM
"""
import json
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import zipfile
from xml.etree import ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OLDER = b'older, whole\n'


def model(name):
    return os.path.join(ROOT, 'models', name + '.yaml')


FIT = ['fit', 'swing.yaml', 'swing.csv', '--free', 'contacts.floor.friction', '--column', 'block.x=block.x']
BASIN = ['basin', model('block-on-floor'), '--over', 'block.x=-3:3:40', '--over', 'block.v=-1:1:40']
SCAN = ['scan', model('two-blocks'), '--over', 'block1.x=-10:10:30', '--section', '0.5 s', '--skip', '5', '--keep',
        '40', '--show', 'block1.x,block2.x']
FOLLOW = ['follow', model('stick-slip-belt'), '--over', 'bodies.belt.speed=0.15:0.3']
LONG = ['simulate', model('two-blocks'), '--every', '0.005']
SHORT = ['simulate', model('block-on-floor')]

# What is written, by which command. The name is that of the file; %s stands for it.
WRITERS = {
    'trace.csv': LONG + ['--out', '%s'],
    'trace.h5': LONG + ['--out', '%s'],
    'trace.mat': LONG + ['--out', '%s'],
    'slide.mat': ['simulate', model('disk'), '--every', '0.001', '--out', '%s'],
    'picture.svg': SHORT + ['--plot', '%s'],
    'picture.png': SHORT + ['--plot', '%s'],
    'picture.pdf': SHORT + ['--plot', '%s'],
    'motion.html': SHORT + ['--plot', '%s'],
    'cycle.csv': ['cycle', model('stick-slip-belt'), '--out', '%s'],
    'set.svg': ['certify', model('two-blocks'), '--plot', '%s'],
    'map.h5': BASIN + ['--out', '%s'],
    'map.csv': BASIN + ['--csv', '%s'],
    'map.png': BASIN + ['--plot', '%s'],
    'scan.h5': SCAN + ['--out', '%s'],
    'scan.csv': SCAN + ['--csv', '%s'],
    'scan.svg': SCAN + ['--plot', '%s'],
    'branch.h5': FOLLOW + ['--out', '%s'],
    'branch.csv': FOLLOW + ['--out', '%s'],
    'surface.csv': ['surface', model('tripod'), '--out', '%s'],
    'surface.obj': ['surface', model('tripod'), '--out', '%s'],
    'surface.ply': ['surface', model('tripod'), '--out', '%s'],
    'fitted.yaml': FIT + ['--out', '%s'],
    'residuals.csv': FIT + ['--residuals', '%s'],
    'fit.pdf': FIT + ['--plot', '%s'],
    'model.fmu': ['fmu', model('block-on-floor'), '-o', '%s'],
}
KEPT = {'map.h5', 'map.csv', 'map.png', 'scan.h5', 'scan.csv', 'scan.svg'}  # FILE.part stays, for --resume

# What is printed.
ANSWERS = [['check', model('two-blocks')], SHORT, SHORT + ['--json'], ['certify', model('two-blocks')],
           ['certify', model('two-blocks'), '--json'], ['cycle', model('stick-slip-belt')], BASIN + ['--json'], SCAN,
           ['surface', model('tripod'), '--eigen'], FIT, FIT + ['--json'], ['completion', 'bash'], ['completion', 'zsh'],
           ['completion', 'fish'], ['--help'], ['simulate', '--help'], ['--version']]


class Count:
    """Cases, and a word on those that fail."""

    def __init__(self, program):
        self.program, self.passed, self.failed = os.path.abspath(program), 0, 0

    def case(self, what, good, why=''):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print('%s: %s' % (what, why))

    def run(self, words, **more):
        return subprocess.run([self.program, *words], stdin=subprocess.DEVNULL, text=True, check=False,
                              **{'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **more})


def words_of(name, path):
    return [path if word == '%s' else word for word in WRITERS[name]]


def put_data(folder):
    """A block that swings under friction, sampled, for the fits."""
    for name in ('swing.yaml', 'swing.csv'):
        shutil.copy(name, folder)


def left(folder, name):
    """What is in a folder beside the file and what belongs there."""
    known = {name, 'swing.yaml', 'swing.csv'} | ({name + '.part'} if name in KEPT else set())
    return sorted(set(os.listdir(folder)) - known)


def refused(count, how, name, folder, said):
    """The program could not write: it says so, the older file is whole, nothing else is there."""
    what = '%s %s' % (how, name)
    with open(os.path.join(folder, name), 'rb') as file:
        content = file.read()
    count.case(what, content == OLDER, 'the older file is lost: %d bytes, status %s' % (len(content), said.returncode))
    count.case(what, said.returncode == 3, 'status %s, %s' % (said.returncode, said.stderr))
    count.case(what, 'cannot' in said.stderr and name in said.stderr, 'says %r' % said.stderr)
    count.case(what, not left(folder, name), 'left behind: %s' % left(folder, name))


def lay_older(folder, name):
    path = os.path.join(folder, name)
    with open(path, 'wb') as file:
        file.write(OLDER)
    return path


def limit(count):
    """Beyond the limit on the size of files, which is a signal where nobody ignores it."""
    for name in WRITERS:
        with tempfile.TemporaryDirectory() as folder:
            put_data(folder)
            path = lay_older(folder, name)
            small = 1024  # bytes: smaller than any of the files

            def before():
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
                resource.setrlimit(resource.RLIMIT_FSIZE, (small, small))
            refused(count, 'limit', name, folder, count.run(words_of(name, path), cwd=folder, preexec_fn=before))


def disk(count):
    """A disk with a page or two left. Only root may make one."""
    folder = tempfile.mkdtemp()
    mount = ['mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]
    if os.geteuid() != 0 or subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print('full disks are left out: they need root and a mount')
        os.rmdir(folder)
        return
    try:
        put_data(folder)
        for name in WRITERS:
            path = lay_older(folder, name)
            with open(os.path.join(folder, 'ballast'), 'wb', buffering=0) as ballast:
                try:
                    while True:
                        ballast.write(bytes(4096))
                except OSError:
                    pass
            if name not in KEPT:  # a map cannot even keep its work
                os.truncate(os.path.join(folder, 'ballast'), os.path.getsize(os.path.join(folder, 'ballast')) - 4096)
            said = count.run(words_of(name, path), cwd=folder)
            os.remove(os.path.join(folder, 'ballast'))
            if said.returncode == 0 and os.path.getsize(path) <= 4096:  # it fits into what was left
                count.case('disk ' + name, not left(folder, name), 'left behind: %s' % left(folder, name))
            else:
                refused(count, 'disk', name, folder, said)
            for other in (name, name + '.part'):
                if os.path.exists(os.path.join(folder, other)):
                    os.remove(os.path.join(folder, other))
    finally:
        subprocess.run(['umount', folder], check=False)
        os.rmdir(folder)


def rights(count):
    """A file that is replaced keeps its mode and, through a link, its place."""
    for name in WRITERS:
        with tempfile.TemporaryDirectory() as folder:
            put_data(folder)
            path, link = lay_older(folder, 'real'), os.path.join(folder, name)
            os.symlink('real', link)
            os.chmod(path, 0o640)
            if os.geteuid() == 0:
                os.chown(path, 1234, 4321)
            said = count.run(words_of(name, link), cwd=folder)
            what, info = 'rights ' + name, os.stat(path)
            count.case(what, said.returncode == 0 and info.st_size > len(OLDER), said.stderr)
            count.case(what, stat.S_IMODE(info.st_mode) == 0o640, 'mode %o' % info.st_mode)
            count.case(what, os.geteuid() != 0 or (info.st_uid, info.st_gid) == (1234, 4321), 'owner %d' % info.st_uid)
            count.case(what, os.path.islink(link), 'the link is gone')
            others = sorted(set(os.listdir(folder)) - {'real', name, 'swing.yaml', 'swing.csv'})
            count.case(what, not others, 'left behind: %s' % others)


def streams(count):
    """A pipe gets what a file would get and stays a pipe; so does a device. Nothing is left where temporary
    files go, and an error of the device is told."""
    for name in WRITERS:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as spare:
            put_data(folder)
            environment = {**os.environ, 'TMPDIR': spare, 'SOURCE_DATE_EPOCH': '0'}
            path, plain = os.path.join(folder, name), os.path.join(folder, 'plain-' + name)
            what = 'pipe ' + name
            os.mkfifo(path)
            got = []
            reader = threading.Thread(target=lambda: got.append(open(path, 'rb').read()))
            reader.start()
            said = count.run(words_of(name, path), cwd=folder, env=environment)
            if said.returncode != 0:  # let the reader go
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            reader.join()
            count.run(words_of(name, plain), cwd=folder, env=environment)
            count.case(what, said.returncode == 0, said.stderr)
            with open(plain, 'rb') as file:
                size = len(file.read())
            count.case(what, got and abs(len(got[0]) - size) < 64, '%d bytes for %d' % (len(got[0]), size))
            count.case(what, stat.S_ISFIFO(os.lstat(path).st_mode), 'is no pipe any more')
            os.remove(path)
            os.symlink('/dev/full', path)
            said = count.run(words_of(name, path), cwd=folder, env=environment)
            count.case('full device ' + name, said.returncode == 3 and 'No space left' in said.stderr,
                       'status %s, %s' % (said.returncode, said.stderr))
            count.case('full device ' + name, os.path.islink(path) and stat.S_ISCHR(os.stat(path).st_mode), 'is gone')
            count.case('streams ' + name, not os.listdir(spare), 'left behind: %s' % os.listdir(spare))


def standard_output(count):
    """A file named as standard output goes where the answer goes, even where that is a regular file."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink('/dev/stdout', os.path.join(folder, 'out.csv'))
        said = count.run(SHORT + ['--out', 'out.csv'], cwd=folder)
        count.case('standard output', said.returncode == 0 and '\nt [s],' in said.stdout and 'at rest' in said.stdout,
                   said.stdout + said.stderr)
        with open(os.path.join(folder, 'both'), 'w+', encoding='utf-8') as both:
            again = count.run(SHORT + ['--out', 'out.csv'], cwd=folder, stdout=both)
            both.seek(0)
            count.case('standard output as a file', both.read() == said.stdout, again.stderr)


def answers(count):
    """An answer that cannot be written: its reader has no room."""
    for words in ANSWERS:
        with open('/dev/full', 'w', encoding='ascii') as full:
            said = count.run(words, stdout=full)
        count.case('answer ' + ' '.join(words), said.returncode == 3 and 'No space left' in said.stderr,
                   'status %s, %s' % (said.returncode, said.stderr))


def atlas(count):
    """A folder of files."""
    with tempfile.TemporaryDirectory() as folder:
        def before():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
        said = count.run(['atlas', '-o', folder], preexec_fn=before)
        count.case('limit atlas', said.returncode == 3 and 'cannot' in said.stderr, said.stderr)
        parts = [name for _, _, names in os.walk(folder) for name in names if '.part' in name]
        count.case('limit atlas', not parts, 'left behind: %s' % parts)


def killed(count):
    """A trace that is killed, or runs into a full disk after a while, costs nobody an older HDF5 file."""
    with tempfile.TemporaryDirectory() as folder:
        path = lay_older(folder, 'long.h5')

        def before():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 22, 1 << 22))
        said = count.run(['simulate', model('block-on-floor'), '--until', '1000', '--every', '0.0001', '--out', path],
                         preexec_fn=before)
        refused(count, 'late limit', 'long.h5', folder, said)


HOSTILE = r"""slipstick: 1
title: "esc \e[31mRED\e]0;owned\a \x9b31m \r\b \u202Egnp \uFFFE \x7f ]]> </script><script>alert(1)</script> & \" '"
parameters: {p: 1}
bodies:
  "b\ec": {mass: 1 kg}
  bc: {mass: 1 kg}
connections:
  - {between: ["b\ec", ground], stiffness: 1 N/m}
contacts:
  "c\x9bc\x07>": {between: ["b\ec", ground], law: coulomb, friction: 1}
start: {"b\ec": {x: 3}}
run: {until: 5}
"""
HIDDEN = re.compile('[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff\udc80-\udcff]')


def escapes(count):
    """Titles, names and paths are foreign text: a terminal gets nothing from them that it would obey, JSON and XML
    nothing that they do not know."""
    name = 'm\x1b[31m\u202e.yaml'
    bad = os.fsdecode(b'raw\x9b\xff.yaml')
    for path, text in ((name, HOSTILE), (bad, HOSTILE), ('wrong.yaml', HOSTILE.replace('mass', '"ma\\ess"', 1))):
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
    for path in (name, bad, 'wrong.yaml', 'missing\x1b.yaml'):
        words = [[command, path] for command in ('check', 'simulate', 'certify', 'cycle', 'surface')]
        words += [['fmu', path, '-o', 'h.fmu'], ['basin', path, '--over', 'b\x1bc.x=-3:3:5'], ['follow', path],
                  ['simulate', path, '--set', 'b\x1b]0;x\x07.mass=1'], ['simulate', path, '--out', 'no\x1b/x.csv'],
                  ['scan', path, '--over', 'bodies.bc.mass=1:2:2', '--section', '1 s', '--show', 'b\x1bc.x'],
                  ['simulate', path, '--\x1b[31m'], ['\x1b[31m', path], ['fmu', path, '--check']]
        for line in words + [line + ['--json'] for line in words]:
            said = count.run(line, encoding='utf-8', errors='surrogateescape')
            shown = said.stdout + said.stderr
            count.case('escapes %r' % line, not HIDDEN.search(shown), ascii(shown[:300]))
            if line[-1] == '--json' and said.stdout:
                count.case('escapes %r' % line, isinstance(json.loads(said.stdout), dict))
    count.run(['simulate', name, '--plot', 'h.svg', '--out', 'h.csv'])
    count.run(['simulate', name, '--plot', 'h.html'])
    ElementTree.parse('h.svg')
    with zipfile.ZipFile('h.fmu') as fmu:
        root = ElementTree.fromstring(fmu.read('modelDescription.xml'))
    names = [v.get('name') for v in root.iter('ScalarVariable')]
    count.case('escapes in an FMU', len(names) == len(set(names)) and len(names) > 5, names)
    with open('h.html', encoding='utf-8') as page:
        count.case('escapes in a page', page.read().count('<script') == count_scripts(count))


def count_scripts(count):
    """How many scripts a page has whose model says nothing of them."""
    count.run(SHORT + ['--plot', 'plain.html'])
    with open('plain.html', encoding='utf-8') as page:
        return page.read().count('<script')


def main():
    count = Count(sys.argv[1])
    folder = tempfile.mkdtemp()
    try:
        os.chdir(folder)
        with open('swing.yaml', 'w', encoding='ascii') as file:
            file.write('slipstick: 1\ntitle: Swing\n# ' + 1100 * '-' + '\nbodies: {block: {mass: 1 kg}}\n'
                       'connections:\n  - {between: [block, ground], stiffness: 4 N/m}\n'
                       'contacts: {floor: {between: [block, ground], law: coulomb, friction: 0.5}}\n'
                       'start: {block: {x: 1}}\nrun: {until: 6 s}\n')
        count.run(['simulate', 'swing.yaml', '--every', '0.05', '--out', 'swing.csv'])
        for part in (limit, disk, rights, streams, standard_output, answers, atlas, killed, escapes):
            part(count)
    finally:
        os.chdir('/')
        shutil.rmtree(folder)
    print('%d passed, %d failed' % (count.passed, count.failed))
    return count.failed > 0


if __name__ == '__main__':
    sys.exit(main())
