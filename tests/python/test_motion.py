# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Solutions and runs: arrays, events, energy; threads, Ctrl-C, pickling."""
import pickle
import signal
import threading

import numpy as np
import pytest

import slipstick as ss

BLOCK = {
    "bodies": {"block": {"mass": 1}},
    "connections": [{"between": ["block", "ground"], "stiffness": 1}],
    "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": 1}},
    "start": {"block": {"x": 4}},
}
#: never comes to rest, and takes millions of events
ENDLESS = {
    "bodies": {"block": {"mass": 1}, "belt": {"speed": 1}},
    "connections": [{"between": ["block", "ground"], "stiffness": 1}],
    "contacts": {"belt": {"between": ["block", "belt"], "law": "coulomb", "friction": 1, "static": 2}},
}


def test_samples_follow_the_closed_form():
    t = np.linspace(0, 2 * np.pi, 101)
    sol = ss.Model(BLOCK).simulate(t_eval=t)
    swing = np.where(t < np.pi, 1 + 3 * np.cos(t), -1 + np.cos(t))
    np.testing.assert_allclose(sol["block.x"], swing, atol=1e-14)
    np.testing.assert_array_equal(sol["block.x"], sol.y[0])
    assert sol.energy.residual == pytest.approx(0, abs=1e-13)
    assert sol.force["floor"][1] == 1.0 and sol.mode["floor"][1] == "slip-"


def test_derivatives_follow_the_closed_form():
    t = np.linspace(0, 2 * np.pi, 101)
    sol = ss.Model(BLOCK).simulate(t_eval=t, start={"block.x": 4.5}, derivative=["block.x", "contacts.floor.friction"])
    np.testing.assert_allclose(sol.derivative["block.x"]["block.x"], np.cos(t), atol=1e-12)
    by_friction = np.where(t < np.pi, 1 - np.cos(t), -1 - 3 * np.cos(t))
    np.testing.assert_allclose(sol.derivative["contacts.floor.friction"]["block.x"], by_friction, atol=1e-11)
    assert sol.events[0].derivative["block.x"] == pytest.approx(0, abs=1e-13)  # a half swing takes its time
    with pytest.raises(ss.ModelError, match="nope"):
        ss.Model(BLOCK).simulate(derivative=["parameters.nope"])


def test_without_times_every_event_is_a_sample():
    sol = ss.Model(BLOCK).simulate()
    np.testing.assert_allclose(sol.t, [0, np.pi, 2 * np.pi], rtol=1e-15)
    np.testing.assert_allclose(sol["block.x"], [4, -2, 0], atol=1e-14)
    assert [event.after for event in sol.events] == ["slip+", "stick"]


def test_arrays_outlive_model_and_solution():
    x = ss.Model(BLOCK).simulate(t_eval=np.linspace(0, 6, 1000)).force["floor"]
    ss.Model(BLOCK).simulate(t_eval=np.linspace(0, 6, 1000))
    assert set(np.unique(x)) <= {1.0, -1.0}


def test_solutions_can_be_pickled():
    sol = ss.Model(BLOCK).simulate(t_eval=[0, 1, 2])
    again = pickle.loads(pickle.dumps(sol))
    np.testing.assert_array_equal(again.y, sol.y)
    assert again.events == sol.events and again.energy == sol.energy


def test_a_run_ends_where_the_solution_does():
    run = ss.Model(BLOCK).run()
    sol = ss.Model(BLOCK).simulate()
    outcomes = [run.advance(0.5) for _ in range(20)]
    assert outcomes[-1] == run.outcome == sol.outcome == "at-rest" and run.t_rest == sol.t_end and run.t == 10.0
    assert [event.t for event in run.events()] == [event.t for event in sol.events]
    assert run.events() == []
    assert run.energy == sol.energy
    assert run.mode("floor") == "stick" and abs(run.force("floor")) < 1e-15
    with pytest.raises(KeyError, match="block.x"):
        run["brick.x"]


PUSHED = {
    "inputs": {"push": "0 N"},
    "bodies": {"block": {"mass": 1}},
    "forces": [{"body": "block", "force": "push"}],
    "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": 1}},
}


