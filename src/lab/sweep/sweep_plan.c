// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From a definition to a plan: axes are checked against the model, cells are counted and cut into blocks.
#include "lab/sweep/sweep.h"

#include "core/definition.h"
#include "core/error.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "model/model_impl.h"
#include "share/model_parts.h"
#include "slipstick/fit.h"
#include "slipstick/sliding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 20 };                 // of a block's answers
static const double most_cells = 1e15;          // below 2^53, so that counts survive as JSON numbers
static const double most_block_bytes = 1 << 30; // ranks count them in an int

void ss_basin_destroy(ss_basin* basin)
{
    if (!basin) return;
    for (int a = 0; basin->axes && a < basin->axis_count; a++) ss_basin_axis_free(&basin->axes[a]);
    free(basin->axes);
    free(basin->targets);
    ss_model_destroy(basin->model);
    ss_slider_destroy(basin->slider);
    free(basin->question);
    free(basin);
}

// ---- axes ----

static ss_status refuse(const ss_basin_axis* axis, ss_error* err, const char* text)
{
    ss_fail(err, SS_BAD_INPUT, axis->path, "%s", text);
    if (err) snprintf(err->origin, sizeof err->origin, "%s", axis->option ? axis->option : axis->path);
    return SS_BAD_INPUT;
}

static ss_status check_axis(const ss_basin_axis* axis, int64_t random, ss_error* err)
{
    if (!axis->path || !axis->path[0])
        return ss_fail(err, SS_BAD_INPUT, "axes", "an axis needs a path such as block1.x");
    const char* fault = ss_basin_axis_fault(axis, random);
    return fault ? refuse(axis, err, fault) : SS_OK;
}

static ss_status copy_axes(ss_basin* basin, const ss_basin_def* def, ss_error* err)
{
    if (def->axis_count < 1 || !def->axes)
        return ss_fail(err, SS_BAD_INPUT, "axes", "at least one axis is needed");
    basin->axes = ss_new((size_t)def->axis_count, sizeof *basin->axes);
    basin->targets = ss_new((size_t)def->axis_count, sizeof *basin->targets);
    if (!basin->axes || !basin->targets) return ss_fail_no_memory(err);
    for (int a = 0; a < def->axis_count; a++) {
        ss_status status = check_axis(&def->axes[a], def->random, err);
        if (status != SS_OK) return status;
        basin->axis_count = a + 1;
        status = ss_basin_axis_copy(def, a, &basin->axes[a], err);
        if (status != SS_OK) return status;
    }
    return SS_OK;
}

// "block.x" and "start.block.x" are starts of bodies; a section of the file that is called like the body
// comes first, as in ss_document_set.
static int find_body(const ss_basin* basin, const char* path, bool* speed)
{
    const ss_node* root = ss_document_root(basin->document);
    bool written_out = strncmp(path, "start.", 6) == 0;
    const char *name = written_out ? path + 6 : path, *dot = strrchr(name, '.');
    if (!dot || dot == name) return -1;
    char body[256];
    if ((size_t)(dot - name) >= sizeof body) return -1;
    snprintf(body, sizeof body, "%.*s", (int)(dot - name), name);
    bool in_bodies = ss_node_find(ss_node_find(root, "bodies"), body) != NULL;
    bool section = !written_out && ss_node_find(root, body) != NULL;
    if (section && (!in_bodies || strcmp(body, "parameters") == 0)) return -1;
    return ss_model_find_coordinate(basin->model, body, dot + 1, speed);
}

static const char* const slider_numbers[2][3] = {{"x", "y", "angle"}, {"vx", "vy", "spin"}};

// "slider.vx" and "start.slider.vx" are starts of a slider.
static int find_slider_number(const char* path, bool* speed)
{
    if (strncmp(path, "start.", 6) == 0) path += 6;
    if (strncmp(path, "slider.", 7) != 0) return -1;
    for (int k = 0; k < 6; k++) {
        *speed = k >= 3;
        if (strcmp(path + 7, slider_numbers[*speed][k % 3]) == 0) return k % 3;
    }
    return -1;
}

const char* ss_basin_inner_name(const ss_basin* basin, int inner)
{
    int states = ss_model_state_count(basin->model);
    return inner < states ? ss_model_state_name(basin->model, inner)
                          : ss_model_memory_name(basin->model, inner - states);
}

