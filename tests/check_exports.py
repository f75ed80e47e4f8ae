#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""The shared libraries export what their public headers declare, and nothing else.

Which header belongs to which library is read from CMakeLists.txt. A name may be in
one header only, and no more names are promised than LARGEST says: a new one wants a reason, or another one's place.

    check_exports.py BUILD-FOLDER
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
LARGEST = {'slipstick': 151, 'slipstick-lab': 231}


def lab_headers():
    with open(os.path.join(ROOT, 'CMakeLists.txt'), encoding='utf-8') as file:
        return set(re.search(r'set\(lab_headers ([^)]*)\)', file.read()).group(1).split())


def declared(path):
    with open(path, encoding='utf-8') as file:
        text = re.sub(r'//[^\n]*', '', file.read())
    return re.findall(r'^SS_API [\w\s\*]*?\b(\w+)\(', text, flags=re.M)


def exported(library):
    lines = subprocess.run(['nm', '-D', '--defined-only', library], check=True, capture_output=True,
                           text=True).stdout.split('\n')
    return {line.split()[-1].split('@')[0] for line in lines if line}


def complaints(build):
    lab = lab_headers()
    names = {'slipstick': [], 'slipstick-lab': []}
    for path in sorted(glob.glob(os.path.join(ROOT, 'include/slipstick/*.h'))):
        header = os.path.basename(path)[:-2]
        names['slipstick-lab' if header in lab else 'slipstick'] += declared(path)
    for library, promised in names.items():
        path = os.path.join(build, 'lib%s.so' % library)
        found = exported(path)
        for name in sorted({name for name in promised if promised.count(name) > 1}):
            yield '%s is declared twice' % name
        for name in sorted(found - set(promised)):
            yield '%s exports %s, which no public header of it declares' % (path, name)
        for name in sorted(set(promised) - found):
            yield '%s does not export %s, which its public headers declare' % (path, name)
        if len(promised) > LARGEST[library]:
            yield 'lib%s promises %d functions, more than %d' % (library, len(promised), LARGEST[library])
        print('lib%s: %d functions' % (library, len(promised)))


if __name__ == '__main__':
    faults = list(complaints(sys.argv[1]))
    print('\n'.join(faults))
    sys.exit(1 if faults else 0)
