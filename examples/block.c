// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A block of 1 kg on a rough floor (1 N of friction), held by a spring of 1 N/m. Pulled to x = 5.5 m and let
// go, it swings to and fro, 2 m less far each time, and stays at the first turning point within 1 m of the
// middle: there friction holds the spring, exactly and for ever.
#include <slipstick/slipstick.h>

#include <stdio.h>

int main(void)
{
    ss_body_def block = ss_body_def_default();
    block.name = "block";
    block.mass = 1.0;
    block.start_x = 5.5;

    const ss_row_def along = {(ss_term[]){{0, 1.0}, {SS_GROUND, -1.0}}, 2};
    ss_connection_def spring = ss_connection_def_default();
    spring.along = along;
    spring.stiffness = 1.0;

    ss_contact_def floor = ss_contact_def_default();
    floor.name = "floor";
    floor.along = along;
    floor.coulomb = ss_coulomb_make(1.0);

    ss_system_def system = ss_system_def_default();
    system.title = "Block on a rough floor";
    system.bodies = &block, system.body_count = 1;
    system.connections = &spring, system.connection_count = 1;
    system.contacts = &floor, system.contact_count = 1;

    ss_model* model = NULL;
    ss_sim* sim = NULL;
    ss_outcome outcome = SS_TIME_REACHED;
    ss_error err;
    const ss_sim_def run = ss_sim_def_default();
    ss_status status = ss_model_create(&system, &model, &err);
    if (status == SS_OK) status = ss_sim_create(model, &run, &sim, &err);
    if (status == SS_OK) status = ss_sim_advance(sim, 100.0, &outcome, &err);
    if (status == SS_OK)
        printf("%s since t = %.12f s at x = %.12f m, v = %g m/s, after %ld events\n",
               ss_outcome_name(outcome), ss_sim_time(sim), ss_sim_x(sim)[0], ss_sim_v(sim)[0],
               ss_sim_event_count(sim));
    else
        fprintf(stderr, "%s\n", err.text);
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    return status == SS_OK ? 0 : 1;
}
