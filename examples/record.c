// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A block of 1 kg on a spring of 100 N/m and a floor that rubs with 1 N, let go 15.5 cm from the middle: it
// swings with 10 rad/s, comes 2 cm nearer with every half swing, and stops where the spring is too weak. The
// motion keeps its record in arrays, and its answer is the tree that `slipstick simulate --json` prints.
#include <slipstick/lab.h>

#include <stdio.h>

static ss_status build(ss_model** model, ss_error* err)
{
    ss_body_def block = ss_body_def_default();
    block.name = "block", block.mass = 1.0, block.start_x = 0.155;
    const ss_row_def along = {(ss_term[]){{0, 1.0}}, 1};
    const ss_connection_def spring = {.along = along, .stiffness = 100.0};
    ss_contact_def floor = ss_contact_def_default();
    floor.name = "floor", floor.along = along, floor.coulomb = ss_coulomb_make(1.0);
    ss_system_def system = ss_system_def_default();
    system.bodies = &block, system.body_count = 1;
    system.connections = &spring, system.connection_count = 1;
    system.contacts = &floor, system.contact_count = 1;
    return ss_model_create(&system, model, err);
}

int main(void)
{
    ss_model* model = NULL;
    ss_motion* motion = NULL;
    ss_answer* answer = NULL;
    ss_error err;
    ss_motion_def def = ss_motion_def_default();
    def.until = 5.0;
    def.every = 0.5;
    ss_status status = build(&model, &err);
    if (status == SS_OK) status = ss_motion_create(model, &def, &motion, &err);
    if (status == SS_OK) status = ss_motion_run(motion, &err);
    if (status == SS_OK) status = ss_answer_motion(motion, &answer, &err);
    if (status == SS_OK) {
        for (size_t k = 0; k < motion->rows.count; k++)
            printf("t = %.1f s  x = %9.6f m\n", motion->rows.t[k], motion->rows.x[k]);
        const ss_value *root = ss_answer_root(answer), *events = ss_value_find(root, "events");
        printf("%s after %zu events at t = %.6f s\n", ss_value_text(ss_value_find(root, "outcome")),
               ss_value_count(events), ss_value_number(ss_value_find(root, "t")));
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    ss_answer_destroy(answer);
    ss_motion_destroy(motion);
    ss_model_destroy(model);
    return status == SS_OK ? 0 : 1;
}
