#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Command lines completed by bash, zsh and fish themselves, with the scripts of `slipstick completion SHELL`.

    run.py PROGRAM

Every command and every option of every command that the help knows must be offered, words for values, the files of a
folder that fit, and paths of the model on the line. Names in a model and of its file are a stranger's: a shell must not
run what stands in them.
"""
import os
import re
import subprocess
import sys
import tempfile

BASH = r'''
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"
compopt() { :; }
_slipstick slipstick "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
'''

# A terminal of its own, in which Tab is pressed; what is offered is listed one below the other and then read. Tab says
# when it has listed all, for what is typed ahead would keep zsh from listing it.
ZSH = r'''
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PROMPT=; autoload -U compinit; compinit -u -D; LISTMAX=10000; stty cols 400 rows 4000; unsetopt BEEP'
zpty -w shell "source $1"
zpty -w shell 'compdef _slipstick slipstick; zstyle ":completion:*" list-packed false'
zpty -w shell 'list() { zle list-choices; zle -R; print "LIS""TED" }; zle -N list; bindkey "^I" list; print READY'
zpty -r shell heard '*READY*READY*'
zpty -w -n shell "$2"$'\t'
zpty -r shell heard '*LISTED*'
print -r -- $heard
zpty -d shell
'''


MODEL = """slipstick: 1
title: a block
parameters: {mu: 0.3, load: 10 N}
inputs: {push: 0 N}
bodies: {block: {mass: 2 kg}, "$(touch run-by-name)": {mass: 1 kg}}
connections: [{between: [block, ground], stiffness: 5 N/m, damping: 2*mu*1 N*s/m}]
states: {sum: {rate: block.x, start: 0}}
signals: {twice: 2*block.x}
forces: [{body: block, force: push + block.x*1 N/m}]
contacts: {floor: {between: [block, ground], law: coulomb, friction: mu*load}}
start: {block: {x: 1 m}}
"""
NUMBERS = ["parameters.mu", "parameters.load", "inputs.push", "bodies.block.mass", "connections[0].stiffness",
           "connections[0].damping", "states.sum.start", "contacts.floor.friction", "block.x", "block.v"]
MEASURES = ["period", "return", "lyapunov", "dissipation", "mean:block.x", "harmonic:floor.force:1", "settling:block.x:"]
SECTIONS = ["period", "run", "floor:stick", "floor:slip+", "floor:slip-"]
NAMES = ["block.x", "block.v", "floor.force", "floor.velocity", "floor.power", "sum", "twice", "push"]
STRANGE = "$(touch run-by-file).yaml"


def expect_paths(shells, expect):
    """Paths after --set and its kin, from the model on the line, wherever it stands; words ever so strange."""
    folder = shells.folder
    files = {"block.yaml": MODEL, "my block.yaml": MODEL, "broken.yaml": "slipstick: 1\nbodies: {block: {mass: 2 kg}\n",
             "unfinished.yaml": "slipstick: 1\ntitle: unfinished\nparameters: {mu: 0.3}\nbodies: {block: {mas: 2}}\n", STRANGE: MODEL}
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    values = [number + "=" for number in NUMBERS]
    for shell in (shells.bash, shells.fish):
        what = shell.__name__ + " "
        said = shells.said(shell)
        expect(what + "--set", said("block.yaml --set "), values, exactly=True)
        expect(what + "--set before the model", said("--set bl", after="block.yaml") if shell == shells.bash else
               said("block.yaml --set bl"), ["block.x=", "block.v="], exactly=True)
        expect(what + "--derivative", said("block.yaml --derivative "), NUMBERS, exactly=True)
        expect(what + "more of a list", said("block.yaml --derivative parameters.mu,block."),
               ["parameters.mu,block.x", "parameters.mu,block.v"], exactly=True)
        expect(what + "--show", said("block.yaml --show "), NAMES, exactly=True)
        expect(what + "a file with a blank", said("my\\ block.yaml --set parameters.m"), ["parameters.mu="], exactly=True)
        expect(what + "a model with faults", said("unfinished.yaml --set parameters."), ["parameters.mu="], exactly=True)
        expect(what + "a broken file", said("broken.yaml --set "), [], exactly=True)
        expect(what + "no model", said("--set "), [], exactly=True)
        expect(what + "a missing file", said("nowhere.yaml --set "), [], exactly=True)
        strange = STRANGE if shell == shells.bash else r"\$\(touch\ run-by-file\).yaml"
        said(strange + " --set ", split=False)
    for shell in (shells.bash, shells.fish):
        scan = ("slipstick", "scan", "block.yaml")
        what = shell.__name__ + " "
        offered = shell(*scan, "--measure", "")
        expect(what + "--measure", offered, MEASURES + ["rms:block.v", "stick-share:floor", "max:twice", "min:sum"])
        expect(what + "more measures", shell(*scan, "--measure", "period,ly"), ["period,lyapunov"], exactly=shell == shells.bash)
        expect(what + "--section", shell(*scan, "--section", ""), SECTIONS, exactly=True)
        expect(what + "--sigma", shell("slipstick", "fit", "block.yaml", "--sigma", "floor"),
               ["floor.force=", "floor.velocity=", "floor.power="], exactly=True)
    # bash hands over words in pieces, cut at colons, and takes what stands behind the last one
    for pieces, wanted in ((["mean", ":"], NAMES), (["mean", ":", "block."], ["block.x", "block.v"]), (["settling", ":", "su"], ["sum:"]),
                           (["harmonic", ":", "sum", ":"], ["1"])):
        expect("bash %s" % pieces, shells.bash("slipstick", "scan", "block.yaml", "--measure", *pieces), wanted, exactly=True)
    expect("bash behind a colon of --over", shells.bash("slipstick", "scan", "block.yaml", "--over", "parameters.mu", "=", "1", ":"), [],
           exactly=True)
    expect("bash other commands", shells.bash("slipstick", "scan", "block.yaml", "--over", "parameters."),
           ["parameters.mu=", "parameters.load="], exactly=True)
    expect("bash behind a path", shells.bash("slipstick", "simulate", "block.yaml", "--set", "parameters.mu", "=", ""), [],
           exactly=True)
    expect("bash --set=", shells.bash("slipstick", "simulate", "block.yaml", "--set", "=", "parameters.l"),
           ["parameters.load="], exactly=True)
    for line, wanted in (("block.yaml --set ", NUMBERS), ("my\\ block.yaml --show ", NAMES),
                         ("block.yaml --derivative parameters.mu,", NUMBERS), ("broken.yaml --set ", [])):
        heard = " ".join(shells.zsh("slipstick", "simulate", line)).replace("\\", "")  # zsh quotes brackets
        found = re.findall(r"[\w.\[\]]+", heard)
        expect("zsh " + line, found, wanted)
    for line, wanted in (("block.yaml --measure period,", MEASURES), ("block.yaml --section ", SECTIONS)):
        heard = " ".join(shells.zsh("slipstick", "scan", line)).replace("\\", "")
        expect("zsh " + line, re.findall(r"[\w.:+-]+", heard), wanted)
    shells.zsh("slipstick", "simulate", r"\$\(touch\ run-by-file\).yaml --set ")
    left = [name for name in os.listdir(folder) if name.startswith("run-by")]
    expect("nothing of a stranger's was run", left, [], exactly=True)


class Shells:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        for shell in ("bash", "zsh", "fish"):
            text = subprocess.run([program, "completion", shell], capture_output=True, text=True, check=True).stdout
            with open(self.script(shell), "w", encoding="utf-8") as file:
                file.write(text)

    def script(self, shell):
        return os.path.join(self.folder, "completion." + shell)

    def bash(self, *words):
        return self.lines(["bash", "-c", BASH, "bash", self.script("bash"), *words])

    def fish(self, *words):
        command = 'source $argv[1]; complete -C $argv[2]'
        offered = self.lines(["fish", "--no-config", "-c", command, self.script("fish"), " ".join(words)])
        return [line.split("\t")[0] for line in offered]

    def zsh(self, *words):
        return self.lines(["zsh", "-f", "-c", ZSH, "zsh", self.script("zsh"), " ".join(words)])

    def said(self, shell):
        """Completes the text behind `slipstick simulate `; a backslash keeps a blank inside a word."""
        def complete(text, after="", split=True):
            words = re.split(r"(?<!\\) ", text) if split else text.rsplit(" ", 2)
            return shell("slipstick", "simulate", *([after] if after else []), *words)
        return complete

    def lines(self, command):
        env = {**os.environ, "PATH": os.path.dirname(self.program) + os.pathsep + os.environ["PATH"], "HOME": self.folder, "TERM": "dumb", "XDG_CONFIG_HOME": self.folder}
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=env, errors="replace")
        return done.stdout.replace("\r", "").split("\n")


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout


def main():
    program = os.path.abspath(sys.argv[1])
    passed, faults = 0, []

    def expect(what, offered, wanted, exactly=False):
        nonlocal passed
        missing = [w for w in wanted if w not in offered]
        extra = [o for o in offered if o and o not in wanted] if exactly else []
        if missing or extra:
            faults.append("%s: not offered %s, too much %s" % (what, missing, extra))
        else:
            passed += 1

    with tempfile.TemporaryDirectory() as folder:
        shells = Shells(program, folder)
        os.mkdir(os.path.join(folder, "data"))
        for name in ("disk.yaml", "disk.csv", "disk.txt"):
            open(os.path.join(folder, "data", name), "w").close()
        commands = re.findall(r"^  ([a-z]+) ", help_of(program), re.M)
        expect("bash commands", shells.bash("slipstick", ""), commands)
        expect("fish commands", shells.fish("slipstick", ""), commands)
        seen = " ".join(shells.zsh("slipstick", ""))
        expect("zsh commands", re.findall(r"(?:^|\s)([a-z]+)\s+--\s", seen), commands)
        for command in commands:
            options = re.findall(r"^  (-[-a-z]*)", help_of(program, command), re.M)
            expect("bash " + command, shells.bash("slipstick", command, "-"), options, exactly=True)
            long = [o for o in options if o.startswith("--")]
            expect("fish " + command, shells.fish("slipstick", command, "--"), long, exactly=True)
        options = re.findall(r"^  (--[-a-z]*)", help_of(program, "simulate"), re.M)
        seen = shells.zsh("slipstick", "simulate", "--")
        expect("zsh simulate", re.findall(r"(--[a-z][-a-z]*)", "\n".join(seen)), options)
        themes = ["print", "screen", "dark"]
        expect("bash words", shells.bash("slipstick", "simulate", "--theme", ""), themes, exactly=True)
        expect("fish words", shells.fish("slipstick", "simulate", "--theme", ""), themes, exactly=True)
        expect("zsh words", re.findall(r"\w+", " ".join(shells.zsh("slipstick", "simulate", "--theme", ""))), themes)
        expect("bash shells", shells.bash("slipstick", "completion", ""), ["bash", "zsh", "fish"], exactly=True)
        expect("fish shells", shells.fish("slipstick", "completion", ""), ["bash", "zsh", "fish"], exactly=True)
        expect("bash models", shells.bash("slipstick", "simulate", "data/"), ["data/disk.yaml"], exactly=True)
        expect("bash data", shells.bash("slipstick", "fit", "data/disk.yaml", "data/"),
               ["data/disk.yaml", "data/disk.csv"], exactly=True)
        expect("bash any file", shells.bash("slipstick", "simulate", "--plot", "data/"),
               ["data/disk.yaml", "data/disk.csv", "data/disk.txt"], exactly=True)
        expect("bash nothing to offer", shells.bash("slipstick", "simulate", "--until", ""), [], exactly=True)
        expect("fish models", shells.fish("slipstick", "simulate", "data/"), ["data/disk.yaml"])
        expect_paths(shells, expect)
    for fault in faults:
        print(fault)
    print("%d passed, %d failed" % (passed, len(faults)))
    return len(faults) > 0


if __name__ == "__main__":
    sys.exit(main())
