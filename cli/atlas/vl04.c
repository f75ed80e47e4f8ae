// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// [VL04] Equilibrium sets and their attraction. Errors of the paper: docs/errata.md.
#include "atlas/atlas.h"

static const char grid_reference[] = "40-digit reference, 1681 starts";

// clang-format off

static const atlas_number force_numbers[] = {
    {.name = "greatest speed at which the net force still brakes (m/s)", .paper = "1/0.5",
     .ask = "certify models/block-on-floor.yaml", .answer = "sqrt(2*{rho_star}/1)", .exact = "1/0.5",
     .basis = "mu m g/|c|", .tolerance = 1e-12},
};

#define CYCLE "exp(0.25*pi/sqrt(1 - 0.25^2))" // growth over half a turn

static const atlas_number plane_numbers[] = {
    {.name = "half-width of E (m)", .paper = "1", .ask = "certify models/block-on-floor.yaml",
     .answer = "{equilibrium_set.half_widths[0]}", .exact = "1", .basis = "mu m g/k", .tolerance = 1e-12},
    {.name = "rho* of (45) (J)", .paper = "0.5*(1/0.5)^2", .answer = "{rho_star}", .exact = "0.5*(1/0.5)^2",
     .tolerance = 1e-12},
    {.name = "verdict", .paper = "locally attractive", .answer = "{verdict}", .exact = "'local'"},
    {.name = "amplitude of the limit cycle (m)", .ask = "cycle models/block-on-floor.yaml --near block.x=2.6",
     .answer = "{amplitude.block.x}", .exact = "(" CYCLE " + 1)/(" CYCLE " - 1)",
     .basis = "coth(sigma pi/(2 omega))", .tolerance = 1e-12},
    {.name = "period of the limit cycle (s)", .answer = "{period}", .exact = "2*pi/sqrt(1 - 0.25^2)",
     .tolerance = 1e-12},
    {.name = "growth of a disturbance over a turn", .answer = "{multipliers[0][0]}", .exact = CYCLE "^2",
     .tolerance = 1e-10},
    {.name = "the cycle is stable", .paper = "unstable", .answer = "{stable}", .exact = "'false'"},
    {.name = "let go at 2.5 m", .ask = "simulate models/block-on-floor.yaml", .answer = "{outcome}",
     .exact = "'at-rest'"},
    {.name = "let go at 2.65 m",
     .ask = "simulate models/block-on-floor.yaml --set start.block.x=2.65 --escape 1000",
     .answer = "{outcome}", .exact = "'escaped'"},
    {.name = "let go at 2 m, rests at (m)",
     .ask = "simulate models/block-on-floor.yaml --set start.block.x=2", .answer = "{state.block.x}",
     .exact = CYCLE "^2 - 2*" CYCLE " - 1", .basis = "the half-turn map, twice", .tolerance = 1e-12},
};

static const atlas_number passive_numbers[] = {
    {.name = "verdict for c = 0", .paper = "globally stable",
     .ask = "certify models/block-on-floor.yaml --set 'connections[0].damping=0'", .answer = "{verdict}",
     .exact = "'global'"},
    {.name = "verdict for c = 0.2 N*s/m", .paper = "globally stable",
     .ask = "certify models/block-on-floor.yaml --set 'connections[0].damping=0.2'", .answer = "{verdict}",
     .exact = "'global'"},
    {.name = "let go at 4.5 m without damping, rests at (m)",
     .ask = "simulate models/block-on-floor.yaml --set 'connections[0].damping=0' --set start.block.x=4.5",
     .answer = "{state.block.x}", .exact = "4.5 - 2*2", .basis = "each half swing costs 2 mu m g/k",
     .tolerance = 1e-12},
};

