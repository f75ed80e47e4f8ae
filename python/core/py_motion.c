// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions with their record: the arrays stay in the library's memory, and Python looks into them.
#include "core.h"

#include "share/model_parts.h"
#include "share/quantity_table.h"

#include <stddef.h>

typedef struct core_motion {
    PyObject_HEAD PyObject* model;
    ss_motion* motion;
    bool drawn; ///< its rows are those of the sketch, which pictures are made of
    int direction_count;
    ss_path_direction** paths; ///< in which it is differentiated
    ss_direction* directions;
} core_motion;

static void dealloc(PyObject* self)
{
    core_motion* own = (core_motion*)self;
    ss_motion_destroy(own->motion);
    for (int k = 0; k < own->direction_count; k++) ss_path_direction_destroy(own->paths[k]);
    PyMem_Free(own->paths);
    PyMem_Free(own->directions);
    Py_XDECREF(own->model);
    core_free_object(self);
}

// What Python sees as the record.
static ss_motion_rows rows_of(PyObject* self)
{
    const core_motion* own = (core_motion*)self;
    return own->drawn ? ss_motion_sketch(own->motion) : own->motion->rows;
}

const ss_motion* core_motion_get(const core_state* state, PyObject* object)
{
    if (PyObject_TypeCheck(object, state->motion)) return ((core_motion*)object)->motion;
    PyErr_SetString(PyExc_TypeError, "a motion that was simulated here is needed");
    return NULL;
}

PyObject* core_event_tuple(const ss_event* event)
{
    static const char* const kinds[] = {"mode", "impact", "accumulation", "reversal", "jam"};
    return Py_BuildValue("(dissdds)", event->t, event->contact, ss_mode_name(event->from),
                         ss_mode_name(event->to), event->speed_in, event->speed_out, kinds[event->kind]);
}

PyObject* core_note_tuple(const ss_note* note)
{
    PyObject* contacts = PyList_New(note->contact_count);
    for (int k = 0; contacts && k < note->contact_count; k++) {
        PyObject* item = PyLong_FromLong(note->contacts[k]);
        if (!item || PyList_SetItem(contacts, k, item) < 0) Py_CLEAR(contacts);
    }
    return contacts ? Py_BuildValue("(dsN)", note->t, note->text, contacts) : NULL;
}

// Reads the optional array `object`; false where an exception is set.
static bool optional(PyObject* object, const char* what, Py_ssize_t count, core_array* out)
{
    if (object == Py_None) return true;
    if (!core_array_get(object, false, what, out)) return false;
    if (count >= 0 && out->count != count) {
        PyErr_Format(PyExc_ValueError, "%s needs %zd numbers, not %zd", what, count, out->count);
        return false;
    }
    return true;
}

// The numbers by which the motion is to be differentiated; false where an exception is set.
static bool take_directions(const core_state* state, const core_model* model, PyObject* paths, double until,
                            bool through_rounding, core_motion* out)
{
    Py_ssize_t count = PySequence_Size(paths);
    if (count <= 0) return count == 0;
    if (!model->model) {
        PyErr_SetString(PyExc_ValueError, "a slider's motion is not differentiated");
        return false;
    }
    out->paths = PyMem_Calloc((size_t)count, sizeof *out->paths);
    out->directions = PyMem_Calloc((size_t)count, sizeof *out->directions);
    if (!out->paths || !out->directions) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject* item = PySequence_GetItem(paths, k);
        PyObject* bytes = item ? PyUnicode_AsUTF8String(item) : NULL;
        const char* path = bytes ? PyBytes_AsString(bytes) : NULL;
        ss_error error;
        ss_status status = SS_BAD_INPUT;
        if (path)
            status =
                ss_path_direction_create(model->document, model->model, path, until, &out->paths[k], &error);
        Py_XDECREF(item);
        Py_XDECREF(bytes);
        if (status != SS_OK && path) core_raise(state, &error, false);
        if (status != SS_OK) return false;
        out->directions[k] = *ss_path_direction_get(out->paths[k]);
        out->directions[k].through_rounding = through_rounding;
        out->direction_count++;
    }
    return true;
}

