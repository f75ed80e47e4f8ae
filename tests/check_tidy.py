#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""clang-tidy over the C files of some folders, with the checks of .clang-tidy.

check_tidy.py BUILD-FOLDER [FOLDER]...    all that is built for the desktop unless told otherwise

A file that was found clean is remembered in BUILD-FOLDER/tidy under a hash of all the verdict depends on: the
file, every header it includes, how it is compiled, .clang-tidy and the version of clang-tidy. Only what changed
is looked at again.
"""
import glob
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The analyzer follows paths through a function until it has made this many nodes. clang's shallow mode stops at
# 75000, its deep mode at 225000; three times the nodes take three times as long and found nothing more here.
MOST_NODES = 75000


def read(path):
    with open(path, 'rb') as stream:
        return stream.read()


def folders_with_sources(*tops):
    return sorted(os.path.relpath(folder, ROOT) for top in tops for folder, _, names in os.walk(os.path.join(ROOT, top))
                  if any(name.endswith('.c') for name in names))


def is_bare(folder):
    """Stand-ins for where there is no desktop: they are built for the page alone."""
    return os.path.basename(folder) == 'bare'


def folders_of_sources():
    """Folders with C files that are built for the desktop."""
    return [folder for folder in folders_with_sources('src', 'cli', 'fmu', 'python') if not is_bare(folder)]


def folders_of_page():
    """Folders with C files that are built for the page alone."""
    return [*folders_with_sources('web/core'), *filter(is_bare, folders_with_sources('src'))]


def how_compiled(build):
    """{file: its arguments without compiler and output}. One way for each file: those that two programs share
    would be looked at twice, and the analyzer is confused by the second time."""
    ways = {}
    for entry in json.loads(read(os.path.join(build, 'compile_commands.json'))):
        words = shlex.split(entry['command'])[1:]
        output = words.index('-o')
        ways.setdefault(os.path.realpath(entry['file']), words[:output] + words[output + 2:])
    return ways


def write_database(build, ways):
    """The same for clang-tidy, as a folder with compile_commands.json, one for each run of this script."""
    folder = os.path.join(build, 'tidy', 'way-%d' % os.getpid())
    os.makedirs(folder, exist_ok=True)
    entries = [{'directory': os.path.realpath(build), 'file': file, 'arguments': ['cc', *words]}
               for file, words in ways.items()]
    with open(os.path.join(folder, 'compile_commands.json'), 'w', encoding='utf-8') as stream:
        json.dump(entries, stream)
    return folder


def included(file, words):
    """Every header, the system's too: clang -M writes them as a rule of make."""
    done = subprocess.run(['clang', '-M', '-w', *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    if done.returncode != 0:
        return None
    names = done.stdout.replace('\\\n', ' ').partition(':')[2].split()
    return sorted({os.path.realpath(name) for name in names} | {file})


def key_of(file, words, always):
    headers = included(file, words)
    if headers is None:
        return None  # clang-tidy will say why
    total = hashlib.sha256(always)
    total.update('\0'.join(words).replace(ROOT, '').encode())
    for header in headers:
        total.update(hashlib.sha256(read(header)).digest())
    return total.hexdigest()


def complaints(file, database):
    bound = ['-Xclang', '-analyzer-config', '-Xclang', 'max-nodes=%d' % MOST_NODES]
    done = subprocess.run(['clang-tidy', '--quiet', '-p', database, '--warnings-as-errors=*',
                           *('--extra-arg=' + word for word in bound), file], cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return []
    # The way there: clang-tidy -p BUILD-FOLDER FILE.
    return re.findall(r'^.*: (?:error|warning): .*$', done.stdout, re.M) or (done.stdout + done.stderr).split('\n')


def main():
    build = os.path.realpath(sys.argv[1])
    folders = sys.argv[2:] or folders_of_sources()
    seen = os.path.join(build, 'tidy')
    ways = how_compiled(build)
    database = write_database(build, ways)
    version = subprocess.run(['clang-tidy', '--version'], stdout=subprocess.PIPE, check=True).stdout
    always = read(os.path.join(ROOT, '.clang-tidy')) + version + b'%d' % MOST_NODES
    files = [file for folder in folders for file in sorted(glob.glob(os.path.join(ROOT, folder, '*.c')))]
    bad = 0
    for file in map(os.path.realpath, files):
        if file not in ways:
            if '/mpi/' not in file:  # where there is no MPI, nothing is built of it
                print('%s: is not compiled' % file)
                bad += 1
            continue
        key = key_of(file, ways[file], always)
        if key and os.path.exists(os.path.join(seen, key)):
            continue
        found = complaints(file, database)
        print(*found, sep='\n', end='\n' if found else '')
        bad += bool(found)
        if key and not found:
            with open(os.path.join(seen, key), 'wb'):
                pass
    os.remove(os.path.join(database, 'compile_commands.json'))
    os.rmdir(database)
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
