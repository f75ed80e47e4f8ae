// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Every cell first gets a group; groups that turn out to be connected are joined; in the end groups become
// attractors, numbered in order of their first cell.
#define _POSIX_C_SOURCE 200809L // fileno, fdopen
#include "lab/map/basin_label.h"

#include "core/error.h"
#include "lab/file/output_file.h"
#include "share/model_parts.h"
#include "slipstick/batch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_GROUPS = 1000, // the last two are kept for what is left over
    MOST_SAMPLES = 32,  // resting places kept of a group
    STEPS = 16,         // a line between two places is looked at so many times
    MOST_MOTIONS = 32,  // more shapes than that are no attractors but motions still on their way
};
static const double golden_section = 0.6180339887498949;
static const double same_motion = 0.02; // shapes that differ less, relative to the largest, are one

typedef struct group {
    int joined;          // another group it belongs to, or itself
    bool motion, steady; // steady: a motion in which nothing changes
    double low, high;    // motion: shapes seen
    double* samples;     // rest: places, body by body, then states and memory
    int sample_count;
    int64_t cells;
    int64_t first; // motion: a cell that came to it
    int number;    // of the attractor, from 1; 0: none
} group;

struct ss_labels {
    const ss_basin* basin;
    FILE* file; // a group for every cell, as 16 bits
    group* groups;
    int group_count, motion_count;
    double largest; // shape of a motion
    ss_sim* sim;    // asks whether a place is one of rest
    double *place, *still, *ended;
    bool one_set; // all places of rest hang together, by theory
    int common;   // group of places that are not told apart, -1: none yet
    int* order;   // groups by number
    int count;
};

// With linear springs and Coulomb friction E is convex, so all places of rest hang together.
// So it is with states: their rates vanish on a plane. A controller may round.
static bool rests_in_one_set(const ss_model* model)
{
    bool one = ss_model_is_linear(model) && ss_model_memory_count(model) == 0;
    for (int c = 0; c < ss_model_contact_count(model); c++)
        one = one && ss_law_has(ss_model_contact_law(model, c), SS_TRAIT_LEVELS);
    return one;
}

bool ss_basin_may_split(const ss_basin* basin)
{
    return basin->model && basin->parameter_count == 0 && (basin->shapes || !rests_in_one_set(basin->model));
}

void ss_labels_destroy(ss_labels* labels)
{
    if (!labels) return;
    for (int g = 0; labels->groups && g < labels->group_count; g++) free(labels->groups[g].samples);
    free(labels->groups);
    free(labels->place);
    free(labels->still);
    free(labels->ended);
    free(labels->order);
    ss_sim_destroy(labels->sim);
    if (labels->file) fclose(labels->file);
    free(labels);
}

static int root_of(const ss_labels* l, int g)
{
    while (l->groups[g].joined != g) g = l->groups[g].joined;
    return g;
}

static int new_group(ss_labels* l, bool motion)
{
    int g = l->group_count++;
    l->groups[g] = (group){.joined = g, .motion = motion};
    return g;
}

static void join(ss_labels* l, int a, int b)
{
    int first = root_of(l, a), second = root_of(l, b);
    if (first > second) {
        int swap = first;
        first = second;
        second = swap;
    }
    l->groups[second].joined = first;
}

// ---- rest ----

// Numbers of a place of rest: bodies, states, memory.
static int width_of(const ss_labels* l) { return l->basin->bodies + l->basin->inner; }

static bool rests_at(ss_labels* l, const double x[])
{
    ss_outcome outcome;
    const double* inner = x + l->basin->bodies;
    return ss_sim_set_start(l->sim, inner, inner + ss_model_state_count(l->basin->model), NULL) == SS_OK &&
           ss_sim_restart(l->sim, x, l->still, NULL) == SS_OK &&
           ss_sim_advance(l->sim, 0, &outcome, NULL) == SS_OK && outcome == SS_AT_REST;
}

// Whether all of the straight line between two resting places is at rest, as far as samples show. They are
// spread by the golden section: equal steps may fall on places of rest that come again and again, such as
// those of a pendulum sixteen half turns apart.
static bool connected(ss_labels* l, const double a[], const double b[])
{
    for (int k = 1; k < STEPS; k++) {
        double s = fmod(k * golden_section, 1.0);
        for (int i = 0; i < width_of(l); i++) l->place[i] = (1 - s) * a[i] + s * b[i];
        if (!rests_at(l, l->place)) return false;
    }
    return true;
}

