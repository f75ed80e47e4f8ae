# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Matrices from NumPy, SciPy and files: the same numbers, however they come; and reduced ones."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.io
import scipy.linalg
import scipy.sparse
import slipstick as ss


def bar(elements=40):
    """A clamped bar: a tridiagonal M, and K."""
    n = elements
    mass = scipy.sparse.diags([1 / 6, 4 / 6, 1 / 6], [-1, 0, 1], (n, n)).tolil() / n
    pull = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], (n, n)).tolil() * n
    mass[-1, -1] = 2 / 6 / n
    pull[-1, -1] = n
    return mass.tocsr(), pull.tocsr()


FRICTION = {"tip": {"between": ["tip", "ground"], "law": "coulomb", "friction": 0.1}}
PUSH = [{"body": "tip", "force": "0.3 N*cos(2 rad/s*t)"}]


def build(M, K, **more):
    return ss.Model.matrices(M, K=K, names={"tip": 40}, contacts=FRICTION, forces=PUSH, **more)


def assert_alike(one, other):
    a, b = (model.simulate(until=3.0) for model in (one, other))
    assert len(a.events) == len(b.events) > 0
    assert a.answer["state"] == b.answer["state"]


def test_sparse_and_whole_arrays_are_the_same():
    M, K = bar()
    whole = build(M.toarray(), K.toarray())
    for form in (scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_matrix, scipy.sparse.dia_matrix):
        assert_alike(build(form(M), form(K)), whole)
    assert_alike(build(np.asfortranarray(M.toarray()), K.toarray().astype(np.float32)), whole)
    assert_alike(pickle.loads(pickle.dumps(build(M, K))), whole)


def test_files_are_the_same(tmp_path):
    M, K = bar()
    whole = build(M, K)
    at = str(tmp_path)
    scipy.io.mmwrite(f"{at}/K.mtx", K, symmetry="symmetric", precision=17)
    scipy.io.mmwrite(f"{at}/M.mtx", M, symmetry="general", precision=17)
    scipy.io.mmwrite(f"{at}/whole.mtx", K.toarray(), symmetry="general", precision=17)
    np.save(f"{at}/M.npy", M.toarray())
    np.save(f"{at}/K.npy", np.asfortranarray(K.toarray()))
    scipy.io.savemat(f"{at}/both.mat", {"M": M, "K": K}, do_compression=True)
    scipy.io.savemat(f"{at}/one.mat", {"K": K.toarray()})
    for mass, pull in (
        ({"file": f"{at}/M.mtx"}, {"file": f"{at}/K.mtx"}),
        ({"file": f"{at}/M.npy"}, {"file": f"{at}/whole.mtx"}),
        ({"file": f"{at}/M.npy"}, {"file": f"{at}/K.npy"}),
        ({"file": f"{at}/both.mat", "variable": "M"}, {"file": f"{at}/both.mat", "variable": "K"}),
        (M, {"file": f"{at}/one.mat"}),
    ):
        assert_alike(build(mass, pull), whole)


@pytest.mark.parametrize(
    ("variable", "words"),
    [("L", "has no variable 'L'; expected M, K"), (None, "has several matrices; name one: variable: M, K"),
     ("text", "'text' is not a matrix of real numbers"), ("complex", "'complex' is not a matrix of real numbers")],
)  # fmt: skip
def test_mat_files_say_what_they_lack(tmp_path, variable, words):
    M, K = bar()
    numbers = {"M": M, "K": K, "text": "a", "complex": np.array([[1j]])}
    scipy.io.savemat(tmp_path / "a.mat", numbers, do_compression=variable is None)
    given = {"file": str(tmp_path / "a.mat"), **({"variable": variable} if variable else {})}
    with pytest.raises(ss.ModelError, match=words):
        build(M, given)


def test_files_that_are_cut_off_are_refused(tmp_path):
    M, K = bar()
    scipy.io.savemat(tmp_path / "z.mat", {"K": K}, do_compression=True)
    scipy.io.savemat(tmp_path / "a.mat", {"K": K.toarray()})
    np.save(tmp_path / "a.npy", K.toarray())
    for name in ("z.mat", "a.mat", "a.npy"):
        whole = (tmp_path / name).read_bytes()
        for share in range(1, 12):
            (tmp_path / name).write_bytes(whole[: len(whole) * share // 12])
            with pytest.raises(ss.ModelError, match=name):
                build(M, {"file": str(tmp_path / name)})


def test_reduced_models_have_the_frequencies_of_the_kept_and_the_modes():
    M, K = bar()
    model = build(M, K, reduce={"keep": ["tip"], "modes": 6})
    inner = scipy.linalg.eigh(K[:-1, :-1].toarray(), M[:-1, :-1].toarray(), eigvals_only=True)
    told = model.check()
    assert told["first_left_out"] == pytest.approx(np.sqrt(inner[6]) / 2 / np.pi, rel=1e-11)
    whole = np.sqrt(scipy.linalg.eigh(K.toarray(), M.toarray(), eigvals_only=True)) / 2 / np.pi
    np.testing.assert_allclose(told["frequencies"][:3], whole[:3], rtol=5e-3)
    assert len(told["frequencies"]) == 7
    assert min(np.array(told["frequencies"]) - whole[:7]) > 0  # constraints make it stiffer


def test_what_is_not_kept_follows_and_answers():
    M, K = bar()
    model = build(M, K, reduce={"keep": ["tip"], "modes": 39})
    whole, reduced = build(M, K).simulate(until=3.0), model.simulate(until=3.0)
    for name in ("q1", "q20", "tip"):
        assert reduced.answer["state"][name] == pytest.approx(whole.answer["state"][name], abs=1e-10)
    with pytest.raises(ss.ModelError, match="'q1' is not kept"):
        model.with_({"q1.x": 1})


def test_large_ones_are_read_at_once():
    n = 30000
    K = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], (n, n)).tocsr() * n
    M = scipy.sparse.eye(n, format="csr") / n
    model = ss.Model.matrices(M, K=K, names={"mid": n // 2}, reduce={"keep": ["mid"], "modes": 5})
    assert model.coordinates == ["mid", "mode1", "mode2", "mode3", "mode4", "mode5"]
    k = np.array([2, 4, 6, 8])  # a held string of length 1, held in its middle, too
    assert model.check()["first_left_out"] == pytest.approx(3.0, rel=1e-3)
    assert np.isclose(model.check()["frequencies"][1], k[0] / 2, rtol=1e-3)


def test_a_mass_matrix_that_couples_everything_says_what_to_do():
    n = 2500
    M = scipy.sparse.diags([0.1, 1.0, 0.1], [-1, 0, 1], (n, n)).tocsr()
    with pytest.raises(ss.ModelError, match="reduce them"):
        ss.Model.matrices(M, K=scipy.sparse.eye(n, format="csr"))
