// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// [R15] Friction with memory: LuGre and Maxwell-slip. Errors of the paper: docs/errata.md.
#include "atlas/atlas.h"

static const char reference[] = "40-digit reference";

// clang-format off

static const atlas_number lugre_numbers[] = {
    {.name = "position at half of the way (m)", .ask = "simulate models/lugre-stop.yaml --at 0.05",
     .answer = "{samples[0].state.mass.x}", .exact = "0.1*0.05 - 0.05^2/2",
     .basis = "z is constant: v0 t - Fc t^2/2", .tolerance = 1e-11},
    {.name = "first stop at (s)", .answer = "{events[0].t}", .exact = "0.1/1", .basis = "v0/Fc",
     .tolerance = 1e-10},
    {.name = "first stop at (m)", .answer = "{loops[0].to}", .exact = "0.1^2/(2*1)", .tolerance = 1e-10},
    {.name = "second turning point at (s)", .answer = "{events[1].t}", .exact = "0.13195985263279933",
     .basis = reference, .tolerance = 1e-9},
    {.name = "second turning point at (m)", .answer = "{loops[1].to}", .exact = "0.0048558877983725926",
     .basis = reference, .tolerance = 1e-9},
    {.name = "position after 0.6 s (m)", .answer = "{state.mass.x}", .exact = "0.004908078922787337",
     .basis = reference, .tolerance = 1e-9},
    {.name = "damping ratio of the bristles", .ask = "check models/lugre-stop.yaml",
     .answer = "{laws.floor.damping_ratio}", .exact = "10/(2*sqrt(10000))", .tolerance = 1e-13},
};

static const atlas_number algebraic_numbers[] = {
    {.name = "force at the first turning point back (N)",
     .ask = "simulate models/lugre-stop.yaml --set contacts.floor.sigma1=0 --until 1",
     .answer = "10000*(0.0049 - {loops[1].to})", .exact = "0.5936242600400401",
     .basis = "a' = 1 + W0(-(1 + a) exp(-1 - a)) from a = 1", .tolerance = 1e-7},
    {.name = "at the tenth (N)", .answer = "10000*({loops[10].to} - 0.0049)", .exact = "0.12978345470903344",
     .basis = "the same, ten times", .tolerance = 1e-6},
    {.name = "growth of 1/a from the ninth to the tenth",
     .answer = "1/(10000*({loops[10].to} - 0.0049)) - 1/(10000*(0.0049 - {loops[9].to}))",
     .exact = "1/0.12978345470903344 - 1/0.1420872526404242", .basis = "2/3 in the limit", .tolerance = 1e-5},
};

static const atlas_number passive_numbers[] = {
    {.name = "least sigma2 for Fs = 1.5 Fc (N*s/m)", .paper = "5",
     .ask = "check models/lugre-stop.yaml --set contacts.floor.static=1.5 --set "
            "contacts.floor.stribeck_speed=0.01", .answer = "{laws.floor.sigma2_threshold}",
     .exact = "10*(1.5 - 1)/1", .tolerance = 1e-13},
    {.name = "passive with sigma2 = 0", .answer = "{laws.floor.passive}", .exact = "'false'"},
    {.name = "passive with sigma2 at the threshold", .paper = "yes by (6), no by (5)",
     .ask = "check models/lugre-stop.yaml --set contacts.floor.static=1.5 --set "
            "contacts.floor.stribeck_speed=0.01 --set contacts.floor.sigma2=5",
     .answer = "{laws.floor.passive}", .exact = "'true'",
     .errs = "(5) and (6) are one threshold, strict and not strict. So (5) is the stronger condition, not "
             "the weaker one as the text has it."},
    {.name = "least sigma2 for Fs = Fc (N*s/m)", .paper = "0", .ask = "check models/lugre-stop.yaml",
     .answer = "{laws.floor.sigma2_threshold}", .exact = "0", .tolerance = 0},
    {.name = "passive with sigma2 = 0 for Fs = Fc", .paper = "yes, by (7)", .answer = "{laws.floor.passive}",
     .exact = "'true'"},
};

#define STRIBECK                                                                                             \
    "simulate models/lugre-stop.yaml --set contacts.floor.sigma0=1e5 --set contacts.floor.sigma1=300 --set " \
    "contacts.floor.sigma2=0.4 --set contacts.floor.static=1.5 --set contacts.floor.stribeck_speed=0.01 "    \
    "--set mass.v=0.02 --until 0.05"

static const atlas_number stribeck_numbers[] = {
    {.name = "first stop at (s)", .ask = STRIBECK, .answer = "{events[0].t}", .exact = "0.01639603742055209",
     .basis = reference, .tolerance = 1e-8},
    {.name = "first stop at (m)", .answer = "{loops[0].to}", .exact = "0.00017477305349973766",
     .basis = reference, .tolerance = 1e-8},
    {.name = "position after 0.05 s (m)", .answer = "{state.mass.x}", .exact = "0.0001649326232484378",
     .basis = reference, .tolerance = 1e-8},
};

