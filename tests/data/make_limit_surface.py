#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Turns the statics of the reference tables (planar.json, 50-digit computations) into limit_surface.h.

    python3 make_limit_surface.py planar.json > limit_surface.h
"""
import json
import sys

table = {e["id"]: e for e in json.load(open(sys.argv[1]))["entries"]}


def n(x):
    return "INFINITY" if x == "inf" else repr(float(x))


def vec(v):
    return "{" + ", ".join(n(x) for x in v) + "}"


def head():
    print("// SPDX-FileCopyrightText: The Slipstick authors\n// SPDX-License-Identifier: MIT\n//")
    print("// Made by make_limit_surface.py: statics of sliders to 50 digits, in the units of the paper.\n// clang-format off")
    print("#ifndef TESTS_DATA_LIMIT_SURFACE_H\n#define TESTS_DATA_LIMIT_SURFACE_H\n\n#include <math.h>\n")


def curves():
    print("// rho (distance of the centre of rotation by the radius), |F|, |M| by the radius.")
    for name, ids in (("ring_curve", ["curve_ring"]), ("disk_curve", ["curve_disk", "curve_disk_sharp"])):
        print("static const double %s[][3] = {" % name)
        for i in ids:
            for row in table[i]["values"]["table"]:
                print("    %s," % vec(row))
        print("};")
    for kind in ("ring", "disk"):
        e = table.get("eig_%s_vs_R" % kind)
        if e:
            print("// R, rho, V/omega, Fy, M, |P| of the stable eigen-direction.\nstatic const double %s_eigen[][6] = {" % kind)
            for row in e["values"]["table"]:
                print("    %s," % vec(row))
            print("};")


def supports():
    print("\ntypedef struct ref_body {\n    const char* id;\n    int count;\n    double xyf[6][3];\n} ref_body;")
    print("typedef struct ref_eigen {\n    const char* body;\n    double q[3], load[3], magnitude, radii[2]; // ascending, infinite on facets\n    int stable;\n} ref_eigen;")
    ids = [i for i in table if i.startswith("eig_") and "supports_xyf" in table[i]["params"]] + ["asym_bar_eigen"]
    ids = [i for i in ids if i in table]
    print("static const ref_body eigen_bodies[] = {")
    for i in ids:
        s = table[i]["params"]["supports_xyf"]
        print('    {"%s", %d, {%s}},' % (i, len(s), ", ".join(vec(x) for x in s)))
    print("};\nstatic const ref_eigen eigen_truth[] = {")
    for i in ids:
        for w in table[i]["values"]["eigen"]:
            radii = ["inf", "inf"] if w["kind"] == "facet" else sorted(float(x) for x in w["rho"])
            print('    {"%s", %s, %s, %s, %s, %d},' % (i, vec(w["q"]), vec(w["P"]), n(w["normP"]), vec(radii), w["stable"]))
    print("};")


def first_motions():
    print("\ntypedef struct ref_first {\n    const char* body;\n    double applied[3], load[3], acceleration[3];\n    int sticks;\n} ref_first;")
    ids = ["first_bar", "first_asym_bar", "first_quad"]
    print("static const ref_body first_bodies[] = {")
    for i in ids:
        s = table[i]["params"]["supports_xyf"]
        print('    {"%s", %d, {%s}},' % (i, len(s), ", ".join(vec(x) for x in s)))
    print("};\nstatic const ref_first first_truth[] = {")
    for i in ids + ["first_disk"]:
        for w in table[i]["values"]["cases"]:
            print('    {"%s", %s, %s, %s, %d},' % (i, vec(w["P_app"]), vec(w["P"]), vec(w["Qdot"]), w["status"].startswith("inside")))
    print("};")


def points():
    print("\ntypedef struct ref_point {\n    double q[3], load[3], power, radii[2];\n} ref_point;")
    print("static const ref_point bar_points[] = {")
    for p in table["bar_limit_points"]["values"]["points"]:
        print("    {%s, %s, %s, %s}," % (vec(p["q"]), vec(p["P"]), n(p["Phi"]), vec(sorted(float(x) for x in p["principal_radii"]))))
    print("};\nstatic const ref_point car_points[] = { // mu = 0.8; the one that rolls is left out")
    for p in table["car_limit_points"]["values"]["points"]:
        if abs(abs(float(p["A"])) - 1) < 1e-9:
            print("    {%s, %s, %s, {0, 0}}," % (vec(p["q"]), vec(p["P"]), n(p["Phi"])))
    v = table["identities_tri"]["values"]
    print("};\nstatic const double tri_q[3] = %s, tri_load[3] = %s, tri_power = %s;" % (vec(table["identities_tri"]["params"]["q"]), vec(v["P"]), n(v["Phi"])))
    print("static const double tri_hessian[9] = %s;" % vec(sum(v["hessian"], [])))


head()
curves()
supports()
first_motions()
points()
print("\n#endif")
