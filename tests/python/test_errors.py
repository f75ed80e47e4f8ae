# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Every error of the interface: its type, its field, and that the model can be used afterwards."""
import math

import numpy as np
import pytest
from shared_fixtures import ROOT

import slipstick as ss

NAN, T = math.nan, np.linspace(0, 1, 5)
FREE = ["contacts.floor1.friction"]
BELT_AXIS = {"bodies.belt.speed": (0.1, 0.2, 2)}
MATRICES = {"M": [[1.0]], "C": [[0.0]], "K": [[1.0]], "W": [[1.0]], "friction": [1.0]}


def load(name):
    return ss.load(ROOT / "models" / f"{name}.yaml")


BLOCKS, SERVO, BELT, DISK = (load(name) for name in ("two-blocks", "hunting-servo", "stick-slip-belt", "disk"))

# what is done, the exception, its field
CASES = {
    # times
    "t_eval falls": (lambda: BLOCKS.simulate(10, [3, 1, 2]), ss.ModelError, "t_eval"),
    "t_eval stands still": (lambda: BLOCKS.simulate(10, [1, 1]), ss.ModelError, "t_eval"),
    "t_eval before the start": (lambda: BLOCKS.simulate(10, [-1, 1]), ss.ModelError, "t_eval"),
    "t_eval is no number": (lambda: BLOCKS.simulate(10, [0, NAN]), ss.ModelError, "t_eval"),
    "t_eval is infinite": (lambda: BLOCKS.simulate(10, [0, math.inf]), ss.ModelError, "t_eval"),
    "t_eval after the end": (lambda: BLOCKS.simulate(2, [1, 5]), ss.ModelError, "t_eval"),
    "t_eval is a table": (lambda: BLOCKS.simulate(10, [[1, 2], [3, 4]]), ss.ModelError, "t_eval"),
    "t_eval is a word": (lambda: BLOCKS.simulate(10, "noon"), ValueError, None),
    "until is negative": (lambda: BLOCKS.simulate(-1), ss.ModelError, "until"),
    "until is no number": (lambda: BLOCKS.simulate(NAN), ss.ModelError, "until"),
    # options of a motion
    "tolerance 0": (lambda: BLOCKS.simulate(tolerance=0), ss.ModelError, "tolerance"),
    "tolerance 1": (lambda: BLOCKS.simulate(tolerance=1), ss.ModelError, "tolerance"),
    "tolerance nan": (lambda: BLOCKS.simulate(tolerance=NAN), ss.ModelError, "tolerance"),
    "max_events 0": (lambda: BLOCKS.simulate(max_events=0), ss.ModelError, "max_events"),
    "escape": (lambda: BLOCKS.simulate(escape=-1), ss.ModelError, "escape"),
    "start of nobody": (lambda: BLOCKS.simulate(start={"nobody.x": 1}), ss.ModelError, "start"),
    "start nan": (lambda: BLOCKS.simulate(start={"block1.x": NAN}), ss.ModelError, "block1"),
    "start is a list": (lambda: BLOCKS.simulate(start=[1, 2]), TypeError, None),
    "start is nothing": (lambda: BLOCKS.simulate(start={"block1.x": None}), TypeError, None),
    "start with a wrong unit": (lambda: BLOCKS.simulate(start={"block1.x": "1 s"}), ss.ModelError, "start.block1.x"),
    "derivative by nothing": (lambda: BLOCKS.simulate(derivative=["nope"]), ss.ModelError, "nope"),
    "derivative by a number": (lambda: BLOCKS.simulate(derivative=[3]), TypeError, None),
    "derivative of a slider": (lambda: DISK.simulate(derivative=["slider.mass"]), ValueError, None),
    # changes
    "no such parameter": (lambda: BLOCKS.with_({"parameters.nope": 1}), ss.ModelError, "parameters"),
    "no such key": (lambda: BLOCKS.with_({"nothing": 1}), ss.ModelError, "nothing"),
    "wrong unit": (lambda: BLOCKS.with_({"contacts.floor1.friction": "1 kg"}), ss.ModelError, "contacts.floor1.friction"),
    "negative friction": (lambda: BLOCKS.with_({"contacts.floor1.friction": -1}), ss.ModelError, "contacts.floor1.friction"),
    "change is nothing": (lambda: BLOCKS.with_({"contacts.floor1.friction": None}), TypeError, None),
    "changes are a list": (lambda: BLOCKS.with_(["contacts.floor1.friction"]), TypeError, None),
    # making models
    "a number is no model": (lambda: ss.Model(3), TypeError, None),
    "bytes are no model": (lambda: ss.loads(b"slipstick: 1"), TypeError, None),
    "an empty dict": (lambda: ss.Model({}), ss.ModelError, "bodies"),
    "an empty text": (lambda: ss.loads(""), ss.ModelError, None),
    "no YAML": (lambda: ss.loads("a: [1"), ss.ModelError, None),
    "no such file": (lambda: ss.load("nowhere.yaml"), FileNotFoundError, None),
    "a folder": (lambda: ss.load(ROOT / "models"), IsADirectoryError, None),
    "M is not square": (lambda: ss.Model.matrices(**{**MATRICES, "M": [[1, 2]]}), ss.ModelError, "matrices.M[0]"),
    "M is not positive": (lambda: ss.Model.matrices(**{**MATRICES, "M": [[-1]]}), ss.ModelError, "matrices.M"),
    "M is missing": (lambda: ss.Model.matrices(**{**MATRICES, "M": None}), ss.ModelError, "matrices.M"),
    "friction is missing": (lambda: ss.Model.matrices(**{**MATRICES, "friction": ()}), ss.ModelError, "matrices.friction"),
    "M is a word": (lambda: ss.Model.matrices(**{**MATRICES, "M": "a"}), ValueError, None),
    # asking solutions
    "no such row": (lambda: BLOCKS.simulate(1)["block3.x"], KeyError, None),
    "no such force": (lambda: BLOCKS.simulate(1).force["floor9"], KeyError, None),
    "no such mode": (lambda: BLOCKS.simulate(1).mode["floor9"], KeyError, None),
    "no such state": (lambda: BLOCKS.simulate(1).state["sum"], KeyError, None),
    "no such displacement": (lambda: BLOCKS.simulate(1).displacement["floor9"], KeyError, None),
    "no such plot": (lambda: BLOCKS.simulate(1).plot("nope"), ValueError, None),
    "no loop of a slider": (lambda: DISK.simulate(1).plot("loop"), ValueError, None),
    "no such view": (lambda: BLOCKS.simulate(1).picture("nope"), ValueError, None),
    "no such picture": (lambda: BLOCKS.picture("surface"), ValueError, None),
    # runs
    "no such input": (lambda: BLOCKS.run().set_input("x", 1), KeyError, None),
    "an input of a slider": (lambda: DISK.run().set_input("x", 1), KeyError, None),
    "an input that is no number": (lambda: SERVO.run().set_input("disturbance", NAN), ss.ModelError, "disturbance"),
    "an input that is a word": (lambda: SERVO.run().set_input("disturbance", "much"), ValueError, None),
    "back": (lambda: BLOCKS.run().advance(-1), ValueError, None),
    "a time that is a length": (lambda: BLOCKS.run().advance("1 m"), ss.ModelError, "dt"),
    "a time that is a list": (lambda: BLOCKS.run().advance([1]), TypeError, None),
    "bytes of nothing": (lambda: BLOCKS.run().load(b"abc"), ss.ModelError, None),
    "bytes cut short": (lambda: BLOCKS.run().load(BLOCKS.run().save()[:-8]), ss.ModelError, "buffer"),
    "a run of another model": (lambda: BLOCKS.run().load(SERVO.run().save()), ss.ModelError, "buffer"),
    "a run of other settings": (lambda: BLOCKS.run(tolerance=1e-8).load(BLOCKS.run().save()), ss.ModelError, "buffer"),
    "words for bytes": (lambda: BLOCKS.run().load("abc"), TypeError, None),
    "the force of a support": (lambda: DISK.run().force("support1"), KeyError, None),
    "no such number now": (lambda: DISK.run()["foo"], KeyError, None),
    "no such contact now": (lambda: BLOCKS.run().mode("floor9"), KeyError, None),
    "a run without events": (lambda: BLOCKS.run(max_events=0), ss.ModelError, "max_events"),
    # certificates
    "certify a slider": (lambda: DISK.certify(), TypeError, None),
    "certify at half a place": (lambda: BLOCKS.certify(at=[1]), ValueError, None),
    # maps
    "a map over nothing": (lambda: BLOCKS.basin({}), ss.ModelError, "axes"),
    "a map of nobody": (lambda: BLOCKS.basin({"nope.x": (-1, 1, 3)}), ss.ModelError, None),
    "an axis of one number": (lambda: BLOCKS.basin({"block1.x": (1,)}), ss.ModelError, "block1.x"),
    "an axis of no values": (lambda: BLOCKS.basin({"block1.x": (-1, 1, 0)}), ss.ModelError, "block1.x"),
    "an axis of half a value": (lambda: BLOCKS.basin({"block1.x": (-1, 1, 2.5)}), ss.ModelError, "block1.x"),
    "an axis without a count": (lambda: BLOCKS.basin({"block1.x": (-1, 1)}), ss.ModelError, "block1.x"),
    "an axis from nowhere": (lambda: BLOCKS.basin({"block1.x": (NAN, 1, 3)}), ss.ModelError, "block1.x"),
    "an axis in words": (lambda: BLOCKS.basin({"block1.x": "-1:1:3"}), ss.ModelError, "block1.x"),
    "axes as a list": (lambda: BLOCKS.basin([("block1.x", -1, 1, 3)]), TypeError, None),
    "random starts below 0": (lambda: BLOCKS.basin({"block1.x": (-1, 1)}, random=-4), ss.ModelError, "random"),
    "a map of a slider over no number of it": (lambda: DISK.basin({"vx": (0, 1, 3)}), ss.ModelError, None),
    # cycles and branches
    "a period below 0": (lambda: BELT.cycle(period=-1), ss.ModelError, "period"),
    "a cycle near nobody": (lambda: BELT.cycle(near={"foo.x": 1}), ss.ModelError, "start"),
    "a cycle of a slider": (lambda: DISK.cycle(), TypeError, None),
    "no cycle": (lambda: ss.Model.matrices(**MATRICES).cycle(), ss.RunError, None),
    "a branch over nothing": (lambda: SERVO.follow("nope", 1, 2), ss.ModelError, "nope"),
    "an empty range": (lambda: SERVO.follow("contacts.guide.static", 12, 12), ss.ModelError, "contacts.guide.static"),
    "a branch of a slider": (lambda: DISK.follow("slider.mass", 1, 2), TypeError, None),
    # scans
    "a scan of nothing": (lambda: BELT.scan({}), ss.ModelError, "show"),
    "no such section": (lambda: BELT.scan(BELT_AXIS, section="foo", show="block.x"), ss.ModelError, "section"),
    "no period": (lambda: BELT.scan(BELT_AXIS, show="block.x"), ss.ModelError, "section"),
    "show nothing": (lambda: BELT.scan(BELT_AXIS, section="1 s", show="foo"), ss.ModelError, "show"),
    "no such measure": (lambda: BELT.scan(BELT_AXIS, section="1 s", measure="foo:block.x"), ss.ModelError, "measure"),
    "show and measure": (lambda: BELT.scan(BELT_AXIS, section="1 s", show="block.x", measure="period"), ss.ModelError, "measure"),
    "carry left": (lambda: BELT.scan(BELT_AXIS, section="1 s", show="block.x", carry="left"), ss.ModelError, "carry"),
    "skip below 0": (lambda: BELT.scan(BELT_AXIS, section="1 s", show="block.x", skip=-1), ss.ModelError, "skip"),
    "a scan without a count": (lambda: BELT.scan({"bodies.belt.speed": (0.1, 0.2)}, section="1 s", show="block.x"), ss.ModelError, "bodies.belt.speed"),
    "no such column": (lambda: BELT.scan(BELT_AXIS, section="1 s", show="block.x", skip=1, keep=1)["foo"], KeyError, None),
    # fits
    "no recording": (lambda: BLOCKS.fit("nofile.csv", {"block1.x": "x"}, FREE), FileNotFoundError, None),
    "a number is no recording": (lambda: BLOCKS.fit(3, {"block1.x": "x"}, FREE), TypeError, None),
    "a column of nobody": (lambda: BLOCKS.fit((T, T), {"foo.x": "1"}, FREE), ss.ModelError, "foo.x"),
    "nobody free": (lambda: BLOCKS.fit((T, T), {"block1.x": "1"}, ["contacts.floor9.friction"]), ss.ModelError, "contacts"),
    "nothing free": (lambda: BLOCKS.fit((T, T), {"block1.x": "1"}, []), ss.ModelError, "free"),
    "half a bound": (lambda: BLOCKS.fit((T, T), {"block1.x": "1"}, [("contacts.floor1.friction", 1)]), ss.ModelError, "free"),
    "bounds without room": (lambda: BLOCKS.fit((T, T), {"block1.x": "1"}, [(*FREE, 2, 1)]), ss.ModelError, FREE[0]),
    "a recording of another length": (lambda: BLOCKS.fit((T, T[:4]), {"block1.x": "1"}, FREE), ValueError, None),
    "a recording of one column": (lambda: BLOCKS.fit((T, T), {"block1.x": "1", "block2.x": "2"}, FREE), ValueError, None),
    "a recording without samples": (lambda: BLOCKS.fit((T, T * NAN), {"block1.x": "1"}, FREE), ss.ModelError, "recording 1"),
    "time runs back": (lambda: BLOCKS.fit((T[::-1], T), {"block1.x": "1"}, FREE), ss.ModelError, "time"),
    "no such loss": (lambda: BLOCKS.fit((T, T), {"block1.x": "1"}, FREE, loss="cubes"), ss.ModelError, "loss"),
    "a fit of a slider": (lambda: DISK.fit((T, T), {"x": "1"}, ["slider.mass"]), TypeError, None),
    # sliders
    "the load of bodies": (lambda: BLOCKS.load((1, 0, 0)), TypeError, None),
    "a motion of two numbers": (lambda: DISK.load((1, 0)), ss.ModelError, "motion"),
    "the load of rest": (lambda: DISK.load((0, 0, 0)), ss.ModelError, "motion"),
    "the load of nan": (lambda: DISK.load((NAN, 0, 0)), ss.ModelError, "motion"),
    "a push of nan": (lambda: DISK.first_motion((NAN, 0, 0)), ss.ModelError, "applied"),
    "a push of four numbers": (lambda: DISK.first_motion((1, 2, 3, 4)), ss.ModelError, "applied"),
    "ways of bodies": (lambda: BLOCKS.eigen_directions(), TypeError, None),
    "a surface of bodies": (lambda: BLOCKS.surface(), TypeError, None),
    "a surface of no triangles": (lambda: DISK.surface(n=0), ss.ModelError, "fineness"),
    "a surface too fine": (lambda: DISK.surface(n=10**5), ss.ModelError, "fineness"),
    "starts of three numbers": (lambda: DISK.batch([[1, 2, 3]]), ValueError, None),
    "one start in a row": (lambda: DISK.batch([0, 0, 0, 1, 0, 0]), ValueError, None),
    "a start of nan": (lambda: DISK.batch([[0, 0, 0, NAN, 0, 0]]), ss.ModelError, "start"),
    "a batch of bodies": (lambda: BLOCKS.batch([[0, 0, 0, 1, 0, 0]]), TypeError, None),
    # laws
    "LuGre without a level": (lambda: ss.LuGre(sigma0=1e5), ss.ModelError, "coulomb"),
    "Dahl without stiffness": (lambda: ss.Dahl(sigma0=0, coulomb=1), ss.ModelError, "sigma0"),
    "Coulomb below 0": (lambda: ss.Coulomb(-1.0), ss.ModelError, "forward"),
    "Stribeck that rises": (lambda: ss.Stribeck(coulomb=2, static=1, stribeck_speed=0.1), ss.ModelError, "static"),
    "a step back in time": (lambda: ss.LuGre(1e5, coulomb=1).step(1.0, -1), ss.ModelError, "dt"),
    "a step of no time": (lambda: ss.LuGre(1e5, coulomb=1).step(1.0, NAN), ss.ModelError, "dt"),
    "a speed in words": (lambda: ss.LuGre(1e5, coulomb=1).step("fast", 1), ValueError, None),
    "a stop on both sides": (lambda: ss.HuntCrossley(above=0, below=1, stiffness=1), TypeError, None),
    "a stop nowhere": (lambda: ss.ElasticStop(stiffness=1), TypeError, None),
    "a soft stop": (lambda: ss.ElasticStop(above=0, stiffness=-1), ss.ModelError, "stiffness"),
    "no elements": (lambda: ss.MaxwellSlip([]), ValueError, None),
    "shares of more than all": (lambda: ss.GMS([[1, 0.9], [1, 0.9]], 1.0, 1.0), ss.ModelError, None),
    "a deflection in words": (lambda: setattr(ss.Dahl(1, 1), "z", "far"), TypeError, None),
}  # fmt: skip


