// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Curves alone: tables, or expressions in the speed v. The library's signals are functions of a time t; with
// v = t * 1 m/s^2 an expression in v becomes one, units and all.
#include "py_law.h"

#include "share/error.h"

#include <ctype.h>
#include <math.h>

static const char in_place_of_v[] = "(t*(1 m/s^2))";

static double step_tables(core_law* law, double v, double dt)
{
    (void)dt;
    return ss_curve_force(&law->curve, v, law->holding);
}

static double step_formula(core_law* law, double v, double dt)
{
    (void)dt;
    const double* hold = law->curve.hold;
    if (v == 0.0) return fmin(fmax(law->holding, -hold[0]), hold[1]);
    return v > 0.0 ? -ss_signal_value(law->formula[0], v) : ss_signal_value(law->formula[1], -v);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

// The expression over t. Column k of it was column origin[k] of the text; t itself is nothing one can say.
static ss_status over_time(const char* text, char* out, int origin[], ss_error* err)
{
    size_t n = 0;
    for (const char* p = text; *p;) {
        const char* begin = p;
        size_t length = 1;
        while (is_word(*begin) && is_word(begin[length])) length++;
        bool is_v = length == 1 && *begin == 'v', is_t = length == 1 && *begin == 't';
        if (is_t) {
            ss_fail(err, SS_BAD_INPUT, "force", "unknown name 't': a curve is over the speed v");
            err->column = (int)(begin - text) + 1;
            return SS_BAD_INPUT;
        }
        const char* piece = is_v ? in_place_of_v : begin;
        size_t size = is_v ? sizeof in_place_of_v - 1 : length;
        for (size_t k = 0; k < size; k++) {
            origin[n] = (int)(begin - text) + (is_v ? 0 : (int)k) + 1;
            out[n++] = piece[k];
        }
        p += length;
    }
    origin[n] = (int)strlen(text) + 1;
    out[n] = '\0';
    return SS_OK;
}

static ss_status parse(const char* text, ss_signal** out, ss_error* err)
{
    size_t room = strlen(text) * sizeof in_place_of_v + 1;
    char* changed = PyMem_Malloc(room);
    int* origin = PyMem_Calloc(room, sizeof *origin);
    const ss_scope scope = {.allow_time = true};
    const ss_dimension force = {.kg = 1, .m = 1, .s = -2};
    ss_status status = changed && origin ? over_time(text, changed, origin, err) : ss_fail_no_memory(err);
    if (status == SS_OK) {
        status = ss_signal_parse(changed, &scope, force, out, err);
        if (status != SS_OK) memcpy(err->field, "force", sizeof "force");
        if (status != SS_OK && err->column > 0 && (size_t)err->column <= strlen(changed) + 1)
            err->column = origin[err->column - 1];
    }
    PyMem_Free(changed);
    PyMem_Free(origin);
    return status;
}

// Over all speeds that anything has, in small steps of their logarithm; as models check theirs.
static ss_status check_levels(const ss_signal* signal, ss_error* err)
{
    double u = 0.0;
    for (int k = -160; k <= 80; k++) {
        double level = ss_signal_value(signal, u);
        if (!isfinite(level) && u > 0.0 && k > 32) return SS_OK; // beyond 100 m/s it may leave the numbers
        if (!(level >= -1e-12 && isfinite(level)))
            return ss_fail(err, SS_BAD_INPUT, "force",
                           "friction must be a number >= 0, not %g at a speed of %g", level, u);
        u = pow(10.0, k / 16.0);
    }
    return SS_OK;
}

static ss_status check_hold(core_law* law, int way, ss_error* err)
{
    double level = ss_signal_value(law->formula[way], 0.0), *hold = &law->curve.hold[way];
    if (isnan(*hold)) *hold = level;
    if (*hold >= level * (1.0 - 1e-12) && isfinite(*hold)) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, "static", "must be at least the level at rest, %g, not %g", level,
                   *hold);
}

// One direction as a signal: of a text, or of a table that is there already.
static ss_status take_formula(core_law* law, int way, const char* text, ss_error* err)
{
    ss_status status = SS_OK;
    if (text) {
        status = parse(text, &law->formula[way], err);
        if (status == SS_OK) status = check_levels(law->formula[way], err);
    } else {
        const ss_curve_side* side = &law->curve.side[way];
        ss_curve alone = {.side = {*side, *side}, .hold = {NAN, NAN}};
        status = ss_curve_check(&alone, err);
        if (status == SS_OK)
            status = ss_signal_table(side->speed, side->force, side->count, &law->formula[way], err);
    }
    return status == SS_OK ? check_hold(law, way, err) : status;
}

// Tables, one after the other, into the memory of the law.
static void keep_tables(core_law* law, const core_array arrays[2])
{
    double* numbers = law->room;
    for (int way = 0; way < 2; way++) {
        Py_ssize_t count = arrays[way].count / 2;
        if (count > 0) memcpy(numbers, arrays[way].numbers, (size_t)arrays[way].count * sizeof(double));
        law->curve.side[way] =
            (ss_curve_side){.speed = numbers, .force = numbers + count, .count = (int)count};
        numbers += arrays[way].count;
    }
}

// curve(forward, backward, hold forward, hold backward): each direction a table as (speeds, forces), one
// after the other, or an expression
PyObject* core_law_curve(PyObject* module, PyObject* arguments)
{
    const core_state* state = core_of_module(module);
    PyObject *given[2], *bytes[2] = {NULL, NULL}, *out = NULL;
    double hold[2];
    core_array arrays[2] = {0};
    if (!PyArg_ParseTuple(arguments, "OOdd", &given[0], &given[1], &hold[0], &hold[1])) return NULL;
    bool good = true;
    for (int way = 0; way < 2 && good; way++) {
        if (PyUnicode_Check(given[way]))
            good = (bytes[way] = PyUnicode_AsUTF8String(given[way])) != NULL;
        else
            good = core_array_get(given[way], false, way ? "backward" : "forward", &arrays[way]);
    }
    bool formula = bytes[0] || bytes[1];
    size_t room = (size_t)(arrays[0].count + arrays[1].count + 1) * sizeof(double);
    core_law* law =
        good ? core_law_new_with_room(state, formula ? step_formula : step_tables, room, 1) : NULL;
    if (law) {
        ss_error error;
        ss_status status = SS_OK;
        law->curve = (ss_curve){.hold = {hold[0], hold[1]}};
        keep_tables(law, arrays);
        if (!formula) status = ss_curve_check(&law->curve, &error);
        for (int way = 0; way < 2 && formula && status == SS_OK; way++)
            status = take_formula(law, way, bytes[way] ? PyBytes_AsString(bytes[way]) : NULL, &error);
        out = core_law_finish(state, law, status, &error);
    }
    for (int way = 0; way < 2; way++) {
        core_array_release(&arrays[way]);
        Py_XDECREF(bytes[way]);
    }
    return out;
}