static const atlas_number cubic_numbers[] = {
    {.name = "rho* (J)", .paper = "0.5*(1/0.5)^2",
     .ask = "certify models/block-on-floor.yaml --set 'connections[0].cubic=1'", .answer = "{rho_star}",
     .exact = "0.5*(1/0.5)^2", .basis = "as with the linear spring", .tolerance = 1e-12},
    {.name = "half-width of E (m)", .answer = "{equilibrium_set.half_widths[0]}",
     .exact = "((9 + sqrt(93))/18)^(1/3) - ((sqrt(93) - 9)/18)^(1/3)", .basis = "root of x + x^3 = 1",
     .tolerance = 1e-12},
    {.name = "amplitude of the limit cycle (m)",
     .ask = "cycle models/block-on-floor.yaml --set 'connections[0].cubic=1' --near block.x=1.6",
     .answer = "{amplitude.block.x}", .exact = "1.5948729416716734", .basis = "40-digit Taylor shooting",
     .tolerance = 1e-9},
    {.name = "period of the limit cycle (s)", .answer = "{period}", .exact = "3.7470453597832836",
     .basis = "40-digit Taylor shooting", .tolerance = 1e-9},
};

static const atlas_number matrix_numbers[] = {
    {.name = "C11 of (46) (N*s/m)", .paper = "0.5 - 0.375", .ask = "check models/two-blocks.yaml",
     .answer = "{matrices.C[0][0]}", .exact = "0.125", .tolerance = 1e-14},
    {.name = "C12 of (46) (N*s/m)", .paper = "0.375", .answer = "{matrices.C[0][1]}", .exact = "0.375",
     .tolerance = 1e-14},
    {.name = "K11 of (46) (N/m)", .paper = "2", .answer = "{matrices.K[0][0]}", .exact = "2",
     .tolerance = 1e-14},
    {.name = "K12 of (46) (N/m)", .paper = "-1", .answer = "{matrices.K[0][1]}", .exact = "-1",
     .tolerance = 1e-14},
    {.name = "eigenvalue c1 of (47) (N*s/m)", .paper = "0.5", .ask = "certify models/two-blocks.yaml",
     .answer = "{damping.eigenvalues[1]}", .exact = "0.5", .tolerance = 1e-14},
    {.name = "eigenvalue c1 + 2 c2 of (47) (N*s/m)", .paper = "0.5 - 2*0.375",
     .answer = "{damping.eigenvalues[0]}", .exact = "-0.25", .tolerance = 1e-14},
    {.name = "entries of the eigencolumns of (47)", .paper = "1/sqrt(2)",
     .answer = "{damping.eigenvectors[0][0]}", .exact = "1/sqrt(2)", .tolerance = 1e-14},
};

static const atlas_number set_numbers[] = {
    {.name = "reach of E in x1 by (48) (m)", .paper = "1",
     .ask = "certify models/two-blocks.yaml --contains 1,-1", .answer = "{equilibrium_set.half_widths[0]}",
     .exact = "(2*1 + 1*1)/(1 + 2)", .tolerance = 1e-12},
    {.name = "area of E (m^2)", .paper = "4",
     .answer = "4*abs({equilibrium_set.generators[0][0]}*{equilibrium_set.generators[1][1]} - "
               "{equilibrium_set.generators[0][1]}*{equilibrium_set.generators[1][0]})", .exact = "4/3",
     .tolerance = 1e-12,
     .errs = "(48) is the box around the set. By (18) the set is the parallelogram that K^-1 makes of the "
             "square of friction forces."},
    {.name = "a corner of E, x1 (m)", .paper = "1", .answer = "abs({equilibrium_set.vertices[1][0]})",
     .exact = "1/3", .tolerance = 1e-12,
     .errs = "The box has the corner (1, -1); the set has the corner (1/3, -1/3)."},
    {.name = "(1, -1) is an equilibrium", .paper = "yes, by (48)", .answer = "{contains}", .exact = "'false'",
     .errs = "The springs pull there with 3 N against 1 N of friction: let go there, the blocks move."},
    {.name = "largest energy in E (J)", .answer = "{equilibrium_set.max_energy}", .exact = "1",
     .basis = "at the corner (1, 1)", .tolerance = 1e-12},
    {.name = "what has to stay below 2 rho* (J)", .paper = "1", .answer = "2*{equilibrium_set.max_energy}",
     .exact = "2", .basis = "largest s^T (.) s over the corners s of the cube", .tolerance = 1e-12,
     .errs = "The remark in Section 4 compares a matrix with a number. Read as its largest eigenvalue it "
             "is too small, here by a factor of 2, the number of contacts."},
    {.name = "E lies inside I_rho*", .paper = "yes", .answer = "{equilibrium_set.inside_region}",
     .exact = "'true'"},
};

