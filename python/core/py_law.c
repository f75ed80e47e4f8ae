// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Laws alone, as in a real-time loop: a number or a record of speeds in, forces out. A law here carries its
// state with it.
#include "py_law.h"

static double step_coulomb(core_law* law, double v, double dt)
{
    (void)dt;
    return ss_coulomb_force(&law->coulomb, v, law->holding);
}

static double step_stribeck(core_law* law, double v, double dt)
{
    (void)dt;
    return ss_stribeck_force(&law->stribeck, v, law->holding);
}

static double step_lugre(core_law* law, double v, double dt)
{
    return ss_lugre_step(&law->lugre, &law->z, v, dt);
}

static double step_dahl(core_law* law, double v, double dt)
{
    return ss_dahl_step(&law->dahl, &law->z, v, dt);
}

static double step_maxwell(core_law* law, double v, double dt)
{
    return ss_maxwell_slip_step(&law->maxwell, &law->memory, v, dt);
}

static double step_hunt_crossley(core_law* law, double v, double dt)
{
    law->z += v * dt;
    return ss_hunt_crossley_force(&law->hunt_crossley, law->z, v);
}

static double step_elasto_plastic(core_law* law, double v, double dt)
{
    return ss_elasto_plastic_step(&law->elasto_plastic, &law->z, v, dt);
}

static double step_gms(core_law* law, double v, double dt)
{
    return ss_gms_step(&law->gms, law->reversals, v, dt);
}

static double step_elastic_stop(core_law* law, double v, double dt)
{
    law->z += v * dt;
    return ss_elastic_stop_force(&law->elastic_stop, law->z, v);
}

static double step_numbers(core_law* law, double v, double dt)
{
    return ss_formula_law_step(law->kind, &law->numbers, &law->z, v, dt);
}

static void dealloc(PyObject* self)
{
    core_law* law = (core_law*)self;
    PyMem_Free(law->room);
    PyMem_Free(law->reversals);
    for (int way = 0; way < 2; way++) ss_signal_destroy(law->formula[way]);
    core_free_object(self);
}

core_law* core_law_new(const core_state* state, core_step* step)
{
    core_law* law = PyObject_New(core_law, state->law);
    if (!law) return NULL;
    law->step = step;
    law->z = law->holding = 0.0;
    law->room = law->reversals = NULL;
    law->formula[0] = law->formula[1] = NULL;
    return law;
}

PyObject* core_law_finish(const core_state* state, core_law* law, ss_status status, const ss_error* error)
{
    if (status == SS_OK) return (PyObject*)law;
    Py_DECREF(law);
    return core_raise(state, error, false);
}

static PyObject* coulomb(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = core_law_new(state, step_coulomb);
    ss_error error;
    if (!law) return NULL;
    ss_coulomb* own = &law->coulomb;
    if (!PyArg_ParseTuple(arguments, "dddd", &own->forward, &own->backward, &own->static_forward,
                          &own->static_backward)) {
        Py_DECREF(law);
        return NULL;
    }
    return core_law_finish(state, law, ss_coulomb_check(own, &error), &error);
}

static PyObject* stribeck(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = core_law_new(state, step_stribeck);
    ss_error error;
    if (!law) return NULL;
    ss_stribeck* own = &law->stribeck;
    if (!PyArg_ParseTuple(arguments, "ddddd", &own->coulomb, &own->static_level, &own->speed, &own->shape,
                          &own->viscous)) {
        Py_DECREF(law);
        return NULL;
    }
    return core_law_finish(state, law, ss_stribeck_check(own, &error), &error);
}

static PyObject* lugre(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = core_law_new(state, step_lugre);
    ss_error error;
    if (!law) return NULL;
    ss_lugre* own = &law->lugre;
    if (!PyArg_ParseTuple(arguments, "ddddddd", &own->sigma0, &own->sigma1, &own->sigma2, &own->coulomb,
                          &own->static_level, &own->speed, &own->shape)) {
        Py_DECREF(law);
        return NULL;
    }
    return core_law_finish(state, law, ss_lugre_check(own, &error), &error);
}

static PyObject* dahl(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = core_law_new(state, step_dahl);
    ss_error error;
    if (!law) return NULL;
    ss_dahl* own = &law->dahl;
    if (!PyArg_ParseTuple(arguments, "ddd", &own->sigma0, &own->coulomb, &own->shape)) {
        Py_DECREF(law);
        return NULL;
    }
    return core_law_finish(state, law, ss_dahl_check(own, &error), &error);
}

static PyObject* elasto_plastic(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = core_law_new(state, step_elasto_plastic);
    ss_error error;
    if (!law) return NULL;
    ss_lugre* own = &law->elasto_plastic.lugre;
    if (!PyArg_ParseTuple(arguments, "dddddddd", &own->sigma0, &own->sigma1, &own->sigma2, &own->coulomb,
                          &own->static_level, &own->speed, &own->shape, &law->elasto_plastic.breakaway)) {
        Py_DECREF(law);
        return NULL;
    }
    return core_law_finish(state, law, ss_elasto_plastic_check(&law->elasto_plastic, &error), &error);
}

