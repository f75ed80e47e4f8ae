// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Recordings of measured motions, and fitting a model to them (libslipstick-lab). All numbers are SI.
#ifndef SLIPSTICK_FIT_H
#define SLIPSTICK_FIT_H

#include "slipstick/answer.h"
#include "slipstick/slipstick.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- recordings

/// What was measured in one experiment: columns against time. Constant once made.
typedef struct ss_recording ss_recording;

enum { SS_RECORDING_LIMIT = 4000000 }; ///< rows that are read at most; longer files are refused

/// Reads the columns asked for from a table of numbers: a header line, then a line per moment, cells
/// separated by commas, semicolons or tabs; lines that begin with # and empty lines are passed over; an empty
/// cell is a moment without a sample. Without a header line columns are called 1, 2, .. The file is streamed:
/// only the columns asked for are kept.
/// Each text in columns, and time_column (NULL: the first), names a column, and after a space the unit of its
/// numbers ("position_mm mm"); without one it is taken from a header that ends in it ("x [mm]"), else numbers
/// are SI. Times must not go back. A fault names file, line and column.
SS_API ss_status ss_recording_read_csv(const char* path, const char* time_column, const char* const columns[],
                                       int column_count, ss_recording** out, ss_error* err);
/// The same from numbers in memory, SI: values[k * column_count + c] is column c at time_s[k], NaN where
/// there is no sample. name is what errors call it.
SS_API ss_status ss_recording_create(const char* name, const double time_s[], const double values[],
                                     long count, int column_count, ss_recording** out, ss_error* err);
SS_API void ss_recording_destroy(ss_recording* recording); ///< NULL is welcome
SS_API const char* ss_recording_name(const ss_recording* recording);
SS_API long ss_recording_count(const ss_recording* recording); ///< moments
SS_API int ss_recording_column_count(const ss_recording* recording);
SS_API double ss_recording_time(const ss_recording* recording, long moment);              ///< s
SS_API double ss_recording_value(const ss_recording* recording, long moment, int column); ///< SI; NaN: none

// ---- fitting

/// What a document says a number of the model is.
typedef struct ss_fit_number {
    double value; ///< SI; 0 where the document does not mention it
    ss_dimension dimension;
    bool has_unit; ///< it is written with a unit
    bool found;    ///< the document mentions it
    int angle;     ///< power of an angle in its unit: 1 for rad/s, which has the dimension of 1/s
} ss_fit_number;
/// Reads the number at a path as in ss_document_set.
SS_API ss_status ss_fit_read_number(ss_document* document, const char* path, ss_fit_number* out,
                                    ss_error* err);

/// The unit of the number at a path, "rad/s": the one that it is written with, else that which it must have
/// where it stands; "" where there is none. Returns out.
SS_API const char* ss_fit_number_unit(const ss_document* document, const char* path, char* out, size_t size);

/// One number of the model that is to be found.
typedef struct ss_fit_free {
    /// As in ss_document_set, "contacts.stop.alpha"; "clock.delay": see ss_fit_def.delay; or of a sensor,
    /// "sensor.disk.x.offset" and "sensor.disk.x.gain": the column shows gain times disk.x plus offset.
    const char* path;
    double least, most; ///< SI: it stays between them; -INFINITY and INFINITY: anywhere
    int recording;      ///< >= 0: a number of its own for this recording alone; -1: one for all
    double guess;       ///< SI: where the search begins; NaN: what the document says
} ss_fit_free;

/// What one column of the recordings shows.
typedef struct ss_fit_trace {
    const char* shows; ///< "disk.x", "disk.v", "table.force", or a state or signal by its name
    double sigma;      ///< standard deviation of its noise, SI; NaN: estimated from the residuals
} ss_fit_trace;

/// The dimension of what a trace shows; false where the model has no such number.
SS_API bool ss_fit_trace_dimension(const ss_model* model, const char* shows, ss_dimension* out);

/// A number that differs from recording to recording, and is known.
typedef struct ss_fit_known {
    const char* path;
    const char* value; ///< as in a model file: "0.2 m/s"
    int recording;
} ss_fit_known;

