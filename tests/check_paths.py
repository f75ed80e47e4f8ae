#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""No page, model, example or source speaks of folders of one machine: paths below home, temporary and work folders.

check_paths.py
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ('docs', 'models', 'examples', 'include', 'src', 'cli', 'bench', 'tests')
ENDINGS = ('.md', '.1', '.5', '.yaml', '.c', '.h', '.out', '.txt', '.json')
MACHINE = re.compile(r'(?<![\w.$}>~/-])/(?:home|root|tmp|work|Users|mnt|media|srv|var/tmp)(?:/[\w.-]+)+')


def pages():
    yield from (os.path.join(ROOT, name) for name in sorted(os.listdir(ROOT)) if name.endswith('.md'))
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(ENDINGS))


def main():
    assert MACHINE.search('see /home/anna/model.yaml') and not MACHINE.search('https://a.org/home/x, build/tmp/x')
    bad = 0
    for path in pages():
        with open(path, encoding='utf-8', errors='replace') as stream:
            for number, line in enumerate(stream, 1):
                for found in MACHINE.finditer(line):
                    if found.group().endswith('XXXXXX'):  # made anew wherever it runs
                        continue
                    print('%s:%d: %s is a place on one machine' % (os.path.relpath(path, ROOT), number, found.group()))
                    bad += 1
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
