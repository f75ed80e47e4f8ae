#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""The structure of src/engine: which phase calls which, and which files write a field of a run.

A run is made of parts (src/engine/sim.h, run/*.h), and its loop of phases. Files of a phase stand in a folder
of its name; they include headers and call functions of the phases before it, never back:

    run < field < flow < locate < select < sensitivity < record < sampled < proof < way < the loop and what starts
    it < batch

A field of a part should be written by one file, or two; the ceilings below say where we are, and may only be
lowered.

check_engine.py [--verbose]
"""
import collections
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENGINE = os.path.join(ROOT, 'src', 'engine')
PHASES = ['run', 'field', 'flow', 'locate', 'select', 'sensitivity', 'record', 'sampled', 'proof', 'way', 'loop', 'batch']
# What a caller asks of a derivative stops, restarts and reads the run that it is attached to; sim.h is for all,
# and the interface of ways for whoever is one.
FRONTS = {'sensitivity/derivative.c': 'loop', 'sensitivity/parameter_direction.c': 'loop', 'sim.h': 'run',
          'way/way.h': 'run'}
# Names of the parts are members of ss_sim; these are arrays of structs whose members count one by one.
ELEMENTS = {'modes.contacts': 'ss_contact_run', 'modes.holds': 'ss_hold', 'laws.elastic': 'ss_elastic',
            'laws.bristles': 'ss_bristle'}
WITHIN = {'laws': 'ss_law_series', 'clock': 'ss_step_clock'}  # parts of the step, which count as parts of their own
MOST_WRITERS = 15        # of any one field
MOST_SHARED_FIELDS = 29  # fields that more than two files write
MOST_CROWDED_FIELDS = 15  # fields that files of more than two phases write
WRITE = r'\s*(?:=(?!=)|[-+*/|&]=|\+\+|--)'
TAIL = r'(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\]|\.\w+|->\w+)*'


def plain(text):
    """C without comments and strings."""
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    text = re.sub(r'//[^\n]*', '', text)
    return re.sub(r'^(#include .*)|"(?:\\.|[^"\\])*"', lambda found: found.group(1) or '""', text, flags=re.M)


def read_sources():
    names = sorted(glob.glob(os.path.join(ENGINE, '**', '*.[ch]'), recursive=True))
    return {os.path.relpath(name, ENGINE): plain(open(name, encoding='utf-8').read()) for name in names}


def phase_of(name):
    return FRONTS.get(name, name.split('/')[0] if '/' in name else 'loop')


# --- who calls whom -------------------------------------------------------------------------------------------------
def find_calls(sources):
    """(caller, callee) -> names of the functions of one file that another one uses."""
    defined = {}
    for name, text in sources.items():
        for match in re.finditer(r'^(?!static\b|typedef\b)[a-z][\w *]*?\b(ss_\w+)\([^;{]*?\)\s*\{', text, re.M):
            if name.endswith('.c'):
                defined[match.group(1)] = name
    calls = collections.defaultdict(set)
    for name, text in sources.items():
        for word in set(re.findall(r'\bss_\w+\b', text)) if name.endswith('.c') else ():
            if defined.get(word, name) != name:
                calls[name, defined[word]].add(word)
    assert calls['loop.c', 'locate/locate.c'], 'the loop is not where it was'
    return calls


def find_upward(sources, calls):
    """Calls and includes that go against the order of the phases."""
    rank = PHASES.index
    wrong = ['%s (%s) includes %s' % (name, phase_of(name), other) for name, text in sources.items()
             for other in re.findall(r'^#include "engine/([^"]*)"', text, re.M)
             if rank(phase_of(name)) < rank(phase_of(other))]
    return wrong + ['%s (%s) calls %s of %s (%s)' % (one, phase_of(one), ', '.join(sorted(words)), other, phase_of(other))
            for (one, other), words in sorted(calls.items()) if rank(phase_of(one)) < rank(phase_of(other))]


def count_in_cycles(calls):
    """Files that call each other in a circle, by phase."""
    after = collections.defaultdict(set)
    for one, other in calls:
        after[one].add(other)

    def reach(start):
        seen, todo = set(), [start]
        while todo:
            for name in after[todo.pop()] - seen:
                seen.add(name)
                todo.append(name)
        return seen
    reached = {name: reach(name) for name in list(after)}
    found = collections.Counter(phase_of(name) for name in reached if name in reached[name])
    return ', '.join('%s %d' % pair for pair in sorted(found.items()))


