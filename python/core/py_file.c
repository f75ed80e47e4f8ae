// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Files that appear whole or not at all, as the library writes them (slipstick/file.h).
#include "core.h"

#include "share/file.h"
#include "slipstick/file.h"

// write_file(path, bytes)
static PyObject* write_file(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject* path;
    Py_buffer bytes;
    ss_error error;
    if (!PyArg_ParseTuple(arguments, "O&y*", PyUnicode_FSConverter, &path, &bytes)) return NULL;
    const char* name = PyBytes_AsString(path);
    ss_status status;
    Py_BEGIN_ALLOW_THREADS status = ss_file_write(name, bytes.buf, (size_t)bytes.len, &error);
    Py_END_ALLOW_THREADS if (status != SS_OK) PyErr_Format(PyExc_OSError, "%s: %s", name, error.text);
    PyBuffer_Release(&bytes);
    Py_DECREF(path);
    if (status != SS_OK) return NULL;
    Py_RETURN_NONE;
}

PyMethodDef core_file_functions[] = {
    {"write_file", write_file, METH_VARARGS, "Writes a file, whole or not at all."}, {NULL, NULL, 0, NULL}};