static const atlas_number estimate_numbers[] = {
    {.name = "verdict", .paper = "locally attractive", .ask = "certify models/two-blocks.yaml",
     .answer = "{verdict}", .exact = "'local'"},
    {.name = "condition (31) holds", .paper = "yes", .answer = "{condition_31}", .exact = "'true'"},
    {.name = "beta, the best of (28) (N)", .paper = "1/sqrt(2)", .answer = "{beta}", .exact = "sqrt(2)",
     .tolerance = 1e-12,
     .errs = "With |eta2| = 1, p1 |eta1 - eta2| + p2 |eta1 + eta2| is at least 2 min p, so that half of "
             "the printed alpha is enough."},
    {.name = "beta, as the paper chooses it (N)", .paper = "1/sqrt(2)", .answer = "{paper.beta}",
     .exact = "1/sqrt(2)", .tolerance = 1e-12},
    {.name = "gamma of (50), bound on |v2 - v1| (m/s)", .paper = "4", .answer = "2*sqrt({rho_star})",
     .exact = "2*1/0.25", .tolerance = 1e-12, .errs = "The same factor of 2."},
    {.name = "rho* of (51) (J)", .paper = "4", .answer = "{rho_star}", .exact = "(2*1/0.25)^2/4",
     .tolerance = 1e-12,
     .errs = "Four times larger with the best beta. 16 J is also the largest level on which the energy "
             "never grows."},
    {.name = "rho* with the paper's beta (J)", .paper = "4", .answer = "{paper.rho_star}", .exact = "4",
     .tolerance = 1e-12},
    {.name = "largest level without growth of energy (J)", .answer = "{rho_energy}", .exact = "16",
     .basis = "at v = (4, -4) m/s", .tolerance = 1e-12},
};

static const atlas_number positions_numbers[] = {
    {.name = "starts attracted, 41 x 41 over 10 m",
     .ask = "basin models/two-blocks.yaml --over block1.x=-10:10:41 --over block2.x=-10:10:41",
     .answer = "{rest}", .exact = "795", .basis = grid_reference, .tolerance = 0},
    {.name = "starts that escape", .answer = "{escaped}", .exact = "886", .basis = grid_reference,
     .tolerance = 0},
    {.name = "border on the line x1 = -x2 (m)",
     .ask = "cycle models/two-blocks.yaml --near block1.x=2.9 --near block2.x=-2.9",
     .answer = "{amplitude.block1.x}", .exact = "1/(3*tanh(pi/(16*sqrt(3 - 1/64))))",
     .basis = "the limit cycle with x1 = -x2: coth(sigma pi/(2 omega))/3", .tolerance = 1e-12},
    {.name = "its period (s)", .answer = "{period}", .exact = "2*pi/sqrt(3 - 1/64)", .tolerance = 1e-12},
    {.name = "from (4, -1.5) m, at rest after (s)", .ask = "simulate models/two-blocks.yaml", .answer = "{t}",
     .exact = "21.82453996551584", .basis = "40-digit event-driven reference", .tolerance = 1e-11},
    {.name = "from (4, -1.5) m, x1 at rest (m)", .answer = "{state.block1.x}",
     .exact = "0.062374274856426014", .basis = "40-digit event-driven reference", .tolerance = 1e-9},
};

