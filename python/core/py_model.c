// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Models: made from a document, told what they are made of, checked, certified, and searched for cycles.
#include "core.h"

#include "share/model_parts.h"
#include "share/node.h"
#include "share/quantity_table.h"
#include "share/slider_parts.h"

#include <slipstick/follow.h>

#include <math.h>

enum { SPARES = sizeof((core_model){0}.spares) / sizeof(ss_sim*) };

ss_sim* core_spare_take(core_model* model)
{
    for (int k = 0; k < SPARES; k++) {
        ss_sim* found = model->spares[k];
        model->spares[k] = NULL;
        if (found) return found;
    }
    return NULL;
}

void core_spare_give(core_model* model, ss_sim* sim)
{
    for (int k = 0; k < SPARES && sim; k++) {
        if (model->spares[k]) continue;
        model->spares[k] = sim;
        sim = NULL;
    }
    ss_sim_destroy(sim);
}

static void dealloc(PyObject* self)
{
    core_model* model = (core_model*)self;
    for (int k = 0; k < SPARES; k++) ss_sim_destroy(model->spares[k]);
    ss_model_destroy(model->model);
    ss_slider_destroy(model->slider);
    ss_document_destroy(model->document);
    core_free_object(self);
}

core_model* core_model_get(const core_state* state, PyObject* object)
{
    if (Py_TYPE(object) == state->model) return (core_model*)object;
    PyErr_SetString(PyExc_TypeError, "a Model is wanted");
    return NULL;
}

core_model* core_bodies_get(const core_state* state, PyObject* object)
{
    core_model* model = core_model_get(state, object);
    if (!model || model->model) return model;
    PyErr_SetString(PyExc_TypeError, "this is for models of bodies, not for a slider");
    return NULL;
}

core_model* core_slider_get(const core_state* state, PyObject* object)
{
    core_model* model = core_model_get(state, object);
    if (!model || model->slider) return model;
    PyErr_SetString(PyExc_TypeError, "this is for a slider, not for models of bodies");
    return NULL;
}

// ---- making

static PyObject* make(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *source, *sets;
    const char* name;
    if (!PyArg_ParseTuple(arguments, "OsO", &source, &name, &sets)) return NULL;
    ss_document* document = core_document_make(state, source, name, sets);
    if (!document) return NULL;
    core_model* made = PyObject_New(core_model, state->model);
    if (!made) {
        ss_document_destroy(document);
        return NULL;
    }
    made->document = document;
    made->model = NULL;
    made->slider = NULL;
    memset(made->spares, 0, sizeof made->spares);
    ss_error error;
    ss_status status = ss_document_is_slider(document)
                           ? ss_slider_create_from_document(document, &made->slider, &error)
                           : ss_model_create_from_document(document, &made->model, &error);
    if (status == SS_OK) return (PyObject*)made;
    Py_DECREF(made);
    return core_raise(state, &error, false);
}

// ---- what it is made of

static PyObject* report_bodies(const ss_model* model)
{
    int count = ss_model_body_count(model);
    PyObject* out = PyList_New(count);
    for (int b = 0; out && b < count; b++) {
        char place[300], speed[300];
        ss_model_coordinate_name(model, b, false, place, sizeof place);
        ss_model_coordinate_name(model, b, true, speed, sizeof speed);
        PyObject* item = Py_BuildValue("(sNNddss)", ss_model_body_name(model, b),
                                       PyBool_FromLong(ss_model_body_is_angular(model, b)),
                                       PyBool_FromLong(ss_model_body_is_driven(model, b)),
                                       ss_model_start_x(model, b), ss_model_start_v(model, b), place, speed);
        if (!item || PyList_SetItem(out, b, item) < 0) Py_CLEAR(out);
    }
    return out;
}

static PyObject* report_contacts(const ss_model* model)
{
    int count = ss_model_contact_count(model);
    PyObject* out = PyList_New(count);
    for (int i = 0; out && i < count; i++) {
        PyObject* item =
            Py_BuildValue("(ssN)", ss_model_contact_name(model, i), ss_model_contact_law_name(model, i),
                          PyBool_FromLong(ss_model_contact_is_angular(model, i)));
        if (!item || PyList_SetItem(out, i, item) < 0) Py_CLEAR(out);
    }
    return out;
}

