// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The module itself: its types, its functions, and the exceptions it raises.
#include "core.h"

static bool add_type(PyObject* module, PyType_Spec* spec, const char* name, PyTypeObject** out)
{
    *out = (PyTypeObject*)PyType_FromModuleAndSpec(module, spec, NULL);
    return *out && PyModule_AddObjectRef(module, name, (PyObject*)*out) == 0;
}

static bool add_exceptions(core_state* state)
{
    PyObject* errors = PyImport_ImportModule("slipstick.errors");
    if (!errors) return false;
    state->model_error = PyObject_GetAttrString(errors, "ModelError");
    state->run_error = PyObject_GetAttrString(errors, "RunError");
    Py_DECREF(errors);
    return state->model_error && state->run_error;
}

static bool add_words(PyObject* module)
{
    PyObject* modes = PyList_New(0);
    for (int mode = 0; modes && mode <= SS_MODE_SLIP; mode++) {
        PyObject* name = PyUnicode_FromString(ss_mode_name((ss_mode)mode));
        if (!name || PyList_Append(modes, name) < 0) Py_CLEAR(modes);
        Py_XDECREF(name);
    }
    bool good = modes && PyModule_AddObjectRef(module, "MODES", modes) == 0;
    Py_XDECREF(modes);
    return good && PyModule_AddStringConstant(module, "VERSION", ss_version()) == 0;
}

static int execute(PyObject* module)
{
    core_state* state = core_of_module(module);
    PyMethodDef* const functions[] = {core_model_functions,  core_motion_functions,  core_run_functions,
                                      core_slider_functions, core_map_functions,     core_fit_functions,
                                      core_law_functions,    core_picture_functions, core_scan_functions,
                                      core_file_functions};
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++)
        if (PyModule_AddFunctions(module, functions[k]) < 0) return -1;
    bool good = add_type(module, &core_view_spec, "View", &state->view) &&
                add_type(module, &core_model_spec, "Model", &state->model) &&
                add_type(module, &core_motion_spec, "Motion", &state->motion) &&
                add_type(module, &core_run_spec, "Run", &state->run) &&
                add_type(module, &core_law_spec, "Law", &state->law);
    return good && add_exceptions(state) && add_words(module) ? 0 : -1;
}

static int traverse(PyObject* module, visitproc visit, void* arg)
{
    core_state* state = core_of_module(module);
    Py_VISIT(state->model_error);
    Py_VISIT(state->run_error);
    Py_VISIT(state->view);
    Py_VISIT(state->model);
    Py_VISIT(state->motion);
    Py_VISIT(state->run);
    Py_VISIT(state->law);
    return 0;
}

static int clear(PyObject* module)
{
    core_state* state = core_of_module(module);
    Py_CLEAR(state->model_error);
    Py_CLEAR(state->run_error);
    Py_CLEAR(state->view);
    Py_CLEAR(state->model);
    Py_CLEAR(state->motion);
    Py_CLEAR(state->run);
    Py_CLEAR(state->law);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void*)execute}, {0, NULL}};
static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "slipstick._core",
                                        .m_doc = "The library libslipstick, in numbers and buffers.",
                                        .m_size = sizeof(core_state),
                                        .m_slots = slots,
                                        .m_traverse = traverse,
                                        .m_clear = clear};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
