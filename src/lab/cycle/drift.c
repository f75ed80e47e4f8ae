// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Places that no force feels: a drill string that a torque turns, a block that a conveyor carries. Where all
// coordinates (and states of an open model) may be shifted along some direction without anything changing,
//
//     K u = 0, no stop, no cubic spring, no sum that an expression uses and no state notices u,
//
// a motion repeats if it does but for such a shift. States are compared with these directions taken out.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/cycle/orbit.h"
#include "model/actions.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rows that a shift must not change, over coordinates and states.
typedef struct rows {
    int columns, count, room;
    double* value; // NULL: only counted
} rows;

static double* next_row(rows* r)
{
    double* row = r->value ? r->value + (size_t)r->count * (size_t)r->columns : NULL;
    r->count++;
    return row;
}

// begin: as rows of their own; otherwise into the last `count` rows.
static void add_sparse_rows(rows* r, const ss_sparse* a, int count, int first, double factor, bool begin)
{
    for (int i = 0; i < count; i++) {
        double* row = begin ? next_row(r) : NULL;
        if (!begin && r->value) row = r->value + (size_t)(r->count - count + i) * (size_t)r->columns;
        for (int l = a->start ? a->start[i] : 0; row && a->start && l < a->start[i + 1]; l++)
            row[first + a->index[l]] += factor * a->value[l];
    }
}

static void add_plain_row(rows* r, const ss_row* from)
{
    double* row = next_row(r);
    for (int k = 0; row && k < from->count; k++) row[from->index[k]] += from->value[k];
}

typedef struct forms {
    rows* rows;
    const ss_model* model;
    bool angles; // those that are felt as angles, too
} forms;

// Sums of places and states that a program feels.
static void add_form(void* user, const double form[], bool turns)
{
    const forms* f = user;
    const ss_model* model = f->model;
    if (turns && !f->angles) return;
    double* row = next_row(f->rows);
    if (!row) return;
    for (int b = 0; b < model->body_count; b++)
        for (int k = 0; k < model->bodies[b].row.count && model->bodies[b].drive < 0; k++)
            row[model->bodies[b].row.index[k]] += form[b] * model->bodies[b].row.value[k];
    for (int j = 0; j < model->open->state_count; j++) row[model->n + j] = form[model->open->first_state + j];
}

static bool add_open(rows* r, const ss_model* model, bool angles)
{
    const ss_state_flow* flow = &model->actions->flow;
    forms f = {r, model, angles};
    bool fine = true;
    add_sparse_rows(r, &flow->pull, model->n, model->n, -1.0, false);
    add_sparse_rows(r, &flow->places, model->open->state_count, 0, 1.0, true);
    add_sparse_rows(r, &flow->own, model->open->state_count, model->n, 1.0, false);
    if (model->actions->motion.output_count > 0)
        fine = ss_program_visit_forms(&model->actions->motion, add_form, &f);
    for (int b = 0; b < model->open->block_count; b++)
        fine = ss_program_visit_forms(&model->open->blocks[b].program, add_form, &f) && fine;
    return fine;
}

// angles: whether what is felt as an angle alone counts. False without memory.
static bool gather(rows* r, const ss_model* model, bool angles)
{
    const ss_operator* op = &model->matrices.flow;
    ss_sparse stiffness = {model->n, op->start, op->index, op->stiffness};
    r->count = 0;
    add_sparse_rows(r, &stiffness, model->n, 0, 1.0, true);
    bool fine = !model->open || add_open(r, model, angles);
    for (int c = 0; c < model->connection_count; c++)
        if (model->connections[c].cubic != 0.0) add_plain_row(r, &model->connections[c].q);
    for (int i = 0; i < model->contact_count; i++)
        if (ss_law_has(model->contacts[i].law, SS_TRAIT_STOPS) || model->contacts[i].is_tie)
            add_plain_row(r, &model->contacts[i].q);
    return fine;
}

