// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers with units, and signals: functions of time given by an expression or a table. Constant once made,
// shared by threads.
#ifndef SLIPSTICK_SIGNAL_H
#define SLIPSTICK_SIGNAL_H

#include "slipstick/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Exponents of metre, kilogram, second and ampere; they may be fractional. Radians count as plain numbers.
typedef struct ss_dimension {
    double m, kg, s, A;
} ss_dimension;

/// A named constant that expressions may use.
typedef struct ss_parameter {
    const char* name;
    double value_si;
    ss_dimension dimension;
    bool has_unit; ///< false: a bare number, which fits anywhere a bare number does
} ss_parameter;

/// What an expression may refer to. A zero-initialised scope allows numbers, units, pi and functions only.
typedef struct ss_scope {
    const ss_parameter* parameters;
    int parameter_count;
    bool allow_time;  ///< may use t, the time in s
    bool allow_index; ///< may use i, the number of an element, here with the value index_value
    double index_value;
    bool index_varies; ///< i is the variable of a signal, in place of t
} ss_scope;

/// Evaluates a constant expression such as "0.5 N*s/m" or "mu * 1 kg * g" to SI. A quantity of another
/// dimension than expected is an error; a bare number, or an expression without any unit, is taken as SI; 0
/// fits anything. On error, err->column is the 1-based offset of the offending token in text.
SS_API ss_status ss_quantity_parse(const char* text, const ss_scope* scope, ss_dimension expected,
                                   double* value_si, ss_error* err);

/// Like ss_quantity_parse, without an expectation: tells the dimension instead (for parameters).
SS_API ss_status ss_quantity_parse_any(const char* text, const ss_scope* scope, double* value_si,
                                       ss_dimension* dimension, bool* has_unit, ss_error* err);

/// Writes a dimension as a unit a person would write: "N*s/m", "kg*m^2", "1". Returns out.
SS_API const char* ss_dimension_format(ss_dimension dimension, char* out, size_t size);

/// A function of time in SI units.
typedef struct ss_signal ss_signal;

SS_API ss_status ss_signal_constant(double value, ss_signal** out, ss_error* err);

/// Linear between the points, held at the ends. Times must ascend strictly.
SS_API ss_status ss_signal_table(const double time_s[], const double value[], int count, ss_signal** out,
                                 ss_error* err);

/// Parses an expression that may use t if the scope allows it. Errors as in ss_quantity_parse.
SS_API ss_status ss_signal_parse(const char* text, const ss_scope* scope, ss_dimension expected,
                                 ss_signal** out, ss_error* err);

SS_API double ss_signal_value(const ss_signal* signal, double t_s);
SS_API void ss_signal_destroy(ss_signal* signal); ///< NULL is welcome

#ifdef __cplusplus
}
#endif
#endif
