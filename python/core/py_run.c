// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A run that Python holds: it advances, stops at events, and is asked in between. Bodies and sliders alike.
#include "core.h"

#include "share/model_parts.h"
#include "share/quantity_table.h"

typedef struct core_run {
    PyObject_HEAD PyObject* model;
    ss_sim* sim;       ///< of bodies
    ss_slide* slide;   ///< of a slider
    core_watch* watch; ///< while the library works
    PyObject* log;     ///< events since the last question; NULL once an event could not be kept
} core_run;

static void dealloc(PyObject* self)
{
    core_run* run = (core_run*)self;
    ss_sim_destroy(run->sim);
    ss_slide_destroy(run->slide);
    Py_XDECREF(run->model);
    Py_XDECREF(run->log);
    core_free_object(self);
}

// Events come while the lock is free: it is taken for a moment.
static void keep_event(void* user, const ss_event* event)
{
    core_run* run = user;
    if (run->watch) PyEval_RestoreThread(run->watch->thread);
    PyObject* item = run->log ? core_event_tuple(event) : NULL;
    if (!item || PyList_Append(run->log, item) < 0) {
        PyErr_Clear();
        Py_CLEAR(run->log); // out of memory: told at the next question
    }
    Py_XDECREF(item);
    if (run->watch) run->watch->thread = PyEval_SaveThread();
}

static void keep_slide_event(void* user, const ss_slide_event* e)
{
    core_run* run = user;
    if (run->watch) PyEval_RestoreThread(run->watch->thread);
    PyObject* item =
        run->log ? Py_BuildValue("(diss(ddd)(ddd))", e->t, e->support, ss_mode_name(e->from),
                                 ss_mode_name(e->to), e->load_before[0], e->load_before[1], e->load_before[2],
                                 e->load_after[0], e->load_after[1], e->load_after[2])
                 : NULL;
    if (!item || PyList_Append(run->log, item) < 0) {
        PyErr_Clear();
        Py_CLEAR(run->log);
    }
    Py_XDECREF(item);
    if (run->watch) run->watch->thread = PyEval_SaveThread();
}

// Whether the run may be asked or changed now; raises where it is closed or at work in another thread.
static bool is_free(const core_run* run)
{
    if (run->watch)
        PyErr_SetString(PyExc_RuntimeError, "this run is being advanced by another thread");
    else if (!run->sim && !run->slide)
        PyErr_SetString(PyExc_ValueError, "this run is closed");
    return !PyErr_Occurred();
}

static bool run_keep_going(void* user, double t)
{
    core_run* run = user;
    return !run->watch || core_keep_going(run->watch, t);
}

static ss_status open_run(core_run* run, const core_model* model, double tolerance, long max_events,
                          const double* x, const double* v, ss_error* error)
{
    if (model->slider) {
        ss_slide_def def = ss_slide_def_default();
        def.tolerance = tolerance;
        def.max_events = max_events;
        def.on_event = keep_slide_event;
        def.keep_going = run_keep_going;
        def.user = run;
        def.start = x;
        def.start_speed = v;
        return ss_slide_create(model->slider, &def, &run->slide, error);
    }
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = tolerance;
    def.max_events = max_events;
    def.on_event = keep_event;
    def.keep_going = run_keep_going;
    def.user = run;
    def.start_x = x;
    def.start_v = v;
    return ss_sim_create(model->model, &def, &run->sim, error);
}

// run(model, tolerance, max_events, start_x, start_v)
static PyObject* make(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *start_x, *start_v;
    double tolerance;
    long max_events;
    if (!PyArg_ParseTuple(arguments, "OdlOO", &object, &tolerance, &max_events, &start_x, &start_v))
        return NULL;
    core_model* model = core_model_get(state, object);
    if (!model) return NULL;
    Py_ssize_t wide = model->model ? ss_model_body_count(model->model) : 3;
    core_array x = {0}, v = {0};
    core_run* run = NULL;
    bool good = start_x == Py_None || core_array_get(start_x, false, "start", &x);
    good = good && (start_v == Py_None || core_array_get(start_v, false, "start", &v));
    if (good && ((x.numbers && x.count != wide) || (v.numbers && v.count != wide))) {
        PyErr_SetString(PyExc_ValueError, "a start has one number per body");
        good = false;
    }
    if (good) run = PyObject_New(core_run, state->run);
    if (run) {
        run->sim = NULL;
        run->slide = NULL;
        run->watch = NULL;
        run->model = Py_NewRef(object);
        run->log = PyList_New(0);
        ss_error error;
        if (!run->log)
            Py_CLEAR(run);
        else if (open_run(run, model, tolerance, max_events, x.numbers, v.numbers, &error) != SS_OK) {
            core_raise(state, &error, false);
            Py_CLEAR(run);
        }
    }
    core_array_release(&x);
    core_array_release(&v);
    return (PyObject*)run;
}

