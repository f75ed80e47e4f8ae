// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Fits: recordings from files or arrays, free and known numbers, and the answer as a dictionary.
#include "core.h"

#include <math.h>

enum { MOST = 64 }; // recordings, columns, free or known numbers of one fit

typedef struct request {
    ss_fit_def def;
    const char* columns[MOST];
    ss_fit_trace traces[MOST];
    ss_fit_free free[MOST];
    ss_fit_known known[MOST];
    ss_recording* recordings[MOST];
} request;

// Reads a sequence by a function for each item; returns the number, or -1 where an exception is set.
static int read_items(PyObject* items, const char* what, bool (*read)(request*, int, PyObject*),
                      request* into)
{
    Py_ssize_t count = PySequence_Size(items);
    if (count < 0) return -1;
    if (count > MOST) {
        PyErr_Format(PyExc_ValueError, "at most %d %s", MOST, what);
        return -1;
    }
    for (int k = 0; k < count; k++) {
        PyObject* item = PySequence_GetItem(items, k);
        bool good = item && read(into, k, item);
        Py_XDECREF(item); // lives on in the caller's list
        if (!good) return -1;
    }
    return (int)count;
}

// (shows, column, sigma)
static bool read_trace(request* into, int k, PyObject* item)
{
    return PyArg_ParseTuple(item, "ssd", &into->traces[k].shows, &into->columns[k], &into->traces[k].sigma);
}

// (path, least, most, recording, guess)
static bool read_free(request* into, int k, PyObject* item)
{
    ss_fit_free* one = &into->free[k];
    *one = ss_fit_free_default();
    return PyArg_ParseTuple(item, "sddid", &one->path, &one->least, &one->most, &one->recording, &one->guess);
}

// (path, value, recording)
static bool read_known(request* into, int k, PyObject* item)
{
    ss_fit_known* one = &into->known[k];
    return PyArg_ParseTuple(item, "ssi", &one->path, &one->value, &one->recording);
}

// A path with the name of its time column, or (name, t, values).
static ss_status read_recording(request* into, int k, PyObject* item, ss_error* error)
{
    const char *name, *time_column;
    PyObject *t, *values;
    core_array moments = {0}, numbers = {0};
    ss_status status = SS_BAD_INPUT;
    if (PyTuple_Size(item) == 2) {
        if (PyArg_ParseTuple(item, "sz", &name, &time_column))
            status = ss_recording_read_csv(name, time_column, into->columns, into->def.trace_count,
                                           &into->recordings[k], error);
        return status;
    }
    if (PyArg_ParseTuple(item, "sOO", &name, &t, &values) && core_array_get(t, false, "t", &moments) &&
        core_array_get(values, false, "values", &numbers)) {
        if (numbers.count != moments.count * into->def.trace_count)
            PyErr_SetString(PyExc_ValueError, "a recording has a number per moment and column");
        else
            status = ss_recording_create(name, moments.numbers, numbers.numbers, (long)moments.count,
                                         into->def.trace_count, &into->recordings[k], error);
    }
    core_array_release(&moments);
    core_array_release(&numbers);
    return status;
}

static bool read_recordings(const core_state* state, PyObject* items, request* into)
{
    Py_ssize_t count = PySequence_Size(items);
    if (count > MOST) PyErr_Format(PyExc_ValueError, "at most %d recordings", MOST);
    if (count < 0 || count > MOST) return false;
    for (int k = 0; k < count; k++) {
        ss_error error = {0};
        PyObject* item = PySequence_GetItem(items, k);
        ss_status status = item ? read_recording(into, k, item, &error) : SS_BAD_INPUT;
        Py_XDECREF(item);
        if (status != SS_OK) {
            core_raise(state, &error, false);
            return false;
        }
    }
    into->def.recording_count = (int)count;
    return true;
}

static PyObject* run_fit(const core_state* state, request* asked, PyObject* progress, const char* model_text,
                         const char* out_path)
{
    core_watch watch;
    asked->def.progress = core_goes_on;
    asked->def.user = &watch;
    ss_fit* fit = NULL;
    ss_answer* answer = NULL;
    ss_error error;
    core_watch_begin(&watch, progress);
    ss_status status = ss_fit_run(&asked->def, &fit, &error);
    if (status == SS_OK && out_path) status = ss_fit_write_model(fit, model_text, out_path, &error);
    if (status == SS_OK) status = ss_answer_fit(fit, &answer, &error);
    ss_fit_destroy(fit);
    if (!core_watch_end(&watch)) {
        ss_answer_destroy(answer);
        return NULL;
    }
    return status == SS_OK ? core_answer_take(answer) : core_raise(state, &error, false);
}

// fit(model, recordings, traces, free, known, options, progress, model_text or None, out_path or None);
// options: (delay, quiet, from, to, starts, seed, tolerance, max_events, loss)
static PyObject* fit(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *recordings, *traces, *free_numbers, *known, *progress, *out = NULL;
    const char *model_text, *out_path;
    unsigned long long seed;
    int loss;
    request asked = {.def = ss_fit_def_default()};
    ss_fit_def* def = &asked.def;
    if (!PyArg_ParseTuple(arguments, "OOOOO(ddddiKdli)Ozz", &object, &recordings, &traces, &free_numbers,
                          &known, &def->delay, &def->quiet, &def->from, &def->to, &def->starts, &seed,
                          &def->tolerance, &def->max_events, &loss, &progress, &model_text, &out_path))
        return NULL;
    const core_model* own = core_bodies_get(state, object);
    if (!own) return NULL;
    def->document = own->document;
    def->seed = seed;
    def->loss = (ss_fit_loss_kind)loss;
    def->traces = asked.traces;
    def->free = asked.free;
    def->known = asked.known;
    def->recordings = (const ss_recording* const*)asked.recordings;
    def->trace_count = read_items(traces, "columns", read_trace, &asked);
    def->free_count = def->trace_count < 0 ? -1 : read_items(free_numbers, "free numbers", read_free, &asked);
    def->known_count = def->free_count < 0 ? -1 : read_items(known, "known numbers", read_known, &asked);
    if (def->known_count >= 0 && read_recordings(state, recordings, &asked))
        out = run_fit(state, &asked, progress, model_text, out_path);
    for (int k = 0; k < MOST; k++) ss_recording_destroy(asked.recordings[k]);
    return out;
}

PyMethodDef core_fit_functions[] = {{"fit", fit, METH_VARARGS, "Fits free numbers to recordings."},
                                    {NULL, NULL, 0, NULL}};
