// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Maps of outcomes: Python allocates, the library fills.
#include "core.h"

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
        long long cells;
        bool good = item && PyArg_ParseTuple(item, "sddL", &out[k].path, &out[k].from, &out[k].to, &cells);
        Py_XDECREF(item); // the tuple stays alive in the caller's list
        if (!good) {
            PyMem_Free(out);
            return NULL;
        }
        out[k].count = cells;
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

// basin(model, axes, random, seed, until, escape, tolerance, max_events, threads, fate, t, x, progress)
static PyObject* basin(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *axes, *fate, *t, *x, *progress;
    ss_basin_def def = ss_basin_def_default();
    long long random, max_events;
    unsigned long long seed;
    ss_basin_run_def run = {0};
    if (!PyArg_ParseTuple(arguments, "OOLKdddLiOOOO", &object, &axes, &random, &seed, &def.until, &def.escape,
                          &def.tolerance, &max_events, &run.threads, &fate, &t, &x, &progress))
        return NULL;
    const core_model* own = core_bodies_get(state, object);
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
    PyMem_Free(axis);
    if (status != SS_OK) return core_raise(state, &error, false);
    map_arrays arrays = {0};
    PyObject* out = NULL;
    int bodies = ss_model_body_count(ss_basin_model(map));
    if (get_arrays(fate, t, x, ss_basin_cell_count(map), bodies, &arrays)) {
        core_watch watch;
        filling into = {&watch,           arrays.fate.buf, arrays.t.numbers,
                        arrays.x.numbers, bodies,          ss_basin_cell_count(map)};
        ss_basin_counts counts = {0};
        run.sink = fill;
        run.watch = watch_map;
        run.user = &into;
        core_watch_begin(&watch, progress);
        status = ss_basin_run(map, &run, &counts, &error);
        if (core_watch_end(&watch))
            out = status != SS_OK ? core_raise(state, &error, false)
                                  : Py_BuildValue("(LLLL)", (long long)counts.rest, (long long)counts.escaped,
                                                  (long long)counts.moving, (long long)counts.limited);
    }
    release_arrays(&arrays);
    ss_basin_destroy(map);
    return out;
}

PyMethodDef core_map_functions[] = {{"basin", basin, METH_VARARGS, "What becomes of every start."},
                                    {NULL, NULL, 0, NULL}};
