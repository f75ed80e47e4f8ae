#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Turns the impacts of the reference tables (mechanics.json, 40-digit computations) into impact_reference.h.

    python3 make_impact_reference.py mechanics.json > impact_reference.h
"""
import json
import sys

HEAD = """// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Made by make_impact_reference.py; not to be edited. Impacts known to about 40 digits, rounded to double.
#ifndef TESTS_DATA_IMPACT_REFERENCE_H
#define TESTS_DATA_IMPACT_REFERENCE_H

#include "slipstick/slipstick.h"

typedef struct ref_restitution {
    double alpha, speed, out, loss; ///< loss: of v^2, (m/s)^2
} ref_restitution;

typedef struct ref_impact {
    double mass, stiffness, alpha, exponent, speed;
    double out, depth, compression, contact, loss; ///< m/s, m, s, s, J
} ref_impact;

enum { REF_SURFACE, REF_FRAME };

typedef struct ref_disk_event {
    double t;
    int contact;
    ss_mode from, to;
} ref_disk_event;

typedef struct ref_disk {
    const char* id;
    double tolerance;
    double mass, friction, platform; ///< kg, N, m/s
    double stiffness, alpha, exponent, x, v;
    const ref_disk_event* events;
    int event_count;
    const double (*states)[3]; ///< t, x, v
    int state_count;
    int separations; ///< -1 where the disk comes to rest
    double lean;     ///< where it leans on the frame in the end, m
    double settled;  ///< s: when nothing but that is left
} ref_disk;

// clang-format off"""


def n(x):
    return repr(float(x))


def steel(entry):
    events, states, side = [], [], "SLIP_PLUS"
    for t, kind, x, v in entry["value"]:
        if kind == "contact":
            new = ("FRAME", "OPEN", "CLOSED")
        elif kind == "separation":
            new = ("FRAME", "CLOSED", "OPEN")
        elif kind.startswith("maximum"):
            new, side = ("SURFACE", "SLIP_PLUS", "SLIP_MINUS"), "SLIP_MINUS"
        else:
            new = ("SURFACE", side, "STICK")
        if t > 0:
            events.append((t,) + new)
            states.append((t, x, v))
    return events, states


def aluminium(entry):
    events, states = [], []
    for t, kind, x, v in entry["value"]["events"]:
        states.append((t, x, v))
        if kind.startswith("contact") or kind == "next contact":
            events.append((t, "FRAME", "OPEN", "CLOSED"))
        elif kind == "separation":
            events.append((t, "FRAME", "CLOSED", "OPEN"))
        elif kind.startswith("break-away"):
            events.append((t, "SURFACE", "STICK", "SLIP_MINUS"))
    return events, states


def disk(entry, out):
    name = entry["id"].replace(".", "_")
    p, carried = entry["parameters"], entry["id"].startswith("001.c")
    events, states = aluminium(entry) if carried else steel(entry)
    out.append("static const ref_disk_event ref_events_%s[] = {" % name)
    out += ["    {%s, REF_%s, SS_MODE_%s, SS_MODE_%s}," % (n(t), c, f, g) for t, c, f, g in events]
    out += ["};", "static const double ref_states_%s[][3] = {" % name]
    out += ["    {%s, %s, %s}," % tuple(map(n, s)) for s in states] + ["};"]
    v = entry["value"]
    whole = not carried or len(v["events"]) == v["n_events"]
    fields = [p["m2"], p["b"], p.get("V", 0), p["k"], p["alpha"], p["n"], p["x2_0"], p["v2_0"]]
    settled = v["events"][-1][0] + 40 / v["linearised_decay_rate"] if carried else 0
    return '    {"%s", %s, %s, ref_events_%s, %d, ref_states_%s, %d, %d, %s, %s},' % (
        entry["id"], n(entry["tolerance"]), ", ".join(map(n, fields)), name, len(events), name, len(states),
        (v["number_of_separations"] if whole else -2) if carried else -1, n(v["p_eq"] if carried else 0), n(settled))


def main():
    table = {e["id"]: e for e in json.load(open(sys.argv[1]))}
    out = [HEAD, "static const ref_restitution ref_restitutions[] = {"]
    out += ["    {%s, %s, %s, %s}," % (n(r["alpha"]), n(r["vi"]), n(r["vo"]), n(r["energy_loss_over_half_m"]))
            for r in table["001.a.restitution"]["value"]]
    out += ["};", "static const ref_impact ref_impacts[] = {"]
    keys = ["m", "k", "alpha", "n", "vi", "vo", "p_max", "t_compression", "t_contact", "energy_loss"]
    out += ["    {%s}," % ", ".join(n(r[k]) for k in keys) for r in table["001.a.impact"]["value"]]
    out += ["};"]
    rows = [disk(table[i], out) for i in table if i.startswith(("001.b", "001.c"))]
    out += ["static const ref_disk ref_disks[] = {"] + rows + ["};", "// clang-format on", "", "#endif"]
    print("\n".join(out))


main()