const char* ss_basin_inner_unit(const ss_basin* basin, int inner, char* out, size_t size)
{
    int states = ss_model_state_count(basin->model);
    return ss_dimension_format(inner < states ? ss_model_state_dimension(basin->model, inner)
                                              : ss_model_memory_dimension(basin->model, inner - states),
                               out, size);
}

const char* ss_basin_axis_unit(const ss_basin* basin, int axis, char* out, size_t size)
{
    const ss_axis_target* target = &basin->targets[axis];
    if (target->inner >= 0) return ss_basin_inner_unit(basin, target->inner, out, size);
    if (target->body < 0) return ss_fit_number_unit(basin->document, basin->axes[axis].path, out, size);
    snprintf(out, size, "%s%s", ss_basin_place_unit(basin, target->body), target->speed ? "/s" : "");
    return out;
}

// "sum" and "states.sum.start" are starts of states; a section of the file comes first.
static int find_state(const ss_basin* basin, const char* path)
{
    if (ss_node_find(ss_document_root(basin->document), path)) return -1;
    for (int k = 0; k < ss_model_state_count(basin->model); k++) {
        char full[300];
        const char* name = ss_model_state_name(basin->model, k);
        snprintf(full, sizeof full, "states.%.200s.start", name);
        if (strcmp(path, name) == 0 || strcmp(path, full) == 0) return k;
    }
    return -1;
}

static ss_axis_target find_target(const ss_basin* basin, const char* path)
{
    ss_axis_target target = {.inner = -1};
    if (basin->slider) {
        target.body = find_slider_number(path, &target.speed);
        return target;
    }
    target.body = find_body(basin, path, &target.speed);
    if (target.body < 0) target.inner = find_state(basin, path);
    target.moves_others = target.body >= 0 && basin->model->joints != NULL;
    return target;
}

static bool same_number(const ss_basin* basin, int a, int b)
{
    const ss_axis_target *p = &basin->targets[a], *q = &basin->targets[b];
    if (p->body >= 0 || q->body >= 0) return p->body == q->body && p->speed == q->speed;
    if (p->inner >= 0 || q->inner >= 0) return p->inner == q->inner;
    return strcmp(basin->axes[a].path, basin->axes[b].path) == 0;
}

static ss_status find_targets(ss_basin* basin, ss_error* err)
{
    for (int a = 0; a < basin->axis_count; a++) {
        basin->targets[a] = find_target(basin, basin->axes[a].path);
        if (!ss_basin_is_start(&basin->targets[a])) basin->parameter_count++;
        for (int b = 0; b < a; b++)
            if (same_number(basin, a, b)) return refuse(&basin->axes[a], err, "this number varies already");
    }
    return SS_OK;
}

// ---- models ----

static ss_status set_axis(ss_document* document, const ss_basin_axis* axis, double value, ss_error* err)
{
    char text[SS_NUMBER_SIZE];
    ss_number_format(value, 17, text, sizeof text);
    return ss_document_set(document, axis->path, text, axis->option, err);
}

// The document with the axes at the given values, starts among them or not.
static ss_status set_axes(const ss_basin* basin, const double values[], bool starts, ss_document** out,
                          ss_error* err)
{
    ss_status status = ss_document_clone(basin->document, out, err);
    for (int a = 0; a < basin->axis_count && status == SS_OK; a++)
        if (starts || !ss_basin_is_start(&basin->targets[a]))
            status = set_axis(*out, &basin->axes[a], values[a], err);
    return status;
}

static ss_status build(const ss_basin* basin, const double values[], bool starts, ss_model** out,
                       ss_error* err)
{
    ss_document* document = NULL;
    ss_status status = set_axes(basin, values, starts, &document, err);
    if (status == SS_OK) status = ss_model_create_from_document(document, out, err);
    ss_document_destroy(document);
    return status;
}

static ss_status build_slider(const ss_basin* basin, const double values[], bool starts, ss_slider** out,
                              ss_error* err)
{
    ss_document* document = NULL;
    ss_status status = set_axes(basin, values, starts, &document, err);
    if (status == SS_OK) status = ss_slider_create_from_document(document, out, err);
    ss_document_destroy(document);
    return status;
}

ss_status ss_basin_build(const ss_basin* basin, const double values[], ss_model** out, ss_error* err)
{
    return build(basin, values, false, out, err);
}

ss_status ss_basin_build_whole(const ss_basin* basin, const double values[], ss_model** out, ss_error* err)
{
    return build(basin, values, true, out, err);
}

ss_status ss_basin_build_slider(const ss_basin* basin, const double values[], ss_slider** out, ss_error* err)
{
    return build_slider(basin, values, false, out, err);
}

