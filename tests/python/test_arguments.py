# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What people give in place of plain numbers: texts with units, arrays without dimension, tables of pandas."""
import numpy as np
import pandas as pd
import pytest

import slipstick as ss

BLOCK = {
    "bodies": {"block": {"mass": 1}},
    "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": 1}},
    "start": {"block": {"v": 3}},
}
T = np.linspace(0, 1, 21)
X = 3 * T - 0.25 * T**2  # friction 0.5 N on 1 kg
FREE, SHOWS = ["contacts.floor.friction"], {"block.x": "x_m"}


def found(*recordings, columns=SHOWS, **options):
    given = list(recordings) if len(recordings) > 1 else recordings[0]
    return ss.Model(BLOCK).fit(given, columns, FREE, **options)


def test_times_may_have_units():
    model = ss.Model(BLOCK)
    assert model.simulate("500 ms").t_end == model.simulate(0.5).t_end == model.simulate(np.array(0.5)).t_end == 0.5
    assert model.cycle.__doc__
    for wrong, error in (("1 kg", ss.ModelError), ("soon", ss.ModelError), ([1.0], TypeError), (True, TypeError)):
        with pytest.raises(error, match="until"):
            model.simulate(wrong)
    belt = ss.load("models/stick-slip-belt.yaml")
    assert belt.scan({"bodies.belt.speed": (0.1, 0.2, 2)}, section="1 s", measure="max:block.x", skip=5, until="1 min").rows.shape == (2, 2)


def test_arrays_without_dimension_are_numbers():
    one = ss.Model(BLOCK).with_({"block.v": np.array(2.0), "contacts.floor.friction": np.float32(0.5)})
    assert one.simulate(start={"block.x": np.array(1)}).t_end == 4.0
    assert ss.Model({**BLOCK, "start": {"block": {"v": np.array(2.0)}}}).simulate().t_end == 2.0
    for wrong in (np.array([1.0, 2.0]), np.array("x"), None, [1.0]):
        with pytest.raises(TypeError, match=r"block\.v"):
            one.with_({"block.v": wrong})
    with pytest.raises(TypeError, match="path"):
        one.with_({3: 1.0})


@pytest.mark.parametrize("recording", [
    pd.DataFrame({"t": T, "x_m": X}),
    pd.DataFrame({"other": 7 + T, "x_m": X}, index=T),
    pd.DataFrame({"x_m": X}, index=pd.to_timedelta(T, unit="s")),
    pd.DataFrame({"x_m": X}, index=pd.Timestamp("2024-05-01 12:00") + pd.to_timedelta(T, unit="s")),
    pd.DataFrame({"t": T, "x_m": np.where(np.arange(21) % 5 == 2, np.nan, X)}),
    pd.Series(X, index=T),
    pd.Series(X, index=T, name="x_m"),
    {"t": T, "x_m": X},
    {"t": list(T), "x_m": pd.Series(X)},
    (pd.Series(T), pd.Series(X)),
])  # fmt: skip
def test_tables_are_recordings(recording):
    assert found(recording).values["contacts.floor.friction"] == pytest.approx(0.5, rel=1e-8)


def test_columns_of_tables_have_units_and_several_may_be_given():
    frame = pd.DataFrame({"clock": 1000 * T, "place": 1000 * X})
    fit = found(frame, frame, columns={"block.x": "place mm"}, time="clock ms")
    assert fit.values["contacts.floor.friction"] == pytest.approx(0.5, rel=1e-8) and len(fit.residuals["time"]) == 42
    with pytest.raises(ss.ModelError, match="there is no column 'plaec'.*clock, place"):
        found(frame, columns={"block.x": "plaec"})
    with pytest.raises(ValueError, match="t has 21, x_m has 3"):
        found({"t": T, "x_m": [1, 2, 3]})
    with pytest.raises(TypeError, match="DataFrame"):
        found(3)


def test_missing_samples_of_files(tmp_path):
    rows = [f"{t!r},{'NaN' if k % 4 == 1 else repr(x)}" for k, (t, x) in enumerate(zip(T.tolist(), X.tolist()))]
    (tmp_path / "a.csv").write_text("t,x_m\n" + "\n".join(rows) + "\n")
    fit = found(tmp_path / "a.csv")
    assert len(fit.residuals["time"]) == 16 and fit.values["contacts.floor.friction"] == pytest.approx(0.5, rel=1e-8)


