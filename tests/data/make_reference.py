#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Turns the motions of the reference tables (mechanics.json, 40-digit computations) into reference.h.

    python3 make_reference.py mechanics.json > reference.h

One motion per entry: the system, the start, and what is known of it: events, states, rest.
"""
import json
import re
import sys



def number(x):
    x = float(x)
    return repr(x)


def numbers(xs):
    return "{" + ", ".join(number(x) for x in xs) + "}"


def mode(sign):
    return "SS_MODE_STICK" if sign == 0 else "SS_MODE_SLIP_PLUS" if sign > 0 else "SS_MODE_SLIP_MINUS"


def changes(rows):
    """Rows (t, modes after) as events: one per contact whose mode changed."""
    out, before = [], None
    for t, after in rows:
        for i, (a, b) in enumerate(zip(before or after, after)):
            if a != b:
                out.append((t, i, a, b))
        before = after
    return out


class Motion:
    """What ref_motion of reference_motion.h holds."""

    def __init__(self, entry, name=None):
        self.id = name or entry["id"]
        self.tolerance = entry["tolerance"]
        self.fields = {}
        self.events, self.states = [], []
        self.whole = True
        self.outcome = "REF_GOES_ON"
        self.rest = None

    def two_bodies(self, masses, connections, contacts, x, v):
        self.fields.update(bodies=len(masses), mass=numbers(masses), connections=len(connections),
                           contacts=len(contacts), start_x=numbers(x), start_v=numbers(v))
        if connections:
            self.fields["connection"] = "{" + ", ".join(
                "{%d, %d, %s}" % (c[0], c[1], ", ".join(number(z) for z in c[2:])) for c in connections) + "}"
        self.fields["contact"] = "{" + ", ".join(
            "{%s, %s}" % (numbers(r), number(f)) for r, f in contacts) + "}"

    def state(self, t, x, v, scale=None):
        size = scale or [max(1.0, abs(z)) for z in list(x) + list(v)]
        self.states.append((t, x, v, size if isinstance(size, list) else [size] * (2 * len(x))))

    def text(self, index):
        lines, f = [], dict(self.fields)
        if self.events:
            lines.append("static const ref_event ref_events_%d[] = {" % index)
            for t, c, a, b in self.events:
                lines.append("    {%s, %d, %s, %s}," % (number(t), c, mode(a), mode(b)))
            lines.append("};")
            f["events"] = "ref_events_%d" % index
        if self.states:
            lines.append("static const ref_state ref_states_%d[] = {" % index)
            for t, x, v, s in sorted(self.states):
                lines.append("    {%s, %s, %s, %s, %s}," % (number(t), numbers(x), numbers(v),
                                                            numbers(s[:len(x)]), numbers(s[len(x):])))
            lines.append("};")
            f["states"] = "ref_states_%d" % index
        f.update(event_count=len(self.events), state_count=len(self.states), outcome=self.outcome,
                 whole="true" if self.whole else "false", tolerance=number(self.tolerance))
        if self.rest:
            f.update(rest_known="true", rest_t=number(self.rest[0]), rest_x=numbers(self.rest[1]))
        body = ["    {", '        .id = "%s",' % self.id]
        body += ["        .%s = %s," % kv for kv in f.items()]
        return "\n".join(lines), "\n".join(body + ["    },"])


def one_block(motion, p, x, v):
    motion.two_bodies([p["m"]], [(0, -1, p["k"], p["c"], p.get("k3", 0))], [([1], p["F"])], [x], [v])


def two_blocks(motion, p, contacts, q0, v0, m=(1, 1)):
    c = [(0, -1, p["k1"], p["c1"], 0), (0, 1, p["k2"], p["c2"], 0), (1, -1, p["k1"], p["c1"], 0)]
    motion.two_bodies(m, c, contacts, q0, v0)


def one_dof(e):
    p, v, m = e["parameters"], e["value"], Motion(e)
    one_block(m, p, p["x0"], p["v0"])
    times, rest = v["velocity_zero_times"], v["outcome"] == "rest"
    m.fields["until"] = number(400 if rest else times[-1] + 1e-6)
    pull = p["v0"] if p["v0"] else -p["x0"] if abs(p["k"] * p["x0"]) > p["F"] else 0
    sign = (pull > 0) - (pull < 0)
    for i, t in enumerate(times):
        after = 0 if rest and i == len(times) - 1 else -sign
        m.events.append((t, 0, sign, after))
        sign = -sign
        m.state(t, [v["x_at_velocity_zero"][i]], [0], max(1, abs(v["x_at_velocity_zero"][i])))
    if rest:
        m.outcome, m.rest = "REF_RESTS", (v["stick_time"], [v["x_final"]])
    return [m]


def overdamped(e):
    p, v, m = e["parameters"], e["value"], Motion(e)
    one_block(m, p, p["x0"], p["v0"])
    m.fields["until"] = "40.0"
    for t, x, w in zip(v["t"], v["x"], v["v"]):
        m.state(t, [x], [w])
    return [m]


def two_dof(e):
    p, v, m = e["parameters"], e["value"], Motion(e)
    rows, rest = v["events"], v["outcome"] == "rest"
    m.whole = len(rows) - 1 == v["n_events"]
    m.fields["until"] = number(400 if rest else rows[-1][0] + 1e-6)
    if ".coupled." in e["id"]:
        m.fields.update(matrices="true", bodies=2, contacts=2, mass="{1.0, 1.0}", start_x=numbers(p["q0"]),
                        start_v=numbers(p["v0"]), C=numbers(sum(p["C"], [])), K=numbers(sum(p["K"], [])),
                        W=numbers(sum(p["W"], [])))
        m.fields["contact"] = "{" + ", ".join("{.friction = %s}" % number(f) for f in p["p"]) + "}"
    else:
        floors = [([1, 0], p["Lambda"][0]), ([0, 1], p["Lambda"][1])]
        two_blocks(m, p, floors, p["q0"], p["v0"], (p["m1"], p["m2"]))
    m.events = changes([(r[0], r[4]) for r in rows])
    for r in rows[1:]:
        m.state(r[0], r[2], r[3], max([1] + [abs(z) for z in p["q0"] + p["v0"] + r[2] + r[3]]))
    if rest:
        m.outcome, m.rest = "REF_RESTS", (v["t_end"], v["x_end"][:2])
    return [m]


def sum_contact(e):
    p, v, m = e["parameters"], e["value"], Motion(e)
    two_blocks(m, p, [(p["W"], p["p"])], p["q0"], p["v0"], (p["m1"], p["m2"]))
    m.fields["until"] = "40.0"
    m.whole = len(v["events"]) - 1 == v["n_events_to_t40"]
    m.fields["total"] = v["n_events_to_t40"]
    m.events = changes([(r[0], r[4]) for r in v["events"]])
    for r in v["events"][1:]:
        m.state(r[0], r[2], r[3])
    for t, s in v["states"]:
        m.state(t, s[:2], s[2:], max([1] + [abs(z) for z in s]))
    return [m]


def pair(e):
    p, v, m = e["parameters"], e["value"], Motion(e)
    m.two_bodies([p["m1"], p["m2"]], [(0, -1, p["a2"], p["a1"], 0)], [([1, -1], p["b"])], p["x0"], p["v0"])
    u = p["u"].replace("u(t)=", "")
    if "sin" in u:
        a, w = re.match(r"(\S+) sin\((\S+) t\)", u).groups()
        m.fields["force"] = '"%s * sin(%s * t)"' % (a, w)
    elif float(u) != 0:
        m.fields["force"] = '"%s"' % u
    m.fields["until"] = number(p["tmax"])
    m.events = changes([(r[0], r[4]) for r in v["events"]])
    for r in v["events"][1:]:
        m.state(r[0], r[2], r[3])
    for t, s in v["states"]:
        m.state(t, s[:2], s[2:])
    return [m]


def prescribed(e):
    """Body 0 is the disk, body 1 the table. The rows' last column is the sign of table minus disk."""
    p, v, m = e["parameters"], e["value"], Motion(e)
    m.two_bodies([p["m2"]], [], [([1, -1], p["b"])], [p["x2_0"], 0], [p["v2_0"], 0])
    drive = '"%s * sin(%s * t)"' % (number(p["A"]), number(p["w"]))
    m.fields.update(bodies=2, drive=drive, until=number(p["tmax"]))
    m.events = changes([(r[0], [-r[4]]) for r in v["events"]])
    for r in v["events"][1:]:
        m.state(r[0], [r[2]], [r[3]])
    return [m]


