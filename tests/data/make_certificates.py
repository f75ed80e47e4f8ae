#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Turns the certificates of the reference tables (mechanics.json) into certificates.h.

    python3 make_certificates.py mechanics.json > certificates.h
"""
import json
import sys

NAN = float("nan")


def number(x):
    return "NAN" if x != x else repr(float(x))


def numbers(xs):
    return "{" + ", ".join(number(x) for x in xs) + "}"


def flat(rows):
    return [x for row in rows for x in row]


def two(c1, c2):
    return [c1 + c2, -c2, -c2, c1 + c2]


def answer(known):
    return {True: "SS_YES", False: "SS_NO", None: "SS_UNKNOWN"}[known]


def entry(id, tolerance, mass, C, K, W, friction, **known):
    """W is a list of rows; what is not among `known` is not known."""
    n, contacts = len(mass), len(friction)
    unknown = [NAN] * n
    fields = [("id", '"%s"' % id), ("tolerance", number(max(tolerance, 1e-13))), ("n", n), ("contacts", contacts),
              ("mass", numbers(mass)), ("C", numbers(C)), ("K", numbers(K)), ("W", numbers(flat(W))),
              ("friction", numbers(friction)), ("cubic", number(known.get("cubic", 0))),
              ("verdict", "SS_" + known["verdict"].upper().replace("-", "_")), ("theorem", known.get("theorem", 0)),
              ("condition_31", answer(known.get("condition_31"))), ("not_positive", known.get("not_positive", -1)),
              ("refuted", "true" if known.get("refuted") else "false")]
    for name in ("beta", "rho_star", "rho_energy", "paper_beta", "paper_rho_star", "max_energy"):
        fields.append((name, number(known.get(name, NAN))))
    for name in ("eigenvalues", "half_widths"):
        fields.append((name, numbers(known.get(name, unknown))))
    vertices = known.get("vertices", [])
    fields.append(("vertex_count", len(vertices)))
    if vertices:
        fields.append(("vertices", numbers(flat(vertices))))
    return "    {\n" + "".join("        .%s = %s,\n" % f for f in fields) + "    },"


def one_block(e, cubic=0, friction="mu_m_g", stiffness="k"):
    p, v = e["parameters"], e["value"]
    x = v["E_halfwidth"]
    return entry(e["id"], e["tolerance"], [p["m"]], [p["c"]], [p[stiffness]], [[1]], [p[friction]], cubic=cubic,
                 verdict="local", theorem=4, condition_31=True, not_positive=1, beta=p[friction],
                 rho_star=v["rho_star"], rho_energy=v["rho_star"], eigenvalues=[p["c"]], half_widths=[x],
                 max_energy=v["V_max_on_E"], vertices=[[x], [-x]])


def two_blocks(e):
    p, v = e["parameters"], e["value"]
    return entry(e["id"], e["tolerance"], [p["m1"], p["m2"]], two(p["c1"], p["c2"]), two(p["k1"], p["k2"]),
                 [[1, 0], [0, 1]], p["Lambda"], verdict="local", theorem=4, condition_31=True, not_positive=1,
                 beta=v["beta_optimal"], rho_star=v["rho_star_optimal"], rho_energy=v["max_rho_with_Vdot_le_0"],
                 paper_beta=v["beta_paper"], paper_rho_star=v["rho_star_paper"],
                 eigenvalues=[p["c1"] + 2 * p["c2"], p["c1"]], half_widths=v["box48_halfwidths"],
                 max_energy=v["V_max_on_E"], vertices=v["zonotope_vertices"])


def segment(e):
    p, v = e["parameters"], e["value"]
    return entry(e["id"], e["tolerance"], [1, 1], two(0.5, 0.25), two(1, 1), [[w] for w in p["W"]], [1],
                 verdict="global", theorem=2, not_positive=0, half_widths=[v["halfwidth"]] * 2,
                 max_energy=v["V_max_on_E"], vertices=v["endpoints"])


def table(e):
    out = []
    for d in e["value"]:
        W = [[-1], [1]] if d["case"] == "A" else [[1], [1]]
        id = "%s.%s%d" % (e["id"], d["case"], d["damping_case"])
        values = sorted(d["eigenvalues"].values())
        if d["damping_case"] == 1:
            known = dict(verdict="global", theorem=2, not_positive=0)
        elif "beta" in d:
            known = dict(verdict="local", theorem=4, condition_31=True, not_positive=1, beta=d["beta"],
                         rho_star=d["rho_star"], max_energy=d["V_max_on_E"])
        else:
            known = dict(verdict="not-assured", condition_31=False, not_positive=1, refuted=True)
        out.append(entry(id, e["tolerance"], [1, 1], two(d["c1"], d["c2"]), two(1, 1), W, [1], eigenvalues=values,
                         **known))
    return out


# The systems behind the cases of 002.d.beta: damping, directions, friction.
BETA = {
    "Ex1 case2, p=(1,1)": (two(.5, -.375), [[1, 0], [0, 1]], [1, 1]),
    "Ex1 case3 (c1<0), p=(1,1)": (two(-.25, .5), [[1, 0], [0, 1]], [1, 1]),
    "Ex1 case2, p=(1,0.4)": (two(.5, -.375), [[1, 0], [0, 1]], [1, .4]),
    "Ex1 both eigenvalues negative nq=2, p=(1,1)": (two(-.125, -.25), [[1, 0], [0, 1]], [1, 1]),
    "Ex1 nq=2, p=(1,0.4)": (two(-.125, -.25), [[1, 0], [0, 1]], [1, .4]),
    "Ex2A case2, W=(-1,1), p=1": (two(.5, -.375), [[-1], [1]], [1]),
    "Ex2B case3, W=(1,1), p=1": (two(-.25, .5), [[1], [1]], [1]),
    "Ex2A case3, W=(-1,1), unstable (1,1)": (two(-.25, .5), [[-1], [1]], [1]),
    "3 elements W=[1 0 -1;0 1 1], p=(1,0.5,0.25), case2": (two(.5, -.375), [[1, 0, -1], [0, 1, 1]], [1, .5, .25]),
    "3 elements W=[1 0 -1;0 1 1], p=(1,0.5,0.25), nq=2": (two(-.125, -.25), [[1, 0, -1], [0, 1, 1]], [1, .5, .25]),
}


def beta(e):
    out = []
    for case in e["value"]:
        C, W, friction = BETA[case["case"]]
        known = dict(verdict="not-assured", condition_31=False, refuted=True)
        if case["beta_optimal"] > 0:
            known = dict(verdict="local-subset", condition_31=True, beta=case["beta_optimal"])  # or more
        if case["beta_paper"] is not None:
            known["paper_beta"] = case["beta_paper"]
        out.append(entry("%s: %s" % (e["id"], case["case"]), e["tolerance"], [1, 1], C, two(1, 1), W, friction,
                         not_positive=case["nq"], **known))
    return out


def main():
    truth = {e["id"]: e for e in json.load(open(sys.argv[1]))}
    out = [one_block(truth["002.a.rho_star"]), two_blocks(truth["002.b.sets"]), segment(truth["002.c.E_A"]),
           segment(truth["002.c.E_B"])]
    out += table(truth["002.c.table"]) + beta(truth["002.d.beta"])
    cubic = truth["002.e.cubic"]
    out.append(one_block(cubic, cubic["parameters"]["k2"], "F", "k1"))
    print("// SPDX-FileCopyrightText: The Slipstick authors\n// SPDX-License-Identifier: MIT\n//\n"
          "// Written by make_certificates.py.\n// clang-format off\n#include \"reference_certificate.h\"\n\n#include <math.h>\n\n"
          "static const ref_certificate ref_certificates[] = {")
    print("\n".join(out))
    print("};")


main()
