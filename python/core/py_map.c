// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Maps of outcomes: Python allocates, the library fills.
#include "core.h"

#include "share/blocks.h"

#include <slipstick/map.h>

#include <math.h>

typedef struct filling {
    core_watch* watch;
    unsigned char* fate;
    double *t, *x;
    int bodies;
    int64_t cells;
} filling;

// Blocks arrive from worker threads, one at a time: no Python here.
static bool fill(void* user, const ss_basin_block* block)
{
    filling* out = user;
    size_t count = (size_t)block->count, bodies = (size_t)out->bodies;
    memcpy(out->fate + block->first, block->fate, count);
    memcpy(out->t + block->first, block->t, count * sizeof(double));
    memcpy(out->x + block->first * out->bodies, block->x, count * bodies * sizeof(double));
    return true;
}

static bool watch_map(void* user, int64_t done)
{
    filling* out = user;
    return core_watch_ask(out->watch, out->cells > 0 ? (double)done / (double)out->cells : 1.0);
}

void core_axes_free(ss_basin_axis* axes, int count)
{
    for (int k = 0; axes && k < count; k++) PyMem_Free((double*)axes[k].values);
    PyMem_Free(axes);
}

// (path, kind, from, to, count, values or None); of a distribution from and to are its two numbers.
static bool read_axis(PyObject* item, ss_basin_axis* out)
{
    PyObject* values;
    int kind;
    long long cells;
    core_array array = {0};
    if (!PyArg_ParseTuple(item, "siddLO", &out->path, &kind, &out->from, &out->to, &cells, &values))
        return false;
    out->kind = (ss_axis_kind)kind;
    out->count = cells;
    out->mean = out->from;
    out->deviation = out->to;
    if (values == Py_None) return true;
    if (!core_array_get(values, false, "values", &array)) return false;
    size_t size = (size_t)array.count * sizeof(double);
    double* copy = PyMem_Malloc(size + 1);
    if (copy) memcpy(copy, array.numbers, size);
    out->values = copy;
    out->count = array.count;
    core_array_release(&array);
    return copy || PyErr_NoMemory();
}

ss_basin_axis* core_axes_read(PyObject* axes, int* count)
{
    Py_ssize_t length = PySequence_Size(axes);
    if (length < 0) return NULL;
    ss_basin_axis* out = PyMem_Calloc((size_t)length + 1, sizeof *out);
    if (!out) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t k = 0; k < length; k++) {
        PyObject* item = PySequence_GetItem(axes, k);
        bool good = item && read_axis(item, &out[k]);
        Py_XDECREF(item); // the tuple stays alive in the caller's list
        if (!good) {
            core_axes_free(out, (int)k + 1);
            return NULL;
        }
    }
    *count = (int)length;
    return out;
}

typedef struct map_arrays {
    Py_buffer fate;
    core_array t, x;
    bool has_fate;
} map_arrays;

static bool get_arrays(PyObject* fate, PyObject* t, PyObject* x, int64_t cells, int bodies, map_arrays* out)
{
    if (PyObject_GetBuffer(fate, &out->fate, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0) return false;
    out->has_fate = true;
    if (!core_array_get(t, true, "t", &out->t) || !core_array_get(x, true, "x", &out->x)) return false;
    if (out->fate.len == cells && out->t.count == cells && out->x.count == cells * bodies) return true;
    PyErr_SetString(PyExc_ValueError, "the arrays have one element per cell");
    return false;
}

static void release_arrays(map_arrays* arrays)
{
    if (arrays->has_fate) PyBuffer_Release(&arrays->fate);
    core_array_release(&arrays->t);
    core_array_release(&arrays->x);
}

// Runs a map that is kept, so that attractors and quantiles can be found; the answer of `basin`, or NULL.
static PyObject* run_map(const core_state* state, const ss_basin* basin, ss_basin_run_def* run, filling* into,
                         PyObject* progress)
{
    ss_map_def def = {.basin = basin, .keep = ss_basin_may_split(basin) || ss_basin_is_random(basin)};
    ss_map* map = NULL;
    ss_answer* answer = NULL;
    ss_error error;
    core_watch watch;
    if (ss_map_create(&def, &map, &error) != SS_OK) return core_raise(state, &error, true);
    into->watch = &watch;
    run->sink = fill;
    run->watch = watch_map;
    run->user = into;
    core_watch_begin(&watch, progress);
    ss_status status = ss_map_run(map, run, NULL, &error);
    const ss_error* fault = ss_map_journal_fault(map);
    if (status == SS_OK && fault) {
        error = *fault;
        status = fault->status;
    }
    bool whole = status == SS_OK && ss_map_is_complete(map);
    if (whole) status = ss_map_find_attractors(map, &error);
    if (whole && status == SS_OK) status = ss_map_find_quantiles(map, &error);
    PyObject* out = NULL;
    if (core_watch_end(&watch)) {
        if (status == SS_OK) status = ss_answer_basin(ss_map_get_summary(map), &answer, &error);
        out = status == SS_OK ? core_answer_take(answer) : core_raise(state, &error, false);
    }
    ss_map_destroy(map);
    return out;
}

// The numbers of every cell, one array per axis, where they are drawn.
static bool put_draws(const ss_basin* basin, PyObject* draws)
{
    core_array array = {0};
    if (draws == Py_None) return true;
    if (!core_array_get(draws, true, "draws", &array)) return false;
    int64_t cells = ss_basin_cell_count(basin), width = ss_basin_axis_count(basin);
    bool good = array.count == cells * width;
    for (int64_t k = 0; k < cells && good; k++) ss_basin_coordinates(basin, k, array.numbers + k * width);
    core_array_release(&array);
    if (!good) PyErr_SetString(PyExc_ValueError, "the draws have one row per cell");
    return good;
}

// basin(model, axes, random, seed, until, escape, tolerance, max_events, threads, fate, t, x, draws,
// progress)
static PyObject* basin(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *axes, *fate, *t, *x, *draws, *progress;
    ss_basin_def def = ss_basin_def_default();
    long long random, max_events;
    unsigned long long seed;
    ss_basin_run_def run = {0};
    if (!PyArg_ParseTuple(arguments, "OOLKdddLiOOOOO", &object, &axes, &random, &seed, &def.until,
                          &def.escape, &def.tolerance, &max_events, &run.threads, &fate, &t, &x, &draws,
                          &progress))
        return NULL;
    const core_model* own = core_model_get(state, object);
    ss_basin_axis* axis = own ? core_axes_read(axes, &def.axis_count) : NULL;
    if (!axis) return NULL;
    def.document = own->document;
    def.axes = axis;
    def.random = random;
    def.seed = seed;
    def.max_events = max_events;
    ss_basin* map = NULL;
    ss_error error;
    ss_status status = ss_basin_create(&def, &map, &error);
    core_axes_free(axis, def.axis_count);
    if (status != SS_OK) return core_raise(state, &error, false);
    map_arrays arrays = {0};
    PyObject* out = NULL;
    int bodies = ss_basin_place_count(map);
    if (get_arrays(fate, t, x, ss_basin_cell_count(map), bodies, &arrays) && put_draws(map, draws)) {
        filling into = {NULL,   arrays.fate.buf,         arrays.t.numbers, arrays.x.numbers,
                        bodies, ss_basin_cell_count(map)};
        out = run_map(state, map, &run, &into, progress);
    }
    release_arrays(&arrays);
    ss_basin_destroy(map);
    return out;
}

PyMethodDef core_map_functions[] = {{"basin", basin, METH_VARARGS, "What becomes of every start."},
                                    {NULL, NULL, 0, NULL}};