// simulate(model, until, at, every, at_events, before_events, start_x, start_v, tolerance, max_events,
// escape, derivative, sketch, sketch_from, sketch_to, through_rounding)
static PyObject* simulate(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    ss_motion_def def = ss_motion_def_default();
    PyObject *object, *at, *start_x, *start_v, *derivative;
    int at_events, before, sketch, through_rounding;
    if (!PyArg_ParseTuple(arguments, "OdOdppOOdldOpddp", &object, &def.until, &at, &def.every, &at_events,
                          &before, &start_x, &start_v, &def.tolerance, &def.max_events, &def.escape,
                          &derivative, &sketch, &def.sketch_from, &def.sketch_to, &through_rounding))
        return NULL;
    core_model* model = core_model_get(state, object);
    if (!model) return NULL;
    core_array moments = {0}, x = {0}, v = {0};
    Py_ssize_t bodies = model->model ? ss_model_body_count(model->model) : 0;
    core_motion* made = NULL;
    if (optional(at, "t_eval", -1, &moments) && optional(start_x, "start", bodies, &x) &&
        optional(start_v, "start", bodies, &v))
        made = PyObject_New(core_motion, state->motion);
    if (made) {
        made->model = Py_NewRef(object);
        made->motion = NULL;
        made->drawn = sketch;
        made->paths = NULL;
        made->directions = NULL;
        made->direction_count = 0;
        if (!take_directions(state, model, derivative, def.until, through_rounding, made)) Py_CLEAR(made);
    }
    if (made) {
        def.directions = made->directions;
        def.direction_count = made->direction_count;
        core_watch watch;
        ss_sim* spare = core_spare_take(model);
        def.spare = &spare;
        def.at = moments.numbers;
        def.at_count = (int)moments.count;
        def.at_events = at_events;
        def.before_events = before;
        def.sketch = sketch;
        def.keep = !sketch;
        def.start_x = x.numbers;
        def.start_v = v.numbers;
        def.keep_going = core_keep_going;
        def.user = &watch;
        ss_error error;
        core_watch_begin(&watch, NULL);
        ss_status status = model->slider
                               ? ss_motion_create_sliding(model->slider, &def, &made->motion, &error)
                               : ss_motion_create(model->model, &def, &made->motion, &error);
        bool created = status == SS_OK;
        if (created) status = ss_motion_run(made->motion, &error);
        bool good = core_watch_end(&watch);
        core_spare_give(model, spare);
        if (!good)
            Py_CLEAR(made);
        else if (status != SS_OK) {
            ss_document_locate(model->document, &error);
            core_raise(state, &error, created);
            Py_CLEAR(made);
        }
    }
    core_array_release(&moments);
    core_array_release(&x);
    core_array_release(&v);
    return (PyObject*)made;
}

// ---- looking into it