// Row echelon form; pivot[c]: the row whose leading column c is, or -1.
static void eliminate(rows* r, int pivot[])
{
    int used = 0, w = r->columns;
    for (int i = 0; i < r->count; i++) { // every row by its own size
        double size = 0.0, *row = r->value + (size_t)i * (size_t)w;
        for (int c = 0; c < w; c++) size = fmax(size, fabs(row[c]));
        for (int c = 0; c < w && size > 0.0; c++) row[c] /= size;
    }
    for (int c = 0; c < w; c++) {
        int best = -1;
        double most = SS_FAINT;
        for (int i = used; i < r->count; i++)
            if (fabs(r->value[(size_t)i * (size_t)w + (size_t)c]) > most)
                most = fabs(r->value[(size_t)(best = i) * (size_t)w + (size_t)c]);
        pivot[c] = best < 0 ? -1 : used;
        if (best < 0) continue;
        double *from = r->value + (size_t)best * (size_t)w, *to = r->value + (size_t)used++ * (size_t)w;
        for (int k = 0; k < w; k++) {
            double kept = to[k];
            to[k] = from[k];
            from[k] = kept;
        }
        double lead = to[c];
        for (int k = 0; k < w; k++) to[k] /= lead;
        for (int i = 0; i < r->count; i++) {
            double *row = r->value + (size_t)i * (size_t)w, factor = row[c];
            for (int k = 0; k < w && row != to && factor != 0.0; k++) row[k] -= factor * to[k];
        }
    }
}

// One direction per column without a pivot: 1 there, and what balances it in the columns that have one. So
// parts that have nothing to do with each other have directions of their own.
static int read_directions(const rows* r, const int pivot[], double out[])
{
    int count = 0, w = r->columns;
    for (int c = 0; c < w; c++) {
        if (pivot[c] >= 0) continue;
        double* u = out + (size_t)count * (size_t)w;
        u[c] = 1.0;
        for (int k = 0; k < w; k++)
            if (pivot[k] >= 0) u[k] = -r->value[(size_t)pivot[k] * (size_t)w + (size_t)c];
        for (int j = 0; j < count; j++) { // square to those before
            const double* other = out + (size_t)j * (size_t)w;
            double product = 0.0;
            for (int k = 0; k < w; k++) product += u[k] * other[k];
            for (int k = 0; k < w; k++) u[k] -= product * other[k];
        }
        double size = 0.0;
        for (int k = 0; k < w; k++) size += u[k] * u[k];
        for (int k = 0; k < w; k++) u[k] /= sqrt(size);
        count++;
    }
    return count;
}

// The directions along which nothing (but angles, where these do not count) changes: their number, -1
// without memory.
static int find_directions(const ss_model* model, bool angles, double out[])
{
    rows r = {.columns = model->n + ss_model_state_count(model)};
    size_t w = (size_t)r.columns;
    int count = -1;
    bool fine = gather(&r, model, angles);
    r.value = ss_new((size_t)r.count * w + 1, sizeof(double));
    int* pivot = ss_new(w, sizeof(int));
    if (fine && r.value && pivot && gather(&r, model, angles)) {
        eliminate(&r, pivot);
        count = read_directions(&r, pivot, out);
    }
    free(r.value);
    free(pivot);
    return count;
}

ss_status ss_orbit_find_free(ss_orbit* orbit, ss_error* err)
{
    size_t w = (size_t)(orbit->n + orbit->states);
    orbit->free.directions = ss_new(w * w, sizeof(double));
    orbit->free.place = ss_new(w, sizeof(double));
    orbit->free.origin = ss_new(w, sizeof(double));
    orbit->free.drifts = ss_new(w, sizeof(bool));
    bool fine = orbit->free.directions && orbit->free.place && orbit->free.origin && orbit->free.drifts;
    if (fine) orbit->free.count = find_directions(orbit->model, true, orbit->free.directions);
    return fine && orbit->free.count >= 0 ? SS_OK : ss_fail_no_memory(err);
}

int ss_orbit_find_turning(const ss_orbit* orbit, double out[])
{
    return find_directions(orbit->model, false, out);
}

// Coordinates come first in a state, states after the speeds.
static double* variable(const ss_orbit* orbit, double state[], int k)
{
    return &state[k < orbit->n ? k : orbit->n + k];
}

double ss_orbit_along(const ss_orbit* orbit, const double direction[], const double state[])
{
    double sum = 0.0;
    for (int k = 0; k < orbit->n + orbit->states; k++)
        sum += direction[k] * state[k < orbit->n ? k : orbit->n + k];
    return sum;
}

