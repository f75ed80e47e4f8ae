# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Fits of several models, robust ones, and what they leave."""
import numpy as np
import pytest

import slipstick as ss

FREE = ["contacts.floor.friction", "connections[0].damping"]


def block(friction=0.7, damping=None):
    tree = {
        "bodies": {"block": {"mass": "1 kg"}},
        "connections": [{"between": ["block", "ground"], "stiffness": "0.5 N/m"}],
        "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": friction}},
        "start": {"block": {"v": 3}},
        "run": {"until": "6 s"},
    }
    if damping is not None:
        tree["connections"][0]["damping"] = f"{damping} N*s/m"
    return ss.Model(tree, name="damped" if damping is not None else "plain")


def recorded(model, seed=7, count=200, noise=1e-3):
    t = np.linspace(0, 3, count)
    return t, model.simulate(t_eval=t)["block.x"] + noise * np.random.default_rng(seed).standard_normal(count)


def test_the_model_that_moved_wins():
    t, x = recorded(block(damping=0.2))
    best = block(friction=0.5).fit((t, x), {"block.x": "1"}, FREE, versus=[block(friction=0.5, damping=0.1)])
    assert [len(fit.values) for fit in best.ranking] == [2, 1] and best.ranking[0] is best
    assert best.aic < best.ranking[1].aic and best.bic < best.ranking[1].bic
    assert best.values[FREE[1]] == pytest.approx(0.2, abs=4 * best.stderr[FREE[1]])
    assert best.durbin_watson > 1.5 > best.ranking[1].durbin_watson  # what the other misses is no noise
    assert best.ranking[1].stderr_correlated[FREE[0]] > 1.3 * best.ranking[1].stderr[FREE[0]]


def test_ranking_equals_that_of_the_program(tmp_path, program):
    t, x = recorded(block(damping=0.2))
    np.savetxt(tmp_path / "recording.csv", np.column_stack([t, x]), delimiter=",", header="t,x", comments="", fmt="%.17g")
    text = (
        "slipstick: 1\ntitle: {}\nbodies: {{block: {{mass: 1 kg}}}}\n"
        "connections: [{{between: [block, ground], stiffness: 0.5 N/m{}}}]\n"
        "contacts: {{floor: {{between: [block, ground], law: coulomb, friction: 0.5 N}}}}\n"
        "start: {{block: {{v: 3}}}}\nrun: {{until: 6 s}}\n"
    )
    for name, more in (("plain", ""), ("damped", ", damping: 0.1 N*s/m")):
        (tmp_path / f"{name}.yaml").write_text(text.format(name, more), encoding="utf-8")
    there = program("fit", tmp_path / "plain.yaml", tmp_path / "recording.csv", "--column", "block.x=x", "--free",
                    ",".join(FREE), "--versus", tmp_path / "damped.yaml", "--residuals", tmp_path / "there.csv")  # fmt: skip
    models = [ss.load(tmp_path / f"{name}.yaml") for name in ("plain", "damped")]
    best = models[0].fit(tmp_path / "recording.csv", {"block.x": "x"}, FREE, versus=models[1:])
    for told, fit in zip(there["models"], best.ranking, strict=True):
        assert all(told[key] == fit.answer[key] for key in ("parameters", "aic", "bic", "log_likelihood"))
    best.save_residuals(tmp_path / "here.csv")
    assert (tmp_path / "here.csv").read_text() == (tmp_path / "there.csv").read_text()


def test_residuals_are_what_the_motion_leaves():
    t, x = recorded(block(), noise=1e-2)
    fit = block(friction=0.6).fit((t, x), {"block.x": "1"}, FREE[:1])
    told = fit.residuals
    assert (told["time"] == t).all() and (told["measured"] == x).all() and set(told["trace"]) == {"block.x"}
    moved = fit.model.simulate(t_eval=t)["block.x"]
    np.testing.assert_allclose(told["fitted"], moved, atol=1e-9)
    np.testing.assert_array_equal(told["residual"], told["measured"] - told["fitted"])


def test_a_few_wild_samples_do_not_pull_a_robust_fit():
    t, x = recorded(block())
    x[20::37] += 0.3
    fits = {loss: block(friction=0.6).fit((t, x), {"block.x": "1"}, FREE[:1], loss=loss) for loss in ("squares", "huber")}
    off = {loss: abs(fit.values[FREE[0]] - 0.7) for loss, fit in fits.items()}
    assert off["huber"] < 0.2 * off["squares"]


def test_numbers_of_each_recording():
    recordings, speeds = [], (3.0, 2.0)
    t = np.linspace(0, 2, 80)
    for speed in speeds:
        recordings.append((t, block().simulate(t_eval=t, start={"block.v": speed})["block.x"]))
    known = block(friction=0.5).fit(recordings, {"block.x": "1"}, FREE[:1], each={"block.v": [3.0, 2.0]})
    assert known.values[FREE[0]] == pytest.approx(0.7, abs=1e-6)
    found = block(friction=0.5).fit(recordings, {"block.x": "1"}, FREE[:1], free_each=["block.v"])
    assert [found.values[f"block.v#{k}"] for k in (1, 2)] == pytest.approx(speeds, abs=1e-6)
    assert set(found.residuals["recording"]) == {1, 2}


