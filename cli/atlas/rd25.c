// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// [RD25] A body carried by friction, and its elastic stop. Errors of the paper: docs/errata.md.
#include "atlas/atlas.h"

static const char reference[] = "40-digit reference";

// clang-format off

static const atlas_number pair_numbers[] = {
    {.name = "breaks away at (s)", .ask = "simulate models/active-passive-pair.yaml --at 0.4092663808866669",
     .answer = "{events[0].t}", .exact = "0.4092663808866669", .basis = reference, .tolerance = 1e-11},
    {.name = "driving force less spring and damper then (N)", .paper = "1.2",
     .answer = "abs(6*sin(2*{samples[0].t}) - 0.8*{samples[0].state.active.v} - "
               "4*{samples[0].state.active.x})", .exact = "1.2*(1 + 0.5)/0.5", .tolerance = 1e-9,
     .errs = "(3) and (4) never ask for the acceleration of both bodies together. They part where the "
             "force exceeds b (m1 + m2)/m2, not b."},
    {.name = "sticks again at (s)", .answer = "{events[1].t}", .exact = "0.7959180606685635",
     .basis = reference, .tolerance = 1e-11},
    {.name = "a pair cruising at 10 m/s, 0.5 s later", .paper = "slips, by (4)",
     .ask = "simulate models/carried-disk.yaml --set bodies.platform.speed=10 --set disk.v=10 --set "
            "disk.x=-10 --set platform.x=-10 --until 0.5", .answer = "{contacts.surface.mode}",
     .exact = "'stick'",
     .errs = "(4) compares the speed |x1'| with b/m2, which is an acceleration; |x1''| is meant."},
    {.name = "a pair at rest, pushed with 6 N, 0.05 s later", .paper = "sticks, by (4)",
     .ask = "simulate models/active-passive-pair.yaml --set 'forces[0].force=6' --until 0.05",
     .answer = "{contacts.interface.mode}", .exact = "'slip+'",
     .errs = "The same: at rest the printed condition holds under any push."},
};

static const atlas_number restitution_numbers[] = {
    {.name = "e at alpha v = 0.1", .paper = "1 - 0.1", .ask = "check models/carried-disk.yaml",
     .answer = "{laws.frame.restitution[speed=0.1].exact}", .exact = "0.9090157413492023",
     .basis = "root of 1.5 a (1 + e) = ln((1 + 1.5 a)/(1 - 1.5 a e)), a = alpha v", .tolerance = 1e-13,
     .errs = "e = 1 - alpha v is the first term of a series."},
    {.name = "e at alpha v = 1", .paper = "1 - 1", .answer = "{laws.frame.restitution[speed=1].exact}",
     .exact = "0.4877412560153485", .basis = "the same", .tolerance = 1e-13,
     .errs = "The first-order law says that the body stays; by (7) it comes back with almost half of its "
             "speed."},
    {.name = "that root, put into its equation",
     .answer = "1.5*(1 + {laws.frame.restitution[speed=1].exact}) - log(2.5/(1 - "
               "1.5*{laws.frame.restitution[speed=1].exact}))", .exact = "0", .tolerance = 1e-12},
    {.name = "first-order e at alpha v = 1", .paper = "1 - 1",
     .answer = "{laws.frame.restitution[speed=1].first_order}", .exact = "1 - 1", .tolerance = 1e-14},
    {.name = "e at alpha v = 3", .paper = "1 - 3", .answer = "{laws.frame.restitution[speed=3].exact}",
     .exact = "0.21711106321557777", .basis = "the same root", .tolerance = 1e-13,
     .errs = "A negative restitution means nothing."},
    {.name = "speed after a free impact at 1 m/s (m/s)",
     .ask = "simulate models/struck-disk.yaml --set contacts.surface.friction=0 --until 0.02",
     .answer = "abs({state.disk.v})", .exact = "0.4877412560153485", .basis = "the same root",
     .tolerance = 1e-10},
};

#define FREE_IMPACT "simulate models/struck-disk.yaml --set contacts.surface.friction=0 --until 0.03"

