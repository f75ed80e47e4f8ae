// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sliders: loads, first motions, ways to come to rest, the limit surface, and many motions at once.
#include "core.h"

#include "share/slider_parts.h"
#include "slipstick/surface.h"

#include <math.h>
#include <stdlib.h>

static PyObject* answer_of(const core_state* state, ss_status status, ss_answer* answer,
                           const ss_error* error)
{
    return status == SS_OK ? core_answer_take(answer) : core_raise(state, error, false);
}

// The angle that is asked for, or that of the start where it is NaN.
static double angle_of(const core_model* own, double angle)
{
    double place[3], speed[3];
    ss_slider_start(own->slider, place, speed);
    return isnan(angle) ? place[2] : angle;
}

// load(model, angle, motion)
static PyObject* load(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject* object;
    double angle, motion[3];
    if (!PyArg_ParseTuple(arguments, "Od(ddd)", &object, &angle, &motion[0], &motion[1], &motion[2]))
        return NULL;
    const core_model* own = core_slider_get(state, object);
    if (!own) return NULL;
    ss_sliding_load found;
    ss_answer* answer = NULL;
    ss_error error;
    ss_status status =
        ss_slider_sliding_load(own->slider, angle_of(own, angle), motion, NULL, &found, &error);
    if (status == SS_OK) status = ss_answer_load(motion, &found, &answer, &error);
    return answer_of(state, status, answer, &error);
}

// first_motion(model, angle, applied)
static PyObject* first_motion(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject* object;
    double angle, applied[3];
    if (!PyArg_ParseTuple(arguments, "Od(ddd)", &object, &angle, &applied[0], &applied[1], &applied[2]))
        return NULL;
    const core_model* own = core_slider_get(state, object);
    if (!own) return NULL;
    ss_first_motion found;
    ss_answer* answer = NULL;
    ss_error error;
    ss_status status = ss_slider_first_motion(own->slider, angle_of(own, angle), applied, &found, &error);
    if (status == SS_OK) status = ss_answer_first_motion(&found, &answer, &error);
    return answer_of(state, status, answer, &error);
}

// push(model, angle, at, normal, mu, finger)
static PyObject* push(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject* object;
    double angle;
    ss_push given;
    if (!PyArg_ParseTuple(arguments, "Od(dd)(dd)d(dd)", &object, &angle, &given.at[0], &given.at[1],
                          &given.normal[0], &given.normal[1], &given.mu, &given.finger[0], &given.finger[1]))
        return NULL;
    const core_model* own = core_slider_get(state, object);
    if (!own) return NULL;
    ss_push_answer found;
    ss_answer* answer = NULL;
    ss_error error;
    ss_status status = ss_slider_push(own->slider, angle_of(own, angle), &given, &found, &error);
    if (status == SS_OK) status = ss_answer_push(&found, &answer, &error);
    return answer_of(state, status, answer, &error);
}

// eigen(model, angle, shares, progress)
static PyObject* eigen(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *progress;
    double angle;
    int shares;
    if (!PyArg_ParseTuple(arguments, "OdpO", &object, &angle, &shares, &progress)) return NULL;
    const core_model* own = core_slider_get(state, object);
    if (!own) return NULL;
    core_watch watch;
    ss_watch goes_on = {core_goes_on, &watch};
    ss_eigen_set set = {0};
    ss_answer* answer = NULL;
    ss_error error = {0};
    double* share = NULL;
    core_watch_begin(&watch, progress);
    ss_status status = ss_slider_eigen(own->slider, angle_of(own, angle), &goes_on, &set, &error);
    if (status == SS_OK && shares) {
        share = malloc(((size_t)set.count + 1) * sizeof(double));
        error.status = SS_NO_MEMORY;
        status = share ? ss_slider_basin(own->slider, angle_of(own, angle), &set, &goes_on, share, &error)
                       : SS_NO_MEMORY;
    }
    if (status == SS_OK) status = ss_answer_eigen(&set, share, &answer, &error);
    bool good = core_watch_end(&watch);
    free(share);
    ss_eigen_set_free(&set);
    if (!good) {
        ss_answer_destroy(answer);
        return NULL;
    }
    return answer_of(state, status, answer, &error);
}

// Copies numbers into a bytes object.
static PyObject* bytes_of(const void* data, size_t size)
{
    return PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
}