static const atlas_number speeds_numbers[] = {
    {.name = "starts attracted, 41 x 41 over 10 m/s",
     .ask = "basin models/two-blocks.yaml --set start.block1.x=0 --set start.block2.x=0 --over "
            "block1.v=-10:10:41 --over block2.v=-10:10:41", .answer = "{rest}", .exact = "1241",
     .basis = grid_reference, .tolerance = 0},
    {.name = "from (5.0928, -5.0928) m/s, just inside the limit cycle",
     .ask = "simulate models/two-blocks.yaml --set start.block1.x=0 --set start.block2.x=0 --set "
            "start.block1.v=5.0928 --set start.block2.v=-5.0928", .answer = "{outcome}",
     .exact = "'at-rest'"},
    {.name = "from (5.0929, -5.0929) m/s, just outside",
     .ask = "simulate models/two-blocks.yaml --set start.block1.x=0 --set start.block2.x=0 --set "
            "start.block1.v=5.0929 --set start.block2.v=-5.0929 --escape 1000", .answer = "{outcome}",
     .exact = "'escaped'"},
};

static const atlas_number question_numbers[] = {
    {.name = "from x = (5, -5) m at rest, which is in C", .paper = "not known",
     .ask = "simulate models/two-blocks.yaml --set start.block1.x=5 --set start.block2.x=-5 --escape 1000",
     .answer = "{outcome}", .exact = "'escaped'"},
    {.name = "from x = 0 at (101.9, 98.1) m/s, which is in C", .paper = "seems attracted",
     .ask = "simulate models/two-blocks.yaml --set start.block1.x=0 --set start.block2.x=0 --set "
            "start.block1.v=101.9 --set start.block2.v=98.1 --escape 1000", .answer = "{outcome}",
     .exact = "'escaped'",
     .errs = "C bounds speeds only. While both blocks move the same way, friction does nothing to the "
             "difference of their speeds, which grows."},
};

static const atlas_number case_numbers[] = {
    {.name = "case 1: c1 = 0.5, c2 = -0.2", .paper = "globally attractive",
     .ask = "certify models/two-blocks.yaml --set parameters.c2=-0.2", .answer = "{verdict}",
     .exact = "'global'"},
    {.name = "case 1 without friction", .paper = "globally attractive",
     .ask = "certify models/two-blocks.yaml --set parameters.c2=-0.2 --set parameters.mu=0",
     .answer = "{verdict}", .exact = "'global'"},
    {.name = "case 2: c1 = 0.5, c2 = -0.375", .paper = "locally attractive",
     .ask = "certify models/two-blocks.yaml", .answer = "{verdict}", .exact = "'local'"},
    {.name = "case 3: c1 = -0.25, c2 = 0.5", .paper = "locally attractive",
     .ask = "certify models/two-blocks.yaml --set parameters.c1=-0.25 --set parameters.c2=0.5",
     .answer = "{verdict}", .exact = "'local'"},
    {.name = "rho* of case 3 (J)", .answer = "{rho_star}", .exact = "16",
     .basis = "2 p^2 m1 m2/(lambda^2 (m1 + m2))", .tolerance = 1e-12},
    {.name = "on the border c2 = -c1/2", .paper = "not among the cases",
     .ask = "certify models/two-blocks.yaml --set parameters.c2=-0.25", .answer = "{verdict}",
     .exact = "'global'",
     .errs = "(32) and (43) divide by the eigenvalue, here 0. It puts no bound on anything, and E attracts "
             "globally."},
    {.name = "on the border c1 = 0", .paper = "not among the cases",
     .ask = "certify models/two-blocks.yaml --set parameters.c1=0 --set parameters.c2=0.5",
     .answer = "{verdict}", .exact = "'global'", .errs = "The same."},
};

