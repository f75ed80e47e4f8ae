# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Laws that a model writes itself: built-in laws written as text move like the built-in ones."""
import copy
import random

import numpy as np
import pytest

import slipstick as ss

LEVEL = "(coulomb + (static - coulomb)*exp(-(abs(v)/speed)^2))"
TEXTS = {
    "lugre": {
        "keys": {"sigma0": "90 N/m", "sigma1": "0.8 N*s/m", "sigma2": "0.1 N*s/m", "coulomb": "0.6 N", "static": "1 N", "speed": "0.3 m/s"},
        "states": {"z": {"rate": f"v - abs(v)*sigma0*z/{LEVEL}"}},
        "force": f"-(sigma0*z + sigma1*(v - sigma0*abs(v)*z/{LEVEL}) + sigma2*v)",
        "stored": "sigma0*z^2/2",
    },
    "dahl": {
        "keys": {"sigma0": "60 N/m", "coulomb": "0.7 N"},
        "states": {"z": {"rate": "v*(1 - sign(v)*sigma0*z/coulomb)"}},
        "force": "-sigma0*z",
        "stored": "sigma0*z^2/2",
    },
    "bouc-wen": {
        "keys": {"stiffness": "50 N/m", "level": "0.6 N", "beta": 0.7, "gamma": 0.2},
        "states": {"z": {"rate": "v - stiffness/level*(beta*abs(v)*z + gamma*v*abs(z))/(beta + gamma)"}},
        "force": "-(stiffness*z)",
        "stored": "stiffness*z*z/2",
    },
}
BUILT_IN = {"speed": "stribeck_speed"}


def pair(law, draw):
    """The same model twice: with the law built in, and as text."""
    text = TEXTS[law]
    numbers = {}
    for key, value in text["keys"].items():
        value, _, unit = str(value).partition(" ")
        numbers[key] = f"{float(value) * draw.uniform(0.8, 1.2):.6g} {unit}".strip()
    contact = {"between": ["m1", "ground"], "law": law, **{BUILT_IN.get(key, key): n for key, n in numbers.items()}}
    model = {
        "bodies": {"m1": {"mass": 0.7}, "m2": {"mass": 1.1}},
        "connections": [{"between": ["m1", "ground"], "stiffness": "12 N/m", "damping": "0.05 N*s/m"},
                        {"between": ["m2", "m1"], "stiffness": "30 N/m"}],
        "forces": [{"body": "m1", "force": f"{draw.uniform(1, 3):.4g} N*sin(3 rad/s*t) + 0.4 N"}],
        "contacts": {"f": contact},
        "start": {"m1": {"x": draw.uniform(-0.2, 0.2), "v": draw.choice([0, 0.5])}},
        "run": {"until": 6},
    }  # fmt: skip
    own = copy.deepcopy(model)
    own["laws"] = {"mine": text}
    own["contacts"]["f"] = {"between": ["m1", "ground"], "law": "mine", **numbers}
    return ss.Model(model), ss.Model(own)


@pytest.mark.parametrize("law", TEXTS)
def test_a_text_moves_like_the_law(law):
    for seed in range(6):
        one, other = pair(law, random.Random(seed))
        t = np.linspace(0, 6, 25)
        a, b = one.simulate(t_eval=t, tolerance=1e-12), other.simulate(t_eval=t, tolerance=1e-12)
        for name in ("m1.x", "m1.v", "m2.x", "m2.v"):
            np.testing.assert_allclose(b[name], a[name], rtol=0, atol=1e-10)
        np.testing.assert_allclose(b.deflection["f"], a.deflection["f"], rtol=0, atol=1e-10)
        assert [e.after for e in a.events] == [e.after for e in b.events] and len(a.events) > 3
        np.testing.assert_allclose([e.t for e in b.events], [e.t for e in a.events], rtol=0, atol=1e-9)
        assert a.energy.friction == pytest.approx(b.energy.friction, abs=1e-9)
        assert abs(b.energy.residual) < 1e-10


@pytest.mark.parametrize("law", TEXTS)
def test_derivatives_by_its_numbers(law):
    one, other = pair(law, random.Random(3))
    for key in TEXTS[law]["keys"]:
        a = one.simulate(derivative=[f"contacts.f.{BUILT_IN.get(key, key)}"], tolerance=1e-12)
        b = other.simulate(derivative=[f"contacts.f.{key}"], tolerance=1e-12)
        for name in ("m1.x", "m2.v"):
            one_of, other_of = (next(iter(s.derivative.values()))[name] for s in (a, b))
            assert other_of == pytest.approx(one_of, rel=1e-7, abs=1e-9), (key, name)


# -c v|v| - h x^3 is a quadratic damper in a force beside a cubic spring.
def test_a_law_that_knows_the_place():
    body = {"bodies": {"m": {"mass": 0.7}}, "start": {"m": {"x": 0.3, "v": 0.5}}, "run": {"until": 5}}
    spring = {"between": ["m", "ground"], "stiffness": "12 N/m"}
    one = ss.Model({**body, "connections": [{**spring, "cubic": "30 N/m^3"}],
                    "forces": [{"body": "m", "force": "-(0.5 N*s^2/m^2)*m.v*abs(m.v)"}]})  # fmt: skip
    drag = {"keys": {"c": "0.5 N*s^2/m^2", "h": "30 N/m^3"}, "states": {"z": {"rate": "v - z/(0.1 s)"}}, "force": "-c*v*abs(v) - h*x^3", "stored": "h*x^4/4"}
    other = ss.Model({**body, "connections": [spring], "laws": {"drag": drag},
                      "contacts": {"d": {"between": ["m", "ground"], "law": "drag"}}})  # fmt: skip
    a, b = one.simulate(tolerance=1e-12), other.simulate(tolerance=1e-12)
    assert b["m.x"][-1] == pytest.approx(a["m.x"][-1], abs=1e-11)
    assert b["m.v"][-1] == pytest.approx(a["m.v"][-1], abs=1e-11)
    assert b.energy.friction > 0.1 and abs(b.energy.residual) < 1e-12


def test_maps_scans_and_cycles_take_it():
    one, other = pair("dahl", random.Random(1))
    a, b = (m.basin({"m1.x": (-0.2, 0.2, 3), "m1.v": (-0.5, 0.5, 3)}, until=4.0, threads=1) for m in (one, other))
    np.testing.assert_allclose(b.final["m1.x"], a.final["m1.x"], rtol=0, atol=1e-8)
    again = ss.Model(other.source) if hasattr(other, "source") else other
    assert again.simulate()["m1.x"][-1] == pytest.approx(one.simulate()["m1.x"][-1], abs=1e-8)