def test_a_row_of_units(tmp_path):
    t, x = recorded(block(damping=0.2), noise=0.0)
    path = tmp_path / "rig.csv"

    def write(*units):
        rows = "".join(f"{1e3 * a:.17g},{1e6 * b:.17g}\n" for a, b in zip(t, x, strict=True))
        path.write_text("t,x\n" + ",".join(units) + "\n" + rows, encoding="utf-8")

    write("ms", "um")
    fit = block(friction=0.5, damping=0.1).fit(path, {"block.x": "x"}, FREE)
    assert [fit.values[name] for name in FREE] == pytest.approx([0.7, 0.2], rel=1e-6)
    write("ms", "mN")
    with pytest.raises(ss.ModelError, match=r"block.x: expected m, but the column 'x' of .*rig.csv is in mN"):
        block().fit(path, {"block.x": "x"}, FREE[:1])
    assert block().fit(path, {"block.x": "x um"}, FREE[:1]).values  # what is asked for wins
    write("ms", "cubit")
    with pytest.raises(ss.ModelError, match=r"rig.csv:2:4: x: 'cubit' is no unit"):
        block().fit(path, {"block.x": "x um"}, FREE[:1])


def test_what_cannot_be_fitted():
    t, x = recorded(block())
    with pytest.raises(ss.ModelError, match="none of the models has 'contacts.flor.friction'"):
        block().fit((t, x), {"block.x": "1"}, ["contacts.flor.friction"], versus=[block(damping=0.1)])
    with pytest.raises(ValueError, match="loss='cubes'"):
        block().fit((t, x), {"block.x": "1"}, FREE[:1], loss="cubes")
    with pytest.raises(TypeError, match="versus"):
        block().fit((t, x), {"block.x": "1"}, FREE[:1], versus=["a model"])


def test_a_column_drives_an_input():
    """A recorded push of 1 N/s moves 2 kg by t^3/12, whatever the order of the columns."""
    model = ss.Model({
        "inputs": {"u": "0 N"},
        "bodies": {"cart": {"mass": "3 kg"}},
        "forces": [{"body": "cart", "force": "u"}],
    })
    t = np.linspace(0, 1, 11)
    for columns, values in (({"inputs.u": "u", "cart.x": "x"}, [t, t**3 / 12]),
                            ({"cart.x": "x", "inputs.u": "u"}, [t**3 / 12, t])):
        fit = model.fit((t, np.column_stack(values)), columns, ["bodies.cart.mass"])
        assert fit.values["bodies.cart.mass"] == pytest.approx(2, rel=1e-9)
    with pytest.raises(ss.ModelError, match="no such input"):
        model.fit((t, np.column_stack([t, t])), {"cart.x": "x", "inputs.w": "u"}, ["bodies.cart.mass"])


def slide_of(friction=0.5, noise=1e-4, samples=60):
    """A block that slides to a stop, recorded: x = 3 t - friction t^2/2 (m), with some noise."""
    model = ss.Model({"bodies": {"b": {"mass": 1}}, "contacts": {"floor": {"between": ["b", "ground"], "law": "coulomb", "friction": 1}},
                      "start": {"b": {"v": 3}}})  # fmt: skip
    t = np.linspace(0, 1, samples)
    return model, t, 3 * t - friction * t**2 / 2 + noise * np.random.default_rng(3).standard_normal(samples)


@pytest.mark.parametrize("sigma", [None, 1e-4])
@pytest.mark.parametrize("factor", [1e3, 1e-3])
def test_lengths_of_another_unit_are_noticed(factor, sigma):
    """A thousand times too large, and too small: also where all of it then lies within the noise that was given."""
    model, t, x = slide_of()
    fit = model.fit((t, factor * x), {"b.x": "1"}, ["contacts.floor.friction"], sigma=sigma)
    assert "are the units of its column and of the time right" in " ".join(fit.warnings)
    assert "units" not in " ".join(model.fit((t, x), {"b.x": "1"}, ["contacts.floor.friction"], sigma=sigma).warnings)


def test_a_sigma_that_is_far_too_large_is_blamed():
    """The intervals are then those of the noise given: a warning says so, and none blames the recording."""
    model, t, x = slide_of()
    fit = model.fit((t, x), {"b.x": "1"}, ["contacts.floor.friction"], sigma=1.0)
    assert "is it right" in fit.warnings[0] and not any("recording does not contradict" in one for one in fit.warnings)
    assert not model.fit((t, x), {"b.x": "1"}, ["contacts.floor.friction"], sigma=1e-4).warnings
