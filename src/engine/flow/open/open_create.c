// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a run of an open model keeps: made once, marked for saving, and as it is where a motion begins.
#include "engine/flow/open_series.h"
#include "law/table.h"

#include <math.h>
#include <string.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

static void make_programs(ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    const ss_actions* actions = sim->model->actions;
    ss_pool* pool = &sim->pool;
    ss_open_programs* own = ss_pool_new(pool, 1, sizeof *own);
    if (!own) return;
    size_t kinks = (size_t)ss_graph_kink_count(open->graph), d = sizeof(double);
    own->pieces = ss_pool_new(pool, kinks, d);
    own->start = ss_pool_new(pool, kinks, d);
    own->copy = ss_pool_new(pool, kinks, d);
    own->point = ss_pool_new(pool, (size_t)open->variable_count, d);
    own->outputs = ss_pool_new(pool, (size_t)actions->motion.output_count, d);
    own->sizes = ss_pool_new(pool, (size_t)actions->motion.output_count, d);
    own->seen = ss_pool_new(pool, (size_t)actions->shown.output_count, d);
    own->crossing = ss_pool_new(pool, (size_t)actions->motion.kink_count, sizeof(bool));
    own->crossings = ss_pool_new(pool, SS_CROSSINGS * (size_t)actions->motion.kink_count, d);
    own->within = ss_pool_new(pool, (size_t)actions->motion.kink_count, d);
    own->accel = ss_pool_new(pool, (size_t)sim->model->n, d);
    own->forces = ss_pool_spare(pool, (size_t)actions->pull_count * WIDTH, d);
    own->rate = ss_pool_new(pool, (size_t)open->state_count, d);
    if (pool->failed || !ss_run_make(&own->motion, pool, &actions->motion, SS_MAX_ORDER, own->pieces) ||
        !ss_run_make(&own->shown, pool, &actions->shown, 1, own->copy))
        return;
    for (size_t j = 0; j < kinks; j++) own->pieces[j] = NAN;
    ss_open_make_edges(sim, own);
    sim->open.programs = own;
}

// Contacts whose levels follow the motion.
static void find_following(ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    ss_open_run* run = &sim->open;
    run->following = ss_pool_new(&sim->pool, (size_t)open->level_count, sizeof(ss_open_following));
    for (int l = 0; l < open->level_count && !sim->pool.failed; l++) {
        const ss_open_level* level = &open->levels[l];
        ss_open_following* own = run->following;
        while (own < run->following + run->following_count && own->contact != level->contact) own++;
        if (own == run->following + run->following_count) {
            run->following_count++;
            *own = (ss_open_following){.contact = level->contact, .output = {-1, -1, -1, -1}};
            own->raw = ss_pool_new(&sim->pool, 4 * WIDTH, sizeof(double));
        }
        own->output[level->which] = sim->model->actions->level_output + l;
        if (sim->model->contacts[level->contact].loaded) // one normal force, moving and at rest
            own->output[level->which + SS_STATIC_FORWARD] = own->output[level->which];
    }
}

void ss_open_set_start(const ss_model* model, const ss_open_run* open_run, const double states[],
                       const double memory[])
{
    const ss_open* open = model->open;
    double* start = open_run->start;
    for (int j = 0; j < open->state_count; j++) *start++ = states ? states[j] : open->states[j].start;
    for (int j = 0; j < open->memory_count; j++) *start++ = memory ? memory[j] : open->memory[j].value;
}

void ss_open_allocate(ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    ss_open_run* run = &sim->open;
    *run = (ss_open_run){0};
    if (!open) return;
    run->states = open->state_count;
    run->slots = sim->model->actions->pull_count + open->state_count;
    size_t states = (size_t)open->state_count, inputs = (size_t)open->input_count, d = sizeof(double);
    run->start = ss_pool_new(&sim->pool, states + (size_t)open->memory_count, d);
    run->out = ss_pool_new(&sim->pool, states, d);
    run->constant = ss_pool_new(&sim->pool, states, d);
    run->constant_size = ss_pool_new(&sim->pool, states, d);
    run->rate = ss_pool_new(&sim->pool, states, d);
    run->input = ss_pool_new(&sim->pool, WIDTH * inputs, d);
    size_t held = inputs + (size_t)open->memory_count;
    run->value = ss_pool_new(&sim->pool, held, d);
    run->varying = ss_pool_new(&sim->pool, held, sizeof(bool));
    run->memory = run->value + inputs;
    run->steady = ss_pool_new(&sim->pool, (size_t)sim->model->actions->pull_count, d);
    run->fixed = ss_pool_new(&sim->pool, (size_t)sim->model->actions->pull_count, d);
    run->given = ss_pool_new(&sim->pool, WIDTH * (size_t)run->slots, d);
    if (sim->pool.failed) return;
    ss_open_set_start(sim->model, &sim->open, NULL, NULL);
    for (int j = 0; j < open->input_count; j++)
        run->varies = run->varies || !ss_signal_is_constant(open->inputs[j].signal);
    for (int k = 0; k < run->slots; k++)
        run->varies = run->varies || ss_rest_varies(ss_affine_of(sim->model->actions, k));
    make_programs(sim);
    find_following(sim);
}

