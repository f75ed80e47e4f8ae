#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Turns the motions with bristles of the reference tables (mechanics.json, 40 digits) into bristles.h.

    python3 make_bristles.py mechanics.json > bristles.h
"""
import json
import sys


def number(x):
    return repr(float(x))


def numbers(xs):
    return "{" + ", ".join(number(x) for x in xs) + "}"


def rows(name, table):
    return [".%s = {%s}" % (name, ", ".join(numbers(r) for r in table)), ".%s_count = %d" % (name, len(table))]


def lugre(e):
    p, v = e["parameters"], e["value"]
    law = [p["sigma0"], p["sigma1"], p["sigma2"], p["Fc"], p.get("Fs", p["Fc"]), p.get("Vs", 1), p.get("mu", 2)]
    z0 = v["z0"] if "z0" in v else p["z0"] if "z0" in p else p["Fc"] / p["sigma0"]
    parts = ['.id = "%s"' % e["id"], ".tolerance = %s" % number(e["tolerance"]), ".law = %s" % numbers(law),
             ".v0 = %s" % number(p["v0"]), ".z0 = %s" % number(z0)]
    return parts + rows("state", v["rows"]) + rows("reversal", v["reversals"])


def maxwell(e):
    p, v = e["parameters"], e["value"]
    events = [[x[0], x[1] == "reversal", x[2], x[3], x[4]] for x in v["events"]]
    parts = ['.id = "%s"' % e["id"], ".tolerance = %s" % number(e["tolerance"]), ".count = %d" % p["N"],
             ".k = %s" % numbers(p["k"]), ".c = %s" % numbers(p["c"]), ".v0 = %s" % number(p["v0"])]
    parts += [".start = %s" % number(v["initial_energy"]), ".lost = %s" % number(v["dissipated_until_last_event"])]
    return parts + rows("event", events)


def array(kind, name, entries):
    print("static const %s %s[] = {" % (kind, name))
    for e in entries:
        print("    {" + ",\n     ".join(e) + "},")
    print("};\n")


def main():
    table = {e["id"]: e for e in json.load(open(sys.argv[1]))}
    print("// SPDX-FileCopyrightText: The Slipstick authors\n// SPDX-License-Identifier: MIT\n//")
    print("// Made by make_bristles.py; do not edit.\n#ifndef TESTS_DATA_BRISTLES_H\n#define TESTS_DATA_BRISTLES_H\n")
    print('#include "slipstick/bristle.h"\n')
    print("""typedef struct ref_lugre {
    const char* id;
    double tolerance;
    ss_lugre law;
    double v0, z0;
    double state[16][6]; ///< t, x, v, z, force, energy
    int state_count;
    double reversal[32][3]; ///< t, x, z
    int reversal_count;
} ref_lugre;

typedef struct ref_maxwell {
    const char* id;
    double tolerance;
    int count;
    double k[8], c[8], v0, start, lost;
    double event[32][5]; ///< t, whether it is a reversal, x, v, force
    int event_count;
} ref_maxwell;
""")
    free = [lugre(e) for i, e in table.items() if i.startswith("003.a.lugre.") and "rows" in e["value"]]
    array("ref_lugre", "ref_lugre_motions", free)
    array("ref_maxwell", "ref_maxwell_motions", [maxwell(e) for i, e in table.items() if i.startswith("003.b.maxwell.free")])
    turning = table["003.a.lugre.turning"]["value"]
    print("static const double ref_turning_a[] = %s;" % numbers(turning["a"]))
    print("static const double ref_turning_a_100 = %s;" % number(turning["a_100"]))
    print("static const double ref_half_periods[] = %s;" % numbers(turning["half_periods"]))
    nested = table["003.b.maxwell.nested"]
    for key in ("k", "c", "y"):
        print("static const double ref_nested_%s[] = %s;" % (key, numbers(nested["parameters"][key])))
    for key in ("F", "work"):
        print("static const double ref_nested_%s[] = %s;" % (key, numbers(nested["value"][key])))
    loops = table["003.b.maxwell.sine_loops"]["value"]
    print("static const double ref_loop_areas[][2] = {%s}; // amplitude, area" % ", ".join(
        numbers([r["Y"], r["loop_area"]]) for r in loops))
    print("\n#endif")


main()
