# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Whatever is given as a model either loads or raises ModelError with a field; and what is made can be thrown away."""
import gc
import resource

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import slipstick as ss

NAMES = st.sampled_from(["a", "b", "block", "ground", "x", "t", "", "a.b", "\u00fc"])
WORDS = st.sampled_from([
    "1 kg", "2 N", "1 N/m", "0.5", "-1", "inf", "nan", "1 parsec", "2*pi*t", "block.x", "block.v + t", "sin(t) N",
    "coulomb", "lugre", "gms", "rigid-stop", "elastic", "", "1 kg*", "((", "ground",
])  # fmt: skip
SCALARS = WORDS | st.floats(allow_nan=True, allow_infinity=True) | st.integers(-3, 10**20) | st.booleans() | st.none()
KEYS = st.sampled_from([
    "slipstick", "title", "parameters", "bodies", "connections", "contacts", "forces", "start", "run", "states",
    "signals", "inputs", "sampled", "potentials", "matrices", "slider", "until", "mass", "law", "friction", "between",
    "stiffness", "force", "rate", "every", "memory", "at_tick", "M", "K", "nonsense",
])  # fmt: skip
TREES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | NAMES, inner, max_size=4),
                     max_leaves=12)  # fmt: skip


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(KEYS, TREES, max_size=6))
def test_any_dict_loads_or_tells_its_fault(tree):
    try:
        ss.Model(tree)
    except ss.ModelError as error:
        assert error.field is not None and str(error)


GOOD = {
    "bodies": {"block": {"mass": "1 kg"}},
    "connections": [{"between": ["block", "ground"], "stiffness": "1 N/m"}],
    "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": "1 N"}},
    "start": {"block": {"x": "4 m"}},
}


def places(tree, path=()):
    """Every place of a tree that holds something."""
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield (*path, key)
        if isinstance(value, (dict, list)):
            yield from places(value, (*path, key))


def changed(tree, path, value):
    """A copy of the tree with another value at a place."""
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[path[0]] = value if len(path) == 1 else changed(tree[path[0]], path[1:], value)
    return copy


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(places(GOOD), key=str)), TREES)
def test_a_good_model_with_one_thing_changed(path, value):
    try:
        model = ss.Model(changed(GOOD, path, value))
    except ss.ModelError as error:
        assert error.field is not None and str(error)
    else:
        assert np.isfinite(model.simulate(until=1.0, max_events=1000).t_end)


@pytest.mark.parametrize("kind", ["model", "solution", "run", "law"])
def test_ten_thousand_of_them_take_no_room(kind):
    make = {
        "model": lambda: ss.Model(GOOD),
        "solution": lambda model=ss.Model(GOOD): model.simulate(),
        "run": lambda model=ss.Model(GOOD): model.run().advance(0.1),
        "law": lambda: ss.GMS([[1e4, 0.7], [1e3, 0.3]], 1.0, 20.0).step(0.1, 0.1),
    }[kind]

    def many(count):
        for _ in range(count):
            make()
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB

    before = many(500)
    assert many(2000 if kind == "model" else 10000) - before < 4096
