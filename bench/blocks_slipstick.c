// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The same blocks as a Slipstick model: bodies, springs to the neighbours and to the ground, a floor each.
#include "block_chain.h"

#include "slipstick/slipstick.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct blocks_slipstick {
    blocks b;
    ss_model* model;
    ss_sim* sim;
};

typedef struct parts {
    ss_body_def* bodies;
    ss_connection_def* springs;
    ss_contact_def* floors;
    ss_term* terms;
    char (*names)[16];
    int springs_used, terms_used;
} parts;

// K = k_on on the diagonal and k_beside next to it is a spring -k_beside to each neighbour and the rest to
// the ground; where that rest is nothing, there is no spring.
static void add_spring(parts* p, int a, int other, double stiffness, double damping)
{
    if (stiffness == 0.0 && damping == 0.0) return;
    ss_connection_def* spring = &p->springs[p->springs_used++];
    ss_term* terms = p->terms + p->terms_used;
    p->terms_used += 2;
    terms[0] = (ss_term){.body = a, .factor = 1.0};
    terms[1] = (ss_term){.body = other, .factor = -1.0};
    *spring = ss_connection_def_default();
    spring->along = (ss_row_def){.terms = terms, .count = 2};
    spring->stiffness = stiffness;
    spring->damping = damping;
}

static void fill(parts* p, const blocks* b)
{
    for (int i = 0; i < b->count; i++) {
        int neighbours = (i > 0) + (i + 1 < b->count);
        snprintf(p->names[2 * i], sizeof p->names[0], "block%d", i + 1);
        snprintf(p->names[2 * i + 1], sizeof p->names[0], "floor%d", i + 1);
        p->bodies[i] = ss_body_def_default();
        p->bodies[i].name = p->names[2 * i];
        p->bodies[i].mass = 1.0;
        add_spring(p, i, SS_GROUND, b->k_on + neighbours * b->k_beside, b->c_on + neighbours * b->c_beside);
        if (i + 1 < b->count) add_spring(p, i, i + 1, -b->k_beside, -b->c_beside);
        ss_term* term = &p->terms[p->terms_used++];
        *term = (ss_term){.body = i, .factor = 1.0};
        p->floors[i] = ss_contact_def_default();
        p->floors[i].name = p->names[2 * i + 1];
        p->floors[i].along = (ss_row_def){.terms = term, .count = 1};
        p->floors[i].coulomb = ss_coulomb_make(b->friction);
    }
}

static bool make(blocks_slipstick* s, const parts* p, bool ledger)
{
    ss_error err = {0};
    ss_system_def def = ss_system_def_default();
    def.title = "Blocks in a row";
    def.bodies = p->bodies;
    def.connections = p->springs;
    def.contacts = p->floors;
    def.body_count = def.contact_count = s->b.count;
    def.connection_count = p->springs_used;
    ss_sim_def sim = ss_sim_def_default();
    sim.ledger = ledger;
    bool made = ss_model_create(&def, &s->model, &err) == SS_OK &&
                ss_sim_create(s->model, &sim, &s->sim, &err) == SS_OK;
    char text[1024];
    if (!made) fprintf(stderr, "%s\n", ss_error_format(&err, text, sizeof text));
    return made;
}

blocks_slipstick* blocks_slipstick_create(const blocks* b, bool ledger)
{
    size_t n = (size_t)b->count;
    blocks_slipstick* s = calloc(1, sizeof *s);
    parts p = {.bodies = calloc(n, sizeof *p.bodies),
               .springs = calloc(2 * n, sizeof *p.springs),
               .floors = calloc(n, sizeof *p.floors),
               .terms = calloc(5 * n, sizeof *p.terms),
               .names = calloc(2 * n, sizeof *p.names)};
    bool made = s && p.bodies && p.springs && p.floors && p.terms && p.names;
    if (made) {
        s->b = *b;
        fill(&p, b);
        made = make(s, &p, ledger);
    }
    free(p.bodies);
    free(p.springs);
    free(p.floors);
    free(p.terms);
    free(p.names);
    if (made) return s;
    blocks_slipstick_destroy(s);
    return NULL;
}

const ss_model* blocks_slipstick_model(const blocks_slipstick* s) { return s->model; }

bool blocks_slipstick_run(blocks_slipstick* s, double x[], blocks_rest* rest)
{
    ss_outcome outcome = SS_TIME_REACHED;
    ss_error err = {0};
    if (ss_sim_restart(s->sim, x, NULL, &err) != SS_OK) return false;
    if (ss_sim_advance(s->sim, s->b.until, &outcome, &err) != SS_OK) return false;
    *rest = (blocks_rest){
        .rests = outcome == SS_AT_REST, .events = ss_sim_event_count(s->sim), .t = ss_sim_time(s->sim)};
    memcpy(x, ss_sim_x(s->sim), sizeof(double) * (size_t)s->b.count);
    return true;
}

double blocks_slipstick_energy_error(const blocks_slipstick* s)
{
    ss_energy e = ss_sim_energy(s->sim);
    return fabs(e.residual) / e.start;
}

void blocks_slipstick_destroy(blocks_slipstick* s)
{
    if (!s) return;
    ss_sim_destroy(s->sim);
    ss_model_destroy(s->model);
    free(s);
}
