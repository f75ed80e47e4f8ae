#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""FMUs that the program writes, run by an importer that shares nothing with it (importer.py, solver.py).

run.py BUILD-FOLDER [--brief] [PART-OF-NAME]..    each case is told where it fails; the last line counts
"""
import os
import sys
import tempfile
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rig  # noqa: E402
from manners import (all_types, bare_binary, checked, code, compiled, crowd, description, elsewhere,  # noqa: E402
                     event_modes, kept_between_steps, odd_names, refused, same_bytes, strange_steps,
                     no_time, told_as_json)
from strangers import (FIXED, as_written, damaged, fixed_steps, foreign, hostile, page_commands, ranges, seldom_called, sizes,  # noqa: E402
                       stop_time, where_commas_are_written)
from motions import (EXCHANGED, STEPPED, curved_derivatives, dependencies, derivatives, exchanged, go_on,  # noqa: E402
                     grown, kinked, pushed, saved, slid, started_late, stepped, stopped_at_events)


def cases(brief):
    yield bare_binary, () if not brief else None
    yield same_bytes, ()
    yield code, (2,)
    yield compiled, () if not brief else None
    yield stopped_at_events, ()
    yield event_modes, ()
    yield all_types, ()
    yield damaged, ()
    yield foreign, ()
    yield hostile, ()
    yield page_commands, ()
    for name in FIXED:
        yield fixed_steps, (name,)
    for version in (2, 3):
        for case in (pushed, grown, kinked, slid, started_late, refused, derivatives, curved_derivatives, odd_names,
                     elsewhere, crowd, strange_steps, kept_between_steps, stop_time, seldom_called, sizes,
                     no_time, told_as_json, where_commas_are_written, as_written, ranges):
            yield case, (version,)
        for name in sorted(os.listdir(os.path.join(rig.ROOT, 'models'))):
            yield description, (name[:-5], version)
        for name in STEPPED:
            for step in (None,) if brief else (None, 1e-3, 1e-2):
                yield stepped, (name, version, step)
        for name in ('two-blocks', 'lugre-stop', 'sampled-servo', 'tripod', 'maxwell-stop'):
            yield saved, (name, version)
        for name in ('two-blocks', 'lugre-stop', 'hunting-servo', 'carried-disk'):
            yield dependencies, (name, version)
            yield checked, (name, version)
    for place, name in enumerate(EXCHANGED):
        if not brief or place < 3:
            yield exchanged, (name, 2 + place % 2)


def main():
    if sys.argv[1] == '--continue':
        return go_on(*sys.argv[2:])
    rig.PROGRAM = os.path.join(os.path.abspath(sys.argv[1]), 'slipstick')
    brief, wanted = '--brief' in sys.argv, [a for a in sys.argv[2:] if not a.startswith('--')]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as rig.FOLDER:
        for case, arguments in cases(brief):
            name = ' '.join([case.__name__] + [str(a) for a in arguments or ()])
            if arguments is None or (wanted and not any(w in name for w in wanted)):
                continue
            try:
                case(*arguments)
                passed += 1
            except Exception:
                failed += 1
                print('FAIL %s\n%s' % (name, traceback.format_exc(limit=-2)), flush=True)
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
