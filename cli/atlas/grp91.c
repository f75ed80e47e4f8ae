// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// [GRP91] Bodies sliding on a plane. Errors of the paper: docs/errata.md. All models have m = g = r_g = 1, so
// that SI numbers are the paper's normalised ones.
#include "atlas/atlas.h"

static const char reference[] = "50-digit reference";

#define STABLE    "eigen_directions[stability=stable]"
#define NEUTRAL   "eigen_directions[stability=neutral]"
#define DISTANCE  "sqrt({" STABLE ".center_of_rotation[0]}^2 + {" STABLE ".center_of_rotation[1]}^2)"
#define CURVATURE "{" NEUTRAL ".radii[0]}/{" NEUTRAL ".magnitude}" // its radius over |P|

// clang-format off

static const atlas_number rule_numbers[] = {
    {.name = "bar turning about an end, Q = (2, 0, 2): Fx", .paper = "0",
     .ask = "surface models/bar.yaml --load 2,0,2", .answer = "{load[0]}", .exact = "1/2", .tolerance = 1e-13,
     .errs = "The effective load is (0, -4, 0). Section 3.2 (2) takes the closest point of the whole limit "
             "surface, (0, -1, 0); it must be the closest of the facet, as Section 3.3 says."},
    {.name = "its Fy", .paper = "-1", .answer = "{load[1]}", .exact = "-1/2", .tolerance = 1e-13,
     .errs = "The same."},
    {.name = "its M", .paper = "0", .answer = "{load[2]}", .exact = "1/2", .tolerance = 1e-13,
     .errs = "The same."},
    {.name = "first motion under (0.9, 0.1, 0.8): ax",
     .ask = "surface models/bar.yaml --first-motion 0.9,0.1,0.8", .answer = "{acceleration[0]}",
     .exact = "0.35", .basis = "applied load less the closest point (0.55, 0.1, 0.45)", .tolerance = 1e-12},
    {.name = "it begins to turn about the end (0, 1): ax/aw", .answer = "{acceleration[0]}/{acceleration[2]}",
     .exact = "1", .tolerance = 1e-12},
    {.name = "under (0.3, 0.2, 0.4), inside the surface, it sticks", .paper = "yes",
     .ask = "surface models/bar.yaml --first-motion 0.3,0.2,0.4", .answer = "{sticks}", .exact = "'true'"},
};

static const atlas_number sled_numbers[] = {
    {.name = "along the runners: |P|", .ask = "surface models/sled.yaml --eigen",
     .answer = "{" STABLE ".magnitude}", .exact = "0.3", .tolerance = 1e-12},
    {.name = "radius of curvature there", .answer = "{" STABLE ".radii[0]}", .exact = "0.6^2/0.3",
     .basis = "of the ellipse: b^2/a, more than |P|", .tolerance = 1e-12},
    {.name = "this direction is", .paper = "stable", .answer = "{eigen_directions[0].stability}",
     .exact = "'stable'"},
    {.name = "across them: |P|", .answer = "{eigen_directions[14].magnitude}", .exact = "0.6",
     .tolerance = 1e-12},
    {.name = "radius of curvature there", .answer = "{eigen_directions[14].radii[1]}", .exact = "0.3^2/0.6",
     .basis = "a^2/b, less than |P|", .tolerance = 1e-12},
    {.name = "this direction is", .paper = "unstable", .answer = "{eigen_directions[14].stability}",
     .exact = "'unstable'"},
    {.name = "direction in the end, qx", .ask = "simulate models/sled.yaml", .answer = "{final_motion.q[0]}",
     .exact = "1", .tolerance = 1e-12},
    {.name = "load just before rest, Fx", .answer = "{events[-1].load_before[0]}", .exact = "0.3",
     .basis = "the smallest |P|", .tolerance = 1e-9},
    {.name = "direction in the end of motion across, qy",
     .ask = "simulate models/sled.yaml --set slider.vx=0", .answer = "{final_motion.q[1]}", .exact = "1",
     .basis = "unstable, but an eigen-direction", .tolerance = 1e-12},
};