static const atlas_number map_numbers[] = {
    {.name = "work of the loop, alpha = 1, 1 m/s (J)", .ask = FREE_IMPACT " --at 0.0029090055355367288",
     .answer = "{energy.impact}", .exact = "0.5*0.052*(1 - 0.4877412560153485^2)",
     .basis = "m v^2 (1 - e^2)/2", .tolerance = 1e-10},
    {.name = "deepest penetration, alpha = 1 (m)", .answer = "{samples[0].state.disk.x}",
     .exact = "sqrt(2*0.052/(10000*1.5^2)*(1.5 - log(2.5)))", .tolerance = 1e-10},
    {.name = "force at the first touch (N)", .paper = "0", .ask = FREE_IMPACT " --at 0",
     .answer = "{samples[0].contacts.frame.force}", .exact = "0", .tolerance = 0},
    {.name = "work of the loop, alpha = 0.1, 1 m/s (J)",
     .ask = FREE_IMPACT " --set contacts.frame.alpha=0.1 --at 0.0034761886914564475",
     .answer = "{energy.impact}", .exact = "0.5*0.052*(1 - 0.9090157413492023^2)",
     .basis = "m v^2 (1 - e^2)/2", .tolerance = 1e-10},
    {.name = "deepest penetration, alpha = 0.1 (m)", .answer = "{samples[0].state.disk.x}",
     .exact = "sqrt(2*0.052/(10000*0.15^2)*(0.15 - log(1.15)))", .tolerance = 1e-10},
};

static const atlas_number hertz_numbers[] = {
    {.name = "work of the loop, alpha = 1, 1 m/s (J)",
     .ask = FREE_IMPACT " --set contacts.frame.exponent=1.5 --at 0.010595647981360912",
     .answer = "{energy.impact}", .exact = "0.5*0.052*(1 - 0.4877412560153485^2)",
     .basis = "as for n = 1: it depends on alpha v alone", .tolerance = 1e-9},
    {.name = "deepest penetration (m)", .answer = "{samples[0].state.disk.x}",
     .exact = "(2.5*0.052/(10000*1.5^2)*(1.5 - log(2.5)))^(1/2.5)", .tolerance = 1e-9},
};

static const atlas_number rig_numbers[] = {
    {.name = "friction of the steel disk (N)", .paper = "0.214", .ask = "check models/struck-disk.yaml",
     .answer = "{laws.surface.forward}", .exact = "0.214", .basis = "given", .tolerance = 1e-15},
    {.name = "mu of steel on steel", .paper = "a standard value",
     .answer = "{laws.surface.forward}/({matrices.M[0][0]}*9.81)", .exact = "0.214/(0.052*9.81)",
     .tolerance = 1e-14},
    {.name = "friction of the aluminium disk (N)", .paper = "0.1106", .ask = "check models/carried-disk.yaml",
     .answer = "{laws.surface.forward}", .exact = "0.1106", .basis = "given", .tolerance = 1e-15},
    {.name = "mu of aluminium on steel", .paper = "a standard value",
     .answer = "{laws.surface.forward}/({matrices.M[0][0]}*9.81)", .exact = "0.1106/(0.024*9.81)",
     .tolerance = 1e-14},
};

static const atlas_number struck_numbers[] = {
    {.name = "turns in the frame at (s)", .ask = "simulate models/struck-disk.yaml",
     .answer = "{events[0].t}", .exact = "0.0028941830911853737", .basis = reference, .tolerance = 1e-10},
    {.name = "leaves the frame at (s)", .answer = "{events[1].t}", .exact = "0.007548147619600778",
     .basis = reference, .tolerance = 1e-10},
    {.name = "at rest after (s)", .answer = "{t}", .exact = "0.1230291021441586", .basis = reference,
     .tolerance = 1e-10},
    {.name = "rests at (m)", .answer = "{state.disk.x}", .exact = "-0.02744107772683885", .basis = reference,
     .tolerance = 1e-10},
    {.name = "comes to rest", .paper = "never, by (11)", .answer = "{outcome}", .exact = "'at-rest'",
     .errs = "With sgn(0) = 0 friction vanishes as soon as the disk stands, and (11) cannot hold it. The "
             "sign at rest is a set."},
};