static const atlas_number relative_numbers[] = {
    {.name = "half-width of E (m)", .paper = "1/3",
     .ask = "certify models/two-blocks-relative.yaml --contains 0.3,0.3",
     .answer = "{equilibrium_set.half_widths[0]}", .exact = "1/(1 + 2)", .tolerance = 1e-12},
    {.name = "(0.3, 0.3) m is an equilibrium", .paper = "yes, by (52)", .answer = "{contains}",
     .exact = "'false'",
     .errs = "One contact gives one direction: E is the segment s (1, -1)/3 m, |s| <= 1; (52) is the box "
             "around it."},
    {.name = "case A.1: c1 = 0.5, c2 = 0.25", .paper = "globally attractive",
     .ask = "certify models/two-blocks-relative.yaml --set parameters.c2=0.25", .answer = "{verdict}",
     .exact = "'global'"},
    {.name = "case A.2: c1 = 0.5, c2 = -0.375", .paper = "locally attractive",
     .ask = "certify models/two-blocks-relative.yaml", .answer = "{verdict}", .exact = "'local'"},
    {.name = "rho* of case A.2 (J)", .answer = "{rho_star}", .exact = "16",
     .basis = "2 p^2 m1 m2/(lambda^2 (m1 + m2))", .tolerance = 1e-12},
    {.name = "case A.3: c1 = -0.25, c2 = 0.5", .paper = "cannot be guaranteed",
     .ask = "certify models/two-blocks-relative.yaml --set parameters.c1=-0.25 --set parameters.c2=0.5",
     .answer = "{verdict}", .exact = "'not-assured'"},
    {.name = "case A.3: that E attracts is refuted", .paper = "left open", .answer = "{refuted}",
     .exact = "'true'"},
};

static const atlas_number sum_numbers[] = {
    {.name = "half-width of E (m)", .paper = "1/3", .ask = "certify models/two-blocks-sum.yaml",
     .answer = "{equilibrium_set.half_widths[0]}", .exact = "1", .basis = "mu1 m1 g/k1", .tolerance = 1e-12,
     .errs = "The blocks move together, so the spring between them has no part in it: K^-1 (1, 1) = (1, "
             "1)/k1, and E is the segment s (1, 1) m."},
    {.name = "case B.1: c1 = 0.5, c2 = 0.25", .paper = "globally attractive",
     .ask = "certify models/two-blocks-sum.yaml --set parameters.c1=0.5 --set parameters.c2=0.25",
     .answer = "{verdict}", .exact = "'global'"},
    {.name = "case B.2: c1 = 0.5, c2 = -0.375", .paper = "cannot be guaranteed",
     .ask = "certify models/two-blocks-sum.yaml --set parameters.c1=0.5 --set parameters.c2=-0.375",
     .answer = "{verdict}", .exact = "'not-assured'"},
    {.name = "case B.2: that E attracts is refuted", .paper = "left open", .answer = "{refuted}",
     .exact = "'true'"},
    {.name = "case B.3: c1 = -0.25, c2 = 0.5", .paper = "locally attractive",
     .ask = "certify models/two-blocks-sum.yaml", .answer = "{verdict}", .exact = "'local'"},
    {.name = "case B.3: the eigencolumn in question, ratio of its entries", .paper = "1",
     .answer = "{damping.eigenvectors[0][1]}/{damping.eigenvectors[0][0]}", .exact = "1",
     .basis = "(1, 1), the first column of (47); the text says the second", .tolerance = 1e-12},
};

static const atlas_number settle_numbers[] = {
    {.name = "at rest after 40 s", .ask = "simulate models/two-blocks-relative.yaml --set parameters.c2=0.25",
     .answer = "{outcome}", .exact = "'time-reached'"},
    {.name = "mode of the contact then", .answer = "{contacts.interface.mode}", .exact = "'stick'"},
    {.name = "it settles", .answer = "{settles}", .exact = "'true'"},
};

#define PLANE_STARTS                                                                                         \
    " --view phase --also block.x=2.599350695704552 --also block.x=2.65 --also block.x=0,block.v=2 "         \
    "--escape 6.5 --until 40"

