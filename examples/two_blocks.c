// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Two blocks of 1 kg, each on its own rough floor (1 N), each tied to the wall and to each other by springs
// of 1 N/m. The damper between them has the wrong sign: it feeds energy in while they move against each
// other. Friction wins here, near enough to the middle [VL04, Example 1]. Every event is told as it happens,
// and the energy is accounted for at the end.
#include <slipstick/slipstick.h>

#include <stdio.h>

static void tell(void* user, const ss_event* event)
{
    const ss_model* model = user;
    printf("t = %12.9f s  %s: %s to %s\n", event->t, ss_model_get_contact(model, event->contact).name,
           ss_mode_name(event->from), ss_mode_name(event->to));
}

static ss_status build(ss_model** model, ss_error* err)
{
    ss_body_def block[2] = {ss_body_def_default(), ss_body_def_default()};
    block[0].name = "block1", block[0].mass = 1.0, block[0].start_x = 4.0;
    block[1].name = "block2", block[1].mass = 1.0, block[1].start_x = -1.5;

    const ss_row_def first = {(ss_term[]){{0, 1.0}}, 1}, second = {(ss_term[]){{1, 1.0}}, 1};
    const ss_row_def between = {(ss_term[]){{0, 1.0}, {1, -1.0}}, 2};
    const ss_connection_def spring[] = {
        {.along = first, .stiffness = 1.0, .damping = 0.5},
        {.along = between, .stiffness = 1.0, .damping = -0.375},
        {.along = second, .stiffness = 1.0, .damping = 0.5},
    };

    ss_contact_def floor[2] = {ss_contact_def_default(), ss_contact_def_default()};
    floor[0].name = "floor1", floor[0].along = first, floor[0].coulomb = ss_coulomb_make(1.0);
    floor[1].name = "floor2", floor[1].along = second, floor[1].coulomb = ss_coulomb_make(1.0);

    ss_system_def system = ss_system_def_default();
    system.bodies = block, system.body_count = 2;
    system.connections = spring, system.connection_count = 3;
    system.contacts = floor, system.contact_count = 2;
    return ss_model_create(&system, model, err); // keeps nothing of what was on the stack
}

int main(void)
{
    ss_model* model = NULL;
    ss_sim* sim = NULL;
    ss_outcome outcome = SS_TIME_REACHED;
    ss_error err;
    ss_status status = build(&model, &err);
    ss_sim_def run = ss_sim_def_default();
    run.on_event = tell;
    run.user = model;
    if (status == SS_OK) status = ss_sim_create(model, &run, &sim, &err);
    if (status == SS_OK) status = ss_sim_advance(sim, 200.0, &outcome, &err);
    if (status == SS_OK) {
        const ss_energy e = ss_sim_energy(sim);
        printf("%s since t = %.9f s at x = %.9f m and %.9f m\n", ss_outcome_name(outcome), ss_sim_time(sim),
               ss_sim_x(sim)[0], ss_sim_x(sim)[1]);
        printf("%.6f J at first + %.6f J fed in by the dampers = %.6f J lost to friction + %.6f J left\n",
               e.start, -e.damping, e.friction, e.end);
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    return status == SS_OK ? 0 : 1;
}