// advance(until, to_event) -> (outcome, stopped at an event)
static PyObject* advance(PyObject* self, PyObject* arguments)
{
    core_run* run = (core_run*)self;
    const core_state* state = PyType_GetModuleState(Py_TYPE(self));
    double until;
    int to_event;
    if (!PyArg_ParseTuple(arguments, "dp", &until, &to_event)) return NULL;
    if (!is_free(run)) return NULL;
    ss_outcome outcome = SS_TIME_REACHED;
    ss_error error;
    ss_status status;
    bool at_event = false;
    core_watch watch;
    run->watch = &watch;
    core_watch_begin(&watch, NULL);
    if (run->sim)
        status = to_event ? ss_sim_advance_to_event(run->sim, until, &at_event, &outcome, &error)
                          : ss_sim_advance(run->sim, until, &outcome, &error);
    else
        status = to_event ? ss_slide_advance_to_event(run->slide, until, &at_event, &outcome, &error)
                          : ss_slide_advance(run->slide, until, &outcome, &error);
    bool good = core_watch_end(&watch);
    run->watch = NULL;
    if (!good) return NULL;
    if (status != SS_OK) {
        ss_document_locate(((core_model*)run->model)->document, &error);
        return core_raise(state, &error, true);
    }
    return Py_BuildValue("(sN)", ss_outcome_name(outcome), PyBool_FromLong(at_event));
}

static PyObject* get_time(PyObject* self, PyObject* unused)
{
    (void)unused;
    const core_run* run = (core_run*)self;
    if (!is_free(run)) return NULL;
    return PyFloat_FromDouble(run->sim ? ss_sim_time(run->sim) : ss_slide_time(run->slide));
}

// One number of the state: place(body, speed); of a slider place(0..5, False).
static PyObject* place(PyObject* self, PyObject* arguments)
{
    const core_run* run = (core_run*)self;
    int body, speed;
    if (!PyArg_ParseTuple(arguments, "ip", &body, &speed) || !is_free(run)) return NULL;
    const core_model* model = (core_model*)run->model;
    int count = run->sim ? ss_model_body_count(model->model) : 6;
    if (body < 0 || body >= count) {
        PyErr_SetString(PyExc_IndexError, "there is no such body");
        return NULL;
    }
    if (run->sim) return PyFloat_FromDouble((speed ? ss_sim_v(run->sim) : ss_sim_x(run->sim))[body]);
    ss_slider_state s = ss_slide_state(run->slide);
    const double numbers[6] = {s.x, s.y, s.angle, s.vx, s.vy, s.spin};
    return PyFloat_FromDouble(numbers[body]);
}

// A quantity of the model, by its name.
static PyObject* quantity(PyObject* self, PyObject* arguments)
{
    const core_run* run = (core_run*)self;
    const core_state* state = PyType_GetModuleState(Py_TYPE(self));
    const char* name;
    ss_quantity found;
    ss_error error;
    if (!PyArg_ParseTuple(arguments, "s", &name) || !is_free(run)) return NULL;
    if (!run->sim) {
        PyErr_SetString(PyExc_KeyError, name);
        return NULL;
    }
    const ss_model* model = ((core_model*)run->model)->model;
    if (ss_quantity_find(model, name, &found, &error) != SS_OK) return core_raise(state, &error, false);
    double* numbers = PyMem_Calloc((size_t)ss_sim_numbers(run->sim, NULL) + 1, sizeof(double));
    if (!numbers) return PyErr_NoMemory();
    double value = ss_quantity_now(found, run->sim, numbers);
    PyMem_Free(numbers);
    return PyFloat_FromDouble(value);
}

// set_input(number, value)
static PyObject* set_input(PyObject* self, PyObject* arguments)
{
    const core_run* run = (core_run*)self;
    const core_state* state = PyType_GetModuleState(Py_TYPE(self));
    int input;
    double value;
    ss_error error;
    if (!PyArg_ParseTuple(arguments, "id", &input, &value) || !is_free(run)) return NULL;
    if (!run->sim) {
        PyErr_SetString(PyExc_TypeError, "a slider has no inputs");
        return NULL;
    }
    if (ss_sim_set_input(run->sim, input, value, &error) != SS_OK) return core_raise(state, &error, false);
    Py_RETURN_NONE;
}