@pytest.mark.parametrize("what", CASES)
def test_error(what):
    act, kind, field = CASES[what]
    with pytest.raises(kind) as told:
        act()
    assert type(told.value) is kind or (kind is ValueError and isinstance(told.value, ValueError))
    assert str(told.value) and "--" not in str(told.value).split(":")[0]
    if field is not None:
        assert told.value.field == field


def test_models_go_on_after_all_that():
    assert BLOCKS.simulate().outcome == "at-rest" and DISK.simulate().outcome == "at-rest"
    assert SERVO.simulate(1.0).outcome == "time-reached" and BELT.simulate(1.0).outcome == "time-reached"


def test_what_may_be_left_out():
    assert BLOCKS.simulate(t_eval=[]).y.shape == (4, 0)
    assert BLOCKS.simulate(t_eval=5.0).t.tolist() == [5.0]
    assert BLOCKS.simulate(t_eval=range(3)).t.tolist() == [0, 1, 2]
    assert SERVO.simulate(t_eval=[1, 8]).t.tolist() == [1, 8]  # beyond what the model says
    assert BLOCKS.simulate(math.inf).t_end == BLOCKS.simulate().t_end
    assert DISK.batch(np.zeros((0, 6))).shape == (0, 6)
    assert ss.LuGre(1e5, coulomb=1).step(np.zeros((2, 3)), 1.0).shape == (2, 3)
    assert BLOCKS.simulate(start={"block1.x": np.float32(1)}).t_end == BLOCKS.simulate(start={"block1.x": 1}).t_end
