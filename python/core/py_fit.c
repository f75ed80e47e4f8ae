// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Fits: recordings from files or arrays, free and known numbers, and the answers as dictionaries. Several
// models are fitted to the same recordings and compared.
#include "core.h"

#include <math.h>

enum { MOST = 64 }; // recordings, columns, free or known numbers of one fit

// What all models share.
typedef struct request {
    ss_fit_def def;
    const char* columns[MOST];
    ss_fit_trace traces[MOST];
    const char* inputs[MOST];
    ss_fit_free free[MOST]; ///< of the model at hand
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

// Columns of inputs.NAME, which come last, drive that input.
static void part_inputs(request* into)
{
    static const char path[] = "inputs.";
    ss_fit_def* def = &into->def;
    while (def->trace_count > 0 &&
           strncmp(into->traces[def->trace_count - 1].shows, path, strlen(path)) == 0) {
        def->trace_count--;
        def->input_count++;
    }
    for (int k = 0; k < def->input_count; k++)
        into->inputs[k] = into->traces[def->trace_count + k].shows + strlen(path);
    def->inputs = into->inputs;
}

// A path with the name of its time column, or (name, t, values).
static ss_status read_recording(request* into, int k, PyObject* item, ss_error* error)
{
    const char *name, *time_column;
    int columns = into->def.trace_count + into->def.input_count;
    PyObject *t, *values;
    core_array moments = {0}, numbers = {0};
    ss_status status = SS_BAD_INPUT;
    if (PyTuple_Size(item) == 2) {
        if (PyArg_ParseTuple(item, "sz", &name, &time_column))
            status =
                ss_recording_read_csv(name, time_column, into->columns, columns, &into->recordings[k], error);
        return status;
    }
    if (PyArg_ParseTuple(item, "sOO", &name, &t, &values) && core_array_get(t, false, "t", &moments) &&
        core_array_get(values, false, "values", &numbers)) {
        if (numbers.count != moments.count * columns)
            PyErr_SetString(PyExc_ValueError, "a recording has a number per moment and column");
        else
            status = ss_recording_create(name, moments.numbers, numbers.numbers, (long)moments.count, columns,
                                         &into->recordings[k], error);
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

// One model, from its free numbers to its fit; false where an exception is set.
static bool run_fit(const core_state* state, request* asked, PyObject* model, PyObject* numbers, bool many,
                    PyObject* progress, ss_fit** out)
{
    core_watch watch;
    ss_error error;
    const core_model* own = core_bodies_get(state, model);
    if (!own) return false;
    asked->def.document = own->document;
    asked->def.free_count = read_items(numbers, "free numbers", read_free, asked);
    asked->def.as_it_is = many; // beside others, a model may have none of them
    if (asked->def.free_count < 0) return false;
    asked->def.progress = core_goes_on;
    asked->def.user = &watch;
    core_watch_begin(&watch, progress);
    ss_status status = ss_fit_run(&asked->def, out, &error);
    if (!core_watch_end(&watch)) return false;
    if (status != SS_OK) core_raise(state, &error, false);
    return status == SS_OK;
}

// (answer, whether its residuals were written). Without a motion there are none.
static PyObject* report_fit(const core_state* state, const ss_fit* fit, const char* residuals)
{
    ss_answer* answer = NULL;
    ss_error error;
    bool written = residuals && ss_fit_write_residuals(fit, residuals, &error) == SS_OK;
    if (ss_answer_fit(fit, &answer, &error) != SS_OK) return core_raise(state, &error, false);
    PyObject* tree = core_answer_take(answer);
    return tree ? Py_BuildValue("(NN)", tree, PyBool_FromLong(written)) : NULL;
}

// The answers of all, in their order; residuals: a path for each.
static PyObject* report_fits(const core_state* state, ss_fit* const fits[], int count, PyObject* residuals)
{
    ss_error error;
    if (count > 1 && ss_fit_compare(fits, count, &error) != SS_OK) return core_raise(state, &error, false);
    PyObject* out = PyList_New(count);
    for (int k = 0; out && k < count; k++) {
        PyObject *path = PySequence_GetItem(residuals, k), *bytes = NULL, *item = NULL;
        if (path && PyUnicode_FSConverter(path, &bytes))
            item = report_fit(state, fits[k], PyBytes_AsString(bytes));
        Py_XDECREF(path);
        Py_XDECREF(bytes);
        if (!item || PyList_SetItem(out, k, item) < 0) Py_CLEAR(out);
    }
    return out;
}

static PyObject* fit_all(const core_state* state, request* asked, PyObject* models, PyObject* numbers,
                         PyObject* progress, PyObject* residuals)
{
    ss_fit* fits[MOST] = {0};
    Py_ssize_t count = PySequence_Size(models);
    if (count > MOST) PyErr_Format(PyExc_ValueError, "at most %d models", MOST);
    bool good = count >= 0 && count <= MOST;
    for (int k = 0; k < count && good; k++) {
        PyObject *model = PySequence_GetItem(models, k), *list = PySequence_GetItem(numbers, k);
        good = model && list && run_fit(state, asked, model, list, count > 1, progress, &fits[k]);
        Py_XDECREF(model); // lives on in the caller's list, as its numbers do
        Py_XDECREF(list);
    }
    PyObject* out = good ? report_fits(state, fits, (int)count, residuals) : NULL;
    for (int k = 0; k < MOST; k++) ss_fit_destroy(fits[k]);
    return out;
}

// fit(models, recordings, traces, free numbers of each model, known, options, progress, paths of residuals);
// options: (delay, quiet, from, to, starts, seed, tolerance, max_events, loss)
static PyObject* fit(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *models, *recordings, *traces, *free_numbers, *known, *progress, *residuals, *out = NULL;
    unsigned long long seed;
    int loss;
    request asked = {.def = ss_fit_def_default()};
    ss_fit_def* def = &asked.def;
    if (!PyArg_ParseTuple(arguments, "OOOOO(ddddiKdli)OO", &models, &recordings, &traces, &free_numbers,
                          &known, &def->delay, &def->quiet, &def->from, &def->to, &def->starts, &seed,
                          &def->tolerance, &def->max_events, &loss, &progress, &residuals))
        return NULL;
    def->seed = seed;
    def->loss = (ss_fit_loss_kind)loss;
    def->traces = asked.traces;
    def->free = asked.free;
    def->known = asked.known;
    def->recordings = (const ss_recording* const*)asked.recordings;
    def->trace_count = read_items(traces, "columns", read_trace, &asked);
    if (def->trace_count > 0) part_inputs(&asked);
    def->known_count = def->trace_count < 0 ? -1 : read_items(known, "known numbers", read_known, &asked);
    if (def->known_count >= 0 && read_recordings(state, recordings, &asked))
        out = fit_all(state, &asked, models, free_numbers, progress, residuals);
    for (int k = 0; k < MOST; k++) ss_recording_destroy(asked.recordings[k]);
    return out;
}

// has_number(model, path): whether a fit may free it.
static PyObject* has_number(PyObject* module, PyObject* arguments)
{
    PyObject* object;
    const char* path;
    ss_fit_number number;
    ss_error error;
    if (!PyArg_ParseTuple(arguments, "Os", &object, &path)) return NULL;
    const core_model* own = core_bodies_get(core_of_module(module), object);
    if (!own) return NULL;
    return PyBool_FromLong(ss_fit_read_number(own->document, path, &number, &error) == SS_OK && number.found);
}

// read_number(model, path): the number at a path, SI; None where the model does not mention it.
static PyObject* read_number(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject* object;
    const char* path;
    ss_fit_number number;
    ss_error error;
    if (!PyArg_ParseTuple(arguments, "Os", &object, &path)) return NULL;
    const core_model* own = core_model_get(state, object);
    if (!own) return NULL;
    if (ss_fit_read_number(own->document, path, &number, &error) != SS_OK)
        return core_raise(state, &error, false);
    if (!number.found) Py_RETURN_NONE;
    return PyFloat_FromDouble(number.value);
}

// unit_of(model, path): the unit of the number at a path, as it is written there; "" where it has none.
static PyObject* unit_of(PyObject* module, PyObject* arguments)
{
    PyObject* object;
    const char* path;
    char unit[64];
    if (!PyArg_ParseTuple(arguments, "Os", &object, &path)) return NULL;
    const core_model* own = core_model_get(core_of_module(module), object);
    if (!own) return NULL;
    return PyUnicode_FromString(ss_fit_number_unit(own->document, path, unit, sizeof unit));
}

// quantity(text): (value in SI, unit of its dimension or None where the text has no unit).
static PyObject* quantity(PyObject* module, PyObject* arguments)
{
    const char* text;
    const ss_scope nothing = {0};
    ss_dimension dimension;
    double value;
    bool has_unit;
    char unit[64];
    ss_error error;
    if (!PyArg_ParseTuple(arguments, "s", &text)) return NULL;
    if (ss_quantity_parse_any(text, &nothing, &value, &dimension, &has_unit, &error) != SS_OK)
        return core_raise(core_of_module(module), &error, false);
    return Py_BuildValue("(dz)", value, has_unit ? ss_dimension_format(dimension, unit, sizeof unit) : NULL);
}

PyMethodDef core_fit_functions[] = {{"fit", fit, METH_VARARGS, "Fits free numbers of models to recordings."},
                                    {"has_number", has_number, METH_VARARGS, "Whether a model has a number."},
                                    {"read_number", read_number, METH_VARARGS, "A number of a model."},
                                    {"unit_of", unit_of, METH_VARARGS, "The unit of a number of a model."},
                                    {"quantity", quantity, METH_VARARGS, "A number with its unit."},
                                    {NULL, NULL, 0, NULL}};