// What can be looked at: where it lies, and how far apart its numbers are.
static PyObject* look(PyObject* self, PyObject* arguments)
{
    const char* name;
    if (!PyArg_ParseTuple(arguments, "s", &name)) return NULL;
    const core_state* state = PyType_GetModuleState(Py_TYPE(self));
    const ss_motion* motion = ((core_motion*)self)->motion;
    const ss_motion_rows seen = rows_of(self), *rows = &seen;
    const Py_ssize_t derivatives = (Py_ssize_t)motion->direction_count * rows->derivative_width;
    const Py_ssize_t n = (Py_ssize_t)rows->count, d = (Py_ssize_t)sizeof(double);
    const Py_ssize_t c = (Py_ssize_t)sizeof(ss_contact_state), s = (Py_ssize_t)sizeof(ss_slider_state),
                     u = (Py_ssize_t)sizeof(ss_support_state);
    const char *contacts = (const char*)rows->contacts, *slides = (const char*)rows->slides,
               *supports = (const char*)rows->supports;
    const struct {
        const char* name;
        const void* data;
        const char* format;
        Py_ssize_t row, columns, column;
    } shown[] = {
        {"t", rows->t, "d", d, -1, 0},
        {"joined", ss_motion_sketch(motion).joined, "?", (Py_ssize_t)sizeof(bool), -1, 0},
        {"x", rows->x, "d", rows->bodies * d, rows->bodies, d},
        {"v", rows->v, "d", rows->bodies * d, rows->bodies, d},
        {"numbers", rows->numbers, "d", rows->number_count * d, rows->number_count, d},
        {"derivatives", rows->derivatives, "d", derivatives * d, derivatives, d},
        {"deflections", rows->deflections, "d", rows->elements * d, rows->elements, d},
        {"mode", contacts ? contacts + offsetof(ss_contact_state, mode) : NULL, "i", rows->contact_count * c,
         rows->contact_count, c},
        {"slide", slides, "d", s, 6, d},
        {"support_mode", supports ? supports + offsetof(ss_support_state, mode) : NULL, "i",
         rows->support_count * u, rows->support_count, u},
        {"support_fx", supports ? supports + offsetof(ss_support_state, force) : NULL, "d",
         rows->support_count * u, rows->support_count, u},
        {"support_fy", supports ? supports + offsetof(ss_support_state, force) + d : NULL, "d",
         rows->support_count * u, rows->support_count, u},
    };
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++)
        if (strcmp(shown[k].name, name) == 0)
            return core_view_new(state, self, shown[k].data, shown[k].format, n, shown[k].row,
                                 shown[k].columns, shown[k].column);
    PyErr_SetString(PyExc_KeyError, name);
    return NULL;
}

// How the times of the events change, a list per event.
static PyObject* event_derivatives(PyObject* self, PyObject* unused)
{
    (void)unused;
    const ss_motion* motion = ((core_motion*)self)->motion;
    PyObject* out = PyList_New((Py_ssize_t)motion->event_count);
    for (size_t k = 0; out && k < motion->event_count; k++) {
        PyObject* item = PyList_New(motion->direction_count);
        for (int j = 0; item && j < motion->direction_count; j++) {
            size_t at = k * (size_t)motion->direction_count + (size_t)j;
            PyObject* number = PyFloat_FromDouble(motion->event_derivatives[at]);
            if (!number || PyList_SetItem(item, j, number) < 0) Py_CLEAR(item);
        }
        if (!item || PyList_SetItem(out, (Py_ssize_t)k, item) < 0) Py_CLEAR(out);
    }
    return out;
}

static PyObject* events(PyObject* self, PyObject* unused)
{
    (void)unused;
    const ss_motion* motion = ((core_motion*)self)->motion;
    PyObject* out = PyList_New((Py_ssize_t)motion->event_count);
    for (size_t k = 0; out && k < motion->event_count; k++) {
        PyObject* item;
        if (motion->events)
            item = core_event_tuple(&motion->events[k]);
        else {
            const ss_slide_event* e = &motion->slide_events[k];
            item = Py_BuildValue("(diss(ddd)(ddd))", e->t, e->support, ss_mode_name(e->from),
                                 ss_mode_name(e->to), e->load_before[0], e->load_before[1], e->load_before[2],
                                 e->load_after[0], e->load_after[1], e->load_after[2]);
        }
        if (!item || PyList_SetItem(out, (Py_ssize_t)k, item) < 0) Py_CLEAR(out);
    }
    return out;
}

// Notes as (t, text, contacts).
static PyObject* get_notes(PyObject* self, PyObject* unused)
{
    (void)unused;
    const ss_motion* motion = ((core_motion*)self)->motion;
    PyObject* out = PyList_New((Py_ssize_t)motion->note_count);
    for (size_t k = 0; out && k < motion->note_count; k++) {
        PyObject* item = core_note_tuple(&motion->notes[k]);
        if (!item || PyList_SetItem(out, (Py_ssize_t)k, item) < 0) Py_CLEAR(out);
    }
    return out;
}