static const atlas_entry entries[] = {
    {.name = "vl04-1", .place = "Figure 1",
     .title = "The block, and the force that does not come from the spring",
     .caption = "A drawing of the system, and a sketch of damping and friction over speed. With a damper "
                "that pushes, the net force brakes only up to the speed at which friction and damper "
                "balance.", ATLAS_NUMBERS(force_numbers)},
    {.name = "vl04-2", .place = "Figure 2", .title = "Phase plane of one block with a damper that pushes",
     .caption = "The equilibrium set E (thick), the certified region I_rho* (dashed) and motions from "
                "inside and outside. The unstable limit cycle, here followed from its turning point, "
                "bounds the region of attraction; I_rho* is a fair estimate of it from inside.",
     .choice = "The paper gives m = k = 1, c = -0.5, mu g = 1, but not its starts: ours are 2.5 m, 2.65 m, "
               "the cycle's own amplitude, and 2 m/s from the middle.", .figure = "vl04-2.svg",
     .draw = "simulate models/block-on-floor.yaml" PLANE_STARTS, ATLAS_NUMBERS(plane_numbers)},
    {.name = "vl04-A", .place = "Appendix A", .title = "Without negative damping E attracts everything",
     .caption = "The same block without damper. Every half swing costs the same amplitude, until a turning "
                "point falls into E. The proof in the appendix holds a little less than it says: in (61) a "
                "fixed epsilon makes the function grow far out, so that epsilon has to be chosen after the "
                "starts.", .choice = "The appendix has no figure; starts at 4.5 m and -6 m are ours.",
     .figure = "vl04-a.svg",
     .draw = "simulate models/block-on-floor.yaml --set 'title=Block without damper on a rough floor' --set "
             "'connections[0].damping=0' --set start.block.x=4.5 --view phase --also block.x=-6",
     ATLAS_NUMBERS(passive_numbers)},
    {.name = "vl04-cubic", .place = "Section 5, end", .title = "A spring that stiffens",
     .caption = "Phase plane with a cubic spring beside the linear one. rho* does not change, because the "
                "largest speed on a level of the energy depends on the mass alone; but the level is no "
                "ellipse any more, and E is narrower.",
     .choice = "The paper gives no numbers: k2 = 1 N/m^3, the rest as in Figure 2.",
     .figure = "vl04-cubic.svg",
     .draw = "simulate models/block-on-floor.yaml --set 'title=Block with negative damping and a spring that "
             "stiffens' --set 'connections[0].cubic=1' --set start.block.x=1.55 --view phase --also "
             "block.x=1.5948729416716734 --also block.x=1.65 --escape 4.5 --until 25",
     ATLAS_NUMBERS(cubic_numbers)},
    {.name = "vl04-3", .place = "Figure 3, (46), (47)", .title = "Two blocks, each on a rough floor",
     .caption = "The figure is a drawing of the system. Its matrices, and the eigenvalues and eigencolumns "
                "of the damping, as the model file gives them.", ATLAS_NUMBERS(matrix_numbers)},
    {.name = "vl04-48", .place = "(18), (48) and Figure 4",
     .title = "Equilibrium set and certified region of Example 1",
     .caption = "Above: E and the certified region I_rho* in the plane of positions, at speed 0. E is a "
                "parallelogram; (48) is the square around it. Below: I_rho* in the plane of speeds, at x = "
                "0. It touches C, the strip in which the energy cannot grow.", .figure = "vl04-48.svg",
     .draw = "certify models/two-blocks.yaml", ATLAS_NUMBERS(set_numbers)},
    {.name = "vl04-4", .place = "Figure 4, (49)-(51)", .title = "How far the estimate reaches",
     .caption = "The figure is a sketch: in the plane of speeds the disc I_rho* touches the strip C. The "
                "lower plot of the picture before shows it for the parameters of Figures 5 and 6, and "
                "these are its numbers.", ATLAS_NUMBERS(estimate_numbers)},
    {.name = "vl04-5", .place = "Figure 5", .title = "Region of attraction over positions",
     .caption = "What becomes of 201 x 201 starts at rest: light starts come to rest in E, dark ones "
                "escape. The region is a band along x1 = x2; across it, it ends at the unstable limit "
                "cycle.", .choice = "The paper does not say how many starts it took.", .figure = "vl04-5.svg",
     .draw = "basin models/two-blocks.yaml --over block1.x=-10:10:201 --over block2.x=-10:10:201",
     ATLAS_NUMBERS(positions_numbers)},
    {.name = "vl04-6", .place = "Figure 6", .title = "Region of attraction over speeds",
     .caption = "The same for starts at x = 0 with different speeds. Moving together is damped, moving "
                "apart is driven.", .choice = "The paper does not say how many starts it took.",
     .figure = "vl04-6.svg",
     .draw = "basin models/two-blocks.yaml --set start.block1.x=0 --set start.block2.x=0 --over "
             "block1.v=-10:10:201 --over block2.v=-10:10:201", ATLAS_NUMBERS(speeds_numbers)},
    {.name = "vl04-C", .place = "Section 6.1, an open question",
     .title = "Is C a part of the region of attraction?",
     .caption = "No. Starts in C that escape; the picture shows the first.", .choice = "The starts are ours.",
     .figure = "vl04-c.svg",
     .draw = "simulate models/two-blocks.yaml --set start.block1.x=5 --set start.block2.x=-5 --until 25",
     ATLAS_NUMBERS(question_numbers)},
    {.name = "vl04-cases", .place = "Section 6.1, cases 1 to 3",
     .title = "Which damping lets the blocks come to rest",
     .caption = "What becomes of one start far out under many dampings. Right of the solid line, where C "
                "is positive definite (case 1: c1 > 0, c2 > -c1/2), E attracts from everywhere; the dashed "
                "line bounds where Theorem 4 still covers this start. Beyond, in cases 2 and 3, it escapes "
                "soon, although starts near enough would come to rest.",
     .choice = "From (40, -15) m. Of cases 1 and 3 the paper says only the signs, and the borders between "
               "the cases it leaves out; the numbers are ours.", .figure = "vl04-cases.svg",
     .draw = "basin models/two-blocks.yaml --set start.block1.x=40 --set start.block2.x=-15 --over "
             "parameters.c1=-0.5:1:61 --over parameters.c2=-0.75:0.5:51", ATLAS_NUMBERS(case_numbers)},
    {.name = "vl04-7", .place = "Figure 7, Example 2, case A", .title = "One contact, between the blocks",
     .caption = "The figure is a drawing of the system. Here: its equilibrium set, a segment, and the "
                "certified region.",
     .choice = "The paper gives no numbers; those of Example 1, with a friction of 1 N.",
     .figure = "vl04-7.svg", .draw = "certify models/two-blocks-relative.yaml",
     ATLAS_NUMBERS(relative_numbers)},
    {.name = "vl04-stick", .place = "Section 6.2", .title = "Stick is not rest",
     .caption = "Case A.1: the contact between the blocks sticks soon, but the blocks go on swinging "
                "together, and E is reached only as time goes to infinity. The engine says that it "
                "settles, not that it rests.", .choice = "c1 = 0.5, c2 = 0.25 N*s/m, from (2, -1) m.",
     .figure = "vl04-stick.svg",
     .draw = "simulate models/two-blocks-relative.yaml --set parameters.c2=0.25 --until 30",
     ATLAS_NUMBERS(settle_numbers)},
    {.name = "vl04-8", .place = "Figure 8, Example 2, case B",
     .title = "One contact, on the sum of the speeds",
     .caption = "The figure is a drawing of the system. Here: its equilibrium set, a segment along x1 = "
                "x2, and the certified region.",
     .choice = "The paper gives no numbers; those of Example 1, with c1 = -0.25, c2 = 0.5 N*s/m and a "
               "friction of 1 N.", .figure = "vl04-8.svg", .draw = "certify models/two-blocks-sum.yaml",
     ATLAS_NUMBERS(sum_numbers)},
};

// clang-format on

const atlas_paper atlas_vl04 = {
    .key = "VL04",
    .name = "van de Wouw and Leine 2004",
    .reference = "N. van de Wouw, R. I. Leine: Attractivity of Equilibrium Sets of Systems with Dry "
                 "Friction. Nonlinear "
                 "Dynamics 35 (2004) 19-39, doi:10.1023/B:NODY.0000017482.61599.86",
    .about = "Systems with dry friction do not rest at a point but in a set. When does the set attract, and "
             "from how far, "
             "even if the damping feeds energy in?",
    .entries = entries,
    .entry_count = sizeof entries / sizeof entries[0],
};
