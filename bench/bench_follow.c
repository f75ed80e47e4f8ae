// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How long does a branch of 200 cycles of the drill string take? Stick-slip from 2 rad/s up to where the bit
// just does not stick, and the unstable cycle from there back to its Hopf point, which is at ln 25 rad/s:
// friction falls by 3000 exp(-w) N*m*s/rad, dampers resist with 120. A wrong answer prints no figure.
#include "block_chain.h"
#include "slipstick/lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_right(const ss_solution_branch* branch)
{
    int count = ss_solution_branch_special_count(branch);
    if (count == 2) {
        ss_solution_branch_special stick = ss_solution_branch_get_special(branch, 0),
                                   hopf = ss_solution_branch_get_special(branch, 1);
        if (stick.kind == SS_SPECIAL_BOUNDARY && hopf.kind == SS_SPECIAL_HOPF &&
            fabs(hopf.at.value - log(25.0)) < 1e-8)
            return true;
    }
    fprintf(stderr, "%d special points, end: %s\n", count, ss_solution_branch_end(branch));
    return false;
}

int main(int argc, char** argv)
{
    enum { RUNS = 3, WANTED = 200 };
    ss_document* document = NULL;
    ss_error err;
    if (ss_document_read_yaml(SS_SOURCE_DIR "/models/drill-string.yaml", &document, &err) != SS_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    ss_follow_def def = ss_follow_def_default();
    def.document = document;
    def.path = "parameters.speed";
    def.from = 2.0;
    def.to = 20.0;
    def.step = 0.006;
    double best = INFINITY;
    long points = 0;
    bool good = true;
    for (int k = 0; k < RUNS && good; k++) {
        ss_solution_branch* branch = NULL;
        double begin = bench_cpu_seconds();
        good = ss_follow_run(&def, &branch, &err) == SS_OK;
        best = fmin(best, bench_cpu_seconds() - begin);
        if (!good) fprintf(stderr, "%s\n", err.text);
        good = good && is_right(branch);
        if (good) points = ss_solution_branch_count(branch);
        ss_solution_branch_destroy(branch);
    }
    ss_document_destroy(document);
    if (!good) return 1;
    printf("drill string, %ld cycles: %.3f s, so %.3f s for %d (goal: under 5 s)\n", points, best,
           best * WANTED / (double)points, WANTED);
    char row[80];
    snprintf(row, sizeof row, "%ld,%.4f", points, best);
    good = argc < 3 || strcmp(argv[1], "--csv") != 0 || bench_append(argv[2], "cycles,follow_s", row);
    return good ? 0 : 1;
}
