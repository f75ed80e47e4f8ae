// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Errors of the library as exceptions, and work that Python may end.
#include "core.h"

#include <math.h>

static PyObject* text_or_none(const char* text)
{
    if (!text[0]) Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject* number_or_none(int number)
{
    if (number <= 0) Py_RETURN_NONE;
    return PyLong_FromLong(number);
}

static bool is_option(const char* origin) { return strncmp(origin, "--", 2) == 0; }

// The message as a caller of functions reads it: without the name of the option by which the command line was
// told the same, and with the place once.
static const char* words_of(const ss_error* error, char* out, size_t size)
{
    ss_error told = *error;
    if (strcmp(told.origin, told.field) == 0) told.origin[0] = '\0';
    ss_error_format(&told, out, size);
    const char* gap = is_option(told.origin) ? strchr(out, ' ') : NULL;
    return gap ? gap + 1 : out;
}

// Calls TYPE(message, file, line, column, field) and raises the result.
static void raise_with_place(PyObject* type, const ss_error* error)
{
    char message[1024];
    const char* words = words_of(error, message, sizeof message);
    PyObject* text = PyUnicode_DecodeUTF8(words, (Py_ssize_t)strlen(words), "replace");
    PyObject *file = text_or_none(is_option(error->origin) ? "" : error->origin),
             *field = text_or_none(error->field);
    PyObject *line = number_or_none(error->line), *column = number_or_none(error->column), *made = NULL;
    if (text && file && field && line && column)
        made = PyObject_CallFunctionObjArgs(type, text, file, line, column, field, NULL);
    if (made) PyErr_SetObject(type, made);
    Py_XDECREF(made);
    Py_XDECREF(text);
    Py_XDECREF(file);
    Py_XDECREF(field);
    Py_XDECREF(line);
    Py_XDECREF(column);
}

PyObject* core_raise(const core_state* state, const ss_error* error, bool running)
{
    if (PyErr_Occurred()) return NULL;
    if (error->status == SS_NO_MEMORY) return PyErr_NoMemory();
    bool of_run = running || error->status == SS_NOT_FOUND;
    if (error->status == SS_FILE_ERROR) {
        char message[1024];
        PyErr_SetString(PyExc_OSError, ss_error_format(error, message, sizeof message));
        return NULL;
    }
    raise_with_place(of_run ? state->run_error : state->model_error, error);
    return NULL;
}

void core_watch_begin(core_watch* watch, PyObject* progress)
{
    watch->progress = progress && progress != Py_None ? progress : NULL;
    watch->raised = false;
    watch->thread = PyEval_SaveThread();
}

bool core_watch_ask(core_watch* watch, double share)
{
    if (watch->raised) return false;
    PyEval_RestoreThread(watch->thread);
    bool goes_on = PyErr_CheckSignals() == 0;
    if (goes_on && watch->progress && !isnan(share)) {
        PyObject* result = PyObject_CallFunction(watch->progress, "d", share);
        goes_on = result != NULL;
        Py_XDECREF(result);
    }
    watch->raised = !goes_on;
    watch->thread = PyEval_SaveThread();
    return goes_on;
}

bool core_watch_end(core_watch* watch)
{
    PyEval_RestoreThread(watch->thread);
    return !watch->raised;
}

bool core_keep_going(void* watch, double t)
{
    (void)t;
    return core_watch_ask(watch, NAN);
}

bool core_goes_on(void* watch, double share) { return core_watch_ask(watch, share); }