def limit_cycle(e):
    """Starts a millionth inside an unstable cycle come to rest, a millionth outside do not."""
    p, v, out = dict(e["parameters"]), e["value"], []
    if "x_amplitude" in v:
        starts = [(v["x_amplitude"], 0), (0, v["speed_at_x0"])]
    elif "amplitude" in v:
        starts, p["F"] = [(v["amplitude"], 0), (0, v["speed_at_x0"])], p["mu_m_g"]
    else:
        starts, p["k"], p["k3"] = [(v["limit_cycle_amplitude"], 0)], p["k1"], p["k2"]
    for x, w in starts:
        for factor, inside in ((1 - 1e-6, True), (1 + 1e-6, False)):
            m = Motion(e, "%s %s %s" % (e["id"], "x" if x else "v", "inside" if inside else "outside"))
            x1, w1 = x * factor, w * factor
            if "x_amplitude" in v:
                two_blocks(m, p, [([1, 0], 1), ([0, 1], 1)], [x1, -x1], [w1, -w1])
            else:
                one_block(m, p, x1, w1)
            m.fields["until"] = number(1000 if inside else 60)
            m.whole, m.outcome = False, "REF_RESTS" if inside else "REF_GOES_ON"
            out.append(m)
    return out


def reader(id):
    table = (("002.a.traj", one_dof), ("002.a.overdamped", overdamped), ("002.a.limit_cycle", limit_cycle),
             ("002.b.antisym_limit_cycle", limit_cycle), ("002.e.cubic", limit_cycle),
             ("002.b.traj", two_dof),
             ("002.b.coupled", two_dof), ("002.b.unsym.u", two_dof), ("002.c.traj", sum_contact),
             ("001.d.prescribed", prescribed), ("001.d.", pair))
    return next((f for prefix, f in table if id.startswith(prefix)), None)


def main():
    with open(sys.argv[1]) as f:
        entries = json.load(f)
    motions = [m for e in entries if reader(e["id"]) for m in reader(e["id"])(e)]
    parts = [m.text(i) for i, m in enumerate(motions)]
    print("// SPDX-FileCopyrightText: The Slipstick authors\n// SPDX-License-Identifier: MIT\n//")
    print("// Made by make_reference.py; not to be edited. "
          "Motions known to about 40 digits, rounded to double.")
    print('#ifndef TESTS_DATA_REFERENCE_H\n#define TESTS_DATA_REFERENCE_H\n\n#include "reference_motion.h"\n')
    print("// clang-format off")
    for arrays, _ in parts:
        if arrays:
            print(arrays)
    print("\nstatic const ref_motion ref_motions[] = {")
    for _, body in parts:
        print(body)
    print("};\n// clang-format on\n\n#endif")


main()