static PyObject* report_coordinates(const ss_model* model)
{
    int count = ss_model_coordinate_count(model);
    PyObject* out = PyList_New(count);
    for (int c = 0; out && c < count; c++) {
        PyObject* item = PyLong_FromLong(ss_model_coordinate_body(model, c));
        if (!item || PyList_SetItem(out, c, item) < 0) Py_CLEAR(out);
    }
    return out;
}

// Names and units of the states, signals, inputs and memory of an open model, as four lists of pairs.
static PyObject* report_numbers(const ss_model* model)
{
    PyObject* out = PyList_New(SS_NUMBER_KINDS);
    int number = 0;
    for (int kind = 0; out && kind < SS_NUMBER_KINDS; kind++) {
        PyObject* names = PyList_New(0);
        int count = model ? ss_model_number_count(model, kind) : 0;
        for (int k = 0; names && k < count; k++) {
            char unit[64];
            ss_dimension_format(ss_model_number_dimension(model, number), unit, sizeof unit);
            PyObject* name = Py_BuildValue("(ss)", ss_model_number_name(model, number++), unit);
            if (!name || PyList_Append(names, name) < 0) Py_CLEAR(names);
            Py_XDECREF(name);
        }
        if (!names || PyList_SetItem(out, kind, names) < 0) Py_CLEAR(out);
    }
    return out;
}

// (title, until, is_slider, linear, bodies, contacts, coordinates, (supports, fingers), numbers)
static PyObject* describe(PyObject* self, PyObject* unused)
{
    (void)unused;
    const core_model* own = (core_model*)self;
    if (own->slider)
        return Py_BuildValue("(sdNNNNN(ii)N)", ss_slider_title(own->slider), ss_slider_until(own->slider),
                             PyBool_FromLong(1), PyBool_FromLong(0), PyList_New(0), PyList_New(0),
                             PyList_New(0), ss_slider_support_count(own->slider),
                             ss_slider_get_info(own->slider).pusher_count, report_numbers(NULL));
    const ss_model* model = own->model;
    return Py_BuildValue("(sdNNNNN(ii)N)", ss_model_title(model), ss_model_until(model), PyBool_FromLong(0),
                         PyBool_FromLong(ss_model_is_linear(model)), report_bodies(model),
                         report_contacts(model), report_coordinates(model), 0, 0, report_numbers(model));
}

// What can be asked for by its name: (name, unit) of each.
static PyObject* quantities(PyObject* self, PyObject* unused)
{
    (void)unused;
    const ss_model* model = ((core_model*)self)->model;
    PyObject* out = PyList_New(0);
    ss_quantity q = {0};
    while (out && model && ss_quantity_next(model, SS_TOLD_BY_NAME, &q)) {
        char name[512], unit[64];
        ss_quantity_name(model, q, name, sizeof name);
        PyObject* item = Py_BuildValue("(ss)", name, ss_quantity_unit(model, q, unit, sizeof unit));
        if (!item || PyList_Append(out, item) < 0) Py_CLEAR(out);
        Py_XDECREF(item);
    }
    return out;
}

// Reduced matrices M, C, K (n x n) and W (n x contacts) into arrays of Python's.
static PyObject* fill_matrices(PyObject* self, PyObject* arguments)
{
    const ss_model* model = ((core_model*)self)->model;
    PyObject* given[4];
    core_array array[4] = {0};
    if (!model || !PyArg_ParseTuple(arguments, "OOOO", &given[0], &given[1], &given[2], &given[3])) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a slider has no matrices");
        return NULL;
    }
    Py_ssize_t n = ss_model_coordinate_count(model), m = ss_model_contact_count(model);
    bool good = true;
    for (int k = 0; k < 4 && good; k++) {
        good = core_array_get(given[k], true, "a matrix", &array[k]);
        if (good && array[k].count != (k < 3 ? n * n : n * m)) {
            PyErr_SetString(PyExc_ValueError, "a matrix has the wrong size");
            good = false;
        }
    }
    if (good) {
        ss_model_get_matrix(model, SS_MATRIX_MASS, array[0].numbers);
        ss_model_get_matrix(model, SS_MATRIX_DAMPING, array[1].numbers);
        ss_model_get_matrix(model, SS_MATRIX_STIFFNESS, array[2].numbers);
        ss_model_get_matrix(model, SS_MATRIX_DIRECTIONS, array[3].numbers);
    }
    for (int k = 0; k < 4; k++) core_array_release(&array[k]);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

