#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Command lines completed by bash, zsh and fish themselves, with the scripts of `slipstick completion SHELL`.

    run.py PROGRAM

Every command and every option of every command that the help knows must be offered, words for values, and the files of
a folder that fit.
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

    def lines(self, command):
        env = {**os.environ, "HOME": self.folder, "TERM": "dumb", "XDG_CONFIG_HOME": self.folder}
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
    for fault in faults:
        print(fault)
    print("%d passed, %d failed" % (passed, len(faults)))
    return len(faults) > 0


if __name__ == "__main__":
    sys.exit(main())
