// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A law with its state, for the files that make laws.
#ifndef SLIPSTICK_PYTHON_CORE_PY_LAW_H
#define SLIPSTICK_PYTHON_CORE_PY_LAW_H

#include "core.h"

#include "share/law.h"

typedef struct core_law core_law;

// What a law does with one step of constant speed; its force on A at the end.
typedef double core_step(core_law* law, double v, double dt);

struct core_law {
    PyObject_HEAD core_step* step;
    union {
        ss_coulomb coulomb;
        ss_stribeck stribeck;
        ss_lugre lugre;
        ss_dahl dahl;
        ss_hunt_crossley hunt_crossley;
        ss_maxwell_slip maxwell;
        ss_elasto_plastic elasto_plastic;
        ss_gms gms;
        ss_elastic_stop elastic_stop;
        ss_curve curve;
        ss_formula_law numbers;
    };
    ss_law_kind kind; ///< of a law that is a formula of numbers
    double z;         ///< m: of bristles with one state; of stops the place x_A - x_B
    double holding;   ///< N: what would keep a law that is set-valued at rest there
    ss_maxwell_state memory;
    void *room, *reversals; ///< of Maxwell-slip; of GMS its numbers and its elements; of a curve its tables
    ss_signal* formula[2];  ///< of a curve that has an expression: its levels over t = |v|
};

/// A law without its numbers; NULL where an exception is set.
core_law* core_law_new(const core_state* state, core_step* step);
/// The same with memory of its own.
core_law* core_law_new_with_room(const core_state* state, core_step* step, size_t room, size_t reversals);
/// The law where its numbers are good, otherwise the error.
PyObject* core_law_finish(const core_state* state, core_law* law, ss_status status, const ss_error* error);

PyObject* core_law_curve(PyObject* module, PyObject* arguments); // law_curve.c

#endif