static PyObject* save(PyObject* self, PyObject* unused)
{
    (void)unused;
    const core_run* run = (core_run*)self;
    const core_state* state = PyType_GetModuleState(Py_TYPE(self));
    if (!is_free(run)) return NULL;
    size_t size = run->sim ? ss_sim_save_size(run->sim) : ss_slide_save_size(run->slide);
    char* bytes = PyMem_Malloc(size);
    if (!bytes) return PyErr_NoMemory();
    ss_error error;
    ss_status status = run->sim ? ss_sim_save(run->sim, bytes, size, &error)
                                : ss_slide_save(run->slide, bytes, size, &error);
    PyObject* out = status == SS_OK ? PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size)
                                    : core_raise(state, &error, true);
    PyMem_Free(bytes);
    return out;
}

static PyObject* load(PyObject* self, PyObject* saved)
{
    const core_run* run = (core_run*)self;
    const core_state* state = PyType_GetModuleState(Py_TYPE(self));
    char* bytes;
    Py_ssize_t size;
    if (!is_free(run) || PyBytes_AsStringAndSize(saved, &bytes, &size) < 0) return NULL;
    ss_error error;
    ss_status status = run->sim ? ss_sim_load(run->sim, bytes, (size_t)size, &error)
                                : ss_slide_load(run->slide, bytes, (size_t)size, &error);
    if (status != SS_OK) return core_raise(state, &error, false);
    Py_RETURN_NONE;
}

// (mode, force, limit, velocity, determined, z) of a contact
static PyObject* contact(PyObject* self, PyObject* arguments)
{
    const core_run* run = (core_run*)self;
    int i;
    if (!PyArg_ParseTuple(arguments, "i", &i) || !is_free(run)) return NULL;
    const core_model* model = (core_model*)run->model;
    if (!run->sim || i < 0 || i >= ss_model_contact_count(model->model)) {
        PyErr_SetString(PyExc_IndexError, "there is no such contact");
        return NULL;
    }
    ss_contact_state c = ss_sim_contact(run->sim, i);
    return Py_BuildValue("(sdddNd)", ss_mode_name(c.mode), c.force, c.limit, c.velocity,
                         PyBool_FromLong(c.determined), c.z);
}

static PyObject* take_events(PyObject* self, PyObject* unused)
{
    (void)unused;
    core_run* run = (core_run*)self;
    if (!is_free(run)) return NULL;
    PyObject *out = run->log, *fresh = PyList_New(0);
    if (!fresh) return NULL;
    run->log = fresh;
    return out ? out : PyErr_NoMemory();
}

// (start, end, input, friction, damping, impact, residual)
static PyObject* energy(PyObject* self, PyObject* unused)
{
    (void)unused;
    const core_run* run = (core_run*)self;
    if (!is_free(run)) return NULL;
    ss_energy e = run->sim ? ss_sim_energy(run->sim) : ss_slide_energy(run->slide);
    return Py_BuildValue("(ddddddd)", e.start, e.end, e.input, e.friction, e.damping, e.impact, e.residual);
}

// Gives the run's memory back; closing twice is welcome.
static PyObject* close_run(PyObject* self, PyObject* unused)
{
    (void)unused;
    core_run* run = (core_run*)self;
    if (run->watch && !is_free(run)) return NULL;
    ss_sim_destroy(run->sim);
    ss_slide_destroy(run->slide);
    run->sim = NULL;
    run->slide = NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"advance", advance, METH_VARARGS, "Goes on."},
    {"time", get_time, METH_NOARGS, "The time reached."},
    {"place", place, METH_VARARGS, "One number of the state."},
    {"contact", contact, METH_VARARGS, "What a contact does."},
    {"quantity", quantity, METH_VARARGS, "A number of the model now, by its name."},
    {"set_input", set_input, METH_VARARGS, "An input from now on."},
    {"save", save, METH_NOARGS, "The run as bytes."},
    {"load", load, METH_O, "Goes on from saved bytes."},
    {"take_events", take_events, METH_NOARGS, "Events since the last question."},
    {"energy", energy, METH_NOARGS, "The ledger."},
    {"close", close_run, METH_NOARGS, "Gives the memory back."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_dealloc, (void*)dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_doc, "A run that can be held."},
                              {0, NULL}};
PyType_Spec core_run_spec = {"slipstick._core.Run", sizeof(core_run), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

PyMethodDef core_run_functions[] = {{"run", make, METH_VARARGS, "A run from the start of a model."},
                                    {NULL, NULL, 0, NULL}};