static const atlas_number ring_numbers[] = {
    {.name = "attracting load, F", .paper = "2/pi", .ask = "surface models/ring.yaml --eigen",
     .answer = "sqrt({" STABLE ".load[0]}^2 + {" STABLE ".load[1]}^2)", .exact = "2/pi", .tolerance = 1e-12},
    {.name = "attracting load, M", .paper = "2/pi", .answer = "abs({" STABLE ".load[2]})", .exact = "2/pi",
     .tolerance = 1e-12},
    {.name = "attracting motion, V", .paper = "1/sqrt(2)", .answer = "abs({" STABLE ".q[0]})",
     .exact = "1/sqrt(2)", .tolerance = 1e-12},
    {.name = "attracting motion, spin", .paper = "1/sqrt(2)", .answer = "abs({" STABLE ".q[2]})",
     .exact = "1/sqrt(2)", .tolerance = 1e-12},
    {.name = "distance of its centre of rotation", .paper = "1", .answer = DISTANCE, .exact = "1",
     .basis = "a point of the ring", .tolerance = 1e-12},
    {.name = "translation", .paper = "unstable", .answer = "{eigen_directions[2].stability}",
     .exact = "'unstable'"},
    {.name = "rotation about the middle", .paper = "unstable", .answer = "{eigen_directions[3].stability}",
     .exact = "'unstable'"},
    {.name = "(13) at r_c = 0.5: |F|", .ask = "surface models/ring.yaml --load 0.5,0,1",
     .answer = "{load[0]}", .exact = "0.2586579046113417", .basis = "2 (E - (1 - r^2) K)/(pi r)",
     .tolerance = 1e-12},
    {.name = "(13) at r_c = 0.5: M", .answer = "{load[2]}", .exact = "0.9342154576676941", .basis = "2 E/pi",
     .tolerance = 1e-12},
    {.name = "(13) at r_c = 2: |F|, the same by symmetry about 45 degrees",
     .ask = "surface models/ring.yaml --load 2,0,1", .answer = "{load[0]}", .exact = "0.9342154576676941",
     .basis = "F(r) = M(1/r)", .tolerance = 1e-12},
    {.name = "from V = 1, spin 0.5: at rest after",
     .ask = "simulate models/ring.yaml --set slider.vx=1 --set slider.spin=0.5", .answer = "{t}",
     .exact = "1.2110560275684594", .basis = reference, .tolerance = 1e-9},
    {.name = "and the way", .answer = "{state.slider.x}", .exact = "0.5652297911624137", .basis = reference,
     .tolerance = 1e-9},
    {.name = "off the straight line", .paper = "0", .answer = "{state.slider.y}", .exact = "0",
     .tolerance = 1e-9},
};

static const atlas_number disk_numbers[] = {
    {.name = "attracting load, F", .paper = "0.616", .ask = "surface models/disk.yaml --eigen",
     .answer = "sqrt({" STABLE ".load[0]}^2 + {" STABLE ".load[1]}^2)", .exact = "0.6160334132102593",
     .basis = "root of F = r R^2 M in elliptic integrals", .tolerance = 1e-12},
    {.name = "attracting load, M", .paper = "0.667", .answer = "abs({" STABLE ".load[2]})",
     .exact = "0.6670753604647778", .basis = "the same", .tolerance = 1e-12},
    {.name = "attracting motion, V", .paper = "0.678", .answer = "abs({" STABLE ".q[0]})",
     .exact = "0.678441554767674", .basis = "the same", .tolerance = 1e-12},
    {.name = "attracting motion, spin", .paper = "0.735", .answer = "abs({" STABLE ".q[2]})",
     .exact = "0.7346543791228779", .basis = "the same", .tolerance = 1e-12},
    {.name = "distance of its centre of rotation", .paper = "0.923", .answer = DISTANCE,
     .exact = "0.9234839865484531", .basis = "the same", .tolerance = 1e-12},
    {.name = "the same in radii of the disk (not 0.71, as quoted from others)", .paper = "0.653",
     .answer = DISTANCE "/sqrt(2)", .exact = "0.6530017892055976", .basis = "the same", .tolerance = 1e-12},
    {.name = "from V = 1, spin 0.2: at rest after",
     .ask = "simulate models/disk.yaml --set slider.vx=1 --set slider.spin=0.2", .answer = "{t}",
     .exact = "1.0495167663331766", .basis = reference, .tolerance = 1e-9},
    {.name = "and the way", .answer = "{state.slider.x}", .exact = "0.5101459900305918", .basis = reference,
     .tolerance = 1e-9},
    {.name = "and the angle", .answer = "{state.slider.angle}", .exact = "0.13478634977887183",
     .basis = reference, .tolerance = 1e-9},
    {.name = "distance of the centre of rotation in the end",
     .answer = "sqrt({final_motion.center_of_rotation[0]}^2 + {final_motion.center_of_rotation[1]}^2)",
     .exact = "0.9234839865484531", .basis = "the attracting one", .tolerance = 1e-9},
};

