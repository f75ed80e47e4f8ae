// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inside of expressions: the tape that a parsed expression becomes, and its evaluation.
// Mostly for unit.c, expression_*.c and signal*.c; the story is told in docs/theory/signals.md.
#ifndef SLIPSTICK_CORE_EXPRESSION_H
#define SLIPSTICK_CORE_EXPRESSION_H

#include "core/error.h"
#include "core/expression/signal_series.h"
#include "core/expression/unit.h"
#include "core/words.h"

enum {
    SS_MAX_NESTING = 200,   ///< nesting; each parenthesis, function or exponent takes two
    SS_MAX_REGISTERS = 512, ///< series alive at once; at most about four per level of nesting
    SS_MAX_HARMONICS = 32,  ///< a longer sum is evaluated by its tape, and has no known spectrum
};

// ---- the tape ----

// In every comment, a and b are the series in registers a and b, p and q the constants of the instruction.
typedef enum ss_op {
    SS_OP_VARIABLE, ///< variable number a of whoever evaluates; in tapes of motion only
    SS_OP_AFFINE,   ///< p + q t
    SS_OP_SINE,     ///< sin(p + q t)
    SS_OP_COSINE,   ///< cos(p + q t)
    SS_OP_ADD,      ///< a + b: the operations on two begin
    SS_OP_SUB,      ///< a - b
    SS_OP_MUL,      ///< a b
    SS_OP_DIV,      ///< a / b
    SS_OP_HYPOT,    ///< sqrt(a^2 + b^2)
    SS_OP_ATAN2,    ///< angle of the point (b, a); its kink is the cut along the negative b
    SS_OP_MIN, ///< MIN, MAX: q != 0 where the kink bounds the argument of a function (expression_build.c)
    SS_OP_MAX,
    SS_OP_SELECT, ///< a on the positive piece of the kink, else b; in programs only: derivatives of kinks
    SS_OP_OVER,   ///< p / a: the operations on one begin
    SS_OP_SCALE,  ///< p a
    SS_OP_SHIFT,  ///< a + p
    SS_OP_POWER,  ///< a^p, p not an integer
    SS_OP_SQRT,
    SS_OP_EXP,
    SS_OP_LOG,
    SS_OP_SIN,
    SS_OP_COS,
    SS_OP_TAN,
    SS_OP_TANH,
    SS_OP_ASIN,
    SS_OP_ACOS,
    SS_OP_ATAN,
    SS_OP_SINH,
    SS_OP_COSH,
    SS_OP_ASINH,
    SS_OP_ACOSH,
    SS_OP_ATANH,
    SS_OP_LOG1P, ///< log(1 + a)
    SS_OP_EXPM1, ///< exp(a) - 1
    SS_OP_ABS,   ///< a kink, as MIN and MAX
    SS_OP_PACE,  ///< its operand; its kink ends the piece where that has changed by p or so
    SS_OP_SIGN,  ///< the jumps: piecewise constant, their kinks are the ends of the pieces
    SS_OP_STEP,  ///< 0 below 0, else 1
    SS_OP_FLOOR,
    SS_OP_CEIL,
    SS_OP_ROUND, ///< half away from zero
} ss_op;

static inline bool ss_op_is_leaf(ss_op op) { return op <= SS_OP_COSINE; }
static inline bool ss_op_is_binary(ss_op op) { return op >= SS_OP_ADD && op <= SS_OP_SELECT; }
static inline bool ss_op_is_jump(ss_op op) { return op >= SS_OP_SIGN; }
/// Whether it differs from its operand by less than one step, however large that is.
static inline bool ss_op_is_rounding(ss_op op)
{
    return op == SS_OP_FLOOR || op == SS_OP_CEIL || op == SS_OP_ROUND;
}
/// Whether the instruction owns a kink: ends of pieces are found by its switching function.
static inline bool ss_op_has_kink(ss_op op)
{
    return op >= SS_OP_ABS || op == SS_OP_MIN || op == SS_OP_MAX || op == SS_OP_ATAN2;
}

/// Whether the function has places, real or complex, where it is not analytic: roots, poles, ends of its
/// domain (piece/singular.c).
static inline bool ss_op_is_singular(ss_op op)
{
    return op == SS_OP_DIV || op == SS_OP_HYPOT || op == SS_OP_ATAN2 || op == SS_OP_OVER ||
           op == SS_OP_POWER || op == SS_OP_SQRT || op == SS_OP_LOG || op == SS_OP_TAN || op == SS_OP_ASIN ||
           op == SS_OP_ACOS || op == SS_OP_ATAN || op == SS_OP_ASINH || op == SS_OP_ACOSH ||
           op == SS_OP_ATANH || op == SS_OP_LOG1P;
}

typedef struct ss_instruction {
    ss_op op;
    int out, a, b; ///< registers; out is neither a nor b
    double p, q;
    int kink; ///< of an operation that has one: its number in the tape; of SELECT, that of the owner
    int aux;  ///< helper row: one for all in a tape, which goes through whole series; in a program its own
} ss_instruction;

