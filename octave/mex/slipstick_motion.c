// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick_motion(path, until, t_eval, sets): one motion of a model file for Octave and MATLAB. until, a
// number or a text with its unit, and t_eval may be empty; sets is a cell array {path, value, path, value,
// ..} of texts. Returns a struct with the names of ode45: x (times), y (a row per number, a column per time),
// xe, ie (times and contacts of events), and names, outcome, t_end, json. Without t_eval the times are so
// close together that lines through them are smooth, with both sides of every event; x_after and y_after are
// then the start, the states right after the events, and the end.
#include "mex.h"
#include "share/model_parts.h"

#include <slipstick/lab.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct request {
    char* path;
    ss_document* document;
    ss_model* model;
    ss_slider* slider;
    ss_motion* motion;
    ss_answer* answer;
} request;

static void release(request* r)
{
    ss_answer_destroy(r->answer);
    ss_motion_destroy(r->motion);
    ss_model_destroy(r->model);
    ss_slider_destroy(r->slider);
    ss_document_destroy(r->document);
    if (r->path) mxFree(r->path);
}

// mexErrMsgIdAndTxt does not come back: everything is released before.
static void fail(request* r, const ss_error* error)
{
    char text[1024];
    ss_error_format(error, text, sizeof text);
    release(r);
    mexErrMsgIdAndTxt(error->status == SS_BAD_INPUT ? "slipstick:ModelError" : "slipstick:RunError", "%s",
                      text);
}

static ss_status read_model(request* r, const mxArray* sets, ss_error* error)
{
    ss_status status = ss_document_read_yaml(r->path, &r->document, error);
    size_t count = status == SS_OK && sets ? mxGetNumberOfElements(sets) : 0;
    for (size_t k = 0; k + 1 < count && status == SS_OK; k += 2) {
        char *path = mxArrayToString(mxGetCell(sets, k)), *value = mxArrayToString(mxGetCell(sets, k + 1));
        char option[256];
        snprintf(option, sizeof option, "--set %.100s=%.100s", path, value);
        status = ss_document_set(r->document, path, value, option, error);
        mxFree(path);
        mxFree(value);
    }
    if (status != SS_OK) return status;
    if (ss_document_is_slider(r->document))
        return ss_slider_create_from_document(r->document, &r->slider, error);
    return ss_model_create_from_document(r->document, &r->model, error);
}

// The end of the run in s; NaN: as the model says.
static ss_status read_until(const mxArray* given, double* out, ss_error* error)
{
    const ss_scope nothing = {0};
    *out = mxIsEmpty(given) ? NAN : mxGetScalar(given);
    if (mxIsEmpty(given) || !mxIsChar(given)) return SS_OK;
    char *text = mxArrayToString(given), why[sizeof error->text];
    ss_status status = ss_quantity_parse(text, &nothing, (ss_dimension){.s = 1.0}, out, error);
    if (status != SS_OK) { // the text says where it is wrong better than a column does
        memcpy(why, error->text, sizeof why);
        *error = (ss_error){.status = status};
        snprintf(error->text, sizeof error->text, "until=%.40s: %.100s", text, why);
    }
    mxFree(text);
    return status;
}

static ss_status move(request* r, double until, const mxArray* times, ss_error* error)
{
    ss_motion_def def = ss_motion_def_default();
    def.until = until;
    def.at = mxIsEmpty(times) ? NULL : mxGetPr(times);
    def.at_count = (int)mxGetNumberOfElements(times);
    def.at_events = mxIsEmpty(times);
    def.sketch = mxIsEmpty(times);
    ss_status status = r->slider ? ss_motion_create_sliding(r->slider, &def, &r->motion, error)
                                 : ss_motion_create(r->model, &def, &r->motion, error);
    if (status == SS_OK) status = ss_motion_run(r->motion, error);
    return status == SS_OK ? ss_answer_motion(r->motion, &r->answer, error) : status;
}

// Numbers of one moment, in the order of names.
static void put_moment(const ss_moment* m, int bodies, double out[])
{
    if (m->slide) {
        const double s[6] = {m->slide->x,  m->slide->y,  m->slide->angle,
                             m->slide->vx, m->slide->vy, m->slide->spin};
        memcpy(out, s, sizeof s);
        return;
    }
    for (int b = 0; b < bodies; b++) {
        out[2 * b] = m->x[b];
        out[2 * b + 1] = m->v[b];
    }
}