void ss_basin_slider_start(const ss_basin* basin, const ss_slider* slider, const double values[],
                           double place[3], double speed[3])
{
    ss_slider_start(slider, place, speed);
    for (int a = 0; a < basin->axis_count; a++) {
        const ss_axis_target* target = &basin->targets[a];
        if (target->body >= 0) (target->speed ? speed : place)[target->body] = values[a];
    }
}

// The option that an error of some cell is due to, as far as that is known.
static void name_option(const ss_basin* basin, ss_error* err)
{
    char text[sizeof err->text];
    if (err->field[0]) {
        snprintf(text, sizeof text, "%.100s: %.260s", err->field, err->text);
        memcpy(err->text, text, sizeof text);
    }
    snprintf(err->origin, sizeof err->origin, "%s",
             basin->axis_count == 1 ? basin->axes[0].option : "--over");
    err->field[0] = '\0';
    err->line = err->column = 0;
}

ss_status ss_basin_name_fault(const ss_basin* basin, const double values[], ss_status status, ss_error* err)
{
    if (!err || status != SS_BAD_INPUT || strncmp(err->origin, "--", 2) == 0) return status;
    name_option(basin, err);
    char text[sizeof err->text];
    int used = snprintf(text, sizeof text, "%.250s (at", err->text);
    for (int a = 0; a < basin->axis_count && used < (int)sizeof text - 1; a++)
        used += ss_format(text + used, sizeof text - (size_t)used, "%s %.40s = %g", a ? "," : "",
                          basin->axes[a].path, values[a]);
    if (used < (int)sizeof text - 1) snprintf(text + used, sizeof text - (size_t)used, ")");
    memcpy(err->text, text, sizeof text);
    return status;
}

static ss_status check_slider(const ss_basin* basin, const double values[], ss_error* err)
{
    ss_slider* slider = NULL;
    ss_slide* slide = NULL;
    ss_status status = build_slider(basin, values, true, &slider, err);
    if (status == SS_OK) status = ss_slide_create(slider, NULL, &slide, err);
    ss_slide_destroy(slide);
    ss_slider_destroy(slider);
    return ss_basin_name_fault(basin, values, status, err);
}

// The model and its run must make sense with these values.
static ss_status check_values(const ss_basin* basin, const double values[], ss_error* err)
{
    if (basin->slider) return check_slider(basin, values, err);
    ss_model* model = NULL;
    ss_status status = build(basin, values, true, &model, err);
    if (status != SS_OK) return ss_basin_name_fault(basin, values, status, err);
    ss_sim_def def = ss_sim_def_default();
    def.ledger = false;
    ss_sim* sim = NULL;
    status = ss_sim_create(model, &def, &sim, err);
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    return ss_basin_name_fault(basin, values, status, err);
}

// All axes at one end, at the other, and each alone at the other: mistakes of units and of range show there.
static ss_status check_corners(const ss_basin* basin, ss_error* err)
{
    double* values = ss_new((size_t)basin->axis_count, sizeof *values);
    if (!values) return ss_fail_no_memory(err);
    for (int a = 0; a < basin->axis_count; a++) values[a] = basin->axes[a].from;
    ss_status status = check_values(basin, values, err);
    for (int a = 0; a < basin->axis_count && status == SS_OK; a++) {
        values[a] = basin->axes[a].to;
        status = check_values(basin, values, err);
        values[a] = basin->axes[a].from;
    }
    for (int a = 0; a < basin->axis_count; a++) values[a] = basin->axes[a].to;
    if (status == SS_OK && basin->axis_count > 1) status = check_values(basin, values, err);
    free(values);
    return status;
}

static ss_status make_model(ss_basin* basin, ss_error* err)
{
    double* values = ss_new((size_t)basin->axis_count, sizeof *values);
    if (!values) return ss_fail_no_memory(err);
    for (int a = 0; a < basin->axis_count; a++) values[a] = basin->axes[a].from;
    for (int a = 0; a < basin->axis_count; a++) // nothing is known of starts yet
        basin->targets[a] = (ss_axis_target){.body = -1, .inner = -1};
    bool slides = ss_document_is_slider(basin->document);
    ss_status status = slides ? build_slider(basin, values, true, &basin->slider, err)
                              : build(basin, values, true, &basin->model, err);
    status = ss_basin_name_fault(basin, values, status, err);
    free(values);
    if (slides) basin->bodies = 3;
    if (status != SS_OK || slides) return status;
    basin->bodies = ss_model_body_count(basin->model);
    basin->inner = ss_model_state_count(basin->model) + ss_model_memory_count(basin->model);
    return status;
}