static const size_t program_pointers[] = {
    offsetof(ss_open_programs, pieces),    offsetof(ss_open_programs, start),
    offsetof(ss_open_programs, copy),      offsetof(ss_open_programs, point),
    offsetof(ss_open_programs, outputs),   offsetof(ss_open_programs, sizes),
    offsetof(ss_open_programs, seen),      offsetof(ss_open_programs, crossing),
    offsetof(ss_open_programs, crossings), offsetof(ss_open_programs, accel),
    offsetof(ss_open_programs, rate),      offsetof(ss_open_programs, edges),
    offsetof(ss_open_programs, stiff),     offsetof(ss_open_programs, forces),
    offsetof(ss_open_programs, within),
};
static const size_t run_pointers[] = {
    offsetof(ss_run, program), offsetof(ss_run, w.rows),   offsetof(ss_run, w.noise), offsetof(ss_run, w.aux),
    offsetof(ss_run, w.sum),   offsetof(ss_run, w.degree), offsetof(ss_run, w.piece), offsetof(ss_run, x),
    offsetof(ss_run, sizes),   offsetof(ss_run, noise),    offsetof(ss_run, crossed), offsetof(ss_run, w.met),
    offsetof(ss_run, w.level), offsetof(ss_run, shaken),
};
static const size_t edge_pointers[] = {
    offsetof(ss_open_edge, across),     offsetof(ss_open_edge, below_pieces), offsetof(ss_open_edge, mix),
    offsetof(ss_open_edge, difference), offsetof(ss_open_edge, lift),
};
static const size_t edges_pointers[] = {
    offsetof(ss_open_edges, list),  offsetof(ss_open_edges, of),     offsetof(ss_open_edges, way),
    offsetof(ss_open_edges, mixed), offsetof(ss_open_edges, corner), offsetof(ss_open_edges, probe_pieces),
    offsetof(ss_open_edges, accel), offsetof(ss_open_edges, lambda), offsetof(ss_open_edges, on),
    offsetof(ss_open_edges, keeps),
};
static const size_t stiff_pointers[] = {
    offsetof(ss_open_stiff, values),    offsetof(ss_open_stiff, switches), offsetof(ss_open_stiff, output),
    offsetof(ss_open_stiff, switching), offsetof(ss_open_stiff, argument),
};
static const size_t following_pointers[] = {offsetof(ss_open_following, raw)};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void mark_edges(ss_image* image, ss_open_edges* edges)
{
    ss_image_mark_pointers(image, edges, 1, sizeof *edges, edges_pointers, COUNT(edges_pointers));
    ss_image_mark_pointers(image, &edges->probe, 1, sizeof(ss_run), run_pointers, COUNT(run_pointers));
    ss_image_mark_pointers(image, edges->list, (size_t)edges->room, sizeof *edges->list, edge_pointers,
                           COUNT(edge_pointers));
    for (int e = 0; e < edges->room; e++)
        ss_image_mark_pointers(image, &edges->list[e].below, 1, sizeof(ss_run), run_pointers,
                               COUNT(run_pointers));
}

void ss_open_mark(ss_sim* sim)
{
    ss_open_programs* own = sim->open.programs;
    ss_image* image = &sim->image;
    if (!own) return;
    ss_image_mark_pointers(image, own, 1, sizeof *own, program_pointers, COUNT(program_pointers));
    ss_image_mark_pointers(image, &own->motion, 1, sizeof(ss_run), run_pointers, COUNT(run_pointers));
    ss_image_mark_pointers(image, &own->shown, 1, sizeof(ss_run), run_pointers, COUNT(run_pointers));
    if (own->edges) mark_edges(image, own->edges);
    if (own->stiff)
        ss_image_mark_pointers(image, own->stiff, 1, sizeof *own->stiff, stiff_pointers,
                               COUNT(stiff_pointers));
    ss_image_mark_pointers(image, sim->open.following, (size_t)sim->open.following_count,
                           sizeof(ss_open_following), following_pointers, COUNT(following_pointers));
}

void ss_open_loaded(const ss_model* model, ss_open_programs* programs)
{
    if (!programs) return;
    programs->motion.program = &model->actions->motion;
    programs->shown.program = &model->actions->shown;
    ss_open_edges* edges = programs->edges;
    if (!edges) return;
    edges->probe.program = &model->actions->motion;
    for (int e = 0; e < edges->room; e++) edges->list[e].below.program = &model->actions->motion;
}

void ss_open_set_input(ss_open_run* open, int input, double value, bool varying)
{
    open->value[input] = value;
    open->varying[input] = varying;
}

void ss_open_restart(const ss_model* model, const ss_step* step, ss_open_run* open_run)
{
    const ss_open* open = model->open;
    if (!open) return;
    memcpy(step->s, open_run->start, (size_t)open_run->states * sizeof(double));
    for (int j = 0; j < open->input_count; j++) {
        const ss_signal* signal = open->inputs[j].signal;
        ss_open_set_input(open_run, j, ss_signal_value(signal, 0.0), !ss_signal_is_constant(signal));
    }
    memcpy(open_run->memory, open_run->start + open->state_count,
           (size_t)open->memory_count * sizeof(double));
    ss_open_programs* own = open_run->programs;
    for (int j = 0; j < ss_graph_kink_count(open->graph); j++) own->pieces[j] = NAN;
    memset(own->crossing, 0, (size_t)own->motion.program->kink_count * sizeof(bool));
    memset(own->motion.crossed, 0, (size_t)own->motion.program->kink_count * sizeof(bool));
    own->begun = own->bad = own->overflows = own->sized = own->probing = own->crowded = own->chatters = false;
    own->limit = -1;
    own->span = 0.0;
    ss_open_forget_edges(own->edges);
    if (own->stiff) own->stiff->written = false;
    for (int k = 0; k < SS_CROSSINGS * own->motion.program->kink_count; k++) own->crossings[k] = NAN;
}