// surface(model, angle, fineness, progress) -> (loads, motions, triangles) as bytes of doubles and ints
static PyObject* surface(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *progress, *out = NULL;
    double angle;
    int fineness;
    if (!PyArg_ParseTuple(arguments, "OdiO", &object, &angle, &fineness, &progress)) return NULL;
    const core_model* own = core_slider_get(state, object);
    if (!own) return NULL;
    core_watch watch;
    ss_watch goes_on = {core_goes_on, &watch};
    ss_mesh mesh = {0};
    ss_error error;
    core_watch_begin(&watch, progress);
    ss_status status = ss_slider_mesh(own->slider, angle_of(own, angle), fineness, &goes_on, &mesh, &error);
    if (core_watch_end(&watch)) {
        size_t row = 3 * sizeof(double);
        out = status != SS_OK
                  ? core_raise(state, &error, false)
                  : Py_BuildValue("(NNN)", bytes_of(mesh.loads, (size_t)mesh.vertex_count * row),
                                  bytes_of(mesh.motions, (size_t)mesh.vertex_count * row),
                                  bytes_of(mesh.triangles, 3 * (size_t)mesh.triangle_count * sizeof(int)));
    }
    ss_mesh_free(&mesh);
    return out;
}

// One motion to its end; the state there goes to `out`.
static ss_status slide_once(ss_slide* slide, const double start[6], double until, double out[6], double* t,
                            ss_error* error)
{
    ss_outcome outcome;
    ss_status status = ss_slide_restart(slide, start, start + 3, error);
    if (status == SS_OK) status = ss_slide_advance(slide, until, &outcome, error);
    if (status != SS_OK) return status;
    ss_slider_state s = ss_slide_state(slide);
    const double end[6] = {s.x, s.y, s.angle, s.vx, s.vy, s.spin};
    memcpy(out, end, sizeof end);
    *t = ss_slide_time(slide);
    return SS_OK;
}

// batch(model, starts, ends, times, until, tolerance, progress): N starts of six numbers each
static PyObject* batch(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *starts, *ends, *times, *progress;
    double until, tolerance;
    if (!PyArg_ParseTuple(arguments, "OOOOddO", &object, &starts, &ends, &times, &until, &tolerance,
                          &progress))
        return NULL;
    const core_model* own = core_slider_get(state, object);
    core_array from = {0}, to = {0}, t = {0};
    bool good = own && core_array_get(starts, false, "starts", &from) &&
                core_array_get(ends, true, "ends", &to) && core_array_get(times, true, "times", &t);
    if (good && (from.count != to.count || from.count != 6 * t.count)) {
        PyErr_SetString(PyExc_ValueError, "starts and ends have six columns and as many rows as times");
        good = false;
    }
    if (good) {
        core_watch watch;
        ss_slide_def def = ss_slide_def_default();
        def.tolerance = tolerance;
        def.keep_going = core_keep_going;
        def.user = &watch;
        ss_slide* slide = NULL;
        ss_error error;
        core_watch_begin(&watch, progress);
        ss_status status = ss_slide_create(own->slider, &def, &slide, &error);
        for (Py_ssize_t k = 0; status == SS_OK && k < t.count; k++) {
            status =
                slide_once(slide, from.numbers + 6 * k, until, to.numbers + 6 * k, t.numbers + k, &error);
            if (k % 64 == 0 && !core_watch_ask(&watch, (double)k / (double)t.count)) break;
        }
        ss_slide_destroy(slide);
        good = core_watch_end(&watch);
        if (good && status != SS_OK) {
            core_raise(state, &error, false);
            good = false;
        }
    }
    core_array_release(&from);
    core_array_release(&to);
    core_array_release(&t);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

PyMethodDef core_slider_functions[] = {
    {"load", load, METH_VARARGS, "The load at a motion."},
    {"first_motion", first_motion, METH_VARARGS, "What a load does to a slider at rest."},
    {"push", push, METH_VARARGS, "What a finger does that pushes slowly."},
    {"eigen", eigen, METH_VARARGS, "The ways to come to rest."},
    {"surface", surface, METH_VARARGS, "The limit surface as triangles."},
    {"batch", batch, METH_VARARGS, "Many motions to their ends."},
    {NULL, NULL, 0, NULL}};