double ss_orbit_place(const ss_orbit* orbit, int j, const double state[])
{
    return ss_orbit_along(orbit, orbit->free.directions + (size_t)j * (size_t)(orbit->n + orbit->states),
                          state);
}

static void put_at(const ss_orbit* orbit, double state[], int j, double place)
{
    int w = orbit->n + orbit->states;
    const double* u = orbit->free.directions + (size_t)j * (size_t)w;
    double away = place - ss_orbit_place(orbit, j, state);
    for (int k = 0; k < w; k++) *variable(orbit, state, k) += away * u[k];
}

void ss_orbit_take_out(const ss_orbit* orbit, double rate[])
{
    for (int j = 0; j < orbit->free.count; j++) put_at(orbit, rate, j, 0.0);
}

void ss_orbit_pin(const ss_orbit* orbit, double state[])
{
    for (int j = 0; j < orbit->free.count; j++) put_at(orbit, state, j, orbit->free.origin[j]);
}

void ss_orbit_put_back(const ss_orbit* orbit, double state[])
{
    for (int j = 0; j < orbit->free.count; j++)
        if (orbit->free.drifts[j]) put_at(orbit, state, j, 0.0);
    ss_whole_turns_put_back(orbit, state);
}

void ss_orbit_begin_at(ss_orbit* orbit, const double state[])
{
    for (int j = 0; j < orbit->free.count; j++) orbit->free.origin[j] = ss_orbit_place(orbit, j, state);
    ss_whole_turns_begin_at(orbit, state);
}

void ss_orbit_begin_here(ss_orbit* orbit, double state[])
{
    for (int j = 0; j < orbit->free.count; j++) orbit->free.origin[j] = orbit->free.place[j];
    ss_orbit_pin(orbit, state);
    ss_whole_turns_begin_at(orbit, state);
}

// The rates at which the places advance: those that do at all, but for rounding.
static void set_rates(ss_orbit* orbit, const double start[], double time, const double most[])
{
    int w = orbit->n + orbit->states;
    for (int j = 0; j < orbit->free.count; j++) {
        const double* u = orbit->free.directions + (size_t)j * (size_t)w;
        double gone = orbit->free.place[j] - ss_orbit_place(orbit, j, start), before = 0.0;
        for (int k = 0; k < w; k++) before += u[k] * orbit->carry[k];
        orbit->free.drifts[j] = fabs(gone) > SS_ROOT_BIT * most[j];
        double rate = orbit->free.drifts[j] ? gone / time : 0.0;
        for (int k = 0; k < w; k++) orbit->carry[k] += (rate - before) * u[k];
    }
}

ss_status ss_orbit_find_drift(ss_orbit* orbit, const double start[], double time, ss_error* err)
{
    enum { LOOKS = 64 };
    if (orbit->free.count == 0 && orbit->whole_turns.count == 0) return SS_OK;
    double* most = ss_new((size_t)orbit->free.count + 1, sizeof(double));
    if (!most) return ss_fail_no_memory(err);
    ss_status status = ss_orbit_restart(orbit, start, err);
    for (int k = 1; k <= LOOKS && status == SS_OK && orbit->outcome == SS_TIME_REACHED; k++) {
        status = ss_orbit_advance(orbit, k < LOOKS ? time * k / LOOKS : time, err);
        for (int j = 0; j < orbit->free.count; j++)
            most[j] = fmax(most[j], fabs(orbit->free.place[j] - ss_orbit_place(orbit, j, start)));
        if (orbit->interrupted) break;
    }
    if (status == SS_OK && orbit->outcome == SS_TIME_REACHED && !orbit->interrupted) {
        set_rates(orbit, start, time, most);
        ss_whole_turns_set_rate(orbit, time);
    }
    free(most);
    return status;
}

ss_status ss_orbit_may_slide(const ss_model* model, bool* out, ss_error* err)
{
    enum { MOST_COORDINATES = 200 };
    ss_sim_def def = ss_sim_def_default();
    ss_orbit* orbit = NULL;
    *out = false;
    if (model->n == 0 || model->n > MOST_COORDINATES) return SS_OK;
    ss_status status = ss_orbit_create(model, &def, &orbit, err);
    *out = status == SS_OK && orbit->free.count > 0;
    ss_orbit_destroy(orbit);
    return status;
}