def test_the_clock_of_a_run_goes_on_at_rest():
    """A loop in real time: what is set after some steps at rest acts from then on, not from when rest began."""
    run = ss.Model(PUSHED).run()
    assert [(run.advance(0.5), run.t) for _ in range(4)] == [("at-rest", 0.5 * k) for k in (1, 2, 3, 4)]
    assert run.t_rest == 0.0
    saved = run.save()
    run.set_input("push", 3.0)
    assert (run.t, run.advance(1.0), run.t, run.t_rest) == (2.0, "time-reached", 3.0, None)
    assert run["block.v"] == pytest.approx(2.0, rel=1e-15) and run["block.x"] == pytest.approx(1.0, rel=1e-15)
    run.load(saved)
    assert (run.t, run.outcome, run.t_rest) == (2.0, "at-rest", 0.0)
    while run.t < 5.0:
        run.advance(0.25)
    assert run.t == 5.0 and not run.advance_to_event(6.0) and run.t == 6.0


def test_a_thousand_steps_of_a_millisecond_are_a_second():
    run, steps = ss.Model({**PUSHED, "start": {"block": {"v": 5}}}).run(), 0
    while run.t < 2.0:
        run.advance(0.001)
        steps += 1
    assert steps == 2000 and run.t == 2.0


def test_a_run_does_not_go_back():
    run = ss.Model(PUSHED).run()
    run.advance_to(1.0)
    for back in (lambda: run.advance(-0.1), lambda: run.advance_to(0.5), lambda: run.advance(np.nan),
                 lambda: run.advance_to_event(0.5)):  # fmt: skip
        with pytest.raises(ValueError, match="cannot go back"):
            back()
    assert run.t == 1.0


@pytest.mark.parametrize("model", ["block-on-floor", "disk"])
def test_a_closed_run_says_so(models, model):
    run = ss.load(models / f"{model}.yaml").run()
    with run as same:
        assert same is run and run.advance(0.1) == "time-reached"
    run.close()  # again
    assert "closed" in repr(run)
    first = "block.x" if model == "block-on-floor" else "x"
    for ask in (lambda: run.t, lambda: run.advance(1.0), lambda: run.advance_to_event(), lambda: run[first], run.save,
                lambda: run.load(b""), run.events, lambda: run.energy):  # fmt: skip
        with pytest.raises(ValueError, match="closed|no saved run"):
            ask()


@pytest.mark.parametrize("model", ["block-on-floor", "hunting-servo", "sampled-servo", "lugre-stop", "disk"])
def test_runs_can_be_pickled(models, model):
    run = ss.load(models / f"{model}.yaml").run(tolerance=1e-9)
    for _ in range(7):  # 0.1 is no binary number: what is lost of it goes along
        run.advance(0.1)
    other = pickle.loads(pickle.dumps(run))
    for one in (run, other):
        one.advance(0.3)
    assert (run.t, run.outcome, run.energy) == (other.t, other.outcome, other.energy)


def test_start_replaces_numbers_of_the_start():
    model = ss.Model(BLOCK)
    assert model.simulate(start={"block.x": 2.5}).answer["events"] == \
        model.with_({"block.x": 2.5}).simulate().answer["events"]
    assert model.simulate(start={"block.x": "250 cm"}).t_end == model.simulate(start={"block.x": 2.5}).t_end


def test_ctrl_c_ends_a_computation():
    # Where the tests run in the background, the signal may have been ignored from the start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            ss.Model(ENDLESS).simulate(1e12, [1e12], max_events=10**8)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGINT, before)
    assert ss.Model(BLOCK).simulate().outcome == "at-rest"


def test_an_exception_in_progress_comes_through():
    def progress(share):
        raise LookupError(share)

    model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1])
    with pytest.raises(LookupError):
        model.basin({"q1.x": (-10, 10, 2001), "q1.v": (-10, 10, 501)}, threads=1, progress=progress)


def test_other_threads_run_while_the_library_computes():
    model, counted, done = ss.Model(ENDLESS), [0], threading.Event()

    def compute():
        model.simulate(1e12, max_events=300_000)
        done.set()

    worker = threading.Thread(target=compute)
    worker.start()
    while not done.is_set():
        counted[0] += 1
    worker.join()
    assert counted[0] > 100  # it would be a handful if the lock were kept