static const atlas_number carried_numbers[] = {
    {.name = "breaks away at (s)", .paper = "0.01/0.1", .ask = "simulate models/carried-disk.yaml",
     .answer = "{events[1].t}", .exact = "(0.01 + 0.1106/(10000*(1 + 1.5*1*0.1)))/0.1", .tolerance = 1e-12,
     .errs = "By (11) with sgn(0) = 0 the disk leaves the platform as it touches the frame. It stays on it "
             "until k p^n (1 + 1.5 alpha V) = b."},
    {.name = "mode of the surface at the first touch", .answer = "{events[1].from}", .exact = "'stick'"},
    {.name = "leaves the frame for the first time at (s)",
     .ask = "simulate models/carried-disk.yaml --set contacts.frame.alpha=5 --until 5",
     .answer = "{events[2].t}", .exact = "0.10525491636371548", .basis = "40-digit reference, alpha = 5 s/m",
     .tolerance = 1e-10},
    {.name = "separations in all, alpha = 5 s/m", .answer = "{events[to=open][]}", .exact = "10",
     .basis = reference, .tolerance = 0},
    {.name = "leans on the frame in the end, depth (m)", .answer = "{state.disk.x}", .exact = "0.1106/10000",
     .tolerance = 1e-9},
    {.name = "mode of the surface then", .answer = "{contacts.surface.mode}", .exact = "'slip-'"},
    {.name = "separations, n = 1.5, alpha = 5 s/m",
     .ask = "simulate models/carried-disk.yaml --set contacts.frame.alpha=5 --set "
            "contacts.frame.exponent=1.5 --until 5", .answer = "{events[to=open][]}", .exact = "0",
     .basis = reference, .tolerance = 0},
    {.name = "depth in the end, n = 1.5 (m)", .answer = "{state.disk.x}", .exact = "(0.1106/10000)^(1/1.5)",
     .tolerance = 1e-9},
};

#define FIT                                                                                                  \
    "fit models/carried-disk-recording.yaml recordings/carried-disk.csv --free "                             \
    "contacts.frame.stiffness,contacts.frame.alpha,contacts.frame.above --column disk.x=position_m"

static const atlas_number fit_numbers[] = {
    {.name = "noise of the laser (m)", .paper = "8 um", .ask = FIT, .answer = "{rms}", .exact = "8 um",
     .basis = "put in", .tolerance = 0.03},
    {.name = "stiffness, distance from the truth in standard errors",
     .answer = "({parameters.contacts.frame.stiffness.value} - "
               "80000)/{parameters.contacts.frame.stiffness.stderr}", .exact = "0",
     .basis = "80000 N/m^1.5 was put in", .tolerance = 3},
    {.name = "alpha (s/m)", .answer = "{parameters.contacts.frame.alpha.value}", .exact = "1.2",
     .basis = "put in", .tolerance = 1e-3},
    {.name = "position of the frame (m)", .answer = "{parameters.contacts.frame.above.value}",
     .exact = "0.0123", .basis = "put in", .tolerance = 3e-5},
};

