// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Laws alone, as in a real-time loop: a number or a record of speeds in, forces out. A law here carries its
// state with it.
#include "core.h"

typedef struct core_law core_law;

// What a law does with one step of constant speed; its force on A at the end.
typedef double step_function(core_law* law, double v, double dt);

struct core_law {
    PyObject_HEAD step_function* step;
    union {
        ss_coulomb coulomb;
        ss_stribeck stribeck;
        ss_lugre lugre;
        ss_dahl dahl;
        ss_hunt_crossley hunt_crossley;
        ss_maxwell_slip maxwell;
    };
    double z;       ///< m: of LuGre and Dahl; of an elastic stop the place x_A - x_B
    double holding; ///< N: what would keep a law that is set-valued at rest there
    ss_maxwell_state memory;
    void *room, *reversals; ///< of Maxwell-slip
};

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

static void dealloc(PyObject* self)
{
    core_law* law = (core_law*)self;
    PyMem_Free(law->room);
    PyMem_Free(law->reversals);
    core_free_object(self);
}

static core_law* new_law(const core_state* state, step_function* step)
{
    core_law* law = PyObject_New(core_law, state->law);
    if (!law) return NULL;
    law->step = step;
    law->z = law->holding = 0.0;
    law->room = law->reversals = NULL;
    return law;
}

// The law where its numbers are good, otherwise the error.
static PyObject* finish(const core_state* state, core_law* law, ss_status status, const ss_error* error)
{
    if (status == SS_OK) return (PyObject*)law;
    Py_DECREF(law);
    return core_raise(state, error, false);
}

static PyObject* coulomb(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = new_law(state, step_coulomb);
    ss_error error;
    if (!law) return NULL;
    ss_coulomb* own = &law->coulomb;
    if (!PyArg_ParseTuple(arguments, "dddd", &own->forward, &own->backward, &own->static_forward,
                          &own->static_backward)) {
        Py_DECREF(law);
        return NULL;
    }
    return finish(state, law, ss_coulomb_check(own, &error), &error);
}

static PyObject* stribeck(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = new_law(state, step_stribeck);
    ss_error error;
    if (!law) return NULL;
    ss_stribeck* own = &law->stribeck;
    if (!PyArg_ParseTuple(arguments, "ddddd", &own->coulomb, &own->static_level, &own->speed, &own->shape,
                          &own->viscous)) {
        Py_DECREF(law);
        return NULL;
    }
    return finish(state, law, ss_stribeck_check(own, &error), &error);
}

static PyObject* lugre(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = new_law(state, step_lugre);
    ss_error error;
    if (!law) return NULL;
    ss_lugre* own = &law->lugre;
    if (!PyArg_ParseTuple(arguments, "ddddddd", &own->sigma0, &own->sigma1, &own->sigma2, &own->coulomb,
                          &own->static_level, &own->speed, &own->shape)) {
        Py_DECREF(law);
        return NULL;
    }
    return finish(state, law, ss_lugre_check(own, &error), &error);
}

static PyObject* dahl(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = new_law(state, step_dahl);
    ss_error error;
    if (!law) return NULL;
    ss_dahl* own = &law->dahl;
    if (!PyArg_ParseTuple(arguments, "ddd", &own->sigma0, &own->coulomb, &own->shape)) {
        Py_DECREF(law);
        return NULL;
    }
    return finish(state, law, ss_dahl_check(own, &error), &error);
}

static PyObject* hunt_crossley(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    core_law* law = new_law(state, step_hunt_crossley);
    ss_error error;
    if (!law) return NULL;
    ss_hunt_crossley* own = &law->hunt_crossley;
    if (!PyArg_ParseTuple(arguments, "diddd", &own->position, &own->side, &own->stiffness, &own->exponent,
                          &own->alpha)) {
        Py_DECREF(law);
        return NULL;
    }
    return finish(state, law, ss_hunt_crossley_check(own, &error), &error);
}

// maxwell_slip(stiffness, breakaway, saturation)
static PyObject* maxwell_slip(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *stiffness, *breakaway;
    double saturation;
    core_array k = {0}, f = {0};
    if (!PyArg_ParseTuple(arguments, "OOd", &stiffness, &breakaway, &saturation)) return NULL;
    bool good = core_array_get(stiffness, false, "stiffness", &k) &&
                core_array_get(breakaway, false, "breakaway", &f);
    if (good && (k.count != f.count || k.count > INT32_MAX)) {
        PyErr_SetString(PyExc_ValueError, "every element has a stiffness and a breakaway force");
        good = false;
    }
    core_law* law = good ? new_law(state, step_maxwell) : NULL;
    PyObject* out = NULL;
    if (law) {
        int count = (int)k.count;
        law->room = PyMem_Malloc(ss_maxwell_slip_size(count) + 1);
        law->reversals = PyMem_Malloc(((size_t)count + 1) * sizeof(ss_reversal));
        if (!law->room || !law->reversals) {
            Py_DECREF(law);
            PyErr_NoMemory();
        } else {
            ss_error error;
            ss_status status =
                ss_maxwell_slip_make(k.numbers, f.numbers, count, law->room, &law->maxwell, &error);
            if (status == SS_OK)
                ss_maxwell_slip_start(&law->maxwell, &law->memory, law->reversals, 0.0, saturation);
            out = finish(state, law, status, &error);
        }
    }
    core_array_release(&k);
    core_array_release(&f);
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
                                    {"maxwell_slip", maxwell_slip, METH_VARARGS, ""},
                                    {"hunt_crossley", hunt_crossley, METH_VARARGS, ""},
                                    {NULL, NULL, 0, NULL}};