// numbers(name, (number, ..)): of a law that is a formula of numbers, in the order of its keys
static PyObject* numbers(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    const char* name;
    PyObject* list;
    int kind = 0;
    if (!PyArg_ParseTuple(arguments, "sO!", &name, &PyTuple_Type, &list)) return NULL;
    while (ss_formula_law_count((ss_law_kind)kind) >= 0 && strcmp(ss_law_name((ss_law_kind)kind), name) != 0)
        kind++;
    core_law* law = core_law_new(state, step_numbers);
    if (!law) return NULL;
    law->kind = (ss_law_kind)kind;
    memset(&law->numbers, 0, sizeof law->numbers);
    for (int k = 0; k < ss_formula_law_count(law->kind) && k < PyTuple_Size(list); k++)
        law->numbers.number[k] = PyFloat_AsDouble(PyTuple_GetItem(list, k));
    if (PyErr_Occurred()) {
        Py_DECREF(law);
        return NULL;
    }
    ss_error error;
    ss_status status = ss_formula_law_check(law->kind, &law->numbers, &error);
    if (status == SS_OK) law->z = ss_formula_law_start(law->kind, &law->numbers);
    return core_law_finish(state, law, status, &error);
}

static PyObject* hunt_crossley(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = core_law_new(state, step_hunt_crossley);
    ss_error error;
    if (!law) return NULL;
    ss_hunt_crossley* own = &law->hunt_crossley;
    if (!PyArg_ParseTuple(arguments, "diddd", &own->position, &own->side, &own->stiffness, &own->exponent,
                          &own->alpha)) {
        Py_DECREF(law);
        return NULL;
    }
    return core_law_finish(state, law, ss_hunt_crossley_check(own, &error), &error);
}

static PyObject* elastic_stop(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = core_law_new(state, step_elastic_stop);
    ss_error error;
    if (!law) return NULL;
    ss_elastic_stop* own = &law->elastic_stop;
    int limited;
    if (!PyArg_ParseTuple(arguments, "didddp", &own->position, &own->side, &own->stiffness, &own->exponent,
                          &own->damping, &limited)) {
        Py_DECREF(law);
        return NULL;
    }
    own->limited = limited != 0;
    return core_law_finish(state, law, ss_elastic_stop_check(own, &error), &error);
}

// Two lists of the same length, one number of each for every element.
static bool get_elements(PyObject* first, PyObject* second, const char* const names[2], core_array arrays[2])
{
    if (!core_array_get(first, false, names[0], &arrays[0]) ||
        !core_array_get(second, false, names[1], &arrays[1]))
        return false;
    if (arrays[0].count == arrays[1].count && arrays[0].count <= INT32_MAX) return true;
    PyErr_Format(PyExc_ValueError, "every element has a %s and a %s", names[0], names[1]);
    return false;
}

// A law whose elements need room of their own.
core_law* core_law_new_with_room(const core_state* state, core_step* step, size_t room, size_t reversals)
{
    core_law* law = core_law_new(state, step);
    if (!law) return NULL;
    law->room = PyMem_Malloc(room);
    law->reversals = PyMem_Calloc(1, reversals);
    if (law->room && law->reversals) return law;
    Py_DECREF(law);
    PyErr_NoMemory();
    return NULL;
}

// maxwell_slip(stiffness, breakaway, saturation)
static PyObject* maxwell_slip(PyObject* module, PyObject* arguments)
{
    static const char* const names[2] = {"stiffness", "breakaway"};
    const core_state* state = core_of_module(module);
    PyObject *stiffness, *breakaway, *out = NULL;
    double saturation;
    core_array arrays[2] = {0};
    if (!PyArg_ParseTuple(arguments, "OOd", &stiffness, &breakaway, &saturation)) return NULL;
    core_law* law = NULL;
    int count = 0;
    if (get_elements(stiffness, breakaway, names, arrays)) {
        count = (int)arrays[0].count;
        law = core_law_new_with_room(state, step_maxwell, ss_maxwell_slip_size(count) + 1,
                                     ((size_t)count + 1) * sizeof(ss_reversal));
    }
    if (law) {
        ss_error error;
        ss_status status = ss_maxwell_slip_make(arrays[0].numbers, arrays[1].numbers, count, law->room,
                                                &law->maxwell, &error);
        if (status == SS_OK)
            ss_maxwell_slip_start(&law->maxwell, &law->memory, law->reversals, 0.0, saturation);
        out = core_law_finish(state, law, status, &error);
    }
    core_array_release(&arrays[0]);
    core_array_release(&arrays[1]);
    return out;
}