// A pure motion is on the edge of stability where |P| is the radius of curvature, (12).
static const atlas_number radius_numbers[] = {
    {.name = "ring of R = sqrt(2), translation: radius of curvature over |P|", .paper = "1",
     .ask = "surface models/ring.yaml --set 'slider.supports[0].ring=sqrt(2)' --eigen", .answer = CURVATURE,
     .exact = "1", .basis = "R^2/2", .tolerance = 1e-12},
    {.name = "ring of R = 1/sqrt(2), rotation: radius of curvature over |P|", .paper = "1",
     .ask = "surface models/ring.yaml --set 'slider.supports[0].ring=1/sqrt(2)' --eigen", .answer = CURVATURE,
     .exact = "1", .basis = "1/(2 R^2)", .tolerance = 1e-12},
    {.name = "ring of R = 0.5, V = spin = 1: ends in pure rotation, V", .paper = "not said: R > 1/sqrt(2)",
     .ask = "simulate models/ring.yaml --set 'slider.supports[0].ring=0.5' --set slider.vx=1 --set "
            "slider.spin=1", .answer = "{final_motion.q[0]}", .exact = "0", .tolerance = 1e-9,
     .errs = "Section 6 (2) says that rings with R > 1/sqrt(2) end in pure rotation. It must be R < "
             "1/sqrt(2), or it contradicts (1) and (3)."},
    {.name = "ring of R = 1.5, V = 0.3, spin 1: ends in translation, spin", .paper = "0",
     .ask = "simulate models/ring.yaml --set 'slider.supports[0].ring=1.5' --set slider.vx=0.3 --set "
            "slider.spin=1", .answer = "{final_motion.q[2]}", .exact = "0", .tolerance = 1e-9},
    {.name = "ring of R = 0.9: distance of the centre of rotation",
     .ask = "surface models/ring.yaml --set 'slider.supports[0].ring=0.9' --eigen", .answer = DISTANCE,
     .exact = "0.8311284333162764", .basis = reference, .tolerance = 1e-11},
    {.name = "disk of R = sqrt(3/2), rotation: radius of curvature over |P|", .paper = "1",
     .ask = "surface models/disk.yaml --set 'slider.supports[0].disk=sqrt(3/2)' --eigen", .answer = CURVATURE,
     .exact = "1", .basis = "(1/R)/(2 R/3)", .tolerance = 1e-12},
    {.name = "disk of R = 2, translation: radius of curvature over |P|", .paper = "1",
     .ask = "surface models/disk.yaml --set 'slider.supports[0].disk=2' --eigen", .answer = CURVATURE,
     .exact = "1", .basis = "R^2/4", .tolerance = 1e-12},
};

static const atlas_number bar_numbers[] = {
    {.name = "stable eigen-directions", .paper = "4", .ask = "surface models/bar.yaml --eigen",
     .answer = "{" STABLE "[]}", .exact = "4", .basis = "two ends, two senses", .tolerance = 0},
    {.name = "stable load, Fx", .paper = "0.5", .answer = "{" STABLE ".load[0]}", .exact = "0.5",
     .tolerance = 1e-13},
    {.name = "stable load, Fy", .paper = "0", .answer = "{" STABLE ".load[1]}", .exact = "0",
     .tolerance = 1e-13},
    {.name = "stable load, M", .paper = "0.5", .answer = "{" STABLE ".load[2]}", .exact = "0.5",
     .tolerance = 1e-13},
    {.name = "stable motion, qx and qw", .paper = "1/sqrt(2)", .answer = "{" STABLE ".q[0]}",
     .exact = "1/sqrt(2)", .tolerance = 1e-13},
    {.name = "|P| of the circles of translations and of motions with qx = 0",
     .answer = "{eigen_directions[-1].magnitude}", .exact = "1", .tolerance = 1e-13},
    {.name = "fastest rotation about an end that lasts, squared",
     .ask = "surface models/bar.yaml --load 0.70710678118654,0,0.70710678118654", .answer = "{load[1]}^2*2",
     .exact = "1/2", .basis = "Fy = -w^2 reaches the friction 1/2 of the end", .tolerance = 1e-11},
};

