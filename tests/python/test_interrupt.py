# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Ctrl-C and exceptions of progress functions end every long computation, and everything can be used afterwards."""
import signal
import threading

import numpy as np
import pytest
from shared_fixtures import ROOT

import slipstick as ss

#: never comes to rest, and has an event every other second
BELT = ss.Model({
    "bodies": {"block": {"mass": 1}, "belt": {"speed": 1}},
    "connections": [{"between": ["block", "ground"], "stiffness": 1}],
    "contacts": {"belt": {"between": ["block", "belt"], "law": "coulomb", "friction": 1, "static": 2}},
})
#: friction that only one start of very many explains: the search goes on
BRISTLES = ss.Model({
    "bodies": {"block": {"mass": 1}},
    "connections": [{"between": ["block", "ground"], "stiffness": 10, "damping": 0.01}],
    "contacts": {"pad": {"between": ["block", "ground"], "law": "lugre", "sigma0": 1e3, "sigma1": 3, "sigma2": 0.1, "coulomb": 1}},
    "forces": [{"body": "block", "force": "3 N*sin(2 rad/s*t) + 2 N*sin(3.3 rad/s*t)"}],
})
SERVO = ss.load(ROOT / "models" / "hunting-servo.yaml")
DISK = ss.load(ROOT / "models" / "disk.yaml")
T = np.linspace(0, 200, 2000)
NOISE = np.random.default_rng(1).standard_normal(len(T))
FREE = [f"contacts.pad.{name}" for name in ("sigma0", "sigma1", "sigma2", "coulomb")]

# Each would take hours.
LONG = {
    "simulate": lambda tell: BELT.simulate(1e12, [1e12], max_events=10**8),
    "advance": lambda tell: BELT.run(max_events=10**8).advance(1e12),
    "basin": lambda tell: BRISTLES.basin({"block.x": (-10, 10, 3000), "block.v": (-10, 10, 300)}, until=50, threads=2, progress=tell),
    "scan": lambda tell: BRISTLES.scan({"contacts.pad.coulomb": (0.5, 2, 5000)}, section="1 s", show="block.x", skip=10**5, keep=10**4,
                                       threads=2, progress=tell),
    "fit": lambda tell: BRISTLES.fit((T, NOISE), {"block.x": "1"}, FREE, starts=10**4, progress=tell),
    "follow": lambda tell: [SERVO.follow("contacts.guide.static", 12, 200, max_points=10**6, progress=tell) for _ in range(10**6)],
    "cycle": lambda tell: SERVO.with_({"contacts.guide.static": "8 N"}).cycle(until=1e6, progress=tell),
    "batch": lambda tell: DISK.batch(np.tile([0, 0, 0, 1.0, 0.1, 2.0], (10**6, 1)), progress=tell),
}  # fmt: skip


@pytest.mark.parametrize("what", LONG)
def test_ctrl_c(what):
    # Where the tests run in the background, the signal may have been ignored from the start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            LONG[what](None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGINT, before)
    assert BELT.simulate(5.0).outcome == "time-reached"


class Enough(Exception):
    """What a progress function raises."""


@pytest.mark.parametrize("what", [name for name in LONG if name not in ("simulate", "advance")])
def test_an_exception_of_progress(what):
    shares = []

    def tell(share):
        shares.append(share)
        if len(shares) > 2 or share > 0.0:
            raise Enough

    with pytest.raises(Enough):
        LONG[what](tell)
    assert all(0.0 <= share <= 1.0 for share in shares)


def test_a_run_after_ctrl_c():
    """It stands where it was ended, says so when it is to go on, and does so from what was saved."""
    run, other = BELT.run(max_events=10**8), BELT.run(max_events=10**8)
    saved = run.save()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            run.advance(1e12)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGINT, before)
    assert 0 < run.t < 1e12 and run.outcome == "interrupted"
    with pytest.raises(ss.RunError, match="interrupted"):
        run.advance(1.0)
    run.load(saved)
    assert run.advance_to(100.0) == other.advance_to(100.0) == "time-reached"
    assert (run.t, run["block.x"], run["block.v"]) == (other.t, other["block.x"], other["block.v"])


def test_eight_threads_on_one_model():
    """Each with its own start, all at once, several times: the bits of one after the other."""
    starts = [{"block.x": 0.1 * k} for k in range(8)]
    alone = [BRISTLES.simulate(10.0, start=start).y.tolist() for start in starts]
    found = [[] for _ in starts]

    def work(k):
        for _ in range(5):
            found[k].append(BRISTLES.simulate(10.0, start=starts[k]).y.tolist())

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[one] * 5 for one in alone]


def test_one_run_is_for_one_thread():
    """While a thread advances a run, others are told so, and nothing breaks."""
    told, tries = [], 0
    while not told:  # a thread may have been done before it was met
        run, tries = BELT.run(max_events=10**8), tries + 1
        assert tries <= 50
        worker = threading.Thread(target=lambda run=run: run.advance(3e4))
        worker.start()
        while worker.is_alive():
            for ask in (run.save, lambda run=run: run["block.x"]):
                try:
                    ask()
                except RuntimeError as error:
                    told.append(str(error))
        worker.join()
        assert run.t >= 3e4
    assert all("another thread" in words for words in told)