/// How far the work is; false ends it with the best so far. fraction in [0, 1] is a guess.
typedef bool ss_fit_progress(void* user, double fraction);

/// The search has found numbers that are better than all before: after so many iterations, what is left, as
/// root mean square, is this share of the range of each trace.
typedef void ss_fit_better(void* user, long iterations, double left);

/// Something that is worth knowing before the search ends; it is among the warnings of the result as well.
typedef void ss_fit_warn(void* user, const char* text);

/// What is made least.
typedef enum ss_fit_loss_kind {
    SS_LOSS_SQUARES, ///< the sum of squares: best where noise is normal
    SS_LOSS_HUBER,   ///< squares of what is small, magnitudes of what is large: a few bad samples do not pull
} ss_fit_loss_kind;

typedef struct ss_fit_def {
    size_t size;                           ///< set by ss_fit_def_default
    const ss_document* document;           ///< the model; it is not changed
    const ss_recording* const* recordings; ///< each is a motion from the model's start
    int recording_count;
    const ss_fit_trace* traces; ///< one per column; all recordings have the same columns
    int trace_count;
    /// Inputs of the model by name that the recordings drive, by the columns behind those of the traces:
    /// linear between samples, held before the first and after the last.
    const char* const* inputs;
    int input_count;
    const ss_fit_free* free;
    int free_count;
    bool as_it_is; ///< no number needs to be free: the model as it is, to be compared with others
    const ss_fit_known* known;
    int known_count;
    double delay;    ///< s, default 0: the sensor shows at t what was at t - delay
    double quiet;    ///< s, default 0: samples nearer than this to an event of the motion are left out
    double from, to; ///< s: samples outside are left out; default -INFINITY, INFINITY
    ss_fit_loss_kind loss;
    int starts;       ///< default 1: the guess; more: random ones around it, or between the bounds, as well
    uint64_t seed;    ///< of these
    double tolerance; ///< of the motions; in (0, SS_MAX_TOLERANCE], default 1e-10
    long max_events;  ///< of a motion; default 1e6
    ss_fit_progress* progress; ///< may be NULL
    ss_fit_better* better;     ///< may be NULL
    ss_fit_warn* warn;         ///< may be NULL
    void* user;
} ss_fit_def;

typedef enum ss_fit_outcome {
    SS_FIT_CONVERGED,
    SS_FIT_INTERRUPTED, ///< progress said no: the best so far
    SS_FIT_GAVE_UP,     ///< the iterations did not end: the best so far
} ss_fit_outcome;

typedef struct ss_fit ss_fit; ///< the result

static inline ss_fit_def ss_fit_def_default(void)
{
    ss_fit_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.from = -INFINITY;
    def.to = INFINITY;
    def.starts = 1;
    def.seed = 1;
    def.tolerance = 1e-10;
    def.max_events = 1000000;
    return def;
}
SS_API ss_fit_free ss_fit_free_default(void);

/// Weighted least squares by Levenberg and Marquardt, with derivatives that respect events: see
/// docs/theory/fit.md.
SS_API ss_status ss_fit_run(const ss_fit_def* def, ss_fit** out, ss_error* err);
SS_API void ss_fit_destroy(ss_fit* fit); ///< NULL is welcome

SS_API ss_fit_outcome ss_fit_get_outcome(const ss_fit* fit);

/// One free number as found, SI.
typedef struct ss_fit_parameter {
    const char* name; ///< its path, with "#2" after it where it belongs to the second recording
    double value;
    double standard_error;   ///< INFINITY where the recordings do not determine it; NaN where the search did
                             ///< not end: at what is no minimum there is none
    double correlated_error; ///< the same where residuals are alike over some time, as those of a model that
                             ///< misses something are; like it where they are noise
    double low, high;        ///< interval that holds the true value in 95 % of all recordings like these; NaN
                             ///< likewise
    bool profiled;           ///< the interval is that of the profile; otherwise value -+ so many standard
                             ///< errors: 1.96, or as Student's t says where the noise was estimated
    ss_dimension dimension;  ///< where has_unit
    bool has_unit;           ///< the model file writes it with a unit
} ss_fit_parameter;