# --- who writes what ------------------------------------------------------------------------------------------------
def members(sources, struct):
    for text in sources.values():
        match = re.search(r'(?:typedef )?struct %s \{(.*?)\n\}' % struct, text, re.S)
        if match:
            return [word for line in match.group(1).split(';')
                    for word in re.findall(r'(\w+)(?:\[[^\]]*\])*\s*(?:,|$)', line.strip())]
    raise AssertionError('struct %s is not there' % struct)


def find_parts(sources):
    """Part -> type, of ss_sim; then its fields."""
    body = re.search(r'\nstruct ss_sim \{(.*?)\n\}', sources['sim.h'], re.S).group(1)
    body = body[body.index('ss_step step'):]  # what is saved
    return {name: kind for kind, name in re.findall(r'(ss_\w+) (\w+);', body)} | WITHIN


def parameters(sources):
    """Function -> list of flags: whether each parameter may be written through."""
    out = {}
    for name, text in sources.items():
        for match in re.finditer(r'^[a-z][\w *]*?\b(\w+)\(([^;{()]*)\)\s*[;{]', text, re.M):
            out[match.group(1)] = ['const' not in p and ('*' in p or '[' in p) for p in match.group(2).split(',')]
    out.update({word: [True] for word in ('memcpy', 'memset', 'memmove', 'snprintf')})
    return out


def functions(text):
    for match in re.finditer(r'^(?!typedef|struct|enum|union)([a-z][^;{}]*?\b(\w+)\([^;{}]*\))\n\{\n(.*?)^\}', text, re.M | re.S):
        yield match.group(2), match.group(1), match.group(3)


def arguments(text, at):
    """The arguments of a call whose opening bracket is at `at`."""
    depth, begin, out = 0, at + 1, []
    for i in range(at, len(text)):
        if text[i] in '([{':
            depth += 1
        elif text[i] in ')]}':
            depth -= 1
        if depth == 0 or (depth == 1 and text[i] == ','):
            out.append(text[begin:i].strip())
            begin = i + 1
        if depth == 0:
            return out
    return out


def paths_written(head, body, parts, may_write):
    """Paths 'part.field' (and '.member' of elements) that a function writes."""
    within = '|'.join(WITHIN)
    body = re.sub(r'\bstep\.(%s)\b' % within, r'\1', body)
    for name in re.findall(r'\bss_step\s*\*\s*(\w+)', head + body):
        body = re.sub(r'\b%s->(%s)\b' % (name, within), r'sim->\1', body)
    runs = set(re.findall(r'(?<!const )\bss_sim\s*\*?\s*(\w+)', head + '\n' + body)) | {'sim'}
    run = r'(?:\w+->)?\b(?:%s)(?:->|\.)' % '|'.join(sorted(runs))
    part = '|'.join(parts)
    path = run + r'(%s)\.(\w+)' % part
    kinds = {kind: name for name, kind in parts.items()}  # a part that is handed over by itself
    alias = {name: kinds[kind] for const, kind, name in re.findall(r'(const )?\b(ss_\w+)\s*\*\s*(\w+)', head)
             if kind in kinds and not const}  # name -> path it stands for
    known = []

    def resolve(text):
        """The path that an expression points into, or None."""
        text = re.sub(r'^\(*[&*]*\(*', '', text.strip())
        match = re.match(path, text)
        if match:
            rest = re.match(r'(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\])?(?:\.|->)(\w+)', text[match.end():])
            return match.group(1) + '.' + match.group(2), rest.group(1) if rest else None
        match = re.match(run + r'(%s)\b(?!\.)' % part, text)
        if match:
            return match.group(1), None
        match = re.match(r'(\w+)\b(?!\()', text)
        if match and match.group(1) in alias:
            rest = re.match(r'(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\])?(?:\.|->)(\w+)', text[match.end():])
            base = alias[match.group(1)]
            if '.' not in base:
                if rest:
                    more = re.match(r'(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\])?(?:\.|->)(\w+)', text[match.end() + rest.end():])
                    return base + '.' + rest.group(1), more.group(1) if more else None
                return base, None
            return base, rest.group(1) if rest else None
        return None

    def note(target):
        if target and '.' in target[0]:
            known.append(target[0] + ('.' + target[1] if target[0] in ELEMENTS and target[1] else ''))

    for statement in re.split(r'[;{}]', body):
        match = re.match(r'\s*(?:for \()?((?:const |static |struct )*\w+)\s*(\*?.*)', statement, re.S)
        if match and re.match(r'\s*(?:for \()?(?:const |struct )*\w+\s*\*+\s*(?:const |restrict )?\w+\s*=', statement):
            is_const = 'const' in match.group(1)
            for name, value in re.findall(r'\*+\s*(?:const |restrict )?(\w+)\s*=\s*([^,]*(?:\([^()]*\)[^,]*)*)', match.group(2)):
                target = resolve(value)
                alias.pop(name, None)
                if target and not is_const:
                    alias[name] = target[0]
        for found in re.finditer(r'(?<![\w.>])((?:\w+->)*\w+%s)%s' % (TAIL, WRITE), statement):
            text = found.group(1)
            name = re.match(r'\w+$', text)
            if not name:  # a pointer that is set anew writes nothing
                note(resolve(text))
        for found in re.finditer(r'(?:\+\+|--)((?:\w+->)*\w+%s)' % TAIL, statement):
            if not re.match(r'\w+$', found.group(1)):
                note(resolve(found.group(1)))
        for found in re.finditer(r'\*(\w+)%s' % WRITE, statement):
            if found.group(1) in alias:
                note((alias[found.group(1)], None))
        for found in re.finditer(r'\b(\w+)\(', statement):
            for flag, value in zip(may_write.get(found.group(1), []), arguments(statement, found.end() - 1)):
                if flag and not re.match(r'\w+$', value.lstrip('&')) or (flag and value in alias):
                    note(resolve(value))
    return set(known)


