// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Documents from Python: a text in YAML, or a tree of dictionaries, lists, texts and numbers.
#include "core.h"

static ss_status add(const core_state* state, ss_document* document, ss_node* parent, const char* key,
                     PyObject* value, ss_error* err);

// Where the value stands is not known: errors name the field alone.
static ss_status add_node(ss_document* document, ss_node* parent, ss_node_kind kind, const char* key,
                          const char* text, Py_ssize_t length, ss_node** out, ss_error* err)
{
    ss_node_def def = {.kind = kind, .key = key, .text = text, .length = (size_t)length};
    return ss_document_add(document, parent, &def, out, err);
}

// What cannot be part of a model. The field is made on the way back up.
static ss_status refuse_value(PyObject* value, ss_error* err)
{
    PyObject* type = PyObject_GetAttrString((PyObject*)Py_TYPE(value), "__name__");
    const char* name = type ? PyUnicode_AsUTF8AndSize(type, NULL) : NULL;
    PyErr_Clear();
    *err = (ss_error){.status = SS_BAD_INPUT};
    PyOS_snprintf(err->text, sizeof err->text, "expected a text, a number, a list or a dict, not %.60s",
                  name ? name : "this");
    Py_XDECREF(type);
    return SS_BAD_INPUT;
}

static ss_status refuse_key(PyObject* key, ss_error* err)
{
    PyObject* shown = PyObject_Repr(key);
    const char* text = shown ? PyUnicode_AsUTF8AndSize(shown, NULL) : NULL;
    PyErr_Clear();
    *err = (ss_error){.status = SS_BAD_INPUT, .text = "keys of a model must be texts"};
    PyOS_snprintf(err->field, sizeof err->field, "%.60s", text ? text : "key");
    Py_XDECREF(shown);
    return SS_BAD_INPUT;
}

// Puts "key" or "[index]" before the field of an error that was found below it.
static ss_status lengthen_field(const char* key, Py_ssize_t index, ss_status status, ss_error* err)
{
    if (status == SS_OK || PyErr_Occurred()) return status;
    char below[sizeof err->field];
    memcpy(below, err->field, sizeof below);
    if (key)
        PyOS_snprintf(err->field, sizeof err->field, "%.60s%s%.60s", key,
                      below[0] && below[0] != '[' ? "." : "", below);
    else
        PyOS_snprintf(err->field, sizeof err->field, "[%zd]%s%.100s", index,
                      below[0] && below[0] != '[' ? "." : "", below);
    return status;
}

static ss_status refuse(ss_error* err)
{
    err->status = SS_BAD_INPUT; // a Python exception is set and tells more
    return SS_BAD_INPUT;
}

static ss_status add_map(const core_state* state, ss_document* document, ss_node* parent, const char* key,
                         PyObject* map, ss_error* err)
{
    ss_node* node;
    ss_status status = add_node(document, parent, SS_NODE_MAP, key, NULL, 0, &node, err);
    PyObject *name, *value;
    Py_ssize_t place = 0;
    while (status == SS_OK && PyDict_Next(map, &place, &name, &value)) {
        if (!PyUnicode_Check(name)) return refuse_key(name, err);
        const char* text = PyUnicode_AsUTF8AndSize(name, NULL);
        if (!text) return refuse(err);
        status = lengthen_field(text, 0, add(state, document, node, text, value, err), err);
    }
    return status;
}

static ss_status add_list(const core_state* state, ss_document* document, ss_node* parent, const char* key,
                          PyObject* list, ss_error* err)
{
    ss_node* node;
    ss_status status = add_node(document, parent, SS_NODE_LIST, key, NULL, 0, &node, err);
    Py_ssize_t count = PySequence_Size(list);
    if (count < 0) return refuse(err);
    for (Py_ssize_t k = 0; status == SS_OK && k < count; k++) {
        PyObject* item = PySequence_GetItem(list, k);
        if (!item) return refuse(err);
        status = lengthen_field(NULL, k, add(state, document, node, NULL, item, err), err);
        Py_DECREF(item);
    }
    return status;
}

// A text as it is, None as an empty one, True and False as true and false, any number as repr writes it: 17
// digits read back exactly.
static ss_status add_scalar(ss_document* document, ss_node* parent, const char* key, PyObject* value,
                            ss_error* err)
{
    PyObject* text;
    if (PyUnicode_Check(value))
        text = Py_NewRef(value);
    else if (value == Py_None) // as a file that names a key and says nothing of it
        text = PyUnicode_FromString("");
    else if (PyBool_Check(value))
        text = PyUnicode_FromString(value == Py_True ? "true" : "false");
    else if (PyLong_Check(value))
        text = PyObject_Str(value);
    else {
        PyObject* number = PyNumber_Float(value); // NumPy's scalars as well
        if (!number && PyErr_ExceptionMatches(PyExc_TypeError)) return refuse_value(value, err);
        text = number ? PyObject_Repr(number) : NULL;
        Py_XDECREF(number);
    }
    Py_ssize_t length;
    const char* utf8 = text ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    if (!utf8) {
        Py_XDECREF(text);
        return refuse(err);
    }
    ss_node* node;
    ss_status status = add_node(document, parent, SS_NODE_SCALAR, key, utf8, length, &node, err);
    Py_DECREF(text);
    return status;
}

