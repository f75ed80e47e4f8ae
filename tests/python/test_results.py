# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Results as files and in notebooks: saved and read again, as HTML, with names to complete, as a report."""
import html.parser
import json
import pickle
import re

import numpy as np
import pandas as pd
import pytest

import slipstick as ss
from slipstick import _store

BLOCK = {
    "title": "a <b> block",
    "bodies": {"block": {"mass": 1}},
    "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": 1}},
    "start": {"block": {"v": 3}},
}
FREE, T = ["contacts.floor.friction"], np.linspace(0, 1, 21)
X = 3 * T - 0.25 * T**2 + 0.001 * np.random.default_rng(2).standard_normal(21)


def fitted(**options):
    return ss.Model(BLOCK).fit((T, X), {"block.x": "1"}, FREE, **options)


def null():
    return ss.Model({key: value for key, value in BLOCK.items() if key != "contacts"})


MAKE = {
    "simulate": lambda: ss.load("models/two-blocks.yaml").simulate(until="20 s", derivative="parameters.mu"),
    "simulate at": lambda: ss.load("models/hunting-servo.yaml").simulate(t_eval=np.linspace(0, 1, 5), start={"stage.x": "1 mm"}),
    "slider": lambda: ss.load("models/disk.yaml").simulate(),
    "settles": lambda: ss.Model({"bodies": {"b": {"mass": 1}}, "start": {"b": {"x": 1}},
                                 "connections": [{"between": ["b", "ground"], "stiffness": 1, "damping": 0.2}]}).simulate(10.0),
    "certify": lambda: ss.load("models/two-blocks.yaml").certify(),
    "cycle": lambda: ss.load("models/stick-slip-belt.yaml").cycle(),
    "follow": lambda: ss.load("models/hunting-servo.yaml").follow("contacts.guide.static", 12, 14),
    "basin": lambda: ss.load("models/block-on-floor.yaml").basin({"block.x": [1, 2, 5], "block.v": (0, 1, 2)}),
    "random": lambda: ss.load("models/block-on-floor.yaml").basin({"block.x": ss.normal(1, "10 cm")}, random=50, seed=3),
    "many": lambda: ss.Model(BLOCK).simulate_many(pd.DataFrame({"block.v": [1.0, 2.0]})),
    "scan": lambda: ss.load("models/stick-slip-belt.yaml").scan({"bodies.belt.speed": (0.1, 0.2, 2)}, section="1 s",
                                                              measure="max:block.x", skip=5),
    "fit": fitted,
    "versus": lambda: fitted(versus=[null()]),
}  # fmt: skip


def same(a, b):
    """Whether two results say the same, to the bit."""
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    if isinstance(a, dict) or hasattr(a, "keys"):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (a != a and b != b) or repr(a) == repr(b)


@pytest.mark.parametrize("what", MAKE)
def test_saved_results_come_back(what, tmp_path):
    result = MAKE[what]()
    result.save(tmp_path / "a.npz")
    again = ss.load_result(tmp_path / "a.npz")
    assert type(again) is type(result) and repr(again) == repr(result) and again.version == ss.__version__
    assert again.question["method"] == result.question["method"]
    for name in dir(type(result)):
        member = getattr(type(result), name)
        if not name.startswith("_") and not callable(member) and name not in ("model", "question", "ranking", "start"):
            assert same(getattr(result, name), getattr(again, name)), name
    model = again._model if hasattr(again, "_model") else again.model
    assert model.title == (result._model if hasattr(result, "_model") else result.model).title
    again.save(tmp_path / "b.npz")
    assert repr(ss.load_result(tmp_path / "b.npz")) == repr(result)


def test_what_comes_back_can_be_asked(tmp_path):
    import matplotlib.pyplot as plt

    MAKE["versus"]().save(tmp_path / "a.npz")
    fit = ss.load_result(tmp_path / "a.npz")
    assert [len(one.values) for one in fit.ranking] == [1, 0] and fit.ranking[1].ranking[0] is fit
    assert fit.model["contacts.floor.friction"] == fit.values["contacts.floor.friction"]
    np.testing.assert_array_equal(fit.question["recordings"][1], X)
    sol = MAKE["simulate at"]()
    sol.save(tmp_path / "b.npz")
    again = ss.load_result(tmp_path / "b.npz")
    assert again.to_json() and json.loads(again.to_json()) == sol.answer
    assert (again.to_pandas() == sol.to_pandas()).all().all()
    for result in (fit, again):
        plt.close(result.plot())