static const atlas_number play_numbers[] = {
    {.name = "play output x after moving inward to y = 1.45 m (m)", .paper = "0.95",
     .ask = "simulate models/play.yaml --at 0.5,1,2,3,4",
     .answer = "{samples[0].state.probe.x} + {samples[0].contacts.pad.force}", .exact = "1.5",
     .basis = "max(y - r, min(y + r, x))", .tolerance = 1e-13,
     .errs = "(9) drags x along also when y moves inward from the edge of the play. It moves only when "
             "pushed: x' = max(y', 0) at y = x + r, min(y', 0) at y = x - r."},
    {.name = "x at y = 0.9 m (m)", .answer = "{samples[1].state.probe.x} + {samples[1].contacts.pad.force}",
     .exact = "1.4", .basis = "max(y - r, min(y + r, x))", .tolerance = 1e-13},
    {.name = "x at y = -1 m (m)", .answer = "{samples[3].state.probe.x} + {samples[3].contacts.pad.force}",
     .exact = "-0.5", .basis = "max(y - r, min(y + r, x))", .tolerance = 1e-13},
    {.name = "x back at y = 1.5 m (m)",
     .answer = "{samples[4].state.probe.x} + {samples[4].contacts.pad.force}", .exact = "1",
     .basis = "max(y - r, min(y + r, x))", .tolerance = 1e-13},
};

static const atlas_number maxwell_numbers[] = {
    {.name = "first stop at (s)", .ask = "simulate models/maxwell-stop.yaml", .answer = "{events[0].t}",
     .exact = "0.3/0.95", .basis = "v0/(c1 + c2)", .tolerance = 1e-11},
    {.name = "first stop at (m)", .answer = "{loops[0].to}", .exact = "0.3^2/(2*0.95)", .tolerance = 1e-11},
    {.name = "second turning point at (s)", .answer = "{events[1].t}", .exact = "0.7474072720518664",
     .basis = reference, .tolerance = 1e-10},
    {.name = "amplitude that is left (m)", .answer = "abs({loops[-2].to} - {loops[-2].from})/2",
     .exact = "0.004916081207387257", .basis = reference, .tolerance = 1e-9},
    {.name = "its half period (s)", .answer = "{events[-1].t} - {events[-2].t}", .exact = "pi/sqrt(70 + 30)",
     .tolerance = 1e-10},
    {.name = "largest swing that loses nothing (m)", .ask = "check models/maxwell-stop.yaml",
     .answer = "{laws.floor.residual_amplitude}", .exact = "0.35/70", .tolerance = 1e-13},
    {.name = "one element: first swing back ends at (s)",
     .ask = "simulate models/maxwell-stop.yaml --set 'contacts.floor.elements[0][0]=50' --set "
            "'contacts.floor.elements[0][1]=0.5' --set 'contacts.floor.elements[1][0]=50' --set "
            "'contacts.floor.elements[1][1]=0.5'", .answer = "{events[1].t}", .exact = "0.3 + pi/10",
     .tolerance = 1e-11},
    {.name = "and at (m), just at the opposite limit", .answer = "{loops[1].to}", .exact = "0.045 - 2*1/100",
     .tolerance = 1e-11},
};

static const atlas_number nested_numbers[] = {
    {.name = "force at the first reversal, y = 1 m (N)",
     .ask = "simulate models/hysteresis.yaml --at 1,2,3,5,7,9,11",
     .answer = "-{samples[0].contacts.pad.force}", .exact = "0.5 + 0.8 + 1.2 + 1.4 + 1*1",
     .basis = "four elements slip, one holds", .tolerance = 1e-13},
    {.name = "at y = -0.6 m (N)", .answer = "-{samples[1].contacts.pad.force}", .exact = "-4.5",
     .basis = "closed form", .tolerance = 1e-13},
    {.name = "back at y = 0.5 m, less than before (N)",
     .answer = "{samples[3].contacts.pad.force} - {samples[4].contacts.pad.force}", .exact = "0",
     .basis = "a closed inner loop leaves no trace", .tolerance = 1e-13},
    {.name = "back at y = 0.7 m, less than before (N)",
     .answer = "{samples[2].contacts.pad.force} - {samples[5].contacts.pad.force}", .exact = "0",
     .basis = "the same", .tolerance = 1e-13},
    {.name = "back at y = 1 m, less than before (N)",
     .answer = "{samples[0].contacts.pad.force} - {samples[6].contacts.pad.force}", .exact = "0",
     .basis = "the same", .tolerance = 1e-13},
    {.name = "work of the loop from 0.5 m to -0.1 m and back (J)",
     .answer = "{loops[5].work} + {loops[6].work}", .exact = "2*(0.5*(0.6 - 2*0.1) + 0.8*(0.6 - 2*0.2))",
     .basis = "sum of 2 c (|dy| - 2 r) over those that slip", .tolerance = 1e-12},
    {.name = "work of the loop from 1 m to -0.6 m and back, inner ones included (J)",
     .answer = "{energy.input} - {loops[0].work}", .exact = "5.8 + 2*1.74 + 0.72 + 2.98",
     .basis = "sum over all branches", .tolerance = 1e-12},
};

