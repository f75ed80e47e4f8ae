// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The library's own pictures, as bytes.
#include "core.h"

#include <slipstick/picture.h>

#include <stdlib.h>
#include <string.h>

typedef struct page {
    char* bytes;
    size_t size, room;
} page;

// An ss_bytes_sink; the interpreter's lock may be free, so nothing of Python's objects is touched.
static bool take(void* user, const void* bytes, size_t size)
{
    page* own = user;
    if (size > own->room - own->size) {
        size_t room = 2 * own->room + size;
        char* more = realloc(own->bytes, room);
        if (!more) return false;
        own->bytes = more;
        own->room = room;
    }
    memcpy(own->bytes + own->size, bytes, size);
    own->size += size;
    return true;
}

// How every picture wants its sheet: (format, theme, width, height).
static bool make_sheet(PyObject* given, char path[32], page* own, ss_sheet* sheet)
{
    const char *format, *theme;
    *sheet = (ss_sheet){.path = path, .sink = take, .user = own};
    if (!PyArg_ParseTuple(given, "ssdd", &format, &theme, &sheet->width, &sheet->height)) return false;
    PyOS_snprintf(path, 32, "picture.%.16s", format);
    sheet->theme = ss_theme_find(theme);
    if (!ss_picture_knows(path))
        PyErr_Format(PyExc_ValueError, "a picture is \"svg\", \"png\" or \"pdf\", not \"%s\"", format);
    else if (!sheet->theme)
        PyErr_Format(PyExc_ValueError, "a theme is \"print\", \"screen\" or \"dark\", not \"%s\"", theme);
    else
        return true;
    return false;
}

static PyObject* finish(const core_state* state, page* own, ss_status status, const ss_error* error)
{
    PyObject* out = status == SS_OK ? PyBytes_FromStringAndSize(own->bytes, (Py_ssize_t)own->size)
                                    : core_raise(state, error, false);
    free(own->bytes);
    return out;
}

// The place of a view's name in the list of those there are; -1 and an exception where it is none.
static int find_view(const char* view, const char* const names[], int count)
{
    for (int k = 0; k < count; k++)
        if (strcmp(view, names[k]) == 0) return k;
    PyErr_Format(PyExc_ValueError, "the view \"%s\" is none of \"%s\", \"%s\", \"%s\", \"%s\"", view,
                 names[0], names[1], names[2], names[3]);
    return -1;
}

// picture_motions(sheet, view, of or None, motions, labels)
static PyObject* picture_motions(PyObject* module, PyObject* arguments)
{
    enum { MOST = 64, VIEWS = 4 };
    static const char* const bodies[VIEWS] = {"time", "phase", "loop", "impact"};    // as ss_motion_view
    static const char* const sliders[VIEWS] = {"path", "time", "surface", "sphere"}; // as ss_sliding_view
    const core_state* state = core_of_module(module);
    PyObject *given, *motions, *labels;
    const char *of, *name;
    char path[32];
    page own = {0};
    ss_sheet sheet;
    if (!PyArg_ParseTuple(arguments, "OszO!O!", &given, &name, &of, &PyTuple_Type, &motions, &PyTuple_Type,
                          &labels) ||
        !make_sheet(given, path, &own, &sheet))
        return NULL;
    Py_ssize_t count = PyTuple_Size(motions);
    const ss_motion* shown[MOST];
    const char* words[MOST];
    if (count < 1 || count > MOST || PyTuple_Size(labels) != count) {
        PyErr_Format(PyExc_ValueError, "a picture shows 1 to %d motions", (int)MOST);
        return NULL;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject* label = PyTuple_GetItem(labels, k);
        shown[k] = core_motion_get(state, PyTuple_GetItem(motions, k));
        words[k] = label == Py_None ? NULL : PyUnicode_AsUTF8AndSize(label, NULL);
        if (!shown[k] || PyErr_Occurred()) return NULL;
    }
    int view = find_view(name, shown[0]->model ? bodies : sliders, VIEWS);
    if (view < 0) return NULL;
    ss_error error;
    ss_status status;
    core_watch watch;
    core_watch_begin(&watch, NULL);
    if (shown[0]->model) {
        ss_motion_picture picture = {.sheet = sheet,
                                     .view = (ss_motion_view)view,
                                     .of = of,
                                     .motions = shown,
                                     .labels = words,
                                     .count = (int)count};
        status = ss_picture_motion(&picture, &error);
    } else {
        ss_sliding_picture picture = {.sheet = sheet,
                                      .view = (ss_sliding_view)view,
                                      .motions = shown,
                                      .labels = words,
                                      .count = (int)count};
        status = ss_picture_sliding(&picture, &error);
    }
    core_watch_end(&watch);
    return finish(state, &own, status, &error);
}

// picture_model(sheet, model, what): "certificate" of bodies, "surface" or "sphere" of a slider
static PyObject* picture_model(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *given, *object;
    const char* what;
    char path[32];
    page own = {0};
    ss_sheet sheet;
    if (!PyArg_ParseTuple(arguments, "OOs", &given, &object, &what) || !make_sheet(given, path, &own, &sheet))
        return NULL;
    bool bodies = strcmp(what, "certificate") == 0;
    const core_model* model = bodies ? core_bodies_get(state, object) : core_slider_get(state, object);
    if (!model) return NULL;
    ss_surface_picture picture = {.sheet = sheet, .slider = model->slider};
    ss_error error;
    ss_status status;
    core_watch watch;
    core_watch_begin(&watch, NULL);
    if (bodies)
        status = ss_picture_certificate(model->model, &sheet, &error);
    else
        status = strcmp(what, "sphere") == 0 ? ss_picture_sphere(&picture, &error)
                                             : ss_picture_surface(&picture, &error);
    core_watch_end(&watch);
    return finish(state, &own, status, &error);
}

PyMethodDef core_picture_functions[] = {
    {"picture_motions", picture_motions, METH_VARARGS, "A picture of motions, as bytes."},
    {"picture_model", picture_model, METH_VARARGS, "A picture of a model, as bytes."},
    {NULL, NULL, 0, NULL}};