static double distance(const ss_labels* l, const double a[], const double b[])
{
    double sum = 0;
    for (int i = 0; i < width_of(l); i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

// The sample of a group that is nearest to x.
static const double* nearest(const ss_labels* l, const group* g, const double x[], double* away)
{
    const double* best = g->samples;
    *away = INFINITY;
    for (int k = 0; k < g->sample_count; k++) {
        const double* sample = g->samples + k * width_of(l);
        double d = distance(l, sample, x);
        if (d < *away) {
            *away = d;
            best = sample;
        }
    }
    return best;
}

static ss_status keep_sample(ss_labels* l, int number, const double x[], ss_error* err)
{
    group* g = &l->groups[number];
    size_t width = (size_t)width_of(l);
    if (!g->samples) g->samples = ss_new(MOST_SAMPLES * width, sizeof *g->samples);
    if (!g->samples) return ss_fail_no_memory(err);
    memcpy(g->samples + (size_t)g->sample_count * width, x, width * sizeof *x);
    g->sample_count++;
    return SS_OK;
}

// A place far from all samples is worth keeping: a quarter as far as the first two samples are apart.
static bool is_far(const ss_labels* l, const group* g, double away)
{
    if (g->sample_count == 1) return away > 0;
    return away > 0.25 * distance(l, g->samples, g->samples + width_of(l));
}

// The one group of all places that are not told apart.
static ss_status common_group(ss_labels* l, const double x[], int* out, ss_error* err)
{
    if (l->common < 0) {
        l->common = new_group(l, false);
        ss_status status = keep_sample(l, l->common, x, err);
        if (status != SS_OK) return status;
    }
    *out = l->common;
    return SS_OK;
}

// The group of a resting place. All groups are asked, so that a place between two of them joins them.
static ss_status group_of_rest(ss_labels* l, const double x[], int* out, ss_error* err)
{
    *out = -1;
    // A place that holds only later, under inputs that vary in time, cannot be asked about.
    if (l->one_set || !rests_at(l, x)) return common_group(l, x, out, err);
    for (int g = 0; g < l->group_count; g++) {
        double away;
        if (l->groups[g].motion || g == l->common || (*out >= 0 && root_of(l, *out) == root_of(l, g)))
            continue;
        const double* sample = nearest(l, &l->groups[g], x, &away);
        if (away > 0 && !connected(l, sample, x)) continue;
        if (*out >= 0) join(l, *out, g);
        if (*out < 0) *out = g;
        if (l->groups[g].sample_count < MOST_SAMPLES && is_far(l, &l->groups[g], away)) {
            ss_status status = keep_sample(l, g, x, err);
            if (status != SS_OK) return status;
        }
    }
    if (*out >= 0) return SS_OK;
    if (l->group_count >= MOST_GROUPS - 2) return common_group(l, x, out, err);
    *out = new_group(l, false);
    return keep_sample(l, *out, x, err);
}

// ---- motions ----

static int group_of_motion(ss_labels* l, double shape, bool steady)
{
    int found = -1;
    l->largest = fmax(l->largest, fabs(shape));
    double near = same_motion * l->largest;
    for (int k = 0; k < l->group_count; k++) {
        group* g = &l->groups[k];
        if (!g->motion || g->steady != steady || shape < g->low - near || shape > g->high + near) continue;
        if (found >= 0) join(l, found, k);
        if (found < 0) found = k;
        g->low = fmin(g->low, shape);
        g->high = fmax(g->high, shape);
    }
    if (found >= 0) return found;
    if (l->motion_count > MOST_MOTIONS) return -1;
    if (l->motion_count++ == MOST_MOTIONS || l->group_count >= MOST_GROUPS - 2) return -1;
    found = new_group(l, true);
    l->groups[found].low = l->groups[found].high = shape;
    l->groups[found].steady = steady;
    return found;
}

// ---- all cells ----

static ss_status group_cell(ss_labels* l, const ss_basin_block* block, int64_t k, uint16_t* out,
                            ss_error* err)
{
    int g = -1;
    ss_status status = SS_OK;
    ss_fate fate = ss_cell_fate(block, k);
    size_t bodies = (size_t)l->basin->bodies, inner = (size_t)l->basin->inner;
    memcpy(l->ended, block->x + (size_t)k * bodies, bodies * sizeof(double));
    if (inner > 0) memcpy(l->ended + bodies, block->inner + (size_t)k * inner, inner * sizeof(double));
    if (fate == SS_FATE_REST) status = group_of_rest(l, l->ended, &g, err);
    if (fate == SS_FATE_MOVING && !isnan(block->t[k]))
        g = group_of_motion(l, block->t[k], (block->fate[k] & SS_CELL_STEADY) != 0);
    if (g >= 0 && l->groups[g].cells++ == 0) l->groups[g].first = block->first + k;
    *out = (uint16_t)(g + 1);
    return status;
}

static ss_status group_cells(ss_labels* l, const ss_journal* journal, ss_error* err)
{
    const ss_basin* basin = l->basin;
    void* payload = malloc(ss_basin_payload_size(basin, 0));
    uint16_t* groups = ss_new((size_t)basin->block_cells, sizeof *groups);
    ss_status status = payload && groups ? SS_OK : ss_fail_no_memory(err);
    for (int64_t b = 0; b < basin->blocks && status == SS_OK; b++) {
        status = ss_journal_read(journal, b, payload, err);
        ss_basin_block block = ss_basin_view(basin, b, payload);
        for (int64_t k = 0; k < block.count && status == SS_OK; k++)
            status = group_cell(l, &block, k, &groups[k], err);
        if (status == SS_OK &&
            fwrite(groups, sizeof *groups, (size_t)block.count, l->file) != (size_t)block.count)
            status = ss_fail(err, SS_FILE_ERROR, NULL, "cannot write a temporary file: %s", strerror(errno));
    }
    free(payload);
    free(groups);
    if (status == SS_OK && fflush(l->file) != 0)
        status = ss_fail(err, SS_FILE_ERROR, NULL, "cannot write a temporary file: %s", strerror(errno));
    return status;
}

// Whether a group of motions is a band of shapes rather than one: orbits that attract nobody, or motions that
// are still on their way.
static bool is_band(const ss_labels* l, const group* g)
{
    return g->motion && g->high - g->low > 3 * same_motion * l->largest;
}

// Groups that stand for others become attractors. Motions of very many shapes are none.
static void number_groups(ss_labels* l)
{
    bool motions = l->motion_count <= MOST_MOTIONS;
    for (int g = 0; g < l->group_count; g++) {
        group *from = &l->groups[g], *to = &l->groups[root_of(l, g)];
        if (from == to) continue;
        to->cells += from->cells;
        to->low = fmin(to->low, from->low);
        to->high = fmax(to->high, from->high);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int g = 0; g < l->group_count; g++) {
            group* candidate = &l->groups[g];
            bool wanted = candidate->joined == g && candidate->motion == (pass == 1);
            if (!wanted || (pass == 1 && (!motions || is_band(l, candidate)))) continue;
            l->order[l->count++] = g;
            candidate->number = l->count;
        }
    }
}

static ss_status prepare(ss_labels* l, ss_error* err)
{
    size_t bodies = (size_t)l->basin->bodies;
    ss_sim_def def = ss_sim_def_default();
    def.ledger = false;
    def.tolerance = l->basin->tolerance;
    ss_status status = ss_sim_create(l->basin->model, &def, &l->sim, err);
    if (status != SS_OK) return status;
    l->groups = ss_new(MOST_GROUPS, sizeof *l->groups);
    l->order = ss_new(MOST_GROUPS, sizeof *l->order);
    l->place = ss_new((size_t)width_of(l), sizeof *l->place);
    l->ended = ss_new((size_t)width_of(l), sizeof *l->ended);
    l->still = ss_new(bodies, sizeof *l->still);
    if (!l->groups || !l->order || !l->place || !l->still || !l->ended) return ss_fail_no_memory(err);
    int file = ss_file_open_nameless(NULL);
    l->file = file >= 0 ? fdopen(file, "w+b") : NULL;
    if (l->file) return SS_OK;
    ss_status failed =
        ss_fail(err, SS_FILE_ERROR, NULL, "cannot create a temporary file: %s", strerror(errno));
    if (file >= 0) close(file);
    return failed;
}

ss_status ss_labels_find(const ss_basin* basin, const ss_journal* journal, ss_labels** out, ss_error* err)
{
    *out = NULL;
    ss_labels* labels = ss_new(1, sizeof *labels);
    if (!labels) return ss_fail_no_memory(err);
    labels->basin = basin;
    labels->common = -1;
    labels->one_set = rests_in_one_set(basin->model);
    ss_status status = prepare(labels, err);
    if (status == SS_OK) status = group_cells(labels, journal, err);
    if (status != SS_OK) {
        ss_labels_destroy(labels);
        return status;
    }
    number_groups(labels);
    *out = labels;
    return SS_OK;
}

int ss_labels_count(const ss_labels* labels) { return labels->count; }

int64_t ss_labels_cells(const ss_labels* labels, int attractor)
{
    return labels->groups[labels->order[attractor]].cells;
}

int64_t ss_labels_first(const ss_labels* labels, int attractor)
{
    return labels->groups[labels->order[attractor]].first;
}

bool ss_labels_is_steady(const ss_labels* labels, int attractor)
{
    return labels->groups[labels->order[attractor]].steady;
}

const double* ss_labels_place(const ss_labels* labels, int attractor)
{
    return labels->groups[labels->order[attractor]].samples;
}

ss_status ss_labels_read(const ss_labels* labels, int64_t block, int32_t out[], ss_error* err)
{
    int64_t first = ss_basin_block_first(labels->basin, block),
            count = ss_basin_block_count(labels->basin, block);
    uint16_t piece[256];
    for (int64_t done = 0; done < count;) {
        int64_t part = count - done < 256 ? count - done : 256;
        if (!ss_file_read_at(fileno(labels->file), (first + done) * (int64_t)sizeof *piece, piece,
                             (size_t)part * sizeof *piece))
            return ss_fail(err, SS_FILE_ERROR, NULL, "cannot read a temporary file");
        for (int64_t k = 0; k < part; k++)
            out[done + k] = piece[k] == 0 ? 0 : labels->groups[root_of(labels, piece[k] - 1)].number;
        done += part;
    }
    return SS_OK;
}
