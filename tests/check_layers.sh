#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# Includes go upwards only: core <- law <- model <- engine <- slider <- motion <- surface <- answer <- lab <- picture <-
# cli. Front ends include public headers, and those of src/share, which they share with the libraries, alone. Inside
# of lab, sweeps know none of their users, and these not each other. Says which include does not.
set -eu
cd "$(dirname "$0")/.."
front_ends=$(ls -d cli python fmu web octave 2>/dev/null || true)

awk '
BEGIN {
    n = split("core law model engine slider motion surface answer lab picture cli", names, " ")
    for (i = 1; i <= n; i++) rank[names[i]] = i
    # The public headers, by the layer whose promise they are.
    public["status.h"] = public["matrix.h"] = public["signal.h"] = public["document.h"] = 1
    public["law.h"] = public["bristle.h"] = 2; public["model.h"] = 3
    public["simulation.h"] = public["batch.h"] = public["derivative.h"] = public["exchange.h"] = 4; public["slider.h"] = public["sliding.h"] = 5
    public["motion.h"] = public["slipstick.h"] = 6; public["surface.h"] = 7; public["check.h"] = public["answer.h"] = 8
    public["lab.h"] = public["basin.h"] = public["map.h"] = public["scan.h"] = public["fit.h"] = public["follow.h"] = 9
    public["file.h"] = 9; public["picture.h"] = 10
    # What is shared, by the layer that it is of.
    share["error.h"] = share["number.h"] = share["quantity.h"] = share["node.h"] = 1; share["law.h"] = 2
    share["model_parts.h"] = 3; share["run.h"] = share["derivative.h"] = 4; share["slider_parts.h"] = 5; share["quantity_table.h"] = 6; share["build.h"] = 8
    share["text.h"] = share["blocks.h"] = share["chance.h"] = share["file.h"] = 9
}
FNR == 1 {
    parts = split(FILENAME, path, "/")
    own = path[1] == "src" && path[2] == "share" ? share[path[parts]] : path[1] == "src" ? rank[path[2]] : path[1] == "include" ? public[path[parts]] : rank["cli"]
    if (!own) { print FILENAME ": belongs to no layer"; bad = 1 }
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\""); split(quoted[2], target, "/")
    if (target[1] == "slipstick") layer = public[target[2]]
    else if (target[1] == "share") layer = share[target[2]]
    else if (target[1] in rank) layer = rank[target[1]]
    else if (own == rank["cli"]) next # commands include their own headers by plain name
    else { print FILENAME ":" FNR ": write \"layer/file.h\", not \"" quoted[2] "\""; bad = 1; next }
    if (!layer) { print FILENAME ":" FNR ": includes " quoted[2] ", which belongs to no layer"; bad = 1 }
    if (own == rank["cli"] && target[1] != "slipstick" && target[1] != "share") {
        print FILENAME ":" FNR ": includes " quoted[2] ", which is inside of a library: a front end has its public headers"
        bad = 1
    }
    users = "^lab/(map|scan)/"
    if (own == rank["lab"] && quoted[2] ~ users && (path[3] == "sweep" || (path[3] ~ /^(map|scan)$/ && path[3] != target[2]))) {
        print FILENAME ":" FNR ": includes " quoted[2] ", which belongs to another user of sweeps"; bad = 1
    }
    if (layer > own) { print FILENAME ":" FNR ": includes " quoted[2] ", which is a layer below its own"; bad = 1 }
}
END { exit bad }
' $(find src include $front_ends -name node_modules -prune -o -name '*.[ch]' -print | sort)
