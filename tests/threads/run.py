#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Work that is shared by threads, watched by the thread sanitizer: run.py BUILD-FOLDER. A race is told, and ends
with a status of its own."""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RACE = 66  # the sanitizer's exit status

EIGHT = """
import threading
import slipstick as ss
model = ss.load('models/two-blocks.yaml')
ends = [None] * 8
def work(k):
    ends[k] = [model.simulate(until=20.0)['block1.x'][-1] for _ in range(3)][-1]
threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
for t in threads: t.start()
for t in threads: t.join()
assert len(set(ends)) == 1, ends
"""


def model(name):
    return os.path.join(ROOT, 'models', name + '.yaml')


def main():
    build, passed, failed = os.path.abspath(sys.argv[1]), 0, 0
    program = os.path.join(build, 'slipstick')
    library = subprocess.run(['gcc', '-print-file-name=libtsan.so'], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    environment = {**os.environ, 'TSAN_OPTIONS': 'exitcode=%d halt_on_error=0' % RACE, 'OPENBLAS_NUM_THREADS': '1'}
    python = {**environment, 'LD_PRELOAD': library, 'PYTHONPATH': os.path.join(build, 'python')}
    with tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, 'blocks.csv')
        commands = [
            ([program, 'basin', model('two-blocks'), '--over', 'block1.x=-10:10:40', '--over', 'block2.x=-10:10:40', '--threads', '4',
              '--out', os.path.join(folder, 'map.h5')], environment),
            ([program, 'scan', model('stick-slip-belt'), '--over', 'block.v=0:0.1:12', '--section', 'face:stick', '--skip', '2',
              '--keep', '4', '--show', 'block.x,t', '--threads', '4'], environment),
            ([program, 'simulate', model('two-blocks'), '--every', '0.5', '--until', '10 s', '--out', recording], environment),
            ([program, 'fit', model('two-blocks'), recording, '--free', 'contacts.floor1.friction', '--column', 'block1.x=block1.x',
              '--starts', '4'], environment),
            (['/usr/bin/python3', '-c', EIGHT], python)]
        for words, environ in commands:
            done = subprocess.run(words, env=environ, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            good = done.returncode == 0 and 'ThreadSanitizer' not in done.stdout
            passed, failed = passed + good, failed + (not good)
            if not good:
                print('%s: exit status %s\n%s' % (' '.join(words[:3]), done.returncode, done.stdout[-3000:]))
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