def test_many_threads_share_a_model():
    model, ends = ss.Model(BLOCK), []
    threads = [threading.Thread(target=lambda: ends.append(model.simulate().t_end)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(ends)) == 1 and len(ends) == 8


def test_tables_carry_units():
    sol = ss.Model(BLOCK).simulate(t_eval=[0, 1])
    frame, data = sol.to_pandas(), sol.to_xarray()
    assert frame.attrs["units"]["block.v"] == "m/s" and data["block.x"].attrs["units"] == "m"
    assert frame["block.x"].tolist() == data["block.x"].values.tolist() == sol["block.x"].tolist()


@pytest.mark.parametrize("kind", ["time", "phase", "loop"])
def test_pictures_show_the_motion(kind):
    import matplotlib.pyplot as plt

    figure = ss.Model(BLOCK).simulate(t_eval=np.linspace(0, 7, 200)).plot(kind)
    assert figure.axes and all(ax.lines for ax in figure.axes)
    plt.close(figure)


def half_swings(t):
    """A block of 1 kg on 1 N/m and 1 N of friction, let go at 4 m: it swings about 1 m, then about -1 m."""
    return np.where(t <= np.pi, 1 + 3 * np.cos(t), np.where(t <= 2 * np.pi, -1 + np.cos(t), 0.0))


@pytest.mark.parametrize("t_eval", [None, [0, 5, 12]])
def test_lines_of_pictures_are_smooth_whatever_the_samples(t_eval):
    import matplotlib.pyplot as plt

    figure = ss.Model(BLOCK).simulate(t_eval=t_eval).plot()
    t, x = figure.axes[0].lines[0].get_data()
    np.testing.assert_allclose(x, half_swings(t), atol=1e-12)
    middle, chord = (t[1:] + t[:-1]) / 2, (x[1:] + x[:-1]) / 2
    assert np.abs(chord - half_swings(middle)).max() < 1e-3 * np.ptp(x)  # half a line's width
    assert {np.pi, 2 * np.pi} <= {float(np.pi * round(one / np.pi, 12)) for one in t}  # events are corners
    assert t[-1] == 12 if t_eval else t[-1] > 2 * np.pi
    force = figure.axes[2].lines[0].get_ydata()
    assert set(force.round(12)) == {1.0, -1.0, 0.0}  # it jumps: no slope in between
    shade = figure.axes[0].collections[0].get_paths()[0].vertices[:, 0]
    assert shade.min() == pytest.approx(2 * np.pi) and shade.max() == t[-1]
    plt.close(figure)


def test_what_a_picture_leaves_out_of_a_long_motion_is_a_gap(models):
    """A belt for 60000 s has some 7000 sticks, more than are kept whole: no chord crosses what is not known."""
    import matplotlib.pyplot as plt

    sol = ss.load(models / "stick-slip-belt.yaml").simulate(60_000.0)
    figure = sol.plot("phase")
    x, v = figure.axes[0].lines[0].get_data()
    assert np.isnan(x).any() and np.array_equal(np.isnan(x), np.isnan(v))
    inside = ~np.isnan(np.diff(x)) & (np.abs(np.diff(v)) > 1e-9)  # sticking is a straight line, v = 0.2 m/s
    assert np.hypot(np.diff(x)[inside], np.diff(v)[inside]).max() < 0.5
    plt.close(figure)


def test_a_solution_that_was_pickled_has_pictures():
    import matplotlib.pyplot as plt

    sol = ss.Model(BLOCK).simulate(t_eval=[0, 1], start={"block.x": 3})
    figure = pickle.loads(pickle.dumps(sol)).plot()
    assert figure.axes[0].lines[0].get_ydata()[0] == 3
    plt.close(figure)


def test_html_tells_outcome_and_events():
    html = ss.Model({**BLOCK, "title": "a < b"}).simulate()._repr_html_()
    assert "at-rest" in html and "a &lt; b" in html and "floor" in html


STAGE = {
    "parameters": {"kp": "2000 N/m", "ki": "20 kN/(m*s)", "kd": "60 N*s/m", "target": "10 mm"},
    "inputs": {"disturbance": "0 N"},
    "bodies": {"stage": {"mass": "2 kg"}},
    "states": {"sum": {"rate": "error", "start": 0}},
    "signals": {"error": "target - stage.x"},
    "forces": [{"body": "stage", "force": "kp*error + ki*sum - kd*stage.v + disturbance"}],
    "contacts": {"guide": {"between": ["stage", "ground"], "law": "coulomb", "friction": "8 N", "static": "12 N"}},
}


def test_states_and_signals_are_traces():
    t = np.linspace(0, 3, 30001)
    sol = ss.Model(STAGE).simulate(t_eval=t)
    np.testing.assert_allclose(sol.signal["error"], 0.01 - sol["stage.x"], atol=1e-15)
    integral = np.concatenate([[0], np.cumsum((sol["error"][1:] + sol["error"][:-1]) / 2 * np.diff(t))])
    np.testing.assert_allclose(sol.state["sum"], integral, atol=1e-9)
    assert (sol.input["disturbance"] == 0).all() and "sum" in sol.to_pandas()


def test_saved_runs_go_on_to_the_same_bits():
    run = ss.Model(STAGE).run()
    run.advance(1.234)
    saved = run.save()
    run.set_input("disturbance", 30.0)
    run.advance(2.0)
    first = (run.t, run["stage.x"], run["stage.v"], run["sum"], run.energy)
    other = ss.Model(STAGE).run()
    other.load(pickle.loads(pickle.dumps(saved)))
    assert other.t == 1.234
    other.set_input("disturbance", 30.0)
    other.advance(2.0)
    assert (other.t, other["stage.x"], other["stage.v"], other["sum"], other.energy) == first
    with pytest.raises(ss.ModelError):
        other.load(saved[:-1])
    with pytest.raises(KeyError, match="disturbance"):
        other.set_input("push", 1.0)
    assert other.t == first[0]


def test_an_input_that_is_set_is_a_step_in_time():
    run = ss.Model(STAGE).run()
    run.advance(1.0)
    run.set_input("disturbance", 30.0)
    run.advance(1.0)
    later = {**STAGE, "inputs": {"disturbance": "30 N*step(t - 1 s)"}}
    sol = ss.Model(later).simulate(2.0, [2.0])
    assert run["stage.x"] == pytest.approx(sol["stage.x"][0], rel=1e-12)
    assert run["sum"] == pytest.approx(sol["sum"][0], rel=1e-12)


DRIVEN = {
    "curve": ({"law": "curve", "force": "1 N + 2 N * exp(-v / (0.1 m/s)) + v^2 * (3 N*s^2/m^2)"},
              lambda u: 1 + 2 * np.exp(-u / 0.1) + 3 * u**2),
    "stribeck": ({"law": "stribeck", "coulomb": 1, "static": 3, "stribeck_speed": 0.1, "shape": 1.5},
                 lambda u: 1 + 2 * np.exp(-((u / 0.1) ** 1.5))),
}  # fmt: skip


@pytest.mark.parametrize("law", DRIVEN)
def test_a_contact_that_moves_nothing_has_its_force(law):
    """Between driven bodies no free coordinate tells how far a series reaches; the force itself must."""
    row, level = DRIVEN[law]
    model = ss.Model({
        "bodies": {"slide": {"speed": "0.4 m/s * sin(t * (1 rad/s))"}, "idle": {"mass": 1}},
        "contacts": {"rail": {"between": ["slide", "ground"], **row}},
    })
    t = np.linspace(0.1, 9.0, 90)
    sol = model.simulate(9.0, t)
    v = 0.4 * np.sin(t)
    np.testing.assert_allclose(sol.force["rail"], -np.sign(v) * level(np.abs(v)), rtol=1e-12)
    fine = np.linspace(0, 9, 400001)
    power = level(0.4 * np.abs(np.sin(fine))) * 0.4 * np.abs(np.sin(fine))
    assert sol.energy.friction == pytest.approx(((power[1:] + power[:-1]) / 2).sum() * (fine[1] - fine[0]), rel=1e-8)
