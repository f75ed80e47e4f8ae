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

typedef struct batch_arrays {
    core_array place, speed, end, end_speed, t, final;
    Py_buffer fate;
    bool has_fate;
} batch_arrays;

static bool get_batch(PyObject* const given[7], batch_arrays* a)
{
    core_array* const all[] = {&a->place, &a->speed, &a->end, &a->end_speed, &a->t, &a->final};
    static const char* const names[] = {"places", "speeds", "ends", "end speeds", "times", "final motions"};
    static const int width[] = {3, 3, 3, 3, 1, 4};
    for (int k = 0; k < 6; k++)
        if (!core_array_get(given[k], k >= 2, names[k], all[k])) return false;
    if (PyObject_GetBuffer(given[6], &a->fate, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0) return false;
    a->has_fate = true;
    bool good = a->fate.len == a->t.count;
    for (int k = 0; k < 6; k++) good = good && all[k]->count == width[k] * a->t.count;
    if (!good) PyErr_SetString(PyExc_ValueError, "all arrays have one row per start");
    return good;
}

static void release_batch(batch_arrays* a)
{
    core_array* const all[] = {&a->place, &a->speed, &a->end, &a->end_speed, &a->t, &a->final};
    for (int k = 0; k < 6; k++) core_array_release(all[k]);
    if (a->has_fate) PyBuffer_Release(&a->fate);
}

static void put_batch(const ss_slide_result* results, size_t from, size_t count, batch_arrays* to)
{
    for (size_t k = 0; k < count; k++) {
        const ss_slide_result* r = &results[k];
        double* final = to->final.numbers + 4 * (from + k);
        ((unsigned char*)to->fate.buf)[from + k] = (unsigned char)r->fate;
        to->t.numbers[from + k] = r->t;
        for (int i = 0; i < 3; i++) final[i] = r->has_final ? r->final.q[i] : NAN;
        final[3] = r->has_final && r->final.converged;
    }
}

// Between two pieces it is asked whether to go on.
static ss_status run_batch(const core_model* own, const ss_batch_def* def, int threads, core_watch* watch,
                           batch_arrays* a, ss_error* error)
{
    enum { PIECE = 1024 };
    ss_slide_result* results = malloc(PIECE * sizeof *results);
    size_t all = (size_t)a->t.count;
    ss_status status = results ? SS_OK : SS_NO_MEMORY;
    *error = (ss_error){.status = SS_NO_MEMORY, .text = "out of memory"};
    for (size_t from = 0; from < all && status == SS_OK; from += PIECE) {
        size_t count = all - from < PIECE ? all - from : PIECE;
        const ss_slide_starts starts = {.count = count,
                                        .first = from,
                                        .place = a->place.numbers + 3 * from,
                                        .speed = a->speed.numbers + 3 * from,
                                        .results = results,
                                        .end = a->end.numbers + 3 * from,
                                        .end_speed = a->end_speed.numbers + 3 * from};
        status = ss_slide_batch_threads(own->slider, def, &starts, threads, error);
        if (status == SS_OK) put_batch(results, from, count, a);
        if (!core_watch_ask(watch, (double)(from + count) / (double)all)) break;
    }
    free(results);
    return status;
}

// batch(model, places, speeds, ends, end speeds, times, final motions, fates, until, escape, tolerance,
// max_events, threads, progress): N starts
static PyObject* batch(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *object, *given[7], *progress;
    ss_batch_def def = ss_batch_def_default();
    int threads;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOOdddliO", &object, &given[0], &given[1], &given[2], &given[3],
                          &given[4], &given[5], &given[6], &def.until, &def.escape, &def.tolerance,
                          &def.max_events, &threads, &progress))
        return NULL;
    const core_model* own = core_slider_get(state, object);
    batch_arrays arrays = {.has_fate = false};
    bool good = own && get_batch(given, &arrays);
    if (good) {
        core_watch watch;
        ss_error error;
        def.keep_going = core_keep_going;
        def.user = &watch;
        core_watch_begin(&watch, progress);
        ss_status status = run_batch(own, &def, threads, &watch, &arrays, &error);
        good = core_watch_end(&watch);
        if (good && status != SS_OK) {
            core_raise(state, &error, false);
            good = false;
        }
    }
    release_batch(&arrays);
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
