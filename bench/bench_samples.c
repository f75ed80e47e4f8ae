// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the C library needs for a motion of two blocks with 10 001 samples, and for a million steps of LuGre
// friction alone: what a front end adds is measured against these (bench/python_package.py).
//
//     bench_samples [MODEL]
#include "block_chain.h"
#include "share/law.h"

#include <slipstick/lab.h>
#include <slipstick/motion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 10001, STEPS = 1000000, REPEATS = 20 };

static double motion_time(const ss_model* model)
{
    static double at[SAMPLES];
    double best = INFINITY;
    for (int k = 0; k < SAMPLES; k++) at[k] = 200.0 * k / (SAMPLES - 1);
    for (int k = 0; k < REPEATS; k++) {
        ss_motion_def def = ss_motion_def_default();
        ss_motion* motion;
        ss_error err;
        def.until = 200.0;
        def.at = at;
        def.at_count = SAMPLES;
        double begin = bench_cpu_seconds();
        if (ss_motion_create(model, &def, &motion, &err) != SS_OK || ss_motion_run(motion, &err) != SS_OK) {
            fprintf(stderr, "%s\n", err.text);
            exit(1);
        }
        best = fmin(best, bench_cpu_seconds() - begin);
        ss_motion_destroy(motion);
    }
    return best;
}

static double law_time(void)
{
    static double v[STEPS], force[STEPS];
    const ss_lugre law = {1e5, 300.0, 0.4, 1.0, 1.5, 0.01, 2.0};
    double best = INFINITY;
    for (int k = 0; k < STEPS; k++) v[k] = 0.1 * sin(1e-3 * k);
    for (int k = 0; k < REPEATS; k++) {
        double z = 0.0, begin = bench_cpu_seconds();
        for (int i = 0; i < STEPS; i++) force[i] = ss_lugre_step(&law, &z, v[i], 1e-5);
        best = fmin(best, bench_cpu_seconds() - begin);
    }
    return force[STEPS - 1] != 0.0 ? best : NAN;
}

int main(int argc, char** argv)
{
    ss_document* document;
    ss_model* model = NULL;
    ss_error err;
    const char* file = argc > 1 ? argv[1] : "models/two-blocks.yaml";
    ss_status status = ss_document_read_yaml(file, &document, &err);
    if (status == SS_OK) status = ss_model_create_from_document(document, &model, &err);
    if (status != SS_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    printf("two blocks, %d samples: %.6g s\n", SAMPLES, motion_time(model));
    printf("LuGre alone, %d steps: %.6g s\n", STEPS, law_time());
    ss_model_destroy(model);
    ss_document_destroy(document);
    return 0;
}
