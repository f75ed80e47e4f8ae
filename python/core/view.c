// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Arrays that the library owns, shown to Python through the buffer protocol without a copy; and arrays that
// Python owns, for the library to read or fill.
#include "core.h"

typedef struct core_view {
    PyObject_HEAD PyObject* owner; ///< keeps the memory alive
    void* data;
    const char* format;
    Py_ssize_t item;
    int dimensions;
    Py_ssize_t shape[2], strides[2];
} core_view;

static double nothing; // where an empty array points to

PyObject* core_view_new(const core_state* state, PyObject* owner, const void* data, const char* format,
                        Py_ssize_t rows, Py_ssize_t row_stride, Py_ssize_t columns, Py_ssize_t column_stride)
{
    core_view* view = PyObject_New(core_view, state->view);
    if (!view) return NULL;
    Py_INCREF(owner);
    view->owner = owner;
    view->data = data ? (void*)(uintptr_t)data : &nothing;
    view->format = format;
    view->item = format[0] == 'd'   ? (Py_ssize_t)sizeof(double)
                 : format[0] == 'i' ? (Py_ssize_t)sizeof(int)
                                    : (Py_ssize_t)sizeof(bool);
    view->dimensions = columns < 0 ? 1 : 2;
    view->shape[0] = data ? rows : 0;
    view->shape[1] = columns;
    view->strides[0] = row_stride;
    view->strides[1] = column_stride;
    return (PyObject*)view;
}

static int get_buffer(PyObject* self, Py_buffer* buffer, int flags)
{
    core_view* view = (core_view*)self;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "these numbers are read-only");
        return -1;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "these numbers do not lie side by side");
        return -1;
    }
    Py_ssize_t count = view->shape[0] * (view->dimensions == 2 ? view->shape[1] : 1);
    *buffer = (Py_buffer){.buf = view->data,
                          .obj = self,
                          .len = count * view->item,
                          .itemsize = view->item,
                          .readonly = 1,
                          .ndim = view->dimensions,
                          .format = flags & PyBUF_FORMAT ? (char*)(uintptr_t)view->format : NULL,
                          .shape = view->shape,
                          .strides = view->strides};
    Py_INCREF(self);
    return 0;
}

static void dealloc(PyObject* self)
{
    Py_DECREF(((core_view*)self)->owner);
    core_free_object(self);
}

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void*)dealloc},
    {Py_bf_getbuffer, (void*)get_buffer},
    {Py_tp_doc, "Numbers within the memory of a motion or a model; numpy.asarray shows them."},
    {0, NULL}};
PyType_Spec core_view_spec = {"slipstick._core.View", sizeof(core_view), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

void core_free_object(PyObject* self)
{
    PyTypeObject* type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

bool core_array_get(PyObject* object, bool writable, const char* what, core_array* out)
{
    out->numbers = NULL;
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, &out->buffer, flags) < 0) return false;
    const char* format = out->buffer.format ? out->buffer.format : "B";
    if (strcmp(format, "d") != 0) {
        PyErr_Format(PyExc_TypeError, "%s must be an array of doubles, not of '%s'", what, format);
        PyBuffer_Release(&out->buffer);
        return false;
    }
    out->numbers = out->buffer.buf;
    out->count = out->buffer.len / (Py_ssize_t)sizeof(double);
    return true;
}

void core_array_release(core_array* array)
{
    if (array->numbers) PyBuffer_Release(&array->buffer);
    array->numbers = NULL;
}
