# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Programs that are waited for as long as they are at work, however busy the machine is.

A limit on wall-clock time calls a busy machine a failure. Here a program is given up when it (with all it
started) has used much more processor time than it can need, or none at all for a long while: the first is an
endless loop, the second waits for something that does not come.
"""
import os
import signal
import subprocess
import time

CPU_S = 1500   # of processor time; the longest task needs a tenth of it
IDLE_S = 600   # without any
WALL_S = 14400  # the last resort: something polls for ever, and uses next to nothing
TICKS = os.sysconf('SC_CLK_TCK')


class GaveUp(Exception):
    """The program was killed; says why."""


def processes():
    """{pid: (parent, processor time in ticks with that of children that have been waited for)}."""
    found = {}
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                with open('/proc/%s/stat' % name, encoding='utf-8', errors='replace') as stream:
                    words = stream.read().rpartition(')')[2].split()
                found[int(name)] = int(words[1]), sum(int(word) for word in words[11:15])
            except (OSError, IndexError):  # it has just gone
                pass
    return found


def family(pid, found):
    """The process and all that descend from it."""
    children = {}
    for child, (parent, _) in found.items():
        children.setdefault(parent, []).append(child)
    members, rest = [], [pid]
    while rest:
        member = rest.pop()
        members.append(member)
        rest += children.get(member, [])
    return members


def wait(process, cpu_s=CPU_S, idle_s=IDLE_S):
    """communicate() of a Popen, or GaveUp."""
    start = last = time.monotonic()
    seen = 0
    while True:
        try:
            return process.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            pass
        found = processes()
        members = family(process.pid, found)
        used = sum(found[member][1] for member in members if member in found)
        now = time.monotonic()
        if used != seen:
            seen, last = used, now
        why = 'no end after %d s of processor time' % cpu_s if used > cpu_s * TICKS else \
            'nothing done for %d s' % idle_s if now - last > idle_s else \
            'no end after %d s' % WALL_S if now - start > WALL_S else None
        if why:
            for member in members:
                try:
                    os.kill(member, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            try:
                process.communicate(timeout=10)
            except subprocess.TimeoutExpired:  # somebody who left the family still holds its output
                pass
            raise GaveUp(why)


def run(command, cpu_s=CPU_S, idle_s=IDLE_S, **options):
    """As subprocess.run without input."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, **options) as process:
        out, err = wait(process, cpu_s, idle_s)
    return subprocess.CompletedProcess(command, process.returncode, out, err)