// ---- questions

static PyObject* answer_of(const core_state* state, ss_status status, ss_answer* answer,
                           const ss_error* error, bool running)
{
    return status == SS_OK ? core_answer_take(answer) : core_raise(state, error, running);
}

static PyObject* check(PyObject* module, PyObject* object)
{
    const core_state* state = core_of_module(module);
    const core_model* own = core_model_get(state, object);
    if (!own) return NULL;
    ss_error error;
    ss_answer* answer = NULL;
    ss_status status;
    if (own->slider) {
        ss_slider_check found = ss_check_slider(own->slider);
        status = ss_answer_slider_check(&found, &answer, &error);
    } else {
        status = ss_answer_check_model(own->model, own->document, &answer, &error);
    }
    return answer_of(state, status, answer, &error, false);
}

// certify(model, vertices, place or None)
static PyObject* certify(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *place;
    int vertices;
    if (!PyArg_ParseTuple(arguments, "OpO", &object, &vertices, &place)) return NULL;
    const core_model* own = core_bodies_get(state, object);
    core_array q = {0};
    if (!own || (place != Py_None && !core_array_get(place, false, "a place", &q))) return NULL;
    ss_certify_def def = ss_certify_def_default();
    def.vertices = vertices;
    ss_certificate* certificate = NULL;
    ss_membership where;
    ss_answer* answer = NULL;
    ss_error error;
    core_watch watch;
    core_watch_begin(&watch, NULL);
    ss_status status = ss_certify(own->model, &def, &certificate, &error);
    core_watch_end(&watch);
    if (status == SS_OK && q.numbers && q.count != certificate->n) {
        PyErr_SetString(PyExc_ValueError, "a place has one number per independent coordinate");
        status = SS_BAD_INPUT;
    }
    if (status == SS_OK && q.numbers && certificate->set.exists)
        status = ss_certificate_locate(certificate, q.numbers, &where, &error);
    if (status == SS_OK)
        status = ss_answer_certificate(certificate, q.numbers ? &where : NULL, &answer, &error);
    ss_certificate_destroy(certificate);
    core_array_release(&q);
    if (PyErr_Occurred()) return NULL;
    return answer_of(state, status, answer, &error, false);
}

// {path: value} of the start that lies on the cycle; None where a file cannot say it.
static PyObject* start_of_cycle(const core_model* model, const ss_cycle* cycle)
{
    char path[500];
    double value;
    for (int c = 0; c < ss_model_contact_count(model->model); c++)
        if (ss_model_contact_elements(model->model, c) > 0) Py_RETURN_NONE;
    PyObject* out = PyDict_New();
    for (int k = 0;
         out && ss_cycle_start_number(cycle, model->model, model->document, k, path, sizeof path, &value);
         k++) {
        PyObject* number = PyFloat_FromDouble(value);
        if (!number || PyDict_SetItemString(out, path, number) < 0) Py_CLEAR(out);
        Py_XDECREF(number);
    }
    return out;
}

// cycle(model, period, until, near, tolerance, max_events, progress): (answer, start)
static PyObject* find_cycle(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *progress;
    ss_cycle_def def = ss_cycle_def_default();
    int near;
    if (!PyArg_ParseTuple(arguments, "OddpdlO", &object, &def.period, &def.until, &near, &def.tolerance,
                          &def.max_events, &progress))
        return NULL;
    const core_model* own = core_bodies_get(state, object);
    if (!own) return NULL;
    def.near = near;
    def.progress = core_goes_on;
    core_watch watch;
    def.user = &watch;
    ss_cycle* cycle = NULL;
    ss_answer* answer = NULL;
    ss_error error;
    core_watch_begin(&watch, progress);
    ss_status status = ss_cycle_find(own->model, &def, &cycle, &error);
    if (status == SS_OK) status = ss_answer_cycle(own->model, cycle, &answer, &error);
    PyObject *out = NULL, *tree = NULL;
    if (core_watch_end(&watch))
        tree = answer_of(state, status, answer, &error, status == SS_NOT_FOUND);
    else
        ss_answer_destroy(answer);
    PyObject* start = tree ? start_of_cycle(own, cycle) : NULL;
    if (start) out = PyTuple_Pack(2, tree, start);
    ss_cycle_destroy(cycle);
    Py_XDECREF(tree);
    Py_XDECREF(start);
    return out;
}