// ---- sizes ----

static size_t cell_size(const ss_basin* basin) { return basin->task.numbers * sizeof(double) + 1; }

static ss_status count_cells(ss_basin* basin, ss_error* err)
{
    double cells = basin->random > 0 ? (double)basin->random : 1;
    basin->cells = basin->random > 0 ? basin->random : 1;
    for (int a = 0; a < basin->axis_count && basin->random == 0; a++) {
        cells *= (double)basin->axes[a].count;
        if (cells <= most_cells) basin->cells *= basin->axes[a].count;
    }
    if (cells > most_cells)
        return ss_fail(err, SS_BAD_INPUT, "axes", "%g cells are too many (at most %g)", cells, most_cells);
    return SS_OK;
}

// Blocks are large enough that handing them out costs nothing, and small enough to share out and to lose:
// at least 64 of them where there are cells enough.
static void cut_blocks(ss_basin* basin)
{
    bool fast =
        basin->model && ss_model_is_linear(basin->model) && basin->task.outcomes; // they run in lock-step
    int64_t least = fast ? 64 : 1, most = fast ? 4096 : 64, size = basin->cells / 64;
    size = size < least ? least : size > most ? most : size;
    int64_t fitting = MOST_BYTES / (int64_t)cell_size(basin); // long chains, many points
    if (size > fitting) size = fitting > 0 ? fitting : 1;
    if (basin->task.together > 0) size = basin->task.together;
    basin->block_cells = size;
    basin->blocks = (basin->cells + size - 1) / size;
}

// 1e6 times the largest number among all starts, be it a position or a speed.
static double default_escape(const ss_basin* basin)
{
    double largest = 0, place[3], speed[3];
    if (basin->slider) ss_slider_start(basin->slider, place, speed);
    for (int k = 0; basin->slider && k < 3; k++)
        largest = fmax(largest, fmax(fabs(place[k]), fabs(speed[k])));
    for (int b = 0; basin->model && b < basin->bodies; b++) {
        double x = ss_model_start_x(basin->model, b), v = ss_model_start_v(basin->model, b);
        largest = fmax(largest, fmax(fabs(x), fabs(v)));
    }
    for (int a = 0; a < basin->axis_count; a++)
        if (basin->targets[a].body >= 0)
            largest = fmax(largest, fmax(fabs(basin->axes[a].from), fabs(basin->axes[a].to)));
    return 1e6 * (largest > 0 ? largest : 1);
}

static ss_status check_numbers(const ss_basin_def* def, ss_error* err)
{
    if (!def->document) return ss_fail(err, SS_BAD_INPUT, "document", "is missing");
    if (!(isnan(def->until) || (def->until > 0 && isfinite(def->until))))
        return ss_fail(err, SS_BAD_INPUT, "until", "must be greater than 0 and finite");
    if (!(isnan(def->escape) || def->escape > 0))
        return ss_fail(err, SS_BAD_INPUT, "escape", "must be greater than 0");
    if (!(def->tolerance > 0 && def->tolerance <= SS_MAX_TOLERANCE))
        return ss_fail(err, SS_BAD_INPUT, "tolerance", "must be in (0, %g]", SS_MAX_TOLERANCE);
    if (def->max_events < 1) return ss_fail(err, SS_BAD_INPUT, "max_events", "must be at least 1");
    if (def->random < 0) return ss_fail(err, SS_BAD_INPUT, "random", "must be at least 0");
    return SS_OK;
}

static ss_status plan(ss_basin* basin, const ss_basin_def* def, ss_error* err)
{
    ss_status status = copy_axes(basin, def, err);
    if (status == SS_OK) status = make_model(basin, err);
    if (status == SS_OK) status = find_targets(basin, err);
    if (status == SS_OK) status = check_corners(basin, err);
    if (status == SS_OK) status = count_cells(basin, err);
    if (status == SS_OK) basin->escape = isnan(def->escape) ? default_escape(basin) : def->escape;
    return status;
}

ss_status ss_basin_lay_out(ss_basin* basin, const ss_sweep_task* task, ss_error* err)
{
    basin->task = *task;
    cut_blocks(basin);
    if ((double)basin->block_cells * (double)cell_size(basin) > most_block_bytes)
        return ss_fail(err, SS_BAD_INPUT, "keep",
                       "too many: the points of one run of values take more than 1 GiB");
    basin->question = ss_basin_write_question(basin);
    return basin->question ? SS_OK : ss_fail_no_memory(err);
}