static const atlas_number sphere_numbers[] = {
    {.name = "reaches the facet after",
     .ask = "simulate models/bar.yaml --set slider.vx=1 --set slider.vy=0.5 --set slider.spin=1",
     .answer = "{events[0].t}", .exact = "0.9757784694527804", .basis = reference, .tolerance = 1e-9},
    {.name = "load on the facet then, Fy", .answer = "{events[0].load_after[1]}",
     .exact = "-0.30035897533171185", .basis = "-w^2; 50-digit reference", .tolerance = 1e-8},
    {.name = "at rest after", .answer = "{t}", .exact = "2.071878784810297", .basis = reference,
     .tolerance = 1e-9},
    {.name = "angle at rest", .answer = "{state.slider.angle}", .exact = "1.066727776458091",
     .basis = reference, .tolerance = 1e-9},
    {.name = "centre of rotation in the end, y", .paper = "1",
     .answer = "{final_motion.center_of_rotation[1]}", .exact = "1", .basis = "an end", .tolerance = 1e-12},
    {.name = "arrival at the facet from (0.6, 0.3, 0.4), Fy before", .paper = "-0.5",
     .ask = "simulate models/bar.yaml", .answer = "{events[0].load_before[1]}", .exact = "0.5",
     .basis = "a node of the flow near the facet", .tolerance = 1e-4,
     .errs = "Section 8.1 finds one direction of final approach, along the centrifugal pull. There are "
             "two: while w^2 < 1/2 the opposite one attracts as well."},
};

static const atlas_number asymmetric_numbers[] = {
    {.name = "stable eigen-directions", .paper = "2", .ask = "surface models/asymmetric-bar.yaml --eigen",
     .answer = "{" STABLE "[]}", .exact = "2", .basis = "the strong support, two senses", .tolerance = 0},
    {.name = "their centre of rotation, y", .paper = "0.25", .answer = "{" STABLE ".center_of_rotation[1]}",
     .exact = "0.25", .tolerance = 1e-12},
    {.name = "their load, Fx", .answer = "{" STABLE ".load[0]}", .exact = "3/17", .tolerance = 1e-12},
    {.name = "their load, M", .answer = "{" STABLE ".load[2]}", .exact = "12/17", .tolerance = 1e-12},
    {.name = "stable ones for r_g = 0.7, the weak support among them",
     .ask = "surface models/asymmetric-bar.yaml --set slider.gyration=0.7 --eigen",
     .answer = "{" STABLE "[]}", .exact = "4", .basis = "the weak support holds for r_g^2 <= 1/2",
     .tolerance = 0},
    {.name = "load of pure rotation, Fx", .paper = "0",
     .ask = "surface models/asymmetric-bar.yaml --load 0,0,1", .answer = "{load[0]}", .exact = "1 - 2",
     .tolerance = 1e-13,
     .errs = "Section 10 makes pure rotation an eigen-direction of every body with one coefficient of "
             "friction whose centre of pressure is its centre of mass. It is one where the directions to "
             "the supports, weighted by their friction, sum to 0; here they do not."},
    {.name = "from (1, 0.5, 1): reaches the facet after",
     .ask = "simulate models/asymmetric-bar.yaml --set slider.vx=1 --set slider.vy=0.5 --set slider.spin=1",
     .answer = "{events[0].t}", .exact = "0.29499518747576803", .basis = reference, .tolerance = 1e-9},
    {.name = "at rest after", .answer = "{t}", .exact = "1.6929557930869545", .basis = reference,
     .tolerance = 1e-9},
};

#define PLATE_RATE "(2.5*0.5/(1 + 5^2))"
#define PLATE_SLOW "sqrt((0.5 - sqrt(0.4^2 - (5*" PLATE_RATE ")^2))/5)"

static const atlas_number plate_numbers[] = {
    {.name = "turns about a, and lets go after", .ask = "simulate models/plate.yaml",
     .answer = "{events[0].t}", .exact = "(0.3 - " PLATE_SLOW ")/" PLATE_RATE,
     .basis = "from 0.3 to the least rate of rotation that a can hold", .tolerance = 1e-9},
    {.name = "rate of rotation at which a lets go", .answer = "0.3 - " PLATE_RATE "*{events[0].t}",
     .exact = PLATE_SLOW, .basis = "balance of forces at a", .tolerance = 1e-9},
    {.name = "begun at a rate of 0.4: a after 0.1",
     .ask = "simulate models/plate.yaml --set slider.vx=-2 --set slider.spin=0.4 --until 0.1",
     .answer = "{contacts.support1.mode}", .exact = "'stick'"},
    {.name = "begun at 0.41, beyond the fastest rate a can hold",
     .ask = "simulate models/plate.yaml --set slider.vx=-2.05 --set slider.spin=0.41 --until 0.1",
     .answer = "{contacts.support1.mode}", .exact = "'slip'"},
    {.name = "stable eigen-directions", .paper = "none about a", .ask = "surface models/plate.yaml --eigen",
     .answer = "{" STABLE "[]}", .exact = "2", .basis = "only about b, in two senses", .tolerance = 0},
    {.name = "their centre of rotation, x", .answer = "{" STABLE ".center_of_rotation[0]}", .exact = "2.5",
     .tolerance = 1e-11},
};