def test_noise_of_all_columns():
    rng = np.random.default_rng(3)
    noisy = X + 0.001 * rng.standard_normal(len(X))
    plain, text, named = (found((T, noisy), sigma=s) for s in (0.001, "1 mm", {"block.x": "1 mm"}))
    assert plain.stderr == text.stderr == named.stderr
    for wrong in ("1 s", {"blok.x": 1.0}, "much"):
        with pytest.raises(ss.ModelError):
            found((T, noisy), sigma=wrong)
    with pytest.raises(TypeError, match="sigma"):
        found((T, noisy), sigma=[0.1])


def test_the_delay_is_that_of_the_command_line(tmp_path, program, models):
    """The sensor shows at t what was at t - delay: a recording that begins late by 0.1 s."""
    late = np.where(T >= 0.1, 3 * (T - 0.1) - 0.25 * (T - 0.1) ** 2, np.nan)
    np.savetxt(tmp_path / "late.csv", np.column_stack([T, late]), header="t,x", comments="", delimiter=",")
    (tmp_path / "b.yaml").write_text(
        "slipstick: 1\ntitle: b\nbodies: {block: {mass: 1 kg}}\n"
        "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}\nstart: {block: {v: 3}}\n")
    here = ss.load(tmp_path / "b.yaml").fit(tmp_path / "late.csv", {"block.x": "x"}, FREE, delay="100 ms")
    words = ["fit", tmp_path / "b.yaml", tmp_path / "late.csv", "--column", "block.x=x", "--free", FREE[0]]
    there, other = program(*words, "--delay", "100 ms"), program(*words, "--set", "clock.delay=0.1 s")
    assert here.answer["parameters"] == there["parameters"] == other["parameters"]
    assert here.values[FREE[0]] == pytest.approx(0.5, rel=1e-8)


def test_tables_in_models():
    pushed = {"bodies": {"cart": {"mass": 1}}, "start": {}}
    points = [[0.0, 1.0], [2.0, 1.0], [2.5, 0.0]]
    frame = pd.DataFrame(points, columns=["t", "F"])
    tables = [points, np.array(points), frame, frame.set_index("t"), frame.set_index("t")["F"]]
    ends = {float(ss.Model({**pushed, "forces": [{"body": "cart", "force": {"table": one}}]}).simulate(3.0)["cart.v"][-1]) for one in tables}
    assert ends == {2.25}


@pytest.mark.parametrize("make", [
    lambda model: model,
    lambda model: model.simulate(),
    lambda model: model.certify(),
    lambda model: model.basin({"block.v": (0, 1, 2)}),
    lambda model: model.run(),
    lambda model: model.fit((T, X), SHOWS, FREE),
])  # fmt: skip
def test_nothing_is_set_by_mistake(make):
    one = make(ss.Model(BLOCK))
    for name in ("friction", "until", "outcome", "nothing"):
        with pytest.raises(AttributeError, match="does not change"):
            setattr(one, name, 3)
    with pytest.raises(AttributeError):
        del one.model


def test_what_to_do_instead():
    with pytest.raises(AttributeError, match=r'with_\(\{"contacts.floor.friction": ..\}\)'):
        ss.Model(BLOCK).friction = 3
    with pytest.raises(ss.ModelError, match=r"ss\.load\('a\.yaml'\)"):
        ss.Model("a.yaml")
    with pytest.raises(ss.ModelError, match=r"there are kp, ki, kd, target"):
        ss.load("models/hunting-servo.yaml", set={"parameters.gain": 3})
    with pytest.raises(KeyError, match="there are kp, ki, kd, target"):
        ss.load("models/hunting-servo.yaml")["parameters.gain"]


def test_the_null_model_takes_part(models):
    """Without friction the place is 3 t: its likelihood is that of the residuals, and its only number is the noise."""
    free = {key: value for key, value in BLOCK.items() if key != "contacts"}
    noisy = X + 0.01 * np.random.default_rng(1).standard_normal(len(X))
    fit = found((T, noisy), versus=[ss.Model(free)])
    null = fit.ranking[1]
    assert null.values == {} and null.outcome == "converged" and null.cov.shape == (0, 0)
    off = noisy - 3 * T
    variance = np.mean(off**2)
    assert null.log_likelihood == pytest.approx(-len(T) / 2 * (np.log(2 * np.pi * variance) + 1), rel=1e-9)
    assert null.aic == pytest.approx(2 - 2 * null.log_likelihood, rel=1e-12)
    np.testing.assert_allclose(np.abs(null.residuals["residual"]), np.abs(off), atol=1e-12)
    with pytest.raises(ss.ModelError, match="none of the models"):
        ss.Model(BLOCK).fit((T, X), SHOWS, ["contacts.floor.frctn"], versus=[ss.Model(free)])