ss_status ss_basin_create_plan(const ss_basin_def* given, ss_basin** out, ss_error* err)
{
    ss_basin_def own = ss_basin_def_default();
    const ss_basin_def* def = &own;
    *out = NULL;
    ss_status status = ss_take_def(&own, sizeof own, given, "ss_basin_def_default", err);
    if (status == SS_OK) status = check_numbers(def, err);
    if (status != SS_OK) return status;
    ss_basin* basin = ss_new(1, sizeof *basin);
    if (!basin) return ss_fail_no_memory(err);
    basin->document = def->document;
    basin->random = def->random;
    basin->seed = def->seed;
    basin->until = def->until;
    basin->tolerance = def->tolerance;
    basin->max_events = def->max_events;
    status = plan(basin, def, err);
    if (status != SS_OK) {
        ss_basin_destroy(basin);
        return status;
    }
    *out = basin;
    return SS_OK;
}

// ---- asking ----

const char* ss_basin_title(const ss_basin* basin)
{
    return basin->slider ? ss_slider_title(basin->slider) : ss_model_title(basin->model);
}

int ss_basin_place_count(const ss_basin* basin) { return basin->bodies; }

const char* ss_basin_place_name(const ss_basin* basin, int place, char* out, size_t size)
{
    if (basin->slider)
        snprintf(out, size, "slider.%s", slider_numbers[0][place]);
    else
        ss_model_coordinate_name(basin->model, place, false, out, size);
    return out;
}

const char* ss_basin_place_unit(const ss_basin* basin, int place)
{
    bool angular = basin->slider ? place == 2 : ss_model_body_is_angular(basin->model, place);
    return angular ? "rad" : "m";
}

bool ss_basin_place_is_free(const ss_basin* basin, int place)
{
    return basin->slider || !ss_model_body_is_driven(basin->model, place);
}

const ss_model* ss_basin_model(const ss_basin* basin) { return basin->model; }
bool ss_basin_is_random(const ss_basin* basin) { return basin->random > 0; }
int64_t ss_basin_cell_count(const ss_basin* basin) { return basin->cells; }
int ss_basin_axis_count(const ss_basin* basin) { return basin->axis_count; }
const ss_basin_axis* ss_basin_get_axis(const ss_basin* basin, int axis) { return &basin->axes[axis]; }
double ss_basin_escape(const ss_basin* basin) { return basin->escape; }

int ss_basin_axis_body(const ss_basin* basin, int axis, bool* speed)
{
    *speed = basin->targets[axis].speed;
    return basin->targets[axis].body;
}

void ss_basin_coordinates(const ss_basin* basin, int64_t cell, double out[])
{
    for (int a = 0; a < basin->axis_count; a++) {
        const ss_basin_axis* axis = &basin->axes[a];
        if (basin->random > 0) {
            out[a] = ss_basin_axis_value(basin, a, cell);
        } else {
            out[a] = ss_basin_grid_value(axis, cell % axis->count);
            cell /= axis->count;
        }
    }
}

int64_t ss_basin_block_total(const ss_basin* basin) { return basin->blocks; }

size_t ss_basin_payload_size(const ss_basin* basin, int64_t block)
{
    return (size_t)ss_basin_block_count(basin, block) * cell_size(basin);
}

ss_basin_block ss_basin_view(const ss_basin* basin, int64_t block, const void* payload)
{
    int64_t count = ss_basin_block_count(basin, block);
    const double* t = payload;
    ss_basin_block view = {.first = ss_basin_block_first(basin, block), .count = count, .t = t};
    view.fate = (const unsigned char*)(t + (size_t)count * basin->task.numbers);
    if (!basin->task.outcomes) return view; // all that sweeps have in common are the fates
    view.x = t + count;
    view.inner = view.x + count * basin->bodies;
    return view;
}

void ss_basin_count(const ss_basin_block* block, ss_basin_counts* counts)
{
    for (int64_t k = 0; k < block->count; k++) {
        ss_fate fate = ss_cell_fate(block, k);
        counts->rest += fate == SS_FATE_REST;
        counts->escaped += fate == SS_FATE_ESCAPED;
        counts->moving += fate == SS_FATE_MOVING;
        counts->limited += (block->fate[k] & SS_CELL_LIMITED) != 0;
        counts->alone += (block->fate[k] & SS_CELL_ALONE) != 0;
    }
}