static PyObject* list_of_numbers(const double* numbers, int count)
{
    PyObject* out = PyList_New(count);
    for (int k = 0; out && k < count; k++) {
        PyObject* item = PyFloat_FromDouble(numbers[k]);
        if (!item || PyList_SetItem(out, k, item) < 0) Py_CLEAR(out);
    }
    return out;
}

// Where the motion settles, (places of bodies, states), or None.
static PyObject* limit(PyObject* self, PyObject* unused)
{
    (void)unused;
    const ss_motion* motion = ((core_motion*)self)->motion;
    if (!motion->settles || !motion->limit_x)
        Py_RETURN_NONE; // a slider that is carried goes nowhere of its own
    return Py_BuildValue("(NN)", list_of_numbers(motion->limit_x, motion->rows.bodies),
                         list_of_numbers(motion->limit_states, ss_model_state_count(motion->model)));
}

// (outcome, t, settles): what every motion is asked.
static PyObject* summary(PyObject* self, PyObject* unused)
{
    (void)unused;
    const ss_motion* motion = ((core_motion*)self)->motion;
    return Py_BuildValue("(sdN)", ss_outcome_name(motion->outcome), motion->end.t,
                         PyBool_FromLong(motion->settles));
}

// (start, end, input, friction, damping, impact, residual)
static PyObject* energy(PyObject* self, PyObject* unused)
{
    (void)unused;
    const ss_energy* e = &((core_motion*)self)->motion->energy;
    return Py_BuildValue("(ddddddd)", e->start, e->end, e->input, e->friction, e->damping, e->impact,
                         e->residual);
}

// Where the ledger does not close, as a text; empty where it does.
static PyObject* get_warning(PyObject* self, PyObject* unused)
{
    (void)unused;
    char text[512];
    bool warned = ss_energy_warning(&((core_motion*)self)->motion->energy, text, sizeof text);
    return PyUnicode_FromString(warned ? text : "");
}

static PyObject* count_rows(PyObject* self, PyObject* unused)
{
    (void)unused;
    return PyLong_FromSize_t(rows_of(self).count);
}

// Takes hold of an array of `count` doubles that is to be filled.
static bool get_room(PyObject* object, size_t count, core_array* out)
{
    if (!core_array_get(object, true, "an array", out)) return false;
    if ((size_t)out->count == count) return true;
    PyErr_SetString(PyExc_ValueError, "the array has the wrong size");
    core_array_release(out);
    return false;
}

// fill(y): the place and the speed of every body over the rows, (2 bodies, rows).
static PyObject* fill(PyObject* self, PyObject* object)
{
    const ss_motion_rows seen = rows_of(self), *rows = &seen;
    size_t bodies = (size_t)rows->bodies, count = rows->count;
    core_array y = {0};
    if (!get_room(object, 2 * bodies * count, &y)) return NULL;
    for (size_t b = 0; b < bodies; b++) {
        double *x = y.numbers + 2 * b * count, *v = x + count;
        for (size_t k = 0; k < count; k++) {
            x[k] = rows->x[k * bodies + b];
            v[k] = rows->v[k * bodies + b];
        }
    }
    core_array_release(&y);
    Py_RETURN_NONE;
}

// column(name, out): a quantity of the model by its name, for every row of the record.
static PyObject* column(PyObject* self, PyObject* arguments)
{
    const core_state* state = PyType_GetModuleState(Py_TYPE(self));
    const ss_model* model = ((core_motion*)self)->motion->model;
    const ss_motion_rows rows = rows_of(self);
    PyObject* object;
    const char* name;
    core_array out = {0};
    ss_quantity quantity;
    ss_error error;
    if (!PyArg_ParseTuple(arguments, "sO", &name, &object)) return NULL;
    if (ss_quantity_find(model, name, &quantity, &error) != SS_OK) return core_raise(state, &error, false);
    if (!get_room(object, rows.count, &out)) return NULL;
    for (size_t k = 0; k < rows.count; k++) {
        ss_moment moment = ss_rows_moment(&rows, k);
        out.numbers[k] = ss_quantity_at(quantity, &moment);
    }
    core_array_release(&out);
    Py_RETURN_NONE;
}