SS_API int ss_fit_parameter_count(const ss_fit* fit);
SS_API ss_fit_parameter ss_fit_get_parameter(const ss_fit* fit, int parameter);
/// NaN where the search did not end, or was interrupted.
SS_API double ss_fit_correlation(const ss_fit* fit, int a, int b);

/// One trace as fitted: root mean square of its residuals and the noise it was weighted with, SI.
typedef struct ss_fit_residual {
    double rms, sigma;
    long samples;         ///< that took part
    double durbin_watson; ///< of these residuals; NaN where they are all 0
} ss_fit_residual;
SS_API int ss_fit_trace_count(const ss_fit* fit);
SS_API const char* ss_fit_trace_shows(const ss_fit* fit, int trace); ///< "disk.x"
SS_API const char* ss_fit_trace_unit(const ss_fit* fit, int trace);  ///< "m"; "" where it has none
SS_API ss_fit_residual ss_fit_get_residual(const ss_fit* fit, int trace);
/// Over all traces; NaN where they are not of one dimension.
SS_API double ss_fit_rms(const ss_fit* fit);
/// How likely the recordings are under the model as fitted, to compare models on the same recordings. NaN
/// where the search was interrupted, or nothing is left.
typedef struct ss_fit_statistics {
    long samples;          ///< that took part
    int numbers;           ///< found: free ones, and the noise of each trace where it was not given
    double log_likelihood; ///< of normal noise (Huber's density under that loss), SI
    double aic, bic;       ///< 2 numbers - 2 log_likelihood; numbers log(samples) - 2 log_likelihood
    double durbin_watson; ///< of all residuals, in units of their noise: 2 for noise, near 0 where neighbours
                          ///< are alike
} ss_fit_statistics;
SS_API ss_fit_statistics ss_fit_get_statistics(const ss_fit* fit);

SS_API long ss_fit_iterations(const ss_fit* fit);
SS_API long ss_fit_motions(const ss_fit* fit); ///< computed on the way

/// Numbers that cannot be told apart (|correlation| > 0.95), or are known only badly (interval wider than
/// half the value), in plain words.
SS_API int ss_fit_warning_count(const ss_fit* fit);
SS_API const char* ss_fit_warning(const ss_fit* fit, int warning);
/// Other things worth knowing: residuals that are no noise, a number at its bound.
SS_API int ss_fit_note_count(const ss_fit* fit);
SS_API const char* ss_fit_note(const ss_fit* fit, int note);

/// The answer of `fit` as a tree: parameters, rms, correlation, statistics, warnings, notes,
/// traces, outcome, iterations.
SS_API ss_status ss_answer_fit(const ss_fit* fit, ss_answer** out, ss_error* err);

/// Makes fits of several models to the same recordings comparable: their statistics are found anew from the
/// samples that took part in all of them (near events each leaves out its own). SS_BAD_INPUT where the
/// recordings are not the same.
SS_API ss_status ss_fit_compare(ss_fit* const fits[], int count, ss_error* err);

/// The answer of `fit --versus`: fits of several models to the same recordings, the one of the least aic
/// first. names: what each is called.
SS_API ss_status ss_answer_fits(const ss_fit* const fits[], const char* const names[], int count,
                                ss_answer** out, ss_error* err);

/// Comma-separated text with a header line, then a line per sample that took part: time, measured, fitted,
/// residual (SI), and with several traces or recordings trace and recording as well.
SS_API ss_status ss_fit_write_residuals(const ss_fit* fit, const char* path, ss_error* err);

/// Writes the text of a model file again with the fitted numbers in place (and those that ss_document_set
/// changed), everything else, comments included, as it was. model_text is the file's text that the document
/// was read from. The file appears under its name when it is whole.
SS_API ss_status ss_fit_write_model(ss_fit* fit, const char* model_text, const char* path, ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
