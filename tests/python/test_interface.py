# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""The interface as a whole: what the contract names is there, documented with examples, typed, and lean to import."""
import functools
import inspect
import os
import subprocess
import sys
import typing

import pytest
from shared_fixtures import ROOT

import slipstick as ss


def public():
    """(name, thing) of everything that people may use."""
    for name in ss.__all__:
        thing = getattr(ss, name)
        if name == "__version__":
            continue
        yield name, thing
        for base in thing.__mro__ if inspect.isclass(thing) else ():
            for key, member in vars(base).items() if base.__module__.startswith("slipstick") else ():
                call = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
                if not key.startswith("_") and (inspect.isfunction(call) or isinstance(member, (property, functools.cached_property))):
                    yield f"{name}.{key}", member


PUBLIC = dict(public())


@pytest.mark.parametrize("name", PUBLIC)
def test_every_docstring_has_an_example(name):
    told = inspect.getdoc(PUBLIC[name])
    assert told and ">>>" in told


@pytest.mark.parametrize("name", [name for name in PUBLIC if "." in name])
def test_every_argument_has_a_type(name):
    member = PUBLIC[name]
    call = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
    words = inspect.signature(call)
    assert words.return_annotation is not inspect.Signature.empty
    for argument in list(words.parameters.values()):
        assert argument.name in ("self", "cls") or argument.annotation is not inspect.Parameter.empty, argument


CONTRACT = {
    "Model": "matrices simulate run certify basin cycle follow scan fit load first_motion eigen_directions surface batch",
    "Solution": "t y names force mode state signal derivative limit events t_events energy notes plot to_pandas to_xarray",
    "Run": "set_input advance t events save load",
    "Certificate": "verdict rho_star vertices",
    "Basin": "outcome t_rest final plot",
    "Fit": "values stderr cov warnings model",
    "Cycle": "period amplitude multipliers stable",
    "LuGre": "step",
}


@pytest.mark.parametrize("kind", CONTRACT)
def test_what_the_contract_names_is_there(kind):
    for name in CONTRACT[kind].split():
        assert f"{kind}.{name}" in PUBLIC
    assert set(typing.get_type_hints(ss.Solution)) >= {"outcome", "t_end", "settles"}


def run(code, **environment):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_only_numpy_comes_with_it():
    others = ("matplotlib", "pandas", "xarray", "scipy", "IPython")
    assert run(f"import sys, slipstick; print([m for m in {others} if m in sys.modules])").strip() == "[]"


def test_the_module_is_the_program():
    done = subprocess.run([sys.executable, "-m", "slipstick", "--version"], capture_output=True, text=True, check=True)
    assert ss.__version__ in done.stdout
    model = str(ROOT / "models" / "block-on-floor.yaml")
    here, there = (subprocess.run([*words, "simulate", model, "--json"], capture_output=True, check=True).stdout
                   for words in ([sys.executable, "-m", "slipstick"], [os.environ["SLIPSTICK_PROGRAM"]]))  # fmt: skip
    assert here == there
    wrong = subprocess.run([sys.executable, "-m", "slipstick", "simulate"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and wrong.stderr


def test_a_missing_library_is_named():
    from slipstick import _needs

    told = _needs.advise(ImportError("libfyaml.so.0: cannot open shared object file"))
    assert "apt install libfyaml0" in str(told)
    other = ImportError("something else")
    assert _needs.advise(other) is other


USER = '''
import numpy as np
import slipstick as ss

model = ss.load("two-blocks.yaml", set={"parameters.mu": 0.2})
sol = model.simulate(until=200, t_eval=np.linspace(0, 200, 11), start={"block1.x": 4}, derivative=["parameters.mu"])
x: np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None = None
place: float = float(sol["block1.x"][-1])
mode: str = str(sol.mode["floor1"][0])
late: dict[str, ss.Solution] = {"one": sol}
outcome: str = sol.outcome
for event in sol.events:
    when: float = event.t
run = model.run()
run.set_input("disturbance", 3.0)
reached: str = run.advance(0.001)
with model.run() as other:
    blob: bytes = other.save()
m = model.basin({"block1.x": (-10, 10, 401), "block2.x": (-10, 10, 401)}, threads=2)
rests: int = m.counts["rest"]
fit = model.fit("recording.csv", columns={"disk.x": "position_m"}, free=["contacts.frame.stiffness", ("a.b", 0, 1)])
better: ss.Model = fit.model
force: float = ss.LuGre(sigma0=1e5, coulomb=1.0).step(0.1, 0.001)
forces = ss.LuGre(sigma0=1e5, coulomb=1.0).step(np.zeros(3), 0.001)
total: float = float(forces.sum())
cycle: ss.Cycle = model.cycle(near={"block.x": 2.6})
branch = model.follow("parameters.mu", 0.1, 0.5, near={"block.x": "2.6 m"}, progress=print)
loads, motions, triangles = model.surface(n=40)
'''
WRONG = '''
import slipstick as ss

ss.load(3)
ss.Model.matrices(M=[[1]]).simulate(until=[10])
ss.loads("x").simulate().nothing
'''


def test_types(tmp_path):
    """mypy --strict has nothing to say of the package or of a user's program, and finds what is wrong with one."""
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    folder = os.path.dirname(os.path.dirname(ss.__file__))
    command = ["/usr/bin/mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), "--no-error-summary",
               "--cache-dir", os.path.join(folder, ".mypy_cache"), str(tmp_path / "user.py"), str(tmp_path / "wrong.py"),
               os.path.dirname(ss.__file__)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, "MYPYPATH": folder})
    lines = [line for line in done.stdout.splitlines() if "error:" in line]
    assert {line.split(":")[1] for line in lines if "wrong.py" in line} == {"4", "5", "6"}, done.stdout
    assert not [line for line in lines if "wrong.py" not in line], done.stdout
