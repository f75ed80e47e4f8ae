// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "block_chain.h"
#include "bristle_chain.h"
#include "slipstick/slipstick.h"

#include <stdio.h>

static ss_model* make(const bristles* b)
{
    ss_body_def bodies[BRISTLES_MOST + 1];
    ss_contact_def contacts[BRISTLES_MOST];
    ss_connection_def springs[BRISTLES_MOST];
    ss_term along[BRISTLES_MOST][2], joint[BRISTLES_MOST][2];
    char names[BRISTLES_MOST][8];
    ss_signal* speed = NULL;
    ss_model* model = NULL;
    if (ss_signal_constant(b->belt, &speed, NULL) != SS_OK) return NULL;
    for (int i = 0; i < b->count; i++) {
        snprintf(names[i], sizeof names[i], "b%d", i);
        bodies[i] = ss_body_def_default();
        bodies[i].name = names[i];
        bodies[i].mass = 1.0;
        bodies[i].start_v = b->v0;
        along[i][0] = (ss_term){i, 1.0};
        along[i][1] = (ss_term){b->belt != 0.0 ? b->count : SS_GROUND, -1.0};
        contacts[i] = ss_contact_def_default();
        contacts[i].name = names[i];
        contacts[i].law = SS_LAW_LUGRE;
        contacts[i].lugre = b->law;
        contacts[i].start.saturation = b->saturation;
        contacts[i].along = (ss_row_def){along[i], 2};
        joint[i][0] = (ss_term){i, 1.0};
        joint[i][1] = (ss_term){i > 0 ? i - 1 : SS_GROUND, -1.0};
        springs[i] = ss_connection_def_default();
        springs[i].along = (ss_row_def){joint[i], 2};
        springs[i].stiffness = i > 0 ? b->joint : b->ground;
    }
    bodies[b->count] = ss_body_def_default();
    bodies[b->count].name = "belt";
    bodies[b->count].speed = speed;
    ss_system_def def = ss_system_def_default();
    def.bodies = bodies;
    def.body_count = b->count + (b->belt != 0.0);
    def.contacts = contacts;
    def.connections = springs;
    def.contact_count = def.connection_count = b->count;
    ss_model_create(&def, &model, NULL);
    ss_signal_destroy(speed);
    return model;
}

double bristles_by_slipstick(const bristles* b, double tolerance, double out[])
{
    ss_model* model = make(b);
    ss_sim_def def = ss_sim_def_default();
    def.ledger = false; // the peer keeps none either
    def.tolerance = tolerance;
    def.max_events = 100000000;
    ss_sim* sim = NULL;
    double time = -1.0;
    if (model && ss_sim_create(model, &def, &sim, NULL) == SS_OK) {
        ss_outcome outcome;
        bool good = true;
        double begin = bench_seconds();
        for (int k = 1; k <= b->samples && good; k++) {
            good = ss_sim_advance(sim, b->until * k / b->samples, &outcome, NULL) == SS_OK;
            for (int i = 0; i < b->count; i++) {
                *out++ = ss_sim_x(sim)[i];
                *out++ = ss_sim_v(sim)[i];
            }
        }
        if (good) time = bench_seconds() - begin;
    }
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    return time;
}