// follow(model, path, from, to, steady, near, period, until, tolerance, max_events, max_points, progress)
static PyObject* follow(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *progress;
    ss_follow_def def = ss_follow_def_default();
    int steady, near;
    if (!PyArg_ParseTuple(arguments, "OsddppdddllO", &object, &def.path, &def.from, &def.to, &steady, &near,
                          &def.period, &def.until, &def.tolerance, &def.max_events, &def.max_points,
                          &progress))
        return NULL;
    const core_model* own = core_bodies_get(state, object);
    if (!own) return NULL;
    def.document = own->document;
    def.steady = steady;
    def.near = near;
    def.progress = core_goes_on;
    core_watch watch;
    def.user = &watch;
    ss_solution_branch* branch;
    ss_answer* answer = NULL;
    ss_error error;
    core_watch_begin(&watch, progress);
    ss_status status = ss_follow_run(&def, &branch, &error);
    if (status == SS_OK) {
        status = ss_answer_solution_branch(branch, &answer, &error);
        ss_solution_branch_destroy(branch);
    }
    if (!core_watch_end(&watch)) {
        ss_answer_destroy(answer);
        return NULL;
    }
    return answer_of(state, status, answer, &error, status == SS_NOT_FOUND);
}

// Names of the parameters, as the document lists them.
static PyObject* parameters(PyObject* self, PyObject* unused)
{
    (void)unused;
    const ss_node* root = ss_document_root(((core_model*)self)->document);
    const ss_node* map = root ? ss_node_find(root, "parameters") : NULL;
    PyObject* out = PyList_New(0);
    for (const ss_node* one = map ? ss_node_first(map) : NULL; out && one; one = ss_node_next(one)) {
        PyObject* name = PyUnicode_FromString(ss_node_key(one));
        if (!name || PyList_Append(out, name) < 0) Py_CLEAR(out);
        Py_XDECREF(name);
    }
    return out;
}

static bool add_path(void* list, const char* path)
{
    PyObject* text = PyUnicode_FromString(path);
    bool good = text && PyList_Append(list, text) == 0;
    Py_XDECREF(text);
    return good;
}

static PyObject* paths(PyObject* self, PyObject* unused)
{
    (void)unused;
    PyObject* out = PyList_New(0);
    if (out && !ss_document_each_path(((core_model*)self)->document, add_path, out)) Py_CLEAR(out);
    return out;
}

static PyMethodDef methods[] = {{"quantities", quantities, METH_NOARGS, "What can be asked for by its name."},
                                {"describe", describe, METH_NOARGS, "What the model is made of."},
                                {"parameters", parameters, METH_NOARGS, "Names of the parameters."},
                                {"paths", paths, METH_NOARGS, "Paths of all that the document says."},
                                {"matrices", fill_matrices, METH_VARARGS, "Fills M, C, K and W."},
                                {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_dealloc, (void*)dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_doc, "A model as the library holds it."},
                              {0, NULL}};
PyType_Spec core_model_spec = {"slipstick._core.Model", sizeof(core_model), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

PyMethodDef core_model_functions[] = {{"model", make, METH_VARARGS, "A model from a text or a dict."},
                                      {"check", check, METH_O, "What can be said before it moves."},
                                      {"certify", certify, METH_VARARGS, "Must it come to rest?"},
                                      {"cycle", find_cycle, METH_VARARGS, "A motion that repeats."},
                                      {"follow", follow, METH_VARARGS, "A branch over one number."},
                                      {NULL, NULL, 0, NULL}};