static const atlas_entry entries[] = {
    {.name = "r15-1", .place = "Figure 1, (1)-(4)", .title = "A mass slides to a stop on bristles",
     .caption = "The figure is a drawing of bristles. Here: free motion with LuGre friction. Until the "
                "first stop the friction is constant; then the mass swings on its bristles, and their "
                "damping lets it come to rest.",
     .choice = "The text at hand ends before its results and its measured example. sigma0 = 10000 N/m, "
               "sigma1 = 10 N*s/m, sigma2 = 0, Fc = 1 N, unit mass at 0.1 m/s, as its assumptions want: g "
               "= Fc, F(0) = Fc.", .figure = "r15-1.svg", .draw = "simulate models/lugre-stop.yaml",
     ATLAS_NUMBERS(lugre_numbers)},
    {.name = "r15-presliding", .place = "Title and Section 1",
     .title = "Presliding hysteresis of the LuGre model",
     .caption = "Force over displacement and over velocity of the same mass, slower: each reversal begins "
                "a new branch, and the loops shrink towards the resting point.",
     .choice = "0.02 m/s, the rest as above.", .figure = "r15-presliding.svg",
     .draw = "simulate models/lugre-stop.yaml --set mass.v=0.02 --until 0.2 --view loop"},
    {.name = "r15-algebraic", .place = "Section 1, sigma1 = 0",
     .title = "Without bristle damping it decays, but slowly",
     .caption = "With sigma1 = 0 the hysteresis alone damps. From turning point to turning point the force "
                "a Fc obeys a map that depends on nothing else; in the end 1/a grows by 2/3 each time, so "
                "that the swing dies out like 1/t.", .choice = "As above, sigma1 = 0.",
     .figure = "r15-algebraic.svg",
     .draw = "simulate models/lugre-stop.yaml --set contacts.floor.sigma1=0 --until 1",
     ATLAS_NUMBERS(algebraic_numbers)},
    {.name = "r15-5", .place = "(5)-(7)", .title = "When LuGre friction is passive",
     .caption = "How much viscous friction the model needs so that it never gives energy back.",
     .choice = "sigma1 = 10 N*s/m, Fc = 1 N.", ATLAS_NUMBERS(passive_numbers)},
    {.name = "r15-4", .place = "(2)-(4)", .title = "The whole model, with Stribeck effect",
     .caption = "The same free motion with static friction above kinetic, and viscous friction.",
     .choice = "sigma0 = 1e5 N/m, sigma1 = 300, sigma2 = 0.4 N*s/m, Fc = 1 N, Fs = 1.5 N, Vs = 0.01 m/s, "
               "mu = 2, from 0.02 m/s.", .figure = "r15-4.svg", .draw = STRIBECK,
     ATLAS_NUMBERS(stribeck_numbers)},
    {.name = "r15-2b", .place = "Figure 2(b), (9), (10)",
     .title = "Play, and what a Maxwell element makes of it",
     .caption = "Force over displacement of one element, k = 1 N/m: the stop operator y - x. What it "
                "leaves is the play x of the figure. The path starts at the edge of the play and moves "
                "inward.", .choice = "r = 0.5 m, and a path of our own.", .figure = "r15-2b.svg",
     .draw = "simulate models/play.yaml --view loop", ATLAS_NUMBERS(play_numbers)},
    {.name = "r15-2a", .place = "Figure 2(a), (8)",
     .title = "A mass slides to a stop on Maxwell-slip elements",
     .caption = "The figure is a drawing of the elements. Here: free motion on two of them. Once no "
                "element slips any more, nothing damps: an oscillation stays for ever.",
     .choice = "k = 70 and 30 N/m, c = 0.35 and 0.6 N, unit mass at 0.3 m/s.", .figure = "r15-2a.svg",
     .draw = "simulate models/maxwell-stop.yaml", ATLAS_NUMBERS(maxwell_numbers)},
    {.name = "r15-nested", .place = "Section 1.2", .title = "Nested loops, and how they are forgotten",
     .caption = "Five elements along a path with ever smaller and then ever larger swings: closed inner "
                "loops are wiped out, and the force returns to the branch it had left.",
     .choice = "Five elements and a path of our own.", .figure = "r15-nested.svg",
     .draw = "simulate models/hysteresis.yaml --view loop", ATLAS_NUMBERS(nested_numbers)},
};

// clang-format on

const atlas_paper atlas_r15 = {
    .key = "R15",
    .name = "Ruderman 2015",
    .reference = "M. Ruderman: Presliding hysteresis damping of LuGre and Maxwell-slip friction models. "
                 "Mechatronics (2015)",
    .about = "Before a body slides, its contact yields like a spring with memory. How much does this "
             "hysteresis damp, in two "
             "common models?",
    .entries = entries,
    .entry_count = sizeof entries / sizeof entries[0],
};
