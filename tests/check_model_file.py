#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""docs/model-file.md names every key that the readers know, each where it belongs, and its examples load.

check_model_file.py BUILD-FOLDER
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEAD = 'slipstick: 1\ntitle: An example\n'


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding='utf-8') as stream:
        return stream.read()


def tables(source):
    """Tables of words in a reader: name and words of each."""
    pattern = r'const char\* const (\w+)\[\](?:\[\d*\])? = \{(.*?)\};'
    return [(name, re.findall(r'"([^"]+)"', words)) for name, words in re.findall(pattern, source, re.S)]


def reader_words():
    """All words that the readers accept as keys or as values, except names that are reserved."""
    words = set()
    for path in sorted(glob.glob(os.path.join(ROOT, 'src', '**', 'read*.c'), recursive=True)):
        for name, found in tables(text_of(path)):
            if name not in ('reserved', 'functions', 'names', 'bare', 'angular'):
                words.update(found)
    return words


def core_words():
    """Units, prefixes and functions."""
    folder = ('src', 'core', 'expression')
    unit, parse = text_of(*folder, 'unit.c'), text_of(*folder, 'expression_name.c')
    units = re.findall(r'\{"(\w+)", [\w.]+, [\w.]+, \{', unit)
    prefixes = re.findall(r"\{'(\w)', ", unit)
    functions = re.findall(r'\{"(\w+)", SS_OP_', parse)
    assert units and prefixes and functions
    return set(units + prefixes + functions)


def law_keys():
    """The keys of each law, from its row in the table of laws."""
    laws = {}
    for path in sorted(glob.glob(os.path.join(ROOT, 'src', 'law', '*.c'))):
        source = text_of(path)
        row = re.search(r'^const ss_law \w+_law = \{\s*\.name = "([\w-]+)"', source, re.M)
        table = re.search(r'^static const ss_key keys\[\] = \{(.*?)\};', source, re.M | re.S)
        if row:
            laws[row.group(1)] = re.findall(r'\.name = "(\w+)"', table.group(1))
    assert len(laws) >= 7
    return laws


def section(page, heading):
    match = re.search(r'^### %s\n(.*?)(?=^#|\Z)' % re.escape(heading), page, re.M | re.S)
    return match.group(1) if match else ''


def missing(words, text):
    named = set(re.findall(r'`([^`\n]+)`', text))
    return sorted(word for word in words if word not in named)


def examples(page):
    for number, block in enumerate(re.findall(r'^```yaml\n(.*?)^```', page, re.M | re.S), 1):
        yield number, block if block.startswith('slipstick:') else HEAD + block


def main():
    page, program = text_of('docs', 'model-file.md'), os.path.join(os.path.abspath(sys.argv[1]), 'slipstick')
    faults = ['%s is not named' % word for word in missing(reader_words() | core_words(), page)]
    for law, keys in law_keys().items():
        faults += ['%s: %s is not named' % (law, key) for key in missing(keys, section(page, law))]
    count = 0
    with tempfile.TemporaryDirectory() as work:
        for number, model in examples(page):
            path = os.path.join(work, 'example%d.yaml' % number)
            with open(path, 'w', encoding='utf-8') as stream:
                stream.write(model)
            done = subprocess.run([program, 'simulate', path, '--until', '0.01'], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, errors='replace', check=False)
            faults += ['example %d: %s' % (number, done.stderr.strip())] if done.returncode else []
            count += 1
    faults += [] if count else ['there are no examples']
    for fault in faults:
        print('docs/model-file.md: ' + fault)
    return bool(faults)


if __name__ == '__main__':
    sys.exit(main())