// {"array": (rows, columns, row, column, values)}: buffers of int and double; row and column None for an
// array of all entries, row by row.
static PyObject* array_of(PyObject* map)
{
    PyObject* array = PyDict_Size(map) == 1 ? PyDict_GetItemString(map, "array") : NULL;
    return array && PyTuple_Check(array) ? array : NULL;
}

static bool get_places(PyObject* object, Py_ssize_t count, Py_buffer* out)
{
    if (PyObject_GetBuffer(object, out, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) return false;
    if (out->itemsize == sizeof(int) && strcmp(out->format, "i") == 0 && out->len == count * out->itemsize)
        return true;
    PyErr_SetString(PyExc_ValueError, "places of entries are two rows of ints, as many as there are values");
    return false;
}

static ss_status add_array(ss_document* document, ss_node* parent, const char* key, PyObject* array,
                           ss_error* err)
{
    ss_matrix_def def = {0};
    PyObject *row, *column, *values;
    core_array numbers = {0};
    Py_buffer rows = {0}, columns = {0};
    if (!PyArg_ParseTuple(array, "iiOOO", &def.rows, &def.columns, &row, &column, &values) ||
        !core_array_get(values, false, "values", &numbers))
        return refuse(err);
    bool whole = row == Py_None;
    ss_status status =
        whole || (get_places(row, numbers.count, &rows) && get_places(column, numbers.count, &columns))
            ? SS_OK
            : refuse(err);
    ss_node* node;
    if (status == SS_OK) status = add_node(document, parent, SS_NODE_MAP, key, NULL, 0, &node, err);
    def.count = (size_t)numbers.count;
    def.value = numbers.numbers;
    def.row = whole ? NULL : rows.buf;
    def.column = whole ? NULL : columns.buf;
    if (status == SS_OK) status = ss_document_attach(document, node, &def, err);
    if (rows.obj) PyBuffer_Release(&rows);
    if (columns.obj) PyBuffer_Release(&columns);
    core_array_release(&numbers);
    return status;
}

static ss_status add(const core_state* state, ss_document* document, ss_node* parent, const char* key,
                     PyObject* value, ss_error* err)
{
    if (Py_EnterRecursiveCall(" while a model is read")) return refuse(err);
    ss_status status;
    bool list = PyList_Check(value) || PyTuple_Check(value);
    PyObject* array = PyDict_Check(value) ? array_of(value) : NULL;
    if (array)
        status = add_array(document, parent, key, array, err);
    else if (PyDict_Check(value))
        status = add_map(state, document, parent, key, value, err);
    else if (list || (!PyUnicode_Check(value) && PySequence_Check(value)))
        status = add_list(state, document, parent, key, value, err);
    else
        status = add_scalar(document, parent, key, value, err);
    Py_LeaveRecursiveCall();
    return status;
}

static ss_status apply_sets(ss_document* document, PyObject* sets, ss_error* err)
{
    Py_ssize_t count = sets == Py_None ? 0 : PySequence_Size(sets);
    if (count < 0) return refuse(err);
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject* pair = PySequence_GetItem(sets, k);
        const char *path, *value;
        if (!pair || !PyArg_ParseTuple(pair, "ss", &path, &value)) {
            Py_XDECREF(pair);
            return refuse(err);
        }
        char option[256];
        PyOS_snprintf(option, sizeof option, "--set %.100s=%.100s", path, value);
        ss_status status = ss_document_set(document, path, value, option, err);
        Py_DECREF(pair);
        if (status != SS_OK) return status;
    }
    return SS_OK;
}

static ss_status read_source(const core_state* state, PyObject* source, const char* name, ss_document** out,
                             ss_error* err)
{
    if (PyUnicode_Check(source)) {
        Py_ssize_t length;
        const char* text = PyUnicode_AsUTF8AndSize(source, &length);
        return text ? ss_document_parse_yaml(name, text, (size_t)length, out, err) : refuse(err);
    }
    if (!PyDict_Check(source)) {
        PyErr_SetString(PyExc_TypeError, "a model is a text or a dict");
        return refuse(err);
    }
    ss_status status = ss_document_create(name, out, err);
    if (status == SS_OK) status = add(state, *out, NULL, NULL, source, err);
    return status == SS_OK ? ss_document_read_files(*out, name, err) : status;
}

ss_document* core_document_make(const core_state* state, PyObject* source, const char* name, PyObject* sets)
{
    ss_error error = {0};
    ss_document* document = NULL;
    ss_status status = read_source(state, source, name, &document, &error);
    if (status == SS_OK) status = apply_sets(document, sets, &error);
    if (status == SS_OK) return document;
    ss_document_destroy(document);
    core_raise(state, &error, false);
    return NULL;
}