// displacement(contact, out): along the row of a contact, for every row of the record.
static PyObject* displacement(PyObject* self, PyObject* arguments)
{
    const ss_model* model = ((core_motion*)self)->motion->model;
    const ss_motion_rows rows = rows_of(self);
    PyObject* object;
    int contact;
    core_array out = {0};
    if (!PyArg_ParseTuple(arguments, "iO", &contact, &object)) return NULL;
    if (contact < 0 || contact >= rows.contact_count) {
        PyErr_SetString(PyExc_IndexError, "there is no such contact");
        return NULL;
    }
    if (!get_room(object, rows.count, &out)) return NULL;
    for (size_t k = 0; k < rows.count; k++)
        out.numbers[k] = ss_model_displacement(model, contact, rows.x + k * (size_t)rows.bodies);
    core_array_release(&out);
    Py_RETURN_NONE;
}

static PyObject* answer(PyObject* self, PyObject* unused)
{
    (void)unused;
    const core_state* state = PyType_GetModuleState(Py_TYPE(self));
    ss_answer* found;
    ss_error error;
    ss_status status = ss_answer_motion(((core_motion*)self)->motion, &found, &error);
    return status == SS_OK ? core_answer_take(found) : core_raise(state, &error, true);
}

// The answer as the command line prints it.
static PyObject* json(PyObject* self, PyObject* unused)
{
    (void)unused;
    const core_state* state = PyType_GetModuleState(Py_TYPE(self));
    ss_answer* found;
    ss_error error;
    if (ss_answer_motion(((core_motion*)self)->motion, &found, &error) != SS_OK)
        return core_raise(state, &error, true);
    size_t length = ss_answer_format_json(found, NULL, 0);
    char* text = PyMem_Malloc(length + 1);
    if (text) ss_answer_format_json(found, text, length + 1);
    PyObject* out = text ? PyUnicode_FromStringAndSize(text, (Py_ssize_t)length) : PyErr_NoMemory();
    PyMem_Free(text);
    ss_answer_destroy(found);
    return out;
}

static PyMethodDef methods[] = {
    {"look", look, METH_VARARGS, "An array of the record, by name."},
    {"event_derivatives", event_derivatives, METH_NOARGS, "How the times of all events change."},
    {"events", events, METH_NOARGS, "All events, as tuples."},
    {"summary", summary, METH_NOARGS, "How it ended."},
    {"limit", limit, METH_NOARGS, "Where it settles."},
    {"energy", energy, METH_NOARGS, "The ledger."},
    {"warning", get_warning, METH_NOARGS, "Where the ledger does not close."},
    {"notes", get_notes, METH_NOARGS, "What is worth knowing, as tuples."},
    {"count", count_rows, METH_NOARGS, "How many rows the record has."},
    {"fill", fill, METH_O, "Places and speeds of all bodies."},
    {"column", column, METH_VARARGS, "A quantity by its name."},
    {"displacement", displacement, METH_VARARGS, "The displacement along a contact."},
    {"answer", answer, METH_NOARGS, "The answer of the command line, as a dict."},
    {"json", json, METH_NOARGS, "The same as the text it prints."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_dealloc, (void*)dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_doc, "A motion with its record."},
                              {0, NULL}};
PyType_Spec core_motion_spec = {"slipstick._core.Motion", sizeof(core_motion), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

PyMethodDef core_motion_functions[] = {{"simulate", simulate, METH_VARARGS, "Runs a motion to its end."},
                                       {NULL, NULL, 0, NULL}};
