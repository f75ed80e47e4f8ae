#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Makes the recordings of docs/fitting.md and docs/cookbook.md: motions with known numbers, seen by sensors that err.

    make.py PROGRAM FOLDER

The numbers below are the truth that the fits should find; the models of the page begin elsewhere.
"""
import csv
import random
import subprocess
import sys
from pathlib import Path

RIG = """slipstick: 1
title: friction rig
bodies:
  plate: {position: "60 um*sin(2*pi*1 Hz*t)*(1 + 0.5*sin(2*pi*0.25 Hz*t))"}
  pad: {mass: 0.1 kg}
connections: [{between: [pad, ground], stiffness: 20 MN/m, damping: 500 N*s/m}]
contacts:
  face: {between: [plate, pad], law: lugre, sigma0: 230 kN/m, sigma1: 60 N*s/m, sigma2: 90 N*s/m, coulomb: 3.7 N,
         static: 4.6 N, stribeck_speed: 0.12 mm/s}
"""
RING_DOWN = """slipstick: 1
title: ring-down
bodies: {carriage: {mass: 1.2 kg}}
connections: [{between: [carriage, ground], stiffness: 187 N/m, damping: 0.9 N*s/m}]
contacts: {rail: {between: [carriage, ground], law: coulomb, friction: 0.42 N}}
start: {carriage: {x: 41.5 mm}}
"""
BOUNCE = """slipstick: 1
title: bounce
bodies: {ball: {mass: 45 g}}
forces: [{body: ball, force: "-45 g * 9.81 m/s^2"}]
contacts:
  plate: {between: [ball, ground], law: hunt-crossley, below: 0 m, stiffness: 20 MN/m^1.5, exponent: 1.5, alpha: 0.16 s/m}
start: {ball: {x: 0.302 m}}
"""
LET_GO = """slipstick: 1
title: a block let go on a spring
bodies: {block: {mass: 1 kg}}
connections: [{between: [block, ground], stiffness: 40 N/m}]
contacts:
  floor: {between: [block, ground], law: stribeck, coulomb: 0.4 N, static: 1 N, stribeck_speed: 0.15 m/s}
start: {block: {x: 0.2 m}}
"""


def motion(program, model, until, every):
    """The rows of the motion as the program writes them."""
    path = Path("recording.tmp.yaml")
    path.write_text(model, encoding="utf-8")
    out = Path("recording.tmp.csv")
    subprocess.run([program, "simulate", path, "--until", until, "--every", every, "--out", out], check=True, stdout=subprocess.DEVNULL)
    with out.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    path.unlink()
    out.unlink()
    return [{key.split(" [")[0]: value for key, value in row.items()} for row in rows]


def write(path, names, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(names) + "\n")
        for row in rows:
            file.write(",".join(f"{value:.7g}" for value in row) + "\n")


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    noise = random.Random(2).gauss
    rows = motion(program, RIG, "4 s", "8 ms")
    write(folder / "rig.csv", ["time_s", "plate_um", "force_N"],
          [[float(r["t"]), round(1e6 * float(r["plate.x"]) + noise(0, 0.05), 2),
            round(float(r["face.force"]) + 0.12 + noise(0, 0.05), 3)] for r in rows])
    rows = motion(program, RING_DOWN, "2.4 s", "6 ms")
    write(folder / "ring-down.csv", ["time_ms", "position_mm"],
          [[1e3 * float(r["t"]), round(1e3 * float(r["carriage.x"]) + 1.3 + noise(0, 0.06), 2)] for r in rows])
    rows = motion(program, BOUNCE, "1.6 s", "4 ms")
    write(folder / "bounce.csv", ["time_s", "height_mm"],
          [[float(r["t"]), round(1e3 * float(r["ball.x"]) + noise(0, 0.3), 1)] for r in rows])
    rows = motion(program, LET_GO, "3 s", "20 ms")
    write(folder / "let-go.csv", ["time_s", "place_mm"],
          [[float(r["t"]), round(1e3 * float(r["block.x"]) + noise(0, 1), 1)] for r in rows])


if __name__ == "__main__":
    main()
