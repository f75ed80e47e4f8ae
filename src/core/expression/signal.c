// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Signals: a line plus harmonics (constants among them), the tape of an expression, or a table.
#include "core/expression/expression.h"
#include "core/expression/range.h"
#include "core/hash.h"
#include "share/quantity.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum signal_kind { SUM, TAPE, TABLE } signal_kind;

struct ss_signal {
    signal_kind kind;
    double offset, slope; // SUM: offset + slope t + harmonics
    int count;            // of harmonics or of points
    ss_harmonic* harmonics;
    double *time, *value; // TABLE; one block, owned by time
    ss_tape tape;
    double factor; // TAPE: multiplies what the tape gives
    double rate;   // rad/s, -1 if not known
    double size;   // SUM: magnitude of the offset and all harmonics; TABLE: of the largest value
};

static ss_signal* new_signal(signal_kind kind)
{
    ss_signal* signal = ss_new(1, sizeof *signal);
    if (!signal) return NULL;
    signal->kind = kind;
    signal->factor = 1;
    return signal;
}

void ss_signal_destroy(ss_signal* signal)
{
    if (!signal) return;
    free(signal->harmonics);
    free(signal->time);
    free(signal->tape.code);
    free(signal);
}

ss_status ss_signal_constant(double value, ss_signal** out, ss_error* err)
{
    *out = NULL;
    if (!isfinite(value)) return ss_fail(err, SS_BAD_INPUT, NULL, "a signal must be finite");
    ss_signal* signal = new_signal(SUM);
    if (!signal) return ss_fail_no_memory(err);
    signal->offset = value;
    signal->size = fabs(value);
    *out = signal;
    return SS_OK;
}

// ---- tables ----

static ss_status check_points(const double time_s[], const double value[], int count, ss_error* err)
{
    if (count < 1) return ss_fail(err, SS_BAD_INPUT, NULL, "a table needs at least one point");
    for (int i = 0; i < count; ++i) {
        if (!isfinite(time_s[i]) || !isfinite(value[i]))
            return ss_fail(err, SS_BAD_INPUT, NULL, "point %d of the table is not finite", i + 1);
        if (i == 0) continue;
        if (!(time_s[i] > time_s[i - 1]))
            return ss_fail(err, SS_BAD_INPUT, NULL,
                           "times of a table must ascend: point %d at %g s follows %g s", i + 1, time_s[i],
                           time_s[i - 1]);
        if (!isfinite((value[i] - value[i - 1]) / (time_s[i] - time_s[i - 1])))
            return ss_fail(err, SS_BAD_INPUT, NULL, "the table is too steep before point %d", i + 1);
    }
    return SS_OK;
}

static bool all_equal(const double value[], int count)
{
    for (int i = 1; i < count; ++i)
        if (value[i] != value[0]) return false;
    return true;
}

ss_status ss_signal_table(const double time_s[], const double value[], int count, ss_signal** out,
                          ss_error* err)
{
    *out = NULL;
    ss_status status = check_points(time_s, value, count, err);
    if (status != SS_OK) return status;
    if (all_equal(value, count)) return ss_signal_constant(value[0], out, err);
    ss_signal* signal = new_signal(TABLE);
    double* points = ss_new((size_t)count, 2 * sizeof *points);
    if (!signal || !points) {
        ss_signal_destroy(signal);
        free(points);
        return ss_fail_no_memory(err);
    }
    signal->count = count;
    signal->time = points;
    signal->value = points + count;
    memcpy(signal->time, time_s, (size_t)count * sizeof *points);
    memcpy(signal->value, value, (size_t)count * sizeof *points);
    for (int i = 0; i < count; ++i) signal->size = fmax(signal->size, fabs(value[i]));
    *out = signal;
    return SS_OK;
}

