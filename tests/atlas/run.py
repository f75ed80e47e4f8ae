#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Makes the atlas and looks at it: atlas/run.py PROGRAM [--brief]. Ends in 'N passed, N failed'.

Brief, for programs that sanitizers make slow, is without what a second atlas would show.
"""
import glob
import html.parser
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import patience  # noqa: E402: it lies in the folder above

XHTML = '{http://www.w3.org/1999/xhtml}'
SVG = '{http://www.w3.org/2000/svg}'


def run(program, *words, folder='.', **more):
    return patience.run([program, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                        universal_newlines=True, **more)


def read(*path):
    with open(os.path.join(*path), 'rb') as file:
        return file.read()


def listing(folder):
    """Every file of a folder with its bytes."""
    files = (os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
    return {os.path.relpath(path, folder): read(path) for path in files}


class Atlas:
    """The atlas, made once for all cases."""

    def __init__(self, program, work):
        self.program, self.work = program, work
        self.folder = os.path.join(work, 'atlas')
        self.made = run(program, 'atlas', '-o', self.folder)
        self.page = read(self.folder, 'index.html').decode()
        self.tree = ElementTree.fromstring(self.page)

    def all(self, name, **wanted):
        found = self.tree.iter(XHTML + name)
        return [e for e in found if all(e.get(key) == value for key, value in wanted.items())]


# --- cases ----------------------------------------------------------------------------------------------------------
def all_checks_pass(atlas):
    assert atlas.made.returncode == 0, atlas.made
    match = re.fullmatch(r'.*/index\.html: (\d+) figures, (\d+) of (\d+) checks passed\n', atlas.made.stdout)
    assert match and match.group(2) == match.group(3), atlas.made.stdout
    assert atlas.made.stderr == '', atlas.made.stderr
    assert '%s of %s' % match.group(2, 3) in atlas.page
    assert 'FAILED' not in atlas.page
    assert int(match.group(1)) == len(atlas.all('figure')) == len(os.listdir(os.path.join(atlas.folder, 'figures')))
    rows = [row for table in atlas.all('tbody') for row in table if row.get('class') != 'why']
    assert len([row for row in rows if len(row) == 5]) == int(match.group(3))


def no_number_is_nan(atlas):
    cells = [''.join(cell.itertext()) for cell in atlas.all('td')]
    assert not [cell for cell in cells if re.search(r'\b(nan|inf|no answer)\b', cell)], cells


def reads_as_html(atlas):
    """Tags nest as HTML wants them, too; nothing is left open."""
    class Reader(html.parser.HTMLParser):
        open = []

        def handle_starttag(self, tag, attributes):
            self.open.append(tag)

        def handle_endtag(self, tag):
            assert self.open.pop() == tag, tag
    reader = Reader()
    reader.feed(atlas.page)
    assert not reader.open
    assert atlas.page.startswith('<!DOCTYPE html>') and atlas.tree.get('lang') == 'en'


def asks_for_nothing(atlas):
    """No script, no style sheet, no picture or font from elsewhere: links are for people to follow."""
    for element in atlas.tree.iter():
        name = element.tag.split('}')[1]
        assert name not in ('script', 'link', 'iframe', 'object', 'base'), name
        for key, value in element.attrib.items():
            plain = key.split('}')[-1]
            if plain in ('src', 'srcset', 'poster', 'data') or (plain == 'href' and name != 'a'):
                assert value.startswith('data:'), value[:80]
            assert not plain.startswith('on'), plain
    styles = ''.join(style.text for style in atlas.all('style'))
    assert '@import' not in styles and 'url(' not in styles


def links_lead_somewhere(atlas):
    ids = [e.get('id') for e in atlas.tree.iter() if e.get('id')]
    assert len(ids) == len(set(ids)), 'an id stands twice'
    for link in atlas.all('a'):
        target = link.get('href')
        if target.startswith('#'):
            assert target[1:] in ids, target
        else:
            assert os.path.exists(os.path.join(atlas.folder, target)), target
    used = re.findall(r'url\(#([^)]+)\)', atlas.page)
    assert set(used) <= set(ids)


def pictures_are_whole(atlas):
    for path in glob.glob(os.path.join(atlas.folder, 'figures', '*')):
        data = read(path)
        assert len(data) < 250000, '%s: %d bytes' % (path, len(data))
        if path.endswith('.svg'):
            root = ElementTree.fromstring(data)
            assert root.tag == SVG + 'svg' and not re.search(rb'\b(nan|inf)\b', data), path
            assert len(list(root.iter(SVG + 'path'))) > 3 and list(root.iter(SVG + 'text')), path
        else:
            assert data.startswith(b'\x89PNG'), path
    for figure in atlas.all('figure'):
        picture = figure[0][0]
        assert picture.get('aria-label') or picture.get('alt')
        assert ''.join(figure.find(XHTML + 'figcaption').itertext()).strip()
    assert len(read(atlas.folder, 'index.html')) < 5e6


def same_bytes_anywhere(atlas):
    """A second run, from another folder and over an older atlas that was killed, writes the same."""
    other = os.path.join(atlas.work, 'elsewhere')
    os.makedirs(os.path.join(other, 'again', 'figures'))
    for name in ('index.html', 'figures/vl04-5.svg.part', '.answer.json'):
        with open(os.path.join(other, 'again', name), 'w') as file:
            file.write('old')
    done = run(atlas.program, 'atlas', '-o', 'again', folder=other)
    assert done.returncode == 0 and done.stdout.startswith('again/index.html:'), done
    assert listing(os.path.join(other, 'again')) == listing(atlas.folder)


def commands_draw_what_is_shown(atlas):
    """Each printed command, typed in the folder of the page, draws the picture again, byte by byte."""
    commands = [''.join(pre.itertext()) for pre in atlas.all('pre', **{'class': 'command'})]
    assert len(commands) == len(atlas.all('figure'))
    for command in commands[::4]:
        words = shlex.split(command)
        assert words[0] == 'slipstick'
        figure = os.path.join(atlas.folder, words[-1])
        shown = read(figure)
        os.remove(figure)
        done = run(atlas.program, *words[1:], folder=atlas.folder)
        assert done.returncode == 0, (command, done)
        assert read(figure) == shown, command


def questions_can_be_asked(atlas):
    asked = [''.join(term.itertext()) for term in atlas.all('dt')]
    assert len(asked) > 20
    for command in asked[::10]:
        done = run(atlas.program, *shlex.split(command)[1:], folder=atlas.folder)
        assert done.returncode == 0 and done.stdout.startswith('{'), (command, done)


def models_stand_on_the_page(atlas):
    texts = [''.join(pre.itertext()) for pre in atlas.all('pre')]
    for link in atlas.all('a'):
        if link.get('href').startswith('models/'):
            assert read(atlas.folder, link.get('href')).decode() in texts, link.get('href')


def full_disk_leaves_no_page(atlas):
    """Files cannot grow beyond 30 kB: figures fail, and an older page stays what it was."""
    folder = os.path.join(atlas.work, 'full')
    os.makedirs(folder)
    with open(os.path.join(folder, 'index.html'), 'w') as file:
        file.write('old')
    limit = 30000
    done = run(atlas.program, 'atlas', '-o', folder,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert done.returncode == 3 and done.stdout == '' and done.stderr, done
    assert read(folder, 'index.html') == b'old'
    assert not glob.glob(os.path.join(folder, 'index.html.*'))


def unwritable_folder_is_an_error(atlas):
    if os.geteuid() == 0:
        return  # root may write anywhere
    folder = os.path.join(atlas.work, 'locked')
    os.makedirs(folder, mode=0o555)
    done = run(atlas.program, 'atlas', '-o', folder)
    assert done.returncode == 2 and done.stderr.startswith('-o ' + folder), done
    assert not os.listdir(folder)


CASES = [all_checks_pass, no_number_is_nan, reads_as_html, asks_for_nothing, links_lead_somewhere, pictures_are_whole,
         models_stand_on_the_page, full_disk_leaves_no_page, unwritable_folder_is_an_error]
LONG_CASES = [same_bytes_anywhere, commands_draw_what_is_shown, questions_can_be_asked]


def main():
    failed = 0
    cases = CASES if '--brief' in sys.argv else CASES + LONG_CASES
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, 'leaks'), 'w') as file:
            file.write('leak:libfontconfig\n')  # fonts that were found stay loaded; that is no leak of ours
        os.environ['LSAN_OPTIONS'] = 'suppressions=%s:print_suppressions=0' % file.name
        atlas = Atlas(os.path.abspath(sys.argv[1]), work)
        for case in cases:
            try:
                case(atlas)
            except Exception as error:
                failed += 1
                print('%s: %s: %s' % (case.__name__, type(error).__name__, str(error)[:2000]))
    print('%d passed, %d failed' % (len(cases) - failed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
