// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Scans: the rows come back as one bytes object of doubles.
#include "core.h"

#include <slipstick/scan.h>

enum { MOST = 64 }; // numbers shown or measured

typedef struct watching {
    core_watch watch;
    int64_t cells;
} watching;

static bool watch_scan(void* user, int64_t done)
{
    watching* w = user;
    return core_watch_ask(&w->watch, w->cells > 0 ? (double)done / (double)w->cells : 1.0);
}

// Texts of a sequence, borrowed from it; -1 where an exception is set.
static int read_names(PyObject* names, const char* out[])
{
    Py_ssize_t count = PySequence_Size(names);
    if (count > MOST) PyErr_Format(PyExc_ValueError, "at most %d numbers", MOST);
    if (count < 0 || count > MOST) return -1;
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject* item = PySequence_GetItem(names, k);
        out[k] = item ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        Py_XDECREF(item); // lives on in the caller's list
        if (!out[k]) return -1;
    }
    return (int)count;
}

typedef struct filling {
    double* to;
    size_t columns;
    PyObject* statuses; // a list of words, one per row; NULL: an exception is set
} filling;

static bool fill(void* user, const double rows[], size_t count, ss_scan_status status)
{
    filling* f = user;
    memcpy(f->to, rows, count * f->columns * sizeof *rows);
    f->to += count * f->columns;
    for (size_t k = 0; k < count && f->statuses; k++) {
        PyObject* word = PyUnicode_FromString(ss_scan_status_name(status));
        if (!word || PyList_Append(f->statuses, word) != 0) Py_CLEAR(f->statuses);
        Py_XDECREF(word);
    }
    return f->statuses != NULL;
}

static PyObject* notes_of(const ss_scan* scan)
{
    PyObject* list = PyList_New(0);
    for (int k = 0; list && ss_scan_note(scan, k); k++) {
        PyObject* text = PyUnicode_FromString(ss_scan_note(scan, k));
        if (!text || PyList_Append(list, text) != 0) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyObject* units_of(const ss_scan* scan)
{
    PyObject* list = PyList_New(0);
    for (int k = 0; list && k < ss_scan_column_count(scan); k++) {
        char room[64];
        PyObject* text = PyUnicode_FromString(ss_scan_unit(scan, k, room, sizeof room));
        if (!text || PyList_Append(list, text) != 0) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

// The rows of a complete scan.
static PyObject* take_rows(const core_state* state, const ss_scan* scan, const ss_map* map)
{
    ss_scan_summary summary;
    ss_error error;
    size_t columns = (size_t)ss_scan_column_count(scan);
    if (ss_scan_summarize(scan, map, &summary, &error) != SS_OK) return core_raise(state, &error, true);
    PyObject* bytes =
        PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((size_t)summary.rows * columns * sizeof(double)));
    if (!bytes) return NULL;
    filling f = {(double*)(void*)PyBytes_AsString(bytes), columns, PyList_New(0)};
    ss_status status = f.statuses ? ss_scan_read_rows(scan, map, fill, &f, &error) : SS_OK;
    PyObject* notes = f.statuses && status == SS_OK ? notes_of(scan) : NULL;
    PyObject* units = notes ? units_of(scan) : NULL;
    if (units) return Py_BuildValue("(NLNNN)", bytes, (long long)summary.short_of, f.statuses, notes, units);
    Py_XDECREF(notes);
    Py_DECREF(bytes);
    if (!f.statuses) return NULL;
    Py_DECREF(f.statuses);
    if (status == SS_OK) return NULL; // notes or units have failed, and said why
    return core_raise(state, &error, true);
}

static PyObject* run_scan(const core_state* state, const ss_scan* scan, int threads, PyObject* progress)
{
    ss_map_def def = {.basin = ss_scan_cells(scan), .keep = true};
    watching w = {.cells = ss_basin_cell_count(def.basin)};
    ss_basin_run_def run = {.threads = threads, .watch = watch_scan, .user = &w};
    ss_map* map = NULL;
    ss_error error;
    PyObject* out = NULL;
    if (ss_map_create(&def, &map, &error) != SS_OK) return core_raise(state, &error, true);
    core_watch_begin(&w.watch, progress);
    ss_status status = ss_map_run(map, &run, NULL, &error);
    if (core_watch_end(&w.watch)) {
        const ss_error* fault = ss_map_journal_fault(map);
        if (status != SS_OK || fault)
            core_raise(state, status != SS_OK ? &error : fault, false);
        else
            out = take_rows(state, scan, map);
    }
    ss_map_destroy(map);
    return out;
}

// scan(model, axes, section, skip, keep, show, measures, carry, until, tolerance, max_events, threads,
// through_rounding, progress) -> rows as bytes, values that were short of sections, a word of status per row,
// notes, units of columns
static PyObject* scan(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *axes, *show, *measures, *progress;
    const char *shown[MOST], *measured[MOST];
    ss_scan_def def = ss_scan_def_default();
    long long skip, keep, max_events;
    int carry, threads, through_rounding;
    if (!PyArg_ParseTuple(arguments, "OOzLLOOiddLipO", &object, &axes, &def.section, &skip, &keep, &show,
                          &measures, &carry, &def.until, &def.tolerance, &max_events, &threads,
                          &through_rounding, &progress))
        return NULL;
    const core_model* own = core_bodies_get(state, object);
    if (!own) return NULL;
    def.show_count = read_names(show, shown);
    def.measure_count = def.show_count < 0 ? -1 : read_names(measures, measured);
    ss_basin_axis* axis = def.measure_count < 0 ? NULL : core_axes_read(axes, &def.axis_count);
    if (!axis) return NULL;
    def.document = own->document;
    def.axes = axis;
    def.skip = skip;
    def.keep = keep;
    def.show = shown;
    def.measures = measured;
    def.carry = (ss_scan_carry)carry;
    def.through_rounding = through_rounding;
    def.max_events = max_events;
    ss_scan* plan = NULL;
    ss_error error;
    ss_status status = ss_scan_create(&def, &plan, &error);
    core_axes_free(axis, def.axis_count);
    if (status != SS_OK) return core_raise(state, &error, false);
    PyObject* out = run_scan(state, plan, threads, progress);
    ss_scan_destroy(plan);
    return out;
}

PyMethodDef core_scan_functions[] = {
    {"scan", scan, METH_VARARGS, "Sections and measures of the motion over numbers of the model."},
    {NULL, NULL, 0, NULL}};
