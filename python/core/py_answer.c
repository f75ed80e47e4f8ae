// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Answers of the library as dictionaries: objects become dict, lists list, null None.
#include "core.h"

static PyObject* convert(const ss_value* value);

static PyObject* convert_object(const ss_value* value)
{
    PyObject* out = PyDict_New();
    for (const ss_value* member = ss_value_first(value); out && member; member = ss_value_next(member)) {
        PyObject* item = convert(member);
        if (!item || PyDict_SetItemString(out, ss_value_key(member), item) < 0) Py_CLEAR(out);
        Py_XDECREF(item);
    }
    return out;
}

static PyObject* convert_list(const ss_value* value)
{
    PyObject* out = PyList_New(0);
    for (const ss_value* member = ss_value_first(value); out && member; member = ss_value_next(member)) {
        PyObject* item = convert(member);
        if (!item || PyList_Append(out, item) < 0) Py_CLEAR(out);
        Py_XDECREF(item);
    }
    return out;
}

static PyObject* convert_numbers(const ss_value* value)
{
    size_t count = ss_value_count(value);
    const double* numbers = ss_value_numbers(value);
    PyObject* out = PyList_New((Py_ssize_t)count);
    for (size_t k = 0; out && k < count; k++) {
        PyObject* item = numbers[k] != numbers[k] ? Py_NewRef(Py_None) : PyFloat_FromDouble(numbers[k]);
        if (!item || PyList_SetItem(out, (Py_ssize_t)k, item) < 0) Py_CLEAR(out);
    }
    return out;
}

static PyObject* convert(const ss_value* value)
{
    const char* text;
    switch (ss_value_get_kind(value)) {
    case SS_VALUE_NULL: Py_RETURN_NONE;
    case SS_VALUE_BOOL: return PyBool_FromLong(ss_value_is_true(value));
    case SS_VALUE_NUMBER: return PyFloat_FromDouble(ss_value_number(value));
    case SS_VALUE_TEXT:
        text = ss_value_text(value);
        return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    case SS_VALUE_NUMBERS: return convert_numbers(value);
    case SS_VALUE_LIST: return convert_list(value);
    case SS_VALUE_OBJECT: return convert_object(value);
    }
    Py_RETURN_NONE;
}

PyObject* core_answer_take(ss_answer* answer)
{
    PyObject* out = convert(ss_answer_root(answer));
    ss_answer_destroy(answer);
    return out;
}