def find_writers(sources):
    """Field -> files that write it while a motion goes on; creation, saving and loading aside."""
    parts = find_parts(sources)
    may_write = parameters(sources)
    writers = collections.defaultdict(set)
    fields = set()
    for part, kind in parts.items():
        for field in members(sources, kind):
            path = part + '.' + field
            if part == 'step' and field in WITHIN:
                continue
            fields.update([path] if path not in ELEMENTS else [path + '.' + m for m in members(sources, ELEMENTS[path])])
    for name, text in sources.items():
        if name in ('create.c', 'save.c') or name.startswith('batch/'):
            continue
        for function, head, body in functions(text):
            if re.search(r'allocate|_mark$|_loaded$', function):
                continue
            for path in paths_written(head, body, parts, may_write):
                writers[path].add(name)
    # Scratch belongs to whoever uses it, and what a way to flow or the expressions keep to themselves is no state.
    fields = {path for path in fields if not re.match(r'work\.|ways\.|open\.programs', path)}
    assert len(fields) > 150 and 'step.t' in writers, 'the parts of a run are not where they were'
    return fields, {path: names for path, names in writers.items() if path in fields}


def main():
    verbose = '--verbose' in sys.argv
    sources = read_sources()
    calls = find_calls(sources)
    upward = find_upward(sources, calls)
    wrong = list(upward)
    fields, writers = find_writers(sources)
    shared = {path: names for path, names in writers.items() if len(names) > 2}
    crowded = {path for path, names in shared.items() if len(set(map(phase_of, names))) > 2}
    if verbose:
        for path, names in sorted(writers.items(), key=lambda item: -len(item[1])):
            print('%2d %-26s %s' % (len(names), path, ' '.join(sorted(names))))
    for path, names in sorted(shared.items()):
        if len(names) > MOST_WRITERS:
            wrong.append('%s is written by %d files: %s' % (path, len(names), ', '.join(sorted(names))))
    if len(shared) > MOST_SHARED_FIELDS:
        wrong.append('%d fields are written by more than two files, at most %d may be: %s' %
                     (len(shared), MOST_SHARED_FIELDS, ', '.join(sorted(shared))))
    if len(crowded) > MOST_CROWDED_FIELDS:
        wrong.append('%d fields are written in more than two phases, at most %d may be: %s' %
                     (len(crowded), MOST_CROWDED_FIELDS, ', '.join(sorted(crowded))))
    print('\n'.join(wrong + ['calls and includes against the order of the phases: %d; files in cycles: %s' %
                             (len(upward), count_in_cycles(calls)),
                             'fields of a run: %d; written by more than two files: %d, of more than two phases: %d; '
                             'most files: %d' % (len(fields), len(shared), len(crowded),
                                                 max(map(len, writers.values())))]))
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
