#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Maps of the built program under hard conditions. Every case ends in the same file, to the byte, as a run that
nothing disturbed: any number of threads or ranks, killed processes, a full disk, an interruption.

run.py WHAT BUILD-FOLDER [KILLS], WHAT one of the functions named in main.
"""
import filecmp
import glob
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import patience  # noqa: E402: it lies in the folder above

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODEL = os.path.join(ROOT, 'models', 'two-blocks.yaml')
KILLS = {'kill': 50, 'kill-ranks': 8}
MPIRUN = ['mpirun', '--oversubscribe', '-n']
ENVIRONMENT = {**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}


class Maps:
    """A map that takes long enough to be disturbed, and its undisturbed file."""

    def __init__(self, build, seconds):
        self.program, self.mpi = os.path.join(build, 'slipstick'), os.path.join(build, 'slipstick-mpi')
        self.passed = self.failed = 0
        self.side = 60
        while True:
            start = time.monotonic()
            self.finish(self.command('truth.h5'))
            self.seconds = time.monotonic() - start
            if self.seconds > seconds or self.side > 3000:
                break
            self.side *= 2

    def command(self, name, *more, ranks=0):
        program = [*MPIRUN, str(ranks), self.mpi] if ranks else [self.program]
        return [*program, 'basin', MODEL, '--over', 'block1.x=-10:10:%d' % self.side, '--over',
                'block2.x=-9:10:%d' % self.side, '--out', name, *more]

    def finish(self, command, status=0, **options):
        done = patience.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
                            **options)
        if done.returncode != status:
            raise AssertionError('exit status %d, not %d: %s\n%s%s' % (done.returncode, status, ' '.join(command),
                                                                       done.stdout, done.stderr))
        return done

    def start(self, command):
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, text=True,
                                stderr=subprocess.PIPE, env=ENVIRONMENT, start_new_session=True)

    def case(self, name, good, detail=''):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        if not good:
            print('FAIL  %s %s' % (name, detail))

    def same(self, name, file):
        good = os.path.exists(file) and filecmp.cmp(file, 'truth.h5', shallow=False)
        left = glob.glob(file + '.*')
        self.case(name, good and not left, 'differs from the undisturbed map' if not good else 'left %s' % left)
        if os.path.exists(file):
            os.remove(file)


def wait_killed(process, delay):
    """Kills after a while with no chance to react. True if it was still at work."""
    try:
        process.wait(delay)
        return False
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        return True


def wait_for_ranks(job, count):
    """Numbers of the processes, as soon as there are so many."""
    found = []
    while job.poll() is None and len(found) < count:
        time.sleep(0.02)
        found = subprocess.run(['pgrep', '-P', str(job.pid)], capture_output=True, text=True).stdout.split()
    return found


def size_of(file):
    try:
        return os.path.getsize(file)
    except OSError:  # not there yet, or no more
        return 0


def stop(pid):
    """Halts a process. True if it then is in the midst of its work: a process that has ended also takes
    signals until somebody has asked for its status."""
    os.kill(pid, signal.SIGSTOP)
    while True:
        with open('/proc/%d/stat' % pid, encoding='utf-8', errors='replace') as stream:
            state = stream.read().rpartition(')')[2].split()[0]
        if state in 'TZX':
            return state == 'T'
        time.sleep(0.001)


def wait_for_growth(job, file):
    size = size_of(file)
    while job.poll() is None and size_of(file) <= size:
        time.sleep(0.005)


def threads(build, _):
    maps = Maps(build, 0.2)
    for count in (1, 2, 3, 5):
        maps.finish(maps.command('t.h5', '--threads', str(count)))
        maps.same('%d threads' % count, 't.h5')
    return maps


def ranks(build, _):
    maps = Maps(build, 0.2)
    for count in (1, 2, 3):
        maps.finish(maps.command('r.h5', ranks=count))
        maps.same('%d ranks' % count, 'r.h5')
    alone = maps.finish([*maps.command('x.h5'), '--random', '9'], status=2).stderr
    several = maps.finish([*maps.command('x.h5', ranks=2), '--random', '9'], status=2).stderr
    maps.case('a wrong command line is told once', several.startswith(alone) and several.count(alone) == 1, several)
    return maps


def kill(build, wanted):
    """kill -9 at random moments, again and again, resumed until the map is there."""
    maps = Maps(build, 0.4)
    dice, kills, more = random.Random(1), 0, []
    while kills < wanted:
        process = maps.start(maps.command('k.h5', *more))
        if wait_killed(process, dice.uniform(0.02, 0.5) * maps.seconds):
            kills, more = kills + 1, ['--resume']
            if os.path.exists('k.h5.%d.part' % process.pid):  # killed while it wrote the answer: the next one has its own
                os.remove('k.h5.%d.part' % process.pid)
        else:
            maps.same('after %d kills' % kills, 'k.h5')
            more = []
    maps.finish(maps.command('k.h5', *more))
    maps.same('after %d kills' % kills, 'k.h5')
    return maps


def kill_ranks(build, wanted):
    """One rank is killed, in turn the first and another: the job ends, with what it had, and can be resumed. mpirun
    asks the other one to end, and kills it a second later: on a busy machine before it could say anything, so that
    it takes more jobs until one does."""
    maps = Maps(build, 0.8)
    dice, kills, more, resumed, told = random.Random(2), 0, [], 0, 0
    while kills < wanted or (told * resumed == 0 and kills < 8 * wanted):
        job = maps.start(maps.command('m.h5', '--threads', '1', *more, ranks=2))
        found = wait_for_ranks(job, 2)
        wait_for_growth(job, 'm.h5.part')  # at work: mpirun itself may hang where a rank dies before that
        time.sleep(dice.uniform(0.0, 0.4) * maps.seconds)
        try:
            rank = int(found[kills % len(found)])
            lost = stop(rank) and not os.path.exists('m.h5')  # halted, it cannot finish before it is killed
            os.kill(rank, signal.SIGKILL if lost else signal.SIGCONT)
        except (IndexError, ZeroDivisionError, OSError):  # it was faster
            lost = False
        said = patience.wait(job)[1]
        if lost:
            kills, more = kills + 1, ['--resume']
            told += 'a rank was lost' in said
            maps.case('a job that lost a rank fails', job.returncode != 0, said)
        if lost and os.path.exists('m.h5'):  # it was finished meanwhile, but for putting away the journal
            for journal in glob.glob('m.h5.*'):
                os.remove(journal)
        if not lost or os.path.exists('m.h5'):
            maps.same('after %d lost ranks' % kills, 'm.h5')
            more = []
        resumed += os.path.exists('m.h5.part')
    maps.case('some lost job left something to resume', resumed > 0)
    maps.case('some lost job said so', told > 0)
    maps.finish(maps.command('m.h5', *more, ranks=2))
    maps.same('after %d lost ranks' % kills, 'm.h5')
    return maps


def full(build, _):
    """A limit on the size of files, as a full disk would be met: in the journal, in the file made of it."""
    maps = Maps(build, 0.1)
    whole = os.path.getsize('truth.h5')
    for share in (0.0001, 0.3, 0.999):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (int(whole * share), resource.RLIM_INFINITY))
        said = maps.finish(maps.command('f.h5'), status=3, preexec_fn=limit)
        maps.case('a full disk is told', 'File too large' in said.stderr, said.stderr)
        maps.case('what to do is told', share < 0.01 or '--resume' in said.stderr, said.stderr)
        maps.finish(maps.command('f.h5', '--resume'))
        maps.same('after a full disk at %g' % share, 'f.h5')
    return maps


class Scans(Maps):
    """The same with a scan, whose rows are kept in the same way."""

    def command(self, name, *more, ranks=0):
        program = [*MPIRUN, str(ranks), self.mpi] if ranks else [self.program]
        return [*program, 'scan', MODEL, '--over', 'block1.x=-10:10:%d' % self.side, '--over', 'block2.x=4:10:5',
                '--section', '0.5 s', '--skip', '5', '--keep', '9', '--show', 'block1.x,block2.v,floor1.force',
                '--out', name, *more]


def scans(build, _):
    maps = Scans(build, 0.4)
    for count in (1, 3):
        maps.finish(maps.command('t.h5', '--threads', str(count)))
        maps.same('scan: %d threads' % count, 't.h5')
        maps.finish(maps.command('r.h5', ranks=count))
        maps.same('scan: %d ranks' % count, 'r.h5')
    generator = random.Random(1)
    for _ in range(4):
        process = maps.start(maps.command('k.h5', '--threads', '1'))
        wait_killed(process, generator.uniform(0.1, 0.9) * maps.seconds)
        maps.finish(maps.command('k.h5', '--resume'))
        maps.same('scan: killed and resumed', 'k.h5')
    return maps


def listen():
    """A suite that runs in the background hands on that Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(maps, number):
    """The exit status and the answer of a map that got a signal once a block was there. On a busy machine the
    map may be finished before the signal is sent: then once more."""
    for _ in range(20):
        process = subprocess.Popen(maps.command('i.h5', '--json', '--threads', '1'), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, text=True, preexec_fn=listen)
        wait_for_growth(process, 'i.h5.part')  # the head
        wait_for_growth(process, 'i.h5.part')  # a block
        late = process.poll() is not None
        process.send_signal(number)
        answer = json.loads(process.communicate()[0])
        if not late and process.returncode != 0:
            break
        os.remove('i.h5')
    return process.returncode, answer