def test_a_file_holds_no_code(tmp_path):
    """What is read is data: a pickle in place of an array, or a kind that is no result, is refused."""

    class Evil:
        def __reduce__(self):
            return (pytest.fail, ("it was run",))

    np.savez(tmp_path / "a.npz", slipstick=np.array([Evil()], dtype=object))
    (tmp_path / "b.npz").write_bytes(pickle.dumps(Evil()))
    tree = {"format": _store._MARK, "version": "1", "result": {"$": "Popen", "state": {}}}
    np.savez(tmp_path / "c.npz", slipstick=np.array(json.dumps(tree)))
    (tmp_path / "d.npz").write_bytes(b"")
    np.savez(tmp_path / "e.npz", x=np.zeros(3))
    for name in "abcde":
        with pytest.raises(ss.ModelError, match=f"{name}.npz: this is no saved result"):
            ss.load_result(tmp_path / f"{name}.npz")
    with pytest.raises(FileNotFoundError):
        ss.load_result(tmp_path / "nowhere.npz")
    with pytest.raises(ValueError, match="npz"):
        MAKE["certify"]().save(tmp_path / "a.pkl")
    with pytest.raises(ss.ModelError, match="load_result"):
        ss.load(tmp_path / "a.npz")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{name}.npz" for name in "abcde"]


class Balanced(html.parser.HTMLParser):
    """Collects tags that are left open, and addresses."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.links = [], "", []

    def handle_starttag(self, tag, attrs):
        self.links += [value for name, value in attrs if name in ("href", "src", "xlink:href")]
        if tag not in ("meta", "br", "link", "path", "use", "rect", "line", "circle", "polygon", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read_html(text):
    page = Balanced()
    page.feed(text)
    return page


@pytest.mark.parametrize("what", ["fit", "versus", "scan", "basin", "random", "many", "model", "slider model", "simulate"])
def test_notebooks_show_tables(what):
    models = {"model": lambda: ss.load("models/hunting-servo.yaml"), "slider model": lambda: ss.load("models/disk.yaml")}
    page = read_html({**MAKE, **models}[what]()._repr_html_())
    assert not page.open
    wanted = {"fit": "contacts.floor.friction", "versus": "AIC", "scan": "max:block.x", "basin": "escaped", "random": "95 %",
              "many": "final block.x", "model": "target", "slider model": "slider", "simulate": "time-reached"}  # fmt: skip
    assert wanted[what] in page.text
    if what in ("fit", "versus", "many"):
        assert "a <b> block" in page.text  # a name is no markup


def test_names_complete():
    servo = ss.load("models/hunting-servo.yaml")
    sol = servo.simulate(0.1)
    for one in (sol, servo.run()):
        names = one._ipython_key_completions_()
        assert {"stage.x", "stage.v", "guide.force", "sum", "error", "disturbance"} <= set(names)
        assert all(one[name] is not None for name in names)
    assert sol.force._ipython_key_completions_() == ["guide"]
    assert MAKE["scan"]()._ipython_key_completions_() == ["bodies.belt.speed", "max:block.x"]
    paths = servo._ipython_key_completions_()
    assert "contacts.guide.static" in paths and "parameters.kp" in paths


def test_the_report_is_one_page(tmp_path):
    fitted(versus=[null()]).report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    page = read_html(text)
    assert not page.open and text.count("<svg") == 1
    assert all(link.startswith(("#", "data:")) for link in page.links)
    assert not re.findall(r"url\((?!#)|@import|<script|<link|<img", text)
    for words in ("contacts.floor.friction", "95 % interval", "AIC", "Warnings", "residuals.csv", "Ranking", ss.__version__, "a <b> block"):
        assert words in page.text, words
    with pytest.raises(ValueError, match="html"):
        fitted().report(tmp_path / "report.pdf")


def test_help_is_a_screen_that_leads_on():
    lines = ss.__doc__.splitlines()
    assert len(lines) <= 45 and max(map(len, lines)) <= 110
    for name in ("load", "simulate", "basin", "scan", "fit", "simulate_many", "save", "load_result", "plot"):
        assert name in ss.__doc__


def test_forces_of_ties_and_connections_by_name():
    """A load hangs on a tie, and the rope's force presses a pad that holds a spring: 3 N of at most 10 N."""
    sol = ss.loads("""slipstick: 1
title: Hanging
bodies: {load: {mass: 2 kg}, side: {mass: 1 kg}}
ties: {rope: {load: 1}}
connections: {spring: {between: [side, ground], stiffness: 10 N/m}}
forces: [{body: load, force: -20 N}]
contacts: {pad: {between: [side, ground], law: coulomb, friction: "0.5*abs(rope.force)"}}
start: {side: {x: 0.3 m}}
""").simulate(1.0)
    assert list(sol.force) == ["pad", "rope", "spring"]
    assert [sol.force[name][-1] for name in sol.force] == pytest.approx([3.0, 20.0, -3.0], abs=1e-12)
    assert sol.to_pandas()["rope.force"].iloc[-1] == pytest.approx(20.0, abs=1e-12)
