#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Draws pictures and looks at them: their structure, and how they compare to renderings kept beside this script.

run.py PROGRAM [--update]

Structure, as SVG on sheets of several shapes: well-formed XML without a number that is none, every label that is
expected, all words on the sheet, numbers at an axis side by side, axes that show the data where it belongs, the
same bytes twice, less than 2 MB. Renderings: small PNG files, compared block by block, so that another font
passes and a missing line does not; that the comparison can fail is tried, too.
"""
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib

import png

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SVG = '{http://www.w3.org/2000/svg}'
SHEETS = {'as it likes': [], 'small': ['--size', '80x60mm'], 'wide': ['--size', '1500x260px'],
          'tall': ['--size', '300x900px', '--theme', 'dark']}
MINUS = '\u2212'

# name: command, model, options, words that must be there
CASES = {
    'time': ('simulate', 'two-blocks', [], ['t (s)', 'x (m)', 'v (m/s)', 'force (N)', 'block1', 'floor2 sticks', 'grey: all contacts stick', 'strokes: events']),
    'impacts-in-time': ('simulate', 'carried-disk', [], ['t (s)', 'disk', 'frame closed']),
    'phase': ('simulate', 'block-on-floor', ['--view', 'phase', '--also', 'block.x=-2'],
              ['block.x (m)', 'block.v (m/s)', 'E, the equilibrium set', 'at rest', 'from x = %s2, v = 0' % MINUS]),
    'loop': ('simulate', 'hysteresis', ['--view', 'loop'],
             ['displacement (m)', 'velocity (m/s)', 'loop 1.6 m wide: 5.8 J', 'loop 1.3 m wide: 3.74 J', 'loop 0.6 m wide: 0.72 J']),
    'impact': ('simulate', 'carried-disk', ['--view', 'impact'], ['force (N)']),
    'traces': ('simulate', 'hunting-servo', ['--show', 'stage.x,guide.force', '--to', '3 s'], ['t (s)', 'stage.x (m)', 'guide.force (N)', 'grey: guide sticks']),
    'stuck': ('simulate', 'hunting-servo', ['--view', 'phase'], ['stage.x (m)', 'small dot: it sticks']),
    'carried': ('simulate', 'stick-slip-belt', ['--view', 'phase'], ['block.x (m)', 'thick: it sticks']),
    'two-loops': ('simulate', 'two-blocks', ['--view', 'loop:floor1,floor2'], ['displacement (m)', 'velocity (m/s)']),
    'law': ('simulate', 'lugre-stop', ['--view', 'law'], ['speed (m/s)', 'resisting force (N)']),
    'law-of-elements': ('simulate', 'hysteresis', ['--view', 'law'], ['speed (m/s)', 'displacement (m)']),
    'changes': ('simulate', 'two-blocks', ['--also', 'start.block1.x=3,contacts.floor2.friction=0.9', '--to', '9 s',
                                           '--show', 'block1.x,block2.x,floor2.force'],
                ['x (m)', 'floor2.force (N)', 'block2.x (block1.x=3, floor2.friction=0.9)']),
    'rests': ('simulate', 'two-blocks', ['--also', 'contacts.floor2.friction=0.9', '--show', 'block1.x,block2.x'],
              ['x (m)', 'block1.x (as it is)', 'block1.x (floor2.friction=0.9)']),
    'scan': ('scan', 'stick-slip-belt', ['--over', 'block.v=0:0.1:11', '--section', 'face:stick', '--skip', '1', '--keep',
                                         '3', '--show', 'block.x,face.force'], ['block.v (m/s)', 'block.x (m)']),
    'heat-of-one-value': ('scan', 'relief-valve', ['--over', 'poppet.x=0:1e-3:4', '--over', 'poppet.v=-1:1:4', '--section', '10 ms',
                                                   '--skip', '1', '--measure', 'dissipation'], ['dissipation (J)', '0.009033 everywhere']),
    'section': ('scan', 'stick-slip-belt', ['--over', 'block.v=0:0:1', '--section', '0.3 s', '--skip', '5', '--keep',
                                            '40', '--show', 'block.x,block.v'],
                ['Stick-slip on a belt: block.v = 0', 'block.x (m)', 'block.v (m/s)']),
    'fit': ('fit', '../tests/data/rig', [os.path.join(ROOT, 'docs', 'recordings', 'rig.csv'), '--column', 'face.force=force_N N',
                                         '--free', 'contacts.face.coulomb,sensor.face.force.offset'],
            ['face.force (N)', 'residual (N)', 'recorded', 'left out, at an event', 'fitted', 't (s)']),
    'certificate': ('certify', 'two-blocks', [], ['block1.x (m)', 'block2.v (m/s)', 'E, the equilibrium set']),
    'map': ('basin', 'two-blocks', ['--over', 'block1.x=-10:10:41', '--over', 'block2.x=-10:10:41'],
            ['block1.x (m)', 'block2.x (m)', 'comes to rest', 'escapes', 'E, the equilibrium set']),
    'chart': ('basin', 'block-on-floor',
              ['--over', 'connections[0].damping=-1:0.5:21', '--over', 'contacts.floor.friction=0:3:21'],
              ['connections[0].damping (N*s/m)', 'contacts.floor.friction (N)', 'certified from everywhere',
               'certified from the start']),
    'random': ('basin', 'two-blocks', ['--random', '2000', '--seed', '1', '--over', 'block1.x=-9:9',
                                       '--over', 'block2.x=-9:9'], ['comes to rest', 'escapes']),
    'attractors': ('basin', 'rusty-pendulum', ['--over', 'rod.x=-12:12:31', '--over', 'rod.v=-12:12:21'],
                   ['rest near rod.x = %s3.14 rad' % MINUS, '7 smaller ones', 'rod.x (rad)', 'rod.v (rad/s)']),
    'line': ('basin', 'two-blocks', ['--over', 'block1.x=-10:10:101'], ['block1.x (m)', 'comes to rest']),
    'path': ('simulate', 'bar', [], ['x (m)', 'y (m)', 'centre of mass']),
    'slide-in-time': ('simulate', 'bar', ['--view', 'time'], ['t (s)', 'spin', 'angle']),
    'surface': ('simulate', 'braked-car', ['--view', 'surface'],
                ['Fx/mg', 'M/mg\u03c1', 'path of the load P', 'start', 'end', 'stable eigen-direction']),
    'sphere': ('simulate', 'bar', ['--view', 'sphere', '--also', 'start.slider.vx=-1'],
               ['qx', 'q\u03c9', 'from v (0.6, 0.3), spin 0.4', 'from v (%s1, 0.3), spin 0.4' % MINUS, 'start', 'end']),
    'limit-surface': ('surface', 'disk', [], ['Fy/mg', 'stable eigen-direction']),
    'flow': ('surface', 'ring', ['--view', 'sphere'], ['qy', 'unstable eigen-direction']),
}
STORED = ['time', 'phase', 'loop', 'map', 'chart', 'path', 'surface', 'sphere']


def draw(program, case, path, extra=()):
    command, model, options, _ = CASES[case]
    words = [program, command, os.path.join(ROOT, 'models', model + '.yaml'), *options, '--plot', path, *extra]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors='replace', check=False)
    if done.returncode:
        raise AssertionError('%s: exit status %d\n%s' % (' '.join(words), done.returncode, done.stdout))


# --- structure --------------------------------------------------------------------------------------------------
class Sheet:
    """An SVG file: its words with their places, its lines with the box each is cut to."""

    def __init__(self, path):
        root = xml.etree.ElementTree.parse(path).getroot()
        self.width, self.height = (float(n) for n in root.get('viewBox').split()[2:])
        self.boxes = {clip.get('id'): [float(clip[0].get(k)) for k in ('x', 'y', 'width', 'height')]
                      for clip in root.iter(SVG + 'clipPath')}
        self.words = [word for word in root.iter(SVG + 'text')]
        self.lines = []
        for group in root.iter(SVG + 'g'):
            box = self.boxes[re.fullmatch(r'url\(#(.*)\)', group.get('clip-path')).group(1)]
            self.lines += [(line, box) for line in group.iter(SVG + 'path')]
        self.texts = [word.text for word in self.words]

    def span(self, word):
        """From where to where a word reaches along its direction, by a cautious guess of its width."""
        width = 0.44 * float(word.get('font-size')) * len(word.text)
        upward = word.get('transform') is not None
        at = float(word.get('y' if upward else 'x'))
        before = {'start': 0, 'middle': 0.5, 'end': 1}[word.get('text-anchor')] * width
        return (at - before, at - before + width, self.height if upward else self.width)

    def numbers(self):
        """Numbers at axes, as (x, y, size, value)."""
        for word in self.words:
            if re.fullmatch('%s?[0-9.]+' % MINUS, word.text) and float(word.get('font-size')) < 9.5:
                yield (float(word.get('x')), float(word.get('y')), float(word.get('font-size')),
                       float(word.text.replace(MINUS, '-')), word.get('text-anchor'), len(word.text))


def points_of(line):
    return [(float(x), float(y)) for x, y in re.findall(r'(-?[0-9.]+) (-?[0-9.]+)', line.get('d'))]


def check_words(sheet, expected, complete):
    for text in expected:
        if complete and text not in sheet.texts:
            raise AssertionError('%r is missing among %s' % (text, sheet.texts))
    for word in sheet.words:
        low, high, room = sheet.span(word)
        if low < -1 or high > room + 1:
            raise AssertionError('%r reaches from %.0f to %.0f of %.0f points' % (word.text, low, high, room))


def check_numbers(sheet):
    """Numbers of one axis have room: below each other, or side by side."""
    numbers = list(sheet.numbers())
    for a in numbers:
        for b in numbers:
            if a is b or a[4] != b[4]:
                continue
            if a[4] == 'middle' and a[1] == b[1] and a[0] <= b[0] and \
                    b[0] - a[0] < 0.29 * a[2] * (a[5] + b[5]):
                raise AssertionError('%g and %g overlap at the x axis' % (a[3], b[3]))
            if a[4] == 'end' and a[0] == b[0] and a[1] <= b[1] and b[1] - a[1] < 0.9 * a[2]:
                raise AssertionError('%g and %g overlap at the y axis' % (a[3], b[3]))


def check_structure(program, folder, case, sheet_name):
    path = os.path.join(folder, 'a.svg')
    draw(program, case, path, SHEETS[sheet_name])
    with open(path, 'rb') as file:
        once = file.read()
    if len(once) > 2e6:
        raise AssertionError('%d bytes' % len(once))
    if re.search(rb'[ "ML,](nan|inf|-nan|-inf)', once):
        raise AssertionError('a number that is none')
    sheet = Sheet(path)
    check_words(sheet, CASES[case][3], sheet_name == 'as it likes')
    check_numbers(sheet)
    if sheet_name == 'as it likes':
        draw(program, case, path)
        with open(path, 'rb') as file:
            if file.read() != once:
                raise AssertionError('other bytes the second time')


def scale_of(sheet, box):
    """The vertical axis of the plot with this box: (value at its foot, points per unit), from its numbers."""
    ticks = [n for n in sheet.numbers() if n[4] == 'end' and box[1] - 6 <= n[1] <= box[1] + box[3] + 6]
    low, high = min(ticks, key=lambda n: n[3]), max(ticks, key=lambda n: n[3])
    per_unit = (low[1] - high[1]) / (high[3] - low[3])
    foot = box[1] + box[3] + 0.36 * low[2]
    return low[3] - (foot - low[1]) / per_unit, per_unit


def check_data(program, folder):
    """The position of block1 as `simulate --json` tells it, and as read off the picture with a ruler."""
    path = os.path.join(folder, 'a.svg')
    draw(program, 'time', path)
    answer = subprocess.run([program, 'simulate', os.path.join(ROOT, 'models', 'two-blocks.yaml'), '--json', '--every',
                             '0.02', '--until', '20'], stdout=subprocess.PIPE, check=True)
    told = [sample['state']['block1']['x'] for sample in json.loads(answer.stdout)['samples']]
    sheet = Sheet(path)
    long_lines = [(points_of(line), box) for line, box in sheet.lines if len(points_of(line)) > 50]
    points, box = long_lines[0]
    foot, per_unit = scale_of(sheet, box)
    read = [foot + (box[1] + box[3] - y) / per_unit for _, y in points]
    for name, theirs, ours in (('least', min(told), min(read)), ('largest', max(told), max(read))):
        if abs(theirs - ours) > 0.02:
            raise AssertionError('%s position: told %g m, drawn %g m' % (name, theirs, ours))
    for points, box in long_lines:
        for x, y in points:
            if not (box[0] - 0.1 <= x <= box[0] + box[2] + 0.1 and box[1] - 0.1 <= y <= box[1] + box[3] + 0.1):
                raise AssertionError('data outside of its axes: %g, %g' % (x, y))


def check_rest(program, folder):
    """What came to rest before the other motion ends is drawn up to the end of the picture, also in a window that
    begins later."""
    path = os.path.join(folder, 'a.svg')
    for window in ([], ['--from', '26 s']):
        draw(program, 'rests', path, window)
        sheet = Sheet(path)
        reach = [max(x for x, _ in points_of(line)) - box[0] - box[2] for line, box in sheet.lines
                 if 'fill="none"' in xml.etree.ElementTree.tostring(line, 'unicode') and len(points_of(line)) > 1]
        if len(reach) < 4 or min(reach) < -0.1:
            raise AssertionError('lines end %s points from the right with %s' % (reach, window))
        if window and any(n[3] < 26 for n in sheet.numbers() if n[4] == 'middle'):
            raise AssertionError('the window does not begin at 26 s: %s' % sheet.texts)


# --- renderings -------------------------------------------------------------------------------------------------
SIZE, BLOCK, MOST = (320, 240), 4, 0.006


def difference(a, b, boxes):
    """The share of blocks of 4 x 4 pixels within the plots that differ by more than a sixth of full contrast in
    some colour: letters stand elsewhere, so that another font changes next to nothing."""
    first, second = png.read(a), png.read(b)
    if first[:2] != second[:2]:
        return 1.0
    columns = first[0] // BLOCK
    changed = seen = 0
    for k, (p, q) in enumerate(zip(png.blocks(first, BLOCK), png.blocks(second, BLOCK))):
        x, y = BLOCK * (k % columns + 0.5), BLOCK * (k // columns + 0.5)
        if any(left < x < left + width and top < y < top + height for left, top, width, height in boxes):
            seen += 1
            changed += max(abs(m - n) for m, n in zip(p, q)) > 40
    return changed / seen


def render(program, case, path, extra=()):
    draw(program, case, path, ['--size', '%dx%dpx' % SIZE, *extra])


def compare(program, folder, case, extra=()):
    picture, outline = os.path.join(folder, 'a.png'), os.path.join(folder, 'a.svg')
    render(program, case, picture, extra)
    render(program, case, outline, extra)
    boxes = [[n / 0.75 for n in box] for box in Sheet(outline).boxes.values()]
    return difference(picture, os.path.join(HERE, case + '.png'), boxes)


def check_rendering(program, folder, case):
    found = compare(program, folder, case)
    if found > MOST:
        raise AssertionError('%.2f %% of the plots differ from %s.png' % (100 * found, case))


def check_can_fail(program, folder, case, mutation):
    """A picture with something missing, moved or added must not pass."""
    found = compare(program, folder, case, mutation)
    if found <= 2 * MOST:
        raise AssertionError('only %.2f %% differ with %s' % (100 * found, ' '.join(mutation)))


MUTATIONS = [('time', ['--set', 'start.block2.x=0']), ('time', ['--until', '12']),
             ('phase', ['--set', 'start.block.x=1']), ('phase', ['--also', 'block.x=2.4']),
             ('map', ['--set', 'contacts.floor1.mu=0.2']), ('path', ['--also', 'start.slider.vy=-0.5']),
             ('surface', ['--set', 'start.slider.vx=0', '--set', 'start.slider.vy=0']), ('sphere', ['--set', 'start.slider.vx=0'])]


def check_font(program, folder):
    """The font asked for is the first of the sheet, and a PDF has it, as letters that can be searched and copied."""
    path = os.path.join(folder, 'font.svg')
    draw(program, 'map', path, ['--font', 'DejaVu Serif'])
    family = xml.etree.ElementTree.parse(path).getroot().get('font-family')
    if not family.startswith("'DejaVu Serif', "):
        raise AssertionError('the fonts of the sheet are %s' % family)
    path = os.path.join(folder, 'font.pdf')
    draw(program, 'map', path, ['--font', 'DejaVu Serif'])
    with open(path, 'rb') as stream:
        text = stream.read()
    for word in (b'/ToUnicode', b'/Title (Two blocks on rough floors)', b'/Creator (Slipstick '):
        if word not in text:
            raise AssertionError('the PDF has no %r' % word)


def check_made(program, folder):
    """Question, version and the hash of the model's file, as others compute it, in every format; nothing of how it looks."""
    model = os.path.join(ROOT, 'models', 'two-blocks.yaml')
    with open(model, 'rb') as stream:
        digest = hashlib.sha256(stream.read()).hexdigest()
    version = subprocess.run([program, '--version'], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[1]
    made = 'certify two-blocks.yaml (sha256 of two-blocks.yaml %s)' % digest
    found = {}
    for ending in ('svg', 'png', 'pdf'):
        path = os.path.join(folder, 'made.' + ending)
        draw(program, 'certificate', path, ['--theme', 'dark'])
        with open(path, 'rb') as stream:
            found[ending] = stream.read()
    root = xml.etree.ElementTree.fromstring(found['svg'])
    if root.find(SVG + 'metadata').text != 'Slipstick %s: %s' % (version, made):
        raise AssertionError(root.find(SVG + 'metadata').text)
    at = found['png'].index(b'iTXt')
    length, = struct.unpack('>I', found['png'][at - 4:at])
    chunk, (checksum,) = found['png'][at:at + 4 + length], struct.unpack('>I', found['png'][at + 4 + length:at + 8 + length])
    wanted = b'iTXtDescription\0\0\0\0\0' + ('Slipstick %s: %s' % (version, made)).encode()
    if chunk != wanted or zlib.crc32(chunk) != checksum:
        raise AssertionError('the PNG says %r' % chunk)
    if b'/Subject <FEFF%s>' % made.encode('utf-16-be').hex().upper().encode() not in found["pdf"]:
        raise AssertionError('the PDF does not say %s' % made)


def main():
    program = os.path.abspath(sys.argv[1])
    if '--update' in sys.argv[2:]:
        for case in STORED:
            render(program, case, os.path.join(HERE, case + '.png'))
        return 0
    checks = [('%s, %s' % (case, sheet), check_structure, (case, sheet)) for case in CASES for sheet in SHEETS]
    checks += [('data at its place', check_data, ()), ('rest lasts', check_rest, ())]
    checks += [('%s as it was' % case, check_rendering, (case,)) for case in STORED]
    checks += [('%s differs: %s' % (case, ' '.join(how)), check_can_fail, (case, how)) for case, how in MUTATIONS]
    checks += [('a font of its own', check_font, ()), ('what it came from', check_made, ())]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, check, arguments in checks:
            try:
                check(program, folder, *arguments)
                passed += 1
            except (AssertionError, ValueError, xml.etree.ElementTree.ParseError) as error:
                failed += 1
                print('FAIL  %s\n      %s' % (name, str(error).replace('\n', '\n      ')))
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
