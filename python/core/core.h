// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The extension module slipstick._core: the library's objects as Python sees them. It speaks in numbers,
// buffers and dictionaries; names, units and pictures are the matter of the Python files beside it. Built on
// the limited interface of Python 3.11, so that one binary serves 3.11 and later; NumPy is not needed to
// compile it.
//
// While the library computes, the interpreter's lock is free. Work that may take long asks now and then
// whether it is to go on (core_watch): Ctrl-C and a progress function that raises both end it.
#ifndef SLIPSTICK_PYTHON_CORE_H
#define SLIPSTICK_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <slipstick/lab.h>

#include <string.h>

/// What the module remembers: its types, and the exceptions of slipstick/errors.py.
typedef struct core_state {
    PyObject *model_error, *run_error;
    PyTypeObject *view, *model, *motion, *run, *law;
} core_state;

extern PyType_Spec core_view_spec, core_model_spec, core_motion_spec, core_run_spec, core_law_spec;
extern PyMethodDef core_model_functions[], core_motion_functions[], core_run_functions[],
    core_slider_functions[], core_map_functions[], core_scan_functions[], core_file_functions[],
    core_fit_functions[], core_law_functions[], core_picture_functions[];

static inline core_state* core_of_module(PyObject* module) { return PyModule_GetState(module); }

// ---- errors (py_error.c)

/// Raises what a failed call told: ModelError for a fault of the model, RunError for one of a run,
/// MemoryError, or nothing where a Python exception is already set. Returns NULL.
PyObject* core_raise(const core_state* state, const ss_error* error, bool running);

// ---- watching work (py_error.c)

/// The interpreter's lock, given back while the library works.
typedef struct core_watch {
    PyThreadState* thread;
    PyObject* progress; ///< called with the share that is done, or NULL
    bool raised;        ///< Ctrl-C, or an exception of progress: it is set
} core_watch;

void core_watch_begin(core_watch* watch, PyObject* progress); ///< None is welcome
/// Asks Python; false where the work is to end. share may be NaN: nothing is told then.
bool core_watch_ask(core_watch* watch, double share);
/// Takes the lock back. False where an exception is set.
bool core_watch_end(core_watch* watch);
bool core_keep_going(void* watch, double t);  ///< an ss_keep_going
bool core_goes_on(void* watch, double share); ///< as in ss_watch, ss_cycle_progress, ss_fit_progress

// ---- numbers that C owns, read by Python (view.c)

/// A read-only array of one or two dimensions within the memory of `owner`. format: "d", "i" or "?".
PyObject* core_view_new(const core_state* state, PyObject* owner, const void* data, const char* format,
                        Py_ssize_t rows, Py_ssize_t row_stride, Py_ssize_t columns, Py_ssize_t column_stride);

/// A contiguous array of doubles that Python owns; numbers is NULL where an exception is set.
typedef struct core_array {
    Py_buffer buffer;
    double* numbers;
    Py_ssize_t count;
} core_array;
/// Takes hold of an object with a buffer of doubles; it must be released.
bool core_array_get(PyObject* object, bool writable, const char* what, core_array* out);
void core_array_release(core_array* array);

// ---- answers (py_answer.c)

/// The tree as dictionaries and lists; the answer is destroyed.
PyObject* core_answer_take(ss_answer* answer);

// ---- documents (py_document.c)

/// A document from a text in YAML, or from dictionaries, lists, texts and numbers; then each (path, text) of
/// sets is set. NULL where an exception is set.
ss_document* core_document_make(const core_state* state, PyObject* source, const char* name, PyObject* sets);

// ---- models (py_model.c)

/// What _core.Model holds: a document, and what it describes.
typedef struct core_model {
    PyObject_HEAD ss_document* document;
    ss_model* model;   ///< NULL for a slider
    ss_slider* slider; ///< NULL for bodies
    ss_sim* spares[4]; ///< runs that motions have left for the next ones; touched with the lock held
} core_model;

/// A run that is free, or NULL; and a place for it when it is no longer needed.
ss_sim* core_spare_take(core_model* model);
void core_spare_give(core_model* model, ss_sim* sim); ///< NULL is welcome

/// Checks that the object is a Model that has bodies (or is a slider). NULL where an exception is set.
core_model* core_model_get(const core_state* state, PyObject* object);
core_model* core_bodies_get(const core_state* state, PyObject* object);
core_model* core_slider_get(const core_state* state, PyObject* object);

/// The motion that the object, a Motion, has run. NULL where an exception is set.
const ss_motion* core_motion_get(const core_state* state, PyObject* object);

/// Axes as a sequence of (path, kind, from, to, count, values), to be freed; the paths are borrowed from it.
/// NULL where an exception is set (py_map.c).
ss_basin_axis* core_axes_read(PyObject* axes, int* count);
void core_axes_free(ss_basin_axis* axes, int count);

/// Events and notes as tuples.
PyObject* core_event_tuple(const ss_event* event);
PyObject* core_note_tuple(const ss_note* note);

/// Releases what a type made with PyType_FromModuleAndSpec holds besides.
void core_free_object(PyObject* self);

#endif