static const atlas_number car_numbers[] = {
    {.name = "stable eigen-directions", .paper = "4", .ask = "surface models/braked-car.yaml --eigen",
     .answer = "{" STABLE "[]}", .exact = "4", .basis = "forwards, backwards, about the rear in two senses",
     .tolerance = 0},
    {.name = "eigen-directions in all", .paper = "many", .answer = "{eigen_directions[]}", .exact = "14",
     .basis = "counted", .tolerance = 0},
    {.name = "|P| forwards", .answer = "{eigen_directions[0].magnitude}", .exact = "0.5", .tolerance = 1e-13},
    {.name = "(A1) at q = (0.64, 0.6, 0.48): Fx", .paper = "(0.64 + 0.48)/(2*sqrt(1 + 2*0.64*0.48)) + 0.5",
     .ask = "surface models/braked-car.yaml --load 0.64,0.6,0.48", .answer = "{load[0]}",
     .exact = "(0.64 + 0.48)/(2*sqrt(1 + 2*0.64*0.48)) + 0.5", .tolerance = 1e-13},
    {.name = "(A1) there: Fy", .paper = "0.6/(2*sqrt(1 + 2*0.64*0.48))", .answer = "{load[1]}",
     .exact = "0.6/(2*sqrt(1 + 2*0.64*0.48))", .tolerance = 1e-13},
    {.name = "mirrored at Fx = M, q = (0.48, 0.6, 0.64): M", .paper = "no plane of symmetry",
     .ask = "surface models/braked-car.yaml --load 0.48,0.6,0.64", .answer = "{load[2]}",
     .exact = "(0.64 + 0.48)/(2*sqrt(1 + 2*0.64*0.48)) + 0.5", .basis = "Fx of the number above",
     .tolerance = 1e-13,
     .errs = "Section 9 sees one plane of symmetry, Fy = 0. The surface is a right elliptic cylinder, "
             "which has three: Fx = M and Fx = -M as well."},
    {.name = "mirrored at Fx = -M, q = (-0.48, 0.6, -0.64): -M", .paper = "no plane of symmetry",
     .ask = "surface models/braked-car.yaml --load -0.48,0.6,-0.64", .answer = "-{load[2]}",
     .exact = "(0.64 + 0.48)/(2*sqrt(1 + 2*0.64*0.48)) + 0.5", .basis = "the same again", .tolerance = 1e-13,
     .errs = "The same."},
};

#define YAW(v)                                                                                               \
    "simulate models/braked-car.yaml --set slider.vy=" v " --set slider.vx=1e-6 --set slider.spin=1e-6"

static const atlas_number skid_numbers[] = {
    {.name = "critical speed for g = 9.8 m/s^2, r_g = 1 m (km/h)", .paper = "11.3",
     .ask = YAW("3.0049") " --set slider.gravity=9.8 --at 0.002",
     .answer = "3.6*sqrt(3^2 - "
               "2*3*log({samples[0].state.slider.spin}/{samples[0].state.slider.vy}*3.0049/1e-6)/0.002)",
     .exact = "3.6*sqrt(9.8)", .basis = "sqrt(mu g r_g), from the growth of a yaw at 3 m/s",
     .tolerance = 1e-5},
    {.name = "growth of a yaw from V = 3 down to V = 1", .ask = YAW("3") " --at 4",
     .answer = "3*{samples[0].state.slider.spin}/1e-6", .exact = "exp((3^2 - 1)/2)/3", .tolerance = 1e-6},
    {.name = "a yaw of 0.001 at V = 3, direction in the end, qy", .paper = "-1",
     .ask = "simulate models/braked-car.yaml --set slider.vy=3 --set slider.vx=0.003 --set slider.spin=0.003",
     .answer = "{final_motion.q[1]}", .exact = "1", .tolerance = 1e-9,
     .errs = "Above sqrt(mu), says the end of Appendix A, all disturbances are attracted to (0, -1, 0). "
             "That is so at the instant: this one grows 18 times, and then decays below sqrt(mu)."},
    {.name = "a yaw of 0.001 at V = 6, direction in the end, qy", .paper = "-1",
     .ask = "simulate models/braked-car.yaml", .answer = "{final_motion.q[1]}", .exact = "-1",
     .basis = "it has turned round", .tolerance = 1e-9},
    {.name = "backwards at V = 3 with a yaw of 0.1, at rest after",
     .ask = "simulate models/braked-car.yaml --set slider.vy=-3 --set slider.vx=0.3 --set slider.spin=0.3",
     .answer = "{t}", .exact = "6.056643428635767", .basis = reference, .tolerance = 1e-9},
    {.name = "and still backwards, qy", .paper = "-1", .answer = "{final_motion.q[1]}", .exact = "-1",
     .tolerance = 1e-9},
};

