# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""The library's own pictures: the bytes that the command line draws."""
import os
import re
import subprocess

import pytest

import slipstick as ss

MOTIONS = [("two-blocks", "time"), ("two-blocks", "phase"), ("hysteresis", "loop"), ("struck-disk", "impact"),
           ("disk", "path"), ("disk", "surface"), ("bar", "sphere")]  # fmt: skip


def drawn(folder, *words):
    """What the command line writes to a file."""
    path = folder / "picture.svg"
    command = [os.environ["SLIPSTICK_PROGRAM"], *map(str, words), "--plot", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return re.sub(rb"(<metadata>Slipstick [^:<]*):[^<]*", rb"\1", path.read_bytes())  # what was typed is not Python's


@pytest.mark.parametrize(("model", "view"), MOTIONS)
def test_a_motion_is_drawn_as_by_the_command_line(models, tmp_path, model, view):
    file = models / f"{model}.yaml"
    picture = ss.load(file).simulate().picture(view)
    assert picture.data == drawn(tmp_path, "simulate", file, "--view", view)
    assert picture._repr_svg_() == picture.svg and picture._repr_png_() is None


def test_a_certificate_is_drawn_as_by_the_command_line(models, tmp_path):
    file = models / "two-blocks.yaml"
    assert ss.load(file).picture().data == drawn(tmp_path, "certify", file)


def test_formats_and_files(models, tmp_path):
    sol = ss.load(models / "block-on-floor.yaml").simulate()
    png = sol.picture("phase", format="png", theme="dark")
    assert png._repr_png_().startswith(b"\x89PNG") and png._repr_svg_() is None
    png.save(tmp_path / "phase.png")
    assert (tmp_path / "phase.png").read_bytes() == png.data
    with pytest.raises(ValueError, match="png"):
        png.save(tmp_path / "phase.svg")
    with pytest.raises(ValueError, match="png"):
        png.svg  # noqa: B018


def test_what_cannot_be_drawn_is_told(models):
    sol = ss.load(models / "block-on-floor.yaml").simulate()
    for options in ({"view": "path"}, {"format": "gif"}, {"theme": "loud"}):
        with pytest.raises(ValueError, match="none of|is \""):
            sol.picture(**options)
    with pytest.raises(ss.ModelError):
        sol.picture("phase", of="nobody")
    with pytest.raises(ValueError, match="surface"):
        ss.load(models / "disk.yaml").picture("certificate")


def test_several_motions_in_one_picture(models):
    model = ss.load(models / "block-on-floor.yaml")
    one, two = model.simulate(), model.simulate(start={"block.x": 1.5})
    both = one.picture("phase", also={"from 1.5 m": two}).svg
    assert "from 1.5 m" in both and "from 1.5 m" not in one.picture("phase").svg


def test_files_are_saved_whole_or_not_at_all(models, tmp_path):
    """Beyond the limit on the size of files the older picture stays, and the new one has its mode."""
    import resource

    picture = ss.load(models / "disk.yaml").picture("surface", format="png")
    file = tmp_path / "surface.png"
    file.write_bytes(b"older")
    file.chmod(0o640)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        with pytest.raises(OSError, match="cannot write"):
            picture.save(file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert file.read_bytes() == b"older" and list(tmp_path.iterdir()) == [file]
    picture.save(file)
    assert file.read_bytes() == picture.data and file.stat().st_mode & 0o777 == 0o640


def test_mat_files_read_back_with_any_title(models, program, tmp_path):
    """A title that is not ASCII, and names that differ only in what no field can hold."""
    from scipy.io import loadmat

    model, file = tmp_path / "m.yaml", tmp_path / "m.mat"
    model.write_text("slipstick: 1\ntitle: Été ← x\nbodies: {a-b: {mass: 1}, a+b: {mass: 2}}\n"
                     "contacts: {c: {between: [a-b, ground], law: coulomb, friction: 1}}\n"
                     "start: {a-b: {x: 3}, a+b: {x: 4}}\nrun: {until: 1}\n")
    program("simulate", model, "--every", "0.5", "--out", file)
    kept = loadmat(file, simplify_cells=True)
    assert kept["title"] == "Été ← x" and kept["model"] == model.read_text()
    assert (kept["bodies"]["a_b"]["x"] == 3).all() and (kept["bodies"]["a_b_2"]["x"] == 4).all()