static const atlas_entry entries[] = {
    {.name = "rd25-1", .place = "Figure 1, (2)-(4)",
     .title = "A driven body carries another by friction alone",
     .caption = "The figure is a diagram of action and reaction. Here: a pair of this kind in motion. The "
                "bodies stick together (shaded) until the drive asks for more than friction can give, and "
                "then slip to and fro.",
     .choice = "The paper gives no numbers: m1 = 1 kg, m2 = 0.5 kg, a1 = 0.8 N*s/m, a2 = 4 N/m, b = 1.2 N, "
               "u = 6 N sin(2 t).", .figure = "rd25-1.svg",
     .draw = "simulate models/active-passive-pair.yaml", ATLAS_NUMBERS(pair_numbers)},
    {.name = "rd25-e", .place = "Section II-B", .title = "How fast a body leaves an elastic stop",
     .caption = "Restitution of the contact force (7). It depends on alpha times the incoming speed alone, "
                "not on mass, stiffness or exponent; e = 1 - alpha v holds for small speeds only.",
     ATLAS_NUMBERS(restitution_numbers)},
    {.name = "rd25-2", .place = "Figure 2", .title = "Force over penetration for two kinds of damping",
     .caption = "Impacts at 1 m/s and 0.6 m/s with alpha = 1 s/m and alpha = 0.1 s/m, k = 10000. The force "
                "begins and ends at 0; the area of a loop is the energy that is lost.",
     .choice = "The paper does not state the exponent, the mass and the speeds: n = 1, m = 52 g without "
               "friction.", .figure = "rd25-2.svg",
     .draw = "simulate models/struck-disk.yaml --set contacts.surface.friction=0 --until 0.02 --view "
             "impact --also contacts.frame.alpha=0.1 --also disk.v=0.6 --also "
             "disk.v=0.6,contacts.frame.alpha=0.1", ATLAS_NUMBERS(map_numbers)},
    {.name = "rd25-2-hertz", .place = "Figure 2", .title = "The same for contacting spheres",
     .caption = "The same impacts with n = 3/2. k = 10000 is another stiffness then, since its unit is "
                "N/m^n: the contact is softer, and the energy lost is the same.",
     .choice = "n = 3/2, the rest as above.", .figure = "rd25-2-hertz.svg",
     .draw = "simulate models/struck-disk.yaml --set contacts.surface.friction=0 --set "
             "contacts.frame.exponent=1.5 --until 0.06 --view impact --also contacts.frame.alpha=0.1 "
             "--also disk.v=0.6 --also disk.v=0.6,contacts.frame.alpha=0.1", ATLAS_NUMBERS(hertz_numbers)},
    {.name = "rd25-2-series", .place = "Figure 2", .title = "A series of impacts that become smaller",
     .caption = "The impacts of a disk that friction carries against the frame again and again, each with "
                "less speed.",
     .choice = "The aluminium disk of the second experiment, n = 1, alpha = 1 s/m, k = 10000 N/m.",
     .figure = "rd25-2-series.svg", .draw = "simulate models/carried-disk.yaml --view impact"},
    {.name = "rd25-3", .place = "Figures 3 and 4", .title = "The rig",
     .caption = "A photograph and a drawing of the apparatus: nothing to compute. The masses and friction "
                "forces given beside them, and the coefficients they imply, which are not given.",
     ATLAS_NUMBERS(rig_numbers)},
    {.name = "rd25-5", .place = "Figure 5", .title = "A steel disk thrown against the frame",
     .caption = "It meets the frame at 1 m/s, comes back with less than half of its speed, and slides to "
                "rest.",
     .choice = "The recorded data and the stiffness, alpha and exponent of the figure were not published: "
               "k = 10000 N/m, alpha = 1 s/m, n = 1.", .figure = "rd25-5.svg",
     .draw = "simulate models/struck-disk.yaml", ATLAS_NUMBERS(struck_numbers)},
    {.name = "rd25-6", .place = "Figure 6", .title = "An aluminium disk carried into the frame",
     .caption = "It rides on the platform at 0.1 m/s into the frame, breaks away, is thrown back and "
                "carried in again, each time with less speed. In the end it leans on the frame while the "
                "platform slides on under it.",
     .choice = "The recorded data and the stiffness, alpha and exponent of the figure were not published: "
               "k = 10000 N/m, alpha = 1 s/m, n = 1, the frame 10 mm away.", .figure = "rd25-6.svg",
     .draw = "simulate models/carried-disk.yaml", ATLAS_NUMBERS(carried_numbers)},
    {.name = "rd25-6-fit", .place = "Figure 6", .title = "Recorded and fitted",
     .caption = "A recording of such a motion as the laser of the rig would make it, 5000 samples at 5 "
                "kHz, the fitted motion, and what is left.",
     .choice = "The recording is not the paper's, which was not published. It was computed with n = 3/2, k "
               "= 80000 N/m^1.5, alpha = 1.2 s/m and the frame at 12.3 mm, with noise of 8 um.",
     .figure = "rd25-6-fit.svg", .draw = FIT, ATLAS_NUMBERS(fit_numbers)},
};

// clang-format on

const atlas_paper atlas_rd25 = {
    .key = "RD25",
    .name = "Ruderman and De Rito 2025",
    .reference = "M. Ruderman, F. De Rito: Study of Frictional and Impact Transients in Active-Passive "
                 "Mechanical Pair. "
                 "arXiv:2501.03653 (2025)",
    .about = "One body carries another by friction alone, into an elastic stop. How do stick, slip and "
             "impact go together, and "
             "does it agree with what a laser sees?",
    .entries = entries,
    .entry_count = sizeof entries / sizeof entries[0],
};
