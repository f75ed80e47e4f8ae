# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Builds the wheel: CMake compiles the library and the extension, setuptools packs them.

    pip install --no-build-isolation .

needs a C compiler, CMake, Ninja and the Debian packages that ./run names. One wheel serves Python 3.11 and later.
Options in the environment variable CMAKE_ARGS go to CMake.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    """Lets CMake make the extension and the program, and puts them where setuptools packs them."""

    def build_extension(self, ext: Extension) -> None:
        build = Path(self.build_temp).resolve()
        configure = ["cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                     "-DSLIPSTICK_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}",
                     *shlex.split(os.environ.get("CMAKE_ARGS", ""))]  # fmt: skip
        subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "slipstick-python-package"], check=True)
        made, target = build / "python" / "slipstick", Path(self.get_ext_fullpath(ext.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made / "_core.abi3.so", target)
        (target.parent / "bin").mkdir(exist_ok=True)
        shutil.copy2(made / "bin" / "slipstick", target.parent / "bin" / "slipstick")


class Abi3Wheel(bdist_wheel):
    """One wheel for 3.11 and all that follow."""

    def finalize_options(self) -> None:
        self.py_limited_api = "cp311"
        super().finalize_options()


def version() -> str:
    """As CMakeLists.txt says."""
    match = re.search(r"project\(slipstick VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    assert match
    return match.group(1)


setup(
    version=version(),
    ext_modules=[Extension("slipstick._core", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": CMakeBuild, "bdist_wheel": Abi3Wheel},
)