// gms(stiffness, share, coulomb, static, speed, shape, attraction, viscous)
static PyObject* gms(PyObject* module, PyObject* arguments)
{
    static const char* const names[2] = {"stiffness", "share"};
    const core_state* state = core_of_module(module);
    PyObject *stiffness, *share, *out = NULL;
    ss_gms own = {0};
    core_array arrays[2] = {0};
    if (!PyArg_ParseTuple(arguments, "OOdddddd", &stiffness, &share, &own.coulomb, &own.static_level,
                          &own.speed, &own.shape, &own.attraction, &own.viscous))
        return NULL;
    core_law* law = NULL;
    if (get_elements(stiffness, share, names, arrays)) {
        own.count = (int)arrays[0].count;
        law = core_law_new_with_room(state, step_gms, (2 * (size_t)own.count + 1) * sizeof(double),
                                     ((size_t)own.count + 1) * sizeof(ss_gms_element));
    }
    if (law) {
        double* numbers = law->room;
        for (int i = 0; i < own.count; i++) {
            numbers[i] = arrays[0].numbers[i];
            numbers[own.count + i] = arrays[1].numbers[i];
        }
        own.stiffness = numbers;
        own.share = numbers + own.count;
        law->gms = own;
        ss_error error;
        out = core_law_finish(state, law, ss_gms_check(&own, &error), &error);
    }
    core_array_release(&arrays[0]);
    core_array_release(&arrays[1]);
    return out;
}

// ---- steps

static PyObject* step(PyObject* self, PyObject* arguments)
{
    core_law* law = (core_law*)self;
    double v, dt;
    if (!PyArg_ParseTuple(arguments, "dd", &v, &dt)) return NULL;
    return PyFloat_FromDouble(law->step(law, v, dt));
}

// step_many(speeds, dt, forces): one step after the other
static PyObject* step_many(PyObject* self, PyObject* arguments)
{
    core_law* law = (core_law*)self;
    PyObject *speeds, *forces;
    double dt;
    if (!PyArg_ParseTuple(arguments, "OdO", &speeds, &dt, &forces)) return NULL;
    core_array v = {0}, f = {0};
    bool good = core_array_get(speeds, false, "v", &v) && core_array_get(forces, true, "forces", &f);
    if (good && v.count != f.count) {
        PyErr_SetString(PyExc_ValueError, "as many forces as speeds");
        good = false;
    }
    if (good) {
        PyThreadState* thread = PyEval_SaveThread();
        for (Py_ssize_t k = 0; k < v.count; k++) f.numbers[k] = law->step(law, v.numbers[k], dt);
        PyEval_RestoreThread(thread);
    }
    core_array_release(&v);
    core_array_release(&f);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyObject* get_z(PyObject* self, void* unused)
{
    (void)unused;
    return PyFloat_FromDouble(((core_law*)self)->z);
}

static int set_z(PyObject* self, PyObject* value, void* unused)
{
    (void)unused;
    double z = value ? PyFloat_AsDouble(value) : 0.0;
    if (PyErr_Occurred()) return -1;
    ((core_law*)self)->z = z;
    return 0;
}

static PyObject* get_holding(PyObject* self, void* unused)
{
    (void)unused;
    return PyFloat_FromDouble(((core_law*)self)->holding);
}

static int set_holding(PyObject* self, PyObject* value, void* unused)
{
    (void)unused;
    double holding = value ? PyFloat_AsDouble(value) : 0.0;
    if (PyErr_Occurred()) return -1;
    ((core_law*)self)->holding = holding;
    return 0;
}

static PyGetSetDef members[] = {{"z", get_z, set_z, "m: the deflection, or the place", NULL},
                                {"holding", get_holding, set_holding, "N: what would hold at rest", NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef methods[] = {{"step", step, METH_VARARGS, "One step of constant speed."},
                                {"step_many", step_many, METH_VARARGS, "One step after the other."},
                                {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_dealloc, (void*)dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, members},
                              {Py_tp_doc, "A law with its state."},
                              {0, NULL}};
PyType_Spec core_law_spec = {"slipstick._core.Law", sizeof(core_law), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

PyMethodDef core_law_functions[] = {{"coulomb", coulomb, METH_VARARGS, ""},
                                    {"stribeck", stribeck, METH_VARARGS, ""},
                                    {"lugre", lugre, METH_VARARGS, ""},
                                    {"dahl", dahl, METH_VARARGS, ""},
                                    {"elasto_plastic", elasto_plastic, METH_VARARGS, ""},
                                    {"gms", gms, METH_VARARGS, ""},
                                    {"elastic_stop", elastic_stop, METH_VARARGS, ""},
                                    {"curve", core_law_curve, METH_VARARGS, ""},
                                    {"maxwell_slip", maxwell_slip, METH_VARARGS, ""},
                                    {"numbers", numbers, METH_VARARGS, ""},
                                    {"hunt_crossley", hunt_crossley, METH_VARARGS, ""},
                                    {NULL, NULL, 0, NULL}};