static const atlas_number free_numbers[] = {
    {.name = "pure translation of the bar: still one in the end, spin", .paper = "0",
     .ask = "simulate models/bar.yaml --set slider.vx=0.6 --set slider.vy=0.8 --set slider.spin=0",
     .answer = "{final_motion.q[2]}", .exact = "0", .tolerance = 1e-12},
    {.name = "its way", .answer = "sqrt({state.slider.x}^2 + {state.slider.y}^2)", .exact = "1/2",
     .basis = "V^2/2", .tolerance = 1e-11},
    {.name = "pure rotation of the bar: its angle",
     .ask = "simulate models/bar.yaml --set slider.vx=0 --set slider.vy=0 --set slider.spin=1.5",
     .answer = "{state.slider.angle}", .exact = "1.5^2/2", .tolerance = 1e-11},
    {.name = "and how far its centre moves", .paper = "0",
     .answer = "sqrt({state.slider.x}^2 + {state.slider.y}^2)", .exact = "0", .tolerance = 1e-12},
};

static const atlas_number tripod_numbers[] = {
    {.name = "from (1, -0.3, 0.8): reaches a facet after", .ask = "simulate models/tripod.yaml",
     .answer = "{events[0].t}", .exact = "1.3512105603962972", .basis = reference, .tolerance = 1e-9},
    {.name = "at rest after", .answer = "{t}", .exact = "1.3887482976628645", .basis = reference,
     .tolerance = 1e-9},
    {.name = "centre of rotation in the end, x", .answer = "{final_motion.center_of_rotation[0]}",
     .exact = "1", .basis = "the first foot", .tolerance = 1e-12},
    {.name = "facets", .paper = "6", .ask = "surface models/tripod.yaml --facets", .answer = "{facets[]}",
     .exact = "6", .basis = "three feet, two senses", .tolerance = 0},
    {.name = "facets on which it may come to rest", .ask = "surface models/tripod.yaml --eigen",
     .answer = "{" STABLE "[]}", .exact = "6", .basis = "three feet, two senses", .tolerance = 0},
    {.name = "mass spread wide (r_g = 5): centre of rotation, x", .paper = "0",
     .ask = "surface models/tripod.yaml --set slider.gyration=5 --eigen",
     .answer = "{" STABLE ".center_of_rotation[0]}", .exact = "0.05323843887898483",
     .basis = "50-digit reference; tends to the median, 0.0447", .tolerance = 1e-10,
     .errs = "The abstract and Sections 7 and 12 let bodies of wide mass end in rotation about the centre "
             "of mass. The centre of rotation tends to the weighted geometric median of the supports; the "
             "two agree only for bodies symmetrical enough."},
    {.name = "and y", .paper = "0", .answer = "{" STABLE ".center_of_rotation[1]}",
     .exact = "0.031447685359827456", .basis = "50-digit reference; tends to the median, 0.0320",
     .tolerance = 1e-10, .errs = "The same."},
};