// How many points are at or before t; a point that t misses by a few roundings is at t.
static int points_until(const ss_signal* signal, double t)
{
    double reach = t + 4 * DBL_EPSILON * fabs(t);
    int low = 0, high = signal->count; // time[low - 1] <= reach < time[high]
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (signal->time[middle] <= reach)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double table_point(const ss_signal* signal, double t, double* slope)
{
    int after = points_until(signal, t);
    *slope = 0;
    if (after == 0) return signal->value[0];
    if (after == signal->count) return signal->value[after - 1];
    double t0 = signal->time[after - 1], t1 = signal->time[after];
    double v0 = signal->value[after - 1], v1 = signal->value[after];
    *slope = (v1 - v0) / (t1 - t0);
    if (t <= t0) return v0;
    return t - t0 <= t1 - t ? v0 + *slope * (t - t0) : v1 - *slope * (t1 - t); // from the nearer end
}

// ---- expressions ----

// A line with harmonics has its own evaluation, without the tape.
static bool become_sum(ss_signal* signal, const ss_sum* sum)
{
    signal->harmonics = ss_new((size_t)sum->count, sizeof *signal->harmonics);
    if (!signal->harmonics) return false;
    signal->kind = SUM;
    signal->offset = sum->offset;
    signal->slope = sum->slope;
    for (int i = 0; i < sum->count; ++i)
        if (sum->harmonics[i].sine != 0 || sum->harmonics[i].cosine != 0)
            signal->harmonics[signal->count++] = sum->harmonics[i];
    signal->size = fabs(sum->offset);
    for (int i = 0; i < signal->count; ++i)
        signal->size += hypot(signal->harmonics[i].sine, signal->harmonics[i].cosine);
    free(signal->tape.code);
    signal->tape = (ss_tape){0};
    return true;
}

static bool classify(ss_signal* signal)
{
    ss_sum sum;
    if (!ss_sum_find(&signal->tape, &sum)) return false;
    signal->rate = sum.degree < 0 ? -1 : 0;
    for (int i = 0; i < sum.count && sum.degree >= 0; ++i)
        signal->rate = fmax(signal->rate, sum.harmonics[i].frequency);
    return sum.degree < 0 || sum.degree == 2 || become_sum(signal, &sum);
}

ss_status ss_signal_from_tape(ss_tape* tape, ss_signal** out, ss_error* err)
{
    *out = NULL;
    ss_signal* signal = new_signal(TAPE);
    if (!signal) {
        free(tape->code);
        return ss_fail_no_memory(err);
    }
    signal->tape = *tape;
    if (!ss_tape_fold_roots(&signal->tape) || !ss_tape_forget_kinks(&signal->tape) || !classify(signal)) {
        ss_signal_destroy(signal);
        return ss_fail_no_memory(err);
    }
    *out = signal;
    return SS_OK;
}

ss_status ss_signal_parse(const char* text, const ss_scope* scope, ss_dimension expected, ss_signal** out,
                          ss_error* err)
{
    *out = NULL;
    ss_expression expression;
    ss_status status = ss_expression_parse(text, scope, &expected, &expression, err);
    if (status != SS_OK) return status;
    if (!expression.varies) return ss_signal_constant(expression.value, out, err);
    return ss_signal_from_tape(&expression.tape, out, err);
}

ss_status ss_signal_parse_of(const char* text, const ss_scope* scope, const char* argument,
                             ss_dimension argument_dimension, ss_dimension expected, ss_signal** out,
                             ss_error* err)
{
    *out = NULL;
    ss_scope constant = scope ? *scope : (ss_scope){0};
    constant.allow_time = constant.index_varies = false;
    ss_expression expression;
    ss_status status =
        ss_expression_parse_of(text, &constant, argument, argument_dimension, &expected, &expression, err);
    if (status != SS_OK) return status;
    if (!expression.varies) return ss_signal_constant(expression.value, out, err);
    return ss_signal_from_tape(&expression.tape, out, err);
}

static ss_status parse_constant(const char* text, const ss_scope* scope, const ss_dimension* expected,
                                ss_expression* expression, ss_error* err)
{
    ss_scope constant = scope ? *scope : (ss_scope){0};
    constant.allow_time = constant.index_varies = false;
    return ss_expression_parse(text, &constant, expected, expression, err);
}

ss_status ss_quantity_parse(const char* text, const ss_scope* scope, ss_dimension expected, double* value_si,
                            ss_error* err)
{
    ss_expression expression;
    ss_status status = parse_constant(text, scope, &expected, &expression, err);
    if (status == SS_OK) *value_si = expression.value;
    return status;
}

ss_status ss_quantity_parse_any(const char* text, const ss_scope* scope, double* value_si,
                                ss_dimension* dimension, bool* has_unit, ss_error* err)
{
    ss_expression expression;
    ss_status status = parse_constant(text, scope, NULL, &expression, err);
    if (status != SS_OK) return status;
    *value_si = expression.value;
    *dimension = expression.dimension;
    *has_unit = expression.has_unit;
    return SS_OK;
}

// ---- copies ----

static bool copy_block(const void* from, size_t count, size_t size, void* to)
{
    void* block = ss_new(count, size);
    if (!block) return false;
    if (count > 0) memcpy(block, from, count * size);
    memcpy(to, &block, sizeof block);
    return true;
}

static bool copy_contents(const ss_signal* from, ss_signal* to)
{
    size_t count = (size_t)from->count;
    *to = *from;
    to->harmonics = NULL;
    to->time = to->value = NULL;
    to->tape.code = NULL;
    if (from->kind == SUM) return copy_block(from->harmonics, count, sizeof *to->harmonics, &to->harmonics);
    if (from->kind == TAPE)
        return copy_block(from->tape.code, (size_t)from->tape.count, sizeof *to->tape.code, &to->tape.code);
    if (!copy_block(from->time, count, 2 * sizeof *to->time, &to->time)) return false;
    to->value = to->time + count;
    return true;
}

ss_status ss_signal_scale(const ss_signal* signal, double factor, ss_signal** out, ss_error* err)
{
    *out = NULL;
    if (!isfinite(factor)) return ss_fail(err, SS_BAD_INPUT, NULL, "a factor must be finite");
    ss_signal* copy = new_signal(signal->kind);
    if (!copy || !copy_contents(signal, copy)) {
        ss_signal_destroy(copy);
        return ss_fail_no_memory(err);
    }
    copy->factor *= factor;
    copy->offset *= factor;
    copy->slope *= factor;
    copy->size *= fabs(factor);
    for (int i = 0; i < copy->count && copy->kind == SUM; ++i) {
        copy->harmonics[i].sine *= factor;
        copy->harmonics[i].cosine *= factor;
    }
    for (int i = 0; i < copy->count && copy->kind == TABLE; ++i) copy->value[i] *= factor;
    *out = copy;
    return SS_OK;
}

ss_status ss_signal_clone(const ss_signal* signal, ss_signal** out, ss_error* err)
{
    return ss_signal_scale(signal, 1, out, err);
}

// ---- evaluation ----

bool ss_signal_is_constant(const ss_signal* signal)
{
    return signal->kind == SUM && signal->slope == 0 && signal->count == 0;
}

double ss_signal_value(const ss_signal* signal, double t_s)
{
    double slope;
    if (signal->kind == TABLE) return table_point(signal, t_s, &slope);
    if (signal->kind == TAPE) return signal->factor * ss_tape_value(&signal->tape, t_s);
    double value = signal->slope != 0 ? fma(signal->slope, t_s, signal->offset) : signal->offset;
    for (int i = 0; i < signal->count; ++i) {
        const ss_harmonic* h = &signal->harmonics[i];
        double s, c;
        ss_sine_cosine(0, h->frequency, t_s, &s, &c);
        value += h->sine * s + h->cosine * c;
    }
    return value;
}

double ss_signal_size(const ss_signal* signal, double t)
{
    if (signal->kind == TAPE) return fabs(signal->factor) * ss_tape_size(&signal->tape, t);
    return signal->size + fabs(signal->slope * t);
}

size_t ss_signal_scratch_size(const ss_signal* signal, int order)
{
    return signal->kind == TAPE ? ss_tape_scratch(&signal->tape, order) : 0;
}

int ss_signal_kink_count(const ss_signal* signal) { return signal->kind == TAPE ? signal->tape.kinks : 0; }

static bool all_finite(const double x[], int order)
{
    for (int k = 0; k <= order; ++k)
        if (!isfinite(x[k])) return false;
    return true;
}

// y'' = -w^2 y gives two steps of the series at once: y_k = -w^2 y_(k-2) / (k (k-1)).
static void add_harmonic(const ss_harmonic* h, double t, int order, double out[])
{
    double s, c, w = h->frequency;
    ss_sine_cosine(0, w, t, &s, &c);
    double even = h->sine * s + h->cosine * c, odd = w * (h->sine * c - h->cosine * s);
    for (int k = 0; k <= order; k += 2) {
        out[k] += even;
        if (k < order) out[k + 1] += odd;
        even *= -w / (k + 1) * (w / (k + 2));
        odd *= -w / (k + 2) * (w / (k + 3));
    }
}

static bool tape_series(const ss_signal* signal, double t, int order, double out[], double kinks[],
                        double pieces[], ss_clearance* clear, double scratch[])
{
    if (!ss_tape_series(&signal->tape, t, order, out, kinks, pieces, clear, scratch)) return false;
    for (int k = 0; k <= order; ++k) out[k] *= signal->factor;
    return all_finite(out, order);
}

static bool line_series(const ss_signal* signal, double t, int order, double out[])
{
    double slope = signal->slope;
    memset(out, 0, (size_t)(order + 1) * sizeof *out);
    out[0] = signal->offset;
    if (signal->kind == TABLE)
        out[0] = table_point(signal, t, &slope);
    else if (slope != 0)
        out[0] = fma(slope, t, signal->offset);
    if (order > 0) out[1] = slope;
    for (int i = 0; i < signal->count && signal->kind == SUM; ++i)
        add_harmonic(&signal->harmonics[i], t, order, out);
    return all_finite(out, order);
}

bool ss_signal_series(const ss_signal* signal, double t, int order, double out[], double kinks[],
                      double scratch[])
{
    if (signal->kind == TAPE) return tape_series(signal, t, order, out, kinks, NULL, NULL, scratch);
    return line_series(signal, t, order, out);
}

bool ss_signal_series_clear(const ss_signal* signal, double t, int order, double out[], double kinks[],
                            ss_clearance* clear, double scratch[])
{
    if (signal->kind == TAPE) return tape_series(signal, t, order, out, kinks, NULL, clear, scratch);
    return line_series(signal, t, order, out);
}

bool ss_signal_series_on(const ss_signal* signal, double t, int order, double out[], double kinks[],
                         double pieces[], double scratch[])
{
    ss_clearance any = {.span = 1}; // how far it reaches is known from the step
    if (signal->kind == TAPE) return tape_series(signal, t, order, out, kinks, pieces, &any, scratch);
    return line_series(signal, t, order, out);
}

double ss_signal_next_breakpoint(const ss_signal* signal, double t)
{
    if (signal->kind != TABLE) return INFINITY;
    int after = points_until(signal, t);
    return after < signal->count ? signal->time[after] : INFINITY;
}

// ---- what is known of all its future ----

bool ss_signal_rate(const ss_signal* signal, double* rate)
{
    if (signal->rate < 0) return false;
    *rate = signal->rate;
    return true;
}

bool ss_signal_is_line(const ss_signal* signal) { return signal->kind != TAPE; }

int ss_signal_spectrum(const ss_signal* signal, double after, double* constant, ss_harmonic harmonics[],
                       int max)
{
    if (signal->kind == TABLE && points_until(signal, after) == signal->count) {
        *constant = signal->value[signal->count - 1];
        return 0;
    }
    if (signal->kind != SUM || signal->slope != 0 || signal->count > max) return -1;
    *constant = signal->offset;
    if (signal->count > 0) memcpy(harmonics, signal->harmonics, (size_t)signal->count * sizeof *harmonics);
    return signal->count;
}

bool ss_signal_stays(const ss_signal* signal, double t, double scratch[])
{
    if (ss_signal_is_constant(signal)) return true;
    if (signal->kind == TABLE) return points_until(signal, t) == signal->count;
    return signal->kind == TAPE && ss_tape_stays(&signal->tape, t, (ss_range*)scratch);
}

bool ss_signal_jumps(const ss_signal* signal) { return signal->kind == TAPE && signal->tape.jumps > 0; }

bool ss_signal_kink_jumps(const ss_signal* signal, int j)
{
    for (int i = 0; i < signal->tape.count && signal->kind == TAPE; i++) {
        const ss_instruction* in = &signal->tape.code[i];
        if (ss_op_has_kink(in->op) && in->kink == j) return ss_op_is_jump(in->op);
    }
    return false;
}

bool ss_signal_is_table(const ss_signal* signal) { return signal->kind == TABLE; }

int ss_signal_frequencies(const ss_signal* signal, double frequencies[], int max, bool* combined)
{
    int count = 0;
    *combined = signal->kind == TAPE;
    if (ss_signal_is_constant(signal)) return 0;
    if (signal->kind == TABLE || signal->slope != 0) return -1;
    for (int i = 0; i < signal->count && signal->kind == SUM; ++i) {
        const ss_harmonic* h = &signal->harmonics[i];
        if (h->sine == 0 && h->cosine == 0) continue;
        if (count == max) return -1;
        frequencies[count++] = h->frequency;
    }
    return signal->kind == TAPE ? ss_tape_frequencies(&signal->tape, frequencies, max) : count;
}

// ---- what it is, as one number ----

static uint64_t hash_tape(uint64_t hash, const ss_tape* tape)
{
    hash = ss_hash_int(ss_hash_int(hash, tape->count), tape->result);
    for (int i = 0; i < tape->count; i++) { // field by field: what lies between fields may be anything
        const ss_instruction* at = &tape->code[i];
        int numbers[] = {(int)at->op, at->out, at->a, at->b, at->kink, at->aux};
        hash = ss_hash(hash, numbers, sizeof numbers);
        hash = ss_hash_number(ss_hash_number(hash, at->p), at->q);
    }
    return hash;
}

uint64_t ss_signal_hash(uint64_t hash, const ss_signal* signal)
{
    if (!signal) return ss_hash_int(hash, -1);
    double numbers[] = {signal->offset, signal->slope, signal->factor};
    hash = ss_hash(ss_hash_int(hash, signal->kind), numbers, sizeof numbers);
    hash = ss_hash_int(hash, signal->count);
    for (int i = 0; i < signal->count && signal->harmonics; i++)
        hash = ss_hash(hash, &signal->harmonics[i], sizeof signal->harmonics[i]);
    if (signal->time) hash = ss_hash(hash, signal->time, 2 * (size_t)signal->count * sizeof(double));
    return hash_tape(hash, &signal->tape);
}
