#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Runs every test of the project on what has been built, and counts.

A group is a list of tasks; a task is one program to run, and knows how to count the cases in its output. The
last line is 'N passed, N failed'; the exit status is non-zero exactly if something failed.
"""
import argparse
import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import time

TESTS = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, TESTS)  # also where somebody else imports this file
import check_tidy  # noqa: E402
import patience  # noqa: E402

ROOT = os.path.dirname(TESTS)
FUZZ_SEED = '1'

Task = collections.namedtuple('Task', 'name command count environment')
Result = collections.namedtuple('Result', 'passed failed details')


# --- counting ---------------------------------------------------------------------------------------------------
def count_whole(status, output):
    """The program is one case."""
    return Result(1, 0, []) if status == 0 else Result(0, 1, output.split('\n') + ['exit status %s' % status])


def count_cmocka(status, output):
    """cmocka writes TAP: a plan '1..N', then 'ok', 'not ok' or 'not ok # SKIP' for each case."""
    planned = sum(int(n) for n in re.findall(r'^1\.\.(\d+)$', output, re.M))
    skipped = len(re.findall(r'^not ok \d+ # SKIP', output, re.M))
    passed = len(re.findall(r'^ok \d+ - ', output, re.M))
    failed = len(re.findall(r'^not ok \d+ - ', output, re.M))
    said = [line for line in output.split('\n') if line and not re.match(r'ok \d+ - |1\.\.\d+$', line)]
    details = said[-60:] if failed else []
    lost = planned - skipped - passed - failed
    if lost or not planned or (status != 0 and not failed):  # died on the way
        failed += max(lost, 1)
        details = said[-60:] + ['%d of %d cases reported, exit status %s' % (planned - lost, planned, status)]
    return Result(passed, failed, details)


def count_summary(status, output):
    """The program counts itself and says 'N passed, N failed' last."""
    match = re.search(r'^(\d+) passed, (\d+) failed\n\Z', output, re.M)
    if not match:
        return count_whole(status or 'without a summary', output)
    passed, failed = int(match.group(1)), int(match.group(2))
    details = output.split('\n')[:-2] if failed else []
    if not passed + failed or bool(failed) != bool(status):
        return Result(passed, failed + 1, details + ['exit status %s after %s' % (status, match.group(0))])
    return Result(passed, failed, details)


# --- what there is to run -----------------------------------------------------------------------------------------
def sources(pattern):
    """Names of the C files that must have become programs: a missing one is a failure, not a silence."""
    return sorted(os.path.splitext(os.path.basename(p))[0] for p in glob.glob(os.path.join(ROOT, pattern)))


def unit_tasks(label, build):
    """Every cmocka program, the slowest kind (those that ask a peer) first."""
    names = sorted(sources('tests/test_*.c'), key=lambda name: not name.startswith('test_peer_'))
    return [Task('%s %s' % (label, name), [os.path.join(build, 'tests', name)], count_cmocka,
                 {'CMOCKA_MESSAGE_OUTPUT': 'TAP'}) for name in names]


def fast_tasks(build):
    """A minute's worth while one works: the programs that CTest labels fast, transcripts, every third truth, the examples,
    and the checks that read the tree."""
    listed = subprocess.run(['ctest', '--test-dir', build, '-N', '-L', '^fast$'], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    fast = {'release ' + name for name in re.findall(r'Test +#\d+: (\w+)', listed)}
    checks = {'check layers', 'check laws', 'check format', 'check pages', 'check paths', 'check engine'}
    truth = [task._replace(command=task.command + ['--every', '3']) for task in truth_tasks('release', build)]
    return cli_tasks('release', build) + truth + [task for task in check_tasks(build) if task.name in checks] \
        + [task for task in unit_tasks('release', build) if task.name in fast] + example_tasks('release', build)


def cli_tasks(label, build):
    command = [os.path.join(TESTS, 'cli', 'run.py'), '--quiet', '--program', os.path.join(build, 'slipstick')]
    return [Task('%s transcripts' % label, command, count_summary, {})]


def atlas_tasks(label, build):
    brief = ['--brief'] if label == 'asan' else []
    command = [os.path.join(TESTS, 'atlas', 'run.py'), os.path.join(build, 'slipstick'), *brief]
    return [Task('%s atlas' % label, command, count_summary, {})]


def truth_tasks(label, build):
    some = ['--every', '4'] if label == 'asan' else []
    command = [os.path.join(TESTS, 'truth', 'run.py'), os.path.join(build, 'slipstick'), *some]
    return [Task('%s truth' % label, command, count_summary, {})]


def equal_tasks(build):
    """Algebraically equal expressions, through the Python package."""
    return [Task('release equal expressions', [os.path.join(TESTS, 'equal', 'run.py'), build], count_summary, {})]


def text_tasks(label, build):
    """Answers to random models, in which every number is one, and where levels follow forces that of brute force, and
    under normal forces that vary that of SciPy."""
    program = os.path.join(build, 'slipstick')
    return [Task('%s normal forces that vary' % label, [os.path.join(TESTS, 'normal', 'run.py'), program],
                 count_summary, {}),
            Task('%s levels that follow forces' % label, [os.path.join(TESTS, 'forces', 'run.py'), program],
                 count_summary, {}),
            Task('%s answers in numbers' % label, [os.path.join(TESTS, 'text', 'run.py'), os.path.join(build, 'slipstick')], count_summary, {})]


def picture_tasks(label, build):
    command = [os.path.join(TESTS, 'pictures', 'run.py'), os.path.join(build, 'slipstick')]
    return [Task('%s pictures' % label, command, count_summary, {})]


def once_tasks(build):
    """Answers with pictures, whose motions are counted."""
    return [Task('release motions computed once', [os.path.join(TESTS, 'once', 'run.py'), build], count_summary, {})]


def python_tasks(build):
    """The package as it was built, and as pip builds it."""
    folder = os.path.join(TESTS, 'python')
    return [Task('release python', [os.path.join(folder, 'run.py'), build], count_summary, {}),
            Task('release python wheel', [os.path.join(folder, 'wheel.sh')], count_whole, {})]


def python_asan_tasks(build):
    command = [os.path.join(TESTS, 'python', 'run.py'), build, '--asan']
    return [Task('asan python', command, count_summary, {})]


def fmu_tasks(label, build):
    brief = ['--brief'] if label == 'asan' else []
    return [Task('%s fmu' % label, [os.path.join(TESTS, 'fmu', 'run.py'), build, *brief], count_summary, {})]


def octave_tasks(build):
    return [Task('release octave', [os.path.join(TESTS, 'octave', 'run.sh'), build], count_summary, {})]


def page_tasks(page, build):
    """The page in a browser, beside the program; the C that is built for it alone."""
    command = ['node', os.path.join(TESTS, 'page', 'run.mjs'), os.path.join(page, 'index.html'), os.path.join(build, 'slipstick')]
    tidy = [os.path.join(TESTS, 'check_tidy.py'), os.path.join(page, 'core'), *check_tidy.folders_of_page()]
    return [Task('page', command, count_summary, {}), Task('page tidy', tidy, count_whole, {})]


def memory_tasks(build):
    command = [os.path.join(TESTS, 'memory', 'run.py'), build]
    return [Task('release memory that runs out', command, count_summary, {})]


def example_tasks(label, build):
    script = os.path.join(TESTS, 'check_example.sh')
    return [Task('%s example %s' % (label, name), [script, os.path.join(build, 'examples', 'example-' + name), name],
                 count_whole, {}) for name in sources('examples/*.c')]


def check_tasks(build):
    """Scripts that look at the tree (no argument) or at what was built."""
    checks = [['kill', build], ['readme', build], ['layers'], ['laws'], ['format'], ['pages', build]]
    checks += [['library', what, build] for what in ('needs', 'quiet', 'stateless')]
    model_file = Task('check model file', [os.path.join(TESTS, 'check_model_file.py'), build], count_whole, {})
    paths = Task('check paths', [os.path.join(TESTS, 'check_paths.py')], count_whole, {})
    exports = Task('check exports', [os.path.join(TESTS, 'check_exports.py'), build], count_whole, {})
    engine = Task('check engine', [os.path.join(TESTS, 'check_engine.py')], count_whole, {})
    interrupt = Task('check interrupt', [os.path.join(TESTS, 'check_interrupt.py'), build], count_whole, {})
    tidy = [Task('check tidy ' + folder, [os.path.join(TESTS, 'check_tidy.py'), build, folder], count_whole, {})
            for folder in check_tidy.folders_of_sources()]
    return [Task('check ' + ' '.join(words).replace(build, '').strip(),
                 [os.path.join(TESTS, 'check_%s.sh' % words[0]), *words[1:]], count_whole, {})
            for words in checks] + [model_file, paths, exports, engine, interrupt] + tidy


def install_tasks(build):
    script = os.path.join(TESTS, 'install', 'run.sh')
    return [Task('installed ' + what, [script, what, build], count_whole, {})
            for what in ('headers', 'pkg-config', 'static', 'find_package', 'program')]


def package_tasks():
    return [Task('packages', [os.path.join(TESTS, 'package', 'run.sh')], count_whole, {})]


def completion_tasks(build):
    command = [os.path.join(TESTS, 'completion', 'run.py'), os.path.join(build, 'slipstick')]
    return [Task('completion', command, count_summary, {})]


def map_tasks(build):
    """Maps that are killed, starved and spread over ranks; slow, so they come first."""
    script = os.path.join(TESTS, 'maps', 'run.py')
    return [Task('maps ' + what, [script, what, build], count_summary, {})
            for what in ('kill-ranks', 'kill', 'ranks', 'threads', 'full', 'interrupt', 'scans')]


def file_tasks(build):
    """Every writer where it cannot write: limits, full disks, pipes, devices."""
    command = [os.path.join(TESTS, 'files', 'run.py'), os.path.join(build, 'slipstick')]
    return [Task('files and streams', command, count_summary, {})]


def thread_tasks(build):
    """Maps, scans, fits and Python by many threads, under the thread sanitizer."""
    return [Task('tsan threads', [os.path.join(TESTS, 'threads', 'run.py'), build], count_summary, {})]


def fuzz_tasks(build, seconds):
    artifacts = os.path.join(build, 'artifacts')
    tasks = []
    for name in sources('tests/fuzz/fuzz_*.c'):
        corpus = os.path.join(build, 'corpus', name)
        os.makedirs(corpus, exist_ok=True)
        os.makedirs(artifacts, exist_ok=True)
        command = [os.path.join(build, 'tests', name), '-max_total_time=%d' % seconds, '-seed=' + FUZZ_SEED,
                   '-timeout=100', '-rss_limit_mb=2048', '-max_len=4096', '-verbosity=0',
                   '-artifact_prefix=%s/%s-' % (artifacts, name)]
        dictionary = os.path.join(TESTS, 'fuzz', name + '.dict')
        if os.path.exists(dictionary):
            command.append('-dict=' + dictionary)
        seeds = [os.path.join(TESTS, 'fuzz', 'seeds', name), os.path.join(ROOT, 'models')]
        tasks.append(Task('%s, %d s' % (name, seconds), command + [corpus] + [s for s in seeds if os.path.isdir(s)],
                          count_whole, {}))
    return tasks


# --- running ------------------------------------------------------------------------------------------------------
def run(task, cpu_s):
    start = time.monotonic()
    try:
        done = patience.run(task.command, cpu_s=cpu_s, cwd=ROOT, env={**os.environ, **task.environment},
                            errors='replace', stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        result = task.count(done.returncode, done.stdout)
    except (patience.GaveUp, OSError) as error:
        result = Result(0, 1, [str(error)])
    return task, result, time.monotonic() - start


def tell(task, result, seconds):
    word = 'FAIL' if result.failed else 'ok'
    cases = '%d of %d cases, ' % (result.passed, result.passed + result.failed) \
        if result.passed + result.failed != 1 else ''
    print('%-5s %s (%s%.1f s)' % (word, task.name, cases, seconds), flush=True)
    for line in result.details:
        print('      ' + line.replace('\n', '\n      '), flush=True)


def main():
    parser = argparse.ArgumentParser(description='Runs every test on what has been built.')
    parser.add_argument('--fast', help='build folder of the release: what takes a minute, alone')
    parser.add_argument('--release', help='build folder of the release: tests, transcripts, examples')
    parser.add_argument('--asan', help='build folder with sanitizers: the same again')
    parser.add_argument('--tsan', help='build folder with the thread sanitizer')
    parser.add_argument('--checks', help='build folder to check: library, layers, installation, format, tidy')
    parser.add_argument('--page', help='folder of the page (with --release: the program to compare with)')
    parser.add_argument('--fuzz', help='build folder with the fuzz targets')
    parser.add_argument('--fuzz-seconds', type=int, default=12, help='for each fuzz target (12)')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    options = parser.parse_args()

    tasks = fast_tasks(os.path.abspath(options.fast)) if options.fast else []
    if options.page:  # the longest tasks come first, so that none is left alone at the end
        tasks += page_tasks(os.path.abspath(options.page), os.path.abspath(options.release))
    if options.release:
        tasks += python_tasks(os.path.abspath(options.release)) + equal_tasks(os.path.abspath(options.release))
    if options.checks:
        build = os.path.abspath(options.checks)
        tasks += package_tasks() + map_tasks(build) + check_tasks(build) + install_tasks(build) + completion_tasks(build) + file_tasks(build)
    for label, build in (('asan', options.asan), ('release', options.release)):
        if build:
            build = os.path.abspath(build)
            tasks += unit_tasks(label, build) + cli_tasks(label, build) + example_tasks(label, build)
            tasks += atlas_tasks(label, build) + truth_tasks(label, build) + text_tasks(label, build)
    if options.tsan:
        tasks += thread_tasks(os.path.abspath(options.tsan))
    if options.asan:
        tasks += python_asan_tasks(os.path.abspath(options.asan))
    if options.release:
        tasks += picture_tasks('release', os.path.abspath(options.release))
        tasks += once_tasks(os.path.abspath(options.release))
        tasks += memory_tasks(os.path.abspath(options.release))
        tasks += octave_tasks(os.path.abspath(options.release))
        tasks += fmu_tasks('release', os.path.abspath(options.release))
    if options.fuzz:
        tasks += fuzz_tasks(os.path.abspath(options.fuzz), options.fuzz_seconds)

    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        cpu_s = patience.CPU_S + 2 * options.fuzz_seconds
        for future in concurrent.futures.as_completed([pool.submit(run, task, cpu_s) for task in tasks]):
            task, result, seconds = future.result()
            tell(task, result, seconds)
            passed, failed = passed + result.passed, failed + result.failed
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0 or passed == 0


if __name__ == '__main__':
    sys.exit(main())