def interrupt(build, _):
    """Ctrl-C ends a map with what there is."""
    maps = Maps(build, 0.6)
    for number in (signal.SIGINT, signal.SIGTERM):
        status, answer = interrupted(maps, number)
        known = answer['rest'] + answer['escaped'] + answer['moving']
        maps.case('interrupted', status == 3 and 0 < known < answer['cells'] and
                  known + answer['pending'] == answer['cells'] and not os.path.exists('i.h5'), answer)
        other = maps.finish(maps.command('i.h5', '--resume', '--until', '7'), status=2).stderr
        maps.case('another map is not resumed', other == '--resume: i.h5.part holds another map: --until was '
                  'run.until of the model, now 7\n', other)
        other = maps.finish(maps.command('i.h5', '--resume', '--set', 'parameters.mu=0.2'), status=2).stderr
        maps.case('another model is not resumed', other == '--resume: i.h5.part holds another map: parameters.mu was '
                  '0.1, now 0.2\n', other)
        anew = maps.finish(maps.command('i.h5'), status=2).stderr
        maps.case('an unfinished map is not thrown away', anew == '--out i.h5: i.h5.part holds an unfinished map; '
                  'continue it with --resume, or remove it\n', anew)
        again = json.loads(maps.finish(maps.command('i.h5', '--resume', '--json')).stdout)
        maps.case('resumed', again['rest'] + again['escaped'] + again['moving'] == answer['cells'], again)
        maps.same('interrupted and resumed', 'i.h5')
    return maps


def main():
    what, build = sys.argv[1], os.path.abspath(sys.argv[2])
    wanted = int(sys.argv[3]) if len(sys.argv) > 3 else KILLS.get(what)
    folder = tempfile.mkdtemp(prefix='slipstick-maps-')
    os.chdir(folder)
    try:
        maps = {'threads': threads, 'ranks': ranks, 'kill': kill, 'kill-ranks': kill_ranks, 'full': full,
                'interrupt': interrupt, 'scans': scans}[what](build, wanted)
        print('%d passed, %d failed' % (maps.passed, maps.failed))
        return maps.failed > 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())