/// What a time-dependent expression becomes: instructions in order of evaluation. Constants are folded.
typedef struct ss_tape {
    ss_instruction* code;
    int count, capacity;
    int registers, kinks;
    int jumps;  ///< how many of the kinks are jumps
    int result; ///< register that holds the expression in the end
} ss_tape;

/// One operation on numbers; a and b as in ss_op. Used for folding constants and for values.
double ss_op_apply(const ss_instruction* instruction, double t, double a, double b);
/// Sum of the magnitudes of the terms of the result value, from the operands' numbers a, b and sizes ea, eb.
double ss_op_size(const ss_instruction* instruction, double t, double value, double a, double b, double ea,
                  double eb);
double ss_tape_value(const ss_tape* tape, double t);
double ss_tape_size(const ss_tape* tape, double t);
size_t ss_tape_scratch(const ss_tape* tape, int order);
/// As ss_signal_series_on. clear: as of ss_signal_series_clear; NULL where no function may be held.
bool ss_tape_series(const ss_tape* tape, double t, int order, double out[], double kinks[], double pieces[],
                    ss_clearance* clear, double scratch[]);

/// Frequencies (rad/s, > 0) of which it is made where it repeats: their number, at most max; -1 where it does
/// not, or is not known to (frequencies.c).
int ss_tape_frequencies(const ss_tape* tape, double frequencies[], int max);

/// Writes roots and powers of squares as the kinks that they are (piece/roots.c). False only when there is no
/// memory.
bool ss_tape_fold_roots(ss_tape* tape);
/// Takes out the kinks that no t reaches, and what then is not needed (signal_range.c). False only when there
/// is no memory.
bool ss_tape_forget_kinks(ss_tape* tape);
/// Whether the value is the same, to rounding, for all t >= from. known: scratch, one per register.
struct ss_range;
bool ss_tape_stays(const ss_tape* tape, double from, struct ss_range* known);

/// Sine and cosine of p + q t, where the rounding of q t is carried along: exact for large t, too.
void ss_sine_cosine(double p, double q, double t, double* sine, double* cosine);

// ---- the parser ----

typedef struct ss_expression {
    bool varies;  ///< depends on t: see tape; otherwise value
    double value; ///< SI
    ss_dimension dimension;
    bool has_unit;
    bool open;    ///< the dimension depends on that of an open variable
    int waits;    ///< the one open variable in it; -1 where there is none, -2 where there are several
    ss_tape tape; ///< owned
} ss_expression;

/// A name that stands for something that varies with the motion. In the tape it is SS_OP_VARIABLE with its
/// index among the variables that were given to the parser.
typedef struct ss_variable {
    const char* name; ///< "stage.x", "error"
    ss_dimension dimension;
    bool has_unit;       ///< its dimension is beyond doubt: as if a unit had been written
    bool open;           ///< its dimension is not known yet: it fits anywhere
    const char* refused; ///< not NULL: why it cannot be used here
    const char*
        meaning; ///< what errors call it where its name alone does not tell: "the slip speed"; or NULL
} ss_variable;

/// expected may be NULL: any dimension will do.
ss_status ss_expression_parse(const char* text, const ss_scope* scope, const ss_dimension* expected,
                              ss_expression* out, ss_error* err);
/// The variables that an expression may use; words: their names, for finding them, or NULL where they are
/// few.
typedef struct ss_variables {
    const ss_variable* list;
    int count;
    const ss_words* words;
} ss_variables;
/// The same with variables.
ss_status ss_expression_parse_motion(const char* text, const ss_scope* scope, ss_variables variables,
                                     const ss_dimension* expected, ss_expression* out, ss_error* err);
/// A function of something else than time: `argument` is its name ("v"), of that dimension, and t is not
/// known. The tape has it where others have t.
ss_status ss_expression_parse_of(const char* text, const ss_scope* scope, const char* argument,
                                 ss_dimension argument_dimension, const ss_dimension* expected,
                                 ss_expression* out, ss_error* err);
/// Whether the expression uses any variable: otherwise it is a constant or a function of time.
bool ss_expression_moves(const ss_expression* expression);

/// Whether the name is that of a function: no parameter can have it.
bool ss_function_exists(const char* name);

/// The signal that a tape computes; takes over its code, also where it fails.
ss_status ss_signal_from_tape(ss_tape* tape, ss_signal** out, ss_error* err);

// ---- sums of a straight line and harmonics ----

/// What is known of a tape's function without evaluating it. degree of the polynomial part: -1 for a function
/// that is no such sum, 2 for any degree above 1 (then offset and slope mean nothing).
typedef struct ss_sum {
    int degree;
    double offset, slope;
    int count;
    ss_harmonic harmonics[SS_MAX_HARMONICS];
} ss_sum;

/// Finds the sum that the tape computes. False only when there is no memory.
bool ss_sum_find(const ss_tape* tape, ss_sum* sum);

#endif
