#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Writes docs/man/slipstick-model.5 from docs/model-file.md: the same text as a manual page.

make_model_page.py           writes the page
make_model_page.py --check   says whether the page is up to date
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PAGE = os.path.join(HERE, 'slipstick-model.5')
HEAD = r'''.\" SPDX-FileCopyrightText: The Slipstick authors
.\" SPDX-License-Identifier: MIT
.\"
.\" Made by make_model_page.py from docs/model-file.md: change that, and make it anew.
.TH SLIPSTICK-MODEL 5 "" "Slipstick %s" "File Formats"
.SH NAME
slipstick\-model \- model files of slipstick
.SH DESCRIPTION
'''
TAIL = r'''.SH SEE ALSO
.BR slipstick (1)
'''


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding='ascii') as stream:
        return stream.read()


def escape(text):
    return text.replace('\\', r'\e').replace('-', r'\-').replace("'", r'\(aq').replace('`', r'\(ga')


def inline(text):
    """Code and emphasis in bold, links as their words."""
    text = re.sub(r' ?\[More\]\([^)]+\)\.?', '', text)
    text = re.sub(r'\[([^\]]+)\]\([^)]+\)', r'\1', text)
    parts = re.split(r'(`[^`]+`|\*\*[^*]+\*\*)', text)
    words = ['\\fB%s\\fR' % escape(part.strip('`*')) if part[:1] in '`*' and len(part) > 2 else escape(part)
             for part in parts if part]
    line = ''.join(words).strip()
    return '\\&' + line if line[:1] in ".'" else line


def cells(row):
    return [cell.strip() for cell in row.strip().strip('|').split('|')]


def entry(names, row):
    """One row of a table: what stands first, then the rest in a sentence."""
    said = []
    for name, cell in list(zip(names, row))[1:]:
        if not cell:
            continue
        said.append('without it: ' + cell if name == 'without it' and 'required' not in cell else cell)
    return ['.TP', inline(row[0]), inline('; '.join(said)) or r'\&']


def table(rows):
    names = cells(rows[0])
    return [line for row in rows[2:] for line in entry(names, cells(row))] + ['.PP']


def blocks(lines):
    """The page in pieces: ('code' | 'table' | 'head' | 'item' | 'text', lines)."""
    i = 0
    while i < len(lines):
        line, start = lines[i], i
        if line.startswith('```'):
            i += 1
            while not lines[i].startswith('```'):
                i += 1
            yield 'code', lines[start + 1:i]
            i += 1
        elif line.startswith('|'):
            while i < len(lines) and lines[i].startswith('|'):
                i += 1
            yield 'table', lines[start:i]
        elif line.startswith('#') or not line:
            i += 1
            yield ('head', [line]) if line else ('gap', [])
        else:
            i += 1
            while i < len(lines) and lines[i] and not re.match(r'- |\||#|```', lines[i]):
                i += 1
            yield 'item' if line.startswith('- ') else 'text', lines[start:i]


def joined(lines):
    return ' '.join(line.strip() for line in lines)


def convert(kind, lines):
    if kind == 'code':
        return ['.PP', '.RS', '.EX', *('\\&' + escape(line) for line in lines), '.EE', '.RE', '.PP']
    if kind == 'table':
        return table(lines)
    if kind == 'head':
        level, title = re.match(r'(#+) (.*)', lines[0]).groups()
        return [] if level == '#' else ['.SH ' + title.upper()] if level == '##' else ['.SS ' + title]
    if kind == 'item':
        return [r'.IP \(bu 2', inline(joined(lines)[2:])]
    return ['.PP', inline(joined(lines))] if kind == 'text' else []


def page():
    version = re.search(r'^project\(slipstick VERSION ([0-9.]+)', text_of('CMakeLists.txt'), re.M).group(1)
    lines = text_of('docs', 'model-file.md').split('\n')
    body = [line for kind, piece in blocks(lines) for line in convert(kind, piece)]
    kept = [line for k, line in enumerate(body)  # a paragraph begins once, and not right after or before a heading
            if line != '.PP' or (k > 0 and k + 1 < len(body) and not re.match(r'\.(PP|SH|SS|TP|IP)', body[k + 1])
                                 and not re.match(r'\.(SH|SS)', body[k - 1]))]
    return HEAD % version + '\n'.join(kept[1:] if kept[0] == '.PP' else kept) + '\n' + TAIL


def main():
    if sys.argv[1:] != ['--check']:
        with open(PAGE, 'w', encoding='ascii') as stream:
            stream.write(page())
        return 0
    if text_of('docs', 'man', 'slipstick-model.5') == page():
        return 0
    print('docs/man/slipstick-model.5: is not what make_model_page.py makes of docs/model-file.md')
    return 1


if __name__ == '__main__':
    sys.exit(main())