static const atlas_entry entries[] = {
    {.name = "grp91-1", .place = "Figure 1, Section 3", .title = "Which load belongs to a motion",
     .caption = "The figure is a sketch of cases. Where a support stands still the motion leaves a choice "
                "of loads, a facet; the load is its point closest to the effective load. At the first "
                "motion from rest it is the closest point of all.", .choice = "The bar of Figure 6.",
     ATLAS_NUMBERS(rule_numbers)},
    {.name = "grp91-2", .place = "Figures 2 and 3",
     .title = "Motion without rotation: eigen-directions of a sled",
     .caption = "The figures are sketches of limit curves. Here: the limit curve of a sled that slides "
                "more easily along its runners than across, in the plane of forces. Along the runners the "
                "curve is flatter than a circle about the middle: neighbouring motions turn towards this "
                "direction. Across them it is sharper: they turn away.",
     .choice = "Friction 0.3 and 0.6 of the weight.", .figure = "grp91-2.svg",
     .draw = "surface models/sled.yaml --view section:FxFy", ATLAS_NUMBERS(sled_numbers)},
    {.name = "grp91-2-path", .place = "Section 5", .title = "Motion without rotation: how the sled stops",
     .caption = "|P| decreases, and the sled turns into the direction where it is smallest.",
     .choice = "From (0.5, 1).", .figure = "grp91-2-path.svg", .draw = "simulate models/sled.yaml"},
    {.name = "grp91-4", .place = "Figure 4, (13)", .title = "Ring: generating curves of the limit surface",
     .caption = "Loads of a uniform ring of radius 1, and of the radii at which pure rotation and pure "
                "translation become stable. The curve for R = 1 is symmetrical about the lines at 45 "
                "degrees. As printed, r_c > 0 in (13) gives Fy < 0, and its lengths are in radii of the "
                "ring.", .figure = "grp91-4.svg",
     .draw = "surface models/ring.yaml --view section --also 'slider.supports[0].ring=1/sqrt(2)' --also "
             "'slider.supports[0].ring=sqrt(2)'", ATLAS_NUMBERS(ring_numbers)},
    {.name = "grp91-4-surface", .place = "Figure 4",
     .title = "Ring: limit surface, and the way of the load on it",
     .caption = "The surface that the curve generates. The load moves to the circle of stable "
                "eigen-directions.", .choice = "From V = 1, spin 0.3.", .figure = "grp91-4-surface.png",
     .draw = "simulate models/ring.yaml --view surface --size 800x560px"},
    {.name = "grp91-4-path", .place = "Section 5.4", .title = "Ring: its way to rest",
     .caption = "It slides in a straight line and ends by rolling about a point of itself, whatever the "
                "start.", .choice = "From V = 1, spin 0.3.", .figure = "grp91-4-path.svg",
     .draw = "simulate models/ring.yaml"},
    {.name = "grp91-5", .place = "Figure 5", .title = "Disk: generating curves of the limit surface",
     .caption = "The same for a uniform disk of radius sqrt(2), and for the radii sqrt(3/2) and 2.",
     .figure = "grp91-5.svg",
     .draw = "surface models/disk.yaml --view section --also 'slider.supports[0].disk=sqrt(3/2)' --also "
             "'slider.supports[0].disk=2'", ATLAS_NUMBERS(disk_numbers)},
    {.name = "grp91-5-surface", .place = "Figure 5",
     .title = "Disk: limit surface, and the way of the load on it",
     .caption = "The load moves to the circle of stable eigen-directions.", .choice = "From V = 0.5, spin 1.",
     .figure = "grp91-5-surface.png", .draw = "simulate models/disk.yaml --view surface --size 800x560px"},
    {.name = "grp91-6-mass", .place = "Section 6", .title = "How the mass decides",
     .caption = "A ring or disk that is large compared with its radius of gyration ends in translation, a "
                "small one in rotation, and in between it rolls. The borders are where |P| is the radius "
                "of curvature, (12).", ATLAS_NUMBERS(radius_numbers)},
    {.name = "grp91-6", .place = "Figure 6", .title = "Bar: limit surface",
     .caption = "Loads of a bar supported at its ends. Each end that may stand still makes two facets; in "
                "their middles lie the stable eigen-directions. The line is the way of the load: it "
                "reaches the rim of a facet, and jumps inside as the end comes to rest.",
     .figure = "grp91-6.png",
     .draw = "simulate models/bar.yaml --set slider.vx=1 --set slider.vy=0.5 --set slider.spin=1 --view "
             "surface --size 800x560px", ATLAS_NUMBERS(bar_numbers)},
    {.name = "grp91-7", .place = "Figure 7", .title = "Bar: how motions turn",
     .caption = "The sphere of motions. Along the arrows small motions turn into the stable "
                "eigen-directions; the line is a finite motion, which ends in one of them.",
     .choice = "The start of the paper's trajectory is not given: (1, 0.5, 1).", .figure = "grp91-7.png",
     .draw = "simulate models/bar.yaml --set slider.vx=1 --set slider.vy=0.5 --set slider.spin=1 --view "
             "sphere --size 800x560px", ATLAS_NUMBERS(sphere_numbers)},
    {.name = "grp91-7-path", .place = "Section 8.1", .title = "Bar: its way to rest",
     .caption = "The bar on the floor at equal times. It ends by turning about one of its ends.",
     .choice = "From (1, 0.5, 1).", .figure = "grp91-7-path.svg",
     .draw = "simulate models/bar.yaml --set slider.vx=1 --set slider.vy=0.5 --set slider.spin=1"},
    {.name = "grp91-8", .place = "Figure 8",
     .title = "Bar with unequal supports: section of the limit surface",
     .caption = "Friction 2 at 0.25 and 1 at 0.5 from the centre of mass, loads with Fy = 0. The flat "
                "sides are rotations about the supports; only that of the stronger one holds an "
                "eigen-direction.", .choice = "The radius of gyration is not given: 1.",
     .figure = "grp91-8.svg", .draw = "surface models/asymmetric-bar.yaml --view section",
     ATLAS_NUMBERS(asymmetric_numbers)},
    {.name = "grp91-8-surface", .place = "Figure 8",
     .title = "Bar with unequal supports: the way of the load",
     .caption = "The whole surface. The load jumps into the facet of the stronger support as this one "
                "comes to rest.", .choice = "From (1, 0.2, 1.5).", .figure = "grp91-8-surface.png",
     .draw = "simulate models/asymmetric-bar.yaml --view surface --size 800x560px"},
    {.name = "grp91-9", .place = "Figure 9", .title = "A plate that turns about a support, and lets go",
     .caption = "While it turns fast enough, the centrifugal force helps support a to hold. As it slows "
                "down, a breaks loose.",
     .choice = "The paper gives no numbers, and lets r_g go to 0 in units of r_g: a = (0, -5) with 0.4, b "
               "= (2.5, -5) with 0.5.", .figure = "grp91-9.svg", .draw = "simulate models/plate.yaml",
     ATLAS_NUMBERS(plate_numbers)},
    {.name = "grp91-10", .place = "Figure 10, (A1)", .title = "Car with locked rear wheels: limit surface",
     .caption = "An elliptic cylinder, and the way of the load of a car that turns round: its caps are "
                "rotations about the rear, its side is rolling of the front. In (A1), A = 1 and -1 are the "
                "rims; the caps are not in it.", .figure = "grp91-10.png",
     .draw = "simulate models/braked-car.yaml --view surface --size 800x560px", ATLAS_NUMBERS(car_numbers)},
    {.name = "grp91-A", .place = "Section 9, Appendix A",
     .title = "Car with locked rear wheels: it turns round",
     .caption = "Braked at six times the critical speed with a yaw of a thousandth, the car turns round "
                "and stops backwards.", .choice = "From V = 6, yaw 0.001.", .figure = "grp91-a.svg",
     .draw = "simulate models/braked-car.yaml", ATLAS_NUMBERS(skid_numbers)},
    {.name = "grp91-free", .place = "Section 10", .title = "What holds for every free slider",
     .caption = "Pure translation and, where the supports allow it, pure rotation persist. (The section "
                "speaks of the convective term of (2); it is that of (3), (4) and (7).)",
     ATLAS_NUMBERS(free_numbers)},
    {.name = "grp91-11", .place = "Section 11", .title = "A body on three feet",
     .caption = "The generic body touches at three points and has six facets. The section has no figure.",
     .choice = "Feet at (1, 0), (-0.4, 0.9) and (-1.04, -1.26) with 0.4, 0.35 and 0.25 of the weight.",
     .figure = "grp91-11.png", .draw = "surface models/tripod.yaml --size 800x560px",
     ATLAS_NUMBERS(tripod_numbers)},
};

// clang-format on

const atlas_paper atlas_grp91 = {
    .key = "GRP91",
    .name = "Goyal, Ruina and Papadopoulos 1991",
    .reference = "S. Goyal, A. Ruina, J. Papadopoulos: Planar sliding with dry friction, Part 2: Dynamics of "
                 "motion. Wear 143 "
                 "(1991) 331-352",
    .about = "How does a rigid body slide on a plane, and with which ratio of translation to rotation does "
             "it come to rest? Lengths are "
             "in radii of gyration, forces in weights.",
    .entries = entries,
    .entry_count = sizeof entries / sizeof entries[0],
};