static mxArray* names_of(const request* r, int bodies)
{
    static const char* const slide[] = {"x", "y", "angle", "vx", "vy", "spin"};
    int count = r->slider ? 6 : 2 * bodies;
    mxArray* names = mxCreateCellMatrix((mwSize)count, 1);
    for (int k = 0; k < count; k++) {
        char name[256];
        if (r->slider)
            snprintf(name, sizeof name, "%s", slide[k]);
        else
            ss_model_coordinate_name(r->model, k / 2, k % 2, name, sizeof name);
        mxSetCell(names, (mwIndex)k, mxCreateString(name));
    }
    return names;
}

// Rows of a record as two fields, times and numbers.
static void put_rows(const ss_motion_rows* rows, size_t count, int wide, const char* const fields[2],
                     mxArray* sol)
{
    mxArray *x = mxCreateDoubleMatrix(1, count, mxREAL),
            *y = mxCreateDoubleMatrix((mwSize)wide, count, mxREAL);
    for (size_t k = 0; k < count; k++) {
        size_t first = k * (size_t)rows->bodies;
        ss_moment moment = {.t = rows->t[k]};
        if (rows->slides) moment.slide = &rows->slides[k];
        if (rows->bodies > 0) moment.x = rows->x + first, moment.v = rows->v + first;
        mxGetPr(x)[k] = moment.t;
        put_moment(&moment, rows->bodies, mxGetPr(y) + (size_t)wide * k);
    }
    mxSetField(sol, 0, fields[0], x);
    mxSetField(sol, 0, fields[1], y);
}

// The samples, and where none were asked for those that make smooth lines, up to where the motion ended: a
// sketch shows rest a little longer.
static void put_samples(const request* r, bool smooth, int wide, mxArray* sol)
{
    static const char *const shown[2] = {"x", "y"}, *const after[2] = {"x_after", "y_after"};
    ss_motion_rows rows = smooth ? ss_motion_sketch(r->motion) : r->motion->rows;
    size_t count = rows.count;
    while (smooth && count > 1 && rows.t[count - 1] > r->motion->end.t) count--;
    put_rows(&rows, count, wide, shown, sol);
    if (smooth) put_rows(&r->motion->rows, r->motion->rows.count, wide, after, sol);
}

static void put_events(const request* r, mxArray* sol)
{
    size_t count = r->motion->event_count;
    mxArray *xe = mxCreateDoubleMatrix(1, count, mxREAL), *ie = mxCreateDoubleMatrix(1, count, mxREAL);
    for (size_t k = 0; k < count; k++) {
        mxGetPr(xe)[k] = r->model ? r->motion->events[k].t : r->motion->slide_events[k].t;
        mxGetPr(ie)[k] = 1.0 + (r->model ? r->motion->events[k].contact : r->motion->slide_events[k].support);
    }
    mxSetField(sol, 0, "xe", xe);
    mxSetField(sol, 0, "ie", ie);
}

void mexFunction(int outputs, mxArray* out[], int inputs, const mxArray* in[])
{
    static const char* fields[] = {"x",       "y",     "xe",      "ie",    "x_after",
                                   "y_after", "names", "outcome", "t_end", "json"};
    (void)outputs;
    if (inputs != 4 || !mxIsChar(in[0]) || !mxIsCell(in[3]))
        mexErrMsgIdAndTxt("slipstick:usage", "slipstick_motion(path, until, t_eval, sets)");
    request r = {.path = mxArrayToString(in[0])};
    double until;
    ss_error error;
    if (read_until(in[1], &until, &error) != SS_OK || read_model(&r, in[3], &error) != SS_OK ||
        move(&r, until, in[2], &error) != SS_OK) {
        fail(&r, &error);
        return;
    }
    int bodies = r.model ? ss_model_body_count(r.model) : 0, wide = r.slider ? 6 : 2 * bodies;
    mxArray* sol = mxCreateStructMatrix(1, 1, (int)(sizeof fields / sizeof fields[0]), fields);
    put_samples(&r, mxIsEmpty(in[2]), wide, sol);
    put_events(&r, sol);
    mxSetField(sol, 0, "names", names_of(&r, bodies));
    mxSetField(sol, 0, "outcome", mxCreateString(ss_outcome_name(r.motion->outcome)));
    mxSetField(sol, 0, "t_end", mxCreateDoubleScalar(r.motion->end.t));
    size_t length = ss_answer_format_json(r.answer, NULL, 0);
    char* text = mxMalloc(length + 1);
    ss_answer_format_json(r.answer, text, length + 1);
    mxSetField(sol, 0, "json", mxCreateString(text));
    mxFree(text);
    release(&r);
    out[0] = sol;
}
